import { describe, expect, it } from 'vitest';
import { formatCsv } from '#core/presentation/formats/csvFormat.ts';
import { runReport } from '#core/presentation/document/runReport.ts';
import { renderMarkdown } from '#core/presentation/formats/markdown.ts';
import { reducePoints } from '#core/result/pointSeries.ts';
import { buildMeasuredRun } from '#core/judgement/measuredRun.ts';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { runHead } from '#core/result/testing/runHead.ts';
import { formatText } from '#core/presentation/text/textReport.ts';
import { planWith } from '#core/testing/plans.ts';
import { windowWith } from '#core/testing/windows.ts';
import type { CacheCount, Window } from '../window.ts';
import { findOrAddCell } from '../windowFold.ts';
import { cacheSentence, CacheTally, cacheWorth, reportsCache } from './figures.ts';

const plan = planWith({
  countsCache: true,
  load: {
    model: 'connections',
    stages: [
      { name: 'warm-up', connections: 2, seconds: 1, counted: false },
      { name: 'load', connections: 2, seconds: 2 },
    ],
  },
});

/** Returns a second with 100 responses in 20 ms. */
function second(at: number, stage: number, cache?: CacheCount): Window {
  const window = windowWith({ second: at, stage, ok: [{ count: 100, ms: 20 }] });
  if (cache) findOrAddCell(window, stage, 0).cache = cache;
  return window;
}

const cold = { fromCache: 0, fromServer: 100, fromCacheUs: 0, fromServerUs: 30_000_000 };
const warm = { fromCache: 90, fromServer: 4, fromCacheUs: 180_000, fromServerUs: 1_200_000 };
const windows = [second(0, 0, cold), second(1, 1, warm), second(2, 1)];
const facts = (of: typeof plan) => buildMeasuredRun({ head: runHead, plan: of, windows, end: null, generators: [], events: [] });

describe('cache figures', () => {
  it('count the whole run, the counted stages, and each step', () => {
    const counted = { responded: 200, fromCache: 90, fromServer: 4, unsaid: 106, fromCacheMs: 2, fromServerMs: 300 };
    expect(facts(plan).cache).toEqual({
      all: { responded: 300, fromCache: 90, fromServer: 104, unsaid: 106, fromCacheMs: 2, fromServerMs: 300 },
      counted,
      steps: [{ name: 'page', figures: counted }],
    });
  });

  it('are omitted if the plan does not count caches, and for k6', () => {
    const { countsCache: _countsCache, ...others } = plan;
    expect(facts(others)).not.toHaveProperty('cache');
    expect(reportsCache({ ...plan, engine: 'k6' })).toBe(false);
  });

  it('add up as windows arrive', () => {
    const tally = new CacheTally();
    expect(tally.figures()).toMatchObject({ responded: 0, fromCacheMs: null });
    for (const window of windows) tally.add(window);
    expect(tally.figures()).toEqual(facts(plan).cache?.all);
  });

  it('keep the counts per second when points are joined', () => {
    const points = facts(plan).windows;
    expect(points.map(({ cache }) => cache)).toEqual([{ fromCache: 0, fromServer: 100 }, { fromCache: 90, fromServer: 4 }, undefined]);
    expect(reducePoints(points, 1).map(({ cache }) => cache)).toEqual([{ fromCache: 90, fromServer: 104 }]);
    expect(reducePoints(points.slice(2), 1)[0]).not.toHaveProperty('cache');
    const [header = '', , line = ''] = formatCsv({ windows: points }).split('\r\n');
    expect(header.endsWith('from_cache,from_server')).toBe(true);
    expect(line.endsWith(',90,4')).toBe(true);
    expect(formatCsv({ windows: points.slice(2) })).not.toContain('from_cache');
  });
});

describe('sentences about caches', () => {
  const figures = { responded: 12_030, fromCache: 10_514, fromServer: 1_155, unsaid: 361, fromCacheMs: 4.2, fromServerMs: 310 };

  it('report the share, the responses without information and the time saved', () => {
    expect(cacheSentence(figures)).toBe('87.4 % of 12,030 responses came from a cache, 3 % did not say.');
    expect(cacheSentence({ ...figures, unsaid: 0 })).toBe('87.4 % of 12,030 responses came from a cache.');
    expect(cacheWorth(figures)).toBe('One from a cache took 4.2 ms on average, one from the server behind it 310 ms.');
  });

  it('appear in the text result and in the report', () => {
    const result = sampleResult({ cache: { all: { ...figures, responded: 12_031, unsaid: 362 }, counted: figures, steps: [] } });
    expect(formatText(result)).toContain('\n  87.4 % of 12,030 responses');
    // A no-break space stands between a number and its unit.
    const report = renderMarkdown(runReport(result)).replaceAll('\u00a0', ' ');
    expect(report).toContain('87.4 % of 12,030 responses came from a cache, 3 % did not say. One from a cache took 4.2 ms');
    expect(report).toMatch(/Warm-up included \| +12,031 \| +10,514/);
    expect(formatText(sampleResult())).not.toContain('from a cache');
  });

  it('never count a missing header as a miss', () => {
    const silent = { ...figures, fromCache: 0, fromServer: 0, unsaid: 12_030, fromCacheMs: null, fromServerMs: null };
    expect(cacheSentence(silent)).toContain('None of 12,030 responses said');
    expect([cacheWorth(silent), cacheWorth({ ...figures, fromCacheMs: null }), cacheWorth({ ...figures, fromServerMs: null })]).toEqual([
      '',
      '',
      '',
    ]);
    expect(cacheSentence({ ...silent, responded: 0, unsaid: 0 })).toContain('no responses, so none');
  });
});
