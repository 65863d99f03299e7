"""A run: what was found, as tables, graphs, factors and pictures."""
from __future__ import annotations

import builtins
import html
import json
import math
import os
from functools import cached_property
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional, Sequence, Union

import numpy as np

from . import _tables
from ._errors import DocumentError, UsageError
from ._program import call
from ._tensor import Factors, Tensor

Ids = Union[None, str, Sequence[str]]
# Sources in a table of shares that are no texts.
_NO_TEXTS = ("author", "formula")


def open(directory: Union[str, "os.PathLike[str]"]) -> "Run":
    """Opens the directory of a complete run.

    Parameters
    ----------
    directory : path
        A run directory, as ``tributary run`` prints it.

    Returns
    -------
    Run

    Raises
    ------
    UsageError
        When the directory holds no complete run with the format ``json``.
    """
    return Run(directory)


class Run:
    """The results of an experiment.

    A share is a fraction of the target, from 0 to 1. Tables are DataFrames (without
    pandas: structured arrays of NumPy); docs/run-directory.md describes every column. `run` and
    `open` make objects of this class.

    Attributes
    ----------
    directory : pathlib.Path
        The run directory.
    name : str
        The name of the experiment.
    headline : str
        The method whose shares come first, such as "traced".
    methods : list of str
        All methods that were run.
    targets : list of str
        The ids of the texts that were explained.
    warnings : list of str
        What the program warned of.
    """

    def __init__(self, directory: Union[str, "os.PathLike[str]"]) -> None:
        self.directory = Path(directory)
        self._temporary: Any = None
        self._is_closed = False
        self._tables: Dict[str, Any] = {}
        try:
            with builtins.open(self.directory / "status", encoding="utf-8") as file:
                state = json.load(file)["state"]
        except (OSError, ValueError, KeyError):
            raise UsageError(f"{self.directory}: holds no run", 2) from None
        if state != "complete":
            raise UsageError(f"{self.directory}: the run is not complete: {state}", 2)
        data = self._json
        self.name: str = data["name"]
        self.headline: str = data["headline"]
        self.methods: List[str] = [method["name"] for method in data["methods"]]
        self.targets: List[str] = [target["target"] for target in data["targets"]]
        self.warnings: List[str] = [w if isinstance(w, str) else w.get("text", str(w))
                                    for w in data.get("warnings", [])]

    @cached_property
    def _json(self) -> Dict[str, Any]:
        with builtins.open(self._file("influence.json", "json"), encoding="utf-8") as file:
            found: Dict[str, Any] = json.load(file)
        return found

    def close(self) -> None:
        """Removes the temporary directory of a run without `output`. Nothing can be read from it
        then; tables that you have stay."""
        if self._temporary is not None:
            self._temporary.close()
            self._is_closed = True

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _check_open(self) -> None:
        if self._is_closed:
            raise UsageError("the run is closed; with output= it would stay", 2)

    def _file(self, name: str, form: str) -> Path:
        self._check_open()
        path = self.directory / name
        if not path.exists():
            how = form if form.startswith("with ") else f"with '{form}' in report_formats"
            raise UsageError(f"{path}: this run did not write it; run it again {how}", 2)
        return path

    def _table(self, name: str, form: str = "csv") -> Any:
        """A table of the run directory, which is read once; the caller gets a copy."""
        self._check_open()
        if form != "csv" and not (self.directory / "documents.csv").exists():
            form = "csv"
        if name not in self._tables:
            self._tables[name] = _tables.read(self._file(name, form))
        return self._tables[name].copy()

    def _ids(self, ids: Ids, what: str) -> Optional[List[str]]:
        """Ids from ids or titles; None for None."""
        if ids is None:
            return None
        wanted = [ids] if isinstance(ids, str) else list(ids)
        by_title = {d["title"]: d["id"] for d in self._json["documents"]}
        known = {d["id"] for d in self._json["documents"]} | {"author", "formula"}
        found = []
        for one in wanted:
            identifier = one if one in known else by_title.get(one)
            if identifier is None:
                near = [i for i in sorted(known) if str(one).lower() in i.lower()][:5]
                hint = "; did you mean " + " or ".join(map(repr, near)) + "?" if near else \
                    "; run.documents lists them"
                raise UsageError(f"there is no {what} {one!r} in this run{hint}", 2)
            found.append(identifier)
        return found

    def _where(self, table: Any, target: Ids, source: Ids) -> Any:
        for column, ids in (("target", self._ids(target, "target")),
                            ("source", self._ids(source, "source"))):
            if ids is not None:
                table = _tables.select(table, [value in ids for value in table[column]])
        return table

    # ---- Tables ----------------------------------------------------------------------------------

    @property
    def documents(self) -> Any:
        """The texts: ``id``, ``title``, ``author``, ``date``, ``year``, ``words``, ``ngrams``,
        ``is_target``, ``is_decoy``, ``file``, ``bytes``, ``sha256``, ``language``. A row for
        each, by id."""
        return self._table("documents.csv")

    def shares(self, method: Optional[str] = None, target: Ids = None, source: Ids = None,
               found_only: bool = False) -> Any:
        """How much of each target comes from each source.

        Parameters
        ----------
        method : str, optional
            A method of `methods`, or "all". Default: the headline method.
        target, source : id, title, or list of them, optional
            Only these.
        found_only : bool
            Only shares of texts that can be told from noise: without "author", "formula" and what
            is below the floor.

        Returns
        -------
        DataFrame
            ``target``, ``source``, ``method``, ``share``, ``low`` and ``high`` (the 90 % interval,
            NaN without one), ``below_floor`` (too small to tell from noise), ``group``. The source
            "author" has what no source explains. Rows are in the order of targets, the largest
            share first.
        """
        table = self._table("influence.csv")
        method = method or self.headline
        if method != "all":
            if method not in self.methods:
                raise UsageError(f"the method {method!r} was not run; this run has " +
                                 ", ".join(self.methods), 2)
            table = _tables.select(table, table["method"] == method)
        table = self._where(table, target, source)
        if found_only:
            table = _tables.select(table, [
                value not in _NO_TEXTS and not below
                for value, below in zip(table["source"], table["below_floor"])])
        place = {identifier: number for number, identifier in enumerate(self.targets)}
        keys = [(place[row], self.methods.index(name), value in _NO_TEXTS, -share)
                for row, name, value, share in zip(table["target"], table["method"],
                                                   table["source"], table["share"])]
        return _take(table, sorted(range(len(keys)), key=keys.__getitem__))

    def passages(self, target: Ids = None, source: Ids = None, min_words: int = 0) -> Any:
        """The passages that targets share with sources, the longest first.

        Parameters
        ----------
        target, source : id, title, or list of them, optional
            Only these.
        min_words : int
            Only passages with at least so many shared words.

        Returns
        -------
        DataFrame
            A row for each passage: ``id``, ``target``, ``source``, where it is in both
            (``target_word`` from 1, ``target_words``, ``target_from`` and ``target_to`` in bytes,
            ``target_reference``), ``shared`` words, ``rarity``, ``mass``, ``target_text`` and
            ``source_text``. Of a target of less than 1500 words with more than 40 sources each
            place has one row; ``left_out`` counts the others at that place.
        """
        table = _tables.fill_texts(self._table("passages.tsv", "with the method traced"))
        table = self._where(table, target, source)
        table = _tables.select(table, table["shared"] >= min_words)
        return _take(table, np.argsort(-np.asarray(table["shared"]), kind="stable"))

    def phrases(self, target: Ids = None, source: Ids = None, containing: Optional[str] = None,
                min_count: int = 1) -> Any:
        """The phrases (n-grams) behind the shares, the strongest first.

        Parameters
        ----------
        target, source : id, title, or list of them, optional
            Only these.
        containing : str, optional
            Only phrases with this text in them.
        min_count : int
            Only phrases that occur at least so often in the target.

        Returns
        -------
        DataFrame
            ``target``, ``source``, ``phrase``, ``target_count``, ``source_count``,
            ``other_documents``, ``mass`` (its part of the share), ``phrases`` (of this pair).
        """
        table = self._where(self._table("phrases.csv"), target, source)
        keep = [count >= min_count and (containing is None or containing in phrase)
                for count, phrase in zip(table["target_count"], table["phrase"])]
        table = _tables.select(table, keep)
        return _take(table, np.argsort(-np.asarray(table["mass"]), kind="stable"))

    def ranking(self, target: Ids = None) -> Any:
        """Which source each target most likely descends from: ``target``, ``source``, ``rank``
        from 1, ``score``."""
        table = self._table("ranking.csv", "with the methods traced and split")
        return self._where(table, target, None)

    def parallels(self, target: Ids = None, source: Ids = None) -> Any:
        """Possible allusions, of a run with ``parallels_unit``; docs/run-directory.md has the
        columns."""
        return self._where(self._table("parallels.tsv", "with parallels_unit"), target, source)

    def phrasing(self) -> Any:
        """Families of phrasing, of a run with "phrasing" in ``report_formats``;
        docs/run-directory/other-files.md has the columns."""
        return self._table("phrasing.tsv", "phrasing")

    def trace(self, target: str) -> Any:
        """Where the words of a target were copied from, by the method ``traced``.

        Parameters
        ----------
        target : id or title

        Returns
        -------
        DataFrame
            A row for each traced run, in the order of the target: ``source``, ``first`` word in the
            target (from 1), ``words``, ``source_first``, ``probability``, and its place in the
            files in bytes: ``target_from``, ``target_to``, ``source_from``, ``source_to``.
        """
        (identifier,) = self._ids([target], "target") or [target]
        path = self._file(f"trace/{identifier}.runs", "trace")
        data = path.read_bytes()
        n = int.from_bytes(data[16:24], "little") if data[:8] == b"TRIBRUNS" else -1
        if n < 0 or len(data) < 32 + 36 * n:
            raise DocumentError(f"{path}: is damaged", 4)
        runs = np.frombuffer(data, "<u4", 9 * n, 32).reshape(n, 9).astype(np.int64)
        names = data[32 + 36 * n:].decode("utf-8").split("\n")[:-1]
        return _tables.frame({
            "source": [names[number] for number in runs[:, 3]], "first": runs[:, 0],
            "words": runs[:, 1], "source_first": runs[:, 2], "probability": runs[:, 4] / 1e6,
            "target_from": runs[:, 5], "target_to": runs[:, 6], "source_from": runs[:, 7],
            "source_to": runs[:, 8]}, "trace")

    def kwic(self, phrase: str) -> Any:
        """Every occurrence of a phrase in the texts, with what stands around it.

        Parameters
        ----------
        phrase : str
            Words, as the texts spell them or not: the settings of the run decide what is the same.

        Returns
        -------
        DataFrame
            ``document``, ``title``, ``first`` (number of its first word, from 1), ``reference``,
            ``before``, ``keyword``, ``after``.
        """
        self._check_open()
        found = json.loads(call(["kwic", "--json", "--", str(self.directory), phrase]))
        hits = [(document, hit) for document in found["documents"] for hit in document["hits"]]
        columns: Dict[str, List[Any]] = {
            "document": [document["id"] for document, _ in hits],
            "title": [document["title"] for document, _ in hits]}
        for name in ("first", "reference", "before", "keyword", "after"):
            columns[name] = [hit.get(name, "") for _, hit in hits]
        return _tables.frame(columns, "kwic")

    def with_documents(self, table: Any, *fields: str) -> Any:
        """Adds what is known of the texts to a table of this run.

        Parameters
        ----------
        table : DataFrame
            A table with a column ``target``, ``source`` or ``document``.
        *fields : str
            Columns of `documents`. Default: ``title``, ``author`` and ``year``.

        Returns
        -------
        DataFrame
            With the columns ``target_title``, ``source_title`` and so on behind the others.
        """
        documents = self.documents
        position = {identifier: i for i, identifier in enumerate(documents["id"])}
        kinds: Dict[str, str] = {}
        added = {name: table[name] for name in
                 (table.columns if hasattr(table, "columns") else table.dtype.names)}
        for side in ("target", "source", "document"):
            if side not in added:
                continue
            places = [position.get(identifier) for identifier in table[side]]
            for field in fields or ("title", "author", "year"):
                values = list(documents[field])
                name = f"{side}_{field}"
                if name in added:
                    raise UsageError(f"the table has a column {name!r} already", 2)
                # None for "author" and "formula", which are no texts
                added[name] = [None if i is None else values[i] for i in places]
                kinds[name] = "n" if _tables.TYPES.get(field) in ("c", "n") else "t"
        return _tables.frame(added, own=kinds)

    # ---- Graphs, factors, tensors ----------------------------------------------------------------

    def graph(self, min_share: float = 0.0, method: Optional[str] = None) -> Any:
        """Who draws on whom, for NetworkX.

        Parameters
        ----------
        min_share : float
            Only shares of at least this. Shares below the noise floor are never edges.
        method : str, optional
            Default: the headline method.

        Returns
        -------
        networkx.DiGraph
            A node for every text, with ``title``, ``author``, ``date`` and ``words``; an edge from
            each source to its target, with ``share`` and the same number as ``weight``.
        """
        import networkx
        graph = networkx.DiGraph(name=self.name)
        for document in self._json["documents"]:
            graph.add_node(document["id"], title=document["title"], author=document["author"],
                           date=document["date"] or "", words=document["words"])
        table = self.shares(method, found_only=True)
        for target, source, share in zip(table["target"], table["source"], table["share"]):
            if share >= min_share and share > 0:
                graph.add_edge(source, target, share=float(share), weight=float(share))
        return graph

    def factors(self, document: str) -> Factors:
        """The CP decomposition of a text, with its words.

        Parameters
        ----------
        document : id or title

        Returns
        -------
        Factors
        """
        (identifier,) = self._ids([document], "document") or [document]
        return Factors.load(self._file(f"factors/{identifier}.ktns", "factors"))

    def tensor(self, document: str) -> Tensor:
        """The n-gram counts of a text, with its words.

        Parameters
        ----------
        document : id or title

        Returns
        -------
        Tensor
            Shape (words, ..., words), a mode for each word of an n-gram; `Tensor.words` has the
            word of each index.
        """
        (identifier,) = self._ids([document], "document") or [document]
        tensor = Tensor.load(self._file(f"tensors/{identifier}.fragment", "tensors"))
        with builtins.open(self.directory / "tensors" / f"{identifier}.words",
                           encoding="utf-8", newline="\n") as file:
            tensor.words = file.read().split("\n")[:-1]
        return tensor

    def document_distances(self, column: str = "mean_distance") -> Any:
        """How far the factors of each target are from those of each source.

        Parameters
        ----------
        column
            "mean_distance": the mean L1 distance to the nearest factor, from 0 (equal) to 2;
            "matched": the part of the target's factors within `influence.threshold`.

        Returns
        -------
        DataFrame
            Shape (targets, sources), empty where a text is no source. Without pandas the rows of
            distances.csv. Needs a method by factors, such as "lowe".
        """
        rows = self._table("distances.csv")
        if _tables.pandas is None:
            return rows
        return rows.pivot(index="target", columns="source", values=column)

    def distances(self) -> Any:
        """The L1 distances between the factors of targets and all factors.

        Returns
        -------
        DataFrame
            Shape (factors of targets, factors of all texts); rows and columns are named by
            (``document``, ``component``), components from 1. From 0 (equal) to 2. Without pandas
            the plain array. Needs "npy" in ``report_formats``.
        """
        values = np.load(self._file("distances.npy", "npy"))
        names = _tables.read(self._file("distances.names.tsv", "npy"), "names")
        if _tables.pandas is None:
            return values
        axes = {}
        for axis in ("row", "column"):
            rows = names[names["axis"] == axis]
            axes[axis] = _tables.pandas.MultiIndex.from_arrays(
                [list(rows["document"]), list(rows["component"])],
                names=["document", "component"])
        return _tables.pandas.DataFrame(values, index=axes["row"], columns=axes["column"])

    # ---- For readers -----------------------------------------------------------------------------

    @property
    def report(self) -> Path:
        """The report, one page that a browser opens without a network."""
        return self._file("report.html", "html")

    def show(self) -> None:
        """Opens the report in a browser."""
        import webbrowser
        webbrowser.open(self.report.resolve().as_uri())

    def plot(self, ax: Any = None) -> Any:
        """Draws the shares by Matplotlib: a bar for each target (of more than twelve, those with
        the largest shares), its largest sources beside each other. Where at least 75 % of every bar
        are the author's, the axis ends after the other parts.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional

        Returns
        -------
        matplotlib.axes.Axes
        """
        import matplotlib.pyplot as plt
        bars = _bars(self)
        if ax is None:
            _, ax = plt.subplots(figsize=(8, 0.5 * len(bars) + 1))
        most = max(100 * sum(share for _, share, _ in parts[:-1]) for _, parts in bars)
        end = 100 if most > 25 else max(10, 10 * math.ceil(most / 8))
        for row, (title, parts) in enumerate(bars):
            left = 0.0
            for label, share, color in parts:
                width = min(100 * share, end - left)
                ax.barh(row, width, left=left, color=color, edgecolor="white")
                if width > 0.06 * end:
                    ax.text(left + width / 2, row, _short(label, int(90 * width / end)),
                            ha="center", va="center", fontsize=8, color=_ink(color))
                left += width
        ax.set_yticks(range(len(bars)), [title for title, _ in bars])
        ax.invert_yaxis()
        ax.set_xlim(0, end)
        shown, every = len(bars), len(self.targets)
        ax.set_xlabel(f"per cent of its {_unit(self)} ({self.headline})"
                      + (f"\nthe {shown} of {every} targets with the largest shares"
                         if shown < every else "")
                      + (f"; bars are cut at {end}" if end < 100 else ""))
        return ax

    def __repr__(self) -> str:
        n = len(self._json["documents"])
        return (f"<tributary.Run {self.name!r}: {n} texts, {len(self.targets)} "
                f"target{'' if len(self.targets) == 1 else 's'}, in {self.directory}>")

    def _repr_html_(self) -> str:
        return _picture(self)


