import type { Act } from '../behaviours/behaviour.ts';

type Answer = Extract<Act, { kind: 'answer' }>;

const REASONS: Readonly<Record<number, string>> = { 200: 'OK', 503: 'Service Unavailable' };
const HEAD_END = Buffer.from('\r\n\r\n');
const CLOSES = Buffer.from('Connection: close');

/** Answers as bytes, each made once. */
export class Wire {
  private readonly made = new Map<string, Buffer>();

  bytesOf(answer: Answer, close: boolean): Buffer {
    const { status, bodyBytes, cutBytes, version } = answer;
    const key = `${version} ${status} ${bodyBytes} ${cutBytes} ${close}`;
    const known = this.made.get(key);
    if (known) return known;
    const lines = [`HTTP/${version} ${status} ${REASONS[status] ?? 'Answer'}`, 'Server: holdfast-selftest'];
    // Before HTTP/1.1 the end of the connection was the usual end of a body.
    if (version === '1.1') lines.push(`Content-Length: ${bodyBytes}`, ...(close && cutBytes === 0 ? ['Connection: close'] : []));
    const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
    const bytes = Buffer.concat([head, Buffer.alloc(bodyBytes - cutBytes, 'x')]);
    this.made.set(key, bytes);
    return bytes;
  }
}

/** Cuts what a connection brings into request heads; the self-test's requests have no bodies. */
export class HeadReader {
  private rest: Buffer | null = null;

  /** Calls `onHead` for each head that is complete now; `closes` when it asks for the connection to be closed. */
  feed(chunk: Buffer, onHead: (closes: boolean) => void): void {
    let bytes = this.rest === null ? chunk : Buffer.concat([this.rest, chunk]);
    for (let end = bytes.indexOf(HEAD_END); end >= 0; end = bytes.indexOf(HEAD_END)) {
      onHead(bytes.subarray(0, end).includes(CLOSES));
      bytes = bytes.subarray(end + HEAD_END.length);
    }
    this.rest = bytes.length === 0 ? null : bytes;
  }
}
