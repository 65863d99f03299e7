/* mixture.c - tests of the mixture in influence/anchored.c against the formulas of docs/model.md
 * section 5, written out. */
#include "influence/methods.h"

#include "tests/influence/texts.h"

TESTS(influence, mixture);

enum { MAX_COMPONENTS = 40 };

static const trib_progress nobody;

/* The EM in its simplest form: value[c][e] of every fixed component c at every n-gram e of the
 * target; a_m and weights as in the model. */
typedef struct slow_mixture {
    size_t n_entries, n_fixed;
    uint32_t n_modes, n_local;
    double *value[MAX_COMPONENTS], *mix;
    double weight[MAX_COMPONENTS], own_weight, log_likelihood;
    double *own[TRIB_MAX_MODES];
    uint32_t n_rounds;
} slow_mixture;

static double frequency_in(const trib_influence_case *c, uint32_t d, const uint32_t *index) {
    const trib_influence_document *target = &c->document[c->target], *from = &c->document[d];
    uint32_t there[TRIB_MAX_MODES];
    for (uint32_t m = 0; m < from->counts->n_modes; m++) {
        there[m] = 0;
        while (there[m] < from->n_local && from->word[there[m]] != target->word[index[m]])
            there[m]++;
        if (there[m] == from->n_local) return 0;
    }
    return trib_hacoo_get(from->counts, there) / (double)from->counts->total;
}

static void slow_start(slow_mixture *slow, const trib_influence_case *c,
                       const trib_background *background) {
    const trib_influence_document *target = &c->document[c->target];
    *slow = (slow_mixture){.n_entries = target->counts->nnz,
                           .n_fixed = c->n_sources + background->n,
                           .n_modes = target->counts->n_modes,
                           .n_local = target->n_local};
    CHECK(slow->n_fixed < MAX_COMPONENTS);
    slow->mix = calloc(slow->n_entries, sizeof(double));
    for (uint32_t m = 0; m < slow->n_modes; m++)
        slow->own[m] = calloc(slow->n_local, sizeof(double));
    for (size_t f = 0; f < slow->n_fixed; f++)
        slow->value[f] = calloc(slow->n_entries, sizeof(double));
    for (size_t e = 0; e < slow->n_entries; e++) {
        uint32_t index[TRIB_MAX_MODES];
        const double count = trib_hacoo_entry(target->counts, e, index);
        for (size_t s = 0; s < c->n_sources; s++)
            slow->value[s][e] = frequency_in(c, c->source[s], index);
        for (uint32_t b = 0; b < background->n; b++) {
            double *value = &slow->value[c->n_sources + b][e];
            *value = 1;
            for (uint32_t m = 0; m < slow->n_modes; m++)
                *value *= background->row[m][index[m] * background->stride + b];
        }
        for (uint32_t m = 0; m < slow->n_modes; m++)
            slow->own[m][index[m]] += count / (double)target->counts->total;
    }
    for (size_t f = 0; f < slow->n_fixed; f++) slow->weight[f] = 0.5 / (double)slow->n_fixed;
    slow->own_weight = 0.5;
}

/* Does one round; returns the log likelihood. */
static double slow_round(slow_mixture *slow, const trib_hacoo *counts) {
    double next[MAX_COMPONENTS] = {0}, sum_q = 0, log_likelihood = 0;
    double *own[TRIB_MAX_MODES];
    for (uint32_t m = 0; m < slow->n_modes; m++) own[m] = calloc(slow->n_local, sizeof(double));
    for (size_t e = 0; e < slow->n_entries; e++) {
        uint32_t index[TRIB_MAX_MODES];
        const double count = trib_hacoo_entry(counts, e, index);
        double a = 1, mix = 0;
        for (uint32_t m = 0; m < slow->n_modes; m++) a *= slow->own[m][index[m]];
        for (size_t f = 0; f < slow->n_fixed; f++) mix += slow->weight[f] * slow->value[f][e];
        slow->mix[e] = mix += slow->own_weight * a;
        log_likelihood += count * log(mix);
        for (size_t f = 0; f < slow->n_fixed; f++)
            next[f] += slow->weight[f] * slow->value[f][e] * count / mix / (double)counts->total;
        const double q = slow->own_weight * a * count / mix;
        sum_q += q;
        for (uint32_t m = 0; m < slow->n_modes; m++) own[m][index[m]] += q;
    }
    memcpy(slow->weight, next, sizeof next);
    slow->own_weight = sum_q / (double)counts->total;
    for (uint32_t m = 0; m < slow->n_modes; m++) {
        for (uint32_t i = 0; i < slow->n_local; i++) slow->own[m][i] = own[m][i] / sum_q;
        free(own[m]);
    }
    return log_likelihood;
}

static void slow_fit(slow_mixture *slow, const trib_hacoo *counts) {
    bool still = false;
    while (slow->n_rounds < 150 && !still) {
        const double before = slow->log_likelihood;
        slow->log_likelihood = slow_round(slow, counts);
        if (slow->n_rounds > 0) /* EM guarantees this */
            EXPECT(slow->log_likelihood >= before - 1e-13 * fabs(before));
        still = slow->n_rounds++ > 0 &&
                fabs(slow->log_likelihood - before) < 1e-7 * fabs(slow->log_likelihood);
    }
}

