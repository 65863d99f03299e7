/* cp.c - `tributary cp`: decomposes one tensor, from a .tns file to a .ktns file, with its
 * trace. It can be stopped and resumed at any iteration, or start from the components of an
 * earlier decomposition. */
#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "base/system.h"
#include "pipeline/program/command.h"
#include "pipeline/program/tools.h"
#include "pipeline/stages/factors.h"
#include "pipeline/support/json.h"
#include "pipeline/support/tables.h"

#define BETWEEN_CHECKPOINTS 60.0 /* seconds */

/* The state of one call of the command. */
typedef struct job {
    const trib_command_line *line;
    trib_config config;
    trib_tensor_file file;
    trib_tensor x;
    /* the SHA-256 of tensor and settings, which a checkpoint must match */
    char work[TRIB_SHA256_TEXT];
    trib_intern names; /* --words: the word of index i in every mode */
    const char **name; /* [names.n_words]; NULL: no --words */
    trib_ktensor from; /* --from */
    uint32_t *missing; /* [n_missing][n_modes] --missing */
    size_t n_missing;
    trib_checkpoint checkpoint; /* --resume */
    double saved;               /* when the last checkpoint was written, in seconds */
    trib_arena arena;           /* of paths */
    const char *stopped;        /* path of the checkpoint */
    trib_ktensor k;
    trib_cp_trace trace;
    trib_rank_search search;
    trib_judgement judged;
    /* what the decomposition took: elapsed time, and processor time of all threads */
    double seconds, processor;
} job;

/* The path of a file in the output directory; "" after a failure of the arena. */
static const char *path_of(job *j, const char *name) {
    return trib_arena_print(&j->arena, "%s/%s", j->line->output, name);
}

/* ---- Input ----------------------------------------------------------------------------------- */

static trib_status read_tensor(job *j, trib_error *error) {
    const char *path = j->line->operand[0];
    trib_reader reader;
    TRIB_OWNED(trib_buffer) text = {0};
    trib_sha256 hash = {0};
    trib_status status = trib_read_whole(path, &text, error);
    if (status == TRIB_OK) {
        trib_sha256_add(&hash, j->config.hash, strlen(j->config.hash));
        trib_sha256_add(&hash, text.text, text.length);
        trib_sha256_end(&hash, j->work);
        trib_reader_memory(&reader, trib_input_name(path), text.text, text.length);
        status = trib_tensor_file_from(&j->file, &reader, path, j->line, &j->config, error);
    }
    return status == TRIB_OK ? trib_tensor_file_read(&j->file, NULL, &j->config, error) : status;
}

static trib_status take_lines(trib_intern *words, const char *path, uint32_t n,
                              const trib_buffer *text, trib_error *error) {
    const char *at = text->text ? text->text : "", *end = at + text->length;
    for (uint32_t i = 0; i < n; i++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const size_t length = stop ? (size_t)(stop - at) : 0;
        uint32_t id = 0;
        if (length == 0)
            return trib_fail(error, TRIB_INPUT, "%s:%u: a word is missing: the tensor has %u", path,
                             (unsigned)i + 1, (unsigned)n);
        const trib_status status = trib_intern_add(words, at, length, &id, error);
        if (status != TRIB_OK) return status;
        if (id < i)
            return trib_fail(error, TRIB_INPUT, "%s:%u: the same word as in line %u", path,
                             (unsigned)i + 1, (unsigned)id + 1);
        at = stop + 1;
    }
    if (at == end) return TRIB_OK;
    return trib_fail(error, TRIB_INPUT, "%s: has more words than the tensor's %u", path,
                     (unsigned)n);
}

/* Reads n words into `words`, which must be empty: id i is index i. TRIB_INPUT, with file and line,
 * when there are fewer or more, or a word occurs twice. */
static trib_status read_word_lines(trib_intern *words, const char *path, uint32_t n,
                                   trib_error *error) {
    TRIB_OWNED(trib_buffer) text = {0};
    trib_status status = trib_read_whole(path, &text, error);
    return status == TRIB_OK ? take_lines(words, path, n, &text, error) : status;
}

