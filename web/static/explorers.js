// Explorers without a kernel: a moved control shows the frame that was drawn for its values.
"use strict";

for (const explorer of document.querySelectorAll(".explorer")) {
  // labels of each control's values; which frame belongs to which combination, the last control
  // fastest; caption and description of each frame
  const { frames, labels, which, texts } =
    JSON.parse(explorer.querySelector("script[type='application/json']").textContent);
  const form = explorer.querySelector("form");
  const controls = [...form.querySelectorAll("fieldset, input:not([type=radio]), select")];
  const image = explorer.querySelector("img");
  const frame = explorer.querySelector(".frame");
  const caption = explorer.querySelector("figcaption p");
  const loaded = new Map(); // number of a frame: promise of its image
  let wanted = -1; // the frame that is to be shown
  image.decoding = "sync"; // no flash between two frames
  caption.setAttribute("aria-live", "polite");

  const positions = () => controls.map((control) =>
    control.type === "fieldset" ? Number(control.querySelector(":checked").value)
      : control.type === "checkbox" ? Number(control.checked)
      : control.type === "range" ? Number(control.value) : control.selectedIndex);

  const number = (at) => which[at.reduce((sum, i, k) => sum * labels[k].length + i, 0)];

  function load(n) {
    if (!loaded.has(n)) {
      const picture = new Image();
      picture.src = `${frames}${n}.webp`;
      loaded.set(n, picture.decode().then(() => picture));
    }
    return loaded.get(n);
  }

  function loadNeighbours() {
    const at = positions();
    for (const [k, here] of at.entries()) {
      for (const i of [here - 1, here + 1]) {
        const near = at.map((old, j) => (j === k ? i : old));
        if (i >= 0 && i < labels[k].length) load(number(near)).catch(() => {});
      }
    }
  }

  function describe(text) {
    let details = explorer.querySelector("figcaption details");
    if (!details) { // the first picture needed none
      caption.insertAdjacentHTML("afterend", '<details class="description"><summary>Description'
        + " of the picture</summary><p></p></details>");
      details = caption.nextElementSibling;
    }
    details.hidden = text === caption.textContent;
    details.querySelector("p").textContent = text;
  }

  function showTexts(short, long) {
    caption.textContent = short;
    frame.setAttribute("aria-label", `Picture: ${short}`);
    image.alt = long;
    describe(long);
  }

  async function show() {
    const at = positions();
    const now = wanted = number(at);
    for (const [k, control] of controls.entries()) {
      if (control.type !== "range") continue;
      control.setAttribute("aria-valuetext", labels[k][at[k]]);
      control.parentElement.querySelector(".value").textContent = labels[k][at[k]];
    }
    try {
      const picture = await load(now);
      if (wanted !== now) return; // the hand has moved on
      image.src = image.parentElement.href = picture.src;
      [image.width, image.height] = [picture.naturalWidth, picture.naturalHeight];
      showTexts(...texts[now]);
    } catch {
      loaded.delete(now); // to be tried again
      if (wanted === now) showTexts("This picture could not be loaded.", "No picture.");
    }
    loadNeighbours();
  }

  const player = form.querySelector(".play-time");
  let playing = 0; // the timer while the time passes
  function play() {
    const time = controls[player.dataset.time];
    clearInterval(playing);
    if (playing) {
      playing = 0;
    } else {
      if (time.value === time.max) time.value = 0;
      const pause = Math.max(120, Math.min(600, 9000 / time.max));
      playing = setInterval(() => {
        if (time.value === time.max) return play();
        time.stepUp();
        show();
      }, pause);
    }
    player.textContent = playing ? "■ Stop" : "▶ Play";
  }
  player?.addEventListener("click", play);

  form.addEventListener("input", show);
  form.addEventListener("reset", () => setTimeout(show)); // when the controls are back
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const approach of ["focusin", "pointerenter"]) {
    form.addEventListener(approach, loadNeighbours, { once: true });
  }
}
