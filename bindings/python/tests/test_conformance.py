"""The facts of tests/conformance, by Python and by the program: tensors give what NumPy gives."""
import math
import os
import re
import shlex
import subprocess

import numpy as np
import pytest

import tributary
from conftest import SOURCES
from tributary import Tensor

xp = tributary.array


FOLDER = SOURCES / "tests" / "conformance"


def facts():
    """By NumPy, by tributary.array, by C and by R, the last two "" with a reason in the end."""
    path = FOLDER / "facts.txt"
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            numpy, here, words, r = (part.strip() for part in line.split("||"))
            given = [words, numpy if r == "=" else r]
            reasons = [one if re.fullmatch("-[a-z]{4,}", one) else "" for one in given]
            yield numpy, here, *("" if reason else one
                                 for one, reason in zip(given, reasons)), reasons


def inputs(seed):
    """Arrays of every kind, most of whose cells are 0."""
    draw = np.random.default_rng(seed)

    def some(shape, part=0.4):
        return np.where(draw.random(shape) < part, draw.normal(size=shape), 0)

    shape = (4, 3, 5)
    made = {"x": some(shape), "y": some(shape), "v": some(5, 0.7), "w": some((3, 1), 0.7),
            "m": some((3, 4)), "k": some((5, 2), 0.6), "q": some((4, 4)), "s": some((2, 4, 3)),
            "e": np.zeros(shape), "o": np.zeros((2, 0, 3)), "f": draw.random(shape) + 0.5}
    made["c"] = draw.poisson(0.7, shape).astype(float)
    made["i"] = draw.integers(-2, 3, shape)
    made["j"] = draw.integers(-2, 3, shape)
    made["u"] = (draw.integers(0, 9, shape) * (draw.random(shape) < 0.5) * 28).astype(np.uint8)
    made["b"] = draw.random(shape) < 0.4
    made["z"] = some(shape) + 1j * some(shape)
    return made


def value_of(text, names):
    names = dict(names)
    *statements, last = text.split(";")
    for statement in statements:
        exec(statement.strip(), names)
    return eval(last.strip(), names)


def same(found, wanted):
    wanted = np.asarray(wanted)
    assert np.shape(found) == wanted.shape
    if isinstance(found, Tensor):
        coords, values = found.entries()
        assert (values != 0).all() and len(np.unique(coords, axis=0)) == len(coords)
        assert found.dtype == wanted.dtype
        found = found.to_dense()
    np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("numpy, here", [fact[:2] for fact in facts()])
def test_a_fact(numpy, here):
    for seed in range(3):
        dense = inputs(seed)
        tensors = {name: xp.asarray(array.copy()) for name, array in dense.items()}
        with np.errstate(all="ignore"):
            wanted = value_of(numpy, {"xp": np, **dense})
        if "xp." in numpy and "linalg" not in numpy and not here.startswith("xp.contract"):
            same(value_of(numpy, {"xp": np, **tensors}), wanted)  # by NumPy's own function
        same(value_of(here or numpy, {"xp": xp, **tensors}), wanted)


def rounded(seed):
    """Inputs of few digits, without those that C and R have not."""
    return {name: np.round(np.asarray(array, float), 1) for name, array in inputs(seed).items()
            if name not in "zo"}


def answers():
    """What NumPy says of the facts that C or R have, as tests/cases.c reads it."""
    dense = rounded(5)

    def case(names, array):
        array = np.asarray(array, float)
        cells = " ".join(f"{cell:.15g}" for cell in array.ravel() + 0.0)
        return "\n".join([*names, " ".join(map(str, array.shape)) or "one", cells, ""])

    yield "# answers.txt - inputs, and what NumPy says of the facts in facts.txt.\n"
    yield "[input: name size cells]"
    yield from (case([name], array) for name, array in dense.items())
    yield "[fact: numpy words r size cells]"
    for numpy, _, words, r, _ in facts():
        if words or r:
            given = {name: array.copy() for name, array in dense.items()}
            for name in "ijub":  # they are booleans and whole numbers for NumPy
                given[name] = given[name].astype(bool if name == "b" else int)
            with np.errstate(all="ignore"):
                yield case([numpy, words or "-", r or "-"], value_of(numpy, {"xp": np, **given}))


