// The byte map: two lists, bytes and fields, of which only the rows in sight
// stand in the page.

const rowHeight = 20;

// lister shows rows of a list by scrolling: make makes one.
function lister(box, count, make) {
  const inner = el("div", { class: "inner" });
  inner.style.height = count * rowHeight + "px";
  box.append(inner);
  const render = () => {
    const from = Math.max(0, Math.floor(box.scrollTop / rowHeight) - 4);
    const to = Math.min(count, Math.ceil((box.scrollTop + box.clientHeight) / rowHeight) + 4);
    const rows = [];
    for (let i = from; i < to; i++) {
      const r = make(i);
      r.style.top = i * rowHeight + "px";
      rows.push(r);
    }
    inner.replaceChildren(...rows);
  };
  box.addEventListener("scroll", render, { passive: true });
  const show = (i) => {
    const top = i * rowHeight;
    if (top < box.scrollTop || top > box.scrollTop + box.clientHeight - 2 * rowHeight) {
      box.scrollTop = Math.max(0, top - box.clientHeight / 3);
    }
    render();
  };
  return { render, show };
}

function startBytes() {
  const map = JSON.parse($("bytemap").textContent);
  const bytes = bytesOf(map.bytes);
  const spans = map.spans.map(([off, size, element, field, value, comment]) => ({ off, size, element, field, value, comment }));
  // The span of each byte, and a second one where spans overlap.
  const owner = new Int32Array(bytes.length).fill(-1), also = new Int32Array(bytes.length).fill(-1);
  spans.forEach((s, i) => {
    for (let b = s.off; b < s.off + s.size; b++) {
      if (owner[b] < 0) owner[b] = i;
      else also[b] = i;
    }
  });
  // A heading stands over the fields of each element.
  const lines = [], lineOf = [];
  let element = -1;
  spans.forEach((s, i) => {
    if (s.element !== element) {
      element = s.element;
      if (map.elements[element][0]) lines.push({ head: element });
    }
    lineOf[i] = lines.length;
    lines.push({ span: i });
  });
  let chosen = -1, at = 0;
  const wide = () => ($("hex").clientWidth > 560 ? 16 : 8);
  let perRow = wide(), hex, fields;

  const hexRow = (i) => {
    const from = i * perRow, r = el("div", { class: "row" }, el("span", { class: "address" }, pad(from.toString(16), 6)));
    let text = "";
    for (let b = from; b < from + perRow; b++) {
      if (b >= bytes.length) {
        r.append(el("span", { class: "byte none" }, "  "));
        continue;
      }
      const s = chosen >= 0 ? spans[chosen] : null;
      const on = s && b >= s.off && b < s.off + s.size;
      const gap = owner[b] >= 0 && spans[owner[b]].field === "gap";
      r.append(el("span", { class: "byte" + (on ? " on" : "") + (gap ? " gap" : "") + (owner[b] % 2 ? " odd" : "") + (b === at ? " at" : ""), "data-at": b }, pad(bytes[b].toString(16))));
      text += bytes[b] >= 32 && bytes[b] < 127 ? String.fromCharCode(bytes[b]) : "·";
    }
    r.append(el("span", { class: "ascii" }, text));
    return r;
  };
  const fieldRow = (i) => {
    const l = lines[i];
    if (l.head !== undefined) {
      const [path, heading] = map.elements[l.head];
      return el("div", { class: "row head" }, el("b", {}, path), heading ? el("span", { class: "name" }, "  " + heading) : null);
    }
    const s = spans[l.span];
    return el("div", { class: "row field" + (l.span === chosen ? " on" : "") + (s.field === "gap" ? " gap" : ""), "data-span": l.span, role: "option", "aria-selected": l.span === chosen },
      el("span", { class: "fieldname" }, s.field), el("span", { class: "name" }, s.value), s.comment ? el("span", { class: "comment name" }, s.comment) : null);
  };
  const pathOf = (s) => [map.elements[s.element][0], s.field].filter(Boolean).join(".");
  const tell = (i, b) => {
    const s = spans[i];
    let text = "0x" + s.off.toString(16) + "+" + s.size + "  " + pathOf(s) + (s.value ? " = " + s.value : "") + (s.comment ? "  " + s.comment : "");
    if (b !== undefined && also[b] >= 0 && also[b] !== i) text += "; also " + pathOf(spans[also[b]]);
    $("byteline").textContent = text;
  };
  // choose marks a field in both lists.
  const choose = (i, from, b) => {
    if (i < 0) return;
    chosen = i;
    at = b === undefined ? spans[i].off : b;
    tell(i, b);
    if (from === "hex") hex.render();
    else hex.show(Math.floor(spans[i].off / perRow));
    if (from === "fields") fields.render();
    else fields.show(lineOf[i]);
  };
  const build = () => {
    perRow = wide();
    $("hex").replaceChildren();
    hex = lister($("hex"), Math.ceil(bytes.length / perRow), hexRow);
    hex.render();
  };
  build();
  fields = lister($("fields"), lines.length, fieldRow);
  fields.render();
  new ResizeObserver(() => (wide() === perRow ? (hex.render(), fields.render()) : build())).observe($("hex"));

  const byteOf = (e) => (e.target.dataset && e.target.dataset.at !== undefined ? Number(e.target.dataset.at) : -1);
  $("hex").addEventListener("mousemove", (e) => {
    const b = byteOf(e);
    if (b >= 0 && owner[b] >= 0 && (owner[b] !== chosen || b !== at)) choose(owner[b], "hex", b);
  });
  $("hex").addEventListener("click", (e) => {
    const b = byteOf(e);
    if (b >= 0) choose(owner[b], "hex", b);
  });
  $("fields").addEventListener("click", (e) => {
    const r = e.target.closest("[data-span]");
    if (r) choose(Number(r.dataset.span), "fields");
  });
  const page = () => Math.floor($("hex").clientHeight / rowHeight) - 2;
  $("hex").addEventListener("keydown", (e) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -perRow, ArrowDown: perRow, PageUp: -perRow * page(), PageDown: perRow * page(), Home: -bytes.length, End: bytes.length }[e.key];
    if (step === undefined) return;
    const b = Math.max(0, Math.min(bytes.length - 1, at + step));
    choose(owner[b], "hex", b);
    hex.show(Math.floor(b / perRow));
    e.preventDefault();
  });
  $("fields").addEventListener("keydown", (e) => {
    const step = { ArrowUp: -1, ArrowDown: 1, PageUp: -page(), PageDown: page(), Home: -spans.length, End: spans.length }[e.key];
    if (step === undefined) return;
    choose(Math.max(0, Math.min(spans.length - 1, (chosen < 0 ? -1 : chosen) + step)), "fields");
    fields.show(lineOf[chosen]);
    e.preventDefault();
  });
}
