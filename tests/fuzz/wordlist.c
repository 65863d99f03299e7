/* wordlist.c - any bytes as a list of words or a vocab.tsv: every word of it can be found. */
#include "tests/fuzz/fuzz.h"
#include "tokenizer/tokenizer.h"

FUZZ_TARGET(wordlist) {
    trib_reader reader;
    TRIB_OWNED(trib_intern) words = {0};
    trib_reader_memory(&reader, "x", bytes, size);
    const trib_status status = trib_vocab_read_list(&words, &reader, NULL);
    FUZZ_CHECK(status == TRIB_OK || status == TRIB_CONFIG || status == TRIB_MEMORY);
    for (uint32_t i = 0; i < words.n_words; i++) {
        const char *word = trib_intern_word(&words, i);
        FUZZ_CHECK(*word && !strpbrk(word, "\t\n"));
        FUZZ_CHECK(trib_intern_find(&words, word, strlen(word)) == i);
    }
}
