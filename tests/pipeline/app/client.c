/* client.c - starts a server of the application, and sends it raw requests. */
#include "tests/pipeline/app/client.h"

#include <arpa/inet.h>
#include <limits.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the process of the server. */
static void serve(const trib_app_options *given, int out, uint64_t most) {
    char program[PATH_MAX];
    trib_error error = {0};
    trib_app_options options = *given;
    setenv("XDG_STATE_HOME", trib_scratch("state"), 1);
    setenv("XDG_CACHE_HOME", trib_scratch("cache"), 1);
    setenv("HOME", trib_scratch("home"), 1);
    if (most > 0) {
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){most, most});
    }
    if (!options.program && getenv("TRIBUTARY") && realpath(getenv("TRIBUTARY"), program))
        options.program = program;
    options.no_browser = true;
    options.out = out;
    trib_json_open();
    const trib_status status = trib_app_serve(&options, &error);
    if (status != TRIB_OK) dprintf(out, "%s\n", error.message);
    _exit(status == TRIB_OK ? 0 : 1);
}

bool client_start(client *c, const trib_app_options *options, uint64_t most) {
    char line[512] = "";
    int ends[2];
    *c = (client){0};
    CHECK(pipe(ends) == 0);
    fflush(NULL);
    c->process = fork();
    CHECK(c->process >= 0);
    if (c->process == 0) serve(options, ends[1], most);
    close(ends[1]);
    FILE *from = fdopen(ends[0], "r");
    CHECK(from && fgets(line, sizeof line, from));
    fclose(from);
    if (sscanf(line, "http://127.0.0.1:%d/?token=%64[0-9a-f]", &c->port, c->token) != 2) {
        waitpid(c->process, NULL, 0);
        if (!strstr(line, "libmicrohttpd")) fprintf(stderr, "no server: %s", line);
        CHECK(strstr(line, "libmicrohttpd") != NULL);
        trib_skip("libmicrohttpd is not installed");
        return false;
    }
    json_t *state = client_json(c, "GET", "/api/state", NULL, 200);
    snprintf(c->change, sizeof c->change, "%s", trib_json_get_text(state, "change_token"));
    sscanf(trib_json_get_text(state, "runs_origin"), "http://127.0.0.1:%d", &c->runs);
    json_t *project = json_array_get(json_object_get(state, "projects"), 0);
    snprintf(c->id, sizeof c->id, "%s", trib_json_get_text(project, "id"));
    json_decref(state);
    return true;
}

void client_kill(const client *c) {
    kill(c->process, SIGKILL);
    waitpid(c->process, NULL, 0);
}

int client_quit(const client *c) {
    int result = 0;
    CHECK(client_ask(c, "POST", "/api/quit", NULL, "{}", NULL) == 200);
    CHECK(waitpid(c->process, &result, 0) == c->process);
    return WIFEXITED(result) ? WEXITSTATUS(result) : -1;
}

/* ---- Requests -------------------------------------------------------------------------------- */

int client_open(int port) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    const struct timeval limit = {300, 0};
    const int line = socket(AF_INET, SOCK_STREAM, 0);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CHECK(line >= 0);
    setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    CHECK(connect(line, (struct sockaddr *)&at, sizeof at) == 0);
    return line;
}

bool client_send(int line, const char *bytes, size_t n) {
    for (size_t done = 0; done < n;) {
        const ssize_t sent = send(line, bytes + done, n - done, MSG_NOSIGNAL);
        if (sent <= 0) return false;
        done += (size_t)sent;
    }
    return true;
}

int client_read(int line, trib_buffer *answer) {
    char block[1 << 14];
    int status = 0;
    trib_buffer all = {0};
    for (ssize_t n; (n = recv(line, block, sizeof block, 0)) > 0;)
        CHECK(trib_buffer_add(&all, block, (size_t)n, NULL) == TRIB_OK);
    if (all.length > 0) sscanf(all.text, "HTTP/1.%*d %d", &status);
    const char *body = all.length > 0 ? strstr(all.text, "\r\n\r\n") : NULL;
    if (answer && body)
        CHECK(trib_buffer_add(answer, body + 4, all.length - (size_t)(body + 4 - all.text), NULL) ==
              TRIB_OK);
    trib_buffer_release(&all);
    return status;
}

int client_raw(int port, const char *bytes, size_t n, trib_buffer *answer) {
    const int line = client_open(port);
    (void)client_send(line, bytes, n);
    const int status = client_read(line, answer);
    close(line);
    return status;
}

int client_ask(const client *c, const char *method, const char *path, const char *more,
               const char *body, trib_buffer *answer) {
    trib_buffer text = {0};
    const bool is_of_runs = strncmp(path, "/run/", 5) == 0;
    const int port = is_of_runs ? c->runs : c->port;
    trib_buffer_print(&text, NULL, "%s %s HTTP/1.1\r\nConnection: close\r\n", method, path);
    if (!more || !strstr(more, "Host:"))
        trib_buffer_print(&text, NULL, "Host: 127.0.0.1:%d\r\n", port);
    if (!more || !strstr(more, "Cookie:"))
        trib_buffer_print(&text, NULL, "Cookie: tributary=%s\r\n", c->token);
    if (!more || !strstr(more, "X-Tributary:"))
        trib_buffer_print(&text, NULL, "X-Tributary: %s\r\n", c->change);
    trib_buffer_print(&text, NULL, "%sContent-Length: %zu\r\n\r\n", more ? more : "",
                      body ? strlen(body) : 0);
    CHECK(trib_buffer_print(&text, NULL, "%s", body ? body : "") == TRIB_OK);
    const int status = client_raw(port, text.text, text.length, answer);
    trib_buffer_release(&text);
    return status;
}

json_t *client_json(const client *c, const char *method, const char *path, const char *body,
                    int status) {
    char whole[512];
    trib_buffer answer = {0};
    json_error_t wrong;
    snprintf(whole, sizeof whole, "%s%s%s", *path == '/' ? "" : "/api/projects/",
             *path == '/' ? "" : c->id, *path == '/' || !*path ? "" : "/");
    snprintf(whole + strlen(whole), sizeof whole - strlen(whole), "%s", path);
    const int said = client_ask(c, method, whole, NULL, body, &answer);
    if (said != status)
        fprintf(stderr, "%s %s: %d %s\n", method, whole, said, answer.text ? answer.text : "");
    EXPECT(said == status);
    json_t *value =
        answer.length > 0 ? json_loadb(answer.text, answer.length, JSON_DECODE_ANY, &wrong) : NULL;
    EXPECT(value != NULL);
    trib_buffer_release(&answer);
    return value;
}
