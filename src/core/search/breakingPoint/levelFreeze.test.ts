import { describe, expect, it } from 'vitest';
import type { MonitorResult } from '#core/machines/monitors/result.ts';
import type { MeasuredRun } from '#core/judgement/diagnosis/rule.ts';
import { facts, healthyStep, point, postgresThatReads } from '#core/judgement/diagnosis/testing/facts.ts';
import { planWith } from '#core/testing/plans.ts';
import { conclude } from './conclusion.ts';
import { searchFacts } from './facts.ts';
import { frozenLevels } from './sentences.ts';
import { findFreeze, type RunFreeze } from '../freeze.ts';
import type { LevelReading } from './reading.ts';
import { breakingPointSettingsSchema } from './schema.ts';

const SECONDS = 62;
const all = Array.from({ length: SECONDS }, (_unused, second) => second);

/** Returns a level without any response for a minute from its beginning, and then with all of them. */
function frozen(inFlight: number, monitors: readonly MonitorResult[] = []): MeasuredRun {
  const windows = all.map((second) =>
    second < 60
      ? point(second, { started: second === 0 ? inFlight : 0, completed: 0, ok: 0, inFlight, p50: null, p90: null, p99: null, max: null })
      : point(second, { started: 0, completed: inFlight / 2, ok: inFlight / 2, inFlight: 0, max: 60_100 }),
  );
  const plan = planWith({ servers: { header: 'X-Shard', expected: 1, pool: 'sqlalchemy' } });
  return facts(healthyStep(), { plan, windows, durationSeconds: SECONDS, monitors: [...monitors] });
}

/** Returns PostgreSQL figures of a pool of `kept` + `more` connections, all of which are held for a minute. */
function postgres(kept: number, more: number): MonitorResult {
  const isHeld = (second: number): boolean => second < 60;
  const held = kept + more;
  return postgresThatReads(SECONDS, {
    connections: (second) => 1 + (isHeld(second) ? held : kept),
    active: () => 1,
    idle: (second) => (isHeld(second) ? 0 : kept),
    idleInTransaction: (second) => (isHeld(second) ? held : 0),
    locked: () => 0,
    longest: (second) => (isHeld(second) ? 1_000 * (second + 1) : 0),
  });
}

const plan = planWith({ load: { model: 'connections', stages: [{ connections: 8, seconds: 10 }] } });
const settings = breakingPointSettingsSchema.parse({ from: 8 });

const sustainedLevel: Omit<LevelReading, 'level'> = {
  kind: 'level',
  outcome: 'passed',
  because: 'fine',
  text: 'Every limit was kept, and no queue grew.',
  isSure: true,
  sent: 700,
  okPerSecond: 70,
  meanMs: 200,
  p50: 200,
  p95: 240,
  failed: 0,
  timeouts: 0,
  growthMsPerSecond: null,
  seconds: 10,
  growthShare: null,
  wantedSeconds: null,
  freeze: null,
  overloadedSeconds: 0,
  isShared: false,
};
const tooMuch: Omit<LevelReading, 'level'> = { ...sustainedLevel, outcome: 'failed', because: 'criterion', okPerSecond: 0, failed: 5 };

/** Returns the result of a search that passed 14 connections and failed 15 and 16 with the given freeze. `lowest`: the freeze at 15. */
function conclusion(freeze: RunFreeze | null, calm: Partial<LevelReading> = {}, lowest = freeze) {
  const levels = [
    { ...sustainedLevel, level: 8, ...calm },
    { ...tooMuch, level: 16, freeze },
    { ...sustainedLevel, level: 14, ...calm },
    { ...tooMuch, level: 15, freeze: lowest },
  ];
  const runs = levels.map((reading, position) => ({
    position,
    purpose: 'level' as const,
    name: 'a run',
    level: reading.level,
    repeat: 1,
    state: 'value' as const,
    phase: null,
    reason: null,
    runId: `r-${position}`,
    reading,
    spentSeconds: 12,
    requests: reading.sent,
  }));
  return conclude(searchFacts(plan, settings, runs));
}

