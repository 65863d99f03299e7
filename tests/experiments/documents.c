/* documents.c - building the tensors of documents and decomposing them, in HaCOO and in
 * coordinates: figures 5.3 to 5.6 of [C]. */
#include "decomp/decomp.h"
#include "tests/experiments/experiment.h"

#include <unistd.h>

/* BUCKETS, RANK and the number of words kept are [C]'s; she does not say when a decomposition
 * ends, so it ends where the Tensor Toolbox, which she used, ends by itself. */
enum {
    N_DOCUMENTS = 7,
    ORDER = 3,
    BUCKETS = 1 << 20,
    RANK = 50,
    ITERATIONS = 50,
    KEPT = 600,
    ROUNDS = 3,
    CP_ROUNDS = 2,
    SAME = 10,
    QUICK_DOCUMENT = 1000
};
static const double tolerance = 1e-4;

/* The corpora of [C], ours in their place, and by how much HaCOO took less: [600 words,
 * all][wall-clock, processor]. */
static const struct {
    const char *name, *ours, *folder, *file[N_DOCUMENTS];
    size_t n_words;
    const char *less[2][2]; /* percent */
    bool grows;             /* the saving with the vocabulary */
} published[] = {
    {"Conference",
     "five papers on good practice in computing and two on other subjects",
     "conference",
     {"target_good_enough_practices", "source_best_practices", "source_data_storage",
      "source_nine_simple_ways", "source_tidy_data", "unrelated_plos_1", "unrelated_plos_2"},
     45152,
     {{"44 to 49", "44 to 49"}, {"44 to 49", "44 to 49"}},
     false},
    {"Shakespeare",
     "the same seven plays",
     "shakespeare",
     {"hamlet", "julius_caesar", "macbeth", "midsummer_nights_dream", "othello", "romeo_and_juliet",
      "twelfth_night"},
     181760,
     {{"14", "32"}, {"72", "78"}},
     true},
};
enum { N_CORPORA = sizeof published / sizeof *published };

/* Seven documents, one behind the other. */
typedef struct corpus {
    bench_text text;
    bool is_shared; /* its documents are files; else stretches of another text, which it borrows */
    char name[N_DOCUMENTS][32];
    size_t first[N_DOCUMENTS + 1]; /* words first[d] .. first[d+1]-1 */
} corpus;

/* One document: its tensor in both forms. */
typedef struct document {
    const uint32_t *id;
    size_t n_words;
    uint32_t n_types;
    trib_hacoo table, in_order; /* in_order: the nonzeros as `sorted` has them */
    sorted_coo sorted;
    trib_tensor tensor[2];
    uint32_t n_iterations[2];
} document;

static void insert_hashed(document *d) {
    for (size_t i = 0; i + ORDER <= d->n_words; i++)
        bench_must(trib_hacoo_add(&d->table, d->id + i, 1, &bench_error));
}

static void insert_sorted(document *d) {
    for (size_t i = 0; i + ORDER <= d->n_words; i++) sorted_add(&d->sorted, d->id + i);
}

static void decompose(document *d, int form) {
    const trib_cp_options options = {.solver = trib_solver_find("als"),
                                     .start = trib_start_find("random"),
                                     .rank = RANK,
                                     .iterations = experiment_quick() ? 1 : ITERATIONS,
                                     .tolerance = tolerance,
                                     .restarts = 1,
                                     .seed = 1,
                                     .n_threads = 1};
    trib_ktensor k;
    trib_cp_trace trace = {0};
    bench_must(trib_cp(&k, &d->tensor[form], &options, &trace, &bench_error));
    d->n_iterations[form] = (uint32_t)trace.n_steps;
    trib_cp_trace_release(&trace);
    trib_ktensor_release(&k);
}
static void decompose_hashed(document *d) { decompose(d, 0); }
static void decompose_sorted(document *d) { decompose(d, 1); }

/* An empty table of as many buckets as [C] begins with, and empty coordinates: not part of what
 * she times. */
static void begin(document *d) {
    const uint32_t dim[ORDER] = {d->n_types, d->n_types, d->n_types};
    const trib_hacoo_options options = {.hash = trib_hash_find("digits"), .n_buckets = BUCKETS};
    trib_hacoo_release(&d->table);
    sorted_release(&d->sorted);
    bench_must(trib_hacoo_init(&d->table, ORDER, dim, &options, &bench_error));
    sorted_init(&d->sorted, ORDER, d->n_words);
}

