import { describe, expect, it } from 'vitest';
import { streamSchema } from '#core/plan/schema/stream.ts';
import { EventNumbers, EventReader } from './eventReader.ts';

type Input = Parameters<typeof streamSchema.parse>[0];

function read(stream: Input, id: string, data: string): { sentUs: number | null; number: number | null } {
  return { ...new EventReader(streamSchema.parse(stream)).read(id, data) };
}

describe('what an event says of itself', () => {
  it.each<[string, object, string, string, number | null]>([
    ['milliseconds in its JSON', { from: 'data', path: '$.at' }, '', '{"at":1700000000123}', 1_700_000_000_123_500],
    [
      'as a text in its JSON',
      { from: 'data', path: '$.score.at', unit: 'seconds' },
      '',
      '{"score":{"at":"1700000000"}}',
      1_700_000_000_500_000,
    ],
    ['a fraction is taken as it is', { from: 'data', unit: 'seconds' }, '', '1700000000.25', 1_700_000_000_250_000],
    [
      'microseconds in its id, in hexadecimal',
      { from: 'id', unit: 'microseconds', isHex: true },
      '60a24181e4000',
      'x',
      0x60a24181e4000 + 0.5,
    ],
    ['no number', { from: 'data' }, '', 'soon', null],
    ['no JSON', { from: 'data', path: '$.at' }, '', '{', null],
    ['another path', { from: 'data', path: '$.at' }, '', '{"constructor":1}', null],
  ])('when it was sent: %s', (_name, sentAt, id, data, sentUs) => {
    expect(read({ sentAt }, id, data).sentUs).toBe(sentUs);
  });

  it('its number, and nothing where nobody asks', () => {
    expect(read({ number: { from: 'id' } }, '12', 'x')).toEqual({ sentUs: null, number: 12 });
    expect(read({ number: { from: 'data', path: '$.n' } }, '12', '{"n":3}')).toEqual({ sentUs: null, number: 3 });
    expect(read({}, '12', '{"n":3}')).toEqual({ sentUs: null, number: null });
  });

  it('is read again when the next event differs in its id or its data only', () => {
    const reader = new EventReader(streamSchema.parse({ number: { from: 'id' }, sentAt: { from: 'data' } }));
    expect({ ...reader.read('1', '5') }).toEqual({ number: 1, sentUs: 5_500 });
    expect({ ...reader.read('2', '5') }).toEqual({ number: 2, sentUs: 5_500 });
    expect({ ...reader.read('2', '6') }).toEqual({ number: 2, sentUs: 6_500 });
  });
});

describe('numbers of events', () => {
  function told(numbers: readonly number[]): { missed: number; repeated: number; late: number } {
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

  it.each<[string, number[], ReturnType<typeof told>]>([
    ['in order, from wherever they begin', [41, 42, 43], { missed: 0, repeated: 0, late: 0 }],
    ['two are missing', [1, 2, 5], { missed: 2, repeated: 0, late: 0 }],
    ['one comes late: nothing is missing in the end', [1, 3, 2, 4], { missed: 0, repeated: 0, late: 1 }],
    ['one comes twice', [1, 2, 2, 3], { missed: 0, repeated: 1, late: 0 }],
    ['one comes late, and then once more', [1, 3, 2, 2], { missed: 0, repeated: 1, late: 1 }],
    ['one of before the first', [5, 4], { missed: 0, repeated: 1, late: 0 }],
    ['a server that counts anew', [9_000_000, 1, 2], { missed: 0, repeated: 0, late: 0 }],
  ])('%s', (_name, numbers, expected) => {
    expect(told(numbers)).toEqual(expected);
  });
});
