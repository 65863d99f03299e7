/* account.h - counts for the account of a text while it is read. Private to pipeline. */
#ifndef TRIBUTARY_TEXT_ACCOUNT_H
#define TRIBUTARY_TEXT_ACCOUNT_H

#include "base/base.h"
#include "pipeline/support/account.h"

/* The columns of an account: its counts, then texts. */
typedef struct trib_account_column {
    const char *name, *title, *what;
} trib_account_column;
extern const trib_account_column trib_account_columns[TRIB_ACCOUNT_COLUMNS];

/* About how many words a text in UTF-8 has: runs of letters; in scripts without spaces, half its
 * letters. */
uint64_t trib_words_in(const char *text, size_t length);
/* Adds n to the count of a name. Names that have no more room are left out. */
void trib_named_count_add(trib_named_count list[TRIB_ACCOUNT_NAMES], const char *name, uint64_t n);
/* Writes the cell of a column. */
enum { TRIB_ACCOUNT_TEXT = 400 };
void trib_account_cell(char text[TRIB_ACCOUNT_TEXT], const trib_account *account, size_t column);
/* Counts lost characters and signs of markup in a block of the text that is read. */
void trib_account_scan(trib_account *account, const char *text, size_t length);
/* Whether what was read can hardly be a text: markup read as words, lost characters, or two
 * languages. Appends why, with a remedy, to `why`. */
bool trib_account_doubt(const trib_account *account, uint64_t n_words, trib_buffer *why,
                        trib_error *error);

#endif
