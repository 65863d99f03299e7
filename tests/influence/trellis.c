/* trellis.c - tests of influence/trellis.c: which pairs of words are states. Their probabilities
 * are tested in traced.c. */
#include "tests/influence/trellis.h"

TESTS(influence, trellis);

/* "b c" and "e f" are on one diagonal, two altered words apart. */
TEST(shared_ngrams_and_the_words_between_them_are_states) {
    GIVEN(trib_trellis) x = {0};
    trib_trellis_of(&x, TEXTS(2, "a b c d e f g", "b c x e f"));
    static const size_t n_nodes[] = {0, 1, 1, 1, 1, 1, 0};
    CHECK(x.target.n == 7);
    for (size_t i = 0; i < 7; i++) EXPECT(x.first[i + 1] - x.first[i] == n_nodes[i]);
    for (size_t i = 1; i < 6; i++) {
        const trib_trellis_node *node = &x.node[x.first[i]];
        EXPECT(trib_trellis_source(*node) == 0 && trib_trellis_same(*node) == (i != 3));
        EXPECT(node->previous ==
               (i == 1 ? (uint32_t)x.first[x.target.n] : (uint32_t)x.first[i - 1]));
    }
}

TEST(shared_ngrams_far_apart_are_not_joined) {
    GIVEN(trib_trellis) x = {0};
    trib_trellis_of(&x, TEXTS(2, "a b 1 c d e f g h i j k l m", "a b n o p q r s t u v w l m"));
    EXPECT(x.first[x.target.n] == 4);
}

TEST(every_source_and_every_occurrence_has_its_states) {
    GIVEN(trib_trellis) x = {0};
    trib_trellis_of(&x, TEXTS(2, "a b", "a b x a b", "y a b"));
    CHECK(x.target.n == 2 && x.first[1] == 3 && x.first[2] == 6);
    EXPECT(trib_trellis_source(x.node[0]) == 0 && trib_trellis_source(x.node[1]) == 0 &&
           trib_trellis_source(x.node[2]) == 1);
}
