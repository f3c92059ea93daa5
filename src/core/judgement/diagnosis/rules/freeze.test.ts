import { describe, expect, it } from 'vitest';
import { point } from '../testing/facts.ts';
import { idsOf, findingsBy } from '../testing/found.ts';
import { behind, frozenIn, isIn, postgres, run, SPAN } from '../testing/frozen.ts';

describe('a freeze of the server', () => {
  it('is reported with its times, the requests in flight and the exhausted pool', () => {
    const given = behind(run(frozenIn([SPAN]), { monitors: [postgres([{ ...SPAN, held: 30, kept: 10 }])] }), {
      header: 'X-Shard',
      expected: 2,
      pool: 'sqlalchemy',
    });
    const [found] = findingsBy('freeze', given);
    expect(found?.sentence).toBe(
      'The server froze for up to 60 s, first with 40 requests in flight: from second 21 to 81. Its pool of 15 database connections for each server was used up: 30 connections of PostgreSQL (15 of each server) were idle in a transaction all the time.',
    );
    expect(found?.figures).toContainEqual({ what: 'Pool', value: '15 (5 + 10) for each of 2 servers' });
    expect(found?.figures).toContainEqual({ what: 'Max in flight before, without a freeze', value: '40' });
    expect(found?.remedy).toContain('at least 20 connections for each server');
    expect(found?.remedy).toContain('pool_size + max_overflow');
    expect(found?.remedy).toContain('pool_timeout');
    expect(found).toMatchObject({ level: 'problem', confidence: 'likely', range: { fromSecond: 21, toSecond: 81 } });
  });

  it.each([
    [12, 3, '15 (12 + 3)'],
    [30, 0, '30'],
    [5, 10, '15 (5 + 10)'],
  ])('is reported with a pool of %d + %d', (kept, more, words) => {
    const monitors = [postgres([{ ...SPAN, held: kept + more, kept }])];
    const [found] = findingsBy('freeze', run(frozenIn([SPAN]), { monitors }));
    expect(found?.figures).toContainEqual({ what: 'Pool', value: words });
  });

  it('has the pool of one server if only that server froze', () => {
    const spans = [SPAN, { from: 90, to: 150 }];
    const monitors = [
      postgres(
        spans.map((span) => ({ ...span, held: 15, kept: 12 })),
        170,
      ),
    ];
    const [found] = findingsBy('freeze', behind(run(frozenIn(spans, 170), { monitors }), { header: 'X-Shard', expected: 2 }));
    expect(found?.sentence).toContain('froze twice for up to 60 s, first with 40 requests in flight: from second 21 to 81 and 90 to 150.');
    expect(found?.sentence).toContain('Its pool of 15 database connections for each server');
  });

  it('is found by the database monitor while a proxy refuses requests', () => {
    const refusing = frozenIn([SPAN]).map((one) =>
      isIn(one.second, [SPAN]) && one.second > 40
        ? { ...one, started: 900, completed: 900, failed: 900, p50: 1, p90: 1, p99: 1, max: 2, status: { '502': 900 } }
        : one,
    );
    const given = run(refusing, { monitors: [postgres([{ ...SPAN, held: 15, kept: 5 }])] });
    expect(findingsBy('freeze', given)[0]).toMatchObject({ range: { fromSecond: 21, toSecond: 81 } });
    expect(idsOf(given)).not.toContain('unexpectedStatus.502');
  });

  it('is found beside a backup with an older transaction', () => {
    const monitor = postgres([{ ...SPAN, held: 30, kept: 10 }]);
    const values = { ...monitor.values, 'postgres.longest': monitor.second.map((second) => 4_000_000 + (second + 1) * 1_000) };
    const [found] = findingsBy('freeze', run(frozenIn([SPAN]), { monitors: [{ ...monitor, values }] }));
    expect(found).toMatchObject({ range: { fromSecond: 21, toSecond: 81 }, confidence: 'likely' });
    expect(found?.sentence).toContain('Its pool of 30 database connections was used up');
  });

  it('is explained by a lock if connections wait for one', () => {
    const [found] = findingsBy('freeze', run(frozenIn([SPAN]), { monitors: [postgres([{ ...SPAN, held: 3, kept: 5, locked: 12 }])] }));
    expect(found?.sentence).toContain('12 connections of PostgreSQL waited for a lock');
    expect(found?.remedy).toContain('pg_blocking_pids');
  });

  it('is reported without a monitor, with the advice to use one', () => {
    const [found] = findingsBy('freeze', run(frozenIn([SPAN])));
    expect(found?.sentence).toBe('The server froze for up to 60 s, first with 40 requests in flight: from second 21 to 81.');
    expect(found?.evidence.join(' ')).toContain('60 s is about the wait that pools allow');
    expect(found?.remedy).toContain('PostgreSQL monitor');
  });

  it('of one of two servers is explained by a single pool if the database had more connections in use', () => {
    const monitor = postgres([{ ...SPAN, held: 30, kept: 30 }]);
    const idleInTransaction = monitor.values['postgres.idleInTransaction']?.map((held, second) => (second === 81 ? 58 : held)) ?? [];
    const given = behind(
      run(frozenIn([SPAN]), { monitors: [{ ...monitor, values: { ...monitor.values, 'postgres.idleInTransaction': idleInTransaction } }] }),
      { header: 'X-Shard', expected: 2, pool: 'sqlalchemy' },
    );
    const [found] = findingsBy('freeze', given);
    expect(found?.figures).toContainEqual({ what: 'Pool', value: '30 for each of 2 servers' });
  });

  it('is found from the first second on if all requests waited as long as proxies and pools allow', () => {
    const span = { from: 0, to: 60 };
    const given = run([
      ...frozenIn([span], 60),
      point(60, { completed: 52, ok: 0, failed: 52, inFlight: 1, max: 60_200, status: { '502': 52 } }),
    ]);
    expect(findingsBy('freeze', given)[0]?.sentence).toBe(
      'The server froze for up to 60 s, first with 40 requests in flight: from second 0 to 60.',
    );
    expect(idsOf(given)).not.toContain('unexpectedStatus.502');
  });

  it('is not blamed on a pool if a program stood still for any other time with a few open transactions', () => {
    const span = { from: 21, to: 34 };
    const [found] = findingsBy('freeze', run(frozenIn([span]), { monitors: [postgres([{ ...span, held: 4, kept: 5 }])] }));
    expect(found).toMatchObject({ confidence: 'possible' });
    expect(found?.sentence).toContain('or the program that holds them stood still');
  });
});

