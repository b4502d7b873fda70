// The live page: a question when something changes, the report's figures for the answer.
const at = (id) => document.getElementById(id);
const token = new URLSearchParams(location.search).get("token") ?? "";
const edits = new Map(); // head → factor
let asked = 0; // questions so far: an answer that comes late is not shown

async function ask() {
  const mine = (asked += 1);
  const began = performance.now();
  const heads = [...edits].map(([key, factor]) => {
    const { site, layer, head } = fromKey(key);
    return [site, layer, head, factor];
  });
  const question = { text: at("text").value, noun: at("noun").value.trim() || null, heads };
  let found;
  try {
    const answer = await fetch("/look", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Cuescope-Token": token },
      body: JSON.stringify(question),
    });
    found = await answer.json();
  } catch {
    found = { error: "cuescope serve does not answer: is it still running?" };
  }
  if (mine !== asked) return;
  at("wrong").hidden = !found.error;
  at("wrong").textContent = found.error ?? "";
  if (!found.error) {
    show(found);
    const total = performance.now() - began;
    at("time").textContent = `${total.toFixed(0)} ms, ${found.milliseconds.toFixed(0)} of them the model`;
    document.documentElement.dataset.took = total.toFixed(1);
  }
  document.documentElement.dataset.ready = String(mine);
}

function show(found) {
  const { text: source, noun, cue } = found.source;
  const span = (place, kind) => (place ? [{ start: place[0], end: place[1], kind, label: kind }] : []);
  at("found").replaceChildren(
    marked(source, [...span(noun, "noun"), ...span(cue, "cue")]),
    marked(found.translation, span(found.span, "noun")),
    meter(found),
    h("p", { class: "note", id: "time" }),
  );
  swapButtons(found.versions);
  at("figures").replaceChildren(...sentenceFigures(found).filter(Boolean));
  editList(found);
}

// How feminine the choice is: of the two forms of the noun's phrase, after the model's own words.
function meter({ feminine, gender, why, before }) {
  const said = `The noun is read as ${gender}.`;
  if (feminine === null) {
    return h("p", { id: "meter" }, `${said} P(feminine) is not known: ${why}.`);
  }
  const was = before && before.feminine !== null ? `, ${percent(before.feminine)} with no head changed` : "";
  const bar = svg(
    "svg",
    { width: "100%", height: 14, "aria-hidden": true },
    svg("rect", { width: "100%", height: 14, class: "rest" }),
    svg("rect", { width: `${100 * feminine}%`, height: 14, class: "share" }),
  );
  const told = `P(feminine) of the two forms: ${percent(feminine)}${was}. ${said}`;
  return h("div", { id: "meter" }, h("p", {}, told), bar);
}

function swapButtons(versions) {
  const button = (name, line) =>
    h(
      "button",
      {
        type: "button",
        "data-version": name,
        "aria-pressed": line === at("text").value.trim(),
        onclick: () => {
          at("text").value = line;
          ask();
        },
      },
      name,
    );
  const made = Object.entries(versions).map(([name, line]) => button(name, line));
  at("swap").replaceChildren(...(made.length ? made : [h("span", { class: "note" }, "No pronoun to swap.")]));
}

// The chosen head turned up or off; every changed head can be put back.
function editList({ before }) {
  const key = chosen.key;
  const set = (factor) => () => {
    if (factor === 1) edits.delete(key);
    else edits.set(key, factor);
    ask();
  };
  const turn = (name, factor) =>
    h(
      "button",
      { type: "button", "data-factor": factor, "aria-pressed": (edits.get(key) ?? 1) === factor, onclick: set(factor) },
      name,
    );
  const parts = [h("h2", {}, "Change a head")];
  parts.push(
    key
      ? h("div", { class: "chips" }, h("strong", {}, headName(key)), turn("off", 0), turn("half", 0.5), turn("as it is", 1), turn("× 2", 2), turn("× 4", 4))
      : h("p", { class: "note" }, "Choose a head in a grid or in the list below."),
  );
  if (edits.size) {
    const told = [...edits].map(([head, factor]) => `${headName(head)} × ${factor}`).join(", ");
    const clear = () => {
      edits.clear();
      ask();
    };
    parts.push(h("p", {}, `Changed: ${told}. `, h("button", { type: "button", id: "back", onclick: clear }, "Put all back")));
    if (before) parts.push(h("p", { class: "note" }, "With no head changed: ", h("bdi", {}, before.translation)));
  }
  at("edits").replaceChildren(...parts);
}
document.addEventListener("head", () => editList({ before: null }));

at("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  ask();
});
ask();
