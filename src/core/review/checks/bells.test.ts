import { expect, it } from 'vitest';
import { exportPlan } from '#core/export/exportPlan.ts';
import { type PlanInput, planSchema } from '#core/plan/schema/plan.ts';
import { describePlan } from '../describe.ts';
import { parsePlan } from '../check.ts';

const PLAN: PlanInput = {
  holdfast: 1,
  name: 't',
  targets: [{ url: 'http://127.0.0.1:1/' }],
  journey: [{ name: 'login' }, { name: 'start', gate: 'start' }],
  bells: { start: { atSeconds: 5 } },
  load: { model: 'users', stages: [{ users: 3, seconds: 10 }] },
};

function problems(changes: Partial<PlanInput>): string[] {
  return parsePlan(JSON.stringify({ ...PLAN, ...changes })).issues.map(({ level, code, path }) => `${level} ${code} ${path}`);
}

it('bells: a plan with a gate and its bell has no issue', () => {
  expect(problems({})).toEqual([]);
});

it.each<[string, PlanInput['journey'], string]>([
  [
    'two steps that give places',
    [
      { name: 'a', places: { count: 1, full: 'x' } },
      { name: 'b', places: { count: 1, full: 'x' } },
    ],
    'error PLACES_TWICE journey[1].places',
  ],
  ['places without a number', [{ name: 'a', places: { full: 'x' } }], 'error PLACES_WITHOUT_COUNT journey[0].places'],
  [
    'places beside the journey',
    [{ name: 'a' }, { name: 'b', background: { everySeconds: 1 }, places: { count: 1, full: 'x' } }],
    'error PLACES_BESIDE_JOURNEY journey[1].places',
  ],
])('places: refuses %s', (_what, journey, problem) => {
  expect(problems({ journey, bells: {} })).toContain(problem);
});

it.each<[string, Partial<PlanInput>, string]>([
  ['a gate without a bell', { bells: {} }, 'error UNKNOWN_BELL journey[1].gate'],
  ['a gate named like a member of every object', { journey: [{ name: 'start', gate: '__proto__' }] }, 'error UNKNOWN_BELL journey[0].gate'],
  ['a bell without a gate', { bells: { start: { atSeconds: 5 }, end: { atSeconds: 6 } } }, 'warning BELL_WITHOUT_GATE bells.end'],
  [
    'two steps with one bell',
    {
      journey: [
        { name: 'a', gate: 'start' },
        { name: 'b', gate: 'start' },
      ],
    },
    'error BELL_TWICE bells.start',
  ],
  [
    'a bell in a stage that no criterion judges',
    {
      load: {
        model: 'arrivals',
        stages: [
          { kind: 'count', arrivals: 9, seconds: 3 },
          { kind: 'pause', seconds: 9 },
        ],
      },
    },
    'error BELL_NOT_JUDGED bells.start.atSeconds',
  ],
  ['a bell after the load', { bells: { start: { atSeconds: 10 } } }, 'error BELL_AFTER_LOAD bells.start.atSeconds'],
  [
    'a step beside the journey',
    { journey: [{ name: 'login' }, { name: 'start', gate: 'start', background: { everySeconds: 1 } }] },
    'error GATE_BESIDE_JOURNEY journey[1].gate',
  ],
  [
    'fixed connections',
    { load: { model: 'connections', stages: [{ connections: 3, seconds: 10 }] } },
    'error BELL_WITHOUT_USERS load.model',
  ],
  [
    'reloads of fixed connections',
    { journey: [{ name: 'a', reload: {} }], load: { model: 'connections', stages: [{ connections: 3, seconds: 10 }] } },
    'error RELOAD_WITHOUT_USERS journey[0].reload',
  ],
  [
    'reloads of a side call',
    { journey: [{ name: 'a' }, { name: 'b', measured: false, reload: {} }] },
    'error RELOAD_BESIDE_JOURNEY journey[1].reload',
  ],
  [
    'stages that begin anew',
    {
      load: {
        model: 'users',
        stages: [
          { users: 3, seconds: 10 },
          { users: 3, seconds: 10, continues: false },
        ],
      },
    },
    'error BELL_WITH_BREAKS load.stages',
  ],
])('bells: refuses %s', (_what, changes, issue) => {
  expect(problems(changes)).toContain(issue);
});

it('bells: their description contains the instant and what late users do', () => {
  const sentences = (late: 'continue' | 'leave'): string =>
    JSON.stringify(describePlan(planSchema.parse({ ...PLAN, bells: { start: { atSeconds: 5, late } } })));
  expect(sentences('continue')).toContain(
    'All users wait before “start” and send it together 5 s after the start of the load. A user who comes later sends it at once.',
  );
  expect(sentences('leave')).toContain('A user who comes later ends the journey.');
});

it('bells: only k6 can send the step of a gate at an instant', () => {
  const kindOf = (tool: 'k6' | 'artillery') => exportPlan(tool, planSchema.parse(PLAN), {}).kind;
  expect([kindOf('k6'), kindOf('artillery')]).toEqual(['exported', 'refused']);
});
