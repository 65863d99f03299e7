"""Tables of a run directory, with the types of their columns."""
from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence

import numpy as np


def _pandas() -> Any:
    try:
        import pandas as found
    except ImportError:
        return None
    return found


pandas = _pandas()  # when it is None, tables are NumPy's structured arrays

# The type of a column by its name: c a count, n a count or nothing, f a fraction or any number,
# b true or false. All others are texts.
TYPES: Dict[str, str] = {
    **dict.fromkeys("""bytes words ngrams target_count source_count other_documents phrases rank
        target_first target_words target_from target_to source_first source_words source_from
        source_to target_word source_word shared documents targets word flows target_texts
        source_texts count first number components iterations cut left_out family
        places passages sources""".split(), "c"),
    **dict.fromkeys("""year target_from_character target_to_character source_from_character
        source_to_character distance component headings front notes notes_out forms_out
        furniture_out others_out stripped_out numbers_out joined unseen lost signs alone
        short_alone""".split(), "n"),
    **dict.fromkeys("""share low high mass score rarity cosine strongest_share probability
        lambda error l1_error core_consistency mean_distance matched credited
        belief value""".split(), "f"),
    **dict.fromkeys("is_target is_decoy below_floor notable chosen translated".split(), "b"),
}
# Columns that are texts in one table and numbers in others.
TEXTS = {"parallels": {"shared"}, "formulas": {"first"}, "factors": {"word"},
         "inputs": {"left_out"}}
_DTYPES = {"c": "int64", "n": "Int64", "f": "float64", "b": "bool"}


def frame(columns: Mapping[str, Iterable[Any]], table: str = "",
          own: Optional[Dict[str, str]] = None) -> Any:
    """A table of named columns: a DataFrame, or without pandas a structured array. `own` has the
    types of columns whose names are not in TYPES."""
    texts = TEXTS.get(table, ())
    kinds = {name: "t" if name in texts else TYPES.get(name, "t") for name in columns}
    kinds.update(own or {})
    if pandas is not None:
        series = {}
        for name, values in columns.items():
            kind = kinds[name]
            if kind == "n":
                values = [pandas.NA if value is None else value for value in values]
            series[name] = pandas.Series(values, dtype=_DTYPES.get(kind, "object"))
        return pandas.DataFrame(series)
    arrays = []
    for name, values in columns.items():
        if kinds[name] == "n":
            values = [np.nan if value is None else value for value in values]
        arrays.append(np.array(values, dtype={"c": "i8", "n": "f8", "f": "f8", "b": "?"}
                               .get(kinds[name], object)))
    rows = np.empty(len(arrays[0]) if arrays else 0,
                    dtype=[(name, array.dtype) for name, array in zip(columns, arrays)])
    for name, array in zip(columns, arrays):
        rows[name] = array
    return rows


def select(table: Any, keep: Sequence[bool]) -> Any:
    """The rows of a table where `keep` is true, numbered from 0."""
    chosen = table[np.asarray(keep, dtype=bool)]
    return chosen.reset_index(drop=True) if pandas is not None else chosen


def fill_texts(table: Any) -> Any:
    """Rows of passages.tsv with the texts that are left out because the row above has them."""
    texts, others = list(table["target_text"]), list(table["source_text"])
    targets = list(table["target"])
    for row, target in enumerate(targets):
        if not texts[row] and row > 0 and targets[row - 1] == target:
            texts[row] = texts[row - 1]
        others[row] = others[row] or texts[row]
    table["target_text"], table["source_text"] = texts, others
    return table


_CONTROL = re.compile(r"\\x([0-9a-f]{2})")


def _text(cell: str) -> str:
    # A cell that a spreadsheet would take for a formula begins with an apostrophe.
    return cell[1:] if cell[:1] == "'" and cell[1:2] in set("=+-@\t\r") else cell


def _control(cell: str) -> str:
    return _CONTROL.sub(lambda match: chr(int(match.group(1), 16)), cell)


_READ: Dict[str, Callable[[str], Any]] = {
    "c": int, "n": lambda cell: int(cell) if cell else None,
    "f": lambda cell: float(cell) if cell else np.nan, "b": lambda cell: cell == "TRUE"}


def read(path: Path, name: Optional[str] = None) -> Any:
    """Reads a .csv or .tsv file of a run directory."""
    name = name or path.stem
    texts = TEXTS.get(name, ())
    tabs = path.suffix == ".tsv"
    csv.field_size_limit(1 << 30)
    with path.open(encoding="utf-8", newline="") as file:
        if tabs:
            rows: List[List[str]] = [line.rstrip("\n").split("\t") for line in file]
        else:
            rows = list(csv.reader(file))
    columns: Dict[str, List[Any]] = {}
    for number, column in enumerate(rows[0]):
        kind = "t" if column in texts else TYPES.get(column, "t")
        convert = _READ.get(kind)
        if convert:
            columns[column] = [convert(row[number]) for row in rows[1:]]
        elif tabs:
            columns[column] = [_text(_control(row[number])) for row in rows[1:]]
        else:
            columns[column] = [_text(row[number]) for row in rows[1:]]
    return frame(columns, name)
