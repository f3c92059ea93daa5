import { describe, expect, it } from 'vitest';
import { type Moment, TakenTime } from './processorWatch.ts';

/** Moments of 100 ms from a second on. */
function add(taken: TakenTime, from: number, moments: readonly Pick<Moment, 'idle' | 'browser'>[]): void {
  for (const [place, moment] of moments.entries()) taken.add({ from: from + place / 10, to: from + (place + 1) / 10, ...moment });
}
const times = (count: number, idle: number, browser: number) => Array.from({ length: count }, () => ({ idle, browser }));

describe('what a browser takes from the load', () => {
  it('is a second in which both want more than all processors, however short the visit', () => {
    const taken = new TakenTime();
    add(taken, 0, [...times(7, 0, 0), ...times(3, 0, 0.4)]);
    expect(taken.isTaken(0, 1)).toBe(true);
    add(taken, 1, times(10, 0, 0));
    expect(taken.isTaken(1, 1)).toBe(false);
  });

  it('is nothing where the load leaves that much idle by itself, even while no processor is', () => {
    const taken = new TakenTime();
    add(taken, 0, [...times(7, 0.95, 0), ...times(3, 0, 0.94)]);
    expect(taken.isTaken(0, 1)).toBe(false);
  });

  it('is only what exceeds all processors: a load that wants two thirds, and a browser that wants half', () => {
    const light = new TakenTime();
    add(light, 0, [...times(9, 1 / 3, 0), ...times(1, 0, 0.5)]);
    expect(light.isTaken(0, 1), '0.1 s of a sixth').toBe(false);
    add(light, 1, [...times(5, 1 / 3, 0), ...times(5, 0, 0.5)]);
    expect(light.isTaken(1, 1), '0.5 s of a sixth').toBe(true);
  });

  it('is nothing where a processor was idle, or where the browser rests', () => {
    const taken = new TakenTime();
    add(taken, 0, [...times(5, 0, 0), ...times(5, 0.2, 0.5)]);
    expect(taken.isTaken(0, 1)).toBe(false);
    add(taken, 1, times(10, 0, 0.01));
    expect(taken.isTaken(1, 1)).toBe(false);
  });

  it('falls to the second that it happened in, or the next where it is known late', () => {
    const taken = new TakenTime();
    taken.add({ from: 0, to: 0.5, idle: 0, browser: 0 });
    taken.add({ from: 0.95, to: 1.05, idle: 0, browser: 1 });
    expect([taken.isTaken(0, 1), taken.isTaken(1, 1), taken.isTaken(2, 1)]).toEqual([true, true, false]);
    taken.add({ from: 2.8, to: 2.9, idle: 0, browser: 1 });
    expect([taken.isTaken(3, 1), taken.isTaken(4, 1)]).toEqual([true, false]);
  });

  it('may be everything as long as nobody has seen the load alone', () => {
    const taken = new TakenTime();
    add(taken, 0, times(3, 0, 0.5));
    expect(taken.isTaken(0, 1)).toBe(true);
  });
});
