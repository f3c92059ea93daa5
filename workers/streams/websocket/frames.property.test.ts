import { constants, inflateRawSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mutate, mutation } from '#framer/testing/arbitraries.ts';
import { CollectedBytes } from '#workers/collectedBytes.ts';
import { DEFAULT_MESSAGE_LIMITS, type Fault, FrameReader, type MessageInflater } from './frames.ts';
import { Inflater } from './permessageDeflate.ts';
import { readWithWs } from './testing/readWithWs.ts';
import {
  CLOSES,
  type LengthBytes,
  MESSAGES,
  MessageLog,
  MAX_WINDOW_BITS,
  packed,
  readMessages,
  serverFrame,
} from './testing/serverFrames.ts';

const EXAMPLES = [...Object.values(MESSAGES), ...Object.values(CLOSES)].map(({ bytes }) => bytes).filter(({ length }) => length < 1_000);
const cutShares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 });
const cutsIn = (bytes: Buffer, shares: readonly number[]): number[] => shares.map((share) => Math.floor(share * bytes.length));
const joined = (frames: readonly Buffer[]): Buffer => Buffer.concat(frames);

const payload = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 140 }).map((bytes) => Buffer.from(bytes)),
);
const first = fc.constantFrom(0x00, 0x01, 0x02, 0x80, 0x81, 0x82, 0x88, 0x89, 0x8a, 0x09, 0x41, 0xc1, 0xc2, 0xc0, 0x83, 0x91, 0xa2);
const lengthBytes = fc.constantFrom<LengthBytes[]>('least', 'least', 'least', 2, 8);
const anyFrame = fc.tuple(first, payload, lengthBytes).map(([byte, bytes, width]) => serverFrame(byte, bytes, width));
const packedFrame = payload.map((bytes) => serverFrame(0xc2, packed(bytes)));

/** A message in several frames, with pings in between. */
const message = fc.tuple(fc.boolean(), fc.array(fc.tuple(payload, fc.boolean()), { minLength: 1, maxLength: 4 })).map(([isText, parts]) => {
  const frames = parts.map(([bytes, hasPing], index) => {
    const byte = (index === parts.length - 1 ? 0x80 : 0) | (index > 0 ? 0 : isText ? 1 : 2);
    return joined([...(hasPing ? [serverFrame(0x89, 'ping')] : []), serverFrame(byte, bytes)]);
  });
  return joined(frames);
});

