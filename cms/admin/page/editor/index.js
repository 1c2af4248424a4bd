// The editor as the page loads it, with its looks.
import { mountEditor as mount } from "./editor.js";

const STYLE = new URL("editor.css", import.meta.url).href;

/**
 * Put an editor into an element.
 * @param {HTMLElement} element
 * @param {import("./editor.js").Options} options
 */
export function mountEditor(element, options) {
  if (![...document.styleSheets].some((sheet) => sheet.href === STYLE) && !document.querySelector("link[data-editor]")) {
    const link = document.createElement("link");
    Object.assign(link, { rel: "stylesheet", href: STYLE });
    link.dataset.editor = "";
    document.head.append(link);
  }
  return mount(element, options);
}
