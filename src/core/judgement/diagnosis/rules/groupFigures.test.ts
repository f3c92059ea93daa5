import { describe, expect, it } from 'vitest';
import type { TimeGroup } from '#core/measurement/groups.ts';
import type { Point } from '#core/result/schema.ts';
import { planWith } from '#core/testing/plans.ts';
import { facts, healthyStep, point } from '../testing/facts.ts';
import { findingsBy } from '../testing/found.ts';

const group = (count: number, medianMs: number): TimeGroup => ({
  count,
  share: count / 1_000,
  fromMs: medianMs - 10,
  medianMs,
  toMs: medianMs + 10,
});

interface Changes {
  readonly connects?: readonly TimeGroup[];
  readonly windows?: readonly Partial<Point>[];
  readonly steps?: readonly string[];
  readonly stage?: string;
}
/** Returns the groups of ten equal seconds with a hundred responses each. */
function of(responses: readonly TimeGroup[], { connects = [], windows, steps = ['page'], stage = 'stage 1' }: Changes = {}) {
  const behaviour = {
    firstResponses: [],
    queues: [],
    bursts: null,
    recoveries: [],
    capacity: null,
    groups: [{ stage, step: 'page', responses: [...responses], connects: [...connects] }],
  };
  const points = (windows ?? Array.from({ length: 10 }, () => ({ max: 5_000 }))).map((one, second) => point(second, one));
  const given = facts(healthyStep(), { behaviour, windows: points });
  return findingsBy('groups', { ...given, plan: planWith({ journey: steps.map((name) => ({ name })) }) })[0];
}

describe('groups at their thresholds', () => {
  it('report an exception of at least half a second', () => {
    const finding = of([group(951, 20), group(49, 500)]);
    expect(finding).toMatchObject({ level: 'warning', range: null });
    expect(finding?.sentence).toBe(
      '4.9 % of responses to “page” took far longer than all others: about 500 ms; the others took about 20 ms and at most 30 ms.',
    );
    expect(finding?.evidence).toEqual([expect.stringMatching(/^Between 30 ms and 490 ms there were almost no responses/)]);
    expect(finding?.figures).toEqual([
      { what: 'Largest group', value: '951, 10 ms to 30 ms, median 20 ms' },
      { what: 'Slow group', value: '49, 490 ms to 510 ms, median 500 ms' },
    ]);
    expect(finding?.remedy).toContain('waits and retries');
    expect(of([group(951, 20), group(49, 499)])).toBeUndefined();
  });

  it('report a kind of response with at least 5 % of the responses, however quick', () => {
    const finding = of([group(950, 20), group(25, 200), group(25, 400)]);
    expect(finding).toMatchObject({ level: 'info', range: null });
    expect(finding?.sentence).toContain('fall into 3 groups: 95 % about 20 ms, 2.5 % about 200 ms, 2.5 % about 400 ms,');
    expect(of([group(500, 20), group(500, 200)])?.figures?.[0]?.what).toBe('Largest group');
    expect(of([group(1_000, 20)])).toBeUndefined();
    expect(of([])).toBeUndefined();
  });

  it('name the retrying component by the delay, and the phase by connection times', () => {
    const finding = of([group(951, 20), group(20, 700), group(29, 5_020)]);
    expect(finding?.sentence).toContain('That is when a program retries a DNS server');
    expect(finding?.evidence).toEqual([expect.stringMatching(/^Between 30 ms and 690 ms/), expect.stringContaining('behind the server')]);
    expect(finding?.remedy).toContain('DNS servers');
    const late = (...connects: TimeGroup[]) => of([group(951, 20), group(49, 5_020)], { connects })?.evidence[1];
    expect(late(group(90, 1), group(5, 700), group(5, 5_000))).toContain('Opening the connection took that long');
    expect(late(group(90, 5_000), group(5, 700))).toContain('behind the server');
  });

  it('count a group as a single moment if it lasts at most 10 % of the time', () => {
    const slowIn = (...seconds: readonly number[]) =>
      of([group(951, 20), group(49, 500)], {
        windows: Array.from({ length: 20 }, (_unused, second) => ({ max: seconds.includes(second) ? 490 : 489 })),
      });
    expect(slowIn(4, 5)).toMatchObject({ range: { fromSecond: 4, toSecond: 6 } });
    expect(slowIn(4, 5)?.evidence[1]).toContain('at the same time');
    expect(slowIn(4, 6)).toMatchObject({ range: null });
    expect(slowIn()?.evidence).toHaveLength(1);
    expect(of([group(951, 20), group(49, 500)], { stage: 'another' })).toMatchObject({ range: null });
    const kind = Array.from({ length: 20 }, (_unused, second) => ({ max: second === 4 ? 490 : 40 }));
    expect(of([group(900, 20), group(100, 500)], { windows: kind })).toMatchObject({ range: null, evidence: { length: 1 } });
  });

  it.each<[string, number, number, boolean]>([
    ['80 % of both', 80, 720, false],
    ['fewer of the slow ones', 79, 721, true],
    ['fewer of the quick ones', 81, 719, true],
  ])('do not report groups if %s arrived at separate times', (_name, slow, quick, isReported) => {
    const windows = [
      { ok: quick, p50: 20, p90: 259 },
      { ok: slow, p50: 261, p90: 500 },
      { ok: 1_000, p50: 260, p90: 260 },
      { ok: 1_000, p50: null, p90: null },
    ];
    expect(of([group(900, 20), group(100, 500)], { windows }) !== undefined).toBe(isReported);
    expect(of([group(900, 20), group(100, 500)], { windows, steps: ['page', 'other'] })).toBeDefined();
  });
});
