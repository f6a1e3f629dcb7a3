# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""The answer of `heddle why` as text and as JSON."""
import json
import shlex

from limits.changes import HALF, IDEAL, TWICE, plain
from limits.search import LEAST

LINES_SHOWN = 16
PAIRS_SHOWN = 5
NOTHING_HELPS = "nothing measured helps more than 1 %"


def percent(gain):
    """Cycles more or less: a gain of 0.25 is -25.0 %."""
    return "" if gain is None else f"{-100 * gain:+.1f} %"


def guess(base):
    """(share of the issue slots, reason, meaning) of the largest part of the CPI stack that does not
    issue."""
    total = sum(slots for slots, _ in base.stack.values())
    waiting = {name: one for name, one in base.stack.items() if name != "issued"}
    name = max(waiting, key=lambda one: waiting[one][0])
    slots, meaning = waiting[name]
    return (slots / total if total else 0), name, meaning.rpartition("without issue: ")[2]


def grid(header, rows):
    """Columns beside each other, without empty ones; those of numbers end with %."""
    used = [i for i in range(len(header)) if any(row[i] for row in rows)]
    header, *rows = [[row[i] for i in used] for row in [header, *rows]]
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    right = [i for i in range(len(header)) if all(row[i] == "" or row[i].endswith("%")
                                                  for row in rows)]
    return [" ".join(f"{cell:{'>' if i in right else '<'}{width}} "
                     for i, (cell, width) in enumerate(zip(row, widths))).rstrip()
            for row in [header, ["-" * width for width in widths], *rows]]


def change_text(change):
    """What became ideal, twice or half as good."""
    if len(change.settings) > 1:
        text = f"{len(change.settings)} parameters"
        return text + (f", without {', '.join(change.left_out)}" if change.left_out else "")
    (key, old, new), = change.settings
    return f"{'' if key == change.part else key + ': '}{plain(old)} -> {plain(new)}"


class Answer:
    """What a Search has found, and what the runs cost."""

    def __init__(self, program, base, search, measurements):
        self._program, self._base, self._search = program, base, search
        self._measurements = measurements

    def _first_lines(self):
        base = self._base
        window = ""
        if self._program.in_window:
            window = f" for {base.instructions} thread instructions; gains are in cycles of one"
        share, name, meaning = guess(base)
        yield f"heddle run {shlex.join(self._program.words)}"
        yield f"{base.cycles} cycles{window}"
        yield (f"The CPI stack alone would say: {name}, {100 * share:.0f} % of the issue slots "
               f"({meaning[:1].lower()}{meaning[1:]})")

    def _table(self):
        lines = self._search.helpful()
        if not lines:
            yield NOTHING_HELPS
            return
        rows = [[one.part, change_text(one.change),
                 percent(one.gain) if one.change.kind == IDEAL else "", percent(one.twice),
                 percent(one.half)] for one in lines[:LINES_SHOWN]]
        yield from grid(["part", "change", "ideal", "twice as good", "half as good"], rows)
        if len(lines) > LINES_SHOWN:
            yield f"and {len(lines) - LINES_SHOWN} more that help (--json has all)"

    def _halves(self):
        """What costs most, of what is not in the table; also of what is ideal."""
        above = {one.part for one in self._search.helpful()[:LINES_SHOWN]}
        rest = [one for one in self._search.lines
                if one.part not in above and one.half is not None and one.half < -LEAST]
        rest.sort(key=lambda one: one.half)
        if rest:
            texts = [f"{one.part} {percent(one.half)}" for one in rest[:PAIRS_SHOWN]]
            yield "Half as good would cost: " + ", ".join(texts)
        slower = [one for one in self._search.lines
                  if one.change.kind == IDEAL and (one.gain or 0) < -LEAST]
        slower.sort(key=lambda one: one.gain)
        if slower:
            yield "Ideal is slower: " + ", ".join(f"{one.part} {percent(one.gain)}"
                                                  for one in slower[:PAIRS_SHOWN])

    def _pairs(self):
        for one in self._search.pairs[:PAIRS_SHOWN]:
            yield (f"Only together: {one.parts[0]} and {one.parts[1]} ideal {percent(one.gain)} "
                   f"(alone {percent(one.single[0])} and {percent(one.single[1])})")

    def _problems(self):
        reasons = {}
        for change, why in self._search.refused.items():
            if change.kind == IDEAL:
                reasons.setdefault(why, []).append(change)
        for why, refused in reasons.items():
            yield f"Not possible: {', '.join(named(one) for one in refused)}: {why}"
        for change, failure in self._search.failed.items():
            yield f"Failed: {named(change)}: {failure.said}; log {failure.log}"

    def text(self):
        blocks = [list(lines) for lines in (self._first_lines(), self._table(), self._halves(),
                                            self._pairs(), self._problems())]
        return "\n\n".join("\n".join(lines) for lines in blocks if lines) + "\n"

    def document(self):
        """For --json."""
        base = self._base
        share, name, meaning = guess(base)
        measure = "cycles of a thread instruction" if self._program.in_window else "cycles"
        return {
            "command": shlex.join(self._program.words), "words": self._program.words,
            "least": LEAST, "measure": measure, "cycles": base.cycles,
            "thread_instructions": base.instructions,
            "cpi_stack": {"reason": name, "share": share, "meaning": meaning},
            "parts": [{"part": one.part, "block": one.change.block, "kind": one.change.kind,
                       "gain": one.gain, "twice": one.twice, "half": one.half,
                       "settings": {key: [old, new] for key, old, new in one.change.settings},
                       "left_out": list(one.change.left_out)} for one in self._search.lines],
            "pairs": [{"parts": list(one.parts), "gain": one.gain, "alone": list(one.single)}
                      for one in self._search.pairs],
            "not_possible": [{"part": change.part, "kind": change.kind, "reason": why}
                             for change, why in self._search.refused.items()],
            "failed": [{"part": change.part, "kind": change.kind, "said": failure.said,
                        "log": str(failure.log)}
                       for change, failure in self._search.failed.items()],
            "runs": self._measurements.carried_out}

    def failures(self):
        return self._search.failed

    def json(self):
        return json.dumps(self.document(), indent=2) + "\n"


def named(change):
    how = {IDEAL: "ideal", TWICE: "twice as good", HALF: "half as good"}[change.kind]
    if len(change.settings) > 1:
        return f"{change.part} {how}"
    return f"{change.settings[0][0]}={plain(change.settings[0][2])}"
