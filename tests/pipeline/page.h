/* page.h - for the tests of the report: rendering into memory, and a reader strict enough to find any tag that does not
 * balance, any identifier given twice and any link that leads nowhere. */
#ifndef TRIBUTARY_TEST_PAGE_H
#define TRIBUTARY_TEST_PAGE_H

#include "base/base.h"

/* What is wrong with a page, or NULL; valid until the next call. */
const char *trib_page_fault(const char *page);

/* How often `part` occurs in `page`. */
size_t trib_page_count(const char *page, const char *part);

#endif
