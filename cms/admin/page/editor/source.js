// Texts in a field of the browser, which knows one line end only: what isn't changed there keeps the ends that it had.

/**
 * Return what a text has become in a field, with the line ends that it had wherever it wasn't changed.
 * @param {string} before  the text as it was
 * @param {string} edited  the field's value
 */
export function restoreLineEnds(before, edited) {
  if (!before.includes("\r")) return edited;
  const ends = [...before.matchAll(/\r\n?/g)];
  const shown = before.replace(/\r\n?/g, "\n");
  const same = countSame(shown, edited);
  const last = countSameAtEnd(shown, edited, Math.min(shown.length, edited.length) - same);
  const eol = before.includes("\r\n") ? "\r\n" : "\r";
  const isMain = ends.length * 2 > shown.split("\n").length - 1;
  const middle = edited.slice(same, edited.length - last);
  const place = (/** @type {number} */ at) => {
    let place = 0;
    for (let i = 0; i < at; i++) place += before.startsWith("\r\n", place) ? 2 : 1;
    return place;
  };
  return before.slice(0, place(same)) + (isMain ? middle.replace(/\n/g, eol) : middle) + before.slice(place(shown.length - last));
}

function countSame(/** @type {string} */ one, /** @type {string} */ other) {
  let count = 0;
  while (count < one.length && count < other.length && one[count] === other[count]) count++;
  return count;
}

function countSameAtEnd(/** @type {string} */ one, /** @type {string} */ other, /** @type {number} */ most) {
  let count = 0;
  while (count < most && one[one.length - 1 - count] === other[other.length - 1 - count]) count++;
  return count;
}
