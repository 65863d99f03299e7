/* findings_spill.c - moves the findings and the shares of a target to a scratch file. Of many
 * targets they would be most of the memory of a run, and they are not read before its tables are
 * written. */
#include "pipeline/stages/evidence.h"

#include <pthread.h>
#include <string.h>

/* Calls a function for every array that the records of the findings point to, always in the same
 * order: `array` is the address of the pointer. */
typedef void (*visitor)(void *context, void *array, size_t n_bytes);

static void visit_evidence(trib_evidence *evidence, visitor visit, void *context) {
    size_t n_free = 0;
    for (size_t f = 0; f < evidence->n_factors; f++)
        if (evidence->factor[f].first + evidence->factor[f].n > n_free)
            n_free = evidence->factor[f].first + evidence->factor[f].n;
    visit(context, &evidence->phrase, evidence->n_phrases * sizeof *evidence->phrase);
    visit(context, &evidence->factor, evidence->n_factors * sizeof *evidence->factor);
    visit(context, &evidence->free_word, n_free * sizeof *evidence->free_word);
    visit(context, &evidence->free_mass, n_free * sizeof *evidence->free_mass);
}

static void visit_arrays(trib_findings *findings, visitor visit, void *context) {
    for (uint32_t s = 0; s < findings->n_sources; s++) {
        trib_passages *passages = &findings->passages[s];
        visit_evidence(&findings->evidence[s], visit, context);
        visit(context, &passages->passage, passages->n * sizeof *passages->passage);
        visit(context, &passages->run, passages->n_runs * sizeof *passages->run);
    }
    visit_evidence(&findings->own, visit, context);
    visit(context, &findings->trace, findings->n_trace * sizeof *findings->trace);
}

/* Arrays that are joined to be put into the file, or whose pointers are set to their copies. */
typedef struct copies {
    trib_buffer bytes;
    const char *at; /* the next copy */
    trib_status status;
    trib_error *error;
} copies;

enum { ALIGNED = 8 };

static size_t padding(size_t n_bytes) { return (ALIGNED - n_bytes % ALIGNED) % ALIGNED; }

static void add_array(void *context, void *array, size_t n_bytes) {
    static const char zero[ALIGNED];
    copies *to = context;
    const char *bytes;
    memcpy(&bytes, array, sizeof bytes);
    if (n_bytes > 0 && to->status == TRIB_OK)
        to->status = trib_buffer_add(&to->bytes, bytes, n_bytes, to->error);
    if (padding(n_bytes) > 0 && to->status == TRIB_OK)
        to->status = trib_buffer_add(&to->bytes, zero, padding(n_bytes), to->error);
}

static void set_pointer(void *context, void *array, size_t n_bytes) {
    copies *to = context;
    const char *const at = n_bytes > 0 ? to->at : NULL;
    memcpy(array, &at, sizeof at);
    if (n_bytes > 0) to->at += n_bytes + padding(n_bytes);
}

static trib_status spill_all(trib_findings *findings, trib_spill *spill, trib_error *error) {
    const size_t n = findings->n_sources;
    trib_findings moved = *findings;
    copies to = {.error = error};
    moved.evidence = NULL, moved.passages = NULL;
    visit_arrays(findings, add_array, &to);
    trib_status status = to.status;
    if (status == TRIB_OK)
        status = trib_spill_put(spill, to.bytes.text, to.bytes.length, &to.at, error);
    if (status == TRIB_OK) status = TRIB_NEW(&moved.evidence, n, "the evidence", error);
    if (status == TRIB_OK) status = TRIB_NEW(&moved.passages, n, "the passages", error);
    if (status == TRIB_OK && n > 0) {
        memcpy(moved.evidence, findings->evidence, n * sizeof *moved.evidence);
        memcpy(moved.passages, findings->passages, n * sizeof *moved.passages);
    }
    if (status == TRIB_OK) visit_arrays(&moved, set_pointer, &to);
    trib_evidence *const evidence = moved.evidence;
    trib_passages *const passages = moved.passages;
    if (status == TRIB_OK)
        status = trib_spill_put(spill, evidence, n * sizeof *evidence, &moved.evidence, error);
    if (status == TRIB_OK)
        status = trib_spill_put(spill, passages, n * sizeof *passages, &moved.passages, error);
    TRIB_FREE(evidence, passages);
    trib_buffer_release(&to.bytes);
    if (status != TRIB_OK) return status;
    trib_findings_release(findings);
    *findings = moved;
    findings->is_spilled = true;
    return TRIB_OK;
}

static pthread_mutex_t spilling = PTHREAD_MUTEX_INITIALIZER;

/* Opens the file for the first target. */
static trib_status open_spill(trib_spill *spill, const char *scratch, trib_error *error) {
    if (spill->n_segments > 0) return TRIB_OK;
    trib_spill_close(spill);
    return trib_spill_open(spill, scratch, error);
}

trib_status trib_findings_spill(trib_findings *findings, trib_spill *spill, const char *scratch,
                                trib_error *error) {
    if (!findings->evidence || findings->is_spilled || findings->n_sources == 0) return TRIB_OK;
    pthread_mutex_lock(&spilling);
    trib_status status = open_spill(spill, scratch, error);
    if (status == TRIB_OK) status = spill_all(findings, spill, error);
    pthread_mutex_unlock(&spilling);
    return status;
}

/* ---- Shares ---------------------------------------------------------------------------------- */

/* Calls a function for every array of the shares, after trib_shares_forget. */
static void visit_shares(trib_shares *shares, visitor visit, void *context) {
    for (uint32_t m = 0; m < shares->n_methods; m++) {
        trib_influence *r = &shares->influence[m];
        const size_t n = r->n_sources;
        double **const values[] = {&r->share,       &r->low,       &r->high,
                                   &r->group_share, &r->group_low, &r->group_high};
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            visit(context, values[k], *values[k] ? n * sizeof **values[k] : 0);
        visit(context, &r->source, r->source ? n * sizeof *r->source : 0);
        visit(context, &r->group, r->group ? n * sizeof *r->group : 0);
        visit(context, &r->listed, r->listed ? r->n_listed * sizeof *r->listed : 0);
        visit(context, &r->trace, r->trace ? r->n_trace * sizeof *r->trace : 0);
    }
}

static void free_array(void *context, void *array, size_t n_bytes) {
    void *memory;
    (void)context;
    (void)n_bytes;
    memcpy(&memory, array, sizeof memory);
    trib_free(memory);
}

trib_status trib_shares_spill(trib_shares *shares, trib_spill *spill, const char *scratch,
                              trib_error *error) {
    copies to = {.error = error};
    if (shares->is_spilled) return TRIB_OK;
    trib_shares_forget(shares);
    visit_shares(shares, add_array, &to);
    trib_status status = to.status;
    pthread_mutex_lock(&spilling);
    if (status == TRIB_OK) status = open_spill(spill, scratch, error);
    if (status == TRIB_OK)
        status = trib_spill_put(spill, to.bytes.text, to.bytes.length, &to.at, error);
    pthread_mutex_unlock(&spilling);
    trib_buffer_release(&to.bytes);
    if (status != TRIB_OK) return status;
    visit_shares(shares, free_array, NULL);
    visit_shares(shares, set_pointer, &to);
    shares->is_spilled = true;
    return TRIB_OK;
}
