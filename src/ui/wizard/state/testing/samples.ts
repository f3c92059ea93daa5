import type { Probe } from '#contract/replies.ts';
import { planSchema, type Plan, type PlanInput } from '#core/plan/schema/plan.ts';
import { wizardReducer, type WizardAction } from '../reducer.ts';
import { EMPTY_STATE, type WizardState } from '../types.ts';

export function samplePlan(change: Partial<PlanInput> = {}): Plan {
  return planSchema.parse({
    holdfast: 1,
    name: 'Sample',
    targets: [{ url: 'http://127.0.0.1:8888/' }],
    journey: [{ name: 'page' }],
    load: {
      model: 'connections',
      stages: [
        { name: 'warm-up', connections: 5, seconds: 10, counted: false },
        { name: 'load', connections: 50, requests: 1_000 },
      ],
    },
    criteria: [{ kind: 'responseTime', percentile: 95, maxMs: 1_000 }],
    ...change,
  });
}

export function sampleProbe(change: Partial<Probe> = {}): Probe {
  return {
    url: 'http://127.0.0.1:8888/',
    status: 200,
    statusText: 'OK',
    bodyBytes: 6_844,
    totalMs: 49,
    connectMs: 1,
    firstByteMs: 40,
    httpVersion: '1.1',
    keepAlive: true,
    server: 'nginx',
    contentType: 'text/html',
    address: '127.0.0.1',
    redirect: null,
    hasLoginForm: false,
    links: [],
    certificate: null,
    notes: [],
    problem: null,
    ...change,
  };
}

/** Returns the state after a sequence of actions. */
export function after(actions: readonly WizardAction[], from: WizardState = EMPTY_STATE): WizardState {
  return actions.reduce(wizardReducer, from);
}
