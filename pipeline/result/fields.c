/* fields.c - the table of fields: every member of influence.json, in the order in which it is
 * written. */
#include "pipeline/result/fields.h"

#include <math.h>
#include <string.h>

/* ---- The corpus ------------------------------------------------------------------------------ */

static const trib_field refused_fields[] = {
    FIELD(trib_refused_record, id, TEXT, IF),
    FIELD(trib_refused_record, file, TEXT, ALWAYS),
    FIELD(trib_refused_record, why, TEXT, ALWAYS),
};
static const trib_record_type refused = TYPE(OBJECT, trib_refused_record, refused);

static const trib_field candidates_fields[] = {
    FIELD(trib_candidates_record, most, COUNT, ALWAYS),
    FIELD(trib_candidates_record, one_in, COUNT, ALWAYS),
};
static const trib_record_type candidates = TYPE(OBJECT, trib_candidates_record, candidates);

static const trib_field base_fields[] = {
    FIELD(trib_base_record, hash, TEXT, ALWAYS),
    FIELD(trib_base_record, documents, COUNT, ALWAYS),
    FIELD(trib_base_record, added, TEXTS, ALWAYS),
    FIELD(trib_base_record, only_changed, FLAG, ALWAYS),
};
static const trib_record_type base = TYPE(OBJECT, trib_base_record, base);

static const trib_field corpus_fields[] = {
    FIELD(trib_corpus_record, tokens, COUNT, ALWAYS),
    FIELD(trib_corpus_record, vocabulary, COUNT, ALWAYS),
    FIELD(trib_corpus_record, wildcard_tokens, NUMBER, ALWAYS),
    FIELD(trib_corpus_record, wildcard_ngrams, NUMBER, ALWAYS),
    PART(trib_corpus_record, candidates, RECORD, IF, candidates),
    PART(trib_corpus_record, base, RECORD, IF, base),
    PART(trib_corpus_record, refused, RECORDS, IF, refused),
    PART(trib_corpus_record, left_out, RECORDS, IF, refused),
    FIELD(trib_corpus_record, read_as, TEXTS, IF),
};
static const trib_record_type corpus = TYPE(OBJECT, trib_corpus_record, corpus);

static const trib_field change_fields[] = {
    FIELD(trib_change_record, spelling, TEXT, ALWAYS),
    FIELD(trib_change_record, norm, TEXT, ALWAYS),
    FIELD(trib_change_record, shown, TEXT, ALWAYS),
    FIELD(trib_change_record, count, COUNT, ALWAYS),
};
static const trib_record_type change = TYPE(OBJECT, trib_change_record, change);

static const trib_field same_words_fields[] = {
    FIELD(trib_same_words_record, spellings, COUNT, ALWAYS),
    FIELD(trib_same_words_record, words, COUNT, ALWAYS),
    FIELD(trib_same_words_record, changed, COUNT, ALWAYS),
    FIELD(trib_same_words_record, changed_tokens, COUNT, ALWAYS),
    FIELD(trib_same_words_record, left_out, COUNT, ALWAYS),
    FIELD(trib_same_words_record, left_out_tokens, COUNT, ALWAYS),
    PART(trib_same_words_record, changes, RECORDS, ALWAYS, change),
};
static const trib_record_type same_words = TYPE(OBJECT, trib_same_words_record, same_words);

static const trib_field cut_fields[] = {
    FIELD(trib_cut_record, bytes, COUNT, ALWAYS),
    FIELD(trib_cut_record, lines, COUNT, ALWAYS),
};
static const trib_record_type cut = TYPE(OBJECT, trib_cut_record, cut);

static const trib_field stripped_fields[] = {
    FIELD(trib_stripped_record, texts, COUNT, ALWAYS),
    PART(trib_stripped_record, before, RECORD, ALWAYS, cut),
    PART(trib_stripped_record, between, RECORD, ALWAYS, cut),
    PART(trib_stripped_record, behind, RECORD, ALWAYS, cut),
};
static const trib_record_type stripped = TYPE(OBJECT, trib_stripped_record, stripped);

