import { formatMs, formatShare } from '#core/base/units.ts';
import { figure, type Found, type Rule } from '../rule.ts';

/** Linux delays an acknowledgement by at least 40 ms (TCP_DELACK_MIN). */
const STEP_MS = 40;
/** One step per round in which a response waits. More steps are lost in the timers' delay. */
const MAX_STEPS = 3;
/** Delay of the server and the timer. */
const LATE_TOLERANCE_MS = 6;
/** Histogram buckets, and a timer that begins before the last byte of the first part arrives. */
const EARLY_TOLERANCE_MS = 2;
/** Smallest share of responses that waited. */
const MIN_SHARE = 0.02;

/**
 * Finds responses that take 40 ms longer than others, with none in between. A response written in two parts delays the second (Nagle's algorithm) until the
 * first is acknowledged, which the other side delays.
 */
export const delayedAck: Rule = {
  id: 'delayedAck',
  find({ behaviour }) {
    return (behaviour?.groups ?? []).flatMap(({ stage, step, answers }): Found[] => {
      const [quick, ...later] = answers;
      if (quick === undefined || later.length === 0) return [];
      const isSteps = later.every(({ fromMs, medianMs }) => {
        const wait = medianMs - quick.medianMs;
        const steps = Math.max(1, Math.floor(wait / STEP_MS));
        return steps <= MAX_STEPS && wait <= steps * (STEP_MS + LATE_TOLERANCE_MS) && fromMs >= steps * STEP_MS - EARLY_TOLERANCE_MS;
      });
      const share = later.reduce((sum, group) => sum + group.share, 0);
      if (!isSteps || share < MIN_SHARE) return [];
      return [
        {
          id: `${this.id}.${stage}.${step}`,
          level: 'warning',
          sentence: `${formatShare(share)} of responses to “${step}” took about 40 ms longer than the others (${formatMs(later[0]?.medianMs ?? null)}, the others ${formatMs(quick.medianMs)}): that is a delayed acknowledgement of TCP, not work.`,
          evidence: [
            'Linux delays an acknowledgement by 40 ms. A server that sends a response in two writes with Nagle’s algorithm holds back the second one until then.',
          ],
          figures: [quick, ...later].map((group, index) =>
            figure(index === 0 ? 'Fast group' : 'Slow group', `${formatShare(group.share)} about ${formatMs(group.medianMs)}`),
          ),
          remedy: 'Switch on TCP_NODELAY at the server, or let it send head and body in one write.',
          confidence: 'likely',
          range: null,
          insteadOf: [`groups.${stage}.${step}`, `averageHides.${step}`, 'slowTail'],
        },
      ];
    });
  },
};
