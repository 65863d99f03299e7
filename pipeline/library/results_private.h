/* results_private.h - results in memory, for results.c and results_files.c. */
#ifndef TRIBUTARY_LIBRARY_RESULTS_PRIVATE_H
#define TRIBUTARY_LIBRARY_RESULTS_PRIVATE_H

#include "pipeline/library/results.h"
#include "pipeline/result/record.h"

TRIB_RECORD_LIST(trib_result_shares, trib_result_share);
TRIB_RECORD_LIST(trib_result_phrases, trib_result_phrase);
TRIB_RECORD_LIST(trib_result_passages, trib_result_passage);
TRIB_RECORD_LIST(trib_result_ranks, trib_result_rank);
TRIB_RECORD_LIST(trib_result_allusions, trib_result_allusion);

struct trib_results {
    const char *directory;
    trib_result result;             /* the texts of documents and methods lie in it */
    trib_arena arena;               /* the rows, and their texts */
    trib_result_document *document; /* [n_documents] by id */
    size_t n_documents;
    trib_result_shares shares;
    trib_result_phrases phrases;
    trib_result_passages passages;
    trib_result_ranks ranks;
    trib_result_allusions allusions;
};

#endif
