# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""heddle why: what it tries, what it answers, and what it refuses."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEDDLE = pathlib.Path(os.environ["HEDDLE_COMMAND"])
sys.path.insert(0, str(ROOT / "scripts"))

from limits import changes, measure, planted, search
from limits.changes import HALF, IDEAL, TWICE, Machine, declared

PARAMETERS = declared([
    {"key": "cache.latency", "better": "smaller", "ideal": 1, "block": "cache"},
    {"key": "cache.size", "better": "larger", "ideal": 1000, "block": "cache"},
    {"key": "cache.banks", "better": "larger", "block": "cache"},
    {"key": "cache.fill.slow", "better": "one", "ideal": False, "block": "cache.fill"},
    {"key": "smx.warps", "better": "larger", "ideal": 64, "block": "occupancy"},
    {"key": "other"}])
VALUES = {"cache.latency": 30, "cache.size": 48, "cache.banks": 2, "cache.fill.slow": True,
          "smx.warps": 64}


class ChangesTest(unittest.TestCase):
    def setUp(self):
        self.machine = Machine(PARAMETERS, VALUES)

    def singles(self, kind, values=None):
        machine = Machine(PARAMETERS, {**VALUES, **(values or {})})
        return {one.part: one.settings[0][2] for one in machine.singles(kind)}

    def test_an_ideal_value_comes_from_the_declaration(self):
        # 768 = 48 * 16: sizes keep what they are multiples of. 64 warps are ideal.
        self.assertEqual(self.singles(IDEAL),
                         {"cache.latency": 1, "cache.size": 768, "cache.fill.slow": False})

    def test_twice_and_half_as_good(self):
        self.assertEqual(self.singles(TWICE),
                         {"cache.latency": 15, "cache.size": 96, "cache.banks": 4})
        self.assertEqual(self.singles(HALF), {"cache.latency": 60, "cache.size": 24,
                                              "cache.banks": 1, "smx.warps": 32})

    def test_what_is_not_there_or_at_its_end_does_not_change(self):
        without = {"cache.latency": 0, "cache.size": 0, "cache.banks": 1, "smx.warps": 1}
        self.assertNotIn("cache.size", self.singles(IDEAL, without))
        self.assertEqual(self.singles(HALF, without), {})

    def test_a_group_has_the_parameters_of_its_block_and_of_those_in_it(self):
        group = self.machine.group("cache", IDEAL)
        self.assertEqual(group.words, ("cache.latency=1", "cache.size=768",
                                       "cache.fill.slow=false"))
        self.assertEqual([one.part for one in self.machine.groups(IDEAL)],
                         ["cache", "cache.fill"])
        self.assertEqual([one.part for one in self.machine.unlimited()], ["cache.banks"])
        left = changes.without(group, ["cache.size"])
        self.assertEqual(left.words, ("cache.latency=1", "cache.fill.slow=false"))
        self.assertEqual(left.left_out, ("cache.size",))
        self.assertIsNone(changes.without(group, [key for key, _, _ in group.settings]))


class OrderTest(unittest.TestCase):
    def test_the_largest_gain_comes_first_and_of_equal_ones_the_smallest_change(self):
        def line(part, count, gain):
            settings = tuple((f"{part}.{i}", 1, 2) for i in range(count))
            return search.Line(part, changes.Change(part, IDEAL, part, settings), gain)

        lines = [line("slow", 1, -0.2), line("most", 9, 0.80), line("none", 1, None),
                 line("cause", 1, 0.77), line("less", 1, 0.75), line("little", 2, 0.02)]
        self.assertEqual([one.part for one in search.ordered(lines)],
                         ["cause", "most", "less", "little", "none", "slow"])


