// Preact with hooks and signals, and htm bound to it: what the screens of /admin are written with.
import { h } from "preact";
import htm from "htm";

export * from "preact";
export * from "preact/hooks";
export * from "@preact/signals";
export const html = htm.bind(h);
