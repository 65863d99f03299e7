/* tables.c - writes the course of a decomposition as tables. */
#include "pipeline/support/tables.h"

#include <stdatomic.h>

#include "pipeline/support/terminal.h"

static atomic_bool is_guarded = true;

void trib_cells_guard(bool guard) { is_guarded = guard; }

void trib_write_cell(trib_writer *writer, const char *text) {
    const bool formula = *text && strchr("=+-@\t\r", *text) && is_guarded;
    const bool is_quoted = formula || strpbrk(text, ",\"\r\n");
    trib_write_text(writer, formula ? "\"'" : is_quoted ? "\"" : "");
    while (*text) {
        const size_t n = strcspn(text, "\"");
        trib_write_clean(writer, text, n, " \t\r\n");
        text += n;
        if (*text) trib_write_text(writer, "\"\""), text++;
    }
    if (is_quoted) trib_write_text(writer, "\"");
}

void trib_write_tab_cell(trib_writer *writer, const char *text) {
    if (*text && strchr("=+-@\"", *text) && text[1] && is_guarded) trib_write_text(writer, "'");
    trib_write_clean(writer, text, strlen(text), " ");
}

/* The cell is empty for a measure that was not computed or is infinite. */
static void write_number_cell(trib_writer *writer, double value) {
    trib_write_text(writer, ",");
    if (isfinite(value)) trib_write_number(writer, value);
}

void trib_write_trace_csv(const trib_cp_trace *trace, trib_writer *writer) {
    trib_write_text(writer, "iteration,fit,objective,kl,kkt,mttkrp,dense,other");
    trib_write_text(writer, trace->single ? ",precision\n" : "\n");
    for (size_t i = 0; i < trace->n_steps; i++) {
        const trib_cp_step *step = &trace->step[i];
        trib_print(writer, "%zu", trace->first + i + 1);
        write_number_cell(writer, step->fit);
        write_number_cell(writer, step->objective);
        write_number_cell(writer, step->kl);
        write_number_cell(writer, step->kkt);
        write_number_cell(writer, step->mttkrp);
        write_number_cell(writer, step->dense);
        write_number_cell(writer, step->other);
        trib_write_text(writer, trace->single ? ",single\n" : "\n");
    }
}

void trib_write_ranks_header(const char *header, trib_writer *writer) {
    trib_print(writer, "%srank,components,error,l1_error,core_consistency,iterations,chosen\n",
               header);
}

void trib_write_ranks_row(const trib_rank_search *search, size_t i, trib_writer *writer) {
    const trib_rank_step *step = &search->step[i];
    trib_print(writer, "%u,%u", (unsigned)step->rank, (unsigned)step->n_components);
    write_number_cell(writer, step->error);
    write_number_cell(writer, step->l1_error);
    write_number_cell(writer, step->core_consistency);
    trib_print(writer, ",%zu,%s\n", step->n_iterations, i == search->chosen ? "TRUE" : "FALSE");
}
