import type { StreamReading } from './streamReading.ts';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const COLON = 58;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const NO_BYTES = Buffer.alloc(0);
const SMALLEST_LINE_BUFFER = 256;
/** A listener that comes back later than this has long been given up by its user. */
const LONGEST_RETRY_MS = 3_600_000;

/** Told of what an event stream says. */
export interface EventListener {
  /** `data`: its lines joined by line feeds; empty where nobody wants it. */
  event(id: string, data: string): void;
}

/**
 * Takes an event stream apart (HTML Standard, 9.2.6), over read buffers that are shared and reused. Nothing is copied but a line that is split,
 * and nothing is decoded that nobody wants.
 */
export class EventParser implements StreamReading {
  lastId = '';
  retryMs: number | null = null;
  private readonly listener: EventListener;
  private readonly wantsData: boolean;
  private readonly mostBytes: number;
  /** The beginning of a line whose end has not come. */
  private begun = NO_BYTES;
  private begunBytes = 0;
  private isAfterReturn = false;
  private isFirstLine = true;
  private data = '';
  private dataLines = 0;
  private eventBytes = 0;

  /** `mostBytes` of one event; a stream with a larger one is refused. */
  constructor(listener: EventListener, wantsData: boolean, mostBytes = 1_048_576) {
    this.listener = listener;
    this.wantsData = wantsData;
    this.mostBytes = mostBytes;
  }

  /** What had begun is forgotten, and the last id kept. */
  begin(): void {
    this.begunBytes = 0;
    this.isAfterReturn = false;
    this.isFirstLine = true;
    this.forgetEvent();
  }

  feed(buffer: Buffer, start: number, end: number): boolean {
    let lineStart = start;
    for (let at = start; at < end; at += 1) {
      const byte = buffer[at];
      if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN) continue;
      const endsReturn = byte === LINE_FEED && this.isAfterReturn && at === lineStart && this.begunBytes === 0;
      if (!endsReturn) this.line(buffer, lineStart, at);
      this.isAfterReturn = byte === CARRIAGE_RETURN;
      lineStart = at + 1;
      if (this.eventBytes > this.mostBytes) return false;
    }
    if (lineStart < end) this.keep(buffer, lineStart, end);
    return this.eventBytes + this.begunBytes <= this.mostBytes;
  }

  /** Keeps the beginning of a line. The buffer doubles, so that a line that comes byte by byte costs no more than its length. */
  private keep(buffer: Buffer, start: number, end: number): void {
    this.isAfterReturn = false;
    const needed = this.begunBytes + end - start;
    if (needed > this.mostBytes) {
      this.begunBytes = needed;
      return;
    }
    if (needed > this.begun.length) {
      const larger = Buffer.allocUnsafe(Math.max(SMALLEST_LINE_BUFFER, 2 ** Math.ceil(Math.log2(needed))));
      this.begun.copy(larger, 0, 0, this.begunBytes);
      this.begun = larger;
    }
    buffer.copy(this.begun, this.begunBytes, start, end);
    this.begunBytes = needed;
  }

  private line(buffer: Buffer, start: number, end: number): void {
    if (this.begunBytes === 0) {
      this.read(buffer, start, end);
      return;
    }
    this.keep(buffer, start, end);
    const length = this.begunBytes;
    this.begunBytes = 0;
    if (length > this.mostBytes) this.eventBytes = length;
    else this.read(this.begun, 0, length);
    this.begun = NO_BYTES;
  }

  private read(buffer: Buffer, lineStart: number, end: number): void {
    let start = lineStart;
    if (this.isFirstLine) {
      this.isFirstLine = false;
      if (end - start >= 3 && buffer.compare(BYTE_ORDER_MARK, 0, 3, start, start + 3) === 0) start += 3;
    }
    if (start === end) {
      this.endEvent();
      return;
    }
    this.eventBytes += end - lineStart;
    // Anything else is a comment, or a field that nobody knows.
    switch (buffer[start]) {
      case 100: // d
        if (!isField(buffer, start, end, 'data')) return;
        if (this.wantsData) this.addData(valueOf(buffer, start + 4, end));
        this.dataLines += 1;
        return;
      case 105: // i
        if (isField(buffer, start, end, 'id')) this.takeId(valueOf(buffer, start + 2, end));
        return;
      case 114: // r
        if (isField(buffer, start, end, 'retry')) this.takeRetry(valueOf(buffer, start + 5, end));
        return;
      default:
    }
  }

  private addData(line: string): void {
    this.data = this.dataLines === 0 ? line : `${this.data}\n${line}`;
  }

  private takeId(id: string): void {
    if (!id.includes('\0')) this.lastId = id;
  }

  private takeRetry(text: string): void {
    if (/^\d+$/.test(text)) this.retryMs = Math.min(LONGEST_RETRY_MS, Number(text));
  }

  private endEvent(): void {
    const { dataLines, data } = this;
    this.forgetEvent();
    if (dataLines > 0) this.listener.event(this.lastId, data);
  }

  private forgetEvent(): void {
    this.dataLines = 0;
    this.eventBytes = 0;
    this.data = '';
  }
}

/** Whether the line is of this field, with a value or without. */
function isField(buffer: Buffer, start: number, end: number, name: string): boolean {
  const colonAt = start + name.length;
  if (colonAt > end || (colonAt < end && buffer[colonAt] !== COLON)) return false;
  for (let index = 1; index < name.length; index += 1) if (buffer[start + index] !== name.charCodeAt(index)) return false;
  return true;
}

/** What stands behind the colon at `colonAt`, less one space. */
function valueOf(buffer: Buffer, colonAt: number, end: number): string {
  if (colonAt >= end) return '';
  const start = buffer[colonAt + 1] === SPACE && colonAt + 1 < end ? colonAt + 2 : colonAt + 1;
  return buffer.toString('utf8', start, end);
}
