/* documents.c - what all listings of documents share: the fields of a document, its id and title,
 * and documents in YAML.
 *
 * An id that is made from a file name is as short as possible: the name without its extension. When
 * two documents would have the same id, those made from file names become longer: with the
 * extension, with the folders, or with the code points of characters that an id cannot contain. A
 * title is the unchanged name. */
#include "pipeline/config/documents.h"

#include <strings.h>

#include "pipeline/config/config.h"
#include "pipeline/text/table.h"
#include "tokenizer/language.h"

const char *const trib_role_names[] = {"both", "target", "source", "decoy", NULL};
/* A key of a document that only corpora/obtain reads. */
static const char obtain_field[] = "from";

static const char **text_of(trib_corpus_document *document, const trib_document_field *field) {
    return (const char **)(void *)((char *)document + field->offset);
}

const char *trib_document_field_text(const trib_corpus_document *document,
                                     const trib_document_field *field) {
    const char *text = NULL;
    if (field->offset != SIZE_MAX)
        memcpy(&text, (const char *)document + field->offset, sizeof text);
    return text;
}

const char *trib_kept(trib_arena *arena, char *text) {
    const char *kept = trib_arena_print(arena, "%s", text ? text : "");
    trib_free(text);
    return kept;
}

const char *trib_shown(trib_arena *arena, const char *text) {
    trib_buffer shown = {0};
    (void)trib_show_bytes(&shown, text, strlen(text), &arena->failure);
    return trib_kept(arena, shown.text);
}

/* ---- Ids ------------------------------------------------------------------------------------- */

/* The parts of an id, shortest form first. */
static const struct {
    bool ending, folders, codes;
} forms[] = {{false, false, false}, {true, false, false}, {false, true, false},
             {true, true, false},   {false, false, true}, {true, true, true}};
enum { N_FORMS = sizeof forms / sizeof *forms };

/* Selects the next longer form of the id. false when there is none. */
static bool make_longer(trib_listed *listed) {
    if (listed->form + 1U >= N_FORMS) return false;
    listed->form++;
    return true;
}

/* Length of a name without its extension. A number is not an extension ("GFDL-1.2"). */
static size_t stem_of(const char *name) {
    const char *slash = strrchr(name, '/');
    const char *last = slash ? slash + 1 : name, *dot = strrchr(last, '.');
    const bool is_number = dot && dot[1] && !dot[1 + strspn(dot + 1, "0123456789")];
    return dot && dot > last && !is_number ? (size_t)(dot - name) : strlen(name);
}

/* Why an id is not allowed although its characters are: it has another meaning, or no file can have
 * this name. NULL when it is allowed. */
static const char *why_not(const char *id) {
    static const struct {
        const char *id, *why;
    } reserved[] = {{"author", "it means the part that no source explains"},
                    {"formula", "it means the part that very many documents hold"},
                    {"all", "it means every document"},
                    {".", "it is the name of a folder"},
                    {"..", "it is the name of a folder"}};
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strcmp(id, reserved[i].id) == 0) return reserved[i].why;
    return strlen(id) > TRIB_ID_MOST ? "it is longer than 200 bytes" : NULL;
}

/* Makes an id of a file name, or of its first `length` bytes. */
static const char *id_of(trib_listing *listing, trib_id_from from, const char *before) {
    trib_buffer text = {0};
    if (before) (void)trib_buffer_print(&text, &listing->arena->failure, "%s.", before);
    (void)trib_id_add(&text, from, &listing->arena->failure);
    return trib_kept(listing->arena, text.text);
}

const char *trib_listing_make_id(trib_listing *listing, const char *file) {
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    if (strcmp(file, "-") == 0) name = "standard-input";
    return id_of(listing, (trib_id_from){name, stem_of(name), false}, NULL);
}

/* Makes the id of a document in its current form, and its title when none was given. */
static void name_once(trib_listing *listing, trib_listed *listed) {
    const char *file = listed->about.file, *before = listed->before;
    const char *name = file + (forms[listed->form].folders ? 0 : listed->name_at);
    if (strcmp(file, "-") == 0) name = "standard-input";
    const size_t length = forms[listed->form].ending ? strlen(name) : stem_of(name);
    listed->about.id =
        id_of(listing, (trib_id_from){name, length, forms[listed->form].codes}, before);
    if (!listed->has_title)
        listed->about.title = trib_arena_print(listing->arena, "%s%s%.*s", before ? before : "",
                                               before ? "." : "", (int)length, name);
}

