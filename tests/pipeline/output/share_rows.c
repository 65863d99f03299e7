/* share_rows.c - tests of pipeline/output/result_tables.c: which sources have a row. */
#include "tests/test.h"

#include "pipeline/output/output.h"

TESTS(output, share_rows);

enum { MOST = 100 };

/* A target with up to MOST sources by two methods, the first of which is the headline. */
typedef struct sample {
    trib_corpus_document about[MOST];
    trib_document document[MOST];
    uint32_t source[MOST];
    double share[2][MOST];
    trib_influence influence[2];
    trib_target about_target;
    trib_shares shares;
    trib_target_results target;
    trib_corpus corpus;
} sample;

static void make_sample(sample *s, uint32_t n_sources) {
    *s = (sample){.corpus = {.n_documents = MOST}};
    s->corpus.document = s->document;
    for (uint32_t d = 0; d < MOST; d++) {
        s->document[d].about = &s->about[d];
        s->source[d] = d;
    }
    for (int i = 0; i < 2; i++) {
        s->influence[i].n_sources = n_sources;
        s->influence[i].source = s->source;
        s->influence[i].share = s->share[i];
    }
    s->about_target = (trib_target){.n_sources = n_sources};
    s->shares = (trib_shares){.influence = s->influence,
                              .n_methods = 2,
                              .headline = &s->influence[0],
                              .floor = {.share = 0.25}};
    s->target = (trib_target_results){.about = &s->about_target, .shares = &s->shares};
}

static size_t count_rows(const sample *s, int i, const trib_share_rows *rows) {
    size_t n = 0;
    for (size_t source = 0; source < s->influence[i].n_sources; source++)
        n += trib_has_row(&s->corpus, &s->target, &s->influence[i], rows, source);
    return n;
}

static bool has_row(const sample *s, int i, size_t source) {
    const trib_share_rows rows = trib_share_rows_of(&s->corpus, &s->target, &s->influence[i]);
    return trib_has_row(&s->corpus, &s->target, &s->influence[i], &rows, source);
}

TEST(up_to_forty_sources_all_have_a_row) {
    static sample s;
    make_sample(&s, TRIB_ALL_WRITTEN);
    s.share[1][7] = 0.125;
    const trib_share_rows rows = trib_share_rows_of(&s.corpus, &s.target, &s.influence[1]);
    EXPECT(count_rows(&s, 1, &rows) == TRIB_ALL_WRITTEN);
    EXPECT(rows.n_left_out == 0 && rows.left_out == 0);
}

TEST(of_more_sources_the_largest_shares_have_a_row) {
    static sample s;
    make_sample(&s, MOST);
    for (size_t i = 0; i < MOST; i++) s.share[1][i] = (double)((i * 37) % MOST) / 1024;
    const trib_share_rows rows = trib_share_rows_of(&s.corpus, &s.target, &s.influence[1]);
    EXPECT(count_rows(&s, 1, &rows) == TRIB_LARGEST_WRITTEN);
    double left_out = 0;
    for (size_t i = 0; i < MOST; i++) {
        const bool is_large = (i * 37) % MOST >= MOST - TRIB_LARGEST_WRITTEN;
        EXPECT(trib_has_row(&s.corpus, &s.target, &s.influence[1], &rows, i) == is_large);
        if (!is_large) left_out += s.share[1][i];
    }
    EXPECT(rows.n_left_out == MOST - TRIB_LARGEST_WRITTEN - 1); /* one is 0 */
    EXPECT(rows.left_out == left_out);
}

TEST(of_equal_shares_the_first_have_a_row) {
    static sample s;
    make_sample(&s, MOST);
    for (size_t i = 10; i < MOST; i++) s.share[1][i] = 0.0078125;
    s.share[1][90] = 0.5;
    for (size_t i = 0; i < MOST; i++)
        EXPECT(has_row(&s, 1, i) == ((i >= 10 && i < 10 + TRIB_LARGEST_WRITTEN - 1) || i == 90));
}

TEST(what_the_headline_finds_has_a_row_by_every_method) {
    static sample s;
    make_sample(&s, MOST);
    for (size_t i = 0; i < MOST; i++) s.share[0][i] = s.share[1][i] = i < 50 ? 0.5 : 0.25;
    for (int i = 0; i < 2; i++) {
        const trib_share_rows rows = trib_share_rows_of(&s.corpus, &s.target, &s.influence[i]);
        EXPECT(count_rows(&s, i, &rows) == MOST && rows.n_left_out == 0);
    }
    for (size_t i = 0; i < MOST; i++) s.share[0][i] = 0.125; /* the floor is 0.25 */
    EXPECT(has_row(&s, 1, 19) && !has_row(&s, 1, 20));
    s.share[0][60] = 0.25;
    EXPECT(has_row(&s, 1, 60));
    s.share[1][60] = 0;
    EXPECT(!has_row(&s, 1, 60));
}

TEST(no_share_has_no_row_but_a_decoy_has) {
    static sample s;
    make_sample(&s, MOST);
    s.about[33].role = TRIB_ROLE_DECOY;
    const trib_share_rows rows = trib_share_rows_of(&s.corpus, &s.target, &s.influence[1]);
    EXPECT(count_rows(&s, 1, &rows) == 1 && has_row(&s, 1, 33));
    EXPECT(rows.n_left_out == 0);
}
