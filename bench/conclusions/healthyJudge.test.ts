import { expect, it } from 'vitest';
import { diagnose } from '#core/judgement/diagnosis/diagnose.ts';
import { collectFacts, randomFrom, buildRunResult, simulate } from '#core/testing/queueRun.ts';
import { arrivals, planWith } from '#core/testing/plans.ts';
import { decideOutcome } from '../figures/requirement.ts';
import { healthyRequirements, makeHealthyRun, healthySections, type HealthyRun } from './healthyJudge.ts';

const KINDS = [{ id: 'some', title: 'some servers' }];
const criteria = [{ kind: 'errors' as const, maxShare: 0.05 }];

function makeRun(place: number, workers: number) {
  const plan = planWith({ load: arrivals([{ kind: 'constant', perSecond: 40, seconds: 20 }]), criteria });
  const run = simulate(plan, { workers, serviceMs: () => 50 }, randomFrom(1));
  const result = buildRunResult(plan, run);
  return { run: makeHealthyRun(place, 'some', result, 0.004), findings: diagnose(collectFacts(plan, run)) };
}

it('warnings and problems count as false alarms with their evidence, but infos do not', () => {
  const fine = makeRun(1, 10);
  const queue = makeRun(2, 1);
  expect(fine.run.alarms).toEqual([]);
  expect(queue.run.alarms.map(({ id }) => id)).toEqual(queue.findings.filter(({ level }) => level !== 'info').map(({ id }) => id));
  expect(queue.run.alarms.length).toBeGreaterThan(0);
  const [table, alarms] = healthySections([fine.run, queue.run], KINDS);
  expect(table?.rows[0]?.slice(0, 4)).toEqual(['some servers', '2', '1600', '1']);
  expect(alarms?.title).toBe('Alarms');
  expect(alarms?.rows[0]?.[4]).toContain(queue.run.alarms[0]?.evidence[0]);
});

it('the campaign requires that hardly any run against a healthy server has an alarm or a verdict other than “passed”', () => {
  const [{ run: fine }, { run: queue }] = [makeRun(1, 10), makeRun(2, 1)];
  const times = (count: number, run: HealthyRun): HealthyRun[] => Array.from({ length: count }, () => run);
  expect(healthyRequirements([...times(98, fine), ...times(2, queue)]).map(decideOutcome)).toEqual(['met', 'met', 'met']);
  const breaking = { ...queue, outcome: 'failed' as const };
  expect(healthyRequirements([...times(97, fine), ...times(2, queue), breaking]).map(({ value }) => value)).toEqual([3, 1, 0]);
  expect(healthyRequirements([]).map(decideOutcome)).toEqual(['unknown', 'unknown', 'unknown']);
});

it('the campaign accepts the warning that this computer was busy if its hypervisor stole time', () => {
  const { run } = makeRun(1, 10);
  const busyHealthyRun: HealthyRun = {
    ...run,
    outcome: 'inconclusive',
    ownAlarms: [{ id: 'generatorLimited', level: 'warning', sentence: '', evidence: [], remedy: '', confidence: 'likely', range: null }],
  };
  const values = (stolenShare: number | null, outcome = busyHealthyRun.outcome, ownAlarms = busyHealthyRun.ownAlarms) =>
    healthyRequirements([{ ...busyHealthyRun, stolenShare, outcome, ownAlarms }]).map(({ value }) => value);
  expect(values(0.2)).toEqual([0, 0, 0]);
  expect(values(0.2, 'failed'), 'nothing excuses that').toEqual([0, 100, 0]);
  expect(values(0)).toEqual([0, 100, 100]);
  expect(values(null)).toEqual([0, 100, 100]);
  const stolen = busyHealthyRun.ownAlarms.map((finding) => ({ ...finding, causes: [{ cause: 'steal' as const, seconds: 1 }] }));
  expect(values(0.009, 'inconclusive', stolen), 'of one second').toEqual([0, 0, 0]);
});
