"""What functions of tensors take and give: tensors, arrays, matrices of SciPy and numbers."""
from __future__ import annotations

import operator
from typing import Any, Callable, List, Sequence, Union

import numpy as np

from . import _coo
from ._coo import Coo
from ._errors import UsageError
from ._tensor import Tensor

Axis = Union[int, Sequence[int], None]
_Number = (int, float, complex, np.number, np.bool_)


def of(x: Any) -> Coo:
    """The nonzeros."""
    if isinstance(x, Tensor):
        return x._coo()
    if hasattr(x, "tocoo"):
        matrix = x.tocoo()
        return _coo.made(np.stack([matrix.row, matrix.col], axis=1), matrix.data, matrix.shape)
    return _coo.from_dense(x)


def result(x: Coo, *like: Any) -> Any:
    """A tensor, or a number where it has no mode; with the words of one of the same shape."""
    if not x.shape:
        return x.values[0] if len(x.values) else x.values.dtype.type(0)
    words = [y.words for y in like if isinstance(y, Tensor) and y.words and y.shape == x.shape]
    return Tensor._of(x, words[0] if words else None)


def modes_of(axis: Axis, n: int) -> List[int]:
    """Modes from 0, each once."""
    if axis is None:
        return list(range(n))
    chosen = [operator.index(a) for a in (axis if isinstance(axis, (tuple, list)) else [axis])]
    for a in chosen:
        if not -n <= a < n:
            raise UsageError(f"there is no mode {a} of {n}", 2)
    found = [a % n for a in chosen]
    if len(set(found)) < len(found):
        raise UsageError("a mode is named twice", 2)
    return found


def dense(f: Callable[..., Any], x: Any, *more: Any, **named: Any) -> Any:
    """By NumPy, of all cells."""
    given = of(x)
    _coo.cells(given.shape, "the tensor")
    return result(_coo.from_dense(f(_coo.to_dense(given), *more, **named)))


def apply(f: Callable[..., Any], *operands: Any) -> Any:
    """`f`, a function of NumPy that works element by element, of tensors, arrays and numbers."""
    given = [x if x is None or isinstance(x, _Number) else of(x) for x in operands]
    if not any(isinstance(x, Coo) for x in given):
        return f(*given)
    return result(_coo.elementwise(f, given), *operands)


def asarray(obj: Any, dtype: Any = None, device: Any = None, copy: Any = None) -> Tensor:
    """A tensor of an array, a matrix of SciPy, a list, a number or a tensor; its type is kept."""
    if isinstance(obj, Tensor) and (dtype is None or np.dtype(dtype) == obj.dtype) and not copy:
        return obj
    x = of(np.asarray(obj, dtype) if isinstance(obj, (list, tuple)) else obj)
    return Tensor._of(x if dtype is None else
                      _coo.made(x.coords, x.values.astype(dtype), x.shape),
                      getattr(obj, "words", None))
