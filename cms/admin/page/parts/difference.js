// The difference of two values, word by word, as what went and what came.
import {html} from "../vendor/preact.js";
import {asText} from "./conflict.js";

const MOST_CELLS = 4000000;

export function Difference({before, after}) {
  return html`<div class="diff" dir="auto" tabindex="0">${differences(asText(before), asText(after)).map(([kind, text], index) => {
    if (kind === "+") return html`<ins key=${index}>${text}</ins>`;
    if (kind === "-") return html`<del key=${index}>${text}</del>`;
    return html`<span key=${index}>${text}</span>`;
  })}</div>`;
}

/** Return the parts of two texts: `["=", text]` in both, `["-", text]` in the first alone, `["+", text]` in the second alone. */
export function differences(before, after) {
  const [one, other] = [words(before), words(after)];
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < one.length - start && end < other.length - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const middle = compared(one.slice(start, one.length - end), other.slice(start, other.length - end));
  const parts = [["=", one.slice(0, start).join("")], ...middle, ["=", end ? one.slice(-end).join("") : ""]];
  return parts.filter(([, text]) => text);
}

function words(text) {
  return text.match(/\s+|[^\s<>]+|[<>]/g) || [];
}

/** Compare by the longest common row of words; where that would take too long, all of one goes and all of the other comes. */
function compared(one, other) {
  if (one.length * other.length > MOST_CELLS) return [["-", one.join("")], ["+", other.join("")]];
  const lengths = Array.from({length: one.length + 1}, () => new Uint32Array(other.length + 1));
  for (let i = one.length - 1; i >= 0; i -= 1) {
    for (let j = other.length - 1; j >= 0; j -= 1) {
      lengths[i][j] = one[i] === other[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  const parts = [];
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    if (i < one.length && j < other.length && one[i] === other[j]) {
      add(parts, "=", one[i]);
      i += 1;
      j += 1;
    } else if (j >= other.length || (i < one.length && lengths[i + 1][j] >= lengths[i][j + 1])) {
      add(parts, "-", one[i]);
      i += 1;
    } else {
      add(parts, "+", other[j]);
      j += 1;
    }
  }
  return parts;
}

function add(parts, kind, text) {
  const last = parts.at(-1);
  if (last && last[0] === kind) last[1] += text;
  else parts.push([kind, text]);
}
