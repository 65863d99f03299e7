/* config.h - the configuration of an experiment, and how it is loaded from YAML.
 *
 * This room turns a YAML file, its preset and the --set options into a trib_config, which does not
 * change after loading. It also lists the documents of the corpus, and reports every error with its
 * file and line. To add a key, add a field to trib_config and an entry to keys.txt; the
 * loader, the help and docs/configuration.md follow from that table. Rules between keys are in
 * check.c. */
#ifndef TRIBUTARY_CONFIG_CONFIG_H
#define TRIBUTARY_CONFIG_CONFIG_H

#include "base/arena.h"
#include "base/base.h"
#include "decomp/decomp.h"
#include "influence/influence.h"
#include "pipeline/comm/comm.h"
#include "pipeline/config/document.h"
#include "pipeline/text/notes.h"
#include "tensor/tensor.h"
#include "tokenizer/tokenizer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What cite says of the program; CITATION.cff says the same. */
#define TRIB_YEAR "2026"

/* ---- Configuration (config.c loads, keys.txt has the table, documents.c the document list) --- */

typedef enum { TRIB_ORDER_ANY, TRIB_ORDER_BY_DATE } trib_order;
/* corpus.join_hyphens; auto: in texts whose lines often end with a divided word. */
typedef enum { TRIB_JOIN_NONE, TRIB_JOIN_ALL, TRIB_JOIN_AUTO } trib_joining;
typedef enum {
    TRIB_BACKGROUND_AUTO,
    TRIB_BACKGROUND_OF_TARGET,
    TRIB_BACKGROUND_OF_CORPUS
} trib_background_of;

/* parallels.unit: the units of a text that are compared; `none`: no search for allusions. */
typedef enum {
    TRIB_UNIT_NONE,
    TRIB_UNIT_PHRASES,
    TRIB_UNIT_LINES,
    TRIB_UNIT_SENTENCES,
    TRIB_UNIT_WINDOWS
} trib_unit;
/* translations.search: the pairs of texts in which translated passages are looked for; auto: those
 * in different languages, in a corpus of at most 50 texts. */
typedef enum {
    TRIB_TRANSLATIONS_AUTO,
    TRIB_TRANSLATIONS_ALL,
    TRIB_TRANSLATIONS_NONE
} trib_translation_search;

/* parallels.feature: what two words must have in common to count as the same word. */
typedef enum {
    TRIB_FEATURE_AUTO, /* lemmas if there is a table, otherwise letters */
    TRIB_FEATURE_LEMMAS,
    TRIB_FEATURE_STEMS,
    TRIB_FEATURE_LETTERS,
    TRIB_FEATURE_WORDS
} trib_feature;

enum { TRIB_MAX_LIST = 16 };
/* Words that are left out of the texts of a language. */
typedef struct trib_stop_words {
    const char *language; /* its tag or code; NULL: of all texts */
    const char *value;    /* as written: a file, or how many of the most frequent words */
    const char *path;     /* resolved, if it is a file; otherwise NULL */
} trib_stop_words;
typedef struct trib_stop_list {
    trib_stop_words *item; /* [n] of a language each, or one of all texts */
    size_t n;              /* 0: no word is left out */
} trib_stop_list;

/* A number for every mode, or one for all. */
typedef struct trib_mode_numbers {
    double item[TRIB_MAX_MODES];
    uint32_t n; /* 1: for all */
} trib_mode_numbers;

typedef struct trib_preset trib_preset; /* a row of the table in keys.c */

