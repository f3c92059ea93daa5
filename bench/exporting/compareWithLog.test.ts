import { describe, expect, it } from 'vitest';
import { planSchema, type PlanInput } from '#core/plan/schema.ts';
import { compareWithLog, largestDifference } from './compareWithLog.ts';

const planOf = (journey: PlanInput['journey'], url = 'http://127.0.0.1/app/') =>
  planSchema.parse({
    holdfast: 1,
    name: 'x',
    targets: [{ url }],
    journey,
    load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] },
  });
const lines = (text: string, count: number) => {
  const [method = '', path = ''] = text.split(' ');
  return Array.from({ length: count }, () => ({ method, path }));
};

describe('what a tool counts beside the log', () => {
  it('is compared for each step, whatever stands in its query', () => {
    const plan = planOf([
      { name: 'list', path: 'items?page=1' },
      { name: 'add', method: 'POST', path: 'items' },
    ]);
    const rows = compareWithLog(
      plan,
      new Map([
        [0, 10],
        [1, 4],
      ]),
      [...lines('GET /app/items?page=7', 10), ...lines('POST /app/items', 3)],
    );
    expect(rows).toEqual([
      { name: 'list', told: 10, logged: 10 },
      { name: 'add', told: 4, logged: 3 },
    ]);
    expect(largestDifference(rows)).toBeCloseTo(1 / 3);
  });

  it('is compared together for steps that ask for the same', () => {
    const plan = planOf([
      { name: 'first', path: 'x' },
      { name: 'again', path: '/app/x' },
    ]);
    const told = new Map([
      [0, 3],
      [1, 2],
    ]);
    expect(compareWithLog(plan, told, lines('GET /app/x', 5))).toEqual([{ name: 'first / again', told: 5, logged: 5 }]);
  });

  it('finds addresses that hold values, and those that an answer gave', () => {
    const plan = planOf([
      { name: 'task', path: '/tasks/{{task}}/page' },
      { name: 'list', path: '{{list}}' },
    ]);
    const rows = compareWithLog(
      plan,
      new Map([
        [0, 2],
        [1, 3],
      ]),
      [...lines('GET /tasks/a/page', 2), ...lines('GET /tasks/a/submissions?id=3', 3)],
    );
    expect(rows.map(({ logged }) => logged)).toEqual([2, 3]);
  });

  it('tells redirects to the address of a step from the step itself', () => {
    const plan = planOf([
      { name: 'home', path: '/' },
      { name: 'login', method: 'POST', path: '/login', redirects: { follow: true } },
    ]);
    const told = new Map([
      [0, 5],
      [1, 5],
      [2, 5],
    ]);
    expect(compareWithLog(plan, told, [...lines('GET /', 10), ...lines('POST /login', 5)])).toEqual([
      { name: 'home', told: 5, logged: 5 },
      { name: 'login', told: 5, logged: 5 },
      { name: 'redirects, and what pages link to', told: 5, logged: 5 },
    ]);
    expect(largestDifference(compareWithLog(plan, told, [...lines('GET /', 12), ...lines('POST /login', 5)]))).toBeGreaterThan(0.2);
  });

  it('shows what the server was asked for and no step asks for', () => {
    expect(
      compareWithLog(planOf([{ name: 'page', path: '/' }]), new Map([[0, 1]]), [...lines('GET /', 1), ...lines('GET /other', 2)]),
    ).toEqual([
      { name: 'page', told: 1, logged: 1 },
      { name: 'redirects, and what pages link to', told: 0, logged: 2 },
    ]);
  });
});
