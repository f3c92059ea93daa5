import { describe, expect, it } from 'vitest';
import { labelLines } from './labelLines.ts';

describe('labelLines', () => {
  it('puts labels that would touch on lines of their own, and reuses a line when there is room again', () => {
    const labels = [
      { from: 100, width: 80 },
      { from: 0, width: 20 },
      { from: 120, width: 10 },
      { from: 300, width: 10 },
    ];
    expect(labelLines(labels)).toEqual([0, 0, 1, 0]);
  });
});
