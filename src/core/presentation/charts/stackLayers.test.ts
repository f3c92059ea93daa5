import { describe, expect, it } from 'vitest';
import { stackLayers } from './stackLayers.ts';

describe('stackLayers', () => {
  it('puts each layer on the sum of those below', () => {
    expect(
      stackLayers([
        [1, 2],
        [3, 4],
      ]),
    ).toEqual([
      [
        [0, 1],
        [0, 2],
      ],
      [
        [1, 4],
        [2, 6],
      ],
    ]);
  });

  it('leaves a gap where nothing was measured instead of a zero', () => {
    expect(
      stackLayers([
        [1, null],
        [3, null],
      ]),
    ).toEqual([
      [[0, 1], null],
      [[1, 4], null],
    ]);
    expect(stackLayers([[null], [3]])).toEqual([[null], [[0, 3]]]);
  });
});
