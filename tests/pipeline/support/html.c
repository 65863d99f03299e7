/* html.c - tests of the writer of HTML; also the strict reader of pages that the tests of the
 * report use. */
#include "tests/test.h"

#include "pipeline/support/html.h"
#include "tests/pipeline/report/page.h"

TESTS(support, html);

/* ---- The strict reader ----------------------------------------------------------------------- */

enum { DEPTH = 64, NAMES = 4096, NAME = 64 };

static struct {
    char open[DEPTH][NAME];
    size_t depth;
    char id[NAMES][NAME], link[NAMES][NAME];
    size_t n_ids, n_links;
    char fault[200];
} page_state;

static const char *fault(const char *what, const char *where) {
    snprintf(page_state.fault, sizeof page_state.fault, "%s at: %.120s", what, where);
    return page_state.fault;
}

static bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
}

static bool is_void(const char *name) {
    return strcmp(name, "meta") == 0 || strcmp(name, "link") == 0 || strcmp(name, "br") == 0 ||
           strcmp(name, "col") == 0 || strcmp(name, "input") == 0;
}

static const char *note_attribute(const char *name, const char *value, const char *where) {
    const bool is_link = strcmp(name, "href") == 0 || strcmp(name, "aria-labelledby") == 0;
    if (strcmp(name, "id") == 0) {
        if (page_state.n_ids == NAMES) return fault("too many identifiers", where);
        if (!*value || strpbrk(value, " \t\n")) return fault("no identifier", where);
        snprintf(page_state.id[page_state.n_ids++], NAME, "%.63s", value);
    } else if (is_link) {
        if (page_state.n_links == NAMES) return fault("too many links", where);
        if (strcmp(name, "href") == 0 && value[0] != '#') /* a link must lead to the same page */
            return value[0] == '/' || strcspn(value, ":") < strcspn(value, "#") ||
                           strstr(value + (strncmp(value, "../report.html", 14) == 0 ? 2 : 0), "..")
                       ? fault("a link away", where)
                       : NULL;
        snprintf(page_state.link[page_state.n_links++], NAME, "%.63s", value + (value[0] == '#'));
    } else if (strcmp(name, "src") == 0 || strncmp(name, "on", 2) == 0) {
        return fault("an attribute that loads or runs", where);
    }
    return NULL;
}

/* Reads attributes up to the end of a start tag and moves *at after it. */
static const char *read_attributes(const char **at, bool *closed) {
    const char *p = *at;
    for (;;) {
        char name[NAME], value[512];
        size_t n = 0, v = 0;
        while (*p == ' ') p++;
        if (*p == '>' || (*p == '/' && p[1] == '>')) {
            *closed = *p == '/';
            *at = p + (*closed ? 2 : 1);
            return NULL;
        }
        while (is_name(*p) && n + 1 < sizeof name) name[n++] = *p++;
        name[n] = '\0';
        if (n == 0 || *p++ != '=' || *p++ != '"') return fault("a broken attribute", *at);
        while (*p && *p != '"') {
            if (*p == '<') return fault("an unescaped <", *at);
            if (v + 1 < sizeof value) value[v++] = *p;
            p++;
        }
        value[v] = '\0';
        if (*p++ != '"') return fault("an attribute without end", *at);
        const char *bad = note_attribute(name, value, *at);
        if (bad) return bad;
    }
}

static const char *read_tag(const char **at) {
    const char *p = *at + 1;
    char name[NAME];
    size_t n = 0;
    const bool ends = *p == '/';
    if (ends) p++;
    while (is_name(*p) && n + 1 < sizeof name) name[n++] = *p++;
    name[n] = '\0';
    if (n == 0) return fault("no tag", *at);
    if (ends) {
        if (*p != '>' || page_state.depth == 0 ||
            strcmp(page_state.open[page_state.depth - 1], name) != 0)
            return fault("an end that matches nothing", *at);
        page_state.depth--;
        *at = p + 1;
        return NULL;
    }
    bool closed = false;
    const char *bad = read_attributes(&p, &closed);
    if (bad) return bad;
    if (is_void(name) && !closed) return fault("an open void element", *at);
    if (!closed) {
        if (page_state.depth == DEPTH) return fault("too deep", *at);
        snprintf(page_state.open[page_state.depth++], NAME, "%s", name);
    }
    if (strcmp(name, "style") == 0) p = strstr(p, "</style>");
    if (strcmp(name, "script") == 0) p = strstr(p, "</script>");
    *at = p;
    return NULL;
}

static const char *read_reference(const char **at) {
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(*at, known[i], strlen(known[i])) == 0) {
            *at += strlen(known[i]);
            return NULL;
        }
    return fault("an unescaped &", *at);
}

