/* draft.c - drafts an experiment about texts that a command line names: finds the texts as a
 * configuration does, gives each its id, and writes YAML that lists them one by one, so that a
 * reader can correct titles, dates and roles. */
#include "base/internal.h"
#include "pipeline/config/documents.h"
#include "pipeline/config/keys.h"

#include <limits.h>

#include "pipeline/text/input.h"

/* With more texts than this, a folder or archive is one entry of the YAML. */
enum { LISTED_MOST = 1000, HEAD = 1 << 16 };

/* A key that a setting of the request sets, and its value as YAML. */
typedef struct value {
    const char *key, *text;
} value;

typedef struct drafting {
    const trib_draft_request *request;
    trib_draft *draft;
    trib_arena arena;     /* of all texts and lists; keeps the first failure */
    trib_listing listing; /* about.line is the number of the text in the request, from 1 */
    bool *is_whole;       /* [n_texts] the YAML names it as it is, not the texts in it */
    value *value;         /* [n_values] */
    size_t n_values;
    trib_diagnostics diagnostics;
} drafting;

/* Appends to the YAML. */
#define PRINT(d, ...)  trib_buffer_print(&(d)->draft->yaml, &(d)->arena.failure, __VA_ARGS__)
#define QUOTE(d, text) trib_yaml_quote(&(d)->draft->yaml, text, false, &(d)->arena.failure)

/* ---- The texts ------------------------------------------------------------------------------- */

/* Moves the documents of text `i` of the request to the listing. */
static void take(drafting *d, const trib_listing *from, size_t i) {
    for (size_t k = 0; k < from->n; k++) {
        trib_listed *item = &from->item[k];
        item->about.line = (uint32_t)i + 1;
        item->place = (trib_place){.line = item->about.line};
        /* a name with other bytes cannot be written as YAML; its folder can be listed again */
        if (strcmp(item->about.file, item->about.path) != 0 || (item->about.library && from->n > 1))
            d->is_whole[i] = true;
        trib_listing_add(&d->listing, item);
    }
    if (from->n > LISTED_MOST) d->is_whole[i] = true;
    for (size_t k = 0; k < from->n_left_out; k++) {
        const trib_left_out *out = &from->left_out[k];
        if (strcmp(out->why, "hidden") != 0 && d->draft->n_left_out++ == 0)
            (void)trib_buffer_print(&d->draft->left_out, &d->arena.failure, "'%s': %s", out->file,
                                    out->why);
    }
}

/* Finds the documents that text `i` of the request stands for. */
static void add_text(drafting *d, size_t i) {
    const char *name = d->request->text[i];
    const trib_place nowhere = {.source = NULL};
    TRIB_OWNED(trib_listing) one = {.arena = &d->arena, .diagnostics = &d->diagnostics};
    for (size_t s = 0; s < d->request->n_settings; s++)
        if (strcmp(d->request->setting[s].key, "corpus.links") == 0)
            one.follows_links = strcmp(d->request->setting[s].value, "follow") == 0;
    trib_listed listed = trib_listed_begin(nowhere);
    char hint[TRIB_NEAREST_MAX];
    if (!trib_address_is_there(name)) {
        trib_diagnose(&d->diagnostics, nowhere, "%s: there is no such file or folder%s", name,
                      trib_nearest_file(name, hint));
        return;
    }
    size_t n = strlen(name);
    while (n > 1 && name[n - 1] == '/') n--; /* as trib_listing_complete does with the file */
    listed.about.file = trib_shown(&d->arena, name);
    listed.about.path = trib_arena_copy(&d->arena, name, n);
    trib_listing_complete(&one, &listed);
    trib_listing_add(&one, &listed);
    trib_listing_expand(&one);
    take(d, &one, i);
}

static const char *settle_path(drafting *d, const char *path) {
    char *settled = NULL;
    (void)trib_address_settle(&settled, path, &d->arena.failure);
    return trib_kept(&d->arena, settled);
}

