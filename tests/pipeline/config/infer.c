/* infer.c - tests of what no list says: dates in file names and in the properties of files. */
#include "tests/pipeline/config/loading.h"
#include "tests/pipeline/support/pack.h"

TESTS(config, infer);

/* "": none, or more than one. */
CASES("tests/pipeline/config/infer.txt [named]", a_file_name_has_a_date) {
    char date[TRIB_DATE_FROM_NAME] = "";
    const bool has_date = trib_date_of_name(date, trib_case_text("name"));
    EXPECT(has_date == (*trib_case_text("date") != '\0'));
    EXPECT_TEXT(has_date ? date : "", trib_case_text("date"));
}

#define BY_DATE(list) "tributary: 1\ncorpus: {documents: " list ", target: all, order: by-date}\n"

TEST(a_date_of_a_file_name_is_used_only_by_date) {
    LOADED(result);
    write_scratch("1843 A.txt", "one", 3);
    write_scratch("1844 B.txt", "two", 3);
    load_text(&result, "e.yaml", BY_DATE("['1843 A.txt', {file: '1844 B.txt', date: '1850'}]"),
              NULL, 0);
    EXPECT_TEXT(result.said, "");
    CHECK(result.status == TRIB_OK);
    EXPECT_TEXT(result.config.corpus.document[0].date, "1843");
    EXPECT(result.config.corpus.document[0].date_from == TRIB_FROM_FILE_NAME);
    EXPECT_TEXT(result.config.corpus.document[1].date, "1850");
    EXPECT(result.config.corpus.document[1].date_from == TRIB_FROM_LIST);
    release_loaded(&result);
    load_text(&result, "e.yaml",
              "tributary: 1\ncorpus: {documents: ['1843 A.txt', '1844 B.txt'], target: all}\n",
              NULL, 0);
    CHECK(result.status == TRIB_OK);
    EXPECT(!result.config.corpus.document[0].date);
}

TEST(the_date_of_a_pdf_is_weak) {
    static const char pdf[] = "%PDF-1.4\n1 0 obj <</Title (x)/CreationDate (D:20190304100000Z)>>";
    LOADED(result);
    write_scratch("1843 A.txt", "one", 3);
    write_scratch("b.pdf", pdf, sizeof pdf - 1);
    load_text(&result, "e.yaml", BY_DATE("['1843 A.txt', b.pdf]"), NULL, 0);
    EXPECT(result.status == TRIB_OK && result.n_warnings == 1);
    EXPECT(strstr(result.said, "the dates of the files stand for dates of the texts, which may be "
                               "older: b; correct them") != NULL);
    CHECK(result.status == TRIB_OK);
    EXPECT_TEXT(result.config.corpus.document[1].date, "2019-03-04");
    EXPECT(result.config.corpus.document[1].date_from == TRIB_FROM_PROPERTIES);
    release_loaded(&result);
    write_scratch("b.pdf", "%PDF-1.4\n/CreationDate (D:2019", 30);
    load_text(&result, "e.yaml", BY_DATE("['1843 A.txt', b.pdf]"), NULL, 0);
    EXPECT(result.n_errors == 1 && strstr(result.said, "none for b\n") != NULL);
}

TEST(properties_of_packed_files_have_title_author_and_date) {
    static const struct {
        const char *file, *member, *properties;
    } kinds[] = {
        {"a.docx", "docProps/core.xml",
         "<cp:coreProperties xmlns:cp='c' xmlns:dc='d' xmlns:dcterms='t'><dc:title>The Heron"
         "</dc:title><dc:creator>A. Lowe</dc:creator><dcterms:created>2019-03-04T10:00:00Z"
         "</dcterms:created></cp:coreProperties>"},
        {"a.odt", "meta.xml",
         "<o:document-meta xmlns:o='o' xmlns:m='m' xmlns:dc='d'><o:meta><m:creation-date>"
         "2019-03-04T10:00:00</m:creation-date><m:initial-creator>A. Lowe</m:initial-creator>"
         "<dc:title>The  Heron</dc:title></o:meta></o:document-meta>"},
        {"a.epub", "OEBPS/book.opf",
         "<package xmlns='p' xmlns:dc='d'><metadata><dc:title>The Heron</dc:title><dc:creator>"
         "A. Lowe</dc:creator><dc:date>2019-03-04</dc:date></metadata></package>"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        LOADED(result);
        char yaml[256];
        snprintf(yaml, sizeof yaml, "tributary: 1\ncorpus: {documents: [%s, b.txt], target: all}\n",
                 kinds[i].file);
        write_scratch("b.txt", "two", 3);
        CHECK(pack_files(trib_scratch("a.zip"),
                         (packed_file[]){{"x.xml", "<x/>"}, {kinds[i].member, kinds[i].properties}},
                         2));
        CHECK(rename(trib_scratch("a.zip"), trib_scratch(kinds[i].file)) == 0);
        load_text(&result, "e.yaml", yaml, NULL, 0);
        CHECK(result.status == TRIB_OK);
        CHECK(trib_documents_infer(&result.config, true, NULL) == TRIB_OK);
        const trib_corpus_document *a = &result.config.corpus.document[0];
        EXPECT_TEXT(a->title, "The Heron");
        EXPECT_TEXT(a->author, "A. Lowe");
        EXPECT_TEXT(a->date, "2019-03-04");
        EXPECT(a->title_from == TRIB_FROM_PROPERTIES && a->author_from == TRIB_FROM_PROPERTIES);
        EXPECT(!result.config.corpus.document[1].date);
    }
}