const char *trib_page_fault(const char *page) {
    memset(&page_state, 0, sizeof page_state);
    if (strncmp(page, "<!DOCTYPE html>", 15) != 0) return fault("no doctype", page);
    for (const char *at = page + 15; *at;) {
        const char *bad = NULL;
        if (*at == '<') bad = read_tag(&at);
        else if (*at == '&') bad = read_reference(&at);
        else if ((unsigned char)*at < 0x20 && *at != '\n' && *at != '\t')
            bad = fault("a control character", at);
        else at++;
        if (bad) return bad;
    }
    if (page_state.depth > 0) return fault("an element without end", page_state.open[0]);
    for (size_t i = 0; i < page_state.n_ids; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(page_state.id[i], page_state.id[k]) == 0)
                return fault("an identifier given twice", page_state.id[i]);
    for (size_t l = 0; l < page_state.n_links; l++) {
        bool found = false;
        for (size_t i = 0; i < page_state.n_ids; i++)
            found = found || strcmp(page_state.id[i], page_state.link[l]) == 0;
        if (!found) return fault("a link to nothing", page_state.link[l]);
    }
    return NULL;
}

size_t trib_page_count(const char *page, const char *part) {
    size_t n = 0;
    for (const char *at = page; (at = strstr(at, part)); at += strlen(part)) n++;
    return n;
}

/* ---- The writer ------------------------------------------------------------------------------ */

/* The markup that `write` produces, in a static buffer. */
static const char *written(void (*write)(trib_html *html)) {
    static char text[1 << 14];
    trib_writer writer;
    GIVEN(trib_html) html = {0};
    trib_error error = {0};
    const char *path = trib_scratch("a page");
    if (trib_writer_open(&writer, path, &error) != TRIB_OK) return "";
    trib_html_init(&html, &writer);
    write(&html);
    EXPECT_OK(trib_writer_commit(&writer, NULL, &error));
    FILE *file = fopen(path, "rb");
    const size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file) fclose(file);
    text[n] = '\0';
    return text;
}

static void write_hostile(trib_html *html) {
    trib_html_begin(html, "p");
    trib_html_attribute(html, "title", "%s", "\"><script>'&");
    trib_html_text(html, "</p><script>alert(\"1\")</script>&amp;");
    trib_html_end(html);
}

TEST(text_and_attributes_are_escaped) {
    EXPECT_TEXT(written(write_hostile),
                "\n<p title=\"&quot;&gt;&lt;script&gt;&#39;&amp;\">&lt;/p&gt;&lt;script&gt;alert("
                "&quot;1&quot;)&lt;/script&gt;&amp;amp;</p>");
}

static void write_controls(trib_html *html) {
    /* C0 controls and DEL are replaced; tab and LF remain */
    trib_html_text(html, "a\x01\x1B\x7F\tb\nc");
    trib_html_text(html,
                   "\xC2\x85\xE2\x80\xAE\xE2\x81\xA6\xEF\xBF\xBE"); /* NEL, RLO, LRI, U+FFFE */
    trib_html_text(html, "\xE2\x80\x8F\xE2\x80\x8C");               /* RLM and ZWNJ remain */
}

TEST(controls_and_overrides_become_replacement_characters) {
#define R "\xEF\xBF\xBD"
    EXPECT_TEXT(written(write_controls), "a" R R R "\tb\nc" R R R R "\xE2\x80\x8F\xE2\x80\x8C");
}

static void write_broken(trib_html *html) {
    trib_html_text(html, "\xC3(\x80\xFF\xF5\xE2\x82");     /* no byte is UTF-8 except ( */
    trib_html_text(html, "\xED\xA0\x80 \xF0\x9F\x8C\x8A"); /* a surrogate; a wave */
}

TEST(bytes_that_are_not_utf_8_become_replacement_characters) {
    EXPECT_TEXT(written(write_broken), R "(" R R R R R R R R " \xF0\x9F\x8C\x8A");
#undef R
}

static void write_foreign(trib_html *html) {
    html->language = "he";
    trib_html_foreign(html, "a title");
    trib_html_word(html, "\xD7\xA9");
}

TEST(foreign_text_is_isolated_and_words_have_their_language) {
    EXPECT_TEXT(written(write_foreign), "<bdi>a title</bdi><bdi lang=\"he\">\xD7\xA9</bdi>");
}

static void write_long(trib_html *html) {
    char text[3000];
    memset(text, '<', sizeof text);
    text[sizeof text - 1] = '\0';
    trib_html_element(html, "b", NULL, "%s", text);
}

TEST(long_text_is_escaped_whole) {
    const char *text = written(write_long);
    EXPECT(trib_page_count(text, "&lt;") == 2999 && strlen(text) == 4 * 2999 + 7);
}

static void write_long_words(trib_html *html) {
    char text[134 * 3 + 1];
    for (size_t i = 0; i < 134; i++) memcpy(text + 3 * i, "\xE4\xB8\x80", 3);
    text[sizeof text - 1] = '\0';
    trib_html_word(html, text); /* a word of 3-byte letters, cut between two of them */
    text[3 * 133] = '\0';
    trib_html_word(html, text); /* 399 bytes remain whole */
}

