import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { DueQueue } from './dueQueue.ts';

it('gives what was put in, the earliest first, whatever is put in meanwhile', () => {
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
