/* record.h - the record of a result: all that a run found. The members of a record are those of an
 * object of influence.json, in their order; docs/run-directory/influence-json.tsv says what they
 * mean. The build makes the table of fields from this file (records.awk), by which all records are
 * read and written.
 *
 * A list is {item, n}. What is absent: a text, a record or the items of a list that may be absent
 * are NULL, a number is NaN, a count TRIB_ABSENT, a flag false. Of what is always there, a text is
 * "" and a count 0 where the file lacks it. Private to the program. */
#ifndef TRIBUTARY_RESULT_RECORD_H
#define TRIBUTARY_RESULT_RECORD_H

#include "base/arena.h"

/* a count that may be absent, and is */
#define TRIB_ABSENT UINT64_MAX

/* What records.awk reads: when a member is written, unless it always is. */
#define TRIB_IF           /* unless it is absent */
#define TRIB_OR_NULL      /* always; null when it is absent, as an unknown number of a list is */
#define TRIB_POSITIVE     /* a count: unless it is 0 */
#define TRIB_WITH(member) /* only where this member of the record is there */
#define TRIB_UNWRITTEN    /* never */
/* And how. */
#define TRIB_DETAIL /* lists of many targets do without it */
#define TRIB_MAP    /* a list of records, as an object: their first members are its keys */
#define TRIB_ROW    /* a record: as a list of the values of its members */
#define TRIB_VALUE  /* a record: as its only value, but for the key of a map */

/* Declares a list of items. */
#define TRIB_RECORD_LIST(name, type)                                                               \
    typedef struct name {                                                                          \
        type *item;                                                                                \
        size_t n;                                                                                  \
    } name

TRIB_RECORD_LIST(trib_texts, const char *);
TRIB_RECORD_LIST(trib_reals, double);
TRIB_RECORD_LIST(trib_whole_numbers, uint64_t);
TRIB_RECORD_LIST(trib_text_lists, trib_texts);

/* Appends a text that outlives the list. */
static inline void trib_texts_add(trib_arena *arena, trib_texts *list, const char *text) {
    const char **const item = (const char **)trib_arena_append(arena, list, sizeof *item);
    if (item) *item = text;
}

/* ---- The corpus ------------------------------------------------------------------------------ */

/* A setting: its key with its section, as in "report.text". */
typedef struct trib_setting_record {
    const char *key, *value;
} trib_setting_record;
TRIB_RECORD_LIST(trib_setting_records, trib_setting_record);

typedef struct trib_refused_record { /* id: of documents alone */
    TRIB_IF const char *id;
    const char *file, *why;
} trib_refused_record;
TRIB_RECORD_LIST(trib_refused_records, trib_refused_record);

typedef struct trib_candidates_record {
    uint64_t most, one_in;
} trib_candidates_record;

typedef struct trib_corpus_record {
    uint64_t tokens, vocabulary;
    double wildcard_tokens, wildcard_ngrams;
    TRIB_IF trib_candidates_record *candidates;
    TRIB_IF trib_refused_records refused;
    TRIB_IF trib_refused_records left_out; /* without ids */
    TRIB_IF trib_texts read_as;
} trib_corpus_record;

typedef struct trib_change_record {
    const char *spelling, *norm, *shown;
    uint64_t count;
} trib_change_record;
TRIB_RECORD_LIST(trib_change_records, trib_change_record);

typedef struct trib_same_words_record {
    uint64_t spellings, words, changed, changed_tokens, left_out, left_out_tokens;
    trib_change_records changes;
} trib_same_words_record;

typedef struct trib_rank_record { /* of a decomposition */
    uint64_t rank, components;
    TRIB_OR_NULL double error, l1_error, core_consistency;
    uint64_t iterations;
    bool chosen;
} trib_rank_record;
TRIB_RECORD_LIST(trib_rank_records, trib_rank_record);

