/* attacks.c - what a page of another site, another program of this machine, or a project that came
 * from somebody else may try. Each server is a real one. */
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tests/pipeline/app/client.h"

TESTS(app, attacks);

static const char *project(void) {
    trib_write_bytes(trib_scratch_below("project/texts/one.txt"), "the light at the point", 22);
    trib_write_bytes(trib_scratch_below("secret.txt"), "SECRET", 6);
    trib_write_bytes(trib_scratch_below("project/runs/q/status"), "{\"state\": \"complete\"}", 21);
    trib_write_bytes(trib_scratch_below("project/runs/q/report.html"), "<p>page", 7);
    return trib_scratch("project");
}

static bool start(client *c, trib_app_options options) {
    options.folder = project();
    return client_start(c, &options, 0);
}

/* ---- Who asks -------------------------------------------------------------------------------- */

TEST(a_name_that_was_bound_again_is_refused) {
    client c;
    char header[96];
    if (!start(&c, (trib_app_options){0})) return;
    static const char *const hosts[] = {"evil.example:%d",   "127.0.0.1.evil.example:%d",
                                        "127.0.0.1",         "127.0.0.1:1%d",
                                        "localhost:%d.evil", "[::1]:%d",
                                        "10.0.0.1:%d",       "127.0.0.1:%d:%d"};
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        int n = snprintf(header, sizeof header, "Host: ");
        n += snprintf(header + n, sizeof header - (size_t)n, hosts[i], c.port, c.port);
        snprintf(header + n, sizeof header - (size_t)n, "\r\n");
        EXPECT(client_ask(&c, "GET", "/api/state", header, NULL, NULL) == 403);
    }
    snprintf(header, sizeof header, "Host: localhost:%d\r\n", c.port);
    EXPECT(client_ask(&c, "GET", "/api/state", header, NULL, NULL) == 200);
    client_kill(&c);
}

TEST(pages_of_other_sites_are_refused) {
    client c;
    char header[96];
    if (!start(&c, (trib_app_options){0})) return;
    static const char *const refused[] = {
        "Origin: http://evil.example\r\n", "Origin: null\r\n", "Origin: https://127.0.0.1\r\n",
        "Sec-Fetch-Site: cross-site\r\n", "Sec-Fetch-Site: same-site\r\n"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        EXPECT(client_ask(&c, "GET", "/api/state", refused[i], NULL, NULL) == 403);
        EXPECT(client_ask(&c, "POST", "/api/quit", refused[i], "{}", NULL) == 403);
    }
    snprintf(header, sizeof header, "Origin: http://127.0.0.1:%d\r\n", c.runs);
    EXPECT(client_ask(&c, "GET", "/api/state", header, NULL, NULL) == 403); /* a page of a run */
    snprintf(header, sizeof header, "Origin: http://127.0.0.1:%d\r\n", c.port);
    EXPECT(client_ask(&c, "GET", "/api/state", header, NULL, NULL) == 200);
    client_kill(&c);
}

TEST(nothing_is_answered_without_the_cookie) {
    client c;
    char header[160], path[160];
    if (!start(&c, (trib_app_options){0})) return;
    snprintf(path, sizeof path, "/run/%s/q/report.html", c.id);
    const char *const paths[] = {"/", "/app.css", "/api/state", "/api/folders?path=/", path};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        EXPECT(client_ask(&c, "GET", paths[i], "Cookie: a=b\r\n", NULL, NULL) == 403);
        EXPECT(client_ask(&c, "GET", paths[i], "Cookie: tributary=\r\n", NULL, NULL) == 403);
        snprintf(header, sizeof header, "Cookie: tributary=%.63s\r\n", c.token);
        EXPECT(client_ask(&c, "GET", paths[i], header, NULL, NULL) == 403);
    }
    EXPECT(client_ask(&c, "GET", "/?token=0", "Cookie: a=b\r\n", NULL, NULL) == 403);
    snprintf(path, sizeof path, "/?token=%s", c.token);
    EXPECT(client_ask(&c, "GET", path, "Cookie: a=b\r\n", NULL, NULL) == 303);
    client_kill(&c);
}

