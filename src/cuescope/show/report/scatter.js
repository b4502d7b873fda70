// Attention against effect: every head a dot.
function scatter(mount) {
  const { story, site } = mount.dataset;
  const found = siteOf(mount.dataset);
  const heads = bothMeasures(found);
  if (!heads.length) {
    mount.append(h("p", { class: "note" }, "No head has both values."));
    return;
  }
  const box = { width: room(mount), height: 330, left: 52, right: 16, top: 14, bottom: 44 };
  const threshold = found.attention.all.threshold;
  const at = places(heads, threshold ?? 0, box);
  const name = `attention against effect of ${heads.length} ${SITES[site]} heads, ${STORIES[story]}`;
  const drawn = chart(box.width, box.height, name);
  frame(drawn, box, at, threshold);
  drawn.append(...headDots(drawn, site, heads, at), ...headNames(heads, at, box));
  tips(drawn, "circle", (node) => bothTold(mount.dataset, fromKey(node.dataset.head)));
  headsOf(drawn);
  mount.append(drawn, h("p", { class: "note" }, rankSaid(found.agreements)));
}

// The heads that have both values, the largest effect first.
function bothMeasures(site) {
  const { attention, effect } = site;
  const found = [];
  effect.all.scores.forEach((row, layer) =>
    row.forEach((y, head) => {
      const x = attention.all.scores[layer][head];
      if (x === null || y === null) return;
      found.push({ x, y, layer, head, carries: carries(site, layer, head) });
    }),
  );
  return found.sort((a, b) => b.y - a.y);
}

// Where a value stands; 0 is always in sight.
function places(heads, threshold, box) {
  const right = 1.06 * extent([threshold, ...heads.map((d) => d.x)])[1] || 1;
  const [under, over] = extent([0, 0.06, ...heads.map((d) => d.y)]);
  const pad = 0.06 * (over - under);
  const [bottom, top] = [under - pad, over + pad];
  const wide = box.width - box.left - box.right;
  const high = box.height - box.top - box.bottom;
  return {
    x: (v) => box.left + (v / right) * wide,
    y: (v) => box.height - box.bottom - ((v - bottom) / (top - bottom)) * high,
    along: ticks(0, right),
    up: ticks(bottom, top),
    show: (v) => minus((100 * v).toFixed(top - bottom < 0.06 ? 1 : 0)),
  };
}

function frame(drawn, box, at, threshold) {
  const end = box.width - box.right;
  const down = box.height - box.bottom;
  const middle = (box.top + down) / 2;
  axes(drawn, box, at);
  if (threshold !== null) {
    drawn.append(rule(at.x(threshold), box.top, at.x(threshold), down, "limit"));
    const late = at.x(threshold) > box.width - 100; // no room at its right
    const beside = at.x(threshold) + (late ? -4 : 4);
    drawn.append(label(beside, box.top + 9, "uniform share", late ? "end" : "start", "hint"));
  }
  drawn.append(label((box.left + end) / 2, box.height - 6, "attention to the cue"));
  const side = label(14, middle, "effect, % of the gap");
  side.setAttribute("transform", `rotate(-90 14 ${middle})`);
  drawn.append(side);
}

function headDots(drawn, site, heads, at) {
  const dots = heads.map((d, place) =>
    svg("circle", {
      cx: at.x(d.x),
      cy: at.y(d.y),
      r: d.carries ? 6 : 4.5,
      class: d.carries ? "dot-head carries" : "dot-head",
      tabindex: place ? -1 : 0,
      role: "img",
      "data-head": keyOf(site, d.layer, d.head),
      "aria-label": `head ${d.layer}.${d.head}: attention ${num(d.x, 3)}, effect ${percent(d.y)}`,
    }),
  );
  rove(drawn, "circle", (node, key) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
    return step ? dots[(dots.indexOf(node) + step + dots.length) % dots.length] : null;
  });
  return dots.toReversed(); // the strongest on top
}

const headNames = (heads, at, box) =>
  heads
    .filter((d) => d.carries)
    .slice(0, 6)
    .map((d) => {
      const end = at.x(d.x) > box.width - box.right - 40;
      const name = `${d.layer}.${d.head}`;
      return label(
        at.x(d.x) + (end ? -10 : 10),
        at.y(d.y) + 4,
        name,
        end ? "end" : "start",
        "name",
      );
    });

function bothTold(place, { layer, head }) {
  const { attention, effect } = siteOf(place);
  return [
    `${SITES[place.site]} ${layer}.${head}, ${STORIES[place.story]}`,
    `attention ${told(attention.all, layer, head, false)}`,
    `effect ${told(effect.all, layer, head, true)}`,
  ];
}

// Of the attention that the figure shows: where the gender is chosen, in cross-attention.
function rankSaid(agreements) {
  const found = agreements.find(
    ({ names, at }) => names.includes("attention") && names.includes("effect") && at !== "noun",
  );
  if (typeof found?.rho !== "number") return "The rank correlation was not measured.";
  const bounds = found.low === null ? "" : ` [${num(found.low)}, ${num(found.high)}]`;
  const over = `over ${count(found.heads, "head")} (n = ${found.n.toLocaleString("en-GB")})`;
  return `ρ = ${num(found.rho)}${bounds} ${over}. Filled: the heads that carry the cue.`;
}
