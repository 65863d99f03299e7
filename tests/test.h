/* test.h - what a test file needs. A file begins a suite, which has a row in suites.def, and
 * defines its tests. A test's name states a fact:
 *
 *     TESTS(tensor, hacoo);
 *     TEST(growing_keeps_every_entry) { ... }
 *
 * A suite may also be a table, CU_TestInfo trib_tests_tensor_hacoo[] = {..., CU_TEST_INFO_NULL}. */
#ifndef TRIBUTARY_TEST_H
#define TRIBUTARY_TEST_H

#include <CUnit/CUnit.h>

#include "base/internal.h"

#define TESTS(folder, file)                                                                        \
    CU_TestInfo trib_tests_##folder##_##file[100];                                                 \
    static CU_TestInfo *const trib_tests_here = trib_tests_##folder##_##file;                      \
    enum { trib_first_test = __COUNTER__ + 1 }
#define TEST(name) CASES(#name, name)
/* A test of each case of a group (tests/cases.c): CASES("tests/a.txt [group]", name) { ... } */
#define CASES(group, name)                                                                         \
    static void name(void);                                                                        \
    __attribute__((constructor)) static void add_##name(void) {                                    \
        trib_tests_here[__COUNTER__ - trib_first_test] = (CU_TestInfo){group, name};               \
    }                                                                                              \
    static void name(void)

/* Asserts, and leaves the test when false. `tell` is printed as by printf beside the place. */
#define CHECK(condition) CU_ASSERT_FATAL(condition)
/* Asserts and goes on. */
#define EXPECT(condition) CU_ASSERT(condition)
#define EXPECT_NEAR(actual, wanted, tolerance)                                                     \
    trib_expect_near(actual, wanted, tolerance, #actual, __FILE__, __LINE__)
#define EXPECT_TEXT(actual, wanted) trib_expect_text(actual, wanted, #actual, __FILE__, __LINE__)
/* The status of a call whose error went into `error`: prints its message when it is not the wanted
 * one. */
#define EXPECT_STATUS(call, wanted, error)                                                         \
    trib_expect_status(call, wanted, &(error), #call, __FILE__, __LINE__)
/* A call that succeeds; its error is in `error`. */
#define EXPECT_OK(call) EXPECT_STATUS(call, TRIB_OK, error)
/* A call that fails with a message; its error is in `error`. */
#define EXPECT_REFUSED(call, wanted, says)                                                         \
    (EXPECT_STATUS(call, wanted, error), EXPECT_TEXT(error.message, says))

void trib_expect_near(double actual, double wanted, double tolerance, const char *what,
                      const char *file, int line);
void trib_expect_text(const char *actual, const char *wanted, const char *what, const char *file,
                      int line);
void trib_expect_status(trib_status actual, trib_status wanted, const trib_error *error,
                        const char *what, const char *file, int line);

/* A variable that is released at the end of its block: GIVEN(trib_hacoo) table = {0}; one that is
 * closed: OPENED(trib_reader) reader = {0}; and a text that trib_free or free frees. */
#define GIVEN(type)  TRIB_OWNED(type)
#define OPENED(type) __attribute__((cleanup(type##_close), unused)) type
typedef char *trib_owned_text;
static inline void trib_owned_text_release(trib_owned_text *text) { trib_free(*text); }
typedef char *owned_text;
static inline void owned_text_release(owned_text *text) { free(*text); }

/* Marks the running test as skipped, with the reason it is skipped for; then return from it. */
void trib_skip(const char *reason);

/* A path in tests/corpora or tests/oracles, or else under the shared corpora and oracles
 * ($TRIBUTARY_SHARED, else ../shared when it exists), or NULL after marking the test as skipped.
 * Valid until the next call. Our own are numbers that publications give; in corpora/toy each word
 * stands as the two letters of its number in alphabetical order. */
const char *trib_shared(const char *path);

/* What the running case of a file of cases has for a field (tests/cases.c). */
const char *trib_case_text(const char *field);
const char *trib_case_bytes(const char *field, size_t *n);
double trib_case_number(const char *field);

/* A fresh empty directory for this test program, removed at its end; path "" is the directory
 * itself. Valid until the next call but seven. */
const char *trib_scratch(const char *path);
/* The same, after the folders that the path names are made. */
const char *trib_scratch_below(const char *path);

/* Writes a file; writes a text below the scratch directory, and returns its path as trib_scratch
 * does; reads a whole file. */
void trib_write_bytes(const char *path, const void *bytes, size_t length);
const char *trib_write_scratch(const char *name, const char *text);
void trib_read_bytes(const char *path, trib_buffer *bytes);

/* Whether everything takes some ten times as long here, since this build has a sanitizer, or the
 * processor is emulated, as TEST_SLOW=1 says. Then a test may try fewer of what is alike. */
bool trib_is_slow(void);

/* Runs `attempt` with the first allocation failing, then with the second, ... (beyond 256 ever
 * fewer of them) until it succeeds; it must return TRIB_MEMORY whenever one failed, and leak
 * nothing (the sanitizers see). Returns the number of the last. */
size_t trib_fail_every_allocation(trib_status (*attempt)(void *context, trib_error *error),
                                  void *context);
/* Calls attempt, asking to stop at its first look at whether to (trib_stop_asked), then at its
 * second, and so on until it is not asked; each stopped attempt must return TRIB_INTERRUPTED.
 * Returns the number of looks. */
size_t trib_stop_at_every_look(trib_status (*attempt)(void *context, trib_error *error),
                               void *context);

#endif
