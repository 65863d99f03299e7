/* expand.c - tests of folders, archives and JSON Lines files as lists of documents, and of
 * malformed ones. */
#include <sys/stat.h>
#include <unistd.h>

#include "tests/pipeline/config/loading.h"
#include "tests/pipeline/support/pack.h"

/* Expects the documents of a configuration as lines "id=file title author date" and the files left
 * out as lines "-file why", or else the errors and warnings. */
static void expect_list(const char *corpus, const char *wanted) {
    loaded result;
    char yaml[600];
    trib_buffer text = {0};
    snprintf(yaml, sizeof yaml, "tributary: 1\ncorpus: {target: all, %s}\n", corpus);
    load_text(&result, "x.yaml", yaml, NULL, 0);
    const trib_config *config = &result.config;
    CHECK(trib_buffer_print(&text, NULL, "%s", result.said) == TRIB_OK);
    for (uint32_t d = 0; d < config->corpus.n_documents; d++) {
        const trib_corpus_document *about = &config->corpus.document[d];
        CHECK(trib_buffer_print(&text, NULL, "%s=%s %s %s %s\n", about->id, about->file,
                                about->title, about->author ? about->author : "-",
                                about->date ? about->date : "-") == TRIB_OK);
    }
    for (size_t i = 0; i < config->corpus.n_left_out; i++) {
        const trib_left_out *out = &config->corpus.left_out[i];
        CHECK(trib_buffer_print(&text, NULL, "-%s %s\n", out->file, out->why) == TRIB_OK);
    }
    EXPECT_TEXT(text.text, wanted);
    trib_buffer_release(&text);
    release_loaded(&result);
}

static void write_text(const char *name, const char *text) {
    write_bytes(trib_scratch(name), text, strlen(text));
}

static void a_folder_stands_for_its_texts(void) {
    mkdir(trib_scratch("shelf"), 0777);
    mkdir(trib_scratch("shelf/old"), 0777);
    mkdir(trib_scratch("shelf/.git"), 0777);
    mkdir(trib_scratch("empty"), 0777);
    write_text("shelf/b.txt", "b");
    write_text("shelf/old/a.html.gz", "a");
    write_text("shelf/cover.jpg", "x");
    write_text("shelf/README", "x");
    write_text("shelf/.git/x.txt", "x");
    CHECK(symlink("nowhere", trib_scratch("shelf/gone.txt")) == 0);
    CHECK(symlink("..", trib_scratch("shelf/up.txt")) == 0);
    write_text("shelf/l.jsonl", "{\"text\": \"one\"}\n");
    expect_list("documents: [{file: shelf, author: A, date: '1900'}]",
                "b=shelf/b.txt b A 1900\n"
                "l.1=shelf/l.jsonl/1 l.1 A 1900\n"
                "old_a.html=shelf/old/a.html.gz old/a.html A 1900\n"
                "-shelf/.git hidden\n-shelf/README no text by its name\n"
                "-shelf/cover.jpg no text by its name\n-shelf/gone.txt no regular file\n"
                "-shelf/up.txt no regular file\n");
    expect_list("documents: [{id: s, file: shelf/old/, title: T}]",
                "s=shelf/old/a.html.gz T - -\n");
    expect_list("documents: [shelf/old/]", "a.html=shelf/old/a.html.gz a.html - -\n");
    expect_list("documents: [empty]", "x.yaml:2:35: error: empty: contains no file with the name "
                                      "of a text (.txt, .md, .html, .xml, .epub, .pdf and such)\n"
                                      "    2 | corpus: {target: all, documents: [empty]}\n"
                                      "      |                                   ^~~~~\n");
    expect_list("glob: 'shelf/*.t*', root: .",
                "b=shelf/b.txt b - -\ngone=shelf/gone.txt gone - -\n-shelf/up.txt/ a folder\n");
}

/* What word processors, editors and systems leave beside texts is read only when it is named. */
static void locks_and_backups_are_hidden(void) {
    mkdir(trib_scratch("desk"), 0777);
    write_text("desk/Brief.txt", "b");
    const char *const left[] = {"#a.txt#",    ".~lock.Brief.odt#", "Brief.BAK",   "Thumbs.db",
                                "brief.txt~", "desktop.ini",       "~$Brief.docx"};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        char name[64];
        snprintf(name, sizeof name, "desk/%s", left[i]);
        write_text(name, "x");
    }
    expect_list("documents: [desk]",
                "Brief=desk/Brief.txt Brief - -\n"
                "-desk/#a.txt# hidden\n-desk/.~lock.Brief.odt# hidden\n-desk/Brief.BAK hidden\n"
                "-desk/Thumbs.db hidden\n-desk/brief.txt~ hidden\n-desk/desktop.ini hidden\n"
                "-desk/~$Brief.docx hidden\n");
    expect_list("glob: 'desk/?rief.t*'",
                "Brief=desk/Brief.txt Brief - -\n-desk/brief.txt~ hidden\n");
    expect_list("glob: 'desk/*.txt~'", "brief=desk/brief.txt~ brief - -\n");
    expect_list("documents: ['desk/~$Brief.docx']", "__Brief=desk/~$Brief.docx ~$Brief - -\n");
}

