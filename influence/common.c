/* common.c - fits the common language of a corpus incrementally, one document at a time
 * (docs/model.md section 8).
 *
 * The background is a mixture of rank-1 distributions, sum_b pi_b prod_m theta_m[z_m,b], fitted to
 * the documents' relative frequencies P_d under the Kullback-Leibler divergence. Its EM is
 * incremental (Neal and Hinton 1998): a document contributes the expected counts
 *
 *     s_m[i,b] = sum over z with z_m = i of P_d(z) r_b(z),
 *     r_b(z) = pi_b prod_m theta_m[z_m,b] / the same summed over all b,
 *
 * and the sums S_m of all contributions give the parameters theta_m[i,b] = S_m[i,b] / t_b and pi_b
 * = t_b / sum t, where t_b is the sum of column b. A new document goes through several rounds of EM
 * in which only its own contribution changes; the contributions of earlier documents stay fixed.
 * The background after a document therefore depends on that document and the earlier ones, never on
 * a later one, and an update costs time proportional to the new document alone. New components
 * start at the heaviest fibres of the part of the document that the existing components do not
 * explain, blended with the document's marginals as in the greedy start. */
#include "base/internal.h"
#include "base/lanes.h"
#include "decomp/decomp.h"
#include "influence/methods.h"

enum { ROUNDS = 12, LANES = 16 };
#define NO_ROW   UINT32_MAX
#define BLEND    0.1    /* weight of the marginals, so that no word starts at zero */
#define SMALLEST 1e-30F /* lower bound of model values and component masses in divisions */

/* The document that is being added, in its own ids. The [n_local][stride] arrays of all modes share
 * one allocation, which begins at mode 0. */
typedef struct arrival {
    const trib_influence_document *document;
    uint32_t n_modes, n_local, n_before, n_components, stride;
    size_t nnz;
    uint32_t *index;               /* [nnz][n_modes] */
    float *value;                  /* [nnz] P_d(z) */
    float *marginal;               /* [n_modes][n_local] */
    float *before[TRIB_MAX_MODES]; /* S_m without this document */
    float *now[TRIB_MAX_MODES];    /* S_m with this document */
    float *mine[TRIB_MAX_MODES];   /* s_m of this document */
    float *total_before, *total;   /* [stride] t_b without this document, and with it */
    float *scale, *product;        /* [stride] t_b^(1-n), and the terms of one n-gram */
} arrival;

static void release(arrival *a) {
    TRIB_FREE(a->index, a->value, a->marginal, a->before[0], a->now[0], a->mine[0],
              a->total_before);
}

static trib_status new_rows(float *row[], const arrival *a, trib_error *error) {
    const size_t n = trib_product((size_t)a->n_local * a->stride, a->n_modes);
    const trib_status status =
        trib_new_aligned(&row[0], n, sizeof(float), "the background's factors", error);
    for (uint32_t m = 1; m < a->n_modes && status == TRIB_OK; m++)
        row[m] = row[0] + (size_t)m * a->n_local * a->stride;
    return status;
}

/* Reads the document's n-grams and the background's rows of its words. */
static trib_status arrive(arrival *a, const trib_common_language *b,
                          const trib_influence_document *document, uint32_t n_components,
                          trib_error *error) {
    static const char what[] = "a document's n-grams";
    const trib_hacoo *counts = document->counts;
    *a = (arrival){.document = document,
                   .n_modes = b->n_modes,
                   .n_local = document->n_local,
                   .n_before = b->n,
                   .n_components = n_components,
                   .stride = (n_components + LANES - 1) / LANES * LANES,
                   .nnz = counts->nnz};
    trib_status status = TRIB_NEW(&a->index, trib_product(a->nnz, a->n_modes), what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&a->value, a->nnz, what, error);
    if (status == TRIB_OK)
        status = TRIB_NEW(&a->marginal, (size_t)a->n_modes * a->n_local, what, error);
    if (status == TRIB_OK) status = new_rows(a->before, a, error);
    if (status == TRIB_OK) status = new_rows(a->now, a, error);
    if (status == TRIB_OK) status = new_rows(a->mine, a, error);
    if (status == TRIB_OK)
        status =
            trib_new_aligned(&a->total_before, (size_t)4 * a->stride, sizeof(float), what, error);
    if (status != TRIB_OK) return status;
    a->total = a->total_before + a->stride;
    a->scale = a->total + a->stride;
    a->product = a->scale + a->stride;
    for (size_t e = 0; e < a->nnz; e++) {
        uint32_t *index = a->index + e * a->n_modes;
        a->value[e] = (float)(trib_hacoo_entry(counts, e, index) / (double)counts->total);
        for (uint32_t m = 0; m < a->n_modes; m++)
            a->marginal[(size_t)m * a->n_local + index[m]] += a->value[e];
    }
    for (uint32_t r = 0; r < a->n_before; r++) a->total_before[r] = (float)b->total[r];
    for (uint32_t i = 0; i < a->n_local; i++) {
        const trib_language_row *row = &b->row[b->row_of[document->word[i]]];
        for (uint32_t m = 0; m < a->n_modes && row->n > 0; m++)
            memcpy(a->before[m] + (size_t)i * a->stride, row->mass + (size_t)m * row->n,
                   row->n * sizeof(float));
    }
    return TRIB_OK;
}

