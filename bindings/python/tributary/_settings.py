"""The types of settings. Written by `make docs` from pipeline/config/keys.txt."""
from __future__ import annotations

import os
from typing import Any, Literal, Sequence, TypedDict, Union


class CorpusSettings(TypedDict, total=False):
    """Keys of the section `corpus`."""
    manifest: Union[str, "os.PathLike[str]", None]
    glob: Union[str, "os.PathLike[str]", None]
    library: Union[str, "os.PathLike[str]", None]
    root: Union[str, "os.PathLike[str]", None]
    target: Union[str, Sequence[str], None]
    order: Union[Literal["any", "by-date"], None]
    encoding: Union[str, None]
    on_invalid: Union[Literal["error", "replace"], None]
    notes: Union[Literal["drop", "keep", "separate"], None]
    join_hyphens: Union[Literal[False, True, "auto"], None]
    reading: Union[Literal["source", "regularised"], None]
    witness: Union[str, None]
    speakers: Union[Literal["keep", "drop"], None]
    stage_directions: Union[Literal["keep", "drop"], None]
    min_confidence: Union[float, None]
    markup: Union[str, "os.PathLike[str]", None]
    reference: Union[Any, None]
    links: Union[Literal["within", "follow"], None]
    on_error: Union[Literal["refuse", "skip"], None]
    strip: Union[str, Sequence[str], None]
    title: Union[str, None]
    editors: Union[str, None]
    license: Union[str, None]
    address: Union[str, None]
    max_strip: Union[float, None]
    near_duplicate: Union[float, None]


class TokensSettings(TypedDict, total=False):
    """Keys of the section `tokens`."""
    locale: Union[str, None]
    equivalence: Union[Literal["none", "plain"], None]
    normalize: Union[Literal["none", "nfc", "nfkc"], None]
    case: Union[Literal["none", "fold"], None]
    apostrophes: Union[Literal["straight", "keep", "split", "join"], None]
    hyphens: Union[Literal["split", "join", "keep"], None]
    numbers: Union[Literal["drop", "keep", "class"], None]
    break_at: Union[str, Sequence[str], None]
    transform: Union[str, "os.PathLike[str]", None]
    variants: Union[str, "os.PathLike[str]", None]
    stem: Union[str, None]
    stop: Union[Any, None]


class VocabularySettings(TypedDict, total=False):
    """Keys of the section `vocabulary`."""
    size: Union[int, Literal["all"], None]
    min_count: Union[int, None]
    min_documents: Union[int, None]
    oov: Union[Literal["break", "wildcard"], None]
    file: Union[str, "os.PathLike[str]", None]


class TensorSettings(TypedDict, total=False):
    """Keys of the section `tensor`."""
    n: Union[int, None]
    skip: Union[int, None]
    format: Union[str, None]
    hash: Union[str, None]
    load: Union[float, None]
    buckets: Union[int, None]
    block: Union[int, Literal["auto"], None]
    superblock: Union[int, Literal["auto"], None]
    fragment: Union[str, None]
    reads: Union[str, None]


class CpSettings(TypedDict, total=False):
    """Keys of the section `cp`."""
    solver: Union[str, None]
    start: Union[str, None]
    rank: Union[int, Literal["all", "auto", "lowe", "holdout", "budget"], None]
    max_rank: Union[int, None]
    sweeps: Union[int, None]
    iterations: Union[int, None]
    tolerance: Union[float, None]
    restarts: Union[int, None]
    seed: Union[int, None]
    kkt: Union[float, None]
    l1: Union[str, None]
    l2: Union[str, None]
    fixed: Union[str, Sequence[str], Sequence[int], None]
    extrapolation: Union[Literal["auto", "none", "nesterov"], None]
    precision: Union[Literal["double", "single"], None]
    lift: Union[float, None]


class InfluenceSettings(TypedDict, total=False):
    """Keys of the section `influence`."""
    methods: Union[str, Sequence[str], None]
    headline: Union[str, Literal["auto"], None]
    threshold: Union[float, None]
    background: Union[int, Literal["auto"], None]
    background_of: Union[Literal["auto", "target", "corpus"], None]
    floor: Union[float, Literal["auto"], None]
    bootstrap: Union[int, None]
    shortlist: Union[int, Literal["all"], None]
    candidates: Union[int, Literal["auto"], None]
    formula: Union[int, Literal["none"], None]
    run: Union[int, None]
    null: Union[Literal[False, True], None]


