import { describe, expect, it } from 'vitest';
import { emptyDuetCount } from '#core/measurement/windowFold.ts';
import { planWith } from '#core/testing/plans.ts';
import { windowWith } from '#core/testing/windows.ts';
import { AgentBounds } from './bounds.ts';

const ELAPSED_SECONDS = 10;
const duet = { variants: ['base', 'head'], slotMs: 500 } as const;

/** Returns why a window with counts of this pair of slots is refused, or null. */
function findProblem(plan: object, pair: number): string | null {
  const window = { ...windowWith({ second: 3 }), duet: [emptyDuetCount(pair, 0)] };
  return new AgentBounds(planWith(plan), () => ELAPSED_SECONDS).findWindowProblem(window, { second: 3 });
}

describe('AgentBounds: slots of a duet', () => {
  // A pair of slots takes 1 s, and a host's clock may be 120 s ahead.
  it.each([
    ['accepts the first pair', { duet }, 0, null],
    ['accepts the last pair that may have begun', { duet }, 130, null],
    ['refuses a pair that begins later', { duet }, 131, 'slots of a duet that are not in this run'],
    ['refuses any pair of a plan without a duet', {}, 0, 'slots of a duet that are not in this run'],
  ])('%s', (_title, plan, pair, problem) => {
    expect(findProblem(plan, pair)).toBe(problem);
  });
});
