/* publish.c - `tributary publish`: the report of a run as a site of static pages, with a page of
 * each passage, the files of the run, and files that say how to cite it. SHA256SUMS of the site
 * lists what was written: a folder in which anything else is, or was changed, is refused. */
#include <ctype.h>
#include <errno.h>

#include "pipeline/config/config.h"
#include "pipeline/output/directory.h"
#include "pipeline/output/result.h"
#include "pipeline/program/command.h"
#include "pipeline/report/pages.h"
#include "pipeline/support/json.h"

typedef struct site {
    const trib_command_line *line;
    trib_result result;
    trib_report *report;
    trib_run_directory to;
    size_t page;      /* that is written */
    const char *path; /* of the file that is copied */
} site;

/* ---- Pages and files of the run -------------------------------------------------------------- */

static trib_status write_page(const void *what, trib_writer *writer, trib_error *error) {
    const site *const s = what;
    return trib_report_write_page(s->report, s->page, writer, error);
}

static trib_status write_copy(const void *what, trib_writer *writer, trib_error *error) {
    const site *const s = what;
    trib_buffer text = {0};
    const trib_status status = trib_read_whole(s->path, &text, error);
    if (status == TRIB_OK) trib_write(writer, text.text, text.length);
    trib_buffer_release(&text);
    return status;
}

static trib_status put_pages(site *s, trib_error *error) {
    static const char *const folders[] = {"data", "passage", "read", "targets"};
    trib_buffer name = {0};
    trib_status status = TRIB_OK;
    for (size_t f = 0; f < sizeof folders / sizeof *folders && status == TRIB_OK; f++)
        status = trib_directory_make(&s->to, folders[f], error);
    for (s->page = 0; s->page < trib_report_n_pages(s->report) && status == TRIB_OK; s->page++) {
        status = trib_report_page_name(s->report, s->page, &name, error);
        if (status == TRIB_OK)
            status = trib_directory_write(&s->to, name.text, write_page, s, error);
    }
    trib_buffer_release(&name);
    return status;
}

/* The lines "SHA-256  NAME" of a folder as {NAME: true}; nothing when it has none. */
static trib_status read_names(json_t *names, const char *folder, trib_error *error) {
    trib_buffer path = {0}, text = {0};
    trib_status status = trib_buffer_print(&path, error, "%s/SHA256SUMS", folder);
    if (status == TRIB_OK && trib_disk_has(path.text))
        status = trib_read_whole(path.text, &text, error);
    for (char *at = text.text, *end; status == TRIB_OK && at && *at; at = end) {
        end = at + strcspn(at, "\n");
        if (*end) *end++ = '\0';
        if (strlen(at) > TRIB_SHA256_TEXT + 1)
            json_object_set_new(names, at + TRIB_SHA256_TEXT + 1, json_true());
    }
    trib_buffer_release(&path);
    trib_buffer_release(&text);
    return status;
}

/* Copies the tables of the run. Its pages are written anew, and the words of the texts are only
 * those of a site where texts may be quoted in full. */
static trib_status put_files(site *s, trib_error *error) {
    const bool is_full = strcmp(trib_result_setting(&s->result, "report.text"), "full") == 0;
    json_t *const run = json_object(), *value;
    trib_buffer path = {0};
    const char *name;
    trib_status status = read_names(run, s->line->operand[0], error);
    json_object_foreach(run, name, value) {
        const size_t n = strlen(name);
        if (status != TRIB_OK || (n > 5 && strcmp(name + n - 5, ".html") == 0)) continue;
        if (strncmp(name, "data/", 5) == 0 ? !is_full : strchr(name, '/') != NULL) continue;
        trib_buffer_clear(&path);
        status = trib_buffer_print(&path, error, "%s/%s", s->line->operand[0], name);
        s->path = path.text;
        if (status == TRIB_OK) status = trib_directory_write(&s->to, name, write_copy, s, error);
    }
    json_decref(run);
    trib_buffer_release(&path);
    return status;
}

/* ---- How to cite it -------------------------------------------------------------------------- */

static const char *setting(const site *s, const char *key) {
    return trib_result_setting(&s->result, key);
}

/* The next of the editors, "Family, Given" or an institution, of *length bytes; NULL: none. */
static const char *next_editor(const char **at, size_t *length) {
    *at += strspn(*at, "; ");
    const char *const name = *at;
    *length = strcspn(name, ";");
    *at += *length;
    while (*length > 0 && name[*length - 1] == ' ') --*length;
    return *length > 0 ? name : NULL;
}

static void write_member(trib_writer *writer, const char *key, const char *text, size_t length) {
    trib_buffer value = {0};
    trib_print(writer, "%s: ", key);
    if (trib_buffer_add(&value, text, length, &writer->failure) == TRIB_OK)
        trib_write_json(writer, value.text);
    trib_write_text(writer, "\n");
    trib_buffer_release(&value);
}

