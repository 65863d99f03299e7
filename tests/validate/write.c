/* write.c - a planted corpus as files, for tests/floors: its texts, and the experiment. */
#include "tests/planting/planting.h"
#include "tests/validate/validate.h"

static FILE *create(const char *directory, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return open_file(path, "w");
}

static void write_words(const char *directory, const char *name, const trib_intern *words,
                        const uint32_t *word, size_t n) {
    FILE *file = create(directory, name);
    for (size_t i = 0; i < n; i++)
        fprintf(file, "%s%s", trib_intern_word(words, word[i]), (i + 1) % 12 ? " " : "\n");
    fputc('\n', file);
    fclose(file);
}

void write_planted(const char *directory, const char *const number[3], char **text, size_t n) {
    trib_synth_text source[MAX_SOURCES];
    double fraction[MAX_SOURCES];
    word_list list[MAX_SOURCES + 1] = {0};
    TRIB_OWNED(trib_intern) words = {0};
    TRIB_OWNED(trib_synth) planted = {0};
    char name[32];
    FILE *file = create(directory, "experiment.yaml");
    fputs("tributary: 1\nname: planted\ncorpus:\n  target: target\n  documents:\n"
          "    - {id: target, file: target.txt, role: target}\n",
          file);
    for (size_t s = 0; s + 1 < n && s < MAX_SOURCES; s++) {
        char *path = strchr(text[s + 1], ':');
        fraction[s] = atof(text[s + 1]);
        if (!path || !read_words(&list[s], &words, path + 1)) fail("cannot read %s", text[s + 1]);
        source[s] = (trib_synth_text){list[s].word, list[s].n};
        snprintf(name, sizeof name, "s%zu.txt", s + 1);
        write_words(directory, name, &words, list[s].word, list[s].n);
        fprintf(file, "    - {id: s%zu, file: %s, role: source}\n", s + 1, name);
    }
    fclose(file);
    word_list *own = &list[n - 1];
    if (!read_words(own, &words, text[0])) fail("cannot read %s", text[0]);
    const trib_synth_plan how = {.source = source,
                                 .fraction = fraction,
                                 .n_sources = n - 1,
                                 .own = {own->word, own->n},
                                 .n_words = strtoull(number[0], NULL, 10),
                                 .run_length = strtoull(number[1], NULL, 10),
                                 .seed = strtoull(number[2], NULL, 10)};
    must(trib_synth_plant(&planted, &how, &validate_error));
    write_words(directory, "target.txt", &words, planted.word, planted.n_words);
    for (size_t i = 0; i < n; i++) trib_free(list[i].word);
}
