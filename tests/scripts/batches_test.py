# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""How runs become batches, what a batch does, and what is known about costs."""
import contextlib
import io
import json
import os
import pathlib
import tempfile
import unittest

from paper_fixture import FAKE

from experiments import run_batch
from experiments.batches import LONGEST, MOST, Point, duration, expected, planned
from experiments.keys import state_of
from experiments.store import Cost, Store, StoreError, Working


def points(*seconds):
    """Points of these costs; None was never measured."""
    return [Point(i, i, None if one is None else Cost(one, 100 + i))
            for i, one in enumerate(seconds)]


class PlanTest(unittest.TestCase):
    def test_each_point_is_in_one_batch(self):
        given = points(*(i % 7 for i in range(1000)))
        keys = [point.key for batch in planned(given, 2) for point in batch.points]
        self.assertEqual(sorted(keys), list(range(1000)))

    def test_the_longest_begin_first(self):
        seconds = [batch.seconds for batch in planned(points(1, 500, 3, 90, 2), 1)]
        self.assertEqual(seconds[:2], [500, 90])

    def test_a_batch_lasts_a_minute_or_two(self):
        *batches, rest = planned(points(*[10] * 1000), 2)
        self.assertTrue(all(LONGEST / 2 <= batch.seconds <= LONGEST for batch in batches))
        self.assertLessEqual(rest.seconds, LONGEST)

    def test_short_runs_are_grouped_for_a_cluster(self):
        batches = planned(points(*[1] * 200), 64, shortest=60)
        self.assertEqual([batch.seconds for batch in batches], [60, 60, 60, 20])

    def test_few_runs_keep_all_processors_busy(self):
        self.assertGreaterEqual(len(planned(points(*[1] * 100), 4)), 4 * 8)
        self.assertGreaterEqual(len(planned(points(*[None] * 1000), 4)), 4 * 16)

    def test_there_are_at_most_some_hundreds(self):
        self.assertLessEqual(len(planned(points(*[100] * 10000), 64)), MOST + 1)
        self.assertLessEqual(len(planned(points(*[None] * 10000), 64)), MOST + 1)

    def test_what_was_never_measured_counts_as_a_mean_run(self):
        timed, unmeasured = expected(points(2, None, 4))
        self.assertEqual([seconds for seconds, _ in timed], [2, 3, 4])
        self.assertEqual(unmeasured, 1)
        self.assertEqual([seconds for seconds, _ in expected(points(None))[0]], [1])

    def test_memory_is_that_of_the_largest_run(self):
        batch = planned(points(0, 0, 0), 1)[0]
        self.assertEqual((batch.memory, batch.measured), (102, True))
        self.assertFalse(planned(points(0, None), 1)[0].measured)

    def test_durations(self):
        self.assertEqual([duration(one) for one in (9.6, 240, 7200)], ["10 s", "4 min", "2.0 h"])


class StoreTest(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)
        self.store = Store(self.place / "store")

    def batch(self, **changes):
        """Runs a batch of two points: (exit code, what it said)."""
        working = self.store.folder / "working"
        working.mkdir(parents=True, exist_ok=True)
        content = {"store": str(self.store.folder), "working": str(working), "states": {},
                   "folder": "/",
                   "points": [{"key": name, "work": "work", "machine": name, "kind": "workload",
                               "name": name, "words": [str(FAKE), "run", name]}
                              for name in ("first", "broken", "third")], **changes}
        file = self.place / "batch.json"
        file.write_text(json.dumps(content))
        os.environ["FAKE_RUNS"] = str(self.place / "runs.log")
        with contextlib.redirect_stderr(io.StringIO()) as said:
            code = run_batch.main(file, self.place / "mark")
        return code, said.getvalue()

    def test_a_batch_stores_results_costs_and_logs(self):
        self.assertEqual(self.batch(), (0, ""))
        self.assertTrue((self.place / "mark").exists())
        self.assertIn("gpu.ipc", self.store.statistics("first"))
        self.assertIsNone(self.store.statistics("broken"))
        self.assertIn("always fails", self.store.log("broken").read_text())
        self.assertEqual(self.store.ended(), {"first", "broken", "third"})
        self.assertGreater(self.store.cost("work", "first").memory, 0)
        self.assertEqual(list((self.store.folder / "working").iterdir()), [])

    def test_a_batch_that_starts_again_skips_what_has_finished(self):
        self.batch()
        self.batch()
        self.assertEqual((self.place / "runs.log").read_text().split(),
                         "run first run broken run third run broken".split())

    def test_a_result_that_cannot_be_stored_stops_the_batch(self):
        code, said = self.batch(working=str(self.place / "removed"))
        self.assertEqual(code, 3)
        self.assertIn(f"heddle batch: {self.store.folder}: a result can't be stored: No such file",
                      said)
        self.assertFalse((self.place / "mark").exists())

    def test_another_program_stops_the_batch_and_nothing_stale_is_stored(self):
        program = self.place / "program"
        program.write_text("one")
        states = {str(program): state_of(program)}
        program.write_text("other")
        code, said = self.batch(states=states)
        self.assertEqual(code, 3)
        self.assertIn(f"{program} has changed since the runs began", said)
        self.assertEqual(self.store.ended(), set())

    def test_costs_of_other_machines_are_an_estimate(self):
        working = Working(self.store)
        self.addCleanup(working.close)
        self.assertIsNone(self.store.cost("work", "a"))
        self.store.keep_cost("work", "a", Cost(2, 50), working.path)
        self.store.keep_cost("work", "b", Cost(4, 70), working.path)
        self.assertEqual(self.store.cost("work", "b"), Cost(4, 70))
        self.assertEqual(self.store.cost("work", "c"), Cost(3, 70))
        (self.store.folder / "costs/work/a").write_text("half a fi")
        self.assertEqual(self.store.cost("work", "a"), Cost(4, 70))

    def test_a_store_that_cannot_be_used_is_named(self):
        (self.place / "file").write_text("")
        with self.assertRaisesRegex(StoreError, "the store can't be written: Not a dir"):
            Working(Store(self.place / "file/store"))

    @unittest.skipUnless(os.geteuid() == 0, "only root gives a folder to another user")
    def test_a_store_of_another_user_is_named(self):
        self.store.folder.mkdir()
        os.chown(self.store.folder, 54321, -1)
        with self.assertRaisesRegex(StoreError, "the store belongs to user 54321"):
            Working(self.store)


if __name__ == "__main__":
    unittest.main()
