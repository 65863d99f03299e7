/* extent.c - tests of the methods `extent` and `verbatim`: texts whose copied words are known, and
 * slow twins of the seeds and chains that follow their definitions. */
#include "influence/extent.h"
#include "tests/influence/texts.h"

TESTS(influence, extent);

enum { WORDS = 600, LONG = 16 };

/* A text as words, which tests alter. */
typedef struct words {
    char word[2 * WORDS][LONG];
    size_t n;
} words;

static void take(words *to, const char *text) {
    to->n = 0;
    for (int used = 0; to->n < 2 * WORDS; text += used)
        if (sscanf(text, "%15s%n", to->word[to->n], &used) == 1) to->n++;
        else break;
}

static char *join(const words *from) {
    char *text = calloc(from->n + 1, LONG + 1);
    CHECK(text != NULL);
    for (size_t i = 0, at = 0; i < from->n; i++)
        at += (size_t)sprintf(text + at, "%s ", from->word[i]);
    return text;
}

typedef struct shares {
    double extent[TRIB_MAX_TEXTS], verbatim[TRIB_MAX_TEXTS], low[TRIB_MAX_TEXTS],
        high[TRIB_MAX_TEXTS], author;
} shares;

/* Measures the first of text[n] by both methods. */
static shares measure(const char *const text[], size_t n, int n_threads) {
    const trib_influence_options options = {.n_threads = n_threads};
    const trib_influence_case c = trib_texts_case(trib_texts_count(3, text, n), 0);
    const trib_influence *extent = trib_measured(&c, "extent", &options);
    const trib_influence *verbatim = trib_measured(&c, "verbatim", &options);
    shares found = {.author = extent->author};
    for (size_t s = 0; s < c.n_sources; s++) {
        found.extent[s] = extent->share[s];
        found.verbatim[s] = verbatim->share[s];
        found.low[s] = extent->low[s];
        found.high[s] = extent->high[s];
        EXPECT(verbatim->share[s] <= extent->share[s]);
    }
    return found;
}

/* The source, which the alterations change, and another text. */
static words source;
static char *other;

static void invent(void) {
    GIVEN(owned_text) text = trib_texts_invent(7, WORDS, NULL);
    take(&source, text);
    other = trib_texts_invent(8, WORDS, NULL);
}

static void leave(words *copy) { *copy = source; }

static void replace_every_eighth(words *copy) {
    *copy = source;
    for (size_t i = 4; i < copy->n; i += 8)
        snprintf(copy->word[i], LONG, "zz%c%c", 'a' + (int)(i % 26), 'a' + (int)(i / 26));
}

/* Ten words at a time, the last first. */
static void turn_sentences(words *copy) {
    const size_t n = source.n / 10;
    copy->n = 10 * n;
    for (size_t i = 0; i < copy->n; i++)
        memcpy(copy->word[i], source.word[10 * (n - 1 - i / 10) + i % 10], LONG);
}

static void leave_out_every_sixth(words *copy) {
    copy->n = 0;
    for (size_t i = 0; i < source.n; i++)
        if (i % 6 != 5) memcpy(copy->word[copy->n++], source.word[i], LONG);
}

static void put_in_every_sixth(words *copy) {
    copy->n = 0;
    for (size_t i = 0; i < source.n; i++) {
        memcpy(copy->word[copy->n++], source.word[i], LONG);
        if (i % 6 == 5) snprintf(copy->word[copy->n++], LONG, "zz%c", 'a' + (int)(i % 26));
    }
}

TEST(what_is_copied_is_found_however_it_was_altered) {
    static const struct {
        const char *name;
        void (*alter)(words *copy);
        double extent, least_verbatim, most_verbatim;
    } rows[] = {{"a copy", leave, .99, .99, 1},
                {"replaced words", replace_every_eighth, .98, .85, .89},
                {"moved sentences", turn_sentences, .95, .95, 1},
                {"words left out", leave_out_every_sixth, .99, .98, 1},
                {"words put in", put_in_every_sixth, .98, .83, .87}};
    invent();
    GIVEN(owned_text) text = join(&source);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        static words altered;
        rows[r].alter(&altered);
        GIVEN(owned_text) copy = join(&altered);
        const shares found = measure((const char *const[]){copy, text, other}, 3, 1);
        if (found.extent[0] < rows[r].extent)
            fprintf(stderr, "%s: %g, %g\n", rows[r].name, found.extent[0], found.verbatim[0]);
        EXPECT(found.extent[0] >= rows[r].extent && found.extent[1] < .01);
        const bool is_in = found.verbatim[0] >= rows[r].least_verbatim &&
                           found.verbatim[0] <= rows[r].most_verbatim;
        if (!is_in) fprintf(stderr, "%s: word for word %g\n", rows[r].name, found.verbatim[0]);
        EXPECT(is_in);
    }
    free(other);
}

