import { expect, it } from 'vitest';
import type { WaitResult } from '#core/result/waits.ts';
import type { MeasuredRun } from '../rule.ts';
import { diagnose } from '../diagnose.ts';
import { facts, healthyStep } from '../testing/facts.ts';

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

it('tells how fast a queue was worked off', () => {
  const [finding] = found();
  expect(finding).toMatchObject({ id: 'backlog.evaluation', level: 'info', confidence: 'certain' });
  expect(finding?.sentence).toBe('All 200 results of “evaluation” came by second 16, 13.3/s while there was work.');
  expect(finding?.evidence[0]).toContain('174 were pending');
  expect(found({ begun: 3, came: 3 })).toEqual([]);
});

it('warns when some never came', () => {
  const [finding] = found({ came: 150, clearedAtSecond: null, overdue: 20 });
  expect(finding).toMatchObject({ level: 'warning' });
  expect(finding?.sentence).toContain('50 of 200 results');
});

it('does not warn of results that were asked for so shortly before the end that they could not have come', () => {
  const [finding] = found({ came: 190, clearedAtSecond: null });
  expect(finding).toMatchObject({ level: 'info' });
  expect(finding?.evidence.at(-1)).toContain('too shortly before the end to arrive');
  expect(found({ came: 190, clearedAtSecond: null, overdue: null })[0]?.level).toBe('warning');
});

it('does not say that workers who kept up are behind with more than they were asked for', () => {
  const expected = { step: 'evaluation', count: 30_000, overSeconds: 18_000, rush: { count: 15_000, overSeconds: 900 } };
  const [finding] = found({ keptUp: true }, expected);
  expect(finding).toMatchObject({ level: 'info' });
  expect(finding?.sentence).toBe(
    'All 200 results of “evaluation” came by second 16, 13.3/s, as fast as they were requested. More than that is expected; whether it can be done was not measured.',
  );
  expect(finding?.remedy).toContain('at least as many a second as are expected');
  expect(found({ keptUp: true }, { ...expected, rush: undefined, count: 3_000 })[0]?.sentence).toContain('never lags behind');
});

it('says how far behind the real thing will be', () => {
  const expected = { step: 'evaluation', count: 30_000, overSeconds: 18_000, rush: { count: 15_000, overSeconds: 900 } };
  const [finding] = found({}, expected);
  expect(finding).toMatchObject({ level: 'problem' });
  // 15,000 in 900 s less 13.3 a second are 3,030, which take 228 s.
  expect(finding?.sentence).toContain('3,030 will be pending');
  expect(finding?.sentence).toContain('3 min 48 s behind');
  expect(found({}, { step: 'evaluation', count: 3_000, overSeconds: 18_000 })[0]?.sentence).toContain('never lags behind');
  expect(found({}, { ...expected, step: 'another' })[0]?.level).toBe('info');
});
