/* strip.c - tests of stripping: every form of Project Gutenberg's boilerplate around small texts
 * written here, malformed variants, and the first and last lines of seven published files. */
#include "tests/test.h"

#include "pipeline/text/strip.h"

TESTS(text, strip);

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
    GIVEN(trib_text_ranges) kept = {0};
    trib_cuts cuts;
    GIVEN(trib_buffer) text = {0}, found = {0};
    trib_error error = {0};
    const size_t length = strlen(file);
    EXPECT_OK(strip(&kept, &cuts, &text, 1, file, length, &error));
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
}

static void expect_refusal(const char *file, double max, const char *message) {
    GIVEN(trib_text_ranges) kept = {0};
    trib_cuts cuts;
    GIVEN(trib_buffer) text = {0};
    trib_error error = {0};
    EXPECT_STATUS(strip(&kept, &cuts, &text, max, file, strlen(file), &error), TRIB_INPUT, error);
    EXPECT_TEXT(error.message, message);
    EXPECT_TEXT(text.text ? text.text : "", file); /* unchanged */
}

/* A text with the line ends of DOS. */
static char *dos(trib_buffer *to, const char *text) {
    CHECK(trib_buffer_add(to, "", 0, NULL) == TRIB_OK);
    for (; *text; text++)
        CHECK(trib_buffer_print(to, NULL, "%s%c", *text == '\n' ? "\r" : "", *text) == TRIB_OK);
    return to->text;
}

CASES("tests/pipeline/text/strip.txt [kept]", texts_are_kept) {
    const char *file = trib_case_text("file"), *kept = trib_case_text("kept"),
               *remark = trib_case_text("remark");
    GIVEN(trib_buffer) dos_file = {0}, dos_kept = {0};
    expect_kept(file, kept, remark);
    expect_kept(dos(&dos_file, file), dos(&dos_kept, kept), remark);
}

/* A text with other line ends. */
static char *with_ends(trib_buffer *to, const char *text, const char *end) {
    CHECK(trib_buffer_add(to, "", 0, NULL) == TRIB_OK);
    for (; *text; text++)
        CHECK(trib_buffer_add(to, *text == '\n' ? end : text, *text == '\n' ? strlen(end) : 1,
                              NULL) == TRIB_OK);
    return to->text;
}

CASES("tests/pipeline/text/strip.txt [kept]", lines_may_end_in_any_way) {
    static const char *const ends[] = {"\r", "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"};
    const char *file = trib_case_text("file"), *kept = trib_case_text("kept");
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
        GIVEN(trib_buffer) bytes = {0}, wanted = {0}, found = {0};
        GIVEN(trib_text_ranges) ranges = {0};
        trib_cuts cuts;
        trib_error error = {0};
        const char *text = with_ends(&bytes, file, ends[e]);
        EXPECT_OK(strip(&ranges, &cuts, &found, 1, text, bytes.length, &error));
        GIVEN(trib_buffer) joined = {0};
        for (size_t r = 0; r < ranges.n; r++)
            CHECK(trib_buffer_print(&joined, NULL, "%s%.*s", r > 0 ? "|" : "",
                                    (int)(ranges.range[r].to - ranges.range[r].from),
                                    found.text + ranges.range[r].from) == TRIB_OK);
        EXPECT_TEXT(joined.text ? joined.text : "", with_ends(&wanted, kept, ends[e]));
    }
}

CASES("tests/pipeline/text/strip.txt [refused]", borders_are_unclear) {
    expect_refusal(trib_case_text("file"), trib_case_number("max"), trib_case_text("says"));
}

TEST(each_of_several_texts_in_one_file_is_kept) {
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

/* ---- Malformed ------------------------------------------------------------------------------- */

TEST(stripping_more_than_the_limit_is_rejected) {
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
    GIVEN(trib_text_ranges) kept = {0};
    trib_cuts cuts;
    GIVEN(trib_buffer) text = {0};
    trib_error error = {0};
    const double part = (double)n_cut / (double)length;
    EXPECT_OK(strip(&kept, &cuts, &text, part, file, length, &error));
    EXPECT(cuts.after.n_bytes == n_cut && cuts.after.n_lines == 2 && cuts.before.n_bytes == 0);
}

static trib_status strip_once(void *context, trib_error *error) {
    GIVEN(trib_text_ranges) kept = {0};
    trib_cuts cuts;
    GIVEN(trib_buffer) text = {0};
    const char *file = context;
    const trib_status status = strip(&kept, &cuts, &text, 1, file, strlen(file), error);
    return status;
}

TEST(every_allocation_may_fail) {
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

TEST(seven_published_files_lose_exactly_their_boilerplate) {
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
        OPENED(trib_reader) reader = {0};
        GIVEN(trib_buffer) text = {0};
        GIVEN(trib_text_ranges) kept = {0};
        trib_cuts cuts;
        trib_error error = {0};
        snprintf(name, sizeof name, "corpora/gutenberg-raw/%s", files[f].name);
        const char *path = trib_shared(name);
        if (!path) return;
        CHECK(trib_reader_open(&reader, path, &error) == TRIB_OK);
        CHECK(trib_reader_all(&reader, &text, &error) == TRIB_OK);
        EXPECT_OK(trib_strip(&kept, &cuts, trib_stripper_find("gutenberg"), 0.5, name, text.text,
                             text.length, &error));
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
    }
}
