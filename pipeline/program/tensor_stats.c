/* tensor_stats.c - `tributary tensor stats`: describes a tensor, how HaCOO's hash spreads it,
 * and its size in every format. Collision rate and chain lengths as in Charles 2023, tables 3.1
 * and 3.2. That thesis calls the length of a chain "probe depth"; here the number of entries
 * that a lookup compares is a value of its own. */

#include "pipeline/program/tools.h"

enum { N_LARGEST = 10, MAX_BINS = 1024, SHOWN_BINS = 10, BAR = 40, SEGMENTS = 64 };

/* One of the largest values, with its indices. */
typedef struct nonzero {
    uint32_t index[TRIB_MAX_MODES];
    double value;
} nonzero;

/* The distribution of whole numbers from 1 on. */
typedef struct spread {
    double mean;
    size_t median, mode, most;
} spread;

typedef struct stats {
    trib_view view;
    size_t nnz;
    double density, sum, norm;
    size_t n_distinct[TRIB_MAX_MODES];
    nonzero largest[N_LARGEST];
    size_t n_largest, n_ones; /* n_ones: the number of values equal to 1 */
    size_t bin[MAX_BINS];     /* [i] buckets with i entries; the last bin: or more */
    /* the lengths of the chains in used buckets; the entries that a lookup compares */
    spread chains, probes;
    double collision_rate;
    size_t n_used, n_aliases;
    double use[SEGMENTS]; /* entries per bucket in each segment of the table */
    size_t n_segments;
    trib_fiber_class fiber[TRIB_MAX_MODES][TRIB_FIBER_CLASSES];
    bool lacks_memory; /* there is not enough memory for the fibers */
} stats;

/* ---- The tensor ------------------------------------------------------------------------------ */

static bool comes_before(const nonzero *a, const nonzero *b, uint32_t n_modes) {
    if (a->value != b->value) return a->value > b->value;
    for (uint32_t m = 0; m < n_modes; m++)
        if (a->index[m] != b->index[m]) return a->index[m] < b->index[m];
    return false;
}

static void note_largest(stats *s, const nonzero *one) {
    size_t at = s->n_largest;
    if (at < N_LARGEST) s->n_largest++;
    else if (comes_before(one, &s->largest[--at], s->view.n_modes)) s->largest[at] = *one;
    else return;
    for (; at > 0 && comes_before(one, &s->largest[at - 1], s->view.n_modes); at--)
        s->largest[at] = s->largest[at - 1];
    s->largest[at] = *one;
}

/* Counts the indices of each mode that occur, by reducing the tensor over the other modes. */
static trib_status count_distinct(stats *s, trib_error *error) {
    const uint32_t all = (UINT32_C(1) << s->view.n_modes) - 1;
    trib_status status = TRIB_OK;
    for (uint32_t m = 0; m < s->view.n_modes && status == TRIB_OK; m++) {
        trib_sparse counts;
        status = trib_sparse_collapse(&counts, &s->view, all & ~(UINT32_C(1) << m),
                                      trib_reduction_find("count"), error);
        if (status == TRIB_OK) s->n_distinct[m] = counts.place.nnz;
        if (status == TRIB_OK) trib_sparse_release(&counts);
    }
    return status;
}

static trib_status look_at_values(stats *s, trib_error *error) {
    nonzero one;
    s->nnz = trib_view_nnz(&s->view);
    s->sum = trib_view_sum(&s->view);
    s->norm = trib_view_norm(&s->view);
    s->density = (double)s->nnz;
    for (uint32_t m = 0; m < s->view.n_modes; m++) s->density /= s->view.dim[m];
    for (trib_cursor c = trib_view_begin(&s->view); trib_view_next(&c);) {
        memcpy(one.index, c.index, sizeof one.index);
        one.value = c.value;
        s->n_ones += one.value == 1;
        note_largest(s, &one);
    }
    return count_distinct(s, error);
}

/* ---- The hash table -------------------------------------------------------------------------- */

