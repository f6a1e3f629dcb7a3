# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""What the files of rows, runs and criteria may say; the ones of this tree are among the cases."""
import unittest

from paper_fixture import CRITERIA, ROOT, ROWS, RUNS, PaperTest

from experiments.definitions import SIZES, DefinitionError, Definitions


class DefinitionsTest(PaperTest):
    def refused(self, message, **files):
        self.define(**files)
        with self.assertRaisesRegex(DefinitionError, message):
            Definitions(self.place).paper("test")

    def test_those_of_this_tree_are_good(self):
        definitions = Definitions(ROOT / "scripts/experiments")
        self.assertIn("warp_scheduling", definitions.papers())
        for name in definitions.papers():
            self.assertTrue(definitions.paper(name).rows)

    def test_all_runs_of_a_variant_have_one_machine(self):
        definitions = Definitions(ROOT / "scripts/experiments")
        for name, chosen in definitions.sets.items():
            for variant in chosen.variants:
                for size in SIZES:
                    machines = {(run.configuration, run.parameters) for run in
                                (definitions.run(name, variant, benchmark, size)
                                 for benchmark in chosen.benchmarks)}
                    self.assertEqual(len(machines), 1)

    def test_no_parameter_depends_on_the_workload(self):
        self.refused("'l1d.size' is a parameter of the machine; a parameter must not depend",
                     runs=RUNS.replace("{ n = 3 }", '{ n = 3, "l1d.size" = 1024 }'))
        self.refused("'configuration' is a parameter of the machine",
                     runs=RUNS.replace("{ n = 3 }", '{ n = 3, configuration = "g80" }'))
        self.refused("workloads.A: unknown key 'parameters'",
                     runs=RUNS.replace('workload = "first"',
                                       'workload = "first"\nparameters = {}'))
        other = RUNS + ('[sets.other]\nlike = "base"\nworkloads = ["A"]\n'
                        'parameters = { "l1d.size" = 1024 }\n')
        self.refused("paper.runs: 'old' of set 'other' has other parameters", runs=other,
                     rows=ROWS.replace('["base"]', '["base", "other"]'))
        self.refused("row 'gain_a': set 'other' is not one of paper.runs", runs=other,
                     rows=ROWS.replace("base.new['gpu.ipc']['A']", "other.new['gpu.ipc']['A']"))

    def test_options_of_a_variant_hold_for_every_workload(self):
        self.define(runs=RUNS.replace('"smx.scheduler" = "lrr"',
                                      '"smx.scheduler" = "lrr", options = { n = 9, m = 2 }'))
        definitions = Definitions(self.place)
        for benchmark in definitions.sets["base"].benchmarks:
            self.assertEqual(dict(definitions.run("base", "old", benchmark, "ci").options),
                             {"n": 9, "m": 2})
            self.assertNotIn("m", dict(definitions.run("base", "new", benchmark, "ci").options))

    def test_mistakes_are_named(self):
        self.refused("row 'gain': no criterion 'chance'",
                     rows=ROWS.replace('"change"', '"chance"'))
        self.refused("row 'gain': 'paper' and 'criterion' go together",
                     rows=ROWS.replace('criterion = "change"\n', ""))
        self.refused("row 'gain': set 'base' has no variant 'newer' .there are: old, new",
                     rows=ROWS.replace("mean(ratio(base.new", "mean(ratio(base.newer"))
        self.refused("row 'gain_a': set 'base' has no workload 'D'",
                     rows=ROWS.replace("['A'], base", "['D'], base"))
        self.refused("row 'gain': no function 'sum'", rows=ROWS.replace("mean(ratio", "sum(ratio"))
        self.refused("row 'gain': '10' is no value for a criterion of kind 'number'",
                     rows=ROWS.replace("paper = 10", "paper = '10'"))
        self.refused("row 'gain_a': 'low' is no value for a criterion of kind 'claim'",
                     rows=ROWS.replace('"higher"', '"low"'))
        self.refused("row 'table': 'summary' is one of mean,",
                     rows=ROWS.replace('"mean"', '"sum"'))
        self.refused("row 'table': 'lines', 'summary' and 'chart' are for tables",
                     rows=ROWS.replace('columns = ["old", "new"]\n', ""))
        self.refused("row 'gain': given twice", rows=ROWS.replace('"gain_a"', '"gain"'))
        self.refused("row 'gain': unknown key 'verdict'",
                     rows=ROWS.replace("paper = 10", 'paper = 10\nverdict = "agrees"'))
        self.refused("test.toml: .*line", rows="[paper\n")
        self.refused("workloads.C: size 'default' is missing",
                     runs=RUNS.replace("default = { n = 4 }\n", ""))
        self.refused("sets.base: no workload 'D'", runs=RUNS.replace('"C"]', '"D"]'))
        self.refused("sets.base.old: 'scheduler' is no parameter's name",
                     runs=RUNS.replace('"smx.scheduler" = "lrr"', '"scheduler" = "lrr"'))
        self.refused("claim: 'reason' is missing",
                     criteria=CRITERIA.replace('kind = "claim"\nreason = "a test"',
                                               'kind = "claim"'))
        self.define()
        with self.assertRaisesRegex(DefinitionError, "no such paper .there are: test"):
            Definitions(self.place).paper("other")

    def test_the_command_refuses_with_code_2(self):
        self.define(rows=ROWS.replace('"change"', '"chance"'))
        self.assertIn("scripts/paper: ", self.paper(code=2))
        self.define()
        self.assertIn("no row 'x' (there are: table, gain", self.paper("--only", "x", code=2))
        self.assertIn("expected KEY=VALUE", self.paper("--set", "x", code=2))
        self.assertIn("no such program", self.paper(code=2, binary="/nowhere/heddle"))
        self.define(rows=ROWS.replace("base.{column}['gpu.ipc']", "base.{column}['gpu.ipcs']"))
        self.assertIn("row 'table': base.old[A] has no statistic 'gpu.ipcs'", self.paper(code=2))
        self.assertEqual(len(self.runs()), 6)
        self.define(rows=ROWS.replace("percent(mean(ratio(base.new['gpu.ipc'], "
                                      "base.old['gpu.ipc'])))", "base.new['gpu.ipc']"))
        self.assertIn("row 'gain': a list of values needs 'columns'", self.paper(code=2))
        self.define(rows=ROWS.replace("percent(mean(ratio(base.new['gpu.ipc'], "
                                      "base.old['gpu.ipc'])))", "top(base.new['gpu.ipc'], 1)"))
        self.assertIn("row 'gain': names and numbers can't be compared", self.paper(code=2))


if __name__ == "__main__":
    unittest.main()
