// Charts in SVG, in pixels of the screen, drawn again when their width changes.
function svg(name, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// A round number, about range / count.
function roundStep(range, count) {
  const rough = range / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map(one => one * power).find(one => one >= rough * 0.999);
}

// About `count` round numbers from low to high.
function ticks(low, high, count) {
  const step = roundStep(high - low, count);
  const found = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + step * 1e-6; at++) {
    found.push(Number((at * step).toPrecision(12)));
  }
  return found;
}

function tickText(value) {
  const size = Math.abs(value);
  for (const [unit, prefix] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (size >= unit * (unit === 1e3 ? 10 : 1)) return `${Number((value / unit).toPrecision(4))}${prefix}`;
  }
  return size && size < 1e-4 ? value.toExponential(0) : String(Number(value.toPrecision(6)));
}

const dashes = ["", "6 3", "2 3", "8 3 2 3"];
function lineStyle(index) {
  return `stroke:var(--s${index % 8});stroke-dasharray:${dashes[Math.floor(index / 8) % 4]}`;
}

// Numbers that grow by factors stand at equal distances, as texts do.
function evenly(x) {
  return x.some(value => typeof value !== "number")
    || x.length > 2 && x.length <= 16 && x.every((value, at) => value > 0 && (at === 0 || value >= 1.5 * x[at - 1]));
}

// options: x (numbers or texts), lines [{name, values}], stacked [{part, values}], height,
// logarithmic, xTitle, range (values that the y axis must have room for).
function drawChart(box, options) {
  const width = box.clientWidth, height = options.height ?? 170;
  if (!width) return;
  const { x } = options;
  const texts = evenly(x);
  const all = [...(options.lines ?? []).flatMap(line => line.values), ...(options.range ?? [])]
    .filter(value => value !== null);
  const stacked = options.stacked ?? [];
  let high = Math.max(...all, 0), low = Math.min(...all, 0);
  const logarithmic = options.logarithmic && all.length && all.every(value => value > 0);
  if (logarithmic) [low, high] = [Math.min(...all), Math.max(...all)];
  if (high === low) high = low + (Math.abs(low) || 1);
  const logTicks = () => {
    const found = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) {
      for (const one of [1, 2, 5]) {
        const value = one * 10 ** power;
        if (value >= low && value <= high) found.push(value);
      }
    }
    return found.length > 1 ? found : [low, high];
  };
  if (!logarithmic) high = Math.ceil(high / roundStep(high - low, 4) - 1e-9) * roundStep(high - low, 4);
  const yTicks = logarithmic ? logTicks() : ticks(low, high, 4);
  const left = 12 + 6.6 * Math.max(...yTicks.map(value => tickText(value).length));
  const bottom = options.xTitle ? 36 : 20, right = 14, top = 8;
  const scale = logarithmic ? Math.log : value => value;
  const y = value => top + (height - top - bottom) * (1 - (scale(value) - scale(low)) / (scale(high) - scale(low)));
  const first = texts ? -0.3 : x[0], last = texts ? x.length - 0.7 : x[x.length - 1];
  const place = (value, index) => {
    const at = texts ? index : value;
    return left + (width - left - right) * (last === first ? 0.5 : (at - first) / (last - first));
  };
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img" });
  for (const value of yTicks) {
    picture.append(svg("line", { class: "grid", x1: left, x2: width - right, y1: y(value), y2: y(value) }),
      svg("text", { x: left - 7, y: y(value) + 4, "text-anchor": "end" }, tickText(value)));
  }
  const few = !texts && x.length <= Math.max(2, (width - left) / 44);
  let free = -Infinity;
  const marks = texts || few ? x.map((value, index) => [value, place(value, index)])
    : ticks(first, last, (width - left) / 80).map(value => [value, place(value)]);
  for (const [value, at] of marks) {
    const text = typeof value === "number" ? tickText(value) : String(value);
    const half = 3.2 * text.length;
    if (at - half < free) continue;
    free = at + half + 6;
    picture.append(svg("text", { x: at, y: height - bottom + 16, "text-anchor": "middle" }, text));
  }
  if (options.xTitle) {
    picture.append(svg("text", { x: (left + width - right) / 2, y: height - 3, "text-anchor": "middle" }, options.xTitle));
  }
  const base = x.map(() => 0);
  for (const { part, values } of stacked) {
    const under = x.map((value, index) => `${place(value, index).toFixed(1)},${y(base[index]).toFixed(1)}`);
    values.forEach((value, index) => { base[index] += value; });
    const over = x.map((value, index) => `${place(value, index).toFixed(1)},${y(base[index]).toFixed(1)}`);
    picture.append(svg("polygon", { class: `p-${part}`, points: [...over, ...under.reverse()].join(" ") }));
  }
  (options.lines ?? []).forEach((line, number) => {
    let path = "", pen = false;
    line.values.forEach((value, index) => {
      if (value === null) { pen = false; return; }
      path += `${pen ? "L" : "M"}${place(x[index], index).toFixed(1)} ${y(value).toFixed(1)}`;
      pen = true;
      if (x.length <= 24) {
        picture.append(svg("circle", { cx: place(x[index], index), cy: y(value), r: 2.6,
          style: `fill:var(--s${(line.color ?? number) % 8})` }));
      }
    });
    picture.append(svg("path", { class: "curve", d: path, style: lineStyle(line.color ?? number) }));
  });
  box.replaceChildren(picture);
  addTip(box, picture, options, x.map(place), { top, bottom: height - bottom, width });
}

