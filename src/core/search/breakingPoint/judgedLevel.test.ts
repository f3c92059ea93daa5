import { describe, expect, it } from 'vitest';
import { generatorWith } from '#core/judgement/verdict/testing/judged.ts';
import type { Finding, Point, RunResult } from '#core/result/schema.ts';
import { arrivals, planWith } from '#core/testing/plans.ts';
import { randomFrom, buildRunResult, simulate } from '#core/testing/queueRun.ts';
import { planOfLevel } from './levels.ts';
import { readLevel } from './readLevel.ts';
import type { LevelReading } from './reading.ts';
import { breakingPointSettingsSchema } from './schema.ts';
import type { CriterionResult } from '#core/result/verdict.ts';

const settings = breakingPointSettingsSchema.parse({});
const plan = planOfLevel(planWith({ load: arrivals([{ kind: 'constant', perSecond: 40, seconds: 10 }]) }), 40, settings, []);
/** Result with 400 responses of 100 ms that did not wait. */
const calm = buildRunResult(plan, simulate(plan, { workers: 8, serviceMs: (random) => 99 + 2 * random() }, randomFrom(1)));
type Stage = RunResult['stages'][number];

/** Returns the reading of a level whose run differs from `calm` by the given changes. */
function read(stage: (one: Stage) => Partial<Stage>, changes: Partial<RunResult> = {}): LevelReading {
  const stages = calm.stages.map((one) => (one.name === 'level' ? { ...one, ...stage(one) } : one));
  return readLevel({ ...calm, ...changes, stages }, 40);
}
const requests = (changes: Partial<Stage['requests']>) => (one: Stage) => ({ requests: { ...one.requests, ...changes } });
const failing = (count: number) => requests({ sent: 400, ok: 400 - count, httpError: count });
const as = ({ outcome, because }: LevelReading): string => `${outcome} ${because}`;
const criterion = (changes: Partial<CriterionResult>): CriterionResult => ({
  criterion: { kind: 'responseTime', percentile: 95, maxMs: 100 },
  text: '95 % within 100 ms',
  stage: 'level',
  step: 'page',
  outcome: 'passed',
  reason: 'None of 400.',
  unknownBecause: null,
  measured: 100,
  limit: 100,
  unit: 'ms',
  counted: 400,
  over: 0,
  shareLow: 0,
  shareHigh: 0.01,
  fromSecond: null,
  ...changes,
});
const judgedBy = (...criteria: CriterionResult[]) => read(() => ({}), { criteria });
const finding = (id: string): Finding[] => [
  { id, level: 'problem', sentence: 'It is so.', remedy: 'Do this.', evidence: [], confidence: 'certain', range: null },
];

