/* finds.h - the list of all passages of all pairs, also as data for the script (finds_list.c).
 * Private to the room `report`. */
#ifndef TRIBUTARY_REPORT_FINDS_H
#define TRIBUTARY_REPORT_FINDS_H

#include "pipeline/report/report.h"

/* A passage that a target shares with a source. */
struct trib_find {
    const trib_passage_record *passage; /* NULL: only the text is there */
    const char *json;                   /* its text in influence.json, of `length` bytes */
    size_t length;
    const trib_report_target *target;
    size_t source;   /* place in the documents of the result */
    size_t number;   /* in the order of the result, from 0 */
    double rarity;   /* the sum over its shared words; NaN: not in the result */
    uint64_t shared; /* words that both sides hold */
};

/* Of targets with pages of their own, only the finds that the first page has are kept whole: the
 * strongest. A file of the list has TRIB_FINDS_MOST. A report of many targets has at most
 * TRIB_FINDS_FILES of them, a single page one. The others, which are weaker, are on the pages of
 * the targets, and in passages.tsv. */
enum { TRIB_FINDS_LISTED = 100, TRIB_FINDS_MOST = 10000, TRIB_FINDS_FILES = 10 };
/* Adds the passages of a target to report->find, which trib_report_release releases, and puts them
 * in order when all are added. All finds of a result that was judged are kept whole. */
trib_status trib_report_finds_add(trib_report *report, size_t target,
                                  const trib_target_record *record, trib_error *error);
trib_status trib_report_finds_finish(trib_report *report, trib_error *error);

/* The id of a find, of at most TRIB_FIND_ID_MAX - 1 bytes, unique in the report and the same in
 * every report of a run. It is made of letters that need no escape in a link. */
enum { TRIB_FIND_ID_MAX = 320 };
void trib_find_id(const trib_find *find, char id[TRIB_FIND_ID_MAX]);

/* The number of files of the list: 1 or more; of a single page, which has the list itself, 1. */
size_t trib_report_n_finds_files(const trib_report *report);
/* Writes file `file` of the list, from 0. The first is {"texts": [[id, title, author, date, is a
 * target], ...], "finds": [[id, target, source, shared, rarity, percent, target first, target
 * words, source first, source words, target text, source text], ...]}. Target and source are
 * indexes in "texts", `percent` is the part of the target. A date that is not in the form of ISO
 * 8601 is [first year, last year, the year between them that the text is counted under], where an
 * open end is null. A text is a list of pieces, as in
 * influence.json; a piece of the source that is equal to a piece of the target is written as the
 * index of that piece. A text that was shortened has a last element true. Where the file has not
 * all finds, "all" is the number of all; where others have more, "files" is the number of files.
 * The others have "finds" only. The JSON contains no character that could end a script element. */
void trib_report_finds_data(const trib_report *report, size_t file, trib_writer *writer);

#endif
