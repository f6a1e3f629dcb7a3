# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Lines of a TOML file. tomllib reads values without their places, and a message needs them."""
import re

HEADER = re.compile(r"\s*\[+\s*([^\[\]]+?)\s*\]+\s*(?:#.*)?$")
PART = r"(?:\"[^\"]*\"|'[^']*'|[\w\-]+)"
ENTRY = re.compile(rf"\s*({PART}(?:\s*\.\s*{PART})*)\s*=")
ONE_PART = re.compile(PART)


def parts(dotted):
    """The names of a dotted key, without quotes."""
    return tuple(one.strip("\"'") for one in ONE_PART.findall(dotted))


class Positions:
    """Where the keys of a text stand. Tables of one line count as one place."""

    def __init__(self, text):
        self._lines = {}  # path of names -> number of the line, from 1
        self._text = text.split("\n")
        table = ()
        for number, line in enumerate(self._text, 1):
            if header := HEADER.match(line):
                table = parts(header[1])
                self._lines.setdefault(table, number)
            elif entry := ENTRY.match(line):
                self._lines.setdefault((*table, *parts(entry[1])), number)

    def line(self, *path):
        """The line of a key, or of the table that has it; 1 if neither is found."""
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path, 1)

    def of_value(self, path, text, occurrence=1):
        """The line of an element of an array: where its text is found for the n-th time."""
        first = self.line(*path)
        for number in range(first, len(self._text) + 1):
            for _ in re.finditer(rf"(?<![\w.]){re.escape(text)}(?![\w.])", self._text[number - 1]):
                occurrence -= 1
                if occurrence == 0:
                    return number
        return first
