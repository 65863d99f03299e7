/* inputs.c - inputs.tsv: the files that were read, the parts that were cut from them, and the files
 * that were not read, with the reason. */
#include <string.h>

#include "pipeline/config/config.h"
#include "pipeline/output/files.h"
#include "pipeline/support/tables.h"

/* The data of the table. */
typedef struct table {
    const trib_config *config;
    const trib_corpus *corpus;
    const trib_corpus_words *words;
    bool has_languages; /* a last column with the languages of the texts */
} table;

/* Whether the list of documents names the language of any. */
static bool has_languages(const trib_config *config) {
    bool has = false;
    for (uint32_t d = 0; d < config->corpus.n_documents && !has; d++)
        has = config->corpus.document[d].language != NULL;
    return has;
}

static void write_part(trib_writer *writer, const trib_cut *cut, const char *where, bool *any) {
    if (cut->n_bytes == 0) return;
    trib_print(writer, "%s%llu bytes (%llu lines) %s", *any ? ", " : "stripped ",
               (unsigned long long)cut->n_bytes, (unsigned long long)cut->n_lines, where);
    *any = true;
}

/* Ends the row of a document, in a table with languages after a cell for its own. */
static void end_row(trib_writer *writer, const table *t, const trib_corpus_document *about) {
    if (t->has_languages)
        trib_print(writer, "\t%s", about ? trib_config_language(t->config, about) : "");
    trib_write_text(writer, "\n");
}

static void write_document(trib_writer *writer, const table *t, const trib_document *document,
                           const trib_document_words *words) {
    const trib_cuts *cuts = &words->cuts;
    const uint64_t n_cut = cuts->before.n_bytes + cuts->between.n_bytes + cuts->after.n_bytes;
    bool any = false;
    trib_write_tab_cell(writer, document->about->file);
    trib_write_text(writer, "\t");
    trib_write_tab_cell(writer, document->about->id);
    trib_print(writer, "\t%s\t%s\t%s\t%llu\t%llu\t%llu\t", n_cut > 0 ? "cut" : "read",
               document->kind, words->encoding, (unsigned long long)document->n_bytes,
               (unsigned long long)n_cut, (unsigned long long)words->n_tokens);
    write_part(writer, &cuts->before, "before the text", &any);
    write_part(writer, &cuts->between, "between texts", &any);
    write_part(writer, &cuts->after, "behind the text", &any);
    if (words->counts.n_replaced > 0)
        trib_print(writer, "%s%llu invalid byte sequences became U+FFFD", any ? "; " : "",
                   (unsigned long long)words->counts.n_replaced);
    end_row(writer, t, document->about);
}

static void write_rejected(trib_writer *writer, const table *t, const trib_rejected *rejected) {
    trib_write_tab_cell(writer, rejected->about->file);
    trib_write_text(writer, "\t");
    trib_write_tab_cell(writer, rejected->about->id);
    trib_print(writer, "\trefused\t%s\t\t%llu\t\t\t", rejected->kind,
               (unsigned long long)rejected->n_bytes);
    trib_write_tab_cell(writer, rejected->why);
    end_row(writer, t, rejected->about);
}

static trib_status write_table(const void *what, trib_writer *writer, trib_error *error) {
    static const trib_document_words none;
    const table *t = what;
    const trib_corpus *corpus = t->corpus;
    (void)error;
    trib_write_text(writer, "file\tdocument\twas\tkind\tencoding\tbytes\tcut\twords\twhy");
    trib_write_text(writer, t->has_languages ? "\tlanguage\n" : "\n");
    uint32_t d = 0, r = 0; /* both are in the order of the corpus */
    while (d < corpus->n_documents || r < corpus->n_rejected) {
        const bool is_next =
            r == corpus->n_rejected ||
            (d < corpus->n_documents && corpus->document[d].about < corpus->rejected[r].about);
        if (!is_next) {
            write_rejected(writer, t, &corpus->rejected[r++]);
            continue;
        }
        const bool is_read = d < t->words->n_documents;
        write_document(writer, t, &corpus->document[d], is_read ? &t->words->document[d] : &none);
        d++;
    }
    for (size_t i = 0; i < t->config->corpus.n_left_out; i++) {
        const trib_left_out *out = &t->config->corpus.left_out[i];
        trib_write_tab_cell(writer, out->file);
        trib_print(writer, "\t\tnot read\t\t\t\t\t\t%s", out->why);
        end_row(writer, t, NULL);
    }
    return TRIB_OK;
}

trib_status trib_inputs_write(trib_run_directory *directory, const trib_corpus_words *words,
                              trib_error *error) {
    const table t = {directory->config, directory->corpus, words, has_languages(directory->config)};
    return trib_directory_write(directory, "inputs.tsv", write_table, &t, error);
}
