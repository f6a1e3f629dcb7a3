# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Whether two runs have written the same."""
import fnmatch
import itertools
import json
import re


class Deliberate:
    """What may differ, from scripts/same_as.toml."""

    def __init__(self, table):
        self.words = [(re.compile(pattern), new) for pattern, new in table.get("renamed", {}).items()]
        self.left_out = table.get("left_out", [])

    def renamed(self, text):
        """A name, or a text with names, of the old build in the words of the new one."""
        for pattern, new in self.words:
            text = pattern.sub(new, text)
        return text

    def keeps(self, name):
        return not any(fnmatch.fnmatchcase(name, pattern) for pattern in self.left_out)

    def apply(self, values):
        return {self.renamed(name): value for name, value in values.items()
                if self.keeps(name) and self.keeps(self.renamed(name))}


def read_statistics(path, deliberate):
    document = json.loads(path.read_text())
    values = {name: (entry["value"], entry["unit"])
              for name, entry in document["statistics"].items() if not name.startswith("host.")}
    run = {f"run.{name}": value for name, value in document["run"].items()
           if name != "configuration"}
    return deliberate["statistics"].apply(values) | run | \
        deliberate["parameters"].apply(document["run"]["configuration"])


def read_waveform(path, deliberate):
    """{time: {signal: value}}, without times at which nothing that counts has changed."""
    names, scopes, changes, now = {}, [], {}, 0
    with path.open() as lines:
        for line in lines:
            words = line.split()
            if not words:
                continue
            if words[0] == "$scope":
                scopes.append(words[2])
            elif words[0] == "$upscope":
                scopes.pop()
            elif words[0] == "$var":
                name = ".".join(scopes + [words[4]])
                if deliberate.keeps(name):
                    names[words[3]] = deliberate.renamed(name)
            elif words[0][0] == "#":
                now = int(words[0][1:])
            elif words[0][0] in "bs" and len(words) == 2 and words[1] in names:
                changes.setdefault(now, {})[names[words[1]]] = words[0]
            elif words[0][0] in "01xz" and line[1:].strip() in names:
                changes.setdefault(now, {})[names[line[1:].strip()]] = words[0][0]
    return changes


def first_difference(old, new):
    for key in sorted(old.keys() | new.keys(), key=str):
        if old.get(key) != new.get(key):
            if isinstance(old.get(key), dict) and isinstance(new.get(key), dict):
                return f"at {key}: {first_difference(old[key], new[key])}"
            return f"{key}: {old.get(key, 'nothing')} -> {new.get(key, 'nothing')}"
    return ""


def difference(name, old, new, deliberate):
    """Why the two files differ; empty if they do not."""
    if name == "stats.json":
        return first_difference(read_statistics(old, deliberate), read_statistics(new, deliberate))
    if old.read_bytes() == new.read_bytes():
        return ""
    if name == "wave.vcd":
        return first_difference(read_waveform(old, deliberate["signals"]),
                                read_waveform(new, deliberate["signals"]))
    texts = deliberate["texts"]
    pairs = itertools.zip_longest(old.open(), new.open(), fillvalue="nothing")
    for number, (before, after) in enumerate(pairs, 1):
        if texts.renamed(before) != after:
            return f"line {number}: {before.strip()} -> {after.strip()}"
    return "" if texts.words else "the bytes differ"
