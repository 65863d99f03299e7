/* findings_spill.c - tests of findings and shares that are moved to a file. */
#include "tests/test.h"

#include "pipeline/stages/evidence.h"
#include "pipeline/support/path.h"

TESTS(stages, findings_spill);

enum { N_SOURCES = 3, N_PHRASES = 5, N_FREE = 7 };

/* Allocates zeros. */
static void *fresh(size_t n, size_t size) {
    void *array = NULL;
    CHECK(trib_new(&array, n, size, "a test", NULL) == TRIB_OK);
    return array;
}

static void make_evidence(trib_evidence *evidence, uint32_t source, size_t n_phrases) {
    *evidence = (trib_evidence){.target = 9, .source = source, .share = 0.5 + source};
    evidence->phrase = fresh(n_phrases, sizeof *evidence->phrase);
    evidence->n_phrases = n_phrases;
    evidence->n_all_phrases = 2 * n_phrases;
    for (size_t p = 0; p < n_phrases; p++)
        evidence->phrase[p] =
            (trib_phrase){.word = {source, 1}, .in_target = (uint32_t)p, .mass = 0.25};
    evidence->factor = fresh(1, sizeof *evidence->factor);
    evidence->n_factors = evidence->n_all_factors = 1;
    evidence->factor[0] = (trib_evidence_factor){.mass = 1, .first = 2, .n = N_FREE - 2};
    evidence->free_word = fresh(N_FREE, sizeof *evidence->free_word);
    evidence->free_mass = fresh(N_FREE, sizeof *evidence->free_mass);
    for (uint32_t i = 0; i < N_FREE; i++) {
        evidence->free_word[i] = 100 * source + i;
        evidence->free_mass[i] = i / 8.0;
    }
}

/* The second source has neither phrases nor passages. */
static void make_findings(trib_findings *findings) {
    *findings = (trib_findings){0};
    CHECK(trib_findings_init(findings, N_SOURCES, NULL) == TRIB_OK);
    for (uint32_t s = 0; s < N_SOURCES; s++) {
        trib_passages *passages = &findings->passages[s];
        findings->evidence[s] = (trib_evidence){.source = s};
        passages->source = s;
        if (s == 1) continue;
        make_evidence(&findings->evidence[s], s, N_PHRASES);
        passages->passage = fresh(1, sizeof *passages->passage);
        passages->n = passages->cap = 1;
        passages->passage[0] = (trib_passage){.target = s, .n_runs = 1, .number = s + 1};
        passages->run = fresh(1, sizeof *passages->run);
        passages->n_runs = 1;
        passages->run[0] = (trib_shared_run){.target = s, .source = 4, .n = 6};
    }
    make_evidence(&findings->own, 9, 1);
    findings->trace = fresh(2, sizeof *findings->trace);
    findings->n_trace = 2;
    findings->trace[1] = (trib_traced_run){.target = 3, .place = 2, .n = 1, .probability = 0.5};
}

static void expect_evidence(const trib_evidence *evidence, uint32_t source, size_t n_phrases) {
    CHECK(evidence->n_phrases == n_phrases && evidence->n_factors == 1);
    EXPECT(evidence->share == 0.5 + source && evidence->n_all_phrases == 2 * n_phrases);
    for (uint32_t p = 0; p < n_phrases; p++)
        EXPECT(evidence->phrase[p].word[0] == source && evidence->phrase[p].in_target == p &&
               evidence->phrase[p].mass == 0.25);
    EXPECT(evidence->factor[0].first == 2 && evidence->factor[0].n == N_FREE - 2);
    for (uint32_t i = 0; i < N_FREE; i++)
        EXPECT(evidence->free_word[i] == 100 * source + i && evidence->free_mass[i] == i / 8.0);
}

static void expect_findings(const trib_findings *findings) {
    CHECK(findings->n_sources == N_SOURCES && findings->n_trace == 2);
    for (uint32_t s = 0; s < N_SOURCES; s++) {
        const trib_passages *passages = &findings->passages[s];
        EXPECT(findings->evidence[s].source == s && passages->source == s);
        CHECK(passages->n == (s != 1) && findings->evidence[s].n_phrases == (s != 1) * N_PHRASES);
        if (s == 1) continue;
        expect_evidence(&findings->evidence[s], s, N_PHRASES);
        EXPECT(passages->passage[0].target == s && passages->passage[0].number == s + 1);
        EXPECT(passages->run[0].source == 4 && passages->run[0].n == 6);
    }
    expect_evidence(&findings->own, 9, 1);
    EXPECT(findings->trace[1].target == 3 && findings->trace[1].probability == 0.5);
}

TEST(spilled_findings_read_as_before) {
    OPENED(trib_spill) spill = {0};
    trib_findings findings[2];
    trib_error error = {0};
    for (size_t i = 0; i < 2; i++) {
        make_findings(&findings[i]);
        EXPECT_OK(trib_findings_spill(&findings[i], &spill, trib_path_temporary(), &error));
        EXPECT(findings[i].is_spilled);
    }
    trib_spill_rest(&spill);
    for (size_t i = 0; i < 2; i++) expect_findings(&findings[i]);
    const size_t n_written = spill.writer.n_written;
    EXPECT(trib_findings_spill(&findings[0], &spill, "/", &error) == TRIB_OK); /* already there */
    EXPECT(spill.writer.n_written == n_written);
    for (size_t i = 0; i < 2; i++) trib_findings_release(&findings[i]);
    EXPECT(!findings[0].evidence && findings[0].n_sources == 0);
}

