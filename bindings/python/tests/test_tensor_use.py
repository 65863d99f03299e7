"""What a user does with tensors and factors beyond NumPy's functions: the library's table beside
the coordinates, starts, files, and decompositions as values and as estimators."""
import copy
import multiprocessing
import pickle

import numpy as np
import pytest

import tributary
from tributary import CP, Factors, Tensor

xp = tributary.array


def exact(shape=(30, 25, 20), rank=2, seed=0):
    draw = np.random.default_rng(seed)
    factors = [draw.random((size, rank)) ** 3 for size in shape]
    return np.einsum("ir,jr,kr->ijk", *factors), factors


def test_the_table_and_the_coordinates_agree_after_every_change():
    draw = np.random.default_rng(4)
    x, dense = Tensor([[0, 0, 0]], [1.0], shape=(4, 5, 6)), np.zeros((4, 5, 6))
    dense[0, 0, 0] = 1
    factors = [draw.random((size, 3)) for size in dense.shape]
    for step in range(60):
        place = tuple(int(draw.integers(size)) for size in dense.shape)
        value = float(draw.integers(-1, 3)) if step < 40 else float(draw.normal())
        kind = step % 6
        if kind == 0:
            x[place] = dense[place] = value
        elif kind == 1:
            x.add([place], [value])
            dense[place] += value
        elif kind == 2:
            x[place[0], :, place[2]] = value
            dense[place[0], :, place[2]] = value
        elif kind == 3:
            np.testing.assert_allclose(x.mttkrp(factors, 0), np.einsum(
                "ijk,jr,kr->ir", dense, factors[1], factors[2]), atol=1e-12)
        elif kind == 4:
            x *= 2
            dense *= 2
        else:
            x[place] = dense[place] = 0
        assert x.nnz == np.count_nonzero(dense)
        np.testing.assert_allclose(x.to_dense(), dense)
        np.testing.assert_allclose(x.get([place]), dense[place])
        np.testing.assert_allclose(copy.deepcopy(x).to_dense(), dense)


def test_single_cells_of_every_kind_of_tensor():
    dense = np.where(np.random.default_rng(3).random((5, 4, 3)) < 0.5, 2.5, 0)
    table = Tensor.from_dense(dense)
    nan = table * np.nan
    for x in (table, table + table, xp.asarray(dense), xp.asarray(dense.astype(int)),
              xp.asarray(dense * 1j), table > 1, nan.reshape(5, 4, 3)):
        cells = x.to_dense()
        for place in np.ndindex(*x.shape):
            np.testing.assert_equal(x[place], cells[place])
        np.testing.assert_equal(x[-1, -2, -3], cells[-1, -2, -3])
        assert x[0, 0, 0].dtype == x.dtype
        for place in ((0, 0, 0), (4, 3, 2), (-1, 0, 1)):
            for value in (1, 0, 1):
                x[place] = cells[place] = value
                np.testing.assert_equal(x.to_dense(), cells)
                np.testing.assert_equal(x[place], cells[place])
    table[0, 0, 0] = np.nan  # which the table cannot hold
    assert np.isnan(table[0, 0, 0]) and np.isnan(table.sum())
    with pytest.raises(tributary.Error, match="nan"):
        table.cp(1)


def test_sums_that_are_0_are_no_nonzeros():
    x = Tensor([[0], [0], [2]], [1.5, -1.5, 1.0])
    assert x.nnz == 1 and x.entries()[0].tolist() == [[2]]
    x.add([[1], [2], [0]], [4, -1, 2])
    assert x.nnz == 2 and sorted(x.values) == [2, 4] and x[2] == 0


def test_counts_beyond_32_bits_become_values(tmp_path):
    x = Tensor([[0], [0], [1]], [4e9, 1e9, 3])
    assert not x.has_counts and x[0] == 5e9 and x[1] == 3
    (tmp_path / "x.tns").write_text("1 4000000000\n1 1000000000\n2 3\n", encoding="utf-8")
    np.testing.assert_array_equal(Tensor.load(tmp_path / "x.tns").to_dense(), [5e9, 3])
    y = Tensor([[0]], [4294967295])
    assert y.has_counts and y.add([[0]]).to_dense() == [2.0 ** 32] and not y.has_counts
    many = Tensor(np.zeros((3, 1), int), [4294967295] * 3)
    assert many[0] == 3 * 4294967295.0