typedef struct trib_factors_record {
    uint64_t rank;
    TRIB_OR_NULL double fit;
    TRIB_IF const char *precision;
    /* `format` is absent where the factors were read without their tensor */
    TRIB_WITH(format) uint64_t iterations;
    TRIB_WITH(format) const char *stop;
    TRIB_WITH(format) TRIB_OR_NULL trib_reals fits; /* unknown ones are NaN */
    TRIB_IF uint64_t restarts;
    TRIB_IF double worst_fit, match, least_match;
    TRIB_WITH(format) uint64_t zero;
    TRIB_WITH(format) double mass;
    TRIB_IF const char *format, *format_reason;
    TRIB_WITH(format) TRIB_OR_NULL double l1_error, congruence;
    TRIB_IF trib_rank_records ranks;
    TRIB_IF const char *rank_end;
} trib_factors_record;

/* The account of a text: its counts in the order of trib_account_counts, and its texts. */
typedef struct trib_account_record {
    TRIB_POSITIVE uint64_t headings, front, notes, notes_out, forms_out, furniture_out;
    TRIB_POSITIVE uint64_t others_out, stripped_out, numbers_out, joined, unseen, lost, signs;
    TRIB_POSITIVE uint64_t alone, short_alone;
    TRIB_IF const char *left_out, *unknown, *begins, *ends;
} trib_account_record;

typedef struct trib_document_record {
    const char *id, *title, *author;
    TRIB_OR_NULL const char *date;
    TRIB_IF const char *date_from;
    const char *role, *file, *sha256;
    uint64_t bytes;
    const char *kind, *encoding;
    TRIB_IF const char *language, *columns;
    uint64_t words, vocabulary, ngrams, nonzeros;
    double wildcard_ngrams;
    uint64_t replaced;
    TRIB_IF trib_account_record *account;
    TRIB_OR_NULL trib_factors_record *factors;
} trib_document_record;
TRIB_RECORD_LIST(trib_document_records, trib_document_record);

typedef struct trib_method_record {
    const char *name, *help;
    bool sums_to_one;
} trib_method_record;
TRIB_RECORD_LIST(trib_method_records, trib_method_record);

/* ---- A target -------------------------------------------------------------------------------- */

typedef struct trib_null_record {
    TRIB_IF const char *not_measured; /* why; if so, the others are absent */
    TRIB_IF double largest;
    TRIB_IF const char *source;
    TRIB_IF double mean;
    TRIB_WITH(largest) uint64_t blocks, seed;
} trib_null_record;

typedef struct trib_share_record {
    const char *source;
    double share;
    TRIB_IF double low, high;
    TRIB_IF bool below_floor;
    TRIB_IF const char *group;
    TRIB_IF bool decoy;
} trib_share_record;
TRIB_RECORD_LIST(trib_share_records, trib_share_record);

typedef struct trib_group_record {
    trib_texts members;
    double share;
    TRIB_IF double low, high;
    TRIB_IF bool below_floor;
} trib_group_record;
TRIB_RECORD_LIST(trib_group_records, trib_group_record);

typedef struct trib_left_out_record {
    uint64_t sources;
    double share;
} trib_left_out_record;

/* The shares of a target by one method. */
typedef struct trib_influence_record {
    const char *method;
    TRIB_IF double author, formula, own, common, explained, matched;
    TRIB_WITH(log_likelihood) uint64_t background, iterations;
    TRIB_IF double log_likelihood;
    TRIB_IF uint64_t weighed;
    TRIB_IF trib_left_out_record *left_out;
    double floor;
    TRIB_IF trib_group_records groups;
    trib_share_records shares;
} trib_influence_record;
TRIB_RECORD_LIST(trib_influence_records, trib_influence_record);

typedef struct trib_ranked_record {
    const char *source;
    double score;
} trib_ranked_record;
TRIB_RECORD_LIST(trib_ranked_records, trib_ranked_record);

typedef struct trib_phrase_record {
    trib_texts words;
    uint64_t target_count, source_count, other_documents;
    double mass;
} trib_phrase_record;
TRIB_RECORD_LIST(trib_phrase_records, trib_phrase_record);

