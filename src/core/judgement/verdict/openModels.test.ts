import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startUpStage } from '#core/work/load/stages.ts';
import { checkPlan } from '#core/review/check.ts';
import { planSchema, type Criterion, type PlanInput } from '#core/plan/schema/plan.ts';
import { rateStages } from '#core/work/load/testing/rateStages.ts';
import { arrivals, planWith, users } from '#core/testing/plans.ts';
import { repeatedWindows, windowWith, type WindowFacts } from '#core/testing/windows.ts';
import { generatorWith, judged, ownCriteria } from './testing/judged.ts';

const p95: Criterion = { kind: 'responseTime', percentile: 95, maxMs: 1_000 };
const fifty: WindowFacts = { ok: [{ count: 50, ms: 40, lateMs: 0 }] };
const constant = (perSecond: number, seconds: number) => ({ kind: 'constant', perSecond, seconds }) as const;
const plan = planWith({ load: arrivals([constant(50, 60)], { maxInFlight: 200 }), criteria: [p95] });

const writeSentence = (windows: readonly ReturnType<typeof windowWith>[], changes: Partial<PlanInput> = {}): string =>
  judged({ plan: planSchema.parse({ ...plan, ...changes }), windows }).verdict.sentence;

describe('sentence about arrivals', () => {
  it('names the arrival rate', () => {
    expect(writeSentence(repeatedWindows(60, fifty))).toBe('Passed at 50 arrivals a second: 50 successful responses a second.');
    expect(writeSentence(repeatedWindows(60, fifty), { claim: '750 participants' })).toBe(
      'Passed for 750 participants: 50 successful responses a second at 50 arrivals a second.',
    );
  });

  it('names the planned load if the generator was late but started everything', () => {
    const sentence = writeSentence(repeatedWindows(60, { ok: [{ count: 50, ms: 40, lateMs: 120 }], overloadedBy: ['scheduleLag'] }));
    expect(sentence).toMatch(/^Passed at 50 arrivals a second: .* was overloaded for 60 s, which can only have increased latency\.$/);
  });

  it('names arrivals that could not start: their share, since when, and the cap', () => {
    const windows = [
      ...repeatedWindows(40, fifty),
      ...repeatedWindows(20, { second: 40, ok: [{ count: 30, ms: 900, lateMs: 0 }], notStarted: { target: 20 } }),
    ];
    const { verdict, criteria } = judged({ plan, windows });
    expect(verdict.sentence).toBe(
      'Failed at 50 arrivals a second: from 40 s on, 40 % of arrivals could not start because 200 requests were in flight. 1 more pass criterion failed.',
    );
    expect(criteria[0]?.reason).toContain('400 of 3,000 requests took longer than 1 s or failed, 400 of them because they could not start');
    expect(verdict.reasons.find(({ code }) => code === 'load.notOffered')?.text).toBe(
      '2,600 of 3,000 planned arrivals started (86.7 %); 400 could not because 200 requests were in flight.',
    );
  });

  it('names slow responses if most of the violations are slow responses', () => {
    const slow = {
      ok: [
        { count: 20, ms: 40, lateMs: 0 },
        { count: 29, ms: 2_000, lateMs: 0 },
      ],
      notStarted: { target: 1 },
    };
    expect(writeSentence(repeatedWindows(60, slow))).toContain('more than 5 % of requests of “page” took longer than 1 s or failed');
  });

  it('names the rate of a ramp at which the criterion failed', () => {
    const load = arrivals([{ kind: 'ramp', fromPerSecond: 0, toPerSecond: 60, seconds: 60 }]);
    const at = (second: number): WindowFacts =>
      second < 30 ? { ok: [{ count: second + 1, ms: 40 }] } : { ok: [{ count: second, ms: 5_000 }] };
    const windows = Array.from({ length: 60 }, (_, second) => windowWith({ second, ...at(second) }));
    expect(writeSentence(windows, { load })).toMatch(/^Failed at up to 60 arrivals a second: from 30 s on \(30 a second\), more than/);
  });

  it('names the lower rate that passed', () => {
    const load = arrivals([
      { name: 'a', ...constant(50, 60) },
      { name: 'b', ...constant(100, 60) },
    ]);
    const windows = [...repeatedWindows(60, fifty), ...repeatedWindows(60, { stage: 1, second: 60, ok: [{ count: 100, ms: 3_000 }] })];
    expect(writeSentence(windows, { load })).toMatch(/^Failed at 100 arrivals a second: .* It passed at 50 arrivals a second\.$/);
  });

  it('states how many arrivals this computer could not start', () => {
    const windows = repeatedWindows(60, { ok: [{ count: 49, ms: 40, lateMs: 0 }], notStarted: { generator: 1 } });
    expect(writeSentence(windows)).toBe(
      'Inconclusive: this computer could not start 60 of 3,000 arrivals, and a load that was not offered cannot pass.',
    );
  });

  it('states how late requests were if their lateness overloaded seconds', () => {
    const windows = repeatedWindows(60, { ok: [{ count: 50, ms: 40, lateMs: 1_500 }], overloadedBy: ['scheduleLag'] });
    const { verdict } = judged({ plan, windows });
    expect(verdict.sentence).toMatch(/^Inconclusive: this computer was overloaded for 60 s/);
    expect(verdict.reasons.find(({ code }) => code === 'generator.late')?.text).toBe(
      'Requests started late: 99 % within 1.5 s of their scheduled time.',
    );
  });

  it('describes what was measured without criteria', () => {
    const windows = repeatedWindows(60, { ok: [{ count: 40, ms: 40, lateMs: 0 }], notStarted: { target: 10 } });
    expect(writeSentence(windows, { criteria: [] })).toBe(
      'Measured: 40 successful responses a second at 50 arrivals a second; 600 arrivals could not start because too many responses were outstanding. No pass criteria were set.',
    );
  });
});

