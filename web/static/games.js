/* The six games of the course in the browser.

First the rules: `state(game, choice, moves)` is pure and says the same as the Python, word by word
(tests/test_games.py compares them in node). Then the pictures, as SVG in the colours of the theme.
Then the widget: controls, buttons, score, picture, caption, as in the notebooks.

`game` is what web/games.py writes into the page: name, controls, buttons, moves at the start, the
best possible score for each choice of the controls and its name, and the data that nature draws
from. `choice` has the index of the value of each control. */
"use strict";

const Games = (() => {
  // Numbers and words, as Python writes them ------------------------------------------------------

  const sum = (values) => values.reduce((a, b) => a + b, 0);
  const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
  const fixed = (x, decimals) => x.toFixed(decimals);

  /* Python's format "g". */
  function general(x, digits = 6) {
    const [mantissa, power] = x.toExponential(digits - 1).split("e");
    if (power >= -4 && power < digits) return String(Number(x.toPrecision(digits)));
    return `${Number(mantissa)}e${power[0]}${power.slice(1).padStart(2, "0")}`;
  }

  /* num/den as a number, from integers of any size. */
  const quotient = (num, den) => Number(`${(num * 10n ** 400n) / den}e-400`);

  function fraction(num, den) {
    let [a, b] = [num, den];
    while (b) [a, b] = [b, a % b];
    return `${num / a}/${den / a}`;
  }

  function check(legal, moves, wanted) {
    if (!legal.test(moves)) throw new Error(`${wanted}; got '${moves}'`);
  }

  // The random numbers of numpy, from the state of its generator ----------------------------------

  /* A function that returns the next 64 bits of PCG64. */
  function bits64({ state, inc }) {
    let s = BigInt(state);
    return () => {
      s = BigInt.asUintN(128, s * 0x2360ed051fc65da44385df649fccf645n + BigInt(inc));
      const x = BigInt.asUintN(64, (s >> 64n) ^ s);
      const turn = s >> 122n;
      return BigInt.asUintN(64, (x >> turn) | (x << (64n - turn)));
    };
  }

  /* rng.random(count) */
  function uniform(random, count) {
    const next = bits64(random);
    return Array.from({ length: count }, () => Number(next() >> 11n) * 2 ** -53);
  }

  /* rng.integers(low, high, count): 32 bits a draw, again if they would favour some numbers. */
  function integers(random, low, high, count) {
    const next = bits64(random);
    const halves = [];
    const drawn = [];
    while (drawn.length < count) {
      if (!halves.length) {
        const both = next();
        halves.push(Number(both & 0xffffffffn), Number(both >> 32n));
      }
      const product = halves.shift() * (high - low);
      if (product % 2 ** 32 >= 2 ** 32 % (high - low)) {
        drawn.push(low + Math.floor(product / 2 ** 32));
      }
    }
    return drawn;
  }

  // The rules -------------------------------------------------------------------------------------

  /* Lecture 2: you choose the labels, Weighted Majority predicts, until every one of four experts
     has erred three times. */
  function majority_game({ random, possible }, { beta }, moves) {
    check(/^[01]*$/, moves, "moves must hold one 0 or 1 per trial");
    const n = 4;
    const advice = integers(random, 1, 2 ** n - 1, moves.length + 1).map((pattern) =>
      Array.from({ length: n }, (_, i) => (pattern >> i) & 1),
    );
    const losses = Array(n).fill(0);
    const weights = () => losses.map((loss) => beta ** (loss - Math.min(...losses)));
    const vote = (x) => {
      const side = (label) => sum(weights().filter((_, i) => x[i] === label));
      return side(1) >= side(0) ? 1 : 0;
    };
    const made = [0];
    const best = [0];
    [...moves].forEach((move, t) => {
      made.push(made[t] + (vote(advice[t]) === Number(move) ? 0 : 1));
      advice[t].forEach((said, i) => (losses[i] += said === Number(move) ? 0 : 1));
      best.push(Math.min(...losses));
    });
    const b = 1 / Math.log(2 / (1 + beta));
    const bound = best.map((m) => Math.log(1 / beta) * b * m + b * Math.log(n));
    const x = advice.at(-1);
    const guess = vote(x);
    const M = made.at(-1);
    const over = best.at(-1) > 2;
    const score = Math.max(...made.filter((_, t) => best[t] <= 2));
    const wrong = [0, 1].map((label) => {
      const who = x.flatMap((said, i) => (said === label ? [] : [i + 1]));
      return `expert${who.length > 1 ? "s" : ""} ${who.join(", ")}`;
    });
    const told = over
      ? `the round is over, and your score is ${score}.`
      : `you have forced ${plural(M, "mistake")}; the best expert has made ${best.at(-1)}.`;
    return {
      score,
      possible,
      caption: `After ${plural(moves.length, "trial")} ${told}`,
      description:
        `${plural(moves.length, "trial")} played. Weighted Majority has made` +
        ` ${plural(M, "mistake")}, the experts ${losses.join(", ")}; the regret is` +
        ` ${M - best.at(-1)} and the bound ${fixed(bound.at(-1), 1)}.` +
        ` ${over ? "The round is over, your score is" : "Your score so far is"} ${score}. Next it` +
        ` will say ${guess}: label ${1 - guess} is a mistake for it and for ${wrong[1 - guess]};` +
        ` label ${guess} only for ${wrong[guess]}.`,
      x,
      guess,
      shares: weights().map((w) => w / sum(weights())),
      losses,
      made,
      best,
      bound,
      end: over ? best.indexOf(3) : null,
    };
  }

  /* Lecture 4: you choose which of two experts loses, Hedge spreads its weight. */
  function hedge_game({ possible }, { eta }, moves) {
    const wanted =
      "moves must be a text of the letters A and B, who loses 1 on each trial, or a and b, who" +
      " loses 1/2";
    check(/^[ABab]*$/, moves, wanted);
    const round = 16;
    const lost = [0, 0];
    const regret = [0];
    let paid = 0;
    const weights = () => {
      const w = lost.map((loss) => Math.exp(-eta * (loss - Math.min(...lost))));
      return w.map((each) => each / sum(w));
    };
    for (const move of moves) {
      const [loser, loss] = ["AB".indexOf(move.toUpperCase()), "AB".includes(move) ? 1 : 1 / 2];
      paid += weights()[loser] * loss;
      lost[loser] += loss;
      regret.push(paid - Math.min(...lost));
    }
    const T = moves.length;
    const horizon = Math.max(round, T);
    const [whole, halves] = [1, 2].map((parts) => hedgeWorstCases(horizon, eta, parts));
    const bound = whole.map((_, t) => Math.log(2) / eta + (eta / 8) * t);
    const v = weights();
    return {
      score: regret[Math.min(T, round)],
      possible,
      caption: T
        ? `After ${plural(T, "trial")} nature has forced a regret of ${fixed(regret[T], 2)}; with losses` +
          ` zero or one ${fixed(whole[T], 2)} is the most.`
        : `The most that nature can force in ${horizon} trials is ${fixed(whole[horizon], 2)}` +
          ` with whole losses, ${fixed(halves[horizon], 2)} with halves.`,
      description:
        `After ${plural(T, "trial")} (${moves || "none yet"}) with η = ${general(eta)} the regret of Hedge` +
        ` is ${fixed(regret[T], 3)}. The best play with losses 0 or 1 reaches` +
        ` ${fixed(whole[T], 3)} in as many trials, with losses 1/2 as well` +
        ` ${fixed(halves[T], 3)}; the bound allows ${fixed(bound[T], 3)}. Next weights: A` +
        ` ${fixed(v[0], 2)}, B ${fixed(v[1], 2)}.`,
      lost,
      regret,
      whole,
      halves,
      bound,
      v,
    };
  }

  /* The largest regret of Hedge with two experts in 0, 1, …, T trials with the losses 0, 1/parts,
     …, 1: what nature can still gain depends on the trials left and on how far one expert is
     behind the other. */
  function hedgeWorstCases(T, eta, parts) {
    let gains = Array(parts * T + 1).fill(0); // with no trial left, by the gap in parts
    const worst = [0];
    for (let left = 1; left <= T; left++) {
      gains = Array.from({ length: parts * (T - left) + 1 }, (_, gap) => {
        const behind = Math.exp((-eta * gap) / parts);
        let most = 0;
        for (let a = 0; a <= parts; a++) {
          for (let b = 0; b <= parts; b++) {
            const paid = (a + behind * b) / (1 + behind);
            const rise = Math.min(a, gap + b);
            most = Math.max(most, (paid - rise) / parts + gains[Math.abs(gap + b - a)]);
          }
        }
        return most;
      });
      worst.push(gains[0]);
    }
    return worst;
  }

  /* Lecture 6: you show points with labels to the Perceptron, while a line separates them. */
  function nature_game({ points, possible }, _, moves) {
    const names = "ABCD";
    const unknown = [...new Set(moves.toUpperCase())].filter((m) => !names.includes(m)).sort();
    if (unknown.length) {
      const got = unknown.map((m) => `'${m}'`).join(", ");
      throw new Error(
        `moves are the letters ABCD for label +1 and abcd for label -1; got [${got}]`,
      );
    }
    const shown = [...moves].map((move) => {
      const point = names.indexOf(move.toUpperCase());
      const y = names.includes(move) ? 1 : -1;
      return { point, y, z: points[point].map((value) => y * value) };
    });
    const bounds = [];
    let best = null; // the separator with the largest margin, as long as there is one
    let R = 0;
    for (let k = 1; k <= shown.length; k++) {
      best = maxMargin(shown.slice(0, k).map(({ z }) => z));
      if (!best) break;
      R = Math.max(R, Math.hypot(...shown[k - 1].z));
      bounds.push(R ** 2 / best.gamma ** 2);
    }
    const over = bounds.length < shown.length;
    let w = [0, 0];
    let wrong = false;
    const made = [0];
    for (const { z } of shown) {
      wrong = dot(w, z) <= 0;
      if (wrong) w = [w[0] + z[0], w[1] + z[1]];
      made.push(made.at(-1) + (wrong ? 1 : 0));
    }
    const score = made[bounds.length];
    const texts = () => {
      if (over) {
        const ended = "no line through the origin separates your examples any more.";
        return [
          `Game over: ${ended} You had ${plural(score, "mistake")}.`,
          `Game over on move ${bounds.length + 1}: ${ended} The theorem is silent, the Perceptron` +
            ` may err for ever. Mistakes before that move: ${score}.`,
        ];
      }
      if (!moves) {
        return [
          "You are nature: show a point with a label, and see whether w is wrong about it.",
          "You are nature. Four points A, B, C, D wait; each button shows one of them with a" +
            " label. The Perceptron starts at w = (0, 0), where every score is 0. The best" +
            ` possible play makes ${possible} mistakes.`,
        ];
      }
      const { point, y } = shown.at(-1);
      const was = `the Perceptron was ${wrong ? "wrong" : "right"}`;
      const allowed = fixed(bounds.at(-1), 1);
      return [
        `T${was.slice(1)}. Mistakes so far: ${score}; Novikoff allows at most ${allowed}.`,
        `Move ${moves.length}: ${names[point]} with label ${y > 0 ? "+1" : "−1"}; ${was}.` +
          ` Mistakes so far: ${score}. Your examples have margin γ = ${general(best.gamma, 3)}` +
          ` and R = ${general(R, 3)}, so Novikoff allows at most (R/γ)² = ${allowed} mistakes.`,
      ];
    };
    const [caption, description] = texts();
    const v = best && best.v;
    return { score, possible, caption, description, points, shown, w, v, made, bounds, over };
  }

  const dot = (a, b) => a[0] * b[0] + a[1] * b[1];

  /* The direction v, ‖v‖ = 1, that maximises the smallest v·z, if that is positive: it points to a
     z, or is at a right angle to the line through two. */
  function maxMargin(rows) {
    const directions = rows.flatMap((p) => [p, ...rows.map((q) => [q[1] - p[1], p[0] - q[0]])]);
    let best = null;
    for (const d of directions) {
      const least = Math.min(...rows.map((z) => dot(d, z)));
      const gamma = least / Math.hypot(...d);
      if (least > 0 && !(best && gamma <= best.gamma)) {
        best = { gamma, v: d.map((value) => value / Math.hypot(...d)) };
      }
    }
    return best;
  }

  /* Lecture 15: each move makes one of four experts the best for ten trials; the label is 0. */
  function shift_game({ random, possible }, { alpha }, moves) {
    const wanted =
      "moves must be a text of the letters A, B, C and D, the best expert of each block";
    check(/^[ABCD]*$/, moves, wanted);
    const [round, n, block] = [11, 4, 10];
    const blocks = `A${moves}`;
    const T = block * blocks.length;
    const sequence = Array.from({ length: T }, (_, t) => "ABCD".indexOf(blocks[(t / block) | 0]));
    const numbers = uniform(random, n * T);
    const learners = {
      "static weights": weightSharing(n, () => 1),
      "Fixed Share": weightSharing(n, () => 1 - alpha),
      "Variable Share": weightSharing(n, (loss) => 0.7 ** loss),
    };
    const regrets = Object.fromEntries(Object.keys(learners).map((name) => [name, [0]]));
    const bound = [0];
    let shifts = 0;
    sequence.forEach((best, t) => {
      const x = numbers.slice(n * t, n * t + n).map((r, i) => 0.9 * r * (i === best ? 0.2 : 1));
      for (const [name, trial] of Object.entries(learners)) {
        regrets[name].push(regrets[name][t] + trial(x) - x[best] ** 2);
      }
      if (t && best !== sequence[t - 1]) shifts += 1;
      const logPrior =
        (t - shifts) * Math.log1p(-alpha) + shifts * Math.log(alpha / (n - 1)) - Math.log(n);
      bound.push(-logPrior / 2);
    });
    const paid = (name) => regrets[name][T];
    const lead = paid("static weights") - paid("Fixed Share");
    const over = moves.length === round;
    const finding = `${over ? "Your score" : "So far"}, static minus Fixed Share: ${fixed(lead, 2)}.`;
    return {
      score: over ? lead : null,
      possible,
      caption: finding,
      description:
        `${blocks}: ${plural(blocks.length, "block")} of ten trials, ${plural(shifts, "shift")},` +
        ` α = ${general(alpha)}. Regrets: static weights ${fixed(paid("static weights"), 2)},` +
        ` Fixed Share ${fixed(paid("Fixed Share"), 2)} (bound ${fixed(bound[T], 2)}), Variable` +
        ` Share ${fixed(paid("Variable Share"), 2)}. ${finding}`,
      blocks,
      regrets,
      bound,
    };
  }

  /* A learner with square loss, η = 2 and Vovk's prediction, in which an expert keeps a part of its
     weight that depends on its loss and gives the rest to the others: a function that plays a trial
     with label 0 and returns the loss. */
  function weightSharing(n, kept) {
    let log = Array(n).fill(0); // of the weights, so that nothing underflows
    return (x) => {
      const largest = Math.max(...log);
      const w = log.map((each) => Math.exp(each - largest));
      const after = (label) => w.map((each, i) => each * Math.exp(-2 * (label - x[i]) ** 2));
      const m = after(0);
      const vovk = 1 / 2 + Math.log(sum(after(1)) / sum(m)) / 4;
      const keep = x.map((each) => kept(each ** 2));
      const give = m.map((each, i) => each * (1 - keep[i]));
      log = log.map((each, i) => {
        const received = sum(give.filter((_, j) => j !== i)) / (n - 1);
        return each - 2 * x[i] ** 2 + Math.log(keep[i] + (received && received / m[i]));
      });
      return vovk ** 2;
    };
  }

  /* Lecture 17: you predict, and nature always contradicts. Its interval of thresholds begins at
     a/d and has the length 2/d; it shows you the middle, and keeps a third. */
  function never_found({ possible }, _, moves) {
    check(/^[01]*$/, moves, "moves must be a text of the letters 0 and 1, your predictions");
    let [a, d] = [1n, 4n];
    const asked = [];
    const ask = () => {
      const exact = fraction(a + 1n, d);
      asked.push(exact.length < 16 ? exact : fixed(quotient(a + 1n, d), 10));
    };
    const answers = [...moves].map((move) => 1 - Number(move));
    for (const answer of answers) {
      ask();
      [a, d] = [3n * a + (answer ? 4n : 0n), 3n * d];
    }
    ask();
    const T = moves.length;
    return {
      score: 0,
      possible,
      caption: T
        ? `${plural(T, "prediction")}, ${plural(T, "mistake")}, and still a whole interval of thresholds agrees with` +
          " everything that nature said."
        : "Say what you like: nature will contradict, and thresholds are left that agree.",
      description:
        `After ${plural(T, "prediction")} (${moves || "none yet"}) you made ${plural(T, "mistake")}. The thresholds` +
        ` that agree with all of nature's answers start at ${general(quotient(a, d), 8)} and` +
        ` still fill a length of ${general(quotient(2n, d), 2)}. A point x is positive, label 1,` +
        " if it is not above the threshold.",
      moves,
      asked,
      answers,
    };
  }

  /* Lecture 17: you predict, and nature walks down the deepest tree of mistakes of the threshold
     functions of four variables: the points that it asks, the functions that are left, and weights
     for each end, level by level. */
  function threshold_tree({ possible, asked, left, ends }, _, moves) {
    check(/^[01]*$/, moves, "moves must be a text of the letters 0 and 1, your predictions");
    const depth = asked.length;
    const said = [...moves.slice(0, depth)].map(Number);
    const nodes = [0];
    for (const move of said) nodes.push(2 * nodes.at(-1) + 1 - move);
    const number = nodes.map((k, t) => left[t][k]);
    const points = nodes.slice(0, depth).map((k, t) => asked[t][k].toString(2).padStart(4, "0"));
    const end = said.length === depth ? ends[nodes.at(-1)] : null;
    const minus = (text) => text.replaceAll("-", "−");
    const answers = said.map((move, t) => {
      const score = end && sum([...points[t]].map((bit, i) => bit * end[i]));
      const told = end ? `: ${score} ${move ? "≤" : ">"} ${end[4]}` : "";
      return minus(`you ${move}, nature ${1 - move}${told}`);
    });
    const sign = (w) => (w < 0 ? " − " : " + ");
    const term = (w, i) => [sign(w), Math.abs(w) > 1 ? Math.abs(w) : "", `x${"₁₂₃₄"[i]}`];
    const terms = end && end.slice(0, 4).flatMap((w, i) => (w ? term(w, i) : [])).join("");
    const scores = (terms || " + 0").replace(/^ \+ /, "").replace(/^ − /, "−");
    const formula = end && minus(`1[${scores} > ${end[4]}]`);
    const functions = `${number.at(-1)} of the ${number[0]} threshold functions`;
    const told = answers.map((answer, t) => `${points[t]}: ${answer}; ${number[t + 1]} left.`);
    told.push(end ? `${formula} gives all these labels.` : `Next it asks ${points.at(-1)}.`);
    return {
      score: 0,
      possible,
      caption: said.length
        ? `${plural(said.length, "answer")}, none right: ${functions}` +
          ` ${number.at(-1) === 1 ? "is" : "are"} left.`
        : `Nature asks, you answer, nature contradicts: ${functions} are left.`,
      description:
        `Nature asks for labels of points of four bits. ${told.join(" ")} On the left the path` +
        ` through the ${2 ** depth - 1} questions of the tree, solid for the label 1, dashed for 0.` +
        " On the right the functions that are left, on a logarithmic scale; the dashed line is" +
        ` what ${depth}, ${depth - 1}, … more mistakes need.`,
      depth,
      said,
      nodes,
      number,
      points,
      answers,
      formula,
    };
  }

  const RULES = {
    majority_game,
    hedge_game,
    nature_game,
    shift_game,
    never_found,
    threshold_tree,
  };

  /* What the Python figure says and shows: score, possible, caption, description, and what the
     picture needs. */
  function state(game, choice, moves) {
    const values = {};
    let place = 0; // of the choice in the table of all choices, the last control fastest
    game.controls.forEach((control, i) => {
      values[control.name] = control.values[choice[i]];
      place = place * control.values.length + choice[i];
    });
    return RULES[game.name]({ ...game, possible: game.possible[place] }, values, moves);
  }

  return { state, general };
})();


