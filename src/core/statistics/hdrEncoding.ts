import { ByteWriter } from './bytes.ts';
import { forEachUsed, type Histogram } from './histogram.ts';

/** First words of the encoding V2 of a histogram, and of its compressed form; the 0x10 says that counts are varints (HdrHistogram: EncodableHistogram). */
const COOKIE = 0x1c_84_93_13;
const COMPRESSED_COOKIE = 0x1c_84_93_14;

/**
 * A histogram in the encoding V2 of HdrHistogram, before it is compressed: a head of 40 bytes, then the counts from the lowest bucket to the last used one as varints, twice the
 * count each; of two and more empty buckets in a row their number stands as a negative one (twice the number less 1). The library's own encoder gives the
 * same bytes; this one leaves the compression to whoever can do it beside other work.
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
  // Of nothing at all, the lowest bucket is written.
  if (next === 0) counts.unsigned(0);
  const payload = counts.bytes();
  const encoded = new Uint8Array(HEAD_BYTES + payload.length);
  const head = new DataView(encoded.buffer);
  head.setUint32(0, COOKIE);
  head.setUint32(4, payload.length);
  // Normalizing offset: readers skip it, and the library writes 1.
  head.setUint32(8, 1);
  head.setUint32(12, histogram.numberOfSignificantValueDigits);
  head.setBigInt64(16, BigInt(histogram.lowestDiscernibleValue));
  head.setBigInt64(24, BigInt(histogram.highestTrackableValue));
  head.setBigInt64(32, 1n);
  encoded.set(payload, HEAD_BYTES);
  return encoded;
}

const HEAD_BYTES = 40;

/** The 8 bytes before a compressed histogram of that many bytes. */
export function compressedHead(length: number): Uint8Array {
  const head = new DataView(new ArrayBuffer(8));
  head.setUint32(0, COMPRESSED_COOKIE);
  head.setUint32(4, length);
  return new Uint8Array(head.buffer);
}
