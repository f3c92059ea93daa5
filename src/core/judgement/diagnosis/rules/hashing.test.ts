import { expect, it } from 'vitest';
import { MACHINE_CATALOGUE } from '#core/machines/monitors/machine/catalogue.ts';
import { planWith } from '#core/testing/plans.ts';
import { CALM, facts, healthyStep, point } from '../testing/facts.ts';
import { idsOf, findingsBy } from '../testing/found.ts';
import type { MeasuredRun } from '../rule.ts';

const latencyTimes = (count: number, min: number, p50: number) => ({ ...CALM, count, min, p50, p95: 2 * p50, p99: 2 * p50, max: 2 * p50 });

/** Returns a run with `logins` of 18 ms of processor time each. In the first seconds, responses took up to 2.4 s. */
function run({ logins = 300, slowSeconds = 6, cores = 1, min = 18, p50 = 1_200 } = {}): MeasuredRun {
  const stepOf = (name: string, times: typeof CALM) =>
    healthyStep({ name, latency: { service: times, response: times, errorAdjusted: times } });
  const login = stepOf('login', latencyTimes(logins, min, p50));
  const page = stepOf('page', latencyTimes(logins, 3, 900));
  const windows = Array.from({ length: 20 }, (_, second) =>
    point(second, second < slowSeconds ? { p50: 1_000, max: 2_400 } : { p50: 4, max: 9 }),
  );
  return {
    ...facts(login, {
      plan: planWith({
        journey: [
          { name: 'login', method: 'POST', path: 'login', form: { username: 'u', password: 'p' } },
          { name: 'page', path: 'page' },
        ],
      }),
      windows,
      monitors: [
        {
          number: 1,
          name: 'web1',
          kind: 'machine',
          role: 'target',
          host: null,
          state: 'ended',
          problem: null,
          errorMs: 1,
          quantities: [...MACHINE_CATALOGUE.quantities],
          limits: [],
          second: [0, 1],
          width: [1, 1],
          values: { 'process.cpu:python3': [cores, cores / 2] },
        },
      ],
    }),
    steps: [login, page],
  };
}

it('hashing: names logins whose own work fills the slow seconds, and the process at its limit', () => {
  const [finding] = findingsBy('hashing', run());
  expect(finding?.sentence).toBe(
    '300 logins took the server 5.4 s of work in the 6 s in which responses were slow: half of the logins waited 1.2 s for 18 ms of work. Hashing passwords is probably the limit, and other pages wait with them.',
  );
  expect(finding).toMatchObject({ level: 'warning', confidence: 'likely' });
  expect(finding?.evidence.at(-1)).toBe('python3 used 100 % of one core.');
  expect(idsOf(run()).filter((id) => id.startsWith('warmingUp'))).toEqual([]);
});

it('hashing: has the confidence “possible” without a monitor that shows a process at its limit', () => {
  expect(findingsBy('hashing', run({ cores: 0.4 }))[0]?.confidence).toBe('possible');
});

it('hashing: accepts a smaller share if logins are most of the work of all steps', () => {
  expect(findingsBy('hashing', run({ slowSeconds: 14 }))).toHaveLength(1);
});

it.each([
  ['the logins do not fill the slow seconds', { slowSeconds: 20 }],
  ['logins do not wait', { p50: 20 }],
  ['a login needs no processor time', { min: 2, logins: 3_000 }],
])('hashing: is absent if %s', (_name, changes) => {
  expect(findingsBy('hashing', run(changes))).toEqual([]);
});
