/* report.c - report.html: one page made from the result alone, without anything from the
 * network, and complete without its script. A section is a row of the table below; the page, its
 * contents and the numbers of the sections follow the rows. With many targets each has a page
 * with its own sections, so that every page loads fast, and the first page links to them. */
#include "pipeline/report/report.h"

#include <string.h>

/* Where a section is written when the targets have pages of their own. */
enum place { FIRST_PAGE, TARGET_PAGES };

static const struct section {
    const char *id, *title;
    bool (*has)(const trib_report *report); /* NULL: always */
    void (*write)(trib_report *report);
    enum place place;
    void (*write_many)(trib_report *report); /* on the first page, instead of `write` */
} sections[] = {
    {"answer", "The answer", NULL, trib_report_answer, TARGET_PAGES, trib_report_answers},
    {"shares", "Influence", NULL, trib_report_shares, TARGET_PAGES, trib_report_all_shares},
    {"map", "The map of all texts", trib_report_has_map, trib_report_map, FIRST_PAGE, NULL},
    {"network", "Who draws on whom", trib_report_has_network, trib_report_network, FIRST_PAGE,
     NULL},
    {"evidence", "The phrases behind it", trib_report_has_evidence, trib_report_evidence,
     TARGET_PAGES, NULL},
    {"matches", "Matched factors", trib_report_has_matches, trib_report_matches, TARGET_PAGES,
     NULL},
    {"distances", "Distances and the threshold", trib_report_has_distances, trib_report_distances,
     TARGET_PAGES, NULL},
    {"own", "The author\xE2\x80\x99s own", trib_report_has_own, trib_report_own, TARGET_PAGES,
     NULL},
    {"quality", "Quality of the model", trib_report_has_quality, trib_report_quality, FIRST_PAGE,
     NULL},
    {"made", "How this was made", NULL, trib_report_made, FIRST_PAGE, NULL},
    {"data", "The data", NULL, trib_report_data, FIRST_PAGE, NULL},
};
enum { N_SECTIONS = sizeof sections / sizeof *sections };

/* The rows of trib_report_files: the style sheet and the script. A single page contains both;
 * the pages of many targets load SHARED.css and SHARED.js from their own folder. */
#define SHARED "report"
enum { STYLE_SHEET, SCRIPT, N_SHARED };

static const char *shared_by(const trib_report *report) { return report->page > 0 ? SHARED : NULL; }

/* The function that writes a section on this page; NULL when the page does not have it. */
static void (*writer_of(const trib_report *report, const struct section *section))(trib_report *) {
    const bool is_here = !report->is_many || (section->place == TARGET_PAGES) == (report->page > 0);
    if (!is_here) return section->write_many && report->page == 0 ? section->write_many : NULL;
    return !section->has || section->has(report) ? section->write : NULL;
}

static const char *name_of(const trib_report *report) {
    const char *name = trib_json_get_text(report->result, "name");
    return *name ? name : "an experiment";
}

enum { BASE64_MAX = 45 }; /* for a SHA-256 */

/* Writes the bytes of the hexadecimal digits in base 64. */
static void write_base64(char to[BASE64_MAX], const char *hex) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static const char values[] = "0123456789abcdef";
    const size_t n_bits = 4 * strlen(hex);
    size_t n = 0;
    for (size_t bit = 0; bit < n_bits; bit += 6) { /* 3 hexadecimal digits make 2 of base 64 */
        unsigned value = 0;
        for (size_t b = bit; b < bit + 6; b++) {
            const size_t digit = b < n_bits ? (size_t)(strchr(values, hex[b / 4]) - values) : 0;
            value = 2 * value + (digit >> (3 - b % 4) & 1);
        }
        to[n++] = digits[value];
    }
    while (n % 4 != 0) to[n++] = '=';
    to[n] = '\0';
}

/* Writes a Content-Security-Policy: the browser allows the page's own style and script, or those
 * in the files beside it. No other script runs and nothing is loaded or sent, even if text of a
 * corpus got into the page as markup. */
