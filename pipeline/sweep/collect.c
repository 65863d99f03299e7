/* collect.c - puts the runs of a sweep together in two tables and a page. It reads only the
 * directories of the members, so it does not matter which shard ran them, or when. */
#include "pipeline/sweep/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/output/directory.h"
#include "pipeline/output/result.h"
#include "pipeline/report/pages.h"
#include "pipeline/support/json.h"
#include "pipeline/support/tables.h"

enum { ON_PAGE = 100 }; /* members side by side */

const char *trib_sweep_state_name(trib_member_state state) {
    static const char *const name[] = {"absent", "unfinished", "complete"};
    return name[state];
}

trib_member_state trib_sweep_state(const trib_sweep_member *member) {
    trib_buffer path = {0};
    trib_member_state state = TRIB_MEMBER_ABSENT;
    if (trib_buffer_print(&path, NULL, "%s/status", member->directory) == TRIB_OK) {
        json_t *text = json_load_file(path.text, 0, NULL);
        const char *is = json_string_value(json_object_get(text, "state"));
        char missing[TRIB_PATH_MAX];
        if (is) state = TRIB_MEMBER_UNFINISHED;
        if (is && strcmp(is, "complete") == 0 &&
            trib_directory_missing(member->directory, missing, NULL) == TRIB_OK && !*missing)
            state = TRIB_MEMBER_COMPLETE;
        json_decref(text);
    }
    trib_buffer_release(&path);
    return state;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static void write_header(const trib_sweep *sweep, const char *rest, trib_writer *writer) {
    trib_write_text(writer, "member");
    for (uint32_t k = 0; k < sweep->n_keys; k++) trib_print(writer, ",%s", sweep->key[k]->path);
    trib_write_text(writer, rest);
}

/* Writes the member's name and the values of its keys; a value is empty where the member does
 * not change the file's. */
static void write_member(const trib_sweep *sweep, const trib_sweep_member *member,
                         trib_writer *writer) {
    trib_write_cell(writer, member->name);
    for (uint32_t k = 0; k < sweep->n_keys; k++) {
        trib_write_text(writer, ",");
        trib_write_cell(writer, member->value[k] ? member->value[k] : "");
    }
}

/* Writes a comma and a number, or only the comma for null. */
static void write_value(const json_t *number, trib_writer *writer) {
    trib_write_text(writer, ",");
    if (json_is_number(number)) trib_write_number(writer, json_number_value(number));
}

/* Writes the last two cells of a row: the group of a source that cannot be told apart from others,
 * and the share of that group; they are empty for other sources. */
static void write_group(const json_t *method, const char *first, trib_writer *writer) {
    trib_write_text(writer, ",");
    trib_write_cell(writer, first);
    write_value(json_object_get(trib_result_group(method, first), "share"), writer);
    trib_write_text(writer, "\n");
}

static void write_target(const trib_sweep *sweep, const trib_sweep_member *member,
                         const json_t *result, const json_t *target, trib_writer *writer) {
    static const char *const rest[] = {"author", "formula"}; /* the first always has a row */
    const json_t *methods = json_object_get(result, "methods"), *method, *share;
    size_t m, s;
    json_array_foreach(methods, m, method) {
        const char *name = trib_json_get_text(method, "name");
        const json_t *found = json_object_get(json_object_get(target, "methods"), name);
        json_array_foreach(json_object_get(found, "shares"), s, share) {
            write_member(sweep, member, writer);
            trib_write_text(writer, ",");
            trib_write_cell(writer, trib_json_get_text(target, "target"));
            trib_write_text(writer, ",");
            trib_write_cell(writer, trib_json_get_text(share, "source"));
            trib_print(writer, ",%s", name);
            write_value(json_object_get(share, "share"), writer);
            write_value(json_object_get(share, "low"), writer);
            write_value(json_object_get(share, "high"), writer);
            trib_print(writer, ",%s", trib_json_get_flag(share, "below_floor") ? "TRUE" : "FALSE");
            write_group(found, trib_json_get_text(share, "group"), writer);
        }
        for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
            if (i > 0 && !json_object_get(found, rest[i])) continue;
            write_member(sweep, member, writer);
            trib_write_text(writer, ",");
            trib_write_cell(writer, trib_json_get_text(target, "target"));
            trib_print(writer, ",%s,%s", rest[i], name);
            write_value(json_object_get(found, rest[i]), writer);
            trib_write_text(writer, ",,,FALSE,,\n");
        }
    }
}

static trib_status open_file(const trib_sweep *sweep, const char *name, trib_writer *writer,
                             trib_error *error) {
    trib_buffer path = {0};
    trib_status status = trib_buffer_print(&path, error, "%s/%s", sweep->directory, name);
    if (status == TRIB_OK) status = trib_writer_open(writer, path.text, error);
    trib_buffer_release(&path);
    return status;
}

/* ---- All members ----------------------------------------------------------------------------- */

