// Attention arcs between two token axes: queries above, keys below.
const LEAST = 0.03; // weights below this are not drawn
const MOST = 3000; // arcs, the largest first
const HIGH = { upper: 30, lower: 150, whole: 184 };
const piece = (text) => text.replace(/^▁(?=.)/u, "").replace(/▁/gu, "␣");
const sum = (list) => list.reduce((a, b) => a + b, 0);
const decoded = new WeakMap(); // of a sentence, the bytes of its sites
const isEnd = (token) => token === "</s>"; // where heads rest that have nothing to do

// Who looks, and at what: in the decoder, what it was fed, one token earlier.
const AXES = {
  encoder: (one) => [one.source, one.source],
  cross: (one) => [one.target, one.source],
  decoder: (one) => [one.target, ["<start>", ...one.target.slice(0, -1)]],
};
const SIDES = {
  encoder: "The sentence above and below.",
  cross: "Translation above, source below.",
  decoder: "Translation above, what was said before below.",
};

// The weights of one head: rows look, columns are looked at.
function weights(maps, place, { site, layer, head }) {
  const one = maps.sentences[place];
  const known = decoded.get(one) ?? {};
  decoded.set(one, known);
  known[site] ??= Uint8Array.from(atob(one[site]), (c) => c.charCodeAt(0));
  const which = maps.heads[site].findIndex(([a, b]) => a === layer && b === head);
  const [rows, columns] = AXES[site](one).map((axis) => axis.length);
  const at = (row, column) => known[site][(which * rows + row) * columns + column] / 255;
  return { rows, columns, at };
}

// One head, one sentence; `twin` has the words for its caption.
function arcs(maps, place, twin, head) {
  const view = sentenceView(maps, place, head);
  const name = `Attention of head ${head.layer}.${head.head} of the ${SITES[head.site]}. ${twin.title}`;
  const drawn = svg("svg", {
    viewBox: `0 0 ${view.width} ${HIGH.whole}`,
    width: view.width,
    height: HIGH.whole,
    class: "arcs",
    role: "group",
    "aria-label": name,
  });
  const paths = arcPaths(view);
  drawn.append(...paths.map((arc) => arc.path));
  for (const axis of ["above", "below"]) {
    drawn.append(...view[axis].tokens.map((_, at) => tokenNode(view, axis, at)));
  }
  const status = h("p", { class: "note status" }, cueShare(view, head));
  isolate(drawn, paths, view, status, cueShare(view, head));
  walk(drawn, view);
  return h(
    "figure",
    { class: "arc-figure keep" },
    h("figcaption", {}, `${twin.title}${twin.title && " "}${SIDES[head.site]}`),
    h("div", { class: "scroll" }, drawn),
    status,
  );
}

// Both axes with the middles of their tokens, and which tokens are noun and cue.
function sentenceView(maps, place, head) {
  const one = maps.sentences[place];
  const encoder = head.site === "encoder";
  const [noun, steps] = [new Set(one.noun), new Set(one.steps)];
  const cue = new Set(head.site === "decoder" ? [] : one.cue);
  const fed = new Set(one.steps.map((step) => step + 1));
  const [upper, lower] = AXES[head.site](one);
  const above = axisOf(upper, encoder ? noun : steps);
  const below = axisOf(lower, head.site === "decoder" ? fed : noun);
  const width = Math.max(above.width, below.width) + 16;
  for (const axis of [above, below]) {
    let from = (width - axis.width) / 2;
    axis.x = axis.sizes.map((size) => (from += size) - size / 2);
    axis.cue = axis === below || encoder ? cue : new Set();
  }
  return { above, below, width, cue, site: head.site, grid: weights(maps, place, head) };
}
function axisOf(tokens, noun) {
  const sizes = tokens.map((token) => Math.max(20, Array.from(piece(token)).length * 8.2 + 12));
  return { tokens, noun, sizes, width: sum(sizes) };
}

