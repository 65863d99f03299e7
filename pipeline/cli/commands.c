/* commands.c - the table of commands, their flags, and the flags of every command. */
#include "pipeline/command/command.h"

#define FIELD(name) offsetof(trib_command_line, name)
#define FORMS       "tns|mtx|fragment|fragment-zstd|fragment-raw|npy"
#define BASES       "guess|0|1"
#define BASE_HELP   "what the first index is called in a .tns text; default: guess"

static const trib_flag global_flags[] = {
    {"--directory", 'C', "DIR", TRIB_FLAG_TEXT, FIELD(directory),
     "go to DIR first; paths on the command line start there"},
    {"--threads", 'j', "N", TRIB_FLAG_WHOLE, FIELD(n_threads),
     "use N threads; changes no digit of a result"},
    {"--seed", 0, "N", TRIB_FLAG_TEXT, FIELD(seed), "the same as --set cp.seed=N"},
    {"--set", 0, "KEY=VALUE", TRIB_FLAG_SETTING, 0,
     "replace a value of the configuration; may be repeated, the last one wins"},
    {"--quiet", 'q', NULL, TRIB_FLAG_SWITCH, FIELD(quiet), "only warnings and errors"},
    {"--verbose", 'v', NULL, TRIB_FLAG_SWITCH, FIELD(verbose),
     "say more, with times of the stages"},
    {"--log-level", 0, "error|warning|info|debug", TRIB_FLAG_CHOICE, FIELD(log_level),
     "what is shown on standard error"},
    {"--progress", 0, "auto|bar|plain|json|none", TRIB_FLAG_CHOICE, FIELD(progress),
     "how progress is shown; auto: a bar on a terminal, lines elsewhere; json makes every line "
     "JSON"},
    {"--color", 0, "auto|always|never", TRIB_FLAG_CHOICE, FIELD(color),
     "auto: on a terminal, unless NO_COLOR is set"},
    {"--cache-dir", 0, "DIR", TRIB_FLAG_TEXT, FIELD(cache_directory),
     "where results are kept between runs; default: tributary in $XDG_CACHE_HOME or ~/.cache"},
    {"--no-cache", 0, NULL, TRIB_FLAG_SWITCH, FIELD(no_cache), "keep and take nothing"},
    {"--json", 0, NULL, TRIB_FLAG_SWITCH, FIELD(json), "the result as one JSON document"},
    {"--strict", 0, NULL, TRIB_FLAG_SWITCH, FIELD(strict), "a warning makes the exit status 5"},
    {"--help", 'h', NULL, TRIB_FLAG_SWITCH, FIELD(help), "this page"},
    {0}};

static const trib_flag run_flags[] = {
    {"--output", 'o', "DIR", TRIB_FLAG_TEXT, FIELD(output),
     "the run directory itself, instead of the one the configuration names"},
    {"--until", 0, "STAGE", TRIB_FLAG_TEXT, FIELD(until), "end after this stage"},
    {"--dry-run", 0, NULL, TRIB_FLAG_SWITCH, FIELD(dry_run),
     "only say what of each stage is kept, what is to do, and why"},
    {"--resume", 0, NULL, TRIB_FLAG_SWITCH, FIELD(resume),
     "go on in an incomplete run directory, or start when there is none"},
    {0}};

static const trib_flag sweep_flags[] = {
    {"--output", 'o', "DIR", TRIB_FLAG_TEXT, FIELD(output),
     "the directory of the sweep, instead of config.output with 'sweep' for its {hash8}"},
    {"--shard", 0, "I/N", TRIB_FLAG_TEXT, FIELD(shard),
     "only the I-th of N parts; default: what Slurm says to a task of an array, else all"},
    {"--resume", 0, NULL, TRIB_FLAG_SWITCH, FIELD(resume),
     "go on with unfinished members, and do anew those whose texts have changed"},
    {"--keep-going", 0, NULL, TRIB_FLAG_SWITCH, FIELD(keep_going),
     "a failed member does not stop the sweep, however many there are"},
    {"--collect", 0, NULL, TRIB_FLAG_SWITCH, FIELD(collect),
     "run nothing; put the complete members together, as the last step after shards"},
    {"--dry-run", 0, NULL, TRIB_FLAG_SWITCH, FIELD(dry_run), "only list the members"},
    {0}};