/* Mirrors the YAML; const after loading. Documents are sorted by id. `{0}` is empty. */
struct trib_config {
    trib_arena arena;      /* of all its texts and lists */
    const char *path;      /* of the YAML file, as given */
    const char *directory; /* it lies in; relative paths in it start there */
    const trib_preset *preset;
    const char *name; /* of the experiment: no '/', not empty */
    struct {
        const char *manifest, *glob;                     /* at most one; NULL otherwise */
        const char *title, *editors, *license, *address; /* never NULL */
        const char *library; /* a library whose texts are documents, too; NULL: none */
        bool follows_links;  /* links: within | follow */
        const char *root;    /* where the texts are, seen from `directory`; NULL: there */
        const char
            *obtain; /* the command that gets the texts of the manifest, or NULL: none is known */
        trib_corpus_document *document; /* [n_documents] sorted by id, bytewise */
        uint32_t n_documents;
        trib_left_out *left_out; /* [n_left_out] */
        size_t n_left_out;
        trib_text_list target; /* ids, or the one item "all" */
        trib_order order;
        /* How a text is read: the fields from here to max_strip are given to stage tokens. */
        const char *encoding;
        trib_invalid on_invalid;
        trib_notes notes;
        trib_joining join_hyphens;        /* words divided at line ends are joined */
        trib_edition edition;             /* owns its witness; `rules` has the text of `markup` */
        const char *markup, *markup_path; /* as written, NULL: none; resolved */
        trib_text_list strip;             /* names of strippers, at most one of each */
        double max_strip;                 /* fraction of the bytes */
        const char *reference;            /* a pattern (markup.h); NULL: none */
        bool skips_refused;               /* on_error: refuse | skip */
        double
            /* share of the different n-grams two documents have in common; 0: off */
            near_duplicate;
        bool has_joined; /* set by a run: `join_hyphens: auto` has joined words */
        bool is_chosen;  /* set by a run: the documents are those of a library that it needs */
    } corpus;
    struct {
        const char *locale;
        trib_normalize normalize;
        trib_case letter_case;
        trib_equivalence equivalence;
        trib_apostrophes apostrophes;
        trib_hyphens hyphens;
        trib_numbers numbers;
        trib_text_list break_at;    /* sentence, paragraph */
        const char *transform;      /* as written; NULL: none; "auto": see trib_config_transform */
        const char *transform_path; /* resolved, if it is a file of rules; otherwise NULL */
        const char *variants;       /* as written; NULL: none */
        const char *variants_path;  /* resolved: what is opened; NULL with it */
        const char *stem;           /* a language, "auto": those of the texts, or "none" */
        const char *stems;          /* these languages, separated by spaces, or "none" */
        /* the languages of the texts, separated by spaces, when texts of each have norms or words
         * left out of their own, or the only language; NULL: all texts are alike */
        const char *languages;
        trib_stop_list stop;
    } tokens;
    struct {
        uint32_t size; /* 0: all */
        uint64_t min_count;
        uint32_t min_documents;
        bool wildcard;    /* oov: wildcard | break */
        const char *file; /* as written; NULL: counted */
        const char *path; /* of that file, resolved: what is opened; NULL with it */
    } vocabulary;
    struct {
        uint32_t n, skip;
        const trib_hash *hash;
        double load;
        uint64_t buckets;
        const trib_format *format;
        trib_tensor_cut cut;
        const trib_organisation *fragment;
        trib_reads reads;
    } tensor;
    struct {
        const trib_solver *solver;
        const trib_start *start; /* NULL: auto */
        uint32_t rank;           /* 0: all; TRIB_RANK_AUTO, _LOWE, _BUDGET */
        uint32_t max_rank, sweeps, iterations, restarts;
        double tolerance, kkt, lift;
        trib_mode_numbers l1, l2;
        bool fixed[TRIB_MAX_MODES]; /* modes */
        bool single;                /* precision: double | single */
        enum {
            TRIB_EXTRAPOLATE_AUTO, /* not decided, or not needed */
            TRIB_EXTRAPOLATE_NONE,
            TRIB_EXTRAPOLATE_NESTEROV
        } extrapolation; /* auto | none | nesterov */
        uint64_t seed;
    } cp;
    struct {
        const trib_influence_method *method[TRIB_MAX_LIST]; /* in the order asked for */
        uint32_t n_methods;
        const trib_influence_method *headline_asked; /* NULL: auto */
        const trib_influence_method *headline;       /* one of them */
        double threshold;
        double floor;       /* NaN: auto, of each method */
        int32_t background; /* -1: auto */
        uint32_t bootstrap;
        uint32_t shortlist;  /* 0: all */
        uint32_t candidates; /* 0: auto */
        uint32_t formula;    /* documents; 0: none */
        trib_background_of background_of;
        uint32_t run;
        bool null; /* a shuffled target is measured beside each target */
    } influence;
    struct {
        trib_unit unit;
        trib_feature feature;
        const char *lemmas;      /* as written; NULL: none */
        const char *lemmas_path; /* resolved: what is opened; NULL with it */
        const char *language;    /* of stems; "auto": that of tokens.locale */
        uint32_t letters;
        bool latin; /* spelling: written | latin */
        double distance;
        uint32_t window; /* words */
        uint32_t top;    /* pairs of each target and source */
    } parallels;
    struct {
        trib_translation_search search;
        /* as written, and resolved: what is opened; NULL: none */
        const char *dictionary, *dictionary_path, *table, *table_path;
        bool power; /* passages are planted, too */
    } translations;
    struct {
        /* formats, in the order of the table */
        bool html, json, csv, factors, npy, tensors, sqlite, ktensor, trace, tei, alignments,
            phrasing;
        uint32_t top_phrases, context_words;
        uint32_t target_pages; /* 0: TRIB_TARGET_PAGES; UINT32_MAX: all */
        double commonplace;
        const char *commonplaces;      /* as written; NULL: none */
        const char *commonplaces_path; /* resolved: what is opened; NULL with it */
        trib_text text;
        bool spreadsheet_safe, doubtful;
    } report;
    struct {
        int threads;             /* 0: auto */
        uint64_t memory;         /* bytes; 0: auto */
        double time;             /* seconds; 0: none */
        uint64_t unpacked;       /* bytes */
        uint32_t members, parts; /* of an archive, of a document */
        bool sandbox;            /* of what reads foreign bytes */
        int kernels;             /* 0: auto, else 1 + those of base/internal.h */
    } resources;
    const char *output; /* as written: {name} and {hash8} are filled in by the run */
    bool has_sweep;     /* the file has a section `sweep`, which a run ignores */
    /* of everything in here that can change a result, canonical; inputs are added by the run */
    char hash[TRIB_SHA256_TEXT];
};

