/* check.c - `tributary check`: reports every mistake in a configuration and in its texts, which it
 * reads as a run does, and estimates the cost of the run. */
#include <unistd.h>

#include "pipeline/program/command.h"
#include "pipeline/program/tools.h"
#include "pipeline/run/run.h"
#include "pipeline/run/sweep.h"
#include "pipeline/store/cache.h"
#include "pipeline/support/json.h"
#include "pipeline/support/memory_limit.h"
#include "pipeline/support/terminal.h"
#include "pipeline/text/archive.h"

/* Receives diagnostics: logs each, and adds it to the JSON document when there is one. */
struct diagnostics {
    trib_log *log;
    json_t *errors, *warnings; /* NULL: no document */
};

static void list(struct diagnostics *diagnostics, bool is_error, const char *message) {
    if (diagnostics->errors)
        json_array_append_new(is_error ? diagnostics->errors : diagnostics->warnings,
                              trib_json_text(message));
}

static void report(void *context, bool is_error, const char *message) {
    struct diagnostics *diagnostics = context;
    trib_log_say(diagnostics->log, is_error ? TRIB_LOG_ERROR : TRIB_LOG_WARNING, "%s", message);
    list(diagnostics, is_error, message);
}

/* Reads the texts as a run does. The log has every error already, but for the last. The files that
 * are left out are listed on the page instead. */
static trib_status read_texts(trib_run *run, trib_config *config, const trib_command_line *line,
                              struct diagnostics *diagnostics, trib_error *error) {
    trib_run_options options = {.comm = &line->comm, .n_threads = (int)line->n_threads};
    const size_t n_left_out = config->corpus.n_left_out;
    trib_error why = {0};
    trib_status status = TRIB_OK;
    if (!line->no_cache)
        status = trib_cache_open(&options.cache, line->cache_directory, diagnostics->log, error);
    if (status != TRIB_OK) return status;
    trib_log_catch_signals(diagnostics->log, 0);
    config->corpus.n_left_out = 0;
    status = trib_run_read(run, config, &options, diagnostics->log, &why);
    config->corpus.n_left_out = n_left_out;
    run->cache = NULL;
    trib_cache_close(options.cache);
    for (size_t w = 0; w < run->warnings.n; w++) list(diagnostics, false, run->warnings.text[w]);
    if (status == TRIB_OK) return status;
    if (config->corpus.skips_refused || run->corpus.n_rejected == 0)
        list(diagnostics, true, why.message);
    else
        for (uint32_t r = 0; r < run->corpus.n_rejected; r++)
            list(diagnostics, true, run->corpus.rejected[r].why);
    return trib_fail(error, status, "%s", why.message);
}

/* Rounds to two digits: the estimate is no more precise. */
static double rounded(double value) {
    if (value < 10) return ceil(value);
    const double scale = pow(10, floor(log10(value)) - 1);
    return scale * round(value / scale);
}

static const char *bytes_text(char out[32], double bytes) {
    static const char *const unit[] = {"bytes", "KB", "MB", "GB", "TB"};
    size_t u = 0;
    for (; bytes >= 1000 && u < 4; u++) bytes /= 1000;
    snprintf(out, 32, bytes < 10 && u > 0 ? "%.1f %s" : "%.0f %s", bytes, unit[u]);
    return out;
}

static const char *time_text(char out[32], double seconds) {
    if (seconds < 1) snprintf(out, 32, "under 1 s");
    else if (seconds < 120) snprintf(out, 32, "%.0f s", rounded(seconds));
    else if (seconds < 7200) snprintf(out, 32, "%.0f min", rounded(seconds / 60));
    else snprintf(out, 32, "%.0f h", rounded(seconds / 3600));
    return out;
}

/* The text for standard output while it is put together. */
typedef struct page {
    trib_buffer *text;
    size_t columns; /* width of the terminal */
    trib_error *error;
} page;

/* Writes a text, its lines after the first indented. */
static void write_wrapped(const page *p, const char *text, size_t indent) {
    trib_wrap(p->text, text, indent, p->columns, p->error);
}