TEST(nothing_changes_without_the_header) {
    client c;
    char path[160];
    if (!start(&c, (trib_app_options){0})) return;
    static const char *const changes[][2] = {{"POST", ""},
                                             {"DELETE", "/ID"},
                                             {"PUT", "/ID/files/a.txt"},
                                             {"PUT", "/ID/texts"},
                                             {"DELETE", "/ID/files/one.txt"},
                                             {"POST", "/ID/restore"},
                                             {"PUT", "/ID/yaml"},
                                             {"POST", "/ID/run"},
                                             {"POST", "/ID/job"},
                                             {"POST", "/ID/ask"},
                                             {"POST", "/ID/runs/q/publish"},
                                             {"PUT", "/ID/runs/q/judgements"}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const char *below = changes[i][1];
        snprintf(path, sizeof path, "/api/projects%s%s%s", *below ? "/" : "", *below ? c.id : "",
                 *below ? below + 3 : "");
        EXPECT(client_ask(&c, changes[i][0], path, "X-Tributary: 0\r\n", "{}", NULL) == 403);
    }
    EXPECT(client_ask(&c, "POST", "/api/quit", "X-Tributary: 0\r\n", "{}", NULL) == 403);
    EXPECT(access(trib_scratch("project/texts/one.txt"), R_OK) == 0);
    EXPECT(access(trib_scratch("project/texts/a.txt"), R_OK) != 0);
    EXPECT(client_quit(&c) == 0);
}

/* ---- Where it leads -------------------------------------------------------------------------- */

TEST(no_path_leads_out_of_a_run) {
    client c;
    char path[400];
    if (!start(&c, (trib_app_options){0})) return;
    (void)!symlink("../../../secret.txt", trib_scratch("project/runs/q/link.txt"));
    (void)!symlink("../../..", trib_scratch("project/runs/q/folder"));
    (void)!symlink("/", trib_scratch("project/runs/root"));
    static const char *const below[] = {"q/../../../secret.txt",
                                        "q/%2e%2e/%2e%2e/%2e%2e/secret.txt",
                                        "q/..%2f..%2f..%2fsecret.txt",
                                        "q/%2e%2e%2f%2e%2e%2fsecret.txt",
                                        "q/%252e%252e%252fsecret.txt",
                                        "q/%c0%ae%c0%ae/%c0%ae%c0%ae/secret.txt",
                                        "q/..\\..\\..\\secret.txt",
                                        "q//etc/passwd",
                                        "q/%2fetc%2fpasswd",
                                        "/etc/passwd",
                                        "../../secret.txt",
                                        "%2e%2e/%2e%2e/secret.txt",
                                        "q/report.html%00.txt",
                                        "q/link.txt",
                                        "q/folder/secret.txt",
                                        "root/etc/passwd",
                                        "q/.",
                                        "q/%zz",
                                        "q/%"};
    for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
        trib_buffer answer = {0};
        snprintf(path, sizeof path, "/run/%s/%s", c.id, below[i]);
        const int status = client_ask(&c, "GET", path, NULL, NULL, &answer);
        if (status != 400 && status != 404) fprintf(stderr, "%s: %d\n", path, status);
        EXPECT(status == 400 || status == 404);
        EXPECT(answer.length > 0 && !strstr(answer.text, "SECRET") &&
               !strstr(answer.text, "root:"));
        trib_buffer_release(&answer);
    }
    snprintf(path, sizeof path, "/run/%s/q/report.html", c.id);
    EXPECT(client_ask(&c, "GET", path, NULL, NULL, NULL) == 200);
    EXPECT(client_ask(&c, "GET", "/run/0000000000000000/q/report.html", NULL, NULL, NULL) == 404);
    client_kill(&c);
}

