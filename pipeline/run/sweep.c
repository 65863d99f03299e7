/* sweep.c - the members of a sweep. The section is read into axes, lists and exclusions; all
 * combinations are loaded as configurations, so that every mistake is reported before the first
 * run. */
#include "pipeline/run/sweep.h"

/* A key and its values. */
typedef struct axis {
    uint32_t key;       /* index in sweep->key */
    const char **value; /* [n] in printed form */
    size_t n;
} axis;

/* Keys with their values: the grid, an item of the list, or an exclusion. */
typedef struct axes {
    axis item[TRIB_SWEEP_KEYS];
    uint32_t n;
    uint32_t node; /* the YAML node of an exclusion */
    bool is_met;   /* it excluded a member */
} axes;

typedef struct reading {
    trib_sweep *sweep;
    trib_yaml yaml;
    trib_diagnostics diagnostics;
    axes *excluded; /* [n_excluded] */
    size_t n_excluded;
    trib_error *error;
} reading;

/* ---- Values ---------------------------------------------------------------------------------- */

/* Adds the value of a node in printed form, in which 1e-5 and 0.00001 are the same. */
static trib_status add_value(reading *r, axis *a, uint32_t node) {
    trib_arena *arena = &r->sweep->arena;
    const trib_key *key = r->sweep->key[a->key];
    const size_t n_errors = r->diagnostics.n_errors;
    trib_config scratch = {0};
    TRIB_OWNED(trib_buffer) text = {0};
    key->type->read(&(trib_reading){key, &r->yaml, node, &r->diagnostics, &scratch.arena},
                    trib_key_field(key, &scratch));
    trib_status status = trib_arena_check(&scratch.arena, r->error);
    if (status == TRIB_OK && r->diagnostics.n_errors == n_errors)
        status = trib_key_print(key, &scratch, false, &text, r->error);
    trib_config_release(&scratch);
    for (size_t v = 0; v < a->n && text.text && r->diagnostics.n_errors == n_errors; v++)
        if (strcmp(a->value[v], text.text) == 0)
            trib_diagnose(&r->diagnostics, trib_yaml_place(&r->yaml, node),
                          "'%s' has the value %s twice", key->path, text.text);
    if (status == TRIB_OK && text.text && r->diagnostics.n_errors == n_errors) {
        TRIB_ADD(arena, &a->value, const char *, {trib_arena_copy(arena, text.text, text.length)});
    }
    return status;
}

/* The key of a node, which must be `preset` or a key that can change a result and is not a path;
 * a path would have another meaning in each member's directory. */
static const trib_key *find_key(reading *r, uint32_t node) {
    const char *path = trib_yaml_text(&r->yaml, node);
    const trib_key *key = trib_key_find(path);
    const trib_place place = trib_yaml_place(&r->yaml, node);
    trib_guess guess = {.word = path};
    for (const trib_key *k = trib_keys; !key && k->path; k++) trib_guess_try(&guess, k->path);
    if (!key)
        trib_diagnose(&r->diagnostics, place, "unknown key '%s'%s", path, trib_guess_hint(&guess));
    else if (key->effect != TRIB_KEY_RESULT && strcmp(path, "preset") != 0)
        trib_diagnose(&r->diagnostics, place, "'%s' changes no result, so a sweep cannot vary it",
                      path);
    else if (key->type == &trib_key_path || key->type == &trib_key_stop)
        trib_diagnose(&r->diagnostics, place, "'%s' is a path, so a sweep cannot vary it", path);
    else return key;
    return NULL;
}

/* Finds the index of a key in sweep->key, and adds the key when it is new; an exclusion may not
 * add one. */
static bool number_key(reading *r, uint32_t node, bool excluding, uint32_t *number) {
    trib_sweep *sweep = r->sweep;
    const trib_key *key = find_key(r, node);
    if (!key) return false;
    for (*number = 0; *number < sweep->n_keys; ++*number)
        if (sweep->key[*number] == key) return true;
    if (excluding)
        trib_diagnose(&r->diagnostics, trib_yaml_place(&r->yaml, node),
                      "'%s' does not vary, so it cannot exclude members", key->path);
    else if (sweep->n_keys == TRIB_SWEEP_KEYS)
        trib_diagnose(&r->diagnostics, trib_yaml_place(&r->yaml, node), "more than %d keys vary",
                      TRIB_SWEEP_KEYS);
    else sweep->key[sweep->n_keys++] = key;
    return *number < sweep->n_keys;
}

