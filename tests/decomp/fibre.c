/* fibre.c - tests of decomp/fibre.c. */
#include "tests/decomp/sample.h"

TESTS(decomp, fibre);

/* The definition: weighs every fibre again in every step. `weight` holds the nonzeros' values, set
 * to 0 when covered. Fills mass, free mode and fixed indices of the next fibre; false when nothing
 * is left. */
static bool next_by_definition(const sample *s, double *weight, trib_fibre *best) {
    const uint32_t n_modes = s->counts.n_modes;
    const size_t nnz = s->counts.nnz;
    *best = (trib_fibre){0};
    for (uint32_t free_mode = n_modes; free_mode-- > 0;)
        for (size_t e = 0; e < nnz; e++) {
            trib_fibre f = {.free_mode = free_mode};
            uint32_t index[TRIB_MAX_MODES];
            trib_hacoo_entry(&s->counts, e, f.fixed);
            f.fixed[free_mode] = 0;
            for (size_t z = 0; z < nnz; z++) {
                trib_hacoo_entry(&s->counts, z, index);
                index[free_mode] = 0;
                if (memcmp(index, f.fixed, n_modes * sizeof *index) == 0) f.mass += weight[z];
            }
            int order = 0; /* of the fixed indices */
            for (uint32_t m = 0; m < n_modes && order == 0; m++)
                order = (f.fixed[m] > best->fixed[m]) - (f.fixed[m] < best->fixed[m]);
            const bool tie = fabs(f.mass - best->mass) <= 1e-12 * best->mass;
            if ((!tie && f.mass > best->mass) ||
                (tie && best->mass > 0 && f.free_mode == best->free_mode && order < 0))
                *best = f;
        }
    for (size_t z = 0; z < nnz; z++) {
        uint32_t index[TRIB_MAX_MODES];
        trib_hacoo_entry(&s->counts, z, index);
        index[best->free_mode] = 0;
        if (memcmp(index, best->fixed, n_modes * sizeof *index) == 0) weight[z] = 0;
    }
    return best->mass > 0;
}

/* Checks that the cover of the listed nonzeros equals that of the tensor. */
static void listed_alike(const sample *s, const double *weight, const trib_fibre_cover *cover) {
    const uint32_t n_modes = s->counts.n_modes;
    uint32_t *index = calloc(s->counts.nnz * n_modes + 1, sizeof *index);
    GIVEN(trib_fibre_cover) listed = {0};
    CHECK(index != NULL);
    for (size_t z = 0; z < s->counts.nnz; z++) trib_hacoo_entry(&s->counts, z, index + z * n_modes);
    CHECK(trib_fibre_cover_list(&listed, n_modes, s->counts.dim, index, weight, s->counts.nnz, 0,
                                NULL) == TRIB_OK);
    CHECK(listed.n_fibres == cover->n_fibres && listed.nnz == cover->nnz);
    for (size_t f = 0; f < cover->n_fibres; f++) {
        const trib_fibre *a = &listed.fibre[f], *b = &cover->fibre[f];
        EXPECT(a->mass == b->mass && a->free_mode == b->free_mode && a->n == b->n);
        EXPECT(memcmp(a->fixed, b->fixed, sizeof a->fixed) == 0);
    }
    EXPECT(memcmp(listed.index, cover->index, cover->nnz * sizeof *cover->index) == 0);
    EXPECT(memcmp(listed.value, cover->value, cover->nnz * sizeof *cover->value) == 0);
    free(index);
}

static void follows_definition(const sample *s) {
    double *weight = calloc(s->counts.nnz, sizeof *weight);
    GIVEN(trib_fibre_cover) cover = {0};
    trib_fibre wanted;
    size_t n = 0;
    CHECK(weight && trib_fibre_cover_build(&cover, &s->x, 0, NULL) == TRIB_OK);
    for (size_t z = 0; z < s->counts.nnz; z++) {
        uint32_t index[TRIB_MAX_MODES];
        const uint32_t count = trib_hacoo_entry(&s->counts, z, index);
        weight[z] = s->value ? s->value[z] : count;
    }
    listed_alike(s, weight, &cover);
    for (; next_by_definition(s, weight, &wanted) && n < cover.n_fibres; n++) {
        const trib_fibre *f = &cover.fibre[n];
        EXPECT_NEAR(f->mass, wanted.mass, 1e-12 * wanted.mass);
        EXPECT(f->free_mode == wanted.free_mode);
        EXPECT(memcmp(f->fixed, wanted.fixed, sizeof f->fixed) == 0);
    }
    EXPECT(n == cover.n_fibres && cover.rest == 0 && wanted.mass == 0);
    free(weight);
}

