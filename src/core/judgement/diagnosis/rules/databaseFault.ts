import { statusOfName } from '#core/base/errorNames.ts';
import { sumOf } from '#core/base/lists.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { formatCount, formatPart } from '#core/base/units.ts';
import { joinNames } from '#core/plan/hosts/generatorNames.ts';
import type { RunResult } from '#core/result/schema.ts';
import { figure, type MeasuredRun, rule } from '../rule.ts';
import { ERROR_LOGS_REMEDY } from './refusals.ts';

/** A fault of a database that a server reports in its own words. */
interface Fault {
  readonly id: string;
  readonly pattern: RegExp;
  readonly sentence: string;
  readonly evidence: string;
  readonly remedy: string;
}

/** Names of databases and of the programs that connect to them. */
const DATABASE = String.raw`(?:my|postgre|maria|ms|pg)?sqli?|maria|postgres|pgsql|\bPDO|database|\bDB\b|redis|mongo|oracle|psycopg`;
const NO_CONNECTION = String.raw`connection refused|can.?t connect|could not connect|unable to connect|cannot connect|failed to connect|gone away|lost connection|connection (?:reset|was killed|timed out)|not accepting connections|shutting down`;

/** The faults, the most precise first. */
const FAULTS: readonly Fault[] = [
  {
    id: 'connections',
    pattern: /too many (?:connections|clients)|max_user_connections|remaining connection slots|\b(?:08004|53300)\b/i,
    sentence: 'The database of the server refused connections, because as many as it allows were open',
    evidence: 'Each worker of a server may open a connection of its own, and keeps it while it works on a request.',
    remedy:
      'Allow more connections (max_connections), or fewer workers than connections. A pool between them lets requests wait instead of failing.',
  },
  {
    id: 'locks',
    pattern: /lock wait timeout|deadlock|database (?:table )?is locked|could not obtain lock|\b(?:40P01|55P03|40001)\b/i,
    sentence: 'Requests waited for locks of the database in vain',
    evidence: 'Another transaction held the rows or the table: of another user, a backup or an import.',
    remedy: 'Look for long transactions at that time, and end transactions before slow work.',
  },
  {
    id: 'full',
    pattern: /no space left|disk (?:is )?full|the table .{0,80} is full|read[- ]only (?:file ?system|transaction)|\b53100\b/i,
    sentence: 'The server or its database could not write: the disk is full or read-only',
    evidence: 'Reading may still work, so pages are shown although nothing is stored.',
    remedy: 'Make room on the disk of the database and of the server, and check for a limit (quota).',
  },
  {
    id: 'unreachable',
    pattern: new RegExp(`(?:${DATABASE}).{0,120}(?:${NO_CONNECTION})|(?:${NO_CONNECTION}).{0,120}(?:${DATABASE})`, 'is'),
    sentence: 'The server could not reach its database',
    evidence: 'The server itself responded, so only the database was stopped, restarted or out of reach.',
    remedy: 'Look at the log of the database at that time: was it stopped, restarted or out of memory?',
  },
  {
    id: 'other',
    pattern:
      /SQLSTATE|PDOException|mysqli?_\w+\(|pg_\w+\(|\bORA-\d{5}\b|database (?:error|query|exception)|sql (?:error|syntax)|psycopg|sqlalchemy/i,
    sentence: 'The server reported errors of its database',
    evidence: 'These are words of a program that failed, not of a page that refuses somebody.',
    remedy: ERROR_LOGS_REMEDY,
  },
];

type Message = NonNullable<RunResult['serverMessages']>[number];

/** Returns the fault of a database that these words report; undefined if they report none. */
export function findDatabaseFault(words: string): Fault | undefined {
  return FAULTS.find(({ pattern }) => pattern.test(words));
}

/** Finds failures whose responses report a fault of the database. Neither accounts nor the content of pages are the cause. */
export const databaseFault = rule('databaseFault', (facts) => {
  const byFault = new Map<Fault, Message[]>();
  for (const message of facts.serverMessages ?? []) {
    const fault = findDatabaseFault(message.words);
    if (fault !== undefined) byFault.set(fault, [...(byFault.get(fault) ?? []), message]);
  }
  return [...byFault].map(([fault, messages]) => {
    const counts = messages.map((message) => ({ ...message, count: countFailures(facts, message) })).toSorted((a, b) => b.count - a.count);
    const steps = [...new Set(counts.map(({ request }) => request))];
    const failed = sumOf(counts, ({ count }) => count);
    return {
      of: fault.id,
      level: 'problem',
      sentence: `${fault.sentence}: ${formatCount(failed)} ${failed === 1 ? 'response' : 'responses'} to ${joinNames(steps.map((name) => `“${name}”`))} failed this way. The server says: “${counts[0]?.words ?? ''}”`,
      evidence: [fault.evidence],
      figures: counts.map(({ request, count }) => figure(`Failed at “${request}”`, formatPart(count, countSent(facts, request)))),
      remedy: fault.remedy,
      confidence: 'likely',
      insteadOf: [
        'wrongContent',
        'lengthVaries',
        'fastFailures.*',
        ...steps.flatMap((name) => [`accountsRefused.${name}`, `refusedAtAnyLoad.${name}`]),
        ...counts.flatMap(({ failure }) => statusOfName(failure) ?? []).map((status) => `unexpectedStatus.${status}`),
      ],
    };
  });
});

function countFailures({ steps }: MeasuredRun, { request, failure }: Message): number {
  const step = steps.find(({ name }) => name === request);
  const status = statusOfName(failure);
  return (status === null ? getOwn(step?.errors ?? {}, failure) : getOwn(step?.status ?? {}, String(status))) ?? 1;
}

function countSent({ steps }: MeasuredRun, request: string): number {
  return steps.find(({ name }) => name === request)?.requests.sent ?? 0;
}
