// One pair, opened: both sentences and translations with everything marked, and the attention.
const nameOf = (at) => DATA.names[at];
const GENDERS = { male: "masculine", female: "feminine", neutral: "neutral" };

// The rows of the data (report/data.py) with names again.
function unpack([index, noun, stereotype, verdict, map, twins, order]) {
  return {
    order: order === null ? "" : nameOf(order),
    index,
    noun,
    map,
    verdict: nameOf(verdict),
    stereotype: stereotype === null ? "none" : nameOf(stereotype),
    twins: twins.map(unpackTwin),
  };
}
function unpackTwin([set, source, focus, cue, gold, translation, span, gender, ...rest]) {
  const [correct, consistent, evidence, skipped] = rest;
  return {
    ...{ source, focus, cue, translation, span, correct, consistent },
    set: nameOf(set),
    gold: nameOf(gold),
    title: `${nameOf(set).toUpperCase()}: ${nameOf(gold)} cue.`,
    gender: nameOf(gender),
    skipped: nameOf(skipped),
    evidence: evidence.map(([start, end, rule, says, word]) => {
      return { start, end, word, rule: nameOf(rule), gender: nameOf(says) };
    }),
  };
}

function pairView(pair) {
  const view = h("div", { class: "pair-view" });
  view.append(h("div", { class: "twins" }, pair.twins.map(twinView)), legend());
  if (pair.map && DATA.maps) view.append(attentionView(DATA.maps, pair), salientView(DATA.maps, pair));
  else view.append(h("p", { class: "note" }, "The attention of this pair is not in this file."));
  return view;
}

function legend() {
  const sample = (kind) => [h("mark", { class: kind }, kind), " "];
  const said = "(named below the line; evidence by the rule that reads it)";
  return h(
    "p",
    { class: "legend" },
    "Marked: ",
    ["cue", "noun", "evidence"].map(sample).flat(),
    said,
  );
}

function twinView(twin) {
  const span = ([start, end], kind) => ({ start, end, kind, label: kind });
  const source = [span(twin.focus, "noun")];
  if (twin.cue) source.push(span(twin.cue, "cue"));
  const target = twin.span ? [span(twin.span, "noun")] : [];
  for (const { start, end, rule, gender } of twin.evidence) {
    target.push({ start, end, kind: `evidence ${gender}`, label: rule });
  }
  const right = twin.correct ? "right" : "wrong";
  return h(
    "div",
    { class: "twin" },
    h(
      "h4",
      {},
      `${twin.set.toUpperCase()}: the cue is ${twin.gold} `,
      twin.skipped ? "" : h("span", { class: right }, `${twin.correct ? "✓" : "✗"} ${right}`),
    ),
    marked(twin.source, source),
    marked(twin.translation, target),
    h("p", { class: "reading" }, readingOf(twin)),
    because(twin),
  );
}

function readingOf(twin) {
  if (twin.skipped) return `The noun was not read: ${twin.skipped}.`;
  const read = twin.gender === "unknown" ? "the noun was not found" : `read as ${twin.gender}`;
  const phrase = twin.consistent ? "" : ", but its phrase contradicts itself";
  return `Should be ${GENDERS[twin.gold] ?? twin.gold}; ${read}${phrase}.`;
}

// The rule in words: which word speaks for which gender.
function because({ evidence, translation, skipped }) {
  if (skipped) return "";
  if (!evidence.length) {
    return h("p", { class: "note" }, "No word of the translation shows a gender.");
  }
  const letters = Array.from(translation);
  const quoted = (text) => ["“", h("bdi", {}, text), "”"];
  const items = evidence.map(({ start, end, word, rule, gender }) => {
    const inside = word ? [...quoted(word), " in "] : [];
    const there = quoted(letters.slice(start, end).join(""));
    return h("li", {}, inside, there, ` (${rule}) is ${gender}`);
  });
  return h("ul", { class: "because" }, items);
}
