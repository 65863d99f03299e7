/* code_file.c - tests of base/code_file.c. */
#include "base/internal.h"
#include "tests/test.h"

#include <unistd.h>

static void the_folder_of_the_program_is_known(void) {
    char folder[TRIB_CODE_FOLDER], program[TRIB_CODE_FOLDER] = "";
    EXPECT(trib_code_folder(folder));
    EXPECT(access(trib_code_file(), R_OK) == 0);
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) {
        trib_skip("this system has no /proc");
        return;
    }
    *strrchr(program, '/') = '\0';
    EXPECT_TEXT(folder, program);
}

CU_TestInfo trib_tests_base_code_file[] = {
    {"the folder of the program is known", the_folder_of_the_program_is_known}, CU_TEST_INFO_NULL};
