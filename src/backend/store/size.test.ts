import { describe, expect, it } from 'vitest';
import { storeSizeAfter } from '../testing/measureStoreSize.ts';
import { type SyntheticLoad, syntheticGeneratorWindow } from '../testing/windows.ts';
import { FOLD_LEVELS, foldGeneratorWindows } from './folding.ts';

const MEGABYTE = 1e6;
const SAMPLE_SECONDS = 300;

/** Scales a sample of some minutes to an hour. The full size is measured by `node src/backend/testing/measureStoreSize.ts`. */
const bytesPerHour = (load: SyntheticLoad): number =>
  (storeSizeAfter(SAMPLE_SECONDS, load) - storeSizeAfter(1, load)) * (3_600 / (SAMPLE_SECONDS - 1));

describe('the size of the store', () => {
  it('is at most 12 MB per hour at 1,000 requests per second', () => {
    expect(bytesPerHour({ perSecond: 1_000 })).toBeLessThan(12 * MEGABYTE);
  });

  it('is at most 25 MB per hour at 40,000 requests per second', () => {
    expect(bytesPerHour({ perSecond: 40_000 })).toBeLessThan(25 * MEGABYTE);
  });

  it('stays under 100 MB in 24 hours, because old windows are folded', () => {
    const load = { perSecond: 40_000 };
    // A long run is simulated by repeating one minute, and its folded windows are measured.
    const minute = Array.from({ length: 60 }, (_, second) => syntheticGeneratorWindow(second, load));
    const sizeOf = (width: number): number => {
      const foldedWindows = foldGeneratorWindows(minute, width);
      return (storeSizeAfter(101, load, foldedWindows) - storeSizeAfter(1, load, foldedWindows)) / 100;
    };
    let bytes = 0;
    let covered = 0;
    let width = 1;
    for (const level of [...FOLD_LEVELS, { width: 60, afterSeconds: 24 * 3_600 }]) {
      bytes += ((level.afterSeconds - covered) / width) * sizeOf(width);
      covered = level.afterSeconds;
      width = level.width;
    }
    expect(bytes).toBeLessThan(100 * MEGABYTE);
  });
});
