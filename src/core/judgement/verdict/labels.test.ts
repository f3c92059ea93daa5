import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkPlan } from '#core/review/check.ts';
import { planSchema, type Criterion } from '#core/plan/schema/plan.ts';
import { planWith, stages, users } from '#core/testing/plans.ts';
import { repeatedWindows, windowWith, type WindowFacts } from '#core/testing/windows.ts';
import { generatorWith, judged, ownCriteria } from './testing/judged.ts';

const p95: Criterion = { kind: 'responseTime', percentile: 95, maxMs: 1_000 };
const errors: Criterion = { kind: 'errors', maxShare: 0.01 };
const responses = (fast: number, slow: number): WindowFacts => ({
  ok: [
    { count: fast, ms: 40 },
    { count: slow, ms: 1_500 },
  ],
});
const load = stages({ connections: 60, seconds: 60 });

describe('a judged run', () => {
  it('names the connections if it passed, and only the throughput if the generator was overloaded', () => {
    const plan = planWith({ load, criteria: [p95] });
    expect(judged({ plan, windows: repeatedWindows(60, responses(300, 0)) }).verdict.sentence).toBe(
      'Passed at 60 connections: 300 successful responses a second.',
    );
    const { sentence } = judged({ plan, windows: repeatedWindows(60, { ...responses(300, 0), overloadedBy: ['threadCpu'] }) }).verdict;
    expect(sentence).toContain('Passed at 300 successful responses a second');
    expect(sentence).toContain('real capacity may be higher');
    expect(sentence).not.toContain('connections');
  });

  it('names the overloaded machine and no other', () => {
    const plan = planWith({ load, criteria: [p95] });
    const windows = repeatedWindows(60, { ...responses(300, 0), overloadedBy: ['threadCpu'] });
    const generators = [generatorWith(), generatorWith({ name: 'web1', overloadedSeconds: 60 })];
    const { verdict } = judged({ plan, windows, generators });
    const stated = [
      verdict.sentence,
      ...verdict.reasons.map(({ text }) => text),
      ...verdict.next.map(({ explanation }) => explanation),
    ].join(' ');
    expect(stated).toContain('web1 was overloaded for 60 s');
    expect(stated).not.toMatch(/this computer/i);
    expect(judged({ plan, windows, generators: [generatorWith({ overloadedSeconds: 60 })] }).verdict.sentence).toContain(
      'This computer was overloaded for 60 s',
    );
  });

  it('names the claim of the plan', () => {
    const plan = planWith({ load, criteria: [p95], claim: '750 participants' });
    const writeSentence = (windows: Parameters<typeof judged>[0]['windows']): string => judged({ plan, windows }).verdict.sentence;
    expect(writeSentence(repeatedWindows(60, responses(300, 0)))).toBe(
      'Passed for 750 participants: 300 successful responses a second at 60 connections.',
    );
    expect(writeSentence(repeatedWindows(60, { ...responses(300, 0), overloadedBy: ['threadCpu'] }))).toMatch(
      /^Passed for 750 participants at 300 successful responses a second\. .*; real capacity may be higher\.$/,
    );
    expect(writeSentence(repeatedWindows(60, responses(200, 100)))).toMatch(/^Failed for 750 participants at 60 connections/);
  });

  it('has a headline of one line: outcome, claim and load', () => {
    const plan = planWith({ load, criteria: [p95], claim: 'contest no. 3: round 2' });
    const pickHeadline = (windows: Parameters<typeof judged>[0]['windows'], of = plan): string => {
      const { headline, sentence } = judged({ plan: of, windows }).verdict;
      expect(sentence.slice(headline.length)).toMatch(/^[:.]/);
      return sentence.slice(0, headline.length);
    };
    const overloaded = repeatedWindows(60, { ...responses(300, 0), overloadedBy: ['threadCpu'] });
    expect(pickHeadline(repeatedWindows(60, responses(300, 0)))).toBe('Passed for contest no. 3: round 2');
    expect(pickHeadline(overloaded)).toBe('Passed for contest no. 3: round 2 at 300 successful responses a second');
    expect(pickHeadline(repeatedWindows(60, responses(200, 100)))).toBe('Failed for contest no. 3: round 2 at 60 connections');
    expect(pickHeadline(repeatedWindows(60, responses(300, 0)), planWith({ load, criteria: [p95] }))).toBe('Passed at 60 connections');
    expect(pickHeadline([])).toBe('Inconclusive');
    expect(pickHeadline(repeatedWindows(60, responses(300, 0)), planWith({ load, criteria: [] }))).toBe('Measured');
  });

  it('states since when it failed, and names the worst violation', () => {
    const plan = planWith({ load: stages({ connections: 60, seconds: 300 }), criteria: [errors, p95] });
    const windows = [...repeatedWindows(160, responses(300, 0)), ...repeatedWindows(140, { second: 160, ...responses(200, 100) })];
    const { criteria, verdict } = judged({ plan, windows });
    expect(verdict.sentence).toBe(
      'Failed at 60 connections: from 2 min 40 s on, more than 5 % of requests of “page” took longer than 1 s or failed.',
    );
    expect(criteria.map(({ outcome, fromSecond }) => [outcome, fromSecond])).toEqual([
      ['passed', null],
      ['failed', 160],
    ]);
    expect(verdict.reasons[0]?.code).toBe('responseTime.failed');
  });

  it('names a level only if it was run and passed', () => {
    const plan = planWith({
      load: stages({ name: 'a', connections: 60, seconds: 10 }, { name: 'b', connections: 120, seconds: 10 }),
      criteria: [p95],
    });
    const windows = [...repeatedWindows(10, responses(300, 0)), ...repeatedWindows(10, { stage: 1, second: 10, ...responses(200, 100) })];
    expect(judged({ plan, windows }).verdict.sentence).toMatch(/^Failed at 120 .* It passed at 60 connections\.$/);
    const other = [...repeatedWindows(10, responses(200, 100)), ...repeatedWindows(10, { stage: 1, second: 10, ...responses(200, 100) })];
    expect(judged({ plan, windows: other }).verdict.sentence).not.toContain('It passed');
  });

  it('has separate results for stages and steps, without the warm-up', () => {
    const plan = planWith({
      journey: [{ name: 'home' }, { name: 'submit' }],
      load: stages({ name: 'warm', connections: 60, seconds: 10, counted: false }, { name: 'main', connections: 60, seconds: 10 }),
      criteria: [p95],
    });
    const windows = [
      ...repeatedWindows(10, responses(0, 300)),
      ...repeatedWindows(10, { stage: 1, step: 0, second: 10, ...responses(300, 0) }),
      ...repeatedWindows(10, { stage: 1, step: 1, second: 10, ...responses(150, 150) }),
    ].sort((a, b) => a.second - b.second);
    const { criteria } = judged({ plan, windows });
    expect(ownCriteria(criteria).map(({ stage, step, outcome }) => [stage, step, outcome])).toEqual([
      ['main', 'home', 'passed'],
      ['main', 'submit', 'failed'],
    ]);
    expect(criteria[1]?.text).toBe('95 % of responses to “submit” within 1 s');
  });

  it('reports "never" for a percentile that falls on failures', () => {
    const plan = planWith({ load, criteria: [p95] });
    expect(judged({ plan, windows: repeatedWindows(60, { ...responses(280, 0), failed: { refused: 20 } }) }).criteria[0]?.measured).toBe(
      'never',
    );
    expect(judged({ plan, windows: repeatedWindows(60, responses(290, 10)) }).criteria[0]?.measured).toBe(40);
  });

  it('states what was covered and what was not, and that cores were shared', () => {
    const plan = planWith({ load, criteria: [p95], exercises: ['reading'], omits: ['submitting'] });
    const { verdict } = judged({
      plan,
      windows: repeatedWindows(60, responses(300, 0)),
      generators: [generatorWith({ sharesMachineWithTarget: true })],
    });
    expect([verdict.exercised, verdict.notExercised]).toEqual([['reading'], ['submitting']]);
    expect(verdict.reasons.map(({ code }) => code)).toContain('generator.shared');
  });

  it('prints two shares with enough digits to show that they differ', () => {
    const plan = planWith({ load: stages({ connections: 60, seconds: 10 }), criteria: [p95] });
    const { reason } = judged({ plan, windows: repeatedWindows(10, responses(287, 13)) }).criteria[0] ?? { reason: '' };
    expect(reason).toMatch(/5 % allowed\. The true rate is at most 4\.\d+ % \(95 % confidence\)/);
  });
});

