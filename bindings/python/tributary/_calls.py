"""How tensors and factors call the library: arguments, one thread at a time, and Ctrl-C."""
from __future__ import annotations

import json
import os
import signal
import threading
from contextlib import contextmanager
from typing import Any, Iterator, List, Optional, Union

import numpy as np

from ._errors import UsageError

Path = Union[str, "os.PathLike[str]"]


def threads_of(threads: Optional[int]) -> int:
    return threads if threads is not None else os.cpu_count() or 1


def path_of(path: Path) -> bytes:
    """A path or name as the library takes it. Raises ValueError for one with a null byte, at which
    the library would end it."""
    name = os.fsencode(path)
    if b"\0" in name:
        raise ValueError("embedded null byte")
    return name


def real(values: Any, what: str) -> Any:
    """Values as an array of real numbers. Raises UsageError for what would be lost silently."""
    if isinstance(values, np.ma.MaskedArray):
        raise UsageError(f"{what} have a mask, which a tensor has not; fill it first, as "
                         "by values.filled(0)", 2)
    array = np.asarray(values)
    if array.dtype.kind == "c":
        raise UsageError(f"{what} are complex; a tensor holds real numbers", 2)
    return array


class Lock:
    """One thread at a time. Raises UsageError for a thread that has it already, which would wait
    for itself for ever: a progress function that uses the tensor it reports on."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner: Optional[int] = None
        self._process = os.getpid()

    def __enter__(self) -> None:
        if self._owner == threading.get_ident():
            raise UsageError("the tensor is at work: a progress function cannot use it", 2)
        if self._lock.locked() and self._process != os.getpid():
            raise UsageError("the tensor was at work when this process was forked", 2)
        self._lock.acquire()
        self._owner = threading.get_ident()

    def __exit__(self, *_: Any) -> None:
        self._owner = None
        self._lock.release()


@contextmanager
def interrupts(raised: List[BaseException]) -> Iterator[None]:
    """Ctrl-C is added to `raised` instead of being raised anywhere, as in a callback of the
    library, where an exception would be lost. Elsewhere than in the main thread there is none."""
    def note(_number: int, _frame: Any) -> None:
        raised.append(KeyboardInterrupt())
    if threading.current_thread() is not threading.main_thread() or \
            signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def written_to(path: Path) -> bytes:
    """The name of a file that is written. Raises UsageError where its folder does not exist."""
    name = path_of(path)
    folder = os.path.dirname(name)
    if folder and not os.path.isdir(folder):
        raise UsageError(f"{os.fsdecode(name)}: there is no folder {os.fsdecode(folder)}", 2)
    return name


def yaml(value: Any) -> str:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (tuple, np.ndarray)):
        value = [item.item() if isinstance(item, np.generic) else item for item in value]
    return json.dumps(value)
