# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""The records of a run, read: what exact_rules.py derives statistics from."""
import collections
import csv
import json
import pathlib
import re
import subprocess
import tempfile

Slice = collections.namedtuple("Slice", "begin end begin_ps end_ps name args")


class Run:
    """One run on the machine `tiny`, whose blocks all run with the core clock but memory."""

    def __init__(self, folder):
        result = json.loads((folder / "s.json").read_text())
        self.statistics = result["statistics"]
        self.configuration = result["run"]["configuration"]
        self.kilohertz = self.configuration["clock.core"]
        with open(folder / "r.tsv", encoding="utf-8") as file:
            self.retired = list(csv.DictReader(file, delimiter="\t"))
        with open(folder / "l.csv", encoding="utf-8") as file:
            self.launches = list(csv.DictReader(file))
        self.tracks = self._tracks(json.loads((folder / "t.json").read_text())["traceEvents"])
        self.waves = read_waves(folder / "w.vcd")

    def edge(self, picoseconds, kilohertz=None):
        """The first clock edge at or after a time: edge k is at floor(k * 10^9 / kHz) ps."""
        return -(-picoseconds * (kilohertz or self.kilohertz) // 10**9)

    def time(self, edge, kilohertz=None):
        return edge * 10**9 // (kilohertz or self.kilohertz)

    def values(self, name, edges):
        """Of a waveform variable, at each of the first core edges."""
        changes = self.waves[name]
        result, at, value = [], 0, None
        for edge in range(edges):
            while at < len(changes) and changes[at][0] <= self.time(edge):
                value = changes[at][1]
                at += 1
            result.append(value)
        return result

    def accesses(self, track):
        """The slices of a track that carry attributes: transactions, not the states inside."""
        return [s for s in self.tracks[track] if s.args]

    def _tracks(self, events):
        process, thread = {}, {}
        for e in events:
            if e["ph"] == "M" and e["name"] == "process_name":
                process[e["pid"]] = e["args"]["name"]
            if e["ph"] == "M" and e["name"] == "thread_name":
                thread[e["pid"], e["tid"]] = re.sub(r" \d+$", "", e["args"]["name"])
        tracks = collections.defaultdict(list)
        for e in events:
            if e["ph"] != "X":
                continue
            begin = round(e["ts"] * 10**6)
            end = round((e["ts"] + e["dur"]) * 10**6)
            track = process[e["pid"]] + "." + thread[e["pid"], e["tid"]]
            tracks[track].append(Slice(self.edge(begin), self.edge(end), begin, end, e["name"],
                                       e.get("args", {})))
        for slices in tracks.values():
            slices.sort(key=lambda s: (s.begin_ps, -s.end_ps))
        return tracks


def read_waves(path):
    """Changes of each variable: (picoseconds, value)."""
    scope, names, time = [], collections.defaultdict(list), 0
    waves = collections.defaultdict(list)
    for line in path.read_text().splitlines():
        words = line.split()
        if not words:
            continue
        if words[0] == "$scope":
            scope.append(words[2])
        elif words[0] == "$upscope":
            scope.pop()
        elif words[0] == "$var":
            names[words[3]].append(".".join(scope + [words[4]]))
        elif line[0] == "#":
            time = int(line[1:])
        elif line[0] in "bs":
            for name in names[words[1]]:
                waves[name].append((time, words[0][1:]))
        elif line[0] in "01xz":
            for name in names[line[1:]]:
                waves[name].append((time, line[0]))
    return waves


def run_one_warp(heddle, kernel):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run(
            [heddle, "run", kernel, "--config", "tiny", "--grid", "1", "--block", "32",
             "--arg", "data:u32[64]=iota", "--arg", "sum:u32[1]=0", "--stats", folder / "s.json",
             "--retire", folder / "r.tsv", "--timeline", folder / "t.json",
             "--trace-scope", "*", "--vcd", folder / "w.vcd", "--launches", folder / "l.csv"],
            check=True, capture_output=True)
        return Run(folder)
