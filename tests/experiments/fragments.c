/* fragments.c - fragments of the 3-grams of texts: size, time to write and to read whole, and what
 * a point and a region touch of the file. */
#include "tests/experiments/experiment.h"

#include <unistd.h>

enum { N_WAYS = 16, N_POINTS = 100 };

void experiment_write_fragment(void *fragment) {
    experiment_fragment *w = fragment;
    trib_writer writer;
    bench_must(trib_writer_open(&writer, w->path, &bench_error));
    bench_must(trib_fragment_write(w->table, &w->options, &writer, &bench_error));
    w->n_bytes = writer.n_written;
    bench_must(trib_writer_commit(&writer, NULL, &bench_error));
}

static void read_fragment(void *context) {
    const experiment_fragment *w = context;
    trib_fragment fragment;
    trib_hacoo table;
    bench_must(trib_fragment_open(&fragment, w->path, &bench_error));
    bench_must(trib_fragment_read(&fragment, 1, &table, NULL, &bench_error));
    if (table.nnz != w->table->nnz || table.total != w->table->total)
        bench_fail("read back otherwise");
    trib_hacoo_release(&table);
    trib_fragment_close(&fragment);
}

/* Pages of the fragment that hold something of the box: what has to be read at least. */
static size_t pages_needed(const experiment_fragment *w, const trib_box *box) {
    trib_fragment fragment;
    trib_hacoo table;
    size_t n_needed = 0;
    bench_must(trib_fragment_open(&fragment, w->path, &bench_error));
    bench_must(trib_fragment_read(&fragment, 1, &table, NULL, &bench_error));
    bool was_counted = false;
    for (size_t e = 0; e < table.nnz; e++) { /* the entries arrive in the order of the pages */
        uint32_t index[TRIB_MAX_MODES];
        bool is_inside = true;
        trib_hacoo_entry(&table, e, index);
        for (uint32_t m = 0; m < table.n_modes; m++)
            is_inside = is_inside && index[m] >= box->lower[m] && index[m] < box->upper[m];
        if (e % 4096 == 0) was_counted = false;
        if (is_inside && !was_counted) n_needed++;
        was_counted = was_counted || is_inside;
    }
    trib_hacoo_release(&table);
    trib_fragment_close(&fragment);
    return n_needed;
}

static void print_reads(const experiment_fragment *w, const bench_text *text) {
    trib_fragment fragment;
    trib_hacoo found;
    const uint32_t n = text->n_types;
    const trib_box box = {{n / 1000, 0, 0}, {n / 1000 + 10, n, n}};
    uint64_t n_point_pages = 0, n_point_bytes = 0, count = 0;
    bench_must(trib_fragment_open(&fragment, w->path, &bench_error));
    const uint64_t n_directory = fragment.n_bytes_read;
    for (size_t i = 0; i < N_POINTS; i++) {
        const uint64_t pages = fragment.n_pages_read, bytes = fragment.n_bytes_read;
        const size_t at = (text->n_words - 3) / N_POINTS * i;
        bench_must(trib_fragment_points(&fragment, 1, 1, text->id + at, &count, &bench_error));
        n_point_pages += fragment.n_pages_read - pages;
        n_point_bytes += fragment.n_bytes_read - bytes;
    }
    fragment.n_pages_read = fragment.n_bytes_read = 0;
    bench_must(trib_fragment_region(&fragment, 1, &box, &found, NULL, &bench_error));
    printf("%zu | %llu | %.2f, %.0f | %llu of %zu, %llu | %zu |\n", fragment.n_pages,
           (unsigned long long)n_directory, (double)n_point_pages / N_POINTS,
           (double)n_point_bytes / N_POINTS, (unsigned long long)fragment.n_pages_read,
           pages_needed(w, &box), (unsigned long long)fragment.n_bytes_read, found.nnz);
    trib_hacoo_release(&found);
    trib_fragment_close(&fragment);
}

static void try_text(const bench_text *text, const char *folder) {
    trib_hacoo table;
    experiment_fragment ways[N_WAYS];
    experiment_way writing[N_WAYS], reading[N_WAYS];
    size_t n = 0;
    bench_ngrams(&table, text, 3, 0, text->n_words);
    for (int compress = 0; compress < 2; compress++)
        for (const trib_organisation *row = trib_organisations; row->name && n < N_WAYS; row++) {
            ways[n] = (experiment_fragment){.table = &table,
                                            .options = {.organisation = row, .compress = compress}};
            snprintf(ways[n].path, sizeof ways[n].path, "%s/%zu.fragment", folder, n);
            writing[n] = (experiment_way){experiment_write_fragment, &ways[n], 0, 0};
            reading[n] = (experiment_way){read_fragment, &ways[n], 0, 0};
            n++;
        }
    experiment_time(writing, n, 5);
    experiment_time(reading, n, 5);
    uint64_t smallest = UINT64_MAX;
    for (size_t i = 0; i < n; i++)
        if (!ways[i].options.compress && ways[i].n_bytes < smallest) smallest = ways[i].n_bytes;
    printf("3-grams of %s: %zu nonzeros, modes of %u\n\n", text->name, table.nnz,
           (unsigned)text->n_types);
    puts("| organisation | bytes | per nonzero | of the smallest plain | write, ms | read, ms | "
         "pages | header and directory, bytes | a point: pages, bytes | a region: pages of those "
         "with something in it, bytes | its nonzeros |");
    puts("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (size_t i = 0; i < n; i++) {
        printf("| `%s`%s | %llu | %.3f | %.3f | %.1f | %.1f | ", ways[i].options.organisation->name,
               ways[i].options.compress ? ", zstd" : "", (unsigned long long)ways[i].n_bytes,
               (double)ways[i].n_bytes / (double)table.nnz,
               (double)ways[i].n_bytes / (double)smallest, 1e3 * writing[i].processor,
               1e3 * reading[i].processor);
        print_reads(&ways[i], text);
        unlink(ways[i].path);
    }
    puts("");
    trib_hacoo_release(&table);
}

void experiment_fragments(const experiment_texts *texts) {
    char folder[] = "/tmp/tributary-fragments-XXXXXX";
    if (!mkdtemp(folder)) bench_fail("no folder in /tmp");
    for (size_t t = 0; t < texts->n; t++) try_text(&texts->text[t], folder);
    rmdir(folder);
}
