import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from '#threads/zlib.ts';

/**
 * Decompresses an HTTP content coding (name in lower case); null if the coding is unknown. `isBeginning`: the end is missing, and the available part is
 * returned.
 * @throws {Error} for damaged data, and with code `ERR_BUFFER_TOO_LARGE` for more than `maxOutputLength` bytes.
 */
export function unpack(packed: Buffer, coding: string, maxOutputLength: number, isBeginning = false): Buffer | null {
  const { Z_SYNC_FLUSH, Z_FINISH, BROTLI_OPERATION_FLUSH, BROTLI_OPERATION_FINISH, ZSTD_e_flush, ZSTD_e_end } = constants;
  const options = { maxOutputLength, finishFlush: isBeginning ? Z_SYNC_FLUSH : Z_FINISH };
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return gunzipSync(packed, options);
    case 'deflate':
      // The standard requires the zlib wrapper (RFC 9110, section 8.4.1.2), which some servers omit. The wrapper's first byte names method 8.
      return (((packed[0] ?? 0) & 0x0f) === 8 ? inflateSync : inflateRawSync)(packed, options);
    case 'br': {
      const finishFlush = isBeginning ? BROTLI_OPERATION_FLUSH : BROTLI_OPERATION_FINISH;
      return brotliDecompressSync(packed, { maxOutputLength, finishFlush });
    }
    case 'zstd': {
      const finishFlush = isBeginning ? ZSTD_e_flush : ZSTD_e_end;
      return zstdDecompressSync(packed, { maxOutputLength, finishFlush });
    }
    default:
      return null;
  }
}
