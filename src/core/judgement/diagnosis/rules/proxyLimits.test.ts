import { describe, expect, it } from 'vitest';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import type { Point } from '#core/result/schema.ts';
import type { LatencySummary } from '#core/statistics/latency.ts';
import type { MeasuredRun } from '../rule.ts';
import { CALM, facts, healthyStep, point } from '../testing/facts.ts';
import { findingsBy } from '../testing/found.ts';

const none = emptyRequestOutcomes();

/** Returns times around 10 s, within the tolerance of one time-out. */
const limit = (changes: Partial<LatencySummary> = {}): LatencySummary => ({
  ...CALM,
  min: 9_500,
  p50: 10_000,
  p95: 10_500,
  max: 10_500,
  ...changes,
});

describe('proxyTimeout', () => {
  function of(status: Readonly<Record<string, number>>, times: LatencySummary | undefined = limit(), p95: LatencySummary['p95'] = 24) {
    const step = healthyStep({ status: { ...status }, requests: { ...none, sent: 5_000, ok: 4_995, httpError: 5 } });
    const windows = [point(0), point(1, { status: { '504': 5 } }), point(2, { status: { '504': 0 } })];
    const latency = { ...step.latency, service: { ...CALM, p95 } };
    return findingsBy('proxyTimeout', facts(step, { windows, latency, latencyByStatusClass: times === undefined ? {} : { '5xx': times } }));
  }
  const FEW = { '200': 4_994, '504': 5, '500': 1 };

  it('reports the share, the times and the limit', () => {
    const [finding] = of(FEW);
    expect(finding).toMatchObject({ confidence: 'certain', range: { fromSecond: 1, toSecond: 2 } });
    expect(finding?.sentence).toBe('0.1 % of responses were 504 after 10 s: that is the proxy’s time-out, not the page’s latency.');
    expect(finding?.evidence).toEqual([
      expect.stringMatching(/^All of them/),
      '10 s is a typical configured value.',
      expect.stringContaining('keeps working'),
    ]);
    expect(finding?.figures?.map(({ value }) => value)).toEqual(['5 of 5,000 responses (0.1 %)', '9.5 s, 10 s, 10.5 s', '4,995', '100/s']);
  });

  it.each<[string, Readonly<Record<string, number>>, Partial<LatencySummary>]>([
    ['are fewer than five', { '200': 100, '504': 4 }, {}],
    ['are fewer than 0.1 %', { '200': 4_996, '504': 5 }, {}],
    ['are less than 80 % of the failures', { '200': 100, '504': 7, '500': 2 }, {}],
    ['come within half a second', FEW, { min: 490, p50: 499, p95: 500, max: 500 }],
    ['take different times', FEW, { p95: 10_501 }],
    ['have an unknown median', FEW, { p50: 'never' }],
    ['have an unknown maximum', FEW, { p95: 'never' }],
    ['have an unknown minimum', FEW, { min: 'never' }],
    ['have an unknown p95', FEW, { max: 'never' }],
  ])('reports no limit if the responses %s', (_name, status, changes) => {
    expect(of(status, limit(changes))).toEqual([]);
  });

  it('requires times, at least half a second, and 80 % of the failures', () => {
    const given = facts(healthyStep({ status: FEW, latencyByStatusClass: {} }));
    expect(findingsBy('proxyTimeout', given)).toEqual([]);
    expect(of(FEW, limit({ min: 490, p50: 500, p95: 510, max: 510 }))).toHaveLength(1);
    expect(of({ '200': 100, '504': 8, '505': 2, '405': 9 })).toHaveLength(1);
  });

  it.each<[string, Partial<LatencySummary>, string]>([
    ['a shorter time', { min: 9_499 }, 'after 10 s'],
    ['a longer time', { max: 10_501 }, 'after 10 s'],
  ])('accepts nearly equal times with %s', (_name, changes, words) => {
    const [finding] = of(FEW, limit(changes));
    expect(finding).toMatchObject({ confidence: 'likely', sentence: expect.stringContaining(words) });
    expect(finding?.evidence[0]).toMatch(/^Most of them/);
  });

  it('rounds to a usual limit within 3 %', () => {
    const at = (p50: number) => of(FEW, limit({ min: p50, p50, p95: p50, max: p50 }))[0];
    expect(at(10_300)?.sentence).toContain('after 10 s');
    expect(at(10_301)).toMatchObject({ confidence: 'likely', sentence: expect.stringContaining('after 10.3 s') });
    expect(at(10_301)?.evidence).toHaveLength(2);
  });

  it('says that a percentile within 5 % of the time-out is the time-out', () => {
    const words = 'is the same time-out';
    expect(of(FEW, limit(), 9_500)[0]?.sentence).toContain(`The p95 of 9.5 s ${words}`);
    expect(of(FEW, limit(), 9_499)[0]?.sentence).not.toContain(words);
    expect(of(FEW, limit(), 'never')[0]?.sentence).not.toContain(words);
  });
});

