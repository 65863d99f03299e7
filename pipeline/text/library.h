/* library.h - a library of texts on disk: a folder with segments (segment.h), and the file
 * MANIFEST, which names them and is replaced as a whole. A text of it has the address LIBRARY/ID.
 * One program writes at a time; any number may read meanwhile. Private to pipeline. */
#ifndef TRIBUTARY_TEXT_LIBRARY_H
#define TRIBUTARY_TEXT_LIBRARY_H

#include "pipeline/support/names.h"
#include "pipeline/text/segment.h"

/* What a library is opened for. */
typedef enum { TRIB_INDEX_READ, TRIB_INDEX_WRITE, TRIB_INDEX_REPAIR } trib_index_use;

/* An open library. `{0}` may be closed. */
typedef struct trib_index {
    const char *folder; /* borrowed */
    char *icu;          /* the version of ICU that cut its texts into words */
    trib_setting *set;  /* [n_set] settings other than the defaults; owned texts */
    size_t n_set, set_cap;
    trib_segment *segment; /* [n] in the order in which they were made */
    size_t n, cap;
    uint64_t next; /* number of the next segment */
    int lock;      /* descriptor of a writer's lock, or -1 */
    bool sealed;
    trib_index_use use;
    uint64_t n_lost; /* segments that could not be opened */
} trib_index;

/* Opens a library, to read, to write (the only writer; a new library if there is none), or to write
 * although some of its segments cannot be opened, which are then left out.
 * TRIB_INPUT when it is damaged or was made with another version of ICU or another order of bytes;
 * TRIB_USAGE when another program writes to it, or the folder holds something else. */
trib_status trib_index_open(trib_index *index, const char *folder, trib_index_use use,
                            trib_error *error);
void trib_index_close(trib_index *index);
/* Gives a new library a setting. TRIB_MEMORY. */
trib_status trib_index_set(trib_index *index, const char *key, const char *value,
                           trib_error *error);
/* Makes the segments and what is removed from them the state of the library on disk, and removes
 * files that it does not name. TRIB_OUTPUT. */
trib_status trib_index_commit(trib_index *index, trib_error *error);
/* The path of a segment, or of the manifest when `number` is 0. */
enum { TRIB_INDEX_PATH = 4200 };
void trib_index_path(char path[TRIB_INDEX_PATH], const trib_index *index, uint64_t number);
/* Appends an open segment. TRIB_MEMORY. */
trib_status trib_index_append(trib_index *index, uint64_t number, trib_error *error);

/* Whether a folder is a library. */
bool trib_library_is_at(const char *folder);
/* Called with each text that is not removed, until *goes_on is false. */
typedef trib_status trib_library_sink(void *context, const trib_segment *segment, size_t text,
                                      const trib_indexed_text *about, bool *goes_on,
                                      trib_error *error);
trib_status trib_index_each(const trib_index *index, trib_library_sink *take, void *context,
                            trib_error *error);
/* Appends the text of an id. TRIB_INPUT when there is none, or it is damaged. */
trib_status trib_library_text(const char *folder, const char *id, trib_buffer *to,
                              trib_error *error);

#endif
