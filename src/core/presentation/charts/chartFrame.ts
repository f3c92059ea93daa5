import { countUncountedSeconds } from '#core/work/load/stages.ts';
import type { Finding, RunResult } from '#core/result/schema.ts';
import type { ShadedRange, StageBand } from './types.ts';
import { chartNames } from './names.ts';

/** Minimum length in seconds of a drain that has a label on the axis. */
const MIN_DRAIN_SECONDS = 1;

/** Returns the last second of the time axis. */
export function endOf({ durationSeconds, windows }: RunResult): number {
  const last = windows.at(-1);
  return Math.max(durationSeconds ?? 0, last ? last.second + last.width : 0, 1);
}

/** Returns whether there are several points; a single second needs no chart. */
export function hasCourse(points: readonly unknown[]): boolean {
  return points.length > 1;
}

/** Returns the stages that started, and the drain. Stages of users are split at the time from which all users ran. */
export function stageBands(result: RunResult): StageBand[] {
  const end = endOf(result);
  const bands = result.stages.flatMap(({ name, counted, startedAtSecond, endedAtSecond }, index): StageBand[] => {
    if (startedAtSecond === null) return [];
    const stage = result.plan.load.stages[index];
    const before = stage ? Math.min(countUncountedSeconds(stage), startedAtSecond) : 0;
    const startUp = { name: chartNames.startUp, counted: false, from: startedAtSecond - before, to: startedAtSecond };
    return [...(before > 0 ? [startUp] : []), { name, counted, from: startedAtSecond, to: endedAtSecond ?? end }];
  });
  const lastEnd = bands.reduce((latest, { to }) => Math.max(latest, to), 0);
  return bands.length > 0 && end - lastEnd > MIN_DRAIN_SECONDS
    ? [...bands, { name: chartNames.drain, counted: false, from: lastEnd, to: end }]
    : bands;
}

const TONE_BY_LEVEL: Readonly<Record<Finding['level'], ShadedRange['tone']>> = { problem: 'failed', warning: 'inconclusive', info: 'info' };

/**
 * Returns the ranges of findings with their numbers, and the range after the first failed criterion. The chart of the criterion shades the
 * violating seconds themselves. `shown`: index of the selected finding.
 */
export function listShadedRanges(result: RunResult, shown: number | null = null): ShadedRange[] {
  const ranges = result.findings.flatMap(({ range, level, sentence }, index): ShadedRange[] => {
    if (range === null) return [];
    const { fromSecond, toSecond, spans = [range] } = range;
    return [
      {
        from: fromSecond,
        to: toSecond,
        spans: spans.map((span) => ({ second: span.fromSecond, width: span.toSecond - span.fromSecond })),
        label: String(index + 1),
        sentence,
        tone: TONE_BY_LEVEL[level],
        look: index === shown ? 'shown' : 'marked',
      },
    ];
  });
  const failed = findFailedRange(result);
  return failed === null ? ranges : [failed, ...ranges];
}

/** Returns the range from the first failure of a criterion to the end of its stage; null if there is no failure or its start is unknown. */
function findFailedRange(result: RunResult): ShadedRange | null {
  const [first] = result.criteria
    .flatMap(({ outcome, fromSecond, ...rest }) => (outcome === 'failed' && fromSecond !== null ? [{ fromSecond, ...rest }] : []))
    .sort((one, other) => one.fromSecond - other.fromSecond);
  if (first === undefined) return null;
  const from = first.fromSecond;
  const to = result.stages.find(({ name }) => name === first.stage)?.endedAtSecond ?? endOf(result);
  const spans = [{ second: from, width: Math.max(0, to - from) }];
  return { from, to, spans, label: chartNames.failingFrom, sentence: first.reason, tone: 'failed', look: 'marked' };
}
