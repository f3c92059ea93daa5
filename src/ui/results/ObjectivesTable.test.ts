import { describe, expect, it } from 'vitest';
import type { ObjectiveResult } from '#core/result/schema.ts';
import { openFindings } from './Findings.tsx';
import { foldedLimits, MAX_OPEN } from './ObjectivesTable.tsx';

const limit = (outcome: ObjectiveResult['outcome'], step: string): ObjectiveResult => ({
  objective: { kind: 'responseTime', percentile: 95, limitMs: 1_000 },
  text: '',
  stage: 'full load',
  step,
  outcome,
  reason: '',
  unknownBecause: null,
  measured: 900,
  limit: 1_000,
  unit: 'ms',
  counted: 5_000,
  over: 0,
  shareLow: null,
  shareHigh: null,
  fromSecond: null,
});
const kept = (count: number): ObjectiveResult[] => Array.from({ length: count }, (_unused, index) => limit('holds', `kept ${index}`));
const steps = (limits: readonly ObjectiveResult[]) => limits.map(({ step }) => step);

const unknown = (count: number): ObjectiveResult[] =>
  Array.from({ length: count }, (_unused, index) => limit('unknown', `unknown ${index}`));

it('openFindings: keeps two findings open, and a third one if it is a problem', () => {
  const of = (...levels: ('problem' | 'warning' | 'info')[]) => openFindings(levels.map((level) => ({ level })));
  expect([of('info'), of('problem', 'problem', 'problem', 'problem'), of('problem', 'warning', 'warning')]).toEqual([1, 3, 2]);
});

describe('foldedLimits', () => {
  it('keeps a few criteria open in the order of the plan', () => {
    const few = [limit('holds', 'a'), limit('breaks', 'b'), ...unknown(MAX_OPEN - 2)];
    expect(foldedLimits(few)).toEqual({ open: few, broken: [], unknown: [], kept: [], counts: { breaks: 1, unknown: 2, holds: 1 } });
  });

  it('folds many passed criteria, and puts failed ones above inconclusive ones', () => {
    const many = kept(MAX_OPEN);
    const folded = foldedLimits([limit('unknown', 'c'), ...many, limit('breaks', 'a'), limit('breaks', 'b')]);
    expect(steps(folded.open)).toEqual(['a', 'b', 'c']);
    expect([folded.broken, folded.unknown, folded.kept]).toEqual([[], [], many]);
    expect(folded.counts).toEqual({ breaks: 2, unknown: 1, holds: MAX_OPEN });
  });

  it('keeps the first of many inconclusive criteria open, below the failed ones', () => {
    const many = unknown(64);
    const folded = foldedLimits([limit('holds', 'b'), ...many, limit('breaks', 'a')]);
    expect(steps(folded.open)).toEqual(['a', 'unknown 0', 'unknown 1']);
    expect([folded.unknown, steps(folded.kept)]).toEqual([many.slice(2), ['b']]);
  });

  it('folds many failed criteria separately', () => {
    const broken = Array.from({ length: 100 }, (_unused, index) => limit('breaks', `broken ${index}`));
    const folded = foldedLimits([...broken, ...unknown(2)]);
    expect(folded.open).toEqual(broken.slice(0, 3));
    expect([folded.broken.length, folded.unknown.length]).toEqual([97, 2]);
  });
});
