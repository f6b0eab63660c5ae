// What every page has: the light-or-dark switch, copy buttons, questions that are answered before what
// answers them is seen, and what this browser remembers of it. Nothing is lost without them.
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

// A report names the section that the reader sees.
const wrong = document.querySelector(".wrong");
wrong?.addEventListener("click", () => {
  const seen = [...document.querySelectorAll("main :is(h1, h2, h3)[id]")]
    .findLast((heading) => heading.getBoundingClientRect().top < innerHeight / 2);
  if (seen) wrong.href = wrong.href.replace(/&body=.*|$/, `&body=${encodeURIComponent(`${location.href.split("#")[0]}#${seen.id}`)}`);
});

// What the reader has guessed and read stays in this browser.
const known = { guesses: {}, read: {} };
try { Object.assign(known, JSON.parse(localStorage.getItem("olc-known"))); } catch { /* nothing yet */ }
function remember(kind, key, what) {
  known[kind][key] = what;
  try { localStorage.setItem("olc-known", JSON.stringify(known)); } catch { /* not remembered */ }
}

const here = document.body.dataset.href;
for (const item of document.querySelectorAll("[data-page]")) {
  item.classList.toggle("read", item.dataset.page in known.read);
}
const last = document.querySelector("main > .steps:last-child");
if (last && /^\d\d_/.test(here)) {
  new IntersectionObserver(([end], watch) => {
    if (!end.isIntersecting) return;
    remember("read", here, 1);
    watch.disconnect();
  }).observe(last);
}

const progress = document.getElementById("progress");
if (progress) {
  const guesses = Object.values(known.guesses);
  const all = document.querySelectorAll(".cards > li").length;
  progress.hidden = !(guesses.length || Object.keys(known.read).length);
  progress.firstElementChild.textContent = `Guessed ${guesses.filter(([, right]) => right).length} of`
    + ` ${guesses.length}, read ${document.querySelectorAll(".cards > .read").length} of ${all}.`;
  progress.querySelector("button").addEventListener("click", () => {
    try { localStorage.removeItem("olc-known"); } catch { /* it was not there */ }
    location.reload();
  });
}

// Commit, then reveal: what answers a question opens once it is answered.
const folds = [...document.querySelectorAll(".question, .reveal, h2")];
function answered(question, said, right) {
  const cell = question.closest(".cell")?.id || question.dataset.of;
  remember("guesses", cell, [said, right]);
  for (const later of folds.slice(folds.indexOf(question) + 1)) {
    if (!later.matches(".reveal")) break;
    later.open = true;
    later.querySelector("summary").textContent = `You said: ${said}`;
  }
}

for (const question of document.querySelectorAll(".question")) {
  const number = question.querySelector(".answer.number");
  if (number) {
    const [low, high, step, start, right] = number.dataset.guess.split(" ").map(Number);
    const form = document.createElement("form");
    form.className = "guess";
    form.innerHTML = `<output>${start}</output><input type="range" min="${low}" max="${high}" step="${step}"`
      + ` value="${start}" aria-label="Your guess"><button class="tool" type="submit">I think so</button>`;
    const [shown, slider] = form.elements;
    slider.addEventListener("input", () => { shown.textContent = Number(slider.value); });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const said = Number(slider.value);
      const off = Number(Math.abs(said - right).toPrecision(6));
      number.open = true;
      number.querySelector("summary").textContent =
        `You said ${said}: ${off === 0 ? "exactly" : `${off} too ${said > right ? "much" : "little"}`}.`;
      answered(question, said, off <= (high - low) / 20);
    });
    number.before(form);
    continue;
  }
  for (const answer of question.querySelectorAll(".answer")) {
    answer.addEventListener("toggle", () => {
      if (answer.open && !question.dataset.done) {
        question.dataset.done = "yes"; // the first answer counts
        answered(question, answer.querySelector("summary").textContent, answer.matches(".good"));
      }
    });
  }
}