describe('no freeze is found in', () => {
  it('a healthy run with a backup in one long transaction', () => {
    const backup = { from: 20, to: 100, held: 1, kept: 10 };
    expect(findingsBy('freeze', run(frozenIn([]), { monitors: [postgres([backup])] }))).toEqual([]);
  });

  it('transactions of other programs that do not affect requests', () => {
    expect(findingsBy('freeze', run(frozenIn([]), { monitors: [postgres([{ ...SPAN, held: 6, kept: 10 }])] }))).toEqual([]);
  });

  it('one late response at the end, or a slow page with few requests', () => {
    const late = frozenIn([{ from: 60, to: 80 }], 80).map((one) => (one.second >= 60 ? { ...one, inFlight: 1 } : one));
    expect(findingsBy('freeze', run(late))).toEqual([]);
    const slow = Array.from({ length: 60 }, (_unused, second) =>
      second % 10 === 9
        ? point(second, { started: 3, completed: 3, ok: 3, inFlight: 3, max: 9_000 })
        : point(second, { started: 0, completed: 0, ok: 0, inFlight: 3, max: null }),
    );
    expect(findingsBy('freeze', run(slow))).toEqual([]);
  });

  it('a slow page with slow first responses, or a cold start', () => {
    for (const seconds of [12, 60]) {
      const slow = [
        ...frozenIn([{ from: 0, to: seconds }], seconds),
        point(seconds, { completed: 40, ok: 40, inFlight: 40, max: seconds === 60 ? 9_000 : 12_000 }),
      ];
      expect(findingsBy('freeze', run(slow))).toEqual([]);
    }
  });

  it('a server that refuses connections, or a pause of the load', () => {
    const refused = frozenIn([SPAN]).map((one) => (isIn(one.second, [SPAN]) ? { ...one, failed: 50, errors: { ECONNREFUSED: 50 } } : one));
    expect(findingsBy('freeze', run(refused))).toEqual([]);
    const pause = frozenIn([SPAN]).map((one) => (isIn(one.second, [SPAN]) ? { ...one, inFlight: 0 } : one));
    expect(findingsBy('freeze', run(pause))).toEqual([]);
  });
});