describe('next actions', () => {
  const kinds = (facts: WindowFacts, criteria: Criterion[] = [p95], generators = [generatorWith()]): (string | undefined)[] =>
    judged({ plan: planWith({ load, criteria }), windows: repeatedWindows(60, facts), generators }).verdict.next.map(({ kind }) => kind);

  it('fit the cause of an inconclusive result', () => {
    expect(kinds(responses(300, 0))).toEqual(['goUp']);
    expect(kinds({ ...responses(300, 0), overloadedBy: ['threadCpu'] })).toEqual(['otherMachine']);
    expect(kinds(responses(100, 200))).toEqual(['goDown', 'runAgain']);
    expect(kinds(responses(285, 15))).toEqual(['measureLonger']);
    expect(kinds({ ...responses(100, 200), overloadedBy: ['threadCpu'] })).toEqual(['moreThreads', 'otherMachine', 'lowerLoad']);
    expect(kinds({ ...responses(100, 200), overloadedBy: ['steal'] })).toEqual(['otherMachine', 'lowerLoad']);
    expect(kinds({})).toEqual(['probe']);
    expect(kinds(responses(300, 0), [])).toEqual(['setLimits']);
  });

  it('state how much longer a run would have to be to decide, or that even the longest would not', () => {
    const acts = (good: number, maxShare: number): [string | undefined, string | undefined] => {
      const short = planWith({ load: stages({ connections: 60, seconds: 1 }), criteria: [{ kind: 'errors', maxShare }] });
      const [first] = judged({ plan: short, windows: repeatedWindows(1, responses(good, 0)) }).verdict.next;
      return [first?.label, first?.explanation];
    };
    expect(acts(60, 0.01)).toEqual(['Measure 5 times as long', 'That is about the number of requests needed to decide.']);
    expect(acts(40, 0.001)).toEqual([
      'Measure 20 times as long',
      'The strictest pass criterion needs more: at least 75 times as many requests. Run it even longer, or allow a larger share.',
    ]);
  });

  it('ignore one or two overloaded seconds, and the warm-up', () => {
    const warm = stages({ name: 'warm', connections: 60, seconds: 10, counted: false }, { name: 'main', connections: 60, seconds: 60 });
    const plan = planWith({ load: warm, criteria: [p95] });
    const main = repeatedWindows(60, { stage: 1, second: 10, ...responses(300, 0) });
    const warmUp = repeatedWindows(10, { ...responses(300, 0), overloadedBy: ['threadCpu'] });
    const reported = judged({ plan, windows: [...warmUp, ...main] });
    expect(reported.verdict.reasons.map(({ code }) => code)).not.toContain('generator.overloaded');
    expect(reported.verdict.sentence).toContain('at 60 connections');
    const oneOverloaded = [...main.slice(1), windowWith({ stage: 1, second: 70, ...responses(300, 0), overloadedBy: ['eventLoopDelay'] })];
    expect(judged({ plan, windows: oneOverloaded }).verdict.next.map(({ kind }) => kind)).toEqual(['goUp']);
    expect(judged({ plan, windows: oneOverloaded }).verdict.sentence).toContain('was overloaded for 1 s');
  });

  it('ask for the requests that are needed: if 40 of 59 were counted, the run must be twice as long', () => {
    const plan = planWith({ load: stages({ connections: 10, requests: 40 }), criteria: [p95] });
    const [next] = judged({ plan, windows: [windowWith(responses(40, 0))] }).verdict.next;
    expect(next?.plan?.load.stages[0]).toMatchObject({ requests: 80 });
    expect(judged({ plan: next?.plan ?? plan, windows: [windowWith(responses(80, 0))] }).verdict.outcome).toBe('passed');
  });

  it('are empty while the run continues', () => {
    const { verdict } = judged({ plan: planWith({ load, criteria: [p95] }), windows: [], state: 'running', end: null });
    expect(verdict).toMatchObject({ outcome: 'inconclusive', next: [], sentence: 'Inconclusive: the run is still in progress.' });
  });

  it('are valid plans (property)', () => {
    const stage = fc.oneof(
      fc.record({ connections: fc.integer({ min: 1, max: 20_000 }), seconds: fc.integer({ min: 1, max: 100_000 }) }),
      fc
        .integer({ min: 1, max: 20_000 })
        .chain((connections) => fc.record({ connections: fc.constant(connections), requests: fc.constant(connections * 4) })),
    );
    const facts = fc.record({
      ok: fc.constantFrom([], [{ count: 40, ms: 40 }], [{ count: 40, ms: 4_000 }]),
      overloadedBy: fc.constantFrom([], ['threadCpu' as const]),
    });
    fc.assert(
      fc.property(stage, facts, fc.constantFrom([], [p95], [errors, p95]), (only, each, criteria: readonly Criterion[]) => {
        const plan = planWith({ journey: [{ name: 'a' }, { name: 'b' }], load: stages(only), criteria: [...criteria] });
        for (const next of judged({ plan, windows: repeatedWindows(3, each), generators: [generatorWith()] }).verdict.next) {
          if (next.plan === null) continue;
          expect(checkPlan(planSchema.parse(next.plan)).filter(({ level }) => level === 'error')).toEqual([]);
        }
      }),
    );
  });
});

describe('list of reasons', () => {
  const load = users([5, 8, 15, 30].map((count) => ({ users: count, seconds: 10 })));
  const windows = [0, 1, 2, 3].flatMap((stage) =>
    repeatedWindows(10, { second: stage * 10, stage, ok: [{ count: 300, ms: 40, lateMs: 0 }] }),
  );

  it('begins with the highest load that passed', () => {
    const { criteria, verdict } = judged({ plan: planWith({ load, criteria: [p95] }), windows });
    expect(ownCriteria(criteria).map(({ stage, outcome }) => `${stage} ${outcome}`)).toEqual(
      ['1', '2', '3', '4'].map((n) => `stage ${n} passed`),
    );
    expect(verdict.reasons[0]?.text).toContain('stage 4');
  });

  it('says that a stopped run is inconclusive', () => {
    const stopped = { state: 'stopped', endedBecause: { code: 'user', text: 'You stopped it.' } } as const;
    const { verdict } = judged({ plan: planWith({ load, criteria: [p95] }), windows, ...stopped });
    expect(verdict.outcome).toBe('inconclusive');
    expect(verdict.reasons[0]?.text).toMatch(/ Inconclusive: the run ended early\.$/);
  });
});
