import { describe, expect, it } from 'vitest';
import { emptyRequestLedger } from '#core/measurement/ledger.ts';
import { noCounters, STREAM_COUNTERS } from '#core/measurement/counters.ts';
import type { GeneratorReading, RunResult } from '#core/result/schema.ts';
import type { PageFigures, PagesResult } from '#core/result/pages.ts';
import type { StreamFigures, StreamsResult } from '#core/result/streams.ts';
import { arrivalsResult, sampleResult } from '#core/result/testing/sampleResult.ts';
import type { Cycle } from '#core/judgement/capacity/cycles.ts';
import { MACHINE_CATALOGUE } from '#core/machines/monitors/machine/catalogue.ts';
import { planWith } from '#core/testing/plans.ts';
import { passageLines } from '../text/textTable.ts';
import { abBlocks } from './ab.ts';
import { capacityBlocks } from './capacity.ts';
import { differenceTable, dissimilarityTable } from './comparisonTables.ts';
import { liveGeneratorBlocks } from './generators.ts';
import { headFigures } from './headFigures.ts';
import { balanceSentence, journeyBlocks, ledgerBlocks, outcomeBlocks } from './ledger.ts';
import { generatorBlocks, machineBlocks, monitorBlocks, readingTable, tuningBlocks } from './machines.ts';
import { definitionBlocks, loadBlocks } from './method.ts';
import type { Passage } from './model.ts';
import { behaviourBlocks, cacheBlocks, connectionBlocks, pageBlocks, specialBlocks } from './special.ts';
import { streamBlocks, streamsSummary } from './streams.ts';
import { validityBlocks } from './validity.ts';

const linesOf = (passages: readonly Passage[]): string[] => passageLines(passages, 240);
const sample = sampleResult();
const latency = sample.latency.response;
const tilesOf = (result: RunResult): string[] => headFigures(result).map(({ name, value, note }) => `${name}: ${value} (${note})`);

describe('what ab prints, as passages', () => {
  it('has percentiles, totals and times', () => {
    expect(linesOf(abBlocks(sample))).toEqual([
      'Percentiles of response times',
      '  Share        All responses  Failures counted as timeouts',
      '  50 %                 49 ms                         49 ms',
      '  66 %                 51 ms                         51 ms',
      '  75 %                 53 ms                         53 ms',
      '  80 %                 55 ms                         55 ms',
      '  90 %                 63 ms                         63 ms',
      '  95 %                 74 ms                         74 ms',
      '  98 %                 96 ms                         96 ms',
      '  99 %                131 ms                        131 ms',
      '  99.9 %              5.08 s                        5.08 s',
      '  100 % (max)         5.11 s   at least one request failed',
      '',
      'Totals and rates',
      '  Figure                                                    Value',
      '  Server software                                    nginx/1.22.1',
      '  Server                                           127.0.0.1:8888',
      '  Length of the first response                            6,844 B',
      '  Concurrent connections                                       50',
      '  Time taken                                                5 min',
      '  Complete requests                                        60,008',
      '  Failed requests                                           6,007',
      '  of these: connect, receive, length, exceptions   3, 1, 6,003, 0',
      '  Non-2xx responses                                             8',
      '  Total received                                           438 MB',
      '  Body bytes received                                      411 MB',
      '  Requests per second                                       200/s',
      '  Time per request (mean)                                  250 ms',
      '  Time per request (mean, across all connections)            5 ms',
      '  Transfer rate                                         1.46 MB/s',
      '  Connections opened                                           50',
      '  Requests on a reused connection                          59,962',
      '  ApacheBench counts a response as failed if its length differs from the first one; Holdfast does not.',
      '',
      'Connection times',
      '  Part            Min        Mean       ± sd   Median      Max',
      '  Connect        0 ms  0.00069 ms  0.0263 ms     0 ms   3.1 ms',
      '  Processing  unknown     59.1 ms    unknown  unknown  unknown',
      '  First byte  unknown     unknown    unknown  unknown  unknown',
      '  Total         18 ms     59.1 ms     206 ms    49 ms   5.11 s',
    ]);
  });

  it('says what is not known', () => {
    const { plan } = sample;
    const nothing = sampleResult({
      durationSeconds: 0,
      bodyLength: { first: null, differs: 0, deviationBytes: 0, empty: 0 },
      rates: { startedPerSecond: null, completedPerSecond: null, bytesPerSecond: null },
      plan: { ...plan, engine: 'k6' },
      sessionsResumed: 7,
      requestsResent: 3,
      server: { ...sample.server, software: null, addresses: { '::1': 12, '127.0.0.1': 3 } },
    });
    expect(linesOf(abBlocks(nothing)).slice(13)).toEqual([
      'Totals and rates',
      '  Figure                                                             Value',
      '  Server software                                                  unknown',
      '  Server                                                    127.0.0.1:8888',
      '  Length of the first response                                     unknown',
      '  Concurrent connections                                                50',
      '  Time taken                                                           0 s',
      '  Complete requests                                                 60,008',
      '  Failed requests                                                        4',
      '  of these: connect, receive, length, exceptions                3, 1, 0, 0',
      '  Non-2xx responses                                                      8',
      '  Total received                                                    438 MB',
      '  Body bytes received                                              unknown',
      '  Requests per second                                              unknown',
      '  Time per request (mean)                                          unknown',
      '  Time per request (mean, across all connections)                  unknown',
      '  Transfer rate                                                    unknown',
      '  Connections opened                                                    50',
      '  Requests on a reused connection                                   59,962',
      '  Requests sent again after GOAWAY                                       3',
      '  TLS handshakes                                        43 full, 7 resumed',
      '  Connections opened to                            ::1 (12), 127.0.0.1 (3)',
      '',
      'Connection times',
      '  Part            Min        Mean       ± sd   Median      Max',
      '  Connect        0 ms  0.00069 ms  0.0263 ms     0 ms   3.1 ms',
      '  Processing  unknown     59.1 ms    unknown  unknown  unknown',
      '  First byte  unknown     unknown    unknown  unknown  unknown',
      '  Total         18 ms     59.1 ms     206 ms    49 ms   5.11 s',
    ]);
  });
});

