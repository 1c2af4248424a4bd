// What the editor's packages expect of a browser: its globals, with Node's own fetch.
const { JSDOM, VirtualConsole } = require('jsdom');

const { window } = new JSDOM('<!doctype html>', {
  url: process.env.SITE_HOME, pretendToBeVisual: true, virtualConsole: new VirtualConsole(), // styles say nothing here
});
window.fetch = fetch;
globalThis.window = window;
for (const name of Object.getOwnPropertyNames(window)) {
  if (!(name in globalThis)) globalThis[name] = window[name];
}
