import { CR, DIGIT_0, DIGIT_9, HTAB, IS_VALUE, LF, SP } from './bytes.ts';
import { ConnectionReader } from './connectionHeader.ts';
import {
  CONNECTION,
  CONTENT_LENGTH,
  FIRST_WANTED,
  type HeaderPlan,
  PROXY_CONNECTION,
  type Refusal,
  TRANSFER_ENCODING,
} from './refusals.ts';
import { TransferEncodingReader } from './transferEncoding.ts';
import { isBlank, type ValueReader } from './valueReader.ts';
import { NODE_END, NODE_INVALID, NODE_ROOT } from './wordTable.ts';

/** Content-Length: digits, nothing else, once. */
class ContentLengthReader implements ValueReader {
  /** In bytes; -1 when the message has none. */
  value = -1;
  private sum = 0;
  private trailing = false;

  reset(): void {
    this.value = -1;
  }

  begin(): Refusal | null {
    this.sum = 0;
    this.trailing = false;
    return this.value >= 0 ? 'TWO_CONTENT_LENGTHS' : null;
  }

  byte(byte: number): Refusal | null {
    if (isBlank(byte)) {
      this.trailing = true;
      return null;
    }
    if (byte < DIGIT_0 || byte > DIGIT_9 || this.trailing) return 'BAD_CONTENT_LENGTH';
    this.sum = this.sum * 10 + (byte - DIGIT_0);
    return this.sum > Number.MAX_SAFE_INTEGER ? 'BAD_CONTENT_LENGTH' : null;
  }

  end(): Refusal | null {
    this.value = this.sum;
    return null;
  }
}

const FIRST_LINE = 0;
const LINE_START = 1;
const NAME = 2;
const BLANKS = 3;
const VALUE = 4;
const FRAMING_VALUE = 5;
const LINE_LF = 6;
const END_LF = 7;

const NO_WORD = -1;
/** Only these two are white space in HTTP; trimEnd would also take a no-break space, which is an ordinary byte of a value. */
const TRAILING_BLANKS = /[ \t]+$/;

/**
 * Reads header lines up to and including the empty line, or the trailers behind a chunked body. It keeps nothing but what
 * decides the framing, and the values of the headers that the plan wants.
 */
export class HeaderFields {
  readonly contentLength = new ContentLengthReader();
  readonly transferEncoding = new TransferEncodingReader();
  readonly connection = new ConnectionReader();
  /** Values of the plan's wanted headers; undefined where there was none. Lines of the same name are joined by LF, which no value can hold. */
  readonly wanted: (string | undefined)[];
  done = false;
  refusal: Refusal | null = null;
  /** False when nobody wants the wanted values any more: keeping them costs a string each. */
  keepsWanted = true;
  private readonly plan: HeaderPlan;
  private at = FIRST_LINE;
  private node = NODE_ROOT;
  private word = NO_WORD;
  private reader: ValueReader | null = null;
  private keeping = false;
  private inTrailers = false;
  private kept = '';

  constructor(plan: HeaderPlan) {
    this.plan = plan;
    this.wanted = plan.wanted.map(() => undefined);
  }

  /** Ready for the header lines of another message. */
  reset(): void {
    this.contentLength.reset();
    this.transferEncoding.reset();
    this.connection.reset();
    if (this.wanted.length > 0) this.wanted.fill(undefined);
    this.at = FIRST_LINE;
    this.keeping = false;
    this.inTrailers = false;
    this.done = false;
    this.refusal = null;
  }

  /** Ready for the trailers of the same message: they are checked like headers, and none of their values is kept. */
  resume(): void {
    this.inTrailers = true;
    this.at = LINE_START;
    this.done = false;
  }

  /** Reads from `position`; returns where it stopped: behind the last line when `done`, at the offending byte when refused, else at `end`. */
  feed(buffer: Buffer, position: number, end: number): number {
    let next = position;
    while (next < end && !this.done) {
      switch (this.at) {
        case NAME:
          next = this.readName(buffer, next, end);
          break;
        case VALUE:
          next = this.readValue(buffer, next, end);
          break;
        case FRAMING_VALUE:
          next = this.readFramingValue(buffer, next, end);
          break;
        default:
          next = this.takeBetween(buffer[next] ?? 0, next);
      }
      if (this.refusal !== null) break;
    }
    return next;
  }

