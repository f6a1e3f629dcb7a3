# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""RTL outside of the model: other tools read it, proofs hold, and traces play again."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from rtl.simulators import SIMULATORS  # where ccache is chosen for all that Verilator compiles
MODULES = ["axi_memory", "fr_fcfs_picker", "group_allocator", "input_first_allocator", "kde_chain",
           "kernel_distributor", "memory_controller", "pdom_stack", "queue_picker", "tm_bank",
           "warp_scheduler"]
GROUPS = ["children", "--option", "launches=64", "--option", "hold=false", "--mode", "dtbl"]
TRANSACTIONS = ["it", "--option", "block=64", "--option", "blocks=2", "--option", "positions=20",
                "--option", "rounds=1"]
# Of each slot: an instance, what chooses a policy that the RTL has, and a workload in the place of
# bfs.
SLOTS = {
    "warp_scheduler": ("gpu.smx_1.warp_scheduler_0.*", ["smx.scheduler=motrr_recency"]),
    "formation": ("gpu.smx_1.*", ["smx.stack_entries=32"]),
    "crossbar_allocator": ("gpu.crossbar.request.*", ["crossbar.allocator=input_first"]),
    "dram_scheduler": ("*_1*", ["dram.model=gddr", "dram.row_mask=2147418112"]),
    "queue_picker": ("*", []),
    "kde_chain": ("*", ["launch.enabled=true"], GROUPS),
    "group_allocator": ("*", ["launch.enabled=true", "agt.entries=8"], GROUPS),
    "tm_bank": ("gpu.smx_0.tm_unit.bank_0.*", ["tm.enabled=true"], TRANSACTIONS),
}
BFS = ["bfs", "--input", "kronecker:scale=5,degree=4"]


