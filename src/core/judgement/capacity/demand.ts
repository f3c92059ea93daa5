import { formatCount, formatNumber, formatPercent, formatRate } from '#core/base/units.ts';
import type { Demand } from '#core/plan/schema/demand.ts';
import type { Resource } from './firstToGive.ts';
import { perHour } from './cycles.ts';

/** Result of a load: its throughput and whether a criterion failed. */
export interface Achieved {
  readonly name: string;
  /** Successful responses per second. */
  readonly perSecond: number;
  /** Requests started per second, which show whether a load was heavier. */
  readonly startedPerSecond: number;
  readonly hasFailed: boolean;
}

/** The highest passed throughput compared with the expected demand. */
export interface Headroom {
  readonly stage: string;
  readonly perSecond: number;
  readonly demandPerSecond: number;
  /** `perSecond` / `demandPerSecond`. */
  readonly factor: number;
  /** People who cause the demand, and the number for which the throughput suffices; null without people in the plan. */
  readonly people: { readonly name: string; readonly expected: number; readonly enoughFor: number } | null;
  /** Name of a heavier load that failed a criterion; null without one. */
  readonly failedAt: string | null;
}

/** Factor below which the headroom does not cover two estimates that are 10 % too low. */
const MIN_COMFORTABLE_FACTOR = 1.25;
/** From this share on, no resource is left. */
const MAX_USED_SHARE = 0.95;

/**
 * Computes the headroom from measured loads, so without a failed load it is a lower bound. The demand is assumed to be proportional to the number of people.
 * null without a demand, or if no load passed.
 */
export function headroomFor(demand: Demand | undefined, loads: readonly Achieved[]): Headroom | null {
  const demandPerSecond = demand?.requestsPerSecond;
  if (demandPerSecond === undefined) return null;
  const [best] = loads.filter(({ hasFailed }) => !hasFailed).toSorted((one, other) => other.perSecond - one.perSecond);
  if (best === undefined || best.perSecond === 0) return null;
  const beyond = loads.find(({ hasFailed, startedPerSecond }) => hasFailed && startedPerSecond > best.startedPerSecond);
  const factor = best.perSecond / demandPerSecond;
  const { people } = demand ?? {};
  return {
    stage: best.name,
    perSecond: best.perSecond,
    demandPerSecond,
    factor,
    people:
      people === undefined
        ? null
        : { name: people.name, expected: people.count, enoughFor: Math.floor((people.count * best.perSecond) / demandPerSecond) },
    failedAt: beyond?.name ?? null,
  };
}

/** Example: “It managed 980/s within the limits, at least 4.9 times the 200/s that are expected of 750 participants: enough for 3,675.” */
export function headroomSentence({ factor, perSecond, demandPerSecond, people, failedAt }: Headroom): string {
  const who = people === null ? '' : ` of ${formatCount(people.expected)} ${people.name}`;
  const expected = `${formatNumber(factor)} times the expected ${formatRate(demandPerSecond)}${who}`;
  const managed = `It sustained ${formatRate(perSecond)}`;
  const enough = people === null ? '' : ` for ${formatCount(people.enoughFor)} ${people.name}`;
  if (factor < 1)
    return `${managed}, ${expected}: that is ${people === null ? 'not enough' : `enough${enough} only`}, unless more was not tested.`;
  const bound = failedAt === null ? 'at least ' : '';
  const room = people === null ? '.' : `: enough${enough}.`;
  const tight = factor < MIN_COMFORTABLE_FACTOR ? ' That leaves little headroom if the estimate was too low.' : '';
  return `${managed}, ${bound}${expected}${room}${tight}`;
}

/** Example: “; capacity about 4,200”, rounded down to two digits. Empty without people, or without room above the expected number. */
export function roomWords({ people }: Pick<Headroom, 'people'>, claim: string, isBounded: boolean): string {
  if (people === null || claim === '') return '';
  const digit = 10 ** Math.max(0, Math.floor(Math.log10(people.enoughFor)) - 1);
  const enoughFor = Math.floor(people.enoughFor / digit) * digit;
  if (enoughFor <= people.expected) return '';
  const who = claim.includes(people.name) ? '' : ` ${people.name}`;
  return `; capacity ${isBounded ? 'about' : 'at least'} ${formatCount(enoughFor)}${who}`;
}

/** Explains how the headroom was computed, and which resource runs out first if known. */
export function headroomEvidence(
  { stage, perSecond, demandPerSecond, people, failedAt }: Headroom,
  missed: readonly string[],
  resources: readonly Resource[],
): string[] {
  return [
    `Highest sustained load: “${stage}”, ${formatRate(perSecond)} successful responses.`,
    ...(people === null
      ? []
      : [
          `${formatCount(people.expected)} × ${formatNumber(perSecond)} / ${formatNumber(demandPerSecond)} = ${formatCount(people.enoughFor)} ${people.name}, if each sends as many requests as stated.`,
        ]),
    `Per hour: ${formatNumber(perSecond)} × 3,600 = ${formatCount(perHour(perSecond))} successful responses.`,
    failedAt === null
      ? 'No stage with a higher load failed: the breaking point is unknown.'
      : `“${failedAt}” had a higher load and failed.`,
    ...(missed.length === 0 ? [] : [`First to fail: ${missed.join('; ')}.`]),
    firstToGiveSentence(resources, perSecond),
  ];
}

/** Names the scarcest watched resource, and when it would be used up. */
function firstToGiveSentence(resources: readonly Resource[], perSecond: number): string {
  const [scarcest, next] = resources;
  if (scarcest === undefined) return 'The first resource to run out is unknown: no machine, service or count with a limit was watched.';
  const { words, share, fullAtPerSecond } = scarcest;
  const beside = next === undefined ? '' : ` Next: ${next.words}, ${formatPercent(next.share)} in use.`;
  const use = `${words} was ${formatPercent(share)} in use at ${formatRate(perSecond)}`;
  const full =
    share >= MAX_USED_SHARE ? 'which is nearly all of it' : `so it is full at about ${formatRate(fullAtPerSecond)} (rate / share in use)`;
  return `The scarcest resource that was watched: ${use}, ${full}.${beside}`;
}
