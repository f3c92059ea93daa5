import { expect, it } from 'vitest';
import { planWith, stages, users } from '#core/testing/plans.ts';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import { facts, healthyStep, point } from '../testing/facts.ts';
import { sampleBell } from '#core/result/testing/sampleBell.ts';
import { ACCOUNTS_REFUSED_EVENT } from '#core/result/accountsRefused.ts';
import { diagnose, findNotOfLoad } from '../diagnose.ts';
import { findingsBy } from '../testing/found.ts';
import type { MeasuredRun } from '../rule.ts';

interface Level {
  readonly users: number;
  readonly ok: number;
  readonly refused: number;
  readonly status?: string;
}

/** Returns a run with stages that have the given numbers of successful and refused requests of “login”. */
function run(
  levels: readonly Level[],
  load = stages(...levels.map(({ users: count }) => ({ connections: count, seconds: 60 }))),
): MeasuredRun {
  const stepOf = (ok: number, refused: number, status?: string) =>
    healthyStep({
      name: 'login',
      requests: {
        ...emptyRequestOutcomes(),
        sent: ok + refused,
        ok,
        ...(status === undefined ? { wrongBody: refused } : { httpError: refused }),
      },
      errors: status === undefined ? { 'TEXT_MISSING “Welcome”@check': refused } : {},
      status: status === undefined ? { '200': ok + refused } : { '200': ok, [status]: refused },
    });
  const sum = (key: 'ok' | 'refused') => levels.reduce((total, level) => total + level[key], 0);
  const whole = stepOf(sum('ok'), sum('refused'), levels[0]?.status);
  const base = facts(whole, { plan: planWith({ journey: [{ name: 'login', path: 'login' }], load }) });
  const [stage] = base.stages;
  if (stage === undefined) throw new Error('no stage');
  return {
    ...base,
    stages: levels.map(({ users: count, ok, refused, status }, index) => ({
      ...stage,
      name: `stage ${index + 1}`,
      level: { unit: 'users', from: count, to: count, highest: count },
      steps: [stepOf(ok, refused, status)],
    })),
  };
}

it('refusedAtAnyLoad: reports the share of a step that is refused at any load', () => {
  const given = run([
    { users: 2, ok: 76, refused: 24 },
    { users: 8, ok: 305, refused: 95 },
  ]);
  const [finding] = findingsBy('refusedAtAnyLoad', given);
  expect(finding?.sentence).toBe(
    '23.8 % of requests of “login” are refused at any load: 24 % at 2 users, 23.8 % at 8 users. Load is not the cause.',
  );
  expect(finding).toMatchObject({ level: 'problem', confidence: 'likely' });
  expect(findingsBy('wrongContent', given)).toEqual([]);
  expect(findNotOfLoad(given, diagnose(given))?.id).toBe('refusedAtAnyLoad.login');
});

it.each([
  [
    'a larger share is refused at the higher load',
    [
      { users: 2, ok: 95, refused: 5 },
      { users: 8, ok: 300, refused: 100 },
    ],
  ],
  ['there is only one load', [{ users: 2, ok: 76, refused: 24 }]],
  [
    'the server fails',
    [
      { users: 2, ok: 76, refused: 24, status: '500' },
      { users: 8, ok: 305, refused: 95, status: '500' },
    ],
  ],
  [
    'all requests are refused',
    [
      { users: 2, ok: 0, refused: 100 },
      { users: 8, ok: 0, refused: 400 },
    ],
  ],
  [
    'too few requests were sent',
    [
      { users: 2, ok: 10, refused: 4 },
      { users: 8, ok: 305, refused: 95 },
    ],
  ],
])('refusedAtAnyLoad: is absent if %s', (_name, levels) => {
  expect(findingsBy('refusedAtAnyLoad', run(levels))).toEqual([]);
});

it("findNotOfLoad: returns a rule's refusals if they are most of the failures, and null if the server fails", () => {
  const of = (status: string) => {
    const given = run([{ users: 2, ok: 76, refused: 24, status }], users([{ users: 2, seconds: 60 }]));
    return findNotOfLoad(given, diagnose(given))?.id ?? null;
  };
  expect(['401', '403', '429', '500', '503', '504'].map(of)).toEqual([
    'unexpectedStatus.401',
    'unexpectedStatus.403',
    'unexpectedStatus.429',
    null,
    null,
    null,
  ]);
});

it('accountsRefused: names the cause by the step and the words of the server', () => {
  const plan = planWith({
    journey: [
      { name: 'log in', method: 'POST', path: 'login', form: { name: 'ann', password: 'x' } },
      { name: 'start', path: 'start', gate: 'ten' },
      { name: 'answer', path: 'answer' },
    ],
    bells: { ten: { atSeconds: 5 } },
  });
  const refusedAt = (step: string, words = 'No') => {
    const data = { step, count: 2, of: 12, names: ['ann', 'ben'] };
    const event = { second: 60, kind: ACCOUNTS_REFUSED_EVENT, text: '', data };
    const serverMessages = [{ request: step, failure: 'status 403', words }];
    return findingsBy('accountsRefused', { ...facts(undefined, { plan }), events: [event], serverMessages })[0]?.evidence[0];
  };
  expect(refusedAt('log in')).toMatch(/passwords of these are probably wrong/);
  expect(refusedAt('start')).toMatch(/probably used before/);
  expect(refusedAt('answer')).toMatch(/time on the site may be over/);
  expect(refusedAt('start', 'Fatal error: Uncaught TypeError in start.php')).toMatch(/a server that failed/);
  expect(refusedAt('start', 'mysqli_connect(): too many connections'), 'named as a fault of the database').toBeUndefined();
});

it('accountsRefused: names the second from which a site refuses everybody who had been let in', () => {
  const journey = [{ name: 'log in' }, { name: 'start', gate: 'ten' }, { name: 'answer' }];
  const plan = planWith({ journey, bells: { ten: { atSeconds: 2 } } });
  const run = (count: number, okAfter: number, ok = 90) => {
    const data = { step: 'answer', count, of: 24, names: ['ann'] };
    const seconds = [12, 30, 40, 20, okAfter, okAfter];
    const windows = seconds.map((ok, second) => {
      const failed = second < 3 ? 0 : count / 3;
      return point(second, { completed: ok + failed, ok, failed });
    });
    const bells = [sampleBell({ bell: 'end', atSecond: 50 })];
    const event = { second: 60, kind: ACCOUNTS_REFUSED_EVENT, text: '', data };
    const step = healthyStep({ name: 'answer', requests: { ...emptyRequestOutcomes(), sent: ok + count, ok, httpError: count } });
    return findingsBy('accountsRefused', { ...facts(step, { plan }), windows, bells, events: [event] })[0];
  };
  expect(run(24, 0)).toMatchObject({
    confidence: 'likely',
    sentence: 'From second 3 on, the site refused everybody at “answer”: all 24 users. Probably the time is over there.',
  });
  expect(run(24, 0)?.evidence[1]).toBe('In the plan, the bell “end” only rings at 50 s.');
  expect(run(24, 30)?.sentence).toMatch(/accounts were refused/);
  expect(run(12, 0)?.sentence).toMatch(/accounts were refused/);
  expect(run(24, 0, 0)?.sentence, 'a step that never succeeded').toMatch(/accounts were refused/);
});
