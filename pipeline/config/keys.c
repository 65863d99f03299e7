/* keys.c - the table of all configuration keys, one row each. To add a key, add a field to
 * trib_config and a row here. */
#include "pipeline/config/keys.h"
#include "pipeline/text/references.h"
#include "pipeline/text/strip.h"

#include <math.h>
#include <string.h>

/* ---- What may be chosen ---------------------------------------------------------------------- */

static const char *const orders[] = {"any", "by-date", NULL};
static const char *const unit_names[] = {"none", "phrases", "lines", "sentences", "windows", NULL};
static const char *const feature_names[] = {"auto", "lemmas", "stems", "letters", "words", NULL};
static const char *const spelling_names[] = {"written", "latin", NULL};
static const char *const background_of_names[] = {"auto", "target", "corpus", NULL};
static const char *const invalids[] = {"error", "replace", NULL};
static const char *const note_places[] = {"drop", "keep", "separate", NULL};
static const char *const readings[] = {"source", "regularised", NULL};
static const char *const parts_of_plays[] = {"keep", "drop", NULL};
static const char *const refusals[] = {"refuse", "skip", NULL};
static const char *const normalizations[] = {"none", "nfc", "nfkc", NULL};
static const char *const cases[] = {"none", "fold", NULL};
static const char *const apostrophes[] = {"straight", "keep", "split", "join", NULL};
static const char *const hyphens[] = {"split", "join", "keep", NULL};
static const char *const numbers[] = {"drop", "keep", "class", NULL};
static const char *const breaks[] = {"sentence", "paragraph", NULL};
static const char *const oovs[] = {"break", "wildcard", NULL};
static const char *const extrapolations[] = {"none", "nesterov", NULL};
static const char *const truths[] = {"false", "true", NULL};
static const char *const precisions[] = {"double", "single", NULL};
static const char *const modes[] = {"1", "2", "3", "4", "5", "6", "7", "8", NULL};
static const char *const formats[] = {"html",  "json",    "csv",        "factors",
                                      "npy",   "tensors", "sqlite",     "ktensor",
                                      "trace", "tei",     "alignments", NULL};
static const char *const report_texts[] = {"none", "snippets", "full", NULL};
/* Each function returns row i of another table as a choice. */
static trib_choice strip_at(size_t i) {
    return (trib_choice){trib_strippers[i].name, trib_strippers[i].help, &trib_strippers[i]};
}
static trib_choice preset_at(size_t i) {
    return (trib_choice){trib_presets[i].name, trib_presets[i].help, &trib_presets[i]};
}
static trib_choice hash_at(size_t i) {
    return (trib_choice){trib_hashes[i].name, trib_hashes[i].help, &trib_hashes[i]};
}
static trib_choice organisation_at(size_t i) {
    const trib_organisation *row = i == 0 ? &trib_organisation_auto : &trib_organisations[i - 1];
    return (trib_choice){row->name, row->help, row};
}
static trib_choice format_at(size_t i) {
    const trib_format *format = i == 0 ? &trib_format_auto : trib_formats[i - 1];
    return format ? (trib_choice){format->name, format->help, format} : (trib_choice){0};
}
static trib_choice solver_at(size_t i) {
    return (trib_choice){trib_solvers[i].name, trib_solvers[i].help, &trib_solvers[i]};
}
static trib_choice start_at(size_t i) {
    if (i == 0)
        return (trib_choice){"auto", "`greedy` for `solver: apr`, otherwise `energy`", NULL};
    return (trib_choice){trib_starts[i - 1].name, trib_starts[i - 1].help, &trib_starts[i - 1]};
}
static trib_choice method_at(size_t i) {
    const trib_influence_method *method = &trib_influence_methods[i];
    return (trib_choice){method->name, method->help, method};
}

