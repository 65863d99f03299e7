/* robots.c - parses robots.txt (RFC 9309). */
#include "pipeline/program/robots.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

typedef struct span {
    const char *at;
    size_t n;
} span;

static span trim(const char *from, const char *to) {
    while (from < to && isspace((unsigned char)*from)) from++;
    while (to > from && isspace((unsigned char)to[-1])) to--;
    return (span){from, (size_t)(to - from)};
}

static bool is(span s, const char *word) {
    return s.n == strlen(word) && strncasecmp(s.at, word, s.n) == 0;
}

/* Reads the next line "name: value", without a comment. false at the end of the text. */
static bool next_record(const char **at, const char *end, span *name, span *value) {
    while (*at < end) {
        const char *line = *at, *stop = memchr(line, '\n', (size_t)(end - line));
        if (!stop) stop = end;
        *at = stop < end ? stop + 1 : end;
        const char *comment = memchr(line, '#', (size_t)(stop - line));
        if (comment) stop = comment;
        const char *colon = memchr(line, ':', (size_t)(stop - line));
        if (!colon) continue;
        *name = trim(line, colon);
        *value = trim(colon + 1, stop);
        return true;
    }
    return false;
}

/* Whether the path matches the pattern, from its beginning. */
static bool fits(span pattern, const char *path) {
    const char *p = pattern.at, *const end = p + pattern.n, *star = NULL, *mark = path;
    while (p < end) {
        if (*p == '*') {
            star = ++p;
            mark = path;
        } else if (*p == '$' && p + 1 == end && !*path) {
            return true;
        } else if (*path && *p == *path) {
            p++;
            path++;
        } else {
            if (!star || !*mark) return false;
            p = star;
            path = ++mark;
        }
    }
    return true;
}

/* Reads a number of seconds from 0 to a day; 0 for any other text. */
static double read_delay(span value) {
    char text[32];
    double delay = 0;
    if (value.n >= sizeof text) return 0;
    memcpy(text, value.at, value.n);
    text[value.n] = '\0';
    return trib_read_double(text, &delay) && delay >= 0 && delay <= 86400 ? delay : 0;
}

/* Applies the groups of one agent. false when there are none. */
static bool ask_groups(const char *text, size_t length, const char *agent, const char *path,
                       trib_robots_word *word) {
    const char *at = text, *const end = text + length;
    /* names: the last line was a user-agent line */
    bool is_named = false, applies = false, names = false;
    size_t longest = 0;
    span name, value;
    *word = (trib_robots_word){.is_allowed = true};
    while (next_record(&at, end, &name, &value)) {
        if (is(name, "user-agent")) {
            applies = is(value, agent) || (names && applies);
            names = true;
            is_named = is_named || applies;
            continue;
        }
        names = false;
        const bool allows = is(name, "allow");
        if (applies && is(name, "crawl-delay")) word->delay = read_delay(value);
        if (!applies || (!allows && !is(name, "disallow")) || value.n == 0 || !fits(value, path))
            continue;
        if (value.n < longest || (value.n == longest && !allows)) continue;
        longest = value.n;
        word->is_allowed = allows;
    }
    return is_named;
}

trib_robots_word trib_robots_ask(const char *text, size_t length, const char *agent,
                                 const char *path) {
    trib_robots_word word;
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        length -= 3;
    }
    if (!ask_groups(text, length, agent, path, &word)) ask_groups(text, length, "*", path, &word);
    return word;
}