typedef struct trib_cover_record { /* a factor of the evidence */
    double mass;
    uint64_t free_mode;
    trib_text_lists words;
} trib_cover_record;
TRIB_RECORD_LIST(trib_cover_records, trib_cover_record);

/* A place in a text. */
typedef struct trib_place_record {
    uint64_t first, words;
    TRIB_IF const char *reference;
    TRIB_DETAIL TRIB_IF trib_texts text;
    TRIB_WITH(text) bool cut;
    TRIB_IF uint64_t from, to; /* of possible allusions alone */
} trib_place_record;

/* The passages of all sources at one place of the target. */
typedef struct trib_family_record {
    uint64_t number;          /* from 1 in the target's order */
    trib_texts witnesses;     /* ids of the sources, the earliest first */
    TRIB_IF uint64_t places;  /* how often the target says it, if several times */
    uint64_t documents;       /* texts of the corpus that hold it */
    TRIB_IF const char *said; /* quoted, attributed or silent; absent: the text is not known */
    TRIB_IF const char *by;   /* the name or verb that attributes it */
    TRIB_UNWRITTEN uint64_t first, words; /* its words in the target */
} trib_family_record;

typedef struct trib_passage_record {
    const char *id;
    uint64_t words, shared; /* of the target in it; of these, word for word */
    double mass, belief, rarity;
    trib_texts rarest;
    bool notable;
    TRIB_IF bool translated; /* `text` has the units of both texts in the same order */
    TRIB_IF trib_family_record *family;
    trib_place_record *target, *source;
    TRIB_IF const char *note;        /* of a person who judged the passage */
    TRIB_UNWRITTEN const char *json; /* its text in influence.json, not zero-terminated */
    TRIB_UNWRITTEN size_t length;
} trib_passage_record;
TRIB_RECORD_LIST(trib_passage_records, trib_passage_record);

/* The words of a passage; results of earlier versions count those word for word alone. */
static inline uint64_t trib_passage_words(const trib_passage_record *passage) {
    return passage->words > 0 ? passage->words : passage->shared;
}

/* What a target shares with one source, or has by itself. */
typedef struct trib_evidence_record {
    TRIB_IF const char *source; /* absent: the target's own */
    double share;
    uint64_t n_phrases;
    TRIB_DETAIL trib_phrase_records phrases;
    TRIB_POSITIVE uint64_t n_commonplaces; /* 0: none */
    TRIB_DETAIL TRIB_IF trib_phrase_records commonplaces;
    uint64_t n_factors;
    TRIB_DETAIL trib_cover_records factors;
    TRIB_WITH(passages) uint64_t n_passages, n_notable;
    TRIB_POSITIVE uint64_t n_same_places;
    TRIB_IF trib_passage_records passages;
    TRIB_DETAIL TRIB_IF trib_whole_numbers strip;
} trib_evidence_record;
TRIB_RECORD_LIST(trib_evidence_records, trib_evidence_record);

typedef struct trib_shared_word_record {
    const char *feature;
    uint64_t count, target_word, source_word;
} trib_shared_word_record;
TRIB_RECORD_LIST(trib_shared_word_records, trib_shared_word_record);

/* A possible allusion. */
typedef struct trib_parallel_record {
    uint64_t rank;
    double score;
    const char *source;
    trib_shared_word_records shared;
    TRIB_OR_NULL uint64_t distance;
    double cosine;
    trib_place_record *in_target, *in_source;
    TRIB_IF const char *note; /* of a person who judged it */
} trib_parallel_record;
TRIB_RECORD_LIST(trib_parallel_records, trib_parallel_record);

TRIB_ROW typedef struct trib_word_value { /* a word of a factor, and its value there */
    const char *word;
    double value;
} trib_word_value;
TRIB_RECORD_LIST(trib_word_values, trib_word_value);
TRIB_RECORD_LIST(trib_word_value_lists, trib_word_values);

/* An n-gram under a matched factor that both texts hold. */
typedef struct trib_held_record {
    trib_texts words;
    uint64_t target_count, source_count;
} trib_held_record;
TRIB_RECORD_LIST(trib_held_records, trib_held_record);

