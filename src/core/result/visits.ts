import { z } from 'zod';
import { addNames } from '#core/base/foreignNames.ts';
import { showReferences } from '#core/plan/hiddenText.ts';
import { stageName } from '#core/plan/names.ts';
import { THIS_COMPUTER } from '#core/plan/schema/hosts.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { VISIT_CACHES, VISIT_DEVICES, VISIT_LINES } from '#core/plan/schema/watchPages.ts';
import { WATCHED_KINDS, listWatched, watchPageAddress } from '#core/plan/watchPages.ts';
import { medianWithEnds } from '#core/statistics/trend.ts';
import { levelOf } from '#core/work/load/stages.ts';
import { OPENING_SECONDS, TENTH_SECONDS } from './bells.ts';
import type { StageTime } from './stageTimes.ts';

const VISIT_TIMES = ['before', 'during', 'after'] as const;

const countsByName = z.record(z.string(), z.int().min(0));

/**
 * One visit of a page with a real browser. Times start with the navigation, or with the click that led to the page, as reported by the
 * page's observers; null if the observers report nothing. For a whole journey, `largestPaintMs` is the total wait for its steps.
 */
export const visitSchema = z.strictObject({
  /** Index in the log of the run. */
  number: z.int(),
  /** Visited page, by index in `listWatched`. */
  page: z.int(),
  /** Whether the visit was before, during or after the load. */
  when: z.enum(VISIT_TIMES),
  /** Start in seconds of the run; negative before the load. */
  second: z.number(),
  /** Duration of the observation in ms, until nothing more was received or computed. */
  tookMs: z.number(),
  firstByteMs: z.number().nullable(),
  firstPaintMs: z.number().nullable(),
  largestPaintMs: z.number().nullable(),
  usableMs: z.number().nullable(),
  layoutShift: z.number().nullable(),
  /** Time from the plan's click to the next paint; null if there is no click. */
  clickMs: z.number().nullable().default(null),
  requests: z.int(),
  missing: countsByName,
  leftOut: countsByName,
  /** The reason why the page did not appear; null if it did. */
  problem: z.string().nullable(),
  /** Processor time of all browser processes, in ms. */
  browserCpuMs: z.number().nullable(),
  /** Time in ms for which tasks of the page's thread did not run, because they waited for a processor or another part of the browser. */
  starvedMs: z.number().nullable(),
  /** Share of the computer's processor time that the hypervisor took, 0 to 1. */
  steal: z.number().nullable(),
});
export type Visit = z.infer<typeof visitSchema>;

/** All visits of a run, in order of time. */
export interface VisitLog {
  readonly browser: string;
  /** Host of the browser; null for Holdfast's computer. */
  readonly from: string | null;
  readonly visits: readonly Visit[];
  /**
   * Times from which visits were made less often. `pauseSeconds` is the pause between two visits from then on; null means no further
   * visits.
   */
  readonly stepsBack: readonly { readonly second: number; readonly pauseSeconds: number | null }[];
}

/** Ways in which the browser's computer can slow a visit down. */
const SLOWED_BY = ['overloaded', 'starved', 'steal'] as const;
type SlowedBy = (typeof SLOWED_BY)[number];

/**
 * Minimum additional time without a processor, compared to no load, that counts as starved: in ms, and as a share of the time until the
 * largest paint.
 */
const MIN_STARVED_MS = 50;
const MAX_STARVED_SHARE = 0.1;
/** Maximum share of stolen processor time, as for load generators: see docs/method.md. */
const MAX_STEAL = 0.02;

/** Reference values that separate the influence of the browser's computer from the server's. */
interface VisitReference {
  /** Overloaded seconds of the load generators, if the browser runs on one of their computers. */
  readonly overloaded: readonly { readonly second: number; readonly width: number }[];
  /** Time without a processor in ms when there is no load; null if unknown. */
  readonly starvedMs: number | null;
  /** Whether the visit belongs to a whole journey, whose time includes all steps and pauses. */
  readonly isWhole?: boolean;
}

