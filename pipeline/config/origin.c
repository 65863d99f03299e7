/* origin.c - finds the place, in a file or on the command line, where the value of a key was
 * set. */
#include "pipeline/config/loading.h"

trib_place trib_loading_place(const trib_loading *l, const char *path, uint32_t item) {
    const trib_origin *origin = &l->origin[trib_key_find(path) - trib_keys];
    if (!origin->yaml) return (trib_place){.source = &l->file.source};
    uint32_t node = origin->node;
    const trib_yaml_kind kind = trib_yaml_kind_of(origin->yaml, node);
    if (kind == TRIB_YAML_LIST || kind == TRIB_YAML_MAP) {
        const uint32_t n_before = kind == TRIB_YAML_MAP ? 2 * item + 1 : item; /* keys count, too */
        uint32_t k = trib_yaml_first(origin->yaml, node);
        for (uint32_t i = 0; i < n_before && k; i++) k = trib_yaml_next(origin->yaml, k);
        if (k) node = k;
    }
    return trib_yaml_place(origin->yaml, node);
}
