/* map.c - the map of shares: a table with a row for each source and a column for each target, both
 * single texts, or groups of them where there are many. The shade of a cell says how large the
 * share is, on a logarithmic scale; a cell is a link to the evidence. The table is there twice, in
 * the order of time and with texts that share much side by side; two buttons choose. */

#include "pipeline/report/report.h"

enum { ROOMY = 14 };  /* a map with so many columns has room for all numbers */
#define LEAST 0.00005 /* a share below the floor that is shown: 0.01 % after rounding */

/* The steps of the scale: each is about three times the one before it. */
static const double steps[] = {0.001, 0.003, 0.01, 0.03, 0.1, 0.3};
enum { N_STEPS = sizeof steps / sizeof *steps };

unsigned trib_report_shade(double share) {
    unsigned shade = 0;
    while (shade < N_STEPS && share >= steps[shade]) shade++;
    return shade;
}

bool trib_report_has_map(const trib_report *report) {
    bool is_any = false;
    for (size_t t = 0; t < report->n_all_targets; t++)
        is_any = is_any || report->targets[t].n_flowing > 0;
    return is_any && report->n_all_targets > 1 && report->result->documents.n > 1;
}

const trib_flow_map *trib_report_flow_map(trib_report *report) {
    trib_error *error = &report->html.writer->failure;
    if (error->status == TRIB_OK && !report->map.result)
        (void)trib_flow_map_read(&report->map, report->result, error);
    return error->status == TRIB_OK ? &report->map : NULL;
}

/* ---- Cells ----------------------------------------------------------------------------------- */

/* The number of a cell, in per cent: 34, 3.4, .34 or .03. */
static void write_number(trib_html *html, double share, bool is_roomy) {
    char text[TRIB_FIXED_MAX];
    const double percent = 100 * share;
    if (is_roomy) {
        trib_html_text(html, trib_fixed(text, percent, percent < 0.095 ? 2 : 1));
        return;
    }
    trib_fixed(text, percent, percent >= 9.95 ? 0 : percent >= 0.995 ? 1 : 2);
    trib_html_text(html, text[0] == '0' && text[1] == '.' ? text + 1 : text);
}

static void write_description(trib_report *report, const trib_flow_map *map, size_t s, size_t t) {
    const trib_map_cell *cell = &map->cell[s * map->n_nodes + t];
    char share[TRIB_FIXED_MAX], strongest[TRIB_FIXED_MAX];
    trib_percent(share, cell->share, cell->share < 0.01 ? 2 : 1);
    if (map->node[s].id && map->node[t].id)
        trib_html_attribute(&report->html, "title", "%s \xE2\x86\x92 %s: %s", map->node[s].name,
                            map->node[t].name, share);
    else
        trib_html_attribute(&report->html, "title",
                            "%s \xE2\x86\x92 %s: %s, in %zu flow%s above the floor; the largest: "
                            "%s \xE2\x86\x92 %s, %s",
                            map->node[s].name, map->node[t].name, share, cell->n_flows,
                            cell->n_flows == 1 ? "" : "s", trib_report_title(report, cell->source),
                            trib_report_title(report, cell->target),
                            trib_percent(strongest, cell->strongest, 1));
}

static void write_cell(trib_report *report, const trib_flow_map *map, size_t s, size_t t,
                       bool is_roomy) {
    trib_html *html = &report->html;
    const trib_map_cell *cell = &map->cell[s * map->n_nodes + t];
    trib_html_begin(html, "td");
    const bool is_above = cell->n_flows > 0, has_number = is_above || is_roomy;
    if (cell->source && (is_above || cell->share >= LEAST)) {
        trib_html_attribute(html, "class", "%c%u", is_above ? 's' : 'u',
                            trib_report_shade(cell->share));
        const trib_report_target *target = trib_report_target_of(report, cell->target);
        const bool is_link = target && has_number;
        if (is_link) {
            trib_report_open_pair(report, target, cell->source);
            write_description(report, map, s, t);
        }
        if (has_number && !is_above) trib_html_text(html, "(");
        if (has_number) write_number(html, cell->share, is_roomy);
        if (has_number && !is_above) trib_html_text(html, ")");
        if (is_link) trib_html_end(html);
    } else if (s == t && map->node[s].id) trib_html_attribute(html, "class", "self");
    trib_html_end(html);
}

/* ---- The table ------------------------------------------------------------------------------- */

static void write_name(trib_report *report, const trib_map_node *node) {
    const trib_report_target *target =
        node->id && report->is_many ? trib_report_target_of(report, node->id) : NULL;
    if (target) trib_report_target_link(report, target);
    else trib_html_foreign(&report->html, node->name);
}

/* Whether every cell has room for a number. */
static bool has_room(const trib_flow_map *map) {
    size_t n_columns = 0;
    for (size_t i = 0; i < map->n_nodes; i++) n_columns += map->node[i].n_targets > 0;
    return n_columns <= ROOMY;
}

