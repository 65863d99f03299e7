/* strip.c - tests of stripping: every form of Project Gutenberg's boilerplate around small texts
 * written here, malformed variants, and the first and last lines of seven published files. */
#include "tests/test.h"

#include "pipeline/input/strip.h"

/* ---- The boilerplate, in our own words where it is not a marker ------------------------------ */

#define HEADER_1990S                                                                               \
    "The Project Gutenberg Etext of The Heron, by Nobody\n\nPlease keep this.\n\n"                 \
    "The Heron\n\nby Nobody\n\nThe Project Gutenberg Etext of The Heron, by Nobody\n"              \
    "******This file should be named heron10.txt******\n\n"                                        \
    "***START**THE SMALL PRINT!**FOR PUBLIC DOMAIN ETEXTS**START***\nSmall words.\n"
#define SMALL_PRINT_END "*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*\n"
#define START_OF_THIS   "*** START OF THIS PROJECT GUTENBERG EBOOK THE HERON ***\n"
#define START_OF_THE    "*** START OF THE PROJECT GUTENBERG EBOOK THE HERON ***\n"
#define END_OF_THE      "*** END OF THE PROJECT GUTENBERG EBOOK THE HERON ***\n"
#define END_OF_THIS     "*** END OF THIS PROJECT GUTENBERG EBOOK THE HERON ***\n"
#define LICENCE         "\nTHE FULL PROJECT GUTENBERG LICENSE\nMany words.\n"
#define HERON           "THE HERON\n\nA heron stood in the reeds.\n\nIt waited all day."
#define TERN            "THE TERN\n\nA tern crossed the bay.\n\nIt did not wait."

static trib_status strip(trib_text_ranges *kept, trib_cuts *cuts, trib_buffer *text, double max,
                         const char *file, size_t length, trib_error *error) {
    *kept = (trib_text_ranges){0};
    trib_buffer_clear(text);
    trib_status status = trib_buffer_add(text, file, length, error);
    if (status == TRIB_OK)
        status = trib_strip(kept, cuts, trib_stripper_find("gutenberg"), max, "a.txt", text->text,
                            text->length, error);
    return status;
}

/* Strips a file. Expects the kept texts, separated by '|', and that exactly the other bytes are
 * blank. */
static void expect_kept(const char *file, const char *wanted, const char *remark) {
    trib_text_ranges kept;
    trib_cuts cuts;
    trib_buffer text = {0}, found = {0};
    trib_error error = {0};
    const size_t length = strlen(file);
    EXPECT_STATUS(strip(&kept, &cuts, &text, 1, file, length, &error), TRIB_OK, error);
    size_t at = 0, n_kept = 0, n_lines = 0;
    for (size_t r = 0; r <= kept.n; r++) {
        const size_t to = r < kept.n ? kept.range[r].from : length;
        EXPECT(at <= to && (at < to || r == 0 || r == kept.n));
        for (; at < to; at++) EXPECT(text.text[at] == (file[at] == '\n' ? '\n' : ' '));
        if (r == kept.n) break;
        at = kept.range[r].to;
        n_kept += at - to;
        EXPECT(at <= length && memcmp(text.text + to, file + to, at - to) == 0);
        CHECK(trib_buffer_print(&found, NULL, "%s%.*s", r ? "|" : "", (int)(at - to), file + to) ==
              TRIB_OK);
    }
    EXPECT_TEXT(found.text ? found.text : "", wanted);
    EXPECT_TEXT(kept.remark ? kept.remark : "", remark ? remark : "");
    EXPECT(cuts.n_texts == kept.n);
    EXPECT(cuts.before.n_bytes + cuts.between.n_bytes + cuts.after.n_bytes == length - n_kept);
    for (size_t i = 0; i < length; i++) n_lines += file[i] == '\n';
    for (size_t i = 0; i < found.length; i++) n_lines -= found.text[i] == '\n';
    /* a last line without a line end counts, too */
    n_lines += length > 0 && file[length - 1] != '\n' &&
               (kept.n == 0 || kept.range[kept.n - 1].to < length);
    EXPECT(cuts.before.n_lines + cuts.between.n_lines + cuts.after.n_lines == n_lines);
    trib_text_ranges_release(&kept);
    trib_buffer_release(&text);
    trib_buffer_release(&found);
}

