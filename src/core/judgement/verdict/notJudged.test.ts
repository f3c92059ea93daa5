import { describe, expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { planWith, stages } from '#core/testing/plans.ts';
import { windowWith } from '#core/testing/windows.ts';
import { formatNotJudged } from './notJudged.ts';
import { judged, type RunStory } from './testing/judged.ts';

const LIMIT: PlanInput['criteria'] = [{ kind: 'responseTime', step: 'page', percentile: 80, maxMs: 1_000 }];
const fast = (step: number, good = 300) => windowWith({ step, ok: [{ count: good, ms: 40 }] });

function judgePlan(journey: PlanInput['journey'], windows: ReturnType<typeof fast>[], story: Partial<RunStory> = {}, criteria = LIMIT) {
  return judged({
    plan: planWith({ journey, load: stages({ connections: 10, seconds: 1 }), criteria: criteria ?? [] }),
    windows,
    ...story,
  }).verdict;
}

describe('notJudged', () => {
  it('is empty if each step has a decided criterion', () => {
    const verdict = judgePlan([{ name: 'page' }, { name: 'form' }], [fast(0), fast(1)]);
    expect(verdict.notJudged).toEqual([]);
    expect(formatNotJudged(verdict)).toBe('');
  });

  it('lists a step that was never sent', () => {
    const verdict = judgePlan([{ name: 'page' }, { name: 'form' }, { name: 'submissions' }], [fast(0)]);
    expect(verdict.notJudged).toEqual([
      { step: 'form', because: 'neverSent' },
      { step: 'submissions', because: 'neverSent' },
    ]);
    expect(formatNotJudged(verdict)).toBe('Not judged: “form”, “submissions” (never sent).');
  });

  it('lists an undecided step beside decided ones', () => {
    const windows = [
      windowWith({ failed: { httpError: 300 } }),
      windowWith({ step: 1, ok: [{ count: 9, ms: 4 }], failed: { timeout: 1 }, overloadedBy: ['threadCpu'] }),
    ];
    const verdict = judgePlan([{ name: 'page' }, { name: 'form' }], windows);
    expect(formatNotJudged(verdict)).toBe('Not judged: “form” (inconclusive).');
    const cut = judgePlan([{ name: 'page' }], [fast(0)], { state: 'stopped' });
    expect([cut.notJudged, formatNotJudged(cut)]).toEqual([[{ step: 'page', because: 'undecided' }], '']);
  });

  it('lists a step whose responses were too large to check', () => {
    const large = windowWith({ step: 1, ok: [{ count: 300, ms: 40 }], responsesUnchecked: 2 });
    const verdict = judgePlan([{ name: 'page' }, { name: 'list' }], [fast(0), large]);
    expect([verdict.outcome, verdict.notJudged]).toEqual(['passed', [{ step: 'list', because: 'notChecked' }]]);
    expect(formatNotJudged(verdict)).toBe('Not judged: “list” (responses too large to check).');
  });

  it('lists every step of a run without criteria, but without a sentence', () => {
    const verdict = judgePlan([{ name: 'page' }], [fast(0)], {}, []);
    expect([verdict.notJudged, formatNotJudged(verdict)]).toEqual([[{ step: 'page', because: 'noCriteria' }], '']);
  });

  it('omits a step that made a run without criteria fail', () => {
    const verdict = judgePlan([{ name: 'page' }], [windowWith({ failed: { wrongBody: 100 } })], {}, []);
    expect([verdict.outcome, verdict.notJudged]).toEqual(['failed', []]);
  });

  it('lists a storing step whose response would be the same if the server had refused the item', () => {
    const send = { name: 'send', method: 'POST' as const };
    const because = (changes: Partial<PlanInput['journey'][number]>, story: Partial<RunStory> = {}) =>
      judgePlan([{ name: 'page' }, { ...send, ...changes }], [fast(0), fast(1)], story).notJudged?.map((one) => one.because);
    expect(because({})).toEqual(['statusOnly']);
    expect(because({ checks: [{ kind: 'contains', text: 'Saved' }] })).toEqual([]);
    expect(because({ expectStatus: [201] })).toEqual([]);
    expect(because({ expectStatus: [200, 201] })).toEqual(['statusOnly']);
    expect(because({ stores: false })).toEqual([]);
    const rows = { name: 'rows', step: 'send', before: 0, after: 300, stands: true };
    expect(because({}, { events: [{ second: 1, kind: 'stored', text: '', data: rows }] })).toEqual([]);
  });
});
