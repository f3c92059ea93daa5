import { capitalize } from '#core/base/text.ts';
import { formatPart, formatCount, formatMs, formatPercent, formatRate, formatShare } from '#core/base/units.ts';
import { cutCount } from '#core/measurement/streamCell.ts';
import type { Point } from '#core/result/schema.ts';
import { CUT_WORDS, type StreamsResult } from '#core/result/streams.ts';
import type { LatencySummary } from '#core/statistics/latency.ts';
import { type Draft, figure, MAX_NEGLIGIBLE_SHARE, type MeasuredRun, rangeOf, type Rule, rule } from '../rule.ts';
import { sumOf } from '#core/base/lists.ts';

type StreamStep = StreamsResult['steps'][number];

function ruleForEachStream(id: string, find: (step: StreamStep, facts: MeasuredRun) => Draft | null): Rule {
  return rule(id, (facts) =>
    (facts.streams?.steps ?? []).map((step) => {
      const found = find(step, facts);
      return found && { of: step.name, ...found };
    }),
  );
}

const MIN_EVENTS = 30;
/** Minimum share of events that arrive together with another one if something buffers them. */
const MIN_TOGETHER_SHARE = 0.5;
const MIN_BURST_MS = 500;
/** Minimum mean wait of buffered events, as a share of the time between bursts. The expected value is one half. */
const MIN_WAIT_SHARE = 0.25;

/** Finds events that arrive late in bursts, because something buffers them. */
export const eventsBuffered = ruleForEachStream('eventsBuffered', ({ name, figures }) => {
  const { events, together, gaps, delays } = figures;
  const between = medianOf(gaps);
  const waited = medianOf(delays);
  if (events < MIN_EVENTS || together < MIN_TOGETHER_SHARE * events || between === null || between < MIN_BURST_MS) return null;
  if (waited !== null && waited < MIN_WAIT_SHARE * between) return null;
  return {
    level: waited === null ? 'warning' : 'problem',
    sentence: `Events of “${name}” arrive in bursts ${formatMs(between)} apart: ${formatPercent(together / events)} came together with another one.${
      waited === null ? '' : ` Half of them were ${formatMs(waited)} old.`
    }`,
    evidence: [
      'A proxy that buffers responses passes events on when its buffer is full or its time is up.',
      waited === null && 'The events do not say when they were sent, so a server that sends them in bursts looks the same.',
    ],
    figures: [
      figure('Events', formatCount(events)),
      figure('In one read with the event before', formatCount(together)),
      figure('Between two bursts, p50', formatMs(between)),
      delays !== null && figure('Delay p50, p95', `${formatMs(delays.p50)}, ${formatMs(delays.p95)}`),
    ],
    remedy:
      'Turn response buffering off for this path: X-Accel-Buffering: no in the response, or proxy_buffering off in nginx. Compression buffers too.',
    confidence: waited === null ? 'possible' : 'likely',
  };
});

const MIN_CUTS = 5;
/** Tolerance of the times at which a clock cuts streams, relative and in ms. */
const TIME_TOLERANCE = 0.1;
const TIME_TOLERANCE_MS = 1_100;
const MIN_LIMIT_MS = 1_000;
/** Minimum number of times at which streams were cut. A restart cuts all streams once, and a clock cuts them repeatedly. */
const MIN_EPISODES = 2;
const MIN_APART_SECONDS = 2;

