"use strict";
// Reads the data of the page and draws it. Every text goes in through textContent or attributes: nothing is parsed.
const data = JSON.parse(document.getElementById("data").textContent);
const colours = ["#1f5fa8", "#c8501e", "#2f8f4e", "#8b4fb3", "#b8860b", "#0f8b8d", "#b03060", "#5b6770", "#6a7f10", "#3d3db3"];
const dashes = ["", "7 3", "2 3", "9 3 2 3"];
const look = i => ({ colour: colours[i % colours.length], dash: dashes[Math.floor(i / colours.length) % dashes.length] });
const byId = id => document.getElementById(id);
const strategies = data.strategies;
const S = strategies.length;
const hasBaseline = data.baseline >= 0;

function make(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) node[name] = value;
  node.append(...children);
  return node;
}
function draw(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}
const short = x => typeof x !== "number" ? String(x) : Number(x.toPrecision(5)).toString();
const shortOrNone = x => x === null ? "–" : short(x);
const percent = (x, digits = 2) => x === null || Number.isNaN(x) ? "–" : (100 * x).toFixed(digits);
const signed = x => x === null ? "–" : (x > 0 ? "+" : x < 0 ? "−" : "±") + percent(Math.abs(x));
const clipped = (text, most) => text.length > most ? text.slice(0, most - 1) + "…" : text;

// ---- What is selected: for each axis a value's index, or -1 for all -------------------------------------------------
const chosen = data.axes.map(() => -1);
const cells = data.cells;
const selectedCells = (except = -1) => cells.keys.map((_, i) => i)
  .filter(i => chosen.every((value, a) => a === except || value < 0 || cells.keys[i][a] === value));

// 97.5 % quantile of Student's t, between the values that the page was given.
function student(freedom) {
  const at = Math.min(100, 100 / freedom), below = Math.min(99, Math.floor(at));
  return data.student[below] + (at - below) * (data.student[below + 1] - data.student[below]);
}
// Mean over cells, each weighing as many configurations as it holds; its standard error, and half of its 95 % interval
// by Welch and Satterthwaite (null where nobody knows): what coterie show prints. `what`: "mean" or "difference".
function average(list, strategy, what) {
  const values = cells[what], errors = cells[what + "_error"], freedoms = cells[what + "_freedom"];
  const bounds = cells[what + "_bound"];
  let sum = 0, errorSum = 0, variance = 0, ofVariance = 0, fewest = Infinity, bound = 0, count = 0, known = true;
  for (const i of list) {
    const at = i * S + strategy, n = cells.counts[i];
    if (values[at] === null) continue;
    sum += n * values[at];
    count += n;
    if (errors[at] === null || (errors[at] > 0 && freedoms[at] === null)) { known = false; continue; }
    const square = (n * errors[at]) ** 2;
    variance += square;
    errorSum += n * errors[at];
    bound += n * bounds[at];
    if (square > 0) ofVariance += square ** 2 / freedoms[at];
    if (freedoms[at] !== null) fewest = Math.min(fewest, freedoms[at]);
  }
  if (!count) return null;
  const random = (cells.independent ? Math.sqrt(variance) : errorSum) / count;
  const quantile = student(cells.independent && variance > 0 ? variance ** 2 / ofVariance : fewest);
  const half = !known ? null : (random === 0 ? 0 : quantile * random) + bound / count;
  const error = !known ? null : bound > 0 ? half / quantile : random;
  return { mean: sum / count, error, half, low: half === null ? null : sum / count - half,
    high: half === null ? null : sum / count + half, count };
}
// The same of what has no error: exact expectations by cell x strategy, the reference by cell.
function plainAverage(list, value) {
  const count = list.reduce((sum, i) => sum + cells.counts[i], 0);
  const sum = list.reduce((all, i) => value(i) === null ? NaN : all + cells.counts[i] * value(i), 0);
  return count && !Number.isNaN(sum) ? sum / count : null;
}

// ---- Head -----------------------------------------------------------------------------------------------------------
byId("title").textContent = data.title || "(no title)";
byId("kind").textContent = `coterie · model ${data.model.name} (${data.model.source}): ${data.model.summary}`;
byId("summary").textContent = `${data.configurations} configurations × ${S} strategies × ${data.instances} instances. ` +
  `Every number is the ${data.model.metric} divided by that of ${data.model.reference} in the same instance.` +
  (data.cells.controlled ? " Means and differences are told by regression on controls with known means." : "");
