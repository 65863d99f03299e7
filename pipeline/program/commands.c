/* commands.c - the table of commands with the flags of each, and the flags that every command
 * accepts. The help, the manual page and the completion of shells are made from these tables. */
#include "pipeline/program/command.h"
#include "pipeline/program/fetch.h"
#include "pipeline/program/tools.h"

#define FIELD(name) offsetof(trib_command_line, name)
#define FORMS       "tns|mtx|fragment|fragment-zstd|fragment-raw|npy"
#define BASES       "guess|0|1"
/* Flags that several commands have. */
#define TO_FILE                                                                                    \
    { "--output", 'o', "FILE", TRIB_FLAG_TEXT, FIELD(output), "write the result to FILE" }
#define TO_FORM                                                                                    \
    {                                                                                              \
        "--to", 0, FORMS, TRIB_FLAG_CHOICE, FIELD(form),                                           \
            "write in this form, whatever the name of the output"                                  \
    }
#define BASE                                                                                       \
    {                                                                                              \
        "--base", 0, BASES, TRIB_FLAG_CHOICE, FIELD(base),                                         \
            "the number of the first index in a .tns text; default: guess"                         \
    }

static const trib_flag global_flags[] = {
    {"--directory", 'C', "DIR", TRIB_FLAG_TEXT, FIELD(directory),
     "change to DIR first; paths on the command line start there"},
    {"--threads", 'j', "N", TRIB_FLAG_WHOLE, FIELD(n_threads),
     "use N threads; does not change any digit of a result"},
    {"--kernels", 0, "auto|portable|avx2|avx512", TRIB_FLAG_CHOICE, FIELD(kernels),
     "use these instructions; does not change any digit of a result"},
    {"--seed", 0, "N", TRIB_FLAG_TEXT, FIELD(seed), "sets cp.seed, as --set cp.seed=N does"},
    {"--set", 0, "KEY=VALUE", TRIB_FLAG_SETTING, 0,
     "replace a value of the configuration; may be repeated, the last one wins"},
    {"--quiet", 'q', NULL, TRIB_FLAG_SWITCH, FIELD(quiet), "print only warnings and errors"},
    {"--verbose", 'v', NULL, TRIB_FLAG_SWITCH, FIELD(verbose),
     "print more, with the times of the stages"},
    {"--log-level", 0, "error|warning|info|debug", TRIB_FLAG_CHOICE, FIELD(log_level),
     "the messages shown on standard error"},
    {"--progress", 0, "auto|bar|plain|json|none", TRIB_FLAG_CHOICE, FIELD(progress),
     "how progress is shown; auto: a bar on a terminal, lines elsewhere; json makes every line "
     "JSON"},
    {"--color", 0, "auto|always|never", TRIB_FLAG_CHOICE, FIELD(color),
     "auto: on a terminal, unless NO_COLOR is set"},
    {"--cache-dir", 0, "DIR", TRIB_FLAG_TEXT, FIELD(cache_directory),
     "where results are cached between runs; default: tributary in $XDG_CACHE_HOME or ~/.cache"},
    {"--no-cache", 0, NULL, TRIB_FLAG_SWITCH, FIELD(no_cache), "neither read nor write the cache"},
    {"--json", 0, NULL, TRIB_FLAG_SWITCH, FIELD(json), "print the result as one JSON document"},
    {"--strict", 0, NULL, TRIB_FLAG_SWITCH, FIELD(strict),
     "exit with status 5 when there was a warning"},
    {"--help", 'h', NULL, TRIB_FLAG_SWITCH, FIELD(help), "this page"},
    {0}};

