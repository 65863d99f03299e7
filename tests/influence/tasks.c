/* tasks.c - compares every method based on counts with an independent implementation on real texts
 * (docs/measured.md): seventeen targets whose sources are known. TRIBUTARY_TELL=1 prints
 * the differences. */
#include "tests/influence/texts.h"

TESTS(influence, tasks);

enum { N_TASKS = 17, N_METHODS = 4 };

static const struct {
    const char *name, *method;
    int32_t background;
    double tolerance; /* of a share and of the author's */
} measured[N_METHODS] = {{"containment", "containment", 0, .003},
                         {"split", "split", 0, .003},
                         {"anchored_b0", "anchored", 0, .005},
                         {"anchored", "anchored", -1, .005}};

/* One line of TASKS.tsv. The sources are the influencing ones, then the others; the target comes
 * last. */
typedef struct known_case {
    char line[1024];
    const char *id;
    char path[TRIB_MAX_TEXTS][256];
    const char *name[TRIB_MAX_TEXTS]; /* without its folder */
    uint32_t n_influencing, n_sources;
    bool is_weak; /* a target whose sources are not certain */
} known_case;

/* The result of one method for one task. */
typedef struct answer {
    double share[TRIB_MAX_TEXTS], author;
} answer;

static const char *without_folder(const char *name) {
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

static void add_document(known_case *task, uint32_t d, const char *set, const char *name) {
    task->name[d] = without_folder(name);
    if (strchr(name, '/')) snprintf(task->path[d], sizeof task->path[d], "%.200s", name);
    else snprintf(task->path[d], sizeof task->path[d], "%.100s/%.100s", set, name);
}

static void parse_task(known_case *task, const char *line) {
    char *field[7] = {0}, *rest = task->line;
    snprintf(task->line, sizeof task->line, "%s", line);
    for (int f = 0; f < 7; f++) {
        field[f] = rest;
        rest = strchr(rest, '\t');
        if (rest) *rest++ = '\0';
        CHECK(rest || f == 6);
    }
    task->id = field[0];
    task->is_weak = strncmp(field[6], "weak", 4) == 0;
    for (int kind = 4; kind <= 5; kind++) {
        for (char *name = strtok(field[kind], " "); name; name = strtok(NULL, " "))
            add_document(task, task->n_sources++, field[2], name);
        if (kind == 4) task->n_influencing = task->n_sources;
    }
    add_document(task, task->n_sources, field[2], field[3]);
}

static size_t read_tasks(known_case tasks[N_TASKS]) {
    const char *path = trib_shared("corpora/TASKS.tsv");
    FILE *file = path ? fopen(path, "r") : NULL;
    char line[1024];
    size_t n = 0;
    if (!file) return 0;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "task\t", 5) == 0) continue;
        CHECK(n < N_TASKS);
        parse_task(&tasks[n], line);
        /* the longest take a minute in a slow build, and show nothing else */
        if (!trib_is_slow() || strncmp(tasks[n].path[0], "bible-parallels/", 16) == 0) n++;
        else tasks[n] = (known_case){.id = NULL};
    }
    fclose(file);
    return n;
}

static void measure_task(const known_case *task, answer answers[N_METHODS]) {
    const char *path[TRIB_MAX_TEXTS];
    for (uint32_t d = 0; d <= task->n_sources; d++) path[d] = task->path[d];
    trib_texts *texts = trib_texts_read(3, path, task->n_sources + 1);
    CHECK(texts != NULL);
    const trib_influence_case c = trib_texts_case(texts, task->n_sources);
    for (int i = 0; i < N_METHODS; i++) {
        const trib_influence_options options = {.background = measured[i].background};
        trib_influence *result = trib_measured(&c, measured[i].method, &options);
        answers[i].author = result->author;
        double sum = result->author;
        for (size_t s = 0; s < c.n_sources; s++) sum += answers[i].share[s] = result->share[s];
        if (result->method->sums_to_one) EXPECT_NEAR(sum, 1, 1e-12);
    }
}