static void find_scale(arrival *a) {
    for (uint32_t r = 0; r < a->stride; r++) {
        const double total = a->total[r];
        a->scale[r] = total > (double)SMALLEST ? (float)(1 / trib_power(total, a->n_modes - 1)) : 0;
    }
}

/* product[r] = t_r prod_m theta_m[z_m,r]; returns their sum. */
TRIB_INLINE float terms(const arrival *a, const uint32_t *index, float *restrict product) {
    const size_t stride = a->stride;
    const float *restrict first = a->now[0] + index[0] * stride;
    trib_floats sum = {0};
    for (size_t r = 0; r < stride; r++) product[r] = a->scale[r] * first[r];
    for (uint32_t m = 1; m < a->n_modes; m++) {
        const float *restrict other = a->now[m] + index[m] * stride;
        for (size_t r = 0; r < stride; r++) product[r] *= other[r];
    }
    for (size_t r = 0; r < stride; r += TRIB_LANES) sum += TRIB_FLOATS(product + r);
    return TRIB_SUM_OF_LANES(sum);
}

/* Computes s_m in `mine` and its column sums in `sums` from the current parameters. */
TRIB_KERNEL(void, contribute, (arrival * a, float *restrict sums), (a, sums)) {
    const size_t stride = a->stride;
    float *restrict product = a->product;
    memset(a->mine[0], 0, (size_t)a->n_modes * a->n_local * stride * sizeof(float));
    memset(sums, 0, stride * sizeof(float));
    for (size_t e = 0; e < a->nnz; e++) {
        const uint32_t *index = a->index + e * a->n_modes;
        const float sum = terms(a, index, product);
        const float ratio = a->value[e] / (sum > SMALLEST ? sum : SMALLEST);
        for (size_t r = 0; r < stride; r++) sums[r] += product[r] *= ratio;
        for (uint32_t m = 0; m < a->n_modes; m++) {
            float *restrict mine = a->mine[m] + index[m] * stride;
            for (size_t r = 0; r < stride; r++) mine[r] += product[r];
        }
    }
}

/* Covers the part of the document that the existing components do not explain, max(0, P_d - model),
 * by at most n fibres. */
static trib_status cover_rest(trib_fibre_cover *cover, arrival *a, size_t n, trib_error *error) {
    const trib_hacoo *counts = a->document->counts;
    TRIB_OWNED(trib_tensor) tensor = {0};
    double *rest = NULL, total = 0;
    for (uint32_t r = 0; r < a->n_before; r++) total += (double)a->total[r];
    trib_status status = TRIB_NEW(&rest, a->nnz, "the background's start", error);
    for (size_t e = 0; e < a->nnz && status == TRIB_OK; e++) {
        const double model =
            total > 0 ? (double)terms(a, a->index + e * a->n_modes, a->product) / total : 0;
        /* in double precision, so that equal counts give exact ties */
        const double count = trib_hacoo_count(counts, e);
        rest[e] = fmax(0, count / (double)counts->total - model);
    }
    if (status == TRIB_OK)
        status = trib_tensor_build(&tensor, trib_format_find("coo"), a->document->counts, rest, 1,
                                   error);
    if (status == TRIB_OK) status = trib_fibre_cover_build(cover, &tensor, n, error);
    trib_free(rest);
    return status;
}

