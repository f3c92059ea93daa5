import { describe, expect, it } from 'vitest';
import { planSchema, type Plan, type PlanInput } from '#core/plan/schema/plan.ts';
import { compareWithLog, largestDifference, type ToolReport } from './compareWithLog.ts';

const ONE_SECOND_LOAD: PlanInput['load'] = { model: 'connections', stages: [{ connections: 1, seconds: 1 }] };
const getPlan = (journey: PlanInput['journey'], load: PlanInput['load'] = ONE_SECOND_LOAD, url = 'http://127.0.0.1/app/') =>
  planSchema.parse({ holdfast: 1, name: 'x', targets: [{ url }], journey, load });
const makeReport = (plan: Plan, ...reported: readonly (readonly [slot: number, count: number])[]): ToolReport => ({
  plan,
  reported: new Map(reported),
  brokenOff: new Map(),
  skipped: 0,
  underWay: 0,
});
const logLines = (text: string, count: number) => {
  const [method = '', path = ''] = text.split(' ');
  return Array.from({ length: count }, () => ({ method, path }));
};

describe('compareWithLog', () => {
  it("compares each step with the log, whatever the step's query contains", () => {
    const plan = getPlan([
      { name: 'list', path: 'items?page=1' },
      { name: 'add', method: 'POST', path: 'items' },
    ]);
    const rows = compareWithLog(makeReport(plan, [0, 10], [1, 4]), [
      ...logLines('GET /app/items?page=7', 10),
      ...logLines('POST /app/items', 3),
    ]);
    expect(rows).toEqual([
      { name: 'list', planned: null, reported: 10, brokenOff: 0, logged: 10 },
      { name: 'add', planned: null, reported: 4, brokenOff: 0, logged: 3 },
    ]);
    expect(largestDifference(rows)).toBeCloseTo(1 / 3);
  });

  it('combines steps that send the same request', () => {
    const plan = getPlan([
      { name: 'first', path: 'x' },
      { name: 'again', path: '/app/x' },
    ]);
    const reportedReport = makeReport(plan, [0, 3], [1, 2]);
    expect(compareWithLog(reportedReport, logLines('GET /app/x', 5))).toEqual([
      { name: 'first / again', planned: null, reported: 5, brokenOff: 0, logged: 5 },
    ]);
  });

  it('matches addresses that contain values, and addresses from responses', () => {
    const plan = getPlan([
      { name: 'task', path: '/tasks/{{task}}/page' },
      { name: 'list', path: '{{list}}' },
    ]);
    const rows = compareWithLog(makeReport(plan, [0, 2], [1, 3]), [
      ...logLines('GET /tasks/a/page', 2),
      ...logLines('GET /tasks/a/submissions?id=3', 3),
    ]);
    expect(rows.map(({ logged }) => logged)).toEqual([2, 3]);
  });

  it("distinguishes a step from redirects to the step's address", () => {
    const plan = getPlan([
      { name: 'home', path: '/' },
      { name: 'login', method: 'POST', path: '/login', redirects: { follow: true } },
    ]);
    const reportedReport = makeReport(plan, [0, 5], [1, 5], [2, 5]);
    expect(compareWithLog(reportedReport, [...logLines('GET /', 10), ...logLines('POST /login', 5)])).toEqual([
      { name: 'home', planned: null, reported: 5, brokenOff: 0, logged: 5 },
      { name: 'login', planned: null, reported: 5, brokenOff: 0, logged: 5 },
      { name: 'redirects, and what pages link to', planned: null, reported: 5, brokenOff: 0, logged: 5 },
    ]);
    expect(largestDifference(compareWithLog(reportedReport, [...logLines('GET /', 12), ...logLines('POST /login', 5)]))).toBeGreaterThan(
      0.2,
    );
  });

  it('shows logged requests that belong to no step', () => {
    expect(
      compareWithLog(makeReport(getPlan([{ name: 'page', path: '/' }]), [0, 1]), [...logLines('GET /', 1), ...logLines('GET /other', 2)]),
    ).toEqual([
      { name: 'page', planned: null, reported: 1, brokenOff: 0, logged: 1 },
      { name: 'redirects, and what pages link to', planned: null, reported: 0, brokenOff: 0, logged: 2 },
    ]);
  });

  it("compares with the plan's number of requests minus those that could not begin", () => {
    const journey: PlanInput['journey'] = [
      { name: 'list', path: 'items' },
      { name: 'add', method: 'POST', path: 'items' },
    ];
    const plan = getPlan(journey, { model: 'arrivals', stages: [{ kind: 'count', arrivals: 100, seconds: 10 }] });
    const logged = [...logLines('GET /app/items', 60), ...logLines('POST /app/items', 60)];
    const reportedReport = makeReport(plan, [0, 60], [1, 60]);
    const all = compareWithLog(reportedReport, logged);
    expect(all.map(({ planned }) => planned)).toEqual([100, 100]);
    expect(largestDifference(all)).toBeCloseTo(0.4);
    expect(largestDifference(compareWithLog({ ...reportedReport, skipped: 40 }, logged))).toBe(0);
  });

  it('allows at most as many missing requests as were in flight at the end', () => {
    const rows = compareWithLog(makeReport(getPlan([{ name: 'page', path: 'x' }]), [0, 203]), logLines('GET /app/x', 208));
    expect(largestDifference(rows)).toBeGreaterThan(0.02);
    expect(largestDifference(rows, 5)).toBe(0);
    expect(largestDifference(rows, 4)).toBeCloseTo(1 / 208);
    const more = compareWithLog(makeReport(getPlan([{ name: 'page', path: 'x' }]), [0, 208]), logLines('GET /app/x', 203));
    expect(largestDifference(more, 5)).toBeCloseTo(5 / 203);
  });

  it('allows at most as many requests without a log line as were cut off', () => {
    const plan = getPlan([{ name: 'page', path: 'x' }]);
    const rows = (brokenOff: number) =>
      compareWithLog({ ...makeReport(plan, [0, 763]), brokenOff: new Map([[0, brokenOff]]) }, logLines('GET /app/x', 750));
    expect(rows(13)).toEqual([{ name: 'page', planned: null, reported: 763, brokenOff: 13, logged: 750 }]);
    expect(largestDifference(rows(13))).toBe(0);
    expect(largestDifference(rows(20))).toBe(0);
    expect(largestDifference(rows(3))).toBeCloseTo(10 / 750);
  });
});
