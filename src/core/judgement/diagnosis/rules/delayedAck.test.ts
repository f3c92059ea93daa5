import { expect, it } from 'vitest';
import { arrivals, planWith } from '#core/testing/plans.ts';
import { idsOf, played, findingsBy } from '../testing/found.ts';

const plan = planWith({ load: arrivals([{ kind: 'constant', perSecond: 30, seconds: 30 }]) });
const run = (waitMs: number, part = 2) =>
  played(plan, { workers: Infinity, serviceMs: (random, n) => 1.5 + random() + (n % part === 0 ? waitMs + 2 * random() : 0) });

it('delayedAck: reports responses that take 40 ms longer than others, with none in between', () => {
  const given = run(40);
  const [finding] = findingsBy('delayedAck', given);
  expect(finding?.sentence).toMatch(
    /^50 % of responses to “.*” took about 40 ms longer than the others \(4\d(\.\d)? ms, the others (1|2)\.\d+ ms\)/,
  );
  expect(finding?.remedy).toContain('TCP_NODELAY');
  expect(idsOf(given).filter((id) => id.startsWith('groups'))).toEqual([]);
});

it.each([25, 60, 200])('delayedAck: ignores a difference of %d ms', (waitMs) => {
  const given = run(waitMs);
  expect(findingsBy('delayedAck', given)).toEqual([]);
  expect(idsOf(given).some((id) => id.startsWith('groups'))).toBe(true);
});
