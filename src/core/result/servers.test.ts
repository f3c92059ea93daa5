import { describe, expect, it } from 'vitest';
import { createHistogram, record } from '#core/statistics/histogram.ts';
import { findOrAddCell, emptyWindow } from '#core/measurement/windowFold.ts';
import type { ServerCount, Window } from '#core/measurement/window.ts';
import { planWith } from '#core/testing/plans.ts';
import { ServerTally } from './servers.ts';

type Servers = ConstructorParameters<typeof ServerTally>[0];

const { journey } = planWith({});

/** An unknown number of servers behind one address. */
const BEHIND_ONE: Servers = { journey, targets: [{ url: 'http://a.test/', headers: {} }], servers: { header: 'X-Shard' } };
/** A load in which every server is a target. */
const DIRECT: Servers = {
  journey,
  targets: ['127.0.0.1:18880', '127.0.0.1:18881'].map((host) => ({ url: `http://${host}/`, headers: {} })),
};

function windowWith(second: number, servers: Record<string, Partial<ServerCount>>): Window {
  const window = emptyWindow(second, 1);
  for (const [name, count] of Object.entries(servers))
    findOrAddCell(window, 0, 0).servers[name] = { responded: 0, failed: 0, withoutResponse: 0, serviceUs: 0, ...count };
  return window;
}

/**
 * A second with the given number of requests in flight, in which some servers responded. `statuses` are those of the cell, and `longestMs`
 * is the time of its longest response.
 */
interface Second {
  readonly servers: Record<string, Partial<ServerCount>>;
  readonly statuses?: Record<string, number>;
  readonly longestMs?: number;
  readonly inFlight?: number;
}

function played(seconds: readonly Second[], plan: Servers = BEHIND_ONE): ServerTally {
  const tally = new ServerTally(plan);
  for (const [second, { servers, statuses = {}, longestMs = 50, inFlight = 5 }] of seconds.entries()) {
    const window = { ...windowWith(second, servers), inFlight };
    const cell = findOrAddCell(window, 0, 0);
    for (const [status, count] of Object.entries(statuses)) cell.statuses.set(Number(status), count);
    record((cell.times.serviceOk ??= createHistogram()), 1_000 * longestMs);
    tally.add(window);
  }
  return tally;
}

function tallied(...seconds: Record<string, Partial<ServerCount>>[]) {
  const tally = new ServerTally(BEHIND_ONE);
  for (const [second, servers] of seconds.entries()) tally.add(windowWith(second, servers));
  return tally.results();
}

const good = { responded: 10, serviceUs: 500_000 };
const gone = { failed: 5, withoutResponse: 5 };

describe('servers that share the work', () => {
  it('have a share, failures and a mean time, in the order of their numbers', () => {
    const step = journey[0]?.name ?? '';
    const results = tallied({ 'shard-10': good, 'shard-2': { responded: 30, failed: 3, serviceUs: 3_000_000 } });
    expect(results).toEqual([
      {
        name: 'shard-2',
        responded: 30,
        share: 0.75,
        failed: 3,
        withoutResponse: 0,
        tried: 0,
        meanMs: 100,
        steps: { [step]: { responded: 30, failed: 3 } },
        silent: [],
      },
      {
        name: 'shard-10',
        responded: 10,
        share: 0.25,
        failed: 0,
        withoutResponse: 0,
        tried: 0,
        meanMs: 50,
        steps: { [step]: { responded: 10, failed: 0 } },
        silent: [],
      },
    ]);
  });

  it('are silent from the first second without a response to the last, including seconds without requests', () => {
    const [shard] = tallied({ a: good }, { a: gone }, {}, { a: gone }, { a: good }, { a: gone });
    expect(shard?.silent).toMatchObject([
      { fromSecond: 1, toSecond: 4 },
      { fromSecond: 5, toSecond: 6 },
    ]);
    expect(shard).toMatchObject({ responded: 20, failed: 15, withoutResponse: 15 });
  });

  it('with names are not reported as away because of a few requests to the target without a response', () => {
    const lost = { failed: 1, withoutResponse: 1 };
    const results = tallied(
      { 'a › shard-1': good, a: lost, 'b › shard-2': good },
      { 'a › shard-1': good },
      { 'a › shard-1': good, a: lost },
    );
    expect(results).toMatchObject([
      { name: 'a › shard-1', responded: 30, failed: 2, withoutResponse: 2, share: 0.75, silent: [] },
      { name: 'b › shard-2', responded: 10, failed: 0, silent: [] },
    ]);
  });

  it('with names are reported as away while their target does not respond', () => {
    const results = tallied({ 'a › shard-1': good }, { a: gone }, { a: gone }, { 'a › shard-1': good }, { a: gone });
    expect(results).toMatchObject([
      {
        name: 'a › shard-1',
        responded: 20,
        withoutResponse: 15,
        silent: [
          { fromSecond: 1, toSecond: 3 },
          { fromSecond: 4, toSecond: 5 },
        ],
      },
    ]);
  });

  it('behind one target are silent only if all of them are, and requests without a response are counted for the target', () => {
    const [target, ...named] = tallied({ 'a › 1': good, 'a › 2': good, a: gone }, { a: gone }, { 'a › 2': good });
    expect(target).toMatchObject({ name: 'a', responded: 0, withoutResponse: 10, silent: [{ fromSecond: 1, toSecond: 2 }] });
    expect(named.map(({ name, silent }) => [name, silent])).toEqual([
      ['a › 1', []],
      ['a › 2', []],
    ]);
    const dead = tallied({ 'a › 1': good }, { b: gone });
    expect(dead.at(-1)).toMatchObject({ name: 'b', responded: 0, silent: [{ fromSecond: 1, toSecond: 2 }] });
  });

  it('are not silent while any response arrives', () => {
    expect(tallied({ a: { ...good, failed: 4, withoutResponse: 4 } })[0]?.silent).toEqual([]);
  });
});

