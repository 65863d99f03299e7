/* running_text.h - the records of what is written beside influence.json: manifest.json, the summary
 * as JSON, and read/ID.json, the text of a target as its file spells it, in blocks of one or a few
 * paragraphs, with the passages that it shares with its sources (docs/run-directory/reading.md).
 * Private to the program. */
#ifndef TRIBUTARY_RESULT_RUNNING_TEXT_H
#define TRIBUTARY_RESULT_RUNNING_TEXT_H

#include "pipeline/result/record.h"

/* ---- manifest.json --------------------------------------------------------------------------- */

typedef struct trib_input_record {
    const char *id, *file;
    uint64_t bytes;
    TRIB_OR_NULL const char *sha256; /* absent: of a document that could not be used */
} trib_input_record;
TRIB_RECORD_LIST(trib_input_records, trib_input_record);

/* What a run read. */
typedef struct trib_manifest_record {
    uint64_t schema;
    const char *program, *version;
    TRIB_OR_NULL const char *commit;
    const char *icu, *hash;
    trib_input_records inputs;
} trib_manifest_record;

/* ---- The summary as JSON --------------------------------------------------------------------- */

typedef struct trib_shown_passage_record {
    const char *with; /* the source */
    trib_passage_record passage;
} trib_shown_passage_record;

typedef struct trib_summary_target_record {
    const char *target, *method;
    TRIB_IF trib_shown_passage_record *longest_passage, *rarest_passage;
    double floor, author;
    trib_share_records shares;
    TRIB_IF double formula;
    TRIB_IF trib_ranked_records ranking;
    TRIB_IF trib_group_records groups;
    TRIB_IF trib_evidence_records evidence;
    TRIB_IF trib_translation_records translations;
    TRIB_IF trib_parallel_records parallels;
} trib_summary_target_record;
TRIB_RECORD_LIST(trib_summary_target_records, trib_summary_target_record);

/* What `run --json` and `explain --json` print. */
typedef struct trib_summary_record {
    uint64_t schema;
    TRIB_IF const char *directory, *experiment;
    TRIB_IF double seconds, peak_bytes;
    TRIB_IF uint64_t warnings;
    TRIB_OR_NULL trib_summary_target_records targets;
} trib_summary_record;

/* ---- read/ID.json ---------------------------------------------------------------------------- */

/* A source that words are traced to. */
typedef struct trib_running_source {
    const char *source;
    uint64_t words, passages;
} trib_running_source;
TRIB_RECORD_LIST(trib_running_sources, trib_running_source);

/* A passage that the text shares with a source. */
typedef struct trib_running_passage {
    TRIB_OR_NULL uint64_t source;
    uint64_t first, words, source_first, source_words, agree, altered;
    TRIB_IF const char *reference, *source_reference;
    TRIB_IF double probability;
    TRIB_IF bool translated;
    TRIB_IF trib_texts text;
} trib_running_passage;
TRIB_RECORD_LIST(trib_running_passages, trib_running_passage);

/* Where in a block the reference changes. */
TRIB_ROW typedef struct trib_running_reference {
    const char *reference;
    TRIB_OR_NULL uint64_t piece, byte;
} trib_running_reference;
TRIB_RECORD_LIST(trib_running_references, trib_running_reference);

/* A block of the text, in pieces of which every second one is traced. */
typedef struct trib_running_block {
    uint64_t first, words;
    const char *starts;
    trib_texts text;                     /* an odd number of pieces */
    TRIB_IF trib_whole_numbers passages; /* of the traced pieces; may be absent */
    TRIB_IF trib_whole_numbers beside;   /* first words of these in the other texts */
    TRIB_IF const char *reference;
    TRIB_IF trib_running_references references;
    TRIB_IF bool wrapped, omitted;
} trib_running_block;
TRIB_RECORD_LIST(trib_running_blocks, trib_running_block);

/* The text of a target. One that was read has no number outside its bounds: places lie in the text
 * and in their lists. */
typedef struct trib_running_text {
    uint64_t schema;
    const char *target;
    uint64_t words;
    trib_running_sources sources;
    trib_running_passages passages; /* numbered from 1 */
    trib_running_blocks blocks;
} trib_running_text;

/* The number of the passage of a block's traced piece k, from 0; 0 after the last. */
static inline size_t trib_running_passage_at(const trib_running_block *block, size_t k) {
    return k < block->passages.n ? (size_t)block->passages.item[k] : 0;
}
/* Reads RUN/read/ID.json into an arena. *text is NULL when there is no such file. TRIB_INPUT if the
 * file is damaged. */
trib_status trib_running_text_read(const trib_running_text **text, trib_arena *arena,
                                   const char *run_directory, const char *target,
                                   trib_error *error);
/* Writes read/ID.json. is_long: with each value on a line, as for a terminal. */
trib_status trib_running_text_write(const trib_running_text *text, bool is_long,
                                    trib_writer *writer, trib_error *error);

#endif
