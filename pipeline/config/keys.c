/* keys.c - the table of all configuration keys, one row each. To add a key, add a field to
 * trib_config and a row here. */
#include "pipeline/config/keys.h"
#include "pipeline/text/markup.h"
#include "pipeline/text/strip.h"

#include <math.h>
#include <string.h>

/* ---- What may be chosen ---------------------------------------------------------------------- */

/* The words that a key may have. */
#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Each function returns row i of another table as a choice. */
#define ROWS(function, table)                                                                      \
    static trib_choice function(size_t i) {                                                        \
        return (trib_choice){table[i].name, table[i].help, &table[i]};                             \
    }
ROWS(strip_at, trib_strippers)
ROWS(preset_at, trib_presets)
ROWS(hash_at, trib_hashes)
ROWS(solver_at, trib_solvers)
ROWS(method_at, trib_influence_methods)
ROWS(reference_at, trib_reference_schemes)
static trib_choice organisation_at(size_t i) {
    const trib_organisation *row = i == 0 ? &trib_organisation_auto : &trib_organisations[i - 1];
    return (trib_choice){row->name, row->help, row};
}
static trib_choice format_at(size_t i) {
    const trib_format *format = i == 0 ? &trib_format_auto : trib_formats[i - 1];
    return format ? (trib_choice){format->name, format->help, format} : (trib_choice){0};
}
static trib_choice start_at(size_t i) {
    if (i == 0)
        return (trib_choice){"auto", "`greedy` for `solver: apr`, otherwise `energy`", NULL};
    return (trib_choice){trib_starts[i - 1].name, trib_starts[i - 1].help, &trib_starts[i - 1]};
}

/* ---- The table ------------------------------------------------------------------------------- */

const trib_section trib_sections[] = {
    {"", "The experiment as a whole", NULL},
    {"corpus", "Which texts, and which of them are targets", "inputs.md"},
    {"tokens", "What a word is", "same-word.md"},
    {"vocabulary", "Which words are counted", NULL},
    {"tensor", "n-grams and how they are stored", "formats.md"},
    {"cp", "Nonnegative CP decomposition of every document", "solvers.md"},
    {"influence", "How shares are measured", "model/methods.md"},
    {"parallels", "Possible allusions: pairs of places that share rare words close together",
     "model/allusions.md"},
    {"report", "Which reports are written", "run-directory.md"},
    {"resources", "Limits on threads, memory and time; they never change a result", "cluster.md"},
    {NULL, NULL, NULL},
};

#define AT(field) offsetof(trib_config, field)
#define KEY(path) #path, AT(path) /* the field of a key with this path */
#define NO_LIMIT  ((double)INT64_MAX)

