import { expect, it } from 'vitest';
import { runPart } from './hostile.ts';
import type { PartName } from './hostile.ts';

/**
 * Matches findings that are ignored here, because times and memory over a few seconds mean nothing on a busy machine. The campaign judges
 * these findings.
 */
const NOISY = /^(Its event loop stood|Its memory grew|How its memory)/;

it.each<[PartName, number]>([
  ['load', 2],
  ['journey', 2],
  ['calls', 1],
])('a hostile server affects nothing but the requests to itself: %s', { timeout: 60_000 }, async (part, seconds) => {
  const { findings, missed } = await runPart(part, 'native', { seconds, seed: 7 }, new AbortController().signal, () => {});
  expect(missed.filter((sentence) => !NOISY.test(sentence))).toEqual([]);
  expect(findings.serverRequests).toBeGreaterThan(20);
});