/* An id cannot be "all" or "author", but a file or a folder may have this name. */
static void a_reserved_name_becomes_another_id(void) {
    mkdir(trib_scratch("all"), 0777);
    write_text("all/author.txt", "a");
    write_text("all/b.txt", "b");
    expect_list("documents: [all]",
                "author.txt=all/author.txt author.txt - -\nb=all/b.txt b - -\n");
    expect_list("documents: [all/author.txt]", "author.txt=all/author.txt author.txt - -\n");
}

#ifdef TRIB_WITH_XML

#define TEXT(words) "<text><body><p>" words "</p></body></text>"

static void a_file_of_tei_stands_for_its_texts(void) {
    mkdir(trib_scratch("editions"), 0777);
    write_text("editions/a.xml",
               "<TEI><teiHeader><titleStmt><title>Poems</title><author>Lowe</author></titleStmt>"
               "<sourceDesc><date>1865</date></sourceDesc></teiHeader><text><front>no</front>"
               "<group>" TEXT("one") TEXT("two") "</group></text></TEI>");
    write_text(
        "editions/b.tei",
        "<teiCorpus><TEI><teiHeader><titleStmt><title>One</title></titleStmt></teiHeader>" TEXT(
            "one") "</TEI></teiCorpus>");
    write_text("editions/c.xml", "<teiCorpus><TEI>" TEXT("one") "</TEI><TEI>" TEXT("two") "</TEI>");
    expect_list("documents: [editions]", "a.1=editions/a.xml/1 Poems 1 Lowe 1865\n"
                                         "a.2=editions/a.xml/2 Poems 2 Lowe 1865\n"
                                         "b=editions/b.tei One - -\n"
                                         "c=editions/c.xml c - -\n" /* rejected when it is read */
                                         "-editions/a.xml/front around a group of texts\n");
    expect_list("documents: [{id: p, file: editions/a.xml, title: T, author: A}, "
                "{file: editions/a.xml/2, date: '1900'}]",
                "a.2=editions/a.xml/2 Poems 2 Lowe 1900\n"
                "p.1=editions/a.xml/1 T 1 A 1865\n"
                "p.2=editions/a.xml/2 T 2 A 1865\n"
                "-editions/a.xml/front around a group of texts\n");
    expect_list("glob: 'editions/a*', root: .", "a.1=editions/a.xml/1 Poems 1 Lowe 1865\n"
                                                "a.2=editions/a.xml/2 Poems 2 Lowe 1865\n"
                                                "-editions/a.xml/front around a group of texts\n");
    write_text("editions.tsv", "file\tauthor\neditions/a.xml\tBeth\n");
    expect_list("manifest: editions.tsv", "a.1=editions/a.xml/1 Poems 1 Beth 1865\n"
                                          "a.2=editions/a.xml/2 Poems 2 Beth 1865\n"
                                          "-editions/a.xml/front around a group of texts\n");
}

static void a_title_of_a_file_comes_before_those_of_its_texts(void) {
    write_text("plays.xml",
               "<TEI><teiHeader><titleStmt><title>Plays</title></titleStmt></teiHeader>"
               "<text><body><head>The Bay</head><p>one</p></body></text>" TEXT("two") "</TEI>");
    expect_list("documents: [plays.xml]", "plays.1=plays.xml/1 The Bay - -\n"
                                          "plays.2=plays.xml/2 Plays 2 - -\n");
    expect_list("documents: [{file: plays.xml, title: Stage}]",
                "plays.1=plays.xml/1 Stage: The Bay - -\n"
                "plays.2=plays.xml/2 Stage 2 - -\n");
    expect_list("documents: [{file: plays.xml/1, title: Stage}]",
                "plays.1=plays.xml/1 Stage - -\n");
}

#endif

#if defined TRIB_WITH_XML && defined TRIB_WITH_ARCHIVE

