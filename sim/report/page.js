"use strict";
// Reads the data of the page and draws it. Every text goes in through textContent or attributes: nothing is parsed.
const data = JSON.parse(document.getElementById("data").textContent);
// Each curve has a colour, dashes and a mark of its own: two that coincide are still seen, and so they are in grey. They
// are those of the figures: marks by their letters in matplotlib.
const styles = /*STYLES*/;
const marks = { "": "", o: "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", s: "M-4-4h8v8h-8z", "^": "M0-5.5L5.5 4h-11z", D: "M0-6L6 0L0 6L-6 0z",
  d: "M0-6L3.5 0L0 6L-3.5 0z", v: "M0 5.5L5.5-4h-11z", "<": "M-5.5 0L4 5.5v-11z", h: "M0-5.5L4.8-2.7v5.4L0 5.5L-4.8 2.7v-5.4z",
  P: "M-1.5-5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z", X: "M0-2.5L3-5.5L5.5-3L2.5 0L5.5 3L3 5.5L0 2.5L-3 5.5L-5.5 3L-2.5 0L-5.5-3L-3-5.5z",
  x: "M-4-4L4 4M-4 4L4-4", "*": "M0-6L1.5-2L5.7-1.9L2.4.8L3.5 4.9L0 2.5L-3.5 4.9L-2.4.8L-5.7-1.9L-1.5-2z" };
const darkness = matchMedia("(prefers-color-scheme: dark)");
let dark = darkness.matches;  // read once: in Chromium a change that was read before its event has none
let printing = false;
const isDark = () => dark && !printing;
// On a dark page colours are nearer to white.
const seen = colour => !isDark() ? colour : "#" + [1, 3, 5].map(at => Math.round(255 - .55 * (255 - parseInt(colour.slice(at, at + 2), 16)))
  .toString(16).padStart(2, "0")).join("");
const lookOf = ([colour, dashes, mark]) => ({ colour: seen(colour), dash: dashes.map(x => 2 * x), mark: marks[mark] });
const look = i => lookOf(styles.spare[i % styles.spare.length]);
const byId = id => document.getElementById(id);
const strategies = data.strategies;
const S = strategies.length;
const unstyled = strategies.filter(name => !styles.named[name]);
const strategyLook = s => styles.named[strategies[s]] ? lookOf(styles.named[strategies[s]]) : look(unstyled.indexOf(strategies[s]));
const hasBaseline = data.baseline >= 0;
const good = data.model.least_is_best ? -1 : 1;  // times good, more is better

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
const exactly = x => String(x);  // a value that somebody set
const short = x => typeof x !== "number" ? String(x) : Number(x.toPrecision(5)).toString();
const counted = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;
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
// Mean over cells, each weighing as many configurations as it holds; its standard error, and half of its 95 % interval,
// with the fewest degrees of freedom (null where nobody knows), and why there is no error: what coterie show prints.
// `what`: "mean" or "difference". An exact mean has a bound on its error, and null degrees of freedom.
function average(list, strategy, what) {
  const values = cells[what], errors = cells[what + "_error"], freedoms = cells[what + "_freedom"];
  const bounds = cells[what + "_bound"];
  let sum = 0, errorSum = 0, variance = 0, fewest = Infinity, bound = 0, count = 0, known = true;
  for (const i of list) {
    const at = i * S + strategy, n = cells.counts[i];
    if (values[at] === null) continue;
    sum += n * values[at];
    count += n;
    if (errors[at] === null) { known = false; continue; }
    variance += (n * errors[at]) ** 2;
    errorSum += n * errors[at];
    bound += n * bounds[at];
    if (freedoms[at] !== null) fewest = Math.min(fewest, freedoms[at]);
  }
  if (!count) return null;
  const error = !known ? null : (cells.independent ? Math.sqrt(variance) : errorSum) / count;
  const half = !known ? null : (error === 0 ? 0 : student(fewest) * error) + bound / count;
  const note = error !== 0 ? "" : fewest < Infinity ? `${fewest + 1} equal values${count > 1 ? " each" : ""}` : "exact";
  return { mean: sum / count, error, half, note, low: half === null ? null : sum / count - half,
    high: half === null ? null : sum / count + half, count };
}
// The same of what has no error: exact expectations by cell x strategy, the reference by cell.
function plainAverage(list, value) {
  const count = list.reduce((sum, i) => sum + cells.counts[i], 0);
  const sum = list.reduce((all, i) => value(i) === null ? NaN : all + cells.counts[i] * value(i), 0);
  return count && !Number.isNaN(sum) ? sum / count : null;
}
// Where the reference completes nothing, a ratio is 0 / 0, which results keep as 1: there is nothing to show.
const isNothing = i => cells.reference[i] === 0;
const allNothing = list => list.length > 0 && list.every(isNothing);
function wordsOfNothing(list) {
  if (!list.some(isNothing)) return "";
  const what = `${data.model.reference}'s ${data.model.of_reference}`;
  if (allNothing(list)) return ` In all of them ${what} is 0: there are no ratios.`;
  const count = list.filter(isNothing).reduce((sum, i) => sum + cells.counts[i], 0);
  return ` In ${data.averaged.length ? "at least " : ""}${count} of them ${what} is 0, where all ratios count as 100 %.`;
}