TEST(findings_without_evidence_are_not_spilled) {
    OPENED(trib_spill) spill = {0};
    trib_findings none = {0}, empty = {0};
    trib_error error = {0};
    EXPECT(trib_findings_spill(&none, &spill, "/no such folder", &error) == TRIB_OK);
    EXPECT(!none.is_spilled && spill.n_segments == 0);
    CHECK(trib_findings_init(&empty, N_SOURCES, &error) == TRIB_OK);
    EXPECT_STATUS(trib_findings_spill(&empty, &spill, "/no such folder", &error), TRIB_OUTPUT,
                  error);
    EXPECT(!empty.is_spilled);
    EXPECT_OK(trib_findings_spill(&empty, &spill, trib_path_temporary(), &error));
    EXPECT(empty.is_spilled && empty.evidence[2].n_phrases == 0 && !empty.own.phrase);
    trib_findings_release(&empty);
}

static trib_status spill_a_copy(void *context, trib_error *error) {
    trib_findings *findings = context;
    OPENED(trib_spill) spill = {0};
    trib_status status = trib_findings_spill(findings, &spill, trib_path_temporary(), error);
    EXPECT(findings->is_spilled == (status == TRIB_OK));
    expect_findings(findings);
    if (status == TRIB_OK) trib_findings_release(findings);
    return status;
}

TEST(findings_that_cannot_be_copied_remain_in_memory) {
    trib_findings findings;
    make_findings(&findings);
    EXPECT(trib_fail_every_allocation(spill_a_copy, &findings) > 3);
}

/* Shares by two methods: of the first with intervals and groups, of the second without. */
static void make_measured(trib_shares *shares) {
    *shares = (trib_shares){.n_methods = 2};
    shares->influence = fresh(2, sizeof *shares->influence);
    shares->headline = &shares->influence[0];
    for (uint32_t m = 0; m < 2; m++) {
        trib_influence *r = &shares->influence[m];
        *r = (trib_influence){.n_sources = N_SOURCES, .n_listed = 2, .author = .5};
        r->source = fresh(N_SOURCES, sizeof *r->source);
        r->share = fresh(N_SOURCES, sizeof *r->share);
        r->listed = fresh(2, sizeof *r->listed);
        r->listed[1] = 2;
        r->credit = fresh(N_FREE, sizeof *r->credit);
        for (uint32_t s = 0; s < N_SOURCES; s++) r->source[s] = 7 + s, r->share[s] = (m + s) / 8.0;
    }
    trib_influence *first = &shares->influence[0];
    first->low = fresh(N_SOURCES, sizeof *first->low);
    first->high = fresh(N_SOURCES, sizeof *first->high);
    first->group = fresh(N_SOURCES, sizeof *first->group);
    first->group_share = fresh(N_SOURCES, sizeof *first->group_share);
    first->high[2] = .75;
    first->group[2] = 1;
    first->group_share[1] = .625;
}

static void expect_measured(const trib_shares *shares) {
    CHECK(shares->n_methods == 2 && shares->headline == &shares->influence[0]);
    for (uint32_t m = 0; m < 2; m++) {
        const trib_influence *r = &shares->influence[m];
        EXPECT(r->author == .5 && r->listed[0] == 0 && r->listed[1] == 2);
        for (uint32_t s = 0; s < N_SOURCES; s++)
            EXPECT(r->source[s] == 7 + s && r->share[s] == (m + s) / 8.0);
    }
    const trib_influence *first = &shares->influence[0], *second = &shares->influence[1];
    EXPECT(first->low[2] == 0 && first->high[2] == .75 && first->group[2] == 1);
    EXPECT(first->group_share[1] == .625 && !first->group_low);
    EXPECT(!second->low && !second->high && !second->group);
}

/* Of each target, memory keeps only the records of its methods. */
TEST(spilled_shares_take_no_memory_for_their_sources) {
    enum { TARGETS = 500 };
    OPENED(trib_spill) spill = {0};
    trib_shares *shares = fresh(TARGETS, sizeof *shares);
    trib_error error = {0};
    const uint64_t before = trib_memory_in_use();
    for (size_t t = 0; t < TARGETS; t++) {
        make_measured(&shares[t]);
        EXPECT_OK(trib_shares_spill(&shares[t], &spill, trib_path_temporary(), &error));
        EXPECT(shares[t].is_spilled);
    }
    const uint64_t after = trib_memory_in_use(), of_file = 1 << 17, slack = 16;
    EXPECT(after - before <= TARGETS * (2 * sizeof(trib_influence) + slack) + of_file);
    trib_spill_rest(&spill);
    for (size_t t = 0; t < TARGETS; t++) expect_measured(&shares[t]);
    const size_t n_written = spill.writer.n_written;
    EXPECT(trib_shares_spill(&shares[0], &spill, "/", &error) == TRIB_OK); /* already there */
    EXPECT(spill.writer.n_written == n_written);
    for (size_t t = 0; t < TARGETS; t++) trib_shares_release(&shares[t]);
    trib_free(shares);
}

static trib_status spill_shares(void *context, trib_error *error) {
    trib_shares *shares = context;
    OPENED(trib_spill) spill = {0};
    const trib_status status = trib_shares_spill(shares, &spill, trib_path_temporary(), error);
    EXPECT(shares->is_spilled == (status == TRIB_OK));
    expect_measured(shares);
    if (status == TRIB_OK) trib_shares_release(shares);
    return status;
}

TEST(shares_that_cannot_be_copied_remain_in_memory) {
    trib_shares shares;
    make_measured(&shares);
    EXPECT(trib_fail_every_allocation(spill_shares, &shares) > 1);
}