describe('outcome of a level', () => {
  it('is passed with 1 % failures and failed with more, if there is no error criterion', () => {
    expect([as(read(failing(4))), as(read(failing(5)))]).toEqual(['passed fine', 'failed errors']);
    expect(read(failing(5)).text).toBe('1.25 % of requests failed (5 of 400).');
    const limit = criterion({ criterion: { kind: 'errors', maxShare: 0.1 }, unit: 'share' });
    expect(as(read(failing(5), { criteria: [limit] }))).toBe('passed fine');
    expect(read(failing(4)).text).toContain('1 % of requests failed');
  });

  it('is failed if nothing succeeded, a criterion failed, or arrivals could not start', () => {
    expect(read(failing(400))).toMatchObject({
      outcome: 'failed',
      because: 'errors',
      text: 'None of 400 requests succeeded.',
      isSure: true,
    });
    expect(judgedBy(criterion({ outcome: 'failed' }))).toMatchObject({
      outcome: 'failed',
      because: 'criterion',
      text: '95 % within 100 ms: None of 400.',
    });
    const left = read((one) => ({ journeys: { ...one.journeys, notStartedTarget: 3 } }));
    expect(left).toMatchObject({ outcome: 'failed', because: 'outstanding', failed: 3 });
  });

  it('is unclear if this computer could not start all journeys or ran out of a resource', () => {
    expect(as(read((one) => ({ journeys: { ...one.journeys, notStartedGenerator: 1 } })))).toBe('unclear generator');
    for (const unknownBecause of ['generator', 'notOffered'] as const)
      expect(as(judgedBy(criterion({ outcome: 'unknown', unknownBecause })))).toBe('unclear generator');
    expect(as(judgedBy(criterion({ outcome: 'unknown', unknownBecause: 'tooFew' })))).toBe('passed fine');
  });

  it('follows the measured value if a criterion is not proven', () => {
    const open = (changes: Partial<CriterionResult>) => judgedBy(criterion({ outcome: 'unknown', unknownBecause: 'tooFew', ...changes }));
    expect(open({ measured: 100 })).toMatchObject({ outcome: 'passed', isSure: false, text: 'Counted as passed: None of 400.' });
    expect(open({ measured: 100.1 })).toMatchObject({ outcome: 'failed', because: 'criterion', isSure: false });
    expect(as(open({ measured: 'never' }))).toBe('failed criterion');
    expect(as(open({ measured: null }))).toBe('passed fine');
    const apdex = { criterion: { kind: 'apdex', thresholdMs: 100, min: 0.9 }, limit: 0.9 } as const;
    expect([0.89, 0.9].map((measured) => as(open({ ...apdex, measured })))).toEqual(['failed criterion', 'passed fine']);
    expect(judgedBy(criterion({})).isSure).toBe(true);
  });

  it('does not count failures of a wrong page as overload', () => {
    const wrong = { findings: finding('missingRoute') };
    expect(read(failing(5), wrong)).toMatchObject({ outcome: 'unclear', because: 'wrongPlace', text: 'It is so. Do this.' });
    expect(as(read(failing(4), wrong))).toBe('passed fine');
    expect(as(read(() => ({}), { findings: finding('portsExhausted') }))).toBe('unclear generator');
    expect(as(read(() => ({}), { findings: finding('warmingUp') }))).toBe('passed fine');
  });

  it('is unclear if nothing was sent, and failed if only the warm-up was sent', () => {
    const none = requests({ sent: 0, ok: 0 });
    const { outcomes } = calm;
    expect(read(none)).toMatchObject({ outcome: 'failed', because: 'outstanding', sent: outcomes.requests.sent });
    expect(read(none).text).toBe(`None of the first ${outcomes.requests.sent} requests got a response before the level ended.`);
    const empty = { ...outcomes, requests: { ...outcomes.requests, sent: 0, ok: 0 } };
    expect(read(none, { outcomes: empty })).toMatchObject({ outcome: 'unclear', because: 'nothing', okPerSecond: null, meanMs: null });
  });
});

/** Returns the seconds of `calm` with changes. The warm-up lasts until second 2. */
function seconds(of: (second: number) => Partial<Point>): Point[] {
  return calm.windows.map((point) => ({ ...point, started: 40, completed: 40, ok: 40, failed: 0, p50: 100, ...of(point.second) }));
}

describe('a queue at a level', () => {
  const queued = (second: number): Partial<Point> => ({ completed: 36, ok: 36, p50: 100 + 100 * second });
  const at = (of: (second: number) => Partial<Point>, stage: Parameters<typeof read>[0] = () => ({})) =>
    read(stage, { windows: seconds(of) });

  it('fails the level if it grows: 36 of 40 complete, and responses take 100 ms longer with each second', () => {
    const level = at(queued);
    expect(level).toMatchObject({ outcome: 'failed', because: 'queue', wantedSeconds: null });
    expect(level.text).toBe(
      'Responses slowed down by 100 ms each second: more requests arrived than were completed (1.11 times), and a queue grew.',
    );
    expect(level.growthMsPerSecond).toBeCloseTo(100, 6);
    expect(level.growthShare?.low).toBeCloseTo(0.1, 2);
  });

  it('may be chance if seconds vary widely, which a longer run would decide', () => {
    const chance = (lucky: number) => (second: number) => {
      const ok = second % 2 === 0 ? 30 : lucky;
      return { completed: ok, ok, p50: 100 + 100 * second };
    };
    const grew = at(chance(44));
    expect(grew).toMatchObject({ because: 'queue', wantedSeconds: expect.any(Number) });
    expect(grew.text).toMatch(/ That may be chance: about 29 min 2 s would decide\.$/);
    const stayed = at(chance(50));
    expect(stayed).toMatchObject({ outcome: 'passed', because: 'fine', wantedSeconds: expect.any(Number) });
    // The level failed for another reason, whatever the queue did.
    expect(at(chance(50), failing(5))).toMatchObject({ because: 'errors', wantedSeconds: null });
  });

  it('is computed from journeys if each has several requests', () => {
    const twice = (one: Stage) => ({ journeys: { ...one.journeys, started: 200 } });
    const flat = (): Partial<Point> => ({ completed: 36, ok: 36, p50: 100 });
    expect(at(flat, twice)).toMatchObject({
      because: 'queue',
      text: 'More requests arrived than were completed (1.11 times), and a queue grew.',
    });
    expect(at(flat)).toMatchObject({ outcome: 'passed' });
  });

  it('is ignored if this computer was overloaded for more than 25 % of the time', () => {
    const overloadedBy: Point['overloadedBy'] = ['steal'];
    const overloaded = (second: number): Partial<Point> => ({ ...queued(second), overloadedBy: second % 2 === 0 ? overloadedBy : [] });
    expect(as(at(overloaded))).toBe('unclear generator');
  });
});