typedef enum { GRID, MEMBER, EXCLUSION } part;

/* Reads a mapping of keys: to lists of values in a grid or an exclusion, to one value in a
 * member. */
static trib_status read_axes(reading *r, axes *a, uint32_t map, part what) {
    const trib_yaml *yaml = &r->yaml;
    char shown[128];
    trib_status status = TRIB_OK;
    if (trib_yaml_kind_of(yaml, map) != TRIB_YAML_MAP) {
        trib_diagnose(&r->diagnostics, trib_yaml_place(yaml, map),
                      "must be keys with their values, as in {cp.rank: 50}, not %s",
                      trib_yaml_describe(yaml, map, shown));
        return TRIB_OK;
    }
    for (uint32_t k = trib_yaml_first(yaml, map); k && status == TRIB_OK;
         k = trib_yaml_next(yaml, trib_yaml_next(yaml, k))) {
        const uint32_t node = trib_yaml_next(yaml, k);
        axis *one = &a->item[a->n];
        if (!number_key(r, k, what == EXCLUSION, &one->key)) continue;
        a->n++;
        const bool many = what != MEMBER && trib_yaml_kind_of(yaml, node) == TRIB_YAML_LIST;
        if (!many) status = add_value(r, one, node);
        for (uint32_t v = many ? trib_yaml_first(yaml, node) : 0; v && status == TRIB_OK;
             v = trib_yaml_next(yaml, v))
            status = add_value(r, one, v);
        if (many && !trib_yaml_first(yaml, node))
            trib_diagnose(&r->diagnostics, trib_yaml_place(yaml, node), "'%s' has no value",
                          trib_yaml_text(yaml, k));
    }
    return status;
}

/* ---- Members --------------------------------------------------------------------------------- */

static bool is_excluded(reading *r, const char *const value[TRIB_SWEEP_KEYS]) {
    bool is_met = false;
    for (size_t e = 0; e < r->n_excluded; e++) {
        axes *a = &r->excluded[e];
        bool all = a->n > 0;
        for (uint32_t i = 0; i < a->n && all; i++) {
            const char *own = value[a->item[i].key];
            bool any = false;
            for (size_t v = 0; v < a->item[i].n; v++)
                any = any || (own && strcmp(a->item[i].value[v], own) == 0);
            all = any;
        }
        a->is_met |= all;
        is_met |= all;
    }
    return is_met;
}

/* Adds the member with value[choice[i]] for each axis i, unless an exclusion matches. */
static void add_member(reading *r, const axes *a, const size_t *choice) {
    const char *value[TRIB_SWEEP_KEYS] = {0};
    for (uint32_t i = 0; i < a->n; i++) value[a->item[i].key] = a->item[i].value[choice[i]];
    if (is_excluded(r, value)) return;
    trib_sweep_member *member =
        trib_arena_append(&r->sweep->arena, &r->sweep->member, sizeof *member);
    if (member) memcpy(member->value, value, sizeof value);
}

/* Adds every combination, the last axis fastest. Without axes there is one member: the
 * experiment as in the file. */
static void add_combinations(reading *r, const axes *a, uint32_t node) {
    size_t choice[TRIB_SWEEP_KEYS] = {0}, n = 1;
    for (uint32_t i = 0; i < a->n; i++)
        if (!trib_multiply(n, a->item[i].n, &n) || n > TRIB_SWEEP_MEMBERS) n = SIZE_MAX;
    if (n > TRIB_SWEEP_MEMBERS - r->sweep->n_members) {
        trib_diagnose(&r->diagnostics, trib_yaml_place(&r->yaml, node), "more than %d members",
                      TRIB_SWEEP_MEMBERS);
        return;
    }
    for (size_t c = 0; c < n; c++) {
        add_member(r, a, choice);
        for (uint32_t i = a->n; i-- > 0 && ++choice[i] == a->item[i].n;) choice[i] = 0;
    }
}

/* ---- The section ----------------------------------------------------------------------------- */

