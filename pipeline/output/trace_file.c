/* trace_file.c - writes and reads trace/ID.runs. All numbers are little-endian:
 *
 *      0  "TRIBRUNS"
 *      8  version 1, u32; 12 bytes of a run, 36, u32; 16 runs, u64; 24 sources, u32; 28 0, u32
 *     32  runs, each of 9 u32: first word and words in the target, first word in the source,
 *         source, probability in millionths; bytes of the files: from, to, source from, source to
 *         ids of the sources, each followed by a line feed */
#include "pipeline/output/trace_file.h"

#include <unistd.h>

#include "pipeline/config/config.h"
#include "pipeline/support/path.h"

enum { HEADER = 32, FIELDS = 9, RUN_BYTES = 4 * FIELDS, VERSION = 1, MILLION = 1000000 };
static const char magic[] = "TRIBRUNS";

bool trib_traces_are_wanted(const trib_config *config) {
    return config->report.trace && trib_method_of_trace(config);
}

/* ---- Writing --------------------------------------------------------------------------------- */

static void write_u32(trib_writer *writer, uint64_t value) {
    const uint32_t least = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
    const unsigned char bytes[] = {(unsigned char)least, (unsigned char)(least >> 8),
                                   (unsigned char)(least >> 16), (unsigned char)(least >> 24)};
    trib_write(writer, bytes, sizeof bytes);
}

static void write_header(trib_writer *writer, size_t n_runs, uint32_t n_sources) {
    trib_write(writer, magic, 8);
    write_u32(writer, VERSION);
    write_u32(writer, RUN_BYTES);
    write_u32(writer, n_runs & UINT32_MAX);
    write_u32(writer, (uint64_t)n_runs >> 32);
    write_u32(writer, n_sources);
    write_u32(writer, 0);
}

/* The words first .. last of the n n-grams from number `ngram` on. */
static void find_words(const trib_quoted *quoted, size_t ngram, size_t n, uint32_t order,
                       size_t *first, size_t *last) {
    *first = quoted->end[ngram] - (order - 1);
    *last = quoted->end[ngram + n - 1];
}

static void write_run(trib_writer *writer, const trib_quotes *quotes, uint32_t target,
                      uint32_t source, const trib_traced_run *run, uint32_t number) {
    const uint32_t order = quotes->results->config->tensor.n;
    const trib_quoted *own = &quotes->document[target], *theirs = &quotes->document[source];
    size_t first, last, source_first, source_last;
    find_words(own, run->target, run->n, order, &first, &last);
    find_words(theirs, run->place, run->n, order, &source_first, &source_last);
    const uint64_t fields[FIELDS] = {first + 1,
                                     last - first + 1,
                                     source_first + 1,
                                     number,
                                     (uint64_t)rint(run->probability * MILLION),
                                     own->place[first].offset,
                                     own->place[last].end,
                                     theirs->place[source_first].offset,
                                     theirs->place[source_last].end};
    for (size_t i = 0; i < FIELDS; i++) write_u32(writer, fields[i]);
}

#define UNUSED UINT32_MAX

/* Numbers the sources that words are traced to, in the order of the corpus: number[n_sources] of
 * the target. */
static trib_status number_sources(trib_quotes *quotes, const trib_target *target,
                                  const trib_findings *findings, uint32_t *number, uint32_t *n,
                                  trib_error *error) {
    trib_status status = TRIB_OK;
    *n = 0;
    for (uint32_t s = 0; s < target->n_sources; s++) number[s] = UNUSED;
    for (size_t i = 0; i < findings->n_trace; i++) number[findings->trace[i].source] = 0;
    for (uint32_t s = 0; s < target->n_sources && status == TRIB_OK; s++) {
        if (number[s] == UNUSED) continue;
        number[s] = (*n)++;
        status = trib_quotes_prepare(quotes, target->source[s], error);
    }
    return status;
}

