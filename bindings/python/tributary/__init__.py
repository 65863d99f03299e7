"""Which earlier texts flow into this one, how much, and through which passages?

Two ways lead through the package. `run` measures what texts owe to each other and gives a `Run`,
whose tables are DataFrames; `open` reads the run of an earlier day. `Tensor` holds a sparse tensor
in memory, multiplies and decomposes it.

>>> import tributary
>>> run = tributary.run({
...     "sea": "The sea was grey that morning and nobody spoke of the boats that were late.",
...     "inn": "At the inn nobody spoke of the boats that were late, and the fire was low.",
... }, target="inn")
>>> run.passages("inn", "sea")["shared"].max()
8

The manual is docs/python.md of the sources; Debian's package has it, with a tutorial notebook, in
/usr/share/doc/python3-tributary.

The package is a thin layer: the program of the same version runs experiments, and libtributary
computes with tensors. `tributary.text` has a vectoriser and an estimator as scikit-learn's are.
"""
from typing import TYPE_CHECKING, Any

from . import array
from ._cp import CP
from ._errors import (ConfigError, DocumentError, Error, LimitError, Requeue, RunWarning,
                      UsageError)
from ._experiment import run
from ._find import Library, Place
from ._peers import MODULE, hint
from ._program import program, program_version
from ._run import Run, open
from ._settings import Settings
from ._tensor import Factors, Tensor

if not TYPE_CHECKING:  # else every name would be one
    def __getattr__(name: str) -> Any:
        raise AttributeError(f"module 'tributary' has no attribute '{name}'{hint(name, MODULE)}")

__version__ = "0.1.0"
__all__ = ["run", "open", "Run", "Settings", "Tensor", "Factors", "CP", "array", "Library", "Place",
           "program", "program_version", "Error", "UsageError", "ConfigError", "DocumentError",
           "LimitError", "Requeue", "RunWarning"]
