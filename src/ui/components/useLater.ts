import { startTransition, useEffect, useState } from 'react';

/**
 * False when something is first drawn, and true soon after: for what can follow the first picture of a page. What is drawn then is drawn in slices, between which
 * the page responds.
 */
export function useLater(): boolean {
  const [isDue, setDue] = useState(false);
  useEffect(() => startTransition(() => setDue(true)), []);
  return isDue;
}
