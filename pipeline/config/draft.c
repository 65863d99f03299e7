/* draft.c - drafts an experiment about texts that a command line names: finds the texts as a
 * configuration does, gives each its id, and writes YAML that lists them one by one, so that a
 * reader can correct titles, dates and roles. */
#include "pipeline/config/draft.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pipeline/config/keys.h"
#include "pipeline/text/address.h"

/* With more texts than this, a folder or archive is one entry of the YAML. */
enum { LISTED_MOST = 1000, HEAD = 1 << 16 };

/* A key that a setting of the request sets, and its value as YAML. */
typedef struct value {
    const char *key;
    trib_buffer text;
} value;

typedef struct drafting {
    const trib_draft_request *request;
    trib_draft *draft;
    trib_listing listing; /* about.line is the number of the text in the request, from 1 */
    bool *is_whole;       /* [n_texts] the YAML names it as it is, not the texts in it */
    value *value;         /* [n_values] */
    size_t n_values, value_cap;
    trib_diagnostics diagnostics;
    trib_error *error;
} drafting;

/* ---- The texts ------------------------------------------------------------------------------- */

/* Moves the documents of text `i` of the request to the listing. */
static trib_status take(drafting *d, trib_listing *from, size_t i) {
    trib_listing *to = &d->listing;
    trib_status status = TRIB_GROW(&to->item, &to->cap, to->n + from->n, "documents", d->error);
    for (size_t k = 0; k < from->n && status == TRIB_OK; k++) {
        trib_listed *item = &to->item[to->n++];
        *item = from->item[k];
        from->item[k] = (trib_listed){.form = 0};
        item->about.line = (uint32_t)i + 1;
        item->place = (trib_place){.line = item->about.line};
        /* a name with other bytes cannot be written as YAML; its folder can be listed again */
        if (strcmp(item->about.file, item->about.path) != 0) d->is_whole[i] = true;
    }
    if (from->n > LISTED_MOST) d->is_whole[i] = true;
    for (size_t k = 0; k < from->n_left_out && status == TRIB_OK; k++) {
        const trib_left_out *out = &from->left_out[k];
        if (strcmp(out->why, "hidden") != 0 && d->draft->n_left_out++ == 0)
            status =
                trib_buffer_print(&d->draft->left_out, d->error, "'%s': %s", out->file, out->why);
    }
    return status;
}

/* Finds the documents that text `i` of the request stands for. */
static trib_status add_text(drafting *d, size_t i) {
    const char *name = d->request->text[i];
    const trib_place nowhere = {.source = NULL};
    trib_listing one = {0};
    trib_listed *listed = NULL;
    trib_buffer shown = {0};
    char hint[TRIB_NEAREST_MAX];
    if (!trib_address_is_there(name)) {
        trib_diagnose(&d->diagnostics, nowhere, "%s: there is no such file or folder%s", name,
                      trib_nearest_file(name, hint));
        return TRIB_OK;
    }
    trib_status status = trib_listing_add(&one, nowhere, &listed, d->error);
    if (status == TRIB_OK) status = trib_show_bytes(&shown, name, strlen(name), d->error);
    if (status == TRIB_OK)
        status = trib_copy_text(&listed->about.file, shown.text, shown.length, d->error);
    size_t n = strlen(name);
    while (n > 1 && name[n - 1] == '/') n--; /* as trib_listing_complete does with the file */
    if (status == TRIB_OK) status = trib_copy_text(&listed->about.path, name, n, d->error);
    if (status == TRIB_OK) status = trib_listing_complete(listed, &d->diagnostics, d->error);
    if (status == TRIB_OK) status = trib_listing_expand(&one, &d->diagnostics, d->error);
    if (status == TRIB_OK) status = take(d, &one, i);
    trib_listing_release(&one);
    trib_buffer_release(&shown);
    return status;
}

/* Replaces the path of a document by its only one: absolute, without symbolic links. */
static trib_status settle_path(trib_corpus_document *about, trib_error *error) {
    const size_t n = trib_address_split(about->path);
    trib_buffer file = {0}, whole = {0};
    char real[PATH_MAX];
    trib_status status =
        trib_buffer_add(&file, about->path, n > 0 ? n : strlen(about->path), error);
    if (status == TRIB_OK && realpath(file.text, real)) {
        status = trib_buffer_print(&whole, error, "%s%s", real, n > 0 ? about->path + n : "");
        if (status == TRIB_OK) {
            trib_free(about->path);
            about->path = whole.text;
            whole = (trib_buffer){0};
        }
    }
    trib_buffer_release(&whole);
    trib_buffer_release(&file);
    return status;
}