/* Reads the words of --words; an index means the same word in every mode. */
static trib_status read_words(job *j, trib_error *error) {
    uint32_t n = 0;
    if (!j->line->words) return TRIB_OK;
    for (uint32_t m = 0; m < j->file.tensor.place.n_modes; m++)
        if (j->file.tensor.place.dim[m] > n) n = j->file.tensor.place.dim[m];
    trib_status status = read_word_lines(&j->names, j->line->words, n, error);
    if (status == TRIB_OK) status = TRIB_NEW(&j->name, n, "words", error);
    for (uint32_t i = 0; status == TRIB_OK && i < n; i++)
        j->name[i] = trib_intern_word(&j->names, i);
    return status;
}

/* Moves the rows of j->from to the indices that have the same words in the tensor; a row whose
 * word the tensor lacks is left out. */
static trib_status move_rows(job *j, const trib_ktns_words *words, trib_error *error) {
    const trib_hacoo *x = &j->file.tensor.place;
    trib_ktensor moved;
    trib_status status = trib_ktensor_init(&moved, x->n_modes, x->dim, j->from.rank, error);
    if (status != TRIB_OK) return status;
    memcpy(moved.lambda, j->from.lambda, j->from.rank * sizeof *moved.lambda);
    for (uint32_t m = 0; m < x->n_modes; m++)
        for (uint32_t i = 0; i < j->from.dim[m]; i++) {
            const char *word = i < words->n ? words->word[i] : NULL;
            const uint32_t to = word ? trib_intern_find(&j->names, word, strlen(word)) : UINT32_MAX;
            if (to >= moved.dim[m]) continue;
            memcpy(moved.factor[m] + (size_t)to * moved.rank,
                   j->from.factor[m] + (size_t)i * moved.rank, moved.rank * sizeof(double));
        }
    trib_ktensor_release(&j->from);
    j->from = moved;
    return TRIB_OK;
}

static trib_status read_from(job *j, trib_error *error) {
    const char *path = j->line->from;
    trib_reader reader;
    TRIB_OWNED(trib_ktns_words) words = {0};
    if (!path) return TRIB_OK;
    trib_status status = trib_reader_open(&reader, path, error);
    if (status != TRIB_OK) return status;
    status = trib_ktns_read_words(&j->from, &words, &reader, error);
    trib_reader_close(&reader);
    if (status != TRIB_OK) return status;
    if (j->from.n_modes != j->file.tensor.place.n_modes)
        status = trib_fail(error, TRIB_INPUT, "%s: has %u modes, the tensor %u", path,
                           (unsigned)j->from.n_modes, (unsigned)j->file.tensor.place.n_modes);
    else if (words.word && j->name) status = move_rows(j, &words, error);
    else if (words.word)
        trib_log_say(j->line->log, TRIB_LOG_WARNING,
                     "%s: its words are ignored, so index i means index i; give the tensor's words "
                     "with --words FILE",
                     path);
    else if (j->name)
        trib_log_say(j->line->log, TRIB_LOG_WARNING, "%s: has no words, so index i means index i",
                     path);
    return status;
}

