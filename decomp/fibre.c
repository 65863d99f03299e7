/* fibre.c - the greedy fibre cover, and the solver `fibre`, which consists of this cover.
 *
 * Fibres are numbered so that of equal masses the smaller number is taken first: fibres with the
 * last mode free come first, then they are ordered by their fixed indices. A tournament tree over
 * these numbers holds the largest residual mass of every subtree. One descent finds the first fibre
 * whose mass ties with the largest, and removing a nonzero updates one path for each other mode.
 * Apart from sorting, the cover takes nnz * n_modes * log(fibres) steps.
 *
 * The residual mass of a fibre is an unevaluated sum of two doubles. A plain difference would lose
 * the digits that distinguish a tie from a true difference once most of the fibre is gone. */
#include "decomp/decomp.h"
#include "decomp/dense.h"
#include "decomp/loop.h"
#include "decomp/nonzeros.h"

#include <float.h>

#define TIE 1e-12 /* relative: masses that differ by less are equal */

/* A fibre during the construction of the cover. */
typedef struct fibre {
    /* the residual mass is mass + rest, with |rest| below the rounding of mass */
    double mass, rest;
    size_t first; /* its nonzeros are member[first] .. member[first + n - 1] */
    uint32_t n, n_left;
    uint32_t free_mode;
} fibre;

/* The part of the tensor that is not covered yet. */
typedef struct residual {
    const trib_nonzeros *nonzeros;
    fibre *fibre; /* [n_fibres]; ties go to the smaller number */
    size_t n_fibres;
    uint32_t *member; /* [n_modes * nnz] numbers of nonzeros, grouped by fibre */
    /* [nnz] the fibre with this mode free that holds a nonzero */
    uint32_t *fibre_of[TRIB_MAX_MODES];
    bool *taken; /* [nnz] */
    /* [2 * n_leaves] tournament tree: node i has children 2i, 2i+1; leaf n_leaves + f is the
     * residual mass of fibre f */
    double *largest;
    size_t n_leaves; /* a power of two */
    trib_pool pool;  /* the arrays */
} residual;

/* Adds `value` to mass + rest, with the exact error of the sum (Knuth's TwoSum). */
static void add_mass(fibre *f, double value) {
    const double sum = f->mass + value, part = sum - f->mass;
    const double lost = (f->mass - (sum - part)) + (value - part) + f->rest;
    f->mass = sum + lost;
    f->rest = lost - (f->mass - sum);
}

static bool same_fibre(const trib_nonzeros *nonzeros, uint32_t free_mode, uint32_t a, uint32_t b) {
    bool same = true;
    for (uint32_t m = 0; m < nonzeros->n_modes; m++)
        same = same && (m == free_mode || nonzeros->index[m][a] == nonzeros->index[m][b]);
    return same;
}

/* Numbers the fibres with one mode free: member[first ..] becomes the nonzeros sorted by the other
 * modes. The nonzeros are in lexicographic order, so only modes after the free one need sorting. */
static void find_fibres(residual *left, uint32_t free_mode, size_t first, uint32_t *moved) {
    const trib_nonzeros *nonzeros = left->nonzeros;
    uint32_t *order = left->member + first;
    for (size_t i = 0; i < nonzeros->n; i++) order[i] = (uint32_t)i;
    if (free_mode + 1 < nonzeros->n_modes)
        for (uint32_t m = nonzeros->n_modes; m-- > 0;)
            if (m != free_mode) trib_nonzeros_sort(nonzeros, m, order, moved);
    for (size_t i = 0; i < nonzeros->n; i++) {
        if (i == 0 || !same_fibre(nonzeros, free_mode, order[i - 1], order[i]))
            left->fibre[left->n_fibres++] = (fibre){.first = first + i, .free_mode = free_mode};
        fibre *f = &left->fibre[left->n_fibres - 1];
        add_mass(f, nonzeros->value[order[i]]);
        f->n++;
        f->n_left++;
        left->fibre_of[free_mode][order[i]] = (uint32_t)(left->n_fibres - 1);
    }
}

