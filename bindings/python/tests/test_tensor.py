"""Tensors in memory, compared with NumPy and, bit for bit, with the program."""
import copy
import os
import pickle
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import tributary
from tributary import Factors, Tensor

SHAPE = (7, 5, 6)


def random_tensor(n=60, seed=1, real=False, shape=SHAPE):
    generator = np.random.default_rng(seed)
    coords = np.stack([generator.integers(0, size, n) for size in shape], axis=1)
    values = generator.normal(size=n) if real else generator.integers(1, 9, n)
    return coords, values


def dense_of(coords, values, shape=SHAPE):
    dense = np.zeros(shape)
    np.add.at(dense, tuple(coords.T), values)
    return dense


@pytest.mark.parametrize("real", [False, True])
@pytest.mark.parametrize("dtype", [np.uint32, np.int64, np.uint8])
def test_values_are_those_given(real, dtype):
    coords, values = random_tensor(real=real)
    tensor = Tensor(coords.astype(dtype), values, SHAPE)
    dense = dense_of(coords, values)
    assert tensor.has_counts is not real and tensor.nnz == np.count_nonzero(dense)
    np.testing.assert_allclose(tensor.to_dense(), dense, rtol=1e-14)
    assert tensor.get([[0, 0, 0], [6, 4, 5]]).shape == (2,)
    np.testing.assert_array_equal(tensor.get(tensor.coords), tensor.values)
    with pytest.raises(IndexError, match="99, 0, 0"):
        tensor.get([[99, 0, 0]])
    assert np.isclose(tensor.norm(), np.linalg.norm(dense))
    again = Tensor.from_dense(dense)
    np.testing.assert_array_equal(again.to_dense(), dense)


def test_adding_and_the_shape():
    tensor = Tensor([[0, 1], [3, 2]])
    assert tensor.shape == (4, 3) and tensor[0, 1] == 1 and tensor[0, 0] == 0
    tensor.add([[0, 1], [2, 2]], [4, 0.5]).add([[2, 2]])
    assert tensor[0, 1] == 5 and tensor[2, 2] == 1.5 and not tensor.has_counts
    assert Tensor([[0, 0], [1, 1]], [0, 2], (2, 2)).nnz == 1  # zeros are left out
    empty = Tensor(np.empty((0, 2), int), shape=(2, 2))
    assert empty.nnz == 0 and empty.to_dense().sum() == 0


def test_wrong_arguments_are_named():
    tensor = Tensor([[0, 1]], shape=(2, 2))
    for wrong, words in (
            (lambda: Tensor([[0, 5]], shape=(2, 2)), "index 5 in mode 1, whose size is 2"),
            (lambda: Tensor([[0.5, 1]]), "must be whole numbers"),
            (lambda: Tensor([[0, 1]], [1, 2]), "1 coordinates and 2 values"),
            (lambda: Tensor([[0, -1]], shape=(2, 2)), "negative"),
            (lambda: Tensor([0, 1]), "shape .nnz, n_modes"),
            (lambda: Tensor([[0, 1]], [np.inf]), "has the value inf"),
            (lambda: Tensor([[0] * 9]), "modes"),
            (lambda: tensor.mttkrp([np.ones((2, 3))], 0), "1 factors and 2 modes"),
            (lambda: tensor.mttkrp([None, np.ones((3, 3))], 0), "factor 1 has the shape"),
            (lambda: tensor.mttkrp([None, np.ones((2, 3))], 2), "no mode 2"),
            (lambda: tensor.mttkrp([None, np.ones((2, 3))], 0, format="cfs"), "no format 'cfs'"),
            (lambda: tensor.mttkrp([None, np.ones((2, 3))], 0, out=np.ones((3, 2))), "out must"),
            (lambda: tensor.cp(2, "halls"), "did you mean 'hals'"),
            (lambda: tensor.cp(2, rnak=3), "did you mean 'rank'")):
        with pytest.raises((tributary.Error, ValueError), match=words):
            wrong()
    with pytest.raises(IndexError):
        tensor[0, 2]