void trib_listing_name(trib_listing *listing, trib_listed *listed) {
    listed->about.id = "";
    if (listing->arena->failure.status != TRIB_OK) return; /* its file may have no name */
    name_once(listing, listed);
    while (why_not(listed->about.id) && make_longer(listed)) name_once(listing, listed);
    if (why_not(listed->about.id))
        listed->about.id =
            trib_arena_print(listing->arena, "%.*s_", TRIB_ID_MOST - 1, listed->about.id);
}

/* Makes the id of text 17 of the file "a/papers.jsonl": "papers.17". false for another file. */
static bool number_id(trib_listing *listing, trib_listed *listed) {
    const char *file = listed->about.file, *slash = strrchr(file, '/');
    uint64_t number = 0;
    if (!slash || slash == file || !trib_read_uint(slash + 1, &number)) return false;
    const char *holder = trib_arena_copy(listing->arena, file, (size_t)(slash - file));
    if (!trib_jsonl_is_named(holder) && !trib_tei_file_is_named(holder)) return false;
    const char *last = strrchr(holder, '/');
    listed->name_at = last ? (size_t)(last + 1 - holder) : 0;
    listed->about.id =
        trib_arena_print(listing->arena, "%s.%s", trib_listing_make_id(listing, holder), slash + 1);
    return true;
}

/* ---- One document ---------------------------------------------------------------------------- */

void trib_listing_release(trib_listing *listing) {
    trib_free(listing->item);
    trib_listing_close_tei(listing);
    *listing = (trib_listing){0};
}

trib_listed trib_listed_begin(trib_place place) {
    /* the title is made from the file name until one is given */
    return (trib_listed){.about = {.line = place.line,
                                   .year = NAN,
                                   .year_end = NAN,
                                   .title_from = TRIB_FROM_FILE_NAME},
                         .place = place};
}

void trib_listing_add(trib_listing *listing, const trib_listed *listed) {
    if (listing->arena->failure.status == TRIB_OK &&
        TRIB_GROW(&listing->item, &listing->cap, listing->n + 1, "documents",
                  &listing->arena->failure) == TRIB_OK)
        listing->item[listing->n++] = *listed;
}

static void set_role(trib_listing *listing, trib_listed *listed, const char *text,
                     trib_place place) {
    trib_guess guess = {.word = text};
    for (unsigned i = 0; trib_role_names[i]; i++) {
        if (strcmp(trib_role_names[i], text) == 0) {
            listed->about.role = (trib_role)i;
            return;
        }
        trib_guess_try(&guess, trib_role_names[i]);
    }
    trib_diagnose(listing->diagnostics, place,
                  "'role' must be one of both, target, source, decoy, not '%s'%s", text,
                  trib_guess_hint(&guess));
}

void trib_reference_diagnose(const char *pattern, trib_place place, trib_diagnostics *diagnostics) {
    trib_guess guess = {.word = pattern};
    trib_error why = {0};
    for (const trib_reference_scheme *s = trib_reference_schemes; s->name; s++)
        trib_guess_try(&guess, s->name);
    if (trib_reference_check(pattern, &why) != TRIB_OK)
        trib_diagnose(diagnostics, place, "the pattern of 'reference' is wrong: %s", why.message);
    else if (*guess.best && !trib_reference_scheme_find(pattern))
        trib_diagnose(diagnostics, place, "there is no scheme of references '%s'%s", pattern,
                      trib_guess_hint(&guess));
}

/* Reports a part of "genre: play; place: Ely" that has no value. */
static void check_columns(trib_listing *listing, const char *text, trib_place place) {
    for (const char *at = text, *end; *at; at = *end ? end + 2 : end) {
        end = strstr(at, "; ") ? strstr(at, "; ") : at + strlen(at);
        const char *colon = strstr(at, ": ");
        if (!colon || colon > end)
            trib_diagnose(listing->diagnostics, place,
                          "'columns' must be 'NAME: VALUE; NAME: VALUE', not '%.*s'",
                          (int)(end - at), at);
    }
}

