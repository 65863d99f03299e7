"""Experiments: texts and settings in, a `Run` out."""
from __future__ import annotations

import datetime
import json
import os
import re
import shutil
import sys
import tempfile
import unicodedata
import warnings
import weakref
from pathlib import Path
from typing import (TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple,
                    Union)

import numpy as np

from ._errors import ConfigError, DocumentError, RunWarning
from ._program import call_with_progress
from ._run import Run, open as open_run

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._settings import Settings

SECTIONS = ("corpus", "tokens", "vocabulary", "tensor", "cp", "influence", "parallels", "report",
            "resources")
FIELDS = ("title", "author", "date", "role", "language", "reference")
# Files that the methods of a Run read, beside those that the program writes by default.
FORMATS = ["html", "json", "csv", "factors", "trace", "tensors"]

Progress = Union[None, bool, Callable[[str, float], Any]]


def run(texts: Any, *, target: Any = None, output: Union[None, str, "os.PathLike[str]"] = None,
        text: str = "text", progress: Progress = None, threads: Optional[int] = None,
        cache: Union[bool, str, "os.PathLike[str]"] = True, resume: bool = True,
        **settings: Unpack[Settings]) -> Run:
    """Measures which texts flow into which, and opens the results.

    Parameters
    ----------
    texts : str or path, mapping, list, Series or DataFrame
        A path is a configuration (``experiment.yaml``), whose own settings hold, or a folder, whose
        files are the texts, of any format that ``tributary help inputs`` lists. Texts in memory
        are a mapping from names to texts; a list; a Series, whose index has the names; or a
        DataFrame with a column `text` and, where it has them, columns ``id`` (else the index has
        the names), ``title``, ``author``, ``date``, ``role``, ``language`` and ``reference``. An
        index that counts from 0 has no names. A text is a str; a ``pathlib.Path``: then that file
        is read, whatever its format; or a list of words, which are joined by spaces and cut as any
        text is.
    target : name, list of names, or "all"
        The texts to be explained by the others: names, or numbers of a list, from 0. Default:
        "all", or what the configuration says.
    output : path, optional
        The run directory. Texts in memory are written beside it, to ``OUTPUT-texts``, with an
        ``experiment.yaml`` that the program can run again. Default: a temporary directory that
        lasts as long as the `Run`, or until its ``close()`` or the end of a ``with``; of a
        configuration, the directory that it names.
    text : str
        The column of a DataFrame that holds the texts.
    progress : bool or callable, optional
        Whether a bar is shown (with tqdm, where it is installed). By default it is, in a notebook
        and on a terminal. A callable receives the name of the stage and the fraction done, from 0
        to 1.
    threads : int, optional
        How many threads are used. No digit of a result depends on it.
    cache : bool or path
        Whether results are cached between runs, or where.
    resume : bool
        Go on with a run in `output` that was interrupted.
    **settings
        Any key of a configuration, with an underscore for its point (``tensor_n=4`` is
        ``tensor.n``, ``influence_methods=["traced", "split"]``), or a section as a mapping
        (``cp={"rank": 50}``). ``tributary help keys`` and docs/configuration/ list the keys.

    Returns
    -------
    Run

    Raises
    ------
    ConfigError, DocumentError, UsageError, LimitError, Requeue, Error
        With the words of the program. KeyboardInterrupt stops the program; the same call with the
        same `output` goes on where it stopped.

    Notes
    -----
    Warnings of the program are issued as `RunWarning` and are in `Run.warnings`. Texts in memory
    are written as UTF-8 once. Starting the program and opening the results takes less than 100 ms
    beside the run itself.

    Examples
    --------
    >>> import tributary
    >>> run = tributary.run([
    ...     "The sea was grey that morning and nobody spoke of the boats that were late.",
    ...     "At the inn nobody spoke of the boats that were late, and the fire was low.",
    ... ], target=1, influence_methods=["split"], influence_headline="split")
    >>> run.shares()[["target", "source", "share"]].round(2)
        target   source  share
    0  text-02  text-01   0.43
    1  text-02   author   0.57
    """
    chosen = _settings(settings)
    is_config = isinstance(texts, (str, os.PathLike)) and not os.path.isdir(texts)
    temporary = None
    if output is None and not is_config:
        temporary = Temporary()
        output = temporary.path / "run"
    config = write_experiment(texts, target, text, output, chosen,
                              "texts" if temporary else None)
    return _execute(config, output, chosen, progress, threads, cache, resume, temporary)


