import { describe, expect, it } from 'vitest';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import { zeroCounters, STREAM_COUNTERS } from '#core/measurement/counters.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { StreamFigures, StreamsResult } from '#core/result/streams.ts';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { planWith } from '#core/testing/plans.ts';
import { passageLines } from '../text/textTable.ts';
import { headFigures } from './headFigures.ts';
import type { Passage } from './model.ts';
import { streamBlocks, streamsSummary } from './streams.ts';

const linesOf = (passages: readonly Passage[]): string[] => passageLines(passages, 240);

const sample = sampleResult();

const latency = sample.latency.response;

const listTiles = (result: RunResult): string[] => headFigures(result).map(({ name, value, note }) => `${name}: ${value} (${note})`);

const streamFigures = (changes: Partial<StreamFigures> = {}): StreamFigures => ({
  ...zeroCounters(STREAM_COUNTERS),
  opened: 1_000,
  events: 24_000,
  eventsPerSecond: 400,
  opening: { ...latency, p50: 5, p95: 9 },
  firstEvent: { ...latency, p50: 70 },
  gaps: { ...latency, p50: 1_000 },
  delays: { ...latency, p50: 40, p95: 80, p99: 120, max: 300 },
  held: null,
  silence: null,
  ...changes,
});

const streams = (changes: Partial<StreamsResult> = {}): StreamsResult => ({
  outcomes: { ...zeroCounters(STREAM_COUNTERS), opened: 1_010, reopened: 10, ended: 6, lost: 4, left: 0, events: 24_000, open: 1_000 },
  mostOpen: 1_000,
  mostOpenAtSecond: 61,
  steps: [
    {
      name: 'scores',
      isNumbered: true,
      isStamped: true,
      figures: streamFigures({ missed: 3, repeated: 2, disordered: 1, lost: 4, ended: 6 }),
    },
  ],
  stages: [{ name: 'all', figures: streamFigures() }],
  ...changes,
});

const listening = planWith({
  journey: [{ name: 'scores', stream: { kind: 'events' } }],
  load: { model: 'users', stages: [{ users: 1_000, seconds: 60 }] },
});

describe('blocks of event streams', () => {
  it('show outcomes, events and times', () => {
    expect(linesOf(streamBlocks({ streams: streams() }))).toEqual([
      'Event streams, warm-up included',
      '  Opened: 1,010',
      '  Reopened after a cut: 10',
      '  Ended by the server: 6',
      '  Connection lost: 4',
      '  Still open at the end: 1,000',
      '  Events: 24,000',
      '  Most open at once: 1,000, at 1:01',
      '',
      'Events',
      '  Stream  Opened  Cut  Events  Events/s  Missed  Repeated  Out of order',
      '  scores   1,000   10  24,000       400       3         2             1',
      '',
      'Times of streams',
      '  Stream  Opening p50  Opening p95  First event p50  Gap p50  Delay p50  Delay p95  Delay p99  Delay max',
      '  scores         5 ms         9 ms            70 ms      1 s      40 ms      80 ms     120 ms     300 ms',
      '  Opening and first event include warm-up. Gap: between two reads with events. Delay: from the instant in the event until it arrived; it includes any difference between the two clocks.',
    ]);
    expect(streamBlocks({ streams: null })).toEqual([]);
    expect(streamsSummary(streams())).toBe('1,010 streams, 24,000 events');
  });

  it('omit missing numbers and times', () => {
    const plain = streamFigures({ eventsPerSecond: null, opening: null, firstEvent: null, gaps: null, delays: null });
    const found = streams({
      outcomes: { ...zeroCounters(STREAM_COUNTERS), opened: 5, sent: 7, left: 5, open: 0 },
      mostOpenAtSecond: null,
      steps: [{ name: 'scores', isNumbered: false, isStamped: false, figures: plain }],
      stages: [
        { name: 'low', figures: plain },
        { name: 'high', figures: plain },
      ],
    });
    expect(linesOf(streamBlocks({ streams: found }))).toEqual([
      'Event streams, warm-up included',
      '  Opened: 5',
      '  Closed by the listener: 5',
      '  Events: 0',
      '  Messages sent: 7',
      '  Most open at once: 1,000',
      '',
      'Events',
      '  Stream  Opened  Cut  Events  Events/s  Missed  Repeated  Out of order',
      '  scores   1,000    0  24,000         –       –         –             –',
      '  low      1,000    0  24,000         –       –         –             –',
      '  high     1,000    0  24,000         –       –         –             –',
      '',
      'Times of streams',
      '  Stream  Opening p50  Opening p95  First event p50  Gap p50  Delay p50  Delay p95  Delay p99  Delay max',
      '  scores            –            –                –        –          –          –          –          –',
      '  low               –            –                –        –          –          –          –          –',
      '  high              –            –                –        –          –          –          –          –',
      '  Opening and first event include warm-up. Gap: between two reads with events. Delay: from the instant in the event until it arrived; it includes any difference between the two clocks.',
    ]);
  });

  it('are shown first in a result of listeners', () => {
    const result = sampleResult({ plan: listening, streams: streams() });
    expect(listTiles(result)).toEqual([
      'Load: 50 connections (concurrent; the run took 5 min 30 s)',
      'Events: 400/s (24,000 received, 3 missed)',
      'Event delay, p95: 80 ms (from sent to received)',
      'Streams cut: 10 (of 1,010; 12 requests failed)',
    ]);
    const none = { ...result, outcomes: { ...result.outcomes, requests: { ...emptyRequestOutcomes(), sent: 5, ok: 5 } } };
    const steps = [
      { name: 'a', isNumbered: false, isStamped: true, figures: streamFigures({ delays: null }) },
      { name: 'b', isNumbered: true, isStamped: true, figures: streamFigures({ delays: null, eventsPerSecond: null }) },
    ];
    expect(listTiles({ ...none, streams: streams({ steps }) })).toEqual([
      'Load: 50 connections (concurrent; the run took 5 min 30 s)',
      'Events: 400/s (48,000 received)',
      'Event delay, p95: unknown (events have no timestamp)',
      'Streams cut: 10 (of 1,010; no request failed)',
    ]);
  });
});
