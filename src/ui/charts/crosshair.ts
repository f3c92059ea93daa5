import { createContext, useContext, useSyncExternalStore } from 'react';

/** Where the reader looks: a second of the run, and the chart that is pointed at. Shared by all charts of a view. */
export interface Look {
  readonly second: number;
  readonly chart: string;
}

export interface Crosshair {
  readonly look: Look | null;
  move(look: Look | null): void;
  subscribe(listener: () => void): () => void;
}

export function newCrosshair(): Crosshair {
  let look: Look | null = null;
  const listeners = new Set<() => void>();
  return {
    get look() {
      return look;
    },
    move(next) {
      if (look?.second === next?.second && look?.chart === next?.chart) return;
      look = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const CrosshairContext = createContext<Crosshair | null>(null);

export function useCrosshair(): Crosshair {
  const crosshair = useContext(CrosshairContext);
  if (!crosshair) throw new Error('ChartView is missing above this chart');
  return crosshair;
}

export function useLook(): Look | null {
  const crosshair = useCrosshair();
  return useSyncExternalStore(crosshair.subscribe, () => crosshair.look);
}
