// Explorers without a kernel: a moved control shows the frame that was drawn for its values, and
// where one of the controls is time, it plays.
"use strict";

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

for (const explorer of document.querySelectorAll(".explorer")) {
  // `frames` is the file; labels of each control's values, the last control fastest
  const { frames, labels } =
    JSON.parse(explorer.querySelector("script[type='application/json']").textContent);
  const form = explorer.querySelector("form");
  const controls = [...form.querySelectorAll("fieldset, input:not([type=radio]), select:not(.speed)")];
  const picture = explorer.querySelector("figure svg");
  const frame = explorer.querySelector(".frame");
  const caption = explorer.querySelector("figcaption p");
  let film; // what the file says: the parts of the frames, and which frame belongs to which values
  caption.setAttribute("aria-live", "polite");

  const positions = () => controls.map((control) =>
    control.type === "fieldset" ? Number(control.querySelector(":checked").value)
      : control.type === "checkbox" ? Number(control.checked)
      : control.type === "range" ? Number(control.value) : control.selectedIndex);

  function load() {
    film ??= new Promise((done, failed) => {
      const script = document.createElement("script");
      script.src = frames;
      script.onload = () => { script.remove(); done(unpacked(window.olcFrames)); };
      script.onerror = () => { script.remove(); film = undefined; failed(); }; // to be tried again
      document.head.append(script);
    });
    return film;
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
    picture.setAttribute("aria-label", long);
    describe(long);
  }

  async function show() {
    const at = positions();
    for (const [k, control] of controls.entries()) {
      if (control.type !== "range") continue;
      control.setAttribute("aria-valuetext", labels[k][at[k]]);
      control.parentElement.querySelector(".value").textContent = labels[k][at[k]];
    }
    const asked = String(at);
    try {
      const { parts, frames: drawn, texts, which } = await load();
      if (asked !== String(positions())) return; // the hand has moved on
      const now = which[at.reduce((sum, i, k) => sum * labels[k].length + i, 0)];
      if (picture.dataset.frame !== String(now)) {
        picture.dataset.frame = now;
        picture.innerHTML = drawn[now].map((k) => parts[k]).join("");
        showTexts(...texts[now]);
      }
      explorer.dispatchEvent(new Event("shown"));
    } catch {
      showTexts("This picture could not be loaded.", "No picture.");
    }
  }

  // Time passes at a click or at the space bar on its slider; any other move of a control stops it.
  const player = form.querySelector(".player");
  let playing = 0;
  function stop() {
    clearInterval(playing);
    playing = 0;
    caption.setAttribute("aria-live", "polite");
    if (player) player.querySelector(".play").textContent = "▶ Play";
  }
  if (player) {
    const time = controls[player.dataset.time];
    const step = (by) => { time.value = Number(time.value) + by; show(); };
    const play = () => {
      if (playing) return stop();
      if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
      if (time.value === time.max) step(-time.max);
      const pause = Math.min(600, 9000 / time.max) / player.querySelector(".speed").value;
      playing = setInterval(() => (time.value === time.max ? stop() : step(1)), pause);
      player.querySelector(".play").textContent = "■ Stop";
      caption.setAttribute("aria-live", "off");
    };
    player.addEventListener("click", ({ target }) => {
      if (target.matches(".play")) return play();
      if (!target.matches("[data-step]")) return;
      stop();
      step(Number(target.dataset.step));
    });
    player.querySelector(".speed").addEventListener("change", () => { if (playing) { stop(); play(); } });
    time.addEventListener("keydown", (event) => {
      if (event.key !== " ") return;
      event.preventDefault();
      play();
    });
    // a row of a ledger leads here, to its trial
    explorer.addEventListener("trial", ({ detail }) => {
      stop();
      const at = labels[player.dataset.time].indexOf(String(detail));
      step(at < 0 ? 0 : at - time.value);
    });
  }

  form.addEventListener("input", (event) => { if (!event.target.matches(".speed")) { stop(); show(); } });
  form.addEventListener("reset", () => { stop(); setTimeout(show); }); // when the controls are back
  form.addEventListener("submit", (event) => event.preventDefault());
  new IntersectionObserver(([seen], watch) => {
    if (!seen.isIntersecting) return;
    load().catch(() => {});
    watch.disconnect();
  }).observe(explorer);
}
