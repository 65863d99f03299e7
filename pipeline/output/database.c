/* database.c - writes results.sqlite. The database is made in memory and then written as a whole,
 * because its file must be named, checksummed and synced like all files of a run directory. */
#include "pipeline/output/result_files.h"

#include <sqlite3.h>

#include "pipeline/config/config.h"

/* ---- Statements ------------------------------------------------------------------------------ */

static trib_status fail(sqlite3 *db, trib_error *error) {
    const bool is_memory = !db || sqlite3_errcode(db) == SQLITE_NOMEM;
    return trib_fail(error, is_memory ? TRIB_MEMORY : TRIB_INTERNAL, "results.sqlite: %s",
                     db ? sqlite3_errmsg(db) : "out of memory");
}

static trib_status execute(sqlite3 *db, const char *sql, trib_error *error) {
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK ? TRIB_OK : fail(db, error);
}

/* ---- Tables ---------------------------------------------------------------------------------- */

/* The tables of the database. `key` is the definition of the first column, if it is the key. */
static const struct database_table {
    const char *name;
    const trib_result_table *table;
    const char *key, *index;
} tables[] = {
    {"documents", &trib_table_documents, "id TEXT PRIMARY KEY NOT NULL", NULL},
    {"shares", &trib_table_influence, NULL,
     "CREATE UNIQUE INDEX shares_of_target ON shares (target, method, source);"
     "CREATE INDEX shares_of_source ON shares (source, method);"},
    {"source_groups", &trib_table_groups, NULL,
     "CREATE UNIQUE INDEX groups_of_target ON source_groups (target, method, group_id);"},
    {"phrases", &trib_table_phrases, NULL,
     "CREATE INDEX phrases_of_target ON phrases (target, source);"
     "CREATE INDEX phrases_of_source ON phrases (source);"
     "CREATE INDEX phrases_by_words ON phrases (phrase);"},
    {"ranking", &trib_table_ranking, NULL,
     "CREATE UNIQUE INDEX ranking_of_target ON ranking (target, rank);"},
    {"passages", &trib_table_passages, "id TEXT PRIMARY KEY NOT NULL",
     "CREATE INDEX passages_of_target ON passages (target, source);"
     "CREATE INDEX passages_of_source ON passages (source);"
     "CREATE INDEX passages_by_length ON passages (shared);"},
    {"families", &trib_table_families, NULL,
     "CREATE UNIQUE INDEX families_of_target ON families (target, family);"},
    {"distances", &trib_table_distances, NULL,
     "CREATE UNIQUE INDEX distances_of_target ON distances (target, source);"},
    {"phrasing", &trib_table_phrasing, NULL,
     "CREATE INDEX phrasing_of_family ON phrasing (family, kind);"},
};
enum { N_TABLES = sizeof tables / sizeof *tables };

/* For people who open the file: the tables with titles and years beside the ids. */
static const char views[] =
    "CREATE VIEW findings AS SELECT s.target, t.title AS target_title, t.year AS target_year, "
    "s.source, d.title AS source_title, d.year AS source_year, t.year - d.year AS years, s.share, "
    "s.low, s.high, s.group_id FROM shares s JOIN run r ON s.method = r.headline JOIN documents t "
    "ON t.id = s.target JOIN documents d ON d.id = s.source WHERE NOT s.below_floor AND NOT "
    "d.is_decoy ORDER BY s.target, s.share DESC;"
    "CREATE VIEW passages_found AS SELECT p.*, t.title AS target_title, t.year AS target_year, "
    "d.title AS source_title, d.year AS source_year, t.year - d.year AS years FROM passages p JOIN "
    "documents t ON t.id = p.target JOIN documents d ON d.id = p.source ORDER BY p.shared DESC, "
    "p.id;";

