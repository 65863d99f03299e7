/* several_runs.c - several runs on one page: the differences between them, and their shares side
 * by side. */
#include "pipeline/report/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct page {
    trib_html html;
    const trib_several *run;
    size_t n;
} page;

/* ---- Names in any of the runs ---------------------------------------------------------------- */

static const json_t *named(const json_t *list, const char *key, const char *name) {
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(trib_json_get_text(json_array_get(list, i), key), name) == 0)
            return json_array_get(list, i);
    return NULL;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorts texts and removes duplicates; returns how many remain. */
static size_t unique(const char **text, size_t n) {
    size_t n_unique = 0;
    if (n > 0) qsort(text, n, sizeof *text, by_text);
    for (size_t i = 0; i < n; i++)
        if (n_unique == 0 || strcmp(text[n_unique - 1], text[i]) != 0) text[n_unique++] = text[i];
    return n_unique;
}

/* Collects the member `key` of the elements of every run's list, sorted and without duplicates.
 * The caller frees *text. */
static size_t collect(page *p, const json_t *(*list)(const json_t *result, const char *target),
                      const char *target, const char *key, const char ***text) {
    size_t n = 0, all = 0;
    trib_error *error = &p->html.writer->failure;
    *text = NULL;
    for (size_t r = 0; r < p->n; r++) all += json_array_size(list(p->run[r].result, target));
    if (error->status != TRIB_OK || trib_new(text, all, sizeof **text, "a list", error) != TRIB_OK)
        return 0;
    for (size_t r = 0; r < p->n; r++) {
        const json_t *items = list(p->run[r].result, target);
        for (size_t i = 0; i < json_array_size(items); i++)
            (*text)[n++] = trib_json_get_text(json_array_get(items, i), key);
    }
    return unique(*text, n);
}

static const json_t *targets_of(const json_t *result, const char *target) {
    (void)target;
    return json_object_get(result, "targets");
}

static const json_t *documents_of(const json_t *result, const char *target) {
    (void)target;
    return json_object_get(result, "documents");
}

static const json_t *headline_of(const json_t *result, const char *target) {
    const json_t *object = named(json_object_get(result, "targets"), "target", target);
    return json_object_get(json_object_get(object, "methods"),
                           trib_json_get_text(result, "headline"));
}

static const json_t *shares_of(const json_t *result, const char *target) {
    return json_object_get(headline_of(result, target), "shares");
}

