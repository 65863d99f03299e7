/* cases.c - real texts whose sources are known, by a table of tasks. */
#include "tests/validate/validate.h"

enum { LINE = 4096 };

static bool read_document(word_list *list, trib_intern *words, const char *corpora, const char *set,
                          const char *name) {
    char path[2048];
    if (strchr(name, '/')) snprintf(path, sizeof path, "%s/%s.txt", corpora, name);
    else snprintf(path, sizeof path, "%s/%s/%s.txt", corpora, set, name);
    return read_words(list, words, path);
}

/* One line: task, split, set, target, influencing sources, others, what is expected. false when a
 * text is missing. */
static bool measure_task(known_case *c, char *line, const char *corpora) {
    char *field[7] = {0};
    TRIB_OWNED(trib_intern) words = {0};
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
            for (int u = 0; u < N_UNITS; u++) c->truth[u][n] = kind == 4;
            found = read_document(&document[n++], &words, corpora, field[2], name);
        }
    }
    c->n_sources = n;
    found = found && read_document(&document[n], &words, corpora, field[2], field[3]);
    if (found) {
        c->n_words = document[n].n;
        measure_case(c, &words, document, n + 1, 1);
    }
    for (size_t d = 0; d <= n; d++) trib_free(document[d].word);
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
