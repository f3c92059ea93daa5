import { recordedRequests } from '#core/plan/requests.ts';
import { responseTimes } from '#core/measurement/cellFigures.ts';
import { encodeHdr } from '#core/statistics/hdrEncoding.ts';
import { addInto, newTotalHistogram, type Histogram } from '#core/statistics/histogram.ts';
import type { Window } from '#core/measurement/window.ts';
import type { RunResult } from '#core/result/schema.ts';

/** Maximum number of lines; adjacent seconds are merged beyond it. */
const MAX_LINES = 4_000;
const INTERVALS = [1, 10, 60, 600, 3_600] as const;

/** A line of the log: text before the histogram, and the histogram in encoding V2, uncompressed. */
export interface HlogLine {
  readonly before: string;
  readonly histogram: Uint8Array;
}

/** A log that is written incrementally. */
export interface Hlog {
  /** Header lines, each with a line feed. */
  readonly head: string;
  /** Adds the next window in time order. Returns the lines of an interval with the first window after it. */
  add(window: Window): HlogLine[];
  /** Returns the lines of the last interval. */
  end(): HlogLine[];
}

/**
 * Writes response times as a log of HDR histograms (format version 1.3, G. Tene, HdrHistogram: HistogramLogWriter),
 * one line per interval and step, with the step as the tag. Values are in microseconds; the column of the
 * maximum is in milliseconds. Includes complete responses of all stages, with warm-up; failures without a response have no time.
 */
export function newHlog({ run, plan, durationSeconds }: Pick<RunResult, 'run' | 'plan' | 'durationSeconds'>): Hlog {
  const names = recordedRequests(plan).map(({ name }) => tagOf(name));
  const seconds = intervalFor(durationSeconds ?? 0, names.length);
  const start = Date.parse(run.startedAt) / 1_000;
  const head = [
    `#[Logged with Holdfast ${run.holdfastVersion}, run ${run.id}: response times in microseconds, highest value in ms]`,
    '#[Histogram log format version 1.3]',
    `#[StartTime: ${start.toFixed(3)} (seconds since epoch), ${run.startedAt}]`,
    '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"',
  ];
  const linesOf = ({ from, to, steps }: Interval): HlogLine[] =>
    [...steps]
      .sort(([one], [other]) => one - other)
      .map(([step, times]) => {
        const tag = names.length > 1 ? `Tag=${names[step] ?? `step-${step + 1}`},` : '';
        const highest = (times.maxValue / 1_000).toFixed(3);
        return { before: `${tag}${from.toFixed(3)},${(to - from).toFixed(3)},${highest},`, histogram: encodeHdr(times) };
      });
  let current: Interval | null = null;
  return {
    head: `${head.join('\n')}\n`,
    add(window) {
      const ended = current !== null && window.second >= current.from + seconds ? current : null;
      if (ended !== null) current = null;
      current ??= {
        from: seconds === 1 ? window.second : Math.floor(window.second / seconds) * seconds,
        to: window.second,
        steps: new Map(),
      };
      addWindow(current, window);
      return ended === null ? [] : linesOf(ended);
    },
    end: () => (current === null ? [] : linesOf(current)),
  };
}

interface Interval {
  readonly from: number;
  to: number;
  readonly steps: Map<number, Histogram>;
}

function addWindow(interval: Interval, { second, width, cells }: Window): void {
  interval.to = Math.max(interval.to, second + width);
  for (const cell of cells) {
    const times = responseTimes(cell);
    if (times === undefined || times.totalCount === 0) continue;
    let sum = interval.steps.get(cell.step);
    if (sum === undefined) interval.steps.set(cell.step, (sum = newTotalHistogram()));
    addInto(sum, times);
  }
}

function intervalFor(seconds: number, steps: number): number {
  return INTERVALS.find((interval) => (seconds / interval) * Math.max(1, steps) <= MAX_LINES) ?? 3_600;
}

/** Replaces commas and white space, which tags must not contain. */
function tagOf(name: string): string {
  return name.replaceAll(/[\s,]+/g, '_');
}
