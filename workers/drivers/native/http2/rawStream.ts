import { RawAnswer } from '#workers/sampling/rawAnswer.ts';
import type { Field } from './hpack/hpackDecoder.ts';

/** Received part of a response on a stream: its last head, interim ones included, and its body. */
export class RawStream extends RawAnswer {
  head: readonly Field[] | null = null;

  override begin(): void {
    super.begin();
    this.head = null;
  }

  override get bytes(): Buffer {
    return this.head === null ? super.bytes : Buffer.concat([readableHead(this.head), super.bytes]);
  }
}

/** Formats the head as in HTTP/1.1 for people; only on demand, which is rare. */
function readableHead([status, ...others]: readonly Field[]): Buffer {
  const lines = [`HTTP/2 ${status?.value ?? ''}`, ...others.map(({ name, value }) => `${name}: ${value}`)];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
