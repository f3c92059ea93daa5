import {
  type ArrivalKind,
  type LoadEntry,
  type LoadModel,
  type StageEntry,
  type StageNumber,
  USUAL_THINK_TIME,
  newIdIn,
  listNumbers,
} from './loadEntry.ts';

/** Default values for entries that have none. */
const USUAL_SECONDS = 60;
const USUAL_PER_SECOND = 10;
const USUAL_CONNECTIONS = 10;
const USUAL_STEPS = 5;
/** Default ratio of peak load to base load, and of the highest step to the lowest. */
const USUAL_RATIO = 5;

/** Converts the load to another model. Names, durations and other common entries are kept; missing numbers are proposed. */
export function withModel(load: LoadEntry, model: LoadModel): LoadEntry {
  return {
    ...load,
    model,
    stages: load.stages.map((stage) => completeStage(model, stage)),
    thinkTime: model === 'users' ? (load.thinkTime ?? USUAL_THINK_TIME) : load.thinkTime,
  };
}

/** Converts a stage of arrivals to another kind. */
export function withKind(stage: StageEntry, kind: ArrivalKind): StageEntry {
  return completeStage('arrivals', { ...stage, kind }, stage);
}

/** Changes the unit that ends a stage of connections. */
export function withEnd(stage: StageEntry, end: StageEntry['end']): StageEntry {
  return completeStage('connections', { ...stage, end });
}

/** Adds a stage that is like the last one but has an empty name. */
export function withOneMore(load: LoadEntry): LoadEntry {
  const { model, stages } = load;
  const id = newIdIn(stages);
  const last = stages.at(-1) ?? { id, name: '', counted: true, end: 'seconds', kind: 'constant', numbers: {} };
  const kind = last.kind === 'pause' ? 'constant' : last.kind;
  return { ...load, stages: [...stages, completeStage(model, { ...last, id, name: '', counted: true, kind })] };
}

/** Adds missing numbers to a stage. `before` is the original stage, from which duration and rate are derived. */
function completeStage(model: LoadModel, stage: StageEntry, before: StageEntry = stage): StageEntry {
  const proposals = proposalsFor(before);
  const missing = listNumbers(model, stage).filter((name) => stage.numbers[name] === undefined);
  return { ...stage, numbers: { ...stage.numbers, ...Object.fromEntries(missing.map((name) => [name, proposals[name]])) } };
}

function proposalsFor(stage: StageEntry): Readonly<Record<StageNumber, number>> {
  const { numbers } = stage;
  const numberOf = (name: StageNumber): number | null => {
    const value = numbers[name];
    return typeof value === 'number' ? value : null;
  };
  const seconds = numberOf('seconds') ?? durationOf(numberOf) ?? USUAL_SECONDS;
  const perSecond =
    numberOf('perSecond') ??
    numberOf('toPerSecond') ??
    numberOf('peakPerSecond') ??
    divideRounded(numberOf('arrivals'), seconds) ??
    USUAL_PER_SECOND;
  const people = numberOf('users') ?? numberOf('connections') ?? USUAL_CONNECTIONS;
  return {
    connections: numberOf('connections') ?? people,
    requests: 1_000,
    users: people,
    startUpSeconds: 0,
    restSeconds: 0,
    seconds,
    perSecond,
    fromPerSecond: roundProposal(perSecond / USUAL_RATIO),
    toPerSecond: perSecond,
    arrivals: Math.max(1, Math.round(perSecond * seconds)),
    steps: USUAL_STEPS,
    secondsEach: roundProposal(seconds / USUAL_STEPS),
    basePerSecond: roundProposal(perSecond),
    peakPerSecond: roundProposal(perSecond * USUAL_RATIO),
    secondsBefore: roundProposal(seconds * 0.4),
    rampSeconds: 0,
    peakSeconds: roundProposal(seconds * 0.2),
    secondsAfter: roundProposal(seconds * 0.4),
    maxInFlight: 10_000,
  };
}

/** Returns the total duration of a stage that consists of steps, in seconds. */
function durationOf(given: (name: StageNumber) => number | null): number | null {
  const [each, steps] = [given('secondsEach'), given('steps')];
  if (each !== null && steps !== null) return each * steps;
  const parts = [given('secondsBefore'), given('peakSeconds'), given('secondsAfter')];
  const rampsSeconds = 2 * (given('rampSeconds') ?? 0);
  return parts.reduce<number | null>((sum, part) => (sum === null || part === null ? null : sum + part), rampsSeconds);
}

function divideRounded(amount: number | null, seconds: number): number | null {
  return amount === null ? null : roundProposal(amount / seconds);
}

/** Rounds a proposal to three significant digits. The result is at least 0.001. */
function roundProposal(value: number): number {
  return Math.max(0.001, Number(value.toPrecision(3)));
}
