/* shapes.c - tests of influence/shapes.c: which diagonals have one shape. What the fit makes of
 * them is compared with the sum over all state sequences in traced.c. */
#include "tests/influence/trellis.h"

TESTS(influence, shapes);

TEST(a_phrase_has_one_shape_in_all_its_places) {
    GIVEN(trib_trellis) x = {0};
    trib_trellis_of(&x, TEXTS(2, "a b", "a b x a b", "y a b"));
    const trib_shapes *s = &x.shapes;
    CHECK(s->n == 1 && s->slot[1] == 3 && s->start[2] == 2);
    EXPECT(s->times[0].shape == 0 && s->times[0].n == 2 && s->times[1].n == 1);
    EXPECT(s->first[1] == 1 && s->first[2] == 2);
    EXPECT(s->node[0].slot == 1 && s->node[1].slot == 2 && s->node[1].shape_and_same == 1);
}

/* All begin at "b" and have five words; only the first two agree in which words are the same. */
TEST(other_altered_words_make_another_shape) {
    GIVEN(trib_trellis) x = {0};
    trib_trellis_of(&x, TEXTS(2, "a b c d e f g", "b c x e f", "b c y e f", "b c d e f"));
    const trib_shapes *s = &x.shapes;
    CHECK(s->n == 2 && s->start[3] == 3);
    EXPECT(s->times[0].shape == s->times[1].shape && s->times[2].shape != s->times[0].shape);
    EXPECT(s->first[4] - s->first[3] == 2);
    EXPECT((s->node[s->first[3]].shape_and_same & 1) == 0);
    EXPECT((s->node[s->first[3] + 1].shape_and_same & 1) == 1);
}

/* All begin at "a" and have eight words, and no segment is shorter. */
TEST(segments_of_equal_length_may_differ) {
    GIVEN(trib_trellis) x = {0};
    trib_trellis_of(&x, TEXTS(3, "a b c d e f g h", "a b c x e f g h", "a b c d x f g h"));
    const trib_shapes *s = &x.shapes;
    CHECK(s->n == 2 && s->start[2] == 2);
    EXPECT(s->times[0].shape != s->times[1].shape);
    EXPECT((s->node[s->first[3]].shape_and_same & 1) == 0);
    EXPECT((s->node[s->first[3] + 1].shape_and_same & 1) == 1);
}

/* Shapes are found in the order "c d", "a b" and numbered by their first words. */
TEST(shapes_ascend_by_their_first_words) {
    GIVEN(trib_trellis) x = {0};
    trib_trellis_of(&x, TEXTS(2, "a b q c d", "c d x a b", "a b"));
    const trib_shapes *s = &x.shapes;
    CHECK(s->n == 2);
    EXPECT(s->node[s->first[0]].shape_and_same >> 1 == 0);
    EXPECT(s->node[s->first[3]].shape_and_same >> 1 == 1);
    EXPECT(s->times[0].shape == 1 && s->times[1].shape == 0 && s->times[2].shape == 0);
}
