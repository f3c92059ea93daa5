import type { Groups } from '#core/result/behaviour.ts';
import { recordedRequests } from '#core/plan/requests.ts';
import { generatorNames } from '#core/result/generatorNames.ts';
import type { TimeGroup } from '#core/measurement/groups.ts';
import { formatCount, formatMs, formatShare } from '#core/base/units.ts';
import { differentOnPurpose, figure, type Found, pointsBetween, rangeOf, type Rule, type MeasuredRun } from '../rule.ts';
import { type Retry, retryAfter } from './retries.ts';

/** From this share on, slow responses are a separate kind rather than exceptions. */
const MIN_KIND_SHARE = 0.05;
/** Smallest distance of an exception that is reported. */
const MIN_DISTANCE_MS = 500;
/** Largest share of the time in which all slow responses arrived, for a single cause at one time. */
const MAX_MOMENT_SHARE = 0.1;
/** Smallest share of slow responses in seconds where most are slow, and of quick ones in seconds where almost none is. */
const MIN_SEPARATED_SHARE = 0.8;

/** Finds times in two separate groups, because their percentiles and mean are misleading. */
export const groups: Rule = {
  id: 'groups',
  find(facts) {
    const onPurpose = differentOnPurpose(facts.plan);
    return (facts.behaviour?.groups ?? []).flatMap((seen): Found[] => {
      if (onPurpose.has(seen.step) || seen.answers.length < 2) return [];
      const [usual, ...others] = seen.answers;
      const slow = others.at(-1);
      if (usual === undefined || slow === undefined || changesWithTime(facts, seen, usual, others)) return [];
      const most = seen.answers.reduce((largest, group) => (group.count > largest.count ? group : largest));
      const beyond = others.reduce((sum, group) => sum + group.share, 0);
      const isKind = beyond >= MIN_KIND_SHARE;
      if (!isKind && slow.medianMs < MIN_DISTANCE_MS) return [];
      const retry = isKind
        ? null
        : (others.map((group) => retryAfter(group.medianMs - usual.medianMs)).find((one) => one !== null) ?? null);
      const range = isKind ? null : momentOf(facts, seen, others[0]?.fromMs ?? slow.fromMs);
      return [
        {
          id: `${this.id}.${seen.stage}.${seen.step}`,
          level: isKind ? 'info' : 'warning',
          sentence: isKind
            ? `Responses to “${seen.step}” fall into ${formatCount(seen.answers.length)} groups: ${seen.answers.map(words).join(', ')}, with almost none between. Each percentile describes one group only.`
            : `${formatShare(beyond)} of responses to “${seen.step}” took far longer than all others: about ${formatMs(slow.medianMs)}; the others took about ${formatMs(usual.medianMs)} and at most ${formatMs(usual.toMs)}.${retry === null ? '' : ` That is when ${retry.who}.`}`,
          evidence: [
            `Between ${formatMs(usual.toMs)} and ${formatMs(others[0]?.fromMs ?? slow.fromMs)} there were almost no responses. A server that is merely slow shows no such gap.`,
            ...(range === null || isKind ? [] : ['They all came at the same time, not spread over the run.']),
            ...connecting(facts, seen, retry),
          ],
          figures: seen.answers.map((group) =>
            figure(
              group === most ? 'Largest group' : group.medianMs < most.medianMs ? 'Fast group' : 'Slow group',
              `${formatCount(group.count)}, ${formatMs(group.fromMs)} to ${formatMs(group.toMs)}, median ${formatMs(group.medianMs)}`,
            ),
          ),
          remedy: isKind
            ? 'Often the fast responses come from a cache, or are refusals. Do not set a latency criterion inside the gap.'
            : (retry?.remedy ??
              'Look for something that waits and retries: a lock, a pool without a free connection, a proxy time-out, a pause of the program.'),
          confidence: 'likely',
          range,
          insteadOf: [...(isKind ? [] : ['slowTail']), `averageHides.${seen.step}`],
        },
      ];
    });
  },
};

function words({ share, medianMs }: TimeGroup): string {
  return `${formatShare(share)} about ${formatMs(medianMs)}`;
}

/** Says whether opening the connection or a later phase took the time. */
function connecting({ generators }: MeasuredRun, { connects }: Groups, retry: Retry | null): string[] {
  if (retry === null) return [];
  const late = connects.slice(1).some(({ medianMs }) => retryAfter(medianMs)?.seconds === retry.seconds);
  return [
    late
      ? `Opening the connection took that long, so the delay is between ${generatorNames(generators)} and the server.`
      : 'Opening connections was not that slow where measured, so the delay is behind the server.',
  ];
}

/**
 * Returns whether quick and slow responses occurred at different times; then other rules report the change. The last seconds of a load contain only slow
 * responses, so nearly all slow ones must lie in such seconds. Seconds are sums over all steps, so with several steps this is unknown.
 */
function changesWithTime(facts: MeasuredRun, { stage }: Groups, usual: TimeGroup, others: readonly TimeGroup[]): boolean {
  if (recordedRequests(facts.plan).length > 1) return false;
  const at = facts.stages.findIndex(({ name }) => name === stage);
  // Responses of a load arrive until the next one begins.
  const points = pointsBetween(facts, facts.stages[at]?.startedAtSecond ?? null, facts.stages[at + 1]?.startedAtSecond ?? Infinity);
  const slow = others.reduce((sum, { count }) => sum + count, 0);
  // The middle of the gap, because figures at its limits are rounded.
  const betweenMs = (usual.toMs + (others[0]?.fromMs ?? Infinity)) / 2;
  const inSlowSeconds = points.reduce((sum, { p50, ok }) => sum + ((p50 ?? 0) > betweenMs ? ok : 0), 0);
  const inQuickSeconds = points.reduce((sum, { p90, ok }) => sum + ((p90 ?? Infinity) < betweenMs ? ok : 0), 0);
  return inSlowSeconds >= MIN_SEPARATED_SHARE * slow && inQuickSeconds >= MIN_SEPARATED_SHARE * usual.count;
}

/** Returns the short time in which all slow responses arrived; null if they are spread out. */
function momentOf(facts: MeasuredRun, { stage }: Groups, fromMs: number): Found['range'] {
  const points = pointsOf(facts, stage);
  const hit = points.filter(({ max }) => (max ?? 0) >= fromMs);
  const range = rangeOf(hit);
  const all = rangeOf(points);
  if (range === null || all === null) return null;
  return range.toSecond - range.fromSecond <= MAX_MOMENT_SHARE * (all.toSecond - all.fromSecond) ? range : null;
}

function pointsOf(facts: MeasuredRun, name: string): MeasuredRun['windows'] {
  const stage = facts.stages.find((one) => one.name === name);
  return pointsBetween(facts, stage?.startedAtSecond ?? null, stage?.endedAtSecond ?? null);
}
