# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Runs one session of gdb-multiarch with Heddle, and looks at what it prints.

    session.py HEDDLE ELF SESSION.gdb functional|timed

A session is a script for gdb. Its comments say what is run and what is to come:

    #! words     arguments of heddle gdb
    #= text      a line of the output has this text; the lines come in this order. In the text,
                 "..." stands for anything, and "{mark}" for the number of the kernel's line with
                 "mark: mark"
    #- text      no line has this text
    #timed= text    the same for one machine only; and #functional= text

Exit code: 0 as expected, 1 not, 77 there is no gdb-multiarch.
"""
import pathlib
import re
import shutil
import subprocess
import sys

KERNELS = pathlib.Path(__file__).resolve().parent / "kernels" / "debugged.cpp"


def lines_of_marks():
    marks = {}
    for number, line in enumerate(KERNELS.read_text().splitlines(), 1):
        found = re.search(r"// mark: (\w+)$", line)
        if found:
            marks[found.group(1)] = str(number)
    return marks


def with_marks(text, marks):
    return re.sub(r"\{(\w+)\}", lambda found: marks[found.group(1)], text)


class Session:
    def __init__(self, path, machine):
        marks = lines_of_marks()
        self.arguments = []
        self.expected = []
        self.unwanted = []
        self.commands = []
        for line in path.read_text().splitlines():
            other = "functional" if machine == "timed" else "timed"
            if line.startswith(f"#{other}="):
                continue
            line = re.sub(rf"^#{machine}=", "#=", line)
            if line.startswith("#! "):
                self.arguments += line[3:].split()
            elif line.startswith("#= "):
                self.expected.append(with_marks(line[3:], marks))
            elif line.startswith("#- "):
                self.unwanted.append(with_marks(line[3:], marks))
            elif not line.startswith("#"):
                self.commands.append(with_marks(line, marks))
        if not self.expected or not self.commands:
            raise SystemExit(f"{path}: a session has commands, and expects something")


def pattern_of(text):
    return re.compile(".*?".join(re.escape(part) for part in text.split("...")))


def complaints(session, output):
    lines = iter(output.splitlines())
    for text in session.expected:
        pattern = pattern_of(text)
        if not any(pattern.search(line) for line in lines):
            return f"does not come, or not in its place: {text}"
    for text in session.unwanted:
        if pattern_of(text).search(output):
            return f"comes: {text}"
    return None


def main(heddle, elf, path, machine):
    if shutil.which("gdb-multiarch") is None:
        print("gdb-multiarch is not installed")
        return 77
    session = Session(pathlib.Path(path), machine)
    words = [heddle, "gdb", elf, *session.arguments, "--gdb-arg=-nx", "--gdb-arg=-batch"]
    words += ["--functional"] if machine == "functional" else ["--config", "tiny"]
    for command in session.commands:
        words += ["--gdb-arg=-ex", f"--gdb-arg={command}"]
    result = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
    wrong = complaints(session, result.stdout)
    if wrong is None:
        return 0
    print(result.stdout)
    print(f"{path}, {machine}: {wrong}")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
