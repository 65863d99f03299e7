/* overlap.c - tests of influence/overlap.c. */
#include "influence/overlap.h"

#include "tests/influence/texts.h"

/* Compares with the definition: every n-gram of the target is searched in every text. */
static void the_overlap_equals_a_search_in_every_text(void) {
    trib_texts texts;
    char *first = trib_texts_invent(1, 900, NULL);
    char *second = trib_texts_invent(2, 700, first);
    char *third = trib_texts_invent(3, 300, NULL);
    trib_texts_count(&texts, 3, (const char *[]){first, second, third, "q"}, 4);
    const trib_influence_case c = {
        .document = texts.document, .n_documents = 4, .n_words = texts.words.n_words, .target = 1};
    trib_overlap overlap;
    trib_error error = {0};
    EXPECT_STATUS(trib_overlap_build(&overlap, &c, (uint32_t[]){0, 1, 2, 3}, 4, &error), TRIB_OK,
                  error);
    CHECK(overlap.n_entries == texts.counts[1].nnz);
    size_t n_shared = 0;
    for (size_t e = 0; e < overlap.n_entries; e++) {
        const trib_shared_ngram *h = overlap.shared + overlap.start[e];
        for (uint32_t d = 0; d < 4; d++) {
            const trib_influence_document *document = &texts.document[d];
            uint32_t count = 0;
            for (size_t i = 0; i + 3 <= document->n_words; i++) {
                bool same = true;
                for (uint32_t m = 0; m < 3; m++)
                    same = same && document->word[texts.stream[d][i + m]] ==
                                       texts.document[1].word[overlap.index[3 * e + m]];
                count += same;
            }
            if (count == 0) continue;
            n_shared++;
            CHECK(h < overlap.shared + overlap.start[e + 1]);
            EXPECT(h->document == d && h->entry == e && h->count == count);
            EXPECT(h->frequency == count / (double)document->n_ngrams);
            h++;
        }
    }
    EXPECT(n_shared == overlap.start[overlap.n_entries] && n_shared > overlap.n_entries);
    trib_overlap_release(&overlap);
    trib_texts_release(&texts);
    free(first);
    free(second);
    free(third);
}

static void documents_of_different_n_are_an_internal_error(void) {
    trib_texts texts, other;
    trib_texts_count(&texts, 2, (const char *[]){"a b c", "a b"}, 2);
    trib_texts_count(&other, 3, (const char *[]){"a b c", "a b"}, 2);
    trib_influence_document document[] = {texts.document[0], other.document[1]};
    const trib_influence_case c = {.document = document,
                                   .n_documents = 2,
                                   .n_words = texts.words.n_words,
                                   .source = (uint32_t[]){1},
                                   .n_sources = 1};
    trib_overlap overlap;
    trib_error error = {0};
    EXPECT_STATUS(trib_overlap_build(&overlap, &c, c.source, 1, &error), TRIB_INTERNAL, error);
    trib_texts_release(&texts);
    trib_texts_release(&other);
}

static trib_status look_up_everything(void *context, trib_error *error) {
    const trib_influence_case *c = context;
    trib_overlap overlap;
    const trib_status status = trib_overlap_build(&overlap, c, c->source, c->n_sources, error);
    trib_overlap_release(&overlap);
    return status;
}

static void every_failing_allocation_is_reported(void) {
    trib_texts texts;
    uint32_t source[TRIB_MAX_TEXTS];
    trib_texts_count(&texts, 2, (const char *[]){"a b c", "a b", "b c"}, 3);
    trib_influence_case c = trib_texts_case(&texts, 0, source);
    EXPECT(trib_fail_every_allocation(look_up_everything, &c) > 6);
    trib_texts_release(&texts);
}

CU_TestInfo trib_tests_influence_overlap[] = {
    {"the overlap equals a search in every text", the_overlap_equals_a_search_in_every_text},
    {"documents of different n are an internal error",
     documents_of_different_n_are_an_internal_error},
    {"every failing allocation is reported", every_failing_allocation_is_reported},
    CU_TEST_INFO_NULL,
};
