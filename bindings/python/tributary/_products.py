"""Products of tensors along modes: the names of the Python array API standard, of NumPy, and ttv
and ttm of the Tensor Toolbox."""
from __future__ import annotations

from typing import Any, Sequence, Tuple, Union

import numpy as np

from . import _coo
from ._operands import apply, modes_of, of, result
from ._reductions import sum as _sum
from ._shapes import diagonal, moveaxis, permute_dims, reshape, swapaxes
from ._tensor import Tensor

__all__ = ["tensordot", "matmul", "vecdot", "vdot", "inner", "outer", "dot", "kron", "einsum",
           "ttv", "ttm", "contract", "trace"]


def tensordot(x1: Any, x2: Any, axes: Union[int, Sequence[Any]] = 2) -> Any:
    """The sum over pairs of modes: the last ones of x1 with the first ones of x2, or those of two
    lists."""
    x, y = of(x1), of(x2)
    if isinstance(axes, int):
        pairs = [(len(x.shape) - axes + i, i) for i in range(axes)]
    else:
        mine, theirs = ([a] if isinstance(a, int) else list(a) for a in axes)
        if len(mine) != len(theirs):
            raise ValueError("both tensors name as many modes")
        pairs = [(a % len(x.shape), b % len(y.shape)) for a, b in zip(mine, theirs)]
    return result(_coo.joined(x, y, pairs))


def trace(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The sum of a diagonal; contracts two modes."""
    return _sum(diagonal(x, offset, axis1, axis2), axis=-1)


def contract(x: Any, axis1: int, axis2: int) -> Any:
    """The sum where two modes have the same index; both are gone."""
    return trace(x, 0, axis1, axis2)


def outer(x1: Any, x2: Any) -> Any:
    """All products, with the modes of x1 before those of x2."""
    return tensordot(x1, x2, 0)


def inner(x1: Any, x2: Any) -> Any:
    """The sum over the last modes of both."""
    x, y = of(x1), of(x2)
    return tensordot(x1, x2, ([len(x.shape) - 1], [len(y.shape) - 1]))


def dot(x1: Any, x2: Any) -> Any:
    """The sum over the last mode of x1 and the last but one of x2, or its only one."""
    x, y = of(x1), of(x2)
    if not x.shape or not y.shape:
        return outer(x1, x2)
    return tensordot(x1, x2, ([len(x.shape) - 1], [max(len(y.shape) - 2, 0)]))


def vdot(x1: Any, x2: Any) -> Any:
    """The sum of the products of all cells; the first is conjugated."""
    return vecdot(reshape(x1, -1), reshape(x2, -1))


def vecdot(x1: Any, x2: Any, axis: int = -1) -> Any:
    """The sum of products along a mode; the first is conjugated."""
    return _sum(apply(lambda a, b: np.conj(a) * b, x1, x2), axis=axis)


def matmul(x1: Any, x2: Any) -> Any:
    """The product of the matrices in the last two modes; the modes before are broadcast."""
    x, y = of(x1), of(x2)
    if not x.shape or not y.shape:
        raise ValueError("a number is no matrix")
    if len(y.shape) == 1 or len(x.shape) == 1 or len(y.shape) == 2:
        return dot(x1, x2)
    batch = _coo.common(x.shape[:-2], y.shape[:-2])
    n = len(batch)
    x, y = _coo.spread(x, batch + x.shape[-2:]), _coo.spread(y, batch + y.shape[-2:])
    return result(_coo.joined(x, y, [(m, m) for m in range(n)] + [(n + 1, n)], n))


def kron(x1: Any, x2: Any) -> Any:
    """Every cell of x1 times the whole of x2, one beside the other."""
    x, y = of(x1), of(x2)
    n = max(len(x.shape), len(y.shape))
    sizes = [(1,) * (n - len(c.shape)) + c.shape for c in (x, y)]
    both = outer(reshape(x1, sizes[0]), reshape(x2, sizes[1]))
    both = permute_dims(both, [m for i in range(n) for m in (i, n + i)])
    return reshape(both, [a * b for a, b in zip(*sizes)])


def ttv(x: Any, vector: Any, mode: int) -> Any:
    """The tensor times a vector along a mode, which is gone."""
    c, v = of(x), np.asarray(vector)
    m, = modes_of(mode, len(c.shape))
    if v.shape != (c.shape[m],):
        raise ValueError(f"the vector has the shape {v.shape}, and mode {m} the size {c.shape[m]}")
    return _sum(Tensor._of(c._replace(values=c.values * v[c.coords[:, m]])), axis=m)


def ttm(x: Any, matrix: Any, mode: int) -> Any:
    """The tensor times a matrix: mode `mode` then has an index for each of its rows."""
    m, = modes_of(mode, len(of(x).shape))
    return moveaxis(tensordot(x, matrix, ([m], [1])), -1, m)


def _letters(x: Any, letters: str, kept: str) -> Tuple[Any, str]:
    """A term with each letter once, and without those that nothing else needs."""
    for letter in dict.fromkeys(letters):
        while letters.count(letter) > 1:
            a = letters.index(letter)
            b = letters.index(letter, a + 1)
            x = diagonal(x, 0, a, b)
            letters = letters[:a] + letters[a + 1:b] + letters[b + 1:] + letter
    gone = [i for i, letter in enumerate(letters) if letter not in kept]
    if gone:
        x, letters = _sum(x, axis=gone), "".join(a for a in letters if a in kept)
    return x, letters


def einsum(subscripts: str, *operands: Any) -> Any:
    """The sum of products that letters describe, as numpy.einsum, pair by pair from the left."""
    left, arrow, out = subscripts.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(operands) or "." in subscripts:
        raise ValueError("einsum has letters for every mode of every tensor")
    if any(len(term) != len(of(x).shape) for term, x in zip(terms, operands)):
        raise ValueError(f"'{left}' does not name every mode")
    if not arrow:
        out = "".join(sorted(a for a in set(left) - {","} if left.count(a) == 1))
    x, letters = _letters(operands[0], terms[0], out + "".join(terms[1:]))
    for i, (y, term) in enumerate(zip(operands[1:], terms[1:]), 1):
        later = out + "".join(terms[i + 1:])
        y, term = _letters(y, term, later + letters)
        shared = [a for a in letters if a in term]
        kept = [a for a in shared if a in later]
        by = [(letters.index(a), term.index(a)) for a in kept + [a for a in shared
                                                                if a not in later]]
        x = result(_coo.joined(of(x), of(y), by, len(kept)))
        letters = "".join(kept + [a for a in letters if a not in shared] +
                          [a for a in term if a not in shared])
        x, letters = _letters(x, letters, later)
    if sorted(letters) != sorted(out):
        raise ValueError(f"'{out}' has letters that '{left}' has not")
    return permute_dims(x, [letters.index(a) for a in out]) if out else x
