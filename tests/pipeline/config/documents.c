/* documents.c - tests of lists of documents: YAML, tables, patterns, dates, paths, and the rules
 * that documents must obey. */
#include "tests/pipeline/config/loading.h"
#include "tokenizer/language.h"

#include <sys/stat.h>

TESTS(config, documents);

/* Expects these documents, each on one line: id=file/title/author/date/role. */
static void expect_documents(const char *yaml, const char *wanted) {
    static const char *const roles[] = {"both", "target", "source", "decoy"};
    LOADED(result);
    GIVEN(trib_buffer) text = {0};
    load_text(&result, "d.yaml", yaml, NULL, 0);
    if (result.status != TRIB_OK) EXPECT_TEXT(result.said, "");
    CHECK(result.status == TRIB_OK && trib_buffer_add(&text, "", 0, NULL) == TRIB_OK);
    for (uint32_t d = 0; d < result.config.corpus.n_documents; d++) {
        const trib_corpus_document *document = &result.config.corpus.document[d];
        trib_buffer_print(&text, NULL, "%s%s=%s/%s/%s/%s/%s", d ? " " : "", document->id,
                          document->file, document->title,
                          document->author ? document->author : "-",
                          document->date ? document->date : "-", roles[document->role]);
    }
    EXPECT_TEXT(text.text, wanted);
}

CASES("tests/pipeline/config/documents.txt [documents]", documents_are_listed) {
    expect_documents(trib_case_text("yaml"), trib_case_text("listed"));
}

CASES("tests/pipeline/config/documents.txt [invalid]", a_list_is_invalid) {
    LOADED(result);
    char text[1024];
    snprintf(text, sizeof text, "tributary: 1\ncorpus: {documents: %s, target: all}\n",
             trib_case_text("list"));
    load_text(&result, "d.yaml", text, NULL, 0);
    expect_one_error(&result, trib_case_text("says"));
}

/* Expects the language of each document ("-": none), and then the languages of tokens.stem. */
static void expect_languages(const char *yaml, const char *wanted) {
    LOADED(result);
    GIVEN(trib_buffer) text = {0};
    load_text(&result, "d.yaml", yaml, NULL, 0);
    EXPECT_STATUS(result.status, TRIB_OK, result.error);
    CHECK(result.status == TRIB_OK);
    for (uint32_t d = 0; d < result.config.corpus.n_documents; d++) {
        const char *language = result.config.corpus.document[d].language;
        trib_buffer_print(&text, NULL, "%s ", language ? language : "-");
    }
    trib_buffer_print(&text, NULL, "/ %s", result.config.tokens.stems);
    EXPECT_TEXT(text.text, wanted);
}

CASES("tests/pipeline/config/documents.txt [languages]", documents_have_languages) {
    expect_languages(trib_case_text("yaml"), trib_case_text("languages"));
}

CASES("tests/pipeline/config/documents.txt [columns]", documents_have_columns) {
    LOADED(result);
    GIVEN(trib_buffer) text = {0};
    load_text(&result, "d.yaml", trib_case_text("yaml"), NULL, 0);
    EXPECT_STATUS(result.status, TRIB_OK, result.error);
    for (uint32_t d = 0; d < result.config.corpus.n_documents; d++) {
        const char *columns = result.config.corpus.document[d].columns;
        trib_buffer_print(&text, NULL, "%s%s", d ? " / " : "", columns ? columns : "-");
    }
    EXPECT_TEXT(text.text, trib_case_text("columns"));
}

/* Texts differ by language only where norms or words left out do: the languages whose texts have
 * norms or words left out of their own; "-": none. */
CASES("tests/pipeline/config/documents.txt [differ]", texts_differ_by_language) {
    LOADED(result);
    GIVEN(trib_buffer) yaml = {0};
    trib_buffer_print(&yaml, NULL,
                      "tributary: 1\ntokens: %s\ncorpus: {target: all, documents: [%s]}\n",
                      trib_case_text("tokens"), trib_case_text("documents"));
    load_text(&result, "d.yaml", yaml.text, NULL, 0);
    EXPECT_STATUS(result.status, TRIB_OK, result.error);
    CHECK(result.status == TRIB_OK);
    EXPECT_TEXT(result.config.tokens.languages ? result.config.tokens.languages : "-",
                trib_case_text("languages"));
}

