import { describe, expect, it } from 'vitest';
import { createSum } from '#core/statistics/histogram.ts';
import { planWith } from '#core/testing/plans.ts';
import type { Block, CellEvidence } from '../evidence.ts';
import type { JudgeInput } from '../input.ts';
import { makeInput } from '../testing/judged.ts';
import { listBlocksOver, countRequests, computeExcess, formatNoneCounted, findOtherLimits } from './counts.ts';

const LIMIT = 400;
const NOBODY: Omit<Block, 'second' | 'byTime' | 'slower'> = {
  width: 1,
  overloadedBy: [],
  started: 0,
  ended: 0,
  ok: 0,
  failedSurely: 0,
  failedMaybe: 0,
  notStartedTarget: 0,
  notStartedGenerator: 0,
};
type BlockInput = Partial<Omit<Block, 'slower' | 'byTime'>> & {
  readonly slow?: number;
  readonly late?: number;
  readonly rows?: readonly [number, number][];
};

function cellEvidence(blocks: readonly BlockInput[], withoutResponse = 0): CellEvidence {
  const ended = blocks.reduce((sum, block) => sum + (block.ended ?? 0), 0);
  return {
    step: 0,
    isOfWaits: false,
    notFound: 0,
    unchecked: 0,
    notMade: 0,
    goodTimes: createSum(),
    started: ended + withoutResponse,
    ended,
    reloaded: 0,
    journeysStarted: 0,
    notStartedTarget: 0,
    notStartedGenerator: 0,
    wrongPages: { missing: 0, redirected: 0, denied: 0 },
    blocks: blocks.map(({ slow = 0, late = 0, rows = [], ...block }, second) => ({
      ...NOBODY,
      second,
      slower: new Map([[LIMIT, { byService: slow, byLateness: late }]]),
      byTime: new Map(rows),
      ...block,
    })),
  };
}

function input(state: JudgeInput['head']['state'] = 'finished'): JudgeInput {
  return makeInput({ plan: planWith(), windows: [], state });
}
const over = (blocks: readonly BlockInput[], withoutResponse = 0, state: JudgeInput['head']['state'] = 'finished') =>
  listBlocksOver(cellEvidence(blocks, withoutResponse), LIMIT, input(state)).map(({ counted, surely, maybe }) => [counted, surely, maybe]);

describe('listBlocksOver', () => {
  const mixed = { ended: 100, failedSurely: 1, failedMaybe: 2, slow: 4, late: 8, notStartedTarget: 16, notStartedGenerator: 32 };

  it('counts violations of a healthy second as certain, unless the load generator was late or could not start the journey', () => {
    expect(over([mixed])).toEqual([[148, 1 + 4 + 16, 2 + 8 + 32]]);
  });

  it('counts only failures of the target as certain in an overloaded second', () => {
    expect(over([{ ...mixed, overloadedBy: ['steal'] }])).toEqual([[148, 1, 2 + 8 + 32 + 4 + 16]]);
  });

  it('counts only failures and journeys that could not start without a time limit', () => {
    const [block] = listBlocksOver(cellEvidence([mixed]), null, input());
    expect([block?.surely, block?.maybe]).toEqual([1 + 16, 2 + 32]);
  });

  it('spreads requests without a response over the seconds in proportion to their counts', () => {
    expect(over([{ ended: 30 }, { ended: 10, failedSurely: 2 }], 8)).toEqual([
      [36, 6, 0],
      [12, 4, 0],
    ]);
    expect(over([{}, { second: 1 }], 8)).toEqual([
      [8, 8, 0],
      [0, 0, 0],
    ]);
    expect(over([], 8)).toEqual([]);
  });

  it.each([
    ['finished', 36],
    ['stopped', 36],
    ['failed', 30],
    ['interrupted', 30],
  ] as const)('counts requests without a response only after a drain: %s', (state, counted) => {
    expect(over([{ ended: 30 }], 6, state)[0]?.[0]).toBe(counted);
  });

  it('returns blocks from which computeExcess computes the violations beyond the allowance', () => {
    const blocks = [
      { second: 3, counted: 100, surely: 4, maybe: 3 },
      { second: 4, counted: 40, surely: 0, maybe: 0 },
    ];
    expect(computeExcess(blocks, 0.05)).toEqual([
      { second: 3, amount: 2 },
      { second: 4, amount: -2 },
    ]);
    expect(
      countRequests([
        { second: 0, counted: 10.3, surely: 0, maybe: 0 },
        { second: 1, counted: 10.3, surely: 0, maybe: 0 },
      ]),
    ).toBe(21);
    expect(formatNoneCounted('pages')).toBe('No pages were counted.');
  });
});

