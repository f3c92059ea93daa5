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

/** The findings of one part of the campaign. */
export interface Findings {
  /** Number of requests; null if the part does not count them. */
  readonly requests: number | null;
  readonly serverRequests: number;
  /** Whether the part lasts long enough for its memory to be judged. */
  readonly hasMemory: boolean;
  /** Memory after the first minute (in a short part: after its first quarter), and at the end. */
  readonly memory: { readonly early: Memory | null; readonly late: Memory | null };
  readonly seen: WorstReadings;
  /** Size of the result as sent, or size of the largest response to a call, in bytes. */
  readonly resultBytes: number;
  readonly storeBytes: number;
  readonly hasEnded: boolean;
  /** Requirements that the part failed, as sentences. */
  readonly wrong: readonly string[];
}

const FIRST_MINUTE_SECONDS = 60;

/** Returns the second at which a part reads the memory for the first time. */
export function earlyReadingSecond(seconds: number): number {
  return Math.min(FIRST_MINUTE_SECONDS, seconds / 4);
}

/** Returns a thrown value as one line of text. */
export function describeThrown(thrown: unknown): string {
  return thrown instanceof Error ? `${'code' in thrown ? `${String(thrown.code)}: ` : ''}${thrown.message.slice(0, 300)}` : String(thrown);
}
