// A row of a ledger leads to its trial in a picture of the same section, and back; a line of the proof
// and its row light up together. Without it the ledger is a table.
"use strict";

const inOrder = [...document.querySelectorAll("main :is(h2, ol, .ledger)")];

function linesBefore(ledger) {
  const above = inOrder.slice(0, inOrder.indexOf(ledger));
  const lists = above.slice(above.findLastIndex((part) => part.matches("h2")) + 1)
    .filter((part) => part.matches("ol"));
  return lists.flatMap((list) => [...list.children].map((item, k) => [list.start + k, item]));
}

function mark(figure, trial) {
  for (const old of figure.querySelectorAll(".here")) old.remove();
  for (const area of figure.querySelectorAll(".trials")) {
    const [low, high] = [Number(area.dataset.low), Number(area.dataset.high)];
    const [x, y, wide, tall] = ["x", "y", "width", "height"].map((name) => Number(area.getAttribute(name)));
    const at = x + wide * (trial - low) / (high - low);
    area.insertAdjacentHTML("afterend", `<path class="here" d="M${at} ${y}v${tall}"/>`);
  }
}

function back(figure, button, line) {
  figure.querySelector(".back")?.remove();
  const way = document.createElement("button");
  way.className = "tool back";
  way.textContent = `Back to line ${line}`;
  way.addEventListener("click", () => { button.focus(); way.remove(); });
  figure.querySelector("figcaption p").after(way);
  way.focus();
}

for (const ledger of document.querySelectorAll("main .ledger")) {
  const rows = [...ledger.querySelectorAll("tbody > tr")];
  const figure = document.getElementById(ledger.dataset.picture);
  for (const row of rows) {
    const [number, , place] = row.cells;
    const trial = place.textContent.match(/^t = (\d+)/)?.[1];
    if (!trial || !figure) continue;
    place.innerHTML = `<button class="trial" aria-label="${place.textContent}: show it in the picture">${place.textContent}</button>`;
    const button = place.firstChild;
    row.addEventListener("click", (event) => {
      if (event.target.closest("a")) return;
      for (let fold = figure.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
      const explorer = figure.closest(".explorer");
      if (explorer) {
        explorer.addEventListener("shown", () => mark(figure, trial), { once: true });
        explorer.dispatchEvent(new CustomEvent("trial", { detail: trial }));
      } else {
        mark(figure, trial);
      }
      back(figure, button, number.textContent);
      figure.scrollIntoView({ block: "center" });
    });
  }

  // the lines of the proof are the items of numbered lists before the ledger
  const lines = linesBefore(ledger);
  for (const row of rows) {
    const said = lines.findLast(([k]) => `(${k})` === row.cells[0].textContent)?.[1];
    if (!said) continue;
    for (const [one, other] of [[said, row], [row, said]]) {
      one.addEventListener("pointerenter", () => other.classList.add("lit"));
      one.addEventListener("pointerleave", () => other.classList.remove("lit"));
    }
  }
}