def write_experiment(texts: Any, target: Any, text: str,
                     output: Union[None, str, "os.PathLike[str]"], chosen: Dict[str, Any],
                     name: Optional[str] = None) -> str:
    """Writes the texts and a configuration beside `output` and returns the path of that. Of the
    settings `chosen` those are left that it does not say."""
    documents: Optional[List[Document]] = None
    if not isinstance(texts, (str, os.PathLike)):
        documents = documents_of(texts, text)
        if not documents:
            raise ConfigError("there are no texts", 3)
        chosen["corpus.target"] = _targets(target, chosen.get("corpus.target"), documents)
    elif target is not None or os.path.isdir(texts):
        chosen["corpus.target"] = _plain(target) if target is not None else \
            chosen.get("corpus.target", "all")
    if documents is None and not os.path.isdir(texts):
        return str(os.fspath(texts))
    assert output is not None
    chosen.setdefault("report.formats", FORMATS)
    folder = Path(os.fspath(output) + "-texts")
    name = str(chosen.pop("name", "") or name or Path(output).name)
    folder.mkdir(parents=True, exist_ok=True)
    listed = [os.path.abspath(texts)] if documents is None else _store(folder, documents)
    config = _write(folder, name, listed, chosen)
    chosen.clear()
    return str(config)


class Temporary:
    """A new folder that lasts as long as this object, or until `close`. A process that was forked
    removes none of its parent."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="tributary-"))
        self.close = weakref.finalize(self, _remove, self.path, os.getpid())


def _remove(folder: Path, process: int) -> None:
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


# ---- Settings ------------------------------------------------------------------------------------


def _plain(value: Any) -> Any:
    """A value as JSON, which is YAML, too."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (np.generic,)):
        return value.item()
    if isinstance(value, os.PathLike):
        return os.path.abspath(value)
    if isinstance(value, (list, tuple, set, frozenset, np.ndarray)):
        return [_plain(item) for item in value]
    return value


def _settings(settings: Mapping[str, Any]) -> Dict[str, Any]:
    """{"cp.rank": 50} from cp_rank=50 or cp={"rank": 50}."""
    chosen: Dict[str, Any] = {}
    for key, value in settings.items():
        section, _, rest = key.partition("_")
        if key in SECTIONS and isinstance(value, Mapping):
            for name, item in value.items():
                chosen[f"{key}.{name}"] = _plain(item)
        elif section in SECTIONS and rest:
            chosen[f"{section}.{rest}"] = _plain(value)
        else:
            chosen[key] = _plain(value)
    return chosen


# ---- Texts ---------------------------------------------------------------------------------------

Document = Dict[str, Any]  # id, name (as the caller has it), text or path, and fields


def _id(name: str) -> str:
    """The letters and digits of a name, of any script, '_', '.' and '-'."""
    composed = unicodedata.normalize("NFC", name)
    kept = [c if c in ".-" or f"a{c}".isidentifier() else " " for c in composed]
    stem = re.sub(" +", "-", "".join(kept)).strip("-.")
    while stem and unicodedata.category(stem[0]).startswith("M"):  # a mark without its letter
        stem = stem[1:]
    return stem.encode()[:180].decode(errors="ignore") or "text"


def _ids(names: Sequence[Any]) -> List[str]:
    """An id for every name."""
    seen: Dict[str, int] = {"author": 1, "formula": 1, "all": 1}
    ids = []
    for name in names:
        stem = _id(str(name))
        number = seen.get(stem, 0) + 1
        while number > 1 and f"{stem}-{number}" in seen:
            number += 1
        seen[stem] = number
        ids.append(stem if number == 1 else f"{stem}-{number}")
        seen.setdefault(ids[-1], 1)
    return ids


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value) or str(value) == "NaT"