class Stub:
    """A program, and its measurements: two ways of equal length, of which the longer one counts,
    and a third one before them. A latency of 7 is not legal, of 8 fails."""
    in_window = False
    values = {"one.latency": 100, "two.latency": 100, "before.latency": 20, "idle.latency": 50}

    def __init__(self):
        self.measured = []

    def refusals(self, wanted):
        return {one: "no seven" for one in wanted if any("=7" in word for word in one.words)}

    def measure(self, wanted, _):
        self.measured += [one.words for one in wanted]

    def of(self, change):
        values = dict(self.values)
        for key, _, new in change.settings if change else ():
            values[key] = new
        if 8 in values.values():
            return measure.Failure("no progress", pathlib.Path("log"))
        cycles = values["before.latency"] + max(values["one.latency"], values["two.latency"])
        return measure.Result(cycles, 1000, {})


class SearchTest(unittest.TestCase):
    def search(self, ideal=0, quick=False):
        stub = Stub()
        parameters = declared([{"key": key, "block": key.partition(".")[0], "better": "smaller",
                                "ideal": ideal} for key in stub.values])
        found = search.Search(stub, Machine(parameters, stub.values), stub)
        found.carry_out(quick)
        return found, stub

    def test_what_hides_each_other_is_found_as_a_pair(self):
        found, _ = self.search()
        self.assertEqual([(one.part, round(one.gain, 3)) for one in found.helpful()],
                         [("before.latency", 0.167)])
        self.assertEqual([(one.parts, round(one.gain, 3), one.single) for one in found.pairs],
                         [(("one", "two"), 0.833, (0.0, 0.0))])
        halves = {one.part: round(one.half, 3) for one in found.lines}
        self.assertEqual(halves["two.latency"], -0.833)

    def test_parameters_of_a_block_without_effect_are_not_tried_again(self):
        found, stub = self.search(quick=True)
        self.assertEqual(stub.measured.count(("idle.latency=0",)), 1)
        self.assertEqual(found.pairs, [])

    def test_what_is_refused_or_fails_is_no_line(self):
        found, _ = self.search(ideal=7, quick=True)
        self.assertEqual({why for why in found.refused.values()}, {"no seven"})
        self.assertEqual(found.lines, [])
        found, _ = self.search(ideal=8, quick=True)
        self.assertEqual({one.said for one in found.failed.values()}, {"no progress"})
        self.assertEqual(found.lines, [])


