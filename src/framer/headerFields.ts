import { COMMA, CR, DIGIT_0, DIGIT_9, IS_TEXT, LF, SP } from './bytes.ts';
import {
  CONNECTION,
  CONTENT_LENGTH,
  FIRST_WANTED,
  type HeaderPlan,
  PROXY_CONNECTION,
  type Refusal,
  TRANSFER_ENCODING,
} from './refusals.ts';
import { isBlank, type ValueReader, WordListReader, OTHER_WORD } from './wordListReader.ts';
import { NODE_END, NODE_INVALID, NODE_ROOT, buildWordTable } from './wordTable.ts';

/** Reads Content-Length, which may contain only digits. The same number may be repeated in another line or in a list. */
class ContentLengthReader implements ValueReader {
  /** Length in bytes; −1 if there is none. */
  value = -1;
  private sum = 0;
  private hasDigits = false;
  private trailing = false;

  reset(): void {
    this.value = -1;
  }

  begin(): null {
    this.sum = 0;
    this.hasDigits = false;
    this.trailing = false;
    return null;
  }

  byte(byte: number): Refusal | null {
    if (isBlank(byte)) {
      this.trailing = this.hasDigits;
      return null;
    }
    if (byte === COMMA) return this.end() ?? this.begin();
    if (byte < DIGIT_0 || byte > DIGIT_9 || this.trailing) return 'BAD_CONTENT_LENGTH';
    this.hasDigits = true;
    this.sum = this.sum * 10 + (byte - DIGIT_0);
    return this.sum > Number.MAX_SAFE_INTEGER ? 'BAD_CONTENT_LENGTH' : null;
  }

  end(): Refusal | null {
    if (!this.hasDigits) return 'BAD_CONTENT_LENGTH';
    if (this.value >= 0 && this.value !== this.sum) return 'DIFFERENT_LENGTHS';
    this.value = this.sum;
    return null;
  }
}

const LINE_START = 0;
const NAME = 1;
const BLANKS = 2;
const VALUE = 3;
const FRAMING_VALUE = 4;
const LINE_LF = 5;
const END_LF = 6;

const NO_WORD = -1;
/**
 * Matches trailing white space. Only blank and tab are white space in HTTP: `trimEnd` would also remove a no-break space, an ordinary byte
 * of a value.
 */
const TRAILING_BLANKS = /[ \t]+$/;

/**
 * Reads header lines up to and including the empty line, or the trailers after a chunked body. Like curl and browsers, it accepts lines
 * that end in LF alone, values that continue on lines that begin with a blank, and any name. It keeps only what determines the framing, and
 * the values of the headers that the plan wants.
 */
export class HeaderFields {
  readonly contentLength = new ContentLengthReader();
  readonly transferEncoding = new TransferEncodingReader();
  readonly connection = new ConnectionReader();
  /**
   * Values of the headers that the plan wants; undefined if absent. The values of lines with the same name are joined by LF, which no value
   * can contain.
   */
  readonly wanted: (string | undefined)[];
  done = false;
  refusal: Refusal | null = null;
  /** Whether the values are kept; false if nothing needs them, because each costs a string. */
  keepsWanted = true;
  private readonly plan: HeaderPlan;
  private at = LINE_START;
  private node = NODE_ROOT;
  private word = NO_WORD;
  private reader: ValueReader | null = null;
  private keeping = false;
  private inTrailers = false;
  private kept = '';
  /** Whether the next line may continue the value of the header. */
  private isOpen = false;
  private hasValue = false;
  private isFolded = false;

  constructor(plan: HeaderPlan) {
    this.plan = plan;
    this.wanted = plan.wanted.map(() => undefined);
  }

  /** Prepares for the headers of another message. */
  reset(): void {
    this.contentLength.reset();
    this.transferEncoding.reset();
    this.connection.reset();
    if (this.wanted.length > 0) this.wanted.fill(undefined);
    this.at = LINE_START;
    this.keeping = false;
    this.inTrailers = false;
    this.isOpen = false;
    this.done = false;
    this.refusal = null;
  }

  /** Prepares for the trailers of the same message. They have the form of headers, and their values are ignored. */
  resume(): void {
    this.inTrailers = true;
    this.at = LINE_START;
    this.isOpen = false;
    this.done = false;
  }