/* Takes the cells of the file of --missing out of the tensor. They belong to the work, too. */
static trib_status read_missing(job *j, trib_error *error) {
    const char *path = j->line->missing;
    trib_hacoo *x = &j->file.tensor.place;
    trib_tensor_file file = {0};
    trib_sha256 hash = {0};
    if (!path) return TRIB_OK;
    if (j->config.cp.rank == TRIB_RANK_AUTO)
        return trib_fail(error, TRIB_USAGE,
                         "--missing: the rank cannot be looked for, because the consistency of a "
                         "core needs all cells; set cp.rank to holdout or a number");
    trib_status status = trib_tensor_file_load(&file, path, j->line, &j->config, error);
    const trib_hacoo *cells = &file.tensor.place;
    if (status == TRIB_OK && cells->n_modes != x->n_modes)
        status = trib_fail(error, TRIB_INPUT, "%s: has %u modes, the tensor %u", path,
                           (unsigned)cells->n_modes, (unsigned)x->n_modes);
    if (status == TRIB_OK)
        status = TRIB_NEW(&j->missing, cells->nnz * cells->n_modes, "missing cells", error);
    if (status == TRIB_OK) j->n_missing = cells->nnz;
    for (size_t z = 0; z < j->n_missing && status == TRIB_OK; z++) {
        uint32_t *index = j->missing + z * x->n_modes;
        (void)trib_hacoo_entry(cells, z, index);
        for (uint32_t m = 0; m < x->n_modes && status == TRIB_OK; m++)
            if (index[m] >= x->dim[m])
                status = trib_fail(error, TRIB_INPUT,
                                   "%s: has index %lu in mode %u, whose size in the tensor is %lu",
                                   path, index[m] + 1UL, m + 1U, (unsigned long)x->dim[m]);
        const size_t e = trib_hacoo_find(x, index);
        if (e == TRIB_NO_ENTRY) continue;
        if (j->file.tensor.value) j->file.tensor.value[e] = j->file.tensor.value[x->nnz - 1];
        (void)trib_hacoo_remove(x, index);
    }
    trib_sha256_add(&hash, j->work, strlen(j->work));
    trib_sha256_add(&hash, j->missing, j->n_missing * x->n_modes * sizeof *j->missing);
    trib_sha256_end(&hash, j->work);
    trib_tensor_file_release(&file);
    return status;
}

/* Opens the output directory. One that contains a decomposition is an error; one with a
 * checkpoint needs --resume. */
static trib_status open_directory(job *j, trib_error *error) {
    const char *directory = j->line->output;
    const char *factors = path_of(j, "factors.ktns");
    j->stopped = path_of(j, "checkpoint");
    trib_status status = trib_arena_check(&j->arena, error);
    if (status == TRIB_OK) status = trib_disk_seal(directory, error);
    if (status != TRIB_OK) return status;
    if (trib_disk_make_folder(directory) != 0 && errno != EEXIST)
        return trib_fail(error, TRIB_OUTPUT, "%s: cannot be created: %s", directory,
                         strerror(errno));
    if (!trib_disk_is_folder(directory))
        return trib_fail(error, TRIB_USAGE,
                         "%s: is a file; the output must be a directory (-o DIR)", directory);
    if (trib_disk_has(factors))
        return trib_fail(error, TRIB_USAGE, "%s: exists already; choose another directory with -o",
                         factors);
    if (!trib_disk_has(j->stopped)) return TRIB_OK;
    if (!j->line->resume)
        return trib_fail(error, TRIB_USAGE,
                         "%s: contains a stopped decomposition; resume it with --resume",
                         directory);
    TRIB_OPENED(trib_reader) reader = {0};
    status = trib_reader_open(&reader, j->stopped, error);
    if (status != TRIB_OK) return status;
    return trib_checkpoint_read(&j->checkpoint, j->work, &reader, error);
}

/* ---- The decomposition ----------------------------------------------------------------------- */

static double seconds(void *log) { return trib_log_seconds(log); }

static double processor_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Writes a checkpoint once a minute, and when a signal or the time limit asked to stop. */
static trib_status save(void *context, const trib_cp_state *state, trib_error *error) {
    job *j = context;
    const double now = trib_log_seconds(j->line->log);
    if (state->is_done) return TRIB_OK; /* finished: write_files follows */
    if (trib_log_stopped(j->line->log, NULL) == TRIB_OK && now < j->saved + BETWEEN_CHECKPOINTS)
        return TRIB_OK;
    j->saved = now;
    return trib_checkpoint_write(state, j->work, j->stopped, error);
}

/* Checks that the penalties fit the modes of this tensor, whatever tensor.n is. */
static trib_status fit_penalties(job *j, trib_error *error) {
    const uint32_t n = j->file.tensor.place.n_modes;
    const trib_mode_numbers *const penalty[] = {&j->config.cp.l1, &j->config.cp.l2};
    for (int p = 0; p < 2; p++)
        if (penalty[p]->n > 1 && penalty[p]->n != n)
            return trib_fail(error, TRIB_CONFIG,
                             "cp.l%d has %u numbers, and the tensor %u modes; give one, or one for "
                             "each",
                             p + 1, (unsigned)penalty[p]->n, (unsigned)n);
    j->config.tensor.n = n;
    return TRIB_OK;
}

