import { joinNames } from '#core/plan/hosts/generatorNames.ts';
import { formatCount, formatRate, formatSeconds } from '#core/base/units.ts';
import { listJudgedStages } from '../plan/names.ts';
import type { Load } from '#core/plan/schema/load.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { LEVEL_FIELDS, type LevelField, type Series } from '#core/plan/schema/series.ts';

/** One value for each field that a series varies, e.g. 50 connections and 1,000 requests. */
export type LevelChange = Partial<Record<LevelField, number>>;

export function levelFields({ levels }: Series): LevelField[] {
  return LEVEL_FIELDS.filter((field) => levels[field] !== undefined);
}

/** Returns every combination of the values, where the first field changes slowest; a single empty level if there are no fields. */
export function levelsOf(series: Series): LevelChange[] {
  return levelFields(series).reduce<LevelChange[]>(
    (levels, field) => levels.flatMap((level) => (series.levels[field] ?? []).map((value) => ({ ...level, [field]: value }))),
    [{}],
  );
}

/** Names a level: "50 connections, 1,000 requests". Empty for an empty level. */
export function levelName(level: LevelChange): string {
  return LEVEL_FIELDS.flatMap((field) => (level[field] === undefined ? [] : [formatLevelValue(field, level[field])])).join(', ');
}

/** Names several levels: “10, 20 and 50 connections” if they differ in one field, and otherwise a list. */
export function levelsName(levels: readonly LevelChange[]): string {
  const varied = LEVEL_FIELDS.filter((field) => new Set(levels.map((level) => level[field])).size > 1);
  const [field, ...others] = varied;
  if (field === undefined || others.length > 0) return [...new Set(levels.map(levelName))].join('; ');
  return LEVEL_FIELDS.flatMap((each) => {
    const values = levels.flatMap((level) => level[each] ?? []);
    if (each === field) return [formatValues(field, values)];
    return values[0] === undefined ? [] : [formatLevelValue(each, values[0])];
  }).join(', ');
}

/** Formats the values of a field. A unit that is a separate word appears only once. */
function formatValues(field: LevelField, values: readonly number[]): string {
  const isCount = field === 'connections' || field === 'users' || field === 'requests' || field === 'people';
  return isCount ? `${joinNames(values.map(formatCount))} ${field}` : joinNames(values.map((value) => formatLevelValue(field, value)));
}

function formatLevelValue(field: LevelField, value: number): string {
  switch (field) {
    case 'connections':
    case 'users':
    case 'requests':
      return `${formatCount(value)} ${value === 1 ? field.slice(0, -1) : field}`;
    case 'people':
      return value === 1 ? '1 person' : `${formatCount(value)} people`;
    case 'perSecond':
      return formatRate(value);
    case 'seconds':
      return formatSeconds(value);
    default:
      return field satisfies never;
  }
}

/**
 * Returns the plan with this level in each counted stage (in all stages, if none is counted). Returns null if a field of the level fits no
 * stage, such as an arrival rate for a load of users.
 */
export function applyLevel(plan: Plan, level: LevelChange): Plan | null {
  const chosen = new Set(listJudgedStages(plan));
  let load = plan.load;
  for (const field of LEVEL_FIELDS) {
    const value = level[field];
    if (value === undefined) continue;
    const changed = field === 'people' ? scalePeople(load, value) : setLoadValue(load, chosen, field, value);
    if (changed === null) return null;
    load = changed;
  }
  return { ...plan, load };
}

/**
 * Returns the load for a number of people: counted arrivals or users of every stage, including uncounted stages, in the same proportions.
 * Returns null for a load without a number of people.
 */
export function scalePeople(load: Load, people: number): Load | null {
  const sum = countPeople(load);
  if (sum === null) return null;
  if (load.model === 'users') {
    return { ...load, stages: load.stages.map((stage) => ({ ...stage, users: Math.max(1, Math.round((stage.users * people) / sum)) })) };
  }
  if (load.model !== 'arrivals') return null;
  // Rounding is cumulative, so that the numbers of all stages add up to the level.
  let [before, assigned] = [0, 0];
  const stages = load.stages.map((stage) => {
    if (stage.kind !== 'count') return stage;
    before += stage.arrivals;
    const arrivals = Math.max(1, Math.round((before * people) / sum) - assigned);
    assigned += arrivals;
    return { ...stage, arrivals };
  });
  return { ...load, stages };
}

/** Returns the number of people of a load: its most users, or its counted arrivals; null for other loads. */
export function countPeople(load: Load): number | null {
  if (load.model === 'users') return Math.max(...load.stages.map(({ users }) => users));
  if (load.model !== 'arrivals') return null;
  const sum = load.stages.reduce((total, stage) => total + (stage.kind === 'count' ? stage.arrivals : 0), 0);
  return sum === 0 ? null : sum;
}

function setLoadValue(load: Load, chosen: ReadonlySet<number>, field: LevelField, value: number): Load | null {
  let applied = 0;
  const changeStages = <Stage>(stages: readonly Stage[], change: (stage: Stage) => Stage | null): Stage[] =>
    stages.map((stage, index) => {
      const changed = chosen.has(index) ? change(stage) : null;
      if (changed !== null) applied += 1;
      return changed ?? stage;
    });
  const result = changeLoad(load, changeStages, field, value);
  return applied === 0 ? null : result;
}

type StageMapper = <Stage>(stages: readonly Stage[], change: (stage: Stage) => Stage | null) => Stage[];

function changeLoad(load: Load, each: StageMapper, field: LevelField, value: number): Load {
  switch (load.model) {
    case 'connections':
      return {
        ...load,
        stages: each(load.stages, ({ requests, seconds, ...stage }) => {
          const end = { ...(requests === undefined ? {} : { requests }), ...(seconds === undefined ? {} : { seconds }) };
          if (field === 'connections') return { ...stage, ...end, connections: value };
          // A stage can have only one end, so the other kind of end is removed.
          if (field === 'requests') return { ...stage, requests: value };
          return field === 'seconds' ? { ...stage, seconds: value } : null;
        }),
      };
    case 'users':
      return {
        ...load,
        stages: each(load.stages, (stage) => (field === 'users' || field === 'seconds' ? { ...stage, [field]: value } : null)),
      };
    case 'arrivals':
      return {
        ...load,
        stages: each(load.stages, (stage) => {
          if (field === 'perSecond') return stage.kind === 'constant' ? { ...stage, perSecond: value } : null;
          return field === 'seconds' && 'seconds' in stage ? { ...stage, seconds: value } : null;
        }),
      };
    default:
      return load satisfies never;
  }
}
