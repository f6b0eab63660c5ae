// One question at a time, first those that were never answered.
"use strict";

const asked = [...document.querySelectorAll(".asked")];
const form = document.querySelector(".draw");
function draw() {
  let known = {};
  try { known = JSON.parse(localStorage.getItem("olc-known")).guesses; } catch { /* nothing yet */ }
  const fresh = asked.filter((one) => one.hidden && !(one.querySelector(".question").dataset.of in known));
  const from = fresh.length ? fresh : asked.filter((one) => one.hidden);
  for (const one of asked) one.hidden = true;
  from[Math.floor(Math.random() * from.length)].hidden = false;
}
for (const one of asked) one.hidden = true;
draw();
form.hidden = false;
form.querySelector("button").addEventListener("click", draw);
