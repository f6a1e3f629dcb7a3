# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""The machine."""
import contextlib
import ctypes
import os
import signal
import threading
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from . import _library as c
from ._errors import UsageError
from ._memory import Buffer, Layout, bytes_of, layout_of
from ._program import Kernel, _natural, argument_of, kernel_of, size_of
from ._retired import Retired, retired_of
from ._tables import Parameters, Statistics

Path = Union[str, "os.PathLike[str]"]
Size = Union[int, Sequence[int]]
# Called while a call waits: Python then runs the handler of a Ctrl-C.
_LOOK = c.Poll(lambda _: 0)


class Event:
    """Work that was enqueued in a stream up to some point. Made by Machine.record()."""

    def __init__(self, machine: "Machine", number: int) -> None:
        self._machine, self._number = machine, number

    @property
    def done(self) -> bool:
        """Whether that work has ended. Takes no time."""
        done = ctypes.c_int()
        self._machine._call("event_done", self._number, done)
        return bool(done.value)

    def wait(self) -> None:
        """Lets launches run until that work has ended. Other streams go on."""
        self._machine._call("wait", self._number)


@dataclass(frozen=True)
class Times:
    """When what became of a launch, in core cycles. None: not yet, or the machine has no time."""
    queued: Optional[int]
    first_dispatch: Optional[int]  #: of a thread block to an SMX
    end: Optional[int]


class Launched:
    """A launch. Made by Machine.launch()."""

    def __init__(self, machine: "Machine", number: int) -> None:
        self._machine, self.number = machine, number

    @property
    def times(self) -> Times:
        """As far as known. Takes no time."""
        found = c.sized(c.LaunchTimes)
        self._machine._call("times", self.number, found)
        known = (None if value == 2**64 - 1 else value for value in (found.queued, found.first_dispatch, found.end))
        return Times(*known)