describe('a level that a limit of the plan cut off', () => {
  const run = { ...calm.run, endedBecause: { code: 'safety' as const, text: 'It was stopped.' } };
  const cut = (changes: Partial<Stage['requests']>, windows = calm.windows) => as(read(requests(changes), { run, windows }));

  it('failed if more than 1 % of ended requests failed, or if there was no response', () => {
    expect(cut({ sent: 400, ok: 300, inFlight: 96 })).toBe('unclear cutOff');
    expect(cut({ sent: 400, ok: 300, inFlight: 95 })).toBe('failed safety');
    expect(cut({ sent: 400, ok: 0, inFlight: 400 })).toBe('failed safety');
    expect(cut({ sent: 0, ok: 0 })).toBe('unclear cutOff');
  });

  it('failed if a queue certainly grew', () => {
    const queue = (overloadedBy: Point['overloadedBy']) =>
      seconds((second) => ({ completed: 36, ok: 36, p50: 100 + 100 * second, overloadedBy: second % 2 === 0 ? overloadedBy : [] }));
    expect([cut({}, queue([])), cut({}, queue(['steal']))]).toEqual(['failed safety', 'unclear cutOff']);
  });
});

describe('reading of a level', () => {
  it('has the rate of successes, and the total of failures and time-outs', () => {
    const calmly = read(() => ({}));
    expect(calmly).toMatchObject({ level: 40, sent: 400, failed: 0, timeouts: 0, seconds: 10, isShared: false, freeze: null });
    expect(calmly.okPerSecond).toBeCloseTo(40, 0);
    const half = read(requests({ sent: 400, ok: 200, httpError: 100, wrongBody: 100 }));
    expect(half.okPerSecond).toBeCloseTo((calmly.okPerSecond ?? 0) / 2, 9);
    const { outcomes } = calm;
    const timed = { ...outcomes, requests: { ...outcomes.requests, timeout: 3, inFlight: 2 } };
    expect(read((one) => ({ status: { ...one.status, 504: 4 } }), { outcomes: timed }).timeouts).toBe(9);
    expect(read(requests({ notMade: 7 })).failed).toBe(7);
  });

  it('states whether any generator shared a machine with the target', () => {
    const generators = [false, true].map((sharesMachineWithTarget) => generatorWith({ sharesMachineWithTarget }));
    expect(read(() => ({}), { generators }).isShared).toBe(true);
  });

  it('has no rate and no times if the result has none', () => {
    expect(read((one) => ({ rates: { ...one.rates, completedPerSecond: null } })).okPerSecond).toBeNull();
    expect(read((one) => ({ latencyByStatusClass: { '2xx': { ...one.latency.service, mean: 'never' } } })).meanMs).toBeNull();
  });

  it('has a freeze only if the level failed', () => {
    const windows = seconds((second) => (second >= 3 && second < 10 ? { started: 0, completed: 0, ok: 0, inFlight: 8, p50: null } : {}));
    expect(read(() => ({}), { windows })).toMatchObject({ outcome: 'passed', freeze: null });
    expect(read(failing(400), { windows }).freeze).toMatchObject({ seconds: 7, inFlight: 8 });
  });

  it('requires the stage of the level', () => {
    expect(() => readLevel({ ...calm, stages: [] }, 40)).toThrow('has its stage');
  });
});
