"""What `x[...]` selects: whole numbers, slices, Ellipsis, None, masks, and arrays of indices, with
the meaning that they have in NumPy."""
from __future__ import annotations

import math
import operator
from typing import Any, List, Optional, Tuple

import numpy as np

from ._coo import Coo, Shape, keys, made, places_of, to_dense


def _parts(index: Any) -> Tuple[List[Any], List[Tuple[int, Shape]]]:
    """The parts of an index, with masks as the arrays of their places; and where masks are, and
    their sizes."""
    parts: List[Any] = []
    masks: List[Tuple[int, Shape]] = []
    for part in index if isinstance(index, tuple) else (index,):
        array: Any = None
        if hasattr(part, "_coo"):
            c = part._coo()
            if c.shape and c.values.dtype == bool:
                masks.append((len(parts), c.shape))
                parts.extend(c.coords.T)
                continue
            array = to_dense(c)
        elif isinstance(part, (list, np.ndarray, bool, np.bool_)):
            array = np.asarray(part)
        if array is not None and array.dtype == bool:
            if array.ndim == 0:
                raise IndexError("a mask has at least one mode")
            masks.append((len(parts), array.shape))
            parts.extend(np.nonzero(array))
        elif array is not None and (array.dtype.kind in "iu" or array.size == 0):
            parts.append(array.astype(np.int64) if array.ndim else int(array))
        elif part is None or part is Ellipsis or isinstance(part, slice):
            parts.append(part)
        else:
            try:
                parts.append(operator.index(part))
            except TypeError:
                raise IndexError("indices are whole numbers, slices, None, '...', or arrays of "
                                 f"numbers or truth, not {part!r}") from None
    return parts, masks


def _expanded(index: Any, shape: Shape) -> List[Any]:
    """One part for every mode, None for new ones, and `...` where it stands for no mode."""
    parts, masks = _parts(index)
    given = sum(part is not None and part is not Ellipsis for part in parts)
    if sum(part is Ellipsis for part in parts) > 1:
        raise IndexError("an index has '...' only once")
    if given > len(shape):
        raise IndexError(f"an index has at most {len(shape)} numbers, not {given}")
    rest: List[Any] = [slice(None)] * (len(shape) - given)
    at = next((i for i, part in enumerate(parts) if part is Ellipsis), len(parts))
    for i, sizes in masks:
        mode = sum(part is not None and part is not Ellipsis for part in parts[:i]) + \
            (len(rest) if i > at else 0)
        if sizes != shape[mode:mode + len(sizes)]:
            raise IndexError(f"a mask of the shape {sizes} does not select from "
                             f"{shape[mode:mode + len(sizes)]}")
    return parts[:at] + (rest or [Ellipsis]) + parts[at + 1:]


