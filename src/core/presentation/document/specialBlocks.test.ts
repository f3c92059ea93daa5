import { describe, expect, it } from 'vitest';
import type { RunResult } from '#core/result/schema.ts';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { passageLines } from '../text/textTable.ts';
import type { Passage } from './model.ts';
import { behaviourBlocks, cacheBlocks, connectionBlocks, specialBlocks } from './special.ts';

const linesOf = (passages: readonly Passage[]): string[] => passageLines(passages, 240);

const sample = sampleResult();

const latency = sample.latency.response;

describe('report blocks', () => {
  it('about connections show address, software and reuse', () => {
    expect(
      linesOf(connectionBlocks(sampleResult({ sessionsResumed: 7, phases: { ...sample.phases, tls: { ...latency, count: 20 } } }))),
    ).toEqual([
      'Server and connections',
      '  Address: 127.0.0.1:8888',
      '  Software, as reported by the server: nginx/1.22.1',
      '  Connections opened: 50',
      '  Requests on a reused connection: 59,962',
      '  TLS handshakes: 13 full, 7 resumed',
    ]);
  });

  it('about connections say that only counted stages are counted, if others sent requests', () => {
    expect(linesOf(connectionBlocks(sampleResult({ connectionsOpened: 0 }))).slice(3, 5)).toEqual([
      '  Connections opened in counted stages: 0',
      '  Requests on a reused connection in counted stages: 59,962',
    ]);
  });

  it('about several servers show shares, failures and silent periods', () => {
    const server = { name: 'a', responded: 1_000, share: 0.5, failed: 3, withoutResponse: 1, meanMs: 12.5, silent: [] };
    const servers = [
      server,
      { ...server, name: 'b', silent: [{ fromSecond: 10, toSecond: 75 }] },
      { ...server, name: 'c', responded: 0, meanMs: null, silent: [{ fromSecond: 0, toSecond: 300 }] },
    ] as RunResult['servers'];
    expect(linesOf(specialBlocks(sampleResult({ servers })))).toEqual([
      'Servers, warm-up included',
      '  Server  Responses  Share  Failed  No response  Mean time  Silent',
      '  a           1,000   50 %       3            1    12.5 ms  never',
      '  b           1,000   50 %       3            1    12.5 ms  stood still from 0:10 to 1:15',
      '  c               0   50 %       3            1          –  all the time',
    ]);
  });

  it('about caches show responses by request', () => {
    const cached = (responded: number, fromCache: number, unsaid: number) => ({
      responded,
      fromCache,
      fromServer: responded - fromCache - unsaid,
      unsaid,
      fromCacheMs: 2,
      fromServerMs: fromCache === responded ? null : 30,
    });
    const steps = [
      { name: 'description', figures: cached(100, 80, 5) },
      { name: 'other', figures: cached(0, 0, 0) },
    ];
    expect(linesOf(cacheBlocks({ plan: sample.plan, cache: { all: cached(120, 85, 5), counted: cached(100, 80, 5), steps } }))).toEqual([
      '  80 % of 100 responses came from a cache, 5 % did not say. One from a cache took 2 ms on average, one from the server behind it 30 ms.',
      '',
      'Responses from a cache, by request',
      '  Request           Responses  From a cache   Share  From the server  Not reported  Mean from a cache  Mean from the server',
      '  description             100            80    80 %               15             5               2 ms                 30 ms',
      '  other                     0             0       –                0             0               2 ms                     –',
      '  All                     100            80    80 %               15             5               2 ms                 30 ms',
      '  Warm-up included        120            85  70.8 %               30             5               2 ms                 30 ms',
      '  According to response headers. Compare the counts including warm-up with the log of the cache.',
    ]);
    expect(
      linesOf(
        cacheBlocks({ plan: sample.plan, cache: { all: cached(100, 80, 5), counted: cached(100, 80, 5), steps: steps.slice(0, 1) } }),
      ).slice(1),
    ).toEqual([
      '',
      'Responses from a cache, by request',
      '  Request  Responses  From a cache  Share  From the server  Not reported  Mean from a cache  Mean from the server',
      '  All            100            80   80 %               15             5               2 ms                 30 ms',
      '  According to response headers. Compare the counts including warm-up with the log of the cache.',
    ]);
    expect(cacheBlocks({ plan: sample.plan, cache: undefined })).toEqual([]);
  });

  it('about behaviour show sentences and figures', () => {
    const interval = { value: 12, low: 10, high: 14 };
    const queue = { step: 'page', sent: 100 };
    const recovery = {
      stage: 'spike',
      endedAtSecond: 60,
      beforeMs: 20,
      worstMs: 900,
      seconds: 4,
      watchedSeconds: 30,
      resolutionSeconds: 1,
      reason: null,
      unit: 'arrivalsPerSecond',
      shape: 'spike',
      level: 100,
    };
    const behaviour = {
      bursts: null,
      capacity: null,
      firstResponses: [{ step: 'page', first: [64, 81.1], firstMedian: 72, restMedian: 20, isSlowAtFirst: true, slower: 2 }],
      queues: [
        { ...queue, stage: 'one', responses: 90, queues: true, reason: null, growthMs: interval, intervalMs: interval },
        { ...queue, stage: 'two', responses: 90, queues: false, reason: null, growthMs: null, intervalMs: interval },
        { ...queue, stage: 'three', responses: 1, queues: null, reason: 'too few', growthMs: null, intervalMs: null },
      ],
      recoveries: [recovery, { ...recovery, seconds: 0.5 }, { ...recovery, seconds: null }, { ...recovery, reason: 'too short' }],
    } as never as RunResult['behaviour'];
    expect(linesOf(behaviourBlocks({ behaviour }))).toEqual([
      'Behavior',
      '  - The first 10 successful responses of “page” were slower than the rest: their median of 72 ms is 3.6 times that of the rest, and 2 of them were slower than the later p90.',
      '  - Requests of “page” queued in 1 of 2 stages: each response came 12 ms after the one before (10 ms to 14 ms). That is the time of one request / requests processed at a time.',
      '  - Recovered 4 s ± 1 s after the spike to 100/s in “spike”, which ended at second 60 (p90 20 ms before, 900 ms at worst).',
      '  - Recovered within 1 s after the spike to 100/s in “spike”, which ended at second 60 (p90 20 ms before, 900 ms at worst).',
      '  - No recovery within the 30 s that were watched after the spike to 100/s in “spike”, which ended at second 60 (p90 20 ms before, 900 ms at worst).',
      '  - Recovery after the spike to 100/s in “spike”, which ended at second 60: unknown. too short',
      '',
      'First responses and later ones',
      '  Step  First, in order  Median of first  Median of later  Slower than p90 of later',
      '  page  64, 81.1 ms                72 ms            20 ms                         2',
      '  Of the whole run, uncounted stages included. “Later” are all but the first.',
      '',
      'Response time by place in the queue',
      '  Stage  Successful  Queue                   Growth per place  Time between responses',
      '  one     90 of 100  grows             12 ms (10 ms to 14 ms)  12 ms (10 ms to 14 ms)',
      '  two     90 of 100  does not grow                          –  12 ms (10 ms to 14 ms)',
      '  three    1 of 100  unknown: too few                       –                       –',
      '',
      'Recovery after high load',
      '  Load                    Ended at  p90 before  Worst p90  Recovered after',
      '  spike · spike to 100/s      60 s       20 ms     900 ms  4 s',
      '  spike · spike to 100/s      60 s       20 ms     900 ms  within 1 s',
      '  spike · spike to 100/s      60 s       20 ms     900 ms  not within 30 s',
      '  spike · spike to 100/s      60 s       20 ms     900 ms  unknown: too short',
    ]);
    expect(behaviourBlocks({ behaviour: null })).toEqual([]);
  });
});
