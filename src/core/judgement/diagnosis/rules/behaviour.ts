import {
  burstsSentence,
  capacitySentence,
  firstAnswersSentence,
  queueSentences,
  recoverySentence,
} from '#core/judgement/behaviour/words.ts';
import type { FirstAnswers } from '#core/result/behaviour.ts';
import type { Finding, Point } from '#core/result/schema.ts';
import { formatMs, formatPortion, formatSeconds } from '#core/base/units.ts';
import type { Rule } from '../rule.ts';

/** Number of first responses, each slower than the one before, that show a queue of users who start at once. */
const MIN_QUEUED = 7;
/** A later second with this share of the first second's requests has the same load. */
const MIN_SAME_LOAD = 0.8;
const MAX_QUICK_RATIO = 1.5;

/** Returns whether later requests at the same rate were quick. Otherwise the first ones were slow because they were many. */
function isCold({ first, restMedian }: FirstAnswers, windows: readonly Point[]): boolean {
  const later = first.slice(1).filter((time, index) => time > (first[index] ?? 0)).length;
  if (later >= MIN_QUEUED) return false;
  const [begin, ...others] = windows.filter(({ started }) => started > 0);
  if (begin === undefined || restMedian === null) return true;
  return others.some(
    ({ started, width, p50 }) =>
      started / width >= (MIN_SAME_LOAD * begin.started) / begin.width && p50 !== null && p50 <= MAX_QUICK_RATIO * restMedian,
  );
}

/** Reports noteworthy server behaviour found from the times. */
export const behaviour: Rule = {
  id: 'behaviour',
  find({ behaviour: seen, windows }) {
    if (seen === null) return [];
    const slow = seen.firstAnswers.filter((first) => first.isSlowAtFirst === true && isCold(first, windows));
    const waiting = seen.queues.filter(({ queues }) => queues === true);
    const { bursts, capacity } = seen;
    const lasting = seen.recoveries.filter(({ seconds, reason }) => seconds === null && reason === null);
    const finding = (id: string, level: Finding['level'], sentence: string, evidence: readonly string[], remedy: string): Finding => ({
      id: `${this.id}.${id}`,
      level,
      sentence,
      evidence: [...evidence],
      remedy,
      confidence: 'likely',
      range: null,
    });
    return [
      ...slow.map((first) =>
        finding(
          `first.${first.step}`,
          'info',
          firstAnswersSentence(first),
          [`The first responses, in order: ${first.first.map(formatMs).join(', ')}.`],
          'A server that loads code or fills caches on its first requests is slow after each start. Warm it up before it serves users, and before a test that counts.',
        ),
      ),
      ...(waiting.length === 0 ? [] : queueSentences(waiting)).map((sentence, index) =>
        finding(
          `queue.${index + 1}`,
          'info',
          sentence,
          ['Response times grow with the place in the queue, beyond chance (Theil–Sen estimator).'],
          'More workers, processes or servers shorten the queue in proportion; so do faster requests.',
        ),
      ),
      ...(bursts?.smallestBad == null
        ? []
        : [
            finding(
              'bursts',
              'warning',
              burstsSentence(bursts),
              [
                bursts.drained
                  ? 'All responses to each earlier burst had arrived when the next burst began.'
                  : 'Responses to some earlier bursts were outstanding when the next burst began.',
              ],
              'A burst must fit the proxy’s time-out: time-out / time of one request × requests processed at a time.',
            ),
          ]),
      ...lasting.map((recovery, index) =>
        finding(
          `recovery.${index + 1}`,
          'warning',
          recoverySentence(recovery),
          [
            `Watched for ${formatSeconds(recovery.watchedSeconds)}; before the peak, ${formatPortion(90)} of responses took at most ${formatMs(recovery.beforeMs)}.`,
          ],
          'The server is still working off requests of the peak, perhaps for users who left long ago. A shorter queue refuses them sooner and recovers sooner.',
        ),
      ),
      ...(capacity?.isLimited !== true
        ? []
        : [
            finding(
              'capacity',
              'info',
              capacitySentence(capacity),
              ['Workers = responses a second × time of one. Dividing instead is a common mistake.'],
              'Above that rate, its queue grows for as long as the load lasts.',
            ),
          ]),
    ];
  },
};
