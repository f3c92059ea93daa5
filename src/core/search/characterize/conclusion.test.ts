import { describe, expect, it } from 'vitest';
import { describeCharacter } from './conclusion.ts';
import type { IdleReading, UsersReading } from './reading.ts';
import type { CharacterConclusion } from './schema.ts';
import { calmReading } from './testing/frozenRuns.ts';

/** Returns readings of users who never wait. */
const free = (...users: number[]): UsersReading[] => users.map((count) => calmReading(count));
/** Returns readings of four workers of 100 ms: 40 responses per second, so that users wait for each other. */
const busy = (...users: number[]): UsersReading[] =>
  users.map((count) => calmReading(count, { ok: 120, sent: 120, okPerSecond: 40, meanMs: 25 * count }));
const four = [...free(1, 2, 4), ...busy(8, 16, 32)];
const about = ({ reasoning }: CharacterConclusion, what: string): string | undefined => reasoning.find((one) => one.about === what)?.text;
const idle = (changes: Partial<IdleReading>): IdleReading => ({
  kind: 'idle',
  closedAfterSeconds: null,
  watchedSeconds: 10,
  statedSeconds: null,
  statedRequests: null,
  problem: null,
  ...changes,
});

describe('a server with workers', () => {
  it('is recognized by its rate, its response time and the number of users served without queueing', () => {
    const conclusion = describeCharacter(four, null);
    expect(conclusion).toMatchObject({
      server: 'synchronous',
      sentence: 'Synchronous: 4 workers, 100 ms each.',
      workers: { value: 4 },
      fullPerSecond: 40,
      atOnce: 4,
      queueLength: null,
      queueAtLeast: 28,
    });
    expect(about(conclusion, 'kind')).toMatch(
      /^4 at a time get a response in 100 ms, like a single one\. With 8 users a response takes 200 ms, and the rate no longer grows with their number \(40\/s, 40\/s, 40\/s\)/,
    );
    expect(about(conclusion, 'workers')).toContain('40/s × 100 ms = 4, so 4');
    // The estimates are 8 × 100 / (200 + 10) = 3.81, 16 × 100 / 410 = 3.9 and 32 × 100 / 810 = 3.95.
    expect(about(conclusion, 'workers')).toContain('users × time alone / time under load = 3.9.');
    expect(about(conclusion, 'queue')).toBe('28 waited and none was rejected: the queue is at least that long.');
  });

  it('is explained together with the mistake of dividing', () => {
    expect(describeCharacter(four, null).trap).toMatch(
      /^Dividing instead, 40 \/ 0\.1 = 400, .* 400 workers of 100 ms each would serve 4,000\/s, not 40\/s\.$/,
    );
  });

  it('is described as serving one request at a time if it has a single worker', () => {
    const one = describeCharacter(
      [calmReading(1), ...[2, 4, 8].map((users) => calmReading(users, { okPerSecond: 10, meanMs: 100 * users }))],
      null,
    );
    expect(one.sentence).toBe('Synchronous: one request at a time, 100 ms each.');
    expect(about(one, 'workers')).toContain('A single computing thread looks the same');
  });

  it('has a finite queue if it rejects users at once', () => {
    const full = calmReading(64, { sent: 500, ok: 400, failed: 100, refused: 100, okPerSecond: 40, meanMs: 350 });
    const found = describeCharacter([...four, full], null);
    expect(found).toMatchObject({ queueLength: { value: 10 }, queueAtLeast: null });
    expect(about(found, 'queue')).toMatch(/10 wait \(between \d+ and \d+\)\. Further requests are rejected at once\.$/);
    const quick = describeCharacter([...free(1, 2, 4), { ...full, users: 8, meanMs: 149 }], null);
    expect(about(quick, 'kind')).toContain('With 8 users some are rejected, and');
    const slow = describeCharacter([...free(1, 2, 4), { ...full, users: 8, meanMs: 150 }], null);
    expect(about(slow, 'kind')).toContain('With 8 users a response takes 150 ms, and');
  });
});

