/* model.c - reads the result into the structs that the sections share, and writes the small
 * elements that they share. */
#include "pipeline/report/report.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double trib_report_setting(const trib_report *report, const char *group, const char *key) {
    const json_t *value = json_object_get(
        json_object_get(json_object_get(report->result, "configuration"), group), key);
    double number = NAN;
    if (json_is_number(value)) return json_number_value(value);
    return json_is_string(value) && trib_read_double(json_string_value(value), &number)
               ? number
               : (double)NAN;
}

bool trib_report_has_own_floor(const trib_report *report) {
    const json_t *settings =
        json_object_get(json_object_get(report->result, "configuration"), "influence");
    return strcmp(trib_json_get_text(settings, "floor"), "auto") == 0;
}

static int compare_documents(const void *a, const void *b) {
    const json_t *const *x = a, *const *y = b;
    return strcmp(trib_json_get_text(*x, "id"), trib_json_get_text(*y, "id"));
}

static int compare_id(const void *id, const void *document) {
    return strcmp(id, trib_json_get_text(*(const json_t *const *)document, "id"));
}

size_t trib_report_place(const trib_report *report, const char *id) {
    const json_t **found = report->n_documents == 0
                               ? NULL
                               : bsearch(id, report->document, report->n_documents,
                                         sizeof *report->document, compare_id);
    return found ? (size_t)(found - report->document) : report->n_documents;
}

const json_t *trib_report_document(const trib_report *report, const char *id) {
    const size_t d = trib_report_place(report, id);
    return d < report->n_documents ? report->document[d] : NULL;
}

static trib_status read_documents(trib_report *report, trib_error *error) {
    const json_t *documents = json_object_get(report->result, "documents");
    const size_t n = json_array_size(documents);
    const trib_status status =
        trib_new(&report->document, n, sizeof *report->document, "the report's documents", error);
    if (status != TRIB_OK) return status;
    for (size_t d = 0; d < n; d++) report->document[d] = json_array_get(documents, d);
    report->n_documents = n;
    if (n > 1) qsort(report->document, n, sizeof *report->document, compare_documents);
    return TRIB_OK;
}

const char *trib_report_title(const trib_report *report, const char *id) {
    const char *title = trib_json_get_text(trib_report_document(report, id), "title");
    return *title ? title : id;
}

const trib_report_method *trib_report_method_find(const char *name) {
    static const trib_report_method methods[] = {
        {"lowe", "draws", "the mass of its factors", "from", "found no source", true},
        {"lowe-soft", "draws", "the mass of its factors", "from", "is left to the author", true},
        {"lowe-matched", "draws", "its %s", "from", "are the author's own and the common language",
         false},
        {"traced", "draws", "its %s", "from", "are the author's own and the common language",
         false},
        {"anchored", "draws", "its %s", "from", "are the author's own and the common language",
         false},
        {"split", "draws", "its %s", "from", "occur in no source", false},
        {"containment", "shares", "its %s", "with", "occur in no source", false},
        {"runs", "shares", "its %s", "in runs with", "are in no shared run", false},
        {NULL, "draws", "itself", "from", "is left to the author", false},
    };
    const trib_report_method *method = methods;
    while (method->name && strcmp(method->name, name) != 0) method++;
    return method;
}

/* Orders sources above the floor first, then larger shares, then ids. */
static int compare_shares(const void *a, const void *b) {
    const trib_report_share *x = a, *y = b;
    const int x_flows = !x->below && !x->decoy, y_flows = !y->below && !y->decoy;
    if (x_flows != y_flows) return y_flows - x_flows;
    if (x->share != y->share) return x->share < y->share ? 1 : -1;
    return strcmp(x->id, y->id);
}

bool trib_report_share_of(const trib_report_share *share, const char *id) {
    if (strcmp(share->id, id) == 0) return true;
    for (size_t m = 0; m < json_array_size(share->members); m++)
        if (strcmp(trib_json_get_text(json_array_get(share->members, m), "source"), id) == 0)
            return true;
    return false;
}

