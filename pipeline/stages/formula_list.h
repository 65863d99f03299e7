/* formula_list.h - collects passages that are formulas: the longest, since a large corpus has
 * millions. Private to the room.
 *
 * A passage that is shorter than TRIB_FORMULAS_MOST others cannot be listed later, since others are
 * only added. So the list is cut now and then, which loses nothing. */
#ifndef TRIBUTARY_STAGES_FORMULA_LIST_H
#define TRIBUTARY_STAGES_FORMULA_LIST_H

#include "pipeline/stages/influence.h"

typedef struct trib_formula_list {
    const char *const *text; /* the words of the vocabulary */
    trib_formula *passage;   /* [n], and one more while it is compared */
    size_t *start;           /* [n + 1] where the words of each passage begin in `word` */
    size_t n, cap, start_cap;
    uint32_t *word; /* vocabulary ids */
    size_t word_cap;
    size_t *slot;         /* [n_slots] number of a passage + 1; 0: empty */
    size_t n_slots;       /* a power of two above 2 n, or 0 */
    size_t n_words_least; /* shorter passages are not listed */
    size_t most_words;    /* with more words, the list is cut */
} trib_formula_list;

/* An empty list, which borrows the words of the vocabulary. */
void trib_formula_list_open(trib_formula_list *list, const char *const *text);
/* Makes room for the n_words words of one more passage and sets *word to it. TRIB_MEMORY. */
trib_status trib_formula_list_room(trib_formula_list *list, size_t n_words, uint32_t **word,
                                   trib_error *error);
/* Adds a passage of target t, whose words are where trib_formula_list_room said: if it is listed,
 * counts the target, each once. Targets come in ascending order. TRIB_MEMORY. */
trib_status trib_formula_list_add(trib_formula_list *list, const trib_formula *passage, uint32_t t,
                                  trib_error *error);
/* After the last passage: puts the list in the order of trib_formulas and cuts it. TRIB_MEMORY. */
trib_status trib_formula_list_finish(trib_formula_list *list, trib_error *error);
void trib_formula_list_release(trib_formula_list *list);

static inline const uint32_t *trib_formula_list_words(const trib_formula_list *list, size_t p) {
    return list->word + list->start[p];
}

#endif
