import type { PlanInput } from '#core/plan/schema/plan.ts';
import { MAX_STAGE_SECONDS, MAX_USERS } from '#core/plan/schema/load.ts';
import { type Draft, withoutNulls, proposeUsers, type WrittenLoad } from '../draft.ts';
import type { JsonValue } from '../placeholders.ts';
import { valueAtPath, entriesAt, listAt, numberAt, textAt } from '../reading.ts';
import { parseDuration } from './requests.ts';
import { STOP_BY_ERROR_RATE_HINT } from '../notes.ts';

type UsersLoad = Extract<WrittenLoad, { model: 'users' }>;
type ArrivalsLoad = Extract<WrittenLoad, { model: 'arrivals' }>;
type Criterion = NonNullable<PlanInput['criteria']>[number];

/** Duration of a plateau in seconds if the script changes the users again at once. */
const MIN_SECONDS = 1;

export interface Journey {
  readonly exec: string;
  readonly weight: number;
}

interface Scenario {
  readonly name: string;
  readonly exec: string;
  readonly load: UsersLoad | ArrivalsLoad;
  /** Maximum number of users, or of arrivals per second. */
  readonly size: number;
  readonly startSeconds: number;
}

/** Returns the load of the options, and the functions that users call. */
export function loadIn(draft: Draft, options: JsonValue): { readonly load: WrittenLoad; readonly journeys: readonly Journey[] } {
  const scenarios = entriesAt(options, 'scenarios')
    .slice(0, 50)
    .map(([name, scenario]) => readScenario(draft, name.slice(0, 60), scenario));
  const read = scenarios.filter((scenario) => scenario !== null);
  const [first] = read;
  if (first === undefined) {
    const load = readUsers(draft, 'options', options);
    if (load === null) {
      const what = 'The script defines no load: k6 takes it from the command line, else one user sends the requests once.';
      draft.noteAssumed('options', what, 'Proposed: ten users who repeat them for a minute.');
    }
    return { load: load ?? proposeUsers(), journeys: [{ exec: 'default', weight: 1 }] };
  }
  const same = read.filter(({ load }) => load.model === first.load.model);
  for (const { name } of read.filter((scenario) => !same.includes(scenario)))
    draft.noteLeftOut(
      `scenario ${name}`,
      'A plan has users or arrivals, not both.',
      `The plan has the load of ${first.name}. Make a plan of its own for this scenario.`,
    );
  const journeys = same.map(({ exec, size }) => ({ exec, weight: Math.max(1, Math.round(size * 100)) }));
  if (same.length === 1) {
    if (first.startSeconds > 0) draft.noteLeftOut(`scenario ${first.name}`, 'It starts after a delay.', 'The plan starts at once.');
    return { load: first.load, journeys };
  }
  draft.noteChanged(
    'scenarios',
    `${same.length} scenarios run side by side or one after the other.`,
    'The plan adds up their loads at once. Each user or arrival picks one of their journeys at random, weighted by the loads.',
  );
  return { load: sumLoads(same), journeys };
}

/** Returns the sum of loads of one model. Users run together for the longest duration; arrivals run at the sum of their maximum rates. */
function sumLoads(scenarios: readonly Scenario[]): WrittenLoad {
  const total = scenarios.reduce((sum, { size }) => sum + size, 0);
  const seconds = Math.min(MAX_STAGE_SECONDS, Math.max(1, ...scenarios.map(({ load }) => secondsOf(load))));
  const [{ load }] = scenarios as [Scenario];
  if (load.model === 'arrivals') return { model: 'arrivals', stages: [{ kind: 'constant', name: 'load', perSecond: total, seconds }] };
  return { model: 'users', stages: [{ name: 'load', users: Math.min(MAX_USERS, Math.max(1, Math.round(total))), seconds }] };
}

function secondsOf(load: WrittenLoad): number {
  return load.stages.reduce(
    (sum, stage) => sum + ('seconds' in stage ? (stage.seconds ?? 0) : 0) + ('startUpSeconds' in stage ? (stage.startUpSeconds ?? 0) : 0),
    0,
  );
}

