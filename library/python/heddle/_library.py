# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""libheddle.so and its functions, as heddle.h declares them."""
import ctypes
import os
import pathlib
from ctypes import (POINTER, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint, c_uint8, c_uint32, c_uint64,
                    c_void_p)

from ._errors import UsageError, error_of

NAME = "libheddle.so.0"


def _file() -> str:
    """The library of HEDDLE_LIBRARY, else the one that is installed with this package."""
    named = os.environ.get("HEDDLE_LIBRARY")
    if named:
        return named
    for folder in pathlib.Path(__file__).resolve().parents:
        for place in (folder / NAME, *folder.glob(f"*-linux-gnu/{NAME}")):
            if place.exists():
                return str(place)
    return NAME


class Options(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("configuration", c_char_p), ("text", c_char_p),
                ("settings", POINTER(c_char_p)), ("setting_count", c_size_t), ("seed", c_uint64),
                ("max_cycles", c_uint64), ("functional", c_int), ("check", c_int), ("threads", c_uint)]


class Parameter(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("key", c_char_p), ("value", c_char_p), ("default_value", c_char_p),
                ("type", c_char_p), ("legal", c_char_p), ("unit", c_char_p), ("description", c_char_p),
                ("source", c_char_p)]


class Kernel(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("parameter_count", c_size_t),
                ("registers", c_uint32), ("shared_bytes", c_uint32), ("block", c_uint32 * 3)]


class KernelParameter(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("type", c_char_p), ("kind", c_int32),
                ("bytes", c_uint32), ("is_signed", c_int)]


class ArgumentValue(ctypes.Union):
    _fields_ = [("integer", c_int64), ("natural", c_uint64), ("floating", c_double),
                ("pointer", c_uint32), ("data", c_void_p)]


class Argument(ctypes.Structure):
    _fields_ = [("kind", c_int32), ("bytes", c_uint32), ("value", ArgumentValue)]


class Shape(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("grid", c_uint32 * 3), ("block", c_uint32 * 3),
                ("shared_bytes", c_uint32), ("stream", c_uint32), ("priority", c_uint32),
                ("cooperative", c_int)]


class Statistic(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("unit", c_char_p), ("description", c_char_p),
                ("measure", c_int32), ("value", c_double), ("count", c_uint64), ("minimum", c_uint64),
                ("maximum", c_uint64)]


class Field(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("meaning", c_char_p), ("offset", c_uint32),
                ("bytes", c_uint32), ("count", c_uint32), ("is_mask", c_int)]


class LockstepOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("threads_apart", c_int), ("ordered", c_int), ("tells_drained", c_int),
                ("stale_loads", c_int)]


class LockstepLaunch(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("launch", c_uint32), ("kernel", c_char_p), ("entry", c_uint32),
                ("parameters", c_uint32), ("stack", c_uint32), ("grid", c_uint32 * 3), ("block", c_uint32 * 3),
                ("shared_bytes", c_uint32), ("dynamic_shared_base", c_uint32)]


class Difference(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("status", c_int32), ("text", c_char_p), ("has_place", c_int),
                ("launch", c_uint32), ("block", c_uint32), ("warp", c_uint32), ("lane", c_uint32),
                ("pc", c_uint32), ("n", c_uint64), ("source", c_char_p), ("steps", c_char_p)]


class LockstepCounts(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("instructions", c_uint64), ("loaded_values", c_uint64),
                ("racing_values", c_uint64), ("shared_races", c_uint64), ("late_writes", c_uint64)]


class LaunchTimes(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("queued", c_uint64), ("first_dispatch", c_uint64), ("end", c_uint64)]


INTEGER, UNSIGNED, FLOATING, POINTER_KIND, STRUCT, LOCAL_POINTER = range(6)
UNMEASURED, COUNT, REAL, DISTRIBUTION = range(4)
Poll = ctypes.CFUNCTYPE(c_int, c_void_p)

