/* facts.c - the facts of tests/conformance by the functions of tensor/algebra.h: what NumPy says of
 * the cells is what they say. The words are those of `tributary tensor`, and more. */
#include "tests/tensor/dense.h"

TESTS(tensor, facts);

static dense input[26]; /* by its letter */
static trib_sparse sparse[26];
static trib_error error;

/* "4 3 5" and the cells, or "one" and a number. */
static void read_cells(dense *x, const char *size, const char *cells) {
    char *at = (char *)(uintptr_t)size;
    uint32_t dim[TRIB_MAX_MODES], n_modes = 0;
    while (*at >= ' ' && *at != 'o') dim[n_modes++] = (uint32_t)strtoul(at, &at, 10);
    dense_shape(x, n_modes, dim);
    at = (char *)(uintptr_t)cells;
    for (size_t c = 0; c < x->n; c++) x->cell[c] = strtod(at, &at);
}

/* Each case is run in a process that may be new: all inputs, once. */
static void read_inputs(void) {
    GIVEN(trib_buffer) text = {0};
    if (input[0].n > 0) return;
    input[0].n = 1; /* no input is a */
    CHECK(trib_read_whole("tests/conformance/answers.txt", &text, NULL) == TRIB_OK);
    const char *at = strstr(text.text, "\n[input") + 1;
    while (*(at = strchr(at, '\n') + 1) != '[') {
        if (*at == '\n') continue;
        dense *x = &input[*at - 'a'];
        const char *size = strchr(at, '\n') + 1;
        at = strchr(size, '\n') + 1;
        read_cells(x, size, at);
        dense_reals(&sparse[x - input], x);
    }
}

CASES("tests/conformance/answers.txt [input]", an_input) {
    dense x;
    read_inputs();
    read_cells(&x, trib_case_text("size"), trib_case_text("cells"));
    expect_sparse(&sparse[*trib_case_text("name") - 'a'], &x, 0);
}

/* The words of a fact. */
typedef struct words {
    char text[128], *word[16];
    uint32_t n;
} words;

/* Word i is the name of an input, as in "{x}", "v" or "3=v.txt". */
static int letter(const words *w, uint32_t i) {
    const char *at = strpbrk(w->word[i], "={");
    return (at ? at[1] : *w->word[i]) - 'a';
}
static trib_view view(const words *w, uint32_t i) { return trib_view_reals(&sparse[letter(w, i)]); }

static uint32_t mode(const words *w, uint32_t i) {
    return (uint32_t)strtoul(w->word[i], NULL, 10) - 1;
}

static double mapped(double value, void *context) {
    static const struct {
        const char *name;
        double (*of)(double);
    } maps[] = {{"abs", fabs},    {"sin", sin},       {"expm1", expm1},    {"tanh", tanh},
                {"floor", floor}, {"ceil", ceil},     {"trunc", trunc},    {"atan", atan},
                {"rint", rint},   {"sqrt_abs", sqrt}, {"log1p_abs", log1p}};
    const char *name = context;
    if (strcmp(name, "square") == 0) return value * value;
    if (strcmp(name, "sign") == 0) return (value > 0) - (value < 0);
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        if (strcmp(maps[i].name, name) == 0)
            return maps[i].of(strstr(name, "_abs") ? fabs(value) : value);
    CHECK(false);
    return 0;
}

static bool is_greater(double value, void *limit) { return value > *(double *)limit; }

/* "1,3" of a mode; ":", "2:4", "2", "new" are axes of views. */
static trib_status slice(trib_sparse *z, double *number, const words *w) {
    const trib_view x = view(w, 1);
    trib_axis axis[TRIB_MAX_AXES];
    uint32_t chosen[16], n[TRIB_MAX_MODES] = {0};
    const uint32_t *list[TRIB_MAX_MODES] = {0};
    trib_view part;
    for (uint32_t i = 2, m = 0; i < w->n; i++) {
        char *word = w->word[i], *to = strchr(word, ':');
        const uint32_t first = mode(w, i);
        if (strcmp(word, "new") == 0) axis[i - 2] = trib_new_axis();
        else if (word == to) axis[i - 2] = trib_all();
        else if (to)
            axis[i - 2] = trib_interval(first, (uint32_t)strtoul(to + 1, NULL, 10) - first);
        else axis[i - 2] = trib_point(first);
        if (strchr(word, ','))
            for (list[m] = chosen; *word; word += *word == ',')
                chosen[n[m]++] = (uint32_t)strtoul(word, &word, 10) - 1;
        m += axis[i - 2].kind != TRIB_AXIS_NEW;
    }
    for (uint32_t m = 0; m < x.n_modes; m++)
        if (list[m]) return trib_sparse_select(z, &x, list, n, &error);
    EXPECT_OK(trib_view_take(&part, &x, w->n - 2, axis, &error));
    *number = trib_view_sum(&part);
    return part.n_modes > 0 ? trib_sparse_copy(z, &part, &error) : TRIB_OK;
}

