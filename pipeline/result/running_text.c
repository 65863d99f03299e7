/* running_text.c - the reading and writing of read/ID.json. What is read
 * is checked here, so that those who show the text need not. */
#include "pipeline/result/running_text.h"

#include <unistd.h>

#include "pipeline/result/fields.h"
#include "pipeline/support/path.h"

/* A block is on a line of the file. */
enum { LINES = 2, LINES_OF_TERMINAL = 6 };

/* ---- Bounds ---------------------------------------------------------------------------------- */

/* Whether `words` words from `first` on, from 1, lie in a text of n words. */
static bool are_in(uint64_t first, uint64_t words, uint64_t n) {
    return first > 0 && words > 0 && first <= n && words <= n - first + 1;
}

static bool is_passage_right(const trib_running_text *text, const trib_running_passage *one) {
    return one->source < text->sources.n && are_in(one->first, one->words, text->words) &&
           are_in(one->source_first, one->source_words, INT64_MAX) && one->agree <= one->words &&
           one->altered <= one->words - one->agree &&
           !(one->probability < 0 || one->probability > 1);
}

/* Whether references begin at characters of the pieces, in their order. */
static bool are_references_right(const trib_running_block *one) {
    uint64_t piece = 0, byte = 0;
    for (size_t r = 0; r < one->references.n; r++) {
        const trib_running_reference *const at = &one->references.item[r];
        if (at->piece >= one->text.n || at->piece < piece) return false;
        if (at->piece > piece) byte = 0;
        const char *const text = one->text.item[at->piece];
        if (at->byte < byte || at->byte > strlen(text) || (text[at->byte] & 0xC0) == 0x80)
            return false;
        piece = at->piece;
        byte = at->byte;
    }
    return true;
}

static bool is_block_right(const trib_running_text *text, const trib_running_block *one) {
    if (one->text.n != 2 * one->passages.n + 1) return false;
    if (one->beside.n > 0 && one->beside.n != one->passages.n) return false;
    for (size_t p = 0; p < one->passages.n; p++)
        if (one->passages.item[p] == 0 || one->passages.item[p] > text->passages.n) return false;
    return are_references_right(one);
}

static trib_status check(const trib_running_text *text, const char *path, trib_error *error) {
    uint64_t n_words = 0;
    const char *list = NULL;
    size_t place = 0;
    for (size_t s = 0; s < text->sources.n && !list; place = s++)
        if (text->sources.item[s].words > text->words) list = "sources";
    for (size_t p = 0; p < text->passages.n && !list; place = p++)
        if (!is_passage_right(text, &text->passages.item[p])) list = "passages";
    for (size_t b = 0; b < text->blocks.n && !list; place = b++) {
        const trib_running_block *const one = &text->blocks.item[b];
        if (one->first != n_words + 1 || !are_in(one->first, one->words, text->words) ||
            !is_block_right(text, one))
            list = "blocks";
        n_words += one->words;
    }
    if (list)
        return trib_fail(error, TRIB_INPUT, "%s: %s[%zu] does not fit the text; run again", path,
                         list, place);
    return n_words == text->words
               ? TRIB_OK
               : trib_fail(error, TRIB_INPUT, "%s: its blocks do not have its words; run again",
                           path);
}

/* ---- The file -------------------------------------------------------------------------------- */

trib_status trib_running_text_read(const trib_running_text **text, trib_arena *arena,
                                   const char *run_directory, const char *target,
                                   trib_error *error) {
    char path[TRIB_PATH_MAX];
    TRIB_OWNED(trib_buffer) json = {0};
    *text = NULL;
    if (snprintf(path, sizeof path, "%s/read/%s.json", run_directory, target) >= (int)sizeof path)
        return trib_fail(error, TRIB_USAGE, "%s: path too long", run_directory);
    if (!trib_disk_has(path)) return TRIB_OK;
    trib_running_text *const made = trib_arena_new(arena, 1, sizeof *made);
    trib_status status =
        made ? trib_read_whole(path, &json, error) : trib_arena_check(arena, error);
    if (status == TRIB_OK) {
        const trib_record_reader reader = {
            .at = json.text, .end = json.text + json.length, .arena = arena};
        status = trib_record_read_file(reader, path, &trib_type_running_text, made, error);
    }
    if (status == TRIB_OK) status = check(made, path, error);
    if (status == TRIB_OK) *text = made;
    return status;
}

trib_status trib_running_text_write(const trib_running_text *text, bool is_long,
                                    trib_writer *writer, trib_error *error) {
    return trib_record_write(&trib_type_running_text, text, is_long ? LINES_OF_TERMINAL : LINES,
                             writer, error);
}
