import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

function isLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/**
 * Moves the focus to the page's heading if the focused element was removed together with the previous page. Does nothing on the first page
 * of a window.
 */
export function useLostFocus(header: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    // Deferred to the next frame, because focusing would force a layout of the current frame.
    const frame = requestAnimationFrame(() => {
      if (isLost() && navigator.userActivation.hasBeenActive) header.current?.querySelector('h1')?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [header]);
}

/** Moves the focus to the page's heading when the element that contains the focus is removed. Dialogs handle their focus themselves. */
export function useFocusAfterRemoval(runningRef: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = runningRef.current;
    return () => {
      if (element === null || !element.contains(document.activeElement) || element.closest('[role="dialog"]') !== null) return;
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    };
  }, [runningRef]);
}

/** Moves the focus to the button that replaces the focused one, if the focused button is removed when `state` changes. */
export function useSuccessorFocus(place: RefObject<HTMLElement | null>, state: unknown): void {
  const before = useRef(state);
  useLayoutEffect(() => {
    if (before.current === state) return;
    before.current = state;
    if (isLost()) place.current?.querySelector('button')?.focus();
  }, [place, state]);
}