static trib_status write_cff(const void *what, trib_writer *writer, trib_error *error) {
    const site *const s = what;
    const char *at = setting(s, "corpus.editors"), *const license = setting(s, "corpus.license"),
               *const address = setting(s, "corpus.address"),
               *const title = trib_result_corpus_title(&s->result), *name;
    size_t n = 0, length;
    (void)error;
    trib_write_text(writer, "cff-version: 1.2.0\nmessage: \"Please cite this corpus of passages as "
                            "below.\"\ntype: dataset\n");
    write_member(writer, "title", title, strlen(title));
    trib_write_text(writer, "authors:\n");
    for (; (name = next_editor(&at, &length)); n++) {
        const char *const comma = memchr(name, ',', length);
        if (!comma) write_member(writer, "  - name", name, length);
        if (!comma) continue;
        const char *const given = comma + 1 + strspn(comma + 1, " ");
        write_member(writer, "  - family-names", name, (size_t)(comma - name));
        write_member(writer, "    given-names", given, (size_t)(name + length - given));
    }
    if (n == 0) write_member(writer, "  - name", title, strlen(title));
    const bool is_link = strstr(license, "://") != NULL; /* an SPDX identifier has no spaces */
    if (*license && !strchr(license, ' '))
        write_member(writer, is_link ? "license-url" : "license", license, strlen(license));
    if (*address) write_member(writer, "url", address, strlen(address));
    write_member(writer, "version", s->result.hash, 16);
    return writer->failure.status;
}

static trib_status write_datacite(const void *what, trib_writer *writer, trib_error *error) {
    const site *const s = what;
    const char *at = setting(s, "corpus.editors"), *const license = setting(s, "corpus.license"),
               *const address = setting(s, "corpus.address"), *name;
    json_t *const creators = json_array();
    size_t length, n = 0;
    char year[24] = TRIB_YEAR;
    if (s->line->year > 0) snprintf(year, sizeof year, "%llu", (unsigned long long)s->line->year);
    for (; (name = next_editor(&at, &length)); n++)
        json_array_append_new(
            creators, json_pack("{s:o, s:s}", "name", json_stringn(name, length), "nameType",
                                memchr(name, ',', length) ? "Personal" : "Organizational"));
    if (n == 0) json_array_append_new(creators, json_pack("{s:s}", "name", ":unav"));
    json_t *const all =
        json_pack("{s:[], s:o, s:[{s:o}], s:{s:s}, s:s, s:{s:s, s:s}, s:[{s:s, s:s}], s:s, s:s}",
                  "identifiers", "creators", creators, "titles", "title",
                  trib_json_text(trib_result_corpus_title(&s->result)), "publisher", "name",
                  ":unav", "publicationYear", year, "types", "resourceTypeGeneral", "Dataset",
                  "resourceType", "Passages that texts share", "descriptions", "description",
                  "Passages that texts share, how much of each text they are, and their places.",
                  "descriptionType", "Abstract", "version", s->result.hash, "schemaVersion",
                  "http://datacite.org/schema/kernel-4");
    if (*license)
        json_object_set_new(all, "rightsList",
                            json_pack("[{s:o, s:o, s:s}]", "rights", trib_json_text(license),
                                      "rightsIdentifier", trib_json_text(license),
                                      "rightsIdentifierScheme", "SPDX"));
    if (*address) json_object_set_new(all, "url", trib_json_text(address));
    return trib_json_write(all, writer, error);
}

/* Lists all pages. */
static trib_status write_sitemap(const void *what, trib_writer *writer, trib_error *error) {
    const site *const s = what;
    const char *const address = setting(s, "corpus.address");
    const bool has_slash = address[strlen(address) - 1] == '/';
    (void)error;
    trib_write_text(writer, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://"
                            "www.sitemaps.org/schemas/sitemap/0.9\">\n");
    for (size_t f = 0; f < s->to.n_files; f++) {
        const char *at = s->to.file[f].name;
        const size_t n = strlen(at);
        if (n < 5 || strcmp(at + n - 5, ".html") != 0) continue;
        trib_print(writer, "<url><loc>%s%s", address, has_slash ? "" : "/");
        for (; *at; at++)
            if (isalnum((unsigned char)*at) || strchr("/-_.~", *at)) trib_print(writer, "%c", *at);
            else trib_print(writer, "%%%02X", (unsigned)(unsigned char)*at);
        trib_write_text(writer, "</loc></url>\n");
    }
    trib_write_text(writer, "</urlset>\n");
    return writer->failure.status;
}

/* ---- The site -------------------------------------------------------------------------------- */

