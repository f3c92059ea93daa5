import { describe, expect, it } from 'vitest';
import type { MonitorResult } from '#core/machines/monitors/result.ts';
import type { Finding } from '#core/result/schema.ts';
import { findingsBy } from '../testing/found.ts';
import { behind, frozenIn, postgres, run, SPAN } from '../testing/frozen.ts';

type Spans = Parameters<typeof postgres>[0];

function found(spans: Spans, limit: number | null = 97, servers = 1): Finding | undefined {
  const seconds = Math.max(...spans.map(({ to }) => to)) + 20;
  return findingsBy(
    'freeze',
    behind(run(frozenIn(spans, seconds), { monitors: [postgres(spans, seconds, limit)] }), { expected: servers }),
  )[0];
}

/** Returns freezes of the given lengths, each 20 s after the previous one, with the connections held. */
function freezes(...all: readonly { readonly seconds: number; readonly held: number }[]): Spans {
  let from = 21;
  return all.map(({ seconds, held }) => {
    const span = { from, to: from + seconds, held, kept: 2 };
    from = span.to + 20;
    return span;
  });
}

describe('an exhausted pool', () => {
  it('is reported with the held connections', () => {
    const finding = found([{ ...SPAN, held: 15, kept: 5 }]);
    expect(finding?.sentence).toContain('15 connections of PostgreSQL were idle');
    expect(finding?.evidence).toEqual([
      expect.stringContaining('until the wait ends: 60 s here'),
      expect.stringContaining('5 of 15 stayed open afterwards and the others were closed: the pool is set to 5 + 10'),
    ]);
    expect(finding?.figures).toEqual([
      { what: 'Froze for', value: '60 s' },
      { what: 'Requests in flight when it began', value: '40' },
      { what: 'Max in flight before, without a freeze', value: '40' },
      { what: 'Database connections during the freeze', value: '23 of 97' },
      { what: 'Of them idle in a transaction', value: '15' },
      { what: 'Oldest transaction', value: '60 s' },
      { what: 'Max waiting for a lock', value: '0' },
      { what: 'Pool', value: '15 (5 + 10)' },
    ]);
    const unknown = found([{ ...SPAN, held: 15, kept: 0 }], null);
    expect(unknown?.evidence).toHaveLength(1);
    expect(unknown?.figures).toContainEqual({ what: 'Database connections during the freeze', value: '23' });
  });

  it.each([
    // Of the 23 connections, 8 belong to other programs, so 48 − 8 are left for 40 requests.
    [48, 1, 'need at least 40 connections, and the database has room for 40. Its'],
    [47, 1, 'need at least 40 connections, but the database has room for 39 only:'],
    [48, 2, 'need at least 20 connections for each server, and the database has room for 20 each. Its'],
    [47, 2, 'need at least 20 connections for each server, but the database has room for 19 each only:'],
    [null, 1, 'need at least 40 connections, and the database must allow the total of all servers. Its'],
  ])('has a remedy for a limit of %s and %d servers', (limit, servers, words) => {
    expect(found([{ ...SPAN, held: 15, kept: 5 }], limit, servers)?.remedy).toContain(words);
  });

  it('is limited only by the maximum number of connections', () => {
    const monitor = postgres([{ ...SPAN, held: 15, kept: 5 }]);
    const given = run(frozenIn([SPAN]), {
      monitors: [{ ...monitor, limits: [{ chart: 'Locks', value: 5, words: 'others' }, ...monitor.limits] }],
    });
    expect(findingsBy('freeze', given)[0]?.figures).toContainEqual({ what: 'Database connections during the freeze', value: '23 of 97' });
  });

  it.each([
    ['as many requests as connections', [{ seconds: 60, held: 40 }], 'likely'],
    ['fewer requests than connections', [{ seconds: 60, held: 41 }], 'possible'],
    ['no default wait', [{ seconds: 13, held: 4 }], 'possible'],
    ['a default wait in one of two', [{ seconds: 13, held: 4 }, { seconds: 30, held: 6 }], 'likely'], // prettier-ignore
    [
      'no default wait, and twice as many connections the second time',
      [
        { seconds: 13, held: 8 },
        { seconds: 13, held: 4 },
      ],
      'likely',
    ],
    [
      'no default wait, and another number the second time',
      [
        { seconds: 13, held: 4 },
        { seconds: 13, held: 6 },
      ],
      'possible',
    ],
  ])('has a confidence that follows from the figures: %s', (_name, all, confidence) => {
    expect(found(freezes(...all))?.confidence).toBe(confidence);
  });

  it('is reported where the most connections were held', () => {
    const finding = found(freezes({ seconds: 13, held: 4 }, { seconds: 30, held: 8 }, { seconds: 13, held: 4 }));
    expect(finding?.sentence).toContain('8 connections of PostgreSQL (4 of each server) were idle');
    expect(finding?.evidence[0]).toContain('until the wait ends: 30 s here');
  });

  it('is explained by a lock if half as many connections wait for one as are in a transaction', () => {
    const finding = found([{ ...SPAN, held: 12, kept: 5, locked: 6 }]);
    expect(finding?.sentence).toContain('6 connections of PostgreSQL waited for a lock that a transaction held for 60 s.');
    expect(finding?.evidence).toHaveLength(1);
    expect(finding?.figures?.slice(3)).toEqual([
      { what: 'Max waiting for a lock', value: '6' },
      { what: 'Idle in a transaction', value: '12' },
      { what: 'Oldest transaction', value: '60 s' },
    ]);
    expect(found([{ ...SPAN, held: 12, kept: 5, locked: 5 }])?.sentence).toContain('Its pool of 12');
  });
});

