import { describe, expect, it } from 'vitest';
import type { VisitFigures, VisitsResult } from '#core/result/visits.ts';
import { visitWith } from '#core/testing/visits.ts';
import type { MeasuredRun } from '../rule.ts';
import { facts, healthyStep } from '../testing/facts.ts';
import { findingsBy } from '../testing/found.ts';

type Page = VisitsResult['pages'][number];
type Median = VisitFigures['largestPaintMs'];

const median = (value: number, low: number | null = null, high = low): Median => ({ median: value, low, high });

function figures(changes: Partial<VisitFigures> = {}): VisitFigures {
  const none = { firstByteMs: null, firstPaintMs: null, usableMs: null, layoutShift: null, clickMs: null, requests: null };
  return { visits: 20, slowed: 0, failed: 0, problems: {}, ...none, largestPaintMs: median(1_000), missing: {}, leftOut: {}, ...changes };
}

const stage = (changes: Partial<VisitFigures> = {}): Page['stages'][number] => ({
  index: 0,
  name: 'stage 1',
  counted: true,
  level: 60,
  figures: figures(changes),
});

function run(page: Partial<Page>, changes: Partial<VisitsResult> = {}): MeasuredRun {
  const whole: Page = {
    name: 'shop',
    kind: 'page',
    journey: null,
    address: '/',
    cache: 'empty',
    device: 'desktop',
    line: 'none',
    click: null,
    before: figures(),
    stages: [stage()],
    after: null,
    ...page,
  };
  const visits = { browser: 'Chromium', from: null, pages: [whole], visits: [], browserCores: null, stepsBack: [], filmstrips: [] };
  return facts(healthyStep(), { visits: { ...visits, ...changes } });
}

describe('visitorsWait', () => {
  const waits = (loaded: Median, changes: Partial<Page> = {}) =>
    findingsBy('visitorsWait', run({ stages: [stage({ largestPaintMs: loaded })], ...changes }))[0];

  it('reports waits with and without load, with their intervals', () => {
    expect(waits(median(3_400, 2_900, 4_100))).toMatchObject({
      id: 'visitorsWait.shop',
      level: 'warning',
      confidence: 'certain',
      sentence: 'A visitor waited 1 s for “shop” without load and 3.4 s (2.9 s to 4.1 s) at 60 connections.',
      range: { fromSecond: 0, toSecond: 60 },
    });
    expect(waits(median(3_400))).toMatchObject({
      level: 'warning',
      confidence: 'possible',
      sentence: 'A visitor waited 1 s for “shop” without load and 3.4 s at 60 connections.',
    });
  });

  it.each<[string, Median, Partial<Page>, string, boolean]>([
    ['2,501 ms, certainly 20 % more', median(2_501, 1_201), {}, 'warning', true],
    ['2,501 ms, perhaps only 20 % more', median(2_501, 1_200), {}, 'info', false],
    ['a good page that became slower', median(2_500, 1_201), {}, 'info', true],
    ['a whole journey', median(2_501, 1_201), { kind: 'journey' }, 'info', true],
    ['100 ms more', median(2_600, 200), { before: figures({ largestPaintMs: median(100) }) }, 'info', false],
    ['101 ms more', median(2_600, 201), { before: figures({ largestPaintMs: median(100) }) }, 'warning', true],
  ])('compares the figures: %s', (_name, loaded, changes, level, isSlower) => {
    const finding = waits(loaded, changes);
    expect(finding?.level).toBe(level);
    expect(finding?.remedy).toContain(isSlower ? 'Compare the parts' : 'Nothing to do');
  });

  it('includes other times that are known both with and without load', () => {
    const own = (at: number, changes: Partial<VisitFigures> = {}) =>
      figures({ firstByteMs: median(at), firstPaintMs: median(at + 1), usableMs: median(at + 2), clickMs: median(at + 3), ...changes });
    const busy = { ...stage(), figures: own(200, { slowed: 3, layoutShift: median(0.25) }) };
    const [finding] = findingsBy('visitorsWait', run({ before: own(100, { layoutShift: median(0.5) }), stages: [busy] }));
    expect(finding?.figures?.map(({ what, value }) => `${what}: ${value}`)).toEqual([
      'First byte without load, with it: 100 ms, 200 ms',
      'First paint without load, with it: 101 ms, 201 ms',
      'Usable without load, with it: 102 ms, 202 ms',
      'Click until the next paint without load, with it: 103 ms, 203 ms',
      'Layout shift without load, with it: 0.5, 0.25',
      'Visits that count: 17 of 20',
    ]);
    const half = run({ before: own(100), stages: [stage({ layoutShift: median(1) })] });
    expect(findingsBy('visitorsWait', half)[0]?.figures?.map(({ what }) => what)).toEqual(['Visits that count']);
  });

  it('names the observing host, and the time as far as it is known', () => {
    expect(findingsBy('visitorsWait', run({}))[0]?.evidence).toHaveLength(1);
    expect(findingsBy('visitorsWait', run({}, { from: 'web2' }))[0]?.evidence[1]).toBe('Seen from web2.');
    const given = run({});
    const [known] = given.stages;
    if (known === undefined) throw new Error('no stage');
    for (const stages of [[], [{ ...known, startedAtSecond: null }], [{ ...known, endedAtSecond: null }]])
      expect(findingsBy('visitorsWait', { ...given, stages })[0]?.range).toBeNull();
  });

  it.each<[string, Partial<Page>]>([
    ['visits before the load', { before: null }],
    ['a paint before the load', { before: figures({ largestPaintMs: null }) }],
    ['visits under load', { stages: [] }],
    ['a paint under load', { stages: [stage({ largestPaintMs: null })] }],
    ['a matching stage of the plan', { stages: [{ ...stage(), index: 1 }] }],
  ])('is absent without %s', (_name, page) => {
    expect(findingsBy('visitorsWait', run(page))).toEqual([]);
  });
});

