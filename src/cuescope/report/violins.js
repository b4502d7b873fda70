// Violins of he, she and they: density, median, mean with interval; dots where there are few.
const VERSIONS = ["he", "she", "they"];
const quantile = (sorted, share) => {
  const place = (sorted.length - 1) * share, low = Math.floor(place);
  return sorted[low] + ((sorted[low + 1] ?? sorted[low]) - sorted[low]) * (place - low);
};

// Density on a grid from 0 to `top`, reflected at 0 and at `wall`, where values cannot go beyond.
function density(values, top, wall) {
  const sorted = [...values].sort((a, b) => a - b), n = values.length, mean = values.reduce((a, b) => a + b, 0) / n;
  const spread = Math.sqrt(values.reduce((a, v) => a + (v - mean) ** 2, 0) / n), middle = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 1.34;
  const width = Math.max(0.9 * (middle > 0 ? Math.min(spread, middle) : spread) * n ** -0.2, top / 80);
  const bump = (d) => Math.exp(-0.5 * (d / width) ** 2);
  return Array.from({ length: 61 }, (_, at) => {
    const y = (top * at) / 60;
    return [y, values.reduce((sum, v) => sum + bump(y - v) + bump(y + v) + (wall === null ? 0 : bump(2 * wall - y - v)), 0) / n / width];
  });
}

function violins(mount) {
  const { measure } = mount.dataset, sets = DATA.uncertainty.sets, shares = measure === "shares";
  const found = shares ? null : DATA.uncertainty.measures[measure];
  const values = Object.fromEntries(VERSIONS.map((v) => [v, shares ? sets.filter((s) => s.shares[v]).map((s) => s.shares[v].feminine ?? 0) : found.entropy[v] ?? []]));
  const title = shares ? "Share of feminine samples, %" : `Entropy of every sentence (${measure.toUpperCase()})`;
  mount.append(h("h4", {}, title));
  const all = Object.values(values).flat();
  if (!all.length) { mount.append(h("p", { class: "note" }, "Nothing was sampled.")); return; }
  const most = extent(all)[1], top = shares ? Math.min(1, Math.max(0.1, 1.15 * most)) : Math.max(most * 1.05, 0.05), show = shares ? percent : (v) => num(v, 2);
  const box = { width: room(mount), height: 300, left: 48, top: 12, bottom: 34 }, down = box.height - box.bottom;
  const y = (v) => down - (v / top) * (down - box.top), column = (box.width - box.left - 8) / 3;
  const drawn = svg("svg", { viewBox: `0 0 ${box.width} ${box.height}`, class: "chart", role: "group", "aria-label": title });
  for (const v of ticks(0, top).found) {
    drawn.append(svg("line", { x1: box.left, y1: y(v), x2: box.width - 8, y2: y(v), class: v ? "guide" : "zero" }));
    drawn.append(svg("text", { x: box.left - 8, y: y(v) + 4, "text-anchor": "end" }, shares ? (100 * v).toFixed(0) : num(v, top < 0.5 ? 2 : 1)));
  }
  const shapes = VERSIONS.filter((v) => values[v].length).map((v) => [v, density(values[v], top, shares ? 1 : null), extent(values[v])]);
  VERSIONS.forEach((version, at) => {
    const middle = box.left + column * (at + 0.5), own = values[version];
    drawn.append(svg("text", { x: middle, y: box.height - 10, "text-anchor": "middle", class: "name" }, version));
    if (!own.length) return;
    const [, shape, [low, high]] = shapes.find(([name]) => name === version);
    const group = svg("g", { class: `violin ${version}` }), equal = high - low < 1e-9;
    if (own.length >= 8 && !equal) {
      const widest = Math.max(...shape.map(([, d]) => d)), half = column * 0.42;
      const kept = shape.filter(([v]) => v >= low - top / 50 && v <= high + top / 50);
      const side = (sign) => kept.map(([v, d]) => `${middle + (sign * half * d) / widest},${y(v)}`);
      group.append(svg("polygon", { points: [...side(-1), ...side(1).reverse()].join(" "), class: "body" }));
    }
    if (own.length <= 80) own.forEach((v, place) => {
      const aside = ((place * 0.618034) % 1 - 0.5) * column * (equal || own.length < 8 ? 0.5 : 0.16);
      group.append(svg("circle", { cx: middle + aside, cy: y(v), r: 2.6, class: "sample", "data-place": place, "data-version": version }));
    });
    const sorted = [...own].sort((a, b) => a - b), half = quantile(sorted, 0.5), mean = own.reduce((a, b) => a + b, 0) / own.length;
    group.append(svg("line", { x1: middle - column * 0.16, x2: middle + column * 0.16, y1: y(half), y2: y(half), class: "median" }));
    const interval = shares ? DATA.uncertainty.feminine[version] : found.values[`H ${version}`];
    const aside = middle + column * 0.32;
    if (interval?.low !== undefined && interval?.low !== null) group.append(svg("line", { x1: aside, x2: aside, y1: y(interval.low), y2: y(interval.high), class: "interval" }));
    group.append(svg("circle", { cx: aside, cy: y(interval?.value ?? mean), r: 4, class: "mean" }));
    const bounds = interval?.low === undefined || interval?.low === null ? "" : ` [${show(interval.low)}, ${show(interval.high)}]`;
    group.append(svg("rect", { x: middle - column / 2, y: box.top, width: column, height: down - box.top, class: "catch", tabindex: 0, role: "img",
      "aria-label": `${version}: mean ${show(interval?.value ?? mean)}${bounds}, median ${show(half)}, n = ${own.length}${equal ? ", all equal" : ""}` }));
    group.append(...group.querySelectorAll("circle.sample"));  // above the catching area
    drawn.append(group);
  });
  tips(drawn, ".catch, .sample", (node) => {
    if (node.classList.contains("catch")) return node.getAttribute("aria-label").split(/: |, /);
    const { place, version } = node.dataset, one = sets[place];
    const shown = Array.from(one?.texts[version] ?? "");
    return [`${version}: ${show(values[version][place])}`, shown.length > 120 ? `${shown.slice(0, 120).join("")}…` : shown.join("")];
  });
  mount.append(drawn, h("p", { class: "note" }, "Bar: median. Ringed dot: mean with its 95 % interval. Small dots: sentences."));
}