/* Sets now[m] of component r to the mass times the fibre's vector, blended with the marginal. */
static void start_component(arrival *a, uint32_t r, const trib_fibre_cover *cover,
                            const trib_fibre *fibre) {
    const float mass = (float)fibre->mass;
    a->total[r] = mass;
    for (uint32_t m = 0; m < a->n_modes; m++) {
        float *column = a->now[m] + r;
        const float *marginal = a->marginal + (size_t)m * a->n_local;
        for (uint32_t i = 0; i < a->n_local; i++)
            column[(size_t)i * a->stride] = (float)BLEND * mass * marginal[i];
        if (m != fibre->free_mode)
            column[(size_t)fibre->fixed[m] * a->stride] += (float)(1 - BLEND) * mass;
        for (size_t k = fibre->first; m == fibre->free_mode && k < fibre->first + fibre->n; k++)
            column[(size_t)cover->index[k] * a->stride] += (float)((1 - BLEND) * cover->value[k]);
    }
}

/* Sets the parameters before the first round. */
static trib_status start(arrival *a, size_t n_documents, trib_error *error) {
    TRIB_OWNED(trib_fibre_cover) cover = {0};
    for (uint32_t r = 0; r < a->n_before; r++) {
        const float bit = (float)BLEND * a->total_before[r] / (float)n_documents;
        a->total[r] = a->total_before[r] + bit;
        for (uint32_t m = 0; m < a->n_modes; m++)
            for (uint32_t i = 0; i < a->n_local; i++)
                a->now[m][(size_t)i * a->stride + r] =
                    a->before[m][(size_t)i * a->stride + r] +
                    bit * a->marginal[(size_t)m * a->n_local + i];
    }
    if (a->n_components == a->n_before) return TRIB_OK;
    find_scale(a);
    const trib_status status = cover_rest(&cover, a, a->n_components - a->n_before, error);
    for (size_t f = 0; f < cover.n_fibres && status == TRIB_OK; f++)
        start_component(a, a->n_before + (uint32_t)f, &cover, &cover.fibre[f]);
    /* fewer when the existing components explain the rest */
    a->n_components = a->n_before + (uint32_t)cover.n_fibres;
    return status;
}

/* now = before + mine. */
TRIB_KERNEL(void, add_up, (arrival * a, const float *restrict sums), (a, sums)) {
    const size_t n = (size_t)a->n_modes * a->n_local * a->stride;
    float *restrict now = a->now[0];
    const float *restrict before = a->before[0], *restrict mine = a->mine[0];
    for (size_t i = 0; i < n; i++) now[i] = before[i] + mine[i];
    for (size_t r = 0; r < a->stride; r++) a->total[r] = a->total_before[r] + sums[r];
}

/* Stores the document's contribution in the background. */
static trib_status store_contribution(trib_common_language *b, const arrival *a,
                                      trib_error *error) {
    const uint32_t n = a->n_components;
    for (uint32_t i = 0; i < a->n_local; i++) {
        trib_language_row *row = &b->row[b->row_of[a->document->word[i]]];
        if (row->n < n) {
            float *longer = NULL;
            const trib_status status =
                TRIB_NEW(&longer, (size_t)a->n_modes * n, "the background's factors", error);
            if (status != TRIB_OK) return status;
            trib_free(row->mass);
            *row = (trib_language_row){longer, n};
        }
    }
    double *total = NULL;
    const trib_status status = TRIB_NEW(&total, n, "the background", error);
    if (status != TRIB_OK) return status;
    for (uint32_t r = 0; r < n; r++) total[r] = (double)a->total[r];
    trib_free(b->total);
    b->total = total;
    b->n = n;
    for (uint32_t i = 0; i < a->n_local; i++) {
        trib_language_row *row = &b->row[b->row_of[a->document->word[i]]];
        for (uint32_t m = 0; m < a->n_modes; m++)
            memcpy(row->mass + (size_t)m * row->n, a->now[m] + (size_t)i * a->stride,
                   n * sizeof(float));
    }
    b->n_documents++;
    b->n_tokens += a->document->n_words;
    return TRIB_OK;
}

