"""Texts for those who know scikit-learn: a vectoriser and an estimator.

They have `get_params`, `set_params`, `fit` and `transform` as scikit-learn asks for them, and work
without it.

>>> from tributary.text import Vectorizer
>>> texts = {"sea": "the grey sea and the grey sky", "sky": "the grey sky", "inn": "at the inn"}
>>> counts = Vectorizer(ngram=2)
>>> counts.fit_transform(texts)
<tributary.Tensor 3 x 7 x 7, 9 nonzeros, counts>
>>> counts.get_feature_names_out()[:3].tolist()
['the', 'grey', 'sky']
"""
from __future__ import annotations

import inspect
import json
import os
from typing import Any, Dict, List, Mapping, Optional, Tuple, TypeVar

import numpy as np

from . import _tables
from ._errors import UsageError
from ._experiment import Temporary, _settings, documents_of, run, write_experiment
from ._peers import Peers, helped
from ._program import call
from ._run import Run
from ._tensor import Tensor

__all__ = ["Influence", "Vectorizer"]
Self = TypeVar("Self", bound="_Estimator")


class _Estimator(Peers):
    """What scikit-learn asks of an estimator: its parameters are the arguments of its class."""

    @classmethod
    def _names(cls) -> List[str]:
        return [name for name in inspect.signature(cls).parameters]

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """The parameters by their names."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self: Self, **params: Any) -> Self:
        """Changes parameters. Raises ValueError for one that there is not."""
        for name, value in params.items():
            if name not in self._names():
                raise UsageError(f"{type(self).__name__} has no parameter {name!r}; it has "
                                 + ", ".join(self._names()), 2)
            setattr(self, name, value)
        return self

    def _fitted(self, name: str) -> Any:
        if not hasattr(self, name):
            raise UsageError(f"this {type(self).__name__} is not fitted; call fit(texts)", 2)
        return getattr(self, name)

    def __repr__(self) -> str:
        inner = ", ".join(f"{name}={value!r}" for name, value in self.get_params().items())
        return f"{type(self).__name__}({inner})"


def _names_of(texts: Any) -> List[Any]:
    """The names of texts in memory, as the caller has them; none of files."""
    if isinstance(texts, (str, os.PathLike)):
        return []
    return [document["name"] for document in documents_of(texts)]


class Vectorizer(_Estimator):
    """Counts the n-grams of texts over one vocabulary.

    Parameters
    ----------
    ngram : int
        Words in an n-gram: 1 gives a matrix of documents and words, 3 a tensor of document x word x
        word x word.
    settings : mapping, optional
        Settings of `tributary.run`, such as ``{"vocabulary_size": 600, "tokens_stem": "en"}``; they
        say what a word is and which are counted.

    Attributes
    ----------
    vocabulary_ : dict
        The index of each word, the commonest first.
    names_ : list
        The names of the texts last counted, in their order.
    """

    @helped
    def __init__(self, ngram: int = 3, *, settings: Optional[Mapping[str, Any]] = None) -> None:
        self.ngram, self.settings = ngram, settings

    def fit(self, texts: Any, y: Any = None) -> "Vectorizer":
        """Learns the vocabulary of texts, which `tributary.run` takes, too."""
        self.fit_transform(texts)
        return self

    def fit_transform(self, texts: Any, y: Any = None) -> Tensor:
        """Learns the vocabulary, and counts. See `transform`."""
        words, counts = self._counted(texts)
        self.vocabulary_ = {word: index for index, word in enumerate(words)}
        return self._joined(counts)

    def transform(self, texts: Any) -> Tensor:
        """Counts the n-grams of texts.

        Returns
        -------
        Tensor
            Shape (texts, words, ..., words), the texts in their order. N-grams with a word that
            `fit` did not see are left out.
        """
        self._fitted("vocabulary_")
        return self._joined(self._counted(texts)[1])

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The words as an array, by their index."""
        return np.array(list(self._fitted("vocabulary_")), dtype=object)

    def _counted(self, texts: Any) -> Tuple[List[str], List[Tuple[List[str], Any, Any]]]:
        """The vocabulary, and for each text its words with the coordinates and values of its
        n-grams over them. The program counts, and stops before it compares the texts."""
        temporary = Temporary()
        try:
            output = temporary.path / "run"
            chosen = {**_settings(self.settings or {}), "tensor.n": self.ngram,
                      "report.formats": ["tensors"]}
            config = write_experiment(texts, "all", "text", output, chosen, "texts")
            call(["run", config, "-o", str(output), "--until", "tensors"] +
                 [word for key, value in chosen.items()
                  for word in ("--set", f"{key}={json.dumps(value)}")])
            folder = output / "tensors"
            ids = [document["id"] for document in documents_of(texts)] \
                if not isinstance(texts, (str, os.PathLike)) \
                else sorted(path.stem for path in folder.glob("*.fragment"))
            self.names_ = _names_of(texts) or ids
            counts = []
            for identifier in ids:
                words = (folder / f"{identifier}.words").read_text("utf-8").split("\n")[:-1]
                counts.append((words, *Tensor.load(folder / f"{identifier}.fragment").entries()))
            lines = (output / "vocab.tsv").read_text("utf-8").split("\n")[1:-1]
            return [line.split("\t")[1] for line in lines], counts
        finally:
            temporary.close()

    def _joined(self, counts: List[Tuple[List[str], Any, Any]]) -> Tensor:
        n = len(self.vocabulary_)
        places, values = [], []
        for number, (words, coords, weights) in enumerate(counts):
            index = np.array([self.vocabulary_.get(word, -1) for word in words], dtype=np.int64)
            place = index[coords.astype(np.int64)]
            keep = (place >= 0).all(axis=1)
            places.append(np.insert(place[keep], 0, number, axis=1))
            values.append(weights[keep])
        return Tensor(np.concatenate(places), np.concatenate(values),
                      (len(counts),) + (n,) * self.ngram)