TRIB_ORDER(by_path, trib_listed, strcmp(x->about.path, y->about.path) ?: TRIB_UP(about.line));

/* Removes documents that were named before: the target may lie in the folder of its sources. */
static void remove_repeated(drafting *d) {
    trib_listing *all = &d->listing;
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++)
        all->item[i].about.path = settle_path(d, all->item[i].about.path);
    if (all->n > 0) qsort(all->item, all->n, sizeof *all->item, by_path);
    for (size_t i = 0; i < all->n; i++) {
        if (n == 0 || strcmp(all->item[n - 1].about.path, all->item[i].about.path) != 0)
            all->item[n++] = all->item[i];
        else if (!all->item[i].about.library) d->is_whole[all->item[i].about.line - 1] = false;
    }
    all->n = n;
}

static void find_texts(drafting *d) {
    for (size_t i = 0; i < d->request->n_texts; i++) add_text(d, i);
    remove_repeated(d);
    trib_listing_tell_apart(&d->listing);
    d->draft->n_documents = d->listing.n;
    if (d->diagnostics.n_errors > 0) return;
    if (d->listing.n == 1)
        trib_arena_fail(&d->arena, TRIB_USAGE,
                        "%s: a text alone has nothing to be compared with; name its possible "
                        "sources after it, or a folder of texts",
                        d->request->text[0]);
    for (size_t i = 0; i < d->listing.n; i++) {
        trib_corpus_document *about = &d->listing.item[i].about;
        trib_document_name_date(about, &d->arena);
        d->draft->n_dated += !isnan(about->year) && !trib_date_is_estimated(about->date);
    }
}

/* ---- Their entries --------------------------------------------------------------------------- */

/* Writes the path of a document: from the folder of the YAML where both have a folder in common. */
static void print_path(drafting *d, const char *path) {
    const char *folder = d->request->folder;
    const size_t n = trib_address_split(path);
    const char *file = trib_arena_copy(&d->arena, path, n > 0 ? n : strlen(path));
    char real[PATH_MAX], *relative = NULL;
    if (path[0] == '/' && realpath(folder, real) &&
        strncmp(real, path, 1 + strcspn(path + 1, "/")) == 0 &&
        trib_path_relative(&relative, folder, file, &d->arena.failure) == TRIB_OK)
        file = trib_kept(&d->arena, relative);
    file = trib_arena_print(&d->arena, "%s%s", file, n > 0 ? path + n : "");
    QUOTE(d, file);
}

/* Writes title, author, date and so on; not a title that is the id. */
static void print_fields(const trib_corpus_document *about, trib_buffer *out, trib_error *error) {
    trib_buffer_add(out, "", 0, error);
    for (const trib_document_field *f = trib_document_fields; f->name; f++) {
        const char *text = trib_document_field_text(about, f);
        if (!text || text == about->id || text == about->file ||
            (text == about->title && strcmp(text, about->id) == 0))
            continue;
        trib_buffer_print(out, error, "%s%s: ", out->length > 0 ? ", " : "", f->name);
        trib_yaml_quote(out, text, false, error);
    }
}

/* Writes a document on one line, or on two when it is long. */
static void print_document(drafting *d, const trib_corpus_document *about, const char *role) {
    enum { WIDE = 96 };
    TRIB_OWNED(trib_buffer) fields = {0};
    const size_t start = d->draft->yaml.length;
    const bool is_named = about->date && about->date_from == TRIB_FROM_FILE_NAME;
    PRINT(d, "    - {id: ");
    QUOTE(d, about->id);
    PRINT(d, ", file: ");
    print_path(d, about->path);
    print_fields(about, &fields, &d->arena.failure);
    const bool fits = d->draft->yaml.length - start + fields.length + strlen(role) < WIDE;
    if (fields.length > 0) PRINT(d, ",%s%s", fits ? " " : "\n       ", fields.text);
    PRINT(d, "%s}%s\n", role, is_named ? "  # the date is that of the file name" : "");
}

