/* made.c - how the result was made: settings, texts, hashes, the command that repeats the run,
 * what the method cannot show, and which files contain the numbers of the page. */
#include "pipeline/config/documents.h"
#include "pipeline/report/report.h"
#include "pipeline/support/account.h"

/* The cells of a setting or of a file. */
static const char setting_row[] = "<tr><th scope='row'>{c}</th><td>{t}</td></tr>";

static void write_changed(trib_report *report) {
    const trib_texts *changed = &report->result->changed;
    trib_html *html = &report->html;
    trib_report_say(html, "<h3>Settings</h3>");
    if (changed->n == 0) {
        trib_report_say(html, "<p class='note'>Every setting has its default.</p>");
        return;
    }
    trib_report_open_table(html, "settings", "Settings that differ from their defaults",
                           "Key|Value");
    for (size_t i = 0; i < changed->n; i++)
        trib_report_say(html, setting_row, changed->item[i],
                        trib_result_setting(report->result, changed->item[i]));
    trib_report_close_table(html);
}

static void write_all_settings(trib_report *report) {
    const trib_setting_records *settings = &report->result->configuration;
    trib_html *html = &report->html;
    if (settings->n == 0) return;
    trib_report_say(html, "<details class='long'><summary>All settings</summary>");
    trib_report_open_table(html, "settings", "Settings in full", "Key|Value");
    for (size_t i = 0; i < settings->n; i++)
        trib_report_say(html, setting_row, settings->item[i].key, settings->item[i].value);
    trib_report_close_table(html);
    trib_html_end(html);
}

/* ---- Texts ----------------------------------------------------------------------------------- */

static void write_document(trib_html *html, const trib_document_record *document) {
    const char *author = document->author, *date = trib_report_text(document->date);
    const trib_factors_record *factors = document->factors;
    trib_report_say(html, "<tr><th scope='row'>{t}<small>{c}", document->title, document->id);
    if (*author) trib_report_say(html, " {t}", author);
    if (*date) trib_report_say(html, " {t}", date);
    trib_report_say(html, "</small></th>");
    trib_report_cells(
        html, "{s}|#{n}|#{n}|#{n}|#{n}|#{p1}|#{n}|#{n}|#{f2}", document->role,
        (double)document->words, (double)document->vocabulary, (double)document->ngrams,
        (double)document->nonzeros, document->wildcard_ngrams, (double)document->replaced,
        factors ? (double)factors->rank : (double)NAN, factors ? factors->fit : (double)NAN);
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
    trib_report_say(html, "<h3>Texts</h3>");
    trib_report_open_table(html, "numbers", "The texts, by id",
                           "Text|Role|#Words|#Vocabulary|#{s}|#Distinct|#With wildcard|#Replaced|"
                           "#Factors|#Fit",
                           report->ngrams);
    for (size_t d = 0; d < trib_report_rows(documents->n); d++)
        write_document(html, &documents->item[d]);
    trib_report_close_table(html);
    trib_report_rows_shown(report, documents->n, "texts", "documents.csv");
    write_estimates(report, documents);
    write_origins(report, documents);
}

/* Lists the files beside the texts that were not read. */
static void write_left_out(trib_report *report) {
    enum { SHOWN = 20 };
    const trib_refused_records *list = &report->result->corpus->left_out;
    trib_html *html = &report->html;
    const size_t n = list->n;
    if (n == 0) return;
    trib_report_say(html, "<p>{z} {s} not read (inputs.tsv has the list): ", n,
                    n > 1 ? "files beside the texts were" : "file beside the texts was");
    for (size_t i = 0; i < n && i < SHOWN; i++)
        trib_report_say(html, "{s}{t}, {s}", i > 0 ? "; " : "", list->item[i].file,
                        list->item[i].why);
    trib_html_text(html, n > SHOWN ? "; ..." : ".");
    trib_html_end(html);
}

/* The columns of the account. */
static const struct {
    const char *title, *what;
} columns[] = {
#define COLUMN(name, title, what) {title, what},
    TRIB_ACCOUNT_COUNTS(COLUMN){"Left out", ""}, {"Unknown", ""}, {"Begins", ""}, {"Ends", ""}};

static uint64_t count_of(const trib_account_record *account, size_t i) {
    trib_account_counts counts;
    memcpy(&counts, account, sizeof counts);
    return trib_account_count(&counts, i);
}

