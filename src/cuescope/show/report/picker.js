// The head whose attention is shown: chosen here, or in any figure of the page.
function attentionView(maps, pair) {
  const { heads, sentences } = maps;
  const kept = (site) => heads[site].length && pair.map.every((place) => sentences[place][site]);
  const sites = Object.keys(heads).filter(kept);
  if (!sites.length) return h("p", { class: "note" }, "No attention was kept.");
  const figures = h("div", { class: "arc-figures" });
  const select = h("select", { "aria-label": "Head" }, sites.map((site) => headOptions(maps, site)));
  const draw = () => {
    const head = fromKey(select.value);
    figures.replaceChildren(...pair.twins.map((twin, at) => arcs(maps, pair.map[at], twin, head)));
  };
  const take = (key) => {
    if (key && hasMap(maps, key) && sites.includes(fromKey(key).site)) select.value = key;
  };
  const view = h(
    "div",
    { class: "attention" },
    h(
      "div",
      { class: "controls" },
      h("h4", {}, "Attention of one head"),
      h("label", { class: "no-print" }, "Head ", select),
    ),
    h(
      "p",
      { class: "note" },
      `Above: who looks; below: what is looked at. Wider is more; under ${LEAST} nothing is drawn. `,
      "Point at a word, or go along with the arrow keys, to see its arcs alone.",
    ),
    figures,
  );
  const follow = (event) => {
    if (!view.isConnected) {
      document.removeEventListener("head", follow); // the pair was closed
      return;
    }
    take(event.detail);
    draw();
  };
  document.addEventListener("head", follow);
  select.addEventListener("change", () => choose(select.value));
  take(chosen.key);
  draw();
  return view;
}

const headOptions = (maps, site) =>
  h(
    "optgroup",
    { label: SITES[site] },
    maps.heads[site].map(([layer, head]) => {
      const told = Object.entries(DATA.heads)
        .map(([story, sites]) => [story, sites[site]?.effect?.all.scores[layer][head] ?? null])
        .filter(([, effect]) => effect !== null)
        .map(([story, effect], at) => `${at ? "," : ":"} effect ${percent(effect)}, ${story}`)
        .join("");
      const key = keyOf(site, layer, head);
      return h("option", { value: key }, headName(key) + told);
    }),
  );
