"""Functions that move the cells of tensors: the names of the Python array API standard."""
from __future__ import annotations

import math
import operator
from typing import Any, Callable, List, Optional, Sequence, Tuple

import numpy as np

from . import _coo
from ._coo import Coo
from ._errors import UsageError
from ._index import taken
from ._operands import Axis, asarray, modes_of, of, result
from ._tensor import Tensor

__all__ = ["permute_dims", "matrix_transpose", "swapaxes", "moveaxis", "reshape", "ravel",
           "expand_dims", "squeeze", "broadcast_to", "broadcast_arrays", "flip", "roll",
           "concat", "stack", "unstack", "repeat", "tile", "pad", "take", "triu",
           "tril", "diagonal"]


def permute_dims(x: Any, axes: Optional[Sequence[int]] = None) -> Any:
    """The modes in another order; without one, reversed."""
    c = of(x)
    order = modes_of(axes, len(c.shape)) if axes is not None else list(range(len(c.shape)))[::-1]
    if len(order) != len(c.shape):
        raise ValueError(f"the order {axes} does not name the {len(c.shape)} modes")
    result = Tensor._of(_coo.made(c.coords[:, order], c.values, [c.shape[m] for m in order]))
    result.words = getattr(x, "words", None)
    return result


def matrix_transpose(x: Any) -> Any:
    """The last two modes change places."""
    return swapaxes(x, -1, -2)


def swapaxes(x: Any, axis1: int, axis2: int) -> Any:
    """Two modes change places."""
    order = list(range(np.ndim(x) if not isinstance(x, Tensor) else x.ndim))
    a, b = modes_of((axis1,), len(order))[0], modes_of((axis2,), len(order))[0]
    order[a], order[b] = b, a
    return permute_dims(x, order)


def moveaxis(x: Any, source: Any, destination: Any) -> Any:
    """Modes go to other places, and the others stay in order."""
    n = len(of(x).shape)
    sources, places = modes_of(source, n), modes_of(destination, n)
    order = [m for m in range(n) if m not in sources]
    for place, mode in sorted(zip(places, sources)):
        order.insert(place, mode)
    return permute_dims(x, order)


def reshape(x: Any, shape: Any, copy: Any = None) -> Any:
    """Other sizes for the same cells, row-major; one size may be -1."""
    c = of(x)
    sizes = [shape] if isinstance(shape, int) else [operator.index(size) for size in shape]
    n = math.prod(c.shape)
    if -1 in sizes:
        rest = -math.prod(sizes)
        sizes[sizes.index(-1)] = n // rest if rest > 0 else -1
    if math.prod(sizes) != n or min(sizes, default=0) < 0:
        raise ValueError(f"a tensor of the shape {c.shape} has no shape {tuple(shape)}"
                         if not isinstance(shape, int) else f"{c.shape} has no shape {shape}")
    if n >= 1 << 63:
        raise UsageError(f"a tensor of 2**63 cells or more, as {c.shape}, has no other shape", 2)
    return result(Coo(_coo.places_of(_coo.keys(c.shape, c.coords)[0], sizes), c.values,
                       tuple(sizes)))


def ravel(x: Any) -> Any:
    """All cells in one mode."""
    return reshape(x, -1)


def expand_dims(x: Any, axis: Axis = 0) -> Any:
    """New modes of size 1."""
    c = of(x)
    n = len(c.shape) + (len(axis) if isinstance(axis, (tuple, list)) else 1)
    new = modes_of(axis, n)
    old = iter(range(len(c.shape)))
    from_old = [None if m in new else next(old) for m in range(n)]
    return Tensor._of(Coo(
        np.stack([np.zeros(len(c.values), np.int64) if m is None else c.coords[:, m]
                  for m in from_old], axis=1), c.values,
        tuple(1 if m is None else c.shape[m] for m in from_old)))


def squeeze(x: Any, axis: Axis = None) -> Any:
    """Without modes of size 1."""
    c = of(x)
    gone = modes_of(axis, len(c.shape)) if axis is not None else \
        [m for m, size in enumerate(c.shape) if size == 1]
    if any(c.shape[m] != 1 for m in gone):
        raise ValueError(f"a mode of {c.shape} that is to be left out has not the size 1")
    kept = [m for m in range(len(c.shape)) if m not in gone]
    return result(Coo(c.coords[:, kept], c.values, tuple(c.shape[m] for m in kept)))


def broadcast_to(x: Any, shape: Any) -> Any:
    """With values repeated along modes of size 1 and new ones."""
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    c = of(x)
    if _coo.common(c.shape, sizes) != sizes:
        raise ValueError(f"{c.shape} is not broadcast to {sizes}")
    return result(_coo.spread(c, sizes))


def broadcast_arrays(*arrays: Any) -> List[Any]:
    """All in their common shape."""
    shape = _coo.common(*[of(x).shape for x in arrays])
    return [broadcast_to(x, shape) for x in arrays]


