import { isUtf8 } from 'node:buffer';
import { addressInHeader } from '#core/work/journey/redirects.ts';
import type { Response } from '../sideRecorder.ts';
import type { FramedResponse } from '#framer/framedResponse.ts';
import { type CheckedResponse, MAX_KEPT_BYTES, textOf } from './decodeBody.ts';

/** A response as its readers see it. */
export interface SeenResponse extends CheckedResponse {
  /**
   * Returns the decompressed and decoded body, which is cached for all readers.
   * @throws {UnreadableBody}
   */
  text(): string;
  /** Returns the value of a kept header by its name in lower case. The values of lines with the same name are joined by a line feed. */
  header(name: string): string | undefined;
}

/** Reads the responses of one request and judges them. */
export interface ResponseReader {
  readonly needsBody: boolean;
  /** Whether responses with an unexpected status are read, too. */
  readonly readsAll: boolean;
  /** Names and values captured from the last response. */
  readonly captured: readonly (readonly [string, string])[];
  /** Reads a response. May correct its fields `expected`, `failedCheck` and `isUnchecked`. */
  read(response: Response, seen: SeenResponse): void;
}

export const BODY_HEADERS = ['content-encoding', 'content-type'] as const;

/** Number of bytes that each connection may always keep. A connection keeps more only if the thread has room. */
const SMALL_BYTES = 4 * 1_048_576;
/** Maximum total size of the large bodies that a thread keeps at the same time. */
const MAX_LARGE_BYTES = 96 * 1_048_576;
let largeBytes = 0;

// eslint-disable-next-line no-control-regex -- all of ASCII
const ASCII_PATTERN = /^[\u0000-\u007f]*$/;

/** Decodes a header value that was read as Latin-1. Bytes beyond ASCII are decoded as UTF-8 if they are valid UTF-8. */
function readHeader(name: string, bytes: string): string {
  if (name === 'location') return addressInHeader(bytes);
  const buffer = Buffer.from(bytes, 'latin1');
  return isUtf8(buffer) ? buffer.toString('utf8') : bytes;
}

/** Keeps what the readers of one connection need of the current response. Requests without a reader take no time. */
export class KeptResponse implements SeenResponse {
  private readonly framer: FramedResponse;
  /** Names of the headers that the framer keeps, in the framer's order. */
  private readonly headerNames: readonly string[];
  private pieces: Buffer[] = [];
  private keptBytes = 0;
  /** Number of kept bytes of this response that count towards the large bodies of the thread. */
  private countedBytes = 0;
  private isTooLarge = false;
  private decoded: string | null = null;
  private readonly keep = (buffer: Buffer, start: number, end: number): void => this.take(buffer, start, end);

  constructor(framer: FramedResponse, headerNames: readonly string[]) {
    this.framer = framer;
    this.headerNames = headerNames;
  }

  /** Drops the last response and prepares for the next one, which is the response to a request with this reader. */
  begin(reader: ResponseReader | null): void {
    this.forget();
    this.framer.onBody = reader?.needsBody === true ? this.keep : null;
  }

  /** Drops the body of the last response, which makes room for other bodies. */
  forget(): void {
    if (this.pieces.length > 0) this.pieces = [];
    this.keptBytes = 0;
    this.isTooLarge = false;
    this.decoded = null;
    largeBytes -= this.countedBytes;
    this.countedBytes = 0;
  }

  get bodyBytes(): number {
    return this.framer.bodyBytes;
  }

  get body(): Buffer | null {
    return this.isTooLarge ? null : Buffer.concat(this.pieces);
  }

  get contentEncoding(): string | undefined {
    return this.header('content-encoding');
  }

  get contentType(): string | undefined {
    return this.header('content-type');
  }

  header(name: string): string | undefined {
    const bytes = this.framer.wanted[this.headerNames.indexOf(name)];
    return bytes === undefined || ASCII_PATTERN.test(bytes) ? bytes : readHeader(name, bytes);
  }

  text(): string {
    return (this.decoded ??= textOf(this));
  }

  /** Copies the bytes, because the next read overwrites the buffer. */
  private take(buffer: Buffer, start: number, end: number): void {
    if (this.isTooLarge) return;
    this.keptBytes += end - start;
    if (this.keptBytes > SMALL_BYTES && !this.hasRoom()) {
      this.forget();
      this.isTooLarge = true;
    } else this.pieces.push(Buffer.from(buffer.subarray(start, end)));
  }

  /** Counts the kept bytes towards the large bodies of the thread. Returns whether there is room for them. */
  private hasRoom(): boolean {
    largeBytes += this.keptBytes - this.countedBytes;
    this.countedBytes = this.keptBytes;
    return this.keptBytes <= MAX_KEPT_BYTES && largeBytes <= MAX_LARGE_BYTES;
  }
}
