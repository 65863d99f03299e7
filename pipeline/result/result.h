/* result.h - the room `result`: the record of all that a run found (record.h), described by one
 * table of fields (fields.h), from which influence.json is read and written. To add a member of
 * influence.json, add it to its record, and say what it means in
 * docs/run-directory/influence-json.tsv.
 *
 * A result of many targets is large. It is opened without them; the record of a target is read when
 * it is asked for, into an arena of the caller, and released with it. Private to the program. */
#ifndef TRIBUTARY_RESULT_RESULT_H
#define TRIBUTARY_RESULT_RESULT_H

#include <pthread.h>

#include "pipeline/result/running_text.h"

/* Opens influence.json of a run directory. TRIB_USAGE if it is none; TRIB_INPUT if the file is
 * damaged or of another schema. The caller releases *result, also after a failure. */
trib_status trib_result_open(trib_result *result, const char *run_directory, trib_error *error);
/* The same of a text, which must outlive the result; `name` is used in messages. */
trib_status trib_result_read(trib_result *result, const char *name, const char *text, size_t length,
                             trib_error *error);
void trib_result_release(trib_result *result);

/* Reads target t into an arena. Lean: without its details (record.h), of the methods the
 * headline alone, and of a result of more than 40 targets, of the passages with each source the
 * longest and the longest notable one. After a failure, which the arena keeps, the record is empty.
 * Several threads may read the same result. */
const trib_target_record *trib_target_read(const trib_result *result, size_t t, trib_arena *arena);
const trib_target_record *trib_target_read_lean(const trib_result *result, size_t t,
                                                trib_arena *arena);

/* Reads a passage again from its text, into another arena; n: how many were read before, so that
 * the file is taken out of memory now and then. Never NULL, as above. */
const trib_passage_record *trib_passage_read(const trib_result *result, const char *json,
                                             size_t length, size_t n, trib_arena *arena);

/* The target with this id; n when there is none. */
size_t trib_result_target_place(const trib_result *result, const char *id);
/* Finds the target that a name means: an id, a title, a file name or the beginning of one of these
 * (pipeline/support/names.h). Without a name (NULL) it is the only target. `run`: what messages
 * call the run. *id belongs to the result. TRIB_USAGE: no target has the name, or several have.
 * TRIB_MEMORY. */
trib_status trib_result_find_target(const trib_result *result, const char *run, const char *name,
                                    const char **id, trib_error *error);
/* The same among all texts of the run; *id is NULL without a name. */
trib_status trib_result_find_document(const trib_result *result, const char *run, const char *name,
                                      const char **id, trib_error *error);
/* The document with this id (may be NULL), or NULL; its title, without a document the id. */
const trib_document_record *trib_result_document_of(const trib_result *result, const char *id);
const char *trib_result_title(const trib_result *result, const char *id);
/* The value of a setting, as "report.text"; "" when there is none. */
const char *trib_result_setting(const trib_result *result, const char *key);
/* The title of the corpus; where it has none, the name of the experiment. */
const char *trib_result_corpus_title(const trib_result *result);
/* The method of a target with this name, or NULL; that of the headline. */
const trib_influence_record *trib_target_method(const trib_target_record *target, const char *name);
const trib_influence_record *trib_target_headline(const trib_result *result,
                                                  const trib_target_record *target);
/* The share of a source by a method (may be NULL), or NULL; the evidence from a source, or NULL. */
const trib_share_record *trib_method_share(const trib_influence_record *method, const char *source);
const trib_evidence_record *trib_target_evidence(const trib_target_record *target,
                                                 const char *source);
/* The group of a method whose first member this is, or NULL. */
const trib_group_record *trib_method_group(const trib_influence_record *method, const char *first);

/* Any bytes, such as a file name, as a text that JSON can hold: bytes that are not UTF-8 become
 * \xNN. */
const char *trib_result_utf8(trib_arena *arena, const char *bytes);
/* Makes a result ready for use that was filled in, not read. */
trib_status trib_result_complete(trib_result *result, trib_error *error);
/* Writes influence.json, its targets as their texts are. TRIB_INTERNAL when a number is not
 * finite. */
trib_status trib_result_write(const trib_result *result, trib_writer *writer, trib_error *error);
/* Writes a target as it stands in influence.json of so many targets. */
trib_status trib_target_write(const trib_target_record *target, size_t n_targets,
                              trib_writer *writer, trib_error *error);
trib_status trib_summary_record_write(const trib_summary_record *summary, trib_writer *writer,
                                      trib_error *error);
/* Writes what `phrasing --json` prints. */
trib_status trib_phrasing_write(const trib_phrasing_record *phrasing, trib_writer *writer,
                                trib_error *error);
/* Writes manifest.json. */
trib_status trib_manifest_write(const trib_manifest_record *manifest, trib_writer *writer,
                                trib_error *error);

/* ---- A result that is being made or changed (store.c) ---------------------------------------- */

/* The texts of the targets of a result that is being made: in a scratch file, so that no more
 * targets are in memory than are made at a time. `{0}` may be released. */
typedef struct trib_target_store {
    trib_writer writer; /* of the scratch file */
    size_t n;
    trib_arena ids;
    trib_target_text *text; /* [n] `json` is set at the end */
    uint64_t *end;          /* [n] offset after each text */
    pthread_mutex_t lock;
    bool is_open;
} trib_target_store;

/* Opens a scratch file in a folder for n targets. The caller releases the store, also after a
 * failure. TRIB_OUTPUT, TRIB_MEMORY. */
trib_status trib_target_store_open(trib_target_store *store, const char *scratch, size_t n,
                                   trib_error *error);
/* Writes target t, once for each, in any order. Several threads may call it. */
trib_status trib_target_store_put(trib_target_store *store, size_t t,
                                  const trib_target_record *target, trib_error *error);
/* Gives the texts to a result once all are put: its target i is order[i]. */
trib_status trib_target_store_finish(trib_target_store *store, const uint32_t *order,
                                     trib_result *result, trib_error *error);
void trib_target_store_release(trib_target_store *store);

/* Changes a record of a target, whose new members lie in the arena. */
typedef trib_status trib_target_change(void *context, trib_target_record *target, trib_arena *arena,
                                       trib_error *error);
/* Changes each target of a result, in order. After a failure the result can only be released. */
trib_status trib_result_change(trib_result *result, trib_target_change *change, void *context,
                               trib_error *error);

#endif
