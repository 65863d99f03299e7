/* chosen_passages.c - chooses the passages of a target that are shown first: the longest, and the
 * one with the rarest words. */
#include "pipeline/output/parts.h"

#include <math.h>
#include <string.h>

#include "pipeline/support/json.h"

/* A passage of a result that has no "notable" is notable when it has as many shared words. */
enum { NOTABLE_WORDS = 12 };

static double shared_words(const json_t *passage) {
    return trib_json_get_number(passage, "shared");
}

static bool is_notable(const json_t *passage) {
    return json_object_get(passage, "notable") ? trib_json_get_flag(passage, "notable")
                                               : shared_words(passage) >= NOTABLE_WORDS;
}

/* The mean weight of the shared words. A result without weights has 0. */
static double mean_rarity(const json_t *passage) {
    const double rarity = trib_json_get_number(passage, "rarity");
    return isnan(rarity) ? 0 : rarity / shared_words(passage);
}

/* Whether two passages have words of the target in common. */
static bool overlap(const json_t *a, const json_t *b) {
    const json_t *x = json_object_get(a, "target"), *y = json_object_get(b, "target");
    const double first_x = trib_json_get_number(x, "first"),
                 first_y = trib_json_get_number(y, "first");
    return first_x < first_y + trib_json_get_number(y, "words") &&
           first_y < first_x + trib_json_get_number(x, "words");
}

static double first_word(const json_t *passage) {
    return trib_json_get_number(json_object_get(passage, "target"), "first");
}

/* Whether `a` comes before `b`: by larger `x`, then by larger `y`, then by the order of the target,
 * then by the id of the source. */
static bool is_before(const trib_chosen_passage *a, const trib_chosen_passage *b,
                      double (*x)(const json_t *), double (*y)(const json_t *)) {
    if (!b->passage) return true;
    if (x(a->passage) != x(b->passage)) return x(a->passage) > x(b->passage);
    if (y(a->passage) != y(b->passage)) return y(a->passage) > y(b->passage);
    if (first_word(a->passage) != first_word(b->passage))
        return first_word(a->passage) < first_word(b->passage);
    return strcmp(a->source, b->source) < 0;
}

bool trib_passage_is_longer(const json_t *passage, const json_t *other) {
    const trib_chosen_passage a = {passage, ""}, b = {other, ""};
    return is_before(&a, &b, shared_words, mean_rarity);
}

bool trib_passage_is_notable(const json_t *passage) { return is_notable(passage); }

/* The share of a source by the headline method; NULL when it has none. */
static const json_t *share_of(const json_t *result, const json_t *target, const char *id) {
    const json_t *method =
        json_object_get(json_object_get(target, "methods"), trib_json_get_text(result, "headline"));
    return trib_json_find(json_object_get(method, "shares"), "source", id);
}

/* Takes the best of the passages of all wanted sources: of sources below the noise floor only
 * notable ones, and with `longest` only notable ones at other places of the target. Returns how
 * many passages are notable. */
static size_t choose(trib_chosen_passage *best, const json_t *result, const json_t *target,
                     const char *wanted, const json_t *longest) {
    const json_t *evidence = json_object_get(target, "evidence");
    size_t n_notable = 0;
    for (size_t e = 0; e < json_array_size(evidence); e++) {
        const json_t *about = json_array_get(evidence, e),
                     *passages = json_object_get(about, "passages");
        const char *id = trib_json_get_text(about, "source");
        if ((wanted && strcmp(wanted, id) != 0) || json_array_size(passages) == 0) continue;
        const json_t *share = share_of(result, target, id);
        if (trib_json_get_flag(share, "decoy")) continue;
        for (size_t p = 0; p < json_array_size(passages); p++) {
            const trib_chosen_passage next = {json_array_get(passages, p), id};
            const bool notable = is_notable(next.passage);
            n_notable += notable;
            if (!notable && (longest || !trib_row_flows(share))) continue;
            if (longest && overlap(longest, next.passage)) continue;
            if (longest ? is_before(&next, best, mean_rarity, shared_words)
                        : is_before(&next, best, shared_words, mean_rarity))
                *best = next;
        }
    }
    return n_notable;
}

trib_chosen_passages trib_passages_choose(const json_t *result, const json_t *target,
                                          const char *source) {
    trib_chosen_passages chosen = {0};
    chosen.n_notable = choose(&chosen.longest, result, target, source, NULL);
    if (chosen.longest.passage)
        choose(&chosen.rarest, result, target, source, chosen.longest.passage);
    return chosen;
}