if (typeof module !== "undefined") module.exports = Games;
else
  (() => {
    // Elements and looks --------------------------------------------------------------------------

    const STYLE = `
      .game {
        --blue: light-dark(#0072b2, #4fa8de); --vermilion: light-dark(#d55e00, #ff8a3d);
        --green: light-dark(#009e73, #2dc79b); --purple: light-dark(#cc79a7, #e39ac4);
        --sky: #56b4e9; --orange: #e69f00; --ink: var(--text);
        --grey: light-dark(#767676, #9a9a9a); --mid: light-dark(#b0b0b0, #757575);
        --pale: light-dark(#eee, #333); --faint: light-dark(#e4e4e4, #3c3c3c);
        margin: 1.25rem 0; font-family: var(--sans);
      }
      .game .controls label { display: flex; gap: .6rem; align-items: center; max-width: 30rem; }
      .game .controls input { flex: 1; min-width: 0; min-height: 2.25rem;
        accent-color: var(--accent); }
      .game .controls output { min-width: 3em; }
      .game .moves { display: flex; flex-wrap: wrap; gap: .5rem; }
      .game .score { margin: .5rem 0; font-size: .95rem; }
      .game .picture { margin: 0; }
      .game .frame > svg { display: block; max-width: 100%; font-size: 13px; }
      .game text { fill: var(--text); }
      .game .title { font-size: 14px; font-weight: 600; }
      .game .halo { paint-order: stroke; stroke: var(--page); stroke-width: 3px; }
      @media print { .game .controls, .game .moves { display: none; } }`;

    const LOOK = {
      majority: { stroke: "--vermilion" },
      hedge: { stroke: "--purple" },
      perceptron: { stroke: "--blue" },
      "static weights": { stroke: "--sky" },
      "Fixed Share": { stroke: "--vermilion" },
      "Variable Share": { stroke: "--green", dash: "12 2" },
      "best expert": { stroke: "--blue", dash: "6 2 2 2" },
      "worst case": { stroke: "--ink" },
      "best with halves": { stroke: "--ink", dash: "6 2" },
      bound: { stroke: "--grey", dash: "7 4" },
      "best possible": { stroke: "--green", dash: "2 3" },
    };
    const EXPERTS = ["--blue", "--orange", "--green", "--purple"];
    const HATCHES = ["", "M0 8L8 0", "M1 2h2M5 6h2", "M0 0L8 8"];

    function element(space, tag, attributes, inside) {
      const made = document.createElementNS(`http://www.w3.org/${space}`, tag);
      for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
      made.append(...inside);
      return made;
    }
    const html = (tag, attributes = {}, ...inside) =>
      element("1999/xhtml", tag, attributes, inside);
    const svg = (tag, attributes = {}, ...inside) => element("2000/svg", tag, attributes, inside);

    const colour = (property, name) => `${property}: ${name === "none" ? name : `var(${name})`}`;

    function path(points, { stroke, dash = "", width = 2 }) {
      const d = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
      const style = `fill: none; ${colour("stroke", stroke)}`;
      return svg("path", { d: `M${d}`, style, "stroke-width": width, "stroke-dasharray": dash });
    }

    function area(points, fill, opacity = 1) {
      const d = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
      return svg("polygon", { points: d, style: colour("fill", fill), opacity });
    }

    function write(text, x, y, { anchor = "start", middle = false, ...more } = {}) {
      const place = { x, y, "text-anchor": anchor, dy: middle ? "0.35em" : 0 };
      return svg("text", { ...place, ...more }, text);
    }

    /* A box in a colour; a hatch in the colour of the page helps those who see none. */
    function box(x, y, width, height, fill, { hatch = 0, stroke = "none", ...more } = {}) {
      const place = { x, y, width: Math.max(width, 0), height: Math.max(height, 0) };
      const style = `${colour("fill", fill)}; ${colour("stroke", stroke)}`;
      const plain = svg("rect", { ...place, style, ...more });
      if (!hatch) return plain;
      return svg("g", {}, plain, svg("rect", { ...place, fill: `url(#hatch-${hatch})` }));
    }

    /* The hatches, in an invisible picture of their own: all games share them. */
    function hatches() {
      const sheet = svg("svg", { width: 0, height: 0, style: "position: absolute" });
      HATCHES.forEach((d, i) => {
        const tile = { id: `hatch-${i}`, width: 8, height: 8, patternUnits: "userSpaceOnUse" };
        sheet.append(svg("pattern", tile, svg("path", { d, style: colour("stroke", "--page") })));
      });
      sheet.setAttribute("aria-hidden", "true");
      return sheet;
    }

    /* Round numbers from low to high, about `count` of them. */
    function ticks(low, high, { count = 6, whole = false } = {}) {
      const rough = (high - low) / count;
      const ten = 10 ** Math.floor(Math.log10(rough));
      const found = [1, 2, 5, 10].map((step) => step * ten).find((step) => step >= rough);
      const step = whole ? Math.max(1, Math.round(found)) : found;
      const first = Math.ceil(low / step - 1e-9);
      const length = Math.floor(high / step + 1e-9) - first + 1;
      return Array.from({ length }, (_, i) => (first + i) * step);
    }

    const tickText = (value) => Games.general(value).replace("-", "−");

    /* Axes in a box of the sheet, with a frame that cuts off what runs out of them. */
    class Axes {
      constructor(sheet, { x, y, width, height, ...given }) {
        Object.assign(this, { scale: (value) => value, left: 50, top: 28, bottom: 44 }, given);
        this.width = width - this.left - 14;
        this.height = height - this.top - this.bottom;
        const place = { x: x + this.left, y: y + this.top };
        this.front = svg("g", { transform: `translate(${place.x}, ${place.y})` });
        this.inside = svg("svg", { ...place, width: this.width, height: this.height });
        sheet.append(this.front, this.inside);
        this.draw();
      }

      px(x) {
        return ((x - this.xlim[0]) / (this.xlim[1] - this.xlim[0])) * this.width;
      }

      py(y) {
        const [low, high] = this.ylim.map(this.scale);
        return this.height * (1 - (this.scale(y) - low) / (high - low));
      }

      draw() {
        const { width, height, front } = this;
        const faint = { stroke: "--faint", width: 1 };
        for (const [value, text = tickText(value), grid = true] of this.xticks ?? []) {
          const at = this.px(value);
          if (grid) front.append(path([[at, 0], [at, height]], faint));
          text.split("\n").forEach((line, i) => {
            front.append(write(line, at, height + 17 + 16 * i, { anchor: "middle" }));
          });
        }
        for (const [value, text = tickText(value), grid = true] of this.yticks ?? []) {
          const at = this.py(value);
          if (grid) front.append(path([[0, at], [width, at]], faint));
          front.append(write(text, -7, at, { anchor: "end", middle: true }));
        }
        const spines = [[0, 0], [0, height], [width, height]];
        if (this.xticks) front.append(path(spines, { stroke: "--ink", width: 1 }));
        if (this.title) front.append(write(this.title, 0, -10, { class: "title" }));
        if (this.xlabel) {
          front.append(write(this.xlabel, width / 2, height + 36, { anchor: "middle" }));
        }
        if (this.ylabel) {
          const turned = { anchor: "middle", transform: "rotate(-90)" };
          front.append(write(this.ylabel, -height / 2, -36, turned));
        }
      }

      points(xs, ys) {
        return xs.map((x, i) => [this.px(x), this.py(ys[i])]);
      }

      /* A line, with a marker at each point if wanted: "o", "s" or ".". */
      line(xs, ys, look, marker) {
        const points = this.points(xs, ys);
        this.inside.append(path(points, look));
        const style = colour("fill", look.stroke);
        for (const [x, y] of marker ? points : []) {
          this.inside.append(
            marker === "s"
              ? svg("rect", { x: x - 3, y: y - 3, width: 6, height: 6, style })
              : svg("circle", { cx: x, cy: y, r: marker === "o" ? 3.5 : 2, style }),
          );
        }
      }
    }

    /* Samples of lines with their names, in as many rows as needed; returns the height. */
    function legend(sheet, width, y, items) {
      let [x, row] = [8, 0];
      for (const [name, look] of items) {
        const wide = 36 + 7.2 * name.length;
        if (x > 8 && x + wide > width) [x, row] = [8, row + 1];
        const at = y + 12 + 20 * row;
        sheet.append(path([[x, at], [x + 26, at]], look));
        sheet.append(write(name, x + 32, at, { middle: true }));
        x += wide + 10;
      }
      return 20 * (row + 1) + 4;
    }

    const count = (length) => Array.from({ length }, (_, i) => i);
    const labelled = (values) => values.map((value) => [value]);

    // The pictures: each draws on a sheet of a width, and returns its height ----------------------

    function drawMajority(sheet, width, s) {
      const wide = width >= 600;
      const n = s.x.length;
      const left = wide ? 0.56 * width : width;
      const top = 1.15 * Math.max(0.4, ...s.shares);
      const bars = new Axes(sheet, {
        x: 0,
        y: 0,
        width: left,
        height: 220,
        title: `trial ${s.made.length}: Weighted Majority will say ${s.guess}`,
        xlabel: "expert",
        ylabel: "share of the weight",
        xlim: [0.4, n + 0.6],
        ylim: [0, top],
        xticks: s.x.map((_, i) => [i + 1, `${i + 1}`, false]),
        yticks: labelled(ticks(0, top, { count: 4 })),
      });
      s.shares.forEach((share, i) => {
        const [x, y] = [bars.px(i + 0.65), bars.py(share)];
        const fill = s.x[i] === s.guess ? "--vermilion" : "none";
        const edge = { stroke: "--vermilion", "stroke-width": 2 };
        const middle = { anchor: "middle", "font-weight": 600 };
        bars.inside.append(
          box(x, y, bars.px(i + 1.35) - x, bars.height - y, fill, edge),
          write(`says ${s.x[i]}`, bars.px(i + 1), y - 5, middle),
        );
      });

      const values = [s.made.at(-1), ...s.losses];
      const most = 1.15 * Math.max(5, ...values);
      const rows = ["WM", ...s.losses.map((_, i) => `expert ${i + 1}`)];
      const counts = new Axes(sheet, {
        x: wide ? left : 0,
        y: wide ? 0 : 220,
        width: width - (wide ? left : 0),
        height: wide ? 220 : 190,
        left: 66,
        title: "mistakes so far",
        xlim: [0, most],
        ylim: [n + 0.6, -0.6],
        xticks: labelled(ticks(0, most, { whole: true })),
        yticks: rows.map((name, i) => [i, name, false]),
        bottom: 26,
      });
      const least = Math.min(...s.losses);
      values.forEach((value, i) => {
        const fill = i === 0 ? "--vermilion" : value === least ? "--blue" : "--mid";
        const y = counts.py(i - 0.35);
        counts.inside.append(
          box(0, y, counts.px(value), counts.py(i + 0.35) - y, fill),
          write(`${value}`, counts.px(value) + 5, counts.py(i), { middle: true }),
        );
      });

      const y = wide ? 226 : 416;
      const bound = s.bound.at(-1);
      const names = legend(sheet, width, y, [
        [`bound ${bound.toFixed(1)}`, LOOK.bound],
        [`Weighted Majority ${s.made.at(-1)}`, LOOK.majority],
        [`best expert ${s.best.at(-1)}`, LOOK["best expert"]],
      ]);
      const high = 1.2 * Math.max(8, bound, s.made.at(-1));
      const last = Math.max(10, s.made.length - 1);
      const curve = new Axes(sheet, {
        x: 0,
        y: y + names,
        width,
        height: 230,
        top: 8,
        xlabel: "trials played",
        ylabel: "mistakes so far",
        xlim: [-0.3, last + 0.3],
        ylim: [-0.5, high],
        xticks: labelled(ticks(0, last, { whole: true, count: wide ? 10 : 5 })),
        yticks: labelled(ticks(0, high, { whole: true })),
      });
      const t = count(s.made.length);
      const under = curve.points(t, s.best).reverse();
      curve.inside.append(area([...curve.points(t, s.made), ...under], "--pale"));
      if (s.end !== null) {
        const x = curve.px(s.end);
        curve.inside.append(
          path([[x, 0], [x, curve.height]], { stroke: "--grey", width: 1 }),
          write("end of the round", x - 5, 14, { anchor: "end", class: "halo" }),
        );
      }
      curve.line(t, s.bound, LOOK.bound, ".");
      curve.line(t, s.made, LOOK.majority, "o");
      curve.line(t, s.best, LOOK["best expert"], "s");
      if (s.made.length === 1) {
        const hint = "each label that you choose adds a point";
        curve.inside.append(write(hint, curve.px(5), curve.py(2), { anchor: "middle" }));
      }
      return y + names + 230;
    }

    function drawHedge(sheet, width, s) {
      const wide = width >= 600;
      const left = wide ? width - 240 : width;
      const better = s.halves.some((value, t) => value > s.whole[t] + 1e-9);
      const horizon = s.whole.length - 1;
      const high = 1.05 * Math.max(s.bound.at(-1), ...s.halves);
      const names = legend(sheet, width, 0, [
        ["bound (ln 2)/η + ηt/8", LOOK.bound],
        ...(better ? [["best with halves", LOOK["best with halves"]]] : []),
        ["best with losses 0 or 1", LOOK["worst case"]],
        ["regret so far", LOOK.hedge],
      ]);
      const axes = new Axes(sheet, {
        x: 0,
        y: names,
        width: left,
        height: 340,
        top: 8,
        xlabel: "trials t",
        ylabel: "regret of Hedge",
        xlim: [-0.02 * horizon, 1.02 * horizon],
        ylim: [-0.02 * high, high],
        xticks: labelled(ticks(0, horizon, { whole: true, count: wide ? 10 : 6 })),
        yticks: labelled(ticks(0, high)),
      });
      const t = count(horizon + 1);
      axes.line(t, s.bound, LOOK.bound);
      if (better) axes.line(t, s.halves, LOOK["best with halves"]);
      axes.line(t, s.whole, LOOK["worst case"]);
      axes.line(count(s.regret.length), s.regret, LOOK.hedge, "o");

      const side = new Axes(sheet, {
        x: wide ? left : 0,
        y: names + (wide ? 0 : 350),
        width: width - (wide ? left : 0),
        height: wide ? 340 : 220,
        title: "Hedge's next weights",
        xlim: [-0.6, 1.6],
        ylim: [0, 1.1],
        xticks: s.lost.map((lost, i) => [i, `${"AB"[i]}\nlost ${Games.general(lost)}`, false]),
        yticks: labelled(ticks(0, 1)),
      });
      s.v.forEach((v, i) => {
        const [x, y] = [side.px(i - 0.4), side.py(v)];
        side.inside.append(
          box(x, y, side.px(i + 0.4) - x, side.height - y, "--purple", { hatch: i }),
          write(v.toFixed(2), side.px(i), y - 5, { anchor: "middle" }),
        );
      });
      return names + (wide ? 340 : 570);
    }

    function drawNature(sheet, width, s) {
      const wide = width >= 600;
      const square = Math.min(wide ? 0.46 * width : width, 400);
      const plane = new Axes(sheet, {
        x: 0,
        y: 0,
        width: square,
        height: square + 14,
        title: `w = (${s.w.map((value) => Games.general(value)).join(", ")})`,
        xlabel: "x₁",
        ylabel: "x₂",
        xlim: [-9, 9],
        ylim: [-9, 9],
        xticks: ticks(-9, 9, { count: 5 }).map((value) => [value, undefined, !value]),
        yticks: ticks(-9, 9, { count: 5 }).map((value) => [value, undefined, !value]),
      });
      const at = ([x, y]) => [plane.px(x), plane.py(y)];
      const ends = ([a, b]) => {
        const far = 9 / Math.max(Math.abs(a), Math.abs(b));
        return [[-b, a], [b, -a]].map((end) => end.map((value) => far * value));
      };
      const length = Math.hypot(...s.w);
      if (length) {
        const [a, b] = s.w;
        const angle = ([x, y]) => Math.atan2(a * y - b * x, a * x + b * y);
        const corners = [[9, 9], [9, -9], [-9, 9], [-9, -9]];
        const positive = corners.filter(([x, y]) => a * x + b * y > 0);
        const shade = [...ends(s.w), ...positive].sort((p, q) => angle(p) - angle(q));
        plane.inside.append(area(shade.map(at), "--blue", 0.12));
        plane.inside.append(path(ends(s.w).map(at), { stroke: "--ink", width: 1.5 }));
      }
      if (s.v && !s.over) {
        const middle = { anchor: "middle", middle: true, class: "halo" };
        const name = at([5.5 * s.v[1], -5.5 * s.v[0]]);
        plane.inside.append(
          path(ends(s.v).map(at), { stroke: "--green", width: 1.5, dash: "7 4" }),
          write("best separator", ...name, middle),
        );
      }
      s.points.forEach((point, i) => {
        const [x, y] = at(point);
        const labels = s.shown.filter((each) => each.point === i).map((each) => each.y);
        plane.inside.append(write("ABCD"[i], x, y - 14, { anchor: "middle", class: "halo" }));
        if (!labels.length) {
          const empty = `${colour("fill", "--page")}; ${colour("stroke", "--grey")}`;
          plane.inside.append(svg("circle", { cx: x, cy: y, r: 8, style: empty }));
        }
        const white = { stroke: "--page", width: 2.5 };
        if (labels.includes(1)) {
          plane.inside.append(
            svg("circle", { cx: x, cy: y, r: 9, style: colour("fill", "--blue") }),
            path([[x, y - 4.5], [x, y + 4.5]], white),
          );
        }
        if (labels.includes(-1)) plane.inside.append(box(x - 8, y - 8, 16, 16, "--vermilion"));
        if (labels.length) plane.inside.append(path([[x - 4.5, y], [x + 4.5, y]], white));
      });
      if (length) {
        const tip = s.w.map((value) => value / Math.max(1, length / 8));
        const [x, y] = at(tip);
        const [dx, dy] = [s.w[0] / length, -s.w[1] / length];
        const head = [0, 4, -4].map((off) => {
          const back = off && 10;
          return [x - back * dx - off * dy, y - back * dy + off * dx];
        });
        const middle = { anchor: "middle", middle: true };
        plane.inside.append(
          path([at([0, 0]), [x - 6 * dx, y - 6 * dy]], { stroke: "--ink" }),
          area(head, "--ink"),
          write("w", x + 12 * dx, y + 12 * dy, middle),
        );
      }

      const [x, y] = wide ? [square, 0] : [0, square + 22];
      const M = s.made.at(-1);
      const high = 1.2 * Math.max(12, M, ...s.bounds);
      const last = Math.max(8, s.made.length - 1);
      const bound = s.over
        ? "no bound left"
        : s.bounds.length
          ? `bound ${s.bounds.at(-1).toFixed(1)}`
          : "no bound yet";
      const made = new Axes(sheet, {
        x,
        y,
        width: width - x,
        height: wide ? square + 14 : 300,
        left: 44,
        title: `M = ${M} (solid), ${bound} (dashed)`,
        xlabel: "your moves",
        xlim: [-0.2, last + 0.4],
        ylim: [-0.3, high],
        // linear up to 20, logarithmic above
        scale: (value) => (value <= 20 ? value / 18 : 10 / 9 + Math.log10(value / 20)),
        xticks: labelled(ticks(0, last, { whole: true, count: 8 })),
        yticks: labelled(
          [0, 5, 10, 15, 20, 50, 100, 200, 500, 1000].filter((tick) => tick <= high),
        ),
      });
      const t = count(s.made.length);
      made.line([-0.2, last + 0.4], [s.possible, s.possible], LOOK["best possible"]);
      const name = `best possible: ${s.possible}`;
      const place = [made.width - 4, made.py(s.possible) - 6];
      made.inside.append(write(name, ...place, { anchor: "end" }));
      const corners = t.slice(1).flatMap((k) => [[k, s.made[k - 1]], [k, s.made[k]]]);
      const stairs = [[0, 0], ...corners];
      made.line(stairs.map(([k]) => k), stairs.map(([, m]) => m), LOOK.perceptron, "o");
      if (s.bounds.length) made.line(t.slice(1, s.bounds.length + 1), s.bounds, LOOK.bound, ".");
      return wide ? square + 14 : y + 300;
    }

    function drawShift(sheet, width, s) {
      const T = s.bound.length - 1;
      const xlim = [0.5, T + 0.5];
      const top = new Axes(sheet, {
        x: 0,
        y: 0,
        width,
        height: 78,
        bottom: 10,
        title: "the best expert",
        xlim,
        ylim: [0, 1],
      });
      const segments = s.blocks.match(/A+|B+|C+|D+/g);
      const order = [...new Set(s.blocks)];
      let start = 0;
      for (const segment of segments) {
        const i = order.indexOf(segment[0]);
        const x = top.px(start + 0.5);
        start += 10 * segment.length;
        const wide = top.px(start + 0.5) - x;
        const look = { hatch: i, opacity: 0.8 };
        top.inside.append(box(x, 0, wide - 1, top.height, EXPERTS[i], look));
        if (wide >= 20) {
          const middle = [x + wide / 2, top.height / 2];
          top.inside.append(
            box(middle[0] - 9, middle[1] - 10, 18, 20, "--page", { rx: 4 }),
            write(segment[0], ...middle, { anchor: "middle", middle: true }),
          );
        }
      }
      const regrets = Object.entries(s.regrets);
      const names = legend(sheet, width, 84, [
        ...regrets.map(([name]) => [name, LOOK[name]]),
        ["bound, Fixed Share", LOOK.bound],
      ]);
      const paid = regrets.map(([, values]) => values[T]);
      const high = Math.max(1, ...paid, Math.min(s.bound[T], 2 * Math.max(...paid)));
      const ylim = [Math.min(0, ...paid) - 0.02 * high, 1.05 * high];
      const axes = new Axes(sheet, {
        x: 0,
        y: 84 + names,
        width,
        height: 310,
        top: 8,
        xlabel: "trials t",
        ylabel: "regret to the sequence",
        xlim,
        ylim,
        xticks: labelled(ticks(...xlim, { count: width >= 600 ? 12 : 6 })),
        yticks: labelled(ticks(...ylim)),
      });
      const t = count(T + 1);
      axes.line(t, s.bound, LOOK.bound);
      for (const [name, values] of regrets) axes.line(t, values, LOOK[name]);
      return 84 + names + 310;
    }

    function drawIntervals(sheet, width, s) {
      const first = Math.max(0, s.moves.length - 5);
      const wide = width >= 600;
      const [left, right] = [10, width - (wide ? 190 : 125)];
      const px = (x) => left + x * (right - left);
      const low = "₀₁₂₃₄₅₆₇₈₉";
      for (let t = first; t < s.asked.length; t++) {
        const y = 34 + 58 * (t - first);
        const kept = t < s.moves.length && (s.answers[t] ? [2 / 3, 1] : [0, 1 / 3]);
        const stretch = ([a, b], look) => sheet.append(path([[px(a), y], [px(b), y]], look));
        if (kept) {
          const [a, b] = kept.map(px);
          sheet.append(area([[a, y], [b, y], [px(1), y + 58], [px(0), y + 58]], "--sky", 0.25));
        }
        stretch([0, 1], { stroke: "--ink" });
        for (const x of [px(0), px(1)]) {
          sheet.append(path([[x, y - 7], [x, y + 7]], { stroke: "--ink" }));
        }
        if (kept) stretch(kept, { stroke: "--blue", width: 8 });
        const said = wide
          ? `you say ${s.moves[t]}, nature says ${s.answers[t]}`
          : `you ${s.moves[t]}, nature ${s.answers[t]}`;
        const number = [...`${t + 1}`].map((digit) => low[digit]).join("");
        const middle = { anchor: "middle" };
        sheet.append(
          svg("circle", { cx: px(0.5), cy: y, r: 5.5, style: colour("fill", "--vermilion") }),
          write(`x${number} = ${s.asked[t]}`, px(0.5), y - 12, middle),
          write(kept ? said : "your turn", px(1) + 12, y, { middle: true }),
        );
      }
      return 34 + 58 * (s.asked.length - first - 1) + 20;
    }

    function drawTree(sheet, width, s) {
      const wide = width >= 600;
      const row = wide ? 40 : 58;
      const fan = width * (wide ? 0.4 : 0.3);
      const middle = fan + 16;
      const most = wide ? 0.28 * width - 46 : 46;
      const bars = wide ? 0.72 * width : width - most - 40;
      const py = (t) => 44 + row * t;
      const at = (t, k) => [(fan * (k + 0.5)) / 2 ** t, py(t)];
      const lines = [];
      for (let t = 1; t <= s.depth; t++) {
        for (let k = 0; k < 2 ** t; k++) lines.push([at(t - 1, k >> 1), at(t, k)]);
      }
      const d = lines.map(([[a, b], [x, y]]) => `M${a.toFixed(1)} ${b}L${x.toFixed(1)} ${y}`);
      const pale = `fill: none; ${colour("stroke", "--mid")}`;
      sheet.append(svg("path", { d: d.join(""), style: pale, "stroke-width": 0.4 }));
      const counted = wide ? "left (dashed: needed)" : "left, needed";
      const names = [["histories", 0], ["asked", middle], [counted, bars - (wide ? 0 : 30)]];
      for (const [name, x] of names) sheet.append(write(name, x, 16, { class: "title" }));
      s.nodes.forEach((k, t) => {
        const look = s.said[t] ? { stroke: "--vermilion", dash: "7 4" } : { stroke: "--blue" };
        if (t === s.said.length) return;
        sheet.append(path([at(t, k), at(t + 1, s.nodes[t + 1])], { ...look, width: 4 }));
      });
      s.nodes.forEach((k, t) => {
        const [x, y] = at(t, k);
        const length = (most * Math.log2(s.number[t])) / 11;
        sheet.append(
          svg("circle", { cx: x, cy: y, r: 4, style: colour("fill", "--ink") }),
          box(bars, y - 10, length, 20, "--sky"),
          write(s.number[t], bars + length + 5, y, { middle: true }),
        );
        if (t === s.depth) return;
        const answer = s.answers[t] ?? "your turn";
        const beside = wide ? [middle + 52, y] : [middle, y + 18];
        sheet.append(
          write(s.points[t], middle, y, { middle: true, "font-family": "var(--mono)" }),
          write(answer, ...beside, { middle: true }),
        );
      });
      const needed = [[bars + (most * s.depth) / 11, py(0)], [bars, py(s.depth)]];
      sheet.append(path(needed, LOOK.bound));
      const last = [wide ? middle : 0, py(s.depth) + 28];
      if (s.formula) sheet.append(write(`agrees: ${s.formula}`, ...last, { middle: true }));
      return py(s.depth) + 42;
    }

    const DRAWINGS = {
      majority_game: drawMajority,
      hedge_game: drawHedge,
      nature_game: drawNature,
      shift_game: drawShift,
      never_found: drawIntervals,
      threshold_tree: drawTree,
    };

    // The widget ----------------------------------------------------------------------------------

    const records = {}; // the best score of each game, for each choice, as long as the page is open

    function start(root) {
      const game = JSON.parse(root.querySelector("script").textContent);
      const choice = game.controls.map((control) => control.start);
      let moves = game.moves;

      const figure = root.querySelector("figure");
      const frame = figure.querySelector(".frame");
      const [caption, description] = figure.querySelectorAll("figcaption p");
      for (const name of ["tabindex", "role", "aria-label"]) frame.removeAttribute(name);
      caption.setAttribute("aria-live", "polite");
      const score = html("p", { class: "score" });
      const buttons = html("div", { class: "moves", role: "group", "aria-label": "your moves" });
      const controls = html("div", { class: "controls" });
      figure.before(controls, buttons, score);

      const button = (label, press) => {
        const made = html("button", { type: "button", class: "tool" }, label);
        made.addEventListener("click", () => {
          moves = press();
          show();
        });
        buttons.append(made);
      };
      for (const [label, move] of Object.entries(game.buttons)) button(label, () => moves + move);
      button("undo", () => moves.slice(0, -1));
      button("start again", () => "");

      game.controls.forEach((control, i) => {
        const ends = { min: 0, max: control.values.length - 1, step: 1, value: choice[i] };
        const slider = html("input", { type: "range", ...ends });
        const value = html("output");
        const tell = () => {
          value.textContent = control.labels[choice[i]];
          slider.setAttribute("aria-valuetext", value.textContent);
        };
        slider.addEventListener("input", () => {
          choice[i] = Number(slider.value);
          tell();
          show();
        });
        tell();
        controls.append(html("label", {}, control.name, slider, value));
      });

      let now;
      function show() {
        now = Games.state(game, choice, moves);
        caption.textContent = now.caption;
        description.textContent = now.description;
        const played = [game.name, ...choice].join();
        if (now.score !== null) records[played] = Math.max(now.score, records[played] ?? now.score);
        const scores = {
          "Your score": now.score,
          "your best so far": records[played] ?? null,
          [game.goal]: now.possible,
        };
        score.textContent = Object.entries(scores)
          .map(([name, value]) => `${name}: ${value === null ? "–" : Games.general(value, 4)}`)
          .join(" · ");
        draw();
      }

      function draw() {
        const width = Math.floor(frame.clientWidth);
        const sheet = svg("svg", { role: "img", "aria-label": now.description, width });
        const height = Math.ceil(DRAWINGS[game.name](sheet, width, now));
        sheet.setAttribute("height", height);
        sheet.setAttribute("viewBox", `0 0 ${width} ${height}`);
        frame.replaceChildren(sheet);
      }

      show();
      let drawn = frame.clientWidth;
      new ResizeObserver(() => {
        if (frame.clientWidth && frame.clientWidth !== drawn) {
          drawn = frame.clientWidth;
          draw();
        }
      }).observe(frame);
    }

    document.head.append(html("style", {}, STYLE));
    document.body.append(hatches());
    document.querySelectorAll(".game").forEach(start);
  })();
