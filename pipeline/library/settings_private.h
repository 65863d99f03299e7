/* settings_private.h - the reading of settings, for arrays.c and experiment.c. */
#ifndef TRIBUTARY_LIBRARY_SETTINGS_PRIVATE_H
#define TRIBUTARY_LIBRARY_SETTINGS_PRIVATE_H

#include "pipeline/config/config.h"
#include "pipeline/library/experiment.h"

/* Reads a configuration from the text `yaml`, or else from the file `name`, or else, where that is
 * NULL too, from `settings` alone, which hold "KEY=VALUE" and end with NULL (NULL: none). Messages
 * go to `callbacks` (NULL: nowhere), the errors also to `error`. (experiment.c) */
trib_status trib_settings_read(trib_config *config, const char *name, const char *yaml,
                               const char *const settings[], const trib_callbacks *callbacks,
                               trib_error *error);

#endif
