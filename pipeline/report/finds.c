/* finds.c - all passages of all pairs in one list, the rarest first. The rarity of a passage is a
 * sum over its words, so a long passage of rare words comes before a short one. The page holds the
 * beginning of the list. The script gets the whole list as JSON, and sorts and filters it. The JSON
 * is inside a single page, or in files of its own, which the page loads when they are needed. A
 * script element loads such a file also from a disk, where a browser refuses other requests. */
#include "pipeline/config/documents.h"
#include "pipeline/report/report.h"

/* Of targets with pages of their own, only the LISTED finds that the first page has are kept
 * whole. */
enum {
    LISTED = 100,
    WRITTEN = 30,
    LISTED_WORDS = 60,
    PRINTED = 10,
    ID_MAX = 320 /* bytes of an id with its end */
};

/* ---- The list -------------------------------------------------------------------------------- */

/* Orders by descending rarity, then length; ties are in the order of the result. A rarity that is
 * not known counts as 0. */
static int compare_finds(const void *a, const void *b) {
    const trib_find *x = a, *y = b;
    const double left = isnan(x->rarity) ? 0 : x->rarity, right = isnan(y->rarity) ? 0 : y->rarity;
    if (left != right) return left < right ? 1 : -1;
    if (x->shared != y->shared) return x->shared < y->shared ? 1 : -1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* The largest number of finds that the report has. */
static size_t most_finds(const trib_report *report) {
    if (trib_report_has_accepted(report)) return SIZE_MAX;
    return report->is_many ? (size_t)TRIB_FINDS_MOST * TRIB_FINDS_FILES : TRIB_FINDS_MOST;
}

static void sort_finds(trib_report *report) {
    if (report->n_finds > 1)
        qsort(report->find, report->n_finds, sizeof *report->find, compare_finds);
    const size_t most = most_finds(report);
    if (report->n_finds > most) report->n_finds = most;
}

/* The weakest finds are left out from time to time. */
trib_status trib_report_finds_add(trib_report *report, size_t target,
                                  const trib_target_record *record, trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t e = 0; e < record->evidence.n; e++) {
        const trib_evidence_record *const source = &record->evidence.item[e];
        const size_t place = trib_report_place(report, source->source);
        for (size_t p = 0; p < source->passages.n && status == TRIB_OK; p++) {
            const trib_passage_record *const passage = &source->passages.item[p];
            if (trib_passage_words(passage) == 0 || place == report->result->documents.n) continue;
            if (report->n_finds / 2 == most_finds(report)) sort_finds(report);
            status = TRIB_GROW(&report->find, &report->finds_cap, report->n_finds + 1, "the finds",
                               error);
            if (status != TRIB_OK) break;
            report->find[report->n_finds++] =
                (trib_find){.passage = report->has_details ? passage : NULL,
                            .json = passage->json,
                            .length = passage->length,
                            .target = &report->targets[target],
                            .source = place,
                            .number = report->n_all_finds++,
                            .rarity = passage->rarity,
                            .shared = trib_passage_words(passage)};
        }
    }
    return status;
}

trib_status trib_report_finds_finish(trib_report *report, trib_error *error) {
    sort_finds(report);
    for (size_t f = 0; f < report->n_finds && (f < LISTED || trib_report_has_accepted(report));
         f++) {
        trib_find *const find = &report->find[f];
        if (!find->passage)
            find->passage =
                trib_passage_read(report->result, find->json, find->length, f, &report->own);
    }
    return trib_arena_check(&report->own, error);
}

/* The id of a find, unique in the report and the same in every report of a run. It is made of
 * letters that need no escape in a link. Returns id. */
static const char *id_of(const trib_find *find, char id[ID_MAX]) {
    const char *given = find->passage->id;
    if (*given) {
        snprintf(id, ID_MAX, "%s", given);
        for (char *c = id; *c; c++) /* an id in HTML has no spaces */
            if (*c == ' ') *c = '-';
    } else
        snprintf(id, ID_MAX, "%s-%" PRIu64 "-%zu-%" PRIu64, find->target->id,
                 find->passage->target->first, find->source, find->passage->source->first);
    return id;
}

/* ---- The list as JSON ------------------------------------------------------------------------ */

/* Returns the index of a shared piece of `pieces` with this text; 0 when there is none. */
static size_t find_piece(const trib_texts *pieces, const char *text) {
    for (size_t i = 1; i < pieces->n; i += 2)
        if (strcmp(pieces->item[i], text) == 0) return i;
    return 0;
}