static void expect_refusal(const char *file, double max, const char *message) {
    trib_text_ranges kept;
    trib_cuts cuts;
    trib_buffer text = {0};
    trib_error error = {0};
    EXPECT_STATUS(strip(&kept, &cuts, &text, max, file, strlen(file), &error), TRIB_INPUT, error);
    EXPECT_TEXT(error.message, message);
    EXPECT_TEXT(text.text ? text.text : "", file); /* unchanged */
    trib_text_ranges_release(&kept);
    trib_buffer_release(&text);
}

/* ---- Every form ------------------------------------------------------------------------------ */

static void every_form_of_boilerplate_is_cut(void) {
    static const char *const files[] = {
        HEADER_1990S SMALL_PRINT_END "\n\n" HERON
                                     "\n\n\nEnd of Project Gutenberg Etext of The Heron\nBye.\n",
        HEADER_1990S "*END THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.07/27/01*END*\n" HERON
                     "\nThe End of The Project Gutenberg Etext of The Heron",
        HEADER_1990S SMALL_PRINT_END "\n" START_OF_THE "\n" HERON "\n" END_OF_THE,
        "\xEF\xBB\xBFProject Gutenberg's The Heron, by Nobody\n\n" START_OF_THIS "\n\n" HERON
        "\n\n\nEnd of the Project Gutenberg EBook of The Heron\n\n" END_OF_THIS LICENCE,
        "The Project Gutenberg eBook of The Heron\n\n" START_OF_THE "\n" HERON
        "\n\n" END_OF_THE LICENCE,
        "Title: The Heron\n***START OF THE PROJECT GUTENBERG EBOOK THE HERON***\n" HERON
        "\n***END OF THE PROJECT GUTENBERG EBOOK THE HERON***\n",
        "*** START OF THE PROJECT GUTENBERG EBOOK THE HERON; OR,\nA VERY LONG TITLE ***\n" HERON
        "\n" END_OF_THE,
        HERON "\n\n" END_OF_THE LICENCE,
        HERON "\n\n*** START: FULL LICENSE ***\nMany words.\n",
        HERON "\n\nEnde dieses Projekt Gutenberg Etextes\nMany words.\n",
        HERON "\n\n***START**THE SMALL PRINT!**START***\nSmall words.\n" SMALL_PRINT_END "\n",
        "*** START OF THE PROJECT GUTENBERG EBOOK THE HERON\n" HERON "\n" END_OF_THE,
        "", /* also with the line ends of DOS, below */
    };
    for (size_t i = 0; *files[i]; i++) {
        char dos[4096];
        size_t n = 0;
        expect_kept(files[i], HERON, NULL);
        for (const char *c = files[i]; *c; c++) {
            if (*c == '\n') dos[n++] = '\r';
            dos[n++] = *c;
        }
        dos[n] = '\0';
        expect_kept(dos, "THE HERON\r\n\r\nA heron stood in the reeds.\r\n\r\nIt waited all day.",
                    NULL);
    }
}

static void each_of_several_texts_in_one_file_is_kept(void) {
    static const char after_1990s[] = "\nEnd of The Project Gutenberg Etext of The Heron\n\n";
    char file[4096];
    snprintf(file, sizeof file, "%s%s%s%s%s%s%s%sEnd of it all\n", HEADER_1990S SMALL_PRINT_END,
             HERON, after_1990s, HEADER_1990S SMALL_PRINT_END, TERN, after_1990s,
             "The Project Gutenberg EBook of Both\n" START_OF_THE HERON "\n", END_OF_THE LICENCE);
    expect_kept(file, HERON "|" TERN "|" HERON, NULL);
    /* the next header instead of an END between them */
    char lines[1024] = "";
    for (int i = 0; i < 40; i++) strcat(lines, "and on\n");
    snprintf(file, sizeof file, "%s%s%s%s", START_OF_THE, lines, HEADER_1990S SMALL_PRINT_END,
             TERN "\n" END_OF_THE);
    lines[strlen(lines) - 1] = '\0';
    char wanted[2048];
    snprintf(wanted, sizeof wanted, "%s|%s", lines, TERN);
    expect_kept(file, wanted, NULL);
}

