/* frame.c - what every page begins and ends with: its head, the style sheet, the script, and the
 * policy that lets the browser run nothing else. */
#include "pipeline/report/report.h"

#include <string.h>

enum { BASE64_MAX = 45 }; /* for a SHA-256 */

/* Writes the bytes of the hexadecimal digits in base 64. */
static void write_base64(char to[BASE64_MAX], const char *hex) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static const char values[] = "0123456789abcdef";
    const size_t n_bits = 4 * strlen(hex);
    size_t n = 0;
    for (size_t bit = 0; bit < n_bits; bit += 6) { /* 3 hexadecimal digits make 2 of base 64 */
        unsigned value = 0;
        for (size_t b = bit; b < bit + 6; b++) {
            const size_t digit = b < n_bits ? (size_t)(strchr(values, hex[b / 4]) - values) : 0;
            value = 2 * value + (digit >> (3 - b % 4) & 1);
        }
        to[n++] = digits[value];
    }
    while (n % 4 != 0) to[n++] = '=';
    to[n] = '\0';
}

/* Writes a Content-Security-Policy: the browser allows the page's own style and script, and those
 * in the files beside it, such as the list of finds. No other script runs and nothing is loaded or
 * sent, even if text of a corpus got into the page as markup. */
static void write_policy(trib_html *html, const char *shared, size_t script) {
    trib_sha256 *sum = NULL;
    char hex[TRIB_SHA256_TEXT], base64[BASE64_MAX];
    if (trib_sha256_open(&sum, &html->writer->failure) != TRIB_OK) return;
    trib_sha256_add(sum, trib_report_files[script].bytes, trib_report_files[script].n_bytes);
    trib_sha256_close(sum, hex);
    write_base64(base64, hex);
    trib_html_tag(html, "meta", "http-equiv", "Content-Security-Policy", NULL);
    trib_html_attribute(html, "content",
                        "default-src 'none'; script-src %s%s%s'self' file:; "
                        "style-src %s'unsafe-inline'; %sbase-uri 'none'; form-action 'none'",
                        shared ? "" : "'sha256-", shared ? "" : base64, shared ? "" : "' ",
                        shared ? "'self' file: " : "",
                        script == TRIB_READ_SCRIPT ? "frame-src 'self' file:; " : "");
    trib_html_end(html);
}

/* Writes a style sheet, or links to it. */
static void write_style(trib_html *html, const char *shared, size_t file) {
    if (shared) {
        trib_html_tag(html, "link", "rel", "stylesheet", NULL);
        trib_html_attribute(html, "href", "%s%s", shared, trib_report_files[file].name);
    } else {
        trib_html_begin(html, "style");
        trib_html_raw(html, (const char *)trib_report_files[file].bytes);
    }
    trib_html_end(html);
}

static void write_head(trib_html *html, const char *subject, const char *of, const char *shared,
                       bool is_reading) {
    trib_html_begin(html, "head");
    trib_html_tag(html, "meta", "charset", "utf-8", NULL);
    trib_html_end(html);
    write_policy(html, shared, is_reading ? TRIB_READ_SCRIPT : TRIB_REPORT_SCRIPT);
    trib_html_element(html, "title", NULL, "%s \xC2\xB7 %s", subject, of);
    static const char *const metas[][2] = {
        {"viewport", "width=device-width, initial-scale=1"},
        {"color-scheme", "light dark"},
        {"referrer", "no-referrer"},
        {"generator", "tributary"},
    };
    for (size_t i = 0; i < sizeof metas / sizeof *metas; i++) {
        trib_html_begin(html, "meta");
        trib_html_attribute(html, "name", "%s", metas[i][0]);
        trib_html_attribute(html, "content", "%s", metas[i][1]);
        trib_html_end(html);
    }
    write_style(html, shared, TRIB_REPORT_STYLE_SHEET);
    if (is_reading) write_style(html, shared, TRIB_READ_STYLE_SHEET);
    trib_html_end(html);
}

static void open_page(trib_html *html, const char *subject, const char *of, const char *shared,
                      bool is_reading) {
    trib_write_text(html->writer, "<!DOCTYPE html>");
    trib_html_tag(html, "html", "lang", "en", NULL);
    write_head(html, subject, of, shared, is_reading);
    trib_html_begin(html, "body");
}

static void close_page(trib_html *html, const char *shared, size_t script) {
    trib_html_begin(html, "script");
    if (shared) trib_html_attribute(html, "src", "%s%s", shared, trib_report_files[script].name);
    else trib_html_raw(html, (const char *)trib_report_files[script].bytes);
    trib_html_end(html);
    trib_html_end(html);
    trib_html_end(html);
    trib_write_text(html->writer, "\n");
}

void trib_report_open_page(trib_html *html, const char *subject, const char *of,
                           const char *shared) {
    open_page(html, subject, of, shared, false);
}

void trib_report_close_page(trib_html *html, const char *shared) {
    close_page(html, shared, TRIB_REPORT_SCRIPT);
}

void trib_report_open_reading(trib_html *html, const char *subject, const char *of,
                              const char *shared) {
    open_page(html, subject, of, shared, true);
}

void trib_report_close_reading(trib_html *html, const char *shared) {
    close_page(html, shared, TRIB_READ_SCRIPT);
}
