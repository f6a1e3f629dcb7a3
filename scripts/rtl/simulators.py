# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Verilator and Icarus Verilog: compile RTL with a bench of hw/rtl, and run it."""
import dataclasses
import os
import pathlib
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
    lists: list = ()  # files with names of files, as simulators' -f
    waivers: list = ()  # Verilator's .vlt

    def words(self, simulator):
        words = [f"-I{folder}" for folder in self.includes]
        words += [f"-D{define}" for define in self.defines]
        if simulator == "verilator":
            return words + [str(file) for file in self.waivers] + self._files("-f")
        return words + self._files("-c")

    def _files(self, option):
        lists = [word for file in self.lists for word in (option, str(file))]
        return lists + [str(file) for file in self.sources]


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
        run(command + definitions + bench + rtl.words(simulator), folder,
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
