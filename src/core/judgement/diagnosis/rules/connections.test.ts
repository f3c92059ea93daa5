import { describe, expect, it } from 'vitest';
import { emptyRequestLedger } from '#core/measurement/ledger.ts';
import { diagnose } from '../diagnose.ts';
import { arrivals, planWith } from '#core/testing/plans.ts';
import type { MeasuredRun } from '../rule.ts';
import { CALM, facts, healthyStep, point } from '../testing/facts.ts';
import { saidBy } from '../testing/found.ts';

function found(errors: Record<string, number>, isIdle = true) {
  const given = facts(healthyStep(), { requestsOnReusedConnection: 5_000 });
  const { requests } = given.ledger;
  const closed = Object.values(errors).reduce((sum, count) => sum + count, 0);
  const ledger = { ...given.ledger, requests: { ...requests, sent: requests.ok + closed, reset: closed } };
  const [step] = given.plan.journey;
  if (step === undefined) throw new Error('no step');
  const journey = [isIdle ? { ...step, thinkTime: { kind: 'fixed' as const, seconds: 5 } } : step];
  const plan = { ...given.plan, journey };
  return diagnose({ ...given, plan, ledger, errors }).filter(({ id }) => id === 'closedWhileIdle');
}

it('names the time for idle connections where a few were closed under a request that had pauses before it', () => {
  const [finding] = found({ 'ECONNRESET@firstByte': 3, 'EPIPE@firstByte': 1 });
  expect(finding).toMatchObject({ level: 'warning', confidence: 'likely' });
  expect(finding?.sentence).toMatch(/^4 requests failed because the server had closed the idle connection/);
  expect(finding?.remedy).toContain('keepAliveTimeout');
});

it('says nothing where no connection lay idle, where answers broke off, or where too many were closed for that', () => {
  expect(found({ 'ECONNRESET@firstByte': 4 }, false)).toEqual([]);
  expect(found({ 'ECONNRESET@body': 4, 'ECONNRESET@connect': 4 })).toEqual([]);
  expect(found({ 'EOF@firstByte': 3_000 })).toEqual([]);
});

const none = emptyRequestLedger();

describe('the figures of connections that were closed while idle', () => {
  const load = planWith({ load: arrivals([{ kind: 'constant', perSecond: 1, seconds: 60 }]) }).load;
  function of(requests: Partial<typeof none>, closed: number, changes: Partial<MeasuredRun['plan']> = {}, reused = 5_000) {
    const given = facts(healthyStep({ requests: { ...none, ...requests } }), {
      errors: { 'EPIPE@firstByte': closed },
      requestsOnReusedConnection: reused,
    });
    return saidBy('closedWhileIdle', { ...given, plan: { ...given.plan, load, ...changes } })[0];
  }

  it('are one request of ten and at most one of twenty', () => {
    expect(of({ sent: 20, ok: 10 }, 1)?.sentence).toMatch(/^1 request failed/);
    expect(of({ sent: 20, ok: 10 }, 1)?.evidence[0]).toContain('1 of 20 requests (5 %)');
    expect(of({ sent: 20, ok: 10 }, 1)?.evidence).toHaveLength(2);
    expect(of({ sent: 19, ok: 10 }, 1)).toBeUndefined();
    expect(of({ sent: 20, ok: 9 }, 1)).toBeUndefined();
    expect(of({ sent: 20, ok: 10 }, 0)).toBeUndefined();
  });

  it('are of connections that are used again', () => {
    expect(of({ sent: 20, ok: 10 }, 1, { connections: { reuse: 'journey' } })).toBeUndefined();
    expect(of({ sent: 20, ok: 10 }, 1, {}, 0)).toBeUndefined();
    const pausing = planWith({ journey: [{ name: 'a', thinkTime: { kind: 'fixed', seconds: 1 } }, { name: 'b' }] });
    expect(of({ sent: 20, ok: 10 }, 1, pausing)).toBeDefined();
    expect(of({ sent: 20, ok: 10 }, 1, planWith({ journey: [{ name: 'a' }] }))).toBeUndefined();
  });
});

it('says what a connection for each request costs, of a hundred responses and fewer than two for each', () => {
  const of = (complete: number, connectionsOpened: number, connect: typeof CALM | null = CALM) => {
    const step = healthyStep({ requests: { ...none, sent: complete, ok: complete }, connectionsOpened });
    return saidBy('connectionPerRequest', facts({ ...step, phases: { ...step.phases, connect } }))[0];
  };
  expect(of(100, 51)?.evidence).toEqual(['51 connections for 100 responses', 'opening one took 20 ms at the median']);
  expect(of(100, 51, null)?.evidence).toHaveLength(1);
  expect(of(100, 51, { ...CALM, p50: 'never' })?.evidence).toHaveLength(1);
  expect(of(100, 50)).toBeUndefined();
  expect(of(99, 99)).toBeUndefined();
  expect(of(100, 0)).toBeUndefined();
});

describe('refused connections', () => {
  const silent = [{ fromSecond: 0, toSecond: 1, lost: 1, failed: 1, longestMs: null }];
  const server = { name: 'a', answered: 1, share: 1, failed: 0, unanswered: 0, tried: 0, meanMs: 1, silent: [] };
  function of(requests: Partial<typeof none>, completed: readonly number[] = [0, 1], servers: MeasuredRun['servers'] = []) {
    const windows = [
      point(0),
      ...completed.map((count, at) => point(at + 1, { completed: count, errors: { 'ECONNREFUSED@connect': 1 } })),
      point(9, { errors: { 'ECONNREFUSED@connect': 0 } }),
    ];
    return saidBy('refused', facts(healthyStep({ requests: { ...none, ...requests } }), { windows, servers }))[0];
  }

  it('are told from one in a thousand on, beside responses', () => {
    const finding = of({ sent: 1_000, ok: 999, refused: 1 });
    expect(finding?.sentence).toBe(
      '1 connections were refused (0.1 % of requests), first in second 1: nothing listened there at that time.',
    );
    expect(finding?.evidence).toEqual([expect.stringContaining('no response at all')]);
    expect(finding?.figures?.map(({ value }) => value)).toEqual(['1 of 1,000 requests', '2', '1']);
    expect(finding).toMatchObject({ range: { fromSecond: 1, toSecond: 3 }, remedy: expect.stringContaining('restarted or crashed') });
    expect(of({ sent: 1_001, ok: 1_000, refused: 1 })).toBeUndefined();
    expect(of({ sent: 1, refused: 1 })).toBeUndefined();
    expect(of({})).toBeUndefined();
  });

  it('are those of a full listener where fewer than half of the seconds had no response', () => {
    const finding = of({ sent: 1_000, ok: 999, refused: 1 }, [0, 1, 1]);
    expect(finding?.evidence).toEqual([expect.stringContaining('the server was running')]);
    expect(finding?.remedy).toContain('listen queue');
    expect(of({ sent: 1_000, ok: 999, refused: 1 }, [])?.sentence).toContain('took no more connections');
  });

  it('are told of one of several servers by another rule', () => {
    expect(of({ sent: 1_000, ok: 999, refused: 1 }, [0], [server, { ...server, name: 'b', silent }])).toBeUndefined();
    expect(of({ sent: 1_000, ok: 999, refused: 1 }, [0], [server])).toBeDefined();
  });
});
