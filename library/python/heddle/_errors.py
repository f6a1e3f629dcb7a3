# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Exceptions: one for each status of the C interface."""


class Error(Exception):
    """Something went wrong; the text says who complains, what was found, and what would be legal."""


class UsageError(Error, ValueError):
    """An argument, the order of calls, a configuration or a file is unusable.

    The machine is as it was before the call.
    """


class KernelFault(Error):
    """A kernel did something illegal: the text names kernel, block, thread, PC, source line."""


class NoProgress(Error):
    """Nothing moves any more, or the run has reached max_cycles."""


class WrongResult(Error):
    """The model violates an invariant of its own, or a check found a difference."""


class Interrupted(Error):
    """The run was interrupted; results are partial."""


class LibraryError(Error):
    """Out of memory, or a fault of the library itself."""


OF_STATUS = {1: WrongResult, 2: UsageError, 3: KernelFault, 4: NoProgress, 5: Interrupted}


def error_of(status: int, text: str) -> Error:
    """The exception of a status that is not HEDDLE_OK."""
    return OF_STATUS.get(status, LibraryError)(text)
