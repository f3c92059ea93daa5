import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Width of A4 without margins, in CSS pixels. Charts are redrawn at this width for printing, so that their text keeps its size. */
const SHEET_WIDTH = 660;

/** Returns the width of an element in whole CSS pixels: 0 before the element exists, and at most the width of a sheet while printing. */
export function useWidth(watchedElement: HTMLElement | null): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!watchedElement) return;
    let printing = false;
    const measure = (): void => {
      if (!printing) setWidth(Math.floor(watchedElement.clientWidth));
    };
    const onPrint = (): void => {
      printing = true;
      // The width is set synchronously, because the browser lays the sheet out right after this event.
      flushSync(() => setWidth((before) => Math.min(before, SHEET_WIDTH)));
    };
    const onPrinted = (): void => {
      printing = false;
      measure();
    };
    // The observer also reports the initial width, after layout. Measuring earlier would force a layout of the page for each chart.
    const observer = new ResizeObserver(measure);
    observer.observe(watchedElement);
    window.addEventListener('beforeprint', onPrint);
    window.addEventListener('afterprint', onPrinted);
    return () => {
      observer.disconnect();
      window.removeEventListener('beforeprint', onPrint);
      window.removeEventListener('afterprint', onPrinted);
    };
  }, [watchedElement]);
  return width;
}
