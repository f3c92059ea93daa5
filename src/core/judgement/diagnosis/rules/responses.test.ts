import { describe, expect, it } from 'vitest';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import { facts, healthyStep, point } from '../testing/facts.ts';
import { findingsBy } from '../testing/found.ts';

const none = emptyRequestOutcomes();

describe('averageHides', () => {
  const of = (mean: number, p90: number) => {
    const service = { ...healthyStep().latency.service, mean, p50: 4, p90 };
    return findingsBy('averageHides', facts(healthyStep({ latency: { service, response: service, errorAdjusted: service } })));
  };

  it('reports a mean above the 90th percentile', () => {
    expect(of(90, 8)[0]).toMatchObject({ level: 'info', sentence: expect.stringContaining('half of the responses took 4 ms') });
    expect(of(6, 8)).toEqual([]);
  });
});

describe('tooFewSamples', () => {
  const of = (count: number, state: 'finished' | 'stopped' = 'finished') => {
    const service = { ...healthyStep().latency.service, count };
    const step = healthyStep({
      requests: { ...none, sent: count, ok: count },
      latency: { service, response: service, errorAdjusted: service },
    });
    const given = facts(step);
    return findingsBy('tooFewSamples', { ...given, run: { ...given.run, state } });
  };

  it('names the step with a percentile of few responses', () => {
    expect(of(35)[0]).toMatchObject({ level: 'info', sentence: expect.stringContaining('35 to “description”') });
    expect(of(12)[0]?.sentence).toContain('the slowest one');
    expect(of(59)).toEqual([]);
    expect(of(35, 'stopped')).toEqual([]);
  });
});

describe('unexpectedStatus', () => {
  const sentences = (httpError: number, renew?: { onStatus: number[] }): (string | undefined)[] => {
    const step = healthyStep({
      requests: { ...none, sent: 1_000, ok: 1_000 - httpError, httpError },
      status: { '200': 1_000, '401': 200 },
    });
    const given = facts(step);
    const journey = given.plan.journey.map((one) => ({ ...one, once: true, ...(renew === undefined ? {} : { renew }) }));
    return findingsBy('unexpectedStatus', { ...given, plan: { ...given.plan, journey } }).map(({ sentence }) => sentence);
  };

  it('reports refusals that lead to a new login only if they come again', () => {
    expect(sentences(200)[0]).toContain('20 % of responses');
    expect(sentences(0, { onStatus: [401] })).toEqual([]);
    expect(sentences(50, { onStatus: [401] })[0]).toContain('5 % of responses');
    expect(sentences(200, { onStatus: [403] })[0]).toContain('20 % of responses');
  });
});

describe('refused', () => {
  const run = (completedThen: number) => {
    const windows = Array.from({ length: 10 }, (_unused, second) =>
      second < 6
        ? point(second)
        : point(second, { completed: completedThen, ok: completedThen, failed: 50, errors: { 'ECONNREFUSED@connect': 50 } }),
    );
    return facts(healthyStep({ requests: { ...none, sent: 6_200, ok: 6_000, refused: 200 } }), { windows });
  };

  it('distinguishes a server that was away from one that accepted no more connections', () => {
    expect(findingsBy('refused', run(0))[0]).toMatchObject({
      sentence: expect.stringContaining('nothing listened there'),
      range: { fromSecond: 6, toSecond: 10 },
    });
    expect(findingsBy('refused', run(80))[0]?.sentence).toContain('took no more connections while others were served');
    expect(findingsBy('refused', facts())).toEqual([]);
  });
});

describe('ownTimeout', () => {
  it("reports requests that exceeded the plan's time-out", () => {
    const windows = [point(0), point(1, { errors: { 'TIMEOUT@firstByte': 60 } })];
    const step = healthyStep({ requests: { ...none, sent: 6_060, ok: 6_000, timeout: 60 } });
    expect(findingsBy('ownTimeout', facts(step, { windows }))[0]).toMatchObject({
      sentence: expect.stringContaining('60 of 6,060 requests (0.99 %)'),
      range: { fromSecond: 1, toSecond: 2 },
    });
    expect(findingsBy('ownTimeout', facts())).toEqual([]);
  });
});

describe('lengthVaries beside failures', () => {
  const bodyLength = { first: 6_844, differs: 600, deviationBytes: -600, empty: 0 };

  it('does not call lengths harmless that other findings call failures', () => {
    const wrong = healthyStep({
      bodyLength,
      requests: { ...none, sent: 6_000, ok: 5_400, wrongBody: 600 },
      errors: { 'TEXT_MISSING “Welcome”@check': 600 },
    });
    expect(findingsBy('lengthVaries', facts(wrong))).toEqual([]);
    const errorPages = healthyStep({
      bodyLength: { ...bodyLength, deviationBytes: -600 * 6_700 },
      requests: { ...none, sent: 6_000, ok: 5_400, httpError: 600 },
      status: { '200': 5_400, '500': 600 },
    });
    expect(findingsBy('lengthVaries', facts(errorPages))).toEqual([]);
    expect(findingsBy('lengthVaries', facts(healthyStep({ bodyLength })))).toHaveLength(1);
  });
});
