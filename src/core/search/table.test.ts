import { describe, expect, it } from 'vitest';
import type { UsersReading } from './characterize/reading.ts';
import { calmReading } from './characterize/testing/frozenRuns.ts';
import { passedLevel } from './breakingPoint/testing/levelReadings.ts';
import type { SearchReading, SearchRun } from './run.ts';
import { searchRunLine, formatRejected, describeReading } from './table.ts';

const recovery = {
  kind: 'recovery',
  calmLevel: 10,
  overloadLevel: 30,
  overloadSeconds: 10,
  seconds: 4.5,
  resolutionSeconds: 1,
  watchedSeconds: 30,
  beforeMs: 40,
  worstMs: 900,
  reason: null,
} as const;
const idle = {
  kind: 'idle',
  closedAfterSeconds: 5,
  watchedSeconds: 10,
  statedSeconds: null,
  statedRequests: null,
  problem: null,
} as const;

describe('searchRunLine', () => {
  it.each<readonly [string, SearchReading]>([
    ['passed · 40 successful responses/s · p95 60 ms · All pass criteria passed, and no queue grew.', passedLevel(40)],
    ['20 requests · p50 50 ms, p90 70 ms · 1 failed', { kind: 'probe', sent: 20, failed: 1, p50Ms: 50, p90Ms: 70 }],
    ['80 successful responses/s · 100 ms each · 2 failed', calmReading(8, { failed: 2 })],
    ['recovered after 4.5 s', recovery],
    ['it did not recover while it was watched', { ...recovery, seconds: null }],
    ['Too few.', { ...recovery, seconds: null, reason: 'Too few.' }],
    ['closed after 5 s', idle],
    ['still open', { ...idle, closedAfterSeconds: null }],
    ['No connection.', { ...idle, problem: 'No connection.' }],
  ])('%s', (words, reading) => expect(describeReading(reading)).toBe(words));

  it('returns the name, the repetition number for repeats, and the result or the reason why there is none', () => {
    const run: SearchRun = {
      position: 0,
      purpose: 'idle',
      name: 'an idle connection',
      level: null,
      repeat: 1,
      state: 'value',
      phase: null,
      reason: null,
      runId: null,
      reading: idle,
      spentSeconds: 5,
      requests: 1,
    };
    const line = (changes: Partial<SearchRun>): string => searchRunLine({ ...run, ...changes }, []);
    expect(line({})).toBe('an idle connection · closed after 5 s');
    expect(line({ repeat: 2 })).toBe('an idle connection, run 2 · closed after 5 s');
    expect(line({ reading: null, state: 'notRun' })).toBe('an idle connection · not run');
    expect(line({ reading: null, state: 'aborted', reason: 'You stopped it.' })).toBe('an idle connection · interrupted · You stopped it.');
  });
});

it('formatRejected: lists rejections by kind, or that there were none', () => {
  const words = (changes: Partial<UsersReading>): string => formatRejected(calmReading(8, changes));
  expect(words({})).toBe('none');
  expect(words({ errorResponses: 1, refused: 2, reset: 3, timeouts: 4 })).toBe('1 with status 5xx, 2 refused, 3 reset, 4 timed out');
  expect([words({ refused: 2 }), words({ timeouts: 1 })]).toEqual(['2 refused', '1 timed out']);
});
