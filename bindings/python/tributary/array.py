"""Functions of tensors, by the names of the Python array API standard (data-apis.org).

``xp = tributary.array`` is the namespace of the standard for `tributary.Tensor`. NumPy's functions
of the same name do the same: ``numpy.sum(x)`` is ``tributary.array.sum(x)``. Where no cell holds a
value the value is 0; a result whose cells are mostly not 0, as ``cos(x)``, is written out up to
2**25 cells. A function that gives one number gives NumPy's number, as NumPy's own do.

>>> import tributary
>>> xp = tributary.array
>>> x = tributary.Tensor([[0, 1], [2, 0]], [3.0, 4.0], shape=(3, 2))
>>> xp.sum(xp.square(x), axis=0)
<tributary.Tensor 2, 2 nonzeros, counts>
"""
from __future__ import annotations

from typing import Any, Callable, List, Optional

import numpy as np
from numpy import e, inf, nan, newaxis, pi  # noqa: F401
from numpy import (bool_ as bool, can_cast, complex64, complex128, finfo,  # noqa: F401
                   float32, float64, iinfo, int8, int16, int32, int64, uint8, uint16, uint32,
                   uint64)

from . import _coo
from ._coo import Coo
from ._operands import apply, asarray, of
from ._products import *  # noqa: F401,F403
from ._reductions import *  # noqa: F401,F403
from ._shapes import *  # noqa: F401,F403
from ._tensor import Tensor
from ._tucker import Tucker, nvecs, tucker  # noqa: F401

__array_api_version__ = "2022.12"

# ---- Element by element --------------------------------------------------------------------------

_RENAMED = {"acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh",
            "atan": "arctan", "atan2": "arctan2", "atanh": "arctanh", "pow": "power",
            "bitwise_invert": "invert", "bitwise_left_shift": "left_shift",
            "bitwise_right_shift": "right_shift"}
_ELEMENTWISE = (
    "abs add bitwise_and bitwise_or bitwise_xor ceil conj copysign cos cosh divide equal exp expm1 "
    "floor floor_divide greater greater_equal hypot imag isfinite isinf isnan less less_equal log "
    "log10 log1p log2 logaddexp logical_and logical_not logical_or logical_xor maximum minimum "
    "multiply negative nextafter not_equal positive real reciprocal remainder sign signbit sin "
    "sinh sqrt square subtract tan tanh trunc true_divide").split() + list(_RENAMED)


def __getattr__(name: str) -> Any:
    if name not in _ELEMENTWISE:
        raise AttributeError(f"tributary.array has no function '{name}'")
    f = getattr(np, _RENAMED.get(name, name))

    def function(*operands: Any) -> Any:
        return apply(f, *operands)
    function.__name__ = name
    function.__doc__ = f"numpy.{f.__name__} of every cell."
    globals()[name] = function
    return function


def __dir__() -> List[str]:
    return sorted({name for name in globals() if name[0] != "_"} | set(_ELEMENTWISE))


def where(condition: Any, x1: Any, x2: Any) -> Any:
    """x1 where the condition holds, else x2."""
    return apply(np.where, condition, x1, x2)


def clip(x: Any, min: Any = None, max: Any = None) -> Any:
    """Values below `min` are raised to it, those above `max` lowered."""
    return apply(np.clip, x, min, max)


def round(x: Any, decimals: int = 0) -> Any:
    """To the nearest whole number, or with some decimals."""
    return apply(lambda values: np.round(values, decimals), x)


def nan_to_num(x: Any, nan: float = 0.0) -> Any:
    """Without NaN, and with the largest numbers for infinite ones."""
    return apply(lambda values: np.nan_to_num(values, nan=nan), x)


def isclose(x: Any, y: Any, rtol: float = 1e-5, atol: float = 1e-8) -> Any:
    """Whether |x - y| <= atol + rtol |y|."""
    return apply(lambda a, b: np.isclose(a, b, rtol, atol), x, y)


def allclose(x: Any, y: Any, rtol: float = 1e-5, atol: float = 1e-8) -> Any:
    """Whether that is so of all cells; only the others are written out."""
    far = apply(lambda a, b: ~np.isclose(a, b, rtol, atol), x, y)
    return not np.any(of(far).values)


def array_equal(x: Any, y: Any) -> Any:
    """Whether shape and all cells are the same."""
    return of(x).shape == of(y).shape and not np.any(of(apply(np.not_equal, x, y)).values)


# ---- Making --------------------------------------------------------------------------------------

def astype(x: Any, dtype: Any, copy: Any = True, device: Any = None) -> Tensor:
    """With another type."""
    return asarray(x, dtype)


def copy_of(x: Any) -> Tensor:
    """A tensor of its own."""
    return asarray(x, copy=True)


def from_dlpack(x: Any, **_: Any) -> Tensor:
    """From an array of another library."""
    return asarray(np.from_dlpack(x))


def zeros(shape: Any, dtype: Any = float64, device: Any = None) -> Tensor:
    """A tensor without nonzeros."""
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    return Tensor._of(Coo(np.zeros((0, len(sizes)), np.int64), np.zeros(0, dtype or float64),
                          sizes))


def zeros_like(x: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """Without nonzeros, of the shape of x."""
    x = asarray(x)
    return zeros(x.shape, dtype or x.dtype)


empty, empty_like = zeros, zeros_like


def _maker(f: Any) -> Callable[..., Any]:
    def function(*given: Any, device: Any = None, **named: Any) -> Tensor:
        return asarray(f(*given, **named))
    function.__name__ = f.__name__
    function.__doc__ = f"As numpy.{f.__name__}; every cell holds a value."
    return function


arange, linspace, ones, full = map(_maker, (np.arange, np.linspace, np.ones, np.full))


def ones_like(x: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """Ones in the shape of x."""
    return full_like(x, 1, dtype)


def full_like(x: Any, fill_value: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """One value in the shape of x."""
    x = asarray(x)
    _coo.cells(x.shape)
    return asarray(np.full(x.shape, fill_value, dtype or x.dtype))


def eye(n_rows: int, n_cols: Optional[int] = None, *, k: int = 0, dtype: Any = None,
        device: Any = None) -> Tensor:
    """Ones on a diagonal."""
    n_cols = n_rows if n_cols is None else n_cols
    i = np.arange(n_rows)
    i = i[(i + k >= 0) & (i + k < n_cols)]
    return Tensor._of(Coo(np.stack([i, i + k], axis=1), np.ones(len(i), dtype or float64),
                          (n_rows, n_cols)))


def meshgrid(*arrays: Any, indexing: str = "xy") -> List[Tensor]:
    """The coordinates of a grid."""
    return [asarray(x) for x in np.meshgrid(*[_coo.to_dense(of(x)) for x in arrays],
                                            indexing="ij" if indexing == "ij" else "xy")]


def result_type(*given: Any) -> Any:
    """The type of what is computed from arrays and types."""
    return np.result_type(*[x.dtype if isinstance(x, Tensor) else x for x in given])


def isdtype(dtype: Any, kind: Any) -> Any:
    """Whether a type is of a kind: 'bool', 'integral', 'real floating', 'numeric', ..."""
    kinds = {"bool": "b", "signed integer": "i", "unsigned integer": "u", "integral": "iu",
             "real floating": "f", "complex floating": "c", "numeric": "iufc"}
    return True in [np.dtype(dtype).kind in kinds[k] if isinstance(k, str) else
                  np.dtype(dtype) == np.dtype(k)
                  for k in (kind if isinstance(kind, tuple) else (kind,))]
