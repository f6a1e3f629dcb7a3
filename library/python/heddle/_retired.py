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


def _packed_bits(field: c.Field, lanes: int) -> int:
    if field.is_mask:
        return lanes
    return 8 * field.bytes * (1 if field.count == 1 else lanes)


_FOUND = _fields()
_PACKED_WORDS = sum(_packed_bits(one, one.count if one.count > 1 else 64) for one in _FOUND) // 32 + 1


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

    @property
    def line(self) -> str:
        """The record as NAME=HEXADECIMAL, as heddle_retire.sv writes it in a simulator."""
        line = ctypes.create_string_buffer(_TEXT_BYTES)
        c.check(c.library.heddle_retired_line(ctypes.addressof(self), line, _TEXT_BYTES))
        return line.value.decode()

    @property
    def packed(self) -> int:
        """The record in bits, as heddle_retire.svh has it for warps of warp_size lanes."""
        words = (ctypes.c_uint32 * _PACKED_WORDS)()
        c.check(c.library.heddle_pack_retired(ctypes.addressof(self), words, _PACKED_WORDS))
        return int.from_bytes(words, "little")

    @classmethod
    def empty(cls) -> "Retired":
        """A record in which everything is 0."""
        record = cls()
        record.size = ctypes.sizeof(cls)
        return record

    @classmethod
    def parsed(cls, line: str) -> "Retired":
        """The record of such a line."""
        record = cls.empty()
        c.check(c.library.heddle_parse_retired(c.encoded(line, "the line"), ctypes.addressof(record)))
        return record

    @classmethod
    def unpacked(cls, lanes: int, bits: int, words: int = 0) -> "Retired":
        """The record of such bits. A vector has `words` words of 32 bits; 0: as many as it needs."""
        count = words or -(-cls.packed_bits(lanes) // 32)
        record, vector = cls.empty(), (ctypes.c_uint32 * count).from_buffer_copy(bits.to_bytes(4 * count, "little"))
        c.check(c.library.heddle_unpack_retired(lanes, vector, count, ctypes.addressof(record)))
        return record

    @staticmethod
    def packed_bits(lanes: int) -> int:
        """How many bits a record has for warps of `lanes` lanes."""
        return sum(_packed_bits(one, lanes) for one in _FOUND)

    def __repr__(self) -> str:
        return f"<heddle.Retired {self.text!r}>"


Retired.__doc__ = ("What an instruction of a warp did. Given by Machine.retired().\n\n" +
                   "\n".join(f"{one.name.decode():12}{one.meaning.decode()}" for one in _FOUND) +
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
