/* gutenberg_library.c - downloads e-texts of Project Gutenberg by number, and lists them in a
 * manifest. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <unistd.h>

#include "pipeline/config/yaml.h"
#include "pipeline/program/download.h"
#include "pipeline/program/robots.h"
#include "pipeline/support/path.h"
#include "pipeline/support/utf8.h"
#include "pipeline/text/strip.h"

void trib_etext_release(trib_etext *etext) {
    TRIB_FREE(etext->title, etext->author);
    *etext = (trib_etext){0};
}

/* ---- The head of an e-text ------------------------------------------------------------------- */

/* The value of "Title: ..." in head[n], with its indented continuation lines; NULL when there is
 * none. */
static trib_status read_field(char **value, const char *head, size_t n, const char *name,
                              trib_error *error) {
    const size_t n_name = strlen(name);
    trib_buffer text = {0}, decoded = {0};
    trib_status status = TRIB_OK;
    bool inside = false;
    *value = NULL;
    for (size_t i = 0; i < n && status == TRIB_OK;) {
        const char *end = memchr(head + i, '\n', n - i);
        size_t length = end ? (size_t)(end - head) - i : n - i;
        const char *line = head + i;
        i += length + 1;
        while (length > 0 && isspace((unsigned char)line[length - 1])) length--;
        const bool begins = length > n_name && strncmp(line, name, n_name) == 0;
        if (inside && (length == 0 || line[0] != ' ')) break;
        if (!inside && !begins) continue;
        const char *from = line + (begins && !inside ? n_name : 0);
        length -= (size_t)(from - line);
        while (length > 0 && isspace((unsigned char)*from)) from++, length--;
        if (inside) status = trib_buffer_add(&text, " ", 1, error);
        if (status == TRIB_OK) status = trib_buffer_add(&text, from, length, error);
        inside = true;
    }
    bool is_utf8 = true;
    for (size_t i = 0, k; i < text.length && is_utf8; i += k) {
        k = trib_utf8_length(text.text + i, text.length - i);
        is_utf8 = k > 0;
    }
    if (status == TRIB_OK && text.length > 0)
        status = trib_excerpt(&decoded, is_utf8 ? "UTF-8" : "windows-1252", text.text, text.length,
                              error);
    if (status == TRIB_OK && decoded.length > 0)
        status = trib_copy_text(value, decoded.text, decoded.length, error);
    trib_buffer_release(&text);
    trib_buffer_release(&decoded);
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
                             size_t length, trib_error *error) {
    trib_text_ranges kept = {0};
    *etext = (trib_etext){0};
    trib_status status = trib_gutenberg_find(&kept, name, text, length, error);
    if (status != TRIB_OK || kept.n == 0 ||
        (kept.n == 1 && kept.range[0].to - kept.range[0].from == length)) {
        if (status == TRIB_OK || status == TRIB_INPUT)
            status = trib_fail(error, TRIB_INPUT, "%s: is not a text of Project Gutenberg", name);
        goto done;
    }
    if (kept.range[kept.n - 1].to == length) {
        status = trib_fail(error, TRIB_INPUT,
                           "%s: lacks the end of a Project Gutenberg text; it is truncated", name);
        goto done;
    }
    const size_t n_head = kept.range[0].from;
    const uint64_t said = number_of(text, n_head);
    if (said != 0 && said != number)
        status = trib_fail(error, TRIB_INPUT, "%s: is number %llu, not %llu", name,
                           (unsigned long long)said, (unsigned long long)number);
    if (status == TRIB_OK) status = read_field(&etext->title, text, n_head, "Title:", error);
    if (status == TRIB_OK) status = read_field(&etext->author, text, n_head, "Author:", error);
done:
    trib_text_ranges_release(&kept);
    if (status != TRIB_OK) trib_etext_release(etext);
    return status;
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
    trib_yaml yaml = {0};
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
    trib_yaml_release(&yaml);
    return status;
}

