// JupyterLab as the course wants it: the side bar is closed in a narrow window, "run all" leaves the
// reader at the top, what answers a question opens once it is answered, and in the dark theme no picture
// is a white slab: drawings are turned dark, pictures whose brightness means something stand on paper.
"use strict";

{
const STYLE = `
  [data-jp-theme-light="false"] .olc-drawing { filter: invert(0.89) hue-rotate(180deg); }
  [data-jp-theme-light="false"] .olc-paper { filter: sepia(0.15) brightness(0.85); border-radius: 6px; }
  .jp-DirListing-item { height: auto !important; }
  .jp-DirListing-itemText { white-space: normal; overflow-wrap: anywhere; }`;
const NARROW = 1000;
const DRAWN = 0.4; // the part of a drawing, at least, that is nearly white

function look(image) {
  if (!image.closest?.(".jp-OutputArea") || !image.naturalWidth) return;
  const canvas = Object.assign(document.createElement("canvas"), { width: 40, height: 40 });
  const pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0, 40, 40);
  const points = pen.getImageData(0, 0, 40, 40).data;
  let white = 0;
  for (let k = 0; k < points.length; k += 4) white += Math.min(points[k], points[k + 1], points[k + 2]) > 235;
  image.classList.toggle("olc-drawing", white >= DRAWN * 1600);
  image.classList.toggle("olc-paper", white < DRAWN * 1600);
}

function up(shell) {
  const notebook = shell.currentWidget?.content;
  if (!notebook?.widgets) return;
  notebook.activeCellIndex = 0;
  notebook.node.querySelector(".jp-WindowedPanel-outer")?.scrollTo(0, 0);
}

// A screen reader hears 0.8, not 0.7999999999999999.
function hear({ target }) {
  const heard = target.getAttribute("aria-valuetext");
  const short = String(Number(Number(heard).toPrecision(12)));
  if (heard && short !== "NaN" && short !== heard) target.setAttribute("aria-valuetext", short);
}

// What answers a question stays closed, also when it has run, until the question is answered.
const closed = new WeakSet(); // running a cell opens it and forgets that it was closed
function remember(panel) {
  panel?.context?.ready.then(() => {
    for (const cell of panel.content.widgets ?? []) {
      if (cell.model.getMetadata("jupyter")?.outputs_hidden) closed.add(cell);
    }
  });
}

function close(shell) {
  for (const cell of shell.currentWidget?.content?.widgets ?? []) if (closed.has(cell)) cell.outputHidden = true;
}

function open(shell, button) {
  const cells = shell.currentWidget?.content?.widgets ?? [];
  for (const cell of cells.slice(cells.findIndex(({ node }) => node.contains(button)) + 1)) {
    if (/^(ask|guess)\(|^## /m.test(cell.model.sharedModel.source)) break;
    if (closed.delete(cell)) cell.outputHidden = false;
  }
}

function activate({ shell, commands, restored }) {
  document.head.append(Object.assign(document.createElement("style"), { textContent: STYLE }));
  document.addEventListener("load", ({ target }) => target.matches?.("img") && look(target), true);
  new MutationObserver((changes) => changes.forEach(hear))
    .observe(document.body, { subtree: true, attributeFilter: ["aria-valuetext"] });
  shell.currentChanged?.connect((_, { newValue }) => remember(newValue));
  restored.then(() => remember(shell.currentWidget));
  restored.then(() => innerWidth < NARROW && shell.collapseLeft());
  document.addEventListener("click", ({ target }) => {
    const button = target.closest(".olc-ask button, .olc-guess button");
    if (button) open(shell, button);
  });
  commands.commandExecuted.connect((_, { id, result }) => {
    if (/^notebook:(restart-)?run/.test(id)) result.then(() => close(shell));
    if (!/run-all/.test(id)) return;
    requestAnimationFrame(() => up(shell)); // where it runs to
    result.then(() => requestAnimationFrame(() => {
      const { activeCellIndex, widgets } = shell.currentWidget?.content ?? {};
      if (activeCellIndex >= widgets?.length - 1) up(shell); // unless the reader went elsewhere
    }));
  });
}

(window._JUPYTERLAB ??= {})["olc-lab"] = {
  init() {},
  get: async () => () => ({ __esModule: true, default: { id: "olc-lab:plugin", autoStart: true, activate } }),
};
}
