/* distance.c - the exact L1 distance of two rank-1 tensors, without forming them (docs/model.md
 * section 4):
 *
 *     ||P - Q||_1 = sum P + sum Q - 2 sum min(P, Q)
 *
 * where only the words that both hold in every mode contribute to the last sum. Fix the words of
 * all modes but two. What remains is the sum over j and k of min(x p_j p_k, y q_j q_k), with x and
 * y the products of the fixed values. The term of P is the smaller one exactly where
 * (p_j/q_j)(p_k/q_k) < y/x. With j and k sorted by these ratios, the boundary between the two cases
 * is a staircase: as j goes up, k only goes down. Prefix sums over k then give the sum.
 *
 * With four modes and more, several modes are folded into one, whose words are the tuples of their
 * words; the folded modes are swept. */
#include "base/internal.h"
#include "influence/factors/vectors.h"

#include <assert.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>

/* Loosens bounds of the common mass by more than rounding errors. */
static const double SLACK = 1e-12;

/* A word in both factors: its values in P and Q, and their ratio p/q. */
typedef struct meeting {
    double ratio, p, q;
} meeting;

/* The words that both factors hold, mode by mode. There are at least two modes; modes beyond the
 * factors' own hold one word of value 1 in both. */
typedef struct overlap {
    uint32_t n_modes;
    size_t n[TRIB_MAX_MODES];
    double *p[TRIB_MAX_MODES], *q[TRIB_MAX_MODES]; /* [n[m]] */
    bool equal;                                    /* the factors are identical, bit by bit */
} overlap;

/* The sorted words of the two swept modes: rows j and columns k, both by ascending ratio. */
typedef struct staircase {
    size_t n_rows, n_columns;
    double *row_ratio, *row_p, *row_q; /* [n_rows]; row_ratio[n_rows] is an upper sentinel */
    double *column_ratio;              /* [1 + n_columns]; column_ratio[0] is 0 */
    double *below_p; /* [1 + n_columns] [k] is the sum of p over the first k columns */
    /* [1 + n_columns] [k] is the sum of q over all but the first k columns */
    double *above_q;
    uint32_t *boundary[4]; /* [1 + n_rows] scratch: P is smaller in the first boundary[j] columns */
} staircase;

enum {
    N_LANES = 4,       /* sweeps that run side by side, to hide each other's latency */
    MOST_UNFOLDED = 3, /* largest number of modes that are not folded */
    /* largest number of words of a folded mode: a megabyte of scratch per thread */
    MAX_FOLDED = 1 << 13,
};

/* ---- Scratch --------------------------------------------------------------------------------- */

/* Upper bound of the number of words of a mode, folded or not. */
static size_t longest_mode(const size_t n[], uint32_t n_modes) {
    size_t longest = 1, folded = 1;
    for (uint32_t m = 0; m < n_modes; m++) {
        if (n[m] > longest) longest = n[m];
        folded = n[m] < MAX_FOLDED / folded ? folded * n[m] : MAX_FOLDED;
        if (folded == 0) folded = 1;
    }
    return n_modes > MOST_UNFOLDED && folded > longest ? folded : longest;
}

/* Bytes of scratch for two factors that share at most shared[m] words in mode m: the overlap with
 * two folded modes, two sorted modes with a merge buffer, and the staircase, whose boundaries take
 * half a double each. */
static size_t scratch_size(const size_t shared[], uint32_t n_modes) {
    const size_t longest = longest_mode(shared, n_modes);
    size_t n_overlap = 4 + (n_modes > MOST_UNFOLDED ? 4 * longest : 0);
    for (uint32_t m = 0; m < n_modes; m++) n_overlap += 2 * shared[m];
    const size_t per_word = 2 * sizeof(meeting) + 7 * sizeof(double) + N_LANES * sizeof(uint32_t);
    return n_overlap * sizeof(double) + (longest + 2) * per_word;
}

static trib_status reserve(trib_distance_scratch *scratch, size_t size, trib_error *error) {
    if (size <= scratch->size) return TRIB_OK;
    trib_distance_scratch_release(scratch);
    const trib_status status =
        trib_new_aligned(&scratch->memory, size, 1, "the distance of two factors", error);
    if (status == TRIB_OK) scratch->size = size;
    return status;
}

static void longest_vectors(const trib_factors *factors, size_t longest[TRIB_MAX_MODES]) {
    memset(longest, 0, TRIB_MAX_MODES * sizeof *longest);
    for (size_t f = 0; f < factors->n; f++)
        for (uint32_t m = 0; m < factors->n_modes; m++) {
            const size_t n = trib_factor_vector_of(factors, f, m).n;
            if (n > longest[m]) longest[m] = n;
        }
}

