/* fields.c - the table of fields: every member of influence.json, in the order in which it is
 * written. */
#include "pipeline/result/fields.h"

#include <math.h>
#include <string.h>

/* ---- The corpus ------------------------------------------------------------------------------ */

static const trib_field refused_fields[] = {
    FIELD(trib_refused_record, id, TEXT, IF, "id", "a document that could not be used"),
    FIELD(trib_refused_record, file, TEXT, ALWAYS, "path", "its file"),
    FIELD(trib_refused_record, why, TEXT, ALWAYS, "text", "the reason"),
};
static const trib_record_type refused =
    TYPE("refused", OBJECT, trib_refused_record, refused_fields);

static const trib_field candidates_fields[] = {
    FIELD(trib_candidates_record, most, COUNT, ALWAYS, "count",
          "largest number of sources of a target chosen by their estimated shares"),
    FIELD(trib_candidates_record, one_in, COUNT, ALWAYS, "count",
          "of so many different n-grams one was looked at"),
};
static const trib_record_type candidates =
    TYPE("candidates", OBJECT, trib_candidates_record, candidates_fields);

static const trib_field base_fields[] = {
    FIELD(trib_base_record, hash, TEXT, ALWAYS, "64 hexadecimal digits", "hash of that run"),
    FIELD(trib_base_record, documents, COUNT, ALWAYS, "count", "its documents"),
    FIELD(trib_base_record, added, TEXTS, ALWAYS, "id", "the documents that were added"),
    FIELD(trib_base_record, only_changed, FLAG, ALWAYS, "`true`, `false`", "`--only-changed`"),
};
static const trib_record_type base = TYPE("base", OBJECT, trib_base_record, base_fields);

static const trib_field corpus_fields[] = {
    FIELD(trib_corpus_record, tokens, COUNT, ALWAYS, "count", "words of the corpus"),
    FIELD(trib_corpus_record, vocabulary, COUNT, ALWAYS, "count", "different words"),
    FIELD(trib_corpus_record, wildcard_tokens, NUMBER, ALWAYS, "0 to 1",
          "fraction of the words that became `<other>`"),
    FIELD(trib_corpus_record, wildcard_ngrams, NUMBER, ALWAYS, "0 to 1",
          "fraction of the n-grams that hold `<other>`"),
    PART(trib_corpus_record, candidates, RECORD, IF, candidates, "with candidates"),
    PART(trib_corpus_record, base, RECORD, IF, base,
         "with `--add-to`: the run that was extended; counts of words, `tokens` too, are its"),
    PART(trib_corpus_record, refused, RECORDS, IF, refused, "if documents could not be used"),
    PART(trib_corpus_record, left_out, RECORDS, IF, refused, "if files were left out"),
};
static const trib_record_type corpus = TYPE("corpus", OBJECT, trib_corpus_record, corpus_fields);

static const trib_field change_fields[] = {
    FIELD(trib_change_record, spelling, TEXT, ALWAYS, "text", "as written"),
    FIELD(trib_change_record, norm, TEXT, ALWAYS, "text", "the norm"),
    FIELD(trib_change_record, shown, TEXT, ALWAYS, "text",
          "the most frequent spelling of the norm, which stands for it"),
    FIELD(trib_change_record, count, COUNT, ALWAYS, "count", "occurrences of the word as written"),
};
static const trib_record_type change = TYPE("change", OBJECT, trib_change_record, change_fields);

static const trib_field same_words_fields[] = {
    FIELD(trib_same_words_record, spellings, COUNT, ALWAYS, "count", "different words as written"),
    FIELD(trib_same_words_record, words, COUNT, ALWAYS, "count", "different norms"),
    FIELD(trib_same_words_record, changed, COUNT, ALWAYS, "count",
          "different words as written that are not their norm"),
    FIELD(trib_same_words_record, changed_tokens, COUNT, ALWAYS, "count", "their occurrences"),
    FIELD(trib_same_words_record, left_out, COUNT, ALWAYS, "count", "norms that are left out"),
    FIELD(trib_same_words_record, left_out_tokens, COUNT, ALWAYS, "count", "their occurrences"),
    PART(trib_same_words_record, changes, RECORDS, ALWAYS, change,
         "the twenty most frequent changed words"),
};
static const trib_record_type same_words =
    TYPE("same_words", OBJECT, trib_same_words_record, same_words_fields);

static const trib_field cut_fields[] = {
    FIELD(trib_cut_record, bytes, COUNT, ALWAYS, "bytes", "cut there"),
    FIELD(trib_cut_record, lines, COUNT, ALWAYS, "count", "lines cut there"),
};
static const trib_record_type cut = TYPE("cut", OBJECT, trib_cut_record, cut_fields);

static const trib_field stripped_fields[] = {
    FIELD(trib_stripped_record, texts, COUNT, ALWAYS, "count", "texts kept"),
    PART(trib_stripped_record, before, RECORD, ALWAYS, cut, "before the text"),
    PART(trib_stripped_record, between, RECORD, ALWAYS, cut, "between texts"),
    PART(trib_stripped_record, behind, RECORD, ALWAYS, cut, "after the text"),
};
static const trib_record_type stripped =
    TYPE("stripped", OBJECT, trib_stripped_record, stripped_fields);