static void texts_of_tei_in_an_archive_are_documents(void) {
    static const char volume[] =
        "<TEI><teiHeader><titleStmt><title>Poems</title><author>Lowe</author></titleStmt>"
        "</teiHeader><text><front>no</front><group>" TEXT("one")
            TEXT("two") "</group></text></TEI>";
    static const char alone[] =
        "<TEI><teiHeader><titleStmt><title>Bay</title></titleStmt></teiHeader>" TEXT("x") "</TEI>";
    const packed_file files[] = {
        {"b/volume.xml", volume}, {"a.tei", alone}, {"z.xml", "<TEI><text>"}, {"page.xml", "<p/>"}};
    const packed_file folder[] = {{"v.xml/7", "no text of TEI"}};
    CHECK(pack_files(trib_scratch("folder.zip"), folder, 1));
    CHECK(pack_files(trib_scratch("tei.zip"), files, 4));
    CHECK(pack_files(trib_scratch("tei.tar"), files, 1));
    expect_list("documents: [tei.zip]", "a=tei.zip/a.tei Bay - -\n"
                                        "b_volume.1=tei.zip/b/volume.xml/1 Poems 1 Lowe -\n"
                                        "b_volume.2=tei.zip/b/volume.xml/2 Poems 2 Lowe -\n"
                                        "page=tei.zip/page.xml page - -\n"
                                        "z=tei.zip/z.xml z - -\n"
                                        "-tei.zip/b/volume.xml/front around a group of texts\n");
    expect_list("documents: [{file: tei.zip/b/volume.xml, title: T}, tei.zip/a.tei]",
                "a=tei.zip/a.tei Bay - -\n"
                "volume.1=tei.zip/b/volume.xml/1 T 1 Lowe -\n"
                "volume.2=tei.zip/b/volume.xml/2 T 2 Lowe -\n"
                "-tei.zip/b/volume.xml/front around a group of texts\n");
    expect_list("documents: [tei.zip/b/volume.xml/2]",
                "volume.2=tei.zip/b/volume.xml/2 Poems 2 Lowe -\n");
    expect_list("documents: [{id: s, file: tei.tar}]",
                "s.1=tei.tar/b/volume.xml/1 Poems 1 Lowe -\n"
                "s.2=tei.tar/b/volume.xml/2 Poems 2 Lowe -\n"
                "-tei.tar/b/volume.xml/front around a group of texts\n");
    expect_input(trib_scratch("tei.zip/b/volume.xml/2"), "two\n\n");
    expect_no_input(trib_scratch("tei.zip/b/volume.xml/3"),
                    "tei.zip/b/volume.xml: has no text 3, but 2 texts");
    expect_no_input(trib_scratch("tei.zip/a.tei/1"), "tei.zip/a.tei: there is no text '1' in it");
    expect_no_input(trib_scratch("folder.zip/v.xml/8"),
                    "folder.zip: contains no file 'v.xml'; it contains 'v.xml/7'");
    expect_input(trib_scratch("folder.zip/v.xml/7"), "no text of TEI");
}

#endif

#ifdef TRIB_WITH_ARCHIVE

