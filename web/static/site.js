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

// The side bar begins where the reader is; the list of sections follows the reader.
const course = document.getElementById("course");
const current = course?.querySelector("[aria-current]");
const follow = () => { course.scrollTop = current.offsetTop - course.clientHeight / 2; };
if (current) {
  follow();
  course.addEventListener("toggle", follow);
}
const sections = [...document.querySelectorAll(".contents a")]
  .map((link) => [link, document.getElementById(decodeURIComponent(link.hash.slice(1)))]);
function locate() {
  const here = sections.findLast(([, heading]) => heading?.getBoundingClientRect().top < innerHeight / 3);
  for (const [link] of sections) link.toggleAttribute("aria-current", link === here?.[0]);
}
if (sections.length) addEventListener("scroll", () => requestAnimationFrame(locate), { passive: true });

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

// Commit, then reveal: what answers a question opens once it is answered, and is said aloud.
const heard = document.createElement("p");
Object.assign(heard, { className: "heard", role: "status" });
document.body.append(heard);
const folds = [...document.querySelectorAll(".question, .reveal, h2")];
function answered(question, said, right, told) {
  heard.textContent = told;
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
    form.innerHTML = ["number", "range"].map((type) => `<input type="${type}" min="${low}" max="${high}"`
      + ` step="${step}" value="${start}" aria-label="Your guess${type === "range" ? ", by slider" : ""}">`).join("")
      + '<button class="tool" type="submit">I think so</button>';
    const [field, slider] = form.elements;
    field.addEventListener("input", () => { slider.value = field.value; });
    slider.addEventListener("input", () => { field.value = slider.value; });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const said = Number(field.value);
      const off = Number(Math.abs(said - right).toPrecision(6));
      const at = (value) => `${(100 * (value - low)) / (high - low)}%`;
      number.open = true;
      number.querySelector("summary").textContent =
        `You said ${said}: ${off === 0 ? "exactly" : `${off} too ${said > right ? "much" : "little"}`}.`;
      form.outerHTML = `<div class="scale" aria-hidden="true" style="--said: ${at(said)}; --right: ${at(right)}">`
        + `<span>${low}</span><b class="you">you ${said}</b><b class="right">it is ${right}</b><span>${high}</span></div>`;
      number.querySelector("summary").focus();
      answered(question, said, off <= (high - low) / 20, `You said ${said}, it is ${right}.`);
    });
    number.before(form);
    continue;
  }
  for (const answer of question.querySelectorAll(".answer")) {
    answer.addEventListener("toggle", () => {
      if (answer.open && !question.dataset.done) {
        question.dataset.done = "yes"; // the first answer counts
        const said = answer.querySelector("summary").textContent;
        answered(question, said, answer.matches(".good"), answer.textContent);
      }
    });
  }
}