def _take(table: Any, order: Iterable[int]) -> Any:
    if hasattr(table, "iloc"):
        return table.iloc[list(order)].reset_index(drop=True)
    return table[list(order)]


# ---- The picture ---------------------------------------------------------------------------------

# Colours that people with any kind of sight tell apart (Okabe and Ito), and greys for what is no
# text.
_COLORS = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442"]
_FORMULA, _REST, _AUTHOR, _MOST = "#bdbdbd", "#9a9a9a", "#e4e4e4", 12


def _ink(color: str) -> str:
    red, green, blue = (int(color[i:i + 2], 16) for i in (1, 3, 5))
    return "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > 120 else "#ffffff"


def _bars(run: Run) -> List[Any]:
    """The title of each of the targets with the largest shares, and (label, share, colour) of its
    parts. A source has one colour in all bars."""
    titles = {d["id"]: d["title"] for d in run._json["documents"]}
    found = run.shares(found_only=True)
    by_share = sorted(zip(-found["share"], found["target"]))
    strongest = list(dict.fromkeys([target for _, target in by_share] + run.targets))[:_MOST]
    chosen = [target for target in run.targets if target in strongest]
    table = run.shares(target=chosen)
    by_target: Dict[str, Dict[str, float]] = {target: {} for target in chosen}
    colors: Dict[str, str] = {"formula": _FORMULA}
    floor: Dict[str, float] = dict.fromkeys(by_target, 0.0)
    for target, source, share, below in zip(table["target"], table["source"], table["share"],
                                            table["below_floor"]):
        if source == "author":
            continue
        if below:
            floor[target] += float(share)
        else:
            by_target[target][source] = float(share)
            colors.setdefault(source, _COLORS[(len(colors) - 1) % len(_COLORS)])
    bars = []
    for target, shares in by_target.items():
        largest = sorted(shares.items(), key=lambda item: (-item[1], item[0]))
        parts = [(titles.get(source, "formulas"), share, colors[source])
                 for source, share in largest[:len(_COLORS)]]
        rest = sum(share for _, share in largest[len(_COLORS):]) + floor[target]
        if rest > 0:
            parts.append(("others and noise", rest, _REST))
        total = sum(share for _, share, _ in parts)
        parts.append(("its author", max(0.0, 1 - total), _AUTHOR))
        bars.append((titles[target], parts))
    return bars


