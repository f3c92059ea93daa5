import { describe, expect, it } from 'vitest';
import { ACCOUNTS_REFUSED_EVENT } from '#core/result/accountsRefused.ts';
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

  it('finds nothing if only users with refused accounts were not served in time', () => {
    const data = { step: 'start', count: 4, of: 120, names: ['ann'] };
    const event = { second: 60, kind: ACCOUNTS_REFUSED_EVENT, text: '4 of 120 accounts were refused at “start”: ann.', data };
    const bell = makeBell(200, { served: 116, failed: 4 });
    const opening = bell.opening.map((tenth, index) => (index === 0 ? { served: tenth.served - 4, failed: 4 } : tenth));
    expect(findingsBy('bellCapacity', { ...makeFacts([{ ...bell, opening }]), events: [event] })).toEqual([]);
    expect(findingsBy('bellCapacity', makeFacts([{ ...bell, opening }]))).toHaveLength(1);
  });

  it('names at most the users who were not refused', () => {
    const [found] = findingsBy('bellCapacity', makeFacts([makeBell(12, { reloaded: 100 })]));
    expect(found?.sentence).toMatch(/^About 20 users/);
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

  it('finds a full queue of workers if other users waited and were served', () => {
    const [found] = findingsBy('bellRefusals', refusing('502', QUEUED));
    expect(found).toMatchObject({ level: 'problem', confidence: 'likely' });
    expect(found?.sentence).toContain('The queue of workers was full after the bell “ten”');
  });

  it('finds it by 502 hardly quicker than successes on a busy machine: with less confidence, except after a redirect', () => {
    const busy = { ...FAST, min: 26, p50: 291, max: 400 };
    const made = (good: string, p50: number) =>
      makeFacts([makeBell(12)], {
        status: { '200': 34, '502': 29 },
        latencyByStatusClass: { [good]: { ...QUEUED, min: 111, p50, p95: 1_100 }, '5xx': busy },
      });
    const overloaded = (given: ReturnType<typeof made>) => ({
      ...given,
      windows: given.windows.map((point) => ({ ...point, overloadedBy: ['steal' as const] })),
    });
    expect(findingsBy('bellRefusals', overloaded(made('2xx', 385)))[0]).toMatchObject({ confidence: 'possible' });
    expect(findingsBy('bellRefusals', overloaded(made('3xx', 900)))[0]).toMatchObject({ confidence: 'likely' });
    expect(findingsBy('bellRefusals', overloaded(made('2xx', 200)))).toEqual([]);
  });

  it('finds a limit of nginx by its own 503 page although accepted users waited, but not by a 503 of the application', () => {
    const server = { ...facts().server, software: 'nginx/1.22.1' };
    const says = (words: string) => ({
      ...refusing('503', QUEUED),
      server,
      serverMessages: [{ request: 'start', failure: 'status 503', words }],
    });
    const [found] = findingsBy('bellRefusals', says('503 Service Temporarily Unavailable nginx/1.22.1'));
    expect(found).toMatchObject({ confidence: 'likely', sentence: expect.stringMatching(/^A limit per address/) });
    const slow = {
      ...says('503 Service Temporarily Unavailable nginx'),
      steps: refusing('503', QUEUED).steps.map((step) => ({ ...step, latencyByStatusClass: { '2xx': QUEUED, '5xx': QUEUED } })),
    };
    expect(findingsBy('bellRefusals', slow)[0]?.sentence).toMatch(/^A limit per address/);
    expect(findingsBy('bellRefusals', says('Too busy'))[0]?.sentence).toMatch(/^The queue of workers was full/);
    expect(findingsBy('bellRefusals', { ...refusing('502', QUEUED), server })[0]?.sentence).toMatch(/^The queue of workers was full/);
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
  const COLD = makeBell(12, { p50Ms: 2_000, p95Ms: 2_400 });
  const withSteps = (bells: readonly BellResult[], paths: readonly string[]) => {
    const made = makeFacts(bells);
    const journey = paths.map((path, index) => ({ ...made.plan.journey[0], name: index === 0 ? 'start' : 'again', path }));
    return { ...made, plan: { ...made.plan, journey: journey as typeof made.plan.journey } };
  };
  const second = { bell: 'second', step: 'again', atSecond: 90, p50Ms: 500 };

  it('finds that the second bell of the same request was served much faster', () => {
    const [found] = findingsBy('bellColdStart', withSteps([COLD, makeBell(50, second)], ['exam', 'exam']));
    expect(found).toMatchObject({ id: 'bellColdStart.ten', level: 'warning', confidence: 'likely' });
  });

  it('finds nothing for other requests, other numbers of users, or similar times', () => {
    expect(findingsBy('bellColdStart', withSteps([COLD, makeBell(50, second)], ['exam', 'finish']))).toEqual([]);
    expect(findingsBy('bellColdStart', withSteps([COLD, makeBell(50, { ...second, served: 60 })], ['exam', 'exam']))).toEqual([]);
    expect(findingsBy('bellColdStart', withSteps([COLD, makeBell(50, { ...second, p50Ms: 1_900 })], ['exam', 'exam']))).toEqual([]);
  });

  it('finds nothing for a queue that is served evenly: the first request of a user may take more work', () => {
    expect(findingsBy('bellColdStart', withSteps([makeBell(12), makeBell(50, second)], ['exam', 'exam']))).toEqual([]);
  });
});

describe('bellStandstill', () => {
  /** Returns a bell of 24 users: nobody is served for 7 s, and then all are within 0.3 s. `otherMs`: shortest time of another step. */
  const still = (otherMs: number, changes: Partial<BellResult> = {}) => {
    const opening = Array.from({ length: 100 }, (_, tenth) => ({ served: [70, 71, 72].includes(tenth) ? 8 : 0, failed: 0 }));
    const made = makeFacts([makeBell(12, { waited: 24, served: 24, opening, p50Ms: 7_217, p95Ms: 7_279, ...changes })]);
    const save = healthyStep({ name: 'save', latencyByStatusClass: { '2xx': { ...CALM, min: otherMs } } });
    return { ...made, steps: [...made.steps, save] };
  };

  it('finds that everybody waited for one lock if the work of all is shorter than the wait', () => {
    const [found] = findingsBy('bellStandstill', still(75));
    expect(found).toMatchObject({ id: 'bellStandstill.ten', level: 'warning', confidence: 'likely' });
    expect(found?.sentence).toMatch(/^Nobody was served for 7 s after the bell “ten”, .*they all waited for one lock/);
  });

  it('leaves open whether the server worked on all of them at once', () => {
    const [found] = findingsBy('bellStandstill', still(400));
    expect(found).toMatchObject({ confidence: 'possible' });
    expect(found?.sentence).toContain('or the server worked on all of them at once');
  });

  it('finds nothing for a queue, a short wait, refusals, or a bell that was called off', () => {
    expect(findingsBy('bellStandstill', makeFacts([makeBell(12)]))).toEqual([]);
    expect(findingsBy('bellStandstill', still(75, { p95Ms: 9_500 }))).toEqual([]);
    const soon = Array.from({ length: 100 }, (_, tenth) => ({ served: tenth === 12 ? 24 : 0, failed: 0 }));
    expect(findingsBy('bellStandstill', still(75, { opening: soon, p95Ms: 1_300 }))).toEqual([]);
    expect(findingsBy('bellStandstill', still(75, { reloaded: 4 }))).toEqual([]);
    expect(findingsBy('bellStandstill', still(75, { isCalledOff: true }))).toEqual([]);
  });
});

describe('bellPool and bellLock', () => {
  const queued = (shortestMs: number, changes: Partial<BellResult> = {}) =>
    makeFacts([makeBell(12, { p50Ms: 5_000, p95Ms: 9_500, ...changes })], {
      latencyByStatusClass: { '2xx': { ...QUEUED, min: shortestMs } },
    });

  it('name the number of requests that are served at a time', () => {
    const [found] = findingsBy('bellPool', queued(265));
    expect(found).toMatchObject({ id: 'bellPool.ten', level: 'warning', confidence: 'possible' });
    expect(found?.sentence).toContain('about 3 at a time');
  });

  it('exclude the workers as the cause if redirects were quick meanwhile', () => {
    const made = queued(265);
    const [start] = made.steps;
    const redirects = healthyStep({ name: 'start › redirects', latencyByStatusClass: { '2xx': CALM } });
    const [found] = findingsBy('bellPool', { ...made, steps: start === undefined ? [] : [start, redirects] });
    expect(found).toMatchObject({ confidence: 'likely' });
    expect(found?.evidence.join(' ')).toContain('not the workers');
  });

  it('find a lock if users are served one after the other, or the session that all share', () => {
    const made = queued(100);
    expect(findingsBy('bellLock', made)[0]).toMatchObject({ id: 'bellLock.ten', confidence: 'possible' });
    const targets = made.plan.targets.map((target) => ({ ...target, cookie: 'session=1' }));
    const [found] = findingsBy('bellLock', { ...made, plan: { ...made.plan, targets } });
    expect(found).toMatchObject({ id: 'bellLock.ten', confidence: 'likely' });
    expect(found?.sentence).toContain('share one session');
  });

  it('find nothing if all are served in time, if users are refused, or if all are served together at the end', () => {
    expect(findingsBy('bellPool', makeFacts([makeBell(200)]))).toEqual([]);
    expect(findingsBy('bellPool', queued(265, { reloaded: 20 }))).toEqual([]);
    expect(findingsBy('bellPool', queued(265, { p50Ms: 9_000 }))).toEqual([]);
    expect(findingsBy('bellPool', queued(4))).toEqual([]);
  });
});
