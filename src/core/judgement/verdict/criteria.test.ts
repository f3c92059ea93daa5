import { describe, expect, it } from 'vitest';
import type { Criterion, PlanInput } from '#core/plan/schema/plan.ts';
import type { Window } from '#core/measurement/window.ts';
import { arrivals, planWith, stages } from '#core/testing/plans.ts';
import { repeatedWindows, windowWith, type WindowFacts } from '#core/testing/windows.ts';
import { judged, ownCriteria, type RunStory } from './testing/judged.ts';

const errors: Criterion = { kind: 'errors', maxShare: 0.05 };
const load = stages({ connections: 10, seconds: 10 });
const good: WindowFacts = { ok: [{ count: 100, ms: 40 }] };

function results(changes: Partial<PlanInput>, windows: readonly Window[], story: Partial<RunStory> = {}) {
  return judged({ plan: planWith({ load, criteria: [errors], ...changes }), windows, ...story }).criteria;
}
const stepsOf = (changes: Partial<PlanInput>, windows: readonly Window[] = repeatedWindows(10, good)) =>
  ownCriteria(results(changes, windows)).map(({ step }) => step);

describe('scope of a criterion', () => {
  it('is every step of a journey, or the named one', () => {
    const journey = [{ name: 'a' }, { name: 'b' }];
    expect(stepsOf({ journey })).toEqual(['a', 'b']);
    expect(stepsOf({ journey, criteria: [{ ...errors, step: 'b' }] })).toEqual(['b']);
    expect(stepsOf({ journey: [...journey, { name: 'call', path: 'http://127.0.0.1:9/', measured: false }] })).toEqual(['a', 'b']);
  });

  it('includes the redirects of a step if there were some', () => {
    const journey: PlanInput['journey'] = [{ name: 'a', redirects: { follow: true } }];
    expect(stepsOf({ journey })).toEqual(['a']);
    expect(stepsOf({ journey }, [...repeatedWindows(10, good), ...repeatedWindows(10, { ...good, step: 1 })])).toEqual([
      'a',
      'a › redirects',
    ]);
  });

  it('includes a step of a flow only if a journey of the stage takes it', () => {
    const journey: PlanInput['journey'] = [{ name: 'a' }, { name: 'b' }, { name: 'beat', background: { everySeconds: 5 } }];
    const flow: PlanInput['flow'] = [
      'a',
      {
        choose: [
          { flow: ['b'], weight: 0, weightIn: { busy: 1 } },
          { flow: ['a'], weight: 1 },
        ],
      },
    ];
    const two = { ...stages({ name: 'calm', connections: 1, seconds: 10 }, { name: 'busy', connections: 1, seconds: 10 }) };
    expect(results({ journey, flow, load: two }, []).map(({ stage, step }) => `${stage} ${step}`)).toEqual([
      'calm a',
      'calm beat',
      'busy a',
      'busy b',
      'busy beat',
    ]);
  });

  it('names the stage only if several stages count', () => {
    const two = stages({ name: 'x', connections: 1, seconds: 10 }, { name: 'y', connections: 1, seconds: 10 });
    expect(results({ load: two }, []).map(({ text }) => text)).toEqual([
      'at most 5 % of requests of “page” failing during “x”',
      'at most 5 % of requests of “page” failing during “y”',
    ]);
    const warm = stages({ name: 'x', connections: 1, seconds: 10, counted: false }, { name: 'y', connections: 1, seconds: 10 });
    expect(results({ load: warm }, []).map(({ stage, text }) => [stage, text])).toEqual([
      ['y', 'at most 5 % of requests of “page” failing'],
    ]);
    expect(results({ load: two, criteria: [{ ...errors, stage: 'y' }] }, []).map(({ stage }) => stage)).toEqual(['y']);
  });
});

describe('measured value of a criterion', () => {
  it('includes requests without a response in the share of failures', () => {
    const windows = repeatedWindows(10, { ok: [{ count: 90, ms: 40 }], failed: { httpError: 6, timeout: 4 } });
    expect(results({}, windows)[0]?.measured).toBeCloseTo(0.1, 12);
    expect(results({}, repeatedWindows(10, { ok: [{ count: 90, ms: 40 }], withoutResponse: 10 }))[0]?.measured).toBeCloseTo(0.1, 9);
    expect(results({}, [])[0]).toMatchObject({ measured: null, unknownBecause: 'notMeasured' });
  });

  it('is the time at the percentile, or "never" if its rank exceeds the successful responses', () => {
    const p90: Criterion = { kind: 'responseTime', percentile: 90, maxMs: 1_000 };
    const of = (good: number, failed: number) =>
      results({ criteria: [p90] }, [windowWith({ ok: [{ count: good, ms: 40 }], failed: { httpError: failed } })])[0]?.measured;
    expect([of(90, 10), of(89, 11)]).toEqual([40, 'never']);
  });
});