void trib_listing_set(trib_listing *listing, trib_listed *listed, const trib_document_field *field,
                      const char *text, trib_place place) {
    trib_corpus_document *document = &listed->about;
    trib_arena *const arena = listing->arena;
    trib_error why = {0};
    if (strcmp(field->name, "role") == 0) {
        set_role(listing, listed, text, place);
        return;
    }
    const char **to = text_of(document, field);
    if (to == &document->pages) {
        const bool is_set = strcasecmp(text, "true") == 0;
        if (!is_set && strcasecmp(text, "false") != 0)
            trib_warn(listing->diagnostics, place, "'pages' is true or false; '%s' is ignored",
                      text);
        *to = is_set ? "true" : NULL;
        return;
    }
    *to = trib_arena_print(arena, "%s", text);
    if (to == &document->date && !trib_date_read(text, &document->year, &document->year_end))
        trib_diagnose(listing->diagnostics, place, "'%s' is not a date; " TRIB_DATE_FORMS, text);
    if (to == &document->language && strcmp(text, TRIB_LANGUAGE_GUESSED) != 0)
        (void)trib_language_check(text, &why);
    if (to == &document->encoding) (void)trib_encoding_check(text, &why);
    (void)trib_settled(listing->diagnostics, place, "", TRIB_CONFIG, &why, &arena->failure);
    if (to == &document->columns) check_columns(listing, text, place);
    if (to == &document->reference) trib_reference_diagnose(text, place, listing->diagnostics);
    if (to == &document->title) document->title_from = TRIB_FROM_LIST;
    if (to == &document->id) {
        char *composed = NULL;
        (void)trib_name_composed(&composed, text, &arena->failure);
        *to = trib_kept(arena, composed);
        listed->place = place;
        listed->has_id = true;
    }
}

/* Reports an id that is not allowed. */
static void check_id(trib_listing *listing, const trib_listed *listed) {
    const char *id = listed->about.id, *why = why_not(id);
    if (!trib_id_is_written_right(id))
        trib_diagnose(listing->diagnostics, listed->place,
                      "'%s' is not a valid id; use letters, digits, '_', '.' and '-' only", id);
    else if (why) {
        size_t n = strlen(id) > 60 ? 60 : strlen(id);
        while (((unsigned char)id[n] & 0xC0) == 0x80) n--;
        trib_diagnose(listing->diagnostics, listed->place,
                      "'%.*s%s' cannot be an id: %s; choose another", (int)n, id,
                      id[n] ? "..." : "", why);
    }
}

void trib_listing_complete(trib_listing *listing, trib_listed *listed) {
    trib_corpus_document *document = &listed->about;
    if (!document->file || !*document->file) {
        trib_diagnose(listing->diagnostics, listed->place, "a document has no 'file'");
        if (!document->id) document->id = "";
        return;
    }
    /* a folder is the same with and without a slash at its end */
    size_t n = strlen(document->file);
    while (n > 1 && document->file[n - 1] == '/') n--;
    if (document->file[n]) document->file = trib_arena_copy(listing->arena, document->file, n);
    listed->has_title = listed->has_title || (document->title && *document->title);
    if (!document->id) {
        const char *slash = strrchr(document->file, '/');
        listed->name_at = slash ? (size_t)(slash + 1 - document->file) : 0;
        listed->is_made = true;
        if (!number_id(listing, listed)) trib_listing_name(listing, listed);
    }
    check_id(listing, listed);
    if (!document->title || !*document->title) document->title = document->id;
}

/* ---- Two of a name --------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b) {
    const trib_listed *p = a, *q = b;
    const int order = strcmp(p->about.id, q->about.id);
    if (order != 0) return order;
    if (p->place.line != q->place.line) return p->place.line < q->place.line ? -1 : 1;
    if (p->place.column != q->place.column) return p->place.column < q->place.column ? -1 : 1;
    return strcmp(p->about.file ? p->about.file : "", q->about.file ? q->about.file : "");
}

/* Whether all of [from, to) are the same file, so that no name distinguishes them. */
static bool is_one_file(const trib_listed *item, size_t from, size_t to) {
    for (size_t i = from + 1; i < to; i++)
        if (!item[i].about.file || !item[from].about.file ||
            strcmp(item[i].about.file, item[from].about.file) != 0)
            return false;
    return true;
}

/* Makes ids longer that several documents share. Returns whether there was such an id. */
static bool lengthen(trib_listing *listing) {
    trib_listed *const item = listing->item;
    bool any = false;
    for (size_t from = 0, to; from < listing->n; from = to) {
        const char *same = item[from].about.id;
        for (to = from + 1; to < listing->n; to++)
            if (strcmp(item[to].about.id, same) != 0) break;
        if (to == from + 1 || is_one_file(item, from, to)) continue;
        for (size_t i = from; i < to; i++)
            while (item[i].is_made && strcmp(item[i].about.id, same) == 0 &&
                   make_longer(&item[i])) {
                trib_listing_name(listing, &item[i]);
                any = true;
            }
    }
    return any;
}

/* A text that is listed beside its library is one document: as listed, with what only the library
 * says of it. */
