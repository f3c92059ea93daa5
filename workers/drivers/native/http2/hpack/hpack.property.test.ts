import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copied, fieldList, hex } from '../testing/fields.ts';
import type { Field } from './dynamicTable.ts';
import { HpackDecoder, type HpackRefusal } from './hpackDecoder.ts';
import { HpackEncoder } from './hpackEncoder.ts';

const LIMITS = { maxTableBytes: 8_192, maxListBytes: 1_000_000 };

describe('HpackEncoder and HpackDecoder', () => {
  const tableBytes = fc.oneof(fc.constantFrom(0, 32, 4_096, 8_192), fc.nat(300), fc.nat(8_192));
  const step = fc.oneof({ weight: 4, arbitrary: fieldList }, { weight: 1, arbitrary: tableBytes });

  it('round-trip any header lists while the table shrinks and grows', () => {
    fc.assert(
      fc.property(tableBytes, fc.array(fc.oneof(step, fc.constant('again' as const)), { maxLength: 20 }), (ownBytes, steps) => {
        const encoder = new HpackEncoder(ownBytes);
        const decoder = new HpackDecoder(LIMITS);
        let last: { readonly fields: Field[]; readonly block: Buffer; readonly generation: number } | null = null;
        for (const one of steps) {
          if (typeof one === 'number') encoder.setMaxTableBytes(one);
          // A block that did not change the encoder may be sent again without encoding.
          else if (one === 'again') {
            if (last === null || last.generation !== encoder.generation) continue;
            expect(decoder.decode(last.block, 0, last.block.length)).toBeNull();
            expect(decoder.fields).toEqual(last.fields);
          } else {
            const { generation } = encoder;
            const block = encoder.encode(one);
            expect(decoder.decode(Buffer.concat([hex('ee'), block, hex('ee')]), 1, 1 + block.length)).toBeNull();
            expect(decoder.fields).toEqual(one);
            if (encoder.generation === generation) last = { fields: one, block, generation };
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

/** Decodes another block before each block, so that the previous result cannot be reused. */
class FreshDecoder {
  private readonly decoder: HpackDecoder;

  constructor(limits: typeof LIMITS) {
    this.decoder = new HpackDecoder(limits);
  }

  decode(block: Buffer): { readonly refusal: HpackRefusal | null; readonly fields: readonly Field[] } {
    this.decoder.decode(hex('82'), 0, 1);
    const refusal = this.decoder.decode(block, 0, block.length);
    return { refusal, fields: copied(this.decoder.fields) };
  }
}

describe('HpackDecoder with repeated blocks', () => {
  const index = fc.oneof(fc.integer({ min: 1, max: 61 }), fc.integer({ min: 62, max: 66 }));
  const short = fc
    .constantFrom('', 'a', 'bb', 'c'.repeat(60))
    .map((text) => Buffer.from(String.fromCharCode(text.length) + text, 'latin1'));
  const part = fc.oneof(
    index.map((number) => Buffer.of(0x80 | number)),
    fc.tuple(fc.integer({ min: 1, max: 62 }), short).map(([name, value]) => Buffer.concat([Buffer.of(0x40 | name), value])),
    fc.tuple(short, short).map(([name, value]) => Buffer.concat([Buffer.of(0x40), name, value])),
    fc.tuple(fc.integer({ min: 1, max: 14 }), short).map(([name, value]) => Buffer.concat([Buffer.of(0x10 | name), value])),
  );
  const update = fc.constantFrom(hex(''), hex(''), hex(''), hex('20'), hex('3f45'), hex('3fe11f'));
  const block = fc.tuple(update, fc.array(part, { maxLength: 5 })).map(([first, parts]) => Buffer.concat([first, ...parts]));
  const played = fc
    .array(block, { minLength: 1, maxLength: 4 })
    .chain((blocks) => fc.array(fc.constantFrom(...blocks), { minLength: 1, maxLength: 30 }));

  it('returns the same result as a decoder without reuse', () => {
    fc.assert(
      fc.property(played, fc.constantFrom(120, 1_000_000), (blocks, maxListBytes) => {
        const limits = { maxTableBytes: 4_096, maxListBytes };
        const decoder = new HpackDecoder(limits);
        const afresh = new FreshDecoder(limits);
        const probes = Array.from({ length: 60 }, (_, at) => Buffer.of(0x80 | (62 + at)));
        const seen = new Map<readonly Field[], Field[]>();
        for (const bytes of [...blocks, ...probes]) {
          const refusal = decoder.decode(bytes, 0, bytes.length);
          const truth = afresh.decode(bytes);
          expect({ refusal, fields: decoder.fields }).toEqual(truth);
          if (refusal === 'COMPRESSION_ERROR') return;
          // An array that was returned before still has the same contents.
          expect(decoder.fields).toEqual(seen.get(decoder.fields) ?? truth.fields);
          seen.set(decoder.fields, copied(decoder.fields));
        }
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('HpackDecoder with arbitrary bytes', () => {
  it('never throws, and never exceeds the list limit', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.array(fc.constantFrom(0x40, 0x01, 0x7f, 0xbe, 0x82, 0xff, 0x00, 0x3f, 0x81, 0x20), { maxLength: 200 }),
    );
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 6 }), (blocks) => {
        const decoder = new HpackDecoder({ maxTableBytes: 200, maxListBytes: 400 });
        for (const array of blocks) {
          const refusal = decoder.decode(Buffer.from(array), 0, array.length);
          const listBytes = decoder.fields.reduce((sum, { name, value }) => sum + name.length + value.length + 32, 0);
          expect(listBytes).toBeLessThanOrEqual(400);
          if (refusal !== null) expect(decoder.fields).toEqual([]);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