if (!data.complete) {
  byId("warning").hidden = false;
  byId("warning").textContent = "This result is incomplete: not all instances have been run. Means are of those that were.";
}
byId("constants").textContent = data.constants.length
  ? "The same everywhere: " + data.constants.map(c => `${c.name} = ${short(c.value)}`).join(", ") + "." : "";

function option(select, value, text) { select.append(make("option", { value, textContent: clipped(text, 60), title: text })); }
data.axes.forEach((axis, a) => {
  const select = make("select", { title: axis.long_name });
  option(select, -1, "all, averaged");
  axis.values.forEach((value, v) => option(select, v, short(value)));
  select.addEventListener("change", () => { chosen[a] = Number(select.value); update(); });
  byId("filters").append(make("label", {}, axis.name + (axis.unit && axis.unit !== "1" && axis.unit !== axis.name ? ` (${axis.unit})` : ""), select));
});
if (data.averaged.length)
  byId("filters").after(make("p", { className: "small", textContent:
    `This result is large: averaged over ${data.averaged.join(", ")}, which coterie show can still tell apart.` }));

// ---- Table ----------------------------------------------------------------------------------------------------------
function row(cellsOfRow, tag = "td") {
  return make("tr", {}, ...cellsOfRow.map(cell => {
    const node = make(tag);
    node.append(cell);
    return node;
  }));
}
function updateTable() {
  const list = selectedCells();
  const table = byId("table");
  table.replaceChildren();
  const exact = cells.expected.some(x => x !== null);
  const unit = data.model.unit && data.model.unit !== "1" ? `, ${data.model.unit}` : "";
  const head = ["strategy", "mean ratio, %", "± error", ""];
  if (exact) head.push(`exact mean${unit}`);
  if (hasBaseline) head.push(`minus ${strategies[data.baseline]}`, "95 % interval");
  table.append(make("thead", {}, row(head, "th")));
  const means = strategies.map((_, s) => average(list, s, "mean"));
  const most = Math.max(...means.map(m => m ? m.mean : 0));
  const order = strategies.map((_, s) => s).sort((a, b) => (means[b]?.mean ?? -1) - (means[a]?.mean ?? -1));
  const body = make("tbody");
  for (const s of order) {
    const mean = means[s];
    const bar = make("span", { className: "bar" });
    bar.style.width = `${mean && most > 0 ? Math.max(0, 6 * mean.mean / most) : 0}rem`;
    const line = [make("span", { textContent: strategies[s], title: data.strategy_summaries[strategies[s]] ?? "" }),
      percent(mean?.mean ?? null, 3), percent(mean?.error ?? null, 3), bar];
    if (exact) line.push(shortOrNone(plainAverage(list, i => cells.expected[i * S + s])));
    if (hasBaseline) {
      const d = s === data.baseline ? null : average(list, s, "difference");
      const kind = !d || d.half === null ? "" : d.low > 0 ? "better" : d.high < 0 ? "worse" : "";
      line.push(make("span", { className: kind, textContent: d ? signed(d.mean) : "–" }),
        d && d.half !== null ? `${signed(d.low)} … ${signed(d.high)}` : "");
    }
    body.append(row(line));
  }
  table.append(body);
  // A phone has room for the names, the means and the differences.
  for (const line of table.querySelectorAll("tr"))
    [...line.cells].slice(2, exact ? 5 : 4).forEach(cell => cell.classList.add("roomy"));
  const count = list.reduce((sum, i) => sum + cells.counts[i], 0);
  const reference = plainAverage(list, i => cells.reference[i]);
  const ceilings = data.ceilings.map((text, k) => [text, plainAverage(list, i => cells.ceilings[i][k])])
    .filter(([, value]) => value !== null).map(([text, value]) => ` ${text[0].toUpperCase()}${text.slice(1)}: ${short(value)}.`);
  byId("selected").textContent = `${count} of ${data.configurations} configurations; they weigh the same.` +
    (reference === null ? "" : ` On average ${data.model.reference}'s ${data.model.metric} is ${short(reference)}.`) +
    ceilings.join("");
  byId("table-note").textContent = list.length === 0 ? "No configuration has these settings." :
    `Mean ratio to ${data.model.reference} and its standard error, in per cent` +
    (exact ? `; the exact expectation of the ${data.model.metric}` : "") +
    (hasBaseline ? "; the difference in the same instances, in points." : ".");
}

