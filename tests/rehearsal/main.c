/* main.c - rehearsal TO BOOKS BYTES SIGMA SEED POOL...: writes BOOKS invented books of BYTES on
 * average, log-normal with SIGMA, to TO/mirror, and beside it pg_catalog.csv, manifest.tsv,
 * experiment.yaml and truth.tsv. The catalogue also holds editions, books in another language,
 * sound and books without a year, which are not in the manifest. The same arguments give the same
 * bytes. */
#include "tests/rehearsal/rehearsal.h"

#include <ctype.h>
#include <sys/stat.h>

enum { BOOKS_OF_AN_AUTHOR = 4 };
static const double BYTES_OF_A_WORD = 5.8; /* with its space */

_Noreturn void fail(const char *message) {
    fprintf(stderr, "rehearsal: %s\n", message);
    exit(EXIT_FAILURE);
}

void *reserve(size_t n, size_t size) {
    void *array = calloc(n > 0 ? n : 1, size);
    if (!array) fail("out of memory");
    return array;
}

static double normal(trib_random *random) {
    const double u = 1 - trib_random_unit(random), v = trib_random_unit(random);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

static void invent_authors(plan *p, trib_random *random) {
    p->n_authors = p->n_regular / BOOKS_OF_AN_AUTHOR + 1;
    p->author = reserve(p->n_authors, sizeof *p->author);
    for (size_t a = 0; a < p->n_authors; a++) {
        author *who = &p->author[a];
        char surname[LONGEST_WORD + 1];
        who->born = 1550 + (uint32_t)(340 * sqrt(trib_random_unit(random)));
        who->seed = trib_random_u64(random);
        surname[invent(&p->language, trib_random_u64(random), surname)] = '\0';
        surname[0] = (char)toupper((unsigned char)surname[0]);
        /* the number makes the name unique */
        snprintf(who->name, sizeof who->name, "%s, J. %c%c%c.", surname, 'A' + (int)(a / 676 % 26),
                 'A' + (int)(a / 26 % 26), 'A' + (int)(a % 26));
    }
}

static book_kind draw_kind(trib_random *random, size_t n_regular) {
    const double u = trib_random_unit(random);
    if (n_regular == 0) return REGULAR;
    return u < .02 ? EDITION : u < .05 ? FOREIGN : u < .07 ? SOUND : u < .10 ? UNDATED : REGULAR;
}

static void invent_books(plan *p, trib_random *random, double bytes, double sigma) {
    const double median = bytes / BYTES_OF_A_WORD * exp(-sigma * sigma / 2);
    size_t cap = 2 * p->n_regular + 100, n_regular = 0;
    p->book = reserve(cap, sizeof *p->book);
    while (n_regular < p->n_regular && p->n_books < cap) {
        const size_t b = p->n_books++;
        book *one = &p->book[b];
        const double n = median * exp(sigma * normal(random)), u = trib_random_unit(random);
        one->number = (uint32_t)p->n_books;
        one->kind = draw_kind(random, n_regular);
        one->origin = (uint32_t)b;
        one->author = (uint32_t)((double)p->n_authors * u * sqrt(u));
        one->n_words = (uint32_t)(n < 300 ? 300 : n > 1e6 ? 1e6 : n);
        if (one->kind == EDITION) {
            size_t of = trib_random_below(random, b);
            while (p->book[of].kind != REGULAR) of = (of + 1) % b;
            one->origin = (uint32_t)of;
            one->author = p->book[of].author;
        }
        n_regular += one->kind == REGULAR;
    }
    p->n_regular = n_regular;
}

static const plan *sorted_plan; /* qsort has no argument for it */
static int by_year(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const uint32_t of_x = year_of(sorted_plan, x), of_y = year_of(sorted_plan, y);
    return of_x != of_y ? (of_x < of_y ? -1 : 1) : (x > y) - (x < y);
}

static void sort_books(plan *p) {
    size_t n = 0;
    p->by_year = reserve(p->n_regular, sizeof *p->by_year);
    for (size_t b = 0; b < p->n_books; b++)
        if (p->book[b].kind == REGULAR) p->by_year[n++] = (uint32_t)b;
    sorted_plan = p;
    qsort(p->by_year, n, sizeof *p->by_year, by_year);
}

/* Rows of truth.tsv for one book: a row per passage. The share of a source is that of all its
 * passages in the whole text. */
static void print_truth(FILE *file, const plan *p, size_t b, const borrowing *taken,
                        size_t n_words) {
    for (size_t i = 0; i < taken->n; i++) {
        size_t n = 0;
        for (size_t k = 0; k < taken->n; k++)
            if (taken->passage[k].source == taken->passage[i].source) n += taken->passage[k].n;
        const passage *one = &taken->passage[i];
        fprintf(file, "pg%u\tpg%u\t%.5f\t%u\t%u\n", p->book[b].number, p->book[one->source].number,
                (double)n / (double)n_words, one->target_from, one->n);
    }
}

static void write_books(const char *to, const plan *p) {
    FILE *truth = create(to, "truth.tsv");
    fputs("target\tsource\tshare\tfrom\twords\n", truth);
#pragma omp parallel
    {
        borrowing taken = {.passage = reserve(MOST_PASSAGES, sizeof(passage))};
#pragma omp for ordered schedule(dynamic, 1)
        for (size_t b = 0; b < p->n_books; b++) {
            text whole = {0};
            if (p->book[b].kind != SOUND) {
                compose(&whole, &taken, p, b);
                write_book(to, p, b, &whole);
            }
#pragma omp ordered
            if (p->book[b].kind == REGULAR) print_truth(truth, p, b, &taken, whole.n);
            release_text(&whole);
        }
        free(taken.passage);
    }
    finish(truth, "truth.tsv");
}

int main(int argc, char **argv) {
    if (argc < 7 || atol(argv[2]) < 1 || atof(argv[3]) < 1 || atof(argv[4]) < 0)
        fail("TO BOOKS BYTES SIGMA SEED POOL... are its operands");
    plan p = {.seed = strtoull(argv[5], NULL, 10), .n_regular = (size_t)atol(argv[2])};
    trib_random random;
    trib_random_seed(&random, p.seed);
    learn(&p.language, argv + 6, argc - 6);
    invent_authors(&p, &random);
    invent_books(&p, &random, atof(argv[3]), atof(argv[4]));
    sort_books(&p);
    mkdir(argv[1], 0777);
    write_books(argv[1], &p);
    write_lists(argv[1], &p); /* its last file says that the corpus is complete */
    release_language(&p.language);
    free(p.book);
    free(p.author);
    free(p.by_year);
    return EXIT_SUCCESS;
}