static trib_status create_table(sqlite3 *db, const struct database_table *row, trib_error *error) {
    static const char *const type[] = {[TRIB_CELL_TEXT] = "TEXT",
                                       [TRIB_CELL_COUNT] = "INTEGER",
                                       [TRIB_CELL_NUMBER] = "REAL",
                                       [TRIB_CELL_FLAG] = "INTEGER"};
    const char *at = row->table->columns, *between = "";
    TRIB_OWNED(trib_buffer) sql = {0};
    trib_column c;
    trib_buffer_print(&sql, error, "CREATE TABLE %s (", row->name);
    for (; trib_column_next(&at, &c); between = ", ")
        if (row->key && !*between) trib_buffer_print(&sql, error, "%s", row->key);
        else /* `group` is a word of SQL */
            trib_buffer_print(&sql, error, "%s%s %s", between,
                              strcmp(c.name, "group") == 0 ? "group_id" : c.name, type[c.type]);
    trib_status status = trib_buffer_print(&sql, error, ")");
    return status == TRIB_OK ? execute(db, sql.text, error) : status;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

typedef struct database_rows {
    trib_rows rows; /* the first member, so that a pointer to it is one to the whole */
    sqlite3_stmt *insert;
    bool has_failed;
} database_rows;

/* A parameter that is not bound is NULL. */
static int bind(sqlite3_stmt *insert, int at, const trib_cell *cell) {
    switch (cell->is_empty ? -1 : (int)cell->type) {
    case TRIB_CELL_TEXT:
        return sqlite3_bind_text(insert, at, cell->text, -1, SQLITE_TRANSIENT);
    case TRIB_CELL_COUNT:
        return sqlite3_bind_int64(insert, at, cell->count);
    case TRIB_CELL_NUMBER:
        return sqlite3_bind_double(insert, at, cell->number);
    case TRIB_CELL_FLAG:
        return sqlite3_bind_int(insert, at, cell->flag);
    default:
        return SQLITE_OK;
    }
}

static void insert_row(trib_rows *rows, const trib_cell *cell, size_t n) {
    database_rows *to = (database_rows *)rows;
    for (size_t i = 0; i < n && !to->has_failed; i++)
        to->has_failed = bind(to->insert, (int)i + 1, &cell[i]) != SQLITE_OK;
    to->has_failed = to->has_failed || sqlite3_step(to->insert) != SQLITE_DONE;
    if (to->has_failed) return; /* a reset would forget what failed */
    (void)sqlite3_reset(to->insert);
    (void)sqlite3_clear_bindings(to->insert);
}

static trib_status fill_table(sqlite3 *db, const struct database_table *row,
                              const trib_run_results *results, trib_error *error) {
    database_rows to = {.rows = {.put = insert_row}};
    const char *at = row->table->columns, *between = "";
    TRIB_OWNED(trib_buffer) sql = {0};
    trib_column c;
    trib_buffer_print(&sql, error, "INSERT INTO %s VALUES (", row->name);
    for (; trib_column_next(&at, &c); between = ", ")
        trib_buffer_print(&sql, error, "%s?", between);
    trib_status status = trib_buffer_print(&sql, error, ")");
    if (status == TRIB_OK && sqlite3_prepare_v2(db, sql.text, -1, &to.insert, NULL) != SQLITE_OK)
        status = fail(db, error);
    if (status == TRIB_OK) status = row->table->write(results, &to.rows, error);
    if (status == TRIB_OK && to.has_failed) status = fail(db, error);
    (void)sqlite3_finalize(to.insert);
    return status;
}

/* A table that this run does not have is there without rows, so that a query works for every
 * run. */
static trib_status add_table(sqlite3 *db, const struct database_table *row,
                             const trib_run_results *results, trib_error *error) {
    trib_status status = create_table(db, row, error);
    if (status == TRIB_OK && (!row->table->is_there || row->table->is_there(results)))
        status = fill_table(db, row, results, error);
    return status == TRIB_OK && row->index ? execute(db, row->index, error) : status;
}

/* ---- The database ---------------------------------------------------------------------------- */

/* Writes the only row of the table `run`. The views need the headline method. */
static trib_status add_run(sqlite3 *db, const trib_run_results *results, trib_error *error) {
    static const char create[] =
        "CREATE TABLE run (version TEXT, name TEXT, hash TEXT, headline TEXT)";
    const trib_config *config = results->config;
    const char *text[] = {TRIB_VERSION, config->name, results->corpus->hash,
                          config->influence.headline->name};
    sqlite3_stmt *insert = NULL;
    trib_status status = execute(db, create, error);
    if (status != TRIB_OK) return status;
    int result = sqlite3_prepare_v2(db, "INSERT INTO run VALUES (?, ?, ?, ?)", -1, &insert, NULL);
    for (int i = 0; i < 4 && result == SQLITE_OK; i++)
        result = sqlite3_bind_text(insert, i + 1, text[i], -1, SQLITE_STATIC);
    if (result == SQLITE_OK) result = sqlite3_step(insert);
    if (result != SQLITE_DONE) status = fail(db, error);
    (void)sqlite3_finalize(insert);
    return status;
}

static trib_status fill(sqlite3 *db, const trib_run_results *results, trib_error *error) {
    /* user_version is the version of this layout */
    trib_status status = execute(
        db, "PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA user_version = 2; BEGIN;",
        error);
    if (status == TRIB_OK) status = add_run(db, results, error);
    for (size_t i = 0; i < N_TABLES && status == TRIB_OK; i++)
        status = add_table(db, &tables[i], results, error);
    if (status == TRIB_OK) status = execute(db, views, error);
    return status == TRIB_OK ? execute(db, "COMMIT", error) : status;
}

/* The name of the database has no slash, so that it belongs to this connection alone. memdb holds a
 * database in one piece of memory, which is the file. */
trib_status trib_database_write(const void *what, trib_writer *writer, trib_error *error) {
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI;
    sqlite3_int64 most = INT64_MAX / 2, size = 0;
    sqlite3 *db = NULL;
    trib_status status = TRIB_OK;
    if (sqlite3_open_v2("file:results?vfs=memdb", &db, flags, NULL) != SQLITE_OK)
        status = fail(db, error);
    if (status == TRIB_OK) (void)sqlite3_file_control(db, "main", SQLITE_FCNTL_SIZE_LIMIT, &most);
    if (status == TRIB_OK) status = fill(db, what, error);
    if (status == TRIB_OK) {
        const unsigned char *bytes = sqlite3_serialize(db, "main", &size, SQLITE_SERIALIZE_NOCOPY);
        if (bytes) trib_write(writer, bytes, (size_t)size);
        else status = fail(db, error);
    }
    (void)sqlite3_close(db);
    return status;
}
