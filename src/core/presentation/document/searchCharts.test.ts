import { describe, expect, it } from 'vitest';
import { describeCharacter } from '#core/search/characterize/conclusion.ts';
import { calmReadings, frozenWith32 } from '#core/search/characterize/testing/frozenRuns.ts';
import { searchDocumentSchema } from '#core/search/result.ts';
import { playSearch } from '#core/search/testing/play.ts';
import { arrivals, planWith } from '#core/testing/plans.ts';
import { randomFrom } from '#core/testing/queueRun.ts';
import { characterPicture, searchPicture } from './searchReport.ts';

const server = { workers: 4, serviceMs: () => 200 };

describe('the charts of a search', () => {
  it('show the levels in ascending order, for any order of the runs', () => {
    const plan = planWith({ load: arrivals([{ kind: 'constant', perSecond: 20, seconds: 10 }]) });
    const document = searchDocumentSchema.parse({ kind: 'breakingPoint', plan, settings: { recovery: false } });
    const { conclusion, runs } = playSearch(document, server, randomFrom(1));
    if (conclusion.kind !== 'breakingPoint') throw new TypeError('It was a search.');
    const picture = searchPicture(conclusion, runs);
    const levels = (picture?.categories ?? []).map(Number);
    expect(levels).toEqual(levels.toSorted((a, b) => a - b));
    expect(picture?.rate[0]?.values).toHaveLength(levels.length);
    // 4 workers that need 200 ms for each request sustain 20 requests per second.
    for (const [index, value] of (picture?.times[0]?.values ?? []).entries())
      expect(value?.outcome, `at ${levels[index]}`).toBe((levels[index] ?? 0) >= (conclusion.breakingPoint ?? 0) ? 'failed' : undefined);
    expect(searchPicture(conclusion, runs.slice(0, 1))).toBeNull();
  });

  it('show the model of the workers over the measurements', () => {
    const document = searchDocumentSchema.parse({ kind: 'characterize', plan: planWith() });
    const { conclusion, runs } = playSearch(document, server, randomFrom(1));
    if (conclusion.kind !== 'characterize') throw new TypeError('A server was looked at.');
    const picture = characterPicture(conclusion, runs);
    const [measured, pool] = picture?.times ?? [];
    expect(pool?.name).toBe('with 4 workers');
    for (const [index, value] of (measured?.values ?? []).entries())
      expect(Math.abs((pool?.values[index]?.median ?? 0) / (value?.median ?? 1) - 1)).toBeLessThan(0.1);
    expect(picture?.times.at(-1)?.values.every((value) => value?.median === conclusion.serviceMs?.value)).toBe(true);
  });

  it('have no rate for a run in which the server froze', () => {
    const document = searchDocumentSchema.parse({ kind: 'characterize', plan: planWith() });
    const readings = [...calmReadings(), frozenWith32()];
    const runs = playSearch(document, server, randomFrom(1))
      .runs.slice(0, readings.length)
      .map((run, index) => ({ ...run, reading: readings[index] ?? null }));
    const picture = characterPicture(describeCharacter(readings, null), runs);
    expect(picture?.rate[0]?.values.map((value) => value?.median ?? null)).toEqual([24.7, 30, 59, 97.7, 98.4, null]);
    expect(picture?.times[0]?.values.at(-1)?.median).toBe(4_480);
  });
});
