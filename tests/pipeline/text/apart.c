/* apart.c - tests of the processes that read foreign bytes: what they may not do, and what happens
 * when one crashes, hangs or lies. Their works are functions of this file, since such a process
 * executes this program once more. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "pipeline/text/apart.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <omp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/internal.h"
#include "pipeline/text/archive.h"
#include "pipeline/text/input.h"
#include "tests/test.h"

TESTS(text, apart);

/* Whether there is a sandbox here; each test ends with trib_apart_end. */
static bool begin(unsigned seconds) {
    trib_apart_begin(seconds);
    const char *why = trib_apart_refused();
    if (why) trib_skip(why);
    return !why;
}

static trib_status work_on(const trib_apart_work *work, const char *bytes, trib_buffer *made,
                           trib_error *error) {
    return trib_apart_do(work, made, (trib_markup_bytes){"x.xml", bytes, strlen(bytes)}, error);
}

/* A function that appends to a text, and its row. */
#define WORK(name)                                                                                 \
    static trib_status name##_work(void *to, trib_markup_bytes file, trib_error *error);           \
    static const trib_apart_work name = TRIB_APART_ADDS(name##_work);                              \
    static trib_status name##_work(void *to, trib_markup_bytes file, trib_error *error)

/* ---- The sandbox ----------------------------------------------------------------------------- */

/* Appends a line for each call that is not refused. */
static void tell(trib_buffer *to, const char *name, long result) {
    if (result >= 0 || errno != EPERM) trib_buffer_print(to, NULL, "%s: %ld\n", name, result);
}

WORK(try_all) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(80)};
    struct msghdr message = {0};
    struct stat about;
    char word[] = "/bin/true", *const arguments[] = {word, NULL};
    const trib_status status = trib_buffer_add(to, file.at, file.length, error);
    tell(to, "open", open("/etc/passwd", O_RDONLY));
    tell(to, "create", open("/tmp/x", O_WRONLY | O_CREAT, 0600));
    tell(to, "stat", stat("/etc/passwd", &about));
    tell(to, "unlink", unlink("/tmp/x"));
    tell(to, "socket", socket(AF_INET, SOCK_STREAM, 0));
    tell(to, "unix", socket(AF_UNIX, SOCK_STREAM, 0));
    tell(to, "connect", connect(0, (struct sockaddr *)&address, sizeof address));
    tell(to, "fork", syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
    tell(to, "execve", execve(word, arguments, NULL));
    tell(to, "kill", kill(getppid(), 0));
    tell(to, "ptrace", ptrace(PTRACE_TRACEME, 0, NULL, NULL));
    tell(to, "mprotect", mprotect(((trib_buffer *)to)->text, 1, PROT_READ | PROT_EXEC));
    tell(to, "mmap",
         mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
             ? -1
             : 0);
    tell(to, "fcntl", fcntl(0, F_GETFL));
    tell(to, "read", read(0, word, 1));
    for (int other = 3; other < 64; other++)
        if (recvmsg(other, &message, MSG_DONTWAIT) >= 0 || errno != EBADF)
            trib_buffer_print(to, NULL, "descriptor %d\n", other);
    return status;
}

TEST(works_apart_can_do_nothing_else) {
    GIVEN(trib_buffer) made = {0};
    GIVEN(trib_buffer) here = {0};
    trib_error error = {0};
    const int kept = open("/dev/null", O_RDONLY); /* is not inherited */
    if (begin(600)) {
        EXPECT_OK(work_on(&try_all, "read\n", &made, &error));
        EXPECT_TEXT(made.text, "read\n");
    }
    close(kept);
    trib_apart_end();
}

WORK(allocate) {
    void *const block = malloc((size_t)3 << 30);
    (void)file;
    free(block);
    return trib_buffer_print(to, error, block ? "has it" : "refused");
}

TEST(works_apart_have_a_limit_of_memory) {
    GIVEN(trib_buffer) made = {0};
    trib_error error = {0};
    const trib_budget whole = trib_budget_now();
    trib_budget small = whole;
    small.programs = (uint64_t)2 << 30;
    trib_budget_begin(&small);
    if (begin(600)) {
        EXPECT_OK(work_on(&allocate, "", &made, &error));
        EXPECT_TEXT(made.text, "refused");
    }
    trib_apart_end();
    trib_budget_begin(&whole);
}

