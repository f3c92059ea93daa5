import { stringify } from 'yaml';
import { listCriteria, describeCriterion } from '#core/plan/criteria.ts';
import { joinNames } from '#core/plan/hosts/generatorNames.ts';
import { buildFlow } from '#core/work/journey/flow/executions.ts';
import type { FlowPart } from '#core/plan/schema/flow.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { type ExportResult, type ExportSources, listDuetNotes, UNIX_SOCKET_HINT, PIN_IN_HOSTS_FILE } from '../exported.ts';
import { ArtilleryDraft } from './draft.ts';
import { writeRequest } from './request.ts';
import { amountWithin, rateCurve, type RateLine } from '#core/work/load/rateCurve.ts';
import { type ArrivalsLoad, type ArrivalsStage, DEFAULT_MAX_IN_FLIGHT } from '#core/plan/schema/load.ts';
import { stageName } from '#core/plan/names.ts';

/** Returns the pause after a step; null if there is none. After the last step, only the step's own pause applies. */
function pauseAfter(draft: ArtilleryDraft, step: Step, isLast: boolean): number | string | null {
  const { load } = draft.plan;
  const pause = step.thinkTime ?? (isLast || !('thinkTime' in load) ? undefined : load.thinkTime);
  if (pause === undefined) return null;
  switch (pause.kind) {
    case 'fixed':
      return pause.seconds === 0 ? null : timeOf(pause.seconds);
    case 'uniform':
      return `${draft.template(`$randomNumber(${Math.round(pause.fromSeconds * 1_000)}, ${Math.round(pause.toSeconds * 1_000)})`)}ms`;
    case 'exponential':
      draft.note('Random pauses are replaced by their mean.');
      return timeOf(pause.meanSeconds);
    default:
      return pause satisfies never;
  }
}

type Block = Readonly<Record<string, unknown>>;

const YAML_WIDTH = 140;

/** Exports a plan with the model `arrivals` as an Artillery 2.x script. */
export function exportArtillery(plan: Plan, sources: ExportSources = {}): ExportResult {
  const draft = new ArtilleryDraft(plan, sources);
  if (plan.load.model !== 'arrivals')
    draft.refuse(
      'load.model',
      `Artillery supports an arrival rate only. The plan has ${plan.load.model} that wait for responses.`,
      'Export it for k6, or change the load model to arrivals.',
    );
  refuseWhatCannotBe(draft);
  const phases = plan.load.model === 'arrivals' ? writePhases(draft, plan.load) : [];
  const scenarios = writeScenarios(draft);
  const config = writeConfig(draft, phases);
  draft.refuseForeignTemplates({ config, scenarios });
  if (draft.issues.length > 0) return { kind: 'refused', issues: draft.issues };
  draft.note('Artillery opens new connections for each arrival.');
  for (const note of listDuetNotes(plan)) draft.note(note);
  if (plan.seed !== 1) draft.note('Artillery draws new random values in every run. The seed of the plan has no effect.');
  const head = [
    plan.name,
    ...(plan.story === '' ? [] : [plan.story]),
    'Written by Holdfast. Run it: artillery run artillery.yaml',
    ...draft.notes.map((note) => `- ${note}`),
  ];
  const text = `${head.map((line) => `# ${line.replaceAll(/\s+/g, ' ')}`).join('\n')}\n${stringify({ config, scenarios }, { lineWidth: YAML_WIDTH, aliasDuplicateObjects: false })}`;
  return {
    kind: 'exported',
    exported: { kind: 'artillery', text, files: draft.files, environment: draft.environment, notes: draft.notes },
  };
}

function refuseWhatCannotBe(draft: ArtilleryDraft): void {
  const { connections, targets, namedTargets, tls } = draft.plan;
  if (connections.protocol === 'h2')
    draft.refuse('connections.protocol', 'Artillery speaks HTTP/1.1 only.', 'Export it for k6, or set the protocol to HTTP/1.1.');
  if (connections.resolve !== undefined) draft.refuse('connections.resolve', 'Artillery asks the system for addresses.', PIN_IN_HOSTS_FILE);
  if (connections.socketPath !== undefined)
    draft.refuse('connections.socketPath', 'Artillery connects over the network only.', UNIX_SOCKET_HINT);
  if (targets.length > 1) draft.refuse('targets', 'An Artillery script has one target.', 'Export it with one target, or for k6.');
  if (namedTargets !== undefined && targets.some(({ headers, cookie }) => cookie !== undefined || Object.keys(headers).length > 0))
    draft.refuse(
      'namedTargets',
      'Artillery sends the headers and the cookie of the target to every host.',
      'Write the headers in the steps that need them, or export it for k6.',
    );
  if (tls.ca !== undefined || tls.clientCertificate !== undefined || tls.serverName !== undefined)
    draft.note('Certificates are left out. Name their files in config.tls.client.');
}

