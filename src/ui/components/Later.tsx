import { type ReactNode, startTransition, useEffect, useState } from 'react';

/** False when something is first drawn, and true soon after. What is drawn then is drawn in slices, between which the page responds. */
export function useLater(): boolean {
  const [isDue, setDue] = useState(false);
  useEffect(() => startTransition(() => setDue(true)), []);
  return isDue;
}

interface LaterProps {
  /** In CSS pixels, as far as it is known: kept free until then, so that nothing moves. */
  readonly height?: number;
  readonly children: ReactNode;
}

/** What can follow the first picture of a page, because it lies below what is seen first. */
export function Later({ height = 0, children }: LaterProps) {
  return useLater() ? children : <div style={{ minHeight: height }} />;
}