/* A third of the target is passages of the source. */
TEST(a_third_is_a_third_and_lies_in_its_interval) {
    GIVEN(trib_owned_text)
    from = trib_texts_invent(11, 3000, NULL), same_kind = trib_texts_invent(12, 3000, NULL);
    GIVEN(owned_text) target = trib_texts_invent(13, 3000, from);
    const shares found = measure((const char *const[]){target, from, same_kind}, 3, 1);
    EXPECT(found.extent[0] > .25 && found.extent[0] < .45);
    EXPECT(found.low[0] <= found.extent[0] && found.extent[0] <= found.high[0]);
    EXPECT(found.extent[1] < .01);
    EXPECT_NEAR(found.author, 1 - found.extent[0] - found.extent[1], 1e-12);
}

TEST(twins_share_equally_and_a_better_source_takes_more) {
    static words altered;
    invent();
    replace_every_eighth(&altered);
    GIVEN(owned_text) text = join(&source), worse = join(&altered);
    const shares twins = measure((const char *const[]){text, text, text}, 3, 1);
    EXPECT_NEAR(twins.extent[0], twins.extent[1], 1e-12);
    EXPECT(twins.extent[0] + twins.extent[1] > .99);
    const shares unequal = measure((const char *const[]){text, worse, text}, 3, 1);
    EXPECT(unequal.extent[1] > .95 && unequal.extent[0] < .05);
    free(other);
}

/* What more sources hold than the case allows is a formula; what one has alone stays its own. */
TEST(formulas_belong_to_no_source) {
    static words half;
    invent();
    half = source;
    half.n /= 2;
    GIVEN(owned_text) text = join(&source), formula = join(&half);
    const char *const texts[] = {text, formula, text, formula, formula, other};
    trib_influence_case c = trib_texts_case(trib_texts_count(3, texts, 6), 0);
    for (uint32_t most = 3; most <= 4; most++) {
        c.formula = most;
        c.other = NULL;
        trib_influence *r = trib_measured(&c, "extent", NULL);
        double sum = r->author + r->formula;
        for (size_t s = 0; s < r->n_sources; s++) sum += r->share[s];
        EXPECT_NEAR(sum, 1, 1e-12);
        EXPECT_NEAR(r->formula, most == 3 ? .5 : 0, .02);
        EXPECT(most == 4 || (r->share[1] > .48 && r->share[0] < .01));
        c.other = r;
        const trib_influence *verbatim = trib_measured(&c, "verbatim", NULL);
        EXPECT_NEAR(verbatim->formula, r->formula, .02);
    }
    free(other);
}

/* The second of the two takes what the first has found, to the bit, and measures nothing. */
TEST(both_methods_measure_once) {
    static const char *const name[] = {"extent", "verbatim"};
    invent();
    GIVEN(owned_text) text = join(&source);
    const char *const texts[] = {text, text, other};
    trib_influence_case c = trib_texts_case(trib_texts_count(3, texts, 3), 0);
    for (int m = 0; m < 2; m++) {
        c.other = NULL;
        trib_influence *first = trib_measured(&c, name[m], NULL);
        const trib_influence *wanted = trib_measured(&c, name[1 - m], NULL);
        c.other = first;
        const trib_influence *second = trib_measured(&c, name[1 - m], NULL);
        EXPECT(memcmp(second->share, wanted->share, 2 * sizeof(double)) == 0);
        EXPECT(memcmp(second->low, wanted->low, 2 * sizeof(double)) == 0);
        EXPECT(memcmp(second->high, wanted->high, 2 * sizeof(double)) == 0);
        EXPECT(second->author == wanted->author && !second->twin);
        const double found[2] = {first->share[1], wanted->share[1] + .125};
        for (int s = 0; s < 2; s++) first->twin[2 + s] = 0, first->twin[4 + s] = 1;
        first->twin[0] -= .125;
        first->twin[1] += .125;
        EXPECT(trib_measured(&c, name[1 - m], NULL)->share[1] == found[1]);
        EXPECT(trib_measured(&c, name[m], NULL)->share[1] == found[0]);
    }
    free(other);
}

