// The tables of counters, an object each.

const rowsAtOnce = 100; // what a table shows before it is asked for more
const openAtOnce = 8; // tables that a filter opens

const heads = [
  ["Instance", (s) => s.instance || "", "text"], ["Counter", (s) => s.counter, "text"], ["", null, ""],
  ["min", (s) => s.min, "num"], ["avg", (s) => s.mean, "num"], ["max", (s) => s.max, "num"], ["last", (s) => s.last, "num"],
  ["no value", (s) => Object.values(s.missing).reduce((a, b) => a + b, 0) + s.absent, "num"],
];

const boxes = new Map(); // the check box of each series that has a row
let wanted = null; // what the filter lets through, null for all

// marked shows in the row of a series whether it is in the chart.
function marked(s) {
  const box = boxes.get(s);
  if (!box) return;
  box.checked = chart.chosen.includes(s);
  box.closest("tr").classList.toggle("on", box.checked);
}

// spark draws a series as small as a word.
function spark(s) {
  const w = 120, h = 24, n = s.axis.raw.length;
  const pic = svg("svg", { class: "spark", width: w, height: h, viewBox: `0 0 ${w} ${h}`, "aria-hidden": "true" });
  if (!s.count || n < 2) return pic;
  const { low, high } = values(s);
  const x = (i) => 2 + (w - 4) * (i / (n - 1));
  const y = (v) => (s.max > s.min ? 2 + (h - 4) * (1 - (v - s.min) / (s.max - s.min)) : h / 2);
  const step = Math.max(1, Math.ceil(n / (w / 2)));
  let d = "", pen = false;
  for (let i = 0; i < n; i += step) {
    let lo = Infinity, hi = -Infinity, gap = false;
    for (let k = i; k < Math.min(n, i + step); k++) {
      if (Number.isNaN(low[k])) gap = true;
      else {
        lo = Math.min(lo, low[k]);
        hi = Math.max(hi, high[k]);
      }
    }
    if (lo > hi) {
      pen = false;
      continue;
    }
    const at = x(Math.min(n - 1, i + (step - 1) / 2)).toFixed(1);
    d += (pen ? "L" : "M") + at + " " + y(lo).toFixed(1) + (hi > lo ? "V" + y(hi).toFixed(1) : pen ? "" : "h0");
    pen = !gap || step > 1;
  }
  pic.append(svg("path", { d }));
  return pic;
}

function row(s, instances) {
  const box = el("input", { type: "checkbox", "aria-label": "Chart " + s.path, onchange: () => toggle(s, box.checked) });
  boxes.set(s, box);
  const missing = missingText(s);
  const total = Object.values(s.missing).reduce((a, b) => a + b, 0) + s.absent;
  const num = (v, name) => el("td", { class: "num", "data-name": name }, number(v));
  const tr = el("tr", { title: s.path + (s.type ? "\n" + s.type : "") },
    el("td", { class: "pick" }, box),
    instances ? el("td", { class: "name instance" }, s.instance === null ? "" : s.instance) : null,
    el("td", { class: "name counter" }, s.counter, s.note ? el("span", { class: "hint", title: s.note, "aria-label": s.note }, "i") : null),
    el("td", { class: "sparkcell" }, spark(s)),
    num(s.min, "min"), num(s.mean, "avg"), num(s.max, "max"), num(s.last, "last"),
    el("td", { class: "num missing", title: missing, "data-name": "no value" }, total ? missing : ""));
  tr.addEventListener("click", (e) => {
    if (e.target !== box) {
      box.checked = !box.checked;
      toggle(s, box.checked);
    }
  });
  if (chart.chosen.includes(s)) {
    box.checked = true;
    tr.classList.add("on");
  }
  return tr;
}

// within sums up the points of a series in a range of time.
function within(s, x) {
  const { low, mean, high } = values(s), times = s.axis.times;
  let min = Infinity, max = -Infinity, sum = 0, n = 0, last = null;
  for (let i = 0; i < times.length; i++) {
    if (times[i] < x.min || times[i] > x.max || Number.isNaN(low[i])) continue;
    min = Math.min(min, low[i]);
    max = Math.max(max, high[i]);
    sum += mean[i];
    n++;
    last = mean[i];
  }
  return n ? { min, mean: sum / n, max, last } : { min: null, mean: null, max: null, last: null };
}