class ParallelsSettings(TypedDict, total=False):
    """Keys of the section `parallels`."""
    unit: Union[Literal["none", "phrases", "lines", "sentences", "windows"], None]
    feature: Union[Literal["auto", "lemmas", "stems", "letters", "words"], None]
    lemmas: Union[str, "os.PathLike[str]", None]
    language: Union[str, None]
    letters: Union[int, None]
    spelling: Union[Literal["written", "latin"], None]
    distance: Union[float, None]
    window: Union[int, None]
    top: Union[int, None]


class TranslationsSettings(TypedDict, total=False):
    """Keys of the section `translations`."""
    search: Union[Literal["auto", "all", "none"], None]
    dictionary: Union[str, "os.PathLike[str]", None]
    table: Union[str, "os.PathLike[str]", None]
    power: Union[Literal[False, True], None]


class ReportSettings(TypedDict, total=False):
    """Keys of the section `report`."""
    formats: Union[str, Sequence[str], None]
    top_phrases: Union[int, None]
    commonplace: Union[float, None]
    commonplaces: Union[str, "os.PathLike[str]", None]
    context_words: Union[int, None]
    target_pages: Union[int, Literal["all", "auto"], None]
    text: Union[Literal["none", "snippets", "full"], None]
    doubtful: Union[Literal[False, True], None]
    spreadsheet_safe: Union[Literal[False, True], None]


class ResourcesSettings(TypedDict, total=False):
    """Keys of the section `resources`."""
    threads: Union[int, Literal["auto"], None]
    kernels: Union[Literal["auto", "portable", "avx2", "avx512"], None]
    memory: Union[float, str, Literal["auto"], None]
    time: Union[float, str, Literal["none"], None]
    unpacked: Union[float, str, Literal["none"], None]
    members: Union[int, None]
    parts: Union[int, None]
    sandbox: Union[Literal[False, True], None]


