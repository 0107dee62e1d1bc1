// The data of the page, and what all parts share.

const $ = (id) => document.getElementById(id);

// el makes an element. Text goes in as text, whatever it holds.
function el(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes || {})) {
    if (k === "class") e.className = v;
    else if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
    else if (v !== null && v !== undefined && v !== false) e.setAttribute(k, v);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined));
  return e;
}

function svg(tag, attributes) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  return e;
}

const meta = JSON.parse($("meta").textContent);
const points = JSON.parse($("data").textContent);

function bytesOf(base64) {
  const s = atob(base64), b = new Uint8Array(s.length);
  for (let i = 0; i < s.length; i++) b[i] = s.charCodeAt(i);
  return b;
}

const axes = meta.axes.map((a) => {
  const t = new Float64Array(bytesOf(a.t).buffer);
  let order = null;
  for (let i = 1; i < t.length; i++) {
    if (t[i] < t[i - 1]) {
      order = Array.from(t.keys()).sort((x, y) => t[x] - t[y] || x - y);
      break;
    }
  }
  const times = order ? order.map((i) => t[i]) : Array.from(t);
  return { ...a, raw: t, times, order };
});

const series = meta.series.map((s, id) => {
  const [axis, object, instance, counter, path, type, count, min, mean, max, last, missing, absent, unit, note] = s;
  const [name, suffix] = type < 0 ? ["", ""] : meta.types[type];
  return {
    id, axis: axes[axis], object, instance, counter, path, type: name, suffix,
    count, min, mean, max, last, missing, absent, unit: meta.units[unit], search: path.toLowerCase(), note: note === undefined ? "" : meta.notes[note],
  };
});

const objects = meta.objects.map(([host, name, note], i) => ({ id: i, host, name, note: note || "", series: [] }));
for (const s of series) objects[s.object].series.push(s);

// values returns the points of a series along its axis: low, mean and high,
// NaN where there is no value. They are one list where each point is one
// snapshot.
function values(s) {
  const p = points[s.id], n = s.axis.raw.length;
  const full = () => new Float64Array(n).fill(NaN);
  let low, mean, high;
  if (!p) {
    low = mean = high = full();
  } else if (typeof p[1] === "number") {
    low = mean = high = full().fill(p[2], p[0], p[0] + p[1]);
  } else {
    const b = bytesOf(p[2]).buffer;
    const v = p[1] === "d" ? new Float64Array(b) : new Float32Array(b);
    const place = (part) => {
      const out = full();
      out.set(part, p[0]);
      return out;
    };
    if (p[1] === "m") {
      const k = v.length / 3;
      [low, mean, high] = [0, 1, 2].map((i) => place(v.subarray(i * k, (i + 1) * k)));
    } else {
      low = mean = high = place(v);
    }
  }
  if (s.axis.order) {
    const sorted = (v) => Float64Array.from(s.axis.order, (i) => v[i]);
    const same = low === high;
    low = sorted(low);
    mean = same ? low : sorted(mean);
    high = same ? low : sorted(high);
  }
  return { low, mean, high };
}

// number writes a value as the Performance Monitor does, with three decimals;
// whole numbers without.
const plain = new Intl.NumberFormat("en-US", { maximumFractionDigits: 3 });
function number(v) {
  if (v === null || v === undefined || Number.isNaN(v)) return "–";
  const size = Math.abs(v);
  if (size >= 1e15 || (size > 0 && size < 0.0005)) return v.toExponential(5);
  return plain.format(v);
}

// short writes a value in few characters, for an axis.
function short(v) {
  const size = Math.abs(v);
  if (size >= 1e15) return v.toExponential(2).replace("e+", "e");
  for (const [unit, name] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e4, "k"]]) {
    if (size >= unit) return plain.format(v / (name === "k" ? 1e3 : unit)) + name;
  }
  return number(v);
}

// withUnit writes a value with its unit. Bytes are counted as Windows does.
function withUnit(v, unit) {
  if (v === null || v === undefined || Number.isNaN(v)) return "–";
  const size = Math.abs(v), digits = (x) => plain.format(Number(x.toPrecision(4)));
  const scaled = (steps, tail) => {
    for (const [by, name] of steps) {
      if (size >= by) return digits(v / by) + " " + name + tail;
    }
    return digits(v) + (tail ? " " + tail : "");
  };
  if (v === 0) return "0";
  if (unit === "%") return digits(v > -1 && v < 0 ? 0 : v) + "%";
  if (unit === "s") return size >= 1 ? digits(v) + " s" : size >= 1e-3 ? digits(v * 1e3) + " ms" : digits(v * 1e6) + " µs";
  if (unit === "B") return scaled([[2 ** 40, "T"], [2 ** 30, "G"], [2 ** 20, "M"], [2 ** 10, "K"]], "B");
  if (unit === "B/s") return scaled([[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]], "B/s");
  if (unit === "KB" || unit === "MB" || unit.endsWith("B/s")) return number(v) + " " + unit;
  return (size >= 1e5 ? short(v) : size < 1 ? digits(v) : number(v)) + unit;
}

// offsetAt is how far the clock was from UTC, in seconds, null if
// that is not known.
function offsetAt(axis, t) {
  let found = axis.offsets.length ? axis.offsets[0] : [0, null, ""];
  for (const o of axis.offsets) {
    if (axis.raw[o[0]] <= t) found = o;
  }
  return found;
}

const pad = (n, digits = 2) => String(n).padStart(digits, "0");

// hours writes an offset from UTC.
const hours = (east) => (east < 0 ? "-" : "+") + pad(Math.floor(Math.abs(east) / 3600)) + ":" + pad(Math.floor(Math.abs(east) / 60) % 60);

// timeText writes a time in UTC, or by the clock that the page is for.
function timeText(axis, t, local) {
  if (axis.clockless) return "snapshot " + (t + 1);
  const [, east] = offsetAt(axis, t);
  const d = new Date((t + (local && east ? east : 0)) * 1000);
  const text = d.getUTCFullYear() + "-" + pad(d.getUTCMonth() + 1) + "-" + pad(d.getUTCDate()) + " " +
    pad(d.getUTCHours()) + ":" + pad(d.getUTCMinutes()) + ":" + pad(d.getUTCSeconds()) +
    (d.getUTCMilliseconds() ? "." + pad(d.getUTCMilliseconds(), 3) : "");
  if (east === null) return text;
  return text + " " + (local && east ? hours(east) : "UTC");
}

// missingText tells of the snapshots without a value, but for first ones of two that are
// needed.
function missingText(s) {
  const parts = Object.entries(s.missing).filter(([word]) => word !== "needs-second-sample").map(([word, n]) => n + " " + word);
  if (s.absent) parts.push(s.absent + " not there");
  return parts.join(", ");
}
