/* request.c - any bytes as the address of a request and the name of a file: parts are names, names
 * stay in their folder, text stays text. */
#include "pipeline/app/exchange.h"
#include "pipeline/support/utf8.h"
#include "tests/fuzz/fuzz.h"

static void try_address(trib_arena *arena, const char *text) {
    trib_app_address a;
    if (trib_app_address_read(&a, arena, text, NULL) != TRIB_OK) return;
    FUZZ_CHECK(a.n_parts <= TRIB_APP_PARTS);
    for (size_t i = 0; i < a.n_parts; i++) {
        const char *part = a.part[i], *name = trib_app_clean_name(arena, part);
        FUZZ_CHECK(*part && !strchr(part, '/') && strcmp(part, ".") != 0 &&
                   strcmp(part, "..") != 0);
        FUZZ_CHECK(trib_is_utf8(part, strlen(part)));
        if (trib_arena_check(arena, NULL) != TRIB_OK) return;
        FUZZ_CHECK(*name && *name != '.' && !strchr(name, '/') && strlen(name) <= TRIB_APP_NAME);
        FUZZ_CHECK(trib_is_utf8(name, strlen(name)));
    }
    (void)trib_app_parameter_of(&a, "token");
}

FUZZ_TARGET(request) {
    trib_arena arena = {0};
    const char *text = trib_arena_copy(&arena, (const char *)bytes, size);
    (void)trib_app_host_is_ours(text, 8080, true);
    (void)trib_app_same(text, "abc");
    try_address(&arena, text);
    trib_arena_release(&arena);
}
