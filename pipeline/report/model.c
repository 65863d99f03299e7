/* model.c - looks up what a report holds, and writes the small elements that the sections share. */
#include "pipeline/report/report.h"
#include "pipeline/support/terminal.h"

#include <assert.h>

double trib_report_setting(const trib_report *report, const char *key) {
    double number = NAN;
    return trib_read_double(trib_result_setting(report->result, key), &number) ? number
                                                                               : (double)NAN;
}

bool trib_report_has_own_floor(const trib_report *report) {
    return strcmp(trib_result_setting(report->result, "influence.floor"), "auto") == 0;
}

const trib_document_record *trib_report_document(const trib_report *report, const char *id) {
    static const trib_document_record none = {.id = "",
                                              .title = "",
                                              .author = "",
                                              .role = "",
                                              .file = "",
                                              .sha256 = "",
                                              .kind = "",
                                              .encoding = "",
                                              .words = TRIB_ABSENT,
                                              .ngrams = TRIB_ABSENT,
                                              .wildcard_ngrams = (double)NAN};
    const trib_document_record *const document = trib_result_document_of(report->result, id);
    return document ? document : &none;
}

size_t trib_report_place(const trib_report *report, const char *id) {
    const trib_document_record *const document = trib_result_document_of(report->result, id);
    return document ? (size_t)(document - report->result->documents.item)
                    : report->result->documents.n;
}

const trib_report_target *trib_report_target_of(const trib_report *report, const char *id) {
    const size_t place = trib_report_place(report, id);
    if (place < report->result->documents.n)
        return report->target_of[place] > 0 ? &report->targets[report->target_of[place] - 1] : NULL;
    for (size_t t = 0; t < report->n_all_targets; t++)
        if (strcmp(report->targets[t].id, id) == 0) return &report->targets[t];
    return NULL;
}

bool trib_report_has_reading(const trib_report *report, const char *id) {
    if (report->n_readings > 0 && trib_report_target_of(report, id)) return true;
    for (size_t r = report->n_all_targets; r < report->n_readings; r++)
        if (strcmp(report->reading[r].id, id) == 0) return true;
    return false;
}

const char *trib_report_title(const trib_report *report, const char *id) {
    return trib_result_title(report->result, id);
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
        {"extent", "has", "its words", "in passages of", "stand in no passage of a source", false},
        {"verbatim", "has", "its words", "word for word from", "are word for word from no source",
         false},
        {"runs", "shares", "its %s", "in runs with", "are in no shared run", false},
        {NULL, "draws", "itself", "from", "is left to the author", false},
    };
    const trib_report_method *method = methods;
    while (method->name && strcmp(method->name, name) != 0) method++;
    return method;
}

bool trib_pages_are_on_demand(const trib_result *result) {
    const char *text = trib_result_setting(result, "report.target_pages");
    double most = NAN;
    if (*text && !trib_read_double(text, &most))
        most = strcmp(text, "auto") == 0 ? TRIB_TARGET_PAGES : (double)INFINITY;
    /* an older result without the key has all pages */
    return result->targets.n > TRIB_REPORT_TARGETS && (double)result->targets.n > most;
}

bool trib_report_has_short_texts(const trib_report *report) {
    uint64_t n_words = 0;
    for (size_t t = 0; t < report->n_all_targets; t++)
        n_words += report->targets[t].document->words;
    return strcmp(trib_result_setting(report->result, "report.target_pages"), "auto") == 0 &&
           strcmp(trib_result_setting(report->result, "report.text"), "full") == 0 &&
           !report->is_on_demand && trib_texts_are_short(report->n_all_targets, n_words);
}

void trib_report_release(trib_report *report) {
    trib_arena_release(&report->own);
    trib_free(report->find);
    *report = (trib_report){0};
}

bool trib_report_is_brief(const trib_report_target *target) {
    return target->n_sources > TRIB_ALL_WRITTEN;
}

bool trib_report_is_short(const trib_report_target *target) {
    return trib_report_is_brief(target) && target->document->words < TRIB_SHORT_WORDS;
}

bool trib_report_is_short_page(const trib_report *report) {
    return report->page > 0 && trib_report_is_short(report->target);
}

bool trib_report_is_selective(const trib_report *report, const trib_report_target *target) {
    return report->n_all_targets > TRIB_REPORT_TARGETS || trib_report_is_brief(target);
}

