// The list of all pairs: search, filter, pages; a pair opens in place.
const PAGE = 20;
const SIGNS = { ignores: "=", follows: "✓", partly: "≈", inconsistent: "≠", unknown: "?" };
const list = { rows: [], page: 0, open: new Set(), words: "", verdict: "", stereotype: "" };

function pairsList(mount) {
  list.rows = DATA.pairs.map((row, at) => ({ at, row, verdict: name(row[3]), stereotype: row[2] === null ? "none" : name(row[2]), text: null }));
  const counts = Object.fromEntries(Object.keys(DATA.verdicts).map((v) => [v, list.rows.filter((r) => r.verdict === v).length]));
  const buttons = ["", ...Object.keys(DATA.verdicts)].map((v) => h("button", {
    type: "button", "data-verdict": v, "aria-pressed": v === "", disabled: v !== "" && !counts[v],
    onclick: () => { list.verdict = v; for (const b of buttons) b.setAttribute("aria-pressed", b.dataset.verdict === v); refresh(); },
  }, v === "" ? `all ${list.rows.length.toLocaleString("en-GB")}` : `${SIGNS[v]} ${DATA.verdicts[v]} ${counts[v].toLocaleString("en-GB")}`));
  let waiting = 0;
  const search = h("input", { type: "search", id: "search", placeholder: "Search sentences", "aria-label": "Search the sentences and translations", autocomplete: "off",
    oninput: () => { clearTimeout(waiting); waiting = setTimeout(() => { list.words = search.value; refresh(); }, 120); } });
  const kinds = [...new Set(list.rows.map((r) => r.stereotype))];
  const select = h("select", { id: "stereotype", "aria-label": "Stereotype of the noun", onchange: () => { list.stereotype = select.value; refresh(); } },
    h("option", { value: "" }, "any stereotype"), kinds.map((k) => h("option", { value: k }, k === "none" ? "no stereotype" : `${k} stereotype`)));
  list.status = h("p", { class: "note", id: "shown", role: "status" });
  list.items = h("ol", { class: "pair-list" });
  const turn = (by) => () => { list.page += by; paint(); mount.scrollIntoView({ block: "start" }); };
  list.before = h("button", { type: "button", onclick: turn(-1) }, "← Before");
  list.after = h("button", { type: "button", onclick: turn(1) }, "Next →");
  mount.append(h("div", { class: "controls no-print" }, search, select), h("div", { class: "chips no-print", role: "group", "aria-label": "Verdict" }, buttons),
    list.status, list.items, h("div", { class: "controls no-print" }, list.before, list.after));
  refresh();
}

const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
function matches() {
  const words = folded(list.words).split(/\s+/).filter(Boolean);
  return list.rows.filter((r) => {
    if (list.verdict && r.verdict !== list.verdict) return false;
    if (list.stereotype && r.stereotype !== list.stereotype) return false;
    if (!words.length) return true;
    r.text ??= folded([r.row[1], ...r.row[5].flatMap((t) => [t[1], t[5]])].join(" "));
    return words.every((word) => r.text.includes(word));
  });
}
function refresh() { list.page = 0; list.found = matches(); paint(); }

function paint() {
  const last = Math.max(0, Math.ceil(list.found.length / PAGE) - 1);
  list.page = Math.min(Math.max(0, list.page), last);
  const from = list.page * PAGE, shown = list.found.slice(from, from + PAGE);
  list.items.replaceChildren(...shown.map(({ row }) => item(unpack(row))));
  list.status.textContent = shown.length ? `Pairs ${from + 1} to ${from + shown.length} of ${list.found.length.toLocaleString("en-GB")}` : "No pair matches.";
  list.before.disabled = list.page === 0;
  list.after.disabled = list.page === last;
}

const brief = (text) => { const letters = Array.from(text); return letters.length > 220 ? `${letters.slice(0, 220).join("")}…` : text; };
// The sentence once, with both cues where the twins differ.
function sourceLine({ twins }) {
  const [a, b] = twins, letters = Array.from(a.source);
  if (!a.cue || !b?.cue) return [brief(a.source)];
  const cue = (twin) => Array.from(twin.source).slice(...twin.cue).join("");
  const start = letters.slice(0, a.cue[0]).join(""), end = letters.slice(a.cue[1]).join("");
  const before = a.cue[0] > 160 ? `${letters.slice(0, 60).join("")} … ${letters.slice(a.cue[0] - 60, a.cue[0]).join("")}` : start;
  return [before, h("b", {}, h("bdi", {}, cue(a)), " / ", h("bdi", {}, cue(b))), brief(end)];
}

function item(pair) {
  const id = `view-${pair.index}`, open = list.open.has(pair.index);
  const panel = h("div", { id, class: "panel-open", hidden: !open });
  if (open) panel.append(pairView(pair));
  const readings = pair.twins.map((t) => `${t.set}: ${t.gender} ${t.correct ? "✓" : "✗"}`).join(" · ");
  const button = h("button", { type: "button", class: "pair-head", "aria-expanded": open, "aria-controls": id },
    h("span", { class: `chip ${pair.verdict}` }, `${SIGNS[pair.verdict]} ${DATA.verdicts[pair.verdict]}`),
    h("span", { class: "line", dir: "auto" }, sourceLine(pair)), h("small", {}, readings));
  button.addEventListener("click", () => {
    const opening = panel.hidden;
    panel.replaceChildren(...(opening ? [pairView(pair)] : []));
    panel.hidden = !opening;
    button.setAttribute("aria-expanded", opening);
    list.open[opening ? "add" : "delete"](pair.index);
    if (opening) setHash(`pair-${pair.index}`);
  });
  return h("li", { id: `pair-${pair.index}`, "data-pair": pair.index }, button, panel);
}

// Open a pair by its number, whatever the filters: true if there is such a pair.
function openPair(index) {
  const place = DATA.pairs.findIndex((row) => row[0] === index);
  if (place < 0) return false;
  list.open.add(index);
  list.found = list.rows;
  list.page = Math.floor(place / PAGE);
  paint();
  return true;
}
