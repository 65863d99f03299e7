/* tensor_file.c - tests of the commands on tensors, with every allocation failing in turn. */
#include "tests/pipeline/program/program.h"

TESTS(program, tensor_file);

/* Writes the words of a command; each % is the scratch directory. */
static void expand(char words[1024], const char *format) {
    size_t n = 0;
    for (; *format; format++)
        n += (size_t)snprintf(words + n, 1024 - n, *format == '%' ? "%s" : "%.1s",
                              *format == '%' ? trib_scratch("") : format);
}

static void do_it(const char *format) {
    char words[1024];
    trib_error error = {0};
    expand(words, format);
    EXPECT_STATUS(trib_program_do(words, &error), TRIB_OK, error);
}

TEST(every_failing_allocation_of_a_command_is_reported) {
    static const char *const commands[] = {
        "tensor build %/t.txt --words %/t.words -o %/again.fragment",
        "tensor convert %/t.tns %/t.fragment -o %/sum.tns --json",
        "tensor check %/t.fragment",
        "tensor check %/t.tns --json",
        "tensor stats %/t.tns --json",
        "tensor get %/t.fragment 1,2,1 --json",
        "tensor slice %/t.tns 1,1,2 new : --json",
        "tensor slice %/t.fragment 2:3 : 1",
        "tensor ttv %/t.tns 1=ones 2=%/t.numbers",
        "tensor ttv %/t.tns 1=ones -o %/t.npy",
        "tensor norm %/t.tns",
        "tensor compare %/t.tns %/t.fragment --json",
        "ingest %/t.txt --json --set corpus.on_invalid=replace",
        "ingest %/t.txt --account --json",
        "tokens %/t.txt",
        "tokens %/t.txt --json",
    };
    char words[1024];
    trib_write_scratch("t.txt", "one two three one two one two three two one\n");
    trib_write_scratch("t.numbers", "1 -2 .5\n");
    do_it("tensor build %/t.txt -o %/t.tns");
    do_it("tensor build %/t.txt -o %/t.fragment");
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
        expand(words, commands[c]);
        EXPECT(trib_fail_every_allocation(trib_program_do, words) > 20);
    }
}

TEST(every_form_of_a_file_has_the_same_values) {
    enum { N = 20000 };
    OPENED(trib_reader) reader = {0};
    trib_writer writer;
    uint64_t n_bytes = 0;
    CHECK(trib_writer_open(&writer, trib_scratch("p.tns"), NULL) == TRIB_OK);
    for (int i = 1; i <= N; i++) trib_print(&writer, "%d %d %d\n", i, i / 7 + 1, i % 5 + 1);
    CHECK(trib_writer_commit(&writer, NULL, NULL) == TRIB_OK);
    char words[1024];
    do_it("tensor convert %/p.tns -o %/p.tns.gz");
    do_it("tensor compare %/p.tns %/p.tns.gz");
    expand(words, "gzip -t %/p.tns.gz");
    EXPECT(system(words) == 0);
    do_it("tensor convert %/p.tns -o %/p.fragment.zst");
    do_it("tensor compare %/p.tns %/p.fragment.zst");
    do_it("tensor convert %/p.tns -o %/p.fragment.raw");
    do_it("tensor compare %/p.tns %/p.fragment.raw");
    EXPECT(trib_reader_open(&reader, trib_scratch("p.fragment.raw"), NULL) == TRIB_OK);
    EXPECT(trib_reader_size(&reader, &n_bytes, NULL) == TRIB_OK);
    /* the header, then for each page its row in the directory and, in the page, the number of
     * nonzeros; the address and count of each */
    const size_t n_pages = (N + 4095) / 4096;
    EXPECT(n_bytes == 104 + (16 + 12 * 2 + 8) * n_pages + 8 * 2 * (size_t)N);
}
