"""Failures of the program and of the library, in their own words."""
from __future__ import annotations

from typing import Dict, Type


class Error(Exception):
    """A failure of the program or of the library. `str(error)` is its message.

    Attributes
    ----------
    status : int
        The exit status of the program; ``tributary help exit`` lists them.
    """

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message)
        self.status = status


class UsageError(Error, ValueError):
    """A call that makes no sense, or an output directory that holds something else."""


class ConfigError(Error, ValueError):
    """A configuration or a setting is wrong; the message names the place and the remedy."""


class DocumentError(Error, ValueError):
    """A text is missing, unreadable, empty or undecodable, or holds too little."""


class LimitError(Error, MemoryError):
    """The memory limit (``resources_memory``) is reached."""


class Requeue(Error):
    """The time limit (``resources_time``) is over; the same call goes on with the run."""


class RunWarning(UserWarning):
    """A warning of the program about a run; `Run.warnings` has those of a finished run."""


# By the exit status of the program.
_BY_EXIT: Dict[int, Type[Error]] = {2: UsageError, 3: ConfigError, 4: DocumentError,
                                    6: LimitError, 75: Requeue}
# By trib_status of the library: the exit status of each, in the order of the enumeration.
_EXIT_OF_STATUS = (0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 75, 130, 143)


def of_exit(status: int, message: str) -> Error:
    """The exception for an exit status of the program."""
    return _BY_EXIT.get(status, Error)(message, status)


def of_status(status: int, message: str) -> Error:
    """The exception for a trib_status of the library."""
    return of_exit(_EXIT_OF_STATUS[status], message)
