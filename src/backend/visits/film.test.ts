import { expect, it } from 'vitest';
import { pickFilmstrip, MAX_FRAME_BYTES, MAX_FRAMES } from './film.ts';

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
