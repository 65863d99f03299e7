"""Tensors from other packages and for them."""
from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from . import _tables
from ._array import Array
from ._errors import UsageError
from ._peers import Peers


class Convert(Array, Peers):
    """The part of `Tensor` that knows other packages."""

    def entries(self) -> Tuple[Any, Any]:
        raise NotImplementedError

    @classmethod
    def from_scipy(cls: Any, matrix: Any) -> Any:
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
    def from_pyttb(cls: Any, tensor: Any) -> Any:
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
    def from_tensorly(cls: Any, tensor: Any) -> Any:
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
