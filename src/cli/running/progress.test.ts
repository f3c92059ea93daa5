import { describe, expect, it } from 'vitest';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import type { LiveSnapshot } from '#contract/replies.ts';
import { memoryOutput } from '../testing/memoryOutput.ts';
import { progressLine, startProgress } from './progress.ts';

const summary = { min: 1, mean: 1, stddev: 1, p50: 1, p66: 1, p75: 1, p80: 1, p90: 1, p98: 1, p99: 1, p99_9: 1, max: 1 };
const requests = { ...emptyRequestOutcomes(), sent: 1_260, ok: 1_190, httpError: 10, inFlight: 60 };
const live: LiveSnapshot = {
  run: {
    id: 'r',
    name: 'n',
    note: '',
    preset: null,
    startedAt: '2026-01-01T00:00:00.000Z',
    endedAt: null,
    state: 'running',
    endedBecause: null,
    holdfastVersion: '0',
  },
  elapsedSeconds: 72.4,
  plannedSeconds: 140,
  plannedRequests: null,
  stage: { index: 1, name: 'contest', counted: true },
  outcomes: {
    journeys: {
      planned: null,
      started: 0,
      notStarted: { target: 0, generator: 0, stopped: 0 },
      finished: 0,
      abandoned: 0,
      running: 0,
    },
    requests,
  },
  balances: true,
  latency: { ...summary, count: 1_200, p95: 52 },
  points: [
    {
      second: 71,
      width: 1,
      started: 900,
      completed: 982,
      ok: 982,
      failed: 0,
      inFlight: 60,
      bytesReceived: 1,
      p50: 1,
      p90: 1,
      p99: 1,
      max: 1,
      status: {},
      errors: {},
      service: null,
      notStarted: { target: 0, generator: 0 },
      waiting: 0,
      overloadedBy: [],
    },
  ],
  resync: false,
  overload: { seconds: 0, causes: [] },
  generator: null,
  generators: [],
  generatorPoints: [],
  monitors: [],
  watched: [],
  servers: [],
  events: [],
};

describe('progressLine', () => {
  it('shows the progress and the figures of a run', () => {
    expect(progressLine(live, 200)).toBe('contest · 1:12 of 2:20 · 982/s · p95 52 ms · 10 failed · 60 in flight');
    expect(progressLine({ ...live, plannedSeconds: null, plannedRequests: 5_000, points: [] }, 200)).toContain(
      '1:12, 1,200 of 5,000 requests',
    );
  });

  it('shows due and started arrivals, and how late they are', () => {
    const journeys = { ...live.outcomes.journeys, planned: 3_000, started: 1_190, notStarted: { target: 8, generator: 2, stopped: 0 } };
    const open: LiveSnapshot = { ...live, plannedRequests: 3_000, outcomes: { ...live.outcomes, journeys } };
    expect(progressLine(open, 200)).toBe(
      'contest · 1:12 of 2:20 · 1,200 of 3,000 due, 1,190 started, 10 left out · 982/s · p95 52 ms · 18 failed · 60 in flight',
    );
    const reading = { scheduleLagMs: 1.25, overloadedBy: [] } as unknown as NonNullable<LiveSnapshot['generator']>;
    const calm = { ...journeys, notStarted: { target: 0, generator: 0, stopped: 0 } };
    expect(progressLine({ ...open, outcomes: { ...live.outcomes, journeys: calm }, generator: reading }, 200)).toContain(
      '1,190 of 3,000 due, 1,190 started, 1.25 ms late ·',
    );
  });

  it('fits the width of the terminal', () => {
    for (const columns of [0, 1, 20, 80]) expect(progressLine(live, columns).length).toBeLessThan(Math.max(1, columns));
  });

  it('omits a percentile that has no value', () => {
    const unknown = progressLine({ ...live, latency: { ...live.latency, p95: 'never' } }, 200);
    expect(unknown).not.toContain('95 %');
  });
});

describe('startProgress', () => {
  it('redraws one line on a terminal and removes it at the end', async () => {
    const err = memoryOutput({ isTerminal: true, columns: 120 });
    const progress = startProgress(err, true);
    progress.show(live);
    progress.show(live);
    await progress.end();
    expect(err.text.split('\r\u001b[K')).toHaveLength(4);
    expect(err.text).not.toContain('\n');
    expect(err.text.endsWith('\r\u001b[K')).toBe(true);
  });

  it.each([
    ['no terminal', false, true],
    ['quiet', true, false],
  ])('draws nothing: %s', async (_why, isTerminal, isWanted) => {
    const err = memoryOutput({ isTerminal });
    const progress = startProgress(err, isWanted);
    progress.show(live);
    await progress.end();
    expect(err.text).toBe('');
  });
});