/* Writes the pieces of one side. `other`: the pieces of the other side, which is already written;
 * NULL: none is. */
static void write_row_pieces(trib_writer *writer, const trib_place_record *side,
                             const trib_texts *other) {
    trib_write_text(writer, ",[");
    for (size_t i = 0; i < side->text.n; i++) {
        const char *text = side->text.item[i];
        const size_t same = other && i % 2 == 1 ? find_piece(other, text) : 0;
        if (i > 0) trib_write_text(writer, ",");
        if (same > 0) trib_print(writer, "%zu", same);
        else trib_write_script_text(writer, text);
    }
    if (side->cut) trib_write_text(writer, ",true");
    trib_write_text(writer, "]");
}

static void write_row(const trib_report *report, const trib_find *find, trib_writer *writer,
                      trib_arena *arena) {
    const trib_place_record *const side[] = {find->passage->target, find->passage->source};
    const double mass = find->passage->mass;
    char id[ID_MAX], text[TRIB_FIXED_MAX];
    trib_write_text(writer, "[");
    trib_write_script_text(writer, id_of(find, id));
    trib_print(writer, ",%zu,%zu,%" PRIu64, trib_report_place(report, find->target->id),
               find->source, find->shared);
    trib_print(writer, ",%s", isnan(find->rarity) ? "null" : trib_fixed(text, find->rarity, 2));
    trib_print(writer, ",%s", trib_fixed(text, isnan(mass) ? 0 : 100 * mass, 3));
    for (size_t s = 0; s < 2; s++)
        trib_print(writer, ",%" PRIu64 ",%" PRIu64, side[s]->first, side[s]->words);
    write_row_pieces(writer, side[0], NULL);
    write_row_pieces(writer, side[1], &side[0]->text);
    const trib_family_record *const family = find->passage->family;
    for (size_t s = 0; s < 2 && (family || side[0]->reference || side[1]->reference); s++) {
        trib_write_text(writer, ",");
        trib_write_script_text(writer, trib_report_text(side[s]->reference));
    }
    if (family) {
        trib_print(writer, ",%" PRIu64 ",", family->number);
        trib_write_script_text(
            writer, trib_family_shown(report->result, arena, find->passage,
                                      report->result->documents.item[find->source].id, false));
    }
    trib_write_text(writer, "]");
}

const trib_passage_record *trib_report_passage(const trib_report *report, size_t f,
                                               trib_arena *arena) {
    const trib_find *const find = &report->find[f];
    return find->passage ? find->passage
                         : trib_passage_read(report->result, find->json, find->length, f, arena);
}

size_t trib_report_n_finds_files(const trib_report *report) {
    if (!report->is_many || report->n_finds == 0) return 1;
    return (report->n_finds + TRIB_FINDS_MOST - 1) / TRIB_FINDS_MOST;
}

/* Writes a date; one that is not in the form of ISO 8601 as [first year, last year, the year that
 * it is counted under], where an open end is null. */
static void write_date(trib_writer *writer, const char *date) {
    double first, last, year, year_end;
    if (!*date || trib_date_is_iso(date) || !trib_date_years(date, &first, &last) ||
        !trib_date_read(date, &year, &year_end)) {
        trib_write_script_text(writer, date);
        return;
    }
    if (isinf(first)) trib_write_text(writer, "[null");
    else trib_print(writer, "[%.0f", first);
    if (isinf(last)) trib_write_text(writer, ",null");
    else trib_print(writer, ",%.0f", last);
    trib_print(writer, ",%.0f]", floor(trib_date_point(year, year_end)));
}

static void write_texts(const trib_report *report, trib_writer *writer) {
    trib_write_text(writer, "\"texts\":[");
    for (size_t d = 0; d < report->result->documents.n; d++) {
        const trib_document_record *const document = &report->result->documents.item[d];
        const char *const texts[] = {document->id, document->title, document->author};
        trib_write_text(writer, d > 0 ? ",\n[" : "\n[");
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
            trib_write_script_text(writer, texts[i]);
            trib_write_text(writer, ",");
        }
        write_date(writer, trib_report_text(document->date));
        trib_write_text(writer, trib_report_has_reading(report, document->id) ? ",1" : ",0");
        const char *language = trib_report_language(report, document);
        const char *const more[] = {language, document->columns};
        for (size_t i = 0; i < 2 && (document->columns || (*language && i == 0)); i++) {
            trib_write_text(writer, ",");
            trib_write_script_text(writer, more[i]);
        }
        trib_write_text(writer, "]");
    }
    trib_write_text(writer, "],");
}

