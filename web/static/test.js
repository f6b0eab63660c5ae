// One question at a time, first those that were never answered.
"use strict";

const asked = [...document.querySelectorAll(".asked")];
function draw() {
  let known = {};
  try { known = JSON.parse(localStorage.getItem("olc-known")).guesses; } catch { /* nothing yet */ }
  const others = asked.filter((one) => !one.matches(".drawn"));
  const fresh = others.filter((one) => !(one.querySelector(".question").dataset.of in known));
  const from = fresh.length ? fresh : others;
  for (const one of asked) one.classList.remove("drawn");
  from[Math.floor(Math.random() * from.length)].classList.add("drawn");
}
draw();
document.querySelector(".draw button").addEventListener("click", draw);