static const trib_flag cp_flags[] = {
    {"--output", 'o', "DIR", TRIB_FLAG_TEXT, FIELD(output),
     "where factors.ktns and trace.csv are written"},
    {"--from", 0, "KTNS", TRIB_FLAG_TEXT, FIELD(from),
     "begin with the components of an earlier decomposition: of a document that has grown (then "
     "with --words), or of a lower rank"},
    {"--words", 0, "FILE", TRIB_FLAG_TEXT, FIELD(words),
     "the words of the tensor, as tensor build --words writes them: they name the indices in "
     "factors.ktns, and components of --from that have words go by them"},
    {"--resume", 0, NULL, TRIB_FLAG_SWITCH, FIELD(resume),
     "go on where a signal or resources.time stopped it"},
    {0}};

static const trib_flag check_flags[] = {{"--print-config", 0, NULL, TRIB_FLAG_SWITCH,
                                         FIELD(print_config),
                                         "print the whole configuration as it is resolved"},
                                        {0}};

static const trib_flag report_flags[] = {
    {"--output", 'o', "FILE", TRIB_FLAG_TEXT, FIELD(output),
     "the page itself, instead of RUN/report.html, or runs.html here for several runs"},
    {"--threshold", 0, "T", TRIB_FLAG_TEXT, FIELD(threshold),
     "show the shares by lowe at another threshold, one the run has stored (0, 0.02, ... 2)"},
    {0}};

static const trib_flag explain_flags[] = {
    {"--target", 0, "ID", TRIB_FLAG_TEXT, FIELD(target), "only this target"},
    {"--source", 0, "ID", TRIB_FLAG_TEXT, FIELD(source),
     "only this source, with all phrases that the run has written (phrases.csv); of more than 12 "
     "targets with --target besides"},
    {"--top", 0, "N", TRIB_FLAG_WHOLE, FIELD(top),
     "the strongest N: phrases of each source (default: 5, with --source all), or of more than 12 "
     "targets the finds (default: 20); with --json always phrases"},
    {0}};

static const trib_flag synth_flags[] = {
    {"--output", 'o', "DIR", TRIB_FLAG_TEXT, FIELD(output), "where to write (default: planted)"},
    {"--words", 0, "N", TRIB_FLAG_TEXT, FIELD(words), "words of the target (default: 4000)"},
    {"--run", 0, "L", TRIB_FLAG_TEXT, FIELD(run), "words in a copied run (default: 50)"},
    {"--noise", 0, "P", TRIB_FLAG_TEXT, FIELD(noise),
     "probability that a copied word is replaced (default: 0)"},
    {"--n", 0, "N", TRIB_FLAG_TEXT, FIELD(n), "n-gram length of the truth (default: 3)"},
    {0}};

static const trib_flag fetch_flags[] = {
    {"--output", 'o', "DIR", TRIB_FLAG_TEXT, FIELD(output),
     "where the texts and gutenberg.yaml are written (default: gutenberg)"},
    {"--mirror", 0, "URL", TRIB_FLAG_TEXT, FIELD(mirror),
     "a mirror of Project Gutenberg (default: " TRIB_GUTENBERG_MIRROR ")"},
    {"--wait", 0, "SECONDS", TRIB_FLAG_TEXT, FIELD(wait),
     "pause between two requests (default: 2)"},
    {"--timeout", 0, "SECONDS", TRIB_FLAG_TEXT, FIELD(timeout),
     "how long the mirror may send nothing, or less than 100 bytes a second (default: 60)"},
    {0}};

static const trib_flag gc_flags[] = {
    {"--older-than", 0, "AGE", TRIB_FLAG_TEXT, FIELD(older_than),
     "what was not used for so long, such as '30 d'"},
    {"--max-size", 0, "SIZE", TRIB_FLAG_TEXT, FIELD(max_size),
     "the longest unused, until so much is left, such as '2 GiB'"},
    {"--dry-run", 0, NULL, TRIB_FLAG_SWITCH, FIELD(dry_run), "only say how much would go"},
    {0}};

static const trib_flag help_flags[] = {
    {"--markdown", 0, NULL, TRIB_FLAG_SWITCH, FIELD(markdown), "keys as docs/configuration.md"},
    {"--man", 0, NULL, TRIB_FLAG_SWITCH, FIELD(man), "everything as a manual page, in roff"},
    {0}};

static const trib_flag stage_flags[] = {
    {"--output", 'o', "FILE", TRIB_FLAG_TEXT, FIELD(output), "write it there"}, {0}};

