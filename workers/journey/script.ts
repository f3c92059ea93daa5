import { legsOf } from '#core/work/load/stages.ts';
import { compileFlow, type FlowNode } from '#core/work/journey/flow/compile.ts';
import { generate, purposeIn } from '#core/work/journey/generate.ts';
import { recordedRequests, sideUrlOf } from '#core/plan/requests.ts';
import { requiredSteps } from '#core/work/journey/requiredSteps.ts';
import { cookiesOf, namesOfStep, whereWalked } from '#core/work/journey/walked.ts';
import { TARGET_WITHOUT_SLASH, withoutSlash } from '#core/work/journey/escape.ts';
import { parseTemplate, type Template } from '#core/plan/secrets.ts';
import type { Variable } from '#core/plan/schema/journey.ts';
import { rowFor } from '#core/work/feeds/rows.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import type { StreamStep } from '#core/plan/schema/stream.ts';
import type { Stage, ThinkTime } from '#core/plan/schema/load.ts';
import { BODY_HEADERS } from '../bodyCheck/keptAnswer.ts';
import type { StreamRules } from '../streams/streamReading.ts';
import type { WorkerData } from '../messages.ts';
import type { Visit } from './plainWalk.ts';
import { EventReader } from '../streams/eventReader.ts';
import { UPGRADE_HEADERS } from '../streams/socketReading.ts';
import { noSuch } from '../noSuch.ts';
import { readValueName } from '#core/plan/valueNames.ts';
import { expectationOf } from './drivenSteps.ts';
import { headersOfTargets, type PageRules, pageRulesOf, resolvedTargetOf } from './pageHost.ts';
import { closingHeaders, Recipe, type RecipeParts, runHeaders } from './recipe.ts';

/** A step as a journey takes it. */
export interface ScriptStep {
  readonly recipe: Recipe;
  readonly slot: number;
  /** Of the redirects that are followed from it. */
  readonly redirectSlot: number;
  readonly mostRedirects: number;
  readonly mayEndAtLogin: boolean;
  readonly isOnce: boolean;
  /** The journey ends where it fails. */
  readonly isRequired: boolean;
  readonly thinkTime: ThinkTime | null;
  /** How its stream is held; null where its answer is none. */
  readonly stream: Omit<StreamRules, 'socket' | 'redirect'> | null;
  /** Where a side call goes; null for what is measured. */
  readonly sideOrigin: string | null;
  /** A side call to another server than the target: no cookie goes there, and none comes from there. */
  readonly isElsewhere: boolean;
  /** Position of the step that asks why this one failed; null when none does. */
  readonly explainedBy: number | null;
  /** Some step reads back what this one stores. */
  readonly isConfirmed: boolean;
  /** Positions of the steps whose items a success of this one confirms. */
  readonly confirms: readonly number[];
  /** Templates of the markers with which items are compared with the stored items; `count` is the index of the count in the plan. */
  readonly markers: readonly { readonly count: number; readonly template: Template }[];
  /** How what it links to is fetched; null when its answer is no page. */
  readonly pageRules: PageRules | null;
  isExpected(status: number): boolean;
}

export interface ScriptedBackground {
  /** Position of the step. */
  readonly step: number;
  readonly name: string;
  readonly everyUs: number;
  /** Position of the step whose good answer begins it; null where the user's arrival does. */
  readonly after: number | null;
}

/** Rows that are used once: each journey, on whatever thread or machine, takes the next. */
export interface OnceRows {
  /** Whether a user keeps one row for all their journeys, as after a login that is sent once. */
  readonly areKept: boolean;
  /** null when all are taken. */
  take(): number | null;
}

