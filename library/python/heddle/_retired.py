# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""What instructions did, as the library defines the record."""
import ctypes
import itertools
from typing import Any, Iterator, List

from . import _library as c

_TEXT_BYTES = 4096  # far above a line of 64 lanes


def _fields() -> List[c.Field]:
    found = []
    for index in itertools.count():
        one = c.sized(c.Field)
        if c.library.heddle_get_retired_field(index, one):
            return found
        found.append(one)


def _member(field: c.Field) -> Any:
    number = ctypes.c_uint64 if field.bytes == 8 else ctypes.c_uint32
    return field.name.decode(), number if field.count == 1 else number * field.count


_FOUND = _fields()


class Retired(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), *map(_member, _FOUND)]

    @property
    def active(self) -> List[int]:
        """The active lanes, from the lowest up."""
        return [lane for lane in range(self.warp_size) if self.lanes >> lane & 1]

    @property
    def text(self) -> str:
        """The record as a line of the file of Machine(retire=...), without its end."""
        line = ctypes.create_string_buffer(_TEXT_BYTES)
        c.check(c.library.heddle_retired_text(ctypes.addressof(self), line, _TEXT_BYTES))
        return line.value.decode().rstrip("\n")

    def __repr__(self) -> str:
        return f"<heddle.Retired {self.text!r}>"


Retired.__doc__ = ("What an instruction of a warp did. Given by Machine.retired().\n\n" +
                   "\n".join(f"{one.name.decode():9}{one.meaning.decode()}" for one in _FOUND) +
                   "\n\nvalue, address, data and compare have an element for each lane.")
assert all(getattr(Retired, one.name.decode()).offset == one.offset for one in _FOUND)


def retired_of(call: Any, most: int) -> Iterator[Any]:
    """Arrays of up to `most` records, until nothing is left to run."""
    while True:
        records, count = (Retired * most)(), ctypes.c_size_t()
        records[0].size = ctypes.sizeof(Retired)
        call("next_retired", records, most, count)
        if count.value == 0:
            return
        yield records, count.value
