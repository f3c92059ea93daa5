import { describe, expect, it } from 'vitest';
import { planSchema } from '#core/plan/schema/plan.ts';
import { record, createHistogram } from '#core/statistics/histogram.ts';
import type { Window } from '#core/measurement/window.ts';
import { withLoaded } from '#core/testing/windows.ts';
import { findOrAddCell, emptyWindow } from '#core/measurement/windowFold.ts';
import { diagnose } from './diagnosis/diagnose.ts';
import type { RunHead } from '#core/result/schema.ts';
import { buildMeasuredRun } from './measuredRun.ts';

const head: RunHead = {
  id: 'run',
  name: 'Test',
  note: '',
  preset: null,
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T00:01:00.000Z',
  state: 'finished',
  endedBecause: null,
  holdfastVersion: '0.1.0',
};

const plan = planSchema.parse({
  holdfast: 1,
  name: 'Test',
  targets: [{ url: 'http://127.0.0.1:8888/' }],
  journey: [{ name: 'page' }],
  load: {
    model: 'connections',
    stages: [
      { name: 'warm-up', connections: 2, seconds: 2, counted: false },
      { name: 'load', connections: 2, seconds: 2 },
    ],
  },
});

/** Returns a second of a stage with ten responses of the given status, 20 ms each. */
function second(at: number, stage: number, status: number): Window {
  const window = emptyWindow(at, 1);
  const cell = findOrAddCell(window, stage, 0);
  cell.started = 10;
  cell.outcomes = status === 200 ? { ok: 10 } : { httpError: 10 };
  cell.statuses.set(status, 10);
  const times = createHistogram();
  for (let index = 0; index < 10; index += 1) record(times, 20_000);
  cell.times = status === 200 ? { serviceOk: times } : { serviceFailed: times };
  return withLoaded(window);
}

const collectFacts = (windows: Window[]): ReturnType<typeof buildMeasuredRun> =>
  buildMeasuredRun({ head, plan, windows, end: null, generators: [], events: [] });

describe('buildMeasuredRun', () => {
  it('computes figures of the counted stages, and includes the warm-up only in the request outcomes', () => {
    const facts = collectFacts([second(0, 0, 200), second(1, 0, 200), second(2, 1, 200)]);
    expect(facts.outcomes.requests.sent).toBe(30);
    expect(facts.latency.service.count).toBe(10);
    expect(facts.rates.completedPerSecond).toBe(10);
  });

  it('excludes unsent requests and limits the level to open connections if files ran out', () => {
    const short = second(2, 1, 200);
    Object.assign(findOrAddCell(short, 1, 0), { started: 15, outcomes: { ok: 10, noFile: 5 }, connectionsOpened: 1 });
    const facts = collectFacts([second(0, 0, 200), short]);
    expect([facts.outcomes.requests.sent, facts.outcomes.requests.noFile, facts.balances]).toEqual([20, 5, true]);
    expect(facts.stages[1]?.level).toMatchObject({ unit: 'connections', from: 1, to: 1, highest: 1 });
    expect(collectFacts([second(2, 1, 200)]).stages[1]?.level.highest).toBe(2);
  });

  it('computes figures of the warm-up if the run ended in it', () => {
    const facts = collectFacts([second(0, 0, 302)]);
    expect(facts.status).toEqual({ '302': 10 });
    expect(diagnose(facts).map(({ id }) => id)).toEqual(['redirectMeasured']);
  });
});