static trib_status decompose(job *j, trib_error *error) {
    const int n_threads = trib_command_threads(j->line, &j->config);
    trib_cp_options options =
        trib_config_cp_options(&j->config, n_threads, trib_log_progress(j->line->log));
    char reason[TRIB_REASON_MAX];
    const trib_format *format = trib_format_choose(
        j->config.tensor.format, &j->file.tensor.place,
        trib_config_rank(&j->config, j->file.tensor.place.nnz), j->config.cp.iterations, reason);
    trib_status status =
        trib_tensor_build_cut(&j->x, format, j->config.tensor.cut, &j->file.tensor.place,
                              j->file.tensor.value, n_threads, error);
    if (status != TRIB_OK) return status;
    options.from = j->from.n_modes > 0 ? &j->from : NULL;
    options.missing = j->missing;
    options.n_missing = j->n_missing;
    options.clock = (trib_clock){seconds, j->line->log};
    options.hook = (trib_cp_hook){save, j};
    options.resume = j->checkpoint.number ? &j->checkpoint.state : NULL;
    trib_log_stage_begin(j->line->log, "cp");
    if (options.single) trib_log_say(j->line->log, TRIB_LOG_INFO, "%s", TRIB_SINGLE_NOTE);
    const double begun = trib_log_seconds(j->line->log), used = processor_seconds();
    if (TRIB_RANK_IS_SEARCHED(j->config.cp.rank))
        status = trib_cp_search(&j->k, &j->x, &options, j->config.cp.max_rank, &j->search,
                                &j->trace, error);
    else status = trib_cp(&j->k, &j->x, &options, &j->trace, error);
    j->seconds = trib_log_seconds(j->line->log) - begun;
    j->processor = processor_seconds() - used;
    if (status == TRIB_OK) status = trib_judge_factors(&j->judged, &j->k, &j->x, error);
    if (j->missing) j->judged.l1_error = NAN; /* it counts missing cells as zeros */
    trib_log_stage_end(j->line->log);
    return status;
}

/* The divergence that the solver minimised; NaN when it minimised another measure. */
static double kl_of(const job *j) {
    const trib_cp_trace *trace = &j->trace;
    return trace->n_steps > 0 ? trace->step[trace->n_steps - 1].kl : (double)NAN;
}

/* Warns of results that make the factors less reliable. */
static void warn(const job *j) {
    const trib_judgement *judged = &j->judged;
    const unsigned n_zero = j->trace.n_zero, rank = j->k.rank;
    if (n_zero > 0)
        trib_log_say(j->line->log, TRIB_LOG_WARNING,
                     "%u of %u components became zero and were removed", n_zero, n_zero + rank);
    if (judged->n_collinear > 0)
        trib_log_say(j->line->log, TRIB_LOG_WARNING,
                     "%u of %u components are nearly equal to another one (congruence up to %.3f); "
                     "a smaller rank is enough",
                     (unsigned)judged->n_collinear, rank, judged->congruence);
    if (judged->l1_error > 1 && isnan(kl_of(j)))
        trib_log_say(j->line->log, TRIB_LOG_WARNING,
                     "the L1 error is %.3f, more than without any component; choose a larger rank",
                     judged->l1_error);
    if (judged->more_than_nonzeros)
        trib_log_say(j->line->log, TRIB_LOG_WARNING, "%u components are more than the %zu nonzeros",
                     rank, j->x.nnz);
}

/* ---- Output ---------------------------------------------------------------------------------- */

typedef void (*table)(const job *j, trib_writer *writer);

static void write_factors(const job *j, trib_writer *writer) {
    trib_ktns_write(&j->k, j->name, writer);
}
static void write_trace(const job *j, trib_writer *writer) {
    trib_write_trace_csv(&j->trace, writer);
}
static void write_ranks(const job *j, trib_writer *writer) {
    trib_write_ranks_header("", writer);
    for (size_t i = 0; i < j->search.n; i++) trib_write_ranks_row(&j->search, i, writer);
}