static void credits_before_the_title_are_removed_and_prefaces_kept(void) {
    static const struct {
        const char *front, *kept;
    } fronts[] = {
        {"\nProduced by Ann Other and Bob More\n\n\n", ""},
        {"This etext was prepared by Ann Other,\na volunteer.\n\n\n", ""},
        {"E-text prepared by Ann Other\nand the Online Distributed Proofreading Team\n"
         "(http://www.pgdp.net)\n\n(This file was produced from images.)\n\n",
         ""},
        {"Transcribed from the 1890 Reed edition by Ann Other, a@example.org\n\n", ""},
        {"[Redactor's note: braces {} and [brackets] stand\n\nfor pictures.]\n\n", ""},
        {"Transcriber's Note:\n\nSpelling is as printed.\n\nSo are commas.\n\n\n", ""},
        {"[Transcriber\xE2\x80\x99s Note: as printed.]\n\nProduced by Ann Other\n\n", ""},
        {"The Project Gutenberg EBook of The Heron, by Nobody\n\n", ""},
        {"PREFACE\n\nI saw it once.\n\nProduced by hand.\n\n\n",
         "PREFACE\n\nI saw it once.\n\nProduced by hand.\n\n\n"},
        {"[Illustration]\n\n", "[Illustration]\n\n"},
        {"Created Light, and other poems\n\n", "Created Light, and other poems\n\n"},
        {"Produced by Ann Other\n\nPREFACE\n\nby the author.\n\n", "PREFACE\n\nby the author.\n\n"},
    };
    for (size_t i = 0; i < sizeof fronts / sizeof *fronts; i++) {
        char file[1024], wanted[1024];
        snprintf(file, sizeof file, "%s%s%s\n%s", START_OF_THE, fronts[i].front, HERON, END_OF_THE);
        snprintf(wanted, sizeof wanted, "%s%s", fronts[i].kept, HERON);
        expect_kept(file, wanted, NULL);
    }
}

static void other_texts_are_kept_whole(void) {
    static const char *const files[] = {
        HERON,
        "*** \n\nWe like Project Gutenberg.\n",
        "x",
        "\n\n* * *\n",
        "He came to the end of Project Gutenberg.\nThe end of the day.\n",
        "START OF THE DAY\n"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) expect_kept(files[i], files[i], NULL);
}

/* ---- Malformed ------------------------------------------------------------------------------- */

static void unmarked_parts_are_kept_with_a_remark(void) {
    expect_kept(START_OF_THE "\n" HERON "\n", HERON,
                "a Project Gutenberg text begins here and its end is not marked: all that follows "
                "is kept");
    expect_kept("The Project Gutenberg Etext of The Heron\n\n" HERON "\n" END_OF_THE,
                "The Project Gutenberg Etext of The Heron\n\n" HERON,
                "a Project Gutenberg header begins here and its end is not marked: it is kept");
    expect_kept("The Project Gutenberg Etext of The Heron\n\n" HERON "\n",
                "The Project Gutenberg Etext of The Heron\n\n" HERON,
                "a Project Gutenberg header begins here and its end is not marked: it is kept");
}

static void unclear_borders_are_rejected(void) {
    expect_refusal(HERON "\n" END_OF_THE "\n" START_OF_THE TERN "\n", 1,
                   "a.txt: line 6 ends a Project Gutenberg text, but only line 8 begins one; cut "
                   "the file by hand and leave out corpus.strip");
    static const char *const empty[] = {LICENCE, START_OF_THE "\n\n" END_OF_THE LICENCE,
                                        HEADER_1990S SMALL_PRINT_END "\n", END_OF_THE,
                                        START_OF_THE "Produced by Ann Other\n" END_OF_THE};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
        expect_refusal(empty[i], 1,
                       "a.txt: nothing is left when gutenberg is stripped; is it only a licence? "
                       "remove the document, or leave out corpus.strip");
}

static void stripping_more_than_the_limit_is_rejected(void) {
    char file[256];
    snprintf(file, sizeof file, "%s\n%s", HERON, END_OF_THE);
    const size_t length = strlen(file), n_cut = length - strlen(HERON);
    char message[512];
    snprintf(message, sizeof message,
             "a.txt: stripping gutenberg would cut %zu of %zu bytes, more than corpus.max_strip "
             "(0.4) allows; look at the file, then raise corpus.max_strip or leave out "
             "corpus.strip",
             n_cut, length);
    expect_refusal(file, 0.4, message);
    trib_text_ranges kept;
    trib_cuts cuts;
    trib_buffer text = {0};
    trib_error error = {0};
    const double part = (double)n_cut / (double)length;
    EXPECT_STATUS(strip(&kept, &cuts, &text, part, file, length, &error), TRIB_OK, error);
    EXPECT(cuts.after.n_bytes == n_cut && cuts.after.n_lines == 2 && cuts.before.n_bytes == 0);
    trib_text_ranges_release(&kept);
    trib_buffer_release(&text);
}

