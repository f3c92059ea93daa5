import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { threadAmongAll } from '#core/work/load/part.ts';
import { buildJob } from './testing/runLoad.ts';
import { loadParts, threadCount } from './loadParts.ts';

const jobPlan = (plan: Parameters<typeof buildJob>[1]) => buildJob(['http://127.0.0.1:1/'], plan).plan;
const connections = (count: number) => jobPlan({ load: { model: 'connections', stages: [{ connections: count, seconds: 1 }] } });

describe('loadParts', () => {
  it('numbers the threads of all machines without gaps or repetitions', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 128 }), { minLength: 1, maxLength: 16 }),
        fc.integer({ min: 16, max: 500 }),
        (cores, count) => {
          const parts = loadParts(connections(count), cores);
          const numbers = parts.flatMap((part) =>
            Array.from({ length: part.threads }, (_, thread) => threadAmongAll(part, thread, part.threads)),
          );
          expect(numbers.map(({ thread }) => thread).sort((a, b) => a - b)).toEqual([...numbers.keys()]);
          expect(numbers.every(({ threads }) => threads === numbers.length)).toBe(true);
          expect(numbers.length).toBeLessThanOrEqual(count);
        },
      ),
    );
  });

  it('refuses a plan with less than one connection, journey or request per load generator', () => {
    const refused = expect.objectContaining({ code: 'TOO_FEW_FOR_GENERATORS' });
    expect(() => loadParts(connections(2), [4, 4, 4])).toThrow(refused);
    const arrivals = { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 9, seconds: 1 }], maxInFlight: 2 } as const;
    expect(() => loadParts(jobPlan({ load: { ...arrivals, stages: [...arrivals.stages] } }), [4, 4, 4])).toThrow(refused);
    const { plan } = buildJob(['http://127.0.0.1:1/'], {
      load: { model: 'connections', stages: [{ connections: 9, seconds: 1 }] },
      safety: { maxRequests: 2 },
    });
    expect(() => loadParts(plan, [4, 4, 4])).toThrow(refused);
    expect(loadParts(plan, [4, 4])).toHaveLength(2);
  });
});

const plan = (connections: number, threads?: number): Parameters<typeof threadCount>[0] =>
  buildJob(['http://127.0.0.1/'], {
    load: {
      model: 'connections',
      stages: [
        { connections: 1, seconds: 1 },
        { connections, seconds: 1 },
      ],
    },
    ...(threads === undefined ? {} : { threads }),
  }).plan;

describe('threadCount', () => {
  it.each([
    [50, undefined, 8, 7],
    [50, undefined, 1, 1],
    [3, undefined, 8, 3],
    [50, 4, 2, 4],
    [2, 4, 8, 2],
  ])('for %s connections, %s planned threads and %s cores is %s', (connections, planned, cores, expected) => {
    expect(threadCount(plan(connections, planned), cores)).toBe(expected);
  });
});
