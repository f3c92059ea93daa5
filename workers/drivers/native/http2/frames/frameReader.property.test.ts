import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mutate, mutation } from '#framer/testing/arbitraries.ts';
import { CollectedBytes } from '#workers/collectedBytes.ts';
import { frame, FRAMES } from '../testing/frameBytes.ts';
import { FrameLog, readFrames } from '../testing/readFrames.ts';
import { FrameReader } from './frameReader.ts';

const EXAMPLES = Object.values(FRAMES).map(({ bytes }) => bytes);
const cutShares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 });
const cutsIn = (bytes: Buffer, shares: readonly number[]): number[] => shares.map((share) => Math.floor(share * bytes.length));

const anyFrame = fc
  .tuple(fc.nat(11), fc.constantFrom(0, 1, 4, 5, 8, 9, 12, 13, 0x20, 0x2d, 0xff), fc.nat(3), fc.uint8Array({ maxLength: 30 }))
  .map(([type, flags, stream, payload]) => frame(type, flags, stream, Buffer.from(payload)));
const goodFrames = fc.array(fc.constantFrom(...EXAMPLES), { maxLength: 12 }).map((frames) => Buffer.concat(frames));
const damagedFrames = fc
  .tuple(goodFrames, fc.array(mutation, { minLength: 1, maxLength: 4 }))
  .map(([bytes, mutations]) => mutate(bytes, mutations));
const anyBytes = fc.oneof(
  goodFrames,
  damagedFrames,
  fc.array(fc.oneof(anyFrame, fc.constantFrom(...EXAMPLES)), { maxLength: 8 }).map((frames) => Buffer.concat(frames)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

describe('FrameReader with generated frames', () => {
  it('reads any bytes with the same result, wherever they are split', () => {
    const limits = { maxFrameBytes: 40, maxBlockBytes: 50, maxEmptyFrames: 4 };
    fc.assert(
      fc.property(anyBytes, cutShares, fc.boolean(), (bytes, shares, isLimited) => {
        const given = isLimited ? limits : undefined;
        expect(readFrames(bytes, cutsIn(bytes, shares), given)).toEqual(readFrames(bytes, [], given));
      }),
      { numRuns: 5_000 },
    );
  });

  it('uses no more memory than the limits allow', () => {
    const limits = { maxFrameBytes: 1_000, maxBlockBytes: 2_000, maxEmptyFrames: 10 };
    const large = fc.tuple(fc.nat(11), fc.constantFrom(0, 4), fc.constantFrom(0, 1), fc.nat(1_100));
    fc.assert(
      fc.property(fc.array(large, { maxLength: 60 }), fc.integer({ min: 1, max: 700 }), (frames, step) => {
        const reader = new FrameReader(new FrameLog(), limits);
        const bytes = Buffer.concat(frames.map(([type, flags, stream, length]) => frame(type, flags, stream, Buffer.alloc(length, 0x88))));
        for (let at = 0; at < bytes.length; at += step) reader.feed(bytes, at, Math.min(bytes.length, at + step));
        const held = Object.values(reader)
          .filter((part) => part instanceof CollectedBytes)
          .map((part) => part.bytes.length);
        expect(held).toHaveLength(3);
        for (const length of held) expect(length).toBeLessThanOrEqual(2 * limits.maxBlockBytes);
      }),
    );
  });
});
