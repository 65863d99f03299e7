"""Sparse tensors in memory and their decompositions, computed by libtributary."""
from __future__ import annotations

import ctypes
import html
import os
import signal
import threading
from contextlib import contextmanager
from ctypes import byref, c_char_p, c_void_p
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _tables
from ._errors import UsageError
from ._library import LibraryError, Progress, Tick, call, check, library

Path = Union[str, "os.PathLike[str]"]


def _threads(threads: Optional[int]) -> int:
    return threads if threads is not None else os.cpu_count() or 1


def _path(path: Path) -> bytes:
    """A path or name as the library takes it. Raises ValueError for one with a null byte, at which
    the library would end it."""
    name = os.fsencode(path)
    if b"\0" in name:
        raise ValueError("embedded null byte")
    return name


def _real(values: Any, what: str) -> Any:
    """Values as an array of real numbers. Raises UsageError for what would be lost silently."""
    if isinstance(values, np.ma.MaskedArray):
        raise UsageError(f"{what} have a mask, which a tensor has not; fill it first, as "
                         "by values.filled(0)", 2)
    array = np.asarray(values)
    if array.dtype.kind == "c":
        raise UsageError(f"{what} are complex; a tensor holds real numbers", 2)
    return array


class _Lock:
    """One thread at a time. Raises UsageError for a thread that has it already, which would wait
    for itself for ever: a progress function that uses the tensor it reports on."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner: Optional[int] = None
        self._process = os.getpid()

    def __enter__(self) -> None:
        if self._owner == threading.get_ident():
            raise UsageError("the tensor is at work: a progress function cannot use it", 2)
        if self._lock.locked() and self._process != os.getpid():
            raise UsageError("the tensor was at work when this process was forked", 2)
        self._lock.acquire()
        self._owner = threading.get_ident()

    def __exit__(self, *_: Any) -> None:
        self._owner = None
        self._lock.release()


@contextmanager
def _interrupts(raised: List[BaseException]) -> Iterator[None]:
    """Ctrl-C is added to `raised` instead of being raised anywhere, as in a callback of the
    library, where an exception would be lost. Elsewhere than in the main thread there is none."""
    def note(_number: int, _frame: Any) -> None:
        raised.append(KeyboardInterrupt())
    if threading.current_thread() is not threading.main_thread() or \
            signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


class Tensor:
    """A sparse tensor: the hash table HaCOO, and the format that products read.

    Parameters
    ----------
    coords : array_like of int, shape (nnz, n_modes)
        Where the values are, from 0. Values at the same place are added.
    values : array_like, shape (nnz,), optional
        Default: 1 each. While all are whole numbers from 1 to 2**32-1 they are stored as counts,
        else as doubles. Zeros are left out.
    shape : tuple of int, optional
        The sizes of at most 8 modes. Default: the largest indices plus 1.

    Attributes
    ----------
    shape : tuple of int
        The sizes of the modes.
    words : list of str or None
        What index i means in every mode, where it is known (`Run.tensor`).

    Notes
    -----
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
    >>> x[0, 0, 1]
    3.0
    >>> x.mttkrp([None, [[1.0], [2.0]], [[1.0], [10.0]]], 0)
    array([[30.],
           [ 0.],
           [ 8.]])
    """

    def __init__(self, coords: Any, values: Any = None,
                 shape: Optional[Sequence[int]] = None) -> None:
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
        self._open: Optional[c_void_p] = None
        self._lock = _Lock()
        self.words: Optional[List[str]] = None
        self._shape: Tuple[int, ...] = tuple(int(size) for size in shape)
        if any(not 0 < size < 1 << 32 for size in self.shape):
            raise UsageError(f"the sizes {self.shape} are not from 1 to 2**32-1", 2)
        places, weights = self._entries(places, values)
        dim = (ctypes.c_uint32 * len(self.shape))(*self.shape)
        handle = c_void_p()
        call("trib_array_open", byref(handle), len(self.shape), dim, len(places),
             places.ctypes.data, None if weights is None else weights.ctypes.data)
        self._open = handle

    @classmethod
    def _adopt(cls, handle: c_void_p) -> "Tensor":
        tensor = cls.__new__(cls)
        tensor._open, tensor._lock, tensor.words = handle, _Lock(), None
        found = library()
        tensor._shape = tuple(found.trib_array_dim(handle, mode)
                              for mode in range(found.trib_array_n_modes(handle)))
        return tensor

    def __del__(self) -> None:
        handle = getattr(self, "_open", None)
        if handle:
            with self._lock:
                self._open = None
                library().trib_array_close(handle)

    @property
    def _handle(self) -> c_void_p:
        if self._open is None:
            raise UsageError("the tensor is closed", 2)
        return self._open

    @property
    def shape(self) -> Tuple[int, ...]:
        """The sizes of the modes."""
        return self._shape

    def __reduce__(self) -> Any:
        """For copies and pickles: the nonzeros, in their order."""
        return _copy_of_tensor, (*self.entries(), self.shape, self.words)

    def __copy__(self) -> "Tensor":
        return _copy_of_tensor(*self.entries(), self.shape, self.words)

    __iter__ = None  # a tensor has no first element

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError("to_dense() makes an array of a tensor")

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
        weights = np.ascontiguousarray(_real(values, "the values").ravel(), dtype=np.float64)
        if len(weights) != len(places):
            raise UsageError(f"there are {len(places)} coordinates and {len(weights)} values", 2)
        keep = weights != 0
        if not keep.all():
            places, weights = np.ascontiguousarray(places[keep]), weights[keep]
        return places, weights

    # ---- What is in it ---------------------------------------------------------------------------

    @property
    def ndim(self) -> int:
        """The number of modes."""
        return len(self.shape)

    @property
    def nnz(self) -> int:
        """The number of nonzeros."""
        return int(library().trib_array_nnz(self._handle))

    @property
    def has_counts(self) -> bool:
        """Whether all values are stored as counts."""
        return bool(library().trib_array_has_counts(self._handle))

    def entries(self) -> Tuple[Any, Any]:
        """The nonzeros, in the order in which they were added.

        Returns
        -------
        coords : ndarray of uint32, shape (nnz, n_modes)
        values : ndarray of float64, shape (nnz,)
            Both are copies.
        """
        with self._lock:
            n = self.nnz
            coords, values = np.empty((n, self.ndim), np.uint32), np.empty(n)
            library().trib_array_entries(self._handle, 0, n, coords.ctypes.data,
                                         values.ctypes.data)
        return coords, values

    @property
    def coords(self) -> Any:
        """ndarray of uint32, shape (nnz, n_modes): a copy of the coordinates."""
        return self.entries()[0]

    @property
    def values(self) -> Any:
        """ndarray of float64, shape (nnz,): a copy of the values."""
        return self.entries()[1]

    def norm(self) -> float:
        """The Frobenius norm."""
        return float(np.sqrt(np.sum(self.values ** 2)))

    def get(self, coords: Any) -> Any:
        """The values at some places.

        Parameters
        ----------
        coords : array_like of int, shape (n, n_modes)

        Returns
        -------
        ndarray of float64, shape (n,)
            0 where there is no nonzero.
        """
        places = self._places(coords)
        values = np.empty(len(places))
        with self._lock:
            library().trib_array_get(self._handle, len(places), places.ctypes.data,
                                     values.ctypes.data)
        return values

    def __getitem__(self, index: Tuple[int, ...]) -> float:
        if not isinstance(index, tuple) or len(index) != self.ndim:
            raise IndexError(f"an index has {self.ndim} numbers")
        for i, size in zip(index, self.shape):
            if not 0 <= i < size:
                raise IndexError(f"index {index} is out of range for the shape {self.shape}")
        return float(self.get([index])[0])

    def add(self, coords: Any, values: Any = None) -> "Tensor":
        """Adds values, and makes nonzeros where there are none.

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
        places, weights = self._entries(coords, values)
        with self._lock:
            call("trib_array_add", self._handle, len(places), places.ctypes.data,
                 None if weights is None else weights.ctypes.data)
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
            status = found.trib_array_build(self._handle, _path(format), _threads(threads),
                                            byref(error))
            if not status:
                status = found.trib_array_mttkrp(self._handle, mode, rank, pointers,
                                                 out.ctypes.data, byref(error))
        check(status, error)
        return out

    def cp(self, rank: Union[int, str] = 100, solver: str = "hals", *, format: str = "hacoo",
           threads: Optional[int] = None,
           progress: Optional[Callable[[float, float], Any]] = None,
           **settings: Any) -> "Factors":
        """Decomposes the tensor into a sum of rank-1 tensors.

        Parameters
        ----------
        rank : int or "auto"
            The number of components. Components that become zero are dropped.
        solver : str
            ``tributary help solvers`` lists them.
        format : str
            As for `mttkrp`; "auto" chooses.
        threads : int, optional
            Default: one for each processor. The bits do not depend on it.
        progress : callable, optional
            Receives the iterations done and their largest number; returns False to stop. It
            cannot use this tensor.
        **settings
            The other keys of ``cp``: ``iterations=50``, ``tolerance=0``, ``start="random"``,
            ``seed=2``, ``restarts=3``, ``l1=[0, 0.1, 0]``.

        Returns
        -------
        Factors
            The same bits as ``tributary cp`` gives for the same nonzeros in the same order.
        """
        chosen = {"cp.rank": rank, "cp.solver": solver, "tensor.format": format,
                  "resources.threads": _threads(threads)}
        chosen.update({f"cp.{key}": value for key, value in settings.items()})
        texts = [f"{key}={_yaml(value)}".encode() for key, value in chosen.items()]
        pointers = (c_char_p * (len(texts) + 1))(*texts, None)
        raised: List[BaseException] = []

        def tick(_context: Any, done: float, total: float) -> bool:
            try:
                return (progress is None or progress(done, total) is not False) and not raised
            except BaseException as exception:  # raised again below
                raised.append(exception)
                return False

        handle = c_void_p()
        with self._lock, _interrupts(raised):
            call("trib_array_cp", self._handle, pointers, byref(Progress(Tick(tick), None)),
                 byref(handle))
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
        call("trib_array_load", byref(handle), _path(path))
        return cls._adopt(handle)

    def save(self, path: Path) -> None:
        """Writes a file: Matrix Market for a name in .mtx (2 modes), a fragment for one in
        .fragment (counts), else .tns."""
        with self._lock:
            call("trib_array_save", self._handle, _path(path))

    @classmethod
    def from_dense(cls, array: Any) -> "Tensor":
        """The nonzeros of an array."""
        dense = _real(array, "the values")
        return cls(np.argwhere(dense), dense[dense != 0], dense.shape)

    @classmethod
    def from_scipy(cls, matrix: Any) -> "Tensor":
        """A tensor of 2 modes from a sparse matrix of SciPy, whatever its format."""
        coo = matrix.tocoo()
        return cls(np.stack([coo.row, coo.col], axis=1), coo.data, coo.shape)

    def to_scipy(self) -> Any:
        """A tensor of 2 modes as ``scipy.sparse.coo_matrix``, shape `shape`."""
        from scipy import sparse
        if self.ndim != 2:
            raise UsageError(f"a sparse matrix has 2 modes, and this tensor {self.ndim}; "
                             "unfold() makes a matrix of it", 2)
        coords, values = self.entries()
        return sparse.coo_matrix((values, (coords[:, 0], coords[:, 1])), shape=self.shape)

    def unfold(self, mode: int) -> Any:
        """The matricisation along a mode as ``scipy.sparse.coo_matrix``.

        Returns
        -------
        scipy.sparse.coo_matrix, shape (shape[mode], product of the other sizes)
            As in Kolda and Bader (2009): of the other modes the first changes fastest.
        """
        from scipy import sparse
        coords, values = self.entries()
        column = np.zeros(len(values), dtype=np.int64)
        stride = 1
        for m, size in enumerate(self.shape):
            if m != mode:
                column += coords[:, m].astype(np.int64) * stride
                stride *= size
        if stride > np.iinfo(np.int64).max:
            raise UsageError("the matrix would have more than 2**63-1 columns", 2)
        return sparse.coo_matrix((values, (coords[:, mode].astype(np.int64), column)),
                                 shape=(self.shape[mode], stride))

    @classmethod
    def from_pyttb(cls, tensor: Any) -> "Tensor":
        """From ``pyttb.sptensor``: its ``subs``, shape (nnz, n), ``vals`` and ``shape``."""
        n = len(tensor.shape)
        return cls(np.asarray(tensor.subs).reshape(-1, n).astype(np.int64, copy=False),
                   np.asarray(tensor.vals).ravel(), tuple(tensor.shape))

    def to_pyttb(self) -> Any:
        """As ``pyttb.sptensor``."""
        import pyttb
        coords, values = self.entries()
        return pyttb.sptensor(coords.astype(np.int64), values.reshape(-1, 1), self.shape)

    @classmethod
    def from_tensorly(cls, tensor: Any) -> "Tensor":
        """From a sparse tensor of TensorLy, which is ``sparse.COO`` (``coords``, shape (n, nnz),
        ``data``, ``shape``), or from a dense array."""
        if not hasattr(tensor, "coords"):
            return cls.from_dense(tensor)
        if getattr(tensor, "fill_value", 0) != 0:
            raise UsageError(f"the tensor has the value {tensor.fill_value} where it has no "
                             "entry; a sparse tensor here has 0", 2)
        return cls(np.asarray(tensor.coords).T, np.asarray(tensor.data), tensor.shape)

    def to_tensorly(self) -> Any:
        """As ``sparse.COO``, the sparse tensor of TensorLy's backend."""
        import sparse
        coords, values = self.entries()
        return sparse.COO(coords.T.astype(np.int64), values, shape=self.shape)

    def to_dense(self) -> Any:
        """ndarray of float64, shape `shape`."""
        coords, values = self.entries()
        dense = np.zeros(self.shape)
        dense[tuple(coords.T)] = values
        return dense

    def frame(self, n: Optional[int] = None) -> Any:
        """The `n` largest nonzeros as a table: a column for each mode, with words where they are
        known, and ``value``."""
        coords, values = self.entries()
        order = np.argsort(-values, kind="stable")[:n]
        columns: Dict[str, List[Any]] = {}
        for m in range(self.ndim):
            column = [int(i) for i in coords[order, m]]
            columns[f"mode_{m}"] = [self.words[i] for i in column] if self.words else column
        columns["value"] = list(values[order])
        return _tables.frame(columns, "tensor")

    def __repr__(self) -> str:
        sizes = " x ".join(map(str, self.shape))
        kind = "counts" if self.has_counts else "values"
        return f"<tributary.Tensor {sizes}, {self.nnz} nonzeros, {kind}>"


