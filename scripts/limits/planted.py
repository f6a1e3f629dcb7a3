# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Planted bottlenecks (tests/why/planted.toml): is each the first answer of `heddle why`?"""
import argparse
import contextlib
import dataclasses
import fnmatch
import io
import json
import os
import pathlib
import subprocess
import tempfile
import time
import tomllib

from limits import command

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "tests/why/planted.toml"
KERNELS = ROOT / "tests/why/kernels"


@dataclasses.dataclass(frozen=True)
class Planted:
    """`words` are of `heddle run`, `first` the parts of which one must come first."""
    name: str
    words: list
    first: list

    def named_by(self, line):
        """Whether a line of the answer names what was starved: a group, or what belongs to it."""
        return any(name == one or name.startswith(one + ".") for one in self.first
                   for name in (line["part"], line["block"]))


def settings(texts):
    return [word for text in texts for word in ("--set", text)]


def read(config=None):
    """The rows of the table, perhaps on another configuration."""
    table = tomllib.loads(TABLE.read_text("utf-8"))
    common = table["common"] + (["--config", config] if config else [])
    return [Planted(row["name"], row["run"].split() + common
                    + settings(row.get("machine", []) + row["starve"]), row["first"])
            for row in table["planted"]]


def compile_kernels(binary, folder):
    for source in sorted(KERNELS.glob("*.cpp")):
        subprocess.run([str(binary), "compile", str(source), "-o",
                        str(folder / f"{source.stem}.elf")], check=True, capture_output=True)


def answer(planted, binary, store, jobs):
    """The document of `heddle why --json`, in the folder with the kernels; None if it refuses."""
    chosen = ["--binary", str(binary), "--store", str(store), "--jobs", str(jobs), "--quick",
              "--json"]
    written = io.StringIO()
    with contextlib.redirect_stdout(written), contextlib.redirect_stderr(io.StringIO()) as said:
        code = command.main([*chosen, *planted.words])
    if code == 2:
        print(f"NOT   {planted.name}: {said.getvalue().splitlines()[-1]}", flush=True)
        return None
    return json.loads(written.getvalue())


def best(document):
    """The first lines of the answer."""
    return [one for one in document["parts"] if one["gain"] is not None][:3]


def main(words=None):
    parser = argparse.ArgumentParser(prog="scripts/why_planted", description=__doc__)
    parser.add_argument("--binary", type=pathlib.Path, default=ROOT / "build/release/heddle")
    parser.add_argument("--config", metavar="NAME",
                        help="another machine than that of the table; it may refuse rows")
    parser.add_argument("--only", default="*", metavar="GLOB", help="rows to carry out")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N")
    parser.add_argument("--store", type=pathlib.Path, metavar="FOLDER",
                        help="where results are kept; nowhere if not given")
    chosen = parser.parse_args(words)
    rows = [one for one in read(chosen.config) if fnmatch.fnmatchcase(one.name, chosen.only)]
    if not rows:
        parser.error(f"--only {chosen.only}: no such row in {TABLE}")
    found = runs = 0
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        store = (chosen.store or pathlib.Path(place, "store")).resolve()
        binary = chosen.binary.resolve()
        os.chdir(place)
        compile_kernels(binary, pathlib.Path(place))
        for row in rows:
            started = time.monotonic()
            document = answer(row, binary, store, chosen.jobs)
            if document is None:
                continue
            lines = best(document)
            good = bool(lines) and lines[0]["gain"] > 0 and row.named_by(lines[0])
            found += good
            runs += document["runs"]
            text = ", ".join(f"{one['part']} {-100 * one['gain']:+.1f} %" for one in lines)
            print(f"{'first' if good else 'NOT  '} {row.name:<24} {document['runs']:>4} runs "
                  f"{time.monotonic() - started:>5.1f} s  {text}", flush=True)
    print(f"{found} of {len(rows)} first, {runs} runs, {time.monotonic() - begin:.0f} s")
    return 0 if found == len(rows) else 1