/* Both tensors must hold the same. */
static void make_tensors(document *d) {
    bench_must(trib_hacoo_init(&d->in_order, ORDER, d->table.dim, NULL, &bench_error));
    for (size_t e = 0; e < d->sorted.nnz; e++) {
        const uint32_t *index = d->sorted.index + e * ORDER, count = (uint32_t)d->sorted.value[e];
        bench_must(trib_hacoo_add(&d->in_order, index, count, &bench_error));
        if (trib_hacoo_get(&d->table, index) != count || d->table.nnz != d->sorted.nnz)
            bench_fail("sorted and hashed differ");
    }
    bench_must(trib_tensor_build(&d->tensor[0], trib_format_find("hacoo"), &d->table, NULL, 1,
                                 &bench_error));
    bench_must(trib_tensor_build(&d->tensor[1], trib_format_find("coo-unsorted"), &d->in_order,
                                 NULL, 1, &bench_error));
}

/* Seconds of building and of decomposing: [HaCOO, coordinates]. */
typedef struct times {
    experiment_seconds build[2], cp[2];
} times;

/* Both ways once; keeps the least of either clock. */
static void take_time(document *d, void (*const way[2])(document *d), experiment_seconds least[2]) {
    for (int f = 0; f < 2; f++) {
        const experiment_seconds start = experiment_now();
        way[f](d);
        const experiment_seconds end = experiment_now();
        least[f].wall = fmin(least[f].wall, end.wall - start.wall);
        least[f].processor = fmin(least[f].processor, end.processor - start.processor);
    }
}

static times try_document(document *d) {
    void (*const building[])(document * d) = {insert_hashed, insert_sorted};
    void (*const decomposing[])(document * d) = {decompose_hashed, decompose_sorted};
    const experiment_seconds never = {INFINITY, INFINITY};
    times t = {{never, never}, {never, never}};
    for (int round = 0; round < ROUNDS; round++) {
        begin(d);
        take_time(d, building, t.build);
    }
    make_tensors(d);
    for (int round = 0; round < (experiment_quick() ? 1 : CP_ROUNDS); round++)
        take_time(d, decomposing, t.cp);
    for (int f = 0; f < 2; f++) trib_tensor_release(&d->tensor[f]);
    trib_hacoo_release(&d->in_order);
    return t;
}

static void print_times(const times *t) {
    const experiment_seconds *pair[] = {t->build, t->cp};
    for (int k = 0; k < 2; k++)
        for (int f = 0; f < 2; f++)
            printf(" %.1f, %.1f |", 1e3 * pair[k][f].wall, 1e3 * pair[k][f].processor);
    printf(" %.1f %%, %.1f %% |",
           experiment_less(t->build[0].wall + t->cp[0].wall, t->build[1].wall + t->cp[1].wall),
           experiment_less(t->build[0].processor + t->cp[0].processor,
                           t->build[1].processor + t->cp[1].processor));
}

static void add_times(times *sum, const times *t) {
    for (int f = 0; f < 2; f++) {
        sum->build[f].wall += t->build[f].wall;
        sum->build[f].processor += t->build[f].processor;
        sum->cp[f].wall += t->cp[f].wall;
        sum->cp[f].processor += t->cp[f].processor;
    }
}

