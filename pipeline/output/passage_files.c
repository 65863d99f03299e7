/* passage_files.c - passages.tei.xml and alignments.jsonl: the rows of passages.tsv in the forms of
 * other programs. Both are written by what receives the cells of the table, row by row. */
#include "pipeline/output/result_files.h"

#include "pipeline/config/config.h"
#include "pipeline/support/html.h"
#include "pipeline/support/json.h"

/* What receives the rows of passages.tsv, and the row that it writes. */
typedef struct collected {
    trib_rows rows; /* the first member, so that a pointer to it is one to the whole */
    const trib_run_results *results;
    trib_writer *writer;
    trib_html xml; /* of passages.tei.xml */
    const trib_cell *cell;
    size_t n_rows; /* before this one */
    void (*write)(struct collected *row);
    trib_status status;
    trib_error *error;
} collected;

static void put_row(trib_rows *rows, const trib_cell *cell, size_t n) {
    collected *row = (collected *)rows;
    (void)n;
    row->cell = cell;
    if (row->status == TRIB_OK) row->write(row);
    row->n_rows++;
}

/* The number of a column; the name is one of trib_table_passages. */
static size_t column(const char *name) {
    const char *list = trib_table_passages.columns;
    trib_column one;
    size_t c = 0;
    while (trib_column_next(&list, &one) && strcmp(one.name, name) != 0) c++;
    return c;
}

/* "" for an empty cell. */
static const char *text_of(const collected *row, const char *name) {
    const trib_cell *const cell = &row->cell[column(name)];
    return cell->is_empty ? "" : cell->text;
}

static unsigned long long count_of(const collected *row, const char *name) {
    return (unsigned long long)row->cell[column(name)].count;
}

static bool is_translated(const collected *row) { return row->cell[column("translated")].flag; }

static int compare_id(const void *id, const void *document) {
    return strcmp(id, ((const trib_document *)document)->about->id);
}

/* The number of the document on one side of the passage. */
static uint32_t document_of(const collected *row, const char *side) {
    const trib_corpus *corpus = row->results->corpus;
    const trib_document *found = bsearch(text_of(row, side), corpus->document, corpus->n_documents,
                                         sizeof *corpus->document, compare_id);
    return found ? (uint32_t)(found - corpus->document) : 0; /* the table has ids of documents */
}

static trib_status write_rows(collected *row, trib_error *error) {
    const trib_status status = trib_table_passages.write(row->results, &row->rows, error);
    return status == TRIB_OK ? row->status : status;
}

/* ---- passages.tei.xml ------------------------------------------------------------------------ */

/* Appends the address of a file. Bytes that the path of a URI cannot hold become %NN. */
static void add_address(collected *row, trib_buffer *to, const char *file) {
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    for (; *file && row->status == TRIB_OK; file++)
        row->status = strchr(plain, *file)
                          ? trib_buffer_add(to, file, 1, row->error)
                          : trib_buffer_print(to, row->error, "%%%02X", (unsigned char)*file);
}

/* Appends where one side of the passage stands: a file and a range of its characters (RFC 5147). */
static void add_pointer(collected *row, trib_buffer *to, const char *side) {
    char from[40], end[40];
    snprintf(from, sizeof from, "%s_from_character", side);
    snprintf(end, sizeof end, "%s_to_character", side);
    add_address(row, to, row->results->corpus->document[document_of(row, side)].about->file);
    if (row->status == TRIB_OK)
        row->status = trib_buffer_print(to, row->error, "#char=%llu,%llu", count_of(row, from),
                                        count_of(row, end));
}

static void write_note(collected *row, const char *type, const char *side, const char *name) {
    const char *text = text_of(row, name);
    if (!*text) return;
    trib_html_begin(&row->xml, "note");
    trib_html_attribute(&row->xml, "type", "%s", type);
    trib_html_attribute(&row->xml, "corresp", "#d%u", (unsigned)document_of(row, side) + 1);
    trib_html_text(&row->xml, text);
    trib_html_end(&row->xml);
}

static void write_annotation(collected *row) {
    trib_html *xml = &row->xml;
    TRIB_OWNED(trib_buffer) pointers = {0};
    add_pointer(row, &pointers, "target");
    if (row->status == TRIB_OK) row->status = trib_buffer_add(&pointers, " ", 1, row->error);
    add_pointer(row, &pointers, "source");
    if (row->status == TRIB_OK) {
        trib_html_begin(xml, "annotation");
        trib_html_attribute(xml, "xml:id", "p%zu", row->n_rows + 1);
        trib_html_attribute(xml, "n", "%s", text_of(row, "id"));
        trib_html_attribute(xml, "motivation", "linking");
        trib_html_attribute(xml, "target", "%s", pointers.text);
        if (is_translated(row)) trib_html_element(xml, "note", NULL, "translation");
        write_note(row, "reference", "target", "target_reference");
        write_note(row, "text", "target", "target_text");
        write_note(row, "reference", "source", "source_reference");
        write_note(row, "text", "source", "source_text");
        trib_html_end(xml);
    }
}

