/* mirror.c - what stands on disk: the books in the folders of a mirror, with header and footer, and
 * their catalogue; what was planted; and the experiment. */
#include "tests/rehearsal/rehearsal.h"

#include <ctype.h>
#include <errno.h>
#include <sys/stat.h>

FILE *create(const char *to, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", to, name);
    for (char *c = path + strlen(to) + 1; (c = strchr(c, '/')); c++) {
        *c = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST) break;
        *c = '/';
    }
    FILE *file = fopen(path, "wb");
    if (!file) fail(path);
    return file;
}

void finish(FILE *file, const char *name) {
    const bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed) fail(name);
}

/* "1/2/3/1234/1234-0.txt", "0/5/5-0.txt". */
static void path_of(uint32_t number, char path[static 64]) {
    char digits[16];
    size_t n = 0;
    snprintf(digits, sizeof digits, "%u", number);
    if (!digits[1]) path[n++] = '0', path[n++] = '/';
    for (const char *d = digits; d[1]; d++) path[n++] = *d, path[n++] = '/';
    snprintf(path + n, 64 - n, "%s/%s-0.txt", digits, digits);
}

/* Some titles have a quote, a comma, or a line break, as they have in the catalogue. */
void title_of(const plan *p, size_t b, char title[static 96]) {
    static const char *const form[] = {"The %s of %s", "%s and %s", "A History of %s, and %s",
                                       "\"%s\": A Tale of %s", "%s; or,\n%s"};
    char name[2][LONGEST_WORD + 1];
    const uint64_t number = p->seed * 1000003 + p->book[p->book[b].origin].number * 2;
    for (uint64_t i = 0; i < 2; i++) {
        name[i][invent(&p->language, ~(number + i), name[i])] = '\0';
        name[i][0] = (char)toupper((unsigned char)name[i][0]);
    }
    const size_t n_forms = sizeof form / sizeof *form;
    snprintf(title, 96, form[number / 2 % n_forms], name[0], name[1]);
}

/* On one line. */
static void plain_title(const plan *p, size_t b, char title[static 96]) {
    title_of(p, b, title);
    for (char *c = title; *c; c++)
        if (*c == '\n') *c = ' ';
}

static const char *author_of(const plan *p, size_t b) {
    return p->book[b].kind == UNDATED ? "Anonymous" : p->author[p->book[b].author].name;
}

/* Lines of at most 72 columns. A sentence begins with a capital. */
static void print_words(FILE *file, const text *whole) {
    static const char *const after[] = {"", ",", ".", "."};
    size_t column = 0;
    bool begins = true;
    for (size_t i = 0; i < whole->n; i++) {
        const word *w = &whole->word[i];
        if (column > 0 && column + w->length + 2u > 72) {
            fputs("\r\n", file);
            column = 0;
        }
        if (column > 0) putc(' ', file), column++;
        putc(begins ? toupper((unsigned char)w->text[0]) : (unsigned char)w->text[0], file);
        fwrite(w->text + 1, 1, w->length - 1u, file);
        fputs(after[w->end], file);
        column += w->length + 1u;
        begins = w->end >= STOP;
        if (w->end == PARAGRAPH) {
            fputs("\r\n\r\n", file);
            column = 0;
        }
    }
}

void write_book(const char *to, const plan *p, size_t b, const text *whole) {
    char path[80] = "mirror/", title[96];
    path_of(p->book[b].number, path + 7);
    FILE *file = create(to, path);
    plain_title(p, b, title);
    fprintf(file,
            "\xEF\xBB\xBFThe Project Gutenberg eBook of %s\r\n\r\n"
            "An invented book for rehearsals. Nobody wrote it, and anybody may use it.\r\n\r\n"
            "Title: %s\r\n\r\nAuthor: %s\r\n\r\nRelease date: January 1, 2000 [eBook #%u]\r\n\r\n"
            "Language: %s\r\n\r\n\r\n"
            "*** START OF THE PROJECT GUTENBERG EBOOK %s ***\r\n\r\n\r\n",
            title, title, author_of(p, b), p->book[b].number,
            p->book[b].kind == FOREIGN ? "French" : "English", title);
    print_words(file, whole);
    fprintf(file,
            "\r\n*** END OF THE PROJECT GUTENBERG EBOOK %s ***\r\n\r\n"
            "Here a real book has a licence of some three thousand words.\r\n",
            title);
    finish(file, path);
}

/* ---- Lists ----------------------------------------------------------------------------------- */

static void print_quoted(FILE *file, const char *cell) {
    putc('"', file);
    for (; *cell; cell++) {
        if (*cell == '"') putc('"', file);
        putc(*cell, file);
    }
    putc('"', file);
}

/* A row of pg_catalog.csv. */
static void print_row(FILE *file, const plan *p, size_t b) {
    const book *about = &p->book[b];
    const author *who = &p->author[about->author];
    char title[96], names[128];
    title_of(p, b, title);
    fprintf(file, "%u,%s,2000-01-01,", about->number, about->kind == SOUND ? "Sound" : "Text");
    print_quoted(file, title);
    fprintf(file, ",%s,", about->kind == FOREIGN ? "fr" : "en");
    if (about->kind == UNDATED) snprintf(names, sizeof names, "%s", "Anonymous");
    else
        snprintf(names, sizeof names, "%s, %u-%u%s", who->name, who->born, who->born + 60,
                 about->number % 7 ? "" : "; Smith, John, 1800-1870 [Illustrator]");
    print_quoted(file, names);
    fputs(",Invention -- Fiction,PZ,\r\n", file);
}

static void write_experiment(const char *to) {
    FILE *file = create(to, "experiment.yaml");
    fputs("tributary: 1\n"
          "name: rehearsal\n"
          "corpus:\n"
          "  manifest: manifest.tsv\n"
          "  root: mirror\n"
          "  strip: [gutenberg]\n"
          "  target: all\n"
          "  order: by-date\n"
          "influence: {methods: [traced, split], headline: traced}\n",
          file);
    finish(file, "experiment.yaml");
}

void write_lists(const char *to, const plan *p) {
    char path[64], title[96];
    FILE *catalogue = create(to, "pg_catalog.csv"), *manifest = create(to, "manifest.tsv");
    fputs("\xEF\xBB\xBFText#,Type,Issued,Title,Language,Authors,Subjects,LoCC,Bookshelves\r\n",
          catalogue);
    fputs("id\tfile\ttitle\tauthor\tdate\n", manifest);
    for (size_t b = 0; b < p->n_books; b++) {
        print_row(catalogue, p, b);
        if (p->book[b].kind != REGULAR) continue;
        path_of(p->book[b].number, path);
        plain_title(p, b, title);
        fprintf(manifest, "pg%u\t%s\t%s\t%s\test. %u no. %u\n", p->book[b].number, path, title,
                author_of(p, b), year_of(p, b), p->book[b].number);
    }
    finish(catalogue, "pg_catalog.csv");
    finish(manifest, "manifest.tsv");
    write_experiment(to);
}