trib_status trib_distance_scratch_reserve(trib_distance_scratch *scratch, const trib_factors *a,
                                          const trib_factors *b, trib_error *error) {
    size_t in_a[TRIB_MAX_MODES], in_b[TRIB_MAX_MODES];
    longest_vectors(a, in_a);
    longest_vectors(b, in_b);
    for (uint32_t m = 0; m < a->n_modes; m++)
        if (in_b[m] < in_a[m]) in_a[m] = in_b[m];
    return reserve(scratch, scratch_size(in_a, a->n_modes), error);
}

void trib_distance_scratch_release(trib_distance_scratch *scratch) {
    trib_free(scratch->memory);
    *scratch = (trib_distance_scratch){0};
}

/* ---- Common words ---------------------------------------------------------------------------- */

/* Writes the values of the common words to p and q, which need space for min(a.n, b.n) values, and
 * returns their number. No branch depends on the words. */
static size_t intersect(trib_factor_vector a, trib_factor_vector b, double *restrict p,
                        double *restrict q) {
    size_t i = 0, j = 0, n = 0;
    while (i < a.n && j < b.n) {
        const uint32_t in_a = a.word[i], in_b = b.word[j];
        p[n] = a.value[i];
        q[n] = b.value[j];
        n += in_a == in_b;
        i += in_a <= in_b;
        j += in_b <= in_a;
    }
    return n;
}

/* Fills `o` with arrays placed in `memory`. Returns the first unused address, or NULL when some
 * mode has no common word. */
static double *find_overlap(overlap *o, const trib_factors *a, size_t p, const trib_factors *b,
                            size_t q, double *memory) {
    *o = (overlap){.n_modes = a->n_modes > 2 ? a->n_modes : 2, .equal = true};
    for (uint32_t m = 0; m < o->n_modes; m++) {
        size_t capacity = 1;
        o->n[m] = 1;
        o->p[m] = memory;
        if (m < a->n_modes) {
            const trib_factor_vector x = trib_factor_vector_of(a, p, m);
            const trib_factor_vector y = trib_factor_vector_of(b, q, m);
            capacity = x.n < y.n ? x.n : y.n;
            o->q[m] = memory + capacity;
            o->n[m] = intersect(x, y, o->p[m], o->q[m]);
            if (o->n[m] == 0) return NULL;
            o->equal = o->equal && o->n[m] == x.n && o->n[m] == y.n &&
                       memcmp(o->p[m], o->q[m], x.n * sizeof *o->p[m]) == 0;
        } else {
            o->q[m] = memory + capacity;
            *o->p[m] = *o->q[m] = 1;
        }
        memory += 2 * capacity;
    }
    return memory;
}

/* Moves the two modes with the most common words to the end: these are swept, the others are
 * enumerated. */
static void order_modes(overlap *o) {
    for (uint32_t last = o->n_modes; last > o->n_modes - 2; last--) {
        uint32_t most = 0;
        for (uint32_t m = 1; m < last; m++)
            if (o->n[m] > o->n[most]) most = m;
        const size_t n = o->n[most];
        double *const p = o->p[most], *const q = o->q[most];
        o->n[most] = o->n[last - 1], o->p[most] = o->p[last - 1], o->q[most] = o->q[last - 1];
        o->n[last - 1] = n, o->p[last - 1] = p, o->q[last - 1] = q;
    }
}

/* Replaces x[n] in place by the n * n_times products of its values with those of y[n_times]. */
static void multiply_out(double *x, size_t n, const double *y, size_t n_times) {
    for (size_t i = n; i-- > 0;) {
        const double value = x[i];
        for (size_t j = n_times; j-- > 0;) x[i * n_times + j] = value * y[j];
    }
}

static void remove_mode(overlap *o, uint32_t mode) {
    for (uint32_t m = mode; m + 1 < o->n_modes; m++) {
        o->n[m] = o->n[m + 1];
        o->p[m] = o->p[m + 1];
        o->q[m] = o->q[m + 1];
    }
    o->n_modes--;
}

/* Folds enumerated modes into the two swept ones as long as those stay within MAX_FOLDED words. For
 * n modes of w words this takes about 2 w^(n/2) steps instead of 2 w^(n-1). Returns the first
 * unused address of `memory`. */
