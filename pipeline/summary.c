/* summary.c - shares and phrases of a result in the terminal. */
#include "pipeline/summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/complaint.h"
#include "pipeline/json.h"
#include "pipeline/terminal.h"

enum { TITLE = 30, PHRASE = 36, BAR = 20, FEW_PHRASES = 5, MAX_WEAK = 5, TEXT_MAX = 1024 };

/* Text being written; the first failure stays. */
typedef struct page {
    trib_buffer *text;
    const trib_summary_options *options;
    const json_t *result;
    trib_status status;
    trib_error *error;
} page;

static void put(page *p, const char *format, ...) TRIB_PRINTF(2, 3);
static void put(page *p, const char *format, ...) {
    char text[4 * TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const size_t length = n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    if (p->status == TRIB_OK) p->status = trib_buffer_add(p->text, text, length, p->error);
}

static const char *bold(const page *p) { return p->options->colors ? "\033[1m" : ""; }
static const char *dim(const page *p) { return p->options->colors ? "\033[2m" : ""; }
static const char *plain(const page *p) { return p->options->colors ? "\033[0m" : ""; }

/* ---- What the result holds -------------------------------------------------------------------------------------- */

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static double number_of(const json_t *object, const char *key) {
    return json_number_value(json_object_get(object, key));
}

/* The element of an array whose member `key` is `id`, or NULL. */
static json_t *element(const json_t *array, const char *key, const char *id) {
    size_t i;
    json_t *value;
    json_array_foreach((json_t *)array, i,
                       value) if (strcmp(text_of(value, key), id) == 0) return value;
    return NULL;
}

static const char *title_of(const page *p, const char *id, char out[TEXT_MAX]) {
    const char *title =
        text_of(element(json_object_get(p->result, "documents"), "id", id), "title");
    if (!*title) title = id;
    trib_clean(out, TEXT_MAX, title, strlen(title), false);
    return out;
}

static const json_t *headline_of(const json_t *result, const json_t *target) {
    return json_object_get(json_object_get(target, "methods"), text_of(result, "headline"));
}

/* "and the third day" */
static const char *phrase_text(const json_t *phrase, char out[TEXT_MAX]) {
    size_t i, used = 0;
    json_t *word;
    char clean[TEXT_MAX];
    out[0] = '\0';
    json_array_foreach(json_object_get(phrase, "words"), i, word) {
        const char *text = json_string_value(word) ? json_string_value(word) : "";
        trib_clean(clean, sizeof clean, text, strlen(text), false);
        if (used < TEXT_MAX)
            used += (size_t)snprintf(out + used, TEXT_MAX - used, "%s%s", i > 0 ? " " : "", clean);
    }
    return out;
}

static int by_share(const void *a, const void *b) {
    const json_t *x = *(const json_t *const *)a, *y = *(const json_t *const *)b;
    const double s = number_of(x, "share"), t = number_of(y, "share");
    return s != t ? (s < t) - (s > t) : strcmp(text_of(x, "source"), text_of(y, "source"));
}

/* The shares by the headline method that are wanted, largest first: *n of them in *share, the caller's to free. */
static trib_status wanted_shares(const page *p, const json_t *target, json_t ***share, size_t *n,
                                 trib_error *error) {
    const json_t *all = json_object_get(headline_of(p->result, target), "shares");
    const char *source = p->options->source;
    size_t i;
    json_t *value;
    *n = 0;
    const trib_status status =
        trib_new(share, json_array_size(all) + 1, sizeof **share, "the shares", error);
    if (status != TRIB_OK) return status;
    json_array_foreach((json_t *)all, i,
                       value) if (!source || strcmp(source, text_of(value, "source")) ==
                                                 0)(*share)[(*n)++] = value;
    qsort(*share, *n, sizeof **share, by_share);
    return TRIB_OK;
}

static trib_status check_source(const json_t *result, const char *source, trib_error *error) {
    trib_guess guess = {.word = source};
    size_t t, s;
    json_t *target, *share;
    json_array_foreach(json_object_get(result, "targets"), t, target) {
        json_array_foreach(json_object_get(headline_of(result, target), "shares"), s, share) {
            if (strcmp(text_of(share, "source"), source) == 0) return TRIB_OK;
            trib_guess_try(&guess, text_of(share, "source"));
        }
    }
    return trib_fail(error, TRIB_USAGE, "no source '%s' in this run%s", source,
                     trib_guess_hint(&guess));
}

/* ---- Writing it ------------------------------------------------------------------------------------------------- */

/* Eighths of a column for a share of 0 to 1. */
static const char *bar_of(double share, char out[3 * BAR + 4]) {
    static const char *const part[] = {"",       "\u258f", "\u258e", "\u258d",
                                       "\u258c", "\u258b", "\u258a", "\u2589"};
    int eighths = (int)(share * BAR * 8 + 0.5);
    if (eighths > BAR * 8) eighths = BAR * 8;
    char *at = out;
    *at = '\0';
    for (; eighths >= 8; eighths -= 8) at += sprintf(at, "\u2588");
    if (eighths > 0) strcpy(at, part[eighths]);
    return out;
}

static const json_t *evidence_of(const json_t *target, const char *source) {
    return element(json_object_get(target, "evidence"), "source", source);
}

/* " 7.6 to 27.5  ", the 90 % interval of a share, or as many blanks. */
static void write_interval(page *p, const json_t *share) {
    const json_t *low = json_object_get(share, "low"), *high = json_object_get(share, "high");
    if (json_is_number(low) && json_is_number(high))
        put(p, "%4.1f to %4.1f  ", 100 * json_number_value(low), 100 * json_number_value(high));
    else put(p, "%14s", "");
}

static void write_share(page *p, const json_t *target, const json_t *share) {
    char title[TEXT_MAX], cell[TEXT_MAX], phrase[TEXT_MAX], bar[3 * BAR + 4];
    const char *source = text_of(share, "source");
    const bool weak = json_is_true(json_object_get(share, "below_floor"));
    const bool decoy = json_is_true(json_object_get(share, "decoy"));
    const json_t *strongest =
        json_array_get(json_object_get(evidence_of(target, source), "phrases"), 0);
    trib_pad(cell, sizeof cell, title_of(p, source, title), TITLE, false);
    put(p, "  %s%s %6.1f %%  ", weak ? dim(p) : "", cell, 100 * number_of(share, "share"));
    if (p->options->phrases && !weak) write_interval(p, share);
    if (weak) put(p, "below the noise floor%s%s\n", decoy ? " (decoy)" : "", plain(p));
    else if (p->options->phrases)
        put(p, "%s%s\n", bar_of(number_of(share, "share"), bar), decoy ? " decoy" : "");
    else if (strongest) {
        phrase_text(strongest, phrase);
        if (trib_columns(phrase) > PHRASE - 2)
            trib_pad(cell, sizeof cell, phrase, PHRASE - 2, false);
        else strcpy(cell, phrase);
        put(p, "\u201c%s\u201d\n", cell);
    } else put(p, "%s\n", decoy ? "decoy" : "");
}

static void write_phrases(page *p, const json_t *target, const json_t *share) {
    char title[TEXT_MAX], phrase[TEXT_MAX], cell[TEXT_MAX];
    const char *source = text_of(share, "source");
    const json_t *evidence = evidence_of(target, source);
    const json_t *phrases = json_object_get(evidence, "phrases");
    const json_int_t n = json_integer_value(json_object_get(evidence, "n_phrases"));
    size_t shown = json_array_size(phrases);
    const json_int_t n_common = json_integer_value(json_object_get(evidence, "n_commonplaces"));
    if (n + n_common == 0) return;
    if (!p->options->source && shown > FEW_PHRASES) shown = FEW_PHRASES;
    put(p, "\n  %s%s%s\n", bold(p), title_of(p, source, title), plain(p));
    snprintf(phrase, sizeof phrase, "phrases: %lld shared, the strongest %zu", (long long)n, shown);
    put(p, "  %s%s %10s %10s %12s%s\n", dim(p), trib_pad(cell, sizeof cell, phrase, 42, false),
        "here", "there", "other texts", plain(p));
    for (size_t i = 0; i < shown; i++) {
        const json_t *one = json_array_get(phrases, i);
        trib_pad(cell, sizeof cell, phrase_text(one, phrase), 40, false);
        put(p, "    %s %10lld %10lld %12lld\n", cell,
            (long long)json_integer_value(json_object_get(one, "target_count")),
            (long long)json_integer_value(json_object_get(one, "source_count")),
            (long long)json_integer_value(json_object_get(one, "other_documents")));
    }
    if (n_common > 0)
        put(p, "    %s%lld commonplace%s left out%s\n", dim(p), (long long)n_common,
            n_common == 1 ? "" : "s", plain(p));
}

static bool has_intervals(const page *p, const json_t *target) {
    const json_t *shares = json_object_get(headline_of(p->result, target), "shares");
    for (size_t s = 0; s < json_array_size(shares); s++)
        if (json_is_number(json_object_get(json_array_get(shares, s), "low"))) return true;
    return false;
}

static void write_heading(page *p, const json_t *target) {
    char title[TEXT_MAX], cell[TEXT_MAX], method[80], from[TEXT_MAX];
    snprintf(method, sizeof method, "by %.40s", text_of(p->result, "headline"));
    const size_t room = 79 - trib_columns(method);
    title_of(p, text_of(target, "target"), title);
    put(p, "%s%s%s %s\n", bold(p), trib_pad(cell, sizeof cell, title, room, false), plain(p),
        method);
    if (!p->options->phrases) return;
    const char *floor_from = text_of(target, "floor_from");
    const bool rule = strcmp(floor_from, "rule") == 0 || !*floor_from;
    put(p, "%snoise floor %.1f %%%s%s%s%s\n", dim(p), 100 * number_of(target, "floor"),
        rule ? "" : ", the share of the decoy ", rule ? "" : title_of(p, floor_from, from),
        has_intervals(p, target) ? "; a to b: the 90 % interval" : "", plain(p));
}

/* What a list of shares does not say by itself. */
static void write_nothing(page *p, size_t n, size_t n_weak) {
    if (n == 0) put(p, "  no other text of this corpus may be its source\n");
    else if (n_weak == n) put(p, "  nothing is found to flow into it\n");
}

static void write_target(page *p, const json_t *target) {
    json_t **share = NULL;
    char cell[TEXT_MAX], bar[3 * BAR + 4];
    size_t n = 0, n_weak = 0;
    if (p->status == TRIB_OK) p->status = wanted_shares(p, target, &share, &n, p->error);
    if (p->status != TRIB_OK || (n == 0 && p->options->source)) goto done;
    write_heading(p, target);
    for (size_t s = 0; s < n; s++) {
        if (json_is_true(json_object_get(share[s], "below_floor")) && n_weak++ >= MAX_WEAK)
            continue;
        write_share(p, target, share[s]);
    }
    if (n_weak > MAX_WEAK)
        put(p, "  %s... and %zu more below the noise floor%s\n", dim(p), n_weak - MAX_WEAK,
            plain(p));
    if (!p->options->source) {
        write_nothing(p, n, n_weak);
        const double author = number_of(headline_of(p->result, target), "author");
        trib_pad(cell, sizeof cell, "the author's own and common", TITLE, false);
        put(p, "  %s %6.1f %%", cell, 100 * author);
        if (p->options->phrases && *bar_of(author, bar)) put(p, "  %14s%s", "", bar);
        put(p, "\n");
    }
    for (size_t s = 0; s < n && p->options->phrases; s++)
        if (p->options->source || !json_is_true(json_object_get(share[s], "below_floor")))
            write_phrases(p, target, share[s]);
done:
    trib_free(share);
}

trib_status trib_summary_write(const json_t *result, const trib_summary_options *options,
                               trib_buffer *text, trib_error *error) {
    page p = {.text = text, .options = options, .result = result, .error = error};
    size_t t;
    json_t *target;
    if (options->source) p.status = check_source(result, options->source, error);
    json_array_foreach(json_object_get(result, "targets"), t, target) {
        if (t > 0) put(&p, "\n");
        write_target(&p, target);
    }
    return p.status;
}

trib_status trib_summary_json(const json_t *result, const trib_summary_options *options,
                              json_t **targets, trib_error *error) {
    const page p = {.options = options, .result = result};
    trib_status status = options->source ? check_source(result, options->source, error) : TRIB_OK;
    size_t t;
    json_t *target;
    *targets = json_array();
    json_array_foreach(json_object_get(result, "targets"), t, target) {
        json_t **share = NULL;
        size_t n = 0;
        if (status == TRIB_OK) status = wanted_shares(&p, target, &share, &n, error);
        json_t *shares = json_array(), *evidence = json_array();
        for (size_t s = 0; status == TRIB_OK && s < n; s++) {
            const json_t *why = evidence_of(target, text_of(share[s], "source"));
            json_array_append(shares, share[s]);
            if (why) json_array_append(evidence, (json_t *)why);
        }
        json_t *one =
            json_pack("{s:s, s:s, s:f, s:f, s:o}", "target", text_of(target, "target"), "method",
                      text_of(result, "headline"), "floor", number_of(target, "floor"), "author",
                      number_of(headline_of(result, target), "author"), "shares", shares);
        if (options->phrases) json_object_set(one, "evidence", evidence);
        json_array_append_new(*targets, one);
        json_decref(evidence);
        trib_free(share);
    }
    if (status == TRIB_OK) return TRIB_OK;
    json_decref(*targets);
    *targets = NULL;
    return status;
}