TEST(a_worked_cover_comes_in_its_order) {
    /* (0,0,*) holds 3 + 2; (*,1,1) holds 4 + 1 but has an earlier mode free, so (0,0,*) is first */
    static const uint32_t entry[] = {0, 0, 0, 3, 0, 0, 2, 2, 0, 1, 1, 4, 2, 1, 1, 1, 1, 2, 0, 2};
    GIVEN(sample) s = sample_by_hand(3, (uint32_t[]){3, 3, 3}, entry, 5);
    GIVEN(trib_fibre_cover) cover = cover_of(&s.x, 0);
    CHECK(cover.n_fibres == 3 && cover.nnz == 5);
    EXPECT(cover.fibre[0].free_mode == 2 && cover.fibre[0].mass == 5 && cover.fibre[0].n == 2);
    EXPECT(cover.index[0] == 0 && cover.value[0] == 3 && cover.index[1] == 2 &&
           cover.value[1] == 2);
    EXPECT(cover.fibre[1].free_mode == 0 && cover.fibre[1].mass == 5 && cover.fibre[1].n == 2 &&
           cover.fibre[1].fixed[1] == 1 && cover.fibre[1].fixed[2] == 1);
    EXPECT(cover.fibre[2].free_mode == 2 && cover.fibre[2].mass == 2 &&
           cover.fibre[2].fixed[0] == 1 && cover.fibre[2].fixed[1] == 2);
    trib_fibre_cover_release(&cover);
    CHECK(trib_fibre_cover_build(&cover, &s.x, 2, NULL) == TRIB_OK);
    EXPECT(cover.n_fibres == 2 && cover.nnz == 4 && cover.rest == 2);
}

TEST(among_ties_the_smallest_indices_come_first) {
    static const uint32_t entry[] = {2, 0, 0, 1, 0, 2, 1, 1, 0, 1, 9, 1, 1, 0, 3, 1};
    GIVEN(sample) s = sample_by_hand(3, (uint32_t[]){3, 3, 11}, entry, 4);
    GIVEN(trib_fibre_cover) cover = cover_of(&s.x, 0);
    CHECK(cover.n_fibres == 4);
    static const uint32_t wanted[4][2] = {{0, 1}, {0, 2}, {1, 0}, {2, 0}};
    for (size_t f = 0; f < 4; f++)
        EXPECT(cover.fibre[f].free_mode == 2 && cover.fibre[f].fixed[0] == wanted[f][0] &&
               cover.fibre[f].fixed[1] == wanted[f][1]);
}

TEST(masses_that_differ_by_rounding_are_ties) {
    /* (0,0,*) has mass .1 + .2, one ulp more than the .3 of (1,0,*), which counts as a tie; (2,0,*)
     * has truly more than both */
    static const uint32_t entry[] = {0, 0, 0, 1, 0, 0, 1, 1, 1, 0, 2, 1, 2, 0, 3, 1};
    sample s;
    trib_fibre_cover cover;
    for (int swapped = 0; swapped < 2; swapped++) {
        s = sample_by_hand(3, (uint32_t[]){3, 1, 4}, entry, 4);
        s.value = malloc(4 * sizeof *s.value);
        CHECK(s.value != NULL);
        s.value[0] = .1;
        s.value[1] = swapped ? nextafter(.2, 0) : .2;
        s.value[2] = .3;
        s.value[3] = .3 * (1 + 1e-11);
        sample_in_format(&s, trib_format_find("coo"));
        CHECK(trib_fibre_cover_build(&cover, &s.x, 0, NULL) == TRIB_OK);
        CHECK(cover.n_fibres == 3);
        EXPECT(cover.fibre[0].fixed[0] == 2 && cover.fibre[1].fixed[0] == 0 &&
               cover.fibre[2].fixed[0] == 1);
        trib_fibre_cover_release(&cover);
        sample_release(&s);
    }
}

TEST(the_residual_mass_of_a_heavy_fibre_keeps_its_digits) {
    /* (*,0,0) loses 1e12 to (0,0,*) and keeps 0.1 and 0.2, which tie with the .3 of (3,1,*); fibres
     * with the last mode free come first */
    static const uint32_t entry[] = {0, 0, 0, 1, 0, 0, 1, 1, 1, 0, 0, 1, 2, 0, 0, 1, 3, 1, 2, 1};
    GIVEN(sample) s = sample_by_hand(3, (uint32_t[]){4, 2, 3}, entry, 5);
    s.value = malloc(5 * sizeof *s.value);
    CHECK(s.value != NULL);
    memcpy(s.value, (double[]){1e12, 5, .1, .2, .3}, 5 * sizeof *s.value);
    sample_in_format(&s, trib_format_find("coo"));
    GIVEN(trib_fibre_cover) cover = cover_of(&s.x, 0);
    CHECK(cover.n_fibres >= 3);
    EXPECT(cover.fibre[0].free_mode == 2 && cover.fibre[0].fixed[0] == 0);
    EXPECT(cover.fibre[1].free_mode == 2 && cover.fibre[1].fixed[0] == 3);
    EXPECT(cover.fibre[2].free_mode == 0 && fabs(cover.fibre[2].mass - .3) < 1e-15);
}

