/* pdf.c - tests of PDFs: one that is written here, malformed ones, and programs that misbehave. */
#include "pipeline/text/input.h"
#include "pipeline/text/programs.h"
#include "pipeline/text/text_formats.h"
#include "tests/pipeline/support/pack.h"

#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

TESTS(text, pdf);

/* Writes a page that shows a text, as PDF 1.4 with a cross-reference table. */
static void make_pdf(trib_buffer *pdf, const char *show) {
    size_t place[6];
    char stream[200];
    snprintf(stream, sizeof stream, "BT /F 12 Tf 72 700 Td (%s) Tj ET", show);
    CHECK(trib_buffer_print(pdf, NULL, "%%PDF-1.4\n") == TRIB_OK);
    for (int i = 1; i <= 5; i++) {
        place[i] = pdf->length;
        trib_buffer_print(pdf, NULL, "%d 0 obj\n", i);
        if (i == 1) trib_buffer_print(pdf, NULL, "<</Type/Catalog/Pages 2 0 R>>");
        if (i == 2) trib_buffer_print(pdf, NULL, "<</Type/Pages/Kids[3 0 R]/Count 1>>");
        if (i == 3)
            trib_buffer_print(pdf, NULL,
                              "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R"
                              "/Resources<</Font<</F 5 0 R>>>>>>");
        if (i == 4)
            trib_buffer_print(pdf, NULL, "<</Length %zu>>\nstream\n%s\nendstream", strlen(stream),
                              stream);
        if (i == 5) trib_buffer_print(pdf, NULL, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>");
        trib_buffer_print(pdf, NULL, "\nendobj\n");
    }
    const size_t table = pdf->length;
    trib_buffer_print(pdf, NULL, "xref\n0 6\n0000000000 65535 f \n");
    for (int i = 1; i <= 5; i++) trib_buffer_print(pdf, NULL, "%010zu 00000 n \n", place[i]);
    CHECK(trib_buffer_print(pdf, NULL, "trailer\n<</Size 6/Root 1 0 R>>\nstartxref\n%zu\n%%%%EOF\n",
                            table) == TRIB_OK);
}

/* Limits of the programs in these tests. */
static trib_program_limits limits;

static trib_status convert(const char *program, trib_buffer *text, char note[TRIB_NOTE_MAX],
                           trib_error *error) {
    const trib_markup_bytes file = {"a.pdf", "%PDF-1.4\n", 9};
    return trib_pdf_convert(text, note, file, program, &limits, error);
}

static void allow(int silence, int whole, int processor) {
    limits = (trib_program_limits){silence, whole, processor, (uint64_t)1 << 30};
}

static void expect_failure(const char *program, const char *holds) {
    GIVEN(trib_buffer) text = {0};
    trib_error error = {0};
    char note[TRIB_NOTE_MAX] = "";
    EXPECT_STATUS(convert(program, &text, note, &error), TRIB_INPUT, error);
    if (!strstr(error.message, holds)) EXPECT_TEXT(error.message, holds);
}

TEST(the_text_of_a_page_is_read) {
    GIVEN(trib_buffer) pdf = {0};
    if (system("command -v pdftotext >/dev/null 2>&1") != 0) {
        trib_skip("pdftotext is not installed");
        return;
    }
    make_pdf(&pdf, "the grey heron");
    trib_write_bytes(trib_scratch("a.pdf"), pdf.text, pdf.length);
    trib_write_bytes(trib_scratch("-b.txt"), pdf.text, pdf.length); /* the name does not matter */
    expect_input(trib_scratch("a.pdf"), "the grey heron\n\n");
    expect_input(trib_scratch("-b.txt"), "the grey heron\n\n");
    pdf.length--; /* without the NUL at its end */
    CHECK(pack_files(trib_scratch("a.zip"), (packed_file[]){{"x.pdf", pdf.text}}, 1));
    expect_input(trib_scratch("a.zip/x.pdf"), "the grey heron\n\n");
    trib_write_bytes(trib_scratch("cut.pdf"), pdf.text, 40);
    expect_no_input(trib_scratch("cut.pdf"), "cut.pdf: cannot be read as a PDF by pdftotext: ");
    trib_write_bytes(trib_scratch("text.pdf"), "the grey heron", 14);
    expect_no_input(trib_scratch("text.pdf"), "is not a PDF: it does not begin with %PDF-");
    trib_buffer_release(&pdf);
    make_pdf(&pdf, "");
    trib_write_bytes(trib_scratch("a.pdf"), pdf.text, pdf.length);
    expect_no_input(trib_scratch("a.pdf"), "contains no text, perhaps only images");
}

TEST(error_messages_of_the_program_are_reported) {
    GIVEN(trib_buffer) text = {0};
    trib_error error = {0};
    char note[TRIB_NOTE_MAX] = "";
    allow(600, 600, 600);
    const char *program = make_program("cat; echo 'Syntax Warning: odd' >&2; echo more >&2");
    EXPECT_OK(convert(program, &text, note, &error));
    EXPECT_TEXT(text.text, "%PDF-1.4\n");
    EXPECT_TEXT(note, "Syntax Warning: odd");
}

TEST(programs_that_misbehave_are_killed) {
    allow(600, 600, 600);
    expect_failure(trib_scratch("no-program"), "install poppler-utils");
    expect_failure(make_program("echo 'Incorrect password' >&2; exit 1"), "Incorrect password");
    expect_failure(make_program("kill -9 $$"), "cannot be read as a PDF by");
    expect_failure(make_program("exec cat /dev/zero"), "unpacks to more than 1000 times its size");
    expect_failure(make_program("printf '\\n \\n'"), "contains no text");
}

TEST(programs_that_take_too_long_are_killed) {
    allow(1, 600, 600);
    expect_failure(make_program("exec sleep 1000"), "wrote no output for 1 seconds");
    allow(600, 1, 600);
    expect_failure(make_program("while :; do echo x; sleep .1; done"), "not finish within 1 sec");
    expect_failure(make_program("exec >/dev/null 2>&1; exec sleep 1000"), "not finish within 1 s");
    allow(600, 600, 1);
    expect_failure(make_program("while :; do :; done"), "more than 1 seconds of processor time");
}

TEST(programs_have_limits_of_memory_and_files) {
    GIVEN(trib_buffer) text = {0};
    trib_error error = {0};
    char note[TRIB_NOTE_MAX] = "", lines[400], program[4096];
    allow(600, 600, 600);
    snprintf(lines, sizeof lines,
             "ulimit -v; ulimit -f; ulimit -c; ulimit -t; echo x >'%s' || echo refused",
             trib_scratch("written"));
    snprintf(program, sizeof program, "%s", make_program(lines));
    EXPECT_OK(convert(program, &text, note, &error));
    EXPECT_TEXT(text.text, "1048576\n0\n0\n600\nrefused\n");
    expect_failure(make_program("kill -ABRT $$"), "signal 6; it may use 1024 MiB of memory");
}

/* Without the sandbox it may. */
TEST(programs_see_neither_other_files_nor_the_network) {
    static const struct {
        const char *command;
        bool by_landlock;
    } row[] = {
        {"cat '%s' >/dev/null", true},
        {"ls '%s/..' >/dev/null", true},
        {"true >'%s'", true},
        {"mkdir '%s.d'", true},
        {"rm '%s'", true},
        {"kill -0 $PPID # %s", true},
        {"python3 -c 'import socket; socket.socket()' # %s", false},
        {"python3 -c 'import socket; socket.socket(socket.AF_UNIX)' # %s", false},
        {"unshare -U true # %s", false},
    };
    const trib_budget closed = trib_budget_now();
    trib_budget open = closed;
    const char *const kind = trib_sandbox_kind();
    char secret[300], command[500], line[600], program[4096], note[TRIB_NOTE_MAX] = "";
    size_t n_refused = 0;
    if (!kind) {
        trib_skip("the kernel has neither Landlock nor seccomp");
        return;
    }
    allow(600, 600, 600);
    open.sandbox = false;
    snprintf(secret, sizeof secret, "%s", trib_scratch_below("private/secret"));
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        if (!strstr(kind, row[i].by_landlock ? "Landlock" : "seccomp")) continue;
        snprintf(command, sizeof command, row[i].command, secret);
        snprintf(line, sizeof line, "if %s\nthen echo done; else echo refused; fi", command);
        snprintf(program, sizeof program, "%s", make_program(line));
        for (int is_open = 0; is_open < 2; is_open++) {
            GIVEN(trib_buffer) text = {0};
            trib_error error = {0};
            trib_write_bytes(secret, "secret", 6);
            trib_budget_begin(is_open ? &open : &closed);
            EXPECT_OK(convert(program, &text, note, &error));
            if (!is_open) EXPECT_TEXT(text.text, "refused\n");
            n_refused += is_open && strcmp(text.text, "done\n") == 0;
        }
    }
    trib_budget_begin(&closed);
    EXPECT(n_refused >= 2); /* the others are refused here to anyone */
}

