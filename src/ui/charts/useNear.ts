import { startTransition, useEffect, useEffectEvent, useId, useState } from 'react';
import { flushSync } from 'react-dom';

/** Half a screen above and below the visible part, so that charts are drawn before they are scrolled to. */
const NEAR_MARGIN = '50% 0px';

/** Charts that wait for their turn, in order. */
const waiting = new Map<string, () => void>();
let isRunning = false;

/** Draws one chart per frame: several at once would block the page. */
function runTurns(): void {
  if (isRunning || waiting.size === 0) return;
  isRunning = true;
  requestAnimationFrame(() =>
    setTimeout(() => {
      isRunning = false;
      const [first] = waiting;
      if (first !== undefined) {
        waiting.delete(first[0]);
        first[1]();
      }
      runTurns();
    }),
  );
}

/**
 * Returns the newest value for which a chart had its turn: only while it is on the screen or near it, one chart after the other. Null before its first
 * turn. Printing draws all charts at once.
 */
export function useTurn<Value>(watched: HTMLElement | null, value: Value): Value | null {
  const id = useId();
  const [isNear, setNear] = useState(false);
  const [shown, setShown] = useState<Value | null>(null);
  const show = useEffectEvent(() => setShown(value));
  useEffect(() => {
    if (!watched) return;
    const observer = new IntersectionObserver((entries) => startTransition(() => setNear(entries.at(-1)?.isIntersecting === true)), {
      rootMargin: NEAR_MARGIN,
    });
    observer.observe(watched);
    // The browser lays the sheet out right after this event.
    const print = (): void => flushSync(() => show());
    window.addEventListener('beforeprint', print);
    return () => {
      observer.disconnect();
      window.removeEventListener('beforeprint', print);
    };
  }, [watched]);
  useEffect(() => {
    if (!isNear || value === shown) return;
    waiting.set(id, () => setShown(value));
    runTurns();
  }, [id, isNear, value, shown]);
  useEffect(() => () => void waiting.delete(id), [id]);
  return shown;
}
