/* subtitles.h - the text of subtitles: SRT (SubRip) and WebVTT (W3C). Private to pipeline. */
#ifndef TRIBUTARY_DECODERS_SUBTITLES_H
#define TRIBUTARY_DECODERS_SUBTITLES_H

#include "pipeline/markup/markup.h"

/* Append the text of the cues, without their numbers, times, tags, settings and comments. The times
 * at which cues begin are the references of the text. TRIB_INPUT when the file is not UTF-8, or has
 * no cue. */
trib_status trib_srt_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error);
trib_status trib_webvtt_text(trib_markup_text *to, trib_markup_bytes file, trib_error *error);
/* Appends the version of this reader. */
trib_status trib_subtitles_print_reader(trib_buffer *to, trib_error *error);

#endif
