# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Tests of heddle report: its pages as text, and what it refuses."""
import json
import os
import re
import unittest

from report_fixture import HEDDLE, SCRIPT, ReportTest, stats, write_sweep
from reporting import lines, machine, numbers, papers, records, sweeps

PAPER = """row,place,text,line,column,unit,ours,half_width,paper,verdict
speed,Fig. 1,speed of a,,,%,12.5,0.123,+10 %,agrees
time,Fig. 1,time,,,cycle,1234.6,67,1000,agrees
order,Fig. 2,order,,,,a b,,b a,differs
fig3,Fig. 3,rates,bfs,lrr,,0.25,0.125,,
fig3,Fig. 3,rates,bfs,gto,,0.5,,,
"""


class NumbersTest(unittest.TestCase):
    def test_numbers_as_people_read_them(self):
        shown = [numbers.plain(value) for value in
                 (None, 0, 6789090, 0.25, 22.61234, 3456.7, 0.00001234, 2.0, True, "gto")]
        self.assertEqual(shown, ["–", "0", "6,789,090", "0.25", "22.61", "3,457", "1.234e-05", "2",
                                 "true", "gto"])
        self.assertEqual(numbers.with_prefix(198675626.2, "B/s"), "199 MB/s")
        self.assertEqual(numbers.times(numbers.ratio(3, 2)), "×1.5")
        self.assertIsNone(numbers.ratio(3, 0))

    def test_beside_a_paper(self):
        self.assertEqual(papers.offset("0", "+100 %", "%"), -1)
        self.assertEqual(papers.offset("3", "3 cycle", "cycle"), 0)
        self.assertEqual(papers.offset("1000", "1", ""), 1)  # the end of the scale
        self.assertIsNone(papers.offset("1", "lower", "%"))

    def test_axis_has_one_kind_of_value(self):
        self.assertEqual(sweeps.axis_values(["8", "16"]), [8, 16])
        self.assertEqual(sweeps.axis_values(["8", "many"]), ["8", "many"])

    def test_command_line_is_shown_without_the_page(self):
        words = ["heddle", "run", "bfs", "--report", "a.html", "--input", "g h.gr"]
        self.assertEqual(machine.typed_command(words), "heddle run bfs --input 'g h.gr'")


class SeriesTest(ReportTest):
    def test_long_series_keeps_counts_and_means(self):
        lines = ["interval.start,interval.end,gpu.cycles,gpu.ipc,gpu.issue_slots.issued"]
        lines += [f"{at},{at + 1},1,{at % 2},{'' if at % 2 else 4}" for at in range(1200)]
        found = records.read_series(self.write("s.csv", "\n".join(lines)))
        self.assertEqual(len(found["gpu.ipc"]), 300)
        self.assertEqual(sum(found["gpu.cycles"]), 1200)
        self.assertEqual(sum(found["gpu.issue_slots.issued"]), 2400)
        self.assertEqual(set(found["gpu.ipc"]), {0.5})
        self.assertEqual((found["interval.start"][1], found["interval.end"][1]), (4, 8))


