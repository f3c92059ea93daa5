import { describe, expect, it } from 'vitest';
import type { RunResult } from '#core/result/schema.ts';
import { facts, generatorThatReads, healthyStep } from '../testing/facts.ts';
import { generatorsDiffer } from './network.ts';

type Generator = RunResult['generators'][number];
const { latency, rates, phases } = healthyStep();

interface Part {
  readonly p50: number;
  readonly firstByte: number | null;
  readonly transfer: number | null;
  readonly bytesPerSecond?: number;
}

function from(name: string, { p50, firstByte, transfer, bytesPerSecond = 11_000_000 }: Part): Generator {
  const times = { ...latency.response, p50 };
  const part = (ms: number | null) => (ms === null ? null : { ...latency.response, p50: ms });
  return {
    ...generatorThatReads([]),
    name,
    figures: {
      sent: 6_000,
      ok: 6_000,
      notStartedGenerator: 0,
      rates: { ...rates, bytesPerSecond },
      service: times,
      response: times,
      phases: { ...phases, firstByte: part(firstByte), transfer: part(transfer) },
      points: [],
    },
  };
}

const fast = from('sp1', { p50: 52, firstByte: 40, transfer: 12 });

describe('generatorsDiffer', () => {
  it('names the slow location and the transfer of its responses', () => {
    const slow = from('sp4', { p50: 480, firstByte: 44, transfer: 436, bytesPerSecond: 1_200_000 });
    const [finding, ...others] = generatorsDiffer.find(facts(undefined, { generators: [fast, slow] }));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      id: 'generatorsDiffer.sp4',
      level: 'warning',
      confidence: 'likely',
      sentence:
        'From sp4, 50 % of responses came within 480 ms, from sp1 within 52 ms: 9.23 times as long. Most of the difference is the transfer of responses: sp4 got 9.6 Mbit/s, sp1 88 Mbit/s.',
    });
    expect(finding?.evidence).toHaveLength(2);
    expect(finding?.remedy).toContain('the network path to sp4');
  });

  it('names the wait for the first byte, and no phase if none explains it', () => {
    const writeSentence = (slow: Generator): string | undefined =>
      generatorsDiffer.find(facts(undefined, { generators: [fast, slow] }))[0]?.sentence;
    expect(writeSentence(from('far', { p50: 252, firstByte: 238, transfer: 14 }))).toMatch(
      /Most of the difference is the time to first byte\.$/,
    );
    expect(writeSentence(from('far', { p50: 252, firstByte: null, transfer: null }))).toMatch(/times as long\.$/);
  });

  it('ignores equal locations, and a single load generator', () => {
    expect(generatorsDiffer.find(facts(undefined, { generators: [fast, from('sp2', { p50: 54, firstByte: 41, transfer: 13 })] }))).toEqual(
      [],
    );
    expect(generatorsDiffer.find(facts(undefined, { generators: [generatorThatReads([])] }))).toEqual([]);
  });
});