/* Compares every line of the reference that names one of our tasks, methods and sources. Returns
 * the number of such lines. */
static size_t compare(const known_case tasks[], answer answers[][N_METHODS], size_t n_tasks,
                      double worst[N_METHODS]) {
    const char *path = trib_shared("oracles/reference_influence.tsv");
    FILE *file = path ? fopen(path, "r") : NULL;
    char line[512], id[64], method[64], source[256], role[64];
    double author = 0, share = 0;
    size_t n = 0;
    CHECK(file != NULL);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%63s %63s %lf %255s %lf %63s", id, method, &author, source, &share,
                   role) != 6)
            continue;
        for (size_t t = 0; t < n_tasks; t++) {
            for (int i = 0; i < N_METHODS; i++) {
                if (strcmp(id, tasks[t].id) != 0 || strcmp(method, measured[i].name) != 0) continue;
                for (uint32_t s = 0; s < tasks[t].n_sources; s++) {
                    if (strcmp(without_folder(source), tasks[t].name[s]) != 0) continue;
                    n++;
                    EXPECT_NEAR(answers[t][i].share[s], share, measured[i].tolerance);
                    EXPECT_NEAR(answers[t][i].author, author, measured[i].tolerance);
                    worst[i] = fmax(worst[i], fabs(answers[t][i].share[s] - share));
                    worst[i] = fmax(worst[i], fabs(answers[t][i].author - author));
                }
            }
        }
    }
    fclose(file);
    return n;
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Checks the statements of docs/measured.md about `anchored`: order, margin, and the
 * small share of an unrelated source. */
static void expect_the_known_sources(const known_case tasks[], answer answers[][N_METHODS],
                                     size_t n_tasks) {
    double ratio[N_TASKS] = {0}, unrelated = 0;
    size_t n_unrelated = 0;
    for (size_t t = 0; t < n_tasks; t++) {
        const double *share = answers[t][N_METHODS - 1].share;
        double weakest = 1, strongest = 0;
        for (uint32_t s = 0; s < tasks[t].n_sources; s++) {
            if (s < tasks[t].n_influencing) weakest = fmin(weakest, share[s]);
            else strongest = fmax(strongest, share[s]);
            if (s >= tasks[t].n_influencing) {
                unrelated += share[s];
                n_unrelated++;
            }
        }
        ratio[t] = weakest / fmax(strongest, 1e-6);
        if (!tasks[t].is_weak) EXPECT(weakest > strongest);
        if (strcmp(tasks[t].id, "D1") == 0) EXPECT(weakest >= 5 * strongest);
    }
    qsort(ratio, n_tasks, sizeof *ratio, by_value);
    EXPECT(ratio[n_tasks / 2] >= 20);
    EXPECT(unrelated / (double)n_unrelated <= .0025);
    if (getenv("TRIBUTARY_TELL"))
        printf("median ratio %.2f, mean share of an unrelated source %.5f\n", ratio[n_tasks / 2],
               unrelated / (double)n_unrelated);
}

TEST(every_task_agrees_with_the_reference) {
    static known_case tasks[N_TASKS];
    static answer answers[N_TASKS][N_METHODS];
    double worst[N_METHODS] = {0};
    memset(tasks, 0, sizeof tasks);
    const size_t n_tasks = read_tasks(tasks);
    if (n_tasks == 0) return;
    CHECK(n_tasks == (trib_is_slow() ? 5 : N_TASKS));
    size_t n_sources = 0;
    for (size_t t = 0; t < n_tasks; t++) {
        n_sources += tasks[t].n_sources;
        measure_task(&tasks[t], answers[t]);
    }
    EXPECT(compare(tasks, answers, n_tasks, worst) == n_sources * N_METHODS);
    if (!trib_is_slow()) expect_the_known_sources(tasks, answers, n_tasks);
    for (int i = 0; getenv("TRIBUTARY_TELL") && i < N_METHODS; i++)
        printf("%s: at most %.6f off\n", measured[i].name, worst[i]);
}
