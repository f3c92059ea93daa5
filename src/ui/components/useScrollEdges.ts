import { useEffect, useState } from 'react';

/** Whether content is hidden at the start or end edge; `scrolls`: in any direction. */
export interface ScrollEdges {
  readonly scrolls: boolean;
  readonly start: boolean;
  readonly end: boolean;
}

const NONE: ScrollEdges = { scrolls: false, start: false, end: false };

/** Watches whether the content of an element extends beyond its edges. */
export function useScrollEdges(watched: HTMLElement | null): ScrollEdges {
  const [edges, setEdges] = useState(NONE);
  useEffect(() => {
    if (!watched) return;
    const measure = (): void => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight, scrollLeft } = watched;
      const before = Math.abs(scrollLeft);
      // Widths are rounded, so one pixel does not count as hidden content.
      const start = before > 1;
      const end = scrollWidth - clientWidth - before > 1;
      const scrolls = start || end || scrollHeight - clientHeight > 1;
      setEdges((was) => (was.scrolls === scrolls && was.start === start && was.end === end ? was : { scrolls, start, end }));
    };
    // The observer also reports the initial size, after layout: measuring earlier would force a layout of the page for each table.
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
