import { describe, expect, it } from 'vitest';
import { arrivals, planWith } from '#core/testing/plans.ts';
import type { SearchRun } from '../run.ts';
import { conclude, nextSearchRun } from './conclusion.ts';
import { searchFacts } from './facts.ts';
import type { LevelReading } from './reading.ts';
import { breakingPointSettingsSchema } from './schema.ts';
import { probe, readRun } from './testing/levelReadings.ts';

const plan = planWith({ load: arrivals([{ kind: 'constant', perSecond: 40, seconds: 10 }]) });
const settings = breakingPointSettingsSchema.parse({ from: 40, recovery: false });

const fine: Omit<LevelReading, 'level'> = {
  kind: 'level',
  outcome: 'passed',
  because: 'fine',
  text: 'Every limit was kept, and no queue grew.',
  isSure: true,
  sent: 400,
  okPerSecond: 40,
  meanMs: 50,
  p50: 50,
  p95: 60,
  failed: 0,
  timeouts: 0,
  growthMsPerSecond: 0,
  seconds: 10,
  growthShare: null,
  wantedSeconds: null,
  freeze: null,
  overloadedSeconds: 0,
  isShared: false,
};
const disturbed: Omit<LevelReading, 'level'> = {
  ...fine,
  outcome: 'unclear',
  because: 'generator',
  text: 'It did not keep up either.',
  failed: 3,
  overloadedSeconds: 4,
};
/** Returns runs in which the server has recovered before the first level and after each level. */
const levelRuns = (...readings: readonly LevelReading[]): SearchRun[] =>
  [probe, ...readings.flatMap((reading) => [reading, probe])].map((reading, position) =>
    readRun(reading, position, { runId: `r-${position}`, spentSeconds: 12, requests: reading.sent }),
  );
const next = (...readings: readonly LevelReading[]) => nextSearchRun(plan, settings, levelRuns(...readings));

it('searchFacts: repeats a level in which this computer was overloaded', () => {
  const first = { ...disturbed, level: 40 };
  expect(next(first)).toMatchObject({ kind: 'run', level: 40, repeat: 2 });
  expect(next(first, first)).toMatchObject({ kind: 'run', level: 40, repeat: 3 });
  expect(next(first, { ...fine, level: 40 })).toMatchObject({ kind: 'run', level: 80, repeat: 1 });
  expect(next({ ...fine, level: 40 }, { ...disturbed, level: 80 })).toMatchObject({ kind: 'run', level: 80, repeat: 2 });
});

it('searchFacts: excludes a disturbed run and says so', () => {
  const conclusion = conclude(searchFacts(plan, settings, levelRuns({ ...disturbed, level: 40 }, { ...fine, level: 40 })));
  expect(conclusion).toMatchObject({ sustained: 40, isKnown: true, withoutError: { upTo: 40, from: null } });
  expect(conclusion.reasons.at(-1)).toBe('Not counted, because this computer was overloaded: 1 run at 40 requests/s.');
});

it('searchFacts: says that the load took processor time from a server on the same machine', () => {
  const reasons = (isShared: boolean): string[] =>
    conclude(searchFacts(plan, settings, levelRuns({ ...fine, isShared, level: 40 }))).reasons;
  expect(reasons(true)).toContainEqual(expect.stringContaining('from the machine of the server'));
  expect(reasons(false)).not.toContainEqual(expect.stringContaining('from the machine of the server'));
});

it('searchFacts: names this computer as the limit if nothing else was measured', () => {
  const conclusion = conclude(searchFacts(plan, settings, levelRuns({ ...disturbed, level: 40 })));
  expect(conclusion.sentence).toMatch(/^Inconclusive: at 40 requests\/s this computer was the limit\./);
  expect(conclusion.isKnown).toBe(false);
});

