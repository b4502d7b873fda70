// Violins of he, she and they: density, median, mean with interval; dots where there are few, or
// where half of the values are one (a density would smear a heap of zeros into a shape).
const VERSIONS = ["he", "she", "they"];
const FEW = 8; // fewer values have no density worth drawing
const DOTS = 80; // more would hide each other
const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
const quantile = (sorted, share) => {
  const place = (sorted.length - 1) * share;
  const low = Math.floor(place);
  return sorted[low] + ((sorted[low + 1] ?? sorted[low]) - sorted[low]) * (place - low);
};

const commonest = (values) => {
  const counts = new Map();
  for (const v of values) counts.set(v.toFixed(6), (counts.get(v.toFixed(6)) ?? 0) + 1);
  return Math.max(...counts.values());
};
const heaped = (values) => commonest(values) >= values.length / 2;

function violins(mount) {
  const data = drawnValues(mount.dataset.measure);
  mount.append(h("h4", {}, data.title));
  const all = VERSIONS.flatMap((version) => data.values[version]);
  if (!all.length) {
    mount.append(h("p", { class: "note" }, "Nothing was sampled."));
    return;
  }
  const most = extent(all)[1];
  const top = data.shares ? Math.min(1, Math.max(0.1, 1.15 * most)) : Math.max(1.05 * most, 0.05);
  const box = { width: room(mount), height: 300, left: 48, right: 8, top: 12, bottom: 34 };
  const down = box.height - box.bottom;
  const y = (v) => down - (v / top) * (down - box.top);
  const up = ticks(0, top);
  const drawn = chart(box.width, box.height, data.title);
  const show = (v) => (data.shares ? (100 * v).toFixed(0) : num(v, up.digits));
  axes(drawn, box, { y, up, show });
  const column = (box.width - box.left - box.right) / VERSIONS.length;
  VERSIONS.forEach((version, at) => {
    const middle = box.left + column * (at + 0.5);
    drawn.append(label(middle, box.height - 10, version, "middle", "name"));
    if (data.values[version].length) {
      drawn.append(
        violin(data, version, { middle, column, top, y, ceiling: box.top, floor: down }),
      );
    }
  });
  tips(drawn, ".catch, .sample", (node) => violinTold(data, node));
  const dots = VERSIONS.some((v) => data.values[v].length > DOTS && heaped(data.values[v]));
  const heap = dots ? " Dots at one height lie side by side: many sentences have that value." : "";
  const note = `Bar: median. Ringed dot: mean with its 95 % interval. Small dots: sentences.${heap}`;
  mount.append(drawn, h("p", { class: "note" }, note));
}

// The values of a measure by version: entropies, or the share of feminine samples.
function drawnValues(measure) {
  const { sets, measures, feminine } = DATA.uncertainty;
  const shares = measure === "shares";
  const of = (version) =>
    shares
      ? sets.filter((one) => one.shares[version]).map((one) => one.shares[version].feminine ?? 0)
      : (measures[measure].entropy[version] ?? []);
  return {
    shares,
    title: shares
      ? "Share of feminine samples, %"
      : `Entropy of every sentence (${measure.toUpperCase()})`,
    values: Object.fromEntries(VERSIONS.map((version) => [version, of(version)])),
    means: (version) => (shares ? feminine[version] : measures[measure].values[`H ${version}`]),
    show: shares ? percent : (v) => num(v, 2),
  };
}

// Density at 61 places from 0 to `top`, reflected at 0 and at `wall`: no value lies beyond them.
function density(values, top, wall) {
  const sorted = [...values].sort((a, b) => a - b);
  const centre = mean(values);
  const spread = Math.sqrt(mean(values.map((v) => (v - centre) ** 2)));
  const middle = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 1.34;
  const least = middle > 0 ? Math.min(spread, middle) : spread;
  const width = Math.max(0.9 * least * values.length ** -0.2, top / 80); // Silverman's rule
  const bump = (d) => Math.exp(-0.5 * (d / width) ** 2);
  const beyond = (y, v) => bump(y + v) + (wall === null ? 0 : bump(2 * wall - y - v));
  return Array.from({ length: 61 }, (_, at) => {
    const y = (top * at) / 60;
    return [y, mean(values.map((v) => bump(y - v) + beyond(y, v)))];
  });
}

function violin(data, version, place) {
  const { middle, column, y } = place;
  const own = data.values[version];
  const median = quantile(
    [...own].sort((a, b) => a - b),
    0.5,
  );
  const [low, high] = extent(own);
  const spread = own.length >= FEW && high - low > 1e-9 && !heaped(own);
  const known = data.means(version);
  const centre = known?.value ?? mean(own);
  const bounded = typeof known?.low === "number";
  const aside = middle + column * 0.32;
  const bounds = bounded ? ` [${data.show(known.low)}, ${data.show(known.high)}]` : "";
  const told = [
    `mean ${data.show(centre)}${bounds}`,
    `median ${data.show(median)}`,
    `n = ${own.length}`,
  ];
  if (high - low <= 1e-9) told.push("all equal");
  else if (heaped(own)) told.push(`${commonest(own)} of one value`);
  return svg(
    "g",
    { class: `violin ${version}` },
    spread ? outline(data, own, place) : null,
    rule(middle - column * 0.16, y(median), middle + column * 0.16, y(median), "median"),
    bounded ? rule(aside, y(known.low), aside, y(known.high), "interval") : null,
    svg("circle", { cx: aside, cy: y(centre), r: 4, class: "mean" }),
    svg("rect", {
      x: middle - column / 2,
      y: place.ceiling,
      width: column,
      height: place.floor - place.ceiling,
      class: "catch",
      tabindex: 0,
      role: "img",
      "aria-label": `${version}: ${told.join(", ")}`,
    }),
    spread && own.length > DOTS ? null : samples(own, version, place, spread ? 0.16 : 0.6),
  );
}

function outline(data, own, { middle, column, top, y }) {
  const [low, high] = extent(own);
  const shape = density(own, top, data.shares ? 1 : null);
  const widest = Math.max(...shape.map(([, d]) => d));
  const kept = shape.filter(([v]) => v >= low - top / 50 && v <= high + top / 50);
  const side = (sign) =>
    kept.map(([v, d]) => `${middle + (sign * column * 0.42 * d) / widest},${y(v)}`);
  return svg("polygon", { points: [...side(-1), ...side(1).reverse()].join(" "), class: "body" });
}

// Every sentence a dot: those at about one height side by side, as wide as they are many.
function samples(own, version, { middle, column, y }, width) {
  const rows = new Map();
  own.forEach((v, at) => {
    const row = Math.round(y(v) / 5);
    rows.set(row, [...(rows.get(row) ?? []), at]);
  });
  return [...rows.values()].flatMap((places) => {
    const step = Math.min(5.4, (column * width) / places.length);
    return places.map((at, nth) => {
      const aside = (nth - (places.length - 1) / 2) * step;
      const facts = { class: "sample", "data-place": at, "data-version": version };
      return svg("circle", { cx: middle + aside, cy: y(own[at]), r: 2.3, ...facts });
    });
  });
}

function violinTold(data, node) {
  if (node.classList.contains("catch")) return node.getAttribute("aria-label").split(/: |, (?!\d)/);
  const { place, version } = node.dataset;
  const value = data.show(data.values[version][place]);
  return [`${version}: ${value}`, brief(DATA.uncertainty.sets[place]?.texts[version] ?? "", 120)];
}
