// The front page plays: β moves the lines, "Play" lets the mornings pass. Without it there is a still.
"use strict";

const hero = document.querySelector(".hero");
const films = JSON.parse(hero.querySelector("script").textContent);
const betas = Object.keys(films).sort((a, b) => a - b);
const svg = hero.querySelector("svg");
const clip = svg.querySelector("clipPath rect");
const [form, said] = [hero.querySelector("form"), hero.querySelector("#hero-said")];
const [button, slider, shown] = [form.querySelector("button"), form.querySelector("input"), form.querySelector("output")];
const [wide, seconds] = [Number(clip.getAttribute("width")), 9];
let started = 0; // when it began to play, 0 at rest

function draw() {
  const beta = betas[slider.value];
  const film = films[beta];
  shown.textContent = beta;
  slider.setAttribute("aria-valuetext", beta);
  for (const path of svg.querySelectorAll("[data-line]")) path.setAttribute("d", film[path.dataset.line]);
  svg.querySelector(".crosses").innerHTML =
    film.crosses.map(([x, y]) => `<path d="M${x - 6} ${y - 6}l12 12m0-12l-12 12"/>`).join("");
  const at = film.ends.map((y, i) => [y, i]).sort((a, b) => a[0] - b[0]);
  for (let k = 1; k < at.length; k++) at[k][0] = Math.max(at[k][0], at[k - 1][0] + 20);
  for (const [y, i] of at) svg.querySelector(`[data-end="${i}"]`).setAttribute("y", y + 5);
  for (const word of svg.querySelectorAll("[data-count]")) word.textContent = film[word.dataset.count];
  said.textContent = `With β = ${beta} you err ${film.mistakes} times, the best expert ${film.best} times,`
    + " and the weight stays between ceiling and floor.";
}

function stop() {
  started = 0;
  clip.setAttribute("width", wide);
  button.textContent = "▶ Play";
  button.setAttribute("aria-pressed", "false");
}

function frame(now) {
  if (!started) return;
  const part = (now - started) / 1000 / seconds;
  if (part >= 1) return stop();
  clip.setAttribute("width", 10 + part * wide);
  requestAnimationFrame(frame);
}

button.addEventListener("click", () => {
  if (started) return stop();
  started = performance.now();
  button.textContent = "■ Stop";
  button.setAttribute("aria-pressed", "true");
  requestAnimationFrame(frame);
});
slider.addEventListener("input", draw);
form.addEventListener("submit", (event) => event.preventDefault());
if (!matchMedia("(prefers-reduced-motion: reduce)").matches) button.click();