static const char *role_of(const drafting *d, size_t i) {
    if (d->draft->has_targets || d->request->n_texts == 1) return "";
    return i == 0 ? ", role: target" : ", role: source";
}

static void print_documents(drafting *d) {
    PRINT(d, "  documents:\n");
    for (size_t i = 0; i < d->request->n_texts; i++) {
        if (!d->is_whole[i]) continue;
        PRINT(d, "    - {file: ");
        print_path(d, settle_path(d, d->request->text[i]));
        PRINT(d, "%s}  # all texts in it\n", role_of(d, i));
    }
    for (size_t i = 0; i < d->listing.n; i++) {
        const trib_corpus_document *about = &d->listing.item[i].about;
        if (!d->is_whole[about->line - 1]) print_document(d, about, role_of(d, about->line - 1));
    }
}

/* ---- The YAML -------------------------------------------------------------------------------- */

static const char *value_of(const drafting *d, const char *key) {
    for (size_t i = 0; i < d->n_values; i++)
        if (strcmp(d->value[i].key, key) == 0) return d->value[i].text;
    return NULL;
}

/* Writes a key that a setting sets, else with the value `standard`; neither: nothing. */
static void print_key(drafting *d, const char *key, const char *standard, const char *comment) {
    const char *set = value_of(d, key);
    const char *dot = strchr(key, '.'), *name = dot ? dot + 1 : key;
    if (set || standard)
        PRINT(d, "%s%s: %s%s\n", dot ? "  " : "", name, set ? set : standard, comment);
}

/* Writes the section corpus: documents, targets and order, then what settings set. */
static void print_corpus(drafting *d) {
    const bool by_role = !d->draft->has_targets && d->request->n_texts > 1;
    PRINT(d,
          "\ncorpus:\n"
          "  # Each text: id in tables and commands; file, relative to this file; title, author, "
          "date;\n"
          "  # role: target, source, both, or decoy (unrelated: its share is noise).\n");
    print_documents(d);
    print_key(d, "corpus.target", by_role ? NULL : "all",
              "  # ids of the texts to be explained, as in [one, two]; all: each");
    print_key(d, "corpus.order", d->draft->is_by_date ? "by-date" : "any",
              d->draft->is_by_date
                  ? "  # only an older text can be a source; any: each can"
                  : "  # by-date: only an older text can be a source; each needs a date");
    for (const trib_key *key = trib_keys; key->path; key++)
        if (trib_key_is_in(key, "corpus") && strcmp(key->path, "corpus.target") != 0 &&
            strcmp(key->path, "corpus.order") != 0)
            print_key(d, key->path, NULL, "");
}

static void print_section(drafting *d, const char *section) {
    bool is_begun = false;
    for (const trib_key *key = trib_keys; key->path; key++) {
        if (!trib_key_is_in(key, section) || !value_of(d, key->path)) continue;
        if (!is_begun) PRINT(d, "\n%s:\n", section);
        is_begun = true;
        print_key(d, key->path, NULL, "");
    }
}

static void print_yaml(drafting *d) {
    TRIB_OWNED(trib_buffer) name = {0}, output = {0};
    trib_buffer_clear(&d->draft->yaml);
    if (trib_yaml_quote(&name, d->request->name, false, &d->arena.failure) == TRIB_OK &&
        trib_yaml_quote(&output, d->request->output, false, &d->arena.failure) == TRIB_OK) {
        PRINT(d, "%stributary: 1\n", d->request->heading);
        print_key(d, "preset", NULL, "");
        print_key(d, "name", name.text, "");
        print_corpus(d);
        for (const char *const *s = trib_sections; *s; s++)
            if (**s && strcmp(*s, "corpus") != 0) print_section(d, *s);
        PRINT(d, "\n");
        print_key(d, "output", output.text, "  # the run directory");
    }
}

/* ---- Settings -------------------------------------------------------------------------------- */

