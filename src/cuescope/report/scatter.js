// Attention against effect: every head a dot. Beside it, how few heads carry most of the gap.
function ticks(low, high, most = 6) {
  const rough = (high - low || 1) / most, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => s >= rough);
  const found = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + 1e-9; at += 1) found.push(at * step);
  return { found, step };
}

const room = (mount) => Math.min(480, mount.clientWidth || 480);  // so that text keeps its size

function scatter(mount) {
  const { site } = mount.dataset, { attention, effect, agreements } = DATA.sites[site];
  const heads = [];
  effect.all.scores.forEach((row, layer) => row.forEach((y, head) => {
    const x = attention.all.scores[layer][head];
    if (x !== null && y !== null) heads.push({ x, y, layer, head, carries: carries(effect.all, layer, head) });
  }));
  if (!heads.length) { mount.append(h("p", { class: "note" }, "No head has both values.")); return; }
  heads.sort((a, b) => b.y - a.y);
  const box = { width: room(mount), height: 330, left: 52, right: 16, top: 14, bottom: 44 };
  const [, right] = extent([...heads.map((d) => d.x), attention.all.threshold ?? 0]), [under, over] = extent(heads.map((d) => d.y));
  const pad = 0.06 * (Math.max(over, 0.06) - Math.min(under, 0)), bottom = Math.min(under, 0) - pad, top = Math.max(over, 0.06) + pad;
  const x = (v) => box.left + (v / (right * 1.06)) * (box.width - box.left - box.right);
  const y = (v) => box.height - box.bottom - ((v - bottom) / (top - bottom)) * (box.height - box.top - box.bottom);
  const drawn = svg("svg", { viewBox: `0 0 ${box.width} ${box.height}`, class: "chart", role: "group", "aria-label": `attention against effect of ${heads.length} ${SITES[site]} heads` });
  const line = (a, b, c, d, kind) => svg("line", { x1: a, y1: b, x2: c, y2: d, class: kind });
  const across = box.width - box.right, down = box.height - box.bottom;
  const along = ticks(0, right * 1.06), up = ticks(bottom, top), digits = Math.max(0, Math.ceil(-Math.log10(along.step) - 1e-9)) + (/25$/.test(along.step.toPrecision(2)) ? 1 : 0);
  for (const v of along.found) drawn.append(svg("text", { x: x(v), y: down + 18, "text-anchor": "middle" }, num(v, digits)));
  for (const v of up.found) {
    drawn.append(line(box.left, y(v), across, y(v), Math.abs(v) < 1e-9 ? "zero" : "guide"));
    drawn.append(svg("text", { x: box.left - 8, y: y(v) + 4, "text-anchor": "end" }, minus((100 * v).toFixed(up.step < 0.01 ? 1 : 0))));
  }
  if (attention.all.threshold !== null) {
    drawn.append(line(x(attention.all.threshold), box.top, x(attention.all.threshold), down, "limit"));
    drawn.append(svg("text", { x: x(attention.all.threshold) + 4, y: box.top + 9, class: "hint" }, "uniform share"));
  }
  drawn.append(line(box.left, y(0.05), across, y(0.05), "limit"));
  drawn.append(svg("text", { x: across, y: y(0.05) - 4, "text-anchor": "end", class: "hint" }, "5 %"));
  drawn.append(svg("text", { x: (box.left + across) / 2, y: box.height - 6, "text-anchor": "middle" }, "attention to the cue"));
  drawn.append(svg("text", { x: 14, y: (box.top + down) / 2, transform: `rotate(-90 14 ${(box.top + down) / 2})`, "text-anchor": "middle" }, "effect, % of the gap"));
  const dots = heads.map((d, at) => svg("circle", {
    cx: x(d.x), cy: y(d.y), r: d.carries ? 6 : 4.5, class: d.carries ? "dot-head carries" : "dot-head", tabindex: at ? -1 : 0, role: "img",
    "data-head": keyOf(site, d.layer, d.head), "aria-label": `head ${d.layer}.${d.head}: attention ${num(d.x, 3)}, effect ${percent(d.y)}`,
  }));
  drawn.append(...dots.slice().reverse());
  heads.slice(0, 6).filter((d) => d.carries).forEach((d) => {
    const end = x(d.x) > across - 40;
    drawn.append(svg("text", { x: x(d.x) + (end ? -10 : 10), y: y(d.y) + 4, class: "name", "text-anchor": end ? "end" : "start" }, `${d.layer}.${d.head}`));
  });
  rove(drawn, "circle", (node, key) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
    return step ? dots[(dots.indexOf(node) + step + dots.length) % dots.length] : null;
  });
  tips(drawn, "circle", (node) => {
    const { layer, head } = fromKey(node.dataset.head);
    return [`${SITES[site]} ${layer}.${head}`, `attention ${told(attention.all, layer, head, false)}`, `effect ${told(effect.all, layer, head, true)}`];
  });
  headsOf(drawn);
  const rho = agreements.find((a) => a.names.includes("attention") && a.names.includes("effect"));
  mount.append(drawn, h("p", { class: "note" }, rho?.rho === undefined || rho?.rho === null ? "The rank correlation was not measured."
    : `ρ = ${num(rho.rho)}${rho.low === null ? "" : ` [${num(rho.low)}, ${num(rho.high)}]`} over ${count(rho.n, "head")}. Filled: the heads that carry the cue.`));
}

function steps(mount) {
  const { site } = mount.dataset, taken = DATA.sites[site].together;
  const width = room(mount), row = 30, left = 52, right = 64, most = Math.max(1, ...taken.map((t) => t.restored));
  const x = (v) => left + (Math.max(0, v) / most) * (width - left - right);
  const drawn = svg("svg", { viewBox: `0 0 ${width} ${taken.length * row + 26}`, class: "chart", role: "group", "aria-label": `${taken.length} ${SITES[site]} heads, taken one by one` });
  drawn.append(svg("line", { x1: x(1), y1: 0, x2: x(1), y2: taken.length * row, class: "limit" }));
  drawn.append(svg("text", { x: x(1), y: taken.length * row + 18, "text-anchor": "middle" }, "the whole gap"));
  const rows = taken.map((t, at) => {
    const before = at ? taken[at - 1].restored : 0, top = at * row;
    return svg("g", { "data-head": keyOf(site, t.layer, t.head), class: "step", tabindex: at ? -1 : 0, role: "img", "aria-label": `with ${t.layer}.${t.head}, ${at + 1} heads restore ${percent(t.restored)}` },
      svg("rect", { x: left, y: top + 6, width: Math.max(0, x(before) - left), height: row - 12, class: "before" }),
      svg("rect", { x: Math.min(x(before), x(t.restored)), y: top + 6, width: Math.max(1.5, Math.abs(x(t.restored) - x(before))), height: row - 12, class: "added" }),
      svg("text", { x: left - 10, y: top + row / 2 + 4, "text-anchor": "end", class: "name" }, `${at ? "+ " : ""}${t.layer}.${t.head}`),
      svg("text", { x: Math.max(x(before), x(t.restored)) + 6, y: top + row / 2 + 4 }, percent(t.restored)));
  });
  drawn.append(...rows);
  rove(drawn, "g.step", (node, key) => rows[rows.indexOf(node) + ({ ArrowDown: 1, ArrowUp: -1 }[key] ?? NaN)] || null);
  tips(drawn, "g.step", (node) => [node.getAttribute("aria-label")]);
  headsOf(drawn);
  mount.append(drawn, h("p", { class: "note" }, "Heads taken one by one, each the one that restores most with those before it."));
}
