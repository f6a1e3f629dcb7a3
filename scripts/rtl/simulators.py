# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Verilator and Icarus Verilog: compile RTL with a bench of hw/rtl, and run it."""
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 300  # that a simulation may take
SIMULATORS = ("verilator", "icarus")
NAMES = {"verilator": "Verilator", "icarus": "Icarus Verilog"}


# Verilator compiles its own runtime with each module.
if shutil.which("ccache"):
    os.environ.setdefault("OBJCACHE", "ccache")


class Unusable(Exception):
    """Nothing can be said of the RTL."""


@dataclasses.dataclass
class Rtl:
    """A module, and what a simulator needs to compile it."""

    module: str
    sources: list
    includes: list = ()
    defines: list = ()  # NAME or NAME=VALUE
    lists: list = ()  # files with names of files, relative ones from the list's folder
    waivers: list = ()  # Verilator's .vlt

    def words(self, simulator, folder):
        """`folder`: for files that the simulator reads in their place."""
        words = [f"-I{folder}" for folder in self.includes]
        words += [f"-D{define}" for define in self.defines]
        if simulator == "verilator":
            words += [str(file) for file in self.waivers]
            words += [word for file in self.lists for word in ("-F", str(file))]
        else:  # its -c resolves names from the working directory
            for number, file in enumerate(self.lists):
                copy = folder / f"files_{number}.c"
                copy.write_text("\n".join(absolute(file)) + "\n")
                words += ["-c", str(copy)]
        return words + [str(file) for file in self.sources]


def absolute(file):
    """The words of a list of files, with absolute names, and of the lists that it names."""
    folder = pathlib.Path(file).resolve().parent
    text = pathlib.Path(file).read_text(errors="replace")
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)
    made, words = [], iter(text.split())
    for word in words:
        if word in ("-f", "-F", "-c"):
            made += absolute(folder / next(words, ""))
        elif word in ("-y", "-v"):
            made.append(f"{word} {folder / next(words, '')}")
        elif word.startswith("+incdir+"):
            made += [f"+incdir+{folder / one}" for one in word.split("+")[2:] if one]
        elif word.startswith("-I"):
            made.append(f"+incdir+{folder / (word[2:] or next(words, ''))}")
        else:
            made.append(word if word[0] in "-+" else str(folder / word))
    return made


def run(command, folder, what, seconds=None):
    """With `what`, a command that fails is Unusable."""
    try:
        done = subprocess.run([str(word) for word in command], cwd=folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                              errors="replace", timeout=seconds)
    except FileNotFoundError:
        raise Unusable(f"{command[0]} is not installed") from None
    except subprocess.TimeoutExpired:
        raise Unusable(f"{command[0]} has not ended after {seconds} s") from None
    if done.returncode != 0 and what:
        raise Unusable(f"{what}:\n{done.stdout}")
    return done


class Simulation:
    """A bench around RTL, compiled."""

    def __init__(self, simulator, top, bench, rtl, defines, folder, main=("--binary",)):
        """`main`: what Verilator makes the program with."""
        self._folder = folder
        definitions = [f"-D{name}={value}" for name, value in defines.items()]
        if simulator == "icarus":
            self._program = ["vvp", "-n", "bench"]
            command = ["iverilog", "-g2012", "-s", top, "-o", "bench"]
        else:
            self._program = ["made/bench"]
            command = ["verilator", *main, "--assert", "--timing", "-Wno-fatal", "-O3",
                       "--x-assign", "unique", "--x-initial", "unique", "--top-module", top,
                       "--Mdir", "made", "-o", "bench"]
        run(command + definitions + bench + rtl.words(simulator, folder), folder,
            f"{NAMES[simulator]} can't compile the RTL")
        self._simulator = simulator

    def run(self, plus, seed=1):
        """What the bench says, and whether it has found no difference. `seed`: of what registers
        hold that nothing has loaded, in Verilator."""
        words = [f"+{name}={value}" for name, value in plus.items()]
        if self._simulator == "verilator":
            words += ["+verilator+rand+reset+2", f"+verilator+seed+{seed}"]
        done = run(self._program + words, self._folder, None, SECONDS)
        return done.stdout, done.returncode == 0 and "no difference" in done.stdout
