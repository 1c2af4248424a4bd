// Reading what a screen shows, with a sign while it takes time and the reason where it is refused.
import {html, useCallback, useEffect, useState} from "../vendor/preact.js";
import {t} from "../texts.js";

/**
 * Read something and read it anew when `inputs` change.
 * Returns `{value, error, isLoading, again}`; the former value stays while the next one is read.
 */
export function useRead(read, inputs) {
  const [state, setState] = useState({value: null, error: null, isLoading: true});
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isWanted = true;
    setState((before) => ({...before, isLoading: true}));
    read().then(
      (value) => isWanted && setState({value, error: null, isLoading: false}),
      (error) => isWanted && setState({value: null, error, isLoading: false}),
    );
    return () => { isWanted = false; };
  }, [...inputs, round]);
  const again = useCallback(() => setRound((before) => before + 1), []);
  return {...state, again};
}

/** What was read, drawn by the function that is given as its child. */
export function Loaded({state, children}) {
  if (state.error) {
    return html`<p class="message error" role="alert"><span>${state.error.message}</span>
      <button type="button" onClick=${state.again}>${t("Try again")}</button></p>`;
  }
  if (state.value === null) return html`<p class="waiting" role="status">${t("Loading …")}</p>`;
  return children(state.value);
}
