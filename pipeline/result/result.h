/* result.h - the room `result`: the record of all that a run found (record.h), described by one
 * table of fields (fields.c), from which influence.json is read and written. To add a member of
 * influence.json, add it to its record and a row to its table.
 *
 * A result of many targets is large. It is opened without them; the record of a target is read when
 * it is asked for, into an arena of the caller, and released with it. Private to the program. */
#ifndef TRIBUTARY_RESULT_RESULT_H
#define TRIBUTARY_RESULT_RESULT_H

#include "pipeline/result/record.h"

/* Opens influence.json of a run directory. TRIB_USAGE if it is none; TRIB_INPUT if the file is
 * damaged or of another schema. The caller releases *result, also after a failure. */
trib_status trib_result_open(trib_result *result, const char *run_directory, trib_error *error);
/* The same of a text, which must outlive the result; `name` is used in messages. */
trib_status trib_result_read(trib_result *result, const char *name, const char *text, size_t length,
                             trib_error *error);
void trib_result_release(trib_result *result);

/* Reads target t into an arena. Lean: without what fields.c marks as details, of the methods the
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
/* The document with this id (may be NULL), or NULL; its title, without a document the id. */
const trib_document_record *trib_result_document_of(const trib_result *result, const char *id);
const char *trib_result_title(const trib_result *result, const char *id);
/* The value of a setting, as "report.text"; "" when there is none. */
const char *trib_result_setting(const trib_result *result, const char *key);
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
/* Writes manifest.json. */
trib_status trib_manifest_write(const trib_manifest_record *manifest, trib_writer *writer,
                                trib_error *error);

#endif