static void an_archive_stands_for_its_texts(void) {
    const packed_file files[] = {{"b/", NULL},         {"b/two.txt", "two"}, {"b/one.txt", "one"},
                                 {"b/in.zip", "x"},    {"b/x.png", "x"},     {"__MACOSX/b.txt", ""},
                                 {"b/.hidden.txt", ""}};
    CHECK(pack_files(trib_scratch("a.zip"), files, 7));
    CHECK(pack_files(trib_scratch("one.tar"), files, 2));
    CHECK(pack_files(trib_scratch("none.zip"), files + 4, 1));
    CHECK(pack_files(trib_scratch("out.zip"), (packed_file[]){{"../x.txt", "x"}}, 1));
    expect_list("documents: [a.zip, {id: t, file: one.tar, title: Two, author: A}]",
                "b_one=a.zip/b/one.txt b/one - -\n"
                "b_two=a.zip/b/two.txt b/two - -\n"
                "t=one.tar/b/two.txt Two A -\n"
                "-a.zip/b/in.zip an archive in an archive\n-a.zip/b/x.png no text by its name\n"
                "-a.zip/__MACOSX/b.txt hidden\n-a.zip/b/.hidden.txt hidden\n");
    expect_list("documents: [{id: s, file: a.zip, title: S}, {file: a.zip/b/one.txt}]",
                "one=a.zip/b/one.txt one - -\n"
                "s.b_one=a.zip/b/one.txt s.b/one - -\n"
                "s.b_two=a.zip/b/two.txt s.b/two - -\n"
                "-a.zip/b/in.zip an archive in an archive\n-a.zip/b/x.png no text by its name\n"
                "-a.zip/__MACOSX/b.txt hidden\n-a.zip/b/.hidden.txt hidden\n");
    expect_list("glob: 'one.ta?', root: .", "b_two=one.tar/b/two.txt b/two - -\n");
    expect_list("glob: none.zip", "x.yaml:2:29: error: none.zip: contains no file with the name of "
                                  "a text (.txt, .md, .html, .xml, .epub, .pdf and such)\n"
                                  "    2 | corpus: {target: all, glob: none.zip}\n"
                                  "      |                             ^~~~~~~~\n");
    expect_list("glob: out.zip", "x.yaml:2:29: error: out.zip: contains '../x.txt', a name that "
                                 "points outside the archive; do not trust this archive\n"
                                 "    2 | corpus: {target: all, glob: out.zip}\n"
                                 "      |                             ^~~~~~~\n");
    CHECK(
        pack_files(trib_scratch("twice.zip"), (packed_file[]){{"x.txt", "x"}, {"x.txt", "y"}}, 2));
    expect_list("glob: twice.zip",
                "x.yaml:2:29: error: 'twice.zip/x.txt' is in its archive twice; pack it again with "
                "one of them\n"
                "    2 | corpus: {target: all, glob: twice.zip}\n"
                "      |                             ^~~~~~~~~\n");
    write_text("bad.zip", "no zip at all");
    expect_list("glob: bad.zip",
                "x.yaml:2:29: error: bad.zip: cannot be read as a zip or tar: Unrecognized archive "
                "format\n    2 | corpus: {target: all, glob: bad.zip}\n"
                "      |                             ^~~~~~~\n");
}

#endif

static void lines_of_json_are_documents(void) {
    write_text("p.jsonl",
               "{\"text\": \"one\", \"id\": \"a\", \"title\": \"A\", \"date\": 1865, \"url\": 1}\n"
               "\n"
               "{\"text\": \"two\", \"author\": null, \"role\": \"source\", \"file\": \"x\"}\n");
    expect_list("documents: [{file: p.jsonl, author: B}]",
                "a=p.jsonl/1 A B 1865\np.3=p.jsonl/3 p.3 B -\n");
    expect_list("documents: [{id: q, file: p.jsonl}]",
                "q.3=p.jsonl/3 q.3 - -\nq.a=p.jsonl/1 A - 1865\n");
    expect_list("manifest: p.jsonl", "a=p.jsonl/1 A - 1865\np.3=p.jsonl/3 p.3 - -\n");
    mkdir(trib_scratch("texts"), 0777);
    write_text("m.jsonl", "{\"file\": \"b.txt\", \"date\": \"0070\"}\n{\"text\": \"x\"}\n");
    expect_list("manifest: m.jsonl, root: texts", "b=b.txt b - 0070\nm.2=../m.jsonl/2 m.2 - -\n");
}

