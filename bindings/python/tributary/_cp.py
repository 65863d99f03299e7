"""The decomposition as an estimator of scikit-learn's kind."""
from __future__ import annotations

import inspect
from typing import Any, Dict, List, Optional, Sequence, Union

import numpy as np

from . import _coo, _gcp
from ._errors import UsageError
from ._factors import Factors
from ._operands import of
from ._peers import Peers, helped
from ._tensor import Tensor

_LOSSES = ["frobenius", "kl", "poisson", *_gcp.LOSSES]


def _tensor(x: Any) -> Tensor:
    if isinstance(x, Tensor):
        return x
    made: Tensor = Tensor.from_scipy(x) if hasattr(x, "tocoo") else Tensor.from_dense(x)
    return made


class CP(Peers):
    """A sum of rank-1 tensors that is fitted to a tensor (CANDECOMP/PARAFAC).

    Parameters
    ----------
    rank : int, "auto" or "holdout"
        The number of components; "auto" looks for it, downwards too; "holdout" takes the smallest
        that predicts cells left out as well as any.
    loss : {"frobenius", "kl", "bernoulli", "gamma", "huber"}
        Least squares; the Kullback-Leibler divergence of counts; for cells of 0 and 1, whose model
        is the odds; for times and sizes; for outliers. The last three write all cells out and need
        SciPy.
    nonneg : bool
        Whether factors are 0 or more; with "kl", "bernoulli" and "gamma" they always are.
    init : Factors, sequence of array_like, or str, optional
        The factors to start from, or the name of a start.
    fixed : sequence of int
        Modes from 0 whose factors stay those of `init`.
    mask : Tensor or array_like of bool, optional
        Where the tensor is known. Cells where it is false or the value is NaN are missing: they are
        filled with the model again and again until it no longer changes there.
    solver : str
        "auto": hals, als where `nonneg` is false, apr for "kl".
    iterations, tolerance, restarts, seed, threads
        As for `Tensor.cp`; of several starts the best is kept.

    Attributes
    ----------
    factors_ : Factors
    rank_ : int
    fit_ : float
        1 - |X - model| / |X|.
    n_iter_ : int

    Examples
    --------
    >>> import numpy, tributary
    >>> x = numpy.outer([1.0, 2.0, 0.0], [3.0, 4.0])
    >>> model = tributary.CP(1).fit(x)
    >>> round(model.score(x), 6)
    1.0
    >>> model.transform(x).ravel().round(6).tolist()
    [7.0, 14.0, 0.0]
    """

    @helped
    def __init__(self, rank: Union[int, str] = 10, *, loss: str = "frobenius",
                 nonneg: bool = True, mask: Any = None, init: Any = None,
                 fixed: Sequence[int] = (), solver: str = "auto", iterations: int = 200,
                 tolerance: float = 1e-6, restarts: int = 1, seed: int = 1,
                 threads: Optional[int] = None) -> None:
        self.rank, self.loss, self.nonneg, self.mask = rank, loss, nonneg, mask
        self.init, self.fixed = init, fixed
        self.solver, self.iterations, self.tolerance = solver, iterations, tolerance
        self.restarts, self.seed, self.threads = restarts, seed, threads

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """The parameters by name."""
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def set_params(self, **params: Any) -> "CP":
        """Sets parameters by name."""
        known = self.get_params()
        for name, value in params.items():
            if name not in known:
                raise UsageError(f"CP has no parameter '{name}', only {', '.join(known)}", 2)
            setattr(self, name, value)
        return self

    def _solver(self) -> str:
        if self.loss not in _LOSSES:
            raise UsageError(f"there is no loss '{self.loss}', only {', '.join(_LOSSES)}", 2)
        if self.solver != "auto":
            return self.solver
        return "apr" if self.loss != "frobenius" else "hals" if self.nonneg else "als"

    def fit(self, x: Any, y: Any = None) -> "CP":
        """Fits to a tensor, a matrix of SciPy or an array; y is not read."""
        if self.loss in _gcp.LOSSES:
            return self._set(self._general(x, self._start(of(x).shape), self.fixed))
        more: Dict[str, Any] = {}
        if self.init is None or isinstance(self.init, str):
            more["restarts"] = self.restarts
        if self.restarts > 1 and self.init is None:
            more["start"] = "random"  # others give the same every time
        def decompose(given: Tensor, init: Any, **more: Any) -> Factors:
            settings: Dict[str, Any] = {"iterations": self.iterations, "seed": self.seed,
                                        "tolerance": self.tolerance, **more}
            return given.cp(self.rank, self._solver(), init=init, fixed=self.fixed,
                            threads=self.threads, **settings)

        known, missing = self._missing(x)
        if len(missing) and isinstance(self.rank, str):
            raise UsageError(f"the rank '{self.rank}' needs all values; give a number, or look for "
                             "it by `tributary cp --missing ... --set cp.rank=holdout`", 2)
        self.factors_ = decompose(known, self.init, **more)
        if len(missing):
            self._fill(known, missing, decompose)
        return self._set(self.factors_)

    def _set(self, factors: Factors) -> "CP":
        self.factors_ = factors
        self.rank_, self.fit_ = self.factors_.rank, self.factors_.fit
        self.n_iter_ = self.factors_.iterations
        self.n_features_in_ = self.factors_.shape[1] if len(self.factors_.shape) > 1 else 1
        return self

    def _start(self, shape: Any) -> List[Any]:
        """Where a general loss starts: `init`, or random factors by the seed."""
        if isinstance(self.init, Factors):
            return self.init.redistribute(0).factors
        if self.init is not None and not isinstance(self.init, str):
            return [np.asarray(factor, float) for factor in self.init]
        if not isinstance(self.rank, int):
            raise UsageError(f"the loss '{self.loss}' needs a rank that is a number", 2)
        draw = np.random.default_rng(self.seed)
        return [draw.random((size, self.rank)) for size in shape]

    def _general(self, x: Any, start: List[Any], fixed: Sequence[int]) -> Factors:
        known, missing = self._missing(x)
        _coo.cells(known.shape, "the tensor")
        is_known = np.ones(known.shape, bool)
        if len(missing):
            is_known[tuple(missing.T)] = False
        return _gcp.fit(self.loss, known.to_dense(), is_known, start, self.nonneg, fixed,
                        self.iterations, self.tolerance)

    def _missing(self, x: Any) -> Any:
        """The tensor with 0 where it is missing, and the places of that."""
        if self.mask is None and isinstance(x, Tensor) and not np.isnan(x._coo().values).any():
            return x, []
        c = of(x)
        gone = np.isnan(c.values)
        places = c.coords[gone]
        if self.mask is not None:
            mask = of(self.mask)
            if mask.shape != c.shape:
                raise UsageError(f"the mask has the shape {mask.shape}, and the tensor {c.shape}",
                                 2)
            unknown = _coo.elementwise(np.logical_not, [mask])
            gone |= _coo.lookup(unknown, c.coords)
            places = np.unique(np.concatenate([places, unknown.coords]), axis=0)
        known = Tensor._of(_coo.made(c.coords[~gone], c.values[~gone], c.shape))
        known.words = getattr(x, "words", None)
        return known, places

    def _fill(self, known: Tensor, missing: Any, decompose: Any) -> None:
        """Decomposes, fills the missing cells with the model, and so on."""
        c, n_done, guess = known._coo(), self.factors_.iterations, np.zeros(len(missing))
        while n_done < self.iterations + self.factors_.iterations:
            before, guess = guess, self.factors_.at(missing)
            if np.abs(guess - before).max() <= self.tolerance * max(np.abs(guess).max(), 1e-300):
                break
            filled = Tensor._of(_coo.made(np.concatenate([c.coords, missing]),
                                          np.concatenate([c.values, guess]), c.shape))
            self.factors_ = decompose(filled, self.factors_, iterations=1, tolerance=0)
            n_done += 1
        found = self.factors_
        square = float((c.values ** 2).sum())
        rest = square - 2 * found.inner(known) + found.inner(found) - \
            float((found.at(missing) ** 2).sum())
        found.fit = 1 - float(np.sqrt(max(rest, 0) / square)) if square else float("nan")
        found.iterations = n_done

    def _fitted(self, x: Any) -> Tensor:
        if not hasattr(self, "factors_"):
            raise UsageError("fit comes first", 2)
        given = _tensor(x)
        if given.shape[1:] != self.factors_.shape[1:]:
            raise UsageError(f"the shape {given.shape} is not that of the fit, "
                             f"{self.factors_.shape}, but for the first mode", 2)
        return given

    def transform(self, x: Any) -> Any:
        """The rows of the first mode by the components of the other modes.

        Returns
        -------
        ndarray, shape (x.shape[0], rank_)
            The weights that fit each slice best, 0 or more where the factors are.
        """
        x, others = self._fitted(x), self.factors_.factors[1:]
        if self.loss in _gcp.LOSSES:
            rows = np.full((x.shape[0], self.rank_), 0.5)
            unmasked = CP().set_params(**self.get_params()).set_params(mask=None)
            return unmasked._general(x, [rows, *others], range(1, len(x.shape))).factors[0]
        product = x.mttkrp([None, *others], 0, threads=self.threads)
        gram = np.prod([factor.T @ factor for factor in others], axis=0)
        solver = self._solver()
        if solver == "als":
            return product @ np.linalg.pinv(gram)
        rows = np.where(product > 0, product, 0)
        for _ in range(self.iterations if solver == "apr" else 0):
            rows = self._kl_step(x, rows, others)
        if solver != "apr":  # coordinate by coordinate, as hals
            for _ in range(self.iterations):
                for r in range(self.rank_):
                    if gram[r, r] > 0:
                        rest = rows @ gram[:, r] - rows[:, r] * gram[r, r]
                        rows[:, r] = np.maximum((product[:, r] - rest) / gram[r, r], 0)
        return rows

    def _kl_step(self, x: Tensor, rows: Any, others: List[Any]) -> Any:
        """One multiplicative update of the rows for the Kullback-Leibler divergence."""
        coords, values = x.entries()
        product = np.prod([factor[coords[:, m]] for m, factor in enumerate(others, 1)], axis=0)
        model = (rows[coords[:, 0]] * product).sum(axis=1)
        part = np.where(model > 0, values / np.where(model > 0, model, 1), 0)
        new = np.zeros_like(rows)
        np.add.at(new, coords[:, 0], part[:, None] * product)
        sums = np.prod([factor.sum(axis=0) for factor in others], axis=0)
        return rows * new / np.where(sums > 0, sums, 1)

    def fit_transform(self, x: Any, y: Any = None) -> Any:
        """The first factor times the weights, after fit."""
        return self.fit(x).factors_.redistribute(0).factors[0]

    def score(self, x: Any, y: Any = None) -> float:
        """1 - |X - model| / |X|, where the first mode is fitted by `transform`."""
        x = self._fitted(x)
        model = Factors(np.ones(self.rank_), [self.transform(x), *self.factors_.factors[1:]])
        square = x.norm() ** 2
        rest = max(square - 2 * model.inner(x) + model.inner(model), 0)
        return float(1 - np.sqrt(rest / square)) if square > 0 else float("nan")

    def __repr__(self) -> str:
        default = type(self)().get_params()
        changed = [f"{name}={value!r}" for name, value in self.get_params().items()
                   if name != "rank" and value is not default[name] and value != default[name]]
        return f"CP({', '.join([repr(self.rank), *changed])})"
