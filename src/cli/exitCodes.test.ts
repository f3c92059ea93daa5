import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { judgeGate } from '#core/comparison/baseline.ts';
import { compareSides } from '#core/comparison/compareSides.ts';
import { WHOLE_RUN } from '#core/comparison/comparedRun.ts';
import { runWith } from '#core/comparison/testing/simulated.ts';
import type { RunHead } from '#core/result/schema.ts';
import { EXIT, EXIT_CODES, toExitCode, EXIT_OF_GATE } from './exitCodes.ts';
import { type Verdict, VERDICT_OUTCOMES } from '#core/result/verdict.ts';

it('docs/cli.md documents every exit code', async () => {
  const readme = await readFile(new URL('../../docs/cli.md', import.meta.url), 'utf8');
  const rows = [...readme.matchAll(/^\| (\d+) +\| (.*?) +\|$/gm)].map(([, code, meaning]) => ({ code: Number(code), meaning }));
  expect(rows).toEqual(Object.values(EXIT_CODES));
});

const makeSide = (name: string, first: number, p95: number, runs = 5) => ({
  name,
  runs: Array.from({ length: runs }, (_, index) =>
    runWith(first + 2 * index, { figures: [{ scope: WHOLE_RUN, measure: 'p95', value: p95 + index / 10 }] }),
  ),
});

it.each([
  ['a slower side', makeSide('now', 1, 120), 0.05, EXIT.worse],
  ['a slower side within the tolerance', makeSide('now', 1, 103), 0.05, EXIT.fine],
  ['a quicker side', makeSide('now', 1, 80), 0.05, EXIT.fine],
  ['an almost equal side', makeSide('now', 1, 100.01), 0, EXIT.fine],
  ['too few runs, however slow', makeSide('now', 1, 900, 4), 0.05, EXIT.inconclusive],
])('the exit code for %s', (_, now, tolerance, expected) => {
  expect(EXIT_OF_GATE[judgeGate(compareSides([makeSide('before', 0, 100), now], null), tolerance)]).toBe(expected);
});

const HEAD: RunHead = {
  id: 'r1',
  name: 'A run',
  note: '',
  preset: null,
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T00:01:00.000Z',
  state: 'finished',
  endedBecause: null,
  holdfastVersion: '0.1.0',
};

function verdict(outcome: Verdict['outcome']): Verdict {
  return { outcome, headline: '', sentence: '', reasons: [], exercised: [], notExercised: [], next: [] };
}

describe('toExitCode', () => {
  it('follows the verdict of a finished run', () => {
    const codes = VERDICT_OUTCOMES.map((outcome) => [outcome, toExitCode({ run: HEAD, verdict: verdict(outcome) })]);
    expect(Object.fromEntries(codes)).toEqual({ passed: 0, failed: 99, inconclusive: 98, measured: 0 });
  });

  it.each([
    ['user', 130],
    ['closed', 130],
    ['safety', 97],
    ['failure', 1],
    ['ownerGone', 1],
  ] as const)('ignores the verdict of a run that ended early: %s', (code, exit) => {
    const run: RunHead = { ...HEAD, state: 'stopped', endedBecause: { code, text: '' } };
    for (const outcome of VERDICT_OUTCOMES) expect(toExitCode({ run, verdict: verdict(outcome) })).toBe(exit);
  });
});
