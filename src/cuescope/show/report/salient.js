// Which source words speak for the feminine form: a colour a sub-word, in the order of the sentence.
function salientView(maps, pair) {
  const found = pair.map.map((place) => maps.sentences[place]);
  if (!found.every((one) => one.saliency)) {
    const why = "there is no choice between two known forms, or captum is not installed";
    return h("p", { class: "note" }, `Which words speak for the feminine form is not known: ${why}.`);
  }
  const size = Math.max(...found.flatMap((one) => one.saliency.values.map(Math.abs)), 0.1);
  return h(
    "div",
    { class: "salient" },
    h("h4", {}, "Which words speak for the feminine form"),
    h(
      "p",
      { class: "note" },
      "Each sub-word's part of the choice, in logits: feminine less masculine, against a sentence ",
      "of ends (integrated gradients). Underlined: noun and cue.",
    ),
    found.map((one, at) => salientLine(one, pair.twins[at].title, size)),
  );
}

function salientLine(one, title, size) {
  const { values, whole, missed } = one.saliency;
  const [light, dark] = DATA.scales.gender;
  const part = (token, at) => {
    const share = (values[at] / size + 1) / 2;
    const [a, b] = [between(light, share), between(dark, share)];
    const kind = one.noun.includes(at) ? "noun" : one.cue.includes(at) ? "cue" : "";
    const node = h(
      "span",
      { class: `part ${kind}`, title: `${piece(token)} ${signed(values[at])}` },
      h("span", {}, piece(token)),
      h("small", {}, signed(values[at])),
    );
    [node.style.backgroundColor, node.style.color] = [both(css(a), css(b)), both(text(a), text(b))];
    return node;
  };
  const told = `Together ${signed(sum(values))} of ${signed(whole)}; the integration missed ${num(Math.abs(missed))}.`;
  return h(
    "figure",
    { class: "keep" },
    title ? h("figcaption", {}, title) : null,
    h("div", { class: "parts" }, one.source.map(part)),
    h("p", { class: "note" }, told),
  );
}
const signed = (value) => `${value > 0 ? "+" : ""}${num(value)}`;
