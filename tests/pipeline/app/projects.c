#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* unshare */
#endif
/* projects.c - a project from its first file to its report, and what happens to it when programs
 * stop, fail or end in the middle. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#ifdef __linux__
#include <sys/mount.h>
#endif
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/pipeline/app/client.h"

TESTS(app, projects);

static const char *folder(void) {
    mkdir(trib_scratch("project"), 0777);
    return trib_scratch("project");
}

/* Whether a file of the project has these bytes. */
static bool holds(const char *name, const char *bytes) {
    char path[200];
    trib_buffer text = {0};
    snprintf(path, sizeof path, "project/%s", name);
    const bool is_there = access(trib_scratch(path), R_OK) == 0;
    if (is_there) trib_read_bytes(trib_scratch(path), &text);
    const bool is = is_there && text.length == strlen(bytes) &&
                    memcmp(text.length > 0 ? text.text : "", bytes, text.length) == 0;
    trib_buffer_release(&text);
    return is;
}

/* ---- Files ----------------------------------------------------------------------------------- */

TEST(files_are_stored_whole_under_clean_names) {
    client c;
    if (!client_start(&c, &(trib_app_options){.folder = folder()}, 0)) return;
    static const char *const cases[][3] = {
        {"a.txt", "one", "a.txt"},
        {"a.txt", "two", "a-2.txt"},
        {"a.txt", "two", "a-2.txt"}, /* the same bytes again */
        {"a.txt", "one", "a.txt"},
        {"%1b%5b1m%0a.txt", "x", "_[1m_.txt"},
        {"%E2%80%AEtxt.zip", "PK\x03\x04 no archive", "_txt.zip"},
        {"%3Cscript%3E%22.txt", "y", "_script__.txt"},
        {".htaccess", "z", "_htaccess"},
        {"%E5%8F%A4.txt", "", "\xE5\x8F\xA4.txt"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[120];
        snprintf(path, sizeof path, "files/%s", cases[i][0]);
        json_t *said = client_json(&c, "PUT", path, cases[i][1], 200);
        EXPECT_TEXT(trib_json_get_text(said, "name"), cases[i][2]);
        json_decref(said);
        snprintf(path, sizeof path, "texts/%s", cases[i][2]);
        EXPECT(holds(path, cases[i][1]));
    }
    json_decref(client_json(&c, "DELETE", "files/a.txt", NULL, 200));
    EXPECT(!holds("texts/a.txt", "one") && holds("removed/a.txt", "one"));
    json_decref(client_json(&c, "POST", "restore", "{\"name\":\"a.txt\"}", 200));
    EXPECT(holds("texts/a.txt", "one"));
    json_decref(client_json(&c, "DELETE", "files/a.txt", NULL, 200));
    json_decref(client_json(&c, "DELETE", "files/a.txt", NULL, 404));
    client_kill(&c);
}

/* Names in a folder that are not . and .. . */
static size_t count_names(const char *path) {
    trib_arena arena = {0};
    trib_names names = {0};
    (void)trib_disk_list(path, &names, &arena);
    trib_arena_release(&arena);
    return names.n;
}

TEST(a_file_that_cannot_be_written_leaves_nothing) {
    client c;
    char text[100001];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    if (!client_start(&c, &(trib_app_options){.folder = folder()}, 1 << 16)) return;
    json_decref(client_json(&c, "PUT", "files/small.txt", "a", 200));
    const size_t had = count_names(trib_scratch("project/texts"));
    json_t *said = client_json(&c, "PUT", "files/big.txt", text, 507); /* a limit, or a full disk */
    EXPECT(*trib_json_get_text(said, "error") != '\0');
    json_decref(said);
    EXPECT(count_names(trib_scratch("project/texts")) == had);
    client_kill(&c);
}

/* Gives this process a disk of its own at a folder; whether it may. */
static bool mount_disk(const char *at, const char *size) {
#ifdef __linux__
    return unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("none", at, "tmpfs", 0, size) == 0;
#else
    (void)at, (void)size;
    return false;
#endif
}

TEST(a_full_disk_is_said_and_takes_nothing_away) {
    client c;
    char path[160];
    trib_buffer text = {0};
    if (!mount_disk(folder(), "size=256k")) {
        trib_skip("only root may mount a small disk");
        return;
    }
    trib_write_bytes(trib_scratch_below("project/runs/q/status"), "{\"state\": \"complete\"}", 21);
    if (!client_start(&c, &(trib_app_options){.folder = folder()}, 0)) return;
    json_decref(client_json(&c, "PUT", "files/small.txt", "a", 200));
    snprintf(path, sizeof path, "/api/projects/%s/runs/q/judgements", c.id);
    EXPECT(client_ask(&c, "PUT", path, "If-Match: \"0\"\r\n", "{\"own\":{}}", NULL) == 200);
    for (int i = 0; i < 10000; i++)
        trib_buffer_print(&text, NULL, "forty bytes of a text that is too large ");
    json_t *said = client_json(&c, "PUT", "files/large.txt", text.text, 507);
    EXPECT(strstr(trib_json_get_text(said, "error"), strerror(ENOSPC)) != NULL);
    json_decref(said);
    EXPECT(count_names(trib_scratch("project/texts")) == 1); /* nothing is left of it */
    json_decref(client_json(&c, "PUT", "files/other.txt", "b", 200));
    /* what is full stays full: an experiment that finds no place leaves the old one */
    json_t *body = json_pack("{s:[], s:s}", "rows", "yaml", "tributary: 1\n");
    char *sent = json_dumps(body, 0);
    json_decref(client_json(&c, "PUT", "texts", sent, 200));
    trib_raw_free(sent);
    json_object_set_new(body, "yaml", json_string(text.text));
    sent = json_dumps(body, 0);
    json_decref(client_json(&c, "PUT", "texts", sent, 507));
    trib_raw_free(sent);
    EXPECT(holds("experiment.yaml", "tributary: 1\n"));
    EXPECT(holds("judgements/q.json", "{\"own\":{}}"));
    json_decref(body);
    trib_buffer_release(&text);
    client_kill(&c);
#ifdef __linux__
    umount2(folder(), MNT_DETACH);
#endif
}

TEST(of_a_file_of_300_megabytes_the_beginning_is_shown) {
    enum { BLOCK = 1000000, BLOCKS = 300 };
    static const char words[] = "the light at the point and the harbour in the bay\n";
    client c;
    struct stat about;
    if (!getenv("TRIBUTARY")) {
        trib_skip("TRIBUTARY names no program");
        return;
    }
    if (!client_start(&c, &(trib_app_options){.folder = folder()}, 0)) return;
    trib_buffer text = {0};
    for (int i = 0; i < BLOCK / (int)(sizeof words - 1); i++)
        trib_buffer_print(&text, NULL, "%s", words);
    CHECK(text.length == BLOCK);
    const int line = client_open(c.port);
    char head[600];
    const int n = snprintf(head, sizeof head,
                           "PUT /api/projects/%s/files/big.txt HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"
                           "Connection: close\r\nCookie: tributary=%s\r\nX-Tributary: %s\r\n"
                           "Content-Length: %d\r\n\r\n",
                           c.id, c.port, c.token, c.change, BLOCK * BLOCKS);
    bool goes_on = client_send(line, head, (size_t)n);
    for (int i = 0; i < BLOCKS && goes_on; i++) goes_on = client_send(line, text.text, text.length);
    EXPECT(goes_on);
    EXPECT(client_read(line, NULL) == 200);
    close(line);
    EXPECT(stat(trib_scratch("project/texts/big.txt"), &about) == 0 &&
           about.st_size == (off_t)BLOCK * BLOCKS);
    json_t *said = client_json(&c, "GET", "text/texts/big.txt", NULL, 200);
    EXPECT(json_is_true(json_object_get(said, "cut")));
    EXPECT(strncmp(trib_json_get_text(said, "text"), words, sizeof words - 1) == 0);
    json_decref(said);
    trib_buffer_release(&text);
    unlink(trib_scratch("project/texts/big.txt"));
    client_kill(&c);
}

TEST(judgements_are_not_lost_when_two_pages_store_them) {
    client c;
    char path[160], header[64];
    trib_write_bytes(trib_scratch_below("project/runs/q/status"), "{\"state\": \"complete\"}", 21);
    if (!client_start(&c, &(trib_app_options){.folder = folder()}, 0)) return;
    snprintf(path, sizeof path, "/api/projects/%s/runs/q/judgements", c.id);
    static const char body[] = "{\"own\":{\"a\":[\"accepted\",\"\"]},\"csv\":\"target\\n\"}";
    EXPECT(client_ask(&c, "PUT", path, NULL, body, NULL) == 412);
    EXPECT(client_ask(&c, "PUT", path, "If-Match: \"0\"\r\n", body, NULL) == 200);
    EXPECT(client_ask(&c, "PUT", path, "If-Match: \"0\"\r\n", "{}", NULL) == 412);
    EXPECT(holds("judgements/q.csv", "target\n"));
    static const char stored[] = "{\"own\":{\"a\":[\"accepted\",\"\"]}}";
    EXPECT(holds("judgements/q.json", stored));
    snprintf(header, sizeof header, "If-Match: \"%016llx\"\r\n",
             (unsigned long long)trib_checksum(stored, sizeof stored - 1));
    EXPECT(client_ask(&c, "PUT", path, header, "{}", NULL) == 200);
    EXPECT(holds("judgements/q.json", "{}"));
    client_kill(&c);
}

/* ---- Runs ------------------------------------------------------------------------------------ */

/* In place of the program: waits until the file `go` is there, and tells what a run tells. */
static const char *script(void) {
    static const char text[] =
        "#!/bin/sh\ncd \"$2\" || exit 1\necho $$ >started\n"
        "echo '{\"seconds\":1,\"level\":\"info\",\"stage\":\"tokens\",\"message\":\"x\"}' >&2\n"
        "echo '{\"seconds\":2,\"level\":\"info\",\"stage\":\"influence\",\"share\":0.5}' >&2\n"
        "while [ ! -e go ]; do sleep .02; done\n"
        "echo '{\"seconds\":3,\"level\":\"warning\",\"message\":\"a.txt:1: warning: odd\"}' >&2\n"
        "echo '{\"directory\": \"./runs/q\"}'\n";
    const char *path = trib_write_scratch("program", text);
    chmod(path, 0755);
    return path;
}

/* Waits until the project has a file; then reads a number from it. */
static int wait_for(const char *name) {
    char path[100];
    int number = 0;
    snprintf(path, sizeof path, "project/%s", name);
    for (int i = 0; i < 30000 && number == 0; i++) {
        FILE *file = fopen(trib_scratch(path), "r");
        if (file && fscanf(file, "%d", &number) != 1) number = 0;
        if (file) fclose(file);
        if (number == 0) nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    CHECK(number > 0);
    unlink(trib_scratch(path));
    return number;
}

/* Asks until the run has this state. */
static json_t *wait_for_state(const client *c, const char *state) {
    for (int i = 0; i < 30000; i++) {
        json_t *job = client_json(c, "GET", "job", NULL, 200);
        if (strcmp(trib_json_get_text(job, "state"), state) == 0) return job;
        json_decref(job);
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    CHECK(false); /* it never has this state */
    return NULL;
}

TEST(a_project_has_one_run_at_a_time_and_a_crash_frees_it) {
    client c;
    const trib_app_options options = {.folder = folder(), .program = script()};
    unlink(trib_scratch("project/go"));
    if (!client_start(&c, &options, 0)) return;
    json_t *job = client_json(&c, "GET", "job", NULL, 200);
    EXPECT(json_object_size(job) == 0);
    json_decref(job);
    json_decref(client_json(&c, "POST", "run", "{}", 202));
    json_decref(client_json(&c, "POST", "run", "{}", 409));
    kill(-wait_for("started"), SIGKILL); /* kill -9 of the run */
    json_decref(wait_for_state(&c, "stopped"));
    json_decref(client_json(&c, "POST", "run", "{}", 202));
    (void)wait_for("started");
    json_decref(client_json(&c, "POST", "job", "{\"action\":\"pause\"}", 200));
    json_decref(wait_for_state(&c, "paused"));
    json_decref(client_json(&c, "POST", "job", "{\"action\":\"resume\"}", 200));
    json_decref(wait_for_state(&c, "running"));
    json_decref(client_json(&c, "POST", "job", "{\"action\":\"dance\"}", 400));
    json_decref(client_json(&c, "POST", "job", "{\"action\":\"stop\"}", 200));
    json_decref(wait_for_state(&c, "stopped"));
    json_decref(client_json(&c, "POST", "job", "{\"action\":\"stop\"}", 409));
    client_kill(&c);
}

TEST(a_run_outlives_the_server_and_is_found_again) {
    client c;
    const trib_app_options options = {.folder = folder(), .program = script()};
    unlink(trib_scratch("project/go"));
    if (!client_start(&c, &options, 0)) return;
    json_decref(client_json(&c, "POST", "run", "{}", 202));
    (void)wait_for("started");
    client_kill(&c); /* kill -9 of the server */
    CHECK(client_start(&c, &(trib_app_options){.program = options.program}, 0));
    EXPECT(*c.id != '\0'); /* the project is found again */
    json_decref(client_json(&c, "POST", "run", "{}", 409));
    json_t *job = client_json(&c, "GET", "job", NULL, 200);
    EXPECT_TEXT(trib_json_get_text(job, "state"), "running");
    EXPECT(strstr(trib_json_get_text(job, "progress"), "\"stage\":\"influence\"") != NULL);
    json_decref(job);
    (void)trib_write_scratch("project/go", "");
    job = wait_for_state(&c, "finished");
    EXPECT_TEXT(trib_json_get_text(job, "run"), "q");
    EXPECT(strstr(trib_json_get_text(job, "progress"), "a.txt:1: warning: odd") != NULL);
    json_decref(job);
    json_decref(client_json(&c, "DELETE", "", NULL, 200));
    EXPECT(client_quit(&c) == 0);
    CHECK(client_start(&c, &(trib_app_options){.program = options.program}, 0));
    EXPECT(*c.id == '\0'); /* it was taken off the list */
    EXPECT(client_quit(&c) == 0);
}

/* ---- The whole way --------------------------------------------------------------------------- */

/* The rows of the table of texts, from the experiment or from the folder. */
static json_t *rows_of(const client *c, const char *path) {
    json_t *table = client_json(c, "GET", path, NULL, 200);
    json_t *rows = json_incref(json_object_get(json_object_get(table, "listed"), "documents"));
    json_decref(table);
    return rows;
}

/* Stores the rows, and an experiment that names their manifest. */
static json_t *store(const client *c, json_t *rows, const char *yaml) {
    json_t *table = json_pack("{s:o, s:s}", "rows", rows, "yaml", yaml);
    char *body = json_dumps(table, 0);
    json_t *said = client_json(c, "PUT", "texts", body, 200);
    trib_raw_free(body);
    json_decref(table);
    return said;
}

/* A folder of texts that was no project before: the table has its files. */
TEST(a_folder_of_texts_is_a_project) {
    client c;
    if (!getenv("TRIBUTARY")) {
        trib_skip("TRIBUTARY names no program");
        return;
    }
    mkdir(trib_scratch("letters"), 0777);
    mkdir(trib_scratch("letters/old"), 0777);
    trib_write_scratch("letters/a.txt", "The heron stands under the willows and waits.\n");
    trib_write_scratch("letters/old/b.txt", "Under the willows stands a heron, and it waits.\n");
    if (!client_start(&c, &(trib_app_options){.folder = trib_scratch("letters")}, 0)) return;
    EXPECT(rows_of(&c, "texts") == NULL); /* there is no experiment */
    json_t *rows = rows_of(&c, "texts?folder");
    EXPECT(json_array_size(rows) == 2);
    EXPECT_TEXT(trib_json_get_text(json_array_get(rows, 0), "file"), "a.txt");
    EXPECT_TEXT(trib_json_get_text(json_array_get(rows, 1), "file"), "old/b.txt");
    json_decref(client_json(&c, "PUT", "files/c.txt", "A third letter of a few words.", 200));
    json_decref(rows);
    rows = rows_of(&c, "texts?folder");
    EXPECT(json_array_size(rows) == 3);
    json_t *said = store(&c, rows,
                         "tributary: 1\nname: q\ncorpus:\n  manifest: manifest.csv\n"
                         "  target: all\n  order: any\n");
    EXPECT(json_array_size(json_object_get(said, "errors")) == 0);
    json_decref(said);
    rows = rows_of(&c, "texts");
    EXPECT(json_array_size(rows) == 3);
    json_decref(rows);
    EXPECT(client_quit(&c) == 0);
}

TEST(the_example_goes_from_its_texts_to_a_report) {
    client c;
    char path[200];
    trib_buffer page = {0};
    if (!getenv("TRIBUTARY")) {
        trib_skip("TRIBUTARY names no program");
        return;
    }
    if (!client_start(&c, &(trib_app_options){0}, 0)) return;
    char odd[300];
    snprintf(odd, sizeof odd, "{\"path\": \"%s\"}", trib_write_scratch("no-folder", ""));
    json_t *refused = client_json(&c, "POST", "/api/projects", odd, 400);
    EXPECT(strstr(trib_json_get_text(refused, "error"), "it is no folder") != NULL);
    json_decref(refused);
    json_t *made = client_json(&c, "POST", "/api/projects", "{\"example\": true}", 200);
    snprintf(c.id, sizeof c.id, "%s", trib_json_get_text(made, "id"));
    json_decref(made);
    json_decref(client_json(&c, "PUT", "files/bad.docx", "no document", 200));
    json_t *table = client_json(&c, "GET", "texts", NULL, 200), *row;
    EXPECT(json_array_size(json_object_get(table, "files")) == 5);
    json_t *rows = json_incref(json_object_get(json_object_get(table, "listed"), "documents"));
    json_t *accounts = json_object_get(json_object_get(table, "checked"), "documents");
    EXPECT(json_array_size(rows) == 4 && json_array_size(accounts) == 4);
    json_decref(table);
    size_t i;
    json_array_foreach(rows, i, row)
        EXPECT(json_integer_value(json_object_get(row, "words")) > 300);
    json_t *stored = client_json(&c, "GET", "yaml", NULL, 200), *said;
    EXPECT(strstr(trib_json_get_text(stored, "text"), "\n  documents: ") != NULL);
    said = store(&c, rows,
                 "tributary: 1\nname: q\ncorpus:\n  manifest: manifest.csv\n  target: [guide]\n"
                 "  order: any\n# a comment\noutput: runs/q\n");
    EXPECT(json_array_size(json_object_get(said, "errors")) == 0);
    json_decref(said);
    json_decref(stored);
    said = client_json(&c, "PUT", "yaml",
                       "{\"text\": \"tributary: 1\\nodd: 2\\n\", \"save\": true}", 200);
    const char *wrong = json_string_value(json_array_get(json_object_get(said, "errors"), 0));
    EXPECT(wrong && strstr(wrong, ":2:1: error: ") && strstr(wrong, "'odd'"));
    json_decref(said);
    said = client_json(&c, "GET", "yaml", NULL, 200); /* what is wrong was not stored */
    EXPECT(strstr(trib_json_get_text(said, "text"), "# a comment\n") != NULL);
    json_decref(said);
    said = client_json(&c, "GET", "check", NULL, 200);
    EXPECT(json_is_object(json_object_get(said, "estimate")));
    json_decref(said);
    json_decref(client_json(&c, "POST", "run", "{}", 202));
    json_t *job = wait_for_state(&c, "finished");
    snprintf(path, sizeof path, "/run/%s/%s/report.html", c.id, trib_json_get_text(job, "run"));
    EXPECT(client_ask(&c, "GET", path, NULL, NULL, &page) == 200);
    EXPECT(page.length > 10000);
    json_decref(job);
    said = client_json(&c, "POST", "ask", "{\"text\": \"the light\", \"kind\": \"word\"}", 200);
    EXPECT(json_array_size(json_object_get(said, "documents")) == 4);
    json_decref(said);
    said = client_json(
        &c, "POST", "ask",
        "{\"text\": \"I came to the light at Carrow Point in the spring of the year\"}", 200);
    EXPECT(json_array_size(json_object_get(said, "found")) > 0);
    json_decref(said);
    trib_buffer_release(&page);
    EXPECT(client_quit(&c) == 0);
}

TEST(the_server_ends_after_its_last_page) {
    client c;
    int result = 0;
    if (!client_start(&c, &(trib_app_options){.alone = .1}, 0)) return;
    json_decref(client_json(&c, "POST", "/api/alive", "{\"page\": \"a\"}", 200));
    json_decref(client_json(&c, "POST", "/api/alive", "{\"page\": \"b\"}", 200));
    json_decref(client_json(&c, "POST", "/api/alive", "{\"page\": \"a\", \"closed\": true}", 200));
    json_decref(client_json(&c, "GET", "/api/state", NULL, 200));
    json_decref(client_json(&c, "POST", "/api/alive", "{\"page\": \"b\", \"closed\": true}", 200));
    CHECK(waitpid(c.process, &result, 0) == c.process);
    EXPECT(WIFEXITED(result) && WEXITSTATUS(result) == 0);
}