def flip(x: Any, axis: Axis = None) -> Any:
    """With the indices of modes reversed."""
    c = of(x)
    coords = c.coords.copy()
    for m in modes_of(axis, len(c.shape)):
        coords[:, m] = c.shape[m] - 1 - coords[:, m]
    return result(_coo.made(coords, c.values, c.shape))


def roll(x: Any, shift: Any, axis: Axis = None) -> Any:
    """Moved along modes; what leaves at the end comes in at the start."""
    if axis is None:
        c = of(x)
        return reshape(roll(reshape(x, -1), shift, 0), c.shape)
    c = of(x)
    coords, axes = c.coords.copy(), modes_of(axis, len(c.shape))
    for m, by in zip(axes, np.broadcast_to(shift, len(axes))):
        coords[:, m] = (coords[:, m] + int(by)) % max(c.shape[m], 1)
    return result(_coo.made(coords, c.values, c.shape))


def concat(arrays: Sequence[Any], axis: Optional[int] = 0) -> Any:
    """One after the other along a mode; without one, all cells in one mode."""
    parts = [of(x) for x in arrays]
    if axis is None:
        return concat([reshape(x, -1) for x in arrays])
    if not parts:
        raise ValueError("there is nothing to put together")
    m, = modes_of(axis, len(parts[0].shape))
    rests = {c.shape[:m] + c.shape[m + 1:] for c in parts}
    if len(rests) > 1:
        raise ValueError(f"the shapes {[c.shape for c in parts]} differ beside mode {m}")
    first, moved = 0, []
    for c in parts:
        coords = c.coords.copy()
        coords[:, m] += first
        first += c.shape[m]
        moved.append(coords)
    shape = list(parts[0].shape)
    shape[m] = first
    return result(_coo.made(np.concatenate(moved), np.concatenate([c.values for c in parts]),
                             shape))


def stack(arrays: Sequence[Any], axis: int = 0) -> Any:
    """Along a new mode."""
    if len({of(x).shape for x in arrays}) > 1:
        raise ValueError("the tensors have different shapes")
    return concat([expand_dims(x, axis) for x in arrays], axis)


def unstack(x: Any, axis: int = 0) -> Tuple[Any, ...]:
    """The slices along a mode."""
    x = moveaxis(x, axis, 0)
    return tuple(x[i] for i in range(x.shape[0]))


def repeat(x: Any, repeats: Any, axis: Optional[int] = None) -> Any:
    """Every index of a mode several times."""
    x = reshape(x, -1) if axis is None else asarray(x)
    size = x.shape[axis or 0]
    return take(x, np.repeat(np.arange(size), np.broadcast_to(np.asarray(repeats), size)),
                axis or 0)


def tile(x: Any, repetitions: Any) -> Any:
    """The whole several times along each mode."""
    times = (repetitions,) if isinstance(repetitions, int) else tuple(repetitions)
    x = asarray(x)
    n = max(x.ndim, len(times))
    x = reshape(x, (1,) * (n - x.ndim) + x.shape)
    for m, k in enumerate((1,) * (n - len(times)) + times):
        x = take(x, np.tile(np.arange(x.shape[m]), k), m)
    return x


def pad(x: Any, pad_width: Any) -> Any:
    """With zeros before and after, as numpy.pad."""
    c = of(x)
    widths = np.broadcast_to(np.asarray(pad_width), (len(c.shape), 2))
    return result(Coo(c.coords + widths[:, 0], c.values,
                       tuple(int(s + w.sum()) for s, w in zip(c.shape, widths))))


def take(x: Any, indices: Any, axis: Optional[int] = None) -> Any:
    """The indices of a mode, in this order."""
    x = reshape(x, -1) if axis is None else asarray(x)
    m, = modes_of(axis or 0, x.ndim)
    if isinstance(indices, Tensor):
        indices = indices.to_dense()
    return result(taken(of(x), (slice(None),) * m + (np.asarray(indices),)))


def _triangle(x: Any, holds: Callable[[Any], Any]) -> Any:
    c = of(x)
    if len(c.shape) < 2:
        raise ValueError("a triangle needs two modes")
    keep = holds(c.coords[:, -1] - c.coords[:, -2])
    return result(Coo(c.coords[keep], c.values[keep], c.shape))


def triu(x: Any, k: int = 0) -> Any:
    """The last two modes on and above a diagonal."""
    return _triangle(x, lambda offset: offset >= k)


def tril(x: Any, k: int = 0) -> Any:
    """The last two modes on and below a diagonal."""
    return _triangle(x, lambda offset: offset <= k)


def diagonal(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """Where two modes have the same index; it becomes the last mode."""
    c = of(x)
    a, b = modes_of((axis1, axis2), len(c.shape))
    keep = c.coords[:, b] - c.coords[:, a] == offset
    kept = [m for m in range(len(c.shape)) if m not in (a, b)]
    n = min(c.shape[a] + min(offset, 0), c.shape[b] - max(offset, 0))
    at = c.coords[keep][:, a if offset >= 0 else b]
    return result(_coo.made(np.concatenate([c.coords[keep][:, kept], at[:, None]], axis=1),
                             c.values[keep], [c.shape[m] for m in kept] + [max(n, 0)]))
