// The pages of many runs: one choice of runs and of a statistic for lines, heat map and table.
const { axes, statistics } = data;
const runCount = statistics[0].values.length;
const byId = id => document.getElementById(id);
const hidden = axes.map(() => new Set());
const nameOf = (axis, value) => String(axis.values[value]);
const titled = ({ name, unit }) => unit ? `${name} (${unit})` : name;
const isNumeric = axis => axis.values.every(value => typeof value === "number");

function fill(select, entries, chosen) {
  select.replaceChildren(...entries.map(([value, text]) => element("option", { value }, text)));
  select.value = chosen;
}

const statistic = () => statistics[byId("statistic").value];
const choice = id => Number(byId(id).value);

// Numbers of the runs that no axis hides.
function chosenRuns() {
  const found = [];
  for (let run = 0; run < runCount; run++) {
    if (axes.every((axis, at) => !hidden[at].has(axis.of[run]))) found.push(run);
  }
  return found;
}

function mean(values) {
  const some = values.filter(value => value !== null);
  return some.length ? some.reduce((sum, value) => sum + value, 0) / some.length : null;
}

// Says over what a point is a mean.
function meanNote(used, most) {
  if (most <= 1) return "";
  const over = axes.filter((axis, at) => !used.includes(at) && axis.values.length - hidden[at].size > 1);
  return `Each value is a mean of up to ${most} runs${over.length ? ", over " + over.map(({ name }) => name).join(", ") : ""}.`;
}

// {key: [values]} of the runs, by the values of these axes.
function grouped(runs, used) {
  const groups = new Map();
  for (const run of runs) {
    const key = used.map(at => at < 0 ? 0 : axes[at].of[run]).join();
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(statistic().values[run]);
  }
  return groups;
}

const present = (at, runs) => at < 0 ? [0]
  : [...new Set(runs.map(run => axes[at].of[run]))].sort((a, b) => a - b);

function drawLines(runs) {
  const [along, line, panel] = ["along", "line", "panel"].map(choice);
  const relative = byId("relative").checked;
  const groups = grouped(runs, [panel, line, along]);
  const xs = present(along, runs), lines = present(line, runs);
  const entries = lines.map(value => [{ style: `background:var(--s${value % 8})` }, line < 0 ? "" : nameOf(axes[line], value)]);
  byId("line-legend").replaceChildren(...(line < 0 ? [] : [
    element("span", { class: "note" }, axes[line].name), legend(entries)]));
  const panels = present(panel, runs).map(one => {
    const drawn = lines.map(value => {
      const values = xs.map(x => mean(groups.get([one, value, x].join()) ?? []));
      const base = values.find(found => found !== null);
      return { name: line < 0 ? statistic().name : nameOf(axes[line], value), color: line < 0 ? 0 : value,
        values: relative ? values.map(found => found === null || !base ? null : found / base) : values };
    }).filter(({ values }) => values.some(value => value !== null));
    return [one, drawn];
  });
  // One scale for all, so that charts can be compared.
  const range = panels.flatMap(([, drawn]) => drawn.flatMap(({ values }) => values));
  byId("charts").replaceChildren(...panels.map(([one, drawn]) => {
    const title = panel < 0 ? statistic().name
      : isNumeric(axes[panel]) ? `${axes[panel].name} ${nameOf(axes[panel], one)}` : nameOf(axes[panel], one);
    const box = chart(title,
      relative ? "relative to the first" : statistic().unit,
      { x: xs.map(x => axes[along].values[x]), lines: drawn, range, height: 250, plain: line < 0,
        logarithmic: byId("logarithmic").checked, xTitle: titled(axes[along]), xName: axes[along].name });
    if (panel < 0) box.classList.add("full");
    return box;
  }));
  byId("line-note").textContent = meanNote([along, line, panel], Math.max(...[...groups.values()].map(({ length }) => length), 0));
}

