/* config.c - any bytes as an experiment in YAML: it is loaded, or an error is reported. */
#include <unistd.h>

#include "pipeline/config/config.h"
#include "tests/fuzz/fuzz.h"

static void hear(void *context, bool is_error, const char *message) {
    *(bool *)context |= is_error && *message;
}

static void visit(void *context, const char *key, const char *value, bool is_default,
                  bool changes_result) {
    (void)is_default;
    (void)changes_result;
    *(size_t *)context += strlen(key) + strlen(value);
}

FUZZ_TARGET(config) {
    static char directory[] = "/tmp/tributary-fuzz-XXXXXX";
    static const trib_setting settings[] = {{"cp.rank", "7", "--set cp.rank=7"}};
    static bool made;
    char path[sizeof directory + 16];
    if (!made && !mkdtemp(directory)) return;
    made = true;
    snprintf(path, sizeof path, "%s/e.yaml", directory);
    FILE *file = fopen(path, "wb");
    if (!file) return;
    const size_t n = fwrite(bytes, 1, size, file);
    if (fclose(file) == 0 && n == size) {
        TRIB_OWNED(trib_config) config = {0};
        bool complained = false;
        size_t length = 0;
        const trib_status status =
            trib_config_load(&config, path, settings, 1, hear, &complained, NULL);
        FUZZ_CHECK(status == TRIB_OK || status == TRIB_CONFIG || status == TRIB_MEMORY);
        FUZZ_CHECK(complained == (status == TRIB_CONFIG));
        if (status == TRIB_OK)
            FUZZ_CHECK(trib_config_each(&config, visit, &length, NULL) == TRIB_OK);
    }
    remove(path);
    rmdir(directory);
    made = false;
    memcpy(directory + sizeof directory - 7, "XXXXXX", 6);
}
