/* documents.c - reads documents from YAML; and the fields, ids and roles that all listings
 * share. */
#include "pipeline/config/documents.h"

#include <math.h>
#include <string.h>

#include "pipeline/config/config.h"
#include "pipeline/text/jsonl.h"
#include "tokenizer/language.h"

#define AT(field) offsetof(trib_corpus_document, field)
const trib_document_field trib_document_fields[] = {
    {"id",
     "letters and digits of any script, `_` `.` `-`; at most 200 bytes in UTF-8; default: the "
     "file's name without its extension, or a longer part of the name where two documents would "
     "have the same id",
     AT(id)},
    {"file",
     "the text, relative to `corpus.root`; required. A text inside another file is named after it: "
     "`books.zip/one.txt`, `papers.jsonl/17` (line 17), `volume.xml/2` (text 2); `-` is standard "
     "input",
     AT(file)},
    {"title", "shown in reports; default: the id, or the file's name where the id is made from it",
     AT(title)},
    {"author", "shown in reports", AT(author)},
    {"date",
     "`1865-04-15`, `1623-11`, `0070` or `-0043` (44 BC), `5 March 1871`, `3.5.1871`; `c. 1776`, "
     "`1776?` and `est. 1776` (marked as estimated) mean the year 1776; a range, of which only "
     "what "
     "is certain decides: `1871-1873`, `1871/72`, `1870s`, `19th century`, `before 1880`, `after "
     "1870`, `1871-03/1871-05`; a number decides which of two equal dates is older: `1776 no. 7` "
     "is older than `1776 no. 12`",
     AT(date)},
    {"language",
     "tag or code of its language, such as `de`, `pt-BR` or `lat`, or `auto`: guessed; default: "
     "that of `tokens.locale`",
     AT(language)},
    {"encoding", "as `corpus.encoding`, for this document", AT(encoding)},
    {"reference", "as `corpus.reference`, for this document", AT(reference)},
    {"role",
     "`both`; `target`: never a source; `source`: never a target; `decoy`: a source known to be "
     "unrelated, whose share is noise",
     SIZE_MAX},
    {NULL, NULL, 0},
};

static const char *const roles[] = {"both", "target", "source", "decoy", NULL};
/* Keys of a document that only corpora/obtain reads. */
static const char *const obtain_fields[] = {"from", NULL};
static char **text_field(trib_corpus_document *document, const trib_document_field *field) {
    return (char **)(void *)((char *)document + field->offset);
}

/* ---- One document ---------------------------------------------------------------------------- */

void trib_document_release(trib_corpus_document *document) {
    for (const trib_document_field *field = trib_document_fields; field->name; field++)
        if (field->offset != SIZE_MAX) trib_free(*text_field(document, field));
    trib_free(document->path);
    *document = (trib_corpus_document){0};
}

void trib_listing_release(trib_listing *listing) {
    for (size_t i = 0; i < listing->n; i++) {
        trib_document_release(&listing->item[i].about);
        trib_free(listing->item[i].before);
    }
    for (size_t i = 0; i < listing->n_left_out; i++) trib_free(listing->left_out[i].file);
    for (size_t i = 0; i < listing->n_sources; i++) {
        TRIB_FREE((char *)(uintptr_t)listing->source[i]->name, listing->source[i]);
    }
    TRIB_FREE(listing->item, listing->left_out, listing->source);
    *listing = (trib_listing){0};
}

trib_status trib_listing_add(trib_listing *listing, trib_place place, trib_listed **added,
                             trib_error *error) {
    const trib_status status =
        TRIB_GROW(&listing->item, &listing->cap, listing->n + 1, "documents", error);
    if (status != TRIB_OK) return status;
    *added = &listing->item[listing->n++];
    **added =
        (trib_listed){.about = {.line = place.line, .year = NAN, .year_end = NAN}, .place = place};
    (*added)->about.title_from = TRIB_FROM_FILE_NAME; /* until a title is given */
    return TRIB_OK;
}

