/* fetch.c - tests of downloads from a local server that is slow, interrupts answers, redirects, and
 * sends web pages or wrong data (server.c). */
#include "pipeline/program/fetch.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/system.h"
#include "tests/pipeline/program/server.h"
#include "tests/test.h"

TESTS(program, download);

TEST(downloaded_texts_are_checked) {
    GIVEN(trib_buffer) text = {0};
    trib_etext etext = {0};
    GIVEN(trib_arena) arena = {0};
    trib_error error = {0};
    make_etext(&text, 10);
    EXPECT_STATUS(trib_etext_check(&etext, "x", 10, text.text, text.length, &arena, &error),
                  TRIB_OK, error);
    EXPECT_TEXT(etext.title, "The Heron of Carrow Bay");
    EXPECT_TEXT(etext.author, "Jos\xC3\xA9 \"X\"");
    EXPECT(trib_etext_check(&etext, "x", 11, text.text, text.length, &arena, &error) == TRIB_INPUT);
    EXPECT_TEXT(error.message, "x: is number 10, not 11");
    EXPECT(trib_etext_check(&etext, "x", 10, text.text, text.length / 2, &arena, &error) ==
           TRIB_INPUT);
    EXPECT_TEXT(error.message, "x: lacks the end of a Project Gutenberg text; it is truncated");
    EXPECT(trib_etext_check(&etext, "x", 10, "the heron\n", 10, &arena, &error) == TRIB_INPUT);
    EXPECT_TEXT(error.message, "x: is not a text of Project Gutenberg");
    EXPECT(trib_etext_check(&etext, "x", 10, "", 0, &arena, &error) == TRIB_INPUT);
    EXPECT(!etext.title && !etext.author);
}

#ifdef TRIB_WITH_CURL

/* ---- Fetching -------------------------------------------------------------------------------- */

static trib_log *open_log(void) {
    trib_log *log = NULL;
    const trib_log_options options = {.level = TRIB_LOG_ERROR, .progress = TRIB_SHOW_NONE};
    CHECK(trib_log_open(&log, &options, NULL) == TRIB_OK);
    return log;
}

static double whole = 6000; /* seconds for a text */
static long timeout = 600;  /* seconds; few only where the server is silent */

static trib_status fetch_with(const server *s, int attempts, const char *folder,
                              const char *directory, unsigned number, trib_error *error) {
    OPENED(trib_fetch) fetch = {0};
    char mirror[200];
    snprintf(mirror, sizeof mirror, "%s%s", s->url, folder);
    trib_log *log = open_log();
    trib_status status = trib_fetch_open(&fetch, log, 0, timeout, error);
    fetch.attempts = attempts;
    fetch.whole = whole;
    if (status == TRIB_OK) status = trib_fetch_etext(&fetch, mirror, directory, number, error);
    trib_log_close(log);
    return status;
}

/* Downloads from a folder of the server. */
static trib_status fetch_below(const server *s, const char *folder, const char *directory,
                               unsigned number, trib_error *error) {
    return fetch_with(s, TRIB_FETCH_ATTEMPTS, folder, directory, number, error);
}

static trib_status fetch_one(const server *s, const char *directory, unsigned number,
                             trib_error *error) {
    return fetch_below(s, "", directory, number, error);
}

static bool is_there(const char *path) { return access(path, F_OK) == 0; }

static void expect_text(const char *path, unsigned number) {
    GIVEN(trib_buffer) text = {0}, wanted = {0};
    make_etext(&wanted, number);
    trib_read_bytes(path, &text);
    EXPECT(text.length == wanted.length && memcmp(text.text, wanted.text, text.length) == 0);
}