/** Returns how the browser's computer slowed a visit down; null if it did not. */
function findSlowness(visit: Visit, usual: VisitReference): SlowedBy | null {
  const { second, starvedMs, steal } = visit;
  const seenMs = visit.largestPaintMs ?? visit.firstPaintMs ?? visit.tookMs;
  // A click comes after everything else, so a visit with a click is watched to its end.
  const until = second + (visit.clickMs === null && usual.isWhole !== true ? seenMs : visit.tookMs) / 1_000;
  if (visit.when === 'during' && usual.overloaded.some((one) => one.second < until && one.second + one.width > second)) return 'overloaded';
  if (starvedMs !== null && usual.starvedMs !== null && starvedMs - usual.starvedMs > Math.max(MIN_STARVED_MS, MAX_STARVED_SHARE * seenMs))
    return 'starved';
  return steal !== null && steal > MAX_STEAL ? 'steal' : null;
}

/** A median with the limits of its 95 % interval, which are null for fewer than six values; null if there are no values. */
const medianSchema = z.strictObject({ median: z.number(), low: z.number().nullable(), high: z.number().nullable() }).nullable();
export type VisitMedian = z.infer<typeof medianSchema>;

/** Visits of one page in one part of a run. Visits that the browser's computer slowed down do not count. */
const visitFiguresSchema = z.strictObject({
  /** Number of visits that were started. */
  visits: z.int(),
  /** Number of visits that the browser's computer slowed down. They are in no other figure. */
  slowed: z.int(),
  /** Number of visits in which the page did not appear. */
  failed: z.int(),
  problems: z.record(z.string(), z.int()),
  firstByteMs: medianSchema,
  firstPaintMs: medianSchema,
  largestPaintMs: medianSchema,
  usableMs: medianSchema,
  layoutShift: medianSchema,
  clickMs: medianSchema.default(null),
  requests: medianSchema,
  /** Number of missing files of the page, by file and reason. */
  missing: z.record(z.string(), z.int()),
  /** Number of requests to hosts outside the plan, which were not sent. */
  leftOut: z.record(z.string(), z.int()),
});
export type VisitFigures = z.infer<typeof visitFiguresSchema>;

const partSchema = z.strictObject({
  /** Index among the plan's stages. */
  index: z.int(),
  name: z.string(),
  counted: z.boolean(),
  /** The highest load of the stage; 0 if there is no load. */
  level: z.number(),
  figures: visitFiguresSchema,
});

/** Frames of one visit, as JPEG in base64. */
const filmstripSchema = z.strictObject({
  page: z.int(),
  /** The filmed visit, by its number in the log. */
  visit: z.int(),
  /** The bell whose opening the film shows; omitted for other films. */
  bell: z.string().optional(),
  frames: z.array(z.strictObject({ atMs: z.number(), jpeg: z.base64() })),
});
export type Filmstrip = z.infer<typeof filmstripSchema>;

export const visitsResultSchema = z.strictObject({
  browser: z.string(),
  /** Host of the browser; null for Holdfast's computer. */
  from: z.string().nullable().default(null),
  pages: z.array(
    z.strictObject({
      name: z.string(),
      kind: z.enum(WATCHED_KINDS).default('page'),
      /** Journey to which a step belongs; null for other pages. */
      journey: z.string().nullable().default(null),
      /** Address of the page; empty for a step that opens none. */
      address: z.string(),
      cache: z.enum(VISIT_CACHES),
      device: z.enum(VISIT_DEVICES),
      line: z.enum(VISIT_LINES),
      /** The clicked element; null if there is no click. */
      click: z.string().nullable().default(null),
      before: visitFiguresSchema.nullable(),
      stages: z.array(partSchema),
      after: visitFiguresSchema.nullable(),
    }),
  ),
  /** Every visit, with the stage in which it began (null: before, between or after the stages) and with what slowed it down. */
  visits: z.array(visitSchema.extend({ stage: z.int().nullable(), slowedBy: z.enum(SLOWED_BY).nullable() })),
  /** Processor seconds of the browser per second of its visits, in cores; null if unknown. */
  browserCores: z.number().nullable(),
  /** Times at which visits were reduced or stopped, because they disturbed the load. */
  stepsBack: z.array(z.strictObject({ second: z.number(), pauseSeconds: z.number().nullable() })),
  /** Films of the median visit without load, of the median one at the highest load, of a failed one, and of the opening at each bell. */
  filmstrips: z.array(filmstripSchema).default([]),
});
export type VisitsResult = z.infer<typeof visitsResultSchema>;
export type JudgedVisit = VisitsResult['visits'][number];