def test_types_are_kept_and_the_table_is_of_doubles():
    z = Tensor([[0, 1], [1, 1]], [1 + 2j, 3j], shape=(2, 2), dtype=complex)
    assert z.dtype == complex and abs(z)[1, 1] == 3 and (z * z).sum() == (1 + 2j) ** 2 - 9
    with pytest.raises(tributary.UsageError, match="complex"):
        z.mttkrp([None, np.ones((2, 1))], 0)
    n = Tensor([[0], [0], [1]], [2 ** 62, 5, 7], dtype=np.int64)
    assert n.dtype == np.int64 and n[0] == 2 ** 62 + 5 and "int64" in repr(n)
    assert n.add([[1]], [1])[1] == 8 and n.dtype == np.int64
    with pytest.raises(tributary.UsageError, match="complex"):
        n[0] = 1j
    for x in (z, n, n[:0], n.sum(keepdims=True).squeeze() * n):
        for made in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x)), x.copy()):
            assert made.dtype == x.dtype and xp.array_equal(made, x)
            assert made.dtype != np.float64
    narrow = xp.asarray(np.eye(3, dtype=np.float32))
    assert narrow.mttkrp([None, np.ones((3, 1))], 0).tolist() == [[1.0]] * 3
    assert narrow.dtype == np.float32 and narrow.entries()[1].dtype == np.float32
    assert xp.from_dlpack(np.arange(4.0)).nnz == 3
    assert np.from_dlpack(narrow.values).sum() == 3
    with pytest.raises(BufferError):
        np.from_dlpack(narrow)


def test_an_array_of_other_packages_takes_part():
    from scipy import sparse
    matrix = sparse.random(6, 5, 0.4, random_state=1, format="csr")
    x = Tensor.from_scipy(matrix)
    np.testing.assert_allclose((x + matrix).to_dense(), 2 * matrix.toarray())
    np.testing.assert_allclose((x * np.arange(5)).to_dense(), matrix.toarray() * np.arange(5))
    np.testing.assert_allclose((np.arange(5) * x).to_dense(), matrix.toarray() * np.arange(5))
    np.testing.assert_allclose((np.float64(3) * x).to_dense(), 3 * matrix.toarray())
    assert (x @ np.ones(5)).shape == (6,) and len(x) == 6 and len(list(x)) == 6
    assert np.add.reduce(x, axis=0).shape == (5,) and 0.0 in x and 77 not in x
    with pytest.raises(TypeError):
        x + "a"
    x.words = ["w"] * 6
    assert (x * 2).words == x.words and x.T.words == x.words and x[1:].words is None


def _in_a_process(x):
    return x.mttkrp([None] + [np.ones((size, 2)) for size in x.shape[1:]], 0, threads=2).sum()


def test_a_tensor_goes_to_other_processes():
    x = Tensor(np.random.default_rng(1).integers(0, 50, (20000, 3)))
    wanted = _in_a_process(x)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(_in_a_process, [x, x + x]) == [wanted, 2 * wanted]


def test_factors_are_saved_as_they_are(tmp_path):
    x = Tensor(*Tensor.from_dense(exact()[0]).entries())
    x.words = [f"w{i}" for i in range(30)]
    made = x.cp(2)
    made.weights[:] = [3, -99]
    made.factors[1][4, 0] = -7
    for factors in (made, made + made, Factors([2.0], [np.ones((3, 1))] * 2, ["a", "b", "c"]),
                    Factors([], [np.ones((3, 0))] * 2), made.extract([1]), pickle.loads(
                        pickle.dumps(made)), 2 * made):
        factors.save(tmp_path / "f.ktns")
        read = Factors.load(tmp_path / "f.ktns")
        assert read.shape == factors.shape and read.weights.tolist() == factors.weights.tolist()
        for a, b in zip(read.factors, factors.factors):
            np.testing.assert_array_equal(a, b)
        if factors.rank:
            assert read.words == [word if any(f[i:i + 1].any() for f in factors.factors) else ""
                                  for i, word in enumerate(factors.words)]
    made.words[0] = "two words"
    with pytest.raises(tributary.UsageError, match="space"):
        made.save(tmp_path / "f.ktns")


