import { describe, expect, it } from 'vitest';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { arrivals, planWith, users } from '#core/testing/plans.ts';
import type { MeasuredRun } from '../rule.ts';
import { CALM, facts, healthyStep, point } from '../testing/facts.ts';
import { findingsBy } from '../testing/found.ts';

const none = emptyRequestOutcomes();

describe('closedWhileIdle', () => {
  interface ResendCounts {
    readonly sent: number;
    readonly failed?: number;
    readonly resent?: number;
    readonly opened?: number;
    readonly method?: 'GET' | 'POST';
    readonly plan?: PlanInput['load'];
    readonly protocol?: 'h2';
  }
  function of({ sent, failed = 0, resent = 0, opened = 2, method = 'POST', plan: load, protocol }: ResendCounts) {
    const requests = { ...none, sent, ok: sent - failed, reset: failed };
    const errors: Record<string, number> = failed === 0 ? {} : { 'EPIPE@firstByte': failed };
    const step = healthyStep({ name: 'form', requests, errors, connectionsOpened: opened, requestsResent: resent });
    const given = facts(step, { errors });
    const plan = planWith({ journey: [{ name: 'form', method }], ...(load === undefined ? {} : { load }), connections: { protocol } });
    return findingsBy('closedWhileIdle', { ...given, plan })[0];
  }
  const rate = arrivals([{ kind: 'constant', perSecond: 1, seconds: 60 }]);

  it('reports resent requests under every load and at every share', () => {
    const finding = of({ sent: 653, resent: 325, method: 'GET', opened: 653 });
    expect(finding).toMatchObject({ level: 'warning', confidence: 'likely' });
    expect(finding?.sentence).toBe('The server closed connections without saying so: 325 requests had to be sent again.');
    expect(finding?.evidence[0]).toContain('325 of 653 requests (49.8 %)');
    expect(of({ sent: 6_000, resent: 6, plan: rate })?.level).toBe('info');
    expect(of({ sent: 6_001, resent: 6, plan: rate })).toBeUndefined();
    expect(of({ sent: 600, resent: 600, protocol: 'h2' })).toBeUndefined();
  });

  it('reports the likely cause of lost forms, with less confidence if no connection was idle or many were lost', () => {
    const finding = of({ sent: 80, failed: 4, plan: rate });
    expect(finding).toMatchObject({ level: 'warning', confidence: 'likely' });
    expect(finding?.sentence).toBe('4 requests failed because the server had closed the connection without saying so.');
    expect(finding?.remedy).toContain('keepAliveTimeout');
    expect(of({ sent: 79, failed: 4, plan: rate })?.confidence).toBe('possible');
    expect(of({ sent: 80, failed: 4 })).toMatchObject({ confidence: 'possible', sentence: expect.stringContaining('had probably closed') });
    expect(of({ sent: 80, failed: 4, resent: 1 })?.confidence).toBe('likely');
  });

  it('ignores failures of requests that would have been resent, or on new connections', () => {
    expect(of({ sent: 80, failed: 4, method: 'GET', plan: rate })).toBeUndefined();
    expect(of({ sent: 80, failed: 4, opened: 76, plan: rate })).toBeDefined();
    expect(of({ sent: 80, failed: 4, opened: 77, plan: rate })).toBeUndefined();
    expect(of({ sent: 80, failed: 80, plan: rate })).toBeUndefined();
  });
});

describe('connectionPerRequest', () => {
  function of(
    complete: number,
    connectionsOpened: number,
    changes: Parameters<typeof healthyStep>[0] = {},
    load?: PlanInput['load'],
    own = 10,
  ) {
    const requests = { ...none, sent: complete, ok: complete };
    const given = facts(healthyStep({ requests, connectionsOpened, requestsOnReusedConnection: 0, ...changes }));
    const plan = load === undefined ? planWith() : planWith({ load });
    const stages = given.stages.map((stage) => ({ ...stage, level: { ...stage.level, highest: own } }));
    return findingsBy('connectionPerRequest', { ...given, stages, plan })[0];
  }
  const { phases } = healthyStep();

  it('reports the cost if at least 100 responses used a connection for fewer than two responses on average', () => {
    expect(of(100, 51)?.evidence).toEqual(['51 connections for 100 responses', 'opening one took 20 ms at the median']);
    expect(of(100, 51, { phases: { ...phases, connect: null } })?.evidence).toHaveLength(1);
    expect(of(100, 51, { phases: { ...phases, connect: { ...CALM, p50: 'never' } } })?.evidence).toHaveLength(1);
    expect([of(100, 50), of(99, 99), of(100, 0)]).toEqual([undefined, undefined, undefined]);
  });

  it('is certain only if no connection was reused', () => {
    expect(of(653, 653)).toMatchObject({ confidence: 'certain', sentence: expect.stringContaining('after each response') });
    expect(of(653, 393, { requestsOnReusedConnection: 260 })).toMatchObject({
      confidence: 'likely',
      sentence: 'The server closes most connections after one or two responses: 60.2 % of responses came over a new one.',
    });
  });

  it('does not blame the server if each user sent one request', () => {
    expect(of(100, 100, {}, users([{ users: 100, seconds: 1 }]), 100)).toBeUndefined();
    expect(of(100, 100, {}, users([{ users: 10, seconds: 1 }]))).toBeDefined();
    expect(of(100, 100, {}, arrivals([{ kind: 'constant', perSecond: 1, seconds: 60 }]))?.confidence).toBe('likely');
  });
});

describe('refused', () => {
  const silent = [{ fromSecond: 0, toSecond: 1, lost: 1, failed: 1, longestMs: null }];
  const server = { name: 'a', responded: 1, share: 1, failed: 0, withoutResponse: 0, tried: 0, meanMs: 1, silent: [] };
  function of(requests: Partial<typeof none>, completed: readonly number[] = [0, 1], servers: MeasuredRun['servers'] = []) {
    const windows = [
      point(0),
      ...completed.map((count, at) => point(at + 1, { completed: count, errors: { 'ECONNREFUSED@connect': 1 } })),
      point(9, { errors: { 'ECONNREFUSED@connect': 0 } }),
    ];
    return findingsBy('refused', facts(healthyStep({ requests: { ...none, ...requests } }), { windows, servers }))[0];
  }

  it('reports refusals of 0.1 % or more beside responses', () => {
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

  it('blames a full listener if fewer than half of the seconds had no response', () => {
    const finding = of({ sent: 1_000, ok: 999, refused: 1 }, [0, 1, 1]);
    expect(finding?.evidence).toEqual([expect.stringContaining('the server was running')]);
    expect(finding?.remedy).toContain('listen queue');
    expect(of({ sent: 1_000, ok: 999, refused: 1 }, [])?.sentence).toContain('took no more connections');
  });

  it('leaves a failure of one of several servers to another rule', () => {
    expect(of({ sent: 1_000, ok: 999, refused: 1 }, [0], [server, { ...server, name: 'b', silent }])).toBeUndefined();
    expect(of({ sent: 1_000, ok: 999, refused: 1 }, [0], [server])).toBeDefined();
  });
});
