// The front page plays: β moves the lines, "Play" lets the mornings pass. Without it there is a still.
"use strict";

const hero = document.querySelector(".hero");
const films = JSON.parse(hero.querySelector("script").textContent);
const betas = Object.keys(films).sort((a, b) => a - b);
const svg = hero.querySelector("svg");
const ends = [...hero.querySelectorAll(".end")]; // what stands at the ends of ceiling, weight and floor
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
  show(1);
  said.textContent = `With β = ${beta} you err ${film.mistakes} times, the best expert ${film.best} times,`
    + " and the weight stays between ceiling and floor.";
}

// So much of the mornings has passed; the words go along with the lines, and count.
function show(part) {
  const film = films[betas[slider.value]];
  clip.setAttribute("width", 10 + part * (wide - 10));
  const [ceiling, weight, floor] = ["ceiling", "weight", "floor"].map((line) =>
    film[line].match(/(?<=^M0 |V)[-\d.]+/g).map(Number).filter((_, t, all) => t <= part * (all.length - 1)));
  const room = (svg.viewBox.baseVal.height * ends[1].offsetHeight) / svg.clientHeight;
  const heights = [ceiling.at(-1), Math.max(weight.at(-1), ceiling.at(-1) + room), floor.at(-1)];
  heights[2] = Math.max(heights[1], heights[2]);
  ends.forEach((end, k) => {
    end.style.setProperty("--x", part);
    end.style.setProperty("--y", heights[k] / svg.viewBox.baseVal.height);
  });
  const seen = { mistakes: new Set(ceiling).size - 1, best: new Set(floor).size - 1 };
  for (const word of hero.querySelectorAll("[data-count]")) word.textContent = seen[word.dataset.count];
}

function stop() {
  started = 0;
  show(1);
  button.textContent = "▶ Play";
  button.setAttribute("aria-pressed", "false");
}

function frame(now) {
  if (!started) return;
  const part = (now - started) / 1000 / seconds;
  if (part >= 1) return stop();
  show(part);
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
