/* read.c - a run in the terminal: `tributary explain` prints its shares and phrases; `read` shows
 * the text of a target. Words that are traced to a source stand in brackets after its title, and in
 * colours. On a terminal a pager shows it. */
#include <inttypes.h>
#include <signal.h>
#include <unistd.h>

#include "pipeline/output/summary.h"
#include "pipeline/program/command.h"
#include "pipeline/result/result.h"
#include "pipeline/result/running_text.h"
#include "pipeline/support/terminal.h"

enum { WIDEST = 88, TITLE_COLUMNS = 28, N_COLOURS = 6 };
#define RESET "\033[0m"

/* The text while it is written. A line is wrapped as it grows; a style that reaches over the end
 * of a line begins again on the next, as pagers show each line by itself. */
typedef struct page {
    trib_buffer text, word; /* finished text; the word that grows, with its escape sequences */
    size_t columns, column, word_columns;
    int colour; /* of the source of the words that are written; -1: none */
    bool colors, needs_space;
    const trib_running_text *shown;
    const char **title; /* [sources] for the terminal */
    size_t only;        /* number of the only source marked; SIZE_MAX: all */
    size_t open;        /* the passage whose bracket is open; 0: none */
    trib_status status;
    trib_error *error;
} page;

static void add(page *p, trib_buffer *to, const char *text, size_t length) {
    if (p->status == TRIB_OK) p->status = trib_buffer_add(to, text, length, p->error);
}

static void add_style(page *p, trib_buffer *to) {
    static const int colour[N_COLOURS] = {34, 33, 32, 35, 31, 36};
    if (p->status != TRIB_OK || !p->colors) return;
    p->status = p->colour < 0
                    ? trib_buffer_print(to, p->error, RESET)
                    : trib_buffer_print(to, p->error, "\033[4;%dm", colour[p->colour % N_COLOURS]);
}

static void end_line(page *p) {
    if (p->colour >= 0 && p->colors) add(p, &p->text, RESET, strlen(RESET));
    add(p, &p->text, "\n", 1);
    if (p->colour >= 0) add_style(p, &p->text);
    p->column = 0;
    p->needs_space = false;
}

/* Ends the word and puts it on this line or the next. */
static void end_word(page *p) {
    if (p->word_columns > 0 && p->column > 0 &&
        p->column + p->needs_space + p->word_columns > p->columns)
        end_line(p);
    if (p->needs_space && p->word_columns > 0) {
        add(p, &p->text, " ", 1);
        p->column++;
        p->needs_space = false;
    }
    if (p->word.length > 0) add(p, &p->text, p->word.text, p->word.length);
    p->column += p->word_columns;
    p->word_columns = 0;
    trib_buffer_clear(&p->word);
}

/* Adds text of any origin; its line feeds end lines. Text of a script without spaces is broken
 * where ICU allows it, another word only when it is as wide as a line. */
static void add_text(page *p, const char *text) {
    const size_t length = strlen(text), size = 4 * length + 8;
    TRIB_FREED(char *) clean = NULL;
    if (p->status == TRIB_OK) p->status = trib_new(&clean, size, 1, "a text", p->error);
    if (p->status != TRIB_OK) return;
    const size_t n_clean = trib_clean(clean, size, text, length, true);
    trib_line_breaks *breaks = NULL;
    const char *word_end = clean;
    p->status = trib_line_breaks_open(&breaks, clean, n_clean, p->error);
    for (const char *at = clean; breaks && *at;) {
        size_t n = 1;
        if (at == word_end) {
            const size_t from = (size_t)(at - clean);
            if (from > 0 && !strchr(" \n", at[-1])) end_word(p);
            word_end = clean + trib_line_breaks_next(breaks, from, from + strcspn(at, " \n"));
            word_end += *at == ' ' || *at == '\n';
        }
        while (((unsigned char)at[n] & 0xC0) == 0x80) n++;
        if (*at == '\n' || *at == ' ') {
            end_word(p);
            if (*at == '\n' && p->column > 0) end_line(p);
            else p->needs_space = p->column > 0;
        } else {
            char one[8] = "";
            memcpy(one, at, n < sizeof one ? n : sizeof one - 1);
            const size_t columns = trib_columns(one);
            if (p->word_columns + columns > p->columns) end_word(p);
            add(p, &p->word, at, n);
            p->word_columns += columns;
        }
        at += n;
    }
    trib_line_breaks_close(breaks);
}

static void set_colour(page *p, int colour) {
    if (p->colour == colour) return;
    p->colour = colour;
    add_style(p, &p->word);
}

static size_t source_of(const page *p, size_t passage) {
    return (size_t)p->shown->passages.item[passage - 1].source;
}

static void close_passage(page *p) {
    if (p->open > 0) add_text(p, "]");
    p->open = 0;
}

static void open_passage(page *p, size_t passage) {
    close_passage(p);
    add_text(p, "[");
    add_text(p, p->title[source_of(p, passage)]);
    add_text(p, ": ");
    p->open = passage;
}

