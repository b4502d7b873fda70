// What the figures share: an SVG that fits its place, ticks, labels and rules.
const room = (mount) => Math.min(480, mount.clientWidth || 480); // so that text keeps its size

const chart = (width, height, name) =>
  svg("svg", {
    viewBox: `0 0 ${width} ${height}`,
    class: "chart",
    role: "group",
    "aria-label": name,
  });
const label = (x, y, text, anchor = "middle", kind = null) =>
  svg("text", { x, y, "text-anchor": anchor, class: kind }, text);
const rule = (x1, y1, x2, y2, kind) => svg("line", { x1, y1, x2, y2, class: kind });

// Round values from low to high, and the decimals that they need.
function ticks(low, high, most = 6) {
  const rough = (high - low || 1) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough * (1 - 1e-9));
  const found = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + 1e-9; at += 1) {
    found.push(at * step);
  }
  return { found, digits: Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)) };
}

// Values along and up the frame `box`; `show` writes them at the left.
function axes(drawn, box, { x, y, along, up, show }) {
  const end = box.width - box.right;
  const down = box.height - box.bottom;
  for (const v of along ? along.found : []) {
    drawn.append(label(x(v), down + 18, num(v, along.digits)));
  }
  for (const v of up.found) {
    drawn.append(rule(box.left, y(v), end, y(v), Math.abs(v) < 1e-9 ? "zero" : "guide"));
    drawn.append(label(box.left - 8, y(v) + 4, show(v), "end"));
  }
}
