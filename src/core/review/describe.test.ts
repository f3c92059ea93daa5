import { describe, expect, it } from 'vitest';
import { arrivals, planWith, stages, users } from '#core/testing/plans.ts';
import { describeCriterion } from '#core/plan/criteria.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { describePlan } from './describe.ts';

describe('describePlan', () => {
  it('describes targets, load, duration and number of requests', () => {
    const plan = planWith({
      targets: [{ url: 'http://a.localhost:1/' }, { url: 'http://b.localhost:2/' }],
      journey: [{ name: 'home' }, { name: 'task', path: 'tasks/1' }],
      load: stages({ name: 'warm-up', connections: 60, seconds: 30, counted: false }, { name: 'contest', connections: 60, seconds: 300 }),
    });
    const description = describePlan(plan);
    expect(description.sentences).toEqual([
      'The load is divided among 2 targets: a.localhost:1, b.localhost:2.',
      'Each journey takes 2 steps, one after the other: “home” (GET the address itself), “task” (GET tasks/1).',
      '“warm-up”: 60 connections, each sending the next request after a response, for 30 s. This stage is not counted.',
      '“contest”: 60 connections, each sending the next request after a response, for 5 min.',
      'The test takes 5 min 30 s. The number of requests depends on the response times.',
      'A request times out after 2 min. At the end, Holdfast waits up to 2 min for outstanding responses.',
    ]);
    expect(description).toMatchObject({ durationSeconds: 330, requests: null, arrivalsPerSecond: null });
    expect(description.profile).toEqual([
      { stage: 'warm-up', counted: false, fromSecond: 0, toSecond: 30, level: 60, toLevel: 60, unit: 'connections' },
      { stage: 'contest', counted: true, fromSecond: 30, toSecond: 330, level: 60, toLevel: 60, unit: 'connections' },
    ]);
  });

  it('states requests or seconds, whichever ends the stages, and warns', () => {
    const plan = planWith({
      load: stages({ connections: 1, requests: 50 }),
      criteria: [{ kind: 'responseTime', percentile: 95, maxMs: 1_000 }],
    });
    const description = describePlan(plan);
    expect(description).toMatchObject({ durationSeconds: null, requests: 50, criteria: ['95 % of responses within 1 s'] });
    expect(description.warnings.map(({ code }) => code)).toEqual(['TOO_FEW_REQUESTS']);
    expect(description.sentences[2]).toBe('1 connection, sending the next request after a response, until 50 requests are sent.');
  });

  it('describes the arrival schedule, the concurrency cap and its effect', () => {
    const stated = (load: PlanInput['load'], changes: Partial<PlanInput> = {}): string[] =>
      describePlan(planWith({ load, ...changes })).sentences.slice(2, -1);
    expect(stated(arrivals([{ kind: 'constant', perSecond: 50, seconds: 60 }]))).toEqual([
      '50 requests begin each second for 60 s, 3,000 in all.',
      'They start evenly spaced, whatever the server does.',
      'At most 10,000 requests are in flight at the same time, which is more than there can be.',
      'In total, 3,000 requests in 60 s if all can begin on time.',
    ]);
    const stages = [
      { name: 'ramp', kind: 'ramp', fromPerSecond: 0, toPerSecond: 40, seconds: 30, counted: false },
      { name: 'rest', kind: 'pause', seconds: 10 },
      { name: 'stairs', kind: 'steps', fromPerSecond: 10, toPerSecond: 30, steps: 3, secondsEach: 20, maxInFlight: 50 },
      {
        name: 'peak',
        kind: 'spike',
        basePerSecond: 1,
        peakPerSecond: 200,
        secondsBefore: 5,
        rampSeconds: 1,
        peakSeconds: 2,
        secondsAfter: 5,
      },
      { name: 'few', kind: 'count', arrivals: 30, seconds: 60 },
      { name: 'slow', kind: 'constant', perSecond: 0.25, seconds: 60 },
    ] as const;
    const journey = [{ name: 'a' }, { name: 'b' }];
    const load = arrivals([...stages], { thinkTime: { kind: 'uniform', fromSeconds: 1, toSeconds: 3 } });
    expect(stated(load, { journey })).toEqual([
      '“ramp”: the rate changes linearly from 0 to 40 journeys a second over 30 s, 600 in all. This stage is not counted.',
      '“rest”: nothing begins for 10 s.',
      '“stairs”: the rate changes from 10 to 30 journeys a second in 3 steps of 20 s each, 1,200 in all, at most 50 at the same time.',
      '“peak”: a journey begins each second for 5 s, then 200 for 2 s, then 1 again for 5 s (each change takes 1 s), 611 in all.',
      '“few”: 30 journeys begin within 60 s (0.5 a second).',
      '“slow”: a journey begins every 4 s for 60 s, 15 in all.',
      'They start evenly spaced, whatever the server does.',
      'Between two steps of a journey 1 s to 3 s go by.',
      'At most 50 journeys are in flight at the same time during “stairs”, enough while each takes up to 1.67 s; if more are outstanding, further ones are left out and count as failed.',
      'In total, 4,912 requests in 3 min 54 s if all can begin on time.',
    ]);
  });

  it('states the exact number of requests of a Poisson schedule', () => {
    const load = arrivals([{ kind: 'constant', perSecond: 50, seconds: 60 }], { spacing: 'poisson' });
    const { sentences, requests } = describePlan(planWith({ load, seed: 3 }));
    expect(sentences[2]).toBe(`50 requests begin each second for 60 s, ${requests?.toLocaleString('en-US')} in all.`);
    expect(requests).not.toBe(3_000);
    expect(sentences[3]).toContain('at random times that average these rates, like independent people (seed 3)');
  });

  it('describes the start of users, what counts, and the bound by think time', () => {
    const stated = (load: PlanInput['load']): string[] => describePlan(planWith({ load })).sentences.slice(2, -2);
    expect(stated(users([{ users: 500, startUpSeconds: 5, restSeconds: 10, seconds: 60 }], { kind: 'fixed', seconds: 5 }))).toEqual([
      'After 10 s without any load, 500 users repeat the request, pausing 5 s after each response, for 60 s; they begin one after the other within 5 s before that, which is not counted.',
      'With these pauses it is at most about 100 requests a second, when responses take no time.',
    ]);
    expect(stated(users([{ users: 1, seconds: 60 }]))).toEqual(['1 user repeats the request, without pauses, for 60 s.']);
  });

  it('states that resources of pages are additional requests', () => {
    const journey = [{ name: 'page', resources: {} }];
    const stated = (load: PlanInput['load']): string => describePlan(planWith({ journey, load })).sentences.slice(0, -1).join(' ');
    const pausing = stated(users([{ users: 500, seconds: 60 }], { kind: 'fixed', seconds: 5 }));
    expect(pausing).toContain('about 100 requests a second, when responses take no time, and beside them whatever their pages link to.');
    const arriving = stated(arrivals([{ kind: 'constant', perSecond: 10, seconds: 6 }]));
    expect(arriving).toContain('In total, 60 requests in 6 s if all can begin on time, and beside them whatever their pages link to.');
  });

  it('describes only non-default connection settings', () => {
    const stated = (changes: Parameters<typeof planWith>[0]): string[] =>
      describePlan(planWith(changes)).sentences.filter((sentence) => /new connection|ertificate|HTTP\/2/.test(sentence));
    const targets = [{ url: 'https://a.localhost/' }];
    expect(stated({ targets })).toEqual([]);
    expect(stated({ tls: { verify: false } })).toEqual([]);
    expect(stated({ targets, tls: { verify: false } })).toEqual(['Certificates are not verified.']);
    expect(stated({ connections: { reuse: 'never' } })).toEqual(['Every request opens a new connection.']);
    expect(stated({ connections: { protocol: 'h2' } })).toEqual(['Connections use HTTP/2.']);
    expect(stated({ connections: { protocol: 'h2', streams: 10 } })).toEqual(['Connections use HTTP/2: 10 share one, each as a stream.']);
    expect(stated({ connections: { reuse: 'journey' } })).toEqual(['Every journey opens a new connection.']);
  });

  it('describes local addresses and TLS resumption', () => {
    const stated = (changes: Parameters<typeof planWith>[0]): string[] =>
      describePlan(planWith(changes)).sentences.filter((sentence) => /^Connections|TLS|client certificate/.test(sentence));
    const targets = [{ url: 'https://a.localhost/' }];
    expect(stated({ connections: { socketPath: '/run/app.sock' } })).toEqual(['Connections use the Unix socket /run/app.sock.']);
    expect(stated({ connections: { localAddresses: ['10.0.0.1'] } })).toEqual(['Connections are made from 10.0.0.1.']);
    expect(stated({ connections: { localAddresses: ['10.0.0.1', '10.0.0.2'] } })).toEqual([
      'Connections are made from 2 addresses of this computer in turn: 10.0.0.1, 10.0.0.2.',
    ]);
    expect(stated({ targets, tls: { resume: 0.25 } })).toEqual(['25 % of connections resume a TLS session, as returning visitors do.']);
    expect(stated({ targets, tls: { resume: 0 } })).toEqual([]);
  });

  it('describes success conditions, and counts that are read in addition to the load', () => {
    const stated = (changes: Parameters<typeof planWith>[0], about: RegExp): string[] =>
      describePlan(planWith(changes)).sentences.filter((sentence) => about.test(sentence));
    const journey = [{ name: 'page', checks: [{ kind: 'contains' as const, text: 'Welcome' }] }];
    expect(stated({ journey }, /successful only/)).toEqual(['A response to “page” is successful only if its body contains “Welcome”.']);
    const stored = { name: 'rows', step: 'page', url: 'http://127.0.0.1:9/count' };
    expect(stated({ stored: [stored as never] }, /is counted/)[0]).toMatch(
      /^“rows” is counted at http:\/\/127\.0\.0\.1:9\/count before the load and after it/,
    );
    expect(stated({}, /cache|is counted|successful only/)).toEqual([]);
  });

  it('derives the request rate of arrivals from the steps of a journey', () => {
    const rateOf = (changes: Parameters<typeof planWith>[0]) => describePlan(planWith(changes)).arrivalsPerSecond;
    const load = arrivals([
      { kind: 'constant', perSecond: 10, seconds: 6 },
      { kind: 'constant', perSecond: 4, seconds: 6 },
    ]);
    expect([rateOf({ load }), rateOf({ load, journey: [{ name: 'a' }, { name: 'b' }] }), rateOf({})]).toEqual([10, 20, null]);
  });
});

describe('describeCriterion', () => {
  it('uses plain words', () => {
    expect(describeCriterion({ kind: 'responseTime', percentile: 95, maxMs: 1_000, step: 'description' })).toBe(
      '95 % of responses to “description” within 1 s',
    );
    expect(describeCriterion({ kind: 'responseTime', percentile: 99.9, maxMs: 250, stage: 'peak' })).toBe(
      '99.9 % of responses within 250 ms during “peak”',
    );
    expect(describeCriterion({ kind: 'errors', maxShare: 0.01 })).toBe('at most 1 % of requests failing');
    expect(describeCriterion({ kind: 'errors', maxShare: 0.25 })).toBe('at most 25 % of requests failing');
    expect(describeCriterion({ kind: 'errors', maxShare: 0 })).toBe('no failed request');
    expect(describeCriterion({ kind: 'throughput', minPerSecond: 200 })).toBe('at least 200 successful responses a second');
    expect(describeCriterion({ kind: 'apdex', thresholdMs: 500, min: 0.85 })).toBe('Apdex of at least 0.85 for responses within 500 ms');
  });
});
