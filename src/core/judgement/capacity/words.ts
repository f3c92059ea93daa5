import { formatCount, formatNumber, formatPercent, formatRate } from '#core/base/units.ts';
import type { Capacity, ScaledSet } from './capacity.ts';
import { perHour } from './cycles.ts';
import { headroomSentence } from './demand.ts';
import type { Between } from './intervals.ts';
import { FLAT, isSound, LEAST_LEVELS, type LevelNumbers, meanRate, MOST_FAILED, type Refusal, type Scaling } from './scaling.ts';
import type { LoadLevel } from './levels.ts';

/** What levels show without any curve. */
type Shape =
  | { readonly kind: 'flat'; readonly from: number; readonly to: number; readonly least: number; readonly most: number }
  | { readonly kind: 'falls'; readonly best: LoadLevel; readonly last: LoadLevel }
  | { readonly kind: 'rises' };

/** Levels at which hardly anything failed, from few to many. Flat is where the heaviest, and others down to half of it or fewer, got the same done. */
function shapeOf(levels: readonly LoadLevel[]): Shape {
  const healthy = levels.filter(isSound);
  const last = healthy.at(-1);
  if (last === undefined || healthy.length < 2) return { kind: 'rises' };
  const best = healthy.reduce((one, other) => (meanRate(other) > meanRate(one) ? other : one));
  if (meanRate(best) > FLAT * meanRate(last)) return { kind: 'falls', best, last };
  const first = healthy.findIndex((_level, index) => {
    const rates = healthy.slice(index).map(meanRate);
    return Math.max(...rates) <= FLAT * Math.min(...rates);
  });
  const from = healthy[first];
  if (from === undefined || from.at * 2 > last.at) return { kind: 'rises' };
  const rates = healthy.slice(first).map(meanRate);
  return { kind: 'flat', from: from.at, to: last.at, least: Math.min(...rates), most: Math.max(...rates) };
}

/** Everything that is told of what something can do, each in a sentence or two. */
export function capacitySentences(capacity: Capacity): string[] {
  const { sets, headroom, best, cycles } = capacity;
  return [
    ...(headroom === null ? [] : [headroomSentence(headroom)]),
    ...bestWords(best, cycles),
    ...sets.flatMap((one) => scalingSentences(one).map((sentence) => (one.set.name === '' ? sentence : `${one.set.name}: ${sentence}`))),
  ];
}

function bestWords(best: Capacity['best'], cycles: Capacity['cycles']): string[] {
  if (cycles.length < 2) return [];
  if (best === null)
    return ['No cycle did well: each missed a limit, or its Apdex was below 0.85. So none is called the best, whatever its rate.'];
  const { name, counted, perSecond, apdex } = best;
  const by = apdex === null ? 'the highest rate without a missed limit' : 'the highest rate × Apdex of those whose Apdex is good';
  const rate = perSecond ?? 0;
  return [
    `The best cycle is “${name}” with ${formatRate(perSecond, counted)}: ${by}. An hour like it brings ${formatThousandths(rate)} × 3,600 = ${formatCount(perHour(rate))} ${counted}, if it goes on as it did in the time that was measured.`,
  ];
}

/** A rate with as many digits as a product of it needs to be checked: 10.489. */
function formatThousandths(rate: number): string {
  return String(Number(rate.toFixed(3)));
}

/** The reading of one set: what it is, what the numbers mean, where it ends. */
export function scalingSentences({ set, scaling }: ScaledSet): string[] {
  const { unit, counted, levels } = set;
  switch (scaling.kind) {
    case 'curve': {
      const { lambda, sigma, kappa } = scaling.intervals;
      const pauses =
        unit === 'users'
          ? ' Users pause, so these are of users with their pauses and not of requests that are worked on at the same time.'
          : '';
      return [
        `With N ${unit} it does λN / (1 + σ(N − 1) + κN(N − 1)) ${counted} a second (Gunther’s universal scalability law): λ = ${between(lambda)}, σ = ${between(sigma)}, κ = ${between(kappa)}; levels usually lie ${formatPercent(scaling.usualOff, 2)} off the curve.${pauses}`,
        `One alone gets ${formatNumber(lambda.value)} a second done. ${formatPercent(sigma.value, 2)} of the work waits for something that only one can have at a time${kappa.value === 0 ? '.' : ', and the more there are the longer they take to agree.'}`,
        peakSentence(scaling, levels.at(-1)?.at ?? 0, unit),
      ];
    }
    case 'limit': {
      const { slope, most, low, high, fullAt } = scaling.limit;
      return [
        `Up to about ${formatCount(Math.round(fullAt))} ${unit} each brings ${formatNumber(slope)} ${counted} a second; then it is full at ${formatRate(most)} (${formatNumber(low)} to ${formatNumber(high)}) and more of them only wait. That is a hard limit, a number of workers or a rate that something allows, and no gradual loss: a curve would round its corner off.`,
      ];
    }
    case 'refused':
      return [
        `No curve is told of how it scales. ${REFUSAL_WORDS[scaling.why](scaling, unit, levels.filter(isSound).map(meanRate))}`,
        ...(scaling.why === 'flat' || scaling.why === 'doubted' ? [] : shapeSentences(set)),
      ];
    default:
      return scaling satisfies never;
  }
}

