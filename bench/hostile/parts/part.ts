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

/** The findings of one part of the campaign; null where something does not apply. */
export interface Findings {
  /** Number of requests; null if nothing counts them. */
  readonly requests: number | null;
  readonly serverRequests: number;
  /** Whether the part lasts long enough to judge its memory. */
  readonly hasMemory: boolean;
  /** Memory after the first minute (after the first quarter of a short part), and at the end. */
  readonly memory: { readonly early: Memory | null; readonly late: Memory | null };
  readonly seen: WorstReadings;
  /** Size of the result as sent, or size of the largest response to a call. */
  readonly resultBytes: number;
  readonly storeBytes: number;
  readonly hasEnded: boolean;
  /** Failed requirements, as sentences. */
  readonly wrong: readonly string[];
}

const FIRST_MINUTE_SECONDS = 60;

/** Returns the second in which a part reads the memory for the first time. */
export function earlyReadingSecond(seconds: number): number {
  return Math.min(FIRST_MINUTE_SECONDS, seconds / 4);
}

/** Returns a thrown value as one line. */
export function describeThrown(thrown: unknown): string {
  return thrown instanceof Error ? `${'code' in thrown ? `${String(thrown.code)}: ` : ''}${thrown.message.slice(0, 300)}` : String(thrown);
}
