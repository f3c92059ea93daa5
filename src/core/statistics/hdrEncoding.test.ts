import { describe, expect, it } from 'vitest';
import { buildCompressedHead, encodeHdr } from './hdrEncoding.ts';
import { createHistogram, record } from './histogram.ts';

function encoded(...timesUs: number[]): number[] {
  const histogram = createHistogram();
  for (const time of timesUs) record(histogram, time);
  return [...encodeHdr(histogram)];
}
const viewBytes = (bytes: number[]) => new DataView(Uint8Array.from(bytes).buffer);

describe('encodeHdr', () => {
  it('writes a header of 40 bytes: cookie, length, digits, lowest and highest value', () => {
    const head = viewBytes(encoded(1));
    expect([0, 4, 8, 12].map((at) => head.getUint32(at))).toEqual([0x1c_84_93_13, 2, 1, 3]);
    expect([16, 24].map((at) => head.getBigInt64(at))).toEqual([1n, 1_048_575n]);
    expect(head.getBigInt64(32)).toBe(1n);
  });

  it('writes a count n as 2n, and a run of n empty buckets as 2n − 1', () => {
    const payload = (...times: number[]) => encoded(...times).slice(40);
    // Bucket 0 is always empty. A single empty bucket is written as a count of 0.
    expect(payload(1, 1, 1)).toEqual([0, 6]);
    expect(payload(2)).toEqual([3, 2]);
    expect(payload(1, 3)).toEqual([0, 2, 0, 2]);
    expect(payload(1, 5, 5)).toEqual([0, 2, 5, 4]);
    expect(payload()).toEqual([0]);
    expect(payload(...Array.from({ length: 100 }, () => 1))).toEqual([0, 200, 1]);
  });

  it('writes a header of eight bytes for compressed data', () => {
    const head = viewBytes([...buildCompressedHead(300)]);
    expect([head.byteLength, head.getUint32(0), head.getUint32(4)]).toEqual([8, 0x1c_84_93_14, 300]);
  });
});