/* Writes a reference before the words it holds for. */
static void add_reference(page *p, const char *reference) {
    if (!reference || !*reference) return;
    add_text(p, "(");
    add_text(p, reference);
    add_text(p, ") ");
}

/* Writes a piece, with the references that begin to hold in it; *next is the first of them. */
static void write_piece(page *p, const trib_running_block *block, size_t i, size_t *next) {
    const trib_running_references *references = &block->references;
    const size_t length = strlen(block->text.item[i]);
    TRIB_FREED(char *) lines = NULL;
    if (p->status == TRIB_OK)
        p->status = trib_copy_text(&lines, block->text.item[i], length, p->error);
    for (char *c = lines; c && *c; c++)
        if (block->wrapped && *c == '\n') *c = ' ';
    for (size_t at = 0; lines && at < length;) {
        const trib_running_reference *reference =
            *next < references->n && references->item[*next].piece == i ? &references->item[*next]
                                                                        : NULL;
        const size_t end = reference ? (size_t)reference->byte : length;
        const char kept = lines[end];
        lines[end] = '\0';
        add_text(p, lines + at);
        lines[end] = kept;
        at = end;
        if (!reference) continue;
        add_reference(p, reference->reference);
        ++*next;
    }
}

/* Writes a block. A bracket ends with the last piece of its passage in the block. */
static void write_block(page *p, const trib_running_block *block) {
    const size_t n = block->text.n;
    size_t reference = 0;
    if (block->omitted) add_text(p, "[\xE2\x80\xA6]\n\n");
    add_reference(p, block->reference);
    for (size_t i = 0; i < n; i++) {
        const size_t passage = trib_running_passage_at(block, i / 2);
        const bool is_traced =
            i % 2 == 1 && (p->only == SIZE_MAX || source_of(p, passage) == p->only);
        if (p->open > 0 && (i % 2 == 1 || i + 1 == n) && p->open != passage) close_passage(p);
        if (is_traced && p->open != passage) open_passage(p, passage);
        if (is_traced) set_colour(p, (int)(source_of(p, passage) % N_COLOURS));
        write_piece(p, block, i, &reference);
        set_colour(p, -1);
        if (is_traced && trib_running_passage_at(block, i / 2 + 1) != passage) close_passage(p);
    }
    close_passage(p);
    end_word(p);
    end_line(p);
    add(p, &p->text, "\n", 1);
}

/* ---- The page -------------------------------------------------------------------------------- */

/* The title of each source as the terminal shows it, cut when it is long. */
static void make_titles(page *p, trib_arena *arena, const trib_result *result) {
    const trib_running_sources *sources = &p->shown->sources;
    char clean[800], padded[4 * TITLE_COLUMNS + 801];
    p->title = trib_arena_new(arena, sources->n, sizeof *p->title);
    for (size_t s = 0; s < sources->n && p->title; s++) {
        const char *title = trib_result_title(result, sources->item[s].source);
        trib_clean(clean, sizeof clean, title, strlen(title), false);
        const bool is_long = trib_columns(clean) > TITLE_COLUMNS;
        if (is_long) trib_pad(padded, sizeof padded, clean, TITLE_COLUMNS, false);
        const char *shown = is_long ? padded : clean;
        p->title[s] = trib_arena_text(arena, shown);
    }
    if (p->status == TRIB_OK) p->status = trib_arena_check(arena, p->error);
}

static void write_legend(page *p, const char *title) {
    char text[200];
    add_text(p, title);
    snprintf(text, sizeof text, ": %" PRIu64 " words\n", p->shown->words);
    add_text(p, text);
    for (size_t s = 0; s < p->shown->sources.n; s++) {
        const trib_running_source *source = &p->shown->sources.item[s];
        if (p->only != SIZE_MAX && p->only != s) continue;
        set_colour(p, (int)(s % N_COLOURS));
        add_text(p, p->title[s]);
        set_colour(p, -1);
        snprintf(text, sizeof text, ": %" PRIu64 " words in %" PRIu64 " %s\n", source->words,
                 source->passages, source->passages == 1 ? "passage" : "passages");
        add_text(p, text);
    }
    end_word(p);
    end_line(p);
}

/* Finds the source that --source names. */
static trib_status find_only(page *p, const char *target, const char *source, trib_error *error) {
    p->only = SIZE_MAX;
    if (!source) return TRIB_OK;
    for (size_t s = 0; s < p->shown->sources.n; s++)
        if (strcmp(p->shown->sources.item[s].source, source) == 0) p->only = s;
    return p->only != SIZE_MAX
               ? TRIB_OK
               : trib_fail(error, TRIB_USAGE, "no words of '%s' are traced to the source '%s'",
                           target, source);
}

