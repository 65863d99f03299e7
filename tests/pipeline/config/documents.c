/* documents.c - tests of lists of documents: YAML, tables, patterns, dates, paths, and the rules
 * that documents must obey. */
#include "tests/pipeline/config/loading.h"
#include "tokenizer/language.h"

#include <sys/stat.h>

/* Expects these documents, each on one line: id=file/title/author/date/role. */
static void expect_documents(const char *yaml, const char *wanted) {
    static const char *const roles[] = {"both", "target", "source", "decoy"};
    loaded result;
    trib_buffer text = {0};
    load_text(&result, "d.yaml", yaml, NULL, 0);
    if (result.status != TRIB_OK) EXPECT_TEXT(result.said, "");
    CHECK(result.status == TRIB_OK && trib_buffer_add(&text, "", 0, NULL) == TRIB_OK);
    for (uint32_t d = 0; d < result.config.corpus.n_documents; d++) {
        const trib_corpus_document *document = &result.config.corpus.document[d];
        CHECK(trib_buffer_print(
                  &text, NULL, "%s%s=%s/%s/%s/%s/%s", d ? " " : "", document->id, document->file,
                  document->title, document->author ? document->author : "-",
                  document->date ? document->date : "-", roles[document->role]) == TRIB_OK);
    }
    EXPECT_TEXT(text.text, wanted);
    trib_buffer_release(&text);
    release_loaded(&result);
}

static void documents_are_sorted_and_completed(void) {
    expect_documents(
        "tributary: 1\ncorpus:\n  target: all\n  documents:\n"
        "    - {id: b, file: x.txt, title: T, author: A, date: 1865-04-15, role: decoy}\n"
        "    - dir/a b.tar.gz\n"
        "    - {file: C.txt, title: null}\n",
        "C=C.txt/C/-/-/both a_b.tar=dir/a b.tar.gz/a b.tar/-/-/both "
        "b=x.txt/T/A/1865-04-15/decoy");
}

#define LETTERS_20  "aaaaaaaaaaaaaaaaaaaa"
#define LETTERS_60  LETTERS_20 LETTERS_20 LETTERS_20
#define LETTERS_200 LETTERS_60 LETTERS_60 LETTERS_60 LETTERS_20

static void an_id_may_have_200_bytes(void) {
    expect_documents("tributary: 1\ncorpus: {target: all, documents: [{id: " LETTERS_200
                     ", title: T, file: a}]}\n",
                     LETTERS_200 "=a/T/-/-/both");
}

/* Ids made from file names become longer where two documents would have the same id. Titles are the
 * unchanged names. */
static void ids_made_from_file_names_become_unique(void) {
    static const struct {
        const char *documents, *wanted;
    } cases[] = {
        {"[GFDL-1.2, GFDL-1.3, x.txt]", "GFDL-1.2=GFDL-1.2/GFDL-1.2/-/-/both "
                                        "GFDL-1.3=GFDL-1.3/GFDL-1.3/-/-/both x=x.txt/x/-/-/both"},
        {"[b.txt, x/b.txt]", "b=b.txt/b/-/-/both x_b=x/b.txt/x/b/-/-/both"},
        {"[a.txt, {id: a, file: b.txt}]", "a=b.txt/a/-/-/both a.txt=a.txt/a.txt/-/-/both"},
        {"[a b.txt, a_b.txt]", "a_20b=a b.txt/a b/-/-/both a_b=a_b.txt/a_b/-/-/both"},
        {"[\u043e\u0434.txt, \u0434\u043e.txt]",
         "\u0434\u043e=\u0434\u043e.txt/\u0434\u043e/-/-/both "
         "\u043e\u0434=\u043e\u0434.txt/\u043e\u0434/-/-/both"},
        {"[Brief 09 \u2013 M\u00fcller.txt, \u5b54\u5b50.txt]",
         "Brief_09_M\u00fcller=Brief 09 \u2013 M\u00fcller.txt/Brief 09 \u2013 "
         "M\u00fcller/-/-/both "
         "\u5b54\u5b50=\u5b54\u5b50.txt/\u5b54\u5b50/-/-/both"},
        /* the same name in two normal forms */
        {"[\u00e9.txt, e\u0301.txt]",
         "e_301=e\u0301.txt/e\u0301/-/-/both \u00e9=\u00e9.txt/\u00e9/-/-/both"},
        {"[{id: e\u0301, file: a}, \u00e9.txt]",
         "\u00e9=a/\u00e9/-/-/both \u00e9.txt=\u00e9.txt/\u00e9.txt/-/-/both"},
        {"[all, x/author]", "all_=all/all/-/-/both x_author=x/author/x/author/-/-/both"},
        {"[author.txt, all.txt]", "all.txt=all.txt/all.txt/-/-/both "
                                  "author.txt=author.txt/author.txt/-/-/both"},
        {"[{file: 1/a.txt, title: T}, 2/a.html, 3/a.html]",
         "2_a=2/a.html/2/a/-/-/both 3_a=3/a.html/3/a/-/-/both a.txt=1/a.txt/T/-/-/both"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, "tributary: 1\ncorpus: {target: all, documents: %s}\n",
                 cases[i].documents);
        expect_documents(text, cases[i].wanted);
    }
}

