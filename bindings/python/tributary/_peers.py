"""What names of other packages are called here, for the messages of errors."""
import functools
from typing import TYPE_CHECKING, Any, Callable, Dict, TypeVar

_TENSOR = {
    "toarray": "to_dense()", "todense": "to_dense()", "full": "to_dense()", "double": "to_dense()",
    "subs": "coords", "vals": "values", "data": "values", "ndims": "ndim", "order": "ndim",
    "find": "entries()", "tocoo": "to_scipy()", "tocsr": "to_scipy().tocsr()",
    "collapse": "sum(axis=...)", "innerprod": "tributary.array.tensordot(x, y, x.ndim)",
    "scale": "x * v", "tenmat": "unfold(mode)", "to_sptenmat": "unfold(mode)",
    "spones": "x != 0", "ones": "x != 0", "isequal": "(x == y).all()", "logical_and": "x & y",
    "logical_or": "x | y", "logical_not": "~x", "elemfun": "a function of tributary.array",
    "mask": "x[mask]", "dot": "x @ y", "cp_als": "cp(rank, 'als')", "cp_apr": "cp(rank, 'apr')",
}
_FACTORS = {
    "factor_matrices": "factors", "full": "to_dense()", "to_tensor": "to_dense()",
    "double": "to_dense()", "normalize": "normalise()", "innerprod": "inner(other)",
    "ncomponents": "rank", "ndims": "len(shape)", "order": "len(shape)", "mask": "at(coords)",
}
_ESTIMATOR = {
    "n_components": "rank", "random_state": "seed", "max_iter": "iterations", "tol": "tolerance",
    "n_jobs": "threads", "n_init": "restarts", "components_": "factors_.factors",
    "n_components_": "rank_", "reconstruction_err_": "1 - fit_",
    "inverse_transform": "factors_.to_dense()",
    "ngram_range": "ngram, one number", "max_features": "settings={'vocabulary_size': ...}",
    "min_df": "settings={'vocabulary_min_documents': ...}",
    "stop_words": "settings={'tokens_stop': ...}", "lowercase": "settings={'tokens_case': ...}",
}
SETTINGS = {
    "maxiters": "iterations", "n_iter_max": "iterations", "stoptol": "tolerance",
    "tol": "tolerance", "random_state": "seed", "printitn": "progress", "verbose": "progress",
    "non_negative": "solver", "fixmodes": "fixed", "fixed_modes": "fixed",
}
MODULE = {
    "sptensor": "Tensor(coords, values, shape=...)", "COO": "Tensor(coords, values, shape=...)",
    "tensor": "Tensor.from_dense(array)", "ktensor": "Factors(weights, factors)",
    "CPTensor": "Factors(weights, factors)", "cp_als": "Tensor.cp(rank, 'als')",
    "cp_apr": "Tensor.cp(rank, 'apr')", "parafac": "Tensor.cp(rank)",
    "non_negative_parafac": "Tensor.cp(rank)", "tucker": "Tensor.tucker(ranks)",
    "hosvd": "Tensor.tucker(ranks)", "gcp_opt": "CP(rank, loss=...)",
}


def hint(name: str, names: Dict[str, str]) -> str:
    """What to add to the message of an error about a name."""
    return f"; here it is {names[name]}" if name in names else ""


class Peers:
    """An object whose AttributeError says what a name of another package is called here."""

    if not TYPE_CHECKING:  # else every name would be one
        def __getattr__(self, name: str) -> Any:
            names = _TENSOR if hasattr(type(self), "nnz") else \
                _FACTORS if hasattr(type(self), "congruence") else _ESTIMATOR
            raise AttributeError(
                f"'{type(self).__name__}' object has no attribute '{name}'{hint(name, names)}")


_Made = TypeVar("_Made", bound=Callable[..., None])


def helped(init: _Made) -> _Made:
    """An __init__ whose TypeError about a keyword says the same."""
    @functools.wraps(init)
    def called(self: Any, *arguments: Any, **keywords: Any) -> None:
        for name in set(keywords) & set(_ESTIMATOR):
            raise TypeError(f"{type(self).__name__} has no parameter '{name}'"
                            f"{hint(name, _ESTIMATOR)}")
        init(self, *arguments, **keywords)
    return called  # type: ignore[return-value]
