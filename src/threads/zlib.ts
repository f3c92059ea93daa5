// oxlint-disable-next-line no-restricted-imports -- this file wraps the module
import * as zlib from 'node:zlib';
import { notTerminated } from './startThread.ts';

/** The synchronous functions of Node's zlib for code that may run in a thread: see `startThread.ts`. */
export const brotliCompressSync = guarded(zlib.brotliCompressSync);
export const brotliDecompressSync = guarded(zlib.brotliDecompressSync);
export const deflateSync = guarded(zlib.deflateSync);
export const deflateRawSync = guarded(zlib.deflateRawSync);
export const gunzipSync = guarded(zlib.gunzipSync);
export const inflateSync = guarded(zlib.inflateSync);
export const inflateRawSync = guarded(zlib.inflateRawSync);
export const zstdDecompressSync = guarded(zlib.zstdDecompressSync);
// oxlint-disable-next-line no-restricted-imports -- this file wraps the module
export { constants } from 'node:zlib';

function guarded<Arguments extends unknown[], Result>(act: (...given: Arguments) => Result): (...given: Arguments) => Result {
  return (...given) => notTerminated(() => act(...given));
}
