/* collect.c - puts the runs of a sweep together in two tables and a page. It reads only the
 * directories of the members, so it does not matter which shard ran them, or when. */
#include "pipeline/run/sweep.h"

#include "pipeline/output/directory.h"
#include "pipeline/report/pages.h"
#include "pipeline/support/json.h"
#include "pipeline/support/tables.h"

enum { ON_PAGE = 100 }; /* members side by side */

const char *trib_sweep_state_name(trib_member_state state) {
    static const char *const name[] = {"absent", "unfinished", "complete"};
    return name[state];
}

trib_member_state trib_sweep_state(const trib_sweep_member *member) {
    TRIB_OWNED(trib_buffer) path = {0};
    trib_member_state state = TRIB_MEMBER_ABSENT;
    if (trib_buffer_print(&path, NULL, "%s/status", member->directory) == TRIB_OK) {
        json_t *text;
        (void)trib_json_load(&text, path.text, NULL);
        const char *is = json_string_value(json_object_get(text, "state"));
        char missing[TRIB_PATH_MAX];
        if (is) state = TRIB_MEMBER_UNFINISHED;
        if (is && strcmp(is, "complete") == 0 &&
            trib_directory_missing(member->directory, missing, NULL) == TRIB_OK && !*missing)
            state = TRIB_MEMBER_COMPLETE;
        json_decref(text);
    }
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

/* Writes a comma and a number, or only the comma for one that is not known. */
static void write_value(double number, trib_writer *writer) {
    trib_write_text(writer, ",");
    if (!isnan(number)) trib_write_number(writer, number);
}

/* Writes a row of sweep.csv. Its last two cells, of a source that cannot be told apart from others,
 * are their group and its share. */
static void write_row(const trib_sweep *sweep, const trib_sweep_member *member, const char *target,
                      const trib_influence_record *method, const trib_share_record *share,
                      trib_writer *writer) {
    const trib_group_record *group = share->group ? trib_method_group(method, share->group) : NULL;
    write_member(sweep, member, writer);
    trib_write_text(writer, ",");
    trib_write_cell(writer, target);
    trib_write_text(writer, ",");
    trib_write_cell(writer, share->source);
    trib_print(writer, ",%s", method->method);
    write_value(share->share, writer);
    write_value(share->low, writer);
    write_value(share->high, writer);
    trib_print(writer, ",%s,", share->below_floor ? "TRUE" : "FALSE");
    trib_write_cell(writer, share->group ? share->group : "");
    write_value(group ? group->share : (double)NAN, writer);
    trib_write_text(writer, "\n");
}

static void write_target(const trib_sweep *sweep, const trib_sweep_member *member,
                         const trib_result *result, const trib_target_record *target,
                         trib_writer *writer) {
    for (size_t m = 0; m < result->methods.n; m++) {
        const trib_influence_record none = {
            .method = result->methods.item[m].name, .author = (double)NAN, .formula = (double)NAN};
        const trib_influence_record *found = trib_target_method(target, none.method);
        if (!found) found = &none;
        const trib_share_record author = {"author", found->author, .low = (double)NAN,
                                          .high = (double)NAN},
                                formula = {"formula", found->formula, .low = (double)NAN,
                                           .high = (double)NAN};
        for (size_t s = 0; s < found->shares.n; s++)
            write_row(sweep, member, target->target, found, &found->shares.item[s], writer);
        write_row(sweep, member, target->target, found, &author, writer); /* it always has one */
        if (!isnan(formula.share))
            write_row(sweep, member, target->target, found, &formula, writer);
    }
}

static trib_status open_file(const trib_sweep *sweep, const char *name, trib_writer *writer,
                             trib_error *error) {
    TRIB_OWNED(trib_buffer) path = {0};
    trib_status status = trib_buffer_print(&path, error, "%s/%s", sweep->directory, name);
    return status == TRIB_OK ? trib_writer_open(writer, path.text, error) : status;
}

/* ---- All members ----------------------------------------------------------------------------- */

/* Adds a member to both tables, and opens its result for the page, if it has one. */
static trib_status add_member(const trib_sweep *sweep, const trib_sweep_member *member,
                              trib_writer *members, trib_writer *shares, trib_result *result,
                              bool *is_complete, trib_error *error) {
    const trib_member_state state = trib_sweep_state(member);
    *is_complete = state == TRIB_MEMBER_COMPLETE;
    write_member(sweep, member, members);
    trib_print(members, ",%.64s,%s\n", member->hash, trib_sweep_state_name(state));
    if (!*is_complete) return TRIB_OK;
    trib_status status = trib_result_open(result, member->directory, error);
    for (size_t t = 0; status == TRIB_OK && t < result->targets.n; t++) {
        TRIB_OWNED(trib_arena) arena = {0};
        write_target(sweep, member, result, trib_target_read(result, t, &arena), shares);
        status = trib_arena_check(&arena, error);
    }
    return status;
}

static trib_status write_page(const trib_sweep *sweep, const trib_several *run, size_t n,
                              trib_error *error) {
    TRIB_OWNED(trib_buffer) path = {0};
    trib_status status = trib_buffer_print(&path, error, "%s/sweep.html", sweep->directory);
    return status == TRIB_OK ? trib_report_write_several(run, n, path.text, error) : status;
}

/* Makes the link from the page to the member's report. Of the characters with a meaning in URLs
 * a name contains only '+' and '=', which need no escape in a path. */
static trib_status add_to_page(trib_several *run, const trib_sweep_member *member,
                               const trib_result *result, trib_error *error) {
    trib_buffer link = {0};
    const trib_status status = trib_buffer_print(&link, error, "runs/%s/report.html", member->name);
    *run = (trib_several){result, member->title, link.text};
    return status;
}

trib_status trib_sweep_collect(const trib_sweep *sweep, size_t *n_complete, trib_error *error) {
    trib_writer members = {.file = -1}, shares = {.file = -1};
    TRIB_FREED(trib_several *) run = NULL;
    TRIB_FREED(trib_result *) results = NULL;
    size_t n = 0;
    *n_complete = 0;
    trib_status status = TRIB_NEW(&run, ON_PAGE, "the page", error);
    if (status == TRIB_OK) status = TRIB_NEW(&results, ON_PAGE, "the page", error);
    if (status == TRIB_OK) status = open_file(sweep, "members.csv", &members, error);
    if (status == TRIB_OK) status = open_file(sweep, "sweep.csv", &shares, error);
    if (status == TRIB_OK) {
        write_header(sweep, ",configuration,state\n", &members);
        write_header(sweep, ",target,source,method,share,low,high,below_floor,group,group_share\n",
                     &shares);
    }
    for (size_t m = 0; m < sweep->n_members && status == TRIB_OK; m++) {
        trib_result result = {0};
        bool is_complete;
        status =
            add_member(sweep, &sweep->member[m], &members, &shares, &result, &is_complete, error);
        *n_complete += is_complete && status == TRIB_OK;
        if (is_complete && n < ON_PAGE && status == TRIB_OK) {
            results[n] = result;
            status = add_to_page(&run[n], &sweep->member[m], &results[n], error);
            n++;
        } else trib_result_release(&result);
    }
    if (status == TRIB_OK && n > 0) status = write_page(sweep, run, n, error);
    status = trib_writer_end(&shares, status, NULL, error);
    status = trib_writer_end(&members, status, NULL, error);
    for (size_t i = 0; i < n; i++) {
        trib_result_release(&results[i]);
        trib_free((char *)(uintptr_t)run[i].link);
    }
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
