import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DueQueue, type Idler, IdleUsers } from './dueQueue.ts';

it('DueQueue returns items in the order of their due times, even if items are added in between', () => {
  const action = fc.option(fc.integer({ min: 0, max: 50 }), { freq: 3 });
  fc.assert(
    fc.property(fc.array(action, { maxLength: 200 }), (actions) => {
      const queue = new DueQueue<{ readonly dueUs: number }>();
      let model: number[] = [];
      for (const dueUs of actions) {
        if (dueUs === null) {
          const [first = null, ...rest] = model;
          expect(queue.pop()?.dueUs ?? null).toBe(first);
          model = rest;
        } else {
          queue.push({ dueUs });
          model = [...model, dueUs].toSorted((one, other) => one - other);
        }
        expect(queue.firstUs).toBe(model[0] ?? Number.POSITIVE_INFINITY);
      }
      const rest = queue.takeAll().map(({ dueUs }) => dueUs);
      expect(rest.toSorted((one, other) => one - other)).toEqual(model);
      expect(queue.pop()).toBeNull();
    }),
  );
});

const SECOND_US = 1_000_000;

class IdleConnection implements Idler {
  isConnected = true;
  idleSinceUs = 0;
  readonly name: number;

  constructor(name: number) {
    this.name = name;
  }

  disconnect(): void {
    this.isConnected = false;
  }
}

function newIdleUsers(count: number, atUs = 0): { readonly idle: IdleUsers<IdleConnection>; readonly all: IdleConnection[] } {
  const idle = new IdleUsers<IdleConnection>();
  const all = Array.from({ length: count }, (_, name) => new IdleConnection(name));
  for (const user of all) idle.put(user, atUs);
  return { idle, all };
}

describe('IdleUsers', () => {
  it('returns the connected user that was used last first, and disconnected users last', () => {
    const { idle, all } = newIdleUsers(4);
    all[1]?.disconnect();
    all[3]?.disconnect();
    expect([0, 1, 2, 3, 4].map(() => idle.take()?.name ?? null).slice(0, 2)).toEqual([2, 0]);
    expect(idle.take()).toBeNull();
  });

  it('keeps connections that are used from time to time', () => {
    const { idle, all } = newIdleUsers(3);
    for (let second = 1; second < 120; second += 1) {
      const user = idle.take();
      if (user) idle.put(user, second * SECOND_US);
      idle.closeUnused(second * SECOND_US);
    }
    expect(all.map(({ isConnected }) => isConnected)).toEqual([false, false, true]);
  });

  it('closes idle connections after a peak, a few at a time', () => {
    const { idle, all } = newIdleUsers(1_000);
    const open = (): number => all.filter(({ isConnected }) => isConnected).length;
    idle.closeUnused(29 * SECOND_US);
    expect(open()).toBe(1_000);
    idle.closeUnused(31 * SECOND_US);
    expect(open()).toBeGreaterThan(900);
    expect(open()).toBeLessThan(1_000);
    for (let round = 0; round < 100; round += 1) idle.closeUnused(31 * SECOND_US);
    expect(open()).toBe(0);
    const taken = new Set(Array.from({ length: 1_000 }, () => idle.take()));
    expect(taken.size).toBe(1_000);
    expect(idle.take()).toBeNull();
  });
});
