/* check.c - checks that the values of the keys of a configuration agree with each other. */
#include "pipeline/config/loading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/support/called.h"
#include "tokenizer/language.h"
#include "tokenizer/norms.h"
#include "tokenizer/stem.h"

/* ---- Targets --------------------------------------------------------------------------------- */

static trib_called document_at(const void *of, size_t i) {
    const trib_corpus_document *document = &((const trib_corpus_document *)of)[i];
    return (trib_called){document->id, document->title, document->file};
}

static int by_id(const void *id, const void *document) {
    return strcmp(id, ((const trib_corpus_document *)document)->id);
}

/* Finds the document that a name means, and its number. */
static trib_status find_document(const trib_config *config, const char *name, uint32_t *found,
                                 trib_error *error) {
    const trib_corpus_document *const document = config->corpus.document;
    const size_t n = config->corpus.n_documents;
    const trib_called_list list = {n, document_at, document, "a document of the corpus"};
    const trib_corpus_document *exact =
        n > 0 ? bsearch(name, document, n, sizeof *document, by_id) : NULL;
    size_t place = exact ? (size_t)(exact - document) : 0;
    const trib_status status = exact ? TRIB_OK : trib_called_find(&list, name, &place, error);
    *found = (uint32_t)place;
    return status;
}

/* Puts the id of the document in place of the name that corpus.target has for it: an id, a title, a
 * file name or the beginning of one of these. */
