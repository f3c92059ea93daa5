import { describe, expect, it } from 'vitest';
import type { BellResult } from '#core/result/bells.ts';
import { CALM, facts, healthyStep } from '../testing/facts.ts';
import { findingsBy } from '../testing/found.ts';

/** Returns a bell of 120 users who are served at a constant rate. */
function makeBell(perSecond: number, changes: Partial<BellResult> = {}): BellResult {
  const opening = Array.from({ length: 100 }, (_, tenth) => ({
    served: Math.max(0, Math.min(120, Math.round(((tenth + 1) * perSecond) / 10)) - Math.min(120, Math.round((tenth * perSecond) / 10))),
    failed: 0,
  }));
  return {
    bell: 'ten',
    step: 'start',
    atSecond: 60,
    expected: 120,
    waited: 120,
    late: 0,
    absent: 0,
    startP99Ms: 4,
    startMaxMs: 5,
    served: 120,
    failed: 0,
    unfinished: 0,
    reloaded: 0,
    servedWithin: [],
    lastServedMs: 7_900,
    p50Ms: 2_000,
    p95Ms: 6_000,
    opening,
    ...changes,
  };
}

function makeFacts(bells: readonly BellResult[], step: Parameters<typeof healthyStep>[0] = {}) {
  const healthy = facts();
  return { ...healthy, bells: [...bells], steps: [healthyStep({ name: 'start', ...step })] };
}

describe('bellCapacity', () => {
  it('names the number that would have been served in time', () => {
    const [found] = findingsBy('bellCapacity', makeFacts([makeBell(12)]));
    expect(found).toMatchObject({ level: 'warning', confidence: expect.stringMatching(/likely|possible/) });
    expect(found?.sentence).toMatch(/^About \d+ users would have been served within \S+ s of the bell “ten”; 120 waited\.$/);
  });

  it('is uncertain if users had to reload, and finds nothing if all users were served in time', () => {
    expect(findingsBy('bellCapacity', makeFacts([makeBell(12, { reloaded: 8 })]))[0]?.confidence).toBe('possible');
    expect(findingsBy('bellCapacity', makeFacts([makeBell(200)]))).toEqual([]);
    expect(findingsBy('bellCapacity', makeFacts([makeBell(12, { isCalledOff: true })]))).toEqual([]);
  });
});

const FAST = { ...CALM, min: 1, p50: 2, p95: 3, max: 5 };
const QUEUED = { ...CALM, min: 20, p50: 2_000, p95: 4_000, max: 6_000 };

describe('bellRefusals', () => {
  const refusing = (code: string, good: typeof CALM) =>
    makeFacts([makeBell(12)], {
      status: { '200': 100, [code]: 40 },
      latencyByStatusClass: { '2xx': good, [code === '429' ? '4xx' : '5xx']: FAST },
    });

  it('finds a full queue of workers where others waited and were served', () => {
    const [found] = findingsBy('bellRefusals', refusing('502', QUEUED));
    expect(found).toMatchObject({ level: 'problem', confidence: 'likely' });
    expect(found?.sentence).toContain('The queue of workers was full after the bell “ten”');
  });

  it('finds a limit per address if no user waited', () => {
    const [found] = findingsBy('bellRefusals', refusing('429', CALM));
    expect(found?.sentence).toContain('A limit per address probably refused users');
    expect(found?.evidence.join(' ')).toContain('all your people come from one address, too');
    expect(findingsBy('bellRefusals', refusing('503', CALM))[0]?.confidence).toBe('possible');
  });

  it('finds nothing in a healthy opening, with few refusals, or with slow ones', () => {
    expect(findingsBy('bellRefusals', makeFacts([makeBell(12)]))).toEqual([]);
    const few = { status: { '200': 118, '502': 2 }, latencyByStatusClass: { '2xx': QUEUED, '5xx': FAST } };
    expect(findingsBy('bellRefusals', makeFacts([makeBell(12)], few))).toEqual([]);
    const slow = { status: { '200': 100, '502': 40 }, latencyByStatusClass: { '2xx': QUEUED, '5xx': QUEUED } };
    expect(findingsBy('bellRefusals', makeFacts([makeBell(12)], slow))).toEqual([]);
  });
});

describe('bellColdStart', () => {
  const withSteps = (bells: readonly BellResult[], paths: readonly string[]) => {
    const made = makeFacts(bells);
    const journey = paths.map((path, index) => ({ ...made.plan.journey[0], name: index === 0 ? 'start' : 'again', path }));
    return { ...made, plan: { ...made.plan, journey: journey as typeof made.plan.journey } };
  };
  const second = { bell: 'second', step: 'again', atSecond: 90, p50Ms: 500 };

  it('finds that the second bell of the same request was served much faster', () => {
    const [found] = findingsBy('bellColdStart', withSteps([makeBell(12), makeBell(50, second)], ['exam', 'exam']));
    expect(found).toMatchObject({ id: 'bellColdStart.ten', level: 'warning', confidence: 'likely' });
  });

  it('finds nothing for other requests, other numbers of users, or similar times', () => {
    expect(findingsBy('bellColdStart', withSteps([makeBell(12), makeBell(50, second)], ['exam', 'finish']))).toEqual([]);
    expect(findingsBy('bellColdStart', withSteps([makeBell(12), makeBell(50, { ...second, served: 60 })], ['exam', 'exam']))).toEqual([]);
    expect(findingsBy('bellColdStart', withSteps([makeBell(12), makeBell(50, { ...second, p50Ms: 1_900 })], ['exam', 'exam']))).toEqual([]);
  });
});
