# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Lock-step of a core that is not Heddle's."""
import ctypes
from typing import Any, Iterable, List, Mapping, NamedTuple, Optional, Tuple, Union

from . import _library as c
from ._machine import Machine, Path, _options
from ._retired import Retired


class Launch(NamedTuple):
    """What a core has to know of a launch."""
    number: int
    kernel: str
    entry: int
    parameters: int
    stack: int
    grid: Tuple[int, int, int]
    block: Tuple[int, int, int]
    shared_bytes: int
    dynamic_shared_base: int


class Difference(NamedTuple):
    """The first difference, or the fault on which core and reference agree. Without a known thread,
    launch and what follows are None. n is 0 for a store that was lost."""
    text: str
    launch: Optional[int]
    block: Optional[int]
    warp: Optional[int]
    lane: Optional[int]
    pc: Optional[int]
    n: Optional[int]
    source: str
    steps: List[str]


class Lockstep(Machine):
    """The functional simulator in step with a core that tells what it does (docs/lockstep.md).

    Programs, buffers and launches are those of Machine; the kernels run on the core:

        with heddle.Lockstep("tiny") as m:
            m.load("k.elf")
            m.launch("add", grid=4, block=64, args=[...])
            for record in of_the_core:      # heddle.Retired, also of Retired.parsed(line)
                m.step(record)
            m.finish_launches({address: data})

    A record that can't be raises UsageError, a difference WrongResult: m.difference has more.

    threads_apart  threads of a warp may run in any order; only each thread's next PC is compared
    ordered        accesses of one SMX to one address are performed in the order of issue
    tells_drained  drained records tell the end of writes
    stale_loads    plain loads may hit a cache that is not coherent, until a fence
    """

    def __init__(self, configuration: Optional[Path] = None, *, text: Optional[str] = None,
                 settings: Optional[Mapping[str, Any]] = None, threads_apart: bool = False, ordered: bool = False,
                 tells_drained: bool = False, stale_loads: bool = False, **sections: Mapping[str, Any]) -> None:
        rules = c.sized(c.LockstepOptions)
        rules.threads_apart, rules.ordered = threads_apart, ordered
        rules.tells_drained, rules.stale_loads = tells_drained, stale_loads
        self._create(_options(configuration, text, settings, sections), rules)

    @property
    def launches(self) -> List[Launch]:
        """Launches that have not ended, oldest first."""
        count, found = ctypes.c_size_t(), []
        self._call("lockstep_launch_count", count)
        for index in range(count.value):
            one = c.sized(c.LockstepLaunch)
            self._call("lockstep_get_launch", index, one)
            found.append(Launch(one.launch, one.kernel.decode(), one.entry, one.parameters, one.stack,
                                tuple(one.grid), tuple(one.block), one.shared_bytes, one.dynamic_shared_base))
        return found

    def fetch(self, launch: int, address: int, count: int = 1) -> List[int]:
        """Words of memory as the launch finds it: code, parameters, data."""
        words = (ctypes.c_uint32 * count)()
        self._call("lockstep_fetch", launch, address, words, count)
        return list(words)

    def step(self, records: Union[Retired, Iterable[Retired]]) -> None:
        """The next record of the core, or the next ones."""
        for record in (records,) if isinstance(records, Retired) else records:
            self._call("lockstep_step", ctypes.byref(record), 1, None)

    def finish_launches(self, memory: Mapping[int, bytes] = {}) -> None:  # noqa: B006: it is only read
        """All launches have ended; `memory` is what the core's memory holds then, by address. Buffers
        can be read afterwards, and further launches made."""
        for address, data in memory.items():
            self._call("lockstep_memory", address, bytes(data), len(data))
        self._call("lockstep_finish")

    @property
    def difference(self) -> Optional[Difference]:
        """What was found; None if nothing."""
        one = c.sized(c.Difference)
        self._call("lockstep_difference", one)
        if one.status == 0:
            return None
        place = (one.launch, one.block, one.warp, one.lane, one.pc, one.n) if one.has_place else (None,) * 6
        return Difference(one.text.decode(), *place, one.source.decode(), one.steps.decode().splitlines())

    @property
    def coverage(self) -> str:
        """What the records so far have made the core do, as a table."""
        text = ctypes.c_char_p()
        self._call("lockstep_coverage", text)
        return (text.value or b"").decode()

    @property
    def counts(self) -> Mapping[str, int]:
        """instructions, loaded_values, racing_values, shared_races, late_writes so far."""
        one = c.sized(c.LockstepCounts)
        self._call("lockstep_get_counts", one)
        return {name: getattr(one, name) for name, _ in c.LockstepCounts._fields_[1:]}
