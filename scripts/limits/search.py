# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Which changes are tried, in which order.

First whole blocks become ideal, and half as good. The parameters of a block follow one by one, but
not those of a block that changes nothing at all. What gains most is also tried twice as good. Then
come pairs of blocks: those that gain most, and those that cost most when they are half as good,
because such a block may only be hidden by another one.
"""
import dataclasses
import itertools

from limits import changes
from limits.changes import HALF, IDEAL, TWICE
from limits.measure import Failure, Result

LEAST = 0.01  # a gain below is not worth a line
TWICE_TRIED = 16  # parts that are also tried twice as good
PAIRED = 4  # blocks of each kind in pairs
SAME = 0.95  # of the largest gain: what has so much is as good, and the smaller change comes first


@dataclasses.dataclass
class Line:
    """A part with what its changes gain: 0.25 are a quarter fewer cycles, -1.0 twice as many. None
    where there is no such change."""
    part: str
    change: changes.Change  # the one that gives `gain`
    gain: float | None = None  # ideal, or twice where there is no ideal
    twice: float | None = None
    half: float | None = None


@dataclasses.dataclass
class Pair:
    change: changes.Change
    parts: tuple
    gain: float
    single: tuple  # the gains of the two alone


class Search:
    """Carries out the runs. Then `lines` has the answer, the largest gain first, `pairs` those that
    gain more than both alone, `refused` {Change: reason}, and `failed` {Change: Failure}."""

    def __init__(self, program, machine, measurements):
        self._program, self._machine, self._measurements = program, machine, measurements
        base = measurements.of(None)
        self._base = base.cost(program.in_window)
        self._base_exact = (base.cycles, base.instructions)
        self._tried = {}  # (part, kind) -> Change
        self.refused, self.failed = {}, {}
        self.lines, self.pairs = [], []

    def carry_out(self, quick=False):
        """Quick: only what is ideal, one part at a time."""
        kinds = (IDEAL,) if quick else (IDEAL, HALF)
        wanted = [one for kind in kinds for one in self._machine.groups(kind)]
        groups = self._try(wanted + self._machine.unlimited(), "blocks of the machine")
        self._try([one for kind in kinds
                   for one in self._machine.singles(kind, self._effective(groups, kind))],
                  "parameters one by one")
        if not quick:
            self._try_twice()
            self._try_pairs()
        self._make_lines()

    def _try_twice(self):
        best = sorted(self._gains(IDEAL).items(), key=lambda one: -one[1])
        best = [part for part, gain in best if gain > LEAST][:TWICE_TRIED]
        self._try([one for one in self._machine.groups(TWICE) + self._machine.singles(TWICE)
                   if one.part in best], "the best ones twice as good")

    def gain(self, change):
        """None if it was refused or has failed."""
        if change is None or change in self.refused or change in self.failed:
            return None
        return 1 - self._measurements.of(change).cost(self._program.in_window) / self._base

    def _try(self, wanted, what):
        """Measures what the machine allows; returns what was measured. A group that it refuses is
        tried without the parameters that it refuses alone."""
        refused = self._program.refusals(wanted)
        smaller = []
        for change in [one for one in refused if len(one.settings) > 1]:
            singles = {key: changes.Change(key, change.kind, change.block, ((key, old, new),))
                       for key, old, new in change.settings}
            alone = self._program.refusals(list(singles.values()))
            rest = changes.without(change, [key for key, one in singles.items() if one in alone])
            if rest and rest.left_out:
                smaller.append(rest)
        refused_again = self._program.refusals(smaller)
        allowed = [one for one in wanted if one not in refused]
        allowed += [one for one in smaller if one not in refused_again]
        reached = {(one.part, one.kind) for one in allowed}
        self.refused.update((one, why) for one, why in refused.items()
                            if (one.part, one.kind) not in reached)
        self._measurements.measure(allowed, what)
        for change in allowed:
            result = self._measurements.of(change)
            if isinstance(result, Failure):
                self.failed[change] = result
            self._tried[change.part, change.kind] = change
        return allowed

    def _effective(self, measured, kind):
        """The blocks whose parameters are worth a run each: not those whose group, all of it, has
        the very same cycles."""
        without_effect = {one.block for one in measured if one.kind == kind
                          and one.part == one.block and not one.left_out and self._is_base(one)}
        return [one for one in self._machine.blocks() if one not in without_effect]

    def _is_base(self, change):
        result = self._measurements.of(change)
        return (isinstance(result, Result)
                and (result.cycles, result.instructions) == self._base_exact)

    def _gains(self, kind):
        gains = {part: self.gain(change) for (part, one), change in self._tried.items()
                 if one == kind}
        return {part: gain for part, gain in gains.items() if gain is not None}

    def _try_pairs(self):
        ideal, half = {}, {}
        for part, gain in self._gains(IDEAL).items():
            change = self._tried[part, IDEAL]
            if change.part == change.block:
                ideal[part] = gain
        for part, gain in self._gains(HALF).items():
            block = self._tried[part, HALF].block
            half[block] = max(half.get(block, 0), -gain)
        best = [one for one in sorted(ideal, key=lambda one: -ideal[one])
                if ideal[one] > LEAST][:PAIRED]
        hidden = [one for one in sorted(half, key=lambda one: -half[one])
                  if half[one] > LEAST and one in ideal and one not in best][:PAIRED]
        pairs = {}
        for one, other in itertools.combinations(best + hidden, 2):
            if not nested(one, other):
                pair = changes.together(self._tried[one, IDEAL], self._tried[other, IDEAL])
                pairs[pair] = (one, other)
        for pair in self._try(list(pairs), "pairs of blocks"):
            gain = self.gain(pair)
            if gain is None:
                continue
            single = tuple(ideal[part] for part in pairs[pair])
            if gain > sum(max(one, 0) for one in single) + LEAST:
                self.pairs.append(Pair(pair, pairs[pair], gain, single))
        self.pairs.sort(key=lambda one: -(one.gain - sum(one.single)))

    def _make_lines(self):
        parts = dict.fromkeys(part for part, _ in self._tried if " + " not in part)
        keys = {one.part for kind in (IDEAL, TWICE, HALF) for one in self._machine.singles(kind)}
        seen = set()
        for part in sorted(parts, key=lambda part: part not in keys):
            tried = [self._tried.get((part, kind)) for kind in (IDEAL, TWICE, HALF)]
            main = tried[0] or tried[1] or tried[2]
            gains = [self.gain(change) for change in tried]
            if all(gain is None for gain in gains):
                continue
            same = tuple(change.words if change else None for change in tried)
            if same in seen:  # a block of which only this parameter changes
                continue
            seen.add(same)
            ideal = gains[0] if tried[0] else gains[1]
            self.lines.append(Line(part, main, ideal, gains[1], gains[2]))
        self.lines = ordered(self.lines)

    def helpful(self):
        """The lines that gain something."""
        return [one for one in self.lines if one.gain is not None and one.gain > LEAST]


def ordered(lines):
    """The largest gain first. Of those that are equal to it the smallest change comes first: one
    parameter says more than the block that it is part of, or than all of the memory behind it."""
    rest = sorted(lines, key=lambda one: (-(one.gain or 0), one.part))
    found = []
    while rest:
        least = (rest[0].gain or 0) * SAME
        same = [one for one in rest if (one.gain or 0) >= least] or rest
        found += sorted(same, key=lambda one: (len(one.change.settings), -(one.gain or 0)))
        rest = rest[len(same):]
    return found


def nested(one, other):
    return one == other or one.startswith(other + ".") or other.startswith(one + ".")
