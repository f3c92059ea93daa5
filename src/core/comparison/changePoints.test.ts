import { describe, expect, it } from 'vitest';
import { type Random, randomFrom } from '#core/testing/queueRun.ts';
import { findChangePoints } from './changePoints.ts';
import { P95_SIGNIFICANCE, THROUGHPUT_SIGNIFICANCE } from './runHistory.ts';

const RUNS = 30;
const HISTORIES = 200;

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

type Kind = 'constant' | 'drift' | 'step' | 'spike' | 'weekly' | 'two modes';

/** Draws a history of times around 100 ms; `noise` is the standard deviation of logarithms. A step of 10 % is five runs from the end. */
function drawHistory(kind: Kind, noise: number, random: Random): number[] {
  const [spike, phase] = [Math.floor(random() * RUNS), Math.floor(random() * 7)];
  return Array.from({ length: RUNS }, (_, index) => {
    const shift = {
      constant: 0,
      drift: (0.3 * index) / RUNS,
      step: index >= RUNS - 5 ? Math.log(1.1) : 0,
      spike: index === spike ? 0.5 : 0,
      weekly: (index + phase) % 7 < 2 ? 0.2 : 0,
      'two modes': random() < 0.3 ? 0.3 : 0,
    }[kind];
    return 100 * Math.exp(shift + noise * normal(random));
  });
}

/** Returns the share of histories with a change, at the significance of the p95. */
function measureAlarms(kind: Kind, noise: number): number {
  const random = randomFrom(7);
  const histories = Array.from({ length: HISTORIES }, () => drawHistory(kind, noise, random));
  return histories.filter((values) => findChangePoints(values, P95_SIGNIFICANCE).length > 0).length / HISTORIES;
}

describe('change points', () => {
  it('have significance levels that add up to at most 5 % for both measures', () => {
    expect(P95_SIGNIFICANCE + THROUGHPUT_SIGNIFICANCE).toBeLessThanOrEqual(0.05);
  });

  // The share has a standard error of 1.3 % with 200 histories.
  it.each([
    ['constant', 0.03],
    ['constant', 0.05],
    ['constant', 0.1],
    ['spike', 0.05],
    ['weekly', 0.05],
    ['two modes', 0.05],
  ] as const)('are rarely found in a history without a change: %s, noise %d', (kind, noise) => {
    expect(measureAlarms(kind, noise)).toBeLessThanOrEqual(P95_SIGNIFICANCE + 2 * 0.013);
  });

  it.each([
    ['step', 0.03, 0.95],
    ['step', 0.05, 0.75],
    ['drift', 0.05, 0.95],
  ] as const)('are found in most histories with a change: %s, noise %d', (kind, noise, least) => {
    expect(measureAlarms(kind, noise)).toBeGreaterThanOrEqual(least);
  });

  it('state the first run after the change, the ratio and an interval that covers it', () => {
    const random = randomFrom(3);
    const values = [...drawHistory('constant', 0.03, random), ...drawHistory('constant', 0.03, random).map((value) => value * 1.2)];
    const [change, ...others] = findChangePoints(values, P95_SIGNIFICANCE);
    expect(others).toEqual([]);
    expect(change?.index).toBe(RUNS);
    expect(change?.ratio).toBeCloseTo(1.2, 1);
    expect(change?.low).toBeLessThan(1.2);
    expect(change?.high).toBeGreaterThan(1.2);
  });

  it('are found twice for a level that rises and falls', () => {
    const values = [1, 1.3, 1].flatMap((level) => Array.from({ length: 12 }, (_, index) => level * (1 + (index % 3) / 100)));
    expect(findChangePoints(values, P95_SIGNIFICANCE).map(({ index }) => index)).toEqual([12, 24]);
  });

  it('are absent in fewer than eight runs and in equal values', () => {
    expect(findChangePoints([1, 1, 1, 9, 9, 9, 9], P95_SIGNIFICANCE)).toEqual([]);
    expect(
      findChangePoints(
        Array.from({ length: 40 }, () => 5),
        P95_SIGNIFICANCE,
      ),
    ).toEqual([]);
  });
});