static void plant_tree(residual *left) {
    for (left->n_leaves = 1; left->n_leaves < left->n_fibres;) left->n_leaves *= 2;
    left->largest =
        trib_pool_new(&left->pool, 2 * left->n_leaves, sizeof(double), "a tournament tree");
    if (!left->largest) return;
    for (size_t f = 0; f < left->n_fibres; f++)
        left->largest[left->n_leaves + f] = left->fibre[f].mass;
    for (size_t i = left->n_leaves; i-- > 1;)
        left->largest[i] = fmax(left->largest[2 * i], left->largest[2 * i + 1]);
}

static trib_status prepare(residual *left, const trib_nonzeros *nonzeros, trib_error *error) {
    const char *what = "fibres";
    const size_t nnz = nonzeros->n, n_modes = nonzeros->n_modes;
    trib_pool *pool = &left->pool;
    *left = (residual){.nonzeros = nonzeros, .pool = {.error = error}};
    if (nnz * n_modes > UINT32_MAX)
        return trib_fail(error, TRIB_INPUT,
                         "a tensor of %zu nonzeros is too large for a fibre cover", nnz);
    left->fibre = trib_pool_new(pool, nnz * n_modes, sizeof(fibre), what);
    left->member = trib_pool_new(pool, nnz * n_modes, sizeof(uint32_t), what);
    left->taken = trib_pool_new(pool, nnz, sizeof(bool), what);
    for (size_t m = 0; m < n_modes; m++)
        left->fibre_of[m] = trib_pool_new(pool, nnz, sizeof(uint32_t), what);
    uint32_t *moved = NULL;
    if (pool->status == TRIB_OK) pool->status = TRIB_NEW(&moved, nnz, what, error);
    if (pool->status == TRIB_OK) {
        for (uint32_t m = 0; nnz > 0 && m < n_modes; m++)
            find_fibres(left, (uint32_t)n_modes - 1 - m, m * nnz, moved);
        plant_tree(left);
    }
    trib_free(moved);
    return pool->status;
}

/* Returns the first fibre whose mass ties with the largest. */
static size_t choose(const residual *left) {
    const double enough = left->largest[1] * (1 - TIE);
    size_t i = 1;
    while (i < left->n_leaves) i = 2 * i + (left->largest[2 * i] < enough);
    return i - left->n_leaves;
}

static void set_mass(residual *left, size_t f, double mass) {
    size_t i = left->n_leaves + f;
    left->largest[i] = mass;
    while (i > 1) {
        const double largest = fmax(left->largest[i], left->largest[i ^ 1]);
        i /= 2;
        if (left->largest[i] == largest) break;
        left->largest[i] = largest;
    }
}

/* Moves the rest of the chosen fibre into the cover and removes it from every other fibre. */
static void take(residual *left, size_t chosen, trib_fibre_cover *cover) {
    const trib_nonzeros *nonzeros = left->nonzeros;
    const fibre *from = &left->fibre[chosen];
    trib_fibre *to = &cover->fibre[cover->n_fibres++];
    *to = (trib_fibre){.mass = from->mass, .free_mode = from->free_mode, .first = cover->nnz};
    for (uint32_t m = 0; m < nonzeros->n_modes; m++)
        if (m != from->free_mode) to->fixed[m] = nonzeros->index[m][left->member[from->first]];
    for (size_t i = from->first; i < from->first + from->n; i++) {
        const uint32_t z = left->member[i];
        if (left->taken[z]) continue;
        left->taken[z] = true;
        cover->index[cover->nnz] = nonzeros->index[from->free_mode][z];
        cover->value[cover->nnz++] = nonzeros->value[z];
        for (uint32_t m = 0; m < nonzeros->n_modes; m++) {
            if (m == from->free_mode) continue;
            fibre *other = &left->fibre[left->fibre_of[m][z]];
            add_mass(other, -nonzeros->value[z]);
            other->mass = --other->n_left > 0 ? fmax(other->mass, DBL_MIN) : 0;
            set_mass(left, left->fibre_of[m][z], other->mass);
        }
    }
    to->n = cover->nnz - to->first;
    set_mass(left, chosen, 0);
}

trib_status trib_fibre_cover_build(trib_fibre_cover *cover, const trib_tensor *x, size_t limit,
                                   trib_error *error) {
    TRIB_OWNED(trib_nonzeros) nonzeros = {0};
    *cover = (trib_fibre_cover){0};
    const trib_status status = trib_nonzeros_read(&nonzeros, x, error);
    return status == TRIB_OK ? trib_nonzeros_cover(&nonzeros, limit, cover, error) : status;
}

