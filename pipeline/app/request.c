/* request.c - reads the address and the headers of a request, and decides whether it is let in. */
#include <arpa/inet.h>

#include "pipeline/app/exchange.h"
#include "pipeline/support/terminal.h"
#include "pipeline/support/utf8.h"

/* ---- Addresses ------------------------------------------------------------------------------- */

static int digit(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Decodes %41 once. NULL for a wrong sequence, NUL, and what is not UTF-8. */
static const char *decode(trib_arena *arena, const char *text, size_t n, bool is_parameter) {
    char *to = trib_arena_new(arena, n + 1, 1);
    size_t length = 0;
    for (size_t i = 0; to && i < n; i++) {
        char c = text[i] == '+' && is_parameter ? ' ' : text[i];
        if (c == '%') {
            const int high = i + 2 < n ? digit(text[i + 1]) : -1;
            const int low = i + 2 < n ? digit(text[i + 2]) : -1;
            if (high < 0 || low < 0 || high + low == 0) return NULL;
            c = (char)(high * 16 + low);
            i += 2;
        }
        to[length++] = c;
    }
    return to && trib_is_utf8(to, length) ? to : NULL;
}

static bool read_path(trib_app_address *address, trib_arena *arena, const char *text, size_t n) {
    for (const char *at = text, *end = text + n; at < end;) {
        if (*at++ != '/') return false;
        const char *slash = memchr(at, '/', (size_t)(end - at));
        const size_t length = (size_t)((slash ? slash : end) - at);
        if (length == 0) return !slash; /* a slash at the end */
        const char *part = decode(arena, at, length, false);
        if (!part || strchr(part, '/') || strcmp(part, ".") == 0 || strcmp(part, "..") == 0 ||
            address->n_parts == TRIB_APP_PARTS)
            return false;
        address->part[address->n_parts++] = part;
        at += length;
    }
    return true;
}

static bool read_parameters(trib_app_address *address, trib_arena *arena, const char *text) {
    while (*text) {
        const size_t n = strcspn(text, "&"), n_name = strcspn(text, "=&");
        struct {
            struct trib_app_parameter *item;
            size_t n;
        } list = {address->parameter, address->n_parameters};
        struct trib_app_parameter *one = trib_arena_append(arena, &list, sizeof *one);
        if (!one) return false;
        address->parameter = list.item;
        address->n_parameters = list.n;
        one->name = decode(arena, text, n_name, true);
        one->value = n_name < n ? decode(arena, text + n_name + 1, n - n_name - 1, true) : "";
        if (!one->name || !one->value) return false;
        text += n + (text[n] == '&');
    }
    return true;
}

trib_status trib_app_address_read(trib_app_address *address, trib_arena *arena, const char *text,
                                  trib_error *error) {
    const size_t n = strcspn(text, "?");
    *address = (trib_app_address){0};
    if (n > 0 && read_path(address, arena, text, n) &&
        (!text[n] || read_parameters(address, arena, text + n + 1)))
        return trib_arena_check(arena, error);
    address->n_parts = 0;
    return trib_fail(error, TRIB_USAGE, "this is not an address of the application");
}

const char *trib_app_parameter_of(const trib_app_address *address, const char *name) {
    for (size_t i = 0; i < address->n_parameters; i++)
        if (strcmp(address->parameter[i].name, name) == 0) return address->parameter[i].value;
    return NULL;
}

const char *trib_app_clean_name(trib_arena *arena, const char *name) {
    const char *slash = strrchr(name, '/'), *from = slash ? slash + 1 : name;
    const size_t n = strlen(from);
    char *to = trib_arena_new(arena, n + 2, 1);
    size_t length = 0;
    for (size_t i = 0; to && i < n;) {
        const size_t at = i;
        const UChar32 c = trib_utf8_next(from, n, &i);
        const bool is_bad = c < 0 || c == '\t' || c == '\n' || trib_is_unfit((uint32_t)c) ||
                            (c < 0x80 && strchr("\\/:*?\"<>|", (char)c));
        if (length + (i - at) > TRIB_APP_NAME) break;
        if (is_bad || (length == 0 && (c == '.' || c == ' ' || c == '-'))) to[length++] = '_';
        else {
            memcpy(to + length, from + at, i - at);
            length += i - at;
        }
    }
    while (length > 0 && (to[length - 1] == '.' || to[length - 1] == ' ')) to[--length] = '\0';
    return length > 0 ? to : "text";
}

/* ---- Who is let in --------------------------------------------------------------------------- */

bool trib_app_same(const char *given, const char *secret) {
    size_t differences = !given || strlen(given) != strlen(secret);
    for (size_t i = 0; given && !differences && secret[i]; i++)
        differences |= (size_t)(given[i] ^ secret[i]) << 8;
    return differences == 0;
}

/* A page elsewhere cannot make a name of its own lead to an address of numbers. */
bool trib_app_host_is_ours(const char *host, uint16_t port, bool is_open) {
    char name[64], number[16];
    struct in_addr at;
    const char *colon = host ? strrchr(host, ':') : NULL;
    if (!colon || (size_t)(colon - host) >= sizeof name) return false;
    snprintf(name, sizeof name, "%.*s", (int)(colon - host), host);
    snprintf(number, sizeof number, "%u", (unsigned)port);
    if (strcmp(colon + 1, number) != 0) return false;
    return strcmp(name, "127.0.0.1") == 0 || strcmp(name, "localhost") == 0 ||
           (is_open && inet_pton(AF_INET, name, &at) == 1);
}

bool trib_app_origin_is_ours(const char *origin, const char *host) {
    return !origin || (strncmp(origin, "http://", 7) == 0 && strcmp(origin + 7, host) == 0);
}
