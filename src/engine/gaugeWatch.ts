import { setTimeout as sleep } from 'node:timers/promises';
import { parseJsonPath, valueAt } from '#core/work/bodyCheck/jsonPath.ts';
import { getOwn, setOwn } from '#core/base/ownMembers.ts';
import type { Watched } from '#core/plan/schema/watch.ts';

const LIMIT_MS = 5_000;
const MOST_BYTES = 65_536;
/** What the target still does when nobody waits any more is watched until so many readings are alike, and no longer than that. */
const ALIKE = 3;
const SETTLE_LIMIT_MS = 60_000;

/** Reads numbers off beside the load. What does not answer in time, or no number, is missing: never zero. */
export class GaugeWatch {
  private readonly watched: readonly Watched[];
  private fresh: Record<string, number> = {};
  private last: Readonly<Record<string, number>> = {};
  private timers: NodeJS.Timeout[] = [];
  private stopping = new AbortController();

  constructor(watched: readonly Watched[]) {
    this.watched = watched;
  }

  start(): void {
    this.stop();
    this.stopping = new AbortController();
    this.timers = this.watched.map((one) => {
      void this.read(one);
      return setInterval(() => void this.read(one), one.everySeconds * 1_000);
    });
  }

  stop(): void {
    for (const timer of this.timers) clearInterval(timer);
    this.timers = [];
    this.stopping.abort();
  }

  /**
   * Waits until what counts a step stands still, for a target may go on with what it was asked for after everybody has gone. Then the last reading
   * is a fresh one. Resolves at once where nothing counts a step.
   */
  async settle(): Promise<boolean> {
    const counting = this.watched.filter(({ counts }) => counts !== undefined);
    const until = Date.now() + SETTLE_LIMIT_MS;
    await Promise.all(counting.map((one) => this.settleOne(one, until)));
    return counting.length > 0;
  }

  private async settleOne(one: Watched, untilMs: number): Promise<void> {
    let alike = 0;
    for (;;) {
      const before = getOwn(this.last, one.name);
      await this.read(one);
      const now = getOwn(this.last, one.name);
      alike = now === before ? alike + 1 : 1;
      // What was never read will not be read now.
      if (now === undefined || alike >= ALIKE || Date.now() >= untilMs || this.stopping.signal.aborted) return;
      await sleep(one.everySeconds * 1_000, undefined, { signal: this.stopping.signal }).catch(() => {});
    }
  }

  /** What was read since this was last asked, by name. */
  take(): Record<string, number> {
    const { fresh } = this;
    this.fresh = {};
    return fresh;
  }

  private async read({ name, url, path, everySeconds }: Watched): Promise<void> {
    const signal = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(Math.min(LIMIT_MS, everySeconds * 1_000))]);
    try {
      const response = await fetch(url, { signal, redirect: 'manual' });
      const value = response.ok ? numberIn(await textOf(response), path) : null;
      if (value === null) return;
      setOwn(this.fresh, name, value);
      this.last = { ...this.last, [name]: value };
    } catch {
      // Not read: it stays missing.
    }
  }
}

/** The number at a place of a JSON text; null where there is none. */
export function numberIn(text: string, path: string): number | null {
  const value = valueIn(text, path);
  if (typeof value !== 'number' && !(typeof value === 'string' && value.trim() !== '')) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** The value at a path in a JSON text; undefined where there is none. */
export function valueIn(text: string, path: string): unknown {
  const parts = parseJsonPath(path);
  try {
    return parts === null ? undefined : valueAt(JSON.parse(text), parts);
  } catch {
    return undefined;
  }
}

/** The body of a response as text. Throws when it is larger than `mostBytes`; the default is enough for a number. */
export async function textOf(response: Response, mostBytes = MOST_BYTES): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > mostBytes) throw new Error('the response is too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