static void write_estimate(const page *p, const trib_config *config,
                           const trib_estimate *estimate) {
    char n_documents[32], words[32], nonzeros[32], size[32], memory[32], seconds[32], note[512];
    char n_candidates[32], unpacked[32], limit[128], most[32];
    const uint64_t n_unpacked = trib_budget_unpacked();
    const int width = p->columns < 60 ? 8 : 12;
    snprintf(n_documents, sizeof n_documents, "%u", (unsigned)config->corpus.n_documents);
    snprintf(n_candidates, sizeof n_candidates, "%u", (unsigned)estimate->n_candidates);
    snprintf(words, sizeof words, "%.0f", rounded(estimate->n_tokens));
    snprintf(nonzeros, sizeof nonzeros, "%.0f", rounded(estimate->nnz));
    snprintf(note, sizeof note, "about; different %u-grams, added over the documents",
             (unsigned)config->tensor.n);
    snprintf(limit, sizeof limit,
             "of archives and packed files, read once; a run may unpack %s (resources.unpacked)",
             bytes_text(most, (double)trib_budget_now().unpacked));
    const struct {
        const char *name, *value, *note;
    } row[] = {
        {"documents", n_documents, bytes_text(size, (double)estimate->n_bytes)},
        {"words", words, "about"},
        {"nonzeros", nonzeros, note},
        {"sources", estimate->n_candidates > 0 ? n_candidates : NULL,
         "of a target at most are measured, those with the largest estimated shares "
         "(influence.candidates)"},
        {"unpacked", n_unpacked > 0 ? bytes_text(unpacked, (double)n_unpacked) : NULL, limit},
        {"memory", bytes_text(memory, rounded(estimate->memory)), "about"},
        {"time", time_text(seconds, estimate->seconds), "about; on one core"},
    };
    trib_buffer_print(p->text, p->error, "%s: no errors\n\n", config->path);
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        if (!row[r].value) continue;
        trib_buffer_print(p->text, p->error, "  %-9s   %*s  ", row[r].name, width, row[r].value);
        write_wrapped(p, row[r].note, 16 + (size_t)width); /* the notes are a column */
    }
    snprintf(note, sizeof note,
             "Estimated from the sizes of the files: six bytes to a word, and as many different "
             "%u-grams as are usual in texts of such lengths. Memory and time may be off by a "
             "factor of two, and by more for text that is not European or not UTF-8.",
             (unsigned)config->tensor.n);
    trib_buffer_add(p->text, "\n", 1, p->error);
    write_wrapped(p, note, 0);
}

/* Says how a text was read and what was left out of it. */
static void write_account(const page *p, const trib_account *account) {
    enum { SHOWN = offsetof(trib_account_counts, alone) / sizeof(uint64_t) };
    char line[2048], text[TRIB_ACCOUNT_TEXT];
    const int begin = snprintf(line, sizeof line, "read as %s", account->kind);
    int n = begin;
    for (size_t i = 0; i < TRIB_ACCOUNT_COLUMNS - 2; i++) {
        trib_account_cell(text, account, i);
        if (*text && strcmp(text, "0") != 0 && (i < SHOWN || i >= TRIB_ACCOUNT_ROWS))
            n += snprintf(line + n, sizeof line - (size_t)n, "; %s: %s",
                          trib_account_columns[i].title, text);
    }
    if (n == begin && strcmp(account->kind, "text") == 0) return;
    trib_buffer_add(p->text, "    ", 4, p->error);
    write_wrapped(p, line, 6);
}

/* Lists the texts: each by its id, then its title unless that is the id, its file, date and number
 * of words; of many the first. */
static void write_texts(const page *p, const trib_run *run) {
    enum { NAMED = 20 };
    const uint32_t n = run->corpus.n_documents;
    TRIB_OWNED(trib_buffer) line = {0};
    trib_buffer_add(p->text, "\n", 1, p->error);
    write_wrapped(p, "Ids of the texts, with title, file, date and words:", 0);
    for (uint32_t d = 0; d < n && d < NAMED; d++) {
        const trib_corpus_document *about = run->corpus.document[d].about;
        const size_t n_words = run->words.document[d].n_tokens;
        const bool is_titled = strcmp(about->title, about->id) != 0;
        char clean[TRIB_PATH_MAX];
        trib_buffer_clear(&line);
        trib_buffer_print(&line, p->error, "%s: %s%s%s; %s%s%zu word%s", about->id,
                          is_titled ? about->title : "", is_titled ? "; " : "", about->file,
                          about->date ? about->date : "", about->date ? "; " : "", n_words,
                          n_words == 1 ? "" : "s");
        if (line.failure != TRIB_OK) p->text->failure = line.failure;
        if (p->text->failure != TRIB_OK) break;
        trib_clean(clean, sizeof clean, line.text, line.length, false);
        trib_buffer_add(p->text, "  ", 2, p->error);
        write_wrapped(p, clean, 4);
        write_account(p, &run->words.document[d].account);
    }
    if (n > NAMED)
        trib_buffer_print(p->text, p->error, "  and %u more; --json names them all\n",
                          (unsigned)(n - NAMED));
}

