import { describe, expect, it } from 'vitest';
import type { Plan } from '#core/plan/schema/plan.ts';
import { arrivals, planWith, stages, users } from '#core/testing/plans.ts';
import { share, threadAmongAll } from './part.ts';
import {
  listBeginnings,
  isSteady,
  listLegs,
  levelOf,
  maxInFlightOf,
  requestsOf,
  secondsOf,
  startUpStage,
  countUncountedSeconds,
} from './stages.ts';

const closed = planWith({ load: stages({ connections: 4, requests: 8 }, { connections: 5, seconds: 9 }) });
const crowd = planWith({
  load: users([
    { users: 10, restSeconds: 2, startUpSeconds: 3, seconds: 20 },
    { users: 10, startUpSeconds: 4, startUpCounts: true, seconds: 20, continues: true },
    { users: 30, seconds: 20 },
  ]),
});
const open = planWith({
  load: arrivals([
    { kind: 'ramp', fromPerSecond: 5, toPerSecond: 2, seconds: 10, maxInFlight: 7 },
    { kind: 'spike', basePerSecond: 1, peakPerSecond: 9, secondsBefore: 2, rampSeconds: 1, peakSeconds: 3, secondsAfter: 4 },
    { kind: 'pause', seconds: 6 },
  ]),
});
const of = <Result>(plan: Plan, what: (stage: Plan['load']['stages'][number]) => Result): Result[] => plan.load.stages.map(what);

describe('stages', () => {
  it('have a level at their start, at their end and at their maximum', () => {
    expect(of(closed, levelOf)[0]).toEqual({ unit: 'connections', from: 4, to: 4, highest: 4 });
    expect(of(crowd, levelOf)[2]).toEqual({ unit: 'users', from: 30, to: 30, highest: 30 });
    expect(of(open, levelOf)).toEqual([
      { unit: 'arrivalsPerSecond', from: 5, to: 2, highest: 5 },
      { unit: 'arrivalsPerSecond', from: 1, to: 1, highest: 9 },
      { unit: 'arrivalsPerSecond', from: 0, to: 0, highest: 0 },
    ]);
  });

  it('are steady if all three levels are equal', () => {
    expect(of(open, (stage) => isSteady(levelOf(stage)))).toEqual([false, false, true]);
    expect(isSteady({ from: 1, to: 2, highest: 2 })).toBe(false);
  });

  it('end after their requests or their time, which includes uncounted start-up and pauses', () => {
    expect([of(closed, requestsOf), of(open, requestsOf)]).toEqual([
      [8, null],
      [null, null, null],
    ]);
    expect([of(closed, secondsOf), of(crowd, secondsOf), of(open, secondsOf)]).toEqual([
      [null, 9],
      [25, 24, 20],
      [10, 11, 6],
    ]);
    expect([of(closed, countUncountedSeconds), of(crowd, countUncountedSeconds)]).toEqual([
      [0, 0],
      [5, 0, 0],
    ]);
  });

  it('of an open model have their own cap or the cap of the load', () => {
    const { load } = open;
    if (load.model !== 'arrivals') throw new Error('not an open model');
    expect(load.stages.map((stage) => maxInFlightOf(load, stage))).toEqual([7, 10_000, 10_000]);
  });

  it('have a separate stage number for requests before all users are running', () => {
    expect([0, 1, 2].map((stage) => startUpStage(crowd, stage))).toEqual([3, 4, 5]);
  });
});

describe('listLegs', () => {
  it('joins all stages of an open model, and stages whose users stay', () => {
    expect([listLegs(open), listLegs(closed), listLegs(crowd)]).toEqual([[[0, 1, 2]], [[0], [1]], [[0, 1, 2]]]);
  });

  it('ends a leg at a rest, or at a stage that restarts all users', () => {
    const stages = [
      { users: 10, seconds: 5 },
      { users: 20, seconds: 5 },
      { users: 20, restSeconds: 1, seconds: 5 },
      { users: 5, seconds: 5 },
    ];
    const of = (more: object): readonly (readonly number[])[] =>
      listLegs(planWith({ load: { model: 'users', stages: stages.map((stage, index) => (index === 1 ? { ...stage, ...more } : stage)) } }));
    expect(of({})).toEqual([
      [0, 1],
      [2, 3],
    ]);
    expect(of({ continues: false })).toEqual([[0], [1], [2, 3]]);
  });

  it('starts legs at 0, puts stages one after another, and counts after the start-up', () => {
    expect(listBeginnings(crowd, [0, 1])).toEqual([
      { stage: 0, atSecond: 0, countsFromSecond: 5 },
      { stage: 1, atSecond: 25, countsFromSecond: 25 },
    ]);
    expect(listBeginnings(open, [0, 1, 2]).map(({ atSecond }) => atSecond)).toEqual([0, 10, 21]);
    expect(listBeginnings(closed, [7])).toEqual([]);
  });
});

describe('threadAmongAll', () => {
  it('numbers each thread once, with neighbours on different generators', () => {
    const numbers = [0, 1, 2].flatMap((generator) =>
      [0, 1].map((thread) => threadAmongAll({ generator, generators: 3, threads: 2 }, thread, 2)),
    );
    expect(numbers.map(({ thread }) => thread)).toEqual([0, 3, 1, 4, 2, 5]);
    expect(new Set(numbers.map(({ threads }) => threads))).toEqual(new Set([6]));
    expect(threadAmongAll(undefined, 1, 2)).toEqual({ thread: 1, threads: 2 });
  });

  it('gives the remainder of a division to the first threads', () => {
    expect([0, 1, 2].map((index) => share(11, index, 3))).toEqual([4, 4, 3]);
  });
});
