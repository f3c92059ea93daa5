import { expect, it } from 'vitest';
import { arrivals, planWith } from '#core/testing/plans.ts';
import { idsOf, numberOf, played, findingsBy } from '../testing/found.ts';

const PER_SECOND = 60;
const SLOTS = 245;
const KEEP_SECONDS = 10;

const run = (reuse: 'journey' | 'always', seconds: number, refuses: (n: number, second: number) => number | null) =>
  played(
    planWith({ connections: { reuse }, load: arrivals([{ kind: 'constant', perSecond: PER_SECOND, seconds }]) }),
    reuse === 'journey'
      ? { workers: Infinity, serviceMs: () => 4, refuses, connectMs: () => 0.3 }
      : { workers: Infinity, serviceMs: () => 4, refuses },
  );

/** Returns a proxy with slots, each of which a connection holds until its keep-alive time ends. */
function slots(): (n: number, second: number) => number | null {
  const held: number[] = [];
  return (_n, second) => {
    while (held[0] !== undefined && held[0] <= second) held.shift();
    if (held.length >= SLOTS) return 500;
    held.push(second + KEEP_SECONDS);
    return null;
  };
}

it('proxySlots: finds the slots and their holding time from waves of successes', () => {
  const given = run('journey', 40, slots());
  const [finding] = findingsBy('proxySlots', given);
  expect(finding).toMatchObject({ level: 'problem', confidence: 'likely' });
  expect(numberOf(finding, 'Successful responses before the first refusal')).toBe(SLOTS);
  expect(finding?.evidence[1]).toMatch(/^245 slots \/ 24\.\d\/s = (?:9\.9\d?|10(?:\.[01])?) s/);
  expect(idsOf(given)).not.toContain('unexpectedStatus.500');
});

it('proxySlots: does not estimate the holding time if no slot became free', () => {
  const [finding] = findingsBy('proxySlots', run('journey', 8, slots()));
  expect(finding?.evidence[1]).toContain('is unknown');
});

it('proxySlots: ignores a constant share of failures from the first second on', () => {
  expect(
    findingsBy(
      'proxySlots',
      run('journey', 20, (n) => (n % 5 < 3 ? 500 : null)),
    ),
  ).toEqual([]);
});

it('proxySlots: ignores few connections, and a server that fails occasionally', () => {
  const leaking = (n: number): number | null => (n >= 60 ? 500 : null);
  expect(findingsBy('proxySlots', run('always', 20, leaking))).toEqual([]);
  expect(
    findingsBy(
      'proxySlots',
      run('journey', 20, (n) => (n % 100 === 99 ? 500 : null)),
    ),
  ).toEqual([]);
});