static void write_policy(trib_html *html, const char *shared) {
    trib_sha256 *sum = NULL;
    char hex[TRIB_SHA256_TEXT], base64[BASE64_MAX];
    if (trib_sha256_open(&sum, &html->writer->failure) != TRIB_OK) return;
    trib_sha256_add(sum, trib_report_files[SCRIPT].bytes, trib_report_files[SCRIPT].n_bytes);
    trib_sha256_close(sum, hex);
    write_base64(base64, hex);
    trib_html_begin(html, "meta");
    trib_html_attribute(html, "http-equiv", "Content-Security-Policy");
    trib_html_attribute(html, "content",
                        "default-src 'none'; script-src %s%s%s; style-src %s'unsafe-inline'; "
                        "base-uri 'none'; form-action 'none'",
                        shared ? "'self' file:" : "'sha256-", shared ? "" : base64,
                        shared ? "" : "'", shared ? "'self' file: " : "");
    trib_html_end(html);
}

void trib_report_head(trib_html *html, const char *subject, const char *of, const char *shared) {
    trib_html_begin(html, "head");
    trib_html_begin(html, "meta");
    trib_html_attribute(html, "charset", "utf-8");
    trib_html_end(html);
    write_policy(html, shared);
    trib_html_element(html, "title", NULL, "%s \xC2\xB7 %s", subject, of);
    static const char *const metas[][2] = {
        {"viewport", "width=device-width, initial-scale=1"},
        {"color-scheme", "light dark"},
        {"referrer", "no-referrer"},
        {"generator", "tributary"},
    };
    for (size_t i = 0; i < sizeof metas / sizeof *metas; i++) {
        trib_html_begin(html, "meta");
        trib_html_attribute(html, "name", "%s", metas[i][0]);
        trib_html_attribute(html, "content", "%s", metas[i][1]);
        trib_html_end(html);
    }
    if (shared) {
        trib_html_begin(html, "link");
        trib_html_attribute(html, "rel", "stylesheet");
        trib_html_attribute(html, "href", "%s.css", shared);
    } else {
        trib_html_begin(html, "style");
        trib_html_raw(html, (const char *)trib_report_files[STYLE_SHEET].bytes);
    }
    trib_html_end(html);
    trib_html_end(html);
}

/* Writes the hatchings of the charts, so that no meaning depends on colour alone. */
static void write_patterns(trib_html *html) {
    static const struct {
        const char *id, *path;
    } patterns[] = {{"hatch", "M-1 1l2-2M0 6l6-6M5 7l2-2"},
                    {"dots", "M1 1h1.6v1.6h-1.6zM4 4h1.6v1.6h-1.6z"}};
    trib_html_open(html, "svg", "patterns");
    trib_html_attribute(html, "width", "0");
    trib_html_attribute(html, "height", "0");
    trib_html_attribute(html, "aria-hidden", "true");
    trib_html_begin(html, "defs");
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        trib_html_begin(html, "pattern");
        trib_html_attribute(html, "id", "%s", patterns[i].id);
        trib_html_attribute(html, "width", "6");
        trib_html_attribute(html, "height", "6");
        trib_html_attribute(html, "patternUnits", "userSpaceOnUse");
        trib_html_open(html, "path", patterns[i].id);
        trib_html_attribute(html, "d", "%s", patterns[i].path);
        trib_html_end(html);
        trib_html_end(html);
    }
    trib_html_end(html);
    trib_html_end(html);
}

static void draw_brand(trib_html *html) {
    trib_html_begin(html, "svg");
    trib_html_attribute(html, "viewBox", "0 0 28 20");
    trib_html_attribute(html, "width", "28");
    trib_html_attribute(html, "height", "20");
    trib_html_attribute(html, "aria-hidden", "true");
    static const char *const streams[] = {"M1 3C11 3 12 10 27 10", "M1 10H27",
                                          "M1 17C9 17 14 10 27 10"};
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        trib_html_open(html, "path", "stream");
        trib_html_attribute(html, "d", "%s", streams[i]);
        trib_html_end(html);
    }
    trib_html_end(html);
}