/* Adds a member to both tables, and stores its result for the page. */
static trib_status add_member(const trib_sweep *sweep, const trib_sweep_member *member,
                              trib_writer *members, trib_writer *shares, json_t **result,
                              trib_error *error) {
    const trib_member_state state = trib_sweep_state(member);
    const json_t *target;
    size_t t;
    *result = NULL;
    write_member(sweep, member, members);
    trib_print(members, ",%.64s,%s\n", member->hash, trib_sweep_state_name(state));
    if (state != TRIB_MEMBER_COMPLETE) return TRIB_OK;
    const trib_status status = trib_result_load(result, member->directory, error);
    if (status != TRIB_OK) return status;
    json_array_foreach(json_object_get(*result, "targets"), t, target)
        write_target(sweep, member, *result, target, shares);
    return TRIB_OK;
}

static trib_status write_page(const trib_sweep *sweep, const trib_several *run, size_t n,
                              trib_error *error) {
    trib_buffer path = {0};
    trib_status status = trib_buffer_print(&path, error, "%s/sweep.html", sweep->directory);
    if (status == TRIB_OK) status = trib_report_write_several(run, n, path.text, error);
    trib_buffer_release(&path);
    return status;
}

/* Makes the link from the page to the member's report. Of the characters with a meaning in URLs
 * a name contains only '+' and '=', which need no escape in a path. */
static trib_status add_to_page(trib_several *run, const trib_sweep_member *member, json_t *result,
                               trib_error *error) {
    trib_buffer link = {0};
    const trib_status status = trib_buffer_print(&link, error, "runs/%s/report.html", member->name);
    *run = (trib_several){result, member->title, link.text};
    return status;
}

trib_status trib_sweep_collect(const trib_sweep *sweep, size_t *n_complete, trib_error *error) {
    trib_writer members = {.file = -1}, shares = {.file = -1};
    trib_several *run = NULL;
    size_t n = 0;
    *n_complete = 0;
    trib_status status = TRIB_NEW(&run, ON_PAGE, "the page", error);
    if (status == TRIB_OK) status = open_file(sweep, "members.csv", &members, error);
    if (status == TRIB_OK) status = open_file(sweep, "sweep.csv", &shares, error);
    if (status == TRIB_OK) {
        write_header(sweep, ",configuration,state\n", &members);
        write_header(sweep, ",target,source,method,share,low,high,below_floor,group,group_share\n",
                     &shares);
    }
    for (size_t m = 0; m < sweep->n_members && status == TRIB_OK; m++) {
        json_t *result = NULL;
        status = add_member(sweep, &sweep->member[m], &members, &shares, &result, error);
        *n_complete += result != NULL;
        if (result && n < ON_PAGE && status == TRIB_OK)
            status = add_to_page(&run[n++], &sweep->member[m], result, error);
        else json_decref(result);
    }
    if (status == TRIB_OK && n > 0) status = write_page(sweep, run, n, error);
    if (status == TRIB_OK) status = trib_writer_commit(&shares, NULL, error);
    else trib_writer_abandon(&shares);
    if (status == TRIB_OK) status = trib_writer_commit(&members, NULL, error);
    else trib_writer_abandon(&members);
    for (size_t i = 0; i < n; i++) {
        json_decref((json_t *)(uintptr_t)run[i].result);
        trib_free((char *)(uintptr_t)run[i].link);
    }
    trib_free(run);
    return status;
}

/* ---- Parts of a sweep ------------------------------------------------------------------------ */

static bool slurm_number(const char *name, uint64_t standard, uint64_t *number) {
    const char *text = getenv(name);
    *number = standard;
    return !text || !*text || trib_read_uint(text, number);
}

trib_status trib_shard_read(trib_shard *shard, const char *text, bool *from_slurm,
                            trib_error *error) {
    char number[24] = "";
    uint64_t id, least, step;
    const char *slash = text ? strchr(text, '/') : NULL;
    *shard = (trib_shard){1, 1};
    *from_slurm = false;
    if (text) {
        if (slash && (size_t)(slash - text) < sizeof number)
            snprintf(number, sizeof number, "%.*s", (int)(slash - text), text);
        if (!slash || !trib_read_uint(number, &shard->number) ||
            !trib_read_uint(slash + 1, &shard->n) || shard->number < 1 || shard->number > shard->n)
            return trib_fail(error, TRIB_USAGE,
                             "--shard needs I/N, the I-th of N parts, as in 1/3, not '%s'", text);
        return TRIB_OK;
    }
    if (!getenv("SLURM_ARRAY_TASK_ID")) return TRIB_OK;
    *from_slurm = true;
    if (slurm_number("SLURM_ARRAY_TASK_ID", 1, &id) &&
        slurm_number("SLURM_ARRAY_TASK_MIN", 1, &least) &&
        slurm_number("SLURM_ARRAY_TASK_STEP", 1, &step) &&
        slurm_number("SLURM_ARRAY_TASK_COUNT", 1, &shard->n) && step > 0 && id >= least &&
        (id - least) / step < shard->n) {
        shard->number = (id - least) / step + 1;
        return TRIB_OK;
    }
    return trib_fail(
        error, TRIB_USAGE,
        "SLURM_ARRAY_TASK_ID '%s' is not within SLURM_ARRAY_TASK_MIN and _COUNT; give --shard I/N",
        getenv("SLURM_ARRAY_TASK_ID"));
}
