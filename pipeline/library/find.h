/* find.h - passages looked up in a library of texts, which `tributary index add` makes.
 *
 *     trib_library *library;
 *     const trib_library_place *place;
 *     size_t n;
 *     if (trib_library_open(&library, "letters.library", &error) == TRIB_OK &&
 *         trib_library_find(library, passage, strlen(passage), &place, &n, &error) == TRIB_OK)
 *         for (size_t i = 0; i < n; i++) printf("%s: %s\n", place[i].title, place[i].text);
 *
 * One thread may use a library at a time; several may open the same folder. */
#ifndef TRIBUTARY_LIBRARY_FIND_H
#define TRIBUTARY_LIBRARY_FIND_H

#include "base/base.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* An open library. */
typedef struct trib_library trib_library;

/* A place in a text that holds words of a passage. Texts are UTF-8, "" when they are unknown. */
typedef struct trib_library_place {
    const char *id, *title, *author, *date; /* of the text */
    const char *file;                       /* the file it was read from */
    const char *text; /* the place as the text has it; words that are not in the passage stand in
                          * brackets */
    const char *reference; /* of the place, such as "3:7" */
    uint64_t from, end;    /* its bytes in the text as decoded */
    uint64_t line;         /* of its first word, from 1 */
    uint32_t first, n; /* words of the passage that it covers: the first, from 0, and how many */
    uint32_t n_words;  /* words of the text */
    uint32_t n_equal;  /* those of them that the passage has there, too */
    uint32_t family;   /* places of different texts that hold the same part of the passage */
} trib_library_place;

/* Opens the library in a folder for reading. TRIB_INPUT when there is none, when it is damaged, or
 * when another version of ICU cut its texts into words; TRIB_MEMORY. On failure *library is
 * NULL. */
trib_status trib_library_open(trib_library **library, const char *folder, trib_error *error);
/* NULL is legal. */
void trib_library_close(trib_library *library);
/* Finds the places that hold words of a passage in UTF-8, those with most equal words first (`find`
 * in docs/inputs/find.md). *place has *n places, which are valid until the next call or until the
 * library is closed. TRIB_USAGE for less than 5 words, TRIB_INPUT when the library is damaged. */
trib_status trib_library_find(trib_library *library, const char *passage, size_t length,
                              const trib_library_place **place, size_t *n, trib_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
