/* flow_map.c - reads the flows of a result: chooses whether texts are shown singly or in groups,
 * adds up the shares of each pair, and puts nodes that share much near each other. */
#include "pipeline/output/flow_map.h"
#include "base/internal.h"

#include "pipeline/config/documents.h"

enum { NAME = 64 };

/* A document while groups are made. */
typedef struct member {
    uint32_t index;        /* among the documents */
    double year, year_end; /* of an open range the known end; NaN: not dated */
    char *made;            /* [NAME] room for the name of a group by date */
    const char *group;     /* the first `letters` bytes are the name of its group */
    size_t letters;
    double activity; /* sum of its shares above the floor, as a source and as a target */
} member;

/* ---- Documents ------------------------------------------------------------------------------- */

static size_t document_of(const trib_flow_map *flows, const char *id) {
    const trib_document_record *const document = trib_result_document_of(flows->result, id);
    return document ? (size_t)(document - flows->result->documents.item)
                    : flows->result->documents.n;
}

size_t trib_flow_map_node(const trib_flow_map *flows, const char *id) {
    const size_t d = document_of(flows, id);
    return d < flows->result->documents.n ? flows->node_of[d] : flows->n_nodes;
}

static member *read_documents(trib_flow_map *flows) {
    const size_t n = flows->result->documents.n;
    member *const made = trib_arena_new(&flows->arena, n, sizeof *made);
    char *const names = trib_arena_new(&flows->arena, n, NAME);
    flows->node_of = trib_arena_new(&flows->arena, n, sizeof *flows->node_of);
    for (size_t d = 0; made && names && d < n; d++) {
        const char *date = flows->result->documents.item[d].date;
        member *m = &made[d];
        *m = (member){.index = (uint32_t)d, .made = names + d * NAME};
        if (!trib_date_read(date ? date : "", &m->year, &m->year_end))
            m->year = m->year_end = (double)NAN;
        trib_date_close(&m->year, &m->year_end);
    }
    return made;
}

/* ---- Shares ---------------------------------------------------------------------------------- */

/* The share of one source of one target. */
typedef struct flow {
    size_t target, source; /* documents */
    double share;
    bool is_above; /* at or above the noise floor, and not that of a decoy */
} flow;

/* Returns the group of a share, if its source is the member of it with the largest share, of equal
 * ones the first; NULL otherwise. Sets *is_led if another member has a larger share. */
static const trib_group_record *group_led(const trib_influence_record *method,
                                          const trib_share_record *row, bool *is_led) {
    *is_led = false;
    if (!row->group) return NULL;
    for (size_t i = 0; i < method->shares.n && !*is_led; i++) {
        const trib_share_record *other = &method->shares.item[i];
        *is_led = other != row && other->group && strcmp(other->group, row->group) == 0 &&
                  (other->share > row->share || (other->share == row->share && other < row));
    }
    return *is_led ? NULL : trib_method_group(method, row->group);
}

/* Calls `take` for each share above 0 of a target. The share of a group of sources that cannot be
 * told apart is that of the member with the largest part of it, as in the graph. */
static void take_flows(const trib_flow_map *flows, size_t target,
                       const trib_influence_record *method,
                       void (*take)(void *context, const flow *f), void *context) {
    flow f = {.target = target};
    for (size_t s = 0; method && s < method->shares.n; s++) {
        const trib_share_record *row = &method->shares.item[s];
        bool is_led = false;
        const trib_group_record *group = group_led(method, row, &is_led);
        if (is_led) continue;
        f.source = document_of(flows, row->source);
        f.share = group ? group->share : row->share;
        f.is_above = !row->below_floor && !row->decoy;
        if (f.source < flows->result->documents.n && f.share > 0) take(context, &f);
    }
}

/* Calls `take` for each share of the headline method above 0. */
static trib_status each_flow(const trib_flow_map *flows, void (*take)(void *context, const flow *f),
                             void *context, trib_error *error) {
    const trib_result *result = flows->result;
    trib_status status = TRIB_OK;
    for (size_t t = 0; t < result->targets.n && status == TRIB_OK; t++) {
        const size_t target = document_of(flows, result->targets.item[t].id);
        TRIB_OWNED(trib_arena) arena = {0};
        if (target == result->documents.n) continue;
        const trib_target_record *record = trib_target_read_lean(result, t, &arena);
        status = trib_arena_check(&arena, error);
        if (status == TRIB_OK)
            take_flows(flows, target, trib_target_headline(result, record), take, context);
    }
    return status;
}

static void add_activity(void *context, const flow *f) {
    member *made = context;
    if (!f->is_above) return;
    made[f->source].activity += f->share;
    made[f->target].activity += f->share;
}

/* The n-grams of a target, at least 1. */
static double n_grams_of(const trib_document_record *document) {
    return document->ngrams > 0 ? (double)document->ngrams : 1;
}