def test_a_decomposition_starts_from_factors_and_keeps_fixed_ones():
    dense, factors = exact()
    x = Tensor.from_dense(dense)
    for solver in ("hals", "als", "mu", "apr"):
        same = x.cp(7, solver, init=factors, iterations=3, tolerance=0)
        assert same.rank == 2 and same.fit > (0.99 if solver == "apr" else 0.9999)  # it lifts
    start = [f.copy() for f in factors]
    start[0], start[2] = np.ones((30, 2)) * [1, 2], np.random.default_rng(3).random((20, 2))
    found = x.cp(init=Factors([1, 1], start), fixed=[1], iterations=200)
    kept = factors[1] / factors[1].sum(axis=0)
    assert found.fit > 0.99 and np.allclose(kept[:, np.argsort(kept[0])],
                                            found.factors[1][:, np.argsort(found.factors[1][0])])
    other = x.cp(init=Factors([1, 1], start), fixed=[-2], iterations=200)
    np.testing.assert_array_equal(found.factors[1], other.factors[1])
    signed = x.cp(2, "als", init=[-start[0], start[1], start[2]], iterations=300)
    assert signed.fit > 0.99
    assert x.cp(2, init="random", seed=3, iterations=300).fit > 0.99


def test_signed_tensors_are_decomposed():
    assert Tensor.from_dense(-np.ones((3, 3, 3))).cp(1, "als").fit > 0.9999
    assert Tensor.from_dense(np.diag([-1.0, 2.0])).cp(2, "als", iterations=300).fit > 0.999


@pytest.mark.parametrize("rank", [1, 2, 4])
def test_the_rank_is_searched_downwards(rank):
    found = Tensor.from_dense(exact((12, 10, 9), rank)[0]).cp("auto", iterations=300)
    assert found.rank == rank and found.fit > 0.95


@pytest.mark.parametrize("rank", [2, 3, 5])
def test_the_rank_is_found_by_cells_left_out(rank):
    draw = np.random.default_rng(1)
    factors = [np.where(draw.random((n, rank)) < 0.6, draw.random((n, rank)), 0.01)
               for n in (14, 13, 12)]
    x = draw.poisson(40 * np.einsum("ir,jr,kr->ijk", *factors)).astype(float)
    model = tributary.CP("holdout").fit(x)
    assert model.rank_ == rank
    with pytest.raises(tributary.UsageError, match="needs all values"):
        tributary.CP("holdout", mask=x > 1).fit(x)
    with pytest.raises(tributary.ConfigError, match="needs a least-squares solver"):
        tributary.CP("holdout", loss="kl").fit(x)


def random_factors(seed, rank=3, shape=(4, 5, 6)):
    draw = np.random.default_rng(seed)
    return Factors(draw.normal(size=rank), [draw.normal(size=(size, rank)) for size in shape])


def test_the_algebra_of_factors_is_that_of_their_cells():
    a, b = random_factors(1), random_factors(2, 2)
    x, y = a.to_dense(), b.to_dense()
    assert np.isclose(a.norm(), np.linalg.norm(x)) and np.isclose(a.inner(b), (x * y).sum())
    assert np.isclose(a.inner(Tensor.from_dense(y)), (x * y).sum())
    np.testing.assert_allclose((a + b).to_dense(), x + y)
    np.testing.assert_allclose((a - 2 * b).to_dense(), x - 2 * y)
    np.testing.assert_allclose((-a * 3).to_dense(), -3 * x)
    for p in (1, 2, np.inf):
        made = a.normalise(p)
        np.testing.assert_allclose(made.to_dense(), x)
        assert (made.weights >= 0).all()
        for factor in made.factors:
            np.testing.assert_allclose(np.linalg.norm(factor, p, axis=0), 1)
    assert (np.diff(a.arrange().weights) <= 0).all()
    np.testing.assert_allclose(a.arrange([2, 0, 1]).weights, a.weights[[2, 0, 1]])
    np.testing.assert_allclose((a.extract(0) + a.extract([1, 2])).to_dense(), x)
    np.testing.assert_allclose(a.permute([2, 0, 1]).to_dense(), x.transpose(2, 0, 1))
    np.testing.assert_allclose(a.redistribute(1).to_dense(), x)
    assert (a.redistribute(1).weights == 1).all()
    v = np.arange(5.0)
    np.testing.assert_allclose(a.ttv(v, 1).to_dense(), np.einsum("ijk,j->ik", x, v))
    np.testing.assert_allclose(a.mttkrp(b.factors, 1),
                               np.einsum("ijk,ir,kr->jr", x, b.factors[0], b.factors[2]))
    same = a.arrange([1, 2, 0]).normalise()
    assert np.isclose(a.score(same), 1) and np.isclose(a.extract([1]).score(a), 1)
    assert np.isclose(a.congruence(a).diagonal(), 1).all()
    assert a.score(b) < 0.9 and a.score(2 * a) < a.score(2 * a, weights=False)
    assert np.isclose(a.score(-1 * a, weights=False), -a.score(a)) or a.score(-1 * a) < 0.9
    for wrong in (lambda: a + random_factors(1, shape=(4, 5)), lambda: a.extract(3),
                  lambda: a.permute([0, 1]), lambda: a.inner(Tensor.from_dense(np.ones((2, 2))))):
        with pytest.raises(tributary.UsageError):
            wrong()
    a.weights = np.ones(5)
    with pytest.raises(tributary.UsageError, match="column for each weight"):
        a.save("never.ktns")


