#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""make_faulty.py FAULTS SOURCE... FOLDER: copies SystemVerilog sources into FOLDER with all faults
of the list in them. The variable smx_fault::number switches one of them on; 0 is none."""
import collections
import pathlib
import re
import sys

ASSIGNMENT = re.compile(r"^.*?(?<![=<>!])<?=\s")


class FaultError(Exception):
    pass


def split(text):
    """File, text in front of the expression, the expression, what replaces it, text behind."""
    file, _, rest = text.partition(": ")
    bracketed = re.fullmatch(r"(.*)\[\[(.*) => (.*)\]\](.*)", rest)
    if bracketed:
        before, old, new, behind = bracketed.groups()
        return file, before, old, new, behind
    old, arrow, new = rest.partition(" => ")
    if not arrow:
        raise FaultError(f"'{text}': no ' => '")
    found = ASSIGNMENT.match(old)
    if found and new.startswith(found.group()):
        before = found.group()
        return file, before, old[len(before):], new[len(before):], ""
    return file, "", old, new, ""


def read_faults(path):
    lines = pathlib.Path(path).read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def make(sources, faults):
    """The sources by name, with all faults in them."""
    places = collections.defaultdict(list)
    for number, fault in enumerate(faults, 1):
        file, before, old, new, behind = split(fault)
        if file not in sources:
            raise FaultError(f"fault {number}: there is no {file}")
        whole = before + old + behind
        count = sources[file].count(whole)
        if count != 1 or old == new:
            raise FaultError(f"fault {number}: '{whole}' is {count} times in {file}; legal: once, "
                             "and something else in its place")
        start = sources[file].index(whole) + len(before)
        places[file].append((start, start + len(old), number, old, new))
    result = dict(sources)
    for file, changes in places.items():
        text = result[file]
        last = len(text)
        for start, end, number, old, new in sorted(changes, reverse=True):
            if end > last:
                raise FaultError(f"fault {number}: its place overlaps that of another one")
            text = text[:start] + f"((smx_fault::number == {number}) ? ({new}) : ({old}))" + text[end:]
            last = start
        result[file] = text
    return result


def main():
    faults, *files, folder = sys.argv[1:]
    try:
        made = make({pathlib.Path(f).name: pathlib.Path(f).read_text() for f in files},
                    read_faults(faults))
    except FaultError as error:
        sys.exit(f"make_faulty.py: {faults}: {error}")
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    package = "package smx_fault;\n  int number /*verilator public*/;\nendpackage\n"
    (pathlib.Path(folder) / "smx_fault.sv").write_text(package)
    for name, text in made.items():
        (pathlib.Path(folder) / name).write_text(text)


if __name__ == "__main__":
    main()
