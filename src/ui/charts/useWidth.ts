import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** A sheet of A4 less its margins; charts are drawn anew for it, so that their text keeps its size. */
const SHEET_WIDTH = 660;

/** Width of an element in whole CSS pixels, 0 until it is there; while the page is printed, at most that of a sheet. */
export function useWidth(watched: HTMLElement | null): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!watched) return;
    let printing = false;
    const measure = (): void => {
      if (!printing) setWidth(Math.floor(watched.clientWidth));
    };
    const print = (): void => {
      printing = true;
      // The sheet is laid out as soon as this event has been handled.
      flushSync(() => setWidth((before) => Math.min(before, SHEET_WIDTH)));
    };
    const printed = (): void => {
      printing = false;
      measure();
    };
    // Measures at once too, after the layout of the frame: asked for earlier, each chart of a page would lay all of it out.
    const observer = new ResizeObserver(measure);
    observer.observe(watched);
    window.addEventListener('beforeprint', print);
    window.addEventListener('afterprint', printed);
    return () => {
      observer.disconnect();
      window.removeEventListener('beforeprint', print);
      window.removeEventListener('afterprint', printed);
    };
  }, [watched]);
  return width;
}
