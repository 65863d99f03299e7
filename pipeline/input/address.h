/* address.h - where a document is: the path of a file, or of something within a file. Private to
 * pipeline.
 *
 * A path that goes on behind a file names what is in it: "books.zip/one.txt" is a member of the
 * archive, "papers.jsonl/17" the text of line 17 (from 1; the value of "text"). "-" is standard
 * input. */
#ifndef TRIBUTARY_INPUT_ADDRESS_H
#define TRIBUTARY_INPUT_ADDRESS_H

#include "base/base.h"

/* Bytes of the leading part of `path` that is a file while the path goes on behind it; 0: there is
 * none. */
size_t trib_address_split(const char *path);
/* Whether something can be read at an address, as far as names tell. */
bool trib_address_is_there(const char *path);
/* TRIB_INPUT when an address lies in a pipe or a device: opening it may wait for ever, and a run
 * reads a document twice. */
trib_status trib_address_check(const char *path, trib_error *error);

/* What changes when the file does that lies at an address: a mix of its size and times; 0 when
 * there is none. */
uint64_t trib_address_stamp(const char *path);

#endif
