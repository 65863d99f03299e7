/* gutenberg_library.c - downloads e-texts of Project Gutenberg by number, and lists them in a
 * manifest. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <strings.h>
#include <sys/file.h>
#include <unistd.h>

#include "pipeline/config/yaml.h"
#include "pipeline/program/fetch.h"
#include "pipeline/support/path.h"
#include "pipeline/support/utf8.h"
#include "pipeline/text/strip.h"

trib_span trib_trimmed(trib_span s) {
    while (s.n > 0 && isspace((unsigned char)*s.at)) s.at++, s.n--;
    while (s.n > 0 && isspace((unsigned char)s.at[s.n - 1])) s.n--;
    return s;
}

/* ---- The head of an e-text ------------------------------------------------------------------- */

/* The value of "Title: ..." in head[n], with its indented continuation lines; NULL when there is
 * none. */
static trib_status read_field(const char **value, const char *head, size_t n, const char *name,
                              trib_arena *arena, trib_error *error) {
    const size_t n_name = strlen(name);
    TRIB_OWNED(trib_buffer) text = {0}, decoded = {0};
    bool inside = false;
    for (size_t i = 0; i < n;) {
        const char *line = head + i, *end = memchr(line, '\n', n - i);
        const size_t length = end ? (size_t)(end - line) : n - i;
        const bool begins = length > n_name && strncmp(line, name, n_name) == 0;
        const size_t skip = begins && !inside ? n_name : 0;
        const trib_span part = trib_trimmed((trib_span){line + skip, length - skip});
        i += length + 1;
        if (inside && (part.n == 0 || line[0] != ' ')) break;
        if (!inside && (!begins || part.n == 0)) continue;
        if (inside) trib_buffer_add(&text, " ", 1, error);
        trib_buffer_add(&text, part.at, part.n, error);
        inside = true;
    }
    trib_status status = text.failure;
    const bool is_utf8 = trib_is_utf8(text.text, text.length);
    if (status == TRIB_OK && text.length > 0)
        status = trib_excerpt(&decoded, is_utf8 ? "UTF-8" : "windows-1252", text.text, text.length,
                              error);
    *value = NULL;
    if (status == TRIB_OK && decoded.length > 0) {
        *value = trib_arena_copy(arena, decoded.text, decoded.length);
        status = trib_arena_check(arena, error);
    }
    return status;
}

/* The number in "[eBook #1342]" or "[Etext #1524]"; 0 when there is none. */
static uint64_t number_of(const char *head, size_t n) {
    static const char *const names[] = {"ebook #", "etext #"};
    for (size_t i = 0; i + 8 < n; i++)
        for (size_t k = 0; k < 2; k++) {
            if (strncasecmp(head + i, names[k], 7) != 0) continue;
            uint64_t number = 0;
            for (size_t j = i + 7; j < n && isdigit((unsigned char)head[j]) && number < 100000000;
                 j++)
                number = number * 10 + (uint64_t)(head[j] - '0');
            if (number > 0) return number;
        }
    return 0;
}

trib_status trib_etext_check(trib_etext *etext, const char *name, uint64_t number, const char *text,
                             size_t length, trib_arena *arena, trib_error *error) {
    TRIB_OWNED(trib_text_ranges) kept = {0};
    *etext = (trib_etext){0};
    trib_status status = trib_stripper_find("gutenberg")->find(&kept, name, text, length, error);
    const bool is_found = status == TRIB_OK && kept.n > 0 &&
                          !(kept.n == 1 && kept.range[0].to - kept.range[0].from == length);
    const size_t n_head = is_found ? kept.range[0].from : 0;
    const uint64_t said = number_of(text, n_head);
    if (!is_found && (status == TRIB_OK || status == TRIB_INPUT))
        status = trib_fail(error, TRIB_INPUT, "%s: is not a text of Project Gutenberg", name);
    else if (is_found && kept.range[kept.n - 1].to == length)
        status = trib_fail(error, TRIB_INPUT,
                           "%s: lacks the end of a Project Gutenberg text; it is truncated", name);
    else if (said != 0 && said != number)
        status = trib_fail(error, TRIB_INPUT, "%s: is number %llu, not %llu", name,
                           (unsigned long long)said, (unsigned long long)number);
    if (status == TRIB_OK) status = read_field(&etext->title, text, n_head, "Title:", arena, error);
    return status == TRIB_OK ? read_field(&etext->author, text, n_head, "Author:", arena, error)
                             : status;
}

