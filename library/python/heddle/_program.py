# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Kernels of the program, and arguments of their launches."""
import ctypes
import operator
from dataclasses import dataclass
from typing import Any, Optional, Tuple

from . import _library as c
from ._errors import UsageError
from ._memory import Buffer, Local

KINDS = ("integer", "integer", "floating", "pointer", "struct", "local pointer")


@dataclass(frozen=True)
class KernelParameter:
    """A parameter of a kernel."""
    name: str
    type: str  #: as in the source, "const float *"
    kind: str  #: integer, floating, pointer, struct, local pointer
    nbytes: int
    signed: bool


@dataclass(frozen=True)
class Kernel:
    """A kernel of the program."""
    name: str
    parameters: Tuple[KernelParameter, ...]
    registers: int  #: of a thread
    shared_bytes: int  #: of a block, without what a launch adds
    block: Optional[Tuple[int, int, int]]  #: the only block that it may be launched with; None: any


def kernel_of(call: Any, found: c.Kernel, name: bytes) -> Kernel:
    """What the library says about a kernel, for which `name` is unique; `call` calls it."""
    parameters = []
    for index in range(found.parameter_count):
        one = c.sized(c.KernelParameter)
        call("get_kernel_parameter", name, index, one)
        parameters.append(KernelParameter(one.name.decode(), one.type.decode(), KINDS[one.kind], one.bytes,
                                          bool(one.is_signed)))
    block = tuple(found.block)
    return Kernel(found.name.decode(), tuple(parameters), found.registers, found.shared_bytes,
                  block if any(block) else None)


def argument_of(value: Any, index: int, kept: list) -> c.Argument:
    """A value as the library takes it; `kept` keeps its bytes."""
    if isinstance(value, Buffer):
        return c.Argument(c.POINTER_KIND, 0, c.ArgumentValue(pointer=value.address))
    if isinstance(value, Local):
        return c.Argument(c.LOCAL_POINTER, _natural(value.nbytes, "Local"), c.ArgumentValue())
    if isinstance(value, (bytes, bytearray)):
        contents = ctypes.create_string_buffer(bytes(value), max(len(value), 1))
        kept.append(contents)
        data = ctypes.cast(contents, ctypes.c_void_p).value
        return c.Argument(c.STRUCT, len(value), c.ArgumentValue(data=data))
    try:
        number = operator.index(value)
    except TypeError:
        return c.Argument(c.FLOATING, 0, c.ArgumentValue(floating=_real(value, index)))
    if -2**63 <= number < 2**63:
        return c.Argument(c.INTEGER, 0, c.ArgumentValue(integer=number))
    if 0 <= number < 2**64:
        return c.Argument(c.UNSIGNED, 0, c.ArgumentValue(natural=number))
    raise UsageError(f"argument {index}: {number} has more than 64 bits")


def _real(value: Any, index: int) -> float:
    if getattr(value, "shape", ()) == () and hasattr(value, "__float__"):
        return float(value)
    raise UsageError(
        f"argument {index} is of type {type(value).__name__}; legal: a number, a Buffer (Machine.array() copies "
        "values to the device), the bytes of a struct, Local")


def _natural(value: Any, what: str, limit: int = 2**32) -> int:
    number = operator.index(value)
    if 0 <= number < limit:
        return number
    raise UsageError(f"{what}: {number} is out of range; legal: 0 to {limit - 1}")


def size_of(value: Any, what: str) -> Tuple[int, int, int]:
    """A number, or up to three, as the library takes grids and blocks."""
    numbers = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    if not 1 <= len(numbers) <= 3:
        raise UsageError(f"{what} {value!r}: expected a number, or up to three")
    return tuple(_natural(number, what) for number in numbers) + (1,) * (3 - len(numbers))
