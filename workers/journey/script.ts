import { listLegs } from '#core/work/load/stages.ts';
import { compileFlow, type FlowNode } from '#core/work/journey/flow/compile.ts';
import { generate, seedPurpose } from '#core/work/journey/generate.ts';
import { listRecordedRequests, findSideUrl } from '#core/plan/requests.ts';
import { findPeopleRules, listGates, type PeopleRules } from '#core/work/journey/people.ts';
import { listRequiredSteps } from '#core/work/journey/requiredSteps.ts';
import { cookiesOf, namesOfStep, findWalkField } from '#core/work/journey/walked.ts';
import { TARGET_WITHOUT_SLASH, removeTrailingSlash } from '#core/work/journey/escape.ts';
import { listPlaceholderNames, parseTemplate, type Template } from '#core/plan/secrets.ts';
import type { Variable } from '#core/plan/schema/journey.ts';
import { valueAt, type WorkerData } from '../messages.ts';
import { findRow } from '#core/work/feeds/rows.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import type { StreamStep } from '#core/plan/schema/step.ts';
import type { Stage, ThinkTime } from '#core/plan/schema/load.ts';
import { BODY_HEADERS } from '../bodyCheck/keptResponse.ts';
import { type StreamRules, EventReader } from '../streams/eventReader.ts';
import type { Gate, Visit } from './plainWalk.ts';
import { UPGRADE_HEADERS } from '../streams/socketReading.ts';
import { missingPartError } from '../noSuch.ts';
import { readValueName } from '#core/plan/valueNames.ts';
import { statusCheck } from './drivenSteps.ts';
import { headersOfTargets, type PageRules, findPageRules, resolveTarget } from './pageHost.ts';
import { closingHeaders, Recipe, type RecipeParts, runHeaders } from './recipe.ts';

export interface ScriptStep {
  readonly recipe: Recipe;
  readonly requestIndex: number;
  /** Slot in which the step's redirects are counted. */
  readonly redirectSlot: number;
  readonly maxRedirects: number;
  readonly mayEndAtLogin: boolean;
  readonly isOnce: boolean;
  /** Conditions for repeating a step with `once`; null if it has no `renew`. */
  readonly renew: { readonly afterMs: number; readonly statuses: ReadonlySet<number> } | null;
  /** Whether the journey ends if this step fails, because later steps need its response. Side calls serve no other purpose. */
  readonly isNeeded: boolean;
  readonly thinkTime: ThinkTime | null;
  /** How the user reloads the step after a failure; null if the user does not reload it. */
  readonly reload: { readonly most: number; readonly pause: ThinkTime } | null;
  /** The bell that each user waits for once before this step; null if there is none. */
  readonly gate: Gate | null;
  /** Settings of the step's stream; null if the response is not a stream. */
  readonly stream: Omit<StreamRules, 'socket' | 'redirect'> | null;
  /** Origin of a side call; null for measured steps. */
  readonly sideOrigin: string | null;
  /** Whether the step is a side call to another server than the target. Such a side call sends and receives no cookies. */
  readonly isElsewhere: boolean;
  /** Index of the step that asks why this step failed; null if there is none. */
  readonly explainedBy: number | null;
  /** Whether another step reads back what this step stores. */
  readonly isConfirmed: boolean;
  /** Indexes of the steps whose items this step confirms if it succeeds. */
  readonly confirms: readonly number[];
  /** Templates of the markers by which items are compared with the stored items; `count` is the index of the count in the plan. */
  readonly markers: readonly { readonly count: number; readonly template: Template }[];
  /**
   * Names in the step's markers whose values the request sends and the response captures again. The marker of an item uses the sent values.
   */
  readonly replacedNames: readonly string[];
  /** Page rules; null if the response is not a page. */
  readonly pageRules: PageRules | null;
  isExpected(status: number): boolean;
}

export interface ScriptedBackground {
  readonly step: number;
  readonly name: string;
  readonly everyUs: number;
  /** Index of the step whose successful response starts the requests; null if they start with the user. */
  readonly after: number | null;
  /** Index of the step whose successful response ends the requests; null if they end with the user. */
  readonly until: number | null;
  readonly isInPausesOnly: boolean;
}

