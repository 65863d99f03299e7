/* support.h - the headers of the room support, which every other room may use.
 *
 * This room has tools that know nothing of texts, stages or configurations: the log, files, and the
 * memory of the process. A newcomer adds a tool here when at least two rooms need it, and base
 * cannot have it because it prints, reads the clock or chooses paths.
 *
 * - log.h, warnings.h, signals.h: messages, progress, requests to stop
 * - terminal.h, repeated_errors.h: texts for a person at a terminal
 * - html.h, tables.h, json.h, pack.h, utf8.h: writing and reading of formats
 * - path.h, unnamed_file.h, embedded.h: files
 * - memory_limit.h, gate.h: the memory of the process and of its threads */
#ifndef TRIBUTARY_SUPPORT_SUPPORT_H
#define TRIBUTARY_SUPPORT_SUPPORT_H

#include "pipeline/support/embedded.h"
#include "pipeline/support/gate.h"
#include "pipeline/support/html.h"
#include "pipeline/support/json.h"
#include "pipeline/support/log.h"
#include "pipeline/support/memory_limit.h"
#include "pipeline/support/pack.h"
#include "pipeline/support/path.h"
#include "pipeline/support/repeated_errors.h"
#include "pipeline/support/signals.h"
#include "pipeline/support/tables.h"
#include "pipeline/support/terminal.h"
#include "pipeline/support/utf8.h"
#include "pipeline/support/warnings.h"

#endif