static const trib_flag run_flags[] = {
    {"--output", 'o', "DIR", TRIB_FLAG_TEXT, FIELD(output),
     "the run directory itself, instead of the one that the configuration names; for texts the "
     "folder for experiment.yaml and the run, instead of TARGET-influence or FOLDER-influence"},
    {"--target", 0, "NAME", TRIB_FLAG_ITEM, FIELD(targets),
     "explain only this text; may be repeated; sets corpus.target"},
    {"--until", 0, "STAGE", TRIB_FLAG_TEXT, FIELD(until), "stop after this stage"},
    {"--dry-run", 0, NULL, TRIB_FLAG_SWITCH, FIELD(dry_run),
     "only print, for each stage, what is cached and what would be computed"},
    {"--resume", 0, NULL, TRIB_FLAG_SWITCH, FIELD(resume),
     "resume an incomplete run directory, or start when there is none"},
    {"--add-to", 0, "RUN", TRIB_FLAG_TEXT, FIELD(add_to),
     "extend the finished run in this folder: CONFIG has its texts and more; word counts, formulas "
     "and the index stay those of RUN (docs/inputs/adding.md)"},
    {"--only-changed", 0, NULL, TRIB_FLAG_SWITCH, FIELD(only_changed),
     "with --add-to: measure only the added texts and the targets that one of them became a source "
     "of; the rows of the others stay in RUN"},
    {0}};

static const trib_flag sweep_flags[] = {
    {"--output", 'o', "DIR", TRIB_FLAG_TEXT, FIELD(output),
     "the directory of the sweep, instead of config.output with 'sweep' for its {hash8}"},
    {"--shard", 0, "I/N", TRIB_FLAG_TEXT, FIELD(shard),
     "run only the I-th of N parts; default: the part of this task in a Slurm array, else all"},
    {"--resume", 0, NULL, TRIB_FLAG_SWITCH, FIELD(resume),
     "resume unfinished members, and run again those whose texts have changed"},
    {"--keep-going", 0, NULL, TRIB_FLAG_SWITCH, FIELD(keep_going),
     "go on after failed members, however many there are"},
    {"--collect", 0, NULL, TRIB_FLAG_SWITCH, FIELD(collect),
     "run nothing; collect the complete members, as the last step after shards"},
    {"--dry-run", 0, NULL, TRIB_FLAG_SWITCH, FIELD(dry_run), "only list the members"},
    {0}};

static const trib_flag cp_flags[] = {
    {"--output", 'o', "DIR", TRIB_FLAG_TEXT, FIELD(output),
     "the directory for factors.ktns and trace.csv"},
    {"--from", 0, "KTNS", TRIB_FLAG_TEXT, FIELD(from),
     "start from the components of an earlier decomposition: of a shorter version of the document "
     "(then with --words), or of a lower rank"},
    {"--words", 0, "FILE", TRIB_FLAG_TEXT, FIELD(words),
     "the words of the tensor, as tensor build --words writes them: factors.ktns then has a word "
     "for each index, and components of --from are matched by word"},
    {"--resume", 0, NULL, TRIB_FLAG_SWITCH, FIELD(resume),
     "resume a decomposition that a signal or resources.time stopped"},
    {0}};

static const trib_flag check_flags[] = {{"--print-config", 0, NULL, TRIB_FLAG_SWITCH,
                                         FIELD(print_config),
                                         "print the whole configuration with every value resolved"},
                                        {0}};

static const trib_flag index_check_flags[] = {
    {"--repair", 0, NULL, TRIB_FLAG_SWITCH, FIELD(repair),
     "make the damaged files of the library anew, without the texts that are damaged"},
    {0}};

static const trib_flag find_flags[] = {
    {"--top", 0, "N", TRIB_FLAG_WHOLE, FIELD(top), "show the N best places (default: 20)"}, {0}};

static const trib_flag report_flags[] = {
    {"--output", 'o', "FILE", TRIB_FLAG_TEXT, FIELD(output),
     "the file of the page, instead of RUN/report.html, or of runs.html here for several runs"},
    {"--threshold", 0, "T", TRIB_FLAG_TEXT, FIELD(threshold),
     "show the shares by lowe at another threshold, one that the run has stored (0, 0.02, ... 2)"},
    {"--judgements", 0, "FILE", TRIB_FLAG_TEXT, FIELD(judgements),
     "list only the passages that are accepted in FILE, a table that the report of the run saved"},
    {"--target", 0, "NAME", TRIB_FLAG_TEXT, FIELD(target),
     "of a run with more than 12 targets, write only the page of this target; all: write the pages "
     "of all targets, but no reading pages"},
    {0}};

