import { describe, expect, it } from 'vitest';
import { ByteReader, ByteWriter } from './bytes.ts';

function written(write: (writer: ByteWriter) => void): number[] {
  const writer = new ByteWriter();
  write(writer);
  return [...writer.bytes()];
}
const reading = (...bytes: number[]) => new ByteReader(Uint8Array.from(bytes));

describe('ByteWriter', () => {
  it('writes one byte below 128, and the lowest digits first beyond that', () => {
    const of = (value: number) => written((writer) => writer.unsigned(value));
    expect([of(0), of(127), of(128), of(300)]).toEqual([[0], [127], [128, 1], [172, 2]]);
    expect(of(Number.MAX_SAFE_INTEGER)).toHaveLength(8);
    for (const value of [0, 127, 128, 16_383, 16_384, 2 ** 32, Number.MAX_SAFE_INTEGER])
      expect(reading(...of(value)).unsigned()).toBe(value);
    for (const value of [-1, 0.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN]) expect(() => of(value)).toThrow(RangeError);
  });

  it('writes signed integers and fractions', () => {
    for (const value of [-300, -1, 0, 1, 300]) expect(reading(...written((writer) => writer.signed(value))).signed()).toBe(value);
    expect(written((writer) => writer.signed(-1))).toEqual([1, 1]);
    expect(Object.is(reading(1, 0).signed(), 0)).toBe(true);
    for (const value of [-1.5, 0, 1e300, Number.NaN]) expect(reading(...written((writer) => writer.float(value))).float()).toBe(value);
    expect(written((writer) => writer.float(1))).toEqual([0x3f, 0xf0, 0, 0, 0, 0, 0, 0]);
  });

  it('writes numbers and texts one after another', () => {
    const bytes = written((writer) => {
      for (let value = 0; value < 600; value += 1) writer.unsigned(value);
      writer.text('“ä”');
      writer.byte(7);
    });
    const reader = reading(...bytes);
    expect(Array.from({ length: 600 }, () => reader.unsigned())).toEqual(Array.from({ length: 600 }, (_, value) => value));
    expect([reader.text(), reader.byte()]).toEqual(['“ä”', 7]);
    reader.expectEnd();
  });
});

describe('ByteReader', () => {
  it.each<readonly [string, () => unknown]>([
    ['that end too early', () => reading(128).unsigned()],
    ['with a number that is too large', () => reading(255, 255, 255, 255, 255, 255, 255, 31).unsigned()],
    ['with a count beyond their end', () => reading(2, 0).count()],
    ['with a text beyond their end', () => reading(2, 65).text()],
    ['without a valid sign', () => reading(2, 0).signed()],
    ['with trailing bytes', () => reading(0).expectEnd()],
  ])('rejects bytes %s', (_, read) => expect(read).toThrow(expect.objectContaining({ code: 'DATA_DAMAGED' })));

  it('accepts bytes that are exactly long enough', () => {
    expect(reading(2, 0, 0).count()).toBe(2);
    expect(reading(255, 255, 255, 255, 255, 255, 255, 15).unsigned()).toBe(Number.MAX_SAFE_INTEGER);
  });
});