  private readName(buffer: Buffer, position: number, end: number): number {
    const table = this.plan.table.next;
    let node = this.node;
    let next = position;
    while (next < end) {
      const after = table[(node << 8) | (buffer[next] ?? 0)] ?? NODE_INVALID;
      if (after <= NODE_END) {
        if (after === NODE_INVALID) this.refusal = 'BAD_HEADER_NAME';
        else this.startValue(this.plan.table.wordAt[node] ?? NO_WORD);
        return next + 1;
      }
      node = after;
      next += 1;
    }
    this.node = node;
    return next;
  }

  private startValue(word: number): void {
    this.word = word;
    this.at = BLANKS;
    this.reader = null;
    if (word === NO_WORD) return;
    if (word === CONNECTION || word === PROXY_CONNECTION) this.reader = this.connection;
    if (word === CONTENT_LENGTH) {
      this.reader = this.contentLength;
      if (this.transferEncoding.present) this.refusal = 'LENGTH_AND_ENCODING';
    }
    if (word === TRANSFER_ENCODING) {
      this.reader = this.transferEncoding;
      if (this.contentLength.value >= 0) this.refusal = 'LENGTH_AND_ENCODING';
    }
    this.keeping = word >= FIRST_WANTED && this.keepsWanted && !this.inTrailers;
    this.kept = '';
  }

  private readValue(buffer: Buffer, position: number, end: number): number {
    let next = position;
    while (next < end && IS_VALUE[buffer[next] ?? 0] === 1) next += 1;
    if (this.keeping && next > position) this.kept += buffer.toString('latin1', position, next);
    return next < end ? this.endValue(buffer[next] ?? 0, next) : next;
  }

  private readFramingValue(buffer: Buffer, position: number, end: number): number {
    const reader = this.reader;
    let next = position;
    while (next < end) {
      const byte = buffer[next] ?? 0;
      if (byte === CR || byte === LF) return this.endValue(byte, next);
      this.refusal = reader?.byte(byte) ?? null;
      if (this.refusal === null && IS_VALUE[byte] === 0) this.refusal = 'BAD_HEADER_VALUE';
      if (this.refusal !== null) return next;
      next += 1;
    }
    return next;
  }

  private endValue(byte: number, position: number): number {
    if (byte === CR) {
      this.refusal = this.reader?.end() ?? null;
      if (this.keeping) this.keep();
      this.at = LINE_LF;
    } else this.refusal = byte === LF ? 'BARE_LF' : 'BAD_HEADER_VALUE';
    return position + 1;
  }

  private keep(): void {
    const index = this.word - FIRST_WANTED;
    const before = this.wanted[index];
    const value = this.kept.replace(TRAILING_BLANKS, '');
    this.wanted[index] = before === undefined ? value : `${before}\n${value}`;
    this.keeping = false;
  }

  /** Everything outside names and values. Returns the next position, which is the same one when the byte begins a name or a value. */
  private takeBetween(byte: number, position: number): number {
    switch (this.at) {
      case FIRST_LINE:
      case LINE_START:
        return this.startLine(byte, position);
      case BLANKS:
        if (byte === SP || byte === HTAB) break;
        if (byte === CR) this.endEmptyValue();
        else return this.enterValue(position);
        break;
      case LINE_LF:
        if (byte === LF) this.at = LINE_START;
        else this.refusal = 'BARE_CR';
        break;
      case END_LF:
        if (byte === LF) this.done = true;
        else this.refusal = 'BARE_CR';
        break;
      default:
    }
    return position + 1;
  }

  private startLine(byte: number, position: number): number {
    if (byte === CR) {
      this.at = END_LF;
      return position + 1;
    }
    if (byte === LF) this.refusal = 'BARE_LF';
    else if (byte === SP || byte === HTAB) this.refusal = 'FOLDED_HEADER';
    this.at = NAME;
    this.node = NODE_ROOT;
    return position;
  }

  private enterValue(position: number): number {
    if (this.reader === null) this.at = VALUE;
    else {
      this.refusal = this.reader.begin();
      this.at = FRAMING_VALUE;
    }
    return position;
  }

  private endEmptyValue(): void {
    if (this.word === CONTENT_LENGTH) this.refusal = 'BAD_CONTENT_LENGTH';
    if (this.word === TRANSFER_ENCODING) this.refusal = 'BAD_TRANSFER_ENCODING';
    if (this.keeping) this.keep();
    this.at = LINE_LF;
  }
}
