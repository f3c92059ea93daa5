import { formatCount, formatNumber, formatPercent, formatRate } from '#core/base/units.ts';
import type { Capacity, ScaledSet } from './capacity.ts';
import { type LoadLevel, perHour } from './levels.ts';
import { headroomSentence } from './demand.ts';
import type { ValueInterval } from './usl.ts';
import {
  MAX_FLAT_RATIO,
  isSound,
  MIN_LEVELS,
  type LevelNumbers,
  meanRate,
  MAX_FAILED_SHARE,
  type Refusal,
  type Scaling,
} from './scaling.ts';

/** Shape of levels that no curve describes. */
type Shape =
  | { readonly kind: 'flat'; readonly from: number; readonly to: number; readonly least: number; readonly most: number }
  | { readonly kind: 'falls'; readonly best: LoadLevel; readonly last: LoadLevel }
  | { readonly kind: 'rises' };

/**
 * Classifies the usable levels, which are in ascending order. Flat means that the heaviest level and others, down to half of it or less,
 * have the same throughput.
 */
function classifyShape(levels: readonly LoadLevel[]): Shape {
  const healthy = levels.filter(isSound);
  const last = healthy.at(-1);
  if (last === undefined || healthy.length < 2) return { kind: 'rises' };
  const best = healthy.reduce((one, other) => (meanRate(other) > meanRate(one) ? other : one));
  if (meanRate(best) > MAX_FLAT_RATIO * meanRate(last)) return { kind: 'falls', best, last };
  const first = healthy.findIndex((_level, index) => {
    const rates = healthy.slice(index).map(meanRate);
    return Math.max(...rates) <= MAX_FLAT_RATIO * Math.min(...rates);
  });
  const from = healthy[first];
  if (from === undefined || from.at * 2 > last.at) return { kind: 'rises' };
  const rates = healthy.slice(first).map(meanRate);
  return { kind: 'flat', from: from.at, to: last.at, least: Math.min(...rates), most: Math.max(...rates) };
}

export function capacitySentences(capacity: Capacity): string[] {
  const { sets, headroom, best, cycles } = capacity;
  return [
    ...(headroom === null ? [] : [headroomSentence(headroom)]),
    ...formatBest(best, cycles),
    ...sets.flatMap((one) => scalingSentences(one).map((sentence) => (one.set.name === '' ? sentence : `${one.set.name}: ${sentence}`))),
  ];
}

function formatBest(best: Capacity['best'], cycles: Capacity['cycles']): string[] {
  if (cycles.length < 2) return [];
  if (best === null)
    return ['No cycle passed: each failed a pass criterion, or its Apdex was below 0.85. So none is the best, whatever its rate.'];
  const { name, counted, perSecond, apdex } = best;
  const by = apdex === null ? 'the highest rate that passed' : 'the highest rate × Apdex of those with a good Apdex';
  const rate = perSecond ?? 0;
  return [
    `The best cycle is “${name}” with ${formatRate(perSecond, counted)}: ${by}. Per hour: ${formatThousandths(rate)} × 3,600 = ${formatCount(perHour(rate))} ${counted}, if it continues as measured.`,
  ];
}

/** Formats a rate with enough digits to check a product of it: 10.489. */
function formatThousandths(rate: number): string {
  return String(Number(rate.toFixed(3)));
}

/** Describes one set: its scaling, its parameters and its limit. */
export function scalingSentences({ set, scaling }: ScaledSet): string[] {
  const { unit, levels } = set;
  const counted = formatCounted(set);
  switch (scaling.kind) {
    case 'curve': {
      const { lambda, sigma, kappa } = scaling.intervals;
      const pauses = unit === 'users' ? ' Users pause, so these numbers are for users with think time, not for requests in progress.' : '';
      return [
        `With N ${unit}, throughput is λN / (1 + σ(N − 1) + κN(N − 1)) ${counted} a second (Gunther’s universal scalability law): λ = ${formatBetween(lambda)}, σ = ${formatBetween(sigma)}, κ = ${formatBetween(kappa)}; levels are usually ${formatPercent(scaling.usualOff, 2)} off the curve.${pauses}`,
        `One alone achieves ${formatNumber(lambda.value)} a second. ${formatPercent(sigma.value, 2)} of the work waits for something that only one can use at a time${kappa.value === 0 ? '.' : ', and coordination takes longer the more there are.'}`,
        peakSentence(scaling, levels.at(-1)?.at ?? 0, unit),
      ];
    }
    case 'limit': {
      const { slope, most, low, high, fullAt } = scaling.limit;
      return [
        `Up to about ${formatCount(Math.round(fullAt))} ${unit}, each adds ${formatNumber(slope)} ${counted} a second. Then it is saturated at ${formatRate(most)} (${formatNumber(low)} to ${formatNumber(high)}), and more ${unit} only wait. That is a hard limit, such as a number of workers or a rate limit, which no curve describes.`,
      ];
    }
    case 'refused':
      return [
        `Not enough data for a scaling curve. ${REFUSAL_WORDS[scaling.why](scaling, unit, levels.filter(isSound).map(meanRate))}`,
        ...(scaling.why === 'flat' || scaling.why === 'doubted' ? [] : shapeSentences(set)),
      ];
    default:
      return scaling satisfies never;
  }
}

