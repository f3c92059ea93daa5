import type { Step } from '#core/plan/schema/plan.ts';

/** Whether a status counts as good for a step: one of those it names, else any 2xx. */
export function expectationOf({ expectStatus }: Step): (status: number) => boolean {
  if (expectStatus === undefined) return (status) => status >= 200 && status < 300;
  const expected = new Set(expectStatus);
  return (status) => expected.has(status);
}