static json_t *texts_json(const trib_run *run) {
    json_t *list = json_array();
    for (uint32_t d = 0; d < run->corpus.n_documents; d++) {
        const trib_corpus_document *about = run->corpus.document[d].about;
        json_t *object = json_object();
        trib_json_set_text(object, "id", about->id);
        trib_json_set_text(object, "title", about->title);
        trib_json_set_text(object, "file", about->file);
        trib_json_set_text(object, "date", about->date);
        trib_json_set_count(object, "words", run->words.document[d].n_tokens);
        json_object_set_new(object, "account", trib_account_json(&run->words.document[d].account));
        json_array_append_new(list, object);
    }
    return list;
}

/* Lists the files in folders and archives that a run would not read, each with the reason; when
 * there are many, the first of them. */
static void write_left_out(const page *p, const trib_config *config) {
    enum { NAMED = 20 };
    const size_t n = config->corpus.n_left_out;
    char line[TRIB_PATH_MAX + 64];
    if (n == 0) return;
    trib_buffer_add(p->text, "\n", 1, p->error);
    snprintf(line, sizeof line, "%zu file%s beside the texts would not be read:", n,
             n == 1 ? "" : "s");
    write_wrapped(p, line, 0);
    for (size_t i = 0; i < n && i < NAMED; i++) {
        const trib_left_out *out = &config->corpus.left_out[i];
        char name[TRIB_PATH_MAX];
        trib_clean(name, sizeof name, out->file, strlen(out->file), false);
        snprintf(line, sizeof line, "%s: %s", name, out->why);
        trib_buffer_add(p->text, "  ", 2, p->error);
        write_wrapped(p, line, 2);
    }
    if (n > NAMED)
        trib_buffer_print(p->text, p->error, "  and %zu more; --json names them all\n", n - NAMED);
}

/* What a run directory will hold of the words of the texts, and how to change that. */
static const char *rights_of(const trib_config *config) {
    switch (config->report.text) {
    case TRIB_TEXT_FULL:
        return "The run directory and its report will hold the words of the texts, in passages of "
               "any length. Publish them only if you have the right to publish the texts. With "
               "`report.text: snippets` they hold the first 60 words of a passage, with "
               "`report.text: none` no passages.";
    case TRIB_TEXT_SNIPPETS:
        return "The run directory and its report will hold words of the texts, at most the first "
               "60 of a passage. Publish them only if you have the right to quote the texts. With "
               "`report.text: none` they hold no passages.";
    case TRIB_TEXT_NONE:
        break;
    }
    return "The run directory and its report will hold no passages of the texts. Their lists of "
           "words and phrases remain.";
}

static json_t *left_out_json(const trib_config *config) {
    json_t *list = json_array();
    for (size_t i = 0; i < config->corpus.n_left_out; i++) {
        const trib_left_out *out = &config->corpus.left_out[i];
        json_array_append_new(
            list, json_pack("{s:o, s:s}", "file", trib_json_text(out->file), "why", out->why));
    }
    return list;
}

static json_t *estimate_json(const trib_estimate *estimate) {
    json_t *object =
        json_pack("{s:I, s:o, s:o, s:o, s:o, s:s}", "bytes", (json_int_t)estimate->n_bytes, "words",
                  trib_json_real("words", rounded(estimate->n_tokens)), "nonzeros",
                  trib_json_real("nonzeros", rounded(estimate->nnz)), "memory_bytes",
                  trib_json_real("memory_bytes", rounded(estimate->memory)), "seconds_on_one_core",
                  trib_json_real("seconds_on_one_core", rounded(estimate->seconds)), "how",
                  "from file sizes: six bytes to a word, n-grams as in texts of such lengths");
    trib_json_set_count(object, "unpacked_bytes", trib_budget_unpacked());
    if (estimate->n_candidates > 0)
        trib_json_set_count(object, "candidates", estimate->n_candidates);
    return object;
}

