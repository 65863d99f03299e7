/* families.c - the passages of all sources that stand at one place of the target: a family, whose
 * sources are its witnesses. */

#include "base/internal.h"
#include "influence/frequent.h"
#include "influence/order.h"
#include "influence/passages/passages.h"

/* A passage while families are found. */
typedef struct listed {
    trib_passage *passage;
    const trib_passages *all; /* of its source */
    trib_family_member member;
    bool begins_place; /* no stronger one stands there in the target */
} listed;

/* By place in the target, then by source, then by place there. */
TRIB_ORDER(by_place, listed, TRIB_UP(passage->target) ?: TRIB_UP(all->source) ?:
           TRIB_UP(passage->source));

/* By descending shared words, then by descending rarity, then by number. */
TRIB_ORDER(by_strength, listed, TRIB_DOWN(passage->n_words) ?: TRIB_DOWN(passage->rarity) ?:
           TRIB_UP(passage->number));

TRIB_ORDER(by_number, listed, TRIB_UP(passage->number));

TRIB_ORDER(by_family, listed, TRIB_UP(passage->family) ?: by_strength(x, y));

/* The family that has more than half of n words; 0: none has. owner[n]: the family of each. */
static uint32_t owner_of(const uint32_t *owner, size_t n) {
    uint32_t most = 0;
    size_t votes = 0, n_of_most = 0;
    for (size_t i = 0; i < n; i++) {
        if (votes == 0) most = owner[i];
        votes = owner[i] == most ? votes + 1 : votes - 1;
    }
    for (size_t i = 0; i < n; i++) n_of_most += owner[i] == most;
    return n_of_most * 2 > n ? most : 0;
}

/* The families that own each word: of the target, and of source s from start[s] on. */
typedef struct owners {
    uint32_t *target, *source;
    size_t *start; /* [sources + 1] */
} owners;

static trib_status open_owners(owners *o, const trib_passages passages[], size_t n_sources,
                               size_t n_words, trib_error *error) {
    static const char what[] = "families of passages";
    *o = (owners){0};
    trib_status status = TRIB_NEW(&o->target, n_words, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&o->start, n_sources + 1, what, error);
    for (size_t s = 0; s < n_sources && status == TRIB_OK; s++) {
        size_t end = 0;
        for (size_t p = 0; p < passages[s].n; p++) {
            const trib_passage *const passage = &passages[s].passage[p];
            if (end < (size_t)passage->source + passage->n_source)
                end = (size_t)passage->source + passage->n_source;
        }
        o->start[s + 1] = o->start[s] + end;
    }
    return status == TRIB_OK ? TRIB_NEW(&o->source, o->start[n_sources], what, error) : status;
}

static void own(uint32_t *words, size_t n, uint32_t family) {
    for (size_t w = 0; w < n; w++)
        if (words[w] == 0) words[w] = family;
}

/* Gives each passage its family: the strongest begin one, and own the words that no stronger one
 * has, in the target and in the source, so that what the target says again is of the family, too.
 * Families are numbered in the order of the target. */
static trib_status divide(listed *list, size_t n, owners *o, uint32_t *n_families,
                          trib_error *error) {
    TRIB_FREED(uint32_t *) number = NULL;
    const trib_status status = TRIB_NEW(&number, n + 1, "families of passages", error);
    if (status != TRIB_OK) return status;
    qsort(list, n, sizeof *list, by_strength);
    for (size_t i = 0; i < n; i++) {
        trib_passage *const passage = list[i].passage;
        uint32_t *const here = o->target + passage->target;
        uint32_t *const there = o->source + o->start[list[i].member.source] + passage->source;
        passage->family = owner_of(here, passage->n_target);
        list[i].begins_place = passage->family == 0;
        if (passage->family > 0) continue;
        passage->family = owner_of(there, passage->n_source);
        if (passage->family == 0) passage->family = ++*n_families;
        own(here, passage->n_target, passage->family);
        own(there, passage->n_source, passage->family);
    }
    qsort(list, n, sizeof *list, by_number);
    *n_families = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t *const final = &number[list[i].passage->family];
        if (*final == 0) *final = ++*n_families;
        list[i].passage->family = *final;
    }
    return TRIB_OK;
}

/* ---- Texts that hold it ---------------------------------------------------------------------- */

/* The number of documents that hold entry e of the target's counts; 0: it is not known. */
static uint32_t holders_of(const trib_influence_case *c, size_t e) {
    const trib_concordance *const k = c->concordance;
    if (c->frequent) {
        const trib_frequent_ngram *const ngram =
            trib_frequent_entry(c->frequent, &c->document[c->target], e);
        return ngram ? ngram->n_documents : 0;
    }
    if (!k) return 0;
    const size_t g = k->number[k->first[c->target] + e];
    return (uint32_t)(k->start[g + 1] - k->start[g]);
}

