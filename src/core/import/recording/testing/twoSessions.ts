import type { Plan } from '#core/plan/schema/plan.ts';
import { captureByTwo } from '../captureByTwo.ts';
import { planOfSteps, recordedStep } from './site.ts';
import type { Exchange, Walk } from '../walk.ts';

export interface Case {
  /** The first response, as it is in the recording and in the second walk. */
  readonly first: Partial<Exchange>;
  readonly second: Partial<Exchange>;
  /** The request after that response, as it is in the plan and in the recording. */
  readonly step: object;
  readonly sent: Partial<Exchange>;
}

export const FORM = [['Content-Type', 'application/x-www-form-urlencoded']] as const;
export const JSON_TYPE = [['Content-Type', 'application/json']] as const;

export function correlated(
  { first, second, step, sent }: Case,
  options: { before?: object; more?: object; hasOtherAccount?: boolean } = {},
): ReturnType<typeof captureByTwo> {
  const plan = planOfSteps(
    [
      { name: 'page', path: '/', ...options.before },
      { name: 'next', ...step },
    ],
    options.more,
  );
  const toWalk = (response: Partial<Exchange>): Walk => [
    recordedStep('page', [response]),
    recordedStep('next', [{ text: 'done', ...sent }]),
  ];
  return captureByTwo(plan, {
    recorded: toWalk(first),
    walks: [toWalk(second)],
    hasOtherAccount: options.hasOtherAccount ?? true,
    secretFor: (called) => `env:HOLDFAST_${called.toUpperCase()}`,
  });
}

export const stepOf = (plan: Plan, index: number) => plan.journey[index];

export const field = (token: string): Partial<Exchange> => ({
  text: `<form action="/save"><input value="${token}" type=hidden name=csrf></form>`,
});