/* Then the system forgets how the program ended; its text was taken for whole. */
TEST(programs_share_the_memory_of_the_run) {
    const trib_budget whole = trib_budget_now();
    trib_budget small = whole;
    char lines[400], program[4096];
    size_t n_alone = 0;
    allow(600, 600, 600);
    small.programs = (uint64_t)3 << 29; /* room for one of 1 GiB */
    small.sandbox = false;              /* mkdir */
    trib_budget_begin(&small);
    snprintf(lines, sizeof lines, "mkdir '%s' && sleep .05 && rmdir '%s' && ulimit -v",
             trib_scratch("alone"), trib_scratch("alone"));
    snprintf(program, sizeof program, "%s", make_program(lines));
#pragma omp parallel for schedule(static, 1) num_threads(4) reduction(+ : n_alone)
    for (int i = 0; i < 4; i++) {
        GIVEN(trib_buffer) text = {0};
        char note[TRIB_NOTE_MAX] = "";
        n_alone += convert(program, &text, note, NULL) == TRIB_OK && text.length > 0 &&
                   strcmp(text.text, "1048576\n") == 0;
    }
    EXPECT(n_alone == 4);
    trib_budget_begin(&whole);
}

TEST(a_program_whose_status_is_lost_is_an_error) {
    allow(600, 600, 600);
    void (*const before)(int) = signal(SIGCHLD, SIG_IGN);
    expect_failure(make_program("cat; exit 3"), "unknown, since this process ignores SIGCHLD");
    signal(SIGCHLD, before);
}

