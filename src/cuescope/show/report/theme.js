// Light or dark: as the system says, unless the reader chose. Runs before the first paint.
(() => {
  const root = document.documentElement;
  const kept = () => {
    try {
      return localStorage.getItem("cuescope-theme");
    } catch {
      return null;
    }
  };
  const keep = (name) => {
    try {
      localStorage.setItem("cuescope-theme", name);
    } catch {
      /* private window */
    }
  };
  const dark = () =>
    (root.dataset.theme ||
      (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  root.classList.add("js");
  if (["light", "dark"].includes(kept())) root.dataset.theme = kept();
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    if (!button) return;
    const say = () => {
      button.textContent = dark() ? "Light" : "Dark";
      button.setAttribute("aria-label", `Switch to ${dark() ? "light" : "dark"} colours`);
    };
    button.addEventListener("click", () => {
      root.dataset.theme = dark() ? "light" : "dark";
      keep(root.dataset.theme);
      say();
      document.dispatchEvent(new Event("theme"));
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      say();
      document.dispatchEvent(new Event("theme"));
    });
    say();
  });
})();