static const trib_flag explain_flags[] = {
    {"--target", 0, "NAME", TRIB_FLAG_TEXT, FIELD(target), "show only this target"},
    {"--source", 0, "NAME", TRIB_FLAG_TEXT, FIELD(source),
     "show only this source, with all phrases that the run has written (phrases.csv); a run with "
     "more than 12 targets also needs --target"},
    {"--top", 0, "N", TRIB_FLAG_WHOLE, FIELD(top),
     "show the strongest N: phrases of each source (default: 5, or all with --source), or in a run "
     "with more than 12 targets the finds (default: 20); with --json always phrases"},
    {0}};

static const trib_flag read_flags[] = {{"--source", 0, "NAME", TRIB_FLAG_TEXT, FIELD(source),
                                        "mark only what is traced to this source"},
                                       {0}};

static const trib_flag trace_flags[] = {
    {"--source", 0, "NAME", TRIB_FLAG_TEXT, FIELD(source), "print only the runs of this source"},
    {"--text", 0, NULL, TRIB_FLAG_SWITCH, FIELD(text),
     "add offsets in characters, references and the words of both texts"},
    {0}};

static const trib_flag fetch_flags[] = {
    {"--output", 'o', "DIR", TRIB_FLAG_TEXT, FIELD(output),
     "the directory for the texts and gutenberg.yaml (default: gutenberg); with --catalogue the "
     "manifest (default: gutenberg.tsv)"},
    {"--mirror", 0, "URL", TRIB_FLAG_TEXT, FIELD(mirror),
     "a mirror of Project Gutenberg (default: " TRIB_GUTENBERG_MIRROR ")"},
    {"--wait", 0, "SECONDS", TRIB_FLAG_TEXT, FIELD(wait),
     "pause between two requests (default: 2)"},
    {"--timeout", 0, "SECONDS", TRIB_FLAG_TEXT, FIELD(timeout),
     "stop after so long without data or with less than 100 bytes a second, and a text after ten "
     "times as long (default: 60)"},
    {"--catalogue", 0, "FILE", TRIB_FLAG_TEXT, FIELD(catalogue),
     "make a manifest from pg_catalog.csv, and fetch nothing"},
    {"--language", 0, "CODE", TRIB_FLAG_TEXT, FIELD(language),
     "with --catalogue: only texts in this language alone, such as en (default: all)"},
    {"--texts", 0, "DIR", TRIB_FLAG_TEXT, FIELD(texts),
     "with --catalogue: a mirror on this machine; texts that it lacks are left out (default: not "
     "looked for)"},
    {"--layout", 0, "mirror|cache|zip", TRIB_FLAG_TEXT, FIELD(layout),
     "with --catalogue: 1/2/3/1234/1234-0.txt, 1234/pg1234.txt or 1/2/3/1234/1234-0.zip (default: "
     "mirror)"},
    {0}};

static const trib_flag phrasing_flags[] = {
    {"--output", 'o', "FILE", TRIB_FLAG_TEXT, FIELD(output),
     "write a table to FILE: family, kind, item, value"},
    {"--top", 0, "N", TRIB_FLAG_WHOLE, FIELD(top), "find N families; default 30"},
    {0}};

static const trib_flag gc_flags[] = {{"--older-than", 0, "AGE", TRIB_FLAG_TEXT, FIELD(older_than),
                                      "remove entries not used for so long, such as '30 d'"},
                                     {"--max-size", 0, "SIZE", TRIB_FLAG_TEXT, FIELD(max_size),
                                      "remove the entries unused for longest, until the cache has "
                                      "at most this size, such as '2 GiB'"},
                                     {"--dry-run", 0, NULL, TRIB_FLAG_SWITCH, FIELD(dry_run),
                                      "only print how much would be removed"},
                                     {0}};

