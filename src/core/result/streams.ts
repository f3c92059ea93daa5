import { z } from 'zod';
import { addCounters, zeroCounters, fillRecord, STREAM_COUNTERS } from '#core/measurement/counters.ts';
import { cutCount } from '#core/measurement/streamCell.ts';
import type { Cell, StreamCount, TimeKind, Window } from '#core/measurement/window.ts';
import { startUpStage } from '#core/work/load/stages.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { percentileRank, valueAtRank } from '#core/statistics/histogram.ts';
import { type LatencySummary, latencySummarySchema, milliseconds, summarize } from '#core/statistics/latency.ts';

const countsShape = fillRecord(STREAM_COUNTERS, z.int());

/**
 * Figures of the event streams of a step or a stage. Counts of streams cover the whole run, warm-up and start-up included, because
 * listeners connect before the counted time and stay. Events cover the counted time. Times are null if none was recorded.
 */
const streamFiguresSchema = z.strictObject({
  ...countsShape,
  /** Events per second, over the time in which the load of these stages was running. */
  eventsPerSecond: z.number().nullable(),
  /** Time from the request to the response headers. */
  opening: latencySummarySchema.nullable(),
  /** Time from the opening of a stream to its first event. */
  firstEvent: latencySummarySchema.nullable(),
  /** Time between consecutive reads of one listener that contained events. */
  gaps: latencySummarySchema.nullable(),
  /** Time from the sending time in an event to the event's arrival. */
  delays: latencySummarySchema.nullable(),
  /** Duration of streams that were cut. `silence`: time since their last event. */
  held: latencySummarySchema.nullable(),
  silence: latencySummarySchema.nullable(),
});
export type StreamFigures = z.infer<typeof streamFiguresSchema>;

export const streamsResultSchema = z.strictObject({
  /** Outcomes in the whole run, warm-up included: opened = ended + lost + left + open. */
  outcomes: z.strictObject({ ...countsShape, open: z.int() }),
  /** Maximum number of open streams, and the second at which it was reached. */
  mostOpen: z.int(),
  mostOpenAtSecond: z.number().nullable(),
  steps: z.array(z.strictObject({ name: z.string(), isNumbered: z.boolean(), isStamped: z.boolean(), figures: streamFiguresSchema })),
  stages: z.array(z.strictObject({ name: z.string(), figures: streamFiguresSchema })),
});
export type StreamsResult = z.infer<typeof streamsResultSchema>;

/** Streams and events of one point of the time axis; delays in ms. */
export const streamPointSchema = z.strictObject({
  /** Number of open streams at the end of the point. */
  open: z.int(),
  opened: z.int(),
  reopened: z.int(),
  cut: z.int(),
  events: z.int(),
  missed: z.int(),
  delayP50: z.number().nullable(),
  delayP95: z.number().nullable(),
  delayP99: z.number().nullable(),
});
export type StreamPoint = z.infer<typeof streamPointSchema>;

/**
 * Returns the streams of a window's summed cells, without `open`, which a single window does not show. Undefined if there were no streams.
 */
export function findStreamPoint({ streams, times }: Cell): StreamPoint | undefined {
  if (streams === undefined) return undefined;
  const { eventDelay } = times;
  const millisecondsAt = (percentile: number): number | null =>
    eventDelay === undefined ? null : milliseconds(valueAtRank(eventDelay, percentileRank(percentile, eventDelay.totalCount)));
  const { opened, reopened, events, missed } = streams;
  return {
    open: 0,
    opened,
    reopened,
    cut: cutCount(streams),
    events,
    missed,
    delayP50: millisecondsAt(50),
    delayP95: millisecondsAt(95),
    delayP99: millisecondsAt(99),
  };
}

/** Joins two points. Percentiles cannot be merged, so the worse one is kept. */
export function joinStreamPoints(earlier: StreamPoint, later: StreamPoint): StreamPoint {
  const maxOrNull = (one: number | null, other: number | null): number | null =>
    one === null || other === null ? (one ?? other) : Math.max(one, other);
  return {
    open: later.open,
    opened: earlier.opened + later.opened,
    reopened: earlier.reopened + later.reopened,
    cut: earlier.cut + later.cut,
    events: earlier.events + later.events,
    missed: earlier.missed + later.missed,
    delayP50: maxOrNull(earlier.delayP50, later.delayP50),
    delayP95: maxOrNull(earlier.delayP95, later.delayP95),
    delayP99: maxOrNull(earlier.delayP99, later.delayP99),
  };
}