static const trib_field rank_fields[] = {
    FIELD(trib_rank_record, rank, COUNT, ALWAYS, "count", "as in `ranks.csv`"),
    FIELD(trib_rank_record, components, COUNT, ALWAYS, "count", "likewise"),
    FIELD(trib_rank_record, error, NUMBER, NULL, "from 0", "likewise"),
    FIELD(trib_rank_record, l1_error, NUMBER, NULL, "from 0, or null", "likewise"),
    FIELD(trib_rank_record, core_consistency, NUMBER, NULL, "percent, or null", "likewise"),
    FIELD(trib_rank_record, iterations, COUNT, ALWAYS, "count", "likewise"),
    FIELD(trib_rank_record, chosen, FLAG, ALWAYS, "`true`, `false`", "likewise"),
};
static const trib_record_type rank = TYPE("rank", OBJECT, trib_rank_record, rank_fields);

static const trib_field factors_fields[] = {
    FIELD(trib_factors_record, rank, COUNT, ALWAYS, "count", "components"),
    FIELD(trib_factors_record, fit, NUMBER, NULL, "at most 1",
          "1 minus the relative Frobenius error"),
    FIELD(trib_factors_record, precision, TEXT, IF, "`single`",
          "if the decomposition used single precision"),
    WITH("format", trib_factors_record, iterations, COUNT, ALWAYS, "count", "iterations"),
    WITH("format", trib_factors_record, stop, TEXT, ALWAYS, "text", "why it ended"),
    WITH("format", trib_factors_record, fits, NUMBERS, NULL, "at most 1",
         "fit after each iteration"),
    FIELD(trib_factors_record, restarts, COUNT, IF, "count, from 2",
          "if `cp.restarts` is 2 or more: how many"),
    FIELD(trib_factors_record, worst_fit, NUMBER, IF, "at most 1",
          "if so: the worst fit of a restart"),
    FIELD(trib_factors_record, match, NUMBER, IF, "0 to 1", "if so: how far restarts agree, mean"),
    FIELD(trib_factors_record, least_match, NUMBER, IF, "0 to 1", "if so: the least agreement"),
    WITH("format", trib_factors_record, zero, COUNT, ALWAYS, "count",
         "components dropped because they had no weight"),
    WITH("format", trib_factors_record, mass, NUMBER, ALWAYS, "from 0",
         "sum of the weights over the n-grams of the document"),
    FIELD(trib_factors_record, format, TEXT, IF, "name", "format of the tensor that was used"),
    FIELD(trib_factors_record, format_reason, TEXT, IF, "text",
          "if `tensor.format` is `auto`: why"),
    WITH("format", trib_factors_record, l1_error, NUMBER, NULL, "from 0, or null",
         "L1 error, as in `ranks.csv`"),
    WITH("format", trib_factors_record, congruence, NUMBER, NULL, "0 to 1, or null",
         "largest congruence of two components; near 1 they say the same"),
    PART(trib_factors_record, ranks, RECORDS, IF, rank, "if `cp.rank` is `auto`: the ranks tried"),
    FIELD(trib_factors_record, rank_end, TEXT, IF, "text",
          "if `cp.rank` is `auto`: why the search ended"),
};
static const trib_record_type factors =
    TYPE("factors", OBJECT, trib_factors_record, factors_fields);

static const trib_field document_fields[] = {
    FIELD(trib_document_record, id, TEXT, ALWAYS, "id", "documents are sorted by id"),
    FIELD(trib_document_record, title, TEXT, ALWAYS, "text", "title, or the id"),
    FIELD(trib_document_record, author, TEXT, ALWAYS, "text", "author, may be empty"),
    FIELD(trib_document_record, date, TEXT, NULL, "text or null", "date as configured"),
    FIELD(trib_document_record, date_from, TEXT, IF, "text",
          "where the date comes from, unless it was configured"),
    FIELD(trib_document_record, role, TEXT, ALWAYS, "`both`, `target`, `source`, `decoy`",
          "its role"),
    FIELD(trib_document_record, file, TEXT, ALWAYS, "path", "file as configured"),
    FIELD(trib_document_record, sha256, TEXT, ALWAYS, "64 hexadecimal digits",
          "SHA-256 of the file"),
    FIELD(trib_document_record, bytes, COUNT, ALWAYS, "bytes", "size as stored"),
    FIELD(trib_document_record, kind, TEXT, ALWAYS, "text", "what the file is"),
    FIELD(trib_document_record, encoding, TEXT, ALWAYS, "name", "encoding it was read in"),
    FIELD(trib_document_record, language, TEXT, IF, "tag",
          "its language, where the list of documents names one"),
    PART(trib_document_record, stripped, RECORD, IF, stripped, "with `corpus.strip`"),
    FIELD(trib_document_record, words, COUNT, ALWAYS, "count", "words"),
    FIELD(trib_document_record, vocabulary, COUNT, ALWAYS, "count", "different words"),
    FIELD(trib_document_record, ngrams, COUNT, ALWAYS, "count", "n-grams"),
    FIELD(trib_document_record, nonzeros, COUNT, ALWAYS, "count", "different n-grams"),
    FIELD(trib_document_record, wildcard_ngrams, NUMBER, ALWAYS, "0 to 1",
          "fraction of its n-grams that hold `<other>`"),
    FIELD(trib_document_record, replaced, COUNT, ALWAYS, "count",
          "invalid byte sequences that became U+FFFD"),
    PART(trib_document_record, factors, RECORD, NULL, factors,
         "the decomposition; null where there is none"),
};
static const trib_record_type document =
    TYPE("document", OBJECT, trib_document_record, document_fields);

static const trib_field method_fields[] = {
    FIELD(trib_method_record, name, TEXT, ALWAYS, "name",
          "methods, in the order of the configuration"),
    FIELD(trib_method_record, help, TEXT, ALWAYS, "text", "the method in a sentence"),
    FIELD(trib_method_record, sums_to_one, FLAG, ALWAYS, "`true`, `false`",
          "whether shares, `author` and `formula` add up to 1"),
};
static const trib_record_type method = TYPE("method", OBJECT, trib_method_record, method_fields);

