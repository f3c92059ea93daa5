import { describe, expect, it } from 'vitest';
import { decideOutcome } from '../figures/requirement.ts';
import { handshakeRequirements, rateRows, type Cell } from './judge.ts';

const cell = (ours: readonly [number, number | null], theirs: readonly [number, number | null]): Cell => {
  const rates = {
    'holdfast-native': { full: [ours[0], ours[0]], resumed: [ours[1], ours[1]] },
    s_time: { full: [theirs[0], theirs[0]], resumed: [theirs[1], theirs[1]] },
  };
  return { name: 'RSA-2048, TLS 1.3', rates, costs: rates };
};

const outcomes = (cells: readonly Cell[]): string[] => handshakeRequirements(cells).map(decideOutcome);

describe('handshakeRequirements', () => {
  it('compares the gain from resumption with the gain that s_time measures', () => {
    expect(handshakeRequirements([cell([1_000, 2_000], [1_000, 2_500])])[0]?.value).toBeCloseTo(0.8);
    expect(outcomes([cell([1_000, 2_000], [1_000, 2_500]), cell([1_000, 2_000], [1_000, 3_000])])).toEqual(['met', 'missed']);
  });

  it('returns “unknown” if a generator did not resume sessions', () => {
    expect(outcomes([cell([1_000, 2_000], [1_000, null])])).toEqual(['unknown']);
  });

  it('rateRows shows the rates of both generators', () => {
    expect(rateRows([cell([1_000, 2_000], [1_000, 2_500])]).map((row) => row.slice(1))).toEqual([
      ['full/s', '1000', '1000', '1.00'],
      ['resumed/s', '2000', '2500', '0.80'],
      ['resumed ÷ full', '2.00', '2.50', '0.80'],
    ]);
  });
});
