/* find.c - passages looked up in a library of texts, for other programs. */
#include "pipeline/library/find.h"

#include "pipeline/config/config.h"
#include "pipeline/index/index.h"

struct trib_library {
    char *folder;
    trib_index index;
    trib_config config;
    trib_findings_list list;
    trib_library_place *place; /* [n] */
    size_t cap;
};

void trib_library_close(trib_library *library) {
    if (!library) return;
    trib_findings_list_release(&library->list);
    trib_config_release(&library->config);
    trib_index_close(&library->index);
    TRIB_FREE(library->place, library->folder, library);
}

trib_status trib_library_open(trib_library **library, const char *folder, trib_error *error) {
    trib_library *l = NULL;
    *library = NULL;
    trib_status status = TRIB_NEW(&l, 1, "a library", error);
    if (status != TRIB_OK) return status;
    l->index.lock = -1;
    status = trib_copy(&l->folder, folder, error);
    if (status == TRIB_OK) status = trib_index_open(&l->index, l->folder, TRIB_INDEX_READ, error);
    if (status == TRIB_OK)
        status =
            trib_config_load(&l->config, NULL, l->index.set, l->index.n_set, NULL, NULL, error);
    if (status == TRIB_OK) *library = l;
    else trib_library_close(l);
    return status;
}

static trib_status fill(trib_library *l, size_t i, trib_error *error) {
    trib_found *const f = &l->list.found[i];
    trib_indexed_text about;
    trib_status status = trib_segment_about(f->segment, f->text, &about, error);
    if (status == TRIB_OK) status = trib_found_quote(&l->list, f, error);
    if (status != TRIB_OK) return status;
    l->place[i] = (trib_library_place){.id = about.id,
                                       .title = about.title,
                                       .author = about.author,
                                       .date = about.date,
                                       .file = about.file,
                                       .text = f->quote,
                                       .reference = f->reference,
                                       .from = f->from,
                                       .end = f->end,
                                       .line = f->line,
                                       .first = f->asked,
                                       .n = f->n_asked,
                                       .n_words = f->n_words,
                                       .n_equal = f->n_equal,
                                       .family = f->family};
    return TRIB_OK;
}

trib_status trib_library_find(trib_library *library, const char *passage, size_t length,
                              const trib_library_place **place, size_t *n, trib_error *error) {
    const trib_buffer text = {.text = (char *)(uintptr_t)passage, .length = length};
    *place = NULL;
    *n = 0;
    trib_findings_list_release(&library->list);
    trib_status status =
        trib_index_find(&library->index, &library->config, &text, &library->list, error);
    if (status == TRIB_OK)
        status = TRIB_GROW(&library->place, &library->cap, library->list.n + 1, "places", error);
    for (size_t i = 0; i < library->list.n && status == TRIB_OK; i++)
        status = fill(library, i, error);
    if (status != TRIB_OK) return status;
    *place = library->place;
    *n = library->list.n;
    return TRIB_OK;
}
