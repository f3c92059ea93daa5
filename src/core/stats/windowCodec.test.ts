import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HoldfastError } from '../errors.ts';
import { windowAt } from '../testing/arbitraries.ts';
import { comparable } from '../testing/comparable.ts';
import { realisticWindow } from '../testing/realistic.ts';
import { decodeWindow, encodeWindow, WINDOW_CODEC_VERSION } from './windowCodec.ts';
import { windowWith } from '../testing/windows.ts';

describe('the codec of windows', () => {
  it('brings back the very same window', () => {
    fc.assert(
      fc.property(windowAt(fc.nat({ max: 600_000 })), (window) => {
        const back = decodeWindow(encodeWindow(window));
        expect(comparable(back)).toEqual(comparable(window));
        expect(Object.keys(back.cells[0]?.times ?? {}).length).toBe(Object.keys(window.cells[0]?.times ?? {}).length);
      }),
    );
  });

  it('keeps the marks of a sick second', () => {
    expect(decodeWindow(encodeWindow(windowWith({ sick: ['steal', 'noFile'] }))).sick).toEqual(['steal', 'noFile']);
  });

  it('refuses what it cannot have written, a newer format by its number', () => {
    const good = encodeWindow(windowWith({ ok: [{ count: 3, ms: 20 }] }));
    const newer = Uint8Array.from(good);
    newer[0] = WINDOW_CODEC_VERSION + 1;
    expect(() => decodeWindow(newer)).toThrow(`format ${WINDOW_CODEC_VERSION + 1}`);
    expect(() => decodeWindow(good.subarray(0, 20))).toThrow(HoldfastError);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          decodeWindow(Uint8Array.from([WINDOW_CODEC_VERSION, ...bytes]));
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(HoldfastError);
        }
      }),
    );
  });
});

describe('the size of a stored window', () => {
  it('stays within 12 MB an hour for one step at 1,000/s and 25 MB at 40,000/s', () => {
    const stored = (perSecond: number): number => deflateRawSync(encodeWindow(realisticWindow(perSecond))).length;
    expect(stored(1_000)).toBeLessThan(2_500);
    expect(stored(40_000)).toBeLessThan(6_000);
  });
});