TEST(documents_with_role_target_are_the_targets_of_a_corpus_that_names_none) {
    LOADED(result);
    load_text(&result, "d.yaml",
              "tributary: 1\ncorpus: {documents: [a, {file: c, role: target}, "
              "{file: b, role: target}]}\n",
              NULL, 0);
    CHECK(result.status == TRIB_OK && result.config.corpus.target.n == 2);
    EXPECT_TEXT(result.config.corpus.target.item[0], "b");
    EXPECT_TEXT(result.config.corpus.target.item[1], "c");
}

TEST(a_language_may_be_guessed) {
    static const char german[] = "Am Abend ging die Lehrerin allein zum Hafen und z\u00e4hlte die "
                                 "Boote, die noch nicht zur\u00fcckgekommen waren.\n",
                      english[] = "The keeper of the lamp walked down to the harbour and counted "
                                  "the boats that had not yet come home.\n";
    OPENED(trib_guesser) guesser = {0};
    if (trib_guesser_open(&guesser, NULL) != TRIB_OK) {
        expect_diagnostics(
            "tributary: 1\ntokens: {locale: auto}\n"
            "corpus: {target: all, documents: [a]}\n",
            "e.yaml:2:18: error: 'tokens.locale: auto': this build cannot guess languages; install "
            "libexttextcat (Debian: libexttextcat-dev) and build again\n"
            "    2 | tokens: {locale: auto}\n      |                  ^~~~\n");
        expect_diagnostics("tributary: 1\n"
                           "corpus: {target: all, documents: [{file: a, language: auto}]}\n",
                           "e.yaml:2:35: error: 'language: auto' of 'a': this build cannot guess "
                           "languages; install libexttextcat (Debian: libexttextcat-dev) and build "
                           "again\n"
                           "    2 | corpus: {target: all, documents: [{file: a, language: auto}]}\n"
                           "      |                                   ^\n");
        return;
    }
    write_scratch("guessed_de.txt", german, sizeof german - 1);
    write_scratch("guessed_en.txt", english, sizeof english - 1);
    write_scratch("guessed_short.txt", "1\n", 2);
    expect_languages("tributary: 1\ntokens: {stem: auto}\n"
                     "corpus: {target: all, documents: [{file: guessed_en.txt, language: auto}, "
                     "{file: gone.txt, language: auto}]}\n",
                     "- en / en");
    expect_languages("tributary: 1\ntokens: {stem: auto, locale: auto}\n"
                     "corpus: {target: all, documents: [guessed_de.txt, guessed_short.txt, "
                     "{file: guessed_en.txt, id: again, language: de}]}\n",
                     "de de - / de");
    expect_languages("tributary: 1\ntokens: {stem: auto, locale: auto}\n"
                     "corpus: {target: all, documents: [guessed_short.txt]}\n",
                     "- / en");
    expect_diagnostics("tributary: 1\ntokens: {locale: auto}\n"
                       "corpus: {target: all, documents: [{id: a}]}\n",
                       "e.yaml:3:40: error: a document has no 'file'\n"
                       "    3 | corpus: {target: all, documents: [{id: a}]}\n"
                       "      |                                        ^\n");
}

TEST(order_by_date_needs_every_date) {
    GIVEN(trib_buffer) text = {0};
    LOADED(result);
    trib_buffer_print(&text, NULL,
                      "tributary: 1\ncorpus:\n  target: all\n  order: by-date\n"
                      "  documents:\n");
    for (int i = 0; i < 1000; i++) trib_buffer_print(&text, NULL, "    - text%d.txt\n", i);
    load_text(&result, "e.yaml", text.text, NULL, 0);
    EXPECT(result.n_errors == 1 && strstr(result.said, "none for text0, text1, text10"));
    const char *more = strstr(result.said, " and ");
    unsigned n_listed = 1, n_more = 0;
    for (const char *c = result.said; more && c < more; c++) n_listed += *c == ',';
    CHECK(more && sscanf(more, " and %u more", &n_more) == 1);
    EXPECT(n_listed + n_more == 1000);
}

/* ---- Other lists ----------------------------------------------------------------------------- */

static void put(const char *name, const char *text) { write_scratch(name, text, strlen(text)); }

