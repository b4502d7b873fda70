// The head that the reader chose, and what points at the same head elsewhere.
const SITES = { encoder: "encoder", cross: "cross-attention", decoder: "decoder self-attention" };
const ORDERS = { "cue after": "cue after the noun", "cue before": "cue before the noun" };
const STORIES = {
  ...ORDERS,
  "cue after, own words": "cue after the noun, translations parted",
  "cue before, own words": "cue before the noun, translations parted",
};
// The heads of one site, in the story that a figure is of.
const siteOf = ({ story, site }) => DATA.heads[story][site];
const UNITS = { item: "sentences", pair: "pairs" };
const keyOf = (site, layer, head) => `${site}:${layer}:${head}`;
const fromKey = (key) => {
  const [site, layer, head] = key.split(":");
  return { site, layer: +layer, head: +head };
};
const headName = (key) => {
  const { site, layer, head } = fromKey(key);
  return `${SITES[site]} ${layer}.${head}`;
};
const hasMap = (maps, key) => {
  const { site, layer, head } = fromKey(key);
  return Boolean(maps?.heads[site]?.some(([a, b]) => a === layer && b === head));
};

const chosen = { key: null };
function choose(key) {
  chosen.key = key;
  mark("chosen", key);
  const chip = document.getElementById("chosen");
  const known = hasMap(DATA.maps, key);
  chip.hidden = false;
  chip.textContent = known
    ? `${headName(key)}: see its attention ↓`
    : `${headName(key)}: its attention is not in this file`;
  say(chip.textContent);
  setHash(`head-${key.replace(":", "-").replace(":", ".")}`);
  document.dispatchEvent(new CustomEvent("head", { detail: key }));
}
function mark(name, key) {
  for (const node of document.querySelectorAll(`[data-head].${name}`)) node.classList.remove(name);
  if (key)
    for (const node of document.querySelectorAll(`[data-head="${key}"]`)) node.classList.add(name);
}
function setHash(hash) {
  try {
    history.replaceState(null, "", `#${hash}`);
  } catch {
    /* some viewers forbid it */
  }
}

addEventListener("keydown", (event) => {
  if (event.key === "Escape") document.getElementById("chosen").hidden = true;
});

// A head in any figure: pointing links it with the same head in the others, choosing selects it.
function headsOf(root) {
  const on = (kind, act) =>
    root.addEventListener(kind, (event) => {
      const node = event.target.closest("[data-head]");
      if (node) act(node.dataset.head, event);
    });
  for (const kind of ["pointerover", "focusin"]) on(kind, (key) => mark("linked", key));
  for (const kind of ["pointerleave", "focusout"]) {
    root.addEventListener(kind, () => mark("linked", null));
  }
  on("click", (key) => choose(key));
  on("keydown", (key, event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    choose(key);
  });
}

// What a grid says of a head, as text.
function told(grid, layer, head, share) {
  const at = (part) => grid[part][layer][head];
  const show = share ? percent : (value) => num(value, 3);
  if (at("scores") === null) return "no value";
  const bounds = at("low") === null ? "" : ` [${show(at("low"))}, ${show(at("high"))}]`;
  if (grid.title) return show(at("scores")); // of one sentence
  return `${show(at("scores"))}${bounds} (n = ${grid.n.toLocaleString("en-GB")} ${UNITS[grid.unit]})`;
}
const carries = (found, layer, head) => found.carrying[`${layer}.${head}`] === "carries";