def test_the_answers_are_what_numpy_says():
    path = FOLDER / "answers.txt"
    if os.environ.get("TRIBUTARY_GOLDEN_UPDATE"):
        path.write_text("\n".join(answers()), encoding="utf-8")
    wanted = "\n".join(answers()).split()
    found = path.read_text(encoding="utf-8").split()
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted):
        try:
            np.testing.assert_allclose(float(one), float(other), rtol=1e-10, atol=1e-12)
        except ValueError:
            assert one == other


def test_what_an_interface_lacks_has_a_reason_and_is_counted():
    lines = (FOLDER / "facts.txt").read_text(encoding="utf-8").splitlines()
    known = {line.split()[1] for line in lines if line.startswith("#     -")}
    _, _, words, r, reasons = zip(*facts())
    assert {one for pair in reasons for one in pair} == known | {""}
    n_program = sum(one[:1] not in ("", "=") for one in words)
    said = (f"# Of {len(r)} facts Python has all, R {len(list(filter(None, r)))}, "
            f"C {len(list(filter(None, words)))}, the program {n_program}.")
    assert said in lines


@pytest.mark.parametrize("numpy, words", [
    (numpy, words) for numpy, _, words, _, _ in facts() if words[:1] not in ("", "=")])
def test_a_fact_by_the_program(tmp_path, numpy, words):
    dense = rounded(5)
    for name, array in dense.items():
        Tensor.from_dense(array).save(tmp_path / f"{name}.tns")
    for name, array in {"v": dense["v"], **{f"{n}t": dense[n].T for n in "mqk"}}.items():
        np.savetxt(tmp_path / f"{name}.txt", array)
    wanted = np.asarray(value_of(numpy, {"xp": np, **dense}), float)
    words = shlex.split(words.format(**{name: f"{name}.tns" for name in dense}))
    is_one = wanted.ndim == 0
    done = subprocess.run([tributary.program(), "tensor", *words,
                           *([] if is_one else ["-o", "out.tns"])], cwd=tmp_path, check=True,
                          capture_output=True, text=True)
    found = float(done.stdout.split()[-1]) if is_one else \
        Tensor.load(tmp_path / "out.tns").to_dense()
    np.testing.assert_allclose(found, wanted, rtol=1e-6 if is_one else 1e-10, atol=1e-12)


def test_the_names_of_the_standard():
    """All of version 2022.12 but for the names in docs/tensor-algebra.md."""
    names = """abs acos acosh add arange argmax argmin argsort asarray asin asinh astype atan atan2
        atanh bitwise_and bitwise_invert bitwise_left_shift bitwise_or bitwise_right_shift
        bitwise_xor bool broadcast_arrays broadcast_to can_cast ceil complex128 complex64 concat
        conj cos cosh divide e empty empty_like equal exp expand_dims expm1 eye finfo flip float32
        float64 floor floor_divide from_dlpack full full_like greater greater_equal iinfo imag inf
        int16 int32 int64 int8 isdtype isfinite isinf isnan less less_equal linspace log log10
        log1p log2 logaddexp logical_and logical_not logical_or logical_xor matmul
        matrix_transpose max mean meshgrid min multiply nan negative newaxis nonzero not_equal ones
        ones_like permute_dims pi positive pow prod real remainder reshape result_type roll round
        sign sin sinh sort sqrt square squeeze stack std subtract sum take tan tanh tensordot tril
        triu trunc uint16 uint32 uint64 uint8 unique_all unique_counts unique_inverse unique_values
        var vecdot where zeros zeros_like all any""".split()
    assert [name for name in names if not hasattr(xp, name)] == []
    assert set(names) <= set(dir(xp))
    x = xp.zeros((2, 3))
    assert x.__array_namespace__() is xp and x.device == "cpu" and x.size == 6
    assert xp.isdtype(x.dtype, "real floating") and not xp.isdtype(x.dtype, ("integral", "bool"))


