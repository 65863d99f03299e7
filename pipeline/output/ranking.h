/* ranking.h - a ranking of a target's sources beside their shares: which of them the target most
 * likely descends from. A share says how much of the target a source explains. A text that rewrites
 * another keeps its subject and loses its wording, so that source has a small share, and a third
 * text that gave one passage to the letter may have a larger one. The ranking combines the shares
 * by `split` and `traced` with the likeness of the texts' titles (docs/model.md section 5). Private
 * to pipeline. */
#ifndef TRIBUTARY_OUTPUT_RANKING_H
#define TRIBUTARY_OUTPUT_RANKING_H

#include "pipeline/output/output.h"

/* The words by which each document is named: those of its title if every document has one in the
 * configuration, otherwise the first TRIB_NAME_WORDS words of its text. `{0}` is empty. */
struct trib_document_names {
    size_t *start;  /* [n_documents + 1] document d has word[start[d]] .. word[start[d+1]-1] */
    uint32_t *word; /* distinct and ascending for each document */
    size_t cap;     /* words allocated */
    double *weight; /* [n_words] ln(documents / documents named with the word) */
    double *norm;   /* [n_documents] root of the sum of a document's weights */
    size_t n_words; /* different words */
    bool are_titles;
};
enum { TRIB_NAME_WORDS = 50 };

/* Whether a run has what the ranking needs: the methods `traced` and `split`. */
bool trib_ranking_is_possible(const trib_config *config);

/* Reads the names of all documents; `names` stays empty where no ranking is possible. The caller
 * releases them. */
trib_status trib_document_names_read(trib_document_names *names, const trib_run_results *results,
                                     trib_error *error);
void trib_document_names_release(trib_document_names *names);
/* The likeness of two documents' names, 0 to 1: the weights of the words that name both, over the
 * product of the norms. */
double trib_names_likeness(const trib_document_names *names, uint32_t a, uint32_t b);

/* A source of a target. */
typedef struct trib_rank {
    size_t source; /* position among the target's sources */
    double score;  /* above 0; compares sources of one target only */
} trib_rank;
/* Lists the sources with a score, the best first, ties by position: split (1 + traced) (1/2 +
 * likeness). A target with more than TRIB_ALL_WRITTEN sources has at most TRIB_LARGEST_WRITTEN of
 * them. The caller frees *list. Nothing is listed where no ranking is possible. */
trib_status trib_ranking_make(trib_rank **list, size_t *n, const trib_run_results *results,
                              const trib_target_results *target, trib_error *error);

#endif
