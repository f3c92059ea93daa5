import type { Memory } from '../app/reports.ts';
import type { Seen, WatchedApp } from '../app/watchedApp.ts';
import type { LoadEngine } from '../plans.ts';
import type { HostileProcess } from '../server/startHostile.ts';

export interface PartContext {
  readonly app: WatchedApp;
  readonly server: HostileProcess;
  readonly seconds: number;
  readonly engine: LoadEngine;
  readonly signal: AbortSignal;
  tell(line: string): void;
}

/** What one part of the campaign has found; what does not apply to it is null. */
export interface Findings {
  /** null where nothing counts them. */
  readonly requests: number | null;
  readonly serverRequests: number;
  /** Whether it goes on long enough for its memory to tell something. */
  readonly hasMemory: boolean;
  /** After the first minute (of a short part: its first quarter), and at the end. */
  readonly memory: { readonly early: Memory | null; readonly late: Memory | null };
  readonly seen: Seen;
  /** Of the result as it is sent, or of the largest answer to a call. */
  readonly resultBytes: number;
  readonly storeBytes: number;
  readonly hasEnded: boolean;
  /** In words: what does not hold. */
  readonly wrong: readonly string[];
}

const FIRST_MINUTE_SECONDS = 60;

/** When the memory is first read, from the start of a part. */
export function earlySecond(seconds: number): number {
  return Math.min(FIRST_MINUTE_SECONDS, seconds / 4);
}

/** Whatever was thrown, as a line. */
export function wordsOf(thrown: unknown): string {
  return thrown instanceof Error ? `${'code' in thrown ? `${String(thrown.code)}: ` : ''}${thrown.message.slice(0, 300)}` : String(thrown);
}