static int by_path(const void *a, const void *b) {
    const trib_corpus_document *p = &((const trib_listed *)a)->about,
                               *q = &((const trib_listed *)b)->about;
    const int order = strcmp(p->path, q->path);
    return order != 0 ? order : (p->line > q->line) - (p->line < q->line);
}

/* Removes documents that were named before: the target may lie in the folder of its sources. */
static trib_status remove_repeated(drafting *d) {
    trib_listing *all = &d->listing;
    trib_status status = TRIB_OK;
    size_t n = 0;
    for (size_t i = 0; i < all->n && status == TRIB_OK; i++)
        status = settle_path(&all->item[i].about, d->error);
    if (status != TRIB_OK || all->n == 0) return status;
    qsort(all->item, all->n, sizeof *all->item, by_path);
    for (size_t i = 0; i < all->n; i++) {
        if (n == 0 || strcmp(all->item[n - 1].about.path, all->item[i].about.path) != 0) {
            all->item[n++] = all->item[i];
            continue;
        }
        d->is_whole[all->item[i].about.line - 1] = false;
        trib_document_release(&all->item[i].about);
        trib_free(all->item[i].before);
    }
    all->n = n;
    return TRIB_OK;
}

static trib_status find_texts(drafting *d) {
    trib_status status = TRIB_OK;
    for (size_t i = 0; i < d->request->n_texts && status == TRIB_OK; i++) status = add_text(d, i);
    if (status == TRIB_OK) status = remove_repeated(d);
    if (status == TRIB_OK) status = trib_listing_tell_apart(&d->listing, d->error);
    d->draft->n_documents = d->listing.n;
    if (status != TRIB_OK || d->diagnostics.n_errors > 0) return status;
    if (d->listing.n == 1)
        return trib_fail(d->error, TRIB_USAGE,
                         "%s: a text alone has nothing to be compared with; name its possible "
                         "sources after it, or a folder of texts",
                         d->request->text[0]);
    for (size_t i = 0; i < d->listing.n; i++) {
        trib_corpus_document *about = &d->listing.item[i].about;
        status = trib_document_name_date(about, d->error);
        if (status != TRIB_OK) return status;
        d->draft->n_dated += !isnan(about->year) && !trib_date_is_estimated(about->date);
    }
    return TRIB_OK;
}

/* ---- Their entries --------------------------------------------------------------------------- */

/* Writes the path of a document: from the folder of the YAML where both have a folder in common. */
static void print_path(const drafting *d, trib_buffer *out, const char *path) {
    const char *folder = d->request->folder;
    const size_t n = trib_address_split(path);
    trib_buffer file = {0};
    char real[PATH_MAX], *relative = NULL;
    trib_status status = trib_buffer_add(&file, path, n > 0 ? n : strlen(path), d->error);
    const bool is_near = status == TRIB_OK && path[0] == '/' && realpath(folder, real) &&
                         strncmp(real, path, 1 + strcspn(path + 1, "/")) == 0;
    if (is_near) status = trib_path_relative(&relative, folder, file.text, d->error);
    if (relative) {
        trib_buffer_clear(&file);
        trib_buffer_print(&file, d->error, "%s", relative);
    }
    if (status == TRIB_OK) status = trib_buffer_print(&file, d->error, "%s", n > 0 ? path + n : "");
    if (status == TRIB_OK) trib_yaml_quote(out, file.text, false, d->error);
    else out->failure = status;
    trib_free(relative);
    trib_buffer_release(&file);
}

/* Writes title, author, date and so on; not a title that is the id. */
static void print_fields(const trib_corpus_document *about, trib_buffer *out, trib_error *error) {
    trib_buffer_add(out, "", 0, error);
    for (const trib_document_field *f = trib_document_fields; f->name; f++) {
        const char *text = NULL;
        if (f->offset == SIZE_MAX || strcmp(f->name, "id") == 0 || strcmp(f->name, "file") == 0)
            continue;
        memcpy(&text, (const char *)about + f->offset, sizeof text);
        if (!text || (strcmp(f->name, "title") == 0 && strcmp(text, about->id) == 0)) continue;
        trib_buffer_print(out, error, "%s%s: ", out->length > 0 ? ", " : "", f->name);
        trib_yaml_quote(out, text, false, error);
    }
}

