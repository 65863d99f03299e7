/* collation.c - the collation of versions as text with its apparatus, for a page and as TEI by
 * parallel segmentation; as a table; and as the alignment table of CollateX. */
#include "pipeline/report/collation.h"

#include "pipeline/report/report.h"
#include "pipeline/support/json.h"

/* Sets `to` to bytes of a witness, with single spaces instead of white space, and returns it. */
static const char *set_bytes(trib_buffer *to, const trib_witness *w, size_t at, size_t end,
                             trib_writer *writer) {
    trib_buffer_clear(to);
    while (at < end) {
        const size_t white = strspn(w->text + at, " \n"), plain = strcspn(w->text + at, " \n"),
                     n = white > 0   ? white
                         : plain > 0 ? plain
                                     : 1,
                     left = n < end - at ? n : end - at;
        (void)trib_buffer_add(to, white > 0 ? " " : w->text + at, white > 0 ? 1 : left,
                              &writer->failure);
        at += n;
    }
    return to->text ? to->text : "";
}

/* n words of a witness. */
static const char *words(trib_buffer *to, const trib_witness *w, size_t first, size_t n,
                         trib_writer *writer) {
    return set_bytes(to, w, n > 0 ? w->start[first] : 0, n > 0 ? w->end[first + n - 1] : 0, writer);
}

/* What stands between word i of a witness and the next. */
static const char *after_word(trib_buffer *to, const trib_witness *w, size_t i,
                              trib_writer *writer) {
    return set_bytes(to, w, w->end[i], i + 1 < w->n ? w->start[i + 1] : w->end[i], writer);
}

static trib_status finish(const trib_writer *writer, trib_buffer *text, trib_error *error) {
    trib_buffer_release(text);
    if (writer->failure.status != TRIB_OK && error) *error = writer->failure;
    return writer->failure.status;
}

/* ---- The text -------------------------------------------------------------------------------- */

/* The forms of a place: its element, that of a reading, and what names the witnesses. */
static const struct form {
    const char *place, *reading, *names, *before;
} tei = {"app", "rdg", "wit", " #"}, page = {"span", "span", "class", " "},
  apparatus = {"li", "q", NULL, " "};

/* Writes what the witnesses have at a place, the earliest first, and what lack it last. */
static void write_place(trib_html *html, const trib_collation *c, size_t s,
                        const struct form *form) {
    enum { MOST = 40 }; /* words of a reading in the apparatus */
    trib_writer *const writer = html->writer;
    trib_buffer text = {0}, names = {0};
    trib_html_begin(html, form->place);
    if (form == &tei) trib_html_attribute(html, "type", "%s", trib_segment_kind(c, s));
    if (form == &apparatus) trib_html_attribute(html, "id", "s%zu", s);
    if (form == &apparatus) trib_report_say(html, "<small>{s}</small> ", trib_segment_kind(c, s));
    for (uint32_t r = 0; r <= c->segment[s].n_readings; r++) {
        const uint32_t number = r < c->segment[s].n_readings ? r : TRIB_NO_PLACE;
        size_t first = c->n_witnesses;
        trib_buffer_clear(&names);
        for (size_t w = c->n_witnesses; w-- > 0;)
            if (trib_reading_of(c, s, w)->number == number) first = w;
        for (size_t w = first; w < c->n_witnesses; w++)
            if (trib_reading_of(c, s, w)->number == number)
                (void)trib_buffer_print(&names, &writer->failure, "%s%s", form->before,
                                        c->witness[w].sigil);
        if (first == c->n_witnesses || !names.text) continue;
        const trib_witness *const w = &c->witness[first];
        const trib_reading *const of = trib_reading_of(c, s, first);
        const size_t n = form == &apparatus && of->n > MOST ? MOST / 2 : of->n;
        trib_html_begin(html, form == &tei && r == 0             ? "lem"
                              : form == &apparatus && of->n == 0 ? "em"
                                                                 : form->reading);
        if (form->names) trib_html_attribute(html, form->names, "%s", names.text + 1);
        trib_html_text(html, form == &apparatus && n == 0 ? "not in"
                                                          : words(&text, w, of->first, n, writer));
        if (n < of->n)
            trib_report_say(html, " \xE2\x80\xA6 {s}",
                            words(&text, w, of->first + of->n - n, n, writer));
        trib_html_end(html);
        if (form == &apparatus) trib_report_say(html, "<b>{s}</b> ", names.text);
    }
    if (form == &apparatus && c->segment[s].moved > 0)
        trib_report_say(html, "<a href='#s{z}'>the other place</a>",
                        (size_t)c->segment[s].moved - 1);
    trib_html_end(html);
    TRIB_FREE(text.text, names.text);
}

