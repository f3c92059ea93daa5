import { expect, it } from 'vitest';
import type { SelfTestProgress } from '#core/measurement/selfTest/report.ts';
import { BEHAVIOURS } from './behaviours/registry.ts';
import { readChecks, wrongFacts } from './testing/options.ts';

/** Every behaviour occurs: the rarest in one response of a hundred. Bodies of 4 MB are always the same, so ten are enough. */
const REQUESTS = 200;
const LARGE_BODIES = 10;

/** Events that must have occurred at least once, beside complete responses. */
const REQUIRED_EVENTS: Readonly<Record<string, string>> = {
  unavailable: 'status 503',
  resets: 'reset or cut off',
  silence: 'timed out',
  shortBody: 'bodies of a different length',
};

// Separate from the tests of times: counts are right or wrong however busy the machine is, so other tests may run in parallel.
it('the self-test counts what the server counts for every behaviour with both engines', async () => {
  const reported: SelfTestProgress[] = [];
  const engines = ['native', 'autocannon'] as const;
  const usual = BEHAVIOURS.map(({ id }) => id).filter((id) => id !== 'freeze' && id !== 'largeBody');
  const checks = [
    ...(await readChecks(usual, { engines, requests: REQUESTS, onProgress: (progress) => reported.push(progress) })),
    ...(await readChecks(['largeBody'], { engines, requests: LARGE_BODIES })),
  ];
  expect(checks).toHaveLength(20);
  expect(checks.map(({ problem }) => problem).filter((problem) => problem !== null)).toEqual([]);
  expect(wrongFacts(checks, 'count')).toEqual([]);
  for (const { id, facts } of checks) {
    expect(facts.length).toBeGreaterThan(9);
    const known = (name: string): number => facts.find((fact) => fact.name === name)?.known ?? 0;
    const planned = id === 'largeBody' ? LARGE_BODIES : REQUESTS;
    // Holdfast repeats a request after a reset connection, unless it was the first request of the connection.
    expect(known('requests sent')).toBeGreaterThanOrEqual(planned);
    expect(known('requests sent')).toBeLessThanOrEqual(planned + (id === 'resets' ? known('reset or cut off') : 0));
    const happened = REQUIRED_EVENTS[id];
    if (happened !== undefined) expect(known(happened), `${id}: ${happened}`).toBeGreaterThan(0);
  }
  expect(reported.map(({ done }) => done)).toEqual(Array.from({ length: 19 }, (_, index) => index));
}, 300_000);
