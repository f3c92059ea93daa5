import { expect, it } from 'vitest';
import type { MeasuredRun } from '../rule.ts';
import { facts, point } from '../testing/facts.ts';
import { idsOf, numberOf, saidBy } from '../testing/found.ts';

/** A run of 40 s in which 50 answers of this status took so long; the others went well, or there were none. */
function run(statuses: Readonly<Record<string, number>>, fromMs: number, toMs: number, ok = 50): MeasuredRun {
  const base = facts();
  const calm = base.latency.service;
  const count = Object.values(statuses).reduce((sum, answers) => sum + answers, 0);
  const middle = (fromMs + toMs) / 2;
  return {
    ...base,
    status: { ...base.status, ...statuses },
    latencyByStatusClass: {
      ...base.latencyByStatusClass,
      '5xx': { ...calm, count, min: fromMs, p50: middle, p90: toMs, p95: toMs, max: toMs },
    },
    windows: Array.from({ length: 40 }, (_, second) =>
      point(second, { ok, failed: 2, status: { '200': ok, ...(second > 4 ? statuses : {}) } }),
    ),
  };
}

it('names the limit of workers that are aborted', () => {
  const given = run({ '500': 50 }, 5_010, 5_990);
  const [finding] = saidBy('workerTimeout', given);
  expect(finding).toMatchObject({ level: 'problem', confidence: 'possible' });
  expect(numberOf(finding, 'Worker time-out')).toBe(5);
  expect(idsOf(given)).not.toContain('unexpectedStatus.500');
});

it.each([
  ['1 s', 1_200, 1_300],
  ['3 to 4 s', 4_300, 5_100],
  ['30 s', 31_020, 32_000],
  ['30 s', 30_010, 30_900],
])('names the limit of %s of workers that are killed after %i to %i ms', (limit, fromMs, toMs) => {
  const [finding] = saidBy('workerTimeout', run({ '502': 50 }, fromMs, toMs));
  expect(finding?.figures).toContainEqual({ what: 'Worker time-out', value: limit });
  expect(finding?.sentence).toContain(`after ${limit} (502)`);
});

it('says nothing of quick failures, of failures that take any time, and of those during which nobody was answered well', () => {
  expect(saidBy('workerTimeout', run({ '502': 50 }, 1, 40))).toEqual([]);
  expect(saidBy('workerTimeout', run({ '500': 50 }, 5_000, 9_000))).toEqual([]);
  expect(saidBy('workerTimeout', run({ '500': 50, '503': 50 }, 5_010, 5_900))).toEqual([]);
  expect(saidBy('workerTimeout', run({ '500': 50 }, 60_010, 60_900, 0))).toEqual([]);
});

it('says nothing where everybody waited as long, and the good answers came at the end as well', () => {
  const given = run({ '500': 5 }, 10_050, 10_300);
  const windows = Array.from({ length: 11 }, (_, second) =>
    second < 10
      ? point(second, { completed: 0, ok: 0, inFlight: 15, p50: null, p90: null, p99: null, max: null })
      : point(second, { ok: 10, failed: 5, status: { '200': 10, '500': 5 } }),
  );
  expect(saidBy('workerTimeout', { ...given, windows, status: { '200': 10, '500': 5 } })).toEqual([]);
});