TEST(nothing_has_nothing) {
    const shares short_texts = measure((const char *const[]){"a b", "a b", "c"}, 3, 1);
    EXPECT(short_texts.extent[0] == 0 && short_texts.author == 1);
    const shares alone = measure((const char *const[]){"a b c d e f"}, 1, 1);
    EXPECT(alone.author == 1);
    GIVEN(trib_owned_text)
    one = trib_texts_invent(21, 1000, NULL), two = trib_texts_invent(22, 1000, NULL);
    GIVEN(owned_text) three = trib_texts_invent(23, 1000, NULL);
    const shares unrelated = measure((const char *const[]){one, two, three}, 3, 1);
    EXPECT(unrelated.extent[0] < .01 && unrelated.extent[1] < .01);
}

TEST(threads_change_no_bit) {
    char *text[5];
    for (uint64_t d = 0; d < 5; d++)
        text[d] = trib_texts_invent(31 + d, 800, d > 0 ? text[0] : NULL);
    const shares one = measure((const char *const *)text, 5, 1);
    for (int n_threads = 2; n_threads <= 16; n_threads *= 2) {
        const shares many = measure((const char *const *)text, 5, n_threads);
        EXPECT(memcmp(&one, &many, sizeof one) == 0);
    }
    for (int d = 0; d < 5; d++) free(text[d]);
}

/* ---- Slow twins ------------------------------------------------------------------------------ */

/* Whether the seeds give a point: some word within reach begins a shortest string of at most 5
 * stems that the source holds 1 to 16 times, on this diagonal. */
static bool is_point(const trib_folded_text *t, const trib_folded_text *s, uint32_t i, uint32_t j) {
    for (int shift = -11; shift <= 4; shift++) {
        const int64_t a = (int64_t)i + shift, b = (int64_t)j + shift;
        uint32_t length = 0, n_places = 17;
        bool is_place = false;
        if (a < 0 || b < 0 || a >= t->n || b >= s->n) continue;
        while (n_places > 16 && length < 5 && a + ++length <= t->n) {
            n_places = 0;
            is_place = false;
            for (uint32_t x = 0; x + length <= s->n; x++) {
                const bool equal = memcmp(t->stem + a, s->stem + x, length * sizeof *t->stem) == 0;
                n_places += equal;
                is_place = is_place || (equal && x == b);
            }
        }
        if (n_places > 16 || !is_place) continue;
        /* the stems from here to there are equal */
        const int64_t from = shift < 0 ? a : i, to = shift < 0 ? i : a;
        bool equal = true;
        for (int64_t x = from; x <= to; x++) equal = equal && t->stem[x] == s->stem[x - i + j];
        if (equal) return true;
    }
    return false;
}

/* The best score of a chain, over all pairs of points. */
static double best_chain(const trib_extent_texts *texts, const trib_word_gains *gains) {
    enum { MOST = 20000 };
    static uint32_t i[MOST], j[MOST];
    static double score[MOST];
    const trib_folded_text *t = &texts->text[0], *s = &texts->text[1];
    double drift[201], sum = 1, best = 0;
    size_t n = 0;
    for (int d = 1; d <= 200; d++) sum += 2 * pow(1 + d, -1.5);
    for (int d = 0; d <= 200; d++) drift[d] = d == 0 ? log(.15) : log(.3 * pow(1 + d, -1.5) / sum);
    for (uint32_t a = 0; a < t->n; a++)
        for (uint32_t b = 0; b < s->n; b++)
            if (t->stem[a] == s->stem[b] && n < MOST && is_point(t, s, a, b)) i[n] = a, j[n++] = b;
    for (size_t p = 0; p < n; p++) {
        score[p] = gains->alone[i[p]];
        for (size_t q = 0; q < p; q++) {
            const int64_t d = (int64_t)i[p] - i[q], r = (int64_t)j[p] - j[q] - d;
            if (d < 1 || d > 120 || r < -200 || r > 200 || j[p] == j[q]) continue;
            const double price = gains->passed[i[p]] - gains->passed[i[q] + 1];
            double gain = drift[r < 0 ? -r : r] + gains->alone[i[p]];
            if (price > 18) continue;
            if (d == 1 && r == 0) gain = log(.8) + gains->after[i[p]];
            else if (gain < 0 && r != 0) continue;
            score[p] = fmax(score[p], score[q] + gain - price);
        }
        best = fmax(best, score[p]);
    }
    return best;
}

