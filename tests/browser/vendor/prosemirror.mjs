// ProseMirror: what the editor of texts is written with.
export * from "prosemirror-model";
export * from "prosemirror-transform";
export * from "prosemirror-state";
export * from "prosemirror-view";
export * from "prosemirror-commands";
export * from "prosemirror-gapcursor";
export * from "prosemirror-history";
export * from "prosemirror-inputrules";
export * from "prosemirror-keymap";
export * from "prosemirror-schema-list";
