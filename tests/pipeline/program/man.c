/* man.c - the manual page of the tree is the one that the program writes. */
#include <unistd.h>

#include "tests/pipeline/program/program.h"

TESTS(program, man);

TEST(the_manual_page_is_current) {
    static const char page[] = "packaging/man/tributary.1"; /* `make docs` writes it */
    trib_error error = {0};
    char words[] = "help --man";
    trib_buffer written = {0}, committed = {0};
    if (access(page, R_OK) != 0) {
        trib_skip("packaging/man/tributary.1 is not in this directory");
        return;
    }
    EXPECT_STATUS(trib_program_do(words, &error), TRIB_OK, error);
    trib_read_bytes(trib_scratch("stdout"), &written);
    trib_read_bytes(page, &committed);
    EXPECT(strcmp(written.text, committed.text) == 0);
    EXPECT(strstr(written.text, ".SH EXIT STATUS\n") != NULL);
    trib_buffer_release(&written);
    trib_buffer_release(&committed);
}