bool trib_report_is_telling(const trib_report *report, const trib_report_target *target,
                            const trib_target_record *record, const char *source) {
    const trib_shown_passages shown = trib_shown_passages_choose(report->result, record, source);
    return trib_report_flows(target, source) || shown.n_notable > 0 || shown.translated.passage;
}

const char *trib_report_language(const trib_report *report, const trib_document_record *document) {
    const char *own = document ? trib_report_text(document->language) : "",
               *language = *own ? own : trib_result_setting(report->result, "tokens.locale");
    return strcmp(language, "root") != 0 && strcmp(language, "en") != 0 ? language : "";
}

void trib_report_set_language(const trib_report *report, trib_html *html, const char *id) {
    const char *language =
        trib_report_language(report, id ? trib_report_document(report, id) : NULL);
    html->language = *language ? language : NULL;
}

/* ---- Elements of the page -------------------------------------------------------------------- */

void trib_report_join(trib_html *html, size_t i, size_t n) {
    if (i > 0) trib_html_text(html, i + 1 < n ? ", " : " and ");
}

void trib_report_part(trib_html *html, const trib_report_target *target, double printed) {
    char text[TRIB_FIXED_MAX];
    trib_html_element(html, "span", "n", "%s",
                      trib_percent(text, printed, target->shares.decimals));
}

/* The text of a part; `kind` is what stands after its {. */
static const char *part_text(char text[TRIB_FIXED_MAX], const char *kind, va_list *parts) {
    const int decimals = kind[1] == '}' ? -1 : kind[1] - '0';
    double number;
    switch (*kind) {
    case 'p':
        number = va_arg(*parts, double);
        return trib_percent(text, number, decimals >= 0 ? decimals : number < 0.01 ? 2 : 1);
    case 'f':
        return trib_fixed(text, va_arg(*parts, double), decimals);
    case 'n':
        return trib_grouped(text, va_arg(*parts, double));
    case 'z':
        snprintf(text, TRIB_FIXED_MAX, "%zu", va_arg(*parts, size_t));
        return text;
    default:
        assert(strchr("tsc", *kind));
        return va_arg(*parts, const char *);
    }
}

/* Writes a part; returns what follows it. */
static const char *write_part(trib_html *html, const char *kind, va_list *parts) {
    char text[TRIB_FIXED_MAX];
    const char *const element = *kind == 't'                       ? "bdi"
                                : *kind == 'c'                     ? "code"
                                : kind[0] == 'p' && kind[1] == '}' ? "span"
                                                                   : NULL;
    if (element) trib_html_open(html, element, *kind == 'p' ? "n" : NULL);
    trib_html_text(html, part_text(text, kind, parts));
    if (element) trib_html_end(html);
    return strchr(kind, '}') + 1;
}

/* Adds an attribute; returns what follows it. */
static const char *write_attribute(trib_html *html, const char *at, va_list *parts) {
    trib_error *const failure = &html->writer->failure;
    char name[32] = "", text[TRIB_FIXED_MAX];
    const size_t length = strcspn(at, "= />");
    memcpy(name, at, length);
    at += length;
    if (*at != '=') {
        if (html->language) trib_html_attribute(html, name, "%s", html->language);
        return at;
    }
    trib_buffer_clear(&html->scratch);
    for (at += 2; *at != '\'';) {
        const size_t n = strcspn(at, "{'");
        const char *const part = n > 0 ? at : part_text(text, at + 1, parts);
        (void)trib_buffer_add(&html->scratch, part, n > 0 ? n : strlen(part), failure);
        at = n > 0 ? at + n : strchr(at, '}') + 1;
    }
    trib_html_attribute(html, name, "%s", html->scratch.text ? html->scratch.text : "");
    return at + 1;
}

/* Begins or ends an element; returns what follows the tag. */
static const char *write_tag(trib_html *html, const char *name, va_list *parts) {
    const char *at = name;
    if (*name == '/') {
        trib_html_end(html);
        return strchr(at, '>') + 1;
    }
    trib_html_begin(html, name);
    for (at += strcspn(at, " />"); *at == ' ';) at = write_attribute(html, at + 1, parts);
    if (*at == '/') trib_html_end(html);
    return at + (*at == '/') + 1;
}

