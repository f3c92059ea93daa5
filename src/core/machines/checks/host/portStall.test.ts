import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reusesPorts, stallSecond, waitSeconds } from './portBudget.ts';

const steady = (perSecond: number) => (second: number) => second * perSecond;

describe('stallSecond', () => {
  it.each([
    // The numbers were measured at a contest site: 28,232 ports, 980 connections per second.
    [28_232, 980, 28.8],
    [28_232, 700, 40.3],
    [2_048, 200, 10.24],
  ])('with %i ports at %i connections per second is %f', (ports, perSecond, second) => {
    expect(stallSecond({ ports, heldSeconds: 60, opened: steady(perSecond), seconds: 600 })).toBeCloseTo(second, 1);
  });

  it('returns null for a sustainable rate and for a stall after the end of the load', () => {
    expect(stallSecond({ ports: 28_232, heldSeconds: 60, opened: steady(470), seconds: 86_400 })).toBeNull();
    expect(stallSecond({ ports: 28_232, heldSeconds: 60, opened: steady(471), seconds: 86_400 })).toBeCloseTo(59.94, 1);
    expect(stallSecond({ ports: 28_232, heldSeconds: 60, opened: steady(980), seconds: 28 })).toBeNull();
    expect(stallSecond({ ports: 2_048, heldSeconds: waitSeconds(true), opened: steady(2_000), seconds: 600 })).toBeNull();
  });

  it('equals the second at which a simulation of single ports runs out', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 0, max: 40 }),
        (ports, from, slope) => {
          const opened = (second: number): number => from * second + (slope * second * second) / 2;
          const heldSeconds = 5;
          const reckoned = stallSecond({ ports, heldSeconds, opened, seconds: 30 });
          // Connection k (from 0) opens when the integral reaches k + 1, and holds its port for 5 s.
          const held: number[] = [];
          let walked: number | null = null;
          let made = 0;
          for (let time = 0; time <= 30 && walked === null; time += 0.001) {
            while (held[0] !== undefined && held[0] <= time) held.shift();
            while (walked === null && opened(time) >= made + 1) {
              if (held.length >= ports) walked = time;
              else held.push(time + heldSeconds);
              made += 1;
            }
          }
          if (reckoned === null || walked === null) return Math.abs((reckoned ?? 30) - (walked ?? 30)) < 1;
          return Math.abs(reckoned - walked) <= 1 / from + 0.01;
        },
      ),
      { numRuns: 40 },
    );
  });
});

it('reusesPorts: tcp_tw_reuse 1 applies to every destination, and 2 only to loopback', () => {
  expect([0, 1, 2].map((reuse) => reusesPorts(reuse, '192.0.2.1'))).toEqual([false, true, false]);
  expect([0, 1, 2].map((reuse) => reusesPorts(reuse, '127.0.0.1'))).toEqual([false, true, true]);
  expect(waitSeconds(false)).toBe(60);
});
