# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""The CPI stack: where the issue slots of a run went."""
PREFIX = "gpu.issue_slots."


def names(run):
    """All parts, in the order in which they count."""
    return [name[len(PREFIX):] for name in run.statistics if name.startswith(PREFIX)]


def parts(run, scope="gpu"):
    """[(part, cycles x schedulers)] of those that are not zero."""
    found = [(name, run.value(f"{scope}.issue_slots.{name}")) for name in names(run)]
    return [(name, value) for name, value in found if value]


def explained(run):
    """The lines of the table: what issued first, then the largest part."""
    found = parts(run)
    total = sum(value for _, value in found)
    instructions = run.value("gpu.warp_instructions")
    lines = [{"part": name, "value": value, "share": value / total,
              "each": value / instructions if instructions else None,
              "meaning": meaning(run, name)} for name, value in found]
    return sorted(lines, key=lambda line: (line["part"] != "issued", -line["value"]))


def meaning(run, part):
    """The description, without what all of them begin with."""
    text = run.statistics[PREFIX + part].get("description", "")
    for start in ("Cycles x schedulers without issue: ", "Cycles x schedulers in which "):
        text = text.removeprefix(start)
    return text[:1].upper() + text[1:]


def bar(run, scope="gpu", of=None):
    """[{part, value, percent}] of a bar; its whole is `of`, or what the parts come to."""
    found = parts(run, scope)
    total = of or sum(value for _, value in found)
    return [{"part": name, "value": value, "percent": 100 * value / total} for name, value in found]


def segments(slots, whole):
    """The same of {part: value}, in the order of their values; without a whole there is no bar."""
    if not whole:
        return []
    ordered = sorted(slots.items(), key=lambda part: (part[0] != "issued", -part[1]))
    return [{"part": name, "value": value, "percent": 100 * value / whole}
            for name, value in ordered]


def total(run):
    return sum(value for _, value in parts(run))