// What becomes of strategies beside the ratio, where the model measures it.
function updateMeasured() {
  if (!("all_done" in cells.measured)) return;
  const list = selectedCells();
  const mean = (name, s) => plainAverage(list, i => cells.measured[name][i * S + s] === "never" ? Infinity
    : cells.measured[name][i * S + s]);
  const time = x => x === Infinity ? "never" : shortOrNone(x);
  const unit = data.model.unit && data.model.unit !== "1" ? `, ${data.model.unit}` : "";
  const table = byId("measured-table");
  table.replaceChildren(make("thead", {}, row(["strategy", "all done, %", `in half by${unit}`, `in 95 % by${unit}`,
    `machine time${unit}`, `wasted${unit}`], "th")), make("tbody", {}, ...strategies.map((name, s) => row([name,
    percent(mean("all_done", s)), ...["half_done_by", "most_done_by", "machine_time", "wasted"].map(one => time(mean(one, s)))]))));
}

// ---- Charts ---------------------------------------------------------------------------------------------------------
function ticks(low, high, most) {
  const span = high - low || Math.abs(high) || 1;
  const raw = span / most, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find(f => f * power >= raw) * power;
  const list = [];
  for (let t = Math.ceil(low / step - 1e-9) * step; t <= high + 1e-9 * span; t += step) list.push(Number(t.toPrecision(12)));
  return list;
}

