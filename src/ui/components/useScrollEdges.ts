import { useEffect, useState } from 'react';

/** What of an element lies outside its frame, at each edge; `scrolls` where there is anything, above or below too. */
export interface ScrollEdges {
  readonly scrolls: boolean;
  readonly start: boolean;
  readonly end: boolean;
}

const NONE: ScrollEdges = { scrolls: false, start: false, end: false };

/** Watches what of an element and its content lies beyond its edges; what fits has none. */
export function useScrollEdges(watched: HTMLElement | null): ScrollEdges {
  const [edges, setEdges] = useState(NONE);
  useEffect(() => {
    if (!watched) return;
    const measure = (): void => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight, scrollLeft } = watched;
      const before = Math.abs(scrollLeft);
      // Widths are rounded: a pixel is nothing to scroll to.
      const start = before > 1;
      const end = scrollWidth - clientWidth - before > 1;
      const scrolls = start || end || scrollHeight - clientHeight > 1;
      setEdges((was) => (was.scrolls === scrolls && was.start === start && was.end === end ? was : { scrolls, start, end }));
    };
    // Measures at once too, after the layout of the frame: asked for earlier, each table of a page would lay all of it out.
    const observer = new ResizeObserver(measure);
    observer.observe(watched);
    for (const child of watched.children) observer.observe(child);
    watched.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      watched.removeEventListener('scroll', measure);
    };
  }, [watched]);
  return edges;
}
