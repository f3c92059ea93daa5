import { getOwn, setOwn } from '#core/base/ownMembers.ts';
import { DEFAULT_MAX_IN_FLIGHT, type Load, type Stage, type ThinkTime } from '#core/plan/schema/load.ts';
import type { NewId } from './entries.ts';
import { numbersOf, STAGE_NUMBERS, THINK_NUMBERS_OF, type LoadEntry, type StageEntry, type ThinkTimeEntry } from './loadEntry.ts';
import { USUAL_THINK_TIME } from './switchLoad.ts';
import type { NumberEntry } from '#ui/components/numbers.ts';

/** Converts a plan's load to editable rows. */
export function fromLoad(load: Load, newId: NewId): LoadEntry {
  const stages = load.stages.map((stage) => fromStage(stage, newId));
  switch (load.model) {
    case 'connections':
      return { model: load.model, stages, thinkTime: null, spacing: 'uniform', maxInFlight: DEFAULT_MAX_IN_FLIGHT };
    case 'users':
      return {
        model: load.model,
        stages,
        thinkTime: fromThinkTime(load.thinkTime),
        ...(load.paceSeconds === undefined ? {} : { paceSeconds: load.paceSeconds }),
        spacing: 'uniform',
        maxInFlight: DEFAULT_MAX_IN_FLIGHT,
      };
    case 'arrivals': {
      const thinkTime = load.thinkTime ? fromThinkTime(load.thinkTime) : null;
      return { model: load.model, stages, thinkTime, spacing: load.spacing, maxInFlight: load.maxInFlight };
    }
    default:
      return load satisfies never;
  }
}

function fromStage(stage: Stage, newId: NewId): StageEntry {
  const given = new Map<string, unknown>(Object.entries(stage));
  const numbers = STAGE_NUMBERS.flatMap((name): [string, number][] => {
    const value = given.get(name);
    return typeof value === 'number' ? [[name, value]] : [];
  });
  return {
    id: newId(),
    name: stage.name ?? '',
    counted: stage.counted,
    end: 'connections' in stage && stage.requests !== undefined ? 'requests' : 'seconds',
    kind: 'kind' in stage ? stage.kind : 'constant',
    numbers: Object.fromEntries(numbers),
    ...keptOf(stage),
  };
}

function keptOf(stage: Stage): Pick<StageEntry, 'kept'> {
  if (!('users' in stage)) return {};
  const { continues, startUpCounts } = stage;
  if (continues === undefined && startUpCounts === undefined) return {};
  return { kept: { ...(continues === undefined ? {} : { continues }), ...(startUpCounts === undefined ? {} : { startUpCounts }) } };
}

function fromThinkTime(thinkTime: ThinkTime | undefined): ThinkTimeEntry {
  const { numbers } = USUAL_THINK_TIME;
  if (thinkTime === undefined) return { kind: 'none', numbers };
  const { kind, ...given } = thinkTime;
  return { kind, numbers: { ...numbers, ...given } };
}

/** Converts rows to a plan's `load`, not yet validated; null while a number is invalid. */
export function toLoad({
  model,
  stages,
  thinkTime,
  paceSeconds,
  spacing,
  maxInFlight,
}: LoadEntry): Readonly<Record<string, unknown>> | null {
  const written = stages.map((stage) => toStage(model, stage));
  if (written.includes(null)) return null;
  const pause = model === 'connections' || !thinkTime || thinkTime.kind === 'none' ? {} : toThinkTime(thinkTime);
  if (pause === null) return null;
  switch (model) {
    case 'connections':
      return { model, stages: written };
    case 'users':
      return { model, ...pause, ...(paceSeconds === undefined ? {} : { paceSeconds }), stages: written };
    case 'arrivals':
      return typeof maxInFlight === 'number' ? { model, spacing, maxInFlight, ...pause, stages: written } : null;
    default:
      return model satisfies never;
  }
}

function toStage(model: LoadEntry['model'], stage: StageEntry): Readonly<Record<string, unknown>> | null {
  const numbers = numbersIn(numbersOf(model, stage), stage.numbers);
  if (numbers === null) return null;
  const name = stage.name.trim();
  return {
    ...(model === 'arrivals' ? { kind: stage.kind } : {}),
    ...(name === '' ? {} : { name }),
    ...numbers,
    ...(model === 'users' ? stage.kept : {}),
    counted: isCounted(model, stage),
  };
}

/** Returns whether a stage counts. Pauses never count. */
export function isCounted(model: LoadEntry['model'], { kind, counted }: StageEntry): boolean {
  return counted && !(model === 'arrivals' && kind === 'pause');
}

function toThinkTime({ kind, numbers }: ThinkTimeEntry): Readonly<Record<string, unknown>> | null {
  const given = numbersIn(THINK_NUMBERS_OF[kind], numbers);
  return given && { thinkTime: { kind, ...given } };
}

function numbersIn(
  names: readonly string[],
  entries: Readonly<Partial<Record<string, NumberEntry>>>,
): Readonly<Record<string, number>> | null {
  const numbers: Record<string, number> = {};
  for (const name of names) {
    const value = getOwn(entries, name);
    if (typeof value !== 'number') return null;
    setOwn(numbers, name, value);
  }
  return numbers;
}