/** What all users of one target know of a plan whose journeys are walked. */
export interface Script {
  readonly steps: readonly ScriptStep[];
  /** Of the target that the load is divided among. */
  readonly origin: string;
  /** Of every target that requests and their redirects may be sent to, with the headers of the run and of that target. */
  readonly headersByOrigin: ReadonlyMap<string, RecipeParts['headers']>;
  readonly flow: readonly FlowNode[];
  /** What each user sends beside their journeys. */
  readonly background: readonly ScriptedBackground[];
  /** Names of the headers that its readers want, in lower case. */
  readonly headers: readonly string[];
  readonly keeps: 'journey' | 'user' | 'ignore';
  /** Whether the login page that a redirect leads to is read: it shows why a login failed. A load does not follow such a redirect. */
  readonly readsLoginPages: boolean;
  readonly seed: number;
  /** The stage that it was made for, or the first of those that are driven in one go. */
  readonly stage: number;
  readonly secrets: Readonly<Record<string, string>>;
  /** A value of a row of a feed; null when the plan has none of this name, or its rows are used up. `onceRow`: what was taken of `onceRows`. */
  fed(name: string, visit: Pick<Visit, 'user' | 'journey'>, onceRow: number | null): string | null;
  /** The feeds whose rows are used once; null where there is none. */
  readonly onceRows: OnceRows | null;
  /** Users beyond it have no row of their own in some feed. */
  readonly mostUsers: number;
  /** Value of a variable; null when the plan has none of this name. */
  generate(name: string, user: number, journey: number, request: number): string | null;
}

/** Keeps the values of one stage apart from those of another: the same user makes up new ones. */
const STAGE = 0x9e37_79b1;

/**
 * null for a plan that sends the same requests again and again.
 * @throws {HoldfastError} for a request that can never be built.
 */
export function scriptOf(data: WorkerData, targetIndex: number, stage: number): Script | null {
  const { plan, secrets } = data;
  const target = data.targets[targetIndex];
  if (target === undefined) throw noSuch('target', targetIndex);
  if (whereWalked(plan) === null) return null;
  const redirectSlots = new Map(recordedRequests(plan).flatMap(({ step, isRedirect }, slot) => (isRedirect ? [[step, slot]] : [])));
  const seed = plan.seed ^ Math.imul(stage, STAGE);
  const required = requiredSteps(plan.journey);
  const headersByOrigin = headersOfTargets(data, targetIndex);
  const steps = plan.journey.map((step, slot): ScriptStep => ({
    ...sideOf(step, target.url),
    recipe: new Recipe({
      step,
      targetUrl: sideUrlOf(step) ?? resolvedTargetOf(data, step, targetIndex).url,
      // What a plan sends to its target is nobody else's business.
      headers: runHeaders(data.userAgent, sideUrlOf(step) === null ? resolvedTargetOf(data, step, targetIndex).headers : {}),
      headersByOrigin,
      resolved: data.steps[slot] ?? { headers: {}, body: null },
      files: data.files,
      lastHeaders: closingHeaders(plan),
    }),
    slot,
    redirectSlot: redirectSlots.get(slot) ?? slot,
    mostRedirects: step.redirects?.most ?? 0,
    mayEndAtLogin: step.redirects?.mayEndAtLogin ?? false,
    isOnce: step.once ?? false,
    isRequired: required.has(slot),
    explainedBy: positionOrNull(plan.journey.findIndex(({ explains }) => explains?.step === step.name)),
    isConfirmed: plan.journey.some(({ confirms }) => confirms?.includes(step.name) === true),
    confirms: (step.confirms ?? []).map((confirmed) => plan.journey.findIndex(({ name }) => name === confirmed)),
    markers: (plan.stored ?? []).flatMap(({ step: name, marker }, count) =>
      name === step.name && marker !== undefined ? [{ count, template: parseTemplate(marker) }] : [],
    ),
    thinkTime: step.thinkTime ?? null,
    stream: step.stream === undefined ? null : { holdUs: holdUs(step.stream), reader: new EventReader(step.stream) },
    pageRules: pageRulesOf(data, targetIndex, slot),
    isExpected: expectationOf(step),
  }));
  const feeds = Object.values(data.feeds);
  const keptFeeds = feedsKeptByUsers(plan.journey);
  const users = Math.max(...(legsOf(plan).find((leg) => leg.includes(stage)) ?? [stage]).map((each) => usersIn(plan.load.stages[each])));
  const variables = new Map(
    Object.entries(plan.variables ?? {}).flatMap(
      ([name, variable]): [string, { readonly variable: Variable; readonly purpose: string }][] =>
        variable.kind === 'secret' ? [] : [[name, { variable, purpose: purposeIn(data.runId, name, variable) }]],
    ),
  );
  return {
    steps,
    origin: new URL(target.url).origin,
    headersByOrigin,
    flow: compileFlow(plan),
    background: backgroundOf(plan),
    headers: [...new Set(['location', 'set-cookie', ...BODY_HEADERS, ...capturedHeaders(plan.journey), ...upgradeHeaders(plan.journey)])],
    keeps: cookiesOf(plan),
    readsLoginPages: data.sampling === 'everything',
    seed,
    stage,
    secrets,
    mostUsers: Math.min(...feeds.flatMap(({ order, rows }) => (order === 'unique' ? [rows.length] : [])), Number.POSITIVE_INFINITY),
    onceRows: onceRowsOf(data, keptFeeds),
    fed(name, { user, journey }, onceRow) {
      const { owner, member } = readValueName(name);
      const feed = owner === null ? undefined : getOwn(data.feeds, owner);
      if (owner === null || feed === undefined) return null;
      const isOnce = feed.order === 'once';
      const row = isOnce ? onceRow : rowFor(owner, feed, { seed, user, journey: keptFeeds.has(owner) ? 0 : journey }, users);
      return row === null ? null : (feed.rows[row]?.[feed.columns.indexOf(member)] ?? null);
    },
    generate(name, user, journey, request) {
      if (name === TARGET_WITHOUT_SLASH) return withoutSlash(target.url);
      const known = variables.get(name);
      if (known === undefined) return null;
      return generate(known.purpose, known.variable, { seed, user, journey, request }, Date.now());
    },
  };
}

