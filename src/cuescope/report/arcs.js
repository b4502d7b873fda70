// Attention arcs between two token axes: queries above, keys below.
const LEAST = 0.03;  // weights below this are not drawn
const decoded = new Map();
function weights(place, site) {
  const one = DATA.maps.sentences[place], key = `${place}:${site}`;
  if (!decoded.has(key)) decoded.set(key, Uint8Array.from(atob(one[site]), (c) => c.charCodeAt(0)));
  const columns = one.source.length, rows = site === "encoder" ? columns : one.target.length;
  return { rows, columns, at: (head, row, column) => decoded.get(key)[(head * rows + row) * columns + column] / 255 };
}
const piece = (text) => text.replace(/^▁(?=.)/u, "").replace(/▁/gu, "␣");

function attentionView(pair) {
  const sites = Object.keys(DATA.maps.heads).filter((site) => DATA.maps.heads[site].length && pair.map.every((p) => DATA.maps.sentences[p][site]));
  if (!sites.length) return h("p", { class: "note" }, "No attention was kept.");
  const figures = h("div", { class: "arc-figures" });
  const options = sites.map((site) => h("optgroup", { label: SITES[site] }, DATA.maps.heads[site].map(([layer, head]) => {
    const effect = DATA.sites[site]?.effect?.all.scores[layer][head] ?? null;
    return h("option", { value: keyOf(site, layer, head) }, `${SITES[site]} ${layer}.${head}${effect === null ? "" : `: effect ${percent(effect)}`}`);
  })));
  const select = h("select", { "aria-label": "Head" }, options);
  const draw = () => figures.replaceChildren(...pair.twins.map((twin, at) => arcs(pair.map[at], twin, fromKey(select.value))));
  if (chosen.key && hasMap(chosen.key) && sites.includes(fromKey(chosen.key).site)) select.value = chosen.key;
  select.addEventListener("change", () => { choose(select.value); });
  const follow = (event) => {
    if (!view.isConnected) { document.removeEventListener("head", follow); return; }
    if (hasMap(event.detail) && sites.includes(fromKey(event.detail).site)) { select.value = event.detail; draw(); }
  };
  document.addEventListener("head", follow);
  const view = h("div", { class: "attention" },
    h("div", { class: "controls" }, h("h4", {}, "Attention of one head"), h("label", { class: "no-print" }, "Head ", select)),
    h("p", { class: "note" }, `Above: who looks; below: what is looked at. Wider is more; under ${LEAST} nothing is drawn. Point at a word, or go along with the arrow keys, to see its arcs alone.`), figures);
  draw();
  return view;
}

