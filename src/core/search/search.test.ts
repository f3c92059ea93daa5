import { describe, expect, it } from 'vitest';
import { documentWith } from '#core/series/testing/series.ts';
import { arrivals, planWith } from '#core/testing/plans.ts';
import { randomFrom, buildRunResult, simulate } from '#core/testing/queueRun.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { planOfProbe } from './breakingPoint/aftermath.ts';
import { planOfLevel, planOfRecovery } from './breakingPoint/levels.ts';
import { planOfUsers } from './characterize/levels.ts';
import { searchDocumentSchema } from './result.ts';
import { findReading, planOfSearch } from './search.ts';

const plan = planWith({ load: arrivals([{ kind: 'constant', perSecond: 40, seconds: 10 }]) });
const breakingPoint = searchDocumentSchema.parse({ kind: 'breakingPoint', plan, settings: { overloadSeconds: 12 } });
const characterize = searchDocumentSchema.parse({ kind: 'characterize', plan });
const resultOfRun = (of: Plan) => buildRunResult(of, simulate(of, { workers: 8, serviceMs: (random) => 99 + 2 * random() }, randomFrom(1)));

describe('findReading', () => {
  it('reads a run by its purpose', () => {
    if (breakingPoint.kind !== 'breakingPoint') throw new TypeError('It is one.');
    const level = resultOfRun(planOfLevel(plan, 40, breakingPoint.settings, []));
    expect(findReading(breakingPoint, { purpose: 'level', level: 40 }, level)).toMatchObject({ kind: 'level', level: 40 });
    const look = resultOfRun(planOfProbe(plan));
    const probe = findReading(breakingPoint, { purpose: 'probe', level: null }, look);
    expect(probe).toMatchObject({ kind: 'probe', sent: 10, failed: 0, p50Ms: expect.closeTo(100, 0) });
    const recovery = resultOfRun(planOfRecovery(plan, 40, breakingPoint.settings) ?? plan);
    expect(findReading(breakingPoint, { purpose: 'recovery', level: 40 }, recovery)).toMatchObject({
      kind: 'recovery',
      calmLevel: 20,
      overloadSeconds: 12,
    });
    const users = resultOfRun(planOfUsers(plan, { users: 2, startUpSeconds: 0, seconds: 3, pauseSeconds: 0 }));
    expect(findReading(characterize, { purpose: 'users', level: 2 }, users)).toMatchObject({ kind: 'users', users: 2 });
  });

  it('returns null for a level without a number, or in a search without levels', () => {
    const result = resultOfRun(plan);
    expect(findReading(breakingPoint, { purpose: 'level', level: null }, result)).toBeNull();
    expect(findReading(characterize, { purpose: 'level', level: 40 }, result)).toBeNull();
  });
});

describe('planOfSearch', () => {
  it('returns the plan itself, or the first cell of its series that can run', () => {
    expect(planOfSearch(plan, null)).toEqual({ plan, variant: null });
    const variants = ['node', 'gunicorn'].map((name, at) => ({ name, targets: [{ url: `http://127.0.0.1:${at + 1}/` }] }));
    const of = (document: ReturnType<typeof documentWith>) => planOfSearch(document.plan, document.series);
    const found = of(documentWith({ variants }));
    expect([found.variant, found.plan.targets[0]?.url]).toEqual(['node', 'http://127.0.0.1:1/']);
    // Ten requests are too few for a hundred connections.
    const some = of(documentWith({ levels: { requests: [10, 1_000], connections: [100] } }));
    expect(some.plan.load.stages[0]).toMatchObject({ connections: 100, requests: 1_000 });
    const none = documentWith({ levels: { requests: [10], connections: [100] } });
    expect(of(none)).toEqual({ plan: none.plan, variant: null });
  });
});