/* Reads an item of `list` or `exclude`, or the grid. */
static trib_status read_item(reading *r, uint32_t node, part what) {
    const size_t n_errors = r->diagnostics.n_errors;
    axes a = {.node = node};
    const trib_status status = read_axes(r, &a, node, what);
    if (status != TRIB_OK || r->diagnostics.n_errors > n_errors) return status;
    if (what != EXCLUSION) {
        add_combinations(r, &a, node);
        return TRIB_OK;
    }
    axes *excluded = trib_arena_append(&r->sweep->arena, &r->excluded, sizeof *excluded);
    if (excluded) *excluded = a;
    return TRIB_OK;
}

static trib_status read_items(reading *r, uint32_t list, part what) {
    trib_status status = TRIB_OK;
    if (!list) return TRIB_OK;
    if (trib_yaml_kind_of(&r->yaml, list) != TRIB_YAML_LIST) {
        trib_diagnose(&r->diagnostics, trib_yaml_place(&r->yaml, list),
                      "must be a list of settings, as in [{cp.rank: 50}]");
        return TRIB_OK;
    }
    for (uint32_t i = trib_yaml_first(&r->yaml, list); i && status == TRIB_OK;
         i = trib_yaml_next(&r->yaml, i))
        status = read_item(r, i, what);
    return status;
}

/* Collects the keys of a mapping, so that exclusions, which are read first, know the keys that
 * vary. */
static void collect_keys(reading *r, uint32_t map) {
    uint32_t number;
    if (!map || trib_yaml_kind_of(&r->yaml, map) != TRIB_YAML_MAP) return;
    TRIB_YAML_KEYS(&r->yaml, map, k) { (void)number_key(r, k, false, &number); }
}

static void check_names(reading *r, uint32_t section) {
    static const char *const known[] = {"grid", "list", "exclude", "failures"};
    TRIB_YAML_KEYS(&r->yaml, section, k) {
        const char *name = trib_yaml_text(&r->yaml, k);
        trib_guess guess = {.word = name};
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            found = found || strcmp(known[i], name) == 0;
            trib_guess_try(&guess, known[i]);
        }
        if (found) continue;
        const char *hint = trib_guess_hint(&guess);
        trib_diagnose(&r->diagnostics, trib_yaml_place(&r->yaml, k),
                      "unknown key '%s' in 'sweep'%s", name,
                      *hint ? hint : "; put settings that vary under 'grid' or 'list'");
    }
}

static trib_status read_section(reading *r, uint32_t section) {
    const trib_yaml *yaml = &r->yaml;
    if (trib_yaml_kind_of(yaml, section) != TRIB_YAML_MAP) {
        trib_diagnose(&r->diagnostics, trib_yaml_place(yaml, section),
                      "'sweep' must be a section with 'grid' or 'list'");
        return TRIB_OK;
    }
    check_names(r, section);
    const uint32_t grid = trib_yaml_find(yaml, section, "grid"),
                   list = trib_yaml_find(yaml, section, "list"),
                   failures = trib_yaml_find(yaml, section, "failures");
    if (failures && (trib_yaml_kind_of(yaml, failures) != TRIB_YAML_SCALAR ||
                     !trib_read_uint(trib_yaml_text(yaml, failures), &r->sweep->n_failures)))
        trib_diagnose(&r->diagnostics, trib_yaml_place(yaml, failures),
                      "'failures' must be a whole number: how many members may fail");
    collect_keys(r, grid);
    if (list && trib_yaml_kind_of(yaml, list) == TRIB_YAML_LIST)
        for (uint32_t i = trib_yaml_first(yaml, list); i; i = trib_yaml_next(yaml, i))
            collect_keys(r, i);
    if (r->diagnostics.n_errors > 0) return TRIB_OK; /* each member would report the same errors */
    trib_status status = read_items(r, trib_yaml_find(yaml, section, "exclude"), EXCLUSION);
    if (status == TRIB_OK && grid) status = read_item(r, grid, GRID);
    if (status == TRIB_OK) status = read_items(r, list, MEMBER);
    if (status == TRIB_OK) status = trib_arena_check(&r->sweep->arena, r->error);
    for (size_t e = 0; e < r->n_excluded && status == TRIB_OK; e++)
        if (!r->excluded[e].is_met && r->diagnostics.n_errors == 0)
            trib_warn(&r->diagnostics, trib_yaml_place(yaml, r->excluded[e].node),
                      "excludes no member: none has these values");
    if (status == TRIB_OK && r->diagnostics.n_errors == 0 && r->sweep->n_members == 0)
        trib_diagnose(&r->diagnostics, trib_yaml_place(yaml, section),
                      grid || list ? "every member is excluded"
                                   : "'sweep' needs a 'grid' or a 'list'");
    return status;
}