// tablesFollow brings the numbers of the rows to the range of time that is shown.
let following = 0;
function tablesFollow() {
  clearTimeout(following);
  following = setTimeout(() => {
    $("range").textContent = view.x ? "numbers of the time shown" : "";
    for (const [s, box] of boxes) {
      const of = view.x && !s.axis.clockless ? within(s, view.x) : s;
      for (const [name, v] of [["min", of.min], ["avg", of.mean], ["max", of.max], ["last", of.last]]) {
        box.closest("tr").querySelector(`[data-name="${name}"]`).textContent = number(v);
      }
    }
  }, 60);
}

// section is the folding table of an object.
function section(o) {
  const hosts = new Set(objects.map((x) => x.host)).size > 1;
  const count = el("span", { class: "count" });
  const details = el("details", { class: "object" },
    el("summary", {}, el("span", { class: "name" }, (hosts && o.host ? "\\\\" + o.host + "\\" : "") + o.name), count),
    o.note ? el("p", { class: "note" }, o.note) : null);
  const state = { details, count, shown: rowsAtOnce, sort: null, down: false, list: [] };
  o.view = state;
  const fill = () => {
    details.querySelector(".wide")?.remove();
    details.querySelector(".more")?.remove();
    for (const s of o.series) boxes.delete(s);
    if (!details.open) return;
    const instances = o.series.some((s) => s.instance !== null);
    let list = state.list;
    if (state.sort !== null) {
      const key = heads[state.sort][1], down = state.down ? -1 : 1;
      list = [...list].sort((a, b) => {
        const x = key(a), y = key(b);
        if (x === null || y === null) return (x === null) - (y === null);
        return down * (typeof x === "string" ? x.localeCompare(y, "en", { numeric: true }) : x - y);
      });
    }
    const head = el("tr", {}, el("td", { class: "pick" }));
    heads.forEach(([name, key, kind], i) => {
      if (i === 0 && !instances) return;
      const sorted = state.sort === i;
      head.append(el(key ? "th" : "td", { class: kind, "aria-sort": sorted ? (state.down ? "descending" : "ascending") : null },
        key ? el("button", { type: "button", onclick: () => {
          state.down = sorted ? !state.down : kind === "num";
          state.sort = i;
          fill();
          details.querySelectorAll("th button")[instances ? (i > 2 ? i - 1 : i) : (i > 2 ? i - 2 : i - 1)]?.focus();
        } }, name) : ""));
    });
    details.append(el("div", { class: "wide" }, el("table", { class: "series" }, el("thead", {}, head),
      el("tbody", {}, ...list.slice(0, state.shown).map((s) => row(s, instances))))));
    if (list.length > state.shown) {
      details.append(el("button", { type: "button", class: "more", onclick: () => {
        state.shown += 10 * rowsAtOnce;
        fill();
      } }, (list.length - state.shown) + " more"));
    }
    if (view.x) tablesFollow();
  };
  state.fill = fill;
  details.addEventListener("toggle", () => {
    if (!wanted) state.chosen = details.open;
    if (details.open !== Boolean(details.querySelector(".wide"))) fill();
  });
  return details;
}

// pattern makes of a word of the filter what tests a path.
function pattern(word) {
  if (!word.includes("*")) return (path) => path.includes(word);
  const re = new RegExp(word.split("*").map((p) => p.replace(/[.+?^${}()|[\]\\]/g, "\\$&")).join(".*"), "s");
  return (path) => re.test(path);
}

// filter shows the series whose path has all words.
function filter(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean).map(pattern);
  wanted = words.length ? (s) => words.every((has) => has(s.search)) : null;
  let matches = 0, open = 0;
  for (const o of objects) {
    const v = o.view;
    v.list = wanted ? o.series.filter(wanted) : o.series;
    v.shown = rowsAtOnce;
    matches += v.list.length;
    v.details.hidden = v.list.length === 0;
    v.count.textContent = wanted ? v.list.length + " of " + o.series.length : String(o.series.length);
    v.details.open = wanted ? v.list.length > 0 && open < openAtOnce : Boolean(v.chosen);
    if (v.list.length > 0) open++;
    v.fill();
  }
  $("matches").textContent = wanted ? (matches ? matches + " of " + series.length : "none of " + series.length) : "";
}

function startTables() {
  $("objects").append(...objects.map(section));
  const home = chart.chosen.length ? objects[chart.chosen[0].object] : objects[0];
  if (home) home.view.chosen = true;
  let timer = 0;
  const box = $("filter");
  box.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => filter(box.value), series.length > 5000 ? 200 : 30);
  });
  document.addEventListener("keydown", (e) => {
    if (e.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      box.focus();
      e.preventDefault();
    }
  });
  filter("");
}