/* ---- The manifest ---------------------------------------------------------------------------- */

static const char heading[] = "# Texts fetched by `tributary fetch gutenberg`. Dates of the works "
                              "are not in them: add date: \"1813\" where the\n"
                              "# order matters. What stands here stays when more is fetched.\n"
                              "title: Texts of Project Gutenberg\n"
                              "obtain: {kind: gutenberg}\n"
                              "documents:\n";

/* Fails when a document cannot be appended to the manifest, which a user may have edited. */
static trib_status check_manifest(const char *path, const char *text, const char *file,
                                  trib_error *error) {
    TRIB_OWNED(trib_yaml) yaml = {0};
    trib_diagnostics none = {0};
    trib_status status = trib_yaml_parse(&yaml, path, text, &none, error);
    uint32_t last = 0;
    for (uint32_t item = trib_yaml_is_empty(&yaml)
                             ? 0
                             : trib_yaml_first(&yaml, trib_yaml_find(&yaml, 1, "documents"));
         item; item = trib_yaml_next(&yaml, item))
        last = item;
    const uint32_t named = last && trib_yaml_kind_of(&yaml, last) == TRIB_YAML_MAP
                               ? trib_yaml_find(&yaml, last, "file")
                               : 0;
    if (status == TRIB_OK && (!named || strcmp(trib_yaml_text(&yaml, named), file + 6) != 0))
        status = trib_fail(error, TRIB_INPUT,
                           "%s: does not end in its list of documents, so that '%s' cannot be "
                           "added; add it by hand",
                           path, file);
    return status;
}

/* Adds a document to the manifest, unless its file is already listed. */
static trib_status list_etext(const char *directory, uint64_t number, const trib_etext *etext,
                              trib_error *error) {
    char path[4096], file[64];
    TRIB_OWNED(trib_buffer) text = {0};
    trib_status status = TRIB_OK;
    snprintf(path, sizeof path, "%s/gutenberg.yaml", directory);
    snprintf(file, sizeof file, "file: pg%llu.txt", (unsigned long long)number);
    if (trib_disk_has(path)) status = trib_read_whole(path, &text, error);
    else trib_buffer_add(&text, heading, sizeof heading - 1, error);
    if (status == TRIB_OK) status = trib_buffer_add(&text, "", 0, error);
    if (status != TRIB_OK || strstr(text.text, file)) return status;
    if (text.length > 0 && text.text[text.length - 1] != '\n')
        trib_buffer_add(&text, "\n", 1, error);
    trib_buffer_print(&text, error, "  - {id: pg%llu, %s, title: ", (unsigned long long)number,
                      file);
    trib_yaml_quote(&text, etext->title ? etext->title : file + 6, true, error);
    if (etext->author) {
        trib_buffer_print(&text, error, ", author: ");
        trib_yaml_quote(&text, etext->author, true, error);
    }
    status = trib_buffer_print(&text, error, ", from: \"%llu\"}\n", (unsigned long long)number);
    if (status == TRIB_OK) status = check_manifest(path, text.text, file, error);
    if (status == TRIB_OK) status = trib_write_whole(path, text.text, text.length, error);
    return status;
}

/* ---- robots.txt (RFC 9309) ------------------------------------------------------------------- */

static bool is(trib_span s, const char *word) {
    return s.n == strlen(word) && strncasecmp(s.at, word, s.n) == 0;
}

/* Reads the next line "name: value", without a comment. false at the end of the text. */
static bool next_record(const char **at, const char *end, trib_span *name, trib_span *value) {
    while (*at < end) {
        const char *line = *at, *stop = memchr(line, '\n', (size_t)(end - line));
        if (!stop) stop = end;
        *at = stop < end ? stop + 1 : end;
        const char *comment = memchr(line, '#', (size_t)(stop - line));
        if (comment) stop = comment;
        const char *colon = memchr(line, ':', (size_t)(stop - line));
        if (!colon) continue;
        *name = trib_trimmed((trib_span){line, (size_t)(colon - line)});
        *value = trib_trimmed((trib_span){colon + 1, (size_t)(stop - colon - 1)});
        return true;
    }
    return false;
}

