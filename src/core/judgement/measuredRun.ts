import { type CacheResult, computeCacheFigures, reportsCache } from '#core/measurement/cache/figures.ts';
import { hasSideCalls } from '#core/work/journey/flow/executions.ts';
import { listRecordedRequests } from '#core/plan/requests.ts';
import type { RunOutcomes } from '#core/measurement/requestOutcomes.ts';
import { plannedPeople } from '#core/work/load/planned.ts';
import { listJudgedStages, stageName } from '#core/plan/names.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import {
  countRequestOutcomes,
  countEnded,
  goodTimes,
  responseTimes,
  countSent,
  serviceTimes,
  timesByStatusClass,
} from '#core/measurement/cellFigures.ts';
import { countAbove } from '#core/statistics/histogram.ts';
import { Totals } from '#core/result/totals.ts';
import type { Cell, LoadedCount, TimeKind, Window } from '#core/measurement/window.ts';
import { pagesResult } from '#core/result/pages.ts';
import { findOverload } from '#core/result/overload.ts';
import { pointsUntil, generatorPointOfWindow, pointOfWindow, reducePoints } from '#core/result/pointSeries.ts';
import { type GeneratorPoint, RESULT_SCHEMA, type RunHead, type RunResult } from '#core/result/schema.ts';
import { ServerTally } from '#core/result/servers.ts';
import { StreamTally } from '#core/result/streams.ts';
import type { Sample } from '#core/work/samples/schema.ts';
import { type VisitLog, visitsResult } from '#core/result/visits.ts';
import { DuetTally } from '#core/result/duet.ts';
import { BellTally } from '#core/result/bells.ts';
import { PlacesTally } from '#core/result/places.ts';
import { PeopleTally } from '#core/result/people.ts';
import { listTraces } from '#core/result/traces.ts';
import { WaitTally } from '#core/result/waits.ts';
import { comparedItems, addAcknowledged, listStoredReadings } from '#core/result/readings.ts';
import { type EngineEndFacts, findStageTime, type StageTime, StartTimes } from '#core/result/stageTimes.ts';
import { describeBehaviour } from './behaviour/behaviour.ts';
import { withRecoveries } from './behaviour/recovery.ts';
import { type MeasuredRun, collectServerMessages } from './diagnosis/rule.ts';
import { type LatencySummary, summarize } from '#core/statistics/latency.ts';
import { buildStages, countOutcomesOfCell } from './stageResults.ts';

/** Stored data of a run. Windows are in order of time and have any width. */
export interface ResultInput {
  readonly head: RunHead;
  readonly plan: Plan;
  readonly windows: Iterable<Window>;
  readonly end: EngineEndFacts | null;
  readonly generators: RunResult['generators'];
  readonly monitors?: RunResult['monitors'];
  readonly events: RunResult['events'];
  /** Visits of a browser during the load; omitted or null if there are no watched pages. */
  readonly visits?: VisitLog | null;
  /** Stored samples of failures. */
  readonly samples?: readonly Sample[];
  /** Maximum number of points of the time axis. Default: all. */
  readonly maxPoints?: number;
}

/** Sums of a run's windows, in order of time. Keeps no window. */
export class RunTally {
  readonly totals = new Totals();
  /** Whether `totals` are the totals of several load generators joined, instead of being summed again. */
  private readonly isJoined: boolean;
  readonly servers: ServerTally;
  readonly waits = new WaitTally();
  readonly bells = new BellTally();
  readonly people = new PeopleTally();
  readonly places = new PlacesTally();
  readonly streams = new StreamTally();
  readonly duet = new DuetTally();
  readonly points: RunResult['windows'] = [];
  readonly starts = new StartTimes();

  constructor(plan: Pick<Plan, 'targets' | 'servers' | 'journey'>, isJoined = false) {
    this.isJoined = isJoined;
    this.servers = new ServerTally(plan);
  }

  add(window: Window): void {
    if (!this.isJoined) this.totals.add(window);
    this.starts.add(window);
    this.servers.add(window);
    this.streams.add(window);
    this.bells.add(window);
    this.people.add(window);
    this.places.add(window);
    this.duet.add(window);
    this.points.push(this.streams.addOpenStreams({ ...pointOfWindow(window), waiting: this.waits.add(window) }));
  }
}

/** {@link ResultInput} with summed windows. */
export type TalliedInput = Omit<ResultInput, 'windows'>;

/** Computes the figures of a run from its windows: see {@link buildFacts}. */
export function buildMeasuredRun({ windows, ...input }: ResultInput): MeasuredRun {
  const tally = new RunTally(input.plan);
  for (const window of windows) tally.add(window);
  return buildFacts(input, tally);
}