static const trib_field rank_fields[] = {
    FIELD(trib_rank_record, rank, COUNT, ALWAYS),
    FIELD(trib_rank_record, components, COUNT, ALWAYS),
    FIELD(trib_rank_record, error, NUMBER, NULL),
    FIELD(trib_rank_record, l1_error, NUMBER, NULL),
    FIELD(trib_rank_record, core_consistency, NUMBER, NULL),
    FIELD(trib_rank_record, iterations, COUNT, ALWAYS),
    FIELD(trib_rank_record, chosen, FLAG, ALWAYS),
};
static const trib_record_type rank = TYPE(OBJECT, trib_rank_record, rank);

static const trib_field factors_fields[] = {
    FIELD(trib_factors_record, rank, COUNT, ALWAYS),
    FIELD(trib_factors_record, fit, NUMBER, NULL),
    FIELD(trib_factors_record, precision, TEXT, IF),
    WITH("format", trib_factors_record, iterations, COUNT, ALWAYS),
    WITH("format", trib_factors_record, stop, TEXT, ALWAYS),
    WITH("format", trib_factors_record, fits, NUMBERS, NULL),
    FIELD(trib_factors_record, restarts, COUNT, IF),
    FIELD(trib_factors_record, worst_fit, NUMBER, IF),
    FIELD(trib_factors_record, match, NUMBER, IF),
    FIELD(trib_factors_record, least_match, NUMBER, IF),
    WITH("format", trib_factors_record, zero, COUNT, ALWAYS),
    WITH("format", trib_factors_record, mass, NUMBER, ALWAYS),
    FIELD(trib_factors_record, format, TEXT, IF),
    FIELD(trib_factors_record, format_reason, TEXT, IF),
    WITH("format", trib_factors_record, l1_error, NUMBER, NULL),
    WITH("format", trib_factors_record, congruence, NUMBER, NULL),
    PART(trib_factors_record, ranks, RECORDS, IF, rank),
    FIELD(trib_factors_record, rank_end, TEXT, IF),
};
static const trib_record_type factors = TYPE(OBJECT, trib_factors_record, factors);

static const trib_field document_fields[] = {
    FIELD(trib_document_record, id, TEXT, ALWAYS),
    FIELD(trib_document_record, title, TEXT, ALWAYS),
    FIELD(trib_document_record, author, TEXT, ALWAYS),
    FIELD(trib_document_record, date, TEXT, NULL),
    FIELD(trib_document_record, date_from, TEXT, IF),
    FIELD(trib_document_record, role, TEXT, ALWAYS),
    FIELD(trib_document_record, file, TEXT, ALWAYS),
    FIELD(trib_document_record, sha256, TEXT, ALWAYS),
    FIELD(trib_document_record, bytes, COUNT, ALWAYS),
    FIELD(trib_document_record, kind, TEXT, ALWAYS),
    FIELD(trib_document_record, encoding, TEXT, ALWAYS),
    FIELD(trib_document_record, language, TEXT, IF),
    PART(trib_document_record, stripped, RECORD, IF, stripped),
    FIELD(trib_document_record, words, COUNT, ALWAYS),
    FIELD(trib_document_record, vocabulary, COUNT, ALWAYS),
    FIELD(trib_document_record, ngrams, COUNT, ALWAYS),
    FIELD(trib_document_record, nonzeros, COUNT, ALWAYS),
    FIELD(trib_document_record, wildcard_ngrams, NUMBER, ALWAYS),
    FIELD(trib_document_record, replaced, COUNT, ALWAYS),
    PART(trib_document_record, factors, RECORD, NULL, factors),
};
static const trib_record_type document = TYPE(OBJECT, trib_document_record, document);

static const trib_field method_fields[] = {
    FIELD(trib_method_record, name, TEXT, ALWAYS),
    FIELD(trib_method_record, help, TEXT, ALWAYS),
    FIELD(trib_method_record, sums_to_one, FLAG, ALWAYS),
};
static const trib_record_type method = TYPE(OBJECT, trib_method_record, method);

/* ---- Shares ---------------------------------------------------------------------------------- */