/* Writes the map with its nodes in an order; NULL: that of time. */
static void write_table(trib_report *report, const trib_flow_map *map, const uint32_t *order,
                        const char *class_name, const char *caption) {
    trib_html *html = &report->html;
    const bool is_roomy = has_room(map);
    const bool was_terse = html->is_terse;
    html->is_terse = true;
    trib_html_open(html, "div", class_name);
    trib_report_open_region(html, "figure", caption);
    trib_report_say(html,
                    "<table class='{s}'><caption class='hidden'>{s}</caption><thead><tr><td></td>",
                    strcmp(map->by, "text") != 0 ? "matrix grouped"
                    : is_roomy                   ? "matrix roomy"
                                                 : "matrix",
                    caption);
    for (size_t i = 0; i < map->n_nodes; i++) {
        const trib_map_node *node = &map->node[order ? order[i] : i];
        if (node->n_targets == 0) continue;
        trib_report_say(html, "<th scope='col'><span>");
        write_name(report, node);
        trib_report_say(html, "</span></th>");
    }
    trib_report_open_rows(html);
    for (size_t i = 0; i < map->n_nodes; i++) {
        const size_t s = order ? order[i] : i;
        trib_report_say(html, "<tr><th scope='row'>");
        write_name(report, &map->node[s]);
        trib_html_end(html);
        for (size_t j = 0; j < map->n_nodes; j++) {
            const size_t t = order ? order[j] : j;
            if (map->node[t].n_targets > 0) write_cell(report, map, s, t, is_roomy);
        }
        trib_html_end(html);
    }
    trib_report_close_table(html);
    trib_html_end(html);
    html->is_terse = was_terse;
}

/* ---- The section ----------------------------------------------------------------------------- */

/* Whether the dates order the nodes, or some of them. */
static bool is_dated(const trib_flow_map *map) {
    for (size_t i = 1; i < map->n_nodes; i++)
        if (map->node[i].from > map->node[0].from) return true;
    return false;
}

static bool is_other_order(const trib_flow_map *map) {
    for (size_t i = 0; i < map->n_nodes; i++)
        if (map->like[i] != i) return true;
    return false;
}

static void write_intro(trib_report *report, const trib_flow_map *map) {
    trib_html *html = &report->html;
    if (strcmp(map->by, "text") == 0)
        trib_report_say(html,
                        "<p class='intro'>Rows are sources and columns are targets. A cell is the "
                        "share of the column that the row explains, in per cent, by {c}, and a "
                        "link to the evidence.</p>",
                        report->result->headline);
    else
        trib_report_say(html,
                        "<p class='intro'>{n} texts are too many for one map, so it adds them up "
                        "by {s}: {z} rows "
                        "of sources and columns of targets. A cell is the share of all the "
                        "column\xE2\x80\x99s texts that those of the row explain, in per cent, by "
                        "{c}, and a link to the largest flow in it.</p>",
                        (double)report->result->documents.n, map->by, map->n_nodes,
                        report->result->headline);
}

static void write_switch(trib_html *html, const char *first) {
    const char *const names[] = {first, "texts that share much side by side"};
    for (size_t i = 0; i < 2; i++)
        trib_report_say(html,
                        i == 0 ? "<input type='radio' name='map-order' id='map-order-{z}' "
                                 "checked='checked'/><label for='map-order-{z}'>{s}</label>"
                               : "<input type='radio' name='map-order' id='map-order-{z}'/>"
                                 "<label for='map-order-{z}'>{s}</label>",
                        i + 1, i + 1, names[i]);
}

static void write_legend(trib_html *html, const trib_flow_map *map) {
    static const char *const names[] = {"under 0.1 %", "0.1 %", "0.3 %", "1 %",
                                        "3 %",         "10 %",  "30 %"};
    trib_html_open(html, "ul", "legend");
    for (size_t c = 0; c <= N_STEPS; c++)
        trib_report_say(html, "<li><span class='key s{z}'></span>{s}{s}</li>", c,
                        c > 0 ? "from " : "", names[c]);
    trib_report_say(html, has_room(map)
                              ? "<li>in parentheses: below the noise floor</li></ul>"
                              : "<li><span class='key u2'></span>a small square: below the noise "
                                "floor</li></ul>");
    trib_report_say(
        html,
        "<p class='note'>The scale is logarithmic: each step is about three times the one before. "
        "An empty cell has no share, or less than 0.01 %. The row of a source holds the share of a "
        "group that cannot be told from it, too. ");
    if (strcmp(map->by, "text") != 0)
        trib_html_text(html, "Shares below the floor of the single texts are added up, too. ");
    trib_html_text(html, "The number of every cell is in ");
}

void trib_report_map(trib_report *report) {
    trib_html *html = &report->html;
    const trib_flow_map *map = trib_report_flow_map(report);
    char caption[200];
    if (!map) return;
    const char *first = is_dated(map) ? "in the order of time" : "in the order of their names";
    const bool is_switched = is_other_order(map);
    write_intro(report, map);
    trib_html_open(html, "div", "orders");
    if (is_switched) write_switch(html, first);
    snprintf(caption, sizeof caption, "Shares of targets (columns) by source (rows), %s", first);
    write_table(report, map, NULL, "by-time", caption);
    if (is_switched)
        write_table(report, map, map->like, "by-likeness",
                    "Shares of targets (columns) by source (rows), texts that share much side by "
                    "side");
    trib_html_end(html);
    write_legend(html, map);
    trib_report_numbers_in(report, "map.csv");
    trib_html_text(html, ".");
    trib_html_end(html);
}
