/* check.c - `tributary check` finds what `tributary run` rejects: same status, same messages. */
#include "tests/test.h"

#include <sys/stat.h>

#include "pipeline/program/command.h"
#include "pipeline/support/json.h"

/* ---- One command ----------------------------------------------------------------------------- */

static void collect(void *context, const char *level, const char *text) {
    if (strcmp(level, "error") == 0)
        CHECK(trib_buffer_print(context, NULL, "%s\n", text) == TRIB_OK);
}

/* Does `tributary --no-cache COMMAND FILE [-o DIRECTORY]`; `said` receives every error. */
static trib_status do_command(const char *command, const char *file, const char *directory,
                              trib_buffer *said) {
    const char *words[] = {"tributary", "--no-cache", command, file, directory ? "-o" : NULL,
                           directory};
    const trib_log_sink sink = {.message = collect, .context = said};
    trib_command_line line = {0};
    trib_log *log = NULL;
    trib_writer out = {.file = -1};
    trib_error error = {0};
    char *word[7] = {0};
    for (int i = 0; i < 6; i++) word[i] = (char *)(uintptr_t)words[i];
    trib_json_open();
    CHECK(trib_command_line_read(&line, &trib_commands, directory ? 6 : 4, word, &error) ==
          TRIB_OK);
    CHECK(trib_log_open_sink(&log, TRIB_LOG_ERROR, &sink, &error) == TRIB_OK);
    CHECK(trib_writer_open(&out, trib_scratch("stdout"), &error) == TRIB_OK);
    const trib_status status = line.command->work(&line, log, &out, &error);
    trib_writer_abandon(&out);
    if (status != TRIB_OK) CHECK(trib_buffer_print(said, NULL, "%s\n", error.message) == TRIB_OK);
    trib_log_close(log);
    trib_command_line_release(&line);
    return status;
}

static void write_file(const char *name, const char *bytes, size_t n) {
    trib_writer writer;
    CHECK(trib_writer_open(&writer, trib_scratch(name), NULL) == TRIB_OK);
    trib_write(&writer, bytes, n);
    CHECK(trib_writer_commit(&writer, NULL, NULL) == TRIB_OK);
}

/* ---- Bad inputs ------------------------------------------------------------------------------ */

#define BYTES(text) text, sizeof(text) - 1
#define PROSE       "the brown fox walks over the hill and the brown dog sleeps\n"

/* A run of a.txt and the document `file` with these bytes; `more` is added to its configuration. */
static const struct {
    const char *file, *bytes;
    size_t n;
    const char *more;
    trib_status status;
    const char *said; /* a part of what is said */
} bad[] = {
    {"latin1.txt", BYTES("Das M\344dchen l\344uft \374ber die Br\374cke\n"), "", TRIB_INPUT,
     "latin1.txt: byte 5 (line 1) is not UTF-8"},
    {"picture.png", BYTES("\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1"), "", TRIB_INPUT,
     "is a PNG image, not a text; remove it"},
    {"program", BYTES("\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\76\0\1\0\0\0"), "", TRIB_INPUT,
     "is a program (ELF), not a text"},
    {"noise.txt", BYTES("the \1\2\3\4 fox \5\6\7\1 walks \0\0\0 home"), "", TRIB_INPUT,
     "is not a text: it has many control bytes"},
    {"wide.txt", BYTES("t\0h\0e\0 \0h\0i\0l\0l\0 \0i\0s\0 \0o\0l\0d\0 \0a\0n\0d\0\n\0"), "",
     TRIB_INPUT, "is UTF-16LE, not utf-8; set corpus.encoding to auto"},
    {"russian.txt",
     BYTES("\32\4 \0\33\4\60\4\71\4 \0\74\4\76\4\71\4 \0\64\4\76\4\74\4 \0\62\4\\\0\n\0"), "",
     TRIB_INPUT, "is UTF-16LE, not utf-8"},
    {"utf16.txt", BYTES("\377\376t\0h\0e\0 \0h\0i\0l\0l\0 \0i\0s\0 \0o\0l\0d\0 \0a\0n\0d\0\n\0"),
     "", TRIB_INPUT, "is UTF-16LE"},
    {"blank.txt", BYTES(" \n\n \n"), "", TRIB_INPUT, "holds no word"},
    {"points.txt", BYTES("... --- !!! ???\n"), "", TRIB_INPUT, "holds no word"},
    {"empty.txt", "", 0, "", TRIB_INPUT, "is empty"},
    {"one.txt", BYTES("word\n"), "", TRIB_INPUT, "holds no 3-gram"},
    {"cut.xml", BYTES("<?xml version=\"1.0\"?><a>the fox<b>"), "", TRIB_INPUT, "cannot be parsed"},
    {"damaged.docx", BYTES("PK\3\4\24\0\0\0\0\0[Content_Types].xml"), "", TRIB_INPUT,
     "damaged.docx: "},
    {"renamed.txt", BYTES("PK\3\4\24\0\0\0\0\0[Content_Types].xml"), "", TRIB_INPUT,
     "its name does not say so"},
    {"letter.doc", BYTES("\320\317\21\340\241\261\32\341"), "", TRIB_INPUT, "is DOC"},
    {"cut.txt.gz", BYTES("\37\213\10\0\0\0\0\0\0\3\53\311"), "", TRIB_INPUT, "is it cut?"},
    {"lines.jsonl", BYTES("{\"text\": \"the fox walks home\"}\n{\"text\": \n"), "", TRIB_CONFIG,
     "lines.jsonl:2"},
    {NULL, "", 0, "", TRIB_INPUT, "missing.txt: "},
    {"variants.tsv", BYTES("foxe fox\n"), "tokens: {variants: variants.tsv}\n", TRIB_CONFIG,
     "variants.tsv:1: not a table of variants"},
    {"rules.txt", BYTES(":: nonsense ;;\n"), "tokens: {transform: rules.txt}\n", TRIB_CONFIG,
     "not rules of an ICU transform"},
    {"stop.txt", BYTES("\377\376\n"), "tokens: {stop: stop.txt}\n", TRIB_CONFIG,
     "stop.txt:1: not UTF-8"},
    {"words.txt", "", 0, "vocabulary: {file: words.txt}\n", TRIB_CONFIG, "has no words"},
    {"lemmas.tsv", BYTES("foxe fox\n"), "parallels: {unit: lines, lemmas: lemmas.tsv}\n",
     TRIB_CONFIG, "lemmas.tsv:1: no form before a tab"},
    {"phrases.txt", BYTES("the\n\377\n"), "report: {commonplaces: phrases.txt}\n", TRIB_INPUT,
     "phrases.txt:2: not UTF-8"},
    {"b.txt", BYTES(PROSE), "vocabulary: {min_count: 1000}\n", TRIB_CONFIG, "no word is left"},
    {"b.txt", BYTES(PROSE), "vocabulary: {size: 1, oov: break}\n", TRIB_INPUT, "holds no 3-gram"},
    {"b.txt", BYTES(PROSE), "resources: {memory: 1 MiB}\n", TRIB_MEMORY, "resources.memory"},
};