static const trib_field null_fields[] = {
    FIELD(trib_null_record, not_measured, TEXT, IF),
    FIELD(trib_null_record, largest, NUMBER, IF),
    FIELD(trib_null_record, source, TEXT, IF),
    FIELD(trib_null_record, mean, NUMBER, IF),
    WITH("largest", trib_null_record, blocks, COUNT, ALWAYS),
    WITH("largest", trib_null_record, seed, COUNT, ALWAYS),
};
static const trib_record_type null = TYPE(OBJECT, trib_null_record, null);

static const trib_field share_fields[] = {
    FIELD(trib_share_record, source, TEXT, ALWAYS),
    FIELD(trib_share_record, share, NUMBER, ALWAYS),
    FIELD(trib_share_record, low, NUMBER, IF),
    FIELD(trib_share_record, high, NUMBER, IF),
    FIELD(trib_share_record, below_floor, FLAG, IF),
    FIELD(trib_share_record, group, TEXT, IF),
    FIELD(trib_share_record, decoy, FLAG, IF),
};
static const trib_record_type share = TYPE(OBJECT, trib_share_record, share);

static const trib_field group_fields[] = {
    FIELD(trib_group_record, members, TEXTS, ALWAYS),
    FIELD(trib_group_record, share, NUMBER, ALWAYS),
    FIELD(trib_group_record, low, NUMBER, IF),
    FIELD(trib_group_record, high, NUMBER, IF),
    FIELD(trib_group_record, below_floor, FLAG, IF),
};
static const trib_record_type group = TYPE(OBJECT, trib_group_record, group);

static const trib_field left_out_fields[] = {
    FIELD(trib_left_out_record, sources, COUNT, ALWAYS),
    FIELD(trib_left_out_record, share, NUMBER, ALWAYS),
};
static const trib_record_type left_out = TYPE(OBJECT, trib_left_out_record, left_out);

static const trib_field influence_fields[] = {
    FIELD(trib_influence_record, method, TEXT, ALWAYS),
    FIELD(trib_influence_record, author, NUMBER, IF),
    FIELD(trib_influence_record, formula, NUMBER, IF),
    FIELD(trib_influence_record, own, NUMBER, IF),
    FIELD(trib_influence_record, common, NUMBER, IF),
    FIELD(trib_influence_record, explained, NUMBER, IF),
    FIELD(trib_influence_record, matched, NUMBER, IF),
    WITH("log_likelihood", trib_influence_record, background, COUNT, ALWAYS),
    WITH("log_likelihood", trib_influence_record, iterations, COUNT, ALWAYS),
    FIELD(trib_influence_record, log_likelihood, NUMBER, IF),
    FIELD(trib_influence_record, weighed, COUNT, IF),
    PART(trib_influence_record, left_out, RECORD, IF, left_out),
    FIELD(trib_influence_record, floor, NUMBER, ALWAYS),
    PART(trib_influence_record, groups, RECORDS, IF, group),
    PART(trib_influence_record, shares, RECORDS, ALWAYS, share),
};
static const trib_record_type influence = TYPE(OBJECT, trib_influence_record, influence);

static const trib_field ranked_fields[] = {
    FIELD(trib_ranked_record, source, TEXT, ALWAYS),
    FIELD(trib_ranked_record, score, NUMBER, ALWAYS),
};
static const trib_record_type ranked = TYPE(OBJECT, trib_ranked_record, ranked);

/* ---- Phrases and passages -------------------------------------------------------------------- */

static const trib_field phrase_fields[] = {
    FIELD(trib_phrase_record, words, TEXTS, ALWAYS),
    FIELD(trib_phrase_record, target_count, COUNT, ALWAYS),
    FIELD(trib_phrase_record, source_count, COUNT, ALWAYS),
    FIELD(trib_phrase_record, other_documents, COUNT, ALWAYS),
    FIELD(trib_phrase_record, mass, NUMBER, ALWAYS),
};
static const trib_record_type phrase = TYPE(OBJECT, trib_phrase_record, phrase);

static const trib_field mode_fields[] = {
    {"words", 0, TRIB_FIELD_TEXTS, TRIB_FIELD_ALWAYS, false, NULL, NULL},
};
static const trib_record_type mode = TYPE(VALUE, trib_texts, mode);

