/* sketch.h - samples of a document's n-grams, which are small and can be compared.
 *
 * A sketch holds the n-grams whose hash is a multiple of s, with their counts. s, the rate, is a
 * power of two: every n-gram is sampled with probability 1/s, the same n-grams in all documents. A
 * sketch at rate s contains that at rate 2s. This is FracMinHash (Irber, Brooks, Reiter, Pierce-
 * Ward, Hera, Koslicki, Brown 2022: hashes below 2^64/s), with the lowest bits of the hash in place
 * of the highest, so that the highest can divide the hashes evenly (trib_sketch_partition). With s
 * = 1 a sketch holds all n-grams. */
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

/* ---- The index of a corpus ------------------------------------------------------------------- */

/* The documents that hold each sampled n-gram of a corpus, on disk.
 *
 * The entries of all sketches are divided by hash into partitions, in one scratch file. Each
 * partition is then sorted and grouped on its own, so memory does not grow with the corpus. Hashes
 * of one document alone, and those of more than most_holders documents, are left out: they give no
 * candidates. The grouped partitions lie in a second scratch file, which is mapped.
 *
 * The contents depend only on the set of entries, not on the order in which they arrive, on the
 * number of partitions or on threads. With several processes, the owner of partition p =
 * trib_sketch_partition(hash, n_partitions) receives all entries of p, from every process, and adds
 * them to its own index; the other partitions of its index stay empty. */

/* How an index is made. */
typedef struct trib_sketch_index_options {
    const char *directory; /* of the scratch files */
    uint32_t n_documents;  /* numbers of documents are below it */
    uint32_t n_partitions; /* 1 .. TRIB_SKETCH_MAX_PARTITIONS; 0: from n_expected */
    uint64_t n_expected;   /* entries of all sketches, roughly; 0: not known */
    /* when n_partitions is 0: their number is a multiple of this, the number of processes */
    uint32_t least_partitions;
    /* D: a hash that more documents hold is left out; 0: none is */
    uint32_t most_holders;
} trib_sketch_index_options;

enum { TRIB_SKETCH_MAX_PARTITIONS = 4096, TRIB_SKETCH_MOST_HOLDERS = 300 };

/* The hashes of one partition that several documents hold. The arrays are read-only. `{0}` has
 * none. */
typedef struct trib_sketch_groups {
    size_t n_groups;           /* hashes */
    size_t n_holders;          /* pairs of a hash and a document */
    const uint32_t *start;     /* [n_groups + 1] group g has holder[start[g]] .. */
    const uint8_t *zeros;      /* [n_groups] trailing zero bits of the hash */
    const trib_holder *holder; /* [n_holders] ascending by document in each group */
    /* the groups of document d: group[first[d]] .. group[first[d+1]-1], ascending */
    const uint32_t *first; /* [n_documents + 1] */
    const uint32_t *group; /* [n_holders] */
} trib_sketch_groups;

/* An index. `{0}` is empty. */
typedef struct trib_sketch_index {
    uint32_t n_documents, n_partitions, most_holders;
    trib_writer writer;                 /* the scratch file of entries */
    struct trib_sketch_part *part;      /* [n_partitions] entries that wait to be grouped */
    trib_spill spill;                   /* the scratch file of groups */
    trib_sketch_groups *groups;         /* [n_partitions] after trib_sketch_index_build */
    uint64_t n_entries;                 /* entries added, until the index is built */
    uint64_t n_alone, n_common, n_kept; /* of the entries, after the build: held by one document,
                                           by more than most_holders, and those of groups */
} trib_sketch_index;

/* The partition of a hash: partitions are intervals of hashes, of equal length. */
static inline uint32_t trib_sketch_partition(uint64_t hash, uint32_t n_partitions) {
    return (uint32_t)((hash >> 32) * n_partitions >> 32);
}

/* Opens an empty index. TRIB_OUTPUT when no scratch file can be made, TRIB_INTERNAL, TRIB_MEMORY.
 */
trib_status trib_sketch_index_open(trib_sketch_index *index,
                                   const trib_sketch_index_options *options, trib_error *error);
/* Adds entries, in any order and from any thread; entries of one hash and document are added
 * together. TRIB_INTERNAL for a document out of range; TRIB_OUTPUT when the scratch file cannot be
 * written, as on a full disk; TRIB_MEMORY. */
trib_status trib_sketch_index_add(trib_sketch_index *index, const trib_sketch_entry entry[],
                                  size_t n, trib_error *error);
/* Sorts and groups all partitions, after the last entry. Memory: about 60 bytes for each entry of
 * n_threads partitions. The groups are the same for any n_threads. TRIB_INPUT when a partition has
 * more than 2^32-1 entries; TRIB_OUTPUT; TRIB_MEMORY; TRIB_INTERRUPTED. */
trib_status trib_sketch_index_build(trib_sketch_index *index, int n_threads, trib_error *error);
/* Takes the partitions and entries out of memory until they are read again. */
void trib_sketch_index_rest(const trib_sketch_index *index);
void trib_sketch_index_close(trib_sketch_index *index);

/* Sorts n entries, whose hashes lie in one of n_partitions equal intervals, by hash, then by
 * document. *entry is replaced by an array of n. O(n) for random hashes. TRIB_MEMORY. */
trib_status trib_sketch_sort(trib_sketch_entry **entry, size_t n, uint32_t n_partitions,
                             trib_error *error);
/* Joins entries of equal hash and document, which are adjacent: moves the first of entry[n], with
 * the sum of the counts, to the front and returns their number. */
size_t trib_sketch_join(trib_sketch_entry entry[], size_t n);

#endif
