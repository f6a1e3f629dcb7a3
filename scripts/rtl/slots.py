# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Modules of slots in their shells, and the ports of heddle_ports."""
import os
import pathlib
import re

from rtl.simulators import ROOT, Rtl, Simulation, Unusable, run

PORTS = pathlib.Path(os.environ.get("HEDDLE_PORTS", ROOT / "build/release/hw/cosim/heddle_ports"))


def own_rtl(slot):
    """Heddle's module for a slot."""
    lists = (ROOT / "hw/cosim/CMakeLists.txt").read_text()
    found = re.search(rf"heddle_rtl\({slot} MODULE (\w+)\s+SOURCES ([^)]+)\)", lists)
    if found is None:
        raise Unusable(f"is of slot {slot}, for which Heddle has no RTL")
    return Rtl(found[1], [ROOT / "hw/cosim" / source for source in found[2].split()])


# Operations of these take several clocks, as long as an output is high; what an operation gives in
# several clocks is a set: the output that says so, and the first and the last that belong to it.
BUSY = {"formation": "busy", "tm_bank": "busy"}
SETS = {"tm_bank": ("restore", "restored_row", "restored_word")}


def expect_ports():
    if not PORTS.exists():
        raise Unusable(f"needs {PORTS}: run scripts/setup first")


def write_shell(slot, rtl, parameters, folder):
    """The module SLOT_shell around the RTL, in a file of `folder`, and its text."""
    expect_ports()
    shell = run([PORTS, "shell", slot, rtl.module, *parameters], folder, "heddle_ports").stdout
    file = folder / f"{slot}_shell.sv"
    file.write_text(shell)
    return file, shell


class SlotBench:
    """RTL of a slot that plays traces."""

    def __init__(self, slot, rtl, simulator, folder, parameters=(), main=("--binary",)):
        self._slot, self._folder = slot, folder
        file, shell = write_shell(slot, rtl, parameters, folder)
        widths = {way: int(re.search(rf"{way} logic \[(\d+):0\] (in|out)\b", shell)[1]) + 1
                  for way in ("input", "output")}
        defines = {"SHELL": f"{slot}_shell", "INPUTS": widths["input"],
                   "OUTPUTS": widths["output"], **_operations(slot)}
        self._simulation = Simulation(simulator, "replay",
                                      [ROOT / "hw/rtl/replay.sv", file], rtl,
                                      defines, folder, main)

    def play(self, trace, seed=1):
        """What the bench says, and whether it has found no difference."""
        plus = {"trace": trace, "coverage": self._folder / f"{seed}.coverage"}
        text, equal = self._simulation.run(plus, seed)
        return (text if equal else by_ports(text, self._slot)), equal


def _operations(slot):
    """Defines of replay.sv for operations of several clocks."""
    places = {name: (low, high) for way, name, low, high in ports_of(slot) if way == "output"}
    defines = {}
    if slot in BUSY:
        defines["BUSY"] = places[BUSY[slot]][0]
    if slot in SETS:
        valid, first, last = SETS[slot]
        defines.update(SET_VALID=places[valid][0], SET_LOW=places[first][0],
                       SET_HIGH=places[last][1] - 1)
    return defines


def ports_of(slot):
    """(way, name, lowest bit, bit behind the highest) of each element of each port."""
    listed = run([PORTS, "list"], None, "heddle_ports").stdout
    table = re.search(rf"^slot\.{slot}\n((?:  .*\n)*)", listed, re.M)[1]
    at = {"input": 0, "output": 0}
    for way, name, width, elements in re.findall(r"(\w+) +(\w+) +(\d+)(?: x (\d+))?", table):
        if name in ("clk", "rst_n", "enable"):
            continue
        for element in range(int(elements or 1)):
            low, at[way] = at[way], at[way] + int(width)
            yield way, f"{name}[{element}]" if elements else name, low, at[way]


def by_ports(text, slot):
    """The first difference by ports: names, what they are, and what the trace has."""
    found = re.search(r"inputs (\w+) give (\w+); the trace has (\w+), of which count (\w+)", text)
    if found is None:
        return text
    inputs, outputs, expected, counts = (bits_of(digits) for digits in found.groups())
    lines = []
    for way, name, low, high in ports_of(slot):
        if way == "input":
            value = shown(inputs[low:high])
            if value != "0x0":
                lines.append(f"  input  {name} = {value}")
            continue
        if any(counts[n] == "1" and outputs[n] != expected[n] for n in range(low, high)):
            lines.append(f"  output {name} = {shown(outputs[low:high])}, the trace has "
                         f"{shown(expected[low:high])}")
    text = text.replace(found[0], "a difference")
    return text.rstrip("\n") + "\nBy ports (inputs that are 0 are left out):\n" + "\n".join(lines) + "\n"


def bits_of(digits):
    """Bits of a hexadecimal number, the lowest one first; x and z stand for four of them."""
    bits = "".join(4 * digit if digit in "xXzZ" else f"{int(digit, 16):04b}" for digit in digits)
    return bits[::-1].lower()


def shown(bits):
    return f"{int(bits[::-1], 2):#x}" if set(bits) <= {"0", "1"} else "0b" + bits[::-1]