static const trib_field cover_fields[] = {
    FIELD(trib_cover_record, mass, NUMBER, ALWAYS),
    FIELD(trib_cover_record, free_mode, COUNT, ALWAYS),
    PART(trib_cover_record, words, RECORDS, ALWAYS, mode),
};
static const trib_record_type cover = TYPE(OBJECT, trib_cover_record, cover);

static const trib_field place_fields[] = {
    FIELD(trib_place_record, first, COUNT, ALWAYS),
    FIELD(trib_place_record, words, COUNT, ALWAYS),
    FIELD(trib_place_record, reference, TEXT, IF),
    DETAIL(trib_place_record, text, TEXTS, IF),
    WITH("text", trib_place_record, cut, FLAG, ALWAYS),
    FIELD(trib_place_record, from, COUNT, IF),
    FIELD(trib_place_record, to, COUNT, IF),
};
static const trib_record_type place = TYPE(OBJECT, trib_place_record, place);

static const trib_field passage_fields[] = {
    FIELD(trib_passage_record, id, TEXT, ALWAYS),
    FIELD(trib_passage_record, words, COUNT, ALWAYS),
    FIELD(trib_passage_record, shared, COUNT, ALWAYS),
    FIELD(trib_passage_record, mass, NUMBER, ALWAYS),
    FIELD(trib_passage_record, belief, NUMBER, ALWAYS),
    FIELD(trib_passage_record, rarity, NUMBER, ALWAYS),
    FIELD(trib_passage_record, rarest, TEXTS, ALWAYS),
    FIELD(trib_passage_record, notable, FLAG, ALWAYS),
    PART(trib_passage_record, target, RECORD, ALWAYS, place),
    PART(trib_passage_record, source, RECORD, ALWAYS, place),
    FIELD(trib_passage_record, note, TEXT, IF),
};
const trib_record_type trib_type_passage = TYPE(OBJECT, trib_passage_record, passage);

static const trib_field evidence_fields[] = {
    FIELD(trib_evidence_record, source, TEXT, IF),
    FIELD(trib_evidence_record, share, NUMBER, ALWAYS),
    FIELD(trib_evidence_record, n_phrases, COUNT, ALWAYS),
    DETAILS(trib_evidence_record, phrases, RECORDS, ALWAYS, phrase),
    FIELD(trib_evidence_record, n_commonplaces, COUNT, POSITIVE),
    DETAILS(trib_evidence_record, commonplaces, RECORDS, IF, phrase),
    FIELD(trib_evidence_record, n_factors, COUNT, ALWAYS),
    DETAILS(trib_evidence_record, factors, RECORDS, ALWAYS, cover),
    WITH("passages", trib_evidence_record, n_passages, COUNT, ALWAYS),
    WITH("passages", trib_evidence_record, n_notable, COUNT, ALWAYS),
    FIELD(trib_evidence_record, n_same_places, COUNT, POSITIVE),
    PART(trib_evidence_record, passages, RECORDS, IF, trib_type_passage),
    DETAIL(trib_evidence_record, strip, COUNTS, IF),
};
static const trib_record_type evidence = TYPE(OBJECT, trib_evidence_record, evidence);

static const trib_field shared_word_fields[] = {
    FIELD(trib_shared_word_record, feature, TEXT, ALWAYS),
    FIELD(trib_shared_word_record, count, COUNT, ALWAYS),
    FIELD(trib_shared_word_record, target_word, COUNT, ALWAYS),
    FIELD(trib_shared_word_record, source_word, COUNT, ALWAYS),
};
static const trib_record_type shared_word = TYPE(OBJECT, trib_shared_word_record, shared_word);

static const trib_field parallel_fields[] = {
    FIELD(trib_parallel_record, rank, COUNT, ALWAYS),
    FIELD(trib_parallel_record, score, NUMBER, ALWAYS),
    FIELD(trib_parallel_record, source, TEXT, ALWAYS),
    PART(trib_parallel_record, shared, RECORDS, ALWAYS, shared_word),
    FIELD(trib_parallel_record, distance, COUNT, NULL),
    FIELD(trib_parallel_record, cosine, NUMBER, ALWAYS),
    PART(trib_parallel_record, in_target, RECORD, ALWAYS, place),
    PART(trib_parallel_record, in_source, RECORD, ALWAYS, place),
};
static const trib_record_type parallel = TYPE(OBJECT, trib_parallel_record, parallel);