function writeConfig(draft: ArtilleryDraft, phases: readonly Block[]): Block {
  const { targets, tls, timeoutSeconds, load } = draft.plan;
  const [target] = targets;
  const headers = {
    ...Object.fromEntries(
      Object.entries(target?.headers ?? {}).flatMap(([name, value]) =>
        // Each request has the login, which replaces this header.
        target?.auth !== undefined && /^authorization$/i.test(name) ? [] : [[name, draft.constant(value)]],
      ),
    ),
    ...(target?.cookie === undefined ? {} : { Cookie: draft.constant(target.cookie) }),
  };
  const ensure = writeEnsure(draft);
  const payload = draft.payload();
  const variables = draft.buildLists();
  const checks = draft.plan.journey.some((step) => step.expectStatus !== undefined || step.checks.length > 0);
  return {
    target: new URL(target?.url ?? '').origin,
    ...(load.model === 'arrivals' && load.spacing === 'poisson' ? { mode: 'poisson' } : {}),
    phases,
    http: { timeout: timeoutSeconds, ...(Object.keys(headers).length === 0 ? {} : { defaults: { headers } }) },
    ...(tls.verify ? {} : { tls: { rejectUnauthorized: false } }),
    ...(Object.keys(variables).length === 0 ? {} : { variables }),
    ...(payload.length === 0 ? {} : { payload }),
    ...(ensure === null && !checks
      ? {}
      : { plugins: { ...(checks ? { expect: expectSettings(draft, ensure) } : {}), ...(ensure === null ? {} : { ensure: {} }) } }),
    ...(ensure === null ? {} : { ensure }),
  };
}

/** Returns settings that suppress output for each request. */
function expectSettings(draft: ArtilleryDraft, ensure: Block | null): Block {
  if (ensure === null || !('maxErrorRate' in ensure)) return { formatter: 'silent' };
  // Artillery's error rate is the share of users who did not finish.
  if (draft.plan.journey.length > 1) draft.note('A user who gets an unexpected response stops and counts as failed.');
  return { formatter: 'silent', reportFailuresAsErrors: true, useOnlyRequestNames: true };
}

/** Returns the limits; in Artillery they cover all requests of a test. */
function writeEnsure(draft: ArtilleryDraft): Block | null {
  const { plan } = draft;
  const thresholds: Block[] = [];
  let maxErrorRate: number | null = null;
  for (const criterion of listCriteria(plan)) {
    const isOfAll =
      criterion.step === undefined &&
      criterion.stage === undefined &&
      !('of' in criterion && (criterion.of === 'pages' || criterion.of === 'visits'));
    const isOfVisits = 'of' in criterion && criterion.of === 'visits';
    const isWhole = isOfAll || (!isOfVisits && plan.journey.length === 1 && criterion.stage === undefined);
    const percentile = criterion.kind === 'responseTime' ? PERCENTILES.get(criterion.percentile) : undefined;
    if (criterion.kind === 'responseTime' && isWhole && percentile !== undefined)
      thresholds.push({ [`http.response_time.${percentile}`]: criterion.maxMs });
    else if (criterion.kind === 'responseTime' && isWhole)
      draft.note(`Left out, because Artillery supports ${formatPercentiles()} only: ${describeCriterion(criterion)}.`);
    else if (criterion.kind === 'errors' && isWhole) maxErrorRate = Number((criterion.maxShare * 100).toPrecision(12));
    else draft.note(`Left out, because Artillery judges all requests together: ${describeCriterion(criterion)}.`);
  }
  if (thresholds.length === 0 && maxErrorRate === null) return null;
  return { ...(thresholds.length === 0 ? {} : { thresholds }), ...(maxErrorRate === null ? {} : { maxErrorRate }) };
}

/** Percentiles that Artillery calculates, with its names. */
const PERCENTILES: ReadonlyMap<number, string> = new Map([
  [50, 'median'],
  [75, 'p75'],
  [90, 'p90'],
  [95, 'p95'],
  [99, 'p99'],
  [99.9, 'p999'],
]);

function formatPercentiles(): string {
  return joinNames([...PERCENTILES.values()]);
}

