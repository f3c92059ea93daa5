import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mutate, mutation, response, responses } from './testing/arbitraries.ts';
import { expectAsLlhttp as compare } from './testing/expectAsLlhttp.ts';
import { readWithFramer } from './testing/readWithFramer.ts';

const cutShares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });
const cutsIn = (bytes: Buffer, shares: readonly number[]): number[] => shares.map((share) => Math.floor(share * bytes.length));

describe('ResponseFramer compared with llhttp', () => {
  it('reads generated well-formed responses, split anywhere', () => {
    fc.assert(
      fc.property(responses, cutShares, fc.boolean(), fc.boolean(), (text, shares, head, closes) => {
        const bytes = Buffer.from(text, 'latin1');
        compare(bytes, { cuts: cutsIn(bytes, shares), head, closes });
      }),
      { numRuns: 1_000 },
    );
  });

  it('reads repeated and slightly changed heads', () => {
    fc.assert(
      fc.property(response, fc.array(mutation, { maxLength: 2 }), cutShares, fc.boolean(), (text, mutations, shares, head) => {
        const bytes = Buffer.from(text, 'latin1');
        const almost = mutate(bytes, mutations);
        const all = Buffer.concat([bytes, bytes, almost, bytes]);
        compare(all, { cuts: cutsIn(all, shares), head, closes: true });
        // Each response is one read, because repeated heads are recognized only then.
        compare(all, { cuts: [bytes.length, 2 * bytes.length, 2 * bytes.length + almost.length], head, closes: true });
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads the same messages as llhttp up to damaged bytes', () => {
    fc.assert(
      fc.property(
        response,
        fc.array(mutation, { minLength: 1, maxLength: 3 }),
        cutShares,
        fc.boolean(),
        (text, mutations, shares, closes) => {
          const bytes = mutate(Buffer.from(text, 'latin1'), mutations);
          compare(bytes, { cuts: cutsIn(bytes, shares), head: false, closes });
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('never throws, always ends and respects its limits for any bytes', () => {
    const limits = { limitHeadBytes: 64, limitBodyBytes: 64 };
    const anyBytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc.tuple(response, fc.array(mutation, { maxLength: 8 })).map(([text, mutations]) => mutate(Buffer.from(text, 'latin1'), mutations)),
    );
    fc.assert(
      fc.property(anyBytes, cutShares, (bytes, shares) => {
        const read = readWithFramer(bytes, { cuts: cutsIn(bytes, shares), head: false, closes: true }, limits);
        for (const message of read.messages) expect(message.body.length).toBeLessThanOrEqual(64);
      }),
      { numRuns: 1_000 },
    );
  });
});
