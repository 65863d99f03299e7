/* cite.c - `tributary cite`: prints what a paper needs about a run: a BibTeX entry for the
 * program, and a paragraph on methods with the main numbers. */
#include <stdio.h>
#include <string.h>

#include "pipeline/command/command.h"
#include "pipeline/config/config.h"
#include "pipeline/output/stored_result.h"
#include "pipeline/support/json.h"
#include "pipeline/support/path.h"
#include "pipeline/support/terminal.h"

/* The paragraph while it is put together. After a failure nothing more is added. */
typedef struct paragraph {
    const json_t *result;
    trib_json_index documents;
    const char *commit;                /* of the program that made the run; "": not known */
    const trib_stored_targets *stored; /* the details of its targets */
    trib_buffer text;
    trib_status status;
    trib_error *error;
} paragraph;

static void say(paragraph *p, const char *format, ...) TRIB_PRINTF(2, 3);
static void say(paragraph *p, const char *format, ...) {
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (p->status == TRIB_OK) p->status = trib_buffer_add(&p->text, text, strlen(text), p->error);
}

/* ---- Reading the result ---------------------------------------------------------------------- */

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "?";
}

static double number_of(const json_t *object, const char *key) {
    return json_number_value(json_object_get(object, key));
}

static long long whole_of(const json_t *object, const char *key) {
    return (long long)json_integer_value(json_object_get(object, key));
}

static const char *setting(const json_t *result, const char *section, const char *key) {
    return text_of(json_object_get(json_object_get(result, "configuration"), section), key);
}

enum { TITLE = 300, COMMIT = 80 };

/* The title of a document on one line. */
static const char *title_of(const paragraph *p, const char *id, char out[TITLE]) {
    const char *title = trib_json_index_title(&p->documents, id);
    trib_clean(out, TITLE, title, strlen(title), false);
    return out;
}

/* ---- Sentences ------------------------------------------------------------------------------- */

/* Writes the commit of the program that made the run, which manifest.json names, or "". */
static trib_status find_commit(const char *run_directory, char out[COMMIT], trib_error *error) {
    char path[TRIB_PATH_MAX];
    *out = '\0';
    if (snprintf(path, sizeof path, "%s/manifest.json", run_directory) >= (int)sizeof path)
        return TRIB_OK;
    json_t *manifest = json_load_file(path, 0, NULL);
    const char *commit = trib_json_get_text(manifest, "commit");
    trib_clean(out, COMMIT, commit, strlen(commit), false);
    json_decref(manifest);
    return trib_json_failed() ? trib_fail(error, TRIB_MEMORY, "%s: out of memory", path) : TRIB_OK;
}

static trib_status make_bibtex(trib_buffer *text, const json_t *result, const char *commit,
                               trib_error *error) {
    return trib_buffer_print(text, error,
                             "@software{tributary,\n"
                             "  title   = {tributary: which earlier texts flow into this one},\n"
                             "  author  = {{The tributary maintainers}},\n"
                             "  year    = {" TRIB_YEAR "},\n"
                             "  version = {%s},\n"
                             "  note    = {run %.16s%s%s}\n"
                             "}\n",
                             text_of(result, "version"), text_of(result, "hash"),
                             *commit ? ", commit " : "", commit);
}

static void say_words(paragraph *p) {
    const json_t *result = p->result, *corpus = json_object_get(result, "corpus");
    const char *headline = text_of(result, "headline");
    const double wildcard = number_of(corpus, "wildcard_tokens");
    say(p,
        "Shares of influence were estimated with tributary %s (" TRIB_YEAR
        ") by the method %s (%s) on %zu "
        "documents "
        "of %lld words in all, over a vocabulary of %lld words",
        text_of(result, "version"), headline,
        text_of(trib_json_find(json_object_get(result, "methods"), "name", headline), "help"),
        json_array_size(json_object_get(result, "documents")), whole_of(corpus, "tokens"),
        whole_of(corpus, "vocabulary"));
    if (wildcard > 0)
        say(p, " and one wildcard for all others, %.1f %% of the words", 100 * wildcard);
    say(p,
        ". Texts were cut into words by ICU (locale %s, case %s, hyphens %s, numbers %s) and "
        "counted as overlapping %s-grams.",
        setting(result, "tokens", "locale"), setting(result, "tokens", "case"),
        setting(result, "tokens", "hyphens"), setting(result, "tokens", "numbers"),
        setting(result, "tensor", "n"));
    if (strcmp(setting(result, "corpus", "order"), "by-date") == 0)
        say(p, " Only strictly older texts could be sources.");
}

