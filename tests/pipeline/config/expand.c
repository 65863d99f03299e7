/* expand.c - tests of folders, archives and JSON Lines files as lists of documents, and of
 * malformed ones. */
#include <sys/stat.h>
#include <unistd.h>

#include "tests/pipeline/config/loading.h"
#include "tests/pipeline/support/pack.h"

TESTS(config, expand);

/* Expects the documents of a configuration as lines "id=file title author date" and the files left
 * out as lines "-file why", or else the errors and warnings. */
static void expect_list(const char *corpus, const char *wanted) {
    LOADED(result);
    char yaml[600];
    GIVEN(trib_buffer) text = {0};
    snprintf(yaml, sizeof yaml, "tributary: 1\ncorpus: {target: all, %s}\n", corpus);
    load_text(&result, "x.yaml", yaml, NULL, 0);
    const trib_config *config = &result.config;
    trib_buffer_print(&text, NULL, "%s", result.said);
    for (uint32_t d = 0; d < config->corpus.n_documents; d++) {
        const trib_corpus_document *about = &config->corpus.document[d];
        trib_buffer_print(&text, NULL, "%s=%s %s %s %s\n", about->id, about->file, about->title,
                          about->author ? about->author : "-", about->date ? about->date : "-");
    }
    for (size_t i = 0; i < config->corpus.n_left_out; i++) {
        const trib_left_out *out = &config->corpus.left_out[i];
        trib_buffer_print(&text, NULL, "-%s %s\n", out->file, out->why);
    }
    EXPECT_TEXT(text.text, wanted);
}

CASES("tests/pipeline/config/expand.txt [list]", a_corpus_is_listed) {
    expect_list(trib_case_text("corpus"), trib_case_text("listed"));
}

TEST(a_folder_stands_for_its_texts) {
    mkdir(trib_scratch("shelf"), 0777);
    mkdir(trib_scratch("shelf/old"), 0777);
    mkdir(trib_scratch("shelf/.git"), 0777);
    mkdir(trib_scratch("empty"), 0777);
    trib_write_scratch("shelf/b.txt", "b");
    trib_write_scratch("shelf/old/a.html.gz", "a");
    trib_write_scratch("shelf/cover.jpg", "x");
    trib_write_scratch("shelf/README", "x");
    trib_write_scratch("shelf/.git/x.txt", "x");
    CHECK(symlink("nowhere", trib_scratch("shelf/gone.txt")) == 0);
    CHECK(symlink("..", trib_scratch("shelf/up.txt")) == 0);
    trib_write_scratch("shelf/l.jsonl", "{\"text\": \"one\"}\n");
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
    expect_list(
        "documents: [{id: c, file: shelf/b.txt, pages: true}]",
        "x.yaml:2:40: error: 'pages: true' is for a folder or an archive of pages, or a file "
        "of several texts, which 'shelf/b.txt' is not\n"
        "    2 | corpus: {target: all, documents: [{id: c, file: shelf/b.txt, pages: true}]}"
        "\n      |                                        ^\n");
    expect_list("documents: [{file: shelf/old/, pages: true}]", "old=shelf/old old - -\n");
    expect_list("documents: [empty]", "x.yaml:2:35: error: empty: contains no file with the name "
                                      "of a text (.txt, .md, .html, .xml, .epub, .pdf and such)\n"
                                      "    2 | corpus: {target: all, documents: [empty]}\n"
                                      "      |                                   ^~~~~\n");
    expect_list("glob: 'shelf/*.t*', root: .",
                "b=shelf/b.txt b - -\ngone=shelf/gone.txt gone - -\n-shelf/up.txt/ a folder\n");
}