@pytest.mark.parametrize("format", ["coo", "hacoo", "hicoo", "rows", "csf", "alto"])
def test_mttkrp_is_that_of_numpy(format):
    coords, values = random_tensor(real=True)
    tensor, dense = Tensor(coords, values, SHAPE), dense_of(coords, values)
    generator = np.random.default_rng(2)
    factors = [generator.random((size, 4)) for size in SHAPE]
    wanted = [np.einsum("ijk,jr,kr->ir", dense, factors[1], factors[2]),
              np.einsum("ijk,ir,kr->jr", dense, factors[0], factors[2]),
              np.einsum("ijk,ir,jr->kr", dense, factors[0], factors[1])]
    for mode in range(3):
        one = tensor.mttkrp(factors, mode, format=format, threads=1)
        np.testing.assert_allclose(one, wanted[mode], rtol=1e-11, atol=1e-12)
        np.testing.assert_array_equal(one, tensor.mttkrp(factors, mode, format=format, threads=3))
        turned = [np.asfortranarray(factor) for factor in factors]
        np.testing.assert_array_equal(one, tensor.mttkrp(turned, mode, format=format, threads=1))
        out = np.full_like(one, 7)
        assert tensor.mttkrp(factors, mode, format=format, threads=1, out=out) is out
        np.testing.assert_array_equal(one, out)
    tensor.add([[0, 0, 0]])  # the next product sees the change
    assert tensor.mttkrp(factors, 0, format=format)[0, 0] != wanted[0][0, 0]