static trib_status read_file(reading *r, const char *path) {
    const trib_status status = trib_yaml_read(&r->yaml, path, &r->diagnostics, r->error);
    if (status != TRIB_OK || r->diagnostics.n_errors > 0) return status;
    const uint32_t section =
        trib_yaml_is_empty(&r->yaml) || trib_yaml_kind_of(&r->yaml, 1) != TRIB_YAML_MAP
            ? 0
            : trib_yaml_find(&r->yaml, 1, "sweep");
    if (section) return read_section(r, section);
    trib_diagnose(
        &r->diagnostics, (trib_place){.source = &r->yaml.source},
        "has no section 'sweep' with the settings to vary; 'tributary help sweep' shows one");
    return TRIB_OK;
}

/* ---- Names and configurations ---------------------------------------------------------------- */

/* The settings of the command line and then the member's own. */
static void set_settings(trib_sweep *sweep, trib_sweep_member *member, const trib_setting *setting,
                         size_t n_settings) {
    member->setting =
        trib_arena_new(&sweep->arena, n_settings + sweep->n_keys, sizeof *member->setting);
    if (!member->setting) return;
    for (size_t i = 0; i < n_settings; i++)
        member->setting[member->n_settings++] =
            (trib_setting){setting[i].key, setting[i].value, member->title};
    for (uint32_t k = 0; k < sweep->n_keys; k++)
        if (member->value[k])
            member->setting[member->n_settings++] =
                (trib_setting){sweep->key[k]->path, member->value[k], member->title};
}

/* the title of a member without settings of its own */
static const char as_it_stands[] = "as in the file";

static void set_title(trib_sweep *sweep, trib_sweep_member *member) {
    const char *title = "";
    for (uint32_t k = 0; k < sweep->n_keys; k++)
        if (member->value[k])
            title = trib_arena_print(&sweep->arena, "%s%s%s=%s", title, *title ? ", " : "",
                                     sweep->key[k]->path, member->value[k]);
    member->title = *title ? title : as_it_stands;
}

/* Makes the member's name from its settings, shortened and with only characters that file names
 * allow everywhere, and eight digits of its hash. */
static void set_name(trib_sweep *sweep, trib_sweep_member *member) {
    enum { LONGEST = 120 };
    char settings[LONGEST + 1];
    size_t n = 0;
    const char *title = member->title;
    for (const char *at = strcmp(title, as_it_stands) == 0 ? "" : title; *at && n < LONGEST; at++) {
        const bool plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                           (*at >= '0' && *at <= '9') || strchr("._=,-+", *at);
        if (plain) settings[n++] = *at;
    }
    settings[n] = '\0';
    member->name =
        trib_arena_print(&sweep->arena, "%s%s%.8s", settings, n > 0 ? "-" : "", member->hash);
    member->directory =
        trib_arena_print(&sweep->arena, "%s/runs/%s", sweep->directory, member->name);
}

/* Sets the directory: config.output with "sweep" in place of a run's hash, or appended. */
static void set_directory(trib_sweep *sweep, const trib_config *config, const char *asked) {
    trib_arena *arena = &sweep->arena;
    const bool has_hash = strstr(config->output, "{hash8}") != NULL;
    const bool is_below = config->output[0] != '/' && strcmp(config->directory, ".") != 0;
    const char *path = is_below ? trib_arena_print(arena, "%s/", config->directory) : "";
    for (const char *at = config->output; *at;) {
        const bool is_name = strncmp(at, "{name}", 6) == 0,
                   is_hash = strncmp(at, "{hash8}", 7) == 0;
        const int n = is_name ? 6 : is_hash ? 7 : 1 + (int)strcspn(at + 1, "{");
        path = is_name || is_hash
                   ? trib_arena_print(arena, "%s%s", path, is_name ? config->name : "sweep")
                   : trib_arena_print(arena, "%s%.*s", path, n, at);
        at += n;
    }
    sweep->directory = asked ? trib_arena_print(arena, "%s", asked)
                             : trib_arena_print(arena, "%s%s", path, has_hash ? "" : "-sweep");
}