const streamFigures = (changes: Partial<StreamFigures> = {}): StreamFigures => ({
  ...noCounters(STREAM_COUNTERS),
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
  ledger: { ...noCounters(STREAM_COUNTERS), opened: 1_010, reopened: 10, ended: 6, lost: 4, left: 0, events: 24_000, open: 1_000 },
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

describe('event streams', () => {
  it('have what became of them, their events and their times', () => {
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

  it('say nothing of numbers and times that they do not have', () => {
    const plain = streamFigures({ eventsPerSecond: null, opening: null, firstEvent: null, gaps: null, delays: null });
    const found = streams({
      ledger: { ...noCounters(STREAM_COUNTERS), opened: 5, sent: 7, left: 5, open: 0 },
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

  it('head a result of listeners', () => {
    const result = sampleResult({ plan: listening, streams: streams() });
    expect(tilesOf(result)).toEqual([
      'Load: 50 connections (concurrent, for 5 min 30 s)',
      'Events: 400/s (24,000 received, 3 missed)',
      'Event delay, p95: 80 ms (from sent to received)',
      'Streams cut: 10 (of 1,010; 12 requests failed)',
    ]);
    const none = { ...result, ledger: { ...result.ledger, requests: { ...emptyRequestLedger(), sent: 5, ok: 5 } } };
    const steps = [
      { name: 'a', isNumbered: false, isStamped: true, figures: streamFigures({ delays: null }) },
      { name: 'b', isNumbered: true, isStamped: true, figures: streamFigures({ delays: null, eventsPerSecond: null }) },
    ];
    expect(tilesOf({ ...none, streams: streams({ steps }) })).toEqual([
      'Load: 50 connections (concurrent, for 5 min 30 s)',
      'Events: 400/s (48,000 received)',
      'Event delay, p95: unknown (events have no timestamp)',
      'Streams cut: 10 (of 1,010; no request failed)',
    ]);
  });
});

const apdex = (value: number | null) => ({ value, satisfied: 1, tolerating: 0, frustrated: 0 }) as never;
const pageFigures = (changes: Partial<PageFigures> = {}): PageFigures => ({
  started: 120,
  complete: 100,
  incomplete: 20,
  times: { ...latency, min: 100, max: 900 },
  errorAdjusted: { ...latency, p50: 200, p95: 'never' },
  completePerSecond: 1.5,
  thresholdMs: 2_000,
  pageApdex: apdex(0.92),
  requestApdex: apdex(null),
  ...changes,
});
const pages = (changes: Partial<PagesResult> = {}): PagesResult => ({
  content: { pages: 2, resources: { css: 1, script: 2, image: 3, icon: 1, font: 1 } as never },
  all: pageFigures(),
  steps: [{ name: 'home', figures: pageFigures({ completePerSecond: null }) }],
  stages: [{ name: 'full load', figures: pageFigures() }],
  leftOut: {},
  ...changes,
});

describe('whole pages', () => {
  it('have a row each, and one for each of several stages', () => {
    expect(linesOf(pageBlocks(sampleResult({ pages: pages() })))).toEqual([
      '  2 pages, 3 style sheets and scripts, 4 images, 1 font; 60,012 journeys, 120 pages, 60,012 requests.',
      '',
      'Whole pages with all linked resources',
      '  Page       Pages  Incomplete  Pages/s     Min     p50    p95     Max        Apdex  Apdex of requests',
      '    home       120          20        –  100 ms  200 ms  never  900 ms  0.92 (Good)                  –',
      '  All pages    120          20      1.5  100 ms  200 ms  never  900 ms  0.92 (Good)                  –',
      '  Apdex counts pages within 2 s fully, within four times that half. Incomplete pages count as never complete, also in p50 and p95. The last column counts each request of the pages separately.',
    ]);
    const stages = [
      { name: 'low', figures: pageFigures() },
      { name: 'high', figures: pageFigures() },
    ];
    const bare = { pages: 1, resources: { css: 0, script: 0, image: 0, icon: 0, font: 0 } as never };
    expect(
      linesOf(pageBlocks(sampleResult({ pages: pages({ content: bare, stages, leftOut: { 'cdn.example': 12, 'ads.example': 1_000 } }) }))),
    ).toEqual([
      '  1 page; 60,012 journeys, 120 pages, 60,012 requests.',
      '',
      'Whole pages with all linked resources',
      '  Page       Pages  Incomplete  Pages/s     Min     p50    p95     Max        Apdex  Apdex of requests',
      '    home       120          20        –  100 ms  200 ms  never  900 ms  0.92 (Good)                  –',
      '  All, low     120          20      1.5  100 ms  200 ms  never  900 ms  0.92 (Good)                  –',
      '  All, high    120          20      1.5  100 ms  200 ms  never  900 ms  0.92 (Good)                  –',
      '  All pages    120          20      1.5  100 ms  200 ms  never  900 ms  0.92 (Good)                  –',
      '  Apdex counts pages within 2 s fully, within four times that half. Incomplete pages count as never complete, also in p50 and p95. The last column counts each request of the pages separately.',
      '  Links to other hosts were not followed: cdn.example (12), ads.example (1,000).',
    ]);
    expect(pageBlocks(sample)).toEqual([]);
  });

  it('head a result', () => {
    expect(tilesOf(sampleResult({ pages: pages() }))).toEqual([
      'Load: 50 connections (concurrent, for 5 min 30 s)',
      'Whole pages: 1.5/s (200 responses/s, 60,012 requests sent)',
      'Whole pages, p95: more than 5 % of pages failed (requests: 74 ms)',
      'Incomplete pages: 20 (of 120; 12 requests failed)',
    ]);
  });
});

describe('the head of a result', () => {
  it('counts requests, of a load that runs by time, or by plan', () => {
    expect(tilesOf(sample)).toEqual([
      'Load: 50 connections (concurrent, for 5 min 30 s)',
      'Throughput: 200/s (60,012 requests sent)',
      '95 % within: 74 ms (p95 from the actual start)',
      'Failed: 12 (0.02 % of requests)',
    ]);
    expect(tilesOf(arrivalsResult())).toEqual([
      'Load: 208/s (started, for 5 min 30 s)',
      'Throughput: 200/s (60,012 requests sent)',
      '95 % within: 610 ms (p95 from the scheduled start)',
      'Failed: 12 (0.02 % of requests)',
    ]);
  });

  it('divides by nothing where nothing was sent, and by nobody where nothing failed', () => {
    const withLedger = (requests: Partial<RunResult['ledger']['requests']>): string | undefined =>
      tilesOf(sampleResult({ ledger: { ...sample.ledger, requests: { ...emptyRequestLedger(), ...requests } } })).at(-1);
    expect([withLedger({}), withLedger({ sent: 10, ok: 10 }), withLedger({ sent: 10, ok: 9, reset: 1 })]).toEqual([
      'Failed: 0 (no requests sent)',
      'Failed: 0 (0 % of requests)',
      'Failed: 1 (10 % of requests)',
    ]);
  });
});

const reading = (changes: Partial<GeneratorReading> = {}): GeneratorReading =>
  ({
    second: 0,
    threadCpu: 0.5,
    threadWait: null,
    machineCpu: 0.25,
    steal: 0.01,
    eventLoopDelayMs: 2,
    scheduleLagMs: null,
    garbageCollectionMs: 5,
    memoryBytes: 100_000_000,
    openFiles: 1_050,
    timeWaitSockets: 7,
    ...changes,
  }) as GeneratorReading;
const [own] = sample.generators;
if (own === undefined) throw new Error('the sample has a generator');
const figures = {
  sent: 100,
  ok: 90,
  notStartedGenerator: 0,
  rates: { startedPerSecond: 10, completedPerSecond: 9.5, bytesPerSecond: 1_000_000 },
  service: latency,
  response: latency,
  phases: null,
  points: [],
};
const selfTest = { at: '2026-03-12T13:00:00.000Z', passed: 12, failed: [], maxRequestsPerSecond: 20_000 } as never;

describe('load generators', () => {
  it('have their machine, how busy it was, and its self-test', () => {
    expect(
      linesOf(
        generatorBlocks({ generators: [{ ...own, readings: [reading(), reading({ threadCpu: 0.91, openFiles: null })], selfTest }] }),
      ),
    ).toEqual([
      'Load generators',
      '  Machine        Hardware              Software                 Engine                      Overload',
      '  This computer  2 cores, 8 GB memory  Linux x64, Node 24.21.0  autocannon 9.0.0, 1 thread  overloaded for 4 s; shares its cores with the server',
      '    desk',
      '',
      'Use of the load generators, worst second',
      '  Figure                      This computer',
      '  Busiest thread                       91 %',
      '  Waiting for a core                      –',
      '  All cores                            25 %',
      '  CPU steal                             1 %',
      '  Event-loop delay                     2 ms',
      '  Schedule lag                            –',
      '  Garbage collection                   5 ms',
      '  Memory used                        100 MB',
      '  Open files and connections          1,050',
      '  Ports in TIME_WAIT                      7',
      '  –: not available on this machine.',
      '',
      'Self-tests',
      '  - This computer: all 12 checks passed on 2026-03-12 13:00:00 UTC, up to 20,000 requests/s.',
    ]);
    expect(generatorBlocks({ generators: [] })).toEqual([{ kind: 'text', text: 'No data about the load generator.' }]);
  });

  it('of several places have what each had of the load', () => {
    const other = {
      ...own,
      name: 'web1',
      hostname: 'web1',
      cores: 1,
      threads: 2,
      platform: 'win32 x64',
      sickSeconds: 0,
      sharesMachineWithTarget: false,
      keptAwake: true as const,
      lost: { second: 75, text: 'It was switched off.' },
      selfTest: { ...(selfTest as object), failed: ['counts', 'times'], maxRequestsPerSecond: null } as never,
      figures: { ...figures, rates: { ...figures.rates, completedPerSecond: null } },
    };
    expect(linesOf(machineBlocks({ generators: [{ ...own, figures }, other] }))).toEqual([
      'Load generators',
      '  Machine        Hardware              Software                   Engine                       Overload',
      '  This computer  2 cores, 8 GB memory  Linux x64, Node 24.21.0    autocannon 9.0.0, 1 thread   overloaded for 4 s; shares its cores with the server',
      '    desk',
      '  web1           1 core, 8 GB memory   Windows x64, Node 24.21.0  autocannon 9.0.0, 2 threads  not overloaded; sleep was prevented; lost at 1:15: It was switched off.',
      '',
      'Self-tests',
      '  - This computer: no self-test before the run.',
      '  - web1: 2 checks failed on 2026-03-12 13:00:00 UTC: counts, times.',
      '  From this computer and web1 the server looks alike: 50 % of responses came within 49 ms.',
      '',
      'Load by place',
      '  Place          Sent  Successful  Responses/s  Received    p50    p90  Overload',
      '  This computer   100          90          9.5  8 Mbit/s  49 ms  63 ms  overloaded for 4 s',
      '  web1            100          90            –  8 Mbit/s  49 ms  63 ms  lost at 1:15',
    ]);
    expect(linesOf(machineBlocks({ generators: [{ ...own, figures: null }, other] })).join('\n')).not.toContain('Load by place');
  });

  it('tell their last second while the load goes', () => {
    expect(linesOf(readingTable(reading({ openFiles: null }), 'this computer', 1))).toEqual([
      'This computer, last second',
      '  Figure                        Value',
      '  Busiest thread                 50 %',
      '  Waiting for a core          unknown',
      '  All cores                      25 %',
      '  CPU steal                       1 %',
      '  Event-loop delay               2 ms',
      '  Garbage collection             5 ms',
      '  Memory used                  100 MB',
      '  Open files and connections  unknown',
      '  Ports in TIME_WAIT                7',
    ]);
    expect(linesOf(readingTable(reading({ scheduleLagMs: 3 }), 'a, b', 2)).slice(0, 8)).toEqual([
      'Last second, worst value of all load generators',
      '  Figure                        Value',
      '  Busiest thread                 50 %',
      '  Waiting for a core          unknown',
      '  All cores                      25 %',
      '  CPU steal                       1 %',
      '  Event-loop delay               2 ms',
      '  Schedule lag                   3 ms',
    ]);
    const live = {
      sent: 10,
      answered: 9,
      ok: 9,
      completedPerSecond: 5,
      bytesPerSecond: 100,
      p50: 20,
      p90: 30,
      sickSeconds: 2,
      isSick: false,
    };
    expect(
      linesOf(
        liveGeneratorBlocks([
          { name: 'this computer', lost: null, figures: live },
          { name: 'b', lost: { second: 3, text: 'It was lost.' }, figures: { ...live, sickSeconds: 0 } },
          { name: 'c', lost: null, figures: null },
        ]),
      ),
    ).toEqual([
      'Load by place',
      '  Place          Sent  Successful  Responses/s       Received    p50    p90  Overload',
      '  This computer    10           9            5  0.0008 Mbit/s  20 ms  30 ms  overloaded for 2 s',
      '  b                10           9            –        unknown  20 ms  30 ms  lost at 0:03',
      '  c                 0           0            –        unknown      –      –  not overloaded',
      '  Rates of the last second, times since the start.',
    ]);
  });

  it('say what was changed on them', () => {
    const data = {
      id: 1,
      host: 'web1',
      check: 'ports',
      setting: 'net.ipv4.tcp_tw_reuse',
      from: '0',
      to: '1',
      appliedAt: '2026-03-12T13:00:00.000Z',
    };
    const events = [
      { second: 0, kind: 'hostChanged', text: 'A setting was changed.', data },
      { second: 0, kind: 'hostChanged', text: 'Another was changed.', data: {} },
      { second: 0, kind: 'note', text: 'A note.' },
    ] as RunResult['events'];
    expect(linesOf(tuningBlocks({ events }))).toEqual([
      'Settings changed before the run',
      '  - Holdfast changed net.ipv4.tcp_tw_reuse on web1 from 0 to 1 before this run. (2026-03-12 13:00:00 UTC)',
      '  - Another was changed.',
    ]);
    expect(linesOf(tuningBlocks({ events: [] }))).toEqual([
      'Settings changed before the run',
      '  - None by Holdfast. Changes by others are unknown.',
    ]);
  });
});

describe('monitors', () => {
  const monitor = (changes: object) =>
    ({
      number: 0,
      name: 'web1',
      kind: 'machine',
      role: 'target',
      host: 'web1',
      quantities: [...MACHINE_CATALOGUE.quantities],
      limits: [],
      state: 'ended',
      problem: null,
      errorMs: 1,
      second: [0, 65],
      width: [1, 1],
      values: { 'cpu.used': [0.5, 0.7], 'cpu.steal': [0, 0] },
      ...changes,
    }) as never as RunResult['monitors'][number];

  it('have what they read, and why others did not', () => {
    const monitors = [
      monitor({}),
      monitor({ name: 'this computer', role: 'generator', host: null }),
      monitor({ name: 'db', role: 'hop', values: { 'cpu.used': [0, 0] } }),
      monitor({ name: 'gone', state: 'lost', problem: 'It was switched off.' }),
      monitor({ name: 'never', state: 'unavailable', problem: 'No permission.', values: {} }),
    ];
    expect(linesOf(monitorBlocks({ ...sample, monitors }))).toEqual([
      'web1',
      '  Figure             Mean   Max    At',
      '  Processor: in use  60 %  70 %  1:05',
      '',
      'This computer (load generator)',
      '  Figure             Mean   Max    At',
      '  Processor: in use  60 %  70 %  1:05',
      '',
      'gone',
      '  Figure             Mean   Max    At',
      '  Processor: in use  60 %  70 %  1:05',
      '',
      'Not watched',
      '  - gone: lost. It was switched off.',
      '  - never: No permission.',
    ]);
  });
});

describe('what became of requests and journeys', () => {
  it('is told of every request', () => {
    expect(linesOf(ledgerBlocks(sample))).toEqual([
      '  All 60,012 requests are accounted for.',
      '',
      'Outcome of every request',
      '  Outcome               Requests      Share',
      '  Sent                    60,012',
      '    warm-up included',
      '  Successful responses    60,000    99.98 %',
      '  Wrong status                 8   0.0133 %',
      '  Connection refused           3    0.005 %',
      '  Connection closed            1  0.00167 %',
      '  No other outcomes.',
      '',
      'Status codes',
      '  Code  Requests     Share',
      '  200    120,000   99.99 %',
      '  503         16  0.0133 %',
      '',
      'Errors',
      '  Code                  Requests  Share',
      '  ECONNREFUSED@connect         6   75 %',
      '  ECONNRESET@firstByte         2   25 %',
    ]);
  });

  it('is told of what goes on, of what was not made, and of what stands beside', () => {
    const requests = { ...emptyRequestLedger(), sent: 10, ok: 7, timeout: 1, inFlight: 2, notMade: 4 };
    const sideCalls = { ...emptyRequestLedger(), sent: 1_000, ok: 990, reset: 9, inFlight: 1 };
    const { journeys } = sample.ledger;
    expect(linesOf(outcomeBlocks({ journeys, requests, sideCalls }, true))).toEqual([
      'Outcome of every request',
      '  Outcome               Requests  Share',
      '  Sent                        10',
      '  Successful responses         7   70 %',
      '  Timed out                    1   10 %',
      '  In flight                    2   20 %',
      '  Not sent                     4',
      '  Requests not sent lacked a value that they need, and count as failed. No other outcomes.',
      '  In addition, 1,000 side calls were made, not included in any figure: 9 failed, 1 outstanding.',
    ]);
    expect(linesOf(outcomeBlocks({ journeys, requests }, false, 'warm-up included'))).toEqual([
      'Outcome of every request',
      '  Outcome               Requests  Share',
      '  Sent                        10',
      '    warm-up included',
      '  Successful responses         7   70 %',
      '  Timed out                    1   10 %',
      '  Outstanding                  2   20 %',
      '  Not sent                     4',
      '  Requests not sent lacked a value that they need, and count as failed. No other outcomes.',
    ]);
    const none = { journeys, requests: emptyRequestLedger() };
    expect([...outcomeBlocks(none, true), ...outcomeBlocks(none)]).toEqual([
      { kind: 'text', text: 'No request sent so far.' },
      { kind: 'text', text: 'No request was sent.' },
    ]);
    expect([
      balanceSentence({ journeys, requests }, true),
      balanceSentence({ journeys, requests: { ...requests, sent: 11 } }, false),
    ]).toEqual([
      'All 10 requests are accounted for.',
      '11 requests were sent but 10 are accounted for: the figures do not add up. This is a fault of Holdfast. Report it.',
    ]);
  });

  it('is told of side calls, codes and start-up', () => {
    const stages = sample.stages.map((stage) => ({
      ...stage,
      status: {},
      errors: {},
      startUp: { requests: emptyRequestLedger(), status: {}, errors: {} },
    }));
    const result = sampleResult({
      stages,
      sideCalls: [
        { name: 'poll', requests: { ...emptyRequestLedger(), sent: 5, ok: 5 } },
        { name: 'idle', requests: emptyRequestLedger() },
      ] as never,
    });
    expect(linesOf(ledgerBlocks(result))).toEqual([
      '  All 60,012 requests are accounted for.',
      '',
      'Outcome of every request',
      '  Outcome               Requests      Share',
      '  Sent                    60,012',
      '    warm-up and start-up included',
      '  Successful responses    60,000    99.98 %',
      '  Wrong status                 8   0.0133 %',
      '  Connection refused           3    0.005 %',
      '  Connection closed            1  0.00167 %',
      '  No other outcomes.',
      '  In addition, 5 side calls of “poll” were made, not included in any figure: 0 failed.',
      '  No complete responses.',
      '  No errors.',
    ]);
  });

  it('is told of journeys', () => {
    const journeys = {
      planned: 1_000,
      started: 900,
      notStarted: { target: 40, generator: 30, stopped: 30 },
      finished: 800,
      abandoned: 90,
      running: 10,
    };
    expect(linesOf(journeyBlocks({ ...sample.ledger, journeys }))).toEqual([
      'Journeys',
      '  Planned: 1,000',
      '  Started: 900',
      '  Finished: 800',
      '  Abandoned after a failure: 90',
      '  Running at the end: 10',
      '  Not started: too many requests in flight: 40',
      '  Not started: load generator overloaded: 30',
      '  Not started: the test was stopped: 30',
    ]);
    expect(linesOf(journeyBlocks(sample.ledger))).toEqual([
      'Journeys',
      '  Planned: no fixed number, runs by time',
      '  Started: 60,012',
      '  Finished: 60,000',
      '  Abandoned after a failure: 12',
    ]);
  });
});

describe('the limits of a result', () => {
  it('say what went wrong and what was not asked', () => {
    expect(linesOf(validityBlocks(sample))).toEqual([
      'Limits of this result',
      '  - The load generator was overloaded for 4 s (a thread that sends requests was fully busy). Latency in those seconds may be inflated; they are marked in the charts and do not count against the server.',
      '  - The server shared a processor with a load generator (this computer). On its own machine it would perform better.',
      '  - Not tested: handing in a solution.',
      '  - Not tested: the ranking.',
      '  - Each connection sent its next request after a response, so a slow server got fewer requests. This shows the capacity of the server, not the wait of users who arrive independently.',
      '  - All load came from one place: this computer. Delays of other networks are not included.',
      '  - Requests were measured, not pages. A browser also fetches images, styles and scripts, runs scripts and renders.',
      '  - One run does not show how much runs vary. To compare two servers or settings, run each at least five times.',
    ]);
    const worse = sampleResult({
      balances: false,
      run: { ...sample.run, endedBecause: 'stopped' as never },
      generators: [
        { ...own, sharesMachineWithTarget: false, lost: { second: 3, text: 'gone' } },
        { ...own, name: 'web1' },
      ],
      pages: pages(),
      ledger: { ...sample.ledger, journeys: { ...sample.ledger.journeys, notStarted: { target: 1_200, generator: 30, stopped: 0 } } },
      windows: [],
    });
    expect(linesOf(validityBlocks(worse))).toEqual([
      'Limits of this result',
      '  - The figures do not add up to the requests sent. This is a fault of Holdfast. Do not trust them.',
      '  - The run ended early, so it can show a failure, but not a pass.',
      '  - this computer was lost during the run, so the load was lower than planned.',
      '  - The server shared a processor with a load generator (web1). On its own machine it would perform better.',
      '  - Not tested: handing in a solution.',
      '  - Not tested: the ranking.',
      '  - Each connection sent its next request after a response, so a slow server got fewer requests. This shows the capacity of the server, not the wait of users who arrive independently.',
      '  - All load came from 2 places: this computer, web1. Delays of other networks are not included.',
      '  - Page times end when all linked resources have arrived. They do not include running scripts and rendering.',
      '  - 1,200 planned arrivals were not started because too many requests were in flight. The planned load was not reached.',
      '  - 30 planned arrivals were not started because the load generator was overloaded. The planned load was not reached.',
      '  - One run does not show how much runs vary. To compare two servers or settings, run each at least five times.',
    ]);
    expect(linesOf(validityBlocks(arrivalsResult()))).toEqual([
      'Limits of this result',
      '  - The load generator was overloaded for 4 s (a thread that sends requests was fully busy). Latency in those seconds may be inflated; they are marked in the charts and do not count against the server.',
      '  - The server shared a processor with a load generator (this computer). On its own machine it would perform better.',
      '  - Not tested: handing in a solution.',
      '  - Not tested: the ranking.',
      '  - Requests started at a fixed rate, whether or not earlier ones were complete, like users who arrive independently.',
      '  - All load came from one place: this computer. Delays of other networks are not included.',
      '  - Requests were measured, not pages. A browser also fetches images, styles and scripts, runs scripts and renders.',
      '  - 2,480 planned arrivals were not started because too many requests were in flight. The planned load was not reached.',
      '  - 20 planned arrivals were not started because the load generator was overloaded. The planned load was not reached.',
      '  - One run does not show how much runs vary. To compare two servers or settings, run each at least five times.',
    ]);
  });

  it('follow from how it was measured', () => {
    const methodOf = (result: RunResult): string[] => linesOf([...loadBlocks(result), ...definitionBlocks(result)]);
    const usual = methodOf(sample);
    expect(usual).toEqual([
      'Load',
      '  - The load is sent to 127.0.0.1:8888.',
      '  - Every request is “description” (GET tasks/a/description).',
      '  - “warm-up”: 10 connections, each sending the next request after a response, for 30 s. This stage is not counted.',
      '  - “full load”: 50 connections, each sending the next request after a response, for 5 min.',
      '  - The test takes 5 min 30 s. The number of requests depends on the response times.',
      '  - A request times out after 2 min. At the end, Holdfast waits up to 2 min for outstanding responses.',
      '',
      'Terms',
      '  Successful response',
      '    Meaning A complete response with an expected status (200 to 299 unless the plan names others) that passed every content check. A redirect to a login page is not one.',
      '  Failed',
      '    Meaning Every other completed request: unexpected status, wrong content, time-out, no connection, or a closed connection.',
      '  p95',
      '    Meaning 95 % of requests took no longer than this; p50, p90 and p99 likewise. Percentiles use the nearest rank and are never averaged.',
      '  Response time',
      '    Meaning From the start of a request to the last byte of its response. It equals the service time, as each request starts after the previous response.',
      '  Failures counted as timeouts',
      '    Meaning The response time, with every failed request counted as never complete. Check this when requests failed: quick errors make the other times look good.',
      '  Responses/s',
      '    Meaning Complete responses, successful or not, during the load of a stage. Responses after its end are in no rate.',
      '  Not counted',
      '    Meaning A warm-up or recovery stage: shown, but not judged.',
      '  Confidence',
      '    Meaning A criterion passes when the one-sided 95 % bound of the true share (Clopper-Pearson) is within the allowed share. The number of requests is reduced where they came in bursts. Seconds in which the load generator was overloaded',
      '      are judged both ways.',
      '  Overload',
      '    Meaning Each second of each load generator is checked: threads, clock, ports and open files. Overloaded seconds never count against the server.',
      '  Times are kept in HDR histograms with 3 significant digits from 1 µs to 1 h, merged by addition over seconds, steps, threads and machines.',
    ]);
    const otherLines = (result: RunResult): string[] => methodOf(result).filter((line) => !usual.includes(line));
    expect(otherLines(arrivalsResult())).toEqual([
      '  - “warm-up”: the rate changes linearly from 0 to 200 requests a second over 30 s, 3,000 in all. This stage is not counted.',
      '  - “full load”: 208 requests begin each second for 5 min, 62,400 in all.',
      '  - They start evenly spaced, whatever the server does.',
      '  - At most 500 requests are in flight at the same time, enough while each takes up to 2.4 s; if more are outstanding, further ones are left out and count as failed.',
      '  - In total, 65,400 requests in 5 min 30 s if all can begin on time.',
      '    Meaning From the scheduled start of a request to the last byte of its response: the wait of a user. Check this first.',
      '  Service time',
      '    Meaning From the actual start to the last byte: the time of the server. If the response time is much longer, requests were sent late.',
    ]);
    expect(otherLines(sampleResult({ plan: listening }))).toEqual([
      '  - The load is sent to 127.0.0.1:8080.',
      '  - Every request is “scores” (GET the address itself).',
      '  - Each journey begins without cookies and keeps those that the server sets.',
      '  - “scores” is an event stream, held to the end of the load.',
      '  - 1,000 users ask again and again, without a pause, for 60 s.',
      '  - The test takes 60 s. The number of requests depends on the response times.',
      '    Meaning From the scheduled start of a request to the last byte of its response: the wait of a user. Check this first.',
      '  Service time',
      '    Meaning From the actual start to the last byte: the time of the server. If the response time is much longer, requests were sent late.',
    ]);
  });
});

describe('what is special about a result', () => {
  it('is where connections went', () => {
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

  it('is what each of several servers did', () => {
    const server = { name: 'a', answered: 1_000, share: 0.5, failed: 3, unanswered: 1, meanMs: 12.5, silent: [] };
    const servers = [
      server,
      { ...server, name: 'b', silent: [{ fromSecond: 10, toSecond: 75 }] },
      { ...server, name: 'c', answered: 0, meanMs: null, silent: [{ fromSecond: 0, toSecond: 300 }] },
    ] as RunResult['servers'];
    expect(linesOf(specialBlocks(sampleResult({ servers })))).toEqual([
      'Servers, warm-up included',
      '  Server  Responses  Share  Failed  No response  Mean time  Silent',
      '  a           1,000   50 %       3            1    12.5 ms  never',
      '  b           1,000   50 %       3            1    12.5 ms  stood still from 0:10 to 1:15',
      '  c               0   50 %       3            1          –  all the time',
    ]);
  });

  it('is what a cache did', () => {
    const cached = (answered: number, fromCache: number, unsaid: number) => ({
      answered,
      fromCache,
      fromServer: answered - fromCache - unsaid,
      unsaid,
      fromCacheMs: 2,
      fromServerMs: fromCache === answered ? null : 30,
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

  it('is how it behaves', () => {
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
      firstAnswers: [{ step: 'page', first: [64, 81.1], firstMedian: 72, restMedian: 20, isSlowAtFirst: true, slower: 2 }],
      queues: [
        { ...queue, stage: 'one', answers: 90, queues: true, reason: null, growthMs: interval, intervalMs: interval },
        { ...queue, stage: 'two', answers: 90, queues: false, reason: null, growthMs: null, intervalMs: interval },
        { ...queue, stage: 'three', answers: 1, queues: null, reason: 'too few', growthMs: null, intervalMs: null },
      ],
      recoveries: [recovery, { ...recovery, seconds: 0.5 }, { ...recovery, seconds: null }, { ...recovery, reason: 'too short' }],
    } as never as RunResult['behaviour'];
    expect(linesOf(behaviourBlocks({ behaviour }))).toEqual([
      'Behavior',
      '  - The first 10 successful responses of “page” were slower than the rest: median 72 ms against 20 ms, 2 of them slower than the later p90.',
      '  - Requests of “page” queued in 1 of 2 stages: each response came 12 ms after the one before (10 ms to 14 ms). That is the time of one request / requests processed at a time.',
      '  - Recovered 4 s ± 1 s after the spike to 100/s in “spike”, which ended at second 60 (p90 20 ms before, 900 ms at worst).',
      '  - Recovered within 1 s after the spike to 100/s in “spike”, which ended at second 60 (p90 20 ms before, 900 ms at worst).',
      '  - No recovery within the 30 s that were watched after the spike to 100/s in “spike”, which ended at second 60 (p90 20 ms before, 900 ms at worst).',
      '  - Recovery after the spike to 100/s in “spike”, which ended at second 60: unknown. too short',
      '',
      'First responses and later ones',
      '  Step  First, in order  Median of first  Median of later  Slower than p90 of later',
      '  page  64, 81.1 ms                72 ms            20 ms                         2',
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

describe('how much something can do', () => {
  const cycle = (name: string, at: number, changes: Partial<Cycle> = {}): Cycle => ({
    name,
    at,
    counted: 'requests',
    total: 1_000,
    good: 990,
    failed: 10,
    perSecond: 16.5,
    times: { min: 5, mean: 20, p50: 18, p90: 30, p95: 40, max: 90 },
    apdex: 0.9,
    requestApdex: null,
    broke: false,
    ...changes,
  });
  const level = (name: string, at: number, perSecond: number, more = {}) => ({
    name,
    at,
    perSecond: [perSecond],
    failedShare: 0,
    isDoubted: false,
    ...more,
  });

  it('is told cycle by cycle, and level by level', () => {
    const levels = [level('low', 1, 10), level('mid', 10, 80, { isDoubted: true }), level('high', 100, 90, { failedShare: 0.5 })];
    const refused = { kind: 'refused', why: 'tooFew', numbers: { measured: 3, idle: 0, failed: 1, doubted: 1 }, worst: null } as never;
    const residuals = [
      { name: 'low', at: 1, measured: 10, curve: 9.5, off: 0.0526 },
      { name: 'mid', at: 10, measured: 80, curve: 82, off: -0.0244 },
    ];
    const limit = { kind: 'limit', limit: { slope: 9.5, most: 90, low: 88, high: 92, fullAt: 9.5 }, residuals, usualOff: 0.02 } as never;
    const capacity = (scaling: never, changes: object) =>
      ({
        sets: [{ set: { name: '', unit: 'users', counted: 'answers', levels, ...changes }, scaling }],
        cycles: [cycle('low', 1), cycle('high', 1_000, { perSecond: null, total: 0, failed: 0, apdex: null })],
        best: null,
        headroom: null,
      }) as never;
    const tables = (passages: readonly Passage[]): string[] => linesOf(passages.filter(({ kind }) => kind === 'table'));
    expect(tables(capacityBlocks(capacity(refused, {})))).toEqual([
      'Cycle by cycle',
      '  Cycle  Concurrency  Successful requests/s  Total  Failed   Min   Mean    p95    Max        Apdex',
      '  low              1                   16.5  1,000     1 %  5 ms  20 ms  40 ms  90 ms  0.90 (Good)',
      '  high         1,000                      –      0       –  5 ms  20 ms  40 ms  90 ms            –',
      '  Times cover completed requests only. Apdex covers whole pages only.',
      '',
      'Levels',
      '  Level  Users  Measured/s              Deviation',
      '  low        1          10                      –',
      '  mid       10          80               doubtful',
      '  high     100          90  excluded: 50 % failed',
    ]);
    expect(tables(capacityBlocks(capacity(limit, { name: 'node', unit: 'connections' }))).slice(6)).toEqual([
      'Levels and fitted curve: node',
      '  Level  Connections  Measured/s  Curve              Deviation',
      '  low              1          10    9.5                 +5.3 %',
      '  mid             10          80     82                 −2.4 %',
      '  high           100          90      –  excluded: 50 % failed',
    ]);
  });
});

describe('two sides of a comparison', () => {
  const spread = (median: number) => ({ median, least: median - 1, most: median + 1 });
  const difference = {
    scope: { kind: 'run', name: '' },
    measure: 'p95',
    from: spread(20),
    to: spread(30),
    scale: 'ratio',
    change: 0.5,
    interval: { from: 0.4, to: 0.6 },
    judgement: 'differs',
    direction: 'worse',
  } as const;

  it('have each figure with its change', () => {
    const differences = [
      difference,
      { ...difference, measure: 'goodPerSecond', direction: 'better', change: -0.1 },
      {
        ...difference,
        scope: { kind: 'stage', name: 'high' },
        from: null,
        change: null,
        interval: null,
        judgement: 'notKnown',
        direction: null,
      },
      { ...difference, judgement: 'withinNoise', direction: null },
    ] as never;
    expect(differenceTable('Figures', { differences }, 'old', 'new')).toEqual([
      {
        kind: 'table',
        title: 'Figures',
        columns: [
          { name: 'Figure' },
          { name: 'old', numeric: true },
          { name: 'new', numeric: true },
          { name: 'Change', numeric: true },
          { name: '99 % interval', numeric: true },
          { name: 'Conclusion' },
        ],
        rows: [
          [
            { text: '95 % within', about: 'the whole run' },
            { text: '20 ms', about: '19 ms to 21 ms' },
            { text: '30 ms', about: '29 ms to 31 ms' },
            '+50 %',
            '+40 % to +60 %',
            { text: 'worse', mark: 'breaks' },
          ],
          [
            { text: 'Successful responses a second', about: 'the whole run' },
            { text: '20/s', about: '19/s to 21/s' },
            { text: '30/s', about: '29/s to 31/s' },
            '−10 %',
            '+40 % to +60 %',
            { text: 'better', mark: 'holds' },
          ],
          [{ text: '95 % within', about: 'stage “high”' }, '–', { text: '30 ms', about: '29 ms to 31 ms' }, '–', '–', 'unknown'],
          [
            { text: '95 % within', about: 'the whole run' },
            { text: '20 ms', about: '19 ms to 21 ms' },
            { text: '30 ms', about: '29 ms to 31 ms' },
            '+50 %',
            '+40 % to +60 %',
            'smaller than noise',
          ],
        ],
      },
    ]);
  });

  it('have what is not the same in all runs', () => {
    const dissimilar = [{ aspect: 'version', what: 'Version of Holdfast', values: [['1', '2'], ['3']], isWithinSide: true }] as never;
    expect(linesOf(dissimilarityTable({ dissimilar }, ['old', 'new', 'third']))).toEqual([
      'Differences between the runs, by side',
      '  Difference           Kind                     old   new  third',
      '  Version of Holdfast  The version of Holdfast  1, 2  3',
    ]);
    expect(dissimilarityTable({ dissimilar: [] }, ['old'])).toEqual([]);
  });
});
