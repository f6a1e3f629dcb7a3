# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Pages of heddle report in a browser without a screen: everything that can be clicked."""
import time
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from report_fixture import AXES, HEDDLE, ReportTest, stats, write_sweep

ARGUMENTS = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars"]
# What a visible line of text is beside the background that it stands on (WCAG contrast).
CONTRAST = """
const parts = text => text.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
  .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
  .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
const under = node => {
  for (let at = node; at; at = at.parentElement) {
    const color = getComputedStyle(at).backgroundColor;
    if (color.startsWith("rgb") && (parts(color)[3] ?? 1) === 1) return parts(color);
  }
  return [255, 255, 255];
};
let worst = [99, ""];
for (const node of document.querySelectorAll("h1,h2,h3,p,td,th,dt,dd,a,summary,button,label,li,pre")) {
  if (!node.textContent.trim() || !node.offsetParent || node.closest(".heat td")) continue;
  const [a, b] = [light(parts(getComputedStyle(node).color)), light(under(node))];
  const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (contrast < worst[0]) worst = [contrast, node.outerHTML.slice(0, 80)];
}
return worst;"""


class BrowserTest(ReportTest):
    """One browser for all pages."""

    @classmethod
    def setUpClass(cls):
        options = Options()
        for word in ARGUMENTS:
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        cls.browser = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        cls.addClassCleanup(cls.browser.quit)

    def open(self, *words, width=1280, scheme="light"):
        """Seconds until a page is there and drawn."""
        self.made(*words)
        self.show(width, scheme)
        start = time.monotonic()
        self.browser.get((self.folder / "report.html").as_uri())
        self.script("return document.body.getBoundingClientRect().height")
        return time.monotonic() - start

    def tearDown(self):
        self.assertEqual(self.browser.get_log("browser"), [])

    def show(self, width, scheme):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600})
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def script(self, text, *words):
        return self.browser.execute_script(text, *words)

    def find(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def column(self, table, at):
        """What the visible rows of a table have in a column, as sorting sees it."""
        return self.script("return [...arguments[0].tBodies[0].rows].filter(row => !row.hidden)"
                           ".map(row => cellKey(row.cells[arguments[1]]))", table, at)

    def click_every_sort(self):
        """Each head of each table, both ways."""
        heads = self.find("table th button")
        self.assertTrue(heads)
        for button in heads:
            head = button.find_element(By.XPATH, "..")
            table = head.find_element(By.XPATH, "ancestor::table")
            at = self.script("return arguments[0].cellIndex", head)
            for _ in range(2):
                self.script("arguments[0].click()", button)
                order = head.get_attribute("aria-sort")
                values = self.column(table, at)
                some = [value for value in values if value is not None]
                self.assertEqual(values[:len(some)], some)  # nothing stands at the end
                with self.subTest(table=table.get_attribute("id"), head=head.text, order=order):
                    ordered = self.script("return [...arguments[0]].sort(compareKeys)", some)
                    self.assertEqual(some, ordered[::-1] if order == "descending" else ordered)

    def follow_every_link(self):
        links = self.find("a[href]")
        self.assertTrue(links)
        for link in links:
            target = link.get_attribute("href").partition("#")[2]
            self.assertEqual(len(self.find(f"[id='{target}']")), 1, target)
            self.script("arguments[0].click()", link)
            self.assertTrue(self.browser.current_url.endswith("#" + target))
            top = self.script("return document.getElementById(arguments[0])"
                              ".getBoundingClientRect().top", target)
            self.assertLess(top, 900, target)

    def looks_right(self):
        """On a phone and a screen, light and dark: nothing sticks out, all text can be read."""
        for width in (360, 768, 1280):
            for scheme in ("light", "dark"):
                self.show(width, scheme)
                with self.subTest(width=width, scheme=scheme):
                    self.assertLessEqual(
                        self.script("return document.documentElement.scrollWidth"), width)
                    contrast, where = self.script(CONTRAST)
                    self.assertGreaterEqual(contrast, 4.5, where)
                    page = self.script("return getComputedStyle(document.body).backgroundColor")
                    self.assertEqual(page == "rgb(255, 255, 255)", scheme == "light")
        self.show(1280, "light")

    def fits_on_paper(self):
        """A4 with margins is 718 pixels wide."""
        self.show(718, "dark")
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        self.assertEqual(self.script("return getComputedStyle(document.body).backgroundColor"),
                         "rgb(255, 255, 255)")
        self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), 718)
        self.assertFalse(self.one("nav").is_displayed())
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})

    def open_details(self):
        for details in self.find("details.plain > summary"):
            self.script("arguments[0].click()", details)
        time.sleep(0.1)  # `toggle` comes after the click

    def test_run(self):
        done = self.call("run", "bfs", "--config", "tiny", "--input", "kronecker:scale=8,degree=8",
                         "--set", "l1d.mshrs=8", "--stats", "run.json", "--series", "series.json",
                         "--interval", "100", "--launches", "launches.csv", command=(HEDDLE,))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.open("run.json", "--series", "series.json", "--launches", "launches.csv")
        self.assertGreater(len(self.find(".chart svg .curve")), 4)
        self.assertGreater(len(self.find(".chart svg polygon")), 3)
        self.open_details()
        self.follow_every_link()
        self.click_every_sort()
        rows = self.find("#statistic-table tbody tr")
        self.one("[data-filter=statistic-table]").send_keys("l2 MISS")
        shown = self.column(self.one("#statistic-table"), 0)
        self.assertLess(len(shown), len(rows))
        self.assertTrue(shown and all("l2" in name for name in shown))
        self.assertIn(f"{len(shown)} of {len(rows)} rows", self.one("main").text)
        self.one("[data-filter=parameter-table]").send_keys("l1d.mshrs")
        self.assertIn("l1d.mshrs", self.column(self.one("#parameter-table"), 0))
        self.script("scrollTo(0, 0)")
        self.one("[data-copy]").click()
        self.assertEqual(self.one("[data-copy]").text, "Copied")
        self.looks_right()
        self.fits_on_paper()

    def test_side_by_side(self):
        self.write("a.json", stats())
        self.write("b.json", stats(facts={"configuration": {"l1d.mshrs": 64}},
                                   values={"gpu.cycles": 50, "gpu.ipc": None}))
        self.open("a.json", "b.json")
        self.open_details()
        self.assertEqual(set(self.column(self.one("#statistic-table"), 0)), {"gpu.cycles", "gpu.ipc"})
        self.follow_every_link()
        self.click_every_sort()
        self.looks_right()

    def test_paper(self):
        header = "row,place,text,line,column,unit,ours,half_width,paper,verdict\n"
        self.write("values.csv", header + "speed,Fig. 1,speed,,,%,12.5,0.5,+10 %,agrees\n"
                   "rate,Fig. 1,rate,,,,1,,4,differs\n"
                   "way,Fig. 2,way,,,%,1,,+9 %,direction\nfig3,Fig. 3,rates,bfs,lrr,,0.25,,,\n")
        self.open("values.csv")
        self.assertEqual(len(self.find(".beside circle")), 3)
        self.one("[data-filter=value-table]").send_keys("rate")
        self.assertEqual(self.column(self.one("#value-table"), 0), ["rate"])
        self.follow_every_link()
        self.click_every_sort()
        self.looks_right()

    def tick(self, box):
        self.script("arguments[0].click()", box)

    def test_sweep(self):
        write_sweep(self.folder / "sweep.csv")
        seconds = self.open("sweep.csv")
        print(f"a page of 1,000 runs opens in {seconds:.2f} s")
        self.assertLess(seconds, 3)
        table = self.one("#run-table")
        self.assertEqual(len(self.column(table, 0)), 1000)
        self.follow_every_link()
        self.click_every_sort()
        # Each value of each axis leaves and comes back, in charts and table alike.
        menus = self.find("#filters details")
        self.assertEqual(len(menus), len(AXES))
        for menu, values in zip(menus, AXES.values()):
            boxes = menu.find_elements(By.CSS_SELECTOR, "input")
            self.assertEqual(len(boxes), len(values))
            for box in boxes:
                self.tick(box)
                self.assertEqual(len(self.column(table, 0)), 1000 - 1000 // len(values))
                self.tick(box)
            everything, nothing = menu.find_elements(By.CSS_SELECTOR, "button")
            self.tick(nothing)
            self.assertEqual(self.column(table, 0), [])
            self.tick(everything)
            self.assertEqual(len(self.column(table, 0)), 1000)
        self.one("#search").send_keys("spmv gto")
        self.assertEqual(set(self.column(table, 0)), {"spmv"})
        self.assertIn("50 in the table", self.one("#count").text)
        self.one("#search").clear()
        self.one("#search").send_keys(" ")
        self.choose_everything()
        columns = self.find("#columns-menu input")
        self.tick(columns[8])
        self.assertIn("number_5", self.one("#run-table thead").text)
        self.looks_right()

    def choose_everything(self):
        """Each entry of each menu draws something."""
        for name in ("along", "line", "panel", "rows", "columns"):
            select = Select(self.one(f"#{name}"))
            first = select.first_selected_option.text
            for option in [option.text for option in select.options]:
                select.select_by_visible_text(option)
                self.assertTrue(self.find("#heat-map td"), (name, option))
                self.assertTrue(self.find("#charts .chart"), (name, option))
            select.select_by_visible_text(first)
        for name in ("relative", "logarithmic"):
            self.tick(self.one(f"#{name}"))
            self.script("return document.body.getBoundingClientRect().height")
        time.sleep(0.2)  # charts draw in the next frame
        self.assertTrue(self.find("#charts .curve"))
        Select(self.one("#statistic")).select_by_index(1)
        self.assertIn("gpu.ipc", self.one("#heat-note").text)

    def test_mean_of_a_heat_map(self):
        write_sweep(self.folder / "sweep.csv")
        self.open("sweep.csv")
        Select(self.one("#rows")).select_by_visible_text("smx.scheduler")
        Select(self.one("#columns")).select_by_visible_text("l1d.mshrs")
        cells = [cell.get_attribute("title") for cell in self.find("#heat-map tbody tr:first-child td")]
        # 1000 + 8000 / l1d.mshrs, and the mean seed.
        self.assertEqual(cells, ["2,006", "1,506", "1,256", "1,131", "1,068"])

    def test_sweep_of_one_run(self):
        self.write("one.csv", "a,s\n1,-2.5\n")
        self.write("one.units.csv", "name,unit,kind\na,,axis\ns,,statistic\n")
        self.open("one.csv")
        self.assertEqual(self.one("#heat-map td").get_attribute("title"), "-2.5")
        self.assertTrue(self.find("#charts circle"))

    def test_print(self):
        write_sweep(self.folder / "sweep.csv")
        self.open("sweep.csv", scheme="dark")
        self.fits_on_paper()


if __name__ == "__main__":
    unittest.main()
