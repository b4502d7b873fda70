// The list of all pairs, page by page; a pair opens in place.
const PAGE = 20;
const list = { rows: [], found: [], page: 0, open: new Set() };

function pairsList(mount) {
  list.rows = DATA.pairs.map((row) => {
    const { verdict, stereotype, order } = unpack([...row.slice(0, 5), [], row[6]]);
    return { row, verdict, stereotype, order, text: null };
  });
  const controls = filters(list.rows, refresh);
  list.clear = controls.clear;
  list.status = h("p", { class: "note", id: "shown", role: "status" });
  list.items = h("ol", { class: "pair-list" });
  const turn = (by) => () => {
    list.page += by;
    paint();
    mount.scrollIntoView({ block: "start" });
  };
  list.before = h("button", { type: "button", onclick: turn(-1) }, "← Previous");
  list.after = h("button", { type: "button", onclick: turn(1) }, "Next →");
  const whole = h("button", { type: "button", id: "print-all", onclick: printAll }, "Print all");
  const pages = h("div", { class: "controls no-print" }, list.before, list.after, whole);
  mount.append(...controls.nodes, list.status, list.items, pages);
  const first = DATA.pairs.find((row) => row[4] && DATA.maps); // one example lies open
  if (first) list.open.add(first[0]);
  refresh();
}

function refresh() {
  list.page = 0;
  list.found = matches(list.rows);
  paint();
}

// Every pair that the filters leave, for the printer; then a page of them again.
function printAll() {
  paint(Infinity);
  addEventListener("afterprint", () => paint(), { once: true });
  print();
}

function paint(size = PAGE) {
  const last = Math.max(0, Math.ceil(list.found.length / size) - 1);
  list.page = Math.min(Math.max(0, list.page), last);
  const from = list.page ? list.page * size : 0;
  const shown = list.found.slice(from, from + size);
  list.items.replaceChildren(...shown.map(({ row }) => item(unpack(row))));
  const total = list.found.length.toLocaleString("en-GB");
  list.status.textContent = shown.length
    ? `Pairs ${from + 1} to ${from + shown.length} of ${total}`
    : "No pair matches.";
  list.before.disabled = list.page === 0;
  list.after.disabled = list.page === last;
}

function item(pair) {
  const id = `view-${pair.index}`;
  const panel = h("div", { id, class: "panel-open" });
  const readings = pair.twins.map((t) => `${t.set}: ${t.gender} ${t.correct ? "✓" : "✗"}`);
  const button = h(
    "button",
    { type: "button", class: "pair-head", "aria-controls": id },
    h(
      "span",
      { class: `chip ${pair.verdict}` },
      SIGNS[pair.verdict],
      " ",
      DATA.verdicts[pair.verdict],
    ),
    h("span", { class: "line", dir: "auto" }, sourceLine(pair.twins)),
    h("small", {}, readings.join(" · ")),
  );
  const show = (open) => {
    panel.replaceChildren(...(open ? [pairView(pair)] : []));
    panel.hidden = !open;
    button.setAttribute("aria-expanded", open);
    list.open[open ? "add" : "delete"](pair.index);
  };
  button.addEventListener("click", () => {
    show(panel.hidden);
    if (!panel.hidden) setHash(`pair-${pair.index}`);
  });
  show(list.open.has(pair.index));
  return h("li", { id: `pair-${pair.index}`, "data-pair": pair.index }, button, panel);
}

// The first twin, a sentence that exists, with its cue; the other's cue beside it, or all of it
// where the twins differ elsewhere too.
function sourceLine([one, twin]) {
  if (!one.cue || !twin?.cue) return [brief(one.source)];
  if (without(one) !== without(twin)) return [brief(one.source), " · ", brief(twin.source)];
  const letters = Array.from(one.source);
  const part = (from, to) => letters.slice(from, to).join("");
  const [from, to] = one.cue;
  const before = from > NEAR ? `${part(0, 60)} … ${part(from - 60, from)}` : part(0, from);
  const other = Array.from(twin.source).slice(...twin.cue).join("");
  const cue = h("b", {}, h("bdi", {}, part(from, to)));
  return [before, cue, brief(part(to)), " ", h("small", {}, "twin: ", h("bdi", {}, other))];
}

const without = ({ source, cue: [from, to] }) => {
  const letters = Array.from(source);
  return [...letters.slice(0, from), "\0", ...letters.slice(to)].join("");
};

// Open a pair by its number, whatever the filters: true if there is such a pair.
function openPair(index) {
  const place = DATA.pairs.findIndex((row) => row[0] === index);
  if (place < 0) return false;
  list.clear();
  list.found = list.rows;
  list.open.add(index);
  list.page = Math.floor(place / PAGE);
  paint();
  return true;
}