/* Writes what stands before the character `end`, or all of it; returns what follows. */
static const char *say(trib_html *html, const char *at, char end, va_list *parts) {
    const char stops[] = {'{', '<', end, '\0'};
    while (*at && *at != end) {
        const size_t n = strcspn(at, stops);
        if (n > 0) trib_html_print(html, "%.*s", (int)n, at);
        at += n;
        if (*at == '{') at = write_part(html, at + 1, parts);
        else if (*at == '<') at = write_tag(html, at + 1, parts);
    }
    return at;
}

void trib_report_say_parts(trib_html *html, const char *sentence, va_list *parts) {
    (void)say(html, sentence, '\0', parts);
}

void trib_report_say(trib_html *html, const char *sentence, ...) {
    va_list parts;
    va_start(parts, sentence);
    trib_report_say_parts(html, sentence, &parts);
    va_end(parts);
}

void trib_report_of(trib_html *html, const char *attribute, const trib_report_target *target,
                    const trib_shown_row *row) {
    trib_buffer of = {0};
    trib_error *const error = &html->writer->failure;
    trib_status status =
        trib_buffer_print(&of, error, "%s %s", target->id, row ? row->source : "-");
    for (size_t m = 0; row && row->member && m < row->n_members && status == TRIB_OK; m++)
        if (strcmp(row->member[m]->source, row->source) != 0)
            status = trib_buffer_print(&of, error, " %s", row->member[m]->source);
    if (status == TRIB_OK) trib_html_attribute(html, attribute, "%s", of.text);
    trib_buffer_release(&of);
}

/* Writes the cells of a row, <th> or <td>. */
static void write_cells(trib_html *html, const char *name, const char *cells, va_list *parts) {
    while (*cells) {
        const bool is_number = *cells == '#';
        trib_html_open(html, name, is_number ? "n" : NULL);
        if (strcmp(name, "th") == 0) trib_html_attribute(html, "scope", "col");
        cells = say(html, cells + is_number, '|', parts);
        trib_html_end(html);
        cells += *cells == '|';
    }
}

void trib_report_cells(trib_html *html, const char *cells, ...) {
    va_list parts;
    va_start(parts, cells);
    write_cells(html, "td", cells, &parts);
    va_end(parts);
}

void trib_report_columns(trib_html *html, const char *columns, ...) {
    va_list parts;
    va_start(parts, columns);
    write_cells(html, "th", columns, &parts);
    va_end(parts);
}

void trib_report_phrase(trib_html *html, const trib_texts *words) {
    trib_report_say(html, "<bdi lang>");
    for (size_t w = 0; w < words->n; w++) {
        if (w > 0 && !trib_words_run_on(words->item[w - 1], words->item[w]))
            trib_html_text(html, " ");
        trib_html_brief(html, words->item[w]);
    }
    trib_html_end(html);
}

void trib_report_open_region(trib_html *html, const char *name, const char *label) {
    trib_html_open(html, name, "scroll");
    trib_html_attribute(html, "role", "region");
    trib_html_attribute(html, "aria-label", "%s", label);
    trib_html_attribute(html, "tabindex", "0");
}

void trib_report_open_head(trib_html *html, const char *class_name, const char *caption) {
    trib_report_open_region(html, "div", caption);
    trib_report_say(html, "<table class='{s}'><caption>{s}</caption><thead><tr>", class_name,
                    caption);
}

void trib_report_open_rows(trib_html *html) { trib_report_say(html, "</tr></thead><tbody>"); }

void trib_report_open_table(trib_html *html, const char *class_name, const char *caption,
                            const char *columns, ...) {
    va_list parts;
    trib_report_open_head(html, class_name, caption);
    va_start(parts, columns);
    write_cells(html, "th", columns, &parts);
    va_end(parts);
    trib_report_open_rows(html);
}

void trib_report_close_table(trib_html *html) { trib_report_say(html, "</tbody></table></div>"); }

void trib_report_interval(trib_html *html, const char *name, double low, double high) {
    char from[TRIB_FIXED_MAX], to[TRIB_FIXED_MAX];
    if (low <= high)
        trib_html_element(html, name, "n", "%s to %s", trib_percent(from, low, 1),
                          trib_percent(to, high, 1));
}

size_t trib_report_rows(size_t n) { return n > TRIB_REPORT_MANY_ROWS ? TRIB_REPORT_ROWS : n; }