describe('times of freezes', () => {
  it('are listed for at most four freezes', () => {
    const of = (count: number) => found(freezes(...Array.from({ length: count }, (_unused, at) => ({ seconds: 13 + at, held: 4 }))));
    expect(of(2)?.sentence).toMatch(/froze twice for up to 14 s.* from second 21 to 34 and 54 to 68\./);
    expect(of(4)?.sentence).toMatch(/froze 4 times for up to 16 s.* from second 21 to 34, 54 to 68, 88 to 103 and 123 to 139\./);
    expect(of(5)?.sentence).toMatch(/froze 5 times for up to 17 s.* 88 to 103, 123 to 139 and 1 more\./);
    expect(of(5)?.figures).toContainEqual({ what: 'Froze for', value: '13 s, 14 s, 15 s, 16 s' });
  });

  it('are attributed to some servers if successful responses still arrived in each freeze', () => {
    const spans = freezes({ seconds: 30, held: 4 }, { seconds: 30, held: 4 });
    const makeBeginning = (stillGood: readonly Spans[number][]) => {
      const windows = frozenIn(spans, 130).map((one) =>
        stillGood.some(({ from, to }) => one.second >= from && one.second < to) ? { ...one, completed: 10, ok: 10, max: 40 } : one,
      );
      return findingsBy('freeze', run(windows, { monitors: [postgres(spans, 130)] }))[0]?.sentence.slice(0, 20);
    };
    expect(makeBeginning(spans)).toBe('Some of the servers ');
    expect(makeBeginning(spans.slice(1))).toBe('The server froze twi');
  });
});

describe('a freeze without a transaction as its cause', () => {
  const unexplained = (monitor: Partial<MonitorResult>) =>
    findingsBy('freeze', run(frozenIn([SPAN]), { monitors: [{ ...postgres([]), ...monitor }] }))[0];

  it('leads to the advice to monitor the database, or more of its figures', () => {
    const seen = unexplained({});
    expect(seen?.evidence).toEqual([expect.anything(), expect.stringContaining('60 s'), expect.stringContaining('PostgreSQL was watched')]);
    expect(seen?.remedy).toContain('GRANT pg_monitor');
    expect(unexplained({ kind: 'mysql' })?.remedy).toContain('which database sessions block each other');
    for (const none of [{ second: [] }, { kind: 'haproxy' as const }]) {
      expect(unexplained(none)?.evidence).toHaveLength(2);
      expect(unexplained(none)?.remedy).toContain('Watch the database');
    }
  });

  it('mentions the default wait of pools if one of several freezes lasted that long', () => {
    const collectEvidence = (...seconds: number[]) => {
      const spans = freezes(...seconds.map((one) => ({ seconds: one, held: 0 })));
      return findingsBy('freeze', run(frozenIn(spans, 140)))[0]?.evidence;
    };
    expect(collectEvidence(13, 30)).toEqual([expect.anything(), '30 s is about the wait that pools allow.']);
    expect(collectEvidence(13, 20)).toHaveLength(1);
  });
});
