import { describe, expect, it } from 'vitest';
import { definitionBlocks, loadBlocks, validityBlocks } from './method.ts';
import type { RunResult } from '#core/result/schema.ts';
import { pagesResult } from '#core/result/testing/pagesResult.ts';
import { arrivalsResult, sampleResult } from '#core/result/testing/sampleResult.ts';
import { planWith } from '#core/testing/plans.ts';
import { passageLines } from '../text/textTable.ts';
import type { Passage } from './model.ts';

const linesOf = (passages: readonly Passage[]): string[] => passageLines(passages, 240);

const sample = sampleResult();

const listening = planWith({
  journey: [{ name: 'scores', stream: { kind: 'events' } }],
  load: { model: 'users', stages: [{ users: 1_000, seconds: 60 }] },
});

const [own] = sample.generators;

if (own === undefined) throw new Error('the sample has a generator');

describe('validityBlocks', () => {
  it('lists problems of the run and what was not tested', () => {
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
      pages: pagesResult(),
      outcomes: { ...sample.outcomes, journeys: { ...sample.outcomes.journeys, notStarted: { target: 1_200, generator: 30, stopped: 0 } } },
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

  it('lists limits that follow from the load model and the plan', () => {
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
      '  - 1,000 users repeat the request, without pauses, for 60 s.',
      '  - The test takes 60 s. The number of requests depends on the response times.',
      '    Meaning From the scheduled start of a request to the last byte of its response: the wait of a user. Check this first.',
      '  Service time',
      '    Meaning From the actual start to the last byte: the time of the server. If the response time is much longer, requests were sent late.',
    ]);
  });
});
