import { describe, expect, it } from 'vitest';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import type { Point, RunResult } from '#core/result/schema.ts';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { bestCycle, type Cycle, findCycles, levelsOfRun, perHour } from './levels.ts';

type Stage = RunResult['stages'][number];
type Page = NonNullable<RunResult['pages']>['stages'][number];

const sample = sampleResult();

/** Returns a counted stage of 10 s with the given number of connections. */
function stage(connections: number, changes: Partial<Stage> = {}, index = 0): Stage {
  const [, full] = sample.stages;
  if (full === undefined) throw new Error('a stage');
  return {
    ...full,
    name: `${connections}`,
    level: { ...full.level, from: connections, to: connections, highest: connections },
    requests: { ...emptyRequestOutcomes(), sent: 100, ok: 80, httpError: 15, wrongBody: 5 },
    rates: { ...full.rates, completedPerSecond: 50 },
    startedAtSecond: 10 * index,
    endedAtSecond: 10 * (index + 1),
    ...changes,
  };
}
const stagesOf = (...changes: readonly Partial<Stage>[]): Stage[] => changes.map((change, index) => stage(10 * (index + 1), change, index));
const window = (second: number, overloaded: Point['overloadedBy'] = []): Point => ({
  ...(sample.windows[50] as Point),
  second,
  width: 1,
  overloadedBy: overloaded,
});
const pagesOf = (figures: readonly { complete: number; incomplete: number; completePerSecond: number }[]): RunResult['pages'] =>
  ({
    stages: figures.map((one) => ({
      figures: { ...one, times: sample.latency.response, pageApdex: { value: 0.9 }, requestApdex: { value: 0.7 } },
    })) as unknown as Page[],
  }) as RunResult['pages'];

describe('levels of a run', () => {
  const levelsOf = (stages: readonly Stage[], windows: readonly Point[] = [], pages: RunResult['pages'] = null) =>
    levelsOfRun({ stages: [...stages], pages, windows: [...windows] });

  it('are its counted stages with a constant number, in ascending order', () => {
    const [one, two, three] = stagesOf({}, {}, {});
    const set = levelsOf([three, one, two].flatMap((each) => each ?? []));
    expect(set).toMatchObject({ name: '', unit: 'connections', counted: 'responses' });
    expect(set?.levels.map(({ at, perSecond, failedShare }) => [at, perSecond, failedShare])).toEqual([
      [10, [40], 0.2],
      [20, [40], 0.2],
      [30, [40], 0.2],
    ]);
  });

  it('are null for fewer than three usable stages', () => {
    expect(levelsOf(stagesOf({}, {}))).toBeNull();
    expect(levelsOf([])).toBeNull();
    expect(levelsOf(stagesOf({}, {}, { counted: false }))).toBeNull();
    expect(levelsOf(stagesOf({}, {}, { requests: emptyRequestOutcomes() }))).toBeNull();
    expect(levelsOf(stagesOf({}, {}, { rates: { ...sample.rates, completedPerSecond: null } }))).toBeNull();
    const ramp = { ...stage(30).level, from: 20 };
    expect(levelsOf(stagesOf({}, {}, { level: ramp }))).toBeNull();
    const hill = { ...stage(30).level, highest: 40 };
    expect(levelsOf(stagesOf({}, {}, { level: hill }))).toBeNull();
    const others = { ...stage(30).level, unit: 'users' as const };
    expect(levelsOf(stagesOf({}, {}, { level: others }))).toBeNull();
    const rate = { ...stage(30).level, unit: 'arrivalsPerSecond' as const };
    expect(levelsOf(stagesOf({ level: rate }, { level: rate }, { level: rate }))).toBeNull();
  });

  it('have a rate of 0 without responses', () => {
    const refused = { requests: { ...emptyRequestOutcomes(), sent: 10, refused: 10 } };
    expect(levelsOf(stagesOf({}, {}, refused))?.levels[2]).toMatchObject({ perSecond: [0], failedShare: 1 });
  });

  it('count whole pages if those were fetched', () => {
    const figures = [1, 2, 3].map((completePerSecond) => ({ complete: 9, incomplete: 1, completePerSecond }));
    const set = levelsOf(stagesOf({}, {}, {}), [], pagesOf(figures));
    expect([set?.counted, set?.levels.map(({ perSecond }) => perSecond[0])]).toEqual(['pages', [1, 2, 3]]);
  });

  it('are doubtful if the generator was overloaded for more than 20 % of their seconds', () => {
    const busy = (seconds: number): (boolean | undefined)[] =>
      levelsOf(
        stagesOf({}, {}, {}),
        Array.from({ length: 30 }, (_, second) => window(second, second >= 10 && second < 10 + seconds ? ['threadCpu'] : [])),
      )?.levels.map(({ isDoubted }) => isDoubted) ?? [];
    expect([busy(2), busy(3)]).toEqual([
      [false, false, false],
      [false, true, false],
    ]);
  });
});

