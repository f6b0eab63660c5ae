// Reads formulas as JSON, [[latex, display], …], and prints what KaTeX makes of them, a list of HTML.
import katex from "katex";
import { readFileSync } from "node:fs";

const options = { output: "htmlAndMathml", strict: "error", throwOnError: true };
const typeset = ([latex, displayMode]) => {
  try {
    return katex.renderToString(latex, { ...options, displayMode });
  } catch (error) {
    throw new Error(`${latex}: ${error.message}`);
  }
};
process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(typeset)));
