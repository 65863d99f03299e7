"""Decompositions under other losses than the library's: all cells are written out, and the factors
are found by SciPy's L-BFGS-B (generalised CP, Hong, Kolda, Duersch 2020)."""
from __future__ import annotations

from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ._errors import UsageError
from ._factors import Factors

_LEAST = 1e-10  # added where a model of 0 would be divided by


class Loss(NamedTuple):
    """What a cell x costs whose model is m, its derivative by m, whether m is 0 or more, and which
    values x may have."""
    cost: Callable[[Any, Any], Any]
    slope: Callable[[Any, Any], Any]
    nonneg: bool
    holds: Callable[[Any], Any]
    values: str


LOSSES: Dict[str, Loss] = {
    "bernoulli": Loss(lambda x, m: np.log1p(m) - x * np.log(m + _LEAST),
                      lambda x, m: 1 / (1 + m) - x / (m + _LEAST), True,
                      lambda x: (x == 0) | (x == 1), "0 and 1; the model is of odds"),
    "gamma": Loss(lambda x, m: x / (m + _LEAST) + np.log(m + _LEAST),
                  lambda x, m: (1 - x / (m + _LEAST)) / (m + _LEAST), True,
                  lambda x: x >= 0, "0 or more"),
    "huber": Loss(lambda x, m: np.where(np.abs(x - m) <= 1, (x - m) ** 2, 2 * np.abs(x - m) - 1),
                  lambda x, m: -2 * np.clip(x - m, -1, 1), False,
                  lambda x: np.isfinite(x), "finite"),
}


def _letters(n_modes: int) -> str:
    return "abcdefghijklmnop"[:n_modes]


def objective(loss: Loss, x: Any, known: Any, factors: Sequence[Any]) -> Tuple[float, List[Any]]:
    """The sum of the costs of the known cells, and its derivatives by the factors."""
    modes = _letters(x.ndim)
    model = np.einsum(",".join(m + "z" for m in modes) + "->" + modes, *factors, optimize=True)
    slopes = np.where(known, loss.slope(x, model), 0)
    parts = []
    for n, mode in enumerate(modes):
        others = [m + "z" for m in modes if m != mode]
        parts.append(np.einsum(",".join([modes, *others]) + "->" + mode + "z", slopes,
                               *[f for m, f in enumerate(factors) if m != n], optimize=True)
                     if others else np.repeat(slopes[:, None], factors[0].shape[1], axis=1))
    return float(np.where(known, loss.cost(x, model), 0).sum()), parts


def fit(name: str, x: Any, known: Any, start: Sequence[Any], nonneg: bool, fixed: Sequence[int],
        iterations: int, tolerance: float) -> Factors:
    """Improves the factors `start` of an array."""
    try:
        from scipy import optimize
    except ImportError:
        raise UsageError(f"the loss '{name}' needs SciPy", 2) from None
    loss = LOSSES[name]
    if not loss.holds(x[known]).all():
        raise UsageError(f"the loss '{name}' is for values that are {loss.values}", 2)
    free = [m for m in range(x.ndim) if m not in [f % x.ndim for f in fixed]]
    shapes = [start[m].shape for m in free]
    ends = np.cumsum([0] + [rows * rank for rows, rank in shapes])

    def unpacked(vector: Any) -> List[Any]:
        factors = list(start)
        for i, m in enumerate(free):
            factors[m] = vector[ends[i]:ends[i + 1]].reshape(shapes[i])
        return factors

    def cost(vector: Any) -> Tuple[float, Any]:
        value, parts = objective(loss, x, known, unpacked(vector))
        return value, np.concatenate([parts[m].ravel() for m in free])

    bound: Optional[int] = 0 if nonneg or loss.nonneg else None
    found = optimize.minimize(cost, np.concatenate([start[m].ravel() for m in free]), jac=True,
                              method="L-BFGS-B", bounds=[(bound, None)] * int(ends[-1]),
                              options={"maxiter": iterations, "ftol": tolerance})
    factors = unpacked(found.x)
    made = Factors(np.ones(factors[0].shape[1]), factors)
    made = made if len(fixed) else made.arrange()
    rest = np.where(known, x - made.to_dense(), 0)
    size = np.linalg.norm(np.where(known, x, 0))
    made.fit = float(1 - np.linalg.norm(rest) / size) if size > 0 else float("nan")
    made.iterations, made.stop = int(found.nit), "the loss no longer changes" if found.success \
        else "the limit of iterations is reached"
    return made
