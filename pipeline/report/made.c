/* made.c - how the result was made: settings, texts, hashes, the command that repeats the run,
 * and what the method cannot show. */
#include "pipeline/config/documents.h"
#include "pipeline/report/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Writes the value of a setting as YAML would. */
static void write_value(trib_html *html, const json_t *value) {
    char text[TRIB_NUMBER_MAX];
    if (json_is_string(value)) trib_html_foreign(html, json_string_value(value));
    else if (json_is_integer(value))
        trib_html_print(html, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value)) trib_html_text(html, trib_number(text, json_real_value(value)));
    else if (json_is_boolean(value)) trib_html_text(html, json_is_true(value) ? "true" : "false");
    else if (json_is_array(value)) {
        trib_html_text(html, "[");
        for (size_t i = 0; i < json_array_size(value); i++) {
            if (i > 0) trib_html_text(html, ", ");
            if (json_is_object(json_array_get(value, i))) trib_html_text(html, "\xE2\x80\xA6");
            else write_value(html, json_array_get(value, i));
        }
        trib_html_text(html, "]");
    } else trib_html_text(html, "\xE2\x80\x93");
}

static void write_setting(trib_html *html, const char *group, const char *key,
                          const json_t *value) {
    trib_html_begin(html, "tr");
    trib_report_open_row_header(html, NULL);
    trib_html_element(html, "code", NULL, "%s%s%s", group, *group ? "." : "", key);
    trib_html_end(html);
    trib_html_begin(html, "td");
    write_value(html, value);
    trib_html_end(html);
    trib_html_end(html);
}

static void open_settings(trib_html *html, const char *caption) {
    trib_report_open_table(html, "settings", caption);
    trib_report_header_cells(html, NULL, "Key", "Value", NULL);
    trib_report_open_rows(html);
}

static void write_changed(trib_report *report) {
    const json_t *changed = json_object_get(report->result, "changed");
    const json_t *configuration = json_object_get(report->result, "configuration");
    trib_html *html = &report->html;
    trib_html_element(html, "h3", NULL, "Settings");
    if (json_array_size(changed) == 0) {
        trib_html_element(html, "p", "note", "Every setting has its default.");
        return;
    }
    open_settings(html, "Settings that differ from their defaults");
    for (size_t i = 0; i < json_array_size(changed); i++) {
        const char *path = json_string_value(json_array_get(changed, i));
        if (!path) continue;
        const char *dot = strchr(path, '.');
        char group[64] = "";
        if (dot && (size_t)(dot - path) < sizeof group) {
            memcpy(group, path, (size_t)(dot - path));
            group[dot - path] = '\0';
        }
        write_setting(html, group, dot ? dot + 1 : path,
                      json_object_get(dot ? json_object_get(configuration, group) : configuration,
                                      dot ? dot + 1 : path));
    }
    trib_report_close_table(html);
}

static void write_all_settings(trib_report *report) {
    json_t *configuration = json_object_get(report->result, "configuration");
    trib_html *html = &report->html;
    const char *group, *key;
    json_t *settings, *value;
    if (json_object_size(configuration) == 0) return;
    trib_html_details(html, "long", "All settings");
    open_settings(html, "Settings in full");
    json_object_foreach(configuration, group, settings) {
        if (!json_is_object(settings)) {
            write_setting(html, "", group, settings);
            continue;
        }
        json_object_foreach(settings, key, value) write_setting(html, group, key, value);
    }
    trib_report_close_table(html);
    trib_html_end(html);
}

/* ---- Texts ----------------------------------------------------------------------------------- */

static const struct column {
    const char *key, *title;
    bool is_part;
} columns[] = {{"words", "Words", false},
               {"vocabulary", "Vocabulary", false},
               {"ngrams", NULL, false},
               {"nonzeros", "Distinct", false},
               {"wildcard_ngrams", "With wildcard", true},
               {"replaced", "Replaced", false}};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