TEST(the_best_piece_is_the_best_chain_of_all) {
    for (uint64_t seed = 0; seed < 6; seed++) {
        GIVEN(trib_extent_texts) read = {0};
        trib_word_gains gains;
        trib_pieces pieces;
        GIVEN(trib_arena) arena = {0};
        GIVEN(owned_text) from = trib_texts_invent(41 + seed, 150, NULL);
        GIVEN(owned_text) to = trib_texts_invent(61 + seed, 160, from);
        const trib_influence_case c = trib_texts_case(TEXTS(3, to, from), 0);
        CHECK(trib_extent_texts_read(&read, &c, NULL) == TRIB_OK);
        trib_extent_gains(&gains, &read, 1, &arena);
        trib_extent_chains(&pieces, &read, 1, &gains, 6, &arena);
        CHECK(trib_arena_check(&arena, NULL) == TRIB_OK && pieces.n > 0);
        const double best = best_chain(&read, &gains);
        /* a chain that falls too far is cut in two */
        double sum = 0;
        for (size_t p = 0; p < pieces.n && p < 2; p++) sum += pieces.piece[p].score;
        EXPECT(pieces.piece[0].score <= best + 1e-9 && sum > .95 * best);
        for (size_t p = 0; p < pieces.n; p++) {
            double score = 0;
            const trib_piece *piece = &pieces.piece[p];
            for (uint32_t k = 0; k < piece->n; k++) {
                EXPECT(read.text[0].stem[piece->word[k]] == read.text[1].stem[piece->place[k]]);
                EXPECT(is_point(&read.text[0], &read.text[1], piece->word[k], piece->place[k]));
                EXPECT(k == 0 || piece->word[k] > piece->word[k - 1]);
                score += gains.alone[piece->word[k]];
            }
            EXPECT(piece->score <= score + 1e-9);
        }
    }
}

TEST(belief_falls_with_the_score) {
    GIVEN(trib_owned_text)
    from = trib_texts_invent(81, 2000, NULL), to = trib_texts_invent(82, 2000, from);
    GIVEN(trib_extent_texts) read = {0};
    trib_word_gains gains;
    trib_pieces pieces;
    GIVEN(trib_arena) arena = {0};
    const trib_influence_case c = trib_texts_case(TEXTS(3, to, from), 0);
    CHECK(trib_extent_texts_read(&read, &c, NULL) == TRIB_OK);
    trib_extent_gains(&gains, &read, 1, &arena);
    trib_extent_chains(&pieces, &read, 1, &gains, 8, &arena);
    trib_extent_believe(&pieces, &read, 1, &arena);
    CHECK(pieces.n > 10);
    EXPECT(pieces.piece[0].belief > .99);
    for (size_t p = 1; p < pieces.n; p++) {
        EXPECT(pieces.piece[p].score <= pieces.piece[p - 1].score);
        EXPECT(pieces.piece[p].belief <= pieces.piece[p - 1].belief);
        EXPECT(pieces.piece[p].belief == 0 || pieces.piece[p].belief >= .02);
    }
}

/* A gap of 20 words between copied ones is the author's where the source explains little else, and
 * altered where it explains all. `n_own` more words of the author's stand at the end. */
