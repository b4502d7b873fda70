// One sentence with all its heads: a grid a site of what the noun gives the cue, and the arcs.
function sentenceFigures(data) {
  DATA.heads = data.heads;
  DATA.maps = data.maps;
  const grid = (story, site) => {
    const mount = h("div", {
      class: "grids",
      "data-story": story,
      "data-site": site,
      "data-measure": "attention",
    });
    grids(mount);
    return h("figure", { class: "keep" }, h("h4", {}, `${SITES[site]} heads`), mount);
  };
  const found = Object.entries(data.heads).flatMap(([story, sites]) =>
    Object.keys(sites).map((site) => grid(story, site)),
  );
  chosen.key ??= looksMost(data.heads);
  const note = found.length ? null : h("p", { class: "note" }, "No cue: no grid of looks at it.");
  const pair = {
    map: data.maps.sentences.map((_, at) => at),
    twins: data.titles.map((title) => ({ title })),
  };
  return [h("div", { class: "columns" }, found), note, attentionView(data.maps, pair)];
}

// The encoder head whose noun looks most at the cue, to begin with.
function looksMost(heads) {
  const grid = Object.values(heads)[0]?.encoder?.attention.all.scores ?? [];
  const all = grid.flatMap((row, layer) => row.map((value, head) => ({ value, layer, head })));
  const best = all.reduce((a, b) => (b.value > a.value ? b : a), { value: 0 });
  return best.value ? keyOf("encoder", best.layer, best.head) : null;
}
