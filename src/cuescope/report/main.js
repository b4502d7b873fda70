// Figures are drawn one by one after the first paint, so that the answer is never waited for.
(() => {
  const jobs = [];
  const each = (find, draw) => { for (const mount of document.querySelectorAll(find)) jobs.push(() => draw(mount)); };
  each(".grids", grids);
  each(".scatter", scatter);
  each(".steps", steps);
  each(".violins", violins);
  each("#pairs", (mount) => {
    pairsList(mount);
    const first = DATA.pairs.find((row) => row[4] && DATA.maps);  // one example lies open
    if (first) { list.open.add(first[0]); paint(); }
  });

  function follow() {
    const pair = /^#pair-(\d+)$/.exec(location.hash), head = /^#head-(encoder|cross|decoder)-(\d+)\.(\d+)$/.exec(location.hash);
    if (pair && document.getElementById("pairs") && openPair(+pair[1])) document.getElementById(`pair-${pair[1]}`).scrollIntoView();
    if (head && DATA.sites[head[1]] && +head[2] < DATA.sites[head[1]].layers && +head[3] < DATA.sites[head[1]].heads) choose(keyOf(head[1], head[2], head[3]));
  }
  function work(deadline) {
    const start = performance.now();
    while (jobs.length && (deadline === null || performance.now() - start < 12)) jobs.shift()();
    if (jobs.length) setTimeout(work, 0);
    else if (!document.documentElement.dataset.ready) {
      document.documentElement.dataset.ready = "yes";
      follow();
      addEventListener("hashchange", follow);
    }
  }
  addEventListener("beforeprint", () => work(null));
  requestAnimationFrame(() => setTimeout(work, 0));

  document.getElementById("chosen").addEventListener("click", () => {
    if (document.querySelector("#pairs .attention")) return;
    const first = DATA.pairs.find((row) => row[4]);
    if (first) openPair(first[0]);
  });
  const copy = document.getElementById("copy"), line = document.getElementById("signature");
  copy.addEventListener("click", async () => {
    try { await navigator.clipboard.writeText(line.textContent); } catch {
      getSelection().selectAllChildren(line);  // a file may not write to the clipboard: select it
      document.execCommand("copy");
    }
    copy.textContent = "Copied";
    say("The signature was copied");
    setTimeout(() => { copy.textContent = "Copy"; }, 1500);
  });
})();