/* ---- Shares ---------------------------------------------------------------------------------- */

static const trib_field null_fields[] = {
    FIELD(trib_null_record, not_measured, TEXT, IF, "text",
          "instead of the others: why the shuffled target was not measured"),
    FIELD(trib_null_record, largest, NUMBER, IF, "0 to 1",
          "the largest share of a source, or of a group, by the headline method"),
    FIELD(trib_null_record, source, TEXT, IF, "id",
          "the source that has it; absent if no source has a share"),
    FIELD(trib_null_record, mean, NUMBER, IF, "0 to 1", "the mean share of the sources then"),
    WITH("largest", trib_null_record, blocks, COUNT, ALWAYS, "count",
         "blocks of words that were permuted"),
    WITH("largest", trib_null_record, seed, COUNT, ALWAYS, "count", "seed of the random order"),
};
static const trib_record_type null = TYPE("null", OBJECT, trib_null_record, null_fields);

static const trib_field share_fields[] = {
    FIELD(trib_share_record, source, TEXT, ALWAYS, "id", "sources, sorted by id"),
    FIELD(trib_share_record, share, NUMBER, ALWAYS, "0 to 1", "as in `influence.csv`"),
    FIELD(trib_share_record, low, NUMBER, IF, "0 to 1", "if there is an interval: its lower end"),
    FIELD(trib_share_record, high, NUMBER, IF, "0 to 1", "if there is an interval: its upper end"),
    FIELD(trib_share_record, below_floor, FLAG, IF, "`true`",
          "if the share is below the noise floor"),
    FIELD(trib_share_record, group, TEXT, IF, "id",
          "if the source is in a group: its first member"),
    FIELD(trib_share_record, decoy, FLAG, IF, "`true`", "if the source is a decoy"),
};
static const trib_record_type share = TYPE("share", OBJECT, trib_share_record, share_fields);

static const trib_field group_fields[] = {
    FIELD(trib_group_record, members, TEXTS, ALWAYS, "id", "sources that cannot be told apart"),
    FIELD(trib_group_record, share, NUMBER, ALWAYS, "0 to 1", "as in `groups.csv`"),
    FIELD(trib_group_record, low, NUMBER, IF, "0 to 1", "if there is an interval: its lower end"),
    FIELD(trib_group_record, high, NUMBER, IF, "0 to 1", "if there is an interval: its upper end"),
    FIELD(trib_group_record, below_floor, FLAG, IF, "`true`",
          "if that share is below the noise floor"),
};
static const trib_record_type group = TYPE("group", OBJECT, trib_group_record, group_fields);

static const trib_field left_out_fields[] = {
    FIELD(trib_left_out_record, sources, COUNT, ALWAYS, "count",
          "sources with a share above 0 and without a row"),
    FIELD(trib_left_out_record, share, NUMBER, ALWAYS, "from 0", "the sum of their shares"),
};
static const trib_record_type left_out =
    TYPE("left_out", OBJECT, trib_left_out_record, left_out_fields);

static const trib_field influence_fields[] = {
    FIELD(trib_influence_record, method, TEXT, ALWAYS, "name", "the method"),
    FIELD(trib_influence_record, author, NUMBER, IF, "0 to 1", "what no source explains"),
    FIELD(trib_influence_record, formula, NUMBER, IF, "0 to 1",
          "in a corpus of more documents than `influence.formula`, by methods that count n-grams: "
          "the part in n-grams that more documents than that hold"),
    FIELD(trib_influence_record, own, NUMBER, IF, "0 to 1",
          "if the method tells it: the author's own part of `author`"),
    FIELD(trib_influence_record, common, NUMBER, IF, "0 to 1",
          "if the method tells it: the common language's part of `author`"),
    FIELD(trib_influence_record, explained, NUMBER, IF, "0 to 1, about",
          "`lowe`, `lowe-soft`: sum of the weights of the target's factors over its n-grams"),
    FIELD(trib_influence_record, matched, NUMBER, IF, "0 to 1",
          "`lowe`: part of that weight whose factor found a source"),
    WITH("log_likelihood", trib_influence_record, background, COUNT, ALWAYS, "count",
         "`anchored`: components of the common language"),
    WITH("log_likelihood", trib_influence_record, iterations, COUNT, ALWAYS, "count",
         "`traced`, `anchored`: rounds of the fit"),
    FIELD(trib_influence_record, log_likelihood, NUMBER, IF, "nats, negative",
          "`traced`, `anchored`: log-likelihood of the target"),
    FIELD(trib_influence_record, weighed, COUNT, IF, "count",
          "if only a shortlist of sources was weighed: how many"),
    PART(trib_influence_record, left_out, RECORD, IF, left_out, "if rows were left out"),
    FIELD(trib_influence_record, floor, NUMBER, ALWAYS, "0 to 1",
          "the noise floor of the target by this method"),
    PART(trib_influence_record, groups, RECORDS, IF, group, "if sources cannot be told apart"),
    PART(trib_influence_record, shares, RECORDS, ALWAYS, share, "the shares"),
};
static const trib_record_type influence =
    TYPE("influence", OBJECT, trib_influence_record, influence_fields);

static const trib_field ranked_fields[] = {
    FIELD(trib_ranked_record, source, TEXT, ALWAYS, "id",
          "the sources as in `ranking.csv`, the most likely predecessor first"),
    FIELD(trib_ranked_record, score, NUMBER, ALWAYS, "above 0", "as in `ranking.csv`"),
};
static const trib_record_type ranked = TYPE("ranked", OBJECT, trib_ranked_record, ranked_fields);