describe('visitsSlowed', () => {
  type SlowedBy = VisitsResult['visits'][number]['slowedBy'];
  const log = (slowed: readonly SlowedBy[]) =>
    run({}, { visits: slowed.map((slowedBy, number) => ({ ...visitWith({ number, second: number }), stage: 0, slowedBy })) });

  it('is reported, by cause, if more than half of the visits were slowed', () => {
    const [finding] = findingsBy('visitsSlowed', log(['overloaded', 'steal', 'steal', null, null]));
    expect(finding?.sentence).toContain('slowed 3 of 5 visits under load (60 %)');
    expect(finding?.evidence).toHaveLength(1);
    expect(finding?.figures?.map(({ what, value }) => `${what}: ${value}`)).toEqual([
      'While a load generator was overloaded: 1',
      'The hypervisor took processor time: 2',
    ]);
    expect(findingsBy('visitsSlowed', log(['starved', null]))).toEqual([]);
    expect(findingsBy('visitsSlowed', log(['starved']))[0]?.figures?.map(({ what }) => what)).toEqual(['The page waited for a processor']);
  });

  it('counts only visits under load', () => {
    const before = { ...visitWith({ number: 0, second: -3 }), stage: null, slowedBy: 'steal' as const };
    expect(findingsBy('visitsSlowed', run({}, { visits: [before] }))).toEqual([]);
    expect(findingsBy('visitsSlowed', facts())).toEqual([]);
  });
});

it('visitsStoppedEarly: reports whether visits became fewer or ended, by the last change', () => {
  const after = (...stepsBack: VisitsResult['stepsBack']) => findingsBy('visitsStoppedEarly', run({}, { stepsBack }))[0];
  expect(after({ second: 5, pauseSeconds: 4 })?.sentence).toMatch(/^Visits became fewer after 5 s/);
  expect(after({ second: 5, pauseSeconds: 4 }, { second: 9, pauseSeconds: null })?.sentence).toMatch(/^Visits ended after 9 s/);
  expect(after({ second: 5, pauseSeconds: 4 })?.evidence).toHaveLength(1);
  expect([after(), after({ second: 5, pauseSeconds: 0 }), findingsBy('visitsStoppedEarly', facts())[0]]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('filesMissing: lists missing files, the most frequent first', () => {
  const missing = { '/a.css: 503': 2, '/b.js: 503': 5 };
  const [isNew] = findingsBy('filesMissing', run({ stages: [stage({ missing })] }));
  expect(isNew).toMatchObject({ level: 'warning', evidence: [expect.stringContaining('all of them came')] });
  expect(isNew?.sentence).toBe('Visitors of “shop” did not get all of its files under load: /b.js: 503.');
  expect(isNew?.figures?.map(({ value }) => value)).toEqual(['2', '5']);
  const [always] = findingsBy('filesMissing', run({ before: figures({ missing }), stages: [stage({ missing })] }));
  expect(always).toMatchObject({ level: 'info', evidence: [expect.stringContaining('without load too')] });
  expect(always?.sentence).toBe('Visitors of “shop” did not get all of its files: /b.js: 503.');
  expect(findingsBy('filesMissing', run({ before: null, stages: [stage({ missing })] }))[0]?.level).toBe('warning');
  expect(findingsBy('filesMissing', run({ before: figures({ missing }) }))).toEqual([]);
  expect(findingsBy('filesMissing', run({ stages: [] }))).toEqual([]);
});

it('hostsLeftOut: lists skipped hosts, even without a visit before the load', () => {
  const leftOut = { 'cdn.example': 3, 'ads.example': 1 };
  const [finding] = findingsBy('hostsLeftOut', run({ before: figures({ leftOut }) }));
  expect(finding).toMatchObject({ level: 'info', sentence: expect.stringContaining('does not name: ads.example, cdn.example.') });
  expect(finding?.evidence).toHaveLength(1);
  expect(finding?.figures?.map(({ value }) => value)).toEqual(['3', '1']);
  expect(findingsBy('hostsLeftOut', run({ before: null, stages: [stage({ leftOut })] }))).toHaveLength(1);
  expect(findingsBy('hostsLeftOut', run({ stages: [stage({ leftOut })] }))).toEqual([]);
  expect(findingsBy('hostsLeftOut', run({ before: null, stages: [] }))).toEqual([]);
});