@pytest.mark.parametrize("real", [False, True])
@pytest.mark.parametrize("solver", ["hals", "als", "mu"])
def test_a_decomposition_has_the_bits_of_the_program(tmp_path, real, solver):
    coords, values = random_tensor(real=real)
    tensor = Tensor(coords, np.abs(values), SHAPE)
    tensor.save(tmp_path / "x.tns")
    tensor = Tensor.load(tmp_path / "x.tns")  # the order of the file
    subprocess.run([tributary.program(), "cp", "x.tns", "-o", "own", "--set", "cp.rank=4",
                    "--set", f"cp.solver={solver}", "--set", "cp.iterations=30", "-q"],
                   cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    factors = tensor.cp(4, solver, iterations=30)
    factors.save(tmp_path / "mine.ktns")
    assert (tmp_path / "mine.ktns").read_bytes() == (tmp_path / "own" / "factors.ktns").read_bytes()
    error = np.linalg.norm(tensor.to_dense() - factors.to_dense())
    assert np.isclose(1 - error / tensor.norm(), factors.fit, atol=1e-9)
    assert np.isclose(factors.value((1, 2, 3)), factors.to_dense()[1, 2, 3])
    np.testing.assert_array_equal(
        tensor.cp(4, solver, iterations=30, threads=2).weights, factors.weights)
    read = Factors.load(tmp_path / "own" / "factors.ktns")
    for a, b in zip([read.weights, *read.factors], [factors.weights, *factors.factors]):
        np.testing.assert_array_equal(a, b)
    assert read.fit == factors.fit and factors.iterations <= 30 and factors.stop


def test_progress_of_a_decomposition_stops_it_or_raises():
    coords, values = random_tensor(200)
    tensor = Tensor(coords, values, SHAPE)
    seen = []

    def after_three(done, total):
        seen.append((done, total))
        return len(seen) < 3

    factors = tensor.cp(5, iterations=100, tolerance=0, progress=after_three)
    assert len(seen) == 3 and factors.iterations < 100

    def fail(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tensor.cp(5, progress=fail)
    assert tensor.cp(5).rank > 0  # the tensor is usable


def test_threads_may_share_a_tensor():
    coords, values = random_tensor(400, shape=(50, 40, 30))
    tensor = Tensor(coords, values, (50, 40, 30))
    factors = [np.random.default_rng(3).random((size, 8)) for size in tensor.shape]
    wanted = [tensor.mttkrp(factors, mode) for mode in range(3)]
    wrong = []

    def work(mode):
        for i in range(50):
            format = ("hacoo", "csf")[i % 2]
            found = tensor.mttkrp(factors, mode, format=format, threads=1)
            if not np.allclose(found, wanted[mode], rtol=1e-11):
                wrong.append(mode)

    threads = [threading.Thread(target=work, args=(mode,)) for mode in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_files_are_read_back(tmp_path):
    coords, values = random_tensor()
    tensor = Tensor(coords, values, SHAPE)
    for name in ("x.tns", "x.fragment"):
        tensor.save(tmp_path / name)
        np.testing.assert_array_equal(Tensor.load(tmp_path / name).to_dense(), tensor.to_dense())
    with pytest.raises(tributary.Error, match="2 modes"):
        tensor.save(tmp_path / "x.mtx")
    with pytest.raises(tributary.DocumentError, match="nothing.tns"):
        Tensor.load(tmp_path / "nothing.tns")


def test_scipy_and_back():
    from scipy import sparse
    matrix = sparse.random(30, 20, 0.2, random_state=1, format="csr")
    tensor = Tensor.from_scipy(matrix)
    assert tensor.shape == (30, 20) and (tensor.to_scipy() != matrix).nnz == 0
    coords, values = random_tensor()
    cube = Tensor(coords, values, SHAPE)
    dense = cube.to_dense()
    for mode in range(3):
        unfolded = np.moveaxis(dense, mode, 0).reshape(SHAPE[mode], -1, order="F")
        np.testing.assert_array_equal(cube.unfold(mode).toarray(), unfolded)
    with pytest.raises(tributary.UsageError, match="unfold"):
        cube.to_scipy()


class Stub:
    """A class whose instances have the attributes that they are made from, as documented."""

    def __init__(self, *names):
        self.names = names

    def __call__(self, *values, **named):
        made = Stub()
        for name, value in zip(self.names, values):
            setattr(made, name, value)
        for name, value in named.items():
            setattr(made, name, value)
        return made


def test_pyttb_and_back_by_its_documented_form(monkeypatch):
    """pyttb.sptensor(subs, vals, shape): (nnz, n), (nnz, 1); ktensor(factor_matrices, weights)."""
    pyttb = sys.modules.get("pyttb") or Stub()
    pyttb.sptensor = Stub("subs", "vals", "shape")
    pyttb.ktensor = Stub("factor_matrices", "weights")
    monkeypatch.setitem(sys.modules, "pyttb", pyttb)
    coords, values = random_tensor()
    tensor = Tensor(coords, values, SHAPE)
    there = tensor.to_pyttb()
    assert there.subs.shape == (tensor.nnz, 3) and there.vals.shape == (tensor.nnz, 1)
    assert there.subs.dtype.kind == "i" and there.shape == SHAPE
    np.testing.assert_array_equal(Tensor.from_pyttb(there).to_dense(), tensor.to_dense())
    factors = tensor.cp(3)
    back = Factors.from_pyttb(factors.to_pyttb())
    np.testing.assert_array_equal(back.to_dense(), factors.to_dense())


def test_tensorly_and_back_by_its_documented_form(monkeypatch):
    """sparse.COO(coords, data, shape): (n, nnz), (nnz,); a CP tensor is (weights, factors)."""
    package = Stub()
    package.COO = Stub("coords", "data")
    monkeypatch.setitem(sys.modules, "sparse", package)
    coords, values = random_tensor()
    tensor = Tensor(coords, values, SHAPE)
    there = tensor.to_tensorly()
    assert there.coords.shape == (3, tensor.nnz) and there.shape == SHAPE
    np.testing.assert_array_equal(Tensor.from_tensorly(there).to_dense(), tensor.to_dense())
    np.testing.assert_array_equal(Tensor.from_tensorly(tensor.to_dense()).values.sum(),
                                  tensor.values.sum())
    factors = tensor.cp(3)
    back = Factors.from_tensorly(factors.to_tensorly())
    np.testing.assert_array_equal(back.to_dense(), factors.to_dense())
    assert Factors.from_tensorly((None, factors.factors)).weights.tolist() == [1.0] * factors.rank


def test_a_tensor_is_released():
    import resource
    coords = np.random.default_rng(1).integers(0, 1000, (20000, 3))
    for _ in range(5):
        Tensor(coords, shape=(1000, 1000, 1000))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(60):
        Tensor(coords, shape=(1000, 1000, 1000))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20000  # KiB


def test_copies_and_pickles_are_tensors_of_their_own():
    coords, values = random_tensor(real=True)
    tensor = Tensor(coords, values, SHAPE)
    tensor.words = ["a", "b"]
    for made in (copy.copy(tensor), copy.deepcopy(tensor), pickle.loads(pickle.dumps(tensor))):
        np.testing.assert_array_equal(made.coords, tensor.coords)
        np.testing.assert_array_equal(made.values, tensor.values)
        assert made.words == ["a", "b"] and made.has_counts == tensor.has_counts
        made.add([[0, 0, 0]])
        assert made[0, 0, 0] == tensor[0, 0, 0] + 1
        del made
    assert tensor.nnz > 0
    factors = Tensor(coords, np.abs(values), SHAPE).cp(2, iterations=5)
    for made in (copy.copy(factors), copy.deepcopy(factors), pickle.loads(pickle.dumps(factors))):
        np.testing.assert_array_equal(made.to_dense(), factors.to_dense())
        assert (made.fit, made.iterations, made.stop) == \
            (factors.fit, factors.iterations, factors.stop)


def test_out_can_be_written_and_overlaps_no_factor():
    tensor = Tensor([[0, 1], [1, 0]], [2, 3], (2, 2))
    both = np.arange(8.0).reshape(4, 2)
    frozen = np.zeros((2, 2))
    frozen.flags.writeable = False
    with pytest.raises(tributary.UsageError, match="cannot be written"):
        tensor.mttkrp([None, both[:2]], 0, out=frozen)
    for out in (both[:2], both[1:3]):
        with pytest.raises(tributary.UsageError, match="overlaps a factor"):
            tensor.mttkrp([None, both[:2]], 0, out=out)
    wanted = tensor.mttkrp([None, both[:2].copy()], 0)
    np.testing.assert_array_equal(tensor.mttkrp([None, both[:2]], 0, out=both[2:]), wanted)
    same = np.ones((2, 2))  # the factor of the mode is not read
    np.testing.assert_array_equal(tensor.mttkrp([same, both[:2]], 0, out=same), wanted)


def test_a_progress_function_cannot_use_its_tensor():
    coords, values = random_tensor()
    tensor = Tensor(coords, values, SHAPE)
    with pytest.raises(tributary.UsageError, match="at work"):
        tensor.cp(2, progress=lambda done, total: tensor.norm())
    assert tensor.norm() > 0  # and the tensor is free again


def test_interrupting_a_decomposition_raises():
    code = """
import os, signal, threading, numpy as np, tributary
x = tributary.Tensor.from_dense(np.random.default_rng(1).random((20, 20, 20)))
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job of a shell ignores it
started = threading.Event()
def interrupt():
    started.wait()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    x.cp(20, iterations=10**6, progress=lambda done, total: started.set())
except KeyboardInterrupt:
    print("interrupted")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          check=True)
    assert (done.stdout, done.stderr) == ("interrupted\n", "")


def test_a_forked_process_computes_with_one_thread():
    code = """
import os, signal, numpy as np, tributary
generator = np.random.default_rng(1)
x = tributary.Tensor(generator.integers(0, 99, (200000, 3)))
factors = [generator.random((99, 4)) for _ in range(3)]
own = x.mttkrp(factors, 0, threads=2)
child = os.fork()
if child == 0:
    signal.alarm(100)  # before this was so, the child waited for ever
    same = (x.mttkrp(factors, 0, threads=2) == own).all() and x.cp(2, threads=2, iterations=2)
    os._exit(0 if same else 3)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "0\n", done


def test_a_closed_tensor_and_its_parts_are_refused():
    coords, values = random_tensor(real=True)
    uses = [lambda x: x.nnz, lambda x: x.entries(), lambda x: x.get([[0, 0, 0]]),
            lambda x: x.cp(1), lambda x: x.add([[0, 0, 0]]), lambda x: x.save("x.tns"), repr,
            copy.copy, lambda x: x.has_counts]
    for use in uses:
        x = tributary.Tensor(coords, values)
        x.__del__()
        with pytest.raises(tributary.UsageError, match="closed"):
            use(x)
    x = tributary.Tensor(coords, values)
    with pytest.raises(AttributeError):  # products would read beyond smaller factors
        x.shape = (1, 1, 1)
    with pytest.raises(ValueError, match="null byte"):
        x.mttkrp([np.ones((n, 2)) for n in x.shape], 0, format="coo\0x")
    with pytest.raises(tributary.UsageError, match="at work"):
        x.cp(1, progress=lambda done, total: x.__del__())
    wide = x.mttkrp([np.ones((n, 2)) for n in x.shape], 0, threads=10**6)
    assert np.array_equal(wide, x.mttkrp([np.ones((n, 2)) for n in x.shape], 0, threads=1))


def test_a_process_forked_while_a_tensor_is_at_work_is_refused():
    x = tributary.Tensor(np.random.default_rng(1).integers(0, 50, (5000, 3)))
    begun, ends = threading.Event(), threading.Event()

    def tick(_done, _total):
        begun.set()
        return not ends.is_set()

    at_work = threading.Thread(
        target=lambda: x.cp(2, iterations=10**6, tolerance=0, threads=1, progress=tick))
    at_work.start()
    begun.wait()
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            x.norm()
        except tributary.UsageError:
            os._exit(3)
        os._exit(4)
    _, status = os.waitpid(child, 0)
    ends.set()
    at_work.join()
    assert os.WEXITSTATUS(status) == 3


def test_what_would_be_lost_silently_is_refused(tmp_path):
    tensor = Tensor([[0, 1], [1, 0]], [2, 3], (2, 2))
    factors = tensor.cp(1, iterations=3)
    masked = np.ma.masked_array([[1.0, 2.0]], [[True, False]])

    class Filled:
        coords, data, shape, fill_value = np.zeros((2, 1), int), np.ones(1), (2, 2), 1.0
    for wrong, kind, words in (
            (lambda: Tensor([[0, 1]], [1 + 2j]), tributary.UsageError, "complex"),
            (lambda: Tensor.from_dense(masked), tributary.UsageError, "mask"),
            (lambda: Tensor.from_tensorly(Filled), tributary.UsageError, "the value 1.0"),
            (lambda: Factors([1j], [np.ones((2, 1))]), tributary.UsageError, "complex"),
            (lambda: factors.value((0,)), tributary.UsageError, "2 numbers"),
            (lambda: factors.save(tmp_path / "f.npz"), tributary.UsageError, "as .ktns"),
            (lambda: factors.save(tmp_path / "no/f.ktns"), tributary.UsageError, "no folder"),
            (lambda: tensor.save(tmp_path / "no/x.tns"), tributary.UsageError, "no folder"),
            (lambda: tensor.save(tmp_path / "x.npz"), tributary.UsageError, ".tns, .mtx or"),
            (lambda: tensor.save(tmp_path / "x.h5"), tributary.UsageError, ".tns, .mtx or"),
            (lambda: tensor.get([[7, 0]]), IndexError, "7, 0"),
            (lambda: tensor[7, 0], IndexError, "7"),
            (lambda: tensor.cp(1, fixed=[0]), tributary.UsageError, "init"),
            (lambda: tensor.cp(1, "apr", init=-1 * factors), tributary.Error, "below 0"),
            (lambda: Tensor.from_dense(-np.eye(2)).cp(1, "apr"), tributary.Error, "below 0"),
            (lambda: tensor.cp(1, init=[np.ones((3, 1))] * 2), tributary.Error, "other sizes"),
            (lambda: bool(tensor), ValueError, "single number"),
            (lambda: hash(tensor), TypeError, "unhashable"),
            (lambda: np.median(tensor), TypeError, "median"),
            (lambda: tensor.save(f"{tmp_path}/a\0b.tns"), ValueError, "null byte"),
            (lambda: Tensor.load(f"{tmp_path}/a\0b.tns"), ValueError, "null byte"),
            (lambda: Factors.load("a\0b"), ValueError, "null byte"),
            (lambda: np.asarray(tensor), TypeError, "to_dense")):
        with pytest.raises(kind, match=words):
            wrong()
    assert not list(tmp_path.iterdir())
