import { describe, expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { planWith, stages } from '#core/testing/plans.ts';
import { windowWith, type WindowFacts } from '#core/testing/windows.ts';
import { checkError } from '#core/work/bodyCheck/errorTexts.ts';
import { judged, type RunStory } from './testing/judged.ts';

const submit: PlanInput['journey'][number] = { name: 'submit', method: 'POST', items: { one: 'solution', many: 'solutions' } };
const list: PlanInput['journey'][number] = { name: 'list', confirms: 'submit' };
const LIMIT: PlanInput['criteria'] = [{ kind: 'responseTime', step: 'submit', percentile: 80, maxMs: 1_000 }];

const sent = (good: number, facts: WindowFacts = {}) => windowWith({ ok: [{ count: good, ms: 40 }], ...facts });
const found = (good: number, missing: number, facts: WindowFacts = {}) =>
  windowWith({ step: 1, ok: [{ count: good, ms: 40 }], failed: { wrongBody: missing }, ...facts });

function run(journey: PlanInput['journey'], windows: ReturnType<typeof sent>[], story: Partial<RunStory> = {}, criteria = LIMIT) {
  return judged({
    plan: planWith({ journey, load: stages({ connections: 10, seconds: 1 }), criteria: criteria ?? [] }),
    windows,
    ...story,
  });
}
const storage = (...given: Parameters<typeof run>) => run(...given).verdict.storage;
const counted = (before: number, after: number | null, stands = true): Partial<RunStory> => ({
  events: [{ second: 1, kind: 'stored', text: '', data: { name: 'rows', step: 'submit', before, after, stands } }],
});

describe('storage of acknowledged items', () => {
  it('is not verified without evidence, and the headline says so', () => {
    const { verdict } = run([submit], [sent(24)]);
    expect(verdict.outcome).toBe('passed');
    expect(verdict.headline).toBe('Passed at 10 connections; storage of “submit” not verified');
    expect(verdict.sentence).toBe('Passed at 10 connections; storage of “submit” not verified: 24 successful responses a second.');
    expect(verdict.storage).toEqual({
      state: 'notVerified',
      steps: [{ step: 'submit', state: 'notVerified', acknowledged: 24, missing: 0, by: null }],
    });
    expect(verdict.reasons.map(({ code }) => code)).toContain('storage.notVerified');
    expect(run([submit], [sent(24)], {}, []).verdict.headline).toBe('Measured; storage of “submit” not verified');
    const several = ['a', 'b', 'c', 'd'].map((name) => ({ ...submit, name }));
    const windows = several.map((_, step) => windowWith({ step, ok: [{ count: 24, ms: 40 }] }));
    expect(run(several, windows, {}, []).verdict.headline).toBe('Measured; storage of “a”, “b” and 2 more steps not verified');
  });

  it('is not contradicted by an error page instead of the list', () => {
    const read = (error: string) => {
      const window = found(0, 24);
      for (const cell of window.cells) cell.errors[error] = 24;
      return storage([submit, list], [sent(24), window]);
    };
    expect(read(checkError('NO_PAGE', 'HTML'))).toMatchObject({ state: 'notVerified', steps: [{ missing: 0 }] });
    expect(read(checkError('TEXT_MISSING', '“24 rows”'))).toMatchObject({ state: 'contradicted', steps: [{ missing: 24 }] });
  });

  it('does not apply to reads, to logins, and to steps that the plan declares as not storing', () => {
    const login = { name: 'login', method: 'POST' as const, form: { user: 'a', password: 'b' } };
    for (const step of [{ name: 'page' }, login, { ...submit, stores: false }])
      expect(storage([step], [sent(24)], {}, [])).toEqual({ state: 'none', steps: [] });
    expect(storage([{ name: 'page', stores: true }], [sent(24)], {}, [])?.state).toBe('notVerified');
    expect(storage([submit], [windowWith({ failed: { httpError: 5 } })])?.state).toBe('none');
  });

  it('applies to a request that contains a password only if a later step confirms its items', () => {
    const upload = { ...submit, form: { password: 'b', rows: '1' } };
    expect(storage([upload], [sent(24)])?.state).toBe('none');
    expect(run([upload, list], [sent(24), found(0, 24)]).verdict.sentence).toMatch(
      /^Failed at 10 connections: 24 of 24 acknowledged solutions were not found afterwards\./,
    );
    const stored = [{ name: 'rows', step: 'submit', command: 'count' }];
    const plan = planWith({ journey: [upload], load: stages({ connections: 10, seconds: 1 }), stored });
    expect(judged({ plan, windows: [sent(24)] }).verdict.storage?.state).toBe('notVerified');
    const withFile = {
      ...submit,
      multipart: [
        { name: 'password', value: 'b' },
        { name: 'photo', bytes: 10 },
      ],
    };
    expect(storage([withFile], [sent(24)])?.state).toBe('notVerified');
  });

  it('is undefined while the run continues', () => {
    expect(storage([submit], [sent(24)], { state: 'running' })).toBeUndefined();
  });

  it('is compared with counts of the target', () => {
    expect(storage([submit], [sent(24)], counted(100, 124))).toMatchObject({ state: 'verified', steps: [{ by: 'count' }] });
    // A server that completes requests after their time-out stores more items.
    expect(storage([submit], [sent(24)], counted(100, 130))?.state).toBe('verified');
    expect(storage([submit], [sent(24)], counted(100, null))?.state).toBe('notVerified');
    expect(storage([submit], [sent(24)], counted(100, 107, false))?.state).toBe('notVerified');
    const { verdict, criteria } = run([submit], [sent(24)], counted(100, 107));
    expect(verdict.outcome).toBe('failed');
    expect(verdict.sentence).toBe('Failed at 10 connections: 17 of 24 acknowledged solutions are not stored.');
    expect(criteria.at(-1)).toMatchObject({ outcome: 'failed', counted: 24, over: 17, isOfStorage: true });
    // A single missing item is a contradiction, however many items there are.
    expect(run([submit], [sent(2_000)], counted(0, 1_999)).verdict.outcome).toBe('failed');
  });

  it('is compared item by item if the target lists markers', () => {
    const listed = (items: { compared: number; missing: number; repeated: number }, stands = true): Partial<RunStory> => ({
      events: [{ second: 1, kind: 'stored', text: '', data: { name: 'rows', step: 'submit', before: 0, after: 24, stands, items } }],
    });
    const sentence = (...given: Parameters<typeof listed>) => run([submit], [sent(24)], listed(...given)).verdict.sentence;
    expect(storage([submit], [sent(24)], listed({ compared: 24, missing: 0, repeated: 0 }))?.state).toBe('verified');
    expect(sentence({ compared: 24, missing: 1, repeated: 1 })).toBe(
      'Failed at 10 connections: 1 of 24 acknowledged solutions is not stored, and 1 is stored more than once.',
    );
    expect(sentence({ compared: 24, missing: 0, repeated: 2 })).toContain(': 2 of 24 acknowledged solutions are stored more than once.');
    expect(storage([submit], [sent(24)], listed({ compared: 24, missing: 1, repeated: 0 }, false))?.state).toBe('notVerified');
  });

  it('is judged in a run without criteria, too', () => {
    expect(run([submit], [sent(24)], counted(0, 7), []).verdict.sentence).toBe(
      'Failed at 10 connections: 17 of 24 acknowledged solutions are not stored.',
    );
  });

  it('is compared with items that a later step finds', () => {
    expect(storage([submit, list], [sent(24), found(24, 0)])).toMatchObject({ state: 'verified', steps: [{ by: 'readBack' }] });
    expect(run([submit, list], [sent(24), found(24, 0)]).verdict.headline).toBe('Passed at 10 connections');
    expect(run([submit, list], [sent(24), found(7, 17)]).verdict.sentence).toMatch(
      /^Failed at 10 connections: 17 of 24 acknowledged solutions were not found afterwards\./,
    );
    expect(storage([submit, list], [sent(24), found(7, 0, { failed: { httpError: 17 }, statuses: { 404: 17 } })])?.state).toBe(
      'contradicted',
    );
  });

  it('is not verified if too many later steps failed for another reason or were not sent', () => {
    expect(storage([submit, list], [sent(24), found(7, 0, { failed: { httpError: 17 }, statuses: { 500: 17 } })])?.state).toBe(
      'notVerified',
    );
    expect(storage([submit, list], [sent(24), found(7, 0)])?.state).toBe('notVerified');
    expect(storage([submit, list], [sent(200), found(198, 0)])?.state).toBe('verified');
    expect(storage([submit, list], [sent(200), found(198, 2)])?.state).toBe('verified');
    expect(storage([submit, list], [sent(200), found(197, 3)])?.state).toBe('contradicted');
  });

  it('is contradicted if the poll that confirms the items never gets a result', () => {
    const evaluation = { ...list, poll: { until: [{ kind: 'contains' as const, text: 'done' }] } };
    const pending = found(0, 0);
    for (const cell of pending.cells) cell.waitsBegun = 24;
    expect(storage([submit, evaluation], [sent(24), pending])?.state).toBe('contradicted');
    expect(storage([submit, evaluation], [sent(24), pending], { state: 'stopped' })?.state).toBe('notVerified');
  });
});