static double *fold_modes(overlap *o, double *memory) {
    if (o->n_modes <= MOST_UNFOLDED) return memory;
    const size_t capacity = longest_mode(o->n, o->n_modes);
    for (uint32_t m = o->n_modes - 2; m < o->n_modes; m++, memory += 2 * capacity) {
        o->p[m] = memcpy(memory, o->p[m], o->n[m] * sizeof *memory);
        o->q[m] = memcpy(memory + capacity, o->q[m], o->n[m] * sizeof *memory);
    }
    for (uint32_t m = o->n_modes - 2; m-- > 0;) {
        const uint32_t last = o->n_modes - 1;
        const uint32_t into = o->n[last - 1] < o->n[last] ? last - 1 : last;
        if (o->n[into] * o->n[m] > MAX_FOLDED) continue;
        multiply_out(o->p[into], o->n[into], o->p[m], o->n[m]);
        multiply_out(o->q[into], o->n[into], o->q[m], o->n[m]);
        o->n[into] *= o->n[m];
        remove_mode(o, m);
    }
    order_modes(o);
    return memory;
}

/* ---- The staircase --------------------------------------------------------------------------- */

/* p/q limited to 1e-150 .. 1e150, so that the product of two ratios never overflows. Beyond these
 * limits the smaller of p and q is below 1e-150, and so is its contribution. */
static double clamped_ratio(double p, double q) { return fmax(1e-150, fmin(p / q, 1e150)); }

/* Orders by ratio, then by values. The sums then do not depend on the numbering of words, which
 * another document can change. */
static inline bool is_before(const meeting *a, const meeting *b) {
    if (a->ratio != b->ratio) return a->ratio < b->ratio;
    return a->p != b->p ? a->p < b->p : a->q < b->q;
}

/* Merges the ascending runs x[0..left) and x[left..n) through `buffer`. */
static void merge(meeting *x, size_t left, size_t n, meeting *buffer) {
    memcpy(buffer, x, left * sizeof *x);
    for (size_t i = 0, j = left, out = 0; i < left; out++)
        x[out] = j < n && is_before(&x[j], &buffer[i]) ? x[j++] : buffer[i++];
}

/* Sorts ascending: a merge sort from runs of 8. The C library's qsort is slower, because it calls a
 * function for every comparison. */
static void sort_by_ratio(meeting *x, size_t n, meeting *buffer) {
    enum { RUN = 8 };
    for (size_t i = 1; i < n; i++) {
        const meeting one = x[i];
        size_t at = i;
        for (; at % RUN > 0 && is_before(&one, &x[at - 1]); at--) x[at] = x[at - 1];
        x[at] = one;
    }
    for (size_t run = RUN; run < n; run *= 2)
        for (size_t first = 0; first + run < n; first += 2 * run)
            merge(x + first, run, n - first < 2 * run ? n - first : 2 * run, buffer);
}

static void gather_sorted(const overlap *o, uint32_t m, meeting *sorted, meeting *buffer) {
    for (size_t i = 0; i < o->n[m]; i++)
        sorted[i] = (meeting){clamped_ratio(o->p[m][i], o->q[m][i]), o->p[m][i], o->q[m][i]};
    sort_by_ratio(sorted, o->n[m], buffer);
}

/* Sorts the words of an enumerated mode: first those that can share most. */
static void sort_mode(overlap *o, uint32_t m, double *memory) {
    meeting *const sorted = (meeting *)memory;
    for (size_t i = 0; i < o->n[m]; i++)
        sorted[i] = (meeting){-o->p[m][i] * o->q[m][i], o->p[m][i], o->q[m][i]};
    sort_by_ratio(sorted, o->n[m], sorted + o->n[m]);
    for (size_t i = 0; i < o->n[m]; i++) {
        o->p[m][i] = sorted[i].p;
        o->q[m][i] = sorted[i].q;
    }
}

static void build_staircase(staircase *s, const overlap *o, double *memory) {
    const uint32_t row = o->n_modes - 2, column = o->n_modes - 1;
    const size_t longest = o->n[column];
    meeting *const sorted = (meeting *)memory, *const buffer = sorted + longest;
    memory = (double *)(buffer + longest);
    *s = (staircase){.n_rows = o->n[row], .n_columns = o->n[column]};
    s->row_ratio = memory;
    s->row_p = s->row_ratio + s->n_rows + 1;
    s->row_q = s->row_p + s->n_rows;
    s->column_ratio = s->row_q + s->n_rows;
    s->below_p = s->column_ratio + s->n_columns + 1;
    s->above_q = s->below_p + s->n_columns + 1;
    s->boundary[0] = (uint32_t *)(s->above_q + s->n_columns + 1);
    for (int lane = 1; lane < N_LANES; lane++)
        s->boundary[lane] = s->boundary[lane - 1] + s->n_rows + 1;

    gather_sorted(o, row, sorted, buffer);
    for (size_t j = 0; j < s->n_rows; j++) {
        s->row_ratio[j] = sorted[j].ratio;
        s->row_p[j] = sorted[j].p;
        s->row_q[j] = sorted[j].q;
    }
    s->row_ratio[s->n_rows] = 1e305;
    gather_sorted(o, column, sorted, buffer);
    s->column_ratio[0] = s->below_p[0] = s->above_q[s->n_columns] = 0;
    for (size_t k = 0; k < s->n_columns; k++) {
        s->column_ratio[k + 1] = sorted[k].ratio;
        s->below_p[k + 1] = s->below_p[k] + sorted[k].p;
    }
    for (size_t k = s->n_columns; k-- > 0;) s->above_q[k] = s->above_q[k + 1] + sorted[k].q;
}

