/* results.c - a run directory as tables of plain rows. The records of influence.json are read when
 * it is opened, a target at a time; factors have files of their own. */
#include "pipeline/library/results.h"

#include "pipeline/result/result.h"
#include "pipeline/support/path.h"

TRIB_RECORD_LIST(trib_result_shares, trib_result_share);
TRIB_RECORD_LIST(trib_result_phrases, trib_result_phrase);
TRIB_RECORD_LIST(trib_result_passages, trib_result_passage);

struct trib_results {
    const char *directory;
    bool is_sealed;
    trib_result result;             /* the texts of documents and methods lie in it */
    trib_arena arena;               /* the rows, and their texts */
    trib_result_document *document; /* [n_documents] by id */
    size_t n_documents;
    trib_result_shares shares;
    trib_result_phrases phrases;
    trib_result_passages passages;
};

/* ---- Rows ------------------------------------------------------------------------------------ */

/* NULL where it is empty. */
static const char *text_or_null(const char *text) { return text && *text ? text : NULL; }

/* The number of a document that a record names. */
static uint32_t number_of(trib_results *r, const char *id) {
    const uint32_t number = trib_results_find(r, id);
    if (number == TRIB_AUTHOR)
        trib_arena_fail(&r->arena, TRIB_INPUT,
                        "%s/influence.json: is damaged: it names a document that it does not "
                        "describe",
                        r->directory);
    return number;
}

/* A text of pieces with `between` between them. */
static const char *join(trib_results *r, const trib_texts *pieces, const char *between) {
    size_t length = 0, n = 0;
    for (size_t i = 0; i < pieces->n; i++) length += strlen(pieces->item[i]) + strlen(between);
    char *const text = trib_arena_new(&r->arena, length + 1, 1);
    for (size_t i = 0; text && i < pieces->n; i++)
        for (const char *parts[] = {i > 0 ? between : "", pieces->item[i], NULL}, **p = parts; *p;
             p++) {
            memcpy(text + n, *p, strlen(*p));
            n += strlen(*p);
        }
    return text ? text : "";
}

static const char *quote(trib_results *r, const trib_place_record *place) {
    return place->text.item ? join(r, &place->text, "") : NULL;
}

static void read_documents(trib_results *r) {
    const trib_document_records *const list = &r->result.documents;
    if (list->n >= TRIB_FORMULA)
        trib_arena_fail(&r->arena, TRIB_INPUT, "%s/influence.json: is damaged: too many documents",
                        r->directory);
    r->document = trib_arena_new(&r->arena, list->n, sizeof *r->document);
    for (size_t d = 0; r->document && d < list->n; d++) {
        const trib_document_record *const from = &list->item[d];
        r->document[d] = (trib_result_document){
            .id = from->id,
            .title = from->title,
            .author = text_or_null(from->author),
            .date = text_or_null(from->date),
            .role = from->role,
            .file = from->file,
            .n_bytes = from->bytes,
            .n_words = from->words,
            .n_ngrams = from->ngrams,
            .nnz = from->nonzeros,
            .floor = NAN,
            .rank = from->factors ? (uint32_t)from->factors->rank : 0,
            .fit = from->factors ? from->factors->fit : (double)NAN,
        };
        r->n_documents = d + 1;
    }
}

static void add_share(trib_results *r, trib_result_share share) {
    trib_result_share *const row = trib_arena_append(&r->arena, &r->shares, sizeof *row);
    if (row) *row = share;
}

static void read_method(trib_results *r, uint32_t target, const char *name,
                        const trib_influence_record *from) {
    for (size_t i = 0; i < from->shares.n; i++) {
        const trib_share_record *const row = &from->shares.item[i];
        trib_result_share share = {.target = target,
                                   .source = number_of(r, row->source),
                                   .method = name,
                                   .share = row->share,
                                   .low = row->low,
                                   .high = row->high,
                                   .is_below_floor = row->below_floor,
                                   .is_decoy = row->decoy,
                                   .group_share = row->share,
                                   .group_low = row->low,
                                   .group_high = row->high};
        const trib_group_record *const group =
            row->group ? trib_method_group(from, row->group) : NULL;
        share.group = row->group ? number_of(r, row->group) : share.source;
        if (group) {
            share.group_share = group->share;
            share.group_low = group->low;
            share.group_high = group->high;
        }
        add_share(r, share);
    }
    const double rest[] = {from->author, from->formula};
    static const uint32_t number[] = {TRIB_AUTHOR, TRIB_FORMULA};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        if (!isnan(rest[i]))
            add_share(r, (trib_result_share){.target = target,
                                             .source = number[i],
                                             .method = name,
                                             .share = rest[i],
                                             .low = NAN,
                                             .high = NAN,
                                             .group = number[i],
                                             .group_share = rest[i],
                                             .group_low = NAN,
                                             .group_high = NAN});
}

static void read_phrases(trib_results *r, uint32_t target, uint32_t source,
                         const trib_phrase_records *list, bool is_common) {
    for (size_t i = 0; i < list->n; i++) {
        const trib_phrase_record *const from = &list->item[i];
        trib_result_phrase *const row = trib_arena_append(&r->arena, &r->phrases, sizeof *row);
        if (!row) return;
        *row = (trib_result_phrase){target,
                                    source,
                                    join(r, &from->words, " "),
                                    from->target_count,
                                    from->source_count,
                                    from->other_documents,
                                    from->mass,
                                    is_common};
    }
}

