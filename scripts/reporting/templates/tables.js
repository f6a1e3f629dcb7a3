// Tables: a click on the head of a column sorts, a text filters. Buttons that copy.
function cellKey(cell) {
  const text = cell.dataset.value ?? cell.textContent.trim();
  if (text === "" || text === "–") return null;
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}

function compareKeys(a, b) {
  if (typeof a === typeof b) return typeof a === "number" ? a - b : a.localeCompare(b);
  return typeof a === "number" ? -1 : 1;
}

// What has no value stays at the end, in both directions.
function sortTable(table, column, descending) {
  const body = table.tBodies[0];
  const rows = [...body.rows].map(row => [cellKey(row.cells[column]), row]);
  rows.sort(([a], [b]) => a === null || b === null ? (a === null) - (b === null)
    : descending ? compareKeys(b, a) : compareKeys(a, b));
  body.append(...rows.map(([, row]) => row));
  for (const head of table.tHead.rows[0].cells) head.removeAttribute("aria-sort");
  table.tHead.rows[0].cells[column].setAttribute("aria-sort", descending ? "descending" : "ascending");
}

function makeSortable(table) {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    if (head.dataset.unsorted !== undefined || !head.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    // Numbers are mostly looked at from the largest.
    button.addEventListener("click", () => {
      const now = head.getAttribute("aria-sort");
      sortTable(table, column, now ? now === "ascending" : head.classList.contains("n"));
    });
  });
}

function filterTable(table, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const row of table.tBodies[0].rows) {
    const content = row.textContent.toLowerCase();
    row.hidden = !words.every(word => content.includes(word));
    shown += !row.hidden;
  }
  const count = document.querySelector(`[data-count="${table.id}"]`);
  if (count) count.textContent = words.length ? `${shown} of ${table.tBodies[0].rows.length} rows` : "";
}

// Digits as the rest of the page has them.
function shown(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value)) return value.toLocaleString("en");
  const size = Math.abs(value);
  if (size >= 1e15 || size < 1e-4) return value.toExponential(3);
  return size >= 1000 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(4)));
}

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function numberCell(value) {
  const cell = element("td", { class: "n" }, shown(value));
  if (value !== null) cell.dataset.value = value;
  return cell;
}

// Long tables are built when somebody opens them.
function buildWhenOpened(id, rowOf, rows) {
  const table = document.getElementById(id);
  const details = table?.closest("details");
  details?.addEventListener("toggle", () => {
    if (table.tBodies[0].rows.length) return;
    const body = document.createDocumentFragment();
    for (const row of rows) body.append(element("tr", {}, ...rowOf(row)));
    table.tBodies[0].append(body);
  });
}

for (const table of document.querySelectorAll("table.sortable")) makeSortable(table);
for (const input of document.querySelectorAll("[data-filter]")) {
  input.addEventListener("input", () =>
    filterTable(document.getElementById(input.dataset.filter), input.value));
}
for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", () => {
    const text = button.parentElement.querySelector("pre");
    getSelection().selectAllChildren(text);
    // A page that was opened as a file may not be allowed to use the newer interface.
    document.execCommand("copy");
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
}
