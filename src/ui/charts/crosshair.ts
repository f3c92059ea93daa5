import { createContext, useContext, useSyncExternalStore } from 'react';

/** Returns the time of day at a second of a run, in the locale's format; empty if the start is unknown. */
export function clockTime(startedAt: string | null, second: number, locale?: string): string {
  if (startedAt === null) return '';
  const moment = new Date(Date.parse(startedAt) + second * 1_000);
  return createClockFormat(locale).format(moment);
}

const clocks = new Map<string | undefined, Intl.DateTimeFormat>();

/** Returns the formatter of a locale, cached because tables format hundreds of times. */
function createClockFormat(locale: string | undefined): Intl.DateTimeFormat {
  const made = clocks.get(locale) ?? new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
  clocks.set(locale, made);
  return made;
}

/** Position of the crosshair: a second of the run, and the chart under the pointer. */
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
  return within(useContext(CrosshairContext));
}

/** Returns a context value of ChartView. Throws if the chart is not inside one. */
export function within<Given>(given: Given | null): Given {
  if (given === null) throw new Error('ChartView is missing above this chart');
  return given;
}

export function useLook(): Look | null {
  const crosshair = useCrosshair();
  return useSyncExternalStore(crosshair.subscribe, () => crosshair.look);
}