TEST(pages_of_runs_and_of_the_application_are_apart) {
    client c;
    char text[400];
    trib_buffer answer = {0};
    if (!start(&c, (trib_app_options){0})) return;
    static const char *const paths[] = {"/run/%s/q/report.html", "/api/projects/%s"};
    for (int of_runs = 0; of_runs < 2; of_runs++) { /* each at the port of the other */
        char path[100];
        const int port = of_runs ? c.runs : c.port;
        snprintf(path, sizeof path, paths[of_runs], c.id);
        const int n = snprintf(text, sizeof text,
                               "GET %s HTTP/1.1\r\nConnection: close\r\nHost: 127.0.0.1:%d\r\n"
                               "Cookie: tributary=%s\r\n\r\n",
                               path, port, c.token);
        EXPECT(client_raw(port, text, (size_t)n, &answer) == 404);
    }
    trib_buffer_release(&answer);
    client_kill(&c);
}

TEST(no_text_lies_outside_of_the_project) {
    client c;
    if (!start(&c, (trib_app_options){0})) return;
    (void)!symlink("../../secret.txt", trib_scratch("project/texts/link.txt"));
    json_decref(client_json(&c, "GET", "text/texts/link.txt", NULL, 404));
    json_decref(client_json(&c, "GET", "text/texts/..%2f..%2fsecret.txt", NULL, 400));
    json_decref(client_json(&c, "PUT", "texts", "{\"rows\":[{\"file\":\"../secret.txt\"}]}", 400));
    json_decref(client_json(&c, "PUT", "texts", "{\"rows\":[{\"file\":\"a/../../b\"}]}", 400));
    json_decref(client_json(&c, "PUT", "texts", "{\"rows\":[\"a\"]}", 400));
    json_decref(client_json(&c, "DELETE", "files/..%2fexperiment.yaml", NULL, 400));
    json_decref(client_json(&c, "POST", "restore", "{\"name\":\"../../secret.txt\"}", 404));
    json_decref(client_json(&c, "PUT", "runs/..%2fq/judgements", "{}", 400));
    EXPECT(access(trib_scratch("secret.txt"), R_OK) == 0);
    unlink(trib_scratch("project/texts/link.txt"));
    client_kill(&c);
}

/* ---- Too much, and too slowly ---------------------------------------------------------------- */

TEST(floods_are_refused) {
    client c;
    trib_buffer text = {0};
    if (!start(&c, (trib_app_options){.most_file_size = 1 << 20})) return;
    trib_buffer_print(&text, NULL, "GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n", c.port);
    for (int i = 0; i < 20000; i++) trib_buffer_print(&text, NULL, "X-%d: a\r\n", i);
    const int status = client_raw(c.port, text.text, text.length, NULL);
    EXPECT(status == 0 || status >= 400);
    trib_buffer_clear(&text);
    trib_buffer_print(&text, NULL, "GET /");
    for (int i = 0; i < 100000; i++) trib_buffer_print(&text, NULL, "a");
    const int long_one = client_raw(c.port, text.text, text.length, NULL);
    EXPECT(long_one == 0 || long_one >= 400);
    for (int sends = 0; sends < 2; sends++) { /* a length that says too much; a body that is */
        trib_buffer_clear(&text);
        trib_buffer_print(&text, NULL,
                          "PUT /api/projects/%s/files/big.txt HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"
                          "Connection: close\r\nCookie: tributary=%s\r\nX-Tributary: %s\r\n%s",
                          c.id, c.port, c.token, c.change,
                          sends ? "Transfer-Encoding: chunked\r\n\r\n"
                                : "Content-Length: 1000000000000\r\n\r\n");
        for (int i = 0; sends && i < 600; i++)
            trib_buffer_print(&text, NULL, "1000\r\n%04096d\r\n", i);
        if (sends) trib_buffer_print(&text, NULL, "0\r\n\r\n");
        EXPECT(client_raw(c.port, text.text, text.length, NULL) == 413);
    }
    EXPECT(access(trib_scratch("project/texts/big.txt"), F_OK) != 0);
    EXPECT(client_ask(&c, "GET", "/api/state", NULL, NULL, NULL) == 200);
    trib_buffer_release(&text);
    client_kill(&c);
}

