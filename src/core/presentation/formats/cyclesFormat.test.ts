import { describe, expect, it } from 'vitest';
import { facts, healthyStep, point } from '#core/judgement/diagnosis/testing/facts.ts';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import { formatCycles } from './csvFormat.ts';
import type { PageFigures } from '#core/result/pages.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { Verdict } from '#core/result/verdict.ts';

const verdict: Verdict = { outcome: 'measured', headline: '', sentence: '', reasons: [], exercised: [], notExercised: [], next: [] };

/** Rows that were read from a FunkLoad report: users, pages per second, pages, then minimum, maximum and p95 in seconds. */
const READ = [
  [100, 11.317, 2_037, 0.198, 44.309, 27.128],
  [250, 10.35, 1_863, 0.475, 68.065, 44.851],
  [500, 10.717, 1_929, 0.428, 64.953, 33.854],
  [750, 11.022, 1_984, 0.439, 43.599, 20.745],
  [1_000, 10.489, 1_888, 0.374, 34.843, 18.969],
] as const;

function result(changes: Partial<RunResult> = {}): RunResult {
  const base = facts(healthyStep());
  const [stage] = base.stages;
  if (stage === undefined) throw new Error('no stage');
  const stages = READ.map(([users], index) => ({
    ...stage,
    name: `${users} users`,
    level: { unit: 'users' as const, from: users, to: users, highest: users },
    startedAtSecond: 10 * index,
    endedAtSecond: 10 * (index + 1),
  }));
  const figures = READ.map(([, perSecond, complete, fastest, slowest, p95]): PageFigures => {
    const times = { ...stage.latency.response, count: complete, min: 1_000 * fastest, max: 1_000 * slowest, p95: 1_000 * p95 };
    return {
      started: complete,
      complete,
      incomplete: 0,
      times,
      errorAdjusted: times,
      completePerSecond: perSecond,
      thresholdMs: 1_500,
      pageApdex: { value: 0.21, counted: complete },
      requestApdex: { value: 0.916, counted: 10 * complete },
    };
  });
  const [first] = figures;
  if (first === undefined) throw new Error('no figures');
  const pages = {
    content: { pages: 18, resources: { css: 0, script: 0, image: 0, icon: 0, font: 0 } },
    all: first,
    steps: [],
    stages: stages.map(({ name }, index) => ({ name, figures: figures[index] ?? first })),
    leftOut: {},
  };
  const windows = Array.from({ length: 50 }, (_unused, second) => point(second, { ok: second === 13 ? 140 : 100 }));
  return { ...base, stages, pages, windows, criteria: [], findings: [], verdict, ...changes };
}

const rows = (text: string, users: number): string[][] =>
  text
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/))
    .filter(([cell]) => cell === String(users));

describe('formatCycles', () => {
  const text = formatCycles(result());

  it('prints each cycle with its pages, Apdex and rating', () => {
    expect(text).toMatch(/CUs +Apdex\* +Rating +SPPS +TOTAL +SUCCESS +ERROR +MIN +AVG +MAX +MED +P90 +P95/);
    expect(rows(text, 100)[0]).toEqual([
      '100',
      '0.210',
      'Unacceptable',
      '11.317',
      '2037',
      '2037',
      '0.00%',
      '0.198',
      '0.020',
      '44.309',
      '0.020',
      '0.023',
      '27.128',
    ]);
    expect(rows(text, 1_000)[0]?.at(-1)).toBe('18.969');
  });

  it('separates the Apdex of requests from that of pages', () => {
    expect(rows(text, 1_000)[1]?.slice(0, 3)).toEqual(['1000', '0.916', 'Good']);
    expect(rows(text, 250)[1]?.slice(3, 5)).toEqual(['100.000', '140']);
  });

  it('prints no Apdex for single requests, but shares of failures', () => {
    const base = result({ pages: null });
    const stages = base.stages.map((stage) => ({ ...stage, requests: { ...emptyRequestOutcomes(), sent: 500, ok: 424, httpError: 76 } }));
    const plain = formatCycles({ ...base, stages });
    expect(plain).not.toContain('Page stats');
    expect(rows(plain, 500)[0]?.slice(1, 8)).toEqual(['-', '-', '84.800', '100', '500', '424', '15.20%']);
  });

  it('reports that a run has no cycles', () => {
    expect(formatCycles(result({ stages: [] }))).toContain('No cycles');
  });
});
