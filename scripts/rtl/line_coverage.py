# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Which lines of RTL a bench in Verilator has executed."""
import pathlib
import re

from rtl.simulators import run

MAIN = pathlib.Path(__file__).resolve().parent / "coverage_main.cpp"
# In the place of Verilator's own main().
WORDS = ["--cc", "--exe", "--build", "--coverage-line", str(MAIN)]


def show(folder, rtl):
    """Prints the lines of the RTL that no run in `folder` has executed."""
    run(["verilator_coverage", "--annotate", folder / "annotated", "--annotate-all", "--annotate-min", 1,
         *sorted(folder.glob("*.coverage"))], folder, "verilator_coverage")
    missing, points = [], 0
    for source in rtl.sources:
        name = pathlib.Path(source).name
        annotated = folder / "annotated" / name
        if not annotated.exists():  # nothing in it counts
            continue
        number, after_more = -1, False  # the first line is Verilator's
        for line in annotated.read_text().splitlines():
            more = "verilator_coverage: (next point on previous line)" in line
            number += not more and not (after_more and line == "")  # it puts an empty line behind
            after_more = more
            found = re.match(r"([% ])\d{6,}\t(.*)", line)
            if found is None:
                continue
            points += 1
            if found[1] == "%":
                text = "another branch of this line" if more else found[2].strip()
                missing.append(f"  {name}:{number}: {text}")
    print(f"\nbranches of the RTL: {points - len(missing)} of {points} were taken")
    for line in missing:
        print(line)
