// What a term or a theorem means, beside the link that leads there: where it is pointed at, by keyboard
// too. It stays while the pointer is on it; Escape closes it; a first tap on a term only shows it.
"use strict";

{
const told = JSON.parse(document.getElementById("told").textContent);
const box = document.createElement("div");
Object.assign(box, { id: "preview", role: "tooltip", hidden: true });
document.body.append(box);
let [shown, soon] = [null, 0];

function hide() {
  clearTimeout(soon);
  shown?.removeAttribute("aria-describedby");
  shown = null;
  box.hidden = true;
}

function show(link) {
  hide();
  shown = link;
  box.innerHTML = told[link.getAttribute("href")];
  box.hidden = false;
  link.setAttribute("aria-describedby", "preview");
  place(link);
}

function place(link) {
  const { left, top, bottom } = link.getClientRects()[0];
  const above = bottom + box.offsetHeight + 8 > innerHeight && top > box.offsetHeight + 8;
  box.style.left = `${Math.max(8, Math.min(left, document.documentElement.clientWidth - box.offsetWidth - 8))}px`;
  box.style.top = `${above ? top - box.offsetHeight - 6 : bottom + 6}px`;
}

for (const link of document.querySelectorAll("a.term[href^='glossary']")) { // in the margin of a wide window
  link.insertAdjacentHTML("afterend", `<small class="note" aria-hidden="true">${told[link.getAttribute("href")]}</small>`);
}

const meant = (target) => [target.closest("main a[href]")].find((link) => link?.getAttribute("href") in told);
document.addEventListener("pointerover", ({ target, pointerType }) => {
  const link = meant(target);
  if (pointerType === "touch" || link === shown && link) return clearTimeout(soon);
  clearTimeout(soon);
  if (link) soon = setTimeout(show, 250, link);
  else if (shown && !box.contains(target)) soon = setTimeout(hide, 250);
});
document.addEventListener("focusin", ({ target }) => {
  const link = meant(target);
  if (link?.matches(":focus-visible")) show(link);
  else hide();
});
document.addEventListener("keydown", ({ key }) => { if (key === "Escape") hide(); });
document.addEventListener("scroll", () => shown && place(shown), { passive: true });
document.addEventListener("click", (event) => {
  const link = meant(event.target);
  if (event.pointerType !== "touch" || !link?.matches(".term") || link === shown) return;
  event.preventDefault();
  show(link);
});
}
