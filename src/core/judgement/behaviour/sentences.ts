import { medianOf } from '#core/statistics/trend.ts';
import { formatCount, formatMs, formatNumber, formatPercent, formatRate, formatSeconds } from '#core/base/units.ts';
import type { Behaviour, Bursts, Capacity, FirstResponses, Queue, Recovery } from '#core/result/behaviour.ts';
import { FIRST_RESPONSE_COUNT } from './behaviour.ts';
import { withoutAbsent } from '#core/base/lists.ts';

/** Describes a run's behaviour, one sentence per finding; unknown findings with their reason. */
export function behaviourSentences({ firstResponses, queues, bursts, recoveries, capacity }: Behaviour): string[] {
  return withoutAbsent([
    ...firstResponsesSentences(firstResponses),
    ...queueSentences(queues),
    bursts !== null && burstsSentence(bursts),
    ...recoveries.map(recoverySentence),
    capacity !== null && capacitySentence(capacity),
  ]);
}

/** Minimum relative difference that is mentioned. */
const MIN_MENTIONED_DIFFERENCE = 0.1;
/** Maximum number of steps with separate sentences. If the same applies to more steps, they share a sentence. */
const MAX_SEPARATE_STEPS = 3;

/** Describes slow first responses step by step, and merges the sentences of the other steps. */
function firstResponsesSentences(all: readonly FirstResponses[]): string[] {
  const findFirstResponses = (wanted: FirstResponses['isSlowAtFirst']): FirstResponses[] =>
    all.filter(({ isSlowAtFirst }) => isSlowAtFirst === wanted);
  return [
    ...findFirstResponses(true).map(firstResponsesSentence),
    ...joinAlike(
      findFirstResponses(false),
      firstResponsesSentence,
      (steps) =>
        `The first ${FIRST_RESPONSE_COUNT} successful responses of ${steps} steps were not slower than later ones, except for opening connections.`,
    ),
    ...joinAlike(
      findFirstResponses(null),
      firstResponsesSentence,
      (steps) => `First responses of ${steps} steps: unknown. They had too few successful responses.`,
    ),
  ];
}

function joinAlike<Item>(items: readonly Item[], sayOne: (item: Item) => string, sayAll: (count: string) => string): string[] {
  return items.length > MAX_SEPARATE_STEPS ? [sayAll(formatCount(items.length))] : items.map(sayOne);
}

/** Maximum number of rows in a table. */
const MAX_ROWS = 20;

/**
 * Returns the first responses to show in a table. If there are many, omits unknown ones; if there are very many, keeps only those of steps
 * that were slow at first.
 */
export function chooseFirstResponses(all: readonly FirstResponses[]): FirstResponses[] {
  const judgedSteps = all.filter(({ isSlowAtFirst }) => isSlowAtFirst !== null);
  if (judgedSteps.length > MAX_ROWS) return judgedSteps.filter(({ isSlowAtFirst }) => isSlowAtFirst);
  return all.length - judgedSteps.length > MAX_SEPARATE_STEPS ? judgedSteps : [...all];
}

export function firstResponsesSentence({ step, firstMedian, restMedian, slower, isSlowAtFirst, reason }: FirstResponses): string {
  if (isSlowAtFirst === null) return `First responses of “${step}”: unknown. ${reason ?? ''}`.trim();
  if (isSlowAtFirst)
    return `The first ${FIRST_RESPONSE_COUNT} successful responses of “${step}” were slower than the rest: their median of ${formatMs(firstMedian)} is ${formatNumber((firstMedian ?? 0) / (restMedian ?? 1))} times that of the rest, and ${slower} of them were slower than the later p90.`;
  const slowerBy = (firstMedian ?? 0) / (restMedian ?? 1) - 1;
  return slowerBy < MIN_MENTIONED_DIFFERENCE
    ? `The first ${FIRST_RESPONSE_COUNT} successful responses of “${step}” were not slower than the rest.`
    : `The first ${FIRST_RESPONSE_COUNT} successful responses of “${step}” were ${formatPercent(slowerBy, 2)} slower (median ${formatMs(firstMedian)}, later ${formatMs(restMedian)}), because they opened connections.`;
}

/** Returns one sentence per step, because all stages of a step use the same server. */
export function queueSentences(queues: readonly Queue[]): string[] {
  return [...new Set(queues.map(({ step }) => step))].map((step) =>
    queueSentence(
      step,
      queues.filter((queue) => queue.step === step),
    ),
  );
}