/* Whether a count of the account is more than 0 in any text. */
static bool has_count(const trib_document_records *documents, size_t i) {
    bool has = false;
    for (size_t d = 0; d < documents->n && !has; d++)
        has = documents->item[d].account && count_of(documents->item[d].account, i) > 0;
    return has;
}

/* Writes the account of each text: a column for each count that a text has. */
static void write_account(trib_report *report) {
    static const trib_account_record none;
    const trib_document_records *documents = &report->result->documents;
    trib_html *html = &report->html;
    if (documents->n == 0) return;
    trib_report_say(html, "<h3 id='account'>The texts as read</h3>");
    trib_report_open_head(html, "numbers", "What was read of each text, and what was left out");
    trib_report_columns(html, "Text|Read as|Encoding|#Bytes|#Words");
    for (size_t i = 0; i < TRIB_ACCOUNT_ROWS; i++)
        if (has_count(documents, i)) trib_report_columns(html, "#{s}", columns[i].title);
    trib_report_open_rows(html);
    for (size_t d = 0; d < trib_report_rows(documents->n); d++) {
        const trib_document_record *document = &documents->item[d];
        const trib_account_record *account = document->account ? document->account : &none;
        trib_report_say(html, "<tr><th scope='row'>{t}<small>{c} {t}", document->title,
                        document->id, document->file);
        const char *const text[] = {account->left_out, account->unknown, account->begins,
                                    account->ends};
        for (size_t i = 0; i < sizeof text / sizeof *text; i++)
            if (text[i])
                trib_report_say(html, ". {s}: {t}", columns[TRIB_ACCOUNT_ROWS + i].title, text[i]);
        trib_report_say(html, "</small></th>");
        trib_report_cells(html, "{s}|{t}|#{n}|#{n}", document->kind, document->encoding,
                          (double)document->bytes, (double)document->words);
        for (size_t i = 0; i < TRIB_ACCOUNT_ROWS; i++)
            if (has_count(documents, i))
                trib_report_cells(html, "#{n}", (double)count_of(account, i));
        trib_html_end(html);
    }
    trib_report_close_table(html);
    trib_report_rows_shown(report, documents->n, "texts", "inputs.tsv");
    trib_report_say(html, "<ul class='note'>");
    for (size_t i = 0; i < TRIB_ACCOUNT_ROWS; i++)
        if (has_count(documents, i))
            trib_report_say(html, "<li>{s}: {s}</li>", columns[i].title, columns[i].what);
    trib_html_end(html);
}

static void write_vocabulary(trib_report *report) {
    const trib_corpus_record *corpus = report->result->corpus;
    trib_html *html = &report->html;
    trib_report_say(html, "<p>All texts together have {n} words, {n} of them different. ",
                    (double)corpus->tokens, (double)corpus->vocabulary);
    if (corpus->wildcard_tokens > 0)
        trib_report_say(html,
                        "Words outside the vocabulary count as one wildcard: {p1} of the words, in "
                        "{p1} of the {s}.</p>",
                        corpus->wildcard_tokens, corpus->wildcard_ngrams, report->ngrams);
    else trib_report_say(html, "Every word is in the vocabulary; none became a wildcard.</p>");
}

static void write_changes(trib_report *report, const trib_change_records *changes) {
    trib_html *html = &report->html;
    trib_report_open_table(html, "numbers", "The most frequent changed words",
                           "As written|Counted as|Shown as|#Occurrences");
    for (size_t i = 0; i < changes->n; i++) {
        const trib_change_record *change = &changes->item[i];
        trib_report_say(html, "<tr><th scope='row'>{t}</th>", change->spelling);
        trib_report_cells(html, "{t}|{t}|#{n}", change->norm, change->shown, (double)change->count);
        trib_html_end(html);
    }
    trib_report_close_table(html);
}

/* Writes what was chosen because of what the texts show. */
static void write_read_as(trib_report *report) {
    const trib_texts *lines = &report->result->corpus->read_as;
    trib_html *html = &report->html;
    if (lines->n == 0) return;
    trib_report_say(html, "<h3>Read as</h3><p>What the texts show, and what was chosen "
                          "because of it where a setting is <code>auto</code>:</p><ul>");
    for (size_t i = 0; i < lines->n; i++) trib_report_say(html, "<li>{t}</li>", lines->item[i]);
    trib_html_end(html);
}