class PlantedTest(unittest.TestCase):
    def test_the_table_has_fifty_different_rows(self):
        rows = planted.read()
        self.assertEqual(len({row.name for row in rows}), 50)
        self.assertEqual(len({tuple(row.words) for row in rows}), 50)

    def test_some_are_found(self):
        with tempfile.TemporaryDirectory() as place:
            for name in ("shared_latency", "multiplier", "l2_latency", "dispatch_latency"):
                done = subprocess.run([str(ROOT / "scripts/why_planted"), "--binary", str(HEDDLE),
                                       "--only", name, "--store", place, "--jobs", "2"],
                                      capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class CommandTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.place = pathlib.Path(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def why(self, *words, code=0, store="store"):
        done = subprocess.run([str(HEDDLE), "why", "--store", str(self.place / store), "--jobs",
                               "2", *words], capture_output=True, text=True, check=False,
                              cwd=self.place)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def refused(self, *words):
        said = self.why(*words, code=2).stderr.strip().splitlines()
        return said[-1].removeprefix("heddle: why: ")

    def test_the_answer(self):
        words = ["reduction", "--config", "tiny", "--option", "n=512"]
        document = json.loads(self.why("--json", *words).stdout)
        self.assertGreater(document["runs"], 50)
        gains = [one["gain"] for one in document["parts"] if one["gain"] is not None]
        self.assertGreaterEqual(gains[0], 0.95 * max(gains))
        self.assertGreater(gains[0], gains[len(gains) // 2])
        parts = {one["part"]: one for one in document["parts"]}
        self.assertGreater(parts["dram.fixed.latency"]["gain"], 0)
        self.assertLess(parts["dram.fixed.latency"]["half"], 0)
        self.assertEqual(parts["dram.fixed.latency"]["settings"], {"dram.fixed.latency": [20, 1]})
        refused = {one["part"]: one["reason"] for one in document["not_possible"]}
        self.assertIn("l2.size is a multiple of", refused["l2.ways"])
        self.assertEqual(document["failed"], [])
        # Nothing runs twice, and a page costs nothing.
        again = self.why("--report", "why.html", *words)
        self.assertIn("0 runs carried out", again.stderr)
        self.assertTrue(again.stdout.startswith("heddle run reduction --config tiny"))
        self.assertIn("The CPI stack alone would say: ", again.stdout)
        self.assertIn("Not possible: l2.ways=", again.stdout)
        self.assertIn("dram.fixed.latency", (self.place / "why.html").read_text())
        # Another input is another run.
        quick = self.why("--quick", *words[:-1], "n=256", "--json")
        document = json.loads(quick.stdout)
        self.assertGreater(document["runs"], 20)
        self.assertEqual({one["half"] for one in document["parts"]}, {None})
        self.assertEqual(document["pairs"], [])

    def test_nothing_helps_a_program_without_work(self):
        text = self.why("--quick", "compute", "--config", "tiny", "--option", "n=1", "--option",
                        "rounds=0", "--max-cycles", "3").stdout
        self.assertIn("nothing measured helps more than 1 %", text)

    def test_a_window_counts_cycles_of_an_instruction(self):
        document = json.loads(self.why("--quick", "--json", "saxpy", "--config", "tiny",
                                       "--max-cycles", "2000").stdout)
        self.assertEqual((document["cycles"], document["measure"]),
                         (1999, "cycles of a thread instruction"))
        self.assertGreater(document["parts"][0]["gain"], 0.1)

    def test_wrong_words(self):
        self.assertIn("there is no option '--confg'; did you mean '--config'?",
                      self.refused("saxpy", "--confg", "tiny"))
        self.assertIn("saxpi", self.refused("saxpi"))
        self.assertIn("no.such", self.refused("saxpy", "--set", "no.such=1"))
        self.assertIn("the words of `heddle run` are missing", self.refused())
        self.assertIn("--jobs: expected at least 1", self.refused("--jobs", "0", "saxpy"))
        self.assertIn("--vcd: many runs would write the same file",
                      self.refused("saxpy", "--vcd", "a.vcd"))
        self.assertIn("--functional", self.refused("saxpy", "--functional"))
        self.assertIn("no such folder", self.refused("--report", "absent/a.html", "saxpy"))

    def test_a_program_that_faults(self):
        source = self.place / "fault.cpp"
        source.write_text("#include <heddle.h>\n__global__ void fault(int* p) { p[64] = 1; }\n")
        subprocess.run([str(HEDDLE), "compile", str(source), "-o", "fault.elf"], check=True,
                       cwd=self.place, capture_output=True)
        said = self.why("fault.elf", "--config", "tiny", "--arg", "p:i32[1]", code=2).stderr
        self.assertIn("heddle: why: illegal write of 4 bytes", said)

    def test_a_change_that_fails_is_named_with_its_log(self):
        # Nothing is stored for about 1,650 cycles; what makes that longer is no progress.
        words = ["latency", "--config", "tiny", "--option", "rounds=4", "--set",
                 "gpu.watchdog=1700"]
        document = json.loads(self.why("--json", *words, code=1).stdout)
        failed = {(one["part"], one["kind"]): one for one in document["failed"]}
        one = failed["dram.fixed.latency", "half"]
        self.assertIn("no progress: for 1700 cycles", one["said"])
        self.assertIn("dram.fixed.latency=40", pathlib.Path(one["log"]).read_text())
        self.assertIn("Failed: dram.fixed.latency=40: no progress",
                      self.why(*words, code=1).stdout)
        self.assertGreater({one["part"]: one["gain"] for one in document["parts"]}
                           ["dram.fixed.latency"], 0.01)


if __name__ == "__main__":
    unittest.main()
