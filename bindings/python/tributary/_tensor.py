"""Sparse tensors in memory and their products and decompositions, computed by libtributary."""
from __future__ import annotations

import ctypes
import threading
from ctypes import byref, c_char_p, c_void_p
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _coo
from ._array import Array
from ._calls import Lock, Path, interrupts, path_of, real, threads_of, written_to, yaml
from ._convert import Convert
from ._coo import Coo
from ._errors import Error, UsageError
from ._factors import Factors as Factors, opened as _opened
from ._library import LibraryError, Progress, Tick, call, check, library
from ._peers import SETTINGS, hint

_MAKING = threading.Lock()


class Tensor(Convert):
    """A sparse tensor, which is an array of NumPy's kind: `x[1:3, :, 5]`, `x + y`, `x.sum(axis=0)`,
    `numpy.sum(x)` and the functions of `tributary.array` give tensors, and one number where they
    give one. A cell without a nonzero is 0.

    Parameters
    ----------
    coords : array_like of int, shape (nnz, n_modes)
        Where the values are, from 0. Values at the same place are added.
    values : array_like, shape (nnz,), optional
        Default: 1 each. While all are whole numbers from 1 to 2**32-1 they are stored as counts,
        else as doubles. Zeros are left out.
    shape : tuple of int, optional
        The sizes of the modes. Default: the largest indices plus 1.
    dtype : optional
        The type of the values, any of NumPy's numbers. Default: float64, in the library's table,
        which at most 8 modes have, and finite values.

    Attributes
    ----------
    shape : tuple of int
        The sizes of the modes.
    words : list of str or None
        What index i means in every mode, where it is known (`Run.tensor`).

    Notes
    -----
    Products, decompositions and files read the hash table HaCOO; results of other functions are
    coordinates until it is needed. Both are float64 there.

    An array of ``uint32`` (coordinates) or ``float64`` (values) in C order is read where it is;
    any other is converted first, which is one copy. The table then holds its own copy.

    Every method releases Python's global lock while it computes. Several threads may use a tensor:
    it has a lock of its own, so they wait for each other.

    Examples
    --------
    >>> import tributary
    >>> x = tributary.Tensor([[0, 0, 1], [2, 1, 0], [0, 0, 1]], [1, 4, 2], shape=(3, 2, 2))
    >>> x
    <tributary.Tensor 3 x 2 x 2, 2 nonzeros, counts>
    >>> print(x[0, 0, 1])
    3.0
    >>> x[:, 1].sum(axis=1).to_dense()
    array([0., 0., 4.])
    >>> x.mttkrp([None, [[1.0], [2.0]], [[1.0], [10.0]]], 0)
    array([[30.],
           [ 0.],
           [ 8.]])
    """

    _open: Optional[c_void_p]  # the table
    _kept: Optional[Coo]  # the coordinates; at least one of both is there

    def __init__(self, coords: Any, values: Any = None, shape: Optional[Sequence[int]] = None,
                 dtype: Any = None) -> None:
        places = np.asarray(coords)
        if places.ndim != 2:
            raise UsageError("coords must have the shape (nnz, n_modes)", 2)
        if places.dtype.kind not in "iu" and places.size:
            raise UsageError(f"coords must be whole numbers, not {places.dtype}", 2)
        if shape is None:
            if not len(places):
                raise UsageError("a tensor without nonzeros needs a shape", 2)
            shape = tuple(int(most) + 1 for most in places.max(axis=0))
        if len(shape) != places.shape[1]:
            raise UsageError(f"coords have {places.shape[1]} columns, and shape "
                             f"{len(shape)} sizes", 2)
        self._begin(shape)
        if dtype is None:
            places, weights = self._entries(places, values)
            self._open = self._table(places, weights)
        else:
            given = np.asarray(np.ones(len(places)) if values is None else values, dtype).ravel()
            if len(given) != len(places):
                raise UsageError(f"there are {len(places)} coordinates and {len(given)} values", 2)
            self._checked(places)
            self._kept = _coo.made(places, given, self.shape)

    def _begin(self, shape: Sequence[int]) -> None:
        self._open = self._kept = None
        self._keys: Any = None  # the coordinates, and the numbers of their places
        self._lock = Lock()
        self.words: Optional[List[str]] = None
        self._shape: Tuple[int, ...] = tuple(int(size) for size in shape)

    def _table(self, places: Any, weights: Any) -> c_void_p:
        if not 1 <= self.ndim <= 8:
            raise UsageError(f"the library's tensors have 1 to 8 modes, not {self.ndim}", 2)
        if any(not 0 < size < 1 << 32 for size in self.shape):
            raise UsageError(f"the sizes {self.shape} are not from 1 to 2**32-1", 2)
        bits = sum(max((size - 1).bit_length(), 1) for size in self.shape)
        if bits > 128:
            raise UsageError(f"an index of the shape {self.shape} takes {bits} bits, and at most "
                             "128 are possible", 2)
        handle = c_void_p()
        dim = (ctypes.c_uint32 * self.ndim)(*self.shape)
        call("trib_array_open", byref(handle), self.ndim, dim, len(places), places.ctypes.data,
             None if weights is None else weights.ctypes.data)
        return handle

    @classmethod
    def _adopt(cls, handle: c_void_p) -> "Tensor":
        tensor, found = cls.__new__(cls), library()
        tensor._begin([found.trib_array_dim(handle, mode)
                       for mode in range(found.trib_array_n_modes(handle))])
        tensor._open = handle
        return tensor

    @classmethod
    def _of(cls, x: Coo, words: Optional[Sequence[str]] = None) -> "Tensor":
        tensor = cls.__new__(cls)
        tensor._begin(x.shape)
        tensor._kept = x
        tensor.words = list(words) if words is not None else None
        return tensor

    def _close(self) -> None:
        with self._lock:
            handle, self._open = self._open, None
            if handle:
                library().trib_array_close(handle)

    def __del__(self) -> None:
        if hasattr(self, "_lock"):
            self._close()
            self._kept = None

    @property
    def _handle(self) -> c_void_p:
        """The table, which is made of the coordinates where there is none."""
        with _MAKING:
            if self._open is None:
                if self._kept is None:
                    raise UsageError("the tensor is closed", 2)
                values = real(self._kept.values, "the values")
                self._open = self._table(np.ascontiguousarray(self._kept.coords, np.uint32),
                                         np.ascontiguousarray(values, np.float64))
            return self._open

    def _coo(self) -> Coo:
        if self._kept is None:
            self._kept = _coo.made(*self.entries(), self.shape)
        return self._kept

    def _replace(self, x: Coo) -> None:
        """Other nonzeros."""
        self._close()
        self._kept = x

    def _set_cell(self, index: Tuple[int, ...], value: Any) -> bool:
        """Sets one cell in the table, which is made where it is possible, so that many cells can
        be set one after the other."""
        if self.dtype != np.float64 or np.iscomplexobj(value) or not np.isfinite(value):
            return False
        try:
            self._handle
        except Error:
            return False
        place, number = np.array([index], np.uint32), np.array([value], np.float64)
        with self._lock:
            call("trib_array_set", self._handle, 1, place.ctypes.data, number.ctypes.data)
            self._kept = None
        return True

    @property
    def dtype(self) -> Any:
        """The type of the values."""
        return np.dtype(np.float64) if self._kept is None else self._kept.values.dtype

    @property
    def shape(self) -> Tuple[int, ...]:
        """The sizes of the modes."""
        return self._shape

    def __reduce__(self) -> Any:
        """For copies and pickles: the nonzeros, in their order."""
        if self._open is None and self._kept is not None:
            return Tensor._of, (self._kept, self.words)
        return _copy_of_tensor, (*self.entries(), self.shape, self.words, self.dtype)

    def __copy__(self) -> "Tensor":
        made, given = self.__reduce__()
        copy: Tensor = made(*given)
        return copy

    copy = __copy__

    def __deepcopy__(self, _: Any) -> "Tensor":
        return self.__copy__()

    def _checked(self, places: Any) -> None:
        """Raises IndexError for a place that is not in the shape."""
        if places.size and ((places < 0) | (places >= np.array(self.shape))).any():
            wrong = places[((places < 0) | (places >= np.array(self.shape))).any(axis=1)][0]
            raise IndexError(f"index {tuple(map(int, wrong))} is out of range for the shape "
                             f"{self.shape}")

    def _places(self, coords: Any) -> Any:
        places = np.asarray(coords)
        if places.ndim != 2 or places.shape[1] != len(self.shape):
            raise UsageError(f"coords must have the shape (n, {len(self.shape)})", 2)
        if places.dtype != np.uint32 and places.size:
            if places.dtype.kind not in "iu":
                raise UsageError(f"coords must be whole numbers, not {places.dtype}", 2)
            if places.min() < 0 or places.max() > 0xFFFFFFFF:
                raise UsageError("an index is negative, or beyond 2**32-1", 2)
        return np.ascontiguousarray(places, dtype=np.uint32)

    def _entries(self, coords: Any, values: Any) -> Tuple[Any, Any]:
        places = self._places(coords)
        if values is None:
            return places, None
        weights = np.ascontiguousarray(real(values, "the values").ravel(), dtype=np.float64)
        if len(weights) != len(places):
            raise UsageError(f"there are {len(places)} coordinates and {len(weights)} values", 2)
        keep = weights != 0
        if not keep.all():
            places, weights = np.ascontiguousarray(places[keep]), weights[keep]
        return places, weights

    # ---- What is in it ---------------------------------------------------------------------------

    @property
    def nnz(self) -> int:
        """The number of nonzeros."""
        if self._open is None and self._kept is not None:
            return len(self._kept.values)
        return int(library().trib_array_nnz(self._handle))

    @property
    def has_counts(self) -> bool:
        """Whether all values are stored as counts."""
        if self._open is None and self._kept is not None:
            values = self._kept.values
            return bool(values.dtype.kind in "biuf" and (values >= 1).all() and
                        (values <= 0xFFFFFFFF).all() and (values == np.floor(values)).all())
        return bool(library().trib_array_has_counts(self._handle))

    def entries(self) -> Tuple[Any, Any]:
        """The nonzeros, in the order in which they were added, or in that of their places when a
        function made them.

        Returns
        -------
        coords : ndarray of uint32, shape (nnz, n_modes)
        values : ndarray of the type `dtype`, shape (nnz,)
            Both are copies.
        """
        kept = self._kept
        if self._open is None and kept is not None:
            small = max(self.shape, default=0) <= 1 << 32
            return kept.coords.astype(np.uint32 if small else np.int64), kept.values.copy()
        with self._lock:
            n = self.nnz
            coords, values = np.empty((n, self.ndim), np.uint32), np.empty(n)
            library().trib_array_entries(self._handle, 0, n, coords.ctypes.data,
                                         values.ctypes.data)
        return coords, values if kept is None else values.astype(kept.values.dtype)

    @property
    def coords(self) -> Any:
        """ndarray of uint32, shape (nnz, n_modes): a copy of the coordinates."""
        return self.entries()[0]

    @property
    def values(self) -> Any:
        """ndarray of the type `dtype`, shape (nnz,): a copy of the values."""
        return self.entries()[1]

    def get(self, coords: Any) -> Any:
        """The values at some places.

        Parameters
        ----------
        coords : array_like of int, shape (n, n_modes)

        Returns
        -------
        ndarray of the type `dtype`, shape (n,)
            0 where there is no nonzero.
        """
        places = self._places(coords)
        self._checked(places)
        if self._open is None or self.dtype != np.float64:
            return _coo.lookup(self._coo(), places.astype(np.int64))
        values = np.empty(len(places))
        with self._lock:
            library().trib_array_get(self._handle, len(places), places.ctypes.data,
                                     values.ctypes.data)
        return values

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, tuple) and len(index) == self.ndim and all(
                type(i) is int and -size <= i < size for i, size in zip(index, self.shape)):
            return self._cell([i % size for i, size in zip(index, self.shape)])
        return super().__getitem__(index)

    def _cell(self, place: List[int]) -> Any:
        """One value. The keys of coordinates are kept, so that many can be read."""
        if self._open is not None and self.dtype == np.float64:
            return self.get([place])[0]
        x = self._coo()
        if self.size >= 1 << 63:
            return _coo.lookup(x, np.array([place]))[0]
        if self._keys is None or self._keys[0] is not x:
            self._keys = x, _coo.keys(x.shape, x.coords)[0]
        keys, key = self._keys[1], 0
        for i, size in zip(place, self.shape):
            key = key * size + i
        at = np.searchsorted(keys, key)
        return x.values[at] if at < len(keys) and keys[at] == key else x.values.dtype.type(0)

    def add(self, coords: Any, values: Any = None) -> "Tensor":
        """Adds values, makes nonzeros where there are none, and removes those whose sum is 0.

        Parameters
        ----------
        coords : array_like of int, shape (n, n_modes)
        values : array_like, shape (n,), optional
            Default: 1 each.

        Returns
        -------
        Tensor
            This tensor.
        """
        if self.dtype != np.float64:
            places = self._places(coords)
            self._checked(places)
            x = self._coo()
            given = np.ones(len(places)) if values is None else np.asarray(values).ravel()
            self._replace(_coo.made(np.concatenate([x.coords, places]), np.concatenate(
                [x.values, given.astype(x.values.dtype, casting="same_kind")]), x.shape))
            return self
        places, weights = self._entries(coords, values)
        with self._lock:
            call("trib_array_add", self._handle, len(places), places.ctypes.data,
                 None if weights is None else weights.ctypes.data)
            self._kept = None
        return self

    # ---- Products and decompositions -------------------------------------------------------------

    def mttkrp(self, factors: Sequence[Any], mode: int, format: str = "hacoo",
               threads: Optional[int] = None, out: Any = None) -> Any:
        """The matricised tensor times the Khatri-Rao product of the other factors.

        Parameters
        ----------
        factors : sequence of array_like, shape (shape[m], rank)
            One for each mode; that of `mode` is not read and may be None.
        mode : int
            From 0.
        format : str
            How the nonzeros are organised for products: ``tributary help formats`` lists the
            formats. The first product after a change, or in another format, organises them.
        threads : int, optional
            Default: one for each processor. The bits do not depend on it.
        out : ndarray of float64 in C order, shape (shape[mode], rank), optional
            Receives the result. It can be written, and overlaps no factor that is read.

        Returns
        -------
        ndarray of float64, shape (shape[mode], rank)

        Notes
        -----
        Factors of ``float64`` in C order are read where they are; any other is copied. `out` is
        the only array that is allocated. Everything else takes less than 20 microseconds beside
        the function of the library.
        """
        n_modes = len(self.shape)
        if len(factors) != n_modes:
            raise UsageError(f"there are {len(factors)} factors and {n_modes} modes", 2)
        if not 0 <= mode < n_modes:
            raise UsageError(f"there is no mode {mode}", 2)
        rank = -1
        held = []
        pointers = (c_void_p * n_modes)()
        for m in range(n_modes):
            if m == mode:
                continue
            factor = factors[m]
            if not (isinstance(factor, np.ndarray) and factor.dtype == np.float64
                    and factor.flags.c_contiguous):
                factor = np.ascontiguousarray(factor, dtype=np.float64)
                held.append(factor)
            if factor.ndim != 2 or factor.shape[0] != self.shape[m] or \
                    rank not in (-1, factor.shape[1]):
                raise UsageError(f"factor {m} has the shape {factor.shape}, not "
                                 f"({self.shape[m]}, {'rank' if rank < 0 else rank})", 2)
            rank = factor.shape[1]
            pointers[m] = factor.ctypes.data
        if rank < 0 and factors[mode] is not None:
            rank = np.asarray(factors[mode]).shape[1]  # a tensor of one mode
        if rank < 1:
            raise UsageError("the factors have no column", 2)
        if out is None:
            out = np.empty((self.shape[mode], rank))
        elif not (isinstance(out, np.ndarray) and out.dtype == np.float64
                  and out.flags.c_contiguous and out.shape == (self.shape[mode], rank)):
            raise UsageError(f"out must be float64 in C order of the shape "
                             f"({self.shape[mode]}, {rank})", 2)
        elif not out.flags.writeable:
            raise UsageError("out cannot be written", 2)
        elif any(np.may_share_memory(out, factors[m]) for m in range(n_modes)
                 if m != mode and isinstance(factors[m], np.ndarray)):
            raise UsageError("out overlaps a factor, which would change while it is read", 2)
        found, error = library(), LibraryError()
        with self._lock:
            status = found.trib_array_build(self._handle, path_of(format), threads_of(threads),
                                            byref(error))
            if not status:
                status = found.trib_array_mttkrp(self._handle, mode, rank, pointers,
                                                 out.ctypes.data, byref(error))
        check(status, error)
        return out

    def _mode(self, mode: int) -> int:
        if not -self.ndim <= mode < self.ndim:
            raise UsageError(f"there is no mode {mode}", 2)
        return mode % self.ndim

    def cp(self, rank: Union[int, str] = 100, solver: str = "hals", *, init: Any = None,
           fixed: Sequence[int] = (), format: str = "hacoo", threads: Optional[int] = None,
           progress: Optional[Callable[[float, float], Any]] = None,
           **settings: Any) -> "Factors":
        """Decomposes the tensor into a sum of rank-1 tensors.

        Parameters
        ----------
        rank : int, "auto" or "holdout"
            The number of components, or how it is looked for: docs/solvers.md. Components that
            become zero are dropped.
        solver : str
            ``tributary help solvers`` lists them.
        init : Factors, sequence of array_like, or str, optional
            The factors to start from, which then give the rank, or the name of a start:
            ``tributary help starts``.
        fixed : sequence of int
            Modes from 0 whose factors stay as they are in `init`, but for the lengths of their
            columns.
        format : str
            As for `mttkrp`; "auto" chooses.
        threads : int, optional
            Default: one for each processor. The bits do not depend on it.
        progress : callable, optional
            Receives the iterations done and their largest number; returns False to stop. It
            cannot use this tensor.
        **settings
            The other keys of ``cp``: ``iterations=50``, ``tolerance=0``, ``seed=2``,
            ``restarts=3``, ``l1=[0, 0.1, 0]``.

        Returns
        -------
        Factors
            The same bits as ``tributary cp`` gives for the same nonzeros in the same order.
        """
        for key in set(settings) & set(SETTINGS):
            raise UsageError(f"cp has no setting '{key}'{hint(key, SETTINGS)}", 2)
        chosen: Dict[str, Any] = {"cp.rank": rank, "cp.solver": solver, "tensor.format": format,
                  "resources.threads": threads_of(threads)}
        chosen.update({f"cp.{key}": value for key, value in settings.items()})
        start: Optional[Factors] = None
        if isinstance(init, str):
            chosen["cp.start"] = init
        elif init is not None:
            start = init if isinstance(init, Factors) else \
                Factors(np.ones(np.asarray(init[0]).shape[1]), init)
            chosen["cp.rank"] = max(start.rank, 1)
        if len(fixed):
            if start is None:
                raise UsageError("fixed modes keep the factors of init, which is missing", 2)
            chosen["cp.fixed"] = [m % self.ndim + 1 for m in fixed if self._mode(m) >= 0]
        texts = [f"{key}={yaml(value)}".encode() for key, value in chosen.items()]
        pointers = (c_char_p * (len(texts) + 1))(*texts, None)
        raised: List[BaseException] = []

        def tick(_context: Any, done: float, total: float) -> bool:
            try:
                return (progress is None or progress(done, total) is not False) and not raised
            except BaseException as exception:  # raised again below
                raised.append(exception)
                return False

        handle = c_void_p()
        with self._lock, interrupts(raised), _opened(start) as begun:
            call("trib_array_cp", self._handle, pointers, begun,
                 byref(Progress(Tick(tick), None)), byref(handle))
        result = Factors._adopt(handle)
        if raised:
            raise raised[0]
        result.words = self.words
        return result

    # ---- Files and other packages ----------------------------------------------------------------

    @classmethod
    def load(cls, path: Path) -> "Tensor":
        """Reads a file: .tns of FROSTT, Matrix Market, or a fragment of a run directory."""
        handle = c_void_p()
        call("trib_array_load", byref(handle), path_of(path))
        return cls._adopt(handle)

    def save(self, path: Path) -> None:
        """Writes a file: .tns, Matrix Market (.mtx, 2 modes) or a fragment (.fragment, counts), by
        the ending of its name."""
        with self._lock:
            call("trib_array_save", self._handle, written_to(path))

    @classmethod
    def from_dense(cls, array: Any) -> "Tensor":
        """The nonzeros of an array."""
        dense = real(array, "the values")
        return cls(np.argwhere(dense), dense[dense != 0], dense.shape)

    def __repr__(self) -> str:
        sizes = " x ".join(map(str, self.shape))
        kind = str(self.dtype) if self.dtype != np.float64 else \
            "counts" if self.has_counts else "values"
        return f"<tributary.Tensor {sizes}, {self.nnz} nonzeros, {kind}>"


def _copy_of_tensor(coords: Any, values: Any, shape: Sequence[int],
                    words: Optional[Sequence[str]], dtype: Any = None) -> Tensor:
    tensor = Tensor(coords, values, shape, None if dtype == np.float64 else dtype)
    tensor.words = list(words) if words is not None else None
    return tensor
