import { expect, it } from 'vitest';
import { Dice } from './dice.ts';

it('a dice draws the same values for the same seed and place, and others otherwise', () => {
  const draw = (seed: number, place: number): number[] => {
    const dice = new Dice(seed, place);
    return [dice.between(0, 1), dice.between(0, 1), dice.integer(1, 1_000_000)];
  };
  expect(draw(7, 3)).toEqual(draw(7, 3));
  expect(draw(7, 3)).not.toEqual(draw(7, 4));
  expect(draw(7, 3)).not.toEqual(draw(8, 3));
});

it('a dice reaches both ends of integer ranges, and every item', () => {
  const dice = new Dice(1, 0);
  const drawn = Array.from({ length: 500 }, () => dice.integer(1, 6));
  expect(new Set(drawn)).toEqual(new Set([1, 2, 3, 4, 5, 6]));
  expect(new Set(Array.from({ length: 100 }, () => dice.pick(['a', 'b'])))).toEqual(new Set(['a', 'b']));
});
