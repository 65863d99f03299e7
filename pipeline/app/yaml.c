/* yaml.c - the experiment of a project: reads, checks, changes and stores its YAML. */
#include "pipeline/app/yaml.h"

#define EXPERIMENT "experiment.yaml"

/* ---- One key --------------------------------------------------------------------------------- */

static const char *line_at(const char *text, uint32_t line) {
    for (; line > 1 && *text; line--)
        text += strcspn(text, "\n") + (text[strcspn(text, "\n")] != 0);
    return text;
}

/* The node of a key of a mapping; 0: none. */
static uint32_t key_of(const trib_yaml *yaml, uint32_t map, const char *name) {
    if (!map || trib_yaml_kind_of(yaml, map) != TRIB_YAML_MAP) return 0;
    for (uint32_t k = trib_yaml_first(yaml, map); k;
         k = trib_yaml_next(yaml, trib_yaml_next(yaml, k)))
        if (strcmp(trib_yaml_text(yaml, k), name) == 0) return k;
    return 0;
}

/* Where the entry of a key ends that begins on a line with so many spaces: before the next line
 * that is not deeper, and is no item of its list. Comments and empty lines before it stay. */
static const char *end_of(const char *entry, size_t indent) {
    const char *end = entry + strcspn(entry, "\n");
    end += *end == '\n';
    for (const char *at = end; *at;) {
        const size_t n = strspn(at, " "), length = strcspn(at, "\n");
        const bool is_blank = n == length || at[n] == '\r' || at[n] == '#';
        if (!is_blank && n <= indent && !(n == indent && strncmp(at + n, "- ", 2) == 0)) break;
        at += length + (at[length] == '\n');
        if (!is_blank || n > indent) end = at;
    }
    return end;
}

/* The comment at the end of a line, with the spaces before it; "" without. */
static const char *comment_of(const char *line, size_t *n) {
    char quote = 0;
    const size_t length = strcspn(line, "\n");
    for (size_t i = 1; i < length; i++) {
        if (quote) quote = line[i] == quote ? 0 : quote;
        else if (line[i] == '"' || line[i] == '\'') quote = line[i];
        else if (line[i] == '#' && line[i - 1] == ' ') {
            while (i > 0 && line[i - 1] == ' ') i--;
            *n = length - i;
            return line + i;
        }
    }
    *n = 0;
    return "";
}

static trib_status splice(trib_buffer *to, const char *text, const char *from, const char *end,
                          const char *entry, trib_error *error) {
    (void)trib_buffer_add(to, text, (size_t)(from - text), error);
    if (to->length > 0 && to->text[to->length - 1] != '\n') trib_buffer_add(to, "\n", 1, error);
    (void)trib_buffer_print(to, error, "%s", entry);
    return trib_buffer_print(to, error, "%s", end);
}

static trib_status set_key(trib_buffer *to, const trib_yaml *yaml, const char *text,
                           const char *section, const char *key, const char *value,
                           trib_error *error) {
    char entry[512];
    const uint32_t head = key_of(yaml, 1, section);
    const uint32_t map = head ? trib_yaml_next(yaml, head) : 0;
    if (!head) {
        snprintf(entry, sizeof entry, "\n%s:\n  %s: %s\n", section, key, value ? value : "");
        const char *end = text + strlen(text);
        return splice(to, text, end, end, value ? entry : "", error);
    }
    const char *head_line = line_at(text, trib_yaml_place(yaml, head).line);
    const bool is_empty = trib_yaml_is_null(yaml, map);
    const uint32_t first = is_empty ? 0 : trib_yaml_first(yaml, map), k = key_of(yaml, map, key);
    const trib_place place = trib_yaml_place(yaml, k ? k : first);
    const char *line = k || first ? line_at(text, place.line) : head_line;
    const size_t indent = k || first ? place.column - 1 : 2;
    if (!is_empty && (line == head_line || strspn(line, " ") != indent || !first))
        return trib_fail(error, TRIB_CONFIG,
                         "experiment.yaml:%u: '%s' is written in braces; write each of its keys on "
                         "a line of its own, or change it by hand",
                         trib_yaml_place(yaml, head).line, section);
    if (!k) {
        snprintf(entry, sizeof entry, "%*s%s: %s\n", (int)indent, "", key, value ? value : "");
        const char *after = head_line + strcspn(head_line, "\n");
        after += *after == '\n';
        return splice(to, text, after, after, value ? entry : "", error);
    }
    const char *end = end_of(line, indent);
    size_t n = 0;
    const bool is_one = end == line + strcspn(line, "\n") + 1 || !*end;
    const char *comment = is_one ? comment_of(line, &n) : "";
    snprintf(entry, sizeof entry, "%*s%s: %s%.*s\n", (int)indent, "", key, value ? value : "",
             (int)(n < 300 ? n : 300), comment);
    return splice(to, text, line, end, value ? entry : "", error);
}