/* The distribution when count[i] things have the value i, 1 <= i < n. */
static spread spread_of(const size_t count[], size_t n) {
    spread s = {.mode = 0};
    double total = 0, sum = 0, below = 0;
    for (size_t i = 1; i < n; i++) {
        total += (double)count[i];
        sum += (double)i * (double)count[i];
        if (count[i] > 0) s.most = i;
        if (count[i] > 0 && (s.mode == 0 || count[i] > count[s.mode])) s.mode = i;
    }
    if (total > 0) s.mean = sum / total;
    for (size_t i = 1; i < n && s.median == 0; i++) {
        below += (double)count[i];
        if (2 * below >= total && total > 0) s.median = i;
    }
    return s;
}

static void look_at_buckets(stats *s) {
    const trib_hacoo *table = s->view.parent;
    trib_hacoo_spread all;
    size_t seen[MAX_BINS] = {0}; /* [i] entries at position i of their chain */
    trib_hacoo_spread_of(table, &all);
    s->n_segments = table->n_buckets < SEGMENTS ? table->n_buckets : SEGMENTS;
    const size_t length = table->n_buckets / s->n_segments;
    for (size_t b = 0; b < table->n_buckets; b++) {
        const size_t n = trib_hacoo_chain(table, b);
        s->bin[n < MAX_BINS ? n : MAX_BINS - 1]++;
        s->use[b / length] += (double)n / (double)length;
        for (size_t i = 1; i <= n && i < MAX_BINS; i++) seen[i]++;
    }
    s->chains = spread_of(s->bin, MAX_BINS);
    s->probes = spread_of(seen, MAX_BINS);
    s->chains.most = s->probes.most = all.max_probes;
    s->chains.mean = all.n_used_buckets ? (double)table->nnz / (double)all.n_used_buckets : 0;
    s->probes.mean = all.mean_probes;
    s->collision_rate = all.collision_rate;
    s->n_used = all.n_used_buckets;
    s->n_aliases = all.n_aliases;
}

/* Compares fibers with buckets; for a tensor too large to be copied several times in memory this
 * is left out. */
static trib_status look_at_fibers(stats *s, trib_error *error) {
    trib_status status = TRIB_OK;
    for (uint32_t m = 0; m < s->view.n_modes && status == TRIB_OK; m++)
        status = trib_hacoo_fibers_of(s->view.parent, m, s->fiber[m], error);
    s->lacks_memory = status == TRIB_MEMORY;
    return s->lacks_memory ? TRIB_OK : status;
}

/* ---- Text output ----------------------------------------------------------------------------- */

static void print_tensor(const stats *s, const char *path, const char *form, trib_writer *out) {
    char size[TRIB_SIZE_TEXT];
    const trib_view *x = &s->view;
    trib_print(out, "%s (%s)\n", path, form);
    trib_print(out, "  size                %s\n", trib_size_text(size, x->n_modes, x->dim));
    trib_print(out, "  nonzeros            %zu, density %.3g\n", s->nnz, s->density);
    trib_print(out, "  distinct indices    ");
    for (uint32_t m = 0; m < x->n_modes; m++)
        trib_print(out, "%s%zu", m ? ", " : "", s->n_distinct[m]);
    trib_print(out, "%s\n", x->n_modes > 1 ? ", mode by mode" : "");
    trib_print(out, "  sum, norm           %.10g, %.10g\n", s->sum, s->norm);
    trib_print(out, "  values of 1         %zu, %.1f %%\n", s->n_ones,
               s->nnz ? 100 * (double)s->n_ones / (double)s->nnz : 0);
    for (size_t i = 0; i < s->n_largest; i++) {
        trib_print(out, "  %-19s ", i == 0 ? "largest values" : "");
        trib_print(out, "%-12.10g at ", s->largest[i].value);
        trib_index_print(out, x->n_modes, s->largest[i].index);
        trib_write_text(out, "\n");
    }
}

static void print_spread(const char *name, const spread *s, const char *what, trib_writer *out) {
    trib_print(out, "  %-19s mean %.2f, median %zu, mode %zu, most %zu (%s)\n", name, s->mean,
               s->median, s->mode, s->most, what);
}

/* Prints a bar for each chain length, and the use of the table from its first bucket to its
 * last. */
