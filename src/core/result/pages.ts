import { z } from 'zod';
import { listRecordedRequests } from '#core/plan/requests.ts';
import { RESOURCE_KINDS } from '../plan/schema/step.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { computeApdex, latencySummarySchema, summarize } from '#core/statistics/latency.ts';
import { countEnded, goodTimes } from '#core/measurement/cellFigures.ts';
import type { Cell, LoadedCount } from '#core/measurement/window.ts';

/** Default Apdex threshold T, as in FunkLoad. */
const DEFAULT_THRESHOLD_MS = 1_500;

const apdexSchema = z.strictObject({ value: z.number().nullable(), counted: z.int() });

/** Whole pages, from the intended start of the first request to the end of the last linked resource. */
export const pageFiguresSchema = z.strictObject({
  started: z.int(),
  complete: z.int(),
  /** Number of pages that failed, or with a part that failed. */
  incomplete: z.int(),
  /** Times of complete pages. */
  times: latencySummarySchema,
  /** Times in which incomplete pages count as “never”. */
  errorAdjusted: latencySummarySchema,
  /** Complete pages per second of load. */
  completePerSecond: z.number().nullable(),
  /** Threshold T of both Apdex values. */
  thresholdMs: z.number(),
  /** Apdex of whole pages, and of all their requests. */
  pageApdex: apdexSchema,
  requestApdex: apdexSchema,
});
export type PageFigures = z.infer<typeof pageFiguresSchema>;

export const pagesResultSchema = z.strictObject({
  /** Contents of the journeys: number of kinds of pages, and the sum of their maximum numbers of resources by kind. */
  content: z.strictObject({ pages: z.int(), resources: z.record(z.enum(RESOURCE_KINDS), z.int()) }),
  all: pageFiguresSchema,
  steps: z.array(z.strictObject({ name: z.string(), figures: pageFiguresSchema })),
  stages: z.array(z.strictObject({ name: z.string(), figures: pageFiguresSchema })),
  /** Number of links to hosts outside the plan, which were not requested. By host, over the whole run. */
  leftOut: z.record(z.string(), z.int()),
});
export type PagesResult = z.infer<typeof pagesResultSchema>;

/** Input of {@link pagesResult}. */
export interface PagesInput {
  readonly plan: Plan;
  readonly stages: readonly { readonly index: number; readonly name: string }[];
  /** Indexes of the stages that are summarized. */
  readonly shown: readonly number[];
  readonly leftOut: Readonly<Record<string, number>>;
  sum(wanted: (cell: Cell) => boolean): Cell;
  sumLoaded(wanted: (count: Pick<LoadedCount, 'stage' | 'step'>) => boolean): LoadedCount;
  loadedSeconds(stages: readonly number[]): number;
}

/** Returns the figures of whole pages; null for a plan without any. */
export function pagesResult(input: PagesInput): PagesResult | null {
  const { plan, shown } = input;
  const steps = plan.journey.flatMap(({ resources }, step) => (resources === undefined ? [] : [step]));
  if (steps.length === 0) return null;
  const seen = steps.filter((step) => input.sum((cell) => cell.step === step).started > 0);
  return {
    content: { pages: seen.length, resources: computeContent(input) },
    all: computeFigures(input, shown, steps),
    steps: steps.map((step) => ({ name: plan.journey[step]?.name ?? '', figures: computeFigures(input, shown, [step]) })),
    stages: input.stages.map(({ index, name }) => ({ name, figures: computeFigures(input, [index], steps) })),
    leftOut: { ...input.leftOut },
  };
}

function computeContent({ plan, sum }: PagesInput): PagesResult['content']['resources'] {
  const content = { css: 0, script: 0, image: 0, icon: 0, font: 0 };
  for (const [requestIndex, { resource }] of listRecordedRequests(plan).entries()) {
    if (resource === null) continue;
    const perPage = sum((cell) => cell.step === requestIndex).times.perPage;
    if (perPage !== undefined && perPage.totalCount > 0) content[resource] += perPage.maxValue;
  }
  return content;
}

function computeFigures(input: PagesInput, stages: readonly number[], steps: readonly number[]): PageFigures {
  const { plan } = input;
  const isPage = ({ stage, step }: Pick<Cell, 'stage' | 'step'>): boolean => stages.includes(stage) && steps.includes(step);
  const cell = input.sum(isPage);
  const { page, pageFailed } = cell.times;
  const incomplete = pageFailed?.totalCount ?? 0;
  const complete = page?.totalCount ?? 0;
  const seconds = input.loadedSeconds(stages);
  const thresholdMs = satisfiedMs(plan, steps);
  const requestIndexes = new Set(
    listRecordedRequests(plan).flatMap(({ step }, requestIndex) => (steps.includes(step) ? [requestIndex] : [])),
  );
  const requests = input.sum(({ stage, step }) => stages.includes(stage) && requestIndexes.has(step));
  const failed = countEnded(requests) - (requests.outcomes.ok ?? 0);
  return {
    started: cell.started,
    complete,
    incomplete,
    times: summarize(page),
    errorAdjusted: summarize(page, incomplete),
    completePerSecond: seconds <= 0 ? null : input.sumLoaded(isPage).pages / seconds,
    thresholdMs,
    pageApdex: { value: computeApdex(page, incomplete, thresholdMs), counted: complete + incomplete },
    requestApdex: { value: computeApdex(goodTimes(requests), failed, thresholdMs), counted: countEnded(requests) },
  };
}

/** Returns the Apdex threshold: of a criterion about pages, or else of any Apdex criterion that covers their steps, or else the default. */
function satisfiedMs({ criteria, journey }: Plan, steps: readonly number[]): number {
  const names = new Set(steps.map((step) => journey[step]?.name));
  const found = criteria.flatMap((criterion) =>
    criterion.kind === 'apdex' && (criterion.step === undefined || names.has(criterion.step)) ? [criterion] : [],
  );
  return (found.find(({ of }) => of === 'pages') ?? found[0])?.thresholdMs ?? DEFAULT_THRESHOLD_MS;
}