/** Ways in which streams are cut. */
export const CUT_WORDS = { ended: 'Ended by the server', lost: 'Connection lost' } as const;

/** Counts open streams. Windows must be in order of time. */
export class StreamTally {
  private readonly counts = zeroCounters(STREAM_COUNTERS);
  private open = 0;
  private most = 0;
  private mostAtSecond: number | null = null;
  private isUsed = false;

  add({ cells, second, width }: Window): void {
    for (const { streams } of cells) {
      if (streams === undefined) continue;
      this.isUsed = true;
      addCounters(STREAM_COUNTERS, this.counts, streams);
    }
    this.open = openIn(this.counts);
    if (this.open <= this.most) return;
    this.most = this.open;
    this.mostAtSecond = second + width;
  }

  /** Adds the number of open streams to the point of the last window. */
  addOpenStreams<One extends { streams?: StreamPoint | undefined }>(point: One): One {
    if (point.streams === undefined && !this.isUsed) return point;
    return { ...point, streams: { ...(point.streams ?? NO_STREAMS), open: this.open } };
  }

  /** Returns the figures of the streams; null if there were none. */
  result(input: StreamsInput): StreamsResult | null {
    const { plan, shown } = input;
    const steps = plan.journey.flatMap(({ stream }, step) => (stream === undefined ? [] : [{ stream, step }]));
    if (!this.isUsed || steps.length === 0) return null;
    return {
      outcomes: { ...this.counts, open: this.open },
      mostOpen: this.most,
      mostOpenAtSecond: this.mostAtSecond,
      steps: steps.map(({ stream, step }) => ({
        name: plan.journey[step]?.name ?? '',
        isNumbered: stream.number !== undefined,
        isStamped: stream.sentAt !== undefined,
        figures: computeFigures(
          input,
          (cell) => cell.step === step,
          (cell) => cell.step === step && shown.includes(cell.stage),
          shown,
        ),
      })),
      stages: input.stages.map(({ index, name }) => {
        const isStream = (step: number): boolean => steps.some((each) => each.step === step);
        const figures = computeFigures(
          input,
          ({ stage, step }) => isStream(step) && (stage === index || stage === startUpStage(plan, index)),
          ({ stage, step }) => isStream(step) && stage === index,
          [index],
        );
        return { name, figures };
      }),
    };
  }
}

const NO_STREAMS: StreamPoint = {
  open: 0,
  opened: 0,
  reopened: 0,
  cut: 0,
  events: 0,
  missed: 0,
  delayP50: null,
  delayP95: null,
  delayP99: null,
};

function openIn({ opened, ended, lost, left }: StreamCount): number {
  return opened - ended - lost - left;
}

/** Input of {@link StreamTally.result}. */
interface StreamsInput {
  readonly plan: Plan;
  readonly stages: readonly { readonly index: number; readonly name: string }[];
  /** Indexes of the stages that are summarized. */
  readonly shown: readonly number[];
  sum(wanted: (cell: Cell) => boolean): Cell;
  loadedSeconds(stages: readonly number[]): number;
}

/** Computes the figures. `ofLife`: cells for the counts of streams; `ofFlow`: cells for the counts of events. */
function computeFigures(
  { sum, loadedSeconds }: StreamsInput,
  ofLife: (cell: Cell) => boolean,
  ofFlow: (cell: Cell) => boolean,
  stages: readonly number[],
): StreamFigures {
  const [life, flow] = [sum(ofLife), sum(ofFlow)];
  const times = ({ times: all }: Cell, kind: TimeKind): LatencySummary | null => (all[kind] === undefined ? null : summarize(all[kind]));
  const seconds = loadedSeconds(stages);
  const [lived, came] = [life.streams ?? zeroCounters(STREAM_COUNTERS), flow.streams ?? zeroCounters(STREAM_COUNTERS)];
  const { opened, reopened, ended, lost, left } = lived;
  return {
    ...came,
    opened,
    reopened,
    ended,
    lost,
    left,
    eventsPerSecond: seconds <= 0 ? null : came.events / seconds,
    opening: times(life, 'serviceOk'),
    firstEvent: times(life, 'firstEvent'),
    gaps: times(flow, 'eventGap'),
    delays: times(flow, 'eventDelay'),
    held: times(life, 'streamHeld'),
    silence: times(life, 'silence'),
  };
}
