import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWithWs } from './testing/readWithWs.ts';
import { FrameWriter } from './writeFrames.ts';

/** Returns a writer with the key 37 fa 21 3d of the examples in RFC 6455, section 5.7. */
const newRfcWriter = (): FrameWriter => new FrameWriter((bytes) => Buffer.from(bytes.buffer).fill('37fa213d', 'hex'));
const asServer = { isServer: true };

describe('FrameWriter', () => {
  it('writes the examples of RFC 6455, section 5.7', () => {
    expect(newRfcWriter().text('Hello').toString('hex')).toBe('818537fa213d7f9f4d5158');
    expect(newRfcWriter().pong(Buffer.from('Hello')).toString('hex')).toBe('8a8537fa213d7f9f4d5158');
  });

  it('writes each length in as few bytes as possible', () => {
    const heads = [0, 125, 126, 65_535, 65_536].map((length) => {
      const frame = newRfcWriter().binary(Buffer.alloc(length));
      return frame.subarray(0, frame.length - length - 4).toString('hex');
    });
    expect(heads).toEqual(['8280', '82fd', '82fe007e', '82feffff', '82ff0000000000010000']);
  });

  it('writes frames that ws reads, for any length and memory address', async () => {
    const writer = new FrameWriter();
    const bytes = Buffer.from(Array.from({ length: 200 }, (_, at) => at));
    for (let length = 0; length <= bytes.length; length += 1) {
      // Moves the next frame to another position in Node's shared memory pool.
      Buffer.allocUnsafe(length % 9);
      const message = bytes.subarray(bytes.length - length);
      expect(await readWithWs(writer.binary(message), [], false, asServer)).toEqual([`binary ${message.toString('latin1')}`]);
    }
  });

  it('writes any payload', async () => {
    const writer = new FrameWriter();
    const text = fc.string({ unit: 'binary', maxLength: 300 }).map((short) => short.repeat(short.length % 7 === 0 ? 100 : 1));
    await fc.assert(
      fc.asyncProperty(text, async (message) => {
        const small = Buffer.from(message).subarray(0, 125);
        const frames = [
          writer.text(message),
          writer.text(Buffer.from(message)),
          writer.binary(Buffer.from(message)),
          writer.ping(small),
          writer.pong(small),
          writer.ping(),
        ];
        const latin1 = small.toString('latin1');
        const reported = [`text ${message}`, `text ${message}`, `binary ${Buffer.from(message).toString('latin1')}`];
        expect(await readWithWs(Buffer.concat(frames), [], true, asServer)).toEqual([
          ...reported,
          `ping ${latin1}`,
          `pong ${latin1}`,
          'ping ',
        ]);
      }),
      { numRuns: 200 },
    );
  });

  it('writes close frames', async () => {
    const writer = new FrameWriter();
    const reported = (frame: Buffer) => readWithWs(frame, [], false, asServer);
    expect(await reported(writer.close())).toEqual(['close 1005 ']);
    expect(await reported(writer.close(1000))).toEqual(['close 1000 ']);
    expect(await reported(writer.close(4999, 'Grüße'))).toEqual(['close 4999 Grüße']);
    expect(await reported(writer.close(1001, 'r'.repeat(123)))).toEqual([`close 1001 ${'r'.repeat(123)}`]);
    expect(() => writer.close(1001, 'r'.repeat(124))).toThrow(RangeError);
    expect(() => writer.ping(Buffer.alloc(126))).toThrow(RangeError);
  });
});

describe('FrameWriter keys', () => {
  const keyOf = (frame: Buffer): string => frame.toString('hex', 2, 6);

  it('are random bytes, each used once and drawn for many frames at a time', () => {
    let fills = 0;
    let next = 0;
    const writer = new FrameWriter((bytes) => {
      fills += 1;
      const view = Buffer.from(bytes.buffer);
      for (let at = 0; at < view.length; at += 4) view.writeUInt32BE((next += 1), at);
    });
    const keys = Array.from({ length: 5_000 }, () => Number.parseInt(keyOf(writer.text('x')), 16));
    expect(keys).toEqual(Array.from({ length: 5_000 }, (_, index) => index + 1));
    expect(fills).toBe(3);
  });

  it('do not repeat', () => {
    const writer = new FrameWriter();
    expect(new Set(Array.from({ length: 5_000 }, () => keyOf(writer.ping()))).size).toBeGreaterThan(4_990);
  });
});

it('FrameWriter does not change the message', () => {
  const message = Buffer.alloc(1_000, 'x');
  const frame = new FrameWriter().binary(message);
  expect(message).toEqual(Buffer.alloc(1_000, 'x'));
  expect(frame.buffer).not.toBe(message.buffer);
});
