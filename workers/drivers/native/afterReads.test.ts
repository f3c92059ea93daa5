import { expect, it } from 'vitest';
import { AfterReads } from './afterReads.ts';

const nextPhase = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('lets everyone go on in one go, in the order of the answers, each at its own instant', async () => {
  let clock = 0;
  const after = new AfterReads(() => (clock += 10));
  const told: [string, number][] = [];
  for (const name of ['a', 'b', 'c']) after.add({ goOn: (nowUs) => void told.push([name, nowUs]) });
  expect(told, 'not before everything is read').toEqual([]);
  await nextPhase();
  expect(told).toEqual([
    ['a', 10],
    ['b', 20],
    ['c', 30],
  ]);
  await nextPhase();
  expect(told).toHaveLength(3);
});

it('keeps for the next turn who comes while others go on', async () => {
  const after = new AfterReads(() => 0);
  let turns = 0;
  const again = {
    goOn(): void {
      turns += 1;
      if (turns < 3) after.add(again);
    },
  };
  after.add(again);
  await nextPhase();
  expect(turns).toBe(1);
  await nextPhase();
  expect(turns).toBe(2);
});