/* The first file is {"texts": [[id, title, author, date, is a target, language, columns], ...],
 * "finds": [[id, target, source, shared, rarity, percent, target first, target words, source first,
 * source words, target text, source text, target reference, source reference, family, what is said
 * of it], ...]}. Target and source are indexes in "texts", `percent` is the part of the target. A
 * text is a list of pieces, as in influence.json; a piece of the source that is equal to a piece of
 * the target is written as the index of that piece. A text that was shortened has a last element
 * true. Where the file has not all finds, "all" is the number of all; where others have more,
 * "files" is the number of files. The others have "finds" only. The JSON contains no character that
 * could end a script element. */
void trib_report_finds_data(const trib_report *report, size_t file, trib_writer *writer) {
    const size_t first = file * TRIB_FINDS_MOST, n_files = trib_report_n_finds_files(report);
    const size_t end = file + 1 < n_files ? first + TRIB_FINDS_MOST : report->n_finds;
    trib_write_text(writer, "{");
    if (file == 0 && end < report->n_all_finds)
        trib_print(writer, "\"all\":%zu,", report->n_all_finds);
    if (file == 0 && n_files > 1) trib_print(writer, "\"files\":%zu,", n_files);
    if (file == 0) write_texts(report, writer);
    trib_write_text(writer, "\"finds\":[");
    for (size_t f = first; f < end; f++) {
        trib_find find = report->find[f];
        trib_arena arena = {0};
        trib_write_text(writer, f > first ? ",\n" : "\n");
        find.passage = trib_report_passage(report, f, &arena);
        write_row(report, &find, writer, &arena);
        if (writer->failure.status == TRIB_OK) (void)trib_arena_check(&arena, &writer->failure);
        trib_arena_release(&arena);
    }
    trib_write_text(writer, "]}");
}

/* Returns the byte after the first `most` words of `text`, and lowers *most by their number. */
static size_t length_of_words(const char *text, size_t *most) {
    size_t n = 0;
    while (text[n] != '\0') {
        n += strspn(text + n, " ");
        if (text[n] == '\0' || *most == 0) break;
        n += strcspn(text + n, " ");
        --*most;
    }
    return n;
}

/* Writes up to LISTED_WORDS words of the passage from its first shared word on. */
static void write_words(trib_html *html, const trib_place_record *side) {
    size_t most = LISTED_WORDS;
    trib_buffer part = {0};
    bool is_whole = !side->cut;
    const size_t n = side->text.n, after = n % 2 == 1 && n > 1 ? n - 1 : n;
    for (size_t i = 1; i < after; i++) {
        const char *text = side->text.item[i];
        const size_t length = length_of_words(text, &most);
        trib_buffer_clear(&part);
        if (trib_buffer_add(&part, text, length, &html->writer->failure) != TRIB_OK) break;
        if (i % 2 == 1) trib_html_begin(html, "mark");
        trib_html_prose(html, part.text ? part.text : "");
        if (i % 2 == 1) trib_html_end(html);
        if (text[length] != '\0' || (most == 0 && i + 1 < after)) {
            is_whole = false;
            break;
        }
    }
    const bool has_space = part.length > 0 && part.text[part.length - 1] == ' ';
    if (!is_whole) trib_html_print(html, "%s\xE2\x80\xA6", has_space ? "" : " ");
    trib_buffer_release(&part);
}

/* Whether one of the finds before this one, of the same target, is of its family. */
static bool is_repeated(const trib_report *report, size_t f) {
    const trib_find *const find = report->find;
    for (size_t k = 0; find[f].passage->family && k < f; k++)
        if (find[k].target == find[f].target && find[k].passage->family &&
            find[k].passage->family->number == find[f].passage->family->number)
            return true;
    return false;
}

/* ---- The beginning of the list --------------------------------------------------------------- */

/* Writes a text with its reference and "words 12 to 34", as a link to these words on the reading
 * page of the text `id` when there is one. */
