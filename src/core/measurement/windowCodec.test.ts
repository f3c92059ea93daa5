import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HoldfastError } from '#core/base/errors.ts';
import { setOwn } from '#core/base/ownMembers.ts';
import { windowAt } from '#core/testing/arbitraries.ts';
import { ByteWriter } from '#core/statistics/bytes.ts';
import { comparable } from '#core/testing/comparable.ts';
import { realisticWindow } from '#core/testing/realistic.ts';
import { JOURNEY_COUNTERS } from './counters.ts';
import { OVERLOAD_CAUSES } from './window.ts';
import { decodeWindow, encodeWindow, WINDOW_CODEC_VERSION } from './windowCodec.ts';
import { findOrAddCell, emptyCell, emptyWindow } from './windowFold.ts';
import { windowWith } from '#core/testing/windows.ts';

describe('encodeWindow and decodeWindow', () => {
  it('restore an identical window', () => {
    fc.assert(
      fc.property(windowAt(fc.nat({ max: 600_000 })), (window) => {
        const back = decodeWindow(encodeWindow(window));
        expect(comparable(back)).toEqual(comparable(window));
        expect(Object.keys(back.cells[0]?.times ?? {}).length).toBe(Object.keys(window.cells[0]?.times ?? {}).length);
      }),
    );
  });

  it('keep the causes of an overloaded second', () => {
    expect(decodeWindow(encodeWindow(windowWith({ overloadedBy: ['steal', 'noFile'] }))).overloadedBy).toEqual(['steal', 'noFile']);
  });

  it('reject bytes that the encoder cannot have written, and a newer format by its number', () => {
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

describe('decodeWindow rejects', () => {
  const bytes = (second: number, width: number, ...rest: number[]): Uint8Array => {
    const writer = new ByteWriter();
    writer.byte(WINDOW_CODEC_VERSION);
    writer.float(second);
    writer.float(width);
    for (const number of rest) writer.unsigned(number);
    return writer.bytes();
  };
  /** In flight, causes, journeys, cells, side calls, loaded counts, people and duets: all 0. */
  const nothing = [0, 0, ...JOURNEY_COUNTERS.map(() => 0), 0, 0, 0, 0, 0];

  it('a second or width that is not finite, or a width of 0 or less', () => {
    expect(decodeWindow(bytes(5, 1, ...nothing))).toEqual(emptyWindow(5, 1));
    expect(decodeWindow(bytes(-1.5, 0.5, ...nothing))).toMatchObject({ second: -1.5, width: 0.5 });
    for (const [second, width] of [
      [Number.NaN, 1],
      [Number.POSITIVE_INFINITY, 1],
      [5, Number.NaN],
      [5, Number.POSITIVE_INFINITY],
      [5, 0],
      [5, -1],
    ] as const)
      expect(() => decodeWindow(bytes(second, width, ...nothing)), `${second} ${width}`).toThrow('no place in time');
  });

  it('format 8, but not formats 9 and 10, which lack duets or people', () => {
    const older = (version: number, numbers: readonly number[]): Uint8Array =>
      Uint8Array.from([version, ...bytes(5, 1, ...numbers).slice(1)]);
    expect(decodeWindow(older(10, nothing.slice(1)))).toEqual(emptyWindow(5, 1));
    expect(decodeWindow(older(9, nothing.slice(2)))).toEqual(emptyWindow(5, 1));
    expect(() => decodeWindow(older(8, nothing))).toThrow('format 8');
  });

  it('an unknown cause, and trailing bytes', () => {
    const causes = (mask: number) => bytes(5, 1, 0, mask, ...nothing.slice(2));
    expect(decodeWindow(causes(2 ** OVERLOAD_CAUSES.length - 1)).overloadedBy).toEqual([...OVERLOAD_CAUSES]);
    expect(() => decodeWindow(causes(2 ** OVERLOAD_CAUSES.length))).toThrow('something unknown');
    expect(() => decodeWindow(bytes(5, 1, ...nothing, 0))).toThrow(HoldfastError);
  });

  it('a status that is not a number', () => {
    const good = encodeWindow(windowWith({ ok: [{ count: 3, ms: 20 }] }));
    const at = good.findIndex((_, index) => new TextDecoder().decode(good.subarray(index, index + 3)) === '200');
    expect(decodeWindow(good).cells[0]?.statuses).toEqual(new Map([[200, 3]]));
    expect(() => decodeWindow(good.with(at, 0x78))).toThrow('a status is no number');
  });
});

describe('size of a stored window', () => {
  it('stays within 12 MB an hour for one step at 1,000/s and 25 MB at 40,000/s', () => {
    const stored = (perSecond: number): number => deflateRawSync(encodeWindow(realisticWindow(perSecond))).length;
    expect(stored(1_000)).toBeLessThan(2_500);
    expect(stored(40_000)).toBeLessThan(6_000);
  });
});

describe('names in decoded windows', () => {
  it('are limited in number and length without losing counts', () => {
    const window = emptyWindow(0, 1);
    const cell = findOrAddCell(window, 0, 0);
    const inherited = ['__proto__', 'constructor', 'toString'];
    const names = [...inherited, ...Array.from({ length: 1_000 }, (_, index) => `${'x'.repeat(index === 0 ? 100_000 : 10)}${index}`)];
    for (const [index, name] of names.entries()) {
      setOwn(cell.errors, name, names.length - index);
      setOwn(cell.servers, name, { responded: names.length - index, failed: 1, withoutResponse: 0, serviceUs: 2 });
    }
    const read = decodeWindow(encodeWindow(window)).cells[0] ?? emptyCell(0, 0);
    const total = (names.length * (names.length + 1)) / 2;
    expect(Object.values(read.errors).reduce((sum, count) => sum + count, 0)).toBe(total);
    expect(Object.values(read.servers).reduce((sum, { responded }) => sum + responded, 0)).toBe(total);
    expect(Object.values(read.servers).reduce((sum, { serviceUs }) => sum + serviceUs, 0)).toBe(2 * names.length);
    for (const record of [read.errors, read.servers]) {
      expect(Object.keys(record)).toHaveLength(201);
      expect(Object.keys(record).slice(0, 3)).toEqual(inherited);
      expect(Math.max(...Object.keys(record).map(({ length }) => length))).toBe(500);
    }
  });
});