class Influence(_Estimator):
    """Measures how much of each text comes from which others.

    Parameters
    ----------
    target : name, list of names, or "all"
        The texts to be explained by the others.
    method : str, optional
        The method whose shares are taken; ``tributary help methods`` lists them.
    threads : int, optional
        Default: all processors. No digit depends on it.
    settings : mapping, optional
        Other settings of `tributary.run`.

    Attributes
    ----------
    run_ : Run
        All that was found: passages, phrases, the report.
    names_ : list
        The names of the texts, in their order.
    shares_ : DataFrame, shape (texts, texts)
        The share of each text (row) that comes from each other (column); 0 below the noise floor,
        and in the rows of texts that are no target. Without pandas an array.
    similarity_matrix_ : ndarray, shape (texts, texts)
        The larger share of both directions, 1 on the diagonal: an affinity for clustering.

    Examples
    --------
    >>> from tributary.text import Influence
    >>> found = Influence(method="split").fit({
    ...     "sea": "The sea was grey that morning and nobody spoke of the boats that were late.",
    ...     "inn": "At the inn nobody spoke of the boats that were late, and the fire was low."})
    >>> found.shares_.round(2)
          sea   inn
    sea  0.00  0.46
    inn  0.43  0.00
    """

    def __init__(self, target: Any = "all", *, method: Optional[str] = None,
                 threads: Optional[int] = None,
                 settings: Optional[Mapping[str, Any]] = None) -> None:
        self.target, self.method, self.threads, self.settings = target, method, threads, settings

    def fit(self, texts: Any, y: Any = None) -> "Influence":
        """Measures texts, which `tributary.run` takes, too."""
        chosen: Dict[str, Any] = dict(self.settings or {})
        if self.method is not None:
            chosen.update(influence_methods=[self.method], influence_headline=self.method)
        self.run_: Run = run(texts, target=self.target, threads=self.threads, **chosen)
        ids = [document["id"] for document in documents_of(texts)] \
            if not isinstance(texts, (str, os.PathLike)) else list(self.run_.documents["id"])
        self.names_ = _names_of(texts) or ids
        at = {identifier: number for number, identifier in enumerate(ids)}
        shares = np.zeros((len(ids), len(ids)))
        found = self.run_.shares(found_only=True)
        for target, source, share in zip(found["target"], found["source"], found["share"]):
            shares[at[target], at[source]] = share
        self.shares_: Any = shares if _tables.pandas is None else \
            _tables.pandas.DataFrame(shares, index=self.names_, columns=self.names_)
        self.similarity_matrix_ = np.minimum(np.maximum(shares, shares.T), 1)
        np.fill_diagonal(self.similarity_matrix_, 1)
        return self