type RefusedScaling = Extract<Scaling, { kind: 'refused' }>;

const REFUSAL_WORDS: Readonly<Record<Refusal, (scaling: RefusedScaling, unit: string, rates: readonly number[]) => string>> = {
  doubted: () => 'At some levels the network or the load generator was busy: a curve may describe those and not the server.',
  failures: ({ numbers }, unit) => `${formatLevelNumbers(numbers, unit)} At least ${MIN_LEVELS} are needed.`,
  tooFew: ({ numbers }, unit) =>
    `${formatLevelNumbers(numbers, unit)} At least ${MIN_LEVELS} are needed: a curve with three parameters fits any few points.`,
  flat: (_scaling, unit, rates) =>
    `The fewest ${unit} already achieved as much as the most, ${formatNumber(Math.min(...rates))} to ${formatNumber(Math.max(...rates))} a second: the server was saturated from the beginning.`,
  moreThanInProportion: (_scaling, unit) =>
    `With more ${unit}, each achieved more than with the fewest: something was cold at first, or responses are shared. Warm it up and measure again.`,
  notSaturating: (_scaling, unit) =>
    `Throughput grows nearly in proportion up to the most ${unit}: the limit does not show. Measure with more.`,
  misses: ({ worst }, unit) =>
    `No such curve fits these levels${worst === null ? '' : `: at ${formatCount(worst.at)} ${unit} it was ${formatPercent(Math.abs(worst.deviation), 2)} ${worst.deviation > 0 ? 'above' : 'below'} the nearest one`}. The server was not in the same state at all levels, or its limit is of another kind.`,
};

/** Describes the number of levels, and how many were excluded why. */
function formatLevelNumbers({ measured, idle, failed, doubted }: LevelNumbers, unit: string): string {
  const countText = measured === 1 ? `There was one level of ${unit}` : `There were ${formatCount(measured)} levels of ${unit}`;
  const usedCount = measured - idle - failed - doubted;
  if (usedCount === measured) return `${countText}.`;
  const reasons = [
    { count: idle, why: 'a run completed nothing' },
    { count: failed, why: `more than ${formatPercent(MAX_FAILED_SHARE)} failed, and failures are fast without doing work` },
    { count: doubted, why: 'the network or the load generator was busy and may have been the limit' },
  ].filter(({ count }) => count > 0);
  const reasonTexts = reasons.map(({ count, why }) => (reasons.length === 1 ? why : `at ${formatCount(count)}, ${why}`)).join('; ');
  if (usedCount === 0) return `${countText}, and none of them counts: ${reasonTexts}.`;
  const excludedCount = measured - usedCount;
  return `${countText}, and ${formatCount(excludedCount)} of them ${excludedCount === 1 ? 'does' : 'do'} not count: ${reasonTexts}. ${formatCount(usedCount)} ${usedCount === 1 ? 'is' : 'are'} left.`;
}

/** Returns “pages” or “responses”. */
function formatCounted({ counted }: Pick<ScaledSet['set'], 'counted'>): string {
  return counted === 'responses' ? 'responses' : counted;
}

/** Describes what is visible without a curve: from where throughput stops growing, and whether it falls. */
function shapeSentences(set: ScaledSet['set']): string[] {
  const { unit, levels } = set;
  const counted = formatCounted(set);
  const shape = classifyShape(levels);
  switch (shape.kind) {
    case 'flat': {
      const { from, to, least, most } = shape;
      return [
        `From ${formatCount(from)} ${unit} on, throughput stays at ${formatNumber(least)} to ${formatNumber(most)} ${counted} a second up to ${formatCount(to)}: it was saturated at or below ${formatCount(from)}.`,
      ];
    }
    case 'falls': {
      const { best, last } = shape;
      return [
        `Throughput was highest with ${formatCount(best.at)} ${unit}, ${formatRate(meanRate(best), counted)}; with ${formatCount(last.at)} it was ${formatPercent(1 - meanRate(last) / meanRate(best), 2)} lower.`,
      ];
    }
    case 'rises':
      return [];
    default:
      return shape satisfies never;
  }
}

function peakSentence({ peak, intervals }: Extract<Scaling, { kind: 'curve' }>, most: number, unit: string): string {
  if (peak !== null) {
    const { at, perSecond } = peak;
    const to = at.high === null ? 'or it never falls' : `to ${formatCount(Math.round(at.high))}`;
    return `Throughput peaks at about ${formatRate(perSecond)} with ${formatCount(Math.round(at.value))} ${unit} (${formatCount(Math.round(at.low))} ${to}); more of them achieve less together.`;
  }
  return intervals.peakAt === null
    ? `Nothing shows that throughput falls with more ${unit}; above ${formatCount(most)} nothing was measured.`
    : `The peak is above the ${formatCount(most)} ${unit} that were measured, so it is unknown.`;
}

function formatBetween({ value, low, high }: ValueInterval): string {
  return `${formatNumber(value)} (${formatNumber(low)} to ${high === null ? 'any' : formatNumber(high)})`;
}