type Refused = Extract<Scaling, { kind: 'refused' }>;

const REFUSAL_WORDS: Readonly<Record<Refusal, (scaling: Refused, unit: string, rates: readonly number[]) => string>> = {
  doubted: () =>
    'At some of its levels the line, or what made the load, was busy and may have been the limit: a curve might be of those and not of the server.',
  failures: ({ numbers }, unit) => `${numbersWords(numbers, unit)} It takes ${LEAST_LEVELS}.`,
  tooFew: ({ numbers }, unit) =>
    `${numbersWords(numbers, unit)} It takes ${LEAST_LEVELS}: a curve of three numbers goes through a few points whatever they are.`,
  flat: (_scaling, unit, rates) =>
    `Already the fewest ${unit} got as much done as the most, ${formatNumber(Math.min(...rates))} to ${formatNumber(Math.max(...rates))} a second: it was full from the beginning, and where it began lies below.`,
  moreThanInProportion: (_scaling, unit) =>
    `With more ${unit} each of them got more done than the fewest did: something was cold at first, or answers are shared. Warm it up and measure again.`,
  notSaturating: (_scaling, unit) =>
    `Up to the most ${unit} it still grows nearly in proportion: nothing shows yet of what will bound it, and a curve would make it up. Measure with more.`,
  misses: ({ worst }, unit) =>
    `No such curve goes through these levels${worst === null ? '' : `: at ${formatCount(worst.at)} ${unit} it was ${formatPercent(Math.abs(worst.off), 2)} ${worst.off > 0 ? 'more' : 'less'} than the nearest one says`}. It was not in the same state at all of them, or its limit is of another kind.`,
};

/** How many there were, how many of them do not count and why, and how many are left. */
function numbersWords({ measured, idle, failed, doubted }: LevelNumbers, unit: string): string {
  const were = measured === 1 ? `There was one number of ${unit}` : `There were ${formatCount(measured)} different numbers of ${unit}`;
  const left = measured - idle - failed - doubted;
  if (left === measured) return `${were}.`;
  const reasons = [
    { count: idle, why: 'nothing got done in a run' },
    { count: failed, why: `more than ${formatPercent(MOST_FAILED)} failed, and what fails is quick and no work done` },
    { count: doubted, why: 'the line, or what made the load, was busy and may have been the limit' },
  ].filter(({ count }) => count > 0);
  const whys = reasons.map(({ count, why }) => (reasons.length === 1 ? why : `at ${formatCount(count)}, ${why}`)).join('; ');
  if (left === 0) return `${were}, and none of them counts: ${whys}.`;
  const out = measured - left;
  return `${were}, and ${formatCount(out)} of them ${out === 1 ? 'does' : 'do'} not count: ${whys}. ${formatCount(left)} ${left === 1 ? 'is' : 'are'} left.`;
}

/** What is plain without any curve: from where on nothing is gained, and whether the most do less than fewer. */
function shapeSentences({ unit, counted, levels }: ScaledSet['set']): string[] {
  const shape = shapeOf(levels);
  switch (shape.kind) {
    case 'flat': {
      const { from, to, least, most } = shape;
      return [
        `From ${formatCount(from)} ${unit} on nothing is gained: ${formatNumber(least)} to ${formatNumber(most)} ${counted} a second up to ${formatCount(to)}. It does not grow along, and where it became full lies at or below ${formatCount(from)}.`,
      ];
    }
    case 'falls': {
      const { best, last } = shape;
      return [
        `It did most with ${formatCount(best.at)} ${unit}, ${formatRate(meanRate(best), counted)}; with ${formatCount(last.at)} it did ${formatPercent(1 - meanRate(last) / meanRate(best), 2)} less.`,
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
    return `It does most, about ${formatRate(perSecond)}, with ${formatCount(Math.round(at.value))} ${unit} (${formatCount(Math.round(at.low))} ${to}); more of them get less done together.`;
  }
  return intervals.peakAt === null
    ? `Nothing says that it ever does less with more ${unit}; beyond ${formatCount(most)} nothing was measured.`
    : `Where it does most lies beyond the ${formatCount(most)} ${unit} that were measured, so it is not told.`;
}

function between({ value, low, high }: Between): string {
  return `${formatNumber(value)} (${formatNumber(low)} to ${high === null ? 'any' : formatNumber(high)})`;
}
