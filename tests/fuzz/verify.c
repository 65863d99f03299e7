/* verify.c - any bytes as the checksums of a run directory with a file, a link and a pipe: messages
 * about them cannot control the terminal, and reading never blocks. */
#include <sys/stat.h>
#include <unistd.h>

#include "pipeline/program/command.h"
#include "tests/fuzz/fuzz.h"

static void check_said(trib_writer *out) {
    trib_reader reader = trib_writer_reader(out);
    TRIB_OWNED(trib_buffer) said = {0};
    if (trib_writer_flush(out, NULL) != TRIB_OK || lseek(reader.file, 0, SEEK_SET) != 0) return;
    if (trib_reader_all(&reader, &said, NULL) == TRIB_OK)
        for (size_t i = 0; i < said.length; i++)
            FUZZ_CHECK((unsigned char)said.text[i] >= ' ' || said.text[i] == '\n');
}

static void put(const char *path, const uint8_t *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    if (file && size > 0) FUZZ_CHECK(fwrite(bytes, 1, size, file) == size);
    if (file) fclose(file);
}

FUZZ_TARGET(verify) {
    static const char *const left[] = {"SHA256SUMS", "a", "link", "pipe"};
    char run[] = "/tmp/tributary-fuzz-XXXXXX", path[4][64];
    trib_writer out;
    if (!mkdtemp(run)) return;
    for (size_t i = 0; i < 4; i++) snprintf(path[i], sizeof path[i], "%s/%s", run, left[i]);
    put(path[0], bytes, size);
    put(path[1], (const uint8_t *)"a\n", 2);
    if (symlink("/dev/zero", path[2]) == 0 && mkfifo(path[3], 0600) == 0 &&
        trib_writer_scratch(&out, "/tmp", false, NULL) == TRIB_OK) {
        const char *operand[] = {run};
        trib_command_line line = {.operand = operand, .n_operands = 1};
        line.out = &out;
        const trib_status status = trib_command_verify(&line, NULL);
        FUZZ_CHECK(status == TRIB_INPUT || status == TRIB_DIFFERS || status == TRIB_MEMORY);
        check_said(&out);
        trib_writer_abandon(&out);
    }
    for (size_t i = 0; i < 4; i++) (void)unlink(path[i]);
    (void)rmdir(run);
}