/* Writes the texts of the corpus, to which notes refer. */
static void write_texts(collected *row) {
    const trib_corpus *corpus = row->results->corpus;
    trib_html *xml = &row->xml;
    trib_html_begin(xml, "listBibl");
    for (uint32_t d = 0; d < corpus->n_documents && row->status == TRIB_OK; d++) {
        const trib_corpus_document *about = corpus->document[d].about;
        TRIB_OWNED(trib_buffer) address = {0};
        trib_html_begin(xml, "bibl");
        trib_html_attribute(xml, "xml:id", "d%u", (unsigned)d + 1);
        trib_html_attribute(xml, "n", "%s", about->id);
        trib_html_element(xml, "title", NULL, "%s", about->title);
        if (about->author && *about->author)
            trib_html_element(xml, "author", NULL, "%s", about->author);
        if (about->date && *about->date) trib_html_element(xml, "date", NULL, "%s", about->date);
        add_address(row, &address, about->file);
        trib_html_begin(xml, "ptr");
        trib_html_attribute(xml, "target", "%s", address.text ? address.text : "");
        trib_html_end(xml);
        trib_html_end(xml);
    }
    trib_html_end(xml);
}

static void write_header(collected *row) {
    trib_html *xml = &row->xml;
    trib_html_begin(xml, "teiHeader");
    trib_html_begin(xml, "fileDesc");
    trib_html_begin(xml, "titleStmt");
    trib_html_element(xml, "title", NULL, "Shared passages: %s", row->results->config->name);
    trib_html_end(xml);
    trib_html_begin(xml, "publicationStmt");
    trib_html_element(xml, "p", NULL, "Written by tributary %s; run %s.", TRIB_VERSION,
                      row->results->corpus->hash);
    trib_html_end(xml);
    trib_html_begin(xml, "sourceDesc");
    write_texts(row);
    trib_html_end(xml);
    trib_html_end(xml);
    trib_html_end(xml);
}

trib_status trib_passages_write_tei(const void *what, trib_writer *writer, trib_error *error) {
    collected row = {.rows = {.put = put_row},
                     .results = what,
                     .writer = writer,
                     .write = write_annotation,
                     .error = error};
    trib_html_init(&row.xml, writer);
    trib_write_text(writer, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    trib_html_begin(&row.xml, "TEI");
    trib_html_attribute(&row.xml, "xmlns", "http://www.tei-c.org/ns/1.0");
    write_header(&row);
    trib_html_begin(&row.xml, "standOff");
    trib_html_begin(&row.xml, "listAnnotation");
    const trib_status status = write_rows(&row, error);
    trib_html_end(&row.xml);
    trib_html_end(&row.xml);
    trib_html_end(&row.xml);
    trib_write_text(writer, "\n");
    trib_html_release(&row.xml);
    return status;
}

/* ---- alignments.jsonl ------------------------------------------------------------------------ */

static void set_text(json_t *object, const char *side, const char *name, const char *text) {
    char key[40];
    snprintf(key, sizeof key, "%s_%s", side, name);
    json_object_set_new(object, key, trib_json_text(text ? text : ""));
}

static void set_count(json_t *object, const collected *row, const char *side, const char *name,
                      const char *of) {
    char key[40], from[40];
    snprintf(key, sizeof key, "%s_%s", side, name);
    snprintf(from, sizeof from, "%s_%s", side, of);
    trib_json_set_count(object, key, count_of(row, from));
}

static void set_side(json_t *object, const collected *row, const char *side) {
    const trib_corpus_document *about =
        row->results->corpus->document[document_of(row, side)].about;
    char text[40];
    snprintf(text, sizeof text, "%s_text", side);
    set_text(object, side, "doc_id", about->id);
    set_text(object, side, "filename", about->file);
    set_text(object, side, "title", about->title);
    set_text(object, side, "author", about->author);
    set_text(object, side, "date", about->date);
    set_count(object, row, side, "start_byte", "from");
    set_count(object, row, side, "end_byte", "to");
    set_count(object, row, side, "passage_length", "words");
    set_text(object, side, "passage", text_of(row, text));
}

static void write_alignment(collected *row) {
    json_auto_t *object = json_object();
    set_text(object, "passage", "id", text_of(row, "id"));
    if (is_translated(row)) json_object_set_new(object, "translated", json_true());
    set_side(object, row, "source");
    set_side(object, row, "target");
    row->status = trib_json_check("alignments.jsonl", row->error);
    if (row->status == TRIB_OK)
        row->status = trib_json_dump_lines(object, 0, row->writer, row->error);
}

trib_status trib_passages_write_alignments(const void *what, trib_writer *writer,
                                           trib_error *error) {
    collected row = {.rows = {.put = put_row},
                     .results = what,
                     .writer = writer,
                     .write = write_alignment,
                     .error = error};
    trib_json_begin();
    return write_rows(&row, error);
}
