/* synth.c - `tributary synth`: writes a corpus with a planted target, the true shares, and an
 * experiment that estimates them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "influence/synth/synth.h"
#include "pipeline/command/command.h"
#include "pipeline/naming/ids.h"
#include "pipeline/support/json.h"
#include "pipeline/support/terminal.h"

/* A text: a source, or the author's own text, which is not a document of the corpus. */
typedef struct text {
    const char *path;
    char *id;
    double fraction;
    uint32_t *word; /* [n] numbers in synthesis.words */
    size_t n, cap;
    trib_intern *words; /* of the synthesis */
} text;

typedef struct synthesis {
    text *text; /* [n_texts] the sources in their order; the author's own text last */
    size_t n_texts;
    trib_intern words;
    uint64_t n_words, run_length, n, seed, piece, repeats;
    double noise, deleted, inserted;
    trib_synth planted;
    double *words_truth, *ngrams_truth; /* [n_texts] */
} synthesis;

/* ---- The command line ------------------------------------------------------------------------ */

static trib_status read_whole(uint64_t *value, const char *flag, const char *argument,
                              uint64_t standard, uint64_t least, uint64_t most, trib_error *error) {
    *value = standard;
    if (!argument || (trib_read_uint(argument, value) && *value >= least && *value <= most))
        return TRIB_OK;
    return trib_fail(error, TRIB_USAGE, "%s needs a whole number from %llu to %llu, not '%s'", flag,
                     (unsigned long long)least, (unsigned long long)most, argument);
}

static trib_status read_chance(double *value, const char *flag, const char *argument,
                               trib_error *error) {
    if (!argument || trib_read_double(argument, value)) return TRIB_OK;
    return trib_fail(error, TRIB_USAGE, "%s needs a number from 0 to 1, not '%s'", flag, argument);
}

static trib_status read_numbers(synthesis *s, const trib_command_line *line, trib_error *error) {
    trib_status status =
        read_whole(&s->n_words, "--words", line->words, 4000, 1, 1000000000, error);
    if (status == TRIB_OK)
        status = read_whole(&s->run_length, "--run", line->run, 50, 1, 1000000000, error);
    if (status == TRIB_OK) status = read_whole(&s->n, "--n", line->n, 3, 1, TRIB_MAX_NGRAM, error);
    if (status == TRIB_OK)
        status = read_whole(&s->seed, "--seed", line->seed, 1, 0, UINT64_MAX, error);
    if (status == TRIB_OK)
        status = read_whole(&s->piece, "--reorder", line->piece, 0, 0, 1000000000, error);
    if (status == TRIB_OK)
        status = read_whole(&s->repeats, "--repeat", line->repeats, 1, 1, 1000000000, error);
    if (status == TRIB_OK) status = read_chance(&s->noise, "--noise", line->noise, error);
    if (status == TRIB_OK) status = read_chance(&s->deleted, "--delete", line->deleted, error);
    if (status == TRIB_OK) status = read_chance(&s->inserted, "--insert", line->inserted, error);
    return status;
}

/* Makes an id from the name of a file: "novels/emma.txt" becomes emma. */
static trib_status make_id(text *t, trib_error *error) {
    const char *slash = strrchr(t->path, '/'), *name = slash ? slash + 1 : t->path;
    const char *dot = strrchr(name, '.');
    trib_buffer id = {0};
    const trib_status status = trib_id_add(
        &id, (trib_id_from){name, dot && dot > name ? (size_t)(dot - name) : strlen(name), false},
        error);
    t->id = id.text;
    return status;
}

/* Reads the operands OWN, then FRACTION:SOURCE... */
static trib_status read_operands(synthesis *s, const trib_command_line *line, trib_error *error) {
    s->n_texts = line->n_operands;
    trib_status status = trib_new(&s->text, s->n_texts, sizeof *s->text, "the texts", error);
    for (size_t i = 0; status == TRIB_OK && i < s->n_texts; i++) {
        text *t = &s->text[i];
        t->words = &s->words;
        t->path = line->operand[0];
        if (i + 1 < s->n_texts) {
            const char *operand = line->operand[i + 1], *colon = strchr(operand, ':');
            char fraction[TRIB_NUMBER_MAX] = "";
            if (colon && (size_t)(colon - operand) < sizeof fraction)
                memcpy(fraction, operand, (size_t)(colon - operand));
            if (!colon || !colon[1] || !trib_read_double(fraction, &t->fraction))
                return trib_fail(error, TRIB_USAGE,
                                 "'%s' is not FRACTION:SOURCE, as in 0.2:emma.txt", operand);
            t->path = colon + 1;
        }
        status = make_id(t, error);
        for (size_t j = 0; status == TRIB_OK && i + 1 < s->n_texts && j < i; j++)
            if (strcmp(t->id, s->text[j].id) == 0)
                status = trib_fail(error, TRIB_USAGE, "%s and %s would both be '%s'; rename one",
                                   s->text[j].path, t->path, t->id);
        if (status == TRIB_OK && i + 1 < s->n_texts &&
            (strcmp(t->id, "target") == 0 || strcmp(t->id, "author") == 0))
            status = trib_fail(error, TRIB_USAGE, "%s: a source cannot be called '%s'; rename it",
                               t->path, t->id);
    }
    return status;
}

