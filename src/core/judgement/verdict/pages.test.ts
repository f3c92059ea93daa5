import { expect, it } from 'vitest';
import { createTotalHistogram, record } from '#core/statistics/histogram.ts';
import { planWith, stages } from '#core/testing/plans.ts';
import { windowWith, withLoaded } from '#core/testing/windows.ts';
import type { Window } from '#core/measurement/window.ts';
import { judged } from './testing/judged.ts';

const load = stages({ connections: 10, seconds: 10 });
const journey = [{ name: 'home', resources: {} }];

/** Returns a second with two whole pages of 1.2 s and their many requests. */
function second(at: number): Window {
  const window = windowWith({ second: at, ok: [{ count: 40, ms: 20 }] });
  const page = createTotalHistogram();
  for (let count = 0; count < 2; count += 1) record(page, 1_200_000);
  for (const cell of window.cells) cell.times.page = page;
  return withLoaded(window);
}
const windows = Array.from({ length: 10 }, (_, at) => second(at));

it('verdict sentence: names whole pages if the plan fetches pages', () => {
  expect(judged({ plan: planWith({ load, journey }), windows }).verdict.sentence).toBe(
    'Measured: 2 whole pages a second at 10 connections, 95 % of them within 1.2 s. No pass criteria were set.',
  );
  const criteria = [{ kind: 'errors', maxShare: 0.5 } as const];
  expect(judged({ plan: planWith({ load, journey, criteria }), windows }).verdict.sentence).toBe(
    'Passed at 10 connections: 2 whole pages a second.',
  );
});

it('verdict sentence: names responses if the plan sends single requests', () => {
  expect(judged({ plan: planWith({ load }), windows }).verdict.sentence).toMatch(
    /^Measured: 40 successful responses a second .*95 % within 20/,
  );
});
