/* found.c - what was found is put in order and quoted. */

#include "pipeline/index/index.h"
#include "pipeline/stages/text.h"

/* ---- The list -------------------------------------------------------------------------------- */

static int by_text(const trib_found *x, const trib_found *y) {
    trib_indexed_text a, b;
    if (trib_segment_about(x->segment, x->text, &a, NULL) != TRIB_OK ||
        trib_segment_about(y->segment, y->text, &b, NULL) != TRIB_OK)
        return 0;
    return strcmp(a.id, b.id);
}

/* The best first: most equal words, then fewest others; of equal ones the earliest text, and of
 * words of the passage that it has twice those with more equal words around. */
static int by_worth(const void *a, const void *b) {
    const trib_found *const x = a, *const y = b;
    if (x->n_equal != y->n_equal) return x->n_equal > y->n_equal ? -1 : 1;
    const uint32_t m = x->n_asked + x->n_words, n = y->n_asked + y->n_words;
    if (m != n) return m < n ? -1 : 1;
    const double u = x->segment->text[x->text].year, v = y->segment->text[y->text].year;
    if (isnan(u) != isnan(v)) return isnan(u) ? 1 : -1;
    if (!isnan(u) && u != v) return u < v ? -1 : 1;
    const int by = by_text(x, y);
    if (by != 0 || x->from != y->from) return by != 0 ? by : x->from < y->from ? -1 : 1;
    return (x->family > y->family) - (x->family < y->family);
}

/* Whether two findings hold the same words: half of the shorter one in common. */
static bool are_family(const trib_found *x, const trib_found *y) {
    const uint32_t from = x->asked > y->asked ? x->asked : y->asked;
    const uint32_t a = x->asked + x->n_asked, b = y->asked + y->n_asked, end = a < b ? a : b;
    const uint32_t shorter = x->n_asked < y->n_asked ? x->n_asked : y->n_asked;
    return end > from && 2 * (end - from) >= shorter;
}

/* Sorts what was found, drops what a better finding covers in the same text, and numbers families
 * by their best member. */
void trib_found_settle(trib_findings_list *l) {
    size_t n = 0;
    uint32_t n_families = 0;
    if (l->n > 0) qsort(l->found, l->n, sizeof *l->found, by_worth);
    for (size_t i = 0; i < l->n; i++) {
        trib_found f = l->found[i];
        bool is_there = false;
        f.family = UINT32_MAX;
        for (size_t k = 0; k < n && !is_there; k++) {
            const trib_found *const o = &l->found[k];
            is_there =
                o->segment == f.segment && o->text == f.text && f.from < o->end && o->from < f.end;
            if (f.family == UINT32_MAX && are_family(o, &f)) f.family = o->family;
        }
        if (is_there) continue;
        if (f.family == UINT32_MAX) f.family = n_families++;
        l->found[n++] = f;
    }
    l->n = n;
}

/* ---- Quotations ------------------------------------------------------------------------------ */

/* A quotation that is being written. */
typedef struct quotation {
    trib_buffer words;
    trib_document_text text; /* the bytes of the text from byte `skipped` on */
    uint64_t skipped;
    trib_status status;
    trib_error *error;
} quotation;

static void add(quotation *q, const char *before, uint64_t from, uint64_t end, const char *after) {
    if (q->status == TRIB_OK) q->status = trib_buffer_print(&q->words, q->error, "%s", before);
    if (q->status == TRIB_OK)
        q->status = trib_text_quote(&q->words, &q->text, (size_t)(from - q->skipped),
                                    (size_t)(end - q->skipped), q->error);
    if (q->status == TRIB_OK) q->status = trib_buffer_print(&q->words, q->error, "%s", after);
}

/* Adds what stands between two runs; words of it in brackets. */
static void add_between(quotation *q, const trib_found_run *run) {
    static const char blanks[] = " \n\r\t";
    const char *const bytes = q->text.bytes.text - q->skipped;
    uint64_t from = run[0].end, end = run[1].from;
    if (run[1].word == run[0].word + run[0].n) {
        add(q, "", from, end, "");
        return;
    }
    while (from < end && strchr(blanks, bytes[from])) from++;
    while (end > from && strchr(blanks, bytes[end - 1])) end--;
    add(q, " [", from, end, "] ");
}

/* Reads the references of a text. */
static trib_status read_references(trib_references *to, const trib_found *f, trib_error *error) {
    trib_indexed_text about;
    trib_status status = trib_segment_about(f->segment, f->text, &about, error);
    for (const char *at = status == TRIB_OK ? about.references : ""; *at && status == TRIB_OK;) {
        char *label;
        const size_t from = (size_t)strtoull(at, &label, 10), n = strcspn(label, "\n");
        status = trib_references_add(to, from, from, label, n, error);
        at = label + n + (label[n] != '\0');
    }
    return status;
}

trib_status trib_found_quote(trib_findings_list *l, trib_found *f, trib_error *error) {
    char reference[TRIB_REFERENCE_MAX] = "";
    const trib_segment_text *const text = &f->segment->text[f->text];
    const trib_found_run *const run = &l->run[f->first_run];
    quotation q = {.error = error};
    q.status =
        trib_segment_bytes(f->segment, f->text, f->from, f->end, &q.text.bytes, &q.skipped, error);
    if (q.status == TRIB_OK)
        f->line = f->segment->piece[text->piece + f->from / TRIB_PIECE].line + 1 +
                  trib_lines_between(&q.text.bytes, 0, (size_t)(f->from - q.skipped));
    for (size_t r = 0; r < f->n_runs && q.status == TRIB_OK; r++) {
        if (r > 0) add_between(&q, &run[r - 1]);
        add(&q, "", run[r].from, run[r].end, "");
    }
    if (q.status == TRIB_OK) q.status = read_references(&q.text.references, f, error);
    trib_text_reference(reference, &q.text, (size_t)f->from, (size_t)f->end);
    f->reference = trib_arena_copy(&l->arena, reference, strlen(reference));
    f->quote = trib_arena_copy(&l->arena, q.words.text ? q.words.text : "", q.words.length);
    trib_buffer_release(&q.words);
    trib_text_release(&q.text);
    return q.status == TRIB_OK ? trib_arena_check(&l->arena, error) : q.status;
}
