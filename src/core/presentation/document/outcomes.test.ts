import { describe, expect, it } from 'vitest';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { passageLines } from '../text/textTable.ts';
import { balanceSentence, journeyBlocks, requestOutcomeBlocks, outcomeBlocks } from './requestOutcomes.ts';
import type { Passage } from './model.ts';

const linesOf = (passages: readonly Passage[]): string[] => passageLines(passages, 240);

const sample = sampleResult();

describe('tables of outcomes', () => {
  it('show the outcomes of all requests', () => {
    expect(linesOf(requestOutcomeBlocks(sample))).toEqual([
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

  it('show requests in flight, requests not sent, side calls, and a wrong balance', () => {
    const requests = { ...emptyRequestOutcomes(), sent: 10, ok: 7, timeout: 1, inFlight: 2, notMade: 4 };
    const sideCalls = { ...emptyRequestOutcomes(), sent: 1_000, ok: 990, reset: 9, inFlight: 1 };
    const { journeys } = sample.outcomes;
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
    const none = { journeys, requests: emptyRequestOutcomes() };
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

  it('show side calls, codes and start-up', () => {
    const stages = sample.stages.map((stage) => ({
      ...stage,
      status: {},
      errors: {},
      startUp: { requests: emptyRequestOutcomes(), status: {}, errors: {} },
    }));
    const result = sampleResult({
      stages,
      sideCalls: [
        { name: 'poll', requests: { ...emptyRequestOutcomes(), sent: 5, ok: 5 } },
        { name: 'idle', requests: emptyRequestOutcomes() },
      ] as never,
    });
    expect(linesOf(requestOutcomeBlocks(result))).toEqual([
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

  it('show the outcomes of journeys', () => {
    const journeys = {
      planned: 1_000,
      started: 900,
      notStarted: { target: 40, generator: 30, stopped: 30 },
      finished: 800,
      abandoned: 90,
      running: 10,
    };
    expect(linesOf(journeyBlocks({ ...sample.outcomes, journeys }))).toEqual([
      'Journeys',
      '  Planned: 1,000',
      '  Started: 900',
      '  Finished: 800',
      '  Abandoned after a failure: 90',
      '  Cut off at the end of the load: 10',
      '  Not started: too many requests in flight: 40',
      '  Not started: load generator overloaded: 30',
      '  Not started: the test was stopped: 30',
    ]);
    const abandonedAt = [
      { step: 'login', journeys: 60 },
      { step: 'hand in', journeys: 30 },
    ];
    expect(linesOf(journeyBlocks({ ...sample.outcomes, journeys }, abandonedAt)).slice(4, 7)).toEqual([
      '  Abandoned at “login”: 60',
      '  Abandoned at “hand in”: 30',
      '  Cut off at the end of the load: 10',
    ]);
    expect(linesOf(journeyBlocks(sample.outcomes))).toEqual([
      'Journeys',
      '  Planned: no fixed number, runs by time',
      '  Started: 60,012',
      '  Finished: 60,000',
      '  Abandoned after a failure: 12',
    ]);
  });
});