/* n_kept: the commonest words, one more standing for all others; 0: all words. Returns the sums. */
static times try_corpus(const corpus *c, uint32_t n_kept) {
    times sum = {0};
    const bench_text *text = &c->text;
    uint32_t *id = bench_new(text->n_words, sizeof *id);
    const uint32_t n_types = n_kept > 0 && n_kept < text->n_types ? n_kept + 1 : text->n_types;
    for (size_t i = 0; i < text->n_words; i++)
        id[i] = text->id[i] < n_types ? text->id[i] : n_types - 1;
    printf("%u words of vocabulary%s:\n\n", n_types,
           n_kept > 0 ? ", one of them for all others" : "");
    puts("| document | words | nonzeros | build HaCOO, ms | build COO | CP HaCOO | CP COO | "
         "both, less by | iterations |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    size_t nnz = 0;
    for (size_t i = 0; i < N_DOCUMENTS; i++) {
        document d = {.id = id + c->first[i], .n_types = n_types};
        d.n_words = c->first[i + 1] - c->first[i];
        if (experiment_quick() && d.n_words > QUICK_DOCUMENT) d.n_words = QUICK_DOCUMENT;
        const times t = try_document(&d);
        printf("| %s | %zu | %zu |", c->name[i], d.n_words, d.table.nnz);
        print_times(&t);
        printf(" %u, %u |\n", d.n_iterations[0], d.n_iterations[1]);
        add_times(&sum, &t);
        nnz += d.table.nnz;
        trib_hacoo_release(&d.table);
        sorted_release(&d.sorted);
    }
    printf("| **all** | %zu | %zu |", text->n_words, nnz);
    print_times(&sum);
    puts(" |\n");
    free(id);
    return sum;
}

static void load_file(corpus *c, size_t d, const char *path, const char *name) {
    bench_text one = {0};
    bench_text_open(&one, path);
    snprintf(c->name[d], sizeof c->name[d], "%s", name);
    c->first[d + 1] = c->first[d] + one.n_words;
    bench_must(trib_buffer_add(&c->text.bytes, one.bytes.text, one.bytes.length, &bench_error));
    bench_must(trib_buffer_add(&c->text.bytes, "\n", 1, &bench_error));
    bench_text_close(&one);
}

/* The files of corpus `which`, when all are among the shared corpora. */
static bool load_shared(corpus *c, size_t which) {
    const char *root = getenv("TRIBUTARY_SHARED");
    char path[4096];
    for (int pass = 0; pass < 2; pass++)
        for (size_t d = 0; d < N_DOCUMENTS; d++) {
            snprintf(path, sizeof path, "%s/corpora/%s/%s.txt", root && *root ? root : "../shared",
                     published[which].folder, published[which].file[d]);
            if (pass == 0 && access(path, R_OK) != 0) return false;
            if (pass == 1) load_file(c, d, path, published[which].file[d]);
        }
    c->text.name = published[which].name;
    bench_text_number(&c->text);
    return true;
}

bool experiment_conference(bench_text *text, size_t first[]) {
    corpus c = {.is_shared = false};
    if (!load_shared(&c, 0)) return false;
    *text = c.text;
    memcpy(first, c.first, sizeof c.first);
    return true;
}

/* Stretches of a text as long together as corpus `which`, where there is so much of it. */
static void load_stretches(corpus *c, size_t which, const bench_text *text) {
    const size_t n =
        published[which].n_words < text->n_words ? published[which].n_words : text->n_words;
    c->text = *text;
    c->text.n_words = n / N_DOCUMENTS * N_DOCUMENTS;
    for (size_t d = 0; d < N_DOCUMENTS; d++) {
        snprintf(c->name[d], sizeof c->name[d], "%s, stretch %zu", text->name, d + 1);
        c->first[d + 1] = n / N_DOCUMENTS * (d + 1);
    }
}

/* What the figures show, wall-clock (clock 0) or processor time (1), and whether it is so here. */
static void compare(size_t figure, size_t which, int clock, const times of[2]) {
    double saved[2], built[2], part[2]; /* percent; part: building, of all time in coordinates */
    for (int v = 0; v < 2; v++) {
        const times *t = &of[v];
        const double build[] = {clock ? t->build[0].processor : t->build[0].wall,
                                clock ? t->build[1].processor : t->build[1].wall};
        const double cp[] = {clock ? t->cp[0].processor : t->cp[0].wall,
                             clock ? t->cp[1].processor : t->cp[1].wall};
        saved[v] = experiment_less(build[0] + cp[0], build[1] + cp[1]);
        built[v] = experiment_less(build[0], build[1]);
        part[v] = 100 * build[1] / (build[1] + cp[1]);
    }
    const bool ahead = saved[0] >= 1 && saved[1] >= 1;
    const bool grows =
        published[which].grows ? saved[1] > saved[0] : fabs(saved[1] - saved[0]) <= SAME;
    printf("* Figure 5.%zu (%s, %s time): published, HaCOO takes %s %% less with 600 words and %s "
           "%% less "
           "with all;\n  here %.1f and %.1f %% less, of building alone %.1f and %.1f %%, which is "
           "%.1f and "
           "%.1f %% of the time in\n  coordinates. That HaCOO is ahead with both, by 1 %% or more, "
           "%s; that it "
           "saves %s %s.\n",
           figure, published[which].name, clock ? "processor" : "wall-clock",
           published[which].less[0][clock], published[which].less[1][clock], saved[0], saved[1],
           built[0], built[1], part[0], part[1], ahead ? "agrees" : "does not agree",
           published[which].grows ? "more with all words" : "as much with both, within 10 points,",
           grows ? "agrees" : "does not agree");
}

void experiment_documents(const experiment_texts *texts) {
    times of[N_CORPORA][2];
    for (size_t which = 0; which < N_CORPORA; which++) {
        corpus c = {.is_shared = false};
        c.is_shared = load_shared(&c, which);
        if (!c.is_shared) load_stretches(&c, which, &texts->text[0]);
        printf("## Figures 5.%zu and 5.%zu\n\nIn place of the %s corpus:\n%s%s.\n\n", 3 + 2 * which,
               4 + 2 * which, published[which].name, c.is_shared ? "" : "stretches of ",
               c.is_shared ? published[which].ours : c.text.name);
        of[which][0] = try_corpus(&c, KEPT);
        of[which][1] = try_corpus(&c, 0);
        if (c.is_shared) bench_text_close(&c.text);
    }
    for (size_t which = 0; which < N_CORPORA; which++)
        for (int clock = 0; clock < 2; clock++)
            compare(3 + 2 * which + (size_t)clock, which, clock, of[which]);
}
