// How few heads carry most of the gap: taken one by one, a bar for what all so far restore.
function steps(mount) {
  const { site } = mount.dataset;
  const { chosen_on, judged_on, steps: chosen } = siteOf(mount.dataset).together;
  const taken = chosen.map((one) => ({ ...one, restored: one.restored.value ?? 0 }));
  const box = { width: room(mount), row: 30, left: 52, right: 64 };
  const most = Math.max(1, ...taken.map((t) => t.restored));
  const x = (v) => box.left + (Math.max(0, v) / most) * (box.width - box.left - box.right);
  const down = taken.length * box.row;
  const drawn = chart(box.width, down + 26, `${taken.length} ${SITES[site]} heads, one by one`);
  drawn.append(rule(x(1), 0, x(1), down, "limit"), label(x(1), down + 18, "the whole gap"));
  const rows = taken.map((one, at) => step(site, one, at, at ? taken[at - 1].restored : 0, x, box));
  drawn.append(...rows);
  rove(drawn, "g.step", (node, key) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[key];
    return by ? rows[rows.indexOf(node) + by] : null;
  });
  tips(drawn, "g.step", (node) => [node.getAttribute("aria-label")]);
  headsOf(drawn);
  const note =
    "Heads taken one by one, each the one that restores most with those before it: chosen on " +
    `${count(chosen_on, "pair")}, shown for ${judged_on.toLocaleString("en-GB")} of other nouns.`;
  mount.append(drawn, h("p", { class: "note" }, note));
}

function step(site, { layer, head, restored }, at, before, x, box) {
  const top = at * box.row + 6;
  const middle = top + box.row / 2 - 2;
  const bar = (from, to, kind) =>
    svg("rect", {
      x: from,
      y: top,
      width: Math.max(0, to - from),
      height: box.row - 12,
      class: kind,
    });
  const [low, high] = extent([x(before), x(restored)]);
  return svg(
    "g",
    {
      "data-head": keyOf(site, layer, head),
      class: "step",
      tabindex: at ? -1 : 0,
      role: "img",
      "aria-label": `with ${layer}.${head}, ${count(at + 1, "head")} restore ${percent(restored)}`,
    },
    bar(box.left, x(before), "before"),
    bar(low, Math.max(high, low + 1.5), "added"),
    label(box.left - 10, middle, `${at ? "+ " : ""}${layer}.${head}`, "end", "name"),
    label(high + 6, middle, percent(restored), "start"),
  );
}