describe('proxySlots', () => {
  /** Returns seconds with 20 successful responses in the first two, and then refusals with occasional successes. */
  const seconds = (more: readonly Partial<Point>[] = []): Point[] =>
    [
      { completed: 12, ok: 12, status: { '200': 12 } },
      { completed: 10, ok: 8, failed: 2, status: { '200': 8, '502': 1, '503': 1 } },
      { completed: 10, ok: 8, failed: 2, status: { '200': 8 } },
      { completed: 10, ok: 0, failed: 10, status: { '502': 6, '503': 4 } },
      { completed: 0, ok: 0, failed: 0, status: {} },
      { completed: 10, ok: 2, failed: 8, status: { '500': 8 } },
      ...more,
    ].map((one, second) => point(second, one));
  const times = (ms: LatencySummary['p50']): LatencySummary => ({ ...CALM, p50: ms });

  interface Changes {
    readonly status?: Readonly<Record<string, number>>;
    readonly requests?: Partial<MeasuredRun['outcomes']['requests']>;
    readonly bad?: LatencySummary['p50'];
    readonly good?: LatencySummary['p50'];
    readonly opened?: number;
    readonly reused?: number;
    readonly reuse?: 'never' | 'always';
    readonly windows?: Point[];
  }
  function of({ status = { '500': 20, '502': 30, '503': 3 }, requests, bad = 100, good = 5, ...more }: Changes = {}) {
    const step = healthyStep({
      status: { ...status },
      requests: { ...none, sent: 1_060, ok: 20, httpError: 1_040, ...requests },
      latencyByStatusClass: { '5xx': times(bad), '2xx': times(good) },
      connectionsOpened: more.opened ?? 24,
      requestsOnReusedConnection: more.reused ?? 530,
    });
    const given = facts(step, { windows: more.windows ?? seconds() });
    return findingsBy('proxySlots', { ...given, plan: { ...given.plan, connections: { reuse: more.reuse ?? 'always' } } });
  }

  it('reports the number of slots and what followed', () => {
    const [finding] = of();
    expect(finding?.sentence).toBe(
      'The proxy ran out of slots: it accepted 28 connections, and from second 3 on 5 % of responses were a fast 502. The page is not too slow.',
    );
    expect(finding).toMatchObject({ confidence: 'likely', range: { spans: [{ fromSecond: 3, toSecond: 4 }, { fromSecond: 5 }] } });
    expect(finding?.evidence[1]).toContain('unknown');
    expect(finding?.figures?.map(({ value }) => value)).toEqual(['28', '2/s', '30 of 1,060 (2.83 %)', '100 ms', '24']);
  });

  it('has the confidence “possible” for 503, which has other causes', () => {
    expect(of({ status: { '500': 20, '502': 3, '503': 30 } })[0]).toMatchObject({
      confidence: 'possible',
      sentence: expect.stringContaining('a fast 503'),
    });
    expect(of({ status: { '503': 53 } })[0]?.figures?.[2]?.value).toBe('53 of 1,060 (5 %)');
  });

  it.each<[string, Changes, boolean]>([
    ['5 % are refused', {}, true],
    ['less than 5 % are refused', { status: { '502': 52 } }, false],
    ['twenty succeed', { requests: { ok: 20 } }, true],
    ['fewer succeed', { requests: { ok: 19, httpError: 1_041 } }, false],
    ['refusals take longer', { bad: 101 }, false],
    ['the times of refusals are unknown', { bad: 'never' }, false],
    ['refusals take 50 % longer than successes', { bad: 300, good: 200 }, true],
    ['refusals take even longer', { bad: 301, good: 200 }, false],
    ['the times of successes are unknown', { good: 'never' }, true],
    ['no connection is persistent', { reuse: 'never' }, false],
    ['more than half are on reused connections', { reused: 531 }, false],
    ['fewer than 80 % of the slots had a connection', { opened: 22 }, false],
  ])('decides by the figures whether it reports a finding: %s', (_name, changes, isReported) => {
    expect(of(changes)).toHaveLength(isReported ? 1 : 0);
  });

  it('requires twenty successes until the first second with more than 20 % refusals', () => {
    const refusing = { completed: 10, ok: 0, failed: 10, status: { '502': 10 } };
    const after = (ok: number) => [point(0, { completed: ok, ok }), point(1, refusing)];
    expect(of({ windows: after(20) })).toHaveLength(1);
    expect(of({ windows: after(19) })).toEqual([]);
    expect(of({ windows: [point(0, { completed: 40, ok: 40 })] })).toEqual([]);
    expect(of({ windows: after(20) })[0]?.figures?.[1]?.value).toBe('unknown');
  });

  it('computes how long a slot is held from the time until as many further successes have followed', () => {
    const wave = (second: number) => (second % 10 < 2 ? 12 : 0);
    const windows = (count: number) =>
      Array.from({ length: count }, (_unused, second) =>
        point(second, {
          completed: 20,
          ok: wave(second),
          failed: 20 - wave(second),
          status: second < 2 ? {} : { '502': 20 - wave(second) },
        }),
      );
    // Half of the 24 successes arrived by the end of second 0, and half of the next 24 ten seconds later.
    expect(of({ windows: windows(30) })[0]?.evidence[1]).toBe('24 slots / 2.4/s = 10 s for which each is held.');
    expect(of({ windows: windows(11) })[0]?.evidence[1]).toBe('24 slots / 2.4/s = 10 s for which each is held.');
    expect(of({ windows: windows(10) })[0]?.evidence[1]).toContain('unknown');
  });
});
