/* lowe.c - the three stories on which [L] explains the influence model: a cat's, a dog's and a
 * sequel to both. Their tensors, factors and distances are published; tests/corpora/toy and
 * tests/oracles hold them. */
#include "influence/influence.h"
#include "tests/experiments/experiment.h"
#include "tokenizer/tokenizer.h"

#include <ctype.h>

enum { N = 3, STORIES = 3, SEQUEL = 2, MAX_WORDS = 128, FACTORS = 36 };

typedef struct stories {
    trib_intern words;
    trib_hacoo counts[STORIES];
    uint32_t word[STORIES][MAX_WORDS]; /* vocabulary id of a story's own */
    size_t last[STORIES];              /* entry of the last window */
    trib_influence_document document[STORIES];
} stories;

static trib_buffer read_text(const char *folder, const char *name, const char *ending) {
    char path[128];
    trib_buffer text = {0};
    snprintf(path, sizeof path, "tests/%s/%s.%s", folder, name, ending);
    bench_must(trib_read_whole(path, &text, &bench_error));
    return text;
}

/* ---- The stories ----------------------------------------------------------------------------- */

/* Words are letters in a row, numbered as they come in the vocabulary and in the story. */
static void count_story(stories *s, size_t d, const char *name) {
    trib_buffer text = read_text("corpora/toy", name, "txt");
    uint32_t own[MAX_WORDS], stream[MAX_WORDS], n_own = 0;
    size_t n = 0;
    memset(own, 0xFF, sizeof own);
    for (char *at = text.text; *at && n < MAX_WORDS; at++) {
        char *const word = at;
        for (; isalpha((unsigned char)*at); at++) *at = (char)tolower((unsigned char)*at);
        if (at == word) continue;
        uint32_t id = 0;
        bench_must(trib_intern_add(&s->words, word, (size_t)(at - word), &id, &bench_error));
        if (own[id] == UINT32_MAX) s->word[d][own[id] = n_own++] = id;
        stream[n++] = own[id];
        if (!*at) break;
    }
    const uint32_t dim[N] = {n_own, n_own, n_own};
    bench_must(trib_hacoo_init(&s->counts[d], N, dim, NULL, &bench_error));
    for (size_t i = 0; i + N <= n; i++)
        bench_must(trib_hacoo_add(&s->counts[d], stream + i, 1, &bench_error));
    s->last[d] = trib_hacoo_find(&s->counts[d], stream + n - N);
    s->document[d] = (trib_influence_document){
        .counts = &s->counts[d], .word = s->word[d], .n_local = n_own, .n_words = n};
    trib_buffer_release(&text);
}

static void stories_release(stories *s) {
    for (size_t d = 0; d < STORIES; d++) trib_hacoo_release(&s->counts[d]);
    trib_intern_release(&s->words);
}

/* Nonzeros of a published tensor; its first line says the dimensions. */
static size_t published_nonzeros(const char *name) {
    trib_buffer text = read_text("corpora/toy", name, "tns");
    size_t n_lines = 0;
    for (const char *at = text.text; (at = strchr(at, '\n')) != NULL && at[1]; at++) n_lines++;
    trib_buffer_release(&text);
    return n_lines;
}

/* ---- The published factors ------------------------------------------------------------------- */

static const char *const published[STORIES] = {"cat", "dog", "seq"};

/* With columns that sum to 1, or as they stand. */
static void read_factors(trib_factors *factors, bool normalized) {
    for (uint32_t d = 0; d < STORIES; d++) {
        trib_reader reader;
        trib_ktensor k = {0};
        char path[64];
        snprintf(path, sizeof path, "tests/oracles/%s.ktns", published[d]);
        bench_must(trib_reader_open(&reader, path, &bench_error));
        bench_must(trib_ktns_read(&k, &reader, &bench_error));
        trib_reader_close(&reader);
        for (uint32_t v = 0; normalized && v < k.n_modes * k.rank; v++) {
            double *const column = k.factor[v / k.rank] + v % k.rank, sum = 0;
            for (uint32_t i = 0; i < k.dim[v / k.rank]; i++) sum += column[i * k.rank];
            for (uint32_t i = 0; i < k.dim[v / k.rank]; i++) column[i * k.rank] /= sum;
            k.lambda[v % k.rank] *= sum;
        }
        bench_must(trib_factors_add(factors, d, &k, NULL, &bench_error));
        trib_ktensor_release(&k);
    }
}

/* The largest difference between the distances of a file and ours. */
static double largest_difference(bool normalized) {
    static double ours[FACTORS * FACTORS];
    trib_factors factors = {0};
    trib_buffer text = read_text(
        "oracles", normalized ? "normalised_distances" : "lowe_distances_unnormalised", "tsv");
    double largest = 0;
    char *at = text.text;
    read_factors(&factors, normalized);
    bench_must(
        trib_factor_matrix(&factors, &factors, NULL, ours, 1, (trib_progress){0}, &bench_error));
    for (size_t i = 0; i < FACTORS * FACTORS; i++)
        largest = fmax(largest, fabs(strtod(at, &at) - ours[i]));
    trib_factors_release(&factors);
    trib_buffer_release(&text);
    return largest;
}

/* ---- Shares ---------------------------------------------------------------------------------- */

static const uint32_t cat_and_dog[] = {0, 1};

