import { describe, expect, it } from 'vitest';
import { planWith, stages } from '../testing/plans.ts';
import { describeObjective, describePlan } from './describe.ts';

describe('describePlan', () => {
  it('says who gets what load for how long, and how many requests that makes', () => {
    const plan = planWith({
      targets: [{ url: 'http://a.localhost:1/' }, { url: 'http://b.localhost:2/' }],
      journey: [{ name: 'home' }, { name: 'task', path: 'tasks/1' }],
      load: stages({ name: 'warm-up', connections: 60, seconds: 30, counted: false }, { name: 'contest', connections: 60, seconds: 300 }),
    });
    const description = describePlan(plan);
    expect(description.sentences).toEqual([
      'The load is shared among 2 targets: a.localhost:1, b.localhost:2.',
      'Each journey takes 2 steps, one after the other: “home” (GET the address itself), “task” (GET tasks/1).',
      '“warm-up”: 60 connections each ask again as soon as they are answered, for 30 s. This stage is not counted.',
      '“contest”: 60 connections each ask again as soon as they are answered, for 5 min.',
      'That takes 5 min 30 s; how many requests it makes depends on the answers.',
      'A request may take 2 min; at the end answers that are still owed are waited for, at most 2 min.',
    ]);
    expect(description).toMatchObject({ durationSeconds: 330, requests: null, arrivalsPerSecond: null });
    expect(description.profile).toEqual([
      { stage: 'warm-up', counted: false, fromSecond: 0, toSecond: 30, level: 60, toLevel: 60, unit: 'connections' },
      { stage: 'contest', counted: true, fromSecond: 30, toSecond: 330, level: 60, toLevel: 60, unit: 'connections' },
    ]);
  });

  it('knows requests or seconds, whichever ends the stages, and warns', () => {
    const plan = planWith({
      load: stages({ connections: 1, requests: 50 }),
      objectives: [{ kind: 'responseTime', percentile: 95, limitMs: 1_000 }],
    });
    const description = describePlan(plan);
    expect(description).toMatchObject({ durationSeconds: null, requests: 50, objectives: ['19 of 20 answers within 1 s'] });
    expect(description.warnings.map(({ code }) => code)).toEqual(['TOO_FEW_REQUESTS']);
    expect(description.sentences[2]).toBe('1 connection asks again as soon as it is answered, until 50 requests were sent.');
  });

  it('says what is unusual about the connections, and nothing about what is not', () => {
    const said = (changes: Parameters<typeof planWith>[0]): string[] =>
      describePlan(planWith(changes)).sentences.filter((sentence) => /connection of its own|ertificate/.test(sentence));
    const targets = [{ url: 'https://a.localhost/' }];
    expect(said({ targets })).toEqual([]);
    expect(said({ tls: { verify: false } })).toEqual([]);
    expect(said({ targets, tls: { verify: false } })).toEqual(['Certificates are not verified.']);
    expect(said({ connections: { reuse: 'never' } })).toEqual(['Every request opens a connection of its own.']);
    expect(said({ connections: { reuse: 'journey' } })).toEqual(['Every journey opens a connection of its own.']);
  });
});

describe('describeObjective', () => {
  it('uses plain words', () => {
    expect(describeObjective({ kind: 'responseTime', percentile: 95, limitMs: 1_000, step: 'description' })).toBe(
      '19 of 20 answers of “description” within 1 s',
    );
    expect(describeObjective({ kind: 'responseTime', percentile: 99.9, limitMs: 250, stage: 'peak' })).toBe(
      '999 of 1,000 answers within 250 ms during “peak”',
    );
    expect(describeObjective({ kind: 'errors', maxShare: 0.01 })).toBe('at most 1 in 100 requests failing');
    expect(describeObjective({ kind: 'errors', maxShare: 0.25 })).toBe('at most 25 % requests failing');
    expect(describeObjective({ kind: 'errors', maxShare: 0 })).toBe('no failed request');
    expect(describeObjective({ kind: 'throughput', minPerSecond: 200 })).toBe('at least 200 good answers a second');
    expect(describeObjective({ kind: 'apdex', thresholdMs: 500, min: 0.85 })).toBe('Apdex of at least 0.85 for answers within 500 ms');
  });
});