def test_an_estimator_by_the_conventions_of_scikit_learn():
    dense, _ = exact()
    model = CP(2, iterations=500, tolerance=1e-9)
    assert model.fit(dense) is model and model.rank_ == 2 and model.fit_ > 0.99
    assert np.isclose(model.score(dense), model.fit_, atol=1e-2)
    rows = model.transform(dense[:7])
    np.testing.assert_allclose(np.einsum("ir,jr,kr->ijk", rows, *model.factors_.factors[1:]),
                               dense[:7], atol=0.02)
    assert CP(2).fit_transform(Tensor.from_dense(dense)).shape == (30, 2)
    again = CP(**model.get_params())
    assert repr(again) == repr(model) == "CP(2, iterations=500, tolerance=1e-09)"
    assert model.set_params(rank=1, nonneg=False).fit(-dense).fit_ > 0.4
    assert CP(2, nonneg=False).fit(-dense).score(-dense) > 0.99
    counts = np.random.default_rng(1).poisson(dense * 20)
    kl = CP(2, loss="kl").fit(counts)
    assert abs(kl.score(counts) - kl.fit_) < 0.01 and (kl.transform(counts) >= 0).all()
    start = CP(2, init=kl.factors_, fixed=[1, 2]).fit(counts)
    for a, b in zip(start.factors_.factors[1:], kl.factors_.factors[1:]):
        assert start.factors_.score(kl.factors_, weights=False) > 0.8 and a.shape == b.shape
    for wrong in (lambda: CP(2, loss="hubr").fit(dense), lambda: CP().set_params(rnak=2),
                  lambda: CP().transform(dense), lambda: model.transform(dense[:, 1:])):
        with pytest.raises(tributary.UsageError):
            wrong()


def test_missing_cells_are_filled_by_the_model():
    dense, _ = exact((12, 10, 9))
    known = np.random.default_rng(5).random(dense.shape) < 0.8
    holes = np.where(known, dense, np.nan)
    for model, x in ((CP(2, iterations=800, tolerance=1e-6), holes),
                     (CP(2, iterations=800, tolerance=1e-6, mask=known), dense),
                     (CP(2, iterations=800, tolerance=1e-6, mask=xp.asarray(known)),
                      xp.asarray(holes))):
        found = model.fit(x).factors_
        np.testing.assert_allclose(found.to_dense(), dense, atol=0.01)
        assert model.fit_ > 0.99
    np.testing.assert_allclose(found.at(np.argwhere(~known)), found.to_dense()[~known])
    assert CP(2).fit(np.where(known, dense, 0)).fit_ < 0.9  # as zeros they are wrong
    with pytest.raises(tributary.UsageError, match="the mask has the shape"):
        CP(2, mask=known[1:]).fit(dense)