/* The rows of groups are new objects, which live in report->rows. */
static trib_status read_shares(trib_report *report, trib_report_target *target, trib_error *error) {
    json_t *shares = trib_result_rows(report->result, target->headline);
    const size_t n = json_array_size(shares);
    json_array_append_new(report->rows, shares);
    const trib_status status = trib_parts_make(&target->parts, target->headline, shares, error);
    for (size_t s = 0; s < n && status == TRIB_OK; s++) {
        const json_t *row = json_array_get(shares, s);
        trib_report_share *share = &target->share[s];
        share->place = s;
        share->id = trib_json_get_text(row, "source");
        share->members = json_object_get(row, "members");
        share->n_members = share->members ? json_array_size(share->members) : 1;
        share->title = share->members ? trib_json_get_text(row, "title")
                                      : trib_report_title(report, share->id);
        share->share = trib_json_get_number(row, "share");
        share->low = trib_json_get_number(row, "low");
        share->high = trib_json_get_number(row, "high");
        share->decoy = trib_json_get_flag(row, "decoy");
        share->below = trib_json_get_flag(row, "below_floor") || isnan(share->share);
        if (isnan(share->share)) share->share = 0;
        share->printed = target->parts.row[s];
        target->n_flowing += !share->below && !share->decoy;
        target->n_flowing_sources += !share->below && !share->decoy ? share->n_members : 0;
    }
    trib_free(target->parts.row);
    target->parts.row = NULL;
    target->n_shares = status == TRIB_OK ? n : 0;
    if (target->n_shares > 1) qsort(target->share, n, sizeof *target->share, compare_shares);
    return status;
}

bool trib_pages_are_on_demand(const json_t *result) {
    static const char key[] = "target_pages";
    const json_t *settings = json_object_get(json_object_get(result, "configuration"), "report");
    const size_t n = json_array_size(json_object_get(result, "targets"));
    double most = trib_json_get_number(settings, key);
    const char *text = trib_json_get_text(settings, key);
    if (*text && !trib_read_double(text, &most))
        most = strcmp(text, "auto") == 0 ? TRIB_TARGET_PAGES : (double)INFINITY;
    /* an older result without the key has all pages */
    return n > TRIB_REPORT_TARGETS && (double)n > most;
}

bool trib_report_has_short_texts(const trib_report *report) {
    const json_t *settings =
        json_object_get(json_object_get(report->result, "configuration"), "report");
    double n_words = 0;
    for (size_t t = 0; t < report->n_all_targets; t++)
        n_words += trib_json_get_number(report->targets[t].document, "words");
    return strcmp(trib_json_get_text(settings, "target_pages"), "auto") == 0 &&
           strcmp(trib_json_get_text(settings, "text"), "full") == 0 && !report->is_on_demand &&
           report->n_all_targets > TRIB_READ_TARGETS &&
           n_words < TRIB_READ_WORDS * (double)report->n_all_targets;
}

static size_t count_shares(const trib_report *report, const json_t *targets) {
    size_t n_shares = 0;
    for (size_t t = 0; t < json_array_size(targets); t++) {
        const json_t *methods = json_object_get(json_array_get(targets, t), "methods");
        n_shares += json_array_size(
            json_object_get(json_object_get(methods, report->headline_name), "shares"));
    }
    return n_shares;
}

/* Reads a target; its shares are put at `share`. */
static trib_status read_target(trib_report *report, trib_report_target *target, const json_t *json,
                               trib_report_share *share, trib_error *error) {
    target->json = json;
    target->headline =
        json_object_get(json_object_get(target->json, "methods"), report->headline_name);
    target->id = trib_json_get_text(target->json, "target");
    target->document = trib_report_document(report, target->id);
    target->title = trib_report_title(report, target->id);
    target->n_grams = trib_json_get_number(target->document, "ngrams");
    target->floor = trib_json_get_number(target->json, "floor");
    target->share = share;
    const json_t *n_sources = json_object_get(target->json, "n_sources");
    target->n_sources = n_sources ? (size_t)json_integer_value(n_sources)
                                  : json_array_size(json_object_get(target->headline, "shares"));
    return read_shares(report, target, error);
}

