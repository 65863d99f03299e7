"""The Tucker decomposition: a small dense core, and a matrix with orthonormal columns for each
mode."""
from __future__ import annotations

from typing import Any, List, Sequence, Union

import numpy as np

from . import _coo
from ._errors import UsageError
from ._operands import of
from ._products import tensordot, ttm
from ._shapes import moveaxis, reshape


class Tucker:
    """`core` times a matrix along each mode.

    Attributes
    ----------
    core : ndarray, shape ranks
    factors : list of ndarray, shape (shape[m], ranks[m])
    fit : float
        1 - |X - model| / |X|.
    """

    def __init__(self, core: Any, factors: Sequence[Any], fit: float = float("nan")) -> None:
        self.core, self.factors, self.fit = core, list(factors), fit

    def to_dense(self) -> Any:
        """The model as an array."""
        dense = self.core
        for m, factor in enumerate(self.factors):
            dense = np.moveaxis(np.tensordot(dense, factor, ([m], [1])), -1, m)
        return dense

    def __repr__(self) -> str:
        sizes = " x ".join(str(len(factor)) for factor in self.factors)
        ranks = " x ".join(map(str, self.core.shape))
        return f"<tributary Tucker {sizes}, core {ranks}, fit {self.fit:.4f}>"


def _signed(vectors: Any) -> Any:
    """With the entry of largest absolute value of every column above 0, so that the result is
    always the same."""
    largest = vectors[np.abs(vectors).argmax(axis=0), np.arange(vectors.shape[1])]
    return vectors * np.where(largest < 0, -1, 1)


def nvecs(x: Any, mode: int, n: int) -> Any:
    """ndarray (shape[mode], n): the leading left singular vectors of the unfolding of a mode."""
    c = of(x)
    size, others = c.shape[mode], [m for m in range(len(c.shape)) if m != mode % len(c.shape)]
    if not 1 <= n <= size:
        raise UsageError(f"mode {mode} has 1 to {size} vectors, not {n}", 2)
    _coo.cells((size, size), "the product of the unfolding with itself")
    gram = _coo.to_dense(of(tensordot(x, x, (others, others)))) if others else \
        np.outer(_coo.to_dense(c), _coo.to_dense(c))
    return _signed(np.linalg.eigh(gram)[1][:, ::-1][:, :n])


def _projected(x: Any, factors: Sequence[Any], but: int = -1) -> Any:
    """The tensor times the transposes of all factors but one."""
    for m, factor in enumerate(factors):
        if m != but:
            x = ttm(x, factor.T, m)
    return x


def tucker(x: Any, ranks: Union[int, Sequence[int]], iterations: int = 50,
           tolerance: float = 1e-8) -> Tucker:
    """The Tucker decomposition by orthogonal iteration from the truncated HOSVD; with
    `iterations=0` the HOSVD itself.

    Parameters
    ----------
    x : Tensor or array_like of real numbers
    ranks : int or sequence of int
        The sizes of the core.
    """
    shape = of(x).shape
    sizes = [ranks] * len(shape) if isinstance(ranks, int) else list(ranks)
    if len(sizes) != len(shape):
        raise UsageError(f"there are {len(sizes)} ranks and {len(shape)} modes", 2)
    square = float((of(x).values ** 2).sum())
    factors: List[Any] = [nvecs(x, m, n) for m, n in enumerate(sizes)]
    core, before = _coo.to_dense(of(_projected(x, factors))), -1.0
    for _ in range(iterations if len(shape) > 1 else 0):
        if (core ** 2).sum() - before <= tolerance * square:
            break
        before = float((core ** 2).sum())
        for m, n in enumerate(sizes):
            rows = reshape(moveaxis(_projected(x, factors, m), m, 0), (shape[m], -1))
            _coo.cells(rows.shape)
            left = np.linalg.svd(rows.to_dense(), full_matrices=False)[0][:, :n]
            if left.shape[1] == n:  # else the other ranks are too small for so many
                factors[m] = _signed(left)
        core = _coo.to_dense(of(_projected(x, factors)))
    rest = max(square - float((core ** 2).sum()), 0)
    return Tucker(core, factors, 1 - float(np.sqrt(rest / square)) if square else float("nan"))