TEST(texts_arrive_despite_server_errors) {
    static const unsigned numbers[] = {10, 11, 12, 13, 17, 19, 24};
    char directory[4096], log_path[4096], path[4200];
    server s;
    GIVEN(trib_buffer) log = {0}, manifest = {0};
    snprintf(directory, sizeof directory, "%s", trib_scratch("fetched"));
    snprintf(log_path, sizeof log_path, "%s", trib_scratch("asked"));
    if (!start_server(&s, log_path)) return;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        trib_error error = {0};
        EXPECT_STATUS(fetch_one(&s, directory, numbers[i], &error), TRIB_OK, error);
        snprintf(path, sizeof path, "%s/pg%u.txt", directory, numbers[i]);
        if (!is_there(path)) continue;
        expect_text(path, numbers[i]);
    }
    trib_error error = {0};
    /* the file exists already */
    EXPECT_STATUS(fetch_one(&s, directory, 10, &error), TRIB_OK, error);
    stop_server(&s);
    trib_read_bytes(log_path, &log);
    static const char *const asked[] = {"/cache/epub/10/pg10.txt", "/cache/epub/11/pg11.txt",
                                        "/1/11/11-0.txt",          "/1/11/11-8.txt",
                                        "/cache/epub/12/pg12.txt", "/cache/epub/12/pg12.txt",
                                        "/cache/epub/13/pg13.txt", "/moved/13",
                                        "/cache/epub/17/pg17.txt", "/cache/epub/19/pg19.txt",
                                        "/cache/epub/19/pg19.txt", "/cache/epub/24/pg24.txt",
                                        "/cache/epub/24/pg24.txt"};
    GIVEN(trib_buffer) wanted = {0};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        trib_buffer_print(&wanted, NULL, "%s tributary/" TRIB_VERSION "\n", asked[i]);
    EXPECT_TEXT(log.text, wanted.text);
    snprintf(path, sizeof path, "%s/gutenberg.yaml", directory);
    trib_read_bytes(path, &manifest);
    EXPECT(strstr(manifest.text, "documents:\n  - {id: pg10, file: pg10.txt, title: \"The Heron of "
                                 "Carrow Bay\", author: \"Jos\xC3\xA9 \\\"X\\\"\", from: \"10\"}\n"
                                 "  - {id: pg11, ") != NULL);
}

/* Reads the requested paths from the log, one per line, without the agents. */
static void read_paths(const char *log_path, trib_buffer *paths) {
    GIVEN(trib_buffer) log = {0};
    trib_read_bytes(log_path, &log);
    for (const char *line = log.text; line && *line; line = strchr(line, '\n') + 1) {
        CHECK(trib_buffer_add(paths, line, strcspn(line, " "), NULL) == TRIB_OK);
        CHECK(trib_buffer_add(paths, "\n", 1, NULL) == TRIB_OK);
    }
}

