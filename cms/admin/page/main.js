// Starts the page: reads who is signed in and the texts, then draws what the address names.
import {html, render} from "./vendor/preact.js";
import {loadSession, pageLanguage} from "./session.js";
import {loadTexts} from "./texts.js";
import {Frame} from "./parts/frame.js";

async function start() {
  const session = await loadSession();
  await loadTexts(pageLanguage(session));
  const place = document.getElementById("page");
  place.replaceChildren();
  render(html`<${Frame} />`, place);
}

start().catch((error) => {
  document.getElementById("page").textContent = error.message;
});