describe('cycles of a run', () => {
  it('count requests, with successful ones per second', () => {
    const [cycle] = findCycles({ stages: stagesOf({}), pages: null, criteria: [] });
    expect(cycle).toMatchObject({
      at: 10,
      counted: 'requests',
      total: 100,
      good: 80,
      failed: 20,
      perSecond: 40,
      apdex: null,
      hasFailed: false,
    });
    const none = { requests: { ...emptyRequestOutcomes(), sent: 10, refused: 10 } };
    expect(findCycles({ stages: stagesOf(none), pages: null, criteria: [] })[0]?.perSecond).toBeNull();
  });

  it('count pages if whole pages were fetched', () => {
    const [cycle] = findCycles({
      stages: stagesOf({}),
      pages: pagesOf([{ complete: 9, incomplete: 2, completePerSecond: 3 }]),
      criteria: [],
    });
    expect(cycle).toMatchObject({ counted: 'pages', total: 11, good: 9, failed: 2, perSecond: 3, apdex: 0.9, requestApdex: 0.7 });
  });

  it('exclude ramps, arrivals and the warm-up', () => {
    const rate = { ...stage(10).level, unit: 'arrivalsPerSecond' as const };
    const ramp = { ...stage(10).level, from: 1 };
    const stages = stagesOf({ level: rate }, { level: ramp }, { counted: false }, {});
    expect(findCycles({ stages, pages: null, criteria: [] }).map(({ at }) => at)).toEqual([40]);
  });

  it('failed if one of their criteria failed, except for throughput', () => {
    const [time, rate] = sample.criteria;
    const failedBy = (criterion: RunResult['criteria'][number] | undefined, changes: Partial<RunResult['criteria'][number]>) =>
      findCycles({
        stages: stagesOf({}),
        pages: null,
        criteria: criterion === undefined ? [] : [{ ...criterion, stage: '10', outcome: 'failed', ...changes }],
      })[0]?.hasFailed;
    expect([failedBy(time, {}), failedBy(rate, {}), failedBy(time, { stage: '20' }), failedBy(time, { outcome: 'unknown' })]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('bestCycle and perHour', () => {
  const cycle = (name: string, changes: Partial<Cycle>): Cycle => {
    const [one] = findCycles({ stages: stagesOf({}), pages: null, criteria: [] });
    if (one === undefined) throw new Error('a cycle');
    return { ...one, name, ...changes };
  };
  const best = (...cycles: readonly Cycle[]) => bestCycle(cycles)?.name ?? null;

  it('return the highest rate × Apdex among cycles with a good Apdex', () => {
    expect(best(cycle('a', { perSecond: 10, apdex: 1 }), cycle('b', { perSecond: 11, apdex: 0.9 }))).toBe('a');
    expect(best(cycle('a', { perSecond: 10, apdex: 0.85 }), cycle('b', { perSecond: 90, apdex: 0.84 }))).toBe('a');
    expect(best(cycle('a', { perSecond: 10 }), cycle('b', { perSecond: 11 }))).toBe('b');
  });

  it('exclude failed cycles and those without a rate', () => {
    expect(best(cycle('a', { perSecond: 90, hasFailed: true }), cycle('b', { perSecond: 1 }))).toBe('b');
    expect(best(cycle('a', { perSecond: null }), cycle('b', { perSecond: 0 }))).toBeNull();
  });

  it('multiply the rate by 3,600 for an hour', () => {
    expect(perHour(10.489)).toBe(37_760);
  });
});