TEST(every_layout_is_tried_in_turn) {
    static const struct {
        unsigned number;
        const char *mirror, *asked;
    } cases[] = {
        {7, "/", "/cache/epub/7/pg7.txt\n/0/7/7-0.txt\n"},
        {9876, "/m/",
         "/m/cache/epub/9876/pg9876.txt\n/m/9/8/7/9876/9876-0.txt\n/m/9/8/7/9876/9876-8.txt\n"
         "/m/9/8/7/9876/9876.txt\n"},
        {30, "",
         "/cache/epub/30/pg30.txt\n/3/30/30-0.txt\n/3/30/30-8.txt\n/3/30/30.txt\n"
         "/files/30/30-0.txt\n/files/30/30-8.txt\n"},
        {31, "",
         "/cache/epub/31/pg31.txt\n/3/31/31-0.txt\n/3/31/31-8.txt\n/3/31/31.txt\n"
         "/files/31/31-0.txt\n/files/31/31-8.txt\n/files/31/31.txt\n/ebooks/31.txt.utf-8\n/moved/"
         "31\n"},
    };
    char directory[4096], log_path[4096], path[4200];
    snprintf(directory, sizeof directory, "%s", trib_scratch("layouts"));
    snprintf(log_path, sizeof log_path, "%s", trib_scratch("asked"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        server s;
        trib_error error = {0};
        GIVEN(trib_buffer) asked = {0};
        if (!start_server(&s, log_path)) return;
        EXPECT_STATUS(fetch_below(&s, cases[i].mirror, directory, cases[i].number, &error), TRIB_OK,
                      error);
        stop_server(&s);
        read_paths(log_path, &asked);
        EXPECT_TEXT(asked.text, cases[i].asked);
        snprintf(path, sizeof path, "%s/pg%u.txt", directory, cases[i].number);
        if (is_there(path)) expect_text(path, cases[i].number);
    }
}

TEST(paths_excluded_by_robots_txt_are_not_requested) {
    char directory[4096], log_path[4096];
    server s;
    trib_error error = {0};
    GIVEN(trib_buffer) asked = {0};
    snprintf(directory, sizeof directory, "%s", trib_scratch("robots"));
    snprintf(log_path, sizeof log_path, "%s", trib_scratch("asked"));
    if (!start_server(&s, log_path)) return;
    EXPECT(fetch_below(&s, "/closed", directory, 10, &error) == TRIB_INPUT);
    EXPECT(strstr(error.message,
                  "its robots.txt forbids programs all of the places where number 10 ") != NULL);
    EXPECT(fetch_below(&s, "/half", directory, 20, &error) == TRIB_INPUT);
    EXPECT(strstr(error.message, "its robots.txt forbids programs some of the places") != NULL);
    EXPECT_STATUS(fetch_below(&s, "/half", directory, 10, &error), TRIB_OK, error);
    stop_server(&s);
    read_paths(log_path, &asked);
    EXPECT_TEXT(
        asked.text,
        "/half/2/20/20-0.txt\n/half/2/20/20-8.txt\n/half/2/20/20.txt\n/half/files/20/20-0.txt\n"
        "/half/files/20/20-8.txt\n/half/files/20/20.txt\n/half/ebooks/20.txt.utf-8\n/half/1/10/"
        "10-0.txt\n");
}

TEST(invalid_answers_are_rejected_and_leave_no_file) {
    static const struct {
        unsigned number;
        const char *holds;
    } cases[] = {
        {14, "the answer is a web page, not a text"},
        {15, "cannot be fetched: "},
        {16, "lacks the end of a Project Gutenberg text; it is truncated"},
        {20, "has no text of number 20"},
        {21, "cannot be fetched: "},
        {22, "is not a text of Project Gutenberg"},
        {23, "is number 24, not 23"},
        {25, "cannot be fetched: "},
        {26, "the server asks to try again in 5000 seconds"},
        {27, "is not a text of Project Gutenberg"},
        {28, "cannot be fetched: "},
    };
    char directory[4096], path[4200];
    server s;
    snprintf(directory, sizeof directory, "%s", trib_scratch("refused"));
    if (!start_server(&s, trib_scratch("asked"))) return;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trib_error error = {0};
        EXPECT_STATUS(fetch_one(&s, directory, cases[i].number, &error), TRIB_INPUT, error);
        if (!strstr(error.message, cases[i].holds)) EXPECT_TEXT(error.message, cases[i].holds);
        snprintf(path, sizeof path, "%s/pg%u.txt", directory, cases[i].number);
        EXPECT(!is_there(path));
    }
    snprintf(path, sizeof path, "%s/gutenberg.yaml", directory);
    EXPECT(!is_there(path));
    stop_server(&s);
    trib_error error = {0};
    EXPECT(fetch_one(&s, directory, 10, &error) == TRIB_INPUT); /* no server is running */
    EXPECT(strstr(error.message, "cannot be fetched: ") != NULL);
}

TEST(a_busy_server_is_asked_only_for_its_rules) {
    server s;
    trib_error error = {0};
    if (!start_busy_server(&s, trib_scratch("asked"))) return;
    EXPECT(fetch_one(&s, trib_scratch("busy"), 10, &error) == TRIB_INPUT);
    EXPECT(strstr(error.message,
                  "/robots.txt: cannot be read (status 503), so that nothing is requested") !=
           NULL);
    EXPECT(!is_there(trib_scratch("asked")));
    stop_server(&s);
}

TEST(two_processes_cannot_fetch_into_one_folder) {
    char directory[4096];
    snprintf(directory, sizeof directory, "%s", trib_scratch("both"));
    mkdir(directory, 0777);
    server s;
    trib_error error = {0};
    if (!start_server(&s, trib_scratch("asked"))) return;
    const int held = open(directory, O_RDONLY | O_DIRECTORY);
    CHECK(held >= 0 && flock(held, LOCK_EX) == 0);
    EXPECT(fetch_one(&s, directory, 10, &error) == TRIB_USAGE);
    EXPECT(strstr(error.message, "another program is downloading into this folder") != NULL);
    close(held);
    EXPECT_STATUS(fetch_one(&s, directory, 10, &error), TRIB_OK, error);
    stop_server(&s);
}