/* ---- Texts ----------------------------------------------------------------------------------- */

static trib_status keep_word(void *context, const trib_token *token, trib_error *error) {
    text *t = context;
    trib_status status =
        trib_grow(&t->word, &t->cap, t->n + 1, sizeof *t->word, "the words", error);
    if (status == TRIB_OK)
        status = trib_intern_add(t->words, token->text, token->length, &t->word[t->n], error);
    if (status == TRIB_OK) t->n++;
    return status;
}

static trib_status read_text(text *t, trib_tokenizer *tokenizer, trib_error *error) {
    char block[1 << 14];
    trib_reader reader;
    size_t got = 0;
    trib_status status = trib_reader_open(&reader, t->path, error);
    if (status != TRIB_OK) return status;
    trib_tokenizer_begin(tokenizer, t->path, keep_word, t);
    while (status == TRIB_OK &&
           (status = trib_reader_read(&reader, block, sizeof block, &got, error)) == TRIB_OK &&
           got > 0)
        status = trib_tokenizer_feed(tokenizer, block, got, error);
    const trib_status ended = trib_tokenizer_end(tokenizer, NULL, status == TRIB_OK ? error : NULL);
    if (status == TRIB_OK) status = ended;
    trib_reader_close(&reader);
    if (status == TRIB_OK && t->n == 0)
        status = trib_fail(error, TRIB_INPUT, "%s: contains no word", t->path);
    return status;
}

static trib_status read_texts(synthesis *s, trib_error *error) {
    const trib_token_options options = {0};
    trib_tokenizer *tokenizer = NULL;
    trib_status status = trib_tokenizer_open(&tokenizer, &options, error);
    for (size_t i = 0; status == TRIB_OK && i < s->n_texts; i++)
        status = read_text(&s->text[i], tokenizer, error);
    trib_tokenizer_close(tokenizer);
    return status;
}

static trib_status plant(synthesis *s, trib_error *error) {
    const size_t n_sources = s->n_texts - 1;
    trib_synth_text *source = NULL;
    double *fraction = NULL;
    trib_status status = trib_new(&source, n_sources, sizeof *source, "the sources", error);
    if (status == TRIB_OK)
        status = trib_new(&fraction, n_sources, sizeof *fraction, "the sources", error);
    if (status == TRIB_OK)
        status = trib_new(&s->words_truth, s->n_texts, sizeof(double), "the truth", error);
    if (status == TRIB_OK)
        status = trib_new(&s->ngrams_truth, s->n_texts, sizeof(double), "the truth", error);
    for (size_t i = 0; status == TRIB_OK && i < n_sources; i++) {
        source[i] = (trib_synth_text){s->text[i].word, s->text[i].n};
        fraction[i] = s->text[i].fraction;
    }
    const trib_synth_plan plan = {.source = source,
                                  .fraction = fraction,
                                  .n_sources = n_sources,
                                  .own = {s->text[n_sources].word, s->text[n_sources].n},
                                  .n_words = s->n_words,
                                  .run_length = s->run_length,
                                  .noise = s->noise,
                                  .deleted = s->deleted,
                                  .inserted = s->inserted,
                                  .piece = s->piece,
                                  .repeats = s->repeats,
                                  .seed = s->seed};
    if (status == TRIB_OK) status = trib_synth_plant(&s->planted, &plan, error);
    if (status == TRIB_OK)
        trib_synth_truth(&s->planted, n_sources, (uint32_t)s->n, s->words_truth, s->ngrams_truth);
    trib_free(source);
    trib_free(fraction);
    return status;
}

/* ---- Writing --------------------------------------------------------------------------------- */

static void write_words(const synthesis *s, const uint32_t *word, size_t n, trib_writer *writer) {
    enum { A_LINE = 12 }; /* words on a line */
    for (size_t i = 0; i < n; i++) {
        trib_write_text(writer, trib_intern_word(&s->words, word[i]));
        trib_write_text(writer, i + 1 == n || (i + 1) % A_LINE == 0 ? "\n" : " ");
    }
}

