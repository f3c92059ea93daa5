import { describe, expect, it } from 'vitest';
import type { Plan, PlanInput } from '#core/plan/schema/plan.ts';
import type { Window } from '#core/measurement/window.ts';
import { arrivals, planWith, stages } from '#core/testing/plans.ts';
import { repeatedWindows, windowWith } from '#core/testing/windows.ts';
import { Evidence } from './evidence.ts';

const journey = [{ name: 'a' }, { name: 'b' }];
const load = stages({ name: 'warm', connections: 1, seconds: 10, counted: false }, { name: 'main', connections: 1, seconds: 10 });

function collectEvidence(windows: readonly Window[], changes: Partial<PlanInput> = {}): Evidence {
  const plan: Plan = planWith({ journey, load, ...changes });
  const evidence = new Evidence(plan);
  for (const window of windows) evidence.add(window);
  return evidence;
}

describe('Evidence', () => {
  it('counts slower responses once for each time limit, and for the threshold of an Apdex and four times that threshold', () => {
    const criteria: PlanInput['criteria'] = [
      { kind: 'responseTime', percentile: 95, maxMs: 400 },
      { kind: 'apdex', thresholdMs: 100, min: 0.9 },
      { kind: 'errors', maxShare: 0.01 },
    ];
    expect(collectEvidence([], { criteria }).limitsMs).toEqual([400, 100]);
  });

  it('distinguishes slow responses from requests that were only sent late', () => {
    const ok = [
      { count: 7, ms: 50, lateMs: 0 },
      { count: 5, ms: 50, lateMs: 900 },
      { count: 3, ms: 900, lateMs: 0 },
      { count: 2, ms: 900, lateMs: 900 },
    ];
    const criteria: PlanInput['criteria'] = [{ kind: 'responseTime', percentile: 95, maxMs: 400 }];
    const [block] = collectEvidence([windowWith({ ok })], { criteria }).of(0, 0).blocks;
    expect(block?.slower.get(400)).toEqual({ byService: 5, byLateness: 5 });
    expect([...(block?.byTime.values() ?? [])].reduce((sum, count) => sum + count, 0)).toBe(17);
    const [plain] = collectEvidence([windowWith({ ok: [{ count: 3, ms: 900 }] })], { criteria }).of(0, 0).blocks;
    expect(plain?.slower.get(400)).toEqual({ byService: 3, byLateness: 0 });
    const [none] = collectEvidence([windowWith({ failed: { timeout: 3 } })], { criteria }).of(0, 0).blocks;
    expect(none?.slower.get(400)).toEqual({ byService: 0, byLateness: 0 });
  });

  it.each([
    ['in a healthy second, all but missing ports and files', [], { httpError: 1, wrongBody: 2, refused: 4, timeout: 8, reset: 16 }, 31, 0],
    ['in a healthy second, missing ports and files', [], { noPort: 1, noFile: 2 }, 0, 3],
    [
      'in an overloaded second, responses and refusals',
      ['steal'],
      { httpError: 1, wrongBody: 2, refused: 4, timeout: 8, reset: 16, noPort: 32 },
      7,
      56,
    ],
  ] as const)('attributes failures to the target: %s', (_, overloadedBy, failed, surely, maybe) => {
    const [block] = collectEvidence([windowWith({ overloadedBy, failed, ok: [{ count: 100, ms: 5 }] })]).of(0, 0).blocks;
    expect([block?.ok, block?.failedSurely, block?.failedMaybe]).toEqual([100, surely, maybe]);
  });

  it('counts responses by step while the load of a stage is running', () => {
    const evidence = collectEvidence([
      windowWith({ second: 1, width: 2, ok: [{ count: 3, ms: 5 }] }),
      windowWith({ second: 3, width: 2, ok: [{ count: 4, ms: 5 }] }),
      windowWith({ second: 5 }),
    ]);
    expect(evidence.blocksUnderLoad(0, 0).map(({ second, width, ok }) => [second, width, ok])).toEqual([
      [1, 2, 3],
      [3, 2, 4],
      [5, 1, 0],
    ]);
    expect(evidence.blocksUnderLoad(0, 1)).toEqual([]);
    expect(evidence.of(3, 3)).toMatchObject({ blocks: [], started: 0, ended: 0, wrongPages: { missing: 0, redirected: 0, denied: 0 } });
  });

  it('sums one step over all stages', () => {
    const evidence = collectEvidence([
      windowWith({
        ok: [{ count: 3, ms: 5 }],
        failed: { httpError: 7 },
        statuses: { 404: 1, 301: 2, 307: 1, 401: 1, 403: 1, 500: 1 },
        withoutResponse: 2,
      }),
      windowWith({ stage: 1, second: 1, ok: [{ count: 4, ms: 5 }], failed: { httpError: 5 }, statuses: { 404: 5 } }),
      windowWith({ stage: 1, second: 1, step: 1, ok: [{ count: 50, ms: 5 }] }),
      windowWith({ stage: 1, second: 1, step: 11, ok: [{ count: 500, ms: 5 }] }),
    ]);
    expect(evidence.totalOf(0)).toEqual({
      sent: 21,
      good: 7,
      failed: 12,
      notMade: 0,
      notFound: 6,
      unchecked: 0,
      wrongPages: { missing: 6, redirected: 3, denied: 2 },
    });
    expect(evidence.totalOf(1)).toMatchObject({ sent: 50, good: 50 });
    expect(evidence.of(0, 0)).toMatchObject({ started: 12, ended: 10 });
  });
});

it('Evidence: counts requests that still waited to be sent at the end like requests without a response', () => {
  const waiting = collectEvidence([windowWith({ ok: [{ count: 5, ms: 5 }], failed: { neverSent: 3 } })]);
  const outstanding = collectEvidence([windowWith({ ok: [{ count: 5, ms: 5 }], withoutResponse: 3 })]);
  expect(waiting.of(0, 0)).toMatchObject({ started: 8, ended: 5, blocks: [{ failedSurely: 0, failedMaybe: 0 }] });
  expect(waiting.of(0, 0)).toEqual(outstanding.of(0, 0));
});

describe('overload of the load generator', () => {
  it('covers only judged stages, and lists causes by frequency', () => {
    const evidence = collectEvidence([
      ...repeatedWindows(10, { ok: [{ count: 1, ms: 5 }], overloadedBy: ['steal'] }),
      ...repeatedWindows(6, { stage: 1, second: 10, ok: [{ count: 1, ms: 5 }] }),
      ...repeatedWindows(1, { stage: 1, second: 16, ok: [{ count: 1, ms: 5 }], overloadedBy: ['threadCpu'] }),
      ...repeatedWindows(1, { stage: 1, second: 17, width: 2, ok: [{ count: 1, ms: 5 }], overloadedBy: ['noPort', 'steal'] }),
      ...repeatedWindows(1, { stage: 1, second: 19, ok: [{ count: 1, ms: 5 }], overloadedBy: ['steal'] }),
    ]);
    expect(evidence.overload()).toEqual({ seconds: 4, share: 0.4, causes: ['steal', 'noPort', 'threadCpu'] });
    expect(collectEvidence([]).overload()).toEqual({ seconds: 0, share: 0, causes: [] });
  });

  it('records the schedule lag of judged stages', () => {
    const load = arrivals([
      { kind: 'constant', perSecond: 1, seconds: 10, counted: false },
      { kind: 'constant', perSecond: 1, seconds: 10 },
    ]);
    const evidence = collectEvidence(
      [windowWith({ ok: [{ count: 9, ms: 5, lateMs: 70 }] }), windowWith({ stage: 1, second: 10, ok: [{ count: 4, ms: 5, lateMs: 30 }] })],
      { load },
    );
    expect(evidence.scheduleLag.totalCount).toBe(4);
    expect(evidence.journeyCounts(1)).toMatchObject({ journeysStarted: 4, notStartedTarget: 0, notStartedGenerator: 0 });
  });
});
