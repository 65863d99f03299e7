/* letters.c - one command on a folder of ten letters: DOCX, ODT, PDF, TEI and plain text, with
 * names in three scripts. The target quotes three of them, in two scripts. */
#include <stdlib.h>
#include <sys/stat.h>

#include "tests/pipeline/program/program.h"

/* What the letters say. The target has the first, the third and the sixth. */
static const char harbour[] =
    "The harbour master closed the eastern gate before the storm and counted "
    "every lantern twice. Nobody in the village had seen the ferry since the "
    "bells of the old chapel rang at noon.",
                  garden[] = "In the walled garden the pear trees were already heavy and my sister "
                             "wrote down each basket in a small green book. We sent the first "
                             "twelve baskets to the hospital by the river.",
                  mill[] = "The mill stood still for nine days because the brook had sunk below "
                           "the lowest stone. My brother measured it every morning with a marked "
                           "stick and told the miller what he found.",
                  school[] = "Our new teacher asks all children to copy one page of the almanac "
                             "each evening and to read it aloud. Several parents complained that "
                             "candles cost more than such lessons are worth.",
                  bridge[] = "Der Müller hat mir gestern erzählt, daß der Bach wieder steigt und "
                             "daß die Brücke bis zum Herbst fertig sein soll. Wir haben drei "
                             "Körbe Äpfel für deine Mutter bereitgestellt.",
                  ferry[] = "Вчера вечером мы долго стояли у переправы и ждали лодку с того "
                            "берега. Старый перевозчик сказал нам, что вода поднялась выше камня "
                            "и что раньше утра он не поедет.",
                  cherry[] = "В саду за домом зацвела вишня, и дети каждое утро считают новые "
                             "ветки. Мой брат записывает их в зелёную тетрадь и никому её не "
                             "показывает.",
                  river[] = "昨日渡口水漲舟子不肯渡河吾等宿於山下小寺聽雨至曉僧人以茶待客言去年此"
                            "時橋尚未壞今歲欲修而無木石";

static void write_file(const char *name, const char *text) {
    trib_writer writer;
    CHECK(trib_writer_open(&writer, trib_scratch(name), NULL) == TRIB_OK);
    trib_write_text(&writer, text);
    CHECK(trib_writer_commit(&writer, NULL, NULL) == TRIB_OK);
}

/* Writes a text as DOCX or ODT, by pandoc. */
static void write_by_pandoc(const char *name, const char *format, const char *text) {
    char command[1024];
    write_file("letter.md", text);
    snprintf(command, sizeof command, "pandoc -f markdown -t %s -o '%s' '%s'", format,
             trib_scratch(name), trib_scratch("letter.md"));
    CHECK(system(command) == 0);
}

/* Writes a PDF with one page, the text on one long line. */
static void write_pdf(const char *name, const char *text) {
    enum { N_OBJECTS = 5 };
    size_t offset[N_OBJECTS], n = 0;
    char file[4096], stream[1024];
    snprintf(stream, sizeof stream, "BT /F1 4 Tf 10 700 Td (%s) Tj ET", text);
    n += (size_t)snprintf(file, sizeof file, "%%PDF-1.4\n");
    for (int i = 0; i < N_OBJECTS; i++) {
        static const char *const objects[N_OBJECTS] = {
            "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 2000 842] /Contents 4 0 R /Resources << "
            "/Font << /F1 5 0 R >> >> >>",
            NULL, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"};
        offset[i] = n;
        n += objects[i] ? (size_t)snprintf(file + n, sizeof file - n, "%d 0 obj\n%s\nendobj\n",
                                           i + 1, objects[i])
                        : (size_t)snprintf(file + n, sizeof file - n,
                                           "%d 0 obj\n<< /Length %zu >>\nstream\n%s\nendstream\n"
                                           "endobj\n",
                                           i + 1, strlen(stream), stream);
    }
    const size_t start = n;
    n += (size_t)snprintf(file + n, sizeof file - n, "xref\n0 6\n0000000000 65535 f \n");
    for (int i = 0; i < N_OBJECTS; i++)
        n += (size_t)snprintf(file + n, sizeof file - n, "%010zu 00000 n \n", offset[i]);
    snprintf(file + n, sizeof file - n,
             "trailer << /Size 6 /Root 1 0 R >>\nstartxref\n%zu\n%%%%EOF\n", start);
    write_file(name, file);
}

static void write_tei(const char *name, const char *title, const char *text) {
    char file[2048];
    snprintf(file, sizeof file,
             "<TEI xmlns=\"http://www.tei-c.org/ns/1.0\"><teiHeader><fileDesc><titleStmt><title>%s"
             "</title></titleStmt><publicationStmt><p/></publicationStmt><sourceDesc><p/>"
             "</sourceDesc></fileDesc></teiHeader><text><body><p>%s</p></body></text></TEI>",
             title, text);
    write_file(name, file);
}

static void write_letters(void) {
    char text[2048];
    mkdir(trib_scratch("letters"), 0777);
    snprintf(text, sizeof text, "%s %s %s I copied all this for you by the light of one candle.",
             harbour, mill, ferry);
    write_by_pandoc("Ziel-Müller.docx", "docx", text);
    write_by_pandoc("letters/Hafen.docx", "docx", harbour);
    write_by_pandoc("letters/Garten.odt", "odt", garden);
    write_by_pandoc("letters/Mühle.odt", "odt", mill);
    write_pdf("letters/school.pdf", school);
    write_tei("letters/Brücke.xml", "An die Mutter", bridge);
    write_tei("letters/孔子.xml", "孔子", river);
    write_file("letters/Чехов.txt", ferry);
    write_file("letters/Пушкин.txt", cherry);
    write_file("letters/~$Hafen.docx", "a lock of a word processor");
}

static void one_command_answers_from_ten_letters_of_any_format(void) {
    char words[1024];
    trib_error error = {0};
    trib_buffer out = {0};
    if (system("command -v pandoc >/dev/null && command -v pdftotext >/dev/null") != 0) {
        trib_skip("pandoc or pdftotext is not installed");
        return;
    }
    write_letters();
    snprintf(words, sizeof words, "--no-cache run %s %s -o %s", trib_scratch("Ziel-Müller.docx"),
             trib_scratch("letters"), trib_scratch("answer"));
    EXPECT_STATUS(trib_program_do(words, &error), TRIB_OK, error);
    CHECK(trib_read_whole(trib_scratch("stdout"), &out, NULL) == TRIB_OK);
    const char *report = strstr(out.text, "\nreport: ");
    EXPECT(strncmp(out.text, "Ziel-Müller draws ", strlen("Ziel-Müller draws ")) == 0);
    EXPECT(report && strchr(report + 1, '\n')[1] == '\0');
    static const char *const flowing[] = {"Hafen", "Mühle", "Чехов"};
    static const char *const others[] = {"Garten", "school", "Mutter", "孔子", "Пушкин"};
    for (size_t i = 0; i < sizeof flowing / sizeof *flowing; i++)
        EXPECT(strstr(out.text, flowing[i]) != NULL);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        EXPECT(strstr(out.text, others[i]) == NULL);
    trib_buffer_release(&out);
}

CU_TestInfo trib_tests_program_letters[] = {{"one command answers from ten letters of any format",
                                             one_command_answers_from_ten_letters_of_any_format},
                                            CU_TEST_INFO_NULL};
