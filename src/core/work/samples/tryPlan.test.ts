import { expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { planWith } from '#core/testing/plans.ts';
import { tryPlan } from './tryPlan.ts';

const journey: PlanInput['journey'] = [
  { name: 'home', thinkTime: { kind: 'fixed', seconds: 9 }, budgetMs: 800 },
  { name: 'news', stream: { seconds: 600, beside: true } },
];
const tried = (changes: Partial<PlanInput> = {}) => tryPlan(planWith({ journey, ...changes }));

it('tryPlan: runs the journey once with one user and one thread, at the first target and without criteria', () => {
  const plan = tried({
    targets: [{ url: 'http://127.0.0.1:1/' }, { url: 'http://127.0.0.1:2/' }],
    criteria: [{ kind: 'errors', maxShare: 0.01 }],
    safety: { stopAtErrorShare: 0.1 },
    threads: 8,
  });
  expect(plan.targets.map(({ url }) => url)).toEqual(['http://127.0.0.1:1/']);
  expect(plan.load).toEqual({ model: 'connections', stages: [{ connections: 1, requests: 2, counted: true }] });
  expect(plan).toMatchObject({ criteria: [], threads: 1, engine: 'native' });
  expect(plan.safety).toEqual({ errorWindowSeconds: plan.safety.errorWindowSeconds, maxSeconds: 120 });
});

it('tryPlan: removes pauses and listens to streams for 2 s', () => {
  const [home, news] = tried().journey;
  expect(home).not.toHaveProperty('thinkTime');
  expect(home).not.toHaveProperty('budgetMs');
  expect(news?.stream).toMatchObject({ seconds: 2, beside: false });
});

it('tryPlan: keeps a time-out of up to 30 s', () => {
  expect([tried({ timeoutSeconds: 5 }).timeoutSeconds, tried({ timeoutSeconds: 300 }).timeoutSeconds]).toEqual([5, 30]);
});

it('tryPlan: sends background requests once at the end', () => {
  const beat = { name: 'beat', background: { everySeconds: 5 } };
  const plan = tried({ journey: [{ name: 'home' }, beat] });
  expect(plan.flow).toEqual(['home', 'beat']);
  expect(plan.journey[1]).not.toHaveProperty('background');
  expect(plan.load.stages).toMatchObject([{ connections: 1, requests: 1, counted: true }]);
});

it('tryPlan: adds users until each choice was taken', () => {
  const choose = [
    { flow: ['a'], weight: 3 },
    { flow: ['b'], weight: 1 },
  ];
  const plan = tried({ journey: [{ name: 'home' }, { name: 'a' }, { name: 'b' }], flow: ['home', { choose }] });
  expect(plan.load.stages).toHaveLength(2);
  expect(plan.load.stages.every((stage) => 'requests' in stage && stage.requests === 1)).toBe(true);
});

it('tryPlan: sends a background request only for users who take the step that starts it', () => {
  const plan = tryPlan(
    planWith({
      journey: [{ name: 'login' }, { name: 'scores' }, { name: 'news', background: { everySeconds: 5, after: 'login' } }],
      flow: [
        {
          choose: [
            { weight: 1, flow: ['login'] },
            { weight: 1, flow: ['scores'] },
          ],
        },
      ],
      load: { model: 'users', stages: [{ users: 2, seconds: 1 }] },
    }),
  );
  expect(plan.flow).toMatchObject([{ choose: [{ flow: ['login', 'news'] }, { flow: ['scores'] }] }]);
});
