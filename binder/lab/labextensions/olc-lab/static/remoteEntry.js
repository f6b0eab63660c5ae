// JupyterLab as the course wants it: the side bar is closed in a narrow window, "run all" leaves the
// reader at the top, what answers a question opens once it is answered, and in the dark theme no picture
// is a white slab: drawings are turned dark, pictures whose brightness means something stand on paper.
"use strict";

{
const STYLE = `
  [data-jp-theme-light="false"] .jp-OutputArea img { filter: invert(0.89) hue-rotate(180deg); }
  [data-jp-theme-light="false"] .jp-OutputArea .olc-paper { filter: sepia(0.15) brightness(0.85); border-radius: 6px; }
  .jp-DirListing-itemModified, .jp-id-modified { display: none; }
  .jp-DirListing-itemName, .jp-id-name { width: 100% !important; }
  .jp-DirListing-item { display: flex; height: auto !important; }
  .jp-DirListing-itemText { white-space: normal; overflow-wrap: anywhere; }
  .olc-closed .jp-Cell-outputWrapper > *, .olc-closed.olc-tells .jp-Cell-inputWrapper { display: none; }
  .olc-closed .jp-Cell-outputWrapper::before {
    content: "Opens when you have answered, or with a click";
    margin-left: calc(var(--jp-cell-prompt-width) + var(--jp-cell-collapser-width)); padding: 4px 8px;
    border: 1px dashed var(--jp-border-color1); color: var(--jp-content-font-color2); cursor: pointer;
  }`;
const NARROW = 1000;
const DRAWN = 0.4; // the part of a drawing, at least, that is nearly white
const pen = new OffscreenCanvas(40, 40).getContext("2d", { willReadFrequently: true });

function look(image) {
  if (!image.closest(".jp-OutputArea") || !image.naturalWidth) return;
  pen.drawImage(image, 0, 0, 40, 40);
  const points = pen.getImageData(0, 0, 40, 40).data;
  let white = 0;
  for (let k = 0; k < points.length; k += 4) white += Math.min(points[k], points[k + 1], points[k + 2]) > 235;
  image.classList.toggle("olc-paper", white < DRAWN * 1600);
}

function up({ currentWidget }) {
  const notebook = currentWidget?.content;
  if (!notebook?.widgets) return;
  notebook.activeCellIndex = 0;
  notebook.scrollToItem(0, "start");
}

// A screen reader hears 0.8, not 0.7999999999999999.
function hear(target) {
  const heard = target.getAttribute("aria-valuetext");
  const short = String(Number(Number(heard).toPrecision(12)));
  if (heard && short !== "NaN" && short !== heard) target.setAttribute("aria-valuetext", short);
}

// What answers a question, up to the next text, is closed until the question is answered, also while it
// runs and after it was saved; code that asserts the answer is closed, too.
const answers = new WeakMap(); // for the node of a question, and of each cell that answers it
function close(panel) {
  panel?.context?.ready.then(() => {
    let question, told;
    for (const cell of panel.content.widgets ?? []) {
      const { model, node } = cell;
      const { source } = model.sharedModel;
      if (answers.has(node)) return; // all is closed already
      if (/^(ask|guess)\(/.test(source)) {
        answers.set(question = node, told = []);
      } else if (model.type !== "code") {
        if (told?.length || /^##? /.test(source)) question = null;
      } else if (question && model.outputs.length) {
        told.push(cell);
        answers.set(node, [cell]);
        node.classList.add("olc-closed");
        node.classList.toggle("olc-tells", /^ *assert /m.test(source));
      }
    }
  });
}

function open({ target }) {
  if (!target.closest(".olc-closed .jp-Cell-outputWrapper, .olc-ask button, .olc-guess button")) return;
  for (const cell of answers.get(target.closest(".jp-Cell")) ?? []) {
    cell.outputHidden = false;
    cell.node.classList.remove("olc-closed");
  }
}

function activate({ shell, commands, restored }) {
  document.head.append(Object.assign(document.createElement("style"), { textContent: STYLE }));
  document.addEventListener("load", ({ target }) => target.matches?.("img") && look(target), true);
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      hear(target);
      for (const node of addedNodes) node.querySelectorAll?.("img").forEach(look);
    }
  }).observe(document.body, { subtree: true, childList: true, attributeFilter: ["aria-valuetext"] });
  document.addEventListener("click", open);
  shell.currentChanged?.connect((_, { newValue }) => close(newValue));
  restored.then(() => {
    close(shell.currentWidget);
    if (innerWidth < NARROW) shell.collapseLeft();
  });
  commands.commandExecuted.connect((_, { id, result }) => {
    if (!/run-all(-cells)?$/.test(id)) return;
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