static void print_picture(const stats *s, trib_writer *out) {
    static const char *const full[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    size_t last = s->chains.most < SHOWN_BINS ? s->chains.most : SHOWN_BINS, most = 1, rest = 0;
    for (size_t i = 0; i < MAX_BINS; i++)
        if (s->bin[i] > most) most = s->bin[i];
    for (size_t i = last + 1; i < MAX_BINS; i++) rest += s->bin[i];
    trib_print(out, "  buckets with so many entries\n");
    for (size_t i = 0; i <= last + (rest > 0); i++) {
        const size_t n = i > last ? rest : s->bin[i];
        const size_t bar = (n * BAR + most - 1) / most;
        trib_print(out, "  %8zu%s  ", i, i > last ? "+" : " ");
        for (size_t k = 0; k < BAR; k++) trib_write_text(out, k < bar ? "#" : " ");
        trib_print(out, "  %zu\n", n);
    }
    trib_print(
        out,
        "  entries along the table, %zu segments of %zu bucket%s: a full block is twice the mean\n"
        "    |",
        s->n_segments, s->view.parent->n_buckets / s->n_segments,
        s->view.parent->n_buckets == s->n_segments ? "" : "s");
    const double mean = (double)s->view.parent->nnz / (double)s->view.parent->n_buckets;
    for (size_t i = 0; i < s->n_segments; i++) {
        const double level = mean > 0 ? ceil(4 * s->use[i] / mean) : 0;
        trib_write_text(out, full[level > 8 ? 8 : (size_t)level]);
    }
    trib_write_text(out, "|\n");
}

static void print_hash(const stats *s, trib_writer *out) {
    const trib_hacoo *table = s->view.parent;
    trib_print(out, "\nHaCOO, hash %s, load %g\n", table->hash->name, table->load);
    trib_print(out, "  buckets             %zu, used %zu (%.1f %%)\n", table->n_buckets, s->n_used,
               100 * (double)s->n_used / (double)table->n_buckets);
    trib_print(out, "  bytes               %zu\n", trib_hacoo_bytes(table));
    trib_print(out, "  collision rate      %.2f %%\n", 100 * s->collision_rate);
    print_spread("chain length", &s->chains, "of used buckets", out);
    print_spread("probe depth", &s->probes, "entries a lookup compares", out);
    if (table->hash->aliases)
        trib_print(out,
                   "  aliases             %zu (the digits of an earlier entry, as 1 23 and 12 3)\n",
                   s->n_aliases);
    print_picture(s, out);
}

/* "2-7", or "512-" for the last class. */
static const char *length_text(char text[32], size_t k) {
    const size_t from = trib_fiber_shortest[k];
    if (k == 0) snprintf(text, 32, "1");
    else if (k + 1 == TRIB_FIBER_CLASSES) snprintf(text, 32, "%zu-", from);
    else snprintf(text, 32, "%zu-%zu", from, trib_fiber_shortest[k + 1] - 1);
    return text;
}

/* Shows whether the entries of dense fibers collide more than others. */
static void print_fibers(const stats *s, trib_writer *out) {
    char text[32];
    trib_write_text(out,
                    "\nFibers (all indices but one are equal), and entries that share a bucket\n");
    if (s->lacks_memory) {
        trib_write_text(out, "  too little memory to compare them\n");
        return;
    }
    trib_write_text(
        out, "  mode  length       fibers      entries    share  with their fiber, by chance\n");
    for (uint32_t m = 0; m < s->view.n_modes; m++)
        for (size_t k = 0; k < TRIB_FIBER_CLASSES; k++) {
            const trib_fiber_class *c = &s->fiber[m][k];
            const double percent = c->n_entries ? 100 / (double)c->n_entries : 0;
            if (c->n_entries == 0) continue;
            trib_print(out, "  %4u  %-7s %11zu %12zu %6.2f %% %14.2f %% %8.2f %%\n", m + 1,
                       length_text(text, k), c->n_fibers, c->n_entries,
                       percent * (double)c->n_sharing, percent * (double)c->n_within,
                       percent * c->by_chance);
        }
}

/* ---- JSON output ----------------------------------------------------------------------------- */

static json_t *spread_json(const spread *s) {
    return json_pack("{s:o, s:I, s:I, s:I}", "mean", trib_json_real("mean", s->mean), "median",
                     (json_int_t)s->median, "mode", (json_int_t)s->mode, "most",
                     (json_int_t)s->most);
}

static json_t *tensor_json(const stats *s) {
    json_t *distinct = json_array(), *largest = json_array();
    for (uint32_t m = 0; m < s->view.n_modes; m++)
        json_array_append_new(distinct, json_integer((json_int_t)s->n_distinct[m]));
    for (size_t i = 0; i < s->n_largest; i++)
        json_array_append_new(largest,
                              json_pack("{s:o, s:o}", "index",
                                        trib_index_json(s->view.n_modes, s->largest[i].index),
                                        "value", trib_value_json(s->largest[i].value)));
    return json_pack("{s:o, s:I, s:o, s:o, s:o, s:o, s:I, s:o}", "size",
                     trib_size_json(s->view.n_modes, s->view.dim), "nonzeros", (json_int_t)s->nnz,
                     "density", trib_json_real("density", s->density), "distinct", distinct, "sum",
                     trib_value_json(s->sum), "norm", trib_json_real("norm", s->norm), "ones",
                     (json_int_t)s->n_ones, "largest", largest);
}

static json_t *hash_json(const stats *s) {
    const trib_hacoo *table = s->view.parent;
    json_t *bins = json_array();
    for (size_t i = 0; i <= s->chains.most && i < MAX_BINS; i++)
        json_array_append_new(bins, json_integer((json_int_t)s->bin[i]));
    return json_pack("{s:s, s:o, s:I, s:I, s:I, s:o, s:o, s:o, s:o*, s:o}", "hash",
                     table->hash->name, "load", trib_json_real("load", table->load), "buckets",
                     (json_int_t)table->n_buckets, "bytes", (json_int_t)trib_hacoo_bytes(table),
                     "used", (json_int_t)s->n_used, "collision_rate",
                     trib_json_real("collision_rate", s->collision_rate), "chain_length",
                     spread_json(&s->chains), "probe_depth", spread_json(&s->probes), "aliases",
                     table->hash->aliases ? json_integer((json_int_t)s->n_aliases) : NULL,
                     "buckets_by_entries", bins);
}

static json_t *fibers_json(const stats *s) {
    if (s->lacks_memory) return json_null();
    json_t *list = json_array();
    for (uint32_t m = 0; m < s->view.n_modes; m++)
        for (size_t k = 0; k < TRIB_FIBER_CLASSES; k++) {
            const trib_fiber_class *c = &s->fiber[m][k];
            if (c->n_entries == 0) continue;
            json_array_append_new(
                list,
                json_pack("{s:i, s:I, s:I, s:I, s:I, s:I, s:o}", "mode", (int)m + 1, "shortest",
                          (json_int_t)trib_fiber_shortest[k], "fibers", (json_int_t)c->n_fibers,
                          "entries", (json_int_t)c->n_entries, "sharing", (json_int_t)c->n_sharing,
                          "within", (json_int_t)c->n_within, "within_by_chance",
                          trib_json_real("within_by_chance", c->by_chance)));
        }
    return list;
}

/* ---- Formats --------------------------------------------------------------------------------- */

/* Receives the sizes of the formats: as lines of text, or in a JSON list. */
typedef struct listing {
    trib_writer *out;
    json_t *list;  /* NULL: lines */
    json_t *hicoo; /* beside the list: the numbers that decide whether HiCOO saves space */
} listing;

static void tell_bytes(const listing *to, const trib_tensor *tensor) {
    const size_t bytes = trib_tensor_bytes(tensor);
    if (to->list)
        json_array_append_new(to->list, json_pack("{s:s, s:I}", "format", tensor->format->name,
                                                  "bytes", (json_int_t)bytes));
    else
        trib_print(to->out, "  %-12s %12zu  %11.2f%s\n", tensor->format->name, bytes,
                   tensor->nnz ? (double)bytes / (double)tensor->nnz : 0,
                   strcmp(tensor->format->name, "hacoo") == 0 ? "  beside the table" : "");
}

static void tell_refusal(const listing *to, const trib_format *format, const char *why) {
    if (to->list)
        json_array_append_new(
            to->list, json_pack("{s:s, s:n, s:s}", "format", format->name, "bytes", "why", why));
    else trib_print(to->out, "  %-12s %12s  %s\n", format->name, "-", why);
}

/* [H] section V.C: alpha_b and c_b, which show whether HiCOO saves space, measured on the built
 * tensor and predicted from a sample. */
static trib_status tell_hicoo(listing *to, const trib_tensor *tensor, const trib_hacoo *table,
                              trib_error *error) {
    trib_hicoo_report r;
    trib_hicoo_prediction p;
    trib_status status = trib_hicoo_report_of(tensor, 1, &r, error);
    if (status == TRIB_OK)
        status = trib_hicoo_predict(table, UINT32_C(1) << r.block_bits, &p, error);
    if (status != TRIB_OK) return status;
    if (to->list)
        to->hicoo = json_pack(
            "{s:i, s:I, s:o, s:o, s:{s:I, s:o, s:o, s:o}, s:s}", "block_bits", (int)r.block_bits,
            "blocks", (json_int_t)r.n_blocks, "alpha_b", trib_json_real("alpha_b", r.block_ratio),
            "c_b", trib_json_real("c_b", r.slice_size), "predicted", "blocks",
            (json_int_t)p.n_blocks, "alpha_b", trib_json_real("alpha_b", p.block_ratio), "c_b",
            trib_json_real("c_b", p.slice_size), "deviation",
            trib_json_real("deviation", p.deviation), "advice", r.advice);
    else
        trib_print(to->out,
                   "               %zu blocks of 2^%u a side: alpha_b %.3f, c_b %.3f\n"
                   "               predicted from %zu of them: alpha_b %.3f, c_b %.3f (+-%.1f %%)\n"
                   "               %s\n",
                   r.n_blocks, (unsigned)r.block_bits, r.block_ratio, r.slice_size, p.n_blocks,
                   p.block_ratio, p.slice_size, 100 * p.deviation, r.advice);
    return status;
}

/* Builds one format after the other and reports its size, or that memory cannot hold it. */
static trib_status tell_formats(const trib_tensor_file *file, trib_tensor_cut cut, listing *to,
                                trib_error *error) {
    trib_status status = TRIB_OK;
    if (!to->list) trib_print(to->out, "\nFormats               bytes  per nonzero\n");
    for (const trib_format *const *f = trib_formats; *f && status == TRIB_OK; f++) {
        trib_tensor tensor;
        trib_error refusal = {0};
        status = trib_tensor_build_cut(&tensor, *f, cut, &file->tensor.place, file->tensor.value, 1,
                                       &refusal);
        if (status == TRIB_OK) tell_bytes(to, &tensor);
        else tell_refusal(to, *f, refusal.message);
        if (status == TRIB_OK && *f == trib_format_find("hicoo"))
            status = tell_hicoo(to, &tensor, &file->tensor.place, error);
        else status = TRIB_OK;
        trib_tensor_release(&tensor);
    }
    return status;
}

trib_status trib_tensor_do_stats(trib_tensor_job *job, trib_error *error) {
    const bool as_json = job->line->json;
    const trib_tensor_file *file = &job->file[0];
    trib_writer *out = job->line->out;
    static const stats empty;
    stats s = empty;
    listing to = {.out = out, .list = as_json ? json_array() : NULL};
    const trib_format *best = NULL;
    char reason[TRIB_REASON_MAX];
    trib_status status = trib_tensor_load(job, 1, error);
    s.view = job->x;
    if (status == TRIB_OK) status = look_at_values(&s, error);
    if (status == TRIB_OK) {
        look_at_buckets(&s);
        best = trib_format_choose(&trib_format_auto, &file->tensor.place, job->config.cp.rank,
                                  job->config.cp.iterations, reason);
        if (!as_json) print_tensor(&s, trib_input_name(job->line->operand[0]), file->form, out);
        if (!as_json) print_hash(&s, out);
        status = look_at_fibers(&s, error);
    }
    if (status == TRIB_OK) {
        if (!as_json) print_fibers(&s, out);
        status = tell_formats(file, job->config.tensor.cut, &to, error);
    }
    if (status == TRIB_OK && as_json)
        status = trib_json_print(out, error, "{s:s, s:o, s:o, s:o, s:O, s:O?, s:{s:s, s:s}}",
                                 "form", file->form, "tensor", tensor_json(&s), "hacoo",
                                 hash_json(&s), "fibers", fibers_json(&s), "formats", to.list,
                                 "hicoo", to.hicoo, "auto", "format", best->name, "reason", reason);
    else if (status == TRIB_OK) trib_print(out, "  auto is %s: %s\n", best->name, reason);
    json_decref(to.list);
    json_decref(to.hicoo);
    return status;
}