/* ---- Phrases and passages -------------------------------------------------------------------- */

static const trib_field phrase_fields[] = {
    FIELD(trib_phrase_record, words, TEXTS, ALWAYS, "words", "its words"),
    FIELD(trib_phrase_record, target_count, COUNT, ALWAYS, "count", "as in `phrases.csv`"),
    FIELD(trib_phrase_record, source_count, COUNT, ALWAYS, "count", "likewise"),
    FIELD(trib_phrase_record, other_documents, COUNT, ALWAYS, "count", "likewise"),
    FIELD(trib_phrase_record, mass, NUMBER, ALWAYS, "0 to 1", "likewise"),
};
static const trib_record_type phrase = TYPE("phrase", OBJECT, trib_phrase_record, phrase_fields);

static const trib_field mode_fields[] = {{"words", 0, TRIB_FIELD_TEXTS, TRIB_FIELD_ALWAYS, false,
                                          NULL, NULL, "words", "the words of a mode"}};
static const trib_record_type mode = TYPE("mode", VALUE, trib_texts, mode_fields);

static const trib_field cover_fields[] = {
    FIELD(trib_cover_record, mass, NUMBER, ALWAYS, "0 to 1", "its part of the share"),
    FIELD(trib_cover_record, free_mode, COUNT, ALWAYS, "from 0",
          "the mode in which the words differ"),
    PART(trib_cover_record, words, RECORDS, ALWAYS, mode, "the words of each mode"),
};
static const trib_record_type cover = TYPE("cover", OBJECT, trib_cover_record, cover_fields);

static const trib_field place_fields[] = {
    FIELD(trib_place_record, first, COUNT, ALWAYS, "from 1", "number of its first word"),
    FIELD(trib_place_record, words, COUNT, ALWAYS, "count", "words from there on"),
    FIELD(trib_place_record, reference, TEXT, IF, "text",
          "if it has one: where it stands, as in `passages.tsv`"),
    DETAIL(trib_place_record, text, TEXTS, IF, "text",
           "quoted text: before, shared, between, shared, ..., after; absent with `report.text: "
           "none`"),
    WITH("text", trib_place_record, cut, FLAG, ALWAYS, "`true`, `false`",
         "whether the quotation was shortened"),
    FIELD(trib_place_record, from, COUNT, IF, "bytes",
          "of possible allusions: where it begins in the text"),
    FIELD(trib_place_record, to, COUNT, IF, "bytes",
          "of possible allusions: the byte after its end"),
};
static const trib_record_type place = TYPE("place", OBJECT, trib_place_record, place_fields);

static const trib_field passage_fields[] = {
    FIELD(trib_passage_record, id, TEXT, ALWAYS, "text",
          "id of the passage in this run, as in `passages.tsv`, where one of a short target may "
          "be without a row"),
    FIELD(trib_passage_record, shared, COUNT, ALWAYS, "count", "words that both sides share"),
    FIELD(trib_passage_record, mass, NUMBER, ALWAYS, "0 to 1", "part of the share"),
    FIELD(trib_passage_record, rarity, NUMBER, ALWAYS, "nats",
          "the sum over its shared words of ln((documents + 1) / documents that hold the word)"),
    FIELD(trib_passage_record, rarest, TEXTS, ALWAYS, "words",
          "up to three of its shared words, the rarest first"),
    FIELD(trib_passage_record, notable, FLAG, ALWAYS, "`true`, `false`", "whether it is notable"),
    PART(trib_passage_record, target, RECORD, ALWAYS, place, "the place in the target"),
    PART(trib_passage_record, source, RECORD, ALWAYS, place, "the place in the source"),
    FIELD(trib_passage_record, note, TEXT, IF, "text", "a person's note"),
};
const trib_record_type trib_type_passage =
    TYPE("passage", OBJECT, trib_passage_record, passage_fields);

static const trib_field evidence_fields[] = {
    FIELD(trib_evidence_record, source, TEXT, IF, "id",
          "sources by descending share of the headline method; absent in `own`"),
    FIELD(trib_evidence_record, share, NUMBER, ALWAYS, "0 to 1", "its share"),
    FIELD(trib_evidence_record, n_phrases, COUNT, ALWAYS, "count",
          "its phrases, those in `commonplaces` not counted"),
    DETAILS(trib_evidence_record, phrases, RECORDS, ALWAYS, phrase,
            "the strongest phrases, `report.top_phrases` of them"),
    FIELD(trib_evidence_record, n_commonplaces, COUNT, POSITIVE, "count",
          "if there are phrases that many documents hold: how many"),
    DETAILS(trib_evidence_record, commonplaces, RECORDS, IF, phrase, "those phrases"),
    FIELD(trib_evidence_record, n_factors, COUNT, ALWAYS, "count",
          "factors of the evidence (a cover of it by fibres)"),
    DETAILS(trib_evidence_record, factors, RECORDS, ALWAYS, cover, "the first of them"),
    WITH("passages", trib_evidence_record, n_passages, COUNT, ALWAYS, "count",
         "shared passages; below the floor: notable ones, if there are any"),
    WITH("passages", trib_evidence_record, n_notable, COUNT, ALWAYS, "count",
         "notable passages ([model.md](../model.md), \"Notable passages\")"),
    FIELD(trib_evidence_record, n_same_places, COUNT, POSITIVE, "count",
          "if the target has less than 1500 words and more than 40 sources, and there are any: "
          "passages left out of `passages` because notable ones of a source before it are listed "
          "at the same places"),
    PART(trib_evidence_record, passages, RECORDS, IF, trib_type_passage, "shared passages"),
    DETAIL(trib_evidence_record, strip, COUNTS, IF, "percent, 0 to 100",
           "if above the floor: of each 120th part of the target, the n-grams in shared runs"),
};
static const trib_record_type evidence =
    TYPE("evidence", OBJECT, trib_evidence_record, evidence_fields);