class Machine:
    """A GPU: from a configuration, with a program, buffers, launches, statistics.

    configuration  NAME or FILE.toml, as of `heddle run --config`; None: the default machine
    text           TOML in its place
    settings       parameters by key, {"smx.scheduler": "gto"}, as of --set
    **sections     the same by section: smx={"scheduler": "gto"}
    functional     the functional simulator, which has no time
    check          the functional simulator in step, as of --check
    seed           of all that is random
    max_cycles     where the run ends with NoProgress; 0: no limit
    threads        of this computer that share the run, as of --threads

    Files that a timed machine writes; they appear whole when the run ends:

    waveform       VCD, or FST if the name ends in .fst
    timeline       Chrome/Perfetto JSON
    retire         what each instruction did
    trace_scopes   blocks of the waveform and the timeline, as of --trace-scope
    trace_cycles   FROM:TO, as of --trace-cycles
    retire_scopes  warps of the retire file, as of --retire-scope
    keep_retired   what each instruction did is kept for retired(), of these warps; "parts": as it
                   happens, for Lockstep.step()

    Use it with `with`, or call close(). Only one timed machine can be open in a process.
    """

    def __init__(self, configuration: Optional[Path] = None, *, text: Optional[str] = None,
                 settings: Optional[Mapping[str, Any]] = None, functional: bool = False, check: bool = False,
                 seed: int = 1, max_cycles: int = 0, threads: int = 1, waveform: Optional[Path] = None,
                 timeline: Optional[Path] = None, retire: Optional[Path] = None,
                 trace_scopes: Sequence[str] = (), trace_cycles: Optional[str] = None,
                 retire_scopes: Sequence[str] = (), keep_retired: Union[bool, str] = False,
                 **sections: Mapping[str, Any]) -> None:
        self._create(_options(configuration, text, settings, sections, seed=seed, max_cycles=max_cycles,
                              threads=threads, functional=functional, check=check))
        try:
            self._attach(waveform=waveform, timeline=timeline, retire=retire)
            if keep_retired:
                self._call("keep_retired_parts" if keep_retired == "parts" else "keep_retired")
            for function, scopes in (("trace_scope", trace_scopes), ("retire_scope", retire_scopes)):
                for scope in (scopes,) if isinstance(scopes, str) else scopes:
                    self._call(function, c.encoded(scope, "a scope"))
            if trace_cycles is not None:
                self._call("trace_cycles", c.encoded(trace_cycles, "trace_cycles"))
        except BaseException:
            self.close()
            raise

    def _create(self, options: c.Options, *more: Any) -> None:
        self._handle: Optional[int] = None
        self._launches = 0
        handle = ctypes.c_void_p()
        c.check(getattr(c.library, "heddle_lockstep_create" if more else "heddle_create")(options, *more, handle))
        self._handle = handle.value
        self._call("set_poll", _LOOK, None)

    def _attach(self, **files: Optional[Path]) -> None:
        for what, file in files.items():
            if file is not None:
                self._call(f"attach_{what}", c.encoded(file, what))

    def __enter__(self) -> "Machine":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()

    def _call(self, function: str, *arguments: Any) -> None:
        if self._handle is None:
            raise UsageError("the machine is closed")
        with _interruptible():
            status = getattr(c.library, f"heddle_{function}")(self._handle, *arguments)
        c.check(status, self._handle)

    # Program and memory

    def load(self, file: Path) -> None:
        """Loads the program: an ELF file of `heddle compile`, or a source file, which is compiled
        first. A machine takes any number of programs."""
        self._call("load", c.encoded(file, "the file"))

    def unload(self, file: Path) -> None:
        """Takes a program out again, of which no launch may be under way."""
        self._call("unload", c.encoded(file, "the file"))

    @property
    def diagnostics(self) -> str:
        """What the compiler had to say about the source file; "" if nothing."""
        text = ctypes.c_char_p()
        self._call("diagnostics", text)
        return (text.value or b"").decode(errors="replace")

    @property
    def kernels(self) -> Dict[str, Kernel]:
        """The kernels of the programs by name; by "FILE:NAME" where several programs have one of
        that name."""
        count = ctypes.c_size_t()
        self._call("kernel_count", count)
        found = []
        for index in range(count.value):
            one, program = c.sized(c.Kernel), ctypes.c_char_p()
            self._call("get_kernel", index, one)
            self._call("get_kernel_program", index, program)
            found.append((one, program.value or b""))
        names = [one.name for one, _ in found]
        kernels = {}
        for one, program in found:
            name = one.name if names.count(one.name) == 1 else program + b":" + one.name
            kernels[name.decode()] = kernel_of(self._call, one, name)
        return kernels

    def array(self, values: Any, dtype: Any = None, name: str = "buffer") -> Buffer:
        """Device memory with these values: a NumPy array, a list, an array of the module array, or
        bytes. Of a list, floats become 32 bits wide, and so do integers; dtype says another type.
        The name appears in messages about faults."""
        contents, layout = bytes_of(values, dtype)
        buffer = self._allocate(len(contents), layout, name)
        if contents:
            self._call("write", buffer.address, contents, len(contents))
        return buffer

    def zeros(self, shape: Size, dtype: Any = "f", name: str = "buffer") -> Buffer:
        """Device memory for so many elements, or for an array of this shape, filled with zeros.
        dtype is what NumPy takes; without NumPy it is a type code of the module array."""
        layout = layout_of(dtype, shape)
        return self._allocate(layout.nbytes, layout, name)

    def _allocate(self, nbytes: int, layout: Optional[Layout], name: str) -> Buffer:
        address = ctypes.c_uint32()
        self._call("allocate", _natural(nbytes, "bytes", 2**64), c.encoded(name, "the name"), address)
        return Buffer(self, address.value, layout, nbytes)

    def variable(self, name: str, dtype: Any = None) -> Buffer:
        """A global variable of the program, as a buffer that can't be released: of bytes, or of
        elements of dtype. Of C++ in a namespace it has its mangled name."""
        address, nbytes = ctypes.c_uint32(), ctypes.c_uint32()
        self._call("find_variable", c.encoded(name, "the name"), address, nbytes)
        layout = None
        if dtype is not None:
            layout = layout_of(dtype, nbytes.value // layout_of(dtype, 1).nbytes)
        return Buffer(self, address.value, layout, nbytes.value)

    # Launches

    def launch(self, kernel: str, grid: Size, block: Size, args: Sequence[Any] = (), *,
               shared_bytes: int = 0, stream: int = 0, priority: int = 0, cooperative: bool = False) -> Launched:
        """Enqueues a launch; it runs in calls that wait, as synchronize() and Buffer.read(). What it
        returns tells the launch's times.

        grid, block   blocks, and threads of a block: a number, or up to three
        args          numbers, buffers, bytes of a struct, Local; checked against the parameters
        shared_bytes  of a block, beside what the kernel has
        stream        0, or of stream(); launches of one stream run in order
        priority      of launches that wait for room the highest goes first
        cooperative   blocks may be ended and started while it runs
        """
        shape = c.sized(c.Shape)
        shape.grid[:], shape.block[:] = size_of(grid, "grid"), size_of(block, "block")
        shape.shared_bytes = _natural(shared_bytes, "shared_bytes")
        shape.stream, shape.priority = _natural(stream, "stream"), _natural(priority, "priority")
        shape.cooperative = cooperative
        kept: List[Any] = []
        packed = [argument_of(value, index, kept) for index, value in enumerate(args)]
        self._call("launch", c.encoded(kernel, "the kernel"), shape, (c.Argument * len(packed))(*packed),
                   len(packed))
        self._launches += 1
        return Launched(self, self._launches - 1)

    def stream(self) -> int:
        """A new stream."""
        number = ctypes.c_uint32()
        self._call("create_stream", number)
        return number.value

    def record(self, stream: int = 0) -> Event:
        """Marks the work that is enqueued in a stream so far."""
        number = ctypes.c_uint32()
        self._call("record", _natural(stream, "stream"), number)
        return Event(self, number.value)

    # Running

    def synchronize(self) -> None:
        """Lets all launches run to their end. A fault of one of them is raised here."""
        self._call("synchronize")

    def run_until(self, cycle: int) -> int:
        """Lets launches run until core cycle `cycle`, counted from 0. Returns the cycle that it is
        then. A functional machine counts warp instructions instead."""
        reached = ctypes.c_uint64()
        self._call("run_until", _natural(cycle, "cycle", 2**64), reached)
        return reached.value

    @property
    def cycle(self) -> int:
        """The core cycle that it is. A functional machine has none."""
        now = ctypes.c_uint64()
        self._call("cycle", now)
        return now.value

    def retired(self, chunk: int = 1000) -> Iterator[Retired]:
        """Lets launches run, and gives what each instruction did, until nothing is left to run. For a
        machine with keep_retired. The machine runs ahead of the iteration by up to `chunk` records."""
        for records, count in retired_of(self._call, _natural(chunk, "chunk")):
            for index in range(count):
                yield records[index]

    def retired_arrays(self, chunk: int = 1000) -> Iterator[Any]:
        """The same in structured arrays of NumPy, up to `chunk` records in each."""
        import numpy
        for records, count in retired_of(self._call, _natural(chunk, "chunk")):
            yield numpy.ctypeslib.as_array(records)[:count]

    def finish(self) -> None:
        """Lets all launches run to their end, ends the run and completes its files. Statistics can
        still be read."""
        self._call("finish")

    def close(self) -> None:
        """Ends the run, if it has not ended, completes its files, and frees the machine. Launches
        that have not ended are given up. A second call does nothing."""
        handle, self._handle = self._handle, None
        if handle is not None:
            c.check(c.library.heddle_close(handle))

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self._handle is None

    # What was measured

    @property
    def statistics(self) -> Statistics:
        """Statistics of the run so far by name: statistics["gpu.cycles"]."""
        return Statistics(self)

    @property
    def parameters(self) -> Parameters:
        """Parameters of the machine by key: parameters["smx.scheduler"]."""
        return Parameters(self)

    def write_statistics(self, file: Path) -> None:
        """Writes all statistics and the configuration, as --stats: JSON, or CSV if the name ends in
        .csv. `heddle compare` and `heddle report` read such files."""
        self._call("write_statistics", c.encoded(file, "the file"))


def _options(configuration: Optional[Path], text: Optional[str], settings: Optional[Mapping[str, Any]],
             sections: Mapping[str, Mapping[str, Any]], *, seed: int = 1, max_cycles: int = 0,
             threads: int = 1, functional: bool = False, check: bool = False) -> c.Options:
    words = [c.encoded(word, "a setting") for word in _settings(settings, sections)]
    options = c.sized(c.Options)
    options.configuration = None if configuration is None else c.encoded(configuration, "configuration")
    options.text = None if text is None else c.encoded(text, "text")
    options.settings = (ctypes.c_char_p * len(words))(*words)
    options.setting_count = len(words)
    options.seed = _natural(seed, "seed", 2**64)
    options.max_cycles = _natural(max_cycles, "max_cycles", 2**64)
    options.threads = _natural(threads, "threads", 2**32)
    options.functional, options.check = functional, check
    return options


def _settings(settings: Optional[Mapping[str, Any]], sections: Mapping[str, Any]) -> Iterator[str]:
    for key, value in _flat("", {**(settings or {}), **sections}):
        yield f"{key}={str(value).lower() if isinstance(value, bool) else value}"


def _flat(prefix: str, values: Mapping[str, Any]) -> Iterator[Tuple[str, Any]]:
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(f"{prefix}{key}.", value)
        else:
            yield prefix + key, value


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Within it, Ctrl-C interrupts a call that waits, as it interrupts Python's own calls."""
    if (threading.current_thread() is not threading.main_thread() or
            signal.getsignal(signal.SIGINT) is not signal.default_int_handler):
        yield
        return
    pressed = []

    def interrupt(*_: object) -> None:
        pressed.append(True)
        c.library.heddle_interrupt()

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if pressed:
        raise KeyboardInterrupt