it('searchFacts: leads to an unknown conclusion if this computer is always overloaded, or for other reasons', () => {
  const never = [1, 2, 3].map(() => ({ ...disturbed, level: 40 }));
  expect(next(...never)).toEqual({ kind: 'end', because: null });
  expect(conclude(searchFacts(plan, settings, levelRuns(...never)))).toMatchObject({
    isKnown: false,
    sentence: 'Inconclusive: at 40 requests/s this computer was the limit. It did not keep up either.',
  });
  const elsewhere = { ...disturbed, level: 40, because: 'wrongPlace' as const };
  expect(next(elsewhere)).toEqual({ kind: 'end', because: null });
  const ports = { ...disturbed, level: 40, overloadedSeconds: 0 };
  expect(next(ports)).toEqual({ kind: 'end', because: null });
});

it('searchFacts: waits after timed-out requests until a proxy uses the skipped server again', () => {
  const givenUp = { ...fine, outcome: 'failed' as const, because: 'errors' as const, failed: 9, timeouts: 9, level: 80 };
  const runs = (seconds: readonly number[]): SearchRun[] => [
    ...levelRuns({ ...fine, level: 40 }, givenUp).slice(0, 4),
    ...seconds.flatMap((spentSeconds) => levelRuns().map((one) => ({ ...one, spentSeconds }))),
  ];
  expect(nextSearchRun(plan, settings, runs([4, 4]))).toMatchObject({ purpose: 'probe' });
  expect(nextSearchRun(plan, settings, runs([4, 4, 4]))).toMatchObject({ purpose: 'level', level: 56.57 });
});

const close = { ...fine, meanMs: 80, seconds: 10, wantedSeconds: 35 };
const queued = { ...close, outcome: 'failed' as const, because: 'queue' as const };

it('searchFacts: runs a decisive level longer to distinguish a queue from chance', () => {
  const calm = { ...fine, level: 40 };
  const breakingPoint = { ...queued, wantedSeconds: null, level: 160 };
  expect(next({ ...close, level: 40 }), 'nothing broke yet').toMatchObject({ level: 80, repeat: 1 });
  const again = next(calm, { ...close, level: 80 }, breakingPoint);
  expect(again).toMatchObject({ kind: 'run', level: 80, repeat: 2 });
  expect(again.kind === 'run' && again.plan.load.stages.at(-1)).toMatchObject({ seconds: 35 });
  expect(next(calm, { ...queued, level: 80 }), 'too much, perhaps').toMatchObject({ level: 80, repeat: 2 });
  const reported = { ...fine, meanMs: 80, seconds: 35, level: 80 };
  expect(next(calm, { ...close, level: 80 }, breakingPoint, reported)).toMatchObject({ level: 113.1, repeat: 1 });
  expect(next(calm, { ...close, meanMs: 52, level: 80 }, breakingPoint), 'nobody waited').toMatchObject({ level: 113.1 });
});