/* A factor of a target with the nearest factor of a source. */
typedef struct trib_match_record {
    uint64_t component;
    double weight, distance;
    const char *source;
    TRIB_OR_NULL uint64_t source_component;
    TRIB_OR_NULL const char *next_source;
    TRIB_OR_NULL double next_distance;
    TRIB_OR_NULL double phantom_mass;
    TRIB_IF double wildcard_mass;
    trib_word_value_lists words;
    trib_whole_numbers n_words;
    uint64_t n_phrases;
    trib_held_records phrases;
} trib_match_record;
TRIB_RECORD_LIST(trib_match_records, trib_match_record);

TRIB_ROW typedef struct trib_step_record { /* from thresholds[place] on, the share is `share` */
    uint64_t place;
    double share;
} trib_step_record;
TRIB_RECORD_LIST(trib_step_records, trib_step_record);

TRIB_VALUE typedef struct trib_curve_record {
    const char *source;
    trib_step_records steps;
} trib_curve_record;
TRIB_RECORD_LIST(trib_curve_records, trib_curve_record);

typedef struct trib_distances_record {
    trib_reals edges;
    trib_whole_numbers counts;
    trib_reals thresholds;
    TRIB_MAP trib_curve_records steps;
    trib_reals author;
} trib_distances_record;

/* What was found of translations from a source. */
typedef struct trib_translation_record {
    const char *source, *sentence;
    uint64_t target_units, source_units, verbatim_units;
    uint64_t found, covered_units, found_by_chance, covered_by_chance;
    double with_counterpart;
    TRIB_POSITIVE uint64_t planted;
    TRIB_WITH(planted) uint64_t planted_found;
} trib_translation_record;
TRIB_RECORD_LIST(trib_translation_records, trib_translation_record);

/* All about one target. Read without details (lean), it lacks its details. */
typedef struct trib_target_record {
    const char *target;
    uint64_t n_sources;
    TRIB_IF uint64_t admissible;
    double floor;
    const char *floor_from;
    TRIB_IF trib_null_record *null;
    TRIB_MAP trib_influence_records methods;
    TRIB_DETAIL TRIB_IF trib_ranked_records ranking;
    trib_evidence_records evidence;
    TRIB_POSITIVE uint64_t n_same_places; /* 0: none */
    TRIB_IF trib_translation_records translations;
    TRIB_DETAIL TRIB_IF trib_evidence_record *own;
    TRIB_DETAIL trib_match_records matches;
    TRIB_DETAIL uint64_t n_matches;
    TRIB_DETAIL TRIB_OR_NULL trib_distances_record *distances;
    TRIB_DETAIL TRIB_WITH(parallels) uint64_t n_parallels;
    TRIB_DETAIL TRIB_IF trib_parallel_records parallels;
} trib_target_record;

/* How near the factors of a target are to those of one of its sources. */
typedef struct trib_near_record {
    const char *target, *source;
    double mean_distance, matched;
} trib_near_record;
TRIB_RECORD_LIST(trib_near_records, trib_near_record);

/* ---- The network and formulas ---------------------------------------------------------------- */

typedef struct trib_between_record {
    const char *id;
    double held;
} trib_between_record;
TRIB_RECORD_LIST(trib_between_records, trib_between_record);

typedef struct trib_edge_record {
    const char *source, *target;
    double share;
    TRIB_IF double low, high;
    TRIB_IF trib_texts members;
    TRIB_IF bool backward;
    TRIB_IF double held;
    TRIB_IF trib_between_records between;
    TRIB_IF bool ancestor;
} trib_edge_record;
TRIB_RECORD_LIST(trib_edge_records, trib_edge_record);

typedef struct trib_path_record {
    const char *source, *target;
    double direct, through;
    trib_texts along;
} trib_path_record;
TRIB_RECORD_LIST(trib_path_records, trib_path_record);

typedef struct trib_graph_record {
    trib_texts order;
    const char *order_from;
    trib_edge_records edges;
    trib_path_records paths;
} trib_graph_record;

