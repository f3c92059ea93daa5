import { ownCriteria } from './verdict/testing/judged.ts';
import { describe, expect, it } from 'vitest';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { planWith, stages } from '#core/testing/plans.ts';
import { visitWith } from '#core/testing/visits.ts';
import { repeatedWindows } from '#core/testing/windows.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { resultSchema, type RunResult } from '#core/result/schema.ts';
import { runHead } from '#core/result/testing/runHead.ts';
import { chooseFilms, type Visit } from '#core/result/visits.ts';
import { visitBlocks, visitOverview } from '#core/presentation/document/visits.ts';
import { runReport } from '#core/presentation/document/runReport.ts';
import { readLevel } from '#core/search/breakingPoint/readLevel.ts';
import { LEVEL_STAGE } from '#core/search/breakingPoint/levels.ts';
import { toComparedRun } from '#core/comparison/comparedRun.ts';
import { buildResult } from './buildResult.ts';

const LIMIT = { kind: 'responseTime', of: 'visits', percentile: 75, maxMs: 2_500 } as const;

/** Returns four visits before the load, and then one per second in each of two stages of 20 s. */
function log(loadedMs: number, change: (visit: Visit) => Partial<Visit> = () => ({})): Visit[] {
  const before = [-8, -6, -4, -2].map((second, number) => visitWith({ number, second }));
  const during = Array.from({ length: 40 }, (_, second) =>
    // The time varies by 10 % around its middle.
    visitWith({ number: 4 + second, second: second + 0.2, largestPaintMs: second < 20 ? 1_000 : loadedMs * (0.95 + (second % 5) * 0.025) }),
  );
  return [...before, ...during].map((visit) => ({ ...visit, ...change(visit) }));
}

function judgeVisits(
  visits: readonly Visit[],
  changes: Partial<PlanInput> = {},
  overloaded: readonly number[] = [],
  places: { readonly from?: string; readonly generators?: RunResult['generators'] } = {},
): RunResult {
  const plan = planWith({
    journey: [{ name: 'home' }],
    load: stages({ name: 'light', connections: 10, seconds: 20 }, { name: 'heavy', connections: 750, seconds: 20 }),
    watchPages: [{ name: 'shop', url: '/' }],
    criteria: [LIMIT],
    ...changes,
  });
  const windows = [0, 1].flatMap((stage) => repeatedWindows(20, { stage, step: 0, second: 20 * stage, ok: [{ count: 80, ms: 20 }] }));
  return buildResult({
    head: runHead,
    plan,
    windows: windows.map((window) => (overloaded.includes(window.second) ? { ...window, overloadedBy: ['threadCpu'] } : window)),
    end: {
      firstBodyLengths: [10],
      serverSoftware: null,
      addresses: {},
      stages: [
        { startedAtSecond: 0, endedAtSecond: 20 },
        { startedAtSecond: 20, endedAtSecond: 40 },
      ],
      endedAtSecond: 40,
    },
    generators: places.generators ?? [],
    events: [],
    visits: { browser: 'Chromium 140', from: places.from ?? null, visits, stepsBack: [] },
  });
}

const makeFinding = ({ findings }: RunResult, id: string) => findings.find((finding) => finding.id.startsWith(id));