function readScenario(draft: Draft, name: string, scenario: unknown): Scenario | null {
  const location = `scenario ${name}`;
  const exec = textAt(scenario, 'exec') ?? 'default';
  const startSeconds = parseDuration(textAt(scenario, 'startTime') ?? '0s') ?? 0;
  const executor = textAt(scenario, 'executor') ?? '';
  const isRate = executor.endsWith('arrival-rate');
  const load = isRate ? findArrivals(name, scenario, executor) : readUsers(draft, location, scenario, executor);
  if (load === null) {
    draft.noteLeftOut(location, isRate ? 'Its rate is unknown or 0.' : `The executor “${executor.slice(0, 40)}” has no equivalent.`);
    return null;
  }
  return { name, exec, startSeconds, size: sizeOf(load), load };
}

/** Returns the maximum number of users, or of arrivals per second. */
function sizeOf(load: UsersLoad | ArrivalsLoad): number {
  if (load.model === 'users') return Math.max(...load.stages.map(({ users }) => users));
  return Math.max(
    0,
    ...load.stages.map((stage) =>
      stage.kind === 'constant' ? stage.perSecond : stage.kind === 'ramp' ? Math.max(stage.fromPerSecond, stage.toPerSecond) : 0,
    ),
  );
}

function findArrivals(name: string, scenario: unknown, executor: string): ArrivalsLoad | null {
  const perUnit = parseDuration(textAt(scenario, 'timeUnit') ?? '1s') ?? 1;
  const rate = (given: unknown, member: string): number => Math.round(((numberAt(given, member) ?? 0) / perUnit) * 1_000) / 1_000;
  const seconds = parseDuration(textAt(scenario, 'duration') ?? '') ?? 60;
  let from = rate(scenario, 'startRate');
  const stages: ArrivalsLoad['stages'] = executor.startsWith('constant')
    ? [{ kind: 'constant', name, perSecond: rate(scenario, 'rate'), seconds }]
    : listAt(scenario, 'stages')
        .slice(0, 200)
        .flatMap((stage): ArrivalsLoad['stages'] => {
          const [fromPerSecond, toPerSecond] = [from, rate(stage, 'target')];
          from = toPerSecond;
          const rampSeconds = parseDuration(textAt(stage, 'duration') ?? '') ?? 0;
          // A step of the rate takes no time.
          if (rampSeconds <= 0) return [];
          if (fromPerSecond === toPerSecond) return [{ kind: 'constant', perSecond: toPerSecond, seconds: rampSeconds }];
          return [{ kind: 'ramp', fromPerSecond, toPerSecond, seconds: rampSeconds }];
        });
  const maxUsers = numberAt(scenario, 'maxVUs') ?? numberAt(scenario, 'preAllocatedVUs');
  const maxInFlight = maxUsers === null ? null : Math.min(MAX_USERS, Math.max(1, Math.floor(maxUsers)));
  const load: ArrivalsLoad = { model: 'arrivals', ...withoutNulls({ maxInFlight }), stages };
  return sizeOf(load) === 0 ? null : load;
}

/** Returns the users of a scenario, or of options without scenarios; null if no number is given. */
function readUsers(draft: Draft, location: string, block: unknown, executor = ''): UsersLoad | null {
  const users = Math.min(MAX_USERS, Math.max(1, Math.floor(numberAt(block, 'vus') ?? 1)));
  const stages = listAt(block, 'stages');
  if (stages.length > 0)
    return stagesOf(draft, location, stages, numberAt(block, 'startVUs') ?? (executor === '' ? (numberAt(block, 'vus') ?? 1) : 1));
  const seconds = parseDuration(textAt(block, 'duration') ?? '');
  if (seconds !== null && seconds > 0)
    return { model: 'users', stages: [{ name: 'load', users, seconds: Math.min(MAX_STAGE_SECONDS, seconds) }] };
  const iterations = numberAt(block, 'iterations');
  if (iterations === null && !executor.endsWith('iterations')) return null;
  const total = executor === 'per-vu-iterations' ? (iterations ?? 1) * users : (iterations ?? 1);
  draft.noteChanged(
    location,
    `It ends after ${total} iterations.`,
    'The plan ends after a minute, because a plan with users ends by time. Change the seconds of its stage.',
  );
  return { model: 'users', stages: [{ name: 'load', users, seconds: 60 }] };
}

/**
 * Converts `{ duration, target }` stages, which change the number of users linearly. A stage that keeps the number becomes the plateau of
 * the stage before it.
 */
