// The vital signs: small panels, one below the other.

function drawVitals() {
  const box = $("vitals");
  if (!box) return;
  for (const u of [...panels]) {
    if (u.vital) drop(u);
  }
  $("panels").replaceChildren();
  meta.vitals.forEach((p, n) => {
    const part = el("div", { class: "part" }), names = el("ul", { class: "names" });
    const head = el("div", { class: "panelhead" }, el("b", {}, p.title), names);
    $("panels").append(el("div", { class: "panel", role: "group", "aria-label": p.title }, head, part));
    const lines = p.lines.map(([id, name, scale], i) => ({ s: series[id], name, scale, stroke: color(i), dash: dashes(i) }));
    const shown = new Map();
    for (const l of lines) {
      const value = el("span", { class: "value" });
      shown.set(l, value);
      const mark = svg("svg", { width: 16, height: 8, "aria-hidden": "true" });
      mark.append(svg("path", { d: "M1 4h14", stroke: l.stroke, "stroke-width": 3 }));
      names.append(el("li", {}, mark, el("button", { type: "button", class: "link name", title: "Chart " + l.s.path, onclick: () => toggle(l.s, !chart.chosen.includes(l.s)) }, l.name), value));
    }
    const read = (u, rows) => {
      const i = u ? u.cursor.idx : null;
      for (const l of lines) {
        const none = i === null || i === undefined;
        shown.get(l).textContent = none ? "avg " + withUnit(l.s.mean * l.scale, p.unit) + ", max " + withUnit(l.s.max * l.scale, p.unit)
          : withUnit(u.data[rows.get(l.s)][nearest(u.data[rows.get(l.s)], i)], p.unit);
      }
      if (i !== null && i !== undefined) $("vitaltime").textContent = timeText(view.axis, u.data[0][i], view.local);
      else $("vitaltime").textContent = "";
    };
    const u = plot(part, lines, p.unit, n === meta.vitals.length - 1 ? 130 : 105, { read, limits: p.limits, times: n === meta.vitals.length - 1 });
    if (u) u.vital = true;
    read(null);
  });
}

function startAnswer() {
  for (const b of document.querySelectorAll("#answer button.time")) {
    b.addEventListener("click", () => {
      show(Number(b.dataset.from), Number(b.dataset.to));
      ($("vitals") || $("charts")).scrollIntoView({ block: "start" });
    });
  }
}

// The fragment of the address holds what is charted, the zoom and the zone, so
// that a link shows the same.

let recalled = null, quiet = true;

function recall() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (given.has("c")) {
    const of = new Map(series.map((s) => [s.path, s]));
    recalled = given.getAll("c").map((path) => of.get(path)).filter(Boolean).slice(0, most);
  }
  const t = (given.get("t") || "").split("_").map((text) => Date.parse(text) / 1000);
  if (t.length === 2 && t.every(Number.isFinite) && t[0] < t[1]) view.x = { min: t[0], max: t[1] };
  view.zone = given.get("z");
}

function remember() {
  if (quiet) return;
  const q = new URLSearchParams();
  if (!chart.automatic) chart.chosen.forEach((s) => q.append("c", s.path));
  if (view.x && !(view.axis && view.axis.clockless)) q.set("t", [view.x.min, view.x.max].map((t) => new Date(t * 1000).toISOString()).join("_"));
  if (!view.local && !$("clock").disabled) q.set("z", "utc");
  const text = q.toString();
  history.replaceState(null, "", text ? "#" + text : location.pathname + location.search);
}