/** Context of the visits: load times of stages, and overloaded seconds of load generators. */
interface VisitSurroundings {
  readonly plan: Plan;
  /** Names of the load generators' computers. */
  readonly generators: readonly string[];
  readonly times: readonly (StageTime | null)[];
  readonly seconds: readonly { readonly second: number; readonly width: number; readonly overloadedBy: readonly unknown[] }[];
}

/** Returns the visits of a run by page and stage; null if there are no visits. */
export function visitsResult(log: VisitLog | null, { plan, generators, times, seconds }: VisitSurroundings): VisitsResult | null {
  const watched = listWatched(plan);
  if (log === null || log.visits.length === 0) return null;
  // The load does not overload a computer without a load generator. If the load generators are unknown, the browser's computer counts as
  // one of them.
  const isBesideLoad = generators.length === 0 || generators.includes(log.from ?? THIS_COMPUTER);
  const overloaded = isBesideLoad ? seconds.filter((one) => one.overloadedBy.length > 0) : [];
  const calmStarved = watched.map((_, page) =>
    medianWithEnds(log.visits.flatMap((visit) => (visit.page === page && visit.when === 'before' ? (visit.starvedMs ?? []) : []))),
  );
  const visits = log.visits.map((visit): JudgedVisit => {
    const stage =
      visit.when === 'during' ? times.findIndex((span) => span !== null && visit.second >= span.from && visit.second < span.to) : -1;
    return {
      ...visit,
      stage: stage < 0 ? null : stage,
      slowedBy: findSlowness(visit, {
        overloaded,
        starvedMs: calmStarved[visit.page]?.median ?? null,
        isWhole: watched[visit.page]?.kind === 'journey',
      }),
    };
  });
  const computeFigures = (page: number, wanted: (visit: JudgedVisit) => boolean): VisitFigures | null => {
    const own = visits.filter((visit) => visit.page === page && wanted(visit));
    return own.length === 0 ? null : visitFigures(own);
  };
  return {
    browser: log.browser,
    from: log.from,
    pages: watched.map(({ name, kind, place, page: { url, cache, device, line, click = null }, step }, page) => ({
      name,
      kind,
      journey: kind === 'step' ? (watched.find((one) => one.place === place)?.name ?? null) : null,
      address: addressOf(plan, step === null ? url : step.url),
      cache,
      device,
      line,
      click: step === null ? click : (step.click ?? null),
      before: computeFigures(page, ({ when }) => when === 'before'),
      stages: plan.load.stages.flatMap((stage, index) => {
        const figures = computeFigures(page, (visit) => visit.stage === index);
        return figures === null
          ? []
          : [{ index, name: stageName(plan, index), counted: stage.counted, level: levelOf(stage).highest, figures }];
      }),
      after: computeFigures(page, ({ when }) => when === 'after'),
    })),
    visits,
    browserCores: findBrowserCores(log.visits),
    stepsBack: [...log.stepsBack],
    filmstrips: [],
  };
}

function addressOf(plan: Plan, url: string | undefined): string {
  return url === undefined ? '' : showReferences(watchPageAddress(plan, { url }));
}

function visitFigures(visits: readonly JudgedVisit[]): VisitFigures {
  const counted = visits.filter(({ slowedBy }) => slowedBy === null);
  const medianOfVisits = (value: (visit: Visit) => number | null): VisitMedian =>
    medianWithEnds(counted.flatMap((visit) => value(visit) ?? []));
  const failed = counted.filter(({ problem }) => problem !== null);
  return {
    visits: visits.length,
    slowed: visits.length - counted.length,
    failed: failed.length,
    problems: addNames(failed.map(({ problem }) => ({ [problem ?? '']: 1 }))),
    firstByteMs: medianOfVisits(({ firstByteMs }) => firstByteMs),
    firstPaintMs: medianOfVisits(({ firstPaintMs }) => firstPaintMs),
    largestPaintMs: medianOfVisits(({ largestPaintMs }) => largestPaintMs),
    usableMs: medianOfVisits(({ usableMs }) => usableMs),
    layoutShift: medianOfVisits(({ layoutShift }) => layoutShift),
    clickMs: medianOfVisits(({ clickMs }) => clickMs),
    requests: medianOfVisits(({ requests }) => requests),
    missing: addNames(counted.map(({ missing }) => missing)),
    leftOut: addNames(counted.map(({ leftOut }) => leftOut)),
  };
}