/** Feed rows that are used once. Each journey, on any thread or load generator, takes the next row. */
export interface OnceRows {
  /** Whether a user keeps one row for all journeys, as after a `once` login. */
  readonly areKept: boolean;
  /** Takes a row; null if none is left. */
  take(): number | null;
}

/** Data of a plan whose journeys differ, shared by all users of one target. */
export interface Script {
  readonly steps: readonly ScriptStep[];
  /** Origin of the load's target. */
  readonly origin: string;
  /** Headers of the run and the target, by the origin of each target of requests and redirects. */
  readonly headersByOrigin: ReadonlyMap<string, RecipeParts['headers']>;
  readonly flow: readonly FlowNode[];
  /** Background requests of each user. */
  readonly background: readonly ScriptedBackground[];
  /** Names of the headers that response readers need, in lower case. */
  readonly headers: readonly string[];
  /** Whether any step has `renew`. */
  readonly renews: boolean;
  readonly keeps: 'journey' | 'user' | 'ignore';
  /** Time from the start of the load to the first bell; 0 if there are no bells. */
  readonly firstBellUs: number;
  /** What is counted for each person; null if the plan has no people. */
  readonly people: PeopleRules | null;
  /** Whether the login page after a redirect is read, because it shows why a login failed. A load does not follow such a redirect. */
  readonly readsLoginPages: boolean;
  readonly seed: number;
  /** The stage of the script, or the first stage of a leg. */
  readonly stage: number;
  readonly secrets: Readonly<Record<string, string>>;
  /**
   * Returns a feed value; null if the plan has no such feed column, or if no row is left. `onceRow` is the row that was taken from
   * `onceRows`.
   */
  feedValue(name: string, visit: Pick<Visit, 'user' | 'journey'>, onceRow: number | null): string | null;
  /** Feeds whose rows are used once; null if there are none. */
  readonly onceRows: OnceRows | null;
  /** Number of rows of the shortest feed with `order: unique`, because each user needs a separate row; infinite without such a feed. */
  readonly maxUsers: number;
  /** Returns the value of a variable; null if the plan has none with this name. */
  generate(name: string, user: number, journey: number, request: number): string | null;
}

/** Factor that makes the seeds of stages different, so that the same user generates new values in each stage. */
const STAGE_SEED_FACTOR = 0x9e37_79b1;

/**
 * Returns the script of a plan; null if all journeys send the same requests.
 * @throws {HoldfastError} if a request can never be built.
 */
export function buildScript(data: WorkerData, targetIndex: number, stage: number): Script | null {
  const { plan, secrets } = data;
  const target = data.targets[targetIndex];
  if (target === undefined) throw missingPartError('target', targetIndex);
  if (findWalkField(plan) === null) return null;
  const seed = plan.seed ^ Math.imul(stage, STAGE_SEED_FACTOR);
  const headersByOrigin = headersOfTargets(data, targetIndex);
  const feeds = Object.values(data.feeds);
  const keptFeeds = feedsKeptByUsers(plan.journey);
  const users = Math.max(
    ...(listLegs(plan).find((leg) => leg.includes(stage)) ?? [stage]).map((each) => countUsers(plan.load.stages[each])),
  );
  const variables = new Map(
    Object.entries(plan.variables ?? {}).flatMap(
      ([name, variable]): [string, { readonly variable: Variable; readonly purpose: string }][] =>
        variable.kind === 'secret' ? [] : [[name, { variable, purpose: seedPurpose(data.runId, name, variable) }]],
    ),
  );
  return {
    steps: buildSteps(data, targetIndex, target.url, headersByOrigin),
    origin: new URL(target.url).origin,
    headersByOrigin,
    flow: compileFlow(plan),
    background: listBackgroundCalls(plan),
    headers: [
      ...new Set(['location', 'set-cookie', ...BODY_HEADERS, ...listCapturedHeaders(plan.journey), ...upgradeHeaders(plan.journey)]),
    ],
    renews: plan.journey.some(({ renew }) => renew !== undefined),
    keeps: cookiesOf(plan),
    firstBellUs: findFirstBellUs(plan),
    people: findPeopleRules(plan),
    readsLoginPages: data.sampling === 'everything',
    seed,
    stage,
    secrets,
    maxUsers: Math.min(...feeds.flatMap(({ order, rowCount }) => (order === 'unique' ? [rowCount] : [])), Number.POSITIVE_INFINITY),
    onceRows: readOnceRows(data, keptFeeds),
    feedValue(name, { user, journey }, onceRow) {
      const { owner, member } = readValueName(name);
      const feed = owner === null ? undefined : getOwn(data.feeds, owner);
      if (owner === null || feed === undefined) return null;
      const isOnce = feed.order === 'once';
      const row = isOnce ? onceRow : findRow(owner, feed, { seed, user, journey: keptFeeds.has(owner) ? 0 : journey }, users);
      return row === null ? null : valueAt(feed, row, member);
    },
    generate(name, user, journey, request) {
      if (name === TARGET_WITHOUT_SLASH) return removeTrailingSlash(target.url);
      const known = variables.get(name);
      if (known === undefined) return null;
      return generate(known.purpose, known.variable, { seed, user, journey, request }, Date.now());
    },
  };
}

