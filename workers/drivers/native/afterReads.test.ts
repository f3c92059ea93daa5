import { expect, it } from 'vitest';
import { AfterReads, type Successor } from './afterReads.ts';

const nextPhase = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Somebody who writes down what they are asked, and when. */
function walker(name: string, told: string[]): Successor {
  return {
    prepare: (nowUs) => void told.push(`${name} prepares at ${nowUs}`),
    send: (nowUs) => void told.push(`${name} sends at ${nowUs}`),
  };
}

/** A clock on which 10 µs go by between two looks. */
function clock(): () => number {
  let nowUs = 0;
  return () => (nowUs += 10);
}

it('lets everyone go on in one go, in the order of the answers, each at its own instant', async () => {
  const after = new AfterReads(clock());
  const told: string[] = [];
  for (const name of ['a', 'b']) after.add(walker(name, told));
  expect(told, 'not before everything is read').toEqual([]);
  await nextPhase();
  expect(told).toEqual(['a prepares at 10', 'b prepares at 10', 'a sends at 20', 'b sends at 30']);
  await nextPhase();
  expect(told).toHaveLength(4);
});

it('counts what has arrived before anyone goes on, who goes on because of it included', async () => {
  const after = new AfterReads(clock());
  const told: string[] = [];
  for (const name of ['a', 'b']) {
    const settle = (): void => {
      told.push(`${name} is counted`);
      after.add(walker(name, told));
    };
    after.settleLater({ settle });
  }
  await nextPhase();
  expect(told).toEqual(['a is counted', 'b is counted', 'a prepares at 10', 'b prepares at 10', 'a sends at 20', 'b sends at 30']);
});

it('counts what has arrived at once when it is asked to, and not again', async () => {
  const after = new AfterReads(clock());
  const told: string[] = [];
  after.settleLater({ settle: () => void told.push('counted') });
  after.settle();
  expect(told).toEqual(['counted']);
  await nextPhase();
  expect(told).toEqual(['counted']);
});

it('keeps for the next turn who comes while others go on', async () => {
  const after = new AfterReads(() => 0);
  let turns = 0;
  const again: Successor = {
    prepare: () => {},
    send: () => {
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