function findBrowserCores(visits: readonly Visit[]): number | null {
  const measuredVisits = visits.flatMap(({ browserCpuMs, tookMs }) => (browserCpuMs === null ? [] : [{ browserCpuMs, tookMs }]));
  const tookMs = measuredVisits.reduce((sum, one) => sum + one.tookMs, 0);
  return tookMs === 0 ? null : measuredVisits.reduce((sum, one) => sum + one.browserCpuMs, 0) / tookMs;
}

/** A stored film. `number`: number of its visit in the log. */
interface Film {
  readonly number: number;
  readonly frames: Filmstrip['frames'];
}

/** A bell of the run, and when it rang. */
interface RungBell {
  readonly bell: string;
  readonly atSecond: number;
}

/**
 * Selects the films that are shown side by side for each page: one without load, one at the highest load, and one of a failed visit,
 * preferably at the highest load; and one of the opening at each bell.
 */
export function chooseFilms({ pages, visits }: VisitsResult, films: readonly Film[], bells: readonly RungBell[] = []): Filmstrip[] {
  const rung = [...new Map(bells.map((one) => [one.bell, one])).values()];
  const filmed = films.flatMap(({ number, frames }) => {
    const visit = visits.find((one) => one.number === number);
    return visit === undefined ? [] : [{ visit, frames, opening: rung.find(({ atSecond }) => isInOpening(visit, atSecond)) }];
  });
  return pages.flatMap(({ stages }, page) => {
    const highest = findHighest(stages);
    const own = filmed.filter(({ visit }) => visit.page === page);
    // A visit in an opening is shown as the median visit only if no other visit of the stage has a film.
    const seen = own.filter(({ visit }) => visit.problem === null).toSorted((one, other) => rankOpening(one) - rankOpening(other));
    const beforeLoad = seen.find(({ visit }) => visit.when === 'before');
    const isAtHighest = ({ visit }: (typeof own)[number]): boolean => highest !== null && visit.stage === highest.index;
    const failed = own.filter(({ visit }) => visit.problem !== null);
    const byLoad = [beforeLoad, seen.find(isAtHighest), failed.find(isAtHighest) ?? failed.at(-1)];
    const byBell = rung.map((bell) => own.find(({ opening }) => opening === bell));
    return [
      ...byLoad.flatMap((film) => (film === undefined ? [] : [{ page, visit: film.visit.number, frames: film.frames }])),
      ...byBell.flatMap((film) =>
        film?.opening === undefined ? [] : [{ page, visit: film.visit.number, bell: film.opening.bell, frames: film.frames }],
      ),
    ];
  });
}

function rankOpening({ opening }: { readonly opening?: RungBell | undefined }): number {
  return opening === undefined ? 0 : 1;
}

/** Returns whether a visit began in the opening of the bell that rings at `atSecond`. */
export function isInOpening({ when, second }: Pick<Visit, 'when' | 'second'>, atSecond: number): boolean {
  // A timer may end slightly before its time.
  return when === 'during' && second > atSecond - TENTH_SECONDS && second < atSecond + OPENING_SECONDS;
}

/** Returns the last of the counted stages with the highest load, or of all stages if none is counted; null without stages. */
export function findHighest(stages: VisitsResult['pages'][number]['stages']): VisitsResult['pages'][number]['stages'][number] | null {
  const counted = stages.filter((stage) => stage.counted);
  const candidates = counted.length > 0 ? counted : stages;
  return candidates.toSorted((one, other) => one.level - other.level).at(-1) ?? null;
}

/** A `VisitLog` as it is stored and sealed. */
export const visitLogSchema = z.strictObject({
  browser: z.string(),
  from: z.string().nullable().default(null),
  visits: z.array(visitSchema).readonly(),
  stepsBack: z.array(z.strictObject({ second: z.number(), pauseSeconds: z.number().nullable() })).readonly(),
});