const good = fc.array(fc.oneof(message, packedFrame, fc.constantFrom(...EXAMPLES)), { maxLength: 6 }).map(joined);
const anyBytes = fc.oneof(
  good,
  fc.tuple(good, fc.array(mutation, { minLength: 1, maxLength: 3 })).map(([bytes, mutations]) => mutate(bytes, mutations)),
  fc.array(fc.oneof(anyFrame, message), { maxLength: 8 }).map(joined),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

const withoutBroken = (lines: readonly string[]): readonly string[] => lines.filter((line) => !line.startsWith('broken'));

/** Detects data after a final deflate block, which ws drops. */
class WatchedInflater implements MessageInflater {
  isPastLastBlock = false;
  private readonly inflater = new Inflater(MAX_WINDOW_BITS, DEFAULT_MESSAGE_LIMITS.maxMessageBytes);

  inflate(buffer: Buffer, start: number, end: number): Buffer | Fault {
    const inflated = this.inflater.inflate(buffer, start, end);
    if (typeof inflated !== 'string' && end > start) {
      const first = inflateRawSync(buffer.subarray(start, end), { finishFlush: constants.Z_SYNC_FLUSH });
      this.isPastLastBlock ||= !first.equals(inflated);
    }
    return inflated;
  }
}

describe('FrameReader with generated messages', () => {
  it('reads any bytes with the same result, wherever they are split', () => {
    const limits = { maxMessageBytes: 150, maxFragments: 3 };
    fc.assert(
      fc.property(anyBytes, cutShares, fc.boolean(), (bytes, shares, isLimited) => {
        const given = isLimited ? limits : undefined;
        const whole = readMessages(bytes, [], given);
        expect(readMessages(bytes, cutsIn(bytes, shares), given)).toEqual(whole);
        expect(readMessages(bytes, Array.from(bytes.keys()), given)).toEqual(whole);
      }),
      { numRuns: 3_000 },
    );
  });

  it('agrees with the receiver of the ws package, compressed or not', async () => {
    await fc.assert(
      fc.asyncProperty(anyBytes, cutShares, fc.boolean(), async (bytes, shares, isCompressed) => {
        const cuts = cutsIn(bytes, shares);
        const inflater = new WatchedInflater();
        const ours = readMessages(bytes, cuts, undefined, isCompressed ? inflater : null);
        fc.pre(!inflater.isPastLastBlock);
        const isBroken = ours.at(-1)?.startsWith('broken') === true;
        // ws checks the first byte of a frame only together with the second.
        const truth = await readWithWs(isBroken ? joined([bytes, Buffer.of(0)]) : bytes, cuts, isCompressed);
        // ws accepts lengths in too many bytes, and truncated compressed messages.
        const isStricter = /WS_BAD_LENGTH|WS_BAD_DEFLATE/.test(ours.at(-1) ?? '');
        // ws decompresses a message before the rest of it arrives.
        const isLater = isCompressed && truth.at(-1) === 'broken 1007';
        if (isStricter || isLater) {
          const shared = Math.min(withoutBroken(ours).length, withoutBroken(truth).length);
          expect(withoutBroken(ours).slice(0, shared)).toEqual(withoutBroken(truth).slice(0, shared));
          return;
        }
        expect(ours.map((line) => line.replace(/^broken \w+/, 'broken'))).toEqual(truth);
      }),
      { numRuns: 3_000 },
    );
  });

  it('uses no more memory than the limits allow', () => {
    const limits = { maxMessageBytes: 50_000, maxFragments: 1_000 };
    const flood = fc.tuple(fc.constantFrom(0x00, 0x01, 0x80, 0x82, 0x89), fc.oneof(fc.nat(2), fc.nat(125), fc.nat(40_000)));
    fc.assert(
      fc.property(fc.array(flood, { maxLength: 60 }), fc.integer({ min: 1, max: 9_000 }), (frames, step) => {
        const reader = new FrameReader(new MessageLog(), null, limits);
        const bytes = joined(frames.map(([byte, length]) => serverFrame(byte, Buffer.alloc(length, 'x'))));
        for (let at = 0; at < bytes.length; at += step) reader.feed(bytes, at, Math.min(bytes.length, at + step));
        const held = Object.values(reader)
          .filter((part) => part instanceof CollectedBytes)
          .map((part) => part.bytes.length);
        expect(held).toHaveLength(2);
        for (const length of held) expect(length).toBeLessThanOrEqual(2 * limits.maxMessageBytes);
      }),
    );
  });
});

describe('the memory of FrameReader', () => {
  const heldBy = (reader: FrameReader): number[] =>
    Object.values(reader)
      .filter((part) => part instanceof CollectedBytes)
      .map((part) => part.bytes.length);
  const cutInTwo = (reader: FrameReader, length: number): void => {
    const bytes = serverFrame(0x82, Buffer.alloc(length));
    reader.feed(bytes, 0, 200);
    reader.feed(bytes, 200, bytes.length);
  };

  it('is empty before a split message, small after one, and empty after a large one', () => {
    const log = new MessageLog();
    const reader = new FrameReader(log, null);
    const whole = serverFrame(0x82, Buffer.alloc(1_000));
    reader.feed(whole, 0, whole.length);
    expect(heldBy(reader)).toEqual([0, 0]);
    cutInTwo(reader, 1_000);
    expect(heldBy(reader)).toEqual([1_000, 0]);
    cutInTwo(reader, 1_000_000);
    expect(heldBy(reader)).toEqual([0, 0]);
    expect(log.reported).toHaveLength(3);
  });

  it('contains only the received part of a message that announces a large length', () => {
    const reader = new FrameReader(new MessageLog(), null);
    const bytes = serverFrame(0x82, Buffer.alloc(100), 8, 16_000_000);
    reader.feed(bytes, 0, bytes.length);
    expect(heldBy(reader)).toEqual([256, 0]);
  });

  it('stays small during a flood of one-byte fragments, which is refused', () => {
    const log = new MessageLog();
    const reader = new FrameReader(log, null);
    const start = serverFrame(0x02, 'x');
    const flood = joined(Array.from({ length: 140_000 }, () => serverFrame(0x00, 'x')));
    reader.feed(start, 0, start.length);
    reader.feed(flood, 0, 3 * 131_071);
    expect(heldBy(reader)).toEqual([131_072, 0]);
    expect(log.reported).toEqual([]);
    reader.feed(flood, 3 * 131_071, flood.length);
    expect(log.reported).toEqual(['broken WS_TOO_MANY_FRAGMENTS 1008']);
    expect(heldBy(reader)).toEqual([0, 0]);
  });
});
