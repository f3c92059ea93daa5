import { describe, expect, it } from 'vitest';
import type { Point } from '#core/result/schema.ts';
import { findFreezes, isUsualWait, maxInFlightBefore } from './freezes.ts';
import type { MeasuredRun } from './rule.ts';
import { facts, generatorThatReads, healthyStep, point, postgresThatReads } from './testing/facts.ts';

const SECONDS = 60;

/** Returns a minute with ten successful responses per second and 4 requests in flight. `of` changes a second. */
function run(of: (second: number) => Partial<Point>, changes: Partial<MeasuredRun> = {}, seconds = SECONDS): MeasuredRun {
  const windows = Array.from({ length: seconds }, (_unused, second) =>
    point(second, { completed: 10, ok: 10, inFlight: 4, ...of(second) }),
  );
  return facts(healthyStep(), { windows, durationSeconds: seconds, ...changes });
}

const span = (fromSecond: number, toSecond: number) => ({ fromSecond, toSecond });
const SILENT = { completed: 0, ok: 0, max: null };
const silentIn =
  (from: number, to: number, changes: Partial<Point> = {}) =>
  (second: number) =>
    second >= from && second < to ? { ...SILENT, ...changes } : {};

describe('a freeze without a monitor', () => {
  const times = (given: MeasuredRun, usual?: number) => findFreezes(given, usual).map(({ fromSecond, toSecond }) => [fromSecond, toSecond]);

  it('requires five seconds without a response, also at the end of the run', () => {
    expect(findFreezes(run(silentIn(10, 15)))).toEqual([{ ...span(10, 15), inFlight: 4, isPartial: false, heldConnections: null }]);
    expect(times(run(silentIn(10, 14)))).toEqual([]);
    expect(times(run(silentIn(55, 60)))).toEqual([[55, 60]]);
  });

  it.each([
    [4, [[10, 15]]],
    [3, []],
  ])('requires twenty missing responses at the rate before: %d per second', (ok, expected) => {
    const of = silentIn(10, 15);
    expect(times(run((second) => (second < 10 ? { completed: ok, ok } : of(second))))).toEqual(expected);
    // Compared with the rate of other runs, a freeze can be found from the first second on.
    expect(times(run(silentIn(0, 5)), ok)).toEqual(expected.map(() => [0, 5]));
  });

  it('compares with the rate of the ten seconds before', () => {
    const of = silentIn(15, 20);
    expect(times(run((second) => (second >= 5 && second < 15 ? { completed: 1, ok: 1 } : of(second))))).toEqual([]);
  });

  it.each([
    [8, 2, true],
    [4, 1, false],
    [16, 4, true],
    [16, 3, false],
  ])('requires a quarter of the maximum in flight, and at least two: maximum %d, in flight %d', (most, inFlight, isFrozen) => {
    const of = silentIn(10, 15, { inFlight });
    expect(times(run((second) => (second === 30 ? { inFlight: most } : of(second))))).toHaveLength(isFrozen ? 1 : 0);
  });

  it.each([
    [2, true],
    [3, false],
  ])("allows Holdfast's own time-outs but no other failures: %d, including 2 time-outs", (failed, isFrozen) => {
    const of = silentIn(10, 15, { failed, errors: { 'TIMEOUT@firstByte': 2, 'ECONNRESET@body': failed - 2 } });
    expect(times(run(of))).toHaveLength(isFrozen ? 1 : 0);
  });

  it.each<[string, number, Partial<Point>, boolean]>([
    ['three requests end after four fifths of it', 32, { completed: 2, failed: 1, max: 24_000 }, true],
    ['at the end of the settling time', 34, { completed: 3, max: 24_000 }, true],
    ['after the settling time', 35, { completed: 3, max: 24_000 }, false],
    ['two requests end', 32, { completed: 2, max: 24_000 }, false],
    ['the requests took less time', 32, { completed: 3, max: 23_999 }, false],
  ])('is found without a known rate if it lasts a default wait, and %s', (_name, at, ends, isFrozen) => {
    const of = silentIn(2, 32);
    const given = run((second) => {
      if (second < 2) return { ok: 0, completed: 3, max: 60_000 };
      if (second < 32) return of(second);
      return { completed: 0, ok: 0, inFlight: 1, max: 100, ...(second === at ? ends : {}) };
    });
    expect(times(given)).toHaveLength(isFrozen ? 1 : 0);
  });

  it('counts as a default wait if its duration is within 5 % of one', () => {
    expect([28.5, 30, 31.5, 57, 63, 114, 126].map(isUsualWait)).toEqual(Array(7).fill(true));
    expect([28.4, 31.6, 56.9, 63.1, 113, 127].map(isUsualWait)).toEqual(Array(6).fill(false));
  });
});

