import { pieces } from '#framer/testing/messages.ts';
import { DEFAULT_FRAME_LIMITS, type FrameError, type FrameLimits, type FrameListener, FrameReader } from '../frames/frameReader.ts';
import { HpackDecoder } from '../hpack/hpackDecoder.ts';

export interface ReadFrames {
  /** One line for each call of the listener; consecutive parts of a body are joined. */
  readonly reported: readonly string[];
  /** Header lists, in order. */
  readonly heads: readonly Readonly<Record<string, string>>[];
  readonly error: FrameError | null;
}

/** Logs the calls that it receives. Header blocks are decoded as in a session. */
export class FrameLog implements FrameListener {
  readonly reported: string[] = [];
  readonly heads: Record<string, string>[] = [];
  private readonly decoder = new HpackDecoder({ maxTableBytes: 4_096, maxListBytes: 262_144 });
  private body = '';
  private bodyStream = 0;
  private flowBytes = 0;

  onData(stream: number, buffer: Buffer, start: number, end: number, flowBytes: number): null {
    if (this.bodyStream !== stream) this.endBody();
    this.bodyStream = stream;
    this.body += buffer.toString('latin1', start, end);
    this.flowBytes += flowBytes;
    return null;
  }

  onDataEnd(stream: number): null {
    return this.report(`${stream} ends`);
  }

  onHeaders(stream: number, buffer: Buffer, start: number, end: number, endStream: boolean): FrameError | null {
    const refusal = this.decoder.decode(buffer, start, end);
    this.report(`${stream} headers ${buffer.toString('hex', start, end)} ${endStream}`);
    if (refusal !== null) return { code: 9, reason: refusal };
    this.heads.push(Object.fromEntries(this.decoder.fields.map(({ name, value }) => [name, value])));
    return null;
  }

  onReset(stream: number, code: number): null {
    return this.report(`${stream} reset ${code}`);
  }

  onSettings(entries: readonly (readonly [id: number, value: number])[]): null {
    return this.report(`settings ${JSON.stringify(entries)}`);
  }

  onSettingsAck(): null {
    return this.report('settings ack');
  }

  onPing(opaque: Buffer): null {
    return this.report(`ping ${opaque.toString('hex')}`);
  }

  onGoAway(lastStream: number, code: number, debug: Buffer): null {
    return this.report(`go away ${lastStream} ${code} ${debug.toString('hex')}`);
  }

  onWindowUpdate(stream: number, increment: number): null {
    return this.report(`${stream} window ${increment}`);
  }

  endBody(): void {
    if (this.flowBytes > 0) this.reported.push(`${this.bodyStream} data ${this.flowBytes} ${this.body}`);
    this.body = '';
    this.flowBytes = 0;
  }

  private report(line: string): null {
    this.endBody();
    this.reported.push(line);
    return null;
  }
}

/** The one buffer of all reads, as in a load thread, so that bytes are overwritten if the reader does not copy them. */
const SHARED = Buffer.alloc(1 << 20);

/** Reads frames in pieces, each of which is put into the shared buffer before it is read. */
export function readFrames(bytes: Buffer, cuts: readonly number[], limits: FrameLimits = DEFAULT_FRAME_LIMITS): ReadFrames {
  const log = new FrameLog();
  const reader = new FrameReader(log, limits);
  let error: FrameError | null = null;
  for (const piece of pieces(bytes, cuts)) {
    piece.copy(SHARED, 3);
    error = reader.feed(SHARED, 3, 3 + piece.length);
    SHARED.fill(0xee, 0, 3 + piece.length);
    if (error !== null) break;
  }
  log.endBody();
  return { reported: log.reported, heads: log.heads, error };
}
