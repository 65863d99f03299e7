/* made.c - how the result was made: settings, texts, hashes, the command that repeats the run,
 * and what the method cannot show. */
#include "pipeline/config/documents.h"
#include "pipeline/report/report.h"

#include <stdio.h>
#include <string.h>

static void write_setting(trib_html *html, const char *key, const char *value) {
    trib_html_begin(html, "tr");
    trib_report_open_row_header(html, NULL);
    trib_html_element(html, "code", NULL, "%s", key);
    trib_html_end(html);
    trib_html_begin(html, "td");
    trib_html_foreign(html, value);
    trib_html_end(html);
    trib_html_end(html);
}

static void open_settings(trib_html *html, const char *caption) {
    trib_report_open_table(html, "settings", caption);
    trib_report_header_cells(html, NULL, "Key", "Value", NULL);
    trib_report_open_rows(html);
}

static void write_changed(trib_report *report) {
    const trib_texts *changed = &report->result->changed;
    trib_html *html = &report->html;
    trib_html_element(html, "h3", NULL, "Settings");
    if (changed->n == 0) {
        trib_html_element(html, "p", "note", "Every setting has its default.");
        return;
    }
    open_settings(html, "Settings that differ from their defaults");
    for (size_t i = 0; i < changed->n; i++)
        write_setting(html, changed->item[i],
                      trib_result_setting(report->result, changed->item[i]));
    trib_report_close_table(html);
}

static void write_all_settings(trib_report *report) {
    const trib_setting_records *settings = &report->result->configuration;
    trib_html *html = &report->html;
    if (settings->n == 0) return;
    trib_html_details(html, "long", "All settings");
    open_settings(html, "Settings in full");
    for (size_t i = 0; i < settings->n; i++)
        write_setting(html, settings->item[i].key, settings->item[i].value);
    trib_report_close_table(html);
    trib_html_end(html);
}

/* ---- Texts ----------------------------------------------------------------------------------- */

static void write_document(trib_html *html, const trib_document_record *document) {
    const char *author = document->author, *date = trib_report_text(document->date);
    const trib_factors_record *factors = document->factors;
    trib_html_begin(html, "tr");
    trib_report_open_row_header(html, NULL);
    trib_html_foreign(html, document->title);
    trib_html_open(html, "small", NULL);
    trib_html_element(html, "code", NULL, "%s", document->id);
    if (*author) trib_report_say(html, " {t}", author);
    if (*date) trib_report_say(html, " {t}", date);
    trib_html_end(html);
    trib_html_end(html);
    trib_html_element(html, "td", NULL, "%s", document->role);
    trib_report_count_cell(html, (double)document->words);
    trib_report_count_cell(html, (double)document->vocabulary);
    trib_report_count_cell(html, (double)document->ngrams);
    trib_report_count_cell(html, (double)document->nonzeros);
    trib_report_percent_cell(html, document->wildcard_ngrams, 1);
    trib_report_count_cell(html, (double)document->replaced);
    trib_report_count_cell(html, factors ? (double)factors->rank : (double)NAN);
    trib_report_number_cell(html, factors ? factors->fit : (double)NAN, 2);
    trib_html_end(html);
}

/* Says what estimated dates are. */
static void write_estimates(trib_report *report, const trib_document_records *documents) {
    size_t n = 0;
    for (size_t d = 0; d < documents->n; d++)
        n += trib_date_is_estimated(trib_report_text(documents->item[d].date));
    if (n == 0) return;
    trib_html_element(&report->html, "p", NULL,
                      "%zu of %zu texts have an estimated date (est.), such as 30 years after the "
                      "birth of the author: a text may be older or younger than its date says. A "
                      "number (no.) decides which of two texts of one year counts as older.",
                      n, documents->n);
}

/* Says how many dates no list of documents says. */
static void write_origins(trib_report *report, const trib_document_records *documents) {
    size_t n_names = 0, n_properties = 0;
    for (size_t d = 0; d < documents->n; d++) {
        const char *from = trib_report_text(documents->item[d].date_from);
        n_names += strcmp(from, "file name") == 0;
        n_properties += strcmp(from, "properties") == 0;
    }
    if (n_names > 0)
        trib_html_element(&report->html, "p", NULL,
                          "%zu of %zu texts have the date in their file name.", n_names,
                          documents->n);
    if (n_properties > 0)
        trib_html_element(&report->html, "p", NULL,
                          "%zu of %zu texts have the date from the properties of their file, which "
                          "is often when the file was made: the text may be older.",
                          n_properties, documents->n);
}