TEST(a_manifest_lists_documents_beside_it) {
    mkdir(trib_scratch("m"), 0700);
    put("m/list.yaml", "title: T\nnotes: N\nobtain: {kind: folder}\ndocuments:\n"
                       "  - {id: x, file: t/x.txt, from: 'Mark1:1'}\n  - y.txt\n");
    LOADED(result);
    const char *text = "tributary: 1\ncorpus: {manifest: m/list.yaml, target: x}\n";
    load_text(&result, "d.yaml", text, NULL, 0);
    CHECK(result.status == TRIB_OK);
    EXPECT_TEXT(result.config.corpus.document[0].path, trib_scratch("m/t/x.txt"));
    EXPECT(result.config.corpus.document[0].line == 5);
    EXPECT_TEXT(result.config.corpus.root, "m");
    release_loaded(&result);
    load_text(&result, "d.yaml",
              "tributary: 1\ncorpus: {manifest: m/list.yaml, root: r, target: x}\n", NULL, 0);
    CHECK(result.status == TRIB_OK);
    EXPECT_TEXT(result.config.corpus.document[1].path, trib_scratch("r/y.txt"));
}

TEST(tables_of_spreadsheets_are_read) {
    static const struct {
        const char *name, *bytes;
        size_t length;
    } tables[] = {
#define TABLE(name, text) {name, text, sizeof text - 1}
        TABLE("m.csv",
              "\xEF\xBB\xBFsep=;\r\nfile;date;words\r\na.txt;1871;12\r\nb.txt;'-0043;1\r\n"),
        TABLE("m.csv", "file\tdate\ttitle_from\ra.txt\t1871\tlist\rb.txt\t-0043\t\r"),
        TABLE("m.csv", "\xFF\xFE"
                       "f\0i\0l\0e\0,\0d\0a\0t\0e\0\n\0a\0.\0t\0x\0t\0,\0"
                       "1\0008\0007\0001\0\n\0b\0.\0t\0x\0t\0,\0-\0000\0000\0004\0003\0\n\0"),
        TABLE("m.tsv", "\xFE\xFF"
                       "\0f\0i\0l\0e\0\t\0d\0a\0t\0e\0\n\0a\0.\0t\0x\0t\0\t\0"
                       "1\0008\0007\0001\0\n\0b\0.\0t\0x\0t\0\t\0-\0000\0000\0004\0003\0\n"),
#undef TABLE
    };
    write_scratch("a.txt", "a", 1);
    write_scratch("b.txt", "b", 1);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        LOADED(result);
        char yaml[128];
        write_scratch(tables[i].name, tables[i].bytes, tables[i].length);
        snprintf(yaml, sizeof yaml, "tributary: 1\ncorpus: {manifest: %s, target: all}\n",
                 tables[i].name);
        load_text(&result, "e.yaml", yaml, NULL, 0);
        EXPECT_TEXT(result.said, "");
        CHECK(result.config.corpus.n_documents == 2);
        EXPECT_TEXT(result.config.corpus.document[0].date, "1871");
        EXPECT_TEXT(result.config.corpus.document[1].date, "-0043");
    }
}

TEST(patterns_find_files_of_any_name) {
    mkdir(trib_scratch("g[1]"), 0700);
    mkdir(trib_scratch("g[1]/dir.txt"), 0700);
    put("g[1]/a b.txt", "x");
    put("g[1]/caf\xE9.txt", "x");
    put("g[1]/other.asc", "x");
    LOADED(result);
    load_text(&result, "d.yaml",
              "tributary: 1\ncorpus: {glob: '*.txt', root: 'g[1]', target: all}\n", NULL, 0);
    EXPECT_TEXT(result.said, "");
    CHECK(result.status == TRIB_OK && result.config.corpus.n_documents == 2);
    EXPECT_TEXT(result.config.corpus.document[0].id, "a_b");
    EXPECT_TEXT(result.config.corpus.document[1].id, "caf_xe9");
    EXPECT_TEXT(result.config.corpus.document[1].file, "caf\\xe9.txt");
    EXPECT_TEXT(result.config.corpus.document[1].path, trib_scratch("g[1]/caf\xE9.txt"));
    release_loaded(&result);
    put("g[1]/a b.text", "x");
    expect_documents(
        "tributary: 1\ncorpus: {glob: 'g?1?/a *', target: all}\n",
        "a_b.text=g[1]/a b.text/a b.text/-/-/both a_b.txt=g[1]/a b.txt/a b.txt/-/-/both");
    char directory[4096], wanted[8192];
    snprintf(directory, sizeof directory, "%s", trib_scratch("e.yaml"));
    *strrchr(directory, '/') = '\0';
    snprintf(wanted, sizeof wanted,
             "e.yaml:2:16: error: no file matches '*.none' in '%s'\n"
             "    2 | corpus: {glob: '*.none', target: all}\n"
             "      |                ^~~~~~~~\n",
             directory);
    expect_diagnostics("tributary: 1\ncorpus: {glob: '*.none', target: all}\n", wanted);
}

