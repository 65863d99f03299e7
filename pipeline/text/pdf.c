/* pdf.c - extracts the text of a PDF with the program pdftotext (Debian: poppler-utils). */

#include "pipeline/text/programs.h"
#include "pipeline/text/text_formats.h"

/* A scanned book of a thousand pages takes some seconds and 200 MiB. */
static const trib_program_limits usual = {
    .silence = 120, .whole = 900, .processor = 600, .memory = (uint64_t)4 << 30};

trib_status trib_pdf_convert(trib_buffer *text, char note[TRIB_NOTE_MAX], trib_markup_bytes file,
                             const char *program, const trib_program_limits *limits,
                             trib_error *error) {
    static const char *const arguments[] = {"-enc", "UTF-8", "-eol", "unix", "-", "-", NULL};
    const trib_program pdftotext = {program, arguments, "a PDF", "poppler-utils", *limits};
    const size_t had = text->length;
    TRIB_OWNED(trib_buffer) messages = {0};
    if (file.length < 5 || memcmp(file.at, "%PDF-", 5) != 0)
        return trib_fail(error, TRIB_INPUT, "%s: is not a PDF: it does not begin with %%PDF-",
                         file.name);
    trib_status status = trib_program_run(text, &messages, &pdftotext, file, error);
    if (status == TRIB_OK &&
        strspn(text->text ? text->text + had : "", " \t\n\f\r") == text->length - had)
        status = trib_fail(
            error, TRIB_INPUT,
            "%s: contains no text, perhaps only images of pages; extract their text by OCR",
            file.name);
    else if (status == TRIB_OK && messages.length > 0)
        snprintf(note, TRIB_NOTE_MAX, "%.*s", (int)strcspn(messages.text, "\n"), messages.text);
    return status;
}

/* Removes the form feeds, each of which ends a page, and marks the pages as references. */
static trib_status take_pages(trib_markup_text *to, trib_error *error) {
    trib_buffer *text = &to->text;
    unsigned long page = 0;
    size_t n = 0;
    bool is_first = true;
    for (size_t i = 0; i < text->length; i++) {
        char label[32];
        const int length = is_first ? snprintf(label, sizeof label, "page %lu", ++page) : 0;
        if (is_first) trib_references_add(&to->references, n, n, label, (size_t)length, error);
        is_first = text->text[i] == '\f';
        if (!is_first) text->text[n++] = text->text[i];
    }
    if (text->text) text->text[n] = '\0';
    text->length = n;
    return trib_markup_status(to);
}

trib_status trib_pdf_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error) {
    const trib_status status =
        trib_pdf_convert(&to->text, to->remark, file, "pdftotext", &usual, error);
    return status == TRIB_OK ? take_pages(to, error) : status;
}
