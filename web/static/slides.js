// Starts a deck, and gives slides that are too full smaller type.
"use strict";

const SMALLEST = 0.55;

// The type of a slide's body shrinks until nothing runs out of it.
function fit(slide) {
  const body = slide.querySelector(".body");
  const full = () => body.scrollHeight > body.clientHeight + 1 || body.scrollWidth > body.clientWidth + 1;
  for (let part = 1; part >= SMALLEST; part -= 0.05) {
    body.style.fontSize = `${part}em`;
    if (!full()) return;
  }
}

const deck = new Reveal(document.querySelector(".reveal"), {
  width: 1280, height: 720, margin: 0, center: false, display: "flex", hash: true,
  slideNumber: "c/t", transition: "none", backgroundTransition: "none", pdfSeparateFragments: false,
  scrollActivationWidth: null,
  plugins: [RevealNotes],
});
deck.on("slidechanged", event => fit(event.currentSlide));
for (const [event, open] of [["fragmentshown", true], ["fragmenthidden", false]]) {
  deck.on(event, ({ fragment }) => { if (fragment.matches(".answer")) fragment.open = open; });
}
document.addEventListener("toggle", () => fit(deck.getCurrentSlide()), true); // an answer unfolds
deck.on("pdf-ready", () => document.querySelectorAll("section.slide").forEach(fit));
Promise.all([deck.initialize(), document.fonts.ready]).then(() => fit(deck.getCurrentSlide()));