function drawHeatMap(runs) {
  const [down, across] = ["rows", "columns"].map(choice);
  const groups = grouped(runs, [down, across]);
  const rows = present(down, runs), columns = present(across, runs);
  const values = [...groups.values()].map(mean).filter(value => value !== null);
  const low = Math.min(...values), high = Math.max(...values);
  const head = element("tr", {}, element("th", { class: "corner" }, `${axes[down].name} ↓ ${across < 0 ? "" : axes[across].name + " →"}`),
    ...columns.map(value => element("th", { scope: "col" }, across < 0 ? statistic().name : nameOf(axes[across], value))));
  const body = rows.map(row => element("tr", {}, element("th", { scope: "row" }, nameOf(axes[down], row)),
    ...columns.map(column => {
      const value = mean(groups.get([row, column].join()) ?? []);
      const cell = element("td", { title: shown(value) }, value === null ? "–" : tickText(Number(value.toPrecision(4))));
      if (value === null) return cell;
      const part = high === low ? 0 : (value - low) / (high - low);
      cell.style.background = `color-mix(in oklab, var(--heat-high) ${(100 * part).toFixed(1)}%, var(--heat-low))`;
      if (part > 0.5) cell.style.color = "var(--heat-ink)";
      return cell;
    })));
  byId("heat-map").replaceChildren(element("thead", {}, head), element("tbody", {}, ...body));
  byId("heat-note").textContent = [`${titled(statistic())}; a stronger colour stands for more.`,
    meanNote([down, across], Math.max(...[...groups.values()].map(({ length }) => length), 0))].join(" ");
}

// The rows exist once; a filter hides them, and sorting moves them.
const shownColumns = new Set(statistics.slice(0, 6).map((_, at) => at));
let rowOf = [];

function buildTable() {
  const table = byId("run-table");
  const columns = [...shownColumns].sort((a, b) => a - b).map(at => statistics[at]);
  table.tHead.replaceChildren(element("tr", {},
    ...axes.map(axis => element("th", isNumeric(axis) ? { class: "n", title: axis.unit } : { title: axis.unit }, axis.name)),
    ...columns.map(({ name, unit, description }) =>
      element("th", { class: "n", title: [unit, description].filter(Boolean).join(": ") }, name.replace(/^gpu\./, "")))));
  rowOf = [];
  const numeric = axes.map(isNumeric);
  for (let run = 0; run < runCount; run++) {
    rowOf.push(element("tr", {},
      ...axes.map((axis, at) => numeric[at] ? numberCell(axis.values[axis.of[run]])
        : element("td", {}, nameOf(axis, axis.of[run]))),
      ...columns.map(({ values }) => numberCell(values[run]))));
  }
  table.tBodies[0].replaceChildren(...rowOf);
  makeSortable(table);
}

function filterRows(runs) {
  const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const kept = new Set(runs);
  let count = 0;
  rowOf.forEach((row, run) => {
    row.hidden = !kept.has(run) || !words.every(word => row.textContent.toLowerCase().includes(word));
    count += !row.hidden;
  });
  byId("count").textContent = `${runs.length.toLocaleString("en")} of ${runCount.toLocaleString("en")} runs`
    + (words.length ? `, ${count.toLocaleString("en")} in the table` : "");
}

function draw() {
  const runs = chosenRuns();
  byId("meaning").textContent = statistic().description;
  drawLines(runs);
  drawHeatMap(runs);
  filterRows(runs);
}