/* Whether the headline method compares the factors of the decompositions. */
static bool needs_factors(const json_t *result) {
    const trib_influence_method *method = trib_influence_method_find(text_of(result, "headline"));
    return method && method->needs_factors;
}

/* Describes the factors when the headline method matches factors. */
static void say_factors(paragraph *p) {
    const json_t *result = p->result;
    if (strcmp(text_of(result, "headline"), "lowe-matched") == 0)
        say(p, " Every text was decomposed exactly into fibres: %s-grams that differ in one word.",
            setting(result, "tensor", "n"));
    if (!needs_factors(result)) return;
    say(p,
        " Every text was decomposed by nonnegative CP (solver %s, start %s, rank %s, restarts %s, "
        "seed %s)",
        setting(result, "cp", "solver"), setting(result, "cp", "start"),
        setting(result, "cp", "rank"), setting(result, "cp", "restarts"),
        setting(result, "cp", "seed"));
    if (strcmp(text_of(result, "headline"), "lowe") == 0)
        say(p, "; factors within an L1 distance of %g matched", number_of(result, "threshold"));
    say(p, ".");
}

/* Adds "The Keeper's Account .157 (.104 to .193)" for every source above the floor. Returns
 * whether one of them has an interval. */
static bool say_shares(paragraph *p, const json_t *target, const json_t *method) {
    const char *floor_from = text_of(target, "floor_from");
    char title[TITLE];
    size_t s, n = 0;
    json_t *share;
    bool has_interval = false;
    json_t *rows = trib_result_rows(&p->documents, method);
    json_array_foreach(rows, s, share) {
        if (json_is_true(json_object_get(share, "below_floor")) ||
            json_is_true(json_object_get(share, "decoy")))
            continue;
        const bool is_group = json_object_get(share, "members");
        say(p, "%s%s%s %.3f", n++ > 0 ? ", " : "",
            is_group ? text_of(share, "title") : title_of(p, text_of(share, "source"), title),
            is_group ? " (one share, because they cannot be told apart)" : "",
            number_of(share, "share"));
        if (!json_is_number(json_object_get(share, "low")) ||
            !json_is_number(json_object_get(share, "high")))
            continue;
        say(p, " (90 %% interval %.3f to %.3f)", number_of(share, "low"), number_of(share, "high"));
        has_interval = true;
    }
    json_decref(rows);
    if (n == 0) say(p, "no source above the noise floor");
    say(p, " (floor %.4g", number_of(target, "floor"));
    if (strcmp(floor_from, "rule") != 0 && strcmp(floor_from, "?") != 0)
        say(p, ", the share of the decoy %s", title_of(p, floor_from, title));
    say(p, ")");
    return has_interval;
}

static bool say_target(paragraph *p, const json_t *target) {
    const char *id = text_of(target, "target");
    const json_t *methods = json_object_get(target, "methods");
    const json_t *found = json_object_get(methods, text_of(p->result, "headline"));
    const json_t *factors = json_object_get(trib_json_index_find(&p->documents, id), "factors");
    char title[TITLE];
    say(p, " Of %s: ", title_of(p, id, title));
    const bool has_interval = say_shares(p, target, found);
    say(p, "; not explained by any source %.3f", number_of(found, "author"));
    if (json_object_get(found, "formula"))
        say(p, "; in formulas, which very many of the texts hold, %.3f",
            number_of(found, "formula"));
    if (whole_of(found, "background") > 0)
        say(p, ", with %lld components of common language", whole_of(found, "background"));
    if (needs_factors(p->result))
        say(p, " (factors %lld, fit %.3f)", whole_of(factors, "rank"), number_of(factors, "fit"));
    say(p, ".");
    return has_interval;
}

/* For many targets: adds how many draw on how many sources, and the largest share. Returns
 * whether that share has an interval. */
