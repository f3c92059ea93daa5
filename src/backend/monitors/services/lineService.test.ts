import { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { measureGrowth, MAX_GROWTH } from '#core/testing/growth.ts';
import { exchange, parseReply } from './socketServices.ts';

class Silent extends Duplex {
  override _read(): void {}
  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done();
  }
}

describe('a service that sends single bytes', () => {
  it.each([
    ['any text', (): 'at the end' => 'at the end'],
    ['a reply of Redis', (bytes: Buffer): boolean => parseReply(bytes) !== null],
  ])('is read in linear time: %s', (_what, isWhole) => {
    const read = (size: number): void => {
      const stream = new Silent();
      void exchange(stream, '?', isWhole).catch(() => {});
      for (const byte of Buffer.from(`$${size + 1}\r\n${'x'.repeat(size)}`)) stream.emit('data', Buffer.from([byte]));
      stream.destroy();
    };
    expect(measureGrowth(read, 20_000)).toBeLessThan(MAX_GROWTH);
  });

  it('is closed when its response is invalid at the end', async () => {
    const stream = new Silent();
    const responded = exchange(stream, '?', (bytes) => {
      if (bytes.length === 0) throw new Error('an answer of nothing');
      return false;
    });
    stream.emit('end');
    await expect(responded).rejects.toThrow('an answer of nothing');
  });

  it('is read correctly, and its connection is closed if a Redis line never ends', async () => {
    const ask = (response: string): Promise<Buffer> => {
      const stream = new Silent();
      const responded = exchange(stream, '?', (bytes) => parseReply(bytes) !== null);
      for (const byte of Buffer.from(response)) stream.emit('data', Buffer.from([byte]));
      return responded;
    };
    const info = 'x'.repeat(5_000);
    expect(parseReply(await ask(`$5000\r\n${info}\r\n`))).toEqual({ text: info, error: null });
    await expect(ask(`+${'x'.repeat(2_000)}`)).rejects.toThrow('a line of more than 1024 bytes');
  });
});