/* ---- Dates and paths ------------------------------------------------------------------------- */

TEST(a_number_decides_between_equal_dates) {
    static const char *const dates[] = {
        "est. 1843 no. 0",      "est. 1843 no. 1",        "1843 no. 2",
        "c. 1843 no. 99999998", "est. 1843 no. 99999999", "1844"};
    double year = 0, year_end = 0, end = 1843;
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++, end = year_end) {
        CHECK(trib_date_read(dates[i], &year, &year_end));
        EXPECT(end <= year && year < year_end);
    }
    char shown[TRIB_DATE_SHOWN];
    EXPECT_TEXT(trib_date_shown("est. 1843 no. 1", shown), "est. 1843");
    char wide[TRIB_DATE_SHOWN + 8];
    memset(wide, 'c', sizeof wide);
    memcpy(wide + TRIB_DATE_SHOWN - 2, "\xC3\xA4", 3); /* a character across the cut */
    EXPECT(strlen(trib_date_shown(wide, shown)) == TRIB_DATE_SHOWN - 2);
    EXPECT_TEXT(trib_date_shown("", shown), "");
    EXPECT_TEXT(trib_date_shown("0085-04", shown), "AD 85");
    EXPECT_TEXT(trib_date_shown("-0043", shown), "44 BC");
    EXPECT_TEXT(trib_date_shown("0000", shown), "1 BC");
    EXPECT(trib_date_is_estimated("est. 1843 no. 1") && !trib_date_is_estimated("c. 1843"));
}

TEST(neighbouring_days_meet_exactly) {
    static const char *const days[] = {"1899-12-31", "1900-01-01", "1900-01-31", "1900-02-01",
                                       "1900-02-28", "1900-03-01", "1900-12-31", "1901-01-01"};
    for (size_t i = 0; i + 1 < sizeof days / sizeof *days; i++) {
        double a, a_end, b, b_end;
        CHECK(trib_date_read(days[i], &a, &a_end) && trib_date_read(days[i + 1], &b, &b_end));
        EXPECT(i % 2 == 1 || a_end == b);
        EXPECT(a < a_end && a_end <= b && b < b_end);
    }
}

CASES("tests/pipeline/config/documents.txt [path]", a_path_is_joined) {
    GIVEN(trib_owned_text) path = NULL;
    CHECK(trib_path_join(&path, trib_case_text("folder"), trib_case_text("name"), NULL) == TRIB_OK);
    EXPECT_TEXT(path, trib_case_text("path"));
}

static void expect_path(trib_status (*make)(char **, const char *, trib_error *), const char *path,
                        const char *wanted) {
    GIVEN(trib_owned_text) made = NULL;
    CHECK(make(&made, path, NULL) == TRIB_OK);
    EXPECT_TEXT(made, wanted);
}

TEST(paths_are_taken_apart) {
    expect_path(trib_path_directory, "a/b/c.yaml", "a/b");
    expect_path(trib_path_directory, "c.yaml", ".");
    expect_path(trib_path_directory, "/c.yaml", "/");
    expect_path(trib_path_stem, "a.b/c.d.txt", "c.d");
    expect_path(trib_path_stem, "a.b/c", "c");
    expect_path(trib_path_stem, ".hidden", ".hidden");
}

CASES("tests/pipeline/config/documents.txt [diagnostics]", a_configuration_is_diagnosed) {
    expect_diagnostics(trib_case_text("yaml"), trib_case_text("says"));
}
