/* cite.c - `tributary cite`: prints what a paper needs about a run: a BibTeX entry for the
 * program, and a paragraph on methods with the main numbers. */
#include <inttypes.h>

#include "pipeline/config/config.h"
#include "pipeline/program/command.h"
#include "pipeline/result/shown.h"
#include "pipeline/support/json.h"
#include "pipeline/support/path.h"
#include "pipeline/support/terminal.h"

/* The paragraph while it is put together. After a failure nothing more is added. */
typedef struct paragraph {
    const trib_result *result;
    const char *commit; /* of the program that made the run; "": not known */
    trib_buffer text;
    trib_arena arena; /* for the targets, one at a time */
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

static const char *setting(const paragraph *p, const char *key) {
    return trib_result_setting(p->result, key);
}

enum { TITLE = 300, COMMIT = 80 };

/* The title of a document on one line. */
static const char *title_of(const paragraph *p, const char *id, char out[TITLE]) {
    const char *title = trib_result_title(p->result, id);
    trib_clean(out, TITLE, title, strlen(title), false);
    return out;
}

/* Reads target t; the one before is gone. */
static const trib_target_record *read_target(paragraph *p, size_t t, bool is_lean) {
    trib_arena_release(&p->arena);
    const trib_target_record *const target = is_lean
                                                 ? trib_target_read_lean(p->result, t, &p->arena)
                                                 : trib_target_read(p->result, t, &p->arena);
    if (p->status == TRIB_OK) p->status = trib_arena_check(&p->arena, p->error);
    return target;
}

/* ---- Sentences ------------------------------------------------------------------------------- */

/* Writes the commit of the program that made the run, which manifest.json names, or "". */
static trib_status find_commit(const char *run_directory, char out[COMMIT], trib_error *error) {
    char path[TRIB_PATH_MAX];
    *out = '\0';
    if (snprintf(path, sizeof path, "%s/manifest.json", run_directory) >= (int)sizeof path)
        return TRIB_OK;
    json_t *manifest;
    const trib_status status = trib_json_load(&manifest, path, error);
    const char *commit = trib_json_get_text(manifest, "commit");
    trib_clean(out, COMMIT, commit, strlen(commit), false);
    json_decref(manifest);
    return status;
}

static trib_status make_bibtex(trib_buffer *text, const trib_result *result, const char *commit,
                               trib_error *error) {
    return trib_buffer_print(text, error,
                             "@software{tributary,\n"
                             "  title   = {tributary: which earlier texts flow into this one},\n"
                             "  author  = {{The tributary maintainers}},\n"
                             "  year    = {" TRIB_YEAR "},\n"
                             "  version = {%s},\n"
                             "  note    = {run %.16s%s%s}\n"
                             "}\n",
                             result->version, result->hash, *commit ? ", commit " : "", commit);
}

static void say_words(paragraph *p) {
    const trib_result *const result = p->result;
    const char *help = "";
    for (size_t m = 0; m < result->methods.n; m++)
        if (strcmp(result->methods.item[m].name, result->headline) == 0)
            help = result->methods.item[m].help;
    say(p,
        "Shares of influence were estimated with tributary %s (" TRIB_YEAR
        ") by the method %s (%s) on %zu "
        "documents "
        "of %" PRIu64 " words in all, over a vocabulary of %" PRIu64 " words",
        result->version, result->headline, help, result->documents.n, result->corpus->tokens,
        result->corpus->vocabulary);
    if (result->corpus->wildcard_tokens > 0)
        say(p, " and one wildcard for all others, %.1f %% of the words",
            100 * result->corpus->wildcard_tokens);
    say(p,
        ". Texts were cut into words by ICU (locale %s, case %s, hyphens %s, numbers %s) and "
        "counted as overlapping %s-grams.",
        setting(p, "tokens.locale"), setting(p, "tokens.case"), setting(p, "tokens.hyphens"),
        setting(p, "tokens.numbers"), setting(p, "tensor.n"));
    if (strcmp(setting(p, "corpus.order"), "by-date") == 0)
        say(p, " Only strictly older texts could be sources.");
}

/* Whether the headline method compares the factors of the decompositions. */
static bool needs_factors(const paragraph *p) {
    const trib_influence_method *method = trib_influence_method_find(p->result->headline);
    return method && method->needs_factors;
}

/* Describes the factors when the headline method matches factors. */
static void say_factors(paragraph *p) {
    if (strcmp(p->result->headline, "lowe-matched") == 0)
        say(p, " Every text was decomposed exactly into fibres: %s-grams that differ in one word.",
            setting(p, "tensor.n"));
    if (!needs_factors(p)) return;
    say(p,
        " Every text was decomposed by nonnegative CP (solver %s, start %s, rank %s, restarts %s, "
        "seed %s)",
        setting(p, "cp.solver"), setting(p, "cp.start"), setting(p, "cp.rank"),
        setting(p, "cp.restarts"), setting(p, "cp.seed"));
    if (strcmp(p->result->headline, "lowe") == 0)
        say(p, "; factors within an L1 distance of %g matched", p->result->threshold);
    say(p, ".");
}

/* Adds " (90 % interval .104 to .193WORDS)" when there is one; returns whether there is. */
static bool say_interval(paragraph *p, double low, double high, const char *words) {
    if (isnan(low) || isnan(high)) return false;
    say(p, " (90 %% interval %.3f to %.3f%s)", low, high, words);
    return true;
}

/* "; 8646 words, 6117 of them word for word", when shares are of words. */
static const char *words_of(paragraph *p, const trib_target_record *target,
                            const trib_shown_row *row) {
    const trib_document_record *const document = trib_result_document_of(p->result, target->target);
    const double same = trib_row_verbatim(target, row);
    if (!document || strcmp(p->result->headline, "extent") != 0) return "";
    const double n = (double)document->words;
    const char *const words = trib_arena_print(&p->arena, "; %.0f words", round(row->share * n));
    return isnan(same) ? words
                       : trib_arena_print(&p->arena, "%s, %.0f of them word for word", words,
                                          round(same * n));
}

/* Adds "The Keeper's Account .157 (.104 to .193)" for every source above the floor. Returns
 * whether one of them has an interval. */
static bool say_shares(paragraph *p, const trib_target_record *target,
                       const trib_influence_record *method) {
    char title[TITLE];
    size_t n = 0;
    bool has_interval = false;
    const trib_shown_shares shares = trib_shown_shares_make(p->result, method, true, &p->arena);
    for (size_t s = 0; s < shares.n; s++) {
        const trib_shown_row *const row = &shares.row[s];
        if (!trib_row_is_above(row)) continue;
        const bool is_group = row->n_members > 0;
        say(p, "%s%s%s %.3f", n++ > 0 ? ", " : "",
            is_group ? row->title : title_of(p, row->source, title),
            is_group ? " (one share, because they cannot be told apart)" : "", row->printed);
        has_interval =
            say_interval(p, row->low, row->high, words_of(p, target, row)) || has_interval;
    }
    if (n == 0) say(p, "no source above the noise floor");
    say(p, " (floor %.4g", target->floor);
    if (*target->floor_from && strcmp(target->floor_from, "rule") != 0)
        say(p, ", the share of the decoy %s", title_of(p, target->floor_from, title));
    say(p, ")");
    return has_interval;
}

static bool say_target(paragraph *p, size_t t) {
    const trib_target_record *const target = read_target(p, t, false);
    const trib_influence_record *const found = trib_target_headline(p->result, target);
    const trib_document_record *const document =
        trib_result_document_of(p->result, p->result->targets.item[t].id);
    char title[TITLE];
    if (p->status != TRIB_OK) return false;
    say(p, " Of %s: ", title_of(p, p->result->targets.item[t].id, title));
    const bool has_interval = say_shares(p, target, found);
    say(p, "; not explained by any source %.3f",
        found && !isnan(found->author) ? found->author : 0);
    if (found && !isnan(found->formula))
        say(p, "; in formulas, which very many of the texts hold, %.3f", found->formula);
    if (found && found->background > 0 && found->background != TRIB_ABSENT)
        say(p, ", with %" PRIu64 " components of common language", found->background);
    const trib_factors_record *factors = document ? document->factors : NULL;
    if (needs_factors(p) && document)
        say(p, " (factors %" PRIu64 ", fit %.3f)", factors ? factors->rank : 0,
            factors && !isnan(factors->fit) ? factors->fit : 0);
    say(p, ".");
    return has_interval;
}

/* For many targets: adds how many draw on how many sources, and the largest share. Returns
 * whether that share has an interval. */
static bool say_many(paragraph *p) {
    const trib_target_texts *const targets = &p->result->targets;
    trib_share_record largest = {.share = -INFINITY};
    size_t n_found = 0, n_shares = 0, of = 0;
    char title[TITLE], source[TITLE];
    for (size_t t = 0; t < targets->n && p->status == TRIB_OK; t++) {
        const trib_influence_record *const found =
            trib_target_headline(p->result, read_target(p, t, true));
        const size_t before = n_shares;
        for (size_t s = 0; found && s < found->shares.n; s++) {
            const trib_share_record *const share = &found->shares.item[s];
            if (!trib_share_is_above(share)) continue;
            n_shares++;
            if (share->share <= largest.share) continue;
            largest = *share;
            of = t;
            largest.source = trib_result_document_of(p->result, share->source)
                                 ? trib_result_document_of(p->result, share->source)->id
                                 : "";
        }
        n_found += n_shares > before;
    }
    say(p, " Of %zu targets %zu have a source above the noise floor, %zu shares in all", targets->n,
        n_found, n_shares);
    bool has_interval = false;
    if (n_shares > 0) {
        const bool is_dated = trib_texts_are_dated(p->result, targets->item[of].id, largest.source);
        say(p, "; the largest is %.3f of %s %s %s", largest.share,
            title_of(p, targets->item[of].id, title), is_dated ? "from" : "with",
            title_of(p, largest.source, source));
        has_interval = say_interval(p, largest.low, largest.high, "");
    }
    say(p, ".");
    return has_interval;
}

static void say_all(paragraph *p) {
    enum { FEW = 3 };
    const size_t n = p->result->targets.n;
    bool has_interval = false;
    say_words(p);
    say_factors(p);
    if (n > FEW) has_interval = say_many(p);
    for (size_t t = 0; t < n && n <= FEW; t++) has_interval = say_target(p, t) || has_interval;
    const trib_influence_method *headline = trib_influence_method_find(p->result->headline);
    if (has_interval && headline && headline->reads & TRIB_READS_BOOTSTRAP)
        say(p, " Intervals rest on %s draws (seed %s).", setting(p, "influence.bootstrap"),
            setting(p, "cp.seed"));
    say(p,
        " Shared phrases do not prove reading: a common third source looks the same, and "
        "paraphrase is seen in part. Configuration and inputs have the SHA-256 %s",
        p->result->hash);
    if (*p->commit) say(p, "; the program has the commit %s", p->commit);
    say(p, ".");
}

trib_status trib_command_cite(const trib_command_line *line, trib_error *error) {
    trib_result result;
    TRIB_OWNED(trib_buffer) bibtex = {0};
    char commit[COMMIT];
    paragraph p = {.result = &result, .commit = commit, .error = error};
    p.status = trib_result_open(&result, line->operand[0], error);
    if (p.status == TRIB_OK) p.status = find_commit(line->operand[0], commit, error);
    if (p.status == TRIB_OK) p.status = make_bibtex(&bibtex, &result, commit, error);
    if (p.status == TRIB_OK) say_all(&p);
    if (p.status == TRIB_OK && line->json)
        p.status = trib_json_print(line->out, error, "{s:s, s:s}", "bibtex", bibtex.text, "methods",
                                   p.text.text);
    else if (p.status == TRIB_OK) {
        trib_write_clean(line->out, bibtex.text, bibtex.length, "\n");
        trib_write_text(line->out, "\n");
        trib_write_clean(line->out, p.text.text, p.text.length, "\n");
        trib_write_text(line->out, "\n");
    }
    trib_buffer_release(&p.text);
    trib_arena_release(&p.arena);
    trib_result_release(&result);
    return p.status;
}
