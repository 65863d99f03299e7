/* server.c - the answers of the test server to each request. */
#include "tests/pipeline/program/server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/test.h"

enum { N_LINES = 2000 };

void make_etext(trib_buffer *text, unsigned number) {
    trib_buffer_print(
        text, NULL,
        "\xEF\xBB\xBFThe Project Gutenberg eBook of The Heron\r\n\r\n"
        "Title: The Heron\r\n        of Carrow Bay\r\n\r\nAuthor: Jos\xC3\xA9 \"X\"\r\n\r\n"
        "Release date: June 1, 1998 [eBook #%u]\r\n\r\n"
        "*** START OF THE PROJECT GUTENBERG EBOOK THE HERON ***\r\n",
        number);
    for (int i = 0; i < N_LINES; i++)
        trib_buffer_print(text, NULL, "%d the grey heron stood in the reeds\r\n", i);
    CHECK(trib_buffer_print(
              text, NULL, "*** END OF THE PROJECT GUTENBERG EBOOK THE HERON ***\r\nlicence\r\n") ==
          TRIB_OK);
}

static void send_all(int to, const char *bytes, size_t n) {
    for (size_t done = 0; done < n;) {
        const ssize_t sent = send(to, bytes + done, n - done, MSG_NOSIGNAL);
        if (sent <= 0) return;
        done += (size_t)sent;
    }
}

static void rest(long milliseconds) {
    nanosleep(&(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000}, NULL);
}

/* Sends an answer whose header gives `length` bytes and whose body has `n`. */
static void answer(int to, const char *status, const char *fields, size_t length, const char *body,
                   size_t n) {
    char head[600];
    const int size = snprintf(head, sizeof head,
                              "HTTP/1.1 %s\r\nContent-Length: %zu\r\nConnection: close\r\n%s\r\n",
                              status, length, fields);
    send_all(to, head, (size_t)size);
    send_all(to, body, n);
}

#define TEXT "Content-Type: text/plain\r\n"

static int other_port; /* of the server that texts are redirected to */

/* Answers one request. `n_asked` is how often this number was requested before. */
static void serve(int to, unsigned number, const char *path, int n_asked) {
    TRIB_OWNED(trib_buffer) text = {0};
    make_etext(&text, number == 23 ? 24 : number);
    const size_t n = text.length;
    const bool in_cache = strncmp(path, "/cache/epub/", 12) == 0;
    static const char *const held[] = {"/1/11/11-8.txt", "/m/9/8/7/9876/9876.txt", "/0/7/7-0.txt",
                                       "/files/30/30-8.txt", "/ebooks/31.txt.utf-8"};
    static const char rules[] =
        "User-agent: *\nDisallow: /closed/\nDisallow: /half/cache\nCrawl-delay: 0.01\n";
    bool is_held = false;
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) is_held |= strcmp(path, held[i]) == 0;
    if (strcmp(path, "/robots.txt") == 0)
        answer(to, "200 OK", TEXT, sizeof rules - 1, rules, sizeof rules - 1);
    else if (number == 31 && is_held) answer(to, "302 Found", "Location: /moved/31\r\n", 0, "", 0);
    else if (is_held || (number == 31 && strncmp(path, "/moved/", 7) == 0))
        answer(to, "200 OK", TEXT, n, text.text, n);
    else if (number == 11 || number == 20 || number == 404 || number == 7 || number == 9876 ||
             number == 30 || number == 31)
        answer(to, "404 Not Found", "Content-Type: text/html\r\n", 4, "<p>?", 4);
    else if (number == 28 || (n_asked == 0 && (number == 12 || number == 24)))
        answer(to, "200 OK", TEXT, n, text.text, n / 2); /* the answer is interrupted */
    else if (number == 13 && in_cache) answer(to, "302 Found", "Location: /moved/13\r\n", 0, "", 0);
    else if (number == 14)
        answer(to, "200 OK", "Content-Type: text/html; charset=utf-8\r\n", n, text.text, n);
    else if (number == 15) answer(to, "200 OK", TEXT, n + 1000, text.text, n);
    else if (number == 16) answer(to, "200 OK", TEXT, n - 1000, text.text, n);
    else if (number == 17) {
        answer(to, "200 OK", TEXT, n, text.text, 0);
        for (size_t i = 0; i < n; i += n / 8 + 1) {
            send_all(to, text.text + i, n - i < n / 8 + 1 ? n - i : n / 8 + 1);
            rest(30);
        }
    } else if (number == 18) {
        answer(to, "200 OK", TEXT, n, text.text, 10);
        rest(2500);
    } else if (number == 35) { /* 20 bytes per second */
        answer(to, "200 OK", TEXT, n, text.text, 0);
        for (size_t i = 0; i < n; i++) {
            send_all(to, text.text + i, 1);
            rest(50);
        }
    } else if (number == 36) { /* 2000 bytes per second */
        answer(to, "200 OK", TEXT, n, text.text, 0);
        for (size_t i = 0; i + 100 < n; i += 100) {
            send_all(to, text.text + i, 100);
            rest(50);
        }
    } else if ((number == 37 || number == 38) && other_port > 0) {
        char fields[200];
        snprintf(fields, sizeof fields, "Location: http://127.0.0.1:%d/%s/%u\r\n", other_port,
                 number == 37 ? "closed" : "open", number);
        answer(to, "302 Found", fields, 0, "", 0);
    } else if (number == 19 && n_asked == 0) answer(to, "503 Busy", "Retry-After: 0\r\n", 0, "", 0);
    else if (number == 26) answer(to, "503 Busy", "Retry-After: 5000\r\n", 0, "", 0);
    else if (number == 21) answer(to, "301 Moved", "Location: /21\r\n", 0, "", 0);
    else if (number == 22) answer(to, "200 OK", TEXT, 9, "the heron", 9);
    else if (number == 25) answer(to, "302 Found", "Location: file:///etc/passwd\r\n", 0, "", 0);
    else if (number == 27) answer(to, "200 OK", TEXT, 0, "", 0);
    else answer(to, "200 OK", TEXT, n, text.text, n);
}

