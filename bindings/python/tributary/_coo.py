"""Nonzeros as coordinates: what the functions of arrays are computed with.

A `Coo` is sorted lexicographically, has no place twice and no zero. Every function is linear in the
nonzeros that it reads and makes, but for sorting them.
"""
from __future__ import annotations

import math
from typing import Any, Callable, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ._errors import LimitError, UsageError

Shape = Tuple[int, ...]
MOST = 1 << 25  # cells of a result that holds all of them


class Coo(NamedTuple):
    """coords: ndarray of int64 (nnz, n_modes); values: ndarray (nnz,); the sizes."""
    coords: Any
    values: Any
    shape: Shape


def cells(shape: Sequence[int], what: str = "the result") -> int:
    """How many cells there are. Raises LimitError where an array of all of them is too large."""
    n = math.prod(shape)
    if n > MOST:
        raise LimitError(f"{what} has {n} cells, and most would not be 0; at most {MOST} are "
                         "written out", 6)
    return n


def common(*shapes: Shape) -> Shape:
    """The shape to which all are broadcast."""
    n = max(map(len, shapes), default=0)
    found = []
    for sizes in zip(*[(1,) * (n - len(shape)) + tuple(shape) for shape in shapes]):
        others = {size for size in sizes if size != 1}
        if len(others) > 1:
            raise ValueError("the shapes " + ", ".join(map(str, shapes)) + " do not agree")
        found.append(others.pop() if others else 1)
    return tuple(found)


def keys(shape: Sequence[int], *coords: Any) -> List[Any]:
    """A number for every place, in lexicographic order, the same in all of `coords`."""
    if math.prod(shape) < 1 << 63:
        found = []
        for places in coords:
            key = np.zeros(len(places), np.int64)
            for m, size in enumerate(shape):
                key = key * size + places[:, m]
            found.append(key)
        return found
    ranks = np.unique(np.concatenate(coords), axis=0, return_inverse=True)[1].ravel()
    return np.split(ranks, np.cumsum([len(places) for places in coords])[:-1])


def places_of(key: Any, shape: Sequence[int]) -> Any:
    """The places of the numbers that `keys` gives while they fit into 63 bits."""
    coords = np.empty((len(key), len(shape)), np.int64)
    for m in reversed(range(len(shape))):
        key, coords[:, m] = np.divmod(key, max(shape[m], 1))
    return coords


def groups(key: Any) -> Tuple[Any, Any]:
    """The order that sorts the numbers, and where in it each new number begins."""
    order = np.argsort(key, kind="stable")
    key = key[order]
    return order, np.flatnonzero(np.concatenate([np.ones(min(len(key), 1), bool),
                                                 key[1:] != key[:-1]]))


def made(coords: Any, values: Any, shape: Sequence[int],
         join: Optional[Callable[[Any, Any], Any]] = None) -> Coo:
    """From nonzeros in any order. `join(values, begins)` makes one value of those at one place,
    which are neighbours there; without it they are added."""
    coords, shape = np.asarray(coords, np.int64), tuple(int(size) for size in shape)
    key, = keys(shape, coords)
    if len(key) and not (key[1:] > key[:-1]).all():
        order, begins = groups(key)
        coords, values = coords[order], values[order]
        if len(begins) < len(order):
            values = (join or np.add.reduceat)(values, begins)
            coords = coords[begins]
    keep = values != 0
    return Coo(coords, values, shape) if keep.all() else Coo(coords[keep], values[keep], shape)


def from_dense(array: Any) -> Coo:
    """The nonzeros of an array."""
    array = np.asarray(array)
    if array.ndim == 0:
        return made(np.zeros((1, 0), np.int64), array.reshape(1), ())
    return Coo(np.argwhere(array), array[array != 0], array.shape)


def to_dense(x: Coo) -> Any:
    """The array."""
    dense = np.zeros(x.shape, x.values.dtype)
    dense[tuple(x.coords.T)] = x.values if x.shape else x.values.sum()
    return dense


def lookup(x: Coo, coords: Any) -> Any:
    """The values at places, 0 where there is none."""
    have, wanted = keys(x.shape, x.coords, coords)
    at = np.searchsorted(have, wanted)
    found = np.zeros(len(wanted), x.values.dtype)
    hit = at < len(have)
    hit[hit] = have[at[hit]] == wanted[hit]
    found[hit] = x.values[at[hit]]
    return found


