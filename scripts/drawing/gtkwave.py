# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""waveform.png (the launch path), waveform_smx.png (some cycles of an SMX) and waveform_dram.png
(the commands of a DRAM channel): real runs, opened in GTKWave on a virtual screen. Needs, beside
scripts/packages.txt, the Debian packages xvfb, xauth and imagemagick."""
import pathlib
import re
import tempfile

from PIL import Image

from drawing import stamp
from drawing.program import expect_tools, output_of

SAXPY = ["saxpy", "--config", "tiny", "--option", "n=2048"]
SHOT = """cd "$0"
gtkwave wave.fst wave.fst.gtkw > log 2>&1 & viewer=$!
sleep 6
import -window root -crop "1420x$1+0+0" -trim +dither -colors 48 -strip png8:wave.png
kill "$viewer" || { cat log; exit 1; }"""
# Marks of a GTKWave save file that fold a group of traces.
FOLD = {"@c00200", "@1401200", "@800200", "@1000200"}


def bank_names(text):
    """One line for each bank instead of a folded group."""
    lines = [re.sub(r"^gpu\.memory_controller_0\.(bank_\d+)\.command", r"+{\1 command} \g<0>", line)
             for line in text.splitlines()]
    return "\n".join(line for line in lines if line not in FOLD
                     and not re.search(r"-bank_\d|-Others", line)) + "\n"


class Waves:
    """A picture of a run's waveform on a screen of so many lines, of which it has the first `height`;
    `view` changes the save file. Its mark is of the signals and of the save file."""

    def __init__(self, name, screen, height, run, view=lambda text: text):
        self.__name__, self._screen, self._height, self._run, self._view = name, screen, height, run, view

    def _write(self, heddle, place, waves):
        """The waveform and the save file of a run."""
        output_of(heddle, "run", *self._run, "--vcd", f"{place}/{waves}")
        saved = pathlib.Path(place, waves + ".gtkw")
        saved.write_text(self._view(saved.read_text()))
        return saved

    def source(self, heddle):
        with tempfile.TemporaryDirectory() as place:
            saved = self._write(heddle, place, "wave.vcd")
            view = saved.read_text().replace(place, "").replace("wave.vcd", "")
            return stamp.of(pathlib.Path(place, "wave.vcd").read_text(), view)

    def __call__(self, heddle, file):
        expect_tools(("gtkwave", "xvfb-run", "import"), "gtkwave xvfb xauth imagemagick")
        with tempfile.TemporaryDirectory() as place:
            self._write(heddle, place, "wave.fst")
            output_of("xvfb-run", "-a", "-s", f"-screen 0 1420x{self._screen}x24", "bash", "-c", SHOT,
                      place, self._height)
            with Image.open(f"{place}/wave.png") as picture:
                stamp.save(picture, file, self.source(heddle), colors=48)


waveform = Waves("waveform", 940, 940, SAXPY)
waveform_smx = Waves("waveform_smx", 940, 655,
                     [*SAXPY, "--trace-scope", "gpu.smx_0", "--trace-cycles", "150:176"])
waveform_dram = Waves("waveform_dram", 640, 540,
                      ["saxpy", "--config", "gf100", "--trace-cycles", "2886:2916",
                       "--trace-scope", "gpu.memory_controller_0.queue",
                       "--trace-scope", "gpu.memory_controller_0.bank_*.command"], bank_names)