function buildSteps(data: WorkerData, targetIndex: number, targetUrl: string, headersByOrigin: Script['headersByOrigin']): ScriptStep[] {
  const { plan } = data;
  const redirectSlots = new Map(
    listRecordedRequests(plan).flatMap(({ step, isRedirect }, requestIndex) => (isRedirect ? [[step, requestIndex]] : [])),
  );
  const required = listRequiredSteps(plan.journey);
  return plan.journey.map((step, requestIndex): ScriptStep => ({
    ...sideTarget(step, targetUrl),
    recipe: new Recipe({
      step,
      targetUrl: findSideUrl(step) ?? resolveTarget(data, step, targetIndex).url,
      // Headers that are meant for the target are sent to no other host.
      headers: runHeaders(data.userAgent, findSideUrl(step) === null ? resolveTarget(data, step, targetIndex).headers : {}),
      headersByOrigin,
      resolved: data.steps[requestIndex] ?? { headers: {}, body: null },
      files: data.files,
      largeFiles: data.largeFiles,
      lastHeaders: closingHeaders(plan),
    }),
    requestIndex,
    redirectSlot: redirectSlots.get(requestIndex) ?? requestIndex,
    maxRedirects: step.redirects?.most ?? 0,
    mayEndAtLogin: step.redirects?.mayEndAtLogin ?? false,
    isOnce: step.once ?? false,
    renew: buildRenew(step),
    isNeeded: required.has(requestIndex) || (step.captures ?? []).length > 0 || step.measured === false,
    explainedBy: positionOrNull(plan.journey.findIndex(({ explains }) => explains?.step === step.name)),
    isConfirmed: plan.journey.some(({ confirms }) => confirms?.includes(step.name) === true),
    confirms: (step.confirms ?? []).map((confirmed) => plan.journey.findIndex(({ name }) => name === confirmed)),
    markers: (plan.stored ?? []).flatMap(({ step: name, marker }, count) =>
      name === step.name && marker !== undefined ? [{ count, template: parseTemplate(marker) }] : [],
    ),
    replacedNames: listReplacedNames(plan, step),
    thinkTime: step.thinkTime ?? null,
    gate: buildGate(plan, step),
    reload: reloadOf(step),
    stream: step.stream === undefined ? null : { holdUs: holdUs(step.stream), reader: new EventReader(step.stream) },
    pageRules: findPageRules(data, targetIndex, requestIndex),
    isExpected: statusCheck(step),
  }));
}

/** Returns the rows that are used once. All feeds with `order: once` share one counter, so a journey takes the same row of each feed. */
function readOnceRows({ feeds, rowsTaken, generator }: WorkerData, keptFeeds: ReadonlySet<string | null>): OnceRows | null {
  const once = Object.entries(feeds).filter(([, { order }]) => order === 'once');
  if (once.length === 0) return null;
  const rows = Math.min(...once.map(([, feed]) => feed.rowCount));
  return {
    areKept: once.every(([name]) => keptFeeds.has(name)),
    take() {
      const row = Atomics.add(rowsTaken, 0, 1) * generator.count + generator.index;
      if (row < rows) return row;
      Atomics.sub(rowsTaken, 0, 1);
      return null;
    },
  };
}

