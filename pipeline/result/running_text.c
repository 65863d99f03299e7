/* running_text.c - read/ID.json: the table of its fields, and its reading and writing. What is read
 * is checked here, so that those who show the text need not. */
#include "pipeline/result/running_text.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pipeline/result/fields.h"
#include "pipeline/result/read.h"
#include "pipeline/support/path.h"

/* A block is on a line of the file. */
enum { LINES = 2, LINES_OF_TERMINAL = 6 };

static const trib_field source_fields[] = {
    FIELD(trib_running_source, source, TEXT, ALWAYS, "id",
          "a source that words are traced to, those with the most words first"),
    FIELD(trib_running_source, words, COUNT, ALWAYS, "count", "the words of all its runs"),
    FIELD(trib_running_source, passages, COUNT, ALWAYS, "count", "its runs"),
};
static const trib_record_type source =
    TYPE("running_source", OBJECT, trib_running_source, source_fields);

static const trib_field passage_fields[] = {
    FIELD(trib_running_passage, source, COUNT, NULL, "from 0",
          "place in `sources`; the runs are in the order of the target, and no word is in two"),
    FIELD(trib_running_passage, first, COUNT, ALWAYS, "from 1", "its first word in the target"),
    FIELD(trib_running_passage, words, COUNT, ALWAYS, "count", "its words in the target"),
    FIELD(trib_running_passage, source_first, COUNT, ALWAYS, "from 1",
          "its first word in the source"),
    FIELD(trib_running_passage, source_words, COUNT, ALWAYS, "count", "its words in the source"),
    FIELD(trib_running_passage, agree, COUNT, ALWAYS, "count",
          "words of the target that agree with the source, in the same order"),
    FIELD(trib_running_passage, reference, TEXT, IF, "text",
          "if there is one: the reference of its words in the target, as in `passages.tsv`"),
    FIELD(trib_running_passage, source_reference, TEXT, IF, "text",
          "if there is one: that of its words in the source"),
    FIELD(trib_running_passage, probability, NUMBER, IF, "0 to 1",
          "if known: the mean probability that its words were copied"),
    FIELD(trib_running_passage, text, TEXTS, IF, "text",
          "the source around it: every second piece agrees with the target"),
};
static const trib_record_type passage =
    TYPE("running_passage", OBJECT, trib_running_passage, passage_fields);

static const trib_field reference_fields[] = {
    FIELD(trib_running_reference, reference, TEXT, ALWAYS, "text", "the new one"),
    FIELD(trib_running_reference, piece, COUNT, NULL, "from 0", "number of a piece of `text`"),
    FIELD(trib_running_reference, byte, COUNT, NULL, "from 0",
          "the UTF-8 bytes of the piece before that place"),
};
static const trib_record_type reference =
    TYPE("running_reference", ROW, trib_running_reference, reference_fields);

static const trib_field block_fields[] = {
    FIELD(trib_running_block, first, COUNT, ALWAYS, "from 1",
          "the first word of a paragraph, or of a few short ones"),
    FIELD(trib_running_block, words, COUNT, ALWAYS, "count", "its words"),
    FIELD(trib_running_block, starts, TEXT, ALWAYS, "text", "where each word begins"),
    FIELD(trib_running_block, text, TEXTS, ALWAYS, "text",
          "its text: every second piece agrees with a source"),
    FIELD(trib_running_block, passages, COUNTS, IF, "from 1",
          "if there are any: the run of each of these pieces"),
    FIELD(trib_running_block, reference, TEXT, IF, "text",
          "if there is one: the reference of its first word"),
    PART(trib_running_block, references, RECORDS, IF, reference,
         "if there are any: where in it the reference changes"),
    FIELD(trib_running_block, wrapped, FLAG, IF, "true",
          "if its lines are filled, so that a line break means a space"),
    FIELD(trib_running_block, omitted, FLAG, IF, "true",
          "if text without words, such as a part that was stripped, is left out before it"),
};
static const trib_record_type block =
    TYPE("running_block", OBJECT, trib_running_block, block_fields);

static const trib_field text_fields[] = {
    FIELD(trib_running_text, schema, COUNT, ALWAYS, "1", "version of this layout"),
    FIELD(trib_running_text, target, TEXT, ALWAYS, "id", "the target"),
    FIELD(trib_running_text, words, COUNT, ALWAYS, "count", "its words"),
    PART(trib_running_text, sources, RECORDS, ALWAYS, source, "the sources"),
    PART(trib_running_text, passages, RECORDS, ALWAYS, passage, "the runs"),
    PART(trib_running_text, blocks, RECORDS, ALWAYS, block, "the text"),
};
static const trib_record_type running_text =
    TYPE("running_text", OBJECT, trib_running_text, text_fields);

/* ---- Bounds ---------------------------------------------------------------------------------- */

/* Whether `words` words from `first` on, from 1, lie in a text of n words. */
static bool are_in(uint64_t first, uint64_t words, uint64_t n) {
    return first > 0 && words > 0 && first <= n && words <= n - first + 1;
}

static bool is_passage_right(const trib_running_text *text, const trib_running_passage *one) {
    return one->source < text->sources.n && are_in(one->first, one->words, text->words) &&
           are_in(one->source_first, one->source_words, INT64_MAX) && one->agree <= one->words &&
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
    trib_buffer json = {0};
    *text = NULL;
    if (snprintf(path, sizeof path, "%s/read/%s.json", run_directory, target) >= (int)sizeof path)
        return trib_fail(error, TRIB_USAGE, "%s: path too long", run_directory);
    if (access(path, F_OK) != 0) return TRIB_OK;
    trib_running_text *const made = trib_arena_new(arena, 1, sizeof *made);
    trib_status status =
        made ? trib_read_whole(path, &json, error) : trib_arena_check(arena, error);
    if (status == TRIB_OK) {
        const trib_record_reader reader = {
            .at = json.text, .end = json.text + json.length, .arena = arena};
        status = trib_record_read_file(reader, path, &running_text, made, error);
    }
    if (status == TRIB_OK) status = check(made, path, error);
    if (status == TRIB_OK) *text = made;
    trib_buffer_release(&json);
    return status;
}

trib_status trib_running_text_write(const trib_running_text *text, bool is_long,
                                    trib_writer *writer, trib_error *error) {
    return trib_record_write(&running_text, text, is_long ? LINES_OF_TERMINAL : LINES, writer,
                             error);
}
