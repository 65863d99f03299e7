/* stop.c - tests of base/stop.c. */
#include "tests/test.h"

static void a_stop_request_stays_until_it_is_cleared(void) {
    trib_error error = {0};
    EXPECT(!trib_stop_asked());
    EXPECT_OK(trib_stop_check(&error));
    EXPECT(trib_progress_tick(NULL, 1, 2));
    trib_stop_ask();
    EXPECT(trib_stop_asked() && trib_stop_asked());
    EXPECT_STATUS(trib_stop_check(&error), TRIB_INTERRUPTED, error);
    EXPECT(!trib_progress_tick(NULL, 1, 2)); /* also without a callback */
    trib_stop_forget();
    EXPECT(!trib_stop_asked());
}

static void checks_are_counted_and_the_nth_requests_a_stop(void) {
    trib_stop_at(UINT64_MAX);
    for (int i = 0; i < 5; i++) EXPECT(!trib_stop_asked());
    EXPECT(trib_stop_n_checks() == 5);
    trib_stop_at(3);
    EXPECT(!trib_stop_asked() && !trib_stop_asked() && trib_stop_asked() && trib_stop_asked());
    trib_stop_forget();
    EXPECT(!trib_stop_asked());
}

CU_TestInfo trib_tests_base_stop[] = {
    {"a stop request stays until it is cleared", a_stop_request_stays_until_it_is_cleared},
    {"checks are counted, and the nth requests a stop",
     checks_are_counted_and_the_nth_requests_a_stop},
    CU_TEST_INFO_NULL};