/* Adds a document to the manifest, unless its file is already listed. */
static trib_status list_etext(const char *directory, uint64_t number, const trib_etext *etext,
                              trib_error *error) {
    char path[4096], file[64];
    trib_writer writer;
    trib_buffer text = {0};
    trib_status status = TRIB_OK;
    snprintf(path, sizeof path, "%s/gutenberg.yaml", directory);
    snprintf(file, sizeof file, "file: pg%llu.txt", (unsigned long long)number);
    if (access(path, F_OK) == 0) {
        status = trib_read_whole(path, &text, error);
    } else status = trib_buffer_add(&text, heading, sizeof heading - 1, error);
    if (status == TRIB_OK) status = trib_buffer_add(&text, "", 0, error);
    if (status != TRIB_OK || strstr(text.text, file)) goto done;
    if (text.length > 0 && text.text[text.length - 1] != '\n')
        status = trib_buffer_add(&text, "\n", 1, error);
    trib_buffer_print(&text, error, "  - {id: pg%llu, %s, title: ", (unsigned long long)number,
                      file);
    if (status == TRIB_OK)
        status = trib_yaml_quote(&text, etext->title ? etext->title : file + 6, true, error);
    if (status == TRIB_OK && etext->author) {
        trib_buffer_print(&text, error, ", author: ");
        status = trib_yaml_quote(&text, etext->author, true, error);
    }
    if (status == TRIB_OK)
        status = trib_buffer_print(&text, error, ", from: \"%llu\"}\n", (unsigned long long)number);
    if (status == TRIB_OK) status = check_manifest(path, text.text, file, error);
    if (status == TRIB_OK) status = trib_writer_open(&writer, path, error);
    if (status == TRIB_OK) {
        trib_write(&writer, text.text, text.length);
        status = trib_writer_commit(&writer, NULL, error);
    }
done:
    trib_buffer_release(&text);
    return status;
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

/* Appends D: "1/2/3" for 1234, "0" for 5. */
static trib_status add_digits(trib_buffer *url, const char *digits, trib_error *error) {
    trib_status status = digits[1] ? TRIB_OK : trib_buffer_add(url, "0", 1, error);
    for (const char *d = digits; d[1] && status == TRIB_OK; d++)
        status = trib_buffer_print(url, error, d > digits ? "/%c" : "%c", *d);
    return status;
}

trib_status trib_gutenberg_path(trib_buffer *path, uint64_t number, const char *layout,
                                trib_error *error) {
    char digits[24];
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    trib_status status = TRIB_OK;
    for (; *layout && status == TRIB_OK; layout++)
        status = *layout == 'N'   ? trib_buffer_print(path, error, "%s", digits)
                 : *layout == 'D' ? add_digits(path, digits, error)
                                  : trib_buffer_add(path, layout, 1, error);
    return status;
}

static trib_status make_url(trib_buffer *url, const char *mirror, uint64_t number,
                            const char *layout, trib_error *error) {
    const int n_mirror = (int)strlen(mirror) - (*mirror && mirror[strlen(mirror) - 1] == '/');
    trib_buffer_clear(url);
    trib_status status = trib_buffer_print(url, error, "%.*s/", n_mirror, mirror);
    return status == TRIB_OK ? trib_gutenberg_path(url, number, layout, error) : status;
}

/* Length of an address up to its path: "https://host:port". */
static size_t site_length(const char *url) {
    const char *const colon = strstr(url, "://"), *const host = colon ? colon + 3 : url;
    return (size_t)(host - url) + strcspn(host, "/");
}

/* Requests robots.txt of the mirror, once. Without one, everything is allowed. When the mirror
 * cannot be reached, the next request reports it. */
static trib_status read_rules(trib_fetch *fetch, const char *mirror, const char *path,
                              trib_error *error) {
    char part[4300];
    trib_buffer url = {0};
    bool is_there = false;
    if (fetch->knows_rules) return TRIB_OK;
    const int attempts = fetch->attempts;
    snprintf(part, sizeof part, "%s.robots", path);
    trib_status status =
        trib_buffer_print(&url, error, "%.*s/robots.txt", (int)site_length(mirror), mirror);
    if (status == TRIB_OK) {
        fetch->attempts = 1;
        status = trib_fetch_get(fetch, url.text, part, &fetch->rules, &is_there, error);
        fetch->attempts = attempts;
        if (status == TRIB_INPUT && fetch->code >= 500) { /* RFC 9309, section 2.3.1.4 */
            status = trib_fail(error, TRIB_INPUT,
                               "%s: cannot be read (status %ld), so that nothing is requested; try "
                               "again later, or use another --mirror",
                               url.text, fetch->code);
        } else if (status == TRIB_INPUT) {
            trib_buffer_clear(&fetch->rules);
            status = TRIB_OK;
        }
    }
    trib_buffer_release(&url);
    fetch->knows_rules = status == TRIB_OK;
    return status;
}

/* Whether robots.txt allows an address. Also adopts the pause between requests that it asks for. */
static bool is_allowed(trib_fetch *fetch, const char *url) {
    const trib_buffer *rules = &fetch->rules;
    const char *path = url + site_length(url);
    const trib_robots_word word =
        trib_robots_ask(rules->text ? rules->text : "", rules->length, "tributary", path);
    const double delay = word.delay < TRIB_FETCH_PATIENCE ? word.delay : TRIB_FETCH_PATIENCE;
    if (delay > fetch->wait) {
        trib_log_say(fetch->log, TRIB_LOG_INFO, "%.*s asks to wait %g seconds between requests",
                     (int)site_length(url), url, delay);
        fetch->wait = delay;
    }
    return word.is_allowed;
}

/* Tries all layouts in turn. *is_there tells whether a text was found, and `url` where. */
static trib_status look_everywhere(trib_fetch *fetch, const char *mirror, const char *part,
                                   uint64_t number, trib_buffer *url, trib_buffer *text,
                                   trib_error *error) {
    bool is_there = false;
    int n_forbidden = 0;
    trib_status status = read_rules(fetch, mirror, part, error);
    for (int i = 0; i < N_LAYOUTS && !is_there && status == TRIB_OK; i++) {
        status = make_url(url, mirror, number, layouts[i], error);
        if (status != TRIB_OK) break;
        if (is_allowed(fetch, url->text))
            status = trib_fetch_get(fetch, url->text, part, text, &is_there, error);
        else n_forbidden++;
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

static trib_status get_etext(trib_fetch *fetch, const char *mirror, const char *path,
                             uint64_t number, trib_buffer *text, trib_etext *etext,
                             trib_error *error) {
    char part[4200];
    trib_buffer url = {0};
    trib_writer writer;
    snprintf(part, sizeof part, "%s.part", path);
    trib_status status = look_everywhere(fetch, mirror, part, number, &url, text, error);
    if (status == TRIB_OK)
        status = trib_etext_check(etext, url.text, number, text->text ? text->text : "",
                                  text->length, error);
    if (status == TRIB_OK) status = trib_writer_open(&writer, path, error);
    if (status == TRIB_OK) {
        trib_write(&writer, text->text, text->length);
        status = trib_writer_commit(&writer, NULL, error);
    }
    if (status == TRIB_OK)
        trib_log_say(fetch->log, TRIB_LOG_INFO, "%s: %zu bytes from %s", path, text->length,
                     url.text);
    trib_buffer_release(&url);
    return status;
}

/* Locks the folder. Two programs that download into one folder would both write its manifest and
 * its partial files. */
static trib_status lock(int *held, const char *directory, trib_error *error) {
    trib_status status = trib_directory_create(directory, error);
    if (status != TRIB_OK) return status;
    *held = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*held >= 0 && flock(*held, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        status = trib_fail(
            error, TRIB_USAGE,
            "%s: another program is downloading into this folder; wait for it, or name another "
            "with -o",
            directory);
    return status;
}

trib_status trib_fetch_etext(trib_fetch *fetch, const char *mirror, const char *directory,
                             uint64_t number, trib_error *error) {
    char path[4096];
    trib_buffer text = {0};
    trib_etext etext = {0};
    if (strlen(directory) > sizeof path - 64)
        return trib_fail(error, TRIB_OUTPUT, "%s: name too long", directory);
    int held = -1;
    trib_status status = lock(&held, directory, error);
    if (status != TRIB_OK) goto done;
    snprintf(path, sizeof path, "%s/pg%llu.txt", directory, (unsigned long long)number);
    if (access(path, F_OK) == 0) { /* downloaded before; checked again */
        status = trib_read_whole(path, &text, error);
        if (status == TRIB_OK)
            status = trib_etext_check(&etext, path, number, text.text ? text.text : "", text.length,
                                      error);
        if (status == TRIB_OK) trib_log_say(fetch->log, TRIB_LOG_INFO, "%s: is there", path);
    } else status = get_etext(fetch, mirror, path, number, &text, &etext, error);
    if (status == TRIB_OK) status = list_etext(directory, number, &etext, error);
done:
    if (held >= 0) close(held);
    trib_etext_release(&etext);
    trib_buffer_release(&text);
    return status;
}
