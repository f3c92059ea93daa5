import { uptime } from 'node:os';
import { hrtimeUs } from './hrtime.ts';

/** Some systems tell their time since boot in whole seconds only. */
const LEAST_MS = 2_000;

/** Instants of the same moment by two clocks. */
export interface TwoClocks {
  /** Since the machine was started, in milliseconds; the time for which it was suspended is part of it. */
  readonly sinceBootMs: number;
  /** By the monotonic clock, in milliseconds; on Linux and macOS it stands still while the machine is suspended. */
  readonly monotonicMs: number;
}

/** Notices that this machine was suspended, which its monotonic clock, and so the seconds of a run, may know nothing of. */
export class SuspensionWatch {
  private readonly read: () => TwoClocks;
  private before: TwoClocks;
  private untoldMs = 0;

  constructor(read: () => TwoClocks = readClocks) {
    this.read = read;
    this.before = read();
  }

  /** To be called some times a second. */
  look(): void {
    const now = this.read();
    const missedMs = now.sinceBootMs - this.before.sinceBootMs - (now.monotonicMs - this.before.monotonicMs);
    if (missedMs >= LEAST_MS) this.untoldMs += missedMs;
    this.before = now;
  }

  /** For how long it was suspended since this was last asked, as far as the monotonic clock stood still. */
  takeMs(): number {
    const ms = this.untoldMs;
    this.untoldMs = 0;
    return ms;
  }
}

function readClocks(): TwoClocks {
  return { sinceBootMs: uptime() * 1_000, monotonicMs: hrtimeUs() / 1_000 };
}
