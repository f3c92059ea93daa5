import { expect, it } from 'vitest';
import { decideOutcome } from '../figures/requirement.ts';
import { repeatInTime } from './kind.ts';

const signal = new AbortController().signal;
const repetition = { what: 'questions', secondsEach: 10 };

it('repeatInTime repeats a measurement the given number of times, even after failures', async () => {
  const reportedTexts: string[] = [];
  const context = { runs: 3, hasTimeFor: () => true, signal, notify: (line: string) => void reportedTexts.push(line) };
  const { made, failed, complete } = await repeatInTime(context, repetition, (index) =>
    index === 1 ? Promise.reject(new Error('It was not there.')) : Promise.resolve(index),
  );
  expect(made).toEqual([0, 2]);
  expect(failed).toEqual([expect.stringMatching(/^questions: 2 of 3 could not be made: .*It was not there/)]);
  expect(reportedTexts).toHaveLength(1);
  expect(decideOutcome(complete)).toBe('missed');
});

it('repeatInTime stops when its time is used up, and the requirements show that', async () => {
  let remaining = 25;
  const reportedTexts: string[] = [];
  const context = {
    runs: 9,
    hasTimeFor: (seconds: number) => remaining >= seconds,
    signal,
    notify: (line: string) => void reportedTexts.push(line),
  };
  const { made, complete } = await repeatInTime(context, repetition, async (index) => {
    remaining -= 10;
    return index;
  });
  expect(made).toEqual([0, 1]);
  expect(reportedTexts).toEqual(['the time is used up after 2 of 9']);
  expect(complete).toMatchObject({ value: 2, limit: { value: 9 } });
});

it('repeatInTime stops once the signal aborts', async () => {
  const stopping = new AbortController();
  const context = { runs: 3, hasTimeFor: () => true, signal: stopping.signal, notify: () => {} };
  await expect(
    repeatInTime(context, repetition, async () => {
      stopping.abort();
      throw new Error('It was stopped.');
    }),
  ).rejects.toMatchObject({ name: 'AbortError' });
});
