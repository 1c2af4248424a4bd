// What keys and typed marks do.
import {
  TextSelection, baseKeymap, chainCommands, exitCode, inputRules, keymap, liftListItem, newlineInCode, redo, sinkListItem, splitListItem, textblockTypeInputRule,
  undo, wrappingInputRule,
} from "../vendor/prosemirror.js";
import { moveBlock, togglePhrase } from "./commands.js";
import { schema } from "./schema.js";

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
  const isLine = ["image", "cite"].includes($from.parent.type.name);
  if (!isLine || !empty) return false;
  const after = $from.after(1);
  if (!dispatch) return true;
  const transaction = state.tr.insert(after, nodes.paragraph.create());
  dispatch(transaction.setSelection(TextSelection.near(transaction.doc.resolve(after + 1))).scrollIntoView());
  return true;
};

/** In a preformatted text a line ends with a line end. @type {import("./commands.js").Command} */
const endLine = (state, dispatch) => {
  if (state.selection.$from.parent.type.name !== "preformatted") return false;
  dispatch?.(state.tr.insertText("\n").scrollIntoView());
  return true;
};

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
      "Enter": chainCommands(newlineInCode, endLine, leaveLine, splitListItem(nodes.list_item, NEW_ITEM)),
      "Tab": sinkListItem(nodes.list_item), "Shift-Tab": liftListItem(nodes.list_item),
      "Alt-Shift-ArrowUp": moveBlock(-1), "Alt-Shift-ArrowDown": moveBlock(1), "Alt-F10": editor.toolbar, "Alt-Shift-h": editor.editAsHTML,
    }),
    keymap(baseKeymap),
    inputRules({ rules: [
      textblockTypeInputRule(/^(#{2,4})\s$/, nodes.heading, (/** @type {RegExpMatchArray} */ match) => ({ level: match[1].length })),
      wrappingInputRule(/^\s*[-*]\s$/, nodes.bullet_list),
      wrappingInputRule(/^1\.\s$/, nodes.ordered_list),
      wrappingInputRule(/^>\s$/, nodes.quote),
      textblockTypeInputRule(/^```$/, nodes.code),
    ] }),
  ];
}
