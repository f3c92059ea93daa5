import { describe, expect, it } from 'vitest';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import type { Point } from '#core/result/schema.ts';
import type { WaitResult } from '#core/result/waits.ts';
import type { MeasuredRun } from '../rule.ts';
import { diagnose } from '../diagnose.ts';
import { facts, generatorThatReads, healthyStep, point } from '../testing/facts.ts';
import { findingsBy } from '../testing/found.ts';

const times = { ...healthyStep().latency.service, count: 200, p50: 8_000, p95: 14_000, max: 15_000 };
const wait: WaitResult = {
  step: 'evaluation',
  begun: 200,
  came: 200,
  times,
  perSecond: 13.3,
  keptUp: false,
  most: 174,
  mostAtSecond: 2,
  clearedAtSecond: 16,
  overdue: 0,
};

function found(changes: Partial<WaitResult> = {}, results?: NonNullable<NonNullable<MeasuredRun['plan']['demand']>['results']>) {
  const given = facts(healthyStep(), { waits: [{ ...wait, ...changes }] });
  return diagnose(results === undefined ? given : { ...given, plan: { ...given.plan, demand: { results } } });
}

it('backlog: reports how fast a queue was worked off', () => {
  const [finding] = found();
  expect(finding).toMatchObject({ id: 'backlog.evaluation', level: 'info', confidence: 'certain' });
  expect(finding?.sentence).toBe('All 200 results of “evaluation” came by second 16, 13.3/s while there was work.');
  expect(finding?.evidence[0]).toContain('174 were pending');
  expect(found({ begun: 3, came: 3 })).toEqual([]);
});

it('backlog: warns if some results never arrived', () => {
  const [finding] = found({ came: 150, clearedAtSecond: null, overdue: 20 });
  expect(finding).toMatchObject({ level: 'warning' });
  expect(finding?.sentence).toContain('50 of 200 results');
});

it('backlog: ignores results requested so late that they could not arrive', () => {
  const [finding] = found({ came: 190, clearedAtSecond: null });
  expect(finding).toMatchObject({ level: 'info' });
  expect(finding?.evidence.at(-1)).toContain('too shortly before the end to arrive');
  expect(found({ came: 190, clearedAtSecond: null, overdue: null })[0]?.level).toBe('warning');
});

it('backlog: does not say that workers who kept up lag behind', () => {
  const expected = { step: 'evaluation', count: 30_000, overSeconds: 18_000, rush: { count: 15_000, overSeconds: 900 } };
  const [finding] = found({ keptUp: true }, expected);
  expect(finding).toMatchObject({ level: 'info' });
  expect(finding?.sentence).toBe(
    'All 200 results of “evaluation” came by second 16, 13.3/s, as fast as they were requested. More than that is expected; whether it can be done was not measured.',
  );
  expect(finding?.remedy).toContain('at least as many a second as are expected');
  expect(found({ keptUp: true }, { ...expected, rush: undefined, count: 3_000 })[0]?.sentence).toContain('never lags behind');
});

it('backlog: forecasts the lag of the expected work', () => {
  const expected = { step: 'evaluation', count: 30_000, overSeconds: 18_000, rush: { count: 15_000, overSeconds: 900 } };
  const [finding] = found({}, expected);
  expect(finding).toMatchObject({ level: 'problem' });
  // The 15,000 jobs in 900 s, minus 13.3 per second, leave 3,030, which take 228 s.
  expect(finding?.sentence).toContain('3,030 will be pending');
  expect(finding?.sentence).toContain('3 min 48 s behind');
  expect(found({}, { step: 'evaluation', count: 3_000, overSeconds: 18_000 })[0]?.sentence).toContain('never lags behind');
  expect(found({}, { ...expected, step: 'another' })[0]?.level).toBe('info');
});

it('backlog: reports queues of at least ten results, with the expected work', () => {
  expect(found({ begun: 10, came: 10 })).toHaveLength(1);
  expect(found({ begun: 9, came: 9 })).toEqual([]);
  const [finding] = found();
  expect(finding?.evidence).toEqual([
    'At most 174 were pending at once, at second 2.',
    '50 % of results came within 8 s, 95 % within 14 s, the slowest within 15 s.',
  ]);
  expect(found({ mostAtSecond: null })[0]?.evidence[0]).toBe('At most 174 were pending at once.');
  expect(found({ came: 190, clearedAtSecond: null })[0]).toMatchObject({ confidence: 'likely' });
  expect(found({ came: 190, clearedAtSecond: null, overdue: 10 })[0]?.evidence).toHaveLength(2);
  expect(found({ came: 190, clearedAtSecond: null, overdue: 10 })[0]?.remedy).toContain('until all results can arrive');
  const expected = { step: 'evaluation', count: 3_000, overSeconds: 18_000 };
  expect(found({}, expected)[0]?.evidence[2]).toBe('Expected: 3,000 in 5 h, which needs 1.25 % of this rate.');
  expect(found({}, { ...expected, rush: { count: 1_000, overSeconds: 900 } })[0]?.evidence[2]).toBe(
    'Expected: 3,000 in 5 h, which needs 0.879 % of this rate; 1,000 of them in the last 15 min, which needs 8.35 %.',
  );
  expect(found({ perSecond: null }, expected)[0]?.evidence).toHaveLength(2);
});

