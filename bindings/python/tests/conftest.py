"""What the tests share: the small corpus of our own writing, and its run."""
from pathlib import Path

import pytest

import tributary

SOURCES = Path(__file__).resolve().parents[3]
CONFIG = SOURCES / "corpora" / "carrow-bay" / "experiment.yaml"
TEXTS = SOURCES / "corpora" / "carrow-bay" / "texts"
FORMATS = ["html", "json", "csv", "factors", "trace", "tensors", "npy", "sqlite"]


@pytest.fixture(scope="session")
def bay(tmp_path_factory):
    """The run of the small corpus with all that a Run reads."""
    output = tmp_path_factory.mktemp("runs") / "bay"
    return tributary.run(CONFIG, output=output, report_formats=FORMATS, threads=2)


@pytest.fixture(scope="session")
def texts():
    """The small corpus as texts in memory, by their names."""
    return {name: (TEXTS / f"{name}.txt").read_text(encoding="utf-8")
            for name in ("keeper", "letter", "recipe", "guide")}
