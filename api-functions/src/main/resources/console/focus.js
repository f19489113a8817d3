// The focus, where what has it moves in the document.
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Whatever has the focus within `selector` keeps it.
 * @param {string} selector
 */
export function useKeptFocus(selector) {
  const before = useRef(null);
  const active = document.activeElement;
  before.current = active?.closest(selector) ? active : null;
  useLayoutEffect(() => {
    if (before.current?.isConnected && document.activeElement === document.body) {
      before.current.focus({ preventScroll: true });
    }
  });
}
