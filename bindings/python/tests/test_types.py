"""The types that py.typed promises: mypy finds nothing, in the package or in what calls it."""
import subprocess
import sys

import pytest

from conftest import SOURCES

CALLER = """
from pathlib import Path
import numpy
import tributary
from tributary.text import Influence

run: tributary.Run = tributary.run({"a": "one two three", "b": Path("b.epub")}, target="a",
                                   output="out", tensor_n=4, cp={"rank": 5})
names: list[str] = run.targets
print(run.shares(found_only=True), run.report.name, tributary.open("out").methods)
x = tributary.Tensor([[0, 0, 1]], [3.0], shape=(3, 2, 2))
factors: tributary.Factors = x.cp(2, solver="apr", iterations=20)
chosen: tributary.Settings = {"tensor_n": 4, "corpus": {"join_hyphens": True}}
with tributary.run(["a", "b"], threads=1, **chosen) as again:
    print(Influence(method="split").fit(["a", "b"]).similarity_matrix_, again.name)
print(factors.fit, x.nnz + 1, x.mttkrp([None, numpy.ones((2, 1)), numpy.ones((2, 1))], mode=0))
"""
WRONG = """
import tributary
tributary.run({"a": "one"}).passages(min_words="8")
tributary.run({"a": "one"}, tensor_m=4)
tributary.run({"a": "one"}, tokens_case="folded")
tributary.run({"a": "one"}, cp={"rnak": 50})
"""


def mypy(*arguments, folder):
    return subprocess.run(
        [sys.executable, "-m", "mypy",
         "--config-file", str(SOURCES / "bindings" / "python" / "pyproject.toml"),
         "--cache-dir", str(folder / "cache"), *map(str, arguments)],
        capture_output=True, text=True, check=False)


def test_mypy_finds_nothing_in_the_package_and_what_calls_it(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "caller.py").write_text(CALLER, encoding="utf-8")
    (tmp_path / "wrong.py").write_text(WRONG, encoding="utf-8")
    package = SOURCES / "bindings" / "python" / "tributary"
    found = mypy(package, tmp_path / "caller.py", folder=tmp_path)
    assert found.returncode == 0, found.stdout + found.stderr
    found = mypy(package, tmp_path / "wrong.py", folder=tmp_path)
    for said in ('wrong.py:3: error: Argument "min_words"',
                 'wrong.py:4: error: Unexpected keyword argument "tensor_m"',
                 'wrong.py:5: error: Argument "tokens_case"',
                 'wrong.py:6: error: Extra key "rnak"'):
        assert said in found.stdout, found.stdout + found.stderr
