import { parseJson } from '#core/base/json.ts';
import type { INSTANT_UNITS, StreamStep } from '#core/plan/schema/step.ts';
import { parseJsonPath, findValueAt } from '#core/work/bodyCheck/jsonPath.ts';
import type { BuiltRequest } from '../requestBytes.ts';

const MICROSECONDS_PER_UNIT: Readonly<Record<(typeof INSTANT_UNITS)[number], number>> = {
  seconds: 1_000_000,
  milliseconds: 1_000,
  microseconds: 1,
};
const DECIMAL_PATTERN = /^-?\d{1,17}(?:\.\d{1,9})?$/;
const HEXADECIMAL_PATTERN = /^[\da-f]{1,13}$/i;

type NumberLocation = NonNullable<StreamStep['number']>;
type NumberIn = (id: string, data: string) => number | null;

export interface EventReading {
  /** Sending time in microseconds since 1970, at the middle of its unit; null if the event states none. */
  sentUs: number | null;
  number: number | null;
}

/**
 * Reads the sending time and the number of events. One instance is used for all listeners of a thread: a server sends the same event to all
 * of them, and it is read only once.
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
      const unitUs = MICROSECONDS_PER_UNIT[sentAt.unit];
      this.sentAt = (id, data) => {
        const found = find(id, data);
        if (found === null) return null;
        // On average, a truncated time lies in the middle of its unit.
        return found * unitUs + (Number.isInteger(found) ? unitUs / 2 : 0);
      };
    }
  }

  /** Returns the fields of an event, valid until the next call. */
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

function numberIn({ from, path }: NumberLocation, isHex: boolean): NumberIn {
  const textOf = (text: string): number | null => (isHex ? parseHexadecimal(text) : parseDecimal(text));
  if (path === undefined) return from === 'id' ? (id) => textOf(id) : (_id, data) => textOf(data);
  const parts = parseJsonPath(path) ?? [];
  return (id, data) => {
    const found = findValueAt(parseJson(from === 'id' ? id : data), parts);
    if (typeof found === 'number') return Number.isFinite(found) ? found : null;
    return typeof found === 'string' ? textOf(found) : null;
  };
}

function parseDecimal(text: string): number | null {
  return DECIMAL_PATTERN.test(text) ? Number(text) : null;
}

function parseHexadecimal(text: string): number | null {
  return HEXADECIMAL_PATTERN.test(text) ? Number.parseInt(text, 16) : null;
}

/** Result of the comparison of an event number with the previous ones. */
export interface EventOrder {
  /** Number of event numbers that were skipped; −1 for a skipped number that arrives late. */
  readonly missed: number;
  readonly isRepeated: boolean;
  readonly isLate: boolean;
}

const EVENT_IN_ORDER: EventOrder = { missed: 0, isRepeated: false, isLate: false };
const REPEATED_EVENT: EventOrder = { missed: 0, isRepeated: true, isLate: false };
const LATE_EVENT: EventOrder = { missed: -1, isRepeated: false, isLate: true };
/** Maximum number of skipped numbers that are remembered, to distinguish late numbers from repeated ones. */
const MAX_SKIPPED = 64;
/** Maximum jump of the numbers. A larger jump counts as a restart of the server's numbers, not as missed events. */
const MAX_NUMBER_STEP = 1_000_000;

/** Tracks the event numbers of one listener over its successive streams. */
export class EventNumbers {
  private last: number | null = null;
  private skipped: Set<number> | null = null;

  /** Compares the number of the next event with the previous ones. */
  take(number: number): EventOrder {
    const { last } = this;
    if (last === null || Math.abs(number - last) > MAX_NUMBER_STEP) {
      this.last = number;
      this.skipped = null;
      return EVENT_IN_ORDER;
    }
    if (number > last) {
      this.last = number;
      const missed = Math.max(0, Math.round(number - last) - 1);
      if (missed === 0) return EVENT_IN_ORDER;
      const skipped = (this.skipped ??= new Set());
      for (let each = last + 1; each < number && skipped.size < MAX_SKIPPED; each += 1) skipped.add(each);
      return { missed, isRepeated: false, isLate: false };
    }
    return this.skipped?.delete(number) === true ? LATE_EVENT : REPEATED_EVENT;
  }
}

/** Redirect of the request that opens a stream. */
export interface StreamRedirect {
  readonly url: URL;
  request(): BuiltRequest;
}

export interface StreamRules {
  /** Time for which the stream is held. Infinity means until the load ends; 0 means that the journey continues beside it. */
  readonly holdUs: number;
  readonly reader: EventReader;
  /** Settings and messages of a WebSocket; null for an event stream. */
  readonly socket: SocketRules | null;
  /** Returns the redirect as browsers follow it; null if it must not be followed. */
  redirect(from: URL, location: string): StreamRedirect | null;
}

interface SocketRules {
  readonly protocols: readonly string[];
  /** Interval at which the messages are repeated; null if they are sent only once. */
  readonly everyUs: number | null;
  /** Returns the messages to send now; none if the user has lost a required value. */
  messages(): readonly string[];
}

/** Parses the bytes of a stream. */
export interface StreamReading {
  /** Id of the last event that had one. It is sent on a reconnect. */
  readonly lastId: string;
  /** Reconnection delay that the server sets; null if it sets none. */
  readonly retryMs: number | null;
  /** Starts a new stream. */
  begin(): void;
  /** Reads bytes of the stream. Returns false if they are invalid or exceed a limit. */
  feed(buffer: Buffer, start: number, end: number): boolean;
}
