/* arrays_private.h - a tensor in memory, for arrays.c and factorisations.c; and the reading of
 * settings, for factorisations.c and experiment.c. */
#ifndef TRIBUTARY_LIBRARY_ARRAYS_PRIVATE_H
#define TRIBUTARY_LIBRARY_ARRAYS_PRIVATE_H

#include "pipeline/config/document.h"
#include "pipeline/library/arrays.h"
#include "pipeline/library/experiment.h"
#include "tensor/formats/formats.h"

struct trib_array {
    trib_hacoo table;
    double *value; /* [table.nnz] NULL: the counts of the table, which are all 1 otherwise */
    size_t value_cap;
    trib_tensor x; /* format NULL: not built since the last change */
};

/* Reads a configuration from the text `yaml`, or else from the file `name`, or else, where that is
 * NULL too, from `settings` alone, which hold "KEY=VALUE" and end with NULL (NULL: none). Messages
 * go to `callbacks` (NULL: nowhere), the errors also to `error`. (experiment.c) */
trib_status trib_settings_read(trib_config *config, const char *name, const char *yaml,
                               const char *const settings[], const trib_callbacks *callbacks,
                               trib_error *error);

#endif