static bool say_many(paragraph *p, const json_t *targets) {
    const char *headline = text_of(p->result, "headline"), *of = "";
    json_t *target, *share, *largest = NULL;
    size_t n_found = 0, n_shares = 0;
    char title[TITLE], source[TITLE];
    for (size_t t = 0; t < json_array_size(targets) && p->status == TRIB_OK; t++) {
        p->status = trib_stored_lean(p->stored, p->result, t, &target, p->error);
        if (p->status != TRIB_OK) break;
        const json_t *shares = json_object_get(
            json_object_get(json_object_get(target, "methods"), headline), "shares");
        const size_t before = n_shares;
        for (size_t s = 0; s < json_array_size(shares); s++) {
            share = json_array_get(shares, s);
            if (json_is_true(json_object_get(share, "below_floor")) ||
                json_is_true(json_object_get(share, "decoy")))
                continue;
            n_shares++;
            if (largest && number_of(share, "share") <= number_of(largest, "share")) continue;
            json_decref(largest);
            largest = json_incref(share);
            of = text_of(json_array_get(targets, t), "target");
        }
        n_found += n_shares > before;
        json_decref(target);
    }
    say(p, " Of %zu targets %zu have a source above the noise floor, %zu shares in all",
        json_array_size(targets), n_found, n_shares);
    if (largest) {
        say(p, "; the largest is %.3f of %s from %s", number_of(largest, "share"),
            title_of(p, of, title), title_of(p, text_of(largest, "source"), source));
        if (json_is_number(json_object_get(largest, "low")))
            say(p, " (90 %% interval %.3f to %.3f)", number_of(largest, "low"),
                number_of(largest, "high"));
    }
    say(p, ".");
    const bool has_interval = largest && json_is_number(json_object_get(largest, "low"));
    json_decref(largest);
    return has_interval;
}

static void say_all(paragraph *p) {
    enum { FEW = 3 };
    const json_t *targets = json_object_get(p->result, "targets");
    bool has_interval = false;
    say_words(p);
    say_factors(p);
    if (json_array_size(targets) > FEW) has_interval = say_many(p, targets);
    for (size_t t = 0; t < json_array_size(targets) && json_array_size(targets) <= FEW; t++)
        has_interval = say_target(p, json_array_get(targets, t)) || has_interval;
    if (has_interval)
        say(p, " Intervals rest on %s draws (seed %s).",
            setting(p->result, "influence", "bootstrap"), setting(p->result, "cp", "seed"));
    say(p,
        " Shared phrases do not prove reading: a common third source looks the same, and "
        "paraphrase is seen in part. Configuration and inputs have the SHA-256 %s",
        text_of(p->result, "hash"));
    if (*p->commit) say(p, "; the program has the commit %s", p->commit);
    say(p, ".");
}

trib_status trib_command_cite(const trib_command_line *line, trib_log *log, trib_writer *out,
                              trib_error *error) {
    json_t *result = NULL;
    trib_stored_targets stored;
    trib_buffer bibtex = {0};
    char commit[COMMIT];
    (void)log;
    trib_status status = trib_stored_open(&stored, &result, line->operand[0], error);
    if (status == TRIB_OK) status = find_commit(line->operand[0], commit, error);
    if (status == TRIB_OK) status = make_bibtex(&bibtex, result, commit, error);
    paragraph p = {
        .result = result, .commit = commit, .stored = &stored, .error = error, .status = status};
    if (p.status == TRIB_OK)
        p.status = trib_json_index_open(&p.documents, json_object_get(result, "documents"), error);
    if (p.status == TRIB_OK) say_all(&p);
    if (p.status == TRIB_OK && line->json)
        p.status = trib_json_write(json_pack("{s:i, s:s, s:s}", "schema", 1, "bibtex", bibtex.text,
                                             "methods", p.text.text),
                                   out, error);
    else if (p.status == TRIB_OK) trib_print(out, "%s\n%s\n", bibtex.text, p.text.text);
    trib_buffer_release(&bibtex);
    trib_buffer_release(&p.text);
    trib_json_index_close(&p.documents);
    json_decref(result);
    trib_stored_release(&stored);
    return p.status;
}
