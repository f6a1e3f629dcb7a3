# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""A run, as `heddle run --stats FILE.json` describes it."""
import json
import re

from reporting.errors import ReportError

EXPECTED = "not a statistics file; expected what 'heddle run --stats FILE.json' writes"
# Parts that there are several of, and kernels, whose names differ from workload to workload.
OF_A_PART = re.compile(r"(^|\.)\d+\.|^kernel\.|_\d+\.")


class Run:
    """Facts, configuration and statistics of one run."""

    def __init__(self, file, contents):
        self.file = file
        facts = dict(contents["run"])
        self.configuration = facts.pop("configuration", {})
        self.facts = facts
        self.statistics = contents["statistics"]

    def value(self, name):
        """The value of a statistic; None if there is none."""
        return self.statistics.get(name, {}).get("value")

    def histogram(self, name):
        """Samples, minimum, maximum and bins of a distribution; None if it has no samples."""
        found = self.statistics.get(name, {}).get("histogram")
        return found if found and found["samples"] else None

    def parts(self, scope):
        """Numbers of the parts of a kind: SMXs for 'smx'."""
        numbers = {int(name.split(".")[1]) for name in self.statistics
                   if re.match(rf"{scope}\.\d+\.", name)}
        return sorted(numbers)

    def total(self, scope, name):
        """The sum over all parts of a kind; None if none of them has it."""
        values = [self.value(f"{scope}.{part}.{name}") for part in self.parts(scope)]
        values = [one for one in values if one is not None]
        return sum(values) if values else None

    def kernels(self):
        """Names of the kernels that have statistics."""
        ending = ".warp_instructions"
        return [name[len("kernel."):-len(ending)] for name in self.statistics
                if name.startswith("kernel.") and name.endswith(ending)]

    @property
    def completed(self):
        return self.value("run.completed") != 0

    def keep_whole_machine(self):
        """Forgets what is of one part, kernel or launch: a thousand runs would not fit."""
        self.statistics = {name: one for name, one in self.statistics.items()
                           if not OF_A_PART.search(name)}


def check(file, contents):
    """Raises ReportError if these are not the statistics of a run."""
    good = (isinstance(contents, dict) and isinstance(contents.get("run"), dict)
            and isinstance(contents.get("statistics"), dict)
            and isinstance(contents["run"].get("configuration", {}), dict))
    if not good:
        raise ReportError(file, EXPECTED)
    if not contents["statistics"]:
        raise ReportError(file, "there are no statistics in it")
    for name, one in contents["statistics"].items():
        value = one.get("value") if isinstance(one, dict) else ""
        if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float))):
            raise ReportError(file, f"statistic '{name}' has no \"value\" that is a number or null")


def read(file):
    """Raises ReportError for what is no statistics file."""
    try:
        contents = json.loads(file.read_text("utf-8"))
    except OSError as error:
        raise ReportError(file, error.strerror) from None
    except UnicodeDecodeError:
        raise ReportError(file, "no text; " + EXPECTED) from None
    except json.JSONDecodeError as error:
        raise ReportError(file, f"no JSON at line {error.lineno}; {EXPECTED}") from None
    check(file, contents)
    return Run(file, contents)


def same_version(runs):
    """Raises ReportError if the last run is of another version than the first: statistics of the
    same name may mean different things."""
    first, last = runs[0], runs[-1]
    found, expected = last.facts.get("version"), first.facts.get("version")
    if found != expected:
        raise ReportError(last.file, f"a run of version {found}, but '{first.file}' is of version "
                          f"{expected}; run both with the same heddle")