describe('stages of open models', () => {
  it('are judged separately, without pauses', () => {
    const load = arrivals([
      { name: 'a', ...constant(50, 60) },
      { kind: 'pause', seconds: 10 },
      { name: 'b', ...constant(50, 60) },
    ]);
    const windows = [
      ...repeatedWindows(60, fifty),
      ...repeatedWindows(60, { stage: 2, second: 70, ok: [{ count: 49, ms: 40, lateMs: 0 }], notStarted: { generator: 1 } }),
    ];
    const { criteria } = judged({ plan: planWith({ load, criteria: [p95] }), windows });
    expect(ownCriteria(criteria).map(({ stage, outcome, unknownBecause }) => [stage, outcome, unknownBecause])).toEqual([
      ['a', 'passed', null],
      ['b', 'unknown', 'generator'],
    ]);
  });
});

describe('users', () => {
  const load = users([
    { users: 20, startUpSeconds: 5, restSeconds: 5, seconds: 10 },
    { users: 40, startUpSeconds: 5, restSeconds: 5, seconds: 10 },
  ]);
  const crowd = planWith({ load, criteria: [p95, { kind: 'throughput', minPerSecond: 50 }] });
  const startUp = (stage: number, second: number) =>
    repeatedWindows(5, {
      stage: startUpStage(crowd, stage),
      second,
      ok: [{ count: 20, ms: 4_000, lateMs: 0 }],
      overloadedBy: ['threadCpu'],
    });

  it('are judged only after their start-up: times, rates and overload before its end do not count', () => {
    const windows = [
      ...startUp(0, 5),
      ...repeatedWindows(10, { ...fifty, second: 10 }),
      ...startUp(1, 25),
      ...repeatedWindows(10, { ...fifty, stage: 1, second: 30 }),
    ];
    const { criteria, verdict } = judged({ plan: crowd, windows });
    expect(ownCriteria(criteria).map(({ stage, outcome, measured }) => [stage, outcome, measured])).toEqual([
      ['stage 1', 'passed', 40],
      ['stage 2', 'passed', 40],
      ['stage 1', 'passed', 50],
      ['stage 2', 'passed', 50],
    ]);
    expect(verdict.sentence).toBe('Passed at 40 users: 50 successful responses a second.');
    expect(verdict.reasons.map(({ code }) => code)).not.toContain('generator.overloaded');
  });
});