trib_status trib_report_read(trib_report *report, const json_t *result, trib_error *error) {
    report->result = result;
    report->headline_name = trib_json_get_text(result, "headline");
    report->headline = trib_report_method_find(report->headline_name);
    report->sums_to_one = trib_json_get_flag(
        trib_json_find(json_object_get(result, "methods"), "name", report->headline_name),
        "sums_to_one");
    report->threshold = trib_json_get_number(result, "threshold");
    report->matches_within = json_object_get(result, "matches_within")
                                 ? trib_json_get_number(result, "matches_within")
                                 : report->threshold;
    const double n = trib_report_setting(report, "tensor", "n");
    if (n >= 1 && n <= 64) snprintf(report->ngrams, sizeof report->ngrams, "%d-grams", (int)n);
    else snprintf(report->ngrams, sizeof report->ngrams, "n-grams");
    const json_t *targets = json_object_get(result, "targets");
    const size_t n_targets = json_array_size(targets), n_shares = count_shares(report, targets);
    trib_status status = read_documents(report, error);
    if (status == TRIB_OK)
        status = trib_new(&report->targets, n_targets, sizeof *report->targets,
                          "the report's targets", error);
    if (status == TRIB_OK)
        status = trib_new(&report->shares, n_shares, sizeof *report->shares, "the report's shares",
                          error);
    if (status != TRIB_OK) return status;
    report->target = report->targets;
    report->n_targets = report->n_all_targets = n_targets;
    report->is_many = n_targets > TRIB_REPORT_TARGETS;
    report->is_on_demand = report->is_many && trib_pages_are_on_demand(result);
    trib_json_begin();
    report->rows = json_array();
    trib_report_share *share = report->shares;
    for (size_t t = 0; t < n_targets && status == TRIB_OK; t++) {
        trib_report_target *target = &report->target[t];
        status = read_target(report, target, json_array_get(targets, t), share, error);
        /* `share` is NULL when no target has a share */
        if (target->n_shares > 0) share += target->n_shares;
    }
    return status == TRIB_OK ? trib_json_check("the report's shares", error) : status;
}

void trib_report_release(trib_report *report) {
    trib_free(report->targets);
    trib_free(report->shares);
    trib_free(report->document);
    trib_free(report->find);
    json_decref(report->rows);
    *report = (trib_report){0};
}

bool trib_report_is_brief(const trib_report_target *target) {
    return target->n_sources > TRIB_ALL_WRITTEN;
}

bool trib_report_is_short(const trib_report_target *target) {
    return trib_report_is_brief(target) &&
           trib_json_get_number(target->document, "words") < TRIB_SHORT_WORDS;
}

bool trib_report_is_short_page(const trib_report *report) {
    return report->page > 0 && trib_report_is_short(report->target);
}

bool trib_report_is_tiny(const trib_report_target *target) {
    return trib_report_is_brief(target) &&
           trib_json_get_number(target->document, "words") < TRIB_TINY_WORDS;
}

bool trib_report_is_tiny_page(const trib_report *report) {
    return report->page > 0 && trib_report_is_tiny(report->target);
}

bool trib_report_is_selective(const trib_report *report, const trib_report_target *target) {
    return report->is_many || trib_report_is_brief(target);
}

bool trib_report_is_telling(const trib_report *report, const trib_report_target *target,
                            const json_t *source) {
    const char *id = trib_json_get_text(source, "source");
    return trib_report_flows(target, source) ||
           trib_passages_choose(report->result, target->json, id).n_notable > 0;
}

void trib_report_set_language(trib_html *html, const json_t *result) {
    const char *locale = trib_json_get_text(
        json_object_get(json_object_get(result, "configuration"), "tokens"), "locale");
    if (*locale && strcmp(locale, "root") != 0 && strcmp(locale, "en") != 0)
        html->language = locale;
}

/* ---- Elements of the page -------------------------------------------------------------------- */

void trib_report_join(trib_html *html, size_t i, size_t n) {
    if (i > 0) trib_html_text(html, i + 1 < n ? ", " : " and ");
}

void trib_report_percent(trib_html *html, double fraction) {
    char text[TRIB_FIXED_MAX];
    trib_html_element(html, "span", "n", "%s",
                      trib_percent(text, fraction, fraction < 0.01 ? 2 : 1));
}