static trib_status strip_once(void *context, trib_error *error) {
    trib_text_ranges kept;
    trib_cuts cuts;
    trib_buffer text = {0};
    const char *file = context;
    const trib_status status = strip(&kept, &cuts, &text, 1, file, strlen(file), error);
    trib_text_ranges_release(&kept);
    trib_buffer_release(&text);
    return status;
}

static void every_allocation_may_fail(void) {
    trib_fail_every_allocation(strip_once, HEADER_1990S SMALL_PRINT_END HERON
                               "\n" END_OF_THE HEADER_1990S SMALL_PRINT_END TERN "\n" END_OF_THE);
}

/* ---- As published ---------------------------------------------------------------------------- */

/* The line that contains a byte, from 1. */
static unsigned line_of(const char *text, size_t at) {
    unsigned line = 1;
    for (size_t i = 0; i < at; i++) line += text[i] == '\n';
    return line;
}

static void seven_published_files_lose_exactly_their_boilerplate(void) {
    static const struct {
        const char *name;
        struct {
            unsigned first, last;
        } text[5]; /* lines, from 1 */
    } files[] = {
        {"pg1342_START_OF_THE.txt", {{32, 14560}}},
        {"pg1514_midsummer_SMALLPRINT.txt", {{295, 3753}}},
        {"pg1524_hamlet_SMALLPRINT.txt", {{292, 7060}}},
        {"pg1661_sherlock_START_OF_THIS_BOM.txt", {{34, 12681}}},
        {"pg22367_verwandlung_de_END_only.txt", {{1, 1901}}},
        {"pg2701_START_OF_THE.txt", {{32, 21959}}},
        {"poe_5vols_concatenated.txt",
         {{303, 9527}, {9828, 19712}, {20089, 29715}, {30013, 38523}, {38812, 48724}}},
    };
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        char name[128];
        trib_reader reader;
        trib_buffer text = {0};
        trib_text_ranges kept = {0};
        trib_cuts cuts;
        trib_error error = {0};
        snprintf(name, sizeof name, "corpora/gutenberg-raw/%s", files[f].name);
        const char *path = trib_shared(name);
        if (!path) return;
        CHECK(trib_reader_open(&reader, path, &error) == TRIB_OK);
        CHECK(trib_reader_all(&reader, &text, &error) == TRIB_OK);
        trib_reader_close(&reader);
        EXPECT_STATUS(trib_strip(&kept, &cuts, trib_stripper_find("gutenberg"), 0.5, name,
                                 text.text, text.length, &error),
                      TRIB_OK, error);
        EXPECT(!kept.remark);
        for (size_t t = 0; t < 5; t++) {
            if (t >= kept.n) {
                EXPECT(files[f].text[t].first == 0);
                continue;
            }
            const unsigned first = line_of(text.text, kept.range[t].from),
                           last = line_of(text.text, kept.range[t].to);
            EXPECT(first == files[f].text[t].first && last == files[f].text[t].last);
        }
        trib_text_ranges_release(&kept);
        trib_buffer_release(&text);
    }
}

CU_TestInfo trib_tests_input_strip[] = {
    {"every form of boilerplate is cut", every_form_of_boilerplate_is_cut},
    {"each of several texts in one file is kept", each_of_several_texts_in_one_file_is_kept},
    {"credits before the title are removed and prefaces kept",
     credits_before_the_title_are_removed_and_prefaces_kept},
    {"other texts are kept whole", other_texts_are_kept_whole},
    {"unmarked parts are kept with a remark", unmarked_parts_are_kept_with_a_remark},
    {"unclear borders are rejected", unclear_borders_are_rejected},
    {"stripping more than the limit is rejected", stripping_more_than_the_limit_is_rejected},
    {"every allocation may fail", every_allocation_may_fail},
    {"seven published files lose exactly their boilerplate",
     seven_published_files_lose_exactly_their_boilerplate},
    CU_TEST_INFO_NULL};
