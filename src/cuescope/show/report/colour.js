// Two colour scales (stats/palette.py) for light and for dark pages; CSS picks one.
const channels = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
function between(stops, share) {
  const place = Math.min(1, Math.max(0, share)) * (stops.length - 1);
  const low = Math.min(Math.floor(place), stops.length - 2);
  const [a, b] = [channels(stops[low]), channels(stops[low + 1])];
  return a.map((value, at) => Math.round(value + (b[at] - value) * (place - low)));
}
function luminance(rgb) {
  const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const [r, g, b] = rgb.map((v) => linear(v / 255));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
const text = (rgb) => (luminance(rgb) > 0.18 ? "#000" : "#fff");
const both = (light, dark) => `light-dark(${light}, ${dark})`;
const css = (rgb) => `rgb(${rgb.join(" ")})`;

// A scale of values: background and text colour of a value, and the bar that explains it.
// It reaches at least to `least`, so that noise stays pale.
function scaleOf(values, least) {
  const [low, high] = extent(values.filter((v) => v !== null));
  const signed = low < 0;
  const size = Math.max(Math.abs(low), Math.abs(high), least) || 1;
  const [light, dark] = DATA.scales[signed ? "two" : "one"];
  const known = {}; // colours of the hundred steps, as they are met
  const share = (value) => (signed ? (value / size + 1) / 2 : value / size);
  return {
    low: signed ? -size : 0,
    high: size,
    share,
    paint(node, value) {
      const step = Math.round(100 * share(value));
      if (!known[step]) {
        const [a, b] = [between(light, step / 100), between(dark, step / 100)];
        known[step] = [both(css(a), css(b)), both(text(a), text(b))];
      }
      [node.style.backgroundColor, node.style.color] = known[step];
    },
    bar(node) {
      const stops = light.map((_, at) => both(light[at], dark[at]));
      node.style.backgroundImage = `linear-gradient(to right, ${stops.join(", ")})`;
    },
  };
}