static void write_document(trib_html *html, const json_t *document) {
    const char *author = trib_json_get_text(document, "author");
    const char *date = trib_json_get_text(document, "date");
    trib_html_begin(html, "tr");
    trib_report_open_row_header(html, NULL);
    trib_html_foreign(html, trib_json_get_text(document, "title"));
    trib_html_open(html, "small", NULL);
    trib_html_element(html, "code", NULL, "%s", trib_json_get_text(document, "id"));
    if (*author) trib_report_say(html, " {t}", author);
    if (*date) trib_report_say(html, " {t}", date);
    trib_html_end(html);
    trib_html_end(html);
    trib_html_element(html, "td", NULL, "%s", trib_json_get_text(document, "role"));
    for (size_t c = 0; c < N_COLUMNS; c++) {
        const double value = trib_json_get_number(document, columns[c].key);
        if (columns[c].is_part) trib_report_percent_cell(html, value, 1);
        else trib_report_count_cell(html, value);
    }
    const json_t *factors = json_object_get(document, "factors");
    trib_report_count_cell(html, trib_json_get_number(factors, "rank"));
    trib_report_number_cell(html, trib_json_get_number(factors, "fit"), 2);
    trib_html_end(html);
}

/* Says what estimated dates are. */
static void write_estimates(trib_report *report, const json_t *documents) {
    size_t n = 0;
    for (size_t d = 0; d < json_array_size(documents); d++)
        n += trib_date_is_estimated(trib_json_get_text(json_array_get(documents, d), "date"));
    if (n == 0) return;
    trib_html_element(&report->html, "p", NULL,
                      "%zu of %zu texts have an estimated date (est.), such as 30 years after the "
                      "birth of the author: a text may be older or younger than its date says. A "
                      "number (no.) decides which of two texts of one year counts as older.",
                      n, json_array_size(documents));
}

/* Says how many dates no list of documents says. */
static void write_origins(trib_report *report, const json_t *documents) {
    size_t n_names = 0, n_properties = 0;
    for (size_t d = 0; d < json_array_size(documents); d++) {
        const char *from = trib_json_get_text(json_array_get(documents, d), "date_from");
        n_names += strcmp(from, "file name") == 0;
        n_properties += strcmp(from, "properties") == 0;
    }
    if (n_names > 0)
        trib_html_element(&report->html, "p", NULL,
                          "%zu of %zu texts have the date in their file name.", n_names,
                          json_array_size(documents));
    if (n_properties > 0)
        trib_html_element(&report->html, "p", NULL,
                          "%zu of %zu texts have the date from the properties of their file, which "
                          "is often when the file was made: the text may be older.",
                          n_properties, json_array_size(documents));
}

static void write_documents(trib_report *report) {
    const json_t *documents = json_object_get(report->result, "documents");
    trib_html *html = &report->html;
    if (json_array_size(documents) == 0) return;
    trib_html_element(html, "h3", NULL, "Texts");
    trib_report_open_table(html, "numbers", "The texts, by id");
    trib_report_header_cells(html, NULL, "Text", "Role", NULL);
    for (size_t c = 0; c < N_COLUMNS; c++)
        trib_report_header_cell(html, "n", columns[c].title ? columns[c].title : report->ngrams);
    trib_report_header_cells(html, "n", "Factors", "Fit", NULL);
    trib_report_open_rows(html);
    for (size_t d = 0; d < trib_report_rows(json_array_size(documents)); d++)
        write_document(html, json_array_get(documents, d));
    trib_report_close_table(html);
    trib_report_rows_shown(report, json_array_size(documents), "texts", "documents.csv");
    write_estimates(report, documents);
    write_origins(report, documents);
}

/* Writes how much was stripped at one place of a file: "1,234 (56 lines)". */
static void write_cut(trib_html *html, const json_t *cut) {
    char bytes[TRIB_FIXED_MAX], lines[TRIB_FIXED_MAX];
    if (trib_json_get_number(cut, "bytes") > 0)
        trib_html_element(html, "td", "n", "%s (%s lines)",
                          trib_grouped(bytes, trib_json_get_number(cut, "bytes")),
                          trib_grouped(lines, trib_json_get_number(cut, "lines")));
    else trib_html_element(html, "td", "n", "\xE2\x80\x93");
}

/* Lists the files beside the texts that were not read. */
static void write_left_out(trib_report *report) {
    enum { SHOWN = 20 };
    const json_t *list = json_object_get(json_object_get(report->result, "corpus"), "left_out");
    trib_html *html = &report->html;
    const size_t n = json_array_size(list);
    if (n == 0) return;
    trib_html_open(html, "p", NULL);
    trib_html_print(html, "%zu file%s beside the texts %s not read (inputs.tsv has the list): ", n,
                    n > 1 ? "s" : "", n > 1 ? "were" : "was");
    for (size_t i = 0; i < n && i < SHOWN; i++) {
        const json_t *out = json_array_get(list, i);
        trib_report_say(html, "{s}{t}, {s}", i > 0 ? "; " : "", trib_json_get_text(out, "file"),
                        trib_json_get_text(out, "why"));
    }
    trib_html_text(html, n > SHOWN ? "; ..." : ".");
    trib_html_end(html);
}

