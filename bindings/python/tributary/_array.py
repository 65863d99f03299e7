"""What makes a tensor an array: operators, indexing, and the protocols of NumPy and of the Python
array API standard."""
from __future__ import annotations

import math
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from . import _coo
from ._coo import Coo
from ._errors import UsageError
from ._index import Selection, changed, taken

# Names of NumPy that differ from those of tributary.array.
_NUMPY = {"amax": "max", "amin": "min", "around": "round", "round_": "round",
          "concatenate": "concat", "transpose": "permute_dims", "cumsum": "cumulative_sum",
          "cumprod": "cumulative_prod", "copy": "copy_of"}
_REDUCTIONS = {"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min",
               "logical_or": "any", "logical_and": "all"}


def _functions() -> Any:
    from . import array
    return array


def _operands() -> Any:
    from . import _operands as operands
    return operands


def _method(name: str) -> Callable[..., Any]:
    def method(self: Any, *given: Any, **named: Any) -> Any:
        return getattr(_functions(), name)(self, *given, **named)
    method.__name__ = name
    method.__doc__ = f"`tributary.array.{name}` of this tensor."
    return method


class Array(NDArrayOperatorsMixin):
    """The part of `Tensor` that works on coordinates. Functions of `tributary.array` are methods,
    too; operators and NumPy's functions work element by element and broadcast."""

    __array_priority__ = 20.0  # before matrices of SciPy
    shape: Any
    words: Optional[List[str]]

    # What Tensor has.
    def _coo(self) -> Coo:
        raise NotImplementedError

    def _replace(self, x: Coo) -> None:
        raise NotImplementedError

    def _set_cell(self, index: Tuple[int, ...], value: Any) -> bool:
        raise NotImplementedError

    @property
    def dtype(self) -> Any:
        """The type of the values."""
        raise NotImplementedError

    def to_dense(self) -> Any:
        """ndarray of the type `dtype`, shape `shape`."""
        return _coo.to_dense(self._coo())

    @property
    def ndim(self) -> int:
        """The number of modes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of cells."""
        return int(math.prod(self.shape))

    @property
    def device(self) -> str:
        """Always "cpu"."""
        return "cpu"

    def to_device(self, device: str, stream: Any = None) -> Any:
        """This tensor; there is no other device."""
        if device != "cpu":
            raise UsageError(f"there is no device '{device}', only 'cpu'", 2)
        return self

    @property
    def T(self) -> Any:
        """With the modes reversed."""
        return _functions().permute_dims(self)

    @property
    def mT(self) -> Any:
        """With the last two modes exchanged."""
        return _functions().matrix_transpose(self)

    @property
    def real(self) -> Any:
        """The real parts."""
        return _functions().real(self)

    @property
    def imag(self) -> Any:
        """The imaginary parts."""
        return _functions().imag(self)

    (sum, prod, max, min, any, all, mean, var, std, argmax, argmin, count_nonzero, nonzero, astype,
     squeeze, swapaxes, ravel, flatten, repeat, take, round, clip, conj, diagonal, trace, dot,
     tensordot, inner, outer, ttv, ttm, contract, norm, nvecs, tucker) = map(_method, (
         "sum prod max min any all mean var std argmax argmin count_nonzero nonzero astype squeeze "
         "swapaxes ravel ravel repeat take round clip conj diagonal trace dot tensordot inner "
         "outer ttv ttm contract norm nvecs tucker").split())

    def reshape(self, *shape: Any) -> Any:
        """Other sizes for the same cells, row-major."""
        return _functions().reshape(self, shape[0] if len(shape) == 1 else shape)

    def transpose(self, *axes: Any) -> Any:
        """The modes in another order; without one, reversed."""
        order = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
        return _functions().permute_dims(self, order or None)

    permute = transpose

    def map(self, f: Callable[[Any], Any]) -> Any:
        """f of the nonzeros, an array of them; zeros stay."""
        c = self._coo()
        return _operands().result(_coo.made(c.coords, np.asarray(f(c.values)), c.shape), self)

    # ---- Cells -----------------------------------------------------------------------------------

    def __getitem__(self, index: Any) -> Any:
        return _operands().result(taken(self._coo(), index))

    def __setitem__(self, index: Any, value: Any) -> None:
        chosen = Selection(index, self.shape)
        is_number = np.ndim(value) == 0
        if is_number and len(chosen.fixed) == len(self.shape) and \
                self._set_cell(tuple(i for _, i in chosen.fixed), value):
            return
        if is_number and value != 0:
            _coo.cells(chosen.shape, "what is set")
            given = _coo.from_dense(np.full(chosen.shape, value))
        elif is_number:
            given = Coo(np.zeros((0, len(chosen.shape)), np.int64), np.zeros(0, self.dtype),
                        chosen.shape)
        else:
            given = _operands().of(value)
            while len(given.shape) > len(chosen.shape) and given.shape[0] == 1:
                given = Coo(given.coords[:, 1:], given.values, given.shape[1:])
            if _coo.common(given.shape, chosen.shape) != chosen.shape:
                raise ValueError(f"values of the shape {given.shape} do not fit the shape "
                                 f"{chosen.shape}")
            given = _coo.spread(given, chosen.shape)
        if given.values.dtype.kind == "c" and self.dtype.kind != "c":
            raise UsageError(f"the values are complex; this tensor is {self.dtype}", 2)
        self._replace(changed(self._coo(), chosen, given))

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a tensor without modes has no length")
        return int(self.shape[0])

    def __iter__(self) -> Iterator[Any]:
        if not self.shape:
            raise TypeError("a tensor without modes is not iterable")
        return (self[i] for i in range(len(self)))

    def __contains__(self, value: Any) -> bool:
        return bool(_functions().any(self == value))

    def _number(self) -> Any:
        if self.size != 1:
            raise ValueError(f"a tensor of {self.size} cells is no single number or truth; any(), "
                             "all() and to_dense() make what is wanted")
        return self.to_dense().reshape(())[()]

    def item(self) -> Any:
        """The value of a tensor of one cell, as a number of Python."""
        return self._number().item()

    def tolist(self) -> Any:
        """Lists of lists of all cells."""
        return self.to_dense().tolist()

    def __bool__(self) -> bool:
        return bool(self._number())

    def __float__(self) -> float:
        return float(self._number())

    def __int__(self) -> int:
        return int(self._number())

    def __complex__(self) -> complex:
        return complex(self._number())

    def __index__(self) -> int:
        return int(self._number().__index__())

    # ---- Protocols -------------------------------------------------------------------------------

    def __array_namespace__(self, *, api_version: Optional[str] = None) -> Any:
        if api_version not in (None, "2021.12", "2022.12"):
            raise ValueError(f"version {api_version} of the array API standard is not known")
        return _functions()

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError("to_dense() makes an array of a tensor")

    def __dlpack__(self, **_: Any) -> Any:
        raise BufferError("a sparse tensor is not one array; `coords`, `values` and to_dense() are")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None,
                        **named: Any) -> Any:
        xp = _functions()
        if ufunc is np.matmul and method == "__call__":
            found = xp.matmul(*inputs)
        elif ufunc is np.divmod and method == "__call__" and out is None:
            return xp.floor_divide(*inputs), xp.remainder(*inputs)
        elif ufunc.nout > 1 or ufunc.signature is not None or "where" in named:
            return NotImplemented
        elif method == "__call__":
            try:
                given = [x if x is None or np.isscalar(x) else xp.asarray(x) for x in inputs]
            except (TypeError, ValueError):
                return NotImplemented
            if not all(np.dtype(getattr(x, "dtype", type(x))).kind in "biufc" for x in given):
                return NotImplemented
            found = _operands().apply(lambda *values: ufunc(*values, **named), *given)
        elif method == "reduce" and ufunc.__name__ in _REDUCTIONS:
            named.setdefault("axis", 0)
            found = getattr(xp, _REDUCTIONS[ufunc.__name__])(*inputs, **{
                key: value for key, value in named.items() if value is not None or key == "axis"})
        elif method == "outer" and len(inputs) == 2:
            x, y = map(xp.asarray, inputs)
            found = ufunc(x.reshape(x.shape + (1,) * y.ndim), y)
        else:
            return NotImplemented
        if out is None:
            return found
        target, = out
        if not isinstance(target, Array):
            return NotImplemented
        x = _operands().of(found)
        if x.shape != target.shape:
            raise ValueError(f"the result has the shape {x.shape}, and out {target.shape}")
        if not np.can_cast(x.values.dtype, target.dtype, "same_kind"):
            raise TypeError(f"{x.values.dtype} is not stored in {target.dtype}")
        target._replace(x._replace(values=x.values.astype(target.dtype)))
        return target

    def __array_function__(self, function: Any, types: Any, given: Sequence[Any],
                           named: Dict[str, Any]) -> Any:
        name = _NUMPY.get(function.__name__, function.__name__)
        if function.__module__ == "numpy.linalg" and name not in ("norm", "matmul", "vecdot"):
            return NotImplemented
        if name in ("shape", "ndim", "size"):
            return getattr(given[0], name)
        try:
            found = getattr(_functions(), name)
        except AttributeError:
            return NotImplemented
        return found(*given, **named)