/* Warns when a run would need more memory than there is. More than resources.memory is an error. */
static void warn_of_memory(struct diagnostics *diagnostics, double memory) {
    char text[256];
    const double have = (double)trib_memory_machine();
    if (memory <= have) return;
    snprintf(text, sizeof text,
             "a run would need about %.0f MiB of memory, more than this machine or its container "
             "has (%.0f MiB); choose a smaller cp.rank or vocabulary.size, or methods that need "
             "less",
             memory / 1048576, have / 1048576);
    report(diagnostics, false, text);
}

/* Reports the mistakes in the section `sweep`, which a run ignores. */
static trib_status check_sweep(const trib_command_line *line, struct diagnostics *diagnostics,
                               trib_error *error) {
    trib_sweep sweep;
    const trib_status status = trib_sweep_load(&sweep, line->operand[0], line->setting,
                                               line->n_settings, NULL, report, diagnostics, error);
    trib_sweep_release(&sweep);
    /* a setting for a key that varies is wrong for a sweep only; here it checks one run */
    return status == TRIB_USAGE ? TRIB_OK : status;
}

trib_status trib_command_check(const trib_command_line *line, trib_error *error) {
    TRIB_OWNED(trib_config) config = {0};
    trib_estimate estimate = {0};
    TRIB_OWNED(trib_buffer) text = {0};
    TRIB_OWNED(trib_run) run = {0};
    if (line->json && line->print_config)
        return trib_fail(error, TRIB_USAGE, "--print-config writes YAML; leave out --json");
    struct diagnostics diagnostics = {line->log, line->json ? json_array() : NULL,
                                      line->json ? json_array() : NULL};
    trib_status status =
        trib_config_load_for_run(&config, line->operand[0], line->setting, line->n_settings, report,
                                 &diagnostics, &line->comm, error);
    if (status == TRIB_OK && config.has_sweep) status = check_sweep(line, &diagnostics, error);
    if (status == TRIB_OK) status = read_texts(&run, &config, line, &diagnostics, error);
    if (status == TRIB_OK) status = trib_run_estimate(&run, &estimate, error);
    if (status == TRIB_OK) {
        warn_of_memory(&diagnostics, estimate.memory);
        const page p = {&text, trib_page_columns(STDOUT_FILENO), error};
        write_estimate(&p, &config, &estimate);
        write_texts(&p, &run);
        trib_buffer_add(&text, "\n", 1, error);
        write_wrapped(&p, rights_of(&config), 0);
        write_left_out(&p, &config);
        status = text.failure;
    }
    if (status == TRIB_OK && line->print_config) {
        trib_config_write(&config, line->out, TRIB_CONFIG_MARKED);
        if (trib_log_shows(line->log, TRIB_LOG_INFO)) trib_log_show(line->log, text.text);
    } else if (status == TRIB_OK && !line->json) {
        trib_write_text(line->out, text.text);
    } else if (line->json) {
        json_t *document = json_pack("{s:i, s:O, s:O}", "schema", 1, "errors", diagnostics.errors,
                                     "warnings", diagnostics.warnings);
        if (status == TRIB_OK) {
            json_object_set_new(document, "documents", texts_json(&run));
            json_object_set_new(document, "not_read", left_out_json(&config));
            if (run.words.taken.n > 0) {
                json_t *read_as = json_array();
                for (size_t i = 0; i < run.words.taken.n; i++)
                    json_array_append_new(read_as, trib_json_text(run.words.taken.line[i]));
                json_object_set_new(document, "read_as", read_as);
            }
            json_object_set_new(document, "estimate", estimate_json(&estimate));
            trib_json_set_text(document, "rights", rights_of(&config));
        }
        const trib_status written =
            trib_json_write(document, line->out, status == TRIB_OK ? error : NULL);
        if (status == TRIB_OK) status = written;
    }
    json_decref(diagnostics.errors);
    json_decref(diagnostics.warnings);
    return status;
}