/** Time in which each stage's load was running (see {@link findStageTime}), and the stages of the top-level figures. */
interface CountedStages {
  readonly times: readonly (StageTime | null)[];
  /** The counted stages; all stages if none is counted or no counted one was reached. */
  readonly shown: readonly number[];
  loadedSeconds(stages: readonly number[]): number;
}

function listShownStages({ plan, end }: Pick<TalliedInput, 'plan' | 'end'>, starts: StartTimes): CountedStages {
  const times = plan.load.stages.map((_stage, index) => findStageTime(plan, index, end, starts.of(index)));
  const counted = listJudgedStages(plan);
  const shown = counted.some((stage) => starts.of(stage) !== null) ? counted : plan.load.stages.map((_stage, index) => index);
  return { times, shown, loadedSeconds: (stages) => stages.reduce((sum, stage) => sum + lengthOf(times[stage] ?? null), 0) };
}

/**
 * Computes the figures of a run. Top-level figures and figures of steps cover the shown stages, so even a run that ended in its warm-up has
 * figures. Request outcomes cover everything sent, warm-up included. Rates are over the time in which a stage's load was running.
 */
export function buildFacts(
  input: TalliedInput,
  { totals, servers, waits, bells, people, places, streams, duet, points, starts }: RunTally,
): MeasuredRun {
  const { plan, head, end } = input;
  const endSecond = end?.endedAtSecond ?? totals.endSecond;
  const { times, shown, loadedSeconds } = listShownStages(input, starts);
  const requests = listRecordedRequests(plan);
  const measured = requests.flatMap(({ isMeasured, isRedirect, resource, ...request }, requestIndex) =>
    isMeasured ? [{ ...request, requestIndex, isPlain: !isRedirect && resource === null }] : [],
  );
  const { computeFigures, stepFigures } = makeFigures(input, totals, loadedSeconds, measured);
  const parts = {
    plan,
    stages: plan.load.stages.map((_stage, index) => ({ index, name: stageName(plan, index) })),
    shown,
    sum: (wanted: (cell: Cell) => boolean) => totals.sum(wanted),
    loadedSeconds,
  };
  const { requests: _requests, ...figures } = computeFigures(shown, null);
  const drawn = pointsUntil(points, endSecond);
  const { outcomes, balances } = countOutcomes(totals, input);
  const requestsByStep = Object.fromEntries(
    measured.map(({ name, requestIndex }) => [name, countOutcomesOfCell(totals.sum((cell) => cell.step === requestIndex))]),
  );

  const peopleResult = people.result(plan, plannedPeople(plan), comparedItems(plan, input.events));
  const duetResult = duet.result(plan);
  const placesResult = places.result(plan, listStoredReadings(plan, input.events));

  return {
    schema: RESULT_SCHEMA,
    run: head,
    plan,
    durationSeconds: points.length === 0 ? null : endSecond,
    outcomes,
    balances,
    ...figures,
    requestsByStep,
    server: buildServer(plan, end),
    steps: stepFigures(shown),
    ...(plan.trace === undefined || input.samples === undefined ? {} : { traces: listTraces(input.samples) }),
    ...(input.samples === undefined ? {} : { serverMessages: collectServerMessages(input.samples) }),
    ...(hasSideCalls(plan) ? { sideCalls: summarizeSideCalls(plan, totals) } : {}),
    stages: buildStages(plan, totals, { times, points, outcomes: outcomes.requests }).map((stage, index) => ({
      ...stage,
      ...computeFigures([index], null),
      steps: stepFigures([index]),
    })),
    behaviour: describeBehaviour({ plan, totals, points, spans: times }),
    servers: servers.results(),
    noServer: servers.noServer(),
    ...(reportsCache(plan) ? { cache: computeCache(plan, totals, shown) } : {}),
    waits: waits.results(plan),
    abandonedAt: measured.flatMap(({ name, requestIndex }) => {
      const { journeysAbandoned: journeys } = totals.sum((cell) => cell.step === requestIndex);
      return journeys === 0 ? [] : [{ step: name, journeys }];
    }),
    ...(duetResult === null ? {} : { duet: duetResult }),
    ...(plan.bells === undefined
      ? {}
      : { bells: withRecoveries(bells.results(plan, people.states, head.endedAt === null ? null : endSecond), points) }),
    ...(peopleResult === undefined ? {} : { people: peopleResult }),
    ...(placesResult === undefined ? {} : { places: placesResult }),
    pages: pagesResult({ ...parts, leftOut: end?.leftOut ?? {}, sumLoaded: (wanted) => totals.sumLoaded(wanted) }),
    streams: streams.result(parts),
    visits: visitsResult(input.visits ?? null, { plan, generators: input.generators.map(({ name }) => name), times, seconds: points }),
    windows: input.maxPoints === undefined ? drawn : reducePoints(drawn, input.maxPoints),
    overload: findOverload({ windows: drawn }),
    generators: input.generators,
    monitors: input.monitors ?? [],
    events: input.events.map((event) => addAcknowledged(event, requestsByStep, plan, placesResult)),
  };
}

