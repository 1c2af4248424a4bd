// What is asked for links and pictures.
import { NodeSelection } from "../vendor/prosemirror.js";
import { findAround, findLink, insertBlock, setLink } from "./commands.js";
import { safeAddress } from "./preview.js";
import { imageTag, linkTag, schema } from "./schema.js";
import { readAttribute, writeAttribute } from "./tokens.js";
import { askInDialog, button as makeButton, labelled } from "./views.js";

/** Ask for a link's address. @param {any} editor */
export function askLink(editor) {
  const { t, view } = editor;
  const button = findAround(view.state, (node) => node.type.name === "button");
  if (button) return askButtonLink(editor, button);
  const { mark } = findLink(view.state);
  const tag = mark?.attrs.open ?? "";
  const { made, field } = labelled(t("Address"), readAttribute(tag, "href"));
  const remove = makeButton(t("Remove the link"), () => editor.run(setLink(null)));
  askInDialog(editor.element, {
    title: t("Link"), t, fields: [made], accept: t("Apply"), more: mark ? remove : undefined,
    done: (accepted) => {
      const href = safeAddress(field.value);
      if (accepted && href) editor.run(setLink(tag ? writeAttribute(tag, "href", href) : linkTag(href)));
      view.focus();
    },
  });
}

/** Ask for the address that a button leads to. */
function askButtonLink(/** @type {any} */ editor, /** @type {any} */ { node, pos }) {
  const { t, view } = editor;
  const tag = node.attrs.link ?? '<a class="wp-block-button__link wp-element-button">';
  const { made, field } = labelled(t("Address"), readAttribute(tag, "href"));
  askInDialog(editor.element, {
    title: t("Link"), t, fields: [made], accept: t("Apply"),
    done: (accepted) => {
      const href = safeAddress(field.value);
      if (accepted && href) view.dispatch(view.state.tr.setNodeAttribute(pos, "link", writeAttribute(tag, "href", href)));
      view.focus();
    },
  });
}

/** Ask for a picture, from the library where there is one, and for the alternative text that it lacks; or change the one that is selected. */
export async function askImage(/** @type {any} */ editor, isNew = false) {
  const found = isNew ? null : findImage(editor.view.state);
  const chosen = !found && editor.chooseMedia ? await editor.chooseMedia({ kind: "image" }) : null;
  if (!found && editor.chooseMedia && !chosen) return editor.view.focus();
  const old = found?.node.attrs.img ?? "";
  const picture = readChosen(chosen);
  // Who was asked what it shows has said that it only decorates.
  if (picture.src && (picture.alt || chosen?.wasAsked)) return insertImage(editor, picture);
  askPicture(editor, old ? { src: readAttribute(old, "src"), alt: readAttribute(old, "alt") } : picture, ({ src, alt }) => {
    if (found) changeImage(editor, found, writeAttribute(src === readAttribute(old, "src") ? old : writeAttribute(old, "src", src), "alt", alt));
    else insertImage(editor, { ...picture, src, alt });
  });
}

/** Ask for the first picture of a new gallery; the next ones are put in behind it. */
export async function askGallery(/** @type {any} */ editor) {
  const chosen = editor.chooseMedia ? await editor.chooseMedia({ kind: "image" }) : null;
  const picture = readChosen(chosen);
  if (!picture.src) return editor.view.focus();
  const image = schema.nodes.image.create({ img: imageTag(picture) });
  editor.run(insertBlock(schema.nodes.container.create({ name: "gallery" }, image)));
}

function insertImage(/** @type {any} */ editor, /** @type {Parameters<typeof imageTag>[0]} */ picture) {
  editor.run(insertBlock(schema.nodes.image.create({ img: imageTag(picture) })));
}

/** @param {any} chosen  an item of the library as the API gives it */
function readChosen(chosen) {
  const { width, height } = chosen?.media_details ?? chosen ?? {};
  return { id: chosen?.id, src: chosen?.source_url ?? chosen?.src ?? "", alt: chosen?.alt_text ?? chosen?.alt ?? "", width, height };
}

/**
 * @param {any} editor
 * @param {{src: string, alt: string}} picture
 * @param {(picture: {src: string, alt: string}) => void} done
 */
function askPicture(editor, picture, done) {
  const { t } = editor;
  const alt = labelled(t("Alternative text"), picture.alt, t("What the picture says to those who don't see it; empty if it only decorates."));
  const src = labelled(t("Address"), picture.src);
  askInDialog(editor.element, {
    title: t("Image"), t, fields: [alt.made, src.made], accept: t("Apply"),
    done: (accepted) => {
      const address = safeAddress(src.field.value);
      if (accepted && address) done({ src: address, alt: alt.field.value.trim() });
      editor.view.focus();
    },
  });
}

/** The picture that is selected, or whose caption the cursor is in. */
function findImage(/** @type {any} */ state) {
  const { selection } = state;
  if (selection instanceof NodeSelection && selection.node.attrs.img) return { node: selection.node, pos: selection.from };
  const { $from } = selection;
  return $from.parent.type.name === "image" ? { node: $from.parent, pos: $from.before() } : null;
}

function changeImage(/** @type {any} */ editor, /** @type {any} */ { pos }, /** @type {string} */ img) {
  editor.view.dispatch(editor.view.state.tr.setNodeAttribute(pos, "img", img));
}
