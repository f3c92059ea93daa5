import { describe, expect, it } from 'vitest';
import { streamSchema } from '#core/plan/schema/step.ts';
import { EventNumbers, EventReader } from './eventReader.ts';

type Input = Parameters<typeof streamSchema.parse>[0];

function read(stream: Input, id: string, data: string): { sentUs: number | null; number: number | null } {
  return { ...new EventReader(streamSchema.parse(stream)).read(id, data) };
}

describe('EventReader', () => {
  it.each<[string, object, string, string, number | null]>([
    ['milliseconds in JSON', { from: 'data', path: '$.at' }, '', '{"at":1700000000123}', 1_700_000_000_123_500],
    ['a string in JSON', { from: 'data', path: '$.score.at', unit: 'seconds' }, '', '{"score":{"at":"1700000000"}}', 1_700_000_000_500_000],
    ['a fraction, which is used without rounding', { from: 'data', unit: 'seconds' }, '', '1700000000.25', 1_700_000_000_250_000],
    ['hexadecimal microseconds in the id', { from: 'id', unit: 'microseconds', isHex: true }, '60a24181e4000', 'x', 0x60a24181e4000 + 0.5],
    ['text that is no number', { from: 'data' }, '', 'soon', null],
    ['text that is no JSON', { from: 'data', path: '$.at' }, '', '{', null],
    ['another path', { from: 'data', path: '$.at' }, '', '{"constructor":1}', null],
  ])('reads the sending time: %s', (_name, sentAt, id, data, sentUs) => {
    expect(read({ sentAt }, id, data).sentUs).toBe(sentUs);
  });

  it('reads the event number, and only the wanted fields', () => {
    expect(read({ number: { from: 'id' } }, '12', 'x')).toEqual({ sentUs: null, number: 12 });
    expect(read({ number: { from: 'data', path: '$.n' } }, '12', '{"n":3}')).toEqual({ sentUs: null, number: 3 });
    expect(read({}, '12', '{"n":3}')).toEqual({ sentUs: null, number: null });
  });

  it('reads an event again if only its id or data changed', () => {
    const reader = new EventReader(streamSchema.parse({ number: { from: 'id' }, sentAt: { from: 'data' } }));
    expect({ ...reader.read('1', '5') }).toEqual({ number: 1, sentUs: 5_500 });
    expect({ ...reader.read('2', '5') }).toEqual({ number: 2, sentUs: 5_500 });
    expect({ ...reader.read('2', '6') }).toEqual({ number: 2, sentUs: 6_500 });
  });
});

describe('EventNumbers', () => {
  function countAll(numbers: readonly number[]): { missed: number; repeated: number; late: number } {
    const places = new EventNumbers();
    const sum = { missed: 0, repeated: 0, late: 0 };
    for (const number of numbers) {
      const { missed, isRepeated, isLate } = places.take(number);
      sum.missed += missed;
      sum.repeated += Number(isRepeated);
      sum.late += Number(isLate);
    }
    return sum;
  }

  it.each<[string, number[], ReturnType<typeof countAll>]>([
    ['counts nothing for consecutive numbers from any start', [41, 42, 43], { missed: 0, repeated: 0, late: 0 }],
    ['counts missed numbers', [1, 2, 5], { missed: 2, repeated: 0, late: 0 }],
    ['counts a late number as late and no longer as missed', [1, 3, 2, 4], { missed: 0, repeated: 0, late: 1 }],
    ['counts a repeated number', [1, 2, 2, 3], { missed: 0, repeated: 1, late: 0 }],
    ['counts a late number that is repeated', [1, 3, 2, 2], { missed: 0, repeated: 1, late: 1 }],
    ['counts a number below the first as repeated', [5, 4], { missed: 0, repeated: 1, late: 0 }],
    ['counts nothing when a server restarts its numbers', [9_000_000, 1, 2], { missed: 0, repeated: 0, late: 0 }],
  ])('%s', (_name, numbers, expected) => {
    expect(countAll(numbers)).toEqual(expected);
  });
});