static bool is_set(const trib_draft_request *request, const char *key) {
    for (size_t i = 0; i < request->n_settings; i++)
        if (strcmp(request->setting[i].key, key) == 0) return true;
    return false;
}

/* Keeps the value of a key that a setting sets, as the configuration prints it. */
static void keep_value(void *context, const char *key, const char *text, bool is_default,
                       bool changes_result) {
    drafting *d = context;
    (void)is_default;
    (void)changes_result;
    if (!is_set(d->request, key)) return;
    TRIB_ADD(&d->arena, &d->value, value, {key, trib_arena_print(&d->arena, "%s", text)});
}

/* Checks the YAML together with the settings, whose values become part of it. */
static void take_settings(drafting *d, trib_config_diagnostic complain, void *context) {
    TRIB_OWNED(trib_config) config = {0};
    const char *path = trib_arena_print(&d->arena, "%s/experiment.yaml", d->request->folder);
    if (d->arena.failure.status != TRIB_OK) return;
    if (trib_config_parse(&config, path, d->draft->yaml.text, d->request->setting,
                          d->request->n_settings, complain, context, &d->arena.failure) == TRIB_OK)
        (void)trib_config_each(&config, keep_value, d, &d->arena.failure);
}

/* ---- The whole ------------------------------------------------------------------------------- */

trib_status trib_draft_make(trib_draft *draft, const trib_draft_request *request,
                            trib_config_diagnostic complain, void *context, trib_error *error) {
    drafting d = {.request = request,
                  .draft = draft,
                  .diagnostics = {.report = complain, .context = context}};
    trib_error *const failure = &d.arena.failure;
    d.listing = (trib_listing){.arena = &d.arena, .diagnostics = &d.diagnostics};
    *draft = (trib_draft){.has_targets = is_set(request, "corpus.target")};
    d.is_whole = trib_arena_new(&d.arena, request->n_texts, sizeof *d.is_whole);
    if (d.is_whole) find_texts(&d);
    trib_diagnostics_end(&d.diagnostics);
    if (d.diagnostics.n_errors > 0)
        trib_arena_fail(&d.arena, TRIB_INPUT, "%zu error%s in the texts", d.diagnostics.n_errors,
                        d.diagnostics.n_errors == 1 ? "" : "s");
    if (failure->status == TRIB_OK && request->makes_folder)
        (void)trib_directory_create(request->folder, failure);
    draft->is_by_date =
        (request->n_texts == 1 || draft->has_targets) && draft->n_dated == draft->n_documents;
    if (failure->status == TRIB_OK) print_yaml(&d);
    if (failure->status == TRIB_OK) take_settings(&d, complain, context);
    if (failure->status == TRIB_OK && d.n_values > 0) print_yaml(&d);
    const trib_status status = trib_arena_check(&d.arena, error);
    trib_listing_release(&d.listing);
    trib_arena_release(&d.arena);
    return status;
}

void trib_draft_release(trib_draft *draft) {
    trib_buffer_release(&draft->yaml);
    trib_buffer_release(&draft->left_out);
    *draft = (trib_draft){0};
}

bool trib_draft_is_experiment(const char *path) {
    static const char key[] = "tributary:";
    trib_reader reader = {.file = -1};
    trib_error unused = {0};
    char head[HEAD + 1];
    size_t n = 0, got = 1;
    if (!trib_disk_is_file(path) || trib_reader_open(&reader, path, &unused) != TRIB_OK)
        return false;
    while (got > 0 && n < HEAD &&
           trib_reader_read(&reader, head + n, HEAD - n, &got, &unused) == TRIB_OK)
        n += got;
    trib_reader_close(&reader);
    head[n] = '\0';
    for (const char *at = strstr(head, key); at; at = strstr(at + 1, key))
        if (at == head || at[-1] == '\n' ||
            (at == head + 3 && strncmp(head, "\xEF\xBB\xBF", 3) == 0))
            return true;
    return false;
}
