// A text with marked spans, counted in code points; what lies far from any mark is shortened.
const NEAR = 160; // characters kept on either side of a mark

function marked(text, spans) {
  const letters = Array.from(text);
  const within = (place) => Math.min(place, letters.length);
  const edges = [
    0,
    letters.length,
    ...spans.flatMap(({ start, end }) => [within(start), within(end)]),
  ];
  const sorted = [...new Set(edges)].sort((a, b) => a - b);
  const parts = sorted.slice(0, -1).flatMap((from, at) => {
    const to = sorted[at + 1];
    const part = letters.slice(from, to);
    const over = spans.filter(({ start, end }) => start <= from && end >= to);
    if (over.length) return [markedPart(part.join(""), over, to)];
    return letters.length > 4 * NEAR ? shortened(part) : [part.join("")];
  });
  return h("p", { class: "sentence", dir: "auto" }, parts);
}

// Spans may overlap: each is named where it ends.
function markedPart(text, over, to) {
  const node = h("mark", { class: over.map(({ kind }) => kind).join(" ") }, text);
  const names = new Set(over.filter(({ end }) => end === to).map(({ label }) => label));
  return names.size ? h("ruby", {}, node, h("rt", {}, [...names].join(", "))) : node;
}

function shortened(letters) {
  const cut = letters.length - 2 * NEAR;
  if (cut <= NEAR) return [letters.join("")];
  const button = h(
    "button",
    { type: "button", class: "more" },
    `… ${count(cut, "character")} more …`,
  );
  button.addEventListener("click", () => button.replaceWith(letters.slice(NEAR, -NEAR).join("")));
  return [letters.slice(0, NEAR).join(""), button, letters.slice(-NEAR).join("")];
}

const brief = (text, most = 220) => {
  const letters = Array.from(text);
  return letters.length > most ? `${letters.slice(0, most).join("")}…` : text;
};
