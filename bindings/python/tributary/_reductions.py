"""Functions that make fewer values of those of a tensor, or order them: the names of the Python
array API standard, some of which hide Python's own here."""
from __future__ import annotations

import math
from typing import Any, NamedTuple, Optional, Sequence, Tuple

import numpy as np
from numpy import float64, int64, uint64

from . import _coo
from ._coo import Coo
from ._errors import UsageError
from ._operands import Axis, apply, dense, modes_of, of, result
from ._shapes import reshape, squeeze
from ._tensor import Tensor

__all__ = ["sum", "prod", "max", "min", "any", "all", "not_zero", "count_nonzero", "mean", "var",
           "std", "argmax", "argmin", "norm", "nonzero", "argwhere", "sort", "argsort",
           "cumulative_sum", "cumulative_prod",
           "unique_values", "Counts", "unique_counts", "unique", "Inverse", "Unique",
           "unique_all", "unique_inverse"]


def _kept(x: Coo, shape: Sequence[int], axes: Sequence[int], keepdims: Any) -> Any:
    if not keepdims:
        return result(x)
    coords = np.zeros((len(x.values), len(shape)), np.int64)
    coords[:, [m for m in range(len(shape)) if m not in axes]] = x.coords
    return result(Coo(coords, x.values, tuple(1 if m in axes else s
                                               for m, s in enumerate(shape))))


def _reduce(x: Any, axis: Axis, keepdims: Any, ufunc: Any, sees_zeros: Any,
            dtype: Any = None) -> Any:
    c = of(x)
    axes = modes_of(axis, len(c.shape))
    return _kept(_coo.reduced(c, axes, ufunc, sees_zeros, dtype), c.shape, axes, keepdims)


def _wide(x: Any, dtype: Any) -> Any:
    found = of(x).values.dtype
    return dtype or {"b": int64, "i": int64, "u": uint64}.get(found.kind, found)


def sum(x: Any, axis: Axis = None, dtype: Any = None, keepdims: Any = False) -> Any:
    """Along modes, or of all values."""
    return _reduce(x, axis, keepdims, np.add, False, _wide(x, dtype))


def prod(x: Any, axis: Axis = None, dtype: Any = None, keepdims: Any = False) -> Any:
    """The product, zeros among the factors."""
    return _reduce(x, axis, keepdims, np.multiply, True, _wide(x, dtype))


def max(x: Any, axis: Axis = None, keepdims: Any = False) -> Any:
    """The largest value, zeros among them."""
    return _reduce(x, axis, keepdims, np.maximum, True)


def min(x: Any, axis: Axis = None, keepdims: Any = False) -> Any:
    """The smallest value, zeros among them."""
    return _reduce(x, axis, keepdims, np.minimum, True)


def any(x: Any, axis: Axis = None, keepdims: Any = False) -> Any:
    """Whether a cell is not 0."""
    return _reduce(not_zero(x), axis, keepdims, np.logical_or, False, np.bool_)


def all(x: Any, axis: Axis = None, keepdims: Any = False) -> Any:
    """Whether no cell is 0."""
    return _reduce(not_zero(x), axis, keepdims, np.logical_and, True, np.bool_)


def not_zero(x: Any) -> Any:
    """The mask of the nonzeros."""
    c = of(x)
    return Tensor._of(c._replace(values=np.ones(len(c.values), np.bool_)))


def count_nonzero(x: Any, axis: Axis = None, keepdims: Any = False) -> Any:
    """How many cells are not 0."""
    return sum(not_zero(x), axis, None, keepdims)


def mean(x: Any, axis: Axis = None, dtype: Any = None, keepdims: Any = False) -> Any:
    """The sum divided by the number of cells."""
    c = of(x)
    n = math.prod(c.shape[m] for m in modes_of(axis, len(c.shape)))
    total = sum(x, axis, dtype or (None if c.values.dtype.kind in "fc" else float64), keepdims)
    return apply(np.divide, total, n)


def var(x: Any, axis: Axis = None, correction: float = 0, keepdims: Any = False,
        ddof: Optional[float] = None) -> Any:
    """The mean square distance from the mean; the sum is divided by their number less the
    correction."""
    c = of(x)
    axes = modes_of(axis, len(c.shape))
    n = math.prod(c.shape[m] for m in axes)
    middle = of(mean(x, axis, keepdims=True))
    if not c.shape:
        return apply(np.subtract, x, x)
    near = _coo.lookup(middle, np.minimum(c.coords, np.array(middle.shape, np.int64) - 1))
    stored = Tensor._of(c._replace(values=np.abs(c.values - near) ** 2))
    total = apply(np.add, sum(stored, axes, None, True),
                  apply(lambda m, k: np.abs(m) ** 2 * (n - k), Tensor._of(middle),
                        count_nonzero(x, axes, True)))
    found = apply(np.divide, total, n - (correction if ddof is None else ddof))
    return found if keepdims else squeeze(found, axes)


def std(x: Any, axis: Axis = None, correction: float = 0, keepdims: Any = False,
        ddof: Optional[float] = None) -> Any:
    """The root of `var`."""
    return apply(np.sqrt, var(x, axis, correction, keepdims, ddof))


def argmax(x: Any, axis: Optional[int] = None, keepdims: Any = False) -> Any:
    """The first index of the largest value, zeros among them."""
    c = of(x)
    if axis is None:
        found = result(_coo.extreme(of(reshape(x, -1)), 0))
        return reshape(found, (1,) * len(c.shape)) if keepdims else found
    axes = modes_of(axis, len(c.shape))
    return _kept(_coo.extreme(c, axes[0]), c.shape, axes, keepdims)


