/* address.h - where a document is: the path of a file, or of a text inside a file. Private to
 * pipeline.
 *
 * A path that continues after a file names a text inside it: "books.zip/one.txt" is a member of the
 * archive, "papers.jsonl/17" the value of "text" in line 17 (from 1), and "volume.xml/2" the second
 * text of a file of TEI. A table or JSON Lines may be followed by the name of the column of the
 * texts, "papers.csv#speech/17", unless there is a file with such a name. "-" is standard input. */
#ifndef TRIBUTARY_TEXT_ADDRESS_H
#define TRIBUTARY_TEXT_ADDRESS_H

#include "base/base.h"

/* Length of the leading part of `path` that names a file, possibly with a column, when the path
 * continues after it; otherwise 0. */
size_t trib_address_split(const char *path);
/* The name of the column after a file and '#', when `path` ends with one; otherwise NULL. */
const char *trib_address_column(const char *path);
/* Whether a text can be read at an address, as far as the name and the file system show. */
bool trib_address_is_there(const char *path);
/* TRIB_INPUT when the file of an address is a pipe or a device. Opening it could block for ever,
 * and a run reads each document twice. */
trib_status trib_address_check(const char *path, trib_error *error);

/* A hash of the size and times of the file of an address, which changes when the file does. 0 when
 * there is no file. */
uint64_t trib_address_stamp(const char *path);

#endif
