/* trace_file.c - tests of pipeline/output/trace_file.c: files that are damaged. What a file holds
 * is tested by the golden case `trace`. */
#include "pipeline/output/trace_file.h"

#include "tests/test.h"

#include <sys/stat.h>

TESTS(output, trace_file);

enum { HEADER = 32, RUN = 36 };

/* A file with one run of one source. */
static size_t make_file(char *bytes) {
    memset(bytes, 0, HEADER + RUN);
    memcpy(bytes, "TRIBRUNS", 8);
    bytes[8] = 1;
    bytes[12] = RUN;
    bytes[16] = 1; /* runs */
    bytes[24] = 1; /* sources */
    for (int i = 0; i < 9; i++) bytes[HEADER + 4 * i] = (char)(i == 3 ? 0 : 10 + i);
    bytes[HEADER + 5] = 1; /* 256 words more */
    memcpy(bytes + HEADER + RUN, "mark\n", 5);
    return HEADER + RUN + 5;
}

static trib_status read_file(trib_trace *trace, const char *bytes, size_t n) {
    char path[600];
    snprintf(path, sizeof path, "%s", trib_scratch("trace"));
    (void)mkdir(path, 0777);
    FILE *file = fopen(trib_scratch("trace/t.runs"), "w");
    CHECK(file != NULL);
    fwrite(bytes, 1, n, file);
    fclose(file);
    return trib_trace_read(trace, trib_scratch(""), "t", NULL);
}

TEST(numbers_are_little_endian) {
    char bytes[100];
    trib_trace trace;
    const size_t n = make_file(bytes);
    EXPECT(read_file(&trace, bytes, n) == TRIB_OK);
    CHECK(trace.n == 1 && trace.n_sources == 1);
    EXPECT_TEXT(trace.source[0], "mark");
    EXPECT(trace.run[0].first == 10 && trace.run[0].n_words == 256 + 11);
    EXPECT(trace.run[0].probability == 14 && trace.run[0].source_to == 18);
    trib_trace_release(&trace);
}

TEST(damaged_files_are_rejected) {
    static const struct {
        size_t at;
        char byte;
    } damage[] = {{0, 'X'},          {8, 2},           {12, 35},
                  {16, 2},           {23, 1},          {24, 2},
                  {HEADER + 12, 1},  {HEADER + 19, 1}, {HEADER + RUN + 4, 'x'},
                  {HEADER + RUN, 10}};
    char bytes[100];
    trib_trace trace;
    const size_t n = make_file(bytes);
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        make_file(bytes);
        bytes[damage[i].at] = damage[i].byte;
        EXPECT(read_file(&trace, bytes, n) == TRIB_INPUT && trace.n == 0);
    }
    make_file(bytes);
    for (size_t length = 0; length < n; length++)
        EXPECT(read_file(&trace, bytes, length) == TRIB_INPUT && !trace.run);
    EXPECT(trib_trace_read(&trace, trib_scratch(""), "nobody", NULL) == TRIB_USAGE);
}