/* ---- Factors and distances ------------------------------------------------------------------- */

static const trib_field word_value_fields[] = {
    FIELD(trib_word_value, word, TEXT, ALWAYS),
    FIELD(trib_word_value, value, NUMBER, ALWAYS),
};
static const trib_record_type word_value = TYPE(ROW, trib_word_value, word_value);
static const trib_field values_fields[] = {
    {"words", 0, TRIB_FIELD_RECORDS, TRIB_FIELD_ALWAYS, false, NULL, &word_value},
};
static const trib_record_type values = TYPE(VALUE, trib_word_values, values);

static const trib_field held_fields[] = {
    FIELD(trib_held_record, words, TEXTS, ALWAYS),
    FIELD(trib_held_record, target_count, COUNT, ALWAYS),
    FIELD(trib_held_record, source_count, COUNT, ALWAYS),
};
static const trib_record_type held = TYPE(OBJECT, trib_held_record, held);

static const trib_field match_fields[] = {
    FIELD(trib_match_record, component, COUNT, ALWAYS),
    FIELD(trib_match_record, weight, NUMBER, ALWAYS),
    FIELD(trib_match_record, distance, NUMBER, ALWAYS),
    FIELD(trib_match_record, source, TEXT, ALWAYS),
    FIELD(trib_match_record, source_component, COUNT, NULL),
    FIELD(trib_match_record, next_source, TEXT, NULL),
    FIELD(trib_match_record, next_distance, NUMBER, NULL),
    FIELD(trib_match_record, phantom_mass, NUMBER, NULL),
    FIELD(trib_match_record, wildcard_mass, NUMBER, IF),
    PART(trib_match_record, words, RECORDS, ALWAYS, values),
    FIELD(trib_match_record, n_words, COUNTS, ALWAYS),
    FIELD(trib_match_record, n_phrases, COUNT, ALWAYS),
    PART(trib_match_record, phrases, RECORDS, ALWAYS, held),
};
static const trib_record_type match = TYPE(OBJECT, trib_match_record, match);

static const trib_field step_fields[] = {
    FIELD(trib_step_record, place, COUNT, ALWAYS),
    FIELD(trib_step_record, share, NUMBER, ALWAYS),
};
static const trib_record_type step = TYPE(ROW, trib_step_record, step);
static const trib_field curve_fields[] = {
    FIELD(trib_curve_record, source, TEXT, ALWAYS),
    PART(trib_curve_record, steps, RECORDS, ALWAYS, step),
};
static const trib_record_type curve = TYPE(VALUE, trib_curve_record, curve);

static const trib_field distances_fields[] = {
    FIELD(trib_distances_record, edges, NUMBERS, ALWAYS),
    FIELD(trib_distances_record, counts, COUNTS, ALWAYS),
    FIELD(trib_distances_record, thresholds, NUMBERS, ALWAYS),
    PART(trib_distances_record, steps, MAP, ALWAYS, curve),
    FIELD(trib_distances_record, author, NUMBERS, ALWAYS),
};
static const trib_record_type distances = TYPE(OBJECT, trib_distances_record, distances);

/* ---- The targets ----------------------------------------------------------------------------- */

static const trib_field target_fields[] = {
    FIELD(trib_target_record, target, TEXT, ALWAYS),
    FIELD(trib_target_record, n_sources, COUNT, ALWAYS),
    FIELD(trib_target_record, admissible, COUNT, IF),
    FIELD(trib_target_record, floor, NUMBER, ALWAYS),
    FIELD(trib_target_record, floor_from, TEXT, ALWAYS),
    PART(trib_target_record, null, RECORD, IF, null),
    PART(trib_target_record, methods, MAP, ALWAYS, influence),
    DETAILS(trib_target_record, ranking, RECORDS, IF, ranked),
    PART(trib_target_record, evidence, RECORDS, ALWAYS, evidence),
    FIELD(trib_target_record, n_same_places, COUNT, POSITIVE),
    DETAILS(trib_target_record, own, RECORD, IF, evidence),
    DETAILS(trib_target_record, matches, RECORDS, ALWAYS, match),
    DETAIL(trib_target_record, n_matches, COUNT, ALWAYS),
    DETAILS(trib_target_record, distances, RECORD, NULL, distances),
    ROW(trib_target_record, n_parallels, TRIB_FIELD_COUNT, TRIB_FIELD_ALWAYS, true, "parallels",
        NULL),
    DETAILS(trib_target_record, parallels, RECORDS, IF, parallel),
};
const trib_record_type trib_type_target = TYPE(OBJECT, trib_target_record, target);

