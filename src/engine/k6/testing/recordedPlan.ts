import type { PlanInput } from '#core/plan/schema/plan.ts';

/** The plan whose samples are recorded: nine journeys, each of them with a last request that times out. */
export const RECORDED_PLAN: Partial<PlanInput> = {
  engine: 'k6',
  journey: [
    { name: 'front page', checks: [{ kind: 'contains', text: 'Welcome' }] },
    { name: 'wrong content', path: '/wrong', checks: [{ kind: 'contains', text: 'Welcome' }] },
    { name: 'missing', path: '/missing' },
    { name: 'moved', path: '/moved', redirects: { follow: true } },
    { name: 'broken', path: '/broken' },
    { name: 'slow', path: '/slow' },
  ],
  load: {
    model: 'arrivals',
    stages: [
      { name: 'first', kind: 'count', arrivals: 3, seconds: 2 },
      { name: 'second', kind: 'count', arrivals: 6, seconds: 2 },
    ],
  },
  timeoutSeconds: 1,
};