TEST(slow_requests_are_ended) {
    client c;
    if (!start(&c, (trib_app_options){.patience = .2})) return;
    const int silent = client_open(c.port), slow = client_open(c.port);
    EXPECT(client_send(silent, "GET / HT", 8));
    EXPECT(client_read(silent, NULL) == 0);
    bool goes_on = client_send(slow, "GET /", 5);
    for (int i = 0; goes_on && i < 100000; i++) { /* a byte now and then, which is never silent */
        nanosleep(&(struct timespec){0, 10000000}, NULL);
        goes_on = client_send(slow, "a", 1);
    }
    EXPECT(!goes_on);
    EXPECT(client_ask(&c, "GET", "/api/state", NULL, NULL, NULL) == 200);
    close(silent);
    close(slow);
    client_kill(&c);
}

/* Ten thousand, or as many as this process may open; each would be silent for hours. */
TEST(ten_thousand_connections_keep_nobody_out) {
    enum { MANY = 10000, OWN = 64 };
    client c;
    static int line[MANY];
    struct rlimit had, most;
    CHECK(getrlimit(RLIMIT_NOFILE, &had) == 0);
    most = (struct rlimit){had.rlim_max < MANY + OWN ? had.rlim_max : MANY + OWN, had.rlim_max};
    if (!start(&c, (trib_app_options){.patience = 36000})) return;
    CHECK(setrlimit(RLIMIT_NOFILE, &most) == 0);
    const int n = (int)most.rlim_cur - OWN;
    for (int i = 0; i < n; i++) {
        line[i] = client_open(c.port);
        (void)client_send(line[i], "GET", 3);
    }
    int status = 0; /* those above the limit are closed at once, until silent ones have ended */
    for (int i = 0; i < 30000 && status != 200; i++) {
        status = client_ask(&c, "GET", "/api/state", NULL, NULL, NULL);
        if (status != 200) nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    EXPECT(status == 200);
    for (int i = 0; i < n; i++) close(line[i]);
    setrlimit(RLIMIT_NOFILE, &had);
    client_kill(&c); /* what was closed just now may still count, so a request may be refused */
}

/* ---- Who may what ---------------------------------------------------------------------------- */

TEST(read_only_serves_finished_runs_alone) {
    client c;
    char path[160];
    trib_error error = {0};
    if (!start(&c, (trib_app_options){.read_only = true})) return;
    json_decref(client_json(&c, "GET", "", NULL, 200));
    snprintf(path, sizeof path, "/run/%s/q/report.html", c.id);
    EXPECT(client_ask(&c, "GET", path, NULL, NULL, NULL) == 200);
    json_decref(client_json(&c, "GET", "texts", NULL, 403));
    json_decref(client_json(&c, "GET", "text/texts/one.txt", NULL, 403));
    json_decref(client_json(&c, "GET", "/api/folders", NULL, 403));
    json_decref(client_json(&c, "PUT", "files/a.txt", "a", 405));
    json_decref(client_json(&c, "POST", "run", "{}", 405));
    json_decref(client_json(&c, "PUT", "runs/q/judgements", "{}", 405));
    json_decref(client_json(&c, "POST", "/api/quit", "{}", 405));
    client_kill(&c);
    EXPECT(trib_app_serve(&(trib_app_options){.address = "0.0.0.0"}, &error) == TRIB_USAGE);
    EXPECT(strstr(error.message, "--read-only") != NULL);
    EXPECT(trib_app_serve(&(trib_app_options){.address = "here"}, &error) == TRIB_USAGE);
    EXPECT(trib_app_serve(&(trib_app_options){.read_only = true}, &error) == TRIB_USAGE);
}