describe('throughput of users', () => {
  it('counts responses while the users ran, whenever the requests were sent', () => {
    const slow = planWith({
      load: users([{ users: 20, startUpSeconds: 2, seconds: 5 }]),
      criteria: [{ kind: 'throughput', minPerSecond: 20 }],
    });
    const windows = [
      windowWith({ second: 2, stage: startUpStage(slow, 0), ok: [{ count: 20, ms: 1_000, lateMs: 0 }] }),
      ...repeatedWindows(5, { second: 3, ok: [{ count: 20, ms: 1_000, lateMs: 0 }] }),
    ];
    expect(ownCriteria(judged({ plan: slow, windows }).criteria)).toMatchObject([{ outcome: 'passed', measured: 20 }]);
  });
});

describe('next actions after arrivals', () => {
  const acts = (windows: readonly ReturnType<typeof windowWith>[], of = plan) =>
    judged({ plan: of, windows, generators: [generatorWith()] }).verdict.next;

  it('change the rate up or down', () => {
    const [up] = acts(repeatedWindows(60, fifty));
    expect(up).toMatchObject({ kind: 'goUp', plan: { load: { stages: [{ perSecond: 100 }] } } });
    const slow = repeatedWindows(60, { ok: [{ count: 50, ms: 2_000, lateMs: 0 }] });
    const [down, again] = acts(slow);
    expect([down?.kind, down?.label, again?.kind]).toEqual(['goDown', 'Run it at half the load: 25 arrivals a second', 'runAgain']);
    expect(down?.plan?.load.stages).toMatchObject([{ perSecond: 25 }]);
  });

  it('raise a cap that responses within their limits would fill', () => {
    const tight = planWith({ load: arrivals([constant(50, 60)], { maxInFlight: 10 }), criteria: [p95] });
    const [cap] = acts(repeatedWindows(60, { ok: [{ count: 25, ms: 400, lateMs: 0 }], notStarted: { target: 25 } }), tight);
    expect(cap).toMatchObject({ kind: 'raiseCap', label: 'Allow 100 in flight', plan: { load: { maxInFlight: 100 } } });
    expect(checkPlan(cap?.plan ?? tight)).toEqual([]);
  });

  it('advise another machine or less load if this one could not start all arrivals', () => {
    const next = acts(
      repeatedWindows(60, { ok: [{ count: 25, ms: 40, lateMs: 0 }], notStarted: { generator: 25 }, overloadedBy: ['scheduleLag'] }),
    );
    expect(next.map(({ kind }) => kind)).toEqual(['otherMachine', 'lowerLoad']);
    expect(next[1]?.label).toBe('Run it at 25 arrivals a second');
  });

  it('are valid plans for any stages (property)', () => {
    const facts = fc.record({
      ok: fc.constantFrom([], [{ count: 40, ms: 40, lateMs: 0 }], [{ count: 40, ms: 4_000, lateMs: 0 }]),
      overloadedBy: fc.constantFrom([], ['threadCpu' as const]),
      notStarted: fc.constantFrom({}, { target: 20 }, { generator: 5 }),
    });
    fc.assert(
      fc.property(
        rateStages,
        facts,
        fc.constantFrom<Criterion[]>([], [p95]),
        fc.constantFrom(1, 300_000),
        (list, each, criteria: Criterion[], longer) => {
          const load = arrivals(
            list.map((stage) => ('seconds' in stage ? { ...stage, seconds: Math.min(stage.seconds * longer, 500_000) } : stage)),
          );
          const any = planWith({ load, criteria });
          if (checkPlan(any).some(({ level }) => level === 'error')) return;
          const windows = repeatedWindows(3, each);
          for (const next of judged({ plan: any, windows, generators: [generatorWith()] }).verdict.next) {
            if (next.plan === null) continue;
            expect(checkPlan(planSchema.parse(next.plan)).filter(({ level }) => level === 'error')).toEqual([]);
          }
        },
      ),
    );
  });
});
