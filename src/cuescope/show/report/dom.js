"use strict";
// Elements and numbers. Text only ever becomes a text node: nothing here parses HTML.
const DATA = JSON.parse(document.getElementById("data").textContent);

// null leaves an attribute or a child out; "on…" listens.
const build = (node, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) {
    const said = name.startsWith("aria-"); // ARIA writes true and false out
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (said && value !== null) node.setAttribute(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== null && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.flat(2).filter((child) => child !== null));
  return node;
};
const h = (name, attributes, ...children) =>
  build(document.createElement(name), attributes, children);
const svg = (name, attributes, ...children) =>
  build(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

const minus = (text) => text.replace(/^-(?=0(\.0*)?$)/, "").replace("-", "−");
const num = (value, digits = 2) =>
  value === null || value === undefined ? "–" : minus(value.toFixed(digits));
const percent = (value) => {
  if (value === null || value === undefined) return "–";
  return `${minus((100 * value).toFixed(value !== 0 && Math.abs(value) < 0.095 ? 1 : 0))} %`;
};
const count = (n, thing) => `${n.toLocaleString("en-GB")} ${thing}${n === 1 ? "" : "s"}`;
const extent = (values) =>
  values.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
const say = (text) => {
  document.getElementById("live").textContent = text;
};

// One tooltip for the page, filled with lines of text.
const tip = {
  node: document.getElementById("tip"),
  show(target, lines) {
    this.node.replaceChildren(...lines.map((line, at) => h(at ? "div" : "strong", {}, line)));
    this.node.hidden = false;
    const box = target.getBoundingClientRect();
    const own = this.node.getBoundingClientRect();
    const left = box.left + box.width / 2 - own.width / 2;
    const above = box.top - own.height - 8;
    this.node.style.left = `${Math.max(8, Math.min(left, innerWidth - own.width - 8))}px`;
    this.node.style.top = `${above > 60 ? above : box.bottom + 8}px`;
  },
  hide() {
    this.node.hidden = true;
  },
};
addEventListener("scroll", () => tip.hide(), { passive: true, capture: true });
addEventListener("keydown", (event) => {
  if (event.key === "Escape") tip.hide();
});

// Pointing at or focusing what `find` accepts inside `root` shows its lines.
function tips(root, find, lines) {
  const enter = (event) => {
    const target = event.target.closest(find);
    if (target && root.contains(target)) tip.show(target, lines(target));
  };
  root.addEventListener("pointerover", enter);
  root.addEventListener("focusin", enter);
  root.addEventListener("pointerleave", () => tip.hide());
  root.addEventListener("focusout", () => tip.hide());
}

// Arrow keys among many things, of which one is a tab stop; `step` gives the next from a key.
function rove(root, find, step) {
  root.addEventListener("keydown", (event) => {
    const here = event.target.closest(find);
    const next = here && step(here, event.key);
    if (!next) return;
    event.preventDefault();
    here.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}