// ---- Head -----------------------------------------------------------------------------------------------------------
byId("title").textContent = data.title || data.file;
byId("kind").textContent = `coterie · model ${data.model.name} (${data.model.source}): ${data.model.summary}`;
byId("summary").textContent = `${counted(data.configurations, "configuration")} × ${counted(S, "strategy", "strategies")} × ` +
  `${data.least_instances < data.instances ? `${data.least_instances} to ` : ""}${counted(data.instances, "instance")}. ` +
  `Every number is the ${data.model.metric} divided by ` +
  (data.model.of_reference === data.model.metric ? `that of ${data.model.reference} in the same instance.`
    : `${data.model.reference}'s ${data.model.of_reference}.`) +
  (data.cells.exact ? " Means and differences are exact where they are known." : "");
if (!data.complete) {
  byId("warning").hidden = false;
  byId("warning").textContent = "This result is incomplete: not all instances have been run. Means cover only those that were run.";
}
byId("constants").textContent = data.constants.length
  ? "The same in all configurations: " + data.constants.map(c => `${c.name} = ${exactly(c.value)}`).join(", ") + "." : "";

function option(select, value, text) { select.append(make("option", { value, textContent: clipped(text, 60), title: text })); }
data.axes.forEach((axis, a) => {
  const select = make("select", { title: axis.long_name });
  option(select, -1, "all, averaged");
  axis.values.forEach((value, v) => option(select, v, exactly(value)));
  select.addEventListener("change", () => { chosen[a] = Number(select.value); update(); });
  byId("filters").append(make("label", {}, axis.name + (axis.unit && axis.unit !== "1" && axis.unit !== axis.name ? ` (${axis.unit})` : ""), select));
});
if (data.averaged.length)
  byId("filters").after(make("p", { className: "small", textContent:
    `This result is large, so it is averaged over ${data.averaged.join(", ")}; coterie show can show these separately.` }));