static void write_truth(const synthesis *s, trib_writer *writer) {
    trib_write_text(writer, "source\twords\tngrams\n");
    for (size_t i = 0; i < s->n_texts; i++)
        trib_print(writer, "%s\t%.6f\t%.6f\n", i + 1 < s->n_texts ? s->text[i].id : "author",
                   s->words_truth[i], s->ngrams_truth[i]);
}

static void write_experiment(const synthesis *s, trib_writer *writer) {
    trib_write_text(writer, "tributary: 1\nname: planted\ncorpus:\n  target: target\n"
                            "  documents:\n    - {id: target, file: target.txt, role: target}\n");
    for (size_t i = 0; i + 1 < s->n_texts; i++)
        trib_print(writer, "    - {id: \"%s\", file: \"%s.txt\", role: source}\n", s->text[i].id,
                   s->text[i].id);
    trib_print(writer, "tensor: {n: %llu}\n", (unsigned long long)s->n);
}

/* Writes DIRECTORY/NAME. `i` is the number of a source, or one of these. */
enum { TARGET = -1, TRUTH = -2, EXPERIMENT = -3 };
static trib_status write_file(const synthesis *s, const char *directory, int i, trib_error *error) {
    static const char *const fixed[] = {"target.txt", "truth.tsv", "experiment.yaml"};
    trib_buffer path = {0};
    trib_writer writer = {.file = -1};
    trib_status status =
        i < 0 ? trib_buffer_print(&path, error, "%s/%s", directory, fixed[-i - 1])
              : trib_buffer_print(&path, error, "%s/%s.txt", directory, s->text[i].id);
    if (status == TRIB_OK) status = trib_writer_open(&writer, path.text, error);
    if (status == TRIB_OK) {
        if (i == TARGET) write_words(s, s->planted.word, s->planted.n_words, &writer);
        else if (i == TRUTH) write_truth(s, &writer);
        else if (i == EXPERIMENT) write_experiment(s, &writer);
        else write_words(s, s->text[i].word, s->text[i].n, &writer);
        status = trib_writer_commit(&writer, NULL, error);
    }
    trib_buffer_release(&path);
    return status;
}

static trib_status write_corpus(const synthesis *s, const char *directory, trib_error *error) {
    if (mkdir(directory, 0777) != 0)
        return errno == EEXIST ? trib_fail(error, TRIB_USAGE,
                                           "%s: exists already; nothing was written", directory)
                               : trib_fail(error, TRIB_OUTPUT, "%s: cannot be created: %s",
                                           directory, strerror(errno));
    trib_status status = TRIB_OK;
    for (int i = 0; status == TRIB_OK && i + 1 < (int)s->n_texts; i++)
        status = write_file(s, directory, i, error);
    for (int i = TARGET; status == TRIB_OK && i >= EXPERIMENT; i--)
        status = write_file(s, directory, i, error);
    return status;
}

static trib_status tell(const synthesis *s, const trib_command_line *line, trib_writer *out,
                        trib_error *error) {
    if (!line->json) {
        write_truth(s, out);
        return TRIB_OK;
    }
    json_t *truth = json_array();
    for (size_t i = 0; i < s->n_texts; i++)
        json_array_append_new(
            truth, json_pack("{s:o, s:o, s:o}", "source",
                             trib_json_text(i + 1 < s->n_texts ? s->text[i].id : "author"), "words",
                             trib_json_real("words", s->words_truth[i]), "ngrams",
                             trib_json_real("ngrams", s->ngrams_truth[i])));
    return trib_json_write(json_pack("{s:i, s:o}", "schema", 1, "truth", truth), out, error);
}

trib_status trib_command_synth(const trib_command_line *line, trib_log *log, trib_writer *out,
                               trib_error *error) {
    synthesis s = {0};
    const char *directory = line->output ? line->output : "planted";
    char word[1024];
    trib_status status = read_numbers(&s, line, error);
    if (status == TRIB_OK) status = read_operands(&s, line, error);
    if (status == TRIB_OK) status = read_texts(&s, error);
    if (status == TRIB_OK) status = plant(&s, error);
    if (status == TRIB_OK) status = write_corpus(&s, directory, error);
    if (status == TRIB_OK) status = tell(&s, line, out, error);
    if (status == TRIB_OK)
        trib_log_say(log, TRIB_LOG_INFO, "now: tributary run %s/experiment.yaml",
                     trib_shell_word(word, sizeof word, directory));
    for (size_t i = 0; s.text && i < s.n_texts; i++) {
        trib_free(s.text[i].id);
        trib_free(s.text[i].word);
    }
    trib_free(s.text);
    trib_free(s.words_truth);
    trib_free(s.ngrams_truth);
    trib_synth_release(&s.planted);
    trib_intern_release(&s.words);
    return status;
}
