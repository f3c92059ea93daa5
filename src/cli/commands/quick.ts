import type { Command } from 'commander';
import type { Plan, PlanInput } from '#core/plan/schema/plan.ts';
import { parseValue } from '#core/review/check.ts';
import type { Issue } from '#core/plan/issues.ts';
import { type Access, withPlanOfUrl } from '../plans/access.ts';
import { setFields } from '../plans/fields.ts';
import { hasErrors } from '../plans/fromPreset.ts';
import { Consent } from '../input/consent.ts';
import { performRun } from '../running/perform.ts';
import { collect, OptionReader, parseDurationSeconds } from '../input/optionReader.ts';
import type { AddCommand } from '../context.ts';
import { addLoadOptions, readLoadFlags, type LoadFlags, addAccessOptions } from './loadOptions.ts';
import { addRunOptions, runOutput, type RunFlags } from './runOptions.ts';

interface QuickFlags extends RunFlags, LoadFlags, QuickLoadFlags {
  readonly header: string[];
  readonly cookie: string[];
  readonly head?: boolean;
  readonly threads?: string;
  readonly expectBody: string[];
  readonly expectStatus?: string;
  readonly criterion: string[];
}

export const addQuick: AddCommand = (program, { context, exit }) => {
  const command = program
    .command('quick')
    .description(
      'test one address with fixed connections (each sends its next request after a response), an arrival rate (-R), or users with think time (--users)',
    )
    .argument('<url>', 'address with http:// or https://');
  addAccessOptions(addQuickLoadOptions(command))
    .option('-i, --head', 'send HEAD requests, for the headers only')
    .option('--expect-body <text>', 'a response is successful only if its body contains this text (repeatable)', collect, [])
    .option('--expect-status <codes>', 'status codes of successful responses, for example 200 or 200,304 (default: any 2xx)')
    .option('-t, --threads <n>', 'worker threads')
    .option('--criterion <limit>', 'pass criterion: p95<=500ms, errors<=1%, errors=0, rate>=100 (repeatable)', collect, []);
  addRunOptions(addLoadOptions(command)).action(async (url: string, flags: QuickFlags) => {
    const { fields, issues: unreadable } = await readLoadFlags(flags, context.currentDirectory);
    const consent = new Consent(flags.allow, context);
    await withPlanOfUrl(
      (access) => quickPlan(url, flags, fields, access),
      flags,
      unreadable,
      context,
      async (plan, client) => exit(await performRun(plan, runOutput(flags), context, client, consent)),
    );
  });
};

/** Matches plan fields that come from numeric options. */
const FROM_NUMBERS = /^(load|threads|journey|-c)/;

/** Builds the plan from the flags of `quick`, or returns every problem with them. */
function quickPlan(
  url: string,
  flags: QuickFlags,
  fields: ReadonlyMap<string, string>,
  access: Access,
): { plan: Plan | null; issues: Issue[] } {
  const { load, asked, issues: unreadable } = quickLoad(flags);
  const reader = new OptionReader();
  const criteria = readCriteria(flags.criterion, reader);
  const written = {
    holdfast: 1,
    name: `Quick test of ${URL.canParse(url) ? new URL(url).host : url}`.slice(0, 120),
    targets: [{ url, headers: access.headers, ...(access.cookie === undefined ? {} : { cookie: access.cookie }) }],
    journey: [{ name: 'page', ...(flags.head ? { method: 'HEAD' } : {}), ...readExpectations(flags, reader) }],
    load,
    ...(criteria === undefined ? {} : { criteria }),
    ...(flags.threads === undefined ? {} : { threads: reader.integer('-t', flags.threads) }),
    exercises: [
      `one address, ${asked} over ${flags.keepalive ? 'connections kept open where the server allows it' : 'a new connection each time'}`,
    ],
  };
  const issues = [...unreadable, ...reader.issues, ...setFields(written, fields)];
  const parsedPlan = nameOptions(parseValue(written), url, flags);
  // Plan issues are omitted for numbers that were already reported as invalid.
  if (issues.length > 0) return { plan: null, issues: [...issues, ...parsedPlan.issues.filter(({ path }) => !FROM_NUMBERS.test(path))] };
  return { plan: hasErrors(parsedPlan.issues) ? null : parsedPlan.plan, issues: parsedPlan.issues };
}