function writeScenarios(draft: ArtilleryDraft): Block[] {
  const flow = buildFlow(draft.plan);
  const [only] = flow;
  if (flow.length === 1 && typeof only === 'object' && 'choose' in only) {
    if (only.choose.some(({ weightIn }) => weightIn !== undefined))
      draft.refuse('flow[0].choose', 'Artillery does not support weights that change between stages.');
    if (only.per === 'user') draft.refuse('flow[0].per', 'Artillery draws a scenario for each user; it has no groups of users.');
    const weights = toWholeWeights(only.choose.map(({ weight }) => weight));
    return only.choose.map((choice, index) => ({
      name: `way ${index + 1}`,
      weight: weights[index] ?? 0,
      flow: listActions(draft, choice.flow, `flow[0].choose[${index}].flow`),
    }));
  }
  return [{ flow: listActions(draft, flow, 'flow') }];
}

const NO_LOOP_ITEM = '';

/** Writes the body of a loop. `$loopElement` is shared by all loops: an inner loop overwrites that of an outer one. */
function writeLoop(draft: ArtilleryDraft, item: string, body: () => Block[]): Block[] {
  draft.loopItems.push(item);
  const made = body();
  draft.loopItems.pop();
  if (draft.loopItems.length > 0) draft.loopItems.splice(-1, 1, NO_LOOP_ITEM);
  return made;
}

const MAX_WEIGHT = 1_000;

/** Scales weights to whole numbers, because Artillery truncates fractions. */
function toWholeWeights(weights: readonly number[]): number[] {
  if (weights.every((weight) => Number.isInteger(weight))) return [...weights];
  const most = Math.max(...weights);
  return weights.map((weight) => (weight === 0 ? 0 : Math.max(1, Math.round((weight / most) * MAX_WEIGHT))));
}

function listActions(draft: ArtilleryDraft, flow: readonly FlowPart[], place: string): Block[] {
  const { plan } = draft;
  return flow.flatMap((part, index): Block[] => {
    const partLocation = `${place}[${index}]`;
    if (typeof part === 'string') {
      const position = plan.journey.findIndex(({ name }) => name === part);
      const step = plan.journey[position];
      if (step === undefined) return [];
      const think = pauseAfter(draft, step, index === flow.length - 1);
      return [writeRequest(draft, step, `journey[${position}]`), ...(think === null ? [] : [{ think }])];
    }
    if ('choose' in part) {
      draft.refuse(partLocation, 'Artillery chooses between whole scenarios, not within one.');
      return [];
    }
    if ('forEach' in part) {
      if (part.atMost !== undefined) draft.note('A loop over a list uses all of its items.');
      const body = writeLoop(draft, part.as, () => listActions(draft, part.flow, `${partLocation}.flow`));
      return [{ loop: body, over: draft.valueName(part.forEach) }];
    }
    const body = writeLoop(draft, NO_LOOP_ITEM, () => listActions(draft, part.flow, `${partLocation}.flow`));
    if (typeof part.repeat !== 'number')
      return [{ loop: body, count: draft.template(`$randomNumber(${part.repeat.from}, ${part.repeat.to})`) }];
    // Artillery treats a count of 0 as endless.
    return part.repeat === 0 ? [] : [{ loop: body, count: part.repeat }];
  });
}

/** Formats a duration for Artillery: whole seconds as a number, others as text such as 196ms. */
function timeOf(seconds: number): number | string {
  return Number.isInteger(seconds) ? seconds : `${Math.max(1, Math.round(seconds * 1_000))}ms`;
}

type Phase = Readonly<Record<string, unknown>>;

/** A linear part of a stage, with its number of arrivals. */
interface LinearPart {
  readonly line: RateLine;
  readonly arrivals: number;
}

/*
 * Rates in Artillery 2.0 (phases, and division of work among its workers): a constant rate must be a whole number. A ramp changes once a
 * second, with the arrivals of each second rounded, and lasts whole seconds. Other rates are written as numbers of arrivals, which are
 * exact.
 */

/** Maximum relative difference of the arrivals of a ramp in Artillery. */
const MAX_RELATIVE_DIFFERENCE = 0.02;
const MIN_RAMP_SECONDS = 2;
const MAX_STAIRS = 10;