/* A trib_config_diagnostic whose context is a trib_log: writes them to the log. */
void trib_config_log(void *log, bool is_error, const char *message);

/* Loads a YAML file. Defaults are overridden by the preset, the preset by the file, and the file by
 * the settings. The manifest or glob that it names is read, and everything is checked except that
 * the texts exist. Every error and warning is passed to `complain` (may be NULL). A path in a
 * setting is relative to the current directory. `path` NULL: no file and no documents, for single
 * stages. TRIB_CONFIG if there was any error (error->message counts them); *config is then
 * empty. */
trib_status trib_config_load(trib_config *config, const char *path, const trib_setting *setting,
                             size_t n_settings, trib_config_diagnostic complain, void *context,
                             trib_error *error);
/* The same for a run: every file that a key names must be there, besides the texts. All ranks of
 * `comm` must call it, and each guesses the languages of a part of the texts. */
trib_status trib_config_load_for_run(trib_config *config, const char *path,
                                     const trib_setting *setting, size_t n_settings,
                                     trib_config_diagnostic complain, void *context,
                                     const trib_comm *comm, trib_error *error);
/* The same as trib_config_load of YAML in memory. `name` stands for the path of a file, which need
 * not exist: messages name it, and relative paths in `text` start in its folder. */
trib_status trib_config_parse(trib_config *config, const char *name, const char *text,
                              const trib_setting *setting, size_t n_settings,
                              trib_config_diagnostic complain, void *context, trib_error *error);
void trib_config_release(trib_config *config);
/* Reads the table that corpus.markup names, if any. TRIB_INPUT when the file cannot be read,
 * TRIB_CONFIG, with its line, when it is no table. */
trib_status trib_config_read_markup(trib_config *config, trib_error *error);
/* The language of `parallels.feature: stems`. Borrowed. */
static inline const char *trib_config_stem_language(const trib_config *config) {
    const char *language = config->parallels.language;
    return strcmp(language, "auto") == 0 ? config->tokens.locale : language;
}
#define TRIB_AUTO "auto"
/* The value of a language that is guessed; after loading no document has it. */
#define TRIB_LANGUAGE_GUESSED TRIB_AUTO
/* The language of a document. Borrowed. */
static inline const char *trib_config_language(const trib_config *config,
                                               const trib_corpus_document *document) {
    return document->language ? document->language : config->tokens.locale;
}
/* The transform of words; NULL: none, or `auto`, which a run replaces by what its texts need (a
 * copy of the configuration has it, from stage tokens on). Borrowed. */
