import { createContext, useContext, useSyncExternalStore } from 'react';

/** The clock at a second of a run, in the reader's own writing; empty when it is not known when the run began. */
export function clockTime(startedAt: string | null, second: number, locale?: string): string {
  if (startedAt === null) return '';
  const moment = new Date(Date.parse(startedAt) + second * 1_000);
  return clockOf(locale).format(moment);
}

const clocks = new Map<string | undefined, Intl.DateTimeFormat>();

/** Made once for each locale: tables say hundreds of times. */
function clockOf(locale: string | undefined): Intl.DateTimeFormat {
  const made = clocks.get(locale) ?? new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
  clocks.set(locale, made);
  return made;
}

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
  return within(useContext(CrosshairContext));
}

/** What a ChartView gives the charts in it. */
export function within<Given>(given: Given | null): Given {
  if (given === null) throw new Error('ChartView is missing above this chart');
  return given;
}

export function useLook(): Look | null {
  const crosshair = useCrosshair();
  return useSyncExternalStore(crosshair.subscribe, () => crosshair.look);
}
