// The chart of the chosen series.

const most = 16; // curves in one chart
const colors = {
  light: ["#0b62c4", "#c2500f", "#15784a", "#8338d8", "#b3205f", "#0c7482", "#826300", "#566270"],
  dark: ["#61adff", "#ff9c60", "#54cc90", "#bf97ff", "#ff85b6", "#55d2df", "#dcb943", "#aab6c3"],
};

const chart = { chosen: [], automatic: true, plot: null, own: false, local: false, x: null, axis: null };

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

// table makes the columns of one axis: x, then low, mean and high of each.
function columns(axis, list, numbered) {
  const x = numbered ? axis.times.map((_, i) => i) : axis.times;
  const out = [x];
  for (const s of list) {
    const v = values(s);
    const gaps = (a) => Array.from(a, (n) => (Number.isNaN(n) ? null : n));
    out.push(gaps(v.mean));
    if (axis.per > 1) out.push(gaps(v.low), gaps(v.high));
  }
  return out;
}

// shifted is a date whose getters of local time, which uPlot asks, tell UTC
// or the recorder's clock.
function shifted(t) {
  const east = chart.local ? offsetAt(chart.axis, t)[1] || 0 : 0;
  const d = new Date((t + east) * 1000);
  return new Date(d.getTime() + d.getTimezoneOffset() * 60000);
}

// labels writes the times of an axis, and the day where it begins.
function labels(u, splits, i, space, step) {
  let day = "";
  return splits.map((t) => {
    const d = shifted(t), date = d.getFullYear() + "-" + pad(d.getMonth() + 1) + "-" + pad(d.getDate());
    let text = pad(d.getHours()) + ":" + pad(d.getMinutes());
    if (step < 60) text += ":" + pad(d.getSeconds());
    if (step < 1) text += "." + pad(Math.round(d.getMilliseconds()), 3);
    if (step >= 86400) return date;
    if (date === day) return text;
    day = date;
    return text + "\n" + date;
  });
}

// lone finds the points without neighbours, which no line shows.
function lone(u, i) {
  const d = u.data[i], found = [];
  const set = (v) => v !== null && v !== undefined;
  for (let k = 0, before = -1; k < d.length; k++) {
    if (!set(d[k])) {
      if (d[k] === null) before = -1;
      continue;
    }
    let next = k + 1;
    while (next < d.length && d[next] === undefined) next++;
    if (before < 0 && (next >= d.length || d[next] === null)) found.push(k);
    before = k;
  }
  return found;
}

function draw() {
  const box = $("chart");
  const zoom = chart.plot && chart.x ? { ...chart.x } : null;
  if (chart.plot) chart.plot.destroy();
  chart.plot = null;
  box.replaceChildren();
  legend();
  const list = chart.chosen;
  // What to know of the chosen counters.
  const notes = [...new Map(list.filter((s) => s.note).map((s) => [s.note, s.counter + ": " + s.note])).values()];
  $("chartnote").replaceChildren(...notes.map((text) => el("span", {}, text)));
  if (!list.length) {
    box.append(el("p", { class: "empty" }, "Choose counters in the list below to see them over time."));
    return;
  }
  // Series of one axis stand in one table, and tables are joined by time.
  const groups = new Map();
  for (const s of list) {
    if (!groups.has(s.axis)) groups.set(s.axis, []);
    groups.get(s.axis).push(s);
  }
  const numbered = [...groups.keys()].some((a) => a.clockless);
  chart.axis = list[0].axis;
  const tables = [...groups].map(([axis, of]) => columns(axis, of, numbered));
  const data = tables.length > 1 ? uPlot.join(tables, tables.map((t) => t.map((_, i) => (i ? 2 : 0)))) : tables[0];
  if (data[0].length < 2) {
    box.append(el("p", { class: "empty" }, "One snapshot: there is nothing to see over time."));
    return;
  }
  const lines = [{}], bands = [], scales = { x: { time: !numbered } };
  chart.rows = new Map();
  for (const [axis, of] of groups) {
    for (const s of of) {
      const i = list.indexOf(s), stroke = color(i), scale = chart.own ? "y" + i : "y";
      scales[scale] = { range: (u, lo, hi) => spread(lo, hi) };
      chart.rows.set(s, lines.length);
      lines.push({ label: "", scale, stroke, width: 1.5, dash: dashes(i), spanGaps: false, points: { size: 5, filter: (u, k, show) => (show ? null : lone(u, k)) } });
      if (axis.per > 1) {
        const edge = { scale, stroke: "transparent", width: 0, points: { show: false } };
        bands.push({ series: [lines.length + 1, lines.length], fill: stroke + "38" });
        lines.push({ ...edge }, { ...edge });
      }
    }
  }
  const ink = style("--dim"), grid = { stroke: style("--grid"), width: 1 };
  const tick = { stroke: ink, grid, ticks: grid, font: "12px system-ui, sans-serif" };
  chart.plot = new uPlot({
    width: Math.max(200, box.clientWidth), height: Math.max(140, box.clientHeight),
    tzDate: shifted, scales, series: lines, bands, legend: { show: false },
    padding: [10, 40, 0, 0],
    cursor: { drag: { x: true, y: false, uni: 12 }, points: { size: 7 } },
    axes: [
      { ...tick, space: (u, axis, from, to) => (to - from < 15 ? 110 : 80), values: numbered ? (u, v) => v.map((n) => (Number.isInteger(n) ? n + 1 : "")) : labels },
      chart.own ? { show: false, scale: "y0" } : { ...tick, scale: "y", size: 64, values: (u, v) => v.map(short) },
    ],
    hooks: { setCursor: [readout], setScale: [(u, key) => key === "x" && scaled(u)] },
  }, data, box);
  if (zoom && zoom.min > data[0][0] - 1 && zoom.max < data[0][data[0].length - 1] + 1) chart.plot.setScale("x", zoom);
  if (list.some((s) => s.axis.per > 1)) {
    $("chartnote").prepend(el("span", {}, "A point stands for " + Math.max(...list.map((s) => s.axis.per)) +
      " snapshots: the line is their average, the band goes from min to max."));
  }
}

