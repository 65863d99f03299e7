/* check.c - checks that the values of the keys of a configuration agree with each other, and that
 * the files that keys name are there. */
#include "base/internal.h"
#include "pipeline/config/loading.h"

#include <errno.h>
#include <unistd.h>

#include "pipeline/support/names.h"
#include "pipeline/text/elements.h"
#include "tokenizer/language.h"
#include "tokenizer/norms.h"

/* ---- Places ---------------------------------------------------------------------------------- */

trib_place trib_loading_place(const trib_loading *l, const char *path, uint32_t item) {
    const trib_origin *origin = &l->origin[trib_key_find(path) - trib_keys];
    if (!origin->yaml) return (trib_place){.source = &l->file.source};
    uint32_t node = origin->node;
    const trib_yaml_kind kind = trib_yaml_kind_of(origin->yaml, node);
    if (kind == TRIB_YAML_LIST || kind == TRIB_YAML_MAP) {
        const uint32_t n_before = kind == TRIB_YAML_MAP ? 2 * item + 1 : item; /* keys count, too */
        uint32_t k = trib_yaml_first(origin->yaml, node);
        for (uint32_t i = 0; i < n_before && k; i++) k = trib_yaml_next(origin->yaml, k);
        if (k) node = k;
    }
    return trib_yaml_place(origin->yaml, node);
}

/* Reports an error at the place of a key. */
#define SAY(l, key, ...)                                                                           \
    trib_diagnose(&(l)->diagnostics, trib_loading_place(l, key, 0), __VA_ARGS__)

/* Reports what a library found wrong with the value of a key. */
static void settle(trib_loading *l, const char *key, const char *before, const trib_error *why) {
    (void)trib_settled(&l->diagnostics, trib_loading_place(l, key, 0), before, TRIB_CONFIG, why,
                       &l->config->arena.failure);
}

/* ---- Targets --------------------------------------------------------------------------------- */

static trib_called document_at(const void *of, size_t i) {
    const trib_corpus_document *document = &((const trib_corpus_document *)of)[i];
    return (trib_called){document->id, document->title, document->file};
}

static int by_id(const void *id, const void *document) {
    return strcmp(id, ((const trib_corpus_document *)document)->id);
}

/* Puts the id of the document in place of the name that corpus.target has for it: an id, a title, a
 * file name or the beginning of one of these. */
static void find_target(trib_loading *l, size_t i) {
    const trib_corpus_document *document = l->config->corpus.document;
    const size_t n = l->config->corpus.n_documents;
    const trib_called_list list = {n, document_at, document, "a document of the corpus"};
    const trib_place place = trib_loading_place(l, "corpus.target", (uint32_t)i);
    const char **name = &l->config->corpus.target.item[i];
    const trib_corpus_document *exact = bsearch(*name, document, n, sizeof *document, by_id);
    size_t found = exact ? (size_t)(exact - document) : 0;
    trib_error why = {0};
    if (!exact) (void)trib_called_find(&list, *name, &found, &why);
    if (!trib_settled(&l->diagnostics, place, "target ", TRIB_USAGE, &why,
                      &l->config->arena.failure))
        return;
    document += found;
    if (document->role == TRIB_ROLE_DECOY || document->role == TRIB_ROLE_SOURCE)
        trib_diagnose(&l->diagnostics, place, "target '%s' has role %s on line %u", *name,
                      trib_role_names[document->role], document->line);
    *name = document->id;
}

/* Reports a document that corpus.target names twice, in two ways. */
static void check_same_targets(trib_loading *l) {
    const trib_text_list *target = &l->config->corpus.target;
    const char **sorted = trib_arena_new(&l->config->arena, target->n, sizeof *sorted);
    if (!sorted || target->n == 0) return;
    memcpy(sorted, target->item, target->n * sizeof *sorted);
    qsort(sorted, target->n, sizeof *sorted, trib_by_text);
    for (size_t i = 1; i < target->n; i++)
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            SAY(l, "corpus.target", "corpus.target names the document '%s' twice", sorted[i]);
}

/* Without corpus.target, the documents with role target are the targets. */
static void targets_by_role(trib_loading *l) {
    trib_text_list *target = &l->config->corpus.target;
    if (target->n > 0) return;
    for (uint32_t d = 0; d < l->config->corpus.n_documents; d++) {
        const trib_corpus_document *document = &l->config->corpus.document[d];
        if (document->role != TRIB_ROLE_TARGET || !*document->id) continue;
        TRIB_ADD(&l->config->arena, target, const char *, {document->id});
    }
}