/* Sets holders[i] to the number of documents that hold the n-gram whose first word is word i. */
static trib_status list_holders(uint32_t **holders, const trib_influence_case *c,
                                trib_error *error) {
    const trib_influence_document *const target = &c->document[c->target];
    TRIB_OWNED(trib_word_order) order = {0};
    trib_status status = trib_word_order_read(&order, target, error);
    if (status == TRIB_OK) status = TRIB_NEW(holders, order.n + 1, "families of passages", error);
    for (size_t k = 0, at = 0, n_breaks = 0; status == TRIB_OK && k < target->n_ngrams; k++) {
        for (; at < order.place[k]; at++) n_breaks += order.word[at] == TRIB_BREAK;
        (*holders)[at - n_breaks] = holders_of(c, target->sequence[k]);
    }
    return status;
}

/* The documents that hold a passage: those that hold each of half of its n-grams. value[n_target]
 * is scratch. */
static uint32_t documents_of(const listed *of, const uint32_t *holders, uint32_t n_modes,
                             uint32_t *value) {
    size_t n = 0;
    for (uint32_t r = 0; r < of->passage->n_runs; r++) {
        const trib_shared_run *const run = &of->all->run[of->passage->first_run + r];
        for (uint32_t w = 0; run->kind == TRIB_EQUAL && w + n_modes <= run->n; w++)
            value[n++] = holders[run->target + w];
    }
    if (n > 1) qsort(value, n, sizeof *value, trib_by_uint32);
    return n > 0 ? value[n / 2] : 0;
}

/* ---- The list -------------------------------------------------------------------------------- */

static uint32_t end_of(const trib_passage *passage) { return passage->target + passage->n_target; }

/* Fills the families from their passages: list[n] by family, the strongest of each first. */
static void fill(trib_families *to, const listed *list, size_t n, const uint32_t *holders,
                 uint32_t n_modes, uint32_t *value) {
    for (size_t i = 0; i < n; i++) {
        const trib_passage *const passage = list[i].passage;
        trib_family *const family = &to->family[passage->family - 1];
        to->member[i] = list[i].member;
        if (family->n++ == 0) {
            *family = (trib_family){.target = passage->target,
                                    .n_target = passage->n_target,
                                    .first = (uint32_t)i,
                                    .n = 1};
            family->n_documents = documents_of(&list[i], holders, n_modes, value);
        }
        family->n_places += list[i].begins_place;
        uint32_t end = family->target + family->n_target;
        if (passage->target >= end || end_of(passage) <= family->target) continue;
        if (end < end_of(passage)) end = end_of(passage);
        if (family->target > passage->target) family->target = passage->target;
        family->n_target = end - family->target;
    }
}

static trib_status find(trib_families *to, listed *list, size_t n, size_t n_words, owners *o,
                        const trib_influence_case *c, trib_error *error) {
    static const char what[] = "families of passages";
    uint32_t *holders = NULL, *value = NULL, n_families = 0;
    trib_status status = divide(list, n, o, &n_families, error);
    if (status == TRIB_OK) status = TRIB_NEW(&to->family, n_families, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&to->member, n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&value, n_words, what, error);
    if (status == TRIB_OK) status = list_holders(&holders, c, error);
    if (status == TRIB_OK) {
        to->n = n_families;
        to->n_members = n;
        qsort(list, n, sizeof *list, by_family);
        fill(to, list, n, holders, c->document[c->target].counts->n_modes, value);
    }
    TRIB_FREE(holders, value);
    return status;
}

trib_status trib_families_find(trib_families *families, trib_passages passages[], size_t n_sources,
                               const trib_influence_case *c, trib_error *error) {
    listed *list = NULL;
    owners o = {0};
    size_t n_all = 0, n = 0, n_words = 0;
    trib_families_release(families);
    for (size_t s = 0; s < n_sources; s++) n_all += passages[s].n;
    if (n_all == 0) return TRIB_OK;
    trib_status status = TRIB_NEW(&list, n_all, "the passages", error);
    for (uint32_t s = 0; s < n_sources && status == TRIB_OK; s++)
        for (uint32_t p = 0; p < passages[s].n; p++) {
            trib_passage *const passage = &passages[s].passage[p];
            list[n++] = (listed){passage, &passages[s], {s, p}, false};
            if (n_words < end_of(passage)) n_words = end_of(passage);
        }
    if (status == TRIB_OK) qsort(list, n, sizeof *list, by_place);
    for (size_t i = 0; i < n; i++) list[i].passage->number = (uint32_t)i + 1;
    if (status == TRIB_OK) status = open_owners(&o, passages, n_sources, n_words, error);
    if (status == TRIB_OK) status = find(families, list, n, n_words, &o, c, error);
    TRIB_FREE(list, o.target, o.source, o.start);
    return status;
}

void trib_families_release(trib_families *families) {
    TRIB_FREE(families->family, families->member);
    *families = (trib_families){0};
}