/** Finds streams that are cut after a fixed time of silence, or after a fixed duration. */
export const streamTimeout = ruleForEachStream('streamTimeout', ({ name, figures }, { windows }) => {
  const cut = cutCount(figures);
  if (cut < MIN_CUTS) return null;
  const silent = constantValue(figures.silence);
  const duration = silent === null ? constantValue(figures.held) : null;
  const limit = silent ?? duration;
  if (limit === null || limit < MIN_LIMIT_MS || countEpisodes(windows) < MIN_EPISODES) return null;
  return {
    level: 'problem',
    sentence:
      silent === null
        ? `Streams of “${name}” are cut after ${formatMs(limit)}, whatever they send: ${formatCount(cut)} times.`
        : `Streams of “${name}” are cut after ${formatMs(limit)} without an event: ${formatCount(cut)} times.`,
    evidence: [
      silent === null
        ? 'The cut streams all lasted the same time: a limit on the length of a request or a response.'
        : 'The cut streams were all silent for the same time: the idle time-out of a proxy, a load balancer or a firewall.',
      'Listeners come back, but each cut costs a request and the time until the listener is back.',
    ],
    figures: [
      figure('Cut', `${formatCount(figures.ended)} ended, ${formatCount(figures.lost)} lost`),
      figures.silence !== null && figure('Silent before the cut: min, p50, max', formatRange(figures.silence)),
      figures.held !== null && figure('Open until the cut: min, p50, max', formatRange(figures.held)),
    ],
    remedy:
      silent === null
        ? 'Raise the time limit for this path, or let the server end streams at different times.'
        : 'Send a comment line (“:”) more often than that, or raise the idle time-out of the proxy (nginx proxy_read_timeout).',
    confidence: 'likely',
    range: rangeOf(windows.filter(({ streams }) => (streams?.cut ?? 0) > 0)),
    insteadOf: ['streamsCut.*', 'reconnectStorm'],
  };
});

/** Minimum share of the open streams, cut within two seconds, that indicates a restart. */
const MIN_CUT_SHARE = 0.5;
const MIN_STORM_STREAMS = 10;
const STORM_SECONDS = 5;

/** Finds that most listeners were cut at once and reconnected at once. */
export const reconnectStorm = rule('reconnectStorm', ({ windows, streams }) => {
  if (streams === null) return [];
  for (const [index, point] of windows.entries()) {
    const cutPoints = [point, ...windowsAfter(windows, index, 1)];
    const cut = countOf(cutPoints, 'cut');
    const newcomers = countOf(cutPoints, 'opened') - countOf(cutPoints, 'reopened');
    const listeners = (windows[index - 1]?.streams?.open ?? 0) + newcomers;
    // If listeners were cut more than once in two seconds, streams are short, and there was no restart.
    if (cut < MIN_STORM_STREAMS || cut < MIN_CUT_SHARE * listeners || cut > listeners) continue;
    const after = [point, ...windowsAfter(windows, index, STORM_SECONDS)];
    const busiest = after.reduce((most, each) => (reopenRate(each) > reopenRate(most) ? each : most), point);
    if (countOf(after, 'reopened') < MIN_CUT_SHARE * cut) continue;
    const failed = sumOf(after, (each) => each.failed);
    return {
      level: failed > 0 ? 'problem' : 'warning',
      sentence: `${capitalize(formatPart(cut, listeners))} listeners were cut at once and came back with up to ${formatRate(reopenRate(busiest))}${
        failed > 0 ? `; ${formatCount(failed)} requests failed` : ''
      }.`,
      evidence: ['A restart of the server or of a proxy cuts all streams. All listeners wait the same time, so they return together.'],
      figures: [
        figure('Cut within 2 s', formatCount(cut)),
        figure('Reopened within 5 s', formatCount(countOf(after, 'reopened'))),
        figure('Failed requests meanwhile', formatCount(failed)),
      ],
      remedy: 'Send each listener its own retry time (“retry:”), spread over as many seconds as the server needs to take all of them back.',
      range: rangeOf(after),
      insteadOf: ['streamsCut.*'],
    };
  }
  return [];
});

