/* document.h - what most rooms read of a configuration, without its options (config.h): a document
 * as the corpus describes it, and the types around loading. */
#ifndef TRIBUTARY_CONFIG_DOCUMENT_H
#define TRIBUTARY_CONFIG_DOCUMENT_H

#include "base/base.h"
#include "pipeline/support/names.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trib_config trib_config; /* config.h */

typedef enum { TRIB_ROLE_BOTH, TRIB_ROLE_TARGET, TRIB_ROLE_SOURCE, TRIB_ROLE_DECOY } trib_role;

/* Where title, author, date and language of a document are from. */
typedef enum {
    TRIB_FROM_LIST,      /* the list of documents says it, or nothing does */
    TRIB_FROM_HEADER,    /* of a TEI file */
    TRIB_FROM_FILE_NAME, /* "1843-03-05_Lowe.docx" */
    /* of a DOCX, ODT, EPUB or PDF; a date is often when the file was made, not the text */
    TRIB_FROM_PROPERTIES,
    TRIB_FROM_TEXT, /* guessed from the words */
} trib_from;

/* "list", "header", "file name", "properties", "text" (infer.c). */
const char *trib_from_text(trib_from from);

/* A document as the corpus describes it. All strings are owned by the configuration. */
typedef struct trib_corpus_document {
    const char *id;        /* letters, digits, _ . -; NFC; unique (documents.c) */
    const char *file;      /* as written; always UTF-8: other bytes that a glob found are \xNN */
    const char *path;      /* resolved: what is opened, any bytes; also the name in messages */
    const char *link;      /* where a link out of its folder leads, to show; NULL: it is none */
    const char *title;     /* defaults to id */
    const char *author;    /* NULL when there is none */
    const char *date;      /* as written; NULL when there is none */
    const char *language;  /* its tag or code (tokenizer/language.h); NULL: that of tokens.locale */
    const char *encoding;  /* as corpus.encoding, for this document; NULL: that */
    const char *reference; /* as corpus.reference, for this document; NULL: that */
    const char *pages;     /* "true": of a folder or archive, which is one text; else NULL */
    const char *columns;   /* other columns, "genre: play; place: Ely"; NULL when there are none */
    const char *library;   /* the path of the library that has the text; NULL: it is a file */
    /* [n_sources] of a target of a run on a library: its sources, ascending; else NULL
     * (stages/library.h) */
    const struct trib_corpus_document **source;
    uint32_t n_sources;
    /* The time it names, [year, year_end) in years with month and day as a fraction, BC negative
     * (1623-11 is a month long); NaN when there is none. One document is strictly older than
     * another when its year_end <= the other's year. */
    double year, year_end;
    trib_role role;
    uint32_t line; /* in the file that lists it */
    trib_from title_from, author_from, date_from, language_from;
} trib_corpus_document;

typedef struct trib_text_list { /* a list of scalars */
    const char **item;          /* [n] */
    size_t n;
} trib_text_list;

/* A file in a folder or archive of texts that is not read. */
typedef struct trib_left_out {
    const char *file; /* to show; owned by the configuration */
    const char *why;  /* static */
} trib_left_out;

/* Of up to TRIB_REPORT_TARGETS targets all is written, sources to read, too. A run with more than
 * TRIB_TARGET_PAGES writes no pages of them, and one with more than TRIB_READ_TARGETS targets of
 * less than TRIB_SHORT_WORDS words each, on average, no texts to read (report.target_pages: auto).
 */
enum {
    TRIB_REPORT_TARGETS = 12,
    TRIB_TARGET_PAGES = 500,
    TRIB_READ_TARGETS = 100,
    TRIB_SHORT_WORDS = 1500
};
/* Whether the targets, which have so many words, are too short for texts to read. */
static inline bool trib_texts_are_short(size_t n_targets, uint64_t n_words) {
    return n_targets > TRIB_READ_TARGETS && n_words < (uint64_t)TRIB_SHORT_WORDS * n_targets;
}

/* report.text: how much of the texts themselves is written. */
typedef enum { TRIB_TEXT_NONE, TRIB_TEXT_SNIPPETS, TRIB_TEXT_FULL } trib_text;

/* Receives every error and warning of a configuration, complete with place, excerpt and remedy, one
 * call each. */
typedef void (*trib_config_diagnostic)(void *context, bool is_error, const char *message);
/* A part of the options: what a computation is given of them. */
typedef struct trib_given {
    size_t offset, size; /* bytes of trib_config; size 0: the end of a list */
} trib_given;

#ifdef __cplusplus
}
#endif
#endif