static void print_share(const char *what, const trib_influence_case *c, const char *method,
                        double threshold) {
    const trib_influence_options options = {.threshold = threshold, .n_threads = 1};
    trib_influence result;
    bench_must(trib_influence_measure(&result, trib_influence_method_find(method), c, &options,
                                      &bench_error));
    printf("| %s | %.3f | %.3f | %.3f |\n", what, result.share[0], result.share[1], result.author);
    trib_influence_release(&result);
}

/* The stories decomposed by fibres to the end. */
static void cover_stories(trib_factors *factors, stories *s) {
    const trib_cp_options options = {.solver = trib_solver_find("fibre"),
                                     .start = trib_start_find("greedy"),
                                     .sweeps = 1,
                                     .iterations = 1,
                                     .restarts = 1,
                                     .n_threads = 1};
    for (uint32_t d = 0; d < STORIES; d++) {
        trib_tensor x = {0};
        trib_ktensor k = {0};
        bench_must(
            trib_tensor_build(&x, trib_format_find("hacoo"), &s->counts[d], NULL, 1, &bench_error));
        bench_must(trib_cp(&k, &x, &options, NULL, &bench_error));
        bench_must(trib_factors_add(factors, d, &k, s->word[d], &bench_error));
        trib_ktensor_release(&k);
        trib_tensor_release(&x);
    }
}

static void print_shares(stories *s) {
    trib_factors factors[2] = {{0}};
    trib_factor_distances distances[2] = {{0}};
    trib_influence_case c = {.document = s->document,
                             .n_documents = STORIES,
                             .n_words = s->words.n_words,
                             .target = SEQUEL,
                             .source = cat_and_dog,
                             .n_sources = 2};
    static const double threshold[] = {0.2, 0.4, 1};
    static const char *const whose[] = {"the published factors", "our cover by fibres, exact"};
    printf("| the sequel, from | cat | dog | author |\n| --- | --- | --- | --- |\n");
    read_factors(&factors[0], true);
    cover_stories(&factors[1], s);
    for (size_t f = 0; f < 2; f++) {
        bench_must(trib_factor_distances_find(&distances[f], &factors[f], &factors[f], STORIES, 1,
                                              &bench_error));
        c.factors = &factors[f];
        c.distances = &distances[f];
        for (size_t t = 0; t < 3; t++) {
            char what[64];
            snprintf(what, sizeof what, "%s, threshold %.1f", whose[f], threshold[t]);
            print_share(what, &c, "lowe", threshold[t]);
        }
    }
    print_share("the same cover, `lowe-soft`", &c, "lowe-soft", 0);
    print_share("`lowe-matched`", &c, "lowe-matched", 0);
    print_share("3-grams that stand in each (`containment`)", &c, "containment", 0);
    for (size_t f = 0; f < 2; f++) {
        trib_factor_distances_release(&distances[f]);
        trib_factors_release(&factors[f]);
    }
}

/* ---- The experiment -------------------------------------------------------------------------- */

/* The distance of the factor of the sequel that is nearest to any of a story. */
static double nearest_to(size_t d) {
    trib_factors factors = {0};
    trib_factor_distances distances = {0};
    double nearest = 2;
    read_factors(&factors, true);
    bench_must(
        trib_factor_distances_find(&distances, &factors, &factors, STORIES, 1, &bench_error));
    for (size_t f = 0; f < factors.n; f++)
        if (factors.document[f] == SEQUEL)
            nearest = fmin(nearest, distances.nearest[f * STORIES + d]);
    trib_factor_distances_release(&distances);
    trib_factors_release(&factors);
    return nearest;
}

/* Nonzeros of all windows but the last, which is where the publication stops. */
static size_t without_last(const stories *s, size_t d) {
    return s->counts[d].nnz - (trib_hacoo_count(&s->counts[d], s->last[d]) == 1);
}

void experiment_lowe(const experiment_texts *texts) {
    static const char *const name[] = {"cat", "dog", "sequel"};
    stories of_repository = {0}, of_dissertation = {0};
    size_t n_same = 0;
    (void)texts;
    for (size_t d = 0; d < STORIES; d++) count_story(&of_repository, d, published[d]);
    for (size_t d = 0; d < STORIES; d++)
        count_story(&of_dissertation, d, d == SEQUEL ? "sequel_dissertation" : published[d]);
    printf("| | published | ours |\n| --- | --- | --- |\n");
    for (size_t d = 0; d < STORIES; d++) {
        const size_t theirs = published_nonzeros(published[d]),
                     ours = without_last(&of_repository, d);
        printf("| nonzeros of the %s, without its last window | %zu | %zu |\n", name[d], theirs,
               ours);
        n_same += theirs == ours;
    }
    const double difference = largest_difference(false), normalized = largest_difference(true);
    const double dog = nearest_to(1);
    printf("| largest difference of the %d distances of the factors as they stand | 0 | %.0e |\n",
           FACTORS * FACTORS, difference);
    printf("| the same, columns summing to 1, from a program of its own | 0 | %.0e |\n",
           normalized);
    printf("| distance of the factor of the sequel that is nearest to one of the dog | 0 | %.2f "
           "|\n\n",
           dog);
    n_same += difference < 1e-12;
    n_same += normalized < 1e-12;
    n_same += dog < 1e-12;
    printf("Published stories and factors: %s.\n\n", experiment_verdict(n_same, 6));
    print_shares(&of_dissertation);
    experiment_story_classes(of_dissertation.document, of_dissertation.words.n_words);
    experiment_paper_classes();
    stories_release(&of_repository);
    stories_release(&of_dissertation);
}
