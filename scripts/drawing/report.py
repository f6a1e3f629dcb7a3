# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""report.png and report_sweep.png: pages of heddle report about real runs, in Chromium without a
screen."""
import io
import itertools
import json
import pathlib
import tempfile

from PIL import Image

from drawing import stamp
from drawing.program import expect_tools, output_of

RUN = ["pathfinder", "--config", "gf100"]
SWEEP = {"gpu.smx_count": [8, 15], "smx.scheduler": ["lrr", "gto", "two_level"],
         "l1d.mshrs": [4, 8, 16, 32, 64]}
SWEPT = ["matrix", "--config", "gf100"]
STATISTICS = ["gpu.cycles", "gpu.ipc", "gpu.l1d_miss_rate", "gpu.l2_miss_rate",
              "gpu.dram_bandwidth_utilization"]
# The page is drawn smaller than on a screen, so that more of it is seen.
WIDTH, ZOOM, SHARPER = 790, 0.66, 2


def page_of_run(heddle, folder):
    stats, series, launches = (folder / name for name in
                               ("stats.json", "series.csv", "launches.csv"))
    output_of(heddle, "run", *RUN, "--stats", stats, "--series", series, "--interval", 100,
              "--launches", launches)
    output_of(heddle, "report", stats, "--series", series, "--launches", launches, "-o",
              folder / "page.html")


def page_of_sweep(heddle, folder):
    lines = [",".join([*SWEEP, *STATISTICS])]
    for values in itertools.product(*SWEEP.values()):
        settings = [word for key, value in zip(SWEEP, values) for word in
                    ("--set", f"{key}={value}")]
        output_of(heddle, "run", *SWEPT, *settings, "--stats", folder / "stats.json")
        found = json.loads((folder / "stats.json").read_text("utf-8"))["statistics"]
        lines.append(",".join(map(str, (*values, *(found[name]["value"] for name in STATISTICS)))))
    units = ["name,unit,kind", *(f"{name},,axis" for name in SWEEP),
             *(f"{name},{found[name]['unit']},statistic" for name in STATISTICS)]
    (folder / "sweep.csv").write_text("\n".join(lines), "utf-8")
    (folder / "sweep.units.csv").write_text("\n".join(units), "utf-8")
    output_of(heddle, "report", folder / "sweep.csv", "--title", "Schedulers and miss registers",
              "-o", folder / "page.html")


def shot(file, height):
    """What a browser shows of a page."""
    expect_tools(["chromium", "chromedriver"], "chromium chromium-driver")
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    options = Options()
    for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(word)
    with webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver")) as browser:
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": WIDTH, "height": height, "deviceScaleFactor": SHARPER, "mobile": False})
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": "light"}]})
        browser.get(file.as_uri())
        browser.execute_script("document.body.style.zoom = arguments[0]", ZOOM)
        # The charts are drawn again for their new width, in the frame after the next.
        browser.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => "
                                     "requestAnimationFrame(() => setTimeout(done, 200)))")
        return Image.open(io.BytesIO(browser.get_screenshot_as_png()))


class Page:
    """A picture of a page. Its mark is of the page up to `end`, which the picture does not show."""

    def __init__(self, name, make, height, end):
        self.__name__, self._make, self._height, self._end = name, make, height, end

    def _mark(self, page):
        return stamp.of(page.read_text("utf-8").partition(self._end)[0])

    def source(self, heddle):
        with tempfile.TemporaryDirectory() as place:
            self._make(heddle, pathlib.Path(place))
            return self._mark(pathlib.Path(place, "page.html"))

    def __call__(self, heddle, file):
        with tempfile.TemporaryDirectory() as place:
            self._make(heddle, pathlib.Path(place))
            page = pathlib.Path(place, "page.html")
            stamp.save(shot(page, self._height), file, self._mark(page), colors=200)


report = Page("report", page_of_run, 536, '<section id="time">')
report_sweep = Page("report_sweep", page_of_sweep, 745, "</html>")
