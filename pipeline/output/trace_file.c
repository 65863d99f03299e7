/* trace_file.c - writes trace/ID.runs. All numbers are little-endian:
 *
 *      0  "TRIBRUNS"
 *      8  version 1, u32; 12 bytes of a run, 36, u32; 16 runs, u64; 24 sources, u32; 28 0, u32
 *     32  runs, each of 9 u32: first word and words in the target, first word in the source,
 *         source, probability in millionths; bytes of the files: from, to, source from, source to
 *         ids of the sources, each followed by a line feed */
#include "pipeline/output/result.h"

#include "pipeline/config/config.h"

enum { HEADER = 32, FIELDS = 9, RUN_BYTES = 4 * FIELDS, VERSION = 1, MILLION = 1000000 };
static const char magic[] = "TRIBRUNS";

bool trib_traces_are_wanted(const trib_config *config) {
    return config->report.trace && trib_method_of_trace(config);
}

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