typedef struct trib_formula_record {
    uint64_t words, documents, targets;
    const char *first;
    TRIB_IF const char *date;
    const char *target;
    uint64_t word;
    const char *text;
} trib_formula_record;
TRIB_RECORD_LIST(trib_formula_records, trib_formula_record);

/* ---- Families of phrasing -------------------------------------------------------------------- */

typedef struct trib_item_record { /* of a family, with its part of it, its number or its cosine */
    const char *item;
    double value;
} trib_item_record;
TRIB_RECORD_LIST(trib_item_records, trib_item_record);

typedef struct trib_phrasing_family_record {
    double share; /* of all pairs */
    /* between which the texts of the middle 80 % of it were written; absent: too few have a date */
    TRIB_OR_NULL double first_year, last_year;
    trib_item_records words, phrases, texts, places; /* the largest values first */
} trib_phrasing_family_record;
TRIB_RECORD_LIST(trib_phrasing_family_records, trib_phrasing_family_record);

typedef struct trib_phrasing_record {
    uint64_t texts, words, pairs;
    double divergence;             /* Kullback-Leibler, of the start that is used */
    TRIB_OR_NULL double agreement; /* mean overlap of its families with those of the other starts */
    trib_phrasing_family_records families; /* the largest first */
    const char *cannot_show;
} trib_phrasing_record;

typedef struct trib_families_record { /* what `phrasing --json` prints */
    uint64_t schema;
    trib_phrasing_record phrasing;
} trib_families_record;
/* Texts that are versions of one text, the earliest first. */
typedef struct trib_version_record {
    trib_texts texts;     /* ids */
    TRIB_IF bool is_read; /* versions/ID.html is there, with the id of the first */
} trib_version_record;
TRIB_RECORD_LIST(trib_version_records, trib_version_record);

/* ---- The whole ------------------------------------------------------------------------------- */

/* A target by its id. Its record is read when it is asked for (result.h). */
typedef struct trib_target_text {
    const char *id;
    const char *json; /* in influence.json; not zero-terminated */
    size_t length;
} trib_target_text;
TRIB_RECORD_LIST(trib_target_texts, trib_target_text);

/* How passages were judged: all judges accepted or rejected them, or the judges disagree. */
typedef struct trib_judgements_record {
    uint64_t accepted, rejected;
    TRIB_UNWRITTEN uint64_t passages, disputed; /* passages: all that the run lists */
    TRIB_UNWRITTEN uint64_t both;      /* passages that both of two judges accepted or rejected */
    TRIB_UNWRITTEN double kappa;       /* Cohen's, of these; NaN: unknown */
    TRIB_UNWRITTEN const char *judges; /* "AB and CD"; NULL or "": unknown */
} trib_judgements_record;

/* A whole result, but for the records of its targets (result.h reads them). */
typedef struct trib_result {
    uint64_t schema;
    const char *version, *name, *hash;
    trib_setting_records configuration;
    trib_texts changed;
    trib_corpus_record *corpus;
    TRIB_IF trib_same_words_record *same_words;
    trib_document_records documents;
    trib_method_records methods;
    const char *headline;
    double threshold;
    trib_target_texts targets;
    TRIB_IF trib_near_records distances;
    TRIB_IF trib_graph_record *graph;
    TRIB_WITH(formulas) uint64_t n_formulas;
    TRIB_IF trib_formula_records formulas;
    TRIB_IF trib_phrasing_record *phrasing;
    TRIB_IF trib_version_records versions;
    trib_texts warnings;
    TRIB_IF trib_judgements_record *judgements; /* only with `report --judgements` */

    /* Not in influence.json: what the members lie in. */
    TRIB_UNWRITTEN trib_arena arena;
    TRIB_UNWRITTEN trib_mapped_file file;
    TRIB_UNWRITTEN trib_buffer text;
    TRIB_UNWRITTEN const trib_document_record **by_id; /* [documents.n] sorted by id */
} trib_result;

#endif
