/* man.c - the manual page of the tree is the one that the program writes. */
#include "tests/test.h"

#include <unistd.h>

#include "pipeline/program/command.h"

static void the_manual_page_is_current(void) {
    static const char page[] = "packaging/man/tributary.1"; /* `make docs` writes it */
    trib_writer writer;
    trib_buffer written = {0}, committed = {0};
    if (access(page, R_OK) != 0) {
        trib_skip("packaging/man/tributary.1 is not in this directory");
        return;
    }
    CHECK(trib_writer_open(&writer, trib_scratch("tributary.1"), NULL) == TRIB_OK);
    trib_help_man(&trib_commands, &writer);
    CHECK(trib_writer_commit(&writer, NULL, NULL) == TRIB_OK);
    trib_read_bytes(trib_scratch("tributary.1"), &written);
    trib_read_bytes(page, &committed);
    EXPECT(strcmp(written.text, committed.text) == 0);
    EXPECT(strstr(written.text, ".SH EXIT STATUS\n") != NULL);
    trib_buffer_release(&written);
    trib_buffer_release(&committed);
}

CU_TestInfo trib_tests_program_man[] = {
    {"the manual page of the tree is current", the_manual_page_is_current},
    CU_TEST_INFO_NULL,
};