/* Writes which words count as the same word. Nothing where all are as written. */
static void write_same_words(trib_report *report) {
    const trib_same_words_record *words = report->result->same_words;
    trib_html *html = &report->html;
    if (!words) return;
    trib_report_say(html,
                    "<h3>Words that count as the same word</h3><p>Of {n} different words as "
                    "written, {n} have a norm, the form by which they are "
                    "compared, unlike their spelling ({n} occurrences); {n} different words are "
                    "left to count. ",
                    (double)words->spellings, (double)words->changed, (double)words->changed_tokens,
                    (double)(words->words - words->left_out));
    if (words->left_out > 0)
        trib_report_say(html, "{n} words are left out ({n} occurrences). ", (double)words->left_out,
                        (double)words->left_out_tokens);
    trib_report_say(html, "Quotations show the words as written; where one word stands for several "
                          "spellings, it is the most frequent of them.</p>");
    if (words->changes.n > 0) write_changes(report, &words->changes);
}

/* ---- Repeating the run ----------------------------------------------------------------------- */

static void write_hashes(trib_report *report) {
    const trib_document_records *documents = &report->result->documents;
    trib_html *html = &report->html;
    trib_report_say(html, "<details class='long'><summary>SHA-256 of the texts</summary>");
    trib_report_open_table(html, "settings", "SHA-256 of every text's file", "File|SHA-256");
    for (size_t d = 0; d < trib_report_rows(documents->n); d++)
        trib_report_say(html, "<tr><th scope='row'>{t}</th><td>{c}</td></tr>",
                        documents->item[d].file, documents->item[d].sha256);
    trib_report_close_table(html);
    trib_report_rows_shown(report, documents->n, "files", "documents.csv");
    trib_html_end(html);
}

static void write_repeating(trib_report *report) {
    trib_html *html = &report->html;
    trib_report_say(html,
                    "<h3>To repeat it</h3><p>In the directory of this report, where {c} stands for "
                    "the directory with the same texts; no line is printed when every file is the "
                    "same.",
                    "TEXTS");
    trib_report_say(html,
                    "</p><pre tabindex='0'><code>tributary run config.resolved.yaml --set "
                    "corpus.root=TEXTS -q -o again\ndiff SHA256SUMS again/SHA256SUMS</code></pre>"
                    "<dl class='facts wide'><div><dt>tributary</dt><dd>{c}</dd></div>"
                    "<div><dt>seed</dt><dd><code>{f0}</code></dd></div>"
                    "<div><dt>run hash</dt><dd>{c}</dd></div></dl>",
                    report->result->version, trib_report_setting(report, "cp.seed"),
                    report->result->hash);
    write_hashes(report);
}

void trib_report_limits(trib_report *report) {
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
        {"Paraphrase is seen in part.",
         "By extent, words that were altered, added, left out or moved belong to a passage as long "
         "as enough words around them are the same. By the other methods only n-grams that are the "
         "same count, of which replacing three words in ten leaves about a third. Ideas leave "
         "none, and a translation only names."},
    };
    trib_html *html = &report->html;
    trib_report_say(html, "<ul class='limits'>");
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        trib_report_say(html, "<li><b>{s}</b> {s}</li>", limits[i][0], limits[i][1]);
    trib_html_end(html);
}

void trib_report_made(trib_report *report) {
    write_documents(report);
    write_account(report);
    write_left_out(report);
    write_vocabulary(report);
    write_read_as(report);
    write_same_words(report);
    write_changed(report);
    write_all_settings(report);
    write_repeating(report);
}

/* ---- Files of data --------------------------------------------------------------------------- */

static bool has_distances(const trib_report *report) { return report->has_distances; }

static bool has_factors(const trib_report *report) {
    return trib_report_has_quality(report) &&
           (trib_report_has_format(report, "factors") || trib_report_has_format(report, "npy"));
}

/* Whether the rank of some text was searched for. */
static bool has_ranks(const trib_report *report) {
    for (size_t d = 0; d < report->result->documents.n; d++) {
        const trib_factors_record *factors = report->result->documents.item[d].factors;
        if (factors && factors->ranks.item) return true;
    }
    return false;
}

static bool has_flows(const trib_report *report) { return report->n_all_targets > 1; }

static bool has_pages(const trib_report *report) {
    return report->is_many && !report->is_on_demand;
}

static bool has_graph(const trib_report *report) {
    return report->result->graph && report->result->graph->order.n > 1;
}

