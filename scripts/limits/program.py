# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""The program whose limits are looked for: words of `heddle run`, and what a change adds to them.
"""
import hashlib
import json
import pathlib
import re
import subprocess

from experiments.keys import digest, state_of


class WrongUse(Exception):
    """The text says what is wrong with the words."""


# Many runs at a time would write the same file.
WRITES = ("--stats", "--vcd", "--timeline", "--transactions", "--series", "--blocks", "--launches",
          "--retire", "--thread-progress", "--slot-trace", "--rtl-vcd", "--link-trace", "--save")
QUOTED = re.compile(r'"@?([^"\n]+)"')


def values_of(words, option):
    """The values of an option, which may be behind "="."""
    found = []
    for i, word in enumerate(words):
        if word == option and i + 1 < len(words):
            found.append(words[i + 1])
        elif word.startswith(option + "="):
            found.append(word.removeprefix(option + "="))
    return found


class Program:
    """`binary` is a heddle command, `words` come behind `heddle run`."""

    def __init__(self, binary, words):
        self.binary, self.words = pathlib.Path(binary).resolve(), list(words)
        for word in words:
            name = word.partition("=")[0]
            if name in WRITES:
                raise WrongUse(f"{name}: many runs would write the same file; use heddle run")
            if name == "--functional":
                raise WrongUse("--functional: the functional simulator has no cycles")
        self.in_window = bool(values_of(words, "--max-cycles"))
        self._content = digest([self._hash(self.binary), self._kernels(), self._files()])

    @staticmethod
    def _hash(file):
        return hashlib.sha256(file.read_bytes()).hexdigest()

    def _kernels(self):
        """What the workloads launch."""
        folder = self.binary.parent / "kernels"
        return [[file.name, *state_of(file)] for file in sorted(folder.glob("*.elf"))]

    def _files(self):
        """Hashes of all files that the words name, also those of a launch script."""
        named = []
        for word in self.words:
            named += [pathlib.Path(part) for part in (word, word.rpartition("@")[2],
                                                      word.partition("=")[2])]
        for script in [file for file in named if file.suffix == ".toml" and file.is_file()]:
            named += [script.parent / name
                      for name in QUOTED.findall(script.read_text("utf-8", "replace"))]
        files = dict.fromkeys(file.resolve() for file in named if len(str(file)) < 4096)
        return [[str(file), self._hash(file)] for file in files if file.is_file()]

    def run_words(self, change=None):
        words = [str(self.binary), "run", *self.words, "--no-progress"]
        for text in change.words if change else ():
            words += ["--set", text]
        return words

    def key(self, change=None):
        """Names the result of a run: the hash of everything that decides it."""
        return digest([self._content, self.run_words(change)])

    def refusals(self, changes):
        """{change: why the machine does not allow it}, of those that it refuses."""
        if not changes:
            return {}
        lines = [json.dumps(self._validation(change)) for change in changes]
        words = [str(self.binary), "validate", "-"]
        done = subprocess.run(words, input="".join(f"{line}\n" for line in lines),
                              capture_output=True, text=True, check=False)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        if done.returncode != 0 or len(answers) != len(changes):
            raise WrongUse(f"{' '.join(words)}: exit code {done.returncode}: {done.stderr}")
        return {change: reason(answer["error"]) for change, answer in zip(changes, answers)
                if "error" in answer}

    def _validation(self, change):
        asked = {"set": values_of(self.words, "--set") + list(change.words)}
        for option in ("config", "mode"):
            if values := values_of(self.words, f"--{option}"):
                asked[option] = values[-1]
        return asked


def reason(error):
    """The rule of an error without the values and their sources, which are in the change."""
    return error.rpartition("it must hold that ")[2].strip()