void trib_report_part(trib_html *html, const trib_report_target *target, double printed) {
    char text[TRIB_FIXED_MAX];
    trib_html_element(html, "span", "n", "%s", trib_percent(text, printed, target->parts.decimals));
}

static void write_part(trib_html *html, char kind, va_list *parts) {
    char text[TRIB_FIXED_MAX];
    switch (kind) {
    case 't':
        trib_html_foreign(html, va_arg(*parts, const char *));
        break;
    case 's':
        trib_html_text(html, va_arg(*parts, const char *));
        break;
    case 'c':
        trib_html_element(html, "code", NULL, "%s", va_arg(*parts, const char *));
        break;
    case 'p':
        trib_report_percent(html, va_arg(*parts, double));
        break;
    case 'z':
        trib_html_print(html, "%zu", va_arg(*parts, size_t));
        break;
    case 'n':
        trib_html_text(html, trib_grouped(text, va_arg(*parts, double)));
        break;
    default:
        assert(false); /* no such part */
    }
}

void trib_report_say_parts(trib_html *html, const char *sentence, va_list *parts) {
    for (const char *part; (part = strchr(sentence, '{')) != NULL; sentence = part + 3) {
        trib_html_print(html, "%.*s", (int)(part - sentence), sentence);
        write_part(html, part[1], parts);
    }
    trib_html_text(html, sentence);
}

void trib_report_say(trib_html *html, const char *sentence, ...) {
    va_list parts;
    va_start(parts, sentence);
    trib_report_say_parts(html, sentence, &parts);
    va_end(parts);
}

void trib_report_say_in(trib_html *html, const char *name, const char *class_name,
                        const char *sentence, ...) {
    va_list parts;
    trib_html_open(html, name, class_name);
    va_start(parts, sentence);
    trib_report_say_parts(html, sentence, &parts);
    va_end(parts);
    trib_html_end(html);
}

void trib_report_percent_cell(trib_html *html, double fraction, int decimals) {
    char text[TRIB_FIXED_MAX];
    trib_html_element(html, "td", "n", "%s", trib_percent(text, fraction, decimals));
}

void trib_report_count_cell(trib_html *html, double count) {
    char text[TRIB_FIXED_MAX];
    trib_html_element(html, "td", "n", "%s", trib_grouped(text, count));
}

void trib_report_number_cell(trib_html *html, double number, int decimals) {
    char text[TRIB_FIXED_MAX];
    trib_html_element(html, "td", "n", "%s", trib_fixed(text, number, decimals));
}

void trib_report_phrase(trib_html *html, const json_t *words) {
    trib_html_begin(html, "bdi");
    if (html->language) trib_html_attribute(html, "lang", "%s", html->language);
    for (size_t w = 0; w < json_array_size(words); w++) {
        const char *word = json_string_value(json_array_get(words, w));
        if (w > 0) trib_html_text(html, " ");
        trib_html_brief(html, word ? word : "");
    }
    trib_html_end(html);
}

void trib_report_open_region(trib_html *html, const char *name, const char *label) {
    trib_html_tag(html, name, "class", "scroll", "role", "region", "aria-label", label, "tabindex",
                  "0", NULL);
}

void trib_report_open_table(trib_html *html, const char *class_name, const char *caption) {
    trib_report_open_region(html, "div", caption);
    trib_html_open(html, "table", class_name);
    trib_html_element(html, "caption", NULL, "%s", caption);
    trib_html_begin(html, "thead");
    trib_html_begin(html, "tr");
}

void trib_report_open_rows(trib_html *html) {
    trib_html_end(html);
    trib_html_end(html);
    trib_html_begin(html, "tbody");
}

void trib_report_close_table(trib_html *html) {
    trib_html_end(html);
    trib_html_end(html);
    trib_html_end(html);
}

void trib_report_header_cell(trib_html *html, const char *class_name, const char *text) {
    trib_html_open(html, "th", class_name);
    trib_html_attribute(html, "scope", "col");
    trib_html_text(html, text);
    trib_html_end(html);
}

void trib_report_foreign_header_cell(trib_html *html, const char *title) {
    trib_html_tag(html, "th", "class", "n", "scope", "col", NULL);
    trib_html_foreign(html, title);
    trib_html_end(html);
}

