import {
  burstsSentence,
  capacitySentence,
  firstAnswersSentence,
  queueSentences,
  recoverySentence,
} from '#core/judgement/behaviour/words.ts';
import type { Finding } from '#core/result/schema.ts';
import { formatMs, formatSeconds } from '#core/base/units.ts';
import type { Rule } from '../rule.ts';

/** What the times give away about how the server works, where there is something to notice. */
export const behaviour: Rule = {
  id: 'behaviour',
  find({ behaviour: seen }) {
    if (seen === null) return [];
    const slow = seen.firstAnswers.filter(({ isSlowAtFirst }) => isSlowAtFirst === true);
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
          [`The first ones, in order: ${first.first.map(formatMs).join(', ')}.`],
          'A server that loads code or fills caches when it is first asked is so each time that it is started. Warm it up before it meets people, and before a test that counts.',
        ),
      ),
      ...(waiting.length === 0 ? [] : queueSentences(waiting)).map((sentence, index) =>
        finding(
          `queue.${index + 1}`,
          'info',
          sentence,
          ['Response times grow with the place in the queue, more than chance would make them (Theil and Sen).'],
          'More workers, processes or servers make the queue shorter in proportion, a faster request too.',
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
                  ? 'Each burst before it had been answered when the next began.'
                  : 'Some bursts before it were still being answered when the next began.',
              ],
              'What comes at the same moment has to fit into the patience of the proxy: its limit by the time of a request, times how many are worked on at a time.',
            ),
          ]),
      ...lasting.map((recovery, index) =>
        finding(
          `recovery.${index + 1}`,
          'warning',
          recoverySentence(recovery),
          [
            `It was watched for ${formatSeconds(recovery.watchedSeconds)}; before it, 9 of 10 answers took at most ${formatMs(recovery.beforeMs)}.`,
          ],
          'What came then is still being worked off, perhaps for people who have long gone. A shorter queue would refuse them sooner and be done sooner.',
        ),
      ),
      ...(capacity?.isLimited !== true
        ? []
        : [
            finding(
              'capacity',
              'info',
              capacitySentence(capacity),
              ['Workers are answers a second times the time of one. Dividing instead is a common mistake.'],
              'Beyond that rate its queue grows for as long as it lasts.',
            ),
          ]),
    ];
  },
};
