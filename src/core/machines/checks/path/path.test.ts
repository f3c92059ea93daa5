import { describe, expect, it } from 'vitest';
import { type PlanInput, planSchema } from '#core/plan/schema/plan.ts';
import type { PlanLoad } from '../host/planLoad.ts';
import { type PathReading, pathUrl } from './schema.ts';
import { maxResponsesPerSecond, judgePath, judgeSshPath, type Arrival, computeThroughput } from './judgePath.ts';

/** Returns chunks of `bytes`, one every `everyMs`, the first `atOnce` of them at time 0. */
function steady(chunks: number, bytes: number, everyMs: number, atOnce = 0): Arrival[] {
  return Array.from({ length: chunks }, (_, index) => ({ atMs: Math.max(0, index - atOnce) * everyMs, bytes }));
}

describe('computeThroughput', () => {
  it('divides bytes by time without the initial burst', () => {
    // The arrivals are 1,000 chunks of 1,250 bytes, 1 ms apart, which is 10 Mbit/s.
    const arrivals = steady(1_000, 1_250, 1, 26);
    const reported = computeThroughput(arrivals, [{ fromMs: 0, toMs: 1_000 }], 1_000);
    expect(reported?.megabits).toBeCloseTo(10, 1);
    expect(reported?.isFull).toBe(true);
  });

  it('returns a lower bound if the line was idle in between or too fast to measure', () => {
    const arrivals = steady(1_000, 1_250, 1);
    const transfers = Array.from({ length: 10 }, (_, index) => ({ fromMs: index * 100, toMs: index * 100 + 30 }));
    expect(computeThroughput(arrivals, transfers, 1_000)?.isFull).toBe(false);
    expect(computeThroughput(arrivals, [{ fromMs: 0, toMs: 1_000 }], 5)).toMatchObject({ megabits: 5, isFull: false });
  });

  it('needs 64 KiB, and calls the line full if transfers cover 80 % of the time', () => {
    expect(computeThroughput(steady(64, 1_024, 1), [], 1_000)).toMatchObject({ isFull: false });
    expect(computeThroughput([...steady(63, 1_024, 1), { atMs: 63, bytes: 1_023 }], [], 1_000)).toBeNull();
    // The first quarter arrives within 249 ms, and the measured part lasts 750 ms.
    const busyFor = (ms: number) => computeThroughput(steady(1_000, 1_250, 1), [{ fromMs: 0, toMs: 249 + ms }], 1_000);
    expect([busyFor(599)?.isFull, busyFor(600)?.isFull, busyFor(600)?.seconds]).toEqual([false, true, 0.75]);
  });

  it('counts overlapping transfers once', () => {
    const arrivals = steady(1_000, 1_250, 1);
    const twice = [
      { fromMs: 0, toMs: 500 },
      { fromMs: 100, toMs: 500 },
      { fromMs: 200, toMs: 400 },
    ];
    expect(computeThroughput(arrivals, twice, 1_000)?.isFull).toBe(false);
  });

  it('returns null for a few kilobytes and for data that arrived at one instant', () => {
    expect(computeThroughput(steady(10, 1_000, 1), [], 1_000)).toBeNull();
    expect(computeThroughput(steady(100, 1_250, 0), [], 1_000)).toBeNull();
    expect(computeThroughput([], [], 1_000)).toBeNull();
  });
});

const load: PlanLoad = {
  destinations: [{ host: '10.0.0.1', port: 80 }],
  connections: 10,
  sources: null,
  overNetwork: true,
  keepsConnections: true,
  closesFirst: 'server',
  opened: null,
  requested: null,
  requestsPerSecond: 30,
  seconds: 60,
  responseBytes: 31_966,
  responseSeconds: 0.01,
};
const reading: PathReading = {
  megabits: 9.2,
  isFull: true,
  seconds: 1.6,
  bytes: 2_300_000,
  respondedBytes: 2_300_000,
  responses: 72,
  failure: null,
};
const way = { from: 'far', to: 'http://10.0.0.1', link: { name: 'eth0', megabits: 10_000, isVirtual: true } };