static const trib_flag build_flags[] = {
    {"--output", 'o', "FILE", TRIB_FLAG_TEXT, FIELD(output), "write it there"},
    {"--to", 0, FORMS, TRIB_FLAG_CHOICE, FIELD(form),
     "in this form, whatever the name of the output says"},
    {"--words", 0, "FILE", TRIB_FLAG_TEXT, FIELD(words),
     "write the words there, one a line: line i is index i"},
    {0}};

static const trib_flag convert_flags[] = {
    {"--output", 'o', "FILE", TRIB_FLAG_TEXT, FIELD(output), "write it there"},
    {"--to", 0, FORMS, TRIB_FLAG_CHOICE, FIELD(form),
     "in this form, whatever the name of the output says"},
    {"--base", 0, BASES, TRIB_FLAG_CHOICE, FIELD(base), BASE_HELP},
    {0}};

static const trib_flag part_flags[] = {
    {"--output", 'o', "FILE", TRIB_FLAG_TEXT, FIELD(output), "write it there"},
    {"--base", 0, BASES, TRIB_FLAG_CHOICE, FIELD(base), BASE_HELP},
    {0}};

static const trib_flag distance_flags[] = {
    {"--output", 'o', "FILE", TRIB_FLAG_TEXT, FIELD(output), "write it there"},
    {"--to", 0, "csv|npy", TRIB_FLAG_CHOICE, FIELD(form),
     "in this form, whatever the name of the output says"},
    {"--nearest", 0, NULL, TRIB_FLAG_SWITCH, FIELD(nearest),
     "only the smallest distance of every component to every file"},
    {0}};

static const trib_flag tensor_flags[] = {
    {"--base", 0, BASES, TRIB_FLAG_CHOICE, FIELD(base), BASE_HELP}, {0}};

static const trib_flag tensor_compare_flags[] = {
    {"--tolerance", 0, "T", TRIB_FLAG_TEXT, FIELD(tolerance),
     "values that differ by at most T are the same; default 0"},
    {"--base", 0, BASES, TRIB_FLAG_CHOICE, FIELD(base), BASE_HELP},
    {0}};

