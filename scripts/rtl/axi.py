# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""A memory behind AXI4, alone: a random manager and the checker of the rules around it."""
import ctypes
import os
import pathlib

from rtl.simulators import ROOT, SECONDS, Rtl, Unusable, run

BENCH = pathlib.Path(os.environ.get("HEDDLE_AXI_BENCH",
                                    ROOT / "build/release/hw/axi/libheddle_axi_bench.so"))
MAIN = pathlib.Path(__file__).resolve().parent / "axi_main.cpp"
NAME = "axi_memory"


def own_rtl():
    return Rtl("axi_store", [ROOT / "hw/rtl/axi_memory.sv", ROOT / "hw/rtl/axi_store.sv"])


def pins():
    """(way, name, bits) of each pin."""
    if not BENCH.exists():
        raise Unusable(f"needs {BENCH}: scripts/setup release heddle_axi_bench")
    library = ctypes.CDLL(str(BENCH))
    library.heddle_axi_pins.restype = ctypes.c_char_p
    for line in library.heddle_axi_pins().decode().splitlines():
        way, name, bits = line.split()
        yield way, name, int(bits)


def pin_name(pattern, name):
    """Name of a pin in a module: of aw_valid {c} is aw, {s} is valid, {C} and {S} are the same in
    capitals."""
    channel, signal = name.split("_")
    return pattern.format(c=channel, s=signal, C=channel.upper(), S=signal.upper())


def shell_of(rtl, chosen):
    """A module around the memory with its pins in two vectors."""
    used = {"w_data": chosen.width, "r_data": chosen.width, "w_strb": chosen.width // 8}
    at, lines = {"input": 0, "output": 0}, []
    for way, name, bits in pins():
        low, at[way] = at[way], at[way] + bits
        vector = "in" if way == "input" else "out"
        wide = used.get(name, bits)
        lines.append(f"      .{pin_name(chosen.pins, name)}({vector}[{low + wide - 1}:{low}])")
        if way == "output" and wide < bits:
            lines[-1] = lines[-1] + f" /* to {low + bits - 1} */"
    parameters = ", ".join(".{}({})".format(*one.split("=", 1)) for one in chosen.parameters)
    return (f"module axi_shell (\n    input logic clk,\n    input logic rst_n,\n"
            f"    input logic [{at['input'] - 1}:0] in,\n"
            f"    output logic [{at['output'] - 1}:0] out\n);\n"
            f"  {rtl.module} {'#(' + parameters + ') ' if parameters else ''}memory (\n"
            f"      .{chosen.clock}(clk),\n      .{chosen.reset}(rst_n),\n"
            + ",\n".join(lines) + "\n  );\nendmodule\n")


class AxiBench:
    """A memory in Verilator, with the bench around it."""

    def __init__(self, rtl, chosen, folder):
        self._folder, self._chosen = folder, chosen
        if not any(one.startswith("DATA_WIDTH=") for one in chosen.parameters) and rtl.module == "axi_store":
            chosen.parameters = [*chosen.parameters, f"DATA_WIDTH={chosen.width}",
                                 f"BYTES={chosen.region}"]
        shell = folder / "axi_shell.sv"
        shell.write_text(shell_of(rtl, chosen))
        coverage = ["--coverage-line"] if chosen.line_coverage else []
        run(["verilator", "--cc", "--exe", "--build", "--assert", "--timing", "-Wno-fatal", "-O3",
             "--x-assign", "unique", "--x-initial", "unique", *coverage, "--top-module",
             "axi_shell", "--Mdir", "made", "-o", "bench", "-CFLAGS", f"-I{ROOT} -std=c++20",
             "-LDFLAGS", f"{BENCH} -Wl,-rpath,{BENCH.parent}", MAIN, shell,
             *rtl.words("verilator", folder)], folder, "Verilator can't compile the RTL")

    def play(self, seed):
        """What the bench says, and whether no rule is broken."""
        chosen = self._chosen
        done = run(["made/bench", chosen.width // 8, chosen.ids, chosen.region, chosen.bursts, seed,
                    "+verilator+rand+reset+2", f"+verilator+seed+{seed}"], self._folder, None, SECONDS)
        return done.stdout, done.returncode == 0 and "no difference" in done.stdout