describe('findOtherLimits', () => {
  // Rows 20 to 30 contain times from 2 ms to 100 ms. The limit of 400 ms is in row 33, and half of it is in row 31.
  const counted = 1_000;
  const cell = cellEvidence([
    {
      ended: counted / 2,
      rows: [
        [20, 300],
        [32, 130],
        [33, 40],
        [34, 12],
      ],
      failedSurely: 5,
      notStartedTarget: 3,
    },
    {
      ended: counted / 2 - 3,
      rows: [
        [20, 300],
        [32, 170],
        [33, 14],
      ],
      failedMaybe: 3,
    },
  ]);
  const sumOver = (blocks: readonly { readonly over: number }[] | null): number | null =>
    blocks === null ? null : blocks.reduce((sum, block) => sum + block.over, 0);
  // Failed or not started are 5 + 3 + 3 = 11. With the times from row 34 on they are 23, from row 33 on 77, from row 32 on 377, and from
  // row 20 on 977.
  const { withMore, withFewer, parts } = findOtherLimits(cell, LIMIT);

  it('returns the next limit that more requests exceed, and the next one that fewer exceed', () => {
    expect([23, 76, 77, 376].map((than) => sumOver(withMore(than)))).toEqual([77, 77, 377, 377]);
    expect([77, 78, 377, 378].map((than) => sumOver(withFewer(than)))).toEqual([23, 77, 77, 377]);
    expect(withFewer(23)).toBeNull();
  });

  it('stays above half of the limit, with enough requests within and over', () => {
    // More requests exceed row 20, but that row is far below half of the limit.
    expect(withMore(377)).toBeNull();
    const few = cellEvidence([
      {
        ended: 30,
        rows: [
          [32, 9],
          [20, 21],
        ],
      },
    ]);
    expect(findOtherLimits(few, LIMIT).withMore(0)).toBeNull();
    const enough = cellEvidence([
      {
        ended: 30,
        rows: [
          [32, 10],
          [20, 20],
        ],
      },
    ]);
    expect(sumOver(findOtherLimits(enough, LIMIT).withMore(0))).toBe(10);
    const hardlyAny = cellEvidence([
      {
        ended: 30,
        rows: [
          [32, 21],
          [20, 9],
        ],
      },
    ]);
    expect(findOtherLimits(hardlyAny, LIMIT).withMore(0)).toBeNull();
  });

  it('returns parts with at most three quarters, half and a quarter of the violations', () => {
    expect(parts(377).map(sumOver)).toEqual([77]);
    expect(parts(103).map(sumOver)).toEqual([77, 23]);
    expect(parts(102).map(sumOver)).toEqual([23]);
    expect(parts(30)).toEqual([]);
  });

  it('keeps the counts of the blocks', () => {
    expect(withMore(23)).toEqual([
      { counted: 503, over: 8 + 52 },
      { counted: 497, over: 3 + 14 },
    ]);
  });

  it('returns nothing for an error criterion', () => {
    const none = findOtherLimits(cell, null);
    expect([none.withMore(0), none.withFewer(1_000), none.parts(100)]).toEqual([null, null, []]);
  });
});