/* The title in the first run that has one. */
static const char *title_of(const page *p, const char *id) {
    for (size_t r = 0; r < p->n; r++) {
        const char *title =
            trib_json_get_text(named(documents_of(p->run[r].result, NULL), "id", id), "title");
        if (*title) return title;
    }
    return id;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

/* `kind`: the class of the cells of a run, "n" for numbers. */
static void open_table(page *p, const char *caption, const char *first, const char *kind) {
    trib_html *html = &p->html;
    trib_report_open_table(html, "numbers", caption);
    trib_html_begin(html, "thead");
    trib_html_begin(html, "tr");
    trib_report_header_cell(html, NULL, first);
    for (size_t r = 0; r < p->n; r++) trib_report_header_cell(html, kind, p->run[r].name);
    trib_html_end(html);
    trib_html_end(html);
    trib_html_begin(html, "tbody");
}

static void close_table(page *p) {
    trib_html_end(&p->html);
    trib_report_close_table(&p->html);
}

static void open_row(page *p, const char *title) {
    trib_html *html = &p->html;
    trib_html_begin(html, "tr");
    trib_html_begin(html, "th");
    trib_html_attribute(html, "scope", "row");
    trib_html_foreign(html, title);
    trib_html_end(html);
}

/* Writes a row with the first `width` bytes of each text, unless all texts are equal; opens the
 * table before the first such row. */
static void write_differing(page *p, const char *title, const char *const *text, int width,
                            bool *opened, const char *caption, const char *first) {
    bool differs = false;
    for (size_t r = 1; r < p->n; r++) differs = differs || strcmp(text[0], text[r]) != 0;
    if (!differs) return;
    if (!*opened) open_table(p, caption, first, NULL);
    *opened = true;
    open_row(p, title);
    for (size_t r = 0; r < p->n; r++)
        trib_html_element(&p->html, "td", NULL, "%.*s", width, *text[r] ? text[r] : "\xE2\x80\x93");
    trib_html_end(&p->html);
}

static void write_runs(page *p) {
    trib_html *html = &p->html;
    trib_report_open_table(html, "numbers", "The runs");
    trib_html_begin(html, "thead");
    trib_html_begin(html, "tr");
    static const char *const column[] = {"Run", "Experiment", "Headline", "Program", "Hash"};
    for (size_t c = 0; c < sizeof column / sizeof *column; c++)
        trib_report_header_cell(html, NULL, column[c]);
    trib_html_end(html);
    trib_html_end(html);
    trib_html_begin(html, "tbody");
    for (size_t r = 0; r < p->n; r++) {
        const json_t *result = p->run[r].result;
        trib_html_begin(html, "tr");
        trib_html_begin(html, "th");
        trib_html_attribute(html, "scope", "row");
        trib_html_begin(html, "a");
        trib_html_attribute(html, "href", "%s", p->run[r].link);
        trib_html_text(html, p->run[r].name);
        trib_html_end(html);
        trib_html_end(html);
        trib_html_begin(html, "td");
        trib_html_foreign(html, trib_json_get_text(result, "name"));
        trib_html_end(html);
        trib_html_element(html, "td", NULL, "%s", trib_json_get_text(result, "headline"));
        trib_html_element(html, "td", NULL, "%s", trib_json_get_text(result, "version"));
        trib_html_begin(html, "td");
        trib_html_element(html, "code", NULL, "%.8s", trib_json_get_text(result, "hash"));
        trib_html_end(html);
        trib_html_end(html);
    }
    close_table(p);
}

/* ---- Differences ----------------------------------------------------------------------------- */

static void write_section_settings(page *p, const char *section, const char **text, bool *opened) {
    for (size_t first = 0; first < p->n; first++) {
        const char *key;
        json_t *value;
        json_t *own =
            json_object_get(json_object_get(p->run[first].result, "configuration"), section);
        json_object_foreach(own, key, value) {
            char name[160];
            bool earlier = false; /* an earlier run has the key too: its row is written already */
            for (size_t r = 0; r < p->n; r++) {
                const json_t *object =
                    json_object_get(json_object_get(p->run[r].result, "configuration"), section);
                text[r] = trib_json_get_text(object, key);
                earlier = earlier || (r < first && json_object_get(object, key));
            }
            snprintf(name, sizeof name, "%s.%s", section, key);
            if (!earlier)
                write_differing(p, name, text, 400, opened, "Settings that differ", "Setting");
        }
    }
}

static void write_settings(page *p, const char **text) {
    static const char *const section[] = {"corpus", "tokens",    "vocabulary", "tensor",
                                          "cp",     "influence", "report"};
    bool opened = false;
    trib_html_element(&p->html, "h2", NULL, "What differs");
    for (size_t i = 0; i < sizeof section / sizeof *section; i++)
        write_section_settings(p, section[i], text, &opened);
    if (opened) close_table(p);
    else trib_html_element(&p->html, "p", "note", "The settings are the same.");
}

static void write_inputs(page *p, const char **text) {
    const char **id = NULL;
    const size_t n = collect(p, documents_of, NULL, "id", &id);
    bool opened = false;
    for (size_t i = 0; i < n; i++) {
        for (size_t r = 0; r < p->n; r++) {
            const json_t *document = named(documents_of(p->run[r].result, NULL), "id", id[i]);
            text[r] = document ? trib_json_get_text(document, "sha256") : "absent";
        }
        write_differing(p, id[i], text, 8, &opened, "Texts that differ, by their SHA-256", "Text");
    }
    if (opened) close_table(p);
    else trib_html_element(&p->html, "p", "note", "The texts are the same.");
    trib_free(id);
}

/* ---- Shares ---------------------------------------------------------------------------------- */

/* Writes a share, in parentheses when it is below the floor, with its interval below. */
static void write_share(page *p, const json_t *share) {
    trib_html *html = &p->html;
    char text[TRIB_FIXED_MAX], low[TRIB_FIXED_MAX], high[TRIB_FIXED_MAX];
    const double value = trib_json_get_number(share, "share");
    const double from = trib_json_get_number(share, "low"),
                 to = trib_json_get_number(share, "high");
    const bool faint =
        trib_json_get_flag(share, "below_floor") || trib_json_get_flag(share, "decoy");
    trib_html_open(html, "td", "n");
    if (isnan(value)) trib_html_text(html, "\xE2\x80\x93");
    else trib_html_print(html, faint ? "(%s)" : "%s", trib_percent(text, value, 1));
    if (!isnan(value) && from <= to)
        trib_html_element(html, "small", "n", "%s to %s", trib_percent(low, from, 1),
                          trib_percent(high, to, 1));
    trib_html_end(html);
}

static void write_target(page *p, const char *target, size_t t) {
    trib_html *html = &p->html;
    const char **source = NULL;
    char caption[400];
    trib_html_open(html, "article", "target");
    trib_html_begin(html, "h3");
    trib_html_attribute(html, "id", "shares-%zu", t + 1);
    trib_html_foreign(html, title_of(p, target));
    trib_html_end(html);
    snprintf(caption, sizeof caption, "Shares of %.300s by the headline of each run",
             title_of(p, target));
    open_table(p, caption, "Source", "n");
    const size_t n = collect(p, shares_of, target, "source", &source);
    for (size_t s = 0; s < n; s++) {
        open_row(p, title_of(p, source[s]));
        for (size_t r = 0; r < p->n; r++)
            write_share(p, named(shares_of(p->run[r].result, target), "source", source[s]));
        trib_html_end(html);
    }
    trib_html_open(html, "tr", "rest");
    trib_html_begin(html, "th");
    trib_html_attribute(html, "scope", "row");
    trib_html_text(html, "Author");
    trib_html_end(html);
    for (size_t r = 0; r < p->n; r++)
        trib_report_percent_cell(
            html, trib_json_get_number(headline_of(p->run[r].result, target), "author"), 1);
    trib_html_end(html);
    close_table(p);
    trib_html_end(html);
    trib_free(source);
}

static void write_shares(page *p) {
    const char **target = NULL;
    const size_t n = collect(p, targets_of, NULL, "target", &target);
    trib_html_element(&p->html, "h2", NULL, "Shares");
    trib_html_element(
        &p->html, "p", "intro",
        "By the headline method of each run. In parentheses: below the noise floor, or "
        "a decoy. A dash: not a source there.");
    for (size_t t = 0; t < n; t++) write_target(p, target[t], t);
    trib_free(target);
}

trib_status trib_report_write_several(const trib_several *run, size_t n_runs, trib_writer *writer,
                                      trib_error *error) {
    page p = {.run = run, .n = n_runs};
    trib_html *html = &p.html;
    const char **text = NULL;
    const trib_status status = trib_new(&text, n_runs, sizeof *text, "a row", error);
    if (status != TRIB_OK) return status;
    trib_html_init(html, writer);
    trib_write_text(writer, "<!DOCTYPE html>");
    trib_html_begin(html, "html");
    trib_html_attribute(html, "lang", "en");
    trib_report_head(html, "several runs", "influence", NULL);
    trib_html_begin(html, "body");
    trib_html_open(html, "header", "masthead");
    trib_html_element(html, "h1", NULL, "%zu runs side by side", n_runs);
    trib_html_end(html);
    trib_html_begin(html, "main");
    write_runs(&p);
    trib_html_begin(html, "section");
    write_settings(&p, text);
    write_inputs(&p, text);
    trib_html_end(html);
    trib_html_begin(html, "section");
    write_shares(&p);
    trib_html_end(html);
    trib_html_end(html);
    trib_report_tail(html, NULL);
    trib_html_end(html);
    trib_html_end(html);
    trib_write_text(writer, "\n");
    trib_html_release(html);
    trib_free(text);
    if (writer->failure.status != TRIB_OK && error) *error = writer->failure;
    return writer->failure.status;
}
