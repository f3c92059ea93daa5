import { describe, expect, it } from 'vitest';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import { ACCOUNTS_REFUSED_EVENT } from '#core/result/accountsRefused.ts';
import { diagnose } from '../diagnose.ts';
import { facts, healthyStep } from '../testing/facts.ts';
import { findingsBy } from '../testing/found.ts';
import { findDatabaseFault } from './databaseFault.ts';

/** Messages that servers (TCExam 17.2 and others) returned instead of a page, and the fault of each. */
const WORDS: readonly (readonly [words: string, fault: string | undefined])[] = [
  ['ERROR: [2] mysqli_connect(): (08004/1040): Too many connections | LINE: 53 | FILE: /srv/tce_db_dal_mysqli.php', 'connections'],
  ['FATAL: sorry, too many clients already', 'connections'],
  ['remaining connection slots are reserved for roles with the SUPERUSER attribute', 'connections'],
  ['ERROR: [2] mysqli_connect(): (HY000/2002): Connection refused | LINE: 53', 'unreachable'],
  ['SQLSTATE[HY000] [2006] MySQL server has gone away', 'unreachable'],
  ['Unable to connect to the database!', 'unreachable'],
  ['could not connect to server: Connection refused. Is the server running? psycopg2', 'unreachable'],
  ['SQLSTATE[40001]: Serialization failure: 1213 Deadlock found when trying to get lock', 'locks'],
  ['Lock wait timeout exceeded; try restarting transaction', 'locks'],
  ['Got error 28 "No space left on device"', 'full'],
  ["SQLSTATE[42S02]: Base table or view not found: 1146 Table 'x' doesn't exist", 'other'],
  ['ATTENTION: wrong user / password', undefined],
  ['The contest has not started.', undefined],
  ['502 Bad Gateway', undefined],
  ['Connection refused by the proxy', undefined],
  ['No more attempts are allowed', undefined],
];

describe('databaseFault', () => {
  it.each(WORDS)('reads “%s” as %s', (words, fault) => {
    expect(findDatabaseFault(words)?.id).toBe(fault);
  });

  const error = 'NO_PAGE HTML@check';
  const start = healthyStep({
    name: 'start',
    requests: { ...emptyRequestOutcomes(), sent: 30, ok: 11, wrongBody: 19 },
    errors: { [error]: 19 },
  });
  const run = (words: string) => {
    const made = facts(start);
    const data = { step: 'start', count: 19, of: 30, names: ['ann'] };
    const event = { second: 20, kind: ACCOUNTS_REFUSED_EVENT, text: '19 of 30 accounts were refused at “start”: ann.', data };
    return { ...made, events: [event], serverMessages: [{ request: 'start', failure: error, words }] };
  };

  it('is the cause of refused accounts and of wrong content, with the words of the server', () => {
    const found = diagnose(run(WORDS[0]?.[0] ?? ''));
    expect(found.map(({ id }) => id)).toContain('databaseFault.connections');
    expect(found.filter(({ id }) => id.startsWith('accountsRefused') || id === 'wrongContent')).toEqual([]);
    const [finding] = findingsBy('databaseFault', run(WORDS[0]?.[0] ?? ''));
    expect(finding).toMatchObject({ level: 'problem', confidence: 'likely', figures: [{ value: '19 of 30' }] });
    expect(finding?.sentence).toMatch(/19 responses to “start” failed this way\. The server says: “ERROR: .*Too many connections/);
  });

  it('is not found in words about an account', () => {
    expect(findingsBy('databaseFault', run('ATTENTION: wrong user / password'))).toEqual([]);
    expect(diagnose(run('ATTENTION: wrong user / password')).map(({ id }) => id)).toContain('accountsRefused.start');
  });
});