TEST(a_long_word_is_shortened_to_its_beginning) {
    const char *text = written(write_long_words);
    EXPECT(strncmp(text, "<bdi>\xE4\xB8\x80", 8) == 0);
    EXPECT(trib_page_count(text, "\xE4\xB8\x80") == 33 + 133);
    EXPECT(strstr(text, "\x80<small>\xE2\x80\xA6 (134 letters)</small></bdi><bdi>") != NULL);
}

static void write_prose(trib_html *html) {
    static char text[3 * (1 << 14)];
    memset(text, '<', sizeof text);
    memcpy(text, "a < b ", 6);
    memcpy(text + 6 + (1 << 14) + 1, " & c", 5);
    trib_html_prose(html, text); /* one byte too long */
    trib_html_prose(html, "");
}

TEST(prose_is_shortened_only_where_it_has_no_spaces) {
    const char *text = written(write_prose);
    EXPECT(strncmp(text, "a &lt; b &lt;", 13) == 0 && trib_page_count(text, "&lt;") == 1 + 100);
    EXPECT(strstr(text, "&lt;<small>\xE2\x80\xA6 (16\xE2\x80\xAF"
                        "385 letters)</small> &amp; c") != NULL);
}

TEST(numbers_are_rounded_for_reading) {
    char text[TRIB_FIXED_MAX];
    EXPECT_TEXT(trib_fixed(text, 3.14159, 2), "3.14");
    EXPECT_TEXT(trib_fixed(text, 0.05, 2), "0.05");
    EXPECT_TEXT(trib_fixed(text, 9.999, 1), "10.0");
    EXPECT_TEXT(trib_fixed(text, -0.001, 1), "0.0");
    EXPECT_TEXT(trib_fixed(text, -2.5, 0), "-3");
    EXPECT_TEXT(trib_fixed(text, NAN, 1), "\xE2\x80\x93");
    EXPECT_TEXT(trib_fixed(text, 1e300, 1), "\xE2\x80\x93");
    EXPECT_TEXT(trib_grouped(text, 999), "999");
    EXPECT_TEXT(trib_grouped(text, 1234567), "1\xE2\x80\xAF"
                                             "234\xE2\x80\xAF"
                                             "567");
}

TEST(percentages_never_round_a_part_to_nothing_or_to_all) {
#define T "\xE2\x80\xAF"
    char text[TRIB_FIXED_MAX];
    EXPECT_TEXT(trib_percent(text, 0.164, 1), "16.4" T "%");
    EXPECT_TEXT(trib_percent(text, 0, 1), "0" T "%");
    EXPECT_TEXT(trib_percent(text, 1, 1), "100" T "%");
    EXPECT_TEXT(trib_percent(text, 1 - 1e-15, 1), "100" T "%");
    EXPECT_TEXT(trib_percent(text, 1 + 1e-15, 1), "100" T "%");
    EXPECT_TEXT(trib_percent(text, 0.00001, 1), "<" T "0.1" T "%");
    EXPECT_TEXT(trib_percent(text, 0.99999, 1), ">" T "99.9" T "%");
    EXPECT_TEXT(trib_percent(text, 0.0005, 1), "0.1" T "%");
    EXPECT_TEXT(trib_percent(text, NAN, 1), "\xE2\x80\x93");
#undef T
}

TEST(the_strict_reader_finds_broken_pages) {
    static const char *const broken[] = {
        "<!DOCTYPE html><p>",
        "<!DOCTYPE html></p>",
        "<!DOCTYPE html><b><i></b></i>",
        "<!DOCTYPE html><p id=\"a\"></p><p id=\"a\"></p>",
        "<!DOCTYPE html><a href=\"#b\"></a>",
        "<!DOCTYPE html><a href=\"x:y\"></a>",
        "<!DOCTYPE html>&nbsp;",
        "<!DOCTYPE html>\x01",
        "<!DOCTYPE html><p x=y></p>",
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        EXPECT(trib_page_fault(broken[i]) != NULL);
    EXPECT(!trib_page_fault("<!DOCTYPE html><p id=\"a\">x &lt; y<br/></p><a href=\"#a\">z</a>"));
}

static void write_parts_of_a_page(trib_html *html) {
    trib_html_open(html, "p", "a&b");
    trib_html_attribute(html, "lang", "%s", "de");
    trib_html_link(html, "to <it>", "%s/%d.html", "a\"b", 3);
    trib_html_end(html);
}

TEST(elements_of_one_call_are_escaped_too) {
    EXPECT_TEXT(written(write_parts_of_a_page),
                "\n<p class=\"a&amp;b\" lang=\"de\">"
                "<a href=\"a&quot;b/3.html\">to &lt;it&gt;</a></p>");
}