static trib_status convert_once(void *context, trib_error *error) {
    GIVEN(trib_buffer) text = {0};
    char note[TRIB_NOTE_MAX] = "";
    const trib_status status = convert(context, &text, note, error);
    return status;
}

/* A signal to the group of the tests, such as Ctrl-C, does not reach the program. */
TEST(the_program_has_a_group_of_its_own) {
    allow(600, 600, 600);
    expect_failure(make_program("kill -TERM 0"), "signal 15; it may use 1024 MiB of memory");
}

TEST(a_stop_request_kills_the_program) {
    char program[4096];
    allow(600, 600, 600);
    snprintf(program, sizeof program, "%s",
             make_program("sleep .15; cat; exec >/dev/null 2>&1; sleep .05"));
    EXPECT(trib_stop_at_every_look(convert_once, program) >= 2);
}

TEST(every_allocation_may_fail) {
    char program[4096];
    allow(600, 600, 600);
    snprintf(program, sizeof program, "%s", make_program("cat"));
    trib_fail_every_allocation(convert_once, program);
}

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define VFORK_IS_FORK
#endif
#endif

static bool is_caught;

static void exit_if_new_process(void) {
    if (is_caught) _exit(9);
}

/* Handlers that other libraries register for fork may wait for ever, in the new process, for a lock
 * of a thread that does not exist there. */
TEST(nothing_else_runs_in_the_new_process) {
#ifdef VFORK_IS_FORK
    trib_skip("ThreadSanitizer makes vfork fork");
    return;
#endif
    GIVEN(trib_buffer) text = {0};
    trib_error error = {0};
    char note[TRIB_NOTE_MAX] = "";
    allow(600, 600, 600);
    CHECK(pthread_atfork(NULL, NULL, exit_if_new_process) == 0);
    is_caught = true;
    EXPECT_OK(convert(make_program("cat"), &text, note, &error));
    is_caught = false;
    EXPECT_TEXT(text.text, "%PDF-1.4\n");
}