static trib_choice reference_at(size_t i) {
    const trib_reference_scheme *scheme = &trib_reference_schemes[i];
    return (trib_choice){scheme->name, scheme->help, scheme};
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
#define NO_LIMIT  ((double)INT64_MAX)

const trib_key trib_keys[] = {
    {"preset", &trib_key_row, AT(preset), "none", TRIB_KEY_MACHINE, .row = preset_at,
     .help = "settings of a publication to start from; keys set in this file override them"},
    {"name", &trib_key_text, AT(name), "\"\"", TRIB_KEY_RESULT,
     .help = "name of the experiment; empty: the file's name without its extension"},

    {"corpus.manifest", &trib_key_path, AT(corpus.manifest), "null", TRIB_KEY_LISTING,
     .help = "file that lists the documents: YAML, JSON Lines, or TSV or CSV with a header line"},
    {"corpus.glob", &trib_key_path, AT(corpus.glob), "null", TRIB_KEY_LISTING,
     .help = "pattern of file names, such as `\"*.txt\"`: every matching file is a document"},
    {"corpus.root", &trib_key_path, AT(corpus.root), "null", TRIB_KEY_MACHINE,
     .help = "folder of the texts; null: the folder of the file that lists them"},
    {"corpus.target", &trib_key_texts, AT(corpus.target), "[]", TRIB_KEY_RESULT,
     .help = "ids of the documents whose sources are searched for, or `all`; empty: the documents "
             "with role `target`"},
    {"corpus.order", &trib_key_choice, AT(corpus.order), "any", TRIB_KEY_RESULT, .choice = orders,
     .help = "`by-date`: a source must be strictly older than its target"},
    {"corpus.encoding", &trib_key_text, AT(corpus.encoding), "utf-8", TRIB_KEY_RESULT,
     .help = "`utf-8`, the name of an ICU converter such as `windows-1252`, or `auto`: UTF-8 where "
             "a text is valid UTF-8, otherwise the most likely encoding"},
    {"corpus.on_invalid", &trib_key_choice, AT(corpus.on_invalid), "error", TRIB_KEY_RESULT,
     .choice = invalids,
     .help = "bytes that are invalid in the encoding: an error, or replaced by U+FFFD and counted"},
    {"corpus.notes", &trib_key_choice, AT(corpus.notes), "drop", TRIB_KEY_RESULT,
     .choice = note_places,
     .help = "notes in markup, DOCX, LaTeX and such: left out (`drop`), kept in place (`keep`), or "
             "moved after the text (`separate`), where no n-gram crosses their borders"},
    {"corpus.join_hyphens", &trib_key_flag, AT(corpus.join_hyphens), "false", TRIB_KEY_RESULT,
     .choice = truths,
     .help =
         "words that are divided at line ends are joined: where the joined word occurs elsewhere "
         "in the text, and otherwise unless it is a compound (it occurs with its hyphen, or "
         "both halves occur as words); heads and numbers of pages are left out; what is shown "
         "is as written"},
    {"corpus.reading", &trib_key_choice, AT(corpus.edition.reading), "source", TRIB_KEY_RESULT,
     .choice = readings,
     .help =
         "what is read of a `choice` of TEI: the form of the source (`sic`, `orig`, `abbr`), or "
         "the regularised one (`corr`, `reg`, `expan`)"},
    {"corpus.witness", &trib_key_text, AT(corpus.edition.witness), "\"\"", TRIB_KEY_RESULT,
     .help = "witness of the apparatus of TEI whose readings are read, as `wit` names it, such as "
             "`B`; empty, and where it has none of its own: the lemma"},
    {"corpus.speakers", &trib_key_flag, AT(corpus.edition.drops_speakers), "keep", TRIB_KEY_RESULT,
     .choice = parts_of_plays, .help = "names of speakers in TEI (`speaker`)"},
    {"corpus.stage_directions", &trib_key_flag, AT(corpus.edition.drops_stage), "keep",
     TRIB_KEY_RESULT, .choice = parts_of_plays, .help = "stage directions in TEI (`stage`)"},
    {"corpus.min_confidence", &trib_key_number, AT(corpus.edition.min_confidence), "0",
     TRIB_KEY_RESULT, 0, 1,
     .help = "words of ALTO, PAGE and hOCR of which the recogniser was less sure are left out; "
             "words without a confidence are read"},
    {"corpus.reference", &trib_key_reference, AT(corpus.reference), "null", TRIB_KEY_RESULT,
     .row = reference_at,
     .help = "how places are cited: what matches within a line is the reference of the text from "
             "there on, or its first group is; null: the numbers (`n`), milestones and pages of "
             "TEI, OSIS and other markup; where there are none, lines"},
    {"corpus.on_error", &trib_key_flag, AT(corpus.skips_refused), "refuse", TRIB_KEY_RESULT,
     .choice = refusals,
     .help =
         "when a document cannot be used (missing, damaged, undecodable, empty, mostly stripped): "
         "`refuse` the run, or `skip` the document; `inputs.tsv` lists all such documents"},
    {"corpus.strip", &trib_key_texts, AT(corpus.strip), "[]", TRIB_KEY_RESULT, .row = strip_at,
     .help = "parts of each file that are removed before its words are read"},
    {"corpus.max_strip", &trib_key_number, AT(corpus.max_strip), "0.5", TRIB_KEY_RESULT, 0, 1,
     .help = "a document is rejected when more than this fraction of its bytes would be stripped"},
    {"corpus.near_duplicate", &trib_key_number, AT(corpus.near_duplicate), "0.8", TRIB_KEY_RESULT,
     0, 1,
     .help = "two documents that share at least this fraction of their distinct n-grams are "
             "reported as near-duplicates; 0: no check"},

    {"tokens.locale", &trib_key_text, AT(tokens.locale), "en", TRIB_KEY_RESULT,
     .help =
         "language whose rules separate words and sentences; `auto`: guessed for each text that "
         "names none"},
    {"tokens.normalize", &trib_key_choice, AT(tokens.normalize), "nfc", TRIB_KEY_RESULT,
     .choice = normalizations, .help = "Unicode normalisation"},
    {"tokens.case", &trib_key_choice, AT(tokens.letter_case), "fold", TRIB_KEY_RESULT,
     .choice = cases, .help = "`fold`: upper and lower case are the same"},
    {"tokens.apostrophes", &trib_key_choice, AT(tokens.apostrophes), "straight", TRIB_KEY_RESULT,
     .choice = apostrophes,
     .help = "inside words: made straight, kept as written, treated as a border between two words, "
             "or removed, as in `dont`"},
    {"tokens.hyphens", &trib_key_choice, AT(tokens.hyphens), "split", TRIB_KEY_RESULT,
     .choice = hyphens, .help = "`split`: two words; `join`: wellknown; `keep`: well-known"},
    {"tokens.numbers", &trib_key_choice, AT(tokens.numbers), "drop", TRIB_KEY_RESULT,
     .choice = numbers,
     .help = "tokens without a letter: dropped, so that their neighbours become adjacent; kept; or "
             "all replaced by the one word `<number>`"},
    {"tokens.break_at", &trib_key_texts, AT(tokens.break_at), "[]", TRIB_KEY_RESULT,
     .choice = breaks, .help = "borders that no n-gram crosses"},
    {"tokens.transform", &trib_key_path, AT(tokens.transform), "null", TRIB_KEY_RESULT,
     .help = "letters that are the same letter: `latin`, `early-english`, `fold-accents`, "
             "`greek-bare`, `arabic-bare`, `hebrew-bare`, an ICU transform such as "
             "`\"NFD; [:M:] Remove; NFC\"`, or a file of its rules, which ends in .txt or .rules"},
    {"tokens.variants", &trib_key_path, AT(tokens.variants), "null", TRIB_KEY_RESULT,
     .help = "table of words that are the same word, tab-separated: spellings and their modern "
             "spelling, or forms and their lemma"},
    {"tokens.stem", &trib_key_text, AT(tokens.stem), "none", TRIB_KEY_RESULT,
     .help = "`none`, or words with the same stem are the same word: the language whose endings "
             "are cut off, such as `en` or `german`; `auto`: in each text its own language"},
    {"tokens.stop", &trib_key_stop, AT(tokens.stop), "null", TRIB_KEY_RESULT,
     .help = "words that are left out, so that their neighbours become adjacent: a file that lists "
             "them, or a number: so many of the most frequent words of the corpus, or of each "
             "language if the texts have several; or one of both for each language: "
             "`{en: 50, de: german.txt}`"},

    {"vocabulary.size", &trib_key_count, AT(vocabulary.size), "all", TRIB_KEY_RESULT, 1,
     UINT32_MAX - 1, "all", 0, .help = "largest number of words; the most frequent are used"},
    {"vocabulary.min_count", &trib_key_large, AT(vocabulary.min_count), "1", TRIB_KEY_RESULT, 1,
     NO_LIMIT, .help = "smallest number of occurrences of a word in the corpus"},
    {"vocabulary.min_documents", &trib_key_count, AT(vocabulary.min_documents), "1",
     TRIB_KEY_RESULT, 1, UINT32_MAX - 1,
     .help = "smallest number of documents that contain a word"},
    {"vocabulary.oov", &trib_key_flag, AT(vocabulary.wildcard), "wildcard", TRIB_KEY_RESULT,
     .choice = oovs,
     .help = "words outside the vocabulary: a border that no n-gram crosses (`break`), or all "
             "replaced by the one word `<other>` (`wildcard`)"},
    {"vocabulary.file", &trib_key_path, AT(vocabulary.file), "null", TRIB_KEY_RESULT,
     .help = "file that lists exactly the words of the vocabulary, one per line; null: they come "
             "from the corpus"},

    {"tensor.n", &trib_key_count, AT(tensor.n), "3", TRIB_KEY_RESULT, 1, TRIB_MAX_NGRAM,
     .help = "words in an n-gram"},
    {"tensor.skip", &trib_key_count, AT(tensor.skip), "0", TRIB_KEY_RESULT, 0, TRIB_MAX_SKIP,
     .help = "methods that count n-grams (all but `traced` and `runs`), and factors, also count "
             "n-grams with gaps: up to this many words, the same number each time, are left out "
             "between any two neighbours (skip-grams)"},
    {"tensor.format", &trib_key_row, AT(tensor.format), "hacoo", TRIB_KEY_RESULT, .row = format_at,
     .help = "format of the tensor that is decomposed"},
    {"tensor.hash", &trib_key_row, AT(tensor.hash), "mixed", TRIB_KEY_RESULT, .row = hash_at,
     .help = "hash function of the table that counts n-grams"},
    {"tensor.load", &trib_key_number, AT(tensor.load), "0.7", TRIB_KEY_RESULT, 0.01, 16,
     .help = "entries per bucket at which that table doubles"},
    {"tensor.buckets", &trib_key_large, AT(tensor.buckets), "128", TRIB_KEY_RESULT, 1, 1 << 30,
     .help = "initial number of buckets of that table"},
    {"tensor.block", &trib_key_count, AT(tensor.cut.block), "auto", TRIB_KEY_RESULT, 1,
     TRIB_BLOCK_MAX, "auto", 0,
     .help = "`format: hicoo`: side of a block in indices, a power of two; `auto`: 256"},
    {"tensor.superblock", &trib_key_count, AT(tensor.cut.superblock), "auto", TRIB_KEY_RESULT, 1,
     TRIB_SUPERBLOCK_MAX, "auto", 0,
     .help = "`format: hicoo`: side of a superblock in indices, a power of two, at least `block`; "
             "superblocks are distributed among threads; `auto`: from 512 to 16384, so that the "
             "longest mode has about 32"},
    {"tensor.fragment", &trib_key_row, AT(tensor.fragment), "linear", TRIB_KEY_RESULT,
     .row = organisation_at,
     .help =
         "organisation of tensor files (*.fragment); `auto`: chosen by density, shape and `reads`"},
    {"tensor.reads", &trib_key_choice, AT(tensor.reads), "whole", TRIB_KEY_RESULT,
     .choice = trib_reads_names,
     .help = "`fragment: auto`: how such a file will be read: hardly at all, as a whole, by "
             "points, by regions, or by regions of the last mode"},

    {"cp.solver", &trib_key_row, AT(cp.solver), "hals", TRIB_KEY_RESULT, .row = solver_at,
     .help = "algorithm that computes the factors"},
    {"cp.start", &trib_key_row, AT(cp.start), "auto", TRIB_KEY_RESULT, .row = start_at,
     .help = "how the factors are initialised"},
    {"cp.rank", &trib_key_count, AT(cp.rank), "100", TRIB_KEY_RESULT, 1, 1000000, "all", 0, "auto",
     TRIB_RANK_AUTO,
     .help = "number of components; `auto`: doubled until the fit improves little; `all`, with "
             "`solver: fibre`: until no entry is left to explain"},
    {"cp.max_rank", &trib_key_count, AT(cp.max_rank), "500", TRIB_KEY_RESULT, 1, 1000000,
     .help = "with `rank: auto`: the largest rank to try"},
    {"cp.sweeps", &trib_key_count, AT(cp.sweeps), "2", TRIB_KEY_RESULT, 1, 1000,
     .help = "inner sweeps per mode and iteration"},
    {"cp.iterations", &trib_key_count, AT(cp.iterations), "100", TRIB_KEY_RESULT, 1, 1000000,
     .help = "largest number of iterations"},
    {"cp.tolerance", &trib_key_number, AT(cp.tolerance), "0.0001", TRIB_KEY_RESULT, 0, 1,
     .help = "stop when the fit changes by less than this; 0: never"},
    {"cp.restarts", &trib_key_count, AT(cp.restarts), "1", TRIB_KEY_RESULT, 1, 10000,
     .help = "number of starts; the best result is used"},
    {"cp.seed", &trib_key_large, AT(cp.seed), "1", TRIB_KEY_RESULT, 0, INFINITY,
     .help = "seed of random starts, of the bootstrap and of shuffled targets"},
    {"cp.kkt", &trib_key_number, AT(cp.kkt), "0", TRIB_KEY_RESULT, 0, 1,
     .help = "stop when the Karush-Kuhn-Tucker conditions of a minimum hold within this tolerance; "
             "0: not tested"},
    {"cp.l1", &trib_key_numbers, AT(cp.l1), "0", TRIB_KEY_RESULT, 0, 1e12,
     .help = "penalty on the sum of each factor matrix; nonnegative least-squares solvers only"},
    {"cp.l2", &trib_key_numbers, AT(cp.l2), "0", TRIB_KEY_RESULT, 0, 1e12,
     .help = "penalty on the sum of squares of each factor matrix; least-squares solvers only"},
    {"cp.fixed", &trib_key_flags, AT(cp.fixed), "[]", TRIB_KEY_RESULT, .choice = modes,
     .help = "modes, counted from 1, whose factors keep their initial values; least-squares "
             "solvers only"},
    {"cp.extrapolation", &trib_key_flag, AT(cp.extrapolation), "none", TRIB_KEY_RESULT,
     .choice = extrapolations,
     .help =
         "`nesterov`: each iteration starts from an extrapolation of the last two, unless that "
         "would increase the error, and fewer iterations are needed; `solver: hals`, `ccd`, `bpp`"},
    {"cp.precision", &trib_key_flag, AT(cp.single), "double", TRIB_KEY_RESULT, .choice = precisions,
     .help =
         "precision of the factors in products with the tensor; `single` halves the bytes read, "
         "needs `tensor.format: rows` and a least-squares solver, and is noted in every output"},
    {"cp.lift", &trib_key_number, AT(cp.lift), "0.01", TRIB_KEY_RESULT, 0, 0.5,
     .help =
         "`solver: apr`: zeros that should be positive are set to this fraction of their column"},

    {"influence.methods", &trib_key_rows, AT(influence.method),
     "[traced, lowe, lowe-soft, anchored, split, containment]", TRIB_KEY_RESULT, .row = method_at,
     .help = "methods to run, in the order they are reported"},
    {"influence.headline", &trib_key_row, AT(influence.headline), "traced", TRIB_KEY_RESULT,
     .row = method_at, .help = "the method whose shares come first in the report"},
    {"influence.threshold", &trib_key_number, AT(influence.threshold), "0.2", TRIB_KEY_RESULT, 0, 2,
     .help = "`lowe`: largest distance that counts as a match"},
    {"influence.background", &trib_key_count, AT(influence.background), "auto", TRIB_KEY_RESULT, 0,
     1000000, "auto", UINT32_MAX,
     .help =
         "`anchored`: number of components for common language; `auto`: 0.3 sqrt(words x sources)"},
    {"influence.background_of", &trib_key_choice, AT(influence.background_of), "auto",
     TRIB_KEY_RESULT, .choice = background_of_names,
     .help = "`anchored`: whether a background is fitted for each `target` and its sources, or "
             "once for the whole `corpus` (with `order: by-date`: the target and all older "
             "documents); `auto`: once, if there are at least two targets, and more than 40 "
             "documents or the same pool of sources for every target"},
    {"influence.floor", &trib_key_number, AT(influence.floor), "auto", TRIB_KEY_RESULT, 0, 1,
     "auto",
     .help =
         "noise floor: smaller shares are shown as noise; `auto`: of each method its own, which "
         "at most 1 % of unrelated sources exceed"},
    {"influence.bootstrap", &trib_key_count, AT(influence.bootstrap), "200", TRIB_KEY_RESULT, 0,
     1000000,
     .help = "number of posterior samples (`traced`) or resamples (`anchored`) for the intervals; "
             "0: no intervals"},
    {"influence.shortlist", &trib_key_count, AT(influence.shortlist), "40", TRIB_KEY_RESULT, 1,
     1000000, "all", 0,
     .help = "`traced`, `anchored`, `lowe-matched`: largest number of sources per target that are "
             "weighed, those with the largest shares by `split`; or `all`"},
    {"influence.candidates", &trib_key_count, AT(influence.candidates), "auto", TRIB_KEY_RESULT, 1,
     100000000, "auto", 0,
     .help =
         "largest number of sources per target that are measured at all, those with the largest "
         "shares by `split` as sketches of the texts estimate them; `auto`: all in a corpus of "
         "up to 500 texts, 160 in a larger one"},
    {"influence.formula", &trib_key_count, AT(influence.formula), "100", TRIB_KEY_RESULT, 1,
     1000000000, "none", 0,
     .help = "an n-gram that more documents of the corpus hold than this is a formula: it is "
             "credited to no source, but to a part of its own; or `none`"},
    {"influence.run", &trib_key_count, AT(influence.run), "6", TRIB_KEY_RESULT, 1, 1000,
     .help = "`runs`: shortest shared run that counts, in words"},
    {"influence.close", &trib_key_flag, AT(influence.close), "false", TRIB_KEY_RESULT,
     .choice = truths,
     .help = "`traced` and `runs`: a copied word may differ from its source's word by a few "
             "letters, as misread or otherwise spelt words do"},
    {"influence.null", &trib_key_flag, AT(influence.null), "false", TRIB_KEY_RESULT,
     .choice = truths,
     .help = "measure a shuffled target beside each target by the headline method, and report its "
             "largest share"},

    {"parallels.unit", &trib_key_choice, AT(parallels.unit), "none", TRIB_KEY_RESULT,
     .choice = unit_names,
     .help = "the units that are compared: `phrases` (up to . ; : ? !), `lines`, `sentences` (up "
             "to . ? !) or overlapping `windows` of words; `none`: no search for allusions"},
    {"parallels.feature", &trib_key_choice, AT(parallels.feature), "auto", TRIB_KEY_RESULT,
     .choice = feature_names,
     .help = "which words count as the same: those with a common `lemmas` entry, with the same "
             "`stems`, with the same first `letters`, or the same `words`; `auto`: `lemmas` if a "
             "table is given, otherwise `letters`"},
    {"parallels.lemmas", &trib_key_path, AT(parallels.lemmas), "null", TRIB_KEY_RESULT,
     .help = "table of lemmas in UTF-8: on each line a form, a tab, and its lemmas or stems "
             "separated by spaces"},
    {"parallels.language", &trib_key_text, AT(parallels.language), "auto", TRIB_KEY_RESULT,
     .help = "`feature: stems`: the language whose endings are cut off, such as `en` or `german`; "
             "`auto`: that of tokens.locale"},
    {"parallels.letters", &trib_key_count, AT(parallels.letters), "5", TRIB_KEY_RESULT, 1, 100,
     .help = "`feature: letters`: number of first letters that are compared"},
    {"parallels.spelling", &trib_key_flag, AT(parallels.latin), "written", TRIB_KEY_RESULT,
     .choice = spelling_names,
     .help = "`latin`: u and v, i and j are the same letter, and a final -que is no part of the "
             "word"},
    {"parallels.distance", &trib_key_number, AT(parallels.distance), "1.5", TRIB_KEY_RESULT, 0, 100,
     .help = "weight of the distance between the two rarest words; 0 suits verses of prose"},
    {"parallels.window", &trib_key_count, AT(parallels.window), "16", TRIB_KEY_RESULT, 2, 200,
     .help = "`unit: windows`: number of words; windows overlap by half"},
    {"parallels.top", &trib_key_count, AT(parallels.top), "100", TRIB_KEY_RESULT, 1, 1000000,
     .help = "number of pairs of places listed for each target and source"},

    {"report.formats", &trib_key_flags, AT(report.html), "[html, json, csv, factors, trace]",
     TRIB_KEY_RESULT, .choice = formats,
     .help =
         "files to write; `factors`: `factors/*.ktns`; `npy`: the factors and the distances "
         "between them as matrices; `tensors`: the n-gram counts; `sqlite`: `results.sqlite`, all "
         "tables in one file; `ktensor`: the factors as text that pyttb reads; `trace`: with the "
         "method `traced`, the traced runs of each target; `tei` and `alignments`: the shared "
         "passages as TEI and as JSON lines"},
    {"report.top_phrases", &trib_key_count, AT(report.top_phrases), "20", TRIB_KEY_RESULT, 0,
     1000000, .help = "number of phrases and passages listed per source"},
    {"report.commonplace", &trib_key_number, AT(report.commonplace), "0.5", TRIB_KEY_RESULT, 0, 1,
     .help = "a phrase in more than this fraction of the documents, and in at least 10, is listed "
             "as a stop phrase, outside the ranking; 1: none"},
    {"report.commonplaces", &trib_key_path, AT(report.commonplaces), "null", TRIB_KEY_RESULT,
     .help = "file of further stop phrases, one per line"},
    {"report.context_words", &trib_key_count, AT(report.context_words), "12", TRIB_KEY_RESULT, 0,
     1000, .help = "words quoted before and after a passage"},
    {"report.target_pages", &trib_key_count, AT(report.target_pages), "auto", TRIB_KEY_RESULT, 1,
     1000000, "all", UINT32_MAX, "auto", 0,
     .help = "largest number of targets of which `run` writes the pages and the texts to read; of "
             "more, `tributary report RUN --target ID` makes the page of one; `auto`: 500, without "
             "texts to read for more than 100 targets of less than 1500 words on average; up to "
             "12 always have them"},
    {"report.text", &trib_key_choice, AT(report.text), "full", TRIB_KEY_RESULT,
     .choice = report_texts,
     .help = "quotations from the texts: `none`, `snippets` (the first 60 words of a passage), or "
             "passages in `full`; respect the copyright of the texts"},

    {"resources.threads", &trib_key_count, AT(resources.threads), "auto", TRIB_KEY_MACHINE, 1, 4096,
     "auto", 0, .help = "`auto`: one per processor"},
    {"resources.memory", &trib_key_bytes, AT(resources.memory), "auto", TRIB_KEY_MACHINE, 1,
     NO_LIMIT, "auto", 0,
     .help = "memory limit, such as `2 GiB`; `auto`: the memory of the machine or container. "
             "Tensors larger than a quarter of it are stored in a file"},
    {"resources.time", &trib_key_seconds, AT(resources.time), "none", TRIB_KEY_MACHINE, 1, 1e9,
     "none", 0, .help = "time limit, such as `30 min`; the run can be resumed afterwards"},

    {"output", &trib_key_text, AT(output), "\"runs/{name}/{hash8}\"", TRIB_KEY_MACHINE,
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