interface MeasuredRequest {
  readonly name: string;
  readonly step: number;
  readonly requestIndex: number;
  /** Whether the request is neither a redirect nor a resource of a page. */
  readonly isPlain: boolean;
}

/**
 * Returns functions that sum the figures of stages: one function for a single step or all steps together (null), and one for each step
 * separately.
 */
function makeFigures(
  { plan, end }: TalliedInput,
  totals: Totals,
  loadedSeconds: (stages: readonly number[]) => number,
  measured: readonly MeasuredRequest[],
): {
  computeFigures: (stages: readonly number[], step: number | null) => StepFigures;
  stepFigures: (stages: readonly number[]) => RunResult['steps'];
} {
  const onlyStep = listRecordedRequests(plan).length === 1 ? 0 : -1;
  const computeFigures = (stages: readonly number[], step: number | null): StepFigures => {
    const isWantedCell = (of: { stage: number; step: number }): boolean => stages.includes(of.stage) && (step === null || of.step === step);
    return computeStepFigures(
      totals.sum(isWantedCell),
      totals.sumLoaded(isWantedCell),
      loadedSeconds(stages),
      end?.firstBodyLengths[step ?? onlyStep] ?? null,
    );
  };
  const stepFigures = (stages: readonly number[]): RunResult['steps'] =>
    measured.map(({ name, step, isPlain, requestIndex }) => {
      const maxMs = isPlain ? plan.journey[step]?.budgetMs : undefined;
      const cell = totals.sum((each) => stages.includes(each.stage) && each.step === requestIndex);
      return {
        name,
        ...omitWholeBytes(plan, computeFigures(stages, requestIndex)),
        ...(maxMs === undefined ? {} : { budget: countWithin(cell, maxMs) }),
      };
    });
  return { computeFigures, stepFigures };
}

/**
 * Returns the outcomes and whether they balance. If the process of a run was killed, the remaining planned journeys count as stopped,
 * because nothing could count them.
 */
function countOutcomes(totals: Totals, { plan, head, end }: TalliedInput): { outcomes: RunOutcomes; balances: boolean } {
  if (head.endedAt === null || end !== null) return totals.outcomes(plan, head.endedAt !== null);
  const { outcomes, balances } = totals.outcomes(plan, false);
  const { planned, started, notStarted } = outcomes.journeys;
  if (planned === null || !balances) return { outcomes, balances };
  const stopped = planned - started - notStarted.target - notStarted.generator;
  return { outcomes: { ...outcomes, journeys: { ...outcomes.journeys, notStarted: { ...notStarted, stopped } } }, balances };
}

function summarizeSideCalls(plan: Plan, totals: Totals): NonNullable<RunResult['sideCalls']> {
  const requests = listRecordedRequests(plan);
  return totals.sideCalls.map((cell) => {
    const ended = Object.values(cell.outcomes).reduce((sum, count) => sum + count, 0);
    const name = requests[cell.step]?.name ?? '';
    return { name, requests: countRequestOutcomes([cell], Math.max(0, cell.started - ended)), errors: { ...cell.errors } };
  });
}

function computeCache(plan: Plan, totals: Totals, stages: readonly number[]): CacheResult {
  const isCounted = ({ stage }: Cell): boolean => stages.includes(stage);
  return {
    all: computeCacheFigures(totals.sum()),
    counted: computeCacheFigures(totals.sum(isCounted)),
    steps: listRecordedRequests(plan).flatMap(({ name, isMeasured }, requestIndex) => {
      const figures = computeCacheFigures(totals.sum((cell) => isCounted(cell) && cell.step === requestIndex));
      return isMeasured && figures.responded > 0 ? [{ name, figures }] : [];
    }),
  };
}

/** Counts the successful responses within a time limit, out of all requests that were due. */
function countWithin(cell: Cell, maxMs: number): NonNullable<RunResult['steps'][number]['budget']> {
  const times = goodTimes(cell);
  const within = times === undefined ? 0 : times.totalCount - countAbove(times, maxMs * 1_000);
  const of = cell.started + cell.notStartedTarget;
  return { maxMs, within, of, share: of === 0 ? null : within / of };
}

/** Removes the bytes of single steps for k6, which counts bytes per journey. */
function omitWholeBytes(plan: Plan, figures: StepFigures): StepFigures {
  if (plan.engine !== 'k6' || listRecordedRequests(plan).length === 1) return figures;
  return { ...figures, rates: { ...figures.rates, bytesPerSecond: null }, bytes: { received: 0, sent: 0, body: 0 } };
}