TEST(the_cover_is_the_definition_on_random_tensors) {
    for (uint32_t n_modes = 1; n_modes <= 4; n_modes++)
        for (uint64_t seed = 1; seed <= 6; seed++) {
            GIVEN(sample)
            s = sample_at_random(seed, n_modes, (uint32_t[]){9, 6, 11, 4}, 60, 1 + seed % 4);
            follows_definition(&s);
            if (seed % 2) {
                trib_random random;
                trib_random_seed(&random, seed);
                s.value = malloc(s.counts.nnz * sizeof *s.value);
                CHECK(s.value != NULL);
                for (size_t z = 0; z < s.counts.nnz; z++)
                    s.value[z] = (1 + (double)trib_random_below(&random, 5)) / 7;
                sample_in_format(&s, trib_format_find("coo"));
                follows_definition(&s);
            }
        }
}

TEST(the_toy_stories_take_20_17_and_24_fibres) {
    static const struct {
        const char *path;
        size_t n_fibres, nnz;
    } story[] = {{"corpora/toy/cat.txt", 20, 23},
                 {"corpora/toy/dog.txt", 17, 23},
                 {"corpora/toy/sequel_dissertation.txt", 24, 42}};
    for (size_t i = 0; i < 3; i++) {
        GIVEN(sample) s = {0};
        if (!sample_text(&s, story[i].path)) return;
        EXPECT(s.counts.nnz == story[i].nnz);
        GIVEN(trib_fibre_cover) cover = cover_of(&s.x, 0);
        EXPECT_NEAR((double)cover.n_fibres, (double)story[i].n_fibres, 0);
        follows_definition(&s);
    }
}

/* Compares field by field, because padding bytes are undefined. */
static bool same_fibres(const trib_fibre *a, const trib_fibre *b, size_t n) {
    bool same = true;
    for (size_t r = 0; r < n; r++)
        same = same && a[r].mass == b[r].mass && a[r].free_mode == b[r].free_mode &&
               memcmp(a[r].fixed, b[r].fixed, sizeof a[r].fixed) == 0 && a[r].first == b[r].first &&
               a[r].n == b[r].n;
    return same;
}

TEST(a_cover_holds_every_nonzero_once_in_every_format) {
    GIVEN(trib_fibre_cover) first = {0};
    GIVEN(sample) s = sample_at_random(5, 3, (uint32_t[]){300, 4000, 200}, 20000, 3);
    for (size_t f = 0; trib_formats[f]; f++) {
        trib_fibre_cover cover;
        sample_in_format(&s, trib_formats[f]);
        CHECK(trib_fibre_cover_build(&cover, &s.x, 0, NULL) == TRIB_OK);
        double mass = 0;
        for (size_t r = 0; r < cover.n_fibres; r++) {
            mass += cover.fibre[r].mass;
            EXPECT(r == 0 || cover.fibre[r].mass <= cover.fibre[r - 1].mass);
        }
        EXPECT(cover.nnz == s.counts.nnz && mass == s.x.total);
        if (f == 0) first = cover;
        EXPECT(cover.n_fibres == first.n_fibres &&
               same_fibres(cover.fibre, first.fibre, cover.n_fibres) &&
               memcmp(cover.index, first.index, cover.nnz * sizeof *cover.index) == 0);
        if (f > 0) trib_fibre_cover_release(&cover);
    }
}

TEST(an_empty_tensor_has_an_empty_cover) {
    GIVEN(sample) s = sample_by_hand(3, (uint32_t[]){2, 2, 2}, NULL, 0);
    GIVEN(trib_fibre_cover) cover = cover_of(&s.x, 0);
    EXPECT(cover.n_fibres == 0 && cover.nnz == 0 && cover.rest == 0);
    trib_fibre_cover_release(&cover);
    sample_release(&s);
    s = sample_by_hand(3, (uint32_t[]){2, 2, 2}, (uint32_t[]){1, 0, 1, 1, 0, 0, 1, 1}, 2);
    s.value = calloc(2, sizeof *s.value);
    CHECK(s.value != NULL);
    s.value[1] = .5;
    sample_in_format(&s, trib_format_find("coo"));
    CHECK(trib_fibre_cover_build(&cover, &s.x, 0, NULL) == TRIB_OK);
    EXPECT(cover.n_fibres == 1 && cover.nnz == 1 && cover.fibre[0].mass == .5);
}

static trib_status cover_it(void *context, trib_error *error) {
    GIVEN(trib_fibre_cover) cover = {0};
    const trib_status status =
        trib_fibre_cover_build(&cover, &((const sample *)context)->x, 0, error);
    return status;
}

TEST(every_failing_allocation_of_a_cover_is_reported) {
    GIVEN(sample) s = sample_at_random(3, 3, (uint32_t[]){9, 6, 11}, 60, 3);
    EXPECT(trib_fail_every_allocation(cover_it, &s) > 10);
}