static void write_documents(trib_report *report) {
    const trib_document_records *documents = &report->result->documents;
    trib_html *html = &report->html;
    if (documents->n == 0) return;
    trib_html_element(html, "h3", NULL, "Texts");
    trib_report_open_table(html, "numbers", "The texts, by id");
    trib_report_header_cells(html, NULL, "Text", "Role", NULL);
    trib_report_header_cells(html, "n", "Words", "Vocabulary", report->ngrams, "Distinct",
                             "With wildcard", "Replaced", "Factors", "Fit", NULL);
    trib_report_open_rows(html);
    for (size_t d = 0; d < trib_report_rows(documents->n); d++)
        write_document(html, &documents->item[d]);
    trib_report_close_table(html);
    trib_report_rows_shown(report, documents->n, "texts", "documents.csv");
    write_estimates(report, documents);
    write_origins(report, documents);
}

/* Writes how much was stripped at one place of a file: "1,234 (56 lines)". */
static void write_cut(trib_html *html, const trib_cut_record *cut) {
    char bytes[TRIB_FIXED_MAX], lines[TRIB_FIXED_MAX];
    if (cut && cut->bytes > 0)
        trib_html_element(html, "td", "n", "%s (%s lines)", trib_grouped(bytes, (double)cut->bytes),
                          trib_grouped(lines, (double)cut->lines));
    else trib_html_element(html, "td", "n", "\xE2\x80\x93");
}

/* Lists the files beside the texts that were not read. */
static void write_left_out(trib_report *report) {
    enum { SHOWN = 20 };
    const trib_refused_records *list = &report->result->corpus->left_out;
    trib_html *html = &report->html;
    const size_t n = list->n;
    if (n == 0) return;
    trib_html_open(html, "p", NULL);
    trib_html_print(html, "%zu file%s beside the texts %s not read (inputs.tsv has the list): ", n,
                    n > 1 ? "s" : "", n > 1 ? "were" : "was");
    for (size_t i = 0; i < n && i < SHOWN; i++)
        trib_report_say(html, "{s}{t}, {s}", i > 0 ? "; " : "", list->item[i].file,
                        list->item[i].why);
    trib_html_text(html, n > SHOWN ? "; ..." : ".");
    trib_html_end(html);
}

/* Lists the files of the texts that were not plain text without stripping. */
static void write_files(trib_report *report) {
    const trib_document_records *documents = &report->result->documents;
    trib_html *html = &report->html;
    bool any = strcmp(trib_result_setting(report->result, "corpus.encoding"), "auto") == 0;
    for (size_t d = 0; d < documents->n; d++) {
        const char *kind = documents->item[d].kind;
        any |= documents->item[d].stripped || (*kind && strcmp(kind, "text") != 0);
    }
    if (!any) return;
    trib_html_element(html, "h3", NULL, "Files");
    trib_report_open_table(html, "numbers", "What was read, and the bytes stripped");
    trib_report_header_cells(html, NULL, "File", "Kind", "Encoding", NULL);
    trib_report_header_cells(html, "n", "Bytes", "Cut before the text", "Between texts", "Behind",
                             NULL);
    trib_report_open_rows(html);
    for (size_t d = 0; d < trib_report_rows(documents->n); d++) {
        const trib_document_record *document = &documents->item[d];
        const trib_stripped_record *stripped = document->stripped;
        trib_report_open_row(html, document->file);
        trib_html_element(html, "td", NULL, "%s", document->kind);
        trib_html_foreign_element(html, "td", NULL, document->encoding);
        trib_report_count_cell(html, (double)document->bytes);
        write_cut(html, stripped ? stripped->before : NULL);
        write_cut(html, stripped ? stripped->between : NULL);
        write_cut(html, stripped ? stripped->behind : NULL);
        trib_html_end(html);
    }
    trib_report_close_table(html);
    trib_report_rows_shown(report, documents->n, "files", "documents.csv");
}

/* Says which run was extended, and which numbers are of that run. */
static void write_base(trib_report *report) {
    const trib_base_record *base = report->result->corpus->base;
    if (!base) return;
    const size_t n = base->added.n;
    trib_html_open(&report->html, "p", NULL);
    trib_report_say(&report->html,
                    "This run adds {z} {s} to the {n} of the run {t}. Word ids, counts of words, "
                    "formulas and the rates of samples are those of that run; its texts are the "
                    "whole by which a word is rare or common. ",
                    n, n == 1 ? "text" : "texts", (double)base->documents, base->hash);
    trib_html_text(&report->html,
                   base->only_changed
                       ? "Only the added texts, and texts that one of them became a source of, are "
                         "targets here; the results of the others are those of that run."
                       : "Texts without an added source have the results of that run.");
    trib_html_end(&report->html);
}