trib_status trib_trace_write(const void *what, trib_writer *writer, trib_error *error) {
    const trib_trace_of *of = what;
    const trib_run_results *results = of->quotes->results;
    const trib_findings *findings = results->target[of->t].findings;
    const trib_target *target = &results->corpus->target[of->t];
    uint32_t *number = NULL, n = 0;
    trib_status status = TRIB_NEW(&number, target->n_sources, "sources", error);
    if (status == TRIB_OK && findings->n_trace > 0)
        status = trib_quotes_prepare(of->quotes, target->document, error);
    if (status == TRIB_OK) status = number_sources(of->quotes, target, findings, number, &n, error);
    if (status != TRIB_OK) goto done;
    write_header(writer, findings->n_trace, n);
    for (size_t i = 0; i < findings->n_trace; i++) {
        const trib_traced_run *run = &findings->trace[i];
        write_run(writer, of->quotes, target->document, target->source[run->source], run,
                  number[run->source]);
    }
    for (uint32_t s = 0; s < target->n_sources; s++)
        if (number[s] != UNUSED)
            trib_print(writer, "%s\n", results->corpus->document[target->source[s]].about->id);
done:
    trib_free(number);
    return status;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static uint32_t read_u32(const char *bytes) {
    const unsigned char *b = (const unsigned char *)bytes;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void read_run(trib_trace_run *run, const char *at) {
    uint32_t x[FIELDS];
    for (size_t i = 0; i < FIELDS; i++) x[i] = read_u32(at + 4 * i);
    *run = (trib_trace_run){x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8]};
}

/* Cuts the list of ids, which ends with a line feed, into texts. Returns whether there are n. */
static bool cut_names(trib_trace *trace) {
    char *at = trace->names;
    for (size_t s = 0; s < trace->n_sources; s++) {
        char *end = strchr(at, '\n');
        if (!end || end == at) return false;
        *end = '\0';
        trace->source[s] = at;
        at = end + 1;
    }
    return *at == '\0';
}

/* Reads the bytes of a file; *is_whole is false if they are not one. */
static trib_status parse(trib_trace *trace, const trib_buffer *bytes, bool *is_whole,
                         trib_error *error) {
    const char *text = bytes->text;
    *is_whole = bytes->length >= HEADER && memcmp(text, magic, 8) == 0 &&
                read_u32(text + 8) == VERSION && read_u32(text + 12) == RUN_BYTES;
    if (!*is_whole) return TRIB_OK;
    const uint64_t n = read_u32(text + 16) | (uint64_t)read_u32(text + 20) << 32;
    const uint32_t n_sources = read_u32(text + 24);
    const size_t rest = bytes->length - HEADER;
    *is_whole = n <= rest / RUN_BYTES && n_sources <= rest - n * RUN_BYTES;
    if (!*is_whole) return TRIB_OK;
    const char *names = text + HEADER + n * RUN_BYTES;
    trib_status status = TRIB_NEW(&trace->run, n, "the traced runs", error);
    if (status == TRIB_OK) status = TRIB_NEW(&trace->source, n_sources, "sources", error);
    if (status == TRIB_OK)
        status =
            trib_copy_text(&trace->names, names, (size_t)(text + bytes->length - names), error);
    if (status != TRIB_OK) return status;
    trace->n = (size_t)n;
    trace->n_sources = n_sources;
    *is_whole = cut_names(trace);
    for (size_t i = 0; i < trace->n; i++) {
        read_run(&trace->run[i], text + HEADER + i * RUN_BYTES);
        if (trace->run[i].source >= n_sources || trace->run[i].probability > MILLION)
            *is_whole = false;
    }
    return TRIB_OK;
}

trib_status trib_trace_read(trib_trace *trace, const char *run_directory, const char *target,
                            trib_error *error) {
    trib_buffer name = {0}, bytes = {0};
    char *path = NULL;
    bool is_whole = false;
    *trace = (trib_trace){0};
    trib_status status = trib_buffer_print(&name, error, "trace/%s.runs", target);
    if (status == TRIB_OK) status = trib_path_join(&path, run_directory, name.text, error);
    if (status == TRIB_OK && !trib_disk_has(path))
        status = trib_fail(error, TRIB_USAGE,
                           "%s: this run did not write it; put 'trace' into report.formats, and "
                           "'traced' into influence.methods",
                           path);
    if (status == TRIB_OK) status = trib_read_whole(path, &bytes, error);
    if (status == TRIB_OK) status = parse(trace, &bytes, &is_whole, error);
    if (status == TRIB_OK && !is_whole)
        status = trib_fail(error, TRIB_INPUT, "%s: is damaged", path);
    if (status != TRIB_OK) trib_trace_release(trace);
    trib_free(path);
    trib_buffer_release(&name);
    trib_buffer_release(&bytes);
    return status;
}

void trib_trace_release(trib_trace *trace) {
    TRIB_FREE(trace->run, trace->source, trace->names);
    *trace = (trib_trace){0};
}
