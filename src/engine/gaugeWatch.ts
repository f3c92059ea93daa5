import { setTimeout as sleep } from 'node:timers/promises';
import { parseJsonPath, findValueAt } from '#core/work/bodyCheck/jsonPath.ts';
import { getOwn, setOwn } from '#core/base/ownMembers.ts';
import type { WatchedNumber } from '#core/plan/schema/watchPages.ts';

const MAX_READING_MS = 5_000;
const MAX_RESPONSE_BYTES = 65_536;
/**
 * Number of equal readings after which reading ends, if the time limit below is not reached before. A target may store items after its last
 * response.
 */
const MIN_EQUAL_READINGS = 3;
const MAX_SETTLE_MS = 60_000;

/** Reads the plan's watched numbers during the load. If a response is late or is not a number, the value is missing, never zero. */
export class GaugeWatch {
  private readonly watched: readonly WatchedNumber[];
  private fresh: Record<string, number> = {};
  private last: Readonly<Record<string, number>> = {};
  private timers: NodeJS.Timeout[] = [];
  private stopping = new AbortController();

  constructor(watched: readonly WatchedNumber[]) {
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
   * Waits until the numbers that count items of a step no longer change, because a target may store items after the load. Then `take`
   * returns the last readings. Resolves to whether there are such numbers.
   */
  async waitUntilConstant(): Promise<boolean> {
    const counting = this.watched.filter(({ counts }) => counts !== undefined);
    const until = Date.now() + MAX_SETTLE_MS;
    await Promise.all(counting.map((one) => this.waitForConstant(one, until)));
    return counting.length > 0;
  }

  private async waitForConstant(one: WatchedNumber, untilMs: number): Promise<void> {
    let equalReadings = 0;
    for (;;) {
      const before = getOwn(this.last, one.name);
      await this.read(one);
      const now = getOwn(this.last, one.name);
      equalReadings = now === before ? equalReadings + 1 : 1;
      // A number that could not be read until now will not become readable.
      if (now === undefined || equalReadings >= MIN_EQUAL_READINGS || Date.now() >= untilMs || this.stopping.signal.aborted) return;
      await sleep(one.everySeconds * 1_000, undefined, { signal: this.stopping.signal }).catch(() => {});
    }
  }

  /** Returns the numbers read since the last call, by name. */
  take(): Record<string, number> {
    const { fresh } = this;
    this.fresh = {};
    return fresh;
  }

  private async read({ name, url, path, everySeconds }: WatchedNumber): Promise<void> {
    const signal = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(Math.min(MAX_READING_MS, everySeconds * 1_000))]);
    try {
      const response = await fetch(url, { signal, redirect: 'manual' });
      const value = response.ok ? numberIn(await textOf(response), path) : null;
      if (value === null) return;
      setOwn(this.fresh, name, value);
      this.last = { ...this.last, [name]: value };
    } catch {
      // A number that cannot be read stays missing.
    }
  }
}

/** Returns the number at a path in a JSON text; null if there is none. */
export function numberIn(text: string, path: string): number | null {
  const value = findGaugeValue(text, path);
  if (typeof value !== 'number' && !(typeof value === 'string' && value.trim() !== '')) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** Returns the value at a path in a JSON text; undefined if there is none. */
export function findGaugeValue(text: string, path: string): unknown {
  const parts = parseJsonPath(path);
  try {
    return parts === null ? undefined : findValueAt(JSON.parse(text), parts);
  } catch {
    return undefined;
  }
}

/**
 * Returns the body of a response as text. The default of `maxBytes` is enough for a number.
 * @throws If the body is larger than `maxBytes`.
 */
export async function textOf(response: Response, maxBytes = MAX_RESPONSE_BYTES): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new Error('the response is too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
