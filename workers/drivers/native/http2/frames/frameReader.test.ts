import { describe, expect, it } from 'vitest';
import { frame, FRAMES } from '../testing/frameBytes.ts';
import { FrameLog, readFrames } from '../testing/readFrames.ts';
import { FrameReader } from './frameReader.ts';
import { H2_ERRORS } from './frameRules.ts';

const ALL = Buffer.concat(Object.values(FRAMES).map(({ bytes }) => bytes));
const everyByte = (bytes: Buffer): number[] => Array.from(bytes.keys());
const { PROTOCOL_ERROR, FRAME_SIZE_ERROR, ENHANCE_YOUR_CALM } = H2_ERRORS;

describe('FrameReader reads frames split anywhere', () => {
  it.each(Object.entries(FRAMES))('%s', (_name, { bytes, reported }) => {
    expect(readFrames(bytes, [])).toMatchObject({ reported, error: null });
    for (let cut = 1; cut < bytes.length; cut += 1) expect(readFrames(bytes, [cut])).toMatchObject({ reported, error: null });
    expect(readFrames(bytes, everyByte(bytes))).toMatchObject({ reported, error: null });
    const twice = Buffer.concat([bytes, frame(6, 0, 0, '0000000000000000'), bytes]);
    expect(readFrames(twice, []).reported).toEqual([...reported, 'ping 0000000000000000', ...reported]);
  });

  it('all examples, one after the other', () => {
    const whole = readFrames(ALL, []);
    expect(whole.error).toBeNull();
    for (let cut = 1; cut < ALL.length; cut += 1) expect(readFrames(ALL, [cut])).toEqual(whole);
    expect(readFrames(ALL, everyByte(ALL))).toEqual(whole);
  });
});

describe('FrameReader ends the connection', () => {
  it.each([
    ['a body on stream 0', frame(0, 0, 0, '00'), PROTOCOL_ERROR, 'H2_BAD_STREAM'],
    ['padding as long as its frame', frame(0, 8, 1, '04000000'), PROTOCOL_ERROR, 'H2_BAD_PADDING'],
    ['padding longer than its frame', frame(0, 8, 1, 'ff00'), PROTOCOL_ERROR, 'H2_BAD_PADDING'],
    ['padding in an empty frame', frame(0, 8, 1), FRAME_SIZE_ERROR, 'H2_FRAME_SIZE'],
    ['headers on stream 0', frame(1, 4, 0, '88'), PROTOCOL_ERROR, 'H2_BAD_STREAM'],
    ['padding longer than the headers', frame(1, 0x0c, 1, '0288'), PROTOCOL_ERROR, 'H2_BAD_PADDING'],
    ['padding that reaches into the priority', frame(1, 0x2c, 1, '01000000000f'), PROTOCOL_ERROR, 'H2_BAD_PADDING'],
    ['headers too short for their priority', frame(1, 0x24, 1, '00000000'), FRAME_SIZE_ERROR, 'H2_FRAME_SIZE'],
    ['headers too short for padding and priority', frame(1, 0x2c, 1, '0000000000'), FRAME_SIZE_ERROR, 'H2_FRAME_SIZE'],
    ['a priority on stream 0', frame(2, 0, 0, '0000000000'), PROTOCOL_ERROR, 'H2_BAD_STREAM'],
    ['a priority of another length', frame(2, 0, 1, '00000000'), FRAME_SIZE_ERROR, 'H2_FRAME_SIZE'],
    ['a reset on stream 0', frame(3, 0, 0, '00000000'), PROTOCOL_ERROR, 'H2_BAD_STREAM'],
    ['a reset of another length', frame(3, 0, 1, '000000'), FRAME_SIZE_ERROR, 'H2_FRAME_SIZE'],
    ['settings on a stream', frame(4, 0, 1), PROTOCOL_ERROR, 'H2_BAD_STREAM'],
    ['settings of another length', frame(4, 0, 0, '0003000000'), FRAME_SIZE_ERROR, 'H2_FRAME_SIZE'],
    ['a settings acknowledgement with settings', frame(4, 1, 0, '000300000064'), FRAME_SIZE_ERROR, 'H2_FRAME_SIZE'],
    ['too many settings', frame(4, 0, 0, '000300000064'.repeat(101)), ENHANCE_YOUR_CALM, 'H2_TOO_MANY_SETTINGS'],
    ['a promise', frame(5, 4, 1, '0000000288'), PROTOCOL_ERROR, 'H2_PUSH'],
    ['a ping on a stream', frame(6, 0, 1, '0000000000000000'), PROTOCOL_ERROR, 'H2_BAD_STREAM'],
    ['a ping of another length', frame(6, 0, 0, '00000000000000'), FRAME_SIZE_ERROR, 'H2_FRAME_SIZE'],
    ['GOAWAY on a stream', frame(7, 0, 1, '0000000000000000'), PROTOCOL_ERROR, 'H2_BAD_STREAM'],
    ['a GOAWAY that is too short', frame(7, 0, 0, '00000000000000'), FRAME_SIZE_ERROR, 'H2_FRAME_SIZE'],
    ['a window update by 0', frame(8, 0, 0, '80000000'), PROTOCOL_ERROR, 'H2_BAD_INCREMENT'],
    ['a window of another length', frame(8, 0, 0, '0000000001'), FRAME_SIZE_ERROR, 'H2_FRAME_SIZE'],
    ['CONTINUATION without headers', frame(9, 4, 1, '88'), PROTOCOL_ERROR, 'H2_BAD_ORDER'],
    ['CONTINUATION after complete headers', Buffer.concat([frame(1, 4, 1, '88'), frame(9, 4, 1, '88')]), PROTOCOL_ERROR, 'H2_BAD_ORDER'],
    ['CONTINUATION on another stream', Buffer.concat([frame(1, 0, 1, '88'), frame(9, 4, 3, '88')]), PROTOCOL_ERROR, 'H2_BAD_ORDER'],
    ['headers within headers', Buffer.concat([frame(1, 0, 1, '88'), frame(1, 4, 1, '88')]), PROTOCOL_ERROR, 'H2_BAD_ORDER'],
    ['a ping within headers', Buffer.concat([frame(1, 0, 1, '88'), frame(6, 0, 0, '0000000000000000')]), PROTOCOL_ERROR, 'H2_BAD_ORDER'],
    ['an unknown type within headers', Buffer.concat([frame(1, 0, 1, '88'), frame(11, 0, 1)]), PROTOCOL_ERROR, 'H2_BAD_ORDER'],
    ['a frame longer than announced', frame(0, 0, 1, '00', 16_385), FRAME_SIZE_ERROR, 'H2_FRAME_SIZE'],
    ['a response of HTTP/1.1', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), FRAME_SIZE_ERROR, 'H2_FRAME_SIZE'],
  ])('for %s', (_what, bytes, code, reason) => {
    const behind = Buffer.concat([bytes, FRAMES['a ping']?.bytes ?? bytes]);
    const whole = readFrames(behind, []);
    expect(whole.error).toEqual({ code, reason });
    expect(whole.reported).not.toContain('ping 0102030405060708');
    for (let cut = 1; cut < bytes.length; cut += 1) expect(readFrames(behind, [cut])).toEqual(whole);
  });

  it('for an error that the listener returns, and reads nothing after it', () => {
    const enough = { code: 2, reason: 'ENOUGH' };
    for (const [name, { reported }] of Object.entries(FRAMES)) {
      if (reported.length === 0) continue;
      let calls = 0;
      const count = () => {
        calls += 1;
        return enough;
      };
      const listener = new Proxy(new FrameLog(), { get: () => count });
      const reader = new FrameReader(listener);
      expect(reader.feed(ALL, 0, 0)).toBeNull();
      const bytes = FRAMES[name]?.bytes ?? ALL;
      expect(reader.feed(bytes, 0, bytes.length)).toBe(enough);
      expect(reader.feed(ALL, 0, ALL.length)).toBe(enough);
      expect(calls).toBe(1);
    }
  });
});

