/* frame.c - what every page begins and ends with: its head, the style sheet, the script, and the
 * policy that lets the browser run nothing else. */
#include "pipeline/report/report.h"

enum { BASE64_MAX = 45 /* for a SHA-256 */, LOADER_MAX = 200 };

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

/* The script of a page: its bytes, or what loads them from the file that pages share. */
static const char *script_of(const char *shared, bool is_reading, char loader[LOADER_MAX],
                             size_t *n_bytes) {
    const trib_embedded_file *const file =
        &trib_report_files[is_reading ? TRIB_READ_SCRIPT : TRIB_REPORT_SCRIPT];
    *n_bytes = file->n_bytes;
    if (!shared) return (const char *)file->bytes;
    *n_bytes = (size_t)snprintf(loader, LOADER_MAX,
                                "document.body.append(Object.assign(document.createElement("
                                "'script'),{src:'%s%s'}))",
                                shared, file->name);
    return loader;
}

/* Writes two Content-Security-Policies, both of which the browser keeps. By the first, the page's
 * own script runs, by its hash, and what that loads (the list of finds) does, but no script that
 * stands in the page. (Browsers that do not know strict-dynamic read the words after it.) By the
 * second, that comes from beside the page. Nothing else is loaded or sent, even if text of a corpus
 * got into the page as markup. */
static void write_policy(trib_html *html, const char *shared, bool is_reading) {
    trib_sha256 sum = {0};
    char hex[TRIB_SHA256_TEXT], base64[BASE64_MAX], loader[LOADER_MAX];
    size_t n;
    const char *const script = script_of(shared, is_reading, loader, &n);
    trib_sha256_add(&sum, script, n);
    trib_sha256_end(&sum, hex);
    write_base64(base64, hex);
    trib_report_say(html, "<meta http-equiv='Content-Security-Policy'>");
    trib_html_attribute(html, "content",
                        "default-src 'none'; script-src 'sha256-%s' 'strict-dynamic' 'self' file:; "
                        "style-src %s'unsafe-inline'; %sbase-uri 'none'; form-action 'none'",
                        base64, shared ? "'self' file: " : "",
                        is_reading ? "frame-src 'self' file:; " : "");
    trib_html_end(html);
    trib_report_say(html, "<meta http-equiv='Content-Security-Policy'>");
    trib_html_attribute(html, "content", "script-src 'self' file: 'unsafe-inline'");
    trib_html_end(html);
}

/* Writes a style sheet, or links to it. */
static void write_style(trib_html *html, const char *shared, size_t file) {
    if (shared) {
        trib_report_say(html, "<link rel='stylesheet'>");
        trib_html_attribute(html, "href", "%s%s", shared, trib_report_files[file].name);
    } else {
        trib_html_begin(html, "style");
        trib_html_raw(html, (const char *)trib_report_files[file].bytes);
    }
    trib_html_end(html);
}

void trib_report_open_page(trib_html *html, const char *subject, const char *of, const char *shared,
                           bool is_reading) {
    trib_write_text(html->writer, "<!DOCTYPE html>");
    trib_report_say(html, "<html lang='en'><head><meta charset='utf-8'/>");
    write_policy(html, shared, is_reading);
    trib_report_say(html,
                    "<title>{s} \xC2\xB7 {s}</title>"
                    "<meta name='viewport' content='width=device-width, initial-scale=1'/>"
                    "<meta name='color-scheme' content='light dark'/>"
                    "<meta name='referrer' content='no-referrer'/>"
                    "<meta name='generator' content='tributary'/>",
                    subject, of);
    write_style(html, shared, TRIB_REPORT_STYLE_SHEET);
    if (is_reading) write_style(html, shared, TRIB_READ_STYLE_SHEET);
    trib_report_say(html, "</head><body>");
}

void trib_report_close_page(trib_html *html, const char *shared, bool is_reading) {
    char loader[LOADER_MAX];
    size_t n;
    trib_html_begin(html, "script");
    trib_html_raw(html, script_of(shared, is_reading, loader, &n));
    trib_report_say(html, "</script></body></html>");
    trib_write_text(html->writer, "\n");
}