/* Passes on errors only: a warning is reported when the member runs. */
static void forward_errors(void *context, bool is_error, const char *message) {
    const trib_diagnostics *diagnostics = context;
    if (is_error && diagnostics->report) diagnostics->report(diagnostics->context, true, message);
}

static trib_status load_member(reading *r, size_t m, const char *path, const char *directory) {
    trib_sweep *sweep = r->sweep;
    trib_sweep_member *member = &sweep->member[m];
    trib_config config;
    trib_status status = trib_config_load(&config, path, member->setting, member->n_settings,
                                          forward_errors, &r->diagnostics, r->error);
    if (status != TRIB_OK) {
        trib_error_prefix(r->error, "member %zu (%s)", m + 1, member->title);
        return status;
    }
    strcpy(member->hash, config.hash);
    if (!config.report.json)
        status = trib_fail(
            r->error, TRIB_CONFIG,
            "%s: report.formats must contain json, because a sweep collects influence.json", path);
    if (status == TRIB_OK && m == 0) {
        sweep->time = config.resources.time;
        set_directory(sweep, &config, directory);
    }
    trib_config_release(&config);
    for (size_t e = 0; e < m && status == TRIB_OK; e++)
        if (strcmp(sweep->member[e].hash, member->hash) == 0)
            status = trib_fail(r->error, TRIB_CONFIG,
                               "%s: members %zu (%s) and %zu (%s) are the same; exclude one", path,
                               e + 1, sweep->member[e].title, m + 1, member->title);
    if (status == TRIB_OK) set_name(sweep, member);
    return status;
}

/* ---- The whole sweep ------------------------------------------------------------------------- */

/* Rejects a setting on the command line for a key that varies. */
static trib_status check_settings(const trib_sweep *sweep, const trib_setting *setting,
                                  size_t n_settings, trib_error *error) {
    for (size_t i = 0; i < n_settings; i++)
        for (uint32_t k = 0; k < sweep->n_keys; k++)
            if (strcmp(setting[i].key, sweep->key[k]->path) == 0)
                return trib_fail(error, TRIB_USAGE, "%s: the sweep varies it",
                                 setting[i].from ? setting[i].from : setting[i].key);
    return TRIB_OK;
}

trib_status trib_sweep_load(trib_sweep *sweep, const char *path, const trib_setting *setting,
                            size_t n_settings, const char *directory,
                            trib_config_diagnostic complain, void *context, trib_error *error) {
    *sweep = (trib_sweep){0};
    reading r = {
        .sweep = sweep, .diagnostics = {.report = complain, .context = context}, .error = error};
    trib_status status = read_file(&r, path);
    trib_diagnostics_end(&r.diagnostics);
    if (status == TRIB_OK && r.diagnostics.n_errors > 0)
        status = trib_fail(error, TRIB_CONFIG, "%s: %zu error%s", path, r.diagnostics.n_errors,
                           r.diagnostics.n_errors == 1 ? "" : "s");
    if (status == TRIB_OK) status = check_settings(sweep, setting, n_settings, error);
    for (size_t m = 0; m < sweep->n_members && status == TRIB_OK; m++) {
        set_title(sweep, &sweep->member[m]);
        set_settings(sweep, &sweep->member[m], setting, n_settings);
        status = trib_arena_check(&sweep->arena, error);
        if (status == TRIB_OK) status = load_member(&r, m, path, directory);
    }
    if (status == TRIB_OK) status = trib_arena_check(&sweep->arena, error);
    trib_yaml_release(&r.yaml);
    if (status == TRIB_OK) status = trib_disk_seal(sweep->directory, error);
    if (status != TRIB_OK) sweep->directory = NULL;
    if (status != TRIB_OK) trib_sweep_release(sweep);
    return status;
}

void trib_sweep_release(trib_sweep *sweep) {
    trib_disk_unseal(sweep->directory);
    trib_arena_release(&sweep->arena);
    *sweep = (trib_sweep){0};
}
