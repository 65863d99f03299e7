/* support.h - the room support, which every other room may use. It has tools that know nothing of
 * texts, stages or configurations. A newcomer adds a tool here when at least two rooms need it, and
 * base cannot have it because it prints, reads the clock or chooses paths.
 *
 * - log.h, warnings.h, signals.h: messages, progress, requests to stop
 * - terminal.h, names.h: texts for a person at a terminal, and names that a person writes
 * - html.h, tables.h, json.h, pack.h, utf8.h: writing and reading of formats
 * - path.h: paths and files
 * - memory_limit.h: the memory of the process and of its threads */
