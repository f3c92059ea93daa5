import { describe, expect, it } from 'vitest';
import { type Moment, TakenTime } from './processorWatch.ts';

/** Adds moments of 100 ms each, beginning at a second. */
function add(takenTime: TakenTime, from: number, moments: readonly Pick<Moment, 'idle' | 'browser'>[]): void {
  for (const [place, moment] of moments.entries()) takenTime.add({ from: from + place / 10, to: from + (place + 1) / 10, ...moment });
}
const times = (count: number, idle: number, browser: number) => Array.from({ length: count }, () => ({ idle, browser }));

describe('TakenTime', () => {
  it('counts a second in which load and browser together need more than all processors, however short the visit', () => {
    const takenTime = new TakenTime();
    add(takenTime, 0, [...times(7, 0, 0), ...times(3, 0, 0.4)]);
    expect(takenTime.isTaken(0, 1)).toBe(true);
    add(takenTime, 1, times(10, 0, 0));
    expect(takenTime.isTaken(1, 1)).toBe(false);
  });

  it('counts nothing if the load alone leaves enough idle time, even if no processor is idle', () => {
    const takenTime = new TakenTime();
    add(takenTime, 0, [...times(7, 0.95, 0), ...times(3, 0, 0.94)]);
    expect(takenTime.isTaken(0, 1)).toBe(false);
  });

  it('counts only the excess over all processors', () => {
    const light = new TakenTime();
    add(light, 0, [...times(9, 1 / 3, 0), ...times(1, 0, 0.5)]);
    expect(light.isTaken(0, 1), '0.1 s of a sixth').toBe(false);
    add(light, 1, [...times(5, 1 / 3, 0), ...times(5, 0, 0.5)]);
    expect(light.isTaken(1, 1), '0.5 s of a sixth').toBe(true);
  });

  it('counts nothing if a processor was idle, or the browser is idle', () => {
    const takenTime = new TakenTime();
    add(takenTime, 0, [...times(5, 0, 0), ...times(5, 0.2, 0.5)]);
    expect(takenTime.isTaken(0, 1)).toBe(false);
    add(takenTime, 1, times(10, 0, 0.01));
    expect(takenTime.isTaken(1, 1)).toBe(false);
  });

  it('counts time in the second in which it was taken, or in the next second if it is reported late', () => {
    const takenTime = new TakenTime();
    takenTime.add({ from: 0, to: 0.5, idle: 0, browser: 0 });
    takenTime.add({ from: 0.95, to: 1.05, idle: 0, browser: 1 });
    expect([takenTime.isTaken(0, 1), takenTime.isTaken(1, 1), takenTime.isTaken(2, 1)]).toEqual([true, true, false]);
    takenTime.add({ from: 2.8, to: 2.9, idle: 0, browser: 1 });
    expect([takenTime.isTaken(3, 1), takenTime.isTaken(4, 1)]).toEqual([true, false]);
  });

  it('assumes that the load may need all processors until there was a moment without the browser', () => {
    const takenTime = new TakenTime();
    add(takenTime, 0, times(3, 0, 0.5));
    expect(takenTime.isTaken(0, 1)).toBe(true);
  });
});
