import { describe, expect, it } from 'vitest';
import { lineWords, placeSentences, slowPlaces, type PlaceFacts } from './placeWords.ts';

function place(name: string, p50: PlaceFacts['p50'], changes: Partial<PlaceFacts> = {}): PlaceFacts {
  return { name, answered: 1_000, p50, p90: p50, bytesPerSecond: 1_250_000, ...changes };
}

describe('places beside each other', () => {
  it('are told apart where one is far slower, the slowest first', () => {
    expect(placeSentences([place('sp1', 52), place('sp4', 480), place('sp2', 104)])).toEqual([
      'From sp4 half of the answers came within 480 ms, from sp1 within 52 ms: 9.23 times as long.',
      'From sp2 half of the answers came within 104 ms, from sp1 within 52 ms: 2 times as long.',
    ]);
  });

  it('are compared by the ninth of ten where the middle is alike', () => {
    expect(placeSentences([place('a', 50, { p90: 60 }), place('b', 52, { p90: 900 })])).toEqual([
      'From b 9 of 10 of the answers came within 900 ms, from a within 60 ms: 15 times as long.',
    ]);
  });

  it('are alike where none is', () => {
    expect(placeSentences([place('a', 50), place('b', 52)])).toEqual([
      'From a and b the server looks alike: half of the answers came within 50 ms to 52 ms.',
    ]);
    expect(slowPlaces([place('a', 1), place('b', 4)])).toEqual([]);
  });

  it.each([
    ['few answers', [place('a', 50), place('b', 500, { answered: 99 })]],
    ['a place without any', [place('a', 50), place('b', null)]],
    ['one place', [place('a', 50)]],
    ['none', []],
  ])('say nothing with %s', (_what, places) => {
    expect(placeSentences(places)).toEqual([]);
  });
});

it('tells the speed of a network in its own unit', () => {
  expect([lineWords(1_250_000), lineWords(null)]).toEqual(['10 Mbit/s', 'not known']);
});
