import { describe, expect, it } from 'vitest';
import { createJpegWriter } from '#core/work/journey/jpeg.ts';
import { isJpeg } from './upload.ts';

const photo = Buffer.from(createJpegWriter(5_000)('photo'));

describe('isJpeg', () => {
  it('accepts a complete photo', () => {
    expect(isJpeg(photo)).toBe(true);
  });

  it('rejects truncated photos, extra bytes at the end, and noise between valid first and last bytes', () => {
    const noise = Buffer.from(photo.map((byte, index) => (index < 2 || index > photo.length - 3 ? byte : (index * 97) % 251)));
    const noSize = Buffer.from(photo);
    noSize.writeUInt16BE(0, noSize.indexOf(Buffer.from([0xff, 0xc0])) + 5);
    for (const bad of [photo.subarray(0, 4_000), Buffer.concat([photo, photo]), noise, noSize, Buffer.alloc(5_000), Buffer.alloc(0)])
      expect(isJpeg(bad)).toBe(false);
  });
});
