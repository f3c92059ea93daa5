import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RECORDED_PLAN } from '#engine/k6/testing/recordedPlan.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { Totals } from '#core/result/totals.ts';
import { K6Windows } from './k6Windows.ts';
import { K6SampleReader } from './sampleReader.ts';

/** The output was recorded by src/engine/k6/testing/recordK6.ts. */
const recorded = readFileSync(new URL('testing/recorded/k6-1.8.1.jsonl', import.meta.url), 'utf8');
const plan = planSchema.parse({ holdfast: 1, name: 'recorded', targets: [{ url: 'http://127.0.0.1/' }], ...RECORDED_PLAN });
const SLOTS = { frontPage: 0, wrong: 1, missing: 2, moved: 3, broken: 4, slow: 5, redirected: 6 };

function read() {
  const collected = new K6Windows(plan);
  const reader = new K6SampleReader(collected);
  // The output is pushed in pieces, as from a pipe.
  for (let at = 0; at < recorded.length; at += 8_192) reader.push(recorded.slice(at, at + 8_192));
  reader.end();
  const totals = new Totals();
  for (const window of collected.takeAll()) totals.add(window);
  return { collected, totals };
}

describe('output of k6 1.8.1', () => {
  it('balances and contains every planned journey', () => {
    const { collected, totals } = read();
    expect(totals.outcomes(plan, true)).toMatchObject({
      balances: true,
      outcomes: {
        journeys: { planned: 9, started: 9, finished: 0, abandoned: 9, running: 0 },
        requests: { sent: 63, ok: 27, wrongBody: 9, httpError: 9, reset: 9, timeout: 9, inFlight: 0 },
      },
    });
    expect(collected.foreignRequests).toBe(0);
  });

  it.each([
    [SLOTS.frontPage, { outcomes: { ok: 9 }, statuses: new Map([[200, 9]]), errors: {} }],
    [SLOTS.wrong, { outcomes: { wrongBody: 9 }, statuses: new Map([[200, 9]]), errors: { 'contains “Welcome”@check': 9 } }],
    [SLOTS.missing, { outcomes: { httpError: 9 }, statuses: new Map([[404, 9]]), errors: {} }],
    [SLOTS.moved, { outcomes: { ok: 9 }, statuses: new Map([[302, 9]]), errors: {} }],
    [SLOTS.redirected, { outcomes: { ok: 9 }, statuses: new Map([[200, 9]]), errors: {} }],
    [SLOTS.broken, { outcomes: { reset: 9 }, statuses: new Map(), errors: { 'EOF@firstByte': 9 } }],
    [SLOTS.slow, { outcomes: { timeout: 9 }, statuses: new Map(), errors: { 'TIMEOUT@firstByte': 9 } }],
  ])('has separate counts for requests of kind %i', (slot, expected) => {
    const { totals } = read();
    expect(totals.sum(({ step }) => step === slot)).toMatchObject(expected);
  });

  it('contains the stage and the time of each request', () => {
    const { totals } = read();
    expect([0, 1].map((stage) => totals.sum((cell) => cell.stage === stage).journeysStarted)).toEqual([3, 6]);
    expect([0, 1].map((stage) => totals.sum((cell) => cell.stage === stage).started)).toEqual([21, 42]);
    // The first journey starts half an interval after the load begins: 333 ms.
    const [early] = totals.sum(({ step }) => step === SLOTS.frontPage).early;
    expect(early?.startUs).toBeGreaterThan(333_000);
    expect(early?.startUs).toBeLessThan(400_000);
  });

  it('has a time for each response and none for requests without one', () => {
    const { totals } = read();
    const all = totals.sum();
    expect(all.times.serviceOk?.totalCount).toBe(27);
    expect(all.times.serviceFailed?.totalCount).toBe(18);
    expect(all.times.firstByte?.totalCount).toBe(45);
    // The request that failed used an existing connection, and a new connection was needed after it.
    expect(all.connectionsOpened).toBeGreaterThanOrEqual(18);
    expect(all.connectionsOpened + all.requestsOnReusedConnection).toBeGreaterThanOrEqual(45);
  });
});