// ---- Table ----------------------------------------------------------------------------------------------------------
function row(cellsOfRow, tag = "td") {
  return make("tr", {}, ...cellsOfRow.map((cell, i) => {
    const node = make(i === 0 ? "th" : tag);
    node.scope = tag === "th" ? "col" : i === 0 ? "row" : "";
    if (tag === "td" && i > 0) node.removeAttribute("scope");
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
  const head = ["strategy", "mean ratio, %", "± error", make("span", { className: "unseen", textContent: "as a bar" })];
  if (exact) head.push(`exact mean${unit}`);
  if (hasBaseline) head.push(`minus ${strategies[data.baseline]}`, "95 % interval");
  table.append(make("thead", {}, row(head, "th")));
  const nothing = allNothing(list);
  const means = strategies.map((_, s) => nothing ? null : average(list, s, "mean"));
  const most = Math.max(...means.map(m => m ? m.mean : 0));
  const order = strategies.map((_, s) => s).sort((a, b) =>
    (means[b] ? good * means[b].mean : -Infinity) - (means[a] ? good * means[a].mean : -Infinity) || a - b);
  const body = make("tbody");
  for (const s of order) {
    const mean = means[s];
    const bar = make("span", { className: "bar" });
    bar.style.width = `${mean && most > 0 ? Math.max(0, 6 * mean.mean / most) : 0}rem`;
    const line = [make("span", { textContent: strategies[s], title: data.strategy_summaries[strategies[s]] ?? "" }),
      percent(mean?.mean ?? null, 3), mean?.note || percent(mean?.error ?? null, 3), bar];
    if (exact) line.push(shortOrNone(plainAverage(list, i => cells.expected[i * S + s])));
    if (hasBaseline) {
      const d = nothing || s === data.baseline ? null : average(list, s, "difference");
      const sure = !d || d.half === null ? 0 : d.low > 0 ? good : d.high < 0 ? -good : 0;
      const kind = sure > 0 ? "better" : sure < 0 ? "worse" : "";
      line.push(make("span", { className: kind, textContent: d ? signed(d.mean) : "–" }),
        !d || d.half === null ? "" : d.half > 0 ? `${signed(d.low)} … ${signed(d.high)}`
          : d.note === "exact" && d.mean === 0 ? "same schedule" : d.note);
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
  byId("selected").textContent = `${count} of ${data.configurations} configurations, with equal weights.` +
    (reference === null ? "" : ` On average ${data.model.reference}'s ${data.model.of_reference} is ${short(reference)}.`) +
    ceilings.join("") + wordsOfNothing(list);
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

// How ratios are spread, where only statistics of them were kept.
const quantileNames = ["5 %", "25 %", "median", "75 %", "95 %"];
function updateQuantiles() {
  if (data.quantile_error === null) return;
  const list = selectedCells();
  const mean = (k, s) => plainAverage(list, i => cells.quantiles[(i * S + s) * quantileNames.length + k]);
  byId("quantiles-table").replaceChildren(make("thead", {}, row(["strategy", ...quantileNames], "th")), make("tbody", {},
    ...strategies.map((name, s) => row([name, ...quantileNames.map((_, k) => percent(mean(k, s)))]))));
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

// A curve of colour, dash and mark, as the legend and the panel beside the pointer show it.
function sample(one, marked = true) {
  const svg = draw("svg", { width: 32, height: 14, viewBox: "-16 -7 32 14", "aria-hidden": "true" },
    draw("line", { x1: -16, x2: 16, y1: 0, y2: 0, "stroke-width": 2, stroke: one.colour, "stroke-dasharray": one.dash.join(" ") }));
  if (marked) svg.append(draw("path", { d: one.mark, stroke: one.colour, "stroke-width": 1.5, fill: "none" }));
  return svg;
}

// Names of curves that the eye cannot tell apart: as high as one another, but for half a per cent of the picture.
function coinciding(series) {
  const all = series.flatMap(one => one.points.map(p => p.y));
  const near = (Math.max(...all) - Math.min(...all)) * .005;
  const same = (a, b) => a.points.length > 0 && a.points.length === b.points.length &&
    a.points.every((p, i) => p.x === b.points[i].x && Math.abs(p.y - b.points[i].y) <= near);
  const groups = [];
  for (const one of series) {
    const group = groups.find(g => same(g[0], one));
    if (group) group.push(one); else groups.push([one]);
  }
  return groups.filter(g => g.length > 1).map(g => g.map(one => one.name).join(", "));
}

// Curves so much worse than the others that those are flat beside them: without the worst, the rest with its intervals
// takes less than 0.6 of the height. At most a third of all curves.
function farOff(series) {
  const heights = list => list.flatMap(one => one.points.flatMap(p => [p.low, p.high]));
  const span = list => Math.max(...heights(list)) - Math.min(...heights(list));
  const mean = one => good * one.points.reduce((sum, p) => sum + p.y, 0) / one.points.length;
  const near = series.filter(one => one.points.length).sort((a, b) => mean(b) - mean(a)), far = [];
  const most = Math.floor(near.length / 3);
  while (far.length < most && span(near.slice(0, -1)) < .6 * span(near)) far.push(near.pop());
  return far;
}

// What a picture shows, for those who do not see it.
function described(series, { xName, yName, labels, yFormat, what, xFormat, outside = [] }) {
  const x = value => labels ? labels[value] : xFormat(value);
  const curves = series.filter(one => one.points.length).map(one => {
    const [first, last] = [one.points[0], one.points.at(-1)];
    return `${one.name}: ${yFormat(first.y)} at ${x(first.x)}` + (first === last ? "" : `, ${yFormat(last.y)} at ${x(last.x)}`);
  });
  return `${what}: ${yName}, by ${xName}. ${curves.join("; ")}. ` +
    (outside.length ? `Outside the picture: ${outside.map(one => one.name).join(", ")}. ` : "") + "The table below has the numbers.";
}

// series: [{name, look, points: [{x, y, low, high}]}]; labels: texts under the places 0, 1, ... of an axis of texts;
// outside: those of the series that need not be within the picture.
function chart(into, series, options) {
  const { xName, yName, labels = null, yFormat = short, logarithmic = false, dots = true, xTicks: given = null, outside = [] } = options;
  into.plot?.destroy();
  into.plot = null;
  into.replaceChildren();
  for (const one of series) one.points.sort((a, b) => a.x - b.x);
  const xs = [...new Set(series.flatMap(one => one.points.map(p => p.x)))].sort((a, b) => a - b);
  if (xs.length === 0) return;
  const colour = name => getComputedStyle(document.documentElement).getPropertyValue(printing ? `--print-${name}` : `--${name}`);
  const [faint, line] = [colour("faint"), colour("line")];
  const at = series.map(one => new Map(one.points.map(p => [p.x, p])));
  const width = Math.max(260, Math.min(1040, printing ? 640 : into.clientWidth)), height = Math.round(Math.max(260, width * .42));
  const slanted = labels && labels.some(l => l.length > width / labels.length / 8);
  const places = new Set(xs), xFormat = x => dots && places.has(x) ? exactly(x) : short(x);
  const place = logarithmic ? Math.log : x => x;
  const [x0, x1] = labels ? [-.5, labels.length - .5]
    : xs.length === 1 ? (logarithmic ? [xs[0] / 2, xs[0] * 2] : [xs[0] - 1, xs[0] + 1])
    : logarithmic ? [xs[0], xs.at(-1)].map((x, i) => x * (xs.at(-1) / xs[0]) ** (i ? .02 : -.02))
    : [xs[0], xs.at(-1)].map((x, i) => x + (xs.at(-1) - xs[0]) * (i ? .02 : dots ? -.02 : 0));
  const few = given ?? (labels ? labels.map((_, i) => i) : xs.length <= 8 ? xs : null);
  const whole = make("button", { type: "button", className: "whole", hidden: true, textContent: "Whole range" });
  const tip = make("div", { className: "tip", hidden: true });
  const host = make("div", { className: "canvas" });
  host.setAttribute("role", "img");
  host.setAttribute("aria-label", described(series, { ...options, xFormat, yFormat, labels }));
  into.append(make("p", { className: "axis-name", textContent: yName }), host, make("p", { className: "axis-name below", textContent: xName }),
    tip, whole);

  function xSplits(u, _, low, high) {
    const inside = (few ?? []).filter(x => x >= low && x <= high);
    const list = inside.length >= 2 || labels ? inside : logarithmic && !few
      ? xs.filter(x => x >= low && x <= high) : ticks(low, high, width / 90);
    const room = (width - 80) / (place(high) - place(low));
    let end = -Infinity;
    return list.filter(x => {
      const half = slanted ? 8 : 4 * (labels ? clipped(labels[x], 24) : xFormat(x)).length;
      const middle = place(x) * room;
      if (middle - half < end + 6) return false;
      end = middle + half;
      return true;
    });
  }
  function yRange(u) {
    const [low, high] = [u.scales.x.min ?? x0, u.scales.x.max ?? x1];
    const seen = series.filter(one => !outside.includes(one)).flatMap(one => one.points.filter(p => p.x >= low && p.x <= high));
    if (seen.length === 0) return [0, 1];
    const y0 = Math.min(...seen.map(p => p.low ?? p.y)), y1 = Math.max(...seen.map(p => p.high ?? p.y));
    const pad = (y1 - y0 || Math.abs(y1) || 1) * .06;
    return [y0 - pad, y1 + pad];
  }
  function drawMarks(u, s) {
    if (!dots) return;
    const { ctx, bbox } = u, one = series[s - 1], scale = devicePixelRatio;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left - 8 * scale, bbox.top, bbox.width + 16 * scale, bbox.height);
    ctx.clip();
    for (const p of one.points) {
      if (p.x < u.scales.x.min || p.x > u.scales.x.max) continue;
      const x = u.valToPos(p.x, "x", true);
      ctx.setTransform(1, 0, 0, 1, 0, 0);
      ctx.setLineDash([]);
      ctx.strokeStyle = ctx.fillStyle = one.look.colour;
      ctx.lineWidth = 1.2 * scale;
      if (p.high > p.low) {
        ctx.beginPath();
        for (const end of [p.low, p.high]) {
          ctx.moveTo(x - 3 * scale, u.valToPos(end, "y", true));
          ctx.lineTo(x + 3 * scale, u.valToPos(end, "y", true));
        }
        ctx.moveTo(x, u.valToPos(p.low, "y", true));
        ctx.lineTo(x, u.valToPos(p.high, "y", true));
        ctx.stroke();
      }
      ctx.setTransform(scale, 0, 0, scale, x, u.valToPos(p.y, "y", true));
      ctx.lineWidth = 1.5;
      ctx.stroke(new Path2D(one.look.mark));
    }
    ctx.restore();
  }
  function tell(u) {
    const i = u.cursor.idx;
    tip.hidden = i === null || i === undefined;
    if (tip.hidden) return;
    const x = u.data[0][i];
    const rows = series.map((one, s) => ({ one, p: at[s].get(x) })).filter(r => r.p).sort((a, b) => b.p.y - a.p.y);
    tip.replaceChildren(make("strong", { textContent: `${labels ? labels[x] : `${xName.replace(" (logarithmic)", "")} = ${xFormat(x)}`}` }),
      ...rows.map(({ one, p }) => make("div", {}, sample(one.look, dots), `${one.name}: ${yFormat(p.y)}` +
        (p.high > p.low ? ` (${yFormat(p.low)} … ${yFormat(p.high)})` : ""))));
    const left = u.valToPos(x, "x") + u.over.offsetLeft;
    const roomy = left + 16 + tip.offsetWidth <= into.clientWidth;
    tip.style.left = `${roomy ? left + 16 : Math.max(0, left - 16 - tip.offsetWidth)}px`;
    tip.style.top = `${host.offsetTop + 8}px`;
  }
  function zoomed(u, key) {
    if (key !== "x") return;
    const { min, max } = u.scales.x;
    whole.hidden = min <= x0 && max >= x1;
    into.zoom = whole.hidden ? null : { min, max, of: xName };
  }
  const font = "12px system-ui, 'Liberation Sans', 'DejaVu Sans', sans-serif";
  const axis = { stroke: faint, font, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
  into.plot = new uPlot({
    width, height: height + (slanted ? 70 : 0), legend: { show: false }, padding: [8, 12, 0, 0],
    cursor: { y: false, drag: { x: true, y: false, dist: 8 }, points: { size: 7 } },
    scales: { x: { time: false, distr: logarithmic ? 3 : 1, range: (u, low, high) =>
      low === xs[0] && high === xs.at(-1) || low === high ? [x0, x1] : [low, high] }, y: { range: yRange } },
    axes: [{ ...axis, grid: { show: false }, splits: xSplits, filter: (u, list) => list,
      values: (u, list) => list.map(x => labels ? clipped(labels[x] ?? "", 24) : xFormat(x)), rotate: slanted ? -35 : 0, size: slanted ? 110 : 32 },
    { ...axis, size: 52, splits: (u, _, low, high) => ticks(low, high, 6), values: (u, list) => list.map(yFormat) }],
    series: [{}, ...series.map(one => ({ label: one.name, stroke: one.look.colour, width: labels ? 1 : 2, dash: one.look.dash,
      points: { show: false }, spanGaps: true, pxAlign: 0 }))],
    hooks: { drawSeries: [drawMarks], setCursor: [tell], setScale: [zoomed] },
  }, [xs, ...at.map(points => xs.map(x => points.get(x)?.y ?? null))], host);
  whole.addEventListener("click", () => into.plot.setScale("x", { min: x0, max: x1 }));
  if (into.zoom?.of === xName) into.plot.setScale("x", into.zoom);
}

function legend(into, names, lookAt, shown, changed, marked = true) {
  into.replaceChildren();
  names.forEach((name, i) => {
    const button = make("button", { type: "button", title: "shows or hides this curve" }, sample(lookAt(i), marked), make("span", { textContent: name }));
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

const along = { axis: 0, difference: false, all: false };
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
  const all = make("button", { type: "button", id: "all-curves", textContent: "All curves in the picture" });
  all.addEventListener("click", () => { along.all = !along.all; drawCurve(); });
  byId("curve-controls").append(all);
}
function updateCurve() {
  if (data.axes.length === 0) return;
  legend(byId("curve-legend"), strategies, strategyLook, shownStrategies, drawCurve);
  drawCurve();
}
function drawCurve() {
  const axis = data.axes[along.axis];
  const list = selectedCells(along.axis);
  const groups = axis.values.map((_, v) => list.filter(i => cells.keys[i][along.axis] === v));
  const series = [];
  strategies.forEach((name, s) => {
    if (!shownStrategies[s] || (along.difference && s === data.baseline)) return;
    const points = [];
    groups.forEach((group, v) => {
      const mean = allNothing(group) ? null : average(group, s, along.difference ? "difference" : "mean");
      if (mean) points.push({ v, x: axis.numeric ? axis.values[v] : v, y: mean.mean, half: mean.half, low: mean.low ?? mean.mean,
        high: mean.high ?? mean.mean });
    });
    series.push({ name, look: strategyLook(s), points });
  });
  const far = farOff(series);
  const button = byId("all-curves");
  button.hidden = far.length === 0;
  button.setAttribute("aria-pressed", along.all);
  const outside = along.all ? [] : far;
  const yFormat = y => short(Number((100 * y).toPrecision(6)));
  const numbers = axis.numeric ? axis.values : [];
  const logarithmic = axis.numeric && numbers.every(x => x > 0) && Math.max(...numbers) / Math.min(...numbers) >= 50;
  chart(byId("curve"), series, { xName: axis.name + (logarithmic ? " (logarithmic)" : ""),
    yName: along.difference ? `difference to ${strategies[data.baseline]}, points` : `ratio to ${data.model.reference}, %`,
    what: "Curves, one per strategy", labels: axis.numeric ? null : axis.values.map(String), yFormat, logarithmic, outside });
  const rest = data.axes.filter((_, a) => a !== along.axis && chosen[a] < 0).map(one => one.name);
  const uneven = new Set(groups.filter(g => g.length).map(g => g.map(i => others(cells.keys[i], along.axis)).sort().join(";")));
  const same = coinciding(series);
  const ends = one => [Math.min, Math.max].map(most => yFormat(most(...one.points.map(p => p.y)))).join(" to ");
  byId("curve-note").textContent = "Bars: 95 % intervals. Point at the picture for numbers; drag over a part to enlarge it." +
    (outside.length ? ` ${good > 0 ? "Below" : "Above"} the picture, so that the others can be told apart: ` +
      `${outside.map(one => `${one.name} (${ends(one)})`).join(", ")}.` : "") +
    (same.length ? ` Overlapping: ${same.join("; ")}.` : "") +
    (rest.length ? ` Averaged over ${rest.join(", ")}; choose values above to fix them.` : "") +
    (uneven.size > 1 ? ` Not every ${axis.name} was run with the same values of these, which alone may cause bends.` : "");
  const table = byId("curve-table");
  table.replaceChildren(make("thead", {}, row([axis.name, ...series.map(s => s.name)], "th")));
  const body = make("tbody");
  axis.values.forEach((value, v) => body.append(row([exactly(value), ...series.map(s => {
    const point = s.points.find(p => p.v === v);
    return !point ? "–" : percent(point.y, 3) + (point.half > 0 ? ` ± ${percent(point.half, 3)}` : "");
  })])));
  table.append(body);
}

const shownRisks = data.risks.curves.map(() => true);
function updateRisks() {
  legend(byId("risk-legend"), data.risks.curves.map(r => r.name), look, shownRisks, drawRisks, false);
  drawRisks();
}
function drawRisks() {
  const times = data.risks.curves.flatMap(risk => risk.points.map(p => p[0]));
  const decades = [];
  if (data.risks.logarithmic) for (let t = 10 ** Math.ceil(Math.log10(Math.min(...times))); t <= Math.max(...times); t *= 10) decades.push(t);
  const series = data.risks.curves.map((risk, i) => ({ name: risk.name, look: look(i), shown: shownRisks[i],
    points: risk.points.map(([x, y]) => ({ x, y })) })).filter(one => one.shown);
  chart(byId("risk"), series, { xName: "time, in units of the campaign", yName: "probability of interruption, %",
    what: "Curves, one a risk", yFormat: y => short(Number((100 * y).toPrecision(4))), dots: false,
    logarithmic: data.risks.logarithmic, xTicks: data.risks.logarithmic ? decades : null });
  const rows = series.length === 0 ? [] : series[0].points.filter((_, i) => i % 16 === 0 || i === series[0].points.length - 1);
  byId("risk-table").replaceChildren(make("thead", {}, row(["time", ...series.map(one => one.name)], "th")),
    make("tbody", {}, ...rows.map(p => row([short(p.x), ...series.map(one => percent(one.points.find(q => q.x === p.x)?.y ?? null))]))));
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
  const shard = data.provenance.shard ? ` --shard ${data.provenance.shard}` : "";
  byId("rerun").textContent = `coterie run ${quoted}${shard} --output again.h5     # by the same build: the same bytes in every dataset\n` +
    `coterie show ${quoted}${data.axes.length ? ` --by ${data.axes[0].name}` : ""}\n` +
    (shard ? "" : `coterie replay ${quoted} --configuration 0 --instance 0`);
}
function fitPictures() {
  for (const svg of document.querySelectorAll("figure svg")) {
    const [width, height] = [svg.getAttribute("width"), svg.getAttribute("height")];
    if (!svg.hasAttribute("viewBox") && width && height) svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("role", "img");
    const room = svg.parentElement, chunk = svg.querySelector("rect > title")?.parentElement;
    const start = chunk ? chunk.getBoundingClientRect().left - room.getBoundingClientRect().left : 0;
    if (start > room.clientWidth / 2) room.scrollLeft = start - 32;  // a long start-up would look like an empty schedule
    svg.setAttribute("aria-label", `Schedule, workers by time. ${svg.closest("figure").querySelector("figcaption").textContent}`);
  }
  if (!document.querySelector("figure, .problem")) byId("schedules").remove();
}
// What is wider than the page scrolls: that is said, faded at the edge, and done with the keyboard, too.
function markScrolling() {
  for (const one of document.querySelectorAll(".wide, pre")) {
    const more = one.scrollWidth > one.clientWidth + 1;
    if (!more) { for (const name of ["tabindex", "role", "aria-label"]) one.removeAttribute(name); }
    else {
      one.tabIndex = 0;
      one.setAttribute("role", "group");
      one.setAttribute("aria-label", "Scrolls sideways");
    }
    if (!one.classList.contains("wide")) continue;
    if (!one.watched) { one.watched = true; one.addEventListener("scroll", markScrolling, { passive: true }); }
    one.classList.toggle("more", more && one.scrollLeft + one.clientWidth < one.scrollWidth - 2);
    let hint = one.nextElementSibling;
    if (!hint?.classList.contains("hint")) { hint = make("p", { className: "hint small", textContent: "← scrolls sideways →" }); one.after(hint); }
    hint.hidden = !more;
  }
}

function update() { updateTable(); updateMeasured(); updateQuantiles(); updateCurve(); markScrolling(); }
function redraw() {
  updateCurve();
  if (byId("risk")) updateRisks();
  markScrolling();
}
if (!("all_done" in cells.measured)) byId("measured").remove();
if (data.quantile_error === null) byId("quantiles").remove();
else byId("quantiles-note").textContent = "Single ratios were not kept (output = \"statistics\"). Quantiles of the ratio in per " +
  `cent, the mean over the configurations, within ${(Math.ceil(1e3 * (100 * data.quantile_error + .005)) / 1e3).toFixed(3)} points ` +
  "(– where ratios above 100 % or below 0 leave one unknown).";
setUpCurves();
setUpProvenance();
fitPictures();
if (data.risks.curves.length + data.risks.notes.length === 0) byId("risks").remove();
else {
  if (data.risks.curves.length) updateRisks();
  for (const note of data.risks.notes) byId("risk-notes").append(make("p", { textContent: note }));
}
update();
for (const one of document.querySelectorAll("details")) one.addEventListener("toggle", markScrolling);
darkness.addEventListener("change", event => { dark = event.matches; redraw(); });
// On paper nothing can be opened, and all is on white.
const opened = [];
addEventListener("beforeprint", () => {
  for (const one of document.querySelectorAll("details:not([open])")) { one.open = true; opened.push(one); }
  printing = true;
  redraw();
});
addEventListener("afterprint", () => {
  for (const one of opened.splice(0)) one.open = false;
  printing = false;
  redraw();
});
let drawnWidth = document.body.clientWidth;
addEventListener("resize", () => {
  if (printing || document.body.clientWidth === drawnWidth) return;
  drawnWidth = document.body.clientWidth;
  redraw();
});
