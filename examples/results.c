/* results.c - reads the directory of a run and prints its texts, passages and phrases: results RUN
 *     cc results.c -o results $(pkg-config --cflags --libs tributary) */
#include <stdio.h>
#include <tributary/tributary.h>

static const trib_result_document *document;

static const char *name(uint32_t number) {
    return number == TRIB_AUTHOR ? "the author" : document[number].title;
}

static void print_documents(const trib_results *results) {
    size_t n;
    document = trib_results_documents(results, &n);
    for (size_t d = 0; d < n; d++)
        printf("%s: %llu words%s\n", document[d].title, (unsigned long long)document[d].n_words,
               document[d].is_target ? ", a target" : "");
}

static void print_passages(const trib_results *results) {
    size_t n;
    const trib_result_passage *p = trib_results_passages(results, &n);
    for (size_t i = 0; i < n && i < 3; i++)
        printf("\npassage of %llu words in %s and %s:\n%s\n", (unsigned long long)p[i].n_shared,
               name(p[i].target), name(p[i].source), p[i].text ? p[i].text : "(no text kept)");
}

static void print_phrases(const trib_results *results) {
    size_t n;
    const trib_result_phrase *p = trib_results_phrases(results, &n);
    printf("\n");
    for (size_t i = 0; i < n && i < 5; i++)
        printf("%.4f  \"%s\" from %s\n", p[i].mass, p[i].text, name(p[i].source));
}

static void print_factors(const trib_results *results) {
    trib_ktensor k;
    trib_ktns_words words;
    if (trib_results_factors(results, 0, &k, &words, NULL) != TRIB_OK) return;
    printf("\n%s has %u components and a fit of %.4f\n", name(0), k.rank, k.fit);
    trib_ktensor_release(&k);
    trib_ktns_words_release(&words);
}

int main(int argc, char **argv) {
    trib_results *results;
    trib_error error = {TRIB_OK, ""};
    if (argc != 2) return fprintf(stderr, "usage: results RUN\n"), 2;
    if (trib_results_open(&results, argv[1], &error) != TRIB_OK) {
        fprintf(stderr, "error: %s\n", error.message);
        return 1;
    }
    print_documents(results);
    print_passages(results);
    print_phrases(results);
    print_factors(results);
    trib_results_close(results);
    return 0;
}
