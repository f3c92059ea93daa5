import { expect, it } from 'vitest';
import { HAPROXY_CATALOGUE } from '#core/machines/monitors/services/haproxy.ts';
import type { MonitorResult } from '#core/machines/monitors/result.ts';
import { emptyRequestLedger } from '#core/measurement/ledger.ts';
import { watchSchema } from '#core/plan/schema/watch.ts';
import { facts, generatorThatReads, healthyStep, point, postgresThatReads } from '../testing/facts.ts';
import { idsOf, numberOf, saidBy } from '../testing/found.ts';

const LIMIT = 37;
const SECONDS = 60;

const postgres = (connections: (second: number) => number): MonitorResult => postgresThatReads(SECONDS, { connections }, LIMIT);

function failingFrom(second: number) {
  const windows = Array.from({ length: SECONDS }, (_unused, at) =>
    at < second ? point(at) : point(at, { ok: 20, failed: 80, status: { '200': 20, '500': 80 } }),
  );
  const failed = 80 * (SECONDS - second);
  const requests = { ...emptyRequestLedger(), sent: 6_000, ok: 6_000 - failed, httpError: failed };
  return { windows, step: healthyStep({ requests, status: { '200': 6_000 - failed, '500': failed } }) };
}

it('ties failures to the second in which the last connection was taken, and tells how fast they went', () => {
  const { windows, step } = failingFrom(17);
  const given = facts(step, { windows, monitors: [postgres((second) => Math.min(LIMIT, 3 + 2 * second))] });
  const [finding] = saidBy('limitReached', given);
  expect(finding).toMatchObject({ level: 'problem', confidence: 'likely', range: { fromSecond: 17 } });
  expect(finding?.sentence).toContain(
    '“Connections” of PostgreSQL reached its limit: 37 of 37 in second 17, and from then on 80 % of the requests failed',
  );
  expect(numberOf(finding, 'Growth until then')).toBeCloseTo(2, 1);
  expect(idsOf(given)).not.toContain('unexpectedStatus.500');
});

it('does not blame a full pool for failures that were there before, or for none', () => {
  const full = postgres((second) => Math.min(LIMIT, 3 + 2 * second));
  expect(saidBy('limitReached', facts(healthyStep(), { monitors: [full] }))[0]).toMatchObject({
    level: 'warning',
    sentence: expect.stringContaining('No more requests failed for it than before'),
  });
  const { windows, step } = failingFrom(2);
  expect(saidBy('limitReached', facts(step, { windows, monitors: [full] }))[0]?.level).toBe('warning');
});

it('leaves what only grows, and pools that have their size, to other rules', () => {
  expect(idsOf(facts(healthyStep(), { monitors: [postgres((second) => 5 + second / 4)] }))).toEqual(['limitAhead.PostgreSQL.Connections']);
  expect(saidBy('limitReached', facts(healthyStep(), { monitors: [postgres((second) => Math.min(20, 2 * second))] }))).toEqual([]);
});

it('does not stand beside the warning that the limit lies ahead', () => {
  const { windows, step } = failingFrom(58);
  const monitors = [postgres((second) => Math.min(LIMIT, 8 + second / 2))];
  expect(idsOf(facts(step, { windows, monitors })).filter((id) => id.startsWith('limit'))).toEqual(['limitReached.PostgreSQL.Connections']);
  expect(idsOf(facts(healthyStep(), { monitors })).filter((id) => id.startsWith('limit'))).toEqual(['limitAhead.PostgreSQL.Connections']);
});

it.each([
  [1, 0, false],
  [1, 1, true],
  [2, 1, false],
  [2, 2, true],
  [9, 8, false],
  [10, 8, false],
  [10, 9, true],
  [100, 96, false],
  [100, 97, true],
])('takes a limit of %i for reached at %i: %s', (limit, held, isReached) => {
  const given = facts();
  const watch = [watchSchema.parse({ name: 'held', url: 'http://127.0.0.1:9/', limit })];
  const generators = [generatorThatReads(Array.from({ length: 20 }, () => ({ held })))];
  expect(saidBy('limitReached', { ...given, plan: { ...given.plan, watch }, generators })).toHaveLength(isReached ? 1 : 0);
});

it('tells the limits of one service apart, and of the servers behind a proxy each its own', () => {
  const second = Array.from({ length: SECONDS }, (_unused, index) => index);
  const haproxy: MonitorResult = {
    ...postgres(() => 0),
    name: 'proxy',
    kind: 'haproxy',
    quantities: [...HAPROXY_CATALOGUE.quantities],
    limits: [
      { chart: 'Queue', value: 50, words: 'maxqueue of web/a' },
      { chart: 'Sessions', value: 1_000, words: 'maxconn of web (in)' },
      { chart: 'Sessions', value: 20, words: 'maxconn of web/a' },
      { chart: 'Sessions', value: 20, words: 'maxconn of web/b' },
    ],
    values: {
      'haproxy.queue:web/a': second.map((at) => Math.min(50, 2 * at)),
      'haproxy.sessions:web (in)': second.map((at) => 20 + at),
      'haproxy.sessions:web/a': second.map((at) => Math.min(20, at)),
      'haproxy.sessions:web/b': second.map(() => 3),
    },
  };
  const { windows, step } = failingFrom(20);
  const found = idsOf(facts(step, { windows, monitors: [haproxy] })).filter((id) => id.startsWith('limit'));
  expect(found.toSorted()).toEqual([
    'limitAhead.proxy.Sessions.web (in)',
    'limitReached.proxy.Queue.web/a',
    'limitReached.proxy.Sessions.web/a',
  ]);
  expect(saidBy('limitReached', facts(healthyStep(), { monitors: [haproxy] }))[0]?.sentence).toContain(
    '“Queue” of web/a at proxy reached its limit of 50 in second 25',
  );
});

it('takes the numbers that a plan watches likewise, and leaves their growth to the rule about it', () => {
  const watch = [watchSchema.parse({ name: 'held', url: 'http://127.0.0.1:9/', limit: LIMIT })];
  const watching = (held: (second: number) => number, given = facts()) => ({
    ...given,
    plan: { ...given.plan, watch },
    generators: [generatorThatReads(Array.from({ length: SECONDS }, (_unused, second) => ({ held: held(second) })))],
  });
  expect(idsOf(watching((second) => 5 + second / 4))).toEqual(['watchedGrowth.held']);
  const { windows, step } = failingFrom(17);
  const full = watching((second) => Math.min(LIMIT, 3 + 2 * second), facts(step, { windows }));
  expect(saidBy('limitReached', full)[0]).toMatchObject({ id: 'limitReached.held', level: 'problem' });
  expect(idsOf(full).filter((id) => id.startsWith('watchedGrowth'))).toEqual([]);
});