TEST(a_pipe_of_json_lines_may_be_the_manifest) {
    static const char lines[] = "{\"text\": \"one\", \"id\": \"a\"}\n\n{\"text\": \"two\"}\n";
    int ends[2];
    const int input = dup(STDIN_FILENO);
    CHECK(pipe(ends) == 0 && dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
    CHECK(write(ends[1], lines, sizeof lines - 1) == (ssize_t)sizeof lines - 1);
    close(ends[0]);
    close(ends[1]);
    expect_list("manifest: '-'", "a=-/1 a - -\nstandard-input.3=-/3 standard-input.3 - -\n");
    expect_input(TRIB_INPUT_LINES "/3", "two");
    expect_no_input(TRIB_INPUT_LINES "/2", "standard input:2: has no \"text\"");
    CHECK(dup2(input, STDIN_FILENO) == STDIN_FILENO);
    close(input);
}

TEST(a_link_out_of_a_folder_is_followed_by_choice) {
    static const char *const found[] = {"glob: 'in/*.txt', root: .", "glob: '*.txt', root: in",
                                        "glob: '*/*.txt', root: in", "manifest: in.tsv, root: in",
                                        "documents: [in]"};
    char yaml[256];
    trib_write_scratch("away.txt", "c");
    mkdir(trib_scratch("far"), 0777);
    mkdir(trib_scratch("in"), 0777);
    mkdir(trib_scratch("in/a"), 0777);
    trib_write_scratch("in/a/b.txt", "b");
    trib_write_scratch("far/d.txt", "d");
    trib_write_scratch("in.tsv", "file\nout.txt\na/b.txt\n");
    CHECK(symlink("a/b.txt", trib_scratch("in/near.txt")) == 0);
    CHECK(symlink("../away.txt", trib_scratch("in/out.txt")) == 0);
    CHECK(symlink("../far", trib_scratch("in/far")) == 0);
    for (size_t i = 0; i < 2 * sizeof found / sizeof *found; i++) {
        const bool follows = i % 2;
        LOADED(result);
        snprintf(yaml, sizeof yaml, "tributary: 1\ncorpus: {target: all, %s%s}\n", found[i / 2],
                 follows ? ", links: follow" : "");
        load_text(&result, "x.yaml", yaml, NULL, 0);
        /* below the folder of the configuration, all of it is */
        EXPECT(!strstr(result.said, "is a link to '") == (follows || i < 2));
        size_t n_links = 0;
        for (uint32_t d = 0; d < result.config.corpus.n_documents; d++)
            n_links += result.config.corpus.document[d].link != NULL;
        EXPECT(n_links == (follows && i > 2));
    }
}

TEST(a_pattern_may_name_another_folder) {
    char yaml[TRIB_PATH_MAX + 64];
    mkdir(trib_scratch("far"), 0777);
    mkdir(trib_scratch("in"), 0777);
    trib_write_scratch("far/d.txt", "d");
    for (int is_absolute = 0; is_absolute < 2; is_absolute++) {
        LOADED(result);
        snprintf(yaml, sizeof yaml,
                 "tributary: 1\ncorpus: {target: all, root: in, glob: '%s/*.txt'}\n",
                 is_absolute ? trib_scratch("far") : "../far");
        load_text(&result, "x.yaml", yaml, NULL, 0);
        EXPECT_TEXT(result.said, "");
        EXPECT(result.config.corpus.n_documents == 1 && !result.config.corpus.document[0].link);
    }
}

CASES("tests/pipeline/config/expand.txt [tei]", a_file_of_tei_is_listed) {
    expect_list(trib_case_text("corpus"), trib_case_text("listed"));
}

#define TEXT(words) "<text><body><p>" words "</p></body></text>"

TEST(texts_of_tei_in_an_archive_are_documents) {
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

TEST(an_archive_stands_for_its_texts) {
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
    trib_write_scratch("bad.zip", "no zip at all");
    expect_list("glob: bad.zip",
                "x.yaml:2:29: error: bad.zip: cannot be read as a zip or tar: Unrecognized archive "
                "format\n    2 | corpus: {target: all, glob: bad.zip}\n"
                "      |                             ^~~~~~~\n");
}

static trib_status load_once(void *context, trib_error *error) {
    GIVEN(trib_config) config = {0};
    const trib_status status = trib_config_load(&config, context, NULL, 0, NULL, NULL, error);
    return status;
}

TEST(every_allocation_may_fail) {
    char path[4096];
    static const char poems[] = "<TEI><text><front>x</front><group><text>a</text><text>b</text>"
                                "</group></text></TEI>";
    mkdir(trib_scratch("f"), 0777);
    trib_write_scratch("f/a.txt", "a");
    trib_write_scratch("f/b.jpg", "a");
    trib_write_scratch("f/p.jsonl", "{\"text\": \"a\", \"author\": \"b\"}\n");
    trib_write_scratch("f/v.xml", poems);
    CHECK(pack_files(trib_scratch("f/a.zip"), (packed_file[]){{"v.xml", poems}}, 1));
    trib_write_scratch(
        "f.yaml", "tributary: 1\ncorpus: {target: all, documents: [{file: f, date: '1900'}]}\n");
    snprintf(path, sizeof path, "%s", trib_scratch("f.yaml"));
    trib_fail_every_allocation(load_once, path);
}
