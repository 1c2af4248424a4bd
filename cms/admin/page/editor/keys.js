// What keys and typed marks do.
import {
  InputRule, NodeSelection, TextSelection, baseKeymap, chainCommands, exitCode, inputRules, keymap, liftListItem, newlineInCode, redo, sinkListItem, splitListItem,
  undo, wrappingInputRule,
} from "../vendor/prosemirror.js";
import { deleteBlock, duplicateBlock, findOpenBlock, moveBlock, togglePhrase } from "./commands.js";
import { schema } from "./schema.js";
import { goToCell } from "./tables.js";

const { nodes } = schema;
const NEW_ITEM = { lead: null, head: null, tail: null };

/** @type {import("./commands.js").Command} */
const addBreak = (state, dispatch) => {
  if (!state.selection.$from.parent.inlineContent || state.selection.$from.parent.type.spec.code) return false;
  dispatch?.(state.tr.replaceSelectionWith(nodes.line_break.create()).scrollIntoView());
  return true;
};

/** Leave a preformatted text or a heading's and caption's line: behind them a paragraph begins. @type {import("./commands.js").Command} */
const leaveLine = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const isLine = ["image", "cite", "button", "table_caption"].includes($from.parent.type.name);
  if (!isLine || !empty) return false;
  const { pos, node } = findOpenBlock(state);
  const after = pos + node.nodeSize;
  if (!dispatch) return true;
  const transaction = state.tr.insert(after, nodes.paragraph.create());
  dispatch(transaction.setSelection(TextSelection.near(transaction.doc.resolve(after + 1))).scrollIntoView());
  return true;
};

/** In a cell of a table a line ends with a break. @type {import("./commands.js").Command} */
const endLineOfCell = (state, dispatch, view) => state.selection.$from.parent.type.name === "table_cell" && addBreak(state, dispatch, view);

/** Select the block of the selection, or the one around a block that is selected. @type {import("./commands.js").Command} */
const selectAround = (state, dispatch) => {
  const { selection } = state;
  const { pos, depth } = findOpenBlock(state);
  const isSelected = selection instanceof NodeSelection && selection.from === pos;
  if (isSelected && depth === 0) return false;
  const at = isSelected ? selection.$from.before(depth) : pos;
  dispatch?.(state.tr.setSelection(NodeSelection.create(state.doc, at)).scrollIntoView());
  return true;
};

/** In a preformatted text a line ends with a line end. @type {import("./commands.js").Command} */
const endLine = (state, dispatch) => {
  if (state.selection.$from.parent.type.name !== "preformatted") return false;
  dispatch?.(state.tr.insertText("\n").scrollIntoView());
  return true;
};

/**
 * What is typed at the start of a block makes it another one, in the place of the first.
 * @param {RegExp} typed
 * @param {any} type
 * @param {(match: RegExpMatchArray) => object} attributes
 */
function blockRule(typed, type, attributes) {
  return new InputRule(typed, (/** @type {any} */ state, /** @type {RegExpMatchArray} */ match, /** @type {number} */ start, /** @type {number} */ end) => {
    const $start = state.doc.resolve(start);
    if (!$start.node(-1).canReplaceWith($start.index(-1), $start.indexAfter(-1), type)) return null;
    const { origin, lead } = $start.parent.attrs;
    return state.tr.delete(start, end).setBlockType(start, start, type, { ...attributes(match), origin, lead });
  });
}

/**
 * The keys of the editor.
 * @param {{link: () => boolean, editAsHTML: () => boolean, toolbar: () => boolean}} editor
 */
export function editorKeys(editor) {
  const breaks = chainCommands(exitCode, addBreak);
  return [
    keymap({
      "Mod-b": togglePhrase("strong"), "Mod-i": togglePhrase("em"), "Mod-e": togglePhrase("code"), "Mod-k": editor.link,
      "Mod-z": undo, "Mod-y": redo, "Shift-Mod-z": redo, "Shift-Enter": breaks, "Mod-Enter": breaks,
      "Enter": chainCommands(newlineInCode, endLine, endLineOfCell, leaveLine, splitListItem(nodes.list_item, NEW_ITEM)),
      "Tab": chainCommands(goToCell(1), sinkListItem(nodes.list_item)), "Shift-Tab": chainCommands(goToCell(-1), liftListItem(nodes.list_item)),
      "Escape": selectAround, "Alt-Shift-d": duplicateBlock, "Alt-Shift-Backspace": deleteBlock, "Alt-Shift-Delete": deleteBlock,
      "Alt-Shift-ArrowUp": moveBlock(-1), "Alt-Shift-ArrowDown": moveBlock(1), "Alt-F10": editor.toolbar, "Alt-Shift-h": editor.editAsHTML,
    }),
    keymap(baseKeymap),
    inputRules({ rules: [
      blockRule(/^(#{2,4})\s$/, nodes.heading, (match) => ({ level: match[1].length })),
      wrappingInputRule(/^\s*[-*]\s$/, nodes.bullet_list),
      wrappingInputRule(/^1\.\s$/, nodes.ordered_list),
      wrappingInputRule(/^>\s$/, nodes.quote),
      blockRule(/^```$/, nodes.code, () => ({})),
    ] }),
  ];
}