describe('visits of a journey', () => {
  const watchPages: PlanInput['watchPages'] = [
    { name: 'Take part', url: '/login', steps: [{ name: 'Log in', fill: { User: 'ada' }, click: 'Log in' }] },
  ];
  /** Returns each visit as a whole journey, its first page and its login, which fails at the end. */
  const journeys = (loadedMs: number): Visit[] =>
    log(loadedMs).flatMap((visit, index): Visit[] => {
      const isFailed = index === 43;
      const problem = isFailed ? 'status 500' : null;
      const loginMs = isFailed ? null : visit.largestPaintMs;
      return [
        { ...visit, page: 0, largestPaintMs: loginMs === null ? null : loginMs + 500, problem: problem && `“Log in”: ${problem}` },
        { ...visit, page: 1, largestPaintMs: 500 },
        { ...visit, page: 2, largestPaintMs: loginMs, problem },
      ].map((one, part) => ({ ...one, number: 3 * index + part }));
    });

  it('appear by step and in total in sentences, criteria, tables and comparisons', () => {
    const result = judgeVisits(journeys(3_400), { watchPages });
    expect(resultSchema.safeParse(result).error?.issues ?? []).toEqual([]);
    const sentences = result.findings.filter(({ id }) => id.startsWith('visitorsWait')).map(({ sentence }) => sentence);
    expect(sentences).toContainEqual(
      expect.stringMatching(/^A visitor waited 900 ms for “Log in” without load and 3\.4 s .* at 750 connections\.$/),
    );
    expect(sentences).toContainEqual(expect.stringMatching(/^A visitor waited 1\.4 s for “Take part” without load and 3\.9 s/));
    // The first page is as fast as before, so the finding about the whole journey names it.
    expect(sentences).toHaveLength(2);
    expect(makeFinding(result, 'visitorsWait.Take part')?.evidence).toContain('Not clearly slower: “/login”.');
    // A criterion for one page is judged for each step, but not for the whole journey.
    expect(ownCriteria(result.criteria).map(({ stage, step, outcome }) => [stage, step, outcome])).toEqual([
      ['light', '/login', 'passed'],
      ['light', 'Log in', 'passed'],
      ['heavy', '/login', 'passed'],
      ['heavy', 'Log in', 'failed'],
    ]);
    const ofWhole = judgeVisits(journeys(3_400), { watchPages, criteria: [{ ...LIMIT, step: 'Take part', maxMs: 3_000 }] });
    expect(ownCriteria(ofWhole.criteria).map(({ step, outcome }) => [step, outcome])).toEqual([
      ['Take part', 'passed'],
      ['Take part', 'failed'],
    ]);
    const text = JSON.stringify(visitBlocks(result));
    expect(text).toContain('Journey “Take part”');
    const [, overview] = visitOverview(result);
    expect(overview).toMatchObject({ kind: 'table', title: 'Time until the largest paint' });
    const rows = overview?.kind === 'table' ? overview.rows : [];
    expect(rows.map(([name]) => name)).toEqual([
      { text: 'Take part, all steps', isPart: false },
      { text: '/login', isPart: true },
      { text: 'Log in', isPart: true },
    ]);
    expect(text).toContain('Visits of “Log in”, step of “Take part” (clicks “Log in”)');
    expect(text).toContain('Failed visits: “Log in”: status 500.');
    const names = toComparedRun(result).figures.flatMap(({ scope }) => (scope.kind === 'watched' ? [scope.name] : []));
    expect(names).toEqual(['“Take part”, all steps', '“/login”', '“Log in”']);
  });
});

describe('findings about a journey that the load does not slow', () => {
  it('are combined in one finding that names the steps', () => {
    const watchPages: PlanInput['watchPages'] = [
      { name: 'Take part', url: '/login', steps: [{ name: 'Log in', click: 'Log in' }] },
      { name: 'Home', url: '/' },
    ];
    const visits = log(900).flatMap((visit, index) => [0, 1, 2, 3].map((page, part) => ({ ...visit, page, number: 4 * index + part })));
    const found = judgeVisits(visits, { watchPages }).findings.filter(({ id }) => id.startsWith('visitorsWait'));
    expect(found.map(({ id }) => id)).toEqual(['visitorsWait.Take part', 'visitorsWait.Home']);
    expect(found[0]?.evidence).toContain('Not clearly slower: “/login”, “Log in”.');
    expect(found[0]?.figures?.map(({ what }) => what).slice(-3)).toEqual([
      '“/login” without load, with it',
      '“Log in” without load, with it',
      'Visits that count',
    ]);
    expect(found[0]?.remedy).toBe('Nothing to do: at this load the steps take as long as without one.');
  });

  it('are one finding if all steps load something from another host', () => {
    const watchPages: PlanInput['watchPages'] = [{ name: 'Take part', url: '/login', steps: [{ name: 'Log in', click: 'Log in' }] }];
    const leftOut = { 'cdn.example.com': 2 };
    const visits = log(900).flatMap((visit, index) =>
      [0, 1, 2].map((page, part) => ({ ...visit, leftOut, page, number: 3 * index + part })),
    );
    const found = judgeVisits(visits, { watchPages }).findings.filter(({ id }) => id.startsWith('hostsLeftOut'));
    expect(found.map(({ sentence }) => sentence)).toEqual([
      '“/login”, “Log in” load files from a host that the plan does not name: cdn.example.com. They were left out.',
    ]);
    expect(found[0]?.figures).toEqual([{ what: 'cdn.example.com', value: '16' }]);
  });
});

