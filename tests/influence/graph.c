/* graph.c - tests of influence/graph.c: graphs worked out by hand. */
#include "influence/graph.h"
#include "influence/evidence.h"
#include "tests/influence/texts.h"

TESTS(influence, graph);

/* Builds a graph whose order must be the digits of `wanted`. It is there until the next call. */
static const trib_graph *build(uint32_t n, const trib_edge *edge, size_t n_edges,
                               const double *year, const double *year_end, const char *wanted) {
    static trib_graph only, *graph = &only;
    char order[16] = "";
    trib_error error = {0};
    trib_graph_release(graph);
    EXPECT_OK(trib_graph_build(graph, n, edge, n_edges, year, year_end, &error));
    for (uint32_t i = 0; i < graph->n_nodes && i < 10; i++) {
        order[i] = (char)('0' + graph->order[i]);
    }
    EXPECT_TEXT(order, wanted);
    return graph;
}

TEST(without_dates_no_edge_has_a_direction) {
    static const trib_edge edge[] = {
        {3, 1, .2, 0}, {1, 0, .9, 0}, {3, 0, .1, 0}, {0, 2, .3, 0}, {2, 0, .1, 0}};
    trib_reach reach[4];
    const trib_graph *graph = build(4, edge, 5, NULL, NULL, "0123");
    for (size_t e = 0; e < 5; e++) EXPECT(graph->edge[e].direction == TRIB_UNKNOWN);
    EXPECT(graph->start[0] == 0 && graph->start[1] == 3 && graph->start[4] == 5);
    EXPECT(graph->edge[0].from == 1 && graph->edge[1].from == 2); /* into 0 */
    trib_graph_reach(graph, 0, reach);
    for (uint32_t u = 0; u < 4; u++) EXPECT(reach[u].direct == 0 && reach[u].through == 0);
    build(0, edge, 0, NULL, NULL, "");
}

/* 0 and 1 are of one year, 2 is older, 3 has no date, and 4 overlaps all but 5, which ends where it
 * begins. */
TEST(dates_alone_say_which_text_is_earlier) {
    static const double year[] = {1400, 1400, 1300, (double)NAN, 1250, 1250},
                        end[] = {1401, 1401, 1301, (double)NAN, 1500, 1250};
    static const trib_edge edge[] = {{0, 1, .5, 0}, {1, 2, .5, 0}, {2, 1, .5, 0},
                                     {3, 2, .5, 0}, {4, 2, .5, 0}, {5, 4, .5, 0}};
    const trib_graph *graph = build(6, edge, 6, year, end, "520143");
    for (size_t e = 0; e < 6; e++) {
        const trib_edge *one = &graph->edge[e];
        const bool is_forward = (one->from == 2 && one->to == 1) || one->from == 5;
        EXPECT(one->direction == (is_forward                       ? TRIB_FORWARD
                                  : one->from == 1 && one->to == 2 ? TRIB_BACKWARD
                                                                   : TRIB_UNKNOWN));
    }
}

/* The dates of four nodes, of which the last is the oldest. */
static const double begins[] = {1100, 1200, 1300, 1000}, ends[] = {1101, 1201, 1301, 1001};

/* 0 -> 1 -> 2 by .5 and .4, 0 -> 2 by .1, and 3 -> 0 by .2. */
TEST(paths_multiply_and_add) {
    static const trib_edge edge[] = {
        {0, 1, .5, 0}, {1, 2, .4, 0}, {0, 2, .1, 0}, {3, 0, .2, 0}, {2, 3, .01, 0}};
    trib_reach reach[4];
    const trib_graph *graph = build(4, edge, 5, begins, ends, "3012");
    trib_graph_reach(graph, 2, reach);
    EXPECT_NEAR(reach[1].direct, .4, 1e-15);
    EXPECT(reach[1].through == 0 && reach[1].via == UINT32_MAX && reach[1].next == 2);
    EXPECT_NEAR(reach[0].direct, .1, 1e-15);
    EXPECT_NEAR(reach[0].through, .2, 1e-15);
    EXPECT(reach[0].via == 1 && reach[0].next == 1);
    EXPECT(reach[3].direct == 0);
    EXPECT_NEAR(reach[3].through, .2 * .3, 1e-15); /* through both paths from 0 */
    EXPECT_NEAR(reach[3].best, .2 * .5 * .4, 1e-15);
    EXPECT(reach[3].via == 0);
    EXPECT(reach[2].direct == 0 && reach[2].through == 0); /* the edge 2 -> 3 runs backward */
    trib_graph_reach(graph, 3, reach);
    EXPECT(reach[2].direct == 0 && reach[0].through == 0);
}

