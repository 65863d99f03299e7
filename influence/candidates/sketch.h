/* sketch.h - samples of a document's n-grams, which are small and can be compared.
 *
 * A sketch holds the n-grams whose hash is a multiple of s, with their counts. s, the rate, is a
 * power of two: every n-gram is sampled with probability 1/s, the same n-grams in all documents. A
 * sketch at rate s contains that at rate 2s. This is FracMinHash (Irber, Brooks, Reiter, Pierce-
 * Ward, Hera, Koslicki, Brown 2022: hashes below 2^64/s), with the lowest bits of the hash in place
 * of the highest, so that the highest can divide the hashes evenly (index.h). With s = 1 a sketch
 * holds all n-grams. */
#ifndef TRIBUTARY_INFLUENCE_CANDIDATES_SKETCH_H
#define TRIBUTARY_INFLUENCE_CANDIDATES_SKETCH_H

#include "influence/influence.h"

/* A corpus of at most TRIB_SKETCH_COMPLETE documents is not sampled. Elsewhere a target leaves
 * about TRIB_SKETCH_SAMPLES samples of a source that gave TRIB_SKETCH_FLOOR of its n-grams. */
enum { TRIB_SKETCH_COMPLETE = 300, TRIB_SKETCH_SAMPLES = 25 };
#define TRIB_SKETCH_FLOOR 0.015

/* A sampled n-gram, or a fingerprint of a run of words, in a document. Arrays of entries can be
 * stored and sent between processes as they are. */
typedef struct trib_sketch_entry {
    uint64_t hash;     /* of the n-gram; two n-grams with equal hashes count as one */
    uint32_t document; /* number of the document */
    uint32_t count;    /* occurrences in the document, at least 1 */
} trib_sketch_entry;

/* The sketch of one document. `{0}` is empty. */
typedef struct trib_sketch {
    trib_sketch_entry *entry; /* [n] ascending by hash, each hash once */
    size_t n, cap;
    uint64_t *word; /* scratch: hashes of words */
    size_t word_cap;
} trib_sketch;

/* Hashes that are in a sketch whatever its rate. `{0}` is empty. */
typedef struct trib_wanted_hashes {
    uint64_t *slot; /* [n_slots] open addressing; 0: empty */
    size_t n, n_slots;
    bool has_zero; /* the hash 0 is wanted */
} trib_wanted_hashes;

/* Adds the hashes of a sketch. TRIB_MEMORY. */
trib_status trib_wanted_hashes_add(trib_wanted_hashes *wanted, const trib_sketch *sketch,
                                   trib_error *error);
/* Whether a hash was added. Safe from several threads while nothing is added. */
bool trib_wanted_hashes_have(const trib_wanted_hashes *wanted, uint64_t hash);
void trib_wanted_hashes_release(trib_wanted_hashes *wanted);

/* What is sampled; `{0}` takes all n-grams and hashes vocabulary ids. */
typedef struct trib_sketch_options {
    uint32_t rate; /* s, a power of two; 0: 1 */
    /* [n_words] a hash of each vocabulary word's text, such as trib_checksum, so that sketches of
     * runs with different vocabularies agree; NULL: the vocabulary id */
    const uint64_t *word_hash;
    /* n-grams that are taken at any rate; NULL: none. They are those of the targets too short for
     * `rate`. */
    const trib_wanted_hashes *wanted;
    const trib_wanted_hashes *only; /* everything else is left out; NULL: nothing is */
} trib_sketch_options;

/* The rate for a target of n_ngrams n-grams (tokens) in a corpus of n_documents: the largest power
 * of two that leaves TRIB_SKETCH_SAMPLES samples of TRIB_SKETCH_FLOOR of them, at least 1; 1 in a
 * corpus that is not sampled. docs/model/many.md has the recall. */
uint32_t trib_sketch_rate(uint64_t n_ngrams, size_t n_documents);
/* The rate at which the whole corpus is sketched: the largest that suffices for three of four
 * targets (by trib_sketch_rate), but no smaller than the least that keeps the sum of all sketches
 * within most_entries (0: no limit). A target that needs a smaller rate is found through `wanted`.
 * n_ngrams[n_documents]; is_target[n_documents] may be NULL: all are. TRIB_MEMORY. */
trib_status trib_sketch_rate_of_corpus(uint32_t *rate, const uint64_t n_ngrams[],
                                       const uint8_t *is_target, size_t n_documents,
                                       uint64_t most_entries, trib_error *error);

/* Sketches the n-grams of document number `number`, in O(nonzeros). The earlier contents of
 * `sketch` are replaced. TRIB_INTERNAL when the rate is not a power of
 * two; TRIB_MEMORY. */
trib_status trib_sketch_build(trib_sketch *sketch, const trib_influence_document *document,
                              uint32_t number, const trib_sketch_options *options,
                              trib_error *error);

/* A run of TRIB_RUN_WORDS uncommon words in two documents gives at least one equal fingerprint.
 * Equal fingerprints mean TRIB_RUN_GRAM equal uncommon words in succession. */
enum { TRIB_RUN_WORDS = 12, TRIB_RUN_GRAM = 6 };

/* Fingerprints the runs of words of a text by winnowing (Schleimer, Wilkerson, Aiken 2003): of
 * every TRIB_RUN_WORDS - TRIB_RUN_GRAM + 1 successive hashes of TRIB_RUN_GRAM words, the smallest.
 * word[n] are vocabulary ids in text order. Words with is_common[id] != 0 (may be NULL), and ids of
 * UINT32_MAX, are skipped. Of the options (NULL: as `{0}`), word_hash and only count. About a
 * quarter of the uncommon words give an entry; `count` is the number of places where it was chosen.
 * O(n). TRIB_MEMORY. */
trib_status trib_sketch_runs(trib_sketch *sketch, const uint32_t word[], size_t n, uint32_t number,
                             const trib_sketch_options *options, const uint8_t *is_common,
                             trib_error *error);
void trib_sketch_release(trib_sketch *sketch);

#endif