static void write_vocabulary(trib_report *report) {
    const trib_corpus_record *corpus = report->result->corpus;
    trib_html *html = &report->html;
    char a[TRIB_FIXED_MAX], b[TRIB_FIXED_MAX];
    trib_html_open(html, "p", NULL);
    trib_report_say(html,
                    corpus->base
                        ? "The texts of that run have {n} words. With the added texts, {n} words "
                          "are different. "
                        : "All texts together have {n} words, {n} of them different. ",
                    (double)corpus->tokens, (double)corpus->vocabulary);
    if (corpus->wildcard_tokens > 0)
        trib_html_print(html,
                        "Words outside the vocabulary count as one wildcard: %s of the words, in "
                        "%s of the %s.",
                        trib_percent(a, corpus->wildcard_tokens, 1),
                        trib_percent(b, corpus->wildcard_ngrams, 1), report->ngrams);
    else trib_html_text(html, "Every word is in the vocabulary; none became a wildcard.");
    trib_html_end(html);
}

static void write_changes(trib_report *report, const trib_change_records *changes) {
    trib_html *html = &report->html;
    trib_report_open_table(html, "numbers", "The most frequent changed words");
    trib_report_header_cells(html, NULL, "As written", "Counted as", "Shown as", NULL);
    trib_report_header_cells(html, "n", "Occurrences", NULL);
    trib_report_open_rows(html);
    for (size_t i = 0; i < changes->n; i++) {
        trib_report_open_row(html, changes->item[i].spelling);
        trib_html_foreign_element(html, "td", NULL, changes->item[i].norm);
        trib_html_foreign_element(html, "td", NULL, changes->item[i].shown);
        trib_report_count_cell(html, (double)changes->item[i].count);
        trib_html_end(html);
    }
    trib_report_close_table(html);
}

/* Writes which words count as the same word. Nothing where all are as written. */
static void write_same_words(trib_report *report) {
    const trib_same_words_record *words = report->result->same_words;
    trib_html *html = &report->html;
    if (!words) return;
    trib_html_element(html, "h3", NULL, "Words that count as the same word");
    trib_html_open(html, "p", NULL);
    trib_report_say(
        html,
        "Of {n} different words as written, {n} have a norm, the form by which they are "
        "compared, unlike their spelling ({n} occurrences); {n} different words are "
        "left to count. ",
        (double)words->spellings, (double)words->changed, (double)words->changed_tokens,
        (double)(words->words - words->left_out));
    if (words->left_out > 0)
        trib_report_say(html, "{n} words are left out ({n} occurrences). ", (double)words->left_out,
                        (double)words->left_out_tokens);
    trib_html_text(html, "Quotations show the words as written; where one word stands for several "
                         "spellings, it is the most frequent of them.");
    trib_html_end(html);
    if (words->changes.n > 0) write_changes(report, &words->changes);
}

/* ---- Repeating the run ----------------------------------------------------------------------- */

static void write_hashes(trib_report *report) {
    const trib_document_records *documents = &report->result->documents;
    trib_html *html = &report->html;
    trib_html_details(html, "long", "SHA-256 of the texts");
    trib_report_open_table(html, "settings", "SHA-256 of every text's file");
    trib_report_header_cells(html, NULL, "File", "SHA-256", NULL);
    trib_report_open_rows(html);
    for (size_t d = 0; d < trib_report_rows(documents->n); d++) {
        trib_report_open_row(html, documents->item[d].file);
        trib_html_begin(html, "td");
        trib_html_element(html, "code", NULL, "%s", documents->item[d].sha256);
        trib_html_end(html);
        trib_html_end(html);
    }
    trib_report_close_table(html);
    trib_report_rows_shown(report, documents->n, "files", "documents.csv");
    trib_html_end(html);
}

static void write_repeating(trib_report *report) {
    const double seed = trib_report_setting(report, "cp.seed");
    const trib_base_record *base = report->result->corpus->base;
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
                        base->hash);
    trib_html_end(html);
    trib_html_tag(html, "pre", "tabindex", "0", NULL);
    trib_html_element(html, "code", NULL,
                      "tributary run config.resolved.yaml --set corpus.root=TEXTS%s%s -q -o again\n"
                      "diff SHA256SUMS again/SHA256SUMS",
                      base ? " --add-to RUN" : "",
                      base && base->only_changed ? " --only-changed" : "");
    trib_html_end(html);
    trib_html_open(html, "dl", "facts wide");
    const struct {
        const char *name, *value;
    } facts[] = {{"tributary", report->result->version},
                 {"seed", trib_fixed(text, seed, 0)},
                 {"run hash", report->result->hash}};
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
    write_same_words(report);
    write_changed(report);
    write_all_settings(report);
    write_repeating(report);
}
