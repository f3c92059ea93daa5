import { ByteWriter } from './bytes.ts';
import { forEachUsed, type Histogram } from './histogram.ts';

/**
 * Cookie of encoding V2 of a histogram. The next one is that of its compressed form. The 0x10 marks varint counts (HdrHistogram:
 * EncodableHistogram).
 */
const COOKIE = 0x1c_84_93_13;
const COMPRESSED_COOKIE = 0x1c_84_93_14;

/**
 * Encodes a histogram in the uncompressed encoding V2 of HdrHistogram: a header of 40 bytes, then the counts as zigzag varints from the
 * lowest to the last used bucket. Two or more empty buckets in a row are one negative number. The bytes equal those of the library's
 * encoder. Compression is left to the caller, who can compress asynchronously.
 */
export function encodeHdr(histogram: Histogram): Uint8Array {
  const counts = new ByteWriter();
  let next = 0;
  forEachUsed(histogram, (index, count) => {
    const empty = index - next;
    if (empty === 1) counts.unsigned(0);
    else if (empty > 1) counts.unsigned(2 * empty - 1);
    counts.unsigned(2 * count);
    next = index + 1;
  });
  // An empty histogram is written as the lowest bucket with a count of 0.
  if (next === 0) counts.unsigned(0);
  const payload = counts.bytes();
  const encoded = new Uint8Array(HEAD_BYTES + payload.length);
  const head = new DataView(encoded.buffer);
  head.setUint32(0, COOKIE);
  head.setUint32(4, payload.length);
  // This is the normalizing offset. Readers ignore it, and the library writes 1.
  head.setUint32(8, 1);
  head.setUint32(12, histogram.numberOfSignificantValueDigits);
  head.setBigInt64(16, BigInt(histogram.lowestDiscernibleValue));
  head.setBigInt64(24, BigInt(histogram.highestTrackableValue));
  head.setBigInt64(32, 1n);
  encoded.set(payload, HEAD_BYTES);
  return encoded;
}

const HEAD_BYTES = 40;

/** Returns the 8 bytes that precede a compressed histogram of `length` bytes. */
export function buildCompressedHead(length: number): Uint8Array {
  const head = new DataView(new ArrayBuffer(8));
  head.setUint32(0, COMPRESSED_COOKIE);
  head.setUint32(4, length);
  return new Uint8Array(head.buffer);
}