def _date(value: Any) -> str:
    if isinstance(value, (datetime.date, np.datetime64)) or hasattr(value, "isoformat"):
        return str(value)[:10]
    if isinstance(value, (int, float, np.integer, np.floating)):
        year = int(value)
        return f"-{-year:04d}" if year < 0 else f"{year:04d}"
    return str(value)


def _is_counted(names: Sequence[Any]) -> bool:
    """Whether an index counts from 0, and names nothing."""
    return all(isinstance(name, (int, np.integer)) and name == number
               for number, name in enumerate(names))


def _content(name: Any, content: Any) -> Any:
    """A text as a str, or the path of a file."""
    if isinstance(content, (list, tuple, np.ndarray)) and \
            all(isinstance(word, str) for word in content):
        content = " ".join(content)
    if not isinstance(content, (str, os.PathLike)):
        raise ConfigError(f"text '{name}' is of the type {type(content).__name__}; a text is a "
                          "str, a list of words, or a pathlib.Path of a file", 3)
    if isinstance(content, str):
        try:
            content.encode("utf-8")
        except UnicodeEncodeError as error:
            raise DocumentError(f"text '{name}': character {error.start} is half a surrogate pair; "
                                "it was decoded with the wrong encoding", 4) from None
    return content


def documents_of(texts: Any, column: str = "text") -> List[Document]:
    """The texts in memory, each with its id, the name that the caller gave, and fields."""
    fields: List[Dict[str, Any]]
    if hasattr(texts, "columns") and not isinstance(texts, Mapping):  # a DataFrame, or of polars
        if column not in texts.columns:
            raise ConfigError(f"the DataFrame has no column '{column}' with the texts; name it "
                              "with text=", 3)
        contents = list(texts[column])
        names = list(texts["id"] if "id" in texts.columns
                     else getattr(texts, "index", range(len(contents))))
        fields = [{} for _ in names]
        for field in FIELDS:
            if field in texts.columns and field != column:
                for row, value in zip(fields, texts[field]):
                    if not _is_missing(value):
                        row[field] = _date(value) if field == "date" else str(value)
    else:
        if hasattr(texts, "items"):  # a mapping or a Series
            names = [name for name, _ in texts.items()]
            contents = [content for _, content in texts.items()]
        else:
            contents = list(texts)
            names = list(range(len(contents)))
        fields = [{} for _ in names]
    if not isinstance(texts, Mapping) and _is_counted(names):
        names = _numbered(len(names))
    documents = []
    for name, identifier, content, more in zip(names, _ids(names), contents, fields):
        document = {"id": identifier, "name": name, "content": _content(name, content), **more}
        if str(name) != identifier:
            document.setdefault("title", str(name))
        documents.append(document)
    return documents


def _numbered(n: int) -> List[str]:
    width = max(2, len(str(n)))
    return [f"text-{i + 1:0{width}}" for i in range(n)]


def _targets(target: Any, setting: Any, documents: Sequence[Document]) -> Any:
    wanted = target if target is not None else setting if setting is not None else "all"
    if isinstance(wanted, (str, int, np.integer)) or not hasattr(wanted, "__iter__"):
        wanted = [wanted]
    by_name = {document["name"]: document["id"] for document in documents}
    by_id = {document["id"]: document["id"] for document in documents}
    has_numbers = any(isinstance(name, (int, np.integer)) for name in by_name)
    found = []
    for one in wanted:
        if one in by_name:
            found.append(by_name[one])
        elif isinstance(one, (int, np.integer)) and not has_numbers and \
                -len(documents) <= one < len(documents):
            found.append(documents[int(one)]["id"])
        else:
            found.append(by_id.get(str(one), str(one)))  # the program says what is wrong
    return found


def _store(folder: Path, documents: Sequence[Document]) -> List[Any]:
    """Writes the texts and returns their entries for the configuration."""
    listed: List[Any] = []
    for document in documents:
        entry = {"id": document["id"]}
        content = document["content"]
        if isinstance(content, os.PathLike):
            entry["file"] = os.path.abspath(content)
        else:
            entry["file"] = document["id"] + ".txt"
            data = content.encode("utf-8")
            path = folder / entry["file"]
            if not path.exists() or path.read_bytes() != data:
                path.write_bytes(data)
        entry.update({field: document[field] for field in FIELDS if field in document})
        listed.append(entry)
    return listed