static const trib_flag help_flags[] = {
    {"--markdown", 0, NULL, TRIB_FLAG_SWITCH, FIELD(markdown),
     "print the keys as in docs/configuration.md; with 'keys SECTION', those of a section"},
    {"--schema", 0, NULL, TRIB_FLAG_SWITCH, FIELD(schema),
     "print the keys as a JSON Schema, for editors and validators"},
    {"--man", 0, NULL, TRIB_FLAG_SWITCH, FIELD(man), "print the manual page, in roff"},
    {0}};

static const trib_flag stage_flags[] = {TO_FILE, {0}};

static const trib_flag ingest_flags[] = {
    TO_FILE,
    {"--account", 0, NULL, TRIB_FLAG_SWITCH, FIELD(account),
     "instead of the text: what was read and lost, languages, first and last words"},
    {0}};

static const trib_flag build_flags[] = {TO_FILE,
                                        TO_FORM,
                                        {"--words", 0, "FILE", TRIB_FLAG_TEXT, FIELD(words),
                                         "write the words to FILE, one a line: line i is index i"},
                                        {0}};

static const trib_flag convert_flags[] = {TO_FILE, TO_FORM, BASE, {0}};

static const trib_flag part_flags[] = {TO_FILE, BASE, {0}};

static const trib_flag tensor_flags[] = {BASE, {0}};

static const trib_flag tensor_compare_flags[] = {
    {"--tolerance", 0, "T", TRIB_FLAG_TEXT, FIELD(tolerance),
     "values that differ by at most T count as equal; default 0"},
    BASE,
    {0}};

