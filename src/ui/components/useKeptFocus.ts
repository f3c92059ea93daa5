import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

function isLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** Moves the focus to the page's heading if the focused element was removed with the previous page. Does nothing on the first page of a window. */
export function useLostFocus(header: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    // Deferred to the next frame, because focusing would force a layout of this one.
    const frame = requestAnimationFrame(() => {
      if (isLost() && navigator.userActivation.hasBeenActive) header.current?.querySelector('h1')?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [header]);
}

/** Moves the focus to the page's heading when the element that contains it is removed. Dialogs handle their focus themselves. */
export function useFocusAfterRemoval(runningRef: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = runningRef.current;
    return () => {
      if (element === null || !element.contains(document.activeElement) || element.closest('[role="dialog"]') !== null) return;
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    };
  }, [runningRef]);
}

/** When `state` changes and the focused button is removed, moves the focus to the button that replaces it. */
export function useSuccessorFocus(place: RefObject<HTMLElement | null>, state: unknown): void {
  const before = useRef(state);
  useLayoutEffect(() => {
    if (before.current === state) return;
    before.current = state;
    if (isLost()) place.current?.querySelector('button')?.focus();
  }, [place, state]);
}