describe('a level that may have passed by chance', () => {
  const byChance = (...readings: readonly LevelReading[]): LevelReading[] => [
    ...searchFacts(plan, settings, levelRuns(...readings)).byChance,
  ];
  const calm = { ...fine, level: 20, meanMs: 40 };
  const breakingPoint = { ...queued, wantedSeconds: null, level: 80 };
  const passed = (changes: Partial<LevelReading>): LevelReading => ({ ...close, level: 40, ...changes });

  it('has responses that are more than 10 % slower than at a lower passed level', () => {
    expect(byChance(calm, passed({ meanMs: 44 }), breakingPoint)).toEqual([]);
    expect(byChance(calm, passed({ meanMs: 44.1 }), breakingPoint)).toHaveLength(1);
    expect(byChance(passed({ meanMs: 44 }), breakingPoint), 'no lower level to compare with').toHaveLength(1);
    expect(byChance({ ...calm, level: 10, meanMs: null }, calm, passed({ meanMs: 44 }), breakingPoint)).toEqual([]);
  });

  it('is not compared with a lower failed level', () => {
    const thrice = { ...settings, repeats: 3 };
    const mixed = [{ ...queued, wantedSeconds: null, level: 20, meanMs: 300 }, calm, calm];
    const facts = searchFacts(plan, thrice, levelRuns(...mixed, passed({}), passed({}), breakingPoint, breakingPoint));
    expect(facts.byChance).toHaveLength(2);
  });

  it('is the highest passed one, or any failed one', () => {
    expect(byChance(calm, passed({}), { ...fine, level: 60, meanMs: 80 }, breakingPoint), 'a higher one surely passed').toEqual([]);
    expect(byChance(calm, { ...queued, level: 40, meanMs: 40 })).toHaveLength(1);
  });

  it('is not replaced by a longer run of another level, and is run for longer at most twice', () => {
    const longer = { ...breakingPoint, seconds: 35 };
    expect(searchFacts(plan, settings, levelRuns(calm, passed({}), longer)).tooShort).toEqual([]);
    const thrice = { ...settings, repeats: 3 };
    const reported = (level: number): LevelReading => ({ ...fine, meanMs: 80, seconds: 35, level });
    const countRunsAt = (level: number) => [...[1, 2, 3].map(() => passed({ level, meanMs: 2 * level })), reported(level), reported(level)];
    const facts = searchFacts(plan, thrice, levelRuns(...countRunsAt(40), ...countRunsAt(50), breakingPoint, breakingPoint));
    expect(facts.tooShort.map(({ level }) => level)).toEqual([40, 40, 50, 50]);
    expect(facts.levels.filter(({ level }) => level === 40)).toHaveLength(3);
  });
});

it('searchFacts: excludes disturbed runs per level, and reads nothing from a lost run', () => {
  const hindered = (level: number): LevelReading => ({ ...disturbed, level });
  const well = { ...fine, level: 40 };
  expect(next(hindered(40), hindered(40), well, hindered(80))).toMatchObject({ level: 80, repeat: 2 });
  expect(next(hindered(40), hindered(40), well, { ...queued, level: 80 }, hindered(80))).toMatchObject({ level: 80, repeat: 3 });
  const never = [1, 2, 3].map(() => hindered(40));
  expect(next({ ...fine, level: 20 }, ...never)).toEqual({ kind: 'end', because: null });
  const lost = readRun(well, 9, { reading: null, state: 'aborted', reason: 'You stopped it.' });
  expect(searchFacts(plan, settings, [...levelRuns(well), lost])).toMatchObject({ levels: [well], recovery: null });
  expect(nextSearchRun(plan, settings, [...levelRuns(well), lost])).toEqual({ kind: 'end', because: 'You stopped it.' });
});

it('searchFacts: limits the runs of a level that fails or is cut off again', () => {
  const calm = { ...fine, level: 40 };
  const doubtful = { ...close, level: 80 };
  const breakingPoint = { ...queued, wantedSeconds: null, level: 160 };
  const knockedOver = { ...breakingPoint, because: 'safety' as const, seconds: 2, level: 80 };
  expect(next(calm, doubtful, breakingPoint, knockedOver)).toMatchObject({ level: 56.57 });
  const cutOff = { ...close, seconds: 5, level: 80 };
  expect(next(calm, doubtful, breakingPoint, cutOff), 'three runs').toMatchObject({ level: 80, repeat: 3 });
  expect(next(calm, doubtful, breakingPoint, cutOff, cutOff), 'and no more').not.toMatchObject({ level: 80 });
  const often = Array.from({ length: 4 }, () => cutOff);
  expect(next(calm, doubtful, breakingPoint, ...often)).not.toMatchObject({ level: 80 });
});

it('searchFacts: uses a run that may have failed by chance if each longer run was disturbed', () => {
  const calm = { ...fine, level: 40 };
  const doubtful = { ...queued, level: 80 };
  const hindered = { ...disturbed, level: 80 };
  expect(next(calm, doubtful, hindered, hindered)).toMatchObject({ level: 80, repeat: 4 });
  expect(next(calm, doubtful, hindered, hindered, hindered)).toMatchObject({ level: 56.57 });
  const conclusion = conclude(searchFacts(plan, settings, levelRuns(calm, doubtful, hindered, hindered, hindered)));
  expect(conclusion).toMatchObject({ sustained: 40, breakingPoint: 80 });
});

