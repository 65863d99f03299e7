/* results_private.h - results in memory, for results.c and results_files.c. */
#ifndef TRIBUTARY_LIBRARY_RESULTS_PRIVATE_H
#define TRIBUTARY_LIBRARY_RESULTS_PRIVATE_H

#include "pipeline/library/results.h"

struct json_t;

struct trib_results {
    char *directory;
    struct json_t *json; /* of influence.json; the texts of the rows lie in it, or in `text` */
    trib_result_document *document; /* [n_documents] by id */
    size_t n_documents;
    trib_result_share *share; /* [n_shares] */
    size_t n_shares, share_cap;
    trib_result_phrase *phrase; /* [n_phrases] */
    size_t n_phrases, phrase_cap;
    trib_result_passage *passage; /* [n_passages] */
    size_t n_passages, passage_cap;
    trib_result_rank *rank; /* [n_ranks] */
    size_t n_ranks, rank_cap;
    trib_result_allusion *allusion; /* [n_allusions] */
    size_t n_allusions, allusion_cap;
    char **text; /* [n_texts] */
    size_t n_texts, text_cap;
};

#endif