static void read_passages(trib_results *r, uint32_t target, uint32_t source,
                          const trib_passage_records *list) {
    for (size_t i = 0; i < list->n; i++) {
        const trib_passage_record *const from = &list->item[i];
        trib_result_passage *const row = trib_arena_append(&r->arena, &r->passages, sizeof *row);
        if (!row) return;
        *row = (trib_result_passage){target,
                                     source,
                                     from->target->first,
                                     from->target->words,
                                     from->source->first,
                                     from->source->words,
                                     from->shared,
                                     from->mass,
                                     quote(r, from->target),
                                     quote(r, from->source)};
    }
}

static void read_target(trib_results *r, const trib_target_record *from) {
    const uint32_t target = number_of(r, from->target);
    if (r->arena.failure.status != TRIB_OK) return;
    r->document[target].is_target = true;
    r->document[target].floor = from->floor;
    for (size_t m = 0; m < r->result.methods.n; m++) {
        const char *const name = r->result.methods.item[m].name;
        const trib_influence_record *const method = trib_target_method(from, name);
        if (method) read_method(r, target, name, method);
    }
    for (size_t s = 0; s < from->evidence.n; s++) {
        const trib_evidence_record *const evidence = &from->evidence.item[s];
        const uint32_t source = number_of(r, evidence->source ? evidence->source : "");
        read_phrases(r, target, source, &evidence->phrases, false);
        read_phrases(r, target, source, &evidence->commonplaces, true);
        read_passages(r, target, source, &evidence->passages);
    }
    if (from->own) read_phrases(r, target, TRIB_AUTHOR, &from->own->phrases, false);
}

/* ---- The whole ------------------------------------------------------------------------------- */

trib_status trib_results_open(trib_results **results, const char *directory, trib_error *error) {
    trib_results *r = NULL;
    *results = NULL;
    trib_status status = TRIB_NEW(&r, 1, "the results", error);
    if (status != TRIB_OK) return status;
    r->directory = trib_arena_text(&r->arena, directory);
    status = trib_disk_seal(directory, error);
    r->is_sealed = status == TRIB_OK;
    if (status == TRIB_OK) status = trib_result_open(&r->result, directory, error);
    if (status == TRIB_OK) read_documents(r);
    for (size_t t = 0; t < r->result.targets.n && status == TRIB_OK; t++) {
        trib_arena arena = {0};
        const trib_target_record *const target = trib_target_read(&r->result, t, &arena);
        status = trib_arena_check(&arena, error);
        if (status == TRIB_OK) read_target(r, target);
        trib_arena_release(&arena);
        if (status == TRIB_OK) status = trib_arena_check(&r->arena, error);
    }
    if (status == TRIB_OK) status = trib_arena_check(&r->arena, error);
    if (status == TRIB_OK) *results = r;
    else trib_results_close(r);
    return status;
}

void trib_results_close(trib_results *results) {
    if (!results) return;
    if (results->is_sealed) trib_disk_unseal(results->directory);
    trib_arena_release(&results->arena);
    trib_result_release(&results->result);
    trib_free(results);
}

const char *trib_results_directory(const trib_results *results) { return results->directory; }

const char *trib_results_name(const trib_results *results) { return results->result.name; }

const char *trib_results_headline(const trib_results *results) { return results->result.headline; }

const trib_result_document *trib_results_documents(const trib_results *results, size_t *n) {
    *n = results->n_documents;
    return results->document;
}

uint32_t trib_results_find(const trib_results *results, const char *id) {
    size_t low = 0, high = results->n_documents;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = strcmp(id, results->document[middle].id);
        if (order == 0) return (uint32_t)middle;
        if (order < 0) high = middle;
        else low = middle + 1;
    }
    return TRIB_AUTHOR;
}

/* The function that returns a list of rows. */
#define ROWS(type, list)                                                                           \
    const type *trib_results_##list(const trib_results *results, size_t *n) {                      \
        *n = results->list.n;                                                                      \
        return results->list.item;                                                                 \
    }
ROWS(trib_result_share, shares)
ROWS(trib_result_phrase, phrases)
ROWS(trib_result_passage, passages)

/* ---- Files of the run ------------------------------------------------------------------------ */

/* The path of a file of the run directory. TRIB_USAGE when the run did not write it. */
static trib_status find_file(const trib_results *r, const char *name, const char *format,
                             char **path, trib_error *error) {
    const trib_status status = trib_path_join(path, r->directory, name, error);
    if (status != TRIB_OK || trib_disk_has(*path)) return status;
    return trib_fail(error, TRIB_USAGE,
                     "%s: this run did not write it; put '%s' into report.formats", *path, format);
}

trib_status trib_results_factors(const trib_results *results, uint32_t document, trib_ktensor *k,
                                 trib_ktns_words *words, trib_error *error) {
    TRIB_FREED(char *) path = NULL;
    TRIB_OWNED(trib_buffer) name = {0};
    trib_reader reader;
    *k = (trib_ktensor){0};
    *words = (trib_ktns_words){0};
    if (document >= results->n_documents)
        return trib_fail(error, TRIB_USAGE, "%s: has no document %lu", results->directory,
                         (unsigned long)document);
    trib_status status =
        trib_buffer_print(&name, error, "factors/%s.ktns", results->document[document].id);
    if (status == TRIB_OK) status = find_file(results, name.text, "factors", &path, error);
    if (status == TRIB_OK) status = trib_reader_open(&reader, path, error);
    if (status == TRIB_OK) {
        status = trib_ktns_read_words(k, words, &reader, error);
        trib_reader_close(&reader);
    }
    return status;
}
