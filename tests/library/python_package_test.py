# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""The package heddle, over the library of this build."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import threading
import typing
import unittest

import numpy

import heddle

KERNELS = os.environ["HEDDLE_KERNELS"]
SOURCE = pathlib.Path(__file__).resolve().parents[2]


def in_a_process(text):
    """Runs a script that begins with `import heddle`."""
    return subprocess.run([sys.executable, "-c", f"import sys\nKERNELS = {KERNELS!r}\n" + textwrap.dedent(text)],
                          capture_output=True, text=True, timeout=60, check=False)


class PackageTest(unittest.TestCase):
    def machine(self, *configuration, **options):
        made = heddle.Machine(*(configuration or ("tiny",)), **options)
        self.addCleanup(made.close)
        made.load(KERNELS)
        return made

    def add(self, machine, n=100):
        a = machine.array(numpy.arange(n, dtype=numpy.uint32))
        b = machine.array([2] * n)
        total = machine.zeros(n, numpy.uint32)
        machine.launch("add", grid=(n + 63) // 64, block=64, args=[a, b, total, n])
        return total

    def test_runs_a_kernel(self):
        machine = self.machine()
        numpy.testing.assert_array_equal(self.add(machine).read(), numpy.arange(100) + 2)
        self.assertGreater(machine.statistics["gpu.cycles"], 0)
        self.assertIsInstance(machine.statistics["gpu.cycles"], int)
        self.assertIsInstance(machine.statistics["gpu.ipc"], float)

    def test_sections_and_settings_are_parameters(self):
        machine = self.machine("tiny", gpu={"smx_count": 3}, settings={"smx.scheduler": "gto"},
                               launch={"enabled": True})
        parameters = machine.parameters
        self.assertEqual(parameters["gpu.smx_count"], 3)
        self.assertEqual(parameters["smx.scheduler"], "gto")
        self.assertIs(parameters["launch.enabled"], True)
        one = parameters.describe("gpu.smx_count")
        self.assertEqual((one.source, one.type, one.unit), ("--set", "integer", "SMX"))
        self.assertIn("smx.max_blocks", set(parameters))
        self.assertEqual(len(list(parameters)), len(parameters))
        self.assertNotIn("smx.max_bloks", parameters)
        with self.assertRaisesRegex(KeyError, "did you mean 'smx.max_blocks'"):
            parameters["smx.max_bloks"]

    def test_text_is_a_configuration(self):
        machine = heddle.Machine(text='inherits = "tiny"\n[gpu]\nsmx_count = 5')
        with machine:
            self.assertEqual(machine.parameters["gpu.smx_count"], 5)
        self.assertTrue(machine.closed)
        with self.assertRaisesRegex(heddle.UsageError, "the machine is closed"):
            machine.synchronize()

    def test_buffers_keep_shape_and_type(self):
        machine = self.machine(functional=True)
        for values in (numpy.arange(12, dtype=numpy.float64).reshape(3, 4), numpy.array([1, 2], numpy.int16),
                       numpy.zeros((0, 3), numpy.float32), numpy.array([(1, 2.5)], "i4,f4"),
                       numpy.asfortranarray(numpy.arange(6).reshape(2, 3))):
            found = machine.array(values).read()
            self.assertEqual(found.dtype, values.dtype)
            numpy.testing.assert_array_equal(found, values)
        self.assertEqual(machine.array([1.5, 2]).read().dtype, numpy.float32)
        self.assertEqual(machine.array([1, 2]).read().dtype, numpy.int32)
        self.assertEqual(machine.array([1, 2], numpy.uint8).read().nbytes, 2)
        self.assertEqual(machine.array(b"abc").read(), b"abc")
        self.assertEqual(machine.zeros((2, 3), "f4").read().shape, (2, 3))

    def test_buffers_are_written_filled_and_released(self):
        machine = self.machine(functional=True)
        buffer = machine.zeros(4, numpy.uint32)
        buffer.write([1, 2])
        self.assertEqual(buffer.read().tolist(), [1, 2, 0, 0])
        buffer.fill(255)
        self.assertEqual(buffer.read().tolist(), [2**32 - 1] * 4)
        with self.assertRaisesRegex(heddle.UsageError, "write of 20 bytes to a buffer of 16"):
            buffer.write([0] * 5)
        with self.assertRaisesRegex(heddle.UsageError, "a byte is 0 to 255"):
            buffer.fill(256)
        buffer.release()
        with self.assertRaises(heddle.UsageError):
            buffer.read()

    def test_programs_and_the_times_of_their_launches(self):
        machine = self.machine()
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "more.cl")
            source.write_text("kernel void add(global int* out) { out[get_global_id(0)] += 5; }\n"
                              "kernel void more(global int* out) { out[get_global_id(0)] += 7; }\n")
            machine.load(source)
            names = set(machine.kernels)
            self.assertIn("more", names)
            self.assertIn(f"{source}:add", names)
            self.assertNotIn("add", names)
            to = machine.array([1] * 32)
            first = machine.launch("more.cl:add", 1, 32, [to])
            self.assertIsNone(first.times.end)
            second = machine.launch("more", 1, 32, [to])
            self.assertEqual(to.read().tolist(), [13] * 32)
            self.assertEqual((first.number, second.number), (0, 1))
            times = first.times
            self.assertLess(times.queued, times.first_dispatch)
            self.assertLess(times.first_dispatch, times.end)
            self.assertLess(times.end, second.times.end)
            machine.unload(source)
            self.assertIn("add", machine.kernels)

    def test_arguments_of_every_kind(self):
        machine = self.machine(functional=True)
        to = machine.zeros(9, numpy.int64)
        words = numpy.array([7, 8], numpy.uint32)
        machine.launch("widths", 1, 1, [-1, numpy.uint8(2), True, 2**64 - 1, -5, 1.5, numpy.float32(2.25),
                                        words.tobytes(), to])
        self.assertEqual(to.read().tolist(), [-1, 2, 1, -1, -5, 12, 18, 7, 8])
        for bad, message in ((words, "argument 0 is of type ndarray; legal: a number, a Buffer"),
                             ("x", "argument 0 is of type str"), (2**64, "more than 64 bits"),
                             (300, "300 is out of range; legal: -128 to 127"), (None, "NoneType")):
            with self.assertRaisesRegex(heddle.UsageError, message):
                machine.launch("widths", 1, 1, [bad, 0, 0, 0, 0, 0, 0, words.tobytes(), to])
        kernel = machine.kernels["widths"]
        self.assertEqual([p.kind for p in kernel.parameters][5:], ["floating", "floating", "struct", "pointer"])
        self.assertEqual((kernel.parameters[0].nbytes, kernel.parameters[0].signed), (1, True))

    def test_grids_are_numbers_or_up_to_three(self):
        machine = self.machine(functional=True)
        count = machine.zeros(2, numpy.uint32)
        machine.launch("places", (2, 3, 5), [4, 7], [count])
        self.assertEqual(count.read().tolist(), [840, 24])
        for bad in ((), (1, 2, 3, 4), -1, 2**32):
            with self.assertRaises(heddle.UsageError):
                machine.launch("places", bad, 1, [count])

    def test_variables(self):
        machine = self.machine(functional=True)
        machine.launch("count_up", 1, 32)
        self.assertEqual(machine.variable("counter", numpy.uint32).read().tolist(), [37])
        self.assertEqual(machine.variable("counter").read(), b"\x25\0\0\0")

    def test_runs_until_a_cycle_and_an_event(self):
        machine = self.machine()
        other = machine.stream()
        to = machine.zeros(32, numpy.uint32)
        machine.launch("turn", 1, 32, [5000, to])
        machine.launch("turn", 1, 32, [10, to], stream=other)
        slow, fast = machine.record(), machine.record(other)
        self.assertEqual(machine.run_until(100), 100)
        self.assertEqual(machine.cycle, 100)
        self.assertFalse(fast.done)
        fast.wait()
        self.assertEqual((fast.done, slow.done), (True, False))
        machine.finish()
        self.assertEqual(machine.statistics["run.completed"], 1)

    def test_errors_are_exceptions_and_the_machine_goes_on(self):
        with self.assertRaisesRegex(heddle.UsageError, "did you mean 'tiny'"):
            heddle.Machine("tinny")
        machine = self.machine()
        with self.assertRaisesRegex(heddle.UsageError, "there is a timed machine"):
            heddle.Machine("tiny")
        with self.assertRaisesRegex(heddle.UsageError, "has no kernel 'ad'"):
            machine.launch("ad", 1, 1)
        with self.assertRaisesRegex(KeyError, "did you mean 'gpu.cycles'"):
            machine.statistics["gpu.cycle"]
        with self.assertRaisesRegex(heddle.UsageError, "contains a null character"):
            machine.launch("a\0dd", 1, 1)
        self.assertEqual(self.add(machine).read()[99], 101)
        machine.launch("far_away", 1, 32, [machine.zeros(1)])
        with self.assertRaisesRegex(heddle.KernelFault, "illegal write of 4 bytes"):
            machine.synchronize()
        self.assertGreater(machine.statistics["gpu.cycles"], 0)

    def test_a_wrong_option_leaves_no_machine_open(self):
        with self.assertRaisesRegex(heddle.UsageError, "unknown file type"):
            heddle.Machine("tiny", waveform="a.FST")
        self.machine()

    def test_files_appear(self):
        with tempfile.TemporaryDirectory() as folder:
            files = [os.path.join(folder, name) for name in ("a.vcd", "a.json", "a.txt", "s.json")]
            with heddle.Machine("tiny", waveform=files[0], timeline=pathlib.Path(files[1]), retire=files[2],
                                trace_scopes="gpu.smx_0", trace_cycles="0:100", retire_scopes=["smx=0"]) as machine:
                machine.load(KERNELS)
                self.add(machine)
                machine.finish()
                machine.write_statistics(files[3])
            for file in files:
                self.assertGreater(os.path.getsize(file), 200, file)

    def test_statistics_are_a_mapping(self):
        machine = self.machine()
        self.add(machine).read()
        values = dict(machine.statistics)
        self.assertEqual(values["gpu.launches"], 1)
        self.assertEqual(len(values), len(machine.statistics))
        self.assertTrue(any(value is None for value in values.values()))
        one = machine.statistics.describe("gpu.cycles")
        self.assertEqual((one.name, one.unit, one.samples), ("gpu.cycles", "cycle", None))
        self.assertTrue(any(machine.statistics.describe(name).samples for name in values))

    def test_instructions_are_iterated(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "a.txt")
            machine = self.machine(retire=file, keep_retired=True)
            total = self.add(machine, 40)
            seen = list(machine.retired(chunk=7))
            self.assertEqual(machine.statistics["gpu.warp_instructions"], len(seen))
            stores = [one for one in seen if one.access == 2]
            self.assertEqual([one.active for one in stores], [list(range(32)), list(range(8))])
            self.assertEqual(stores[1].address[7], total.address + 39 * 4)
            self.assertEqual(stores[1].data[7], 41)
            self.add(machine, 40)
            pieces = list(machine.retired_arrays(30))
            self.assertEqual([len(piece) for piece in pieces[:-1]], [30] * (len(pieces) - 1))
            stored = numpy.concatenate(pieces)
            self.assertEqual(stored[stored["access"] == 2]["data"][1][:9].tolist(), list(range(34, 42)) + [0])
            machine.close()
            lines = file.read_text().splitlines()[1:]
            self.assertEqual(lines[:len(seen)], [one.text for one in seen])
            self.assertEqual(len(lines), len(seen) + len(stored))

    def test_instructions_are_kept_only_if_asked_for(self):
        machine = self.machine()
        with self.assertRaisesRegex(heddle.UsageError, "heddle_keep_retired"):
            next(machine.retired())
        self.assertIn("access      a heddle_access", heddle.Retired.__doc__)

    def test_threads_of_the_computer_change_nothing(self):
        cycles = set()
        for threads in (1, 2):
            machine = self.machine(threads=threads)
            self.add(machine)
            cycles.add(machine.statistics["gpu.cycles"])
            machine.close()
        self.assertEqual(len(cycles), 1)
        with self.assertRaisesRegex(heddle.UsageError, "'threads' is 65; legal: 1 to 64"):
            self.machine(threads=65)

    def test_threads(self):
        machine = self.machine()
        found = []
        threads = [threading.Thread(target=lambda: found.append(self.add(machine).read()[99])) for _ in range(4)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        self.assertEqual(found, [101] * 4)

    def test_without_numpy(self):
        done = in_a_process("""
            sys.modules["numpy"] = None
            import array, heddle
            with heddle.Machine("tiny", functional=True) as machine:
                machine.load(KERNELS)
                a, b = machine.array([1, 2, 3], "I"), machine.array(array.array("I", [4, 5, 6]))
                total = machine.zeros(3, "I")
                machine.launch("add", 1, 32, [a, b, total, 3])
                print(total.read(), machine.array([0.5]).read(), machine.array(b"x").read())
                try:
                    machine.zeros(3, "float32")
                except heddle.UsageError as error:
                    print(error)
            """)
        self.assertEqual(done.stdout, "array('I', [5, 7, 9]) array('f', [0.5]) b'x'\ndtype 'float32': without "
                                      "NumPy it is a type code of the module array, as 'f' or 'i'\n", done.stderr)

    def test_ctrl_c_ends_a_run(self):
        for functional in (False, True):
            with self.subTest(functional=functional):
                done = in_a_process(f"""
                    import heddle, os, signal, threading
                    machine = heddle.Machine("tiny", functional={functional})
                    machine.load(KERNELS)
                    machine.launch("turn", 1, 32, [2000000000, machine.zeros(32, "I")])
                    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
                    try:
                        machine.synchronize()
                    except KeyboardInterrupt:
                        print("ended", machine.statistics["gpu.warp_instructions"] is not None)
                    """)
                self.assertEqual(done.stdout, "ended True\n", done.stderr)

    def test_a_process_that_closes_nothing_ends(self):
        done = in_a_process("""
            import heddle
            machine = heddle.Machine("tiny")
            machine.load(KERNELS)
            machine.launch("turn", 1, 32, [100000, machine.zeros(32, "I")])
            machine.run_until(10)
            machine.__class__.__del__ = lambda self: None
            """)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_core_is_followed(self):
        with heddle.Machine("tiny", keep_retired="parts") as m:
            m.load(KERNELS)
            m.launch("count_up", grid=1, block=2)
            records = list(m.retired())
        with heddle.Lockstep("tiny", tells_drained=True, stale_loads=True) as m:
            m.load(KERNELS)
            m.launch("count_up", grid=1, block=2)
            launch, = m.launches
            self.assertEqual((launch.number, launch.kernel, launch.block), (1, "count_up", (2, 1, 1)))
            first = next(r for r in records if r.kind == 0)
            self.assertEqual(launch.entry, first.pc)
            self.assertEqual(m.fetch(1, first.pc, 1), [first.word])
            m.step(records)
            counter = m.variable("counter", "I")
            m.finish_launches({counter.address: (7).to_bytes(4, "little")})
            self.assertEqual(list(counter.read()), [7])
            self.assertIsNone(m.difference)
            self.assertEqual(m.counts["instructions"], sum(r.kind == 0 for r in records))
            self.assertIn("amoadd.w", m.coverage)
            late = heddle.Retired.parsed(records[0].line)
            late.cycle += 1000
            with self.assertRaisesRegex(heddle.UsageError, "there is no launch 1"):
                m.step(late)
        adds = next(r for r in records if r.access == 3)
        atomic = next(r for r in records if r.kind == 1 and (r.warp, r.n) == (adds.warp, adds.n))
        atomic.value[1] = 9
        with heddle.Lockstep("tiny", tells_drained=True, stale_loads=True) as m:
            m.load(KERNELS)
            m.launch("count_up", grid=1, block=2)
            with self.assertRaises(heddle.WrongResult):
                m.step(records)
            found = m.difference
            self.assertEqual((found.warp, found.lane, found.n), (0, 1, atomic.n))
            self.assertIn("library_kernel.cpp:", found.source)
            self.assertTrue(any("amoadd" in line for line in found.steps))

    def test_every_name_has_a_docstring_and_types(self):
        for name in heddle.__all__:
            self.assertTrue(getattr(heddle, name).__doc__, name)
        for of in (heddle.Machine, heddle.Lockstep, heddle.Buffer, heddle.Event):
            for name, member in vars(of).items():
                function = member.fget if isinstance(member, property) else member
                if name.startswith("_") or not callable(function):
                    continue
                self.assertTrue(function.__doc__, name)
                self.assertIn("return", typing.get_type_hints(function), name)

    def test_the_package_declares_what_the_header_declares(self):
        header = "".join((SOURCE / "include/heddle" / name).read_text() for name in ("heddle.h", "lockstep.h"))
        declared = set(re.findall(r"^(?:const char\*|void\*?|int|heddle_status) heddle_(\w+)\(", header, re.M))
        exported = set(re.findall(r"heddle_(\w+);", (SOURCE / "library/heddle.map").read_text()))
        self.assertEqual(declared, exported)
        by_hand = {"version", "status_name", "error_text", "interrupt", "retired_columns", "lockstep_block"}
        of_python = {name for name in declared if not name.startswith("dpi_")}
        self.assertEqual(of_python, set(heddle._library._CALLS) | by_hand)


if __name__ == "__main__":
    unittest.main()
