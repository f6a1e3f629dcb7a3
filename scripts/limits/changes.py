# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""What can be changed on a machine, from what its parameters' declarations say would help.

A change of a block (a group) changes all its parameters at once, and those of the blocks in it:
dram holds dram.timing.
"""
import dataclasses

IDEAL, TWICE, HALF = "ideal", "twice", "half"


@dataclasses.dataclass(frozen=True)
class Parameter:
    """`better` is smaller, larger, or one: then `ideal` is the best value. `ideal` is None if any
    larger value is better than a smaller one."""
    key: str
    block: str
    better: str
    ideal: object


@dataclasses.dataclass(frozen=True)
class Change:
    """A part of the machine that becomes ideal, twice as good or half as good. `settings` are
    (key, from, to); `left_out` are keys of a group that the machine does not let change."""
    part: str
    kind: str
    block: str
    settings: tuple
    left_out: tuple = ()

    @property
    def words(self):
        """For --set."""
        return tuple(f"{key}={plain(to)}"
                     for key, _, to in self.settings)


def plain(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def declared(entries):
    """The Parameters of `heddle list parameters --json` that say what helps."""
    return [Parameter(one["key"], one["block"], one["better"], one.get("ideal"))
            for one in entries if "better" in one]


def ideal_value(parameter, value):
    """The ideal value, or None where the machine has it. A larger size or number is a power of two
    times the present one, which keeps the rules between sizes."""
    ideal = parameter.ideal
    if parameter.better == "one":
        return ideal if value != ideal else None
    if parameter.better == "smaller":
        return ideal if value > ideal else None
    if not value or ideal is None:  # 0: the machine has no such part
        return None
    grown = value
    while grown * 2 <= ideal:
        grown *= 2
    return grown if grown > value else None


def twice_value(parameter, value):
    """Half of what is better small, twice of what is better large; None where that is no change."""
    if parameter.better == "smaller":
        return max(value // 2, parameter.ideal) if value > parameter.ideal else None
    if parameter.better == "larger" and value:
        most = parameter.ideal
        return value * 2 if most is None or value * 2 <= most else None
    return None


def half_value(parameter, value):
    """The other way round."""
    if parameter.better == "smaller" and value:
        return value * 2
    if parameter.better == "larger" and value > 1:
        return value // 2
    return None


VALUES = {IDEAL: ideal_value, TWICE: twice_value, HALF: half_value}


class Machine:
    """The changes that are possible on a machine; `configuration` is its {key: value}."""

    def __init__(self, parameters, configuration):
        self._parameters = parameters
        self._configuration = configuration

    def single(self, parameter, kind):
        """The Change of one parameter; None if there is nothing to change."""
        old = self._configuration[parameter.key]
        new = VALUES[kind](parameter, old)
        if new is None:
            return None
        return Change(parameter.key, kind, parameter.block, ((parameter.key, old, new),))

    def singles(self, kind, blocks=None):
        """Those of all parameters, or of the parameters of these blocks."""
        changes = (self.single(one, kind) for one in self._parameters
                   if blocks is None or one.block in blocks)
        return [one for one in changes if one]

    def blocks(self):
        return list(dict.fromkeys(one.block for one in self._parameters))

    def group(self, block, kind):
        """The Change of a whole block; None if there is nothing to change."""
        changes = [self.single(one, kind) for one in self._parameters
                   if one.block == block or one.block.startswith(block + ".")]
        settings = tuple(one.settings[0] for one in changes if one)
        return Change(block, kind, block, settings) if settings else None

    def groups(self, kind):
        changes = (self.group(block, kind) for block in self.blocks())
        return [one for one in changes if one]

    def unlimited(self):
        """Twice as much of what has no ideal value."""
        changes = (self.single(one, TWICE) for one in self._parameters
                   if one.better == "larger" and one.ideal is None)
        return [one for one in changes if one]


def without(group, keys):
    """The group with these parameters left as they are; None if nothing remains."""
    settings = tuple(one for one in group.settings if one[0] not in keys)
    if not settings:
        return None
    return dataclasses.replace(group, settings=settings, left_out=tuple(sorted(keys)))


def together(one, other):
    """Both changes at once."""
    return Change(f"{one.part} + {other.part}", IDEAL, "", one.settings + other.settings,
                  one.left_out + other.left_out)