static const trib_field shared_word_fields[] = {
    FIELD(trib_shared_word_record, feature, TEXT, ALWAYS, "text", "what two words have in common"),
    FIELD(trib_shared_word_record, count, COUNT, ALWAYS, "count", "its occurrences in the corpus"),
    FIELD(trib_shared_word_record, target_word, COUNT, ALWAYS, "from 1",
          "number of the word in the target"),
    FIELD(trib_shared_word_record, source_word, COUNT, ALWAYS, "from 1",
          "number of the word in the source"),
};
static const trib_record_type shared_word =
    TYPE("shared_word", OBJECT, trib_shared_word_record, shared_word_fields);

static const trib_field parallel_fields[] = {
    FIELD(trib_parallel_record, rank, COUNT, ALWAYS, "from 1", "as in `parallels.tsv`"),
    FIELD(trib_parallel_record, score, NUMBER, ALWAYS, "number", "likewise"),
    FIELD(trib_parallel_record, source, TEXT, ALWAYS, "id", "likewise"),
    PART(trib_parallel_record, shared, RECORDS, ALWAYS, shared_word, "the words that both share"),
    FIELD(trib_parallel_record, distance, COUNT, NULL, "count or null", "as in `parallels.tsv`"),
    FIELD(trib_parallel_record, cosine, NUMBER, ALWAYS, "0 to 1", "likewise"),
    PART(trib_parallel_record, in_target, RECORD, ALWAYS, place, "the place in the target"),
    PART(trib_parallel_record, in_source, RECORD, ALWAYS, place, "the place in the source"),
};
static const trib_record_type parallel =
    TYPE("parallel", OBJECT, trib_parallel_record, parallel_fields);

/* ---- Factors and distances ------------------------------------------------------------------- */

static const trib_field word_value_fields[] = {
    FIELD(trib_word_value, word, TEXT, ALWAYS, "word", "a word"),
    FIELD(trib_word_value, value, NUMBER, ALWAYS, "0 to 1", "its value"),
};
static const trib_record_type word_value =
    TYPE("word_value", ROW, trib_word_value, word_value_fields);
static const trib_field values_fields[] = {{"words", 0, TRIB_FIELD_RECORDS, TRIB_FIELD_ALWAYS,
                                            false, NULL, &word_value, "pairs",
                                            "the strongest words of a mode"}};
static const trib_record_type values = TYPE("values", VALUE, trib_word_values, values_fields);

static const trib_field held_fields[] = {
    FIELD(trib_held_record, words, TEXTS, ALWAYS, "words", "its words"),
    FIELD(trib_held_record, target_count, COUNT, ALWAYS, "count", "occurrences in the target"),
    FIELD(trib_held_record, source_count, COUNT, ALWAYS, "count", "occurrences in the source"),
};
static const trib_record_type held = TYPE("held", OBJECT, trib_held_record, held_fields);

static const trib_field match_fields[] = {
    FIELD(trib_match_record, component, COUNT, ALWAYS, "from 1",
          "a factor of the target that has a source within the threshold"),
    FIELD(trib_match_record, weight, NUMBER, ALWAYS, "0 to 1",
          "its weight over the weights of all factors"),
    FIELD(trib_match_record, distance, NUMBER, ALWAYS, "0 to 2",
          "distance to the nearest factor of a source"),
    FIELD(trib_match_record, source, TEXT, ALWAYS, "id", "that source"),
    FIELD(trib_match_record, source_component, COUNT, NULL, "from 1, or null", "that factor"),
    FIELD(trib_match_record, next_source, TEXT, NULL, "id or null", "the second nearest source"),
    FIELD(trib_match_record, next_distance, NUMBER, NULL, "0 to 2, or null", "its distance"),
    FIELD(trib_match_record, phantom_mass, NUMBER, NULL, "0 to 1",
          "fraction of the factor on n-grams that the target does not hold"),
    FIELD(trib_match_record, wildcard_mass, NUMBER, IF, "0 to 1",
          "if there is `<other>`: fraction of the factor on n-grams with it"),
    PART(trib_match_record, words, RECORDS, ALWAYS, values,
         "for each mode the strongest words, each with its value; of a target of less than 1500 "
         "words with more than 40 sources from 0.005 on"),
    FIELD(trib_match_record, n_words, COUNTS, ALWAYS, "count", "words of each mode"),
    FIELD(trib_match_record, n_phrases, COUNT, ALWAYS, "count",
          "phrases under the factor that both texts hold"),
    PART(trib_match_record, phrases, RECORDS, ALWAYS, held, "the strongest of them"),
};
static const trib_record_type match = TYPE("match", OBJECT, trib_match_record, match_fields);

static const trib_field step_fields[] = {
    FIELD(trib_step_record, place, COUNT, ALWAYS, "from 0", "the place in `thresholds`"),
    FIELD(trib_step_record, share, NUMBER, ALWAYS, "0 to 1", "the share from there on"),
};
static const trib_record_type step = TYPE("step", ROW, trib_step_record, step_fields);
static const trib_field curve_fields[] = {
    FIELD(trib_curve_record, source, TEXT, ALWAYS, "id", "the source"),
    PART(trib_curve_record, steps, RECORDS, ALWAYS, step, "0 before the first step"),
};
static const trib_record_type curve = TYPE("curve", VALUE, trib_curve_record, curve_fields);