trib_status trib_app_yaml_set(trib_buffer *to, const char *text, const char *section,
                              const char *key, const char *value, trib_error *error) {
    trib_yaml yaml = {0};
    trib_diagnostics wrong = {0};
    trib_status status = trib_yaml_parse(&yaml, EXPERIMENT, text, &wrong, error);
    if (status == TRIB_OK && (wrong.n_errors > 0 || trib_yaml_is_empty(&yaml) ||
                              trib_yaml_kind_of(&yaml, 1) != TRIB_YAML_MAP))
        status = trib_fail(error, TRIB_CONFIG,
                           EXPERIMENT ": is no YAML that can be changed here; "
                                      "mend it on the page of settings");
    if (status == TRIB_OK) status = set_key(to, &yaml, text, section, key, value, error);
    trib_yaml_release(&yaml);
    return status;
}

/* ---- What `check` says ----------------------------------------------------------------------- */

/* Takes a message apart: "standard input:5:1: error: unknown key 'cpx'; ...\n    5 | ...". */
static json_t *message_of(const char *text, const char *severity) {
    unsigned line = 0;
    const char *colon = strchr(text, ':'), *quote = strchr(text, '\'');
    if (colon) sscanf(colon + 1, "%u", &line);
    const char *mark = strcmp(severity, "error") == 0 ? "error: " : "warning: ";
    const char *says = strstr(text, mark);
    says = says ? says + strlen(mark) : text;
    return json_pack("{s:I, s:o, s:s, s:o}", "line", (json_int_t)line, "key",
                     quote && strchr(quote + 1, '\'')
                         ? json_stringn(quote + 1, strcspn(quote + 1, "'"))
                         : json_null(),
                     "severity", severity, "text", json_stringn(says, strcspn(says, "\n")));
}

trib_status trib_app_check_answer(trib_exchange *x, const char *yaml, bool *is_right,
                                  trib_error *error) {
    static const char *const kinds[][2] = {{"errors", "error"}, {"warnings", "warning"}};
    trib_app_child child = {.argument = {"check", "--json", yaml ? "-" : EXPERIMENT},
                            .input = yaml};
    json_error_t where;
    json_t *list = json_array(), *one;
    size_t i;
    trib_status status = trib_app_run_child(&child, x->app, x->project->path, error);
    json_t *said = child.output.length > 0
                       ? json_loadb(child.output.text, child.output.length, 0, &where)
                       : NULL;
    for (size_t k = 0; k < 2; k++)
        json_array_foreach(json_object_get(said, kinds[k][0]), i, one)
            json_array_append_new(list, message_of(json_string_value(one), kinds[k][1]));
    if (!said)
        json_array_append_new(list, message_of(trib_app_child_says(&x->arena, &child), "error"));
    const bool ok = said && json_array_size(json_object_get(said, "errors")) == 0;
    if (is_right) *is_right = ok;
    json_decref(said);
    trib_app_child_release(&child);
    if (status == TRIB_OK)
        return trib_app_answer(x, json_pack("{s:b, s:o}", "ok", ok, "messages", list), error);
    json_decref(list);
    return status;
}

/* ---- The whole text -------------------------------------------------------------------------- */

trib_status trib_app_yaml_get(trib_exchange *x, trib_error *error) {
    trib_buffer text = {0};
    const char *path = trib_app_below(x, EXPERIMENT, "");
    trib_status status = trib_disk_has(path) ? trib_read_whole(path, &text, error) : TRIB_OK;
    if (status == TRIB_OK)
        status = trib_app_answer(
            x, json_pack("{s:o}", "text", trib_json_text(text.length > 0 ? text.text : "")), error);
    trib_buffer_release(&text);
    return status;
}

trib_status trib_app_yaml_put(trib_exchange *x, trib_error *error) {
    const char *text = json_string_value(json_object_get(x->json, "text"));
    bool is_right = false;
    if (!text) return trib_app_refuse(x, 400, error, "'text' is missing");
    trib_status status = trib_app_check_answer(x, text, &is_right, error);
    if (status == TRIB_OK && is_right && json_is_true(json_object_get(x->json, "save")))
        status = trib_write_whole(trib_app_below(x, EXPERIMENT, ""), text, strlen(text), error);
    return status;
}

trib_status trib_app_estimate(trib_exchange *x, trib_error *error) {
    trib_app_child child = {.argument = {"check", "--json", EXPERIMENT}};
    json_error_t where;
    trib_status status = trib_app_run_child(&child, x->app, x->project->path, error);
    json_t *said = child.output.length > 0
                       ? json_loadb(child.output.text, child.output.length, 0, &where)
                       : NULL;
    const json_t *estimate = json_object_get(said, "estimate");
    if (status == TRIB_OK && !estimate) {
        x->status = 422;
        status = trib_fail(error, TRIB_INPUT, "%s", trib_app_child_says(&x->arena, &child));
    }
    const double seconds = json_number_value(json_object_get(estimate, "seconds_on_one_core"));
    const double memory = json_number_value(json_object_get(estimate, "memory_bytes"));
    const char *sentence =
        seconds < 90
            ? trib_arena_print(&x->arena, "about %.0f s on one core, and %.0f MB of memory",
                               seconds, memory / 1e6)
            : trib_arena_print(&x->arena, "about %.0f minutes on one core, and %.0f MB of memory",
                               seconds / 60, memory / 1e6);
    if (status == TRIB_OK)
        status = trib_app_answer(x,
                                 json_pack("{s:o, s:o, s:s}", "seconds", seconds, "memory_bytes",
                                           memory, "sentence", sentence),
                                 error);
    json_decref(said);
    trib_app_child_release(&child);
    return status;
}
