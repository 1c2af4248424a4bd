// The frame of all screens: the bar at the top, the menu at the side, messages, and the screen that the address names.
import {html, useEffect, useRef, useState} from "../vendor/preact.js";
import {hasLapsed, session} from "../api.js";
import {signOut} from "../session.js";
import {href, route} from "../router.js";
import {screenOf} from "../screens.js";
import {home} from "../schema.js";
import {languageRound, t} from "../texts.js";
import {LanguageChoice} from "./languages.js";
import {useRead} from "./loading.js";
import {MediaChoice} from "./media_choice.js";
import {Menu} from "./menu.js";
import {Messages, sayError} from "./messages.js";
import {SignIn, SignInDialog} from "../screens/sign_in.js";
import {Forgot} from "../screens/forgot.js";
import {Reset} from "../screens/reset.js";

export function Frame() {
  const current = session.value;
  if (!current.signed_in && route.value.path[0] === "reset") return html`<${Outside}><${Reset} /><//>`;
  if (!current.signed_in && route.value.path[0] === "forgot") return html`<${Outside}><${Forgot} /><//>`;
  if (!current.signed_in) return html`<${Outside}><${SignIn} /><//>`;
  return html`<${Inside} />`;
}

function Outside({children}) {
  return html`<main class="outside">
    <h1>${session.value.title}</h1>
    ${children}
    <${LanguageChoice} />
    <${Messages} />
  </main>`;
}

function Inside() {
  const [isOpen, setOpen] = useState(false);
  const main = useRef(null);
  const {value: address} = useRead(home, []);
  const {path} = route.value;
  const place = path.join("/");
  useEffect(() => {
    setOpen(false);
    main.current?.focus();
  }, [place]);
  return html`
    <a class="skip" href="#main" onClick=${(event) => { event.preventDefault(); main.current.focus(); }}>
      ${t("To the content")}</a>
    <header class="bar">
      <button type="button" class="plain opener" aria-expanded=${isOpen} aria-controls="menu"
        onClick=${() => setOpen(!isOpen)} aria-label=${t("Menu")}>☰</button>
      <a class="site" href="#/">${session.value.title}</a>
      ${session.value.has_front_end && address && html`<a href=${address} target="_blank" rel="noreferrer" class="wide-only">${t("Visit site")}</a>`}
      <span class="space"></span>
      <a href=${href("profile")}>${session.value.user.name}</a>
      <button type="button" class="plain" onClick=${() => signOut().catch(sayError)}>${t("Sign out")}</button>
    </header>
    <div class="frame">
      <${Menu} isOpen=${isOpen} />
      <main id="main" ref=${main} tabindex="-1"><${Screen} key=${`${path[0] || ""} ${languageRound.value}`} /></main>
    </div>
    <${Messages} />
    <${MediaChoice} />
    ${hasLapsed.value && html`<${SignInDialog} />`}`;
}


function Screen() {
  const [shown, setShown] = useState(null);
  const {path} = route.value;
  const place = path.join("/");
  useEffect(() => {
    let isWanted = true;
    screenOf(path).then((screen) => isWanted && setShown({screen, path, place}), sayError);
    return () => { isWanted = false; };
  }, [place]);
  useEffect(() => {
    document.title = `${document.querySelector("main h1")?.textContent || t("Editing")} – ${session.value.title}`;
  });
  if (!shown) return html`<p class="waiting" role="status">${t("Loading …")}</p>`;
  return html`<${shown.screen} path=${shown.path} key=${shown.place} />`;
}