/* Shows the text in a pager; false when there is none. */
static bool show(const trib_buffer *text) {
    const char *pager = getenv("PAGER");
    if (!pager) pager = "less";
    if (!*pager || strcmp(pager, "cat") == 0) return false;
    setenv("LESS", "FRX", 0);
    fflush(NULL);
    void (*const before)(int) = signal(SIGPIPE, SIG_IGN); /* the reader may quit early */
    FILE *file = popen(pager, "w");
    if (file) fwrite(text->text, 1, text->length, file);
    const int exit = file ? pclose(file) : -1;
    signal(SIGPIPE, before);
    return exit == 0;
}

static trib_status write_page(const trib_command_line *line, const trib_result *result,
                              const trib_running_text *text, trib_arena *arena, const char *id,
                              trib_error *error) {
    const int color = line->color ? line->color - 1 : TRIB_COLOR_AUTO;
    const char *source = NULL;
    const size_t columns = trib_page_columns(STDOUT_FILENO);
    page p = {.columns = columns < WIDEST ? columns : WIDEST,
              .colour = -1,
              .colors = trib_terminal_colors(STDOUT_FILENO, color),
              .shown = text,
              .error = error};
    p.status = trib_result_find_document(result, line->operand[0], line->source, &source, error);
    if (p.status == TRIB_OK) p.status = find_only(&p, id, source, error);
    make_titles(&p, arena, result);
    if (p.status == TRIB_OK) write_legend(&p, trib_result_title(result, id));
    for (size_t b = 0; b < text->blocks.n && p.status == TRIB_OK; b++)
        write_block(&p, &text->blocks.item[b]);
    if (p.status == TRIB_OK && !(isatty(STDOUT_FILENO) && show(&p.text)))
        trib_write(line->out, p.text.text, p.text.length);
    trib_buffer_release(&p.text);
    trib_buffer_release(&p.word);
    return p.status;
}

trib_status trib_command_read(const trib_command_line *line, trib_error *error) {
    const char *run = line->operand[0], *target = NULL;
    const char *name = line->n_operands > 1 ? line->operand[1] : NULL;
    const trib_running_text *text = NULL;
    TRIB_OWNED(trib_arena) arena = {0};
    TRIB_OWNED(trib_result) result = {0};
    trib_status status = trib_result_open(&result, run, error);
    if (status == TRIB_OK) status = trib_result_find_target(&result, run, name, &target, error);
    if (status == TRIB_OK) status = trib_running_text_read(&text, &arena, run, target, error);
    if (status == TRIB_OK && !text)
        status = trib_fail(error, TRIB_USAGE,
                           "%s has no text of '%s' (read/%s.json): it was made without HTML pages, "
                           "without report.text: full, or with more or shorter targets than "
                           "report.target_pages allows; set report.target_pages: all and run "
                           "again",
                           run, target, target);
    if (status == TRIB_OK && line->json)
        status = trib_running_text_write(text, true, line->out, error);
    else if (status == TRIB_OK) status = write_page(line, &result, text, &arena, target, error);
    return status;
}

/* ---- explain --------------------------------------------------------------------------------- */

static trib_status print_summary(const trib_result *result, const trib_summary_options *options,
                                 bool is_json, trib_writer *out, trib_error *error) {
    trib_summary_record summary = {
        .schema = 1, .seconds = (double)NAN, .peak_bytes = (double)NAN, .warnings = TRIB_ABSENT};
    TRIB_OWNED(trib_buffer) text = {0};
    TRIB_OWNED(trib_arena) arena = {0};
    trib_status status =
        is_json ? trib_summary_targets(result, options, &summary.targets, &arena, error)
                : trib_summary_write(result, options, &text, error);
    if (status == TRIB_OK && is_json) status = trib_summary_record_write(&summary, out, error);
    else if (status == TRIB_OK) trib_write(out, text.text, text.length);
    return status;
}

trib_status trib_command_explain(const trib_command_line *line, trib_error *error) {
    const int color = line->color ? line->color - 1 : TRIB_COLOR_AUTO;
    const char *const run = line->operand[0];
    trib_summary_options options = {.colors = trib_terminal_colors(STDOUT_FILENO, color),
                                    .phrases = true,
                                    .top = (size_t)line->top,
                                    .columns = trib_page_columns(STDOUT_FILENO)};
    trib_pair_phrases phrases = {0};
    TRIB_OWNED(trib_result) result = {0};
    trib_status status = trib_result_open(&result, run, error);
    /* ids in place of the names of a target and a source */
    if (status == TRIB_OK && line->target)
        status = trib_result_find_target(&result, run, line->target, &options.target, error);
    if (status == TRIB_OK)
        status = trib_result_find_document(&result, run, line->source, &options.source, error);
    if (status == TRIB_OK && line->source) {
        status = trib_phrases_read(&phrases, run, options.target, options.source, error);
        options.all_phrases = &phrases;
    }
    if (status == TRIB_OK) status = print_summary(&result, &options, line->json, line->out, error);
    if (status == TRIB_INTERNAL) /* all numbers come from the file */
        status =
            trib_fail(error, TRIB_INPUT,
                      "%s/influence.json: is damaged: it lacks numbers that every run has", run);
    trib_phrases_release(&phrases);
    return status;
}
