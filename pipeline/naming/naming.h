/* naming.h - the headers of the room naming: what texts are called.
 *
 * This room makes ids from names, finds the text that a name means, and the word that was probably
 * meant by one that is not known. It may use base and support.
 *
 * - ids.h: characters of ids, equal names
 * - called.h: a document by its id, title or file, or the beginning of one
 * - run_names.h: the same in a finished run
 * - guess.h: "did you mean" */
#ifndef TRIBUTARY_NAMING_NAMING_H
#define TRIBUTARY_NAMING_NAMING_H

#include "pipeline/naming/called.h"
#include "pipeline/naming/guess.h"
#include "pipeline/naming/ids.h"
#include "pipeline/naming/run_names.h"

#endif
