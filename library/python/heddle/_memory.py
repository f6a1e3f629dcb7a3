# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Memory of the device, and values on their way to it."""
import array
import ctypes
import math
from typing import TYPE_CHECKING, Any, Optional, Tuple

from ._errors import UsageError

try:
    import numpy
except ImportError:
    numpy = None

if TYPE_CHECKING:
    from ._machine import Machine


class Local:
    """The argument for a __local pointer of OpenCL: how many bytes of shared memory it points to."""

    def __init__(self, nbytes: int) -> None:
        self.nbytes = nbytes


class Layout:
    """What the bytes of a buffer are: elements of a type, in a shape."""

    def __init__(self, dtype: Any, shape: Tuple[int, ...]) -> None:
        self.dtype, self.shape = dtype, shape

    @property
    def nbytes(self) -> int:
        size = self.dtype.itemsize if numpy else array.array(self.dtype).itemsize
        return size * math.prod(self.shape)

    def values(self, contents: bytearray) -> Any:
        """A NumPy array, or without NumPy an array of the module array."""
        if numpy:
            return numpy.frombuffer(contents, self.dtype).reshape(self.shape)
        result = array.array(self.dtype)
        result.frombytes(contents)
        return result


def layout_of(dtype: Any, shape: Any) -> Layout:
    """Of a type's name and a number of elements or a tuple of them."""
    shape = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    if numpy:
        return Layout(numpy.dtype(dtype), shape)
    try:
        array.array(dtype)
    except (TypeError, ValueError):
        raise UsageError(f"dtype {dtype!r}: without NumPy it is a type code of the module array, "
                         "as 'f' or 'i'") from None
    return Layout(dtype, shape)


def bytes_of(values: Any, dtype: Any) -> Tuple[bytes, Optional[Layout]]:
    """Values as bytes, and what they are; None for values that are bytes themselves."""
    if isinstance(values, (bytes, bytearray)):
        return bytes(values), None
    if numpy:
        found = numpy.ascontiguousarray(values if hasattr(values, "dtype") else values,
                                        dtype=dtype or _small(values))
        return found.tobytes(), Layout(found.dtype, found.shape)
    if isinstance(values, array.array):
        return values.tobytes(), Layout(values.typecode, (len(values),))
    values = list(values)
    dtype = dtype or ("f" if any(isinstance(value, float) for value in values) else "i")
    found = array.array(dtype, values)
    return found.tobytes(), Layout(dtype, (len(found),))


def _small(values: Any) -> Any:
    """What Python numbers become: kernels have 32 bits. None keeps the type of an array."""
    if hasattr(values, "dtype"):
        return None
    kind = numpy.asarray(values).dtype.kind
    return {"f": numpy.float32, "i": numpy.int32}.get(kind)


class Buffer:
    """Memory of the device. Made by Machine.array() and Machine.zeros(); an argument of a launch.

    address  where it is on the device
    nbytes   how many bytes it has
    """

    def __init__(self, machine: "Machine", address: int, layout: Optional[Layout], nbytes: int) -> None:
        self._machine, self._layout = machine, layout
        self.address, self.nbytes = address, nbytes

    def __repr__(self) -> str:
        return f"<heddle.Buffer of {self.nbytes} bytes at {self.address:#x}>"

    def read(self) -> Any:
        """Waits for all launches so far, and returns the values: a NumPy array of the shape and type
        that the buffer was made with. Without NumPy an array of the module array; of a buffer that
        was made from bytes, bytes."""
        contents = bytearray(self.nbytes)
        if contents:
            place = (ctypes.c_char * self.nbytes).from_buffer(contents)
            self._machine._call("read", place, self.address, self.nbytes)
            del place
        return bytes(contents) if self._layout is None else self._layout.values(contents)

    def write(self, values: Any) -> None:
        """Waits for all launches so far, and puts values into the buffer, from its start on."""
        dtype = self._layout.dtype if self._layout else None
        contents, _ = bytes_of(values, dtype)
        if len(contents) > self.nbytes:
            raise UsageError(f"write of {len(contents)} bytes to a buffer of {self.nbytes}")
        self._machine._call("write", self.address, contents, len(contents))

    def fill(self, value: int) -> None:
        """Waits for all launches so far, and gives every byte a value from 0 to 255."""
        if not 0 <= value <= 255:
            raise UsageError(f"fill with {value}: a byte is 0 to 255")
        self._machine._call("fill", self.address, value, self.nbytes)

    def release(self) -> None:
        """Gives the memory back, behind the launches so far."""
        self._machine._call("release", self.address)