/* Lists the files of the texts that were not plain text without stripping. */
static void write_files(trib_report *report) {
    static const char *const places[] = {"before", "between", "behind"};
    const json_t *documents = json_object_get(report->result, "documents");
    const json_t *corpus =
        json_object_get(json_object_get(report->result, "configuration"), "corpus");
    trib_html *html = &report->html;
    bool any = strcmp(trib_json_get_text(corpus, "encoding"), "auto") == 0;
    for (size_t d = 0; d < json_array_size(documents); d++) {
        const json_t *document = json_array_get(documents, d);
        const char *kind = trib_json_get_text(document, "kind");
        any |= json_is_object(json_object_get(document, "stripped")) ||
               (*kind && strcmp(kind, "text") != 0);
    }
    if (!any) return;
    trib_html_element(html, "h3", NULL, "Files");
    trib_report_open_table(html, "numbers", "What was read, and the bytes stripped");
    trib_report_header_cells(html, NULL, "File", "Kind", "Encoding", NULL);
    trib_report_header_cells(html, "n", "Bytes", "Cut before the text", "Between texts", "Behind",
                             NULL);
    trib_report_open_rows(html);
    for (size_t d = 0; d < trib_report_rows(json_array_size(documents)); d++) {
        const json_t *document = json_array_get(documents, d);
        trib_report_open_row(html, trib_json_get_text(document, "file"));
        trib_html_element(html, "td", NULL, "%s", trib_json_get_text(document, "kind"));
        trib_html_foreign_element(html, "td", NULL, trib_json_get_text(document, "encoding"));
        trib_report_count_cell(html, trib_json_get_number(document, "bytes"));
        for (size_t p = 0; p < 3; p++)
            write_cut(html, json_object_get(json_object_get(document, "stripped"), places[p]));
        trib_html_end(html);
    }
    trib_report_close_table(html);
    trib_report_rows_shown(report, json_array_size(documents), "files", "documents.csv");
}

/* Says which run was extended, and which numbers are of that run. */
static void write_base(trib_report *report) {
    const json_t *base = json_object_get(json_object_get(report->result, "corpus"), "base");
    const json_t *added = json_object_get(base, "added");
    const size_t n = json_array_size(added);
    if (!base) return;
    trib_html_open(&report->html, "p", NULL);
    trib_report_say(&report->html,
                    "This run adds {z} {s} to the {n} of the run {t}. Word ids, counts of words, "
                    "formulas and the rates of samples are those of that run; its texts are the "
                    "whole by which a word is rare or common. ",
                    n, n == 1 ? "text" : "texts", trib_json_get_number(base, "documents"),
                    trib_json_get_text(base, "hash"));
    trib_html_text(&report->html,
                   trib_json_get_flag(base, "only_changed")
                       ? "Only the added texts, and texts that one of them became a source of, are "
                         "targets here; the results of the others are those of that run."
                       : "Texts without an added source have the results of that run.");
    trib_html_end(&report->html);
}

static void write_vocabulary(trib_report *report) {
    const json_t *corpus = json_object_get(report->result, "corpus");
    trib_html *html = &report->html;
    char a[TRIB_FIXED_MAX], b[TRIB_FIXED_MAX];
    if (!json_is_object(corpus)) return;
    const double wildcard = trib_json_get_number(corpus, "wildcard_tokens");
    trib_html_open(html, "p", NULL);
    trib_report_say(html,
                    json_object_get(corpus, "base")
                        ? "The texts of that run have {n} words. With the added texts, {n} words "
                          "are different. "
                        : "All texts together have {n} words, {n} of them different. ",
                    trib_json_get_number(corpus, "tokens"),
                    trib_json_get_number(corpus, "vocabulary"));
    if (wildcard > 0)
        trib_html_print(html,
                        "Words outside the vocabulary count as one wildcard: %s of the words, in "
                        "%s of the %s.",
                        trib_percent(a, wildcard, 1),
                        trib_percent(b, trib_json_get_number(corpus, "wildcard_ngrams"), 1),
                        report->ngrams);
    else trib_html_text(html, "Every word is in the vocabulary; none became a wildcard.");
    trib_html_end(html);
}

/* ---- Repeating the run ----------------------------------------------------------------------- */