def run(*command):
    return subprocess.run([str(word) for word in command], cwd=ROOT, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


EDGES = ("edges.enabled", "edges.idle", "edges.reset")  # of a slot's clock, counted


class RtlTest(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)

    def trace_of(self, slot, extra=()):
        """A trace of one instance of a slot, in a run."""
        where, settings, *workloads = SLOTS[slot]
        workload = workloads[0] if workloads else BFS
        file = self.place / slot
        sets = [f"slot.{slot}=shadow", f"slot.{slot}.where={where}", *settings, *extra]
        done = run(os.environ["HEDDLE_COMMAND"], "run", *workload, "--config", "tiny",
                   "--slot-trace", file, *[word for one in sets for word in ("--set", one)])
        self.assertEqual(done.returncode, 0, done.stdout)
        return file

    def replay(self, file, *options):
        return run("scripts/replay", file, *options)

    def test_icarus_compiles_each_module(self):
        for module in MODULES:
            done = run("iverilog", "-g2012", "-Wall", "-Wno-timescale", "-o", self.place / module,
                       "hw/rtl/lowest_bit.sv", f"hw/rtl/{module}.sv")
            self.assertEqual(done.returncode, 0, done.stdout)

    def test_yosys_reads_each_module(self):
        for module in MODULES:
            done = run("yosys", "-q", "-p",
                       f"read_verilog -sv hw/rtl/lowest_bit.sv hw/rtl/{module}.sv; "
                       f"hierarchy -check -top {module}; proc")
            self.assertEqual(done.returncode, 0, done.stdout)

    def test_other_tools_read_the_smx(self):
        # With few lanes: what Yosys makes of a module grows with the square of them.
        folder = self.place / "smx_of_8_lanes"
        folder.mkdir()
        for file in [*(ROOT / "hw/rtl/smx").glob("*.sv"), ROOT / "hw/rtl/pdom_stack.sv"]:
            (folder / file.name).write_text(file.read_text().replace("int LANES = 32", "int LANES = 8"))
        self.assertIn("int LANES = 8", (folder / "smx.sv").read_text())
        # The package that all others use comes first.
        files = [folder / "smx_is.sv", *sorted(set(folder.glob("*.sv")) - {folder / "smx_is.sv"})]
        done = run("iverilog", "-g2012", "-Wall", "-Wno-timescale", "-o", self.place / "smx", "-s",
                   "smx", *files)
        told = [line for line in done.stdout.splitlines() if "sorry: constant selects" not in line]
        self.assertEqual((done.returncode, told), (0, []))
        names = " ".join(str(file) for file in files)
        done = run("yosys", "-q", "-p", f"read_verilog -sv {names}; hierarchy -check -top smx; "
                   "proc; select -assert-none t:$dlatch")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_promises_are_proven(self):
        done = run("scripts/prove", "queue_picker", "fr_fcfs_picker", "warp_scheduler")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(re.findall("^proven +(\\w+) *$", done.stdout, re.M),
                         ["queue_picker", "fr_fcfs_picker", "warp_scheduler", "turns_scheduler"])

    def test_what_does_not_hold_is_not_proven(self):
        broken = (
            ("queue_picker", "assign turn = ((ready & behind_last) != 64'd0) ?",
             "assign turn = (ready == 64'd5) ?"),
            ("fr_fcfs_picker", "(hits != 128'd0 && !too_old) ?", "(hits != 128'd0) ?"),
            ("warp_scheduler", "assign behind = by_turn & behind_last;",
             "assign behind = by_turn;"),
            ("input_first_allocator", "&& winner[{3'd0, bid[r*5+:5]}*5+:5] == 5'(r);", ";"))
        (self.place / "scripts").mkdir()
        (self.place / "hw").mkdir()
        for name in ("prove", "usage.sh"):
            shutil.copy(ROOT / "scripts" / name, self.place / "scripts" / name)
        for module, right, wrong in broken:
            shutil.rmtree(self.place / "hw/rtl", ignore_errors=True)
            shutil.copytree(ROOT / "hw/rtl", self.place / "hw/rtl")
            text = (ROOT / f"hw/rtl/{module}.sv").read_text()
            self.assertEqual(text.count(right), 1, module)
            (self.place / f"hw/rtl/{module}.sv").write_text(text.replace(right, wrong))
            done = run(self.place / "scripts/prove", module)
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn("not proven  ", done.stdout)

    def test_each_slot_plays_again_in_icarus(self):
        for slot in SLOTS:
            file = self.trace_of(slot)
            lines = file.read_text().splitlines()[:200]  # Icarus takes its time
            file.write_text("\n".join(lines) + "\n")
            steps = len(lines) - 1
            self.assertGreaterEqual(steps, 5, slot)
            done = self.replay(file, "--simulator", "icarus")
            self.assertEqual((done.returncode, done.stdout),
                             (0, f"{steps} steps, no difference\n"))

    def test_a_slot_plays_again_in_verilator(self):
        file = self.trace_of("queue_picker")
        done = self.replay(file)
        self.assertEqual(done.returncode, 0, done.stdout)
        steps = len(file.read_text().splitlines()) - 1
        self.assertIn(f"\n{steps} steps, no difference", "\n" + done.stdout)

    def test_a_module_of_your_own_is_played(self):
        file = self.trace_of("queue_picker")
        text = (ROOT / "hw/rtl/queue_picker.sv").read_text()
        mine = self.place / "mine.sv"
        own = ("--simulator", "icarus", "--module", "mine", mine)
        mine.write_text(text.replace("module queue_picker", "module mine"))
        done = self.replay(file, *own)
        self.assertEqual(done.returncode, 0, done.stdout)
        mine.write_text(text.replace("module queue_picker", "module mine")
                        .replace("if (turn[i]) queue = 6'(i);", "if (turn[i]) queue = 6'd9;"))
        done = self.replay(file, *own)
        self.assertEqual(done.returncode, 1, done.stdout)

    def test_the_first_difference_is_shown(self):
        file = self.trace_of("queue_picker")
        lines = file.read_text().split("\n")
        at = next(n for n, line in enumerate(lines) if line.startswith("c "))
        step, inputs, outputs = lines[at].split(" ")
        lines[at] = f"{step} {inputs} {int(outputs, 16) ^ 1:02x}"
        file.write_text("\n".join(lines))
        done = self.replay(file, "--simulator", "icarus")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn(f"line {at + 1}: a difference", done.stdout)
        self.assertIn(f"  input  ready = {int(inputs, 16):#x}\n", done.stdout)
        self.assertIn(f"  output queue = {int(outputs, 16):#x}, the trace has "
                      f"{int(outputs, 16) ^ 1:#x}\n", done.stdout)

    def test_what_is_no_trace_is_refused(self):
        file = self.place / "other"
        file.write_text("cycle,warp\n1,2\n")
        done = self.replay(file)
        self.assertEqual((done.returncode, done.stdout),
                         (2, f"scripts/replay: {file}: is no trace of a slot or of links\n"))
        file.write_text("heddle-link-trace 7 706000\n")
        done = self.replay(file)
        self.assertEqual((done.returncode, done.stdout), (
            2, f"scripts/replay: {file}: has version 7 of the format; this script knows 1\n"))

    def links_of(self, scope, *options):
        """A trace of links in a run that loads and stores."""
        file = self.place / "links"
        done = run(os.environ["HEDDLE_COMMAND"], "run", "saxpy", "--config", "tiny", "--option",
                   "n=4096", "--link-trace", file, "--link-trace-scope", scope, *options)
        self.assertEqual(done.returncode, 0, done.stdout)
        return file

    def test_a_link_plays_again_in_both_simulators(self):
        file = self.links_of("gpu.l2_0")
        text = file.read_text()
        stores = len(re.findall(r" gpu\.l2_0\.requests \d+ begin_request command=write", text))
        loads = len(re.findall(r" gpu\.l2_0\.requests \d+ begin_response command=read", text))
        self.assertGreater(min(loads, stores), 50)
        for simulator in SIMULATORS:
            done = self.replay(file, "--link", "gpu.l2_0.requests", "--simulator", simulator)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn(f"{loads} loads, {stores} stores, 0 atomics, no difference\n",
                          done.stdout)

    def test_an_answer_that_is_not_what_was_stored_is_shown(self):
        file = self.links_of("gpu.smx_0.memory")
        lines = file.read_text().splitlines()
        begin = next(n for n, line in enumerate(lines) if "command=write" in line)
        # The line is read again: the first byte that was stored comes back changed.
        fields = dict(word.split("=") for word in lines[begin].split(" ")[5:])
        asked = " ".join(f"{key}={fields[key]}" for key in ("address", "bytes"))
        value = f"{int(fields['data'], 16) ^ 1:#0{len(fields['data'])}x}"
        cycle = int(lines[-1].split(" ")[0]) + 9
        where = f"{cycle} {cycle * 1416} gpu.smx_0.memory 999999"
        lines += [f"{where} begin_request command=read {asked} mask={fields['mask']}",
                  f"{where} begin_response command=read {asked} mask={fields['mask']} data={value}"]
        file.write_text("\n".join(lines) + "\n")
        done = self.replay(file, "--simulator", "icarus")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, f"cycle {cycle} .*transaction 999999: byte [0-9a-f]+ is")

    def test_a_link_trace_does_not_depend_on_sleep(self):
        asleep = self.links_of("gpu").read_bytes()
        self.assertEqual(self.links_of("gpu", "--no-sleep").read_bytes(), asleep)

    def test_links_that_are_not_there_are_refused(self):
        file = self.links_of("gpu.l2_?.requests")
        done = self.replay(file)
        self.assertEqual((done.returncode, done.stdout), (
            2, f"scripts/replay: {file}: has 2 memory links; choose one with --link; there are "
               "gpu.l2_0.requests, gpu.l2_1.requests\n"))
        done = self.replay(file, "--link", "gpu.l2_7.requests")
        self.assertEqual(done.returncode, 2)
        self.assertIn("has no memory link gpu.l2_7.requests; there are", done.stdout)
        done = run(os.environ["HEDDLE_COMMAND"], "run", "saxpy", "--config", "tiny",
                   "--link-trace", self.place / "none", "--link-trace-scope", "gpu.smx_9")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--link-trace-scope gpu.smx_9: no link has that name", done.stdout)
        self.assertFalse((self.place / "none").exists())

    def compared(self, module, sources):
        """What a testbench says that calls the C++ part over DPI-C."""
        library = pathlib.Path(os.environ["HEDDLE_PORTS"]).parent / "reference"
        done = run("verilator", "--binary", "--timing", "-Wno-fatal", "--top-module",
                   f"{module}_tb", f"+define+MODULE={module}", "-MAKEFLAGS", "OPT_FAST=-O0",
                   "--Mdir", self.place / "made", "-o",
                   "tb", library / "heddle_reference.sv", f"hw/rtl/{module}_tb.sv", *sources,
                   "-LDFLAGS", f"-L{library} -lheddle_reference -Wl,-rpath,{library}")
        self.assertEqual(done.returncode, 0, done.stdout)
        return run(self.place / "made/tb")

    def test_modules_are_like_their_references(self):
        for module, others in (("queue_picker", []),
                               ("input_first_allocator", ["hw/rtl/lowest_bit.sv"])):
            done = self.compared(module, others + [f"hw/rtl/{module}.sv"])
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertRegex(done.stdout, r"^\d{4,} cycles, no difference\n")

    def test_a_reference_shows_a_bug(self):
        text = (ROOT / "hw/rtl/queue_picker.sv").read_text()
        right = "(~64'd0 << queue) << 1;"
        self.assertIn(right, text)
        bug = self.place / "queue_picker.sv"
        bug.write_text(text.replace(right, "~64'd0 << queue;"))
        done = self.compared("queue_picker", [bug])
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"cycle \d+: queue is \d+, the reference says \d+; ready")

    def waves_of(self, way, *options):
        """Changes of the variables of a queue picker in the waveform of a run."""
        file = self.place / f"{way}.vcd"
        done = run(os.environ["HEDDLE_COMMAND"], "run", "bfs", "--config", "tiny", "--input",
                   "kronecker:scale=5,degree=4", "--set", f"slot.queue_picker={way}", "--vcd",
                   file, "--trace-scope", "gpu.kmu", *options)
        self.assertEqual(done.returncode, 0, done.stdout)
        scopes, codes, changes, time = [], {}, {}, 0
        for line in file.read_text().splitlines():
            words = line.split(" ")
            if words[0] == "$scope":
                scopes.append(words[2])
            elif words[0] == "$upscope":
                scopes.pop()
            elif words[0] == "$var":
                codes[words[3]] = ".".join([*scopes, words[4]])
            elif line.startswith("#"):
                time = int(line[1:])
            elif line[0] in "01b":
                value, code = words if line[0] == "b" else (line[0], line[1:])
                name = codes.get(code, "")
                if "queue_picker" in name:
                    changes.setdefault(name.split("queue_picker.")[1], []).append(
                        (time, int(value.lstrip("b"), 2)))
        return changes

    def test_a_waveform_has_the_ports_and_both_answers(self):
        self.assertEqual(self.waves_of("tlm"), {})
        changes = self.waves_of("shadow")
        self.assertEqual(set(changes),
                         {"ports.ready", "ports.queue", "tlm.queue", "rtl.queue", *EDGES})
        self.assertEqual(changes["tlm.queue"], changes["rtl.queue"])
        self.assertIn(1, [value for _, value in changes["ports.ready"]])
        self.assertEqual(set(self.waves_of("rtl")), {"ports.ready", "ports.queue", *EDGES})

    def test_signals_inside_of_rtl_have_the_time_of_the_run(self):
        file = self.place / "inside.vcd"
        changes = self.waves_of("rtl", "--rtl-vcd", file)
        text = file.read_text()
        self.assertRegex(text, r"\$timescale +1ps")
        self.assertIn(" behind_last [63:0] $end", text)
        times = {int(time) for time in re.findall(r"^#(\d+)$", text, re.M)}
        self.assertTrue(times)
        for time, _ in changes["ports.ready"][1:]:
            self.assertIn(time, times)
        done = run(os.environ["HEDDLE_COMMAND"], "run", "bfs", "--config", "tiny", "--rtl-vcd",
                   self.place / "none.vcd")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--rtl-vcd: no slot has RTL", done.stdout)

    def test_a_trace_has_one_instance_with_rtl(self):
        def refusal(*sets):
            return run(os.environ["HEDDLE_COMMAND"], "run", "bfs", "--config", "tiny",
                       "--slot-trace", self.place / "none",
                       *[word for one in sets for word in ("--set", one)])
        done = refusal()
        self.assertEqual(done.returncode, 2)
        self.assertIn("--slot-trace: no slot has RTL", done.stdout)
        done = refusal("slot.crossbar_allocator=rtl", "crossbar.allocator=input_first")
        self.assertEqual(done.returncode, 2)
        self.assertIn("gpu.crossbar.request.allocator_0 and "
                      "gpu.crossbar.response.allocator_0 have RTL", done.stdout)
        self.assertFalse((self.place / "none").exists())


if __name__ == "__main__":
    unittest.main()