class RunTest(ReportTest):
    def run_heddle(self, *words):
        done = self.call("run", *words, command=(HEDDLE,))
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_page_of_a_run(self):
        self.run_heddle("saxpy", "--config", "tiny", "--option", "n=2048", "--set", "l1d.mshrs=8",
                        "--seed", "7", "--report", "run.html", "--stats", "run.json")
        page = (self.folder / "run.html").read_text("utf-8")
        self.assertEqual(sorted(file.name for file in self.folder.iterdir()),
                         ["run.html", "run.json"])
        self.assertNotIn("--report", page)
        for text in ("<h1>saxpy on tiny</h1>", "run saxpy --config tiny --option n=2048 --set "
                     "l1d.mshrs=8 --seed 7 --stats run.json", "Over time", "CPI stack",
                     "Warp sizes", "DRAM", "(256, 1, 1)", "l1d.mshrs", "Which lines wait",
                     "entry of saxpy"):
            self.assertIn(text, page)
        self.assertRegex(page, r"saxpy_kernel\.cpp:\d+</td><td><code>[^<]*y\[i\]")

    def test_lines_of_a_run(self):
        self.run_heddle("saxpy", "--config", "tiny", "--option", "n=2048", "--stats", "run.json",
                        "--lines", "lines.csv")
        self.run_heddle("saxpy", "--config", "tiny", "--option", "n=2048", "--lines", "lines.json")
        rows = [lines.read_lines(self.folder / name) for name in ("lines.csv", "lines.json")]
        self.assertEqual(*rows)
        found = json.loads((self.folder / "run.json").read_text("utf-8"))["statistics"]
        for name in ("issued", "memory", "no_warp"):
            self.assertEqual(sum(line["slots"].get(name, 0) for line in rows[0]),
                             found[f"gpu.issue_slots.{name}"]["value"])
        self.assertTrue(rows[0][-1]["nowhere"])
        page = self.made("run.json", "--lines", "lines.csv")
        self.assertIn("Which lines wait", page)
        self.assertNotIn("Which lines wait", self.made("run.json"))
        self.assertIn("not a list of lines", self.refused("run.json", "--lines", "run.json"))

    def test_command_line_gives_the_same_run(self):
        self.run_heddle("saxpy", "--config", "tiny", "--option", "n=2048", "--set", "l1d.mshrs=8",
                        "--set", "smx.scheduler=lrr", "--seed", "7", "--stats", "a.json")
        page = self.made("a.json")
        command = re.search("<pre>heddle (.*)</pre>", page)[1]
        self.assertIn("--set l1d.mshrs=8", command)
        self.run_heddle(*command.split()[1:], "--stats", "b.json")
        same = [json.loads((self.folder / name).read_text()) for name in ("a.json", "b.json")]
        for one in same:
            for name in [name for name in one["statistics"] if name.startswith("host.")]:
                del one["statistics"][name]
        self.assertEqual(*same)

    def test_page_without_time(self):
        self.run_heddle("saxpy", "--config", "tiny", "--functional", "--report", "run.html")
        self.assertIn("functional simulator", (self.folder / "run.html").read_text("utf-8"))

    def test_run_that_ends_early_has_a_page(self):
        done = self.call("run", "saxpy", "--config", "tiny", "--max-cycles", "500", "--report",
                         "run.html", command=(HEDDLE,))
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("ended early", (self.folder / "run.html").read_text("utf-8"))

    def test_page_that_cannot_be_written_stops_the_run_first(self):
        for words in (["--report", "nowhere/run.html"], ["--report", "run.pdf"]):
            done = self.call("run", "saxpy", "--config", "tiny", *words, command=(HEDDLE,))
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(words[1], done.stderr)

    def test_launches_of_kernels(self):
        self.run_heddle("bfs_pockets", "--config", "gk110", "--mode", "cdp", "--input",
                        "kronecker:scale=6,degree=8", "--option", "threshold=4", "--report",
                        "run.html")
        self.assertRegex((self.folder / "run.html").read_text("utf-8"), r">\d+\.\d+</td>")

    def test_names_are_text(self):
        page = self.made(self.write("run.json", stats(facts={"what": "<b>&\"</script>"})))
        self.assertIn("&lt;b&gt;&amp;", page)
        self.assertNotIn("<b>&", page)
        self.assertEqual(page.count("</script>"), page.count("<script"))

    def test_nothing_is_loaded(self):
        page = self.made(self.write("run.json", stats()))
        self.assertEqual(re.findall(r"(?:src|href)=\"(?!#|data:)[^\"]*\"|@import|url\(", page), [])


class SeveralTest(ReportTest):
    def test_side_by_side(self):
        self.write("a.json", stats())
        self.write("b.json", stats(facts={"configuration": {"l1d.mshrs": 64}},
                                   values={"gpu.cycles": 50}))
        page = self.made("a.json", "b.json")
        self.assertLess(page.index("What differs"), page.index(">Summary</h2>"))
        self.assertIn("×0.5", page)
        self.assertIn("--set l1d.mshrs=64", page)

    def test_many_runs_become_a_sweep(self):
        for at in range(12):
            self.write(f"many/{at:02}.json", stats(facts={"seed": at // 6, "configuration":
                       {"l1d.mshrs": 2 ** (at % 6)}}, values={"gpu.cycles": at}))
        page = self.made("many")
        data = json.loads(re.search(r'id="data">(.*?)</script>', page)[1])
        self.assertEqual([(axis["name"], axis["values"]) for axis in data["axes"]],
                         [("seed", [0, 1]), ("l1d.mshrs", [1, 2, 4, 8, 16, 32])])
        cycles = next(one for one in data["statistics"] if one["name"] == "gpu.cycles")
        self.assertEqual(cycles["values"], list(range(12)))
        self.assertNotIn("smx.0.blocks", page)

    def test_sweep_of_a_thousand_runs(self):
        write_sweep(self.folder / "sweep.csv")
        page = self.made("sweep.csv")
        self.assertLess(len(page.encode()), 10e6)
        self.assertIn("<b>1,000</b> runs", page)
        self.assertEqual(self.made(self.folder), page)

    def test_paper(self):
        self.write("small/values.csv", PAPER)
        self.write("small/fig3.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")
        page = self.made("small")
        self.assertIn('<span class="verdict agrees">agrees</span> <b>2</b>', page)
        for shown in (">+12.50 ± 0.12<", ">1,235 ± 67<", ">a b<"):
            self.assertIn(shown, page)
        self.assertIn("data:image/svg+xml;base64,", page)
        self.assertEqual(self.made("small/values.csv"), page)

    def test_same_input_gives_the_same_bytes(self):
        write_sweep(self.folder / "sweep.csv")
        self.assertEqual(self.made("sweep.csv"), self.made("sweep.csv"))


