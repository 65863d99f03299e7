/* guess.c - guesses the language of a text by its n-grams of letters, with libexttextcat and its
 * fingerprints of languages (Cavnar and Trenkle, N-Gram-Based Text Categorization, 1994). Pieces
 * taken from the whole text vote, so that a foreign quotation or a title page does not decide. */
#include "tokenizer/language.h"
#include "tokenizer/token.h"

#ifdef TRIB_WITH_TEXTCAT

#include <stdio.h>
#include <string.h>
#include <textcat.h>
#include <unistd.h>

#include "base/internal.h"

enum { N_PIECES = 24, PIECE = 200 /* bytes */, ENOUGH = 6, MOST_WEIGHT = 3 };

/* The languages that pieces were taken for. */
typedef struct votes {
    char code[N_PIECES][TRIB_LANGUAGE_MAX];
    int count[N_PIECES], n;
} votes;

/* Counts the first language of an answer such as "[pt--utf8][gl--utf8]". */
static void count_vote(votes *v, const char *answer) {
    char code[TRIB_LANGUAGE_MAX] = "", tag[TRIB_LANGUAGE_MAX] = "";
    const size_t length = *answer == '[' ? strcspn(answer + 1, "-]") : 0;
    int i = 0;
    if (length == 0 || length >= sizeof tag) return;
    memcpy(tag, answer + 1, length);
    if (trib_language_check(tag, NULL) != TRIB_OK) return;
    trib_language_code(code, tag);
    while (i < v->n && strcmp(v->code[i], code) != 0) i++;
    if (i == v->n) memcpy(v->code[v->n++], code, sizeof code);
    v->count[i]++;
}

/* A language of a region, such as Asturian, takes about half of the pieces of a large neighbour,
 * and hardly the reverse. So a language with a code of two letters counts three times. */
static int weight_of(const votes *v, int i) {
    return v->count[i] * (strlen(v->code[i]) == 2 ? MOST_WEIGHT : 1);
}

static int best_of(const votes *v) {
    int best = 0;
    for (int i = 1; i < v->n; i++)
        if (weight_of(v, i) > weight_of(v, best)) best = i;
    return best;
}

/* Whether the pieces that are left cannot change the answer, or will not: pieces from all over the
 * text have one language by so much. */
static bool is_decided(const votes *v, int n_left) {
    const int best = best_of(v), top = v->n > 0 ? weight_of(v, best) : 0;
    int lead = top;
    for (int i = 0; i < v->n; i++)
        if (i != best && top - weight_of(v, i) < lead) lead = top - weight_of(v, i);
    return lead >= ENOUGH * MOST_WEIGHT || lead > n_left * MOST_WEIGHT;
}

static bool is_first_byte(char c) { return ((unsigned char)c & 0xC0) != 0x80; }

static void take_votes(votes *v, void *classifier, const char *text, size_t length) {
    const int n_pieces = length / PIECE < N_PIECES ? (int)(length / PIECE) + 1 : N_PIECES;
    const size_t step = length / (size_t)n_pieces;
    const int stride = n_pieces % 7 > 0 ? 7 : 5; /* goes through the text and comes to each piece */
    for (int k = 0; k < n_pieces && !is_decided(v, n_pieces - k); k++) {
        size_t from = (size_t)(k * stride % n_pieces) * step,
               to = from + PIECE < length ? from + PIECE : length;
        while (from < to && !is_first_byte(text[from])) from++;
        while (to < length && to > from && !is_first_byte(text[to])) to--;
        count_vote(v, textcat_Classify(classifier, text + from, to - from));
    }
}

enum { FILE_PATH = TRIB_CODE_FOLDER + 64 };

/* Writes the folder of the fingerprints, which ends with '/', and the path of their list: those
 * that were unpacked with the program, or else those of the library. */
static void find_fingerprints(char folder[FILE_PATH], char list[FILE_PATH]) {
    char program[TRIB_CODE_FOLDER];
    if (trib_code_folder(program)) {
        snprintf(folder, FILE_PATH, "%s/../share/libexttextcat/", program);
        snprintf(list, FILE_PATH, "%s/../share/libexttextcat/fpdb.conf", program);
        if (access(list, R_OK) == 0) return;
    }
    snprintf(folder, FILE_PATH, "%s/", TRIB_TEXTCAT_DATA);
    snprintf(list, FILE_PATH, "%s/fpdb.conf", TRIB_TEXTCAT_DATA);
}

trib_status trib_guesser_open(trib_guesser *guesser, trib_error *error) {
    char folder[FILE_PATH], list[FILE_PATH];
    find_fingerprints(folder, list);
    guesser->classifier = special_textcat_Init(list, folder);
    return guesser->classifier ? TRIB_OK
                               : trib_fail(error, TRIB_CONFIG,
                                           "no language can be guessed without %s (Debian: "
                                           "libexttextcat-data)",
                                           list);
}

void trib_guesser_close(trib_guesser *guesser) {
    if (guesser->classifier) textcat_Done(guesser->classifier);
    *guesser = (trib_guesser){0};
}

trib_status trib_guesser_guess(const trib_guesser *guesser, const char *encoding, const char *bytes,
                               size_t n_bytes, char code[TRIB_LANGUAGE_MAX], trib_error *error) {
    decoder in = {0};
    votes v = {0};
    *code = '\0';
    trib_status status = trib_decoder_open(&in, encoding, TRIB_INVALID_REPLACE, error);
    if (status != TRIB_OK) return status;
    trib_decoder_begin(&in, "a text");
    status = trib_decoder_feed(&in, bytes, n_bytes, error);
    if (status == TRIB_OK) status = trib_decoder_end(&in, error);
    if (status == TRIB_OK) take_votes(&v, guesser->classifier, in.text ? in.text : "", in.length);
    trib_decoder_close(&in);
    if (v.n > 0) memcpy(code, v.code[best_of(&v)], TRIB_LANGUAGE_MAX);
    return status;
}

#else

trib_status trib_guesser_open(trib_guesser *guesser, trib_error *error) {
    *guesser = (trib_guesser){0};
    return trib_fail(error, TRIB_CONFIG,
                     "this build cannot guess languages; install libexttextcat (Debian: "
                     "libexttextcat-dev) and build again");
}

void trib_guesser_close(trib_guesser *guesser) { (void)guesser; }

trib_status trib_guesser_guess(const trib_guesser *guesser, const char *encoding, const char *bytes,
                               size_t n_bytes, char code[TRIB_LANGUAGE_MAX], trib_error *error) {
    (void)guesser, (void)encoding, (void)bytes, (void)n_bytes;
    *code = '\0';
    return trib_fail(error, TRIB_INTERNAL, "this build cannot guess languages");
}

#endif