def test_large_shapes_and_many_modes():
    """Keys beyond 63 bits, more modes than the library has, results that are not written out."""
    size = 2 ** 31
    x = Tensor([[0, 5, size - 1], [size - 1, 7, 3]], [2.0, 3.0], shape=(size, size, size))
    y = Tensor([[0, 5, size - 1], [1, 1, 1]], [4.0, 1.0], shape=x.shape)
    assert (x * y).entries()[1].tolist() == [8.0] and (x + y).nnz == 3
    assert x.sum(axis=1).shape == (size, size) and x[:, 7].nnz == 1 and x.sum() == 5
    assert x.T[size - 1, 5, 0] == 2 and xp.tensordot(x, y, 3) == 8
    assert x.max() == 3 and x.min() == 0 and math.isclose(x.mean() * float(size) ** 3, 5)
    deep = xp.ones((1,) * 12)
    assert deep.ndim == 12 and (deep + deep).sum() == 2
    with pytest.raises(tributary.UsageError, match="1 to 8 modes"):
        deep.mttkrp([np.ones((1, 2))] * 12, 0)
    for dense in (lambda: xp.cos(x), lambda: x + 1, lambda: x == y, lambda: ~(x > 1),
                  lambda: x.__setitem__(slice(None), 1), lambda: xp.argsort(x)):
        with pytest.raises(tributary.LimitError, match="cells"):
            dense()
    with pytest.raises(tributary.UsageError, match="no other shape"):
        x.reshape(-1)


def random_index(draw, shape):
    """Whole numbers, slices, None, '...', arrays and masks in any order."""
    parts, mode, last = [], 0, int(draw.integers(len(shape) + 1))
    points = tuple(draw.integers(1, 4, draw.integers(3)))
    while mode < last:
        size, kind = shape[mode], draw.integers(6)
        if kind == 0:
            parts.append(int(draw.integers(-size, size)))
        elif kind == 1:
            parts.append(None)
            continue
        elif kind == 2:
            parts.append(draw.integers(-size, size, points[int(draw.integers(len(points) + 1)):]))
        elif kind == 3:
            parts.append(draw.random(size) < 0.6)
        else:
            first, end = (int(i) if draw.random() < 0.7 else None
                          for i in draw.integers(-size - 1, size + 2, 2))
            parts.append(slice(first, end, int(draw.choice([-2, -1, 1, 3]))))
        mode += 1
    if draw.random() < 0.4:
        parts.insert(int(draw.integers(len(parts) + 1)), Ellipsis)
    return tuple(parts)


@pytest.mark.parametrize("seed", range(3))
def test_indices_in_any_order(seed):
    draw, n_done = np.random.default_rng(seed), 0
    for _ in range(500):
        shape = tuple(draw.integers(1, 5, draw.integers(1, 4)))
        dense = np.where(draw.random(shape) < 0.4, draw.integers(-3, 4, shape), 0).astype(float)
        index = random_index(draw, shape)
        x = xp.asarray(dense.copy()) if draw.random() < 0.5 else Tensor.from_dense(dense)
        try:
            wanted = dense[index]
        except IndexError:  # shapes of arrays that do not agree
            with pytest.raises((IndexError, ValueError)):
                x[index]
            continue
        if wanted.size == 0:
            continue  # NumPy does not look at the other indices then
        same(x[index], wanted)
        value = [0, 2.5, draw.integers(0, 2, wanted.shape)][int(draw.integers(3))]
        x[index] = value
        dense[index] = value
        same(x, dense)
        n_done += 1
    assert n_done > 300
