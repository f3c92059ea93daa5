import { expect, it } from 'vitest';
import type { SelfTestProgress } from '#core/measurement/selfTest/report.ts';
import { BEHAVIOURS } from './behaviours/registry.ts';
import { readChecks, wrongFacts } from './testing/options.ts';

/**
 * Number of requests, chosen so that every behaviour occurs: the rarest occurs in one response of a hundred. Ten bodies of 4 MB are enough,
 * because they are always the same.
 */
const REQUESTS = 200;
const LARGE_BODIES = 10;

/** Events that must occur at least once, in addition to complete responses. */
const REQUIRED_EVENTS: Readonly<Record<string, string>> = {
  unavailable: 'status 503',
  resets: 'reset or cut off',
  silence: 'timed out',
  shortBody: 'bodies of a different length',
};

// These tests are separate from the tests of times, because counts are right or wrong however busy the machine is. Other tests may
// therefore run in parallel.
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
    // Holdfast repeats a request after a connection reset, unless the request was the first one on its connection.
    expect(known('requests sent')).toBeGreaterThanOrEqual(planned);
    expect(known('requests sent')).toBeLessThanOrEqual(planned + (id === 'resets' ? known('reset or cut off') : 0));
    const happened = REQUIRED_EVENTS[id];
    if (happened !== undefined) expect(known(happened), `${id}: ${happened}`).toBeGreaterThan(0);
  }
  expect(reported.map(({ done }) => done)).toEqual(Array.from({ length: 19 }, (_, index) => index));
}, 300_000);
