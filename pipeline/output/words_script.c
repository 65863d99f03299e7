/* words_script.c - data/words.js: the words of all documents that are measured, for the script of
 * the report, which searches them. A word is one character: its id in the vocabulary, as the n-th
 * character of a list without those that a script could not hold. So a text of a million words is
 * about two megabytes, and a phrase is found as a part of a string. The script reverses
 * character_of (pipeline/report/files/search.js). */
#include "pipeline/output/result_files.h"
#include "pipeline/support/html.h"

/* The characters that stand for words: first and last of each range, without quotes, the backslash,
 * controls, marks of direction, surrogates and noncharacters. */
static const uint32_t ranges[][2] = {{0x23, 0x5B},     {0x5D, 0x7E},     {0xA1, 0x2027},
                                     {0x202F, 0x2065}, {0x206A, 0xD7FF}, {0xE000, 0xFDCF},
                                     {0xFDF0, 0xFEFE}, {0xFF00, 0xFFFD}, {0x10000, 0x10FFFD}};

/* Returns the character of word `id`; 0 when there are not as many characters. */
static uint32_t character_of(uint32_t id) {
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
        const uint32_t n = ranges[r][1] - ranges[r][0] + 1;
        if (id < n) return ranges[r][0] + id;
        id -= n;
    }
    return 0;
}

/* Puts a character into text[4] and returns its length. */
static size_t put_character(uint32_t c, char *text) {
    const unsigned char four[] = {
        (unsigned char)(0xF0 | c >> 18), (unsigned char)(0x80 | (c >> 12 & 63)),
        (unsigned char)(0x80 | (c >> 6 & 63)), (unsigned char)(0x80 | (c & 63))};
    const unsigned char three[] = {(unsigned char)(0xE0 | c >> 12), four[2], four[3]};
    const unsigned char two[] = {(unsigned char)(0xC0 | c >> 6), four[3]},
                        one[] = {(unsigned char)c};
    const size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    memcpy(text, n == 1 ? one : n == 2 ? two : n == 3 ? three : four, n);
    return n;
}

/* Writes the words of document d. A word that is not in the vocabulary is a space. */
static trib_status write_text(const trib_run_results *results, uint32_t d, trib_writer *writer,
                              trib_error *error) {
    enum { AT_ONCE = 4096 };
    const trib_document_words *document = &results->words->document[d];
    TRIB_OPENED(trib_words_cursor) cursor = {0};
    trib_placed_word word;
    char text[AT_ONCE + 4];
    size_t n = 0;
    trib_status status = trib_words_cursor_open(&cursor, document, error);
    for (size_t i = 0; i < document->n_tokens && status == TRIB_OK; i++) {
        status = trib_words_cursor_at(&cursor, i, &word, error);
        const bool is_known = status == TRIB_OK && word.id < results->vocab->n_words;
        const uint32_t c = is_known ? character_of(word.id) : 0;
        n += put_character(c > 0 ? c : ' ', text + n);
        if (n < AT_ONCE) continue;
        trib_write(writer, text, n);
        n = 0;
    }
    trib_write(writer, text, n);
    return status;
}

trib_status trib_words_script_write(const void *what, trib_writer *writer, trib_error *error) {
    const trib_run_results *results = what;
    trib_status status = TRIB_OK;
    bool any = false;
    trib_write_text(writer, "tributary_words={\"words\":[");
    for (uint32_t w = 0; w < results->vocab->n_words; w++) {
        if (w > 0) trib_write_text(writer, ",");
        trib_write_script_text(writer, results->vocab->word[w]);
    }
    trib_write_text(writer, "],\"texts\":{");
    for (uint32_t d = 0; d < results->corpus->n_documents && status == TRIB_OK; d++) {
        if (!trib_corpus_measures(results->corpus, d)) continue;
        trib_write_text(writer, any ? ",\n" : "\n");
        any = true;
        trib_write_script_text(writer, trib_results_id(results, d));
        trib_write_text(writer, ":\"");
        status = write_text(results, d, writer, error);
        trib_write_text(writer, "\"");
    }
    trib_write_text(writer, "}};\n");
    return status;
}