// spread is the range of an axis for values: from 0, unless that is far away,
// with some room above.
function spread(lo, hi) {
  if (lo === null || lo === undefined || !Number.isFinite(lo)) return [0, 1];
  if (lo >= 0 && lo < hi * 0.7) lo = 0;
  if (hi <= 0 && hi > lo * 0.7) hi = 0;
  const room = (hi - lo) * 0.06 || Math.abs(hi) * 0.1 || 1;
  return [lo === 0 ? 0 : lo - room, hi === 0 && lo < 0 ? 0 : hi + room];
}

// scaled remembers what is shown of the time.
function scaled(u) {
  chart.x = { min: u.scales.x.min, max: u.scales.x.max };
  const all = u.data[0];
  $("chart").dataset.zoomed = chart.x.min > all[0] || chart.x.max < all[all.length - 1] ? "yes" : "no";
}

// zoom shows a part of the time: by is how much of it, around the middle,
// moved by so much of it.
function zoom(by, move) {
  const u = chart.plot;
  if (!u || !chart.x) return;
  const all = u.data[0], from = all[0], to = all[all.length - 1];
  const size = Math.min(to - from, Math.max((chart.x.max - chart.x.min) * by, (to - from) / 1e5));
  let min = (chart.x.min + chart.x.max) / 2 - size / 2 + size * move;
  min = Math.max(from, Math.min(to - size, min));
  u.setScale("x", by === Infinity ? { min: from, max: to } : { min, max: min + size });
}

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

// nearest is the point of a series that is closest to one of another axis.
function nearest(d, i) {
  for (let k = 0; k < d.length; k++) {
    if (d[i - k] !== undefined) return i - k;
    if (d[i + k] !== undefined) return i + k;
  }
  return i;
}

// readout writes the values at the cursor, or the last ones.
function readout(u) {
  const i = u ? u.cursor.idx : null, when = $("when");
  if (!when) return;
  when.textContent = i === null || i === undefined ? "last value" : timeText(chart.axis, u.data[0][i], chart.local);
  for (const [s, value] of chart.values) {
    if (i === null || i === undefined) {
      value.textContent = number(s.last);
      continue;
    }
    const row = chart.rows.get(s), k = nearest(u.data[row], i), v = u.data[row][k];
    let text = number(v);
    if (s.axis.per > 1 && typeof v === "number") text += " (" + number(u.data[row + 1][k]) + " to " + number(u.data[row + 2][k]) + ")";
    value.textContent = text;
  }
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
  chart.local = known;
  $("clock").value = known ? "local" : "utc";
  if (axes.length && axes.every((a) => a.offsets.every((o) => o[1] === null))) {
    $("clock").replaceChildren(el("option", {}, "recorder's clock"));
  }
  $("clock").onchange = () => {
    chart.local = $("clock").value === "local";
    draw();
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
  new ResizeObserver(() => {
    const u = chart.plot, box = $("chart");
    if (u && (u.width !== box.clientWidth || u.height !== box.clientHeight) && box.clientWidth > 0) {
      u.setSize({ width: box.clientWidth, height: box.clientHeight });
    }
  }).observe($("chart"));
  // Something to begin with: what most people look at first, else the first
  // counter that moves.
  const first = series.find((s) => s.counter === "% Processor Time" && s.instance === "_Total" && s.count > 0) ||
    series.find((s) => s.count > 1 && s.min < s.max) || series.find((s) => s.count > 0);
  if (first) {
    chart.chosen = [first];
    marked(first);
  }
  draw();
}