void trib_report_header_cells(trib_html *html, const char *class_name, ...) {
    va_list titles;
    va_start(titles, class_name);
    for (const char *title; (title = va_arg(titles, const char *)) != NULL;)
        trib_report_header_cell(html, class_name, title);
    va_end(titles);
}

void trib_report_open_row_header(trib_html *html, const char *class_name) {
    trib_html_open(html, "th", class_name);
    trib_html_attribute(html, "scope", "row");
}

void trib_report_open_row(trib_html *html, const char *title) {
    trib_html_begin(html, "tr");
    trib_report_open_row_header(html, NULL);
    trib_html_foreign(html, title);
    trib_html_end(html);
}

void trib_report_interval(trib_html *html, const char *name, double low, double high) {
    char from[TRIB_FIXED_MAX], to[TRIB_FIXED_MAX];
    if (low <= high)
        trib_html_element(html, name, "n", "%s to %s", trib_percent(from, low, 1),
                          trib_percent(to, high, 1));
}

void trib_report_shown(trib_html *html, size_t shown, double all, const char *what) {
    char a[TRIB_FIXED_MAX], b[TRIB_FIXED_MAX];
    if ((double)shown < all)
        trib_html_element(html, "p", "shown", "%s of %s %s shown, the strongest first.",
                          trib_grouped(a, (double)shown), trib_grouped(b, all), what);
}

void trib_report_link(trib_report *report, const char *anchor, const char *text) {
    trib_html *html = &report->html;
    trib_html_begin(html, "a");
    trib_html_attribute(html, "href", "%s%s#%s", report->page > 0 ? "../" : "",
                        report->page > 0 ? report->file : "", anchor);
    trib_html_foreign(html, text);
    trib_html_end(html);
}

bool trib_report_is_target(const trib_report *report, const char *id) {
    bool is_target = false;
    for (size_t t = 0; t < report->n_all_targets && !is_target; t++)
        is_target = strcmp(report->targets[t].id, id) == 0;
    return is_target;
}

void trib_report_read_link(trib_report *report, const char *id, double first, const char *text) {
    trib_html *html = &report->html;
    if (!report->run_directory || !trib_report_is_target(report, id)) return;
    trib_html_begin(html, "a");
    if (first > 0)
        trib_html_attribute(html, "href", "%s%sread/%s.html#w%.0f", report->page > 0 ? "../" : "",
                            report->data, id, first);
    else
        trib_html_attribute(html, "href", "%s%sread/%s.html", report->page > 0 ? "../" : "",
                            report->data, id);
    trib_html_text(html, text);
    trib_html_end(html);
}

void trib_report_target_link(trib_report *report, const trib_report_target *target) {
    trib_html *html = &report->html;
    const bool is_link = report->is_many && !report->is_on_demand;
    if (is_link) {
        trib_html_begin(html, "a");
        if (report->page > 0) trib_html_attribute(html, "href", "%s.html", target->id);
        else trib_html_attribute(html, "href", "%s/%s.html", report->folder, target->id);
    }
    trib_html_foreign(html, target->title);
    if (is_link) trib_html_end(html);
}

void trib_report_target_heading(trib_report *report, const char *section, size_t t) {
    trib_html *html = &report->html;
    trib_html_begin(html, "h3");
    trib_html_attribute(html, "id", "%s-%zu", section, t + 1);
    trib_html_foreign(html, report->target[t].title);
    trib_html_end(html);
}

void trib_report_open_target(trib_report *report, const char *section, size_t t) {
    trib_html_open(&report->html, "article", "target");
    trib_report_target_heading(report, section, t);
}

bool trib_report_flows(const trib_report_target *target, const json_t *source) {
    for (size_t s = 0; s < target->n_flowing; s++)
        if (trib_report_share_of(&target->share[s], trib_json_get_text(source, "source")))
            return true;
    return false;
}

const json_t *trib_report_factors(const trib_report *report, size_t d) {
    const json_t *documents = json_object_get(report->result, "documents");
    return json_object_get(json_array_get(documents, d), "factors");
}

size_t trib_report_n_documents(const trib_report *report) {
    return json_array_size(json_object_get(report->result, "documents"));
}