static const trib_field distances_fields[] = {
    FIELD(trib_distances_record, edges, NUMBERS, ALWAYS, "0 to 2",
          "edges of the bins of the histogram"),
    FIELD(trib_distances_record, counts, COUNTS, ALWAYS, "count",
          "factors of the target by distance to the nearest source"),
    FIELD(trib_distances_record, thresholds, NUMBERS, ALWAYS, "0 to 2", "thresholds of the curves"),
    PART(trib_distances_record, steps, MAP, ALWAYS, curve,
         "the share of each source by `lowe`: pairs of the place in `thresholds` from which it "
         "holds, and the share"),
    FIELD(trib_distances_record, author, NUMBERS, ALWAYS, "0 to 1",
          "`author` by `lowe` at each threshold"),
};
static const trib_record_type distances =
    TYPE("distances", OBJECT, trib_distances_record, distances_fields);

/* ---- The targets ----------------------------------------------------------------------------- */

static const trib_field target_fields[] = {
    FIELD(trib_target_record, target, TEXT, ALWAYS, "id", "a target"),
    FIELD(trib_target_record, n_sources, COUNT, ALWAYS, "count", "sources it may have"),
    FIELD(trib_target_record, admissible, COUNT, IF, "count",
          "with candidates: how many texts may be sources; `n_sources` of them were measured"),
    FIELD(trib_target_record, floor, NUMBER, ALWAYS, "0 to 1",
          "its noise floor by the headline method"),
    FIELD(trib_target_record, floor_from, TEXT, ALWAYS, "`rule` or id",
          "where the floor comes from: the setting or the method, or this decoy"),
    PART(trib_target_record, null, RECORD, IF, null,
         "with `influence.null: true`: when the words of the target are shuffled"),
    PART(trib_target_record, methods, MAP, ALWAYS, influence, "the shares by each method"),
    DETAILS(trib_target_record, ranking, RECORDS, IF, ranked,
            "with the methods `traced` and `split`"),
    PART(trib_target_record, evidence, RECORDS, ALWAYS, evidence, "what it shares with a source"),
    FIELD(trib_target_record, n_same_places, COUNT, POSITIVE, "count",
          "if the target has more than 40 sources and there are any: sources left out of "
          "`evidence` because three others (of a target of less than 1500 words: one) are listed "
          "at the same places"),
    DETAILS(trib_target_record, own, RECORD, IF, evidence,
            "n-grams of the target that stand in no source"),
    DETAILS(trib_target_record, matches, RECORDS, ALWAYS, match,
            "factors with a source within the threshold"),
    DETAIL(trib_target_record, n_matches, COUNT, ALWAYS, "count",
           "how many there are; `matches` has the first `report.top_phrases`, of a target of less "
           "than 1500 words with more than 40 sources one for every 200 words"),
    DETAILS(trib_target_record, distances, RECORD, NULL, distances,
            "null where no distances were measured"),
    {"n_parallels", offsetof(trib_target_record, n_parallels), TRIB_FIELD_COUNT, TRIB_FIELD_ALWAYS,
     true, "parallels", NULL, "count",
     "unless `parallels.unit` is `none`: rows of `parallels.tsv`"},
    DETAILS(trib_target_record, parallels, RECORDS, IF, parallel,
            "the best `report.top_phrases` of them"),
};
const trib_record_type trib_type_target = TYPE("target", OBJECT, trib_target_record, target_fields);

/* ---- The network and formulas ---------------------------------------------------------------- */

static const trib_field between_fields[] = {
    FIELD(trib_between_record, id, TEXT, ALWAYS, "id", "a text in between"),
    FIELD(trib_between_record, held, NUMBER, ALWAYS, "0 to 1", "the part that it holds"),
};
static const trib_record_type between =
    TYPE("between", OBJECT, trib_between_record, between_fields);

static const trib_field edge_fields[] = {
    FIELD(trib_edge_record, source, TEXT, ALWAYS, "id",
          "a share of the headline method at or above the floor"),
    FIELD(trib_edge_record, target, TEXT, ALWAYS, "id", "likewise"),
    FIELD(trib_edge_record, share, NUMBER, ALWAYS, "0 to 1", "likewise"),
    FIELD(trib_edge_record, low, NUMBER, IF, "0 to 1", "if there is an interval: its lower end"),
    FIELD(trib_edge_record, high, NUMBER, IF, "0 to 1", "if there is an interval: its upper end"),
    FIELD(trib_edge_record, members, TEXTS, IF, "id",
          "if the edge is that of a group: all its members; `source` is the one with the largest "
          "share, and the numbers are those of the group"),
    FIELD(trib_edge_record, backward, FLAG, IF, "`true`", "if the edge runs against the order"),
    FIELD(trib_edge_record, held, NUMBER, IF, "0 to 1",
          "if texts stand in between: the part of its phrases that they hold, too"),
    PART(trib_edge_record, between, RECORDS, IF, between, "those texts"),
    FIELD(trib_edge_record, ancestor, FLAG, IF, "`true`",
          "if nothing above the floor is left beyond the texts in between"),
};
static const trib_record_type edge = TYPE("edge", OBJECT, trib_edge_record, edge_fields);

