// A tree whose items are moved: by dragging, by their buttons, or by Alt and the arrow keys. The screen says what a move means.
import {html, useEffect, useRef, useState} from "../vendor/preact.js";
import {t} from "../texts.js";

const KEYS = {ArrowUp: "up", ArrowDown: "down", ArrowRight: "in", ArrowLeft: "out"};
const SIGNS = {up: "↑", down: "↓", in: "⇥", out: "⇤"};
/** How much of a row's height, at its upper and at its lower edge, means the place before or after it. */
const EDGE = 0.3;

/**
 * Items with their `depth`, in the order of the tree. `draw(item)` returns what stands in a row and `nameOf(item)` what it is called.
 * `onMove(item, how)` moves by one step, `how` being one of `moves`; `onDrop(item, target, where)` puts it `into` another,
 * or `before` or `after` it where `isOrdered`, or with no target to the top.
 */
export function Tree({items, label, nameOf, draw, moves, isOrdered, onMove, onDrop}) {
  const [dragged, setDragged] = useState(null);
  const [over, setOver] = useState(null);
  const list = useRef(null);
  const wanted = useRef("");
  useEffect(() => {
    if (!wanted.current) return;
    list.current?.querySelector(`[data-move="${wanted.current}"]`)?.focus();
    wanted.current = "";
  }, [items]);
  const move = (item, how) => {
    wanted.current = `${item.id} ${how}`;
    onMove(item, how);
  };
  const end = () => { setDragged(null); setOver(null); };
  const drop = (event) => {
    event.preventDefault();
    if (dragged && over) onDrop(dragged, over.target, over.where);
    end();
  };
  const row = {dragged, over, setOver, setDragged, end, drop, move, moves, isOrdered, nameOf, draw};
  return html`<p class="help">${t("Drag an item by its handle, use its buttons, or Alt and the arrow keys.")}</p>
    <ol class="stack bare tree" aria-label=${label} ref=${list}>
      ${items.map((item) => html`<${Row} key=${item.id} item=${item} isBarred=${isWithin(items, dragged, item)} ...${row} />`)}</ol>
    ${dragged && !isOrdered && html`<div class="drop" onDragOver=${(event) => { event.preventDefault(); setOver({target: null, where: "into"}); }}
      onDrop=${drop}>${t("To the top level")}</div>`}`;
}

function Row({item, isBarred, dragged, over, setOver, setDragged, end, drop, move, moves, isOrdered, nameOf, draw}) {
  const title = nameOf(item);
  const start = (event) => {
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", title);
    // The browser ends the dragging where the page changes in this very moment.
    setTimeout(() => setDragged(item));
  };
  const hover = (event) => {
    if (!dragged || isBarred) return;
    event.preventDefault();
    const where = isOrdered ? placeOf(event) : "into";
    if (over?.target?.id !== item.id || over.where !== where) setOver({target: item, where});
  };
  const keyed = (event) => {
    const isMirrored = document.documentElement.dir === "rtl" && event.key in {ArrowLeft: 1, ArrowRight: 1};
    const how = KEYS[isMirrored ? {ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft"}[event.key] : event.key];
    if (!event.altKey || !moves.includes(how)) return;
    event.preventDefault();
    move(item, how);
  };
  const mark = over?.target?.id === item.id ? ` over-${over.where}` : "";
  return html`<li class=${`paper row deep-${Math.min(item.depth, 5)}${mark}`} onDragOver=${hover} onDrop=${drop} onKeyDown=${keyed}>
    <span class="handle" draggable=${true} aria-hidden="true" onDragStart=${start} onDragEnd=${end}>⠿</span>
    ${draw(item)}
    <span class="row moves">${moves.map((how) => html`<button type="button" class="small" key=${how} data-move=${`${item.id} ${how}`}
      aria-label=${moveLabel(how, title)} title=${moveLabel(how, title)} onClick=${() => move(item, how)}>
      <span class="sign" aria-hidden="true">${SIGNS[how]}</span></button>`)}</span></li>`;
}

function placeOf(event) {
  const {top, height} = event.currentTarget.getBoundingClientRect();
  const part = (event.clientY - top) / height;
  if (part < EDGE) return "before";
  return part > 1 - EDGE ? "after" : "into";
}

/** Whether an item is the dragged one or lies below it. */
function isWithin(items, dragged, item) {
  const byId = new Map(items.map((one) => [one.id, one]));
  for (let one = item; dragged && one; one = byId.get(one.parent)) if (one.id === dragged.id) return true;
  return false;
}

function moveLabel(how, title) {
  return {
    up: t("Up: %(title)s", {title}),
    down: t("Down: %(title)s", {title}),
    in: t("One level deeper: %(title)s", {title}),
    out: t("One level up: %(title)s", {title}),
  }[how];
}