class Settings(TypedDict, total=False):
    """Settings of `tributary.run`; ``tributary help keys`` explains them."""
    corpus: CorpusSettings
    tokens: TokensSettings
    vocabulary: VocabularySettings
    tensor: TensorSettings
    cp: CpSettings
    influence: InfluenceSettings
    parallels: ParallelsSettings
    translations: TranslationsSettings
    report: ReportSettings
    resources: ResourcesSettings
    preset: Union[str, None]
    name: Union[str, None]
    corpus_manifest: Union[str, "os.PathLike[str]", None]
    corpus_glob: Union[str, "os.PathLike[str]", None]
    corpus_library: Union[str, "os.PathLike[str]", None]
    corpus_root: Union[str, "os.PathLike[str]", None]
    corpus_target: Union[str, Sequence[str], None]
    corpus_order: Union[Literal["any", "by-date"], None]
    corpus_encoding: Union[str, None]
    corpus_on_invalid: Union[Literal["error", "replace"], None]
    corpus_notes: Union[Literal["drop", "keep", "separate"], None]
    corpus_join_hyphens: Union[Literal[False, True, "auto"], None]
    corpus_reading: Union[Literal["source", "regularised"], None]
    corpus_witness: Union[str, None]
    corpus_speakers: Union[Literal["keep", "drop"], None]
    corpus_stage_directions: Union[Literal["keep", "drop"], None]
    corpus_min_confidence: Union[float, None]
    corpus_markup: Union[str, "os.PathLike[str]", None]
    corpus_reference: Union[Any, None]
    corpus_links: Union[Literal["within", "follow"], None]
    corpus_on_error: Union[Literal["refuse", "skip"], None]
    corpus_strip: Union[str, Sequence[str], None]
    corpus_title: Union[str, None]
    corpus_editors: Union[str, None]
    corpus_license: Union[str, None]
    corpus_address: Union[str, None]
    corpus_max_strip: Union[float, None]
    corpus_near_duplicate: Union[float, None]
    tokens_locale: Union[str, None]
    tokens_equivalence: Union[Literal["none", "plain"], None]
    tokens_normalize: Union[Literal["none", "nfc", "nfkc"], None]
    tokens_case: Union[Literal["none", "fold"], None]
    tokens_apostrophes: Union[Literal["straight", "keep", "split", "join"], None]
    tokens_hyphens: Union[Literal["split", "join", "keep"], None]
    tokens_numbers: Union[Literal["drop", "keep", "class"], None]
    tokens_break_at: Union[str, Sequence[str], None]
    tokens_transform: Union[str, "os.PathLike[str]", None]
    tokens_variants: Union[str, "os.PathLike[str]", None]
    tokens_stem: Union[str, None]
    tokens_stop: Union[Any, None]
    vocabulary_size: Union[int, Literal["all"], None]
    vocabulary_min_count: Union[int, None]
    vocabulary_min_documents: Union[int, None]
    vocabulary_oov: Union[Literal["break", "wildcard"], None]
    vocabulary_file: Union[str, "os.PathLike[str]", None]
    tensor_n: Union[int, None]
    tensor_skip: Union[int, None]
    tensor_format: Union[str, None]
    tensor_hash: Union[str, None]
    tensor_load: Union[float, None]
    tensor_buckets: Union[int, None]
    tensor_block: Union[int, Literal["auto"], None]
    tensor_superblock: Union[int, Literal["auto"], None]
    tensor_fragment: Union[str, None]
    tensor_reads: Union[str, None]
    cp_solver: Union[str, None]
    cp_start: Union[str, None]
    cp_rank: Union[int, Literal["all", "auto", "lowe", "holdout", "budget"], None]
    cp_max_rank: Union[int, None]
    cp_sweeps: Union[int, None]
    cp_iterations: Union[int, None]
    cp_tolerance: Union[float, None]
    cp_restarts: Union[int, None]
    cp_seed: Union[int, None]
    cp_kkt: Union[float, None]
    cp_l1: Union[str, None]
    cp_l2: Union[str, None]
    cp_fixed: Union[str, Sequence[str], Sequence[int], None]
    cp_extrapolation: Union[Literal["auto", "none", "nesterov"], None]
    cp_precision: Union[Literal["double", "single"], None]
    cp_lift: Union[float, None]
    influence_methods: Union[str, Sequence[str], None]
    influence_headline: Union[str, Literal["auto"], None]
    influence_threshold: Union[float, None]
    influence_background: Union[int, Literal["auto"], None]
    influence_background_of: Union[Literal["auto", "target", "corpus"], None]
    influence_floor: Union[float, Literal["auto"], None]
    influence_bootstrap: Union[int, None]
    influence_shortlist: Union[int, Literal["all"], None]
    influence_candidates: Union[int, Literal["auto"], None]
    influence_formula: Union[int, Literal["none"], None]
    influence_run: Union[int, None]
    influence_null: Union[Literal[False, True], None]
    parallels_unit: Union[Literal["none", "phrases", "lines", "sentences", "windows"], None]
    parallels_feature: Union[Literal["auto", "lemmas", "stems", "letters", "words"], None]
    parallels_lemmas: Union[str, "os.PathLike[str]", None]
    parallels_language: Union[str, None]
    parallels_letters: Union[int, None]
    parallels_spelling: Union[Literal["written", "latin"], None]
    parallels_distance: Union[float, None]
    parallels_window: Union[int, None]
    parallels_top: Union[int, None]
    translations_search: Union[Literal["auto", "all", "none"], None]
    translations_dictionary: Union[str, "os.PathLike[str]", None]
    translations_table: Union[str, "os.PathLike[str]", None]
    translations_power: Union[Literal[False, True], None]
    report_formats: Union[str, Sequence[str], None]
    report_top_phrases: Union[int, None]
    report_commonplace: Union[float, None]
    report_commonplaces: Union[str, "os.PathLike[str]", None]
    report_context_words: Union[int, None]
    report_target_pages: Union[int, Literal["all", "auto"], None]
    report_text: Union[Literal["none", "snippets", "full"], None]
    report_doubtful: Union[Literal[False, True], None]
    report_spreadsheet_safe: Union[Literal[False, True], None]
    resources_threads: Union[int, Literal["auto"], None]
    resources_kernels: Union[Literal["auto", "portable", "avx2", "avx512"], None]
    resources_memory: Union[float, str, Literal["auto"], None]
    resources_time: Union[float, str, Literal["none"], None]
    resources_unpacked: Union[float, str, Literal["none"], None]
    resources_members: Union[int, None]
    resources_parts: Union[int, None]
    resources_sandbox: Union[Literal[False, True], None]
