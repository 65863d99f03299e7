/* yaml.h - the experiment of a project. Private to the room. */
#ifndef TRIBUTARY_APP_YAML_H
#define TRIBUTARY_APP_YAML_H

#include "pipeline/app/exchange.h"
#include "pipeline/config/yaml.h"

/* Appends a text of YAML in which a key of a section has another value (NULL: in which it is left
 * out). Comments and all else stay as they are. TRIB_CONFIG when the text is no YAML, or the
 * section is written in braces. */
trib_status trib_app_yaml_set(trib_buffer *to, const char *text, const char *section,
                              const char *key, const char *value, trib_error *error);
/* Answers with what `check` says of a text of YAML (NULL: of the stored experiment); `is_right`,
 * which may be NULL, tells whether it found no error. */
trib_status trib_app_check_answer(trib_exchange *x, const char *yaml, bool *is_right,
                                  trib_error *error);

#endif