/* Computes sum[lane] = sum over j, k of min(x p_j p_k, y q_j q_k) for N_LANES pairs (x, y) of fixed
 * products. Each step moves one column or one row, without a branch, so n_rows + n_columns steps
 * reach the corner for every set of ratios. */
TRIB_KERNEL(void, sweep_staircase,
            (const staircase *s, const double x[N_LANES], const double y[N_LANES],
             double sum[N_LANES]),
            (s, x, y, sum)) {
    const double *restrict row_ratio = s->row_ratio, *restrict column_ratio = s->column_ratio;
    double limit[N_LANES];
    size_t j[N_LANES], k[N_LANES];
    for (int lane = 0; lane < N_LANES; lane++) {
        limit[lane] = 1 / clamped_ratio(x[lane], y[lane]);
        j[lane] = 0;
        k[lane] = s->n_columns;
    }
    for (size_t step = s->n_rows + s->n_columns; step > 0; step--)
        for (int lane = 0; lane < N_LANES; lane++) {
            s->boundary[lane][j[lane]] = (uint32_t)k[lane];
            const bool q_is_smaller = row_ratio[j[lane]] * column_ratio[k[lane]] >= limit[lane];
            k[lane] -= q_is_smaller;
            j[lane] += !q_is_smaller;
        }
    for (int lane = 0; lane < N_LANES; lane++) {
        double from_p = 0, from_q = 0;
        for (size_t row = 0; row < s->n_rows; row++) {
            from_p += s->row_p[row] * s->below_p[s->boundary[lane][row]];
            from_q += s->row_q[row] * s->above_q[s->boundary[lane][row]];
        }
        sum[lane] = x[lane] * from_p + y[lane] * from_q;
    }
}

/* Sets rest[i] to an upper bound of what the words of mode 0 from i on add to the common mass:
 * min(x P, y Q, sqrt(x y) B), with P, Q, B the sums of p, q, sqrt(p q) over the swept modes. */
static void bound_rest(const overlap *o, double *rest) {
    double mass[3] = {1, 1, 1};
    for (uint32_t m = 1; m < o->n_modes; m++) {
        double sum[3] = {0};
        for (size_t i = 0; i < o->n[m]; i++) {
            sum[0] += o->p[m][i];
            sum[1] += o->q[m][i];
            sum[2] += sqrt(o->p[m][i] * o->q[m][i]);
        }
        for (int k = 0; k < 3; k++) mass[k] *= sum[k];
    }
    rest[o->n[0]] = 0;
    for (size_t i = o->n[0]; i-- > 0;) {
        const double x = o->p[0][i], y = o->q[0][i];
        rest[i] = rest[i + 1] + fmin(sqrt(x * y) * mass[2], fmin(x * mass[0], y * mass[1]));
    }
}

/* Sum of min(P, Q) over the overlap, or an upper bound of it that is below `least`. The words of
 * the enumerated modes advance like an odometer, N_LANES positions per sweep. With eight modes this
 * can take minutes; after a request to stop it returns early with a meaningless number. */