interface Database {
  readonly held?: (second: number) => number;
  readonly longest?: (second: number) => number;
  readonly from?: number;
  readonly to?: number;
  readonly more?: Parameters<typeof postgresThatReads>[1];
}

/** Five transactions that are idle from second 20 to 30. */
function database({ from = 20, to = 30, held = () => 5, longest = (second) => (second + 1 - from) * 1_000, more = {} }: Database = {}) {
  const isIn = (second: number): boolean => second >= from && second < to;
  return postgresThatReads(SECONDS, {
    idleInTransaction: (second) => (isIn(second) ? held(second) : 0),
    longest: (second) => (isIn(second) ? longest(second) : 0),
    ...more,
  });
}

/** A fifth of the responses arrives from second 22 to 28, and all of them in the first and last seconds. */
const partly = (second: number): Partial<Point> => (second >= 22 && second < 29 ? { completed: 2, ok: 2 } : {});
/** Few responses arrive for a while, and one of them has waited. */
const few = (second: number): Partial<Point> =>
  second >= 15 && second < 35 ? { completed: 1, ok: 1, max: second === 30 ? 8_000 : 40 } : {};

const frozen = (given: Database, of = partly, changes: Partial<MeasuredRun> = {}) =>
  findFreezes(run(of, { monitors: [database(given)], ...changes }));
const freezeTimes = (...given: Parameters<typeof frozen>) => frozen(...given).map(({ fromSecond, toSecond }) => [fromSecond, toSecond]);

