import { expect, it } from 'vitest';
import { Dice } from './dice.ts';

it('dice draw the same values for the same seed and position, and different values otherwise', () => {
  const draw = (seed: number, place: number): number[] => {
    const dice = new Dice(seed, place);
    return [dice.between(0, 1), dice.between(0, 1), dice.integer(1, 1_000_000)];
  };
  expect(draw(7, 3)).toEqual(draw(7, 3));
  expect(draw(7, 3)).not.toEqual(draw(7, 4));
  expect(draw(7, 3)).not.toEqual(draw(8, 3));
});

it('dice reach both ends of an integer range, and every item of a list', () => {
  const dice = new Dice(1, 0);
  const drawn = Array.from({ length: 500 }, () => dice.integer(1, 6));
  expect(new Set(drawn)).toEqual(new Set([1, 2, 3, 4, 5, 6]));
  expect(new Set(Array.from({ length: 100 }, () => dice.pick(['a', 'b'])))).toEqual(new Set(['a', 'b']));
});
