import { describe, expect, it } from 'vitest';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { passageLines } from '../text/textTable.ts';
import { abBlocks } from './ab.ts';
import type { Passage } from './model.ts';

const linesOf = (passages: readonly Passage[]): string[] => passageLines(passages, 240);

const sample = sampleResult();

describe('abBlocks', () => {
  it('shows percentiles, totals and times', () => {
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

  it('shows unknown values as unknown', () => {
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
      '  Requests sent again                                                    3',
      '  TLS handshakes                                        43 full, 7 resumed',
      '  Requests by address                              ::1 (12), 127.0.0.1 (3)',
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