def _copy_of_tensor(coords: Any, values: Any, shape: Sequence[int],
                    words: Optional[Sequence[str]]) -> Tensor:
    tensor = Tensor(coords, values, shape)
    tensor.words = list(words) if words is not None else None
    return tensor


def _yaml(value: Any) -> str:
    import json
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (tuple, np.ndarray)):
        value = [item.item() if isinstance(item, np.generic) else item for item in value]
    return json.dumps(value)


class Factors:
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

    Notes
    -----
    The arrays are copies of those of the library, made once.
    """

    def __init__(self, weights: Any, factors: Sequence[Any],
                 words: Optional[Sequence[str]] = None, fit: float = float("nan")) -> None:
        self.weights = np.array(_real(weights, "the weights"), dtype=np.float64)
        self.factors = [np.array(_real(factor, "the factors"), dtype=np.float64)
                        for factor in factors]
        if any(factor.ndim != 2 or factor.shape[1] != len(self.weights)
               for factor in self.factors):
            raise UsageError("every factor has a column for each weight", 2)
        self.words = list(words) if words is not None else None
        self.fit, self.iterations, self.stop = float(fit), 0, ""
        self._handle: Optional[c_void_p] = None

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
        result._handle = handle
        result.iterations = found.trib_factorisation_iterations(handle)
        result.stop = found.trib_factorisation_stop(handle).decode()
        words = [found.trib_factorisation_word(handle, i) for i in range(max(sizes, default=0))]
        if any(word is not None for word in words):
            result.words = [(word or b"").decode("utf-8") for word in words]
        return result

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle:
            library().trib_factorisation_close(handle)
            self._handle = None

    def __reduce__(self) -> Any:
        """For copies and pickles: what a user sees. Only the original can be saved."""
        return _copy_of_factors, (self.weights, self.factors, self.words, self.fit,
                                  self.iterations, self.stop)

    def __copy__(self) -> "Factors":
        return _copy_of_factors(*self.__reduce__()[1])

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
        call("trib_factorisation_load", byref(handle), _path(path))
        return cls._adopt(handle)

    def save(self, path: Path) -> None:
        """Writes a file of factors (.ktns), the same bytes as ``tributary cp``. Only for factors
        that the library made and nobody replaced."""
        if not self._handle:
            raise UsageError("these factors were not made by the library", 2)
        made = Factors._adopt(self._handle)
        made._handle = None
        if [a.tobytes() for a in (self.weights, *self.factors)] != \
                [a.tobytes() for a in (made.weights, *made.factors)]:
            raise UsageError("the weights or factors were changed; the file would have those of "
                             "before", 2)
        call("trib_factorisation_save", self._handle, _path(path))

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


def _copy_of_factors(weights: Any, factors: Sequence[Any], words: Optional[Sequence[str]],
                     fit: float, iterations: int, stop: str) -> Factors:
    copy = Factors(weights, factors, words, fit)
    copy.iterations, copy.stop = iterations, stop
    return copy
