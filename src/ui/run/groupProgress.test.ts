import { describe, expect, it } from 'vitest';
import { searchDocumentSchema } from '#core/search/result.ts';
import { playSearch } from '#core/search/testing/play.ts';
import { arrivals, planWith } from '#core/testing/plans.ts';
import { randomFrom } from '#core/testing/queueRun.ts';
import { searchProgress, seriesProgress } from './GroupProgress.tsx';

it('seriesProgress: estimates the remaining time from previous runs', () => {
  expect(seriesProgress({ done: 4, planned: 9 }, 90)).toEqual({ share: 4 / 9, done: '4 of 9 runs', left: 'about 90 s left' });
  expect(seriesProgress({ done: 0, planned: 9 }, 3)).toMatchObject({ share: 0, left: '' });
});

describe('the progress of a search', () => {
  const plan = planWith({ load: arrivals([{ kind: 'constant', perSecond: 20, seconds: 10 }]) });
  const settings = { recovery: false, from: 5, precision: 0.05 };
  const document = searchDocumentSchema.parse({ kind: 'breakingPoint', plan, settings });
  const played = playSearch(document, { workers: 4, serviceMs: () => 200 }, randomFrom(1));
  if (played.conclusion.kind !== 'breakingPoint') throw new TypeError('It was a search.');
  const { conclusion, runs } = played;

  it('is unknown until a level has failed', () => {
    expect(searchProgress({ document, conclusion: { ...conclusion, breakingPoint: null }, runs: runs.slice(0, 2) }, 30)).toEqual({
      share: null,
      done: '2 runs so far',
      left: 'time left unknown until a level fails',
    });
  });

  it('counts the remaining halvings once the range is known: four from 10 to 20 at 5 %', () => {
    const two = runs.slice(0, 2).map((run, index) => ({ ...run, level: 10 + 10 * index }));
    expect(searchProgress({ document, conclusion: { ...conclusion, sustained: 10, breakingPoint: 20 }, runs: two }, 30)).toMatchObject({
      share: 2 / 6,
      left: 'about 60 s left',
    });
  });
});