class Selection:
    """The cells that an index selects from a shape."""

    def __init__(self, index: Any, shape: Shape) -> None:
        parts = _expanded(index, shape)
        arrays = [part for part in parts if isinstance(part, np.ndarray)]
        points: Shape = tuple(np.broadcast_shapes(*[a.shape for a in arrays])) if arrays else ()
        self.of, self.points = shape, points
        self.fixed: List[Tuple[int, int]] = []  # mode, index
        self.sliced: List[Tuple[int, int, range]] = []  # mode, axis of the result, indices
        self.modes: List[int] = []  # of the arrays
        self.arrays: List[Any] = []
        sizes: List[int] = []
        self.at: Optional[int] = None  # the first axis of the arrays
        mode, array_parts = 0, [i for i, part in enumerate(parts)
                                if isinstance(part, np.ndarray)
                                or (arrays and isinstance(part, int))]
        # The axes of arrays that are not neighbours come first.
        if array_parts and array_parts[-1] - array_parts[0] + 1 != len(array_parts):
            self.at, sizes = 0, list(points)
        for part in parts:
            if part is Ellipsis:
                continue
            if part is None:
                sizes.append(1)
                continue
            size = shape[mode]
            if isinstance(part, slice):
                chosen = range(*part.indices(size))
                self.sliced.append((mode, len(sizes), chosen))
                sizes.append(len(chosen))
            elif isinstance(part, int) and not arrays:
                self.fixed.append((mode, self._checked(part, mode)))
            else:
                part = np.asarray(part)
                for i in (part.min(), part.max()) if part.size else ():
                    self._checked(int(i), mode)
                self.modes.append(mode)
                self.arrays.append(np.broadcast_to(np.where(part < 0, part + size, part),
                                                   points).ravel())
                if self.at is None:
                    self.at = len(sizes)
                    sizes.extend(points)
            mode += 1
        self.shape: Shape = tuple(sizes)

    def _checked(self, i: int, mode: int) -> int:
        size = self.of[mode]
        if not -size <= i < size:
            raise IndexError(f"index {i} is out of range for mode {mode} of the shape {self.of}")
        return i % size

    def take(self, coords: Any) -> Tuple[Any, Any]:
        """Which of the places are selected, once for each time, and where in the result."""
        keep = np.ones(len(coords), bool)
        for mode, i in self.fixed:
            keep &= coords[:, mode] == i
        for mode, _, chosen in self.sliced:
            at, rest = np.divmod(coords[:, mode] - chosen.start, chosen.step)
            keep &= (rest == 0) & (at >= 0) & (at < len(chosen))
        which = np.flatnonzero(keep)
        points = np.zeros(len(which), np.int64)
        if self.arrays:
            sizes = [self.of[m] for m in self.modes]
            mine, theirs = keys(sizes, coords[which][:, self.modes], np.stack(self.arrays, axis=1))
            order = np.argsort(theirs, kind="stable")
            theirs = theirs[order]
            low = np.searchsorted(theirs, mine)
            n = np.searchsorted(theirs, mine, side="right") - low
            which = np.repeat(which, n)
            points = order[np.arange(len(which)) - np.repeat(np.cumsum(n) - n, n) +
                           np.repeat(low, n)]
        result = np.zeros((len(which), len(self.shape)), np.int64)
        for mode, axis, chosen in self.sliced:
            result[:, axis] = (coords[which, mode] - chosen.start) // chosen.step
        if self.at is not None:
            result[:, self.at:self.at + len(self.points)] = places_of(points, self.points)
        return which, result

    def back(self, result: Any) -> Any:
        """The places that cells of the result stand for."""
        coords = np.empty((len(result), len(self.of)), np.int64)
        for mode, i in self.fixed:
            coords[:, mode] = i
        for mode, axis, chosen in self.sliced:
            coords[:, mode] = chosen.start + chosen.step * result[:, axis]
        if self.at is not None:
            point, = keys(self.points, result[:, self.at:self.at + len(self.points)])
            for mode, array in zip(self.modes, self.arrays):
                coords[:, mode] = array[point]
        return coords


def taken(x: Coo, index: Any) -> Coo:
    """x[index]."""
    chosen = Selection(index, x.shape)
    which, coords = chosen.take(x.coords)
    return made(coords, x.values[which], chosen.shape)


def changed(x: Coo, chosen: Selection, value: Coo) -> Coo:
    """x with x[index] = value, which has the shape of the selection. Of a cell that is selected
    twice the last value counts."""
    keep = np.ones(len(x.values), bool)
    keep[chosen.take(x.coords)[0]] = False
    coords, values = chosen.back(value.coords), value.values
    if chosen.arrays:  # cells selected several times, of which the last may be 0
        places = chosen.back(places_of(np.arange(math.prod(chosen.shape)), chosen.shape))
        key, = keys(x.shape, places)
        _, last = np.unique(key[::-1], return_index=True)
        if len(last) < len(key):
            last = len(key) - 1 - last
            kept = np.isin(keys(chosen.shape, value.coords)[0], last)
            coords, values = coords[kept], values[kept]
    return made(np.concatenate([x.coords[keep], coords]),
                np.concatenate([x.values[keep], values.astype(x.values.dtype)]), x.shape)