/* ---- Works that fail ------------------------------------------------------------------------- */

WORK(copy) {
    return strcmp(file.at, "fail") == 0
               ? trib_fail(error, TRIB_INPUT, "%s:7: is wrong; mend it", file.name)
               : trib_buffer_add(to, file.at, file.length, error);
}

WORK(crash) {
    (void)to, (void)error;
    *(volatile char *)(uintptr_t)file.length = 'x';
    return TRIB_OK;
}

WORK(stop_itself) {
    (void)to, (void)file, (void)error;
    abort();
}

WORK(hang) {
    (void)to, (void)error;
    for (const volatile char *at = file.at; *at;) continue;
    return TRIB_OK;
}

static void expect_failure(const trib_apart_work *work, const char *bytes, const char *holds) {
    GIVEN(trib_buffer) made = {0};
    trib_error error = {0};
    EXPECT_STATUS(work_on(work, bytes, &made, &error), TRIB_INPUT, error);
    if (!strstr(error.message, holds)) EXPECT_TEXT(error.message, holds);
}

TEST(a_work_that_fails_costs_its_own_file_alone) {
    GIVEN(trib_buffer) made = {0};
    trib_error error = {0};
    if (begin(1)) {
        expect_failure(&copy, "fail", "x.xml:7: is wrong; mend it");
        expect_failure(&crash, "x",
                       "x.xml: cannot be read: the process that decodes it was ended "
                       "by signal 11; convert it to plain text");
        expect_failure(&stop_itself, "x", "ended by signal");
        expect_failure(&hang, "x",
                       "x.xml: reading it took more than 1 seconds of processor time; "
                       "convert it to plain text");
        EXPECT_OK(work_on(&copy, "the next", &made, &error));
        EXPECT_TEXT(made.text, "the next");
    }
    trib_apart_end();
}

/* Answers with the length of bytes that do not follow. */
static void pack_lie(trib_pack *pack, void *to) {
    size_t n = 1 << 20;
    if (pack->reads) trib_pack_buffer(pack, to);
    else TRIB_PACK(pack, n);
}

TEST(an_answer_that_is_wrong_is_refused) {
    static const trib_apart_work lie = {
        copy_work, NULL, pack_lie, trib_apart_release_buffer, sizeof(trib_buffer), false, false};
    GIVEN(trib_buffer) made = {0};
    trib_error error = {0};
    const trib_markup_bytes file = {"x.xml", "", 0};
    trib_apart_process *process = NULL;
    if (begin(600)) {
        CHECK(trib_apart_open(&process, &error) == TRIB_OK && process);
        for (int i = 0; i < 2; i++)
            EXPECT_STATUS(trib_apart_continue(&process, &lie, &made, file, -1, &error), TRIB_INPUT,
                          error);
        EXPECT(strstr(error.message, "the process that decodes it has ended") != NULL);
        trib_apart_close(&process);
    }
    trib_apart_end();
}

TEST(a_stop_request_ends_a_work) {
    GIVEN(trib_buffer) made = {0};
    trib_error error = {0};
    if (begin(600)) {
        trib_stop_at(2);
        EXPECT_STATUS(work_on(&hang, "x", &made, &error), TRIB_INTERRUPTED, error);
        trib_stop_forget();
        EXPECT_OK(work_on(&copy, "the next", &made, &error));
    }
    trib_apart_end();
}

/* ---- Texts ----------------------------------------------------------------------------------- */

static const char page[] = "<TEI><text><body><div n='1'><head>One</head><p>the <hi>rose</hi>"
                           "<note>of Sharon</note> blows</p></div></body></text></TEI>";