static trib_status write_file(job *j, const char *name, table write, trib_error *error) {
    trib_writer writer;
    const char *path = path_of(j, name);
    trib_status status = trib_arena_check(&j->arena, error);
    if (status == TRIB_OK) status = trib_writer_open(&writer, path, error);
    if (status != TRIB_OK) return status;
    write(j, &writer);
    return trib_writer_commit(&writer, NULL, error);
}

/* Writes the factors last: with them the directory is complete, and the checkpoint can go. */
static trib_status write_files(job *j, trib_error *error) {
    trib_status status = write_file(j, "trace.csv", write_trace, error);
    if (status == TRIB_OK && j->search.n > 0)
        status = write_file(j, "ranks.csv", write_ranks, error);
    if (status == TRIB_OK) status = write_file(j, "factors.ktns", write_factors, error);
    if (status == TRIB_OK) (void)trib_disk_remove(j->stopped);
    return status;
}

/* A measure of a decomposition; null when it was not computed (NaN) or is infinite. */
static json_t *number_json(double value) {
    return isfinite(value) ? trib_json_real("a measure", value) : json_null();
}

static json_t *ranks_json(const trib_rank_search *search) {
    json_t *ranks = json_array();
    for (size_t i = 0; i < search->n; i++) {
        const trib_rank_step *step = &search->step[i];
        json_array_append_new(
            ranks, json_pack("{s:i, s:i, s:o, s:o, s:o, s:I, s:b}", "rank", (int)step->rank,
                             "components", (int)step->n_components, "error",
                             number_json(step->error), "l1_error", number_json(step->l1_error),
                             "core_consistency", number_json(step->core_consistency), "iterations",
                             (json_int_t)step->n_iterations, "chosen", i == search->chosen));
    }
    return ranks;
}

static trib_status write_json(const job *j, trib_error *error) {
    const trib_cp_trace *trace = &j->trace;
    const bool is_searched = j->search.n > 0;
    return trib_json_print(
        j->line->out, error,
        "{s:o, s:i, s:I, s:i, s:i, s:o, s:s*, s:o, s:o, s:o, s:I, s:s, s:{s:i, s:o, s:o, s:o}, "
        "s:o*, "
        "s:s*, s:o, s:o, s:o, s:I}",
        "directory", trib_json_text(j->line->output), "modes", (int)j->x.n_modes, "nonzeros",
        (json_int_t)j->x.nnz, "rank", (int)j->k.rank, "zero", (int)trace->n_zero, "fit",
        number_json(j->k.fit), "precision", j->k.single ? "single" : NULL, "l1_error",
        number_json(j->judged.l1_error), "kl", number_json(kl_of(j)), "congruence",
        number_json(j->judged.congruence), "iterations",
        (json_int_t)(trace->first + trace->n_steps), "stop", trib_stop_text(trace->stop),
        "restarts", "n", (int)trace->n_restarts, "worst_fit", number_json(trace->worst_fit),
        "mean_match", number_json(trace->mean_match), "least_match",
        number_json(trace->least_match), "ranks", is_searched ? ranks_json(&j->search) : NULL,
        "rank_end", is_searched ? trib_rank_end_text(j->search.end) : NULL, "decomposition_seconds",
        trib_json_real("decomposition_seconds", j->seconds), "decomposition_processor_seconds",
        trib_json_real("decomposition_processor_seconds", j->processor), "seconds",
        trib_json_real("seconds", trib_log_seconds(j->line->log)), "peak_bytes",
        (json_int_t)trib_peak_memory());
}

/* Writes nothing for factors with negative entries, for which the L1 error is not defined. */
static void write_l1_error(double error, trib_writer *out) {
    if (!isnan(error)) trib_print(out, ", L1 error %.4f", error);
}

