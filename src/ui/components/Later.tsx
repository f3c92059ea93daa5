import { type ReactNode, startTransition, useEffect, useState } from 'react';

/** Returns false in the first render and true soon after. The second render is a transition, so the page stays responsive. */
export function useLater(): boolean {
  const [isDue, setDue] = useState(false);
  useEffect(() => startTransition(() => setDue(true)), []);
  return isDue;
}

interface LaterProps {
  /** Estimated height in CSS pixels, reserved until the children are rendered, so that the layout does not shift. */
  readonly height?: number;
  readonly children: ReactNode;
}

/** Renders its children after the first paint: for content below the visible part of the page. */
export function Later({ height = 0, children }: LaterProps) {
  return useLater() ? children : <div style={{ minHeight: height }} />;
}