static const trib_field path_fields[] = {
    FIELD(trib_path_record, source, TEXT, ALWAYS, "id",
          "a source that reaches a target through others"),
    FIELD(trib_path_record, target, TEXT, ALWAYS, "id", "that target"),
    FIELD(trib_path_record, direct, NUMBER, ALWAYS, "0 to 1", "its direct share"),
    FIELD(trib_path_record, through, NUMBER, ALWAYS, "0 to 1",
          "the sum over longer paths of the products of their shares"),
    FIELD(trib_path_record, along, TEXTS, ALWAYS, "id", "the strongest such path"),
};
static const trib_record_type path = TYPE("path", OBJECT, trib_path_record, path_fields);

static const trib_field graph_fields[] = {
    FIELD(trib_graph_record, order, TEXTS, ALWAYS, "id",
          "documents in their proposed order, the earliest first"),
    FIELD(trib_graph_record, order_from, TEXT, ALWAYS, "`dates`, `shares`, `dates and shares`",
          "what the order rests on"),
    PART(trib_graph_record, edges, RECORDS, ALWAYS, edge, "who draws on whom"),
    PART(trib_graph_record, paths, RECORDS, ALWAYS, path, "influence through other texts"),
};
static const trib_record_type graph = TYPE("graph", OBJECT, trib_graph_record, graph_fields);

static const trib_field formula_fields[] = {
    FIELD(trib_formula_record, words, COUNT, ALWAYS, "count, from 1", "as in `formulas.tsv`"),
    FIELD(trib_formula_record, documents, COUNT, ALWAYS, "count", "likewise"),
    FIELD(trib_formula_record, targets, COUNT, ALWAYS, "count, from 1", "likewise"),
    FIELD(trib_formula_record, first, TEXT, ALWAYS, "id", "likewise"),
    FIELD(trib_formula_record, date, TEXT, IF, "text", "if that document has a date"),
    FIELD(trib_formula_record, target, TEXT, ALWAYS, "id", "as in `formulas.tsv`"),
    FIELD(trib_formula_record, word, COUNT, ALWAYS, "from 1", "likewise"),
    FIELD(trib_formula_record, text, TEXT, ALWAYS, "text", "likewise"),
};
static const trib_record_type formula =
    TYPE("formula", OBJECT, trib_formula_record, formula_fields);

/* ---- The whole ------------------------------------------------------------------------------- */

static const trib_field judgements_fields[] = {
    FIELD(trib_judgements_record, accepted, COUNT, ALWAYS, "count", "passages accepted"),
    FIELD(trib_judgements_record, rejected, COUNT, ALWAYS, "count", "passages rejected"),
};
static const trib_record_type judgements =
    TYPE("judgements", OBJECT, trib_judgements_record, judgements_fields);

static const trib_field result_fields[] = {
    FIELD(trib_result, schema, COUNT, ALWAYS, "1", "version of this layout"),
    FIELD(trib_result, version, TEXT, ALWAYS, "text", "version of the program"),
    FIELD(trib_result, name, TEXT, ALWAYS, "text", "`name` of the configuration"),
    FIELD(trib_result, hash, TEXT, ALWAYS, "64 hexadecimal digits",
          "SHA-256 of the settings and inputs that can change a result"),
    FIELD(trib_result, configuration, SETTINGS, ALWAYS, "object",
          "sections of settings, each value as text"),
    FIELD(trib_result, changed, TEXTS, ALWAYS, "key",
          "the settings that differ from their defaults"),
    PART(trib_result, corpus, RECORD, ALWAYS, corpus, "the corpus"),
    PART(trib_result, same_words, RECORD, IF, same_words,
         "with `tokens.transform`, `variants`, `stem` or `stop`"),
    PART(trib_result, documents, RECORDS, ALWAYS, document, "the documents"),
    PART(trib_result, methods, RECORDS, ALWAYS, method, "the methods"),
    FIELD(trib_result, headline, TEXT, ALWAYS, "name", "the method that the report leads with"),
    FIELD(trib_result, threshold, NUMBER, ALWAYS, "0 to 2", "`influence.threshold`, a distance"),
    PART(trib_result, targets, TARGETS, ALWAYS, trib_type_target, "the targets"),
    PART(trib_result, graph, RECORD, IF, graph, "with two targets or more"),
    WITH("formulas", trib_result, n_formulas, COUNT, ALWAYS, "count, from 1",
         "if there are formulas: how many passages, listed or not"),
    PART(trib_result, formulas, RECORDS, IF, formula, "the longest 20"),
    FIELD(trib_result, warnings, TEXTS, ALWAYS, "text", "the warnings of the run"),
    FIELD(trib_result, matches_within, NUMBER, IF, "0 to 2",
          "of a report at another threshold: matches are within this"),
    PART(trib_result, judgements, RECORD, IF, judgements, "of a report with judgements"),
};
const trib_record_type trib_type_result = TYPE("result", OBJECT, trib_result, result_fields);

static const trib_field input_fields[] = {
    FIELD(trib_input_record, id, TEXT, ALWAYS, "id", "a document"),
    FIELD(trib_input_record, file, TEXT, ALWAYS, "path", "file as configured"),
    FIELD(trib_input_record, bytes, COUNT, ALWAYS, "bytes", "size as stored"),
    FIELD(trib_input_record, sha256, TEXT, NULL, "64 hexadecimal digits or null",
          "SHA-256 of the file; null if it could not be used"),
};
static const trib_record_type input = TYPE("input", OBJECT, trib_input_record, input_fields);

