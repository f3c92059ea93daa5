import { z } from 'zod';
import type { Window } from '#core/measurement/window.ts';
import { timeSchema } from '#core/statistics/latency.ts';
import { Totals } from './totals.ts';
import { wholeSeconds } from './overload.ts';
import { pointOfWindow } from './pointSeries.ts';
import { generatorSchema, lossSchema, type GeneratorPoint, generatorPointSchema, type Point } from './schema.ts';

/** Figures of one of several load generators in a running run: since its start, and in its newest second. */
const liveGeneratorFiguresSchema = z.strictObject({
  sent: z.int(),
  responded: z.int(),
  ok: z.int(),
  /** Responses completed per second; null before the first second. */
  completedPerSecond: z.number().nullable(),
  bytesPerSecond: z.number().nullable(),
  /** Response times since the start. */
  p50: timeSchema,
  p90: timeSchema,
  /** Number of seconds whose figures are doubtful. */
  overloadedSeconds: z.number(),
  isOverloaded: z.boolean(),
});

/** A load generator of a running run; `figures` is null if it is the only one. */
export const liveGeneratorSchema = z.strictObject({
  name: generatorSchema.shape.name,
  lost: lossSchema.nullable(),
  figures: liveGeneratorFiguresSchema.nullable(),
});
export type LiveGenerator = z.infer<typeof liveGeneratorSchema>;
type LiveGeneratorFigures = z.infer<typeof liveGeneratorFiguresSchema>;

/** A point of one of several load generators, with the generator's index. */
export const pointOfGeneratorSchema = z.strictObject({ generator: z.int(), ...generatorPointSchema.shape });
export type PointOfGenerator = z.infer<typeof pointOfGeneratorSchema>;

/** Returns the parts of a point by which load generators are compared. */
export function pickGeneratorFields({ second, width, completed, bytesReceived, p50, p90 }: GeneratorPoint): GeneratorPoint {
  return { second, width, completed, bytesReceived, p50, p90 };
}

/** Sums the windows of one load generator. Its figures are computed once per window. */
export class GeneratorTally {
  private readonly totals = new Totals();
  private responded = 0;
  private ok = 0;
  private sent = 0;
  private overloadedSeconds = 0;
  private newest: Pick<LiveGeneratorFigures, 'completedPerSecond' | 'bytesPerSecond' | 'isOverloaded'> = {
    completedPerSecond: null,
    bytesPerSecond: null,
    isOverloaded: false,
  };
  private reported: LiveGeneratorFigures | null = null;

  add(window: Window): Point {
    const point = pointOfWindow(window);
    const { width, started, completed, ok, bytesReceived, overloadedBy } = point;
    this.totals.add(window);
    this.sent += started;
    this.responded += completed;
    this.ok += ok;
    if (overloadedBy.length > 0) this.overloadedSeconds += width;
    this.newest = { completedPerSecond: completed / width, bytesPerSecond: bytesReceived / width, isOverloaded: overloadedBy.length > 0 };
    this.reported = null;
    return point;
  }

  figures(): LiveGeneratorFigures {
    if (this.reported !== null) return this.reported;
    const { sent, responded, ok, overloadedSeconds, newest } = this;
    const { p50, p90 } = this.totals.latency();
    this.reported = { sent, responded, ok, overloadedSeconds: wholeSeconds(overloadedSeconds), ...newest, p50, p90 };
    return this.reported;
  }
}
