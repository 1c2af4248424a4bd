// Cropping and rotating a picture to a new file, with the pointer or by numbers.
import {html, useRef, useState} from "../vendor/preact.js";
import {requestPage} from "../api.js";
import {go} from "../router.js";
import {t} from "../texts.js";
import {Dialog} from "./dialog.js";
import {titleOf} from "./items.js";
import {say} from "./messages.js";

const TURNS = [0, 90, 180, 270];

export function Crop({media, onClose}) {
  const {width, height} = media.media_details;
  const [box, setBox] = useState({x: 0, y: 0, width, height});
  // Enter in a number sends the form before the number is drawn anew.
  const latest = useRef(box);
  const [rotate, setRotate] = useState(0);
  const [error, setError] = useState("");
  const take = (next) => {
    latest.current = fitted(next, width, height);
    setBox(latest.current);
  };
  const put = (name, value) => take({...latest.current, [name]: Math.round(Number(value) || 0)});
  const submit = async (event) => {
    event.preventDefault();
    try {
      const {data} = await requestPage("crop", {method: "POST", body: {media: media.id, ...latest.current, rotate}});
      say(t("The new file was made."));
      onClose();
      go(`media/${data.id}`);
    } catch (refused) {
      setError(Object.values(refused.params)[0] || refused.message);
    }
  };
  const number = (name, label, most) => html`<label><span>${label}</span>
    <input type="number" min=${name === "x" || name === "y" ? 0 : 1} max=${most} value=${box[name]}
      onChange=${(event) => put(name, event.currentTarget.value)} /></label>`;
  return html`<${Dialog} title=${t("Crop or rotate")} isWide onClose=${onClose}><form class="stack" onSubmit=${submit}>
    <div role="alert">${error && html`<p class="message error">${error}</p>`}</div>
    <${Area} media=${media} box=${box} setBox=${take} />
    <div class="row end">${number("x", t("From the left"), width - 1)}${number("y", t("From the top"), height - 1)}
      ${number("width", t("Width"), width)}${number("height", t("Height"), height)}
      <label><span>${t("Rotate to the right")}</span><select value=${rotate} onChange=${(event) => setRotate(Number(event.currentTarget.value))}>
        ${TURNS.map((turn) => html`<option key=${turn} value=${turn}>${turn}°</option>`)}</select></label></div>
    <div class="row"><button class="main">${t("Make a new file")}</button><button type="button" onClick=${onClose}>${t("Cancel")}</button></div>
  </form><//>`;
}

/** The picture, on which a box is drawn with the pointer; keys use the numbers below it. */
function Area({media, box, setBox}) {
  const {width, height} = media.media_details;
  const image = useRef(null);
  const start = useRef(null);
  const point = (event) => {
    const seen = image.current.getBoundingClientRect();
    return {x: ((event.clientX - seen.left) / seen.width) * width, y: ((event.clientY - seen.top) / seen.height) * height};
  };
  const begin = (event) => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = point(event);
  };
  const draw = (event) => {
    if (!start.current) return;
    const [from, to] = [start.current, point(event)];
    setBox({x: Math.min(from.x, to.x), y: Math.min(from.y, to.y), width: Math.abs(to.x - from.x), height: Math.abs(to.y - from.y)});
  };
  const part = (value, whole) => `${(value / whole) * 100}%`;
  const frame = {left: part(box.x, width), top: part(box.y, height), width: part(box.width, width), height: part(box.height, height)};
  return html`<div><div class="crop" dir="ltr" onPointerDown=${begin} onPointerMove=${draw} onPointerUp=${() => { start.current = null; }}>
    <img ref=${image} src=${media.source_url} alt=${media.alt_text || titleOf(media)} draggable=${false} />
    <div class="frame-of-crop" style=${frame}></div></div></div>`;
}

function fitted(box, width, height) {
  const x = Math.max(0, Math.min(Math.round(box.x), width - 1));
  const y = Math.max(0, Math.min(Math.round(box.y), height - 1));
  return {x, y, width: Math.max(1, Math.min(Math.round(box.width), width - x)), height: Math.max(1, Math.min(Math.round(box.height), height - y))};
}