static void write_hashes(trib_report *report) {
    const json_t *documents = json_object_get(report->result, "documents");
    trib_html *html = &report->html;
    trib_html_details(html, "long", "SHA-256 of the texts");
    trib_report_open_table(html, "settings", "SHA-256 of every text's file");
    trib_report_header_cells(html, NULL, "File", "SHA-256", NULL);
    trib_report_open_rows(html);
    for (size_t d = 0; d < trib_report_rows(json_array_size(documents)); d++) {
        const json_t *document = json_array_get(documents, d);
        trib_report_open_row(html, trib_json_get_text(document, "file"));
        trib_html_begin(html, "td");
        trib_html_element(html, "code", NULL, "%s", trib_json_get_text(document, "sha256"));
        trib_html_end(html);
        trib_html_end(html);
    }
    trib_report_close_table(html);
    trib_report_rows_shown(report, json_array_size(documents), "files", "documents.csv");
    trib_html_end(html);
}

static void write_repeating(trib_report *report) {
    const double seed = trib_report_setting(report, "cp", "seed");
    const json_t *base = json_object_get(json_object_get(report->result, "corpus"), "base");
    char text[TRIB_FIXED_MAX];
    trib_html *html = &report->html;
    trib_html_element(html, "h3", NULL, "To repeat it");
    trib_html_open(html, "p", NULL);
    trib_report_say(html,
                    "In the directory of this report, where {c} stands for the directory with the "
                    "same texts; no line is printed when every file is the same.",
                    "TEXTS");
    if (base)
        trib_report_say(html, " {c} is the directory of the run that is extended, {t}.", "RUN",
                        trib_json_get_text(base, "hash"));
    trib_html_end(html);
    trib_html_tag(html, "pre", "tabindex", "0", NULL);
    trib_html_element(html, "code", NULL,
                      "tributary run config.resolved.yaml --set corpus.root=TEXTS%s%s -q -o again\n"
                      "diff SHA256SUMS again/SHA256SUMS",
                      base ? " --add-to RUN" : "",
                      trib_json_get_flag(base, "only_changed") ? " --only-changed" : "");
    trib_html_end(html);
    trib_html_open(html, "dl", "facts wide");
    const struct {
        const char *name, *value;
    } facts[] = {{"tributary", trib_json_get_text(report->result, "version")},
                 {"seed", trib_fixed(text, seed, 0)},
                 {"run hash", trib_json_get_text(report->result, "hash")}};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        trib_html_begin(html, "div");
        trib_html_element(html, "dt", NULL, "%s", facts[i].name);
        trib_html_begin(html, "dd");
        trib_html_element(html, "code", NULL, "%s", facts[i].value);
        trib_html_end(html);
        trib_html_end(html);
    }
    trib_html_end(html);
    write_hashes(report);
}

static void write_limits(trib_report *report) {
    static const char *const limits[][2] = {
        {"Shared phrases do not prove reading.",
         "Two texts may share phrases because one author read the other, because both draw on a "
         "third text, or because their language has them ready."},
        {"A common third source looks the same.",
         "If it is not among the texts, its share goes to whichever text here resembles it; if it "
         "is, the shares are divided between them."},
        {"The direction is not measured.",
         "Which text is the earlier one is known from elsewhere: exchange target and source and "
         "the phrases are the same."},
        {"Absence is not originality.",
         "The author\xE2\x80\x99s part is what no text here explains, and the language everyone "
         "shares. A source left out of the corpus is in it."},
        {"Paraphrase and translation are invisible.",
         "Only words that follow each other in both texts count. Replacing three words in ten "
         "leaves about a third of the 3-grams; ideas leave none."},
    };
    trib_html *html = &report->html;
    trib_html_tag(html, "h3", "id", "limits", NULL);
    trib_html_text(html, "What this method cannot show");
    trib_html_end(html);
    trib_html_open(html, "ul", "limits");
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        trib_html_begin(html, "li");
        trib_html_element(html, "b", NULL, "%s", limits[i][0]);
        trib_html_print(html, " %s", limits[i][1]);
        trib_html_end(html);
    }
    trib_html_end(html);
}

void trib_report_made(trib_report *report) {
    write_limits(report);
    write_documents(report);
    write_files(report);
    write_left_out(report);
    write_base(report);
    write_vocabulary(report);
    trib_report_same_words(report);
    write_changed(report);
    write_all_settings(report);
    write_repeating(report);
}