trib_status trib_fibre_cover_list(trib_fibre_cover *cover, uint32_t n_modes, const uint32_t dim[],
                                  const uint32_t *index, const double *value, size_t n,
                                  size_t limit, trib_error *error) {
    TRIB_OWNED(trib_nonzeros) nonzeros = {0};
    *cover = (trib_fibre_cover){0};
    const trib_status status = trib_nonzeros_list(&nonzeros, n_modes, dim, index, value, n, error);
    return status == TRIB_OK ? trib_nonzeros_cover(&nonzeros, limit, cover, error) : status;
}

trib_status trib_nonzeros_cover(const trib_nonzeros *nonzeros, size_t limit,
                                trib_fibre_cover *cover, trib_error *error) {
    residual left;
    *cover = (trib_fibre_cover){0};
    trib_status status = prepare(&left, nonzeros, error);
    const size_t nnz = nonzeros->n;
    if (status == TRIB_OK)
        status = trib_new(&cover->index, nnz, sizeof(uint32_t), "a cover", error);
    if (status == TRIB_OK) status = trib_new(&cover->value, nnz, sizeof(double), "a cover", error);
    while (status == TRIB_OK && cover->nnz < nnz && (limit == 0 || cover->n_fibres < limit)) {
        status = trib_grow(&cover->fibre, &cover->cap, cover->n_fibres + 1, sizeof(trib_fibre),
                           "a cover", error);
        if (status == TRIB_OK) status = trib_stop_check(error);
        if (status == TRIB_OK) take(&left, choose(&left), cover);
    }
    for (size_t z = 0; status == TRIB_OK && z < nnz; z++)
        if (!left.taken[z]) cover->rest += nonzeros->value[z];
    trib_pool_release(&left.pool);
    if (status != TRIB_OK) trib_fibre_cover_release(cover);
    return status;
}

void trib_fibre_cover_release(trib_fibre_cover *cover) {
    TRIB_FREE(cover->fibre, cover->index, cover->value);
    *cover = (trib_fibre_cover){0};
}

/* ---- The cover as a solver ------------------------------------------------------------------- */

/* Component r is fibre r: unit vectors for its fixed words, the values of its words in the free
 * mode, its mass as lambda. Covered nonzeros are reproduced exactly, so the fit follows from the
 * sum of squares of the others. */
trib_status trib_fibre_solve(trib_ktensor *k, const trib_tensor *x, const trib_cp_options *options,
                             trib_cp_trace *trace, trib_error *error) {
    TRIB_OWNED(trib_fibre_cover) cover = {0};
    trib_cp_loop loop;
    bool more = false;
    double covered = 0;
    trib_cp_loop_begin(&loop, options, trace);
    trib_status status = trib_fibre_cover_build(&cover, x, options->rank, error);
    if (status == TRIB_OK && cover.n_fibres > UINT32_MAX)
        status = trib_fail(error, TRIB_INPUT, "%zu fibres are too many", cover.n_fibres);
    if (status == TRIB_OK)
        status = trib_ktensor_init(k, x->n_modes, x->dim, (uint32_t)cover.n_fibres, error);
    if (status != TRIB_OK) return status;
    for (size_t r = 0; r < cover.n_fibres; r++) {
        const trib_fibre *f = &cover.fibre[r];
        k->lambda[r] = 1;
        for (uint32_t m = 0; m < k->n_modes; m++)
            if (m != f->free_mode) k->factor[m][(size_t)f->fixed[m] * k->rank + r] = 1;
        for (size_t i = f->first; i < f->first + f->n; i++) {
            k->factor[f->free_mode][(size_t)cover.index[i] * k->rank + r] = cover.value[i];
            covered += cover.value[i] * cover.value[i];
        }
    }
    const bool complete = cover.rest == 0 && cover.nnz == x->nnz; /* values below 0 are left out */
    k->fit = complete ? 1 : trib_fit(x->norm, covered, covered);
    loop.step.fit = k->fit;
    loop.step.objective = complete ? 0 : fmax(0, (x->norm * x->norm - covered) / 2);
    status = trib_cp_loop_step(&loop, NULL, &more, error);
    if (status == TRIB_OK && trace) trace->stop = complete ? TRIB_STOP_EXACT : TRIB_STOP_ITERATIONS;
    return status;
}
