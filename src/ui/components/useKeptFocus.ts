import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

function isLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** Where what had the focus went with the page before, the headline takes it: the keyboard continues here. Not on the first page of a window. */
export function useLostFocus(header: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    // In the next frame: the focus needs the layout, which this frame has not made.
    const frame = requestAnimationFrame(() => {
      if (isLost() && navigator.userActivation.hasBeenActive) header.current?.querySelector('h1')?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [header]);
}

/** Where the focus is in something that goes, the headline of its page takes it; a dialog keeps it by itself. */
export function useFocusHandedOn(going: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = going.current;
    return () => {
      if (element === null || !element.contains(document.activeElement) || element.closest('[role="dialog"]') !== null) return;
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    };
  }, [going]);
}

/** Where a button goes with what it did, the one in its place takes the focus, whenever `state` changes. */
export function useSuccessorFocus(place: RefObject<HTMLElement | null>, state: unknown): void {
  const before = useRef(state);
  useLayoutEffect(() => {
    if (before.current === state) return;
    before.current = state;
    if (isLost()) place.current?.querySelector('button')?.focus();
  }, [place, state]);
}
