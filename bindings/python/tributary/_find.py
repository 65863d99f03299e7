"""A library of texts, in which passages are looked up."""
from __future__ import annotations

import os
import threading
from ctypes import (POINTER, Structure, byref, c_char_p, c_size_t, c_uint32, c_uint64, c_void_p,
                    cast)
from types import TracebackType
from typing import NamedTuple

from ._library import call, library


class _Place(Structure):
    """trib_library_place of find.h."""
    _fields_ = ([(name, c_char_p) for name in ("id", "title", "author", "date", "file", "text",
                                          "reference")] +
                [(name, c_uint64) for name in ("start", "end", "line")] +
                [(name, c_uint32) for name in ("first", "n", "n_words", "n_equal", "family")])


class Place(NamedTuple):
    """A place in a text that holds words of a passage."""
    id: str
    title: str
    author: str
    date: str
    file: str
    text: str  #: words that are not in the passage stand in brackets
    reference: str  #: of the place, such as "3:7", or ""
    start: int  #: its bytes in the text as decoded: start to end - 1
    end: int
    line: int  #: of its first word, from 1
    first: int  #: the first word of the passage that it covers, from 0
    n: int  #: how many words of the passage it covers
    n_words: int  #: words of the text
    n_equal: int  #: those of them that the passage has there, too
    family: int  #: places of different texts that hold the same part of the passage


class Library:
    """A library that ``tributary index add FOLDER TEXT...`` has made.

    >>> with Library("letters") as letters:          # doctest: +SKIP
    ...     for place in letters.find("the light must be trimmed at dusk"):
    ...         print(place.title, place.n_equal)

    Raises DocumentError when there is no library, or it is damaged. Threads may share it. A copy,
    and a process that was forked, open it again.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._handle: c_void_p | None = None
        self._folder = os.path.abspath(os.fsdecode(folder))
        self._open()

    def _open(self) -> None:
        self._lock, self._process = threading.Lock(), os.getpid()
        self._handle = None
        handle = c_void_p()
        if "\0" in self._folder:
            raise ValueError("embedded null byte")
        call("trib_library_open", byref(handle), os.fsencode(self._folder))
        self._handle = handle

    def __reduce__(self) -> tuple[type[Library], tuple[str]]:
        if self._handle is None:
            raise ValueError("the library is closed")
        return Library, (self._folder,)

    def find(self, passage: str) -> list[Place]:
        """The places that hold words of the passage, those with most equal words first.

        Raises UsageError for a passage of less than 5 words.
        """
        text, found, n = passage.encode(), c_void_p(), c_size_t()
        if self._handle is not None and self._process != os.getpid():
            self._open()
        with self._lock:
            if self._handle is None:
                raise ValueError("the library is closed")
            call("trib_library_find", self._handle, text, len(text), byref(found), byref(n))
            rows = cast(found, POINTER(_Place))
            return [Place(*(value.decode() if isinstance(value, bytes) else value
                            for value in (getattr(rows[i], name) for name, *_ in _Place._fields_)))
                    for i in range(n.value)]

    def close(self) -> None:
        """Releases the library; may be called again."""
        if self._process != os.getpid():  # the handle is that of the process that forked
            self._handle = None
            return
        with self._lock:
            handle, self._handle = self._handle, None
            if handle is not None:
                library().trib_library_close(handle)

    def __enter__(self) -> Library:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            self.close()
