import { startTransition, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Half a screen above and below the visible part, so that charts are drawn before they are scrolled to. */
const NEAR_MARGIN = '50% 0px';

/** Returns whether an element is on the screen or near it; while printing, always true. */
export function useNear(watched: HTMLElement | null): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (!watched) return;
    const observer = new IntersectionObserver((entries) => startTransition(() => setNear(entries.at(-1)?.isIntersecting === true)), {
      rootMargin: NEAR_MARGIN,
    });
    observer.observe(watched);
    // The browser lays the sheet out right after this event.
    const print = (): void => flushSync(() => setNear(true));
    window.addEventListener('beforeprint', print);
    return () => {
      observer.disconnect();
      window.removeEventListener('beforeprint', print);
    };
  }, [watched]);
  return isNear;
}