static trib_status read_page(void *context, trib_error *error) {
    trib_input input;
    const trib_input_options options = {.notes = TRIB_NOTES_SEPARATE};
    trib_buffer *const text = context;
    trib_buffer_clear(text);
    const trib_status status =
        trib_input_open(&input, trib_scratch("page.xml"), NULL, &options, error);
    if (status != TRIB_OK) return status;
    const trib_markup_text *made = &input.made;
    trib_buffer_print(text, NULL, "%s|%zu %zu|%zu %s|%llu %s", made->text.text, made->parts.n,
                      made->parts.range[1].from, made->references.n, made->references.labels.text,
                      (unsigned long long)made->account.counts.notes, made->account.kind);
    trib_input_close(&input);
    return TRIB_OK;
}

TEST(a_text_is_the_same_apart) {
    GIVEN(trib_buffer) here = {0};
    GIVEN(trib_buffer) apart = {0};
    trib_error error = {0};
    trib_write_bytes(trib_scratch("page.xml"), page, sizeof page - 1);
    EXPECT_OK(read_page(&here, &error));
    EXPECT(strstr(here.text, "of Sharon") != NULL);
    if (begin(600)) {
        EXPECT_OK(read_page(&apart, &error));
        EXPECT_TEXT(apart.text, here.text);
        trib_fail_every_allocation(read_page, &apart);
        EXPECT_OK(read_page(&apart, &error));
        EXPECT_TEXT(apart.text, here.text);
    }
    trib_apart_end();
}

/* Whether all places of a text lie in it. */
static bool holds(const trib_markup_text *text) {
    bool is_good = true;
    size_t end = 0;
    for (size_t i = 0; i < text->parts.n; end = text->parts.range[i++].to)
        is_good = is_good && text->parts.range[i].from >= end &&
                  text->parts.range[i].to <= text->text.length;
    for (size_t i = 0; i < text->references.n; i++)
        is_good = is_good && text->references.mark[i].to <= text->text.length &&
                  strlen(text->references.labels.text + text->references.mark[i].label) < 100;
    return is_good && strlen(text->remark) < sizeof text->remark &&
           strlen(text->account.left_out[0].name) < sizeof text->account.left_out[0].name;
}

TEST(an_answer_with_any_change_is_refused_or_does_no_harm) {
    trib_markup_text text = {0};
    trib_pack pack = {0};
    size_t n_refused = 0;
    CHECK(trib_xml_text(&text, (trib_markup_bytes){"x", page, sizeof page - 1}, NULL) == TRIB_OK);
    CHECK(trib_markup_finish(&text, NULL) == TRIB_OK);
    snprintf(text.account.left_out[0].name, sizeof text.account.left_out[0].name, "name");
    trib_markup_pack(&pack, &text);
    for (size_t i = 0; i < pack.bytes.length; i++)
        for (int bit = 0; bit < 8; bit++) {
            trib_markup_text read = {0};
            pack.bytes.text[i] = (char)(pack.bytes.text[i] ^ 1 << bit);
            trib_pack changed = trib_pack_reading(pack.bytes.text, pack.bytes.length);
            trib_markup_pack(&changed, &read);
            if (!trib_pack_is_whole(&changed)) n_refused++;
            else EXPECT(holds(&read));
            pack.bytes.text[i] = (char)(pack.bytes.text[i] ^ 1 << bit);
            trib_markup_release(&read);
        }
    EXPECT(n_refused > 100);
    trib_pack_release(&pack);
    trib_markup_release(&text);
}

/* Several threads have a process each. */
TEST(threads_work_apart_beside_each_other) {
    size_t n_right = 0;
    if (begin(600)) {
#pragma omp parallel for schedule(static, 1) num_threads(4) reduction(+ : n_right)
        for (int i = 0; i < 64; i++) {
            GIVEN(trib_buffer) made = {0};
            char bytes[64];
            snprintf(bytes, sizeof bytes, "text %d", i);
            n_right += work_on(i % 16 == 5 ? &crash : &copy, bytes, &made, NULL) ==
                           (i % 16 == 5 ? TRIB_INPUT : TRIB_OK) &&
                       (i % 16 == 5 || strcmp(made.text, bytes) == 0);
        }
        EXPECT(n_right == 64);
    }
    trib_apart_end();
}