/** All feeds with `order: once` share one number: a journey has the same row of each. */
function onceRowsOf({ feeds, rowsTaken, generator }: WorkerData, keptFeeds: ReadonlySet<string | null>): OnceRows | null {
  const once = Object.entries(feeds).filter(([, { order }]) => order === 'once');
  if (once.length === 0) return null;
  const rows = Math.min(...once.map(([, feed]) => feed.rows.length));
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

function holdUs({ seconds = Number.POSITIVE_INFINITY, beside = false }: StreamStep): number {
  return beside ? 0 : seconds * 1_000_000;
}

function positionOrNull(position: number): number | null {
  return position < 0 ? null : position;
}

function backgroundOf({ journey }: Plan): ScriptedBackground[] {
  return journey.flatMap(({ name, background }, step) => {
    if (background === undefined) return [];
    const after = background.after === undefined ? null : journey.findIndex((other) => other.name === background.after);
    return [{ step, name, everyUs: background.everySeconds * 1_000_000, after }];
  });
}

function sideOf(step: Step, targetUrl: string): Pick<ScriptStep, 'sideOrigin' | 'isElsewhere'> {
  if (step.measured !== false) return { sideOrigin: null, isElsewhere: false };
  const { origin } = new URL(targetUrl);
  const sideOrigin = new URL(sideUrlOf(step) ?? targetUrl).origin;
  return { sideOrigin, isElsewhere: sideOrigin !== origin };
}

/** How many take turns in the rows of a feed; arrivals are numbered through. */
function usersIn(stage: Stage | undefined): number {
  if (stage === undefined) return 1;
  if ('connections' in stage) return stage.connections;
  return 'users' in stage ? stage.users : 1;
}

function upgradeHeaders(journey: WorkerData['plan']['journey']): readonly string[] {
  return journey.some(({ stream }) => stream?.kind === 'websocket') ? UPGRADE_HEADERS : [];
}

/** Whoever logs in once stays who they are: their later journeys have the same row. */
function feedsKeptByUsers(journey: WorkerData['plan']['journey']): ReadonlySet<string | null> {
  const names = journey.flatMap((step) => (step.once === true ? namesOfStep(step) : []));
  return new Set(names.map((name) => readValueName(name).owner));
}

function capturedHeaders(journey: WorkerData['plan']['journey']): string[] {
  return journey.flatMap(({ captures }) =>
    (captures ?? []).flatMap((capture) => (capture.from === 'header' ? [capture.name.toLowerCase()] : [])),
  );
}
