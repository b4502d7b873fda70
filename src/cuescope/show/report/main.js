// Figures are drawn one by one after the first paint, so that the answer is never waited for.
const jobs = [];
for (const [find, draw] of Object.entries({
  ".grids": grids,
  ".scatter": scatter,
  ".steps": steps,
  ".violins": violins,
  "#pairs": pairsList,
})) {
  for (const mount of document.querySelectorAll(find)) jobs.push(() => draw(mount));
}

function work(most) {
  const start = performance.now();
  while (jobs.length && performance.now() - start < most) jobs.shift()();
  if (jobs.length) setTimeout(work, 0, most);
  else if (!document.documentElement.dataset.ready) {
    document.documentElement.dataset.ready = "yes";
    followHash();
    addEventListener("hashchange", followHash);
  }
}
addEventListener("beforeprint", () => {
  work(Infinity);
  for (const more of document.querySelectorAll("details")) more.open = true;
});
if (document.hidden) work(12);
else requestAnimationFrame(() => setTimeout(work, 0, 12));

// Links such as #pair-12 and #head-encoder-2.1.
function followHash() {
  const [, pair] = /^#pair-(\d+)$/.exec(location.hash) ?? [];
  if (pair && list.items && openPair(Number(pair))) {
    document.getElementById(`pair-${pair}`).scrollIntoView();
  }
  const [, site, layer, head] = /^#head-([a-z]+)-(\d+)\.(\d+)$/.exec(location.hash) ?? [];
  const shape = Object.values(DATA.heads).find((sites) => Object.hasOwn(sites, site))?.[site];
  if (shape && layer < shape.layers && head < shape.heads) choose(keyOf(site, layer, head));
}

// The chosen head leads to an example that shows it.
document.getElementById("chosen").addEventListener("click", () => {
  const first = DATA.pairs.find((row) => row[4]);
  if (first && !document.querySelector("#pairs .attention")) openPair(first[0]);
});

const copy = document.getElementById("copy");
copy.addEventListener("click", async () => {
  const line = document.getElementById("signature");
  try {
    await navigator.clipboard.writeText(line.textContent);
  } catch {
    getSelection().selectAllChildren(line); // a file may not write to the clipboard: select it
    document.execCommand("copy");
  }
  copy.textContent = "Copied";
  say("The signature was copied");
  setTimeout(() => (copy.textContent = "Copy"), 1500);
});
