import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { countPlannedJourneys } from '#core/work/load/planned.ts';
import { parseValue } from '#core/review/check.ts';
import type { Plan, PlanInput } from '#core/plan/schema/plan.ts';
import type { ExportResult } from '../exported.ts';
import { exportArtillery } from './exportArtillery.ts';

type Stages = Extract<PlanInput['load'], { model: 'arrivals' }>['stages'];
type PlanChanges = Partial<PlanInput> & { readonly stages?: Stages };

function planFrom({ stages = [{ kind: 'constant', perSecond: 1, seconds: 5 }], ...more }: PlanChanges): Plan {
  const { plan, issues } = parseValue({
    holdfast: 1,
    name: 'A plan',
    targets: [{ url: 'http://127.0.0.1:8080/' }],
    journey: [{ name: 'page' }],
    load: { model: 'arrivals', stages },
    ...more,
  });
  if (plan === null) throw new Error(JSON.stringify(issues, null, 1));
  return plan;
}

function exported(given: PlanChanges) {
  const result: ExportResult = exportArtillery(planFrom(given));
  if (result.kind === 'refused') throw new Error(JSON.stringify(result.issues, null, 1));
  const { text, notes } = result.exported;
  const { config, scenarios } = parse(text) as {
    config: { phases: Phase[]; ensure?: unknown; plugins?: unknown };
    scenarios: { weight?: number; flow: Record<string, unknown>[] }[];
  };
  return { config, scenarios, notes };
}

interface Phase {
  readonly name?: string;
  readonly duration?: number | string;
  readonly pause?: number | string;
  readonly arrivalRate?: number;
  readonly arrivalCount?: number;
  readonly rampTo?: number;
}

const writePhases = (stages: Stages) => exported({ stages }).config.phases;

/** Returns the seconds of a phase as Artillery 2.0 reads them: whole numbers, or text with a unit. */
function secondsOf({ duration, pause }: Phase): number {
  const written = duration ?? pause ?? Number.NaN;
  if (Number.isInteger(written)) return Number(written);
  const milliseconds = /^(\d+)ms$/.exec(String(written))?.[1];
  if (typeof written !== 'string' || milliseconds === undefined) throw new Error(`Invalid duration for phase: ${written}`);
  return Number(milliseconds) / 1_000;
}

/** Returns the number of arrivals of a phase as one worker of Artillery 2.0 counts them. */
function findArrivals(phase: Phase): number {
  const { arrivalRate, arrivalCount, rampTo } = phase;
  const seconds = secondsOf(phase);
  if (phase.pause !== undefined) return 0;
  if (arrivalCount !== undefined) return arrivalCount;
  if (arrivalRate === undefined) throw new Error('Unknown phase spec');
  if (rampTo === undefined || rampTo === 0) expect(Number.isInteger(arrivalRate)).toBe(true);
  if (rampTo === undefined) return Math.floor(arrivalRate * seconds);
  let sum = 0;
  for (let second = 0; second < seconds; second += 1) sum += Math.round(arrivalRate + ((rampTo - arrivalRate) / (seconds - 1)) * second);
  return sum;
}

describe('Artillery phases', () => {
  it.each<[string, Stages]>([
    ['whole rates', [{ kind: 'constant', perSecond: 15, seconds: 30 }]],
    ['less than one a second', [{ kind: 'constant', perSecond: 0.3, seconds: 150 }]],
    ['rates with a fraction', [{ kind: 'constant', perSecond: 2.25, seconds: 7 }]],
    ['parts of seconds', [{ kind: 'constant', perSecond: 280, seconds: 0.196 }]],
    ['a ramp', [{ kind: 'ramp', fromPerSecond: 50, toPerSecond: 150, seconds: 3 }]],
    ['a ramp to nothing', [{ kind: 'ramp', fromPerSecond: 7.5, toPerSecond: 0, seconds: 20 }]],
    ['a ramp too slow for whole numbers', [{ kind: 'ramp', fromPerSecond: 0.1, toPerSecond: 0.3, seconds: 50 }]],
    ['a ramp of half a second', [{ kind: 'ramp', fromPerSecond: 10, toPerSecond: 200, seconds: 0.5 }]],
    ['a ramp that ends between seconds', [{ kind: 'ramp', fromPerSecond: 10, toPerSecond: 200, seconds: 6.5 }]],
    ['a staircase', [{ kind: 'steps', fromPerSecond: 280, toPerSecond: 20, steps: 14, secondsEach: 0.196 }]],
    [
      'a spike',
      [{ kind: 'spike', basePerSecond: 5, peakPerSecond: 60, secondsBefore: 2, rampSeconds: 1.5, peakSeconds: 2, secondsAfter: 2 }],
    ],
    ['a number of arrivals', [{ kind: 'count', arrivals: 7, seconds: 0.9 }]],
  ])('take as long as the stages of the plan, and bring as many arrivals: %s', (_name, stages) => {
    const phases = writePhases(stages);
    const seconds = (all: readonly Phase[]): number => all.reduce((sum, phase) => sum + secondsOf(phase), 0);
    const arrivals = phases.reduce((sum, phase) => sum + findArrivals(phase), 0);
    const plan = planFrom({ stages });
    const planned = countPlannedJourneys(plan) ?? Number.NaN;
    expect(Math.abs(arrivals - planned) / planned).toBeLessThanOrEqual(0.02);
    const [stage] = stages;
    if (stage !== undefined && 'seconds' in stage) expect(seconds(phases)).toBeCloseTo(stage.seconds, 6);
  });

  it('are unchanged where Artillery behaves like Holdfast', () => {
    expect(
      writePhases([
        { name: 'rise', kind: 'ramp', fromPerSecond: 5, toPerSecond: 50, seconds: 120 },
        { name: 'calm', kind: 'pause', seconds: 10 },
        { name: 'steady', kind: 'constant', perSecond: 50, seconds: 60 },
      ]),
    ).toEqual([
      { duration: 120, arrivalRate: 5, rampTo: 50, name: 'rise' },
      { pause: 10, name: 'calm' },
      { duration: 60, arrivalRate: 50, name: 'steady' },
    ]);
  });

  it('report ramps that become staircases', () => {
    const { notes, config } = exported({ stages: [{ name: 'rise', kind: 'ramp', fromPerSecond: 0.1, toPerSecond: 0.3, seconds: 50 }] });
    expect(notes.join('\n')).toContain('“rise” is a staircase');
    expect(config.phases[0]?.name).toBe('rise 1');
  });
});