describe('servers behind nginx, named by $upstream_addr', () => {
  const A = '127.0.0.1:18880';
  const B = '127.0.0.1:18881';
  const each: Second = { servers: { [A]: good, [B]: good } };
  const times = (count: number, second: Second): Second[] => Array.from({ length: count }, () => second);

  it('are listed if they responded; a list names servers that were tried in vain, and a bare group name means that none was left', () => {
    const tally = played([
      ...times(4, each),
      { servers: { [`${A}, ${B}`]: { responded: 2, serviceUs: 100_000 }, [B]: good } },
      { servers: { [`${A}, ${B}`]: { responded: 3, failed: 3 }, cws_turn: { responded: 7, failed: 7 } }, statuses: { 502: 10 } },
      ...times(4, each),
    ]);
    const results = tally.results();
    expect(results.map(({ name, responded, tried }) => [name, responded, tried])).toEqual([
      [A, 80, 5],
      [B, 95, 3],
    ]);
    expect(results.map(({ silent }) => silent)).toMatchObject([
      [{ fromSecond: 4, toSecond: 6, lost: 5 }],
      [{ fromSecond: 5, toSecond: 6, lost: 3, failed: 0 }],
    ]);
    expect(tally.noServer()).toEqual({ name: 'cws_turn', responses: 7, fromSecond: 5, toSecond: 6 });
  });

  it('are listed separately if $upstream_addr names several groups, and keep the name of their target', () => {
    const named = (stated: string): string[] =>
      played([{ servers: { [stated]: good } }])
        .results()
        .map(({ name }) => name);
    expect(named('10.0.0.1:80, 10.0.0.2:80 : 10.0.0.3:80')).toEqual(['10.0.0.1:80', '10.0.0.2:80', '10.0.0.3:80']);
    expect(named('north › unix:/run/a.sock, unix:/run/b.sock')).toEqual(['north › unix:/run/a.sock', 'north › unix:/run/b.sock']);
    expect(named('shard-1')).toEqual(['shard-1']);
    expect(played([{ servers: { 'shard-1': good } }]).noServer()).toBeNull();
  });

  it('are silent from their last response on, even if their requests time out much later', () => {
    const onlyB: Second = { servers: { [B]: good } };
    const givenUp: Second = {
      servers: { [A]: { responded: 5, failed: 5, serviceUs: 50e6 }, [B]: good },
      statuses: { 504: 5 },
      longestMs: 10_000,
    };
    const [a, b] = played([...times(10, each), ...times(9, onlyB), givenUp, ...times(5, each)]).results();
    expect(a).toMatchObject({ name: A, tried: 5, silent: [{ fromSecond: 10, toSecond: 20, lost: 5 }] });
    expect(a?.silent[0]?.longestMs).toBeGreaterThan(9_000);
    expect(b?.silent).toEqual([]);
  });

  it('are silent if all losses were in the second of their last responses, because nginx no longer used them', () => {
    const goes: Second = { servers: { [A]: good, [B]: good, [`${A}, ${B}`]: { responded: 1, serviceUs: 50_000 } } };
    const tally = played([...times(5, each), goes, ...times(10, { servers: { [B]: good } }), ...times(5, each)]);
    expect(tally.results()[0]).toMatchObject({ name: A, tried: 1, silent: [{ fromSecond: 6, toSecond: 16, lost: 1 }] });
  });

  it('are silent while they hang, even if all requests succeed in the end', () => {
    const stuck: Second = { servers: { [A]: { responded: 9, serviceUs: 48e6 + 150_000 }, [B]: good }, longestMs: 8_000 };
    const [a] = played([...times(10, each), { servers: { [B]: good } }, ...times(7, { servers: {} }), stuck, ...times(5, each)]).results();
    expect(a?.silent).toMatchObject([{ fromSecond: 10, toSecond: 18, lost: 0 }]);
  });

  it('are silent if the others continue to the end, but not without requests', () => {
    const [a] = played([...times(10, each), ...times(6, { servers: { [B]: good } })]).results();
    expect(a?.silent).toMatchObject([{ fromSecond: 10, toSecond: 16 }]);
    const calm = played([...times(10, each), ...times(6, { servers: {} }), ...times(4, each)]).results();
    expect(calm.map(({ silent }) => silent)).toEqual([[], []]);
  });

  it('are silent each time that they hang one after the other for a similar time', () => {
    const few = { responded: 2, serviceUs: 80_000 };
    const both: Second = { servers: { [A]: few, [B]: few } };
    /** Returns five seconds without responses from one server. They arrive afterwards, some of them a second later. */
    const hang = (name: string, other: string, seconds: number): Second[] => [
      ...times(seconds, { servers: { [other]: few } }),
      { servers: { [name]: { responded: 2 * seconds, serviceUs: seconds * seconds * 1e6 }, [other]: few }, longestMs: 1_000 * seconds },
      { servers: { [name]: { responded: 3, serviceUs: 3 * seconds * 1e6 }, [other]: few }, longestMs: 1_000 * seconds },
    ];
    for (const plan of [BEHIND_ONE, DIRECT]) {
      const [a, b] = played(
        [...times(15, both), ...hang(A, B, 5), ...times(8, both), ...hang(B, A, 6), ...times(8, both), ...hang(A, B, 5), ...times(5, both)],
        plan,
      ).results();
      expect(a?.silent).toMatchObject([
        { fromSecond: 15, toSecond: 20 },
        { fromSecond: 46, toSecond: 51 },
      ]);
      expect(b?.silent).toMatchObject([{ fromSecond: 30, toSecond: 36 }]);
    }
  });

  it('are silent each time that they hang with few requests, whose responses arrive mostly a second after the return', () => {
    const odd: Second = { servers: { [A]: { responded: 2, serviceUs: 80_000 }, [B]: { responded: 1, serviceUs: 40_000 } } };
    const even: Second = { servers: { [A]: { responded: 1, serviceUs: 40_000 }, [B]: { responded: 2, serviceUs: 80_000 } } };
    const calm = times(6, odd).flatMap((second) => [second, even]);
    /**
     * Returns seconds with these service times, in seconds, of responses that hung: `first` arrive in the window in which the server
     * returns, `rest` in the next one.
     */
    const hang = (first: readonly number[], rest: readonly number[]): Second[] => [
      ...times(3, { servers: { [B]: { responded: 2, serviceUs: 80_000 } } }),
      ...[first, rest].map((stuck): Second => {
        const serviceUs = 1e6 * stuck.reduce((sum, seconds) => sum + seconds, 0);
        return {
          servers: { [A]: { responded: stuck.length, serviceUs }, [B]: { responded: 1, serviceUs: 40_000 } },
          longestMs: 1_000 * (stuck[0] ?? 0),
        };
      }),
    ];
    const [a, b] = played(
      [...calm, ...hang([3.9], [3.2, 2.6, 1.9]), ...calm, ...hang([3.1, 2.4, 1.8], [1.1, 0.4]), ...calm],
      DIRECT,
    ).results();
    expect(a?.silent).toMatchObject([
      { fromSecond: 12, toSecond: 15 },
      { fromSecond: 29, toSecond: 32 },
    ]);
    expect(b?.silent).toEqual([]);
  });

  it('are not silent because of few requests, or a single slow response', () => {
    const rare = Array.from({ length: 60 }, (_, second): Second => ({
      servers: { [B]: good, ...(second % 10 === 0 ? { [A]: { responded: 1, serviceUs: 50_000 } } : {}) },
    }));
    expect(
      played(rare)
        .results()
        .flatMap(({ silent }) => silent),
    ).toEqual([]);
    const heavy: Second = { servers: { [A]: { responded: 1, serviceUs: 6e6 } }, longestMs: 6_000 };
    expect(
      played([...times(10, each), ...times(5, { servers: {} }), heavy, ...times(4, each)])
        .results()
        .flatMap(({ silent }) => silent),
    ).toEqual([]);
  });

  it('are silent from their first request on, even if no server responded before nginx timed out', () => {
    const inVain = { responded: 26, failed: 26, serviceUs: 26 * 60.1e6 };
    const givenUp: Second = {
      servers: { [`${A}, cws_turn`]: inVain, [`${B}, cws_turn`]: inVain },
      statuses: { 502: 52 },
      longestMs: 60_200,
    };
    const [a, b] = played([
      ...times(60, { servers: {}, inFlight: 53 }),
      givenUp,
      { servers: { [B]: { responded: 1, serviceUs: 61.9e6 } } },
    ]).results();
    expect(a).toMatchObject({ name: A, silent: [{ fromSecond: 0, toSecond: 61, lost: 26 }] });
    expect(b).toMatchObject({ name: B, silent: [{ fromSecond: 0, toSecond: 61, lost: 26 }] });
  });

  it('are silent from their first request on, even if they respond again in the second in which nginx timed out', () => {
    const inVain = { responded: 25, failed: 25, serviceUs: 25 * 60.1e6 };
    const givenUp: Second = {
      servers: { [`${A}, cws_turn`]: inVain, [`${B}, cws_turn`]: inVain, [`${A}, ${B}`]: { responded: 2, serviceUs: 2 * 60.4e6 } },
      statuses: { 502: 50 },
      longestMs: 60_400,
    };
    const [a, b] = played([...times(60, { servers: {}, inFlight: 52 }), givenUp, ...times(5, { servers: { [B]: good } })]).results();
    expect(a).toMatchObject({ name: A, silent: [{ fromSecond: 0, lost: 27 }] });
    expect(b).toMatchObject({ name: B, silent: [{ fromSecond: 0, toSecond: 60, lost: 25, longestMs: 60_400 }] });

    const [, later] = played([...times(10, each), ...times(60, { servers: {}, inFlight: 52 }), givenUp, ...times(5, each)]).results();
    expect(later).toMatchObject({ name: B, silent: [{ fromSecond: 10, toSecond: 70, lost: 25 }] });
  });

  describe('that hang from the first second', () => {
    const onlyB: Second = { servers: { [B]: good } };
    /** A second in which five of A's responses arrived after a wait of eight seconds. */
    const backAgain: Second = { servers: { [A]: { responded: 5, serviceUs: 40e6 }, [B]: good }, longestMs: 8_000 };

    it('are silent until their responses arrive all at once', () => {
      for (const plan of [BEHIND_ONE, DIRECT]) {
        const [a] = played([onlyB, ...times(7, { servers: {} }), backAgain, ...times(5, each)], plan).results();
        expect(a).toMatchObject({ name: A, silent: [{ fromSecond: 0, toSecond: 8, lost: 0 }] });
      }
    });

    it('are silent while only the others respond, if they are known to exist', () => {
      const late = [...times(9, onlyB), ...times(10, each)];
      const silences = (plan: Servers) => played(late, plan).results()[0]?.silent;
      expect(silences(DIRECT)).toMatchObject([{ fromSecond: 0, toSecond: 9, lost: 0 }]);
      expect(silences({ ...BEHIND_ONE, servers: { header: 'X-Shard', expected: 2 } })).toMatchObject([{ fromSecond: 0, toSecond: 9 }]);
      // A server that was added while the load grew was not away before.
      expect(silences(BEHIND_ONE)).toEqual([]);
      expect(silences({ ...BEHIND_ONE, servers: { header: 'X-Shard', expected: 1 } })).toEqual([]);
    });

    it('are silent to the end with their requests outstanding', () => {
      const results = played([...times(9, onlyB), ...times(3, { servers: {} })], DIRECT).results();
      expect(results).toMatchObject([
        { name: A, responded: 0, withoutResponse: 0, silent: [{ fromSecond: 0, toSecond: 9 }] },
        { name: B, silent: [] },
      ]);
      const nothingOutstanding = played([...times(9, onlyB), { servers: {}, inFlight: 0 }], DIRECT).results();
      expect(nothingOutstanding.map(({ name }) => name)).toEqual([B]);
    });

    it('are not confused with slow starters, with servers that are always slow, or with servers of a later load', () => {
      const slowA = { servers: { [A]: { responded: 2, serviceUs: 10e6 }, [B]: good }, longestMs: 5_000 };
      const silent = (seconds: Second[]) =>
        played(seconds, DIRECT)
          .results()
          .flatMap((one) => one.silent);
      expect(silent([...times(4, onlyB), ...times(6, slowA)])).toEqual([]);
      expect(silent([...times(9, { servers: {}, inFlight: 0 }), ...times(5, each)])).toEqual([]);
      expect(
        silent([onlyB, { servers: { [A]: { responded: 3, serviceUs: 3e6 }, [B]: good }, longestMs: 1_200 }, ...times(5, each)]),
      ).toEqual([]);
    });
  });
});
