import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningLab } from '../lab.ts';
import { sendBurst, countStatuses } from '../testing/requests.ts';
import { maxSimultaneous, listPresence, workersIn } from '../testing/together.ts';
import { nodeVsGunicornLab } from './lab.ts';
import { addressOf, waitForLogLines, QUICK, lackReason, surroundings } from './testing/logged.ts';

const SERVICE_MS = 200;

/** Returns whether a time is near the expected one. A timer may be late on a busy machine, but is hardly early. */
const isNear = (ms: number, expected: number): boolean => ms > expected - 3 && ms < expected * 2;

describe.skipIf(lackReason !== null)(`node-vs-gunicorn under load${lackReason === null ? '' : `: ${lackReason}`}`, () => {
  let lab: RunningLab;
  beforeAll(async () => {
    lab = await nodeVsGunicornLab.start(
      { ...QUICK, 'mystery-workers': 5, 'mystery-sync-ms': 120, 'mystery-async-ms': 90, 'mystery-first': 'sync' },
      surroundings,
    );
  });
  afterAll(() => lab?.stop());

  it('keeps to its service times: Node waits in parallel and computes one at a time; gunicorn does both one at a time', async () => {
    await Promise.all([sendBurst(`${addressOf(lab, 'Node')}timeout?n=6`, 6), sendBurst(`${addressOf(lab, 'gunicorn')}timeout?n=4`, 4)]);
    await sendBurst(`${addressOf(lab, 'Node')}heavy?n=3`, 3);
    const waited = await waitForLogLines(lab, 'node', '/timeout?n=6', 6);
    expect(maxSimultaneous(listPresence(waited))).toBeGreaterThan(2);
    const one = await waitForLogLines(lab, 'gunicorn', '/timeout?n=4', 4);
    expect(maxSimultaneous(listPresence(one))).toBe(1);
    expect(maxSimultaneous(listPresence(await waitForLogLines(lab, 'node', '/heavy?n=3', 3)))).toBe(1);
    for (const { ms } of [...waited, ...one]) expect([ms, isNear(ms, SERVICE_MS)]).toEqual([ms, true]);
  });

  it('times out at the proxy, while gunicorn still processes the abandoned requests', async () => {
    const responses = await sendBurst(`${addressOf(lab, 'gunicorn')}timeout?n=14`, 14);
    const { 200: good = 0, 504: late = 0 } = countStatuses(responses);
    expect(good + late).toBe(14);
    expect(good).toBeGreaterThanOrEqual(8);
    expect(good).toBeLessThanOrEqual(10);
    for (const { ms } of responses.filter(({ status }) => status === 504)) expect(ms).toBeGreaterThan(1_990);
    await waitForLogLines(lab, 'gunicorn', '/timeout?n=14', 14);
  });

  it('responds like the two hidden servers that it reveals later', async () => {
    expect(lab.reveal()).toEqual([
      { label: 'Mystery 1', text: 'synchronous: 5 workers, 120 ms each' },
      { label: 'Mystery 2', text: 'asynchronous: 90 ms, any number at a time' },
    ]);
    expect(await (await fetch(`${lab.control}secrets`)).json()).toEqual(lab.reveal());
    expect(JSON.stringify([lab.addresses, await (await fetch(lab.control)).json()])).not.toMatch(/workers":5|synchronous|120/);
    await Promise.all([sendBurst(addressOf(lab, 'Mystery 1'), 15), sendBurst(addressOf(lab, 'Mystery 2'), 15)]);
    const sync = workersIn(await waitForLogLines(lab, 'mystery-1', '/', 15));
    const async = workersIn(await waitForLogLines(lab, 'mystery-2', '/', 15));
    expect([sync.workers, async.workers > 5]).toEqual([5, true]);
    expect([isNear(sync.medianMs, 120), isNear(async.medianMs, 90)]).toEqual([true, true]);
  });
});