/* Answers requests and logs them until the process is killed. */
static void serve_all(int door, const char *log_path, bool is_busy) {
    static int n_asked[10000];
    for (;;) {
        char request[4096] = "";
        size_t n = 0;
        const int to = accept(door, NULL, NULL);
        while (n + 1 < sizeof request && !strstr(request, "\r\n\r\n")) {
            const ssize_t got = recv(to, request + n, sizeof request - 1 - n, 0);
            if (got <= 0) break;
            n += (size_t)got;
            request[n] = '\0';
        }
        char path[200] = "";
        const char *agent = strstr(request, "User-Agent: ");
        sscanf(request, "GET %199s", path);
        const char *digits = strrchr(path, '/');
        digits = digits ? strpbrk(digits, "0123456789") : NULL;
        const unsigned number = digits ? (unsigned)atoi(digits) % 10000 : 0;
        FILE *log = strcmp(path, "/robots.txt") != 0 ? fopen(log_path, "a") : NULL;
        if (log) {
            fprintf(log, "%s %.*s\n", path, agent ? (int)strcspn(agent + 12, " \r") : 0,
                    agent ? agent + 12 : "");
            fclose(log);
        }
        if (is_busy) answer(to, "503 Busy", "", 0, "", 0);
        else serve(to, number, path, n_asked[number]);
        n_asked[number]++;
        close(to);
    }
}

/* Whether this machine can be reached by this address. Without a network, even its own address may
 * be unavailable. */
static bool answers(int door, const struct sockaddr_in *address) {
    const int call = socket(AF_INET, SOCK_STREAM, 0);
    const bool is_up =
        call >= 0 && connect(call, (const struct sockaddr *)address, sizeof *address) == 0;
    if (is_up) close(accept(door, NULL, NULL));
    if (call >= 0) close(call);
    return is_up;
}

static bool start(server *s, const char *log_path, bool is_busy) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    const int door = socket(AF_INET, SOCK_STREAM, 0);
    if (door < 0 || bind(door, (struct sockaddr *)&address, size) != 0 || listen(door, 16) != 0 ||
        getsockname(door, (struct sockaddr *)&address, &size) != 0 || !answers(door, &address)) {
        if (door >= 0) close(door);
        trib_skip("no server can be started here");
        return false;
    }
    s->port = ntohs(address.sin_port);
    snprintf(s->url, sizeof s->url, "http://127.0.0.1:%d", s->port);
    remove(log_path);
    fflush(NULL);
    s->process = fork();
    CHECK(s->process >= 0);
    if (s->process == 0) serve_all(door, log_path, is_busy);
    close(door);
    return true;
}

bool start_server(server *s, const char *log_path) { return start(s, log_path, false); }

bool start_leading_server(server *s, const char *log_path, const server *other) {
    other_port = other->port;
    const bool is_started = start(s, log_path, false);
    other_port = 0;
    return is_started;
}

bool start_busy_server(server *s, const char *log_path) { return start(s, log_path, true); }

void stop_server(const server *s) {
    kill(s->process, SIGKILL);
    waitpid(s->process, NULL, 0);
}
