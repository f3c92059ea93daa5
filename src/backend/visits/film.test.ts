import { expect, it } from 'vitest';
import { visitWith } from '#core/testing/visits.ts';
import { FilmChoice, pickFilmstrip, MAX_FRAME_BYTES, MAX_FRAMES } from './film.ts';

const frame = (atMs: number, content: string) => ({ atMs, jpeg: Buffer.from(content) });

it('pickFilmstrip keeps frames that differ from the previous one, sorted by time', () => {
  expect(pickFilmstrip([frame(20, 'b'), frame(10, 'a'), frame(15, 'a'), frame(-5, 'x')]).map(({ atMs }) => atMs)).toEqual([10, 20]);
});

it('pickFilmstrip limits frames and bytes, and keeps the first and last frame', () => {
  const many = Array.from({ length: 100 }, (_, index) => frame(index * 10, `picture ${index}`));
  const strip = pickFilmstrip([...many, { atMs: 5, jpeg: Buffer.alloc(MAX_FRAME_BYTES + 1) }]);
  expect(strip.length).toBeLessThanOrEqual(MAX_FRAMES);
  expect([strip[0]?.atMs, strip.at(-1)?.atMs]).toEqual([0, 990]);
});

it('FilmChoice keeps the first visit of each page in the opening of each bell, beside the median of the part', () => {
  const kept: number[] = [];
  const films = new FilmChoice(({ number }) => kept.push(number), [20, 65]);
  const visits = [
    { number: 1, second: 12 },
    { number: 2, second: 20 },
    { number: 3, second: 21, page: 1 },
    { number: 4, second: 24, largestPaintMs: 1_000 },
    { number: 5, second: 40, largestPaintMs: 950 },
    { number: 6, second: 66 },
  ];
  for (const visit of visits) films.add(visitWith(visit), [frame(10, `of ${visit.number}`)]);
  expect(kept).toEqual([2, 3, 6]);
  films.endPart();
  expect(new Set(kept.slice(3))).toEqual(new Set([6, 3]));
});
