import type { StreamReading } from './eventReader.ts';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const COLON = 58;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const NO_BYTES = Buffer.alloc(0);
const MIN_LINE_BUFFER_BYTES = 256;
/** Maximum reconnection delay. Real users would leave earlier. */
const MAX_RETRY_MS = 3_600_000;

export interface EventListener {
  /** Called for each event. `data` has the data lines, joined by line feeds; it is empty if the data are not wanted. */
  event(id: string, data: string): void;
}

/**
 * Parses an event stream (HTML Standard, section 9.2.6) from shared, reused read buffers. It copies only split lines, and decodes only
 * wanted fields.
 */
export class EventParser implements StreamReading {
  lastId = '';
  retryMs: number | null = null;
  private readonly listener: EventListener;
  private readonly wantsData: boolean;
  private readonly maxBytes: number;
  /** The start of an incomplete line. */
  private partialLine = NO_BYTES;
  private partialBytes = 0;
  private isAfterReturn = false;
  private isFirstLine = true;
  private data = '';
  private dataLines = 0;
  private eventBytes = 0;

  /** `maxBytes` is the maximum number of bytes of one event. A stream with a larger event is refused. */
  constructor(listener: EventListener, wantsData: boolean, maxBytes = 1_048_576) {
    this.listener = listener;
    this.wantsData = wantsData;
    this.maxBytes = maxBytes;
  }

  /** Starts a new stream, and keeps the id of the last event. */
  begin(): void {
    this.partialBytes = 0;
    this.isAfterReturn = false;
    this.isFirstLine = true;
    this.forgetEvent();
  }

  feed(buffer: Buffer, start: number, end: number): boolean {
    let lineStart = start;
    for (let at = start; at < end; at += 1) {
      const byte = buffer[at];
      if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN) continue;
      const endsReturn = byte === LINE_FEED && this.isAfterReturn && at === lineStart && this.partialBytes === 0;
      if (!endsReturn) this.line(buffer, lineStart, at);
      this.isAfterReturn = byte === CARRIAGE_RETURN;
      lineStart = at + 1;
      if (this.eventBytes > this.maxBytes) return false;
    }
    if (lineStart < end) this.keep(buffer, lineStart, end);
    return this.eventBytes + this.partialBytes <= this.maxBytes;
  }

  /** Keeps the start of a line. The buffer doubles its size, so that a line that arrives byte by byte takes linear time. */
  private keep(buffer: Buffer, start: number, end: number): void {
    this.isAfterReturn = false;
    const needed = this.partialBytes + end - start;
    if (needed > this.maxBytes) {
      this.partialBytes = needed;
      return;
    }
    if (needed > this.partialLine.length) {
      const larger = Buffer.allocUnsafe(Math.max(MIN_LINE_BUFFER_BYTES, 2 ** Math.ceil(Math.log2(needed))));
      this.partialLine.copy(larger, 0, 0, this.partialBytes);
      this.partialLine = larger;
    }
    buffer.copy(this.partialLine, this.partialBytes, start, end);
    this.partialBytes = needed;
  }

  private line(buffer: Buffer, start: number, end: number): void {
    if (this.partialBytes === 0) {
      this.read(buffer, start, end);
      return;
    }
    this.keep(buffer, start, end);
    const length = this.partialBytes;
    this.partialBytes = 0;
    if (length > this.maxBytes) this.eventBytes = length;
    else this.read(this.partialLine, 0, length);
    this.partialLine = NO_BYTES;
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
    // Other lines are comments or unknown fields.
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
    if (/^\d+$/.test(text)) this.retryMs = Math.min(MAX_RETRY_MS, Number(text));
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

/** Returns whether the line has this field name, with or without a value. */
function isField(buffer: Buffer, start: number, end: number, name: string): boolean {
  const colonAt = start + name.length;
  if (colonAt > end || (colonAt < end && buffer[colonAt] !== COLON)) return false;
  for (let index = 1; index < name.length; index += 1) if (buffer[start + index] !== name.charCodeAt(index)) return false;
  return true;
}

/** Returns the value after the colon, without one leading space. */
function valueOf(buffer: Buffer, colonAt: number, end: number): string {
  if (colonAt >= end) return '';
  const start = buffer[colonAt + 1] === SPACE && colonAt + 1 < end ? colonAt + 2 : colonAt + 1;
  return buffer.toString('utf8', start, end);
}
