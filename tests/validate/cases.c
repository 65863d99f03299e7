/* cases.c - the cases: planted corpora by ladder.tsv, real ones by a table of tasks. */
#include "base/internal.h"
#include "tests/validate/validate.h"

#include <omp.h>

enum { MAX_POOLS = 8, LINE = 4096 };

/* A text to cut sources from. */
typedef struct pool {
    char name[32];
    trib_intern words;
    word_list text;
} pool;

static word_list cut(const pool *p, size_t at, size_t n, const char *line) {
    if (at + n > p->text.n) {
        fprintf(stderr, "validate: the pool %s has %zu words, too few for: %s\n", p->name,
                p->text.n, line);
        exit(EXIT_FAILURE);
    }
    return (word_list){.word = p->text.word + at, .n = n};
}

static pool *find_pool(pool list[MAX_POOLS], const char *name, const char *directory) {
    size_t p = 0;
    while (p < MAX_POOLS && list[p].name[0] && strcmp(list[p].name, name) != 0) p++;
    if (p == MAX_POOLS) {
        fprintf(stderr, "validate: more than %d pools\n", MAX_POOLS);
        exit(EXIT_FAILURE);
    }
    if (list[p].name[0]) return &list[p];
    char path[1024];
    snprintf(list[p].name, sizeof list[p].name, "%s", name);
    snprintf(path, sizeof path, "%s/%s.txt", directory, name);
    if (!read_words(&list[p].text, &list[p].words, path)) {
        fprintf(stderr, "validate: no pool %s\n", path);
        exit(EXIT_FAILURE);
    }
    return &list[p];
}

/* The documents of one line: its sources, then a place for the target; the last but one is the
 * author's own. */
typedef struct plan {
    known_case *c;
    const pool *from;
    word_list document[MAX_SOURCES + 1], own;
    double fraction[MAX_SOURCES];
    uint64_t seed;
    char line[LINE];
} plan;

static void parse(plan *p, pool pools[MAX_POOLS], const char *directory) {
    char line[LINE], half[16];
    known_case *c = p->c;
    unsigned long long seed = 0;
    size_t at = 0, n = 0;
    int used = 0;
    snprintf(line, sizeof line, "%s", p->line);
    if (sscanf(line, "%63s %31s %15s %zu %zu %lf %llu %zu+%zu%n", c->name, c->pool, half,
               &c->n_words, &c->run_length, &c->noise, &seed, &at, &n, &used) != 9) {
        fprintf(stderr, "validate: cannot read: %s\n", line);
        exit(EXIT_FAILURE);
    }
    p->from = find_pool(pools, c->pool, directory);
    p->seed = seed;
    p->own = cut(p->from, at, n, line);
    c->judge = strcmp(half, "judge") == 0;
    for (char *field = strtok(line + used, " \t"); field; field = strtok(NULL, " \t")) {
        const size_t s = c->n_sources++;
        if (s == MAX_SOURCES || sscanf(field, "%lf@%zu+%zu", &p->fraction[s], &at, &n) != 3) {
            fprintf(stderr, "validate: cannot read '%s' of %s\n", field, c->name);
            exit(EXIT_FAILURE);
        }
        snprintf(c->source[s], sizeof c->source[s], "%zu+%zu", at, n);
        p->document[s] = cut(p->from, at, n, p->line);
    }
}

/* ---- The author's own text ------------------------------------------------------------------- */