TEST(a_gap_is_altered_where_the_source_explains_the_rest) {
    static const struct {
        size_t n_run, n_own;
        double counted; /* words */
    } rows[] = {{30, 300, 60}, {280, 0, 580}};
    invent();
    GIVEN(owned_text) text = join(&source);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        enum { GAP = 20 };
        static words copy;
        const size_t n_span = 2 * rows[r].n_run + GAP;
        for (copy.n = 0; copy.n < n_span + rows[r].n_own; copy.n++) {
            const size_t k = copy.n;
            const bool is_own = k >= n_span || (k >= rows[r].n_run && k < rows[r].n_run + GAP);
            if (is_own) snprintf(copy.word[k], LONG, "q%ux%u", (unsigned)k % 7, (unsigned)k);
            else memcpy(copy.word[k], source.word[k], LONG);
            for (char *at = copy.word[k]; is_own && *at; at++)
                if (*at <= '9') *at += 'a' - '0'; /* words of digits alone have no letters */
        }
        GIVEN(owned_text) target = join(&copy);
        const shares found = measure((const char *const[]){target, text, other}, 3, 1);
        EXPECT_NEAR(found.extent[0] * (double)copy.n, rows[r].counted, 1.5);
        EXPECT(found.verbatim[0] * (double)copy.n < 2 * (double)rows[r].n_run + 1.5);
    }
    free(other);
}

/* Two runs of the source with other words between them; the second begins `jump` words on. */
static uint32_t n_passages(size_t n_run, size_t n_between, size_t jump) {
    static words altered;
    invent();
    altered.n = 0;
    for (size_t k = 0; k < 2 * n_run + n_between; k++, altered.n++) {
        const size_t at = k < n_run ? k : k - n_between + jump;
        if (k < n_run || k >= n_run + n_between) memcpy(altered.word[k], source.word[at], LONG);
        else snprintf(altered.word[k], LONG, "q%cz%c", 'a' + (int)(k % 26), 'a' + (int)(k / 26));
    }
    GIVEN(owned_text) text = join(&source), copy = join(&altered);
    GIVEN(trib_extent_texts) read = {0};
    trib_pieces pieces[2] = {{0}};
    trib_arena arena[2] = {{0}};
    const trib_influence_case c = trib_texts_case(TEXTS(3, copy, text, other), 0);
    CHECK(trib_extent_texts_read(&read, &c, NULL) == TRIB_OK);
    CHECK(trib_extent_find(pieces, arena, &read, 1, NULL) == TRIB_OK);
    uint32_t n = 0;
    for (size_t p = 0; p < pieces[0].n; p++) {
        const trib_piece *const piece = &pieces[0].piece[p];
        EXPECT(piece->passage == TRIB_NONE || piece->belief >= .5);
        if (piece->passage != TRIB_NONE && piece->passage >= n) n = piece->passage + 1;
    }
    for (int s = 0; s < 2; s++) trib_arena_release(&arena[s]);
    free(other);
    return n;
}

TEST(pieces_that_lie_close_in_both_texts_are_one_passage) {
    EXPECT(n_passages(60, 30, 0) == 1);
    EXPECT(n_passages(60, 100, 0) == 1); /* pieces of their own, less apart than they are long */
    EXPECT(n_passages(60, 200, 0) == 2);
    EXPECT(n_passages(60, 100, 300) == 2); /* far apart in the source */
    EXPECT(n_passages(30, 10, 100) == 1);  /* a summary */
    EXPECT(n_passages(8, 300, 8) == 2);
    EXPECT(n_passages(5, 300, 8) == 0); /* turns of phrase */
}

static trib_status attempt(void *context, trib_error *error) {
    const trib_influence_options options = {.n_threads = 1};
    const trib_influence_case c = trib_texts_case(context, 0);
    GIVEN(trib_influence) result = {0};
    const trib_status status =
        trib_influence_measure(&result, trib_influence_method_find("extent"), &c, &options, error);
    return status;
}

TEST(a_stop_gives_no_share) {
    EXPECT(trib_stop_at_every_look(attempt, trib_texts_invented(3, 200, ".00")) >= 2);
}

TEST(every_failed_allocation_is_reported) {
    GIVEN(trib_owned_text)
    from = trib_texts_invent(91, 120, NULL), to = trib_texts_invent(92, 120, from);
    const trib_influence_options options = {.n_threads = 1};
    EXPECT(trib_texts_starve("extent", &options, (const char *const[]){to, from, to}, 3) > 20);
}