def argmin(x: Any, axis: Optional[int] = None, keepdims: Any = False) -> Any:
    """The first index of the smallest value, zeros among them."""
    c = of(x)
    values = c.values if c.values.dtype.kind in "if" else c.values.astype(float64)
    return argmax(Tensor._of(c._replace(values=-values)), axis, keepdims)


def norm(x: Any, ord: Any = 2) -> Any:
    """The p-norm of all values; inf: the largest absolute value, 0: how many are not 0."""
    # Of a table the values alone, in its order: coordinates are not needed.
    values = np.abs(x.values if isinstance(x, Tensor) and x._kept is None else of(x).values)
    if ord in (None, 2, "fro"):
        return np.sqrt((values ** 2).sum())
    if ord == 0:
        return values.dtype.type(len(values))
    if ord == math.inf:
        return values.max(initial=0)
    if isinstance(ord, str) or ord < 0:
        raise UsageError(f"a norm has an order of 0 or more, not {ord!r}", 2)
    return (values ** ord).sum() ** (1 / ord)


def nonzero(x: Any) -> Tuple[Any, ...]:
    """The places of the nonzeros: an ndarray of indices for each mode."""
    return tuple(column.copy() for column in of(x).coords.T)


def argwhere(x: Any) -> Any:
    """The places of the nonzeros: an ndarray with a row for each."""
    return of(x).coords.copy()


def sort(x: Any, axis: int = -1, descending: Any = False, stable: Any = True,
         kind: Any = None) -> Any:
    """The values in order along a mode, zeros among them."""
    c = of(x)
    m, = modes_of(axis, len(c.shape))
    sign = -1 if descending else 1
    values = c.values.astype(np.int8) if c.values.dtype == bool else c.values
    first = np.argsort(sign * values, kind="stable")
    by_value = Coo(c.coords[first], c.values[first], c.shape)
    order, begins, _, group = _coo.grouped(by_value, [k for k in range(len(c.shape)) if k != m])
    coords, values = by_value.coords[order], by_value.values[order]
    count = np.diff(np.append(begins, len(order)))
    coords[:, m] = np.arange(len(order)) - begins[group] + \
        np.where((values < 0) != bool(descending), 0, c.shape[m] - count[group])
    return result(_coo.made(coords, values, c.shape))


def argsort(x: Any, axis: int = -1, descending: Any = False, stable: Any = True,
            kind: Any = None) -> Any:
    """The indices that `sort` brings in order."""
    return dense(lambda d: np.argsort(-d if descending else d, axis=axis, kind="stable"), x)


def _tensor(array: Any) -> Any:
    return Tensor._of(_coo.from_dense(array))


def _cumulative(f: Any, x: Any, axis: Optional[int], dtype: Any, first: Any, initial: Any) -> Any:
    def run(cells: Any) -> Any:
        cells = f(cells, axis=axis, dtype=dtype)
        if not initial:
            return cells
        along = [(1, 0) if m == (axis or 0) % cells.ndim else (0, 0) for m in range(cells.ndim)]
        return np.pad(cells, along, constant_values=first)
    return dense(run, x)


def cumulative_sum(x: Any, axis: Optional[int] = None, dtype: Any = None,
                   include_initial: Any = False) -> Any:
    """The sums of all cells up to each along a mode."""
    return _cumulative(np.cumsum, x, axis, dtype, 0, include_initial)


def cumulative_prod(x: Any, axis: Optional[int] = None, dtype: Any = None,
                    include_initial: Any = False) -> Any:
    """The products of all cells up to each along a mode."""
    return _cumulative(np.cumprod, x, axis, dtype, 1, include_initial)


def unique_values(x: Any) -> Any:
    """The different values, 0 among them where a cell holds none."""
    return unique_counts(x).values


class Counts(NamedTuple):
    """The different values, and how often each occurs."""
    values: Any
    counts: Any


def unique_counts(x: Any) -> Counts:
    """The different values and how often they occur, with 0 where a cell holds none."""
    c = of(x)
    values, counts = np.unique(c.values, return_counts=True)
    rest = math.prod(c.shape) - len(c.values)
    if rest:
        at = np.searchsorted(values, 0)
        values, counts = np.insert(values, at, 0), np.insert(counts, at, rest)
    return Counts(_tensor(values), _tensor(counts))


def unique(x: Any, return_index: Any = False, return_inverse: Any = False,
           return_counts: Any = False) -> Any:
    """`unique_values`, and what else is asked for, as numpy.unique."""
    if not (return_index or return_inverse):
        counts = unique_counts(x)
        return tuple(counts) if return_counts else counts.values
    found, asked = unique_all(x), (True, return_index, return_inverse, return_counts)
    return tuple(part for part, is_asked in zip(found, asked) if is_asked)


class Inverse(NamedTuple):
    """The different values, and which of them every cell holds."""
    values: Any
    inverse_indices: Any


class Unique(NamedTuple):
    """All of numpy.unique."""
    values: Any
    indices: Any
    inverse_indices: Any
    counts: Any


def unique_all(x: Any) -> Unique:
    """The different values, where each occurs first, which of them every cell holds, and how often
    each occurs."""
    cells = _coo.to_dense(of(x))
    values, first, inverse, counts = np.unique(cells, True, True, True)
    return Unique(*map(_tensor, (values, first, inverse.reshape(cells.shape), counts)))


def unique_inverse(x: Any) -> Inverse:
    """The different values, and which of them every cell holds."""
    found = unique_all(x)
    return Inverse(found.values, found.inverse_indices)
