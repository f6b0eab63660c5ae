// What every page has: the light-or-dark switch and copy buttons. Nothing is lost without them.
"use strict";

const theme = document.getElementById("theme");
theme.hidden = false;
theme.addEventListener("click", () => {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const now = root.dataset.theme || system;
  root.dataset.theme = now === "dark" ? "light" : "dark";
  try { localStorage.setItem("olc-theme", root.dataset.theme); } catch { /* not remembered */ }
});

for (const source of document.querySelectorAll(".source")) {
  const button = document.createElement("button");
  button.className = "tool copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(source.querySelector("pre").textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  source.append(button);
}