static void join_stored(trib_listing *listing) {
    size_t n = 0;
    qsort(listing->item, listing->n, sizeof *listing->item, by_id);
    for (size_t i = 0; i < listing->n; i++) {
        trib_listed one = listing->item[i];
        trib_listed *const last = n > 0 ? &listing->item[n - 1] : NULL;
        if (!last || !one.about.library || last->is_stored == one.is_stored ||
            strcmp(last->about.path, one.about.path) != 0) {
            listing->item[n++] = one;
            continue;
        }
        const trib_corpus_document *const stored = last->is_stored ? &last->about : &one.about;
        trib_corpus_document about = last->is_stored ? one.about : last->about;
        if (strcmp(about.title, about.id) == 0) about.title = stored->title;
        if (!about.author) about.author = stored->author;
        if (!about.language) about.language = stored->language;
        if (!about.date)
            about.date = stored->date, about.year = stored->year, about.year_end = stored->year_end;
        if (last->is_stored) *last = one;
        last->about = about;
    }
    listing->n = n;
}

void trib_listing_tell_apart(trib_listing *listing) {
    int round = 0;
    if (listing->n == 0) return;
    join_stored(listing);
    do qsort(listing->item, listing->n, sizeof *listing->item, by_id);
    while (round++ <= N_FORMS && lengthen(listing));
}

/* ---- From YAML ------------------------------------------------------------------------------- */

/* Reads one key of a document and its value. */
static void read_field(trib_listing *listing, trib_listed *listed, const trib_yaml *yaml,
                       uint32_t key, bool manifest) {
    const char *name = trib_yaml_text(yaml, key);
    const uint32_t value = trib_yaml_next(yaml, key);
    const trib_place place = trib_yaml_place(yaml, value);
    trib_guess guess = {.word = name};
    char shown[128];
    if (manifest && strcmp(name, obtain_field) == 0) return;
    const trib_document_field *field = trib_document_fields;
    for (; field->name && strcmp(field->name, name) != 0; field++)
        trib_guess_try(&guess, field->name);
    if (!field->name)
        trib_diagnose(listing->diagnostics, trib_yaml_place(yaml, key),
                      "unknown key '%s' in a document%s", name, trib_guess_hint(&guess));
    else if (trib_yaml_kind_of(yaml, value) != TRIB_YAML_SCALAR)
        trib_diagnose(listing->diagnostics, place, "'%s' must be a text, not %s", name,
                      trib_yaml_describe(yaml, value, shown));
    else if (!trib_yaml_is_null(yaml, value))
        trib_listing_set(listing, listed, field, trib_yaml_text(yaml, value), place);
}

/* Reads a document: a mapping of fields, or only a file name. */
static void read_document(trib_listing *listing, const trib_yaml *yaml, uint32_t node,
                          bool manifest) {
    char shown[128];
    const trib_place place = trib_yaml_place(yaml, node);
    const trib_yaml_kind kind = trib_yaml_kind_of(yaml, node);
    trib_listed listed = trib_listed_begin(place);
    if (kind == TRIB_YAML_LIST || trib_yaml_is_null(yaml, node)) {
        trib_diagnose(listing->diagnostics, place,
                      "a document must be {id: ..., file: ...}, not %s",
                      trib_yaml_describe(yaml, node, shown));
        return;
    }
    if (kind == TRIB_YAML_SCALAR) {
        listed.about.file = trib_arena_print(listing->arena, "%s", trib_yaml_text(yaml, node));
    } else {
        TRIB_YAML_KEYS(yaml, node, k) { read_field(listing, &listed, yaml, k, manifest); }
    }
    trib_listing_complete(listing, &listed);
    trib_listing_add(listing, &listed);
}

void trib_listing_yaml(trib_listing *listing, const trib_yaml *yaml, uint32_t node, bool manifest) {
    char shown[128];
    if (trib_yaml_kind_of(yaml, node) != TRIB_YAML_LIST) {
        trib_diagnose(listing->diagnostics, trib_yaml_place(yaml, node),
                      "'documents' must be a list of documents, not %s",
                      trib_yaml_describe(yaml, node, shown));
        return;
    }
    for (uint32_t k = trib_yaml_first(yaml, node); k; k = trib_yaml_next(yaml, k))
        read_document(listing, yaml, k, manifest);
}

trib_input_options trib_config_input_options(const trib_config *config,
                                             const trib_corpus_document *document) {
    return (trib_input_options){.encoding = trib_config_encoding(config, document),
                                .follows_links = config->corpus.follows_links,
                                .notes = config->corpus.notes,
                                .edition = config->corpus.edition,
                                .on_invalid = config->corpus.on_invalid};
}
