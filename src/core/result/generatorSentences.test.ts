import { describe, expect, it } from 'vitest';
import { formatLine, generatorSentences, findSlowGenerators, type GeneratorFigures } from './generatorSentences.ts';

function generator(name: string, p50: GeneratorFigures['p50'], changes: Partial<GeneratorFigures> = {}): GeneratorFigures {
  return { name, responded: 1_000, p50, p90: p50, bytesPerSecond: 1_250_000, ...changes };
}

describe('comparison of load generator locations', () => {
  it('reports much slower locations, the slowest first', () => {
    expect(generatorSentences([generator('sp1', 52), generator('sp4', 480), generator('sp2', 104)])).toEqual([
      'From sp4, 50 % of responses came within 480 ms, from sp1 within 52 ms: 9.23 times as long.',
      'From sp2, 50 % of responses came within 104 ms, from sp1 within 52 ms: 2 times as long.',
    ]);
  });

  it('uses the p90 if the medians are similar', () => {
    expect(generatorSentences([generator('a', 50, { p90: 60 }), generator('b', 52, { p90: 900 })])).toEqual([
      'From b, 90 % of responses came within 900 ms, from a within 60 ms: 15 times as long.',
    ]);
  });

  it('requires 1.5 times the time and 5 ms', () => {
    const slower = (fastMs: number, slowMs: number): number => findSlowGenerators([generator('a', fastMs), generator('b', slowMs)]).length;
    expect([slower(100, 150), slower(100, 149), slower(10, 15), slower(9, 13.9)]).toEqual([1, 0, 1, 0]);
    expect(findSlowGenerators([generator('a', 50, { responded: 100 }), generator('b', 500)])).toHaveLength(1);
    expect(generatorSentences([generator('a', 0), generator('b', 90)])).toEqual([
      'From b, 50 % of responses came within 90 ms, from a within 0 ms.',
    ]);
    expect(generatorSentences([generator('a', 50), generator('b', 50)])[0]).toMatch(/came within 50 ms\.$/);
  });

  it('says that locations are alike if their times are similar', () => {
    expect(generatorSentences([generator('a', 50), generator('b', 52)])).toEqual([
      'From a and b the server looks alike: 50 % of responses came within 50 ms to 52 ms.',
    ]);
    expect(findSlowGenerators([generator('a', 1), generator('b', 4)])).toEqual([]);
  });

  it.each([
    ['few responses', [generator('a', 50), generator('b', 500, { responded: 99 })]],
    ['a location without responses', [generator('a', 50), generator('b', null)]],
    ['a single location', [generator('a', 50)]],
    ['no location', []],
  ])('is empty with %s', (_what, generators) => {
    expect(generatorSentences(generators)).toEqual([]);
  });
});

it('formatLine: uses Mbit/s', () => {
  expect([formatLine(1_250_000), formatLine(null)]).toEqual(['10 Mbit/s', 'unknown']);
});
