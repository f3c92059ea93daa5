import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJpegWriter, MIN_JPEG_BYTES } from './jpeg.ts';
import { decodeJpeg } from './testing/decodeJpeg.ts';

describe('createJpegWriter', () => {
  it('creates exactly the requested size, and blocks that can all be decoded', () => {
    fc.assert(
      fc.property(fc.integer({ min: MIN_JPEG_BYTES, max: 20_000 }), fc.string(), (length, seed) => {
        const photo = createJpegWriter(length)(seed);
        expect(photo).toHaveLength(length);
        expect(decodeJpeg(photo).blocks).toBeGreaterThan(0);
      }),
      { numRuns: 30 },
    );
  });

  it('creates as many pixels as a photo of this size', () => {
    expect(decodeJpeg(createJpegWriter(98_831)('a'))).toEqual({ width: 808, height: 600, blocks: 7_575 });
  });

  it('depends only on the seed', () => {
    const make = createJpegWriter(98_831);
    const photos = ['a', 'b', 'a'].map((seed) => Buffer.from(make(seed)).toString('base64'));
    expect(new Set(photos).size).toBe(2);
    expect(photos[2]).toBe(photos[0]);
  });

  it('rejects a size below the minimum', () => {
    expect(decodeJpeg(createJpegWriter(MIN_JPEG_BYTES)(''))).toEqual({ width: 8, height: 8, blocks: 1 });
    expect(() => createJpegWriter(MIN_JPEG_BYTES - 1)).toThrow(RangeError);
  });
});
