# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Statistics and parameters of a machine, as mappings from names."""
import ctypes
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Iterator, Optional, Union

from . import _library as c
from ._errors import UsageError

Number = Union[int, float]


@dataclass(frozen=True)
class Statistic:
    """A statistic with all that is known about it."""
    name: str
    value: Optional[Number]  #: None: not measured in this run; of a distribution the mean
    unit: str
    description: str
    samples: Optional[int] = None  #: of a distribution
    minimum: Optional[int] = None
    maximum: Optional[int] = None


@dataclass(frozen=True)
class Parameter:
    """A parameter with all that is known about it."""
    key: str
    value: Union[bool, int, float, str]
    default: Union[bool, int, float, str]  #: without any configuration
    type: str  #: integer, real, boolean, text, choice
    legal: str  #: "an integer from 1 to 64"
    unit: str
    description: str
    source: str  #: "default", "--set", FILE:LINE:COLUMN


class _Table(Mapping):
    """What the library lists and finds by name."""
    _struct: Any
    _one = ""  # the functions are count, get and find of it

    def __init__(self, machine: Any) -> None:
        self._machine = machine

    def _made(self, found: Any) -> Any:
        raise NotImplementedError

    def _name(self, found: Any) -> str:
        raise NotImplementedError

    def __len__(self) -> int:
        count = ctypes.c_size_t()
        self._machine._call(f"{self._one}_count", count)
        return count.value

    def __iter__(self) -> Iterator[str]:
        for index in range(len(self)):
            found = c.sized(self._struct)
            self._machine._call(f"get_{self._one}", index, found)
            yield self._name(found)

    def __contains__(self, name: object) -> bool:
        try:
            self.describe(str(name))
        except KeyError:
            return False
        return True

    def describe(self, name: str) -> Any:
        """What is known about one: value, unit, description, and more. KeyError if there is none."""
        found = c.sized(self._struct)
        try:
            self._machine._call(f"find_{self._one}", c.encoded(name, "the name"), found)
        except UsageError as error:
            if self._machine.closed:
                raise
            raise KeyError(str(error)) from None
        return self._made(found)

    def __getitem__(self, name: str) -> Any:
        return self.describe(name).value


class Statistics(_Table):
    """Statistics of the run so far by name, as `heddle list statistics` and --stats have them.

    statistics["gpu.cycles"] is a number, None where nothing was measured, and the mean of a
    distribution. describe("gpu.cycles") is a Statistic, with unit and description.
    """
    _struct, _one = c.Statistic, "statistic"

    def _name(self, found: c.Statistic) -> str:
        return found.name.decode()

    def _made(self, found: c.Statistic) -> Statistic:
        facts = found.name.decode(), found.unit.decode(), found.description.decode()
        name, unit, description = facts
        value: Optional[Number] = None
        if found.measure == c.COUNT:
            value = found.count
        elif found.measure != c.UNMEASURED:
            value = found.value
        if found.measure != c.DISTRIBUTION:
            return Statistic(name, value, unit, description)
        return Statistic(name, value, unit, description, found.count, found.minimum, found.maximum)


class Parameters(_Table):
    """Parameters of the machine by key, as `heddle list parameters` has them.

    parameters["smx.scheduler"] is the value. describe("smx.scheduler") is a Parameter.
    """
    _struct, _one = c.Parameter, "parameter"

    def _name(self, found: c.Parameter) -> str:
        return found.key.decode()

    def _made(self, found: c.Parameter) -> Parameter:
        kind = found.type.decode()
        return Parameter(found.key.decode(), _typed(kind, found.value.decode()),
                         _typed(kind, found.default_value.decode()), kind, found.legal.decode(),
                         found.unit.decode(), found.description.decode(), found.source.decode())


def _typed(kind: str, text: str) -> Union[bool, int, float, str]:
    if kind == "integer":
        return int(text)
    if kind == "real":
        return float(text)
    return text == "true" if kind == "boolean" else text
