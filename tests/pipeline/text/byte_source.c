/* byte_source.c - tests of opening addresses: files, texts inside files, and standard input. */
#include "pipeline/text/input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/pipeline/support/pack.h"

TESTS(text, byte_source);

TEST(a_path_is_split_after_the_file) {
    char path[4200];
    trib_write_bytes(trib_scratch("a.zip"), "x", 1);
    const char *file = trib_scratch("a.zip");
    snprintf(path, sizeof path, "%s/one/two.txt", file);
    EXPECT(trib_address_split(path) == strlen(file));
    EXPECT(trib_address_split(file) == 0);
    EXPECT(trib_address_split(trib_scratch("none/one.txt")) == 0);
    EXPECT(trib_address_split("") == 0 && trib_address_split("/") == 0);
    EXPECT(trib_address_is_there(path) && trib_address_is_there(file) &&
           trib_address_is_there("-"));
    EXPECT(!trib_address_is_there(trib_scratch("none/one.txt")));
    expect_no_input(trib_scratch("none/one.txt"), "cannot be opened");
}

TEST(lines_of_json_have_addresses) {
    static const char lines[] =
        "{\"id\": \"a\", \"text\": \"the grey heron\"}\n\n"
        "{\"text\": \"gr\\u00fcn\"}\r\n{\"title\": 1}\n[1]\n{\"text\": \"x\"";
    trib_write_bytes(trib_scratch("l.jsonl"), lines, sizeof lines - 1);
    expect_input(trib_scratch("l.jsonl/1"), "the grey heron");
    expect_input(trib_scratch("l.jsonl/3"), "gr\xC3\xBCn");
    expect_no_input(trib_scratch("l.jsonl/2"), "l.jsonl:2: has no \"text\"");
    expect_no_input(trib_scratch("l.jsonl/4"), "l.jsonl:4: has no \"text\"");
    expect_no_input(trib_scratch("l.jsonl/5"), "l.jsonl:5: is not an object");
    expect_no_input(trib_scratch("l.jsonl/6"), "l.jsonl:6:");
    expect_no_input(trib_scratch("l.jsonl/7"), "l.jsonl: has no line 7");
    expect_no_input(trib_scratch("l.jsonl/0"), "'0' is not a line number");
    expect_no_input(trib_scratch("l.jsonl/x"), "'x' is not a line number");
    OPENED(trib_byte_source) stored = {0};
    trib_error error = {0};
    EXPECT_OK(trib_byte_source_open(&stored, trib_scratch("l.jsonl/1"), NULL, &error));
    EXPECT(stored.kind != NULL);
}

/* Runs `work` with a file or the end of a pipe as standard input, and restores standard input. */
static void with_input(int file, void (*work)(void)) {
    const int kept = dup(STDIN_FILENO);
    CHECK(kept >= 0 && dup2(file, STDIN_FILENO) == STDIN_FILENO);
    close(file);
    work();
    CHECK(dup2(kept, STDIN_FILENO) == STDIN_FILENO);
    close(kept);
}

static void read_twice(void) {
    expect_input("-", "the grey heron\n");
    expect_input("-", "the grey heron\n");
    EXPECT(trib_address_is_there("-"));
}

TEST(standard_input_can_be_read_again) {
    int ends[2];
    CHECK(pipe(ends) == 0);
    CHECK(write(ends[1], "the grey heron\n", 15) == 15);
    close(ends[1]);
    with_input(ends[0], read_twice);
    trib_write_bytes(trib_scratch("in.txt"), "the grey heron\n", 15);
    with_input(open(trib_scratch("in.txt"), O_RDONLY), read_twice);
}

static void read_nowhere(void) {
    setenv("TMPDIR", "tests/nowhere", 1);
    trib_byte_source stored;
    trib_error error = {0};
    EXPECT_STATUS(trib_byte_source_open(&stored, "-", NULL, &error), TRIB_OUTPUT, error);
    EXPECT(strstr(error.message, "set TMPDIR") != NULL);
    unsetenv("TMPDIR");
}

static void read_closed(void) {
    close(STDIN_FILENO);
    expect_no_input("-", "standard input: cannot be read");
}

TEST(a_failed_copy_of_standard_input_is_reported) {
    int ends[2];
    CHECK(pipe(ends) == 0);
    close(ends[1]);
    with_input(ends[0], read_nowhere);
    with_input(open("/dev/null", O_RDONLY), read_closed);
}

TEST(pipes_and_devices_are_rejected) {
    char path[4096];
    trib_error error = {0};
    snprintf(path, sizeof path, "%s", trib_scratch("pipe.jsonl"));
    CHECK(mkfifo(path, 0600) == 0);
    EXPECT_STATUS(trib_address_check(path, &error), TRIB_INPUT, error);
    EXPECT(strstr(error.message, path) == error.message && strstr(error.message, "is a pipe"));
    strcat(path, "/1");
    EXPECT_STATUS(trib_address_check(path, &error), TRIB_INPUT, error);
    EXPECT_STATUS(trib_address_check("/dev/zero", &error), TRIB_INPUT, error);
    EXPECT_OK(trib_address_check("-", &error));
    EXPECT_OK(trib_address_check(trib_scratch("nothing here"), &error));
    EXPECT_OK(trib_address_check(trib_scratch(""), &error));
}
