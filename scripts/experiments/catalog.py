# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""What a heddle command lists: statistics, parameters and options with their units."""
import dataclasses
import json
import re
import subprocess

from experiments.keys import RunError


@dataclasses.dataclass(frozen=True)
class Entry:
    unit: str
    description: str


# A number of the summary that a run prints. It has no unit that a program could read.
SUMMARY = Entry("", "number of the run's summary")


class Catalog:
    def __init__(self, binary):
        self._binary = binary
        self._statistics = {one["name"]: Entry(one["unit"], one["description"])
                            for one in self._list("statistics")}
        self.parameters = {one["key"]: Entry(one["unit"], one["description"])
                           for one in self._list("parameters")}
        self._workloads = {}  # name -> {option: Entry}
        for one in self._list("workloads"):
            options = {option["key"]: Entry(option["unit"], option["description"])
                       for option in one["options"]}
            self._workloads[one["name"]] = options
            self._workloads.update((alias["name"], options) for alias in one["aliases"])
        # smx.N.blocks stands for smx.0.blocks and others, kernel.NAME.launches for each kernel.
        self._patterns = [
            (re.compile(re.escape(name).replace("NAME", r"\w+").replace(r"\.N\.", r"\.\d+\.")),
             entry) for name, entry in self._statistics.items()]

    def _list(self, topic):
        words = [str(self._binary.path), "list", topic, "--json"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RunError(f"{' '.join(words)}: {done.stdout}{done.stderr}")
        return json.loads(done.stdout)

    def names(self):
        return list(self._statistics)

    def statistic(self, name):
        """The Entry of a statistic; None if there is none of this name."""
        if name.startswith("summary."):
            return SUMMARY
        return next((entry for pattern, entry in self._patterns if pattern.fullmatch(name)), None)

    def option(self, workload, key):
        return self._workloads.get(workload, {}).get(key)
