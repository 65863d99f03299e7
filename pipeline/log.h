/* log.h - everything said on standard error: log lines, warnings, progress, and the same as JSON lines in log.jsonl.
 * Private to pipeline. */
#ifndef TRIBUTARY_LOG_H
#define TRIBUTARY_LOG_H

#include "base/base.h"

typedef struct trib_log trib_log;

#endif