/** Finds streams that were cut for an unknown reason. */
export const streamsCut = ruleForEachStream('streamsCut', ({ name, figures }, { windows }) => {
  const cut = cutCount(figures);
  if (cut === 0 || cut < MAX_NEGLIGIBLE_SHARE * figures.opened) return null;
  return {
    level: 'warning',
    sentence: `${formatCount(cut)} streams of “${name}” were cut while their listeners wanted to stay.`,
    evidence: ['Listeners come back, and events meanwhile reach them late or never.'],
    figures: [figure(CUT_WORDS.ended, formatCount(figures.ended)), figure(CUT_WORDS.lost, formatCount(figures.lost))],
    remedy: 'Look in the logs of server and proxy for what happened at these times.',
    range: rangeOf(windows.filter(({ streams }) => (streams?.cut ?? 0) > 0)),
  };
});

/** Finds skipped sequence numbers, which belong to events that no listener received. */
export const eventsMissed = ruleForEachStream('eventsMissed', ({ name, figures }, { windows }) => {
  const { missed, events } = figures;
  if (missed <= 0) return null;
  return {
    level: 'problem',
    sentence: `${formatCount(missed)} events of “${name}” never arrived: ${formatShare(missed / (missed + events))} of those sent.`,
    evidence: ['The events are numbered, and these numbers were skipped. A listener who does not notice shows old data.'],
    figures: [figure('Events that arrived', formatCount(events)), figure('Streams reopened', formatCount(figures.reopened))],
    remedy: 'Keep events for listeners who come back with Last-Event-ID, and make them reload what is too old.',
    range: rangeOf(windows.filter(({ streams }) => (streams?.missed ?? 0) > 0)),
  };
});

/** Minimum share of events that arrive before their sending time if clocks differ. */
const MIN_EARLY_SHARE = 0.01;

/** Finds events that arrived before they were sent, which means that delays include a difference between clocks. */
export const clocksDiffer = ruleForEachStream('clocksDiffer', ({ name, figures }) => {
  const { early, events } = figures;
  if (early < MIN_EARLY_SHARE * events || early === 0) return null;
  return {
    level: 'warning',
    sentence: `${formatPercent(early / events)} of events of “${name}” arrived before they were sent: the clocks of server and load generator differ, and delays are too short.`,
    evidence: ['The delay compares the instant in the event with the clock of the load generator.'],
    figures: [figure('Arrived before they were sent', `${formatCount(early)} of ${formatCount(events)}`)],
    remedy: 'Synchronize both clocks (NTP), and measure again.',
  };
});

/** Returns the number of times at which streams were cut. Cuts in neighbouring seconds count once. */
function countEpisodes(windows: readonly Point[]): number {
  let episodes = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (const { second, streams } of windows) {
    if ((streams?.cut ?? 0) === 0) continue;
    if (second - last > MIN_APART_SECONDS) episodes += 1;
    last = second;
  }
  return episodes;
}

function medianOf(summary: LatencySummary | null): number | null {
  return typeof summary?.p50 === 'number' ? summary.p50 : null;
}

/** Returns the time that nearly all streams have in common; null if they differ. */
function constantValue(summary: LatencySummary | null): number | null {
  if (summary === null) return null;
  const { p50, p95, min } = summary;
  if (typeof p50 !== 'number' || typeof p95 !== 'number' || typeof min !== 'number') return null;
  return p95 - min <= Math.max(TIME_TOLERANCE_MS, TIME_TOLERANCE * p50) ? p50 : null;
}

function formatRange({ min, p50, max }: LatencySummary): string {
  return `${formatMs(min)}, ${formatMs(p50)}, ${formatMs(max)}`;
}

/** Returns the points within `seconds` seconds after the point at `index`. */
function windowsAfter(windows: readonly Point[], index: number, seconds: number): Point[] {
  const from = windows[index]?.second ?? 0;
  return windows.slice(index + 1).filter(({ second }) => second <= from + seconds);
}

function countOf(points: readonly Point[], name: 'cut' | 'opened' | 'reopened'): number {
  return sumOf(points, ({ streams }) => streams?.[name] ?? 0);
}

function reopenRate({ streams, width }: Point): number {
  return (streams?.reopened ?? 0) / width;
}