function arcPaths({ above, below, cue, grid }) {
  const found = [];
  for (let row = 0; row < grid.rows; row += 1) {
    for (let column = 0; column < grid.columns; column += 1) {
      const weight = grid.at(row, column);
      if (weight >= LEAST) found.push({ row, column, weight });
    }
  }
  found.sort((a, b) => a.weight - b.weight);
  const middle = (HIGH.upper + HIGH.lower) / 2;
  return found.slice(-MOST).map((arc) => {
    const [from, to] = [above.x[arc.row], below.x[arc.column]];
    const speaks = above.noun.has(arc.row);
    const end = isEnd(below.tokens[arc.column]) || isEnd(above.tokens[arc.row]);
    const kind = end ? "end" : speaks ? (cue.has(arc.column) ? "to-cue" : "from-noun") : "";
    const path = svg("path", {
      d: `M${from},${HIGH.upper + 8} C${from},${middle} ${to},${middle} ${to},${HIGH.lower - 16}`,
      "stroke-width": (0.6 + 5.4 * arc.weight).toFixed(2),
      "stroke-opacity": end ? 0.12 : ((speaks ? 0.45 : 0.1) + 0.5 * arc.weight).toFixed(2),
      class: `arc ${kind}`,
    });
    return { ...arc, path };
  });
}

function tokenNode(view, axis, at) {
  const { tokens, x, sizes, noun, cue } = view[axis];
  const top = axis === "above";
  const y = top ? HIGH.upper : HIGH.lower;
  const kinds = [noun.has(at) && "noun", cue.has(at) && "cue"].filter(Boolean);
  const told = kinds.join(", ");
  return svg(
    "g",
    {
      class: ["token", ...kinds].join(" "),
      tabindex: at ? -1 : 0,
      role: "img",
      "data-axis": axis,
      "data-at": at,
      "aria-label": piece(tokens[at]) + (told && ` (${told})`),
    },
    svg("rect", {
      x: x[at] - sizes[at] / 2 + 1,
      y: y - 15,
      width: sizes[at] - 2,
      height: 22,
      rx: 4,
    }),
    label(x[at], y + 1, piece(tokens[at])),
    told ? label(x[at], top ? y - 17 : y + 20, told, "middle", "kind") : null,
  );
}

// What the head does for the question: how much of the noun's attention goes to the cue.
function cueShare({ above, cue, grid, site }, { layer, head }) {
  const rows = [...above.noun].filter((row) => row < grid.rows);
  if (!rows.length || !cue.size) return `Head ${layer}.${head}.`;
  const share = sum(rows.map((row) => sum([...cue].map((c) => grid.at(row, c))))) / rows.length;
  const who = site === "encoder" ? "the noun" : "the step that emits the noun";
  return `Head ${layer}.${head}: ${who} gives the cue ${num(share, 2)} of its attention.`;
}

// Pointing at or focusing a token leaves only its arcs, and says the largest.
function isolate(drawn, paths, { above, below }, status, before) {
  const only = ({ axis, at }) => {
    const top = axis === "above";
    const own = paths.filter((arc) => (top ? arc.row : arc.column) === Number(at));
    for (const { path } of paths) path.classList.add("off");
    for (const { path } of own) path.classList.remove("off");
    const other = (arc) => piece(top ? below.tokens[arc.column] : above.tokens[arc.row]);
    const best = own.toReversed().slice(0, 4);
    const list = best.map((arc) => `${other(arc)} ${num(arc.weight)}`).join(", ") || "nothing much";
    const word = piece((top ? above : below).tokens[at]);
    status.textContent = `“${word}” ${top ? "looks at" : "is looked at by"} ${list}.`;
  };
  const every = () => {
    for (const { path } of paths) path.classList.remove("off");
    status.textContent = before;
  };
  const enter = (event) => {
    const token = event.target.closest(".token");
    if (token) only(token.dataset);
    else every();
  };
  drawn.addEventListener("pointerover", enter);
  drawn.addEventListener("focusin", enter);
  drawn.addEventListener("pointerleave", every);
  drawn.addEventListener("focusout", every);
}

// Arrow keys: along an axis, and from one to the other.
function walk(drawn, view) {
  rove(drawn, ".token", (node, key) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    const axis = { ArrowDown: "below", ArrowUp: "above" }[key] ?? node.dataset.axis;
    if (!step && axis === node.dataset.axis) return null;
    const last = view[axis].tokens.length - 1;
    const at = Math.min(Number(node.dataset.at) + (step ?? 0), last);
    return drawn.querySelector(`.token[data-axis="${axis}"][data-at="${at}"]`);
  });
}