static const trib_command commands[] = {
    {"run", "TARGET SOURCE... | FOLDER | CONFIG", 1, SIZE_MAX,
     "find what flows into a text, and from which texts",
     "With texts: finds what flows into TARGET from each SOURCE, or into each text of FOLDER from "
     "the others (only from older ones, when every text has a certain date); --target NAME chooses "
     "among them. A text is a file of any format that `tributary help inputs` lists; a folder or "
     "an archive stands for the texts in it. Writes the folder TARGET-influence or "
     "FOLDER-influence with experiment.yaml, to be changed and run again, and the run directory "
     "`run`. Prints the answer in a sentence for each target, and where report.html is. With a "
     "configuration CONFIG (YAML): runs all stages and writes the run directory: report.html, "
     "influence.csv, influence.json and the files that they were made from. Prints the run "
     "directory. A complete run with the same configuration and inputs is not computed again.",
     run_flags, trib_command_run, NULL},
    {"sweep", "CONFIG", 1, 1, "run an experiment under many settings",
     "Runs every member of the section 'sweep' of CONFIG, each in DIR/runs/SETTINGS-HASH, and "
     "writes members.csv, sweep.csv with the shares of all members and sweep.html, which shows "
     "them side by side. The section contains 'grid' (cp.rank: [10, 50], and so on: every "
     "combination), 'list' (- {preset: lowe-2018}: one more member each), 'exclude' (- {cp.rank: "
     "50, tensor.n: 2}: leaves out these combinations) and 'failures' (how many members may fail; "
     "default 0). Complete members are not run again. Shards started with --shard, on one machine "
     "or several, share one DIR; --collect then puts their results together. Exit status 7 when a "
     "member failed.",
     sweep_flags, trib_command_sweep, NULL},
    {"check", "CONFIG", 1, 1, "find every mistake in a configuration and its texts",
     "Reads the configuration and all texts as a run does, and prints every error and warning at "
     "once; the exit status is the one that the run would give. Estimates from the sizes of the "
     "files what a run would need: words, nonzeros, memory and time. Writes nothing.",
     check_flags, trib_command_check, NULL},
    {"documents", "CONFIG|TEXT...", 1, SIZE_MAX, "write the list of documents as a table",
     "Writes a table of the documents of an experiment, or of files and folders: id, file, title, "
     "author, date, language, number of words, and where title, author, date and language are "
     "from: the list, the header of a TEI file, the file name, the properties of the file, the "
     "text. The date of a DOCX, ODT, EPUB or PDF, which is often when the file was made, is in "
     "file_date. Correct the table in a spreadsheet, saved as CSV or XLSX, and name it in "
     "corpus.manifest. -o x.csv writes a CSV with a mark by which spreadsheets find its encoding, "
     "-o x.tsv one with tabs.",
     stage_flags, trib_command_documents, NULL},
    {"init", "[DIR]", 0, 1, "write an experiment about the texts of a folder",
     "Writes a commented experiment.yaml that lists the texts in DIR (default: here), to be "
     "completed and run. When there is no text in DIR, writes four short texts and an experiment "
     "about them. Nothing that exists is overwritten.",
     NULL, trib_command_init, NULL},
    {"report", "RUN...", 1, SIZE_MAX, "write the report of a run again, or one page for several",
     "Writes RUN/report.html from RUN/influence.json, without computing anything. The pages of "
     "more than 500 targets (report.target_pages) are not written; --target NAME writes one. With "
     "--threshold the page is RUN/report-threshold-T.html, with --judgements "
     "RUN/report-accepted.html, and the run's own report is not changed. Several runs are shown "
     "side by side on one page, runs.html: their shares, what differs between their settings and "
     "texts, and links to the report of each.",
     report_flags, trib_command_report, NULL},
    {"explain", "RUN", 1, 1, "show a run in the terminal",
     "Shows each target's shares by the headline method and the strongest phrases behind them, "
     "with their counts in the target, in the source and in how many other texts they occur. For a "
     "run with more than 12 targets it shows the largest shares of all with the longest passages; "
     "--target NAME --source NAME shows all phrases of one source.",
     explain_flags, trib_command_explain, NULL},
    {"read", "RUN [TARGET]", 1, 2, "read a target, marked by its sources",
     "Shows the text of TARGET as its file spells it. Words that are traced to a source stand in "
     "brackets after the title of the source; on a terminal they are coloured and underlined, and "
     "$PAGER (else less) shows the text. The run must have been made with report.text: full.",
     read_flags, trib_command_read, NULL},
    {"trace", "RUN [TARGET]", 1, 2, "print where each word of a target was copied from",
     "Prints a table with a row for each run of words of TARGET that the method traced finds to be "
     "copied: the source, the place in both texts and the probability. --text reads the texts "
     "again: from where the run found them, else from here, or from below --set corpus.root=DIR.",
     trace_flags, trib_command_trace, NULL},
    {"kwic", "RUN PHRASE", 2, SIZE_MAX, "show every occurrence of a phrase in the texts of a run",
     "Shows each occurrence of a phrase on a line of its own, as the text spells it. The settings "
     "of the run decide what a word is. The texts are read again: from where the run found them, "
     "else from here, or from below --set corpus.root=DIR.",
     NULL, trib_command_kwic, NULL},
    {"phrasing", "RUN", 1, 1, "show words and phrases that stand together in the texts of a run",
     "Finds families of phrasing: words that stand at most three words apart again and again, with "
     "the commonest phrases of each as texts have them, the texts and years that carry it, and "
     "words that stand in each other's place. Words that stand everywhere do not count. The texts "
     "are read again: from where the run found them, else from here, or from below --set "
     "corpus.root=DIR. --seed gives other starts. Prints what families cannot show.",
     phrasing_flags, trib_command_phrasing, NULL},
    {"compare", "RUN RUN", 2, 2, "list the differences of two runs",
     "Compares the program, the settings, the inputs and every share of two runs. Exit status 8 "
     "when anything differs.",
     NULL, trib_command_compare, NULL},
    {"cite", "RUN", 1, 1, "print what a paper needs about a run",
     "Prints a BibTeX entry and a paragraph on methods with the main numbers.", NULL,
     trib_command_cite, NULL},
    {"verify", "RUN", 1, 1, "check a run directory against its checksums",
     "Computes every checksum again and names files that are missing, altered or not part of the "
     "run. Exit status 8 when there is one.",
     NULL, trib_command_verify, NULL},
    {"index add", "LIBRARY TEXT...", 2, SIZE_MAX, "add texts to a library",
     "Adds texts, folders, archives, or the documents of an experiment (CONFIG) to LIBRARY, a "
     "folder "
     "in which `find` looks passages up without reading the texts; makes it when there is none. A "
     "text that is there unchanged is passed over, one that has changed replaces the old one. With "
     "--set, the keys of tokens are settings of a new library. Other programs may read the library "
     "meanwhile.",
     NULL, trib_command_index_add, NULL},
    {"index remove", "LIBRARY NAME...", 2, SIZE_MAX, "remove texts from a library",
     "Removes texts by id, title or file. `index gc` frees their room.", NULL,
     trib_command_index_remove, NULL},
    {"index ls", "LIBRARY", 1, 1, "list the texts of a library",
     "Prints a table: id, date, number of words, title and file of each text.", NULL,
     trib_command_index_ls, NULL},
    {"index check", "LIBRARY", 1, 1, "check a library against its checksums",
     "Reads the whole library again and names what is damaged. Exit status 8 when anything is.",
     index_check_flags, trib_command_index_check, NULL},
    {"index gc", "LIBRARY", 1, 1, "free the room of removed texts",
     "Writes anew the files of a library that hold removed texts.", NULL, trib_command_index_gc,
     NULL},
    {"find", "LIBRARY [PASSAGE]", 1, SIZE_MAX, "find the texts of a library that hold a passage",
     "Looks up PASSAGE: words, a file with them in UTF-8, or standard input. Prints each place of "
     "a "
     "text that holds words of it, those with most equal words first, with its words that are not "
     "in PASSAGE in brackets. 8 equal words in succession are always found; passages with altered "
     "words when as many are left between them, and often with fewer. Words are compared without "
     "case, marks, u for v and i for j. Phrases in more than 2500 places are counted, not listed.",
     find_flags, trib_command_index_find, NULL},
    {"ingest", "TEXT", 1, 1, "print a text as a run reads it: unpacked, stripped, in UTF-8",
     "Reads a text (- is standard input) as a run does, with the keys of corpus (--set "
     "'corpus.strip=[gutenberg]', corpus.encoding), reports what was cut, and writes the rest as "
     "UTF-8. Several texts in one file are written one after the other with an empty line between "
     "them.",
     ingest_flags, trib_command_ingest, NULL},
    {"tokens", "TEXT", 1, 1, "split a text into words",
     "Splits a text (- is standard input) into words as a run does, with the keys of corpus and "
     "tokens. Prints a line for each word: its spelling, the offset of its first byte, its length "
     "in bytes, and 1 after a break.",
     NULL, trib_command_tokens, NULL},
    {"tensor build", "TEXT", 1, 1, "count the n-grams of a text into a tensor",
     "Counts the n-grams of a text (- is standard input) over its own words, commonest first, as a "
     "run does; --set takes the keys of tokens, vocabulary and tensor. Writes .tns or, for two "
     "modes, Matrix Market (.mtx), either compressed when the name of the output ends in .gz; or a "
     "fragment (.fragment). The organisation of a fragment is tensor.fragment or, when that is "
     "linear, the default, tensor.format: coo, linear, gcsr, gcsc, csf. A .fragment.zst is "
     "compressed; a .fragment.raw has 8 bytes for every number. Without -o, .tns on standard "
     "output.",
     build_flags, trib_command_tensor, trib_tensor_do_build},
    {"tensor convert", "FILE...", 1, SIZE_MAX, "write a tensor in another form",
     "Reads .tns or Matrix Market, compressed by gzip or not, or fragments; the content of the "
     "file decides. Several tensors are added. Writes the same forms as tensor build.",
     convert_flags, trib_command_tensor, trib_tensor_do_convert},
    {"tensor check", "FILE", 1, 1, "check that a file contains a tensor, with little memory",
     "Reads the whole file and prints what it contains, or the place of the first error: line and "
     "column of a text, page of a fragment.",
     tensor_flags, trib_command_tensor, trib_tensor_do_check},
    {"tensor stats", "FILE", 1, 1, "show size, counts, the hash table, bytes in each format",
     "Shows dimensions, nonzeros, density and the largest values; how the hash of HaCOO spreads "
     "the nonzeros (tensor.hash, tensor.load, tensor.buckets), with a picture of the buckets; and "
     "the bytes that each format needs (hicoo with the blocks of tensor.block and "
     "tensor.superblock).",
     tensor_flags, trib_command_tensor, trib_tensor_do_stats},
    {"tensor get", "FILE INDEX...", 2, SIZE_MAX, "print values at single indices",
     "INDEX is 3,1,7: one number for each mode, from 1. Prints each index and its value, 0 where "
     "there is no nonzero.",
     tensor_flags, trib_command_tensor, trib_tensor_do_get},
    {"tensor find", "FILE [TEST NUMBER]", 1, 3,
     "list the nonzeros in order, all or those that pass a test",
     "Prints index, from 1, and value of each nonzero, in the order of the indices; with a TEST, "
     "of those that pass: TEST is eq, ne, gt, ge, lt or le, as in test(1).",
     tensor_flags, trib_command_tensor, trib_tensor_do_find},
    {"tensor slice", "FILE RANGE...", 2, SIZE_MAX, "cut a part out of a tensor",
     "One RANGE for each mode, with indices from 1: a colon takes the whole mode; 5 takes one "
     "index and removes the mode; 2:7 takes the indices 2 to 7; 7,3,3 takes these indices in this "
     "order, and 7, only the one; new adds a mode of length 1. Modes without a RANGE are taken "
     "whole. Prints .tns, or the value when every RANGE is one index.",
     part_flags, trib_command_tensor, trib_tensor_do_slice},
    {"tensor ttv", "FILE MODE=VECTOR...", 2, SIZE_MAX, "multiply a tensor by vectors",
     "Multiplies mode MODE, from 1, by VECTOR: a file with one number for each index, or the word "
     "ones, which sums over the mode. Prints .tns, or one number when no mode is left.",
     part_flags, trib_command_tensor, trib_tensor_do_ttv},
    {"tensor ttm", "FILE MODE=MATRIX...", 2, SIZE_MAX, "multiply a tensor by matrices",
     "Multiplies mode MODE, from 1, by MATRIX, one after the other: a file with a row for each "
     "index of the result, and in each row one number for each index of the mode. Prints .tns.",
     part_flags, trib_command_tensor, trib_tensor_do_ttm},
    {"tensor add", "FILE FILE", 2, 2, "add two tensors",
     "Adds value by value. Modes are matched from the last one on. A mode of length 1, or a mode "
     "that one file does not have, is repeated to the length of the other's: a tensor of size 1 x "
     "4, or 4, is added to every row of a tensor of size 3 x 4. Prints .tns.",
     part_flags, trib_command_tensor, trib_tensor_do_pair},
    {"tensor subtract", "FILE FILE", 2, 2, "subtract two tensors",
     "Subtracts the second from the first, value by value, with modes as in tensor add. Prints "
     ".tns.",
     part_flags, trib_command_tensor, trib_tensor_do_pair},
    {"tensor times", "FILE FILE", 2, 2, "multiply two tensors value by value",
     "Multiplies value by value, with modes as in tensor add. Prints .tns.", part_flags,
     trib_command_tensor, trib_tensor_do_pair},
    {"tensor pair", "FILE BY FILE", 3, 3, "combine two tensors value by value",
     "BY is add, subtract or times; max or min; inside or outside: the values of the first where "
     "the second, a mask, is not 0, or where it is 0; greater, less, differs, and, or, xor: a mask "
     "with 1 where that is true. Modes are matched as in tensor add. Prints .tns.",
     part_flags, trib_command_tensor, trib_tensor_do_pair},
    {"tensor mask", "FILE TEST NUMBER", 3, 3, "make a mask of the nonzeros that pass a test",
     "Prints .tns with 1 for each nonzero of FILE that passes: TEST is eq, ne, gt, ge, lt or le, "
     "as in test(1). Zeros are not tested. tensor pair takes such a mask.",
     part_flags, trib_command_tensor, trib_tensor_do_mask},
    {"tensor inner", "FILE FILE", 2, 2, "print the inner product of two tensors",
     "Prints the sum of the products of all pairs of values. Both tensors must have the same size.",
     tensor_flags, trib_command_tensor, trib_tensor_do_inner},
    {"tensor reduce", "FILE BY [MODE...]", 2, SIZE_MAX, "sum or find extremes along modes",
     "Reduces the tensor over the modes MODE, from 1; without MODE over all. BY is sum; max or "
     "min, which count zeros as values; count, the number of nonzeros; argmax or argmin, for one "
     "mode: the index, from 1, of the first largest or smallest value, zeros included, for each "
     "fiber with a nonzero; or argsum, for one mode: the index of the slice with the largest sum. "
     "Prints .tns, or one number or index when no mode is left.",
     part_flags, trib_command_tensor, trib_tensor_do_reduce},
    {"tensor norm", "FILE", 1, 1, "print the Frobenius norm",
     "Prints the square root of the sum of the squared values.", tensor_flags, trib_command_tensor,
     trib_tensor_do_norm},
    {"tensor compare", "FILE FILE", 2, 2, "find the differences of two tensors",
     "Compares all values, whatever the forms of the files. Exit status 8 when the tensors differ; "
     "prints the first place.",
     tensor_compare_flags, trib_command_tensor, trib_tensor_do_compare},
    {"cache ls", "", 0, 0, "list the cache",
     "Lists every entry of the cache: its stage, its size, when it was last used, what it is "
     "about.",
     NULL, trib_command_cache_ls, NULL},
    {"cache gc", "", 0, 0, "remove entries from the cache",
     "Removes entries that are damaged, left by a killed run, or unused for long. Without a limit "
     "only the first two kinds are removed. Runs in progress compute again what is missing.",
     gc_flags, trib_command_cache_gc, NULL},
    {"doctor", "", 0, 0, "check whether this machine is ready",
     "Checks libraries, kernels, threads, memory, the temporary directory and the programs that a "
     "corpus may need. For each that is missing it prints what it is for and how to get it.",
     NULL, trib_command_doctor, NULL},
    {"completion", "bash|zsh|fish", 1, SIZE_MAX, "print the completion script for a shell",
     "Prints a script that the shell reads or that you install; its first lines say where.", NULL,
     trib_command_completion, NULL},
    {"cp", "TENSOR", 1, 1, "decompose one tensor",
     "Reads a tensor (.tns, .mtx or a fragment, - is standard input), decomposes it with the keys "
     "of cp (--set cp.rank=50; --set cp.rank=auto searches for a rank) and writes "
     "DIR/factors.ktns, DIR/trace.csv with a line for each iteration and, after a search, "
     "DIR/ranks.csv. When a signal or resources.time stops it, it leaves DIR/checkpoint; --resume "
     "continues from there and gives the same bits.",
     cp_flags, trib_command_cp, NULL},
    {"fetch gutenberg", "[ID...]", 0, SIZE_MAX, "fetch texts of Project Gutenberg by number",
     "Writes DIR/pgID.txt for each ID (1342 of gutenberg.org/ebooks/1342) and lists them with "
     "author and title in DIR/gutenberg.yaml, a manifest for corpus.manifest. A text that exists "
     "is not fetched again, and an interrupted download is continued. Each text is checked: a web "
     "page, an incomplete text, or a text with another number is rejected. Exit status 4 when a "
     "text could not be fetched. With --catalogue it makes a manifest of the texts of a mirror: "
     "one edition of each work, dated 30 years after the birth of its author; what is left out is "
     "listed beside it.",
     fetch_flags, trib_command_fetch_gutenberg, NULL},
    {"version", "", 0, 0, "show the versions of the program and its libraries",
     "Shows the version of the program and of its libraries, the kernels chosen for this "
     "processor, and the optional parts that this build lacks.",
     NULL, trib_command_version, NULL},
    {"help", "[COMMAND|TOPIC]", 0, 2, "explain a command or a topic",
     "Topics: inputs, formats, solvers, methods, stages, keys, exit.", help_flags,
     trib_command_help, NULL},
    {0}};

const trib_command_table trib_commands = {commands, global_flags};