static inline const char *trib_config_transform(const trib_config *config) {
    const char *transform = config->tokens.transform;
    return transform && strcmp(transform, TRIB_AUTO) == 0 ? NULL : transform;
}
/* The encoding of a document. Borrowed. */
static inline const char *trib_config_encoding(const trib_config *config,
                                               const trib_corpus_document *document) {
    return document->encoding ? document->encoding : config->corpus.encoding;
}
/* The number of words that `words` leaves out; 0: it names a file. */
uint32_t trib_stop_count(const trib_stop_words *words);
/* The pattern of the references of a document; NULL: none. Borrowed. */
static inline const char *trib_config_reference(const trib_config *config,
                                                const trib_corpus_document *document) {
    return document->reference ? document->reference : config->corpus.reference;
}
#define TRIB_GIVEN(first, last)                                                                    \
    {                                                                                              \
        offsetof(trib_config, first), offsetof(trib_config, last) +                                \
                                          sizeof(((trib_config *)0)->last) -                       \
                                          offsetof(trib_config, first)                             \
    }
/* Appends the line "KEY VALUE" for each key in the given parts (NULL: none) that can change a
 * result. */
trib_status trib_config_print_given(const trib_config *config, const trib_given *given,
                                    trib_buffer *to, trib_error *error);
/* Sets config->hash anew, after a run has replaced a value. */
trib_status trib_config_hash(trib_config *config, trib_error *error);
/* Visits every key in the order of the table, its value as the YAML that sets it; where no text
 * needed what `auto` stands for, the value that says so. */
typedef void (*trib_config_visit)(void *context, const char *key, const char *value,
                                  bool is_default, bool changes_result);
trib_status trib_config_each(const trib_config *config, trib_config_visit visit, void *context,
                             trib_error *error);
/* How a configuration is written; 0 is every key without comments. */
enum {
    TRIB_CONFIG_MARKED = 1, /* what differs from the default has it in a comment */
    TRIB_CONFIG_RESULT =
        2 /* only what can change a result, the same bytes on every machine: their SHA-256 is
                               config->hash when this stands alone */
};
/* Writes it as YAML that, beside the original, loads to the same configuration: every key in the
 * order of the table, documents in full instead of manifest or glob. */
void trib_config_write(const trib_config *config, trib_writer *writer, unsigned how);

/* ---- An experiment about texts that a command line names (draft.c) -------------------------- */

/* What a draft is made from; all of it is borrowed. */
typedef struct trib_draft_request {
    /* [n_texts] files, folders and archives; the texts of the first are the targets where others
     * follow it, unless a setting names the targets */
    const char *const *text;
    size_t n_texts;
    const trib_setting *setting; /* [n_settings] as in trib_config_load */
    size_t n_settings;
    const char *folder;  /* of the YAML; when it exists, paths in the YAML start there */
    bool makes_folder;   /* creates the folder once the texts are found */
    const char *name;    /* of the experiment */
    const char *output;  /* the value of `output` */
    const char *heading; /* comment lines that begin the YAML */
} trib_draft_request;

/* A draft, and what a message can say of it. `{0}` is empty. */
typedef struct trib_draft {
    trib_buffer yaml;
    size_t n_documents;   /* also after an error; 0: there is no text */
    size_t n_dated;       /* documents with a certain date */
    bool is_by_date;      /* only an older text can be a source */
    bool has_targets;     /* false: every text is a target */
    size_t n_left_out;    /* files that are not read, without hidden ones */
    trib_buffer left_out; /* the first of them, and why; empty: none */
} trib_draft;

/* Makes the YAML. Errors are reported to `complain`; then the status is TRIB_INPUT for texts and
 * TRIB_CONFIG for settings. TRIB_USAGE when there is only one text. The caller releases the draft,
 * also after a failure. */
trib_status trib_draft_make(trib_draft *draft, const trib_draft_request *request,
                            trib_config_diagnostic complain, void *context, trib_error *error);
void trib_draft_release(trib_draft *draft);

/* Whether the contents of a file begin like an experiment: the key `tributary` begins a line. */
bool trib_draft_is_experiment(const char *path);

/* ---- The command line (command.c has the table of commands) ---------------------------------- */

/* The whole program; returns its exit status. */
int trib_main(int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif
