import { z } from 'zod';
import type { Window } from '#core/measurement/window.ts';
import { timeSchema } from '#core/statistics/latencySummary.ts';
import { Totals } from './totals.ts';
import { wholeSeconds } from './overload.ts';
import { pointOfWindow } from './pointSeries.ts';
import { generatorSchema, lossSchema, type GeneratorPoint, generatorPointSchema, type Point } from './schema.ts';

/** What one of several places has of a run that goes: since its start, and in the newest second that it has told of. */
const liveGeneratorFiguresSchema = z.strictObject({
  sent: z.int(),
  answered: z.int(),
  ok: z.int(),
  /** null before its first second. */
  completedPerSecond: z.number().nullable(),
  bytesPerSecond: z.number().nullable(),
  /** Of the response times since the start. */
  p50: timeSchema,
  p90: timeSchema,
  /** In which its figures are doubtful. */
  sickSeconds: z.number(),
  isSick: z.boolean(),
});

/** A place that makes load, while the run goes; `figures` is null where it makes all of it. */
export const liveGeneratorSchema = z.strictObject({
  name: generatorSchema.shape.name,
  lost: lossSchema.nullable(),
  figures: liveGeneratorFiguresSchema.nullable(),
});
export type LiveGenerator = z.infer<typeof liveGeneratorSchema>;
type LiveGeneratorFigures = z.infer<typeof liveGeneratorFiguresSchema>;

/** What one of several places had of a time: the number of the place, and the point. */
export const pointOfGeneratorSchema = z.strictObject({ generator: z.int(), ...generatorPointSchema.shape });
export type PointOfGenerator = z.infer<typeof pointOfGeneratorSchema>;

/** Of all that a point tells, what places are compared by. */
export function generatorPointOf({ second, width, completed, bytesReceived, p50, p90 }: GeneratorPoint): GeneratorPoint {
  return { second, width, completed, bytesReceived, p50, p90 };
}

/** Adds up the windows of one place. What is told of them is worked out once for each window. */
export class GeneratorTally {
  private readonly totals = new Totals();
  private answered = 0;
  private ok = 0;
  private sent = 0;
  private sickSeconds = 0;
  private newest: Pick<LiveGeneratorFigures, 'completedPerSecond' | 'bytesPerSecond' | 'isSick'> = {
    completedPerSecond: null,
    bytesPerSecond: null,
    isSick: false,
  };
  private told: LiveGeneratorFigures | null = null;

  add(window: Window): Point {
    const point = pointOfWindow(window);
    const { width, started, completed, ok, bytesReceived, sick } = point;
    this.totals.add(window);
    this.sent += started;
    this.answered += completed;
    this.ok += ok;
    if (sick.length > 0) this.sickSeconds += width;
    this.newest = { completedPerSecond: completed / width, bytesPerSecond: bytesReceived / width, isSick: sick.length > 0 };
    this.told = null;
    return point;
  }

  figures(): LiveGeneratorFigures {
    if (this.told !== null) return this.told;
    const { sent, answered, ok, sickSeconds, newest } = this;
    const { p50, p90 } = this.totals.latency();
    this.told = { sent, answered, ok, sickSeconds: wholeSeconds(sickSeconds), ...newest, p50, p90 };
    return this.told;
  }
}
