import { startTransition, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Half a screen above and below what is seen: what is drawn there is finished before it is scrolled to. */
const AROUND = '50% 0px';

/** Whether an element is on the screen or near it. On paper, all of a page is. */
export function useNear(watched: HTMLElement | null): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (!watched) return;
    const observer = new IntersectionObserver((entries) => startTransition(() => setNear(entries.at(-1)?.isIntersecting === true)), {
      rootMargin: AROUND,
    });
    observer.observe(watched);
    // The sheet is laid out as soon as this event has been handled.
    const print = (): void => flushSync(() => setNear(true));
    window.addEventListener('beforeprint', print);
    return () => {
      observer.disconnect();
      window.removeEventListener('beforeprint', print);
    };
  }, [watched]);
  return isNear;
}