static void check_and_run_agree_on_every_bad_input(void) {
    write_file("a.txt", BYTES(PROSE));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const bool is_text = !*bad[i].more;
        trib_buffer yaml = {0}, checked = {0}, ran = {0};
        char directory[32];
        if (bad[i].file) write_file(bad[i].file, bad[i].bytes, bad[i].n);
        CHECK(trib_buffer_print(
                  &yaml, NULL,
                  "tributary: 1\ncorpus: {documents: [a.txt, {id: b, file: %s}], target: a}\n"
                  "influence: {methods: [split], headline: split}\n%s",
                  !is_text      ? "a.txt"
                  : bad[i].file ? bad[i].file
                                : "missing.txt",
                  bad[i].more) == TRIB_OK);
        write_file("bad.yaml", yaml.text, yaml.length);
        snprintf(directory, sizeof directory, "run-%zu", i);
        const trib_status status = do_command("check", trib_scratch("bad.yaml"), NULL, &checked);
        const trib_status as_run =
            do_command("run", trib_scratch("bad.yaml"), trib_scratch(directory), &ran);
        if (status != bad[i].status || as_run != bad[i].status || !checked.text ||
            !strstr(checked.text, bad[i].said))
            printf("%s %s: %s\n", bad[i].file ? bad[i].file : "missing", bad[i].more,
                   checked.text ? checked.text : "nothing was found");
        EXPECT(status == bad[i].status);
        EXPECT(as_run == bad[i].status);
        EXPECT(checked.text && strstr(checked.text, bad[i].said));
        EXPECT_TEXT(checked.text ? checked.text : "", ran.text ? ran.text : "");
        trib_buffer_release(&yaml);
        trib_buffer_release(&checked);
        trib_buffer_release(&ran);
    }
}

static void check_names_every_text_that_cannot_be_used(void) {
    trib_buffer said = {0};
    write_file("a.txt", BYTES(PROSE));
    write_file("latin1.txt", BYTES("Das M\344dchen l\344uft nach Hause\n"));
    write_file("blank.txt", BYTES(" \n"));
    write_file("three.yaml",
               BYTES("tributary: 1\ncorpus: {documents: [a.txt, latin1.txt, blank.txt, gone.txt], "
                     "target: a}\n"));
    EXPECT(do_command("check", trib_scratch("three.yaml"), NULL, &said) == TRIB_INPUT);
    CHECK(said.text != NULL);
    EXPECT(strstr(said.text, "latin1.txt: ") != NULL);
    EXPECT(strstr(said.text, "blank.txt: holds no word") != NULL);
    EXPECT(strstr(said.text, "gone.txt: ") != NULL);
    EXPECT(strstr(said.text, "3 of 4 documents cannot be used") != NULL);
    trib_buffer_release(&said);
}

CU_TestInfo trib_tests_program_check[] = {
    {"check and run agree on every bad input", check_and_run_agree_on_every_bad_input},
    {"check names every text that cannot be used", check_names_every_text_that_cannot_be_used},
    CU_TEST_INFO_NULL};
