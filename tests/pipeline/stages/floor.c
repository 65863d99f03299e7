/* floor.c - tests of the noise floor. */
#include "tests/test.h"

#include "pipeline/stages/influence.h"

TESTS(stages, floor);

TEST(shares_below_the_configured_floor_are_noise) {
    const trib_floor floor = {.share = 0.25};
    EXPECT(trib_floor_covers(&floor, 0) && trib_floor_covers(&floor, 0.2499));
    EXPECT(!trib_floor_covers(&floor, 0.25) && !trib_floor_covers(&floor, 1));
    EXPECT(trib_floor_covers(&floor, (double)NAN) && trib_floor_covers(&floor, -1));
    EXPECT(trib_floor_covers(&(trib_floor){.share = 0}, 0));
    EXPECT(!trib_floor_covers(&(trib_floor){.share = 0}, 1e-300));
}

TEST(without_a_setting_the_floor_is_that_of_the_method) {
    for (const trib_influence_method *m = trib_influence_methods; m->name; m++) {
        EXPECT(m->floor > 0 && m->floor < 1);
        EXPECT(trib_floor_begin((double)NAN, m).share == m->floor);
        EXPECT(trib_floor_begin(0.25, m).share == 0.25 && trib_floor_begin(0, m).share == 0);
        EXPECT(!trib_floor_begin((double)NAN, m).decoy);
    }
    const trib_floor traced = trib_floor_begin((double)NAN, trib_influence_method_find("traced"));
    const trib_floor split = trib_floor_begin((double)NAN, trib_influence_method_find("split"));
    EXPECT(!trib_floor_covers(&traced, 0.01) && trib_floor_covers(&split, 0.01));
}

TEST(the_largest_decoy_raises_the_floor_to_its_share) {
    trib_floor floor = {.share = 0.25};
    trib_floor_raise(&floor, "small", 0.125);
    EXPECT(!floor.decoy && !trib_floor_covers(&floor, 0.25));
    trib_floor_raise(&floor, "equal", 0.25); /* no decoy is above the floor */
    EXPECT_TEXT(floor.decoy, "equal");
    EXPECT(trib_floor_covers(&floor, 0.25) && !trib_floor_covers(&floor, 0.26));
    trib_floor_raise(&floor, "large", 0.5);
    trib_floor_raise(&floor, "as large", 0.5);
    EXPECT_TEXT(floor.decoy, "large");
    EXPECT(trib_floor_covers(&floor, 0.5) && !trib_floor_covers(&floor, 0.51));
    floor = (trib_floor){.share = 0};
    trib_floor_raise(&floor, "nothing", 0);
    trib_floor_raise(&floor, "no number", (double)NAN);
    EXPECT(!floor.decoy);
}
