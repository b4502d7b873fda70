// What the list of pairs shows: words to search for, a verdict, a stereotype, an order.
const filter = { words: "", verdict: "", stereotype: "", order: "" };
const SIGNS = {
  ignores: "=",
  follows: "✓",
  partly: "≈",
  inconsistent: "≠",
  neutral: "○",
  unknown: "?",
  unread: "–",
};
const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

// The rows that pass; the text of a row is folded when it is first searched.
function matches(rows) {
  const words = folded(filter.words).split(/\s+/).filter(Boolean);
  return rows.filter((one) => {
    if (filter.verdict && one.verdict !== filter.verdict) return false;
    if (filter.stereotype && one.stereotype !== filter.stereotype) return false;
    if (filter.order && one.order !== filter.order) return false;
    if (!words.length) return true;
    const [, noun, , , , twins] = one.row;
    one.text ??= folded(
      [noun, ...twins.flatMap(([, source, , , , target]) => [source, target])].join(" "),
    );
    return words.every((word) => one.text.includes(word));
  });
}

// The controls, and a way to clear them; `changed` is called after every change.
function filters(rows, changed) {
  const search = searchBox(changed);
  const select = choice(rows, "stereotype", changed, "any stereotype", (kind) =>
    kind === "none" ? "no stereotype" : `${kind} stereotype`,
  );
  const order = choice(rows, "order", changed, "any order", (kind) => ORDERS[kind] ?? "no cue");
  const buttons = verdictButtons(rows, changed);
  const clear = () => {
    Object.assign(filter, { words: "", verdict: "", stereotype: "", order: "" });
    search.value = select.value = order.value = "";
    press(buttons, "");
  };
  const chips = { class: "chips no-print", role: "group", "aria-label": "Verdict" };
  return {
    clear,
    nodes: [h("div", { class: "controls no-print" }, search, select, order), h("div", chips, buttons)],
  };
}

function searchBox(changed) {
  let waiting = 0;
  const box = h("input", {
    type: "search",
    id: "search",
    placeholder: "Search sentences",
    "aria-label": "Search the sentences and translations",
    autocomplete: "off",
  });
  box.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      filter.words = box.value;
      changed();
    }, 120);
  });
  return box;
}

const NAMES = { stereotype: "Stereotype of the noun", order: "Order of noun and cue" };
function choice(rows, fact, changed, any, told) {
  const kinds = [...new Set(rows.map((one) => one[fact]))];
  const option = (kind) => h("option", { value: kind }, told(kind));
  const facts = { id: fact, "aria-label": NAMES[fact] };
  const select = h("select", facts, h("option", { value: "" }, any), kinds.map(option));
  select.addEventListener("change", () => {
    filter[fact] = select.value;
    changed();
  });
  return select;
}

function verdictButtons(rows, changed) {
  const buttons = ["", ...Object.keys(DATA.verdicts)].map((verdict) => {
    const there = rows.filter((one) => !verdict || one.verdict === verdict).length;
    const name = verdict ? `${SIGNS[verdict]} ${DATA.verdicts[verdict]}` : "all";
    const facts = { type: "button", "data-verdict": verdict, disabled: Boolean(verdict) && !there };
    const button = h("button", facts, `${name} ${there.toLocaleString("en-GB")}`);
    button.addEventListener("click", () => {
      filter.verdict = verdict;
      press(buttons, verdict);
      changed();
    });
    return button;
  });
  press(buttons, "");
  return buttons;
}
function press(buttons, verdict) {
  for (const button of buttons) {
    button.setAttribute("aria-pressed", button.dataset.verdict === verdict);
  }
}