static void check_targets(trib_loading *l) {
    const trib_config *config = l->config;
    const trib_text_list *target = &config->corpus.target;
    const bool all = target->n == 1 && strcmp(target->item[0], "all") == 0;
    uint32_t n_possible = 0;
    if (target->n == 0)
        SAY(l, "corpus.target",
            "no target: corpus.target needs ids of documents, or all, or give a document role: "
            "target");
    for (size_t i = 0; i < target->n && !all && trib_loading_goes_on(l); i++) find_target(l, i);
    if (!all && l->diagnostics.n_errors == 0) check_same_targets(l);
    for (uint32_t d = 0; d < config->corpus.n_documents; d++) {
        const trib_corpus_document *document = &config->corpus.document[d];
        n_possible += document->role == TRIB_ROLE_BOTH || document->role == TRIB_ROLE_TARGET;
        bool is_target = all || target->n == 0 || document->role != TRIB_ROLE_TARGET;
        for (size_t i = 0; i < target->n && !is_target; i++)
            is_target = strcmp(target->item[i], document->id) == 0;
        if (!is_target)
            trib_warn(&l->diagnostics, trib_loading_place(l, "corpus.target", 0),
                      "'%s' has role target but is not in corpus.target: it is not used",
                      document->id);
    }
    if (all && n_possible == 0)
        SAY(l, "corpus.target", "no target: every document has role source or decoy");
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
static void check_dates(trib_loading *l) {
    char list[TRIB_MESSAGE_MAX / 2];
    const trib_place place = trib_loading_place(l, "corpus.order", 0);
    if (list_ids(l->config, lacks_date, list) == 0 ||
        trib_documents_infer(l->config, false, &l->config->arena.failure) != TRIB_OK)
        return;
    if (list_ids(l->config, has_weak_date, list) > 0)
        trib_warn(&l->diagnostics, place,
                  "the dates of the files stand for dates of the texts, which may be older: %s; "
                  "correct them in the table that `tributary documents` writes",
                  list);
    if (list_ids(l->config, lacks_date, list) > 0)
        trib_diagnose(&l->diagnostics, place,
                      "order by-date needs a date for every document; none for %s", list);
}

/* ---- Other keys ------------------------------------------------------------------------------ */

static bool is_asked(const trib_config *config, const trib_influence_method *method) {
    uint32_t i = 0;
    while (i < config->influence.n_methods && config->influence.method[i] != method) i++;
    return i < config->influence.n_methods;
}

/* `auto` becomes the method whose shares tell a reader most. */
static void settle_headline(trib_config *config) {
    static const char *const first[] = {"extent", "traced"};
    config->influence.headline = config->influence.headline_asked;
    for (size_t i = 0; i < 2 && !config->influence.headline; i++) {
        const trib_influence_method *const method = trib_influence_method_find(first[i]);
        if (is_asked(config, method)) config->influence.headline = method;
    }
    if (!config->influence.headline) config->influence.headline = config->influence.method[0];
}

/* The headline is one of the methods. A shuffled target is made of n-grams in order, without
 * gaps. */
static void check_headline(trib_loading *l) {
    const trib_config *config = l->config;
    settle_headline(l->config);
    const trib_influence_method *headline = config->influence.headline;
    if (!is_asked(config, headline))
        SAY(l, "influence.headline",
            "influence.headline '%s' is not among influence.methods; add it there, or set "
            "headline: %s",
            headline->name, config->influence.method[0]->name);
    if (config->tensor.skip > 0 && config->influence.null && !headline->needs_order)
        SAY(l, "tensor.skip",
            "influence.null needs tensor.skip: 0 with the headline '%s', which counts n-grams with "
            "gaps; take the headline extent, traced or runs",
            headline->name);
}

/* Reports a penalty above 0 that the solver does not support (`is_supported` is false), and a list
 * of penalties whose length is not the number of modes. */
static void check_penalty(trib_loading *l, const char *key, const trib_mode_numbers *penalty,
                          bool is_supported, const char *needs) {
    bool any = false;
    for (uint32_t m = 0; m < penalty->n; m++) any = any || penalty->item[m] > 0;
    if (penalty->n > 1 && penalty->n != l->config->tensor.n)
        SAY(l, key, "'%s' has %u numbers; give one, or %u for the modes of tensor.n", key,
            (unsigned)penalty->n, (unsigned)l->config->tensor.n);
    if (any && !is_supported)
        SAY(l, key, "'%s' needs a %s, not %s", key, needs, l->config->cp.solver->name);
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
        SAY(l, "cp.rank", "rank 'all' needs solver fibre, not %s", solver->name);
    if (config->cp.rank == TRIB_RANK_AUTO && !solver->needs_start)
        SAY(l, "cp.rank", "rank 'auto' needs a solver that begins with components, not %s",
            solver->name);
    if (config->cp.rank == TRIB_RANK_HOLDOUT && !solver->rows)
        SAY(l, "cp.rank", "rank 'holdout' needs a least-squares solver such as hals, not %s",
            solver->name);
    /* A command that runs without an experiment may not use influence methods. Those that do check
     * them on their own. */
    const bool is_experiment = l->file.n_nodes > 0;
    for (uint32_t i = 0; is_experiment && solver->negative && i < config->influence.n_methods; i++)
        if (config->influence.method[i]->needs_factors) {
            SAY(l, "cp.solver",
                "influence method %s needs a nonnegative solver such as hals, not %s",
                config->influence.method[i]->name, solver->name);
            break;
        }
    if (config->cp.single && (!solver->rows || !config->tensor.format->mttkrp_single))
        SAY(l, "cp.precision",
            "precision 'single' needs tensor.format rows and a least-squares solver such "
            "as hals, not %s and %s",
            config->tensor.format->name, solver->name);
    if (config->cp.extrapolation == TRIB_EXTRAPOLATE_AUTO && solver->extrapolates &&
        config->cp.start && config->cp.start->seeded)
        l->config->cp.extrapolation = TRIB_EXTRAPOLATE_NESTEROV;
    if (config->cp.extrapolation == TRIB_EXTRAPOLATE_NESTEROV && !solver->extrapolates)
        SAY(l, "cp.extrapolation", "'cp.extrapolation' needs the solver hals, ccd or bpp, not %s",
            solver->name);
    check_fixed(l, is_experiment);
    check_penalty(l, "cp.l1", &config->cp.l1, solver->rows && !solver->negative,
                  "nonnegative least-squares solver such as hals");
    check_penalty(l, "cp.l2", &config->cp.l2, solver->rows, "least-squares solver such as hals");
}

/* libstemmer and ICU know the names of languages and transforms, locales and encodings. Files are
 * read by the run. */
static void check_names(trib_loading *l) {
    const trib_config *config = l->config;
    const char *transform = trib_config_transform(config);
    trib_error why = {0};
    if (config->parallels.feature == TRIB_FEATURE_STEMS) {
        trib_stemmer *stemmer = NULL;
        (void)trib_stemmer_open(&stemmer, trib_config_stem_language(config), &why);
        trib_stemmer_close(stemmer);
        if (why.status == TRIB_CONFIG)
            SAY(l, "parallels.feature",
                "'parallels.feature: stems': %s; choose one of them by parallels.language",
                why.message);
        else if (why.status != TRIB_OK) l->config->arena.failure = why;
    }
    why = (trib_error){0};
    if (transform && !trib_transform_is_file(transform)) {
        trib_transform *opened = NULL;
        (void)trib_transform_open(&opened, transform, NULL, &why);
        trib_transform_close(opened);
    }
    settle(l, "tokens.transform", "", &why);
    why = (trib_error){0};
    if (strcmp(config->tokens.stem, "none") != 0) {
        TRIB_OPENED(trib_stemmers) stemmers = {0};
        (void)trib_stemmers_open(&stemmers, config->tokens.stems, &why);
    }
    settle(l, "tokens.stem", "'tokens.stem': ", &why);
}

/* Keys that exclude or need others. The name becomes part of a path. In `output`, braces may hold
 * only {name} and {hash8}. */
static void check_others(trib_loading *l) {
    const trib_config *config = l->config;
    const char *name = config->name, *output = config->output;
    const trib_tensor_cut cut = config->tensor.cut;
    bool of_superblock;
    const char *diagnostic = trib_tensor_cut_diagnostic(cut, &of_superblock);
    const char *key = of_superblock ? "tensor.superblock" : "tensor.block";
    if (config->vocabulary.file &&
        (config->vocabulary.size > 0 || config->vocabulary.min_count > 1 ||
         config->vocabulary.min_documents > 1))
        SAY(l, "vocabulary.file",
            "'vocabulary.file' says which words count; leave out size, min_count and "
            "min_documents");
    if (config->parallels.feature == TRIB_FEATURE_LEMMAS && !config->parallels.lemmas)
        SAY(l, "parallels.feature",
            "'parallels.feature: lemmas' needs a table; name its file in parallels.lemmas");
    if (diagnostic)
        SAY(l, key, "'%s' %s, not '%u'", key, diagnostic,
            (unsigned)(of_superblock ? cut.superblock : cut.block));
    if (strchr(name, '/') || name[0] == '.')
        SAY(l, "name",
            "'name' is part of a path: it cannot begin with '.' or contain '/', as '%s' does",
            name);
    if (!*output) SAY(l, "output", "'output' is empty");
    for (const char *brace = strchr(output, '{'); brace; brace = strchr(brace + 1, '{')) {
        if (strncmp(brace, "{name}", 6) == 0 || strncmp(brace, "{hash8}", 7) == 0) continue;
        SAY(l, "output", "'%.*s' in 'output' is neither {name} nor {hash8}",
            (int)strcspn(brace, "}") + 1, brace);
    }
}

static void check_tokens(trib_loading *l) {
    static const char *const key[] = {"tokens.locale", "corpus.encoding"};
    const char *const locale = l->config->tokens.locale, *const encoding =
                                                             l->config->corpus.encoding;
    const trib_token_options asked[] = {
        {.locale = locale, .encoding = encoding}, {.locale = locale}, {.encoding = encoding}};
    for (size_t i = 0; i < 3; i++) { /* which of the two is wrong, if both at once are not right */
        trib_tokenizer *tokenizer = NULL;
        trib_error why = {0};
        const trib_status status = trib_tokenizer_open(&tokenizer, &asked[i], &why);
        trib_tokenizer_close(tokenizer);
        if (i > 0) settle(l, key[i - 1], "", &why);
        else if (status == TRIB_OK) break;
    }
}

void trib_loading_check(trib_loading *l) {
    const bool has_documents = l->config->corpus.n_documents > 0;
    targets_by_role(l);
    if (has_documents && trib_loading_goes_on(l)) check_targets(l);
    if (has_documents && l->config->corpus.order == TRIB_ORDER_BY_DATE && trib_loading_goes_on(l))
        check_dates(l);
    if (!trib_loading_goes_on(l)) return;
    check_headline(l);
    check_solver(l);
    check_others(l);
    check_names(l);
    if (trib_loading_goes_on(l)) check_tokens(l);
}

/* ---- Files ----------------------------------------------------------------------------------- */

const char *trib_loading_join(trib_loading *l, const char *name) {
    char *path = NULL;
    if (trib_loading_goes_on(l))
        (void)trib_path_join(&path, l->config->directory, name, &l->config->arena.failure);
    return trib_kept(&l->config->arena, path);
}

/* Finds the file that item `item` of a key names; NULL: none. */
static void find_file(trib_loading *l, const char *key, uint32_t item, const char *name,
                      const char **path) {
    int why = 0;
    if (!name) return;
    *path = trib_loading_join(l, name);
    if (!l->is_for_run) return;
    if (!trib_disk_may(*path, R_OK)) why = errno;
    else if (trib_disk_is_folder(*path)) why = EISDIR;
    if (why != 0)
        trib_diagnose(&l->diagnostics, trib_loading_place(l, key, item),
                      "'%s' names a file that cannot be read: %s: %s; write the file or correct "
                      "its path",
                      key, *path, strerror(why));
}

trib_status trib_config_read_markup(trib_config *config, trib_error *error) {
    trib_buffer text = {0};
    const char *path = config->corpus.markup_path;
    if (!path || config->corpus.edition.rules) return TRIB_OK;
    trib_status status = trib_read_whole(path, &text, error);
    if (status == TRIB_OK)
        status = trib_rules_check(path, text.text ? text.text : "", text.length, error);
    if (status != TRIB_OK) trib_buffer_release(&text);
    config->corpus.edition.rules = trib_kept(&config->arena, text.text);
    return status;
}

void trib_loading_files(trib_loading *l) {
    trib_config *const config = l->config;
    const char *transform = config->tokens.transform;
    const bool is_file = transform && trib_transform_is_file(transform);
    find_file(l, "tokens.transform", 0, is_file ? transform : NULL, &config->tokens.transform_path);
    find_file(l, "tokens.variants", 0, config->tokens.variants, &config->tokens.variants_path);
    for (size_t i = 0; i < config->tokens.stop.n; i++) {
        trib_stop_words *words = &config->tokens.stop.item[i];
        const bool is_count = trib_stop_count(words) > 0;
        find_file(l, "tokens.stop", (uint32_t)i, is_count ? NULL : words->value, &words->path);
    }
    find_file(l, "corpus.markup", 0, config->corpus.markup, &config->corpus.markup_path);
    trib_error why = {0};
    if (config->corpus.markup && trib_loading_goes_on(l) &&
        trib_disk_may(config->corpus.markup_path, R_OK))
        (void)trib_config_read_markup(config, &why);
    settle(l, "corpus.markup", "", &why);
    find_file(l, "vocabulary.file", 0, config->vocabulary.file, &config->vocabulary.path);
    find_file(l, "parallels.lemmas", 0, config->parallels.lemmas, &config->parallels.lemmas_path);
    find_file(l, "translations.dictionary", 0, config->translations.dictionary,
              &config->translations.dictionary_path);
    find_file(l, "translations.table", 0, config->translations.table,
              &config->translations.table_path);
    find_file(l, "report.commonplaces", 0, config->report.commonplaces,
              &config->report.commonplaces_path);
}
