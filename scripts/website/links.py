# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Follows all links of a built site, down to the headings that they name."""
import html.parser
import urllib.parse

# What a browser fetches without being asked.
LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src")}


class Reader(html.parser.HTMLParser):
    """The links of a page and the names in it."""

    def __init__(self):
        super().__init__()
        self.names, self.links = set(), []

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.names |= {values[key] for key in ("id", "name") if values.get(key)}
        for key in ("href", "src"):
            if values.get(key) and (tag, key) != ("link", "href") or \
                    tag == "link" and values.get("rel") in ("stylesheet", "icon"):
                if key in values:
                    self.links.append(((tag, key) in LOADED, values[key]))


def read(file):
    reader = Reader()
    reader.feed(file.read_text("utf-8"))
    return reader


def problems(site):
    """What is wrong with the links of a site."""
    pages = {file: read(file) for file in sorted(site.rglob("*.html"))}
    found = []
    for file, page in pages.items():
        if file.name == "404.html":  # its links begin at the root of a server
            continue
        for loaded, link in page.links:
            parts = urllib.parse.urlsplit(link)
            where = file.relative_to(site)
            if parts.scheme or parts.netloc:
                if loaded and parts.scheme != "data":
                    found.append(f"{where}: {link} would be loaded from elsewhere")
                continue
            target = (file.parent / urllib.parse.unquote(parts.path)).resolve() \
                if parts.path else file
            if target.is_dir():
                target = target / "index.html"
            if not target.is_file():
                found.append(f"{where}: the link {link} leads nowhere")
            elif parts.fragment and target in pages:
                name = urllib.parse.unquote(parts.fragment)
                if name not in pages[target].names and name != "__skip":
                    found.append(f"{where}: the link {link} names no heading of its page")
    return found
