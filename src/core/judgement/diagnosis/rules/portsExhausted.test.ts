import { expect, it } from 'vitest';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import { unknownReading } from '#core/result/readings.ts';
import { facts, generatorThatReads, healthyStep, point } from '../testing/facts.ts';
import { idsOf, findingsBy } from '../testing/found.ts';

/**
 * Returns the figures of a run against an asynchronous server: 28,232 ports, a connection for each user, half of the responses within 951
 * ms.
 */
function run(sockets: Record<string, number> | null, timeWaitSockets: number | null) {
  const noPort = 558;
  const requests = { ...emptyRequestOutcomes(), sent: 28_232 + noPort, ok: 28_232, noPort };
  const good = { ...healthyStep().latency.service, count: 28_232, p50: 951 };
  const step = healthyStep({
    requests,
    latencyByStatusClass: { '2xx': good },
    connectionsOpened: 28_232,
    errors: { 'EADDRNOTAVAIL@connect': noPort },
  });
  const windows = [
    point(461),
    point(462),
    point(463, { errors: { 'EADDRNOTAVAIL@connect': 60 }, overloadedBy: ['noPort'] }),
    point(464, { errors: { 'EADDRNOTAVAIL@connect': 498 }, overloadedBy: ['noPort'] }),
  ];
  const [generator] = [generatorThatReads([])];
  const readings = [{ ...unknownReading(460), sockets, timeWaitSockets }];
  return facts(step, { windows, generators: generator === undefined ? [] : [{ ...generator, readings }] });
}

it("portsExhausted: blames this computer and reports the server's times", () => {
  const given = run({ established: 27_900, timeWait: 12 }, 12);
  const [finding] = findingsBy('portsExhausted', given);
  expect(finding).toMatchObject({
    id: 'portsExhausted.generator',
    level: 'problem',
    confidence: 'certain',
    range: { fromSecond: 463, toSecond: 465 },
  });
  expect(finding?.sentence).toContain('from second 463 on: 558 requests were not sent');
  expect(finding?.sentence).toContain('the median response took 951 ms');
  expect(finding?.remedy).toContain('still open');
  expect(idsOf(given)).not.toContain('generatorLimited');
});

it('portsExhausted: distinguishes waiting ports from used ones, and reports unknown without readings', () => {
  expect(findingsBy('portsExhausted', run({ established: 40 }, 28_000))[0]?.remedy).not.toContain('still open');
  expect(findingsBy('portsExhausted', run(null, null))[0]?.figures).toContainEqual({
    what: 'Max connections open there',
    value: 'unknown',
  });
});

it('portsExhausted: names the machine that ran out, with its own readings', () => {
  const given = run(null, null);
  const generator = (name: string, established: number, overloadedBy: 'noPort'[]) => ({
    ...generatorThatReads([]),
    name,
    readings: [{ ...unknownReading(463), sockets: { established }, overloadedBy }],
  });
  const [finding] = findingsBy('portsExhausted', {
    ...given,
    generators: [generator('this computer', 28_000, []), generator('web1', 27_900, ['noPort'])],
  });
  expect(finding?.sentence).toMatch(/^web1 ran out of ports/);
  expect(finding?.figures).toContainEqual({ what: 'Max connections open there', value: '27,900' });
});

it('portsExhausted: reports missing files in the same way, and nothing in a healthy run', () => {
  const step = healthyStep({ requests: { ...emptyRequestOutcomes(), sent: 6_010, ok: 6_000, noFile: 10 } });
  expect(findingsBy('portsExhausted', facts(step))[0]).toMatchObject({
    id: 'portsExhausted.files',
    sentence: expect.stringContaining('open files'),
  });
  expect(findingsBy('portsExhausted', facts())).toEqual([]);
});
