import { startTransition, useEffect, useEffectEvent, useId, useState } from 'react';
import { flushSync } from 'react-dom';

/** Distance from the visible part within which charts are drawn: half a screen. */
const NEAR_MARGIN = '50% 0px';

/** Charts that wait for their turn, in the order in which they asked. */
const waitingCharts = new Map<string, () => void>();
let isRunning = false;

/** Lets one chart draw per frame, because drawing several at once would block the page. */
function runNextTurn(): void {
  if (isRunning || waitingCharts.size === 0) return;
  isRunning = true;
  requestAnimationFrame(() =>
    setTimeout(() => {
      isRunning = false;
      const [first] = waitingCharts;
      if (first !== undefined) {
        waitingCharts.delete(first[0]);
        first[1]();
      }
      runNextTurn();
    }),
  );
}

/**
 * Returns the newest value that a chart may draw, or null before the chart's first turn. Charts on the screen or near it take turns, one
 * after the other. For printing, all charts get their values at once.
 */
export function useDrawingTurn<Value>(watchedElement: HTMLElement | null, value: Value): Value | null {
  const id = useId();
  const [isNear, setNear] = useState(false);
  const [shown, setShown] = useState<Value | null>(null);
  const show = useEffectEvent(() => setShown(value));
  useEffect(() => {
    if (!watchedElement) return;
    const observer = new IntersectionObserver((entries) => startTransition(() => setNear(entries.at(-1)?.isIntersecting === true)), {
      rootMargin: NEAR_MARGIN,
    });
    observer.observe(watchedElement);
    // The value is shown synchronously, because the browser lays the sheet out right after this event.
    const showForPrint = (): void => flushSync(() => show());
    window.addEventListener('beforeprint', showForPrint);
    return () => {
      observer.disconnect();
      window.removeEventListener('beforeprint', showForPrint);
    };
  }, [watchedElement]);
  useEffect(() => {
    if (!isNear || value === shown) return;
    waitingCharts.set(id, () => setShown(value));
    runNextTurn();
  }, [id, isNear, value, shown]);
  useEffect(() => () => void waitingCharts.delete(id), [id]);
  return shown;
}
