"""libtributary through ctypes: where it is, and the functions of arrays.h and find.h.

A call releases Python's global lock while it lasts, so other threads go on.
"""
from __future__ import annotations

import ctypes
import os
import sys
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_bool, c_char, c_char_p, c_double,
                    c_int, c_size_t, c_uint32, c_uint64, c_void_p)
from functools import lru_cache
from pathlib import Path
from typing import Any, Iterator

from ._errors import Error, of_status
from ._program import program, roots, same_version

SONAME = "libtributary.0.dylib" if sys.platform == "darwin" else "libtributary.so.0"


class LibraryError(Structure):
    """trib_error of base.h."""
    _fields_ = [("status", c_int), ("message", c_char * 2048)]


Tick = CFUNCTYPE(c_bool, c_void_p, c_double, c_double)


class Progress(Structure):
    """trib_progress of base.h."""
    _fields_ = [("tick", Tick), ("context", c_void_p)]


_E = POINTER(LibraryError)
# name: (result, arguments); see arrays.h and base.h.
_FUNCTIONS = {
    "trib_version": (c_char_p, []),
    "trib_array_open": (c_int, [POINTER(c_void_p), c_uint32, c_void_p, c_size_t, c_void_p,
                                c_void_p, _E]),
    "trib_array_load": (c_int, [POINTER(c_void_p), c_char_p, _E]),
    "trib_array_save": (c_int, [c_void_p, c_char_p, _E]),
    "trib_array_close": (None, [c_void_p]),
    "trib_array_n_modes": (c_uint32, [c_void_p]),
    "trib_array_dim": (c_uint32, [c_void_p, c_uint32]),
    "trib_array_nnz": (c_uint64, [c_void_p]),
    "trib_array_has_counts": (c_bool, [c_void_p]),
    "trib_array_add": (c_int, [c_void_p, c_size_t, c_void_p, c_void_p, _E]),
    "trib_array_get": (None, [c_void_p, c_size_t, c_void_p, c_void_p]),
    "trib_array_entries": (None, [c_void_p, c_size_t, c_size_t, c_void_p, c_void_p]),
    "trib_array_build": (c_int, [c_void_p, c_char_p, c_int, _E]),
    "trib_array_mttkrp": (c_int, [c_void_p, c_uint32, c_uint32, c_void_p, c_void_p, _E]),
    "trib_array_set": (c_int, [c_void_p, c_size_t, c_void_p, c_void_p, _E]),
    "trib_array_cp": (c_int, [c_void_p, POINTER(c_char_p), c_void_p, POINTER(Progress),
                              POINTER(c_void_p), _E]),
    "trib_factorisation_open": (c_int, [POINTER(c_void_p), c_uint32, c_void_p, c_uint32, c_void_p,
                                        POINTER(c_void_p), c_double, c_bool, POINTER(c_char_p),
                                        _E]),
    "trib_factorisation_is_single": (c_bool, [c_void_p]),
    "trib_factorisation_load": (c_int, [POINTER(c_void_p), c_char_p, _E]),
    "trib_factorisation_save": (c_int, [c_void_p, c_char_p, _E]),
    "trib_factorisation_close": (None, [c_void_p]),
    "trib_factorisation_n_modes": (c_uint32, [c_void_p]),
    "trib_factorisation_rank": (c_uint32, [c_void_p]),
    "trib_factorisation_dim": (c_uint32, [c_void_p, c_uint32]),
    "trib_factorisation_lambda": (c_void_p, [c_void_p]),
    "trib_factorisation_factor": (c_void_p, [c_void_p, c_uint32]),
    "trib_factorisation_fit": (c_double, [c_void_p]),
    "trib_factorisation_iterations": (c_uint32, [c_void_p]),
    "trib_factorisation_stop": (c_char_p, [c_void_p]),
    "trib_factorisation_word": (c_char_p, [c_void_p, c_uint32]),
    "trib_library_open": (c_int, [POINTER(c_void_p), c_char_p, _E]),
    "trib_library_close": (None, [c_void_p]),
    "trib_library_find": (c_int, [c_void_p, c_char_p, c_size_t, POINTER(c_void_p),
                                  POINTER(c_size_t), _E]),
}


def _candidates() -> Iterator[str]:
    named = os.environ.get("TRIBUTARY_LIBRARY")
    if named:
        yield named
        return
    for root in roots():
        yield str(root / "lib" / SONAME)
        yield str(root / "build" / SONAME)
    try:
        yield str(Path(program()).resolve().parent.parent / "lib" / SONAME)
    except Error:
        pass
    yield SONAME


@lru_cache(maxsize=None)
def library() -> Any:
    """The loaded library. Raises Error with what was tried when there is none of this version."""
    tried = []
    for path in _candidates():
        if os.sep in path and not os.path.exists(path):
            tried.append(path)
            continue
        try:
            found = ctypes.CDLL(path)
            break
        except OSError as failure:
            tried.append(str(failure))
    else:
        raise Error("libtributary is not installed; a wheel has it inside, `make install` installs "
                    "it, and the variable TRIBUTARY_LIBRARY can name it. Tried: " +
                    "; ".join(tried))
    if not hasattr(found, "trib_version"):
        raise Error(f"{path} is no libtributary; TRIBUTARY_LIBRARY can name another")
    found.trib_version.restype = c_char_p
    same_version("library", path, found.trib_version().decode(), "TRIBUTARY_LIBRARY")
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(found, name, None)
        if function is None:
            raise Error(f"the library {path} has no function {name}; it was built from other "
                        "sources than this package: install both from the same")
        function.restype, function.argtypes = result, arguments
    return found


def check(status: int, error: LibraryError) -> None:
    """Raises the exception of a failed call."""
    if status:
        raise of_status(status, error.message.decode("utf-8", "replace"))


def call(name: str, *arguments: Any) -> None:
    """Calls a function that takes a trib_error last, and raises its failure."""
    error = LibraryError()
    check(getattr(library(), name)(*arguments, byref(error)), error)
