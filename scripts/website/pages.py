# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Gathers the pages of the site. README.md is its entrance, docs/README.md the list of all pages.

The pages are written for readers of the tree, so links are turned to where things are in the site,
and the few things that MkDocs reads differently are written as it reads them.
"""
import os
import pathlib
import re
import shutil

LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^)\s]+)\)")
FENCE = re.compile(r" *(```|~~~)")
ITEM = re.compile(r" *(?:[-*+]|\d+\.) ")
CODE = re.compile(r"(`+)(?:(?!\1).)+\1")
ELSEWHERE = re.compile(r"[a-z]+:")
# Pages outside of docs/, and the one inside that would take the entrance's place.
PLACES = {"README.md": "index.md", "CONTRIBUTING.md": "CONTRIBUTING.md",
          "docs/README.md": "pages.md"}


def place(name):
    """Where a file of the tree is in the site."""
    if name in PLACES:
        return PLACES[name]
    return name.removeprefix("docs/") if name.startswith("docs/") else f"tree/{name}"


class Page:
    """A page on its way from the tree into the site."""

    def __init__(self, tree, name):
        self._tree, self.name = tree, name
        self.files = set()  # of the tree, which links lead to
        self.problems = []

    def text(self):
        """The page as MkDocs reads it."""
        lines, fenced, listed = [], False, False
        for number, line in enumerate(
                (self._tree / self.name).read_text("utf-8").splitlines(), 1):
            if FENCE.match(line):
                fenced = not fenced
            if fenced or FENCE.match(line):
                lines.append(line)
                continue
            # A list needs an empty line before it.
            item = bool(ITEM.match(line))
            if item and not listed and lines and lines[-1].strip():
                lines.append("")
            listed = item or listed and bool(line.strip())
            if line.startswith("|"):
                line = CODE.sub(lambda code: code[0].replace(r"\|", "|"), line)
            lines.append(self._linked(line, number))
        return "\n".join(lines) + "\n"

    def _linked(self, line, number):
        code = [found.span() for found in CODE.finditer(line)]

        def turned(found):
            # Code inside of a link's text is no code around a link.
            if any(start < found.start() and found.end() < end for start, end in code):
                return found[0]
            target = self._target(found[2], number)
            return f"{self._named(found[1], found[2])}({target})"

        return LINK.sub(turned, line)

    def _named(self, text, link):
        """A page that is called by its file has its title in the site."""
        path = link.partition("#")[0]
        file = self._tree / pathlib.PurePath(self.name).parent / path
        if not re.fullmatch(r"\[[\w./]+\.md\]", text) or not file.is_file():
            return text
        return f"[{file.read_text('utf-8').splitlines()[0].removeprefix('# ')}]"

    def _target(self, link, number):
        path, mark, anchor = link.partition("#")
        if not path or ELSEWHERE.match(path):
            return link
        name = os.path.normpath(pathlib.PurePath(self.name).parent / path)
        if not (self._tree / name).is_file():
            if (self._tree / name / "README.md").is_file():
                name = f"{name}/README.md"
            else:
                self.problems.append(f"{self.name}:{number}: the link {link} leads nowhere")
                return link
        self.files.add(name)
        folder = pathlib.PurePath(place(self.name)).parent
        return os.path.relpath(place(name), folder) + mark + anchor


def ordered(order):
    """The pages that mkdocs.yml puts in order, with their lines."""
    found = {}
    for number, line in enumerate(order.read_text("utf-8").splitlines(), 1):
        match = re.fullmatch(r" +- (?:[^:]+: )?([\w/]+\.md)", line)
        if match:
            found.setdefault(match[1], []).append(number)
    return found


def gather(tree, order, folder):
    """Fills the folder that MkDocs reads; returns what is wrong with the pages."""
    names = ["README.md", "CONTRIBUTING.md",
             *sorted(str(file.relative_to(tree)) for file in (tree / "docs").rglob("*.md"))]
    problems, files = [], set()
    in_order = ordered(order)
    for page, lines in in_order.items():
        if page not in map(place, names):
            problems.append(f"{order.name}:{lines[0]}: there is no page {page}")
        if len(lines) > 1:
            problems.append(f"{order.name}:{lines[1]}: {page} is there twice")
    shutil.rmtree(folder, ignore_errors=True)
    for name in names:
        if place(name) not in in_order:
            problems.append(f"{name}: the page is not in the order of {order.name}")
        page = Page(tree, name)
        target = folder / "pages" / place(name)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(page.text(), "utf-8")
        problems += page.problems
        files |= page.files
    for name in files - set(names):
        target = folder / "pages" / place(name)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(tree / name, target)
    shutil.copyfile(order.parent / "site.css", folder / "pages/site.css")
    shutil.copyfile(order, folder / "mkdocs.yml")
    return problems
