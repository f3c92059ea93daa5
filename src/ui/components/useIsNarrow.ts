import { useSyncExternalStore } from 'react';

/** A telephone held upright, as in the style sheets. */
const NARROW = '(max-width: 480px)';

/** Whether the window is as narrow as a telephone: for what must then be made up of other elements, where a style sheet is not enough. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(NARROW).matches);
}

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(NARROW);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