function buildRenew({ renew }: Step): ScriptStep['renew'] {
  if (renew === undefined) return null;
  return { afterMs: (renew.afterSeconds ?? Number.POSITIVE_INFINITY) * 1_000, statuses: new Set(renew.onStatus) };
}

function reloadOf({ reload }: Step): ScriptStep['reload'] {
  if (reload === undefined) return null;
  const { most, fromSeconds, toSeconds } = reload;
  return { most, pause: { kind: 'uniform', fromSeconds, toSeconds } };
}

function findFirstBellUs({ bells = {} }: Plan): number {
  const instantsUs = Object.values(bells).map(({ atSeconds }) => atSeconds * 1_000_000);
  return instantsUs.length === 0 ? 0 : Math.min(...instantsUs);
}

function buildGate(plan: Plan, { gate }: Step): Gate | null {
  const bell = gate === undefined ? undefined : getOwn(plan.bells ?? {}, gate);
  if (gate === undefined || bell === undefined) return null;
  const index = listGates(plan).findIndex((requestIndex) => plan.journey[requestIndex]?.gate === gate);
  return { bell: gate, index, afterUs: bell.atSeconds * 1_000_000, endsLateJourneys: bell.late === 'leave' };
}

function holdUs({ seconds = Number.POSITIVE_INFINITY, beside = false }: StreamStep): number {
  return beside ? 0 : seconds * 1_000_000;
}

function positionOrNull(position: number): number | null {
  return position < 0 ? null : position;
}

function listReplacedNames({ stored = [] }: Plan, step: Step): string[] {
  const captured = new Set((step.captures ?? []).map(({ as }) => as));
  const markers = stored.flatMap(({ step: name, marker }) => (name === step.name && marker !== undefined ? [marker] : []));
  const marked = new Set(markers.flatMap(listPlaceholderNames));
  return namesOfStep(step).filter((name) => captured.has(name) && marked.has(name));
}

function listBackgroundCalls({ journey }: Plan): ScriptedBackground[] {
  return journey.flatMap(({ name, background }, step) => {
    if (background === undefined) return [];
    const { everySeconds, after, until, inPauses = false } = background;
    const indexOf = (wanted: string | undefined): number | null =>
      wanted === undefined ? null : journey.findIndex((other) => other.name === wanted);
    return [{ step, name, everyUs: everySeconds * 1_000_000, after: indexOf(after), until: indexOf(until), isInPausesOnly: inPauses }];
  });
}

function sideTarget(step: Step, targetUrl: string): Pick<ScriptStep, 'sideOrigin' | 'isElsewhere'> {
  if (step.measured !== false) return { sideOrigin: null, isElsewhere: false };
  const { origin } = new URL(targetUrl);
  const sideOrigin = new URL(findSideUrl(step) ?? targetUrl).origin;
  return { sideOrigin, isElsewhere: sideOrigin !== origin };
}

/** Returns the number of users who share the rows of a feed. Arrivals are numbered consecutively. */
function countUsers(stage: Stage | undefined): number {
  if (stage === undefined) return 1;
  if ('connections' in stage) return stage.connections;
  return 'users' in stage ? stage.users : 1;
}

function upgradeHeaders(journey: WorkerData['plan']['journey']): readonly string[] {
  return journey.some(({ stream }) => stream?.kind === 'websocket') ? UPGRADE_HEADERS : [];
}

/** Returns the feeds that `once` steps use. Later journeys of a user use the same row of these feeds. */
function feedsKeptByUsers(journey: WorkerData['plan']['journey']): ReadonlySet<string | null> {
  const names = journey.flatMap((step) => (step.once === true ? namesOfStep(step) : []));
  return new Set(names.map((name) => readValueName(name).owner));
}

function listCapturedHeaders(journey: WorkerData['plan']['journey']): string[] {
  return journey.flatMap(({ captures }) =>
    (captures ?? []).flatMap((capture) => (capture.from === 'header' ? [capture.name.toLowerCase()] : [])),
  );
}
