import type { Command } from 'commander';
import type { Issue } from '#core/plan/issues.ts';
import { OptionReader } from '../input/optionReader.ts';

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

export function addQuickLoadOptions(command: Command): Command {
  return command
    .optionsGroup('Load:')
    .option(
      '-c, --connections <n>',
      `connections at the same time (default: ${DEFAULT_CONNECTIONS}); with -R, requests in flight at most (default: 10000)`,
    )
    .option('-n, --requests <n>', 'end after this many requests')
    .option('-d, --duration <time>', `end after this time, for example 10s or 1m30s (default: ${DEFAULT_DURATION})`)
    .option('-R, --rate <n>', 'start this many requests a second, whatever the server does; 30/m a minute, 100/h an hour')
    .option('--poisson', 'with -R: start them at random times, like people who act independently')
    .option('--users <n>', 'users who walk independently and pause after each response (see --think)')
    .option('--think <time>', 'with --users: think time, for example 5s, or a range such as 2s-8s')
    .option('--pace <time>', 'with --users: time from one request of a user to the next, at least');
}

export interface QuickLoad {
  /** The `load` of a plan as written in the file. */
  readonly load: Record<string, unknown>;
  /** Describes the load. */
  readonly asked: string;
  readonly issues: readonly Issue[];
}

/** Builds the load from the options. After an issue, the load must not be run. */
export function quickLoad(flags: QuickLoadFlags): QuickLoad {
  const reader = new OptionReader();
  const load = loadOf(flags, reader);
  return { ...load, issues: reader.issues };
}

function loadOf(flags: QuickLoadFlags, reader: OptionReader): Omit<QuickLoad, 'issues'> {
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
  const given = flags.connections === undefined ? null : reader.whole('-c', flags.connections);
  const until = end(flags, reader);
  // Only the default is reduced to fewer requests. A number that the user entered is refused with the reason.
  const byDefault = 'requests' in until && until.requests > 0 ? Math.min(DEFAULT_CONNECTIONS, until.requests) : DEFAULT_CONNECTIONS;
  const stage = { name: 'load', connections: given ?? byDefault, ...until };
  return { load: { model: 'connections', stages: [stage] }, asked: 'asked for' };
}

/** -n and -R say how many and how fast, so the time follows. */
function arrivals(flags: QuickLoadFlags, rate: string, reader: OptionReader): Record<string, unknown> {
  const perSecond = reader.rate('-R', rate);
  const until = end(flags, reader);
  const stage =
    'requests' in until
      ? { name: 'load', kind: 'count', arrivals: until.requests, seconds: until.requests / perSecond }
      : { name: 'load', kind: 'constant', perSecond, seconds: until.seconds };
  return {
    model: 'arrivals',
    ...(flags.poisson ? { spacing: 'poisson' } : {}),
    ...(flags.connections === undefined ? {} : { maxInFlight: reader.whole('-c', flags.connections) }),
    stages: [stage],
  };
}

/** Users start over the length of one pause, so that they do not come in waves. */
function users(flags: QuickLoadFlags, count: string, reader: OptionReader): Record<string, unknown> {
  if (flags.connections !== undefined) reader.refuse('-c', flags.connections, 'Leave it out: each of the --users has its own connection.');
  if (flags.requests !== undefined) reader.refuse('-n', flags.requests, 'Use -d: users run for a time.');
  const thinkTime = flags.think === undefined ? null : reader.thinkTime('--think', flags.think);
  const pace = flags.pace === undefined ? null : reader.seconds('--pace', flags.pace);
  const seconds = flags.requests === undefined ? end(flags, reader) : { seconds: 1 };
  const stage = {
    name: 'load',
    users: reader.whole('--users', count),
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

function end(flags: QuickLoadFlags, reader: OptionReader): { requests: number } | { seconds: number } {
  if (flags.requests !== undefined && flags.duration !== undefined)
    reader.refuse('-n', flags.requests, 'Use either -n or -d: a load ends after a number of requests or after a time, not both.');
  if (flags.requests !== undefined) return { requests: reader.whole('-n', flags.requests) };
  return { seconds: reader.seconds('-d', flags.duration ?? DEFAULT_DURATION) };
}