static double common_mass(overlap *o, double least, double *memory) {
    enum { STOP_CHECK_INTERVAL = 64 }; /* sweeps */
    staircase s;
    uint32_t n_sweeps = 0;
    const uint32_t n_fixed = o->n_modes - 2;
    double *const rest = n_fixed == 1 ? memory : NULL;
    for (uint32_t m = 0; m < n_fixed; m++) sort_mode(o, m, memory);
    if (rest) {
        bound_rest(o, rest);
        if (rest[0] < least) return rest[0];
        memory += o->n[0] + 1;
    }
    build_staircase(&s, o, memory);
    size_t at[TRIB_MAX_MODES] = {0};
    double mass = 0;
    for (bool more = true; more;) {
        double x[N_LANES] = {1, 1, 1, 1}, y[N_LANES] = {1, 1, 1, 1}, sum[N_LANES];
        int n = 0;
        for (; n < N_LANES && more; n++) {
            for (uint32_t m = 0; m < n_fixed; m++) {
                x[n] *= o->p[m][at[m]];
                y[n] *= o->q[m][at[m]];
            }
            uint32_t m = 0;
            while (m < n_fixed && ++at[m] == o->n[m]) at[m++] = 0;
            more = m < n_fixed;
        }
        if (++n_sweeps % STOP_CHECK_INTERVAL == 0 && trib_stop_asked()) break;
        sweep_staircase(&s, x, y, sum);
        for (int lane = 0; lane < n; lane++) mass += sum[lane];
        if (rest && more && mass + rest[at[0]] < least) return mass + rest[at[0]];
    }
    return mass;
}

/* ---- Distances ------------------------------------------------------------------------------- */

double trib_distance_of(const trib_factors *a, size_t p, const trib_factors *b, size_t q,
                        double most, trib_distance_scratch *scratch) {
    if (a == b && p > q) return trib_distance_of(a, q, b, p, most, scratch);
    double mass_p = 1, mass_q = 1;
    for (uint32_t m = 0; m < a->n_modes; m++) {
        mass_p *= trib_factor_vector_of(a, p, m).sum;
        mass_q *= trib_factor_vector_of(b, q, m).sum;
    }
    overlap o;
    double *memory = find_overlap(&o, a, p, b, q, scratch->memory);
    if (!memory) return mass_p + mass_q;
    if (o.equal) return 0;
    order_modes(&o);
    memory = fold_modes(&o, memory);
    const double least = (mass_p + mass_q - most) / 2 - SLACK;
    const double distance = mass_p + mass_q - 2 * common_mass(&o, least, memory);
    return distance < 1e-14 * fmax(mass_p, mass_q) ? 0 : distance;
}

trib_status trib_factor_distance(const trib_factors *a, size_t p, const trib_factors *b, size_t q,
                                 double *distance, trib_distance_scratch *scratch,
                                 trib_error *error) {
    assert(a->n_modes == b->n_modes && p < a->n && q < b->n);
    size_t shared[TRIB_MAX_MODES];
    for (uint32_t m = 0; m < a->n_modes; m++) {
        const size_t x = trib_factor_vector_of(a, p, m).n, y = trib_factor_vector_of(b, q, m).n;
        shared[m] = x < y ? x : y;
    }
    const trib_status status = reserve(scratch, scratch_size(shared, a->n_modes), error);
    if (status != TRIB_OK) return status;
    *distance = trib_distance_of(a, p, b, q, INFINITY, scratch);
    return trib_stop_check(error);
}

static pthread_mutex_t ticking = PTHREAD_MUTEX_INITIALIZER;

trib_status trib_factor_matrix(const trib_factors *a, const trib_factors *b, const bool *wanted,
                               double *matrix, int n_threads, trib_progress progress,
                               trib_error *error) {
    assert(a->n == 0 || b->n == 0 || a->n_modes == b->n_modes);
    TRIB_FREED(trib_distance_scratch *) scratch = NULL;
    size_t n_done = 0;
    atomic_bool stopped = false;
    trib_status status = TRIB_NEW(&scratch, (size_t)n_threads, "threads", error);
    for (int t = 0; t < n_threads && status == TRIB_OK; t++)
        status = trib_distance_scratch_reserve(&scratch[t], a, b, error);
    if (status != TRIB_OK) goto done;
#pragma omp parallel for schedule(dynamic) num_threads(n_threads)
    for (size_t p = 0; p < a->n; p++) {
        if (atomic_load(&stopped)) continue;
        for (size_t q = a == b ? p : 0; q < b->n && !trib_stop_asked(); q++) {
            if (wanted && !wanted[a->document[p]] && !wanted[b->document[q]]) continue;
            const double distance =
                trib_distance_of(a, p, b, q, INFINITY, &scratch[omp_get_thread_num()]);
            matrix[p * b->n + q] = distance;
            if (a == b) matrix[q * b->n + p] = distance;
        }
        pthread_mutex_lock(&ticking);
        if (!trib_progress_tick(&progress, (double)++n_done, (double)a->n))
            atomic_store(&stopped, true);
        pthread_mutex_unlock(&ticking);
    }
    if (atomic_load(&stopped))
        status = trib_fail(error, TRIB_INTERRUPTED, "stopped while distances were measured");
done:
    for (int t = 0; scratch && t < n_threads; t++) trib_distance_scratch_release(&scratch[t]);
    return status;
}
