import { describe, expect, it } from 'vitest';
import type { TimeMs } from '#core/base/units.ts';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import type { RunResult } from '#core/result/schema.ts';
import { pageFigures, pagesResult } from '#core/result/testing/pagesResult.ts';
import { arrivalsResult, sampleResult } from '#core/result/testing/sampleResult.ts';
import { passageLines } from '../text/textTable.ts';
import { headFigures } from './headFigures.ts';
import type { Passage } from './model.ts';
import { pageBlocks } from './special.ts';

const linesOf = (passages: readonly Passage[]): string[] => passageLines(passages, 240);

const sample = sampleResult();

const listTiles = (result: RunResult): string[] => headFigures(result).map(({ name, value, note }) => `${name}: ${value} (${note})`);

describe('figures of whole pages', () => {
  it('have a row for each page and each of several stages', () => {
    expect(linesOf(pageBlocks(sampleResult({ pages: pagesResult() })))).toEqual([
      '  2 pages, 3 style sheets and scripts, 4 images, 1 font; 60,012 journeys, 120 pages, 60,012 requests.',
      '',
      'Whole pages with all linked resources',
      '  Page       Pages  Incomplete  Pages/s     Min     p50    p95     Max        Apdex  Apdex of requests',
      '    home       120          20        –  100 ms  200 ms  never  900 ms  0.92 (Good)                  –',
      '  All pages    120          20      1.5  100 ms  200 ms  never  900 ms  0.92 (Good)                  –',
      '  Apdex counts pages within 2 s fully, within four times that half. Incomplete pages count as never complete, also in p50 and p95. The last column counts each request of the pages separately.',
    ]);
    const stages = [
      { name: 'low', figures: pageFigures() },
      { name: 'high', figures: pageFigures() },
    ];
    const bare = { pages: 1, resources: { css: 0, script: 0, image: 0, icon: 0, font: 0 } as never };
    expect(
      linesOf(
        pageBlocks(sampleResult({ pages: pagesResult({ content: bare, stages, leftOut: { 'cdn.example': 12, 'ads.example': 1_000 } }) })),
      ),
    ).toEqual([
      '  1 page; 60,012 journeys, 120 pages, 60,012 requests.',
      '',
      'Whole pages with all linked resources',
      '  Page       Pages  Incomplete  Pages/s     Min     p50    p95     Max        Apdex  Apdex of requests',
      '    home       120          20        –  100 ms  200 ms  never  900 ms  0.92 (Good)                  –',
      '  All, low     120          20      1.5  100 ms  200 ms  never  900 ms  0.92 (Good)                  –',
      '  All, high    120          20      1.5  100 ms  200 ms  never  900 ms  0.92 (Good)                  –',
      '  All pages    120          20      1.5  100 ms  200 ms  never  900 ms  0.92 (Good)                  –',
      '  Apdex counts pages within 2 s fully, within four times that half. Incomplete pages count as never complete, also in p50 and p95. The last column counts each request of the pages separately.',
      '  Links to other hosts were not followed: cdn.example (12), ads.example (1,000).',
    ]);
    expect(pageBlocks(sample)).toEqual([]);
  });

  it('state how many counted stages a throughput is the mean of', () => {
    const [stage] = sample.stages;
    if (stage === undefined) throw new Error('a stage');
    const twice = sampleResult({
      stages: [
        { ...stage, counted: true },
        { ...stage, counted: true },
        { ...stage, counted: false },
      ],
    });
    expect(listTiles(twice)[1]).toBe('Throughput: 200/s (mean of 2 stages; 60,012 requests sent)');
    expect(listTiles(sample)[1]).toBe('Throughput: 200/s (60,012 requests sent)');
  });

  it('are shown first in a result', () => {
    expect(listTiles(sampleResult({ pages: pagesResult() }))).toEqual([
      'Load: 50 connections (concurrent; the run took 5 min 30 s)',
      'Whole pages: 1.5/s (200 responses/s, 60,012 requests sent)',
      'Whole pages, p95: none (16.7 % failed) (requests: 74 ms)',
      'Incomplete pages: 20 (of 120; 12 requests failed)',
    ]);
  });
});

describe('headFigures', () => {
  it('shows request figures for fixed connections and for arrivals', () => {
    expect(listTiles(sample)).toEqual([
      'Load: 50 connections (concurrent; the run took 5 min 30 s)',
      'Throughput: 200/s (60,012 requests sent)',
      '95 % within: 74 ms (p95 response time)',
      'Failed: 12 (0.02 % of requests)',
    ]);
    expect(listTiles(arrivalsResult())).toEqual([
      'Load: 208/s (started; the run took 5 min 30 s)',
      'Throughput: 200/s (60,012 requests sent)',
      '95 % within: 610 ms (p95 response time)',
      'Failed: 2,492 (3.99 % of starts)',
    ]);
  });

  it('shows a schedule lag of at least a tenth of the response time', () => {
    const result = arrivalsResult();
    const withLag = (p95: number): string | undefined =>
      headFigures({ ...result, phases: { ...result.phases, scheduleLag: { ...result.latency.response, p95 } } })[2]?.note;
    expect(withLag(60.9)).toBe('p95 response time');
    expect(withLag(61)).toBe('p95 response time; schedule lag p95: 61 ms');
  });

  it('shows a successful throughput of 0 if all requests failed', () => {
    const requests = { ...sample.outcomes.requests, ok: 0, httpError: 60_000 };
    expect(listTiles({ ...sample, outcomes: { ...sample.outcomes, requests } })[1]).toBe(
      'Successful throughput: 0/s (200 responses/s, 60,012 requests sent)',
    );
  });

  it('counts failed requests as never complete in the p95, and says so', () => {
    const within = (response: number, errorAdjusted: TimeMs, target = 0): string | undefined => {
      const { outcomes, latency } = sample;
      const changed = {
        latency: {
          ...latency,
          response: { ...latency.response, p95: response },
          errorAdjusted: { ...latency.errorAdjusted, p95: errorAdjusted },
        },
        outcomes: { ...outcomes, journeys: { ...outcomes.journeys, notStarted: { ...outcomes.journeys.notStarted, target } } },
      };
      return listTiles(sampleResult(changed)).find((tile) => tile.startsWith('95 % within'));
    };
    expect(within(40, 40)).toBe('95 % within: 40 ms (p95 response time)');
    expect(within(40, 900)).toBe('95 % within: 900 ms (p95 response time, failures as timeouts)');
    expect(within(40, 'never')).toBe('95 % within: never (more than 5 % of requests failed)');
    expect(within(40, 'never', 7)).toBe('95 % within: never (more than 5 % of requests failed or could not start)');
  });

  it('shows no share without requests, and 0 % without failures', () => {
    const withOutcomes = (requests: Partial<RunResult['outcomes']['requests']>): string | undefined =>
      listTiles(sampleResult({ outcomes: { ...sample.outcomes, requests: { ...emptyRequestOutcomes(), ...requests } } })).at(-1);
    expect([withOutcomes({}), withOutcomes({ sent: 10, ok: 10 }), withOutcomes({ sent: 10, ok: 9, reset: 1 })]).toEqual([
      'Failed: 0 (no requests sent)',
      'Failed: 0 (0 % of requests)',
      'Failed: 1 (10 % of requests)',
    ]);
  });
});
