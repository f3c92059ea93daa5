import { expect, it } from 'vitest';
import type { Point } from '#core/result/schema.ts';
import { diagnose, findNotOfLoad } from './diagnose.ts';
import { facts, healthyStep, point } from './testing/facts.ts';

const MONITOR = { second: 24, kind: 'monitor', text: 'PostgreSQL is no longer monitored: connection refused. The run continues.' };

/** Returns a minute in which the server was away from second 20 to 30. */
function run(away: (second: number) => Partial<Point>, seconds: readonly [from: number, to: number] = [20, 30]) {
  const windows = Array.from({ length: 60 }, (_, second) => point(second, second >= seconds[0] && second < seconds[1] ? away(second) : {}));
  const failed = windows.reduce((sum, one) => sum + one.failed, 0);
  const step = healthyStep({
    requests: { ...healthyStep().requests, sent: 6_000, ok: 6_000 - failed, httpError: failed },
    status: { '200': 6_000 - failed, '502': failed },
  });
  return facts(step, { windows, events: [MONITOR, { ...MONITOR, second: 58, text: 'Something later.' }] });
}

const refused = () => ({ started: 900, completed: 50, ok: 0, failed: 50, status: { '502': 50 } });

it("outage: is reported as one finding with the monitors' observations", () => {
  const given = run(refused);
  const found = diagnose(given);
  expect(found.map(({ id }) => id)).toEqual(['outage']);
  expect(found[0]?.sentence).toBe(
    'From second 20 to 30 the server was away: 500 requests failed in 10 s, mostly with status 502. Then it came back.',
  );
  expect(found[0]?.evidence.at(-1)).toBe(`Second 24: ${MONITOR.text}`);
  expect(findNotOfLoad(given, found)?.id).toBe('outage');
});

it.each([
  ['failures occur all the time', run(refused, [0, 60])],
  ['failures begin and remain', run(refused, [40, 60])],
  ['a few requests fail in each second', run(() => ({ ok: 90, failed: 10, status: { '200': 90, '502': 10 } }))],
  ['the content is wrong', run(() => ({ ok: 0, failed: 50, status: { '200': 50 }, errors: {} }))],
])('outage: is absent if %s', (_name, given) => {
  expect(diagnose(given).map(({ id }) => id)).not.toContain('outage');
});

it('outage: is found beside an overloaded load generator if the server sent a status, but not if connections failed', () => {
  const overloaded = (given: ReturnType<typeof run>) => ({
    ...given,
    windows: given.windows.map((one) => ({ ...one, overloadedBy: ['threadCpu' as const] })),
  });
  const unreachable = run(() => ({ ok: 0, failed: 50, completed: 0, status: {}, errors: { 'ECONNREFUSED@connect': 50 } }));
  const idsOf = (given: ReturnType<typeof run>) => diagnose(given).map(({ id }) => id);
  expect(idsOf(overloaded(run(refused)))).toContain('outage');
  expect(idsOf(unreachable)).toContain('outage');
  expect(idsOf(overloaded(unreachable))).not.toContain('outage');
});
