import type { Memory } from '../app/reports.ts';
import type { WorstReadings, WatchedApp } from '../app/watchedApp.ts';
import type { LoadEngine } from '../plans.ts';
import type { HostileProcess } from '../server/startHostile.ts';

export interface PartContext {
  readonly app: WatchedApp;
  readonly server: HostileProcess;
  readonly seconds: number;
  readonly engine: LoadEngine;
  readonly signal: AbortSignal;
  notify(line: string): void;
}

/** The findings of one part of the campaign; null where not applicable. */
export interface Findings {
  /** null if nothing counts them. */
  readonly requests: number | null;
  readonly serverRequests: number;
  /** Whether it lasts long enough to judge its memory. */
  readonly hasMemory: boolean;
  /** After the first minute (of a short part: its first quarter), and at the end. */
  readonly memory: { readonly early: Memory | null; readonly late: Memory | null };
  readonly seen: WorstReadings;
  /** Size of the result as sent, or of the largest response to a call. */
  readonly resultBytes: number;
  readonly storeBytes: number;
  readonly hasEnded: boolean;
  /** Failed requirements, as sentences. */
  readonly wrong: readonly string[];
}

const FIRST_MINUTE_SECONDS = 60;

/** Returns the second of the first memory reading of a part. */
export function earlyReadingSecond(seconds: number): number {
  return Math.min(FIRST_MINUTE_SECONDS, seconds / 4);
}

/** Returns a thrown value as one line. */
export function describeThrown(thrown: unknown): string {
  return thrown instanceof Error ? `${'code' in thrown ? `${String(thrown.code)}: ` : ''}${thrown.message.slice(0, 300)}` : String(thrown);
}