@pytest.mark.parametrize("loss", ["bernoulli", "gamma", "huber"])
def test_other_losses_are_at_a_minimum_and_their_slopes_are_right(loss):
    from tributary import _gcp
    draw = np.random.default_rng(3)
    odds = exact((8, 7, 6))[0] * 4 + 0.01
    x = {"bernoulli": (draw.random(odds.shape) < odds / (1 + odds)).astype(float),
         "gamma": draw.gamma(4, odds / 4), "huber": odds}[loss]
    if loss == "huber":
        x[draw.random(x.shape) < 0.05] += 50  # outliers, which least squares would follow
    known = draw.random(x.shape) < 0.9
    start = [draw.random((size, 2)) + 0.1 for size in x.shape]
    value, slopes = _gcp.objective(_gcp.LOSSES[loss], x, known, start)
    for mode, at in ((0, (3, 1)), (2, (5, 0))):
        moved = [factor.copy() for factor in start]
        moved[mode][at] += 1e-6
        change = (_gcp.objective(_gcp.LOSSES[loss], x, known, moved)[0] - value) / 1e-6
        assert np.isclose(change, slopes[mode][at], rtol=1e-3, atol=1e-3)
    model = CP(2, loss=loss, mask=known, iterations=2000, tolerance=1e-12).fit(x)
    found = model.factors_.redistribute(0).factors
    best, _ = _gcp.objective(_gcp.LOSSES[loss], x, known, found)
    truth = [factor for factor in exact((8, 7, 6))[1]]
    truth[0] = truth[0] * 4
    assert best <= _gcp.objective(_gcp.LOSSES[loss], x, known, truth)[0] + 0.1 * abs(value)
    for mode in range(3):
        for factor in (0.97, 1.03):
            moved = [f * factor if m == mode else f for m, f in enumerate(found)]
            assert _gcp.objective(_gcp.LOSSES[loss], x, known, moved)[0] >= best - 1e-6
    if loss == "huber":
        assert np.median(np.abs(model.factors_.to_dense() - odds)[x < 50]) < 0.1
    assert model.transform(x[:3]).shape == (3, 2)
    with pytest.raises(tributary.UsageError, match="values that are"):
        CP(2, loss=loss).fit(np.where(known, -x - 1, np.inf) if loss == "huber" else -x - 1)


def test_a_tucker_decomposition_finds_an_exact_core():
    draw = np.random.default_rng(2)
    factors = [np.linalg.qr(draw.normal(size=(size, n)))[0]
               for size, n in ((8, 2), (7, 3), (6, 2))]
    dense = np.einsum("abc,ia,jb,kc->ijk", draw.normal(size=(2, 3, 2)), *factors)
    dense[:, :3] = 0  # sparse, of the same ranks
    x = Tensor.from_dense(dense)
    for iterations in (0, 50):
        found = x.tucker((2, 3, 2), iterations=iterations)
        np.testing.assert_allclose(found.to_dense(), dense, atol=1e-10)
        assert found.fit > 1 - 1e-6 and found.core.shape == (2, 3, 2)
        for factor in found.factors:
            np.testing.assert_allclose(factor.T @ factor, np.eye(factor.shape[1]), atol=1e-12)
    noise = x + 0.1 * draw.normal(size=dense.shape)
    start, best = noise.tucker((2, 2, 2), iterations=0), noise.tucker((2, 2, 2))
    error = [np.linalg.norm(noise.to_dense() - found.to_dense()) for found in (start, best)]
    assert error[1] < error[0] and np.isclose(1 - error[1] / noise.norm(), best.fit)
    left = np.linalg.svd(dense.reshape(8, -1))[0][:, :2]
    np.testing.assert_allclose(np.abs(x.nvecs(0, 2)), np.abs(left), atol=1e-8)
    for wrong in (lambda: x.tucker((2, 2)), lambda: x.nvecs(0, 9)):
        with pytest.raises(tributary.UsageError):
            wrong()


def test_nothing_grows_in_a_thousand_loops():
    import resource
    x = Tensor(np.random.default_rng(1).integers(0, 40, (200, 3)), shape=(40, 40, 40))

    def use():
        y = copy.copy(x) * 2 + x[::2].sum(axis=0)
        y[0, 0, 0] = 5
        y.mttkrp([None, np.ones((40, 1)), np.ones((40, 1))], 0, threads=1)
        pickle.loads(pickle.dumps(x.cp(1, iterations=1, threads=1))).norm()
    for _ in range(100):
        use()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(1000):
        use()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8000  # KiB