function lengthOf(span: StageTime | null): number {
  return span ? span.to - span.from : 0;
}

function buildServer(plan: Plan, end: EngineEndFacts | null): RunResult['server'] {
  const url = new URL(plan.targets[0]?.url ?? 'http://localhost/');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const { addresses, silentAddresses, serverSoftware } = end ?? {};
  return {
    software: serverSoftware ?? null,
    host: url.hostname,
    port,
    addresses: { ...addresses },
    silentAddresses: { ...silentAddresses },
  };
}

type GeneratorFigures = NonNullable<RunResult['generators'][number]['figures']>;

/** Sums of the windows of one load generator among several, in order of time. */
export class GeneratorRunTally {
  readonly totals = new Totals();
  readonly starts = new StartTimes();
  readonly points: GeneratorPoint[] = [];

  add(window: Window): void {
    this.totals.add(window);
    this.starts.add(window);
    this.points.push(generatorPointOfWindow(window));
  }
}

/** Returns one load generator's part of a run: counts of everything, and rates and times of the counted stages. */
export function generatorFigures(
  input: Pick<TalliedInput, 'plan' | 'head' | 'end'>,
  { totals, starts, points }: GeneratorRunTally,
): GeneratorFigures {
  const { plan, head, end } = input;
  const { shown, loadedSeconds } = listShownStages(input, starts);
  const isShown = ({ stage }: { readonly stage: number }): boolean => shown.includes(stage);
  const { rates, latency, phases } = computeStepFigures(totals.sum(isShown), totals.sumLoaded(isShown), loadedSeconds(shown), null);
  const { journeys, requests } = totals.outcomes(plan, head.endedAt !== null).outcomes;
  return {
    sent: requests.sent,
    ok: requests.ok,
    notStartedGenerator: journeys.notStarted.generator,
    rates,
    service: latency.service,
    response: latency.response,
    phases,
    points: pointsUntil(points, end?.endedAtSecond ?? totals.endSecond),
  };
}

/** Figures shared by a run, a stage, a step and a step within a stage. */
type StepFigures = Omit<RunResult['steps'][number], 'name' | 'budget'>;

/**
 * Computes the figures of `cell`. Rates are `loaded` over `seconds` (0: unknown). `firstBodyLength`: length of the first complete response.
 * Requests that never ended count as requests without a response. Error-adjusted times also count journeys that could not start because too
 * many responses were outstanding.
 */
export function computeStepFigures(cell: Cell, loaded: LoadedCount, seconds: number, firstBodyLength: number | null): StepFigures {
  const withoutResponse = cell.started - countEnded(cell);
  const failed = cell.started - (cell.outcomes.ok ?? 0) + cell.notStartedTarget;
  const perSecond = (count: number): number | null => (seconds <= 0 ? null : count / seconds);
  const phase = (kind: TimeKind): LatencySummary | null => (cell.times[kind] === undefined ? null : summarize(cell.times[kind]));
  return {
    requests: countRequestOutcomes([cell], Math.max(0, withoutResponse)),
    latency: {
      service: summarize(serviceTimes(cell)),
      response: summarize(responseTimes(cell)),
      errorAdjusted: summarize(goodTimes(cell), Math.max(0, failed)),
    },
    phases: {
      lookup: phase('lookup'),
      connect: phase('connect'),
      tls: phase('tls'),
      firstByte: phase('firstByte'),
      transfer: phase('transfer'),
      scheduleLag: phase('scheduleLag'),
    },
    ...(cell.times.sessionAge === undefined ? {} : { sessionAge: summarize(cell.times.sessionAge) }),
    rates: {
      startedPerSecond: perSecond(countSent(cell)),
      completedPerSecond: perSecond(loaded.responded),
      bytesPerSecond: perSecond(loaded.bytesReceived),
    },
    status: Object.fromEntries(cell.statuses),
    latencyByStatusClass: Object.fromEntries(timesByStatusClass(cell).map(([name, times]) => [name, summarize(times)])),
    errors: { ...cell.errors },
    bytes: { received: cell.bytesReceived, sent: cell.bytesSent, body: cell.bodyBytes },
    bodyLength: {
      first: firstBodyLength,
      differs: cell.bodyLengthDiffers,
      deviationBytes: cell.bodyLengthDeviation,
      empty: cell.bodyEmpty,
    },
    connectionsOpened: cell.connectionsOpened,
    requestsOnReusedConnection: cell.requestsOnReusedConnection,
    sessionsResumed: cell.sessionsResumed,
    requestsResent: cell.requestsResent,
    responsesUnchecked: cell.responsesUnchecked,
  };
}