/* Writes a document on one line, or on two when it is long. */
static void print_document(const drafting *d, const trib_corpus_document *about, const char *role,
                           trib_buffer *out) {
    enum { WIDE = 96 };
    trib_buffer fields = {0};
    const size_t start = out->length;
    const bool is_named = about->date && about->date_from == TRIB_FROM_FILE_NAME;
    trib_buffer_print(out, d->error, "    - {id: ");
    trib_yaml_quote(out, about->id, false, d->error);
    trib_buffer_print(out, d->error, ", file: ");
    print_path(d, out, about->path);
    print_fields(about, &fields, d->error);
    const bool fits = out->length - start + fields.length + strlen(role) < WIDE;
    if (fields.length > 0)
        trib_buffer_print(out, d->error, ",%s%s", fits ? " " : "\n       ", fields.text);
    trib_buffer_print(out, d->error, "%s}%s\n", role,
                      is_named ? "  # the date is that of the file name" : "");
    if (fields.failure != TRIB_OK) out->failure = fields.failure;
    trib_buffer_release(&fields);
}

static const char *role_of(const drafting *d, size_t i) {
    if (d->draft->has_targets || d->request->n_texts == 1) return "";
    return i == 0 ? ", role: target" : ", role: source";
}

static void print_documents(const drafting *d, trib_buffer *out) {
    trib_buffer_print(out, d->error, "  documents:\n");
    for (size_t i = 0; i < d->request->n_texts && out->failure == TRIB_OK; i++) {
        trib_corpus_document about = {.path = NULL};
        if (!d->is_whole[i]) continue;
        trib_buffer_print(out, d->error, "    - {file: ");
        trib_status status = trib_copy(&about.path, d->request->text[i], d->error);
        if (status == TRIB_OK) status = settle_path(&about, d->error);
        if (status == TRIB_OK) print_path(d, out, about.path);
        else out->failure = status;
        trib_buffer_print(out, d->error, "%s}  # all texts in it\n", role_of(d, i));
        trib_free(about.path);
    }
    for (size_t i = 0; i < d->listing.n && out->failure == TRIB_OK; i++) {
        const trib_corpus_document *about = &d->listing.item[i].about;
        if (!d->is_whole[about->line - 1])
            print_document(d, about, role_of(d, about->line - 1), out);
    }
}

/* ---- The YAML -------------------------------------------------------------------------------- */

static const trib_buffer *value_of(const drafting *d, const char *key) {
    for (size_t i = 0; i < d->n_values; i++)
        if (strcmp(d->value[i].key, key) == 0) return &d->value[i].text;
    return NULL;
}

/* Writes a key that a setting sets, else with the value `standard`; neither: nothing. */
static void print_key(const drafting *d, trib_buffer *out, const char *key, const char *standard,
                      const char *comment) {
    const trib_buffer *set = value_of(d, key);
    const char *dot = strchr(key, '.'), *name = dot ? dot + 1 : key;
    if (set || standard)
        trib_buffer_print(out, d->error, "%s%s: %s%s\n", dot ? "  " : "", name,
                          set ? set->text : standard, comment);
}

/* Writes the section corpus: documents, targets and order, then what settings set. */
static void print_corpus(const drafting *d, trib_buffer *out) {
    const bool by_role = !d->draft->has_targets && d->request->n_texts > 1;
    trib_buffer_print(
        out, d->error,
        "\ncorpus:\n"
        "  # Each text: id in tables and commands; file, relative to this file; title, author, "
        "date;\n"
        "  # role: target, source, both, or decoy (unrelated: its share is noise).\n");
    print_documents(d, out);
    print_key(d, out, "corpus.target", by_role ? NULL : "all",
              "  # ids of the texts to be explained, as in [one, two]; all: each");
    print_key(d, out, "corpus.order", d->draft->is_by_date ? "by-date" : "any",
              d->draft->is_by_date
                  ? "  # only an older text can be a source; any: each can"
                  : "  # by-date: only an older text can be a source; each needs a date");
    for (const trib_key *key = trib_keys; key->path; key++)
        if (trib_key_is_in(key, "corpus") && strcmp(key->path, "corpus.target") != 0 &&
            strcmp(key->path, "corpus.order") != 0)
            print_key(d, out, key->path, NULL, "");
}