static void write_text(const job *j) {
    trib_writer *out = j->line->out;
    const size_t n = j->trace.first + j->trace.n_steps;
    for (size_t i = 0; i < j->search.n; i++) {
        const trib_rank_step *step = &j->search.step[i];
        trib_print(out, "rank %-6u error %.4f", (unsigned)step->rank, step->error);
        write_l1_error(step->l1_error, out);
        if (!isnan(step->core_consistency))
            trib_print(out, ", core consistency %.1f", step->core_consistency);
        trib_write_text(out, i == j->search.chosen ? ": taken\n" : "\n");
    }
    if (j->search.n > 0) trib_print(out, "%s\n", trib_rank_end_text(j->search.end));
    trib_print(out, "%u component%s of %zu nonzero%s: fit %.4f", (unsigned)j->k.rank,
               j->k.rank == 1 ? "" : "s", j->x.nnz, j->x.nnz == 1 ? "" : "s", j->k.fit);
    if (isnan(kl_of(j))) write_l1_error(j->judged.l1_error, out);
    else trib_print(out, ", Kullback-Leibler divergence %.6g", kl_of(j));
    trib_write_text(out, "\n");
    if (j->k.single) trib_print(out, "%s\n", TRIB_SINGLE_NOTE);
    trib_print(out, "%zu iteration%s; %s\n", n, n == 1 ? "" : "s", trib_stop_text(j->trace.stop));
    if (j->trace.n_restarts > 1)
        trib_print(out,
                   "the best of %u starts; the worst has fit %.4f; match between successive starts "
                   "%.3f (least %.3f)\n",
                   (unsigned)j->trace.n_restarts, j->trace.worst_fit, j->trace.mean_match,
                   j->trace.least_match);
    trib_print(out, "%s/factors.ktns\n", j->line->output);
}

/* Reports a stop that left a checkpoint, and how to resume. */
static trib_status tell_stopped(job *j, trib_error *error) {
    trib_error why = {0};
    trib_status status = trib_log_stopped(j->line->log, &why);
    if (status == TRIB_OK) status = TRIB_INTERRUPTED;
    const trib_status written = write_file(j, "trace.csv", write_trace, error);
    if (written != TRIB_OK) return written;
    return trib_fail(error, status,
                     "%s\nafter iteration %zu; to resume, repeat the command with --resume",
                     why.message, j->trace.first + j->trace.n_steps);
}

static void release(job *j) {
    trib_disk_unseal(j->line->output);
    trib_rank_search_release(&j->search);
    trib_cp_trace_release(&j->trace);
    trib_ktensor_release(&j->k);
    trib_ktensor_release(&j->from);
    trib_intern_release(&j->names);
    TRIB_FREE(j->name, j->missing);
    trib_checkpoint_release(&j->checkpoint);
    trib_tensor_release(&j->x);
    trib_tensor_file_release(&j->file);
    trib_arena_release(&j->arena);
    trib_config_release(&j->config);
}

trib_status trib_command_cp(const trib_command_line *line, trib_error *error) {
    job j = {.line = line};
    if (!line->output)
        return trib_fail(error, TRIB_USAGE, "cp needs -o DIR, the directory for the factors");
    trib_status status = trib_tensor_settings(&j.config, line, error);
    if (status != TRIB_OK) goto done;
    trib_log_catch_signals(line->log, j.config.resources.time);
    status = read_tensor(&j, error);
    if (status == TRIB_OK) status = fit_penalties(&j, error);
    if (status == TRIB_OK) status = read_missing(&j, error);
    if (status == TRIB_OK) status = read_words(&j, error);
    if (status == TRIB_OK) status = read_from(&j, error);
    if (status == TRIB_OK) status = open_directory(&j, error);
    if (status == TRIB_OK) status = decompose(&j, error);
    if (status != TRIB_OK) goto done;
    const bool stopped =
        j.search.n > 0 ? j.search.end == TRIB_RANK_ASKED : j.trace.stop == TRIB_STOP_ASKED;
    status = stopped ? tell_stopped(&j, error) : write_files(&j, error);
    if (status != TRIB_OK) goto done;
    warn(&j);
    if (line->json) status = write_json(&j, error);
    else write_text(&j);
done:
    release(&j);
    return status;
}