static void invalid_documents_are_reported(void) {
    static const struct {
        const char *list, *wanted;
    } cases[] = {
        {"[{id: a, file: a.txt}, {id: a, file: b.txt}]",
         "2:49: error: duplicate id 'a'; the first is on line 2"},
        {"[{id: a b, file: a.txt}]",
         "2:27: error: 'a b' is not a valid id; use letters, digits, '_', '.' and '-' only"},
        {"[{id: \"\u0301a\", file: a.txt}]",
         "2:27: error: '\u0301a' is not a valid id; use letters, digits, '_', '.' and '-' only"},
        {"[{id: \u00e9, file: a}, {id: e\u0301, file: b}]",
         "2:45: error: duplicate id '\u00e9'; the first is on line 2"},
        {"[{id: author, file: a.txt}]",
         "2:27: error: 'author' cannot be an id: it means the part that no source explains; choose "
         "another"},
        {"[{id: ., file: a.txt}]",
         "2:27: error: '.' cannot be an id: it is the name of a folder; choose another"},
        {"[{id: .., file: a.txt}]",
         "2:27: error: '..' cannot be an id: it is the name of a folder; choose another"},
        {"[{id: " LETTERS_200 "x, file: a.txt}]",
         "2:27: error: '" LETTERS_60 "...' cannot be an id: it is longer than 200 bytes; choose "
         "another"},
        {"[{id: a}]", "2:27: error: a document has no 'file'"},
        {"[{titel: a, file: a}]",
         "2:23: error: unknown key 'titel' in a document; did you mean 'title'?"},
        {"[{from: a, file: a}]", "2:23: error: unknown key 'from' in a document"},
        {"[{file: a, role: deco}]",
         "2:38: error: 'role' must be one of both, target, source, decoy, "
         "not 'deco'; did you mean 'decoy'?"},
        {"[{file: a, language: Germn}]",
         "2:42: error: unknown language 'Germn'; did you mean 'de'?"},
        {"[{file: a, date: soon}]", "2:38: error: 'soon' is not a date; " TRIB_DATE_FORMS},
        {"[{file: a, title: [x]}]", "2:39: error: 'title' must be a text, not a list"},
        {"[[a]]", "2:22: error: a document must be {id: ..., file: ...}, not a list"},
        {"{a: b}", "2:21: error: 'documents' must be a list of documents, not a mapping"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        loaded result;
        char text[1024], first[1024];
        snprintf(text, sizeof text, "tributary: 1\ncorpus: {documents: %s, target: all}\n",
                 cases[i].list);
        load_text(&result, "d.yaml", text, NULL, 0);
        snprintf(first, sizeof first, "%.*s", (int)strcspn(result.said, "\n"), result.said);
        EXPECT_TEXT(first + (strlen(first) > 7 ? 7 : 0), cases[i].wanted);
        EXPECT(result.n_errors == 1);
        release_loaded(&result);
    }
}

/* Expects the language of each document ("-": none), and then the languages of tokens.stem. */
static void expect_languages(const char *yaml, const char *wanted) {
    loaded result;
    trib_buffer text = {0};
    load_text(&result, "d.yaml", yaml, NULL, 0);
    EXPECT_STATUS(result.status, TRIB_OK, result.error);
    CHECK(result.status == TRIB_OK);
    for (uint32_t d = 0; d < result.config.corpus.n_documents; d++) {
        const char *language = result.config.corpus.document[d].language;
        CHECK(trib_buffer_print(&text, NULL, "%s ", language ? language : "-") == TRIB_OK);
    }
    CHECK(trib_buffer_print(&text, NULL, "/ %s", result.config.tokens.stems) == TRIB_OK);
    EXPECT_TEXT(text.text, wanted);
    trib_buffer_release(&text);
    release_loaded(&result);
}

static void a_document_may_have_a_language(void) {
    static const char table[] = "file\tlanguage\na.txt\tde\nb.txt\t\n";
    static const char lines[] = "{\"text\": \"a\", \"language\": \"ru\"}\n{\"text\": \"b\"}\n";
    write_scratch("languages.tsv", table, sizeof table - 1);
    write_scratch("languages.jsonl", lines, sizeof lines - 1);
    expect_languages("tributary: 1\ncorpus: {target: all, manifest: languages.tsv}\n",
                     "de - / none");
    expect_languages("tributary: 1\ntokens: {stem: auto}\n"
                     "corpus: {target: all, documents: [{file: languages.jsonl, language: en}]}\n",
                     "ru en / ru en");
    expect_languages("tributary: 1\ntokens: {stem: auto, locale: fr}\n"
                     "corpus: {target: all, documents: [{file: a, language: deu}, {file: b, "
                     "language: de-AT}]}\n",
                     "deu de-AT / de");
    expect_languages("tributary: 1\ntokens: {stem: auto, locale: fr}\n"
                     "corpus: {target: all, documents: [a, b]}\n",
                     "- - / fr");
    expect_languages("tributary: 1\ntokens: {stem: auto}\n"
                     "corpus: {target: all, documents: [{file: a, language: de}, b]}\n",
                     "de - / de en");
}

/* Expects the languages whose texts have norms or words left out of their own; "-": none. */
static void expect_differ(const char *tokens, const char *documents, const char *wanted) {
    loaded result;
    trib_buffer yaml = {0};
    CHECK(trib_buffer_print(&yaml, NULL,
                            "tributary: 1\ntokens: %s\ncorpus: {target: all, documents: [%s]}\n",
                            tokens, documents) == TRIB_OK);
    load_text(&result, "d.yaml", yaml.text, NULL, 0);
    EXPECT_STATUS(result.status, TRIB_OK, result.error);
    CHECK(result.status == TRIB_OK);
    EXPECT_TEXT(result.config.tokens.languages ? result.config.tokens.languages : "-", wanted);
    trib_buffer_release(&yaml);
    release_loaded(&result);
}

static void texts_differ_by_language_only_where_norms_or_words_left_out_do(void) {
    static const char alike[] = "{file: a, language: de}, b",
                      unlike[] = "{file: a, language: ru}, b";
    expect_differ("{stem: auto}", alike, "de en");
    expect_differ("{stem: auto}", unlike, "-");
    expect_differ("{stem: de}", alike, "-");
    expect_differ("{stop: 3}", unlike, "ru en");
    expect_differ("{stop: words.txt}", alike, "-");
    expect_differ("{stop: {fr: words.txt}}", alike, "de en");
    expect_differ("{stop: 3}", "a, b", "en");
}

static void documents_with_role_target_are_the_targets_of_a_corpus_that_names_none(void) {
    loaded result;
    load_text(&result, "d.yaml",
              "tributary: 1\ncorpus: {documents: [a, {file: c, role: target}, "
              "{file: b, role: target}]}\n",
              NULL, 0);
    CHECK(result.status == TRIB_OK && result.config.corpus.target.n == 2);
    EXPECT_TEXT(result.config.corpus.target.item[0], "b");
    EXPECT_TEXT(result.config.corpus.target.item[1], "c");
    release_loaded(&result);
}

static void a_language_may_be_guessed(void) {
    static const char german[] = "Am Abend ging die Lehrerin allein zum Hafen und z\u00e4hlte die "
                                 "Boote, die noch nicht zur\u00fcckgekommen waren.\n",
                      english[] = "The keeper of the lamp walked down to the harbour and counted "
                                  "the boats that had not yet come home.\n";
    trib_guesser guesser = {0};
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
    trib_guesser_close(&guesser);
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

static void a_corpus_needs_one_list_and_a_target(void) {
    expect_diagnostics(
        "tributary: 1\n",
        "e.yaml: error: no documents: corpus needs one of documents, manifest, glob\n");
    expect_diagnostics("tributary: 1\ncorpus: {documents: [], target: a}\n",
                       "e.yaml: error: the list of documents is empty\n");
    expect_diagnostics("tributary: 1\ncorpus: {documents: [a.txt], glob: x, target: a}\n",
                       "e.yaml:2:36: error: corpus needs one of documents, manifest, glob, not 2\n"
                       "    2 | corpus: {documents: [a.txt], glob: x, target: a}\n"
                       "      |                                    ^\n");
    expect_diagnostics("tributary: 1\ncorpus: {documents: [a.txt]}\n",
                       "e.yaml: error: no target: corpus.target needs ids of documents, or all, or "
                       "give a document role: target\n");
    expect_diagnostics(
        "tributary: 1\ncorpus: {documents: [mark.txt, b.txt], target: [b, marc]}\n",
        "e.yaml:2:52: error: target 'marc' is not a document of the corpus; did you mean 'mark'?\n"
        "    2 | corpus: {documents: [mark.txt, b.txt], target: [b, marc]}\n"
        "      |                                                    ^~~~\n");
    expect_diagnostics("tributary: 1\ncorpus:\n  documents: [a.txt, {file: b.txt, role: decoy}]\n"
                       "  target: b\n",
                       "e.yaml:4:11: error: target 'b' has role decoy on line 3\n"
                       "    4 |   target: b\n      |           ^\n");
    expect_diagnostics("tributary: 1\ncorpus:\n  documents: [{file: b.txt, role: source}]\n"
                       "  target: all\n",
                       "e.yaml:4:11: error: no target: every document has role source or decoy\n"
                       "    4 |   target: all\n      |           ^~~\n");
    expect_diagnostics("tributary: 1\ncorpus:\n  documents: [a.txt, {file: b.txt, role: target}]\n"
                       "  target: a\n",
                       "e.yaml:4:11: warning: 'b' has role target but is not in corpus.target: it "
                       "is not used\n    4 |   target: a\n      |           ^\n");
}

static void order_by_date_needs_every_date(void) {
    expect_diagnostics(
        "tributary: 1\ncorpus:\n  documents: [a.txt, b.txt, {file: c.txt, date: '1900'}]\n"
        "  target: c\n  order: by-date\n",
        "e.yaml:5:10: error: order by-date needs a date for every document; none for "
        "a, b\n    5 |   order: by-date\n      |          ^~~~~~~\n");
    trib_buffer text = {0};
    loaded result;
    CHECK(trib_buffer_print(&text, NULL,
                            "tributary: 1\ncorpus:\n  target: all\n  order: by-date\n"
                            "  documents:\n") == TRIB_OK);
    for (int i = 0; i < 1000; i++)
        CHECK(trib_buffer_print(&text, NULL, "    - text%d.txt\n", i) == TRIB_OK);
    load_text(&result, "e.yaml", text.text, NULL, 0);
    EXPECT(result.n_errors == 1 && strstr(result.said, "none for text0, text1, text10"));
    const char *more = strstr(result.said, " and ");
    unsigned n_listed = 1, n_more = 0;
    for (const char *c = result.said; more && c < more; c++) n_listed += *c == ',';
    CHECK(more && sscanf(more, " and %u more", &n_more) == 1);
    EXPECT(n_listed + n_more == 1000);
    trib_buffer_release(&text);
    release_loaded(&result);
}

/* ---- Other lists ----------------------------------------------------------------------------- */

static void put(const char *name, const char *text) { write_scratch(name, text, strlen(text)); }

static void a_manifest_lists_documents_beside_it(void) {
    mkdir(trib_scratch("m"), 0700);
    put("m/list.yaml", "title: T\nnotes: N\nobtain: {kind: folder}\ndocuments:\n"
                       "  - {id: x, file: t/x.txt, from: 'Mark1:1'}\n  - y.txt\n");
    loaded result;
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
    release_loaded(&result);
    put("m/list.yaml", "documents: [x.txt]\ndokuments: 1\n");
    expect_diagnostics(text,
                       "m/list.yaml:2:1: error: unknown key 'dokuments' in a manifest; did you "
                       "mean 'documents'?\n    2 | dokuments: 1\n      | ^~~~~~~~~\n");
    put("m/list.yaml", "title: x\n");
    expect_diagnostics("tributary: 1\ncorpus: {manifest: m/list.yaml, target: x}\n",
                       "m/list.yaml: error: no 'documents'\n");
    put("m/list.yaml", "- x.txt\n");
    expect_diagnostics("tributary: 1\ncorpus: {manifest: m/list.yaml, target: x}\n",
                       "m/list.yaml: error: no 'documents'\n");
    expect_diagnostics("tributary: 1\ncorpus: {manifest: m/none.yaml, target: x}\n",
                       "m/none.yaml: error: cannot be opened: No such file or directory\n");
}

#define TSV "tributary: 1\ncorpus: {manifest: l.tsv, target: all}\n"
#define CSV "tributary: 1\ncorpus: {manifest: l.csv, target: all}\n"

static void tables_name_their_columns(void) {
    put("l.tsv",
        "\xEF\xBB\xBFtitle\tfile\twords\tdate\r\n\"A\" b\ta.txt\t12\t0070\r\n\r\n\tb.txt\r\n");
    expect_documents(TSV, "a=a.txt/\"A\" b/-/0070/both b=b.txt/b/-/-/both");
    put("l.csv", "file,id,author,role\n\"a,1.txt\",x,\"B, \"\"C\"\"\nD\",source\nb.txt,,,\n");
    expect_documents(CSV, "b=b.txt/b/-/-/both x=a,1.txt/x/B, \"C\"\nD/-/source");
    put("l.csv", "file\na.txt");
    expect_documents(CSV, "a=a.txt/a/-/-/both");
    put("l.csv", "Filename;Title;Date;words\n\"a;1.txt\";One, two;c. 1776;3,5\nb.txt;;1776?;\n");
    expect_documents(CSV, "a_1=a;1.txt/One, two/-/c. 1776/both b=b.txt/b/-/1776?/both");
    put("l.tsv", "filename\tauthor\na;b.txt\t\"A\"\n");
    expect_documents(TSV, "a_b=a;b.txt/a;b/\"A\"/-/both");
}

static void tables_of_spreadsheets_are_read(void) {
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
        loaded result;
        char yaml[128];
        write_scratch(tables[i].name, tables[i].bytes, tables[i].length);
        snprintf(yaml, sizeof yaml, "tributary: 1\ncorpus: {manifest: %s, target: all}\n",
                 tables[i].name);
        load_text(&result, "e.yaml", yaml, NULL, 0);
        EXPECT_TEXT(result.said, "");
        CHECK(result.config.corpus.n_documents == 2);
        EXPECT_TEXT(result.config.corpus.document[0].date, "1871");
        EXPECT_TEXT(result.config.corpus.document[1].date, "-0043");
        release_loaded(&result);
    }
}

static void invalid_tables_are_reported(void) {
    put("l.tsv", "");
    expect_diagnostics(TSV, "l.tsv: error: is empty\n");
    put("l.tsv", "titel\tfile\na\tb.txt\n");
    expect_diagnostics(TSV, "l.tsv:1:1: warning: column 'titel' is ignored; did you mean 'title'?\n"
                            "    1 | titel\tfile\n      | ^~~~~\n");
    put("l.tsv", "title\nb.txt\n");
    expect_diagnostics(TSV, "l.tsv:1:1: error: no column 'file'; the first line names the columns: "
                            "file, title, author, date, id, role\n    1 | title\n      | ^\n");
    put("l.tsv", "file\tfile\nb.txt\tc.txt\n");
    expect_diagnostics(TSV, "l.tsv:1:6: error: column 'file' occurs twice\n"
                            "    1 | file\tfile\n      |     \t^~~~\n");
    put("l.tsv", "file\trole\nb.txt\tboth\tx\nc.txt\tno\n");
    expect_diagnostics(TSV,
                       "l.tsv:2:1: error: 3 cells under a header of 2\n"
                       "    2 | b.txt\tboth\tx\n      | ^\n"
                       "l.tsv:3:7: error: 'role' must be one of both, target, source, decoy, not "
                       "'no'\n    3 | c.txt\tno\n      |      \t^~\n");
    put("l.tsv", "file\nb.txt\nb.txt\n");
    expect_diagnostics(TSV, "l.tsv:3:1: error: duplicate id 'b'; the first is on line 2\n"
                            "    3 | b.txt\n      | ^~~~~\n");
    put("l.csv", "file\n\"b.txt\n");
    expect_diagnostics(CSV, "l.csv:2:1: error: the quote of a cell is not closed\n"
                            "    2 | \"b.txt\n      | ^\n");
    put("l.csv", "file\n\"b.txt\"x\n");
    expect_diagnostics(CSV, "l.csv:2:1: error: text after the closing quote of a cell\n"
                            "    2 | \"b.txt\"x\n      | ^\n");
    put("l.csv", "file\n");
    expect_diagnostics(CSV, "e.yaml:2:20: error: the list of documents is empty\n"
                            "    2 | corpus: {manifest: l.csv, target: all}\n"
                            "      |                    ^~~~~\n");
}

static void patterns_find_files_of_any_name(void) {
    mkdir(trib_scratch("g[1]"), 0700);
    mkdir(trib_scratch("g[1]/dir.txt"), 0700);
    put("g[1]/a b.txt", "x");
    put("g[1]/caf\xE9.txt", "x");
    put("g[1]/other.asc", "x");
    loaded result;
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

static void dates_are_spans_of_decimal_years(void) {
    static const struct {
        const char *text;
        double year, year_end;
    } good[] = {{"1865", 1865, 1866},
                {"0070", 70, 71},
                {"-0043", -43, -42},
                {"0000", 0, 1},
                {"1623-11", 1623 + 304.0 / 365, 1623 + 334.0 / 365},
                {"1624-12", 1624 + 335.0 / 366, 1625},
                {"1865-04-15", 1865 + 104.0 / 365, 1865 + 105.0 / 365},
                {"2000-02-29", 2000 + 59.0 / 366, 2000 + 60.0 / 366},
                {"-0004-02-29", -4 + 59.0 / 366, -4 + 60.0 / 366},
                {"1999-12-31", 1999 + 364.0 / 365, 2000},
                {"c. 1776", 1776, 1777},
                {"ca. 1776", 1776, 1777},
                {"Circa 1776", 1776, 1777},
                {"c1776", 1776, 1777},
                {"1776?", 1776, 1777},
                {"est. 1776", 1776, 1777},
                {"est. 1776 no. 25000000", 1776.25, 1776.25 + 1e-8},
                {"-0043 no. 0", -43, -43 + 1e-8},
                {"c. -0043?", -43, -42}};
    static const char *const bad[] = {"",           "70",          "18650",
                                      "1865-4",     "1865-13",     "1865-00",
                                      "1865-",      "1865-04-",    "1865-04-31",
                                      "1865-04-00", "-0000",       "1900-02-29",
                                      "+1865",      "c. ",         "c. c. 1776",
                                      "1776 #3",    "1776 no.",    "1776 no. x",
                                      "1776 no. ",  "1776 no. 1 ", "1776 no. 100000000"};
    double year = 0, year_end = 0;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        CHECK(trib_date_read(good[i].text, &year, &year_end));
        EXPECT_NEAR(year, good[i].year, 1e-9);
        EXPECT_NEAR(year_end, good[i].year_end, 1e-9);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        EXPECT(!trib_date_read(bad[i], &year, &year_end));
}

static void a_number_decides_between_equal_dates(void) {
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
    EXPECT(trib_date_is_estimated("est. 1843 no. 1") && !trib_date_is_estimated("c. 1843"));
}

static void neighbouring_days_meet_exactly(void) {
    static const char *const days[] = {"1899-12-31", "1900-01-01", "1900-01-31", "1900-02-01",
                                       "1900-02-28", "1900-03-01", "1900-12-31", "1901-01-01"};
    for (size_t i = 0; i + 1 < sizeof days / sizeof *days; i++) {
        double a, a_end, b, b_end;
        CHECK(trib_date_read(days[i], &a, &a_end) && trib_date_read(days[i + 1], &b, &b_end));
        EXPECT(i % 2 == 1 || a_end == b);
        EXPECT(a < a_end && a_end <= b && b < b_end);
    }
}

static void expect_path(trib_status (*make)(char **, const char *, trib_error *), const char *path,
                        const char *wanted) {
    char *made = NULL;
    CHECK(make(&made, path, NULL) == TRIB_OK);
    EXPECT_TEXT(made, wanted);
    trib_free(made);
}

static void paths_are_joined_and_taken_apart(void) {
    static const char *const joined[][3] = {{"a", "b", "a/b"}, {"a/", "b", "a/b"},
                                            {"/", "b", "/b"},  {".", "b", "b"},
                                            {"a", "/b", "/b"}, {"..", "b", "../b"}};
    for (size_t i = 0; i < sizeof joined / sizeof *joined; i++) {
        char *path = NULL;
        CHECK(trib_path_join(&path, joined[i][0], joined[i][1], NULL) == TRIB_OK);
        EXPECT_TEXT(path, joined[i][2]);
        trib_free(path);
    }
    expect_path(trib_path_directory, "a/b/c.yaml", "a/b");
    expect_path(trib_path_directory, "c.yaml", ".");
    expect_path(trib_path_directory, "/c.yaml", "/");
    expect_path(trib_path_stem, "a.b/c.d.txt", "c.d");
    expect_path(trib_path_stem, "a.b/c", "c");
    expect_path(trib_path_stem, ".hidden", ".hidden");
}

CU_TestInfo trib_tests_config_documents[] = {
    {"documents are sorted and completed", documents_are_sorted_and_completed},
    {"an id may have 200 bytes", an_id_may_have_200_bytes},
    {"ids made from file names become unique", ids_made_from_file_names_become_unique},
    {"invalid documents are reported", invalid_documents_are_reported},
    {"a document may have a language", a_document_may_have_a_language},
    {"documents with role target are the targets of a corpus that names none",
     documents_with_role_target_are_the_targets_of_a_corpus_that_names_none},
    {"texts differ by language only where norms or words left out do",
     texts_differ_by_language_only_where_norms_or_words_left_out_do},
    {"a language may be guessed", a_language_may_be_guessed},
    {"a corpus needs one list and a target", a_corpus_needs_one_list_and_a_target},
    {"order by date needs every date", order_by_date_needs_every_date},
    {"a manifest lists documents beside it", a_manifest_lists_documents_beside_it},
    {"tables name their columns", tables_name_their_columns},
    {"tables of spreadsheets are read", tables_of_spreadsheets_are_read},
    {"invalid tables are reported", invalid_tables_are_reported},
    {"patterns find files of any name", patterns_find_files_of_any_name},
    {"dates are spans of decimal years", dates_are_spans_of_decimal_years},
    {"a number decides between equal dates", a_number_decides_between_equal_dates},
    {"neighbouring days meet exactly", neighbouring_days_meet_exactly},
    {"paths are joined and taken apart", paths_are_joined_and_taken_apart},
    CU_TEST_INFO_NULL,
};
