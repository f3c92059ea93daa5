import { describe, expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { arrivals, planWith, stages, users } from '#core/testing/plans.ts';
import { formatPageResources, loadSentences } from './loadWords.ts';

const journey = [{ name: 'a' }, { name: 'b' }];
const sentences = (load: PlanInput['load'], changes: Partial<PlanInput> = {}): string[] => loadSentences(planWith({ load, ...changes }));
type Arrivals = Parameters<typeof arrivals>[0][number];
const first = (stage: Arrivals, changes: Partial<PlanInput> = {}): string | undefined => sentences(arrivals([stage]), changes)[0];

describe('loadSentences for connections', () => {
  it('describe one or many connections that end by time or by requests', () => {
    expect(sentences(stages({ connections: 1, seconds: 60 }))).toEqual([
      '1 connection, sending the next request after a response, for 60 s.',
    ]);
    expect(sentences(stages({ connections: 1_200, requests: 5_000 }))).toEqual([
      '1,200 connections, each sending the next request after a response, until 5,000 requests are sent.',
    ]);
    expect(sentences(stages({ connections: 2 }))[0]).toContain(', without an end.');
  });

  it('name stages and mention what is not counted', () => {
    expect(sentences(stages({ connections: 2, seconds: 5, counted: false }, { name: 'main', connections: 3, seconds: 5 }))).toEqual([
      '“stage 1”: 2 connections, each sending the next request after a response, for 5 s. This stage is not counted.',
      '“main”: 3 connections, each sending the next request after a response, for 5 s.',
    ]);
    expect(sentences(stages({ name: 'main', connections: 3, seconds: 5 }))[0]).toMatch(/^“main”: 3 connections/);
  });
});

describe('loadSentences for users', () => {
  it('describe one or many users with their pauses, start-up and rest', () => {
    expect(sentences(users([{ users: 1, seconds: 60 }]))).toEqual(['1 user repeats the request, without pauses, for 60 s.']);
    expect(sentences(users([{ users: 1, startUpSeconds: 3, seconds: 60 }]), { journey })[0]).toBe(
      '1 user repeats the journey, without pauses, for 60 s; it begins within 3 s before that, which is not counted.',
    );
    expect(sentences(users([{ users: 20, restSeconds: 9, startUpSeconds: 5, startUpCounts: true, seconds: 60 }]), { journey })[0]).toBe(
      'After 9 s without any load, 20 users repeat the journey, without pauses, for 60 s; they begin one after the other within 5 s before that, which is counted too.',
    );
    const goingOn = users([
      { users: 20, seconds: 60 },
      { users: 20, seconds: 30, continues: true },
    ]);
    expect(sentences(goingOn)[1]).toBe('“stage 2”: the same 20 users repeat the request, without pauses, for 30 s.');
    const paced = planWith({
      load: { model: 'users', paceSeconds: 30, stages: [{ users: 50, startUpSeconds: 30, seconds: 60 }] },
      journey,
    });
    expect(loadSentences(paced)).toEqual([
      '50 users repeat the journey, one each 30 s, for 60 s; they begin one after the other within 30 s before that, which is not counted.',
      expect.stringContaining('With these pauses it is at most about'),
    ]);
    const changing = users([
      { users: 10, seconds: 5 },
      { users: 20, startUpSeconds: 4, seconds: 5 },
      { users: 19, startUpSeconds: 4, seconds: 5 },
      { users: 30, seconds: 5, continues: false },
    ]);
    expect(sentences(changing).slice(1, 4)).toEqual([
      '“stage 2”: 20 users repeat the request, without pauses, for 5 s; the 10 of the stage before stay, and 10 begin one after the other within 4 s before that, which is not counted.',
      '“stage 3”: 19 of the 20 users repeat the request, without pauses, for 5 s; one leaves within 4 s before that, which is not counted.',
      '“stage 4”: 30 users repeat the request, without pauses, for 5 s.',
    ]);
  });

  it.each([
    [{ kind: 'fixed', seconds: 5 }, '5 s'],
    [{ kind: 'uniform', fromSeconds: 2, toSeconds: 8 }, '2 s to 8 s'],
    [{ kind: 'exponential', meanSeconds: 5 }, '5 s on average'],
  ] as const)('state the pause %o', (thinkTime, words) => {
    const [stage, most] = sentences(users([{ users: 20, seconds: 60 }], thinkTime));
    expect(stage).toBe(`20 users repeat the request, pausing ${words} after each response, for 60 s.`);
    // All of the pauses have a mean of 5 s, so 20 users send 4 requests per second.
    expect(most).toBe('With these pauses it is at most about 4 requests a second, when responses take no time.');
  });

  it('state the maximum rate of all steps for the stage in which it is highest', () => {
    const two = users(
      [
        { users: 20, seconds: 60 },
        { users: 50, seconds: 60 },
      ],
      { kind: 'fixed', seconds: 5 },
    );
    expect(sentences(two, { journey }).at(-1)).toContain('at most about 10 requests a second, all steps together, when');
  });

  it('mention resources that pages link to', () => {
    const pages = { journey: [{ name: 'home', resources: {} }] };
    expect(sentences(users([{ users: 20, seconds: 60 }], { kind: 'fixed', seconds: 5 }), pages)[1]).toMatch(
      /, and beside them whatever their pages link to\.$/,
    );
    expect(formatPageResources(planWith())).toBe('');
  });
});

describe('loadSentences for arrivals', () => {
  it.each<readonly [Arrivals, string]>([
    [{ kind: 'constant', perSecond: 50, seconds: 60 }, '50 requests begin each second for 60 s, 3,000 in all.'],
    [{ kind: 'constant', perSecond: 1, seconds: 60 }, 'A request begins each second for 60 s, 60 in all.'],
    [{ kind: 'constant', perSecond: 0.25, seconds: 60 }, 'A request begins every 4 s for 60 s, 15 in all.'],
    [{ kind: 'constant', perSecond: 0, seconds: 60 }, 'No request begins for 60 s, 0 in all.'],
    [
      { kind: 'ramp', fromPerSecond: 10, toPerSecond: 30, seconds: 60 },
      'The rate changes linearly from 10 to 30 requests a second over 60 s, 1,200 in all.',
    ],
    [{ kind: 'count', arrivals: 1, seconds: 10 }, '1 request begins within 10 s (0.1 a second).'],
    [{ kind: 'count', arrivals: 30, seconds: 60 }, '30 requests begin within 60 s (0.5 a second).'],
    [{ kind: 'pause', seconds: 7 }, 'Nothing begins for 7 s.'],
    [
      { kind: 'steps', fromPerSecond: 10, toPerSecond: 30, steps: 3, secondsEach: 20 },
      'The rate changes from 10 to 30 requests a second in 3 steps of 20 s each, 1,200 in all.',
    ],
    [
      { kind: 'spike', basePerSecond: 5, peakPerSecond: 50, secondsBefore: 10, peakSeconds: 4, secondsAfter: 20 },
      '5 requests begin each second for 10 s, then 50 for 4 s, then 5 again for 20 s, 350 in all.',
    ],
    [
      { kind: 'spike', basePerSecond: 5, peakPerSecond: 15, secondsBefore: 10, rampSeconds: 2, peakSeconds: 4, secondsAfter: 10 },
      '5 requests begin each second for 10 s, then 15 for 4 s, then 5 again for 10 s (each change takes 2 s), 200 in all.',
    ],
  ])('describe %o', (stage, words) => expect(first(stage)).toBe(words));

  it('describe journeys of several steps with pauses between them', () => {
    const load = arrivals([{ kind: 'constant', perSecond: 50, seconds: 60 }], { thinkTime: { kind: 'fixed', seconds: 3 } });
    expect(sentences(load, { journey }).slice(0, 3)).toEqual([
      '50 journeys begin each second for 60 s, 3,000 in all.',
      'They start evenly spaced, whatever the server does.',
      'Between two steps of a journey 3 s go by.',
    ]);
    expect(sentences(load).join(' ')).not.toContain('go by');
  });

  it('mention random starts', () => {
    const load = arrivals([{ kind: 'constant', perSecond: 5, seconds: 6 }], { spacing: 'poisson' });
    expect(sentences(load, { seed: 7 })[1]).toContain('like independent people (seed 7)');
  });

  it('state the journey duration that fills the cap, for the stage in which it is shortest', () => {
    const capped = (...caps: (number | undefined)[]): string | undefined =>
      sentences(
        arrivals(
          caps.map((maxInFlight, index) => ({
            kind: 'constant' as const,
            name: `s${index}`,
            perSecond: 10 * (index + 1),
            seconds: 60,
            ...(maxInFlight === undefined ? {} : { maxInFlight }),
          })),
          { maxInFlight: 100 },
        ),
      ).at(-1);
    expect(capped(undefined)).toBe(
      'At most 100 requests are in flight at the same time, enough while each takes up to 10 s; if more are outstanding, further ones are left out and count as failed.',
    );
    expect(capped(undefined, undefined)).toContain('at the same time, enough while each takes up to 5 s;');
    expect(capped(40, undefined)).toContain(
      'At most 40 requests are in flight at the same time during “s0”, enough while each takes up to 4 s;',
    );
    expect(sentences(arrivals([{ kind: 'constant', perSecond: 10, seconds: 60, maxInFlight: 40 }]))[0]).toBe(
      '10 requests begin each second for 60 s, 600 in all, at most 40 at the same time.',
    );
  });

  it('never mention a duration above the time-outs of all requests together', () => {
    const findCap = (maxInFlight: number, changes: Partial<PlanInput> = {}): string | undefined =>
      sentences(arrivals([{ kind: 'constant', perSecond: 10, seconds: 60 }], { maxInFlight, thinkTime: { kind: 'fixed', seconds: 3 } }), {
        timeoutSeconds: 10,
        ...changes,
      }).at(-1);
    expect(findCap(101)).toContain('which is more than there can be');
    expect(findCap(100)).toContain('enough while each takes up to 10 s');
    // The journey has two requests of at most 10 s each and a pause of 3 s.
    expect(findCap(231, { journey })).toContain('which is more than there can be');
    expect(findCap(230, { journey })).toContain('enough while each takes up to 23 s');
  });
});