/** Replaces plan paths in problems by option names, because users of `quick` do not see a plan. */
function nameOptions(parsedPlan: ReturnType<typeof parseValue>, url: string, { connections }: QuickFlags): ReturnType<typeof parseValue> {
  const issues = parsedPlan.issues.map((issue) => {
    if (issue.path === 'targets[0].url' && issue.code === 'NOT_VALID')
      return { ...issue, path: 'url', message: `“${url}” is not a full address.` };
    return issue.path === 'load.stages[0].connections'
      ? { ...issue, path: '-c', message: issue.message.replace(`“${issue.path}”`, `-c ${connections ?? ''}`) }
      : issue;
  });
  return { ...parsedPlan, issues };
}

function readExpectations({ expectBody, expectStatus }: QuickFlags, reader: OptionReader): object {
  const codes = expectStatus?.split(',').map((code) => reader.integer('--expect-status', code.trim()));
  const checks = expectBody.map((text) => ({ kind: 'contains', text }));
  return { ...(codes === undefined ? {} : { expectStatus: codes }), ...(checks.length === 0 ? {} : { checks }) };
}

const DEFAULT_CONNECTIONS = 10;
const DEFAULT_DURATION = '10s';

/** Load options of `quick`. */
export interface QuickLoadFlags {
  readonly connections?: string;
  readonly requests?: string;
  readonly duration?: string;
  readonly rate?: string;
  readonly poisson?: boolean;
  readonly users?: string;
  readonly think?: string;
  readonly pace?: string;
}

function addQuickLoadOptions(command: Command): Command {
  return command
    .optionsGroup('Load:')
    .option(
      '-c, --connections <n>',
      `number of connections (default: ${DEFAULT_CONNECTIONS}); with -R, maximum number of requests in flight (default: 10000)`,
    )
    .option('-n, --requests <n>', 'end after this many requests')
    .option('-d, --duration <time>', `end after this time, for example 10s or 1m30s (default: ${DEFAULT_DURATION})`)
    .option('-R, --rate <n>', 'arrival rate: start this many requests a second, even if the server is slow; 30/m a minute, 100/h an hour')
    .option('--poisson', 'with -R: start requests at random times, like independent people')
    .option('--users <n>', 'number of virtual users who pause after each response (see --think)')
    .option('--think <time>', 'with --users: think time, for example 5s, or a range such as 2s-8s')
    .option('--pace <time>', 'with --users: minimum time between the starts of a user’s requests');
}

interface QuickLoad {
  readonly load: Record<string, unknown>;
  readonly asked: string;
  readonly issues: readonly Issue[];
}

/** Builds the load from the options. A load with issues must not be run. */
export function quickLoad(flags: QuickLoadFlags): QuickLoad {
  const reader = new OptionReader();
  const load = buildLoad(flags, reader);
  return { ...load, issues: reader.issues };
}

function buildLoad(flags: QuickLoadFlags, reader: OptionReader): Omit<QuickLoad, 'issues'> {
  if (flags.users === undefined && flags.think !== undefined)
    reader.refuse('--think', flags.think, 'Set the number of users with --users: only users pause.');
  if (flags.users === undefined && flags.pace !== undefined)
    reader.refuse('--pace', flags.pace, 'Set the number of users with --users: only users have a pace.');
  if (flags.rate === undefined && flags.poisson)
    reader.refuse('--poisson', '', 'Set the rate with -R: only requests at a rate start at random times.');
  if (flags.users !== undefined && flags.rate !== undefined)
    reader.refuse('--users', flags.users, 'Use either -R or --users: requests start at a rate, or when users have paused.');
  if (flags.rate !== undefined) return { load: arrivals(flags, flags.rate, reader), asked: 'requested at a rate' };
  if (flags.users !== undefined) return { load: users(flags, flags.users, reader), asked: 'requested by users who pause' };
  const given = flags.connections === undefined ? null : reader.integer('-c', flags.connections);
  const until = readEnd(flags, reader);
  // If there are fewer requests than default connections, the default is reduced. A number that the user entered is refused with the reason
  // instead.
  const byDefault = 'requests' in until && until.requests > 0 ? Math.min(DEFAULT_CONNECTIONS, until.requests) : DEFAULT_CONNECTIONS;
  const stage = { name: 'load', connections: given ?? byDefault, ...until };
  return { load: { model: 'connections', stages: [stage] }, asked: 'asked for' };
}