void trib_report_rows_shown(trib_report *report, size_t n, const char *what, const char *file) {
    trib_html *html = &report->html;
    if (trib_report_rows(n) == n) return;
    trib_report_say(html, "<p class='shown'>{n} of {n} {s} shown. All are in ",
                    (double)trib_report_rows(n), (double)n, what);
    trib_report_numbers_in(report, file);
    trib_report_say(html, ".</p>");
}

void trib_report_shown(trib_html *html, size_t shown, double all, const char *what) {
    if ((double)shown < all)
        trib_report_say(html, "<p class='shown'>{n} of {n} {s} shown, the strongest first.</p>",
                        (double)shown, all, what);
}

void trib_report_warnings(trib_report *report) {
    enum { FEW_WARNINGS = 10 };
    const trib_texts *warnings = &report->result->warnings;
    const size_t n = warnings->n;
    trib_html *html = &report->html;
    if (n == 0) return;
    trib_report_say(html,
                    n > FEW_WARNINGS ? "<div class='caveats'><details><summary class='label'>{z} "
                                       "warnings of the run</summary><ul>"
                                     : "<div class='caveats'><p class='label'>Said during the run"
                                       "</p><ul>",
                    n);
    for (size_t w = 0; w < n; w++) trib_report_say(html, "<li>{t}</li>", warnings->item[w]);
    trib_report_say(html, n > FEW_WARNINGS ? "</ul></details></div>" : "</ul></div>");
}

void trib_report_link(trib_report *report, const char *anchor, const char *text) {
    trib_report_say(&report->html, "<a href='{s}{s}#{s}'>{t}</a>", report->page > 0 ? "../" : "",
                    report->page > 0 ? report->file : "", anchor, text);
}

void trib_report_read_link(trib_report *report, const char *id, double first, const char *text) {
    const char *const above = report->page > 0 ? "../" : "";
    if (!trib_report_has_reading(report, id)) trib_html_text(&report->html, text);
    else if (first > 0)
        trib_report_say(&report->html, "<a href='{s}{s}read/{s}.html#w{f0}'>{s}</a>", above,
                        report->data, id, first, text);
    else
        trib_report_say(&report->html, "<a href='{s}{s}read/{s}.html'>{s}</a>", above, report->data,
                        id, text);
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

bool trib_report_flows(const trib_report_target *target, const char *source) {
    for (size_t s = 0; s < target->n_flowing && s < target->shares.n; s++)
        if (trib_row_has(&target->shares.row[s], source)) return true;
    return false;
}

/* ---- Links to evidence ----------------------------------------------------------------------- */

void trib_report_pair_id(trib_html *html, const trib_report_target *target, const char *source) {
    trib_html_attribute(html, "id", "%s:%s", target->id, source);
}

/* Whether the report shows evidence of the source. */
static bool is_shown(const trib_report_target *target, const char *source) {
    for (size_t i = 0; i < target->shown.n; i++)
        if (strcmp(target->shown.item[i], source) == 0) return true;
    return false;
}

void trib_report_open_pair(trib_report *report, const trib_report_target *target,
                           const char *source) {
    trib_html *html = &report->html;
    const bool is_below = report->page > 0; /* the page lies in the folder of the targets */
    trib_html_begin(html, "a");
    if (report->is_on_demand && !(is_below && target == report->target))
        return; /* there may be no such page: no link */
    if (!report->is_many && !is_shown(target, source)) trib_html_attribute(html, "href", "#shares");
    else if (!report->is_many) trib_html_attribute(html, "href", "#%s:%s", target->id, source);
    else if (is_shown(target, source))
        trib_html_attribute(html, "href", "%s%s%s.html#%s:%s", is_below ? "" : report->folder,
                            is_below ? "" : "/", target->id, target->id, source);
    else
        trib_html_attribute(html, "href", "%s%s%s.html", is_below ? "" : report->folder,
                            is_below ? "" : "/", target->id);
}

/* ---- Files of the run ------------------------------------------------------------------------ */

bool trib_report_has_format(const trib_report *report, const char *format) {
    const char *formats = trib_result_setting(report->result, "report.formats");
    return !*formats || strstr(formats, format);
}

void trib_report_numbers_in(trib_report *report, const char *table) {
    const char *file = trib_report_has_format(report, "csv") ? table : "influence.json";
    trib_html_link(&report->html, file, "%s%s", report->data, file);
}
