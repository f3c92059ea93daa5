import { medianOf } from '#core/statistics/trend.ts';
import { formatCount, formatMs, formatNumber, formatRate, formatSeconds } from '#core/base/units.ts';
import type { Behaviour, Bursts, Capacity, FirstAnswers, Queue, Recovery } from '#core/result/behaviour.ts';
import { FIRST } from './firstAnswers.ts';

/** Everything that is told of a run's behaviour, each in a sentence; what is not known with its reason. */
export function behaviourSentences({ firstAnswers, queues, bursts, recoveries, capacity }: Behaviour): string[] {
  return [
    ...firstAnswers.map(firstAnswersSentence),
    ...queueSentences(queues),
    ...(bursts === null ? [] : [burstsSentence(bursts)]),
    ...recoveries.map(recoverySentence),
    ...(capacity === null ? [] : [capacitySentence(capacity)]),
  ];
}

export function firstAnswersSentence({ step, firstMedian, restMedian, slower, isSlowAtFirst, reason }: FirstAnswers): string {
  if (isSlowAtFirst === null) return `First answers of “${step}”: not known. ${reason ?? ''}`.trim();
  const times = `${formatMs(firstMedian)} against ${formatMs(restMedian)} in the middle`;
  return isSlowAtFirst
    ? `The first ${FIRST} good answers of “${step}” were slower than the rest: ${times}, ${slower} of them slower than 9 of 10 later ones.`
    : `The first ${FIRST} good answers of “${step}” were not slower than the rest by more than opening connections takes: ${times}.`;
}

/** One sentence for each step: its stages are of the same server. */
export function queueSentences(queues: readonly Queue[]): string[] {
  return [...new Set(queues.map(({ step }) => step))].map((step) =>
    queueSentence(
      step,
      queues.filter((queue) => queue.step === step),
    ),
  );
}

function queueSentence(step: string, queues: readonly Queue[]): string {
  const known = queues.filter(({ queues: does }) => does !== null);
  const [first] = queues;
  if (known.length === 0) return `Queue of “${step}”: not known. ${first?.reason ?? ''}`.trim();
  const growing = known.filter(({ queues: does }) => does === true);
  if (growing.length === 0) return `Among the first answers of each stage of “${step}”, none took longer for its place in a queue.`;
  const intervals = growing.flatMap(({ intervalMs }) => intervalMs ?? []);
  const middle = medianOf(intervals.map(({ value }) => value).sort((a, b) => a - b));
  const ends = [Math.min(...intervals.map(({ low }) => low)), Math.max(...intervals.map(({ high }) => high))] as const;
  const where = growing.length === known.length ? '' : ` in ${formatCount(growing.length)} of ${formatCount(known.length)} stages`;
  return `Requests of “${step}” queued${where}: each further answer came ${formatMs(middle)} after the one before it (${formatMs(ends[0])} to ${formatMs(ends[1])}), which is the time of one request divided by how many are worked on at a time.`;
}

export function burstsSentence({ largestGood, smallestBad, drained }: Bursts): string {
  const rest = drained ? '' : ' Some answers of a burst were still owed when the next began, so it may bear more than this.';
  if (smallestBad === null) return `Every burst was answered without a failure, up to ${formatCount(largestGood ?? 0)} requests.${rest}`;
  if (largestGood === null) return `Already the first burst, of ${formatCount(smallestBad)} requests, had failures.`;
  return `Bursts of up to ${formatCount(largestGood)} requests were answered without a failure; the one of ${formatCount(smallestBad)} was not.${rest}`;
}

export function recoverySentence(recovery: Recovery): string {
  const { stage, endedAtSecond, beforeMs, worstMs, seconds, watchedSeconds, resolutionSeconds, reason } = recovery;
  const high = `the ${highWords(recovery)} in “${stage}”, over at second ${formatNumber(endedAtSecond)}`;
  if (reason !== null) return `Recovery after ${high}: not known. ${reason}`;
  const times = `9 of 10 answers within ${formatMs(beforeMs)} before it, ${formatMs(worstMs)} at its worst`;
  if (seconds === null)
    return `After ${high}, it was not as before within the ${formatSeconds(watchedSeconds)} that were watched (${times}).`;
  return seconds < resolutionSeconds
    ? `After ${high}, it was as before within ${formatSeconds(resolutionSeconds)} (${times}).`
    : `After ${high}, it was as before after ${formatSeconds(seconds)}, give or take ${formatSeconds(resolutionSeconds)} (${times}).`;
}

/** What the planned load did while it was high: "rise to 30/s", "plateau at 40 users". */
export function highWords({ shape, level, unit }: Pick<Recovery, 'shape' | 'level' | 'unit'>): string {
  const height = unit === null ? formatNumber(level) : unit === 'arrivalsPerSecond' ? formatRate(level) : `${formatCount(level)} ${unit}`;
  switch (shape) {
    case 'spike':
      return `spike to ${height}`;
    case 'plateau':
      return `plateau at ${height}`;
    case 'rise':
      return `rise to ${height}`;
    case null:
      return `high load of ${height}`;
    default:
      return shape satisfies never;
  }
}

export function capacitySentence(capacity: Capacity): string {
  const { aloneMs, highestPerSecond, mostInFlight, saturatedPerSecond, workers, isLimited, reason } = capacity;
  if (isLimited === null) return `What it can do: not known. ${reason ?? ''}`.trim();
  const alone = `An answer takes ${formatMs(aloneMs)} alone`;
  if (!isLimited || saturatedPerSecond === null || workers === null)
    return `${alone} and as long at ${formatRate(highestPerSecond)} with ${formatCount(mostInFlight)} on their way: no limit of workers was seen, as with a server that waits for many at once.`;
  return `${alone}, and more than ${formatRate(saturatedPerSecond)} are not answered: ${formatRate(saturatedPerSecond)} × ${formatMs(aloneMs)} = ${formatNumber(workers)} at a time (Little's law), as with a server of ${blockingWords(workers)}.${keptUpWords(capacity)}`;
}

/** Whoever answers at all has one. */
function blockingWords(workers: number): string {
  const whole = Math.max(1, Math.round(workers));
  return whole === 1 ? 'a single blocking worker' : `${formatCount(whole)} blocking workers`;
}

function keptUpWords({ keptUpPerSecond, fellBehindPerSecond }: Capacity): string {
  if (keptUpPerSecond === null || fellBehindPerSecond === null) return '';
  return ` It kept up with ${formatRate(keptUpPerSecond)} and not with ${formatRate(fellBehindPerSecond)}.`;
}