static trib_status find_target(trib_loading *l, uint32_t i) {
    const trib_config *config = l->config;
    char **name = &config->corpus.target.item[i];
    const trib_place place = trib_loading_place(l, "corpus.target", i);
    uint32_t d = 0;
    trib_error why = {0};
    const trib_status status = find_document(config, *name, &d, &why);
    const trib_corpus_document *document = &config->corpus.document[d];
    if (status == TRIB_USAGE) trib_diagnose(&l->diagnostics, place, "target %s", why.message);
    if (status != TRIB_OK)
        return status == TRIB_USAGE ? TRIB_OK : trib_fail(l->error, status, "%s", why.message);
    if (document->role == TRIB_ROLE_DECOY || document->role == TRIB_ROLE_SOURCE)
        trib_diagnose(&l->diagnostics, place, "target '%s' has role %s on line %u", *name,
                      document->role == TRIB_ROLE_DECOY ? "decoy" : "source", document->line);
    if (strcmp(*name, document->id) == 0) return TRIB_OK;
    trib_free(*name);
    *name = NULL;
    return trib_copy(name, document->id, l->error);
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Reports a document that corpus.target names twice, in two ways. */
static trib_status check_same_targets(trib_loading *l) {
    const trib_text_list *target = &l->config->corpus.target;
    char **sorted = NULL;
    const trib_status status = TRIB_NEW(&sorted, target->n, "targets", l->error);
    if (status != TRIB_OK || target->n == 0) return status;
    memcpy(sorted, target->item, target->n * sizeof *sorted);
    qsort(sorted, target->n, sizeof *sorted, by_text);
    for (uint32_t i = 1; i < target->n; i++)
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            trib_diagnose(&l->diagnostics, trib_loading_place(l, "corpus.target", 0),
                          "corpus.target names the document '%s' twice", sorted[i]);
    trib_free(sorted);
    return TRIB_OK;
}

/* Without corpus.target, the documents with role target are the targets. */
static trib_status targets_by_role(trib_loading *l) {
    trib_text_list *target = &l->config->corpus.target;
    size_t cap = target->n;
    trib_status status = TRIB_OK;
    if (target->n > 0) return TRIB_OK;
    for (uint32_t d = 0; d < l->config->corpus.n_documents && status == TRIB_OK; d++) {
        const trib_corpus_document *document = &l->config->corpus.document[d];
        if (document->role != TRIB_ROLE_TARGET || !*document->id) continue;
        status = TRIB_GROW(&target->item, &cap, target->n + 1, "targets", l->error);
        if (status == TRIB_OK) status = trib_copy(&target->item[target->n], document->id, l->error);
        if (status == TRIB_OK) target->n++;
    }
    return status;
}

static trib_status check_targets(trib_loading *l) {
    const trib_config *config = l->config;
    trib_status status = TRIB_OK;
    const trib_text_list *target = &config->corpus.target;
    const bool all = target->n == 1 && strcmp(target->item[0], "all") == 0;
    uint32_t n_possible = 0;
    if (target->n == 0)
        trib_diagnose(&l->diagnostics, trib_loading_place(l, "corpus.target", 0),
                      "no target: corpus.target needs ids of documents, or all, or give a document "
                      "role: target");
    for (uint32_t i = 0; i < target->n && !all && status == TRIB_OK; i++)
        status = find_target(l, i);
    if (status == TRIB_OK && !all && l->diagnostics.n_errors == 0) status = check_same_targets(l);
    if (status != TRIB_OK) return status;
    for (uint32_t d = 0; d < config->corpus.n_documents; d++) {
        const trib_corpus_document *document = &config->corpus.document[d];
        n_possible += document->role == TRIB_ROLE_BOTH || document->role == TRIB_ROLE_TARGET;
        bool is_target = all || target->n == 0 || document->role != TRIB_ROLE_TARGET;
        for (uint32_t i = 0; i < target->n && !is_target; i++)
            is_target = strcmp(target->item[i], document->id) == 0;
        if (!is_target)
            trib_warn(&l->diagnostics, trib_loading_place(l, "corpus.target", 0),
                      "'%s' has role target but is not in corpus.target: it is not used",
                      document->id);
    }
    if (all && n_possible == 0)
        trib_diagnose(&l->diagnostics, trib_loading_place(l, "corpus.target", 0),
                      "no target: every document has role source or decoy");
    return TRIB_OK;
}

static bool lacks_date(const trib_corpus_document *document) {
    return !document->date && *document->id;
}

static bool has_weak_date(const trib_corpus_document *document) {
    return document->date && document->date_from == TRIB_FROM_PROPERTIES;
}

/* Lists the ids of documents, "a, b and 7 more", as many as there is room for; returns how many
 * there are. */
static size_t list_ids(const trib_config *config, bool (*is_one)(const trib_corpus_document *),
                       char list[TRIB_MESSAGE_MAX / 2]) {
    enum { MORE = 48, ROOM = TRIB_MESSAGE_MAX / 2 - MORE };
    size_t length = 0, n = 0, n_listed = 0;
    list[0] = '\0';
    for (uint32_t d = 0; d < config->corpus.n_documents; d++) {
        const trib_corpus_document *document = &config->corpus.document[d];
        if (!is_one(document)) continue;
        const size_t need = strlen(document->id) + 2;
        if (n_listed == n && length + need < ROOM) {
            length +=
                (size_t)snprintf(list + length, ROOM - length, "%s%s", n ? ", " : "", document->id);
            n_listed++;
        }
        n++;
    }
    if (n > n_listed) snprintf(list + length, MORE, " and %zu more", n - n_listed);
    return n;
}

/* Gives documents the dates of their file names or properties, where their list says none. Warns of
 * dates from properties. Reports one error that names every document without a date. */
static trib_status check_dates(trib_loading *l) {
    char list[TRIB_MESSAGE_MAX / 2];
    const trib_place place = trib_loading_place(l, "corpus.order", 0);
    if (list_ids(l->config, lacks_date, list) == 0) return TRIB_OK;
    const trib_status status = trib_documents_infer(l->config, false, l->error);
    if (status != TRIB_OK) return status;
    if (list_ids(l->config, has_weak_date, list) > 0)
        trib_warn(&l->diagnostics, place,
                  "the dates of the files stand for dates of the texts, which may be older: %s; "
                  "correct them in the table that `tributary documents` writes",
                  list);
    if (list_ids(l->config, lacks_date, list) > 0)
        trib_diagnose(&l->diagnostics, place,
                      "order by-date needs a date for every document; none for %s", list);
    return TRIB_OK;
}

/* ---- Other keys ------------------------------------------------------------------------------ */

static void check_headline(trib_loading *l) {
    const trib_config *config = l->config;
    for (uint32_t i = 0; i < config->influence.n_methods; i++)
        if (config->influence.method[i] == config->influence.headline) return;
    const char *where = l->origin[trib_key_find("influence.headline") - trib_keys].yaml
                            ? "influence.headline"
                            : "influence.methods";
    trib_diagnose(&l->diagnostics, trib_loading_place(l, where, 0),
                  "influence.headline '%s' is not among influence.methods; add it there, or set "
                  "headline: %s",
                  config->influence.headline->name, config->influence.method[0]->name);
}

/* A shuffled target is made of n-grams in order, without gaps. */
static void check_skip(trib_loading *l) {
    const trib_config *config = l->config;
    if (config->tensor.skip > 0 && config->influence.null &&
        !config->influence.headline->needs_order)
        trib_diagnose(&l->diagnostics, trib_loading_place(l, "tensor.skip", 0),
                      "influence.null needs tensor.skip: 0 with the headline '%s', which counts "
                      "n-grams with gaps; take the headline traced or runs",
                      config->influence.headline->name);
}

/* Reports a penalty above 0 that the solver does not support (`is_supported` is false), and a list
 * of penalties whose length is not the number of modes. */
static void check_penalty(trib_loading *l, const char *key, const trib_mode_numbers *penalty,
                          bool is_supported, const char *needs) {
    bool any = false;
    for (uint32_t m = 0; m < penalty->n; m++) any = any || penalty->item[m] > 0;
    if (penalty->n > 1 && penalty->n != l->config->tensor.n)
        trib_diagnose(&l->diagnostics, trib_loading_place(l, key, 0),
                      "'%s' has %u numbers; give one, or %u for the modes of tensor.n", key,
                      (unsigned)penalty->n, (unsigned)l->config->tensor.n);
    if (any && !is_supported)
        trib_diagnose(&l->diagnostics, trib_loading_place(l, key, 0), "'%s' needs a %s, not %s",
                      key, needs, l->config->cp.solver->name);
}

/* In an experiment, mode numbers must not exceed tensor.n, and at least one mode must stay free. A
 * single command may read a tensor with another number of modes, so that neither is checked
 * there. */
static void check_fixed(trib_loading *l, bool is_experiment) {
    const trib_config *config = l->config;
    const trib_place place = trib_loading_place(l, "cp.fixed", 0);
    uint32_t n_fixed = 0, last = 0;
    for (uint32_t m = 0; m < TRIB_MAX_MODES; m++)
        if (config->cp.fixed[m]) n_fixed++, last = m + 1;
    if (n_fixed > 0 && !config->cp.solver->rows)
        trib_diagnose(&l->diagnostics, place,
                      "'cp.fixed' needs a least-squares solver such as hals, not %s",
                      config->cp.solver->name);
    else if (is_experiment && last > config->tensor.n)
        trib_diagnose(&l->diagnostics, place, "'cp.fixed' names mode %u, but tensor.n is %u",
                      (unsigned)last, (unsigned)config->tensor.n);
    else if (is_experiment && n_fixed == config->tensor.n)
        trib_diagnose(&l->diagnostics, place,
                      "'cp.fixed' names every mode, so that nothing is fitted; leave one out");
}

static void check_solver(trib_loading *l) {
    const trib_config *config = l->config;
    const trib_solver *solver = config->cp.solver;
    if (config->cp.rank == 0 && strcmp(solver->name, "fibre") != 0)
        trib_diagnose(&l->diagnostics, trib_loading_place(l, "cp.rank", 0),
                      "rank 'all' needs solver fibre, not %s", solver->name);
    if (config->cp.rank == TRIB_RANK_AUTO && !solver->needs_start)
        trib_diagnose(&l->diagnostics, trib_loading_place(l, "cp.rank", 0),
                      "rank 'auto' needs a solver that begins with components, not %s",
                      solver->name);
    /* A command that runs without an experiment may not use influence methods. Those that do check
     * them on their own. */
    const bool is_experiment = l->file.n_nodes > 0;
    for (uint32_t i = 0; is_experiment && solver->negative && i < config->influence.n_methods; i++)
        if (config->influence.method[i]->needs_factors) {
            trib_diagnose(&l->diagnostics, trib_loading_place(l, "cp.solver", 0),
                          "influence method %s needs a nonnegative solver such as hals, not %s",
                          config->influence.method[i]->name, solver->name);
            break;
        }
    if (config->cp.single && (!solver->rows || !config->tensor.format->mttkrp_single))
        trib_diagnose(&l->diagnostics, trib_loading_place(l, "cp.precision", 0),
                      "precision 'single' needs tensor.format rows and a least-squares solver such "
                      "as hals, not %s and %s",
                      config->tensor.format->name, solver->name);
    if (config->cp.extrapolation && !solver->extrapolates)
        trib_diagnose(&l->diagnostics, trib_loading_place(l, "cp.extrapolation", 0),
                      "'cp.extrapolation' needs the solver hals, ccd or bpp, not %s", solver->name);
    check_fixed(l, is_experiment);
    check_penalty(l, "cp.l1", &config->cp.l1, solver->rows && !solver->negative,
                  "nonnegative least-squares solver such as hals");
    check_penalty(l, "cp.l2", &config->cp.l2, solver->rows, "least-squares solver such as hals");
}

static void check_vocabulary(trib_loading *l) {
    const trib_config *config = l->config;
    if (config->vocabulary.file &&
        (config->vocabulary.size > 0 || config->vocabulary.min_count > 1 ||
         config->vocabulary.min_documents > 1))
        trib_diagnose(&l->diagnostics, trib_loading_place(l, "vocabulary.file", 0),
                      "'vocabulary.file' says which words count; leave out size, min_count and "
                      "min_documents");
}

static void check_parallels(trib_loading *l) {
    if (l->config->parallels.feature == TRIB_FEATURE_LEMMAS && !l->config->parallels.lemmas)
        trib_diagnose(&l->diagnostics, trib_loading_place(l, "parallels.feature", 0),
                      "'parallels.feature: lemmas' needs a table; name its file in "
                      "parallels.lemmas");
}

/* libstemmer knows which languages have stems. */
static trib_status check_stems(trib_loading *l) {
    const trib_config *config = l->config;
    trib_stemmer *stemmer = NULL;
    trib_error problem = {0};
    if (config->parallels.feature != TRIB_FEATURE_STEMS) return TRIB_OK;
    const trib_status status =
        trib_stemmer_open(&stemmer, trib_config_stem_language(config), &problem);
    trib_stemmer_close(stemmer);
    if (status != TRIB_CONFIG)
        return status == TRIB_OK ? TRIB_OK : trib_fail(l->error, status, "%s", problem.message);
    trib_diagnose(&l->diagnostics, trib_loading_place(l, "parallels.feature", 0),
                  "'parallels.feature: stems': %s; choose one of them by parallels.language",
                  problem.message);
    return TRIB_OK;
}

/* libstemmer and ICU know the names of languages and transforms; files are read by the run. */
static trib_status check_norms(trib_loading *l) {
    const trib_config *config = l->config;
    const char *transform = config->tokens.transform;
    const bool is_file = transform && trib_transform_is_file(transform);
    trib_transform *opened = NULL;
    trib_stemmers stemmers = {0};
    trib_error problem = {0};
    trib_status status = TRIB_OK;
    if (transform && !is_file) status = trib_transform_open(&opened, transform, NULL, &problem);
    trib_transform_close(opened);
    if (status == TRIB_CONFIG) {
        trib_diagnose(&l->diagnostics, trib_loading_place(l, "tokens.transform", 0), "%s",
                      problem.message);
        status = TRIB_OK;
    }
    if (status == TRIB_OK && strcmp(config->tokens.stem, "none") != 0)
        status = trib_stemmers_open(&stemmers, config->tokens.stems, &problem);
    trib_stemmers_close(&stemmers);
    if (status == TRIB_CONFIG) {
        trib_diagnose(&l->diagnostics, trib_loading_place(l, "tokens.stem", 0), "'tokens.stem': %s",
                      problem.message);
        status = TRIB_OK;
    }
    return status == TRIB_OK ? TRIB_OK : trib_fail(l->error, status, "%s", problem.message);
}

static void check_cut(trib_loading *l) {
    bool of_superblock;
    const trib_tensor_cut cut = l->config->tensor.cut;
    const char *diagnostic = trib_tensor_cut_diagnostic(cut, &of_superblock);
    const char *key = of_superblock ? "tensor.superblock" : "tensor.block";
    if (diagnostic)
        trib_diagnose(&l->diagnostics, trib_loading_place(l, key, 0), "'%s' %s, not '%u'", key,
                      diagnostic, (unsigned)(of_superblock ? cut.superblock : cut.block));
}

#ifndef TRIB_WITH_SQLITE
static void check_formats(trib_loading *l) {
    if (l->config->report.sqlite)
        trib_diagnose(&l->diagnostics, trib_loading_place(l, "report.formats", 0),
                      "this build cannot write 'sqlite': install libsqlite3 (Debian: "
                      "libsqlite3-dev) and build again");
}
#endif

/* The name becomes part of a path. In `output`, braces may enclose only {name} and {hash8}. */
static void check_output(trib_loading *l) {
    const char *name = l->config->name, *output = l->config->output;
    if (strchr(name, '/') || name[0] == '.')
        trib_diagnose(
            &l->diagnostics, trib_loading_place(l, "name", 0),
            "'name' is part of a path: it cannot begin with '.' or contain '/', as '%s' does",
            name);
    if (!*output)
        trib_diagnose(&l->diagnostics, trib_loading_place(l, "output", 0), "'output' is empty");
    for (const char *brace = strchr(output, '{'); brace; brace = strchr(brace + 1, '{')) {
        if (strncmp(brace, "{name}", 6) == 0 || strncmp(brace, "{hash8}", 7) == 0) continue;
        trib_diagnose(&l->diagnostics, trib_loading_place(l, "output", 0),
                      "'%.*s' in 'output' is neither {name} nor {hash8}",
                      (int)strcspn(brace, "}") + 1, brace);
    }
}

/* The tokenizer knows which locales and encodings exist, and suggests the one most similar to a
 * wrong name. */
static trib_status check_tokens(trib_loading *l) {
    static const char *const key[] = {"tokens.locale", "corpus.encoding"};
    const trib_token_options asked[] = {{.locale = l->config->tokens.locale},
                                        {.encoding = l->config->corpus.encoding}};
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < 2 && status == TRIB_OK; i++) {
        trib_tokenizer *tokenizer = NULL;
        trib_error problem = {0};
        status = trib_tokenizer_open(&tokenizer, &asked[i], &problem);
        trib_tokenizer_close(tokenizer);
        if (status == TRIB_CONFIG) {
            trib_diagnose(&l->diagnostics, trib_loading_place(l, key[i], 0), "%s", problem.message);
            status = TRIB_OK;
        } else if (status != TRIB_OK) {
            trib_fail(l->error, status, "%s", problem.message);
        }
    }
    return status;
}

trib_status trib_loading_check(trib_loading *l) {
    trib_status status = targets_by_role(l);
    if (status == TRIB_OK && l->config->corpus.n_documents > 0) status = check_targets(l);
    if (status == TRIB_OK && l->config->corpus.n_documents > 0 &&
        l->config->corpus.order == TRIB_ORDER_BY_DATE)
        status = check_dates(l);
    if (status != TRIB_OK) return status;
    check_headline(l);
    check_skip(l);
    check_solver(l);
    check_vocabulary(l);
    check_parallels(l);
    check_cut(l);
    check_output(l);
#ifndef TRIB_WITH_SQLITE
    check_formats(l);
#endif
    status = check_stems(l);
    if (status == TRIB_OK) status = check_norms(l);
    return status == TRIB_OK ? check_tokens(l) : status;
}
