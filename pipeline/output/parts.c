/* parts.c - rounds the shares of a target so that the printed numbers add up. Each number is cut to
 * whole units; the units that the sum lacks go to the numbers that lost most (the method of largest
 * remainders). So no printed number is off by a unit or more. */
#include "pipeline/output/parts.h"
#include "base/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/support/json.h"

/* A number in units of the last decimal. */
typedef struct part {
    double value, units;
    size_t place;
} part;

static int by_remainder(const void *a, const void *b) {
    const part *x = a, *y = b;
    const double lost_x = x->value - x->units, lost_y = y->value - y->units;
    if (lost_x != lost_y) return lost_x < lost_y ? 1 : -1;
    return (x->place > y->place) - (x->place < y->place);
}

static int by_place(const void *a, const void *b) {
    const part *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

/* Sets the units of parts[n] so that they add up to `sum`, a whole number; if their values do not,
 * each is rounded by itself. */
static void round_parts(part *parts, size_t n, double sum) {
    double values = 0, missing = sum;
    for (size_t i = 0; i < n; i++) {
        /* 2.9999999 stands for 3 */
        parts[i].units = floor(parts[i].value + 1e-6);
        parts[i].place = i;
        values += parts[i].value;
        missing -= parts[i].units;
    }
    if (n == 0) return;
    if (fabs(values - sum) > 1 || missing < 0 || missing > (double)n) {
        for (size_t i = 0; i < n; i++) parts[i].units = round(parts[i].value);
        return;
    }
    qsort(parts, n, sizeof *parts, by_remainder);
    for (size_t i = 0; i < n && (double)i < missing; i++) parts[i].units++;
    qsort(parts, n, sizeof *parts, by_place);
}

bool trib_row_flows(const json_t *row) {
    return json_is_number(json_object_get(row, "share")) &&
           !trib_json_get_flag(row, "below_floor") && !trib_json_get_flag(row, "decoy");
}

static double number_or(const json_t *object, const char *key, double otherwise) {
    const double number = trib_json_get_number(object, key);
    return isnan(number) ? otherwise : number;
}

const char *trib_reference_gap(const char *reference) {
    if (!*reference) return "";
    return *reference >= '0' && *reference <= '9' ? " " : ", ";
}

/* With one decimal, a source above the floor would be printed as 0. */
static int decimals_of(const json_t *rows) {
    for (size_t r = 0; r < json_array_size(rows); r++) {
        const json_t *row = json_array_get(rows, r);
        if (trib_row_flows(row) && trib_json_get_number(row, "share") < 0.0005) return 2;
    }
    return 1;
}

/* Rounds the rows above the floor and the three other parts, then the rows below it. */
static void round_all(trib_parts *parts, part *list, const json_t *rows, double left_out) {
    const double whole = 100 * trib_power(10, (uint32_t)parts->decimals);
    size_t n = 0;
    double below = left_out;
    for (size_t r = 0; r < parts->n_rows; r++) {
        const json_t *row = json_array_get(rows, r);
        const double share = number_or(row, "share", 0);
        if (trib_row_flows(row)) list[n++].value = share * whole;
        else below += share;
    }
    list[n++].value = below * whole;
    list[n++].value = isnan(parts->author) ? 0 : parts->author * whole;
    list[n++].value = isnan(parts->formula) ? 0 : parts->formula * whole;
    round_parts(list, n, whole);
    n = 0;
    for (size_t r = 0; r < parts->n_rows; r++)
        if (trib_row_flows(json_array_get(rows, r))) parts->row[r] = list[n++].units / whole;
    const double below_units = list[n++].units, author_units = list[n++].units;
    parts->below = below_units / whole;
    if (!isnan(parts->author)) parts->author = author_units / whole;
    if (!isnan(parts->formula)) parts->formula = list[n].units / whole;
    n = 0;
    for (size_t r = 0; r < parts->n_rows; r++)
        if (!trib_row_flows(json_array_get(rows, r)))
            list[n++].value = number_or(json_array_get(rows, r), "share", 0) * whole;
    list[n++].value = left_out * whole;
    round_parts(list, n, below_units);
    n = 0;
    for (size_t r = 0; r < parts->n_rows; r++)
        if (!trib_row_flows(json_array_get(rows, r))) parts->row[r] = list[n++].units / whole;
    if (isnan(parts->own) || isnan(parts->common)) return;
    list[0].value = parts->own * whole;
    list[1].value = parts->common * whole;
    round_parts(list, 2, author_units);
    parts->own = list[0].units / whole;
    parts->common = list[1].units / whole;
}

trib_status trib_parts_make(trib_parts *parts, const json_t *method, const json_t *rows,
                            trib_error *error) {
    const size_t n = json_array_size(rows);
    part *list = NULL;
    *parts = (trib_parts){.n_rows = n,
                          .author = trib_json_get_number(method, "author"),
                          .formula = trib_json_get_number(method, "formula"),
                          .own = trib_json_get_number(method, "own"),
                          .common = trib_json_get_number(method, "common"),
                          .decimals = decimals_of(rows)};
    trib_status status = TRIB_NEW(&parts->row, n, "the shares", error);
    if (status == TRIB_OK) status = TRIB_NEW(&list, n + 3, "the shares", error);
    if (status == TRIB_OK)
        round_all(parts, list, rows, number_or(json_object_get(method, "left_out"), "share", 0));
    trib_free(list);
    return status;
}

void trib_parts_release(trib_parts *parts) {
    trib_free(parts->row);
    *parts = (trib_parts){0};
}
