import { useLayoutEffect, useState, type RefObject } from 'react';

/** Width of an element in whole CSS pixels, 0 until it is known. The element may appear later than the component. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  const [watched, setWatched] = useState<HTMLElement | null>(null);
  // Without dependencies: only after rendering is it known whether the element is there. The same element renders nothing anew.
  useLayoutEffect(() => setWatched(element.current));
  useLayoutEffect(() => {
    if (!watched) return;
    const measure = (): void => setWidth(Math.floor(watched.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(watched);
    return () => observer.disconnect();
  }, [watched]);
  return width;
}
