import { describe, expect, it } from 'vitest';
import { planWith, stages } from '#core/testing/plans.ts';
import type { MonitorResult } from '#core/machines/monitors/result.ts';
import { HAPROXY_CATALOGUE } from '#core/machines/monitors/services/proxies.ts';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import { watchSchema } from '#core/plan/schema/watchPages.ts';
import { idsOf, numberOf, played, findingsBy } from '../testing/found.ts';
import { diagnose } from '../diagnose.ts';
import { facts, generatorThatReads, healthyStep, point, postgresThatReads } from '../testing/facts.ts';

const run = (levels: readonly number[], workers: number) =>
  played(planWith({ load: stages(...levels.map((connections) => ({ connections, seconds: 12 }))) }), { workers, serviceMs: () => 100 });

it('saturatedBelow: says that the lightest level already exceeded the capacity', () => {
  const [finding] = findingsBy('saturatedBelow', run([40, 80, 160], 4));
  expect(finding).toMatchObject({
    level: 'warning',
    range: { fromSecond: 0, toSecond: 36 },
    remedy: expect.stringContaining('from 5 connections upwards'),
  });
  expect(finding?.sentence).toContain('begins below 40');
  expect(finding?.figures).toHaveLength(3);
});

it('saturatedBelow: names a server that processes one request at a time', () => {
  expect(findingsBy('saturatedBelow', run([1, 4, 8], 1))[0]).toMatchObject({
    level: 'info',
    sentence: expect.stringContaining('one request at a time'),
  });
});

it('saturatedBelow: ignores growing throughput, a single level, and levels that differ little', () => {
  expect(findingsBy('saturatedBelow', run([2, 4, 16], 8))).toEqual([]);
  expect(findingsBy('saturatedBelow', run([40], 4))).toEqual([]);
  expect(findingsBy('saturatedBelow', run([40, 60], 4))).toEqual([]);
});

const quantity = (id: string, unit: 'count' | 'bytes' = 'count') => ({ id, words: id, unit, chart: 'Connections' });

function database(open: readonly (number | null)[], changes: Partial<MonitorResult> = {}): MonitorResult {
  return {
    number: 1,
    name: 'database',
    kind: 'postgres',
    role: 'target',
    host: null,
    quantities: [quantity('postgres.connections'), quantity('postgres.active')],
    limits: [{ chart: 'Connections', value: 97, words: 'max_connections without those reserved for superusers' }],
    state: 'ended',
    problem: null,
    errorMs: 1,
    second: open.map((_, second) => second),
    width: open.map(() => 1),
    values: { 'postgres.connections': [...open], 'postgres.active': open.map((value) => (value === null ? null : 1)) },
    ...changes,
  };
}

function found(open: readonly (number | null)[], changes: Partial<MonitorResult> = {}) {
  return diagnose(facts(healthyStep(), { monitors: [database(open, changes)] })).filter(({ id }) => id.startsWith('limitAhead'));
}

const leaking = Array.from({ length: 12 }, (_, second) => 3 + 4 * second + (second % 3 === 0 ? 1 : 0));

describe('limitAhead', () => {
  it('reports the growth rate and the time to the limit', () => {
    const [finding, ...others] = found(leaking);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ id: 'limitAhead.database.Connections', level: 'warning' });
    const [, perMinute, seconds] = /grew by ([\d.]+) a minute .* limit of 97 about ([\d.]+) s later/.exec(finding?.sentence ?? '') ?? [];
    // The count grows by 4 per second. From 47 at the last reading to 97, 50 are left.
    expect(Number(perMinute) / 60).toBeCloseTo(4, 0);
    expect(Number(seconds)).toBeCloseTo(12.5, 0);
    expect(finding?.evidence.join(' ')).toContain('12 readings');
  });

  it('reports a limit that is already reached', () => {
    const [finding] = found(Array.from({ length: 12 }, (_, second) => 42 + 5 * second));
    expect(finding?.sentence).toContain('that is the limit of 97');
  });

  it.each([
    ['a pool that fills up and stays', Array.from({ length: 30 }, (_, second) => Math.min(20, 2 + 5 * second))],
    ['a number that goes up and down', Array.from({ length: 30 }, (_, second) => 20 + 8 * Math.sin(second))],
    ['a constant number', Array.from({ length: 30 }, () => 20)],
    ['growth by one or two', Array.from({ length: 30 }, (_, second) => 20 + second * 0.06)],
    ['too few readings', leaking.slice(0, 9)],
    ['unknown readings', leaking.map(() => null)],
  ])('ignores %s', (_, open) => {
    expect(found(open)).toEqual([]);
  });

  it('ignores counts without a limit, memory, and growing load', () => {
    expect(found(leaking, { limits: [] })).toEqual([]);
    expect(found(leaking, { quantities: [quantity('postgres.connections', 'bytes')] })).toEqual([]);
    const growing = facts(healthyStep(), { monitors: [database(leaking)] });
    const stages = growing.stages.map((stage) => ({ ...stage, level: { ...stage.level, from: 1 } }));
    expect(diagnose({ ...growing, stages }).filter(({ id }) => id.startsWith('limitAhead'))).toEqual([]);
  });
});

