/* search.h - a passage that is looked up: what find.c, places.c and translated.c share. */
#ifndef TRIBUTARY_INDEX_SEARCH_H
#define TRIBUTARY_INDEX_SEARCH_H

#include "base/internal.h"
#include "pipeline/index/index.h"

/* A place with a phrase of the passage. */
typedef struct hit {
    uint32_t segment, place, asked, n_words, weight;
    uint64_t start; /* where the passage would begin, from that far before the segment */
} hit;
/* A phrase of the passage, or a word of it. */
typedef struct phrase {
    uint32_t hash, asked, n_words;
    size_t n; /* places; before they are read, at most so many */
} phrase;
/* Places that lie close in one text. */
typedef struct region {
    size_t first, n;                /* of the hits */
    uint32_t segment, weight, rank; /* rank: by weight */
    size_t text;
    uint64_t from, end;   /* bytes of the text that are read, */
    bool is_cut, is_open; /* and whether the passage may begin before them, and end after them */
    bool has_phrase;
} region;
/* Words that are equal along a diagonal, with some that are not between. */
typedef struct match {
    uint32_t asked, word, n; /* word: among the words of the region that have letters */
    uint32_t n_equal;
    double best;   /* equal words of the best chain that ends here */
    size_t before; /* the match before it in that chain, or SIZE_MAX */
    bool is_new;   /* `best` was set in this round */
} match;

/* A search. */
typedef struct search {
    const trib_index *index;
    trib_findings_list *list;
    uint64_t passage_bytes;
    trib_word_reader reader; /* its words: those of a region */
    region *read;            /* that region, */
    bool is_too_short;       /* of which more is to be read */
    trib_buffer
        bytes; /* pieces of a text from byte `skipped` on: those of the region that is read */
    uint64_t skipped;
    region held; /* whose pieces they are */
    phrase *phrase;
    hit *hit;
    region *region;
    size_t n_phrases, phrase_cap, n_hits, hit_cap, n_regions, region_cap;
    bool is_short;
    uint64_t n_word_places, most_word_places; /* of words: read, and after which no more are */
    uint32_t segment;                         /* that is being looked at, */
    phrase *looked_up;                        /* and what is looked up */
    trib_status status;
    trib_error *error;
    match *match;
    size_t n_matches, match_cap;
} search;

/* Begins a search: reads the passage. Errors as trib_index_find. The caller releases it, also after
 * a failure. */
trib_status trib_search_begin(search *s, const trib_index *index, const trib_config *config,
                              const trib_buffer *passage, trib_findings_list *list,
                              trib_error *error);
/* Adds a phrase to those that are looked up: n_words from word `asked` of the passage on, or a word
 * that may stand for that one. TRIB_MEMORY. */
trib_status trib_search_add(search *s, size_t asked, uint32_t hash, uint32_t n_words,
                            trib_error *error);
/* Adds the phrases of the passage, and if it is short its words. TRIB_MEMORY. */
trib_status trib_search_add_passage(search *s, trib_error *error);
/* Looks up what was added, rare phrases first, and sorts the hits; errors as
 * trib_search_regions. */
trib_status trib_search_places(search *s, trib_error *error);
/* The same, and finds the regions, the heaviest first. TRIB_INPUT when the library is damaged. */
trib_status trib_search_regions(search *s, trib_error *error);
void trib_search_release(search *s);

#endif
