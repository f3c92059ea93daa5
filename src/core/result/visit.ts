import { z } from 'zod';

export const VISIT_TIMES = ['before', 'during', 'after'] as const;

const countsByName = z.record(z.string(), z.int().min(0));

/**
 * One visit of a page with a real browser. Times are from the start of the navigation, or from the click that led there, as reported by the page's
 * observers; null if they report nothing. For a whole journey, `largestPaintMs` is the total wait for its steps.
 */
export const visitSchema = z.strictObject({
  /** Index in the log of the run. */
  number: z.int(),
  /** Visited page, by index in `watchedOf`. */
  page: z.int(),
  /** Whether the visit was before, during or after the load. */
  when: z.enum(VISIT_TIMES),
  /** Start in seconds of the run; negative before the load. */
  second: z.number(),
  /** Duration of the observation, until nothing was received or computed any more. */
  tookMs: z.number(),
  firstByteMs: z.number().nullable(),
  firstPaintMs: z.number().nullable(),
  largestPaintMs: z.number().nullable(),
  usableMs: z.number().nullable(),
  layoutShift: z.number().nullable(),
  /** From the plan's click to the next paint; null without a click. */
  clickMs: z.number().nullable().default(null),
  requests: z.int(),
  missing: countsByName,
  leftOut: countsByName,
  /** Why the page did not appear; null if it did. */
  problem: z.string().nullable(),
  /** Processor time of all browser processes. */
  browserCpuMs: z.number().nullable(),
  /** Time for which tasks of the page's thread did not run: waiting for a processor or another part of the browser. */
  starvedMs: z.number().nullable(),
  /** Share of its computer's processor time stolen by the hypervisor, 0 to 1. */
  steal: z.number().nullable(),
});
export type Visit = z.infer<typeof visitSchema>;

/** All visits of a run, in order of time. */
export interface VisitLog {
  readonly browser: string;
  /** Host of the browser; null for Holdfast's computer. */
  readonly from: string | null;
  readonly visits: readonly Visit[];
  /** `pauseSeconds`: pause between two visits from then on; null: no further visits. */
  readonly stepsBack: readonly { readonly second: number; readonly pauseSeconds: number | null }[];
}

/** Ways in which the browser's computer slows a visit. */
export const SLOWED_BY = ['overloaded', 'starved', 'steal'] as const;
export type SlowedBy = (typeof SLOWED_BY)[number];

/** Smallest additional time without a processor, compared to no load, that counts as starved: in ms, and as a share of the time until the largest paint. */
const MIN_STARVED_MS = 50;
const MAX_STARVED_SHARE = 0.1;
/** Largest share of stolen processor time, as for load generators: see docs/method.md. */
const MAX_STEAL = 0.02;

/** Reference by which the influence of the browser's computer is separated from the server's. */
export interface Usual {
  /** Overloaded seconds of the load generators, if the browser runs on one of their computers. */
  readonly overloaded: readonly { readonly second: number; readonly width: number }[];
  /** Time without a processor when there is no load; null if unknown. */
  readonly starvedMs: number | null;
  /** Whether it belongs to a whole journey, whose time includes all steps and pauses. */
  readonly isWhole?: boolean;
}

/** Returns how the browser's computer slowed a visit; null if it did not. */
export function slownessOf(visit: Visit, usual: Usual): SlowedBy | null {
  const { second, starvedMs, steal } = visit;
  const seenMs = visit.largestPaintMs ?? visit.firstPaintMs ?? visit.tookMs;
  // A click follows everything else.
  const until = second + (visit.clickMs === null && usual.isWhole !== true ? seenMs : visit.tookMs) / 1_000;
  if (visit.when === 'during' && usual.overloaded.some((one) => one.second < until && one.second + one.width > second)) return 'overloaded';
  if (starvedMs !== null && usual.starvedMs !== null && starvedMs - usual.starvedMs > Math.max(MIN_STARVED_MS, MAX_STARVED_SHARE * seenMs))
    return 'starved';
  return steal !== null && steal > MAX_STEAL ? 'steal' : null;
}
