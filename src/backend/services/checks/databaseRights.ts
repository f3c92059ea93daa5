import { type Problem, toProblem } from '#core/base/errors.ts';
import { formatCount, formatPart } from '#core/base/units.ts';
import { monitorName } from '#core/machines/monitors/watched.ts';
import type { Monitor } from '#core/plan/schema/monitors.ts';
import {
  type DatabaseRights,
  databaseRightsSchema,
  missingSql,
  privilegesQuery,
  statesSeen,
  undoStatesSql,
} from '#core/presets/database.ts';
import type { Check } from './check.ts';

type PostgresMonitor = Extract<Monitor, { kind: 'postgres' }>;

/** Returns the first value of a query, over the connection that the monitor uses; null if the address is unknown before the run. */
export type AskDatabase = (monitor: PostgresMonitor, sql: string) => Promise<unknown>;

/** What was read from one monitored database. */
interface DatabaseReading {
  readonly name: string;
  readonly rights: DatabaseRights | null;
  readonly problem: Problem | null;
}

/** Checks that monitored PostgreSQL databases accept the login, and let the monitor see other connections. */
export function databaseRights(ask: AskDatabase): Check<readonly DatabaseReading[]> {
  return {
    id: 'databaseRights',
    about: 'Permissions of the PostgreSQL monitor',
    appliesTo: ({ plan, isAgreed }) => isAgreed && watchedDatabases(plan.monitors).length > 0,
    async probe({ plan }) {
      const looked = await Promise.all(watchedDatabases(plan.monitors).map((monitor) => readRights(monitor, ask)));
      return looked.every(({ rights, problem }) => rights === null && problem === null)
        ? { unknown: 'Its address is entered when the run starts.' }
        : looked;
    },
    judge(looked) {
      const shut = looked.find(({ problem }) => problem !== null)?.problem;
      if (shut) return refusedFinding(shut);
      const readableTables = looked.flatMap(({ name, rights }) => (rights === null ? [] : [{ name, rights }]));
      const blind = readableTables.filter(({ rights }) => statesSeen(rights) === 'tooFew');
      if (blind.length > 0) return missingRights(blind.map(({ rights }) => rights));
      const evidence = readableTables.map(({ name, rights }) => `${name}: ${visibleText(rights)}`).join('; ');
      return { level: 'ok', title: 'The PostgreSQL monitor sees the state of connections', evidence, matters: '', remedy: null };
    },
  };
}

function watchedDatabases(monitors: readonly Monitor[] = []): PostgresMonitor[] {
  return monitors.filter((monitor) => monitor.kind === 'postgres');
}

async function readRights(monitor: PostgresMonitor, ask: AskDatabase): Promise<DatabaseReading> {
  const name = monitorName(monitor);
  try {
    const response = await ask(monitor, privilegesQuery(undefined));
    return { name, rights: response === null ? null : databaseRightsSchema.parse(response), problem: null };
  } catch (thrown) {
    return { name, rights: null, problem: toProblem(thrown) };
  }
}

function refusedFinding({ message, hint }: Problem): ReturnType<Check<unknown>['judge']> {
  const matters = 'A run does not start while one of its monitors cannot connect.';
  return { level: 'problem', title: message, evidence: '', matters, remedy: { text: hint, command: null, undo: null, risk: '' } };
}

function missingRights(all: readonly DatabaseRights[]): ReturnType<Check<unknown>['judge']> {
  const roles = [...new Map(all.map((rights) => [rights.user, rights])).values()];
  const names = roles.map(({ user }) => `“${user}”`).join(' and ');
  return {
    level: 'warning',
    title: `PostgreSQL hides the state of other roles’ connections from ${names}`,
    evidence: all.map((rights) => visibleText(rights)).join('; '),
    matters:
      'They are counted, but not by state: idle in a transaction, active, waiting for a lock. The result could not show an exhausted connection pool, nor why responses stopped.',
    remedy: {
      text: 'Let an administrator of the database run this once, before the load:',
      command: roles.map((rights) => missingSql(rights, undefined)).join(' '),
      undo: roles.map((rights) => undoStatesSql(rights)).join(' '),
      risk: 'The role then also sees the statements that others run.',
    },
  };
}

function visibleText(rights: DatabaseRights): string {
  const { user, others } = rights;
  if (statesSeen(rights) === 'all') return `“${user}” sees the connections of all roles.`;
  const open = others.seen + others.hidden;
  if (open === 0) return 'No other connection is open now.';
  if (others.hidden === 0) return `“${user}” sees ${formatPart(open, open)} that are open now: they are of its own role.`;
  return `Hidden now: ${formatCount(others.hidden)} of ${formatCount(open)} other connections.`;
}