describe('a level with a freeze', () => {
  it.each([
    [5, 10, '15 (5 + 10)'],
    [12, 3, '15 (12 + 3)'],
    [30, 0, '30'],
  ])('has a pool of %d + %d according to the database monitor, which the result names with its setting', (kept, more, words) => {
    const freeze = findFreeze(frozen(kept + more, [postgres(kept, more)]));
    expect(freeze).toMatchObject({ seconds: 60, inFlight: kept + more, kind: 'sqlalchemy', pool: { each: kept + more, kept } });
    const { sentence, reasons } = conclusion(freeze);
    expect(sentence).toBe(
      `Sustains 14 connections and fails at 15 connections, where the pool of database connections, ${words}, is exhausted.`,
    );
    expect(reasons.join('\n')).toContain(
      `Why: at 15 connections, 16 connections there was no response for up to 60 s, while ${kept + more} connections of PostgreSQL were idle in a transaction. That is its whole pool, ${words}: SQLAlchemy sets its size by pool_size + max_overflow`,
    );
  });

  it("uses other levels to distinguish one server's pool from two smaller ones", () => {
    const of = (stood: number, each: number): RunFreeze => ({
      seconds: 60,
      fromSecond: 0,
      inFlight: 50,
      kind: 'sqlalchemy',
      pool: { monitor: 'PostgreSQL', stood, each, servers: 2, kept: null },
    });
    // At the lowest level, 30 connections were held: one pool of 30, or two of 15. The level above held 60, which means two of 30.
    expect(conclusion(of(60, 30), {}, of(30, 15)).sentence).toContain('30 for each of 2 servers');
    expect(conclusion(of(30, 15), {}, of(15, 15)).sentence).toContain('15 for each of 2 servers');
    expect(conclusion(of(30, 30), {}, of(30, 15)).sentence).toContain('30 for each of 2 servers');
  });

  it('is reported without a monitor, with the most frequent cause', () => {
    const freeze = findFreeze(frozen(16));
    expect(freeze).toMatchObject({ seconds: 60, inFlight: 16, pool: null });
    const { sentence, reasons } = conclusion(freeze);
    expect(sentence).toBe('Sustains 14 connections and fails at 15 connections, where it stands still for 60 s.');
    expect(reasons.join('\n')).toMatch(
      /database pool, here of at most 16 .* 60 s is about the wait .* pool_size \+ max_overflow .* PostgreSQL monitor/,
    );
  });

  it('does not explain the failure of a smaller level', () => {
    const freeze = findFreeze(frozen(16));
    const { sentence, reasons } = conclusion(freeze, {}, null);
    expect(sentence).toBe('Sustains 14 connections and fails at 15 connections.');
    expect(reasons.join('\n')).toContain('Why: at 16 connections there was no response for up to 60 s');
  });

  it('is not used for a prediction', () => {
    expect(conclusion(findFreeze(frozen(16))).prediction).toBeNull();
  });

  it('reports the longest freeze and the smallest number in flight', () => {
    const [short, long] = [findFreeze(frozen(9)), findFreeze(frozen(16))];
    const { reasons } = conclusion(long, {}, short === null ? null : { ...short, seconds: 30 });
    expect(reasons.join('\n')).toContain('at 15 connections, 16 connections there was no response for up to 60 s');
    expect(reasons.join('\n')).toContain('here of at most 9 in total');
  });

  it('requires a smaller passed level', () => {
    const stood = { ...tooMuch, level: 15, freeze: findFreeze(frozen(16)) };
    const levels = (...others: LevelReading[]) => frozenLevels([...others, stood]).map(({ level }) => level);
    const slow = { ...sustainedLevel, level: 8, p95: 30_000 };
    expect(levels(slow, { ...sustainedLevel, level: 14 })).toEqual([15]);
    expect([levels(slow), levels({ ...sustainedLevel, level: 15 }), levels({ ...sustainedLevel, level: 20 })]).toEqual([[], [], []]);
    expect(levels({ ...tooMuch, level: 14, okPerSecond: 70 })).toEqual([]);
  });

  it('requires quick responses at a smaller level', () => {
    expect(conclusion(findFreeze(frozen(16)), { p95: 30_000, okPerSecond: 0.5 }).sentence).toBe(
      'Sustains 14 connections and fails at 15 connections.',
    );
    expect(conclusion(null).reasons.join('\n')).not.toContain('Why:');
  });
});
