/* tensor_file.c - tests of the commands on tensors, with every allocation failing in turn. */
#include "tests/pipeline/program/program.h"

static void do_it(const char *words) {
    trib_error error = {0};
    EXPECT_STATUS(trib_program_do((void *)(uintptr_t)words, &error), TRIB_OK, error);
}

static void every_failing_allocation_of_a_tensor_command_is_reported(void) {
    static const char *const commands[] = {
        "tensor build %s/t.txt --words %s/t.words -o %s/again.fragment",
        "tensor convert %s/t.tns %s/t.fragment -o %s/sum.tns --json",
        "tensor check %s/t.fragment",
        "tensor check %s/t.tns --json",
        "tensor stats %s/t.tns --json",
        "tensor get %s/t.fragment 1,2,1 --json",
        "tensor slice %s/t.tns 1,1,2 new : --json",
        "tensor slice %s/t.fragment 2:3 : 1",
        "tensor ttv %s/t.tns 1=ones 2=%s/t.numbers",
        "tensor ttv %s/t.tns 1=ones -o %s/t.npy",
        "tensor norm %s/t.tns",
        "tensor compare %s/t.tns %s/t.fragment --json",
        "ingest %s/t.txt --json --set corpus.on_invalid=replace",
        "tokens %s/t.txt",
        "tokens %s/t.txt --json",
    };
    char at[200], words[1024];
    snprintf(at, sizeof at, "%s", trib_scratch(""));
    trib_writer writer;
    EXPECT(trib_writer_open(&writer, trib_scratch("t.txt"), NULL) == TRIB_OK);
    trib_write_text(&writer, "one two three one two one two three two one\n");
    EXPECT(trib_writer_commit(&writer, NULL, NULL) == TRIB_OK);
    EXPECT(trib_writer_open(&writer, trib_scratch("t.numbers"), NULL) == TRIB_OK);
    trib_write_text(&writer, "1 -2 .5\n");
    EXPECT(trib_writer_commit(&writer, NULL, NULL) == TRIB_OK);
    snprintf(words, sizeof words, "tensor build %s/t.txt -o %s/t.tns", at, at);
    do_it(words);
    snprintf(words, sizeof words, "tensor build %s/t.txt -o %s/t.fragment", at, at);
    do_it(words);
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
        size_t n = 0;
        for (const char *from = commands[c]; *from; from++)
            if (from[0] == '%')
                n += (size_t)snprintf(words + n, sizeof words - n, "%s", at), from++;
            else words[n++] = *from;
        words[n] = '\0';
        EXPECT(trib_fail_every_allocation(trib_program_do, words) > 20);
    }
}

static void a_compressed_text_is_read_like_any_other(void) {
    char at[200], words[512];
    trib_writer writer;
    snprintf(at, sizeof at, "%s", trib_scratch(""));
    EXPECT(trib_writer_open(&writer, trib_scratch("p.tns"), NULL) == TRIB_OK);
    const bool packs = trib_writer_pack(&writer, NULL) == TRIB_OK;
    trib_writer_abandon(&writer);
    if (!packs) {
        trib_skip("a build without zlib");
        return;
    }
    EXPECT(trib_writer_open(&writer, trib_scratch("p.tns"), NULL) == TRIB_OK);
    for (int i = 1; i < 20000; i++) trib_print(&writer, "%d %d %d\n", i, i / 7 + 1, i % 5 + 1);
    EXPECT(trib_writer_commit(&writer, NULL, NULL) == TRIB_OK);
    snprintf(words, sizeof words, "tensor convert %s/p.tns -o %s/p.tns.gz", at, at);
    do_it(words);
    snprintf(words, sizeof words, "tensor compare %s/p.tns %s/p.tns.gz", at, at);
    do_it(words);
    snprintf(words, sizeof words, "gzip -t %s/p.tns.gz", at);
    EXPECT(system(words) == 0);
}

static void a_compressed_fragment_has_the_same_values(void) {
#ifndef TRIB_WITH_ZSTD
    trib_skip("a build without zstd");
#else
    char at[200], words[512];
    snprintf(at, sizeof at, "%s", trib_scratch(""));
    trib_writer writer;
    EXPECT(trib_writer_open(&writer, trib_scratch("z.tns"), NULL) == TRIB_OK);
    for (int i = 1; i < 20000; i++) trib_print(&writer, "%d %d %d\n", i, i / 7 + 1, i % 5 + 1);
    EXPECT(trib_writer_commit(&writer, NULL, NULL) == TRIB_OK);
    snprintf(words, sizeof words, "tensor convert %s/z.tns -o %s/z.fragment.zst", at, at);
    do_it(words);
    snprintf(words, sizeof words, "tensor compare %s/z.tns %s/z.fragment.zst", at, at);
    do_it(words);
#endif
}

static void a_raw_fragment_has_the_same_values(void) {
    char at[200], words[512];
    trib_reader reader;
    trib_writer writer;
    uint64_t n_bytes = 0;
    snprintf(at, sizeof at, "%s", trib_scratch(""));
    EXPECT(trib_writer_open(&writer, trib_scratch("r.tns"), NULL) == TRIB_OK);
    for (int i = 1; i <= 4096; i++) trib_print(&writer, "%d %d %d\n", i, i / 7 + 1, i % 5 + 1);
    EXPECT(trib_writer_commit(&writer, NULL, NULL) == TRIB_OK);
    snprintf(words, sizeof words, "tensor convert %s/r.tns -o %s/r.fragment.raw", at, at);
    do_it(words);
    snprintf(words, sizeof words, "tensor compare %s/r.tns %s/r.fragment.raw", at, at);
    do_it(words);
    EXPECT(trib_reader_open(&reader, trib_scratch("r.fragment.raw"), NULL) == TRIB_OK);
    EXPECT(trib_reader_size(&reader, &n_bytes, NULL) == TRIB_OK);
    /* the header, one page in the directory and, in the page, the number of nonzeros and the
     * address and count of each */
    EXPECT(n_bytes == 104 + 16 + 12 * 2 + 8 * (1 + 2 * 4096));
    trib_reader_close(&reader);
}

CU_TestInfo trib_tests_program_tensor_file[] = {
    {"a compressed fragment has the same values", a_compressed_fragment_has_the_same_values},
    {"a raw fragment has the same values", a_raw_fragment_has_the_same_values},
    {"a compressed text is read like any other", a_compressed_text_is_read_like_any_other},
    {"every failing allocation of a tensor command is reported",
     every_failing_allocation_of_a_tensor_command_is_reported},
    CU_TEST_INFO_NULL,
};
