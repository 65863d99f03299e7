/* passage_page.c - the pages of single passages on a published site: the passage in both texts,
 * with links to both and what to cite. The address is made of both ids and of the words, so that it
 * stays what it is as long as the texts do. The pages have no script and share one style sheet. */
#include "pipeline/report/report.h"

static trib_status name_passage(const trib_report *report, size_t f, const trib_passage_record *one,
                                trib_buffer *name, trib_error *error) {
    const trib_find *const find = &report->find[f];
    const trib_place_record *const here = one->target, *const there = one->source;
    return trib_buffer_print(
        name, error, "%s.%s.%" PRIu64 ".%" PRIu64 ".%" PRIu64 ".%" PRIu64 ".html", find->target->id,
        report->result->documents.item[find->source].id, here->first, here->first + here->words - 1,
        there->first, there->first + there->words - 1);
}

size_t trib_report_n_passage_pages(const trib_report *report) {
    return report->is_site ? report->n_finds + 2 : 0;
}

trib_status trib_report_passage_name(const trib_report *report, size_t page, trib_buffer *name,
                                     trib_error *error) {
    trib_arena arena = {0};
    trib_buffer_clear(name);
    trib_status status = trib_buffer_print(name, error, "passage/");
    if (status == TRIB_OK && page >= report->n_finds)
        status =
            trib_buffer_print(name, error, page == report->n_finds ? "report.css" : "index.html");
    else if (status == TRIB_OK) {
        const trib_passage_record *const one = trib_report_passage(report, page, &arena);
        status = trib_arena_check(&arena, error);
        if (status == TRIB_OK) status = name_passage(report, page, one, name, error);
    }
    trib_arena_release(&arena);
    return status;
}

static void open_page(trib_html *html, const trib_report *report, const char *title) {
    trib_write_text(html->writer, "<!DOCTYPE html>");
    trib_report_say(html, "<html lang='en'><head><meta charset='utf-8'/>"
                          "<meta http-equiv='Content-Security-Policy'>");
    trib_html_attribute(html, "content", "default-src 'none'; style-src 'self' file:");
    trib_html_end(html);
    trib_report_say(html,
                    "<title>{s} \xC2\xB7 {s}</title>"
                    "<meta name='viewport' content='width=device-width, initial-scale=1'/>"
                    "<meta name='color-scheme' content='light dark'/>"
                    "<link rel='stylesheet' href='report.css'/></head><body>"
                    "<header class='masthead'><p class='brand'><a href='../index.html'>{t}</a> "
                    "\xE2\x80\xBA <a href='index.html'>all passages</a></p><h1>{t}</h1></header>"
                    "<main>",
                    title, trib_result_corpus_title(report->result),
                    trib_result_corpus_title(report->result), title);
}

void trib_report_credit(trib_html *html, const trib_result *result) {
    const char *const editors = trib_result_setting(result, "corpus.editors"),
                      *const license = trib_result_setting(result, "corpus.license"),
                      *const address = trib_result_setting(result, "corpus.address");
    trib_report_say(html, "<p class='note'>");
    if (*editors) trib_report_say(html, "{t}: ", editors);
    trib_report_say(html, "{t}.", trib_result_corpus_title(result));
    if (*address) trib_report_say(html, " {s}.", address);
    if (*license) trib_report_say(html, " Licence: {s}.", license);
    trib_report_say(html, " Run {c}.</p>", result->hash);
}

static void close_page(trib_html *html, const trib_report *report) {
    trib_report_say(html, "</main><footer>");
    trib_report_credit(html, report->result);
    trib_report_say(html, "</footer></body></html>");
    trib_write_text(html->writer, "\n");
}

/* "Luke 3:7" or "Hamlet, words 12 to 34". */
static const char *cited(trib_report *report, const char *id, const trib_place_record *place) {
    const char *const reference = trib_report_text(place->reference);
    return *reference ? trib_arena_print(report->arena, "%s%s%s", trib_report_title(report, id),
                                         trib_place_gap(reference), reference)
                      : trib_arena_print(report->arena, "%s, words %" PRIu64 " to %" PRIu64,
                                         trib_report_title(report, id), place->first,
                                         place->first + place->words - 1);
}

static void write_passage(trib_report *report, const trib_find *find,
                          const trib_passage_record *one) {
    trib_html *html = &report->html;
    const char *const source = report->result->documents.item[find->source].id;
    open_page(html, report,
              trib_arena_print(report->arena, "%s and %s",
                               cited(report, find->target->id, one->target),
                               cited(report, source, one->source)));
    trib_report_curated(report);
    trib_report_say(html, "<p class='measures'><b>{n} words</b>", (double)trib_passage_words(one));
    if (!one->translated) trib_report_say(html, ", {n} of them word for word", (double)one->shared);
    const char *const family = trib_family_shown(report->result, report->arena, one, source, false);
    if (*family) trib_report_say(html, " \xC2\xB7 {t}", family);
    trib_html_end(html);
    trib_report_passage_beside(report, one, find->target->id, source);
    if (one->note) trib_report_say(html, "<p class='note'>Note: {t}</p>", one->note);
    close_page(html, report);
}

static void write_list(trib_report *report) {
    trib_html *html = &report->html;
    trib_buffer name = {0};
    open_page(html, report, "All passages");
    trib_html_begin(html, "ol");
    for (size_t f = 0; f < report->n_finds; f++) {
        const trib_passage_record *const one = trib_report_passage(report, f, report->arena);
        trib_buffer_clear(&name);
        if (name_passage(report, f, one, &name, &html->writer->failure) != TRIB_OK) break;
        trib_report_say(
            html, "<li><a href='{s}'>{t}, {t}</a>: {n} words</li>", name.text,
            cited(report, report->find[f].target->id, one->target),
            cited(report, report->result->documents.item[report->find[f].source].id, one->source),
            (double)trib_passage_words(one));
    }
    trib_html_end(html);
    close_page(html, report);
    trib_buffer_release(&name);
}

trib_status trib_report_write_passage(const trib_report *whole, size_t page, trib_writer *writer,
                                      trib_error *error) {
    trib_report here = *whole, *report = &here;
    const trib_embedded_file *const style = &trib_report_files[TRIB_REPORT_STYLE_SHEET];
    trib_arena arena = {0};
    if (page == whole->n_finds) {
        trib_write(writer, style->bytes, style->n_bytes);
        return writer->failure.status;
    }
    report->arena = &arena;
    report->page = 1; /* it lies in a folder, too */
    trib_html_init(&report->html, writer);
    trib_report_set_language(report, &report->html, NULL);
    if (page > whole->n_finds) write_list(report);
    else {
        const trib_passage_record *const one = trib_report_passage(report, page, &arena);
        if (arena.failure.status == TRIB_OK) write_passage(report, &report->find[page], one);
    }
    trib_html_release(&report->html);
    if (writer->failure.status != TRIB_OK && error) *error = writer->failure;
    const trib_status status = writer->failure.status;
    const trib_status read = trib_arena_check(&arena, status == TRIB_OK ? error : NULL);
    trib_arena_release(&arena);
    return status == TRIB_OK ? read : status;
}