/* Whether the path matches the pattern, from its beginning. */
static bool fits(trib_span pattern, const char *path) {
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
static double read_delay(trib_span value) {
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
    trib_span name, value;
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

/* ---- Fetching -------------------------------------------------------------------------------- */

/* The paths under which mirrors store text number N, as trib_gutenberg_path reads them. */
static const char *const layouts[] = {
    "cache/epub/N/pgN.txt",                    /* generated from one of the others, in UTF-8 */
    "D/N/N-0.txt", "D/N/N-8.txt", "D/N/N.txt", /* UTF-8, Latin-1, ASCII */
    /* the same without directories by digit */
    "files/N/N-0.txt", "files/N/N-8.txt", "files/N/N.txt",
    "ebooks/N.txt.utf-8", /* redirects to the first */
};
enum { N_LAYOUTS = sizeof layouts / sizeof *layouts };

const char *trib_gutenberg_path(trib_arena *arena, uint64_t number, const char *layout) {
    char digits[24], path[256], *at = path;
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    for (; *layout; layout++) {
        if (*layout == 'N') at += sprintf(at, "%s", digits);
        else if (*layout != 'D') *at++ = *layout;
        else if (!digits[1]) *at++ = '0';
        else
            for (const char *d = digits; d[1]; d++)
                at += sprintf(at, d > digits ? "/%c" : "%c", *d);
    }
    return trib_arena_copy(arena, path, (size_t)(at - path));
}

/* Length of an address up to its path: "https://host:port". */
static size_t site_length(const char *url) {
    const char *const colon = strstr(url, "://"), *const host = colon ? colon + 3 : url;
    return (size_t)(host - url) + strcspn(host, "/");
}

/* Requests robots.txt of a site. Without one, everything is allowed. When the site cannot be
 * reached, the next request reports it. */
static trib_status read_rules(trib_fetch *fetch, trib_fetch_site *site, trib_error *error) {
    bool is_there = false;
    char url[sizeof site->name + 16];
    const int attempts = fetch->attempts;
    snprintf(url, sizeof url, "%s/robots.txt", site->name);
    fetch->attempts = 1;
    fetch->is_rules = true;
    trib_status status = trib_fetch_get(fetch, url, &site->rules, &is_there, error);
    fetch->attempts = attempts;
    fetch->is_rules = false;
    if (status == TRIB_INPUT && fetch->code >= 500) /* RFC 9309, section 2.3.1.4 */
        status = trib_fail(error, TRIB_INPUT,
                           "%s: cannot be read (status %ld), so that nothing is requested; try "
                           "again later, or use another --mirror",
                           url, fetch->code);
    else if (status == TRIB_INPUT) {
        trib_buffer_clear(&site->rules);
        status = TRIB_OK;
    }
    if (status != TRIB_OK) site->name[0] = '\0';
    return status;
}

/* Whether the robots.txt of its site, which is requested once, allows an address. Adopts the pause
 * between requests that it asks for. */
static trib_status ask_rules(trib_fetch *fetch, const char *url, bool *may, trib_error *error) {
    const size_t n = site_length(url);
    trib_fetch_site *site = fetch->site;
    trib_status status = TRIB_OK;
    while (site->name[0] && (strlen(site->name) != n || memcmp(site->name, url, n) != 0) &&
           site + 1 < fetch->site + TRIB_FETCH_SITES)
        site++;
    if (n >= sizeof site->name)
        return trib_fail(error, TRIB_INPUT, "%.200s...: its name is too long", url);
    if (strlen(site->name) != n || memcmp(site->name, url, n) != 0) {
        snprintf(site->name, sizeof site->name, "%.*s", (int)n, url);
        status = read_rules(fetch, site, error);
    }
    if (status != TRIB_OK) return status;
    const trib_buffer *rules = &site->rules;
    const trib_robots_word word = trib_robots_ask(rules->text ? rules->text : "", rules->length,
                                                  "tributary", url[n] ? url + n : "/");
    const double delay = word.delay < TRIB_FETCH_PATIENCE ? word.delay : TRIB_FETCH_PATIENCE;
    if (delay > fetch->wait) {
        trib_log_say(fetch->log, TRIB_LOG_INFO, "%.*s asks to wait %g seconds between requests",
                     (int)n, url, delay);
        fetch->wait = delay;
    }
    *may = word.is_allowed;
    return TRIB_OK;
}

/* Tries all layouts in turn. *url tells where the text was found. */
static trib_status look_everywhere(trib_fetch *fetch, const char *mirror, uint64_t number,
                                   const char **url, trib_buffer *text, trib_arena *arena,
                                   trib_error *error) {
    const int n_mirror = (int)strlen(mirror) - (*mirror && mirror[strlen(mirror) - 1] == '/');
    bool is_there = false;
    int n_forbidden = 0;
    bool may = true;
    trib_status status = TRIB_OK;
    fetch->may = ask_rules;
    for (int i = 0; i < N_LAYOUTS && !is_there && status == TRIB_OK; i++) {
        *url = trib_arena_print(arena, "%.*s/%s", n_mirror, mirror,
                                trib_gutenberg_path(arena, number, layouts[i]));
        status = trib_arena_check(arena, error);
        if (status == TRIB_OK) status = ask_rules(fetch, *url, &may, error);
        if (status != TRIB_OK) break;
        if (may) status = trib_fetch_get(fetch, *url, text, &is_there, error);
        n_forbidden += !may;
    }
    if (status != TRIB_OK || is_there) return status;
    if (n_forbidden == 0)
        return trib_fail(error, TRIB_INPUT, "%s has no text of number %llu", mirror,
                         (unsigned long long)number);
    return trib_fail(error, TRIB_INPUT,
                     "%s: its robots.txt forbids programs %s of the places where number %llu may "
                     "be; use another --mirror",
                     mirror, n_forbidden < N_LAYOUTS ? "some" : "all", (unsigned long long)number);
}

/* Downloads a text to `path`. */
static trib_status get_etext(trib_fetch *fetch, const char *mirror, const char *path,
                             uint64_t number, trib_buffer *text, trib_etext *etext,
                             trib_arena *arena, trib_error *error) {
    const char *url = "";
    trib_status status = look_everywhere(fetch, mirror, number, &url, text, arena, error);
    if (status == TRIB_OK)
        status = trib_etext_check(etext, url, number, text->text ? text->text : "", text->length,
                                  arena, error);
    if (status == TRIB_OK) status = trib_write_whole(path, text->text, text->length, error);
    if (status == TRIB_OK)
        trib_log_say(fetch->log, TRIB_LOG_INFO, "%s: %zu bytes from %s", path, text->length, url);
    return status;
}

/* Locks the folder. Two programs that download into one folder would both write its manifest. */
static trib_status lock(int *held, const char *directory, trib_error *error) {
    const trib_status status = trib_directory_create(directory, error);
    if (status != TRIB_OK) return status;
    *held = trib_disk_open(directory, O_RDONLY | O_DIRECTORY);
    if (*held < 0 || flock(*held, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return TRIB_OK;
    return trib_fail(error, TRIB_USAGE,
                     "%s: another program is downloading into this folder; wait for it, or name "
                     "another with -o",
                     directory);
}

trib_status trib_fetch_etext(trib_fetch *fetch, const char *mirror, const char *directory,
                             uint64_t number, trib_error *error) {
    char path[4096];
    TRIB_OWNED(trib_buffer) text = {0};
    trib_etext etext = {0};
    TRIB_OWNED(trib_arena) arena = {0};
    if (strlen(directory) > sizeof path - 64)
        return trib_fail(error, TRIB_OUTPUT, "%s: name too long", directory);
    int held = -1;
    trib_status status = lock(&held, directory, error);
    snprintf(path, sizeof path, "%s/pg%llu.txt", directory, (unsigned long long)number);
    if (status == TRIB_OK && trib_disk_has(path)) { /* downloaded before; checked again */
        status = trib_read_whole(path, &text, error);
        if (status == TRIB_OK)
            status = trib_etext_check(&etext, path, number, text.text ? text.text : "", text.length,
                                      &arena, error);
        if (status == TRIB_OK) trib_log_say(fetch->log, TRIB_LOG_INFO, "%s: is there", path);
    } else if (status == TRIB_OK)
        status = get_etext(fetch, mirror, path, number, &text, &etext, &arena, error);
    if (status == TRIB_OK) status = list_etext(directory, number, &etext, error);
    if (held >= 0) close(held);
    return status;
}
