import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { STORIES } from '../registry.ts';
import { diceFor } from './dice.ts';
import { exactFigure, findProblem, type Figure } from './figure.ts';
import type { Outcome } from './outcome.ts';
import { listBatches, batchOfDay } from './rotation.ts';
import { shiftFor } from './scene.ts';
import { listAlarms } from './readings.ts';
import type { Story } from './story.ts';
import { getSummary } from './summary.ts';
import { outcomeLines } from './table.ts';

const figure: Figure = { name: 'time', unit: 'ms', predicted: 100, measured: 101, logged: 99, within: 5 };

describe('figures', () => {
  it('are right only if app, servers and prediction agree', () => {
    expect(findProblem(figure)).toBeNull();
    expect(findProblem({ ...figure, measured: 106 })).toMatch(/app is off/);
    expect(findProblem({ ...figure, logged: 94 })).toMatch(/servers are off/);
    expect(findProblem({ ...figure, agreeWithin: 1 })).toMatch(/do not agree/);
    expect(findProblem({ ...figure, logged: null })).toBeNull();
  });

  it('are wrong if a value is unknown', () => {
    expect(findProblem({ ...figure, measured: null })).toMatch(/does not know/);
    expect(findProblem({ ...figure, measured: NaN })).toMatch(/does not know/);
    expect(findProblem({ ...figure, logged: NaN })).toMatch(/log does not tell/);
  });

  it('that are exact allow no deviation', () => {
    expect([exactFigure('n', 100, 100, 100), exactFigure('n', 100, 99, 100), exactFigure('n', 100, 100, 99)].map(findProblem)).toEqual([
      null,
      'the app is off the prediction',
      'the servers are off the prediction',
    ]);
  });
});

it('listAlarms: alarms are findings about the servers, but not about this machine', () => {
  const findings = (['generatorLimited', 'standstill.0.3', 'groups.stage 1.page', 'notSteady'] as const).map((id) => ({
    level: 'warning' as const,
    id,
  }));
  expect(listAlarms({ findings: [...findings, { level: 'info', id: 'behaviour.capacity' }] })).toEqual([
    'groups.stage 1.page',
    'notSteady',
  ]);
});

describe('diceFor', () => {
  it('draws the same values for the same seed and name, within the given limits', () => {
    fc.assert(
      fc.property(fc.nat(), fc.string(), fc.integer({ min: -50, max: 50 }), fc.nat(40), (seed, name, from, width) => {
        const [one, other] = [diceFor(seed, name), diceFor(seed, name)];
        for (let turn = 0; turn < 5; turn += 1) {
          const value = one.whole(from, from + width);
          expect(other.whole(from, from + width)).toBe(value);
          expect(value).toBeGreaterThanOrEqual(from);
          expect(value).toBeLessThanOrEqual(from + width);
        }
      }),
    );
  });

  it('draws every possible value', () => {
    const dice = diceFor(1, 'all');
    expect(new Set(Array.from({ length: 200 }, () => dice.step(10, 30, 5)))).toEqual(new Set([10, 15, 20, 25, 30]));
  });
});

describe('shiftFor', () => {
  it('shifts by 20 %, keeps integers whole, and always changes the value', () => {
    expect([10, 500, 3, 1, 2.5].map(shiftFor('shift'))).toEqual([12, 600, 4, 2, 3]);
    expect([10, 2.5].map(shiftFor(null))).toEqual([10, 2.5]);
    expect([10, 2.5].map(shiftFor('drop'))).toEqual([10, 2.5]);
  });
});

describe('the rotation', () => {
  const storyOf = (id: number, usualSeconds: number): Story => ({
    id: `some/${id}`,
    statement: '',
    owner: 'measure',
    usualSeconds,
    needs: [],
    prepare: () => ({ parameters: null, network: null, play: () => Promise.resolve([]) }),
  });

  it('runs every story once per cycle, with no batch above the time limit', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 })), fc.integer({ min: 60, max: 200 }), (durations, limit) => {
        const stories = durations.map((seconds, id) => storyOf(id, seconds));
        const batches = listBatches(stories, limit);
        expect(batches.flat()).toEqual(stories);
        for (const batch of batches) expect(batch.reduce((sum, { usualSeconds }) => sum + usualSeconds, 0)).toBeLessThanOrEqual(limit);
        const days = batches.map((_, day) => batchOfDay(stories, limit, day * 86_400_000).stories);
        expect(days).toEqual(batches);
      }),
    );
  });

  it('fits the existing stories into batches of six minutes', () => {
    for (const batch of listBatches(STORIES, 360))
      expect(batch.reduce((sum, { usualSeconds }) => sum + usualSeconds, 0)).toBeLessThanOrEqual(360);
  });
});

describe('the registry', () => {
  it("has each story once, in the folder of the story's practice server", () => {
    const ids = STORIES.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
    for (const id of ids) expect(id).toMatch(/^(contest|node-vs-gunicorn|registration|school-site|survey-lab|exam)\/[a-z\d-]+$/);
  });

  it('has stories about measuring, hosts and conclusions', () => {
    expect(new Set(STORIES.map(({ owner }) => owner))).toEqual(new Set(['measure', 'hosts', 'conclusions']));
  });
});

describe('the summary', () => {
  const outcomeOf = (id: string, ending: Outcome['ending']): Outcome => ({ id, seconds: 1, ending });
  const reportedEnding = (isPassed: boolean): Outcome['ending'] => ({
    kind: 'reported',
    passed: isPassed,
    parameters: {},
    figures: [],
    overloadedSeconds: 0,
    times: 1,
  });
  const green = outcomeOf('a/green', reportedEnding(true));
  const red = outcomeOf('a/red', reportedEnding(false));
  const skipped = outcomeOf('a/skipped', { kind: 'skipped', why: 'nginx is missing (sudo apt-get install --yes nginx-light)' });

  it('never counts a skipped story as passed', () => {
    expect(getSummary([green, skipped], null, false)).toMatchObject({ counts: { passed: 1, failed: 0, skipped: 1 }, failed: false });
    expect(getSummary([green, red], null, false)).toMatchObject({ counts: { passed: 1, failed: 1 }, failed: true });
    expect(getSummary([green, skipped], null, true).failed).toBe(true);
  });

  it('requires that every story fails if something is broken', () => {
    expect(getSummary([red], 'shift', false)).toMatchObject({ counts: { passed: 1, failed: 0 }, failed: false });
    expect(getSummary([red, green], 'drop', false)).toMatchObject({ counts: { passed: 1, failed: 1 }, failed: true });
    const broken = outcomeOf('a/broken', { kind: 'broken', parameters: null, why: 'It fell over.' });
    expect(getSummary([broken], 'shift', false).failed).toBe(true);
    expect(outcomeLines(green, 'shift')).toContain('it did not notice');
    expect(outcomeLines(skipped, null)).toContain('sudo apt-get install');
  });
});
