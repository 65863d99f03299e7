/* result_files.c - the files of a run directory that contain the results. */
#include "pipeline/output/result_files.h"

#include "pipeline/config/config.h"
#include "pipeline/result/result.h"

/* ---- The files ------------------------------------------------------------------------------- */

/* A table and the results that it is made of. */
typedef struct table_file {
    const trib_result_table *table;
    const trib_run_results *results;
} table_file;

static trib_status write_table(const void *what, trib_writer *writer, trib_error *error) {
    const table_file *file = what;
    return trib_table_write(file->table, file->results, writer, error);
}

static trib_status write_result(const void *what, trib_writer *writer, trib_error *error) {
    return trib_result_write(((const trib_run_results *)what)->result, writer, error);
}

static bool wants_csv(const trib_run_results *results) { return results->config->report.csv; }
static bool wants_json(const trib_run_results *results) { return results->config->report.json; }
static bool wants_parallels(const trib_run_results *results) {
    return results->config->parallels.unit != TRIB_UNIT_NONE && wants_csv(results);
}
static bool has_flows(const trib_run_results *results) {
    return results->corpus->n_targets > 1 && wants_csv(results);
}
static bool wants_sqlite(const trib_run_results *results) { return results->config->report.sqlite; }
/* The words of all texts are the texts: they are written only where the texts may be. */
static bool wants_words(const trib_run_results *results) {
    return trib_results_have_texts(results);
}
static bool wants_tei(const trib_run_results *results) {
    return results->config->report.tei && results->config->report.text != TRIB_TEXT_NONE &&
           trib_passage_files_are_there(results);
}
static bool wants_alignments(const trib_run_results *results) {
    return results->config->report.alignments && trib_passage_files_are_there(results);
}
static bool wants_phrasing(const trib_run_results *results) {
    return results->config->report.phrasing;
}
static bool is_network(const trib_run_results *results) {
    return results->corpus->n_targets > 1 && wants_json(results); /* for use by other programs */
}

const trib_result_file trib_result_distances = {"distances.csv", wants_csv, NULL,
                                                &trib_table_distances};
const trib_result_file trib_result_tables[TRIB_RESULT_TABLES] = {
    {"documents.csv", wants_csv, NULL, &trib_table_documents},
    {"influence.csv", wants_csv, NULL, &trib_table_influence},
    {"groups.csv", wants_csv, NULL, &trib_table_groups},
    {"phrases.csv", wants_csv, NULL, &trib_table_phrases},
    {"passages.tsv", wants_csv, NULL, &trib_table_passages},
    {"families.tsv", wants_csv, NULL, &trib_table_families},
    {"parallels.tsv", wants_parallels, NULL, &trib_table_parallels},
    {"formulas.tsv", wants_csv, NULL, &trib_table_formulas},
    {"ranking.csv", wants_csv, NULL, &trib_table_ranking},
    {"data/words.js", wants_words, trib_words_script_write, NULL},
    {"passages.tei.xml", wants_tei, trib_passages_write_tei, NULL},
    {"alignments.jsonl", wants_alignments, trib_passages_write_alignments, NULL},
};
const trib_result_file trib_result_graphs[TRIB_RESULT_GRAPHS] = {
    {"influence.json", wants_json, write_result, NULL},
    {"influence.graphml", is_network, trib_graph_write_graphml, NULL},
    {"influence.dot", is_network, trib_graph_write_dot, NULL},
    {"map.csv", has_flows, NULL, &trib_table_map},
    {"flows.csv", has_flows, NULL, &trib_table_flows},
    {"phrasing.tsv", wants_phrasing, NULL, &trib_table_phrasing},
    {"results.sqlite", wants_sqlite, trib_database_write, NULL},
};

trib_status trib_result_file_write(trib_run_directory *directory, const trib_result_file *row,
                                   const trib_run_results *results, trib_error *error) {
    const table_file table = {row->table, results};
    if (!row->is_wanted(results) ||
        (row->table && row->table->is_there && !row->table->is_there(results)))
        return TRIB_OK;
    return row->table ? trib_directory_write(directory, row->name, write_table, &table, error)
                      : trib_directory_write(directory, row->name, row->write, results, error);
}