describe('FrameReader limits', () => {
  const limits = { maxFrameBytes: 100, maxBlockBytes: 150, maxEmptyFrames: 3 };
  const readError = (...frames: readonly Buffer[]) => readFrames(Buffer.concat(frames), [], limits).error;
  const calm = (reason: string) => ({ code: ENHANCE_YOUR_CALM, reason });
  const fields = (count: number): string => '88'.repeat(count);

  it('the length of a frame', () => {
    expect(readError(frame(0, 0, 1, Buffer.alloc(100)), frame(0x33, 0, 1, Buffer.alloc(100)))).toBeNull();
    expect(readError(frame(0x33, 0, 1, Buffer.alloc(101)))).toMatchObject({ reason: 'H2_FRAME_SIZE' });
  });

  it('the length of a header block over all its frames', () => {
    expect(readError(frame(1, 0, 1, fields(100)), frame(9, 4, 1, fields(50)), frame(1, 0, 3, fields(100)))).toBeNull();
    expect(readError(frame(1, 0, 1, fields(100)), frame(9, 0, 1, fields(51)))).toEqual(calm('H2_BLOCK_TOO_LARGE'));
    const drops = Array.from({ length: 200 }, () => frame(9, 0, 1, fields(1)));
    expect(readError(frame(1, 0, 1, fields(1)), ...drops)).toEqual(calm('H2_BLOCK_TOO_LARGE'));
  });

  it('the number of consecutive empty frames', () => {
    const empty = frame(0, 0, 1);
    expect(readError(empty, empty, empty, frame(0, 0, 1, '00'), empty, empty, empty, frame(0, 1, 1), empty, empty, empty)).toBeNull();
    expect(readError(empty, empty, empty, empty)).toEqual(calm('H2_EMPTY_FRAMES'));
    expect(readError(frame(1, 0, 1), frame(9, 0, 1), frame(9, 0, 1), frame(9, 0, 1))).toEqual(calm('H2_EMPTY_FRAMES'));
    const taken = frame(4, 1, 0);
    expect(readError(taken, frame(0xcc, 0, 0), taken, taken)).toEqual(calm('H2_EMPTY_FRAMES'));
  });
});

it('FrameReader passes complete frames without copying them', () => {
  const buffers = new Set<Buffer>();
  const log = new FrameLog();
  const keep = (_stream: number, buffer: Buffer): null => {
    buffers.add(buffer);
    return null;
  };
  log.onData = keep;
  log.onHeaders = keep;
  const bytes = Buffer.concat([frame(1, 4, 1, '88'), frame(0, 9, 1, '01111100'), frame(1, 0x2d, 1, '02800000030f88820000')]);
  expect(new FrameReader(log).feed(bytes, 0, bytes.length)).toBeNull();
  expect([...buffers]).toEqual([bytes]);
});
