import { expect, it } from 'vitest';
import { LIMITS, failedRequirements } from './judge.ts';
import { describeImbalances } from './parts/loadPart.ts';
import { findHarm } from './parts/harm.ts';
import type { Findings } from './parts/part.ts';

const memory = (rssBytes: number) => ({ rssBytes, heapBytes: 1, externalBytes: 1 });
const passedFindings: Findings = {
  requests: 10,
  serverRequests: 10,
  hasMemory: true,
  memory: { early: memory(1e8), late: memory(1.5e8) },
  seen: {
    largestFrameBytes: 1,
    stallMs: 10,
    threadStallMs: 900,
    blockedMs: 900,
    hungerMs: 900,
    spoilt: new Set(),
    problems: [],
    ended: null,
  },
  resultBytes: 1,
  storeBytes: 1,
  hasEnded: true,
  wrong: [],
};

it('the judgement reports nothing if everything passed, however busy the machine was', () =>
  expect(failedRequirements(passedFindings)).toEqual([]));

it.each<[string, Partial<Findings>, RegExp]>([
  ['growth', { memory: { early: memory(1e8), late: memory(1e8 + LIMITS.growthBytes) } }, /memory grew/],
  ['memory that was not read', { memory: { early: memory(1), late: null } }, /unknown/],
  ['a large result', { resultBytes: LIMITS.resultBytes }, /result is/],
  ['a stall', { seen: { ...passedFindings.seen, stallMs: LIMITS.stallMs } }, /stood for 250 ms/],
  ['a spoilt prototype', { seen: { ...passedFindings.seen, spoilt: new Set(['Object.prototype has x']) } }, /Object\.prototype/],
  ['an error that nobody caught', { seen: { ...passedFindings.seen, problems: ['Error: x\n at y'] } }, /Nobody caught: Error: x$/],
  ['an end of the process', { seen: { ...passedFindings.seen, ended: 'SIGABRT' } }, /ended: SIGABRT/],
  ['no end of the run', { hasEnded: false }, /did not come to its end/],
  ['what a part found itself', { wrong: ['outcomes'] }, /outcomes/],
])('the judgement reports %s', (_what, changes, words) => {
  const missed = failedRequirements({ ...passedFindings, ...changes });
  expect(missed).toHaveLength(1);
  expect(missed[0]).toMatch(words);
});

it('findHarm finds scripts, formulas and control characters in saved files', () => {
  expect(findHarm('html', '<p title="&lt;script&gt;">&lt;img onerror=x&gt;</p><script>const own = 1</script>')).toEqual([]);
  expect(findHarm('html', '<img src=x onerror=y>')).toHaveLength(1);
  expect(findHarm('html', '<script>globalThis.hostileRan=1</script>')).toHaveLength(1);
  expect(findHarm('csv', 'a,b\r\n-1.5,"text"\r\n')).toEqual([]);
  expect(findHarm('csv', 'a,"=cmd()"\n')).toHaveLength(1);
  expect(findHarm('markdown', 'a \u001b[2J')).toHaveLength(1);
  expect(findHarm('junit', '<a b="\ud800"/>')).toHaveLength(1);
  expect(findHarm('json', '{')).toHaveLength(1);
});

it("the judgement compares the request outcomes of a result with the server's counts", () => {
  const requests = {
    sent: 10,
    ok: 7,
    httpError: 1,
    wrongBody: 0,
    timeout: 1,
    refused: 0,
    reset: 1,
    noPort: 0,
    noFile: 0,
    dns: 0,
    tls: 0,
    otherError: 0,
    notMade: 0,
    neverSent: 0,
    inFlight: 0,
  };
  const result = { plan: {}, balances: true, status: { 200: 7, 500: 1 }, outcomes: { requests }, requestsResent: 0 };
  const before = { requests: 5, connections: 0, statuses: {} };
  const withRequests = (requests: number) => ({ ...before, requests });
  expect(describeImbalances(result, before, withRequests(15))).toEqual([]);
  expect(describeImbalances(result, before, withRequests(13))).toEqual([]);
  expect(describeImbalances(result, before, withRequests(12))).toHaveLength(1);
  expect(describeImbalances(result, before, withRequests(16))).toHaveLength(1);
  expect(describeImbalances({ ...result, requestsResent: 1 }, before, withRequests(16))).toEqual([]);
  expect(describeImbalances({ ...result, outcomes: { requests: { ...requests, ok: 6 } } }, before, withRequests(15))).not.toEqual([]);
});
