import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { OpenStreams, type SessionStream } from './openStreams.ts';

/** Returns a stream that has only its number. */
const sessionStream = (id: number): SessionStream => ({ id }) as Partial<SessionStream> as SessionStream;
const idsOf = (streams: readonly SessionStream[]): number[] => streams.map(({ id }) => id).toSorted((a, b) => a - b);

it('OpenStreams contains each added stream until it is deleted, however long the stream lasts', () => {
  /** Which open stream ends, as a share of the number of open streams; null opens another stream. */
  const step = fc.option(fc.double({ min: 0, max: 0.999, noNaN: true }), { freq: 2 });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const open = new OpenStreams();
      const expected = new Map<number, SessionStream>();
      let nextId = 1;
      for (const share of steps) {
        const ending = share === null ? undefined : [...expected.values()][Math.floor(share * expected.size)];
        if (ending === undefined) {
          const stream = sessionStream(nextId);
          nextId += 2;
          expected.set(stream.id, stream);
          open.add(stream);
          expect(open.has(stream)).toBe(true);
        } else {
          expected.delete(ending.id);
          open.delete(ending);
          open.delete(ending);
          expect(open.has(ending)).toBe(false);
        }
        expect(open.size).toBe(expected.size);
        expect(idsOf(open.all)).toEqual([...expected.keys()]);
        for (let id = 0; id < nextId + 2; id += 1) expect(open.get(id)).toBe(expected.get(id));
      }
      open.clear();
      expect([open.size, open.all]).toEqual([0, []]);
    }),
    { numRuns: 50 },
  );
});