describe('a freeze with a database monitor', () => {
  it('reports the held connections', () => {
    const more: Database['more'] = {
      connections: (second) => (second === 24 || second === 25 ? 99 : 50),
      idle: (second) => (second < 20 ? 3 : second < 30 ? 7 : second === 40 ? 9 : second === 45 ? 1 : 12),
      active: (second) => (second === 40 ? 8 : 1),
      locked: (second) => (second === 27 ? 4 : 0),
      idleInTransaction: (second) => (second >= 20 && second < 30 ? 5 : second === 45 ? 1 : 0),
    };
    const [freeze] = frozen({ more });
    expect(freeze).toMatchObject({ ...span(20, 30), inFlight: 4, isPartial: true });
    const numbers = { idleInTransaction: 5, mostUsed: 7, open: 50, idle: 7, oldestMs: 10_000, locked: 4, idleAfter: 9 };
    expect(freeze?.heldConnections).toMatchObject(numbers);
  });

  it('reports no idle connections after a freeze that lasts to the end of the run', () => {
    const [freeze] = frozen({ from: 50, to: 60, more: { idle: () => 7 } }, (second) => (second >= 50 ? { completed: 1, ok: 1 } : {}));
    expect(freeze?.heldConnections).toMatchObject({ idle: 7, idleAfter: null, mostUsed: 5 });
  });

  it.each<[string, Database, number[][]]>([
    ['three connections', { held: () => 3 }, [[20, 30]]],
    ['two connections', { held: () => 2 }, []],
    ['one more for two of ten seconds', { held: (second) => (second < 24 || second > 25 ? 5 : 6) }, [[20, 30]]],
    ['one more for three of ten seconds', { held: (second) => (second < 24 || second > 26 ? 5 : 6) }, []],
    ['two more in between', { held: (second) => (second === 25 ? 7 : 5) }, [[20, 25]]],
    ['an oldest transaction that is a second younger', { longest: (second) => (second + 1 - (second < 26 ? 20 : 21)) * 1_000 }, [[20, 30]]],
    ['an oldest transaction that is two seconds younger', { longest: (second) => (second + 1 - (second < 25 ? 20 : 22)) * 1_000 }, [[20, 25], [25, 30]]], // prettier-ignore
    ['a transaction that began two seconds before', { longest: (second) => (second + 1 - 18) * 1_000 }, [[18, 30]]],
    ['a backup that began long before', { longest: (second) => (second + 1 - 17) * 1_000 }, [[20, 30]]],
    ['five seconds', { to: 25 }, [[20, 25]]],
    ['four seconds', { to: 24 }, []],
  ])('has the expected times with %s', (_name, given, expected) => {
    expect(freezeTimes(given, few)).toEqual(expected);
  });

  it.each<[string, number, boolean]>([
    ['20 % of the successful responses', 2, true],
    ['more', 3, false],
  ])('affects requests only if at most 20 % of the successful responses still arrive: %s', (_name, ok, isFelt) => {
    expect(freezeTimes({}, (second) => (second >= 22 && second < 29 ? { completed: ok, ok } : {}))).toHaveLength(isFelt ? 1 : 0);
  });

  it.each([
    [27, 8_000, false],
    [28, 8_000, true],
    [30, 7_999, false],
    [30, 8_000, true],
    [32, 8_000, true],
    [33, 8_000, false],
  ])('affects requests only if one of them waited for 80 % of its duration: in second %d for %d ms', (at, max, isFelt) => {
    expect(freezeTimes({}, (second) => ({ max: second === at ? max : null }))).toHaveLength(isFelt ? 1 : 0);
  });

  it('is compared with the rate of other runs if it begins with the run', () => {
    const given = run((second) => (second < 10 ? { completed: 2, ok: 2, max: null } : {}), { monitors: [database({ from: 0, to: 10 })] });
    expect([findFreezes(given), findFreezes(given, 9), findFreezes(given, 10)].map(({ length }) => length)).toEqual([0, 0, 1]);
  });

  it('affects all servers if no successful response arrives in its third to fifth second', () => {
    const of = (second: number): Partial<Point> => ({ ...partly(second), ...(second >= 22 && second < 25 ? { ok: 0 } : {}) });
    expect(frozen({}, of)).toMatchObject([{ isPartial: false }]);
  });

  it.each([
    [18, 4],
    [19, 90],
    [22, 90],
    [23, 4],
  ])('uses the maximum in flight around its first second: 90 in second %d give %d', (at, inFlight) => {
    expect(frozen({}, (second) => ({ ...partly(second), ...(second === at ? { inFlight: 90 } : {}) }))).toMatchObject([{ inFlight }]);
  });

  it('is ignored without requests in flight, or if the load generator itself stood still for more than 20 % of it', () => {
    expect(frozen({}, (second) => ({ ...partly(second), inFlight: 0 }))).toEqual([]);
    const stood = (ms: number) => {
      const generator = generatorThatReads(Array.from({ length: SECONDS }, () => ({})));
      const readings = generator.readings.map((one) => ({
        ...one,
        stoodStillMs: one.second === 19 || one.second === 30 ? 9_000 : one.second === 20 ? ms - 1_000 : one.second === 29 ? 1_000 : null,
      }));
      return frozen({}, partly, { generators: [{ ...generator, readings }] });
    };
    expect([stood(2_000).length, stood(2_001).length]).toEqual([1, 0]);
  });
});

describe('several freezes', () => {
  it('are reported in order of time, each once', () => {
    const of = (from: number, to: number) => (second: number) => ({
      ...partly(second),
      ...(second === 30 ? { max: 8_000 } : {}),
      ...silentIn(from, to)(second),
    });
    expect(freezeTimes({}, of(2, 9)).flat()).toEqual([2, 9, 20, 30]);
    expect(freezeTimes({}, of(14, 20)).flat()).toEqual([14, 20, 20, 30]);
    expect(freezeTimes({}, of(30, 36)).flat()).toEqual([20, 30, 30, 36]);
    expect(freezeTimes({}, of(22, 29)).flat()).toEqual([20, 30]);
  });

  it('are compared with the maximum in flight before the first one', () => {
    const given = run((second) => ({ inFlight: second === 19 ? 40 : second === 20 ? 99 : 4 }));
    expect(maxInFlightBefore(given, { ...span(20, 30), inFlight: 4, isPartial: false, heldConnections: null })).toBe(40);
  });
});
