import { describe, expect, it } from 'vitest';
import { arrivals, planWith, stages } from '#core/testing/plans.ts';
import { exponential } from '#core/testing/queueRun.ts';
import { idsOf, played, findingsBy } from '../testing/found.ts';

const byArrivals = (perSecond: number, seconds = 20) =>
  planWith({ load: arrivals([{ kind: 'constant', perSecond, seconds }], { spacing: 'poisson' }) });
const quick = { workers: Infinity, serviceMs: () => 5 };

/** Returns a limiter that passes one request every 1 / rate seconds without a burst, as nginx does. */
function makeLimit(perSecond: number, status: number) {
  let nextSecond = 0;
  return (_n: number, second: number): number | null => {
    if (second < nextSecond) return status;
    nextSecond = Math.max(nextSecond + 1 / perSecond, second);
    return null;
  };
}

describe('clientLimit', () => {
  it.each([503, 429])('finds a limit that refuses with %d', (status) => {
    const given = played(byArrivals(60), { ...quick, refuses: makeLimit(10, status) });
    const [finding] = findingsBy('clientLimit', given);
    expect(finding).toMatchObject({ level: 'problem', confidence: 'likely' });
    expect(finding?.sentence).toMatch(
      new RegExp(
        `^A rate limit lets (9|10)(\\.\\d+)? requests/s through, whatever is sent: 8\\d(\\.\\d)? % of responses were ${status} within`,
      ),
    );
    expect(finding?.evidence.join(' ')).toContain('Real participants have addresses of their own and do not share it');
    expect(idsOf(given)).toEqual(['clientLimit']);
  });

  it.each([4, 40])('finds a limit that delays: the first response took %d ms, including the opening of its connection', (firstMs) => {
    const given = played(planWith({ load: stages({ connections: 8, seconds: 20 }) }), {
      workers: 1,
      serviceMs: (_random, n) => (n === 0 ? firstMs : 100),
    });
    const [finding] = findingsBy('clientLimit', given);
    expect(finding?.sentence).toMatch(/^Requests are let through at a fixed pace of 10\/s: half of them waited 8\d\d ms, although/);
    expect(finding?.sentence).toContain(`the server needs about ${firstMs} ms for one.`);
    expect(idsOf(given)).toEqual(['clientLimit']);
  });

  it('finds a limit that delays although a busy computer counts some responses a second later', () => {
    const given = played(planWith({ load: stages({ connections: 8, seconds: 20 }) }), {
      workers: 1,
      serviceMs: (_random, n) => (n === 0 ? 4 : 100),
    });
    const windows = given.windows.map((one, index) => ({ ...one, completed: one.completed + (index % 2 === 0 ? -3 : 3) }));
    expect(findingsBy('clientLimit', { ...given, windows })).toHaveLength(1);
  });

  it('ignores a server that is busy at that rate', () => {
    // A single worker with a full queue also refuses at once and completes as many requests per second.
    const full = played(byArrivals(60), { workers: 1, serviceMs: () => 100, queueLength: 5 });
    expect(findingsBy('clientLimit', full)).toEqual([]);
    const single = played(planWith({ load: stages({ connections: 8, seconds: 20 }) }), { workers: 1, serviceMs: () => 100 });
    expect(findingsBy('clientLimit', single)).toEqual([]);
    const varied = played(planWith({ load: stages({ connections: 8, seconds: 20 }) }), {
      workers: 1,
      serviceMs: (random) => exponential(50, random),
    });
    expect(findingsBy('clientLimit', varied)).toEqual([]);
  });

  it('ignores a few random refusals', () => {
    const given = played(byArrivals(60), { ...quick, refuses: (n) => (n % 10 === 3 ? 503 : null) });
    expect(findingsBy('clientLimit', given)).toEqual([]);
  });
});

describe('fullBacklog', () => {
  it('finds quick 502 responses while others succeed after a wait', () => {
    let inside: number[] = [];
    const given = played(byArrivals(40), {
      workers: 2,
      serviceMs: () => 100,
      refuses: (_n, second) => {
        inside = inside.filter((done) => done > second);
        if (inside.length >= 10) return 502;
        inside.push(Math.max(second, inside.at(-2) ?? 0) + 0.1);
        return null;
      },
    });
    const [finding] = findingsBy('fullBacklog', given);
    expect(finding?.sentence).toMatch(
      /^The queue before the server is full: \d\d(\.\d)? % of responses were 502 within 1\.\d+ ms, while others succeeded\.$/,
    );
    expect(finding).toMatchObject({ level: 'problem', confidence: 'likely' });
    expect(idsOf(given)).not.toContain('unexpectedStatus.502');
  });

  it('finds quick 502 responses of a server that takes seconds and succeeds in few of them', () => {
    let inside: number[] = [];
    const given = played(byArrivals(10), {
      workers: 1,
      serviceMs: () => 2_000,
      refuses: (_n, second) => {
        inside = inside.filter((done) => done > second);
        if (inside.length >= 3) return 502;
        inside.push(Math.max(second, inside.at(-1) ?? 0) + 2);
        return null;
      },
    });
    expect(findingsBy('fullBacklog', given)).toHaveLength(1);
  });

  it('ignores failures without successes, and an idle server', () => {
    expect(findingsBy('fullBacklog', played(byArrivals(40), { ...quick, refuses: (_n, second) => (second > 10 ? 502 : null) }))).toEqual(
      [],
    );
    expect(findingsBy('fullBacklog', played(byArrivals(40), { ...quick, refuses: (n) => (n % 4 === 0 ? 502 : null) }))).toEqual([]);
  });
});
