import { describe, expect, it } from 'vitest';
import { compareSides } from './compareSides.ts';
import { WHOLE_RUN } from './comparedRun.ts';
import { judgeGate } from './baseline.ts';
import type { Figure, Scope } from './schema.ts';
import { runWith } from './testing/simulated.ts';

/** Figures of a side; its runs differ by a thousandth, or by `apart`. */
interface SideFigures {
  readonly p50?: number;
  readonly p95?: number;
  readonly p99?: number;
  readonly rate?: number;
  readonly failed?: number;
  readonly checkoutP95?: number;
  readonly memory?: number;
  readonly apart?: number;
}

const CHECKOUT: Scope = { kind: 'step', name: 'checkout' };
const MACHINE: Scope = { kind: 'watched', name: 'web1' };
const USUAL = { p50: 40, p95: 100, p99: 200, rate: 50, failed: 0, checkoutP95: 100, memory: 1e9, apart: 0.001 } satisfies SideFigures;

function computeFigures(made: SideFigures, index: number): Figure[] {
  const { p50, p95, p99, rate, failed, checkoutP95, memory, apart } = { ...USUAL, ...made };
  // Each figure varies in a pattern of its own, which differs between the sides.
  const times = (value: number, place: number): number => value * (1 + apart * (((index + 3 * place) % 5) - 2));
  return [
    { scope: WHOLE_RUN, measure: 'goodPerSecond', value: times(rate, 1) },
    { scope: WHOLE_RUN, measure: 'p50', value: times(p50, 2) },
    { scope: WHOLE_RUN, measure: 'p95', value: times(p95, 3) },
    { scope: WHOLE_RUN, measure: 'p99', value: times(p99, 4) },
    { scope: WHOLE_RUN, measure: 'failedShare', value: failed === 0 ? 0 : failed + 1e-5 * index },
    { scope: CHECKOUT, measure: 'p95', value: times(checkoutP95, 5) },
    { scope: MACHINE, measure: 'memory', value: times(memory, 6) },
  ];
}

function buildComparison(after: SideFigures, before: SideFigures = {}) {
  const side = (name: string, made: SideFigures, first: number) => ({
    name,
    runs: Array.from({ length: 5 }, (_, index) => runWith(2 * index + first, { figures: computeFigures(made, index) })),
  });
  return compareSides([side('before', before, 0), side('after', after, 1)], null);
}

function writeSentence(after: SideFigures, before: SideFigures = {}): string {
  const [pair] = buildComparison(after, before).pairs;
  return pair?.sentence.replaceAll(/ \(99 % interval: [^)]*\)/g, '') ?? '';
}

describe('conclusion of a comparison', () => {
  it.each<readonly [reported: string, after: SideFigures, sentence: string, before: SideFigures]>([
    [
      'times halve, and slightly fewer requests succeed',
      { p95: 50, rate: 47 },
      '“after” is better than “before”: p95 50 ms instead of 100 ms, −50 %. But it is worse in another way: successful responses a second 47/s instead of 50/s, −6 %.',
      {},
    ],
    [
      'shorter times but less throughput',
      { p95: 70, rate: 38 },
      '“after” is better than “before” in one way and worse in another: p95 70 ms instead of 100 ms, −30 %; but successful responses a second 38/s instead of 50/s, −24 %.',
      {},
    ],
    [
      'fewer failures but longer times',
      { failed: 0, p95: 300 },
      '“after” is better than “before”: failed 0 % instead of 20 %, −20 points. But it is worse in another way: p95 300 ms instead of 100 ms, +200 %.',
      { failed: 0.2 },
    ],
    [
      'hardly any failures, and times halve',
      { failed: 0.00198, p95: 50 },
      '“after” is better than “before”: p95 50 ms instead of 100 ms, −50 %. But it is slightly worse in another way: failed 0.2 % instead of 0 %, +0.2 points.',
      {},
    ],
    ['the same median, and three times the p99', { p99: 600 }, '“after” is worse than “before”: p99 600 ms instead of 200 ms, +200 %.', {}],
    [
      'everything 10 % slower',
      { p50: 44, p95: 110, p99: 220, rate: 45 },
      '“after” is worse than “before”: p95 110 ms instead of 100 ms, +10 %.',
      {},
    ],
    [
      'everything slightly slower',
      { p50: 40.4, p95: 101, p99: 202 },
      '“after” is slightly worse than “before”: p95 101 ms instead of 100 ms, +1 %.',
      {},
    ],
    [
      'only one step slower',
      { checkoutP95: 150 },
      '“after” is worse than “before” in “checkout”: p95 150 ms instead of 100 ms, +50 %.',
      {},
    ],
    [
      'everything faster, and one step slower',
      { p50: 20, p95: 50, p99: 100, checkoutP95: 120 },
      '“after” is better than “before”: p95 50 ms instead of 100 ms, −50 %. But it is worse in another way: in “checkout” p95 120 ms instead of 100 ms, +20 %.',
      {},
    ],
    ['only twice the memory', { memory: 2e9 }, '“after” differs from “before”: max memory (web1) 2 GB instead of 1 GB, +100 %.', {}],
  ])('%s', (_reported, after, sentence, before) => {
    expect(writeSentence(after, before)).toBe(sentence);
  });

  it('says “no difference” only if a large one is excluded', () => {
    expect(writeSentence({})).toMatch(/^No difference between “after” and “before” beyond .* Still possible for “p95”: /);
    expect(writeSentence({ apart: 0.2 }, { apart: 0.2 })).toMatch(
      /^Inconclusive: “after” may be like “before” or quite different, .* Still possible for “p95”: −\d+ % to \+\d+ %\. More or longer runs would help\.$/,
    );
  });

  it('never lets a pipeline pass without a conclusion', () => {
    expect(judgeGate(buildComparison({}), 0.05)).toBe('notWorse');
    expect(judgeGate(buildComparison({ apart: 0.2 }, { apart: 0.2 }), 0.05)).toBe('notKnown');
  });
});
