import { uncountedSecondsOf } from '#core/work/load/stages.ts';
import type { Finding, RunResult } from '#core/result/schema.ts';
import type { ShadedRange, StageBand } from './types.ts';
import { chartNames } from './names.ts';

/** Shorter than this, the drain needs no name of its own on the axis. */
const LEAST_DRAIN_SECONDS = 1;

/** The last second of the time axis. */
export function endOf({ durationSeconds, windows }: RunResult): number {
  const last = windows.at(-1);
  return Math.max(durationSeconds ?? 0, last ? last.second + last.width : 0, 1);
}

/** One second alone has no course over time: its figures say all of it. */
export function hasCourse(points: readonly unknown[]): boolean {
  return points.length > 1;
}

/** The stages that began, those of users with what came before all of them ran, with the drain after them. */
export function stageBands(result: RunResult): StageBand[] {
  const end = endOf(result);
  const bands = result.stages.flatMap(({ name, counted, startedAtSecond, endedAtSecond }, index): StageBand[] => {
    if (startedAtSecond === null) return [];
    const stage = result.plan.load.stages[index];
    const before = stage ? Math.min(uncountedSecondsOf(stage), startedAtSecond) : 0;
    const startUp = { name: chartNames.startUp, counted: false, from: startedAtSecond - before, to: startedAtSecond };
    return [...(before > 0 ? [startUp] : []), { name, counted, from: startedAtSecond, to: endedAtSecond ?? end }];
  });
  const lastEnd = bands.reduce((latest, { to }) => Math.max(latest, to), 0);
  return bands.length > 0 && end - lastEnd > LEAST_DRAIN_SECONDS
    ? [...bands, { name: chartNames.drain, counted: false, from: lastEnd, to: end }]
    : bands;
}

const TONES: Readonly<Record<Finding['level'], ShadedRange['tone']>> = { problem: 'breaks', warning: 'inconclusive', info: 'info' };

/**
 * The ranges of the findings under their numbers in the list, and from where on the first criterion was failed; the chart of what it judges shades the seconds themselves. `shown`: the
 * place of the finding that somebody looks at.
 */
export function shadedRanges(result: RunResult, shown: number | null = null): ShadedRange[] {
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
        tone: TONES[level],
        look: index === shown ? 'shown' : 'marked',
      },
    ];
  });
  const failed = failedFrom(result);
  return failed === null ? ranges : [failed, ...ranges];
}

/** From the first failure of a criterion to the end of its stage; null where none failed, or nobody knows since when. */
function failedFrom(result: RunResult): ShadedRange | null {
  const [first] = result.objectives
    .flatMap(({ outcome, fromSecond, ...rest }) => (outcome === 'breaks' && fromSecond !== null ? [{ fromSecond, ...rest }] : []))
    .sort((one, other) => one.fromSecond - other.fromSecond);
  if (first === undefined) return null;
  const from = first.fromSecond;
  const to = result.stages.find(({ name }) => name === first.stage)?.endedAtSecond ?? endOf(result);
  const spans = [{ second: from, width: Math.max(0, to - from) }];
  return { from, to, spans, label: chartNames.missedFrom, sentence: first.reason, tone: 'breaks', look: 'marked' };
}