def _unit(run: Run) -> str:
    """What the shares of the headline count."""
    return "words" if run.headline in ("extent", "verbatim") else "n-grams"


def _short(label: str, room: int) -> str:
    """A label of at most `room` characters."""
    return label if len(label) <= room else label[:room - 1] + "\u2026"


def _picture(run: Run) -> str:
    """The shares as SVG, with the numbers as titles of its parts."""
    width, left, height, bar = 760, 190, 30, 22
    bars = _bars(run)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
             f'height="{height * len(bars) + 8}" role="img" font-family="sans-serif" '
             f'font-size="12"><title>What flows into each text, by {run.headline}</title>']
    scale = width - left - 4
    for row, (title, parts) in enumerate(bars):
        y, x = 4 + row * height, float(left)
        shown = title if len(title) <= 28 else title[:27] + "\u2026"
        lines.append(f'<text x="{left - 8}" y="{y + 15}" text-anchor="end">'
                     f"{html.escape(shown)}</text>")
        for label, share, color in parts:
            w = share * scale
            about = html.escape(f"{label}: {100 * share:.1f} %")
            edge = "white" if w > 3 else "none"
            lines.append(f'<rect x="{x:.1f}" y="{y}" width="{w:.1f}" height="{bar}" '
                         f'fill="{color}" stroke="{edge}"><title>{about}</title></rect>')
            percent = f"{100 * share:.0f} %"
            room = int(w / 7) - len(percent) - 1
            text = f"{_short(label, room)} {percent}" if room >= 5 else percent
            if w > 34:
                lines.append(f'<text x="{x + w / 2:.1f}" y="{y + 15}" text-anchor="middle" '
                             f'fill="{_ink(color)}" pointer-events="none">{html.escape(text)}'
                             "</text>")
            x += w
    lines.append("</svg>")
    more = len(run.targets) - len(bars)
    note = (f" The {len(bars)} of {len(run.targets)} targets with the largest shares."
            if more > 0 else "")
    return (f"<div><b>{html.escape(run.name)}</b>: what flows into each text, in per cent of its "
            f"{_unit(run)} (method {html.escape(run.headline)}).{note}<br>{''.join(lines)}</div>")