const trib_key trib_keys[] = {
    {KEY(preset), &trib_key_row, "none", .effect = TRIB_KEY_MACHINE, .row = preset_at,
     .help = "settings of a publication to start from; keys set in this file override them"},
    {KEY(name), &trib_key_text, "\"\"",
     .help = "name of the experiment; empty: the file's name without its extension"},

    {KEY(corpus.manifest), &trib_key_path, "null", .effect = TRIB_KEY_LISTING,
     .help = "file that lists the documents: YAML, JSON Lines, or TSV or CSV with a header line; "
             "`-`: JSON Lines from standard input"},
    {KEY(corpus.glob), &trib_key_path, "null", .effect = TRIB_KEY_LISTING,
     .help = "pattern of file names, such as `\"*.txt\"`: every matching file is a document"},
    {KEY(corpus.root), &trib_key_path, "null", .effect = TRIB_KEY_MACHINE,
     .help = "folder of the texts; null: the folder of the file that lists them"},
    {KEY(corpus.target), &trib_key_texts, "[]",
     .help = "ids of the documents whose sources are searched for, or `all`; empty: the documents "
             "with role `target`"},
    {KEY(corpus.order), &trib_key_choice, "any", .choice = WORDS("any", "by-date"),
     .help = "`by-date`: a source must be strictly older than its target"},
    {KEY(corpus.encoding), &trib_key_text, "utf-8",
     .help = "`utf-8`, the name of an ICU converter such as `windows-1252`, or `auto`: UTF-8 where "
             "a text is valid UTF-8, otherwise the most likely encoding"},
    {KEY(corpus.on_invalid), &trib_key_choice, "error", .choice = WORDS("error", "replace"),
     .help = "bytes that are invalid in the encoding: an error, or replaced by U+FFFD and counted"},
    {KEY(corpus.notes), &trib_key_choice, "drop", .choice = WORDS("drop", "keep", "separate"),
     .help = "notes in markup, DOCX, LaTeX and such: left out (`drop`), kept in place (`keep`), or "
             "moved after the text (`separate`), where no n-gram crosses their borders"},
    {KEY(corpus.join_hyphens), &trib_key_choice, "auto", .unneeded = "false",
     .choice = WORDS("false", "true", "auto"),
     .help =
         "words that are divided at line ends are joined: where the joined word occurs elsewhere "
         "in the text, and otherwise unless it is a compound (it occurs with its hyphen, or "
         "both halves occur as words); heads and numbers of pages are left out; what is shown "
         "is as written; `auto`: in texts of which many lines end so"},
    {"corpus.reading", AT(corpus.edition.reading), &trib_key_choice, "source",
     .choice = WORDS("source", "regularised"),
     .help =
         "what is read of a `choice` of TEI: the form of the source (`sic`, `orig`, `abbr`), or "
         "the regularised one (`corr`, `reg`, `expan`)"},
    {"corpus.witness", AT(corpus.edition.witness), &trib_key_text, "\"\"",
     .help = "witness of the apparatus of TEI whose readings are read, as `wit` names it, such as "
             "`B`; empty, and where it has none of its own: the lemma"},
    {"corpus.speakers", AT(corpus.edition.drops_speakers), &trib_key_flag, "keep",
     .choice = WORDS("keep", "drop"), .help = "names of speakers in TEI (`speaker`)"},
    {"corpus.stage_directions", AT(corpus.edition.drops_stage), &trib_key_flag, "keep",
     .choice = WORDS("keep", "drop"), .help = "stage directions in TEI (`stage`)"},
    {"corpus.min_confidence", AT(corpus.edition.min_confidence), &trib_key_number, "0", 0, 1,
     .help = "words of ALTO, PAGE and hOCR of which the recogniser was less sure are left out; "
             "words without a confidence are read"},
    {KEY(corpus.markup), &trib_key_path, "null",
     .help = "table of rows `- [elements, condition, how they are read]`, which come before those "
             "of the vocabularies of HTML and XML (`tributary help inputs TEI`)"},
    {KEY(corpus.reference), &trib_key_reference, "null", .row = reference_at,
     .help = "how places are cited: what matches within a line is the reference of the text from "
             "there on, or its first group is; null: the numbers (`n`), milestones and pages of "
             "TEI, OSIS and other markup; where there are none, lines"},
    {"corpus.links", AT(corpus.follows_links), &trib_key_flag, "within",
     .choice = WORDS("within", "follow"),
     .help = "links that lead out of the folder of a glob, a manifest, a listed folder or a METS "
             "file: refused (`within`), or read and listed in `inputs.tsv` (`follow`)"},
    {"corpus.on_error", AT(corpus.skips_refused), &trib_key_flag, "refuse",
     .choice = WORDS("refuse", "skip"),
     .help =
         "when a document cannot be used (missing, damaged, undecodable, empty, mostly stripped): "
         "`refuse` the run, or `skip` the document; `inputs.tsv` lists all such documents"},
    {KEY(corpus.strip), &trib_key_texts, "[auto]", .row = strip_at,
     .help = "parts of each file that are removed before its words are read"},
    {KEY(corpus.max_strip), &trib_key_number, "0.5", 0, 1,
     .help = "a document is rejected when more than this fraction of its bytes would be stripped"},
    {KEY(corpus.near_duplicate), &trib_key_number, "0.8", 0, 1,
     .help = "two documents that share at least this fraction of their distinct n-grams are "
             "reported as near-duplicates; 0: no check"},

    {KEY(tokens.locale), &trib_key_text, "en",
     .help =
         "language whose rules separate words and sentences; `auto`: guessed for each text that "
         "names none"},
    {KEY(tokens.equivalence), &trib_key_choice, "plain", .choice = WORDS("none", "plain"),
     .help =
         "`plain`: invisible characters are left out, all apostrophes are one, all hyphens too, "
         "and line ends do not cut Chinese, Japanese, Thai and the like; `none`: as written"},
    {KEY(tokens.normalize), &trib_key_choice, "nfc", .choice = WORDS("none", "nfc", "nfkc"),
     .help = "Unicode normalisation"},
    {"tokens.case", AT(tokens.letter_case), &trib_key_choice, "fold",
     .choice = WORDS("none", "fold"), .help = "`fold`: upper and lower case are the same"},
    {KEY(tokens.apostrophes), &trib_key_choice, "straight",
     .choice = WORDS("straight", "keep", "split", "join"),
     .help = "inside words: made straight, kept as written, treated as a border between two words, "
             "or removed, as in `dont`"},
    {KEY(tokens.hyphens), &trib_key_choice, "split", .choice = WORDS("split", "join", "keep"),
     .help = "`split`: two words; `join`: wellknown; `keep`: well-known"},
    {KEY(tokens.numbers), &trib_key_choice, "drop", .choice = WORDS("drop", "keep", "class"),
     .help = "tokens without a letter: dropped, so that their neighbours become adjacent; kept; or "
             "all replaced by the one word `<number>`"},
    {KEY(tokens.break_at), &trib_key_texts, "[]", .choice = WORDS("sentence", "paragraph"),
     .help = "borders that no n-gram crosses"},
    {KEY(tokens.transform), &trib_key_path, "auto", .unneeded = "null",
     .help =
         "letters that are the same letter: some of `latin`, `early-english`, `ligatures`, "
         "`fold-accents`, `greek-bare`, `arabic-bare`, `hebrew-bare`, `russian`, `han`, with "
         "commas between them; an ICU transform such as `\"NFD; [:M:] Remove; NFC\"`; or a file "
         "of its rules, which ends in .txt or .rules; `auto`: those that the texts need"},
    {KEY(tokens.variants), &trib_key_path, "null",
     .help = "table of words that are the same word, tab-separated: spellings and their modern "
             "spelling, or forms and their lemma"},
    {KEY(tokens.stem), &trib_key_text, "none",
     .help = "`none`, or words with the same stem are the same word: the language whose endings "
             "are cut off, such as `en` or `german`; `auto`: in each text its own language"},
    {KEY(tokens.stop), &trib_key_stop, "null",
     .help = "words that are left out, so that their neighbours become adjacent: a file that lists "
             "them, or a number: so many of the most frequent words of the corpus, or of each "
             "language if the texts have several; or one of both for each language: "
             "`{en: 50, de: german.txt}`"},

    {KEY(vocabulary.size), &trib_key_count, "all", 1, UINT32_MAX - 1, "all", 0,
     .help = "largest number of words; the most frequent are used"},
    {KEY(vocabulary.min_count), &trib_key_large, "1", 1, NO_LIMIT,
     .help = "smallest number of occurrences of a word in the corpus"},
    {KEY(vocabulary.min_documents), &trib_key_count, "1", 1, UINT32_MAX - 1,
     .help = "smallest number of documents that contain a word"},
    {"vocabulary.oov", AT(vocabulary.wildcard), &trib_key_flag, "wildcard",
     .choice = WORDS("break", "wildcard"),
     .help = "words outside the vocabulary: a border that no n-gram crosses (`break`), or all "
             "replaced by the one word `<other>` (`wildcard`)"},
    {KEY(vocabulary.file), &trib_key_path, "null",
     .help = "file that lists exactly the words of the vocabulary, one per line; null: they come "
             "from the corpus"},

    {KEY(tensor.n), &trib_key_count, "3", 1, TRIB_MAX_NGRAM, .help = "words in an n-gram"},
    {KEY(tensor.skip), &trib_key_count, "0", 0, TRIB_MAX_SKIP,
     .help = "methods that count n-grams (all but `traced` and `runs`), and factors, also count "
             "n-grams with gaps: up to this many words, the same number each time, are left out "
             "between any two neighbours (skip-grams)"},
    {KEY(tensor.format), &trib_key_row, "hacoo", .row = format_at,
     .help = "format of the tensor that is decomposed"},
    {KEY(tensor.hash), &trib_key_row, "mixed", .row = hash_at,
     .help = "hash function of the table that counts n-grams"},
    {KEY(tensor.load), &trib_key_number, "0.7", 0.01, 16,
     .help = "entries per bucket at which that table doubles"},
    {KEY(tensor.buckets), &trib_key_large, "128", 1, 1 << 30,
     .help = "initial number of buckets of that table"},
    {"tensor.block", AT(tensor.cut.block), &trib_key_count, "auto", 1, TRIB_BLOCK_MAX, "auto", 0,
     .help = "`format: hicoo`: side of a block in indices, a power of two; `auto`: 256"},
    {"tensor.superblock", AT(tensor.cut.superblock), &trib_key_count, "auto", 1,
     TRIB_SUPERBLOCK_MAX, "auto", 0,
     .help = "`format: hicoo`: side of a superblock in indices, a power of two, at least `block`; "
             "superblocks are distributed among threads; `auto`: from 512 to 16384, so that the "
             "longest mode has about 32"},
    {KEY(tensor.fragment), &trib_key_row, "linear", .row = organisation_at,
     .help =
         "organisation of tensor files (*.fragment); `auto`: chosen by density, shape and `reads`"},
    {KEY(tensor.reads), &trib_key_choice, "whole", .choice = trib_reads_names,
     .help = "`fragment: auto`: how such a file will be read: hardly at all, as a whole, by "
             "points, by regions, or by regions of the last mode"},

    {KEY(cp.solver), &trib_key_row, "hals", .row = solver_at,
     .help = "algorithm that computes the factors"},
    {KEY(cp.start), &trib_key_row, "auto", .row = start_at,
     .help = "how the factors are initialised"},
    {KEY(cp.rank), &trib_key_count, "100", 1, 1000000, "all", 0, "auto", TRIB_RANK_AUTO,
     .help = "number of components; `auto`: doubled until the fit improves little; `all`, with "
             "`solver: fibre`: until no entry is left to explain"},
    {KEY(cp.max_rank), &trib_key_count, "500", 1, 1000000,
     .help = "with `rank: auto`: the largest rank to try"},
    {KEY(cp.sweeps), &trib_key_count, "2", 1, 1000, .help = "inner sweeps per mode and iteration"},
    {KEY(cp.iterations), &trib_key_count, "100", 1, 1000000,
     .help = "largest number of iterations"},
    {KEY(cp.tolerance), &trib_key_number, "0.0001", 0, 1,
     .help = "stop when the fit changes by less than this; 0: never"},
    {KEY(cp.restarts), &trib_key_count, "1", 1, 10000,
     .help = "number of starts; the best result is used"},
    {KEY(cp.seed), &trib_key_large, "1", 0, INFINITY,
     .help = "seed of random starts, of the bootstrap and of shuffled targets"},
    {KEY(cp.kkt), &trib_key_number, "0", 0, 1,
     .help = "stop when the Karush-Kuhn-Tucker conditions of a minimum hold within this tolerance; "
             "0: not tested"},
    {KEY(cp.l1), &trib_key_numbers, "0", 0, 1e12,
     .help = "penalty on the sum of each factor matrix; nonnegative least-squares solvers only"},
    {KEY(cp.l2), &trib_key_numbers, "0", 0, 1e12,
     .help = "penalty on the sum of squares of each factor matrix; least-squares solvers only"},
    {KEY(cp.fixed), &trib_key_flags, "[]", .choice = WORDS("1", "2", "3", "4", "5", "6", "7", "8"),
     .help = "modes, counted from 1, whose factors keep their initial values; least-squares "
             "solvers only"},
    {KEY(cp.extrapolation), &trib_key_flag, "none", .choice = WORDS("none", "nesterov"),
     .help =
         "`nesterov`: each iteration starts from an extrapolation of the last two, unless that "
         "would increase the error, and fewer iterations are needed; `solver: hals`, `ccd`, `bpp`"},
    {"cp.precision", AT(cp.single), &trib_key_flag, "double", .choice = WORDS("double", "single"),
     .help =
         "precision of the factors in products with the tensor; `single` halves the bytes read, "
         "needs `tensor.format: rows` and a least-squares solver, and is noted in every output"},
    {KEY(cp.lift), &trib_key_number, "0.01", 0, 0.5,
     .help =
         "`solver: apr`: zeros that should be positive are set to this fraction of their column"},

    {"influence.methods", AT(influence.method), &trib_key_rows,
     "[extent, verbatim, traced, lowe, lowe-soft, anchored, split, containment]", .row = method_at,
     .help = "methods to run, in the order they are reported"},
    {"influence.headline", AT(influence.headline_asked), &trib_key_row, "auto", .word = "auto",
     .row = method_at,
     .help = "the method whose shares come first in the report; `auto`: `extent` if it is among "
             "the methods, else `traced` if it is, else the first of them"},
    {KEY(influence.threshold), &trib_key_number, "0.2", 0, 2,
     .help = "`lowe`: largest distance that counts as a match"},
    {KEY(influence.background), &trib_key_count, "auto", 0, 1000000, "auto", UINT32_MAX,
     .help =
         "`anchored`: number of components for common language; `auto`: 0.3 sqrt(words x sources)"},
    {KEY(influence.background_of), &trib_key_choice, "auto",
     .choice = WORDS("auto", "target", "corpus"),
     .help = "`anchored`: whether a background is fitted for each `target` and its sources, or "
             "once for the whole `corpus` (with `order: by-date`: the target and all older "
             "documents); `auto`: once, if there are at least two targets, and more than 40 "
             "documents or the same pool of sources for every target"},
    {KEY(influence.floor), &trib_key_number, "auto", 0, 1, "auto",
     .help =
         "noise floor: smaller shares are shown as noise; `auto`: of each method its own, which "
         "at most 1 % of unrelated sources exceed"},
    {KEY(influence.bootstrap), &trib_key_count, "200", 0, 1000000,
     .help = "number of posterior samples (`traced`) or resamples (`anchored`) for the intervals; "
             "0: no intervals"},
    {KEY(influence.shortlist), &trib_key_count, "40", 1, 1000000, "all", 0,
     .help = "`traced`, `anchored`, `lowe-matched`: largest number of sources per target that are "
             "weighed, those with the largest shares by `split`; or `all`"},
    {KEY(influence.candidates), &trib_key_count, "auto", 1, 100000000, "auto", 0,
     .help =
         "largest number of sources per target that are measured at all, those with the largest "
         "shares by `split` as sketches of the texts estimate them; `auto`: all in a corpus of "
         "up to 500 texts, 160 in a larger one"},
    {KEY(influence.formula), &trib_key_count, "100", 1, 1000000000, "none", 0,
     .help = "an n-gram that more documents of the corpus hold than this is a formula: it is "
             "credited to no source, but to a part of its own; or `none`"},
    {KEY(influence.run), &trib_key_count, "6", 1, 1000,
     .help = "`runs`: shortest shared run that counts, in words"},
    {KEY(influence.close), &trib_key_flag, "false", .choice = WORDS("false", "true"),
     .help = "`traced` and `runs`: a copied word may differ from its source's word by a few "
             "letters, as misread or otherwise spelt words do"},
    {KEY(influence.null), &trib_key_flag, "false", .choice = WORDS("false", "true"),
     .help = "measure a shuffled target beside each target by the headline method, and report its "
             "largest share"},

    {KEY(parallels.unit), &trib_key_choice, "none",
     .choice = WORDS("none", "phrases", "lines", "sentences", "windows"),
     .help = "the units that are compared: `phrases` (up to . ; : ? !), `lines`, `sentences` (up "
             "to . ? !) or overlapping `windows` of words; `none`: no search for allusions"},
    {KEY(parallels.feature), &trib_key_choice, "auto",
     .choice = WORDS("auto", "lemmas", "stems", "letters", "words"),
     .help = "which words count as the same: those with a common `lemmas` entry, with the same "
             "`stems`, with the same first `letters`, or the same `words`; `auto`: `lemmas` if a "
             "table is given, otherwise `letters`"},
    {KEY(parallels.lemmas), &trib_key_path, "null",
     .help = "table of lemmas in UTF-8: on each line a form, a tab, and its lemmas or stems "
             "separated by spaces"},
    {KEY(parallels.language), &trib_key_text, "auto",
     .help = "`feature: stems`: the language whose endings are cut off, such as `en` or `german`; "
             "`auto`: that of tokens.locale"},
    {KEY(parallels.letters), &trib_key_count, "5", 1, 100,
     .help = "`feature: letters`: number of first letters that are compared"},
    {"parallels.spelling", AT(parallels.latin), &trib_key_flag, "written",
     .choice = WORDS("written", "latin"),
     .help = "`latin`: u and v, i and j are the same letter, and a final -que is no part of the "
             "word"},
    {KEY(parallels.distance), &trib_key_number, "1.5", 0, 100,
     .help = "weight of the distance between the two rarest words; 0 suits verses of prose"},
    {KEY(parallels.window), &trib_key_count, "16", 2, 200,
     .help = "`unit: windows`: number of words; windows overlap by half"},
    {KEY(parallels.top), &trib_key_count, "100", 1, 1000000,
     .help = "number of pairs of places listed for each target and source"},

    {"report.formats", AT(report.html), &trib_key_flags, "[html, json, csv, factors, trace]",
     .choice = WORDS("html", "json", "csv", "factors", "npy", "tensors", "sqlite", "ktensor",
                     "trace", "tei", "alignments"),
     .help =
         "files to write; `factors`: `factors/*.ktns`; `npy`: the factors and the distances "
         "between them as matrices; `tensors`: the n-gram counts; `sqlite`: `results.sqlite`, all "
         "tables in one file; `ktensor`: the factors as text that pyttb reads; `trace`: with the "
         "method `traced`, the traced runs of each target; `tei` and `alignments`: the shared "
         "passages as TEI and as JSON lines"},
    {KEY(report.top_phrases), &trib_key_count, "20", 0, 1000000,
     .help = "number of phrases and passages listed per source"},
    {KEY(report.commonplace), &trib_key_number, "0.5", 0, 1,
     .help = "a phrase in more than this fraction of the documents, and in at least 10, is listed "
             "as a stop phrase, outside the ranking; 1: none"},
    {KEY(report.commonplaces), &trib_key_path, "null",
     .help = "file of further stop phrases, one per line"},
    {KEY(report.context_words), &trib_key_count, "12", 0, 1000,
     .help = "words quoted before and after a passage"},
    {KEY(report.target_pages), &trib_key_count, "auto", 1, 1000000, "all", UINT32_MAX, "auto", 0,
     .help = "largest number of targets of which `run` writes the pages and the texts to read; of "
             "more, `tributary report RUN --target ID` makes the page of one; `auto`: 500, without "
             "texts to read for more than 100 targets of less than 1500 words on average; up to "
             "12 always have them"},
    {KEY(report.text), &trib_key_choice, "full", .choice = WORDS("none", "snippets", "full"),
     .help = "quotations from the texts: `none`, `snippets` (the first 60 words of a passage), or "
             "passages in `full`; respect the copyright of the texts"},
    {KEY(report.doubtful), &trib_key_flag, "false", .choice = WORDS("false", "true"),
     .help = "`true`: turns of phrase, and passages that may be chance (`belief` below .9), are "
             "listed, too"},
    {KEY(report.spreadsheet_safe), &trib_key_flag, "true", .choice = WORDS("false", "true"),
     .effect = TRIB_KEY_MACHINE,
     .help = "`true`: an apostrophe precedes a cell of a table that a spreadsheet would run (it "
             "begins with =, +, -, @, a tab or a line end)"},

    {KEY(resources.threads), &trib_key_count, "auto", 1, 4096, "auto", 0,
     .effect = TRIB_KEY_MACHINE, .help = "`auto`: one per processor"},
    {KEY(resources.kernels), &trib_key_choice, "auto",
     .choice = WORDS("auto", "portable", "avx2", "avx512"), .effect = TRIB_KEY_HOST,
     .help = "instructions of the inner loops; `auto`: the best of the processor, or `--kernels`"},
    {KEY(resources.memory), &trib_key_bytes, "auto", 1, NO_LIMIT, "auto", 0,
     .effect = TRIB_KEY_MACHINE,
     .help = "memory limit, such as `2 GiB`; `auto`: the memory of the machine or container. "
             "Tensors larger than a quarter of it are stored in a file. The programs that convert "
             "files (pandoc, pdftotext) may use as much, together"},
    {KEY(resources.time), &trib_key_seconds, "none", 1, 1e9, "none", 0, .effect = TRIB_KEY_MACHINE,
     .help = "time limit, such as `30 min`; the run can be resumed afterwards"},
    {KEY(resources.unpacked), &trib_key_bytes, "\"1 TiB\"", 1, NO_LIMIT, "none", INT64_MAX,
     .effect = TRIB_KEY_MACHINE,
     .help = "bytes that packed files and archives may unpack to, all together, each time they are "
             "read. One file: 64 MiB, or 1000 times its size"},
    {KEY(resources.members), &trib_key_count, "1048576", 1, UINT32_MAX, .effect = TRIB_KEY_MACHINE,
     .help = "files in one archive"},
    {KEY(resources.parts), &trib_key_count, "16384", 1, UINT32_MAX, .effect = TRIB_KEY_MACHINE,
     .help = "parts of one document: pages of METS, files of EPUB, sheets of XLSX"},
    {KEY(resources.sandbox), &trib_key_flag, "true", .choice = WORDS("false", "true"),
     .effect = TRIB_KEY_HOST,
     .help = "pandoc and pdftotext read only their input and system folders, and no network "
             "(Landlock, seccomp)"},

    {KEY(output), &trib_key_text, "\"runs/{name}/{hash8}\"", .effect = TRIB_KEY_MACHINE,
     .help = "the run directory; `{name}` is the name of the experiment, `{hash8}` the first 8 "
             "digits of the hash of everything that can change a result"},
    {.path = NULL},
};