/* ---- The network and formulas ---------------------------------------------------------------- */

static const trib_field between_fields[] = {
    FIELD(trib_between_record, id, TEXT, ALWAYS),
    FIELD(trib_between_record, held, NUMBER, ALWAYS),
};
static const trib_record_type between = TYPE(OBJECT, trib_between_record, between);

static const trib_field edge_fields[] = {
    FIELD(trib_edge_record, source, TEXT, ALWAYS),
    FIELD(trib_edge_record, target, TEXT, ALWAYS),
    FIELD(trib_edge_record, share, NUMBER, ALWAYS),
    FIELD(trib_edge_record, low, NUMBER, IF),
    FIELD(trib_edge_record, high, NUMBER, IF),
    FIELD(trib_edge_record, members, TEXTS, IF),
    FIELD(trib_edge_record, backward, FLAG, IF),
    FIELD(trib_edge_record, held, NUMBER, IF),
    PART(trib_edge_record, between, RECORDS, IF, between),
    FIELD(trib_edge_record, ancestor, FLAG, IF),
};
static const trib_record_type edge = TYPE(OBJECT, trib_edge_record, edge);

static const trib_field path_fields[] = {
    FIELD(trib_path_record, source, TEXT, ALWAYS),
    FIELD(trib_path_record, target, TEXT, ALWAYS),
    FIELD(trib_path_record, direct, NUMBER, ALWAYS),
    FIELD(trib_path_record, through, NUMBER, ALWAYS),
    FIELD(trib_path_record, along, TEXTS, ALWAYS),
};
static const trib_record_type path = TYPE(OBJECT, trib_path_record, path);

static const trib_field graph_fields[] = {
    FIELD(trib_graph_record, order, TEXTS, ALWAYS),
    FIELD(trib_graph_record, order_from, TEXT, ALWAYS),
    PART(trib_graph_record, edges, RECORDS, ALWAYS, edge),
    PART(trib_graph_record, paths, RECORDS, ALWAYS, path),
};
static const trib_record_type graph = TYPE(OBJECT, trib_graph_record, graph);

static const trib_field formula_fields[] = {
    FIELD(trib_formula_record, words, COUNT, ALWAYS),
    FIELD(trib_formula_record, documents, COUNT, ALWAYS),
    FIELD(trib_formula_record, targets, COUNT, ALWAYS),
    FIELD(trib_formula_record, first, TEXT, ALWAYS),
    FIELD(trib_formula_record, date, TEXT, IF),
    FIELD(trib_formula_record, target, TEXT, ALWAYS),
    FIELD(trib_formula_record, word, COUNT, ALWAYS),
    FIELD(trib_formula_record, text, TEXT, ALWAYS),
};
static const trib_record_type formula = TYPE(OBJECT, trib_formula_record, formula);

/* ---- The whole ------------------------------------------------------------------------------- */

static const trib_field judgements_fields[] = {
    FIELD(trib_judgements_record, accepted, COUNT, ALWAYS),
    FIELD(trib_judgements_record, rejected, COUNT, ALWAYS),
};
static const trib_record_type judgements = TYPE(OBJECT, trib_judgements_record, judgements);

