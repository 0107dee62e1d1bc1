// The charts of the chosen series: a panel for each unit.

const most = 16; // curves in one chart
const colors = {
  light: ["#0b62c4", "#c2500f", "#15784a", "#8338d8", "#b3205f", "#0c7482", "#826300", "#566270"],
  dark: ["#61adff", "#ff9c60", "#54cc90", "#bf97ff", "#ff85b6", "#55d2df", "#dcb943", "#aab6c3"],
};

const chart = { chosen: [], automatic: true, plots: [], own: false };

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const color = (i) => colors[dark() ? "dark" : "light"][i % 8];
const dashes = (i) => (i < 8 ? [] : [6, 4]);

// toggle puts a series into the chart, or takes it out. The series that the
// page chose by itself gives way.
function toggle(s, on) {
  if (chart.automatic) {
    const before = chart.chosen;
    chart.automatic = false;
    chart.chosen = on || before.includes(s) ? [] : before;
    before.forEach(marked);
  }
  chart.chosen = chart.chosen.filter((c) => c !== s);
  if (on) chart.chosen.push(s);
  while (chart.chosen.length > most) marked(chart.chosen.shift());
  marked(s);
  draw();
}

const colorOf = (s) => chart.chosen.indexOf(s);

function draw() {
  const box = $("chart");
  chart.plots.forEach(drop);
  chart.plots = [];
  box.replaceChildren();
  legend();
  remember();
  const list = chart.chosen;
  // What to know of the chosen counters.
  const notes = [...new Map(list.filter((s) => s.note).map((s) => [s.note, s.counter + ": " + s.note])).values()];
  $("chartnote").replaceChildren(...notes.map((text) => el("span", {}, text)));
  if (!list.length) {
    box.append(el("p", { class: "empty" }, "Choose counters in the list below to see them over time."));
    return;
  }
  if (!panels.size) view.axis = list[0].axis;
  const units = [...new Set(list.map((s) => s.unit))];
  chart.values = chart.values || new Map();
  for (const unit of units) {
    const lines = list.filter((s) => s.unit === unit).map((s) => ({ s, scale: 1, stroke: color(list.indexOf(s)), dash: dashes(list.indexOf(s)) }));
    const part = el("div", { class: "part" });
    box.append(part);
    const u = plot(part, lines, unit, units.length > 1 ? 150 : chartHeight(), { own: chart.own, read: readout });
    if (u) chart.plots.push(u);
  }
  if (!chart.plots.length) {
    box.replaceChildren(el("p", { class: "empty" }, "One snapshot: there is nothing to see over time."));
    return;
  }
  if (list.some((s) => s.axis.per > 1)) {
    $("chartnote").prepend(el("span", {}, "A point stands for " + Math.max(...list.map((s) => s.axis.per)) +
      " snapshots: the line is their average, the band goes from min to max."));
  }
}

const chartHeight = () => (matchMedia("(max-width: 640px)").matches ? 190 : 250);

// legend lists the chosen series, with their values where the cursor is.
function legend() {
  const list = $("legend");
  chart.values = new Map();
  list.replaceChildren(...chart.chosen.map((s, i) => {
    const value = el("span", { class: "value" });
    chart.values.set(s, value);
    const mark = svg("svg", { width: 22, height: 10, "aria-hidden": "true" });
    mark.append(svg("path", { d: "M1 5h20", stroke: color(i), "stroke-width": 3, "stroke-dasharray": dashes(i).join(" ") }));
    return el("li", { title: [s.type, missingText(s)].filter(Boolean).join("; ") },
      mark, el("span", { class: "path name" }, s.path), value,
      el("button", { type: "button", class: "remove", "aria-label": "Take " + s.path + " out of the chart", onclick: () => toggle(s, false) }, "×"));
  }));
  if (chart.chosen.length) list.prepend(el("li", { class: "when", id: "when" }));
  readout(null);
}

// readout writes the values at the cursor, or the last ones.
function readout(u, rows) {
  const i = u ? u.cursor.idx : null, when = $("when");
  if (!when) return;
  const none = i === null || i === undefined;
  when.textContent = none ? "last value" : timeText(view.axis, u.data[0][i], view.local);
  for (const s of none ? chart.chosen : rows.keys()) {
    const value = chart.values.get(s);
    if (value) value.textContent = none ? withUnit(s.last, s.unit) : valueAt(u, rows.get(s), i, s, 1);
  }
}

// valueAt writes the value of a series at a point.
function valueAt(u, row, i, s, scale) {
  const k = nearest(u.data[row], i), v = u.data[row][k];
  let text = withUnit(v, s.unit);
  if (s.axis.per > 1 && typeof v === "number") text += " (" + withUnit(u.data[row + 1][k], s.unit) + " to " + withUnit(u.data[row + 2][k], s.unit) + ")";
  return text;
}

function startChart() {
  $("zoomin").onclick = () => zoom(0.5, 0);
  $("zoomout").onclick = () => zoom(2, 0);
  $("zoomall").onclick = () => zoom(Infinity, 0);
  $("clear").onclick = () => {
    const before = chart.chosen;
    chart.chosen = [];
    chart.automatic = false;
    before.forEach(marked);
    draw();
  };
  $("own").onchange = () => {
    chart.own = $("own").checked;
    draw();
  };
  const known = axes.some((a) => a.offsets.some((o) => o[1]));
  $("clock").disabled = !known;
  view.local = known && view.zone !== "utc";
  $("clock").value = view.local ? "local" : "utc";
  if (axes.length && axes.every((a) => a.offsets.every((o) => o[1] === null))) {
    $("clock").replaceChildren(el("option", {}, "recorder's local time"));
  }
  $("clock").onchange = () => {
    view.local = $("clock").value === "local";
    for (const u of panels) u.redraw(false, true);
    remember();
  };
  $("chart").addEventListener("keydown", (e) => {
    const act = {
      "+": () => zoom(0.5, 0), "=": () => zoom(0.5, 0), "-": () => zoom(2, 0), 0: () => zoom(Infinity, 0),
      ArrowLeft: () => zoom(1, -0.2), ArrowRight: () => zoom(1, 0.2),
    }[e.key];
    if (act && !e.ctrlKey && !e.metaKey && !e.altKey) {
      act();
      e.preventDefault();
    }
  });
  new ResizeObserver(fit).observe($("series"));
  // What the address says; else something to begin with, if no vital signs are
  // there: what most people look at first, else the first counter that moves.
  const first = meta.first.length || meta.vitals.length ? null : series.find((s) => s.counter === "% Processor Time" && s.instance === "_Total" && s.count > 0) ||
    series.find((s) => s.count > 1 && s.min < s.max) || series.find((s) => s.count > 0);
  chart.chosen = recalled || (first ? [first] : meta.first.map((i) => series[i]));
  chart.automatic = !recalled;
  chart.chosen.forEach(marked);
  draw();
}