function arcs(place, twin, { site, layer, head }) {
  const one = DATA.maps.sentences[place], grid = weights(place, site);
  const which = DATA.maps.heads[site].findIndex(([a, b]) => a === layer && b === head);
  const above = site === "encoder" ? one.source : one.target, below = one.source;
  const speaking = new Set(site === "encoder" ? one.noun : one.steps), cue = new Set(one.cue), noun = new Set(one.noun);
  const size = (tokens) => tokens.map((token) => Math.max(20, Array.from(piece(token)).length * 8.2 + 12));
  const tops = size(above), bottoms = size(below), sum = (list) => list.reduce((a, b) => a + b, 0);
  const width = Math.max(sum(tops), sum(bottoms)) + 16, height = 184, upper = 30, lower = height - 34;
  const middles = (sizes) => { let from = (width - sum(sizes)) / 2; return sizes.map((w) => { from += w; return from - w / 2; }); };
  const x = middles(tops), z = middles(bottoms);
  const label = `head ${layer}.${head} of the ${SITES[site]}, the cue is ${twin.gold}`;
  const drawn = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: "arcs", role: "group", "aria-label": `Attention of ${label}` });
  const lines = [];
  for (let row = 0; row < grid.rows; row += 1) for (let column = 0; column < grid.columns; column += 1) {
    const w = grid.at(which, row, column);
    if (w >= LEAST) lines.push({ row, column, w });
  }
  lines.sort((a, b) => a.w - b.w);
  const paths = lines.slice(-3000).map(({ row, column, w }) => {
    const path = svg("path", { d: `M${x[row]},${upper + 8} C${x[row]},${(upper + lower) / 2} ${z[column]},${(upper + lower) / 2} ${z[column]},${lower - 16}`, "stroke-width": (0.6 + 5.4 * w).toFixed(2), "stroke-opacity": (0.12 + 0.88 * w).toFixed(2) });
    path.classList.add("arc");
    if (speaking.has(row)) path.classList.add(cue.has(column) ? "to-cue" : "from-noun");
    return { path, row, column, w };
  });
  drawn.append(...paths.map((p) => p.path));
  const status = h("p", { class: "note status" }, summary());
  function summary() {
    const list = [...speaking].filter((row) => row < grid.rows).map((row) => [...cue].reduce((a, c) => a + grid.at(which, row, c), 0));
    const mean = list.length ? sum(list) / list.length : null;
    const who = site === "encoder" ? "the noun" : "the step that emits the noun";
    return mean === null || !cue.size ? `Head ${layer}.${head}.` : `Head ${layer}.${head}: ${who} gives the cue ${num(mean, 2)} of its attention.`;
  }
  const token = (axis, text, at) => {
    const top = axis === "above", kinds = ["token"];
    if (top ? speaking.has(at) : noun.has(at)) kinds.push("noun");
    if ((!top || site === "encoder") && cue.has(at)) kinds.push("cue");
    const middle = top ? x[at] : z[at], w = (top ? tops : bottoms)[at], line = top ? upper : lower;
    const kind = kinds.slice(1).join(", ");
    return svg("g", { class: kinds.join(" "), tabindex: at ? -1 : 0, role: "img", "data-axis": axis, "data-at": at, "aria-label": `${piece(text)}${kind ? ` (${kind})` : ""}` },
      svg("rect", { x: middle - w / 2 + 1, y: line - 15, width: w - 2, height: 22, rx: 4 }),
      svg("text", { x: middle, y: line + 1, "text-anchor": "middle" }, piece(text)),
      kind ? svg("text", { x: middle, y: top ? line - 17 : line + 20, "text-anchor": "middle", class: "kind" }, kind) : null);
  };
  drawn.append(...above.map((text, at) => token("above", text, at)), ...below.map((text, at) => token("below", text, at)));
  const only = (node) => {
    const { axis, at } = node.dataset, top = axis === "above";
    const own = (p) => (top ? p.row : p.column) === +at;
    for (const p of paths) p.path.classList.toggle("off", !own(p));
    const best = paths.filter(own).sort((a, b) => b.w - a.w).slice(0, 4).map((p) => `${piece(top ? below[p.column] : above[p.row])} ${num(p.w)}`);
    status.textContent = `“${piece((top ? above : below)[at])}” ${top ? "looks at" : "is looked at by"} ${best.join(", ") || "nothing much"}.`;
  };
  const every = () => { for (const p of paths) p.path.classList.remove("off"); status.textContent = summary(); };
  drawn.addEventListener("pointerover", (event) => { const node = event.target.closest(".token"); if (node) only(node); else every(); });
  drawn.addEventListener("pointerleave", every);
  drawn.addEventListener("focusin", (event) => only(event.target.closest(".token")));
  drawn.addEventListener("focusout", every);
  rove(drawn, ".token", (node, key) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key], axis = { ArrowDown: "below", ArrowUp: "above" }[key] ?? node.dataset.axis;
    if (!step && axis === node.dataset.axis) return null;
    const at = step ? +node.dataset.at + step : Math.min(+node.dataset.at, (axis === "above" ? above : below).length - 1);
    return drawn.querySelector(`.token[data-axis="${axis}"][data-at="${at}"]`);
  });
  return h("figure", { class: "arc-figure keep" }, h("figcaption", {}, `${twin.set.toUpperCase()}: ${twin.gold} cue. ${site === "encoder" ? "The sentence above and below." : "Translation above, source below."}`), h("div", { class: "scroll" }, drawn), status);
}
