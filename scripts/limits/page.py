# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""The answer of `heddle why` as a page: one HTML file in the style of `heddle report`."""
import importlib
import pathlib

from limits.program import WrongUse


def reports():
    """The modules of `heddle report`, which need a package."""
    try:
        return importlib.import_module("reporting.command"), \
            importlib.import_module("reporting.errors").ReportError
    except ModuleNotFoundError as missing:
        raise WrongUse(f"--report: {missing.name} is missing: apt-get install "
                       f"python3-{missing.name}") from None


def check(file):
    """Raises WrongUse if a page can't be written there, as far as that is known before the runs."""
    reports()
    if not file.absolute().parent.is_dir():
        raise WrongUse(f"--report {file}: no such folder")


def write(file, document):
    command, error = reports()
    lines = document["parts"]
    content = {name: value for name, value in document.items() if name != "parts"}
    helps = next((one for one in lines if (one["gain"] or 0) > document["least"]), None)
    content |= {"lines": lines, "helps": helps, "command": "heddle why " + document["command"],
                "title": "What limits " + pathlib.Path(document["words"][0]).name}
    try:
        command.write(file, command.rendered("why.html", content))
    except error as problem:
        raise WrongUse(str(problem)) from None