// A menu of boxes to tick; `changed(index, ticked)`.
function menu(title, names, ticked, changed) {
  const label = element("b", {});
  const count = () => { label.textContent = ` ${boxes.filter(box => box.checked).length} of ${names.length}`; };
  const boxes = names.map((name, at) => {
    const box = element("input", { type: "checkbox" });
    box.checked = ticked(at);
    box.addEventListener("change", () => { changed(at, box.checked); count(); });
    return box;
  });
  const set = all => () => {
    boxes.forEach((box, at) => { if (box.checked !== all) { box.checked = all; changed(at, all, true); } });
    count();
    changed(-1);
  };
  const button = (text, all) => {
    const made = element("button", { class: "button", type: "button" }, text);
    made.addEventListener("click", set(all));
    return made;
  };
  count();
  return element("details", {}, element("summary", {}, title, label), element("div", { class: "menu" },
    element("div", { class: "tools" }, button("all", true), button("none", false)),
    ...names.map((name, at) => element("label", {}, boxes[at], name))));
}

// A menu that would leave the page opens to the left.
function keepInside(details) {
  const open = details.querySelector(".menu");
  open.style.left = "0";
  const beyond = open.getBoundingClientRect().right - document.documentElement.clientWidth + 12;
  if (beyond > 0) open.style.left = `${-beyond}px`;
}

function savedTable() {
  const quoted = text => /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = [[...axes, ...statistics].map(({ name }) => quoted(name)).join()];
  for (const row of byId("run-table").tBodies[0].rows) {
    const run = rowOf.indexOf(row);
    if (!row.hidden) lines.push([...axes.map(axis => quoted(nameOf(axis, axis.of[run]))), ...statistics.map(({ values }) => values[run] ?? "")].join());
  }
  return lines.join("\n") + "\n";
}

fill(byId("statistic"), statistics.map((one, at) => [at, titled(one)]), 0);
const every = axes.map((axis, at) => [at, axis.name]);
const size = at => axes[at].values.length;
// First along a number with many values, then lines that can be told apart, then few charts. Runs
// that differ in nothing but the seed are repetitions: means are over them.
const order = axes.map((_, at) => at).filter(at => axes[at].name !== "seed" || axes.length === 1);
const along = [...order].sort((a, b) => isNumeric(axes[b]) - isNumeric(axes[a]) || size(b) - size(a))[0];
const rest = order.filter(at => at !== along);
const line = rest.filter(at => size(at) <= 8).sort((a, b) => size(b) - size(a))[0] ?? -1;
const panel = rest.filter(at => at !== line && size(at) <= 12).sort((a, b) => size(b) - size(a))[0] ?? -1;
fill(byId("along"), every, along);
fill(byId("line"), [[-1, "(one line)"], ...every], line);
fill(byId("panel"), [[-1, "(one chart)"], ...every], panel);
fill(byId("rows"), every, line < 0 ? along : line);
fill(byId("columns"), [[-1, "(one column)"], ...every], line < 0 ? -1 : along);
axes.forEach((axis, at) => byId("filters").append(menu(axis.name, axis.values.map(String), () => true,
  (value, ticked, more) => {
    if (value >= 0) ticked ? hidden[at].delete(value) : hidden[at].add(value);
    if (!more) draw();
  })));
byId("columns-menu").append(menu("columns", statistics.map(titled), at => shownColumns.has(at),
  (at, ticked, more) => {
    if (at >= 0) ticked ? shownColumns.add(at) : shownColumns.delete(at);
    if (!more) { buildTable(); filterRows(chosenRuns()); }
  }));
for (const id of ["statistic", "along", "line", "panel", "rows", "columns", "relative", "logarithmic"]) {
  byId(id).addEventListener("change", draw);
}
byId("search").addEventListener("input", () => filterRows(chosenRuns()));
byId("save").addEventListener("click", () => {
  const link = element("a", { download: "runs.csv", href: URL.createObjectURL(new Blob([savedTable()], { type: "text/csv" })) });
  link.click();
  URL.revokeObjectURL(link.href);
});
for (const details of document.querySelectorAll(".filters details")) {
  details.addEventListener("toggle", () => { if (details.open) keepInside(details); });
}
document.addEventListener("click", event => {
  for (const open of document.querySelectorAll(".filters details[open]")) {
    if (!open.contains(event.target)) open.open = false;
  }
});
buildTable();
draw();