TEST(an_unwritable_manifest_stops_the_fetch) {
    char directory[4096], path[4200];
    server s;
    trib_error error = {0};
    GIVEN(trib_buffer) manifest = {0};
    snprintf(directory, sizeof directory, "%s", trib_scratch("mine"));
    snprintf(path, sizeof path, "%s/gutenberg.yaml", directory);
    mkdir(directory, 0777);
    FILE *file = fopen(path, "w");
    CHECK(file && fputs("documents:\n- {file: a.txt}\nroot: .\n", file) > 0 && fclose(file) == 0);
    if (!start_server(&s, trib_scratch("asked"))) return;
    EXPECT(fetch_one(&s, directory, 10, &error) == TRIB_INPUT);
    EXPECT(strstr(error.message, "'file: pg10.txt' cannot be added; add it by hand") != NULL);
    trib_read_bytes(path, &manifest);
    EXPECT_TEXT(manifest.text, "documents:\n- {file: a.txt}\nroot: .\n");
    stop_server(&s);
}

/* A server that never rests long is left, too. */
TEST(a_text_has_a_time_in_all) {
    server s;
    trib_error error = {0};
    if (!start_server(&s, trib_scratch("log"))) return;
    whole = .3;
    EXPECT_STATUS(fetch_with(&s, 4, "", trib_scratch("drip"), 36, &error), TRIB_INPUT, error);
    EXPECT(strstr(error.message, "it took more than 0.3 seconds in all; raise --timeout") != NULL);
    whole = 6000;
    stop_server(&s);
}

TEST(the_rules_of_the_site_that_a_redirect_leads_to_are_kept) {
    server s, other;
    trib_error error = {0};
    if (!start_server(&other, trib_scratch("other"))) return;
    CHECK(start_leading_server(&s, trib_scratch("log"), &other));
    EXPECT_STATUS(fetch_with(&s, 1, "", trib_scratch("led"), 37, &error), TRIB_INPUT, error);
    EXPECT(strstr(error.message, "/closed/37, which the robots.txt there forbids") != NULL);
    EXPECT(access(trib_scratch("other"), F_OK) != 0); /* only its rules were asked for */
    EXPECT_STATUS(fetch_with(&s, 1, "", trib_scratch("led"), 38, &error), TRIB_OK, error);
    stop_server(&s);
    stop_server(&other);
}

TEST(private_addresses_are_known) {
    static const struct {
        const char *address;
        bool is_private;
    } rows[] = {{"127.0.0.1", true},
                {"10.1.2.3", true},
                {"172.31.0.1", true},
                {"172.32.0.1", false},
                {"192.168.1.1", true},
                {"169.254.169.254", true},
                {"100.64.0.1", true},
                {"0.0.0.0", true},
                {"8.8.8.8", false},
                {"::1", true},
                {"fd00::1", true},
                {"fe80::1", true},
                {"::ffff:10.0.0.1", true},
                {"64:ff9b::7f00:1", true},
                {"2001:4860:4860::8888", false},
                {"::ffff:8.8.8.8", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sockaddr_in v4 = {.sin_family = AF_INET};
        struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
        const bool is_v4 = inet_pton(AF_INET, rows[i].address, &v4.sin_addr) == 1;
        CHECK(is_v4 || inet_pton(AF_INET6, rows[i].address, &v6.sin6_addr) == 1);
        if (trib_address_is_private(is_v4 ? (void *)&v4 : (void *)&v6) != rows[i].is_private)
            EXPECT_TEXT(rows[i].address, rows[i].is_private ? "private" : "public");
    }
}

TEST(a_silent_server_is_abandoned) {
    server s;
    trib_error error = {0};
    if (!start_server(&s, trib_scratch("asked"))) return;
    timeout = 1;
    EXPECT(fetch_with(&s, 1, "", trib_scratch("silent"), 18, &error) == TRIB_INPUT);
    /* the server sends 20 bytes per second */
    EXPECT(fetch_with(&s, 1, "", trib_scratch("silent"), 35, &error) == TRIB_INPUT);
    timeout = 600;
    EXPECT(strstr(error.message, "cannot be fetched: ") != NULL);
    stop_server(&s);
}

#else

TEST(a_build_without_libcurl_names_its_package) {
    trib_fetch fetch;
    trib_error error = {0};
    EXPECT(trib_fetch_open(&fetch, NULL, 0, 1, &error) == TRIB_USAGE);
    EXPECT(strstr(error.message, "libcurl4-openssl-dev") != NULL);
}

#endif