static const trib_field result_fields[] = {
    FIELD(trib_result, schema, COUNT, ALWAYS),
    FIELD(trib_result, version, TEXT, ALWAYS),
    FIELD(trib_result, name, TEXT, ALWAYS),
    FIELD(trib_result, hash, TEXT, ALWAYS),
    FIELD(trib_result, configuration, SETTINGS, ALWAYS),
    FIELD(trib_result, changed, TEXTS, ALWAYS),
    PART(trib_result, corpus, RECORD, ALWAYS, corpus),
    PART(trib_result, same_words, RECORD, IF, same_words),
    PART(trib_result, documents, RECORDS, ALWAYS, document),
    PART(trib_result, methods, RECORDS, ALWAYS, method),
    FIELD(trib_result, headline, TEXT, ALWAYS),
    FIELD(trib_result, threshold, NUMBER, ALWAYS),
    PART(trib_result, targets, TARGETS, ALWAYS, trib_type_target),
    PART(trib_result, graph, RECORD, IF, graph),
    WITH("formulas", trib_result, n_formulas, COUNT, ALWAYS),
    PART(trib_result, formulas, RECORDS, IF, formula),
    FIELD(trib_result, warnings, TEXTS, ALWAYS),
    FIELD(trib_result, matches_within, NUMBER, IF),
    PART(trib_result, judgements, RECORD, IF, judgements),
};
const trib_record_type trib_type_result = TYPE(OBJECT, trib_result, result);

static const trib_field input_fields[] = {
    FIELD(trib_input_record, id, TEXT, ALWAYS),
    FIELD(trib_input_record, file, TEXT, ALWAYS),
    FIELD(trib_input_record, bytes, COUNT, ALWAYS),
    FIELD(trib_input_record, sha256, TEXT, NULL),
};
static const trib_record_type input = TYPE(OBJECT, trib_input_record, input);

static const trib_field manifest_fields[] = {
    FIELD(trib_manifest_record, schema, COUNT, ALWAYS),
    FIELD(trib_manifest_record, program, TEXT, ALWAYS),
    FIELD(trib_manifest_record, version, TEXT, ALWAYS),
    FIELD(trib_manifest_record, commit, TEXT, NULL),
    FIELD(trib_manifest_record, icu, TEXT, ALWAYS),
    FIELD(trib_manifest_record, hash, TEXT, ALWAYS),
    PART(trib_manifest_record, base, RECORD, IF, base),
    PART(trib_manifest_record, inputs, RECORDS, ALWAYS, input),
};
const trib_record_type trib_type_manifest = TYPE(OBJECT, trib_manifest_record, manifest);

static const trib_field shown_passage_fields[] = {
    FIELD(trib_shown_passage_record, with, TEXT, ALWAYS),
    PART(trib_shown_passage_record, passage, MEMBERS, ALWAYS, trib_type_passage),
};
static const trib_record_type shown_passage =
    TYPE(OBJECT, trib_shown_passage_record, shown_passage);

static const trib_field summary_target_fields[] = {
    FIELD(trib_summary_target_record, target, TEXT, ALWAYS),
    FIELD(trib_summary_target_record, method, TEXT, ALWAYS),
    PART(trib_summary_target_record, longest_passage, RECORD, IF, shown_passage),
    PART(trib_summary_target_record, rarest_passage, RECORD, IF, shown_passage),
    FIELD(trib_summary_target_record, floor, NUMBER, ALWAYS),
    FIELD(trib_summary_target_record, author, NUMBER, ALWAYS),
    PART(trib_summary_target_record, shares, RECORDS, ALWAYS, share),
    FIELD(trib_summary_target_record, formula, NUMBER, IF),
    PART(trib_summary_target_record, ranking, RECORDS, IF, ranked),
    PART(trib_summary_target_record, groups, RECORDS, IF, group),
    PART(trib_summary_target_record, evidence, RECORDS, IF, evidence),
    PART(trib_summary_target_record, parallels, RECORDS, IF, parallel),
};
static const trib_record_type summary_target =
    TYPE(OBJECT, trib_summary_target_record, summary_target);

static const trib_field summary_fields[] = {
    FIELD(trib_summary_record, schema, COUNT, ALWAYS),
    FIELD(trib_summary_record, directory, TEXT, IF),
    FIELD(trib_summary_record, experiment, TEXT, IF),
    FIELD(trib_summary_record, seconds, NUMBER, IF),
    FIELD(trib_summary_record, peak_bytes, NUMBER, IF),
    FIELD(trib_summary_record, warnings, COUNT, IF),
    PART(trib_summary_record, targets, RECORDS, NULL, summary_target),
};
const trib_record_type trib_type_summary = TYPE(OBJECT, trib_summary_record, summary);

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