const LIMIT = 37;
const SECONDS = 60;

const postgres = (connections: (second: number) => number): MonitorResult => postgresThatReads(SECONDS, { connections }, LIMIT);

function failingFrom(second: number) {
  const windows = Array.from({ length: SECONDS }, (_unused, at) =>
    at < second ? point(at) : point(at, { ok: 20, failed: 80, status: { '200': 20, '500': 80 } }),
  );
  const failed = 80 * (SECONDS - second);
  const requests = { ...emptyRequestOutcomes(), sent: 6_000, ok: 6_000 - failed, httpError: failed };
  return { windows, step: healthyStep({ requests, status: { '200': 6_000 - failed, '500': failed } }) };
}

it('limitReached: relates failures to the second in which the last connection was taken', () => {
  const { windows, step } = failingFrom(17);
  const given = facts(step, { windows, monitors: [postgres((second) => Math.min(LIMIT, 3 + 2 * second))] });
  const [finding] = findingsBy('limitReached', given);
  expect(finding).toMatchObject({ level: 'problem', confidence: 'likely', range: { fromSecond: 17 } });
  expect(finding?.sentence).toContain(
    '“Connections” of PostgreSQL reached its limit: 37 of 37 in second 17, and from then on 80 % of requests failed',
  );
  expect(numberOf(finding, 'Growth until then')).toBeCloseTo(2, 1);
  expect(idsOf(given)).not.toContain('unexpectedStatus.500');
});

it('limitReached: reports no relation if failures began before that second, or if there are none', () => {
  const full = postgres((second) => Math.min(LIMIT, 3 + 2 * second));
  expect(findingsBy('limitReached', facts(healthyStep(), { monitors: [full] }))[0]).toMatchObject({
    level: 'warning',
    sentence: expect.stringContaining('No more requests failed than before'),
  });
  const { windows, step } = failingFrom(2);
  expect(findingsBy('limitReached', facts(step, { windows, monitors: [full] }))[0]?.level).toBe('warning');
});

it('limitReached: leaves steady growth and full pools to other rules', () => {
  expect(idsOf(facts(healthyStep(), { monitors: [postgres((second) => 5 + second / 4)] }))).toEqual(['limitAhead.PostgreSQL.Connections']);
  expect(findingsBy('limitReached', facts(healthyStep(), { monitors: [postgres((second) => Math.min(20, 2 * second))] }))).toEqual([]);
});

it('limitReached: replaces the warning that a limit is ahead', () => {
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
])('limitReached: compares a limit of %i with %i in use: %s', (limit, held, isReached) => {
  const given = facts();
  const watch = [watchSchema.parse({ name: 'held', url: 'http://127.0.0.1:9/', limit })];
  const generators = [generatorThatReads(Array.from({ length: 20 }, () => ({ held })))];
  expect(findingsBy('limitReached', { ...given, plan: { ...given.plan, watch }, generators })).toHaveLength(isReached ? 1 : 0);
});

it('limitReached: reports several limits of a service, and each server behind a proxy, separately', () => {
  const second = Array.from({ length: SECONDS }, (_unused, index) => index);
  const haproxy: MonitorResult = {
    ...postgres(() => 0),
    name: 'proxy',
    kind: 'haproxy',
    quantities: [...HAPROXY_CATALOGUE.quantities],
    limits: [
      { chart: 'Queue', value: 50, words: 'maxqueue of web/a', instance: 'web/a' },
      { chart: 'Sessions', value: 1_000, words: 'maxconn of web (in)', instance: 'web (in)' },
      { chart: 'Sessions', value: 20, words: 'maxconn of web/a', instance: 'web/a' },
      { chart: 'Sessions', value: 20, words: 'maxconn of web/b', instance: 'web/b' },
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
  expect(findingsBy('limitReached', facts(healthyStep(), { monitors: [haproxy] }))[0]?.sentence).toContain(
    '“Queue” of web/a at proxy reached its limit of 50 in second 25',
  );
});

it('limitReached: includes watched numbers, whose growth has its own rule', () => {
  const watch = [watchSchema.parse({ name: 'held', url: 'http://127.0.0.1:9/', limit: LIMIT })];
  const watching = (held: (second: number) => number, given = facts()) => ({
    ...given,
    plan: { ...given.plan, watch },
    generators: [generatorThatReads(Array.from({ length: SECONDS }, (_unused, second) => ({ held: held(second) })))],
  });
  expect(idsOf(watching((second) => 5 + second / 4))).toEqual(['watchedGrowth.held']);
  const { windows, step } = failingFrom(17);
  const full = watching((second) => Math.min(LIMIT, 3 + 2 * second), facts(step, { windows }));
  expect(findingsBy('limitReached', full)[0]).toMatchObject({ id: 'limitReached.held', level: 'problem' });
  expect(idsOf(full).filter((id) => id.startsWith('watchedGrowth'))).toEqual([]);
});
