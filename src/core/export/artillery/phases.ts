import { amountWithin, rateCurve, type RateLine } from '#core/work/load/rateCurve.ts';
import { type ArrivalsLoad, type ArrivalsStage, DEFAULT_MAX_IN_FLIGHT } from '#core/plan/schema/load.ts';
import { stageName } from '#core/plan/names.ts';
import type { ArtilleryDraft } from './draft.ts';

/** Formats a duration for Artillery: whole seconds as a number, others as text such as 196ms. */
export function timeOf(seconds: number): number | string {
  return Number.isInteger(seconds) ? seconds : `${Math.max(1, Math.round(seconds * 1_000))}ms`;
}

type Phase = Readonly<Record<string, unknown>>;

/** A linear part of a stage, with its number of arrivals. */
interface LinearPart {
  readonly line: RateLine;
  readonly arrivals: number;
}

/*
 * Rates in Artillery 2.0 (phases, and division of work among its workers): a constant rate must be a whole number. A ramp changes once a second, with the
 * arrivals of each second rounded, and lasts whole seconds. Other rates are written as numbers of arrivals, which are exact.
 */

/** Maximum relative difference of the arrivals of a ramp in Artillery. */
const MAX_RELATIVE_DIFFERENCE = 0.02;
const MIN_RAMP_SECONDS = 2;
const MAX_STAIRS = 10;

/** Converts the stages of a load to phases. */
export function writePhases(draft: ArtilleryDraft, load: ArrivalsLoad): Phase[] {
  let before = 0;
  const pieces = rateCurve(load.stages).pieces.map(({ stage, endAmount, ...line }) => {
    const until = Math.round(endAmount);
    const arrivals = until - before;
    before = until;
    return { stage, line, arrivals };
  });
  return load.stages.flatMap((stage, index) => {
    const most =
      ('maxInFlight' in stage ? stage.maxInFlight : undefined) ??
      (load.maxInFlight === DEFAULT_MAX_IN_FLIGHT ? undefined : load.maxInFlight);
    if (!stage.counted && stage.kind !== 'pause') draft.note(`Artillery counts “${stageName(draft.plan, index)}” too.`);
    if (stage.kind === 'steps' || stage.kind === 'spike') draft.note('Staircases and spikes become several phases.');
    const own = pieces.filter((piece) => piece.stage === index);
    const phases = own.flatMap((piece) => phasesOfPiece(draft, stage, index, piece, load.spacing === 'poisson'));
    return phases.map((phase, position) => {
      const name = stage.name === undefined || phases.length === 1 ? stage.name : `${stage.name} ${position + 1}`;
      return { ...phase, ...(name === undefined ? {} : { name }), ...(most === undefined ? {} : { maxVusers: most }) };
    });
  });
}

function phasesOfPiece(draft: ArtilleryDraft, stage: ArrivalsStage, index: number, due: LinearPart, isPoisson: boolean): Phase[] {
  const { line, arrivals } = due;
  const { fromPerSecond: from, toPerSecond: to, seconds } = line;
  if (stage.kind === 'pause' || (from === 0 && to === 0)) return [{ pause: timeOf(seconds) }];
  if (stage.kind === 'count') return [exactPhase(stage.arrivals, seconds)];
  if (from !== to) return rampPhases(draft, index, due);
  // The number of Poisson arrivals is random anyway, so a rate does not have to give a whole number of them.
  if (Number.isInteger(to) && (isPoisson || Number.isInteger(to * seconds))) return [{ duration: timeOf(seconds), arrivalRate: to }];
  if (isPoisson) draft.note(`“${stageName(draft.plan, index)}” is spread evenly, because Artillery supports whole rates only.`);
  return [exactPhase(arrivals, seconds)];
}

function rampPhases(draft: ArtilleryDraft, index: number, due: LinearPart): Phase[] {
  const { line } = due;
  const { fromPerSecond, toPerSecond, seconds } = line;
  const whole = Math.floor(seconds);
  const until = whole === seconds ? toPerSecond : fromPerSecond + ((toPerSecond - fromPerSecond) * whole) / seconds;
  const amount = amountWithin(line, whole);
  // Artillery divides the initial rate of a ramp down to 0 among its workers like a constant rate, which must be a whole number.
  const isReported = whole >= MIN_RAMP_SECONDS && (until > 0 || Number.isInteger(fromPerSecond));
  if (!isReported || Math.abs(countRampArrivals(fromPerSecond, until, whole) - amount) > MAX_RELATIVE_DIFFERENCE * amount) {
    draft.note(`“${stageName(draft.plan, index)}” is a staircase, because Artillery rounds the arrivals of each second of a ramp.`);
    return approximateRamp(due);
  }
  const rest = due.arrivals - Math.round(amount);
  return [
    { duration: whole, arrivalRate: fromPerSecond, rampTo: until },
    ...(whole === seconds ? [] : [exactPhase(Math.max(0, rest), seconds - whole)]),
  ];
}

/** Returns the number of arrivals that Artillery makes in a ramp of at least two whole seconds. */
function countRampArrivals(from: number, to: number, seconds: number): number {
  let sum = 0;
  for (let second = 0; second < seconds; second += 1) sum += Math.round(from + ((to - from) / (seconds - 1)) * second);
  return sum;
}

/** Converts a ramp to steps of equal length with the same number of arrivals, in whole seconds if possible. */
function approximateRamp({ line, arrivals }: LinearPart): Phase[] {
  const count = Math.max(1, Math.min(MAX_STAIRS, Math.floor(line.seconds), arrivals));
  const all = amountWithin(line, line.seconds);
  let before = 0;
  return Array.from({ length: count }, (_, step) => {
    const from = stairEnd(line.seconds, step, count);
    const to = stairEnd(line.seconds, step + 1, count);
    const until = all === 0 ? 0 : Math.round((amountWithin(line, to) / all) * arrivals);
    const phase = exactPhase(until - before, to - from);
    before = until;
    return phase;
  });
}

function stairEnd(seconds: number, step: number, count: number): number {
  return step === count ? seconds : Math.floor((seconds * step) / count);
}

/** Returns a phase with a number of arrivals, or a pause for 0, because Artillery skips empty phases. */
function exactPhase(arrivals: number, seconds: number): Phase {
  return arrivals === 0 ? { pause: timeOf(seconds) } : { duration: timeOf(seconds), arrivalCount: arrivals };
}
