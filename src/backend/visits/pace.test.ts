import { describe, expect, it } from 'vitest';
import { planSchema } from '#core/plan/schema/plan.ts';
import { nextVisitSecond, visitIntervalSeconds, StepBack } from './pace.ts';

const plan = (seconds: number | undefined, pages = 1) =>
  planSchema.parse({
    holdfast: 1,
    name: 'paced',
    targets: [{ url: 'http://127.0.0.1/' }],
    journey: [{ name: 'page' }],
    load: { model: 'connections', stages: [seconds === undefined ? { connections: 1, requests: 5 } : { connections: 1, seconds }] },
    watchPages: Array.from({ length: pages }, (_, index) => ({ url: `/${index}` })),
  });

it('nextVisitSecond begins a visit at a bell that rings before it is due, or shortly after', () => {
  const bells = { start: { atSeconds: 20, late: 'continue' as const }, end: { atSeconds: 65, late: 'continue' as const } };
  expect(nextVisitSecond({ bells }, { earliest: 15, due: 25 })).toBe(20);
  expect(nextVisitSecond({ bells }, { earliest: 18, due: 18 })).toBe(20);
  expect(nextVisitSecond({ bells }, { earliest: 10, due: 16 })).toBe(16);
  expect(nextVisitSecond({ bells }, { earliest: 20.5, due: 24 })).toBe(24);
  expect(nextVisitSecond({}, { earliest: 1, due: 2 })).toBe(2);
});

describe('visitIntervalSeconds', () => {
  it('plans enough visits for a median, shared equally among pages', () => {
    expect(visitIntervalSeconds(plan(48), 0)).toBe(2);
    expect(visitIntervalSeconds(plan(48, 2), 0)).toBe(1);
    expect(visitIntervalSeconds(plan(3_600), 0)).toBe(15);
    expect(visitIntervalSeconds(plan(5), 0)).toBe(1);
    expect(visitIntervalSeconds(plan(undefined), 0)).toBe(2);
  });
});

describe('a StepBack', () => {
  const visit = [{ from: 0, to: 100 }];
  const second = (at: number, isOverloaded: boolean) => ({ second: at, width: 1, isOverloaded });

  it('reduces visits, and later ends them, if the seconds with visits are overloaded', () => {
    const step = new StepBack();
    const changes = Array.from({ length: 12 }, (_, at) => (step.add(second(at, true), visit) ? step.pauseSeconds : undefined));
    expect(changes.filter((change) => change !== undefined)).toEqual([4, 8, 16, null]);
  });

  it('changes nothing if seconds without a visit are overloaded equally often', () => {
    const step = new StepBack();
    for (let at = 0; at < 60; at += 1) expect(step.add(second(at, at % 2 === 0), at % 4 < 2 ? visit : [])).toBe(false);
    expect(step.pauseSeconds).toBe(0);
  });

  it('restores the pace when seconds without a visit are overloaded too', () => {
    const step = new StepBack();
    const changes: (number | null)[] = [];
    // Without a pause, every second contains a visit. Only a pause leaves seconds without a visit for the comparison.
    for (let at = 0; at < 40; at += 1) {
      const isVisited = step.pauseSeconds === 0 || at % 2 === 0;
      if (step.add(second(at, true), isVisited ? visit : [])) changes.push(step.pauseSeconds);
    }
    expect(changes.slice(0, 2)).toEqual([4, 0]);
  });

  it('changes nothing without overload', () => {
    const step = new StepBack();
    for (let at = 0; at < 60; at += 1) expect(step.add(second(at, false), visit)).toBe(false);
  });
});