static const trib_field manifest_fields[] = {
    FIELD(trib_manifest_record, schema, COUNT, ALWAYS, "1", "version of this layout"),
    FIELD(trib_manifest_record, program, TEXT, ALWAYS, "`tributary`", "the program"),
    FIELD(trib_manifest_record, version, TEXT, ALWAYS, "text", "its version"),
    FIELD(trib_manifest_record, commit, TEXT, NULL, "text or null", "its commit"),
    FIELD(trib_manifest_record, icu, TEXT, ALWAYS, "text", "version of ICU"),
    FIELD(trib_manifest_record, hash, TEXT, ALWAYS, "64 hexadecimal digits", "hash of the run"),
    PART(trib_manifest_record, base, RECORD, IF, base, "with `--add-to`"),
    PART(trib_manifest_record, inputs, RECORDS, ALWAYS, input, "the documents"),
};
const trib_record_type trib_type_manifest =
    TYPE("manifest", OBJECT, trib_manifest_record, manifest_fields);

static const trib_field shown_passage_fields[] = {
    FIELD(trib_shown_passage_record, with, TEXT, ALWAYS, "id", "the source"),
    PART(trib_shown_passage_record, passage, MEMBERS, ALWAYS, trib_type_passage,
         "as in influence.json"),
};
static const trib_record_type shown_passage =
    TYPE("shown_passage", OBJECT, trib_shown_passage_record, shown_passage_fields);

static const trib_field summary_target_fields[] = {
    FIELD(trib_summary_target_record, target, TEXT, ALWAYS, "id", "a target"),
    FIELD(trib_summary_target_record, method, TEXT, ALWAYS, "name", "the headline method"),
    PART(trib_summary_target_record, longest_passage, RECORD, IF, shown_passage,
         "the longest passage"),
    PART(trib_summary_target_record, rarest_passage, RECORD, IF, shown_passage,
         "the passage with the rarest words"),
    FIELD(trib_summary_target_record, floor, NUMBER, ALWAYS, "0 to 1", "the noise floor"),
    FIELD(trib_summary_target_record, author, NUMBER, ALWAYS, "0 to 1", "what no source explains"),
    PART(trib_summary_target_record, shares, RECORDS, ALWAYS, share, "the largest first"),
    FIELD(trib_summary_target_record, formula, NUMBER, IF, "0 to 1", "formulas of many texts"),
    PART(trib_summary_target_record, ranking, RECORDS, IF, ranked, "the predecessors"),
    PART(trib_summary_target_record, groups, RECORDS, IF, group, "groups of sources"),
    PART(trib_summary_target_record, evidence, RECORDS, IF, evidence, "of the shares"),
    PART(trib_summary_target_record, parallels, RECORDS, IF, parallel, "possible allusions"),
};
static const trib_record_type summary_target =
    TYPE("summary_target", OBJECT, trib_summary_target_record, summary_target_fields);

static const trib_field summary_fields[] = {
    FIELD(trib_summary_record, schema, COUNT, ALWAYS, "1", "version of this layout"),
    FIELD(trib_summary_record, directory, TEXT, IF, "path", "the run directory"),
    FIELD(trib_summary_record, experiment, TEXT, IF, "path", "the YAML that was written"),
    FIELD(trib_summary_record, seconds, NUMBER, IF, "seconds", "time of the run"),
    FIELD(trib_summary_record, peak_bytes, NUMBER, IF, "bytes", "memory of the run"),
    FIELD(trib_summary_record, warnings, COUNT, IF, "count", "its warnings"),
    PART(trib_summary_record, targets, RECORDS, NULL, summary_target, "the targets"),
};
const trib_record_type trib_type_summary =
    TYPE("summary", OBJECT, trib_summary_record, summary_fields);

/* ---- Members --------------------------------------------------------------------------------- */

bool trib_field_is_absent(const trib_field *field, const void *record) {
    const void *const member = trib_field_of(field, record);
    switch (field->type) {
    case TRIB_FIELD_FLAG:
        return !*(const bool *)member;
    case TRIB_FIELD_COUNT:
        return *(const uint64_t *)member == TRIB_ABSENT;
    case TRIB_FIELD_NUMBER:
        return isnan(*(const double *)member);
    case TRIB_FIELD_MEMBERS:
        return false;
    default: { /* a pointer, or a list that begins with one */
        void *pointer;
        memcpy(&pointer, member, sizeof pointer);
        return !pointer;
    }
    }
}

bool trib_field_is_written(const trib_record_type *type, const trib_field *field,
                           const void *record) {
    if (field->with)
        for (size_t i = 0; i < type->n; i++)
            if (strcmp(type->field[i].name, field->with) == 0 &&
                trib_field_is_absent(&type->field[i], record))
                return false;
    if (field->when == TRIB_FIELD_POSITIVE)
        return *(const uint64_t *)trib_field_of(field, record) > 0;
    return field->when != TRIB_FIELD_IF || !trib_field_is_absent(field, record);
}

void trib_record_begin(const trib_record_type *type, void *record) {
    for (size_t i = 0; i < type->n; i++) {
        const trib_field *const field = &type->field[i];
        void *const member = trib_field_of(field, record);
        const bool may_lack = field->when == TRIB_FIELD_IF || field->when == TRIB_FIELD_NULL;
        if (field->type == TRIB_FIELD_NUMBER) *(double *)member = (double)NAN;
        else if (field->type == TRIB_FIELD_TEXT) *(const char **)member = may_lack ? NULL : "";
        else if (field->type == TRIB_FIELD_COUNT && may_lack) *(uint64_t *)member = TRIB_ABSENT;
    }
}

void *trib_record_new(trib_arena *arena, const trib_record_type *type) {
    void *const record = trib_arena_new(arena, 1, type->size);
    if (record) trib_record_begin(type, record);
    return record;
}