/* Adds a share to its cell, as n-grams of the targets. */
static void add_to_cell(void *context, const flow *f) {
    const trib_flow_map *flows = context;
    trib_map_cell *cell =
        &flows->cell[flows->node_of[f->source] * flows->n_nodes + flows->node_of[f->target]];
    const trib_document_record *target = &flows->result->documents.item[f->target];
    const bool is_first = f->is_above && cell->n_flows == 0;
    cell->share += f->share * n_grams_of(target);
    cell->n_flows += f->is_above;
    if (is_first || (f->is_above == (cell->n_flows > 0) && f->share > cell->strongest)) {
        cell->strongest = f->share;
        cell->source = flows->result->documents.item[f->source].id;
        cell->target = target->id;
    }
}

/* ---- Groups ---------------------------------------------------------------------------------- */

static int compare_names(const member *a, const member *b) {
    const size_t n = a->letters < b->letters ? a->letters : b->letters;
    const int order = n > 0 ? memcmp(a->group, b->group, n) : 0;
    return order ? order : (a->letters > b->letters) - (a->letters < b->letters);
}

TRIB_ORDER(compare_members, member, compare_names(x, y) ?: TRIB_UP(index));

TRIB_ORDER(compare_activity, member, TRIB_DOWN(activity) ?: TRIB_UP(index));

/* Names the group of a document; the empty name: it has none. */
static void name_by_author(const trib_document_record *document, member *m, double unit) {
    (void)unit;
    m->group = document->author;
    m->letters = strlen(m->group);
}

static void name_by_folder(const trib_document_record *document, member *m, double unit) {
    (void)unit;
    m->group = document->file;
    const char *slash = strrchr(m->group, '/');
    m->letters = slash ? (size_t)(slash - m->group) : 0;
}

/* "1790-1799", "1790", "49-40 BC"; the year 0 of ISO 8601 is 1 BC, and there is no year 0 here. */
static void name_by_date(const trib_document_record *document, member *m, double unit) {
    (void)document;
    m->group = m->made;
    m->made[0] = '\0';
    if (!isnan(m->year)) {
        const double year = floor(trib_date_point(m->year, m->year_end)),
                     number = year <= 0 ? 1 - year : year;
        const double low = fmax(1, floor(number / unit) * unit),
                     high = floor(number / unit) * unit + unit - 1;
        if (unit == 1) snprintf(m->made, NAME, "%.0f%s", number, year <= 0 ? " BC" : "");
        else if (year <= 0) snprintf(m->made, NAME, "%.0f\xE2\x80\x93%.0f BC", high, low);
        else snprintf(m->made, NAME, "%.0f\xE2\x80\x93%.0f", low, high);
    }
    m->letters = strlen(m->made);
}

/* The ways to make groups, the preferred first. */
static const struct grouping {
    const char *by;
    void (*name)(const trib_document_record *document, member *m, double unit);
    double unit; /* years */
} groupings[] = {
    {"author", name_by_author, 0},  {"year", name_by_date, 1},
    {"decade", name_by_date, 10},   {"50 years", name_by_date, 50},
    {"century", name_by_date, 100}, {"500 years", name_by_date, 500},
    {"folder", name_by_folder, 0},
};
enum { N_GROUPINGS = sizeof groupings / sizeof *groupings };

/* Names the groups, sorts the members by them, and returns how many groups there are; 0 when more
 * than a fifth of the documents has none. */
