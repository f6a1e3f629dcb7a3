# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Files and functions that the pages name are in the sources."""
import pathlib
import re
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# `hw/base/crew.h`, `crew.h: crew::in_order`: the end of a path, perhaps with a function.
NAMED = re.compile(r"`([\w/]+/\w+\.(?:h|cpp|py|sv|def|toml))(?:: ([\w:]+))?`")
# What an installed Heddle has, what the reader has, and what a recipe makes.
OTHERS = re.compile(r"^(share/|FOLDER/)|NAME|SLOT|LINK|PAPER|BLOCK")
SOURCES = ("command", "configs", "docs", "hw", "include", "library", "models", "runtime", "scripts", "tb", "tests")


def files_of(tree):
    return [file for folder in SOURCES for file in (tree / folder).rglob("*.*")]


def wrong_names(files, page):
    """A line for each name on the page that the files do not have."""
    wrong = []
    for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
        for name, function in NAMED.findall(line):
            if OTHERS.search(name):
                continue
            meant = [file for file in files if f"/{file}".endswith(f"/{name}")]
            if not meant:
                wrong.append(f"{page.name}:{number}: there is no file {name}")
            text = "".join(each.read_text("utf-8") for file in meant if function
                           for each in (file, file.with_suffix(".cpp")) if each.is_file())
            wrong += [f"{page.name}:{number}: {name} has no {word} ({function})"
                      for word in re.findall(r"\w+", function) if meant and not re.search(rf"\b{word}\b", text)]
    return wrong


class NamesOfPages(unittest.TestCase):
    def test_pages_name_what_there_is(self):
        pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
        files = files_of(ROOT)
        self.assertEqual([line for page in pages for line in wrong_names(files, page)], [])

    def test_wrong_names_are_found(self):
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            (tree / "hw/l2").mkdir(parents=True)
            (tree / "hw/l2/bank.h").write_text("class bank { void take(); };")
            (tree / "hw/l2/bank.cpp").write_text("void bank::take() { give(); }")
            page = tree / "page.md"
            page.write_text("`hw/l2/bank.h` `l2/bank.h: bank::give`\n`l2/bank.h: bank::gone` `hw/l2/old.h`\n"
                            "`hw/l2/NAME.h` `share/heddle/x.h`\n")
            self.assertEqual(wrong_names(files_of(tree), page),
                             ["page.md:2: l2/bank.h has no gone (bank::gone)", "page.md:2: there is no file hw/l2/old.h"])


if __name__ == "__main__":
    unittest.main()