describe('a criterion that cannot pass', () => {
  const findReason = (story: Partial<RunStory>, changes: Partial<PlanInput> = {}, facts = good) =>
    results(changes, repeatedWindows(10, facts), story)[0]?.reason;

  it('gives the reason: the run ended early, outcomes do not add up, or less was offered', () => {
    expect(findReason({ state: 'stopped' })).toMatch(/allowed\. Inconclusive: the run ended early\.$/);
    expect(findReason({ balances: false })).toMatch(/ Inconclusive: not every request is accounted for\.$/);
    expect(findReason({ balances: false, state: 'stopped' })).toMatch(/ not every request is accounted for\.$/);
    expect(findReason({}, { load: stages({ connections: 1, requests: 1_001 }) })).toMatch(
      / Inconclusive: less than the planned load was offered\.$/,
    );
    expect(findReason({}, { load: stages({ connections: 1, requests: 1_000 }) })).not.toContain('Inconclusive');
  });

  it('stays failed or unknown', () => {
    const failed = repeatedWindows(10, { failed: { httpError: 100 } });
    expect(results({}, failed, { state: 'stopped' })[0]).toMatchObject({ outcome: 'failed' });
    expect(results({}, [], { state: 'stopped' })[0]).toMatchObject({ unknownBecause: 'notMeasured' });
    const close = repeatedWindows(10, { ok: [{ count: 95, ms: 40 }], failed: { httpError: 5 } });
    expect(results({}, close, { state: 'stopped' })[0]).toMatchObject({ outcome: 'unknown', unknownBecause: 'interrupted' });
    expect(results({}, close, {})[0]).toMatchObject({ outcome: 'unknown', unknownBecause: 'tooClose' });
  });

  it('compares requests of all steps with the plan, or journeys if steps are left out', () => {
    const journey = [{ name: 'a' }, { name: 'b' }];
    const both = [
      ...repeatedWindows(10, { ok: [{ count: 50, ms: 40 }] }),
      ...repeatedWindows(10, { step: 1, ok: [{ count: 50, ms: 40 }] }),
    ];
    const planned = (requests: number) =>
      results({ journey, load: stages({ connections: 1, requests }) }, both).map(({ outcome }) => outcome);
    expect([planned(1_000), planned(1_002)]).toEqual([
      ['passed', 'passed'],
      ['unknown', 'unknown'],
    ]);
  });
});

describe('a page that is unavailable', () => {
  const never = (missing: number, sent: number, step: PlanInput['journey'][number] = { name: 'page' }, status = 404) =>
    results({ journey: [step] }, [windowWith({ failed: { httpError: sent }, statuses: { [status]: missing } })])[0];
  const saysSo = (found: ReturnType<typeof never>): boolean =>
    found?.outcome === 'failed' && / got .*, so the plan requests a page that /.test(found.reason);

  it('is recognized if 95 % of the responses report it', () => {
    expect([never(95, 100), never(94, 100)].map(saysSo)).toEqual([true, false]);
  });

  it('is recognized only for GET or HEAD if it was moved or denied', () => {
    const by = (method: 'GET' | 'HEAD' | 'POST', status: number) => never(100, 100, { name: 'page', method }, status);
    expect([by('GET', 403), by('HEAD', 403), by('POST', 403), by('POST', 404)].map(saysSo)).toEqual([true, true, false, true]);
  });
});

it('wasOffered: counts arrivals that could not start because of outstanding responses, not those that the load generator left out', () => {
  const open = { load: arrivals([{ kind: 'constant' as const, perSecond: 100, seconds: 10 }]), criteria: [{ ...errors, maxShare: 0.1 }] };
  const each = (count: number, notStarted: WindowFacts['notStarted']) =>
    repeatedWindows(10, { ok: [{ count, ms: 40 }], ...(notStarted ? { notStarted } : {}) });
  expect(results(open, each(98, { target: 2 }))[0]).toMatchObject({ outcome: 'passed' });
  expect(results(open, each(98, { target: 1 }))[0]).toMatchObject({ outcome: 'unknown', unknownBecause: 'notOffered' });
  expect(results(open, each(98, { generator: 2 }))[0]).toMatchObject({ outcome: 'unknown', unknownBecause: 'generator' });
});
