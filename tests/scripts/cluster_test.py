# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Sweeps with a profile, on a stand-in for a cluster whose jobs are processes of this machine."""
import signal
import subprocess
import time
import unittest

from sweep_fixture import SweepTest

SUBMIT = """#!/bin/sh
# The last argument is the script of the job; the number of a job is its process group.
for script; do :; done
setsid sh "$script" > slurm-$$.out 2>&1 < /dev/null &
echo $!
"""
STATUS = """#!/bin/sh
# A job that has ended is looked at by its output.
kill -0 "$1" 2>/dev/null && echo running || echo success
"""
CANCEL = """#!/bin/sh
for job; do kill -KILL -- "-$job"; echo "$job" >> {place}/cancelled; done
"""
PROFILE = """
cluster: {place}/profile/submit
cluster-status: {place}/profile/status
cluster-cancel: {place}/profile/cancel
max-status-checks-per-second: 10
"""


class ClusterTest(SweepTest):
    def setUp(self):
        super().setUp()
        self.profile = self.place / "profile"
        self.profile.mkdir()
        (self.profile / "config.yaml").write_text(PROFILE.format(place=self.place))
        for name, text in (("submit", SUBMIT), ("status", STATUS), ("cancel", CANCEL)):
            (self.profile / name).write_text(text.replace("{place}", str(self.place)))
            (self.profile / name).chmod(0o755)

    def test_the_csv_is_that_of_a_local_sweep(self):
        self.sweep(store="local")
        output = self.sweep("--profile", str(self.profile), store="cluster")
        self.assertIn("with 64 at a time", output)
        self.assertEqual(self.csv("local"), self.csv("cluster"))
        self.assertEqual(len(self.runs()), 16)

    def test_ctrl_c_cancels_the_jobs(self):
        child = subprocess.Popen(self.command("--profile", str(self.profile)),
                                 env=self.environment(60), stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True)
        deadline = time.monotonic() + 60
        while not self.runs() and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        output, _ = child.communicate(timeout=90)
        self.assertEqual(child.returncode, 130, output)
        self.assertTrue((self.place / "cancelled").read_text())
        self.assertEqual(list(self.place.glob("store/running_*")), [])

    def test_a_profile_that_is_not_there(self):
        self.assertIn("no such folder with a config.yaml", self.sweep("--profile", "none", code=2))


if __name__ == "__main__":
    unittest.main()
