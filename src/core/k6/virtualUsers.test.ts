import { describe, expect, it } from 'vitest';
import { planSchema } from '#core/plan/schema/plan.ts';
import { Totals } from '#core/result/totals.ts';
import type { Window } from '#core/measurement/window.ts';
import { K6Windows } from './k6Windows.ts';
import { K6SampleReader } from './sampleReader.ts';
import { journeyLines, pointLine, requestLines } from './testing/k6Lines.ts';
import { WallClock } from './virtualUsers.ts';

const DAY_S = 86_400;
const BEGAN_MS = Date.parse('2026-03-01T12:00:00.250Z');
const PER_SECOND = 10;

const plan = planSchema.parse({
  holdfast: 1,
  name: 'test',
  engine: 'k6',
  targets: [{ url: 'http://127.0.0.1/' }],
  journey: [{ name: 'page' }],
  load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond: PER_SECOND, seconds: 10 }] },
});

/**
 * Returns the windows of a load of 10 s. They are read every 0.25 s up to 0.1 s before the present, while the clock jumps by `jumps`
 * (second → seconds).
 */
function windowsWith(jumps: Readonly<Record<number, number>>): Window[] {
  const clock = new WallClock();
  const windows = new K6Windows(plan);
  const reader = new K6SampleReader(windows, (atUs) => clock.steady(atUs));
  const jumpedMs = (ms: number): number =>
    Object.entries(jumps).reduce((sum, [second, by]) => sum + (ms >= Number(second) * 1_000 ? by * 1_000 : 0), 0);
  const wallMs = (ms: number): number => BEGAN_MS + ms + jumpedMs(ms);
  const taken: Window[] = [];
  let next = 0;
  for (let ms = 0; ms <= 12_000; ms += 250) {
    clock.readClocks(wallMs(ms) * 1_000, ms * 1_000);
    const lines = [pointLine('vus_max', wallMs(ms), 10)];
    for (; next < 10 * PER_SECOND && next * (1_000 / PER_SECOND) + 10 <= ms - 100; next += 1) {
      const startMs = next * (1_000 / PER_SECOND);
      const endMs = wallMs(startMs + 10);
      lines.push(
        ...journeyLines({ beganMs: wallMs(startMs), endMs, ...(next === 0 ? { loadBeganMs: BEGAN_MS } : {}) }, [
          ...requestLines({ endMs, step: '0', stage: '0', waitingMs: 10 }),
        ]),
      );
    }
    reader.push(`${lines.join('\n')}\n`);
    taken.push(...windows.takeUntil(clock.nowUs));
  }
  return [...taken, ...windows.takeAll()];
}

describe('clock changes during a k6 run:', () => {
  it.each([
    ['a day forward', { 4: DAY_S }],
    ['a day back', { 4: -DAY_S }],
    ['a minute forward and back', { 3: 60, 6: -60 }],
    ['two days back in two steps', { 2: -DAY_S, 7: -DAY_S }],
  ])('%s changes no window and loses no count', (_, jumps) => {
    const undisturbed = windowsWith({});
    const windows = windowsWith(jumps);
    expect(windows.map(({ second }) => second)).toEqual(undisturbed.map(({ second }) => second));
    expect(windows.map(({ journeys }) => journeys)).toEqual(undisturbed.map(({ journeys }) => journeys));
    const totals = new Totals();
    for (const window of windows) totals.add(window);
    expect(totals.outcomes(plan, true)).toMatchObject({ balances: true, outcomes: { requests: { sent: 100, ok: 100, inFlight: 0 } } });
  });

  it('a drift of the clock is followed', () => {
    const clock = new WallClock();
    for (let second = 0; second < 1_000; second += 1) clock.readClocks(second * 1_001_000, second * 1_000_000);
    expect(clock.nowUs).toBe(999 * 1_001_000);
    expect(clock.steady(5_000_000)).toBe(5_000_000);
  });
});
