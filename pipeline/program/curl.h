/* curl.h - the functions of libcurl that fetch.c uses. Where the build knows the file of libcurl
 * (TRIB_CURL), it is loaded by the first call of trib_curl_load; otherwise it is linked. Private to
 * fetch. */
#ifndef TRIBUTARY_PROGRAM_CURL_H
#define TRIBUTARY_PROGRAM_CURL_H

#include <curl/curl.h>

#include "base/base.h"

#define TRIB_CURL_FUNCTIONS(F)                                                                     \
    F(curl_global_init)                                                                            \
    F(curl_global_cleanup)                                                                         \
    F(curl_easy_init)                                                                              \
    F(curl_easy_reset)                                                                             \
    F(curl_easy_setopt)                                                                            \
    F(curl_easy_perform)                                                                           \
    F(curl_easy_getinfo)                                                                           \
    F(curl_easy_strerror)                                                                          \
    F(curl_easy_cleanup)                                                                           \
    F(curl_slist_append)                                                                           \
    F(curl_slist_free_all)

/* curl.h replaces these by macros of the same names, which check types. */
#undef curl_easy_setopt
#undef curl_easy_getinfo

typedef struct trib_curl_functions {
#define TRIB_CURL_POINTER(name) __typeof__(name) *name;
    TRIB_CURL_FUNCTIONS(TRIB_CURL_POINTER)
#undef TRIB_CURL_POINTER
} trib_curl_functions;

/* To be called only after trib_curl_load. */
extern trib_curl_functions trib_curl;

/* Loads libcurl unless it is loaded. TRIB_USAGE when it is not installed. Only one thread may call
 * it at a time. */
trib_status trib_curl_load(trib_error *error);

#endif
