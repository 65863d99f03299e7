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
    EXPECT_STATUS(trib_graph_build(graph, n, edge, n_edges, year, year_end, &error), TRIB_OK,
                  error);
    for (uint32_t i = 0; i < graph->n_nodes && i < 10; i++) {
        order[i] = (char)('0' + graph->order[i]);
        EXPECT(graph->position[graph->order[i]] == i);
    }
    EXPECT_TEXT(order, wanted);
    return graph;
}

TEST(without_cycles_every_edge_runs_forward) {
    static const trib_edge edge[] = {{3, 1, .2}, {1, 0, .9}, {3, 0, .1}, {0, 2, .3}};
    const trib_graph *graph = build(4, edge, 4, NULL, NULL, "3102");
    for (size_t e = 0; e < 4; e++) EXPECT(!trib_graph_is_backward(graph, &graph->edge[e]));
    EXPECT(graph->start[0] == 0 && graph->start[1] == 2 && graph->start[4] == 4);
    EXPECT(graph->edge[0].from == 1 && graph->edge[1].from == 3); /* into 0 */
}

/* 0 -> 1 -> 2 -> 0: node 1 sends .9 and receives .2, the largest surplus, so it comes first; then 0
 * receives from 2 alone. */
TEST(of_a_cycle_the_weakest_edge_runs_backward) {
    static const trib_edge edge[] = {{0, 1, .2}, {1, 2, .9}, {2, 0, .5}};
    const trib_graph *graph = build(3, edge, 3, NULL, NULL, "120");
    for (size_t e = 0; e < 3; e++)
        EXPECT(trib_graph_is_backward(graph, &graph->edge[e]) == (graph->edge[e].share == .2));
}

TEST(ties_go_by_number) {
    static const trib_edge edge[] = {{0, 1, .1}, {1, 0, .1}, {2, 3, .1}, {3, 2, .1}};
    build(5, edge, 4, NULL, NULL, "02314"); /* 4 is isolated: last; 1 is a sink after 0 */
    build(0, edge, 0, NULL, NULL, "");
    build(1, edge, 0, NULL, NULL, "0");
}

/* The shares imply 2, 1, 0; the dates of 0 and 1 imply the reverse, and that of 2 is unknown. */
TEST(dates_come_first_and_shares_fill_the_gaps) {
    static const trib_edge edge[] = {{2, 1, .5}, {1, 0, .5}};
    static const double year[] = {1300, 1400, (double)NAN}, year_end[] = {1301, 1401, (double)NAN};
    static const double wide[] = {1300, 1400, 1350}, wide_end[] = {1401, 1401, 1351};
    const trib_graph *graph = build(3, edge, 2, year, year_end, "201");
    EXPECT(trib_graph_is_backward(graph, &graph->edge[0]));
    /* 0 is from 1300 to 1400 and overlaps both; only 2 before 1 is certain */
    graph = build(3, edge, 2, wide, wide_end, "210");
}

/* Tries every permutation and returns the smallest backward weight. */
static double least_backward(uint32_t n, const trib_edge *edge, size_t n_edges) {
    uint32_t order[6] = {0, 1, 2, 3, 4, 5}, at[6];
    double best = (double)INFINITY;
    for (size_t code = 0; code < 720; code++) {
        size_t left = code;
        bool used[6] = {false};
        for (uint32_t i = 0; i < n; i++) {
            size_t k = left % (n - i);
            left /= n - i;
            uint32_t u = 0;
            for (;; u++)
                if (!used[u] && k-- == 0) break;
            used[u] = true;
            order[i] = u;
        }
        for (uint32_t i = 0; i < n; i++) at[order[i]] = i;
        double backward = 0;
        for (size_t e = 0; e < n_edges; e++)
            if (at[edge[e].from] > at[edge[e].to]) backward += edge[e].share;
        if (backward < best) best = backward;
    }
    return best;
}

