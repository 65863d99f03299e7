/* yaml.c - the experiment of a project: reads, checks, changes and stores its YAML. */
#include "pipeline/app/exchange.h"

/* ---- One key of corpus ----------------------------------------------------------------------- */

static const char *next_line(const char *line) {
    const size_t n = strcspn(line, "\n");
    return line + n + (line[n] == '\n');
}

/* Whether a line is empty or a comment; *indent: the spaces before it. */
static bool is_blank(const char *line, size_t *indent) {
    *indent = strspn(line, " ");
    return strchr("\r\n#", line[*indent]) != NULL;
}

/* Finds a key among lines that begin with `indent` spaces, before one that has fewer. NULL: it is
 * not there. */
static const char *find_key(const char *line, size_t indent, const char *key) {
    const size_t n = strlen(key);
    for (size_t has; *line; line = next_line(line)) {
        if (is_blank(line, &has)) continue;
        if (has < indent) return NULL;
        if (has == indent && strncmp(line + has, key, n) == 0 && line[has + n] == ':') return line;
    }
    return NULL;
}

/* Where the entry of a key ends: before the next line that is not deeper, and is no item of its
 * list. Comments and empty lines before that stay. */
static const char *end_of(const char *entry, size_t indent) {
    const char *end = next_line(entry);
    for (const char *at = end; *at;) {
        size_t has;
        const bool blank = is_blank(at, &has);
        if (!blank && has <= indent && !(has == indent && strncmp(at + has, "- ", 2) == 0)) break;
        at = next_line(at);
        if (!blank) end = at;
    }
    return end;
}

/* The comment at the end of a line, with the spaces before it; its length is *n. */
static const char *comment_of(const char *line, size_t *n) {
    char quote = 0;
    const size_t length = strcspn(line, "\n");
    for (size_t i = 1; i < length; i++) {
        if (quote) quote = line[i] == quote ? 0 : quote;
        else if (line[i] == '"' || line[i] == '\'') quote = line[i];
        else if (line[i] == '#' && line[i - 1] == ' ') {
            while (line[i - 1] == ' ') i--;
            *n = length - i;
            return line + i;
        }
    }
    *n = 0;
    return line;
}

trib_status trib_app_yaml_set(trib_buffer *to, const char *text, const char *key, const char *value,
                              trib_error *error) {
    static const char head[] = "corpus";
    const char *section = find_key(text, 0, head), *first = section ? next_line(section) : NULL;
    size_t indent = 2, n = 0;
    const char *after = section ? section + sizeof head : "";
    if (*(after += strspn(after, " ")) && !strchr("\r\n#", *after))
        return trib_fail(error, TRIB_CONFIG,
                         TRIB_APP_EXPERIMENT
                         ": 'corpus' is written in braces; "
                         "write each of its keys on a line of its own, or change it by hand");
    const char *line = first;
    while (line && *line && is_blank(line, &indent)) line = next_line(line);
    if (!line || !*line || indent == 0) indent = 2;
    const char *entry = first ? find_key(first, indent, key) : NULL;
    const char *from = entry ? entry : first ? first : text + strlen(text);
    const char *end = entry ? end_of(entry, indent) : from;
    (void)trib_buffer_add(to, text, (size_t)(from - text), error);
    if (to->length > 0 && to->text[to->length - 1] != '\n') trib_buffer_add(to, "\n", 1, error);
    if (value && !section) trib_buffer_print(to, error, "\n%s:\n", head);
    const char *comment = entry && next_line(entry) == end ? comment_of(entry, &n) : "";
    if (value)
        trib_buffer_print(to, error, "%*s%s: %s%.*s\n", (int)indent, "", key, value, (int)n,
                          comment);
    return trib_buffer_print(to, error, "%s", end);
}

/* ---- What `check` says ----------------------------------------------------------------------- */

trib_status trib_app_check_answer(trib_exchange *x, const char *yaml, bool *is_right,
                                  trib_error *error) {
    static const char *const kinds[][2] = {{"errors", "error"}, {"warnings", "warning"}};
    json_t *list = json_array(), *said, *one;
    trib_error wrong = {0};
    size_t i;
    const trib_status status = trib_app_program_json(
        x, &said, yaml, &wrong, TRIB_WORDS("check", "--json", yaml ? "-" : TRIB_APP_EXPERIMENT));
    for (size_t k = 0; k < 2; k++)
        json_array_foreach(json_object_get(said, kinds[k][0]), i, one)
            trib_app_add_message(list, json_string_value(one), kinds[k][1]);
    if (status != TRIB_OK) trib_app_add_message(list, wrong.message, "error");
    *is_right = status == TRIB_OK && json_array_size(json_object_get(said, "errors")) == 0;
    json_decref(said);
    return trib_app_answer(x, error, "{s:b, s:o}", "ok", *is_right, "messages", list);
}

trib_status trib_app_yaml_get(trib_exchange *x, trib_error *error) {
    trib_buffer text = {0};
    const char *path = trib_app_below(x, TRIB_APP_EXPERIMENT, "");
    trib_status status = trib_disk_has(path) ? trib_read_whole(path, &text, error) : TRIB_OK;
    if (status == TRIB_OK)
        status = trib_app_answer(x, error, "{s:o}", "text",
                                 trib_json_text(text.length > 0 ? text.text : ""));
    trib_buffer_release(&text);
    return status;
}

trib_status trib_app_yaml_put(trib_exchange *x, trib_error *error) {
    const char *text = json_string_value(json_object_get(x->json, "text"));
    bool is_right = false;
    if (!text) return trib_app_refuse(x, 400, error, "'text' is missing");
    const trib_status status = trib_app_check_answer(x, text, &is_right, error);
    if (status != TRIB_OK || !is_right || !json_is_true(json_object_get(x->json, "save")))
        return status;
    return trib_write_whole(trib_app_below(x, TRIB_APP_EXPERIMENT, ""), text, strlen(text), error);
}

trib_status trib_app_estimate(trib_exchange *x, trib_error *error) {
    json_t *said;
    char sentence[128];
    trib_status status = trib_app_program_json(x, &said, NULL, error,
                                               TRIB_WORDS("check", "--json", TRIB_APP_EXPERIMENT));
    json_t *estimate = json_object_get(said, "estimate");
    const double seconds = json_number_value(json_object_get(estimate, "seconds_on_one_core"));
    const double bytes = json_number_value(json_object_get(estimate, "memory_bytes"));
    const bool is_long = seconds > 90;
    snprintf(sentence, sizeof sentence, "about %.0f %s on one core, and %.0f MB of memory",
             is_long ? seconds / 60 : seconds, is_long ? "minutes" : "seconds", bytes / 1e6);
    if (status == TRIB_OK && !estimate)
        status = trib_app_refuse(x, 422, error, "there are mistakes to mend first");
    if (status == TRIB_OK)
        status = trib_app_answer(x, error, "{s:o, s:o, s:s}", "seconds",
                                 trib_json_real("seconds", seconds), "memory_bytes",
                                 trib_json_real("memory_bytes", bytes), "sentence", sentence);
    json_decref(said);
    return status;
}
