// The search: "/" opens it, arrows move, Enter goes, Escape closes. The index is a script of its own
// (index.js), loaded when it is first asked for; that works from files too.
"use strict";

const Search = (() => {
  const home = new URL("./", document.currentScript.src);
  const MOST = 30; // results that are shown
  const SNIPPET = 170; // letters of their texts
  const GREEK = {
    α: "alpha", β: "beta", γ: "gamma", δ: "delta", ε: "epsilon", ζ: "zeta", η: "eta", θ: "theta",
    ι: "iota", κ: "kappa", λ: "lambda", μ: "mu", ν: "nu", ξ: "xi", π: "pi", ρ: "rho", σ: "sigma",
    ς: "sigma", τ: "tau", υ: "upsilon", φ: "phi", χ: "chi", ψ: "psi", ω: "omega", ϑ: "theta",
  };
  const WORDS = {
    section: "Section", theorem: "Theorem", lemma: "Lemma", corollary: "Corollary",
    proposition: "Proposition", definition: "Definition",
    figure: "Figure", term: "Glossary", symbol: "Symbol", name: "Package",
  };
  // What a word counts in the title and in the text of an entry; statements are all the others.
  const WEIGHTS = { section: [30, 1], symbol: [26, 2], term: [24, 2], figure: [7, 1], name: [6, 1] };
  const STATED = [32, 10];

  // A letter as it is compared: without case and accents, Greek by name, dashes alike.
  const fold = letter => {
    const plain = letter.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
    return GREEK[plain] ?? plain.replace(/[‐-―−]/, "-").replace(/[’‘]/, "'").replace("∗", "*");
  };
  const folded = text => Array.from(text, fold).join("");
  const isLetter = letter => /[\p{L}\p{N}]/u.test(letter ?? "");

  // Where a word begins in a folded text, or -1: at the start of a word, or anywhere for signs.
  function position(text, word, from = 0) {
    for (let at = text.indexOf(word, from); at >= 0; at = text.indexOf(word, at + 1)) {
      if (!isLetter(word[0]) || !isLetter(text[at - 1])) return at;
    }
    return -1;
  }

  // How well an entry fits, 0 if it does not: every word must occur; titles count most, and a
  // whole word, a whole title and a phrase count more.
  function score(entry, words, asked) {
    const phrase = asked.join(" ");
    let sum = 2 * asked.filter(word => FILLERS.has(word) && position(entry.foldedTitle, word) >= 0).length;
    const [title, text] = WEIGHTS[entry.kind] ?? STATED;
    for (const word of words) {
      const at = position(entry.foldedTitle, word);
      if (at >= 0) {
        const whole = /^s?(?![\p{L}\p{N}])/u.test(entry.foldedTitle.slice(at + word.length));
        sum += whole ? 1.2 * title : title;
      } else if (position(entry.foldedText, word) >= 0) {
        sum += text;
      } else {
        return 0;
      }
    }
    if (entry.foldedTitle === phrase) sum += 20;
    if (words.length > 1 && position(entry.foldedTitle, phrase) >= 0) sum += title;
    if (words.length > 1 && position(entry.foldedText, phrase) >= 0) sum += 4 * text;
    return sum;
  }

  // Words of a question that say nothing about what is looked for.
  const FILLERS = new Set(("a an and are by can do does for how i in is it many mean much need of on or should than the to"
    + " versus vs what when which who why with you").split(" "));

  // By how many letters two words differ: inserted, left out, exchanged.
  function distance(a, b) {
    let row = Array.from({ length: b.length + 1 }, (_, j) => j);
    for (let i = 1; i <= a.length; i++) {
      const next = [i];
      for (let j = 1; j <= b.length; j++) {
        next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] !== b[j - 1])));
      }
      row = next;
    }
    return row[b.length];
  }

  // The words of the titles, those first that look most like a word.
  let titled = null;
  function nearest(word) {
    titled ??= [...new Set(entries().flatMap(entry => entry.foldedTitle.split(/[^a-z]+/)))].filter(Boolean);
    return titled.map(other => [distance(word, other), other]).sort((a, b) => a[0] - b[0]);
  }

  // The word itself if it occurs, or else one of the titles that looks nearly like it.
  function meant(word) {
    if (entries().some(entry => position(`${entry.foldedTitle} ${entry.foldedText}`, word) >= 0)) return word;
    const [off, other] = nearest(word)[0];
    return off <= (word.length > 6 ? 2 : word.length > 3 ? 1 : 0) ? other : word;
  }

  // What has all words but fillers, be it with slips; or else the nearest three.
  function find(query) {
    const words = folded(query).split(/[\s?!]+/).filter(Boolean).map(word => FILLERS.has(word) ? word : meant(word));
    if (!words.length) return [];
    const told = words.filter(word => !FILLERS.has(word));
    const telling = (told.length ? told : words).map(word => word.replace(/(?<=\w{3}[^s])s$/, ""));
    const found = having(telling, words);
    if (found.length) return found;
    const known = telling.flatMap(word => having([word]).slice(0, 3));
    const alike = new Set(nearest(words[0]).flatMap(([, word]) => having([word]).slice(0, 1)));
    return Object.assign((known.length ? known : [...alike]).slice(0, 3), { nearest: true });
  }

  function having(words, asked = words) {
    return entries()
      .map((entry, order) => ({ entry, order, score: score(entry, words, asked) }))
      .filter(found => found.score > 0)
      .sort((a, b) => b.score - a.score || a.order - b.order)
      .map(found => found.entry);
  }

  let read = null;
  function entries() {
    read ??= window.OLC_INDEX.map(([kind, title, href, lecture, text]) => ({
      kind, title, href, lecture, text,
      foldedTitle: folded(title), foldedText: folded(`${text} ${WORDS[kind]}`),
    }));
    return read;
  }

  // The text around the first word that was found, or all of it, with all words marked.
  function marked(text, words, most = Infinity) {
    const letters = Array.from(text);
    const starts = []; // where each letter begins in the folded text
    let plain = "";
    for (const letter of letters) {
      starts.push(plain.length);
      plain += fold(letter);
    }
    const found = new Array(letters.length).fill(false);
    let first = letters.length;
    for (const word of words) {
      for (let at = position(plain, word); at >= 0; at = position(plain, word, at + 1)) {
        const begin = starts.findLastIndex(start => start <= at);
        const end = starts.findLastIndex(start => start < at + word.length);
        found.fill(true, begin, end + 1);
        first = Math.min(first, begin);
      }
    }
    let start = most < letters.length && first < letters.length ? Math.max(0, first - 50) : 0;
    while (start > 0 && letters[start - 1] !== " ") start -= 1;
    let stop = Math.min(letters.length, start + most);
    while (stop < letters.length && letters[stop] !== " ") stop += 1;
    const line = document.createDocumentFragment();
    if (start > 0) line.append("… ");
    for (let k = start, end = k; k < stop; k = end) {
      while (end < stop && found[end] === found[k]) end += 1;
      const piece = letters.slice(k, end).join("");
      line.append(found[k] ? element("mark", {}, piece) : piece);
    }
    if (stop < letters.length) line.append(" …");
    return line;
  }

  // The box

  let box = null;
  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  function build() {
    box = element("dialog", { id: "search", "aria-label": "Search the course" });
    const input = element("input", {
      type: "search", role: "combobox", "aria-label": "Search the course",
      placeholder: "Novikoff, β, R/γ, fixed share …", autocomplete: "off", spellcheck: "false",
      "aria-controls": "search-results", "aria-expanded": "false", "aria-autocomplete": "list",
    });
    const close = element("button", { class: "tool", type: "button" }, "Close");
    const found = element("p", { class: "found", role: "status" });
    const list = element("ul", { id: "search-results", role: "listbox", "aria-label": "Results" });
    box.append(element("form", { method: "dialog" }, input, close), found, list);
    document.body.append(box);
    close.addEventListener("click", () => box.close());
    box.addEventListener("click", event => { if (event.target === box) box.close(); });
    input.addEventListener("input", () => show(input, found, list));
    input.addEventListener("keydown", event => {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        move(input, list, event.key === "ArrowDown" ? 1 : -1);
      } else if (event.key === "Escape") { // which would only empty the line
        event.preventDefault();
        box.close();
      } else if (event.key === "Enter") {
        event.preventDefault();
        list.querySelector("[aria-selected=true]")?.click();
      }
    });
  }

  function show(input, found, list) {
    const results = find(input.value);
    const words = folded(input.value).split(/\s+/).filter(Boolean).map(meant);
    list.replaceChildren(...results.slice(0, MOST).map((entry, k) => {
      const lecture = entry.lecture && entry.lecture !== "00" ? ` · lecture ${Number(entry.lecture)}` : "";
      const option = element(
        "li", { role: "option", id: `found-${k}`, "aria-selected": String(k === 0) },
        element("span", { class: "title" }, marked(entry.title, words)),
        element("span", { class: "place" }, `${WORDS[entry.kind]}${lecture}`),
        element("span", { class: "snippet" }, marked(entry.text, words, SNIPPET)),
      );
      option.addEventListener("click", () => {
        box.close();
        location.href = new URL(`../${entry.href}`, home);
      });
      return option;
    }));
    const shown = Math.min(results.length, MOST);
    const many = results.length > MOST ? `the best ${MOST} of ${results.length}` : `${results.length}`;
    found.textContent = results.nearest ? "Nothing found. The nearest three:" : shown ? `${many} found` : "";
    input.setAttribute("aria-expanded", String(shown > 0));
    point(input, list);
  }

  function move(input, list, step) {
    const options = [...list.children];
    if (!options.length) return;
    const now = options.findIndex(option => option.getAttribute("aria-selected") === "true");
    const next = (now + step + options.length) % options.length;
    options[now]?.setAttribute("aria-selected", "false");
    options[next].setAttribute("aria-selected", "true");
    options[next].scrollIntoView({ block: "nearest", behavior: "instant" });
    point(input, list);
  }

  function point(input, list) {
    const chosen = list.querySelector("[aria-selected=true]");
    if (chosen) input.setAttribute("aria-activedescendant", chosen.id);
    else input.removeAttribute("aria-activedescendant");
  }

  // Calls back when the index and the style of the box are there; both are asked for once.
  let loaded = null;
  function load(ready) {
    loaded ??= Promise.all([
      element("script", { src: new URL("index.js", home) }),
      element("link", { rel: "stylesheet", href: new URL("indexes.css", home) }),
    ].map(part => new Promise((resolve, reject) => {
      part.addEventListener("load", resolve);
      part.addEventListener("error", reject);
      document.head.append(part);
    })));
    loaded.then(ready);
  }

  function open() {
    load(() => {
      if (!box) build();
      if (!box.open) box.showModal();
      box.querySelector("input").select();
    });
  }

  const button = document.getElementById("search-open");
  if (button) {
    button.hidden = false;
    button.addEventListener("click", open);
  }
  document.addEventListener("keydown", event => {
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      open();
    }
  });
  return { find, open };
})();