function stagesOf(draft: Draft, location: string, written: readonly unknown[], start: number): UsersLoad | null {
  const steps = written.slice(0, 200).map((stage) => ({
    users: Math.min(MAX_USERS, Math.max(0, Math.floor(numberAt(stage, 'target') ?? 0))),
    seconds: Math.min(MAX_STAGE_SECONDS, parseDuration(textAt(stage, 'duration') ?? '') ?? 0),
  }));
  const stages: UsersLoad['stages'] =
    start > (steps[0]?.users ?? 0) && start > 1 ? [{ users: Math.min(MAX_USERS, start), seconds: MIN_SECONDS }] : [];
  let hasPeak = false;
  for (let index = 0; index < steps.length; index += 1) {
    const { users, seconds } = steps[index] ?? { users: 0, seconds: 0 };
    const last = stages.at(-1);
    if (last?.users === users) {
      stages.push({ users, seconds: Math.max(0.001, seconds) });
      continue;
    }
    if (users === 0 && last === undefined) continue;
    const plateauSeconds = steps[index + 1]?.users === users ? (steps[index + 1]?.seconds ?? 0) : 0;
    if (plateauSeconds > 0) index += 1;
    else hasPeak ||= users > 0;
    const startUp = seconds > 0 ? { startUpSeconds: seconds } : {};
    // A stage has at least one user. Requests during a decrease to 0 are not judged.
    stages.push({
      users: Math.max(1, users),
      ...startUp,
      seconds: plateauSeconds > 0 ? plateauSeconds : MIN_SECONDS,
      ...(users === 0 ? { counted: false } : {}),
    });
  }
  if (hasPeak) draft.noteChanged(location, 'Users reach a number and change again at once.', 'The plan holds each number for a second.');
  return stages.length === 0 ? null : { model: 'users', stages };
}

export function readCriteria(draft: Draft, options: JsonValue, stepNames: ReadonlySet<string>): Criterion[] {
  return entriesAt(options, 'thresholds')
    .slice(0, 50)
    .flatMap(([metric, written]) =>
      (Array.isArray(written) ? written : [written]).flatMap((one: unknown): Criterion[] => {
        const threshold = typeof one === 'string' ? one : (textAt(one, 'threshold') ?? '');
        const location = `thresholds ${metric.slice(0, 60)}`;
        if (valueAtPath(one, 'abortOnFail') === true)
          draft.noteLeftOut(location, 'It ends the run when it fails.', STOP_BY_ERROR_RATE_HINT);
        const found = findCriterion(metric, threshold, stepNames);
        if (found === null)
          draft.noteLeftOut(
            location,
            `“${threshold.slice(0, 60)}” has no equivalent.`,
            'A plan judges percentiles of the response time, error rates and throughput.',
          );
        return found === null ? [] : [found];
      }),
    )
    .slice(0, 50);
}

function findCriterion(written: string, threshold: string, stepNames: ReadonlySet<string>): Criterion | null {
  const [, metric = '', name] = /^(\w+)(?:\{\s*name:\s*["']?([^"'}]+?)["']?\s*\})?$/.exec(written.trim()) ?? [];
  // A step in a group has the names of its groups before its own.
  const found = name === undefined ? [] : [...stepNames].filter((one) => one === name || one.endsWith(` › ${name}`));
  if (name !== undefined && found.length !== 1) return null;
  const step = withoutNulls({ step: found[0] });
  const [, aggregate = '', , operator = '', limit = ''] =
    /^(p\((\d{1,2}(?:\.\d{1,4})?)\)|med|max|rate|count)\s*([<>]=?)\s*(\d{1,12}(?:\.\d{1,9})?)$/.exec(threshold.trim()) ?? [];
  const value = Number(limit);
  const isLess = operator.startsWith('<');
  const isRate = aggregate === 'rate';
  switch (metric) {
    case 'http_req_duration':
    case 'http_req_waiting': {
      const percentile = aggregate === 'med' ? 50 : Number(/^p\((.*)\)$/.exec(aggregate)?.[1] ?? 0);
      if (percentile <= 0 || !isLess || value <= 0) return null;
      return { kind: 'responseTime', ...step, percentile, maxMs: Math.min(3_600_000, value) };
    }
    case 'http_req_failed':
      return isRate && isLess && value < 1 ? { kind: 'errors', ...step, maxShare: value } : null;
    case 'checks':
      if (!isRate || isLess || value <= 0 || value > 1) return null;
      return { kind: 'errors', ...step, maxShare: Math.round((1 - value) * 1e9) / 1e9 };
    case 'http_reqs':
      return isRate && !isLess && value > 0 ? { kind: 'throughput', ...step, minPerSecond: value } : null;
    default:
      return null;
  }
}
