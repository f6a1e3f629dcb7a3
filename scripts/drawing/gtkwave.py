# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""waveform.png (the launch path), waveform_smx.png (some cycles of an SMX) and waveform_dram.png
(the commands of a DRAM channel): real runs, opened in GTKWave on a virtual screen. Needs, beside
scripts/packages.txt, the Debian packages xvfb, xauth and imagemagick."""
import pathlib
import re
import tempfile

from drawing.program import expect_tools, output_of

SAXPY = ["saxpy", "--config", "tiny", "--option", "n=2048"]
SHOT = """cd "$0"
gtkwave wave.fst wave.fst.gtkw > log 2>&1 & viewer=$!
sleep 6
import -window root -crop "1420x$1+0+0" -trim +dither -colors 48 -strip png8:wave.png
kill "$viewer" || { cat log; exit 1; }"""
# Marks of a GTKWave save file that fold a group of traces.
FOLD = {"@c00200", "@1401200", "@800200", "@1000200"}


def shoot(heddle, file, screen, height, run, view=lambda text: text):
    """A run with these words in GTKWave on a screen of so many lines, of which the picture has the
    first `height`; `view` changes the save file."""
    expect_tools(("gtkwave", "xvfb-run", "import"), "gtkwave xvfb xauth imagemagick")
    with tempfile.TemporaryDirectory() as place:
        output_of(heddle, "run", *run, "--vcd", f"{place}/wave.fst")
        saved = pathlib.Path(place, "wave.fst.gtkw")
        saved.write_text(view(saved.read_text()))
        output_of("xvfb-run", "-a", "-s", f"-screen 0 1420x{screen}x24", "bash", "-c", SHOT, place,
                  height)
        file.write_bytes(pathlib.Path(place, "wave.png").read_bytes())


def bank_names(text):
    """One line for each bank instead of a folded group."""
    lines = [re.sub(r"^gpu\.memory_controller_0\.(bank_\d+)\.command", r"+{\1 command} \g<0>", line)
             for line in text.splitlines()]
    return "\n".join(line for line in lines if line not in FOLD
                     and not re.search(r"-bank_\d|-Others", line)) + "\n"


def waveform(heddle, file):
    shoot(heddle, file, 940, 940, SAXPY)


def waveform_smx(heddle, file):
    shoot(heddle, file, 940, 655,
          [*SAXPY, "--trace-scope", "gpu.smx_0", "--trace-cycles", "150:176"])


def waveform_dram(heddle, file):
    shoot(heddle, file, 640, 540,
          ["saxpy", "--config", "gf100", "--trace-cycles", "2886:2916",
           "--trace-scope", "gpu.memory_controller_0.queue",
           "--trace-scope", "gpu.memory_controller_0.bank_*.command"], bank_names)
