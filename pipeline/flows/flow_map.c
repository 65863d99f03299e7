/* flow_map.c - reads the flows of a result: chooses whether texts are shown singly or in groups,
 * and adds up the shares of each pair. */
#include "pipeline/flows/flow_map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/config/documents.h"
#include "pipeline/support/json.h"

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
    return trib_json_index_place(&flows->documents, id);
}

size_t trib_flow_map_node(const trib_flow_map *flows, const char *id) {
    const size_t d = document_of(flows, id);
    return d < flows->documents.n ? flows->node_of[d] : flows->n_nodes;
}

const json_t *trib_flow_map_document(const trib_flow_map *flows, const char *id) {
    return trib_json_index_find(&flows->documents, id);
}

static trib_status read_documents(trib_flow_map *flows, const json_t *result, member **made,
                                  char **names, trib_error *error) {
    trib_status status =
        trib_json_index_open(&flows->documents, json_object_get(result, "documents"), error);
    const size_t n = flows->documents.n;
    if (status == TRIB_OK) status = TRIB_NEW(&flows->node_of, n, "flows", error);
    if (status == TRIB_OK) status = TRIB_NEW(made, n, "flows", error);
    if (status == TRIB_OK) status = trib_new(names, n, NAME, "flows", error);
    if (status != TRIB_OK) return status;
    for (size_t d = 0; d < n; d++) {
        member *m = &(*made)[d];
        *m = (member){.index = (uint32_t)d, .made = *names + d * NAME};
        if (!trib_date_read(trib_json_get_text(flows->documents.item[d], "date"), &m->year,
                            &m->year_end))
            m->year = m->year_end = (double)NAN;
        trib_date_close(&m->year, &m->year_end);
    }
    return TRIB_OK;
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
static const json_t *group_led(const json_t *method, const json_t *shares, size_t s, bool *is_led) {
    const char *name = trib_json_get_text(json_array_get(shares, s), "group");
    const double own = trib_json_get_number(json_array_get(shares, s), "share");
    *is_led = false;
    if (!*name) return NULL;
    for (size_t i = 0; i < json_array_size(shares) && !*is_led; i++) {
        const json_t *other = json_array_get(shares, i);
        const double share = trib_json_get_number(other, "share");
        *is_led = i != s && strcmp(trib_json_get_text(other, "group"), name) == 0 &&
                  (share > own || (share == own && i < s));
    }
    const json_t *groups = json_object_get(method, "groups");
    for (size_t g = 0; g < json_array_size(groups) && !*is_led; g++) {
        const json_t *members = json_object_get(json_array_get(groups, g), "members");
        const char *first = json_string_value(json_array_get(members, 0));
        if (first && strcmp(first, name) == 0) return json_array_get(groups, g);
    }
    return NULL;
}

/* What the flows are read from. */
typedef struct flow_input {
    const json_t *result, *targets;
    const trib_json_texts *texts; /* of the targets; NULL: the result has them */
} flow_input;

/* Gets the headline method of a target; NULL when it has none. *parsed, for json_decref, is the
 * method where it was read from a text. No reference is counted in the result, which several
 * threads read. */
static trib_status read_method(const flow_input *in, size_t t, const json_t **method,
                               json_t **parsed, trib_error *error) {
    const char *headline = trib_json_get_text(in->result, "headline");
    trib_status status = TRIB_OK;
    *parsed = NULL;
    if (!in->texts) {
        const json_t *methods = json_object_get(json_array_get(in->targets, t), "methods");
        *method = json_object_get(methods, headline);
        return TRIB_OK;
    }
    const trib_json_span text =
        trib_json_span_member(trib_json_span_member(in->texts->text[t], "methods"), headline);
    if (text.at) status = trib_json_span_parse(parsed, text, "influence.json", error);
    *method = *parsed;
    trib_json_texts_rest_after(in->texts, t);
    return status;
}

/* Calls `take` for each share above 0 of a target. The share of a group of sources that cannot be
 * told apart is that of the member with the largest part of it, as in the graph. */
static void take_flows(const trib_flow_map *flows, size_t target, const json_t *method,
                       void (*take)(void *context, const flow *f), void *context) {
    const json_t *shares = json_object_get(method, "shares");
    flow f = {.target = target};
    for (size_t s = 0; s < json_array_size(shares); s++) {
        const json_t *row = json_array_get(shares, s);
        bool is_led = false;
        const json_t *group = group_led(method, shares, s, &is_led);
        if (is_led) continue;
        f.source = document_of(flows, trib_json_get_text(row, "source"));
        f.share = trib_json_get_number(group ? group : row, "share");
        f.is_above = !trib_json_get_flag(row, "below_floor") && !trib_json_get_flag(row, "decoy");
        if (f.source < flows->documents.n && f.share > 0) take(context, &f);
    }
}

/* Calls `take` for each share of the headline method above 0. */
static trib_status each_flow(const trib_flow_map *flows, const flow_input *in,
                             void (*take)(void *context, const flow *f), void *context,
                             trib_error *error) {
    trib_status status = TRIB_OK;
    for (size_t t = 0; t < json_array_size(in->targets) && status == TRIB_OK; t++) {
        const size_t target =
            document_of(flows, trib_json_get_text(json_array_get(in->targets, t), "target"));
        const json_t *method = NULL;
        json_t *parsed = NULL;
        if (target == flows->documents.n) continue;
        status = read_method(in, t, &method, &parsed, error);
        if (status == TRIB_OK) take_flows(flows, target, method, take, context);
        json_decref(parsed);
    }
    return status;
}

static void add_activity(void *context, const flow *f) {
    member *made = context;
    if (!f->is_above) return;
    made[f->source].activity += f->share;
    made[f->target].activity += f->share;
}

/* Adds a share to its cell, as n-grams of the targets. */
static void add_to_cell(void *context, const flow *f) {
    const trib_flow_map *flows = context;
    trib_map_cell *cell =
        &flows->cell[flows->node_of[f->source] * flows->n_nodes + flows->node_of[f->target]];
    const json_t *target = flows->documents.item[f->target];
    const double n_grams = trib_json_get_number(target, "ngrams");
    const bool is_first = f->is_above && cell->n_flows == 0;
    cell->share += f->share * (n_grams > 0 ? n_grams : 1);
    cell->n_flows += f->is_above;
    if (is_first || (f->is_above == (cell->n_flows > 0) && f->share > cell->strongest)) {
        cell->strongest = f->share;
        cell->source = trib_json_get_text(flows->documents.item[f->source], "id");
        cell->target = trib_json_get_text(target, "id");
    }
}

/* ---- Groups ---------------------------------------------------------------------------------- */

static int compare_names(const member *a, const member *b) {
    const size_t n = a->letters < b->letters ? a->letters : b->letters;
    const int order = n > 0 ? memcmp(a->group, b->group, n) : 0;
    return order ? order : (a->letters > b->letters) - (a->letters < b->letters);
}

static int compare_members(const void *a, const void *b) {
    const member *x = a, *y = b;
    const int order = compare_names(x, y);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static int compare_activity(const void *a, const void *b) {
    const member *x = a, *y = b;
    if (x->activity != y->activity) return x->activity < y->activity ? 1 : -1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Names the group of a document; the empty name: it has none. */
static void name_by_author(const json_t *document, member *m, double unit) {
    (void)unit;
    m->group = trib_json_get_text(document, "author");
    m->letters = strlen(m->group);
}

static void name_by_folder(const json_t *document, member *m, double unit) {
    (void)unit;
    m->group = trib_json_get_text(document, "file");
    const char *slash = strrchr(m->group, '/');
    m->letters = slash ? (size_t)(slash - m->group) : 0;
}

/* "1790-1799", "1790", "49-40 BC"; the year 0 of ISO 8601 is 1 BC, and there is no year 0 here. */
static void name_by_date(const json_t *document, member *m, double unit) {
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
    void (*name)(const json_t *document, member *m, double unit);
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
    const size_t n = flows->documents.n;
    size_t n_groups = 0, n_without = 0;
    for (size_t d = 0; d < n; d++)
        grouping->name(flows->documents.item[made[d].index], &made[d], grouping->unit);
    qsort(made, n, sizeof *made, compare_members);
    for (size_t d = 0; d < n; d++) {
        n_without += made[d].letters == 0;
        n_groups += d == 0 || compare_names(&made[d - 1], &made[d]) != 0;
    }
    return 5 * n_without > n ? 0 : n_groups;
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

/* The name is kept in flows->names. */
static const char *keep_name(trib_flow_map *flows, const char *text, size_t length) {
    json_t *name = json_stringn(text, length);
    json_array_append_new(flows->names, name);
    return name ? json_string_value(name) : "";
}

/* A node for each group of members, which are sorted by its name. */
static void make_groups(trib_flow_map *flows, const member *made) {
    for (size_t d = 0; d < flows->documents.n; d++) {
        const member *m = &made[d];
        if (d == 0 || compare_names(m - 1, m) != 0)
            flows->node[flows->n_nodes++].name =
                m->letters > 0 ? keep_name(flows, m->group, m->letters) : "(none)";
        flows->node_of[m->index] = (uint32_t)(flows->n_nodes - 1);
    }
}

/* A node for each text; of more than can be drawn, for those with the largest shares, and one for
 * the others. */
static void make_texts(trib_flow_map *flows, member *made) {
    const size_t n = flows->documents.n;
    const bool is_all = n <= TRIB_FLOW_MAP_TEXTS;
    const size_t n_single = is_all ? n : TRIB_FLOW_MAP_TEXTS - 1;
    if (!is_all) qsort(made, n, sizeof *made, compare_activity);
    for (size_t d = 0; d < n; d++) {
        const json_t *document = flows->documents.item[made[d].index];
        const size_t node = d < n_single ? d : n_single;
        flows->node_of[made[d].index] = (uint32_t)node;
        if (d >= n_single) continue;
        const char *title = trib_json_get_text(document, "title");
        flows->node[node].id = trib_json_get_text(document, "id");
        flows->node[node].name = *title ? title : flows->node[node].id;
    }
    flows->n_nodes = n_single;
    if (is_all) return;
    char name[NAME];
    const int length = snprintf(name, sizeof name, "the other %zu texts", n - n_single);
    flows->node[flows->n_nodes++].name = keep_name(flows, name, (size_t)length);
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
static trib_status finish_nodes(trib_flow_map *flows, const json_t *targets, member *made,
                                trib_error *error) {
    uint32_t *place = NULL;
    for (size_t i = 0; i < flows->n_nodes; i++)
        flows->node[i].from = flows->node[i].to = (double)NAN;
    for (size_t d = 0; d < flows->documents.n; d++) {
        trib_map_node *node = &flows->node[flows->node_of[made[d].index]];
        node->from = fmin(node->from, made[d].year); /* fmin and fmax ignore NaN */
        node->to = fmax(node->to, made[d].year_end);
        node->n_texts++;
    }
    for (size_t t = 0; t < json_array_size(targets); t++) {
        const size_t d =
            document_of(flows, trib_json_get_text(json_array_get(targets, t), "target"));
        if (d == flows->documents.n) continue;
        const double n_grams = trib_json_get_number(flows->documents.item[d], "ngrams");
        flows->node[flows->node_of[d]].n_targets++;
        flows->node[flows->node_of[d]].n_grams += n_grams > 0 ? n_grams : 1;
    }
    const trib_status status = TRIB_NEW(&place, flows->n_nodes, "flows", error);
    if (status != TRIB_OK) return status;
    for (size_t i = 0; i < flows->n_nodes; i++) flows->node[i].place = (uint32_t)i;
    if (flows->n_nodes > 1) qsort(flows->node, flows->n_nodes, sizeof *flows->node, compare_nodes);
    for (size_t i = 0; i < flows->n_nodes; i++) place[flows->node[i].place] = (uint32_t)i;
    for (size_t d = 0; d < flows->documents.n; d++) flows->node_of[d] = place[flows->node_of[d]];
    trib_free(place);
    return TRIB_OK;
}

static trib_status make_nodes(trib_flow_map *flows, const flow_input *in, member *made,
                              trib_error *error) {
    trib_status status = TRIB_NEW(&flows->node,
                                  flows->documents.n < TRIB_FLOW_MAP_TEXTS ? flows->documents.n
                                                                           : TRIB_FLOW_MAP_TEXTS,
                                  "flows", error);
    if (status != TRIB_OK) return status;
    flows->by = "text";
    if (flows->documents.n > TRIB_FLOW_MAP_TEXTS) {
        status = each_flow(flows, in, add_activity, made, error); /* while made[d] is document d */
        for (size_t g = 0; g < N_GROUPINGS && flows->n_nodes == 0; g++) {
            const size_t n_groups = try_grouping(flows, &groupings[g], made);
            if (n_groups < 2 || n_groups > TRIB_FLOW_MAP_TEXTS) continue;
            flows->by = groupings[g].by;
            make_groups(flows, made);
        }
    }
    if (flows->n_nodes == 0) make_texts(flows, made);
    return status == TRIB_OK ? finish_nodes(flows, in->targets, made, error) : status;
}

trib_status trib_flow_map_read(trib_flow_map *flows, const json_t *result,
                               const trib_json_texts *texts, trib_error *error) {
    const flow_input in = {result, json_object_get(result, "targets"), texts};
    member *made = NULL;
    char *names = NULL;
    size_t n_cells = 0;
    trib_json_begin();
    *flows = (trib_flow_map){.names = json_array()};
    trib_status status = read_documents(flows, result, &made, &names, error);
    if (status == TRIB_OK) status = make_nodes(flows, &in, made, error);
    if (status == TRIB_OK && !trib_multiply(flows->n_nodes, flows->n_nodes, &n_cells))
        status = trib_fail(error, TRIB_MEMORY, "out of memory: flows");
    if (status == TRIB_OK) status = TRIB_NEW(&flows->cell, n_cells, "flows", error);
    if (status == TRIB_OK) status = each_flow(flows, &in, add_to_cell, flows, error);
    if (status == TRIB_OK) {
        for (size_t i = 0; i < n_cells; i++) {
            const double n_grams = flows->node[i % flows->n_nodes].n_grams;
            if (n_grams > 0) flows->cell[i].share = fmin(1, flows->cell[i].share / n_grams);
        }
        status = trib_flow_map_order(flows, error);
    }
    if (status == TRIB_OK) status = trib_json_check("flows", error);
    TRIB_FREE(made, names);
    if (status != TRIB_OK) trib_flow_map_release(flows);
    return status;
}

void trib_flow_map_release(trib_flow_map *flows) {
    TRIB_FREE(flows->node, flows->cell, flows->like, flows->node_of);
    trib_json_index_close(&flows->documents);
    json_decref(flows->names);
    *flows = (trib_flow_map){0};
}
