/* families.c - tests of influence/passages/families.c and output/families.c: the passages of one
 * place are one family, whose witnesses come by date, and the target quotes, names or is silent. */

#include "tests/pipeline/report/page.h"
#include "tests/pipeline/run/experiment.h"
#include "tests/test.h"

TESTS(output, families);

#define BELLS                                                                                      \
    "the bronze bells beneath the frozen harbour rang seventeen times while the blind keeper "     \
    "counted lanterns along the broken sea wall"
#define MILL                                                                                       \
    "a miller from the northern valley ground black barley under moonlight until his wheel "       \
    "cracked "                                                                                     \
    "and the whole river stood still for an evening"
/* Words that no other text has: 40, which begin with a letter. */
#define OWN(x)                                                                                     \
    " " x "aba " x "ebe " x "ibi " x "obo " x "ubu " x "aca " x "ece " x "ici " x "oco " x         \
    "ucu " x "ada " x "ede " x "idi " x "odo " x "udu " x "afa " x "efe " x "ifi " x "ofo " x      \
    "ufu " x "aga " x "ege " x "igi " x "ogo " x "ugu " x "ala " x "ele " x "ili " x "olo " x      \
    "ulu " x "ama " x "eme " x "imi " x "omo " x "umu " x "ara " x "ere " x "iri " x "oro " x      \
    "uru "

/* How the target puts a passage of the source by Ann Corbet, and what is then said of it. */
typedef struct telling {
    const char *before, *after, *said;
} telling;
static const telling tellings[] = {
    {"", "", "silent\t"},
    {"\"", "\"", "quoted\t"},
    {"\xE2\x80\x9C", "\xE2\x80\x9D", "quoted\t"},
    {"\xE2\x80\x9E", "\xE2\x80\x9C", "quoted\t"},
    {"\xC2\xBB", "\xC2\xAB", "quoted\t"},
    {"\xC2\xAB\xC2\xA0", "\xC2\xA0\xC2\xBB", "quoted\t"},
    {"\xE2\x80\x98", "\xE2\x80\x99", "quoted\t"},
    {"they didn\xE2\x80\x99t go. ", ". It isn\xE2\x80\x99t so", "silent\t"},
    {"\"go away\" ", " \"come back\"", "silent\t"},
    {"as Corbet has it, ", "", "attributed\tcorbet"},
    {"", ", wrote another", "attributed\twrote"},
    {"in the old corbet house ", "", "attributed\tcorbet"},
    {"and Corbet wrote: \"", "\"", "quoted\tcorbet"},
};

static char *columns_of(const char *directory, const char *columns, char *to, size_t size) {
    char command[8192];
    snprintf(command, sizeof command, "tail -n +2 '%s/families.tsv' | cut -f %s", directory,
             columns);
    FILE *pipe = popen(command, "r");
    CHECK(pipe != NULL);
    to[fread(to, 1, size - 1, pipe)] = '\0';
    pclose(pipe);
    return to;
}

TEST(a_family_is_quoted_or_attributed_or_silent) {
    for (size_t i = 0; i < sizeof tellings / sizeof *tellings; i++) {
        char text[4096], found[256], expected[256];
        snprintf(text, sizeof text, OWN("k") "%s" BELLS "%s" OWN("l"), tellings[i].before,
                 tellings[i].after);
        trib_write_scratch("later.txt", text);
        trib_write_scratch("first.txt", OWN("m") BELLS OWN("n"));
        json_decref(trib_experiment_of(
            "telling", "tributary: 1\ncorpus:\n  target: later\n  documents:\n"
                       "    - {id: later, file: later.txt, title: A Walk}\n"
                       "    - {id: first, file: first.txt, title: Notes, author: Ann Corbet}\n"
                       "influence: {bootstrap: 0, methods: [extent, traced]}\n"));
        columns_of(trib_scratch("telling"), "11,12", found, sizeof found);
        snprintf(expected, sizeof expected, "%s\n", tellings[i].said);
        EXPECT_TEXT(found, expected);
    }
}

/* Three sources hold the first place, the earliest last in the list; a fourth text holds it, too,
 * but is later than the target; one source holds the second place. */
TEST(witnesses_are_one_family_by_date) {
    char found[1024];
    trib_write_scratch("t.txt", OWN("k") BELLS OWN("l") MILL OWN("p"));
    trib_write_scratch("a.txt", OWN("m") BELLS);
    trib_write_scratch("b.txt", BELLS OWN("r"));
    trib_write_scratch("c.txt", OWN("n") BELLS OWN("s") MILL);
    trib_write_scratch("z.txt", OWN("v") BELLS);
    json_t *result = trib_experiment_of(
        "witnesses",
        "tributary: 1\ncorpus:\n  target: t\n  order: by-date\n  documents:\n"
        "    - {id: t, file: t.txt, date: 1900}\n    - {id: a, file: a.txt, date: 1850}\n"
        "    - {id: b, file: b.txt, date: 1820}\n    - {id: c, file: c.txt, date: 1700}\n"
        "    - {id: z, file: z.txt, date: 1950}\n"
        "influence: {bootstrap: 0, methods: [extent, traced]}\n");
    columns_of(trib_scratch("witnesses"), "2,6-10", found, sizeof found);
    EXPECT_TEXT(found, "1\t1\t3\t3\tc; b; a\t5\n2\t1\t1\t1\tc\t2\n");
    trib_page_expect(result, "also in ", true);
}

/* A refrain is one family, however often the target says it. */
TEST(a_refrain_is_one_family) {
    char found[1024];
    trib_write_scratch("song.txt", OWN("k") BELLS OWN("l") BELLS OWN("p") MILL OWN("v") BELLS);
    trib_write_scratch("old.txt", OWN("m") BELLS OWN("s") MILL);
    json_t *result = trib_experiment_of(
        "refrain", "tributary: 1\ncorpus:\n  target: song\n  documents:\n"
                   "    - {id: song, file: song.txt}\n    - {id: old, file: old.txt}\n"
                   "influence: {bootstrap: 0, methods: [extent, traced]}\n");
    columns_of(trib_scratch("refrain"), "2,6-10", found, sizeof found);
    EXPECT_TEXT(found, "1\t3\t3\t1\told\t2\n2\t1\t1\t1\told\t2\n");
    trib_page_expect(result, "3 times here", true);
}
