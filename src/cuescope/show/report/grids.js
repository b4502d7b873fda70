// Head grids: layers down, heads across; all, masculine and feminine on one colour scale.
const PANELS = {
  attention: { all: "all sentences", male: "masculine cue", female: "feminine cue" },
  effect: { all: "both directions", male: "into the masculine", female: "into the feminine" },
};
PANELS.attribution = PANELS.effect;
PANELS.attention_at_noun = PANELS.attention;
const MEASURES = {
  attention: "attention",
  attention_at_noun: "attention, noun",
  effect: "effect",
  attribution: "attribution",
};
const isShare = (measure) => !measure.startsWith("attention");

function grids(mount) {
  const { measure } = mount.dataset;
  const found = siteOf(mount.dataset)[measure];
  const share = isShare(measure);
  const values = Object.values(found)
    .flatMap((grid) => grid.scores.flat())
    .filter((v) => v !== null);
  if (!values.length) {
    mount.append(h("p", { class: "note" }, "No pair could be used: there is nothing to show."));
    return;
  }
  const scale = scaleOf(values, share ? 0.1 : 2 * (found.all?.threshold ?? 0));
  const panels = ["all", "male", "female"]
    .filter((who) => found[who])
    .map((who) => panel(mount.dataset, who, found[who], scale));
  mount.append(
    h("div", { class: "panels" }, panels),
    bar(scale, share, found.all?.threshold ?? null, measure),
  );
  tips(mount, "td[data-head]", (cell) => gridTold(mount.dataset, cell.dataset));
  headsOf(mount);
}

function panel(place, who, grid, scale) {
  const { site, measure } = place;
  const columns = grid.scores[0].length;
  const across = Array.from({ length: columns }, (_, n) => h("th", { scope: "col" }, String(n)));
  const row = (values, layer) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, String(layer)),
      values.map((_, head) => headCell(place, who, { grid, scale, layer, head })),
    );
  const table = h(
    "table",
    {
      role: "grid",
      class: columns > 12 ? "heads small" : "heads",
      "aria-label": `${MEASURES[measure]} of the ${SITES[site]} heads, ${panelName(place, who, grid)}`,
    },
    h("thead", {}, h("tr", {}, h("td", {}), across)),
    h("tbody", {}, grid.scores.map(row)),
  );
  walkGrid(table, grid.scores.length, columns);
  const n = grid.title ? "" : ` n = ${grid.n.toLocaleString("en-GB")} ${UNITS[grid.unit]}`;
  const name = grid.title ?? PANELS[measure][who];
  const title = h("h6", { class: "panel-title" }, name, h("small", {}, n));
  return h("div", { class: "panel" }, title, h("div", { class: "scroll" }, table));
}

// A grid of one sentence has a title of its own.
const panelName = ({ story, measure }, who, { title }) =>
  title ?? `${STORIES[story]}, ${PANELS[measure][who]}`;

// A dot: above the uniform share. A number: this head carries the cue.
function headCell(place, who, { grid, scale, layer, head }) {
  const value = grid.scores[layer][head];
  const share = isShare(place.measure);
  const cell = h("td", {
    role: "gridcell",
    tabindex: layer + head ? -1 : 0,
    "data-head": keyOf(place.site, layer, head),
    "data-who": who,
    "aria-label": `layer ${layer}, head ${head}: ${told(grid, layer, head, share)}`,
  });
  if (value === null) {
    cell.classList.add("empty");
    return cell;
  }
  scale.paint(cell, value);
  if (share && carries(siteOf(place), layer, head)) cell.append((100 * value).toFixed(0));
  if (grid.threshold !== null && value > grid.threshold) cell.append(h("span", { class: "dot" }));
  return cell;
}

function walkGrid(table, rows, columns) {
  const moves = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    Home: [0, -columns],
    End: [0, columns],
  };
  const clamp = (value, most) => Math.min(Math.max(value, 0), most - 1);
  rove(table, "td[data-head]", (node, key) => {
    if (!moves[key]) return null;
    const { layer, head } = fromKey(node.dataset.head);
    const row = table.tBodies[0].rows[clamp(layer + moves[key][0], rows)];
    return row.cells[clamp(head + moves[key][1], columns) + 1];
  });
}

function bar(scale, share, threshold, measure) {
  const strip = h("div", { class: "strip" });
  scale.bar(strip);
  const show = share ? percent : (v) => num(v, 2);
  const ends = h(
    "div",
    { class: "ends" },
    h("span", {}, show(scale.low)),
    scale.low < 0 ? h("span", {}, "0") : null,
    h("span", {}, show(scale.high)),
  );
  const parts = [
    h("span", { class: "bar-name" }, MEASURES[measure]),
    h("div", { class: "bar-box" }, strip, ends),
  ];
  if (threshold !== null) {
    const tick = h("span", { class: "tick" });
    tick.style.left = `${100 * Math.min(1, scale.share(threshold))}%`;
    strip.append(tick);
    parts.push(
      h(
        "span",
        { class: "bar-note" },
        h("span", { class: "dot sample" }),
        `above the uniform share, ${num(threshold, 3)}`,
      ),
    );
  }
  return h("div", { class: "bar" }, parts);
}

function gridTold(place, { head: key, who }) {
  const { site, measure } = place;
  const { layer, head } = fromKey(key);
  const found = siteOf(place);
  const said = [`${SITES[site]} ${layer}.${head}, ${panelName(place, who, found[measure][who])}`];
  said.push(`${MEASURES[measure]} ${told(found[measure][who], layer, head, isShare(measure))}`);
  for (const other of Object.keys(MEASURES)) {
    if (other === measure || !found[other]?.[who]) continue;
    const value = found[other][who].scores[layer][head];
    said.push(`${MEASURES[other]} ${isShare(other) ? percent(value) : num(value, 3)}`);
  }
  return said;
}