TEST(random_graphs_lose_little_beyond_the_best_order) {
    trib_random random;
    double lost = 0, least = 0, all = 0;
    trib_random_seed(&random, 11);
    for (int i = 0; i < 40; i++) {
        trib_edge edge[30];
        size_t n = 0;
        for (uint32_t u = 0; u < 6; u++)
            for (uint32_t v = 0; v < 6; v++)
                if (u != v && trib_random_below(&random, 3) == 0)
                    edge[n++] = (trib_edge){u, v, trib_random_unit(&random)};
        trib_graph graph;
        EXPECT(trib_graph_build(&graph, 6, edge, n, NULL, NULL, NULL) == TRIB_OK);
        for (size_t e = 0; e < n; e++) {
            all += graph.edge[e].share;
            if (trib_graph_is_backward(&graph, &graph.edge[e])) lost += graph.edge[e].share;
        }
        least += least_backward(6, edge, n);
        trib_graph_release(&graph);
    }
    EXPECT(lost >= least - 1e-9 && lost < least + .05 * all);
}

/* 0 -> 1 -> 2 by .5 and .4, 0 -> 2 by .1, and 3 -> 0 by .2. */
TEST(paths_multiply_and_add) {
    static const trib_edge edge[] = {{0, 1, .5}, {1, 2, .4}, {0, 2, .1}, {3, 0, .2}, {2, 3, .01}};
    trib_reach reach[4];
    const trib_graph *graph = build(4, edge, 5, NULL, NULL, "3012");
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
    static const trib_edge edge[] = {{0, 1, .5}, {1, 2, .2}, {0, 2, .6}, {3, 0, .5}};
    trib_reach reach[4];
    const trib_graph *graph = build(4, edge, 4, NULL, NULL, "3012");
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
    EXPECT_STATUS(trib_evidence_build(evidence, &c, result, 2, &error), TRIB_OK, error);
    CHECK(evidence[0].n_phrases == 3);
    EXPECT_STATUS(trib_evidence_held(&evidence[0], &texts->document[3], c.n_words, held, &error),
                  TRIB_OK, error);
    EXPECT(trib_evidence_held_share(&evidence[0], held) == 0); /* "y x" is not "x y" */
    EXPECT_STATUS(trib_evidence_held(&evidence[0], &texts->document[2], c.n_words, held, &error),
                  TRIB_OK, error);
    EXPECT(held[0] + held[1] + held[2] == 2);
    double part = 0;
    for (int p = 0; p < 3; p++)
        if (held[p]) part += evidence[0].phrase[p].mass;
    EXPECT_NEAR(trib_evidence_held_share(&evidence[0], held), part / evidence[0].share, 1e-12);
    EXPECT(trib_evidence_held_share(&(trib_evidence){0}, NULL) == 0);
    for (int s = 0; s < 3; s++) trib_evidence_release(&evidence[s]);
}

TEST(impossible_edges_are_rejected) {
    static const trib_edge wrong[][2] = {{{0, 3, .1}, {0, 1, .1}},
                                         {{3, 0, .1}, {0, 1, .1}},
                                         {{1, 1, .1}, {0, 1, .1}},
                                         {{0, 1, .1}, {0, 1, .2}}};
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        trib_graph graph;
        EXPECT(trib_graph_build(&graph, 3, wrong[w], 2, NULL, NULL, NULL) == TRIB_INTERNAL);
        EXPECT(graph.edge == NULL && graph.order == NULL);
    }
}

static trib_status build_again(void *context, trib_error *error) {
    static const trib_edge edge[] = {{0, 1, .2}, {1, 2, .9}, {2, 0, .5}};
    trib_graph graph;
    (void)context;
    const trib_status status = trib_graph_build(&graph, 3, edge, 3, NULL, NULL, error);
    trib_graph_release(&graph);
    return status;
}

TEST(every_failing_allocation_is_reported) {
    EXPECT(trib_fail_every_allocation(build_again, NULL) > 8);
}
