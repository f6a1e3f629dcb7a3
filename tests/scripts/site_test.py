# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Tests of scripts/site: the site of this tree, and small ones with a fault each."""
import functools
import http.server
import pathlib
import shutil
import subprocess
import tempfile
import threading
import time
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

ROOT = pathlib.Path(__file__).resolve().parents[2]
ORDER = ROOT / "scripts/website/mkdocs.yml"


def build(*words):
    return subprocess.run([ROOT / "scripts/site", *map(str, words)], capture_output=True, text=True,
                          check=False)


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class FaultTest(unittest.TestCase):
    """A tree of four pages."""

    def setUp(self):
        self.tree = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.tree)
        (self.tree / "docs/results").mkdir(parents=True)
        (self.tree / "configs").mkdir()
        (self.tree / "configs/tiny.toml").write_text("")
        self.page("README.md", "# Entrance\n[docs/a.md](docs/a.md#some-words)")
        self.page("CONTRIBUTING.md", "# Work\n[list](docs/README.md)")
        self.page("docs/README.md", "# Pages\n[Entrance](../README.md) [a](a.md)")
        self.page("docs/a.md", "# A\nText:\n- item [tiny](../configs/tiny.toml)\n\n## Some words\n\n"
                  "| a |\n|---|\n| `x\\|y` |\n\n```\n[not](a_link.md)\n```\n`[nor](this.md)`")
        self.order(["index.md", "pages.md", "CONTRIBUTING.md", "a.md"])

    def page(self, name, text):
        (self.tree / name).write_text(text + "\n", "utf-8")

    def order(self, pages):
        text = ORDER.read_text("utf-8")
        head = text[:text.index("nav:")]
        (self.tree / "mkdocs.yml").write_text(head + "nav:\n" + "".join(
            f"  - {page}\n" for page in pages), "utf-8")
        shutil.copy(ORDER.with_name("site.css"), self.tree)

    def build(self):
        return build("--tree", self.tree, "--order", self.tree / "mkdocs.yml")

    def refused(self, expected):
        done = self.build()
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn(expected, done.stderr)

    def test_good_pages(self):
        done = self.build()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        page = (self.tree / "build/site/a.html").read_text("utf-8")
        for text in ("<li>item", "<code>x|y</code>", "[not](a_link.md)", "[nor](this.md)",
                     'href="tree/configs/tiny.toml"'):
            self.assertIn(text, page)
        entrance = (self.tree / "build/site/index.html").read_text("utf-8")
        self.assertIn('<a href="a.html#some-words">A</a>', entrance)

    def test_link_to_no_file(self):
        self.page("docs/a.md", "# A\n\n[b](b.md)")
        self.refused("docs/a.md:3: the link b.md leads nowhere")

    def test_link_to_no_heading(self):
        self.page("README.md", "# Entrance\n[a](docs/a.md#other-words)")
        self.refused("index.html: the link a.html#other-words names no heading of its page")

    def test_missing_picture(self):
        self.page("docs/a.md", "# A\n\n## Some words\n![a picture](a.png)")
        self.refused("docs/a.md:4: the link a.png leads nowhere")

    def test_page_without_a_place(self):
        self.page("docs/results/new.md", "# New")
        self.refused("docs/results/new.md: the page is not in the order of mkdocs.yml")

    def test_place_without_a_page(self):
        self.order(["index.md", "pages.md", "CONTRIBUTING.md", "a.md", "b.md"])
        self.refused("there is no page b.md")

    def test_page_with_two_places(self):
        self.order(["index.md", "pages.md", "CONTRIBUTING.md", "a.md", "a.md"])
        self.refused("a.md is there twice")

    def test_picture_from_elsewhere(self):
        self.page("docs/a.md", "# A\n\n## Some words\n![a](https://example.org/a.png)")
        self.refused("a.html: https://example.org/a.png would be loaded from elsewhere")


class SiteTest(unittest.TestCase):
    """The site of this tree, served without a network."""

    @classmethod
    def setUpClass(cls):
        folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, folder)
        done = build("--output", folder / "site")
        assert done.returncode == 0, done.stderr
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(
            QuietHandler, directory=folder / "site"))
        cls.addClassCleanup(server.server_close)
        cls.addClassCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        cls.address = f"http://127.0.0.1:{server.server_port}"
        options = Options()
        for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage",
                     "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"):
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        cls.browser = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        cls.addClassCleanup(cls.browser.quit)

    def width(self, pixels):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": pixels, "height": 800, "deviceScaleFactor": 1, "mobile": pixels < 600})

    def test_search_finds_a_page(self):
        self.width(1280)
        self.browser.get(f"{self.address}/index.html")
        search = self.browser.find_element(By.CSS_SELECTOR, ".md-search__input")
        search.click()
        search.send_keys("watermark")
        deadline = time.monotonic() + 20
        found = []
        while not found and time.monotonic() < deadline:
            time.sleep(0.2)
            found = self.browser.find_elements(By.CSS_SELECTOR, ".md-search-result__link")
        links = [link.get_attribute("href") for link in found]
        self.assertTrue(any("configuration.html" in link for link in links), links)
        self.assertEqual(self.browser.get_log("browser"), [])

    def test_nothing_sticks_out_on_a_phone(self):
        self.width(390)
        for page in ("index", "pages", "reports", "statistics_reference"):
            self.browser.get(f"{self.address}/{page}.html")
            self.assertLessEqual(self.browser.execute_script(
                "return document.documentElement.scrollWidth"), 390, page)


if __name__ == "__main__":
    unittest.main()
