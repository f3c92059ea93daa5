import { describe, expect, it } from 'vitest';
import type { Criterion } from '#core/plan/schema/plan.ts';
import { planWith, stages } from '#core/testing/plans.ts';
import { repeatedWindows } from '#core/testing/windows.ts';
import { generatorWith, judged, type RunStory } from './testing/judged.ts';

const p95: Criterion = { kind: 'responseTime', percentile: 95, maxMs: 1_000 };
const plan = planWith({ load: stages({ connections: 10, seconds: 10 }), criteria: [p95] });
const windows = repeatedWindows(10, { ok: [{ count: 100, ms: 40 }] });
const reasons = (story: Partial<RunStory>) => judged({ plan, windows, ...story }).verdict.reasons;
const textOf = (story: Partial<RunStory>, code: string): string | undefined => reasons(story).find((reason) => reason.code === code)?.text;

describe('reasons of a verdict', () => {
  it('list failed, then unknown, then passed criteria, each from the highest load on', () => {
    const load = stages({ name: 'a', connections: 10, seconds: 10 }, { name: 'b', connections: 20, seconds: 10 });
    const criteria: Criterion[] = [
      { kind: 'errors', maxShare: 0.01 },
      { ...p95, stage: 'b' },
      { kind: 'errors', maxShare: 0.001, stage: 'a' },
    ];
    const two = [
      ...windows,
      ...repeatedWindows(10, {
        stage: 1,
        second: 10,
        ok: [
          { count: 50, ms: 40 },
          { count: 50, ms: 1_500 },
        ],
      }),
    ];
    const found = judged({ plan: planWith({ load, criteria }), windows: two }).verdict.reasons;
    expect(found.map(({ code }) => code)).toEqual(['responseTime.failed', 'errors.unknown', 'errors.passed', 'errors.passed']);
    expect(found.slice(2).map(({ text }) => /during “(.)”/.exec(text)?.[1])).toEqual(['b', 'a']);
  });

  it('say why a run ended, and that outcomes do not add up', () => {
    expect(textOf({ state: 'stopped', endedBecause: { code: 'user', text: 'You stopped it.' } }, 'ended.user')).toBe('You stopped it.');
    expect(textOf({ balances: false }, 'outcomes.unbalanced')).toContain('That is a bug of Holdfast');
    expect(reasons({}).map(({ code }) => code)).toEqual(['responseTime.passed', 'default.passed', 'time.notSeen']);
  });

  it('name a lost load generator and when it was lost', () => {
    const generators = [generatorWith(), generatorWith({ name: 'web1', lost: { second: 7.9, text: 'Its connection broke.' } })];
    expect(textOf({ generators }, 'generator.lost')).toBe(
      'Degraded: web1 was lost in second 7, together with its part of the load. Its connection broke.',
    );
    expect(judged({ plan, windows, generators }).criteria[0]?.reason).toMatch(/Inconclusive: web1 was lost during the run\.$/);
    const both = generators.map((generator) => ({ ...generator, lost: { second: 1, text: '' } }));
    expect(judged({ plan, windows, generators: both }).criteria[0]?.reason).toMatch(/this computer and web1 were lost during the run\.$/);
  });

  it('say how long a generator was overloaded and why, and the schedule lag only if it is a cause', () => {
    const late = (overloadedBy: 'scheduleLag' | 'steal') =>
      repeatedWindows(10, { ok: [{ count: 100, ms: 40, lateMs: 300 }], overloadedBy: [overloadedBy] });
    expect(textOf({ windows: late('steal') }, 'generator.overloaded')).toBe(
      'This computer was overloaded for 10 s: the hypervisor took processor time away.',
    );
    expect(textOf({ windows: late('steal') }, 'generator.late')).toBeUndefined();
    expect(textOf({ windows: late('scheduleLag') }, 'generator.late')).toContain('99 % within 300 ms of');
    expect(
      textOf({ windows: repeatedWindows(10, { ok: [{ count: 100, ms: 40 }], overloadedBy: ['scheduleLag'] }) }, 'generator.late'),
    ).toBeUndefined();
  });

  it('omit what may have been missed, if the run failed', () => {
    const slow = repeatedWindows(10, { ok: [{ count: 100, ms: 4_000 }] });
    expect(reasons({ windows: slow }).map(({ code }) => code)).toEqual(['responseTime.failed', 'default.passed']);
    expect(judged({ plan, windows: slow }).verdict.notSeen).toEqual({ watchedSeconds: 10, rarerThanSeconds: 10 / 3 });
  });
});
