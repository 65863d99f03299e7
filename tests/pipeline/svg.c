/* svg.c - tests of the charts' arithmetic. What they draw is tested with the whole page. */
#include "tests/test.h"

#include "pipeline/svg.h"

static void an_axis_holds_its_largest_value(void) {
    EXPECT_NEAR(trib_svg_axis(0), 0.05, 0);
    EXPECT_NEAR(trib_svg_axis(NAN), 0.05, 0);
    EXPECT_NEAR(trib_svg_axis(0.05), 0.05, 0);
    EXPECT_NEAR(trib_svg_axis(0.051), 0.1, 1e-12);
    EXPECT_NEAR(trib_svg_axis(0.3), 0.3, 1e-12);
    EXPECT_NEAR(trib_svg_axis(0.97), 1, 0);
    EXPECT_NEAR(trib_svg_axis(3), 1, 0);
}

static void shades_change_at_their_limits(void) {
    static const double limits[] = {0.01, 0.025, 0.05, 0.1, 0.2, 0.4};
    EXPECT(trib_svg_shade(0) == 0 && trib_svg_shade(1) == 6);
    for (unsigned i = 0; i < 6; i++) {
        EXPECT(trib_svg_shade(limits[i]) == i + 1);
        EXPECT(trib_svg_shade(limits[i] * 0.999) == i);
    }
}

CU_TestInfo trib_tests_svg[] = {
    {"an axis holds its largest value", an_axis_holds_its_largest_value},
    {"shades change at their limits", shades_change_at_their_limits},
    CU_TEST_INFO_NULL,
};