static int by_hash(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The author's own text without the passages of COPIED words or more that a source holds too: a
 * pool may repeat itself, and what is copied without being planted would make the truth untrue. To
 * be freed. */
static word_list without_copies(const word_list *own, const word_list source[], size_t n_sources) {
    enum { COPIED = 20 };
    size_t n = 0, n_windows = 0;
    for (size_t s = 0; s < n_sources; s++) n += source[s].n;
    uint64_t *window = new_array(n, sizeof *window);
    uint8_t *copied = new_array(own->n, 1);
    for (size_t s = 0; s < n_sources; s++)
        for (size_t i = 0; i + COPIED <= source[s].n; i++)
            window[n_windows++] =
                trib_hash_bytes(source[s].word + i, COPIED * sizeof *source[s].word);
    qsort(window, n_windows, sizeof *window, by_hash);
    for (size_t i = 0; n_windows > 0 && i + COPIED <= own->n; i++) {
        const uint64_t hash = trib_hash_bytes(own->word + i, COPIED * sizeof *own->word);
        if (bsearch(&hash, window, n_windows, sizeof *window, by_hash))
            memset(copied + i, 1, COPIED);
    }
    word_list kept = {.word = new_array(own->n, sizeof *kept.word)};
    for (size_t i = 0; i < own->n; i++)
        if (!copied[i]) kept.word[kept.n++] = own->word[i];
    free(window);
    free(copied);
    return kept;
}

static void plant_and_measure(plan *p) {
    known_case *c = p->c;
    trib_synth_text source[MAX_SOURCES];
    trib_synth planted;
    trib_error error = {0};
    double words[MAX_SOURCES + 1], ngrams[MAX_SOURCES + 1];
    const word_list own = without_copies(&p->own, p->document, c->n_sources);
    for (size_t s = 0; s < c->n_sources; s++)
        source[s] = (trib_synth_text){p->document[s].word, p->document[s].n};
    const trib_synth_plan how = {.source = source,
                                 .fraction = p->fraction,
                                 .n_sources = c->n_sources,
                                 .own = {own.word, own.n},
                                 .n_words = c->n_words,
                                 .run_length = c->run_length,
                                 .noise = c->noise,
                                 .seed = p->seed};
    check(trib_synth_plant(&planted, &how, &error), &error);
    trib_synth_truth(&planted, c->n_sources, N_GRAM, words, ngrams);
    for (size_t s = 0; s < c->n_sources; s++) c->truth[s] = ngrams[s];
    c->author = ngrams[c->n_sources];
    p->document[c->n_sources] = (word_list){.word = planted.word, .n = planted.n_words};
    measure_case(c, &p->from->words, p->document, c->n_sources + 1, 1);
    trib_synth_release(&planted);
    free(own.word);
}

size_t read_ladder(known_case **cases, const char *ladder, const char *directory,
                   const char *only) {
    static pool pools[MAX_POOLS];
    FILE *file = fopen(ladder, "r");
    char line[LINE];
    size_t n = 0, cap = 0;
    if (!file) {
        fprintf(stderr, "validate: no %s\n", ladder);
        exit(EXIT_FAILURE);
    }
    while (fgets(line, sizeof line, file)) cap += line[0] != '#';
    rewind(file);
    *cases = new_array(cap, sizeof **cases);
    plan *plans = new_array(cap, sizeof *plans);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0' || (only && !strstr(line, only))) continue;
        plans[n].c = &(*cases)[n];
        snprintf(plans[n].line, sizeof plans[n].line, "%s", line);
        parse(&plans[n], pools, directory);
        n++;
    }
    fclose(file);
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t i = 0; i < n; i++) {
        plant_and_measure(&plans[i]);
        fprintf(stderr, "%s\n", plans[i].c->name);
    }
    free(plans);
    for (size_t p = 0; p < MAX_POOLS; p++) {
        trib_intern_release(&pools[p].words);
        trib_free(pools[p].text.word);
    }
    return n;
}

/* ---- Real texts ------------------------------------------------------------------------------ */

static bool read_document(known_case *c, word_list *list, trib_intern *words, const char *corpora,
                          const char *set, const char *name) {
    char path[2048];
    if (strchr(name, '/')) snprintf(path, sizeof path, "%s/%s.txt", corpora, name);
    else snprintf(path, sizeof path, "%s/%s/%s.txt", corpora, set, name);
    (void)c;
    return read_words(list, words, path);
}

/* One line: task, split, set, target, influencing sources, others, what is expected. false when a
 * text is missing. */
static bool measure_task(known_case *c, char *line, const char *corpora) {
    char *field[7] = {0};
    trib_intern words = {0};
    word_list document[MAX_SOURCES + 1] = {0};
    size_t n = 0;
    bool found = true;
    for (int f = 0; f < 7 && line; f++) {
        field[f] = line;
        line = strchr(line, '\t');
        if (line) *line++ = '\0';
    }
    snprintf(c->name, sizeof c->name, "%s %s", field[0], field[3]);
    snprintf(c->pool, sizeof c->pool, "%s", field[2]);
    c->judge = true;
    c->is_weak = field[6] && strncmp(field[6], "weak", 4) == 0;
    for (int kind = 4; kind <= 5; kind++) {
        char *rest = NULL;
        for (char *name = strtok_r(field[kind], " ", &rest); name && found;
             name = strtok_r(NULL, " ", &rest)) {
            snprintf(c->source[n], sizeof c->source[n], "%s", name);
            c->truth[n] = kind == 4;
            found = read_document(c, &document[n++], &words, corpora, field[2], name);
        }
    }
    c->n_sources = n;
    found = found && read_document(c, &document[n], &words, corpora, field[2], field[3]);
    if (found) {
        c->n_words = document[n].n;
        measure_case(c, &words, document, n + 1, 1);
    }
    for (size_t d = 0; d <= n; d++) trib_free(document[d].word);
    trib_intern_release(&words);
    return found;
}

size_t read_tasks(known_case **cases, const char *tasks, const char *corpora, const char *only) {
    FILE *file = fopen(tasks, "r");
    char line[LINE];
    size_t n = 0, cap = 0;
    if (!file) return 0;
    while (fgets(line, sizeof line, file)) cap++;
    rewind(file);
    *cases = new_array(cap, sizeof **cases);
    char(*text)[LINE] = new_array(cap, LINE);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "task\t", 5) != 0 && line[0] != '#' && (!only || strstr(line, only)))
            strcpy(text[n++], line);
    }
    fclose(file);
    bool *found = new_array(n, sizeof *found);
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t i = 0; i < n; i++) {
        found[i] = measure_task(&(*cases)[i], text[i], corpora);
        fprintf(stderr, "%s%s\n", (*cases)[i].name, found[i] ? "" : ": texts missing");
    }
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (found[i]) (*cases)[kept++] = (*cases)[i];
    free(found);
    free(text);
    return kept;
}