void trib_collation_write_text(trib_html *html, const trib_collation *c, bool is_tei) {
    trib_buffer text = {0};
    for (size_t from = 0, s = 0; s < c->n_segments; from = s) {
        const uint32_t paragraph = c->segment[from].paragraph;
        bool varies = false;
        trib_report_say(html, "\n<p>");
        for (; s < c->n_segments && c->segment[s].paragraph == paragraph; s++) {
            const trib_reading *const reading = trib_reading_of(c, s, 0);
            if (trib_segment_varies(&c->segment[s])) write_place(html, c, s, is_tei ? &tei : &page);
            else
                trib_html_text(html,
                               words(&text, c->witness, reading->first, reading->n, html->writer));
            trib_html_text(html, reading->n > 0
                                     ? after_word(&text, c->witness,
                                                  reading->first + reading->n - 1, html->writer)
                                     : " ");
            varies = varies || trib_segment_varies(&c->segment[s]);
        }
        trib_html_end(html);
        if (is_tei || !varies) continue;
        trib_html_open(html, "ul", "apparatus");
        for (; from < s; from++)
            if (trib_segment_varies(&c->segment[from])) write_place(html, c, from, &apparatus);
        trib_html_end(html);
    }
    trib_buffer_release(&text);
}

trib_status trib_collation_write_tei(const void *what, trib_writer *writer, trib_error *error) {
    const trib_collation *const c = what;
    trib_buffer text = {0};
    trib_html xml;
    trib_html_init(&xml, writer);
    xml.is_terse = true; /* white space counts */
    trib_write_text(writer, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    trib_report_say(&xml,
                    "<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader><fileDesc><titleStmt>"
                    "<title>Versions of {s}</title></titleStmt><publicationStmt><p>Written by "
                    "tributary {s}. Punctuation and case are not compared.</p></publicationStmt>"
                    "<sourceDesc><listWit>",
                    c->witness->about->title, TRIB_VERSION);
    for (size_t w = 0; w < c->n_witnesses; w++)
        trib_report_say(&xml, "<witness xml:id='{s}' n='{s}'><title>{s}</title></witness>",
                        c->witness[w].sigil, c->witness[w].about->id, c->witness[w].about->title);
    trib_report_say(&xml, "</listWit></sourceDesc></fileDesc><encodingDesc><variantEncoding "
                          "method='parallel-segmentation' location='internal'></variantEncoding>"
                          "</encodingDesc></teiHeader><text><body>");
    trib_collation_write_text(&xml, c, true);
    while (xml.depth > 0) trib_html_end(&xml);
    trib_write_text(writer, "\n");
    trib_html_release(&xml);
    return finish(writer, &text, error);
}

/* ---- Tables ---------------------------------------------------------------------------------- */

trib_status trib_collation_write_csv(const void *what, trib_writer *writer, trib_error *error) {
    const trib_collation *const c = what;
    trib_buffer text = {0};
    size_t n = 0;
    trib_write_text(writer, "place,paragraph,kind");
    for (size_t w = 0; w < c->n_witnesses; w++) {
        trib_write_text(writer, ",");
        trib_write_cell(writer, c->witness[w].about->id);
    }
    for (size_t s = 0; s < c->n_segments; s++) {
        if (!trib_segment_varies(&c->segment[s])) continue;
        trib_print(writer, "\n%zu,%u,%s", ++n, (unsigned)c->segment[s].paragraph + 1,
                   trib_segment_kind(c, s));
        for (size_t w = 0; w < c->n_witnesses; w++) {
            const trib_reading *const of = trib_reading_of(c, s, w);
            trib_write_text(writer, ",");
            trib_write_cell(writer, words(&text, &c->witness[w], of->first, of->n, writer));
        }
    }
    trib_write_text(writer, "\n");
    return finish(writer, &text, error);
}

trib_status trib_collation_write_json(const void *what, trib_writer *writer, trib_error *error) {
    const trib_collation *const c = what;
    trib_buffer text = {0};
    for (size_t w = 0; w < c->n_witnesses; w++) {
        const trib_witness *const witness = &c->witness[w];
        for (size_t s = 0; s < c->n_segments; s++) {
            const trib_reading *const of = trib_reading_of(c, s, w);
            trib_write_text(writer, s > 0 ? ",\n" : w > 0 ? "],\n[" : "{\"table\":[[");
            if (of->n == 0) trib_write_text(writer, "null");
            for (uint32_t i = of->first; i < of->first + of->n; i++) {
                trib_write_text(writer, i > of->first ? ",{\"t\":" : "[{\"t\":");
                const size_t end = i + 1 < witness->n ? witness->start[i + 1] : witness->end[i];
                trib_write_json(writer, set_bytes(&text, witness, witness->start[i], end, writer));
                trib_write_text(writer, ",\"n\":");
                trib_write_json(writer, words(&text, witness, i, 1, writer));
                trib_write_text(writer, i + 1 < of->first + of->n ? "}" : "}]");
            }
        }
    }
    for (size_t w = 0; w < c->n_witnesses; w++) {
        trib_write_text(writer, w > 0 ? "," : "]],\n\"witnesses\":[");
        trib_write_json(writer, c->witness[w].about->id);
    }
    trib_write_text(writer, "]}\n");
    return finish(writer, &text, error);
}
