import { constants } from 'node:http2';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { CONNECTION_PREFACE } from './frames/writeFrames.ts';
import { type NodeTraffic, recordTraffic } from './testing/nodeTraffic.ts';
import { readFrames } from './testing/readFrames.ts';

const { PADDING_STRATEGY_NONE, PADDING_STRATEGY_MAX } = constants;
/** Pads to multiples of eight bytes. Node's types do not declare this constant. */
const PADDING_STRATEGY_ALIGNED = 1;
const cutShares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 });

describe.each([
  ['unpadded', { paddingStrategy: PADDING_STRATEGY_NONE, headerBytes: 10 }],
  ['padded a little', { paddingStrategy: PADDING_STRATEGY_ALIGNED, headerBytes: 10 }],
  ['padded much', { paddingStrategy: PADDING_STRATEGY_MAX, headerBytes: 10 }],
  ['with headers in several frames', { paddingStrategy: PADDING_STRATEGY_NONE, headerBytes: 40_000 }],
])('FrameReader reads traffic of node:http2: %s', (_name, options) => {
  let traffic: NodeTraffic;
  let directions: readonly Buffer[];

  beforeAll(async () => {
    traffic = await recordTraffic(options);
    expect(traffic.fromClient.subarray(0, CONNECTION_PREFACE.length)).toEqual(CONNECTION_PREFACE);
    directions = [traffic.fromClient.subarray(CONNECTION_PREFACE.length), traffic.fromServer];
  });

  it('reads header lists, bodies and all other frames as Node does', () => {
    const [fromClient, fromServer] = directions.map((bytes) => readFrames(bytes, []));
    expect(fromClient?.error).toBeNull();
    expect(fromServer?.error).toBeNull();
    expect(traffic.requests).toHaveLength(5);
    expect(traffic.responses).toHaveLength(15);
    expect(fromClient?.heads).toEqual(traffic.requests);
    expect(fromServer?.heads).toEqual(traffic.responses);
    expect(fromServer?.reported.filter((line) => line.includes('hello'))).toHaveLength(5);
    expect(fromClient?.reported.some((line) => line.startsWith('ping'))).toBe(true);
  });

  it('reads the same results wherever the bytes are split', () => {
    for (const bytes of directions) {
      const whole = readFrames(bytes, []);
      if (bytes.length < 20_000) for (let cut = 1; cut < bytes.length; cut += 1) expect(readFrames(bytes, [cut])).toEqual(whole);
      expect(readFrames(bytes, Array.from(bytes.keys()))).toEqual(whole);
      const shared = (shares: readonly number[]): number[] => shares.map((share) => Math.floor(share * bytes.length));
      fc.assert(
        fc.property(cutShares, (shares) => {
          expect(readFrames(bytes, shared(shares))).toEqual(whole);
        }),
        { numRuns: 50 },
      );
    }
  });
});
