/* robots.h - the rules of a server's robots.txt for a program (RFC 9309). Private to pipeline. */
#ifndef TRIBUTARY_PROGRAM_ROBOTS_H
#define TRIBUTARY_PROGRAM_ROBOTS_H

#include "base/base.h"

typedef struct trib_robots_word {
    bool is_allowed;
    double delay; /* seconds between two requests; 0: not specified */
} trib_robots_word;

/* Applies robots.txt, text[length], to a path that begins with '/'. The groups of `agent` apply, or
 * those of "*" when there are none. The longest matching rule decides; among equally long ones, one
 * that allows. In rules, `*` matches any text and `$` the end. Invalid lines are skipped. Without a
 * matching rule, the path is allowed. */
trib_robots_word trib_robots_ask(const char *text, size_t length, const char *agent,
                                 const char *path);

#endif
