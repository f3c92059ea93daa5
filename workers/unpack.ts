import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from '#threads/zlib.ts';

/**
 * What a coding of HTTP (its name in lower case) had packed; null when the coding is not known.
 * `isBeginning`: the end is missing, and what came before it is wanted all the same.
 * @throws {Error} for damaged bytes, and with the code `ERR_BUFFER_TOO_LARGE` when there are more than `maxOutputLength` bytes in them.
 */
export function unpack(packed: Buffer, coding: string, maxOutputLength: number, isBeginning = false): Buffer | null {
  const { Z_SYNC_FLUSH, Z_FINISH, BROTLI_OPERATION_FLUSH, BROTLI_OPERATION_FINISH, ZSTD_e_flush, ZSTD_e_end } = constants;
  const options = { maxOutputLength, finishFlush: isBeginning ? Z_SYNC_FLUSH : Z_FINISH };
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return gunzipSync(packed, options);
    case 'deflate':
      // By the standard with the wrapper of zlib (RFC 9110, 8.4.1.2); some servers leave it out. Its first byte names the method 8.
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
