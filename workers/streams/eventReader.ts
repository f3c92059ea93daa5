import { parseJson } from '#core/base/json.ts';
import type { INSTANT_UNITS, StreamStep } from '#core/plan/schema/stream.ts';
import { parseJsonPath, valueAt } from '#core/work/bodyCheck/jsonPath.ts';

const MICROSECONDS: Readonly<Record<(typeof INSTANT_UNITS)[number], number>> = { seconds: 1_000_000, milliseconds: 1_000, microseconds: 1 };
const DECIMAL = /^-?\d{1,17}(?:\.\d{1,9})?$/;
const HEXADECIMAL = /^[\da-f]{1,13}$/i;

type Place = NonNullable<StreamStep['number']>;
type NumberIn = (id: string, data: string) => number | null;

/** What an event says of itself. */
export interface EventReading {
  /** When it was sent, in microseconds since 1970, in the middle of its unit; null where it does not say. */
  sentUs: number | null;
  number: number | null;
}

/**
 * Reads what events say of themselves. One serves all listeners of a thread: a server sends the same event to all of them, so the last one is
 * read once.
 */
export class EventReader {
  readonly wantsData: boolean;
  private readonly sentAt: NumberIn | null;
  private readonly number: NumberIn | null;
  private readonly last: EventReading = { sentUs: null, number: null };
  private lastId: string | null = null;
  private lastData = '';

  constructor({ sentAt, number }: StreamStep) {
    this.wantsData = sentAt?.from === 'data' || number?.from === 'data';
    this.number = number === undefined ? null : numberIn(number, false);
    if (sentAt === undefined) this.sentAt = null;
    else {
      const find = numberIn(sentAt, sentAt.isHex ?? false);
      const unitUs = MICROSECONDS[sentAt.unit];
      this.sentAt = (id, data) => {
        const found = find(id, data);
        if (found === null) return null;
        // An instant that was cut to its unit lies in the middle of it, on average.
        return found * unitUs + (Number.isInteger(found) ? unitUs / 2 : 0);
      };
    }
  }

  /** Valid until the next call. */
  read(id: string, data: string): Readonly<EventReading> {
    const { last } = this;
    if (id === this.lastId && data === this.lastData) return last;
    this.lastId = id;
    this.lastData = data;
    last.sentUs = this.sentAt?.(id, data) ?? null;
    last.number = this.number?.(id, data) ?? null;
    return last;
  }
}

function numberIn({ from, path }: Place, isHex: boolean): NumberIn {
  const textOf = (text: string): number | null => (isHex ? hexadecimal(text) : decimal(text));
  if (path === undefined) return from === 'id' ? (id) => textOf(id) : (_id, data) => textOf(data);
  const parts = parseJsonPath(path) ?? [];
  return (id, data) => {
    const found = valueAt(parseJson(from === 'id' ? id : data), parts);
    if (typeof found === 'number') return Number.isFinite(found) ? found : null;
    return typeof found === 'string' ? textOf(found) : null;
  };
}

function decimal(text: string): number | null {
  return DECIMAL.test(text) ? Number(text) : null;
}

function hexadecimal(text: string): number | null {
  return HEXADECIMAL.test(text) ? Number.parseInt(text, 16) : null;
}

/** What the number of an event says about its place among those before. */
export interface EventOrder {
  /** Numbers that were skipped; −1 for one that was, and has come late. */
  readonly missed: number;
  readonly isRepeated: boolean;
  readonly isLate: boolean;
}

const IN_ORDER: EventOrder = { missed: 0, isRepeated: false, isLate: false };
const REPEATED: EventOrder = { missed: 0, isRepeated: true, isLate: false };
const LATE: EventOrder = { missed: -1, isRepeated: false, isLate: true };
/** Skipped numbers that are remembered, so that one that comes late is not taken for one that comes twice. */
const MOST_SKIPPED = 64;
/** A server that begins to count anew after a restart has skipped nothing. */
const LARGEST_STEP = 1_000_000;

/** The numbers of the events of one listener, over all streams that it holds after one another. */
export class EventNumbers {
  private last: number | null = null;
  private skipped: Set<number> | null = null;

  /** The place of the next event. */
  take(number: number): EventOrder {
    const { last } = this;
    if (last === null || Math.abs(number - last) > LARGEST_STEP) {
      this.last = number;
      this.skipped = null;
      return IN_ORDER;
    }
    if (number > last) {
      this.last = number;
      const missed = Math.max(0, Math.round(number - last) - 1);
      if (missed === 0) return IN_ORDER;
      const skipped = (this.skipped ??= new Set());
      for (let each = last + 1; each < number && skipped.size < MOST_SKIPPED; each += 1) skipped.add(each);
      return { missed, isRepeated: false, isLate: false };
    }
    return this.skipped?.delete(number) === true ? LATE : REPEATED;
  }
}
