/* robots.h - what a server's robots.txt says of a program (RFC 9309). Private to pipeline. */
#ifndef TRIBUTARY_FETCH_ROBOTS_H
#define TRIBUTARY_FETCH_ROBOTS_H

#include "base/base.h"

typedef struct trib_robots_word {
    bool is_allowed;
    double delay; /* seconds between two requests; 0: not asked for */
} trib_robots_word;

/* What text[length] says to `agent`, or where it names nobody of that name to all ("*"), of a path
 * that begins with '/'. The longest rule that fits decides, of two as long the one that allows; `*`
 * is any text, `$` the end. What is no rule is passed over; without one that fits all is
 * allowed. */
trib_robots_word trib_robots_ask(const char *text, size_t length, const char *agent,
                                 const char *path);

#endif
