import { isSteady } from '#core/work/load/stages.ts';
import type { Finding } from '#core/result/schema.ts';
import { grows, type Reading, secondsToLimit, type Trend, trendOf } from '#core/statistics/trend.ts';
import { formatMs, formatNumber, formatSeconds } from '#core/base/units.ts';
import { type Rule, type MeasuredRun, watchedReadings } from '../rule.ts';

/** Shorter runs show mostly their own beginning. */
const MIN_SECONDS = 30;
/** Smallest slowdown from beginning to end, as a share and in ms. */
const MIN_SLOWDOWN_SHARE = 0.2;
const MIN_SLOWDOWN_MS = 10;

/** Finds watched numbers that grow, with the time until they reach their limit. */
export const watchedGrowth: Rule = {
  id: 'watchedGrowth',
  find({ plan, generators }) {
    return (plan.watch ?? []).flatMap(({ name, limit }): Finding[] => {
      const readings = watchedReadings(generators, name);
      const trend = trendOf(readings);
      if (readings.length === 0)
        return [
          {
            id: `${this.id}.${name}`,
            level: 'warning',
            sentence: `“${name}” could not be read during the run.`,
            evidence: ['Its address returned no number.'],
            remedy: 'Open its address: it must return a number, or JSON with a number at the path that the plan names.',
            confidence: 'certain',
            range: null,
          },
        ];
      if (trend === null || trend.seconds < MIN_SECONDS || !grows(trend)) return [];
      const left = limit === undefined ? null : secondsToLimit(trend, limit);
      return [
        {
          id: `${this.id}.${name}`,
          level: limit === undefined ? 'info' : 'warning',
          sentence: `“${name}” grew by ${perMinute(trend.perSecond)} a minute, from ${formatNumber(trend.from)} to ${formatNumber(trend.to)}${
            left === null || limit === undefined
              ? ''
              : `: at this pace it reaches ${formatNumber(limit)} about ${formatSeconds(left.expected)} after the end of the test`
          }.`,
          evidence: [
            `${readings.length} readings in ${formatSeconds(trend.seconds)}; 95 % interval of the growth: ${perMinute(trend.low)} to ${perMinute(trend.high)} a minute.`,
            ...(left === null
              ? []
              : [`Between ${formatSeconds(left.earliest)} and ${left.latest === null ? 'never' : formatSeconds(left.latest)}.`]),
          ],
          remedy:
            'Something is opened and never released. A longer test shows whether it stops: pools grow to their size and stay there, leaks keep growing.',
          confidence: 'likely',
          range: null,
        },
      ];
    });
  },
};

/** Finds responses that become slower under constant load. */
export const slowerAndSlower: Rule = {
  id: 'slowerAndSlower',
  find(facts) {
    return facts.stages.flatMap((stage): Finding[] => {
      const { level, startedAtSecond, endedAtSecond: to } = stage;
      if (!stage.counted || !isSteady(level) || startedAtSecond === null || to === null) return [];
      const from = startedAtSecond + countedStartUpSeconds(facts, stage.name);
      const trend = trendOf(latencyReadings(facts, from, to));
      if (trend === null || trend.seconds < MIN_SECONDS || !grows(trend) || !isNoticeable(trend)) return [];
      return [
        {
          id: `${this.id}.${stage.name}`,
          level: 'warning',
          sentence: `Responses slowed down throughout “${stage.name}” at constant load: the median grew from ${formatMs(trend.from)} to ${formatMs(trend.to)}.`,
          evidence: [
            `By ${formatMs(trend.perSecond * 60)} a minute; 95 % interval: ${formatMs(trend.low * 60)} to ${formatMs(trend.high * 60)}.`,
          ],
          remedy: 'Something fills up: a queue, memory, a table without an index. Run it longer to see where it ends.',
          confidence: 'likely',
          range: { fromSecond: from, toSecond: to },
        },
      ];
    });
  },
};

/** During the start-up of users the load grows. */
function countedStartUpSeconds({ plan }: MeasuredRun, name: string): number {
  const stage = plan.load.stages.find((one) => one.name === name);
  return stage !== undefined && 'users' in stage && stage.startUpCounts === true ? stage.startUpSeconds : 0;
}

function latencyReadings({ windows }: MeasuredRun, from: number, to: number): Reading[] {
  return windows.flatMap(({ second, width, p50 }) =>
    p50 === null || second < from || second + width > to ? [] : [{ second: second + width / 2, value: p50 }],
  );
}

function isNoticeable({ from, to }: Trend): boolean {
  return to - from > MIN_SLOWDOWN_MS && to - from > MIN_SLOWDOWN_SHARE * Math.max(0, from);
}

function perMinute(perSecond: number): string {
  return formatNumber(perSecond * 60);
}
