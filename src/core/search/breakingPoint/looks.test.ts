import { describe, expect, it } from 'vitest';
import { arrivals, planWith } from '#core/testing/plans.ts';
import type { SearchRun } from '../run.ts';
import { listAftermaths, needsProbe, planOfProbe } from './aftermath.ts';
import type { LevelReading, ProbeReading } from './reading.ts';
import { failedLevel, passedLevel, readRun } from './testing/levelReadings.ts';

const plan = planWith({ load: arrivals([{ kind: 'constant', perSecond: 40, seconds: 10 }]) });
const usual: ProbeReading = { kind: 'probe', sent: 25, failed: 0, p50Ms: 100, p90Ms: 100 };
const probe = (changes: Partial<ProbeReading> = {}): ProbeReading => ({ ...usual, ...changes });

function levelRuns(...readings: readonly (LevelReading | ProbeReading)[]): SearchRun[] {
  return readings.map((reading, position) => readRun(reading, position));
}
const isOver = (look: ProbeReading, ...before: ProbeReading[]): boolean | undefined =>
  listAftermaths(levelRuns(...(before.length > 0 ? before : [usual]), failedLevel(80), look)).at(-1)?.isOver;

describe('a probe', () => {
  // With 25 responses, e^(4.5/5) = 2.46 and e^(3.2/5) = 1.90 are less than three and four times.
  it('counts as recovered up to 3 × the usual median + 10 ms and 4 × the usual p90 + 100 ms', () => {
    expect([310, 311].map((p50Ms) => isOver(probe({ p50Ms })))).toEqual([true, false]);
    expect([500, 501].map((p90Ms) => isOver(probe({ p90Ms })))).toEqual([true, false]);
  });

  it('has limits up to twelve times as wide with few responses', () => {
    const few = probe({ sent: 4 });
    // With four responses, the factor is e^(4.5/2) = 9.49.
    expect([958, 960].map((p50Ms) => isOver(probe({ p50Ms, p90Ms: 590 }), few))).toEqual([true, false]);
    const one = probe({ sent: 1 });
    expect([1_210, 1_211].map((p50Ms) => isOver(probe({ p50Ms, p90Ms: 590 }), one))).toEqual([true, false]);
  });

  it('is compared with the median of the recovered probes', () => {
    const looks = [80, 90, 100].map((p50Ms) => probe({ p50Ms }));
    expect([280, 281].map((p50Ms) => isOver(probe({ p50Ms }), ...looks))).toEqual([true, false]);
  });

  it('is never recovered if it has a failure or no response', () => {
    const bad = [{ failed: 1 }, { sent: 0 }, { p50Ms: null }, { p90Ms: null }];
    expect(bad.map((changes) => isOver(probe(changes)))).toEqual([false, false, false, false]);
  });
});

describe('aftermath of a level', () => {
  const aftermath = (level: LevelReading, ...looks: ProbeReading[]) => listAftermaths(levelRuns(usual, level, ...looks));
  const slow = probe({ p50Ms: 9_000 });

  it('may follow a failed level, or a passed one with failures', () => {
    expect(aftermath(passedLevel(40))).toEqual([]);
    const some = [
      failedLevel(40),
      passedLevel(40, { outcome: 'unclear' }),
      passedLevel(40, { failed: 1 }),
      passedLevel(40, { timeouts: 1 }),
    ];
    expect(some.map((level) => aftermath(level).length)).toEqual([1, 1, 1, 1]);
  });

  it('lasts until the server has recovered', () => {
    expect(aftermath(failedLevel(40), usual)).toEqual([{ level: 40, seconds: 0, isOver: true }]);
    expect(aftermath(failedLevel(40), slow, slow, usual, slow)).toEqual([{ level: 40, seconds: 8, isOver: true }]);
    expect(aftermath(failedLevel(40), slow)).toEqual([{ level: 40, seconds: 4, isOver: false }]);
  });

  it('ends after time-outs only once twelve calm seconds follow each other; a slow probe restarts the count', () => {
    const givenUp = failedLevel(40, { timeouts: 1 });
    expect(aftermath(givenUp, usual, usual)).toMatchObject([{ isOver: false }]);
    expect(aftermath(givenUp, usual, usual, usual)).toEqual([{ level: 40, seconds: 0, isOver: true }]);
    expect(aftermath(givenUp, usual, usual, slow, usual, usual)).toEqual([{ level: 40, seconds: 12, isOver: false }]);
  });

  it('is probed before the first level, and until it is over', () => {
    expect(needsProbe([])).toBe(true);
    expect(needsProbe(levelRuns(passedLevel(40)))).toBe(true);
    expect(needsProbe(levelRuns(usual, passedLevel(40)))).toBe(false);
    expect(needsProbe(levelRuns(usual, failedLevel(40)))).toBe(true);
    expect(needsProbe(levelRuns(usual, failedLevel(40), usual))).toBe(false);
    expect(needsProbe(levelRuns(probe({ failed: 3 }), failedLevel(40)))).toBe(false);
  });

  it('continues after a probe that could not be made, which is not repeated before the first level', () => {
    const lost = (position: number): SearchRun => readRun(usual, position, { reading: null, state: 'notRun' });
    expect(needsProbe([lost(0)])).toBe(false);
    expect(listAftermaths([...levelRuns(usual, failedLevel(40)), lost(2)])).toEqual([{ level: 40, seconds: 4, isOver: false }]);
  });
});

it('planOfProbe: returns one user with a think time of 0.1 s and no criteria, stopped by failures only if the plan says so', () => {
  const { load, criteria, safety, engine } = planOfProbe({ ...plan, criteria: [{ kind: 'errors', maxShare: 0.1 }], engine: 'autocannon' });
  expect([criteria, engine]).toEqual([[], 'auto']);
  expect(safety).not.toHaveProperty('stopAtErrorShare');
  expect(load).toMatchObject({
    model: 'users',
    thinkTime: { kind: 'fixed', seconds: 0.1 },
    stages: [{ users: 1, seconds: 2, counted: true }],
  });
  expect(planOfProbe({ ...plan, engine: 'k6' }).engine).toBe('k6');
  expect(planOfProbe({ ...plan, safety: { ...plan.safety, stopAtErrorShare: 0.3 } }).safety).toMatchObject({ stopAtErrorShare: 0.3 });
});
