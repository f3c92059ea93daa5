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

/** What covers more of a run than this tells nothing by its shade. */
const MOST_SHADED = 0.6;

/**
 * The ranges of the findings under their numbers in the list, and from where on the first limit was missed. One range is shaded at most: that of the finding that somebody
 * looks at (`shown`: its place), else that of the missed limit where it is a part of the run.
 */
export function shadedRanges(result: RunResult, shown: number | null = null): ShadedRange[] {
  const ranges = result.findings.flatMap(({ range, level }, index): ShadedRange[] =>
    range
      ? [
          {
            from: range.fromSecond,
            to: range.toSecond,
            label: String(index + 1),
            tone: TONES[level],
            look: index === shown ? 'shown' : 'marked',
          },
        ]
      : [],
  );
  const missed = result.objectives
    .filter(({ outcome, fromSecond }) => outcome === 'breaks' && fromSecond !== null)
    .sort((a, b) => (a.fromSecond ?? 0) - (b.fromSecond ?? 0))[0];
  if (!missed || missed.fromSecond === null) return ranges;
  const stage = result.stages.find(({ name }) => name === missed.stage);
  const to = stage?.endedAtSecond ?? endOf(result);
  const isPart = to - missed.fromSecond <= MOST_SHADED * endOf(result);
  const look = isPart && ranges.every((range) => range.look !== 'shown') ? 'shaded' : 'marked';
  return [{ from: missed.fromSecond, to, label: chartNames.missedFrom, tone: 'breaks', look }, ...ranges];
}