function queueSentence(step: string, queues: readonly Queue[]): string {
  const judgedQueues = queues.filter(({ queues: does }) => does !== null);
  const [first] = queues;
  if (judgedQueues.length === 0) return `Queue of “${step}”: unknown. ${first?.reason ?? ''}`.trim();
  const growing = judgedQueues.filter(({ queues: does }) => does === true);
  if (growing.length === 0) return `The first responses of each stage of “${step}” showed no queue.`;
  const intervals = growing.flatMap(({ intervalMs }) => intervalMs ?? []);
  const middle = medianOf(intervals.map(({ value }) => value).sort((a, b) => a - b));
  const ends = [Math.min(...intervals.map(({ low }) => low)), Math.max(...intervals.map(({ high }) => high))] as const;
  const where =
    growing.length === judgedQueues.length ? '' : ` in ${formatCount(growing.length)} of ${formatCount(judgedQueues.length)} stages`;
  return `Requests of “${step}” queued${where}: each response came ${formatMs(middle)} after the one before (${formatMs(ends[0])} to ${formatMs(ends[1])}). That is the time of one request / requests processed at a time.`;
}

export function burstsSentence({ largestGood, smallestBad, drained }: Bursts): string {
  const rest = drained ? '' : ' Responses to one burst were outstanding when the next began, so real capacity may be higher.';
  if (smallestBad === null) return `No burst had failures, up to ${formatCount(largestGood ?? 0)} requests.${rest}`;
  if (largestGood === null) return `The first burst, of ${formatCount(smallestBad)} requests, already had failures.`;
  return `Bursts of up to ${formatCount(largestGood)} requests had no failures; the one of ${formatCount(smallestBad)} had.${rest}`;
}

export function recoverySentence(recovery: Recovery): string {
  const { stage, endedAtSecond, beforeMs, worstMs, seconds, watchedSeconds, resolutionSeconds, reason } = recovery;
  const high = `the ${formatHighTime(recovery)} in “${stage}”, which ended at second ${formatNumber(endedAtSecond)}`;
  if (reason !== null) return `Recovery after ${high}: unknown. ${reason}`;
  const times = `p90 ${formatMs(beforeMs)} before, ${formatMs(worstMs)} at worst`;
  if (seconds === null) return `No recovery within the ${formatSeconds(watchedSeconds)} that were watched after ${high} (${times}).`;
  return seconds < resolutionSeconds
    ? `Recovered within ${formatSeconds(resolutionSeconds)} after ${high} (${times}).`
    : `Recovered ${formatSeconds(seconds)} ± ${formatSeconds(resolutionSeconds)} after ${high} (${times}).`;
}

const SHAPES: Readonly<Record<NonNullable<Recovery['shape']>, string>> = { spike: 'spike to', plateau: 'plateau at', rise: 'rise to' };

/** Describes the planned high load: "rise to 30/s", "plateau at 40 users". */
export function formatHighTime({ shape, level, unit }: Pick<Recovery, 'shape' | 'level' | 'unit'>): string {
  const height = unit === null ? formatNumber(level) : unit === 'arrivalsPerSecond' ? formatRate(level) : `${formatCount(level)} ${unit}`;
  return `${shape === null ? 'high load of' : SHAPES[shape]} ${height}`;
}

export function capacitySentence(capacity: Capacity): string {
  const { aloneMs, highestPerSecond, mostInFlight, saturatedPerSecond, workers, isLimited, reason } = capacity;
  if (isLimited === null) return `Capacity: unknown. ${reason ?? ''}`.trim();
  const aloneText = `A response takes ${formatMs(aloneMs)} alone`;
  if (!isLimited || saturatedPerSecond === null || workers === null)
    return `${aloneText} and no longer at ${formatRate(highestPerSecond)} with ${formatCount(mostInFlight)} in flight: no limit of workers was found, as with an asynchronous server.`;
  return `${aloneText}, and throughput ends at ${formatRate(saturatedPerSecond)}: ${formatRate(saturatedPerSecond)} × ${formatMs(aloneMs)} = ${formatNumber(workers)} at a time (Little's law), as with a server of ${formatBlocking(workers)}.${formatRateLimits(capacity)}`;
}

/** Names the number of workers. There is at least one, because the server responded. */
function formatBlocking(workers: number): string {
  const whole = Math.max(1, Math.round(workers));
  return whole === 1 ? 'a single blocking worker' : `${formatCount(whole)} blocking workers`;
}

function formatRateLimits({ keptUpPerSecond, fellBehindPerSecond }: Capacity): string {
  if (keptUpPerSecond === null || fellBehindPerSecond === null) return '';
  return ` It kept up with ${formatRate(keptUpPerSecond)} but not with ${formatRate(fellBehindPerSecond)}.`;
}