it('searchFacts: ends if a level needs more undisturbed runs than possible', () => {
  const thrice = { ...settings, repeats: 3 };
  const hindered = { ...disturbed, level: 40 };
  const all = levelRuns({ ...fine, level: 40 }, hindered, hindered, hindered);
  expect(nextSearchRun(plan, thrice, all.slice(0, -2))).toMatchObject({ kind: 'run', level: 40 });
  expect(nextSearchRun(plan, thrice, all)).toEqual({ kind: 'end', because: null });
  expect(
    nextSearchRun(plan, thrice, levelRuns({ ...fine, level: 40 }, { ...fine, level: 40 }, hindered, hindered, hindered)),
    'enough without them',
  ).toMatchObject({ level: 80 });
});

it("searchFacts: counts a journey's requests and the warm-up against the plan's limits", () => {
  const { journey } = planWith({ journey: [1, 2, 3, 4, 5].map((step) => ({ name: `step ${step}` })) });
  const limited = { ...plan, journey, safety: { ...plan.safety, maxRequests: 10_000 } };
  const calm = { ...fine, level: 40 };
  const doubtful = { ...queued, level: 80 };
  const again = nextSearchRun(limited, settings, levelRuns(calm, doubtful));
  // The plan allows 90 % of 10,000 requests at 80 × 5 per second, minus the 2 s of warm-up.
  expect(again.kind === 'run' && again.plan.load.stages.at(-1)).toMatchObject({ seconds: 20 });
  const slow = { ...plan, safety: { ...plan.safety, maxSeconds: 60 } };
  const slowly = nextSearchRun(
    slow,
    { ...settings, secondsEach: 30 },
    levelRuns({ ...calm, meanMs: 10_000 }, { ...doubtful, wantedSeconds: 200, seconds: 30 }),
  );
  expect(slowly.kind === 'run' && slowly.plan.load.stages).toMatchObject([{ seconds: 15 }, { seconds: 39 }]);
});

it("searchFacts: keeps runs within the plan's duration", () => {
  const limited = { ...plan, safety: { ...plan.safety, maxSeconds: 30 } };
  const calm = { ...fine, level: 40 };
  const doubtful = { ...queued, level: 80 };
  const again = nextSearchRun(limited, settings, levelRuns(calm, doubtful));
  expect(again.kind === 'run' && again.plan.load.stages.at(-1)).toMatchObject({ seconds: 25 });
  const longest = { ...doubtful, seconds: 25 };
  expect(nextSearchRun(limited, settings, levelRuns(calm, doubtful, longest))).toMatchObject({ level: 56.57 });
  const few = { ...plan, safety: { ...plan.safety, maxRequests: 1_000 } };
  expect(nextSearchRun(few, settings, levelRuns(calm, doubtful))).toMatchObject({ level: 56.57 });
});

it('searchFacts: extends a level to at most a minute, then uses its outcome and says so', () => {
  const calm = { ...fine, level: 40 };
  const longer = { ...queued, seconds: 35, wantedSeconds: 400, level: 80 };
  expect(next(calm, { ...queued, level: 80 }, longer)).toMatchObject({ level: 80, repeat: 3 });
  const longest = { ...longer, seconds: 60 };
  expect(next(calm, { ...queued, level: 80 }, longest)).toMatchObject({ level: 56.57 });
  expect(next(calm, { ...queued, level: 80 }, longer, longest)).toMatchObject({ level: 56.57 });
  const { reasons, breakingPoint } = conclude(searchFacts(plan, settings, levelRuns(calm, { ...queued, level: 80 }, longer, longest)));
  expect(breakingPoint).toBe(80);
  expect(reasons.slice(-2)).toEqual([
    'Repeated for longer, to distinguish a growing queue from chance: 2 runs at 80 requests/s.',
    'The results of 1 run at 80 requests/s may be due to chance and count as measured. More seconds for each level would help.',
  ]);
});