def _write(folder: Path, name: str, listed: Sequence[Any], settings: Mapping[str, Any]) -> Path:
    """Writes the configuration and returns its path."""
    nested: Dict[str, Any] = {"tributary": 1, "name": name}
    for key, value in settings.items():
        section, _, rest = key.partition(".")
        if rest:
            nested.setdefault(section, {})[rest] = value
        else:
            nested[key] = value
    lines = ["# Written by the Python package; `tributary run` runs it again."]
    for key, value in nested.items():
        if isinstance(value, dict):
            lines.append(f"{key}:")
            lines += [f"  {inner}: {json.dumps(item, ensure_ascii=False)}"
                      for inner, item in value.items()]
            if key == "corpus":
                lines.append("  documents:")
                lines += ["    - " + json.dumps(entry, ensure_ascii=False) for entry in listed]
        else:
            lines.append(f"{key}: {json.dumps(value, ensure_ascii=False)}")
    config = folder / "experiment.yaml"
    config.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return config


# ---- The program ---------------------------------------------------------------------------------


class _Bar:
    """Shows progress by tqdm, or on one line of standard error."""

    def __init__(self) -> None:
        self.stage = ""
        self.bar: Any = None
        try:
            from tqdm.auto import tqdm
            self.make: Any = tqdm
        except ImportError:
            self.make = None

    def __call__(self, stage: str, share: float) -> None:
        if self.make is None:
            sys.stderr.write(f"\r{stage}: {100 * share:.0f} % ")
            sys.stderr.flush()
            self.stage = stage
            return
        if stage != self.stage:
            self.close()
            self.bar = self.make(total=100, desc=stage, unit="%", leave=False, mininterval=0,
                                 bar_format="{desc}: {percentage:3.0f}% |{bar}| {elapsed}")
            self.stage = stage
        self.bar.update(max(0, round(100 * share) - self.bar.n))

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
            self.bar = None
        elif self.make is None and self.stage:
            sys.stderr.write("\r\x1b[K")


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return type(shell).__name__ == "ZMQInteractiveShell"


def _bar(progress: Progress) -> Tuple[Optional[Callable[[str, float], Any]], Optional[_Bar]]:
    if callable(progress):
        return progress, None
    if progress is None:
        progress = _in_notebook() or bool(sys.stderr and sys.stderr.isatty())
    bar = _Bar() if progress else None
    return bar, bar


def _execute(config: str, output: Union[None, str, "os.PathLike[str]"],
             settings: Mapping[str, Any], progress: Progress, threads: Optional[int],
             cache: Union[bool, str, "os.PathLike[str]"], resume: bool,
             temporary: Optional[Temporary]) -> Run:
    arguments = ["run", config]
    if output is not None:
        arguments += ["-o", os.fspath(output)]
    if resume:
        arguments.append("--resume")
    if threads is not None:
        arguments += ["-j", str(threads)]
    if cache is False:
        arguments.append("--no-cache")
    elif cache is not True:
        arguments += ["--cache-dir", os.fspath(cache)]
    for key, value in settings.items():
        arguments += ["--set", f"{key}={json.dumps(value, ensure_ascii=False)}"]
    show, bar = _bar(progress)
    heard: List[str] = []

    def hear(entry: Dict[str, Any]) -> None:
        if entry.get("event") == "progress" and show:
            show(entry.get("stage", ""), float(entry.get("share", 0)))
        elif entry.get("level") == "warning":
            heard.append(entry.get("message", ""))

    try:
        printed = call_with_progress(arguments, hear)
    finally:
        if bar:
            bar.close()
    directory = output if output is not None else printed.strip().splitlines()[-1]
    result = open_run(directory)
    result._temporary = temporary
    for message in heard:
        warnings.warn(message, RunWarning, stacklevel=3)
    return result
