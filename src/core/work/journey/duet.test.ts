import { describe, expect, it } from 'vitest';
import { planWith } from '#core/testing/plans.ts';
import { DuetSlots, sidesOfRequests } from './duet.ts';

const slots = (runId: string): DuetSlots => new DuetSlots({ variants: ['base', 'head'], slotMs: 100 }, runId);

describe('DuetSlots', () => {
  it('give each variant one slot of every pair, whatever the order of the calls', () => {
    const own = slots('a run');
    const asked = Array.from({ length: 400 }, (_, slot) => own.at(slot * 100_000));
    for (let pair = 0; pair < 200; pair += 1) {
      const both = asked.slice(2 * pair, 2 * pair + 2);
      expect(both.map((one) => one.pair)).toEqual([pair, pair]);
      expect(both.map(({ side }) => side).toSorted()).toEqual([0, 1]);
    }
    const other = slots('a run');
    for (const slot of [399, 0, 17, 16]) expect(other.at(slot * 100_000 + 99_999)).toEqual(asked[slot]);
  });

  it('begin with either variant equally often, in a different order for each run', () => {
    const firsts = (runId: string): number[] => Array.from({ length: 1_000 }, (_, pair) => slots(runId).at(pair * 200_000).side);
    const [one, other] = [firsts('a run'), firsts('another run')];
    const heads = one.filter((side) => side === 1).length;
    expect(heads).toBeGreaterThan(440);
    expect(heads).toBeLessThan(560);
    expect(one).not.toEqual(other);
  });
});

describe('sidesOfRequests', () => {
  it('finds the variant of steps and their redirects', () => {
    const plan = planWith({
      journey: [{ name: 'a1' }, { name: 'b1', redirects: { follow: true } }, { name: 'a2' }],
      flow: [
        {
          choose: [
            { weight: 1, flow: ['a1', { repeat: 2, flow: ['a2'] }] },
            { weight: 1, flow: ['b1'] },
          ],
        },
      ],
    });
    expect(sidesOfRequests(plan)).toEqual([0, 1, 0, 1]);
    expect(sidesOfRequests(planWith({ journey: [{ name: 'only' }] }))).toEqual([null]);
  });
});
