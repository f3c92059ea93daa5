import { describe, expect, it } from 'vitest';
import type { OtherLimits, TimedBlock } from './counts.ts';
import { judgeShareCriterion, type ShareCriterion } from './shares.ts';

const none: OtherLimits = { withMore: () => null, withFewer: () => null, parts: () => [] };

/** Returns the judgement of ten seconds with the given number of requests each: counted, certainly over the limit, and doubtful. */
function judged(counted: number, surely: number, maybe = 0, changes: Partial<ShareCriterion> = {}) {
  const blocks = Array.from({ length: 10 }, (_, second): TimedBlock => ({ second, counted, surely, maybe }));
  return judgeShareCriterion({
    blocks,
    others: none,
    allowance: 0.05,
    overWords: 'failed',
    notBegun: 0,
    measured: 0.25,
    limit: 0.05,
    unit: 'share',
    things: 'requests',
    slowGeneratorNames: 'web1',
    ...changes,
  });
}

describe('reason of a criterion on a share', () => {
  // The criteria are judged inside the tests, because code that runs while tests are being collected is not assigned to any of them.
  it.each<readonly [string, Parameters<typeof judged>]>([
    ['No requests were counted.', [0, 0]],
    ['No pages were counted.', [0, 0, 0, { things: 'pages' }]],
    ['None of 1,000 requests failed; 5 % allowed.', [100, 0]],
    ['10 of 1,000 requests failed (1 %); 5 % allowed. The true rate is at most 1.69 % (95 % confidence).', [100, 1]],
    ['200 of 1,000 requests failed (20 %); 5 % allowed. The true rate is at least 17.9 % (95 % confidence).', [100, 20]],
    ['All 1,000 requests failed; 5 % allowed.', [100, 100]],
    ['10 of 1,000 requests failed (1 %); none allowed.', [100, 1, 0, { allowance: 0 }]],
    [
      '50 of 1,000 requests failed (5 %); 5 % allowed. Too close to call: the true rate is from 3.92 % to 6.29 % (95 % confidence).',
      [100, 5],
    ],
    [
      '150 of 1,000 requests failed. 100 of them may come from the overload of web1, and whether they count decides the outcome.',
      [100, 5, 10],
    ],
    ['None of 50 requests failed. Too few to decide: at least 59 are needed even if all succeed.', [5, 0]],
    ['None of 50 requests failed; none allowed.', [5, 0, 0, { allowance: 0 }]],
    [
      '200 of 1,000 pages failed, 7 of them because they could not start (20 %); 5 % allowed. The true rate is at least 17.9 % (95 % confidence).',
      [100, 20, 0, { things: 'pages', notBegun: 7 }],
    ],
  ])('%s', (reason, given) => expect(judged(...given).reason).toBe(reason));

  it('prints shares with enough digits to differ from the allowance', () => {
    expect(judged(100, 1, 0, { allowance: 0.01694 }).reason).toContain(
      '1.694 % allowed. The true rate is at most 1.69 % (95 % confidence)',
    );
  });

  it('explains why more requests than are needed are too few', () => {
    const slower = Array.from({ length: 10 }, (_, second) => ({ second, counted: 12, over: second === 4 ? 5 : 1 }));
    const { reason, unknownBecause } = judged(12, 0, 0, { others: { ...none, withMore: () => slower } });
    expect(unknownBecause).toBe('tooFew');
    expect(reason).toMatch(
      /^None of 120 requests failed\. Too few to decide, since responses that come in bursts prove no more than \d+ independent ones: at least 59 are needed/,
    );
  });

  it('says that failures came in bursts from a design effect of 3 on', () => {
    const clumped = Array.from({ length: 10 }, (_, second) => ({ second, counted: 100, surely: second === 4 ? 40 : 0, maybe: 0 }));
    expect(judged(0, 0, 0, { blocks: clumped }).reason).toMatch(
      /^40 of 1,000 requests failed \(4 %\); .* [Tt]hey came in bursts, so the true rate is /,
    );
    expect(judged(100, 4).reason).not.toContain('bursts');
    const one = Array.from({ length: 10 }, (_, second) => ({ second, counted: 100, surely: second === 4 ? 100 : 0, maybe: 0 }));
    expect(judged(0, 0, 0, { blocks: one }).reason).toContain('hey came in bursts, so the true rate is ');
  });
});

describe('figures of a criterion on a share', () => {
  it('are the counts and both bounds', () => {
    expect(judged(100, 5, 1)).toMatchObject({ counted: 1_000, over: 60, measured: 0.25, limit: 0.05, unit: 'share', fromSecond: null });
    expect(judged(100, 5).shareLow).toBeCloseTo(0.0392, 4);
    expect(judged(100, 5).shareHigh).toBeCloseTo(0.0629, 4);
  });

  it('omit bounds if nothing was counted, none was over the limit, or all were', () => {
    expect(judged(0, 0)).toMatchObject({ measured: null, shareLow: null, shareHigh: null, over: 0 });
    expect(judged(100, 0)).toMatchObject({ outcome: 'passed', shareLow: 0, shareHigh: null });
    expect(judged(5, 0)).toMatchObject({ outcome: 'unknown', shareHigh: expect.closeTo(0.0582, 4) });
    expect(judged(100, 100)).toMatchObject({ outcome: 'failed', shareLow: null, shareHigh: 1 });
    expect(judged(100, 20)).toMatchObject({ outcome: 'failed', shareLow: expect.closeTo(0.1794, 4), shareHigh: expect.closeTo(0.222, 4) });
    expect(judged(100, 1)).toMatchObject({ outcome: 'passed', shareLow: expect.closeTo(0.0054, 4), shareHigh: expect.closeTo(0.0169, 4) });
  });

  it('include the start of the violation', () => {
    const blocks = Array.from({ length: 10 }, (_, second) => ({ second, counted: 100, surely: second < 6 ? 1 : 60, maybe: 0 }));
    expect(judged(0, 0, 0, { blocks })).toMatchObject({ outcome: 'failed', fromSecond: 6 });
    expect(judged(100, 1).fromSecond).toBeNull();
  });
});