TEST(a_direct_edge_can_be_the_best_path) {
    static const trib_edge edge[] = {{0, 1, .5, 0}, {1, 2, .2, 0}, {0, 2, .6, 0}, {3, 0, .5, 0}};
    trib_reach reach[4];
    const trib_graph *graph = build(4, edge, 4, begins, ends, "3012");
    trib_graph_reach(graph, 2, reach);
    EXPECT(reach[0].next == 2 && reach[0].via == 1 && reach[3].via == 0);
    EXPECT_NEAR(reach[0].best, .1, 1e-15);
    EXPECT_NEAR(reach[3].best, .3, 1e-15);
    EXPECT_NEAR(reach[3].through, .5 * .7, 1e-15);
}

/* The target C = "p q x y". A = "p q x y z" gives it "p q", "q x" and "x y"; B = "p q x" holds two
 * of them. */
TEST(influence_through_an_intermediate_text_is_counted) {
    trib_evidence evidence[3] = {{0}};
    uint8_t held[3] = {0};
    trib_error error = {0};
    trib_texts *texts = TEXTS(2, "p q x y", "p q x y z", "p q x", "y x");
    const trib_influence_case c = trib_texts_case(texts, 0);
    trib_influence *result = trib_measured(&c, "anchored", &(trib_influence_options){0});
    EXPECT_OK(trib_evidence_build(evidence, &c, result, 2, &error));
    CHECK(evidence[0].n_phrases == 3);
    EXPECT_OK(trib_evidence_held(&evidence[0], &texts->document[3], c.n_words, held, &error));
    EXPECT(trib_evidence_held_share(&evidence[0], held) == 0); /* "y x" is not "x y" */
    EXPECT_OK(trib_evidence_held(&evidence[0], &texts->document[2], c.n_words, held, &error));
    EXPECT(held[0] + held[1] + held[2] == 2);
    double part = 0;
    for (int p = 0; p < 3; p++)
        if (held[p]) part += evidence[0].phrase[p].mass;
    EXPECT_NEAR(trib_evidence_held_share(&evidence[0], held), part / evidence[0].share, 1e-12);
    EXPECT(trib_evidence_held_share(&(trib_evidence){0}, NULL) == 0);
    for (int s = 0; s < 3; s++) trib_evidence_release(&evidence[s]);
}

TEST(impossible_edges_are_rejected) {
    static const trib_edge wrong[][2] = {{{0, 3, .1, 0}, {0, 1, .1, 0}},
                                         {{3, 0, .1, 0}, {0, 1, .1, 0}},
                                         {{1, 1, .1, 0}, {0, 1, .1, 0}},
                                         {{0, 1, .1, 0}, {0, 1, .2, 0}}};
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        trib_graph graph;
        EXPECT(trib_graph_build(&graph, 3, wrong[w], 2, NULL, NULL, NULL) == TRIB_INTERNAL);
        EXPECT(graph.edge == NULL && graph.order == NULL);
    }
}

static trib_status build_again(void *context, trib_error *error) {
    static const trib_edge edge[] = {{0, 1, .2, 0}, {1, 2, .9, 0}, {2, 0, .5, 0}};
    GIVEN(trib_graph) graph = {0};
    (void)context;
    const trib_status status = trib_graph_build(&graph, 3, edge, 3, NULL, NULL, error);
    return status;
}

TEST(every_failing_allocation_is_reported) {
    EXPECT(trib_fail_every_allocation(build_again, NULL) > 4);
}
