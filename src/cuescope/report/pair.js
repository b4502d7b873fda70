// One pair, opened: both sentences and translations with everything marked, and the attention.
const name = (at) => DATA.names[at];
function unpack([index, noun, stereotype, verdict, map, twins]) {
  return {
    index, noun, map, verdict: name(verdict), stereotype: stereotype === null ? null : name(stereotype),
    twins: twins.map(([set, source, focus, cue, gold, translation, span, gender, correct, consistent, evidence, skipped]) => ({
      set: name(set), source, focus, cue, gold: name(gold), translation, span, gender: name(gender), correct, consistent, skipped: name(skipped),
      evidence: evidence.map(([start, end, rule, says]) => ({ start, end, rule: name(rule), gender: name(says) })),
    })),
  };
}

const NEAR = 160;  // characters kept on either side of a mark when a text is shortened
// A text with marked spans, counted in code points. Spans may overlap; a long text is shortened.
function marked(text, spans, lang) {
  const letters = Array.from(text), edges = new Set([0, letters.length]);
  for (const { start, end } of spans) { edges.add(Math.min(start, letters.length)); edges.add(Math.min(end, letters.length)); }
  const long = letters.length > 4 * NEAR, sorted = [...edges].sort((a, b) => a - b);
  const line = h("p", { class: "sentence", dir: "auto", lang });
  sorted.slice(0, -1).forEach((from, at) => {
    const to = sorted[at + 1], over = spans.filter((s) => s.start <= from && s.end >= to), part = letters.slice(from, to);
    if (!over.length) { line.append(...(long ? shortened(part, at === 0, to === letters.length) : [part.join("")])); return; }
    let node = h("mark", { class: over.map((s) => s.kind).join(" ") }, part.join(""));
    const ending = over.filter((s) => s.end === to).map((s) => s.label);
    if (ending.length) node = h("ruby", {}, node, h("rt", {}, [...new Set(ending)].join(", ")));
    line.append(node);
  });
  return line;
}
function shortened(letters, first, last) {
  const head = first ? 0 : NEAR, tail = last ? 0 : NEAR, cut = letters.length - head - tail - (first && last ? 2 * NEAR : 0);
  if (cut <= NEAR) return [letters.join("")];
  const from = first && last ? 2 * NEAR : head;
  const button = h("button", { type: "button", class: "more", onclick: () => button.replaceWith(letters.slice(from, from + cut).join("")) }, `… ${count(cut, "character")} more …`);
  return [letters.slice(0, from).join(""), button, letters.slice(from + cut).join("")];
}

const GENDERS = { male: "masculine", female: "feminine", neutral: "neutral" };
function twinView(twin) {
  const source = [{ start: twin.focus[0], end: twin.focus[1], kind: "noun", label: "noun" }];
  if (twin.cue) source.push({ start: twin.cue[0], end: twin.cue[1], kind: "cue", label: "cue" });
  const target = twin.evidence.map((e) => ({ start: e.start, end: e.end, kind: `evidence ${e.gender}`, label: e.rule }));
  if (twin.span) target.unshift({ start: twin.span[0], end: twin.span[1], kind: "noun", label: "noun" });
  const letters = Array.from(twin.translation);
  const because = twin.evidence.map((e) => h("li", {}, "“", h("bdi", {}, letters.slice(e.start, e.end).join("")), `” (${e.rule}) is ${e.gender}`));
  const right = twin.correct ? "✓ right" : "✗ wrong";
  const read = twin.gender === "unknown" ? "the noun was not found" : `read as ${twin.gender}`;
  return h("div", { class: "twin" },
    h("h4", {}, `${twin.set.toUpperCase()}: the cue is ${twin.gold}`, h("span", { class: twin.correct ? "right" : "wrong" }, ` ${right}`)),
    marked(twin.source, source, null), marked(twin.translation, target, null),
    h("p", { class: "reading" }, `Should be ${GENDERS[twin.gold] ?? twin.gold}; ${read}${twin.consistent ? "" : ", but its phrase contradicts itself"}${twin.skipped ? ` (${twin.skipped})` : ""}.`),
    because.length ? h("ul", { class: "because" }, because) : h("p", { class: "note" }, "No word of the translation shows a gender."));
}

function pairView(pair) {
  const legend = h("p", { class: "legend" }, "Marked: ", h("mark", { class: "cue" }, "cue"), " ", h("mark", { class: "noun" }, "noun"), " ",
    h("mark", { class: "evidence" }, "evidence"), ", each with its name below the line; evidence with the rule that reads it.");
  const view = h("div", { class: "pair-view" }, h("div", { class: "twins" }, pair.twins.map(twinView)), legend);
  if (pair.map && DATA.maps) view.append(attentionView(pair));
  else view.append(h("p", { class: "note" }, "The attention of this pair is not in this file."));
  return view;
}