_machine, _text, _out_32, _out_size = c_void_p, c_char_p, POINTER(c_uint32), POINTER(c_size_t)
# Arguments of the functions that return a status.
_CALLS = {
    "create": [POINTER(Options), POINTER(c_void_p)],
    "close": [_machine],
    "parameter_count": [_machine, _out_size],
    "get_parameter": [_machine, c_size_t, POINTER(Parameter)],
    "find_parameter": [_machine, _text, POINTER(Parameter)],
    "attach_waveform": [_machine, _text],
    "attach_timeline": [_machine, _text],
    "attach_retire": [_machine, _text],
    "trace_scope": [_machine, _text],
    "trace_cycles": [_machine, _text],
    "retire_scope": [_machine, _text],
    "load": [_machine, _text],
    "unload": [_machine, _text],
    "diagnostics": [_machine, POINTER(c_char_p)],
    "kernel_count": [_machine, _out_size],
    "get_kernel": [_machine, c_size_t, POINTER(Kernel)],
    "get_kernel_program": [_machine, c_size_t, POINTER(c_char_p)],
    "find_kernel": [_machine, _text, POINTER(Kernel)],
    "get_kernel_parameter": [_machine, _text, c_size_t, POINTER(KernelParameter)],
    "allocate": [_machine, c_uint64, _text, _out_32],
    "release": [_machine, c_uint32],
    "write": [_machine, c_uint32, c_void_p, c_size_t],
    "read": [_machine, c_void_p, c_uint32, c_size_t],
    "fill": [_machine, c_uint32, c_uint8, c_size_t],
    "find_variable": [_machine, _text, _out_32, _out_32],
    "launch": [_machine, _text, POINTER(Shape), POINTER(Argument), c_size_t],
    "times": [_machine, c_uint32, POINTER(LaunchTimes)],
    "create_stream": [_machine, _out_32],
    "record": [_machine, c_uint32, _out_32],
    "event_done": [_machine, c_uint32, POINTER(c_int)],
    "wait": [_machine, c_uint32],
    "run_until": [_machine, c_uint64, POINTER(c_uint64)],
    "synchronize": [_machine],
    "finish": [_machine],
    "cycle": [_machine, POINTER(c_uint64)],
    "set_poll": [_machine, Poll, c_void_p],
    "keep_retired": [_machine],
    "next_retired": [_machine, c_void_p, c_size_t, _out_size],
    "retired_text": [c_void_p, c_char_p, c_size_t],
    "retired_line": [c_void_p, c_char_p, c_size_t],
    "parse_retired": [_text, c_void_p],
    "pack_retired": [c_void_p, c_void_p, c_size_t],
    "unpack_retired": [c_uint32, c_void_p, c_size_t, c_void_p],
    "keep_retired_parts": [_machine],
    "lockstep_create": [POINTER(Options), POINTER(LockstepOptions), POINTER(c_void_p)],
    "lockstep_launch_count": [_machine, _out_size],
    "lockstep_get_launch": [_machine, c_size_t, POINTER(LockstepLaunch)],
    "lockstep_fetch": [_machine, c_uint32, c_uint32, _out_32, c_size_t],
    "lockstep_step": [_machine, c_void_p, c_size_t, _out_size],
    "lockstep_packed": [_machine, c_uint32, c_void_p, c_size_t],
    "lockstep_memory": [_machine, c_uint32, c_void_p, c_size_t],
    "lockstep_finish": [_machine],
    "lockstep_difference": [_machine, POINTER(Difference)],
    "lockstep_coverage": [_machine, POINTER(c_char_p)],
    "lockstep_get_counts": [_machine, POINTER(LockstepCounts)],
    "get_retired_field": [c_size_t, POINTER(Field)],
    "statistic_count": [_machine, _out_size],
    "get_statistic": [_machine, c_size_t, POINTER(Statistic)],
    "find_statistic": [_machine, _text, POINTER(Statistic)],
    "write_statistics": [_machine, _text],
}

try:
    library = ctypes.CDLL(_file())
except OSError as error:
    raise ImportError(f"cannot load {_file()}: {error}; HEDDLE_LIBRARY names another file") from error
for _name, _arguments in _CALLS.items():
    _function = getattr(library, f"heddle_{_name}")
    _function.argtypes, _function.restype = _arguments, c_int
library.heddle_version.restype = c_char_p
library.heddle_error_text.argtypes, library.heddle_error_text.restype = [c_void_p], c_char_p
library.heddle_retired_columns.restype = c_char_p
library.heddle_interrupt.restype = None
VERSION = library.heddle_version().decode()


def sized(kind):
    """A struct that says its size."""
    return kind(ctypes.sizeof(kind))


def encoded(text, what: str) -> bytes:
    """Text or a path as the library takes it."""
    result = os.fsencode(text)
    if b"\0" in result:
        raise UsageError(f"{what} contains a null character")
    return result


def check(status: int, machine=None) -> None:
    """Raises the error of a call."""
    if status:
        text = library.heddle_error_text(machine) or library.heddle_error_text(None)
        raise error_of(status, text.decode(errors="replace"))
