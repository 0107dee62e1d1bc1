// Panels: a chart each, of series of one unit. All panels of the page have one
// range of time and one crosshair.

const panels = new Set(); // those that are in the page
const view = { local: false, axis: null, x: null, moving: false };

// table makes the columns of one axis: x, then low, mean and high of each.
function columns(axis, lines, numbered) {
  const x = numbered ? axis.times.map((_, i) => i) : axis.times;
  const out = [x];
  for (const { s, scale } of lines) {
    const v = values(s);
    const gaps = (a) => Array.from(a, (n) => (Number.isNaN(n) ? null : n * scale));
    out.push(gaps(v.mean));
    if (axis.per > 1) out.push(gaps(v.low), gaps(v.high));
  }
  return out;
}

// shifted is a date whose getters of local time, which uPlot asks, tell UTC
// or local time.
function shifted(t) {
  const east = view.local ? offsetAt(view.axis, t)[1] || 0 : 0;
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

// usual is the time between most points of an axis.
function usual(axis) {
  const between = Array.from(axis.times.slice(1), (t, i) => t - axis.times[i]).sort((a, b) => a - b);
  return between[between.length >> 1] || Infinity;
}

// silent adds the times without samples to the gaps of a line.
function silent(u, k, from, to, gaps, longest) {
  const x = u.data[0], d = u.data[k], at = (i) => u.valToPos(x[i], "x", true);
  for (let i = from, before = -1; i <= to; i++) {
    if (d[i] === undefined) continue;
    if (before >= 0 && x[i] - x[before] > longest) gaps.push([at(before), at(i)]);
    before = i;
  }
  return gaps.sort((a, b) => a[0] - b[0]);
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

// spread is the range of an axis for values: from 0, unless that is far away,
// with some room above.
function spread(lo, hi, unit) {
  if (lo === null || lo === undefined || !Number.isFinite(lo)) return [0, 1];
  if (lo >= 0 && (unit === "%" || lo < hi * 0.7)) lo = 0;
  if (unit === "%" && hi > 60 && hi <= 100) return [Math.min(lo, 0), 100];
  if (hi <= 0 && hi > lo * 0.7) hi = 0;
  const room = (hi - lo) * 0.06 || Math.abs(hi) * 0.1 || 1;
  return [lo === 0 ? 0 : lo - room, hi === 0 && lo < 0 ? 0 : hi + room];
}

// nearest is the point of a series that is closest to one of another axis.
function nearest(d, i) {
  for (let k = 0; k < d.length; k++) {
    if (d[i - k] !== undefined) return i - k;
    if (d[i + k] !== undefined) return i + k;
  }
  return i;
}

// binary are the steps of axes of bytes.
const binary = Array.from({ length: 70 }, (_, i) => 2 ** i);

// plot draws lines into a box: {s, scale, stroke, dash} each. low and high are
// limits that are drawn, too. It returns null if there is nothing over time.
function plot(box, lines, unit, height, options) {
  const groups = new Map(); // series of one axis are in one table, and tables are joined by time
  for (const l of lines) {
    if (!groups.has(l.s.axis)) groups.set(l.s.axis, []);
    groups.get(l.s.axis).push(l);
  }
  const numbered = [...groups.keys()].some((a) => a.clockless);
  view.axis = view.axis || lines[0].s.axis;
  const tables = [...groups].map(([axis, of]) => columns(axis, of, numbered));
  const data = tables.length > 1 ? uPlot.join(tables, tables.map((t) => t.map((_, i) => (i ? 2 : 0)))) : tables[0];
  if (data[0].length < 2) return null;
  const curves = [{}], bands = [], scales = { x: { time: !numbered } }, rows = new Map();
  for (const [axis, of] of groups) {
    const longest = numbered ? Infinity : 3 * usual(axis);
    const gaps = (u, k, from, to, found) => silent(u, k, from, to, found, longest);
    for (const l of of) {
      const scale = options.own ? "y" + lines.indexOf(l) : "y";
      scales[scale] = { range: (u, lo, hi) => spread(lo, options.limits ? Math.max(hi, ...options.limits.filter((v) => v < 2 * hi)) : hi, unit) };
      rows.set(l.s, curves.length);
      curves.push({ label: "", scale, stroke: l.stroke, width: 1.5, dash: l.dash, spanGaps: false, gaps, points: { size: 5, filter: (u, k, show) => (show ? null : lone(u, k)) } });
      if (axis.per > 1) {
        const edge = { scale, stroke: "transparent", width: 0, gaps, points: { show: false } };
        bands.push({ series: [curves.length + 1, curves.length], fill: l.stroke + "38" });
        curves.push({ ...edge }, { ...edge });
      }
    }
  }
  const ink = style("--dim"), grid = { stroke: style("--grid"), width: 1 };
  const tick = { stroke: ink, grid, ticks: grid, font: "12px system-ui, sans-serif" };
  const u = new uPlot({
    width: Math.max(200, box.clientWidth), height,
    tzDate: shifted, scales, series: curves, bands, legend: { show: false },
    padding: [8, 40, options.times === false ? 8 : 0, 0],
    cursor: { drag: { x: true, y: false, uni: 12 }, points: { size: 7 }, sync: numbered ? undefined : { key: "time" } },
    axes: [
      { ...tick, show: options.times !== false, space: (u, axis, from, to) => (to - from < 15 ? 110 : 80), values: numbered ? (u, v) => v.map((n) => (Number.isInteger(n) ? n + 1 : "")) : labels },
      options.own ? { show: false, scale: "y0" } : { ...tick, scale: "y", size: 72, space: 26, incrs: unit === "B" ? binary : undefined, values: (u, v) => v.map((n) => withUnit(n, unit)) },
    ],
    hooks: {
      setCursor: [(u) => options.read(u, rows)], setScale: [(u, key) => key === "x" && scaled(u)],
      drawClear: [shade], draw: [(u) => limits(u, options.limits || [])],
    },
  }, data, box);
  u.numbered = numbered;
  panels.add(u);
  if (view.x && !numbered) u.setScale("x", view.x);
  return u;
}

// shade marks the times of findings.
function shade(u) {
  if (u.numbered) return;
  const { ctx } = u, { left, top, width, height } = u.bbox;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  for (const f of meta.found) {
    const from = u.valToPos(f.from, "x", true), to = Math.max(u.valToPos(f.to, "x", true), from + 2);
    if (f.to - f.from > 0.6 * (u.data[0][u.data[0].length - 1] - u.data[0][0])) continue; // the whole recording
    ctx.fillStyle = style(f.severity === "critical" ? "--bad" : "--odd") + "22";
    ctx.fillRect(from, top, to - from, height);
  }
  ctx.restore();
}

// limits draws the thresholds of findings.
function limits(u, values) {
  const { ctx } = u, { left, width, top, height } = u.bbox;
  ctx.save();
  ctx.setLineDash([5, 5]);
  ctx.lineWidth = 1;
  ctx.strokeStyle = style("--bad");
  for (const v of values) {
    const y = u.valToPos(v, "y", true);
    if (!(y >= top && y <= top + height)) continue;
    ctx.beginPath();
    ctx.moveTo(left, y);
    ctx.lineTo(left + width, y);
    ctx.stroke();
  }
  ctx.restore();
}

// drop takes a panel out of the page.
function drop(u) {
  if (!u) return;
  panels.delete(u);
  u.destroy();
}

// scaled brings all panels to the range of time of one.
function scaled(u) {
  if (view.moving || u.numbered && panels.size > 1) return;
  view.x = { min: u.scales.x.min, max: u.scales.x.max };
  view.moving = true;
  for (const p of panels) {
    if (p !== u && !p.numbered) p.setScale("x", view.x);
  }
  view.moving = false;
  const all = u.data[0];
  const zoomed = view.x.min > all[0] || view.x.max < all[all.length - 1];
  $("chart").dataset.zoomed = zoomed ? "yes" : "no";
  if (!zoomed) view.x = null;
  tablesFollow();
  remember();
}

// zoom shows a part of the time: by is how much of it, around the middle,
// moved by so much of it.
function zoom(by, move) {
  const u = [...panels][0];
  if (!u) return;
  const all = u.data[0], from = all[0], to = all[all.length - 1], x = u.scales.x;
  const size = Math.min(to - from, Math.max((x.max - x.min) * by, (to - from) / 1e5));
  let min = (x.min + x.max) / 2 - size / 2 + size * move;
  min = Math.max(from, Math.min(to - size, min));
  u.setScale("x", by === Infinity ? { min: from, max: to } : { min, max: min + size });
}

// show zooms to a time, with something before and after it.
function show(from, to) {
  const u = [...panels].find((p) => !p.numbered);
  if (!u) return;
  const all = u.data[0], room = Math.max((to - from) * 0.4, 120);
  u.setScale("x", { min: Math.max(all[0], from - room), max: Math.min(all[all.length - 1], to + room) });
}

// fit makes panels as wide as their boxes.
function fit() {
  for (const u of panels) {
    const width = u.root.parentElement.clientWidth;
    if (width > 0 && width !== u.width) u.setSize({ width, height: u.height });
  }
}