static void slow_release(slow_mixture *slow) {
    for (size_t f = 0; f < slow->n_fixed; f++) free(slow->value[f]);
    for (uint32_t m = 0; m < slow->n_modes; m++) free(slow->own[m]);
    free(slow->mix);
}

static void expect_as_the_formula(const trib_influence_case *c, uint32_t n_background) {
    const size_t n_entries = c->document[c->target].counts->nnz;
    GIVEN(trib_mixture) x = {0};
    slow_mixture slow;
    trib_error error = {0};
    EXPECT_OK(trib_mixture_init(&x, c, n_background, 1, &nobody, &error));
    CHECK(x.background.n == n_background);
    slow_start(&slow, c, &x.background);
    slow_fit(&slow, c->document[c->target].counts);
    EXPECT_OK(trib_mixture_fit(&x, SIZE_MAX, 1, &nobody, &error));
    for (size_t s = 0; s < c->n_sources; s++)
        EXPECT_NEAR(x.source_weight[s], slow.weight[s], 1e-12);
    for (uint32_t b = 0; b < n_background; b++)
        EXPECT_NEAR(x.background_weight[b], slow.weight[c->n_sources + b], 1e-12);
    EXPECT_NEAR(x.own_weight, slow.own_weight, 1e-12);
    EXPECT_NEAR(x.log_likelihood, slow.log_likelihood, 1e-12 * fabs(slow.log_likelihood));
    EXPECT(x.n_rounds == slow.n_rounds);
    for (size_t e = 0; e < n_entries; e++) EXPECT_NEAR(x.mix[e], slow.mix[e], 1e-11 * slow.mix[e]);
    for (uint32_t m = 0; m < slow.n_modes; m++)
        for (uint32_t i = 0; i < slow.n_local; i++) EXPECT_NEAR(x.own[m][i], slow.own[m][i], 1e-11);
    slow_release(&slow);
}

TEST(em_follows_the_formula) {
    for (uint32_t n_modes = 1; n_modes <= 4; n_modes++) {
        trib_influence_case c = trib_texts_case(trib_texts_invented(n_modes, 500, "..0"), 2);
        expect_as_the_formula(&c, 0);
        expect_as_the_formula(&c, 11);
        c.n_sources = 0;
        expect_as_the_formula(&c, 2);
        expect_as_the_formula(&c, 0);
    }
}

TEST(several_blocks_add_up_to_the_same) {
    trib_texts *texts = trib_texts_invented(3, 3000, "..0");
    const trib_influence_case c = trib_texts_case(texts, 2);
    CHECK(texts->counts[2].nnz > 3 * 1024);
    expect_as_the_formula(&c, 5);
}

TEST(products_computed_in_every_round_are_the_same) {
    GIVEN(trib_mixture) kept = {0}, anew = {0};
    trib_error error = {0};
    const trib_influence_case c = trib_texts_case(trib_texts_invented(3, 3000, "..0"), 2);
    EXPECT_OK(trib_mixture_init(&kept, &c, 9, 1, &nobody, &error));
    EXPECT_OK(trib_mixture_init(&anew, &c, 9, 3, &nobody, &error));
    EXPECT_OK(trib_mixture_fit(&kept, SIZE_MAX, 1, &nobody, &error));
    EXPECT_OK(trib_mixture_fit(&anew, 0, 3, &nobody, &error));
    EXPECT(memcmp(kept.mix, anew.mix, kept.n_entries * sizeof *kept.mix) == 0);
    EXPECT(memcmp(kept.source_weight, anew.source_weight, 2 * sizeof(double)) == 0);
    EXPECT(memcmp(kept.background_weight, anew.background_weight, 9 * sizeof(double)) == 0);
    EXPECT(kept.own_weight == anew.own_weight && kept.n_rounds == anew.n_rounds);
}

/* Then the list of products stays NULL, which the undefined-behaviour sanitizers watch. */
TEST(a_background_may_explain_nothing) {
    GIVEN(trib_mixture) x = {0};
    trib_error error = {0};
    const trib_influence_case c = trib_texts_case(trib_texts_invented(2, 200, "..0"), 2);
    EXPECT_OK(trib_mixture_init(&x, &c, 2, 1, &nobody, &error));
    for (uint32_t m = 0; m < 2; m++)
        memset(x.background.row[m], 0, x.n_local * x.background.stride * sizeof(double));
    EXPECT_OK(trib_mixture_fit(&x, SIZE_MAX, 1, &nobody, &error));
    EXPECT(x.background_weight[0] == 0 && x.background_weight[1] == 0);
}

static trib_status fit_anew(void *context, trib_error *error) {
    GIVEN(trib_mixture) x = {0};
    trib_status status = trib_mixture_init(&x, context, 3, 2, &nobody, error);
    if (status == TRIB_OK) status = trib_mixture_fit(&x, SIZE_MAX, 2, &nobody, error);
    return status;
}

TEST(every_failing_allocation_is_reported) {
    trib_influence_case c = trib_texts_case(TEXTS(3, "a b c a b d", "b c a b a", "c a b d"), 0);
    EXPECT(trib_fail_every_allocation(fit_anew, &c) > 30);
}
