import { describe, expect, it } from 'vitest';
import { startUpStage } from '#core/work/load/stages.ts';
import { createHistogram, record } from '#core/statistics/histogram.ts';
import type { Window } from '#core/measurement/window.ts';
import { arrivals, planWith, users } from '#core/testing/plans.ts';
import { repeatedWindows, windowWith } from '#core/testing/windows.ts';
import { endBySeconds } from '#core/judgement/verdict/testing/judged.ts';
import { formatAb } from './formats/otherTools.ts';
import { buildResult } from '#core/judgement/buildResult.ts';
import { formatCsv } from './formats/csvFormat.ts';
import { resultSchema, type RunResult } from '#core/result/schema.ts';
import { runHead } from '#core/result/testing/runHead.ts';
import { formatText } from './text/textReport.ts';
import { statusOfRun } from '#core/result/countsOfRun.ts';

function buildRunResult(plan: ReturnType<typeof planWith>, windows: readonly Window[]): RunResult {
  const result = buildResult({ head: runHead, plan, windows, end: endBySeconds(plan), generators: [], events: [] });
  expect(resultSchema.parse(JSON.parse(JSON.stringify(result)))).toEqual(JSON.parse(JSON.stringify(result)));
  expect(result.balances).toBe(true);
  return result;
}

/**
 * A plan of ten seconds at 50 arrivals per second that all start, a pause, and ten seconds at 100 arrivals. Of these, 10 % exceed the cap,
 * and 1 % find no thread.
 */
const open = planWith({
  load: arrivals([
    { name: 'calm', kind: 'constant', perSecond: 50, seconds: 10 },
    { name: 'rest', kind: 'pause', seconds: 5 },
    { name: 'rush', kind: 'constant', perSecond: 100, seconds: 10 },
  ]),
});
const openWindows = [
  ...repeatedWindows(10, { ok: [{ count: 50, ms: 20, lateMs: 5 }] }),
  ...repeatedWindows(5, { second: 10, stage: 1 }),
  ...repeatedWindows(10, { second: 15, stage: 2, ok: [{ count: 89, ms: 20, lateMs: 5 }], notStarted: { target: 10, generator: 1 } }),
];

describe('the result of arrivals', () => {
  const result = buildRunResult(open, openWindows);

  it('states for each stage what was planned, what began, and why the rest did not', () => {
    expect(result.stages.map(({ journeys }) => journeys)).toEqual([
      {
        planned: 500,
        started: 500,
        notStartedTarget: 0,
        notStartedGenerator: 0,
        plannedPerSecond: 50,
        startedPerSecond: 50,
        offeredShare: 1,
      },
      { planned: 0, started: 0, notStartedTarget: 0, notStartedGenerator: 0, plannedPerSecond: 0, startedPerSecond: 0, offeredShare: null },
      {
        planned: 1_000,
        started: 890,
        notStartedTarget: 100,
        notStartedGenerator: 10,
        plannedPerSecond: 100,
        startedPerSecond: 89,
        offeredShare: 0.89,
      },
    ]);
    expect(result.outcomes.journeys).toMatchObject({
      planned: 1_500,
      started: 1_390,
      notStarted: { target: 100, generator: 10, stopped: 0 },
    });
  });

  it('has response times, service times and the schedule lag', () => {
    expect([result.latency.service.p50, result.latency.response.p50, result.phases.scheduleLag?.p99]).toEqual([20, 25, 5]);
    expect(result.latency.errorAdjusted).toMatchObject({ p50: 25, p99: 'never' });
  });

  it('prints response time, service time and schedule lag under distinct names', () => {
    const text = formatText(result);
    expect(text).toMatch(
      /Stage +Planned +Planned\/s +Started +Started\/s +Share +Not started: server +Not started: generator\n +calm +500 +50 +500 +50 +100 % +0 +0\n/,
    );
    expect(text).toMatch(/\n +rush +1,000 +100 +890 +89 +89 % +100 +10\n/);
    expect(text).toMatch(/\n +Response time +25 ms/);
    expect(text).toMatch(/\n +Service time +20 ms/);
    expect(text).toMatch(/\n +Schedule lag +5 ms/);
    expect(text.split('\n').every((line) => line.length <= 260)).toBe(true);
  });

  it('states in ApacheBench’s layout what that layout cannot show', () => {
    const text = formatAb(result);
    expect(text).toContain(
      'Times are service times, from the actual start of a request, not from its scheduled start; 1390 of 1500 arrivals started, 110 could not\n',
    );
    expect(text).toContain('\n  50%     20\n');
    expect(text).toContain('Time per request:       unknown\n');
  });

  it('has response times, service times and arrivals that did not start in its CSV', () => {
    const [header = '', ...rows] = formatCsv(result).split('\r\n');
    const column = (name: string) => rows.filter((row) => row !== '').map((row) => row.split(',')[header.split(',').indexOf(name)]);
    expect(column('p50_ms').slice(0, 11)).toEqual([...Array.from({ length: 10 }, () => '25'), '']);
    expect(column('service_p50_ms')[0]).toBe('20');
    expect(column('not_started_server').slice(14, 16)).toEqual(['0', '10']);
    expect(column('not_started_generator').at(-1)).toBe('1');
  });
});

