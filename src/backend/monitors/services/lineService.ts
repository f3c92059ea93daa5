import type { Duplex } from 'node:stream';
import { RESPONSE_TIMEOUT_MS, noResponseInTime, tooLongResponse } from '../source.ts';

const MAX_BYTES = 4_000_000;

/** Collects bytes in a buffer that doubles, because a server may send single bytes. */
class Received {
  private room = Buffer.alloc(4_096);
  private length = 0;

  add(piece: Buffer): Buffer {
    const length = this.length + piece.length;
    if (length > this.room.length) {
      const room = Buffer.alloc(2 * length);
      this.room.copy(room, 0, 0, this.length);
      this.room = room;
    }
    piece.copy(this.room, this.length);
    this.length = length;
    return this.bytes;
  }

  get bytes(): Buffer {
    return this.room.subarray(0, this.length);
  }
}

/**
 * Sends a question and collects the response until `isWhole` returns true or the other side closes. `isWhole` is called for each chunk, so
 * it must not scan everything. Throws on a time-out, on a close before the response is whole, and what `isWhole` throws.
 */
export function exchange(
  stream: Duplex,
  question: string,
  isWhole: (response: Buffer) => boolean | 'at the end',
  limitBytes = MAX_BYTES,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const received = new Received();
    const settle = (failure: Error | null): void => {
      clearTimeout(timer);
      stream.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', settle);
      if (failure === null) resolve(received.bytes);
      else {
        // Later bytes would be read as the response to the next question.
        stream.on('error', () => {});
        stream.destroy();
        reject(failure);
      }
    };
    const timer = setTimeout(() => settle(noResponseInTime()), RESPONSE_TIMEOUT_MS);
    // An error thrown in a listener would end the process.
    const guarded = (listen: () => void): void => {
      try {
        listen();
      } catch (thrown) {
        settle(thrown instanceof Error ? thrown : new Error(String(thrown)));
      }
    };
    const onData = (piece: Buffer): void =>
      guarded(() => {
        const response = received.add(piece);
        if (response.length > limitBytes) settle(tooLongResponse(limitBytes));
        else if (isWhole(response) === true) settle(null);
      });
    const onEnd = (): void =>
      guarded(() => settle(isWhole(received.bytes) === 'at the end' ? null : new Error('it closed the connection')));
    stream.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', settle);
    stream.write(question);
  });
}