static void write_masthead(trib_report *report) {
    trib_html *html = &report->html;
    trib_html_open(html, "header", "masthead");
    trib_html_open(html, "p", "brand");
    if (!trib_report_is_short_page(report)) draw_brand(html);
    trib_html_text(html, "tributary");
    trib_html_end(html);
    trib_html_begin(html, "h1");
    trib_html_foreign(html, report->page > 0 ? report->target->title : name_of(report));
    trib_html_end(html);
    if (!trib_report_is_short_page(report))
        trib_html_element(html, "p", "question",
                          "Which earlier texts flow into %s, how much, and through which phrases?",
                          report->n_targets == 1 ? "this one" : "these");
    trib_html_end(html);
}

/* Writes the links from the page of a target to the pages before and after it and to the first
 * page. */
static void write_neighbours(trib_report *report) {
    trib_html *html = &report->html;
    trib_html_open(html, "nav", "neighbours");
    trib_html_attribute(html, "aria-label", "Report");
    trib_html_begin(html, "ul");
    trib_html_begin(html, "li");
    trib_html_text(html, "All: ");
    trib_report_link(report, "answer", name_of(report));
    trib_html_end(html);
    if (report->page > 1) {
        trib_html_begin(html, "li");
        trib_html_text(html, "Before: ");
        trib_report_target_link(report, report->target - 1);
        trib_html_end(html);
    }
    if (report->page < report->n_all_targets) {
        trib_html_begin(html, "li");
        trib_html_text(html, "Next: ");
        trib_report_target_link(report, report->target + 1);
        trib_html_end(html);
    }
    trib_html_end(html);
    trib_html_end(html);
}

static void write_contents(trib_report *report) {
    trib_html *html = &report->html;
    trib_html_open(html, "nav", "contents");
    trib_html_attribute(html, "aria-label", "Contents");
    trib_html_begin(html, "ol");
    for (size_t s = 0; s < N_SECTIONS; s++) {
        if (!writer_of(report, &sections[s])) continue;
        trib_html_begin(html, "li");
        trib_html_begin(html, "a");
        trib_html_attribute(html, "href", "#%s", sections[s].id);
        trib_html_text(html, sections[s].title);
        trib_html_end(html);
        trib_html_end(html);
    }
    trib_html_end(html);
    trib_html_end(html);
}

void trib_report_tail(trib_html *html, const char *shared) {
    trib_html_begin(html, "script");
    if (shared) trib_html_attribute(html, "src", "%s.js", shared);
    else trib_html_raw(html, (const char *)trib_report_files[SCRIPT].bytes);
    trib_html_end(html);
}

static void write_body(trib_report *report) {
    trib_html *html = &report->html;
    trib_html_begin(html, "body");
    trib_html_open(html, "a", "skip");
    trib_html_attribute(html, "href", "#answer");
    trib_html_text(html, "Skip to the answer");
    trib_html_end(html);
    if (!trib_report_is_short_page(report)) write_patterns(html);
    write_masthead(report);
    if (report->page > 0) write_neighbours(report);
    if (!trib_report_is_short_page(report)) write_contents(report);
    trib_html_begin(html, "main");
    unsigned number = 0;
    for (size_t s = 0; s < N_SECTIONS; s++) {
        void (*const write)(trib_report *) = writer_of(report, &sections[s]);
        if (!write) continue;
        trib_html_begin(html, "section");
        trib_html_attribute(html, "id", "%s", sections[s].id);
        trib_html_attribute(html, "aria-labelledby", "%s-title", sections[s].id);
        if (sections[s].write == trib_report_distances) { /* read by the slider of the script */
            char threshold[TRIB_NUMBER_MAX];
            trib_html_attribute(html, "data-threshold", "%s",
                                trib_number(threshold, report->threshold));
        }
        trib_html_begin(html, "h2");
        trib_html_attribute(html, "id", "%s-title", sections[s].id);
        trib_html_element(html, "span", "number", "%u", ++number);
        trib_html_print(html, " %s", sections[s].title);
        trib_html_end(html);
        write(report);
        trib_html_end(html);
    }
    trib_html_end(html);
    trib_html_begin(html, "footer");
    trib_html_element(
        html, "p", NULL,
        "Made by tributary from influence.json, which holds every number on this page. "
        "Nothing here was fetched from anywhere.");
    trib_html_end(html);
    trib_report_tail(html, shared_by(report));
    trib_html_end(html);
}