static void write_place(trib_report *report, const char *id, const trib_place_record *side) {
    const double at = (double)side->first;
    char first[TRIB_FIXED_MAX], last[TRIB_FIXED_MAX], text[2 * TRIB_FIXED_MAX + 16];
    trib_html *html = &report->html;
    trib_html_text(html, trib_place_gap(side->reference));
    if (*trib_report_text(side->reference)) trib_html_foreign(html, side->reference);
    trib_html_text(html, ", ");
    snprintf(text, sizeof text, "words %s to %s", trib_grouped(first, at),
             trib_grouped(last, (double)(side->first + side->words - 1)));
    trib_report_read_link(report, id, at, text);
}

static void write_find(trib_report *report, const trib_find *find) {
    const trib_place_record *side = find->passage->target, *there = find->passage->source;
    const trib_document_record *source = &report->result->documents.item[find->source];
    trib_html *html = &report->html;
    char id[ID_MAX];
    trib_report_say(html, "<li id='find-{s}'><p class='measures'><b>{n} words</b>", id_of(find, id),
                    (double)find->shared);
    if (!isnan(find->rarity))
        trib_report_say(html, " \xC2\xB7 rarity {f0} ({f1} a word)", find->rarity,
                        find->rarity / (double)find->shared);
    trib_report_say(html, " \xC2\xB7 {p2} of the target", find->passage->mass);
    const char *const family =
        trib_family_shown(report->result, report->arena, find->passage, source->id, false);
    if (*family) trib_report_say(html, " \xC2\xB7 {t}", family);
    trib_report_say(html, "</p><p class='places'>");
    trib_report_target_link(report, find->target);
    write_place(report, find->target->id, side);
    trib_report_say(html, " \xE2\x86\x90 {t}", trib_report_title(report, source->id));
    write_place(report, source->id, there);
    trib_report_say(html, " <a href='#find-{s}'>Link</a></p>", id);
    if (side->text.n > 0) {
        trib_report_set_language(report, html, find->target->id);
        trib_report_say(html, "<blockquote dir='auto' lang>");
        write_words(html, side);
        trib_html_end(html);
    }
    trib_html_end(html);
}

bool trib_report_has_finds(const trib_report *report) { return report->n_finds > 0; }

void trib_report_finds(trib_report *report) {
    const size_t n_read = report->n_finds < LISTED ? report->n_finds : LISTED;
    size_t n = 0;
    trib_html *html = &report->html;
    trib_report_say(html, "<p class='intro'>The strongest passages of every two texts");
    if (trib_report_has_format(report, "csv")) {
        trib_html_text(html, " (");
        trib_report_numbers_in(report, "passages.tsv");
        trib_html_text(html, " has all)");
    }
    trib_report_say(
        html, ", the rarest first: the rarity of a passage is the sum of the rarities of its "
              "words, so it grows with the length. What several sources hold stands here once, "
              "with the others beside it. The target stands before the arrow, the "
              "source after it. The words that both texts hold are underlined.</p>");
    trib_report_say(html, "<div id='finds-list'>");
    if (report->is_many) {
        trib_html_attribute(html, "data-from", "%s/finds.js", report->folder);
        if (!report->is_on_demand) trib_html_attribute(html, "data-pages", "%s/", report->folder);
    }
    if (report->run_directory) {
        trib_html_attribute(html, "data-read", "%sread/", report->data);
        trib_html_attribute(html, "data-words", "%sdata/words.js", report->data);
    }
    if (report->is_site) trib_html_attribute(html, "data-passages", "passage/");
    trib_html_open(html, "ol", "finds");
    for (size_t f = 0; f < n_read && n < WRITTEN; f++) {
        if (is_repeated(report, f)) continue;
        write_find(report, &report->find[f]);
        n++;
    }
    trib_html_end(html);
    if (n > PRINTED) /* as in report.css */
        trib_report_say(html, "<p class='note printed'>In print, the first {z} finds.</p>",
                        (size_t)PRINTED);
    if (n < report->n_all_finds) {
        trib_report_say(html,
                        "<p class='shown'>{n} of {n} finds shown, the strongest first. All are in ",
                        (double)n, (double)report->n_all_finds);
        trib_html_link(html, "passages.tsv", "%spassages.tsv", report->data);
        trib_report_say(html, ".</p>");
    }
    trib_html_end(html);
    if (!report->is_many) {
        trib_report_say(html, "<script type='application/json' id='finds-data'>");
        trib_html_raw(html, "");
        trib_report_finds_data(report, 0, html->writer);
        trib_html_end(html);
    }
}
