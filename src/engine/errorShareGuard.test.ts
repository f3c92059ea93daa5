import { expect, it } from 'vitest';
import { safetySchema } from '#core/plan/schema/plan.ts';
import { cellOf, emptyWindow } from '#core/measurement/windowFold.ts';
import { ErrorShareGuard } from './errorShareGuard.ts';

/** The second in which a run stops whose seconds have so many good and failed requests; null for one that goes on. */
function stopsAt(seconds: readonly { readonly ok: number; readonly failed: number }[], errorWindowSeconds = 10): number | null {
  const guard = new ErrorShareGuard(safetySchema.parse({ stopAtErrorShare: 0.5, errorWindowSeconds }));
  for (const [second, { ok, failed }] of seconds.entries()) {
    const window = emptyWindow(second, 1);
    cellOf(window, 0, 0).outcomes = { ok, httpError: failed };
    if (guard.add(window) !== null) return second;
  }
  return null;
}
const good = { ok: 100, failed: 0 };
const failing = { ok: 0, failed: 100 };
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

it('stops when more than the share of a whole window failed', () => {
  expect(stopsAt([...times(20, good), ...times(20, failing)])).toBe(25);
  expect(stopsAt(times(20, failing))).toBe(9);
  expect(stopsAt(times(20, failing), 1)).toBe(0);
});

it('goes on after failures of a moment at its beginning, however many of them there are', () => {
  expect(stopsAt([...times(2, failing), ...times(30, good)])).toBeNull();
  expect(stopsAt([...times(2, { ok: 0, failed: 190 }), ...times(30, good)])).toBeNull();
});

it('does not judge fewer than 100 requests', () => {
  expect(stopsAt(times(30, { ok: 0, failed: 9 }))).toBeNull();
});