  /**
   * Reads from `position`. Returns the position where it stopped: after the last line when `done`, at the offending byte if refused,
   * otherwise at `end`.
   */
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
    this.reader = this.inTrailers ? null : this.createReader(word);
    this.keeping = word >= FIRST_WANTED && this.keepsWanted && !this.inTrailers;
    this.kept = '';
    this.isOpen = true;
    this.hasValue = false;
    this.isFolded = false;
  }

  private createReader(word: number): ValueReader | null {
    switch (word) {
      case CONTENT_LENGTH:
        return this.contentLength;
      case TRANSFER_ENCODING:
        this.transferEncoding.present = true;
        return this.transferEncoding;
      case CONNECTION:
      case PROXY_CONNECTION:
        return this.connection;
      default:
        return null;
    }
  }

  private readValue(buffer: Buffer, position: number, end: number): number {
    let next = position;
    while (next < end && IS_TEXT[buffer[next] ?? 0] === 1) next += 1;
    if (this.keeping && next > position) this.kept += buffer.toString('latin1', position, next);
    return next < end ? this.endLine(buffer[next] ?? 0, next) : next;
  }

  private readFramingValue(buffer: Buffer, position: number, end: number): number {
    const reader = this.reader;
    let next = position;
    while (next < end) {
      const byte = buffer[next] ?? 0;
      if (IS_TEXT[byte] === 0) return this.endLine(byte, next);
      this.refusal = reader?.byte(byte) ?? null;
      if (this.refusal !== null) return next;
      next += 1;
    }
    return next;
  }

  private endLine(byte: number, position: number): number {
    if (byte === CR) this.at = LINE_LF;
    else if (byte === LF) this.at = LINE_START;
    else this.refusal = 'BAD_HEADER_VALUE';
    return position + 1;
  }

  private keep(): void {
    const index = this.word - FIRST_WANTED;
    const before = this.wanted[index];
    const value = this.kept.replace(TRAILING_BLANKS, '');
    this.wanted[index] = before === undefined ? value : `${before}\n${value}`;
    this.keeping = false;
  }

  /** Reads a byte outside names and values. Returns the next position, or the same position if the byte starts a name or a value. */
  private takeBetween(byte: number, position: number): number {
    switch (this.at) {
      case LINE_START:
        return this.startLine(byte, position);
      case BLANKS:
        if (isBlank(byte)) break;
        return IS_TEXT[byte] === 1 ? this.enterValue(position) : this.endLine(byte, position);
      case LINE_LF:
        // Programs that write in text mode change the LF of CR LF into another CR LF. The result is CR CR LF.
        if (byte === LF) this.at = LINE_START;
        else if (byte !== CR) this.refusal = 'BARE_CR';
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
    if (isBlank(byte)) {
      if (this.isOpen) this.isFolded = true;
      else this.refusal = 'FOLDED_HEADER';
      this.at = BLANKS;
      return position + 1;
    }
    this.finishValue();
    if (this.refusal !== null) return position;
    this.at = NAME;
    this.node = NODE_ROOT;
    if (byte === LF) this.done = true;
    else if (byte === CR) this.at = END_LF;
    else return position;
    return position + 1;
  }

  private enterValue(position: number): number {
    const { reader } = this;
    this.at = reader === null ? VALUE : FRAMING_VALUE;
    if (this.hasValue) {
      this.refusal = reader?.byte(SP) ?? null;
      if (this.keeping) this.kept += ' ';
    } else if (this.isFolded && (reader === this.contentLength || reader === this.transferEncoding)) this.refusal = 'FOLDED_HEADER';
    else this.refusal = reader?.begin() ?? null;
    this.hasValue = true;
    return position;
  }

  /** Called at a line that does not continue the value. */
  private finishValue(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    if (this.keeping) this.keep();
    if (this.hasValue) this.refusal = this.reader?.end() ?? null;
    else if (this.reader === this.contentLength) this.refusal = 'BAD_CONTENT_LENGTH';
  }
}

const OPTIONS = buildWordTable(['close', 'keep-alive', 'upgrade']);
const CLOSE = 0;
const KEEP_ALIVE = 1;
const UPGRADE = 2;

/** Notes whether Connection and Proxy-Connection contain `close`, `keep-alive` or `upgrade`. */
class ConnectionReader extends WordListReader {
  close = false;
  keepAlive = false;
  upgrade = false;

  constructor() {
    super(OPTIONS);
  }

  reset(): void {
    this.close = false;
    this.keepAlive = false;
    this.upgrade = false;
  }

  protected override take(word: number): null {
    if (word === CLOSE) this.close = true;
    if (word === KEEP_ALIVE) this.keepAlive = true;
    if (word === UPGRADE) this.upgrade = true;
    return null;
  }
}

const CODINGS = buildWordTable(['chunked', 'identity', 'gzip', 'x-gzip', 'deflate', 'br', 'zstd']);
const CHUNKED = 0;

/**
 * Reads Transfer-Encoding. The body is chunked if `chunked` is the last coding; otherwise it ends when the connection closes. Unknown
 * codings, and codings after `chunked`, are refused, because parsers disagree about the end. A repeated `chunked` counts once, as in curl
 * and browsers.
 */
class TransferEncodingReader extends WordListReader {
  present = false;
  chunked = false;

  constructor() {
    super(CODINGS);
  }

  reset(): void {
    this.present = false;
    this.chunked = false;
  }

  protected override take(word: number): Refusal | null {
    if (word === OTHER_WORD || (this.chunked && word !== CHUNKED)) return 'BAD_TRANSFER_ENCODING';
    this.chunked = word === CHUNKED;
    return null;
  }
}