// Under the pointer: the values at the nearest x.
function addTip(box, picture, options, places, area) {
  const rule = svg("line", { class: "rule", y1: area.top, y2: area.bottom, visibility: "hidden" });
  const tip = element("div", { class: "tip", hidden: "" });
  picture.append(rule);
  box.append(tip);
  const leave = () => { tip.hidden = true; rule.setAttribute("visibility", "hidden"); };
  picture.addEventListener("pointerleave", leave);
  picture.addEventListener("pointermove", event => {
    const at = event.clientX - picture.getBoundingClientRect().left;
    const nearest = places.reduce((best, place, index) =>
      Math.abs(place - at) < Math.abs(places[best] - at) ? index : best, 0);
    const x = options.x[nearest];
    const rows = options.stacked
      ? options.stacked.filter(one => one.values[nearest] > 0.05).reverse()
        .map(one => [element("span", { class: `swatch p-${one.part}` }), one.part, `${shown(one.values[nearest])} %`])
      : options.lines.map((line, index) => [
        element("span", { class: "swatch", style: `background:var(--s${(line.color ?? index) % 8})` }),
        line.name ?? "", shown(line.values[nearest])]);
    tip.replaceChildren(element("div", {}, element("b", {}, `${options.xName ?? ""} ${shown(typeof x === "number" ? Math.round(x * 1e6) / 1e6 : x)}`)),
      ...rows.slice(0, 14).map(([swatch, name, value]) =>
        element("div", {}, element("span", {}, ...(options.plain ? [] : [swatch]), name), element("span", {}, value))));
    tip.hidden = false;
    const place = places[nearest];
    tip.style.top = "0px";
    tip.style.left = place > area.width / 2 ? "" : `${place + 10}px`;
    tip.style.right = place > area.width / 2 ? `${area.width - place + 10}px` : "";
    rule.setAttribute("x1", place);
    rule.setAttribute("x2", place);
    rule.setAttribute("visibility", "visible");
  });
}

const resized = new ResizeObserver(entries => {
  for (const { target } of entries) {
    if (target.drawnWidth !== target.clientWidth) {
      target.drawnWidth = target.clientWidth;
      drawChart(target, target.options);
    }
  }
});

// A chart with its title, as an element.
function chart(title, unit, options) {
  const body = element("div", { class: "chart-body", style: `position:relative;min-height:${options.height ?? 170}px` });
  const box = element("div", { class: "chart" }, element("h3", {}, title, element("span", {}, unit)), body);
  body.options = options;
  resized.observe(body);
  return box;
}

function legend(entries) {
  return element("ul", { class: "legend" }, ...entries.map(([style, name]) =>
    element("li", {}, element("span", { class: `swatch ${style.class ?? ""}`, style: style.style ?? "" }), name)));
}