static void invalid_lines_are_reported(void) {
    static const struct {
        const char *line, *wanted;
    } cases[] = {
        {"{\"text\": 1}", "p.jsonl:1: error: no \"text\" that is a string\n"},
        {"{\"file\": \"a\"}", "p.jsonl:1: error: no \"text\" that is a string\n"},
        {"\n{\"text\": \"a\", \"role\": \"deco\"}",
         "p.jsonl:2: error: 'role' must be one of both, target, source, decoy, not 'deco'; did "
         "you "
         "mean 'decoy'?\n"},
        {"{\"text\": \"a\", \"date\": \"soon\"}",
         "p.jsonl:1: error: 'soon' is not a date; " TRIB_DATE_FORMS "\n"},
        {"{\"text\": \"a\", \"id\": [1]}", "p.jsonl:1: error: \"id\" must be a string\n"},
        {"{\"text\": \"a\", \"id\": \"a b\"}",
         "p.jsonl:1: error: 'a b' is not a valid id; use letters, digits, '_', '.' and '-' only\n"},
        {"{\"text\": \"a\", \"id\": \"b\"}\n{\"text\": \"a\", \"id\": \"b\"}",
         "p.jsonl:2: error: duplicate id 'b'; the first is on line 1\n"},
        {"[1]",
         "x.yaml:2:35: error: p.jsonl:1: is not an object; a line must be {\"text\": \"...\", "
         "\"id\": \"...\"}\n    2 | corpus: {target: all, documents: [p.jsonl]}\n"
         "      |                                   ^~~~~~~\n"},
        {"", "x.yaml: error: the list of documents is empty\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_text("p.jsonl", cases[i].line);
        expect_list("documents: [p.jsonl]", cases[i].wanted);
    }
    write_text("p.jsonl", "{\"id\": \"a\"}\n");
    expect_list("manifest: p.jsonl",
                "p.jsonl:1: error: no \"text\" that is a string, and no \"file\"\n");
}

static void a_manifest_names_files_below_its_root(void) {
    write_text("m.tsv", "file\tid\na/../b.txt\tb\n../c.txt\tc\na/../../e.txt\te\n");
    expect_list(
        "manifest: m.tsv",
        "m.tsv:3:10: error: '../c.txt' is outside the folder of texts; a manifest names "
        "files below corpus.root, or absolute paths\n    3 | ../c.txt\tc\n      |         \t^\n"
        "m.tsv:4:15: error: 'a/../../e.txt' is outside the folder of texts; a manifest "
        "names files below corpus.root, or absolute paths\n    4 | a/../../e.txt\te\n"
        "      |              \t^\n");
    write_text("m.jsonl", "{\"file\": \"../x.txt\"}\n");
    expect_list("manifest: m.jsonl",
                "m.jsonl:1: error: '../x.txt' is outside the folder of texts; a manifest names "
                "files below corpus.root, or absolute paths\n");
    expect_list("documents: [{file: ../c.txt}]", "c=../c.txt c - -\n");
}

static void only_manifests_without_obtain_may_name_absolute_paths(void) {
    write_text("m.tsv", "file\n/texts/c.txt\n");
    expect_list("manifest: m.tsv", "c=/texts/c.txt c - -\n");
    write_text("m.yaml", "documents: [/texts/c.txt]\n");
    expect_list("manifest: m.yaml", "c=/texts/c.txt c - -\n");
    write_text("m.yaml", "obtain: {kind: gutenberg}\ndocuments: [/etc/passwd]\n");
    expect_list("manifest: m.yaml",
                "m.yaml:2:13: error: '/etc/passwd' is outside the folder of texts; a manifest "
                "with 'obtain' names files below corpus.root\n"
                "    2 | documents: [/etc/passwd]\n      |             ^~~~~~~~~~~\n");
}

static trib_status load_once(void *context, trib_error *error) {
    trib_config config = {0};
    const trib_status status = trib_config_load(&config, context, NULL, 0, NULL, NULL, error);
    trib_config_release(&config);
    return status;
}

static void every_allocation_may_fail(void) {
    char path[4096];
    static const char poems[] = "<TEI><text><front>x</front><group><text>a</text><text>b</text>"
                                "</group></text></TEI>";
    mkdir(trib_scratch("f"), 0777);
    write_text("f/a.txt", "a");
    write_text("f/b.jpg", "a");
    write_text("f/p.jsonl", "{\"text\": \"a\", \"author\": \"b\"}\n");
    write_text("f/v.xml", poems);
#ifdef TRIB_WITH_ARCHIVE
    CHECK(pack_files(trib_scratch("f/a.zip"), (packed_file[]){{"v.xml", poems}}, 1));
#endif
    write_text("f.yaml",
               "tributary: 1\ncorpus: {target: all, documents: [{file: f, date: '1900'}]}\n");
    snprintf(path, sizeof path, "%s", trib_scratch("f.yaml"));
    trib_fail_every_allocation(load_once, path);
}

CU_TestInfo trib_tests_config_expand[] = {
    {"a folder stands for its texts", a_folder_stands_for_its_texts},
    {"locks and backups are hidden", locks_and_backups_are_hidden},
    {"a reserved name becomes another id", a_reserved_name_becomes_another_id},
#ifdef TRIB_WITH_XML
    {"a file of TEI stands for its texts", a_file_of_tei_stands_for_its_texts},
    {"a title of a file comes before those of its texts",
     a_title_of_a_file_comes_before_those_of_its_texts},
#endif
#if defined TRIB_WITH_XML && defined TRIB_WITH_ARCHIVE
    {"texts of TEI in an archive are documents", texts_of_tei_in_an_archive_are_documents},
#endif
#ifdef TRIB_WITH_ARCHIVE
    {"an archive stands for its texts", an_archive_stands_for_its_texts},
#endif
    {"lines of JSON are documents", lines_of_json_are_documents},
    {"invalid lines are reported", invalid_lines_are_reported},
    {"a manifest names files below its root", a_manifest_names_files_below_its_root},
    {"only manifests without obtain may name absolute paths",
     only_manifests_without_obtain_may_name_absolute_paths},
    {"every allocation may fail", every_allocation_may_fail},
    CU_TEST_INFO_NULL};
