"""The examples of docs/python.md, docs/coming-from.md and the tutorial notebook do what they
say."""
import doctest
import json
import shutil
import subprocess
import sys
import warnings

import pytest

import tributary
from conftest import SOURCES

PAGES = [SOURCES / "docs" / name for name in ("python.md", "coming-from.md")]
NOTEBOOK = SOURCES / "bindings" / "python" / "tutorial.ipynb"


def blocks(page, kind):
    text = page.read_text(encoding="utf-8")
    return [part.split("\n```", 1)[0] for part in text.split(f"\n```{kind}\n")[1:]]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_of_a_page(page, tmp_path, monkeypatch):
    subprocess.run([tributary.program(), "init", "-q"], cwd=tmp_path, check=True,
                   stdout=subprocess.DEVNULL)
    monkeypatch.chdir(tmp_path)
    text = "\n".join(blocks(page, "pycon"))
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    assert len(test.examples) > 10
    shown = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tributary.RunWarning)
        runner.run(test, out=shown.append)
    assert runner.failures == 0, "".join(shown)


def test_the_notebook_runs_and_its_output_is_current(tmp_path):
    """Runs the notebook in an empty folder. The outputs in the file are those of a run, so that it
    can be read without one; only those that show no address and no time are compared."""
    shutil.copy(NOTEBOOK, tmp_path)  # it runs in its own folder
    subprocess.run([sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute",
                    "--ExecutePreprocessor.timeout=300", "--output", "done.ipynb",
                    NOTEBOOK.name], check=True, cwd=tmp_path,
                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    done = json.loads((tmp_path / "done.ipynb").read_text(encoding="utf-8"))
    kept = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    compared = 0
    for new, old in zip(done["cells"], kept["cells"]):
        for output in new.get("outputs", ()):
            assert output["output_type"] != "error"
        texts = [[output.get("data", {}).get("text/plain") for output in cell.get("outputs", ())
                  if output["output_type"] == "execute_result"] for cell in (new, old)]
        if texts[0] and " at 0x" not in str(texts[0]):
            assert texts[0] == texts[1]
            compared += 1
    assert compared >= 5
