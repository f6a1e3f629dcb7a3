# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Pictures with a mark show what the model does now, and a stale one is seen."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs/images"
sys.path.insert(0, str(ROOT / "scripts"))

from PIL import Image

from drawing import stamp

MARKED = ["report", "report_sweep", "timeline", "waveform", "waveform_dram", "waveform_smx"]


def check(*words):
    return subprocess.run([ROOT / "scripts/picture", "--check", "--binary",
                           os.environ["HEDDLE_COMMAND"], *map(str, words)],
                          capture_output=True, text=True, check=False)


class PicturesTest(unittest.TestCase):
    def test_those_of_the_pages_are_fresh(self):
        done = check(*MARKED)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_another_mark_is_stale(self):
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        with Image.open(IMAGES / "timeline.png") as picture:
            stamp.save(picture, folder / "timeline.png", stamp.of("another run"), colors=8)
        done = check("timeline", "--folder", folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn("timeline.png: stale; scripts/picture timeline draws it anew", done.stderr)

    def test_picture_without_a_mark_is_no_good_one(self):
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        self.assertEqual(check("timeline", "--folder", folder).returncode, 1)
        self.assertEqual(check("latency").returncode, 2)


if __name__ == "__main__":
    unittest.main()
