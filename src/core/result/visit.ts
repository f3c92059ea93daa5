import { z } from 'zod';

export const VISIT_TIMES = ['before', 'during', 'after'] as const;

const countsByName = z.record(z.string(), z.int().min(0));

/**
 * One visit of a page with a real browser. Times are from the start of the navigation, or from the click that led there, as the page's own observers say;
 * null where they say nothing. Of a whole journey, `largestPaintMs` is how long its steps were waited for together.
 */
export const visitSchema = z.strictObject({
  /** Its place in the log of the run, from 0. */
  number: z.int(),
  /** What was visited, by its place in `watchedOf`. */
  page: z.int(),
  /** Whether the load had not begun, was running, or was over. */
  when: z.enum(VISIT_TIMES),
  /** When it began, in seconds of the run; below 0 before the load. */
  second: z.number(),
  /** Until nothing more came and nothing more was computed: as long as it was watched. */
  tookMs: z.number(),
  firstByteMs: z.number().nullable(),
  firstPaintMs: z.number().nullable(),
  largestPaintMs: z.number().nullable(),
  usableMs: z.number().nullable(),
  layoutShift: z.number().nullable(),
  /** From the click that the plan names until the next paint; null where there was none. */
  clickMs: z.number().nullable().default(null),
  requests: z.int(),
  missing: countsByName,
  leftOut: countsByName,
  /** Why the page was not seen; null where it was. */
  problem: z.string().nullable(),
  /** Processor time of all processes of the browser. */
  browserCpuMs: z.number().nullable(),
  /** For how long tasks of the page's thread stood still: for want of a processor, or waiting for another part of the browser. */
  starvedMs: z.number().nullable(),
  /** Share of the time of its computer that the hypervisor took, 0 to 1. */
  steal: z.number().nullable(),
});
export type Visit = z.infer<typeof visitSchema>;

/** All visits of a run, in order of time. */
export interface VisitLog {
  readonly browser: string;
  /** Name of the host that the browser ran on; null for the computer of Holdfast. */
  readonly from: string | null;
  readonly visits: readonly Visit[];
  /** `pauseSeconds`: between two visits from then on; null: there were no more. */
  readonly stepsBack: readonly { readonly second: number; readonly pauseSeconds: number | null }[];
}

/** What the computer of the browser slowed a visit by. */
export const SLOWED_BY = ['overloaded', 'starved', 'steal'] as const;
export type SlowedBy = (typeof SLOWED_BY)[number];

/** Above what it is without load, a page thread stands still this long, and for this share of the time until the largest paint, only for want of a processor. */
const LEAST_STARVED_MS = 50;
const MOST_STARVED = 0.1;
/** As of generators, a hypervisor that takes more than this share makes a measurement doubtful: see docs/method.md. */
const MOST_STEAL = 0.02;

/** What visits are held against to tell the part of the browser's computer from the server's. */
export interface Usual {
  /** The seconds in which a generator was overloaded, where the computer of the browser is one. */
  readonly sick: readonly { readonly second: number; readonly width: number }[];
  /** For how long the thread of the page stands still when there is no load; null where that is not known. */
  readonly starvedMs: number | null;
  /** Whether it is that of a whole journey: its seconds are those of all its steps, with the pauses between them. */
  readonly isWhole?: boolean;
}

/** Whether the computer of the browser, and not the server, made a visit slow; null where it did not. */
export function slownessOf(visit: Visit, usual: Usual): SlowedBy | null {
  const { second, starvedMs, steal } = visit;
  const seenMs = visit.largestPaintMs ?? visit.firstPaintMs ?? visit.tookMs;
  // A click comes after everything else.
  const until = second + (visit.clickMs === null && usual.isWhole !== true ? seenMs : visit.tookMs) / 1_000;
  if (visit.when === 'during' && usual.sick.some((one) => one.second < until && one.second + one.width > second)) return 'overloaded';
  if (starvedMs !== null && usual.starvedMs !== null && starvedMs - usual.starvedMs > Math.max(LEAST_STARVED_MS, MOST_STARVED * seenMs))
    return 'starved';
  return steal !== null && steal > MOST_STEAL ? 'steal' : null;
}