static size_t try_grouping(const trib_flow_map *flows, const struct grouping *grouping,
                           member *made) {
    const size_t n = flows->result->documents.n;
    size_t n_groups = 0, n_without = 0;
    for (size_t d = 0; d < n; d++)
        grouping->name(&flows->result->documents.item[made[d].index], &made[d], grouping->unit);
    qsort(made, n, sizeof *made, compare_members);
    for (size_t d = 0; d < n; d++) {
        n_without += made[d].letters == 0;
        n_groups += d == 0 || compare_names(&made[d - 1], &made[d]) != 0;
    }
    return 5 * n_without > n ? 0 : n_groups;
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

/* A node for each group of members, which are sorted by its name. */
static void make_groups(trib_flow_map *flows, const member *made) {
    for (size_t d = 0; d < flows->result->documents.n; d++) {
        const member *m = &made[d];
        if (d == 0 || compare_names(m - 1, m) != 0)
            flows->node[flows->n_nodes++].name =
                m->letters > 0 ? trib_arena_copy(&flows->arena, m->group, m->letters) : "(none)";
        flows->node_of[m->index] = (uint32_t)(flows->n_nodes - 1);
    }
}

/* A node for each text; of more than can be drawn, for those with the largest shares, and one for
 * the others. */
static void make_texts(trib_flow_map *flows, member *made) {
    const size_t n = flows->result->documents.n;
    const bool is_all = n <= TRIB_FLOW_MAP_TEXTS;
    const size_t n_single = is_all ? n : TRIB_FLOW_MAP_TEXTS - 1;
    if (!is_all) qsort(made, n, sizeof *made, compare_activity);
    for (size_t d = 0; d < n; d++) {
        const trib_document_record *document = &flows->result->documents.item[made[d].index];
        const size_t node = d < n_single ? d : n_single;
        flows->node_of[made[d].index] = (uint32_t)node;
        if (d >= n_single) continue;
        flows->node[node].id = document->id;
        flows->node[node].name = *document->title ? document->title : document->id;
    }
    flows->n_nodes = n_single;
    if (is_all) return;
    flows->node[flows->n_nodes++].name =
        trib_arena_print(&flows->arena, "the other %zu texts", n - n_single);
}

/* Orders nodes by their dates; undated ones are last; then by id or name. */
static int compare_nodes(const void *a, const void *b) {
    const trib_map_node *x = a, *y = b;
    const double from = isnan(x->from) ? HUGE_VAL : x->from,
                 other = isnan(y->from) ? HUGE_VAL : y->from;
    if (!x->id != !y->id) return x->id ? -1 : 1; /* "the other texts" come last */
    if (from != other) return from < other ? -1 : 1;
    return strcmp(x->id ? x->id : x->name, y->id ? y->id : y->name);
}

/* Sums up the documents of each node, and sorts the nodes. */
static void finish_nodes(trib_flow_map *flows, const member *made) {
    uint32_t *const place = trib_arena_new(&flows->arena, flows->n_nodes, sizeof *place);
    if (!place) return;
    for (size_t i = 0; i < flows->n_nodes; i++)
        flows->node[i].from = flows->node[i].to = (double)NAN;
    for (size_t d = 0; d < flows->result->documents.n; d++) {
        trib_map_node *node = &flows->node[flows->node_of[made[d].index]];
        node->from = fmin(node->from, made[d].year); /* fmin and fmax ignore NaN */
        node->to = fmax(node->to, made[d].year_end);
        node->n_texts++;
    }
    for (size_t t = 0; t < flows->result->targets.n; t++) {
        const size_t d = document_of(flows, flows->result->targets.item[t].id);
        if (d == flows->result->documents.n) continue;
        flows->node[flows->node_of[d]].n_targets++;
        flows->node[flows->node_of[d]].n_grams += n_grams_of(&flows->result->documents.item[d]);
    }
    for (size_t i = 0; i < flows->n_nodes; i++) flows->node[i].place = (uint32_t)i;
    if (flows->n_nodes > 1) qsort(flows->node, flows->n_nodes, sizeof *flows->node, compare_nodes);
    for (size_t i = 0; i < flows->n_nodes; i++) place[flows->node[i].place] = (uint32_t)i;
    for (size_t d = 0; d < flows->result->documents.n; d++)
        flows->node_of[d] = place[flows->node_of[d]];
}

static trib_status make_nodes(trib_flow_map *flows, member *made, trib_error *error) {
    const size_t n = flows->result->documents.n;
    trib_status status = TRIB_OK;
    flows->node = trib_arena_new(&flows->arena, n < TRIB_FLOW_MAP_TEXTS ? n : TRIB_FLOW_MAP_TEXTS,
                                 sizeof *flows->node);
    if (!flows->node) return trib_arena_check(&flows->arena, error);
    flows->by = "text";
    if (n > TRIB_FLOW_MAP_TEXTS) {
        status = each_flow(flows, add_activity, made, error); /* while made[d] is document d */
        for (size_t g = 0; g < N_GROUPINGS && flows->n_nodes == 0; g++) {
            const size_t n_groups = try_grouping(flows, &groupings[g], made);
            if (n_groups < 2 || n_groups > TRIB_FLOW_MAP_TEXTS) continue;
            flows->by = groupings[g].by;
            make_groups(flows, made);
        }
    }
    if (flows->n_nodes == 0) make_texts(flows, made);
    finish_nodes(flows, made);
    return status == TRIB_OK ? trib_arena_check(&flows->arena, error) : status;
}

/* ---- Order ----------------------------------------------------------------------------------- */

/* Average linkage (Sokal and Michener 1958) on the larger of the two shares of a pair. Each cluster
 * is a row of nodes; when two are joined, they are turned so that their most similar ends meet.
 * Ties go to the earlier nodes, so the order is the same on every machine. */
typedef struct clustering {
    const trib_flow_map *flows;
    uint32_t *row;    /* [n] the nodes, cluster after cluster */
    uint32_t *turned; /* [n] scratch */
    uint32_t *start;  /* [n_clusters + 1] start of each cluster in `row` */
    size_t n_clusters;
} clustering;

static double similarity(const trib_flow_map *flows, uint32_t a, uint32_t b) {
    const double there = flows->cell[a * flows->n_nodes + b].share,
                 back = flows->cell[b * flows->n_nodes + a].share;
    return there > back ? there : back;
}

static double mean_similarity(const clustering *c, size_t a, size_t b) {
    double sum = 0;
    for (uint32_t i = c->start[a]; i < c->start[a + 1]; i++)
        for (uint32_t j = c->start[b]; j < c->start[b + 1]; j++)
            sum += similarity(c->flows, c->row[i], c->row[j]);
    return sum / (double)(c->start[a + 1] - c->start[a]) / (double)(c->start[b + 1] - c->start[b]);
}

static void turn(uint32_t *row, uint32_t n) {
    for (uint32_t i = 0; i < n / 2; i++) {
        const uint32_t moved = row[i];
        row[i] = row[n - 1 - i];
        row[n - 1 - i] = moved;
    }
}

/* Joins clusters a < b: b is moved behind a, and one or both are turned. */
static void join(clustering *c, size_t a, size_t b) {
    uint32_t *first = c->row + c->start[a], *second = c->row + c->start[b];
    const uint32_t n_first = c->start[a + 1] - c->start[a],
                   n_second = c->start[b + 1] - c->start[b],
                   n_between = c->start[b] - c->start[a + 1];
    double best = -1;
    unsigned choice = 0;
    for (unsigned way = 0; way < 4; way++) { /* bit 0: turn the first, bit 1: turn the second */
        const double meeting = similarity(c->flows, way & 1 ? first[0] : first[n_first - 1],
                                          way & 2 ? second[n_second - 1] : second[0]);
        if (meeting > best) best = meeting, choice = way;
    }
    if (choice & 1) turn(first, n_first);
    if (choice & 2) turn(second, n_second);
    memcpy(c->turned, second, n_second * sizeof *c->turned);
    memmove(first + n_first + n_second, first + n_first, n_between * sizeof *c->row);
    memcpy(first + n_first, c->turned, n_second * sizeof *c->row);
    for (size_t k = a + 1; k <= b; k++) c->start[k] += n_second;
    memmove(c->start + b, c->start + b + 1, (c->n_clusters - b) * sizeof *c->start);
    c->n_clusters--;
}

/* Fills flows->like. */
static void order_nodes(trib_flow_map *flows) {
    const size_t n = flows->n_nodes;
    trib_arena *const arena = &flows->arena;
    clustering c = {.flows = flows,
                    .n_clusters = n,
                    .row = trib_arena_new(arena, n, sizeof *c.row),
                    .turned = trib_arena_new(arena, n, sizeof *c.turned),
                    .start = trib_arena_new(arena, n + 1, sizeof *c.start)};
    if (!c.row || !c.turned || !c.start) return;
    flows->like = c.row;
    for (uint32_t i = 0; i <= n; i++) {
        c.start[i] = i;
        if (i < n) c.row[i] = i;
    }
    while (c.n_clusters > 1) {
        size_t one = 0, other = 1;
        double best = -1;
        for (size_t a = 0; a < c.n_clusters; a++)
            for (size_t b = a + 1; b < c.n_clusters; b++) {
                const double mean = mean_similarity(&c, a, b);
                if (mean > best) best = mean, one = a, other = b;
            }
        join(&c, one, other);
    }
}

/* ---- The map --------------------------------------------------------------------------------- */

trib_status trib_flow_map_read(trib_flow_map *flows, const trib_result *result, trib_error *error) {
    *flows = (trib_flow_map){.result = result};
    member *const made = read_documents(flows);
    trib_status status = trib_arena_check(&flows->arena, error);
    if (status == TRIB_OK) status = make_nodes(flows, made, error);
    const size_t n_cells = flows->n_nodes * flows->n_nodes; /* of at most TRIB_FLOW_MAP_TEXTS */
    flows->cell = trib_arena_new(&flows->arena, n_cells, sizeof *flows->cell);
    if (status == TRIB_OK) status = trib_arena_check(&flows->arena, error);
    if (status == TRIB_OK) status = each_flow(flows, add_to_cell, flows, error);
    for (size_t i = 0; i < n_cells && status == TRIB_OK; i++) {
        const double n_grams = flows->node[i % flows->n_nodes].n_grams;
        if (n_grams > 0) flows->cell[i].share = fmin(1, flows->cell[i].share / n_grams);
    }
    if (status == TRIB_OK) order_nodes(flows);
    if (status == TRIB_OK) status = trib_arena_check(&flows->arena, error);
    if (status != TRIB_OK) trib_flow_map_release(flows);
    return status;
}

void trib_flow_map_release(trib_flow_map *flows) {
    trib_arena_release(&flows->arena);
    *flows = (trib_flow_map){0};
}
