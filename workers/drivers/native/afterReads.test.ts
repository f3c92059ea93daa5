import { expect, it } from 'vitest';
import { AfterReads, type Successor } from './afterReads.ts';

const waitForNextPhase = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Returns a successor that logs its calls with their times. */
function newLoggingSuccessor(name: string, log: string[]): Successor {
  return { prepare: (nowUs) => void log.push(`${name} prepares at ${nowUs}`), send: (nowUs) => void log.push(`${name} sends at ${nowUs}`) };
}

/** Returns a clock that advances by 10 µs at each reading. */
function clock(): () => number {
  let nowUs = 0;
  return () => (nowUs += 10);
}

it('AfterReads prepares all successors, then sends each request at its own time', async () => {
  const after = new AfterReads(clock());
  const log: string[] = [];
  for (const name of ['a', 'b']) after.add(newLoggingSuccessor(name, log));
  expect(log, 'not before everything is read').toEqual([]);
  await waitForNextPhase();
  expect(log).toEqual(['a prepares at 10', 'b prepares at 10', 'a sends at 20', 'b sends at 30']);
  await waitForNextPhase();
  expect(log).toHaveLength(4);
});

it('AfterReads settles arrived responses before it prepares successors, including those that are added by settling', async () => {
  const after = new AfterReads(clock());
  const log: string[] = [];
  for (const name of ['a', 'b']) {
    const settle = (): void => {
      log.push(`${name} is counted`);
      after.add(newLoggingSuccessor(name, log));
    };
    after.settleLater({ settle });
  }
  await waitForNextPhase();
  expect(log).toEqual(['a is counted', 'b is counted', 'a prepares at 10', 'b prepares at 10', 'a sends at 20', 'b sends at 30']);
});

it('settle() settles arrived responses immediately, and only once', async () => {
  const after = new AfterReads(clock());
  const log: string[] = [];
  after.settleLater({ settle: () => void log.push('counted') });
  after.settle();
  expect(log).toEqual(['counted']);
  await waitForNextPhase();
  expect(log).toEqual(['counted']);
});

it('AfterReads defers a successor that is added while sending to the next turn of the event loop', async () => {
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
  await waitForNextPhase();
  expect(turns).toBe(1);
  await waitForNextPhase();
  expect(turns).toBe(2);
});
