import { encodeIntoCompressedBase64 } from 'hdr-histogram-js';
import { recordedRequests } from '../journey/requests.ts';
import { responseTimes } from '../stats/cellFigures.ts';
import { addInto, newTotalHistogram, type Histogram } from '../stats/histogram.ts';
import type { Window } from '../stats/window.ts';
import type { RunResult } from './result.ts';

/** More lines than this take long to write and nobody reads them; neighbouring seconds are then added up. */
const MOST_LINES = 4_000;
const INTERVALS = [1, 10, 60, 600, 3_600] as const;

/**
 * The response times of every interval as a log of HDR histograms (version 1.3 of its format, G. Tene, HdrHistogram: HistogramLogWriter),
 * for the tools that read it: a line for each interval and step, the step as the tag. Values are microseconds; the column of the
 * highest value is in milliseconds. Of complete answers of all stages, warm-up included; failures without an answer have no time.
 * Windows come in order of time.
 */
export function formatHlog(
  { run, plan, durationSeconds }: Pick<RunResult, 'run' | 'plan' | 'durationSeconds'>,
  windows: Iterable<Window>,
): string {
  const names = recordedRequests(plan).map(({ name }) => tagOf(name));
  const interval = intervalFor(durationSeconds ?? 0, names.length);
  const start = Date.parse(run.startedAt) / 1_000;
  const lines = [
    `#[Logged with Holdfast ${run.holdfastVersion}, run ${run.id}: response times in microseconds, highest value in ms]`,
    '#[Histogram log format version 1.3]',
    `#[StartTime: ${start.toFixed(3)} (seconds since epoch), ${run.startedAt}]`,
    '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"',
  ];
  for (const { from, to, steps } of intervals(windows, interval))
    for (const [step, times] of [...steps].sort(([one], [other]) => one - other)) {
      const tag = names.length > 1 ? `Tag=${names[step] ?? `step-${step + 1}`},` : '';
      const highest = (times.maxValue / 1_000).toFixed(3);
      lines.push(`${tag}${from.toFixed(3)},${(to - from).toFixed(3)},${highest},${encodeIntoCompressedBase64(times)}`);
    }
  return `${lines.join('\n')}\n`;
}

interface Interval {
  readonly from: number;
  to: number;
  readonly steps: Map<number, Histogram>;
}

function* intervals(windows: Iterable<Window>, seconds: number): Generator<Interval> {
  let current: Interval | null = null;
  for (const window of windows) {
    const begins = Math.floor(window.second / seconds) * seconds;
    if (current !== null && window.second >= current.from + seconds) {
      yield current;
      current = null;
    }
    current ??= { from: seconds === 1 ? window.second : begins, to: window.second, steps: new Map() };
    current.to = Math.max(current.to, window.second + window.width);
    for (const cell of window.cells) {
      const times = responseTimes(cell);
      if (times === undefined || times.totalCount === 0) continue;
      let sum = current.steps.get(cell.step);
      if (sum === undefined) current.steps.set(cell.step, (sum = newTotalHistogram()));
      addInto(sum, times);
    }
  }
  if (current !== null) yield current;
}

function intervalFor(seconds: number, steps: number): number {
  return INTERVALS.find((interval) => (seconds / interval) * Math.max(1, steps) <= MOST_LINES) ?? 3_600;
}

/** A tag may hold no comma, blank or line break. */
function tagOf(name: string): string {
  return name.replaceAll(/[\s,]+/g, '_');
}