describe('the result of users', () => {
  const plan = planWith({ load: users([{ users: 20, startUpSeconds: 2, seconds: 10 }]) });
  const startUp = repeatedWindows(2, { stage: startUpStage(plan, 0), ok: [{ count: 10, ms: 500, lateMs: 0 }] });
  const counted = repeatedWindows(10, { second: 2, ok: [{ count: 40, ms: 20, lateMs: 0 }] });
  const result = buildRunResult(plan, [...startUp, ...counted]);

  it('includes the start-up in the outcomes and in no figure', () => {
    expect(result.outcomes.requests.sent).toBe(420);
    expect(Object.values(result.requestsByStep).map(({ sent, ok }) => [sent, ok])).toEqual([[420, 420]]);
    expect(result.steps.map(({ requests }) => requests.sent)).toEqual([400]);
    expect(result.latency.response).toMatchObject({ count: 400, max: 20 });
    expect(result.rates.completedPerSecond).toBe(40);
    expect(result.stages[0]).toMatchObject({
      startedAtSecond: 2,
      requests: { sent: 400 },
      startUp: { requests: { sent: 20, ok: 20 }, status: { 200: 20 } },
      journeys: { planned: null, started: 400, offeredShare: null },
    });
  });

  it('includes the rate of responses that came during the load, whenever their requests were sent', () => {
    const slow = planWith({ load: users([{ users: 20, startUpSeconds: 2, seconds: 5 }]) });
    // Each of 20 users waits one second for a response, so 20 responses in each second belong to requests of the previous second.
    const { rates, steps, requestsByStep } = buildRunResult(slow, [
      windowWith({ second: 2, stage: startUpStage(slow, 0), ok: [{ count: 20, ms: 1_000, lateMs: 0 }] }),
      ...repeatedWindows(5, { second: 3, ok: [{ count: 20, ms: 1_000, lateMs: 0 }] }),
    ]);
    expect(rates.completedPerSecond).toBe(20);
    expect(steps[0]?.requests.ok).toBe(100);
    expect(Object.values(requestsByStep)[0]?.ok).toBe(120);
  });

  it('does not claim that nothing was sent if no response came in the counted time', () => {
    const { verdict, ...rest } = buildRunResult(plan, startUp);
    expect(verdict.sentence).toBe('Measured: no response was counted. All 20 requests were sent outside the counted time.');
    expect(formatText({ verdict, ...rest })).toContain('No counted responses, so no times.');
    expect(buildRunResult(plan, []).verdict.sentence).toBe('Measured: no request was sent.');
  });

  it('includes responses of the start-up in the counts of the whole run, and says so', () => {
    expect(statusOfRun(result)).toEqual({ 200: 420 });
    const text = formatText(result);
    expect(text).toMatch(/Sent +420\n +start-up included\n/);
    expect(text).not.toContain('Arrivals planned');
  });
});

describe('times by class of status', () => {
  it('are printed if responses had more than one class', () => {
    const plan = planWith();
    const mixed = windowWith({ ok: [{ count: 10, ms: 20 }], failed: { httpError: 5 } });
    const [cell] = mixed.cells;
    const fast = createHistogram();
    for (let index = 0; index < 5; index += 1) record(fast, 1_000);
    Object.assign(cell?.times ?? {}, { serviceFailed: fast, service5xx: fast });
    const text = formatText(buildRunResult(plan, [mixed]));
    expect(text).toMatch(/\n +Service time +1 ms[^\n]*\n +of 2xx +20 ms[^\n]*\n +of 5xx +1 ms/);
    expect(formatText(buildRunResult(plan, [windowWith({ ok: [{ count: 10, ms: 20 }] })]))).not.toContain('of 2xx');
  });
});