size_t trib_report_n_pages(const trib_report *report) {
    return report->is_many ? 1 + report->n_all_targets + N_SHARED : 1;
}

trib_status trib_report_page_name(const trib_report *report, size_t page, trib_buffer *name,
                                  trib_error *error) {
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    trib_buffer_clear(name);
    if (page == 0) return trib_buffer_print(name, error, "%s", report->file);
    if (page > report->n_all_targets)
        return trib_buffer_print(name, error, "%s/%s", report->folder,
                                 trib_report_files[page - report->n_all_targets - 1].name);
    const char *id = report->targets[page - 1].id;
    if (!*id || id[strspn(id, letters)] != '\0')
        return trib_fail(error, TRIB_INPUT, "influence.json: '%s' is no id of a document", id);
    return trib_buffer_print(name, error, "%s/%s.html", report->folder, id);
}

trib_status trib_report_write_page(const trib_report *whole, size_t page, trib_writer *writer,
                                   trib_error *error) {
    trib_report here = *whole, *report = &here; /* other threads may write other pages */
    const char *locale = trib_json_get_text(
        json_object_get(json_object_get(report->result, "configuration"), "tokens"), "locale");
    trib_html *html = &report->html;
    if (page > whole->n_all_targets) {
        const trib_embedded_file *file = &trib_report_files[page - whole->n_all_targets - 1];
        trib_write(writer, file->bytes, file->n_bytes);
        return writer->failure.status;
    }
    trib_html_init(html, writer);
    report->page = page;
    report->target = page > 0 ? &report->targets[page - 1] : report->targets;
    report->n_targets = page > 0 ? 1 : report->n_all_targets;
    const bool is_said = strcmp(locale, "en") == 0 && trib_report_is_short_page(report);
    html->is_terse = trib_report_is_short_page(report);
    if (*locale && strcmp(locale, "root") != 0 && !is_said) html->language = locale;
    trib_write_text(writer, "<!DOCTYPE html>");
    trib_html_begin(html, "html");
    trib_html_attribute(html, "lang", "en");
    trib_report_head(html, report->page > 0 ? report->target->title : name_of(report),
                     report->page > 0 ? name_of(report) : "influence", shared_by(report));
    write_body(report);
    trib_html_end(html);
    trib_write_text(writer, "\n");
    trib_html_release(html);
    if (writer->failure.status != TRIB_OK && error) *error = writer->failure;
    return writer->failure.status == TRIB_OK ? trib_json_check(report->file, error)
                                             : writer->failure.status;
}

trib_status trib_report_open(trib_report **report, const json_t *result, const char *file,
                             const char *folder, trib_error *error) {
    trib_status status = trib_new(report, 1, sizeof **report, "the report", error);
    if (status != TRIB_OK) return status;
    (*report)->file = file;
    (*report)->folder = folder;
    (*report)->data = "";
    status = trib_report_read(*report, result, error);
    if (status == TRIB_OK) return TRIB_OK;
    trib_report_close(*report);
    *report = NULL;
    return status;
}

void trib_report_data_in(trib_report *report, const char *link) { report->data = link; }

void trib_report_close(trib_report *report) {
    if (report) trib_report_release(report);
    trib_free(report);
}

trib_status trib_report_write_html(const json_t *result, trib_writer *writer, trib_error *error) {
    trib_report *report = NULL;
    trib_status status = trib_report_open(&report, result, "report.html", "targets", error);
    if (status == TRIB_OK) status = trib_report_write_page(report, 0, writer, error);
    trib_report_close(report);
    return status;
}