static void print_section(const drafting *d, trib_buffer *out, const trib_section *section) {
    bool is_begun = false;
    for (const trib_key *key = trib_keys; key->path; key++) {
        if (!trib_key_is_in(key, section->name) || !value_of(d, key->path)) continue;
        if (!is_begun) trib_buffer_print(out, d->error, "\n%s:\n", section->name);
        is_begun = true;
        print_key(d, out, key->path, NULL, "");
    }
}

static trib_status print_yaml(drafting *d) {
    trib_buffer *out = &d->draft->yaml;
    trib_buffer name = {0}, output = {0};
    trib_buffer_clear(out);
    trib_status status = trib_yaml_quote(&name, d->request->name, false, d->error);
    if (status == TRIB_OK) status = trib_yaml_quote(&output, d->request->output, false, d->error);
    if (status == TRIB_OK) {
        trib_buffer_print(out, d->error, "%stributary: 1\n", d->request->heading);
        print_key(d, out, "preset", NULL, "");
        print_key(d, out, "name", name.text, "");
        print_corpus(d, out);
        for (const trib_section *s = trib_sections; s->name; s++)
            if (*s->name && strcmp(s->name, "corpus") != 0) print_section(d, out, s);
        trib_buffer_add(out, "\n", 1, d->error);
        print_key(d, out, "output", output.text, "  # the run directory");
        status = out->failure;
    }
    trib_buffer_release(&name);
    trib_buffer_release(&output);
    return status;
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
    if (!is_set(d->request, key) || d->error->status != TRIB_OK) return;
    if (TRIB_GROW(&d->value, &d->value_cap, d->n_values + 1, "the settings", d->error) != TRIB_OK)
        return;
    d->value[d->n_values] = (value){.key = key};
    (void)trib_buffer_print(&d->value[d->n_values++].text, d->error, "%s", text);
}

/* Checks the YAML together with the settings, whose values become part of it. */
static trib_status take_settings(drafting *d, trib_config_diagnostic complain, void *context) {
    trib_config config = {0};
    trib_buffer path = {0};
    trib_status status =
        trib_buffer_print(&path, d->error, "%s/experiment.yaml", d->request->folder);
    if (status == TRIB_OK)
        status = trib_config_parse(&config, path.text, d->draft->yaml.text, d->request->setting,
                                   d->request->n_settings, complain, context, d->error);
    if (status == TRIB_OK) status = trib_config_each(&config, keep_value, d, d->error);
    trib_config_release(&config);
    trib_buffer_release(&path);
    return status == TRIB_OK ? d->error->status : status;
}

/* ---- The whole ------------------------------------------------------------------------------- */

trib_status trib_draft_make(trib_draft *draft, const trib_draft_request *request,
                            trib_config_diagnostic complain, void *context, trib_error *error) {
    trib_error why = {0};
    drafting d = {.request = request,
                  .draft = draft,
                  .diagnostics = {.report = complain, .context = context},
                  .error = &why};
    *draft = (trib_draft){.has_targets = is_set(request, "corpus.target")};
    trib_status status = TRIB_NEW(&d.is_whole, request->n_texts, "the texts", &why);
    if (status == TRIB_OK) status = find_texts(&d);
    trib_diagnostics_end(&d.diagnostics);
    if (status == TRIB_OK && d.diagnostics.n_errors > 0)
        status = trib_fail(&why, TRIB_INPUT, "%zu error%s in the texts", d.diagnostics.n_errors,
                           d.diagnostics.n_errors == 1 ? "" : "s");
    if (status == TRIB_OK && request->makes_folder)
        status = trib_directory_create(request->folder, &why);
    draft->is_by_date =
        (request->n_texts == 1 || draft->has_targets) && draft->n_dated == draft->n_documents;
    if (status == TRIB_OK) status = print_yaml(&d);
    if (status == TRIB_OK) status = take_settings(&d, complain, context);
    if (status == TRIB_OK && d.n_values > 0) status = print_yaml(&d);
    for (size_t i = 0; i < d.n_values; i++) trib_buffer_release(&d.value[i].text);
    TRIB_FREE(d.value, d.is_whole);
    trib_listing_release(&d.listing);
    return status == TRIB_OK ? status : trib_fail(error, status, "%s", why.message);
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
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode) ||
        trib_reader_open(&reader, path, &unused) != TRIB_OK)
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
