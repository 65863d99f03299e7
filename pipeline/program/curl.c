/* curl.c - the functions of libcurl. */
#ifdef TRIB_WITH_CURL
#include "pipeline/program/curl.h"

#ifdef TRIB_CURL
#include "base/system.h"

trib_curl_functions trib_curl;

trib_status trib_curl_load(trib_error *error) {
#define NAME(name) #name,
    static const char *const names[] = {TRIB_CURL_FUNCTIONS(NAME)};
#undef NAME
    if (trib_curl.curl_global_init) return TRIB_OK;
    return trib_loaded_fill(&trib_curl, TRIB_CURL, names, sizeof names / sizeof *names, error);
}
#else
#define FUNCTION(name) name,
trib_curl_functions trib_curl = {TRIB_CURL_FUNCTIONS(FUNCTION)};
#undef FUNCTION

trib_status trib_curl_load(trib_error *error) {
    (void)error;
    return TRIB_OK;
}
#endif
#else
typedef int trib_no_curl; /* C needs a declaration in every file */
#endif