class RefusedTest(ReportTest):
    def test_files_that_make_no_page(self):
        self.write("run.json", stats())
        self.write("other.json", stats(facts={"version": "2.0"}))
        self.write("no.json", "{}")
        self.write("broken.json", '{"run": {},\n "statistics": {')
        self.write("empty.json", {"run": {}, "statistics": {}})
        self.write("text.json", {"run": {}, "statistics": {"gpu.ipc": {"value": "high"}}})
        self.write("other.csv", "a,b\n1,2\n")
        self.write("short.csv", "a,b\n1\n")
        self.write("nothing/readme.txt", "")
        self.write("two/a.csv", PAPER)
        self.write("two/b.csv", PAPER)
        self.write("verdict.csv", PAPER.replace("agrees", "fine"))
        for words, expected in [
                (["nowhere.json"], "'nowhere.json': No such file or directory"),
                (["no.json"], "'no.json': not a statistics file"),
                (["broken.json"], "'broken.json': no JSON at line 2"),
                (["empty.json"], "'empty.json': there are no statistics"),
                (["text.json"], "statistic 'gpu.ipc' has no \"value\""),
                (["run.json", "other.json"], "'other.json': a run of version 2.0, but 'run.json' "
                 "is of version 1.0"),
                (["run.json", "other.csv"], "'other.csv': a table has a page of its own"),
                (["other.csv"], "'other.csv': neither a sweep nor a paper"),
                (["short.csv"], "'short.csv': line 2 has 1 cells, but line 1 names 2 columns"),
                (["verdict.csv"], "line 2: unknown verdict 'fine'"),
                (["nothing"], "'nothing': nothing in it can be shown"),
                (["two"], "'two': there are several tables in it: a.csv, b.csv; name one"),
                (["run.json", "--series", "other.csv"], "'other.csv': not a series"),
                (["run.json", "--launches", "other.csv"], "'other.csv': not a list of launches"),
                (["run.json", "run.json", "--series", "s.csv"], "--series belongs to one run"),
                (["run.json", "-o", "nowhere/a.html"], "'nowhere/a.html': cannot be written"),
                (["run.json", "-o", "two"], "'two': cannot be written"),
                (["run.json", "-o", "run.json"], "'run.json': the page would replace"),
                (["run.json", "--colour"], "unrecognized arguments: --colour"),
                ([], "DIR|CSV|STATS.json is missing")]:
            with self.subTest(words=words):
                self.assertIn(expected, self.refused(*words))

    def test_sweep_with_faults(self):
        for table, units, expected in [
                ("a,s\n1,2\n", "name,unit\na,\n", "line 1 is not 'name,unit,kind'"),
                ("a,s\n1,2\n", "name,unit,kind\na,,axe\n", "line 2: unknown kind 'axe' of 'a'"),
                ("a,s\n1,2\n", "name,unit,kind\na,,axis\n", "there is no column 's' in"),
                ("a,s\n1,x\n", "name,unit,kind\na,,axis\ns,,statistic\n",
                 "line 2: statistic 's' is 'x', expected a number"),
                ("a\n1\n", "name,unit,kind\na,,axis\n", "no statistic in it has a value"),
                ("a,s\n1,\n", "name,unit,kind\na,,axis\ns,,statistic\n",
                 "no statistic in it has a value"),
                ("a,s\n", "name,unit,kind\na,,axis\ns,,statistic\n", "there are no runs")]:
            with self.subTest(expected=expected):
                self.write("s.csv", table)
                self.write("s.units.csv", units)
                self.assertIn(expected, self.refused("s.csv"))

    def test_older_page_stays_when_a_new_one_fails(self):
        self.write("report.html", "old")
        self.refused("nowhere.json")
        self.assertEqual((self.folder / "report.html").read_text(), "old")

    def test_full_disk(self):
        self.write("run.json", stats())
        before = sorted(self.folder.iterdir())
        done = self.call("-c", 'ulimit -f 1; exec "$0" report run.json', HEDDLE,
                         command=("/bin/sh",))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("cannot be written: File too large", done.stderr)
        self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_missing_package_is_named(self):
        self.write("blocked/jinja2.py", "raise ModuleNotFoundError(name='jinja2')")
        self.write("run.json", stats())
        environment = {**os.environ, "PYTHONPATH": str(self.folder / "blocked")}
        self.assertIn("python3-jinja2", self.refused("run.json", env=environment))
        done = self.call("run", "saxpy", "--config", "tiny", "--report", "a.html",
                         command=(HEDDLE,), env=environment)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("apt-get install python3-jinja2", done.stderr)

    def test_script_says_what_the_command_says(self):
        self.assertEqual(self.refused("nowhere.json"),
                         self.refused("nowhere.json", command=(SCRIPT,)))


if __name__ == "__main__":
    unittest.main()