const trib_preset trib_presets[] = {
    {"none", "the defaults", {{NULL, NULL}}},
    {"lowe-2018",
     "Lowe's dissertation: 600 words, every other word a wildcard, rank 150",
     {{"vocabulary.size", "600"},
      {"vocabulary.oov", "wildcard"},
      {"cp.solver", "hals"},
      {"cp.sweeps", "5"},
      {"cp.start", "greedy"},
      {"cp.rank", "150"},
      {"influence.threshold", "0.2"},
      {"influence.headline", "lowe"},
      {NULL, NULL}}},
    {"charles-2023",
     "Charles' thesis: no punctuation inside words, all words, rank 50",
     {{"tokens.apostrophes", "join"},
      {"tokens.hyphens", "join"},
      {"vocabulary.size", "all"},
      {"tensor.hash", "digits"},
      {"tensor.load", "0.6"},
      {"tensor.buckets", "512"},
      {"cp.rank", "50"},
      {NULL, NULL}}},
    {.name = NULL},
};

/* ---- Looking it up --------------------------------------------------------------------------- */

const trib_key *trib_key_find(const char *path) {
    const trib_key *key = trib_keys;
    while (key->path && strcmp(key->path, path) != 0) key++;
    return key->path ? key : NULL;
}

const trib_section *trib_section_find(const char *name) {
    const trib_section *section = trib_sections;
    while (section->name && strcmp(section->name, name) != 0) section++;
    return section->name && *name ? section : NULL;
}

const char *trib_key_name(const trib_key *key) {
    const char *dot = strchr(key->path, '.');
    return dot ? dot + 1 : key->path;
}

bool trib_key_is_in(const trib_key *key, const char *section) {
    const size_t length = strlen(section);
    if (length == 0) return strchr(key->path, '.') == NULL;
    return strncmp(key->path, section, length) == 0 && key->path[length] == '.';
}

trib_status trib_key_print(const trib_key *key, const trib_config *config, bool json,
                           trib_buffer *out, trib_error *error) {
    key->type->print(&(trib_printing){key, out, json, error}, (const char *)config + key->offset);
    return trib_buffer_add(out, "", 0, error);
}