static trib_status reduce(trib_sparse *z, double *number, const words *w) {
    const trib_view x = view(w, 1);
    const trib_reduction *by = trib_reduction_find(w->word[2]);
    uint32_t modes = 0;
    CHECK(by != NULL);
    for (uint32_t i = 3; i < w->n; i++) modes |= UINT32_C(1) << mode(w, i);
    if (modes) return trib_sparse_collapse(z, &x, modes, by, &error);
    *number = trib_view_reduce(&x, by);
    return TRIB_OK;
}

/* ttm: 3=kt.txt is the third mode times k transposed; ttv: 3=v.txt. */
static trib_status multiply(trib_sparse *z, const words *w) {
    const double *vector[TRIB_MAX_MODES] = {0};
    trib_view x = view(w, 1);
    for (uint32_t i = 2; i < w->n; i++) {
        const dense *by = &input[letter(w, i)];
        if (w->word[0][2] == 'v') {
            vector[mode(w, i)] = by->cell;
            continue;
        }
        double turned[64];
        trib_sparse next = {0};
        for (size_t c = 0; c < by->n; c++)
            turned[c % by->dim[1] * by->dim[0] + c / by->dim[1]] = by->cell[c];
        EXPECT_OK(trib_sparse_ttm(&next, &x, mode(w, i), by->dim[1], turned, &error));
        trib_sparse_release(z);
        *z = next;
        x = trib_view_reals(z);
    }
    return w->word[0][2] == 'v' ? trib_sparse_ttv(z, &x, vector, &error) : TRIB_OK;
}

/* Fills z, or *number where the answer is one. */
static trib_status compute(trib_sparse *z, double *number, words *w) {
    const char *verb = w->word[0];
    const bool is_pair = strcmp(verb, "pair") == 0;
    const trib_pairing *pairing = trib_pairing_find(is_pair ? w->word[2] : verb);
    const trib_view x = view(w, 1), y = letter(w, w->n - 1) >= 0 ? view(w, w->n - 1) : x;
    double value = w->n > 2 ? atof(w->word[w->n - 1]) : 2;
    uint32_t order[TRIB_MAX_MODES];
    if (pairing) return trib_sparse_pair(z, &x, &y, pairing, &error);
    if (strcmp(verb, "slice") == 0) return slice(z, number, w);
    if (strcmp(verb, "reduce") == 0) return reduce(z, number, w);
    if (strcmp(verb, "ttv") == 0 || strcmp(verb, "ttm") == 0) return multiply(z, w);
    if (strcmp(verb, "scale") == 0) return trib_sparse_scale(z, value, &x, &error);
    if (strcmp(verb, "map") == 0) return trib_sparse_map(z, &x, mapped, w->word[2], &error);
    if (strcmp(verb, "mask") == 0) return trib_sparse_mask(z, &x, is_greater, &value, &error);
    if (strcmp(verb, "outer") == 0) return trib_sparse_outer(z, &x, &y, &error);
    if (strcmp(verb, "inner") == 0) return trib_view_inner(number, &x, &y, &error);
    if (strcmp(verb, "norm") == 0) {
        *number = trib_view_norm_of(&x, value);
        return TRIB_OK;
    }
    if (strcmp(verb, "get") == 0) {
        char *at = w->word[2];
        for (uint32_t m = 0; m < x.n_modes; m++, at += *at == ',')
            order[m] = (uint32_t)strtoul(at, &at, 10) - 1;
        *number = trib_view_get(&x, order);
        return TRIB_OK;
    }
    if (strcmp(verb, "permute") == 0) {
        for (uint32_t i = 2; i < w->n; i++) order[i - 2] = mode(w, i);
        return trib_sparse_permute(z, &x, order, &error);
    }
    EXPECT_OK(trib_sparse_copy(z, &x, &error));
    const trib_view copy = trib_view_reals(z);
    value = atof(w->word[2]);
    if (strcmp(verb, "fill") == 0) return trib_view_fill(&copy, &y, value, &error);
    CHECK(strcmp(verb, "set") == 0);
    for (uint32_t i = 3; i < w->n; i++) order[i - 3] = mode(w, i);
    return trib_view_set(&copy, order, value, &error);
}

CASES("tests/conformance/answers.txt [fact]", a_fact) {
    GIVEN(trib_sparse) z = {0};
    words w = {.n = 0};
    dense wanted;
    double number = 0;
    const char *given = trib_case_text("words");
    if (strcmp(given, "-") == 0) return; /* facts.txt says why */
    snprintf(w.text, sizeof w.text, "%s", given + (*given == '=' ? 2 : 0));
    for (char *word = strtok(w.text, " "); word && w.n < 16; word = strtok(NULL, " "))
        w.word[w.n++] = word;
    read_inputs();
    read_cells(&wanted, trib_case_text("size"), trib_case_text("cells"));
    EXPECT_OK(compute(&z, &number, &w));
    if (wanted.n_modes == 0) EXPECT_NEAR(number, wanted.cell[0], 1e-10);
    else expect_sparse(&z, &wanted, 1e-10);
}