// series: [{name, look, points: [{x, y, low, high}]}]; labels: texts under the places 0, 1, ... of an axis of texts.
function chart(into, series, { xName, yName, labels = null, yFormat = short, logarithmic = false, dots = true, xTicks: given = null }) {
  into.replaceChildren();
  const width = Math.max(320, Math.min(900, into.clientWidth || 700)), height = Math.round(Math.max(280, width * .45));
  const slanted = labels && labels.some(l => l.length > width / labels.length / 8);
  const space = { left: 58, right: 16, top: 26, bottom: slanted ? 120 : 46 };
  const all = series.flatMap(s => s.points);
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height + space.bottom - 46}`, class: "chart", role: "img",
    "aria-label": `${yName} by ${xName}` });
  into.append(svg);
  if (all.length === 0) return;
  const xs = all.map(p => p.x), lows = all.map(p => p.low ?? p.y), highs = all.map(p => p.high ?? p.y);
  let [x0, x1] = [Math.min(...xs), Math.max(...xs)];
  let [y0, y1] = [Math.min(...lows), Math.max(...highs)];
  if (labels) [x0, x1] = [-.5, labels.length - .5];
  else if (x0 === x1) [x0, x1] = logarithmic ? [x0 / 2, x1 * 2] : [x0 - 1, x1 + 1];
  const pad = (y1 - y0 || Math.abs(y1) || 1) * .06;
  y0 -= pad; y1 += pad;
  const bottom = height - 46, right = width - space.right;
  const place = logarithmic ? Math.log : x => x;
  const X = x => space.left + (place(x) - place(x0)) / (place(x1) - place(x0)) * (right - space.left);
  const Y = y => bottom - (y - y0) / (y1 - y0) * (bottom - space.top);
  for (const t of ticks(y0, y1, 6)) {
    svg.append(draw("line", { x1: space.left, x2: right, y1: Y(t), y2: Y(t), stroke: "#e5e9ee" }));
    svg.append(draw("text", { x: space.left - 6, y: Y(t) + 4, "text-anchor": "end" }, yFormat(t)));
  }
  const xTicks = given ? given : labels ? labels.map((_, i) => i) : logarithmic || new Set(xs).size <= 8 ? [...new Set(xs)].sort((a, b) => a - b)
    : ticks(x0, x1, width / 90);
  let lastEnd = -Infinity;
  for (const t of xTicks) {
    const text = labels ? clipped(labels[t], 24) : short(t);
    if (slanted) {
      svg.append(draw("text", { "text-anchor": "end", transform: `translate(${X(t)} ${bottom + 14}) rotate(-35)` }, text,
        draw("title", {}, labels[t])));
      continue;
    }
    svg.append(draw("line", { x1: X(t), x2: X(t), y1: bottom, y2: bottom + 4, stroke: "#98a2ad" }));
    if (X(t) - 4 * text.length < lastEnd + 4) continue;
    svg.append(draw("text", { x: X(t), y: bottom + 18, "text-anchor": "middle" }, text));
    lastEnd = X(t) + 4 * text.length;
  }
  svg.append(draw("line", { x1: space.left, x2: right, y1: bottom, y2: bottom, stroke: "#98a2ad" }));
  if (!slanted) svg.append(draw("text", { x: (space.left + right) / 2, y: height - 8, "text-anchor": "middle" }, xName));
  svg.append(draw("text", { x: 4, y: 14 }, yName));
  for (const one of series) {
    const points = [...one.points].sort((a, b) => a.x - b.x);
    const path = points.map((p, i) => `${i ? "L" : "M"}${X(p.x).toFixed(1)} ${Y(p.y).toFixed(1)}`).join("");
    svg.append(draw("path", { d: path, fill: "none", stroke: one.look.colour, "stroke-width": 2,
      "stroke-dasharray": one.look.dash, ...(labels ? { "stroke-opacity": .35 } : {}) }));
    if (!dots) continue;
    for (const p of points) {
      if (p.high > p.low)
        svg.append(draw("line", { x1: X(p.x), x2: X(p.x), y1: Y(p.low), y2: Y(p.high), stroke: one.look.colour }));
      svg.append(draw("circle", { cx: X(p.x), cy: Y(p.y), r: 4, fill: one.look.colour },
        draw("title", {}, `${one.name}\n${xName} = ${labels ? labels[p.x] : short(p.x)}\n${yName}: ${yFormat(p.y)}`)));
    }
  }
}

function legend(into, names, shown, changed) {
  into.replaceChildren();
  names.forEach((name, i) => {
    const mark = draw("svg", { width: 26, height: 10 }, draw("line", { x1: 0, x2: 26, y1: 5, y2: 5, "stroke-width": 3,
      stroke: look(i).colour, "stroke-dasharray": look(i).dash }));
    const button = make("button", { type: "button" }, mark, name);
    button.setAttribute("aria-pressed", shown[i]);
    button.addEventListener("click", () => {
      shown[i] = !shown[i];
      button.setAttribute("aria-pressed", shown[i]);
      changed();
    });
    into.append(button);
  });
}

// Do the values of an axis meet the same settings of all other axes?
const others = (key, a) => key.filter((_, b) => b !== a).join();
function crossed(a) {
  const rest = data.axes[a].values.map((_, v) => cells.keys.filter(k => k[a] === v).map(k => others(k, a)).sort().join(";"));
  return rest.every(one => one === rest[0]);
}

const along = { axis: 0, difference: false };
const shownStrategies = strategies.map(() => true);
function setUpCurves() {
  if (data.axes.length === 0) { byId("curves").remove(); return; }
  const axis = make("select");
  data.axes.forEach((one, a) => option(axis, a, one.name));
  const worth = data.axes.map((one, a) => one.values.length * (one.numeric ? 10 : 1) * (crossed(a) ? 100 : 1));
  axis.value = along.axis = worth.indexOf(Math.max(...worth));
  axis.addEventListener("change", () => { along.axis = Number(axis.value); updateCurve(); });
  byId("curve-controls").append(make("label", {}, "along", axis));
  if (hasBaseline) {
    const what = make("select");
    option(what, 0, "mean ratio");
    option(what, 1, `difference to ${strategies[data.baseline]}`);
    what.addEventListener("change", () => { along.difference = what.value === "1"; updateCurve(); });
    byId("curve-controls").append(make("label", {}, "what", what));
  }
  legend(byId("curve-legend"), strategies, shownStrategies, updateCurve);
}
function updateCurve() {
  if (data.axes.length === 0) return;
  const axis = data.axes[along.axis];
  const list = selectedCells(along.axis);
  const groups = axis.values.map((_, v) => list.filter(i => cells.keys[i][along.axis] === v));
  const series = [];
  strategies.forEach((name, s) => {
    if (!shownStrategies[s] || (along.difference && s === data.baseline)) return;
    const points = [];
    groups.forEach((group, v) => {
      const mean = average(group, s, along.difference ? "difference" : "mean");
      if (mean) points.push({ v, x: axis.numeric ? axis.values[v] : v, y: mean.mean, low: mean.low ?? mean.mean,
        high: mean.high ?? mean.mean });
    });
    series.push({ name, look: look(s), points });
  });
  const numbers = axis.numeric ? axis.values : [];
  const logarithmic = axis.numeric && numbers.every(x => x > 0) && Math.max(...numbers) / Math.min(...numbers) >= 50;
  chart(byId("curve"), series, { xName: axis.name + (logarithmic ? " (logarithmic)" : ""),
    yName: along.difference ? `difference to ${strategies[data.baseline]}, points` : `ratio to ${data.model.reference}, %`,
    labels: axis.numeric ? null : axis.values.map(String), yFormat: y => short(Number((100 * y).toPrecision(6))), logarithmic });
  const rest = data.axes.filter((_, a) => a !== along.axis && chosen[a] < 0).map(one => one.name);
  const uneven = new Set(groups.filter(g => g.length).map(g => g.map(i => others(cells.keys[i], along.axis)).sort().join(";")));
  byId("curve-note").textContent = "Bars: 95 % intervals." +
    (rest.length ? ` Averaged over ${rest.join(", ")}; choose values above to hold them.` : "") +
    (uneven.size > 1 ? ` Not every ${axis.name} was run with the same values of these: bends may come from that alone.` : "");
  const table = byId("curve-table");
  table.replaceChildren(make("thead", {}, row([axis.name, ...series.map(s => s.name)], "th")));
  const body = make("tbody");
  axis.values.forEach((value, v) => body.append(row([short(value), ...series.map(s => {
    const point = s.points.find(p => p.v === v);
    return point ? percent(point.y, 3) : "–";
  })])));
  table.append(body);
}

const shownRisks = data.risks.curves.map(() => true);
function updateRisks() {
  const times = data.risks.curves.flatMap(risk => risk.points.map(p => p[0]));
  const decades = [];
  if (data.risks.logarithmic) for (let t = 10 ** Math.ceil(Math.log10(Math.min(...times))); t <= Math.max(...times); t *= 10) decades.push(t);
  const series = data.risks.curves.map((risk, i) => ({ name: risk.name, look: look(i), shown: shownRisks[i],
    points: risk.points.map(([x, y]) => ({ x, y })) })).filter(one => one.shown);
  chart(byId("risk"), series, { xName: "time, in units of the campaign", yName: "probability of interruption, %",
    yFormat: y => short(100 * y), dots: false, logarithmic: data.risks.logarithmic, xTicks: data.risks.logarithmic ? decades : null });
}

// ---- Where it comes from --------------------------------------------------------------------------------------------
function setUpProvenance() {
  const names = { command_line: "command", coterie_version: "coterie", git_revision: "revision", trace_checksums: "input files" };
  const rows = [["file", data.file]];
  for (const [key, value] of Object.entries(data.provenance)) {
    const text = Array.isArray(value) ? value.join("; ") : value;
    if (text) rows.push([names[key] ?? key, text]);
  }
  byId("provenance").append(make("tbody", {}, ...rows.map(one => row(one))));
  byId("campaign").textContent = data.campaign;
  const quoted = /^[\w@%+=:,./-]+$/.test(data.file) ? data.file : `'${data.file.replaceAll("'", "'\\''")}'`;
  byId("rerun").textContent = `coterie run ${quoted} --output again.h5     # the same bytes in every dataset\n` +
    `coterie show ${quoted}${data.axes.length ? ` --by ${data.axes[0].name}` : ""}\n` +
    `coterie replay ${quoted} --configuration 0 --instance 0`;
}
function fitPictures() {
  for (const svg of document.querySelectorAll("figure svg")) {
    const [width, height] = [svg.getAttribute("width"), svg.getAttribute("height")];
    if (!svg.hasAttribute("viewBox") && width && height) svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  }
  if (!document.querySelector("figure, .problem")) byId("schedules").remove();
}

function update() { updateTable(); updateMeasured(); updateCurve(); }
if (!("all_done" in cells.measured)) byId("measured").remove();
setUpCurves();
setUpProvenance();
fitPictures();
update();
if (data.risks.curves.length + data.risks.notes.length === 0) byId("risks").remove();
else {
  legend(byId("risk-legend"), data.risks.curves.map(r => r.name), shownRisks, updateRisks);
  updateRisks();
  for (const note of data.risks.notes) byId("risk-notes").append(make("p", { textContent: note }));
}
// On paper nothing can be opened.
const opened = [];
addEventListener("beforeprint", () => {
  for (const one of document.querySelectorAll("details:not([open])")) { one.open = true; opened.push(one); }
});
addEventListener("afterprint", () => { for (const one of opened.splice(0)) one.open = false; });
let drawnWidth = document.body.clientWidth;
addEventListener("resize", () => {
  if (document.body.clientWidth === drawnWidth) return;
  drawnWidth = document.body.clientWidth;
  updateCurve();
  if (byId("risk")) updateRisks();
});