describe('differences between Holdfast and Artillery', () => {
  it('are expressed in Artillery terms: pauses, loops, lists, groups', () => {
    const { scenarios } = exported({
      journey: [
        {
          name: 'list',
          captures: [
            { from: 'json', as: 'items', path: '$.items', which: 'all' },
            { from: 'json', as: 'one', path: '$.items', which: 'random' },
            { from: 'body', as: 'token', pattern: 'token=(\\w+)' },
            { from: 'body', as: 'whole', pattern: 'id=\\w+' },
          ],
          thinkTime: { kind: 'uniform', fromSeconds: 0.5, toSeconds: 2 },
        },
        { name: 'item', path: '/{{item}}', thinkTime: { kind: 'fixed', seconds: 1.5 } },
        { name: 'again', path: '/again' },
      ],
      flow: ['list', { forEach: 'items', as: 'item', flow: ['item'] }, { repeat: { from: 2, to: 4 }, flow: ['again'] }],
    });
    expect(scenarios[0]?.flow).toMatchObject([
      {
        get: {
          capture: [
            { json: '$.items', as: 'items' },
            { json: '$.items[*]', as: 'one' },
            { regexp: 'token=(\\w+)', group: 1, as: 'token' },
            { regexp: 'id=\\w+', as: 'whole' },
          ],
        },
      },
      { think: '{{ $randomNumber(500, 2000) }}ms' },
      { loop: [{ get: { url: '/{{ $loopElement }}' } }, { think: '1500ms' }], over: 'items' },
      { loop: [{ get: { url: '/again' } }], count: '{{ $randomNumber(2, 4) }}' },
    ]);
  });

  it('cause a refusal if the meaning would change', () => {
    const reasons = (given: PlanChanges): string => {
      const result = exportArtillery(planFrom(given));
      return result.kind === 'refused' ? result.issues.map(({ message }) => message).join('\n') : '';
    };
    expect(reasons({ journey: [{ name: 'page', path: '/{{n}}' }], variables: { n: { kind: 'integer', from: -5, to: 5 } } })).toContain(
      '{{n}}',
    );
    expect(reasons({ journey: [{ name: 'page', path: '/{{t}}' }], variables: { t: { kind: 'timestamp' } } })).toContain('{{t}}');
    // After an inner loop, the item of the outer loop is lost.
    const nested = {
      journey: [
        { name: 'list', captures: [{ from: 'json' as const, as: 'items', path: '$.items', which: 'all' as const }] },
        { name: 'other', path: '/other' },
        { name: 'item', path: '/{{item}}' },
      ],
      flow: ['list', { forEach: 'items', as: 'item', flow: [{ repeat: 2, flow: ['other'] }, 'item'] }],
    };
    expect(reasons(nested)).toContain('{{item}}');
  });

  it('include whole weights and a fixed set of percentiles', () => {
    const { scenarios, config, notes } = exported({
      journey: [
        { name: 'a', path: '/a', expectStatus: [200] },
        { name: 'b', path: '/b' },
      ],
      flow: [
        {
          choose: [
            { weight: 0.25, flow: ['a'] },
            { weight: 0.75, flow: ['b'] },
          ],
        },
      ],
      criteria: [
        { kind: 'responseTime', percentile: 90, maxMs: 300 },
        { kind: 'responseTime', percentile: 80, maxMs: 200 },
        { kind: 'errors', maxShare: 0.01 },
      ],
    });
    const [a, b] = scenarios.map(({ weight }) => weight ?? 0);
    expect([a, b].every((weight) => Number.isInteger(weight))).toBe(true);
    expect((b ?? 0) / (a ?? 1)).toBeCloseTo(3, 1);
    expect(config.ensure).toEqual({ thresholds: [{ 'http.response_time.p90': 300 }], maxErrorRate: 1 });
    expect(config.plugins).toMatchObject({ expect: { formatter: 'silent', reportFailuresAsErrors: true } });
    expect(notes.join('\n')).toMatch(/Left out, because Artillery supports .*p999 only: 80 % of responses within 200 ms/);
  });
});