static void set_role(trib_listed *listed, const char *text, trib_place place,
                     trib_diagnostics *diagnostics) {
    trib_guess guess = {.word = text};
    for (unsigned i = 0; roles[i]; i++) {
        if (strcmp(roles[i], text) == 0) {
            listed->about.role = (trib_role)i;
            return;
        }
        trib_guess_try(&guess, roles[i]);
    }
    trib_diagnose(diagnostics, place,
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

trib_status trib_listing_set(trib_listed *listed, const trib_document_field *field,
                             const char *text, trib_place place, trib_diagnostics *diagnostics,
                             trib_error *error) {
    if (field->offset == SIZE_MAX) {
        set_role(listed, text, place, diagnostics);
        return TRIB_OK;
    }
    if (strcmp(field->name, "date") == 0 &&
        !trib_date_read(text, &listed->about.year, &listed->about.year_end))
        trib_diagnose(diagnostics, place, "'%s' is not a date; " TRIB_DATE_FORMS, text);
    if (strcmp(field->name, "language") == 0 && strcmp(text, TRIB_LANGUAGE_GUESSED) != 0) {
        trib_error why = {0};
        const trib_status status = trib_language_check(text, &why);
        if (status == TRIB_CONFIG) trib_diagnose(diagnostics, place, "%s", why.message);
        else if (status != TRIB_OK) return trib_fail(error, status, "%s", why.message);
    }
    if (strcmp(field->name, "encoding") == 0) {
        trib_error why = {0};
        const trib_status status = trib_encoding_check(text, &why);
        if (status == TRIB_CONFIG) trib_diagnose(diagnostics, place, "%s", why.message);
        else if (status != TRIB_OK) return trib_fail(error, status, "%s", why.message);
    }
    if (strcmp(field->name, "reference") == 0) trib_reference_diagnose(text, place, diagnostics);
    if (strcmp(field->name, "id") == 0) {
        listed->place = place;
        listed->has_id = true;
    }
    if (strcmp(field->name, "title") == 0) listed->about.title_from = TRIB_FROM_LIST;
    char **to = text_field(&listed->about, field);
    trib_free(*to);
    *to = NULL;
    return strcmp(field->name, "id") == 0 ? trib_name_composed(to, text, error)
                                          : trib_copy(to, text, error);
}

/* Makes the id of text 17 of the file "a/papers.jsonl": "papers.17". *is_one is false for another
 * file. */
static trib_status number_id(trib_listed *listed, const char *file, bool *is_one,
                             trib_error *error) {
    char *stem = NULL;
    trib_buffer id = {0}, holder = {0};
    const char *slash = strrchr(file, '/');
    uint64_t number = 0;
    *is_one = false;
    if (!slash || !trib_read_uint(slash + 1, &number)) return TRIB_OK;
    trib_status status = trib_buffer_add(&holder, file, (size_t)(slash - file), error);
    if (status == TRIB_OK && holder.length > 0)
        *is_one = trib_jsonl_is_named(holder.text) || trib_tei_file_is_named(holder.text);
    if (*is_one) status = trib_listing_make_id(&stem, holder.text, error);
    if (*is_one && status == TRIB_OK)
        status = trib_buffer_print(&id, error, "%s.%s", stem, slash + 1);
    if (*is_one && status == TRIB_OK) {
        const char *last = strrchr(holder.text, '/');
        listed->name_at = last ? (size_t)(last + 1 - holder.text) : 0;
        trib_free(listed->about.id);
        listed->about.id = id.text;
    } else trib_buffer_release(&id);
    trib_buffer_release(&holder);
    trib_free(stem);
    return status;
}

/* Makes the id from the file name, and the title when none was given. */
static trib_status make_id(trib_listed *listed, trib_error *error) {
    const char *file = listed->about.file, *slash = strrchr(file, '/');
    bool is_numbered = false;
    listed->name_at = slash ? (size_t)(slash + 1 - file) : 0;
    listed->is_made = true;
    const trib_status status = number_id(listed, file, &is_numbered, error);
    return status == TRIB_OK && !is_numbered ? trib_listing_name(listed, error) : status;
}

trib_status trib_listing_complete(trib_listed *listed, trib_diagnostics *diagnostics,
                                  trib_error *error) {
    trib_corpus_document *document = &listed->about;
    const trib_place place = listed->place;
    trib_status status = TRIB_OK;
    if (!document->file || !*document->file) {
        trib_diagnose(diagnostics, place, "a document has no 'file'");
        if (document->id) return TRIB_OK;
        return trib_copy_text(&document->id, "", 0, error);
    }
    /* a folder is the same with and without a slash at its end */
    for (size_t n = strlen(document->file); n > 1 && document->file[n - 1] == '/'; n--)
        document->file[n - 1] = '\0';
    listed->has_title = listed->has_title || (document->title && *document->title);
    if (!document->id) status = make_id(listed, error);
    if (status != TRIB_OK) return status;
    const char *id = document->id, *why = trib_id_why_not(id);
    if (!trib_id_is_written_right(id))
        trib_diagnose(diagnostics, place,
                      "'%s' is not a valid id; use letters, digits, '_', '.' and '-' only", id);
    else if (why) {
        size_t n = strlen(id) > 60 ? 60 : strlen(id);
        while (((unsigned char)id[n] & 0xC0) == 0x80) n--;
        trib_diagnose(diagnostics, place, "'%.*s%s' cannot be an id: %s; choose another", (int)n,
                      id, id[n] ? "..." : "", why);
    }
    if (!document->title || !*document->title) {
        trib_free(document->title);
        status = trib_copy(&document->title, id, error);
    }
    return status;
}

/* ---- From YAML ------------------------------------------------------------------------------- */

/* Reads one key of a document and its value. */
static trib_status read_field(trib_listed *listed, const trib_yaml *yaml, uint32_t key,
                              bool manifest, trib_diagnostics *diagnostics, trib_error *error) {
    const char *name = trib_yaml_text(yaml, key);
    const uint32_t value = trib_yaml_next(yaml, key);
    trib_guess guess = {.word = name};
    for (size_t i = 0; manifest && obtain_fields[i]; i++)
        if (strcmp(name, obtain_fields[i]) == 0) return TRIB_OK;
    const trib_document_field *field = trib_document_fields;
    for (; field->name && strcmp(field->name, name) != 0; field++)
        trib_guess_try(&guess, field->name);
    if (!field->name) {
        trib_diagnose(diagnostics, trib_yaml_place(yaml, key), "unknown key '%s' in a document%s",
                      name, trib_guess_hint(&guess));
        return TRIB_OK;
    }
    if (trib_yaml_is_null(yaml, value)) return TRIB_OK;
    char shown[128];
    if (trib_yaml_kind_of(yaml, value) != TRIB_YAML_SCALAR) {
        trib_diagnose(diagnostics, trib_yaml_place(yaml, value), "'%s' must be a text, not %s",
                      name, trib_yaml_describe(yaml, value, shown));
        return TRIB_OK;
    }
    return trib_listing_set(listed, field, trib_yaml_text(yaml, value),
                            trib_yaml_place(yaml, value), diagnostics, error);
}

/* Reads a document: a mapping of fields, or only a file name. */
static trib_status read_document(trib_listing *listing, const trib_yaml *yaml, uint32_t node,
                                 bool manifest, trib_diagnostics *diagnostics, trib_error *error) {
    char shown[128];
    trib_listed *listed = NULL;
    const trib_place place = trib_yaml_place(yaml, node);
    const trib_yaml_kind kind = trib_yaml_kind_of(yaml, node);
    if (kind == TRIB_YAML_LIST || trib_yaml_is_null(yaml, node)) {
        trib_diagnose(diagnostics, place, "a document must be {id: ..., file: ...}, not %s",
                      trib_yaml_describe(yaml, node, shown));
        return TRIB_OK;
    }
    trib_status status = trib_listing_add(listing, place, &listed, error);
    if (status != TRIB_OK) return status;
    if (kind == TRIB_YAML_SCALAR) {
        const char *file = trib_yaml_text(yaml, node);
        status = trib_copy(&listed->about.file, file, error);
    } else {
        for (uint32_t k = trib_yaml_first(yaml, node); k && status == TRIB_OK;
             k = trib_yaml_next(yaml, trib_yaml_next(yaml, k)))
            status = read_field(listed, yaml, k, manifest, diagnostics, error);
    }
    return status == TRIB_OK ? trib_listing_complete(listed, diagnostics, error) : status;
}

trib_status trib_listing_yaml(trib_listing *listing, const trib_yaml *yaml, uint32_t node,
                              bool manifest, trib_diagnostics *diagnostics, trib_error *error) {
    char shown[128];
    trib_status status = TRIB_OK;
    if (trib_yaml_kind_of(yaml, node) != TRIB_YAML_LIST) {
        trib_diagnose(diagnostics, trib_yaml_place(yaml, node),
                      "'documents' must be a list of documents, not %s",
                      trib_yaml_describe(yaml, node, shown));
        return TRIB_OK;
    }
    for (uint32_t k = trib_yaml_first(yaml, node); k && status == TRIB_OK;
         k = trib_yaml_next(yaml, k))
        status = read_document(listing, yaml, k, manifest, diagnostics, error);
    return status;
}

trib_input_options trib_config_input_options(const trib_config *config) {
    return (trib_input_options){.notes = config->corpus.notes,
                                .edition = config->corpus.edition,
                                .on_invalid = config->corpus.on_invalid};
}
