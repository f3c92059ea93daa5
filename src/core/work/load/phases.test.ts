import { describe, expect, it } from 'vitest';
import { parsePlan } from '#core/review/check.ts';
import { rateAt } from './rateCurve.ts';
import { planSchedule } from './arrivals.ts';
import { maxInFlightOf, secondsOf } from './stages.ts';

/** A phase of an Artillery script and the equivalent stage. */
interface Phase {
  readonly phase: string;
  readonly stage: string;
  readonly seconds: number;
  readonly arrivals: number;
  /** Arrivals per second at the start of the phase, in its middle and just before its end. */
  readonly rates: readonly [number, number, number];
  readonly cap?: number;
}

const PHASES: readonly Phase[] = [
  {
    phase: 'duration: 60, arrivalRate: 5',
    stage: 'kind: constant, perSecond: 5, seconds: 60',
    seconds: 60,
    arrivals: 300,
    rates: [5, 5, 5],
  },
  {
    phase: 'duration: 120, arrivalRate: 10, rampTo: 50',
    stage: 'kind: ramp, fromPerSecond: 10, toPerSecond: 50, seconds: 120',
    seconds: 120,
    arrivals: 3_600,
    rates: [10, 30, 50],
  },
  {
    phase: 'duration: 120, arrivalRate: 50, rampTo: 0',
    stage: 'kind: ramp, fromPerSecond: 50, toPerSecond: 0, seconds: 120',
    seconds: 120,
    arrivals: 3_000,
    rates: [50, 25, 0],
  },
  {
    phase: 'duration: 60, arrivalCount: 20',
    stage: 'kind: count, arrivals: 20, seconds: 60',
    seconds: 60,
    arrivals: 20,
    rates: [1 / 3, 1 / 3, 1 / 3],
  },
  { phase: 'pause: 30', stage: 'kind: pause, seconds: 30', seconds: 30, arrivals: 0, rates: [0, 0, 0] },
  {
    phase: 'duration: 60, arrivalRate: 10, maxVusers: 50',
    stage: 'kind: constant, perSecond: 10, seconds: 60, maxInFlight: 50',
    seconds: 60,
    arrivals: 600,
    rates: [10, 10, 10],
    cap: 50,
  },
  {
    phase: 'duration: 60, arrivalRate: 1, rampTo: 20, maxVusers: 7',
    stage: 'kind: ramp, fromPerSecond: 1, toPerSecond: 20, seconds: 60, maxInFlight: 7',
    seconds: 60,
    arrivals: 630,
    rates: [1, 10.5, 20],
    cap: 7,
  },
];

const buildPlan = (stages: readonly string[]): ReturnType<typeof parsePlan> =>
  parsePlan(`holdfast: 1
name: phases
targets: [{ url: 'http://127.0.0.1:8080/' }]
journey: [{ name: page }]
load:
  model: arrivals
  stages:
${stages.map((stage) => `    - { ${stage} }`).join('\n')}
`);

describe('Artillery phases as stages', () => {
  const { plan, issues } = buildPlan(PHASES.map(({ stage }) => stage));

  it('form one valid plan', () => {
    expect(issues).toEqual([]);
    expect(plan?.load.stages).toHaveLength(PHASES.length);
  });

  it.each(PHASES.map((phase, index) => [phase.phase, phase, index] as const))('%s', (_, { seconds, arrivals, rates, cap }, index) => {
    if (plan?.load.model !== 'arrivals') throw new Error('The plan was refused.');
    const stage = plan.load.stages[index];
    const schedule = planSchedule(plan);
    if (stage === undefined || schedule === null) throw new Error('The stage is missing.');
    const begins = PHASES.slice(0, index).reduce((sum, phase) => sum + phase.seconds, 0);
    expect([secondsOf(stage), schedule.perStage[index]]).toEqual([seconds, arrivals]);
    const [first, middle, last] = [begins, begins + seconds / 2, begins + seconds - 1e-9].map((second) => rateAt(schedule.curve, second));
    expect(first).toBeCloseTo(rates[0], 6);
    expect(middle).toBeCloseTo(rates[1], 6);
    expect(last).toBeCloseTo(rates[2], 6);
    expect(maxInFlightOf(plan.load, stage)).toBe(cap ?? 10_000);
  });
});
