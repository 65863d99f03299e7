/* parallels.c - the search for possible allusions: pairs of phrases scored in a second on one core,
 * and the whole way from two files to the list. Lucan's first book and the Aeneid by a table of
 * lemmas ($TRIBUTARY_SHARED or ../shared; corpora/lucan-aeneid); without them, texts of as many
 * words drawn by Zipf's law. */
#include "tests/bench/bench.h"

#include <limits.h>
#include <unistd.h>

#include "pipeline/config/config.h"
#include "pipeline/run/run.h"

enum { LONG = 481000, TARGET = 4377, SOURCE = 63687, PHRASE = 11, TYPES = 20000 };

/* Two texts, and what is searched for in them. */
typedef struct searched {
    char folder[64];
    char yaml[2048];
    trib_config config;
    trib_log *log;
    trib_run run; /* up to stage vocabulary */
    trib_word_features features;
    trib_text_units units[2]; /* of source and target: documents are sorted by id */
    int n_threads;
    uint64_t n_scored;
} searched;

static void write_file(const char *folder, const char *name, const trib_buffer *text,
                       size_t times) {
    char path[256];
    trib_writer writer;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    bench_must(trib_writer_open(&writer, path, &bench_error));
    for (size_t i = 0; i < times; i++) trib_write(&writer, text->text, text->length);
    bench_must(trib_writer_commit(&writer, NULL, &bench_error));
}

static void draw_text(trib_buffer *text, size_t n_words, uint64_t seed) {
    trib_random random;
    trib_random_seed(&random, seed);
    for (size_t i = 0; i < n_words; i++) {
        const unsigned type = (unsigned)exp(trib_random_unit(&random) * log(TYPES));
        bench_must(trib_buffer_print(text, &bench_error, "w%x%s", type * 2654435u % 1048576u,
                                     i % PHRASE == PHRASE - 1 ? ".\n" : " "));
    }
}

/* Sets the path of a file of the shared corpora and reads it, unless text is NULL; false when there
 * is none. */
static bool read_shared(trib_buffer *text, const char *name, char path[PATH_MAX]) {
    const char *root = getenv("TRIBUTARY_SHARED");
    char given[PATH_MAX];
    snprintf(given, sizeof given, "%s/corpora/lucan-aeneid/%s", root && *root ? root : "../shared",
             name);
    if (!realpath(given, path)) return false;
    if (text) bench_must(trib_read_whole(path, text, &bench_error));
    return true;
}

static void complain(void *context, bool is_error, const char *message) {
    (void)context;
    (void)is_error;
    fprintf(stderr, "bench: %s\n", message);
}

/* Runs the stages before the search, or all. */
static void run_stages(searched *s, bool all) {
    static const char *const stages[] = {"corpus", "tokens", "vocabulary", "parallels"};
    trib_run_init(&s->run, &s->config, s->log, s->n_threads);
    for (size_t i = 0; i < (all ? 4 : 3); i++)
        bench_must(trib_run_stage(&s->run, stages[i], &bench_error));
}

static void from_files(void *context) {
    searched *s = context;
    run_stages(s, true);
    trib_run_release(&s->run);
}

static void search(void *context) {
    searched *s = context;
    const trib_parallel_options options = {
        .distance = s->config.parallels.distance, .top = 100, .n_threads = s->n_threads};
    trib_parallels found;
    bench_must(trib_parallels_find(&found, &s->features.lexicon, &s->units[1].text,
                                   &s->units[0].text, &options, (trib_progress){0}, &bench_error));
    s->n_scored = found.n_scored;
    trib_parallels_release(&found);
}

/* Writes the texts, the source as often as `n_words` asks for (0: once), and reads them. */
static void open_texts(searched *s, size_t n_words, bool *is_drawn) {
    trib_buffer target = {0}, source = {0};
    char path[PATH_MAX], lemmas[PATH_MAX] = "";
    *s = (searched){.folder = "/tmp/tributary-bench-XXXXXX", .n_threads = 1};
    if (!mkdtemp(s->folder))
        bench_must(trib_fail(&bench_error, TRIB_OUTPUT, "cannot make %s", s->folder));
    *is_drawn = !read_shared(&target, "lucan_1.txt", path) ||
                !read_shared(&source, "aeneid.txt", path) ||
                !read_shared(NULL, "lemmas.tsv", lemmas);
    if (*is_drawn) {
        trib_buffer_clear(&target);
        trib_buffer_clear(&source);
        draw_text(&target, TARGET, 1);
        draw_text(&source, SOURCE, 2);
    }
    write_file(s->folder, "target.txt", &target, 1);
    write_file(s->folder, "source.txt", &source, (n_words + SOURCE - 1) / SOURCE + (n_words == 0));
    snprintf(s->yaml, sizeof s->yaml,
             "tributary: 1\ncorpus: {target: target, documents: [source.txt, target.txt]}\n"
             "parallels: {unit: phrases, %s%.1000s%s}\n",
             *is_drawn ? "feature: words" : "spelling: latin, lemmas: '", *is_drawn ? "" : lemmas,
             *is_drawn ? "" : "'");
    snprintf(path, sizeof path, "%s/x.yaml", s->folder);
    bench_must(trib_config_parse(&s->config, path, s->yaml, NULL, 0, complain, NULL, &bench_error));
    const trib_log_options quiet = {.level = TRIB_LOG_ERROR, .progress = TRIB_SHOW_NONE};
    bench_must(trib_log_open(&s->log, &quiet, &bench_error));
    trib_buffer_release(&target);
    trib_buffer_release(&source);
}

static void close_texts(searched *s) {
    static const char *const names[] = {"target.txt", "source.txt"};
    char path[128];
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", s->folder, names[i]);
        unlink(path);
    }
    rmdir(s->folder);
    trib_log_close(s->log);
    trib_config_release(&s->config);
}

static void bench_pair(const bench_text *how, size_t n_words) {
    searched s;
    bool is_drawn;
    char tensor[64];
    open_texts(&s, n_words, &is_drawn);
    run_stages(&s, false);
    bench_must(trib_word_features_build(&s.features, &s.config, &s.run.vocab, &bench_error));
    for (uint32_t d = 0; d < 2; d++)
        bench_must(trib_text_units_read(&s.units[d], &s.config, &s.run.corpus, &s.run.words, d,
                                        &bench_error));
    search(&s);
    snprintf(tensor, sizeof tensor, "%s-%zuk", is_drawn ? "drawn" : "lucan-aeneid",
             s.run.words.document[0].n_tokens / 1000);
    const contest what = {"parallels", tensor, NULL, 1, (double)s.n_scored};
    bench_contest(how, &what, &(contestant){"search", 0, 1, NULL, search, &s}, 1);
    for (size_t d = 0; d < 2; d++) trib_text_units_release(&s.units[d]);
    trib_word_features_release(&s.features);
    trib_run_release(&s.run);
    bench_contest(how, &what, &(contestant){"from-files", 0, 1, NULL, from_files, &s}, 1);
    close_texts(&s);
}

void bench_parallels(const bench_text *how) {
    if (!bench_wanted(how, "parallels")) return;
    bench_pair(how, 0);
    bench_pair(how, LONG);
}
