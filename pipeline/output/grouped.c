/* grouped.c - the shares of a result as readers see them: sources that cannot be told apart are one
 * row. */
#include <string.h>

#include "pipeline/output/result.h"
#include "pipeline/support/json.h"

const json_t *trib_result_group(const json_t *method, const char *first) {
    const json_t *groups = json_object_get(method, "groups");
    for (size_t g = 0; g < json_array_size(groups); g++) {
        const json_t *members = json_object_get(json_array_get(groups, g), "members");
        const char *id = json_string_value(json_array_get(members, 0));
        if (id && strcmp(id, first) == 0) return json_array_get(groups, g);
    }
    return NULL;
}

/* Returns the titles of rows as text: "A, B or C", and of many rows "A, B, C or 36 others". */
static json_t *join_titles(const trib_json_index *documents, const json_t *rows) {
    enum { MOST = 5, NAMED = 3 };
    const size_t n = json_array_size(rows), named = n > MOST ? NAMED : n;
    json_t *joined = json_string("");
    for (size_t i = 0; i < named && joined; i++) {
        const char *id = trib_json_get_text(json_array_get(rows, i), "source");
        json_t *longer = json_sprintf("%s%s%s", json_string_value(joined),
                                      i == 0      ? ""
                                      : i + 1 < n ? ", "
                                                  : " or ",
                                      trib_json_index_title(documents, id));
        json_decref(joined);
        joined = longer;
    }
    if (named == n || !joined) return joined;
    json_t *longer = json_sprintf("%s or %zu others", json_string_value(joined), n - named);
    json_decref(joined);
    return longer;
}

/* Makes the row of a group: that of its member with the largest share (of equal ones the first),
 * with the numbers of the group. */
static json_t *make_row(const trib_json_index *documents, const json_t *group, const char *first,
                        const json_t *shares) {
    static const char *const numbers[] = {"share", "low", "high", "below_floor"};
    json_t *row = json_object(), *members = json_array();
    const json_t *largest = NULL;
    for (size_t s = 0; s < json_array_size(shares); s++) {
        json_t *member = json_array_get(shares, s);
        if (strcmp(trib_json_get_text(member, "group"), first) != 0) continue;
        json_array_append(members, member);
        if (!largest ||
            trib_json_get_number(member, "share") > trib_json_get_number(largest, "share"))
            largest = member;
        if (trib_json_get_flag(member, "decoy")) json_object_set_new(row, "decoy", json_true());
    }
    json_object_set(row, "source", json_object_get(largest, "source"));
    json_object_set_new(row, "title", join_titles(documents, members));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        json_t *value = json_object_get(group, numbers[i]);
        if (value) json_object_set(row, numbers[i], value);
    }
    json_object_set_new(row, "members", members);
    return row;
}

json_t *trib_result_rows(const trib_json_index *documents, const json_t *method) {
    json_t *shares = json_object_get(method, "shares");
    const json_t *groups = json_object_get(method, "groups");
    if (json_array_size(groups) == 0) return json_incref(shares);
    json_t *rows = json_array();
    for (size_t s = 0; s < json_array_size(shares); s++) {
        json_t *share = json_array_get(shares, s);
        const char *first = trib_json_get_text(share, "group");
        const json_t *group = *first ? trib_result_group(method, first) : NULL;
        bool is_listed = false; /* with an earlier member */
        for (size_t i = 0; group && i < s && !is_listed; i++)
            is_listed = strcmp(trib_json_get_text(json_array_get(shares, i), "group"), first) == 0;
        if (!group) json_array_append(rows, share);
        else if (!is_listed) json_array_append_new(rows, make_row(documents, group, first, shares));
    }
    return rows;
}