/** Builds an arrival load. With -n, its duration follows from the number of requests and their rate (-R). */
function arrivals(flags: QuickLoadFlags, rate: string, reader: OptionReader): Record<string, unknown> {
  const perSecond = reader.rate('-R', rate);
  const until = readEnd(flags, reader);
  const stage =
    'requests' in until
      ? { name: 'load', kind: 'count', arrivals: until.requests, seconds: until.requests / perSecond }
      : { name: 'load', kind: 'constant', perSecond, seconds: until.seconds };
  return {
    model: 'arrivals',
    ...(flags.poisson ? { spacing: 'poisson' } : {}),
    ...(flags.connections === undefined ? {} : { maxInFlight: reader.integer('-c', flags.connections) }),
    stages: [stage],
  };
}

/** Builds a load of users. They start within the time of one pause, so that their requests do not come in waves. */
function users(flags: QuickLoadFlags, count: string, reader: OptionReader): Record<string, unknown> {
  if (flags.connections !== undefined) reader.refuse('-c', flags.connections, 'Leave it out: each of the --users has its own connection.');
  if (flags.requests !== undefined) reader.refuse('-n', flags.requests, 'Use -d: users run for a time.');
  const thinkTime = flags.think === undefined ? null : reader.thinkTime('--think', flags.think);
  const pace = flags.pace === undefined ? null : reader.seconds('--pace', flags.pace);
  const seconds = flags.requests === undefined ? readEnd(flags, reader) : { seconds: 1 };
  const stage = {
    name: 'load',
    users: reader.integer('--users', count),
    startUpSeconds: Math.max(thinkTime?.meanSeconds ?? 0, pace ?? 0),
    ...seconds,
  };
  return {
    model: 'users',
    ...(thinkTime === null ? {} : { thinkTime: thinkTime.written }),
    ...(pace === null ? {} : { paceSeconds: pace }),
    stages: [stage],
  };
}

function readEnd(flags: QuickLoadFlags, reader: OptionReader): { requests: number } | { seconds: number } {
  if (flags.requests !== undefined && flags.duration !== undefined)
    reader.refuse('-n', flags.requests, 'Use either -n or -d: a load ends after a number of requests or after a time, not both.');
  if (flags.requests !== undefined) return { requests: reader.integer('-n', flags.requests) };
  return { seconds: reader.seconds('-d', flags.duration ?? DEFAULT_DURATION) };
}

type Criterion = NonNullable<PlanInput['criteria']>[number];

const CRITERION_HINT = 'Write for example p95<=500ms, errors<=1%, errors=0 for no failed request, or rate>=100.';

/** Parses the pass criteria from the command line; undefined if there are none. */
function readCriteria(texts: readonly string[], reader: OptionReader): Criterion[] | undefined {
  const found = texts.flatMap((text): Criterion[] => {
    const criterion = findCriterion(text.replaceAll(' ', ''));
    if (criterion === null) reader.refuse('--criterion', text, CRITERION_HINT);
    return criterion === null ? [] : [criterion];
  });
  return found.length === 0 ? undefined : found;
}

function findCriterion(text: string): Criterion | null {
  const [, percentile, time = ''] = /^p(\d{1,2}(?:\.\d+)?)<=?(.+)$/i.exec(text) ?? [];
  const seconds = parseDurationSeconds(time);
  if (percentile !== undefined && Number(percentile) > 0 && seconds !== null)
    return { kind: 'responseTime', percentile: Number(percentile), maxMs: seconds * 1_000 };
  const [, share] = /^errors(?:<=?|=)(\d+(?:\.\d+)?)%?$/i.exec(text) ?? [];
  if (share !== undefined && Number(share) < 100) return { kind: 'errors', maxShare: Number(share) / 100 };
  const [, rate] = /^rate>=?(\d+(?:\.\d+)?)$/i.exec(text) ?? [];
  return rate !== undefined && Number(rate) > 0 ? { kind: 'throughput', minPerSecond: Number(rate) } : null;
}