def grouped(x: Coo, modes: Sequence[int]) -> Tuple[Any, Any, Any, Any]:
    """The nonzeros that agree in `modes`: the order that brings them together, where each group
    begins in it, its place in `modes`, and the number of the group of each nonzero in order."""
    coords = x.coords[:, list(modes)]
    order, begins = groups(keys([x.shape[m] for m in modes], coords)[0])
    number = np.zeros(len(order), np.int64)
    number[begins[1:]] = 1
    return order, begins, coords[order[begins]], np.cumsum(number)


def spread(x: Coo, shape: Shape, only: Optional[Coo] = None) -> Coo:
    """Broadcast to a shape. With `only`, which has as many modes, the values are repeated at the
    indices that it has."""
    if x.shape == shape:
        return x
    coords, values, sizes = _aligned(x, len(shape))
    for m, (size, wanted) in enumerate(zip(sizes, shape)):
        if size == wanted:
            continue
        at = np.arange(wanted) if only is None or only.shape[m] != wanted else \
            np.unique(only.coords[:, m])
        if len(values) * len(at) > MOST:
            cells((len(values), len(at)), "a broadcast tensor")
        coords, values = np.repeat(coords, len(at), axis=0), np.repeat(values, len(at))
        coords[:, m] = np.tile(at, len(values) // max(len(at), 1))
    return made(coords, values, shape)


def _aligned(x: Coo, n: int) -> Coo:
    new = n - len(x.shape)
    return Coo(np.concatenate([np.zeros((len(x.coords), new), np.int64), x.coords], axis=1),
               x.values, (1,) * new + x.shape)


def elementwise(f: Callable[..., Any], operands: Sequence[Any]) -> Coo:
    """f at every cell, of tensors (Coo) that are broadcast, and of numbers. Where f of zeros is not
    0, all cells are written out. Of two tensors only the cells are computed where f can be other
    than 0: those of both, of either, or of the one that decides alone."""
    which = [i for i, x in enumerate(operands) if isinstance(x, Coo)]
    tensors = [operands[i] for i in which]
    shape = common(*[x.shape for x in tensors])

    def of(values: Sequence[Any]) -> Any:
        given = list(operands)
        for i, value in zip(which, values):
            given[i] = value
        with np.errstate(all="ignore"):
            return np.asarray(f(*given))

    zeros = [np.zeros(1, x.values.dtype) for x in tensors]
    nothing = of(zeros)
    if (nothing != 0).any():
        cells(shape)
        return from_dense(np.broadcast_to(of([to_dense(x) for x in tensors]), shape))
    if len(tensors) == 1:
        return made(tensors[0].coords, of([tensors[0].values]), shape)
    tensors = [_aligned(x, len(shape)) for x in tensors]
    needed, only = list(range(len(tensors))), None
    if len(tensors) == 2:
        alone = [bool((of([x.values, zeros[1]] if i == 0 else [zeros[0], x.values]) != 0).any())
                 for i, x in enumerate(tensors)]
        if any(alone):
            needed = [i for i in range(2) if alone[i]]
        else:  # the one that needs no broadcasting, or is smaller
            sizes = [(x.shape != shape, len(x.values)) for x in tensors]
            needed = [sizes.index(min(sizes))]
            only = tensors[1 - needed[0]]
    spreads = {i: spread(tensors[i], shape, only) for i in needed}
    places = np.concatenate([x.coords for x in spreads.values()])
    if len(places) == 0:
        return Coo(places, nothing[:0], shape)
    number = np.arange(len(places))  # of the place of each nonzero among the places
    if len(spreads) > 1:
        order, begins = groups(keys(shape, places)[0])
        step = np.zeros(len(places), np.int64)
        step[begins[1:]] = 1
        number[order] = np.cumsum(step)
        places = places[order[begins]]
    columns, first = [], 0
    for i, x in enumerate(tensors):
        if i in spreads:
            mine = spreads[i]
            column = np.zeros(len(places), mine.values.dtype)
            column[number[first:first + len(mine.values)]] = mine.values
            first += len(mine.values)
        else:
            column = lookup(x, np.minimum(places, np.array(x.shape, np.int64) - 1))
        columns.append(column)
    return made(places, of(columns), shape)


def reduced(x: Coo, axes: Sequence[int], ufunc: Any, sees_zeros: bool,
            dtype: Any = None) -> Coo:
    """Values along modes made one by a ufunc; zeros take part where `sees_zeros`."""
    kept = [m for m in range(len(x.shape)) if m not in axes]
    full = math.prod(x.shape[m] for m in axes)
    shape = [x.shape[m] for m in kept]
    if full == 0 or not len(x.values):
        # The sum and the like of nothing, or of zeros; raises for the largest of nothing.
        value = ufunc.reduce(np.zeros(min(full, 1), x.values.dtype), dtype=dtype)
        if value == 0:
            return Coo(np.zeros((0, len(shape)), np.int64), np.zeros(0, value.dtype), tuple(shape))
        cells(shape)
        return from_dense(np.full(shape, value))
    if kept:
        order, begins, places, _ = grouped(x, kept)
        values = ufunc.reduceat(x.values[order], begins, dtype=dtype)
    else:
        begins, places = np.zeros(1, np.int64), np.zeros((1, 0), np.int64)
        values = np.array([ufunc.reduce(x.values, dtype=dtype)])
    if sees_zeros:
        partial = np.diff(np.append(begins, len(x.values))) < full
        values[partial] = ufunc(values[partial], np.zeros(1, values.dtype))
    return made(places, values, shape)


def extreme(x: Coo, axis: int) -> Coo:
    """The first index of the largest value along a mode, zeros among them; the mode is gone."""
    size = x.shape[axis]
    if size == 0:
        raise UsageError("there is no largest of no values", 2)
    kept = [m for m in range(len(x.shape)) if m != axis]
    shape = [x.shape[m] for m in kept]
    if not len(x.values):
        return Coo(np.zeros((0, len(shape)), np.int64), np.zeros(0, np.int64), tuple(shape))
    order, begins, places, group = grouped(x, kept)  # stable: the indices rise in every group
    at, values = x.coords[order, axis], x.values[order]
    best = np.maximum.reduceat(values, begins)
    is_best = (values == best[group]) | (values != values)
    first = np.minimum.reduceat(np.where(is_best, at, size), begins)
    rank = np.arange(len(at)) - begins[group]
    gap = np.minimum.reduceat(np.where(at != rank, rank, size), begins)
    count = np.diff(np.append(begins, len(at)))
    gap = np.minimum(gap, count)  # `size` where there is none
    return made(places, np.where((best < 0) & (gap < size), gap, first), shape)


def joined(x: Coo, y: Coo, by: Sequence[Tuple[int, int]], n_kept: int = 0) -> Coo:
    """The products of all pairs of nonzeros that agree in pairs of modes, added up. The modes of
    the result: the first n_kept of `by`, then the others of x, then those of y."""
    xs, ys = [a for a, _ in by], [b for _, b in by]
    if any(x.shape[a] != y.shape[b] for a, b in by):
        raise UsageError(f"modes {xs} of {x.shape} and {ys} of {y.shape} differ in size", 2)
    rest_x = [m for m in range(len(x.shape)) if m not in xs]
    rest_y = [m for m in range(len(y.shape)) if m not in ys]
    shape = tuple([x.shape[a] for a in xs[:n_kept]] + [x.shape[m] for m in rest_x] +
                  [y.shape[m] for m in rest_y])
    kx, ky = keys([x.shape[a] for a in xs], x.coords[:, xs], y.coords[:, ys])
    order = np.argsort(ky, kind="stable")
    ky = ky[order]
    low, high = np.searchsorted(ky, kx), np.searchsorted(ky, kx, side="right")
    ends = np.cumsum(high - low)
    dtype = np.result_type(x.values, y.values)
    total = Coo(np.zeros((0, len(shape)), np.int64), np.zeros(0, dtype), shape)
    first = 0
    while first < len(kx):  # a part of x at a time, so that the pairs fit into memory
        done = int(ends[first - 1]) if first else 0
        last = max(first + 1, int(np.searchsorted(ends, done + (1 << 23), side="right")))
        n = (high - low)[first:last]
        of_x = np.repeat(np.arange(first, last), n)
        of_y = order[np.arange(int(n.sum())) - np.repeat(np.cumsum(n) - n, n) +
                     np.repeat(low[first:last], n)]
        coords = np.concatenate([x.coords[of_x][:, xs[:n_kept] + rest_x],
                                 y.coords[of_y][:, rest_y]], axis=1)
        part = made(coords, x.values[of_x] * y.values[of_y], shape)
        total = part if first == 0 else made(np.concatenate([total.coords, part.coords]),
                                             np.concatenate([total.values, part.values]), shape)
        first = last
    return total