static bool has_method(const trib_report *report, const char *name) {
    for (size_t m = 0; m < report->result->methods.n; m++)
        if (strcmp(report->result->methods.item[m].name, name) == 0) return true;
    return false;
}

static bool has_trace(const trib_report *report) { return has_method(report, "traced"); }

static bool has_ranking(const trib_report *report) {
    return has_trace(report) && has_method(report, "split");
}

static bool has_texts(const trib_report *report) { return report->run_directory != NULL; }

static bool has_allusions(const trib_report *report) {
    const char *unit = trib_result_setting(report->result, "parallels.unit");
    return *unit && strcmp(unit, "none") != 0;
}

static bool has_groups(const trib_report *report) {
    for (size_t t = 0; t < report->n_all_targets; t++)
        for (size_t s = 0; s < report->targets[t].n_flowing; s++)
            if (report->targets[t].shares.row[s].n_members > 0) return true;
    return false;
}

void trib_report_data(trib_report *report) {
    static const struct {
        const char *file, *what;
        const char *format;                     /* of report.formats; NULL: any */
        bool (*has)(const trib_report *report); /* NULL: always */
    } files[] = {
        {"influence.csv",
         "target, source, method, share, interval; of more than 40 sources those above the noise "
         "floor and the 20 largest",
         "csv", NULL},
        {"groups.csv", "the shares of sources that cannot be told apart", "csv", has_groups},
        {"influence.json", "everything on this page, for programs", "json", NULL},
        {"passages.tsv", "every passage of every pair, with places, references and words", "csv",
         trib_report_has_finds},
        {"families.tsv", "the places that sources hold, with their witnesses", "csv",
         trib_report_has_finds},
        {"parallels.tsv", "possible allusions, the whole list", "csv", has_allusions},
        {"phrases.csv",
         "every phrase behind every share, with its counts; below the noise floor the strongest, "
         "and how many there are",
         "csv", NULL},
        {"formulas.tsv", "what very many texts hold", "csv", trib_report_has_formulas},
        {"phrasing.tsv", "families of phrasing", "phrasing", trib_report_has_phrasing},
        {"documents.csv", "the texts, with author, date and size", "csv", NULL},
        {"map.csv", "the cells of the map of all texts", "csv", has_flows},
        {"flows.csv", "who shares with whom above the noise floor, with dates", "csv", has_flows},
        {"influence.graphml", "the network, for Gephi, yEd, igraph", "json", has_graph},
        {"influence.dot", "the same for Graphviz", "json", has_graph},
        {"ranking.csv", "which source a target most likely descends from", "csv", has_ranking},
        {"results.sqlite", "all tables in one file", "sqlite", NULL},
        {"passages.tei.xml", "the passages as stand-off annotations of TEI", "tei", NULL},
        {"alignments.jsonl", "the passages as JSON, one a line", "alignments", NULL},
        {"targets/", "a page of each target", NULL, has_pages},
        {"read/", "the texts to read, as pages and as JSON", NULL, has_texts},
        {"trace/", "where each word of a target was copied from", "trace", has_trace},
        {"distances.csv", "the distances of every target to every source", "csv", has_distances},
        {"nearest.npy", "the distance of every target factor to every source", "npy",
         has_distances},
        {"ranks.csv", "the ranks tried for every text", NULL, has_ranks},
        {"inputs.tsv", "what was read, cut and not read, and why", NULL, NULL},
        {"vocab.tsv", "the words with their counts", NULL, NULL},
        {"tensors/", "the n-gram counts of every text", "tensors", NULL},
        {"factors/", "the factors of every text", NULL, has_factors},
        {"config.resolved.yaml", "the settings, complete", NULL, NULL},
        {"manifest.json", "program, libraries and inputs", NULL, NULL},
        {"SHA256SUMS", "checksums of all of these; tributary verify looks at them", NULL, NULL},
    };
    trib_html *html = &report->html;
    trib_report_say(html, "<p class='intro'>These files of the run hold every number of this "
                          "page.</p><dl class='files'>");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (files[i].format && !trib_report_has_format(report, files[i].format)) continue;
        if (files[i].has && !files[i].has(report)) continue;
        trib_html_begin(html, "dt");
        if (report->is_site && strchr(files[i].file, '/')) trib_html_text(html, files[i].file);
        else trib_html_link(html, files[i].file, "%s%s", report->data, files[i].file);
        trib_report_say(html, "</dt><dd>{s}</dd>", files[i].what);
    }
    trib_html_end(html);
}