describe('judgePath', () => {
  it('reports the measured and the advertised speed, and the responses per second', () => {
    const finding = judgePath(reading, way, load);
    // 9.2 Mbit/s are 1,150,000 bytes per second, or 36 responses of 31,966 bytes.
    expect(maxResponsesPerSecond(9.2, 31_966)).toBeCloseTo(35.98, 2);
    expect(finding).toMatchObject({ id: 'pathSpeed', level: 'warning', title: '9.2 Mbit/s between far and http://10.0.0.1' });
    expect(finding.evidence).toContain('2.3 MB in 72 responses');
    expect(finding.evidence).toContain('eth0 reports 10,000 Mbit/s, which a virtual link invents');
    expect(finding.matters).toContain('at most 36 responses/s');
  });

  it.each([
    [20, 'ok'],
    [29, 'warning'],
    [40, 'problem'],
  ] as const)('for a plan with %i requests a second returns the level %s', (requestsPerSecond, level) => {
    expect(judgePath(reading, way, { ...load, requestsPerSecond }).level).toBe(level);
  });

  it("warns from 80 % of the path's capacity on, and reports a problem above the capacity", () => {
    // 8 Mbit/s carry 1,000 responses of 1,000 bytes per second.
    const level = (requestsPerSecond: number | null, changes: Partial<PlanLoad> = {}): string =>
      judgePath({ ...reading, megabits: 8 }, way, { ...load, responseBytes: 1_000, requestsPerSecond, ...changes }).level;
    expect([level(800), level(801), level(1_000), level(1_001), level(null)]).toEqual(['ok', 'warning', 'warning', 'problem', 'ok']);
    expect([level(5_000, { responseBytes: null }), level(5_000, { responseBytes: 0 })]).toEqual(['ok', 'ok']);
    const plain = judgePath(
      { ...reading, megabits: 8, responses: 0, seconds: 0 },
      { ...way, link: null },
      { ...load, responseBytes: null },
    );
    expect(plain).toMatchObject({ evidence: '2.3 MB.', matters: 'It carries at most 1 MB of responses a second.', remedy: null });
    expect(judgePath(reading, { ...way, link: { name: 'eth0', megabits: null, isVirtual: false } }, load).evidence).toContain(
      'Its link eth0 does not report its speed.',
    );
    expect(judgePath(reading, { ...way, link: { name: 'eth0', megabits: 100, isVirtual: false } }, load).evidence).toMatch(
      /100 Mbit\/s\.$/,
    );
  });

  it('never reports a problem for a lower bound', () => {
    const finding = judgePath({ ...reading, isFull: false }, way, { ...load, requestsPerSecond: 500 });
    expect(finding).toMatchObject({ level: 'ok', title: 'At least 9.2 Mbit/s between far and http://10.0.0.1' });
    expect(finding.matters).toContain('at least 36 responses/s');
  });

  it('returns unknown, with a reason, if too little or nothing arrived', () => {
    const small = judgePath({ ...reading, megabits: null, bytes: 41_000, respondedBytes: 40_000, responses: 400 }, way, load);
    expect(small.level).toBe('unknown');
    expect(small.matters).toContain('100 B per response');
    const broken = judgePath({ ...reading, megabits: null, bytes: 0, responses: 0, failure: 'connect ECONNREFUSED' }, way, load);
    expect(broken.matters).toContain('ECONNREFUSED');
  });

  it('reports both directions over SSH', () => {
    const over = { ...reading, isFull: false, respondedBytes: 0, responses: 0 };
    const finding = judgeSshPath('web1', over, { ...over, megabits: null });
    expect(finding.title).toBe('From web1 to this computer at least 9.2 Mbit/s, back unknown');
    const nothing = { ...reading, megabits: null, bytes: 0, responses: 0, failure: 'no head' };
    expect(judgeSshPath('web1', nothing, nothing)).toMatchObject({ level: 'unknown', matters: 'no head' });
  });
});

describe('pathUrl', () => {
  const plan = (journey: PlanInput['journey'], connections: PlanInput['connections'] = {}) =>
    planSchema.parse({
      holdfast: 1,
      name: 'A test',
      targets: [{ url: 'http://10.0.0.1/shop/' }],
      journey,
      load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] },
      connections,
    });

  it('returns the first read-only step with a constant path', () => {
    const journey: PlanInput['journey'] = [
      { name: 'log in', method: 'POST', path: 'login' },
      { name: 'mine', path: 'user/{{user}}' },
      { name: 'list', path: 'list?page=1', query: { 'a b': 'c&d' } },
    ];
    expect(pathUrl(plan(journey))).toBe('http://10.0.0.1/shop/list?page=1&a%20b=c%26d');
    expect(pathUrl(plan(journey.slice(0, 2)))).toBe('http://10.0.0.1/shop/');
    expect(pathUrl(plan(journey, { socketPath: '/run/web' }))).toBeNull();
  });
});