static const trib_command commands[] = {
    {"run", "CONFIG", 1, 1, "do an experiment",
     "Reads the configuration CONFIG (YAML), goes through all stages and writes the run directory: "
     "report.html, influence.csv, influence.json and everything they were made from. Prints the "
     "run "
     "directory. A complete run with the same configuration and inputs is left alone.",
     run_flags, trib_command_run},
    {"sweep", "CONFIG", 1, 1, "do an experiment under many settings",
     "Runs every member of the section 'sweep' of CONFIG, each in DIR/runs/SETTINGS-HASH, and "
     "writes members.csv, sweep.csv with the shares of all of them and sweep.html with all side by "
     "side. The section holds 'grid' (cp.rank: [10, 50], and so on: every combination), 'list' "
     "(- {preset: lowe-2018}: one more member each), 'exclude' (- {cp.rank: 50, tensor.n: 2}: none "
     "of these) and 'failures' (how many members may fail; default 0). Complete members are left "
     "alone. Parts started with --shard on any machines share one DIR, and --collect puts it "
     "together. Exit status 7 when a member failed.",
     sweep_flags, trib_command_sweep},
    {"check", "CONFIG", 1, 1, "find every mistake in a configuration",
     "Prints every error and warning at once, and what a run would take: words, nonzeros, memory "
     "and "
     "time, estimated from the sizes of the files.",
     check_flags, trib_command_check},
    {"init", "[DIR]", 0, 1, "write a first experiment, with texts, to try and to change",
     "Writes a commented experiment.yaml and four short texts into DIR (default: here). Nothing "
     "that "
     "exists is overwritten.",
     NULL, trib_command_init},
    {"report", "RUN...", 1, SIZE_MAX, "make the report of a run anew, or one page of several",
     "Makes RUN/report.html from RUN/influence.json, without computing anything. With --threshold "
     "the page is RUN/report-threshold-T.html, and the run's own report stays as it is. Several "
     "runs "
     "stand side by side on one page, runs.html: their shares, what differs between their settings "
     "and texts, and links to the report of each.",
     report_flags, trib_command_report},
    {"explain", "RUN", 1, 1, "show a run in the terminal",
     "Shows every target's shares by the headline method and the strongest phrases behind them, "
     "with "
     "their counts in the target, in the source and in how many other texts they occur. Of more "
     "than 12 targets it shows the largest shares of all with their strongest phrases; all phrases "
     "of one source are shown by --target ID --source ID.",
     explain_flags, trib_command_explain},
    {"kwic", "RUN PHRASE", 2, SIZE_MAX, "every place of a phrase in all texts of a run",
     "Shows a phrase wherever it stands in the texts, one place below the other, in their own "
     "spelling; "
     "words are those of the run's settings. The texts are read again: they are looked for where "
     "the run found them, then here, or below --set corpus.root=DIR.",
     NULL, trib_command_kwic},
    {"compare", "RUN RUN", 2, 2, "what changed between two runs, and why",
     "Compares the program, the settings, the inputs and every share of two runs. Exit status 8 "
     "when anything differs.",
     NULL, trib_command_compare},
    {"cite", "RUN", 1, 1, "what a paper says about a run",
     "Prints a BibTeX entry and a paragraph of methods with the numbers that matter.", NULL,
     trib_command_cite},
    {"verify", "RUN", 1, 1, "whether a run directory still holds what was written",
     "Computes every checksum anew and names files that are missing, altered or not of the run. "
     "Exit status 8 when "
     "anything differs.",
     NULL, trib_command_verify},
    {"ingest", "TEXT", 1, 1, "a text as a run sees it: unpacked, stripped, in UTF-8",
     "Reads a text (- is standard input) as a run does, with the keys of corpus (--set "
     "'corpus.strip=[gutenberg]', corpus.encoding), says what was cut, and writes the rest as "
     "UTF-8. Several texts in one file are put one behind the other with an empty line between "
     "them.",
     stage_flags, trib_command_ingest},
    {"tokens", "TEXT", 1, 1, "cut a text into words, into a file of them",
     "Cuts a text (- is standard input) into words as a run does, with the keys of corpus and "
     "tokens. With -o it writes them, numbered, with their places, into a file that vocab reads "
     "and that takes two bytes a word; without, it prints a line for every word: its spelling, "
     "the place of its first byte, its bytes, 1 behind a break. Such a file in place of TEXT is "
     "printed.",
     stage_flags, trib_command_tokens},
    {"vocab", "WORDS...", 1, SIZE_MAX, "join the words of texts into a vocabulary",
     "Reads files that tokens wrote, one a document, and writes vocab.tsv as a run does: words by "
     "number, commonest first, with their counts; --set takes the keys of vocabulary.",
     stage_flags, trib_command_vocab},
    {"tensor build", "TEXT", 1, 1, "count the n-grams of a text into a tensor",
     "Counts the n-grams of a text (- is standard input) over its own words, commonest first, as a "
     "run does; --set takes "
     "the keys of tokens, vocabulary and tensor. Writes .tns or, for two modes, Matrix Market "
     "(.mtx), packed when the name "
     "of the output ends in .gz; or a fragment (.fragment), whose organisation is tensor.fragment "
     "or, where that is linear, the default, tensor.format: coo, linear, gcsr, gcsc, csf; "
     ".fragment.zst is compressed, .fragment.raw has 8 bytes for every number. "
     "Without -o, .tns on standard output.",
     build_flags, trib_command_tensor_build},
    {"tensor convert", "FILE...", 1, SIZE_MAX, "write a tensor in another form",
     "Reads .tns or Matrix Market, packed by gzip or not, or fragments, by what is in the file; "
     "several are added. Writes as "
     "tensor build does.",
     convert_flags, trib_command_tensor_convert},
    {"tensor check", "FILE", 1, 1, "whether a file holds a tensor, in little memory",
     "Reads all of it and says what it holds, or where it is wrong: line and column of a text, "
     "page of a fragment.",
     tensor_flags, trib_command_tensor_check},
    {"tensor stats", "FILE", 1, 1, "size, counts, the hash table, bytes in every format",
     "Shows dimensions, nonzeros, density and the largest values; how the hash of HaCOO spreads "
     "them (tensor.hash, "
     "tensor.load, tensor.buckets), with a picture of the buckets; and what every format takes "
     "(hicoo as tensor.block and tensor.superblock cut it).",
     tensor_flags, trib_command_tensor_stats},
    {"tensor get", "FILE INDEX...", 2, SIZE_MAX, "values at single indices",
     "INDEX is 3,1,7: one number for each mode, from 1. Prints each index and its value, 0 where "
     "there is no nonzero.",
     tensor_flags, trib_command_tensor_get},
    {"tensor find", "FILE [TEST NUMBER]", 1, 3, "the indices of the nonzeros, in order",
     "Prints index, from 1, and value of every nonzero, in the order of the indices, or of those "
     "that pass: TEST is eq, ne, gt, ge, lt or le, as in test(1).",
     tensor_flags, trib_command_tensor_find},
    {"tensor slice", "FILE RANGE...", 2, SIZE_MAX, "a part of a tensor",
     "One RANGE for each mode, from 1: a colon takes all of it, 5 one index and with it the mode "
     "away, 2:7 the indices 2 to "
     "7, 7,3,3 these in this order (7, is one of them), new adds a mode of length 1. Modes without "
     "a RANGE are taken whole. "
     "Prints .tns, or the value when every RANGE is one index.",
     part_flags, trib_command_tensor_slice},
    {"tensor ttv", "FILE MODE=VECTOR...", 2, SIZE_MAX, "tensor times vectors",
     "Multiplies mode MODE, from 1, by VECTOR: a file with one number for each index, or the word "
     "ones, which sums the mode. "
     "Prints .tns, or one number when no mode is left.",
     part_flags, trib_command_tensor_ttv},
    {"tensor ttm", "FILE MODE=MATRIX...", 2, SIZE_MAX, "tensor times matrices",
     "Multiplies mode MODE, from 1, by MATRIX, one after the other: a file with a row of numbers "
     "for each index of the result, and in each row one number for each index of the mode. Prints "
     ".tns.",
     part_flags, trib_command_tensor_ttm},
    {"tensor add", "FILE FILE", 2, 2, "the sum of two tensors",
     "Adds value by value. Modes are matched from the last; one of length 1, or one that a file "
     "lacks before its first, is repeated along the other's: 1 x 4, or 4, is added to every row of "
     "3 x 4. Prints .tns.",
     part_flags, trib_command_tensor_add},
    {"tensor subtract", "FILE FILE", 2, 2, "the difference of two tensors",
     "The first without the second, value by value, with modes as in tensor add. Prints .tns.",
     part_flags, trib_command_tensor_subtract},
    {"tensor times", "FILE FILE", 2, 2, "the product of two tensors, value by value",
     "Multiplies value by value, with modes as in tensor add. Prints .tns.", part_flags,
     trib_command_tensor_times},
    {"tensor pair", "FILE BY FILE", 3, 3, "two tensors joined, value by value",
     "BY is add, subtract or times; max or min; inside or outside: the values of the first where "
     "the second, a mask, is not 0, or where it is; greater, less, differs, and, or, xor: a mask "
     "with 1 where that is so. Modes are matched as in tensor add. Prints .tns.",
     part_flags, trib_command_tensor_pair},
    {"tensor mask", "FILE TEST NUMBER", 3, 3, "where the nonzeros pass a test",
     "Prints .tns with 1 for each nonzero of FILE that passes: TEST is eq, ne, gt, ge, lt or le, "
     "as "
     "in test(1). Zeros are not tested. tensor pair takes such a mask.",
     part_flags, trib_command_tensor_mask},
    {"tensor inner", "FILE FILE", 2, 2, "the inner product of two tensors",
     "Prints the sum of the products of all values. Both must have the same size.", tensor_flags,
     trib_command_tensor_inner},
    {"tensor reduce", "FILE BY [MODE...]", 2, SIZE_MAX,
     "sums, extremes and their places along modes",
     "Reduces the modes MODE, from 1, away; all of them without MODE. BY is sum; max or min, zeros "
     "counted; count, the number of nonzeros; argmax or argmin, for one mode: the index, from 1, "
     "of the first largest or smallest value wherever there is a nonzero, zeros counted; or "
     "argsum, for one mode: the index of its slice with the largest sum. Prints .tns, or one "
     "number or index when no mode is left.",
     part_flags, trib_command_tensor_reduce},
    {"tensor norm", "FILE", 1, 1, "the Frobenius norm",
     "Prints the root of the sum of the squares of all values.", tensor_flags,
     trib_command_tensor_norm},
    {"tensor compare", "FILE FILE", 2, 2, "where two tensors differ",
     "Compares every value, whatever the forms of the files. Exit status 8 when the tensors "
     "differ; says where first.",
     tensor_compare_flags, trib_command_tensor_compare},
    {"cache ls", "", 0, 0, "what is kept between runs",
     "Lists every entry of the cache: its stage, its size, when it was last used, what it is "
     "about.",
     NULL, trib_command_cache_ls},
    {"cache gc", "", 0, 0, "throw away what is kept and not needed",
     "Removes entries that are damaged, left behind by a killed run, or not used for long. Without "
     "a limit only the first two go. Runs that are under way compute anew what they miss.",
     gc_flags, trib_command_cache_gc},
    {"doctor", "", 0, 0, "look whether this machine is ready, and say what is not",
     "Checks libraries, kernels, threads, memory, the temporary directory and the programs a "
     "corpus may need, "
     "and says for whatever is missing what it is for and how to get it.",
     NULL, trib_command_doctor},
    {"completion", "bash|zsh|fish", 1, SIZE_MAX,
     "what a shell needs to complete this program's words",
     "Prints a script to be read or installed, as its first lines say.", NULL,
     trib_command_completion},
    {"cp", "TENSOR", 1, 1, "decompose one tensor",
     "Reads a tensor (.tns, .mtx or a fragment, - is standard input), decomposes it as the keys of "
     "cp say (--set "
     "cp.rank=50; "
     "--set cp.rank=auto looks for a rank) and writes DIR/factors.ktns, DIR/trace.csv with a line "
     "for "
     "every iteration and, where a rank was looked for, DIR/ranks.csv. Stopped by a signal or by "
     "resources.time it leaves DIR/checkpoint, and --resume goes on from there to the same bits.",
     cp_flags, trib_command_cp},
    {"distance", "KTNS...", 1, SIZE_MAX, "the L1 distances between factors",
     "Reads decompositions as cp and runs write them (.ktns) and measures every component of all "
     "of "
     "them against every other: 0 for equal ones, 2 for such without a word in common. Writes a "
     "table (.csv) or a matrix (.npy, as distances.npy of a run; with --nearest, as nearest.npy), "
     "components in the order of the files. Words are compared by their spelling; with --set "
     "vocabulary.file=RUN/vocab.tsv the numbers are those of the run to the last bit.",
     distance_flags, trib_command_distance},
    {"influence", "TARGET SOURCE...", 1, SIZE_MAX, "the shares of one target's sources",
     "Measures TARGET against every SOURCE, from files that other commands and runs write: words "
     "(tokens TEXT -o FILE), which serve every method; n-grams (tensors/*.fragment of a run, its "
     ".words beside it), which know no order; or factors (.ktns), which serve lowe and lowe-soft. "
     "--set takes the keys of influence and, where factors are to be found, of cp. Prints shares "
     "and phrases; with -o it writes them as influence.json of a run.",
     stage_flags, trib_command_influence},
    {"synth", "OWN FRACTION:SOURCE...", 1, SIZE_MAX, "write a corpus whose truth is known",
     "Writes a target made of runs of words from each SOURCE (a FRACTION of it) and from OWN, the "
     "author's text, which is no document of the corpus; the sources; truth.tsv, each source's "
     "share of the words and of the n-grams; and experiment.yaml. The same texts, numbers and "
     "--seed give the same bytes.",
     synth_flags, trib_command_synth},
    {"fetch gutenberg", "ID...", 1, SIZE_MAX, "texts of Project Gutenberg by their numbers",
     "Writes DIR/pgID.txt for every ID (1342 of gutenberg.org/ebooks/1342) and lists them with "
     "author and title in DIR/gutenberg.yaml, a manifest for corpus.manifest. What is there is not "
     "fetched again; what broke off is gone on with. Each text is looked at: a web page, a text "
     "that is cut, or one of another number is refused. Exit status 4 when one could not be had.",
     fetch_flags, trib_command_fetch_gutenberg},
    {"version", "", 0, 0, "this program's version, kernels and libraries",
     "Shows the version of the program and of its libraries, the kernels chosen for this "
     "processor, "
     "and what is not in this build.",
     NULL, trib_command_version},
    {"help", "[COMMAND|TOPIC]", 0, 2, "explain a command or a topic",
     "Topics: formats, solvers, methods, stages, keys, exit.", help_flags, trib_command_help},
    {0}};

const trib_command_table trib_commands = {commands, global_flags};