describe('a server without a limit', () => {
  it('is found with 32 users or more, whose times are at most 20 % longer', () => {
    const kind = (users: number, meanMs: number) => describeCharacter([...free(1, 2, 4, 8, 16), calmReading(users, { meanMs })], null);
    expect(kind(32, 120)).toMatchObject({ server: 'asynchronous', atOnce: 32, workers: null, queueAtLeast: null, trap: null });
    expect(kind(32, 120).sentence).toBe('Asynchronous: 100 ms each at any load (tested up to 32 users at a time).');
    expect(kind(32, 121).sentence).toBe('Unknown. 32 users begin to wait (121 ms instead of 100 ms); test more of them.');
    expect(kind(31, 100).sentence).toBe('Unknown. Only up to 31 users at a time were tested.');
    expect(about(kind(32, 100), 'kind')).toContain('32 at a time wait no longer than one');
  });
});

describe('an unknown server', () => {
  it('responds in less than 5 ms, or has no constant rate', () => {
    const quick = (meanMs: number) =>
      describeCharacter(
        four.map((one) => ({ ...one, meanMs: ((one.meanMs ?? 0) * meanMs) / 100 })),
        null,
      ).server;
    expect([quick(4.9), quick(5)]).toEqual(['unknown', 'synchronous']);
    const uneven = [...free(1, 2, 4), ...busy(8), ...busy(16).map((one) => ({ ...one, okPerSecond: 60 }))];
    expect(describeCharacter(uneven, null).sentence).toBe(
      'Unknown. From 8 users on they wait, but the rate does not stay the same (it differs by 50 %): the cause is not a fixed number of workers.',
    );
  });
});

describe('response time', () => {
  it('is given with its interval, and with an overload of this computer', () => {
    expect(about(describeCharacter(four, null), 'time of a response')).toMatch(
      /^210 responses at minimal load took 100 ms on average \(99\.6 ms to 100 ms; standard deviation 1 ms\)\..* network\.$/,
    );
    const late = describeCharacter([calmReading(1, { overloadedSeconds: 2 })], null);
    expect(about(late, 'time of a response')).toContain('This computer was overloaded for 2 s');
  });

  it('has a longest observed value if no request timed out', () => {
    expect(describeCharacter([...four, calmReading(64, { longestMs: 900 })], null)).toMatchObject({ longestMs: 900, timeoutMs: null });
  });
});

describe('connections of a server', () => {
  const connections = (reading: IdleReading | null, readings = four) => {
    const conclusion = describeCharacter(readings, reading);
    return [conclusion.keepAlive, about(conclusion, 'connections')] as const;
  };

  it('are reported as closed after a time, or as still open', () => {
    const closed = connections(idle({ closedAfterSeconds: 5, statedSeconds: 6 }));
    expect(closed[0]).toEqual({ reuses: true, closedAfterSeconds: 5, openForSeconds: null, statedSeconds: 6 });
    expect(closed[1]).toBe('Connections serve several requests. An idle one was closed after 5 s. The server states 6 s.');
    const open = connections(idle({}));
    expect(open[0]).toEqual({ reuses: true, closedAfterSeconds: null, openForSeconds: 10, statedSeconds: null });
    expect(open[1]).toBe('Connections serve several requests. An idle one was still open after 10 s.');
  });

  it('may only be known to be reused', () => {
    expect(connections(null)[1]).toBe('Connections serve several requests.');
    expect(connections(idle({ problem: 'It was refused.' }))).toEqual([
      { reuses: true, closedAfterSeconds: null, openForSeconds: null, statedSeconds: null },
      'Connections serve several requests. How long one may be idle is unknown: It was refused.',
    ]);
  });

  it('may serve one request each, or be too few to show whether they are reused', () => {
    const each = four.map((one) => ({ ...one, reusedConnections: 0 }));
    expect(connections(idle({ closedAfterSeconds: 5 }), each)).toEqual([
      { reuses: false, closedAfterSeconds: null, openForSeconds: null, statedSeconds: null },
      'Every request had its own connection: the server closes it after each response.',
    ]);
    expect(connections(null, [calmReading(1, { ok: 1, reusedConnections: 0 })])[1]).toContain('Too few responses');
  });
});