trib_status trib_common_language_init(trib_common_language *b, uint32_t n_modes, uint32_t n_words,
                                      trib_error *error) {
    *b = (trib_common_language){.n_modes = n_modes, .n_words = n_words};
    const trib_status status = TRIB_NEW(&b->row_of, n_words, "the background's words", error);
    if (status == TRIB_OK && n_words > 0) memset(b->row_of, 0xFF, n_words * sizeof *b->row_of);
    return status;
}

trib_status trib_common_language_number(trib_common_language *b,
                                        const trib_influence_document *document,
                                        trib_error *error) {
    for (uint32_t i = 0; i < document->n_local; i++) {
        uint32_t *row = &b->row_of[document->word[i]];
        if (*row != NO_ROW) continue;
        const trib_status status =
            TRIB_GROW(&b->row, &b->row_cap, (size_t)b->n_rows + 1, "the background's words", error);
        if (status != TRIB_OK) return status;
        b->row[b->n_rows] = (trib_language_row){0};
        *row = b->n_rows++;
    }
    return TRIB_OK;
}

trib_status trib_common_language_add(trib_common_language *b,
                                     const trib_influence_document *document, int32_t n_components,
                                     const trib_progress *progress, trib_error *error) {
    arrival a = {0};
    float *sums = NULL;
    const double rule = rint(0.3 * sqrt((double)b->n_tokens));
    const double wanted = n_components < 0 ? fmax(1, rule) : n_components;
    const uint32_t n = wanted > b->n ? (uint32_t)fmin(wanted, INT32_MAX) : b->n;
    if (document->counts->n_modes != b->n_modes)
        return trib_fail(error, TRIB_INTERNAL, "documents of %u-grams and of %u-grams", b->n_modes,
                         document->counts->n_modes);
    if (document->counts->total == 0 || n == 0) return TRIB_OK;
    trib_status status = trib_common_language_number(b, document, error);
    if (status == TRIB_OK) status = arrive(&a, b, document, n, error);
    if (status == TRIB_OK)
        status = trib_new_aligned(&sums, a.stride, sizeof(float), "the background", error);
    if (status == TRIB_OK) status = start(&a, b->n_documents, error);
    for (int round = 0; round < ROUNDS && status == TRIB_OK; round++) {
        find_scale(&a);
        contribute(&a, sums);
        add_up(&a, sums);
        if (!trib_progress_tick(progress, round, ROUNDS))
            status = trib_fail(error, TRIB_INTERRUPTED, "stopped while the background was fitted");
    }
    if (status == TRIB_OK) status = store_contribution(b, &a, error);
    trib_free(sums);
    release(&a);
    return status;
}

trib_status trib_common_language_rows(trib_background *rows, const trib_common_language *b,
                                      const trib_influence_document *target, trib_error *error) {
    enum { ROW_LANES = 8 };
    *rows = (trib_background){.n = b->n, .stride = (b->n + ROW_LANES - 1) / ROW_LANES * ROW_LANES};
    const size_t n = trib_product(target->n_local, rows->stride);
    trib_status status = TRIB_OK;
    for (uint32_t m = 0; m < b->n_modes && status == TRIB_OK; m++) {
        status =
            trib_new_aligned(&rows->row[m], n, sizeof(double), "the background's factors", error);
        for (uint32_t i = 0; i < target->n_local && status == TRIB_OK; i++) {
            const uint32_t at = b->row_of[target->word[i]];
            const trib_language_row *from = at == NO_ROW ? NULL : &b->row[at];
            for (uint32_t r = 0; from && r < from->n; r++)
                if (b->total[r] > (double)SMALLEST)
                    rows->row[m][(size_t)i * rows->stride + r] =
                        (double)from->mass[(size_t)m * from->n + r] / b->total[r];
        }
    }
    if (status != TRIB_OK) trib_background_release(rows);
    return status;
}

void trib_common_language_release(trib_common_language *b) {
    for (uint32_t i = 0; i < b->n_rows; i++) trib_free(b->row[i].mass);
    TRIB_FREE(b->row, b->row_of, b->total);
    *b = (trib_common_language){0};
}

void trib_background_release(trib_background *background) {
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++) trib_free(background->row[m]);
    *background = (trib_background){0};
}
