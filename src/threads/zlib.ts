// oxlint-disable-next-line no-restricted-imports -- this file wraps the module
import * as zlib from 'node:zlib';
import { withTerminationLock } from './startThread.ts';

/** The synchronous functions of Node's zlib, for code that may run in a thread: see `startThread.ts`. */
export const brotliCompressSync = guardTermination(zlib.brotliCompressSync);
export const brotliDecompressSync = guardTermination(zlib.brotliDecompressSync);
export const deflateSync = guardTermination(zlib.deflateSync);
export const deflateRawSync = guardTermination(zlib.deflateRawSync);
export const gunzipSync = guardTermination(zlib.gunzipSync);
export const inflateSync = guardTermination(zlib.inflateSync);
export const inflateRawSync = guardTermination(zlib.inflateRawSync);
export const zstdDecompressSync = guardTermination(zlib.zstdDecompressSync);
// oxlint-disable-next-line no-restricted-imports -- this file wraps the module
export { constants } from 'node:zlib';

function guardTermination<Arguments extends unknown[], Result>(act: (...given: Arguments) => Result): (...given: Arguments) => Result {
  return (...given) => withTerminationLock(() => act(...given));
}