describe('visits of a run', () => {
  it('are summarized as medians with intervals by stage, and match the schema', () => {
    const result = judgeVisits(log(3_400));
    expect(resultSchema.safeParse(result).error?.issues ?? []).toEqual([]);
    const [page] = result.visits?.pages ?? [];
    expect(page?.before?.largestPaintMs).toEqual({ median: 900, low: null, high: null });
    expect(page?.stages.map(({ name, figures }) => [name, figures.visits, figures.largestPaintMs?.median])).toEqual([
      ['light', 20, 1_000],
      ['heavy', 20, 3_400],
    ]);
    expect(page?.stages[1]?.figures.largestPaintMs?.low).toBeLessThan(3_400);
    expect(page?.after).toBeNull();
  });

  it('decide the verdict by their own criterion, stage by stage', () => {
    const broken = judgeVisits(log(3_400));
    expect(ownCriteria(broken.criteria).map(({ stage, step, outcome, counted, over }) => [stage, step, outcome, counted, over])).toEqual([
      ['light', 'shop', 'passed', 20, 0],
      ['heavy', 'shop', 'failed', 20, 20],
    ]);
    expect(broken.criteria[0]?.text).toBe('75 % of visitors see “shop” within 2.5 s during “light”');
    expect(broken.verdict.sentence).toContain('none of 20 visits of “shop” succeeded within 2.5 s');
    expect(judgeVisits(log(1_200)).verdict.outcome).toBe('passed');
  });

  it('are described in one sentence', () => {
    const found = makeFinding(judgeVisits(log(3_400)), 'visitorsWait');
    expect(found?.sentence).toMatch(
      /^A visitor waited 900 ms for “shop” without load and 3\.4 s \(3\.\d+ s to 3\.\d+ s\) at 750 connections\.$/,
    );
    expect(found?.level).toBe('warning');
    expect(makeFinding(judgeVisits(log(950)), 'visitorsWait')?.level).toBe('info');
  });

  it('are excluded in seconds in which the load generator was overloaded', () => {
    const overloaded = Array.from({ length: 20 }, (_, second) => 20 + second);
    const result = judgeVisits(log(3_400), {}, overloaded);
    expect(result.visits?.pages[0]?.stages[1]?.figures).toMatchObject({ visits: 20, slowed: 20, largestPaintMs: null });
    expect(result.criteria[1]).toMatchObject({ outcome: 'unknown', counted: 0, unknownBecause: 'generator' });
    expect(result.verdict.sentence).toBe('Inconclusive: the computer of the browser slowed all 20 visits, so none counts.');
    expect(
      result.visits?.visits.filter(({ slowedBy }) => slowedBy === 'overloaded'),
      'with the one that began before and was painted in the first of them',
    ).toHaveLength(21);
  });

  it('from a host without a load generator count even in overloaded seconds, and name the host', () => {
    const overloaded = Array.from({ length: 20 }, (_, second) => 20 + second);
    const [here] = sampleResult().generators;
    if (here === undefined) throw new Error('no generator');
    const result = judgeVisits(log(3_400), {}, overloaded, { from: 'web2', generators: [here] });
    expect(result.visits).toMatchObject({ from: 'web2', pages: [{ stages: [{}, { figures: { visits: 20, slowed: 0 } }] }] });
    expect(makeFinding(result, 'visitorsWait')?.evidence).toContain('Seen from web2.');
    expect(JSON.stringify(visitBlocks(result)[0])).toContain('visited beside the load, seen from web2. ');
    const beside = judgeVisits(log(3_400), {}, overloaded, { from: 'web2', generators: [{ ...here, name: 'web2' }] });
    expect(beside.visits?.pages[0]?.stages[1]?.figures.slowed).toBe(20);
  });

  it('are excluded if the page lacked processor time, or a hypervisor took it', () => {
    const starved = judgeVisits(log(3_400, ({ second }) => (second >= 20 ? { starvedMs: 900 } : {})));
    expect(starved.visits?.pages[0]?.stages[1]?.figures.slowed).toBe(20);
    expect(makeFinding(starved, 'visitsSlowed')).toBeUndefined();
    const stolen = judgeVisits(log(3_400, ({ second }) => (second >= 0 ? { steal: 0.2 } : {})));
    expect(makeFinding(stolen, 'visitsSlowed')?.sentence).toContain('The browser’s own computer slowed all 40 visits under load (100 %)');
  });

  it('include the wait after a click, which an overloaded second also excludes', () => {
    const watchPages = [{ name: 'shop', url: '/', click: 'Buy' }];
    const clicking = log(1_000, ({ second }) => ({ clickMs: second < 20 ? 40 : 400, tookMs: 1_500 }));
    const result = judgeVisits(clicking, { watchPages });
    expect(result.visits?.pages[0]?.stages[1]?.figures.clickMs).toEqual({ median: 400, low: 400, high: 400 });
    const [, table] = visitBlocks(result);
    expect(table).toMatchObject({
      title: 'Visits of “shop” (clicks “Buy”)',
      columns: expect.arrayContaining([expect.objectContaining({ name: 'Click' })]),
    });
    expect(makeFinding(result, 'visitorsWait')?.figures).toContainEqual(
      expect.objectContaining({ what: 'Click until the next paint without load, with it' }),
    );
    // The visit begins at 20.2 s, is painted at 21.2 s and is watched until 21.7 s. The click at 24.2 s is in the overloaded second.
    const spoilt = judgeVisits(
      log(500, () => ({ clickMs: 40, tookMs: 900 })),
      { watchPages },
      [25],
    );
    expect(spoilt.visits?.visits.filter(({ slowedBy }) => slowedBy === 'overloaded').map(({ second }) => second)).toEqual([24.2, 25.2]);
  });

  it('fail if the page did not appear, and name what was missing only under load', () => {
    const failing = judgeVisits(log(1_000, ({ second }) => (second >= 20 ? { problem: 'status 503', largestPaintMs: null } : {})));
    expect(failing.criteria[1]?.outcome).toBe('failed');
    const missing = judgeVisits(log(1_000, ({ second }) => (second >= 20 ? { missing: { '/style.css: 503': 1 } } : {})));
    expect(makeFinding(missing, 'filesMissing')?.sentence).toBe(
      'Visitors of “shop” did not get all of its files under load: /style.css: 503.',
    );
  });

  it('appear in the report as a table, a chart and text', () => {
    const result = judgeVisits(log(3_400));
    const [, table] = visitBlocks(result);
    expect(table).toMatchObject({ kind: 'table', title: 'Visits of “shop”' });
    const section = runReport(result).sections.find(({ id }) => id === 'visits');
    expect(section?.title).toBe('What visitors see');
    expect(section?.blocks.map(({ kind }) => kind)).toEqual(['text', 'table', 'pairs', 'chart']);
  });

  it('are compared between runs by the median of the counted visits', () => {
    const figure = toComparedRun(judgeVisits(log(3_400))).figures.find(({ measure }) => measure === 'largestPaint');
    expect(figure).toMatchObject({ scope: { kind: 'watched', name: '“shop”' } });
    // Half of the visits took a second, and the other half at least 3.23 s.
    expect(figure?.value).toBe(2_115);
  });

  it('fail a level of a search by their criterion alone', () => {
    const { step: _step, ...limit } = { ...LIMIT, step: undefined };
    const load = stages(
      { name: 'warm-up', connections: 5, seconds: 20, counted: false },
      { name: LEVEL_STAGE, connections: 5, seconds: 20 },
    );
    expect(readLevel(judgeVisits(log(3_400), { load, criteria: [limit] }), 5)).toMatchObject({ outcome: 'failed', because: 'criterion' });
    expect(readLevel(judgeVisits(log(1_200), { load, criteria: [limit] }), 5)).toMatchObject({ outcome: 'passed', isSure: true });
  });
});

it('chooseFilms adds the visit at each bell, and does not take it for a median visit of its stage', () => {
  const { visits } = judgeVisits(log(900));
  const frames = [{ atMs: 10, jpeg: 'jpeg' }];
  const films = [0, 24, 40].map((number) => ({ number, frames }));
  const bells = [
    { bell: 'start', atSecond: 20 },
    { bell: 'end', atSecond: 60 },
  ];
  expect(visits && chooseFilms(visits, films, bells)).toEqual([
    { page: 0, visit: 0, frames },
    { page: 0, visit: 40, frames },
    { page: 0, visit: 24, bell: 'start', frames },
  ]);
});