/** Converts the stages of a load to phases. */
function writePhases(draft: ArtilleryDraft, load: ArrivalsLoad): Phase[] {
  let before = 0;
  const pieces = rateCurve(load.stages).pieces.map(({ stage, endAmount, ...line }) => {
    const until = Math.round(endAmount);
    const arrivals = until - before;
    before = until;
    return { stage, line, arrivals };
  });
  return load.stages.flatMap((stage, index) => {
    const most =
      ('maxInFlight' in stage ? stage.maxInFlight : undefined) ??
      (load.maxInFlight === DEFAULT_MAX_IN_FLIGHT ? undefined : load.maxInFlight);
    if (!stage.counted && stage.kind !== 'pause') draft.note(`Artillery counts “${stageName(draft.plan, index)}” too.`);
    if (stage.kind === 'steps' || stage.kind === 'spike') draft.note('Staircases and spikes become several phases.');
    const own = pieces.filter((piece) => piece.stage === index);
    const phases = own.flatMap((piece) => phasesOfPiece(draft, stage, index, piece, load.spacing === 'poisson'));
    return phases.map((phase, position) => {
      const name = stage.name === undefined || phases.length === 1 ? stage.name : `${stage.name} ${position + 1}`;
      return { ...phase, ...(name === undefined ? {} : { name }), ...(most === undefined ? {} : { maxVusers: most }) };
    });
  });
}

function phasesOfPiece(draft: ArtilleryDraft, stage: ArrivalsStage, index: number, due: LinearPart, isPoisson: boolean): Phase[] {
  const { line, arrivals } = due;
  const { fromPerSecond: from, toPerSecond: to, seconds } = line;
  if (stage.kind === 'pause' || (from === 0 && to === 0)) return [{ pause: timeOf(seconds) }];
  if (stage.kind === 'count') return [exactPhase(stage.arrivals, seconds)];
  if (from !== to) return rampPhases(draft, index, due);
  // The number of Poisson arrivals is random anyway, so a rate does not have to give a whole number of them.
  if (Number.isInteger(to) && (isPoisson || Number.isInteger(to * seconds))) return [{ duration: timeOf(seconds), arrivalRate: to }];
  if (isPoisson) draft.note(`“${stageName(draft.plan, index)}” is spread evenly, because Artillery supports whole rates only.`);
  return [exactPhase(arrivals, seconds)];
}

function rampPhases(draft: ArtilleryDraft, index: number, due: LinearPart): Phase[] {
  const { line } = due;
  const { fromPerSecond, toPerSecond, seconds } = line;
  const whole = Math.floor(seconds);
  const until = whole === seconds ? toPerSecond : fromPerSecond + ((toPerSecond - fromPerSecond) * whole) / seconds;
  const amount = amountWithin(line, whole);
  // Artillery divides the initial rate of a ramp down to 0 among its workers like a constant rate, which must be a whole number.
  const isReported = whole >= MIN_RAMP_SECONDS && (until > 0 || Number.isInteger(fromPerSecond));
  if (!isReported || Math.abs(countRampArrivals(fromPerSecond, until, whole) - amount) > MAX_RELATIVE_DIFFERENCE * amount) {
    draft.note(`“${stageName(draft.plan, index)}” is a staircase, because Artillery rounds the arrivals of each second of a ramp.`);
    return approximateRamp(due);
  }
  const rest = due.arrivals - Math.round(amount);
  return [
    { duration: whole, arrivalRate: fromPerSecond, rampTo: until },
    ...(whole === seconds ? [] : [exactPhase(Math.max(0, rest), seconds - whole)]),
  ];
}

/** Returns the number of arrivals that Artillery makes in a ramp of at least two whole seconds. */
function countRampArrivals(from: number, to: number, seconds: number): number {
  let sum = 0;
  for (let second = 0; second < seconds; second += 1) sum += Math.round(from + ((to - from) / (seconds - 1)) * second);
  return sum;
}

/** Converts a ramp to steps of equal length with the same number of arrivals, in whole seconds if possible. */
function approximateRamp({ line, arrivals }: LinearPart): Phase[] {
  const count = Math.max(1, Math.min(MAX_STAIRS, Math.floor(line.seconds), arrivals));
  const all = amountWithin(line, line.seconds);
  let before = 0;
  return Array.from({ length: count }, (_, step) => {
    const from = stairEnd(line.seconds, step, count);
    const to = stairEnd(line.seconds, step + 1, count);
    const until = all === 0 ? 0 : Math.round((amountWithin(line, to) / all) * arrivals);
    const phase = exactPhase(until - before, to - from);
    before = until;
    return phase;
  });
}

function stairEnd(seconds: number, step: number, count: number): number {
  return step === count ? seconds : Math.floor((seconds * step) / count);
}

/** Returns a phase with a number of arrivals, or a pause for 0, because Artillery skips empty phases. */
function exactPhase(arrivals: number, seconds: number): Phase {
  return arrivals === 0 ? { pause: timeOf(seconds) } : { duration: timeOf(seconds), arrivalCount: arrivals };
}