/* Empties the folder of what an earlier call wrote. */
static trib_status empty_folder(const site *s, trib_error *error) {
    const char *const folder = s->to.path, *name;
    trib_writer nowhere = {.file = -1};
    json_t *const old = json_object(), *value;
    trib_command_line line = *s->line; /* verify prints what differs */
    if (trib_directory_is_empty(folder)) goto done;
    trib_status status = read_names(old, folder, error);
    if (status == TRIB_OK)
        status = trib_writer_scratch(&nowhere, trib_path_temporary(), false, error);
    if (status == TRIB_OK) {
        line.operand = (const char **)(uintptr_t)&s->to.path;
        line.out = &nowhere;
        const bool is_site = json_object_get(old, "CITATION.cff") != NULL;
        status = is_site ? trib_command_verify(&line, error) : TRIB_DIFFERS;
        trib_writer_abandon(&nowhere);
    }
    if (status == TRIB_DIFFERS || status == TRIB_INPUT)
        status = trib_fail(error, TRIB_OUTPUT,
                           "%s: has files that publish did not write, or that were changed since "
                           "(`tributary verify` names them); move them away, or name another "
                           "folder with -o",
                           folder);
    json_object_foreach(old, name, value) {
        char path[TRIB_PATH_MAX];
        if (status == TRIB_OK && !trib_path_leads_out(name) &&
            trib_directory_path(&s->to, path, error, "%s", name) == TRIB_OK)
            (void)trib_disk_remove(path);
    }
    json_decref(old);
    return status;
done:
    json_decref(old);
    return trib_directory_make(&s->to, ".", error);
}

/* Sets what --set says of the corpus. */
static trib_status set_said(trib_result *result, const trib_command_line *line, trib_error *error) {
    static const char *const keys[] = {"corpus.title", "corpus.editors", "corpus.license",
                                       "corpus.address"};
    for (size_t i = 0; i < line->n_settings; i++) {
        size_t k = 0;
        while (k < sizeof keys / sizeof *keys && strcmp(keys[k], line->setting[i].key) != 0) k++;
        if (k == sizeof keys / sizeof *keys)
            return trib_fail(error, TRIB_USAGE,
                             "--set %s: publish computes nothing; it takes corpus.title, "
                             "corpus.editors, corpus.license and corpus.address",
                             line->setting[i].key);
        size_t c = 0;
        while (c < result->configuration.n &&
               strcmp(result->configuration.item[c].key, keys[k]) != 0)
            c++;
        trib_setting_record *const to =
            c < result->configuration.n
                ? &result->configuration.item[c]
                : trib_arena_append(&result->arena, &result->configuration, sizeof *to);
        if (to) *to = (trib_setting_record){keys[k], line->setting[i].value};
    }
    return trib_arena_check(&result->arena, error);
}

static trib_status write_site(site *s, trib_error *error) {
    trib_status status = empty_folder(s, error);
    if (status == TRIB_OK) status = put_pages(s, error);
    if (status == TRIB_OK) status = put_files(s, error);
    if (status == TRIB_OK)
        status = trib_directory_write(&s->to, "CITATION.cff", write_cff, s, error);
    if (status == TRIB_OK)
        status = trib_directory_write(&s->to, "datacite.json", write_datacite, s, error);
    if (status == TRIB_OK && strstr(setting(s, "corpus.address"), "://"))
        status = trib_directory_write(&s->to, "sitemap.xml", write_sitemap, s, error);
    if (status == TRIB_OK) status = trib_json_check("publish", error);
    return status == TRIB_OK ? trib_directory_sums(&s->to, error) : status;
}

trib_status trib_command_publish(const trib_command_line *line, trib_error *error) {
    site s = {.line = line};
    if (!line->output) return trib_fail(error, TRIB_USAGE, "publish: name the folder with -o");
    trib_status status = trib_result_open(&s.result, line->operand[0], error);
    if (status == TRIB_OK) status = trib_copy(&s.to.path, line->output, error);
    if (status == TRIB_OK) status = set_said(&s.result, line, error);
    if (status == TRIB_OK && line->judgements)
        status = trib_result_judge(&s.result, line->judgements, error);
    if (status == TRIB_OK)
        status = trib_report_open(&s.report, &s.result, NULL, "index.html", "targets", error);
    if (status == TRIB_OK) {
        trib_report_for_site(s.report);
        trib_report_demand_all(s.report);
        status = trib_report_reads(s.report, line->operand[0], true, error);
    }
    if (status == TRIB_OK) status = write_site(&s, error);
    if (status == TRIB_OK && line->json)
        status = trib_json_print(line->out, error, "{s:o}", "site", trib_json_text(s.to.path));
    else if (status == TRIB_OK) trib_print(line->out, "%s/index.html\n", s.to.path);
    trib_report_close(s.report);
    trib_result_release(&s.result);
    trib_directory_release(&s.to);
    return status;
}
