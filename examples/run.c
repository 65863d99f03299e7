/* run.c - runs an experiment and prints the shares of its headline method: run CONFIG DIRECTORY
 *     cc run.c -o run $(pkg-config --cflags --libs tributary) */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tributary/tributary.h>

static void print_message(void *context, const char *level, const char *text) {
    (void)context;
    if (strcmp(level, "warning") == 0) fprintf(stderr, "warning: %s\n", text);
}

/* A window would draw a bar; to return false stops the run. */
static bool show_progress(void *context, const char *stage, double share) {
    (void)context;
    fprintf(stderr, "%s: %.0f %%\n", stage, 100 * share);
    return true;
}

static void print_shares(const trib_results *results) {
    size_t n, n_documents;
    const trib_result_document *document = trib_results_documents(results, &n_documents);
    const trib_result_share *share = trib_results_shares(results, &n);
    for (const trib_result_share *s = share; s < share + n; s++) {
        if (strcmp(s->method, trib_results_headline(results)) != 0) continue;
        printf("%s <- %s: %.4f", document[s->target].id,
               s->source == TRIB_AUTHOR    ? "(its author)"
               : s->source == TRIB_FORMULA ? "(formulas)"
                                           : document[s->source].id,
               s->share);
        if (!isnan(s->low)) printf(" [%.4f, %.4f]", s->low, s->high);
        printf("%s\n", s->is_below_floor ? ", below the noise floor" : "");
    }
}

int main(int argc, char **argv) {
    const trib_callbacks callbacks = {print_message, show_progress, NULL};
    const char *const settings[] = {"influence.methods=[traced, lowe]", NULL};
    trib_experiment *experiment;
    trib_results *results;
    trib_error error = {TRIB_OK, ""};
    if (argc != 3) return fprintf(stderr, "usage: run CONFIG DIRECTORY\n"), 2;
    trib_status status = trib_experiment_load(&experiment, argv[1], settings, &callbacks, &error);
    if (status == TRIB_OK) {
        static trib_experiment_options options; /* what is 0 is the default */
        options.directory = argv[2];
        options.resume = true;
        options.callbacks = &callbacks;
        status = trib_experiment_run(experiment, &options, &results, &error);
        trib_experiment_close(experiment);
    }
    if (status == TRIB_OK) {
        print_shares(results);
        trib_results_close(results);
    } else {
        fprintf(stderr, "error: %s\n", error.message);
    }
    return trib_status_get(status)->exit_status;
}