it.each([
  // At eight per second, 1,025 jobs in 128 s leave one, and 1,024 leave none.
  [1_025, 'problem', '1 will be pending'],
  [1_024, 'info', 'never lags behind'],
])('backlog: reports a lag if at least one result is pending: %d', (count, level, words) => {
  const [finding] = found({ perSecond: 8 }, { step: 'evaluation', count, overSeconds: 128 });
  expect(finding).toMatchObject({ level, sentence: expect.stringContaining(words) });
});

describe('generatorLimited', () => {
  const limited = (...overloadedBy: Partial<Point>[]) =>
    findingsBy('generatorLimited', facts(healthyStep(), { windows: overloadedBy.map((one, second) => point(second, one)) }));

  it('is certain if ports or files ran out, for a part of the run or all of it', () => {
    expect(limited({ overloadedBy: ['noPort'] }, {}, {}, {})).toMatchObject([{ confidence: 'certain', evidence: ['25 % of the run'] }]);
    expect(limited({ overloadedBy: ['noFile'] })).toMatchObject([{ confidence: 'certain', evidence: ['the whole run'] }]);
    expect(limited({ overloadedBy: ['threadCpu'] })).toMatchObject([{ confidence: 'likely' }]);
    expect(limited({ overloadedBy: ['noPort', 'noFile'] })).toMatchObject([{ confidence: 'certain' }]);
    expect(limited({ overloadedBy: ['noPort', 'steal'] })).toMatchObject([{ confidence: 'likely' }]);
    expect(limited({ overloadedBy: ['standstill'] })).toEqual([]);
  });

  it('leaves ports and files that requests lacked to their own finding, and keeps the other causes', () => {
    const windows = [point(0, { overloadedBy: ['noPort', 'noFile', 'steal'] })];
    const lacking = (lack: Partial<ReturnType<typeof emptyRequestOutcomes>>) =>
      findingsBy(
        'generatorLimited',
        facts(healthyStep({ requests: { ...emptyRequestOutcomes(), sent: 6_010, ok: 6_000, ...lack } }), { windows }),
      )[0]?.causes?.map(({ cause }) => cause);
    expect(lacking({})).toEqual(['noPort', 'noFile', 'steal']);
    expect(lacking({ noPort: 10 })).toEqual(['noFile', 'steal']);
    expect(lacking({ noPort: 1, noFile: 1 })).toEqual(['steal']);
    expect(lacking({ ok: 0, noPort: 10 })).toEqual(['noPort', 'noFile', 'steal']);
  });

  it('names the load generator if there are several', () => {
    const generators = ['near', 'far'].map((name) => ({ ...generatorThatReads([]), name }));
    const windows = [point(0, { overloadedBy: ['steal'] })];
    expect(findingsBy('generatorLimited', facts(healthyStep(), { windows, generators }))[0]).toMatchObject({
      sentence: expect.stringContaining(', on near and far'),
      causes: [{ cause: 'steal', seconds: 1, generators: ['near', 'far'] }],
    });
    expect(findingsBy('generatorLimited', facts(healthyStep(), { windows, generators: generators.slice(1) }))[0]?.sentence).not.toContain(
      ', on ',
    );
  });
});

describe('ownTimeout and notMade', () => {
  const none = emptyRequestOutcomes();
  const of = (rule: string, requests: Partial<typeof none>) =>
    findingsBy(rule, facts(healthyStep({ requests: { ...none, ...requests } })))[0];

  it('report time-outs of 0.1 % or more beside responses', () => {
    const finding = of('ownTimeout', { sent: 6_000, ok: 5_994, timeout: 6 });
    expect(finding?.sentence).toBe('6 of 6,000 requests (0.1 %) timed out after 2 min.');
    expect(finding?.evidence).toHaveLength(1);
    expect(finding?.figures?.map(({ value }) => value)).toEqual(['6', '24 ms', '24 ms']);
    expect(of('ownTimeout', { sent: 6_001, ok: 5_995, timeout: 6 })).toBeUndefined();
    expect(of('ownTimeout', { sent: 6, timeout: 6 })).toBeUndefined();
    expect(of('ownTimeout', {})).toBeUndefined();
  });

  it('report requests that lack a value beside responses', () => {
    expect(of('notMade', { notMade: 3 })).toBeUndefined();
    expect(of('notMade', { sent: 1, ok: 1, notMade: 3 })?.remedy).toContain('Some earlier responses differed');
    const given = facts(healthyStep({ requests: { ...none, notMade: 3 } }));
    const outcomes = { ...given.outcomes, requests: { ...none, ok: 1, sent: 1 } };
    expect(findingsBy('notMade', { ...given, outcomes })[0]?.remedy).toContain('An earlier response sets a cookie');
  });
});
