"""Decompositions: sums of rank-1 tensors, and what can be computed from them."""
from __future__ import annotations

import ctypes
import html
import os
from contextlib import contextmanager
from ctypes import byref, c_char_p, c_void_p
from typing import Any, Iterator, List, Optional, Sequence, Tuple

import numpy as np

from . import _tables
from ._calls import Path, path_of, real, written_to
from ._errors import UsageError
from ._peers import Peers
from ._library import call, library


class Factors(Peers):
    """A sum of rank-1 tensors: sum over r of ``weights[r]`` times the outer product of the columns
    r of all factors.

    Attributes
    ----------
    weights : ndarray of float64, shape (rank,)
        Descending. Of a text, in n-grams.
    factors : list of ndarray of float64, shape (shape[m], rank)
        The absolute values of every column add up to 1.
    words : list of str or None
        What row i means in every mode, where it is known; "" for a row that no component has.
    fit : float
        1 - |X - model| / |X|, at most 1; NaN where it is not known.
    iterations : int
        How many were done; 0 for factors from a file or from another package.
    stop : str
        Why they ended, in words.

    single : bool
        Whether products read them in single precision.

    Notes
    -----
    The arrays are the user's own: what is changed in them is saved, copied and computed with.
    """

    def __init__(self, weights: Any, factors: Sequence[Any],
                 words: Optional[Sequence[str]] = None, fit: float = float("nan")) -> None:
        self.weights = np.array(real(weights, "the weights"), dtype=np.float64)
        self.factors = [np.array(real(factor, "the factors"), dtype=np.float64)
                        for factor in factors]
        if any(factor.ndim != 2 or factor.shape[1] != len(self.weights)
               for factor in self.factors):
            raise UsageError("every factor has a column for each weight", 2)
        self.words = list(words) if words is not None else None
        self.fit, self.iterations, self.stop = float(fit), 0, ""
        self.single = False

    @classmethod
    def _adopt(cls, handle: c_void_p) -> "Factors":
        found = library()
        rank = found.trib_factorisation_rank(handle)

        def copy(address: Optional[int], *shape: int) -> Any:
            n = int(np.prod(shape))
            if not address or n == 0:
                return np.zeros(shape)
            array = (ctypes.c_double * n).from_address(address)
            return np.frombuffer(memoryview(array), dtype=np.float64).reshape(shape)

        sizes = [found.trib_factorisation_dim(handle, m)
                 for m in range(found.trib_factorisation_n_modes(handle))]
        result = cls(copy(found.trib_factorisation_lambda(handle), rank),
                     [copy(found.trib_factorisation_factor(handle, m), size, rank)
                      for m, size in enumerate(sizes)],
                     fit=found.trib_factorisation_fit(handle))
        result.single = bool(found.trib_factorisation_is_single(handle))
        result.iterations = found.trib_factorisation_iterations(handle)
        result.stop = found.trib_factorisation_stop(handle).decode()
        words = [found.trib_factorisation_word(handle, i) for i in range(max(sizes, default=0))]
        if any(word is not None for word in words):
            result.words = [(word or b"").decode("utf-8") for word in words]
        found.trib_factorisation_close(handle)
        return result

    @property
    def rank(self) -> int:
        """The number of components."""
        return len(self.weights)

    @property
    def shape(self) -> Tuple[int, ...]:
        """The sizes of the modes."""
        return tuple(factor.shape[0] for factor in self.factors)

    @classmethod
    def load(cls, path: Path) -> "Factors":
        """Reads a file of factors (.ktns), as a run directory and ``tributary cp`` have it."""
        handle = c_void_p()
        call("trib_factorisation_load", byref(handle), path_of(path))
        return cls._adopt(handle)

    def save(self, path: Path) -> None:
        """Writes a file of factors (.ktns) with their words, in the form of ``tributary cp``."""
        name = written_to(path)
        if not name.endswith(b".ktns"):
            raise UsageError(f"{os.fsdecode(name)}: factors are written as .ktns; end the name so",
                             2)
        with opened(self) as handle:
            call("trib_factorisation_save", handle, name)

    # ---- Algebra ---------------------------------------------------------------------------------

    def _check(self) -> None:
        """Raises UsageError where the arrays no longer fit together."""
        if np.ndim(self.weights) != 1 or any(
                np.ndim(factor) != 2 or factor.shape[1] != len(self.weights)
                for factor in self.factors):
            raise UsageError("every factor has a column for each weight", 2)

    def _with(self, weights: Any, factors: Sequence[Any]) -> "Factors":
        """Other arrays for the same words."""
        return Factors(weights, factors, self.words)

    def _columns(self, p: float) -> Any:
        """The lengths of all columns, shape (n_modes, rank), with 1 for 0."""
        lengths = np.array([np.linalg.norm(factor, p, axis=0) for factor in self.factors])
        return np.where(lengths == 0, 1, lengths)

    def _alike(self, other: "Factors") -> None:
        if self.shape != other.shape:
            raise UsageError(f"the factors have the shapes {self.shape} and {other.shape}", 2)

    def __reduce__(self) -> Any:
        return _copy_of, (self.weights, self.factors, self.words, self.fit, self.iterations,
                          self.stop, self.single)

    def copy(self) -> "Factors":
        """Factors of their own."""
        made, given = self.__reduce__()
        result: Factors = made(*given)
        return result

    __copy__ = copy

    def __add__(self, other: "Factors") -> "Factors":
        """The components of both."""
        if not isinstance(other, Factors):
            return NotImplemented
        self._alike(other)
        return self._with(np.concatenate([self.weights, other.weights]),
                          [np.concatenate(pair, axis=1)
                           for pair in zip(self.factors, other.factors)])

    def __sub__(self, other: "Factors") -> "Factors":
        return self + (-1 * other)

    def __mul__(self, number: float) -> "Factors":
        """All weights times a number."""
        if np.ndim(number) != 0:
            return NotImplemented
        return self._with(self.weights * number, self.factors)

    __rmul__ = __mul__

    def __neg__(self) -> "Factors":
        return self * -1

    def norm(self) -> float:
        """The Frobenius norm of the model, from the factors alone."""
        return float(np.sqrt(max(self.inner(self), 0)))

    def inner(self, other: Any) -> float:
        """The sum over all cells of the products with another model, or with a tensor."""
        if isinstance(other, Factors):
            self._alike(other)
            both = np.outer(self.weights, other.weights)
            for mine, theirs in zip(self.factors, other.factors):
                both = both * (mine.T @ theirs)
            return float(both.sum())
        if tuple(other.shape) != self.shape:
            raise UsageError(f"the shapes {self.shape} and {tuple(other.shape)} differ", 2)
        return float((other.mttkrp(self.factors, 0) * self.factors[0] * self.weights).sum())

    def normalise(self, p: float = 2) -> "Factors":
        """The same model with columns of p-norm 1 and weights of 0 or more."""
        lengths = self._columns(p)
        factors = [factor / length for factor, length in zip(self.factors, lengths)]
        factors[0] = factors[0] * np.where(self.weights < 0, -1, 1)
        return self._with(np.abs(self.weights) * lengths.prod(axis=0), factors)

    def arrange(self, order: Optional[Sequence[int]] = None) -> "Factors":
        """The components in another order; without one, normalised and by falling weight."""
        if order is not None:
            return self.extract(order)
        made = self.normalise()
        return made.extract(np.argsort(-made.weights, kind="stable"))

    def extract(self, components: Any) -> "Factors":
        """Some components, from 0."""
        chosen = np.atleast_1d(np.asarray(components, int))
        if chosen.size and not (-self.rank <= chosen.min() and chosen.max() < self.rank):
            raise UsageError(f"there are {self.rank} components, from 0", 2)
        return self._with(self.weights[chosen], [factor[:, chosen] for factor in self.factors])

    def permute(self, order: Sequence[int]) -> "Factors":
        """The modes in another order."""
        if sorted(order) != list(range(len(self.factors))):
            raise UsageError(f"the order {tuple(order)} does not name every mode", 2)
        return self._with(self.weights, [self.factors[m] for m in order])

    def redistribute(self, mode: int) -> "Factors":
        """The weights multiplied into one factor; they are 1 then."""
        factors = list(self.factors)
        factors[mode] = factors[mode] * self.weights
        return self._with(np.ones(self.rank), factors)

    def ttv(self, vector: Any, mode: int) -> "Factors":
        """The model times a vector along a mode, which is gone."""
        rest = [factor for m, factor in enumerate(self.factors) if m != mode % len(self.factors)]
        if not rest:
            raise UsageError("the last mode cannot be multiplied away; inner() gives a number", 2)
        return self._with(self.weights * (np.asarray(vector) @ self.factors[mode]), rest)

    def mttkrp(self, factors: Sequence[Any], mode: int) -> Any:
        """As `Tensor.mttkrp` of the model, without its cells."""
        grams = [mine.T @ np.asarray(factors[m]) for m, mine in enumerate(self.factors)
                 if m != mode]
        return self.factors[mode] @ (self.weights[:, None] * np.prod(grams, axis=0))

    def congruence(self, other: "Factors") -> Any:
        """ndarray (rank, other.rank): the product over the modes of the cosines of two columns, 1
        for the same component."""
        self._alike(other)
        mine, theirs = self._columns(2), other._columns(2)
        return np.prod([(a / i).T @ (b / j) for a, i, b, j in
                        zip(self.factors, mine, other.factors, theirs)], axis=0) * \
            np.outer(np.sign(self.weights), np.sign(other.weights))

    def score(self, other: "Factors", weights: bool = True) -> float:
        """How alike two decompositions are, at most 1: the mean over the components of the smaller
        one of the congruence of the best pairs, each component once. With `weights` a pair counts
        less by the difference of its weights as a part of the larger."""
        alike = self.congruence(other)
        if weights:
            mine = np.abs(self.weights) * self._columns(2).prod(axis=0)
            theirs = np.abs(other.weights) * other._columns(2).prod(axis=0)
            most = np.maximum.outer(mine, theirs)
            alike = alike * (1 - np.abs(np.subtract.outer(mine, theirs)) /
                             np.where(most == 0, 1, most))
        found = []
        for _ in range(min(alike.shape)):
            i, j = np.unravel_index(np.argmax(alike), alike.shape)
            found.append(alike[i, j])
            alike = np.delete(np.delete(alike, i, axis=0), j, axis=1)
        return float(np.mean(found)) if found else 0.0

    def at(self, coords: Any) -> Any:
        """The values of the model at places, array_like of int, shape (n, n_modes)."""
        places = np.asarray(coords, int)
        if places.ndim != 2 or places.shape[1] != len(self.factors):
            raise UsageError(f"coords must have the shape (n, {len(self.factors)})", 2)
        return np.prod([factor[places[:, m]] for m, factor in enumerate(self.factors)],
                       axis=0) @ self.weights

    def value(self, index: Sequence[int]) -> float:
        """The value of the model at an index."""
        if len(index) != len(self.factors):
            raise UsageError(f"an index has {len(self.factors)} numbers", 2)
        terms = self.weights.copy()
        for factor, i in zip(self.factors, index):
            terms *= factor[i]
        return float(terms.sum())

    def to_dense(self) -> Any:
        """The model as an array, ndarray of float64, shape `shape`."""
        dense = self.weights
        for m, factor in enumerate(self.factors):
            dense = dense[..., None, :] * factor.reshape((1,) * m + factor.shape) if m else \
                factor * dense
        return dense.sum(axis=-1)

    def top(self, component: int, n: int = 5) -> Any:
        """The strongest rows of a component.

        Parameters
        ----------
        component : int
            From 0.
        n : int
            How many rows of each mode.

        Returns
        -------
        DataFrame
            ``mode`` from 0, ``row`` from 0, ``label`` (where words are known, the word) and
            ``weight`` (its part of the column, 0 to 1).
        """
        columns: Any = {"mode": [], "row": [], "label": [], "weight": []}
        for mode, factor in enumerate(self.factors):
            column = factor[:, component]
            for row in np.argsort(-column, kind="stable")[:n]:
                if column[row] == 0:
                    break
                columns["mode"].append(mode)
                columns["row"].append(int(row))
                columns["label"].append(self.words[row] if self.words else str(row))
                columns["weight"].append(float(column[row]))
        return _tables.frame(columns, "top")

    def to_pyttb(self) -> Any:
        """As ``pyttb.ktensor(factor_matrices, weights)``; the arrays are copies."""
        import pyttb
        return pyttb.ktensor([factor.copy() for factor in self.factors], self.weights.copy())

    @classmethod
    def from_pyttb(cls, ktensor: Any) -> "Factors":
        """From ``pyttb.ktensor``."""
        return cls(np.asarray(ktensor.weights).ravel(), list(ktensor.factor_matrices))

    def to_tensorly(self) -> Any:
        """As ``tensorly.cp_tensor.CPTensor((weights, factors))``, or without TensorLy as that
        tuple, which its functions take as well; the arrays are copies."""
        parts = (self.weights.copy(), [factor.copy() for factor in self.factors])
        try:
            from tensorly.cp_tensor import CPTensor
        except ImportError:
            return parts
        return CPTensor(parts)

    @classmethod
    def from_tensorly(cls, cp_tensor: Any) -> "Factors":
        """From a CPTensor of TensorLy, or a tuple (weights, factors); weights may be None."""
        weights, factors = cp_tensor
        if weights is None:
            weights = np.ones(np.asarray(factors[0]).shape[1])
        return cls(np.asarray(weights), [np.asarray(factor) for factor in factors])

    def __repr__(self) -> str:
        sizes = " x ".join(map(str, self.shape))
        fit = "" if np.isnan(self.fit) else f", fit {self.fit:.4f}"
        return f"<tributary.Factors {sizes}, rank {self.rank}{fit}>"

    def _repr_html_(self) -> str:
        rows = []
        for r in range(min(self.rank, 10)):
            cells = []
            for factor in self.factors:
                best = [i for i in np.argsort(-factor[:, r], kind="stable")[:3]
                        if factor[i, r] > 0]
                cells.append(" ".join(html.escape(self.words[i] if self.words else str(i))
                                      for i in best))
            rows.append(f"<tr><td>{r}</td><td>{self.weights[r]:.4g}</td>" +
                        "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
        head = "".join(f"<th>mode {m}</th>" for m in range(len(self.factors)))
        return (f"<div>{html.escape(repr(self)[1:-1])}<table><tr><th></th><th>weight</th>{head}"
                f"</tr>{''.join(rows)}</table></div>")


def _copy_of(weights: Any, factors: Sequence[Any], words: Optional[Sequence[str]], fit: float,
             iterations: int, stop: str, single: bool) -> Factors:
    copy = Factors(weights, factors, words, fit)
    copy.iterations, copy.stop, copy.single = iterations, stop, single
    return copy


@contextmanager
def opened(factors: Optional[Factors]) -> Iterator[Optional[c_void_p]]:
    """The factors as the library has them, while the block lasts; None for None."""
    if factors is None:
        yield None
        return
    factors._check()
    rows = max(factors.shape)
    words = None
    if factors.words:
        texts = [str(word) for word in factors.words[:rows]]
        texts += [""] * (rows - len(texts))
        if any(text.split() not in ([], [text]) or "\0" in text for text in texts):
            raise UsageError("a word has a space in it, which a file of factors cannot hold", 2)
        words = (c_char_p * rows)(*[text.encode() for text in texts])
    arrays = [np.ascontiguousarray(factor, np.float64) for factor in factors.factors]
    weights = np.ascontiguousarray(factors.weights, np.float64)
    handle = c_void_p()
    call("trib_factorisation_open", byref(handle), len(arrays),
         (ctypes.c_uint32 * len(arrays))(*factors.shape), factors.rank, weights.ctypes.data,
         (c_void_p * len(arrays))(*[array.ctypes.data for array in arrays]), factors.fit,
         factors.single, words)
    try:
        yield handle
    finally:
        library().trib_factorisation_close(handle)
