# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""What the heddle command knows and a statistics file does not say: default values, and what each
configuration of its own sets."""
import json
import shlex
import subprocess

MODES_OF_LAUNCH_IDEAL = ("cdp_ideal", "dtbl_ideal")


class Machine:
    """Asks a heddle command; without one there are no answers."""

    def __init__(self, heddle):
        self._heddle = heddle
        self._described = {}

    def parameters(self, configuration=None):
        """{key: {"value", "default", "unit", "description", ...}} of a configuration, or of all
        defaults; empty if nobody can say."""
        if configuration not in self._described:
            self._described[configuration] = self._ask(configuration)
        return self._described[configuration]

    def _ask(self, configuration):
        if self._heddle is None:
            return {}
        words = (["list", "parameters", "--json"] if configuration is None
                 else ["describe", "config", configuration, "--json"])
        try:
            answer = subprocess.run([self._heddle, *words], capture_output=True, text=True,
                                    check=True)
        except (OSError, subprocess.CalledProcessError):
            return {}
        found = json.loads(answer.stdout)
        if isinstance(found, list):
            return {one["key"]: {**one, "value": one["default"]} for one in found}
        return found

    def changed(self, run):
        """The parameters that have not their default value: {key, value, default, unit,
        description}."""
        known = self.parameters()
        return [{**known[key], "key": key, "value": value} for key, value in
                run.configuration.items() if key in known and known[key]["default"] != value]

    def settings(self, run):
        """[(key, value)] that differ from the configuration that the run names; None if that can't
        be read."""
        configuration = run.facts.get("config", "default")
        known = self.parameters(None if configuration == "default" else configuration)
        if not known:
            return None
        by_mode = run.facts.get("mode") in MODES_OF_LAUNCH_IDEAL
        return [(key, value) for key, value in run.configuration.items()
                if key in known and known[key]["value"] != value
                and not (by_mode and key == "launch.ideal")]

    def command(self, run):
        """The command line of a run, and what it lacks."""
        facts, lacks = run.facts, []
        words = ["heddle", "run", str(facts.get("what", ""))]
        configuration = facts.get("config", "default")
        if configuration != "default":
            words += ["--config", configuration]
        settings = self.settings(run)
        if settings is None:
            lacks.append(f"settings (--set): the configuration {configuration} can't be read here")
        for key, value in settings or []:
            words += ["--set", f"{key}={as_set(value)}"]
        if facts.get("seed", 1) != 1:
            words += ["--seed", str(facts["seed"])]
        for name in ("mode", "input", "kernel", "grid", "block"):
            if name in facts:
                words += [f"--{name}", str(facts[name])]
        if facts.get("launch") == "cooperative":
            words.append("--cooperative")
        for name, value in facts.items():
            if name.startswith("option "):
                words += ["--option", f"{name.removeprefix('option ')}={value}"]
        if facts.get("device") == "functional simulator":
            words.append("--functional")
        if run.value("run.skipped_launches"):
            words += ["--skip-kernels", str(run.value("run.skipped_launches"))]
        if "kernel" in facts:
            lacks.append("the kernel's arguments (--arg)")
        return shlex.join(words), lacks


def as_set(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def typed_command(words):
    """As it was typed, without the option that asked for the page."""
    kept, skip = [], False
    for word in words:
        if not skip and word != "--report" and not word.startswith("--report="):
            kept.append(word)
        skip = word == "--report"
    return shlex.join(kept)
