"""The installed program: where it is, and how it is called."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence

from ._errors import Error, of_exit


def roots() -> Iterator[Path]:
    """The folders that may hold bin/ and lib/: that of a wheel, the prefix of an installed package,
    or the sources.

    The package is PREFIX/lib/python3/dist-packages/tributary or SOURCES/bindings/python/tributary.
    """
    here = Path(__file__).resolve()
    yield here.parent / "bundle"
    for up in (3, 4):
        if len(here.parents) > up:
            yield here.parents[up]


def program() -> str:
    """The path of the program: that of the variable TRIBUTARY, else the one that was installed or
    built with this package, else the one on the PATH.

    Raises
    ------
    Error
        When there is none.
    """
    named = os.environ.get("TRIBUTARY")
    if named:
        return named
    for root in roots():
        for path in (root / "bin" / "tributary", root / "build" / "tributary"):
            if path.is_file():
                if root.name == "bundle" and not os.access(path, os.X_OK):
                    path.chmod(0o755)  # unpacked by a program that keeps no modes
                if os.access(path, os.X_OK):
                    return str(path)
    found = shutil.which("tributary")
    if not found:
        raise Error("the program tributary is not installed; a wheel has it inside, `make install` "
                    "installs it, and the variable TRIBUTARY can name it")
    return found


def same_version(what: str, path: str, version: str, variable: str) -> None:
    """Raises Error when the program or the library is of another version than this package."""
    from . import __version__
    if version != __version__:
        raise Error(f"the Python package is tributary {__version__}, and the {what} {path} is "
                    f"{version}; install the same version of both, or name another {what} by the "
                    f"variable {variable}")


@lru_cache(maxsize=None)
def _version_of(path: str) -> str:
    try:
        done = subprocess.run([path, "version", "--json"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
        return str(json.loads(done.stdout)["version"])
    except (OSError, ValueError, KeyError, subprocess.CalledProcessError) as failure:
        raise Error(f"{path} is no program tributary that runs here ({failure}); the variable "
                    "TRIBUTARY can name another") from None


def _program_of_this_version() -> str:
    path = program()
    same_version("program", path, _version_of(path), "TRIBUTARY")
    return path


def program_version() -> str:
    """The version of the program, such as '0.1.0'."""
    return _version_of(program())


def _messages(lines: Sequence[str]) -> str:
    """The errors among lines of the log, as one text."""
    texts = []
    for line in lines:
        try:
            entry = json.loads(line)
        except ValueError:
            texts.append(line)
            continue
        if entry.get("level") == "error":
            texts.append(entry["message"])
    return "\n".join(texts)


def call(arguments: Sequence[str]) -> str:
    """Runs a command of the program and returns its standard output; its failure is raised."""
    done = subprocess.run([_program_of_this_version(), "--progress", "json", *arguments],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        raise of_exit(done.returncode,
                      _messages(done.stderr.decode("utf-8", "replace").splitlines()))
    return done.stdout.decode("utf-8")


def call_with_progress(arguments: Sequence[str], hear: Callable[[Dict[str, Any]], None]) -> str:
    """Runs a command; `hear` receives every line of its log. An interrupt, or an exception of
    `hear`, stops the program as Ctrl-C does, so that it leaves what it can resume."""
    process = subprocess.Popen([_program_of_this_version(), "--progress", "json", *arguments],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, start_new_session=True)
    assert process.stdout and process.stderr
    lines: List[str] = []
    try:
        for raw in process.stderr:
            line = raw.decode("utf-8", "replace").rstrip("\n")
            try:
                entry = json.loads(line)
            except ValueError:
                entry = {"level": "error", "message": line}
            if entry.get("level") == "error":
                lines.append(line)
            hear(entry)
        output = process.stdout.read().decode("utf-8")
        status = process.wait()
    except BaseException:
        _stop(process)
        raise
    finally:
        process.stdout.close()
        process.stderr.close()
    if status:
        raise of_exit(status, _messages(lines) or f"tributary ended with status {status}")
    return output


def _stop(process: "subprocess.Popen[bytes]", patience: Optional[float] = 10) -> None:
    if process.poll() is None:
        process.terminate()
    try:
        process.communicate(timeout=patience)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def main() -> None:
    """The command ``tributary`` of a wheel: runs the program."""
    try:
        os.execv(program(), ["tributary", *sys.argv[1:]])
    except (Error, OSError) as failure:
        sys.exit(f"error: {failure}")
