import { expect, it } from 'vitest';
import { buildResult } from '#core/judgement/buildResult.ts';
import { generatorWith, endBySeconds } from '#core/judgement/verdict/testing/judged.ts';
import { toComparedRun } from '#core/comparison/comparedRun.ts';
import { planWith, stages } from '#core/testing/plans.ts';
import { windowWith } from '#core/testing/windows.ts';
import { runHead } from '#core/result/testing/runHead.ts';
import { findOverload } from '#core/result/overload.ts';
import { resultSchema } from '#core/result/schema.ts';
import { reducePoints } from '#core/result/pointSeries.ts';
import { computeFigures } from '#core/series/buildSeriesResult.ts';
import type { OverloadCause } from '#core/measurement/window.ts';
import { renderHtml } from '../html/renderHtml.ts';
import { renderMarkdown } from '../formats/markdown.ts';
import { formatText } from '../text/textReport.ts';
import { runReport } from './runReport.ts';

const plan = planWith({
  load: stages({ name: 'warm-up', connections: 10, seconds: 5, counted: false }, { name: 'main', connections: 10, seconds: 10 }),
  criteria: [{ kind: 'responseTime', percentile: 95, maxMs: 1_000 }],
});

/** Causes of an overload by second: two seconds of the warm-up and two counted seconds, one of them with another cause. */
const OVERLOADED: Readonly<Record<number, OverloadCause>> = { 3: 'threadCpu', 4: 'threadCpu', 8: 'threadCpu', 9: 'steal' };
const windows = Array.from({ length: 15 }, (_, second) => {
  const cause = OVERLOADED[second];
  return windowWith({ second, stage: second < 5 ? 0 : 1, ok: [{ count: 80, ms: 20 }], overloadedBy: cause === undefined ? [] : [cause] });
});
const overloaded = () =>
  buildResult({
    head: { ...runHead, state: 'finished' },
    plan,
    windows,
    end: endBySeconds(plan),
    generators: [generatorWith({ overloadedSeconds: 4 })],
    events: [],
  });

it('a report states the same number of overloaded seconds everywhere', () => {
  const result = overloaded();
  expect(findOverload(result)).toEqual({
    seconds: 4,
    causes: [
      { cause: 'threadCpu', seconds: 3 },
      { cause: 'steal', seconds: 1 },
    ],
  });
  const stated = [
    result.verdict.sentence,
    ...result.verdict.reasons.map(({ text }) => text),
    ...result.findings.map(({ sentence }) => sentence),
    formatText(result),
    renderMarkdown(runReport(result)),
    renderHtml(runReport(result)),
  ];
  const numbers = stated.flatMap((text) => [...text.matchAll(/overloaded for (\S+)\ss\b/g)].map(([, seconds]) => seconds));
  expect(numbers.length).toBeGreaterThan(7);
  expect(new Set(numbers)).toEqual(new Set(['4']));
  expect(result.findings.map(({ sentence }) => sentence)).toEqual(['This computer was overloaded for 4 s of 15 s, for 2 reasons.']);
});

it('each format lists the causes of an overload, with a remedy for each', () => {
  const result = overloaded();
  const lines = [
    '3 s: a thread that sends requests was fully busy. Use more threads if cores are idle, fewer connections, or a second machine.',
    '1 s: the hypervisor took processor time away. Repeat the test at a quieter time or on a dedicated machine.',
  ];
  for (const stated of [formatText(result), renderMarkdown(runReport(result)), renderHtml(runReport(result))])
    for (const line of lines) expect(stated.replaceAll(/[\s\u00A0\u202F]+/g, ' ')).toContain(line);
});

it('a report shows the findings of an older result unchanged, one for each cause', () => {
  const result = overloaded();
  const older = (cause: string) => ({
    ...result.findings[0],
    id: `generatorLimited.${cause}`,
    sentence: `Overloaded by ${cause}.`,
    causes: undefined,
  });
  const { findings } = resultSchema.parse({ ...result, findings: [older('threadCpu'), older('steal')] });
  const text = formatText({ ...result, findings });
  expect(text).toContain('Warning: Overloaded by threadCpu.');
  expect(text).toContain('Warning: Overloaded by steal.');
  expect(text).not.toContain('3 s: a thread');
});

it('a reduced result and tables of several runs have the same number of overloaded seconds', () => {
  const result = overloaded();
  const drawn = { ...result, windows: reducePoints(result.windows, 3) };
  expect(findOverload(drawn).seconds).toBe(4);
  expect(computeFigures(drawn).overloadedSeconds).toBe(4);
  expect(toComparedRun(drawn).overloadedSeconds).toBe(4);
});
